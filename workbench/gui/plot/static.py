"""Paints the still parts: cards, titles, legends, the y axis with its grid, bars, the footer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPainterPath, QPen

from workbench.charts import ticks
from workbench.charts.figure import Bars, Figure, Heatmap
from workbench.charts.scales import Scales, Span
from workbench.gui.plot.axes.gutter import paint_gutter
from workbench.gui.plot.axes.labels import paint_grid, paint_labels
from workbench.gui.plot.bars import draw_dots, fill_bar, paint_bars
from workbench.gui.plot.geometry import SAMPLE, Layout, LegendEntry, PlotPlace, subtitle_lines, title_lines
from workbench.gui.plot.ink import Ink, clipped, draw_sample, line_height, scaled_brush, text_width
from workbench.gui.plot.rows import FigureRows
from workbench.gui.services.translation import said
from workbench.words.numbers import THIN, fixed

LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
# The strength of a legend entry that is hidden in the chart; a line through its name shows this too.
HIDDEN = 0.5


@dataclass(frozen=True)
class Footer:
    """The line under the cards: notes as text, and the one colour scale of all heatmaps."""

    notes: tuple[str, ...] = ()
    quantity: str = ""
    limits: tuple[float, float] = (0.0, 1.0)
    beyond: bool = False
    gaps: bool = False

    @property
    def present(self) -> bool:
        """True if there is something to show."""
        return bool(self.notes or self.quantity)


def footer_of(figure: Figure, scales: Sequence[Scales], shared: dict[str, Span]) -> Footer:
    """The content of the footer: values that a logarithmic axis cannot show, panels with their own scale, the colour
    scale.

    `scales` are those of the panels, `shared` is the colour scale of each unit.
    """
    notes = [figure.note] if figure.note else []
    clipped = sum(panel_scales.clipped for panel_scales in scales)
    if clipped:
        values = "value is" if clipped == 1 else "values are"
        notes.append(f"{fixed(clipped, 0)} {values} zero or below and cannot be drawn on the log scale.")
    lines = [p for p in figure.panels if not any(isinstance(m, Heatmap) for m in p.marks)]
    kinds = {(p.y.label, p.y.unit) for p in lines}
    if not figure.share_y and len(lines) > 1 and len(kinds) == 1:
        notes.append(said("Each panel has its own scale."))
    heats = [(p, m) for p in figure.panels for m in p.marks if isinstance(m, Heatmap)]
    if not heats:
        return Footer(tuple(notes))
    limits = shared[heats[0][1].unit]
    beyond = any(bool((heat.values > limits[1]).any()) for _, heat in heats)
    gaps = any(panel_scales.gaps for panel_scales in scales)
    quantity = next((p.y.label for p in lines if p.y.unit == heats[0][1].unit and p.y.label), "")
    return Footer(tuple(notes), quantity or heats[0][1].unit or heats[0][1].name, limits, beyond, gaps)


def paint_static(painter: QPainter, ink: Ink, figure: Figure, layout: Layout, footer: Footer, ground: bool) -> None:
    """Paints the still part of the figure; `ground` fills the canvas behind the cards."""
    whole = layout.title.united(layout.footer)
    if ground:
        painter.fillRect(whole.adjusted(-99, -99, 99, 99), ink.token("ground"))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for card in layout.cards:
        _card(painter, ink, card)
    if layout.title.height():
        _question(painter, ink, figure, layout.title)
    if layout.places and layout.places[0].joined:
        paint_gutter(painter, ink, layout)
    for panel_place in layout.places:
        _panel(painter, ink, panel_place)
    _footer(painter, ink, layout.footer, footer)


def paint_rows(painter: QPainter, rows: FigureRows, title: QRectF, ground: bool) -> None:
    """Paints a figure as rows under its question, if the question has room."""
    if ground:
        painter.fillRect(rows.area.united(title).adjusted(-99, -99, 99, 99), rows.ink.token("ground"))
    if title.height():
        _question(painter, rows.ink, rows.figure, title)
    rows.paint(painter)


def _card(painter: QPainter, ink: Ink, card: QRectF) -> None:
    painter.setPen(QPen(ink.token("line"), 1))
    painter.setBrush(ink.token("card"))
    painter.drawRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), 10, 10)


def _write(painter: QPainter, font: QFont, colour: QColor, area: QRectF, how: Qt.AlignmentFlag, text: str) -> None:
    painter.setFont(font)
    painter.setPen(colour)
    painter.drawText(area, how | Qt.TextFlag.TextSingleLine | Qt.TextFlag.TextDontClip, text)


def _elided(font: QFont, text: str, width: float, where: Qt.TextElideMode = Qt.TextElideMode.ElideRight) -> str:
    return QFontMetricsF(font).elidedText(text, where, max(0.0, width))


def _question(painter: QPainter, ink: Ink, figure: Figure, area: QRectF) -> None:
    top = QRectF(area.left() + 2, area.top(), area.width() - 4, ink.px(30))
    _write(painter, ink.question, ink.token("text"), top, LEFT, _elided(ink.question, figure.question, top.width()))
    under = QRectF(top.left(), top.bottom(), top.width(), ink.px(20))
    _write(painter, ink.plain, ink.token("quiet"), under, LEFT, _elided(ink.plain, figure.caption, under.width()))


def _panel(painter: QPainter, ink: Ink, panel_place: PlotPlace) -> None:
    _head(painter, ink, panel_place)
    for area, entry in panel_place.legend:
        _entry(painter, ink, area, entry)
    if panel_place.scales.heatmap:
        painter.fillRect(panel_place.plot, scaled_brush(ink.hatch(), painter))
    else:
        paint_grid(painter, ink, panel_place)
    bars = [mark for mark in panel_place.scales.panel.marks if isinstance(mark, Bars)]
    if bars:
        paint_bars(painter, ink, panel_place, bars)
    paint_labels(painter, ink, panel_place)


def _head(painter: QPainter, ink: Ink, panel_place: PlotPlace) -> None:
    panel, area = panel_place.scales.panel, QRectF(panel_place.head)
    if not area.height() or panel_place.headed:
        return
    titles = title_lines(panel, ink, area.width())
    under = area.height() > len(titles) * line_height(ink.title) + ink.px(12)
    area.setHeight(line_height(ink.title))
    if panel.title:
        if panel.look is not None:
            draw_sample(painter, ink, panel.look, QRectF(area.left(), area.top(), ink.px(24), area.height()))
            area.setLeft(area.left() + ink.px(32))
        for row, title in enumerate(titles):
            area.translate(0, row and area.height())
            # Names of configurations differ at their end, so the end is kept.
            text = _elided(ink.title, title, area.width(), Qt.TextElideMode.ElideMiddle)
            _write(painter, ink.title, ink.token("text"), area, LEFT, text)
        area.setLeft(area.left() + text_width(ink.title, text) + ink.px(10))
    lines = [panel.subtitle]
    if under:
        area = QRectF(
            panel_place.head.left(), area.bottom() + ink.px(2), panel_place.head.width(), line_height(ink.plain)
        )
        lines = subtitle_lines(panel, ink, area.width())
    else:
        area.translate(0, 1)
    for line in lines:
        text = _elided(ink.plain, line, area.width())
        _write(painter, ink.plain, ink.token("quiet"), area, LEFT, text)
        area.translate(0, area.height())


def _entry(painter: QPainter, ink: Ink, area: QRectF, entry: LegendEntry) -> None:
    painter.setOpacity(HIDDEN if entry.hidden else 1.0)
    sample = QRectF(area.left(), area.top(), ink.px(SAMPLE), area.height())
    if entry.kind == "line":
        draw_sample(painter, ink, entry.look, sample)
    elif entry.kind == "points":
        draw_dots(painter, ink, entry.look, [(sample.right() - ink.px(6), sample.center().y())])
    else:
        wide = ink.px(SAMPLE) if entry.kind == "band" else ink.px(12)
        box, path = QRectF(sample.right() - wide, sample.center().y() - ink.px(5), wide, ink.px(10)), QPainterPath()
        path.addRoundedRect(box, 2, 2)
        if entry.kind == "band":
            painter.fillPath(path, ink.colour(entry.look, 0.22))
            painter.strokePath(path, QPen(ink.colour(entry.look, 0.5), 1))
        else:
            fill_bar(painter, ink, path, entry.look, outlined=entry.outlined)
    text = QRectF(sample.right() + ink.px(6), area.top(), area.width(), area.height())
    _write(painter, ink.small, ink.token("quiet"), text, LEFT, entry.text)
    if entry.hidden:
        middle = round(text.center().y()) + 0.5
        right = text.left() + text_width(ink.small, entry.text)
        painter.setPen(QPen(ink.token("text"), 1))
        painter.drawLine(QPointF(text.left(), middle), QPointF(right, middle))
        painter.setOpacity(1.0)


def _footer(painter: QPainter, ink: Ink, area: QRectF, footer: Footer) -> None:
    if not area.height():
        return
    line = area.adjusted(ink.px(4), ink.px(8), -ink.px(4), 0)
    right = line.right()
    if footer.quantity:
        right = _colour_bar(painter, ink, line, footer)
    text = _elided(ink.small, "  ".join(footer.notes), right - line.left() - ink.px(16))
    _write(painter, ink.small, ink.token("quiet"), line, LEFT, text)


def _colour_bar(painter: QPainter, ink: Ink, line: QRectF, footer: Footer) -> float:
    """Paints the colour scale at the right edge; returns its left end."""
    low, high = footer.limits
    cells: list[tuple[str, float]] = [
        (footer.quantity, text_width(ink.small, footer.quantity)),
        (ticks.reading(low), text_width(ink.small, ticks.reading(low))),
        ("", ink.px(180)),
    ]
    top = ("≥" + THIN if footer.beyond else "") + ticks.reading(high)
    cells.append((top, text_width(ink.small, top)))
    if footer.gaps:
        gap = said("not measured")
        cells += [("hatch", ink.px(18)), (gap, text_width(ink.small, gap))]
    gaps = [ink.px(12), ink.px(8), ink.px(8), ink.px(22), ink.px(6)]
    left = line.right() - sum(wide for _, wide in cells) - sum(gaps[: len(cells) - 1])
    start = left
    for index, (text, wide) in enumerate(cells):
        area = QRectF(left, line.top(), wide, line.height())
        bar = QRectF(round(left), round(area.center().y() - ink.px(4)), round(wide), ink.px(8))
        if text == "hatch":
            painter.fillRect(bar, ink.token("card"))
            painter.fillRect(bar, scaled_brush(ink.hatch(), painter))
        elif text:
            _write(painter, ink.small, ink.token("quiet"), area, LEFT, text)
        else:
            _ramp(painter, ink, bar)
        left += wide + (gaps[index] if index < len(gaps) else 0)
    return start


def _ramp(painter: QPainter, ink: Ink, bar: QRectF) -> None:
    colours = np.ascontiguousarray(ink.heat_map().getLookupTable(nPts=256, alpha=True)[None, :, :])
    image = QImage(colours.data, 256, 1, QImage.Format.Format_RGBA8888)
    path = QPainterPath()
    path.addRoundedRect(bar, 3, 3)
    with clipped(painter, path):
        painter.drawImage(bar, image)
    painter.setPen(QPen(ink.token("quiet", 0.3), 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(bar.adjusted(-0.5, -0.5, 0.5, 0.5), 3.5, 3.5)


def paint_empty(painter: QPainter, ink: Ink, area: QRectF, text: str) -> None:
    """Paints the sentence that replaces a missing figure."""
    card = area.adjusted(0, 0, -1, -1)
    _card(painter, ink, card)
    painter.setFont(ink.plain)
    painter.setPen(ink.token("quiet"))
    how = int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap)
    painter.drawText(card.adjusted(40, 40, -40, -40), how, text)
