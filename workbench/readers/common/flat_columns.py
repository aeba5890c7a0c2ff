"""Samples of very many counters in one flat file.

Arrow IPC spends more on the framing of many short columns than on their values. Such a table is stored as one NumPy
array (`.npy`, format: NumPy's documentation): float64, one row per series. The first row holds the times in
microseconds since 1970 (exact: below 2**53). NaN = missing.
"""

from __future__ import annotations

import math
from io import RawIOBase
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl
from numpy.lib import format as npy

# With at least this many counters the flat file is faster to write and to read.
FLAT_FROM = 100
# Values processed at once: few enough to reuse the memory, enough to justify a call.
_BLOCK = 1 << 19
# Values checked at once: they fit a core's cache.
_STEP = 1 << 16


class Looks(NamedTuple):
    """The result of checking every value: how many are missing, and True if any is below zero."""

    missing: int
    below_zero: bool


def look_at_frame(counters: pl.DataFrame) -> Looks | None:
    """Checks a frame, in which null is missing. Returns None if a value is infinite or NaN (a sum that overflows counts
    as infinite)."""
    # Expressions process the columns in parallel, DataFrame.sum() one after the other.
    sums, least = (counters.select(what).row(0) for what in (pl.all().sum(), pl.all().min()))
    if not all(math.isfinite(total or 0.0) for total in sums):
        return None
    return Looks(count_nulls(counters), any(value is not None and value < 0 for value in least))


def count_nulls(counters: pl.DataFrame) -> int:
    """Returns the number of nulls in a frame."""
    return sum(values.null_count() for values in counters.iter_columns())


def write_flat(columns: Path, times: npt.NDArray[np.int64], counters: pl.DataFrame) -> Looks | None:
    """Writes times and counters to `columns` and checks every value. Returns None if a value is infinite or NaN; the
    data already written is then useless."""
    missing, below_zero = 0, False
    step = max(1, _BLOCK // max(1, counters.height))
    with columns.open("wb", buffering=0) as stream:
        begin_flat(stream, counters.width, times)
        columns_in_order = counters.get_columns()
        for start in range(0, counters.width, step):
            # Concatenate the series: a frame of a subset of them costs more than everything else here.
            part = pl.concat(columns_in_order[start : start + step], rechunk=True)
            values = part.to_numpy()
            looks = look_at_values(values)
            # In an array NaN means null. More NaN than nulls: the text itself had some.
            if looks is None or (looks.missing and looks.missing != part.null_count()):
                return None
            missing, below_zero = missing + looks.missing, below_zero or looks.below_zero
            write_values(stream, values)
    return Looks(missing, below_zero)


def begin_flat(stream: RawIOBase, counters: int, times: npt.NDArray[np.int64]) -> None:
    """Writes the head of the array and the times, which come before the values."""
    shape = (1 + counters, len(times))
    npy.write_array_header_1_0(stream, {"descr": "<f8", "fortran_order": False, "shape": shape})
    write_values(stream, times.astype("<f8"))


def write_values(stream: RawIOBase, values: npt.NDArray[np.float64]) -> None:
    """Writes all the values, in as many steps as the system needs."""
    view = values.data.cast("B")
    while view:
        view = view[stream.write(view) or 0 :]


def look_at_values(values: npt.NDArray[np.float64]) -> Looks | None:
    """Checks an array, in which NaN is missing. Returns None if a value is infinite."""
    missing, below_zero = 0, False
    for start in range(0, values.size, _STEP):
        part = values[start : start + _STEP]
        # A sum is finite only if every value in it is, which is the usual case.
        with np.errstate(over="ignore", invalid="ignore"):
            whole = np.isfinite(part.sum())
        if not whole:
            if np.isinf(part).any():
                return None
            missing += int(np.count_nonzero(np.isnan(part)))
        below_zero = below_zero or bool((part < 0).any())
    return Looks(missing, below_zero)
