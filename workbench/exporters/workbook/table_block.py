"""Makes an Excel table from a table of a page: numbers for calculation, a filter, and the legend above."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.table import Table, TableStyleInfo
from openpyxl.worksheet.worksheet import Worksheet

from workbench.charts.tables import Cell, TableData, heading
from workbench.exporters.workbook.cells import (
    BODY,
    MOMENT,
    QUIET,
    SENTENCES,
    STRONG,
    TEXT,
    TOP,
    TOP_LEFT,
    WRAPPED,
    Value,
    dress,
    exported,
    headers,
    inked,
    put,
    text_width,
    widths,
)
from workbench.exporters.workbook.making import Making
from workbench.exporters.workbook.sheets.chart import Sheet
from workbench.exporters.workbook.sheets.numbers import MAX_ROWS
from workbench.exporters.workbook.table_cells import as_value, distinct, head_of
from workbench.words.captions import as_sentences
from workbench.words.numbers import MISSING
from workbench.words.translated import spoken_words

_HEAD_ROWS = 3
# Longer tables get a separate hidden sheet, to keep the page readable.
MOST_ROWS = 60
MOST_WIDTH = 44.0
# On a sheet with more columns than this, all but the first are narrower, to keep the print readable.
_MANY, _NARROW = 8, 22.0
_SENTENCE = 110.0
_SAMPLE = 300
_MISSING = "An empty cell means 'not available', never 0."


def add_table(page: Sheet, table: TableData, name: str = "") -> None:
    """Write a table below the present content of the page; a long one goes to a separate hidden sheet."""
    title = table.name or name or "Table"
    if not table.columns or not table.rows:
        return
    page.break_before(min(len(table.rows), 12) + 3)
    long = len(table.rows) > MOST_ROWS
    rows = () if long else tuple(tuple(_written(page, cell) for cell in row) for row in table.rows)
    # Text is never recalculated: only a table with numbers says so.
    numbers = any(isinstance(cell.value, int | float) for row in table.rows for cell in row)
    live = not numbers or any(cell.formula for row in rows for cell in row)
    put(page.sheet, page.row, 1, title if live else exported(title), page.making.notes, font=STRONG)
    page.row += 1
    if long:
        _elsewhere(page, table, title)
        return
    page.lines(_legend(table))
    names = distinct([_head(head_of(column), rows, index) for index, column in enumerate(table.columns)])
    headers(page.sheet, page.row, names, [column.numeric for column in table.columns])
    first = page.row
    page.sheet.row_dimensions[first].height = 14.0 * max(_header_lines(page, names))
    for row in rows:
        page.row += 1
        _write_row(page, row)
    as_excel_table(page.making, page.sheet, title, first, page.row, len(names))
    page.row += 2


def add_text_sheet(making: Making, name: str, tables: Sequence[TableData], label: str) -> None:
    """Write tables of sentences on a separate sheet, because their wide column would widen every other table."""
    count = max(len(table.columns) for table in tables)
    wide = [max(_text_width(table, index) for table in tables if index < len(table.columns)) for index in range(count)]
    page = Sheet(making, making.sheet(name, label), wide)
    page.title(f"{name}: {label}" if label else name, SENTENCES)
    for table in tables:
        if len(tables) > 1:
            page.question(table.name)
        page.line(table.whole_legend)
        first = page.row
        # Tables of sentences have the same columns.
        page.sheet.print_title_rows = page.sheet.print_title_rows or f"{first}:{first}"
        names = distinct([head_of(column) for column in table.columns])
        headers(page.sheet, first, names, [column.numeric for column in table.columns])
        for row in table.rows:
            page.row += 1
            _write_row(page, [_written(page, cell) for cell in row])
        as_excel_table(making, page.sheet, table.name or name, first, page.row, len(names))
        page.row += 2
    page.finish()


def _text_width(table: TableData, index: int) -> float:
    return _SENTENCE if table.columns[index].fills else _column_width(table, index)


def table_widths(tables: Sequence[TableData]) -> list[float]:
    """Widths that fit the columns of every table on a sheet; long tables are on separate sheets."""
    tables = [table for table in tables if len(table.rows) <= MOST_ROWS] or list(tables[:1])
    count = max((len(table.columns) for table in tables), default=0)
    wide = [
        max((_column_width(table, index) for table in tables if index < len(table.columns)), default=9.0)
        for index in range(count)
    ]
    return [*wide[:1], *(min(width, _NARROW) for width in wide[1:])] if count > _MANY else wide


def as_excel_table(making: Making, sheet: Worksheet, title: str, first: int, last: int, columns: int) -> None:
    """Make a header and its rows an Excel table, so each table of a sheet has a filter and a name."""
    name = making.table_name(title)
    table = Table(displayName=name, ref=f"A{first}:{get_column_letter(columns)}{max(last, first + 1)}")
    table.tableStyleInfo = TableStyleInfo(name=None, showRowStripes=False)
    sheet.add_table(table)


def _legend(table: TableData) -> list[str]:
    """The lines of the legend for a sheet, on which a missing value is an empty cell and not a dash."""
    return [line.replace(f"{MISSING} ", "empty = ", 1) for line in (table.legend, *table.method) if line]


def _head(words: str, rows: Sequence[Sequence[_Written]], index: int) -> str:
    """The head of a column; it says that its values are as exported if only some of them are formulas."""
    cells = [row[index] for row in rows if index < len(row)]
    mixed = any(cell.formula for cell in cells) and any(cell.plain for cell in cells)
    return exported(words) if mixed else words


def _header_lines(page: Sheet, names: Sequence[str]) -> list[int]:
    return [
        min(max(-(-len(name) // max(4, int(width) - 1)), 1), 4)
        for name, width in zip(names, page.columns, strict=False)
    ] or [1]


@dataclass(frozen=True, slots=True)
class _Written:
    """The content of a cell: its value with its format, and its formula ("": none)."""

    cell: Cell
    value: Value
    number_format: str
    formula: str = ""

    @property
    def plain(self) -> bool:
        """True if it is a computed value without a formula: a number, or a text that shows one."""
        worked_out = isinstance(self.cell.value, int | float) and not isinstance(self.cell.value, bool)
        return worked_out and self.value is not None and not self.formula


def _written(page: Sheet, cell: Cell) -> _Written:
    value, number_format = as_value(cell)
    if isinstance(value, int | float):
        formula = page.making.formula(page.sheet, cell.source, float(value))
        return _Written(cell, value, number_format, formula or "")
    return _Written(cell, value, number_format)


def _write_row(page: Sheet, row: Sequence[_Written]) -> None:
    lines = 1
    for index, made in enumerate(row, start=1):
        cell, value = made.cell, made.value
        if made.formula and isinstance(value, int | float):
            page.making.results.put(page.sheet, page.row, index, made.formula, float(value), made.number_format)
            continue
        written = put(page.sheet, page.row, index, value, page.making.notes, made.number_format)
        if isinstance(value, str):
            dress(written, alignment=TEXT)
            room = page.columns[index - 1] if index <= len(page.columns) else MOST_WIDTH
            if len(value) > 1.1 * room or "\n" in value:
                dress(written, alignment=WRAPPED)
                wrapped = (-(-len(line) // max(1, int(1.1 * room))) for line in value.split("\n"))
                lines = max(lines, sum(max(1, count) for count in wrapped))
        if cell.look is not None:
            dress(written, font=inked(cell.look))
    if lines > 1:
        page.sheet.row_dimensions[page.row].height = min(13.5 * lines, 400)
        for index in range(1, len(row) + 1):
            put_cell = page.sheet.cell(page.row, index)
            if put_cell.alignment.vertical is None:
                put_cell.alignment = TOP_LEFT if isinstance(put_cell.value, str) and put_cell.data_type == "s" else TOP


def _elsewhere(page: Sheet, table: TableData, title: str) -> None:
    """Write the table on a separate sheet, row by row into the file; the page names this sheet."""
    making = page.making
    rows = table.rows[: MAX_ROWS - _HEAD_ROWS]
    cut = (
        f"The table has {len(table.rows):,} rows, but a sheet has room for the first {len(rows):,} rows"
        if len(rows) < len(table.rows)
        else ""
    )
    sheet = making.number_sheet(f"{page.sheet.title[:14]} {spoken_words(title)}", first_row=4)
    put(sheet.sheet, 1, 1, exported(f"{page.sheet.title}: {title}"), making.notes, font=STRONG)
    put(sheet.sheet, 2, 1, as_sentences((cut, *_legend(table), _MISSING)), making.notes, font=QUIET)
    names = distinct([head_of(column) for column in table.columns])
    headers(sheet.sheet, 3, names, [column.numeric for column in table.columns])
    for index in range(len(names)):
        values, number_format = _column([row[index] for row in rows])
        sheet.numbers(index + 1, values, number_format, making.notes, BODY)
    widths(sheet.sheet, [_column_width(table, column) for column in range(len(names))])
    sheet.sheet.auto_filter.ref = f"A3:{get_column_letter(len(names))}{_HEAD_ROWS + len(rows)}"
    place = f"The hidden sheet '{sheet.title}' contains {len(rows):,} rows"
    text = as_sentences((cut, place)) if cut else place
    put(page.sheet, page.row, 1, text, making.notes, font=QUIET)
    page.row += 2


def _column(cells: Sequence[Cell]) -> tuple[list[Value], str]:
    """The values of a long column and their usual format. Its first cells decide if numbers can be written directly;
    otherwise each cell is examined."""
    sample = [as_value(cell) for cell in cells[:_SAMPLE]]
    formats = Counter(text for value, text in sample if value is not None and text)
    common = formats.most_common(1)[0][0] if formats else ""
    numeric = all(isinstance(value, int | float) or value is None for value, _ in sample)
    if not numeric or common == MOMENT:
        return [as_value(cell)[0] for cell in cells], common
    return [
        cell.value if isinstance(cell.value, int | float) and cell.text != MISSING else as_value(cell)[0]
        for cell in cells
    ], common


def _column_width(table: TableData, index: int) -> float:
    column = table.columns[index]
    texts = [row[index].text for row in table.rows[:MOST_ROWS]]
    words = max((len(word) for word in heading(column).split()), default=4)
    return text_width(texts, least=max(8.0, words + 3.5), most=MOST_WIDTH)
