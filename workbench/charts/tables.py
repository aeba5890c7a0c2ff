"""Tables as plain values: the data of every chart, for the window, the clipboard and the exporters."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any, Generic, Literal, TypeVar

from workbench.charts.figure import FigureSource, Look
from workbench.model.problem import Problem
from workbench.model.recording import FileReport, SeriesKey
from workbench.words.captions import as_sentences
from workbench.words.numbers import MINUS, MISSING, THIN, number

Rule = Literal["ratio", "difference"]
# In a single row a missing value is information; in several rows, an empty column only takes space.
_LEAST_ROWS = 2


@dataclass(frozen=True, slots=True)
class OwnColumn:
    """A column that the user has made of two others: the table's name, and the keys (`column_key`) of the columns. The
    first one is divided by the second one, or the second one is subtracted."""

    table: str
    rule: Rule
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class Column:
    """`title` with its unit; numbers are aligned right. A column with `fills` takes the remaining width and wraps its
    text. An `own` column was made by the user; the window shows it after the column at `after`."""

    title: str
    unit: str = ""
    numeric: bool = True
    tip: str = ""
    fills: bool = False
    own: OwnColumn | None = None
    after: int | None = None


# Words of a unit that begin with one of these continue the title, in English and in German.
_JOINED = re.compile(
    r"(?:of|per|at(?! least)|by|for|needed|in|from|over|after|including|depth"
    r"|je|der|des|einer|am|nach|für|bei|einschließlich|gegenüber)\b(?! \d)"
)
# The unit proper, with the words before and after it.
_UNIT = re.compile(r"(?!per |je )(?:(.+?),? )?([KMG]i?B|MB/VM|ms|s|min|%(?: of baseline| der Basis)?|pp|W)(?:, (.+))?")


def heading(column: Column) -> str:
    """The title of the column with its unit, on one line: `IOPS per VM`, `RAM used, peak (MB)`."""
    title, unit = column.title, column.unit
    if match := _UNIT.fullmatch(unit):
        words, unit = ", ".join(filter(None, (match[1], match[3]))), match[2]
    else:
        words, unit = (unit, "") if _JOINED.match(unit) else ("", unit)
    title += f" {words}" if _JOINED.match(words) else f", {words}" * bool(words)
    return f"{title} ({unit})" if unit else title


def column_key(column: Column) -> str:
    """The key that identifies a column: title and unit. The two words for units of 2^20 bytes count as equal."""
    return f"{column.title} {column.unit}".strip().replace("MiB", "MB")


@dataclass(frozen=True, slots=True)
class Spark:
    """Values side by side without an axis, drawn from 0 to `top`, which is common to one column; None is a gap."""

    values: tuple[float | None, ...]
    top: float
    look: Look


@dataclass(frozen=True, slots=True)
class Cell:
    """`text` is shown; `value` is for sorting and copying (None: not available). `icon` names a sign next to it.

    `source` links a number to its samples. `key` identifies the subject of the row. `ticked` shows a check box (None:
    none). A row whose first cell is a `heading` has no other cells. `brief` is the text in the window if the icon shows
    the rest.
    """

    text: str
    value: Any = None
    tip: str = ""
    look: Look | None = None
    icon: str = ""
    source: FigureSource | None = None
    key: str = ""
    spark: Spark | None = None
    ticked: bool | None = None
    heading: bool = False
    brief: str = ""

    @property
    def empty(self) -> bool:
        """True if the cell has no value and shows nothing."""
        drawn = self.look is not None or self.icon or self.spark is not None or self.ticked is not None
        return self.value is None and self.text.strip() in ("", MISSING) and not drawn


@dataclass(frozen=True, slots=True)
class TableData:
    """A table: columns, rows, a short legend line, and its name if a page has several.

    `keys` identify the rows if the window acts on them. `of_the_desk`: only the window shows the table, not exports.
    `method` has its definitions in short sentences. `short` is the name with short names of configurations, if they
    differ.
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    legend: str = ""
    name: str = ""
    keys: tuple[SeriesKey, ...] = ()
    of_the_desk: bool = False
    method: tuple[str, ...] = ()
    short: str = ""

    @property
    def whole_legend(self) -> str:
        """Legend and method in sentences, for formats without tooltips."""
        return as_sentences((self.legend, *self.method)) if self.method else self.legend


