"""The table of a perfmon binary log: takes raw samples and writes computed columns in bounded memory.

Samples are computed block by block. The last row of the previous block is kept for the differences. A counter that
first appears later has no sample in the earlier blocks.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from workbench.readers.blg.cook import TYPES, FloatArray, RawValue, cook
from workbench.readers.blg.samples import Columns, RawSample
from workbench.readers.common.flat_columns import Looks
from workbench.readers.perfmon.held import Held, appended, write_blocks
from workbench.readers.text.timestamps import IntArray

# Cells and rows that are computed at once, and cells held in memory before blocks go to disk.
_BLOCK_CELLS = 1 << 21
_BLOCK_ROWS = 1 << 15
_MEMORY_CELLS = 1 << 24
# Changing instances leave empty columns: a small file could ask for any number of cells.
MOST_CELLS = 1 << 28


class TooManyCellsError(Exception):
    """Samples times counters exceeds `MOST_CELLS`."""


class BlgTable:
    """Collects the samples of one log. `folder` takes the blocks that do not fit into memory."""

    def __init__(self, columns: Columns, folder: Path) -> None:
        self._columns = columns
        self._folder = folder
        self._block: list[RawSample] = []
        self._block_cells = 0
        self._last: RawValue | None = None
        self._parts: list[Held] = []
        self._held = 0
        self.stamps = array("q")
        self.back: dict[int, int] = {}
        self.idle_over: dict[int, int] = {}

    def add(self, sample: RawSample) -> None:
        """Adds one sample. Raises TooManyCellsError if the table would exceed its limit."""
        self.stamps.append(sample.stamp)
        self._block.append(sample)
        width = len(self._columns.counters)
        if len(self.stamps) * width > MOST_CELLS:
            raise TooManyCellsError
        self._block_cells += max(width, len(sample.columns))
        if self._block_cells >= _BLOCK_CELLS or len(self._block) >= _BLOCK_ROWS:
            self._cook_block()

    def write(self, times: IntArray, target: Path) -> Looks:
        """Writes the times and the columns to `target`. Returns the number of empty cells, and the columns with a value
        below zero."""
        self._cook_block()
        return write_blocks(self._parts, times, np.ones(len(times), np.bool_), target)

    def _cook_block(self) -> None:
        if not self._block:
            return
        shape = (len(self._block), len(self._columns.counters))
        first, second, count = (np.zeros(shape, np.int64) for _ in range(3))
        valid = np.zeros(shape, np.bool_)
        for row, sample in enumerate(self._block):
            first[row, sample.columns] = sample.first
            second[row, sample.columns] = sample.second
            count[row, sample.columns] = sample.count
            valid[row, sample.columns] = sample.valid
        raw = RawValue(first, second, count, valid)
        self._block, self._block_cells = [], 0
        before = None if self._last is None else _widened(self._last, raw.first.shape[1])
        values = self._cooked(raw, before)
        self._last = RawValue(
            raw.first[-1:].copy(), raw.second[-1:].copy(), raw.count[-1:].copy(), raw.valid[-1:].copy()
        )
        block = np.ascontiguousarray(values.T)
        if self._held + values.size > _MEMORY_CELLS:
            self._parts.append(appended(block, self._folder / "arrays"))
            return
        self._held += values.size
        self._parts.append(block)

    def _cooked(self, raw: RawValue, before: RawValue | None) -> FloatArray:
        values = np.full(raw.first.shape, np.nan)
        for kind, places in self._by_kind().items():
            bases = np.array([self._columns.counters[index].time_base for index in places], np.float64)
            cooked = cook(kind, _picked(raw, places), None if before is None else _picked(before, places), bases)
            values[:, places] = cooked.values
            _count(self.back, places, cooked.back)
            _count(self.idle_over, places, cooked.idle_over)
        return values

    def _by_kind(self) -> dict[int, list[int]]:
        kinds: dict[int, list[int]] = {}
        for index, counter in enumerate(self._columns.counters):
            if counter.kind in TYPES and counter.known:
                kinds.setdefault(counter.kind, []).append(index)
        return kinds


def _count(counts: dict[int, int], places: Sequence[int], numbers: IntArray) -> None:
    for index, number in zip(places, numbers.tolist(), strict=True):
        if number:
            counts[index] = counts.get(index, 0) + number


def _picked(raw: RawValue, places: Sequence[int]) -> RawValue:
    return RawValue(raw.first[:, places], raw.second[:, places], raw.count[:, places], raw.valid[:, places])


def _widened(raw: RawValue, width: int) -> RawValue:
    """Returns the row with added columns, without values, for the counters that appeared since."""
    more = ((0, 0), (0, width - raw.first.shape[1]))
    return RawValue(np.pad(raw.first, more), np.pad(raw.second, more), np.pad(raw.count, more), np.pad(raw.valid, more))
