"""A write cache simulated block by block: the values of its counters, and when it overflows.

This module shares no code with the program's predictor, because tests compare the two. It also shares none with the
published sweep (`cache.py`: RAM used is min(written, size)). Rules, after Citrix's posts "Turbo Charging your IOPS" and
"Reducing Shared Storage IO by over 90 %": every block that is written goes to RAM; a cache that is full flushes to disk
in pages of 2 MB; a block that is in RAM is overwritten there; a page on disk is reused if all its blocks are stale; RAM
that the guest does not have is not allocated.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

MB = 2**20
BLOCK, PAGE = 4096, 2 * MB
PER_PAGE = PAGE // BLOCK
# Maximum amount of data in one write to disk.
PER_WRITE = 16
STEP_S = 15.0
# The driver reserves a little of its memory.
FILLS = 0.985
Ints = npt.NDArray[np.int64]


@dataclass
class BlockCache:
    """A RAM cache of `size_mb` above a disk that stores the flushed blocks. `guest_mb` is the memory that the guest can
    spare.
    """

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
        """Maximum number of blocks in RAM."""
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
        """RAM in use, in bytes."""
        return len(self.ram) * BLOCK

    @property
    def disk_bytes(self) -> int:
        """The file on the cache disk in bytes; it does not shrink."""
        return self.allocated * PAGE


def workload(seed: int, vm: int = 0, steps: int = 80, load: float = 1.0) -> list[Ints]:
    """The blocks that a VM writes in each step: blocks that are rewritten again and again, new files, and temporary
    files whose blocks the file system gives to the next file. `load` scales the amount of new data."""
    rng = np.random.RandomState([seed, vm])
    hot = rng.randint(0, 30_000, 1_500)
    weight = 1 / (1 + np.arange(hot.size)) ** 0.8
    weight /= weight.sum()
    fresh, freed = 40_000, list[int]()
    made: list[Ints] = []
    # A boot and logons write fast; steady state writes less and less new data.
    pace = load * rng.uniform(0.85, 1.15)
    for step in range(steps):
        busy = 3.0 if step < 8 else 1.6 if step < 25 else 0.35 + np.exp(-(step - 25) / 15)
        blocks = [rng.choice(hot, rng.poisson(180), p=weight)]
        for _ in range(rng.poisson(4 * busy * pace)):
            length = int(rng.randint(8, 90))
            reused, freed = freed[:length], freed[length:]
            new = np.arange(fresh, fresh + length - len(reused))
            fresh += new.size
            file = np.concatenate([np.array(reused, dtype=np.int64), new])
            blocks.append(file)
            if rng.random_sample() < 0.45:
                freed += file.tolist()
        made.append(np.concatenate(blocks).astype(np.int64))
    return made


@dataclass(frozen=True, eq=False)
class Truth:
    """The record of one VM's cache: counters at the end of each step, writes of each step, and the first step with an
    overflow (None: none)."""

    ram: Ints
    disk: Ints
    asked: Ints
    written: Ints
    overflow: int | None
    spilled_mb: float

    @property
    def overflow_s(self) -> float | None:
        """The time of the first sample that shows the overflow, in seconds since the start."""
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