def empty_columns(table: TableData) -> frozenset[int]:
    """The positions of columns without a value in any of several rows. The first column names the rows and counts as
    filled."""
    rows = [row for row in table.rows if not row[0].heading]
    if len(rows) < _LEAST_ROWS:
        return frozenset()
    places = range(1, len(table.columns))
    return frozenset(place for place in places if all(row[place].empty for row in rows))


def with_own_columns(table: TableData, name: str, own: Sequence[OwnColumn]) -> TableData:
    """The table with the user's columns at its end, if it has the columns they are computed from. A row without both
    numbers, or with a divisor of zero, has no value."""
    for made in own:
        keys = [column_key(column) for column in table.columns]
        if made.table != name or not {made.first, made.second} <= set(keys):
            continue
        first, second = keys.index(made.first), keys.index(made.second)
        some = table.columns[first], table.columns[second]
        alike = some[0].unit == some[1].unit
        if made.rule == "ratio":
            sign, unit = "÷", "" if alike else " per ".join(filter(None, (some[0].unit or "1", some[1].unit)))
        else:
            sign, unit = MINUS, some[0].unit
        title = f"{some[0].title} {sign} {some[1].title}"
        column = Column(title, unit, own=made, after=max(first, second))
        rows = tuple((*row, _computed(row[first], row[second], made.rule)) for row in table.rows)
        table = replace(table, columns=(*table.columns, column), rows=rows)
    return table


def _computed(first: Cell, second: Cell, rule: str) -> Cell:
    values = [cell.value for cell in (first, second)]
    if any(isinstance(value, bool) or not isinstance(value, int | float) for value in values):
        return Cell("" if first.heading else MISSING)
    if rule == "ratio" and not values[1]:
        return Cell(MISSING)
    value = values[0] / values[1] if rule == "ratio" else values[0] - values[1]
    return Cell(number(value), value) if math.isfinite(value) else Cell(MISSING)


Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class RowField(Generic[Row]):
    """A value of each row, declared once for tables, JSON and CSV. `key` names it in JSON and CSV (empty: only tables
    have it), `column` heads it in tables (None: only JSON and CSV have it). `text` shows the value, `written` makes it
    a value of JSON. `figure` names its source (empty: it has none). A value that is a `Cell` is shown unchanged."""

    key: str
    value: Callable[[Row], Any]
    column: Column | None = None
    text: Callable[[Any], str] = str
    written: Callable[[Any], Any] = lambda value: value
    figure: str = ""

    def cell(self, row: Row, source: Callable[[Row, str], FigureSource | None] | None) -> Cell:
        """The value in a table; an empty text is not available."""
        value = self.value(row)
        if isinstance(value, Cell):
            return value
        if value is None or value == "":
            return Cell(MISSING)
        return Cell(self.text(value), value, source=source(row, self.figure) if source and self.figure else None)


def text_field(
    title: str,
    value: Callable[[Row], Any],
    key: str = "",
    unit: str = "",
    tip: str = "",
    figure: str = "",
    fills: bool = False,
) -> RowField[Row]:
    """A field whose values are texts: its column is aligned left."""
    return RowField(key, value, Column(title, unit, numeric=False, tip=tip, fills=fills), figure=figure)


def number_field(
    title: str,
    value: Callable[[Row], Any],
    key: str = "",
    unit: str = "",
    tip: str = "",
    figure: str = "",
    text: Callable[[Any], str] = number,
) -> RowField[Row]:
    """A field whose values are numbers: its column is aligned right."""
    return RowField(key, value, Column(title, unit, tip=tip), text, figure=figure)


def as_row(fields: Sequence[RowField[Row]], row: Row) -> dict[str, Any]:
    """The values of a row by their keys, for JSON and CSV."""
    values = ((field, field.value(row)) for field in fields if field.key)
    return {field.key: None if value is None else field.written(value) for field, value in values}


def table_of(
    fields: Sequence[RowField[Row]],
    rows: Iterable[Row],
    source: Callable[[Row, str], FigureSource | None] | None = None,
    look: Callable[[Row], Look | None] | None = None,
    *,
    legend: str = "",
    name: str = "",
    method: tuple[str, ...] = (),
) -> TableData:
    """The table of the fields that have a column; the first cell of a row has its look."""
    shown = [(field, field.column) for field in fields if field.column is not None]
    cells = [(row, tuple(field.cell(row, source) for field, _ in shown)) for row in rows]
    looked = tuple(of if look is None else (replace(of[0], look=look(row)), *of[1:]) for row, of in cells)
    return TableData(tuple(column for _, column in shown), looked, legend, name, method=method)


