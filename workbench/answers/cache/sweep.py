"""The cache sweep: the I/O that is left at each RAM cache size, and the tier (shared storage or cache disk) of that
I/O.

For every configuration in one phase: read and write IOPS by tier (shared storage, cache disk), from the integrals of
the phase table's rule; mean over the runs. They are sums over all VMs if all configurations have the same number of
VMs, otherwise values per VM. The changes from the baseline (all I/O, all writes, the I/O left on shared storage, CPU)
are those of `statistics.change`: one figure per run. If `measures.significance.objections` has a reason against a
verdict on IOPS, all I/O and writes have no verdict. "No change" of CPU is the verdict "same" of Compare.

The tier of a disk follows from how desktops are built (`study.series.tiers`). The I/O of a run that logged only the sum
of its disks is not split. PVS streams its image, so reads of the image are not I/O of shared storage. The question is
from the Citrix blog Reducing Shared Storage IO by over 90 % with MCS Storage Optimization.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from workbench.measures.catalogue import MEASURES
from workbench.measures.configurations import Group, baseline_of, phase_among, phase_names
from workbench.measures.phase_table import PhaseFigures, RunFigures
from workbench.measures.significance.differences import Difference, differences
from workbench.measures.significance.objections import objection
from workbench.measures.significance.verdicts import Judgement
from workbench.measures.statistics import MARGIN, Change, change
from workbench.model.metric import Quantity, Tier
from workbench.model.phase import Phase
from workbench.model.run import Run
from workbench.model.run_cache import kept_with_run
from workbench.phases.integral import integrate_all, totals_of
from workbench.study.series.tiers import with_disk_tiers
from workbench.study.series.vm_series import BySeries, samples_of

_HALVES = (Quantity.READ_IOPS, Quantity.WRITE_IOPS)


@dataclass(frozen=True, slots=True)
class Split:
    """IOPS by tier and direction, summed over the VMs or per VM, as in the sweep; None if not available.

    `unsplit_read` and `unsplit_write` contain I/O of an unknown tier.
    """

    shared_read: float | None = None
    shared_write: float | None = None
    cache_read: float | None = None
    cache_write: float | None = None
    unsplit_read: float | None = None
    unsplit_write: float | None = None

    @property
    def shared(self) -> float | None:
        """Reads and writes of shared storage."""
        return _sum(self.shared_read, self.shared_write)

    @property
    def cache_disk(self) -> float | None:
        """Reads and writes of the cache disk."""
        return _sum(self.cache_read, self.cache_write)

    @property
    def total(self) -> float | None:
        """Reads and writes of both."""
        return _sum(self.shared, self.cache_disk)


@dataclass(frozen=True, eq=False)
class SweepRow:
    """One configuration of the sweep. `total`, `write` and `split` are means over its runs. `judged` is Compare's
    verdict on its IOPS per VM. `objection` is the reason why its I/O is not compared with the baseline's."""

    group: Group
    size_mb: int | None
    baseline: bool
    n: int
    split: Split
    total: float | None
    write: float | None
    cpu_percent: float | None
    total_change: Change | None = None
    write_change: Change | None = None
    shared_change: Change | None = None
    cpu_change: Change | None = None
    cpu_judgement: Judgement | None = None
    judged: Difference | None = None
    objection: str | None = None

    @property
    def label(self) -> str:
        """The configuration's name."""
        return self.group.label


@dataclass(frozen=True, eq=False)
class Sweep:
    """The configurations of a study in one phase. `per_vm`: figures are per VM. `baseline` may be one of the rows or
    hidden; None if it does not have the phase."""

    phase: str
    per_vm: bool
    rows: tuple[SweepRow, ...]
    baseline: SweepRow | None


@dataclass(frozen=True, slots=True)
class _RunIo:
    """One run's values in the phase, summed or per VM as in the sweep."""

    split: Split
    total: float | None
    write: float | None
    cpu: float | None


def sweep_phase(groups: Sequence[Group]) -> str:
    """The default phase of the cache sweep: steady state, otherwise the last phase."""
    return phase_among(phase_names(groups))


def cache_sweep(groups: Sequence[Group], phase: str, margin: float = MARGIN) -> Sweep:
    """The sweep over the groups that have runs with this phase; groups of one size each, in the order given."""
    used = [group for group in groups if group.phase(phase)]
    base = baseline_of(groups)
    if base is not None and not base.phase(phase):
        base = None
    every = used if base is None or base in used else [base, *used]
    per_vm = len({group.vms for group in every}) > 1
    io = {group.label: [_run_io(run, row, per_vm) for run, row in _rows(group, phase)] for group in every}
    rows = _judged([_row(group, base, io, phase) for group in every], base, groups, phase, margin)
    shown = tuple(row for row in rows if row.group in used)
    return Sweep(phase, per_vm, shown, next((row for row in rows if row.baseline), None))


