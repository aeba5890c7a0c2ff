"""A panel of a Figure becomes the plan of one native chart: series, axes, and what had to change on the way.

Bars stay bars over their categories. Lines, bands (their two ends) and dots over names become lines of the same
chart; over numbers they become an XY chart, whose x is in the unit that people read (seconds become minutes).
What is not measured is None: an empty cell and a gap. A heat map has no native chart.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from workbench.charts.figure import Axis, Band, Bars, FloatArray, Heatmap, Line, Look, Mark, Panel, Points
from workbench.exporters.curves import Curve, curves_of, sharing_x, time_unit
from workbench.exporters.slides.chart_book import MAX_NAME, MAX_TITLE
from workbench.exporters.slides.scale import (
    LOG_FORMAT,
    Scale,
    label_format,
    log_limits,
    round_limits,
    tick_format,
)

Kind = Literal["bar", "main", "points", "edge", "faint", "region"]
Values = tuple[float | None, ...]
# Names longer than this are read better beside lying bars.
_LONG_LABEL = 28
_TICKS_X, _TICKS_Y = 8, 6
# Beyond the highest bar there is room for its number.
_LABEL_ROOM = 1.05
_REGION = Look("quiet", dash="dot")
# Names of phases closer than this share of the axis would cover each other.
_REGIONS_APART = 0.05
_REGIONS_REMARK = "Dotted upright lines: where a phase begins."


@dataclass(frozen=True, eq=False)
class PlanSeries:
    """One series: `x` is empty over categories; `above` and `below` are the lengths of its error bars."""

    name: str
    kind: Kind
    look: Look
    values: Values
    x: Values = ()
    above: Values = ()
    below: Values = ()
    point_looks: tuple[Look, ...] = ()
    in_legend: bool = True


@dataclass(frozen=True, eq=False)
class Plan:
    """One native chart. `notes` say what was thinned or left out of it, `remarks` how to read it; `label_format` is of
    the numbers at bars."""

    title: str
    subtitle: str
    categories: tuple[str, ...]
    series: tuple[PlanSeries, ...]
    x: Scale
    y: Scale
    stacked: bool = False
    lying: bool = False
    legend: bool = True
    label_format: str = "General"
    notes: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def has_bars(self) -> bool:
        """Whether it is a bar chart."""
        return any(one.kind == "bar" for one in self.series)


def plan_of(panel: Panel, top: float | None = None) -> Plan | None:
    """The plan of a panel, None when nothing in it has a native chart or nothing is measured.

    `top` is the highest value of all panels that share their y axis with it.
    """
    marks = [mark for mark in panel.marks if not isinstance(mark, Heatmap)]
    notes = [*_infinities(panel.title or panel.y.label, marks), *_long_names(panel, marks)]
    found = _over_names(panel, marks) if panel.x.categories else _over_numbers(panel, marks)
    series, extra = found
    drawn = [one for one in series if any(value is not None for value in one.values)]
    if not drawn:
        return None
    bars = [one for one in drawn if one.kind == "bar"]
    stacked = len(bars) > 1 and _is_stacked(marks)
    y = _y_scale(panel.y, drawn, stacked, top)
    x = _x_scale(panel, drawn)
    remarks: tuple[str, ...] = ()
    if not panel.x.categories:
        regions = _regions(panel, x, y, drawn)
        drawn = _padded([*drawn, *regions])
        remarks = (_REGIONS_REMARK,) if regions else ()
    elif panel.regions:
        extra = [*extra, f"the shading is not drawn ({', '.join(one.name for one in panel.regions)})"]
    return Plan(
        panel.title, panel.subtitle, panel.x.categories, tuple(drawn), x, y, stacked,
        lying=len(bars) == len(drawn) and max(map(len, panel.x.categories), default=0) > _LONG_LABEL,
        legend=panel.legend and sum(one.in_legend for one in drawn) > 1,
        label_format=label_format(value for one in bars for value in one.values if value is not None),
        notes=(*notes, *extra), remarks=remarks,
    )  # fmt: skip


def highest(panel: Panel) -> float:
    """The highest finite value of a panel, error bars included; 0 when there is none."""
    ends = [values for mark in panel.marks for values in _y_values(mark)]
    known = [float(part[np.isfinite(part)].max()) for part in ends if np.isfinite(part).any()]
    return max(known, default=0.0)


def values_of(array: FloatArray) -> Values:
    """Python's own numbers; what is not finite is None."""
    return tuple(value if math.isfinite(value) else None for value in array.tolist())


