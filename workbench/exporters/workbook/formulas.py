"""Formulas that stay empty, never 0 and never an error, where something they need is empty."""

from __future__ import annotations

import string
from collections.abc import Mapping

from openpyxl.utils import get_column_letter

from workbench.words.numbers import THIN


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


def of_counted_line(sheet: str, column: str, lines: str, rows: tuple[int, int], number: int) -> str:
    """The same, empty as well once the line is in no set."""
    first, last = rows
    numbers = f"{sheet}!${lines}${first}:${lines}${last}"
    text, run_set = (
        f"INDEX({sheet}!${letter}${first}:${letter}${last},MATCH({number},{numbers},0))" for letter in (column, "A")
    )
    return f'IF(COUNT({run_set},{text})=2,{text},"")'


def grouped(cell: str) -> str:
    """A whole number in a sentence, its groups of digits apart as in the window, in every language of Excel."""
    return f'SUBSTITUTE(FIXED({cell},0),MID(FIXED(1000,0),2,1),"{THIN}")'
