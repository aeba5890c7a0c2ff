"""Samples below zero of quantities that cannot be negative: a rate, a latency, an amount.

A counter reset, or an interval distorted by a clock change, leaves such numbers in well-formed files. They are removed
from the store, so they are missing everywhere the column is used. Columns without a metric keep their values: esxtop's
-1 in `Alloc Max` means "no limit".
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from workbench.model.recording import Series
from workbench.readers.common.stored_rows import is_flat, leave_empty, stored_columns, stored_rows

# Columns of a flat file that are checked at once.
_COLUMNS = 1024


class Below(NamedTuple):
    """The cells of one column that are below zero: the row and value of the first one, and their number."""

    column: int
    row: int
    value: float
    number: int


def measured(series: Sequence[Series]) -> list[int]:
    """Returns the columns that have a metric; none of them can be below zero."""
    return [counter.column for counter in series if counter.metric is not None]


def find(counters: pl.DataFrame, places: Sequence[int]) -> list[int]:
    """Returns those of the columns `places` (stored as `c0`, `c1`, …) whose minimum is below zero."""
    if not places:
        return []
    least = counters.select(pl.col([f"c{index}" for index in places]).min()).row(0)
    return [index for index, value in zip(places, least, strict=True) if value is not None and value < 0]


def find_stored(columns: Path, places: Sequence[int]) -> list[int]:
    """Like `find`, for columns in the store's file."""
    if not places:
        return []
    if not is_flat(columns):
        frames = stored_rows(columns, [f"c{place}" for place in places])
        return sorted({place for frame in frames for place in find(frame, places)})
    matrix = np.load(columns, mmap_mode="r")
    wanted, below = np.asarray(places, np.intp), list[int]()
    for start in range(0, wanted.size, _COLUMNS):
        part = wanted[start : start + _COLUMNS]
        below += part[(matrix[1 + part] < 0).any(axis=1)].tolist()
    return below


def take_out(columns: Path, places: Sequence[int]) -> list[Below]:
    """Empties the cells below zero of these columns in the store's file. Returns the emptied cells."""
    if not places:
        return []
    flat = np.load(columns, mmap_mode="r") if is_flat(columns) else None
    held = stored_columns(columns, places) if flat is None else ((index, flat[1 + index]) for index in places)
    belows: list[Below] = []
    cells: dict[int, npt.NDArray[np.intp]] = {}
    for index, values in held:
        rows = np.flatnonzero(values < 0)
        if rows.size:
            belows.append(Below(index, int(rows[0]), float(values[rows[0]]), rows.size))
            cells[index] = rows
    leave_empty(columns, cells)
    return belows
