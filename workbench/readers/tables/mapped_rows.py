"""The rows of a mapped table: each line's cells as numbers and times, or a problem."""

from __future__ import annotations

import csv
import re
from array import array
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from workbench.model.mapping import ColumnMapping, Decimal, MappedColumn
from workbench.readers.common.row_problems import Problems
from workbench.readers.tables.long import Words, words_of
from workbench.readers.tables.timed import Moment, TimedCsv, moment_of, split_cells, split_lines

NAMED = 8


_POINT = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?", re.ASCII)


_COMMA = re.compile(r"[-+]?(?:\d+(?:,\d*)?|,\d+)(?:[eE][-+]?\d+)?", re.ASCII)


@dataclass(slots=True)
class Rows:
    """What was read: times and values row by row, and the physical line of each. `other_header` is the line of a
    header with other columns that the rows stand below, as when files were joined."""

    words: Words
    moments: list[Moment] = field(default_factory=list)
    values: array[float] = field(default_factory=lambda: array("d"))
    lines: array[int] = field(default_factory=lambda: array("q"))
    rejected: int = 0
    other_header: int = 0

    def keep(self, kept: npt.NDArray[np.bool_]) -> None:
        """Rejects the rows that are not kept; of those only the values are still asked for."""
        if not kept.all():
            values = np.array(self.values, np.float64).reshape(kept.size, -1)[kept]
            self.values, self.rejected = array("d", values.ravel()), self.rejected + int((~kept).sum())


def rows_of(text: str, table: TimedCsv, mapping: ColumnMapping, problems: Problems) -> Rows:
    """The rows of a table whose cells fit the mapping, with their lines; the others are counted as rejected."""
    rows = Rows(words_of(table, mapping))
    lines = split_lines(text)
    _take_above(lines[: table.line - 1], table, mapping, rows, problems)
    for number, line in enumerate(lines[table.line :], start=table.line + 1):
        if not line.strip(" \t,;|\0\x1a"):
            continue
        why = _take(line, number, table, mapping, rows, problems)
        if why:
            rows.rejected += 1
            problems.warn(why[0], f"Line {number} {why[1]}.", "row left out", number)
    if lines[-1].strip():
        problems.info(
            "no-line-end",
            "The last line has no line end: the file may have been cut off within its last number.",
            "row kept; compare it with the source",
            len(lines),
        )
    return rows


def _take_above(lines: list[str], table: TimedCsv, mapping: ColumnMapping, rows: Rows, problems: Problems) -> None:
    """The lines above the header: those that hold a time are rows without a header, the others are reported."""
    for number, line in enumerate(lines, 1):
        cells = split_cells(line, table.delimiter)
        if len(cells) > 1 and any(moment_of(cell, mapping.time_format) for cell in cells):
            rows.rejected += 1
            message = f"Line {number} stands above the header of line {table.line}."
            problems.warn("row-above-header", message, "row left out", number)
    if any(line.strip() for line in lines):
        problems.info(
            "lines-before-header", f"The header is on line {table.line}.", "lines before it left out", table.line
        )


def quotes_fit(line: str, delimiter: str) -> bool:
    """Whether every quote of a line is closed where a cell ends."""
    if line.count('"') % 2:
        return False
    try:
        next(csv.reader([line], delimiter=delimiter, strict=True), None)
    except csv.Error:
        return len(line) > csv.field_size_limit()
    return True


def _take(
    line: str, number: int, table: TimedCsv, mapping: ColumnMapping, rows: Rows, problems: Problems
) -> tuple[str, str] | None:
    """Adds one row; code and end of sentence where it cannot be."""
    cells = split_cells(line, table.delimiter)
    width = len(table.names)
    if tuple(cells[:width]) == table.names:
        rows.other_header = 0
        return "repeated-header", "repeats the header"
    if rows.other_header:
        return ("other-header", f"stands below the header of line {rows.other_header}, whose columns are others")
    if len(set(cells) & set(table.names) - {""}) > 1 and not any(cell[:1].isdigit() for cell in cells):
        rows.other_header = number
        return "other-header", "is a header with other columns"
    if len(cells) < width or any(cells[width:]):
        return "row-width", f"has {len(cells)} cells where the header has {width}"
    if "\0" in line or ('"' in line and not quotes_fit(line, table.delimiter)):
        return "row-damaged", "has a quote that is not closed" if "\0" not in line else "holds NUL characters"
    moment = moment_of(cells[mapping.time_column], mapping.time_format)
    if moment is None:
        return (
            "bad-time",
            f"has the time '{cells[mapping.time_column][:40]}', which is none written {mapping.time_format}",
        )
    rows.moments.append(moment)
    rows.lines.append(number)
    rows.words.add(cells[:width])
    for column in mapping.columns:
        rows.values.append(_value(cells[column.column], column, mapping.decimal, number, problems))
    return None


def _value(cell: str, column: MappedColumn, decimal: Decimal, line: int, problems: Problems) -> float:
    if not cell:
        return np.nan
    pattern = _COMMA if decimal is Decimal.COMMA else _POINT
    if not pattern.fullmatch(cell):
        problems.warn(
            "not-a-number",
            f"Line {line}: '{cell[:40]}' is no number with a decimal {decimal}.",
            "cell left empty",
            line,
            column.column + 1,
        )
        return np.nan
    value = float(cell.replace(",", "."))
    if not np.isfinite(value):
        problems.warn(
            "not-a-number",
            f"Line {line}: '{cell[:40]}' is beyond all measure.",
            "cell left empty",
            line,
            column.column + 1,
        )
        return np.nan
    if value < 0 and column.quantity is not None:
        problems.warn(
            "negative-rate", f"Line {line}: {cell} cannot be measured.", "cell left empty", line, column.column + 1
        )
        return np.nan
    return value
