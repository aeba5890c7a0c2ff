"""Frees memory of closed windows in a test that opens many in one process; the program ends with its window."""

from __future__ import annotations

from PySide6.QtWidgets import QAbstractScrollArea, QComboBox, QWidget

from workbench.gui.services.theme import freed_whole


def free_all_of(window: QWidget) -> None:
    """Makes Qt forget the style of a closed window that is deleted next.

    Qt keeps style sheet rules for the viewports of scrolling widgets and the lists of combo boxes after they are
    deleted (see `freed_whole`).
    """
    for area in window.findChildren(QAbstractScrollArea):
        area.viewport().setStyleSheet(" ")
        area.viewport().setStyleSheet("")
    for box in window.findChildren(QComboBox):
        freed_whole(box)
