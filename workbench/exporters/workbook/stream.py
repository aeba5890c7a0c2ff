"""Saving: sheets of numbers are streamed row by row, and formulas get their results while they are written.

openpyxl keeps every cell of a sheet in memory (some 500 bytes each) and writes a formula without its result.
Sheets of numbers are therefore kept as columns until the workbook is saved, and the results are put beside the
formulas on the way into the archive. Excel in Protected View, mail previews and every program that reads stored
values then shows figures too.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape
from zipfile import ZIP_DEFLATED, ZipFile

from openpyxl.cell.cell import Cell
from openpyxl.drawing.spreadsheet_drawing import SpreadsheetDrawing
from openpyxl.styles import Font
from openpyxl.styles.cell_style import StyleArray
from openpyxl.utils import get_column_letter
from openpyxl.utils.datetime import to_excel
from openpyxl.workbook import Workbook
from openpyxl.worksheet._write_only import WriteOnlyWorksheet
from openpyxl.worksheet._writer import WorksheetWriter
from openpyxl.worksheet.worksheet import Worksheet
from openpyxl.writer.excel import ExcelWriter
from openpyxl.xml.functions import tostring

from workbench.exporters.workbook.cells import BODY, Notes, Value, put, put_formula

_CELL = re.compile(r'(<c r="([A-Z]+[0-9]+)"[^>]*><f>[^<]*</f>)<v ?(?:/>|></v>)')
_UNLINKED = re.compile(rb'(<(?:c:)?numFmt formatCode="[^"]*") ?/>')
# Excel's own limit for the rows of a sheet.
MAX_ROWS = 1_048_576


@dataclass
class Results:
    """Sheet -> cell -> the value its formula has now; a text formula has a text."""

    values: dict[str, dict[str, float | str]] = field(default_factory=dict)

    def put(
        self, sheet: Worksheet, row: int, column: int, formula: str, value: float, number_format: str
    ) -> None:
        """Writes a formula and remembers its value; a value that is no number leaves the cell empty."""
        if not math.isfinite(value):
            return
        cell = put_formula(sheet, row, column, formula, number_format)
        self.values.setdefault(sheet.title, {})[cell.coordinate] = float(value)

    def put_empty(self, sheet: Worksheet, row: int, column: int, formula: str, number_format: str) -> None:
        """Writes a formula that is empty now and may become a number once its inputs are there."""
        cell = put_formula(sheet, row, column, formula, number_format)
        self.values.setdefault(sheet.title, {})[cell.coordinate] = ""


class _Fixed(Cell):  # type: ignore[misc]
    """A cell that is written again and again with another value; its style is looked up once."""

    __slots__ = ("_at",)

    def __init__(self, sheet: Any, style: StyleArray, at: int) -> None:
        super().__init__(sheet, row=1, column=1, style_array=style)
        self._at = at

    @property
    def style_id(self) -> int:
        """The style's place in the workbook."""
        return self._at

    @property
    def has_style(self) -> bool:
        """Always, so that it is written."""
        return True


class NumberSheet(WriteOnlyWorksheet):  # type: ignore[misc]
    """A sheet kept as columns: a few head rows, cell by cell, and below them values of one format a column.

    `sketch` is a sheet outside the workbook that holds the head rows with their styles.
    """

    # What page set-up asks of any sheet.
    PAPERSIZE_A4 = Worksheet.PAPERSIZE_A4
    oddFooter = Worksheet.oddFooter

    def __init__(self, book: Workbook, title: str, first_row: int) -> None:
        super().__init__(book, title)
        self.first_row = first_row
        self.sketch: Worksheet = Worksheet(book, title)
        self.columns: dict[int, tuple[Sequence[Any], StyleArray, int]] = {}
        self.formulas: dict[tuple[int, int], tuple[str, StyleArray, int]] = {}
        book._add_sheet(self)

    def numbers(
        self, column: int, values: Sequence[Value], number_format: str, notes: Notes, font: Font = BODY
    ) -> None:
        """A column of numbers or texts below the head rows; None and NaN stay empty."""
        at, style = self._style(number_format, font)
        if any(isinstance(value, float) and math.isinf(value) for value in values):
            notes.infinite(self.title, f"column {get_column_letter(column)}")
        self.columns[column] = ([_plain(self.sketch, value, notes) for value in values], style, at)

    def floats(self, column: int, values: Sequence[float], number_format: str) -> None:
        """A column of numbers, NaN for empty cells."""
        at, style = self._style(number_format, BODY)
        self.columns[column] = (values, style, at)

    def formula(
        self, row: int, column: int, formula: str, value: float, number_format: str, results: Results
    ) -> None:
        """One formula, without its `=`, in the place of a value; none for a value that is no number."""
        if not math.isfinite(value):
            return
        at, style = self._style(number_format, BODY)
        self.formulas[row, column] = (f"={formula}", style, at)
        coordinate = f"{get_column_letter(column)}{row}"
        results.values.setdefault(self.title, {})[coordinate] = float(value)

    def flush(self) -> None:
        """Writes every row."""
        for column, size in self.sketch.column_dimensions.items():
            self.column_dimensions[column].width = size.width
        for row in range(1, self.first_row):
            self.append([cell for cell in self.sketch[row] if cell.value is not None or cell.has_style])
        deepest = max((len(values) for values, _, _ in self.columns.values()), default=0)
        deepest = max([deepest, *(row - self.first_row + 1 for row, _ in self.formulas)])
        makers = [
            (column, values, len(values), _Fixed(self, style, at))
            for column, (values, style, at) in sorted(self.columns.items())
        ]
        by_row: dict[int, list[tuple[int, str, StyleArray, int]]] = {}
        for (row, column), (formula, style, at) in self.formulas.items():
            by_row.setdefault(row, []).append((column, formula, style, at))
        for place in range(deepest):
            row = self.first_row + place
            self.append(_row(self, makers, place, row, by_row.get(row, ())))

    def _values_to_row(self, values: Any, _row_idx: int) -> Iterator[Cell]:
        yield from values

    def _style(self, number_format: str, font: Font) -> tuple[int, StyleArray]:
        cell = Cell(self, row=1, column=1)
        cell.font = font
        if number_format:
            cell.number_format = number_format
        return cell.style_id, cell._style


