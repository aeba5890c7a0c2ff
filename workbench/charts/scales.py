"""The range of every panel of a figure: shared if panels are compared, exact at its ends."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from workbench.charts import ticks
from workbench.charts.figure import Band, Bars, Figure, FloatArray, Heatmap, Line, Panel, Points
from workbench.charts.ticks import Ticks

Span = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Scales:
    """The position of one panel in the figure, and its ranges; a logarithmic axis counts in exponents.

    `row` is the position within the column from the top. Panels with equal `x_key` move together; those with equal
    `y_key` share y. `x_data` and `y_data` are the ranges without the margins: they determine the steps. `clipped`
    counts the values that a logarithmic axis cannot show.
    """

    panel: Panel
    row: int
    x_key: str
    x: Span
    y: Span
    x_data: Span
    y_data: Span
    x_log: bool = False
    y_log: bool = False
    clipped: int = 0
    y_key: str = ""

    @property
    def heatmap(self) -> Heatmap | None:
        """The heatmap of the panel, if it is one."""
        return next((mark for mark in self.panel.marks if isinstance(mark, Heatmap)), None)

    @property
    def time(self) -> bool:
        """True if x counts seconds since a moment."""
        axis = self.panel.x
        since = axis.unit == "s" and ticks.is_time(axis.label) and not axis.categories
        return self.clock or (since and not self.x_log)

    @property
    def clock(self) -> bool:
        """True if x is the time of day: seconds since 1970, or since midnight."""
        return self.panel.x.unit == "clock"

    @property
    def origin(self) -> float:
        """The amount subtracted from x before drawing, because a large x (seconds since 1970) would lose its
        fractions."""
        return self.x[0] // 86_400 * 86_400 if self.clock else 0.0

    @property
    def gaps(self) -> bool:
        """True if part of a heatmap was not measured: a cell has no sample, or the recording is shorter than x."""
        heat = self.heatmap
        if heat is None or not heat.values.size:
            return heat is not None
        first, last = exponents(heat.edges[[0, -1]]) if self.x_log else heat.edges[[0, -1]]
        slack = 1e-6 * (self.x[1] - self.x[0])
        whole = first <= self.x[0] + slack and last >= self.x[1] - slack
        return not whole or not bool(np.isfinite(heat.values).all())

    def x_step(self, span: Span, most: int = ticks.STEPS_X) -> float:
        """The tick distance of x over `span`, in units of the axis; in decades if logarithmic."""
        if self.x_log:
            low, high = max(span[0], self.x_data[0]), min(span[1], self.x_data[1])
            return ticks.decade_step(low, high, min(most, ticks.STEPS_X))
        length = (span[1] - span[0]) * self._filled
        by = (ticks.time_step if self.time else ticks.step)(length, min(most, ticks.STEPS_X))
        return max(1.0, by) if self.panel.x.counts else by

    def y_step(self, most: int = ticks.STEPS_Y) -> float:
        """The tick distance of y, in units of the axis; in decades if logarithmic."""
        low, high = self.y_data
        most = min(most, ticks.STEPS_Y)
        if self.y_log:
            return ticks.decade_step(low, high, most)
        by = ticks.step(high - low, most)
        return max(1.0, by) if self.panel.y.counts else by

    @property
    def _filled(self) -> float:
        """The share of x that has data: the margins need no extra ticks."""
        return (self.x_data[1] - self.x_data[0]) / (self.x[1] - self.x[0])

    def x_ticks(self, span: Span, most: int) -> Ticks:
        """Ticks of x over `span` (in units of the axis, exponents if logarithmic)."""
        if self.panel.x.categories:
            return Ticks(tuple(map(float, range(len(self.panel.x.categories)))), self.panel.x.categories)
        by = self.x_step(span, most)
        if self.time:
            return ticks.time(*span, by, self.clock)
        return ticks.log(*span, round(by), most) if self.x_log else ticks.linear(*span, by)

    def y_ticks(self, most: int) -> Ticks:
        """Ticks of y. The rows of a heatmap and an axis of names have their names instead."""
        names = self.heatmap.rows if self.heatmap else self.panel.y.categories
        if names:
            return Ticks(tuple(index + 0.5 for index in range(len(names))), names)
        by = self.y_step(most)
        return ticks.log(*self.y, round(by), most) if self.y_log else ticks.linear(*self.y, by)


def exponents(values: FloatArray) -> FloatArray:
    """log10 of `values`. Zero and negative values cannot be on a logarithmic axis and become missing."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(values > 0, np.log10(np.where(values > 0, values, 1.0)), np.nan)


def scales_of(figure: Figure) -> list[Scales]:
    """The ranges of every panel, in the order of the figure's panels."""
    rows: dict[int, int] = {}
    drafts = []
    for panel in figure.panels:
        row = rows[panel.column] = rows.get(panel.column, -1) + 1
        drafts.append((panel, row))
    x_spans = _merged((_x_key(panel), _x_span(panel)) for panel, _ in drafts)
    y_spans = _merged((_y_key(figure, panel, row), _y_span(panel)) for panel, row in drafts)
    y_keys = [_y_key(figure, panel, row) for panel, row in drafts]
    return [
        _scales(panel, row, x_spans[_x_key(panel)], key, y_spans[key])
        for (panel, row), key in zip(drafts, y_keys, strict=True)
    ]


def _scales(panel: Panel, row: int, x_span: Span, y_key: str, y_span: Span) -> Scales:
    x, y = _shown_x(x_span), _shown_y(panel, y_span)
    return Scales(
        panel,
        row,
        _x_key(panel),
        _padded_x(panel, x),
        _padded_y(panel, y),
        x,
        y,
        panel.x.scale == "log",
        panel.y.scale == "log",
        _clipped(panel),
        y_key,
    )


