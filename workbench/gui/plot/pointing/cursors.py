"""The cursors A and B: two fixed moments, and the change of each line between them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from workbench.charts import ticks
from workbench.charts.figure import FloatArray, Line
from workbench.gui.plot.geometry import flag_height
from workbench.gui.plot.ink import Ink, text_width
from workbench.gui.plot.panel import PanelView, value_at
from workbench.words.numbers import signed

NAMES = ("A", "B")


@dataclass(frozen=True)
class CursorStretch:
    """A line from cursor A to cursor B: its values at both, and mean and 95th percentile of the samples between them,
    both ends included, in the line's unit. NaN = not measured."""

    at_a: float
    at_b: float
    mean: float
    p95: float


def stretch_of(x: FloatArray, y: FloatArray, a: float, b: float) -> CursorStretch:
    """The stretch of a line over ascending `x`; `a` and `b` in any order. Each measured sample counts once, missing
    samples do not count. The percentile is interpolated between samples, as in numpy."""
    first, last = np.searchsorted(x, min(a, b), "left"), np.searchsorted(x, max(a, b), "right")
    part = y[first:last]
    measured = part[np.isfinite(part)]
    mean, p95 = (float(measured.mean()), float(np.percentile(measured, 95))) if measured.size else (math.nan, math.nan)
    return CursorStretch(value_at(x, y, a), value_at(x, y, b), mean, p95)


def sample_places(panel: PanelView) -> FloatArray:
    """The x of the samples that the arrow keys step over: those of the panel's first line, otherwise of its dots or of
    the columns of its heatmap."""
    marks = panel.scales.panel.marks
    lines = panel.main_lines or [mark for mark in marks if isinstance(mark, Line)]
    if lines:
        return panel.samples(lines[0])[0]
    if panel.heat is not None:
        return (panel.heat.edges[:-1] + panel.heat.edges[1:]) / 2
    return np.unique(np.concatenate([np.empty(0), *(panel.samples(dots)[0] for dots in panel.points)]))


def nearest(places: FloatArray, x: float) -> int:
    """The index of the place nearest to `x`. The places must be ascending and not empty."""
    right = int(np.clip(np.searchsorted(places, x), 1, max(1, places.size - 1)))
    return right if right < places.size and places[right] - x < x - places[right - 1] else right - 1


class Cursors:
    """The places of A and B, in coordinates of the panels that share one x axis."""

    def __init__(self) -> None:
        self._at: dict[str, float] = {}
        self._key, self._origin = "", 0.0
        self._stepped: tuple[int, int] = (0, 0)
        self._last = "A"
        self._stretches: dict[int, tuple[Line, CursorStretch]] = {}

    def __bool__(self) -> bool:
        """True if any cursor is set."""
        return bool(self._at)

    def put(self, name: str, panel: PanelView, x: float) -> None:
        """Sets a cursor at the panel's sample nearest to `x`."""
        places = sample_places(panel)
        if not places.size:
            return
        if panel.scales.x_key != self._key:
            self.clear()
        self._key, self._origin = panel.scales.x_key, panel.scales.origin
        self._stepped, self._last = (panel.scales.panel.column, panel.scales.row), name
        self._move(name, float(places[nearest(places, x)]))

    def step(self, panels: list[PanelView], count: int) -> None:
        """Moves the cursor that was set last by this number of samples, within the samples of the panel."""
        panel = next((p for p in panels if (p.scales.panel.column, p.scales.row) == self._stepped), None)
        if panel is None or self._last not in self._at:
            return
        places = sample_places(panel)
        if places.size:
            index = nearest(places, self._at[self._last]) + count
            self._move(self._last, float(places[min(max(index, 0), places.size - 1)]))

    def clear(self) -> None:
        """Removes both."""
        self._at.clear()
        self._stretches.clear()

    def fit(self, panels: list[PanelView]) -> None:
        """Keeps the cursors in a new figure if it shows an equal stretch of the axis; otherwise removes them."""
        self._stretches.clear()
        mine = [p for p in panels if p.scales.x_key == self._key and p.scales.origin == self._origin]
        if not all(any(p.full[0] <= x <= p.full[1] for p in mine) for x in self._at.values()):
            self.clear()

    def on(self, panel: PanelView) -> dict[str, float]:
        """The cursors that a panel shows: name, and x in its coordinates."""
        return self._at if panel.scales.x_key == self._key else {}

    def stretch(self, panel: PanelView, line: Line) -> CursorStretch:
        """The stretch of a panel's line between both cursors, computed once."""
        if id(line) not in self._stretches:
            x, _ = panel.samples(line)
            # Keeps a reference to the line next to its stretch, so Python does not reuse its id.
            self._stretches[id(line)] = (line, stretch_of(x, line.y, self._at["A"], self._at["B"]))
        return self._stretches[id(line)][1]

    def _move(self, name: str, x: float) -> None:
        self._at[name] = x
        self._stretches.clear()


