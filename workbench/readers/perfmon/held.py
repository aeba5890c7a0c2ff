"""Samples of some rows on their way into the store. They are a frame or, for very many counters, an array with a row
per row of the file, because a frame takes more than a kilobyte per column. Either may be in a file on disk
meanwhile.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl

from workbench.readers.common.flat_columns import write_values

FloatArray = npt.NDArray[np.float64]
Block = pl.DataFrame | FloatArray


@dataclass(frozen=True, slots=True)
class FilePart:
    """An array within a file of float64 that also holds other blocks. It begins at number `start`."""

    file: Path
    start: int
    rows: int
    width: int

    @property
    def end(self) -> int:
        """Returns the position after its last number."""
        return self.start + self.rows * self.width


Held = Block | Path | FilePart


def appended(array: FloatArray, file: Path) -> FilePart:
    """Appends an array to the file. Returns its position there."""
    with file.open("ab", buffering=0) as stream:
        start = stream.tell() // array.itemsize
        write_values(stream, array)
    return FilePart(file, start, *array.shape)


def values_of(held: Held) -> FloatArray:
    """Returns the samples as numbers, a row per row of the file; NaN if one is missing."""
    if isinstance(held, FilePart):
        numbers = np.fromfile(held.file, np.float64, held.end - held.start, offset=held.start * 8)
        return numbers.reshape(held.rows, held.width)
    block = pl.read_ipc(held) if isinstance(held, Path) else held
    return block if isinstance(block, np.ndarray) else block.to_numpy().astype(np.float64)


def arrays_of(blocks: Sequence[Held]) -> list[FloatArray]:
    """Returns the samples of all blocks as numbers. Data in a file is read only on access."""
    # Each mapping keeps a file open, and a process may have only a few: use one for all blocks of a file.
    files = {held.file for held in blocks if isinstance(held, FilePart)}
    mapped = {file: np.asarray(np.memmap(file, np.float64, "r")) for file in files}
    return [
        mapped[held.file][held.start : held.end].reshape(held.rows, held.width)
        if isinstance(held, FilePart)
        else values_of(held)
        for held in blocks
    ]


def joined(blocks: Sequence[Block]) -> Block:
    """Joins several blocks of one kind."""
    frames = [block for block in blocks if isinstance(block, pl.DataFrame)]
    if frames:
        return pl.concat(frames, rechunk=True)
    return np.concatenate([block for block in blocks if isinstance(block, np.ndarray)])
