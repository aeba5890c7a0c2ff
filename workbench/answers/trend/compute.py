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
from workbench.answers.trend.parted import silent_notes
from workbench.answers.trend.points import Series, date_notes
from workbench.answers.trend.shape import Place, Shape, Slope, places_of, shape_of, slope_of
from workbench.measures.judging.adjusting import holm
from workbench.measures.judging.verdicts import Adjusted, Judgement, judge
from workbench.measures.replicates import Mean, mean_of
from workbench.measures.statistics import MARGIN, SIGNIFICANT, Change, FloatArray, Scale, Verdict, change, same_p
from workbench.model.history import HistoryPoint
from workbench.words.lists import first_named


class Outcome(StrEnum):
    """What a series shows."""

    STEP = "step"
    DRIFT = "drift"
    UNCLEAR = "step or drift"
    NONE = "no change shown"
    TOO_FEW = "too few runs"


# So many runs are named in a note.
_NAMED = 3
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

    def sides_of(self, step: Step) -> tuple[tuple[HistoryPoint, ...], tuple[HistoryPoint, ...]]:
        """The runs before a step and those behind it, as far as the steps beside it."""
        points = self.series.points
        edges = [0, *sorted(other.index for other in self.steps), len(points)]
        number = edges.index(step.index, 1)
        return points[edges[number - 1] : step.index], points[step.index : edges[number + 1]]


def trends(series: Sequence[Series]) -> tuple[Trend, ...]:
    """What each series shows; all of them are one family of tests."""
    least = _least([len(member.points) for member in series])
    scaled = [_scaled(member) for member in series]
    tested = [len(member.points) >= least for member in series]
    count = sum(tested)
    first = [
        next_point(tuple(values), (), count) if test else None for values, test in zip(scaled, tested, strict=True)
    ]
    adjusted = holm([None if point is None else point.p for point in first])
    return tuple(
        _trend(member, values, point, p, count) if point is not None and p is not None else _too_few(member, least)
        for member, values, point, p in zip(series, scaled, first, adjusted, strict=True)
    )


def _least(counts: Sequence[int]) -> int:
    """The runs from which on a series is tested: as many as can show a step beside all others with so many."""
    least = fewest_runs()
    while least < fewest_runs(sum(count >= least for count in counts)):
        least += 1
    return least


def by_outcome(trends: Sequence[Trend]) -> list[Trend]:
    """What was tested before what too few runs were made of; else in their order, which is that of the charts."""
    return sorted(trends, key=lambda trend: trend.outcome is Outcome.TOO_FEW)


def on_logs(series: Series) -> bool:
    """Whether the series is looked at in logs: a ratio of the measure has a meaning, and no figure is 0."""
    return series.measure.change in ("ratio", None) and min(series.values, default=0.0) > 0


def drift_ratio(trend: Trend) -> float:
    """The end of a drift's line divided by its beginning; where one of them is not above 0, 1 and the drift as a share
    of the mean of the runs. 1 without a drift."""
    if trend.slope is None:
        return 1.0
    first, last = trend.slope.heights[0], trend.slope.heights[-1]
    if first > 0 and last > 0:
        return last / first
    mean = abs(float(np.mean(trend.series.values)))
    return 1 + abs(trend.slope.change) / mean if mean else math.inf


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
        steps = tuple(_step(series, values, edges, number, adjusted[at]) for number, at in enumerate(edges))
        return Trend(series, outcome, steps, segments, p, ahead, notes=notes)
    slope = slope_of(values, series.seconds)
    # What may be a step is shown with its place and size as well.
    unclear = outcome is Outcome.UNCLEAR
    steps = tuple(_step(series, values, edges, number, adjusted[at]) for number, at in enumerate(edges) if unclear)
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


def _step(series: Series, values: FloatArray, edges: Sequence[int], number: int, p: float) -> Step:
    index = edges[number]
    start, end = (0, *edges)[number], (*edges, len(values))[number + 1]
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
    messages = [_changed(name, points) for name in names]
    methods = list(dict.fromkeys(point.method for point in points))
    if len(methods) > 1:
        messages.append(f"the figures were worked out by other versions of the method ({methods[0]} and {methods[-1]})")
    return tuple(filter(None, messages))


def _changed(name: str, points: Sequence[HistoryPoint]) -> str:
    """How a circumstance changes over the runs, or from where on it is stated; empty where it stays."""
    values = [dict(point.circumstances).get(name) for point in points]
    stated = list(dict.fromkeys(value for value in values if value))
    if len(stated) > 1:
        return f"the {name} changed from {stated[0]} to {stated[-1]}"
    if not values[0] and values[-1]:
        point = next(point for point, value in zip(points, values, strict=True) if value)
        build = f"build {point.build}" if point.build else f"the run {point.run}"
        return f"the {name} is stated from {build} on only, as {stated[0]}"
    return ""


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
    return (*notes, *date_notes(series), *_kept_notes(series), *silent_notes(series), *filter(None, (series.split,)))


def _kept_notes(series: Series) -> list[str]:
    """Which runs the history folder alone has, and which of them an open study of their name does not have."""
    if not (kept := series.kept):
        return []
    names, count = first_named([point.run for point in kept], _NAMED), len(kept)
    notes = [
        f"{count} of {len(series.every)} runs {'is' if count == 1 else 'are'} from the history folder alone: {names}"
    ]
    missing = {
        study: [point.run for point in kept if point.study == study]
        for study in dict.fromkeys(point.study for point in series.every if point.folder)
    }
    texts = {study: first_named(runs, _NAMED) for study, runs in missing.items() if runs}
    return [*notes, *(f"the open study {study} does not have {runs}" for study, runs in texts.items())]


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
