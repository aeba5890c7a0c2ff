"""Samples of some rows on their way into the store: a frame; of very many counters an array, a row for each row of the
file, because a frame takes more than a kilobyte for each column; or the place on disk where either lies meanwhile."""

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
    """An array within a file of float64 that holds those of other blocks, too: it begins at number `start`."""

    file: Path
    start: int
    rows: int
    width: int

    @property
    def end(self) -> int:
        """The number behind its last."""
        return self.start + self.rows * self.width


Held = Block | Path | FilePart


def appended(array: FloatArray, file: Path) -> FilePart:
    """Writes an array behind those that are in the file; where it lies there."""
    with file.open("ab", buffering=0) as stream:
        start = stream.tell() // array.itemsize
        write_values(stream, array)
    return FilePart(file, start, *array.shape)


def values_of(held: Held) -> FloatArray:
    """The samples as numbers, a row for each row of the file; NaN where one is missing."""
    if isinstance(held, FilePart):
        numbers = np.fromfile(held.file, np.float64, held.end - held.start, offset=held.start * 8)
        return numbers.reshape(held.rows, held.width)
    block = pl.read_ipc(held) if isinstance(held, Path) else held
    return block if isinstance(block, np.ndarray) else block.to_numpy().astype(np.float64)


def arrays_of(blocks: Sequence[Held]) -> list[FloatArray]:
    """The samples of all blocks as numbers; what lies in a file is not read before it is looked at."""
    # Each mapping keeps a file open, and a process may have few: one for all blocks of a file.
    files = {held.file for held in blocks if isinstance(held, FilePart)}
    mapped = {file: np.asarray(np.memmap(file, np.float64, "r")) for file in files}
    return [
        mapped[held.file][held.start : held.end].reshape(held.rows, held.width)
        if isinstance(held, FilePart)
        else values_of(held)
        for held in blocks
    ]


def joined(blocks: Sequence[Block]) -> Block:
    """Several blocks of one kind as one."""
    frames = [block for block in blocks if isinstance(block, pl.DataFrame)]
    if frames:
        return pl.concat(frames, rechunk=True)
    return np.concatenate([block for block in blocks if isinstance(block, np.ndarray)])
