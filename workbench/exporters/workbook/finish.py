"""Finishes a workbook: makes the changes that openpyxl cannot make, after it has written the file.

1. Sheets of numbers get their rows. openpyxl would keep 500 bytes in memory for each of their cells.
2. Formulas get their results, so Protected View, mail previews and programs without calculation show values.
3. Charts get the numbers and names behind them, for the same programs.
4. Elements get the order that the schema (ECMA-376) requires: `plus` before `minus` in error bars, and the order of the
   children of a font.
5. Number formats of charts are marked as not linked to the source. openpyxl omits this, and programs then differ.
6. Charts get a description in words for people who cannot see them; the file names the program that wrote it.
7. Claims of findings are drawn over their charts, in a separate part.

Only the parts named here are changed; all others are copied as openpyxl wrote them.
"""

from __future__ import annotations

import errno
import gc
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from html import unescape
from pathlib import Path
from tempfile import TemporaryFile
from traceback import clear_frames
from typing import IO, Any
from xml.sax.saxutils import escape, quoteattr
from zipfile import ZIP_DEFLATED, ZipFile

from lxml import etree
from openpyxl import Workbook
from openpyxl.utils.cell import get_column_letter, range_boundaries
from openpyxl.writer.excel import ExcelWriter

from workbench.exporters.texts import plain_text
from workbench.exporters.workbook.sheets.numbers import MAX_ROWS, NumberSheet, Results, Stored

_STYLES = "xl/styles.xml"
_PROGRAM = "docProps/app.xml"
_APPLICATION = re.compile(r"<Application>[^<]*</Application>(<AppVersion>[^<]*</AppVersion>)?")
_CHART = re.compile(r"xl/charts/chart\d+\.xml")
_FORMULA = re.compile(r'(<c r="([A-Z]+[0-9]+)"[^>]*><f>[^<]*</f>)<v ?(?:/>|></v>)')
_ROW = re.compile(r'<row r="([0-9]+)"')
_LOOK = re.compile(r'<c r="([A-Z]+[0-9]+)" s="([0-9]+)"')
_DIMENSION = re.compile(r'<dimension ref="[^"]*" ?/>')
_REFERENCE = re.compile(r"<(num|str)Ref><f>([^<]*)</f></(?:num|str)Ref>")
_ENDS = re.compile(r"(<minus>.*?</minus>)(<plus>.*?</plus>)", re.DOTALL)
_FRAME = re.compile(r'(<(?:xdr:)?cNvPr id="[0-9]+" name="Chart [0-9]+")( ?/>)')
_UNLINKED = re.compile(r'(<numFmt formatCode="[^"]*") ?/>')
# The order of children in CT_Font.
_FONT = (
    "b",
    "i",
    "strike",
    "condense",
    "extend",
    "outline",
    "shadow",
    "u",
    "vertAlign",
    "sz",
    "color",
    "name",
    "family",
    "charset",
    "scheme",
)
_TYPES, _SHAPES = "[Content_Types].xml", "application/vnd.openxmlformats-officedocument.drawingml.chartshapes+xml"
_OFFICE = b"http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_LEADS_TO_SHAPES = b'<userShapes xmlns:r="' + _OFFICE + b'" r:id="rId1"/>'
_RELATION = (
    b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
    b'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    b'<Relationship Id="rId1" Type="' + _OFFICE + b'/chartUserShapes" Target="/%s"/></Relationships>'
)
# Number of rows made before they are written.
_CHUNK = 2_048


