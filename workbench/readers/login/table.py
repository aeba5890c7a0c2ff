"""Tables of load generators as scripts export them: a header line, then one record per line.

Output of PowerShell's Export-Csv is accepted: a `#TYPE` line before the header, quoted cells (with line breaks if
`multiline` allows it), UTF-16, semicolons or tabs, decimal commas, and times in the format of the exporting machine's
language. Column names are compared only by letters and digits, so `result(s)`, `EUX score` and `Result_s` differ only
by their letters. Rows in = rows kept + rows rejected; blank lines do not count as rows. The module also checks single
cells: numbers and ISO-8601 times.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from math import inf

import numpy as np

from workbench.model.problem import Problem, Severity
from workbench.model.reading import Reading
from workbench.model.recording import FileReport
from workbench.readers.common.row_problems import Problems
from workbench.readers.perfmon.notes import refuse_ambiguous_date, stated_order
from workbench.readers.text.encodings import utf16_encoding
from workbench.readers.text.numbers import COMMA, Evidence, Notation, Seen, decide, is_bare, refuse
from workbench.readers.text.rows import Record, is_open_ended, is_padded, records, row_fault, split_row
from workbench.readers.text.timestamps import Order, decide_order, parse_texts, to_microseconds

_LINE_END = re.compile(r"\r\n|\r|\n")
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
    """A file's rows, their columns in order (`keys`, and `names` as the file writes them), and the line of another
    header in a joined file, if any.

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
    other_header: int = 0
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
            self.problems.info("decimal-comma", "The numbers have decimal commas.", "read as decimal commas")
        self.notation = decided

    def keep(self, rows: list[LoginRow], rejected: Sequence[tuple[LoginRow, str, str]], key: str) -> None:
        """Keeps `rows` in the table. The others are rejected, each with its code and reason."""
        self.rows = rows
        self.rejected_lines += [row.line for row, _, _ in rejected]
        for row, code, what in rejected:
            self.problems.warn(code, f"Line {row.line} {what}.", "line rejected", row.line, self.column(key))

    def numbers(self, key: str, required: bool = False, low: float = -inf, high: float = inf) -> dict[int, float]:
        """The numbers of a column by line. A cell that is blank, no number or outside `low` and `high` is missing; if
        the column is `required`, its row is rejected."""
        texts = {row.line: row.cells.get(key, "").strip() for row in self.rows}
        notation = self.notation
        values: dict[int, float] = {}
        kept: list[LoginRow] = []
        rejected: list[tuple[LoginRow, str, str]] = []
        for row in self.rows:
            text = texts[row.line]
            value = notation.number(text)
            fault = fault_of(text, value, notation, low, high)
            if value is not None and not fault:
                values[row.line] = value
            elif required:
                rejected.append((row, *(fault or ("no-value", f"has no value in column {key}"))))
                continue
            elif fault:
                self.problems.warn(
                    fault[0], f"Line {row.line} {fault[1]}.", "cell left empty", row.line, self.column(key)
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
            reasons = [
                (row, "bad-time", f"has the time '{texts[row.line][:_SHOWN]}', which is not a time") for row in lost
            ]
            self.keep(kept, reasons, key)
        else:
            for row in lost:
                if texts[row.line]:
                    self.problems.warn(
                        "bad-time",
                        f"Line {row.line} has the time '{texts[row.line][:_SHOWN]}', which is not a time.",
                        "cell left empty",
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
            self.problems.info("day-first", "The dates have the day first.", "decided by all dates of the column")
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
                "The times have no offset from UTC.",
                'the clock of the run\'s other files is used; set time_zone = "+01:00" in run.toml',
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


def without_rows(table: LoginTable, reading: Reading) -> Reading:
    """Returns the reading of a table without usable rows, with the problem that gives the reason."""
    rejected = table.rejected
    message = f"None of the {rejected} rows could be read." if rejected else "The file has a header but no rows."
    problem = Problem(Severity.REFUSED, table.name, "no-rows", message, "file not imported; export it again")
    return replace(reading, problems=(*reading.problems, problem))


def on_one_clock(moments: Mapping[str, RecordTime | None]) -> tuple[dict[str, float], bool, bool]:
    """Returns the times by name, True if they have an offset, and True if some were left out. Local times are left out
    next to times with an offset, because their distance is unknown."""
    known = {name: moment for name, moment in moments.items() if moment is not None}
    mixed = len({moment.has_offset for moment in known.values()}) > 1
    kept = {name: moment for name, moment in known.items() if moment.has_offset or not mixed}
    return (
        {name: moment.at for name, moment in kept.items()},
        all(moment.has_offset for moment in kept.values()),
        mixed,
    )


def iso_text(moment: RecordTime) -> str:
    """Returns the time in UTC with `Z`, or the local time as written, without it."""
    text = datetime.fromtimestamp(moment.at, UTC).isoformat(timespec="seconds").removesuffix("+00:00")
    return f"{text}Z" if moment.has_offset else text


def decode(data: bytes) -> tuple[str, str]:
    """Returns text and encoding: UTF-16 by its mark or its zeros, UTF-8, otherwise Windows-1252."""
    utf16 = utf16_encoding(data[:4096])
    if utf16 is not None:
        return data.decode(utf16, errors="replace").removeprefix("\ufeff"), "utf-16"
    try:
        return data.decode("utf-8-sig"), "utf-8"
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace"), "cp1252"


def key_of(column: str) -> str:
    """Returns only the letters and digits of a column name."""
    return _KEY.sub("", column.lower())


def header_keys(head: bytes) -> frozenset[str]:
    """Returns the columns named by the first lines of a file; empty if these are not a table header."""
    lines = _lines(decode(head)[0])
    return frozenset(map(key_of, _header(lines)[2]))


def read_table(data: bytes, name: str, multiline: bool = False, date_order: str | None = None) -> LoginTable:
    """Returns the rows of a table. Never raises: unusable rows are rejected with their problems."""
    text, encoding = decode(data)
    problems = Problems(name)
    lines = _lines(text)
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
    _note_file(table, text, keys, header_line)
    found = list(records(lines, header_line, delimiter, len(keys), _LONGEST_RECORD if multiline else 1))
    padded = is_padded((record.cells for record in found), len(keys))
    exact = is_open_ended((record.cells for record in found), len(keys))
    for record in found:
        _take(table, record, padded, exact)
    return table


def _lines(text: str) -> list[str]:
    return _LINE_END.split(text)


def _header(lines: list[str]) -> tuple[int, str, list[str]]:
    """Returns line number, delimiter and column names of the first line that PowerShell or Excel did not add."""
    filled = [(number, line) for number, line in enumerate(lines[:_HEADER_LINES], start=1) if line.strip()]
    for number, line in filled:
        if line.startswith(("#TYPE", "sep=")):
            continue
        delimiter = max(_DELIMITERS, key=line.count)
        return number, delimiter, split_row(line, delimiter) or line.split(delimiter)
    return 0, ",", []


def _take(table: LoginTable, record: Record, padded: bool, exact: bool) -> None:
    line, text, cells = record
    keys = [key_of(cell) for cell in cells or ()]
    if cells is None:
        _reject(table, line, "bad-quote", "has a quote that is open, or closes in the middle of a cell")
    elif keys[: len(table.keys)] == list(table.keys) and not any(cells[len(table.keys) :]):
        table.other_header = 0
        _reject(table, line, "repeated-header", "is the header once more")
    elif table.other_header:
        _reject(table, line, "other-header", f"is below the other header on line {table.other_header}")
    elif _is_other_header(cells, table.keys):
        table.other_header = line
        _reject(table, line, "other-header", "is a header with other columns")
    elif "\x00" in text:
        _reject(table, line, "nul", "contains zero bytes")
    elif (fault := row_fault(cells, len(table.keys), padded)) is not None:
        _reject(table, line, *fault)
    elif exact and len(cells) > len(table.keys):
        _reject(table, line, "row-width", f"has {len(cells)} cells where the header has {len(table.keys)}")
    else:
        named = {
            key: cell for key, cell in zip(reversed(table.keys), reversed(cells[: len(table.keys)]), strict=True) if key
        }
        table.rows.append(LoginRow(line, named))


def _is_other_header(cells: list[str], keys: Sequence[str]) -> bool:
    """True if a line names several of the columns and holds no number or time: the header of a joined file."""
    return len({key_of(cell) for cell in cells} & set(keys) - {""}) > 1 and not any(
        cell[:1].isdigit() for cell in cells
    )


def _reject(table: LoginTable, line: int, code: str, what: str) -> None:
    table.rejected_lines.append(line)
    table.problems.warn(code, f"Line {line} {what}.", "line rejected", line)


def _note_file(table: LoginTable, text: str, keys: list[str], header_line: int) -> None:
    if table.encoding == "cp1252":
        table.problems.info("encoding", "The file is not UTF-8.", "it was read as Windows-1252")
    twice = [key for key in dict.fromkeys(keys) if key and keys.count(key) > 1]
    if twice:
        table.problems.warn(
            "duplicate-column",
            f"The header names {', '.join(twice)} more than once.",
            "the first of them was used",
            header_line,
        )
    if text and text[-1] not in "\r\n":
        table.problems.info(
            "no-line-end",
            "The last line has no line end.",
            "read as it is; if the file was cut off, its last value may be too",
            len(_lines(text)),
        )


_ISO = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}\S*")
# A clock outside these years was never set.
YEARS = range(1980, 2200)


@dataclass(frozen=True, slots=True)
class RecordTime:
    """Seconds since 1970; local time is treated as UTC if the file has no offset."""

    at: float
    has_offset: bool


def fault_of(
    text: str, value: float | None, notation: Notation, low: float = -inf, high: float = inf
) -> tuple[str, str] | None:
    """Code and end of a sentence for a cell that is no number, or outside its range; None for a good or blank one."""
    if value is None:
        if not text:
            return None
        code, what = notation.fault(text)
        return code, f"has '{text[:_SHOWN]}', which {what}"
    if not low <= value <= high:
        return "out-of-range", f"has {text[:_SHOWN]}, which is impossible"
    return None


def iso_moment(text: str) -> RecordTime | None:
    """Returns the moment of an ISO-8601 text (local time if it has no offset), or None if it is not one."""
    if not _ISO.fullmatch(text):
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    if moment.year not in YEARS:
        return None
    local = moment.tzinfo is None
    return RecordTime((moment.replace(tzinfo=UTC) if local else moment).timestamp(), not local)
