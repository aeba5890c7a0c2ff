"""Samples of some rows on the careful way into the store: an array with a line per counter, in memory or, for a large
file, in a file on disk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from workbench.readers.common.flat_columns import Looks, begin_flat, write_values
from workbench.readers.text.timestamps import BoolArray, IntArray

FloatArray = npt.NDArray[np.float64]
# Cells in memory at once.
_CELLS = 1 << 20


@dataclass(frozen=True, slots=True)
class FilePart:
    """An array within a file of float64 that also holds other blocks. It begins at number `start`."""

    file: Path
    start: int
    counters: int
    rows: int

    @property
    def end(self) -> int:
        """Returns the position after its last number."""
        return self.start + self.rows * self.counters


Held = FloatArray | FilePart


def appended(array: FloatArray, file: Path) -> FilePart:
    """Appends an array to the file. Returns its position there."""
    with file.open("ab", buffering=0) as stream:
        start = stream.tell() // array.itemsize
        write_values(stream, np.ascontiguousarray(array))
    return FilePart(file, start, *array.shape)


def arrays_of(blocks: Sequence[Held]) -> list[FloatArray]:
    """Returns the samples of all blocks as numbers. Data in a file is read only on access."""
    # Each mapping keeps a file open, and a process may have only a few: use one for all blocks of a file.
    files = {held.file for held in blocks if isinstance(held, FilePart)}
    mapped = {file: np.asarray(np.memmap(file, np.float64, "r")) for file in files}
    return [
        mapped[held.file][held.start : held.end].reshape(held.counters, held.rows)
        if isinstance(held, FilePart)
        else held
        for held in blocks
    ]


def write_blocks(blocks: Sequence[Held], times: IntArray, real: BoolArray, columns: Path) -> Looks:
    """Writes the real rows into a flat file, some columns at a time. A block without the last counters has no sample of
    them. Returns the number of empty cells, and the columns with a value below zero."""
    arrays, looks = arrays_of(blocks), Looks(0, [])
    width, step = max(map(len, arrays)), max(1, _CELLS // len(real))
    with columns.open("wb", buffering=0) as stream:
        flat = begin_flat(stream, width, len(times))
        flat.put_times(times)
        for start in range(0, width, step):
            lines = min(step, width - start)
            values = np.concatenate([_lines(array, start, lines) for array in arrays], axis=1)
            values = values if real.all() else np.ascontiguousarray(values[:, real])
            below = start + np.flatnonzero((values < 0).any(axis=1))
            looks = Looks(looks.missing + int(np.count_nonzero(np.isnan(values))), looks.below_zero + below.tolist())
            flat.put(values, start)
    return looks


def _lines(array: FloatArray, start: int, count: int) -> FloatArray:
    """Returns this number of lines of an array, those beyond its last one without a value."""
    part = array[start : start + count]
    return part if len(part) == count else np.pad(part, ((0, count - len(part)), (0, 0)), constant_values=np.nan)