def save(
    book: Workbook,
    path: Path,
    results: Results,
    numbers: Sequence[NumberSheet] = (),
    words: Mapping[str, Sequence[str]] | None = None,
    shapes: Sequence[tuple[Any, bytes]] = (),
) -> None:
    """Save the complete workbook, with the rows of its sheets of numbers and the results of its formulas.

    `words` describe the charts of a sheet, by its title. `shapes` are charts with the part of the shapes over them.
    Raises `ValueError` if the cell of a formula is not found; the file must not be used then.
    """
    words = words or {}
    with TemporaryFile() as written:
        _write(book, written)
        over = {chart.path[1:]: part for chart, part in shapes}
        of_sheets = {sheet.path[1:]: results.values.get(sheet.title, {}) for sheet in book.worksheets}
        rows = {number.sheet.path[1:]: number for number in numbers}
        # openpyxl numbers the drawings in the order of the sheets that have charts.
        drawn = [words[sheet.title] for sheet in book.worksheets if sheet.title in words]
        words_of = {f"xl/drawings/drawing{number}.xml": shown for number, shown in enumerate(drawn, start=1)}
        with ZipFile(written) as source, ZipFile(path, "w", ZIP_DEFLATED, allowZip64=True) as target:
            for name in source.namelist():
                content = source.read(name)
                of_sheet = of_sheets.get(name)
                # openpyxl writes sheets into temporary files and does not notice write errors of the disk.
                if of_sheet is not None and not content.rstrip().endswith(b"</worksheet>"):
                    raise OSError("the system's temporary folder has too little space for a complete sheet")
                if name in rows:
                    heads = _with_results(content.decode(), of_sheet) if of_sheet else content.decode()
                    with target.open(name, "w", force_zip64=True) as part:
                        _put_rows(part, heads, rows[name])
                elif of_sheet:
                    target.writestr(name, _with_results(content.decode(), of_sheet))
                elif name in words_of:
                    target.writestr(name, _with_words(content.decode(), words_of[name]))
                else:
                    changed = _changed(name, content, numbers)
                    target.writestr(name, _with_shapes(name, changed, over))
            for name, drawn_over in over.items():
                target.writestr(_shapes_of(name), drawn_over)
                target.writestr(
                    f"xl/charts/_rels/{name.rpartition('/')[2]}.rels", _RELATION % _shapes_of(name).encode()
                )


def _write(book: Workbook, written: IO[bytes]) -> None:
    """Like `Workbook.save`, but on failure (full disk) it closes the archive while its file is still open. openpyxl
    deletes the file of the unfinished sheet at the end of the program."""
    with ZipFile(written, "w", ZIP_DEFLATED, allowZip64=True) as archive:
        try:
            ExcelWriter(book, archive).save()
        except etree.SerialisationError as error:
            # libxml2 writes the sheets, and its errors are not OSErrors: IO_ENOSPC.
            number = getattr(errno, str(error).removeprefix("IO_"), errno.EIO)
            _forget(error)
            raise OSError(number, os.strerror(number)) from None


def _forget(error: Exception) -> None:
    """Close the unfinished sheet. Otherwise it would try to write its end later, and Python would print the failure."""
    printed, sys.unraisablehook = sys.unraisablehook, lambda _: None
    try:
        clear_frames(error.__traceback__)
        gc.collect()
    finally:
        sys.unraisablehook = printed


def _changed(name: str, content: bytes, numbers: Sequence[NumberSheet]) -> bytes:
    if name == _STYLES:
        return _with_ordered_fonts(content)
    if name == _PROGRAM:
        return _APPLICATION.sub("<Application>VDI Workbench</Application>", content.decode()).encode()
    return _finished_chart(content.decode(), numbers).encode() if _CHART.fullmatch(name) else content


def _shapes_of(chart: str) -> str:
    """The part with the shapes over a chart."""
    return f"xl/drawings/over_{chart.rpartition('/')[2]}"


def _with_shapes(name: str, content: bytes, over: Mapping[str, bytes]) -> bytes:
    """A chart with a reference to its shapes, or the list of content types with their type; any other part
    unchanged."""
    if name in over:
        end = content.rindex(b"</")
        return content[:end] + _LEADS_TO_SHAPES + content[end:]
    if name == _TYPES:
        types = "".join(f'<Override PartName="/{_shapes_of(chart)}" ContentType="{_SHAPES}"/>' for chart in over)
        return content.replace(b"</Types>", types.encode() + b"</Types>")
    return content


def _with_results(xml: str, values: Mapping[str, float | str]) -> str:
    """The XML of a sheet with the results next to its formulas."""
    count = 0

    def with_value(match: re.Match[str]) -> str:
        nonlocal count
        value = values.get(match[2])
        if value is None:
            return match[0]
        count += 1
        if isinstance(value, str):
            # An empty text is the result of a formula without a result.
            return match[1].replace("<c ", '<c t="str" ', 1) + f"<v>{escape(value)}</v>"
        return f"{match[1]}<v>{value!r}</v>"

    text = _FORMULA.sub(with_value, xml)
    if count != len(values):
        raise ValueError(f"{len(values) - count} formulas were not found in the workbook")
    return text


def _put_rows(part: IO[bytes], xml: str, numbers: NumberSheet) -> None:
    """Write a sheet, with its rows of numbers instead of the rows that openpyxl wrote for their formats."""
    rows = [match.start() for match in _ROW.finditer(xml) if int(match[1]) >= numbers.first_row]
    if not rows:
        part.write(xml.encode())
        return
    first, last = rows[0], xml.index("</sheetData>", rows[-1])
    looks = dict(_LOOK.findall(xml, first, last))
    right = get_column_letter(max(*numbers.columns, *(column for _, column in numbers.formulas), 1, 1))
    area = f'<dimension ref="A1:{right}{numbers.last_row}"/>'
    part.write(_DIMENSION.sub(area, xml[:first], count=1).encode())
    for chunk in _rows(numbers, looks):
        part.write(chunk.encode())
    part.write(xml[last:].encode())


