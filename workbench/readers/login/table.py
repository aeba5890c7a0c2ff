"""Tables of load generators as scripts export them: a header line, then one record per line.

Output of PowerShell's Export-Csv is accepted: a `#TYPE` line before the header, quoted cells (with line breaks if
`multiline` allows it), UTF-16, semicolons or tabs, decimal commas, and times in the format of the exporting machine's
language. Column names are compared only by letters and digits, so `result(s)`, `EUX score` and `Result_s` differ only
by their letters. Rows in = rows kept + rows rejected; blank lines do not count as rows. The module also checks single
cells: numbers and ISO-8601 times.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from math import inf
from pathlib import Path

import numpy as np

from workbench.model.problem import Problem, Severity, few_named
from workbench.model.reading import Reader, Reading
from workbench.model.recording import FileReport
from workbench.readers.common.clock import refuse_ambiguous_date, stated_order
from workbench.readers.common.row_problems import Problems, none_of, numbered, quoted, row_rejected
from workbench.readers.text.documents import RUN_BYTES, load_bytes
from workbench.readers.text.encodings import decode_text
from workbench.readers.text.numbers import COMMA, Evidence, Notation, Seen, decide, is_bare, refuse
from workbench.readers.text.rows import (
    NUL,
    Fault,
    HeaderWatch,
    Record,
    is_open_ended,
    is_padded,
    records,
    row_fault,
    split_lines,
    split_row,
)
from workbench.readers.text.timestamps import (
    YEARS,
    Order,
    RecordTime,
    decide_order,
    iso_moment,
    iso_text,
    parse_texts,
    to_microseconds,
)

_DELIMITERS = (",", ";", "\t")
_HEADER_LINES = 4
_KEY = re.compile(r"[^a-z0-9]")
# A quoted cell with more lines than this is a stray quote.
_LONGEST_RECORD = 400
_SHOWN = 60


class TableRefusedError(Exception):
    """The file holds no usable data. The reason is already noted as a problem."""


@dataclass(frozen=True, slots=True)
class LoginRow:
    """A record: its first physical line and its cells by column key."""

    line: int
    cells: dict[str, str]


@dataclass(eq=False)
class LoginTable:
    """A file's rows, their columns in order (`keys`, and `names` as the file writes them).

    `date_order` is the order that the run states for ambiguous dates ("mdy", "dmy").
    """

    name: str
    encoding: str
    delimiter: str
    keys: tuple[str, ...]
    problems: Problems
    rows: list[LoginRow] = field(default_factory=list)
    rejected_lines: list[int] = field(default_factory=list)
    cells: int = 0
    missing: int = 0
    bare: bool = False
    date_order: str | None = None
    names: tuple[str, ...] = ()
    notation: Notation = field(default_factory=Notation)

    @property
    def rejected(self) -> int:
        """Returns the number of rejected rows."""
        return len(self.rejected_lines)

    def reject_all(self) -> None:
        """Rejects every row that is left, without a problem for each."""
        self.rejected_lines += [row.line for row in self.rows]
        self.rows = []

    def column(self, key: str) -> int | None:
        """Returns the position of a column, counted from 1."""
        return self.keys.index(key) + 1 if key in self.keys else None

    def decide_numbers(self, columns: Iterable[str]) -> None:
        """Decides how the numbers of these columns are written. Raises RefusedError, with the problem noted, if this
        cannot be decided."""
        evidence, places = Evidence(self.delimiter, self.bare), {key: self.column(key) or 0 for key in columns}
        decided = decide(((row.line, row.cells) for row in self.rows), places, evidence)
        if isinstance(decided, Seen):
            refuse(decided, self.problems)
            raise TableRefusedError
        evidence.tell(decided, self.problems)
        if decided.decimal == COMMA:
            self.problems.info("decimal-comma", "The numbers have decimal commas.", "commas treated as decimal marks")
        self.notation = decided

    def keep(self, rows: list[LoginRow], rejected: Sequence[tuple[LoginRow, str, str]], key: str) -> None:
        """Keeps `rows` in the table. The others are rejected, each with its code and reason."""
        self.rows = rows
        self.rejected_lines += [row.line for row, _, _ in rejected]
        for row, code, what in rejected:
            self.problems.warn(code, f"Line {row.line} {what}.", row_rejected(code), row.line, self.column(key))

    def numbers(self, key: str, required: bool = False, low: float = -inf, high: float = inf) -> dict[int, float]:
        """Returns the numbers of a column by line. A cell is missing if it is blank, not a number, or outside `low` and
        `high`. If the column is `required`, the row of a missing cell is rejected."""
        texts = {row.line: row.cells.get(key, "").strip() for row in self.rows}
        values: dict[int, float] = {}
        kept: list[LoginRow] = []
        rejected: list[tuple[LoginRow, str, str]] = []
        for row in self.rows:
            text = texts[row.line]
            value = self.notation.number(text)
            fault = None
            if value is None and text:
                code, what = self.notation.fault(text)
                fault = code, f"contains '{text[:_SHOWN]}', which {what}"
            elif value is not None and not low <= value <= high:
                beyond = f"below the minimum of {low:g}" if value < low else f"above the maximum of {high:g}"
                fault = "out-of-range", f"contains the value {text[:_SHOWN]}, {beyond}"
            if value is not None and not fault:
                values[row.line] = value
            elif required:
                rejected.append((row, *(fault or ("no-value", f"contains no value in column '{key}'"))))
                continue
            elif fault:
                self.problems.warn(
                    fault[0],
                    f"Line {row.line} {fault[1]}.",
                    "cell left empty; check it in the file",
                    row.line,
                    self.column(key),
                )
            kept.append(row)
        self.keep(kept, rejected, key)
        self.cells += len(kept)
        self.missing += len(kept) - len(values)
        return values

    def moments(self, key: str, required: bool = True, point_dates: bool = True) -> dict[int, RecordTime]:
        """Returns the times of a column by line. Rows without a time are rejected if the column is `required`.

        `point_dates`: the day comes first in dates with points. Raises RefusedError, with the problem noted, if day and
        month cannot be distinguished.
        """
        texts = {row.line: row.cells.get(key, "").strip() for row in self.rows}
        moments = {line: moment for line, text in texts.items() if (moment := iso_moment(text)) is not None}
        others = [line for line, text in texts.items() if line not in moments and text]
        moments |= self._written(others, [texts[line] for line in others], point_dates)
        kept = [row for row in self.rows if row.line in moments]
        lost = [row for row in self.rows if row.line not in moments]
        if required:
            reasons = [(row, "bad-time", f"contains the invalid time '{texts[row.line][:_SHOWN]}'") for row in lost]
            self.keep(kept, reasons, key)
        else:
            for row in lost:
                if texts[row.line]:
                    self.problems.warn(
                        "bad-time",
                        f"Line {row.line} contains the invalid time '{texts[row.line][:_SHOWN]}'.",
                        "cell left empty; check it in the file",
                        row.line,
                        self.column(key),
                    )
        return moments

    def _written(self, lines: list[int], texts: list[str], point_dates: bool) -> dict[int, RecordTime]:
        stamps = parse_texts(texts)
        if not stamps.valid.any():
            return {}
        order = decide_order(stamps if point_dates else replace(stamps, dotted=False), trusted=False)
        order = order or stated_order(self.date_order, self.problems)
        if order is None:
            refuse_ambiguous_date(stamps, self.problems)
            raise TableRefusedError
        if order is Order.DAY_FIRST:
            self.problems.info(
                "day-first",
                "The dates have the day first.",
                "dates read in this order, which fits all dates of the column",
            )
        times, real = to_microseconds(stamps, order)
        return {
            line: RecordTime(at / 1e6, False)
            for line, at, ok in zip(lines, times.tolist(), np.asarray(real).tolist(), strict=True)
            if ok and datetime.fromtimestamp(at / 1e6, UTC).year in YEARS
        }

    def tell_local(self, moments: dict[int, RecordTime]) -> None:
        """Notes that times have no offset from UTC, if any has none."""
        if any(not moment.has_offset for moment in moments.values()):
            self.problems.warn(
                "time-zone-unknown",
                "The timestamps have no UTC offset.",
                'the time zone of the other files is used for them; to change it, set time_zone = "+01:00" in run.toml',
            )

    def report(self, label: str, moments: Sequence[RecordTime] = (), hosts: Sequence[str] = ()) -> FileReport:
        """Returns the file's report, as `inspect` shows it."""
        ordered = sorted(moments, key=lambda moment: moment.at)
        return FileReport(
            path=self.name,
            reader=label,
            recognised=True,
            rows=len(self.rows),
            columns=len(self.keys),
            hosts=tuple(sorted({host for host in hosts if host})),
            first=iso_text(ordered[0]) if ordered else None,
            last=iso_text(ordered[-1]) if ordered else None,
            utc_offset_minutes=0 if ordered and all(moment.has_offset for moment in ordered) else None,
            encoding=self.encoding,
            delimiter=self.delimiter,
            cells=self.cells,
            missing_cells=self.missing,
            rejected_rows=self.rejected,
        )