def x_value(panel: PanelView, x: float) -> float:
    """A place of the panel in units of its x axis."""
    return 10.0**x if panel.scales.x_log else x + panel.scales.origin


def x_words(panel: PanelView, x: float) -> str:
    """A place of the panel as text: a moment, or a value with its unit."""
    scales = panel.scales
    if scales.time:
        return ticks.moment(x_value(panel, x), scales.clock)
    unit = scales.panel.x.unit
    return ticks.reading(x_value(panel, x)) + (f" {unit}" if unit else "")


def gap_words(panel: PanelView, a: float, b: float) -> str:
    """The distance from A to B as text."""
    gap, scales = x_value(panel, b) - x_value(panel, a), panel.scales
    if scales.time:
        return f"Δ {_short(ticks.moment(gap))}"
    return f"Δ {difference(gap)}" + (f" {scales.panel.x.unit}" if scales.panel.x.unit else "")


def _short(words: str) -> str:
    """A moment as short text for a flag; the axis shows the unit."""
    return words.removesuffix(" min").removesuffix(" h")


def difference(value: float) -> str:
    """A signed difference with three significant digits; a dash if unknown."""
    if not math.isfinite(value):
        return ticks.DASH
    digits = math.floor(math.log10(abs(value))) if value else 0
    return signed(value, min(6, max(0, 2 - digits)))


def paint_cursors(painter: QPainter, ink: Ink, panel: PanelView, cursors: Cursors, names_times: bool) -> None:
    """Draws a solid line at A and a dashed one at B, with flags over the highest panel of a column. With `names_times`
    the flags show the moments and their distance."""
    plot, (low, high) = panel.place.plot, panel.span
    seen = {name: x for name, x in cursors.on(panel).items() if low <= x <= high}
    for name, x in seen.items():
        pen = QPen(ink.token("text", 0.85), 1)
        if name == "B":
            pen.setDashPattern([4, 3])
        painter.setPen(pen)
        at = round(panel.pixel(x, 0).x()) + 0.5
        painter.drawLine(QPointF(at, plot.top()), QPointF(at, plot.bottom()))
    if panel.scales.row:
        return
    flags = {
        name: _flag_area(ink, panel, x, f"{name} {_short(x_words(panel, x))}" if names_times else name)
        for name, x in seen.items()
    }
    if len(flags) == 2:
        _apart(flags, plot)
    for area, text in flags.values():
        _pill(painter, ink, area, text, "text", "card")
    both = cursors.on(panel)
    if names_times and len(flags) == 2:
        _gap_pill(painter, ink, panel, [area for area, _ in flags.values()], gap_words(panel, both["A"], both["B"]))


def _flag_area(ink: Ink, panel: PanelView, x: float, text: str) -> tuple[QRectF, str]:
    plot, wide = panel.place.plot, text_width(ink.strong, text) + ink.px(10)
    left = panel.pixel(x, 0).x() - wide / 2
    left = min(max(left, plot.left()), max(plot.left(), plot.right() - wide))
    return QRectF(round(left), plot.top() - flag_height(ink), wide, flag_height(ink) - 2), text


def _apart(flags: dict[str, tuple[QRectF, str]], plot: QRectF) -> None:
    """Moves two flags that would overlap side by side, inside the plot."""
    left, right = sorted((area for area, _ in flags.values()), key=lambda area: area.left())
    if not left.intersects(right):
        return
    middle = (left.left() + right.right()) / 2
    both = left.width() + right.width() + 2
    start = min(max(middle - both / 2, plot.left()), max(plot.left(), plot.right() - both))
    left.moveLeft(start)
    right.moveLeft(start + left.width() + 2)


def _gap_pill(painter: QPainter, ink: Ink, panel: PanelView, flags: list[QRectF], text: str) -> None:
    """Draws the distance of the cursors: between their flags if there is room, otherwise next to them."""
    plot, wide = panel.place.plot, text_width(ink.strong, text) + ink.px(10)
    left, right = sorted(flags, key=lambda area: area.left())
    room = QRectF(0, left.top(), wide, left.height())
    if right.left() - left.right() > wide + 4:
        room.moveLeft((left.right() + right.left() - wide) / 2)
    elif right.right() + 2 + wide <= panel.place.card.right():
        room.moveLeft(right.right() + 2)
    elif left.left() - 2 - wide >= plot.left():
        room.moveLeft(left.left() - 2 - wide)
    else:
        return
    _pill(painter, ink, room, text, "card", "accent")


def _pill(painter: QPainter, ink: Ink, area: QRectF, text: str, ground: str, colour: str) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ink.token(ground))
    painter.drawRoundedRect(area, 3, 3)
    painter.setFont(ink.strong)
    painter.setPen(ink.token(colour))
    painter.drawText(area, Qt.AlignmentFlag.AlignCenter, text)
