"""Sheet "Phase table": one line per run and phase, with rates as formulas over measured values."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from workbench.exporters.workbook.cells import (
    BAND_FILL,
    BODY,
    ESTIMATE,
    FIGURE,
    HAIR,
    HEADER_FILL,
    INPUT,
    PERCENT,
    QUIET,
    STRONG,
    STRUCK,
    TEXT,
    TITLE,
    Notes,
    Value,
    figure_format,
    guarded,
    headers,
    put,
    text_width,
    widths,
)
from workbench.exporters.workbook.columns import COLUMNS, PLACES, Row, SheetColumn, formula_of
from workbench.exporters.workbook.printing import page_by_page
from workbench.exporters.workbook.sheets.numbers import Results

NAME = "Phase table"
BAND_ROW, HEADER_ROW, FIRST_ROW = 4, 5, 6
_LEGEND = (
    "Blue cells are measured and editable. Black cells are formulas. An empty cell means 'not available', never 0. "
    "1 MB of cache is 2^20 bytes."
)
_SETS = "To exclude a run from the means on the 'Configurations' sheet, clear its cell in the 'Set' column."


def write_phase_sheet(sheet: Worksheet, rows: Sequence[Row], results: Results, notes: Notes) -> tuple[int, int]:
    """Writes the table; returns its first and last row, for the formulas of other sheets."""
    put(sheet, 1, 1, "Phase table: storage I/O by run and phase", notes, font=TITLE)
    put(sheet, 2, 1, _legend(rows), notes, font=QUIET)
    put(sheet, 3, 1, _SETS, notes, font=QUIET)
    _bands(sheet)
    headers(sheet, HEADER_ROW, [column.header for column in COLUMNS], [column.numeric for column in COLUMNS])
    sheet.row_dimensions[HEADER_ROW].height = 54
    for index, row in enumerate(rows):
        _line(sheet, FIRST_ROW + index, row, results, notes)
        if index and rows[index - 1].number != row.number and row.number is not None:
            _separate(sheet, FIRST_ROW + index)
    last = FIRST_ROW + max(len(rows), 1) - 1
    sheet.freeze_panes = sheet.cell(FIRST_ROW, PLACES["excluded"])
    sheet.auto_filter.ref = f"A{HEADER_ROW}:{get_column_letter(len(COLUMNS))}{last}"
    widths(sheet, [_width(column, rows) for column in COLUMNS])
    page_by_page(sheet, _ends(), 1, last, PLACES["phase"], head_row=HEADER_ROW + 1)
    sheet.print_title_rows = f"{HEADER_ROW}:{HEADER_ROW}"
    return FIRST_ROW, last


def _legend(rows: Sequence[Row]) -> str:
    estimated = any(row.figures.cache_ram_estimate for row in rows)
    star = " * marks an estimate from the nonpaged pool, which contains more than the cache." if estimated else ""
    return _LEGEND + star


def _ends() -> list[int]:
    """The columns after which a printed page may end."""
    return list(range(PLACES["phase"] + 1, len(COLUMNS) + 1))


def _bands(sheet: Worksheet) -> None:
    """Write the bands above the header."""
    index = 1
    for part, members in groupby(COLUMNS, key=lambda column: column.part):
        count = len(list(members))
        for column in range(index, index + count):
            sheet.cell(BAND_ROW, column).fill = HEADER_FILL
        head = sheet.cell(BAND_ROW, index, part)
        head.font = QUIET
        index += count


def _line(sheet: Worksheet, at: int, row: Row, results: Results, notes: Notes) -> None:
    excluded = row.number is None
    for index, column in enumerate(COLUMNS, start=1):
        value = column.value(row)
        number_format = _format(column, row, value)
        formula = formula_of(column, row)
        if formula and isinstance(value, int | float):
            results.put(sheet, at, index, guarded(formula, at, PLACES), value, number_format)
            if excluded:
                sheet.cell(at, index).font = STRUCK
            continue
        measured = column.typed_in or bool(column.formula)
        font = STRUCK if excluded else INPUT if measured else BODY
        if column.key == "configuration" and not excluded:
            font = STRONG
        cell = put(sheet, at, index, value, notes, number_format, font)
        if not column.numeric:
            cell.alignment = TEXT
    if excluded:
        for index in range(1, len(COLUMNS) + 1):
            sheet.cell(at, index).fill = BAND_FILL


def _format(column: SheetColumn, row: Row, value: Value) -> str:
    if column.estimated and row.figures.cache_ram_estimate:
        return PERCENT + '"*"' if column.number_format == PERCENT else ESTIMATE
    if column.number_format == FIGURE and isinstance(value, float):
        return figure_format(value)
    return column.number_format


def _separate(sheet: Worksheet, at: int) -> None:
    for index in range(1, len(COLUMNS) + 1):
        sheet.cell(at, index).border = HAIR


def _width(column: SheetColumn, rows: Sequence[Row]) -> float:
    if column.numeric:
        return column.width
    values = [value for row in rows if (value := column.value(row)) is not None]
    longest_word = max(len(word) for word in column.header.split())
    return 1 + text_width(values, least=longest_word + 3, most=max(column.width, 30))
