"""Columns as the store keeps them: put in their place, read, and found out where they are damaged.

Arrow IPC, or of very many counters one NumPy array (see `column_file`); beside them the sums that they are checked
against.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.file_replace import deleted_afterwards, replace_file, try_to_delete
from workbench.model.problem import failures
from workbench.model.recording import Recording
from workbench.study.store.column_file import has_end, read_numbers
from workbench.study.store.column_sums import TIMES, check, flat_sums, sealed_sums, sums_bytes, sums_file
from workbench.study.store.pack_file import drop, place_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from workbench.study.store.column_sums import Table

    FloatArray = npt.NDArray[np.float64]

# numpy and polars are loaded by the functions that need them: who imports files only describes them, and the two
# are most of the time that a program takes to start.

# What the names of columns out of a bundle begin with.
BUNDLED = "bundle-"
# Columns that are checked at a time where all of them are.
_AT_ONCE = 64


class ColumnsError(Exception):
    """Columns that the store has lost. The message is a sentence for the user; `again` is another, for when they have
    been read from their file once more."""

    def __init__(self, recording: Recording, how: str) -> None:
        bundled = _file(recording).name.startswith(BUNDLED)
        advice = "Open the bundle again" if bundled else "Open the folder again to import the file again"
        super().__init__(f"The saved import of {recording.file} is {how}. {advice}.")
        self.again = f"The saved import of {recording.file} was {how}; the file was imported again."


def put_columns(part: Path, columns: Path) -> None:
    """Puts finished columns in their place, with the sums that they are checked against."""
    sums = part.with_suffix(".sums.part")
    with deleted_afterwards(sums):
        sums.write_bytes(sealed_sums(_sums(part), columns))
        # First the sums: columns without any count as not there.
        replace_file(sums, sums_file(columns))
        replace_file(part, columns)


def drop_columns(columns: Path) -> None:
    """Deletes columns, which can be read again from their file; those that another window has open stay."""
    if (place := place_of(columns)) is not None:
        drop(place)
        return
    if try_to_delete(columns):
        try_to_delete(sums_file(columns))


def whole(columns: Path) -> bool:
    """Whether the columns are there to their end; notes that they are in use, for `prune`."""
    try:
        there = has_end(columns)
    except Exception:  # what NumPy says of a damaged head may be anything
        return False
    # A store on a share may be for reading only; whoever fills it prunes it.
    with suppress(OSError):
        os.utime(columns)
    return there


def readable(recording: Recording) -> bool:
    """Whether every column is as it was written; damaged columns are deleted."""
    try:
        columns = [series.column for series in recording.series]
        for start in range(0, max(1, len(columns)), _AT_ONCE):
            read_table(recording, columns[start : start + _AT_ONCE])
    except ColumnsError:
        return False
    return True


def read_table(recording: Recording, columns: list[int]) -> tuple[FloatArray, dict[int, FloatArray]]:
    """The time stamps in seconds since 1970 as the file writes them (local time, without the hour that the start of
    summer time skips), and the wanted columns.

    One value per row, NaN where the sample is missing. Raises ColumnsError where they are gone or damaged; damaged ones
    are deleted, so that they are read from their file the next time. Raises Cancelled between columns.
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
    stored: FloatArray = table[TIMES].astype("float64") + recording.moved_us
    times = (stored - sum((stored >= start) * float(by) for start, by in recording.late)) / 1e6
    return times, {column: table[column] for column in columns}


def read_columns(recording: Recording, columns: list[int]) -> dict[int, FloatArray]:
    """The wanted columns alone."""
    return read_table(recording, columns)[1] if columns else {}


def _file(recording: Recording) -> Path:
    if recording.store_file is None:
        raise ValueError(f"{recording.file} has not been placed in a store")
    return Path(recording.store_file)


def _sums(file: Path) -> bytes:
    from workbench.readers.common.stored_rows import is_flat

    return flat_sums(file) if is_flat(file) else sums_bytes(_parts(file))


def _parts(file: Path) -> Iterator[Table]:
    """The columns of a finished Arrow file as they will be read, so many rows at a time that memory lasts."""
    from workbench.readers.common.stored_rows import stored_rows

    for frame in stored_rows(file):
        for values in frame.get_columns():
            yield {TIMES if values.name == "t" else int(values.name.removeprefix("c")): values.to_numpy()}
