"""Writes the rows of a long table to the store as columns, and describes them in a reading."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec
import numpy as np

from workbench.model.problem import Severity
from workbench.model.reading import Reading
from workbench.model.recording import DateOrder, FileReport, Series
from workbench.readers.common.flat_columns import write_table
from workbench.readers.common.recorded import recorded
from workbench.readers.common.row_problems import OTHER_WIDTH, WIDTH_ADVICE, Problems
from workbench.readers.tables.keyed import KeyedRows, Roles, negative, wide_of
from workbench.readers.tables.long import CellFault
from workbench.readers.tables.timed import split_cells
from workbench.readers.text.numbers import Seen, refuse
from workbench.readers.text.timestamps import CUT, CUT_ADVICE, DAY, cut_message

# Returns the minutes ahead of UTC at a local time in seconds, or None if they are unknown.
Clock = Callable[[float], int | None]


@dataclass(frozen=True, eq=False)
class TableSource:
    """The file: its name, its reader, the destination of its columns, and a function that reads one of its lines for a
    message."""

    name: str
    label: str
    columns: Path
    encoding: str
    delimiter: str
    line: Callable[[int], str]

    def cell(self, line: int, place: int) -> str:
        """Returns the text of a cell by its physical line."""
        cells = split_cells(self.line(line), self.delimiter)
        return cells[place] if place < len(cells) else ""

    def undecided(self, seen: Seen, rows: KeyedRows, problems: Problems) -> Reading:
        """Returns the reading of a table whose numbers are ambiguous."""
        refuse(seen, problems)
        report = FileReport(
            path=self.name, reader=self.label, recognised=True, rejected_rows=rows.rejected + rows.count
        )
        return Reading(report, problems.all())

    def refused(
        self, problems: Problems, code: str, message: str, action: str, rejected: int = 0, line: int | None = None
    ) -> Reading:
        """Returns the reading of a table that yields nothing."""
        problems.add(Severity.REFUSED, code, message, action, line)
        report = FileReport(path=self.name, reader=self.label, recognised=True, rejected_rows=rejected)
        return Reading(report, problems.all())


def store(
    source: TableSource,
    rows: KeyedRows,
    roles: Roles,
    describe: Callable[[], Sequence[Series] | CellFault],
    clock: Clock,
    problems: Problems,
    guess: DateOrder | None = None,
    zone: str = "",
) -> Reading:
    """The reading of these rows. `describe` gives a series for each value column of each key, in this order; `guess` is
    the order of day and month if it is not known, `zone` the time zone that `clock` goes by."""
    total = rows.rejected + rows.count
    if total == rows.rejected:
        if cut := next((text for text in rows.moments if CUT.fullmatch(text)), ""):
            return source.refused(problems, "times-cut", cut_message(cut), CUT_ADVICE, total)
        message = f"None of the {rows.rejected:,} rows could be read."
        action = "file not imported; check how its times are written"
        if problems.count("row-width") == rows.rejected > 0:
            message, action = f"{message[:-1]}: {OTHER_WIDTH}.", WIDTH_ADVICE
        return source.refused(problems, "no-rows", message, action, total)
    series = describe()
    wide = series if isinstance(series, CellFault) else wide_of(rows, roles, source.cell, problems)
    if isinstance(wide, CellFault) or isinstance(series, CellFault):
        fault = wide if isinstance(wide, CellFault) else series
        assert isinstance(fault, CellFault)
        return source.refused(problems, "long-table", fault.message, fault.advice, total, fault.line)
    span = int(wide.times[-1] - wide.times[0])
    if guess is not None and span >= DAY:
        message = f"The dates fit month first and day first, and the samples cover {span // DAY + 1:,} days."
        advice = 'file not imported; set date_order = "mdy" or "dmy" in run.toml'
        return source.refused(problems, "ambiguous-date", message, advice, total)
    offset = wide.offset if wide.offset is not None else clock(wide.times[0] / 1e6)
    if offset is None:
        _tell_zone(problems)
    counts = np.repeat(wide.counts, len(roles.values))
    series = tuple(
        msgspec.structs.replace(counter, column=column, own_times=bool(counts[column] < wide.times.size))
        for column, counter in enumerate(series)
    )
    measured = [counter.column for counter in series if counter.metric is not None]
    negative(wide.values, measured, lambda column: series[column].path, problems)
    write_table(source.columns, wide.times, wide.values)
    cells = wide.rows * len(roles.values)
    missing = cells - int(np.count_nonzero(~np.isnan(wide.values)))
    reading = recorded(
        source.name, source.label, wide.times, series, offset, missing, wide.rejected, problems.all(), source.encoding,
        source.delimiter, guess, zone if wide.offset is None and offset is not None and zone else None,
    )  # fmt: skip
    # A row of the file is a sample of one machine, not a time of the table.
    return replace(reading, report=replace(reading.report, rows=wide.rows, cells=cells))


def tell_open_end(line: int | None, problems: Problems) -> None:
    """Notes a last line without an end: its number may be incomplete."""
    if line is not None:
        message = "The last line has no line end: the file may have been cut off within its last number."
        problems.info("no-line-end", message, "row kept; compare it with the source", line)


def _tell_zone(problems: Problems) -> None:
    problems.warn(
        "time-zone-unknown",
        "The file does not state how far its clock is from UTC.",
        'times shown as the file has them; set time_zone = "+01:00" in run.toml, or Run > Time zone in the window',
    )
