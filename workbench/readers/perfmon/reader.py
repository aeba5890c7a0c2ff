"""Windows Performance Monitor: PDH-CSV and PDH-TSV, as perfmon, typeperf, relog and esxtop write them.

One file becomes one recording. The usual file takes the fast way: polars reads it as a table, in blocks if it is large,
or as one column of cells if it has very many counters (`fast`). Any unusual file is read carefully (`rows`). Nothing is
dropped in silence: rows in = rows kept + rows rejected, and each rejection is a problem with its line. A number below
zero is missing if the metric cannot be negative, and kept if the counter has no metric: esxtop's -1 in `Alloc Max`
means "no limit", and no metric uses it (`below_zero`).
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from workbench.file_replace import delete_file
from workbench.model.problem import Severity, few_named
from workbench.model.reading import Reader, Reading
from workbench.model.recording import FileReport, Series
from workbench.readers.common.below_zero import take_out
from workbench.readers.common.clock import Dates, SampleClock, read_clock, refuse_ambiguous_date
from workbench.readers.common.recorded import recorded
from workbench.readers.common.row_problems import WIDTH_ADVICE, Problems, counting, none_of, other_width, quoted
from workbench.readers.perfmon import fast
from workbench.readers.perfmon.fast import ColumnLayout, layout_of, write_fast
from workbench.readers.perfmon.header import starts_with_mark, takes_name
from workbench.readers.perfmon.held import FloatArray, Held, appended, write_blocks
from workbench.readers.perfmon.opened import NO_ROWS, OpenedFile, PerfmonRefusedError, check_header, open_file
from workbench.readers.perfmon.rows import Rows, first_notation, read_rows
from workbench.readers.perfmon.series import describe, is_esxtop, note_language
from workbench.readers.text.encodings import utf16_encoding
from workbench.readers.text.numbers import COMMA, Notation, Seen, refuse
from workbench.readers.text.timestamps import (
    CUT_ADVICE,
    SECOND,
    IntArray,
    Stamps,
    cut_message,
    parse_texts,
    without_offset,
)

LABEL = "perfmon"
_HEAD_LINES = 20


@dataclass(frozen=True, eq=False)
class StoredSamples:
    """Samples that are in the store."""

    layout: ColumnLayout
    series: tuple[Series, ...]
    clock: SampleClock
    missing: int
    rejected: int


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
        after = path.stat()
        if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
            message, action = "The file changed while it was read.", "open it again after the recording has ended"
            problems.add(Severity.REFUSED, "changed-while-read", message, f"file not imported; {action}")
            raise PerfmonRefusedError(len(stored.clock.times) + stored.rejected)
    except PerfmonRefusedError as refused:
        delete_file(columns)
        return without_samples(opened, refused, problems)
    return reading_of(opened, stored, problems)


READER = Reader(LABEL, identify, read, read_dated=read, takes_name=takes_name)


def _store(opened: OpenedFile, columns: Path, problems: Problems) -> StoredSamples:
    """Writes the samples to `columns`: the fast way, or carefully if anything is unusual. Raises PerfmonRefusedError if
    there are none."""
    check_header(opened, problems)
    layout = layout_of(opened.header, opened.first_row)
    with columns.open("wb", buffering=0) as stream:
        written, clock = write_fast(opened.text, opened.rows, layout, stream), None
        if written is not None:
            lines = opened.header_line + 1 + np.arange(len(written.stamps))
            clock = read_clock(written.stamps, lines, _dates(written.stamps, opened), problems)
        if written is not None and clock is not None:
            written.flat.put_times(clock.times)
    if written is not None and clock is not None:
        return _stored(layout, clock, columns, written.missing, written.below_zero, 0, problems)
    delete_file(columns)
    return _store_carefully(opened, layout, columns, problems)


def _store_carefully(opened: OpenedFile, layout: ColumnLayout, columns: Path, problems: Problems) -> StoredSamples:
    """Takes the careful way. Reads the file again if a description column holds values, and so is a counter, or if its
    numbers are written in another notation."""
    # The name starts like that of the columns, so its owner is recognisable.
    with tempfile.TemporaryDirectory("", f"{columns.name}.", columns.parent, ignore_cleanup_errors=True) as folder:
        file, large = Path(folder, "arrays"), opened.text.size > fast.FAST_LIMIT

        def spill(block: FloatArray) -> Held:
            return appended(block, file) if large else block

        notation = first_notation(opened)
        while True:
            noted = Problems(problems.file)
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
        return store_rows(opened, layout, rows, columns, problems)


def store_rows(
    opened: OpenedFile, layout: ColumnLayout, rows: Rows, columns: Path, problems: Problems
) -> StoredSamples:
    """Parses the collected timestamps as one column, and writes the rows with a real one."""
    if not rows.texts:
        raise _no_rows(rows, problems)
    everything = rows.rejected + len(rows.texts)
    if isinstance(decided := rows.evidence.decided(), Seen):
        refuse(decided, problems)
        raise PerfmonRefusedError(everything)
    stamps, moved = _stamps(rows.texts, opened)
    comma = opened.header.delimiter == ";" or decided.decimal == COMMA
    known = _dates(stamps, opened, "the numbers have decimal commas" if comma else "")
    clock = read_clock(stamps, np.array(rows.lines, np.int64), known, problems, rows.texts, moved)
    if clock is None:
        refuse_ambiguous_date(stamps, problems)
        raise PerfmonRefusedError(everything)
    if not clock.times.size:
        message = f"{none_of(everything, 'row')} has a date between 1970 and 2200."
        action = "file not imported; check the clock of the machine that wrote the file"
        raise PerfmonRefusedError(everything, "no-rows", message, action)
    looks = write_blocks(rows.frames, clock.times, clock.real, columns)
    rows.evidence.tell(decided, problems)
    if decided.decimal == COMMA:
        problems.info("decimal-comma", "The numbers have decimal commas.", "commas treated as decimal marks")
    return _stored(layout, clock, columns, *looks, everything - len(clock.times), problems)


def _no_rows(rows: Rows, problems: Problems) -> PerfmonRefusedError:
    """Returns the refusal of a file without a row that can be read."""
    if rows.cut:
        return PerfmonRefusedError(rows.rejected, "times-cut", cut_message(rows.cut), CUT_ADVICE)
    message, action = NO_ROWS, "file not imported; record the log again"
    if rows.rejected:
        message = f"{none_of(rows.rejected, 'row')} could be read."
    if rows.rejected and problems.count("row-width") == rows.rejected:
        message, action = other_width(rows.rejected), WIDTH_ADVICE
    return PerfmonRefusedError(rows.rejected, "no-rows", message, action)


def _stamps(texts: Sequence[str], opened: OpenedFile) -> tuple[Stamps, IntArray]:
    """Returns the times as their clocks showed them, and the microseconds that place each on the first row's offset."""
    if not opened.header.stamped:
        return parse_texts(texts), np.zeros(len(texts), np.int64)
    clocks, offsets = zip(*map(without_offset, texts), strict=True)
    minutes = np.array(offsets, np.int64)
    return parse_texts(clocks), ((opened.header.utc_offset_minutes or 0) - minutes) * 60 * SECOND


