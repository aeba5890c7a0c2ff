"""Reads rows or columns of a finished Arrow file of the store in pieces, and empties cells in such a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl

from workbench.cancellation import stop_if_cancelled
from workbench.file_replace import deleted_afterwards, replace_file

# Values held in memory at once. With very many columns more, because a column costs as much for one row as for
# hundreds.
_VALUES, _ROWS, _MOST_VALUES = 1 << 22, 512, 1 << 24


def stored_rows(columns: Path, names: Sequence[str] | None = None) -> Iterator[pl.DataFrame]:
    """Yields frames of these columns (default: all) that together are the file; at least one. Raises Cancelled between
    two frames.

    A streaming query of polars reads ahead of the computation, up to the whole file: 2.5 GB of a log of 3.3 GB.
    """
    # No globbing: the path of a store may contain brackets or stars.
    stored = pl.scan_ipc(columns, glob=False)
    if names is not None:
        stored = stored.select(names)
    width, start = len(stored.collect_schema()), 0
    step = max(1, min(max(_ROWS, _VALUES // width), _MOST_VALUES // width))
    while True:
        stop_if_cancelled()
        frame = stored.slice(start, step).collect()
        yield frame
        if frame.height < step:
            return
        start += step


def stored_columns(columns: Path, places: Sequence[int]) -> Iterator[tuple[int, npt.NDArray[np.float64]]]:
    """Yields the columns `places` (distinct; stored as `c0`, `c1`, …) with their places, NaN for an empty cell. Raises
    Cancelled."""
    # Requesting thousands one by one takes longer than reading them.
    stored = pl.scan_ipc(columns, glob=False)
    step = max(1, _VALUES // max(1, stored.select(pl.len()).collect().item()))
    for start in range(0, len(places), step):
        stop_if_cancelled()
        some = places[start : start + step]
        frame = stored.select([f"c{place}" for place in some]).collect()
        for place, values in zip(some, frame.iter_columns(), strict=True):
            yield place, values.to_numpy()


_FLAT_MAGIC = b"\x93NUMPY"
# Values per batch when a file is rewritten.
_BATCH_VALUES = 2 << 20


def is_flat(columns: Path) -> bool:
    """True if the columns are in one NumPy array (see `flat_columns`), False if in Arrow IPC."""
    with columns.open("rb") as stream:
        return stream.read(len(_FLAT_MAGIC)) == _FLAT_MAGIC


def leave_empty(columns: Path, cells: Mapping[int, npt.NDArray[np.intp]]) -> None:
    """Empties cells of these columns (stored as `c0`, `c1`, …); each column comes with its rows."""
    if cells:
        (_in_flat if is_flat(columns) else _in_ipc)(columns, cells)


def _in_flat(columns: Path, cells: Mapping[int, npt.NDArray[np.intp]]) -> None:
    matrix = np.load(columns, mmap_mode="r+")
    for column, rows in cells.items():
        matrix[1 + column, rows] = np.nan
    matrix.flush()


def _in_ipc(columns: Path, cells: Mapping[int, npt.NDArray[np.intp]]) -> None:
    stored = pl.scan_ipc(columns, glob=False)
    part = columns.with_name(f"{columns.name}.fixed")
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