def table_by_columns(
    *parts: tuple[Column, Sequence[Cell]], legend: str = "", method: tuple[str, ...] = ()
) -> TableData:
    """The table of these columns, each with its cells."""
    rows = tuple(zip(*(cells for _, cells in parts), strict=True))
    return TableData(tuple(column for column, _ in parts), rows, legend, method=method)


def without_columns(table: TableData, titles: Sequence[str]) -> TableData:
    """The table without the columns with these titles. Raises ValueError for a title that the table does not have."""
    if unknown := set(titles) - {column.title for column in table.columns}:
        raise ValueError(f"no columns {sorted(unknown)} in the table {table.name!r}")
    kept = [index for index, column in enumerate(table.columns) if column.title not in titles]
    columns = tuple(table.columns[index] for index in kept)
    return replace(table, columns=columns, rows=tuple(tuple(row[index] for index in kept) for row in table.rows))


def file_table(files: Sequence[FileReport]) -> TableData:
    """The files of the import report. The window shows their names without the folders that all of them are in."""
    places = zip(*(file.path.split("/")[:-1] for file in files), strict=False)
    shared = "".join(f"{names[0]}/" for names in takewhile(lambda names: len(set(names)) == 1, places))

    def name(row: FileReport) -> Cell:
        return replace(tipped(row.path), brief=row.path.removeprefix(shared))

    return table_of((text_field("File", name, fills=True), *_FILE), files)


def problem_table(problems: Sequence[Problem]) -> TableData:
    """The problems of the import report."""
    return table_of(_PROBLEM, problems)


def unread_table(problems: Sequence[Problem], name: str, files: bool = False) -> TableData:
    """Problems with the line of a file of the user, and its name if there are several `files`."""
    return table_of(_UNREAD if files else _UNREAD[1:], problems, name=f"{name} ({len(problems)})")


def tipped(text: str, tip: str | None = None, icon: str = "", key: str = "") -> Cell:
    """A text with a tooltip. The default tooltip is the whole text, because a narrow column cuts it off."""
    return Cell(text, text, text if tip is None else tip, icon=icon, key=key)


def _count(value: int | None) -> Cell:
    return Cell(MISSING if value is None else f"{value:,}".replace(",", THIN), value)


_FILE: tuple[RowField[FileReport], ...] = (
    text_field("Reader", lambda row: Cell(row.reader or "not recognised", row.reader)),
    number_field("Rows", lambda row: _count(row.rows)),
    number_field("Rejected", lambda row: _count(row.rejected_rows)),
    number_field("Columns", lambda row: _count(row.columns)),
    number_field("Missing cells", lambda row: _count(row.missing_cells)),
    number_field("Hosts", lambda row: Cell(str(len(row.hosts)), len(row.hosts), ", ".join(row.hosts[:20]))),
    text_field(
        "First sample",
        lambda row: Cell((row.first or MISSING).replace("T", " ").removesuffix("Z"), row.first),
        unit="UTC",
    ),
    number_field("UTC offset", lambda row: _count(row.utc_offset_minutes), unit="min"),
    text_field("Encoding", lambda row: Cell(row.encoding or MISSING, row.encoding)),
)
_PROBLEM: tuple[RowField[Problem], ...] = (
    text_field("Severity", lambda row: Cell(row.severity.value, row.severity.value, icon=row.severity.value)),
    text_field("Where", lambda row: tipped(row.file), fills=True),
    number_field("Line", lambda row: _count(row.line)),
    number_field("Cell", lambda row: _count(row.column)),
    text_field("What", lambda row: tipped(row.message), fills=True),
    text_field("Action taken", lambda row: tipped(row.done), fills=True),
)
_UNREAD: tuple[RowField[Problem], ...] = (
    text_field("File", lambda row: Cell(row.file, row.file)),
    number_field("Line", lambda row: Cell("" if row.line is None else str(row.line), row.line)),
    text_field("What", lambda row: tipped(row.message, icon=row.severity.value)),
    text_field("Action taken", lambda row: Cell(row.done, row.done)),
)