def _plain(sketch: Worksheet, value: Value, notes: Notes) -> float | str | None:
    """The value as `put` would store it, so that the same rules hold for a text of a file."""
    if isinstance(value, bool):
        value = "yes" if value else "no"
    if isinstance(value, int | float):
        return float(value) if math.isfinite(value) else None
    if value is None:
        return None
    cell = put(sketch, 1_000_000, 1, value, notes)
    stored: float | str = to_excel(cell.value) if isinstance(cell.value, datetime) else cell.value
    del sketch._cells[1_000_000, 1]
    return stored


def _row(
    sheet: NumberSheet, makers: Sequence[tuple[int, Sequence[Any], int, _Fixed]], place: int, row: int,
    formulas: Sequence[tuple[int, str, StyleArray, int]],
) -> Iterator[Cell]:  # fmt: skip
    if formulas:
        yield from _mixed(sheet, makers, place, row, formulas)
        return
    for column, values, count, cell in makers:
        if place >= count:
            continue
        value = values[place]
        if value is None or value != value:
            continue
        cell.row, cell.column, cell._value = row, column, value
        cell.data_type = "s" if isinstance(value, str) else "n"
        yield cell


def _mixed(
    sheet: NumberSheet, makers: Sequence[tuple[int, Sequence[Any], int, _Fixed]], place: int, row: int,
    formulas: Sequence[tuple[int, str, StyleArray, int]],
) -> Iterator[Cell]:  # fmt: skip
    """A row with formulas among its values, in the order of the columns."""
    own = {column: (formula, style, at) for column, formula, style, at in formulas}
    plain = {
        column: (values[place] if place < count else None, cell) for column, values, count, cell in makers
    }
    for column in sorted({*own, *plain}):
        if column in own:
            formula, style, at = own[column]
            cell = _Fixed(sheet, style, at)
            cell._value, cell.data_type = formula, "f"
        else:
            value, cell = plain[column]
            if value is None or value != value:
                continue
            cell._value, cell.data_type = value, "s" if isinstance(value, str) else "n"
        cell.row, cell.column = row, column
        yield cell


class _Writer(ExcelWriter):  # type: ignore[misc]
    """openpyxl's writer, which streams sheets of numbers and puts results beside formulas."""

    def __init__(self, book: Workbook, archive: ZipFile, results: Results) -> None:
        super().__init__(book, archive)
        self._results = results

    def _write_charts(self) -> None:
        for chart in self._charts:
            self._archive.writestr(chart.path[1:], chart_xml(chart))
            self.manifest.append(chart)

    def write_worksheet(self, ws: Any) -> None:
        """Writes one sheet into the archive; the steps are those of openpyxl's own method."""
        ws._drawing = SpreadsheetDrawing()
        ws._drawing.charts, ws._drawing.images = ws._charts, ws._images
        if isinstance(ws, NumberSheet):
            ws.flush()
            ws.close()
            writer = ws._writer
        else:
            writer = WorksheetWriter(ws)
            writer.write()
        ws._rels = writer._rels
        wanted = self._results.values.get(ws.title, {})
        if wanted:
            self._archive.writestr(ws.path[1:], filled(Path(writer.out).read_text("utf-8"), wanted))
        else:
            self._archive.write(writer.out, ws.path[1:])
        self.manifest.append(ws)
        writer.cleanup()


def chart_xml(chart: Any) -> bytes:
    """A chart's part. openpyxl leaves out that labels have a format of their own, and programs differ then."""
    xml: bytes = tostring(chart._write())
    return _UNLINKED.sub(rb'\1 sourceLinked="0" />', xml)


def save(book: Workbook, path: Path, results: Results) -> None:
    """Saves the workbook with the results of its formulas.

    Raises `ValueError` when a formula's cell is not found: the file is then not to be used.
    """
    with ZipFile(path, "w", ZIP_DEFLATED, allowZip64=True) as archive:
        _Writer(book, archive, results).write_data()


def filled(xml: str, values: Mapping[str, float | str]) -> str:
    """A sheet's text with the results beside its formulas."""
    found = 0

    def with_value(match: re.Match[str]) -> str:
        nonlocal found
        value = values.get(match[2])
        if value is None:
            return match[0]
        found += 1
        if isinstance(value, str):
            # An empty text is what a formula without an answer gives.
            return match[1].replace("<c ", '<c t="str" ', 1) + f"<v>{escape(value)}</v>"
        return f"{match[1]}<v>{value!r}</v>"

    text = _CELL.sub(with_value, xml)
    if found != len(values):
        raise ValueError(f"{len(values) - found} formulas were not found in the workbook")
    return text
