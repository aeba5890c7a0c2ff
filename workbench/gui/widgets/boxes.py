"""Boxes to choose a value from or to enter a number in. All such boxes are made here, or are a class of `widgets`: of
these Qt keeps nothing once they are deleted (see `freed_whole`)."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QSpinBox

from workbench.gui.services.theme import freed_whole


def choice_box(entries: Iterable[tuple[str, object]] = (), *, editable: bool = False) -> QComboBox:
    """A box with these choices: the words of each, and its data. Other choices may be added later."""
    box = QComboBox()
    for words, data in entries:
        box.addItem(words, data)
    box.setEditable(editable)
    # Makes the list that opens, where no choice has made it yet: only a list that is there is freed.
    box.view()
    return freed_whole(box)


def whole_number_box(least: int, most: int, step: int = 1) -> QSpinBox:
    """A box for a whole number between two others; the arrows change it by `step`."""
    return freed_whole(QSpinBox(minimum=least, maximum=most, singleStep=step))


def decimal_box(least: float, most: float, step: float) -> QDoubleSpinBox:
    """A box for a number with two decimals, in Qt's own way of writing numbers; it signals while it is typed."""
    return freed_whole(QDoubleSpinBox(minimum=least, maximum=most, decimals=2, singleStep=step))
