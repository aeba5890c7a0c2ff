"""Problems among the runs themselves: their order, a drift over that order, and outlying runs.

All are reported. No run is removed and no value corrected. Values of the primary metrics are compared as logs, each
minus the mean of its configuration.

Order: `blocked` if one side came first in fewer than 20 % or in more than 80 % of the pairs with one run of each side.
Then time and configuration cannot be separated. Equal start times count half.

Drift: the slope over the runs in start order, with Student's t-test on runs − configurations − 1 degrees of freedom,
adjusted by Holm over the primary metrics.

Outlying run: the residual computed without the run (Cook and Weisberg, 1982), compared with the variation of its
configuration from five runs on, and of all configurations below that. The p-value is adjusted for the number of runs
and primary metrics (Bonferroni), and the run must also be farther away than the margin.

It also checks if drift within steady state could explain a difference between two configurations.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from workbench.measures.catalogue import MEASURES
from workbench.measures.configurations import Group, figure_values
from workbench.measures.phase_table import RunFigures
from workbench.measures.significance.differences import Difference
from workbench.measures.significance.p_values import holm
from workbench.measures.statistics import INTERVAL_RUNS, MARGIN, SIGNIFICANT, FloatArray, two_sided
from workbench.measures.steadiness import shift_words
from workbench.model.phase import STEADY
from workbench.model.problem import Problem, Severity, few_named
from workbench.study.series.run_date import known_date
from workbench.words.captions import capital, named
from workbench.words.metrics import in_phase
from workbench.words.numbers import fixed

# With fewer degrees of freedom neither test gives a result.
_LEAST_FREEDOM = 3
# From this number of runs on, the variation of one configuration is enough.
_OWN = 5
# A drift weakens a change if it can explain at least this share of it.
_SHARE = 0.5
# Between these shares of pairs the sides alternate.
_TURNS = (0.2, 0.8)
_NOT_ALTERNATED = (
    "The runs did not alternate between the configurations, so drift may look like a change. Alternate the runs."
)
# Maximum number of configurations that are named.
_NAMED = 2
_ONE_EACH = "Drift may look like a change. Repeat the runs in alternating order."
Order = Literal["interleaved", "blocked", "unknown"]


@dataclass(frozen=True, slots=True)
class Drift:
    """A drift of one metric in one phase: slope per run in logs, p-value after Holm, number of runs, and the mean
    position of each configuration in the start order."""

    phase: str
    key: str
    slope: float
    p: float
    runs: int
    places: tuple[tuple[str, float], ...]

    def explains(self, configuration: str, baseline: str, ratio: float, *, of_it: bool = True) -> bool:
        """True if the order of the runs alone could cause half of a change.

        For a change of this metric in this phase (`of_it`), the drift must have the direction of the change. For
        another metric of these runs it may have either direction.
        """
        places = dict(self.places)
        if configuration not in places or baseline not in places or ratio <= 0:
            return False
        moved = self.slope * (places[configuration] - places[baseline])
        return abs(moved) >= _SHARE * abs(math.log(ratio)) and (not of_it or moved * math.log(ratio) > 0)


@dataclass(frozen=True, eq=False)
class _Figures:
    """The values of one primary metric in one phase: logs, configuration and name of each run, and the start order."""

    phase: str
    key: str
    logs: FloatArray
    labels: tuple[str, ...]
    runs: tuple[str, ...]
    order: tuple[int, ...]

    @property
    def centred(self) -> FloatArray:
        """The logs, each minus the mean of its configuration."""
        return _centred(self.logs, self.labels)


def order_of(base: Group, group: Group) -> tuple[Order, float | None]:
    """The order of the runs of two configurations, and the share of pairs in which the baseline came first (None:
    unknown). `unknown` if a start is unknown or guessed (zone, date), or only some clocks have a zone."""
    theirs, ours = ([_start(run) for run in side.runs] for side in (base, group))
    zones = {zoned for side in (base, group) for run in side.runs if (zoned := _zoned(run)) is not None}
    known = [[start for start in side if start is not None] for side in (theirs, ours)]
    if not ours or not theirs or len(zones) > 1 or list(map(len, known)) != [len(theirs), len(ours)]:
        return "unknown", None
    first = np.sign(np.subtract.outer(known[1], known[0]))
    share = float((first + 1).mean() / 2)
    return ("interleaved" if _TURNS[0] <= share <= _TURNS[1] else "blocked"), share


def order_problem(base: Group, group: Group) -> Problem | None:
    """The warning that time and configuration cannot be separated. None if they can, and if a side has one run, because
    that is reported separately."""
    for message in _order_words(base, (group,)):
        action = "compared anyway, but findings are indicative at best; to alternate the runs, use 'vdiwb plan'"
        return Problem(Severity.WARNING, group.label, "compare-order", message, action)
    return None


def order_caveats(base: Group, groups: Sequence[Group]) -> tuple[str, ...]:
    """The caveats that the runs did not alternate with those of the baseline, one for all configurations with the same
    order. Empty if they alternated, or if an unknown order concerns one run."""
    several = tuple(f"{words} Alternate the runs." for words in _order_words(base, groups))
    # A side with one run has no such problem: its runs can only come before or after.
    single = [group for group in groups if min(len(base.runs), len(group.runs)) < 2]
    blocked = {len(base.runs) == len(group.runs) for group in single if order_of(base, group)[0] == "blocked"}
    return (*several, *(_ONE_EACH if one_each else _NOT_ALTERNATED for one_each in sorted(blocked, reverse=True)))


def _order_words(base: Group, groups: Sequence[Group]) -> Iterator[str]:
    """The orders that separate no time from a configuration, each with its configurations."""
    found: dict[tuple[str, bool], list[str]] = {}
    for group in groups:
        order, share = order_of(base, group)
        if order != "interleaved" and min(len(base.runs), len(group.runs)) > 1:
            some = "" if share is None else "All" if share in (0, 1) else "Most"
            found.setdefault((some, share is not None and share > _TURNS[1]), []).append(named(group.label))
    for (some, base_first), labels in found.items():
        alike, others = len(labels) == len(groups), few_named(labels, _NAMED)
        told = f"The run order{'' if alike else f' of {others}'} is unknown"
        if some:
            # Without names, the sentence is about all configurations.
            when, than = ("first", "before") if base_first else ("last", "after")
            told = f"{some} runs of {named(base.label)} came {when if alike else f'{than} those of {others}'}"
        yield f"{told}, so drift may affect the comparison."


def _start(figures: RunFigures) -> float | None:
    """Start of a run in seconds since 1970 UTC; None if no clock gives it, or its zone or date is guessed."""
    run = figures.run
    if run.zone_guessed:
        return None
    if not (run.recordings or run.events or run.sessions):
        return min((row.phase.start for row in figures.phases), default=None)
    # A stated date often has no time of day, so the recorded time is better.
    found = known_date(replace(run, date=None)) or known_date(run)
    return None if found is None else found.seconds


def _zoned(figures: RunFigures) -> bool | None:
    """True if the UTC offset of a run's clock is known; None if no recording has clock times."""
    zones = {recording.utc_offset_minutes is not None for recording in figures.run.recordings if not recording.relative}
    return None if not zones else zones == {True}


