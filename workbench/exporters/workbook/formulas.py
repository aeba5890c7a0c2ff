"""Formulas that stay empty, never 0 and never an error, where something they need is empty."""

from __future__ import annotations

import string
from collections.abc import Mapping

from openpyxl.utils import get_column_letter


def guarded(template: str, row: int, places: Mapping[str, int]) -> str:
    """The formula of one row; empty, never 0 or an error, as soon as one of its inputs is empty."""
    keys = [key for _, key, _, _ in string.Formatter().parse(template) if key]
    cells = {key: f"{get_column_letter(places[key])}{row}" for key in keys}
    used = list(dict.fromkeys(cells.values()))
    return f'IF(COUNT({",".join(used)})={len(used)},{template.format(**cells)},"")'


def average_of_set(sheet: str, column: str, rows: tuple[int, int], set_cell: str) -> str:
    """The mean over the rows of one set, whatever order they are sorted in; empty when none has a number."""
    first, last = rows
    values, sets = (f"{sheet}!${letter}${first}:${letter}${last}" for letter in (column, "A"))
    return f'IFERROR(AVERAGEIFS({values},{sets},{set_cell}),"")'


def of_set(sheet: str, column: str, rows: tuple[int, int], number: int) -> str:
    """The value that the Configurations sheet has for one set, wherever it was sorted to."""
    first, last = rows
    values, sets = (f"{sheet}!${letter}${first}:${letter}${last}" for letter in (column, "A"))
    return f"INDEX({values},MATCH({number},{sets},0))"


def of_line(sheet: str, column: str, lines: str, rows: tuple[int, int], number: int) -> str:
    """The value that the Phase table has in one line, wherever it was sorted to; empty while it has none."""
    first, last = rows
    values, numbers = (f"{sheet}!${letter}${first}:${letter}${last}" for letter in (column, lines))
    text = f"INDEX({values},MATCH({number},{numbers},0))"
    return f'IF(ISNUMBER({text}),{text},"")'
