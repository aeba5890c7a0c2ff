"""The reader of tables that are known by their columns: a format declares its columns, and how its rows are read."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from workbench.model.reading import Reader, Reading
from workbench.readers.login.json import read_bytes
from workbench.readers.login.table import LoginTable, TableRefusedError, header_keys, read_table, without_rows

# How the rows of a table become a reading; series are written to the path.
Shape = Callable[[LoginTable, Path], Reading]
ShapeOf = Callable[[frozenset[str]], Shape | None]


def table_reader(
    label: str, shape_of: ShapeOf, numbers: frozenset[str] = frozenset(), multiline: bool = True
) -> Reader:
    """Returns a reader. `shape_of` returns how a table with these columns is read, or None for an unknown table.

    `numbers` are the columns that decide the notation of a file's numbers. `multiline`: a quoted cell may contain line
    ends. Unreadable lines are rejected with a problem.
    """
    read = partial(_read, label, shape_of, numbers, multiline)
    return Reader(label, partial(_identify, shape_of), read, read_dated=read)


def _identify(shape_of: ShapeOf, head: bytes, _name: str) -> float:
    return 1.0 if shape_of(header_keys(head)) is not None else 0.0


def _read(
    label: str,
    shape_of: ShapeOf,
    numbers: frozenset[str],
    multiline: bool,
    path: Path,
    name: str,
    columns: Path,
    date_order: str | None = None,
) -> Reading:
    data = read_bytes(path, name, label)
    if isinstance(data, Reading):
        return data
    table = read_table(data, name, multiline, date_order)
    keys = frozenset(table.keys)
    shape = shape_of(keys)
    if shape is None:
        return Reading(table.report(label), table.problems.all())
    try:
        table.decide_numbers(numbers & keys)
        reading = shape(table, columns)
    except TableRefusedError:
        table.reject_all()
        return Reading(table.report(label), table.problems.all())
    return reading if table.rows or table.rejected else without_rows(table, reading)
