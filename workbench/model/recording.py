"""Recordings: description of the sample table of one file. The values are in the column store."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import msgspec

from workbench.model.metric import Metric

# Order of day and month in a date.
DayMonth = Literal["mdy", "dmy"]


class Series(msgspec.Struct, frozen=True, gc=False):
    """One counter of a recording.

    A host file has 50,000 of them. A msgspec struct is created, pickled and loaded many times faster than a frozen
    dataclass, and is just as immutable (`msgspec.structs.replace`).

    `column` is the name in the column store (`c0`, `c1`, …). `path` is the name in the file. `object` and `counter` are
    the English names if a translation is known, otherwise the names in the file. `vm` is the VM, None for a host or an
    array. `own_times`: the counter was sampled at only some times of the table and has no row of the source file at the
    others.
    """

    column: int
    path: str
    host: str
    object: str
    instance: str
    counter: str
    vm: str | None = None
    metric: Metric | None = None
    own_times: bool = False


@dataclass(frozen=True, slots=True)
class DateOrder:
    """The order of day and month in the dates of a file, "mdy" or "dmy", if both are possible.

    `other_us` is not 0 if the order is a guess: all samples are from one day, and in the other order every time is this
    many microseconds later. `mark` is the evidence in the file for the guess (empty: none).
    """

    order: DayMonth
    other_us: int = 0
    mark: str = ""

    @property
    def other(self) -> DayMonth:
        """The opposite order."""
        return "mdy" if self.order == "dmy" else "dmy"


@dataclass(frozen=True, slots=True)
class Recording:
    """The samples of one file: a time column and one float64 column per series.

    Times in the store are microseconds since 1970 *as the file writes them* (local time). UTC = time -
    `utc_offset_minutes`; None means that the file does not state the offset, not that it is UTC. `relative`: the times
    count from the start of the test, whose date is unknown, so they have no clock time.

    `zone` is the time zone (IANA) that the file names. `clock_jumps` are the times, as written in the file, before and
    after each jump of the clock. At a jump, the clock skips half an hour or more, or goes back at the end of summer
    time. `late` are the skips at the start of summer time: times in the store from the first number on are too late by
    the second number (microseconds). `dates` is the order of day and month, None if the file format states it.
    `moved_us`: the date was read in the other order afterwards, and all times here are this many microseconds later
    than in the store.
    """

    series: tuple[Series, ...]
    rows: int
    first_us: int
    last_us: int
    utc_offset_minutes: int | None
    hosts: tuple[str, ...]
    file: str = ""
    store_file: str | None = None
    relative: bool = False
    zone: str | None = None
    clock_jumps: tuple[tuple[int, int], ...] = ()
    late: tuple[tuple[int, int], ...] = ()
    dates: DateOrder | None = None
    moved_us: int = 0

    @property
    def date_guessed(self) -> bool:
        """True if day and month may be swapped."""
        return self.dates is not None and self.dates.other_us != 0

    @property
    def span_s(self) -> tuple[float, float]:
        """First and last sample in seconds since 1970 UTC, or on the clock of the file if its UTC offset is unknown."""
        offset = 60 * (self.utc_offset_minutes or 0)
        return self.first_us / 1e6 - offset, self.last_us / 1e6 - offset

    def placed(self, file: str, store_file: str) -> Recording:
        """A copy with the file name that the user sees and with the file of its columns."""
        # replace() takes five times as long, and a folder may have thousands of recordings.
        return Recording(
            self.series,
            self.rows,
            self.first_us,
            self.last_us,
            self.utc_offset_minutes,
            self.hosts,
            file,
            store_file,
            self.relative,
            self.zone,
            self.clock_jumps,
            self.late,
            self.dates,
            self.moved_us,
        )


@dataclass(frozen=True, slots=True)
class FileReport:
    """The report of `inspect` on one file. `cells` counts the data cells of the counters. `part` is the role of the
    file in a set that a tool writes into one folder (`flatfile`, `host n1`); None if the file is complete alone."""

    path: str
    reader: str | None = None
    recognised: bool = False
    rows: int = 0
    columns: int = 0
    hosts: tuple[str, ...] = ()
    first: str | None = None
    last: str | None = None
    utc_offset_minutes: int | None = None
    encoding: str | None = None
    delimiter: str | None = None
    cells: int = 0
    missing_cells: int = 0
    rejected_rows: int = 0
    part: str | None = None


@dataclass(frozen=True, slots=True, order=True)
class SeriesKey:
    r"""The counter `path` of the run in the folder `run`.

    A full counter path (`\\host\object(instance)\counter`) identifies a counter in any file of the run, so `file`
    is empty. Any other path is a name within its `file`.
    """

    run: str
    path: str
    file: str = ""


def series_key(run: str, file: str, path: str) -> SeriesKey:
    """The key of a counter, from its name in a file of a run."""
    return SeriesKey(run, path, "" if path.startswith("\\\\") else file)
