"""Cells: text stays text, numbers stay numbers, missing values stay empty.

Formulas are empty, never 0 and never an error, if one of their inputs is empty.
"""

from __future__ import annotations

import math
import re
import string
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache

from openpyxl.cell.cell import Cell
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from workbench.charts.figure import Look
from workbench.charts.palette import THEMES, colour
from workbench.exporters.texts import plain_text
from workbench.model.problem import Problem, Severity
from workbench.words.numbers import THIN
from workbench.words.translated import spoken_words

Value = str | float | int | bool | datetime | None
# Excel's limit for the text of a cell.
MAX_TEXT = 32_767
# Excel reads _x0041_ inside a text as the letter A, so the underscore is written as _x005F_.
_ESCAPED = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_TRIGGERS = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%")
_LIGHT = THEMES["light"]


def argb(colour: str) -> str:
    """`#rrggbb` in the notation of the file format."""
    return colour.lstrip("#").upper()


TITLE = Font(name="Calibri", size=16, bold=True, color=argb(_LIGHT.text))
HEADING = Font(name="Calibri", size=13, bold=True, color=argb(_LIGHT.text))
QUIET = Font(name="Calibri", size=10, color=argb(_LIGHT.quiet))
BODY = Font(name="Calibri", size=10, color=argb(_LIGHT.text))
STRONG = Font(name="Calibri", size=10, bold=True, color=argb(_LIGHT.text))
INPUT = Font(name="Calibri", size=10, color=argb(_LIGHT.accent))
STRUCK = Font(name="Calibri", size=10, italic=True, color=argb(_LIGHT.quiet))
HEADER_FILL = PatternFill("solid", start_color=argb(_LIGHT.line))
BAND_FILL = PatternFill("solid", start_color=argb(_LIGHT.ground))
RULE = Border(bottom=Side("thin", color=argb(_LIGHT.quiet)))
HAIR = Border(top=Side("hair", color="C3C8D0"))
WRAPPED = Alignment(wrap_text=True, vertical="top", horizontal="left", indent=1)
PARAGRAPH = Alignment(wrap_text=True, vertical="top")
TOP = Alignment(vertical="top")
TOP_LEFT = Alignment(vertical="top", horizontal="left", indent=1)
TOP_RIGHT = Alignment(vertical="top", horizontal="right")
HEADER_TEXT = Alignment(wrap_text=True, vertical="bottom", horizontal="left", indent=1)
TEXT = Alignment(horizontal="left", indent=1)
RIGHT = Alignment(horizontal="right", shrink_to_fit=True)
HEADER_NUMBER = Alignment(wrap_text=True, vertical="bottom", horizontal="right")


def signed_format(shape: str, unit: str = "") -> str:
    """A format with sign and unit in this pattern (`0.0`); a value that rounds to 0 is shown as 0."""
    half = format(0.5 * 10 ** -len(shape.partition(".")[2]), "f").rstrip("0")
    return f'[>={half}]+{shape}{unit};[<=-{half}]-{shape}{unit};"0"{unit}'


SIGNED = signed_format("0.0")
# Three significant digits for any size.
FIGURE = "[<10]0.00;[<100]0.0;#,##0"
_SMALL = "[<0.1]0.0000;[<10]0.00;#,##0"
ESTIMATE = '[<10]0.00"*";[<100]0.0"*";#,##0"*"'
WHOLE = "#,##0"
PERCENT = "0.0"
MOMENT = "yyyy-mm-dd hh:mm:ss"


def figure_format(value: float) -> str:
    """A format with three significant digits; a number close to 0 is not shown as 0."""
    return _SMALL if 0 < abs(value) < 0.1 else FIGURE


@lru_cache(maxsize=200)
def inked(look: Look) -> Font:
    """Bold text in the colour of a configuration. If that is the accent colour (the colour of inputs), the text colour
    is used."""
    if look.hue == "accent":
        return STRONG
    return Font(name="Calibri", size=10, bold=True, color=argb(colour(look, "light")))


@dataclass
class Notes:
    """The changes that the writer had to make, for the import report."""

    problems: list[Problem] = field(default_factory=list)

    def cut(self, sheet: str, cell: str, length: int) -> None:
        """Record a text that did not fit."""
        done = f"cut to {MAX_TEXT} characters, the most that a cell holds"
        self._add(f"{sheet}!{cell}", "text-cut", f"A text of {length} characters does not fit.", done)

    def infinite(self, sheet: str, text: str) -> None:
        """Record infinite numbers, which a sheet cannot hold."""
        message = "A number is infinite and cannot be written to a sheet."
        self._add(f"{sheet}!{text}", "infinite", message, "left empty")

    def _add(self, place: str, code: str, message: str, action: str) -> None:
        self.problems.append(Problem(Severity.WARNING, place, code, message, action))