def _y_values(mark: Mark) -> tuple[FloatArray, ...]:
    if isinstance(mark, Bars):
        return mark.values, mark.low, mark.high
    if isinstance(mark, Band):
        return mark.low, mark.high
    return (mark.y,) if isinstance(mark, Line | Points) else ()


def _infinities(where: str, marks: Iterable[Mark]) -> list[str]:
    count = sum(int(np.isinf(part).sum()) for mark in marks for part in _y_values(mark))
    if not count:
        return []
    return [f"{where}: {count} infinite value{'s are' if count > 1 else ' is'} left empty"]


def _long_names(panel: Panel, marks: Iterable[Mark]) -> list[str]:
    names = [*panel.x.categories, *(mark.name for mark in marks)]
    titles = [panel.title, panel.subtitle, panel.x.label, panel.y.label]
    count = sum(len(name) > MAX_NAME for name in names) + sum(len(title) > MAX_TITLE for title in titles)
    if not count:
        return []
    return [f"{count} name{'s are' if count > 1 else ' is'} too long for a chart and cut"]


# Over names


def _over_names(panel: Panel, marks: Sequence[Mark]) -> tuple[list[PlanSeries], list[str]]:
    bars = [mark for mark in marks if isinstance(mark, Bars)]
    merged = _one_each(bars)
    series = [merged] if merged is not None else [_bar(one) for one in bars]
    count = len(panel.x.categories)
    curves, notes = curves_of([mark for mark in marks if not isinstance(mark, Bars)])
    for curve in curves:
        series += _placed(curve, count)
    return series, notes


def _bar(bars: Bars) -> PlanSeries:
    above: Values = ()
    below: Values = ()
    if bars.low.size:
        above, below = values_of(bars.high - bars.values), values_of(bars.values - bars.low)
    return PlanSeries(bars.name, "bar", bars.look, values_of(bars.values), above=above, below=below)


def _one_each(bars: Sequence[Bars]) -> PlanSeries | None:
    """One series instead of many when each has a single bar and no two share a category: configurations."""
    filled = np.isfinite([one.values for one in bars]) if bars else np.zeros((0, 0), bool)
    if len(bars) < 2 or (filled.sum(axis=1) > 1).any() or (filled.sum(axis=0) > 1).any() or not filled.any():
        return None
    owners = [int(np.argmax(column)) for column in filled.T]
    parts = [_bar(one) for one in bars]
    above, below = (
        tuple(ends[at] if (ends := getattr(parts[owner], side)) else None for at, owner in enumerate(owners))
        for side in ("above", "below")
    )
    ranged = any(value is not None for value in above)
    return PlanSeries(
        "", "bar", bars[0].look, tuple(parts[owner].values[at] for at, owner in enumerate(owners)),
        above=above if ranged else (), below=below if ranged else (),
        point_looks=tuple(bars[owner].look for owner in owners), in_legend=False,
    )  # fmt: skip


def _is_stacked(marks: Sequence[Mark]) -> bool:
    stacks = {mark.stack for mark in marks if isinstance(mark, Bars)}
    return len(stacks) == 1 and bool(stacks.pop())


def _placed(curve: Curve, count: int) -> list[PlanSeries]:
    """The curve's values at the categories. Between two points of a line, as of a level across the whole panel,
    they lie on it; dots of one category after the first go into further series."""
    known = np.isfinite(curve.x)
    x, y = curve.x[known], curve.y[known]
    if curve.weight == "points":
        return _dots(curve, x, y, count)
    at = np.arange(count, dtype=np.float64)
    inside = (at >= x.min()) & (at <= x.max()) if x.size else np.zeros(count, bool)
    values = np.full(count, np.nan)
    if inside.any():
        values[inside] = np.interp(at[inside], x, y)
    return [_series_of(curve, values_of(values))]


def _dots(curve: Curve, x: FloatArray, y: FloatArray, count: int) -> list[PlanSeries]:
    layers: list[list[float | None]] = []
    for place, value in zip(np.rint(x).astype(int).tolist(), y.tolist(), strict=True):
        if not (0 <= place < count and math.isfinite(value)):
            continue
        layer = next((one for one in layers if one[place] is None), None)
        if layer is None:
            layer = [None] * count
            layers.append(layer)
        layer[place] = value
    found = [_series_of(curve, tuple(layer)) for layer in layers]
    return [*found[:1], *(replace(one, in_legend=False) for one in found[1:])]


