"""The span of a configuration's figure: as measured, and with the missing parts at their extremes.

The intervals are those of `measures.configurations` (a value) and `measures.statistics` (a change).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import numpy as np

from workbench.answers.common.change_words import drawn_change
from workbench.answers.limits.limit import LOGON_MEAN, LOGON_P95, OVERFLOW, STUCK, Limit
from workbench.answers.logons.compute import LogonFigures, group_logons
from workbench.measures.caches.use import run_cache
from workbench.measures.catalogue import MEASURES
from workbench.measures.configurations import Group, Mean, figure_values, mean_of
from workbench.measures.measure import Measure
from workbench.measures.phase_table import RunFigures
from workbench.measures.significance.missing_data_check import Opposed, opposed_by
from workbench.measures.statistics import FLAT, Basis, Change, Scale, change
from workbench.words.captions import named

Values = tuple[tuple[str, float], ...]
POOL_WORDS = "from the nonpaged pool, which contains more than the cache"


@dataclass(frozen=True, slots=True)
class ValueSpan:
    """A value with the ends of its interval or range; they are None for a single run (`basis`).

    `n` is the number of runs; for a change, that of the side with fewer. A count of runs has no `basis`.
    """

    value: float
    low: float | None
    high: float | None
    basis: Basis | None
    n: int

    @property
    def ends(self) -> tuple[float, float]:
        """The ends; for a single run the value itself."""
        return (self.value, self.value) if self.low is None or self.high is None else (self.low, self.high)


@dataclass(frozen=True, slots=True)
class Spans:
    """A figure as `measured`, and at its `lowest` and `highest` if a part was not measured.

    `measured` is None if nothing was measured, for a `reason`. `lowest` and `highest` are None if everything was
    measured; `unmeasured` names the missing part. `without` names the runs that lack the figure. `flat`: the runs agree
    to the last digit although such figures vary. Runs of several studies may share a name, so runs are identified by
    folder: `folders` of those in `values`, `estimates` of those whose figure is an estimate, `by_ram` of those whose
    RAM used, not the cache disk, shows an overflow.
    """

    measured: ValueSpan | None
    lowest: ValueSpan | None = None
    highest: ValueSpan | None = None
    values: Values = ()
    folders: tuple[str, ...] = ()
    baseline_values: Values = ()
    unmeasured: str = ""
    without: tuple[str, ...] = ()
    reason: str = ""
    notes: tuple[str, ...] = ()
    flat: bool = False
    estimates: frozenset[str] = frozenset()
    by_ram: frozenset[str] = frozenset()

    @property
    def estimated(self) -> bool:
        """True if any figure is an estimate."""
        return bool(self.estimates)


def value_spans(group: Group, limit: Limit) -> Spans:
    """A measure of the phase table in the phase of the limit."""
    phase, measure = limit.phase, MEASURES[limit.measure]
    values = figure_values(group, phase, measure.key)
    having = _having(group, phase, measure)
    measured = _span_of(mean_of([value for _, value in values]))
    opposed = opposed_by(group, group, phase, measure)
    lowest, highest = _ends_of_value(opposed)
    notes = _notes(group, phase)
    estimates = _estimates(group, phase, measure)
    words = "" if opposed is None else opposed.words
    if estimates:
        # Nothing shows how much of the pool belongs to the cache.
        lowest = _span_of(mean_of([0.0 for _ in values]))
        notes, words = (*notes, f"estimated {POOL_WORDS}"), "the nonpaged pool contains more than the cache"
    flat = _flat(values) and measure.section != "Measured"
    without, reason = _without(group, having), _unbounded(opposed)
    return Spans(measured, lowest, highest, values, having, (), words, without, reason, notes, flat, estimates)


def _having(group: Group, phase: str, measure: Measure) -> tuple[str, ...]:
    """The folders of the runs that have the figure."""
    rows = ((run.run.folder, run.phase(phase)) for run in group.runs)
    return tuple(folder for folder, row in rows if row is not None and getattr(row, measure.key) is not None)


def _estimates(group: Group, phase: str, measure: Measure) -> frozenset[str]:
    """The folders of the runs whose RAM cache is an estimate from the nonpaged pool."""
    if not measure.of_cache_ram:
        return frozenset()
    rows = ((run.run.folder, run.phase(phase)) for run in group.runs)
    return frozenset(folder for folder, row in rows if row is not None and row.cache_ram_estimate)


def change_spans(base: Group, group: Group, limit: Limit) -> Spans:
    """The change of a measure from another configuration."""
    phase, measure = limit.phase, MEASURES[limit.measure]
    ours, theirs = (figure_values(side, phase, measure.key) for side in (group, base))
    having, base_having = (_having(side, phase, measure) for side in (group, base))
    scale: Scale = "logs" if measure.change == "ratio" else "plain"
    difference = change([value for _, value in theirs], [value for _, value in ours], scale)
    opposed = opposed_by(base, group, phase, measure)
    lowest, highest = (_opposed_change(opposed, measure, scale, lower=lower) for lower in (False, True))
    reason = _unbounded(opposed)
    if difference is None and ours and theirs:
        reason = f"no ratio, because {named(base.label)} is 0"
    elif not theirs:
        reason = f"not measured in {base.label}"
    estimates = _estimates(group, phase, measure) | _estimates(base, phase, measure)
    if estimates:
        reason = reason or f"estimated {POOL_WORDS}, so the difference between the caches is unknown"
    words = "" if opposed is None else opposed.words
    notes = tuple(dict.fromkeys((*_notes(group, phase), *_notes(base, phase))))
    without = (*_without(group, having), *_without(base, base_having))
    measured = _span_of_change(difference, measure)
    return Spans(measured, lowest, highest, ours, having, theirs, words, without, reason, notes, estimates=estimates)


def run_spans(group: Group, limit: Limit) -> Spans:
    """A figure of whole runs: overflow (1 if a run overflowed, otherwise 0), stuck sessions, logon times."""
    if limit.measure == OVERFLOW:
        return _overflow_spans(group, limit.phase)
    logons = group_logons(group, trends=False)
    figures = ((run.run, _OF_LOGONS[limit.measure](run)) for run in logons.runs)
    known = [(run, value) for run, value in figures if value is not None]
    values, folders = tuple((run.name, value) for run, value in known), tuple(run.folder for run, _ in known)
    measured = _span_of(mean_of([value for _, value in values]))
    return Spans(measured, values=values, folders=folders, without=_without(group, folders), flat=_flat(values))


def _logon_mean(logons: LogonFigures) -> float | None:
    return None if logons.spread is None else logons.spread.mean


def _logon_p95(logons: LogonFigures) -> float | None:
    return None if logons.spread is None else logons.spread.p95


_OF_LOGONS: dict[str, Callable[[LogonFigures], float | None]] = {
    STUCK: lambda logons: logons.counts.stuck_percent,
    LOGON_MEAN: _logon_mean,
    LOGON_P95: _logon_p95,
}


def _overflow_spans(group: Group, phase: str) -> Spans:
    """The spans of an overflow: for each run 1 if it overflowed in the phase (empty: in any), otherwise 0.

    The cache disk decides, otherwise the RAM that the cache uses, as on the page Cache.
    """
    by_disk = {run.run.folder: over for run in group.runs if (over := _disk_overflow(run, phase)) is not None}
    others = [run for run in group.runs if run.run.folder not in by_disk]
    by_ram = {run.run.folder: full for run in others if (full := _ram_overflow(run, phase)) is not None}
    estimates = frozenset(folder for folder, (_, estimate) in by_ram.items() if estimate)
    known = by_disk | {folder: over for folder, (over, _) in by_ram.items()}
    counted = [run.run for run in group.runs if run.run.folder in known]
    values = tuple((run.name, float(known[run.folder])) for run in counted)
    measured = ValueSpan(sum(known.values()), None, None, None, len(values)) if values else None
    return Spans(
        measured,
        values=values,
        folders=tuple(run.folder for run in counted),
        without=_without(group, known),
        reason="" if values else "no counter shows whether the cache overflowed",
        notes=(f"estimated {POOL_WORDS}",) if estimates and not any(known.values()) else (),
        estimates=estimates,
        by_ram=frozenset(by_ram),
    )


def _disk_overflow(run: RunFigures, phase: str) -> bool | None:
    """True if the cache disk grew in the phase; None if it was not measured."""
    rows = [row for row in run.phases if phase in ("", row.phase.name)]
    used = [row for row in rows if row.overflow_start is not None or row.cache_disk_used_mb_peak is not None]
    over = any(row.overflow_start is not None for row in used) if used else None
    # If the disk no longer grows, it does not show whether the cache was full when the log began.
    return None if over is False and run_cache(run).begins_full else over


def _ram_overflow(run: RunFigures, phase: str) -> tuple[bool, bool] | None:
    """Two flags: the RAM cache was full by the end of the phase; that is an estimate. None if no counter shows it."""
    cache, row = run_cache(run), run.phase(phase)
    # A counter that was not read to the end is checked phase by phase (`compute.unwatched`).
    unknown = not cache.vms or any(vm.overflowed is None and not vm.unwatched for vm in cache.vms)
    if (cache.overflowed is None and unknown) or (phase and row is None):
        return None
    ends = cache.overflow_start
    over = bool(cache.overflowed) and (row is None or ends is None or ends < row.phase.end)
    full = [vm.estimate for vm in cache.vms if vm.overflowed] if over else [vm.estimate for vm in cache.vms]
    return over, all(full) if over else any(full)


def _without(group: Group, having: Collection[str]) -> tuple[str, ...]:
    """The names of the runs that lack the figure; `having` are the folders of those that have it."""
    return tuple(run.run.name for run in group.runs if run.run.folder not in having)


def _span_of(mean: Mean | None) -> ValueSpan | None:
    return None if mean is None else ValueSpan(mean.value, mean.low, mean.high, mean.basis, mean.n)


def _span_of_change(difference: Change | None, measure: Measure) -> ValueSpan | None:
    if difference is None:
        return None
    value, low, high = drawn_change(difference, measure.change_unit)
    return ValueSpan(value, low, high, difference.basis, min(difference.n, difference.n_baseline))


def _ends_of_value(opposed: Opposed | None) -> tuple[ValueSpan | None, ValueSpan | None]:
    if opposed is None or opposed.ours is None:
        return None, None
    return _span_of(mean_of(opposed.ours.low)), _span_of(mean_of(opposed.ours.high))


def _opposed_change(opposed: Opposed | None, measure: Measure, scale: Scale, *, lower: bool) -> ValueSpan | None:
    """The change with the missing parts set to make it highest (`lower`: it opposes a reduction) or lowest."""
    sides = None if opposed is None else opposed.sides(lower=lower)
    return None if sides is None else _span_of_change(change(*sides, scale), measure)


def _unbounded(opposed: Opposed | None) -> str:
    """The reason why no verdict is possible if the missing part has no bounds."""
    if opposed is None or (opposed.ours is not None and opposed.base is not None):
        return ""
    return f"missing samples could have any value: {opposed.words}"


def _flat(values: Sequence[tuple[str, float]]) -> bool:
    """True if several runs agree to the last digit. Runs that are all 0 do not count: they have nothing that varies."""
    numbers = np.array([value for _, value in values])
    if numbers.size < 2 or not numbers.any():
        return False
    return bool(np.ptp(numbers) <= FLAT * np.abs(numbers).max())


def _notes(group: Group, phase: str) -> tuple[str, ...]:
    """Facts about the phase that a user must know before quoting a verdict."""
    rows = group.phase(phase)
    detected = any(row.phase.evidence == "activity" for row in rows)
    doubtful = any(row.phase.doubt for row in rows)
    notes = (("was detected from activity", detected), ("is doubtful", doubtful))
    return tuple(f"the phase of {named(group.label)} {words}" for words, holds in notes if holds)
