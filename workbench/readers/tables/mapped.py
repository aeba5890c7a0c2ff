"""Any CSV with a time column, read through a column mapping that the user has made or confirmed.

What a storage array, a hypervisor's manager or a spreadsheet exports has no common format, so nothing is read
by guess: without a mapping the file is reported as readable with one, and left out. A mapping says for one
header which column is the time and how it is written, and what each value column means (`model/mapping.py`).
One physical line is one row; a row that has not as many cells as the header, or no time, is rejected by its
number. Tables of several machines are refused: see `long_tables`. A cell that is no number is missing, and so is a
negative one where nothing negative can be measured.
"""

from __future__ import annotations

import csv
import re
from array import array
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePosixPath

import numpy as np
import numpy.typing as npt
import polars as pl

from workbench.model.mapping import ColumnMapping, Decimal, MappedColumn, header_key
from workbench.model.metric import Metric, Vantage
from workbench.model.problem import Problem, Severity
from workbench.model.reading import Reader, Reading
from workbench.model.recording import FileReport, Recording, Series
from workbench.readers.common.row_problems import Problems
from workbench.readers.perfmon.notes import note_steps
from workbench.readers.tables.long import Fault, Words, mixed_rows, rows_of_one_machine, words_of
from workbench.readers.tables.timed import (
    Moment,
    TimedCsv,
    decode,
    find_timed_csv,
    moment_of,
    split_cells,
    split_lines,
)
from workbench.readers.text.timestamps import IntArray, iso, shifted, steps_back

LABEL = "mapped-csv"
# The machine of a column that is to be named by each file: `W10-001.csv` speaks of W10-001.
FROM_FILE_NAME = "{file}"
HEAD_BYTES = 65_536
_MAX_BYTES = 1 << 30
_NAMED = 8
_POINT = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?", re.ASCII)
_COMMA = re.compile(r"[-+]?(?:\d+(?:,\d*)?|,\d+)(?:[eE][-+]?\d+)?", re.ASCII)
_MINUTE = 60_000_000

ZoneOffset = Callable[[str, float], int]


@dataclass(slots=True)
class _Rows:
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


def identify(head: bytes, _name: str) -> float:
    """0.05 for a CSV with a time column: every reader that knows the file comes first."""
    return 0.05 if find_timed_csv(head, whole=len(head) < HEAD_BYTES) is not None else 0.0


def header_of(head: bytes) -> str:
    """The key of the header of a CSV with a time column; empty where there is none."""
    found = find_timed_csv(head, whole=len(head) < HEAD_BYTES)
    return "" if found is None else header_key(found.names, found.delimiter)


def reader_with(mapping: ColumnMapping, zone_offset: ZoneOffset) -> Reader:
    """The reader of files with this mapping's header; `zone_offset(zone, local seconds)` gives minutes ahead
    of UTC and raises ValueError for an unknown zone."""
    by_name = any(column.machine == FROM_FILE_NAME for column in mapping.columns)
    return Reader(LABEL, identify, partial(_read, mapping, zone_offset), by_name=by_name)


def read(path: Path, name: str, _columns: Path) -> Reading:
    """What a file without a mapping is: listed with its columns, and not read."""
    with path.open("rb") as stream:
        head = stream.read(HEAD_BYTES)
    found = find_timed_csv(head, whole=len(head) < HEAD_BYTES)
    if found is None:
        return Reading(FileReport(path=name))
    values = [cell or "(no name)" for place, cell in enumerate(found.names) if place != found.time_column]
    shown = ", ".join(values[:_NAMED]) + (f" and {len(values) - _NAMED} more" if len(values) > _NAMED else "")
    problem = Problem(
        Severity.INFO,
        name,
        "needs-mapping",
        f"A CSV with the time column '{found.names[found.time_column]}', recognisable with a mapping of its columns: "
        f"{shown}.",
        "file left out until then: Run › Map columns… in the window, or a mapping file",
        found.line,
    )
    report = FileReport(path=name, columns=len(values), encoding=found.encoding, delimiter=found.delimiter)
    return Reading(report, (problem,))


READER = Reader(LABEL, identify, read)


