"""Paints the parts that depend on the x range: phases, ticks, markers, names on lines, the row of the highlighted
VM.
"""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen, QPolygonF

from workbench.charts import ticks
from workbench.charts.decimate import LIMIT, visible
from workbench.charts.figure import FloatArray, Line, Region
from workbench.gui.plot.axes.labels import Label, apart, groups_of, spread
from workbench.gui.plot.bars import paint_dots
from workbench.gui.plot.flags import paint_flags, paint_moments
from workbench.gui.plot.geometry import LEADER, LegendEntry
from workbench.gui.plot.ink import Ink, clipped, draw_halo_text, draw_marker, line_height, text_width
from workbench.gui.plot.panel import PanelView
from workbench.gui.plot.static import HIDDEN
from workbench.gui.services.translation import said
from workbench.words.numbers import fixed

# The share of the card's colour over samples outside the phase. High values still have a contrast of 3:1 to the card.
OUTSIDE = 0.4
MARKED = 40
"""Maximum number of visible points with a marker on each point. Longer lines have only a few markers."""


def paint_under(painter: QPainter, ink: Ink, panel: PanelView) -> None:
    """Paints phases and dots behind the lines, and the ticks of the lowest panel."""
    if panel.heat is None:
        for left, right, region, number in _regions(panel):
            area = QRectF(left, panel.place.plot.top(), right - left, panel.place.plot.height())
            painter.fillRect(area, ink.token("quiet", 0.1 if region.within else 0.07 if number % 2 == 0 else 0.025))
    if panel.place.shows_x and not panel.scales.panel.x.categories:
        _ticks(painter, ink, panel)
    with clipped(painter, panel.place.plot.adjusted(-5, -5, 5, 5)):
        for dots in panel.points:
            paint_dots(painter, ink, panel, dots)


def _regions(panel: PanelView) -> list[tuple[float, float, Region, int]]:
    """The phases in view: pixel edges, phase and its number. Includes a phase that fills the view."""
    low, high = panel.span
    regions: list[tuple[float, float, Region, int]] = []
    for number, region in enumerate(panel.scales.panel.regions):
        start, end = region.start - panel.scales.origin, region.end - panel.scales.origin
        if end > low and start < high:
            left, right = panel.pixel(max(start, low), 0).x(), panel.pixel(min(end, high), 0).x()
            regions.append((round(left), round(right), region, number))
    return regions


def _outside(panel: PanelView) -> list[tuple[float, float]]:
    """The pixel columns in view before and after the stretch that is the subject of the figure."""
    plot, focus = panel.place.plot, panel.scales.panel.focus
    if focus is None:
        return []
    first, last = (panel.pixel(at - panel.scales.origin, 0).x() for at in focus)
    stretches = ((plot.left(), min(first, plot.right())), (max(last, plot.left()), plot.right()))
    return [(left, right) for left, right in stretches if right > left]


def tick_labels(ink: Ink, panel: PanelView) -> list[tuple[int, Label]]:
    """The pixel columns of the ticks of x in view with their labels; only labels that do not touch."""
    plot, (low, high), origin = panel.place.plot, panel.span, panel.scales.origin
    for most in range(max(3, min(11, int(plot.width() / ink.px(40)))), 1, -1):
        shown = panel.scales.x_ticks((low + origin, high + origin), most)
        xs = [round(panel.pixel(at - origin, 0).x()) for at in shown.places]
        numbers = spread(shown.labels, xs, panel.place, ink)
        if apart([label for _, label in numbers], ink):
            return numbers
    return numbers[:1]


def _ticks(painter: QPainter, ink: Ink, panel: PanelView) -> None:
    plot, numbers = panel.place.plot, tick_labels(ink, panel)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setFont(ink.small)
    foot = int(plot.bottom())
    for x, label in numbers:
        painter.setPen(QPen(ink.token("quiet", 0.55), 1))
        painter.drawLine(x, foot + 1, x, foot + int(ink.px(4)))
        painter.setPen(ink.token("quiet"))
        painter.drawText(QPointF(label.area.left(), label.area.top() + label.area.height() * 0.8), label.text)
    _time_row(painter, ink, panel)
    if panel.scales.y_log or panel.heat is not None:
        painter.setPen(QPen(ink.token("quiet", 0.55), 1))
        painter.drawLine(int(plot.left()), foot, int(plot.right()), foot)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)


