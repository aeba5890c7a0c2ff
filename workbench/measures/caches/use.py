"""How much write cache each VM of a run uses, when it is full, and when it overflows to disk.

Formulas, per VM over the whole run (MB are 2^20 bytes; zero is the start of the first phase, else the first
reading): used % = peak / size; full = first reading at 95 % of the size (the drivers keep a little back);
overflow = first reading at which the cache disk has grown by more than 1 MB from its lowest so far; fill rate and
levelling off as in `gauges`; `figures` declares each of them. The size is the driver's own counter, else the run's
configuration.
A cache that was full at its first reading (where no counter shows that: whose disk held more than an empty one) may
have overflowed before the log: where its disk grows no more, whether it did is not known, and where it grows, the
moment is the latest one.
After a restart the cache is empty: the figures of filling and levelling are those of the stretch that filled most,
peaks are over all stretches, "at end" is the last reading.

Of PVS no such counter is known by name. Snapshots of poolmon measure its RAM cache by its tag (VhdR): a cache that is
full by them has overflowed, for PVS then writes to the disk, and one that is full in none of them has not.
Without snapshots the nonpaged pool stands in. It holds more than the cache, so RAM used is
between the pool's growth since its lowest reading (`ram_low_mb`) and the whole pool (`ram_peak_mb`): an estimate.
It has overflowed when the growth alone fills the cache, or when the pool stays within 1 % of its peak for the last
third of the readings while the size lies between the two bounds; it has not when the whole pool is smaller than the
cache; else nobody can tell from the pool.
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
    """A run's VMs with cache gauges. `zero` is where its time counts from (UTC seconds)."""

    run: Run
    zero: float | None
    end: float | None
    vms: tuple[VmCache, ...]
    problems: tuple[Problem, ...] = ()
    phases: tuple[Phase, ...] = ()

    @property
    def overflowed(self) -> bool | None:
        """Whether any VM overflowed; None when of some it is not known and of none it is known that it did."""
        overflows = [vm.overflowed for vm in self.vms]
        if any(overflows):
            return True
        return None if not overflows or None in overflows else False

    @property
    def overflow_start(self) -> float | None:
        """When the first VM overflowed, None when none did or no counter shows it."""
        return min((vm.overflow_start for vm in self.vms if vm.overflow_start is not None), default=None)

    @property
    def begins_full(self) -> bool:
        """Whether the cache of any VM may have overflowed before the log began."""
        return any(vm.begins_full for vm in self.vms)

    @property
    def begins_by_disk(self) -> bool:
        """Whether that is by what their disks held alone, as no counter shows how full their RAM was."""
        return self.begins_full and all(vm.begins_percent is None for vm in self.vms if vm.begins_full)

    @property
    def estimate(self) -> bool:
        """Whether the RAM figures are estimates from the nonpaged pool."""
        return any(vm.estimate for vm in self.vms)

    def values(self, figure: str) -> list[float]:
        """A figure of the VMs that have it."""
        return [vm.taken[figure].value for vm in self.vms if figure in vm.taken]

    def mean(self, figure: str) -> float | None:
        """The mean of a figure over the VMs that have it."""
        values = self.values(figure)
        return float(np.mean(values)) if values else None

    def highest(self, figure: str) -> float | None:
        """The highest VM's figure."""
        return max(self.values(figure), default=None)

    def since_zero(self, moment: float | None) -> float | None:
        """Seconds from the run's zero to a moment."""
        return None if moment is None or self.zero is None else moment - self.zero


# A change of the number of VMs, the phase or the view asks for the same runs again.
@kept_with_run
def run_cache(figures: RunFigures) -> RunCache:
    """The cache use of every VM of a run; a run without write cache has no VMs here and no problems."""
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
    """What an empty cache disk of the run shows: the file of a difference disk, or nothing where the counter of any VM
    was below that, which no such file is."""
    lowest = (found.mb.min() for disk in disks if len(found := readings(disk)))
    return EMPTY_DISK_MB if min(lowest, default=EMPTY_DISK_MB) >= EMPTY_DISK_MB else 0.0


def _watched(vms: Sequence[VmCache], zero: float | None, end: float | None) -> tuple[VmCache, ...]:
    """The VMs; of those whose gauge ends before the run does it is not known that they never overflowed. What is cached
    only grows, so readings at the end also speak of a gap before them."""
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
    """What was wrong with a run's samples, and with its cache counters: restarts, sizes that are missing or disagree,
    machines that vanish."""
    return tuple(dict.fromkeys((*figures.problems, *run_cache(figures).problems)))


def has_ram_cache(run: Run) -> bool:
    """Whether the run's configuration writes to RAM first, or its counters say that it does."""
    stated = run.configuration
    if stated.provisioning is Provisioning.MCS or stated.write_cache in _ON_DISK or stated.ram_cache_mb == 0:
        return False
    if stated.provisioning in CACHED or stated.ram_cache_mb:
        return True
    seen = (series.metric for recording in run.recordings for series in recording.series)
    return any(metric is not None and metric.quantity is Quantity.CACHE_RAM_USED for metric in seen)
