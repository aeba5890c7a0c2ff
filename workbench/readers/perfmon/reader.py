"""Windows Performance Monitor: PDH-CSV and PDH-TSV, as perfmon, typeperf, relog and esxtop write them.

One file becomes one recording. The usual file takes the fast way: polars reads it as a table (`table`), in blocks if
it is large, or as one column of cells if it has very many counters (`wide`). Any unusual file is read carefully
(`rows`). Nothing is dropped in silence: rows in = rows kept + rows rejected, and each rejection is a problem with its
line. A number below zero is missing if the metric cannot be negative, and kept if the counter has no metric: esxtop's
-1 in `Alloc Max` means "no limit", and no metric uses it (`below_zero`).
"""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from io import RawIOBase
from pathlib import Path
from typing import NamedTuple

import numpy as np

from workbench.file_replace import delete_file
from workbench.model.problem import Severity
from workbench.model.reading import Reader, Reading
from workbench.model.recording import DateOrder, FileReport, Series
from workbench.readers.common import below_zero
from workbench.readers.common.flat_columns import FlatFile, begin_flat
from workbench.readers.common.recorded import recorded
from workbench.readers.common.row_problems import OTHER_WIDTH, WIDTH_ADVICE, Problems
from workbench.readers.perfmon.header import starts_with_mark, takes_name
from workbench.readers.perfmon.held import FloatArray, Held, appended, write_blocks
from workbench.readers.perfmon.notes import (
    note_below_zero,
    note_header,
    note_hour_ahead,
    note_language,
    note_layout,
    note_order,
    note_repeats,
    note_steps,
    refuse_ambiguous_date,
    stated_order,
)
from workbench.readers.perfmon.opened import OpenedFile, open_file
from workbench.readers.perfmon.rows import Rows, first_notation, lines_of, read_rows
from workbench.readers.perfmon.series import describe, is_esxtop
from workbench.readers.perfmon.table import ColumnLayout, PdhPart, layout_of, read_table
from workbench.readers.perfmon.wide import read_wide
from workbench.readers.text.encodings import utf16_encoding
from workbench.readers.text.numbers import COMMA, Notation, Seen, refuse
from workbench.readers.text.timestamps import (
    CUT_ADVICE,
    SECOND,
    STATED_ORDERS,
    IntArray,
    Order,
    Stamps,
    clock_jumps,
    cut_message,
    decide_order,
    decided_dates,
    guess_order,
    joined_stamps,
    parse_texts,
    shifted,
    steps_back,
    to_microseconds,
    without_offset,
)

LABEL = "perfmon"
# Larger files are read in blocks: a table holds all its samples in memory.
FAST_LIMIT = 192 << 20
_BLOCK = 8 << 20
# Each counter takes 600 bytes while a file is read: up to this number a process stays below 1 GB. A host has 50,000.
MOST_COUNTERS = 1_000_000
_HEAD_LINES = 20
_NO_ROWS = "The file has a header but no rows."


@dataclass(frozen=True, eq=False)
class StoredSamples:
    """Samples that are in the store."""

    layout: ColumnLayout
    series: tuple[Series, ...]
    times: IntArray
    missing: int
    rejected: int
    first_line: int | None = None
    clock_jumps: tuple[tuple[int, int], ...] = ()
    dates: DateOrder | None = None


class PerfmonRefusedError(Exception):
    """The file holds no usable data; the reason is already noted as a problem. `rows` is the number of its rows."""

    def __init__(self, rows: int) -> None:
        super().__init__()
        self.rows = rows


def identify(head: bytes, _name: str) -> float:
    """Returns 1.0 if the text begins with a PDH mark, 0.8 if lines precede it, otherwise 0."""
    utf16 = utf16_encoding(head)
    text = head.decode(utf16 or "utf-8", errors="replace")
    lines = text.replace("\r", "\n").split("\n")
    filled = [line for line in lines[:_HEAD_LINES] if line.strip("\ufeff \t")]
    if not any(starts_with_mark(line) for line in filled):
        return 0.0
    return 1.0 if starts_with_mark(filled[0]) else 0.8


