"""Footprint over time: how much distinct data a VM has written by each reading, in MB of 2^20 bytes.

A write cache holds each block once, so that what it holds is the number of distinct blocks written so far: the
footprint of the working set (Denning 1968; Xiang, Ding, Luo and Bao 2013), of which the counters log the value itself.
`low` and `high` are bounds of it:

- a VM that did not overflow: both are the RAM used.
- one that overflowed: at least the RAM used, at most RAM + cache disk. A full cache is flushed in pages of 2 MB
  that may hold less, and a block written again stands in RAM and on disk.
- PVS by its nonpaged pool: at least the pool's growth, at most the whole pool while that is below the size of the
  cache. From there on the disk holds an amount that no counter shows.

Both only grow: what a restart or a deleted file gives back had been written all the same.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from workbench.measures.caches.gauges import Readings, readings
from workbench.measures.caches.use import RunCache
from workbench.measures.caches.vm_cache import VmCache
from workbench.model.metric import Quantity
from workbench.study.series.vm_series import Samples, samples_of

FloatArray = npt.NDArray[np.float64]
_GAUGES = (Quantity.CACHE_RAM_USED, Quantity.CACHE_DISK_USED, Quantity.POOL_NONPAGED)


@dataclass(frozen=True, eq=False)
class Footprint:
    """Bounds of one VM's footprint in MB at `at`, seconds since the run's zero. `exact`: they are one. `estimate`: from
    the nonpaged pool."""

    vm: str
    at: FloatArray
    low: FloatArray
    high: FloatArray
    exact: bool
    estimate: bool = False

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

    def by(self, mb: FloatArray) -> FloatArray:
        """Of each amount the first reading at which more was certainly written; NaN where that is not certain."""
        return np.append(self.at, np.nan)[np.searchsorted(self.low, mb, side="right")]


def footprints(run: RunCache) -> tuple[Footprint, ...]:
    """The footprint of each VM of a run that shows it: not of one that was restarted, for its cache was emptied, and
    not where no counter shows whether it overflowed."""
    if run.zero is None:
        return ()
    gauges = samples_of(run.run, _GAUGES)
    ram, disk, pool = (gauges[quantity] for quantity in _GAUGES)
    made = []
    for vm in run.vms:
        used = (pool if vm.estimate else ram).get(vm.vm)
        if used is not None and not vm.restarts:
            made.append(_footprint(vm, used, readings(disk.get(vm.vm)), run.zero))
    return tuple(footprint for footprint in made if footprint is not None)


def _footprint(vm: VmCache, used: Samples, disk: Readings, zero: float) -> Footprint | None:
    ram = readings(used)
    if not len(ram) or (not len(disk) and not vm.estimate and vm.overflowed is None):
        return None
    at = ram.at - zero
    highest = np.maximum.accumulate(ram.mb)
    if vm.estimate:
        grown = np.maximum.accumulate(ram.mb - np.minimum.accumulate(ram.mb))
        beyond = np.inf if vm.size_mb is None else vm.size_mb
        return Footprint(vm.vm, at, grown, np.where(highest < beyond, highest, np.inf), False, True)
    if vm.overflowed is False:
        return Footprint(vm.vm, at, highest, highest, True)
    if not len(disk):
        return Footprint(vm.vm, at, highest, np.where(at < _full(vm, zero), highest, np.inf), False)
    # Of a gauge read at other moments the next reading counts: the bound is an upper one.
    later = np.minimum(np.searchsorted(disk.at, ram.at), len(disk) - 1)
    return Footprint(vm.vm, at, highest, np.maximum.accumulate(ram.mb + disk.mb[later]), False)


def _full(vm: VmCache, zero: float) -> float:
    return np.inf if vm.overflow_start is None else vm.overflow_start - zero
