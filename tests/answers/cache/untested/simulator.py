"""A write cache simulated block by block, and sweeps measured on it: the truth that predictions are held against.

Nothing here is shared with the program's predictor or with the generator of the sample data. Rules, after Citrix's
posts "Turbo Charging your IOPS" and "Reducing Shared Storage IO by over 90 %": every block that is written goes to RAM;
a cache that is full flushes to disk in pages of 2 MB; a block that is in RAM is overwritten there; a page on disk whose
blocks are all stale is used again; RAM that the guest does not have is not allocated.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tests.builders import T0, counter, phase, recording, run
from workbench.model.metric import Quantity
from workbench.model.run import Configuration, Provisioning, Run, SessionType

MB = 2**20
BLOCK, PAGE = 4096, 2 * MB
PER_PAGE = PAGE // BLOCK
# What one write to disk carries at most.
PER_WRITE = 16
STEP_S = 15.0
# The driver keeps a little of its memory back.
FILLS = 0.985
Ints = npt.NDArray[np.int64]


@dataclass
class BlockCache:
    """A RAM cache of `size_mb` over a disk that takes what it flushes. `guest_mb` is what the guest can spare."""

    size_mb: float
    guest_mb: float = float("inf")
    ram: dict[int, None] = field(default_factory=dict)
    pages: dict[int, set[int]] = field(default_factory=dict)
    allocated: int = 0
    free: int = 0
    writes: int = 0
    disk_writes: int = 0
    disk_blocks: int = 0

    @property
    def room(self) -> int:
        """Blocks that RAM holds at most."""
        return int(min(self.size_mb * FILLS, self.guest_mb) * MB) // BLOCK

    def write(self, block: int) -> None:
        """Writes a block."""
        self.writes += 1
        if block in self.ram:
            return
        page = self.pages.get(block // PER_PAGE)
        if page is not None and block in page:
            # The copy on disk is stale now.
            page.discard(block)
            if not page:
                del self.pages[block // PER_PAGE]
                self.free += 1
        if len(self.ram) >= self.room:
            self._flush()
        self.ram[block] = None

    def _flush(self) -> None:
        """Moves the page of the oldest block to disk."""
        number = next(iter(self.ram)) // PER_PAGE
        moved = [block for block in range(number * PER_PAGE, (number + 1) * PER_PAGE) if block in self.ram]
        for block in moved:
            del self.ram[block]
        if number not in self.pages:
            self.pages[number] = set()
            if self.free:
                self.free -= 1
            else:
                self.allocated += 1
        self.pages[number].update(moved)
        self.disk_blocks += len(moved)
        self.disk_writes += len({block // PER_WRITE for block in moved})

    @property
    def ram_bytes(self) -> int:
        """RAM in use."""
        return len(self.ram) * BLOCK

    @property
    def disk_bytes(self) -> int:
        """The file on the cache disk, which does not shrink."""
        return self.allocated * PAGE


def workload(seed: int, vm: int = 0, steps: int = 80, load: float = 1.0) -> list[Ints]:
    """The blocks that a VM writes in each step: blocks written over and over, new files, and temporary files whose
    blocks the file system gives to the next file. `load` scales how much is new."""
    rng = np.random.default_rng((seed, vm))
    hot = rng.integers(0, 30_000, 1_500)
    weight = 1 / (1 + np.arange(hot.size)) ** 0.8
    weight /= weight.sum()
    fresh, freed = 40_000, list[int]()
    made: list[Ints] = []
    # A boot and logons write fast, steady state ever less that is new.
    pace = load * rng.uniform(0.85, 1.15)
    for step in range(steps):
        busy = 3.0 if step < 8 else 1.6 if step < 25 else 0.35 + np.exp(-(step - 25) / 15)
        blocks = [rng.choice(hot, rng.poisson(180), p=weight)]
        for _ in range(rng.poisson(4 * busy * pace)):
            length = int(rng.integers(8, 90))
            reused, freed = freed[:length], freed[length:]
            new = np.arange(fresh, fresh + length - len(reused))
            fresh += new.size
            file = np.concatenate([np.array(reused, dtype=np.int64), new])
            blocks.append(file)
            if rng.random() < 0.45:
                freed += file.tolist()
        made.append(np.concatenate(blocks).astype(np.int64))
    return made


@dataclass(frozen=True, eq=False)
class Truth:
    """What one VM's cache did: gauges at the end of each step, writes of each step, and the first step with an
    overflow (None: none)."""

    ram: Ints
    disk: Ints
    asked: Ints
    written: Ints
    overflow: int | None
    spilled_mb: float

    @property
    def overflow_s(self) -> float | None:
        """The first reading that shows the overflow, seconds since the start."""
        return None if self.overflow is None else STEP_S * (self.overflow + 1)


def cached(writes: list[Ints], size_mb: float, guest_mb: float = float("inf")) -> Truth:
    """The writes of a VM through a cache."""
    cache = BlockCache(size_mb, guest_mb)
    rows = []
    for blocks in writes:
        asked, written = cache.writes, cache.disk_writes
        for block in blocks.tolist():
            cache.write(block)
        rows.append((cache.ram_bytes, cache.disk_bytes, cache.writes - asked, cache.disk_writes - written))
    ram, disk, asked_of, written_of = (np.array(column) for column in zip(*rows, strict=True))
    over = np.flatnonzero(disk)
    first = int(over[0]) if over.size else None
    return Truth(ram, disk, asked_of, written_of, first, cache.disk_blocks * BLOCK / MB)


@dataclass(frozen=True)
class Lab:
    """Runs of simulated VMs in a folder. `load` scales how much of what they write is new."""

    folder: Path
    vms: int = 2
    steps: int = 80
    load: float = 1.0

    def writes(self, seed: int) -> list[list[Ints]]:
        """What each VM writes in the run of a seed."""
        return [workload(seed, vm, self.steps, self.load) for vm in range(self.vms)]

    def truths(self, seed: int, size_mb: float, guest_mb: float = float("inf")) -> list[Truth]:
        """What happens in each VM of the run with a cache of this size."""
        return [cached(writes, size_mb, guest_mb) for writes in self.writes(seed)]

    def run(self, seed: int, size_mb: float | None, guest_mb: float = float("inf")) -> Run:
        """The run as it is measured; None: without a cache."""
        if size_mb is None:
            label = Configuration("MCS", Provisioning.MCS)
            asked = [np.array([blocks.size for blocks in writes]) for writes in self.writes(seed)]
            return self._measured(f"mcs-{seed}", label, [(count, None) for count in asked])
        label = Configuration(f"MCSIO {size_mb:g} MB", Provisioning.MCSIO, "device-ram-overflow", int(size_mb))
        truths = self.truths(seed, size_mb, guest_mb)
        return self._measured(f"mcsio-{size_mb:g}-{seed}", label, [(truth.written, truth) for truth in truths])

    def _measured(self, name: str, label: Configuration, vms: list[tuple[Ints, Truth | None]]) -> Run:
        folder = self.folder / name
        times = T0 + STEP_S * np.arange(0, self.steps + 1)
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
            stated_phases=(phase("steady", 0, STEP_S * self.steps),),
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
