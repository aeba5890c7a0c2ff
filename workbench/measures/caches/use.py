"""How much write cache each VM of a run uses, when it is full, and when it overflows to disk.

Formulas, per VM over the whole run (MB are 2^20 bytes; zero is the start of the first phase, else the first
reading): used % = peak / size; full = first reading at 95 % of the size (the drivers keep a little back);
overflow = first reading at which the cache disk has grown by more than 1 MB from its lowest so far; fill rate and
levelling off as in `cache_gauges`. The size is the driver's own counter, else the run's configuration.
After a restart the cache is empty: the figures of filling and levelling are those of the stretch that filled most,
peaks are over all stretches, "at end" is the last reading.

PVS has no such counters. Its RAM cache lies in the nonpaged pool, which holds more than the cache, so RAM used is
between the pool's growth since its lowest reading (`ram_low_mb`) and the whole pool (`ram_peak_mb`): an estimate.
It has overflowed when the growth alone fills the cache, or when the pool stays within 1 % of its peak for the last
third of the readings while the size lies between the two bounds; it has not when the whole pool is smaller than the
cache; else nobody can tell from the pool.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from workbench.measures.caches.gauges import Readings, fill, full_at, level, plateau_at, readings, stretches
from workbench.measures.caches.problems import cache_problems
from workbench.measures.caches.vm_cache import SizeFrom, VmCache
from workbench.measures.phase_samples import overflow_start
from workbench.measures.phase_table import RunFigures
from workbench.model.metric import Quantity
from workbench.model.phase import Phase
from workbench.model.problem import Problem
from workbench.model.run import Provisioning, Run
from workbench.study.series.vm_series import BySeries, Samples, samples_of

FULL_SHARE = 0.95
_ON_DISK = frozenset(("server", "device-disk"))
_GAUGES = (Quantity.CACHE_RAM_USED, Quantity.CACHE_RAM_SIZE, Quantity.CACHE_DISK_USED, Quantity.CACHE_DISK_SIZE)


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
    def estimate(self) -> bool:
        """Whether the RAM figures are estimates from the nonpaged pool."""
        return any(vm.estimate for vm in self.vms)

    def mean(self, figure: Callable[[VmCache], float | None]) -> float | None:
        """The mean of a figure over the VMs that have it."""
        return _mean(figure(vm) for vm in self.vms)

    def highest(self, figure: Callable[[VmCache], float | None]) -> float | None:
        """The highest VM's figure."""
        return max((value for vm in self.vms if (value := figure(vm)) is not None), default=None)

    def since_zero(self, moment: float | None) -> float | None:
        """Seconds from the run's zero to a moment."""
        return None if moment is None or self.zero is None else moment - self.zero


# A change of the number of VMs, the phase or the view asks for the same runs again.
@lru_cache(maxsize=512)
def run_cache(figures: RunFigures) -> RunCache:
    """The cache use of every VM of a run; a run without write cache has no VMs here and no problems."""
    run = figures.run
    if not has_ram_cache(run):
        return RunCache(run, None, None, ())
    gauges = samples_of(run, _GAUGES)
    ram = gauges[Quantity.CACHE_RAM_USED]
    if not ram and run.configuration.provisioning is Provisioning.PVS:
        ram = samples_of(run, (Quantity.POOL_NONPAGED,))[Quantity.POOL_NONPAGED]
    names = sorted({*ram, *gauges[Quantity.CACHE_DISK_USED]})
    firsts = [
        float(samples.end[0])
        for samples in (*ram.values(), *gauges[Quantity.CACHE_DISK_USED].values())
        if samples.end.size
    ]
    zero = min((row.phase.start for row in figures.phases), default=min(firsts, default=None))
    end = max((row.phase.end for row in figures.phases), default=None)
    vms = tuple(_vm(run, name, ram, gauges, zero) for name in names)
    phases = tuple(row.phase for row in figures.phases)
    return RunCache(run, zero, end, vms, cache_problems(run, vms, end), phases)


def all_problems(figures: RunFigures) -> tuple[Problem, ...]:
    """What was wrong with a run's samples, and with its cache counters: restarts, sizes that are missing or disagree,
    machines that vanish."""
    return tuple(dict.fromkeys((*figures.problems, *run_cache(figures).problems)))