def read(path: Path, name: str, columns: Path, date_order: str | None = None) -> Reading:
    """Returns the recording of one file and writes its samples to `columns`; see `workbench.model.reading.Reader`."""
    problems = Problems(name)
    before = path.stat()
    opened = open_file(path, name, date_order)
    try:
        stored = _store(opened, columns, problems)
    except PerfmonRefusedError as refused:
        return without_samples(opened, problems, refused.rows)
    after = path.stat()
    if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
        delete_file(columns)
        problems.add(
            Severity.REFUSED,
            "changed-while-read",
            "The file changed while it was read.",
            "file not imported; open it again when recording has ended",
        )
        return without_samples(opened, problems, len(stored.times) + stored.rejected)
    note_layout(stored.layout, stored.series, opened.header_line, problems)
    note_language(stored.series, opened.header.foreign, opened.header_line, problems)
    return reading_of(opened, stored, problems)


READER = Reader(LABEL, identify, read, read_dated=read, takes_name=takes_name)


def _store(opened: OpenedFile, columns: Path, problems: Problems) -> StoredSamples:
    """Writes the samples to `columns`. Raises RefusedError if there are none."""
    header = opened.header
    if opened.glued:
        message = f"The header on line {opened.header_line} has no line end: a row follows it in the same line."
        action = "file not imported; put a line end after the header, or export the file again"
        problems.add(Severity.REFUSED, "header-no-line-end", message, action, opened.header_line)
        raise PerfmonRefusedError(opened.rows_below() + 1)
    note_header(header, opened.header_line, problems)
    if not header.names:
        problems.add(
            Severity.REFUSED,
            "no-counters",
            "The header names no counters.",
            "file not imported",
            line=opened.header_line,
        )
        raise PerfmonRefusedError(0)
    if len(header.names) > MOST_COUNTERS:
        message = f"The header names {len(header.names):,} counters, more than {MOST_COUNTERS:,}."
        action = "file not imported; split it with relog and lists of counters, or record fewer"
        problems.add(Severity.REFUSED, "too-many-series", message, action, line=opened.header_line)
        raise PerfmonRefusedError(0)
    if not opened.first_row and opened.start >= opened.text.size:
        problems.add(Severity.REFUSED, "no-rows", _NO_ROWS, "file not imported; record again", line=opened.header_line)
        raise PerfmonRefusedError(0)
    layout = layout_of(header, opened.first_row)
    stored = _store_fast(opened, layout, columns, problems)
    if stored is None:
        delete_file(columns)
        stored = _store_carefully(opened, layout, columns, problems)
    return stored


def _store_fast(opened: OpenedFile, layout: ColumnLayout, columns: Path, problems: Problems) -> StoredSamples | None:
    """Takes the fast way. Returns None, with nothing noted, if the file has to be read carefully."""
    if opened.text.ends_with()[-1:] != b"\n":
        return None
    with columns.open("wb", buffering=0) as stream:
        written = (_write_wide if layout.is_wide else _write_tables)(opened, layout, stream)
        if written is None or (order := _order(written.stamps, opened)) is None:
            return None
        times, real = to_microseconds(written.stamps, order)
        if not real.all():
            return None
        steps = steps_back(times)
        times = shifted(times, steps)
        written.flat.put_times(times)
    series = describe(layout.header.names[: layout.kept])
    first = opened.header_line + 1
    lines = np.arange(first, first + len(times))
    note_order(written.stamps, order, problems)
    note_steps(steps, lines, problems)
    note_hour_ahead(times, lines, problems)
    note_repeats(times, lines, problems)
    below = [column for column in sorted(written.below_zero) if series[column].metric is not None]
    left_out = note_below_zero(below_zero.take_out(columns, below), series, lines, problems)
    dates = None if _trusted(written.stamps, opened) else decided_dates(order)
    missing = written.missing + left_out
    return StoredSamples(layout, series, times, missing, 0, first, clock_jumps(times, steps), dates)


class _Written(NamedTuple):
    """Counters in the store's file, without their times: the number of empty cells, and the columns with values below
    zero."""

    flat: FlatFile
    stamps: Stamps
    missing: int
    below_zero: Collection[int]