def drifts(groups: Sequence[Group], primary: Mapping[str, tuple[str, ...]]) -> tuple[Drift, ...]:
    """The drifts that are larger than chance."""
    tested = [(figures, fit) for figures in _figures(groups, primary) if (fit := _slope(figures)) is not None]
    adjusted = holm([p for _, (_, p) in tested])
    return tuple(
        Drift(figures.phase, figures.key, slope, p, len(figures.runs), _places(figures))
        for (figures, (slope, _)), p in zip(tested, adjusted, strict=True)
        if p is not None and p < SIGNIFICANT
    )


def drift_problems(found: Sequence[Drift], base: Group) -> Iterator[Problem]:
    """A warning for each drift."""
    for drift in found:
        change = 100 * math.expm1(drift.slope)
        what, size = MEASURES[drift.key].within, fixed(abs(change), 1)
        verb = "rose" if change > 0 else "fell"
        message = (
            f"{capital(in_phase(drift.phase))}, {what} {verb} by {size} % per run over "
            f"{drift.runs} runs of all configurations."
        )
        action = "compared anyway; to alternate the runs, use 'vdiwb plan'"
        yield Problem(Severity.WARNING, base.label, "compare-drift", message, action)


def outlying_problems(groups: Sequence[Group], primary: Mapping[str, tuple[str, ...]]) -> Iterator[Problem]:
    """A warning for each run that is far from the other runs of its configuration."""
    every = _figures(groups, primary)
    tests = sum(len(figures.runs) for figures in every)
    for figures in every:
        for place, (off, p) in enumerate(_deleted(figures)):
            if p * tests < SIGNIFICANT and abs(math.expm1(off)) > MARGIN:
                side = "higher" if off > 0 else "lower"
                size = fixed(abs(100 * math.expm1(off)), 0)
                label = figures.labels[place]
                what = MEASURES[figures.key].within
                message = (
                    f"Run '{figures.runs[place]}' is an outlier: {size} % {side} {what} "
                    f"{in_phase(figures.phase)} than the other runs."
                )
                action = "included; exclude the run only if you find a cause"
                yield Problem(Severity.WARNING, label, "compare-outlying", message, action)


def _figures(groups: Sequence[Group], primary: Mapping[str, tuple[str, ...]]) -> list[_Figures]:
    starts = {
        (group.label, run.run.name): min(row.phase.start for row in run.phases)
        for group in groups
        for run in group.runs
        if run.phases
    }
    found = []
    for phase, key in ((phase, key) for phase, keys in primary.items() for key in keys if key in MEASURES):
        rows = [(group.label, run, value) for group in groups for run, value in figure_values(group, phase, key)]
        rows = [row for row in rows if row[2] > 0]
        if rows:
            labels, runs, values = zip(*rows, strict=True)
            began = [starts[label, run] for label, run, _ in rows]
            found.append(_Figures(phase, key, np.log(values), labels, runs, _order(began)))
    return found


