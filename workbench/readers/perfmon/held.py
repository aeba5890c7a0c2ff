"""Samples of some rows on their way into the store: a frame; of very many counters an array, a row for each row of the
file, because a frame takes more than a kilobyte for each column; or the file where either lies meanwhile."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl

FloatArray = npt.NDArray[np.float64]
Block = pl.DataFrame | FloatArray
Held = Block | Path

_ARRAY = ".npy"


def put_aside(block: Block, place: Path) -> Path:
    """Writes a block to a file beside `place`, which is named without an ending; the file."""
    if isinstance(block, np.ndarray):
        file = place.with_suffix(_ARRAY)
        np.save(file, block)
    else:
        file = place.with_suffix(".arrow")
        block.write_ipc(file, compression="uncompressed")
    return file


def block_of(held: Held) -> Block:
    """The samples; an array that lies in a file is not read before it is looked at."""
    if not isinstance(held, Path):
        return held
    if held.suffix != _ARRAY:
        return pl.read_ipc(held)
    array: FloatArray = np.load(held, mmap_mode="r")
    return array


def values_of(held: Held) -> FloatArray:
    """The samples as numbers, a row for each row of the file; NaN where one is missing."""
    block = block_of(held)
    return block if isinstance(block, np.ndarray) else block.to_numpy().astype(np.float64)
