"""Recordings: one file's table of samples, described; its columns lie in the column store."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import msgspec

from workbench.model.metric import Metric

# Which of day and month comes first in a date.
DayMonth = Literal["mdy", "dmy"]


class Series(msgspec.Struct, frozen=True, gc=False):
    """One counter of a recording. A host's file has 50,000 of them: a struct is made, sent and read from the
    store many times faster than a frozen dataclass, and is as much a value (`msgspec.structs.replace`).

    `column` is its place in the column store (`c0`, `c1`, …). `path` is the name as the file writes
    it; `object` and `counter` are the English names where a translation is known, else the file's own.
    `vm` is the machine it speaks of, None where it speaks of a host or an array. `own_times`: it was sampled at some
    of the table's times alone, and has no row of its own where it has no value.
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
    """The order of day and month of a file's dates, "mdy" or "dmy", if they may have either.

    `other_us` is not 0 if the order is a guess: the samples lie within one day, and in the other order every time is so
    many microseconds later. `mark` is what in the file speaks for the guess (empty: nothing).
    """

    order: DayMonth
    other_us: int = 0
    mark: str = ""

    @property
    def other(self) -> DayMonth:
        """The other order."""
        return "mdy" if self.order == "dmy" else "dmy"


@dataclass(frozen=True, slots=True)
class Recording:
    """The samples of one file: a time column and one float64 column per series.

    Times in the store are microseconds since 1970 *as the file writes them* (local time);
    UTC = time - `utc_offset_minutes`. None means the file does not say, which is not UTC. `relative`: the
    times count from the start of the test, whose date is not known, and can be placed on no clock.

    `zone` is the zone (IANA) that the file names. `clock_jumps` are the times in the store before and after each place
    where the clock skips half an hour or more, and the times as written where it goes back at the end of summer time.
    `late` are the skips that are the start of summer time: times in the store from the first number on are so many
    microseconds too late. `dates` is the order of day and month, None if the file's format states it. `moved_us`: the
    date was read in the other order afterwards, and all times here are so many microseconds later than in the store.
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
        """Whether day and month of its times may be the other way round."""
        return self.dates is not None and self.dates.other_us != 0

    @property
    def span_s(self) -> tuple[float, float]:
        """The first and the last sample in seconds since 1970 UTC; the file's own clock where its offset is unknown."""
        offset = 60 * (self.utc_offset_minutes or 0)
        return self.first_us / 1e6 - offset, self.last_us / 1e6 - offset

    def placed(self, file: str, store_file: str) -> Recording:
        """The same recording under the name the user sees, with its columns' place."""
        # Not replace(), which takes five times as long: a folder may hold thousands.
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
    """What `inspect` says of one file. `cells` counts the data cells of the counters. `part` is what the file is among
    those that a tool writes into one folder (`flatfile`, `host n1`); None: it stands alone."""

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
    """The counter `path` of the run in the folder `run`.

    A full counter path (`\\\\host\\object(instance)\\counter`) names one counter in whichever file of the run it
    stands, so `file` is empty; any other path is a name within its `file`.
    """

    run: str
    path: str
    file: str = ""


def series_key(run: str, file: str, path: str) -> SeriesKey:
    """The key of a counter as a file of a run names it."""
    return SeriesKey(run, path, "" if path.startswith("\\\\") else file)