# The function that turns the rows of a table into a reading; series are written to the path.
Shape = Callable[[LoginTable, Path], Reading]
ShapeOf = Callable[[frozenset[str]], Shape | None]


def table_reader(
    label: str, shape_of: ShapeOf, numbers: frozenset[str] = frozenset(), multiline: bool = True
) -> Reader:
    """Returns a reader. `shape_of` returns how a table with these columns is read, or None for an unknown table.

    `numbers` are the columns that decide the notation of a file's numbers. `multiline`: a quoted cell may contain line
    ends. Unreadable lines are rejected with a problem.
    """
    read = partial(_read, label, shape_of, numbers, multiline)
    return Reader(label, partial(_identify, shape_of), read, read_dated=read)


def _identify(shape_of: ShapeOf, head: bytes, _name: str) -> float:
    return 1.0 if shape_of(header_keys(head)) is not None else 0.0


def _read(
    label: str,
    shape_of: ShapeOf,
    numbers: frozenset[str],
    multiline: bool,
    path: Path,
    name: str,
    columns: Path,
    date_order: str | None = None,
) -> Reading:
    data = load_bytes(path, name, label, RUN_BYTES)
    if isinstance(data, Reading):
        return data
    table = read_table(data, name, multiline, date_order)
    keys = frozenset(table.keys)
    shape = shape_of(keys)
    if shape is None:
        return Reading(table.report(label), table.problems.all())
    try:
        table.decide_numbers(numbers & keys)
        reading = shape(table, columns)
    except TableRefusedError:
        table.reject_all()
        return Reading(table.report(label), table.problems.all())
    return reading if table.rows or table.rejected else without_rows(table, reading)


