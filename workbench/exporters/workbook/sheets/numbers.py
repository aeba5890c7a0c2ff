"""Sheets of numbers, kept as columns until the workbook is saved, and the results of formulas.

openpyxl keeps every cell of a sheet in memory (about 500 bytes each) and writes formulas without their results. So a
sheet of numbers is an openpyxl sheet with only its header rows; `finish` adds the rest to the saved file.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from openpyxl.cell.cell import Cell
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter
from openpyxl.utils.datetime import to_excel
from openpyxl.worksheet.worksheet import Worksheet

from workbench.exporters.workbook.cells import BODY, Notes, Value, put_formula, stored_text
from workbench.words.translated import spoken_words

# Excel's limit for the rows of a sheet.
MAX_ROWS = 1_048_576

Stored = float | str | None


@dataclass
class Results:
    """The results of formulas by sheet and cell; a text formula has a text."""

    values: dict[str, dict[str, float | str]] = field(default_factory=dict)

    def put(self, sheet: Worksheet, row: int, column: int, formula: str, value: float, number_format: str) -> None:
        """Write a formula and keep its value; if the value is not finite, the cell stays empty."""
        if not math.isfinite(value):
            return
        cell = put_formula(sheet, row, column, formula, number_format)
        self.values.setdefault(sheet.title, {})[cell.coordinate] = float(value)

    def put_text(self, sheet: Worksheet, row: int, column: int, formula: str, value: str) -> Cell:
        """Write a formula with a text result, and keep its present text in the language of the workbook."""
        cell = put_formula(sheet, row, column, formula, "General")
        self.values.setdefault(sheet.title, {})[cell.coordinate] = spoken_words(value)
        return cell

    def put_empty(self, sheet: Worksheet, row: int, column: int, formula: str, number_format: str) -> None:
        """Write a formula that is empty now and may become a number when its inputs exist."""
        cell = put_formula(sheet, row, column, formula, number_format)
        self.values.setdefault(sheet.title, {})[cell.coordinate] = ""


@dataclass(eq=False)
class NumberSheet:
    """Header rows in `sheet`, and below them `columns` of values with one format each; NaN and None are empty.

    The format of a column is that of its cell in the last possible row of a sheet; `finish` reads it there.
    """

    sheet: Worksheet
    first_row: int
    columns: dict[int, Sequence[Stored]] = field(default_factory=dict)
    formulas: dict[tuple[int, int], tuple[str, float]] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """The name of the sheet."""
        return str(self.sheet.title)

    def numbers(
        self, column: int, values: Sequence[Value], number_format: str, notes: Notes, font: Font = BODY
    ) -> None:
        """Add a column of numbers or texts below the header rows."""
        if any(isinstance(value, float) and math.isinf(value) for value in values):
            notes.infinite(self.title, f"column {get_column_letter(column)}")
        self._look(column, number_format, font)
        self.columns[column] = [self._stored(value, notes) for value in values]

    def floats(self, column: int, values: Sequence[float], number_format: str) -> None:
        """Add a column of numbers."""
        self._look(column, number_format, BODY)
        self.columns[column] = values

    def formula(self, row: int, column: int, formula: str, value: float, number_format: str) -> None:
        """Write a formula, without its `=`, instead of a value; nothing if the value is not finite."""
        if math.isfinite(value):
            put_formula(self.sheet, row, column, formula, number_format)
            self.formulas[row, column] = formula, float(value)

    def value_at(self, row: int, column: int) -> Stored:
        """The value of a cell below the header rows."""
        if (row, column) in self.formulas:
            return self.formulas[row, column][1]
        values = self.columns.get(column, ())
        return values[row - self.first_row] if row - self.first_row < len(values) else None

    @property
    def last_row(self) -> int:
        """The lowest row with a value."""
        deepest = max(map(len, self.columns.values()), default=0)
        return max([self.first_row + deepest - 1, *(row for row, _ in self.formulas)])

    def _look(self, column: int, number_format: str, font: Font) -> None:
        cell = self.sheet.cell(MAX_ROWS, column)
        cell.font = font
        if number_format:
            cell.number_format = number_format

    def _stored(self, value: Value, notes: Notes) -> Stored:
        """The value as a cell would hold it, so texts from files follow the same rules."""
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, int | float):
            return float(value) if math.isfinite(value) else None
        if isinstance(value, datetime):
            return float(to_excel(value.astimezone(UTC).replace(tzinfo=None)))
        return None if value is None else stored_text(value, self.title, "", notes)
