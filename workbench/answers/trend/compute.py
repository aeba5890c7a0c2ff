"""Finds which build changed a metric, by how much, and with which certainty.

Runs of one session resemble each other, so the calculation uses the mean of each session, in order of date. E-divisive
(`divisive`) tests if a series changes at all: on logarithms if a ratio of the metric has a meaning, otherwise on plain
values. The p-values of all shown series are adjusted after Holm (1979), those of later change points of a series by the
number of series. A change is a step, a drift, or undecided. A step is reported at its most likely place (`shape`). Its
size is the change between two groups of sessions: from the previous step to this step, and from this step to the next.
The interval is that of `measures.statistics`. If a side has two sessions, it is Student's interval with one pooled
variance of both sides. A step needs more than one session on each side. The last session alone can only be a possible
step, if at most one session in a hundred is as far from the others.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise

import numpy as np

from workbench.answers.trend.divisive import (
    LEAST_RUNS,
    ChangePoint,
    Shape,
    Slope,
    SplitPlace,
    change_points,
    fewest_runs,
    next_point,
    placed,
    places_of,
    shape_of,
    slope_of,
    smallest_p,
)
from workbench.answers.trend.parted import beside_of, notes_of
from workbench.answers.trend.points import TrendSeries
from workbench.measures.configurations import Mean, mean_of
from workbench.measures.significance.p_values import holm
from workbench.measures.significance.verdicts import Adjusted, Judgement, judge, withheld
from workbench.measures.statistics import (
    FLAT,
    INTERVAL_RUNS,
    MARGIN,
    SIGNIFICANT,
    Change,
    FloatArray,
    Scale,
    Verdict,
    Welch,
    change,
    same_p,
)
from workbench.model.history import HistoryPoint


class TrendOutcome(StrEnum):
    """The result for a series."""

    STEP = "step"
    DRIFT = "drift"
    UNCLEAR = "step or drift"
    NONE = "no change shown"
    TOO_FEW = "too few runs"


# The last session is a possible step if at most this share of sessions is as far from the others.
_FAR = 0.01
_OUTCOMES = {Shape.STEP: TrendOutcome.STEP, Shape.DRIFT: TrendOutcome.DRIFT, Shape.UNCLEAR: TrendOutcome.UNCLEAR}


@dataclass(frozen=True, eq=False)
class TrendStep:
    """A step before the run at `index`, the first of its session. `change` compares the sessions after it with those
    before, `runs` are the numbers of runs before and after, `p` is adjusted. `places` are its possible places, the
    likeliest first. `beside` lists other changes at the same place. `reason` belongs to the verdict, which uses the
    same margin as all verdicts."""

    index: int
    point: HistoryPoint
    before: HistoryPoint
    change: Change
    verdict: Verdict
    p: float
    places: tuple[SplitPlace, ...]
    beside: tuple[str, ...] = ()
    reason: str = ""
    runs: tuple[int, int] = (0, 0)

    @property
    def size(self) -> float:
        """The size for comparing steps: a fall to half counts as much as a rise to double."""
        return abs(math.log(max(self.change.ratio, 1e-9)))

    @property
    def same_build(self) -> bool:
        """True if the runs on both sides have one build: then a build did not cause the step."""
        return self.point.build is not None and self.point.build == self.before.build

    @property
    def ends(self) -> tuple[int, int]:
        """The first and the last possible place."""
        indices = [place.index for place in self.places]
        return min(indices), max(indices)


@dataclass(frozen=True, slots=True)
class TrendSegment:
    """The runs from `start` to before `end`, with the mean of their sessions."""

    start: int
    end: int
    mean: Mean


@dataclass(frozen=True, eq=False)
class Possible:
    """A step that the runs cannot show yet: from the run at `index` on, by `ratio` (None if there is none). `more`
    further sessions with runs of this build would show it."""

    index: int
    point: HistoryPoint
    ratio: float | None
    more: int


@dataclass(frozen=True, eq=False)
class Trend:
    """The result for a series. `p` is the adjusted p-value of any change (None: not tested). `ahead` is the BIC of a
    line minus the BIC of the steps. `slope` is the ratio from the first run to the last minus 1, with its ends, or the
    difference if the metric has no ratio. `verdict` is that of the drift. `needed` sessions could show a step. `beside`
    lists other changes during a drift. `possible` is a step at the end that the runs cannot show yet."""

    series: TrendSeries
    outcome: TrendOutcome
    steps: tuple[TrendStep, ...] = ()
    segments: tuple[TrendSegment, ...] = ()
    p: float | None = None
    ahead: float | None = None
    slope: Slope | None = None
    verdict: Verdict | None = None
    needed: int = 0
    notes: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    possible: Possible | None = None

    @property
    def changed(self) -> bool:
        """True if a change of any shape is shown."""
        return self.outcome in (TrendOutcome.STEP, TrendOutcome.DRIFT, TrendOutcome.UNCLEAR)

    @property
    def largest(self) -> TrendStep | None:
        """The step with the largest ratio; None without a step."""
        return max(self.steps, key=lambda step: step.size, default=None)

    def sides_of(self, step: TrendStep) -> tuple[tuple[HistoryPoint, ...], tuple[HistoryPoint, ...]]:
        """The runs before and after a step, up to the neighbouring steps."""
        points = self.series.points
        edges = [0, *sorted(other.index for other in self.steps), len(points)]
        number = edges.index(step.index, 1)
        return points[edges[number - 1] : step.index], points[step.index : edges[number + 1]]


def trends(series: Sequence[TrendSeries]) -> tuple[Trend, ...]:
    """The result for each series. All series together are corrected for multiple tests."""
    scaled = [_scaled(member) for member in series]
    least = _least([len(values) for values in scaled])
    tested = [len(values) >= least for values in scaled]
    count = sum(tested)
    first = [
        next_point(tuple(values), (), count) if test else None for values, test in zip(scaled, tested, strict=True)
    ]
    adjusted = holm([None if point is None else point.p for point in first])
    return tuple(
        _trend(member, values, point, p, count)
        if point is not None and p is not None
        else _too_few(member, _needed(len(values), [len(every) for every in scaled], least))
        for member, values, point, p in zip(series, scaled, first, adjusted, strict=True)
    )


def _least(counts: Sequence[int]) -> int:
    """The smallest number of sessions that is tested: enough to show a step when this number of series is tested."""
    least = fewest_runs()
    while least < fewest_runs(sum(count >= least for count in counts)):
        least += 1
    return least


def _needed(own: int, counts: Sequence[int], least: int) -> int:
    """The number of sessions that a series with too few needs. All series with this number of sessions are then tested
    too.
    """
    needed = least
    while needed < fewest_runs(sum(count >= needed or count == own for count in counts)):
        needed += 1
    return needed


def by_outcome(trends: Sequence[Trend]) -> list[Trend]:
    """Tested series first, then those with too few runs; otherwise in the order of the charts."""
    return sorted(trends, key=lambda trend: trend.outcome is TrendOutcome.TOO_FEW)


def drift_ratio(trend: Trend) -> float:
    """The end of a drift's line divided by its beginning. If one of them is not above 0: 1 plus the drift as a share of
    the mean of the runs. 1 without a drift."""
    if trend.slope is None:
        return 1.0
    first, last = trend.slope.heights[0], trend.slope.heights[-1]
    if first > 0 and last > 0:
        return last / first
    mean = abs(float(np.mean(trend.series.values)))
    return 1 + abs(trend.slope.change) / mean if mean else math.inf


def _scaled(series: TrendSeries) -> FloatArray:
    values = np.array(series.session_values, dtype=np.float64)
    return np.log(values) if series.on_logs else values


def _trend(series: TrendSeries, values: FloatArray, first: ChangePoint, p: float, tests: int) -> Trend:
    points = change_points(tuple(values), [first], tests) if p < SIGNIFICANT else []
    points.sort(key=lambda point: point.index)
    edges = placed(values, [point.index for point in points])
    segments = _segments(series, edges)
    notes = notes_of(series)
    if not edges:
        possible = _possible(series, values, tests)
        notes = (*notes, _blind_note(len(values), tests))
        return Trend(
            series, TrendOutcome.NONE, (), segments, p, needed=fewest_runs(tests), notes=notes, possible=possible
        )
    shape, ahead = shape_of(values, edges, series.session_seconds)
    outcome = _OUTCOMES[shape]
    adjusted = [p if point is first else min(1.0, tests * point.p) for point in points]
    # A possible step is also shown with its place and size.
    shown = outcome is not TrendOutcome.DRIFT
    steps = tuple(_step(series, values, edges, number, one) for number, one in enumerate(adjusted) if shown)
    if outcome is TrendOutcome.STEP:
        return Trend(series, outcome, steps, segments, p, ahead, notes=notes)
    slope = _unlogged(series, slope_of(values, series.session_seconds))
    return Trend(
        series,
        outcome,
        steps,
        segments if shown else _segments(series, ()),
        p,
        ahead,
        slope,
        _drift_verdict(series, slope),
        0,
        notes,
        beside_of(series.points),
    )


def _possible(series: TrendSeries, values: FloatArray, tests: int) -> Possible | None:
    """The step that may begin in the last sessions, if the test cannot show a step there yet."""
    count = len(values)
    for behind in range(1, _blind(count, tests) + 1):
        before, after = values[:-behind], values[-behind:]
        student = _one_scatter(before, after)
        moved = math.expm1(student.centre) if series.on_logs else student.centre
        base = 1.0 if series.on_logs else abs(float(before.mean()))
        if abs(moved) > MARGIN * base and (student.p is None or student.p * tests < _FAR):
            more = 1
            while not _can_show(count + more, behind + more, tests):
                more += 1
            start = series.starts[-behind]
            ratio = 1 + moved / base if base else None
            return Possible(start, series.points[start], ratio, more)
    return None


def _can_show(count: int, behind: int, tests: int) -> bool:
    return behind >= LEAST_RUNS and tests * smallest_p(count, behind) < SIGNIFICANT


def _blind(count: int, tests: int) -> int:
    """The number of last sessions in which a step cannot be shown yet."""
    return next(behind - 1 for behind in range(1, count) if _can_show(count, behind, tests))


def _blind_note(count: int, tests: int) -> str:
    blind = _blind(count, tests)
    which = "the last run" if blind == 1 else f"the last {blind} test days"
    return f"a step in {which} cannot be detected yet. Add runs"


def _step(series: TrendSeries, values: FloatArray, edges: Sequence[int], number: int, p: float) -> TrendStep:
    at = edges[number]
    start, end = (0, *edges)[number], (*edges, len(values))[number + 1]
    before, behind = series.session_values[start:at], series.session_values[at:end]
    difference = _difference(before, behind, "logs" if series.on_logs else "plain")
    # From here on indexes count runs, like the points.
    begins = (*series.starts, len(series.points))
    places = tuple(SplitPlace(begins[start + spot.index], spot.share) for spot in places_of(values[start:end]))
    found = [start + spot.index for spot in places_of(values[start:end])]
    beside = beside_of(series.points[begins[min(found)] - 1 : begins[max(found) + 1]])
    judgement = _judged(series, before, behind, difference, p)
    index = begins[at]
    runs = index - begins[start], begins[end] - index
    point, last = series.points[index], series.points[index - 1]
    return TrendStep(index, point, last, difference, judgement.verdict, p, places, beside, judgement.reason, runs)


def _difference(before: Sequence[float], behind: Sequence[float], scale: Scale) -> Change:
    """The change as on *Compare*; if a side has two sessions, with the interval of a pooled variance."""
    found = change(before, behind, scale) or _plain(before, behind)
    if min(len(before), len(behind)) >= INTERVAL_RUNS or min(*before, *behind) <= 0:
        return found
    plain, logs = (_one_scatter(*sides) for sides in ((before, behind), (np.log(before), np.log(behind))))
    if logs.p is None:
        return found
    low, high = map(math.exp, logs.ends())
    p, ends = (logs if scale == "logs" else plain).p, plain.ends()
    return replace(
        found,
        ratio=math.exp(logs.centre),
        low=low,
        high=high,
        basis="interval",
        p=p,
        difference_low=ends[0],
        difference_high=ends[1],
        scale=scale,
        welch=logs,
    )


def _one_scatter(before: Sequence[float] | FloatArray, behind: Sequence[float] | FloatArray) -> Welch:
    """The difference of the means with Student's error from the pooled variance of both sides; one value after the step
    is enough."""
    sides = np.asarray(before, dtype=np.float64), np.asarray(behind, dtype=np.float64)
    freedom = sides[0].size + sides[1].size - 2
    variance = sum(float(((side - side.mean()) ** 2).sum()) for side in sides) / freedom
    error = math.sqrt(variance * (1 / sides[0].size + 1 / sides[1].size))
    level = max(float(np.abs(side).max()) for side in sides)
    return Welch(float(sides[1].mean() - sides[0].mean()), error if error > FLAT * level else 0.0, float(freedom))


def _plain(before: Sequence[float], behind: Sequence[float]) -> Change:
    """The difference alone, because a value of 0 permits no ratio."""
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


def _judged(series: TrendSeries, before: Sequence[float], behind: Sequence[float], step: Change, p: float) -> Judgement:
    """The verdict of *Compare* on a step; none if the interval includes "no change". If sessions have no ratio, its
    tests do not apply: the step alone is compared with the margin."""
    if step.basis != "single":
        same = same_p(before, behind, MARGIN, step.scale)
        judgement = judge(step, Adjusted(p, same), better=series.measure.better)
        if judgement.verdict is Verdict.SAME:
            return judgement
        ends = (step.low, step.high, 1.0) if step.scale == "logs" else (step.difference_low, step.difference_high, 0.0)
        low, high, none = ends
        open_ = low is not None and high is not None and low <= none <= high
        return withheld(judgement, "the interval of the step includes 0" if open_ else None)
    base = abs(step.baseline_value or 0.0)
    if abs(step.difference) <= MARGIN * base:
        return Judgement(
            Verdict.INCONCLUSIVE, f"there is a change, but it is unknown whether it exceeds {100 * MARGIN:g} %"
        )
    return Judgement(_direction(series, step.difference), f"the change exceeds ±{100 * MARGIN:g} %")


def _drift_verdict(series: TrendSeries, slope: Slope) -> Verdict:
    """The verdict on a drift from the first run to the last: same if its interval is within the margin."""
    base = 1.0 if series.on_logs else abs(float(np.mean(series.values)))
    if max(abs(slope.low), abs(slope.high)) <= MARGIN * base:
        return Verdict.SAME
    return _direction(series, slope.change) if abs(slope.change) > MARGIN * base else Verdict.INCONCLUSIVE


def _direction(series: TrendSeries, moved: float) -> Verdict:
    """Better or worse by the good direction of the metric; higher or lower if it has none."""
    better = series.measure.better
    if better == "none":
        return Verdict.HIGHER if moved > 0 else Verdict.LOWER
    return Verdict.BETTER if (moved > 0) == (better == "higher") else Verdict.WORSE


def _segments(series: TrendSeries, edges: Sequence[int]) -> tuple[TrendSegment, ...]:
    """The runs between the change points with the means of their sessions; `edges` count sessions."""
    values, starts = series.session_values, (*series.starts, len(series.points))
    ends = [0, *edges, len(values)]
    means = [(starts[start], starts[end], mean_of(values[start:end])) for start, end in pairwise(ends)]
    return tuple(TrendSegment(start, end, mean) for start, end, mean in means if mean is not None)


def _unlogged(series: TrendSeries, slope: Slope) -> Slope:
    """The line in the unit of the metric, with its height at each run."""
    runs = np.diff((*series.starts, len(series.points)))
    heights = np.repeat(slope.heights, runs)
    if not series.on_logs:
        return replace(slope, heights=tuple(heights.tolist()))
    change, low, high = (math.expm1(end) for end in (slope.change, slope.low, slope.high))
    return Slope(change, low, high, tuple(np.exp(heights).tolist()))


def _too_few(series: TrendSeries, least: int) -> Trend:
    return Trend(series, TrendOutcome.TOO_FEW, needed=least, notes=notes_of(series))
