"""Which build changed a measure, by how much, and how sure that is.

One figure per run, by date. Whether a series changes at all is tested by E-divisive (`divisive`), on logs where a ratio
of the measure has a meaning, on plain values else. The p-values of all series shown are adjusted after Holm (1979),
those of later change points of a series by the number of series. A change is a step, a drift, or the runs do not show
which (`shape`). The size of a step is the change from the runs between the change points before it to those behind it,
with the interval of `measures.statistics`. Nothing is called a step with fewer than three runs on a side.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

import numpy as np

from workbench.answers.trend.divisive import ChangePoint, change_points, fewest_runs, next_point
from workbench.answers.trend.points import Series, date_notes
from workbench.answers.trend.shape import Place, Shape, Slope, places_of, shape_of, slope_of
from workbench.measures.judging.adjusting import holm
from workbench.measures.judging.verdicts import Adjusted, Judgement, judge
from workbench.measures.replicates import Mean, mean_of
from workbench.measures.statistics import MARGIN, SIGNIFICANT, Change, FloatArray, Scale, Verdict, change, same_p
from workbench.model.history import HistoryPoint


class Outcome(StrEnum):
    """What a series shows."""

    STEP = "step"
    DRIFT = "drift"
    UNCLEAR = "step or drift"
    NONE = "no change shown"
    TOO_FEW = "too few runs"


_OUTCOMES = {Shape.STEP: Outcome.STEP, Shape.DRIFT: Outcome.DRIFT, Shape.UNCLEAR: Outcome.UNCLEAR}


@dataclass(frozen=True, eq=False)
class Step:
    """A step before the run at `index`. `change` is of the runs behind it against those before, `p` after adjusting;
    `places` are where it may be, the likeliest first; `beside` says what else changed there; `reason` is of the
    verdict, which takes a change beyond the margin as everywhere else."""

    index: int
    point: HistoryPoint
    before: HistoryPoint
    change: Change
    verdict: Verdict
    p: float
    places: tuple[Place, ...]
    beside: tuple[str, ...] = ()
    reason: str = ""

    @property
    def size(self) -> float:
        """How large it is beside others: a fall to half is as large as a rise to double."""
        return abs(math.log(max(self.change.ratio, 1e-9)))

    @property
    def same_build(self) -> bool:
        """Whether the runs on both sides of it are of one build: then no build made it."""
        return self.point.build is not None and self.point.build == self.before.build

    @property
    def ends(self) -> tuple[int, int]:
        """The first and the last place that it may be at."""
        indices = [place.index for place in self.places]
        return min(indices), max(indices)


@dataclass(frozen=True, slots=True)
class Segment:
    """The runs from `start` to before `end` with their mean."""

    start: int
    end: int
    mean: Mean


@dataclass(frozen=True, eq=False)
class Trend:
    """What a series shows. `p` is of any change, after adjusting (None: not tested); `ahead` by how much the BIC of a
    line is larger than that of the steps. `slope` is the ratio from the first run to the last with its ends, less 1, or
    the difference where the measure has no ratio; `verdict` is of the drift. `needed` runs could show a step.
    `beside` says what else changed
    along a drift."""

    series: Series
    outcome: Outcome
    steps: tuple[Step, ...] = ()
    segments: tuple[Segment, ...] = ()
    p: float | None = None
    ahead: float | None = None
    slope: Slope | None = None
    verdict: Verdict | None = None
    needed: int = 0
    notes: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether a change is shown, of whichever shape."""
        return self.outcome in (Outcome.STEP, Outcome.DRIFT, Outcome.UNCLEAR)

    @property
    def largest(self) -> Step | None:
        """The step of the largest ratio."""
        return max(self.steps, key=lambda step: step.size, default=None)


