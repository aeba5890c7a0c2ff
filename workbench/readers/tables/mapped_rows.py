"""The rows of a mapped table: each line's cells as numbers and times, or a problem."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from workbench.model.mapping import ColumnMapping, Decimal, MappedColumn
from workbench.model.metric import UNITS, Quantity
from workbench.readers.common.row_problems import Problems
from workbench.readers.tables.long import ColumnWords, words_of
from workbench.readers.tables.timed import FileTime, TimedCsv, moment_of, split_cells, split_lines
from workbench.readers.text.numbers import COMMA, POINT, Evidence, Notation, Seen, unit_of, with_unit
from workbench.readers.text.rows import BLANK, is_padded, row_fault, split_row

NAMED = 8
# This many rows decide if rows have blank cells beyond the last column.
_LOOKED_AT = 1_000


@dataclass(slots=True)
class MappedRows:
    """The content read: times and values row by row, and the physical line of each. `other_header` is the line of a
    header with other columns above some rows, as in joined files. `with_units` maps a column to its first cell with
    a unit."""

    words: ColumnWords
    moments: list[FileTime] = field(default_factory=list)
    values: array[float] = field(default_factory=lambda: array("d"))
    lines: array[int] = field(default_factory=lambda: array("q"))
    rejected: int = 0
    other_header: int = 0
    padded: bool = False
    evidence: Evidence = field(default_factory=Evidence)
    with_units: dict[int, str] = field(default_factory=dict)

    def keep(self, kept: npt.NDArray[np.bool_]) -> None:
        """Rejects the rows that are not kept; only their values are still used."""
        if not kept.all():
            values = np.array(self.values, np.float64).reshape(kept.size, -1)[kept]
            self.values, self.rejected = array("d", values.ravel()), self.rejected + int((~kept).sum())


def rows_of(text: str, table: TimedCsv, mapping: ColumnMapping, problems: Problems) -> MappedRows:
    """Returns the rows of a table whose cells fit the mapping, with their lines; the others count as rejected."""
    lines = split_lines(text)
    looked_at = [split_row(line, table.delimiter) for line in lines[table.line :][:_LOOKED_AT] if line.strip(BLANK)]
    rows = MappedRows(
        words_of(table, mapping), padded=is_padded(looked_at, len(table.names)), evidence=Evidence(table.delimiter)
    )
    _take_above(lines[: table.line - 1], table, mapping, rows, problems)
    for number, line in enumerate(lines[table.line :], start=table.line + 1):
        if not line.strip(BLANK):
            continue
        why = _take(line, number, table, mapping, rows, problems)
        if why:
            rows.rejected += 1
            problems.warn(why[0], f"Line {number} {why[1]}.", "row rejected", number)
    tell_stated_decimal(rows.evidence, mapping, problems)
    tell_units(rows.with_units, table.names, problems)
    if lines[-1].strip():
        problems.info(
            "no-line-end",
            "The last line has no line end: the file may have been cut off within its last number.",
            "row kept; compare it with the source",
            len(lines),
        )
    return rows


def _take_above(
    lines: list[str], table: TimedCsv, mapping: ColumnMapping, rows: MappedRows, problems: Problems
) -> None:
    """Handles the lines above the header: those with a time are rows without a header, the others are reported."""
    for number, line in enumerate(lines, 1):
        cells = split_cells(line, table.delimiter)
        if len(cells) > 1 and any(moment_of(cell, mapping.time_format) for cell in cells):
            rows.rejected += 1
            message = f"Line {number} is above the header on line {table.line}."
            problems.warn("row-above-header", message, "row rejected", number)
    if any(line.strip() for line in lines):
        problems.info(
            "lines-before-header", f"The header is on line {table.line}.", "earlier lines ignored", table.line
        )


def notation_of(mapping: ColumnMapping) -> Notation:
    """Returns the notation of numbers that the mapping states."""
    return Notation(COMMA if mapping.decimal is Decimal.COMMA else POINT)


def tell_stated_decimal(evidence: Evidence, mapping: ColumnMapping, problems: Problems) -> None:
    """Notes that only the mapping states the notation of the numbers."""
    if isinstance(seen := evidence.decided(), Seen):
        action = f"read with a decimal {mapping.decimal}, as the mapping states"
        problems.info("decimal-stated", seen.question, action, seen.line)


def _take(
    line: str, number: int, table: TimedCsv, mapping: ColumnMapping, rows: MappedRows, problems: Problems
) -> tuple[str, str] | None:
    """Adds one row. Returns code and end of sentence if it cannot be added."""
    cells = split_cells(line, table.delimiter)
    width = len(table.names)
    if tuple(cells[:width]) == table.names:
        rows.other_header = 0
        return "repeated-header", "repeats the header"
    if rows.other_header:
        return ("other-header", f"is below the header on line {rows.other_header}, which has other columns")
    if len(set(cells) & set(table.names) - {""}) > 1 and not any(cell[:1].isdigit() for cell in cells):
        rows.other_header = number
        return "other-header", "is a header with other columns"
    if "\0" in line:
        return "row-damaged", "contains NUL characters"
    if (fault := row_fault(split_row(line, table.delimiter), width, rows.padded)) is not None:
        return fault
    moment = moment_of(cells[mapping.time_column], mapping.time_format)
    if moment is None:
        return (
            "bad-time",
            f"has the time '{cells[mapping.time_column][:40]}', which is not written as {mapping.time_format}",
        )
    rows.moments.append(moment)
    rows.lines.append(number)
    rows.words.add(cells[:width])
    for column in mapping.columns:
        cell = cells[column.column]
        found = with_unit(cell)
        text, unit = found or (cell, "")
        rows.evidence.add(text, number, column.column + 1)
        factor = factor_of(unit, column.quantity, column.scale)
        if factor is None:
            what = f"'{cell[:40]}' is not in the unit of its column"
            problems.warn("cell-unit", f"Line {number}: {what}.", "cell left empty", number, column.column + 1)
        elif found:
            rows.with_units.setdefault(column.column, cell)
        read = _value("" if factor is None else text, column, notation_of(mapping), number, problems)
        rows.values.append(read * (factor or 1.0))
    return None


def factor_of(unit: str, quantity: Quantity | None, scale: float) -> float | None:
    """Returns the factor that turns a number with this unit into one for the scale of its column, or None for a unit of
    another quantity."""
    if not unit:
        return 1.0
    kind, factor = unit_of(unit) or ("", 1.0)
    if not kind or quantity is None:
        return factor
    return factor / scale if kind == UNITS[quantity] else None


def tell_units(with_units: Mapping[int, str], names: Sequence[str], problems: Problems) -> None:
    """Notes the columns with units in their cells; `with_units` maps each to its first such cell."""
    for place, cell in with_units.items():
        message = f"The cells of '{names[place]}' have units, such as '{cell[:40]}'."
        problems.info("cells-with-units", message, "each cell read in the unit that it states")


def _value(cell: str, column: MappedColumn, notation: Notation, line: int, problems: Problems) -> float:
    if not cell:
        return np.nan
    value = notation.number(cell)
    if value is None:
        code, what = notation.fault(cell)
        problems.warn(code, f"Line {line}: '{cell[:40]}' {what}.", "cell left empty", line, column.column + 1)
        return np.nan
    if value < 0 and column.quantity is not None:
        problems.warn(
            "negative-rate", f"Line {line}: {cell} is impossible.", "cell left empty", line, column.column + 1
        )
        return np.nan
    return value
