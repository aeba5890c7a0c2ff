"""Between which values a figure of a configuration lies: as measured, and as what was not measured moves it most.

The intervals are those of `measures.replicates` (a value) and `measures.statistics` (a change).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from workbench.answers.common.change_words import drawn_change
from workbench.answers.limits.limit import Limit
from workbench.answers.limits.limited import LOGON_MEAN, LOGON_P95, OVERFLOW, STUCK
from workbench.answers.logons.compute import LogonFigures, group_logons
from workbench.measures.catalogue import MEASURES
from workbench.measures.compared import figure_values
from workbench.measures.configurations import Group
from workbench.measures.judging.opposing import Opposed, opposed_by
from workbench.measures.measure import Measure
from workbench.measures.replicates import Mean, mean_of
from workbench.measures.statistics import FLAT, Basis, Change, Scale, change

Values = tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Span:
    """A value with the ends of its interval or range, None where it is of a single run (`basis`); `n` counts the runs,
    of a change those of the side that has fewer. A number of runs has no `basis`."""

    value: float
    low: float | None
    high: float | None
    basis: Basis | None
    n: int

    @property
    def ends(self) -> tuple[float, float]:
        """The ends; of a single run the value itself."""
        return (self.value, self.value) if self.low is None or self.high is None else (self.low, self.high)


@dataclass(frozen=True, slots=True)
class Spans:
    """A figure as `measured` (None: it was not, for a `reason`), and at its `lowest` and `highest` where a part was not
    measured (None: all was); `unmeasured` says what. `without` names the runs that lack the figure. `flat`: the runs
    agree to the last digit where figures scatter."""

    measured: Span | None
    lowest: Span | None = None
    highest: Span | None = None
    values: Values = ()
    baseline_values: Values = ()
    unmeasured: str = ""
    without: tuple[str, ...] = ()
    reason: str = ""
    notes: tuple[str, ...] = ()
    flat: bool = False


def value_spans(group: Group, limit: Limit) -> Spans:
    """A measure of the phase table in the phase of the limit."""
    phase, measure = limit.phase, MEASURES[limit.measure]
    values = figure_values(group, phase, measure.key)
    measured = _span_of(mean_of([value for _, value in values]))
    opposed = opposed_by(group, group, phase, measure)
    lowest, highest = _ends_of_value(opposed)
    notes = _notes(group, phase)
    if measure.of_cache_ram and any(row.cache_ram_estimate for row in group.phase(phase)):
        # The nonpaged pool holds more than the cache: nothing shows how little of it the cache is.
        lowest = _span_of(mean_of([0.0 for _ in values]))
        notes = (*notes, "an estimate from the nonpaged pool, which holds more than the cache")
        words = "the nonpaged pool holds more than the cache"
    else:
        words = "" if opposed is None else opposed.words
    flat = _flat(values) and measure.section != "Measured"
    without = _without(group, values)
    return Spans(measured, lowest, highest, values, (), words, without, _unbounded(opposed), notes, flat)


def change_spans(base: Group, group: Group, limit: Limit) -> Spans:
    """The change of a measure against another configuration."""
    phase, measure = limit.phase, MEASURES[limit.measure]
    ours, theirs = (figure_values(side, phase, measure.key) for side in (group, base))
    scale: Scale = "logs" if measure.change == "ratio" else "plain"
    made = change([value for _, value in theirs], [value for _, value in ours], scale)
    opposed = opposed_by(base, group, phase, measure)
    lowest, highest = (_opposed_change(opposed, measure, scale, lower=lower) for lower in (False, True))
    reason = _unbounded(opposed)
    if made is None and ours and theirs:
        reason = f"{base.label} has a 0 there, which has no ratio"
    elif not theirs:
        reason = f"not measured in {base.label}"
    words = "" if opposed is None else opposed.words
    notes = tuple(dict.fromkeys((*_notes(group, phase), *_notes(base, phase))))
    without = (*_without(group, ours), *_without(base, theirs))
    return Spans(_span_of_change(made, measure), lowest, highest, ours, theirs, words, without, reason, notes)


def run_spans(group: Group, limit: Limit) -> Spans:
    """A figure of whole runs: overflow (1 where a run overflowed, else 0), stuck sessions, logon times."""
    if limit.measure == OVERFLOW:
        values = _overflows(group, limit.phase)
        over = sum(value for _, value in values)
        measured = Span(over, None, None, None, len(values)) if values else None
        reason = "" if values else "the cache disk was not measured"
        return Spans(measured, values=values, without=_without(group, values), reason=reason)
    logons = group_logons(group, trends=False)
    figures = ((run.run.name, _OF_LOGONS[limit.measure](run)) for run in logons.runs)
    values = tuple((run, value) for run, value in figures if value is not None)
    measured = _span_of(mean_of([value for _, value in values]))
    return Spans(measured, values=values, without=_without(group, values), flat=_flat(values))


def _logon_mean(logons: LogonFigures) -> float | None:
    return None if logons.spread is None else logons.spread.mean


def _logon_p95(logons: LogonFigures) -> float | None:
    return None if logons.spread is None else logons.spread.p95


_OF_LOGONS: dict[str, Callable[[LogonFigures], float | None]] = {
    STUCK: lambda logons: logons.counts.stuck_percent,
    LOGON_MEAN: _logon_mean,
    LOGON_P95: _logon_p95,
}


def _overflows(group: Group, phase: str) -> Values:
    """(run, 1 or 0) of the runs whose cache disk was measured in the phase (empty: in any)."""
    rows = ((run.run.name, [row for row in run.phases if phase in ("", row.phase.name)]) for run in group.runs)
    measured = (
        (name, [row for row in of_run if row.overflow_start is not None or row.cache_disk_used_mb_peak is not None])
        for name, of_run in rows
    )
    return tuple((name, float(any(row.overflow_start is not None for row in used))) for name, used in measured if used)


def _without(group: Group, values: Values) -> tuple[str, ...]:
    """The runs that lack the figure."""
    measured = dict(values)
    return tuple(run.run.name for run in group.runs if run.run.name not in measured)


def _span_of(mean: Mean | None) -> Span | None:
    return None if mean is None else Span(mean.value, mean.low, mean.high, mean.basis, mean.n)


def _span_of_change(made: Change | None, measure: Measure) -> Span | None:
    if made is None:
        return None
    value, low, high = drawn_change(made, measure.change_unit)
    return Span(value, low, high, made.basis, min(made.n, made.n_baseline))


def _ends_of_value(opposed: Opposed | None) -> tuple[Span | None, Span | None]:
    if opposed is None or opposed.ours is None:
        return None, None
    return _span_of(mean_of(opposed.ours.low)), _span_of(mean_of(opposed.ours.high))


def _opposed_change(opposed: Opposed | None, measure: Measure, scale: Scale, *, lower: bool) -> Span | None:
    """The change as what was not measured makes it highest (`lower`: it opposes a fall) or lowest."""
    sides = None if opposed is None else opposed.sides(lower=lower)
    return None if sides is None else _span_of_change(change(*sides, scale), measure)


def _unbounded(opposed: Opposed | None) -> str:
    """The reason against any verdict where nothing bounds what was not measured."""
    if opposed is None or (opposed.ours is not None and opposed.base is not None):
        return ""
    return f"part was not measured, and could hold anything: {opposed.words}"


def _flat(values: Sequence[tuple[str, float]]) -> bool:
    """Whether several runs agree to the last digit. Those that are all 0 have nothing to scatter."""
    numbers = np.array([value for _, value in values])
    if numbers.size < 2 or not numbers.any():
        return False
    return bool(np.ptp(numbers) <= FLAT * np.abs(numbers).max())


def _notes(group: Group, phase: str) -> tuple[str, ...]:
    """What a reader must know of the phase before quoting a verdict."""
    rows = group.phase(phase)
    detected = any(row.phase.evidence == "activity" for row in rows)
    doubtful = any(row.phase.doubt for row in rows)
    return tuple(words for words, holds in (("phase detected", detected), ("phase doubtful", doubtful)) if holds)
