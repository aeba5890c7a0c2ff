"""The clipboard: a page as an image (pixels and vectors) and as a table (for spreadsheets, documents, text).

A program takes the first format that it supports. If a page was copied as both, Excel and Word take the table; if only
the image was copied, they take the image.
"""

from __future__ import annotations

import math
from html import escape

from PySide6.QtCore import QByteArray, QMimeData

from workbench.charts.content import Content
from workbench.charts.figure import Figure
from workbench.charts.palette import ThemeName
from workbench.charts.tables import Cell, Column, TableData
from workbench.exporters.texts import plain_text
from workbench.gui.pictures.files import image_of, svg_of

SVG = "image/svg+xml"
# Twice the pixels, so the image stays sharp on a slide.
SCALE = 2.0
# Characters that make a spreadsheet read a text as a formula; an invisible mark before them keeps it a text.
_TRIGGERS = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%")
_TEXT_CELL = " style=\"mso-number-format:'\\@'\""


def picture_data(what: Figure | Content, size: tuple[int, int], theme: ThemeName) -> QMimeData:
    """The image as pixels and as .svg."""
    data = QMimeData()
    data.setImageData(image_of(what, size, SCALE, theme))
    data.setData(SVG, QByteArray(svg_of(what, size, theme).encode("utf-8")))
    return data


def add_table(data: QMimeData, table: TableData) -> None:
    """Adds a table as HTML, which keeps its cells and header, and as tab-separated text."""
    data.setHtml(table_html(table))
    data.setText(table_text(table))


def table_html(table: TableData) -> str:
    """The table for Excel, Word and PowerPoint: numbers with all digits, missing values empty, texts never formulas."""
    heads = "".join(f"<th>{_held(_head(column))}</th>" for column in table.columns)
    body = "".join(f"<tr>{''.join(_cell(cell) for cell in row)}</tr>" for row in table.rows)
    name = f"<caption>{_held(table.name)}</caption>" if table.name else ""
    return f"<table>{name}<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"


def table_text(table: TableData) -> str:
    """Tab-separated lines below a header line. A text that a spreadsheet would compute begins with an apostrophe."""
    lines = [[_head(column) for column in table.columns], *([_plain(cell) for cell in row] for row in table.rows)]
    return "\n".join("\t".join(line) for line in lines)


def _head(column: Column) -> str:
    words = f"{column.title} ({column.unit})" if column.unit else column.title
    return " ".join(plain_text(words).split())


def _number(cell: Cell) -> bool:
    return isinstance(cell.value, int | float) and not isinstance(cell.value, bool)


def _cell(cell: Cell) -> str:
    if _number(cell):
        return f"<td>{_plain(cell)}</td>"
    text = "" if cell.value is None else str(cell.value)
    return f"<td{_TEXT_CELL if text.startswith(_TRIGGERS) else ''}>{_held(text)}</td>"


def _plain(cell: Cell) -> str:
    if cell.value is None or (isinstance(cell.value, float) and not math.isfinite(cell.value)):
        return ""
    if _number(cell):
        return repr(cell.value)
    text = " ".join(plain_text(str(cell.value)).split())
    return f"'{text}" if str(cell.value).startswith(_TRIGGERS) else text


def _held(text: str) -> str:
    return escape(plain_text(text), quote=True)
