"""Samples in one flat file, as the store keeps them.

The table is one NumPy array (`.npy`, format: NumPy's documentation): float64, one row per series. The first row holds
the times in microseconds since 1970 (exact: below 2**53). NaN = missing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from io import RawIOBase
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl
from numpy.lib import format as npy

# Values processed at once: few enough to reuse the memory, enough to justify a call.
_BLOCK = 1 << 19
# Values checked at once: they fit a core's cache.
_STEP = 1 << 16


class Looks(NamedTuple):
    """The result of checking every value: how many are missing, and the series with a value below zero."""

    missing: int
    below_zero: list[int]


@dataclass(frozen=True)
class FlatFile:
    """An array that is being written: its first byte after the head, and its number of rows of the table."""

    stream: RawIOBase
    begin: int
    rows: int

    def put(self, values: npt.NDArray[np.float64], place: int, row: int = 0) -> None:
        """Writes the values of some series, one line each: the first is series `place`, from `row` on."""
        whole = values.shape[1] == self.rows
        for number, part in enumerate([values] if whole else values):
            self.stream.seek(self.begin + 8 * ((1 + place + number) * self.rows + row))
            write_values(self.stream, part)

    def put_times(self, times: npt.NDArray[np.int64]) -> None:
        """Writes the times of all rows."""
        self.put(times.astype("<f8")[None, :], -1)

    def put_frame(self, counters: pl.DataFrame, row: int = 0) -> Looks | None:
        """Writes some rows of all series, from `row` on, and checks every value. Returns None if one is infinite or
        NaN; the data already written is then useless."""
        looks = Looks(0, [])
        step = max(1, _BLOCK // max(1, counters.height))
        columns = counters.get_columns()
        for start in range(0, len(columns), step):
            # Concatenate the series: a frame of a subset of them takes more time than all other steps here.
            part = pl.concat(columns[start : start + step], rechunk=True)
            values = part.to_numpy().reshape(-1, counters.height)
            found = look_at_values(values, start)
            # In an array NaN means null. More NaN than nulls: the text itself had some.
            if found is None or (found.missing and found.missing != part.null_count()):
                return None
            looks = Looks(looks.missing + found.missing, looks.below_zero + found.below_zero)
            self.put(values, start, row)
        return looks


def write_table(columns: Path, times: npt.NDArray[np.int64], values: npt.NDArray[np.float64]) -> None:
    """Writes a table in memory to `columns`: a line of `values` for each series, NaN for a missing one."""
    with columns.open("wb", buffering=0) as stream:
        flat = begin_flat(stream, len(values), len(times))
        flat.put_times(times)
        flat.put(np.ascontiguousarray(values, np.float64).reshape(len(values), len(times)), 0)


def begin_flat(stream: RawIOBase, series: int, rows: int) -> FlatFile:
    """Writes the head of the array."""
    npy.write_array_header_1_0(stream, {"descr": "<f8", "fortran_order": False, "shape": (1 + series, rows)})
    return FlatFile(stream, stream.tell(), rows)


def write_values(stream: RawIOBase, values: npt.NDArray[np.float64]) -> None:
    """Writes all the values, in as many steps as the system needs."""
    view = values.data.cast("B") if values.size else memoryview(b"")
    while view:
        view = view[stream.write(view) or 0 :]


def look_at_values(values: npt.NDArray[np.float64], first: int = 0) -> Looks | None:
    """Checks the values of some series, one line each, in which NaN is missing; the first one has number `first`.
    Returns None if a value is infinite."""
    missing, below_zero = 0, list[int]()
    step = max(1, _STEP // max(1, values.shape[1]))
    for start in range(0, len(values), step):
        part = values[start : start + step]
        # A sum is finite only if every value in it is, which is the usual case.
        with np.errstate(over="ignore", invalid="ignore"):
            whole = np.isfinite(part.sum())
        if not whole:
            if np.isinf(part).any():
                return None
            missing += int(np.count_nonzero(np.isnan(part)))
        if (part < 0).any():
            below_zero += (first + start + np.flatnonzero((part < 0).any(axis=1))).tolist()
    return Looks(missing, below_zero)


def leave_empty(columns: Path, cells: Mapping[int, npt.NDArray[np.intp]]) -> None:
    """Empties cells in a finished file; each column comes with its rows."""
    if cells:
        matrix = np.load(columns, mmap_mode="r+")
        for column, rows in cells.items():
            matrix[1 + column, rows] = np.nan
        matrix.flush()
