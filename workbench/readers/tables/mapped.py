"""Any CSV with a time column, read through a column mapping that the user has made or confirmed.

Exports of storage arrays, hypervisor managers and spreadsheets have no common format, so nothing is guessed. Without a
mapping the file is reported as readable with one, and left out. A mapping states, for one header, the time column and
its format, and the meaning of each value column (`model/mapping.py`). One physical line is one row. A row is rejected
by its number if it has another number of cells than the header, or no time. Rows of several machines need a column that
names them, otherwise they are refused (`machines`). A cell that is not a number is missing, and so is a negative value
of a metric that cannot be negative. Array exports have a row per LUN and time with a column per metric; other tables
have a row per value. One mapping covers both. The names in a row become the name of its series, so two machines are
never merged.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path, PurePosixPath

import msgspec
import numpy as np
import polars as pl

from workbench.model.mapping import ColumnMapping, Decimal, MappedColumn, header_key
from workbench.model.metric import Metric, Vantage
from workbench.model.problem import Problem, Severity, few_named
from workbench.model.reading import Reader, Reading
from workbench.model.recording import FileReport, Series
from workbench.readers.common.clock import note_steps, without_steps
from workbench.readers.common.counters import canonical, metric_of
from workbench.readers.common.flat_columns import write_table
from workbench.readers.common.recorded import recorded
from workbench.readers.common.row_problems import Problems, acted, counting, place_words, quoted
from workbench.readers.perfmon.header import is_path, split_path
from workbench.readers.tables.cells import table_file
from workbench.readers.tables.layouts import Parts, one_name_each
from workbench.readers.tables.machines import CellFault, OtherColumns, holds_words, mixed_rows, rows_of_one_machine
from workbench.readers.tables.rows import SHOWN, Key, Roles, TableRows, take, without_negatives
from workbench.readers.tables.stored import TableSource, on_one_offset, store, tell_no_zone
from workbench.readers.tables.timed import TimedCsv, cut_time, find_timed_csv, moment_of, split_cells
from workbench.readers.text.numbers import COMMA, POINT, Evidence, Notation, Seen
from workbench.readers.text.rows import BLANK
from workbench.readers.text.timestamps import CUT_ADVICE, cut_message, steps_back

LABEL = "mapped-csv"
HEAD_BYTES = 65_536
_MAX_BYTES = 1 << 30
_NAMED = 3
# The machine of a column that takes its name from each file: `W10-001.csv` belongs to W10-001.
FROM_FILE_NAME = "{file}"

ZoneOffset = Callable[[str, float], int]


def identify(head: bytes, _name: str) -> float:
    """Returns 0.05 for a CSV with a time column: every reader that recognises the file takes precedence."""
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


def read(path: Path, name: str, columns: Path) -> Reading:
    """Returns the reading of a file without a mapping: it is listed with its columns, but not read."""
    with path.open("rb") as stream:
        head = stream.read(HEAD_BYTES)
    table = find_timed_csv(head, whole=len(head) < HEAD_BYTES)
    if table is None:
        cut = cut_time(head, whole=len(head) < HEAD_BYTES)
        source = TableSource(name, LABEL, columns, "", "", str)
        return source.refused(Problems(name), "times-cut", cut_message(cut), CUT_ADVICE)
    values = [cell or "(no name)" for index, cell in enumerate(table.names) if index != table.time_column]
    these = "this column is" if len(values) == 1 else "these columns are"
    problem = Problem(
        Severity.INFO,
        name,
        "needs-mapping",
        f"The times are in the column '{table.names[table.time_column]}', but {these} unknown: "
        f"{few_named(quoted(values), 1)}.",
        "file not imported yet; use Run › Map columns… or a mapping file",
        table.line,
    )
    report = FileReport(path=name, columns=len(values), encoding=table.encoding, delimiter=table.delimiter)
    return Reading(report, (problem,))


READER = Reader(LABEL, identify, read)


def _read(mapping: ColumnMapping, zone_offset: ZoneOffset, path: Path, name: str, columns: Path) -> Reading:
    problems = Problems(name)
    source = TableSource(name, LABEL, columns, "", "", str)
    if path.stat().st_size > _MAX_BYTES:
        return source.refused(
            problems, "too-large", "The CSV is larger than 1 GB.", "file not imported; split the file"
        )
    with path.open("rb") as stream:
        table = find_timed_csv(stream.read(HEAD_BYTES), whole=path.stat().st_size <= HEAD_BYTES)
    if table is None or header_key(table.names, table.delimiter) != mapping.header:
        return source.refused(
            problems, "no-header", "The header does not match the mapping.", "file not imported; correct the mapping"
        )
    file = table_file(path)
    problems.tell_open_end(file.open_end())
    source = TableSource(name, LABEL, columns, table.encoding, table.delimiter, file.line)
    values = tuple(column.column for column in mapping.columns)
    roles = Roles(table.names, table.delimiter, mapping.time_column, values, mapping.key_columns, mapping.time_format)
    notation = Notation(COMMA if mapping.decimal is Decimal.COMMA else POINT)
    rows = TableRows(notation=notation, evidence=Evidence(table.delimiter))
    rows.metric = lambda key, place: _series(key, mapping.columns[place], table, mapping, name)[1].metric
    for block in file.blocks():
        if block.first == 1:
            _take_above(block.data.decode("utf-8").split("\n")[: table.line - 1], table, mapping, rows, problems)
        take(block.below(table.line), roles, rows, problems, lambda cells: cells)
    if isinstance(seen := rows.evidence.decided(), Seen):
        action = f"numbers imported with a decimal {mapping.decimal}, as the mapping requires"
        problems.info("decimal-stated", seen.question, action, seen.line)
    for place, cell in rows.with_units.items():
        message = f"The cells of '{table.names[place]}' have units, such as '{cell[:SHOWN]}'."
        problems.info("cells-with-units", message, "each cell was imported in its own unit")
    _drop_nameless(rows, mapping, problems)
    if not rows.count:
        return source.without_rows(rows, problems)
    _tell_unused(table, mapping, rows, problems)
    described = [_series(key, column, table, mapping, name) for key in rows.keys for column in mapping.columns]
    series = tuple(msgspec.structs.replace(one, column=at) for at, (_, one) in enumerate(described))
    clock = partial(_minutes_ahead, mapping, zone_offset, problems)
    if not mapping.key_columns:
        words = frozenset(at for at in range(len(table.names)) if holds_words(table, at, mapping.time_format))
        return _of_one_machine(source, rows, roles, words, series, clock, problems, mapping.time_zone)
    fault = one_name_each(series, [part for part, _ in described])
    return store(source, rows, roles, lambda: fault or series, clock, problems, zone=mapping.time_zone)


def _take_above(lines: list[str], table: TimedCsv, mapping: ColumnMapping, rows: TableRows, problems: Problems) -> None:
    """Handles the lines above the header: those with a time are rows without a header, the others are reported."""
    for number, line in enumerate(lines, 1):
        cells = split_cells(line, table.delimiter)
        if len(cells) > 1 and any(moment_of(cell, mapping.time_format) for cell in cells):
            rows.rejected += 1
            message = f"Line {number} is above the header on line {table.line}."
            problems.warn("row-above-header", message, "row rejected; check it in the file", number)
    if any(line.strip(BLANK) for line in lines):
        message = f"The header is on line {table.line}."
        problems.info("lines-before-header", message, "earlier lines ignored", table.line)


def _minutes_ahead(mapping: ColumnMapping, zone_offset: ZoneOffset, problems: Problems, seconds: float) -> int | None:
    """Returns how far the mapping's time zone is ahead of UTC at a local time."""
    try:
        return zone_offset(mapping.time_zone, seconds) if mapping.time_zone else None
    except ValueError as error:
        what, _, advice = str(error).partition("; ")
        action = f"timestamps shown as in the file; {advice or 'correct the mapping'}"
        problems.warn("time-zone-unknown", f"The mapping's time zone {what}.", action)
        return None


