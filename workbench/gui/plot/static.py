"""Paints what does not move: cards, titles, legends, the y axis with its grid, bars, the footer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPainterPath, QPen

from workbench.charts import ticks
from workbench.charts.figure import Bars, Figure, Heatmap
from workbench.gui.plot.bars import paint_bars
from workbench.gui.plot.dots import draw_dots
from workbench.gui.plot.geometry import SAMPLE, Entry, Layout, Place, subtitle_lines, x_label, y_label
from workbench.gui.plot.gutter import names_apart, paint_gutter, row_name
from workbench.gui.plot.ink import Ink, clipped, draw_sample, line_height, middle_elided, text_width
from workbench.gui.plot.rows import Rows
from workbench.words.numbers import THIN, fixed

LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
# How strongly the entry of a legend is drawn that is hidden in the chart; a line through its name says so as well.
HIDDEN = 0.5
CENTRE = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True)
class Footer:
    """The line under the cards: notes in words, and the one colour scale of all heatmaps."""

    notes: tuple[str, ...] = ()
    quantity: str = ""
    limits: tuple[float, float] = (0.0, 1.0)
    beyond: bool = False
    gaps: bool = False

    @property
    def present(self) -> bool:
        """True when there is something to say."""
        return bool(self.notes or self.quantity)


def footer_of(figure: Figure, layout_scales: list[tuple[str, int]], shared: dict[str, tuple[float, float]]) -> Footer:
    """The footer's words: values a logarithm cannot show, panels on their own scale, the colour scale.

    `layout_scales` holds the title of each panel with its count of clipped values, `shared` the colour
    scale of each unit.
    """
    notes = [figure.note] if figure.note else []
    clipped = sum(count for _, count in layout_scales)
    if clipped:
        values = "value is" if clipped == 1 else "values are"
        notes.append(f"{fixed(clipped, 0)} {values} zero or below and cannot stand on the log scale.")
    lines = [p for p in figure.panels if not any(isinstance(m, Heatmap) for m in p.marks)]
    kinds = {(p.y.label, p.y.unit) for p in lines}
    if not figure.share_y and len(lines) > 1 and len(kinds) == 1:
        notes.append("Each panel has its own scale.")
    heats = [(p, m) for p in figure.panels for m in p.marks if isinstance(m, Heatmap)]
    if not heats:
        return Footer(tuple(notes))
    limits = shared[heats[0][1].unit]
    finite = [m.values[np.isfinite(m.values)] for _, m in heats]
    beyond = any(bool(part.size) and float(part.max()) > limits[1] for part in finite)
    gaps = any(part.size < m.values.size for part, (_, m) in zip(finite, heats, strict=True))
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


def paint_rows(painter: QPainter, rows: Rows, title: QRectF, ground: bool) -> None:
    """Paints a figure in rows under its question, where that has room."""
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


def _elided(font: QFont, text: str, width: float) -> str:
    return QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, max(0.0, width))


def _question(painter: QPainter, ink: Ink, figure: Figure, area: QRectF) -> None:
    top = QRectF(area.left() + 2, area.top(), area.width() - 4, ink.px(30))
    _write(painter, ink.question, ink.token("text"), top, LEFT, _elided(ink.question, figure.question, top.width()))
    under = QRectF(top.left(), top.bottom(), top.width(), ink.px(20))
    _write(painter, ink.plain, ink.token("quiet"), under, LEFT, _elided(ink.plain, figure.caption, under.width()))


def _panel(painter: QPainter, ink: Ink, panel_place: Place) -> None:
    _head(painter, ink, panel_place)
    if panel_place.read.height() and not panel_place.joined:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink.token("ground"))
        painter.drawRoundedRect(panel_place.read, 4, 4)
    if not panel_place.joined and not (panel_place.scales.heatmap and panel_place.scales.row):
        area = QRectF(panel_place.label)
        tall = line_height(ink.small) + ink.px(4)
        area.setTop(area.bottom() - ink.px(8) - tall)
        area.setHeight(tall)
        _write(painter, ink.small, ink.token("quiet"), area, LEFT, y_label(panel_place.scales))
    for area, entry in panel_place.legend:
        _entry(painter, ink, area, entry)
    if panel_place.scales.heatmap:
        painter.fillRect(panel_place.plot, ink.hatch())
        _names(painter, ink, panel_place)
    else:
        _grid(painter, ink, panel_place)
    bars = [mark for mark in panel_place.scales.panel.marks if isinstance(mark, Bars)]
    if bars:
        paint_bars(painter, ink, panel_place, bars)
    _x_axis(painter, ink, panel_place)


def _head(painter: QPainter, ink: Ink, panel_place: Place) -> None:
    panel, area = panel_place.scales.panel, QRectF(panel_place.head)
    if not area.height() or panel_place.headed:
        return
    under = area.height() > line_height(ink.title) + ink.px(12)
    area.setHeight(line_height(ink.title))
    if panel.title:
        if panel.look is not None:
            draw_sample(painter, ink, panel.look, QRectF(area.left(), area.top(), ink.px(24), area.height()))
            area.setLeft(area.left() + ink.px(32))
        # Names of configurations differ at their end.
        text = middle_elided(ink.title, panel.title, area.width())
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


def _entry(painter: QPainter, ink: Ink, area: QRectF, entry: Entry) -> None:
    painter.setOpacity(HIDDEN if entry.hidden else 1.0)
    sample = QRectF(area.left(), area.top(), ink.px(SAMPLE), area.height())
    if entry.kind == "line":
        draw_sample(painter, ink, entry.look, sample)
    elif entry.kind == "points":
        draw_dots(painter, ink, entry.look, [(sample.right() - ink.px(6), sample.center().y())])
    else:
        wide = ink.px(SAMPLE) if entry.kind == "band" else ink.px(12)
        box = QRectF(sample.right() - wide, sample.center().y() - ink.px(5), wide, ink.px(10))
        painter.setPen(QPen(ink.colour(entry.look, 0.5), 1) if entry.kind == "band" else Qt.PenStyle.NoPen)
        painter.setBrush(ink.colour(entry.look, 0.22 if entry.kind == "band" else 1.0))
        painter.drawRoundedRect(box, 2, 2)
    text = QRectF(sample.right() + ink.px(6), area.top(), area.width(), area.height())
    _write(painter, ink.small, ink.token("quiet"), text, LEFT, entry.name)
    if entry.hidden:
        middle = round(text.center().y()) + 0.5
        right = text.left() + text_width(ink.small, entry.name)
        painter.setPen(QPen(ink.token("text"), 1))
        painter.drawLine(QPointF(text.left(), middle), QPointF(right, middle))
        painter.setOpacity(1.0)


def _grid(painter: QPainter, ink: Ink, panel_place: Place) -> None:
    low, high = panel_place.scales.y
    most = max(3, min(8, int(panel_place.plot.height() / ink.px(36))))
    tick_values = panel_place.scales.y_ticks(most)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    for at, label in zip(tick_values.places, tick_values.labels, strict=True):
        y = round(panel_place.plot.bottom() - (at - low) / (high - low) * panel_place.plot.height())
        base = at == 0 and not panel_place.scales.y_log
        painter.setPen(QPen(ink.token("quiet", 0.55) if base else ink.token("line"), 1))
        painter.drawLine(int(panel_place.plot.left()), y, int(panel_place.plot.right()), y)
        _y_name(painter, ink, panel_place, y, label)
    if panel_place.scales.y_log or low not in (0.0, *tick_values.places):
        painter.setPen(QPen(ink.token("quiet", 0.55), 1))
        painter.drawLine(
            int(panel_place.plot.left()),
            int(panel_place.plot.bottom()),
            int(panel_place.plot.right()),
            int(panel_place.plot.bottom()),
        )
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)


def _y_name(painter: QPainter, ink: Ink, panel_place: Place, y: float, label: str) -> None:
    if not panel_place.names_y:
        return
    tall, wide = line_height(ink.small), panel_place.plot.left() - panel_place.card.left() - ink.px(18)
    area = QRectF(panel_place.plot.left() - ink.px(8) - wide, y - tall / 2, wide, tall)
    _write(painter, ink.small, ink.token("quiet"), area, RIGHT, middle_elided(ink.small, label, wide))


def _names(painter: QPainter, ink: Ink, panel_place: Place) -> None:
    names = panel_place.scales.y_ticks(2).labels
    if not names:
        return
    if names_apart(panel_place, ink):
        names = tuple(row_name(name) for name in names)
    tall = panel_place.plot.height() / len(names)
    step = max(1.0, -(-line_height(ink.small) * 0.68 // tall))
    if step > 1:
        # Where not every name fits, few and far between reads better than as many as possible.
        step = -(-line_height(ink.small) * 1.9 // tall)
    for row in range(0, len(names), int(step)):
        _y_name(painter, ink, panel_place, panel_place.plot.top() + (row + 0.5) * tall, names[row])


def _x_axis(painter: QPainter, ink: Ink, panel_place: Place) -> None:
    if not panel_place.shows_x:
        return
    tall = line_height(ink.small)
    lines = max((len(name) for name in panel_place.names), default=1)
    slot = panel_place.plot.width() / max(1, len(panel_place.names))
    for index, name in enumerate(panel_place.names):
        for row, text in enumerate(name):
            area = QRectF(
                panel_place.plot.left() + index * slot, panel_place.plot.bottom() + ink.px(6) + row * tall, slot, tall
            )
            _write(painter, ink.small, ink.token("quiet"), area, CENTRE, text)
    for group in panel_place.groups:
        top = panel_place.plot.bottom() + ink.px(6) + lines * tall
        area = QRectF(panel_place.plot.left() + group.first * slot, top, (group.last - group.first + 1) * slot, tall)
        _group(painter, ink, area.adjusted(ink.px(4), 0, -ink.px(4), 0), group.word)
    label = "" if panel_place.joined else x_label(panel_place.scales)
    if label:
        top = panel_place.plot.bottom() + ink.px(8) + (lines + bool(panel_place.groups)) * tall + ink.px(2)
        area = under_plot(panel_place, ink, label, QRectF(panel_place.plot.left(), top, panel_place.plot.width(), tall))
        _write(painter, ink.small, ink.token("quiet"), area, CENTRE, _elided(ink.small, label, area.width()))


def under_plot(panel_place: Place, ink: Ink, label: str, area: QRectF) -> QRectF:
    """Where the title of the x axis stands: under the middle of the plot, but inside the card, where a narrow
    panel has no room for it."""
    wide = text_width(ink.small, label) + 1
    if wide <= area.width():
        return area
    left, right = panel_place.card.left() + ink.px(8), panel_place.card.right() - ink.px(8)
    start = min(max(area.center().x() - wide / 2, left), max(left, right - wide))
    return QRectF(start, area.top(), min(wide, right - start), area.height())


def _group(painter: QPainter, ink: Ink, area: QRectF, word: str) -> None:
    """The word that the names above share, with a line to both sides as far as they go."""
    wide = text_width(ink.small, word) + 2 * ink.px(5)
    y = round(area.center().y()) + 0.5
    painter.setPen(QPen(ink.token("quiet", 0.55), 1))
    for left, right in ((area.left(), area.center().x() - wide / 2), (area.center().x() + wide / 2, area.right())):
        if right > left:
            painter.drawLine(QPointF(left, y), QPointF(right, y))
    _write(painter, ink.small, ink.token("quiet"), area, CENTRE, _elided(ink.small, word, area.width()))


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
    """Paints the colour scale flush right; returns where it begins."""
    low, high = footer.limits
    cells: list[tuple[str, float]] = [
        (footer.quantity, text_width(ink.small, footer.quantity)),
        (ticks.reading(low), text_width(ink.small, ticks.reading(low))),
        ("", ink.px(180)),
    ]
    top = ("≥" + THIN if footer.beyond else "") + ticks.reading(high)
    cells.append((top, text_width(ink.small, top)))
    if footer.gaps:
        cells += [("hatch", ink.px(18)), ("not measured", text_width(ink.small, "not measured"))]
    gaps = [ink.px(12), ink.px(8), ink.px(8), ink.px(22), ink.px(6)]
    left = line.right() - sum(wide for _, wide in cells) - sum(gaps[: len(cells) - 1])
    start = left
    for index, (text, wide) in enumerate(cells):
        area = QRectF(left, line.top(), wide, line.height())
        bar = QRectF(round(left), round(area.center().y() - ink.px(4)), round(wide), ink.px(8))
        if text == "hatch":
            painter.fillRect(bar, ink.token("card"))
            painter.fillRect(bar, ink.hatch())
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
    """The sentence that stands where a figure would be."""
    card = area.adjusted(0, 0, -1, -1)
    _card(painter, ink, card)
    painter.setFont(ink.plain)
    painter.setPen(ink.token("quiet"))
    how = int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap)
    painter.drawText(card.adjusted(40, 40, -40, -40), how, text)
