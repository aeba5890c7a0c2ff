"""Which columns of a table are shown: those the user has not hidden, and of the empty ones those he asked for."""

from __future__ import annotations

from dataclasses import dataclass, field

from workbench.charts.tables import Cell, Column, TableData
from workbench.words.numbers import MISSING

# In a single row what is missing is the message; columns that are empty in several rows are only in the way.
_LEAST_ROWS = 2


@dataclass(frozen=True, slots=True)
class ColumnMemory:
    """By the name of a table the keys of the columns that the user has `hidden`, and those that are `shown` although
    they are empty."""

    hidden: dict[str, frozenset[str]] = field(default_factory=dict)
    shown: dict[str, frozenset[str]] = field(default_factory=dict)


def column_key(column: Column) -> str:
    """What a column is remembered by: title and unit, the word for 2^20 bytes being either."""
    return f"{column.title} {column.unit}".strip().replace("MiB", "MB")


def empty_columns(table: TableData) -> frozenset[int]:
    """The places of the columns without a value in any of several rows; the first column names the rows and counts
    as filled."""
    rows = [row for row in table.rows if not row[0].heading]
    if len(rows) < _LEAST_ROWS:
        return frozenset()
    places = range(1, len(table.columns))
    return frozenset(place for place in places if all(_is_empty(row[place]) for row in rows))


def left_out(memory: ColumnMemory, name: str, table: TableData, empty: frozenset[int]) -> frozenset[int]:
    """The places of the columns that are not shown of a table; none where that would be all."""
    hidden, shown = memory.hidden.get(name, frozenset()), memory.shown.get(name, frozenset())
    keys = [column_key(column) for column in table.columns]
    out = {at for at, key in enumerate(keys) if key in hidden or (at in empty and key not in shown)}
    return frozenset(out) if len(out) < len(keys) else frozenset()


def remember(memory: ColumnMemory, name: str, table: TableData, shown: frozenset[int], empty: frozenset[int]) -> None:
    """Remembers which columns the user wants to see of a table; of columns that it does not have, what was remembered
    stays."""
    keys = {at: column_key(column) for at, column in enumerate(table.columns)}
    hidden, asked = memory.hidden.get(name, frozenset()), memory.shown.get(name, frozenset())
    out = {key for at, key in keys.items() if at not in shown and (at not in empty or key in hidden)}
    asks = {key for at, key in keys.items() if at in shown and (at in empty or key in asked)}
    _keep(memory.hidden, name, hidden - set(keys.values()) | out)
    _keep(memory.shown, name, asked - set(keys.values()) | asks)


def _keep(places: dict[str, frozenset[str]], name: str, keys: frozenset[str]) -> None:
    if keys:
        places[name] = keys
    else:
        places.pop(name, None)


def _is_empty(cell: Cell) -> bool:
    drawn = cell.look is not None or cell.icon or cell.spark is not None or cell.ticked is not None
    return cell.value is None and cell.text.strip() in ("", MISSING) and not drawn
