"""The gutter left of joined columns. It shows once what all columns share: axis title, runs and VMs, unit of time."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QPainter

from workbench.charts import ticks
from workbench.charts.figure import Band, Line
from workbench.charts.scales import Scales
from workbench.gui.plot.axes.labels import Label, groups_of, names_apart, y_ticks
from workbench.gui.plot.axes.names import Lines, wrapped
from workbench.gui.plot.geometry import Layout, PlotPlace, x_label, y_label
from workbench.gui.plot.ink import Ink, draw_ground, draw_halo_text, line_height, text_width, widest
from workbench.gui.services.translation import said
from workbench.words.numbers import THIN

_LEFT, _PAD = 12, 16
# A column that fills less than this share of the shared scale shows its own scale in a note.
_NEARLY_EMPTY = 0.4


def gutter_labels(layout: Layout, ink: Ink) -> list[tuple[QFont, str, Label]]:
    """The labels that all joined columns share, each with its font and the token of its colour: the title of y, the
    unit of time, the runs, and the content of the row of values. Empty for columns that are not joined."""
    first = [place for place in layout.places if place.joined and place.names_y]
    if not first:
        return []
    top, foot = first[0], first[-1]
    quiet = ((ink.small, "quiet", label) for label in (*_y_title(top, ink), *_time(foot, ink)))
    return [*quiet, *((ink.strong, "text", label) for label in (*_runs(foot, ink), *_read(top, ink)))]


def paint_gutter(painter: QPainter, ink: Ink, layout: Layout) -> None:
    """Paints the gutter of joined columns."""
    first = [place for place in layout.places if place.names_y]
    top, left = first[0], _left(first[0], ink)
    if top.read.height():
        row = top.read.united(layout.places[-len(first)].read).adjusted(left - ink.px(4) - top.read.left(), 0, 0, 0)
        draw_ground(painter, ink, row)
    for font, token, label in gutter_labels(layout, ink):
        painter.setFont(font)
        painter.setPen(ink.token(token))
        how = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
        painter.drawText(label.area, how | Qt.TextFlag.TextDontClip, label.text)
    for place in layout.places:
        _paint_own_scale(painter, ink, place)


def time_lines(scales: Scales, ink: Ink, gutter: float) -> Lines:
    """The unit of time, or the title of the x axis, as lines next to the numbers of x."""
    word = scales.panel.x.zone if scales.clock else said(scales.x_ticks(scales.x, 6).word) or x_label(scales)
    return wrapped(word, ink.small, gutter + ink.px(_PAD - _LEFT - 6))


def _left(place: PlotPlace, ink: Ink) -> float:
    return place.card.left() + ink.px(_LEFT)


def _y_title(place: PlotPlace, ink: Ink) -> Iterator[Label]:
    left = _left(place, ink)
    room = place.plot.left() - left - widest(ink.small, y_ticks(place, ink).labels) - ink.px(14)
    yield from _down(wrapped(y_label(place.scales), ink.small, room), ink, left, place.plot.top())


def _read(place: PlotPlace, ink: Ink) -> Iterator[Label]:
    """The subject of the values in the row over the columns: the median of several VMs, or one VM."""
    row = place.read
    if row.height():
        lines = [mark for mark in place.scales.panel.marks if isinstance(mark, Line) and mark.vm is None]
        text = "Median" if lines and lines[0].name.casefold().endswith("median") else "VM"
        yield Label(QRectF(_left(place, ink), row.top(), text_width(ink.strong, text), row.height()), text)


def _runs(place: PlotPlace, ink: Ink) -> Iterator[Label]:
    """The label of each run next to its first VM. Empty if the VMs have no room for their own labels."""
    heat = place.scales.heatmap
    if heat is None or not names_apart(place, ink):
        return
    tall, high = place.plot.height() / len(heat.rows), line_height(ink.strong)
    for run, first, _ in groups_of(heat.rows):
        middle = place.plot.top() + (first + 0.5) * tall
        yield Label(QRectF(_left(place, ink), middle - high / 2, text_width(ink.strong, run), high), run)


def _time(place: PlotPlace, ink: Ink) -> Iterator[Label]:
    lines = time_lines(place.scales, ink, place.plot.left() - place.card.left() - ink.px(_PAD))
    yield from _down(lines, ink, _left(place, ink), place.plot.bottom() + ink.px(6))


def _down(lines: Lines, ink: Ink, left: float, top: float) -> Iterator[Label]:
    """Lines of text, stacked downwards from a point."""
    tall = line_height(ink.small)
    for number, text in enumerate(lines):
        yield Label(QRectF(left, top + number * tall, text_width(ink.small, text), tall), text)


def _paint_own_scale(painter: QPainter, ink: Ink, place: PlotPlace) -> None:
    for label in own_scale_labels(place, ink):
        at = QPointF(label.area.left(), label.area.bottom())
        draw_halo_text(painter, ink, at, label.text, ink.small, "quiet")


def own_scale_labels(place: PlotPlace, ink: Ink) -> Iterator[Label]:
    """The note of a nearly empty column, at most one, below the names of its phases. Empty without room for it."""
    text, plot, tall = own_scale(place), place.plot, line_height(ink.small)
    wide = text_width(ink.small, text)
    if text and wide + ink.px(8) <= plot.width():
        regions = place.scales.panel.regions if place.scales.row == 0 else ()
        lines = max((1 + region.within for region in regions), default=0)
        yield Label(QRectF(plot.right() - wide - ink.px(4), plot.top() + ink.px(3) + lines * tall, wide, tall), text)


def own_scale(place: PlotPlace) -> str:
    """A note with the scale that a nearly empty column would have alone. Empty for other columns, and while y is
    zoomed."""
    limits = place.scales.panel.y.limits
    if limits is None or place.scales.heatmap is not None or place.scales.y != limits:
        return ""
    # The highest value that the column draws in the phase.
    low, high = place.scales.panel.focus or place.scales.x
    tops = [0.0]
    for mark in place.scales.panel.marks:
        if isinstance(mark, Band | Line):
            values = mark.high if isinstance(mark, Band) else mark.y
            inside = values[(mark.x >= low) & (mark.x <= high) & np.isfinite(values)]
            tops += [float(inside.max())] if inside.size else []
    top = max(tops)
    return f"{said('own scale')}: 0{THIN}–{THIN}{ticks.reading(top)}" if 0 < top < _NEARLY_EMPTY * limits[1] else ""
