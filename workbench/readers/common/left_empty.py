"""Cells that are left empty in the store's file after it was written: what a rule takes out of a recording."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl

from workbench.patience import deleted_afterwards, replace_file

_FLAT_MAGIC = b"\x93NUMPY"
# Values of one batch of a file that is written again.
_BATCH_VALUES = 2 << 20


def is_flat(columns: Path) -> bool:
    """Whether the columns lie in one NumPy array (see `flat_columns`), else in Arrow IPC."""
    with columns.open("rb") as stream:
        return stream.read(len(_FLAT_MAGIC)) == _FLAT_MAGIC


def leave_empty(columns: Path, cells: Mapping[int, npt.NDArray[np.intp]]) -> None:
    """Empties the cells of these columns (stored as `c0`, `c1`, …), each given by its rows."""
    if cells:
        (_in_flat if is_flat(columns) else _in_ipc)(columns, cells)


def _in_flat(columns: Path, cells: Mapping[int, npt.NDArray[np.intp]]) -> None:
    matrix = np.load(columns, mmap_mode="r+")
    for column, rows in cells.items():
        matrix[1 + column, rows] = np.nan
    matrix.flush()


def _in_ipc(columns: Path, cells: Mapping[int, npt.NDArray[np.intp]]) -> None:
    stored = pl.scan_ipc(columns, glob=False)
    part = columns.with_name(f"{columns.name}.mended")
    width = len(stored.collect_schema())
    kept = [
        pl.when(pl.int_range(pl.len()).is_in(rows.tolist()).not_()).then(pl.col(f"c{column}")).alias(f"c{column}")
        for column, rows in cells.items()
    ]
    with deleted_afterwards(part):
        stored.with_columns(kept).sink_ipc(
            part, compression="uncompressed", record_batch_size=max(1, _BATCH_VALUES // width)
        )
        replace_file(part, columns)
