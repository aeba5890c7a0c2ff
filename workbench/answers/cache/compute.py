"""Cache: the RAM cache size that is enough, the I/O that it leaves, and its cost for N VMs.

This module combines each run's use (`measures.caches`), the sweep over sizes (`sweep`) and the dips at the overflow
(`overflow_dip`). The smallest size without overflow is found for one provisioning and session type: no run of it
overflowed, which is known of every run, and no larger size overflowed. Sizes between those tested are not interpolated.
Cache disk for N VMs: N x the mean VM's peak (total use), and N x the highest VM's peak (size for every disk). GB are
2^30 bytes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from workbench.answers.cache.overflow_dip import BEFORE_S, Dip, NoDip, overflow_dip
from workbench.answers.cache.sweep import Sweep, SweepRow, cache_sweep
from workbench.measures.caches.use import RunCache, run_cache
from workbench.measures.configurations import Group
from workbench.measures.statistics import MARGIN
from workbench.model.metric import Quantity
from workbench.model.problem import Problem, Severity, few_named
from workbench.model.run import Provisioning, SessionType
from workbench.model.run_cache import kept_of_few, kept_with_run
from workbench.study.series.vm_series import BySeries, Samples, vm_samples
from workbench.words.captions import named


@dataclass(frozen=True, slots=True)
class VmDip:
    """The IOPS of one VM at its overflow. `latency_ms` is the response time before the dip (median) and the highest
    within it; None without a dip or a latency counter."""

    run: str
    vm: str
    found: Dip | NoDip
    folder: str = ""
    latency_ms: tuple[float, float] | None = None


@dataclass(frozen=True, eq=False)
class ConfigurationCache:
    """A configuration's runs with their cache use.

    Figures are means over runs of means over VMs unless the name says otherwise. Sizes are MB of 2^20 bytes, times
    seconds since the run's zero.
    """

    group: Group
    runs: tuple[RunCache, ...]

    @property
    def label(self) -> str:
        """The configuration's name."""
        return self.group.label

    @property
    def size_mb(self) -> float | None:
        """The configured RAM cache: as the run states, otherwise the mean of the counters."""
        return self.group.configuration.ram_cache_mb or self.mean("ram_cache_mb")

    @property
    def estimate(self) -> bool:
        """True if RAM figures are estimates from the nonpaged pool."""
        return any(run.estimate for run in self.runs)

    @property
    def overflowed(self) -> bool | None:
        """True if any run overflowed, False if it is known that no run did, otherwise None."""
        overflows = [run.overflowed for run in self.runs]
        if any(overflows):
            return True
        return None if not overflows or None in overflows else False

    @property
    def overflow_runs(self) -> int:
        """The number of runs that overflowed."""
        return sum(run.overflowed is True for run in self.runs)

    @property
    def begins_full(self) -> bool:
        """True if the cache of any VM may have overflowed before its log began. `overflow_s` is then the latest
        possible time."""
        return any(run.begins_full for run in self.runs)

    @property
    def begins_by_disk(self) -> bool:
        """True if `begins_full` is known only from the cache disks, because no counter shows how full the RAM was."""
        return self.begins_full and all(run.begins_by_disk for run in self.runs if run.begins_full)

    @property
    def overflow_s(self) -> float | None:
        """Time of the first VM's overflow: seconds since zero, mean over the runs that overflowed."""
        return _mean([run.since_zero(run.overflow_start) for run in self.runs])

    @property
    def disk_peak_mb(self) -> float | None:
        """Peak of the cache disk, mean over runs of the mean VM."""
        return self.mean("cache_disk_used_mb_peak")

    @property
    def disk_highest_mb(self) -> float | None:
        """Peak of the cache disk of the highest VM of any run."""
        values = [run.highest("cache_disk_used_mb_peak") for run in self.runs]
        return max((value for value in values if value is not None), default=None)

    @property
    def level_s(self) -> float | None:
        """The time when the cache disk stops growing; None if it still grows on more than half of the VMs."""
        vms = [vm for run in self.runs for vm in run.vms if vm.disk_level is not None]
        settled = [vm.value("cache_disk_levels_off_s") for vm in vms if vm.disk_level and vm.disk_level.at]
        return _mean(settled) if 2 * len(settled) >= len(vms) else None

    @property
    def level_mb(self) -> float | None:
        """The size of the cache disk at `level_s`, mean over the VMs that levelled off."""
        if self.level_s is None:
            return None
        return self.mean("cache_disk_levels_off_mb")

    def mean(self, figure: str) -> float | None:
        """The mean over runs of the mean over VMs."""
        return _mean([run.mean(figure) for run in self.runs])

    def disk_gib_for(self, desktops: float) -> tuple[float | None, float | None]:
        """Cache disk for that many VMs in GB: by the mean VM's peak, and by the highest VM's."""
        mean, highest = self.disk_peak_mb, self.disk_highest_mb
        return (
            None if mean is None else mean * desktops / 1024,
            None if highest is None else highest * desktops / 1024,
        )