def _of_one_machine(
    source: TableSource,
    rows: TableRows,
    roles: Roles,
    words: frozenset[int],
    series: tuple[Series, ...],
    clock: Callable[[float], int | None],
    problems: Problems,
    zone: str,
) -> Reading:
    """Returns the recording of rows without names, in the order of the file; a refusal if they come from several
    machines."""
    total = rows.rejected + rows.count
    columns = OtherColumns(without_negatives(rows.frame(), roles, series, problems), roles, words, source.cell)
    if (fault := mixed_rows(columns)) is not None:
        return source.several_machines(fault, total, problems)
    lines = columns.frame["line"].cast(pl.Int64).to_numpy()
    if (on_clock := on_one_offset(columns.frame, problems)) is None:
        times = without_steps(columns.frame["t"].to_numpy(), lines, problems)
        columns = replace(columns, frame=columns.frame.with_columns(t=times))
        offset = clock(times[0] / 1e6)
        if offset is None and not zone:
            tell_no_zone(problems)
    else:
        columns, offset, zone = replace(columns, frame=on_clock[0]), on_clock[1], ""
        steps = steps_back(on_clock[0]["t"].to_numpy())
        note_steps(tuple(step for step in steps if not step.summer_time_ends), lines, problems)
    seconds = any(moment is not None and moment.seconds for moment in rows.moments.values())
    kept = rows_of_one_machine(columns, rows.first, seconds, problems)
    if isinstance(kept, CellFault):
        return source.several_machines(kept, total, problems)
    values = kept.select(f"v{at}" for at in range(len(roles.values))).fill_null(np.nan).to_numpy().T
    write_table(source.columns, kept["t"].to_numpy(), values)
    # Times that state an offset are on one clock, which never skips an hour.
    return recorded(
        source.name, LABEL, kept["t"].to_numpy(), series, offset, int(np.isnan(values).sum()), total - kept.height,
        problems.all(), source.encoding, source.delimiter, zone=zone if offset is not None and zone else None,
    )  # fmt: skip


