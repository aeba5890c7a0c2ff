"""Column mappings: what the columns of a CSV mean that no reader knows, as the user has stated it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from workbench.model.metric import Quantity, Tier, Vantage


class TimeFormat(StrEnum):
    """How the time column writes a moment. The first three take `/`, `-` or `.` between the parts of the date
    and a time of day with or without seconds; a year at the end may have two digits. ISO-8601 is year first."""

    YEAR_FIRST = "year first"
    MONTH_FIRST = "month first"
    DAY_FIRST = "day first"
    UNIX_SECONDS = "seconds since 1970"
    UNIX_MILLISECONDS = "milliseconds since 1970"


class Decimal(StrEnum):
    """What parts the whole from the fraction."""

    POINT = "point"
    COMMA = "comma"


@dataclass(frozen=True, slots=True)
class MappedColumn:
    """One value column: its place in the header from 0, and what it means.

    `scale` turns the file's number into the canonical unit of `quantity`; `quantity` None keeps the column
    as a counter under its own name. `machine` is the VM it speaks of, or the LUN where `vantage` is the array.
    """

    column: int
    quantity: Quantity | None = None
    scale: float = 1.0
    machine: str = ""
    vantage: Vantage = Vantage.GUEST
    tier: Tier | None = None


@dataclass(frozen=True, slots=True)
class MappedCounter:
    """What a text of the column that names the counter means: the quantity of the row's value, and its scale."""

    name: str
    quantity: Quantity | None = None
    scale: float = 1.0


@dataclass(frozen=True, slots=True)
class ColumnMapping:
    """What the columns of every CSV with this header mean. Columns that are not listed are left out.

    `names` and `delimiter` are the header the mapping is for; `time_zone` is `+01:00` or `Europe/London`,
    empty where it is not known. A long table has rows of several machines, disks or counters: `machine_column`,
    `disk_column` and `counter_column` name them row by row, and `counters` says what the counters mean.
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
        """The columns that name the machine, the disk and the counter of a row, as far as there are any."""
        places = (self.machine_column, self.disk_column, self.counter_column)
        return tuple(place for place in places if place is not None)

    @property
    def header(self) -> str:
        """The key of the header this mapping is for."""
        return header_key(self.names, self.delimiter)

    @property
    def fingerprint(self) -> str:
        """Changes with anything that changes how a file is read."""
        return hashlib.sha256(repr(self).encode()).hexdigest()[:32]


def header_key(names: Sequence[str], delimiter: str) -> str:
    """The key of a header: the same for every file with these column names and this delimiter."""
    return hashlib.sha256("\0".join((delimiter, *names)).encode()).hexdigest()[:32]
