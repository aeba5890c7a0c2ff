"""The axes of a panel: the place of each label, and how labels and grid are drawn. Labels are never cut.

A row of a heatmap names a VM and its run. In joined columns each run is named once, next to its VMs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, pairwise

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from workbench.charts.ticks import Ticks
from workbench.gui.plot.axes.names import LETTERS, NameGroup, row_names
from workbench.gui.plot.geometry import PlotPlace, time_row_height, y_title
from workbench.gui.plot.ink import Ink, line_height, text_width, widest

_LINE = Qt.TextFlag.TextSingleLine | Qt.TextFlag.TextDontClip
_CENTRE = Qt.AlignmentFlag.AlignCenter | _LINE


@dataclass(frozen=True)
class Label:
    """A line of text on the canvas: the area that it fills, and True if it reads upwards."""

    area: QRectF
    text: str
    turned: bool = False


def labels(panel_place: PlotPlace, ink: Ink) -> Iterator[Label]:
    """All axis labels that do not move: names and titles of both axes, and the numbers of y. Without titles for joined
    columns: the gutter shows those."""
    if panel_place.shows_x:
        yield from _x_names(panel_place, ink)
        yield from _x_title(panel_place, ink)
    if not panel_place.names_y:
        return
    if not panel_place.joined and not (panel_place.scales.heatmap and panel_place.scales.row):
        yield from _y_title(panel_place, ink)
    yield from _y_names(panel_place, ink)


def paint_labels(painter: QPainter, ink: Ink, panel_place: PlotPlace) -> None:
    """Paints the axis labels."""
    painter.setFont(ink.small)
    for label in labels(panel_place, ink):
        painter.setPen(ink.token("quiet"))
        if label.turned:
            _turned(painter, label)
        else:
            painter.drawText(label.area, _CENTRE, label.text)
    for group in panel_place.names.groups if panel_place.shows_x else ():
        _group_line(painter, ink, panel_place, group)


def paint_grid(painter: QPainter, ink: Ink, panel_place: PlotPlace) -> None:
    """Draws a line at each tick of y, and the base line of the plot."""
    plot, (low, _) = panel_place.plot, panel_place.scales.y
    places = y_ticks(panel_place, ink).places
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    for at in places:
        base = at == 0 and not panel_place.scales.y_log
        painter.setPen(QPen(ink.token("quiet", 0.55) if base else ink.token("line"), 1))
        y = _y_at(panel_place, at)
        painter.drawLine(int(plot.left()), y, int(plot.right()), y)
    if panel_place.scales.y_log or low not in (0.0, *places):
        painter.setPen(QPen(ink.token("quiet", 0.55), 1))
        painter.drawLine(int(plot.left()), int(plot.bottom()), int(plot.right()), int(plot.bottom()))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)


def spread(texts: Sequence[str], xs: Sequence[int], panel_place: PlotPlace, ink: Ink) -> list[tuple[int, Label]]:
    """The labels of x under their ticks, with the pixel columns of the ticks. Labels at the ends stay within their
    plot."""
    plot, tall, over = panel_place.plot, line_height(ink.small), 0.0 if panel_place.joined else ink.px(5)
    numbers = []
    for x, text in zip(xs, texts, strict=True):
        if plot.left() - 1 <= x <= plot.right() + 1:
            wide = text_width(ink.small, text)
            left = max(min(x - wide / 2, plot.right() + over - wide), plot.left() - over)
            numbers.append((x, Label(QRectF(left, plot.bottom() + ink.px(6), wide, tall), text)))
    return numbers


def apart(numbers: Sequence[Label], ink: Ink) -> bool:
    """True if no two of these labels on one line touch."""
    return all(right.area.left() - left.area.right() >= ink.px(4) for left, right in pairwise(numbers))


def under_plot(panel_place: PlotPlace, ink: Ink, label: str, area: QRectF) -> QRectF:
    """The place of one line of the x axis title: centred under the plot, but moved into the card if the panel is
    narrow."""
    wide = text_width(ink.small, label) + 1
    left, right = panel_place.card.left() + ink.px(8), panel_place.card.right() - ink.px(8)
    start = min(max(area.center().x() - wide / 2, left), max(left, right - wide))
    return QRectF(start, area.top(), wide, area.height())


def _x_names(panel_place: PlotPlace, ink: Ink) -> Iterator[Label]:
    plot, names, tall = panel_place.plot, panel_place.names, line_height(ink.small)
    slot, top = plot.width() / max(1, len(names.lines)), plot.bottom() + ink.px(6)
    for index, lines in enumerate(names.lines):
        middle = plot.left() + (index + 0.5) * slot
        for row, text in enumerate(lines):
            wide = text_width(ink.small, text)
            if names.turned:
                yield Label(QRectF(middle + (row - len(lines) / 2) * tall, top, tall, wide), text, turned=True)
            else:
                yield Label(QRectF(middle - wide / 2, top + row * tall, wide, tall), text)
    for group in names.groups:
        yield Label(_group_area(panel_place, ink, group), group.word)


def _group_area(panel_place: PlotPlace, ink: Ink, group: NameGroup) -> QRectF:
    """The area of the word that the names above it share."""
    plot, names, tall = panel_place.plot, panel_place.names, line_height(ink.small)
    slot, wide = plot.width() / len(names.lines), text_width(ink.small, group.word)
    middle = plot.left() + (group.first + group.last + 1) / 2 * slot
    top = plot.bottom() + ink.px(6) + names.height(ink) - tall
    return QRectF(middle - wide / 2, top, wide, tall)


def _group_line(painter: QPainter, ink: Ink, panel_place: PlotPlace, group: NameGroup) -> None:
    """Draws a line on both sides of a shared word, as far as the names that share the word."""
    area, slot = _group_area(panel_place, ink, group), panel_place.plot.width() / len(panel_place.names.lines)
    left = panel_place.plot.left() + group.first * slot + ink.px(4)
    right = panel_place.plot.left() + (group.last + 1) * slot - ink.px(4)
    y = round(area.center().y()) + 0.5
    painter.setPen(QPen(ink.token("quiet", 0.55), 1))
    for start, end in ((left, area.left() - ink.px(5)), (area.right() + ink.px(5), right)):
        if end > start:
            painter.drawLine(QPointF(start, y), QPointF(end, y))


def _x_title(panel_place: PlotPlace, ink: Ink) -> Iterator[Label]:
    plot, tall = panel_place.plot, line_height(ink.small)
    top = plot.bottom() + ink.px(10) + panel_place.names.height(ink) + time_row_height(panel_place.scales, ink)
    for row, text in enumerate(panel_place.title):
        area = QRectF(plot.left(), top + row * tall, plot.width(), tall)
        yield Label(under_plot(panel_place, ink, text, area), text)


def _y_title(panel_place: PlotPlace, ink: Ink) -> Iterator[Label]:
    lines = y_title(panel_place.scales, ink, panel_place.label.width())
    tall = line_height(ink.small) + ink.px(4)
    top = panel_place.label.bottom() - ink.px(8) - tall * len(lines)
    for row, text in enumerate(lines):
        yield Label(QRectF(panel_place.label.left(), top + row * tall, text_width(ink.small, text), tall), text)


def _y_names(panel_place: PlotPlace, ink: Ink) -> Iterator[Label]:
    """The numbers at the ticks of y, or the names of the rows. Row names need only a thin gap between them."""
    plot, tall = panel_place.plot, line_height(ink.small)
    right, most = plot.left() - ink.px(8), plot.left() - panel_place.card.left() - ink.px(18)
    shown = y_ticks(panel_place, ink)
    if panel_place.scales.heatmap:
        row_tall = plot.height() / max(1, len(shown.labels))
        middles = [plot.top() + (row + 0.5) * row_tall for row in range(len(shown.labels))]
    else:
        row_tall = plot.height() / max(1, len(panel_place.scales.panel.y.categories))
        middles = [float(_y_at(panel_place, at)) for at in shown.places]
    named = bool(panel_place.scales.heatmap or panel_place.scales.panel.y.categories)
    words = tuple(map(row_name, shown.labels)) if names_apart(panel_place, ink) else shown.labels
    names = row_names(words, ink, most, row_tall) if named else [(text,) for text in shown.labels]
    for middle, lines in zip(middles, names, strict=True):
        if not lines:
            continue
        high = tall * LETTERS * len(lines)
        # A name of several lines stays within its plot: a number of the next panel may follow.
        top = max(plot.top(), min(middle - high / 2, plot.bottom() - high)) if named else middle - high / 2
        for row, text in enumerate(lines):
            wide = text_width(ink.small, text)
            yield Label(QRectF(right - wide, top + row * tall * LETTERS, wide, tall * LETTERS), text)


def y_ticks(panel_place: PlotPlace, ink: Ink) -> Ticks:
    """The ticks that y has room for, or the names of its rows."""
    return panel_place.scales.y_ticks(max(3, min(8, int(panel_place.plot.height() / ink.px(36)))))


def _y_at(panel_place: PlotPlace, value: float) -> int:
    low, high = panel_place.scales.y
    return round(panel_place.plot.bottom() - (value - low) / (high - low) * panel_place.plot.height())


def _turned(painter: QPainter, label: Label) -> None:
    painter.save()
    painter.translate(label.area.center())
    painter.rotate(-90)
    wide, tall = label.area.height(), label.area.width()
    painter.drawText(QRectF(-wide / 2, -tall / 2, wide, tall), _CENTRE, label.text)
    painter.restore()


_APART = " · "


@lru_cache(maxsize=64)
def groups_of(names: tuple[str, ...]) -> list[tuple[str, int, int]]:
    """The runs of the rows of a heatmap, each with its first row and the row after its last. Empty if the names do not
    contain runs."""
    parts = [name.rpartition(_APART) for name in names]
    if len(names) < 2 or not all(vm and run for vm, _, run in parts):
        return []
    groups, first = [], 0
    for run, members in groupby(run for _, _, run in parts):
        count = len(list(members))
        groups.append((run, first, first + count))
        first += count
    # A run that occurs twice does not form a group.
    return groups if len({run for run, _, _ in groups}) == len(groups) < len(names) else []


def names_apart(place: PlotPlace, ink: Ink) -> bool:
    """True if runs and VMs are named separately: the run once, each VM in its row."""
    heat = place.scales.heatmap
    if heat is None or not place.joined or not groups_of(heat.rows):
        return False
    if place.plot.height() / len(heat.rows) < line_height(ink.small) * LETTERS:
        return False
    runs = widest(ink.strong, (run for run, _, _ in groups_of(heat.rows)))
    vms = widest(ink.small, map(row_name, heat.rows))
    return not place.names_y or runs + vms + ink.px(34) <= place.plot.left() - place.card.left()


def row_name(name: str) -> str:
    """The VM of a row; its run is named separately."""
    return name.rpartition(_APART)[0]
