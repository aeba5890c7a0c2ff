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

from workbench.model.recording import Series
from workbench.readers.common.flat_columns import leave_empty

# Columns that are checked at once.
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


def find_stored(columns: Path, places: Sequence[int]) -> list[int]:
    """Returns those of the columns `places` of the store's file that have a value below zero."""
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
    flat = np.load(columns, mmap_mode="r")
    belows: list[Below] = []
    cells: dict[int, npt.NDArray[np.intp]] = {}
    for index in places:
        rows = np.flatnonzero(flat[1 + index] < 0)
        if rows.size:
            belows.append(Below(index, int(rows[0]), float(flat[1 + index, rows[0]]), rows.size))
            cells[index] = rows
    leave_empty(columns, cells)
    return belows
