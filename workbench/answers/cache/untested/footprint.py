"""Footprint over time: the amount of distinct data that a VM has written by each sample, in MB (2^20 bytes).

A write cache holds each block once. Its contents are the distinct blocks written so far: the footprint of the working
set (Denning 1968; Xiang, Ding, Luo and Bao 2013). The cache counters log this value directly. `low` and `high` are its
bounds:

- a VM that did not overflow: both are the RAM used.
- a VM that overflowed: at least the RAM used, at most RAM + cache disk. A full cache is flushed in pages of 2 MB that
  may contain less, and a block written again is in RAM and on disk.
- PVS, from its nonpaged pool: at least the pool's growth, at most the whole pool while it is below the cache size.
  Beyond that size, an amount that no counter shows is on the disk.

Both bounds only grow, because deleting a file does not undo its writes. Counters may show only a part of the run
(`Part`): until a restart or until their last sample. Some VMs have no counter of the cache disk, or none at all. After
that part, and without such counters, only the lower bound is known, and the upper bound is infinite.

`largest_of` is an upper bound of the data that the fullest of N further VMs writes, from the data that the measured VMs
wrote.

Assumption: the logarithms of the MB have a normal distribution, with one variance between VMs and one between runs. The
bound is the 90 % quantile of the largest of N VMs in one further run. Means and variances are drawn from their
generalised pivotal quantities (Weerahandi 1993; Lin and Liao 2008, prediction in a one-way random model). If all runs
have the same VMs, their lasting difference is a variance too. There is no bound with fewer than three runs of three VMs
or twelve values in all. There is none either if the values are far from log-normal (the test of Ryan and Joiner 1976 at
1 %).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist
from typing import Literal

import numpy as np
import numpy.typing as npt

from workbench.measures.caches.gauges import GaugeReadings, readings
from workbench.measures.caches.problems import VANISHED_SHARE
from workbench.measures.caches.use import RunCache
from workbench.measures.caches.vm_cache import VmCache
from workbench.model.metric import Quantity
from workbench.study.series.vm_series import samples_of

FloatArray = npt.NDArray[np.float64]
# The reasons why the counters of a VM show only a part of the run.
Part = Literal["restarted", "no-disk-counter", "no-counters", "stops-early"]
_GAUGES = (Quantity.CACHE_RAM_USED, Quantity.CACHE_DISK_USED, Quantity.POOL_NONPAGED)


@dataclass(frozen=True, eq=False)
class Footprint:
    """Bounds of one VM's footprint in MB at `at`, seconds since the run's zero.

    `exact`: both bounds are equal. `estimate`: they are from the nonpaged pool. `part`: why they hold for only a part
    of the run; None if for the whole.
    """

    vm: str
    at: FloatArray
    low: FloatArray
    high: FloatArray
    exact: bool
    estimate: bool = False
    part: Part | None = None

    @property
    def step_s(self) -> float:
        """The usual seconds between two samples; 0 for a single one."""
        return float(np.median(np.diff(self.at))) if self.at.size > 1 else 0.0

    @property
    def least_mb(self) -> float:
        """The lower bound of the data that the VM has written by its last sample."""
        return float(self.low[-1])

    @property
    def most_mb(self) -> float:
        """The upper bound of the data that the VM has written by its last sample; infinite if no counter shows it."""
        return float(self.high[-1])

    def not_before(self, mb: FloatArray) -> FloatArray:
        """The last sample, for each amount, at which the amount was certainly not exceeded; NaN if there is none."""
        places = np.searchsorted(self.high, mb, side="right")
        before = np.concatenate([[min(0.0, float(self.at[0]))], self.at])[places]
        return np.where(places == self.high.size, np.nan, before)

    def above(self, mb: FloatArray) -> FloatArray:
        """The first sample, for each amount, at which more may have been written; NaN if there is none."""
        return np.append(self.at, np.nan)[np.searchsorted(self.high, mb, side="right")]

    def by(self, mb: FloatArray) -> FloatArray:
        """The first sample, for each amount, at which more was certainly written; NaN if that is not certain."""
        return np.append(self.at, np.nan)[np.searchsorted(self.low, mb, side="right")]


def footprints(run: RunCache) -> tuple[Footprint, ...]:
    """The footprint of each VM of a run, including VMs without cache counters; empty if no VM has any."""
    if run.zero is None or not run.vms:
        return ()
    gauges = samples_of(run.run, _GAUGES)
    ram, disk, pool = (gauges[quantity] for quantity in _GAUGES)
    seen = [
        _footprint(run, vm, readings((pool if vm.estimate else ram).get(vm.vm)), readings(disk.get(vm.vm)))
        for vm in run.vms
    ]
    return (*seen, *[_unseen("")] * ((run.run.vms or 0) - len(seen)))


def _unseen(vm: str) -> Footprint:
    return Footprint(vm, np.zeros(1), np.zeros(1), np.full(1, np.inf), False, part="no-counters")


def _footprint(run: RunCache, vm: VmCache, used: GaugeReadings, disk: GaugeReadings) -> Footprint:
    if not len(used) or run.zero is None:
        return _unseen(vm.vm)
    part, last = _part(run, vm, used, disk)
    before = used.at < vm.emptied[0] if vm.restarts else np.ones(len(used), np.bool_)
    ram = GaugeReadings(used.at[before], used.mb[before])
    low, high = _bounds(vm, ram, disk)
    at = ram.at - run.zero
    if part is None:
        return Footprint(vm.vm, at, low, high, vm.overflowed is False and not vm.estimate, vm.estimate)
    high = np.where(ram.at > last, np.inf, high)
    at, low, high = np.append(at, at[-1]), np.append(low, low[-1]), np.append(high, np.inf)
    return Footprint(vm.vm, at, low, high, False, vm.estimate, part)


def _part(run: RunCache, vm: VmCache, ram: GaugeReadings, disk: GaugeReadings) -> tuple[Part | None, float]:
    """The reason why the counters show only a part of the run, and the end of that part."""
    last = float(min(ram.at[-1], disk.at[-1]) if len(disk) else ram.at[-1])
    if vm.restarts:
        return "restarted", min(last, vm.emptied[0])
    if not len(disk) and not vm.estimate and vm.overflowed is None and not vm.unwatched:
        return "no-disk-counter", -np.inf
    first = min((other.first for other in run.vms if other.first is not None), default=last)
    end = max((other.last for other in run.vms if other.last is not None), default=last) if run.end is None else run.end
    step = float(np.median(np.diff(ram.at))) if len(ram) > 1 else 0.0
    slack = max(VANISHED_SHARE * (end - first), 2 * step)
    return ("stops-early" if last < end - slack else None), last


def _bounds(vm: VmCache, ram: GaugeReadings, disk: GaugeReadings) -> tuple[FloatArray, FloatArray]:
    highest = np.maximum.accumulate(ram.mb)
    if vm.estimate:
        grown = np.maximum.accumulate(ram.mb - np.minimum.accumulate(ram.mb))
        beyond = np.inf if vm.size_mb is None else vm.size_mb
        return grown, np.where(highest < beyond, highest, np.inf)
    if vm.overflowed is False:
        return highest, highest
    if not len(disk):
        full = np.inf if vm.overflow_start is None else vm.overflow_start
        return highest, np.where(ram.at < full, highest, np.inf)
    # If a counter has other sample times, its next sample is used, because the bound is an upper one.
    later = np.minimum(np.searchsorted(disk.at, ram.at), len(disk) - 1)
    return highest, np.maximum.accumulate(ram.mb + disk.mb[later])


HELD = 0.9
_RUNS, _VMS, _VALUES = 3, 3, 12
_DRAWS = 4000


def largest_of(runs: Sequence[Mapping[str, float]], vms: float) -> float | None:
    """The bound in MB for that many VMs, from the MB of each VM of each run; None if the assumption cannot be checked
    or does not hold."""
    counts = [len(run) for run in runs]
    if len(runs) < _RUNS or min(counts) < _VMS or sum(counts) < _VALUES or vms < 1:
        return None
    if any(not 0 < mb < math.inf for run in runs for mb in run.values()):
        return None
    logs = [np.log(list(run.values())) for run in runs]
    if not _log_normal(np.concatenate([run - run.mean() for run in logs])):
        return None
    crossed = all(run.keys() == runs[0].keys() for run in runs)
    if crossed:
        logs = [np.log([run[vm] for vm in runs[0]]) for run in runs]
    return float(np.exp(np.quantile(_largest(logs, crossed, vms), HELD)))


def _largest(logs: Sequence[FloatArray], crossed: bool, vms: float) -> FloatArray:
    """Draws of the largest logarithm of a further run."""
    count, each = len(logs), len(logs) / sum(1 / run.size for run in logs)
    means = np.array([run.mean() for run in logs])
    rng = np.random.default_rng([1, count, len(logs[0])])
    between = each * float(((means - means.mean()) ** 2).sum()) / rng.chisquare(count - 1, _DRAWS)
    if crossed:
        matrix = np.array(logs)
        by_vm = matrix.mean(axis=0) - means.mean()
        rest = matrix - means[:, None] - by_vm
        freedom = by_vm.size - 1
        own = float((rest**2).sum()) / rng.chisquare(freedom * (count - 1), _DRAWS)
        lasting = count * float((by_vm**2).sum()) / rng.chisquare(freedom, _DRAWS)
        within = (lasting + (count - 1) * own) / count
        centre = (between + np.maximum(0.0, lasting - own)) / (each * count)
    else:
        squares = sum(float(((run - run.mean()) ** 2).sum()) for run in logs)
        own = within = squares / rng.chisquare(sum(run.size - 1 for run in logs), _DRAWS)
        centre = between / (each * count)
    of_run = np.maximum(0.0, between - own) / each
    moved = np.sqrt(centre) * rng.standard_normal(_DRAWS) + np.sqrt(of_run) * rng.standard_normal(_DRAWS)
    return np.asarray(means.mean() + moved + np.sqrt(within) * _largest_normal(vms))


@lru_cache(maxsize=64)
def _largest_normal(vms: float) -> FloatArray:
    """Draws of the largest of that many standard normal numbers."""
    normal = NormalDist()
    drawn = np.random.default_rng(2).random(_DRAWS)
    return np.array([normal.inv_cdf(min(max(one ** (1 / vms), 1e-12), 1 - 1e-12)) for one in drawn])


def _log_normal(residuals: FloatArray) -> bool:
    """True if the correlation of sorted residuals with normal scores is above its 1 % limit (Ryan and Joiner 1976)."""
    count = residuals.size
    if np.ptp(residuals) == 0:
        return True
    scores = np.array([NormalDist().inv_cdf((place - 0.375) / (count + 0.25)) for place in range(1, count + 1)])
    limit = 0.9963 - 0.0211 / math.sqrt(count) - 1.4106 / count + 3.1791 / count**2
    return float(np.corrcoef(np.sort(residuals), scores)[0, 1]) >= limit
