"""Tables one below the other on a sheet: header, rows, filters, wrapped cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.table import Table, TableStyleInfo
from openpyxl.worksheet.worksheet import Worksheet

from workbench.exporters.workbook.cells import MOMENT, QUIET, TOP, TOP_LEFT, WRAPPED, Notes, Value, dress, headers, put

# Maximum number of lines on a sheet; one line states the number of the others.
MAX_LINES = 20_000


def listed(
    sheet: Worksheet,
    first: int,
    heads: Sequence[str],
    rows: Sequence[Sequence[Value]],
    notes: Notes,
    text: frozenset[int],
    wraps: Mapping[int, int] | None = None,
) -> int:
    """Write a header with its rows; returns the row after them."""
    headers(sheet, first, heads, [column not in text for column in range(len(heads))])
    for index, row in enumerate(rows[:MAX_LINES], start=first + 1):
        for column, value in enumerate(row, start=1):
            number_format = MOMENT if isinstance(value, datetime) else _number_format(value)
            cell = put(sheet, index, column, value, notes, number_format)
            dress(cell, alignment=TOP_LEFT if isinstance(value, str | datetime) else TOP)
        _wrap(sheet, index, row, wraps or {})
    if len(rows) > MAX_LINES:
        left = f"{len(rows) - MAX_LINES} more lines omitted. To list all, use 'vdiwb inspect --format json'."
        put(sheet, first + MAX_LINES + 1, 1, left, notes, font=QUIET)
    return first + min(len(rows), MAX_LINES + 1) + 1


def _wrap(sheet: Worksheet, at: int, row: Sequence[Value], wraps: Mapping[int, int]) -> None:
    """Wrap long texts in these columns (index -> characters per line); the row height grows with them."""
    lines = 1
    for index, width in wraps.items():
        text = str(row[index] or "")
        if len(text) > width:
            sheet.cell(at, index + 1).alignment = WRAPPED
            lines = max(lines, -(-len(text) // width))
    if lines > 1:
        sheet.row_dimensions[at].height = min(13.5 * lines, 400)


def _number_format(value: Value) -> str:
    if isinstance(value, float):
        return "#,##0.00" if abs(value) < 100 else "#,##0"
    return "#,##0" if isinstance(value, int) else ""


def filtered(sheet: Worksheet, name: str, first: int, columns: int, rows: int) -> None:
    """Make a header and its rows an Excel table, so each table of a sheet has a filter."""
    last = first + max(1, min(rows, MAX_LINES))
    table = Table(displayName=name, ref=f"A{first}:{get_column_letter(columns)}{last}")
    table.tableStyleInfo = TableStyleInfo(name=None, showRowStripes=False)
    sheet.add_table(table)


def moment_cell(text: str | None) -> Value:
    """The time in a report as a date that Excel can sort, or as text if it has no UTC offset."""
    try:
        moment = datetime.fromisoformat(text) if text else None
    except ValueError:
        return text
    return text if moment is None or moment.tzinfo is None else moment
