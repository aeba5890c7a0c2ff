"""Lower and upper bounds of the values of a configuration, for any values of the missing samples.

At the lower bound the unmeasured time has no I/O; at the upper bound it has as much as it can hold (`coverage.extent`).
A VM without samples in the phase that the run states, or that only its events name, has no I/O at the lower bound. At
the upper bound it has the highest VM mean of its configuration in that phase throughout. In both cases it counts as a
VM in per-VM values; the measured value does not count it. Amounts and rates have bounds, and shares of reads get theirs
from reads and writes. For other metrics only the measured share is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from workbench.measures.configurations import Group
from workbench.measures.coverage.extent import Extent, only_named
from workbench.measures.measure import Measure
from workbench.measures.phase_samples import PhaseSamples, RunSamples
from workbench.measures.phase_table import PhaseFigures, RunFigures
from workbench.measures.rules import Rule, SampleShare, Total
from workbench.model.metric import Quantity, Vantage
from workbench.model.run_cache import kept_with_run


@dataclass(frozen=True, slots=True)
class Bounds:
    """The lowest and the highest possible value of a metric for each run, in the order of the runs."""

    low: tuple[float, ...]
    high: tuple[float, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Lack:
    """The unmeasured part of a phase of a `run` (with its `folder`).

    `unseen` of the `expected` VMs have no sample; `names` are their names if known. Other VMs have `gaps` in seconds.
    `share` of the phase was measured (0 to 1), including the `unseen` VMs.
    """

    run: str
    folder: str
    length_s: float
    expected: int
    unseen: int
    names: tuple[str, ...]
    gaps: tuple[tuple[str, float], ...]
    share: float


def vms_expected(group: Group, row: PhaseFigures) -> int:
    """The number of VMs that should have samples in the phase.

    It is the number that the run states, otherwise the highest of the configuration's runs, plus VMs that only events
    or sessions name. An array always measures all VMs, with any names of its volumes.
    """
    own = _count(row)
    if row.vantage == Vantage.ARRAY.value:
        return own
    named = len(_only_named(group, row))
    if group.vms is None:
        return max(own + named, *map(_count, group.phase(row.phase.name)))
    return max(own, group.vms) + named


# Kept, because every metric of a comparison asks for it.
@kept_with_run
def complete(group: Group, phase: str) -> bool:
    """True if every VM of every run was measured throughout the phase, for everything that was measured in it."""
    return all(
        not row.extents or (not any(extent.gaps or _unseen(group, row, extent) for extent in row.extents))
        for row in group.phase(phase)
    )


def lacks(group: Group, phase: str, measure: Measure) -> tuple[Lack, ...]:
    """The missing input of the runs that have the metric; empty if nothing is missing."""
    return tuple(
        lack
        for run, row in _rows(group, phase, measure)
        if (lack := _lack(group, run, row, measure.rule)) is not None and (lack.unseen or lack.gaps)
    )


def bounds_of(group: Group, phase: str, measure: Measure) -> Bounds | None:
    """The bounds of the metric for each run that has it. None if the metric has no bounds, or if the gap of a run could
    contain any amount."""
    rows = list(_rows(group, phase, measure))
    ends = [_ends(group, run, row, measure) for run, row in rows]
    known = [end for end in ends if end is not None]
    if len(known) < len(ends):
        return None
    return Bounds(tuple(low for low, _ in known), tuple(high for _, high in known))


def has_bounds(measure: Measure) -> bool:
    """True if gaps leave lower and upper bounds for the metric."""
    return isinstance(measure.rule, Total | SampleShare)


def _rows(group: Group, phase: str, measure: Measure) -> Iterator[tuple[RunFigures, PhaseFigures]]:
    for run in group.runs:
        row = run.phase(phase)
        if row is not None and getattr(row, measure.key) is not None:
            yield run, row


def _count(row: PhaseFigures) -> int:
    extent = row.extent(Quantity.IOPS)
    return (row.vms or 0) if extent is None else len(extent.vms)


def _unseen(group: Group, row: PhaseFigures, extent: Extent) -> int:
    return max(0, vms_expected(group, row) - len(extent.vms))


def _only_named(group: Group, row: PhaseFigures) -> tuple[str, ...]:
    run = next((run for run in group.runs if any(row is own for own in run.phases)), None)
    return () if run is None else only_named(run.run)


def _extents(row: PhaseFigures, rule: Rule) -> list[Extent]:
    return [extent for quantity in rule.quantities if (extent := row.extent(quantity)) is not None]


def _lack(group: Group, run: RunFigures, row: PhaseFigures, rule: Rule) -> Lack | None:
    """The missing part of the run; of several quantities, the least measured one counts."""
    parts = _extents(row, rule)
    if not parts:
        return None
    length = row.phase.duration_s

    def share(extent: Extent) -> float:
        vms = len(extent.vms) + _unseen(group, row, extent)
        return (len(extent.vms) - extent.missing_s / length) / vms

    least = min(parts, key=share)
    unseen = _unseen(group, row, least)
    names = _unseen_names(group, row, least) if unseen else ()
    expected = len(least.vms) + unseen
    known = names if len(names) == unseen else ()
    return Lack(run.run.name, run.run.folder, length, expected, unseen, known, least.gaps, share(least))


def _unseen_names(group: Group, row: PhaseFigures, extent: Extent) -> tuple[str, ...]:
    """The VMs that other runs of the configuration measured and this run did not, and those that only its events or
    sessions name."""
    beside = [other.extent(extent.quantity) for other in group.phase(row.phase.name)]
    own = {vm.casefold() for vm in extent.vms}
    names = {vm.casefold(): vm for other in beside if other is not None for vm in other.vms}
    names |= {vm.casefold(): vm for vm in _only_named(group, row)}
    return tuple(sorted(name for key, name in names.items() if key not in own))


def _ends(group: Group, run: RunFigures, row: PhaseFigures, measure: Measure) -> tuple[float, float] | None:
    value, rule = float(getattr(row, measure.key)), measure.rule
    parts = _extents(row, rule)
    if not any(part.gaps or _unseen(group, row, part) for part in parts):
        return value, value
    if isinstance(rule, Total):
        return _of_total(group, run, row, rule)
    return _of_share(group, row, rule) if isinstance(rule, SampleShare) else None


def _of_total(group: Group, run: RunFigures, row: PhaseFigures, rule: Total) -> tuple[float, float] | None:
    extent = row.extent(rule.quantity)
    if extent is None:
        return None
    stated = PhaseSamples(RunSamples(run.run, lambda _: {}), row.phase)
    vms = len(extent.vms) + _unseen(group, row, extent)
    amounts = extent.total, extent.total + _most(group, row, extent)
    low, high = (rule.divided(amount, stated, vms) for amount in amounts)
    return None if low is None or high is None else (low, high)


def _of_share(group: Group, row: PhaseFigures, rule: SampleShare) -> tuple[float, float] | None:
    reads, writes = (row.extent(half) for half in (Quantity.READ_IOPS, Quantity.WRITE_IOPS))
    if reads is None or writes is None:
        return None
    fewest = 100 * reads.total / ((reads.total + writes.total + _most(group, row, writes)) or 1.0)
    most = reads.total + _most(group, row, reads)
    highest = 100 * most / ((most + writes.total) or 1.0)
    return (fewest, highest) if rule.quantity is Quantity.READ_IOPS else (100 - highest, 100 - fewest)


def _most(group: Group, row: PhaseFigures, extent: Extent) -> float:
    """The maximum number of I/Os in the unmeasured part of a rate: the content of its gaps, plus the highest VM mean of
    the configuration throughout for VMs with no samples or too few."""
    blind_s = extent.blind_s + _unseen(group, row, extent) * row.phase.duration_s
    return extent.fill + (blind_s * _highest(group, row, extent.quantity) if blind_s else 0.0)


def _highest(group: Group, row: PhaseFigures, quantity: Quantity) -> float:
    parts: Sequence[Extent | None] = [member.extent(quantity) for member in group.phase(row.phase.name)]
    return max(part.highest for part in parts if part is not None)