@dataclass(frozen=True, eq=False)
class Enough:
    """The smallest tested size that did not overflow, for one provisioning and session type.

    `smallest` is None if no tested size is known to hold everything. `overflowing` are the sizes that overflowed,
    `unknown` those without a counter that shows it. `contrary` names a larger size that overflowed nevertheless.
    """

    provisioning: Provisioning
    session_type: SessionType
    smallest: ConfigurationCache | None
    overflowing: tuple[ConfigurationCache, ...]
    unknown: tuple[ConfigurationCache, ...]
    contrary: tuple[ConfigurationCache, ...] = ()


@dataclass(frozen=True, eq=False)
class CacheAnswer:
    """The data of the cache page, the command line and the findings.

    `cached` are the configurations with a RAM cache, `dips` the I/O of each overflowing VM at its overflow.
    """

    sweep: Sweep
    cached: tuple[ConfigurationCache, ...]
    enough: tuple[Enough, ...]
    dips: tuple[VmDip, ...]
    problems: tuple[Problem, ...]

    def dips_of(self, cache: ConfigurationCache) -> tuple[VmDip, ...]:
        """The dips of a configuration's runs."""
        runs = {run.run.folder for run in cache.runs}
        return tuple(dip for dip in self.dips if dip.folder in runs)

    def dipped_first(self, caches: Sequence[ConfigurationCache]) -> list[ConfigurationCache]:
        """The configurations with a dip, then those without one, each in their order."""
        return sorted(caches, key=lambda cache: not any(isinstance(dip.found, Dip) for dip in self.dips_of(cache)))

    def row(self, label: str) -> SweepRow | None:
        """The sweep's row of a configuration."""
        return next((row for row in self.sweep.rows if row.label == label), None)


def cache_answer(groups: Sequence[Group], phase: str, margin: float = MARGIN) -> CacheAnswer:
    """The answer for the groups of one study.

    The sweep is of one phase; all other values are of the whole runs. `margin` is a share, for the verdict on CPU.
    """
    return _kept_answer(groups[0], tuple(groups), phase, margin) if groups else _cache_answer((), phase, margin)


# Each step of the size slider asks for the same groups again.
@kept_of_few
def _kept_answer(_first: Group, groups: tuple[Group, ...], phase: str, margin: float) -> CacheAnswer:
    return _cache_answer(groups, phase, margin)


def _cache_answer(groups: tuple[Group, ...], phase: str, margin: float) -> CacheAnswer:
    sweep = cache_sweep(groups, phase, margin)
    cached = tuple(cache for group in groups if (cache := configuration_cache(group)).runs)
    dips = tuple(dip for cache in cached for run in cache.runs for dip in run_dips(run))
    problems = [problem for cache in cached for run in cache.runs for problem in run.problems]
    return CacheAnswer(sweep, cached, smallest_sizes(cached), dips, (*problems, *_unsplit(sweep)))