def trends(series: Sequence[Series]) -> tuple[Trend, ...]:
    """What each series shows; all of them are one family of tests."""
    least = _least([len(each.points) for each in series])
    scaled = [_scaled(each) for each in series]
    tested = [len(each.points) >= least for each in series]
    count = sum(tested)
    first = [
        next_point(tuple(values), (), count) if test else None for values, test in zip(scaled, tested, strict=True)
    ]
    adjusted = holm([None if point is None else point.p for point in first])
    return tuple(
        _trend(each, values, point, p, count) if point is not None and p is not None else _too_few(each, least)
        for each, values, point, p in zip(series, scaled, first, adjusted, strict=True)
    )


def _least(counts: Sequence[int]) -> int:
    """The runs from which on a series is tested: as many as can show a step beside all others with so many."""
    least = fewest_runs()
    while least < fewest_runs(sum(count >= least for count in counts)):
        least += 1
    return least


def by_outcome(made: Sequence[Trend]) -> list[Trend]:
    """What changes before what does not, and before what too few runs were made of."""
    return sorted(made, key=lambda trend: list(Outcome).index(trend.outcome))


def on_logs(series: Series) -> bool:
    """Whether the series is looked at in logs: a ratio of the measure has a meaning, and no figure is 0."""
    return series.measure.change in ("ratio", None) and min(series.values, default=0.0) > 0


def _scaled(series: Series) -> FloatArray:
    values = np.array(series.values, dtype=np.float64)
    return np.log(values) if on_logs(series) else values


def _trend(series: Series, values: FloatArray, first: ChangePoint, p: float, tests: int) -> Trend:
    points = change_points(tuple(values), [first], tests) if p < SIGNIFICANT else []
    edges = sorted(point.index for point in points)
    segments = _segments(series, edges)
    notes = _notes(series)
    if not edges:
        return Trend(series, Outcome.NONE, (), segments, p, needed=fewest_runs(tests), notes=notes)
    shape, ahead = shape_of(values, edges, series.seconds)
    outcome = _OUTCOMES[shape]
    adjusted = {point.index: p if point is first else min(1.0, tests * point.p) for point in points}
    if outcome is Outcome.STEP:
        steps = tuple(_step(series, values, edges, place, adjusted[at]) for place, at in enumerate(edges))
        return Trend(series, outcome, steps, segments, p, ahead, notes=notes)
    slope = slope_of(values, series.seconds)
    # What may be a step is shown with its place and size as well.
    unclear = outcome is Outcome.UNCLEAR
    steps = tuple(_step(series, values, edges, place, adjusted[at]) for place, at in enumerate(edges) if unclear)
    slope = _unlogged(series, slope)
    whole = _segments(series, ())
    return Trend(
        series,
        outcome,
        steps,
        segments if unclear else whole,
        p,
        ahead,
        slope,
        _drift_verdict(series, slope),
        0,
        notes,
        _beside(series.points),
    )


def _step(series: Series, values: FloatArray, edges: Sequence[int], place: int, p: float) -> Step:
    index = edges[place]
    start, end = (0, *edges)[place], (*edges, len(values))[place + 1]
    runs = series.values
    scale: Scale = "logs" if on_logs(series) else "plain"
    difference = change(runs[start:index], runs[index:end], scale) or _plain(runs[start:index], runs[index:end])
    places = tuple(Place(start + spot.index, spot.share) for spot in places_of(values[start:end], index - start))
    before, behind = series.points[index - 1], series.points[index]
    first, last = min(spot.index for spot in places), max(spot.index for spot in places)
    beside = _beside(series.points[first - 1 : last + 1])
    judgement = _judged(series, runs[start:index], runs[index:end], difference, p)
    return Step(index, behind, before, difference, judgement.verdict, p, places, beside, judgement.reason)


def _plain(before: Sequence[float], behind: Sequence[float]) -> Change:
    """The difference alone, where a figure of 0 leaves no ratio."""
    means = float(np.mean(before)), float(np.mean(behind))
    ratio = means[1] / means[0] if means[0] else math.inf
    return Change(
        ratio,
        means[1] - means[0],
        None,
        None,
        "single",
        len(behind),
        len(before),
        value=means[1],
        baseline_value=means[0],
    )


