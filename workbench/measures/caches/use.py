"""The write cache use of each VM of a run, the time when the cache is full, and the time when it overflows to disk.

Formulas, per VM over the whole run (MB are 2^20 bytes; zero is the start of the first phase, otherwise the first
sample): used % = peak / size; full = first sample at 95 % of the size (the drivers reserve a small part); overflow =
first sample at which the cache disk has grown by more than 1 MB from its lowest so far. `gauges` explains fill rate and
levelling off; `figures` declares each metric. The size is from the counter of the driver, otherwise from the
configuration of the run.
A cache that was full at its first sample may have overflowed before the log. If no counter shows the RAM, this means
that the disk held more than an empty one. If the disk of such a cache does not grow, its overflow is unknown. If the
disk grows, the overflow time is the latest possible one.
After a restart the cache is empty. Filling and levelling off use the interval that filled most, peaks use all
intervals, and "at end" is the last sample.

No such counter is known for PVS. Snapshots of poolmon measure its RAM cache by pool tag (VhdR). A cache that is full in
a snapshot has overflowed, because PVS then writes to the disk. A cache that is full in no snapshot has not overflowed.
Without snapshots the nonpaged pool is used. This pool holds more than the cache, so RAM used is only an estimate. Its
lower bound is the growth of the pool since its lowest sample (`ram_low_mb`), its upper bound the whole pool
(`ram_peak_mb`). The cache has overflowed if the growth alone fills it. It has also overflowed if the pool stays within
1 % of its peak for the last third of the samples while the size is between the two bounds. It has not overflowed if the
whole pool is smaller than the cache. In all other cases the overflow is unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from workbench.measures.caches.figures import DISK, DISK_SIZE, EMPTY_DISK_MB, RAM, SIZE, VmGauges
from workbench.measures.caches.gauges import readings
from workbench.measures.caches.problems import VANISHED_SHARE, cache_problems
from workbench.measures.caches.vm_cache import VmCache, vm_cache
from workbench.measures.phase_table import RunFigures
from workbench.model.metric import Quantity
from workbench.model.phase import Phase
from workbench.model.problem import Problem
from workbench.model.run import CACHED, Provisioning, Run
from workbench.model.run_cache import kept_with_run
from workbench.study.series.vm_series import Samples, samples_of

_ON_DISK = frozenset(("server", "device-disk"))


@dataclass(frozen=True, eq=False)
class RunCache:
    """The VMs of a run that have cache counters. `zero` is the start of the run time (UTC seconds)."""

    run: Run
    zero: float | None
    end: float | None
    vms: tuple[VmCache, ...]
    problems: tuple[Problem, ...] = ()
    phases: tuple[Phase, ...] = ()

    @property
    def overflowed(self) -> bool | None:
        """True if any VM overflowed, False if none did, None if unknown."""
        overflows = [vm.overflowed for vm in self.vms]
        if any(overflows):
            return True
        return None if not overflows or None in overflows else False

    @property
    def overflow_start(self) -> float | None:
        """Time of the first overflow of any VM; None if there was none or no counter shows it."""
        return min((vm.overflow_start for vm in self.vms if vm.overflow_start is not None), default=None)

    @property
    def begins_full(self) -> bool:
        """True if the cache of any VM may have overflowed before the log began."""
        return any(vm.begins_full for vm in self.vms)

    @property
    def begins_by_disk(self) -> bool:
        """True if only the cache disk shows that the cache was already full."""
        return self.begins_full and all(vm.begins_percent is None for vm in self.vms if vm.begins_full)

    @property
    def estimate(self) -> bool:
        """True if the RAM values are estimates from the nonpaged pool."""
        return any(vm.estimate for vm in self.vms)

    def values(self, figure: str) -> list[float]:
        """The values of a metric for the VMs that have it."""
        return [vm.taken[figure].value for vm in self.vms if figure in vm.taken]

    def mean(self, figure: str) -> float | None:
        """The mean of a metric over the VMs that have it; None if none has it."""
        values = self.values(figure)
        return float(np.mean(values)) if values else None

    def highest(self, figure: str) -> float | None:
        """The highest value of a metric over the VMs; None if none has it."""
        return max(self.values(figure), default=None)

    def since_zero(self, moment: float | None) -> float | None:
        """Seconds from the zero of the run to a moment; None if either is unknown."""
        return None if moment is None or self.zero is None else moment - self.zero


# Kept, because changes of the number of VMs, the phase or the view ask for the same runs again.
@kept_with_run
def run_cache(figures: RunFigures) -> RunCache:
    """The cache use of every VM of a run. A run without RAM cache has no VMs here and no problems."""
    run = figures.run
    if not has_ram_cache(run):
        return RunCache(run, None, None, ())
    gauges = dict(samples_of(run, (RAM, SIZE, DISK, DISK_SIZE)))
    if not gauges[RAM] and run.configuration.provisioning is Provisioning.PVS:
        gauges[RAM] = samples_of(run, (Quantity.POOL_NONPAGED,))[Quantity.POOL_NONPAGED]
    used = [(vm, samples) for quantity in (RAM, DISK) for vm, samples in gauges[quantity].items()]
    firsts = [float(samples.end[0]) for _, samples in used if samples.end.size]
    zero = min((row.phase.start for row in figures.phases), default=min(firsts, default=None))
    end = max((row.phase.end for row in figures.phases), default=None)
    vms = tuple(
        vm_cache(
            vm,
            VmGauges(
                {quantity: by_vm[vm] for quantity, by_vm in gauges.items() if vm in by_vm},
                zero,
                run.configuration.ram_cache_mb,
                _empty_disk_mb(gauges[DISK].values()),
            ),
        )
        for vm in sorted({vm for vm, _ in used})
    )
    vms = _watched(vms, zero, end)
    phases = tuple(row.phase for row in figures.phases)
    return RunCache(run, zero, end, vms, cache_problems(run, vms, end), phases)


def _empty_disk_mb(disks: Iterable[Samples]) -> float:
    """Content of an empty cache disk in this run: the size of a new difference disk, or 0 if the counter of any VM was
    ever lower, because a difference disk is never smaller."""
    lowest = (found.mb.min() for disk in disks if len(found := readings(disk)))
    return EMPTY_DISK_MB if min(lowest, default=EMPTY_DISK_MB) >= EMPTY_DISK_MB else 0.0


def _watched(vms: Sequence[VmCache], zero: float | None, end: float | None) -> tuple[VmCache, ...]:
    """The VMs. If the cache samples of a VM end before the run, "never overflowed" becomes unknown.

    Cached data only grows, so samples at the end also cover an earlier gap.
    """
    lasts = [vm.last for vm in vms if vm.last is not None]
    until = max(lasts, default=None) if end is None else end
    if until is None or zero is None:
        return tuple(vms)
    slack = VANISHED_SHARE * (until - zero)
    return tuple(
        replace(vm, overflowed=None, unwatched=True)
        if vm.overflowed is False and (vm.watched_until or zero) < until - max(slack, 2 * vm.step_s)
        else vm
        for vm in vms
    )


def all_problems(figures: RunFigures) -> tuple[Problem, ...]:
    """All problems of a run's samples and of its cache counters."""
    return tuple(dict.fromkeys((*figures.problems, *run_cache(figures).problems)))


def has_ram_cache(run: Run) -> bool:
    """True if the run writes to RAM first, by its configuration or by its counters."""
    stated = run.configuration
    if stated.provisioning is Provisioning.MCS or stated.write_cache in _ON_DISK or stated.ram_cache_mb == 0:
        return False
    if stated.provisioning in CACHED or stated.ram_cache_mb:
        return True
    seen = (series.metric for recording in run.recordings for series in recording.series)
    return any(metric is not None and metric.quantity is Quantity.CACHE_RAM_USED for metric in seen)