def ram_cost_gib(size_mb: float, desktops: float) -> float:
    """RAM for the caches of that many VMs in GB: size x VMs / 1024."""
    return size_mb * desktops / 1024


def _rows(group: Group, phase: str) -> list[tuple[RunFigures, PhaseFigures]]:
    return [(run, row) for run in group.runs if (row := run.phase(phase)) is not None]


def _row(group: Group, base: Group | None, io: dict[str, list[_RunIo]], phase: str) -> SweepRow:
    ours = io[group.label]
    reason = None if base is None or base is group else objection(base, group, phase, MEASURES["iops_per_vm"])

    def against(figure: Callable[[_RunIo], float | None]) -> Change | None:
        if base is None or base is group:
            return None
        return change(_known(io[base.label], figure), _known(ours, figure))

    return SweepRow(
        group,
        group.configuration.ram_cache_mb or None,
        group is base,
        len(ours),
        _mean_split([our.split for our in ours]),
        _mean(_known(ours, lambda io: io.total)),
        _mean(_known(ours, lambda io: io.write)),
        _mean(_known(ours, lambda io: io.cpu)),
        against(lambda io: io.total) if reason is None else None,
        against(lambda io: io.write) if reason is None else None,
        against(lambda io: io.split.shared),
        against(lambda io: io.cpu),
        objection=reason,
    )


def _judged(
    rows: list[SweepRow], base: Group | None, groups: Sequence[Group], phase: str, margin: float
) -> tuple[SweepRow, ...]:
    """The rows with Compare's verdicts on their CPU and IOPS, judged together with the rest of the study."""
    if base is None:
        return tuple(rows)
    others = tuple(group for group in groups if group.runs and group is not base)
    found = {
        (row.configuration, row.measure.key): row for row in differences(base, others, margin) if row.phase == phase
    }
    return tuple(
        row
        if row.baseline
        else replace(
            row,
            cpu_judgement=None if (cpu := found.get((row.label, "cpu_percent"))) is None else cpu.judgement,
            judged=found.get((row.label, "iops_per_vm")),
        )
        for row in rows
    )


def _run_io(run: RunFigures, row: PhaseFigures, per_vm: bool) -> _RunIo:
    divisor = float(row.vms or 1) if per_vm else 1.0
    split = split_of(run.run, row)
    scaled = Split(*(None if value is None else value / divisor for value in _values(split)))
    return _RunIo(scaled, _over(row.iops, divisor), _over(row.write_iops, divisor), row.cpu_percent)


def split_of(run: Run, row: PhaseFigures) -> Split:
    """IOPS of a run's phase by tier, summed over its VMs."""
    split = _split_by_tier(run, row.phase)
    return Split(unsplit_read=row.read_iops, unsplit_write=row.write_iops) if split is None else split


# The cache key is only the phase: comparing rows of the phase table would compare every value and VM in them.
@kept_with_run
def _split_by_tier(run: Run, phase: Phase) -> Split | None:
    """IOPS by tier, or None if no tier is known."""
    tiered = with_disk_tiers(run)
    by_tier: dict[Tier, tuple[float | None, float | None]] = {}
    for tier in (Tier.SHARED, Tier.CACHE_DISK):
        halves = samples_of(tiered, _HALVES, tier)
        by_tier[tier] = (_iops(halves[_HALVES[0]], phase), _iops(halves[_HALVES[1]], phase))
    shared, cache = by_tier[Tier.SHARED], by_tier[Tier.CACHE_DISK]
    if shared == cache == (None, None):
        return None
    return Split(*shared, *cache)


def _iops(by_vm: BySeries, phase: Phase) -> float | None:
    totals = totals_of(integrate_all(by_vm, phase))
    return sum(totals) / phase.duration_s if totals else None


def _mean_split(splits: Sequence[Split]) -> Split:
    columns = zip(*(_values(split) for split in splits), strict=True)
    return Split(*(_mean([value for value in column if value is not None]) for column in columns))


def _values(split: Split) -> tuple[float | None, ...]:
    return (
        split.shared_read,
        split.shared_write,
        split.cache_read,
        split.cache_write,
        split.unsplit_read,
        split.unsplit_write,
    )


def _known(runs: Sequence[_RunIo], figure: Callable[[_RunIo], float | None]) -> list[float]:
    return [value for run in runs if (value := figure(run)) is not None]


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _over(value: float | None, divisor: float) -> float | None:
    return None if value is None else value / divisor


def _sum(*values: float | None) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None