def without_rows(table: LoginTable, reading: Reading) -> Reading:
    """Returns the reading of a table without usable rows, with the problem that gives the reason."""
    rejected = table.rejected
    message = f"{none_of(rejected, 'row')} could be read." if rejected else "The file has a header but no rows."
    problem = Problem(Severity.REFUSED, table.name, "no-rows", message, "file not imported; export it again")
    return replace(reading, problems=(*reading.problems, problem))


def key_of(column: str) -> str:
    """Returns only the letters and digits of a column name."""
    return _KEY.sub("", column.lower())


def header_keys(head: bytes) -> frozenset[str]:
    """Returns the columns named by the first lines of a file; empty if these are not a table header."""
    lines = split_lines(decode_text(head)[0])
    return frozenset(map(key_of, _header(lines)[2]))


def read_table(data: bytes, name: str, multiline: bool = False, date_order: str | None = None) -> LoginTable:
    """Returns the rows of a table. Never raises: unusable rows are rejected with their problems."""
    text, encoding = decode_text(data)
    problems = Problems(name)
    lines = split_lines(text)
    header_line, delimiter, names = _header(lines)
    keys = [key_of(name) for name in names]
    table = LoginTable(
        name,
        encoding,
        delimiter,
        tuple(keys),
        problems,
        bare=is_bare(lines, delimiter),
        date_order=date_order,
        names=tuple(names),
    )
    _note_file(table, text, header_line)
    found = list(records(lines, header_line, delimiter, len(keys), _LONGEST_RECORD if multiline else 1))
    padded = is_padded((record.cells for record in found), len(keys))
    exact = is_open_ended((record.cells for record in found), len(keys))
    watch = HeaderWatch(keys)
    for record in found:
        fault = _fault_of(record, watch, padded, exact)
        if fault is None:
            named = zip(reversed(keys), reversed((record.cells or [])[: len(keys)]), strict=True)
            table.rows.append(LoginRow(record.line, {key: cell for key, cell in named if key}))
        else:
            table.rejected_lines.append(record.line)
            problems.warn(fault.code, f"Line {record.line} {fault.why}.", row_rejected(fault.code), record.line)
    return table


def _header(lines: list[str]) -> tuple[int, str, list[str]]:
    """Returns line number, delimiter and column names of the first line that PowerShell or Excel did not add."""
    filled = [(number, line) for number, line in enumerate(lines[:_HEADER_LINES], start=1) if line.strip()]
    for number, line in filled:
        if line.startswith(("#TYPE", "sep=")):
            continue
        delimiter = max(_DELIMITERS, key=line.count)
        return number, delimiter, split_row(line, delimiter) or line.split(delimiter)
    return 0, ",", []


def _fault_of(record: Record, watch: HeaderWatch, padded: bool, exact: bool) -> Fault | None:
    cells, width = record.cells, len(watch.names)
    fault = row_fault(cells, width, padded)
    if cells is None:
        return fault and fault._replace(code="bad-quote")
    if exact and len(cells) > width:
        fault = fault or Fault("row-width", f"has {numbered(len(cells), 'cell')}, but the header has {width}")
    nul = NUL._replace(code="nul") if "\0" in record.text else None
    return watch.fault(record.line, [key_of(cell) for cell in cells]) or nul or fault


def _note_file(table: LoginTable, text: str, header_line: int) -> None:
    if table.encoding == "cp1252":
        table.problems.info("encoding", "The file is not UTF-8.", "file decoded as Windows-1252")
    twice = [key for key in dict.fromkeys(table.keys) if key and table.keys.count(key) > 1]
    if twice:
        table.problems.warn(
            "duplicate-column",
            f"The header repeats {few_named(quoted(twice))}.",
            "the first column with this name was imported; check the header"
            if len(twice) == 1
            else "the first column with each name was imported; check the header",
            header_line,
        )
    if text and text[-1] not in "\r\n":
        table.problems.tell_open_end(len(split_lines(text)))
