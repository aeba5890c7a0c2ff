"""Formulas and the values they have now, so that a viewer that does not calculate shows figures too.

openpyxl writes a formula without its result. Excel in Protected View, mail previews and every program that
reads stored values would show an empty cell, so the results are put beside the formulas after saving.
"""

from __future__ import annotations

import math
import re
import shutil
import string
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from workbench.exporters.workbook.cells import put_formula

_CELL = re.compile(r'(<c r="([A-Z]+[0-9]+)"[^>]*><f>[^<]*</f>)<v ?(?:/>|></v>)')


@dataclass
class Results:
    """Sheet -> cell -> the value its formula has now."""

    values: dict[str, dict[str, float]] = field(default_factory=dict)

    def put(
        self, sheet: Worksheet, row: int, column: int, formula: str, value: float, number_format: str
    ) -> None:
        """Writes a formula and remembers its value; a value that is no number leaves the cell empty."""
        if not math.isfinite(value):
            return
        cell = put_formula(sheet, row, column, formula, number_format)
        self.values.setdefault(sheet.title, {})[cell.coordinate] = float(value)


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


def store_results(path: Path, sheets: Sequence[str], results: Results) -> None:
    """Puts the results into the saved workbook; `sheets` are its sheets' names in their order.

    Raises `ValueError` when a formula's cell is not found: the file is then not to be used.
    """
    parts = {f"xl/worksheets/sheet{place}.xml": name for place, name in enumerate(sheets, start=1)}
    finished = path.with_name(f"{path.stem}-results{path.suffix}")
    try:
        with zipfile.ZipFile(path) as source, zipfile.ZipFile(finished, "w", zipfile.ZIP_DEFLATED) as target:
            for item in source.infolist():
                wanted = results.values.get(parts.get(item.filename, ""), {})
                if wanted:
                    target.writestr(
                        item, _filled(source.read(item).decode("utf-8"), wanted), zipfile.ZIP_DEFLATED
                    )
                else:
                    with source.open(item) as read, target.open(item, "w") as write:
                        shutil.copyfileobj(read, write)
        finished.replace(path)
    finally:
        finished.unlink(missing_ok=True)


def _filled(xml: str, values: Mapping[str, float]) -> str:
    found = 0

    def with_value(match: re.Match[str]) -> str:
        nonlocal found
        value = values.get(match[2])
        if value is None:
            return match[0]
        found += 1
        return f"{match[1]}<v>{value!r}</v>"

    filled = _CELL.sub(with_value, xml)
    if found != len(values):
        raise ValueError(f"{len(values) - found} formulas were not found in the saved workbook")
    return filled