def clean(text: str) -> str:
    """The text without characters that are invalid in a workbook."""
    return plain_text(text)


def dress(cell: Cell, **looks: Font | PatternFill | Border | Alignment) -> Cell:
    """The cell, with its `font`, `fill`, `border` or `alignment` set."""
    for name, look in looks.items():
        setattr(cell, name, look)
    return cell


def put(
    sheet: Worksheet, row: int, column: int, value: Value, notes: Notes, number_format: str = "", font: Font = BODY
) -> Cell:
    """Write a value from a file or a result; text never becomes a formula, and NaN becomes an empty cell."""
    cell = dress(sheet.cell(row, column), font=font)
    if isinstance(value, float) and math.isinf(value):
        notes.infinite(sheet.title, cell.coordinate)
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return cell
    if isinstance(value, bool):
        value = "yes" if value else "no"
    if isinstance(value, str):
        _put_text(cell, value, notes)
        return cell
    cell.value = value.astimezone(UTC).replace(tzinfo=None) if isinstance(value, datetime) else value
    if number_format:
        cell.number_format = number_format
    return cell


def put_formula(sheet: Worksheet, row: int, column: int, formula: str, number_format: str) -> Cell:
    """Write a formula of this program, without the leading `=`."""
    cell = dress(sheet.cell(row, column), font=BODY)
    cell.value = f"={formula}"
    cell.number_format = number_format
    return cell


def stored_text(value: str, sheet: str, cell: str, notes: Notes) -> str:
    """A text in the form for a cell: without invalid characters, and not longer than Excel allows."""
    text = clean(value)
    if len(text) > MAX_TEXT:
        notes.cut(sheet, cell, len(text))
        text = text[:MAX_TEXT]
    escaped = _ESCAPED.sub("_x005F_", text)
    return escaped if len(escaped) <= MAX_TEXT else text


def _put_text(cell: Cell, value: str, notes: Notes) -> None:
    cell.value = stored_text(value, cell.parent.title, cell.coordinate, notes)
    # openpyxl reads "=1+1" as a formula and "#N/A" as an error; a name from a file is neither.
    cell.data_type = "s"
    if clean(value).startswith(_TRIGGERS):
        # Keeps it text after the user edits the cell.
        cell.quotePrefix = True


def headers(sheet: Worksheet, row: int, names: Sequence[str], numeric: Sequence[bool], left: int = 1) -> None:
    """Write a header row: wrapped, numbers aligned right."""
    for index, (name, is_number) in enumerate(zip(names, numeric, strict=True)):
        cell = sheet.cell(row, left + index)
        # A column may have the name of a configuration.
        _put_text(cell, name, Notes())
        alignment = HEADER_NUMBER if is_number else HEADER_TEXT
        dress(cell, font=STRONG, fill=HEADER_FILL, border=RULE, alignment=alignment)


def widths(sheet: Worksheet, values: Iterable[float], left: int = 1) -> None:
    """Set the column widths in characters."""
    for index, width in enumerate(values):
        sheet.column_dimensions[get_column_letter(left + index)].width = width


def text_width(texts: Iterable[object], least: float = 8, most: float = 40) -> float:
    """A width that shows the texts, within limits."""
    return min(most, max([least, *(1.05 * len(str(text)) + 1.5 for text in texts)]))


def page(sheet: Worksheet, wide: int = 1) -> None:
    """Set landscape A4, `wide` pages across, with the sheet name and the page number in the footer."""
    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.paperSize = sheet.PAPERSIZE_A4
    sheet.sheet_properties.pageSetUpPr.fitToPage = True
    sheet.page_setup.fitToWidth = wide
    sheet.page_setup.fitToHeight = 0
    sheet.page_margins.left = sheet.page_margins.right = 0.45
    sheet.page_margins.top, sheet.page_margins.bottom = 0.65, 0.65
    sheet.page_margins.header = sheet.page_margins.footer = 0.3
    sheet.oddFooter.left.text = "&A"
    sheet.oddFooter.right.text = "Page &P of &N"
    sheet.sheet_view.showGridLines = False


