"""Columns as the store keeps them: puts them in their place, reads them, and detects damage.

The format is one NumPy array of float64 (`readers/common/flat_columns`); its checksums are in a file next to it. Only
the wanted columns are read, never mapped: if a mapped file is cut short by another process, the system ends a program
that accesses the missing part (SIGBUS), without an exception. The program never allocates more memory than the file's
size.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from io import BytesIO, FileIO
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from workbench import disk_arrays
from workbench.cancellation import stop_if_cancelled
from workbench.file_replace import deleted_afterwards, replace_file, try_to_delete
from workbench.model.problem import failures
from workbench.model.recording import Recording
from workbench.study.store.column_sums import TIMES, DamagedError, check, flat_sums, sealed_sums, sums_file
from workbench.study.store.pack_file import drop, place_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    FloatArray = npt.NDArray[np.float64]

# numpy and polars are loaded by the functions that need them. An import only describes the files, and loading the two
# is most of a program's start time.

# The prefix of column names from a bundle.
BUNDLED = "bundle-"
# Columns checked at once when all are checked.
_AT_ONCE = 64
# Bytes read at once: between two reads an import can be cancelled.
_BYTES = 1 << 22
# NumPy pads the head of a two-dimensional array to this many bytes.
_HEAD = 128


class ColumnsError(Exception):
    """Columns that the store has lost. The message is a sentence for the user; `again` is the sentence for the case
    that they have been read from their file again."""

    def __init__(self, recording: Recording, how: str) -> None:
        bundled = _file(recording).name.startswith(BUNDLED)
        advice = "Open the bundle again" if bundled else "Open the folder again to import the file again"
        super().__init__(f"The saved import of {recording.file} is {how}. {advice}.")
        self.again = f"The saved import of {recording.file} was {how}; the file was imported again."


def put_columns(part: Path, columns: Path) -> None:
    """Puts finished columns in their place, with their checksums."""
    sums = part.with_suffix(".sums.part")
    with deleted_afterwards(sums):
        with part.open("rb") as stream:
            sums.write_bytes(sealed_sums(flat_sums(stream), columns))
        # Delete the checksums first: columns without them count as missing.
        replace_file(sums, sums_file(columns))
        replace_file(part, columns)


def drop_columns(columns: Path) -> None:
    """Deletes columns, which can be read again from their file. Columns that another window has open stay."""
    if (place := place_of(columns)) is not None:
        drop(place)
        return
    if try_to_delete(columns):
        try_to_delete(sums_file(columns))


def whole(columns: Path) -> bool:
    """True if the columns are complete to their end. Marks them as used, for `prune`."""
    try:
        with _opened(columns):
            pass
    except Exception:  # NumPy may raise anything for a damaged head
        return False
    # A store on a share may be read-only; the process that fills it prunes it.
    with suppress(OSError):
        os.utime(columns)
    return True


def readable(recording: Recording) -> bool:
    """True if every column is as it was written; damaged columns are deleted."""
    try:
        columns = [series.column for series in recording.series]
        for start in range(0, max(1, len(columns)), _AT_ONCE):
            read_table(recording, columns[start : start + _AT_ONCE])
    except ColumnsError:
        return False
    return True


def read_rows(recording: Recording, columns: list[int]) -> tuple[FloatArray, FloatArray]:
    """Returns the timestamps and the wanted columns, each column as a row of an array. Timestamps are in seconds since
    1970 as the file writes them (local time, without the hour skipped at the start of summer time).

    There is one value per row, NaN if the sample is missing. Raises ColumnsError if columns are missing or damaged.
    Damaged ones are deleted, so they are read from their file next time. Raises Cancelled between columns.
    """
    file = _file(recording)
    try:
        with _opened(file) as opened:
            table = opened.columns((TIMES, *columns))
        check(file, (TIMES, *columns), table)
    except FileNotFoundError as error:
        raise ColumnsError(recording, "gone") from error
    except MemoryError:
        raise
    except failures() as error:  # a damaged file may fail in any way
        drop_columns(file)
        raise ColumnsError(recording, "damaged") from error
    stored = table[0] + recording.moved_us
    times = (stored - sum((stored >= start) * float(by) for start, by in recording.late)) / 1e6
    return times, table[1:]


def read_table(recording: Recording, columns: list[int]) -> tuple[FloatArray, dict[int, FloatArray]]:
    """Like `read_rows`, with the columns by number."""
    times, rows = read_rows(recording, columns)
    return times, dict(zip(columns, rows, strict=True))


def read_columns(recording: Recording, columns: list[int]) -> dict[int, FloatArray]:
    """Returns only the wanted columns."""
    return read_table(recording, columns)[1] if columns else {}


def _file(recording: Recording) -> Path:
    if recording.store_file is None:
        raise ValueError(f"{recording.file} is not in a store")
    return Path(recording.store_file)


class _File:
    """An open file, or the columns in it from `start` on: where their numbers begin, and their numbers of columns and
    rows. Nothing is read beyond its end. Raises DamagedError if its end is missing."""

    def __init__(self, stream: FileIO | BytesIO, start: int, size: int) -> None:
        stream.seek(start)
        head, self.width, self.rows = _shape(stream.read(min(_HEAD, size)))
        if head + 8 * self.width * self.rows != size:
            raise DamagedError("the number of values differs from the header")
        self._stream, self.begin = stream, start + head

    def fill(self, numbers: FloatArray, column: int) -> None:
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

    def columns(self, wanted: tuple[int, ...]) -> FloatArray:
        """Returns the columns as the rows of an array. Neighbouring columns are read together, because a call for each
        took longer than reading."""
        import numpy as np

        if max(wanted) - TIMES >= self.width:
            raise DamagedError("the array has fewer columns")
        table: FloatArray = disk_arrays.empty((len(wanted), self.rows), "<f8")
        starts = np.concatenate(([0], 1 + np.flatnonzero(np.diff(wanted) != 1), [len(wanted)])).tolist()
        step = max(1, _BYTES // max(1, 8 * self.rows))
        for start, end in pairwise(starts):
            for first in range(start, end, step):
                self.fill(table[first : min(first + step, end)].reshape(-1), wanted[first])
        return table


@contextmanager
def _opened(file: Path) -> Iterator[_File]:
    place = place_of(file)
    with (file if place is None else place.file).open("rb", buffering=0) as stream:
        end = os.fstat(stream.fileno()).st_size
        if place is not None and place.start + place.size > end:
            raise DamagedError("the file ends before these columns do")
        yield _File(stream, 0, end) if place is None else _File(stream, place.start, place.size)


@lru_cache(maxsize=256)
def _shape(head: bytes) -> tuple[int, int, int]:
    """Returns where the numbers start, and the numbers of columns and rows, from the first bytes of a file. Cached:
    logs of a folder have equal heads, and NumPy is slow to parse one."""
    from numpy.lib import format as npy

    stream = BytesIO(head)
    npy.read_magic(stream)
    (width, rows), by_columns, kind = npy.read_array_header_1_0(stream)
    if by_columns or kind != "<f8":
        raise DamagedError("the values have a different data type")
    return stream.tell(), width, rows