def _judged(series: Series, before: Sequence[float], behind: Sequence[float], step: Change, p: float) -> Judgement:
    """The verdict of *Compare* on a step. Runs without a ratio have none of its tests: the step alone is held against
    the margin."""
    if step.basis != "single":
        same = same_p(before, behind, MARGIN, step.scale)
        return judge(step, Adjusted(p, same), better=series.measure.better)
    base = abs(step.baseline_value or 0.0)
    if abs(step.difference) <= MARGIN * base:
        return Judgement(Verdict.INCONCLUSIVE, f"differs, but whether by more than {100 * MARGIN:g} % is open")
    return Judgement(_direction(series, step.difference), f"beyond ±{100 * MARGIN:g} %")


def _drift_verdict(series: Series, slope: Slope) -> Verdict:
    """Of a drift from the first run to the last: same where its interval lies within the margin."""
    base = 1.0 if on_logs(series) else abs(float(np.mean(series.values)))
    if max(abs(slope.low), abs(slope.high)) <= MARGIN * base:
        return Verdict.SAME
    return _direction(series, slope.change) if abs(slope.change) > MARGIN * base else Verdict.INCONCLUSIVE


def _direction(series: Series, moved: float) -> Verdict:
    """Better or worse by the measure's good direction; higher or lower where neither is better."""
    better = series.measure.better
    if better == "none":
        return Verdict.HIGHER if moved > 0 else Verdict.LOWER
    return Verdict.BETTER if (moved > 0) == (better == "higher") else Verdict.WORSE


def _beside(points: Sequence[HistoryPoint]) -> tuple[str, ...]:
    """What else changed among the runs that the step may lie between: another explanation."""
    names = dict.fromkeys(name for point in points for name, _ in point.circumstances)
    known = {name: [dict(point.circumstances).get(name) for point in points] for name in names}
    changed = [(name, list(dict.fromkeys(value for value in values if value))) for name, values in known.items()]
    messages = [f"the {name} changed from {values[0]} to {values[-1]}" for name, values in changed if len(values) > 1]
    methods = list(dict.fromkeys(point.method for point in points))
    if len(methods) > 1:
        messages.append(f"the figures were worked out by other versions of the method ({methods[0]} and {methods[-1]})")
    return tuple(messages)


def _notes(series: Series) -> tuple[str, ...]:
    """What a reader must know of the runs."""
    bounds, count = len(series.partial), len(series.every)
    undated = sum(point.date is None for point in series.every)
    unnamed = sum(point.build is None for point in series.every)
    notes = [f"{bounds} of {count} runs are lower bounds, and the test leaves them out"] if bounds else []
    notes += [f"{undated} of {count} runs have no date and stand first"] if undated else []
    notes += [f"{unnamed} of {count} runs name no build"] if unnamed else []
    methods = list(dict.fromkeys(point.method for point in series.points))
    if len(methods) > 1:
        names = " and ".join(str(method) for method in methods)
        notes.append(f"the figures are of different versions of the method ({names})")
    return (*notes, *date_notes(series))


def _segments(series: Series, edges: Sequence[int]) -> tuple[Segment, ...]:
    """The runs between the change points with their means."""
    runs = series.values
    ends = [0, *edges, len(runs)]
    means = [(start, end, mean_of(runs[start:end])) for start, end in pairwise(ends)]
    return tuple(Segment(start, end, mean) for start, end, mean in means if mean is not None)


def _unlogged(series: Series, slope: Slope) -> Slope:
    if not on_logs(series):
        return slope
    change, low, high = (math.expm1(end) for end in (slope.change, slope.low, slope.high))
    return Slope(change, low, high, tuple(math.exp(height) for height in slope.heights))


def _too_few(series: Series, least: int) -> Trend:
    return Trend(series, Outcome.TOO_FEW, needed=least, notes=_notes(series))
