"""VmCache: the cache metrics of one VM over a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from workbench.measures.caches.figures import DISK_SIZE, FIGURES, FigureInputs, RamFrom, SizeFrom, VmGauges
from workbench.measures.caches.gauges import FillRate, Level

# Lower bound of an estimated peak. It is not shown as a separate metric.
_LOW = "cache_ram_used_mb_peak_low"


class _Value:
    """A short attribute name for a cache metric of the VM."""

    def __init__(self, figure: str) -> None:
        self.figure = figure

    def __get__(self, vm: VmCache, _: type) -> float | None:
        return vm.value(self.figure)


@dataclass(frozen=True, eq=False)
class VmCache:
    """The cache of one VM over a run. MB are 2^20 bytes, times are seconds since 1970 UTC, None is not available.

    `taken` are its metrics (`FIGURES`) with the samples used. `ram_low_mb` is the lower bound of an estimated peak.
    `ram_percent` is the peak of RAM used in percent of the size, an upper bound for an estimate. `ram_from` is the
    source of RAM used. `overflowed` is None if no counter shows it; `overflow_start` is None then, and if the VM never
    overflowed. The counter that shows it has samples until `watched_until`, usually every `step_s` seconds.
    `unwatched`: its samples end so early that a later overflow is possible. `restarts` counts how often the cache was
    emptied. `begins_percent` is the content at the first sample in percent of the size; if no counter shows it,
    `begins_disk_mb` is the content of the disk. `begins_full`: the cache may have overflowed earlier, and
    `overflow_start` is the latest possible time.
    """

    vm: str
    taken: Mapping[str, FigureInputs] = field(default_factory=dict)
    size_from: SizeFrom | None = None
    estimate: bool = False
    filling: FillRate | None = None
    full_at: float | None = None
    overflowed: bool | None = None
    overflow_start: float | None = None
    disk_size_mb: float | None = None
    disk_level: Level | None = None
    first: float | None = None
    last: float | None = None
    emptied: tuple[float, ...] = ()
    ram_from: RamFrom | None = None
    watched_until: float | None = None
    step_s: float = 0.0
    unwatched: bool = False
    begins_percent: float | None = None
    begins_disk_mb: float | None = None
    begins_full: bool = False

    size_mb = _Value("ram_cache_mb")
    ram_peak_mb = _Value("cache_ram_used_mb_peak")
    ram_low_mb = _Value(_LOW)
    ram_end_mb = _Value("cache_ram_used_mb_end")
    ram_percent = _Value("cache_ram_used_percent")
    time_to_full_s = _Value("time_to_full_s")
    disk_peak_mb = _Value("cache_disk_used_mb_peak")
    disk_end_mb = _Value("cache_disk_used_mb_end")

    def value(self, figure: str) -> float | None:
        """The value of a metric; None if the VM lacks it."""
        return self.taken[figure].value if figure in self.taken else None

    @property
    def restarts(self) -> int:
        """The number of times that the cache was emptied."""
        return len(self.emptied)


def vm_cache(name: str, vm: VmGauges) -> VmCache:
    """The cache use of one VM."""
    taken = {key: found for key, figure in FIGURES.items() if (found := figure.rule(vm)) is not None}
    if vm.estimate and len(vm.ram):
        taken[_LOW] = FigureInputs(vm.ram.peak_mb - float(vm.ram.mb.min()))
    overflowed, start, _ = vm.overflow
    disk_size, seen = vm.readings(DISK_SIZE), vm.ram if len(vm.ram) else vm.disk
    gauge = vm.disk if len(vm.disk) else vm.ram
    return VmCache(
        name,
        taken,
        None if vm.size is None else vm.size[1],
        vm.estimate,
        vm.filling,
        vm.full_at,
        overflowed,
        start,
        disk_size.peak_mb if len(disk_size) else None,
        vm.disk_level,
        first=float(seen.at[0]) if len(seen) else None,
        last=float(seen.at[-1]) if len(seen) else None,
        emptied=tuple(float(part.at[0]) for part in vm.restarts),
        ram_from=vm.ram_from,
        watched_until=float(gauge.at[-1]) if len(gauge) else None,
        step_s=float(np.median(np.diff(gauge.at))) if len(gauge) > 1 else 0.0,
        begins_percent=vm.begins_percent,
        begins_disk_mb=vm.begins_disk_mb,
        begins_full=vm.begins_full,
    )
