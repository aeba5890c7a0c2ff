"""The columns of a file that was just read, before they are put into the store, for the plausibility checks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.intp]

# Values checked at once: they fit a core's cache.
_AT_ONCE = 1 << 16


class StoredBlock(NamedTuple):
    """Some columns by index: the highest value of each (NaN if it has none), and a regular subset of the values."""

    places: IntArray
    highest: FloatArray
    few: FloatArray


@dataclass(frozen=True, eq=False)
class Stored:
    """The columns of a file: a row of `matrix` each, after that of the times."""

    matrix: FloatArray

    @property
    def times(self) -> FloatArray:
        """Returns the timestamps in seconds since 1970 as the file writes them."""
        return np.asarray(self.matrix[0]) / 1e6

    def column(self, place: int) -> FloatArray:
        """Returns one column, NaN for a missing sample."""
        return np.asarray(self.matrix[1 + place])

    def blocks(self, places: Sequence[int], stride: int) -> Iterator[StoredBlock]:
        """Yields the columns `places` (ascending), some columns at a time."""
        wanted = np.asarray(places, dtype=np.intp)
        step = max(1, _AT_ONCE // max(1, self.matrix.shape[1]))
        for start in range(0, wanted.size, step):
            some = wanted[start : start + step]
            first, last = int(some[0]), int(some[-1])
            rows = slice(1 + first, 2 + last) if last - first == some.size - 1 else 1 + some
            values = np.asarray(self.matrix[rows])
            yield StoredBlock(some, np.fmax.reduce(values, axis=1), values[:, ::stride])


def opened(columns: Path) -> Stored:
    """Returns the columns of a finished file; nothing is read yet."""
    return Stored(np.load(columns, mmap_mode="r"))
