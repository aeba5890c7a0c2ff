"""The workbook inside a chart: what PowerPoint opens on *Edit data*.

Texts are written as texts, whatever they begin with: no name from a file becomes a formula, a link or a number.
The ranges of the chart's series are those of this sheet.
"""

from __future__ import annotations

import io
from dataclasses import dataclass, field

from xlsxwriter import Workbook  # type: ignore[import-untyped]
from xlsxwriter.utility import xl_col_to_name  # type: ignore[import-untyped]

from workbench.exporters.slides.fit import clean, shortened

SHEET = "Sheet1"
# What a spreadsheet would take for a formula once the user steps into the cell and out again.
_TRIGGERS = ("=", "+", "-", "@", "|", "%")
# The longest name of a series or a category; PowerPoint cuts what is longer.
MAX_NAME = 255
# The longest title of a chart or an axis.
MAX_TITLE = 90
_OPTIONS = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}


def safe_name(text: str) -> str:
    """A name as charts and cells hold it."""
    return shortened(clean(text), MAX_NAME)


@dataclass
class ChartBook:
    """Columns with a header each, from which the one sheet is made."""

    columns: list[tuple[str, tuple[float | str | None, ...]]] = field(default_factory=list)

    def add(self, head: str, values: tuple[float | str | None, ...]) -> int:
        """Adds a column; returns its place from 0."""
        self.columns.append((head, values))
        return len(self.columns) - 1

    def name_ref(self, column: int) -> str:
        """The cell of a column's header."""
        return f"{SHEET}!${xl_col_to_name(column)}$1"

    def values_ref(self, column: int) -> str:
        """The cells of a column's values."""
        letter = xl_col_to_name(column)
        return f"{SHEET}!${letter}$2:${letter}${len(self.columns[column][1]) + 1}"

    def blob(self) -> bytes:
        """The bytes of the .xlsx file."""
        stream = io.BytesIO()
        with Workbook(stream, _OPTIONS) as book:
            sheet = book.add_worksheet(SHEET)
            guarded = book.add_format({"quote_prefix": True})
            for index, (head, values) in enumerate(self.columns):
                for row, value in enumerate((head, *values)):
                    if isinstance(value, str):
                        style = guarded if value.startswith(_TRIGGERS) else None
                        sheet.write_string(row, index, safe_name(value), style)
                    elif value is not None:
                        sheet.write_number(row, index, value)
                sheet.set_column(index, index, 24 if index == 0 else 14)
        return stream.getvalue()