def _order(began: Sequence[float]) -> tuple[int, ...]:
    """The position of each run in start order; empty if two started at the same time."""
    places = {start: place for place, start in enumerate(sorted(set(began)))}
    return tuple(places[start] for start in began) if len(places) == len(began) else ()


def _slope(figures: _Figures) -> tuple[float, float] | None:
    """The slope per run and its p-value; None if the order is unknown or there are too few runs."""
    freedom = len(figures.runs) - len(set(figures.labels)) - 1
    if freedom < _LEAST_FREEDOM or not figures.order:
        return None
    x, y = _centred(np.array(figures.order, dtype=np.float64), figures.labels), figures.centred
    spread = float(x @ x)
    if not spread:
        return None
    slope = float(x @ y) / spread
    rest = y - slope * x
    error = math.sqrt(float(rest @ rest) / freedom / spread)
    return (slope, two_sided(slope / error, freedom)) if error > 0 else None


def _deleted(figures: _Figures) -> Iterator[tuple[float, float]]:
    """The distance of each run in logs from the mean of the other runs of its configuration, and the p-value."""
    places = _by_label(figures.labels)
    centred = figures.centred
    pooled = [len(places[label]) >= INTERVAL_RUNS for label in figures.labels]
    scatters = {label: _scatter(centred[at]) for label, at in places.items() if len(at) >= _OWN}
    of_pooled, pooled_labels = _scatter(centred[pooled]), sum(len(at) >= INTERVAL_RUNS for at in places.values())
    for label, residual in zip(figures.labels, centred.tolist(), strict=True):
        count = len(places[label])
        own = label in scatters
        (runs, squares), configurations = (scatters[label], 1) if own else (of_pooled, pooled_labels)
        freedom = runs - configurations - 1
        if count < INTERVAL_RUNS or freedom < _LEAST_FREEDOM:
            yield 0.0, 1.0
            continue
        leverage = 1 - 1 / count
        rest = squares - residual**2 / leverage
        scatter = math.sqrt(max(rest, 0.0) / freedom)
        off = residual / leverage
        if scatter * math.sqrt(leverage) <= 1e-9:
            yield off, 0.0 if abs(off) > 1e-9 else 1.0
        else:
            yield off, two_sided(residual / (scatter * math.sqrt(leverage)), freedom)


def _scatter(residuals: FloatArray) -> tuple[int, float]:
    """The number of residuals and their sum of squares."""
    return residuals.size, float(residuals @ residuals)


def _centred(values: FloatArray, labels: Sequence[str]) -> FloatArray:
    centred = values.astype(np.float64)
    for rows in _by_label(labels).values():
        centred[rows] -= values[rows].mean()
    return centred


def _places(figures: _Figures) -> tuple[tuple[str, float], ...]:
    order = np.array(figures.order, dtype=np.float64)
    return tuple((label, float(order[rows].mean())) for label, rows in _by_label(figures.labels).items())


def _by_label(labels: Sequence[str]) -> dict[str, list[int]]:
    """The row indices of each configuration."""
    rows: dict[str, list[int]] = {}
    for row, label in enumerate(labels):
        rows.setdefault(label, []).append(row)
    return rows


# A drift weakens a difference from this share of it.
EXPLAINS = 0.5


def drift_caveat(difference: Difference, group: Group, base: Group) -> str:
    """The caveat on runs that drift within steady state, if their mean drift per side could explain half of the
    difference or more; otherwise empty. A step at an overflow does not count, because the cache causes it."""
    if difference.phase != STEADY or difference.measure.unit != "IOPS" or not difference.difference:
        return ""
    sides = ((group, difference.value), (base, difference.baseline_value))
    explained = sum(_drift_percent(side) / 100 * (value or 0.0) for side, value in sides)
    if explained < EXPLAINS * abs(difference.difference):
        return ""
    drifting = [
        (row.steadiness.shift, f"run '{run.run.name}'")
        for side, _ in sides
        for run in side.runs
        if (row := run.phase(STEADY)) is not None and row.steadiness is not None and row.steadiness.unexplained
    ]
    largest, run = max(drifting, key=lambda drift: abs(drift[0].percent))
    which, s = (f"{run}:", "") if len(drifting) == 1 else (f"{len(drifting)} runs, up to", "s")
    drift = f"{which} {shift_words(largest)}"
    return f"Drift within steady state could explain half of the difference ({drift}). Repeat the run{s}."


def _drift_percent(group: Group) -> float:
    """The drifts (or steps) of the marked runs, averaged over all runs."""
    rows = [row for run in group.runs if (row := run.phase(STEADY)) is not None]
    unexplained = [row.steadiness for row in rows if row.steadiness is not None and row.steadiness.unexplained]
    return sum(abs(steadiness.shift.percent) for steadiness in unexplained) / len(rows) if rows else 0.0
