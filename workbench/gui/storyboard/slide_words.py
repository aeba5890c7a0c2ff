"""The sentence of a slide, set large: its lines, and the number in it that counts."""

from __future__ import annotations

import re

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QTextCharFormat, QTextLayout

from workbench.charts.claim import BarClaim
from workbench.exporters.document.document import Slide
from workbench.gui.services.assets import ui_font
from workbench.words.numbers import THIN

# Lines break at a thin space, which would part the thousands of a number: as wide, this one holds them.
_FIRM = "\u202f"


def strong_part(slide: Slide) -> str:
    """The number of the sentence that the chart draws, without its sign; empty where there is none."""
    claim = next(iter(slide.claims), None)
    number = claim.change.lstrip("+−-") if isinstance(claim, BarClaim) else ""
    return number if number and number in slide.title else ""


def without_from(title: str) -> str:
    """The sentence without `from … to …` at its end, which the chart shows as well."""
    return re.sub(r", from [^,]+ to [^,]+$", "", title)


class Sentence:
    """A sentence set in an area: in the first of some sizes (points, most lines) at which it fits, else cut with …."""

    def __init__(self, slide: Slide, wide: float, sizes: tuple[tuple[float, int], ...]) -> None:
        self._wide, self._strong = wide, strong_part(slide)
        *_, (points, lines) = sizes
        tries = [(text, *size) for size in sizes for text in (slide.title,)]
        tries.append((without_from(slide.title), points, lines))
        for text, size, most in tries:
            self.font, self.text = ui_font(size, QFont.Weight.DemiBold), text
            self._layout = self._set(text)
            if self._layout.lineCount() <= most:
                break
        words = self.text.split(" ")
        while len(words) > 1 and self._layout.lineCount() > lines:
            words.pop()
            self.text = " ".join(words).rstrip(",;:") + "…"
            self._layout = self._set(self.text)

    @property
    def tall(self) -> float:
        """The height of its lines in pixels."""
        return self._layout.lineCount() * QFontMetricsF(self.font).lineSpacing()

    def paint(self, painter: QPainter, area: QRectF) -> None:
        """Draws it with the pen of the painter, from the top left of an area."""
        self._layout.draw(painter, area.topLeft())

    def _set(self, text: str) -> QTextLayout:
        layout = QTextLayout(text.replace(THIN, _FIRM), self.font)
        strong = self._strong.replace(THIN, _FIRM)
        at = layout.text().find(strong) if strong else -1
        if at >= 0:
            bold = QTextLayout.FormatRange()
            bold.start, bold.length = at, len(strong)
            form = QTextCharFormat()
            form.setFontWeight(QFont.Weight.ExtraBold)
            bold.format = form
            layout.setFormats([bold])
        y, spacing = 0.0, QFontMetricsF(self.font).lineSpacing()
        layout.beginLayout()
        while (line := layout.createLine()).isValid():
            line.setLineWidth(self._wide)
            line.setPosition(QPointF(0, y))
            y += spacing
        layout.endLayout()
        return layout
