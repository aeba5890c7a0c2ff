"""Writes the rows of a long table to the store as columns, and describes them in a reading."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt
import polars as pl

from workbench import disk_arrays
from workbench.model.problem import Severity
from workbench.model.reading import Reading
from workbench.model.recording import DateOrder, FileReport, Series
from workbench.readers.common.clock import note_steps
from workbench.readers.common.flat_columns import write_table
from workbench.readers.common.recorded import recorded
from workbench.readers.common.row_problems import WIDTH_ADVICE, Problems, none_of, other_width
from workbench.readers.tables.machines import CellFault, OtherColumns, one_row_each
from workbench.readers.tables.rows import Roles, TableRows, without_negatives
from workbench.readers.tables.timed import split_cells
from workbench.readers.text.numbers import Seen, refuse
from workbench.readers.text.timestamps import (
    CUT,
    CUT_ADVICE,
    DAY,
    HOUR,
    SECOND,
    IntArray,
    TimeStep,
    cut_message,
    is_hour_back,
)

FloatArray = npt.NDArray[np.float64]

# A table with more cells would not fit in memory next to the program: 400 MB.
MAX_CELLS = 50_000_000

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

    def without_rows(self, rows: TableRows, problems: Problems) -> Reading:
        """Returns the reading of a table without a readable row."""
        if cut := next((text for text in rows.moments if CUT.fullmatch(text)), ""):
            return self.refused(problems, "times-cut", cut_message(cut), CUT_ADVICE, rows.rejected)
        message = f"{none_of(rows.rejected, 'row')} could be read."
        action = "file not imported; compare the timestamps in the file with the time format in the mapping"
        if problems.count("row-width") == rows.rejected > 0:
            message, action = other_width(rows.rejected), WIDTH_ADVICE
        return self.refused(problems, "no-rows", message, action, rows.rejected)

    def several_machines(self, fault: CellFault, rows: int, problems: Problems) -> Reading:
        """Returns the reading of a table whose series cannot be distinguished; all of its rows are rejected."""
        return self.refused(problems, "long-table", fault.message, fault.advice, rows, fault.line)

    def undecided(self, seen: Seen, rows: TableRows, problems: Problems) -> Reading:
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
    rows: TableRows,
    roles: Roles,
    describe: Callable[[], Sequence[Series] | CellFault],
    clock: Clock,
    problems: Problems,
    guess: DateOrder | None = None,
    zone: str = "",
) -> Reading:
    """Writes these rows to the store and returns the reading. `describe` returns a series for each value column of each
    key, in this order. `guess` is the order of day and month if it is unknown. `zone` is the time zone of `clock`."""
    if not rows.count:
        return source.without_rows(rows, problems)
    total = rows.rejected + rows.count
    series = describe()
    if isinstance(series, CellFault):
        return source.several_machines(series, total, problems)
    wide = _wide_of(without_negatives(rows.frame(), roles, series, problems), roles, len(rows.keys), source, problems)
    if isinstance(wide, CellFault):
        return source.several_machines(wide, total, problems)
    span = int(wide.times[-1] - wide.times[0])
    if guess is not None and span >= DAY:
        message = (
            f"The dates may have the month first or the day first, and the samples cover {span // DAY + 1:,} days."
        )
        advice = 'file not imported; set date_order = "mdy" or "dmy" in run.toml'
        return source.refused(problems, "ambiguous-date", message, advice, total)
    offset = wide.offset if wide.offset is not None else clock(wide.times[0] / 1e6)
    if offset is None and not zone:
        tell_no_zone(problems)
    counts = np.repeat(wide.counts, len(roles.values))
    series = tuple(
        msgspec.structs.replace(counter, column=column, own_times=bool(counts[column] < wide.times.size))
        for column, counter in enumerate(series)
    )
    write_table(source.columns, wide.times, wide.values)
    cells = wide.rows * len(roles.values)
    missing = cells - int(np.count_nonzero(~np.isnan(wide.values)))
    reading = recorded(
        source.name, source.label, wide.times, series, offset, missing, total - wide.rows, problems.all(),
        source.encoding, source.delimiter, guess, zone if wide.offset is None and offset is not None and zone else None,
    )  # fmt: skip
    # A row of the file is a sample of one machine, not a time of the table.
    return replace(reading, report=replace(reading.report, rows=wide.rows, cells=cells))


def tell_no_zone(problems: Problems) -> None:
    """Notes that nothing states how far the clock of a file is from UTC."""
    problems.warn(
        "time-zone-unknown",
        "The file contains no UTC offset.",
        'timestamps are shown as in the file; use Run › Time zone… or set time_zone = "+01:00" in run.toml',
    )


@dataclass(frozen=True, eq=False)
class _Wide:
    """The table: ascending `times`, `values` by series and time, the number of rows per key, and that of all rows."""

    times: IntArray
    values: FloatArray
    counts: IntArray
    offset: int | None
    rows: int


def _wide_of(
    frame: pl.DataFrame, roles: Roles, keys: int, source: TableSource, problems: Problems
) -> _Wide | CellFault:
    """Returns the rows of this number of keys as columns. Returns a fault if rows of one series and time come from
    several machines, or if there are too many."""
    on_clock = on_one_offset(frame, problems)
    frame, offset = (_without_hour_twice(frame, problems), None) if on_clock is None else on_clock
    times = frame["t"].unique().sort()
    per_row, series = len(roles.values), keys * len(roles.values)
    if times.len() * series > MAX_CELLS:
        message = f"{series:,} series at {times.len():,} different timestamps are too many for one table."
        return CellFault(message, int(frame["line"].min()), "file not imported; export each machine separately")  # type: ignore[arg-type]
    if not _once_each(frame, times, roles):
        frame = frame.sort("key", "t", "line")
        kept = one_row_each(OtherColumns(frame, roles, frozenset(roles.others), source.cell), problems)
        if isinstance(kept, CellFault):
            return kept
        frame = kept
    at, places = times.search_sorted(frame["t"]).to_numpy(), frame["key"].to_numpy().astype(np.int64)
    values: FloatArray = disk_arrays.empty((series, times.len()), np.float64)
    values.fill(np.nan)
    for place in range(per_row):
        values[places * per_row + place, at] = frame[f"v{place}"].fill_null(np.nan).to_numpy()
    return _Wide(times.to_numpy(), values, np.bincount(places, minlength=keys), offset, frame.height)


def on_one_offset(frame: pl.DataFrame, problems: Problems) -> tuple[pl.DataFrame, int] | None:
    """Returns the rows with times on the first offset from UTC that the file states, and that offset in minutes; None
    if it states none."""
    offsets = frame["offset"].unique()
    if offsets.null_count() == offsets.len():
        return None
    first = int(frame["offset"].drop_nulls()[0])
    if offsets.len() > 1:
        problems.warn(
            "offsets-differ",
            "The timestamps have different UTC offsets, or some have none.",
            "timestamps without an offset imported with the first offset of the file; check the offsets",
        )
    # As wide as the times: an hour in microseconds exceeds 16 bits.
    ahead = pl.col("offset").fill_null(first).cast(pl.Int64)
    return frame.with_columns(t=pl.col("t") + (first - ahead) * 60 * SECOND), first


def _once_each(frame: pl.DataFrame, times: pl.Series, roles: Roles) -> bool:
    """True if each time has one row per series, and no column without a role could separate rows. Then the order of the
    rows does not matter, and they need not be sorted."""
    if any(frame[f"o{place}"].n_unique() > 1 for place in range(len(roles.others))):
        return False
    cells = frame["key"].cast(pl.Int64) * times.len() + times.search_sorted(frame["t"]).cast(pl.Int64)
    return bool(cells.n_unique() == frame.height)


def _without_hour_twice(frame: pl.DataFrame, problems: Problems) -> pl.DataFrame:
    """Returns the rows with one hour added from the end of summer time on. Each series whose clock goes back must do so
    once, and by one hour."""
    if frame["t"].is_sorted():
        return frame
    step = pl.col("t").diff().over("key")
    usual = frame.select(step.filter(step > 0).median()).item() or 0
    back = frame.with_columns(step.alias("step")).filter(pl.col("step") < 0)
    once = back["key"].n_unique() == back.height > 0
    if not once or not is_hour_back(back["step"].to_numpy(), usual).all():
        return frame
    note_steps((TimeStep(0, back["step"][0] / SECOND, True),), back["line"].to_numpy(), problems)
    return frame.with_columns(pl.col("t") + (step < 0).fill_null(False).cum_sum().over("key") * HOUR)