def _read(mapping: ColumnMapping, zone_offset: ZoneOffset, path: Path, name: str, columns: Path) -> Reading:
    problems = Problems(name)
    if path.stat().st_size > _MAX_BYTES:
        return _refused(
            name, problems, "too-large", "The CSV is larger than 1 GB.", "file left out; split it"
        )
    data = path.read_bytes()
    found = find_timed_csv(data[:HEAD_BYTES], whole=len(data) <= HEAD_BYTES)
    if found is None or header_key(found.names, found.delimiter) != mapping.header:
        return _refused(name, problems, "no-header", "The header is not the mapping's.", "file left out")
    rows = _rows(decode(data)[0], found, mapping, problems)
    if not rows.moments:
        return _refused(
            name,
            problems,
            "no-rows",
            f"None of the {rows.rejected} rows could be read.",
            "file left out; check the mapping's time format (Run › Map columns…)",
            rows.rejected,
        )
    written = np.array([moment.local_us for moment in rows.moments], np.int64)
    lines = np.array(rows.lines, np.int64)
    fault = mixed_rows(rows.words, written, lines)
    if fault is not None:
        return _long_table(name, fault, rows, problems)
    times, offset = _times(rows, mapping, zone_offset, problems)
    seconds = any(moment.seconds for moment in rows.moments)
    kept = rows_of_one_machine(rows.words, times, lines, seconds, problems)
    if isinstance(kept, Fault):
        return _long_table(name, kept, rows, problems)
    rows.keep(kept)
    return _stored(name, found, mapping, rows, times[kept], offset, columns, problems)


def _rows(text: str, found: TimedCsv, mapping: ColumnMapping, problems: Problems) -> _Rows:
    rows = _Rows(words_of(found, mapping))
    lines = split_lines(text)
    _take_above(lines[: found.line - 1], found, mapping, rows, problems)
    for number, line in enumerate(lines[found.line :], start=found.line + 1):
        if not line.strip(" \t,;|\0\x1a"):
            continue
        why = _take(line, number, found, mapping, rows, problems)
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


def _take_above(
    lines: list[str], found: TimedCsv, mapping: ColumnMapping, rows: _Rows, problems: Problems
) -> None:
    """The lines above the header: those that hold a time are rows without a header, the others are told."""
    for number, line in enumerate(lines, 1):
        cells = split_cells(line, found.delimiter)
        if len(cells) > 1 and any(moment_of(cell, mapping.time_format) for cell in cells):
            rows.rejected += 1
            message = f"Line {number} stands above the header of line {found.line}."
            problems.warn("row-above-header", message, "row left out", number)
    if any(line.strip() for line in lines):
        problems.info(
            "lines-before-header",
            f"The header is on line {found.line}.",
            "lines before it left out",
            found.line,
        )


def _quotes_fit(line: str, delimiter: str) -> bool:
    if line.count('"') % 2:
        return False
    try:
        next(csv.reader([line], delimiter=delimiter, strict=True), None)
    except csv.Error:
        return len(line) > csv.field_size_limit()
    return True


def _take(
    line: str, number: int, found: TimedCsv, mapping: ColumnMapping, rows: _Rows, problems: Problems
) -> tuple[str, str] | None:
    """Adds one row; code and end of sentence where it cannot be."""
    cells = split_cells(line, found.delimiter)
    width = len(found.names)
    if tuple(cells[:width]) == found.names:
        rows.other_header = 0
        return "repeated-header", "repeats the header"
    if rows.other_header:
        return (
            "other-header",
            f"stands below the header of line {rows.other_header}, whose columns are others",
        )
    if len(set(cells) & set(found.names) - {""}) > 1 and not any(cell[:1].isdigit() for cell in cells):
        rows.other_header = number
        return "other-header", "is a header with other columns"
    if len(cells) < width or any(cells[width:]):
        return "row-width", f"has {len(cells)} cells where the header has {width}"
    if "\0" in line or ('"' in line and not _quotes_fit(line, found.delimiter)):
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
            "negative-rate",
            f"Line {line}: {cell} cannot be measured.",
            "cell left empty",
            line,
            column.column + 1,
        )
        return np.nan
    return value


