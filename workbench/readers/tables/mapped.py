"""Any CSV with a time column, read through a column mapping that the user has made or confirmed.

Exports of storage arrays, hypervisor managers and spreadsheets have no common format, so nothing is guessed. Without a
mapping the file is reported as readable with one, and left out. A mapping states, for one header, the time column and
its format, and the meaning of each value column (`model/mapping.py`). One physical line is one row. A row is rejected
by its number if it has another number of cells than the header, or no time. Rows of several machines need a column that
names them (`mapped_keyed`), otherwise they are refused (`long`). A cell that is not a number is missing, and so is a
negative value of a metric that cannot be negative.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from workbench.model.mapping import ColumnMapping, MappedColumn, header_key
from workbench.model.metric import Metric, Vantage
from workbench.model.problem import Problem, Severity
from workbench.model.reading import Reader, Reading
from workbench.model.recording import FileReport, Series
from workbench.readers.common.flat_columns import write_table
from workbench.readers.common.recorded import recorded
from workbench.readers.common.row_problems import Problems
from workbench.readers.perfmon.notes import note_steps, without_steps
from workbench.readers.tables.long import CellFault, mixed_rows, rows_of_one_machine
from workbench.readers.tables.mapped_keyed import FROM_FILE_NAME as FROM_FILE_NAME
from workbench.readers.tables.mapped_keyed import Mapped, machine_of, read_keyed, tell_left_out
from workbench.readers.tables.mapped_rows import NAMED, MappedRows, rows_of
from workbench.readers.tables.timed import TimedCsv, cut_time, decode, find_timed_csv
from workbench.readers.text.timestamps import CUT_ADVICE, IntArray, cut_message, steps_back

LABEL = "mapped-csv"
HEAD_BYTES = 65_536
_MAX_BYTES = 1 << 30
_MINUTE = 60_000_000

ZoneOffset = Callable[[str, float], int]


def identify(head: bytes, _name: str) -> float:
    """Returns 0.05 for a CSV with a time column: every reader that knows the file takes precedence."""
    whole = len(head) < HEAD_BYTES
    return 0.05 if find_timed_csv(head, whole) is not None or cut_time(head, whole) else 0.0


def header_of(head: bytes) -> str:
    """Returns the key of the header of a CSV with a time column; empty if there is none."""
    table = find_timed_csv(head, whole=len(head) < HEAD_BYTES)
    return "" if table is None else header_key(table.names, table.delimiter)


def reader_with(mapping: ColumnMapping, zone_offset: ZoneOffset) -> Reader:
    """Returns the reader of files with this mapping's header. `zone_offset(zone, local seconds)` gives minutes ahead of
    UTC and raises ValueError for an unknown zone."""
    by_name = any(column.machine == FROM_FILE_NAME for column in mapping.columns)
    return Reader(LABEL, identify, partial(_read, mapping, zone_offset), by_name=by_name)


def read(path: Path, name: str, _columns: Path) -> Reading:
    """Returns the reading of a file without a mapping: it is listed with its columns, but not read."""
    with path.open("rb") as stream:
        head = stream.read(HEAD_BYTES)
    table = find_timed_csv(head, whole=len(head) < HEAD_BYTES)
    if table is None:
        cut = cut_time(head, whole=len(head) < HEAD_BYTES)
        return _refused(name, Problems(name), "times-cut", cut_message(cut), CUT_ADVICE)
    values = [cell or "(no name)" for index, cell in enumerate(table.names) if index != table.time_column]
    shown = ", ".join(values[:NAMED]) + (f" and {len(values) - NAMED} more" if len(values) > NAMED else "")
    problem = Problem(
        Severity.INFO,
        name,
        "needs-mapping",
        f"CSV with time column '{table.names[table.time_column]}'. Map its columns to import it: {shown}.",
        "not imported until then; use Run › Map columns… or a mapping file",
        table.line,
    )
    report = FileReport(path=name, columns=len(values), encoding=table.encoding, delimiter=table.delimiter)
    return Reading(report, (problem,))


READER = Reader(LABEL, identify, read)


def _read(mapping: ColumnMapping, zone_offset: ZoneOffset, path: Path, name: str, columns: Path) -> Reading:
    problems = Problems(name)
    if path.stat().st_size > _MAX_BYTES:
        return _refused(name, problems, "too-large", "The CSV is larger than 1 GB.", "file not imported; split it")
    with path.open("rb") as stream:
        table = find_timed_csv(stream.read(HEAD_BYTES), whole=path.stat().st_size <= HEAD_BYTES)
    if table is None or header_key(table.names, table.delimiter) != mapping.header:
        return _refused(name, problems, "no-header", "The header is not the mapping's.", "file not imported")
    if mapping.key_columns:
        return read_keyed(table, mapping, zone_offset, path, Mapped(name, LABEL, columns), problems)
    rows = rows_of(decode(path.read_bytes())[0], table, mapping, problems)
    if not rows.moments:
        return _refused(
            name,
            problems,
            "no-rows",
            f"None of the {rows.rejected} rows could be read.",
            "file not imported; check the mapping's time format (Run › Map columns…)",
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
    if isinstance(kept, CellFault):
        return _long_table(name, kept, rows, problems)
    rows.keep(kept)
    return _stored(name, table, mapping, rows, times[kept], offset, columns, problems)


def _times(
    rows: MappedRows, mapping: ColumnMapping, zone_offset: ZoneOffset, problems: Problems
) -> tuple[IntArray, int | None]:
    """Returns times on one clock, and its minutes ahead of UTC: the file's own offset, otherwise that of the mapping's
    zone."""
    times = np.array([moment.local_us for moment in rows.moments], np.int64)
    offsets = {moment.offset for moment in rows.moments}
    lines = np.array(rows.lines, np.int64)
    if offsets != {None}:
        return _with_offsets(rows, times, offsets, problems)
    times = without_steps(times, lines, problems)
    if mapping.time_zone:
        try:
            return times, zone_offset(mapping.time_zone, times[0] / 1e6)
        except ValueError as error:
            problems.warn("time-zone-unknown", f"The mapping's time zone {error}.", "times shown as the file has them")
            return times, None
    problems.warn(
        "time-zone-unknown",
        "Neither the file nor its mapping states how far the clock is from UTC.",
        'times shown as the file has them; set time_zone = "+01:00" in run.toml, or Run > Time zone in the window',
    )
    return times, None


def _with_offsets(
    rows: MappedRows, times: IntArray, offsets: set[int | None], problems: Problems
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
        tuple(step for step in steps_back(moved) if not step.summer_time_ends), np.array(rows.lines, np.int64), problems
    )
    return moved, first


def _stored(
    name: str,
    table: TimedCsv,
    mapping: ColumnMapping,
    rows: MappedRows,
    times: IntArray,
    offset: int | None,
    columns: Path,
    problems: Problems,
) -> Reading:
    count = len(times)
    values = np.array(rows.values, np.float64).reshape(count, len(mapping.columns))
    write_table(columns, times, values.T)
    series = tuple(_series(index, column, table, name) for index, column in enumerate(mapping.columns))
    tell_left_out(table, mapping, problems)
    missing, form = int(np.isnan(values).sum()), (table.encoding, table.delimiter)
    # Times with offsets of their own are on one clock, which skips nothing.
    own = any(moment.offset is not None for moment in rows.moments)
    zone = mapping.time_zone if offset is not None and not own else None
    return recorded(name, LABEL, times, series, offset, missing, rows.rejected, problems.all(), *form, zone=zone)


def _series(index: int, column: MappedColumn, table: TimedCsv, name: str) -> Series:
    counter = table.names[column.column] or f"column {column.column + 1}"
    machine = machine_of(column, name)
    array_side = column.vantage is Vantage.ARRAY
    metric = None
    if column.quantity is not None:
        metric = Metric(column.quantity, column.vantage, column.tier, column.scale)
    vm = None if array_side or not machine else machine
    return Series(
        index, counter, vm or "", f"CSV ({column.vantage})", machine if array_side else "", counter, vm, metric
    )


def _long_table(name: str, fault: CellFault, rows: MappedRows, problems: Problems) -> Reading:
    rejected = rows.rejected + len(rows.moments)
    return _refused(name, problems, "long-table", fault.message, fault.advice, rejected, fault.line)


def _refused(
    name: str, problems: Problems, code: str, message: str, action: str, rejected: int = 0, line: int | None = None
) -> Reading:
    problems.add(Severity.REFUSED, code, message, action, line)
    return Reading(FileReport(path=name, reader=LABEL, recognised=True, rejected_rows=rejected), problems.all())