def _series_of(curve: Curve, values: Values, x: Values = ()) -> PlanSeries:
    """A band is named once, at its lower end."""
    edge, upper = curve.weight == "edge", curve.name.endswith(", high")
    name = curve.name.removesuffix(", low") if edge else curve.name
    return PlanSeries(
        name, curve.weight, curve.look, values, x, in_legend=not (edge and upper) and curve.weight != "faint"
    )


# Over numbers


def _over_numbers(panel: Panel, marks: Sequence[Mark]) -> tuple[list[PlanSeries], list[str]]:
    unit = time_unit(panel.x)
    curves, notes = curves_of(marks)
    series: list[PlanSeries] = []
    curves = sorted(curves, key=lambda curve: curve.weight == "points")
    for x, members in sharing_x(curves):
        across = np.isfinite(x)
        shared = values_of(x[across] * unit.factor)
        series += [_series_of(curve, values_of(curve.y[across]), shared) for curve in members]
    return series, notes


def _padded(series: list[PlanSeries]) -> list[PlanSeries]:
    """No series shorter than one behind it: LibreOffice forgets such a series. What is added is empty."""
    longest = 0
    found: list[PlanSeries] = []
    for one in reversed(series):
        more = longest - len(one.x)
        longest = max(longest, len(one.x))
        if more > 0:
            one = replace(one, x=(*one.x, *one.x[-1:] * more), values=(*one.values, *(None,) * more))
        found.append(one)
    return found[::-1]


def _regions(panel: Panel, x: Scale, y: Scale, drawn: Sequence[PlanSeries]) -> list[PlanSeries]:
    """Where a phase begins after the first point: an upright line with its name, none too close to another."""
    if x.low is None or x.high is None or y.low is None or y.high is None:
        return []
    unit = time_unit(panel.x)
    apart = _REGIONS_APART * (x.high - x.low)
    last = max(x.low, min((value for one in drawn for value in one.x if value is not None), default=x.low))
    found: list[PlanSeries] = []
    for region in sorted(panel.regions, key=lambda one: one.start):
        start = region.start * unit.factor
        if last + apart < start < x.high - apart / 2:
            found.append(
                PlanSeries(region.name, "region", _REGION, (y.low, y.high), (start, start), in_legend=False)
            )
            last = start
    return found


# Axes


def _y_scale(axis: Axis, series: Sequence[PlanSeries], stacked: bool, top: float | None) -> Scale:
    title = axis.label if axis.unit in ("", "IOPS") else f"{axis.label} ({axis.unit})"
    low, high = _span(series, stacked)
    if axis.scale == "log":
        first, last = log_limits(value for one in series for value in one.values if value is not None)
        return Scale(title, first, last, log=True, number_format=LOG_FORMAT)
    if axis.limits is not None:
        low, high = axis.limits
    else:
        room = _LABEL_ROOM if not stacked and any(one.kind == "bar" for one in series) else 1.0
        low, high = min(room * low, 0.0), max(room * high, top or 0.0, 0.0)
    if low == high == 0.0:
        high = 1.0
    first, last, step = round_limits(low, high, _TICKS_Y)
    return Scale(title, first, last, step, number_format=tick_format(step))


def _span(series: Sequence[PlanSeries], stacked: bool) -> tuple[float, float]:
    ends: list[float] = []
    if stacked:
        columns = zip(*(one.values for one in series if one.kind == "bar"), strict=True)
        ends += [sum(value or 0.0 for value in column) for column in columns]
    for one in series:
        above, below = one.above or (0.0,) * len(one.values), one.below or (0.0,) * len(one.values)
        for value, up, down in zip(one.values, above, below, strict=True):
            if value is not None:
                ends += [value + (up or 0.0), value - (down or 0.0)]
    return min(ends), max(ends)


def _x_scale(panel: Panel, series: Sequence[PlanSeries]) -> Scale:
    if panel.x.categories:
        return Scale(panel.x.label)
    unit = time_unit(panel.x)
    across = [value for one in series for value in one.x if value is not None]
    if panel.x.scale == "log":
        first, last = log_limits(across)
        return Scale(unit.label, first, last, log=True, number_format=LOG_FORMAT)
    low, high = min(across), max(across)
    if panel.focus is not None:
        low, high = (edge * unit.factor for edge in panel.focus)
    elif panel.x.limits is not None:
        low, high = (edge * unit.factor for edge in panel.x.limits)
    if panel.x.unit == "clock":
        return Scale(unit.label, low, high, number_format="hh:mm")
    low, high, step = round_limits(low, high, _TICKS_X)
    return Scale(unit.label, low, high, step, number_format=tick_format(step))
