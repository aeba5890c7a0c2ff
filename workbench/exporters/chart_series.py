"""The series of a native chart: bars, lines, the two ends of bands, and dots, with numbers for each x or name.

Nothing here depends on Excel or PowerPoint. Missing values are NaN. A heatmap has no native chart. Lines and bands
become curves over a common x, thinned out to fit the limits of a chart.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Literal

import numpy as np

from workbench.charts.decimate import LIMIT, block_means, min_max
from workbench.charts.figure import Axis, Band, Bars, Emphasis, FloatArray, Line, Look, Mark, Panel, Points

Kind = Literal["bar", "total", "main", "points", "edge", "faint", "region"]
# The heading of the sums of a stack.
TOTAL = "Total"
# More dots at one name than this are unreadable.
_MAX_LAYERS = 40


@dataclass(frozen=True, eq=False)
class PlanSeries:
    """One series. `x` is empty on an axis of names. `low` and `high` are the ends of its error bars (empty: none). A
    `total` is an invisible bar on a stack; its label at the foot is the sum of the stack.

    `head` is the heading of its column of numbers, `name` its legend text. A series of bars with one bar per
    configuration has `point_looks`. `owners` are the marks of the bars: one, or one per name. `emphasis` is that of a
    line, of dots or of a band.
    """

    name: str
    head: str
    kind: Kind
    look: Look
    values: FloatArray
    x: FloatArray = field(default_factory=lambda: np.empty(0))
    low: FloatArray = field(default_factory=lambda: np.empty(0))
    high: FloatArray = field(default_factory=lambda: np.empty(0))
    owners: tuple[Bars, ...] = ()
    point_looks: tuple[Look, ...] = ()
    in_legend: bool = True
    on_right: bool = False
    emphasis: Emphasis = "all"

    @property
    def above(self) -> FloatArray:
        """Length of the error bars above the values; empty if there are none."""
        return self.high - self.values if self.high.size else self.high

    @property
    def below(self) -> FloatArray:
        """Length of the error bars below the values; empty if there are none."""
        return self.values - self.low if self.low.size else self.low

    @property
    def measured(self) -> bool:
        """True if it has any value."""
        return bool(np.isfinite(self.values).any())

    @property
    def unseen(self) -> bool:
        """True for bars with dots at their values instead; only their intervals and numbers are drawn."""
        return bool(self.owners) and self.owners[0].dots

    def owner(self, index: int) -> Bars:
        """The mark that a bar belongs to."""
        return self.owners[index] if len(self.owners) > 1 else self.owners[0]

    @property
    def dressed(self) -> range:
        """Indices of the bars whose look differs from that of the series."""
        differ = bool(self.point_looks) or any(bars.strengths for bars in self.owners)
        return range(self.values.size if differ and not self.unseen else 0)

    def look_at(self, index: int) -> Look:
        """The look of one bar."""
        return self.point_looks[index] if self.point_looks else self.look


def series_of(panel: Panel) -> tuple[tuple[PlanSeries, ...], tuple[str, ...]]:
    """The series of a panel in drawing order, and sentences on omitted and thinned data."""
    series, notes = _over_names(panel) if panel.x.categories else _over_numbers(panel)
    return _named_once(series), tuple(notes)


def with_total(series: Sequence[PlanSeries]) -> tuple[PlanSeries, ...]:
    """The series of a stack with its total after its bars; NaN if no bar of the stack was measured."""
    bars = [drawn for drawn in series if drawn.kind == "bar"]
    values = np.array([bar.values for bar in bars])
    sums = np.where(np.isfinite(values).any(axis=0), np.nansum(values, axis=0), np.nan)
    total = PlanSeries(TOTAL, TOTAL, "total", Look("text"), sums, in_legend=False)
    return (*bars, total, *(drawn for drawn in series if drawn.kind != "bar"))


def finite(values: FloatArray) -> FloatArray:
    """The values, with infinite ones as missing, because a sheet cannot hold them."""
    return np.where(np.isfinite(values), values, np.nan)


def _named_once(series: Sequence[PlanSeries]) -> tuple[PlanSeries, ...]:
    """The series, with each name once in the legend, and without names that have no value."""
    seen: set[str] = set()
    named = []
    for line in series:
        shown = line.in_legend and line.measured and line.name not in seen
        seen |= {line.name} if shown else set()
        named.append(replace(line, in_legend=shown))
    return tuple(named)


def _of_curve(curve: SeriesCurve, x: FloatArray | None = None) -> PlanSeries:
    """The series of a curve. A band is named once, at its lower end; single machines are not named."""
    edge, upper = curve.weight == "edge", curve.name.endswith(", upper end")
    name = curve.name.removesuffix(", lower end") if edge else curve.name
    head = re.sub("lower and upper bound, (lower|upper) end$", r"\1 bound", curve.name)
    return PlanSeries(
        name,
        head,
        curve.weight,
        curve.look,
        finite(curve.y),
        np.empty(0) if x is None else x,
        in_legend=not (edge and upper) and curve.weight != "faint",
        emphasis=curve.emphasis,
    )


def _over_numbers(panel: Panel) -> tuple[list[PlanSeries], list[str]]:
    factor = time_unit(panel.x).factor
    curves, notes = curves_of(panel.marks)
    series: list[PlanSeries] = []
    # Dots last: there are few, and must be on top of the lines.
    for x, members in sharing_x(sorted(curves, key=lambda curve: curve.weight == "points")):
        across = finite(x * factor)
        series += [_of_curve(curve, across) for curve in members]
    return series, notes


def _over_names(panel: Panel) -> tuple[list[PlanSeries], list[str]]:
    bars = [mark for mark in panel.marks if isinstance(mark, Bars)]
    merged = _one_each(bars, y_title(panel))
    series = [merged] if merged is not None else [_of_bars(bar) for bar in bars]
    places = np.arange(len(panel.x.categories), dtype=np.float64)
    curves = [curve for mark in panel.marks for curve in _curves(mark, places)]
    dots = [_dot_of(bar) for bar in bars if bar.dots]
    return [*series, *map(_of_curve, curves[: MAX_SERIES // 2]), *dots, *_spots(panel, curves)], []


def _dot_of(bars: Bars) -> PlanSeries:
    """The dots at the values of bars that are not drawn."""
    return PlanSeries(bars.name, bars.name, "points", bars.look, finite(bars.values), in_legend=False)


def _spots(panel: Panel, curves: Sequence[SeriesCurve]) -> list[PlanSeries]:
    """Dots at the moment of a finding on an axis of names: on each line that it names, otherwise on the first line,
    with its words. A moment may also be at the name where a step begins."""
    spots = []
    lines = [curve for curve in curves if curve.weight == "main"] or curves
    for moment in panel.moments if lines else ():
        at = round(moment.start) if moment.name is None else moment.name
        for name in moment.lines or ("",):
            values = np.full(len(panel.x.categories), np.nan)
            heights = (float(line.y[at]) for line in lines if name in ("", line.name))
            values[at] = next(filter(np.isfinite, heights), np.nan)
            head = f"{moment.words}, {name}" if len(moment.lines) > 1 else moment.words
            spots.append(PlanSeries(moment.words, head, "points", Look("text", marker="diamond"), finite(values)))
    return spots


def y_title(panel: Panel) -> str:
    """The title of the y axis, with its unit."""
    axis = panel.y
    return axis.label if axis.unit in ("", "IOPS") else f"{axis.label} ({axis.unit})"


def _of_bars(bars: Bars) -> PlanSeries:
    return PlanSeries(
        bars.name, bars.name, "bar", bars.look, finite(bars.values), low=bars.low, high=bars.high, owners=(bars,)
    )


def _one_each(bars: Sequence[Bars], head: str) -> PlanSeries | None:
    """One series instead of many, if each has a single bar and no two share a name (configurations); otherwise None."""
    filled = np.isfinite([bar.values for bar in bars]) if bars else np.zeros((0, 0), bool)
    if len(bars) < 2 or (filled.sum(axis=1) > 1).any() or (filled.sum(axis=0) > 1).any() or not filled.any():
        return None
    owners = tuple(bars[int(np.argmax(column))] for column in filled.T)
    low, high = (_at_owners(owners, end) for end in ("low", "high"))
    ranged = bool(np.isfinite(low).any())
    return PlanSeries(
        "",
        head,
        "bar",
        bars[0].look,
        _at_owners(owners, "values"),
        low=low if ranged else np.empty(0),
        high=high if ranged else np.empty(0),
        owners=owners,
        point_looks=tuple(owner.look for owner in owners),
        in_legend=False,
    )


def _at_owners(owners: Sequence[Bars], which: str) -> FloatArray:
    ends: list[FloatArray] = [getattr(owner, which) for owner in owners]
    return finite(np.array([end[at] if end.size else np.nan for at, end in enumerate(ends)]))


def _curves(mark: Mark, places: FloatArray) -> list[SeriesCurve]:
    if isinstance(mark, Points):
        return _layers(mark, places)
    return [
        replace(curve, x=places, y=_at(places, curve.x[part], curve.y[part]))
        for curve in _curves_of_mark(mark)
        for part in _unbroken(curve.x, curve.y)
    ]


def _unbroken(x: FloatArray, y: FloatArray) -> list[slice]:
    """The parts of a line that is broken between two names. Drawn as one, it would slope from name to name."""
    breaks = np.flatnonzero(np.isnan(y) & (x != np.rint(x)))
    edges = [-1, *breaks.tolist(), x.size]
    return [slice(first + 1, last) for first, last in pairwise(edges) if last > first + 1]


def _at(places: FloatArray, x: FloatArray, y: FloatArray) -> FloatArray:
    """The values at the names; otherwise interpolated between their neighbours (a line from edge to edge)."""
    known = np.isfinite(x)
    x, y = x[known], y[known]
    if not x.size:
        return np.full(places.size, np.nan)
    values = np.interp(places, x, y, left=np.nan, right=np.nan)
    for at, value in zip(x.tolist(), y.tolist(), strict=True):
        if at == round(at) and 0 <= at < places.size:
            values[int(at)] = value
    return values


def _layers(mark: Points, places: FloatArray) -> list[SeriesCurve]:
    """Several series with one look, if there are several dots at one name."""
    layers: list[FloatArray] = []
    known = np.isfinite(mark.x) & np.isfinite(mark.y)
    for at, value in zip(np.rint(mark.x[known]).astype(int).tolist(), mark.y[known].tolist(), strict=True):
        if not 0 <= at < places.size:
            continue
        free = next((layer for layer in layers if np.isnan(layer[at])), None)
        if free is None and len(layers) < _MAX_LAYERS:
            free = np.full(places.size, np.nan)
            layers.append(free)
        if free is not None:
            free[at] = value
    return [SeriesCurve(mark.name, places, layer, mark.look, "points", mark.emphasis) for layer in layers]


# Excel's limit for series in one chart.
MAX_SERIES = 255
# Lines up to this many points are drawn completely, as on screen (`decimate.LIMIT`).
MAX_POINTS = LIMIT
MAX_FAINT_POINTS = 200
MAX_DOTS = 5_000
Weight = Literal["main", "points", "edge", "faint"]


@dataclass(frozen=True, eq=False)
class SeriesCurve:
    """A curve. `main`: a line of the answer; `points`: dots without a line; `edge`: one end of a band; `faint`: one
    machine of many."""

    name: str
    x: FloatArray
    y: FloatArray
    look: Look
    weight: Weight
    emphasis: Emphasis = "all"


@dataclass(frozen=True, eq=False)
class TimeUnit:
    """The notation of x: factor from the unit of the axis, header and number format."""

    factor: float
    label: str
    number_format: str


def time_unit(axis: Axis) -> TimeUnit:
    """The notation of an axis. Seconds become minutes; seconds of the day become Excel's fractions of a day; decades
    stay."""
    if axis.unit == "s" and axis.scale == "linear":
        return TimeUnit(1 / 60, f"{axis.label} (min)", "0.00")
    if axis.unit == "clock":
        return TimeUnit(1 / 86_400, axis.label, "hh:mm:ss")
    return TimeUnit(1.0, f"{axis.label} ({axis.unit})" if axis.unit else axis.label, "General")


def curves_of(marks: Sequence[Mark]) -> tuple[list[SeriesCurve], list[str]]:
    """The curves in drawing order (faint ones first), and sentences on omitted and thinned data."""
    every = [curve for mark in marks for curve in _curves_of_mark(mark)]
    order: tuple[Weight, ...] = ("main", "points", "edge", "faint")
    kept = sorted(every, key=lambda curve: order.index(curve.weight))[:MAX_SERIES]
    notes: list[str] = []
    if len(every) > len(kept):
        notes.append(
            f"{len(every) - len(kept)} of {len(every)} lines are omitted, because Excel draws at most {MAX_SERIES}"
        )
    drawn = sorted(kept, key=lambda curve: -order.index(curve.weight))
    thinned = [_thinned(curve, notes) for curve in drawn]
    return thinned, list(dict.fromkeys(notes))


def _curves_of_mark(mark: Mark) -> list[SeriesCurve]:
    if isinstance(mark, Line):
        weight: Weight = "main" if mark.prominent else "faint"
        return [SeriesCurve(mark.name, mark.x, mark.y, mark.look, weight, mark.emphasis)]
    if isinstance(mark, Band):
        return [
            SeriesCurve(f"{mark.name}, lower end", mark.x, mark.low, mark.look, "edge", mark.emphasis),
            SeriesCurve(f"{mark.name}, upper end", mark.x, mark.high, mark.look, "edge", mark.emphasis),
        ]
    if isinstance(mark, Points):
        order = np.argsort(mark.x, kind="stable")
        return [SeriesCurve(mark.name, mark.x[order], mark.y[order], mark.look, "points", mark.emphasis)]
    return []


def _thinned(curve: SeriesCurve, notes: list[str]) -> SeriesCurve:
    if curve.weight == "points":
        if curve.x.size <= MAX_DOTS:
            return curve
        step = int(np.ceil(curve.x.size / MAX_DOTS))
        notes.append(f"Only one in {step} of {curve.x.size:,} dots is shown")
        return replace(curve, x=curve.x[::step], y=curve.y[::step])
    if curve.weight == "faint" and curve.x.size > MAX_FAINT_POINTS:
        factor = int(np.ceil(curve.x.size / MAX_FAINT_POINTS))
        notes.append(f"Lines for individual VMs show means of {factor} neighbouring points")
        x, y = (block_means(values[None, :], factor)[0] for values in (curve.x, curve.y))
        return replace(curve, x=x, y=y)
    if curve.x.size > MAX_POINTS:
        per_bucket = int(np.ceil(2 * curve.x.size / MAX_POINTS))
        notes.append(f"Lines with many points show only the lowest and highest of every {per_bucket} points")
        x, y = min_max(curve.x, curve.y, per_bucket)
        return replace(curve, x=x, y=y)
    return curve


def sharing_x(curves: Sequence[SeriesCurve]) -> list[tuple[FloatArray, list[SeriesCurve]]]:
    """Neighbouring curves with equal x, so x is written once. Rows without any value are removed."""
    groups: list[tuple[FloatArray, list[SeriesCurve]]] = []
    for curve in curves:
        if groups and np.array_equal(groups[-1][0], curve.x):
            groups[-1][1].append(curve)
        else:
            groups.append((curve.x, [curve]))
    return [_trimmed(x, members) for x, members in groups]


def _trimmed(x: FloatArray, members: list[SeriesCurve]) -> tuple[FloatArray, list[SeriesCurve]]:
    known = np.flatnonzero(np.isfinite([curve.y for curve in members]).any(axis=0)) if x.size else np.empty(0)
    part = slice(int(known[0]), int(known[-1]) + 1) if known.size else slice(0, 0)
    return x[part], [replace(curve, x=x[part], y=curve.y[part]) for curve in members]