def _write_tables(opened: OpenedFile, layout: ColumnLayout, stream: RawIOBase) -> _Written | None:
    """Writes the counters as polars reads them: the whole file at once, a large one in blocks. Returns None if anything
    in them is unusual."""
    text, rows, done, missing = opened.text, 0, 0, 0
    parts: Iterable[PdhPart] = (PdhPart(text.data or text.path, opened.start, opened.header_line, opened.first_row),)
    if text.size > FAST_LIMIT:
        rows = sum(block.count(b"\n") for block in text.blocks(opened.start, _BLOCK))
        parts = (PdhPart(block, 0, 0, _first_row(block)) for block in text.blocks(opened.start, _BLOCK))
    flat, stamps, below = None, list[Stamps](), set[int]()
    for part in parts:
        table = read_table(part, layout)
        if table is None or (rows and done + len(table.stamps) > rows):
            return None
        flat = flat or begin_flat(stream, layout.kept, rows or len(table.stamps))
        looks = flat.put_frame(table.counters, done)
        if looks is None:
            return None
        done, missing = done + len(table.stamps), missing + looks.missing
        stamps.append(table.stamps)
        below.update(looks.below_zero)
    return None if flat is None or done != flat.rows else _Written(flat, joined_stamps(stamps), missing, below)


def _first_row(block: bytes) -> str:
    return block.partition(b"\n")[0].decode(errors="replace").rstrip("\r")


def _write_wide(opened: OpenedFile, layout: ColumnLayout, stream: RawIOBase) -> _Written | None:
    """Writes very many counters, some columns of all rows at a time. Returns None if anything in them is unusual."""
    table = read_wide(opened.text, opened.start, opened.first_row, layout)
    if table is None:
        return None
    flat = begin_flat(stream, layout.kept, len(table.stamps))
    looks = table.write(flat)
    return None if looks is None else _Written(flat, table.stamps, *looks)


def _store_carefully(opened: OpenedFile, layout: ColumnLayout, columns: Path, problems: Problems) -> StoredSamples:
    """Takes the careful way. Reads the file again if a description column holds values, and so is a counter, or if its
    numbers are written in another notation."""
    # The name starts like that of the columns, so its owner is recognisable.
    with tempfile.TemporaryDirectory("", f"{columns.name}.", columns.parent, ignore_cleanup_errors=True) as folder:
        file, large = Path(folder, "arrays"), opened.text.size > FAST_LIMIT

        def spill(block: FloatArray) -> Held:
            return appended(block, file) if large else block

        notation = first_notation(opened)
        while True:
            noted = Problems(opened.name)
            rows = read_rows(opened, layout, notation, noted, spill)
            decided = rows.evidence.decided()
            if rows.description_used:
                layout = layout_of(opened.header, opened.first_row, keep_all=True)
            elif isinstance(decided, Notation) and decided != notation:
                notation = decided
            else:
                break
        problems.take(noted)
        if rows.trailing_cell and layout.width == layout.header.width:
            layout = replace(layout, dropped=layout.dropped + 1)
        return finish(opened, layout, rows, columns, problems)


def finish(opened: OpenedFile, layout: ColumnLayout, rows: Rows, columns: Path, problems: Problems) -> StoredSamples:
    """Parses the collected timestamps as one column, and writes the rows with a real one."""
    if not rows.texts:
        _tell_no_rows(opened, rows, problems)
        raise PerfmonRefusedError(rows.rejected)
    if isinstance(decided := rows.evidence.decided(), Seen):
        refuse(decided, problems)
        raise PerfmonRefusedError(rows.rejected + len(rows.texts))
    stamps, moved = _stamps(rows.texts, opened)
    order = _order(stamps, opened)
    dates = None if order is None or _trusted(stamps, opened) else decided_dates(order)
    if order is None and (order := stated_order(opened.date_order, problems)) is None:
        comma = opened.header.delimiter == ";" or decided.decimal == COMMA
        dates = guess_order(stamps, "the numbers have decimal commas" if comma else "")
        if dates is None:
            delete_file(columns)
            refuse_ambiguous_date(stamps, problems)
            raise PerfmonRefusedError(len(stamps) + rows.rejected)
        order = STATED_ORDERS[dates.order]
    times, real = to_microseconds(stamps, order)
    times = times + moved
    lines = lines_of(rows)
    for index in np.flatnonzero(~real):
        problems.warn(
            "bad-time", f"Line {lines[index]}: {rows.texts[index]!r} is not a date.", "row rejected", int(lines[index])
        )
    if not real.any():
        message = f"None of the {len(stamps) + rows.rejected} rows has a date from 1970 to 2200."
        problems.add(
            Severity.REFUSED,
            "no-rows",
            message,
            "file not imported; check the clock of the machine that wrote it",
            opened.header_line,
        )
        raise PerfmonRefusedError(len(stamps) + rows.rejected)
    note_order(stamps, order, problems)
    times, lines = times[real], lines[real]
    steps = steps_back(times)
    if opened.header.stamped:
        steps = tuple(replace(step, summer_time_ends=False) for step in steps)
    note_steps(steps, lines, problems)
    times = shifted(times, steps)
    if not opened.header.stamped:
        note_hour_ahead(times, lines, problems)
    note_repeats(times, lines, problems)
    missing = write_blocks(rows.frames, times, real, columns)
    rows.evidence.tell(decided, problems)
    if decided.decimal == COMMA:
        problems.info("decimal-comma", "The numbers have decimal commas.", "read as decimal commas")
    series = describe(layout.header.names[: layout.kept])
    below = below_zero.find_stored(columns, below_zero.measured(series))
    missing += note_below_zero(below_zero.take_out(columns, below), series, lines, problems)
    unbroken = int(lines[-1] - lines[0]) == len(lines) - 1
    rejected = rows.rejected + int(np.count_nonzero(~real))
    first_line = int(lines[0]) if unbroken else None
    return StoredSamples(layout, series, times, missing, rejected, first_line, clock_jumps(times, steps), dates)