def _rows(numbers: NumberSheet, looks: Mapping[str, str]) -> Iterator[str]:
    """The rows as text, a few thousand at a time."""
    of_columns: dict[int, dict[int, str]] = {column: {} for _, column in numbers.formulas}
    for (row, column), (formula, value) in numbers.formulas.items():
        at = f"{get_column_letter(column)}{row}"
        of_columns[column][row] = f'<c r="{at}"{_look(looks, at)}><f>{escape(formula)}</f><v>{value!r}</v></c>'
    columns = sorted({*numbers.columns, *of_columns})
    for start in range(numbers.first_row, numbers.last_row + 1, _CHUNK):
        end = min(start + _CHUNK, numbers.last_row + 1)
        parts = [_cells(numbers, column, of_columns.get(column, {}), looks, range(start, end)) for column in columns]
        lines = map("".join, zip(*parts, strict=True))
        yield "".join(f'<row r="{row}">{line}</row>' for row, line in zip(range(start, end), lines, strict=True))


def _cells(
    numbers: NumberSheet, column: int, formulas: Mapping[int, str], looks: Mapping[str, str], rows: range
) -> list[str]:
    """The cells of one column in these rows; empty for missing values."""
    letter, first = get_column_letter(column), rows.start - numbers.first_row
    look = _look(looks, f"{letter}{MAX_ROWS}")
    values = list(numbers.columns.get(column, ())[first : first + len(rows)])
    values += [None] * (len(rows) - len(values))
    made = [
        ""
        if value is None or value != value
        else f'<c r="{letter}{row}"{look}><v>{value:.16g}</v></c>'
        if not isinstance(value, str)
        else f'<c r="{letter}{row}"{look} t="inlineStr"><is><t xml:space="preserve">{escape(value)}</t></is></c>'
        for row, value in zip(rows, values, strict=True)
    ]
    for row in formulas.keys() & set(rows):
        made[row - rows.start] = formulas[row]
    return made


def _look(looks: Mapping[str, str], at: str) -> str:
    return f' s="{looks[at]}"' if at in looks else ""


def _with_words(xml: str, words: Sequence[str]) -> str:
    """A drawing with the descriptions of its charts."""
    every = (quoteattr(plain_text(text)) for text in words)
    return _FRAME.sub(lambda match: f"{match[1]} descr={next(every, quoteattr(''))}{match[2]}", xml)


def _finished_chart(xml: str, numbers: Sequence[NumberSheet]) -> str:
    by_title = {number.title: number for number in numbers}
    cached = _REFERENCE.sub(lambda match: _with_cache(match, by_title), xml)
    return _UNLINKED.sub(r'\1 sourceLinked="0"/>', _ENDS.sub(r"\2\1", cached))


def _with_cache(match: re.Match[str], sheets: Mapping[str, NumberSheet]) -> str:
    """A reference with the values of its cells."""
    kind, reference = match[1], match[2]
    title, _, area = unescape(reference).rpartition("!")
    sheet = sheets.get(title.strip("'").replace("''", "'"))
    if sheet is None:
        return match[0]
    column, first, _, last = range_boundaries(area.replace("$", ""))
    shown = [_shown(sheet, row, column) for row in range(first, last + 1)]
    points = "".join(
        f'<pt idx="{index}"><v>{escape(value) if isinstance(value, str) else format(value, ".16g")}</v></pt>'
        for index, value in enumerate(shown)
        if value is not None and value == value
    )
    code = "<formatCode>General</formatCode>" if kind == "num" else ""
    cache = f'<{kind}Cache>{code}<ptCount val="{len(shown)}"/>{points}</{kind}Cache>'
    return f"<{kind}Ref><f>{reference}</f>{cache}</{kind}Ref>"


def _shown(sheet: NumberSheet, row: int, column: int) -> Stored:
    if row >= sheet.first_row:
        return sheet.value_at(row, column)
    head = sheet.sheet.cell(row, column).value
    return None if head is None else str(head)


def order_fonts(styles: Any) -> None:
    """Put the children of each font in a workbook's styles in the order that the schema requires."""
    for font in styles.iter("{*}font"):
        font[:] = sorted(font, key=lambda child: _FONT.index(etree.QName(child).localname))


def _with_ordered_fonts(content: bytes) -> bytes:
    root = etree.fromstring(content)
    order_fonts(root)
    written: bytes = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
    return written
