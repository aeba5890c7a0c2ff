"""The numbers of a stored file, read and never mapped. If a mapped file is cut short by another process, the system
ends a program that accesses the missing part (SIGBUS), without an exception.

Only the wanted columns are read, and the program never allocates more memory than the file's size. The format is one
NumPy array of float64 (`readers/common/flat_columns`).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from io import BytesIO, FileIO
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from workbench import disk_arrays
from workbench.cancellation import stop_if_cancelled
from workbench.study.store.column_sums import TIMES, DamagedError
from workbench.study.store.pack_file import place_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Numbers = npt.NDArray[np.float64]

# Bytes read at once: between two reads an import can be cancelled.
_AT_ONCE = 1 << 22
# NumPy pads the head of a two-dimensional array to this many bytes.
_HEAD = 128


class _File:
    """An open file, or the columns in it from `start` on: where their numbers begin, and their numbers of columns and
    rows. Nothing is read beyond its end. Raises DamagedError if its end is missing."""

    def __init__(self, stream: FileIO | BytesIO, start: int, size: int) -> None:
        stream.seek(start)
        head, self.width, self.rows = _shape(stream.read(min(_HEAD, size)))
        if head + 8 * self.width * self.rows != size:
            raise DamagedError("the array is not as long as its head says")
        self._stream, self.begin = stream, start + head

    def fill(self, numbers: Numbers, column: int) -> None:
        """Reads the numbers from the start of a column on. Raises Cancelled, and DamagedError if the file ends before
        them."""
        stop_if_cancelled()
        self._stream.seek(self.begin + 8 * self.rows * (column - TIMES))
        rest = numbers.data.cast("B") if numbers.size else memoryview(b"")
        while rest:
            read = self._stream.readinto(rest)
            if not read:
                raise DamagedError("the file ends before its numbers do")
            rest = rest[read:]

    def columns(self, wanted: tuple[int, ...]) -> dict[int, Numbers]:
        """Returns the columns as the rows of one array. Neighbouring columns are read together, because a call for each
        took longer than reading."""
        import numpy as np

        if max(wanted) - TIMES >= self.width:
            raise DamagedError("the array has fewer columns")
        table = disk_arrays.empty((len(wanted), self.rows), "<f8")
        starts = np.concatenate(([0], 1 + np.flatnonzero(np.diff(wanted) != 1), [len(wanted)])).tolist()
        step = max(1, _AT_ONCE // max(1, 8 * self.rows))
        for start, end in pairwise(starts):
            for first in range(start, end, step):
                self.fill(table[first : min(first + step, end)].reshape(-1), wanted[first])
        return dict(zip(wanted, table, strict=True))


@contextmanager
def _opened(file: Path) -> Iterator[_File]:
    place = place_of(file)
    with (file if place is None else place.file).open("rb", buffering=0) as stream:
        end = os.fstat(stream.fileno()).st_size
        if place is not None and place.start + place.size > end:
            raise DamagedError("the file ends before these columns do")
        yield _File(stream, 0, end) if place is None else _File(stream, place.start, place.size)


def read_numbers(file: Path, columns: list[int]) -> dict[int, Numbers]:
    """Returns the times and the wanted columns by number. Raises DamagedError, FileNotFoundError and, for damaged
    heads, any exception of NumPy."""
    with _opened(file) as opened:
        return opened.columns((TIMES, *columns))


def rows_of(columns: list[Numbers]) -> Numbers | None:
    """Returns the columns as the rows of one array if `read_numbers` has read them so, otherwise None; nothing is
    copied."""
    whole = columns[0].base if columns else None
    if whole is None or whole.ndim != 2 or any(column.base is not whole for column in columns):
        return None
    # The times are the first row.
    rows: Numbers = whole[len(whole) - len(columns) :, : columns[0].size]
    ends = zip((rows[0], rows[-1]), (columns[0], columns[-1]), strict=True)
    same = all(row.__array_interface__["data"] == column.__array_interface__["data"] for row, column in ends)
    return rows if same else None


def has_end(file: Path) -> bool:
    """True if a file is complete to its end. Raises OSError and, for a damaged head, any exception of NumPy."""
    with _opened(file):
        return True


@lru_cache(maxsize=256)
def _shape(head: bytes) -> tuple[int, int, int]:
    """Returns where the numbers start, and the numbers of columns and rows, from the first bytes of a file. Cached:
    logs of a folder have equal heads, and NumPy is slow to parse one."""
    from numpy.lib import format as npy

    stream = BytesIO(head)
    npy.read_magic(stream)
    (width, rows), by_columns, kind = npy.read_array_header_1_0(stream)
    if by_columns or kind != "<f8":
        raise DamagedError("the array is of another kind")
    return stream.tell(), width, rows