def has_ram_cache(run: Run) -> bool:
    """Whether the run's configuration writes to RAM first, or its counters say that it does."""
    made = run.configuration
    if made.provisioning is Provisioning.MCS or made.write_cache in _ON_DISK or made.ram_cache_mb == 0:
        return False
    if made.provisioning is not Provisioning.OTHER or made.ram_cache_mb:
        return True
    seen = (series.metric for recording in run.recordings for series in recording.series)
    return any(metric is not None and metric.quantity is Quantity.CACHE_RAM_USED for metric in seen)


def _vm(run: Run, name: str, ram: BySeries, gauges: dict[Quantity, BySeries], zero: float | None) -> VmCache:
    used, disk = _readings(ram.get(name)), _readings(gauges[Quantity.CACHE_DISK_USED].get(name))
    size, size_from = _size(run, gauges[Quantity.CACHE_RAM_SIZE].get(name))
    estimate = name in ram and ram[name].estimate
    full_mb = None if size is None else FULL_SHARE * size
    filled = _fullest(used)
    filling = None if filled is None else fill(filled, None if estimate else full_mb)
    full = None if full_mb is None or filled is None else _full(filled, full_mb, estimate)
    overflowed, start = _overflow(name, gauges[Quantity.CACHE_DISK_USED], disk, filled, full_mb, full, estimate)
    disk_size = _readings(gauges[Quantity.CACHE_DISK_SIZE].get(name))
    grown = _fullest(disk)
    seen = used if len(used) else disk
    return VmCache(
        name,
        size,
        size_from,
        ram_end_mb=used.end_mb if len(used) else None,
        ram_peak_mb=used.peak_mb if len(used) else None,
        ram_low_mb=used.peak_mb - float(used.mb.min()) if estimate and len(used) else None,
        estimate=estimate,
        filling=filling,
        full_at=full,
        time_to_full_s=None if full is None or zero is None else full - zero,
        overflowed=overflowed,
        overflow_start=start,
        disk_end_mb=disk.end_mb if len(disk) else None,
        disk_peak_mb=disk.peak_mb if len(disk) else None,
        disk_size_mb=disk_size.peak_mb if len(disk_size) else None,
        disk_level=None if grown is None else level(grown),
        first=float(seen.at[0]) if len(seen) else None,
        last=float(seen.at[-1]) if len(seen) else None,
        emptied=tuple(float(part.at[0]) for part in stretches(used)[1:]),
    )


def _readings(samples: Samples | None) -> Readings:
    return Readings(np.empty(0), np.empty(0)) if samples is None else readings(samples)


def _fullest(gauges: Readings) -> Readings | None:
    """The stretch between restarts that filled most, the longest of them where they are alike."""
    return max(stretches(gauges), key=lambda part: (part.peak_mb, len(part)), default=None)


def _size(run: Run, counter: Samples | None) -> tuple[float | None, SizeFrom | None]:
    gauge = _readings(counter)
    if len(gauge) and gauge.peak_mb > 0:
        return gauge.peak_mb, "counter"
    stated = run.configuration.ram_cache_mb
    return (float(stated), "configuration") if stated else (None, None)


def _full(filled: Readings, full_mb: float, estimate: bool) -> float | None:
    if not estimate:
        return full_at(filled, full_mb)
    lowest = float(filled.mb.min())
    if (certain := full_at(filled, lowest + full_mb)) is not None:
        return certain
    return plateau_at(filled) if filled.peak_mb >= full_mb else None


def _overflow(
    name: str,
    disks: BySeries,
    disk: Readings,
    filled: Readings | None,
    full_mb: float | None,
    full: float | None,
    estimate: bool,
) -> tuple[bool | None, float | None]:
    """Whether the VM overflowed, and when: the cache disk tells, else (PVS) the pool where it can."""
    if len(disk):
        start = overflow_start({name: disks[name]})
        return start is not None, start
    if not estimate or filled is None or full_mb is None:
        return None, None
    if full is not None:
        return True, full
    return (False, None) if filled.peak_mb < full_mb else (None, None)


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else None
