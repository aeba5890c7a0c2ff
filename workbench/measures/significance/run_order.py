"""What is odd among the runs themselves: their order, a drift over it, and a run that lies far from its replicates.

All are reported; no run is dropped and no figure corrected for them. Figures of the primary measures are compared as
logs, each less the mean of its configuration.

Order: `blocked` if one side came first in fewer than 20 % or in more than 80 % of the pairs of a run of each side; then
time and configuration cannot be told apart. Starts at one moment count half.

Drift: the slope over the runs in the order in which they started, with Student's t-test on runs − configurations − 1
degrees of freedom, adjusted after Holm over the primary measures. Outlying: the residual without the run itself
(Cook and Weisberg, 1982), against the scatter of its own configuration from five runs on and of all of them below,
adjusted for the number of runs and primary measures (Bonferroni); and farther off than the margin.

Whether the drift of runs within steady state could explain a difference between two configurations.
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
from workbench.measures.steadiness import marked_words
from workbench.model.phase import STEADY
from workbench.model.problem import Problem, Severity
from workbench.study.series.run_date import known_date
from workbench.words.metrics import phase_words
from workbench.words.numbers import fixed

# Degrees of freedom below which neither test says anything.
_LEAST_FREEDOM = 3
# Runs of one configuration from which its own scatter is enough.
_OWN = 5
# The share of a change that a drift must be able to explain to weaken it.
_SHARE = 0.5
# The shares of pairs of runs, one of each side, between which the sides take turns.
_TURNS = (0.2, 0.8)
Order = Literal["interleaved", "blocked", "unknown"]


@dataclass(frozen=True, slots=True)
class Drift:
    """A drift of one measure in one phase: the slope per run in logs, its p-value after Holm, the number of runs, and
    the mean place in the order of each configuration's runs."""

    phase: str
    key: str
    slope: float
    p: float
    runs: int
    places: tuple[tuple[str, float], ...]

    def explains(self, configuration: str, baseline: str, ratio: float, *, of_it: bool = True) -> bool:
        """Whether the order of the runs alone could make half of a change: one of this measure in this phase (`of_it`),
        which the drift must move the same way, or of any other measure of these runs, as what drifts may move it
        either way."""
        places = dict(self.places)
        if configuration not in places or baseline not in places or ratio <= 0:
            return False
        moved = self.slope * (places[configuration] - places[baseline])
        return abs(moved) >= _SHARE * abs(math.log(ratio)) and (not of_it or moved * math.log(ratio) > 0)


@dataclass(frozen=True, eq=False)
class _Figures:
    """The figures of one primary measure in one phase: logs, configuration and name of each run, start order."""

    phase: str
    key: str
    logs: FloatArray
    labels: tuple[str, ...]
    runs: tuple[str, ...]
    order: tuple[int, ...]

    @property
    def centred(self) -> FloatArray:
        """The logs, each less the mean of its configuration."""
        return _centred(self.logs, self.labels)


def order_of(base: Group, group: Group) -> tuple[Order, float | None]:
    """How the runs of two configurations follow each other, and the share of pairs in which the baseline's came first
    (None: not known). `unknown` if a start is not known or guessed (zone, date), or only some clocks have a zone."""
    theirs, ours = ([_start(run) for run in side.runs] for side in (base, group))
    zones = {zoned for side in (base, group) for run in side.runs if (zoned := _zoned(run)) is not None}
    known = [[start for start in side if start is not None] for side in (theirs, ours)]
    if not ours or not theirs or len(zones) > 1 or list(map(len, known)) != [len(theirs), len(ours)]:
        return "unknown", None
    first = np.sign(np.subtract.outer(known[1], known[0]))
    share = float((first + 1).mean() / 2)
    return ("interleaved" if _TURNS[0] <= share <= _TURNS[1] else "blocked"), share


def order_problem(base: Group, group: Group) -> Problem | None:
    """The warning that time and configuration cannot be told apart; None where they can, and where a side has one run,
    which says so itself."""
    order, share = order_of(base, group)
    if order == "interleaved" or min(len(base.runs), len(group.runs)) < 2:
        return None
    if share is None:
        message = f"The order of the runs of {group.label} and {base.label} is not known"
    elif share in (0, 1):
        first, then = (base.label, group.label) if share else (group.label, base.label)
        message = f"All runs of {first} came before those of {then}"
    else:
        first, then = (base.label, group.label) if share > _TURNS[1] else (group.label, base.label)
        message = f"Nearly all runs of {first} came before those of {then}"
    message += ": a drift of the lab would look like a change. Interleave the runs; vdiwb plan lists an order."
    action = "compared anyway; findings are indicative at most"
    return Problem(Severity.WARNING, group.label, "compare-order", message, action)


