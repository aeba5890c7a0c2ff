"""Sweeps measured on caches that are simulated block by block (`sample_data/generator/block_cache.py`): the correct
results that predictions are compared with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from sample_data.generator.block_cache import MB, PAGE, STEP_S, BlockCache, Ints, Truth, cached, workload
from tests.builders import T0, counter, phase, recording, run
from workbench.model.metric import Quantity
from workbench.model.run import Configuration, Provisioning, Run, SessionType

__all__ = ["MB", "PAGE", "STEP_S", "BlockCache", "Ints", "Lab", "Truth"]


@lru_cache(maxsize=4000)
def _truth(seed: int, vm: int, steps: int, load: float, size_mb: float, guest_mb: float) -> Truth:
    return cached(_writes(seed, vm, steps, load), size_mb, guest_mb)


@lru_cache(maxsize=400)
def _writes(seed: int, vm: int, steps: int, load: float) -> list[Ints]:
    return workload(seed, vm, steps, load)


@dataclass(frozen=True)
class Lab:
    """Runs of simulated VMs in a folder. `load` scales the share of new data in their writes."""

    folder: Path
    vms: int = 2
    steps: int = 80
    load: float = 1.0

    def writes(self, seed: int) -> list[list[Ints]]:
        """The writes of each VM in the run of a seed."""
        return [_writes(seed, vm, self.steps, self.load) for vm in range(self.vms)]

    def truths(self, seed: int, size_mb: float, guest_mb: float = float("inf")) -> list[Truth]:
        """The use of a cache of this size in each VM of the run."""
        return [_truth(seed, vm, self.steps, self.load, size_mb, guest_mb) for vm in range(self.vms)]

    def run(self, seed: int, size_mb: float | None, guest_mb: float = float("inf")) -> Run:
        """The run as measured; None: without a cache."""
        if size_mb is None:
            label = Configuration("MCS", Provisioning.MCS)
            asked = [np.array([blocks.size for blocks in writes]) for writes in self.writes(seed)]
            return self._measured(seed, f"mcs-{seed}", label, [(count, None) for count in asked])
        label = Configuration(f"MCSIO {size_mb:g} MB", Provisioning.MCSIO, "device-ram-overflow", int(size_mb))
        truths = self.truths(seed, size_mb, guest_mb)
        return self._measured(seed, f"mcsio-{size_mb:g}-{seed}", label, [(truth.written, truth) for truth in truths])

    def _measured(self, seed: int, name: str, label: Configuration, vms: list[tuple[Ints, Truth | None]]) -> Run:
        folder = self.folder / name
        # No two tests begin at one moment: runs that begin at one moment with the same I/O count as copies.
        begin = 3600.0 * seed
        times = T0 + begin + STEP_S * np.arange(0, self.steps + 1)
        columns = []
        for number, (written, truth) in enumerate(vms):
            vm = f"VM-{number}"
            disk = "0 C:" if truth is None else "1 D:"
            columns.append((counter(vm, Quantity.WRITE_IOPS, instance=disk), _rates(written)))
            columns.append((counter(vm, Quantity.READ_IOPS, instance=disk), _rates(np.zeros_like(written))))
            if truth is not None:
                columns.append((counter(vm, Quantity.CACHE_RAM_USED), _gauge(truth.ram)))
                columns.append((counter(vm, Quantity.CACHE_DISK_USED), _gauge(truth.disk)))
        return run(
            recording(folder, "guest.csv", times, columns),
            configuration=label,
            session_type=SessionType.VDI,
            stated_phases=(phase("steady", begin, begin + STEP_S * self.steps),),
            folder=str(folder),
            name=name,
        )

    def sweep(self, sizes: tuple[float, ...], seeds: range) -> Iterator[Run]:
        """A baseline without a cache and every size, a run for each seed."""
        for seed in seeds:
            yield self.run(seed, None)
            for size in sizes:
                yield self.run(seed, size)


def _rates(counts: Ints) -> npt.NDArray[np.float64]:
    return np.concatenate([[np.nan], counts / STEP_S])


def _gauge(values: Ints) -> npt.NDArray[np.float64]:
    return np.concatenate([[0.0], values]).astype(np.float64)
