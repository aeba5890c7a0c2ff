"""The columns of a file that was just read, before they are put into the store, for the plausibility checks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from workbench.readers.common.stored_rows import is_flat
from workbench.study.plausibility.rules import FROZEN_SAMPLES

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.intp]

# Values checked at once: they fit a core's cache.
_AT_ONCE = 1 << 16
# Values of a large file in memory at once.
_IN_MEMORY = 1 << 24
# From this number of columns several are read together: reading one of 30,000 from Arrow's file takes as long as
# reading a thousand.
_WIDE = 1_000
# Values of the columns that are read together, and the number of such parts that are kept: 128 MB.
_TOGETHER, _PARTS = 1 << 20, 16
# Longer columns are checked one by one without a copy; the few short ones are copied together.
_LONG = 1 << 12


class StoredBlock(NamedTuple):
    """Some columns by index: the highest value of each (NaN if it has none), and a regular subset of the values."""

    places: IntArray
    highest: FloatArray
    few: FloatArray


@dataclass(frozen=True, eq=False)
class Stored:
    """`matrix` is set if the columns are in one NumPy array, one row each after that of the times; otherwise `frame`
    scans Arrow's file of `rows` rows. `one_of_many` reads a column if there are very many."""

    matrix: FloatArray | None
    frame: pl.LazyFrame | None
    rows: int
    one_of_many: Callable[[int], FloatArray] | None = None

    @property
    def times(self) -> FloatArray:
        """Returns the timestamps in seconds since 1970 as the file writes them."""
        if self.matrix is not None:
            return np.asarray(self.matrix[0]) / 1e6
        assert self.frame is not None
        return self.frame.select(pl.col("t").cast(pl.Float64)).collect()["t"].to_numpy() / 1e6

    def column(self, place: int) -> FloatArray:
        """Returns one column, NaN for a missing sample."""
        if self.matrix is not None:
            return np.asarray(self.matrix[1 + place])
        if self.one_of_many is not None:
            return self.one_of_many(place)
        assert self.frame is not None
        return self.frame.select(f"c{place}").collect().to_series().to_numpy()

    def blocks(self, places: Sequence[int], stride: int) -> Iterator[StoredBlock]:
        """Yields the columns `places` (ascending), some columns or some rows at a time."""
        wanted = np.asarray(places, dtype=np.intp)
        if self.matrix is not None:
            yield from _flat_blocks(self.matrix, wanted, stride)
        elif wanted.size:
            assert self.frame is not None
            # polars skips missing values in place; NumPy would need a copy.
            names = pl.col([f"c{place}" for place in places])
            step = max(1, _IN_MEMORY // wanted.size)
            for start in range(0, self.rows, step):
                frame = self.frame.select(names).slice(start, step + FROZEN_SAMPLES).collect()
                if frame.height > _LONG:
                    yield from _long_blocks(frame, wanted, stride)
                    continue
                highest = frame.select(names.max()).cast(pl.Float64).to_numpy()[0]
                yield StoredBlock(wanted, highest, frame.select(names.gather_every(stride)).to_numpy(order="fortran").T)


def _long_blocks(frame: pl.DataFrame, wanted: IntArray, stride: int) -> Iterator[StoredBlock]:
    for number, column in enumerate(frame.iter_columns()):
        # Filling missing values would copy the whole column.
        few = column.gather_every(stride).to_numpy() if column.null_count() else column.to_numpy()[::stride]
        yield StoredBlock(wanted[number : number + 1], np.array([column.max()], np.float64), few[None, :])


def _flat_blocks(matrix: FloatArray, wanted: IntArray, stride: int) -> Iterator[StoredBlock]:
    step = max(1, _AT_ONCE // max(1, matrix.shape[1]))
    for start in range(0, wanted.size, step):
        places = wanted[start : start + step]
        first, last = int(places[0]), int(places[-1])
        rows = slice(1 + first, 2 + last) if last - first == places.size - 1 else 1 + places
        values = np.asarray(matrix[rows])
        yield StoredBlock(places, np.fmax.reduce(values, axis=1), values[:, ::stride])


def opened(columns: Path, rows: int) -> Stored:
    """Returns the columns of a finished file of `rows` rows; nothing is read yet."""
    if is_flat(columns):
        return Stored(np.load(columns, mmap_mode="r"), None, rows)
    frame = pl.scan_ipc(columns, glob=False)
    names = [name for name in frame.collect_schema().names() if name != "t"]
    return Stored(None, frame, rows, _one_of_many(frame, names, rows) if len(names) >= _WIDE else None)


def _one_of_many(frame: pl.LazyFrame, names: Sequence[str], rows: int) -> Callable[[int], FloatArray]:
    """Returns a function that reads a column by its index, together with its neighbours."""
    places = {name: at for at, name in enumerate(names)}
    count = max(1, _TOGETHER // max(1, rows))

    @lru_cache(maxsize=_PARTS)
    def part(number: int) -> FloatArray:
        table = frame.select(names[number * count : (number + 1) * count]).collect()
        return table.to_numpy(order="fortran")

    def column(place: int) -> FloatArray:
        number, at = divmod(places[f"c{place}"], count)
        # A column that is kept longer must not keep its whole part in memory.
        return part(number)[:, at].copy()

    return column