def time_labels(ink: Ink, panel: PanelView) -> list[Label]:
    """The second row of labels of x in view, from left to right; only labels that do not touch."""
    row, plot = panel.scales.panel.time_row, panel.place.plot
    if row is None:
        return []
    (low, high), origin, numbers = panel.span, panel.scales.origin, list[Label]()
    for most in range(max(3, min(11, int(plot.width() / ink.px(60)))), 1, -1):
        by = ticks.time_step(high - low, most)
        places: dict[float, str] = {}
        for start, end, zero in row.stretches:
            left, right = max(start, low + origin) - zero, min(end, high + origin) - zero
            if right > left:
                shown = ticks.time(left, right, by, row.clock)
                minutes = [fixed(at / 60, 0 if by % 60 == 0 else 1) for at in shown.places]
                places |= zip((at + zero for at in shown.places), shown.labels if row.clock else minutes, strict=True)
        xs = [round(panel.pixel(at - origin, 0).x()) for at in places]
        numbers = [label for _, label in spread(list(places.values()), xs, panel.place, ink)]
        if apart(numbers, ink):
            break
    down = line_height(ink.small) + ink.px(2)
    return [Label(label.area.translated(0, down), label.text) for label in numbers]


def _time_row(painter: QPainter, ink: Ink, panel: PanelView) -> None:
    row, labels = panel.scales.panel.time_row, time_labels(ink, panel)
    if row is None or not labels:
        return
    # The unit is under the numbers of y; a label that would touch it is left out.
    wide, tall = text_width(ink.small, row.label), line_height(ink.small)
    left = max(panel.place.plot.left() - ink.px(8) - wide, panel.place.card.left() + ink.px(8))
    unit = Label(QRectF(left, labels[0].area.top(), wide, tall), row.label)
    painter.setPen(ink.token("quiet"))
    for label in (unit, *(label for label in labels if label.area.left() >= unit.area.right() + ink.px(6))):
        painter.drawText(QPointF(label.area.left(), label.area.top() + tall * 0.8), label.text)


def end_names(ink: Ink, panel: PanelView) -> list[tuple[QRectF, LegendEntry]]:
    """The names of the lines after the plot, each as near as possible to the last sample in view, without overlaps.
    Empty if a legend names the lines."""
    plot, room = panel.place.plot, panel.place.ends
    if not panel.scales.panel.ends or not room:
        return []
    tall, wanted = line_height(ink.small), []
    for entry in panel.entries:
        last = _last(panel, entry)
        wanted.append((plot.bottom() if last is None else min(max(last.y(), plot.top()), plot.bottom()), entry))
    wanted.sort(key=lambda pair: pair[0])
    # First downwards, so no name covers another. Then upwards again, as far as the last name is below the plot.
    tops: list[float] = []
    for y, _ in wanted:
        tops.append(max(y - tall / 2, tops[-1] + tall if tops else plot.top() - tall / 2))
    foot = plot.bottom() + tall / 2
    for index in reversed(range(len(tops))):
        foot = tops[index] = min(tops[index], foot - tall)
    left, wide = plot.right() + ink.px(LEADER), room - ink.px(LEADER)
    return [(QRectF(left, top, wide, tall), entry) for top, (_, entry) in zip(tops, wanted, strict=True)]


def _last(panel: PanelView, entry: LegendEntry) -> QPointF | None:
    """The last sample in view that was measured, of the line of this entry; None if there is none."""
    for line in panel.main_lines:
        if line.name == entry.name:
            x, y = panel.samples(line) if line.extremes is None else panel.drawn(line)
            first, stop = np.searchsorted(x, panel.span, side="left").tolist()
            inside = np.flatnonzero(np.isfinite(y[first : stop + 1]))
            if inside.size:
                at = first + int(inside[-1])
                return panel.pixel(float(x[at]), float(y[at]))
    return None


