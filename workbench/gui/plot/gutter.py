"""What joined columns say once, left of the first: the axis, the read-out, runs and VMs, the unit of time."""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QPainter

from workbench.charts import ticks
from workbench.charts.figure import Band, Line
from workbench.gui.plot.geometry import Layout, Place, x_label, y_label
from workbench.gui.plot.ink import Ink, draw_halo_text, line_height, text_width
from workbench.words.numbers import THIN

_APART = " · "
# A column that fills less than this share of the shared scale says what its own would be.
_NEARLY_EMPTY = 0.4


@lru_cache(maxsize=64)
def groups_of(names: tuple[str, ...]) -> list[tuple[str, int, int]]:
    """The runs of the rows of a heatmap, each with its first row and the one behind its last; none where the names do
    not say them."""
    parts = [name.rpartition(_APART) for name in names]
    if len(names) < 2 or not all(vm and run for vm, _, run in parts):
        return []
    groups, first = [], 0
    for run, members in groupby(run for _, _, run in parts):
        count = len(list(members))
        groups.append((run, first, first + count))
        first += count
    # A run that comes twice is no group.
    return groups if len({run for run, _, _ in groups}) == len(groups) < len(names) else []


def paint_gutter(painter: QPainter, ink: Ink, layout: Layout) -> None:
    """Paints what stands once for all joined columns."""
    first = [place for place in layout.places if place.names_y]
    top, foot = first[0], first[-1]
    left = top.card.left() + ink.px(12)
    if top.read.height():
        row = top.read.united(layout.places[-len(first)].read).adjusted(left - ink.px(4) - top.read.left(), 0, 0, 0)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink.token("ground"))
        painter.drawRoundedRect(row, 4, 4)
        lines = [mark for mark in top.scales.panel.marks if isinstance(mark, Line) and mark.vm is None]
        if lines and lines[0].name.endswith("median"):
            _write(painter, ink.strong, ink, "text", QPointF(left, top.read.center().y()), "Median")
    numbers = max((text_width(ink.small, text) for text in top.scales.y_ticks(6).labels), default=0.0)
    room = top.plot.left() - left - numbers - ink.px(14)
    for number, words in enumerate(_lines(y_label(top.scales), ink.small, room)):
        at = QPointF(left, top.plot.top() + (number + 0.5) * line_height(ink.small))
        _write(painter, ink.small, ink, "quiet", at, words)
    _paint_runs(painter, ink, foot, left)
    word = _time_word(foot)
    _write(painter, ink.small, ink, "quiet", QPointF(left, foot.plot.bottom() + ink.px(13)), word)
    for place in layout.places:
        _paint_own_scale(painter, ink, place)


def _paint_runs(painter: QPainter, ink: Ink, place: Place, left: float) -> None:
    """The name of each run beside its first VM, where every VM has room for its own."""
    heat = place.scales.heatmap
    if heat is None or not names_apart(place, ink):
        return
    tall = place.plot.height() / len(heat.rows)
    for run, first, _ in groups_of(heat.rows):
        at = QPointF(left, place.plot.top() + (first + 0.5) * tall)
        _write(painter, ink.strong, ink, "text", at, run)


def names_apart(place: Place, ink: Ink) -> bool:
    """Whether runs and VMs are named apart from each other: the run once, each VM in its row."""
    heat = place.scales.heatmap
    if heat is None or not place.joined or not groups_of(heat.rows):
        return False
    room = place.plot.height() / len(heat.rows) >= line_height(ink.small) * 0.68
    runs = max(text_width(ink.strong, run) for run, _, _ in groups_of(heat.rows))
    vms = max(text_width(ink.small, name.rpartition(_APART)[0]) for name in heat.rows)
    return room and (not place.names_y or runs + vms + ink.px(34) <= place.plot.left() - place.card.left())


def row_name(name: str) -> str:
    """The VM of a row whose run is named apart."""
    return name.rpartition(_APART)[0]


def _time_word(place: Place) -> str:
    scales = place.scales
    if scales.clock:
        return "UTC"
    return scales.x_ticks(scales.x, 6).word or x_label(scales)


def _paint_own_scale(painter: QPainter, ink: Ink, place: Place) -> None:
    text, plot = own_scale(place), place.plot
    wide = text_width(ink.small, text)
    if wide + ink.px(60) <= plot.width():
        at = QPointF(plot.right() - wide - ink.px(4), plot.top() + line_height(ink.small))
        draw_halo_text(painter, ink, at, text, ink.small, "quiet")


def own_scale(place: Place) -> str:
    """What the scale of a nearly empty column would be, were it not shared; empty for others, and while y is zoomed."""
    limits = place.scales.panel.y.limits
    if limits is None or place.scales.heatmap is not None or place.scales.y != limits:
        return ""
    top = _highest(place)
    return f"own scale: 0{THIN}–{THIN}{ticks.reading(top)}" if 0 < top < _NEARLY_EMPTY * limits[1] else ""


def _highest(place: Place) -> float:
    """The highest value that the column draws in the phase."""
    low, high = place.scales.panel.focus or place.scales.x
    tops = [0.0]
    for mark in place.scales.panel.marks:
        if isinstance(mark, Band | Line):
            values = mark.high if isinstance(mark, Band) else mark.y
            inside = values[(mark.x >= low) & (mark.x <= high) & np.isfinite(values)]
            tops += [float(inside.max())] if inside.size else []
    return max(tops)


def _lines(text: str, font: QFont, width: float) -> list[str]:
    lines: list[str] = []
    for word in text.split(" "):
        if lines and text_width(font, f"{lines[-1]} {word}") <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _write(painter: QPainter, font: QFont, ink: Ink, token: str, at: QPointF, text: str) -> None:
    """Writes from a point on, which is at half the height of the letters."""
    painter.setFont(font)
    painter.setPen(ink.token(token))
    how = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
    painter.drawText(QRectF(at.x(), at.y() - 10, 10, 20), how | Qt.TextFlag.TextDontClip, text)