def _tell_no_rows(opened: OpenedFile, rows: Rows, problems: Problems) -> None:
    if rows.cut:
        problems.add(Severity.REFUSED, "times-cut", cut_message(rows.cut), CUT_ADVICE, opened.header_line)
        return
    message, action = _NO_ROWS, "file not imported; record again"
    if rows.rejected:
        message = f"None of the {rows.rejected} rows could be read."
    if rows.rejected and problems.count("row-width") == rows.rejected:
        message, action = f"{message[:-1]}: {OTHER_WIDTH}.", WIDTH_ADVICE
    problems.add(Severity.REFUSED, "no-rows", message, action, opened.header_line)


def _stamps(texts: Sequence[str], opened: OpenedFile) -> tuple[Stamps, IntArray]:
    """Returns the times as their clocks showed them, and the microseconds that place each on the first row's offset."""
    if not opened.header.stamped:
        return parse_texts(texts), np.zeros(len(texts), np.int64)
    clocks, offsets = zip(*map(without_offset, texts), strict=True)
    minutes = np.array(offsets, np.int64)
    return parse_texts(clocks), ((opened.header.utc_offset_minutes or 0) - minutes) * 60 * SECOND


def _order(stamps: Stamps, opened: OpenedFile) -> Order | None:
    """Returns the order of day and month."""
    return decide_order(stamps, _trusted(stamps, opened))


def _trusted(stamps: Stamps, opened: OpenedFile) -> bool:
    """True if PDH's own order is trusted: the dates have PDH's own shape. esxtop writes it without milliseconds."""
    padded = stamps.padded and opened.first_row.startswith('"')
    return stamps.standard or (padded and is_esxtop(opened.header.names))


def reading_of(opened: OpenedFile, stored: StoredSamples, problems: Problems) -> Reading:
    """Returns the reading of a file whose samples are in the store."""
    header, series = opened.header, stored.series
    if series and stored.missing == len(stored.times) * len(series):
        problems.warn(
            "no-values",
            f"None of the {stored.missing:,} cells contains a value.",
            "file kept, with every value missing; check what was recorded",
        )
    reading = recorded(
        opened.name,
        LABEL,
        stored.times,
        series,
        header.utc_offset_minutes,
        stored.missing,
        stored.rejected,
        problems.all(),
        opened.label,
        header.delimiter,
    )
    assert reading.recording is not None
    recording = replace(reading.recording, zone=header.zone, clock_jumps=stored.clock_jumps, dates=stored.dates)
    return replace(reading, first_line=stored.first_line, recording=recording)


def without_samples(opened: OpenedFile, problems: Problems, rows: int) -> Reading:
    """Returns the reading of a file that is not imported, with its number of rows."""
    report = FileReport(
        path=opened.name,
        reader=LABEL,
        recognised=True,
        utc_offset_minutes=opened.header.utc_offset_minutes,
        encoding=opened.label,
        delimiter=opened.header.delimiter,
        rejected_rows=rows,
    )
    return Reading(report, problems.all())