def _end_names(painter: QPainter, ink: Ink, panel: PanelView) -> None:
    """Draws the names at the ends of the lines in the colours of the lines, with a leader from the last sample."""
    plot = panel.place.plot
    for area, entry in end_names(ink, panel):
        painter.setOpacity(HIDDEN if entry.hidden else 1.0)
        painter.setPen(QPen(ink.colour(entry.look), 1))
        middle, last = area.center().y(), _last(panel, entry)
        if last is not None and not entry.hidden:
            start = QPointF(plot.right() + ink.px(2), min(max(last.y(), plot.top()), plot.bottom()))
            knee = QPointF(area.left() - ink.px(9), middle)
            painter.drawPolyline([start, knee, QPointF(area.left() - ink.px(4), middle)])
        painter.setFont(ink.strong)
        text = QFontMetricsF(ink.strong).elidedText(entry.name, Qt.TextElideMode.ElideMiddle, area.width())
        how = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
        painter.drawText(area, how | Qt.TextFlag.TextDontClip, text)
        if entry.hidden:
            painter.drawLine(QPointF(area.left(), middle), QPointF(area.left() + text_width(ink.strong, text), middle))
        painter.setOpacity(1.0)


def paint_over(painter: QPainter, ink: Ink, panel: PanelView, lit: str | None) -> None:
    """Paints phase edges and names, markers, names on lines, and the highlighted VM."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _edges(painter, ink, panel)
    paint_flags(painter, ink, panel)
    if panel.heat is not None:
        _rows(painter, ink, panel, lit)
        return
    with clipped(painter, panel.place.plot.adjusted(-5, -5, 5, 5)):
        for number, line in enumerate(panel.main_lines):
            painter.setOpacity(ink.share(line.emphasis))
            _markers(painter, ink, panel, line, number)
        painter.setOpacity(1.0)
    _names(painter, ink, panel)
    for area, text in line_labels(ink, panel):
        draw_halo_text(painter, ink, area.bottomLeft(), text, ink.strong)
    _vm_names(painter, ink, panel, lit)
    _end_names(painter, ink, panel)
    paint_moments(painter, ink, panel)
    _beyond(painter, ink, panel)
    if not panel.measured:
        painter.setFont(ink.plain)
        painter.setPen(ink.token("quiet"))
        painter.drawText(panel.place.plot, Qt.AlignmentFlag.AlignCenter, said("not measured"))


def line_labels(ink: Ink, panel: PanelView) -> list[tuple[QRectF, str]]:
    """The labels after the ends of lines over names, each with the area of its letters: at the height of its line, or
    next to a level line (the baseline, the axis) that would cross it. Empty if there is not enough room for all."""
    if not _labels_fit(ink, panel):
        return []
    labels, tall, gap = [], QFontMetricsF(ink.strong).capHeight(), ink.px(4)
    across = (line for line in panel.main_lines if not line.label and line.y.size and (line.y == line.y[0]).all())
    levels = [panel.place.plot.bottom(), *(panel.pixel(0.0, float(line.y[0])).y() for line in across)]
    for line in panel.main_lines:
        if not line.label:
            continue
        end = panel.pixel(float(line.x[-1]), float(line.y[-1]))
        area = QRectF(end.x() + ink.px(6), end.y() - tall / 2, text_width(ink.strong, line.label), tall)
        for level in levels:
            if area.top() - gap < level < area.bottom() + gap:
                area.moveTop(level + gap if end.y() > level else level - gap - tall)
        labels.append((area, line.label))
    return labels


def _labels_fit(ink: Ink, panel: PanelView) -> bool:
    """True if the labels of lines over names have room before the next name. Labels of only some would look like a
    choice."""
    wide = max((text_width(ink.strong, line.label) for line in panel.main_lines), default=0.0) + ink.px(8)
    ends = (line for line in panel.main_lines if line.label)
    return all(
        panel.pixel(float(np.rint(line.x[-1])) + 0.5, 0.0).x() - panel.pixel(float(line.x[-1]), 0.0).x() >= wide
        for line in ends
    )


def _beyond(painter: QPainter, ink: Ink, panel: PanelView) -> None:
    """Shows how far the data in view exceeds the top of a panel whose range the figure has set."""
    if panel.scales.panel.y.limits is None:
        return
    highest = panel.highest_in_view()
    if not highest > panel.scales.y[1]:
        return
    value = 10.0**highest if panel.scales.y_log else highest
    text = f"↑ up to {ticks.reading(value)}"
    plot = panel.place.plot
    left = plot.right() - text_width(ink.strong, text) - ink.px(4)
    draw_halo_text(painter, ink, QPointF(left, plot.top() + line_height(ink.strong)), text, ink.strong)


def _edges(painter: QPainter, ink: Ink, panel: PanelView) -> None:
    plot = panel.place.plot
    over_heat = panel.heat is not None
    for left, right, _, _ in _regions(panel):
        pen = QPen(ink.token("text" if over_heat else "quiet", 0.7), 1)
        pen.setDashPattern([3, 3])
        painter.setPen(pen)
        for x in (left, right):
            if plot.left() + 1 < x < plot.right() - 1:
                painter.drawLine(QPointF(x + 0.5, plot.top()), QPointF(x + 0.5, plot.bottom()))


def _names(painter: QPainter, ink: Ink, panel: PanelView) -> None:
    """Draws the names of the phases over the lines that cross them."""
    for area, name in _phase_names(ink, panel):
        at = QPointF(area.left(), area.top() + area.height() * 0.78)
        draw_halo_text(painter, ink, at, name, ink.small, "quiet")


def _phase_names(ink: Ink, panel: PanelView) -> list[tuple[QRectF, str]]:
    """The places of the phase names: at the top of the highest panel, if they fit."""
    if panel.heat is not None or panel.scales.row > 0:
        return []
    top, tall, names = panel.place.plot.top() + ink.px(2), line_height(ink.small), []
    for left, right, region, _ in _regions(panel):
        wide = text_width(ink.small, region.words)
        if region.within:
            # This line is lower than the phase's line and may extend beyond its end: the phase may be short.
            start = min(left + ink.px(5), panel.place.plot.right() - wide - 2)
            names.append((QRectF(start, top + tall, wide + 2, tall), region.words))
        elif right - left > wide + ink.px(8):
            names.append((QRectF(left + ink.px(5), top, wide + 2, tall), region.words))
    return names


def _markers(painter: QPainter, ink: Ink, panel: PanelView, line: Line, number: int) -> None:
    x, y = panel.samples(line) if line.extremes is None else panel.drawn(line)
    part = visible(x, *panel.span)
    x, y = x[part], y[part]
    for index in _lonely(y) if x.size <= LIMIT else []:
        at = panel.pixel(float(x[index]), float(y[index]))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink.colour(line.look))
        painter.drawEllipse(at, 2.0, 2.0)
    if line.look.marker == "none" or not x.size:
        return
    if x.size <= MARKED:
        chosen = np.arange(x.size)
    else:
        # The lines of one panel have their markers at different places, so they do not hide each other.
        share = (np.arange(6) + 0.25 + 0.11 * (number % 6)) / 6
        chosen = np.searchsorted(x, x[0] + (x[-1] - x[0]) * share).clip(0, x.size - 1)
    for index in chosen.tolist():
        if math.isfinite(y[index]):
            draw_marker(painter, ink, line.look, panel.pixel(float(x[index]), float(y[index])))


def _lonely(y: FloatArray) -> list[int]:
    """Samples without a neighbour. A line cannot show them, so they need a dot."""
    finite = np.concatenate(([False], np.isfinite(y), [False]))
    alone = finite[1:-1] & ~finite[:-2] & ~finite[2:]
    return [int(at) for at in np.flatnonzero(alone)[:500]]


def _vm_names(painter: QPainter, ink: Ink, panel: PanelView, lit: str | None) -> None:
    named = [line for line in panel.labelled if line.vm != lit]
    if panel.lit_layer is not None:
        named.append(panel.lit_layer.lines[0])
    taken = [area for area, _ in _phase_names(ink, panel)]
    for line in named:
        room = _name_place(ink, panel, line, taken)
        if room is not None:
            taken.append(room)
            base = QPointF(room.left(), room.bottom() - line_height(ink.strong) * 0.24)
            draw_halo_text(painter, ink, base, line.vm or line.name, ink.strong)


def _name_place(ink: Ink, panel: PanelView, line: Line, taken: list[QRectF]) -> QRectF | None:
    """The place of a name: above the highest point in view, or next to it at the panel's edge; always inside the panel.
    None if no point is in view."""
    x, y = panel.drawn(line)
    inside = panel.asked(x) & np.isfinite(y)
    if not inside.any():
        return None
    index = int(np.flatnonzero(inside)[np.argmax(y[inside])])
    peak, plot = panel.pixel(float(x[index]), float(y[index])), panel.place.plot
    wide, tall = text_width(ink.strong, line.vm or line.name), line_height(ink.strong)
    left = min(max(peak.x() - wide / 2, plot.left() + 2), plot.right() - wide - 2)
    top = peak.y() - tall - 3
    if top < plot.top():
        top = plot.top() + 1
        left = peak.x() + 8 if peak.x() + 8 + wide <= plot.right() else peak.x() - 8 - wide
    area = QRectF(left, top, wide, tall)
    for other in taken:
        if area.intersects(other):
            # Next to the peak: the moved name must not cover its own line.
            area.moveTop(max(area.top(), other.bottom() + 1))
            beside = peak.x() + 8
            area.moveLeft(beside if beside + wide <= plot.right() else peak.x() - 8 - wide)
    return area


def _rows(painter: QPainter, ink: Ink, panel: PanelView, lit: str | None) -> None:
    heat = panel.scales.heatmap
    if heat is None or not heat.rows:
        return
    plot = panel.place.plot
    tall = plot.height() / len(heat.rows)
    if tall >= 6:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(QPen(ink.token("card"), 1))
        for row in range(1, len(heat.rows)):
            y = round(plot.top() + row * tall)
            painter.drawLine(int(plot.left()), y, int(plot.right()), y)
        # Leaves a small gap between runs.
        for _, first, _ in groups_of(heat.rows)[1:]:
            y = round(plot.top() + first * tall)
            painter.fillRect(QRectF(plot.left(), y - 2, plot.width(), 4), ink.token("card"))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    # Samples outside the phase are dimmed, not hidden, because the user can drag the edge back over them.
    for left, right in _outside(panel):
        painter.fillRect(QRectF(left, plot.top(), right - left, plot.height()), ink.token("card", OUTSIDE))
    # Parts outside the subject of a finding are dimmed, like bars and lines. A veil keeps the hatching of missing
    # values visible.
    spoken_of = heat.rows.index(heat.lit) if heat.lit in heat.rows else len(heat.rows)
    veil = ink.token("card", 1 - ink.share(heat.emphasis))
    for first, last in ((0, spoken_of), (spoken_of + 1, len(heat.rows))):
        if first < last and heat.emphasis != "all":
            painter.fillRect(QRectF(plot.left(), plot.top() + first * tall, plot.width(), (last - first) * tall), veil)
    if (name := lit if lit in heat.rows else heat.lit) in heat.rows:
        _lit_row(painter, ink, panel, heat.rows.index(name), len(heat.rows), name)


def _lit_row(painter: QPainter, ink: Ink, panel: PanelView, row: int, count: int, name: str) -> None:
    plot = panel.place.plot
    tall = plot.height() / count
    top, middle = plot.top() + row * tall, plot.top() + (row + 0.5) * tall
    frame = QRectF(plot.left(), top, plot.width(), max(tall, 3)).adjusted(0.5, 0.5, -0.5, 0.5)
    for colour, width in ((ink.token("card"), 3.0), (ink.token("accent"), 1.5)):
        painter.setPen(QPen(colour, width))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(frame)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ink.token("accent"))
    if not panel.place.names_y:
        return
    tip = plot.left() - 1
    painter.drawPolygon(QPolygonF([QPointF(tip, middle), QPointF(tip - 6, middle - 4), QPointF(tip - 6, middle + 4)]))
    high, wide = line_height(ink.strong), text_width(ink.strong, name)
    pill = QRectF(plot.left() - ink.px(9) - wide, middle - high / 2, wide, high)
    painter.fillRect(pill.adjusted(-3, 0, 0, 0), ink.token("card"))
    painter.setFont(ink.strong)
    painter.setPen(ink.token("text"))
    painter.drawText(pill, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, name)
