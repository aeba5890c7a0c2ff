"""Footprint over time: how much distinct data a VM has written by each reading, in MB of 2^20 bytes.

A write cache holds each block once, so that what it holds is the number of distinct blocks written so far: the
footprint of the working set (Denning 1968; Xiang, Ding, Luo and Bao 2013), of which the counters log the value itself.
`low` and `high` are bounds of it:

- a VM that did not overflow: both are the RAM used.
- one that overflowed: at least the RAM used, at most RAM + cache disk. A full cache is flushed in pages of 2 MB
  that may hold less, and a block written again stands in RAM and on disk.
- PVS by its nonpaged pool: at least the pool's growth, at most the whole pool while that is below the size of the
  cache. From there on the disk holds an amount that no counter shows.

Both only grow: what a deleted file gives back had been written all the same.
Counters that show a part of the run only (`Part`) give a lower bound; from there on the upper one is infinite: after a
restart, behind the last reading, without a counter of the cache disk, without any.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from workbench.measures.caches.gauges import Readings, readings
from workbench.measures.caches.problems import VANISHED_SHARE
from workbench.measures.caches.use import RunCache
from workbench.measures.caches.vm_cache import VmCache
from workbench.model.metric import Quantity
from workbench.study.series.vm_series import samples_of

FloatArray = npt.NDArray[np.float64]
# Why the counters of a VM show a part of the run only.
Part = Literal["restarted", "no-disk-counter", "no-counters", "stops-early"]
_GAUGES = (Quantity.CACHE_RAM_USED, Quantity.CACHE_DISK_USED, Quantity.POOL_NONPAGED)


@dataclass(frozen=True, eq=False)
class Footprint:
    """Bounds of one VM's footprint in MB at `at`, seconds since the run's zero. `exact`: they are one. `estimate`: from
    the nonpaged pool. `part`: why they hold of a part of the run only, None of the whole."""

    vm: str
    at: FloatArray
    low: FloatArray
    high: FloatArray
    exact: bool
    estimate: bool = False
    part: Part | None = None

    @property
    def step_s(self) -> float:
        """Seconds between two readings as a rule; 0 of a single one."""
        return float(np.median(np.diff(self.at))) if self.at.size > 1 else 0.0

    @property
    def least_mb(self) -> float:
        """What the VM has written at least by its last reading."""
        return float(self.low[-1])

    @property
    def most_mb(self) -> float:
        """What the VM has written at most by its last reading; infinite where no counter shows it."""
        return float(self.high[-1])

    def not_before(self, mb: FloatArray) -> FloatArray:
        """Of each amount the last reading at which it was certainly not exceeded; NaN where it never was."""
        places = np.searchsorted(self.high, mb, side="right")
        before = np.concatenate([[min(0.0, float(self.at[0]))], self.at])[places]
        return np.where(places == self.high.size, np.nan, before)

    def above(self, mb: FloatArray) -> FloatArray:
        """Of each amount the first reading at which more may have been written; NaN where it never was."""
        return np.append(self.at, np.nan)[np.searchsorted(self.high, mb, side="right")]

    def by(self, mb: FloatArray) -> FloatArray:
        """Of each amount the first reading at which more was certainly written; NaN where that is not certain."""
        return np.append(self.at, np.nan)[np.searchsorted(self.low, mb, side="right")]


def footprints(run: RunCache) -> tuple[Footprint, ...]:
    """The footprint of each VM of a run, also of those without cache counters; none where no VM has any."""
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


def _footprint(run: RunCache, vm: VmCache, used: Readings, disk: Readings) -> Footprint:
    if not len(used) or run.zero is None:
        return _unseen(vm.vm)
    part, last = _part(run, vm, used, disk)
    before = used.at < vm.emptied[0] if vm.restarts else np.ones(len(used), np.bool_)
    ram = Readings(used.at[before], used.mb[before])
    low, high = _bounds(vm, ram, disk)
    at = ram.at - run.zero
    if part is None:
        return Footprint(vm.vm, at, low, high, vm.overflowed is False and not vm.estimate, vm.estimate)
    high = np.where(ram.at > last, np.inf, high)
    at, low, high = np.append(at, at[-1]), np.append(low, low[-1]), np.append(high, np.inf)
    return Footprint(vm.vm, at, low, high, False, vm.estimate, part)


def _part(run: RunCache, vm: VmCache, ram: Readings, disk: Readings) -> tuple[Part | None, float]:
    """Why the gauges show a part of the run only, and until when they show it."""
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


def _bounds(vm: VmCache, ram: Readings, disk: Readings) -> tuple[FloatArray, FloatArray]:
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
    # Of a gauge read at other moments the next reading counts: the bound is an upper one.
    later = np.minimum(np.searchsorted(disk.at, ram.at), len(disk) - 1)
    return highest, np.maximum.accumulate(ram.mb + disk.mb[later])
