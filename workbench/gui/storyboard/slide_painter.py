"""Paints one slide of the storyboard: its sentence, its chart or table, the source line, number and total.

Also sets the large sentence of a slide: its lines, and its main number in bold.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QTextCharFormat, QTextLayout

from workbench.charts.claim import BarClaim, Claim
from workbench.charts.palette import ThemeName
from workbench.charts.tables import TableData
from workbench.exporters.document.document import Slide
from workbench.gui.plot.claim.chart import paint_beside
from workbench.gui.plot.ink import Ink
from workbench.gui.plot.picture import paint_figure
from workbench.gui.services.assets import ui_font
from workbench.gui.services.theme import SHADES
from workbench.words.numbers import THIN

# The design: a screen of 1920 x 1080 with fonts in points (0.75 pixels each). Other sizes scale as a whole.
WIDE, TALL = 1920.0, 1080.0
_MARGIN, _TOP, _FOOT = 120.0, 84.0, 108.0
_SENTENCES = ((43.5, 2), (36.0, 2), (30.0, 3))
_WORDS = ((54.0, 6), (43.5, 9))
_UNIT, _SOURCE = 18.0, 15.0
# Maximum number of lines for caveats above the source.
_CAVEAT_LINES = 3
# Font sizes of a table: the largest in which all of its columns fit is used.
_TABLE = (24.0, 21.0, 18.0, 16.0, 14.0, 12.0, 10.5)
# The parts of an answer: their share of the width, and the font sizes of label, text and note.
_FACTS, _LABEL, _FACT, _NOTE = 0.32, 15.0, 27.0, 16.0
_ITEM = 21.0
# The font scale of a chart compared with the window.
_CLAIM, _CLAIMS, _FIGURE = 3.0, 2.0, 1.6
_ROWS = 12
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True)
class SlidePlace:
    """The number of the slide, from 1, and the number of slides."""

    number: int
    total: int


def slide_picture(slide: Slide, place: SlidePlace, size: QSize, theme: ThemeName, pixels: float = 1.0) -> QImage:
    """The slide as an image of `size` logical pixels, as large as 16:9 permits. `pixels` is the number of pixels per
    logical pixel."""
    image = QImage(size * pixels, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(pixels)
    image.fill(Ink(theme).token("card"))
    scale = min(size.width() / WIDE, size.height() / TALL)
    area = QRectF(0, 0, WIDE * scale, TALL * scale)
    area.moveCenter(QRectF(0, 0, size.width(), size.height()).center())
    painter = QPainter(image)
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
    _SlidePainter(painter, area, slide, theme).paint(place)
    painter.end()
    return image


def chart_picture(slide: Slide, size: QSize, theme: ThemeName, pixels: float = 1.0) -> QImage:
    """Only the chart or table of the slide, for a thumbnail."""
    image = QImage(size * pixels, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(pixels)
    image.fill(Ink(theme).token("card"))
    painter = QPainter(image)
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
    # Drawn large and scaled down: if it were drawn this small, names and values would cover the chart.
    area = QRectF(0, 0, size.width() * 4, size.height() * 4)
    painter.scale(0.25, 0.25)
    _SlidePainter(painter, area, slide, theme).paint_content(area.adjusted(28, 28, -28, -28))
    painter.end()
    return image


class _SlidePainter:
    """Paints the parts of one slide at their places."""

    def __init__(self, painter: QPainter, area: QRectF, slide: Slide, theme: ThemeName) -> None:
        self._painter, self._area, self._slide, self._theme = painter, area, slide, theme
        self._scale = area.width() / WIDE
        self._ink = Ink(theme, self._scale)

    def paint(self, place: SlidePlace) -> None:
        """Paints the whole slide."""
        slide, scale = self._slide, self._scale
        inner = self._area.adjusted(_MARGIN * scale, _TOP * scale, -_MARGIN * scale, -_FOOT * scale)
        alone = not (slide.figure or slide.tables or slide.lists)
        sizes = tuple((points * scale, lines) for points, lines in (_WORDS if alone else _SENTENCES))
        sentence = Sentence(slide, inner.width(), sizes)
        self._painter.setPen(self._ink.token("text"))
        if alone:
            inner.setTop(inner.top() + max(0.0, inner.height() - sentence.tall) / 2)
        sentence.paint(self._painter, inner)
        inner.setTop(inner.top() + sentence.tall + 14 * scale)
        if not alone:
            inner.setTop(self._unit(inner))
            inner.setBottom(self._caveats(inner))
            self.paint_content(inner)
        self._foot(place)

    def paint_content(self, area: QRectF) -> None:
        """Paints the content: the claim, otherwise the figure of its page, otherwise the table."""
        slide = self._slide
        if slide.facts:
            area = self._paint_facts(area)
        if slide.pointed:
            self._paint_claims(area, slide.pointed)
        elif slide.figure is not None:
            scale = _FIGURE * self._area.width() / WIDE
            self._painter.save()
            self._painter.translate(area.topLeft())
            self._painter.scale(scale, scale)
            within = QRectF(0, 0, area.width() / scale, area.height() / scale)
            paint_figure(self._painter, slide.figure, within, self._theme, title=False)
            self._painter.restore()
        elif slide.tables:
            self._paint_table(area, slide.tables[0])
        elif slide.lists:
            self._paint_lists(area)

    def _paint_claims(self, area: QRectF, claims: tuple[Claim, ...]) -> None:
        figure = self._slide.figure
        titles = [panel.title for panel in figure.panels] if figure is not None and len(claims) > 1 else []
        several = len(claims) > 1
        ink = Ink(self._theme, (_CLAIMS if several else _CLAIM) * self._scale)
        gap = 48 * self._scale * several
        wide = (area.width() - gap * (len(claims) - 1)) / len(claims)
        boxes = []
        for column in range(len(claims)):
            box = QRectF(area.left() + column * (wide + gap), area.top(), wide, area.height())
            if column < len(titles) and titles[column]:
                head = QRectF(box.left(), box.top(), wide, 34 * self._scale)
                self._write(head, _UNIT, "text", titles[column], weight=QFont.Weight.DemiBold)
                box.setTop(head.bottom() + 10 * self._scale)
            boxes.append(box)
        paint_beside(self._painter, ink, boxes, claims, self._slide.switches)

    def _unit(self, area: QRectF) -> float:
        """Paints the caption of the figure in one line; returns the top of the chart."""
        figure = self._slide.figure
        tall = 34 * self._scale
        if figure is None or not figure.caption:
            return area.top()
        self._write(QRectF(area.left(), area.top(), area.width(), tall), _UNIT, "quiet", figure.caption)
        return area.top() + tall + 14 * self._scale

    def _caveats(self, area: QRectF) -> float:
        """Paints the limitations of the sentence above the foot; returns the bottom of the chart."""
        indent, tall = 18 * self._scale, 30 * self._scale
        lines = in_lines(self._slide.caveats, QFontMetricsF(self._font(_SOURCE)), area.width() - indent)
        if not lines:
            return area.bottom()
        top = area.bottom() - tall * len(lines)
        bar = QRectF(area.left(), top, 6 * self._scale, tall * len(lines))
        self._painter.fillRect(bar, QColor(SHADES[self._theme].warning))
        for place, words in enumerate(lines):
            line = QRectF(area.left() + indent, top + place * tall, area.width() - indent, tall)
            self._write(line, _SOURCE, "text", words)
        return top - 12 * self._scale

    def _foot(self, place: SlidePlace) -> None:
        """Paints the source line, number and total, and the progress through the story."""
        scale, area = self._scale, self._area
        left, right = area.left() + _MARGIN * scale, area.right() - _MARGIN * scale
        line = QRectF(left, area.bottom() - 84 * scale, right - left, 30 * scale)
        number = f"{place.number} / {place.total}"
        self._write(line, _SOURCE, "quiet", number, _RIGHT)
        self._write(line.adjusted(0, 0, -110 * scale, 0), _SOURCE, "quiet", self._slide.evidence)
        bar = QRectF(left, area.bottom() - 36 * scale, right - left, max(1.0, 3 * scale))
        self._painter.fillRect(bar, self._ink.token("line"))
        bar.setWidth(bar.width() * min(1.0, place.number / max(1, place.total)))
        self._painter.fillRect(bar, self._ink.token("accent"))

    def _paint_table(self, area: QRectF, table: TableData) -> None:
        """Paints the first rows of a table. Columns are as wide as their content while there is room. The unit of a
        column is the second line of its header."""
        rows = table.rows[:_ROWS]
        gap, tall = 28 * self._scale, min(64 * self._scale, area.height() / (len(rows) + 2))
        columns = [
            [column.title, column.unit, *(row[at].text for row in rows)] for at, column in enumerate(table.columns)
        ]
        for points in _TABLE:
            metrics = QFontMetricsF(self._font(points))
            widths = [min(max(map(metrics.horizontalAdvance, texts)) + 1, area.width() * 0.4) for texts in columns]
            if sum(widths) + gap * (len(widths) - 1) <= area.width():
                break
        left = area.left()
        for column, texts, wide in zip(table.columns, columns, widths, strict=True):
            if left + wide > area.right() + 1:
                break
            for at, text in enumerate(texts):
                box = QRectF(left, area.top() + at * tall, wide, tall)
                self._write(box, points, "text" if at > 1 else "quiet", text, _RIGHT if column.numeric else _LEFT)
            left += wide + gap

    def _paint_facts(self, area: QRectF) -> QRectF:
        """Paints the parts of the answer at the left; returns the area for the chart."""
        wide, tall = _FACTS * area.width(), area.height() / max(3, len(self._slide.facts))
        for at, fact in enumerate(self._slide.facts):
            room = QRectF(area.left(), area.top() + at * tall, wide, tall)
            for points, token, text in (
                (_LABEL, "quiet", fact.label),
                (_FACT, "text", fact.words),
                (_NOTE, "quiet", fact.note),
            ):
                room.setTop(self._wrap(room, points, token, text, points == _FACT))
        return area.adjusted(wide + 48 * self._scale, 0, 0, 0)

    def _paint_lists(self, area: QRectF) -> None:
        """Paints titled lists side by side."""
        gap = 72 * self._scale
        wide = (area.width() - gap * (len(self._slide.lists) - 1)) / len(self._slide.lists)
        for place, (title, items) in enumerate(self._slide.lists):
            room = QRectF(area.left() + place * (wide + gap), area.top(), wide, area.height()).adjusted(
                0, gap / 2, 0, 0
            )
            room.setTop(self._wrap(room, _ITEM, "text", title, True) + 16 * self._scale)
            for item in items:
                room.setTop(self._wrap(room, _ITEM, "text", item) + 16 * self._scale)

    def _wrap(self, area: QRectF, points: float, token: str, text: str, bold: bool = False) -> float:
        """Paints a text in as many lines as it needs, within the area; returns its lower edge."""
        self._painter.setFont(self._font(points, QFont.Weight.DemiBold if bold else QFont.Weight.Normal))
        self._painter.setPen(QColor(self._ink.token(token)))
        wrapped = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
        needed = self._painter.boundingRect(area, wrapped, text) if text else QRectF(area.topLeft(), QSizeF())
        self._painter.drawText(area, wrapped, text)
        return min(area.bottom(), needed.bottom() + 6 * self._scale)

    def _font(self, points: float, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
        return ui_font(points * self._scale, weight)

    def _write(
        self,
        area: QRectF,
        points: float,
        token: str,
        text: str,
        how: Qt.AlignmentFlag = _LEFT,
        weight: QFont.Weight = QFont.Weight.Normal,
    ) -> None:
        """Paints one line, cut with … if it does not fit."""
        font = self._font(points, weight)
        self._painter.setFont(font)
        self._painter.setPen(QColor(self._ink.token(token)))
        fitted = QFontMetricsF(font).elidedText(" ".join(text.split()), Qt.TextElideMode.ElideRight, area.width())
        self._painter.drawText(area, how | Qt.TextFlag.TextSingleLine, fitted)


# Qt breaks lines at a thin space, which would split the thousands of a number. This space is as wide and does not
# break.
_FIRM = "\u202f"


def in_lines(caveats: Sequence[str], metrics: QFontMetricsF, wide: float) -> list[str]:
    """The caveats in as few lines as possible, at most `_CAVEAT_LINES`; a caveat is not split."""
    lines: list[str] = []
    for caveat in caveats:
        joined = f"{lines[-1]} {caveat}" if lines else caveat
        if lines and (len(lines) == _CAVEAT_LINES or metrics.horizontalAdvance(joined) <= wide):
            lines[-1] = joined
        else:
            lines.append(caveat)
    return lines


def strong_part(slide: Slide) -> str:
    """The number of the sentence that the chart shows, without its sign; empty if there is none."""
    claim = next(iter(slide.claims), None)
    number = claim.change.lstrip("+−-") if isinstance(claim, BarClaim) else ""
    return number if number and number in slide.title else ""


def without_evidence(title: str) -> str:
    """The sentence without the values in brackets at its end, which the chart shows too."""
    return re.sub(r" \([^()]*\)$", "", title)


class Sentence:
    """A sentence set in an area: in the first of several sizes (points, maximum lines) in which it fits, otherwise cut
    with …."""

    def __init__(self, slide: Slide, wide: float, sizes: tuple[tuple[float, int], ...]) -> None:
        self._wide, self._strong = wide, strong_part(slide)
        *_, (points, lines) = sizes
        tries = [(text, *size) for size in sizes for text in (slide.title,)]
        tries.append((without_evidence(slide.title), points, lines))
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
        """Paints the sentence with the painter's pen, from the top left of an area."""
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
