"""How a table stands on a terminal: numbers are never broken, and what has no room beside the rest stands below.

Where the columns do not fit side by side they stand in blocks, each beginning with the columns that name its rows.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from itertools import takewhile

from rich.cells import cell_len
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

# A name may be broken after so many characters where room is scarce; the first column may take a quarter of it.
_WORD = 12
_FIRST_SHARE = 4
# What stands between two columns, and at both edges together.
_GAP, _EDGES = 3, 2
# The columns that name the rows leave at least this share of the width to the others.
_LEFT_FOR_OTHERS = 0.4


def laid_out(table: Table, width: int, keys: int | None = None) -> str:
    """The table as lines of at most `width` cells, in as many blocks as that takes; `keys` is how many columns name
    the rows (None: the texts at the left, as long as they leave room)."""
    needs = [_least(column, width, first=not index) for index, column in enumerate(table.columns)]
    drawn = []
    for block in _blocks(table.columns, needs, width, keys):
        # Where not even the names and one column have room, the terminal itself breaks the lines.
        room = max(width, sum(needs[index] + _GAP for index in block) - _GAP + _EDGES)
        drawn.append(lines(_part(table, block, needs, room), room).rstrip("\n"))
    return "\n".join(drawn) + "\n"


def lines(table: Table, width: int) -> str:
    """The table as it is, `width` cells wide at most."""
    out = io.StringIO()
    Console(file=out, width=width, force_terminal=False).print(table)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines())


def _blocks(columns: Sequence[Column], needs: Sequence[int], width: int, stated: int | None) -> Iterator[list[int]]:
    """The places of the columns in groups that fit, every group led by those that name the rows."""
    keys = _keys(columns, needs, width) if stated is None else list(range(stated))
    taken = sum(needs[key] + _GAP for key in keys) - _GAP + _EDGES
    block, room = list(keys), width - taken
    for index in range(len(keys), len(columns)):
        if room < needs[index] + _GAP and len(block) > len(keys):
            yield block
            block, room = list(keys), width - taken
        block.append(index)
        room -= needs[index] + _GAP
    yield block


def _keys(columns: Sequence[Column], needs: Sequence[int], width: int) -> list[int]:
    """The first column, and the texts behind it as long as they leave room."""
    texts = takewhile(lambda index: columns[index].justify == "left", range(len(columns)))
    keys = [0]
    for text in list(texts)[1:]:
        if sum(needs[key] + _GAP for key in (*keys, text)) > (1 - _LEFT_FOR_OTHERS) * width:
            break
        keys.append(text)
    return keys


def _least(column: Column, width: int, first: bool) -> int:
    """The width below which a number would be broken, or a word more than need be."""
    head = max((cell_len(word) for word in str(column.header).split()), default=0)
    cells = _texts(column)
    if column.justify == "right":
        return max([head, *map(cell_len, cells)])
    longest = max((cell_len(word) for cell in cells for word in cell.split()), default=0)
    return max(head, min(max(_WORD, width // _FIRST_SHARE) if first else _WORD, longest))


def _texts(column: Column) -> list[str]:
    return [Text.from_markup(str(cell)).plain for cell in column.cells]


def _widths(columns: Sequence[Column], needs: Sequence[int], width: int) -> list[int]:
    """What each column gets: its need, and of the room that is left as much as it can use, the easily content
    first."""
    left = width - sum(needs) - _GAP * (len(columns) - 1) - _EDGES
    more = [
        max(map(cell_len, (str(column.header), *_texts(column)))) - need
        for column, need in zip(columns, needs, strict=True)
    ]
    given = list(needs)
    for index in sorted(range(len(columns)), key=lambda index: more[index]):
        share = max(0, min(left, more[index]))
        given[index] += share
        left -= share
    return given


def _part(table: Table, places: Sequence[int], needs: Sequence[int], width: int) -> Table:
    """Some of the columns as a table of their own."""
    part = Table(box=table.box, pad_edge=table.pad_edge)
    chosen = [table.columns[index] for index in places]
    for column, given in zip(chosen, _widths(chosen, [needs[index] for index in places], width), strict=True):
        part.add_column(column.header, justify=column.justify, overflow=column.overflow, width=given)
    for cells in zip(*(column.cells for column in chosen), strict=True):
        part.add_row(*cells)
    return part