def _drop_nameless(rows: TableRows, mapping: ColumnMapping, problems: Problems) -> None:
    """Rejects rows with a blank machine cell: their machine is unknown."""
    if mapping.machine_column is None:
        return
    nameless = [place for key, place in rows.keys.items() if not key[0]]
    blank = pl.col("key").is_in(nameless)
    lines = [line for part in rows.parts for line in part.filter(blank)["line"]]
    if not lines:
        return
    name = mapping.names[mapping.machine_column]
    has = counting(len(lines), "row", "has", "have")
    message = f"{has} no machine in the column '{name}' ({place_words(len(lines), f'line {lines[0]}')})."
    problems.warn("no-machine", message, acted("row rejected; check it in the file", len(lines)), lines[0])
    kept = [key for key in rows.keys if key[0]]
    places = {rows.keys[key]: place for place, key in enumerate(kept)}
    renumbered = pl.col("key").replace_strict(places, return_dtype=pl.Int64) if places else pl.col("key")
    rows.parts = [part.filter(~blank).with_columns(renumbered) for part in rows.parts]
    rows.keys = {key: place for place, key in enumerate(kept)}
    rows.rejected += len(lines)


def _tell_unused(table: TimedCsv, mapping: ColumnMapping, rows: TableRows, problems: Problems) -> None:
    """Notes the columns that a mapping leaves out, and the counters without a meaning."""
    used = {mapping.time_column, *mapping.key_columns, *(column.column for column in mapping.columns)}
    left_out = [name for index, name in enumerate(table.names) if index not in used]
    if left_out:
        problems.info(
            "columns-left-out",
            f"{counting(len(left_out), 'column', 'is', 'are')} not in the mapping: {few_named(quoted(left_out))}.",
            acted("column ignored; edit the mapping (Run › Map columns…)", len(left_out)),
            table.line,
        )
    if mapping.counter_column is None:
        return
    known = {item.name for item in mapping.counters}
    names = [name for name in dict.fromkeys(key[-1] for key in rows.keys) if name not in known and not is_path(name)]
    if names:
        are, shown = counting(len(names), "counter", "is", "are"), few_named(quoted(name[:SHOWN] for name in names))
        message = f"{are} not in the mapping: {shown}."
        problems.info(
            "counter-unmapped",
            message,
            acted("counter not used for metrics; edit the mapping (Run › Map columns…)", len(names)),
        )


def _series(key: Key, column: MappedColumn, table: TimedCsv, mapping: ColumnMapping, name: str) -> tuple[Parts, Series]:
    """Returns the names of a series by their meaning, and the series with `column` 0."""
    places = (mapping.machine_column, mapping.disk_column, mapping.counter_column)
    fields = [
        field for field, place in zip(("machine", "instance", "counter"), places, strict=True) if place is not None
    ]
    part = Parts(**dict(zip(fields, key, strict=True)))
    counter = heading = table.names[column.column] or f"column {column.column + 1}"
    quantity, scale = column.quantity, column.scale
    if mapping.counter_column is not None:
        # The rows name a counter: it has the meaning, and the column only if there are several.
        counter = part.counter if len(mapping.columns) == 1 else f"{part.counter}: {heading}"
        meanings = ((item.quantity, item.scale) for item in mapping.counters if item.name == part.counter)
        quantity, scale = next(meanings, (None, 1.0))
    machine, path = (
        part.machine or (PurePosixPath(name).stem if column.machine == FROM_FILE_NAME else column.machine),
        split_path(part.counter),
    )
    metric = None if quantity is None else Metric(quantity, column.vantage, column.tier, scale)
    if metric is None and is_path(part.counter):
        machine, instance = machine or path.host, part.instance or path.instance
        kind, counter = canonical(path.object, path.counter)
        metric = metric_of(kind, instance, counter)
        return part, Series(0, part.counter, machine, kind, instance, counter, machine or None, metric)
    where = ": ".join(text for text in (machine, counter) if text) + (f" ({part.instance})" if part.instance else "")
    where = where if mapping.key_columns else heading
    kind = f"CSV ({column.vantage})"
    if column.vantage is Vantage.ARRAY:
        instance = " ".join(text for text in (machine, part.instance) if text)
        return part, Series(0, where, "", kind, instance, counter, None, metric)
    return part, Series(0, where, machine, kind, part.instance, counter, machine or None, metric)
