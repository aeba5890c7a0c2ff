"""Boxes to choose a value or enter a number. All of them are created here, or are a class of `widgets`: so Qt releases
their memory when they are deleted (see `freed_whole`).

Also a box of choices with its caption inside, in front of the choice.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPaintEvent
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QSpinBox, QStyle, QStyleOptionComboBox, QStylePainter

from workbench.gui.services.theme import freed_whole


def choice_box(entries: Iterable[tuple[str, object]] = (), *, editable: bool = False) -> QComboBox:
    """A box with these choices: the text of each, and its data. More choices may be added later."""
    box = QComboBox()
    for words, data in entries:
        box.addItem(words, data)
    box.setEditable(editable)
    # Creates the list now if no choice has created it yet: only a list that exists is freed.
    box.view()
    return freed_whole(box)


def whole_number_box(least: int, most: int, step: int = 1) -> QSpinBox:
    """A box for a whole number between two limits. The arrows change it by `step`."""
    return freed_whole(QSpinBox(minimum=least, maximum=most, singleStep=step))


def decimal_box(least: float, most: float, step: float) -> QDoubleSpinBox:
    """A box for a number with two decimals in Qt's own number format. It emits a signal while the user types."""
    return freed_whole(QDoubleSpinBox(minimum=least, maximum=most, decimals=2, singleStep=step))


# Room between caption and choice, left of both, and right of them for the arrow. The style's own measure counts the
# room of the arrow twice.
_GAP, BEFORE, BEHIND = 7, 12, 28
# A choice gets room for this many letters, because the name of a study may be as long as a path.
_LETTERS = 40
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class CaptionedBox(QComboBox):
    """A quiet caption before the choice. Text without room ends in …, and the open list shows it in full."""

    def __init__(self, caption: str) -> None:
        super().__init__()
        self._caption = caption
        self.setAccessibleName(caption)
        self.currentIndexChanged.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        """Room for the caption and the current choice. Room for the longest choice would reduce the room of the page's
        title."""
        # Rounded up, because with half a pixel less, the last letters would become ….
        font = QFontMetricsF(self.font())
        chosen = math.ceil(min(font.horizontalAdvance(self.currentText()), _LETTERS * font.averageCharWidth()))
        return QSize(self._caption_width() + chosen + BEFORE + BEHIND, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """Equal to `sizeHint`."""
        return self.sizeHint()

    def showPopup(self) -> None:
        """Opens the list, wide enough for its longest choice."""
        widest = (self.fontMetrics().horizontalAdvance(self.itemText(row)) for row in range(self.count()))
        self.view().setMinimumWidth(max(widest, default=0) + BEFORE + BEHIND)
        super().showPopup()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws the box, its caption and the current choice."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        area = self.rect().adjusted(BEFORE, 0, -BEHIND, 0)
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.setPen(self.palette().placeholderText().color())
        painter.drawText(area, _LEFT, self._caption)
        rest = area.adjusted(self._caption_width(), 0, 0, 0)
        painter.setPen(self.palette().text().color() if self.isEnabled() else self.palette().placeholderText().color())
        text = self.fontMetrics().elidedText(self.currentText(), Qt.TextElideMode.ElideRight, rest.width())
        painter.drawText(rest, _LEFT, text)

    def _caption_width(self) -> int:
        return self.fontMetrics().horizontalAdvance(self._caption) + _GAP
