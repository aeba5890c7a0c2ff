"""Column mappings: the user's statements about the columns of a CSV file that no reader supports."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from workbench.model.metric import Quantity, Tier, Vantage


class TimeFormat(StrEnum):
    """The format of a moment in the time column. The first three formats accept `/`, `-` or `.` between the parts of
    the date, and a time of day with or without seconds; a year at the end may have two digits. ISO-8601 is year first.
    """

    YEAR_FIRST = "year first"
    MONTH_FIRST = "month first"
    DAY_FIRST = "day first"
    UNIX_SECONDS = "seconds since 1970"
    UNIX_MILLISECONDS = "milliseconds since 1970"


class Decimal(StrEnum):
    """The decimal separator."""

    POINT = "point"
    COMMA = "comma"


@dataclass(frozen=True, slots=True)
class MappedColumn:
    """One value column: its index in the header, from 0, and its meaning.

    `scale` converts the value in the file to the canonical unit of `quantity`. If `quantity` is None, the column is
    kept as a counter under its own name. `machine` is the VM, or the LUN if `vantage` is the array.
    """

    column: int
    quantity: Quantity | None = None
    scale: float = 1.0
    machine: str = ""
    vantage: Vantage = Vantage.GUEST
    tier: Tier | None = None


@dataclass(frozen=True, slots=True)
class MappedCounter:
    """Meaning of one counter name in a long table: the quantity of its rows, and their scale."""

    name: str
    quantity: Quantity | None = None
    scale: float = 1.0


@dataclass(frozen=True, slots=True)
class ColumnMapping:
    """Meaning of the columns in every CSV file with this header. Columns that are not listed are ignored.

    `names` and `delimiter` are the header. `time_zone` is `+01:00` or `Europe/London`, empty if unknown. A long table
    has rows of several machines, disks or counters: `machine_column`, `disk_column` and `counter_column` name them in
    each row, and `counters` gives the meaning of the counters.
    """

    names: tuple[str, ...]
    delimiter: str
    time_column: int
    time_format: TimeFormat
    columns: tuple[MappedColumn, ...]
    time_zone: str = ""
    decimal: Decimal = Decimal.POINT
    machine_column: int | None = None
    disk_column: int | None = None
    counter_column: int | None = None
    counters: tuple[MappedCounter, ...] = ()

    @property
    def key_columns(self) -> tuple[int, ...]:
        """The columns that name the machine, the disk and the counter of a row, as far as they exist."""
        places = (self.machine_column, self.disk_column, self.counter_column)
        return tuple(place for place in places if place is not None)

    @property
    def header(self) -> str:
        """The key of the header that this mapping applies to."""
        return header_key(self.names, self.delimiter)

    @property
    def fingerprint(self) -> str:
        """A hash that changes with every setting that affects how a file is read."""
        return hashlib.sha256(repr(self).encode()).hexdigest()[:32]


def header_key(names: Sequence[str], delimiter: str) -> str:
    """The key of a header, equal for all files with these column names and this delimiter."""
    return hashlib.sha256("\0".join((delimiter, *names)).encode()).hexdigest()[:32]