def configuration_cache(group: Group) -> ConfigurationCache:
    """The group's runs that write to RAM first, with their cache use."""
    runs = [run_cache(run) for run in group.runs]
    return ConfigurationCache(group, tuple(run for run in runs if run.vms or run.problems))


def smallest_sizes(cached: Sequence[ConfigurationCache]) -> tuple[Enough, ...]:
    """The smallest size that is enough, for each provisioning and session type that has sizes."""
    kinds = dict.fromkeys(
        (cache.group.configuration.provisioning, cache.group.session_type) for cache in cached if cache.size_mb
    )
    return tuple(_enough(kind, cached) for kind in kinds)


@kept_with_run
def run_dips(run: RunCache) -> tuple[VmDip, ...]:
    """The IOPS of each VM at its overflow; VMs that did not overflow are not in it."""
    starts = {vm.vm: vm.overflow_start for vm in run.vms if vm.overflow_start is not None}
    rates = vm_samples(run.run, Quantity.IOPS) if starts else {}
    last = max((phase.end for phase in run.phases), default=math.inf)
    ends = {vm: last if start < last else math.inf for vm, start in starts.items()}
    dips = {vm: overflow_dip(rates[vm], start, ends[vm]) for vm, start in starts.items() if vm in rates}
    waits = _latencies(run) if any(isinstance(dip, Dip) for dip in dips.values()) else {}
    return tuple(VmDip(run.run.name, vm, dip, run.run.folder, _waiting(dip, waits.get(vm))) for vm, dip in dips.items())


def _latencies(run: RunCache) -> BySeries:
    """The latencies of all I/Os if logged, otherwise of the writes, because a write cache affects those."""
    return vm_samples(run.run, Quantity.LATENCY) or vm_samples(run.run, Quantity.WRITE_LATENCY)


def _waiting(dip: Dip | NoDip, latency: Samples | None) -> tuple[float, float] | None:
    if latency is None or isinstance(dip, NoDip):
        return None
    known = ~np.isnan(latency.values)
    before = known & (latency.end >= dip.start - BEFORE_S) & (latency.end <= dip.start)
    until = dip.trough_at if dip.recovered_at is None else dip.recovered_at
    within = known & (latency.end > dip.start) & (latency.end <= until)
    if not before.any() or not within.any():
        return None
    return 1e3 * float(np.median(latency.values[before])), 1e3 * float(latency.values[within].max())


def _enough(kind: tuple[Provisioning, SessionType], cached: Sequence[ConfigurationCache]) -> Enough:
    tried = [
        cache
        for cache in cached
        if cache.size_mb and kind == (cache.group.configuration.provisioning, cache.group.session_type)
    ]
    over = tuple(cache for cache in tried if cache.overflowed)
    largest = max((cache.size_mb or 0 for cache in over), default=0)
    holding = sorted((cache for cache in tried if cache.overflowed is False), key=lambda cache: cache.size_mb or 0)
    return Enough(
        *kind,
        next((cache for cache in holding if (cache.size_mb or 0) > largest), None),
        over,
        tuple(cache for cache in tried if cache.overflowed is None),
        tuple(cache for cache in over if any((held.size_mb or 0) <= (cache.size_mb or 0) for held in holding)),
    )


def _unsplit(sweep: Sweep) -> list[Problem]:
    runs = [row.label for row in sweep.rows if row.split.unsplit_read is not None]
    if not runs:
        return []
    shown = few_named([*map(named, runs)], 2)
    return [
        Problem(
            Severity.WARNING,
            ", ".join(runs),
            "tiers-not-told",
            f"Shared storage and cache disk cannot be separated for {shown}: only their sum was logged.",
            "sum shown; log each PhysicalDisk instance",
        )
    ]


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
