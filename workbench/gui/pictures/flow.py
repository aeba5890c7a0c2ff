"""Flow: drawings that follow each other down a page and to the next one. They are painted once the number of pages is
known.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF
from PySide6.QtGui import QFont, QFontMetricsF, QPainter

from workbench.exporters.texts import plain_text, unbroken
from workbench.gui.pictures.head import WRAPPED, paint_words
from workbench.gui.plot.ink import Ink

Draw = Callable[[QPainter], object]
_TALL = 100_000.0


class Flow:
    """`pages` of drawings; `y` is the place of the next one, inside `area`."""

    def __init__(self, ink: Ink, area: QRectF) -> None:
        self.ink, self.area = ink, area
        self.pages: list[list[Draw]] = [[]]
        self.y = area.top()

    @property
    def number(self) -> int:
        """The number of the current page, from 1."""
        return len(self.pages)

    @property
    def left_over(self) -> float:
        """The free height of the page."""
        return self.area.bottom() - self.y

    def draw(self, draw: Draw, tall: float) -> None:
        """Adds a drawing of this height at the current place."""
        self.pages[-1].append(draw)
        self.y += tall

    def new_page(self) -> None:
        """Goes to the next page, except if this one is still empty."""
        if self.pages[-1]:
            self.pages.append([])
        self.y = self.area.top()

    def need(self, tall: float) -> bool:
        """Goes to the next page if less than this height is free; returns True if it did."""
        if self.y > self.area.top() and tall > self.left_over:
            self.new_page()
            return True
        return False

    def gap(self, tall: float) -> None:
        """Leaves a gap, except at the top of a page."""
        if self.y > self.area.top():
            self.y += tall

    def height(self, text: str, font: QFont, wide: float) -> float:
        """The height of a text at this width."""
        return QFontMetricsF(font).boundingRect(QRectF(0, 0, wide, _TALL), WRAPPED, unbroken(plain_text(text))).height()

    def words(
        self, text: str, font: QFont, token: str = "text", indent: float = 0.0, wide: float | None = None
    ) -> None:
        """Adds a text. If it does not fit, all of it goes to the next page."""
        text = unbroken(plain_text(text))
        width = (wide or self.area.width()) - indent
        metrics, tall = QFontMetricsF(font), self.height(text, font, width)
        self.need(min(tall, self.area.height()))
        box = QRectF(self.area.left() + indent, self.y, width, _TALL)
        lines = int(self.area.height() / metrics.lineSpacing())
        self.draw(lambda painter: paint_words(painter, self.ink, text, font, token, box, lines), tall + 2)