def heat_limits(figure: Figure) -> dict[str, Span]:
    """The colour scale of each unit, common to all heatmaps of the figure."""
    return _merged((m.unit, m.limits) for panel in figure.panels for m in panel.marks if isinstance(m, Heatmap))


def _merged(spans: Iterable[tuple[str, Span]]) -> dict[str, Span]:
    merged: dict[str, Span] = {}
    for key, (low, high) in spans:
        old = merged.get(key, (math.inf, -math.inf))
        merged[key] = (min(old[0], low), max(old[1], high))
    return merged


def _x_key(panel: Panel) -> str:
    axis = panel.x
    if axis.categories:
        return f"names {panel.column} {axis.categories}"
    # Clock times of different runs are days apart, so each column keeps its range.
    return f"{axis.label} {axis.unit} {axis.scale} {panel.column if axis.unit == 'clock' else ''}"


def _y_key(figure: Figure, panel: Panel, row: int) -> str:
    alone = not figure.share_y or any(isinstance(mark, Heatmap) for mark in panel.marks)
    return f"{row} {panel.y.label} {panel.y.unit} {panel.y.scale} {panel.column if alone else ''}"


def _finite(arrays: Iterable[FloatArray]) -> Span:
    low, high = math.inf, -math.inf
    for values in arrays:
        inside = values[np.isfinite(values)]
        if inside.size:
            low, high = min(low, float(inside.min())), max(high, float(inside.max()))
    return low, high


def _x_span(panel: Panel) -> Span:
    if panel.x.categories:
        return -0.5, len(panel.x.categories) - 0.5
    if panel.x.limits:
        low, high = panel.x.limits
        return (math.log10(low), math.log10(high)) if panel.x.scale == "log" and low > 0 else (low, high)
    values = [m.edges if isinstance(m, Heatmap) else m.x for m in panel.marks if not isinstance(m, Bars)]
    return _finite(exponents(v) for v in values) if panel.x.scale == "log" else _finite(values)


def y_values(panel: Panel) -> Iterator[FloatArray]:
    """Every array of the panel on its y axis; stacked bars are added up."""
    piles: dict[str, FloatArray] = {}
    for mark in panel.marks:
        if isinstance(mark, Line | Points):
            yield mark.y
        elif isinstance(mark, Band):
            yield mark.low
            yield mark.high
        elif isinstance(mark, Bars) and mark.stack:
            piles[mark.stack] = piles.get(mark.stack, np.zeros(mark.values.size)) + np.nan_to_num(mark.values)
        elif isinstance(mark, Bars):
            yield mark.values
            yield mark.low
            yield mark.high
    yield from piles.values()


def _y_span(panel: Panel) -> Span:
    heat = next((mark for mark in panel.marks if isinstance(mark, Heatmap)), None)
    if heat is not None:
        return 0.0, float(max(1, len(heat.rows)))
    if panel.y.categories:
        return 0.0, float(len(panel.y.categories))
    log = panel.y.scale == "log"
    if panel.y.limits:
        low, high = panel.y.limits
        return (math.log10(low), math.log10(high)) if log and low > 0 and high > 0 else (low, high)
    return _finite(exponents(v) for v in y_values(panel)) if log else _finite(y_values(panel))


def _clipped(panel: Panel) -> int:
    if panel.y.scale != "log":
        return 0
    return sum(int(np.count_nonzero(values <= 0)) for values in y_values(panel))


def _shown_x(span: Span) -> Span:
    """The x range of the data, never of length 0."""
    low, high = span
    if not (math.isfinite(low) and math.isfinite(high)):
        return 0.0, 1.0
    return (low - 0.5, high + 0.5) if low == high else (low, high)


def _shown_y(panel: Panel, span: Span) -> Span:
    """The y range of the data, never of length 0. A linear axis without explicit limits starts at 0."""
    low, high = span
    if not (math.isfinite(low) and math.isfinite(high)):
        return 0.0, 1.0
    if _is_fixed(panel):
        return (low, high) if low < high else (low, low + 1)
    if panel.y.scale == "log":
        return low, high
    low, high = min(low, 0.0), max(high, 0.0)
    return (low, high) if low < high else (0.0, 1.0)


def _is_fixed(panel: Panel) -> bool:
    """True if the ends of y are fixed, without margins."""
    heat = any(isinstance(mark, Heatmap) for mark in panel.marks)
    return heat or bool(panel.y.limits) or bool(panel.y.categories)


def _padded_x(panel: Panel, span: Span) -> Span:
    low, high = span
    # Samples fill their axis to the edge; dots and the few marked points of a sweep get a margin so that they are not
    # cut off.
    marked = any(
        isinstance(m, Points) or (isinstance(m, Line) and m.look.marker != "none" and m.x.size <= 24)
        for m in panel.marks
    )
    if marked and not panel.x.categories and not panel.x.limits and not panel.regions:
        pad = (high - low) * 0.04
        return low - pad, high + pad
    return low, high


def _padded_y(panel: Panel, span: Span) -> Span:
    low, high = span
    if _is_fixed(panel):
        return low, high
    if panel.y.scale == "log":
        pad = max(0.1, (high - low) * 0.06)
        return low - pad, high + pad
    # Space for the value above a bar, or for a name on a line at the top of the panel.
    room = (high - low) * (0.16 if any(isinstance(m, Bars) for m in panel.marks) else 0.09)
    return (low - room if low < 0 else 0.0), (high + room if high > 0 else 0.0)
