"""Columns as the store keeps them: put in their place, read, and found out where they are damaged.

Arrow IPC, or of very many counters one NumPy array (see `readers/flat_columns`); beside them the sums that they are
checked against.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.model.failure import failures
from workbench.model.recording import Recording
from workbench.study.store.column_sums import TIMES, check, sums_file, sums_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import polars as pl

    from workbench.study.store.column_sums import Table

    FloatArray = npt.NDArray[np.float64]

# numpy and polars are loaded by the functions that need them: who imports files only describes them, and the two
# are most of the time that a program takes to start.

_ARROW_MAGIC = b"ARROW1"
_FLAT_MAGIC = b"\x93NUMPY"
# Sums are formed over about so many values at a time.
_SUM_VALUES = 1 << 24
# Columns that are checked at a time where all of them are.
_AT_ONCE = 64


class ColumnsError(Exception):
    """Columns that the store has lost. The message is a sentence for the user; `again` is another, for when they have
    been read from their file once more."""

    def __init__(self, file: str, how: str) -> None:
        super().__init__(
            f"What the column store keeps of {file} is {how}. Open the folder again: it is then read from the file."
        )
        self.again = f"What the column store kept of {file} was {how}; it was read from the file again."


def put_columns(part: Path, columns: Path) -> None:
    """Puts finished columns in their place, with the sums that they are checked against."""
    sums = part.with_suffix(".sums.part")
    try:
        sums.write_bytes(sums_of(_parts(part)))
        # First the sums: columns without any count as not there.
        sums.replace(sums_file(columns))
        part.replace(columns)
    finally:
        sums.unlink(missing_ok=True)


def drop_columns(columns: Path) -> None:
    """Deletes columns, which can be read again from their file; those that another window has open stay."""
    with suppress(OSError):
        columns.unlink(missing_ok=True)
        sums_file(columns).unlink(missing_ok=True)


def whole(columns: Path) -> bool:
    """Whether the columns are there to their end; notes that they are in use, for `prune`."""
    try:
        with columns.open("rb") as stream:
            flat = stream.read(len(_FLAT_MAGIC)) == _FLAT_MAGIC
            stream.seek(-len(_ARROW_MAGIC), os.SEEK_END)
            there = flat or stream.read() == _ARROW_MAGIC
        if flat:
            import numpy as np

            np.load(columns, mmap_mode="r")  # maps nothing when the end is missing
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
    """The time stamps in seconds since 1970 as the file writes them (local time), and the wanted columns.

    One value per row, NaN where the sample is missing. Raises ColumnsError where they are gone or damaged; damaged ones
    are deleted, so that they are read from their file the next time.
    """
    file = Path(_file(recording))
    try:
        flat = _is_flat(file)
    except FileNotFoundError as error:
        raise ColumnsError(recording.file, "gone") from error
    try:
        table = _flat_table(file, columns) if flat else _arrow_table(file, columns)
        check(file, table)
    except MemoryError:
        raise
    except failures() as error:  # a damaged file may fail in any way
        drop_columns(file)
        raise ColumnsError(recording.file, "damaged") from error
    times: FloatArray = table[TIMES].astype("float64") / 1e6
    return times, {column: table[column] for column in columns}


def read_columns(recording: Recording, columns: list[int]) -> dict[int, FloatArray]:
    """The wanted columns alone."""
    return read_table(recording, columns)[1] if columns else {}


def _file(recording: Recording) -> str:
    if recording.store_file is None:
        raise ValueError(f"{recording.file} has not been placed in a store")
    return recording.store_file


def _is_flat(file: Path) -> bool:
    with file.open("rb") as stream:
        return stream.read(len(_FLAT_MAGIC)) == _FLAT_MAGIC


def _flat_table(file: Path, columns: list[int]) -> dict[int, npt.NDArray[Any]]:
    import numpy as np

    # Read into one table: the pages of many small ones, and of a mapping, cost more than reading does.
    matrix = np.load(file, mmap_mode="r")
    table = np.empty((len(columns) + 1, matrix.shape[1]), matrix.dtype)
    with file.open("rb") as stream:
        for values, column in zip(table, (TIMES, *columns), strict=True):
            stream.seek(matrix.offset + (column - TIMES) * values.nbytes)
            if stream.readinto(values.data) < values.nbytes:
                raise EOFError(f"{file.name} was cut short")
    return dict(zip((TIMES, *columns), table, strict=True))


def _arrow_table(file: Path, columns: list[int]) -> dict[int, npt.NDArray[Any]]:
    frame = _scan(file).select("t", *(f"c{column}" for column in columns)).collect()
    held = zip((TIMES, *columns), frame.get_columns(), strict=True)
    return {column: values.to_numpy() for column, values in held}


def _scan(file: Path) -> pl.LazyFrame:
    import polars as pl

    # No globbing: a store may lie below a folder with brackets or stars in its name.
    return pl.scan_ipc(str(file), glob=False)


def _parts(file: Path) -> Iterator[Table]:
    """The columns of a finished file as they will be read, so many rows at a time that memory lasts."""
    if _is_flat(file):
        import numpy as np

        for row, values in enumerate(np.load(file, mmap_mode="r")):
            yield {row + TIMES: values}
        return
    names = _scan(file).collect_schema().names()
    places = [TIMES if name == "t" else int(name.removeprefix("c")) for name in names]
    step, start = max(1, _SUM_VALUES // len(names)), 0
    while True:
        frame = _scan(file).slice(start, step).collect()
        for index, values in zip(places, frame.get_columns(), strict=True):
            yield {index: values.to_numpy()}
        if frame.height < step:
            return
        start += step
