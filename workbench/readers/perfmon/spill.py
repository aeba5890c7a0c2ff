"""Samples of the careful way on their way into the store: in memory or, for a large file, block by block on disk."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from workbench.readers.common.flat_columns import begin_flat, write_values
from workbench.readers.perfmon.held import Block, Held, appended, arrays_of
from workbench.readers.perfmon.rows import Rows
from workbench.readers.perfmon.stream import batch_rows
from workbench.readers.text.timestamps import BoolArray, IntArray

# Cells in memory at once.
_CELLS = 1 << 20


class Spilling:
    """Keeps a block's samples in memory or, for a large file, on disk: one file per frame, one file for all arrays."""

    def __init__(self, folder: Path, to_disk: bool) -> None:
        self._folder = folder
        self._to_disk = to_disk
        self._count = 0

    def __call__(self, block: Block) -> Held:
        if not self._to_disk:
            return block
        if isinstance(block, np.ndarray):
            return appended(block, self._folder / "arrays")
        self._count += 1
        file = self._folder / f"{self._count}.arrow"
        block.write_ipc(file, compression="uncompressed")
        return file


def write_frames(rows: Rows, times: IntArray, real: BoolArray, columns: Path) -> int:
    """Writes the kept rows frame by frame. Returns the number of empty cells."""
    missing = done = written = width = 0
    parts: list[pl.DataFrame | Path] = []
    for part, height in zip(rows.frames, rows.heights, strict=True):
        frame = pl.read_ipc(part) if isinstance(part, Path) else part
        assert isinstance(frame, pl.DataFrame)
        frame = frame.filter(pl.Series(real[done : done + height]))
        done += height
        frame = frame.insert_column(0, pl.Series("t", times[written : written + frame.height]))
        written += frame.height
        missing, width = missing + sum(frame.null_count().row(0)), frame.width
        if isinstance(part, Path):
            frame.write_ipc(part, compression="uncompressed")
            parts.append(part)
        else:
            parts.append(frame)
    if any(isinstance(part, Path) for part in parts):
        pl.scan_ipc([part for part in parts if isinstance(part, Path)]).sink_ipc(
            columns, compression="uncompressed", record_batch_size=batch_rows(width)
        )
    else:
        whole = pl.concat([part for part in parts if isinstance(part, pl.DataFrame)])
        whole.write_ipc(columns, compression="uncompressed")
    return missing


def write_arrays(rows: Rows, times: IntArray, real: BoolArray, columns: Path) -> int:
    """Writes the kept rows of very many counters into a flat file, some columns at a time. Returns the number of empty
    cells."""
    arrays, missing = arrays_of(rows.frames), 0
    width, step = arrays[0].shape[1], max(1, _CELLS // len(real))
    with columns.open("wb", buffering=0) as stream:
        begin_flat(stream, width, times)
        for start in range(0, width, step):
            values = np.concatenate([array[:, start : start + step] for array in arrays])[real]
            missing += int(np.count_nonzero(np.isnan(values)))
            write_values(stream, np.ascontiguousarray(values.T))
    return missing