def _dates(stamps: Stamps, opened: OpenedFile, day_first: str = "") -> Dates:
    """Returns the known facts about the dates. PDH's own order is trusted if they have PDH's own shape; esxtop writes
    it without milliseconds."""
    padded = stamps.padded and opened.first_row.startswith('"')
    trusted = stamps.standard or (padded and is_esxtop(opened.header.names))
    return Dates(trusted, opened.date_order, day_first, opened.header.stamped)


def _stored(
    layout: ColumnLayout,
    clock: SampleClock,
    columns: Path,
    missing: int,
    below_zero: Collection[int],
    rejected: int,
    problems: Problems,
) -> StoredSamples:
    """Describes the counters in `columns`, and leaves those of their cells empty that cannot be below zero."""
    series = describe(layout.header.names[: layout.kept])
    for below in take_out(columns, below_zero, series):
        line, cell, path = int(clock.lines[below.row]), below.column + 2, series[below.column].path
        more = f" ({below.number:,} values of this column are below zero)" if below.number > 1 else ""
        message = f"Line {line}, cell {cell}: the value {below.value:g} is too low for '{path}'{more}."
        problems.warn("negative-rate", message, "treated as missing; check the counter", line, cell)
        missing += below.number
    return StoredSamples(layout, series, clock, missing, rejected)


def _note_layout(layout: ColumnLayout, series: Sequence[Series], line: int, problems: Problems) -> None:
    """Notes blank columns that were left out, counters without a name, and duplicate counters."""
    blank = layout.header.names[layout.kept :]
    for name in blank:
        if name:
            problems.info(
                "description-column",
                f"The column '{name}' is not a counter and is empty in every row.",
                "column ignored",
                line,
            )
    if layout.dropped > len(blank) or not all(blank):
        problems.info("trailing-delimiter", "Every line ends with an extra delimiter.", "empty column ignored", line)
    for index, name in enumerate(layout.header.names[: layout.kept], 2):
        if not name:
            problems.warn(
                "no-name",
                f"Column {index} has values but no name in the header.",
                "column kept as a series without a name; check the header",
                line,
                index,
            )
    twice = [path for path, number in Counter(counter.path for counter in series).items() if number > 1]
    if twice:
        appear = counting(len(twice), "counter", "appears", "appear")
        message = f"{appear} more than once in the header: {few_named(quoted(twice))}."
        problems.info("duplicate-counter", message, "each column kept as a separate series", line)


def reading_of(opened: OpenedFile, stored: StoredSamples, problems: Problems) -> Reading:
    """Returns the reading of a file whose samples are in the store."""
    header, series, clock = opened.header, stored.series, stored.clock
    _note_layout(stored.layout, series, opened.header_line, problems)
    note_language(series, header.foreign, opened.header_line, problems)
    if series and stored.missing == len(clock.times) * len(series):
        problems.warn(
            "no-values",
            f"{none_of(stored.missing, 'cell')} contains a value.",
            "file imported without values; check the collector",
        )
    reading = recorded(
        opened.name,
        LABEL,
        clock.times,
        series,
        header.utc_offset_minutes,
        stored.missing,
        stored.rejected,
        problems.all(),
        opened.label,
        header.delimiter,
    )
    assert reading.recording is not None
    recording = replace(reading.recording, zone=header.zone, clock_jumps=clock.jumps, dates=clock.dates)
    unbroken = int(clock.lines[-1] - clock.lines[0]) == len(clock.lines) - 1
    return replace(reading, first_line=int(clock.lines[0]) if unbroken else None, recording=recording)


def without_samples(opened: OpenedFile, refused: PerfmonRefusedError, problems: Problems) -> Reading:
    """Returns the reading of a file that is not imported."""
    if refused.problem:
        code, message, action = refused.problem
        problems.add(Severity.REFUSED, code, message, action, opened.header_line)
    report = FileReport(
        path=opened.name,
        reader=LABEL,
        recognised=True,
        utc_offset_minutes=opened.header.utc_offset_minutes,
        encoding=opened.label,
        delimiter=opened.header.delimiter,
        rejected_rows=refused.rows,
    )
    return Reading(report, problems.all())
