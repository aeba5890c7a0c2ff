"""Decides which columns of a table are shown. Columns that the user has hidden are not shown. Empty columns, and
columns that do not fit, are shown only if the user asked for them.

Also decides their order: the first column names the rows and stays first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from workbench.charts.tables import TableData, column_key


@dataclass(frozen=True, slots=True)
class ColumnMemory:
    """The columns of each table by its name: the keys of `hidden` columns, and of columns that are `shown` although
    they are empty or do not fit. `order` has all keys in the user's order if the user has moved a column."""

    hidden: dict[str, frozenset[str]] = field(default_factory=dict)
    shown: dict[str, frozenset[str]] = field(default_factory=dict)
    order: dict[str, tuple[str, ...]] = field(default_factory=dict)


def left_out(memory: ColumnMemory, name: str, table: TableData, empty: frozenset[int]) -> frozenset[int]:
    """The positions of columns that are not shown. Empty if that would hide all columns."""
    hidden, shown = memory.hidden.get(name, frozenset()), memory.shown.get(name, frozenset())
    keys = [column_key(column) for column in table.columns]
    out = {at for at, key in enumerate(keys) if key in hidden or (at in empty and key not in shown)}
    return frozenset(out) if len(out) < len(keys) else frozenset()


def remember(
    memory: ColumnMemory,
    name: str,
    table: TableData,
    shown: frozenset[int],
    empty: frozenset[int],
    beyond: frozenset[int],
) -> None:
    """Stores which columns of a table the user wants to see. Entries for columns that this table does not have stay.
    If the user shows one of those `beyond` the width, the other shown ones stay with it."""
    keys = {at: column_key(column) for at, column in enumerate(table.columns)}
    hidden, asked = memory.hidden.get(name, frozenset()), memory.shown.get(name, frozenset())
    unasked = empty | beyond | (shown if shown & beyond else frozenset())
    out = {key for at, key in keys.items() if at not in shown and (at not in unasked or key in hidden)}
    asks = {key for at, key in keys.items() if at in shown and (at in unasked or key in asked)}
    _keep(memory.hidden, name, hidden - set(keys.values()) | out)
    _keep(memory.shown, name, asked - set(keys.values()) | asks)


def forget_asked(memory: ColumnMemory, name: str, table: TableData) -> None:
    """Removes the choice of shown columns of this table. Entries for other columns stay."""
    asked = memory.shown.get(name, frozenset())
    _keep(memory.shown, name, asked - frozenset(map(column_key, table.columns)))


def in_order(memory: ColumnMemory, name: str, table: TableData) -> list[int]:
    """The positions of all columns of a table from left to right. A column that did not exist when the user moved one
    follows its predecessor in the table. A column made by the user follows one of the columns that it is computed from.
    """
    keys, rank = [column_key(column) for column in table.columns], memory.order.get(name, ())
    order = sorted((at for at, key in enumerate(keys) if at and key in rank), key=lambda at: rank.index(keys[at]))
    for at, key in enumerate(keys):
        if not at:
            order.insert(0, at)
        elif key not in rank:
            before = table.columns[at].after
            order.insert(order.index(at - 1 if before is None else before) + 1, at)
    return order


def remember_order(memory: ColumnMemory, name: str, table: TableData, order: Sequence[int]) -> None:
    """Stores the order of a table. For columns that the table does not have, the stored order stays."""
    keys = [column_key(table.columns[at]) for at in order]
    memory.order[name] = (*keys, *(key for key in memory.order.get(name, ()) if key not in keys))


def _keep(places: dict[str, frozenset[str]], name: str, keys: frozenset[str]) -> None:
    if keys:
        places[name] = keys
    else:
        places.pop(name, None)