def _start(figures: RunFigures) -> float | None:
    """When a run started, in seconds since 1970 UTC; None where no clock that was set tells it, or
    its zone or its date is guessed."""
    run = figures.run
    if run.zone_guessed:
        return None
    if not (run.recordings or run.events or run.sessions):
        return min((row.phase.start for row in figures.phases), default=None)
    # A stated date is often that of a day: what was recorded tells more.
    found = known_date(replace(run, date=None)) or known_date(run)
    return None if found is None else found.seconds


def _zoned(figures: RunFigures) -> bool | None:
    """Whether the clock of a run is known to be so far from UTC; None where nothing recorded has times of a clock."""
    zones = {recording.utc_offset_minutes is not None for recording in figures.run.recordings if not recording.relative}
    return None if not zones else zones == {True}


def drifts(groups: Sequence[Group], primary: Mapping[str, tuple[str, ...]]) -> tuple[Drift, ...]:
    """The drifts that are more than scatter."""
    tested = [(figures, fit) for figures in _figures(groups, primary) if (fit := _slope(figures)) is not None]
    adjusted = holm([p for _, (_, p) in tested])
    return tuple(
        Drift(figures.phase, figures.key, slope, p, len(figures.runs), _places(figures))
        for (figures, (slope, _)), p in zip(tested, adjusted, strict=True)
        if p is not None and p < SIGNIFICANT
    )


def drift_problems(found: Sequence[Drift], base: Group) -> Iterator[Problem]:
    """The warning on each drift."""
    for drift in found:
        change = 100 * math.expm1(drift.slope)
        verb, size = ("rises" if change > 0 else "falls"), fixed(abs(change), 1)
        message = (
            f"In {phase_words(drift.phase)}, {MEASURES[drift.key].within} {verb} by {size} % from run to run "
            f"in the order of the {drift.runs} runs, in all configurations."
        )
        action = "compared anyway; run the configurations interleaved, as vdiwb plan lists them"
        yield Problem(Severity.WARNING, base.label, "compare-drift", message, action)


def outlying_problems(groups: Sequence[Group], primary: Mapping[str, tuple[str, ...]]) -> Iterator[Problem]:
    """The warning on each run that lies far from its replicates."""
    every = _figures(groups, primary)
    tests = sum(len(figures.runs) for figures in every)
    for figures in every:
        for place, (off, p) in enumerate(_deleted(figures)):
            if p * tests < SIGNIFICANT and abs(math.expm1(off)) > MARGIN:
                side = "above" if off > 0 else "below"
                size = fixed(abs(100 * math.expm1(off)), 0)
                label = figures.labels[place]
                message = (
                    f"Run {figures.runs[place]} is an outlier: its {MEASURES[figures.key].within} in "
                    f"{phase_words(figures.phase)} is {size} % {side} the other runs of {label}."
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
    """The place of each run in the order of their starts; empty where two started at once."""
    places = {start: place for place, start in enumerate(sorted(set(began)))}
    return tuple(places[start] for start in began) if len(places) == len(began) else ()


def _slope(figures: _Figures) -> tuple[float, float] | None:
    """The slope per run and its p-value; None where the order is not known or nothing could be told."""
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
    """For each run how far it lies from the mean of its replicates, in logs, and the p-value of that."""
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
    """How many residuals there are, and the sum of their squares."""
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
    """The rows of each configuration, in their order."""
    rows: dict[str, list[int]] = {}
    for row, label in enumerate(labels):
        rows.setdefault(label, []).append(row)
    return rows


# A drift weakens a difference from this share of it on.
EXPLAINS = 0.5


def drift_caveat(difference: Difference, group: Group, base: Group) -> str:
    """The sentence on drifting runs whose drift, as the mean over the runs of each side, could explain half of the
    difference or more; empty where it could not. A step at an overflow is what the cache does, and no drift."""
    if difference.phase != STEADY or difference.measure.unit != "IOPS" or not difference.difference:
        return ""
    sides = ((group, difference.value), (base, difference.baseline_value))
    explained = sum(_drift_percent(side) / 100 * (value or 0.0) for side, value in sides)
    if explained < EXPLAINS * abs(difference.difference):
        return ""
    drifting = [
        f"{run.run.name} {marked_words(row.steadiness)}"
        for side, _ in sides
        for run in side.runs
        if (row := run.phase(STEADY)) is not None and row.steadiness is not None and row.steadiness.unexplained
    ]
    return f"The drift within steady state could explain half of the difference or more: {', '.join(drifting)}."


def _drift_percent(group: Group) -> float:
    """The drifts (or steps) of those runs that are marked, over all runs."""
    rows = [row for run in group.runs if (row := run.phase(STEADY)) is not None]
    unexplained = [row.steadiness for row in rows if row.steadiness is not None and row.steadiness.unexplained]
    return sum(abs(steadiness.shift.percent) for steadiness in unexplained) / len(rows) if rows else 0.0
