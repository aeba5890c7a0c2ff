"""Samples of the careful way on their way into the store: in memory, or of a large file block by block on disk."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from workbench.readers.perfmon.rows import Rows
from workbench.readers.perfmon.stream import batch_rows
from workbench.readers.text.timestamps import BoolArray, IntArray


class Spill:
    """Keeps a block's samples in memory, or, for a large file, in a file of their own."""

    def __init__(self, folder: Path, to_disk: bool) -> None:
        self._folder = folder
        self._to_disk = to_disk
        self._count = 0

    def __call__(self, frame: pl.DataFrame) -> pl.DataFrame | Path:
        if not self._to_disk:
            return frame
        self._count += 1
        path = self._folder / f"{self._count}.arrow"
        frame.write_ipc(path, compression="uncompressed")
        return path


def write_frames(rows: Rows, times: IntArray, real: BoolArray, columns: Path) -> int:
    """Writes the kept rows frame by frame; returns the number of empty cells."""
    missing = done = written = 0
    parts: list[pl.DataFrame | Path] = []
    for part, height in zip(rows.frames, rows.heights, strict=True):
        frame = pl.read_ipc(part) if isinstance(part, Path) else part
        frame = frame.filter(pl.Series(real[done : done + height]))
        done += height
        frame = frame.insert_column(0, pl.Series("t", times[written : written + frame.height]))
        written += frame.height
        missing += sum(frame.null_count().row(0))
        if isinstance(part, Path):
            frame.write_ipc(part, compression="uncompressed")
            parts.append(part)
        else:
            parts.append(frame)
    if any(isinstance(part, Path) for part in parts):
        pl.scan_ipc([part for part in parts if isinstance(part, Path)]).sink_ipc(
            columns, compression="uncompressed", record_batch_size=batch_rows(len(frame.columns))
        )
    else:
        whole = pl.concat([part for part in parts if isinstance(part, pl.DataFrame)])
        whole.write_ipc(columns, compression="uncompressed")
    return missing