MARK = "not recalculated"
# The note above the numbers of a chart or a table.
PLAIN = "Only cells with a formula are recalculated"
# The note below the title of a sheet of sentences.
SENTENCES = "Findings and their numbers do not change when you edit the workbook."
# The note below the title of the sheet of a page.
PAGE_LEGEND = (
    "Only cells with a formula, and charts that use them, are recalculated. Everything else stays as exported. "
    "An empty cell means 'not available', never 0."
)


def exported(head: str) -> str:
    """Text like `Verdict (not recalculated)`; brackets at its end are shared: `IOPS (all VMs, not recalculated)`."""
    if head.endswith(")"):
        return f"{head[:-1]}, {MARK})"
    return f"{head} ({MARK})" if head else MARK.capitalize()


def in_a_row(text: str) -> str:
    """Facts with dots between them as a list with semicolons. Each is translated alone, because some have a colon."""
    return "; ".join(map(spoken_words, text.split(" · ")))


def guarded(template: str, row: int, places: Mapping[str, int]) -> str:
    """A formula for one row. Its result is empty, never 0 or an error, if one of its inputs is empty."""
    keys = [key for _, key, _, _ in string.Formatter().parse(template) if key]
    cells = {key: f"{get_column_letter(places[key])}{row}" for key in keys}
    used = list(dict.fromkeys(cells.values()))
    return f'IF(COUNT({",".join(used)})={len(used)},{template.format(**cells)},"")'


def average_of_set(sheet: str, column: str, rows: tuple[int, int], set_cell: str) -> str:
    """A formula for the mean over the rows of one set, in any sort order; empty if none has a number."""
    first, last = rows
    values, sets = (f"{sheet}!${letter}${first}:${letter}${last}" for letter in (column, "A"))
    return f'IFERROR(AVERAGEIFS({values},{sets},{set_cell}),"")'


def of_set(sheet: str, column: str, rows: tuple[int, int], number: int) -> str:
    """A formula for the value of one set on the Configurations sheet, in any sort order."""
    first, last = rows
    values, sets = (f"{sheet}!${letter}${first}:${letter}${last}" for letter in (column, "A"))
    return f"INDEX({values},MATCH({number},{sets},0))"


def of_line(sheet: str, column: str, lines: str, rows: tuple[int, int], number: int) -> str:
    """A formula for the value of one line in the Phase table, in any sort order; empty if the line has no value."""
    first, last = rows
    values, numbers = (f"{sheet}!${letter}${first}:${letter}${last}" for letter in (column, lines))
    text = f"INDEX({values},MATCH({number},{numbers},0))"
    return f'IF(ISNUMBER({text}),{text},"")'


def of_counted_line(sheet: str, column: str, lines: str, rows: tuple[int, int], number: int) -> str:
    """Like `of_line`, but also empty if the line is in no set."""
    first, last = rows
    numbers = f"{sheet}!${lines}${first}:${lines}${last}"
    text, run_set = (
        f"INDEX({sheet}!${letter}${first}:${letter}${last},MATCH({number},{numbers},0))" for letter in (column, "A")
    )
    return f'IF(COUNT({run_set},{text})=2,{text},"")'


def grouped(cell: str) -> str:
    """A formula that shows a whole number in a sentence with grouped digits as in the window, in every language of
    Excel."""
    return f'SUBSTITUTE(FIXED({cell},0),MID(FIXED(1000,0),2,1),"{THIN}")'


LONGEST = 31
_FORBIDDEN = re.compile(r"[\[\]:*?/\\]")


def sheet_name(kind: str, code: str, taken: Iterable[str]) -> str:
    """Text like `IOPS`, or `S1 IOPS` if several studies share the workbook; in the language of the document, cut and
    numbered if necessary."""
    used = {name.casefold() for name in taken}
    base = _FORBIDDEN.sub("-", clean(f"{code} {spoken_words(kind)}".replace("\n", " "))).strip().strip("'") or kind
    name, number = base[:LONGEST].rstrip(), 2
    while name.casefold() in used:
        ending = f" {number}"
        name = base[: LONGEST - len(ending)].rstrip() + ending
        number += 1
    return name


def own_sheet(kind: str) -> str:
    """The name of a sheet that a workbook has once, in the notation of formulas."""
    return quoted(sheet_name(kind, "", ()))


def quoted(name: str) -> str:
    """The sheet name in the notation of formulas."""
    return "'" + name.replace("'", "''") + "'"
