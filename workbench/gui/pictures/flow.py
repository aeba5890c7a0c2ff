"""Flow: drawings that follow each other down a page and over to the next, painted once their number is known."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF
from PySide6.QtGui import QFont, QFontMetricsF, QPainter

from workbench.exporters.texts import plain_text
from workbench.gui.pictures.head import WRAPPED, paint_words
from workbench.gui.plot.ink import Ink

Draw = Callable[[QPainter], object]
_TALL = 100_000.0


class Flow:
    """`pages` of drawings; `y` is where the next one goes, inside `area`."""

    def __init__(self, ink: Ink, area: QRectF) -> None:
        self.ink, self.area = ink, area
        self.pages: list[list[Draw]] = [[]]
        self.y = area.top()

    @property
    def number(self) -> int:
        """The number of the page at hand, from 1."""
        return len(self.pages)

    @property
    def left_over(self) -> float:
        """How much of the page is left."""
        return self.area.bottom() - self.y

    def draw(self, draw: Draw, tall: float) -> None:
        """Takes a drawing of this height that was made for the place at hand."""
        self.pages[-1].append(draw)
        self.y += tall

    def new_page(self) -> None:
        """Goes to the next page, unless this one is still empty."""
        if self.pages[-1]:
            self.pages.append([])
        self.y = self.area.top()

    def need(self, tall: float) -> bool:
        """Goes to the next page when not so much is left; True when it did."""
        if self.y > self.area.top() and tall > self.left_over:
            self.new_page()
            return True
        return False

    def gap(self, tall: float) -> None:
        """Leaves room, except at the top of a page."""
        if self.y > self.area.top():
            self.y += tall

    def height(self, text: str, font: QFont, wide: float) -> float:
        """How tall a text is when it is set so wide."""
        return QFontMetricsF(font).boundingRect(QRectF(0, 0, wide, _TALL), WRAPPED, plain_text(text)).height()

    def words(
        self, text: str, font: QFont, token: str = "text", indent: float = 0.0, wide: float | None = None
    ) -> None:
        """Sets a text; one that does not fit any more goes to the next page whole."""
        text = plain_text(text)
        width = (wide or self.area.width()) - indent
        metrics, tall = QFontMetricsF(font), self.height(text, font, width)
        self.need(min(tall, self.area.height()))
        box = QRectF(self.area.left() + indent, self.y, width, _TALL)
        lines = int(self.area.height() / metrics.lineSpacing())
        self.draw(lambda painter: paint_words(painter, self.ink, text, font, token, box, lines), tall + 2)
