"""What a test that opens window after window in one process gives back of each; the program ends with its window."""

from __future__ import annotations

from PySide6.QtWidgets import QAbstractScrollArea, QComboBox, QWidget

from workbench.gui.services.theme import freed_whole


def free_all_of(window: QWidget) -> None:
    """Lets Qt keep nothing of the style of a closed window that is deleted next.

    Qt keeps the rules of its style sheet for the viewport of everything that scrolls, and for the list of a box of
    choices, after they are deleted (see `freed_whole`).
    """
    for area in window.findChildren(QAbstractScrollArea):
        area.viewport().setStyleSheet(" ")
        area.viewport().setStyleSheet("")
    for box in window.findChildren(QComboBox):
        freed_whole(box)