def _times(
    rows: _Rows, mapping: ColumnMapping, zone_offset: ZoneOffset, problems: Problems
) -> tuple[IntArray, int | None]:
    """Times on one clock, and the minutes it is ahead of UTC: the file's own offset, else the mapping's zone."""
    times = np.array([moment.local_us for moment in rows.moments], np.int64)
    offsets = {moment.offset for moment in rows.moments}
    lines = np.array(rows.lines, np.int64)
    if offsets != {None}:
        return _with_offsets(rows, times, offsets, problems)
    steps = steps_back(times)
    note_steps(steps, lines, problems)
    times = shifted(times, steps)
    if mapping.time_zone:
        try:
            return times, zone_offset(mapping.time_zone, times[0] / 1e6)
        except ValueError as error:
            problems.warn(
                "time-zone-unknown", f"The mapping's time zone {error}.", "times shown as the file has them"
            )
            return times, None
    problems.warn(
        "time-zone-unknown",
        "Neither the file nor its mapping says how far the clock is from UTC.",
        'times shown as the file has them; set time_zone = "+01:00" in run.toml, or Run > Time zone in the window',
    )
    return times, None


def _with_offsets(
    rows: _Rows, times: IntArray, offsets: set[int | None], problems: Problems
) -> tuple[IntArray, int | None]:
    first = next(moment.offset for moment in rows.moments if moment.offset is not None)
    if len(offsets) > 1:
        problems.warn(
            "offsets-differ",
            "The times have different offsets from UTC, or some have none.",
            "each was read with its own; those without one with the first",
        )
    own = np.array([first if moment.offset is None else moment.offset for moment in rows.moments], np.int64)
    moved: IntArray = times + (first - own) * _MINUTE
    note_steps(
        tuple(step for step in steps_back(moved) if not step.summer_time_ends),
        np.array(rows.lines, np.int64),
        problems,
    )
    return moved, first


def _stored(
    name: str,
    found: TimedCsv,
    mapping: ColumnMapping,
    rows: _Rows,
    times: IntArray,
    offset: int | None,
    columns: Path,
    problems: Problems,
) -> Reading:
    count = len(times)
    values = np.array(rows.values, np.float64).reshape(count, len(mapping.columns))
    frame: dict[str, pl.Series] = {"t": pl.Series(times)}
    for place in range(len(mapping.columns)):
        frame[f"c{place}"] = pl.Series(values[:, place]).fill_nan(None)
    pl.DataFrame(frame).write_ipc(columns, compression="uncompressed")
    series = tuple(_series(place, column, found, name) for place, column in enumerate(mapping.columns))
    hosts = tuple(dict.fromkeys(one.host for one in series if one.host))
    left_out = [
        cell
        for place, cell in enumerate(found.names)
        if place != mapping.time_column and place not in {one.column for one in mapping.columns}
    ]
    if left_out:
        problems.info(
            "columns-left-out",
            f"The mapping leaves out {len(left_out)} columns, such as '{left_out[0]}'.",
            "columns left out; Run › Map columns… changes that",
            found.line,
        )
    first, last = int(times.min()), int(times.max())
    report = FileReport(
        path=name,
        reader=LABEL,
        recognised=True,
        rows=count,
        columns=len(series),
        hosts=hosts,
        first=iso(first, offset),
        last=iso(last, offset),
        utc_offset_minutes=offset,
        encoding=found.encoding,
        delimiter=found.delimiter,
        cells=values.size,
        missing_cells=int(np.isnan(values).sum()),
        rejected_rows=rows.rejected,
    )
    return Reading(report, problems.all(), Recording(series, count, first, last, offset, hosts))


def _series(place: int, column: MappedColumn, found: TimedCsv, name: str) -> Series:
    counter = found.names[column.column] or f"column {column.column + 1}"
    machine = PurePosixPath(name).stem if column.machine == FROM_FILE_NAME else column.machine
    array_side = column.vantage is Vantage.ARRAY
    metric = None
    if column.quantity is not None:
        metric = Metric(column.quantity, column.vantage, column.tier, column.scale)
    vm = None if array_side or not machine else machine
    return Series(
        place,
        counter,
        vm or "",
        f"CSV ({column.vantage})",
        machine if array_side else "",
        counter,
        vm,
        metric,
    )


def _long_table(name: str, fault: Fault, rows: _Rows, problems: Problems) -> Reading:
    rejected = rows.rejected + len(rows.moments)
    return _refused(name, problems, "long-table", fault.message, fault.advice, rejected, fault.line)


def _refused(
    name: str,
    problems: Problems,
    code: str,
    message: str,
    action: str,
    rejected: int = 0,
    line: int | None = None,
) -> Reading:
    problems.add(Severity.REFUSED, code, message, action, line)
    return Reading(
        FileReport(path=name, reader=LABEL, recognised=True, rejected_rows=rejected), problems.all()
    )
