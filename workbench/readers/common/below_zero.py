"""Samples below zero of quantities that cannot be negative: a rate, a latency, an amount.

A counter reset, or an interval distorted by a clock change, leaves such numbers in well-formed files. They are removed
from the store, so they are missing everywhere the column is used. Columns without a metric keep their values: esxtop's
-1 in `Alloc Max` means "no limit".
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.model.recording import Series
from workbench.readers.common.flat_columns import leave_empty


class Below(NamedTuple):
    """The cells of one column that are below zero: the row and value of the first one, and their number."""

    column: int
    row: int
    value: float
    number: int


def take_out(columns: Path, below_zero: Collection[int], series: Sequence[Series]) -> list[Below]:
    """Empties the cells of those columns of the store's file that have values below zero and a metric. Returns the
    emptied cells."""
    places = [column for column in sorted(below_zero) if series[column].metric is not None]
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
