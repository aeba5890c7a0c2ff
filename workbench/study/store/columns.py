"""Columns as the store keeps them: puts them in their place, reads them, and detects damage.

The format is one NumPy array (see `column_file`); its checksums are in a file next to it.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.file_replace import deleted_afterwards, replace_file, try_to_delete
from workbench.model.problem import failures
from workbench.model.recording import Recording
from workbench.study.store.column_file import has_end, read_numbers
from workbench.study.store.column_sums import TIMES, check, flat_sums, sealed_sums, sums_file
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
        there = has_end(columns)
    except Exception:  # NumPy may raise anything for a damaged head
        return False
    # A store on a share may be read-only; the process that fills it prunes it.
    with suppress(OSError):
        os.utime(columns)
    return there


def readable(recording: Recording) -> bool:
    """True if every column is as it was written; damaged columns are deleted."""
    try:
        columns = [series.column for series in recording.series]
        for start in range(0, max(1, len(columns)), _AT_ONCE):
            read_table(recording, columns[start : start + _AT_ONCE])
    except ColumnsError:
        return False
    return True


def read_table(recording: Recording, columns: list[int]) -> tuple[FloatArray, dict[int, FloatArray]]:
    """Returns the timestamps in seconds since 1970 as the file writes them (local time, without the hour skipped at the
    start of summer time), and the wanted columns.

    There is one value per row, NaN if the sample is missing. Raises ColumnsError if columns are gone or damaged.
    Damaged ones are deleted, so they are read from their file next time. Raises Cancelled between columns.
    """
    file = _file(recording)
    try:
        table = read_numbers(file, columns)
        check(file, table)
    except FileNotFoundError as error:
        raise ColumnsError(recording, "gone") from error
    except MemoryError:
        raise
    except failures() as error:  # a damaged file may fail in any way
        drop_columns(file)
        raise ColumnsError(recording, "damaged") from error
    stored = table[TIMES] + recording.moved_us
    times = (stored - sum((stored >= start) * float(by) for start, by in recording.late)) / 1e6
    return times, {column: table[column] for column in columns}


def read_columns(recording: Recording, columns: list[int]) -> dict[int, FloatArray]:
    """Returns only the wanted columns."""
    return read_table(recording, columns)[1] if columns else {}


def _file(recording: Recording) -> Path:
    if recording.store_file is None:
        raise ValueError(f"{recording.file} has not been placed in a store")
    return Path(recording.store_file)
