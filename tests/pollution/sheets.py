"""Clean twins: small tables in each text format in which every cell identifies its row and column.

The value of row r (from 1) and column c (from 1) is `1000 r + c`; a text column has `u` and that number. So a cell that
was shifted, swapped, joined or copied from elsewhere is never equal to the right one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from tests.pollution.judge import Grid, GridRow, Value
from tests.readers.perfmon_files import stored_frame
from workbench.model.mapping import ColumnMapping, MappedColumn, TimeFormat
from workbench.model.metric import Quantity, Vantage
from workbench.model.reading import Reader, Reading
from workbench.readers.registry import recognise
from workbench.readers.tables import mapped as mapped_csv
from workbench.study.series.time_zone import offset_minutes
from workbench.study.store.column_store import empty_file, not_recognised

ROWS = 12
STEP_S = 15
# 24 May: the date has only one reading. Local time of the file.
START = int(datetime(2016, 5, 24, 9, 0, tzinfo=UTC).timestamp())
HEAD_BYTES = 65_536


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table of one format. `kinds` has one letter per value column: `r`eal, `i`nteger or `t`ext. `offset` is the
    clock's distance from UTC in minutes, None if the format states none."""

    name: str
    file: str
    corner: str
    names: tuple[str, ...]
    kinds: str
    time: str
    quoted: bool
    offset: int | None = None

    @property
    def columns(self) -> int:
        """The number of value columns."""
        return len(self.names)

    def moment(self, row: int) -> int:
        """Seconds since 1970 on the file's clock."""
        return START + STEP_S * row

    def stamp(self, seconds: int) -> str:
        """A time as the format writes it."""
        return datetime.fromtimestamp(seconds, UTC).strftime(self.time)

    def truth(self, row: int, column: int) -> Value:
        """Returns the value of a cell; row and column count from 0."""
        number = 1000 * (row + 1) + column + 1
        kind = self.kinds[column]
        return f"u{number}" if kind == "t" else number + 0.25 if kind == "r" else float(number)

    def cell(self, row: int, column: int) -> str:
        """Returns the value of a cell as text."""
        value = self.truth(row, column)
        return value if isinstance(value, str) else f"{value:.{2 if self.kinds[column] == 'r' else 0}f}"

    @property
    def number(self) -> int:
        """Returns the index of a numeric column that is neither first nor last, if there is one."""
        numbers = [place for place, kind in enumerate(self.kinds) if kind != "t"]
        return numbers[1] if len(numbers) > 2 else numbers[-1]


_GUEST = r"\\W10-001\PhysicalDisk(_Total)" + "\\"
_VM = r"\\esx01.lab\Virtual Disk(W10-001)" + "\\"
PERFMON = Sheet(
    "perfmon",
    "W10-001.csv",
    "(PDH-CSV 4.0) (GMT Daylight Time)(-60)",
    (
        _GUEST + "Disk Reads/sec",
        _GUEST + "Disk Writes/sec",
        _GUEST + "Avg. Disk sec/Read",
        r"\\W10-001\Memory\Available MBytes",
    ),
    "rrrr",
    "%m/%d/%Y %H:%M:%S.000",
    True,
    60,
)
ESXTOP = Sheet(
    "esxtop",
    "esxtop.csv",
    "(PDH-CSV 4.0) (UTC)(0)",
    (
        _VM + "Reads/sec",
        _VM + "Writes/sec",
        r"\\esx01.lab\Virtual Disk(W10-001:scsi0:0)\Reads/sec",
        r"\\esx01.lab\Group Cpu(17:W10-001)\% Ready",
        r"\\esx01.lab\Group Memory(17:W10-001)\Alloc Max",
    ),
    "rrrrr",
    "%m/%d/%Y %H:%M:%S",
    True,
    0,
)
# perfmon's file after a spreadsheet has saved it: without quotes, but with seconds.
RESAVED = replace(PERFMON, name="resaved", quoted=False)
LOGON = Sheet("login-vsi-logon", "logon.csv", "DateTime", ("User", "LogonTime"), "tr", "%m/%d/%Y %H:%M:%S", False)
APP_START = Sheet(
    "login-vsi-appstart",
    "appstart.csv",
    "DateTime",
    ("ActiveSessions", "Label", "Value"),
    "itr",
    "%m/%d/%Y %H:%M:%S",
    False,
)
GENERIC = Sheet(
    "generic-csv",
    "array.csv",
    "Poll Time",
    ("LUN 1 IOPS", "LUN 1 latency ms", "LUN 2 IOPS", "Note"),
    "rrrr",
    "%Y-%m-%d %H:%M:%S",
    False,
    60,
)
SHEETS = (PERFMON, RESAVED, ESXTOP, LOGON, APP_START, GENERIC)
MAPPING = ColumnMapping(
    (GENERIC.corner, *GENERIC.names),
    ",",
    0,
    TimeFormat.YEAR_FIRST,
    (
        MappedColumn(1, Quantity.IOPS, machine="LUN 1", vantage=Vantage.ARRAY),
        MappedColumn(2, Quantity.LATENCY, 0.001, "LUN 1", Vantage.ARRAY),
        MappedColumn(3, Quantity.IOPS, machine="LUN 2", vantage=Vantage.ARRAY),
        MappedColumn(4),
    ),
    time_zone="+01:00",
)


def read_bytes(data: bytes, file: str, folder: Path) -> tuple[Reading, Grid | None]:
    """The reading of a file with this content by the reader that recognises it, and its cells."""
    path, columns = folder / file, folder / "columns"
    path.write_bytes(data)
    columns.unlink(missing_ok=True)
    reader = reader_of(data[:HEAD_BYTES], file)
    unknown = not_recognised if data else empty_file
    reading = unknown(file) if reader is None else reader.read(path, file, columns)
    return reading, grid_of(reading, columns)


def reader_of(head: bytes, file: str) -> Reader | None:
    """Reads like an import: a CSV with the mapping's header is read through the mapping."""
    reader = recognise(head, file)
    if reader is mapped_csv.READER and mapped_csv.header_of(head) == MAPPING.header:
        return mapped_csv.reader_with(MAPPING, offset_minutes)
    return reader


def grid_of(reading: Reading, columns: Path) -> Grid | None:
    """The cells of a reading by the names of the file's columns; None for a missing cell."""
    if reading.recording is not None:
        return _recorded(reading, columns)
    if reading.sessions:
        found = [(one.logon_start, (one.user, one.logon_s)) for one in reading.sessions]
        return Grid(LOGON.names, _timed(found), None)
    if reading.measurements:
        rows = [(one.at, (_real(one.active_sessions), one.label, one.value)) for one in reading.measurements]
        return Grid(APP_START.names, _timed(rows), None)
    return None


def _recorded(reading: Reading, columns: Path) -> Grid:
    assert reading.recording is not None
    frame = stored_frame(columns)
    offset = reading.recording.utc_offset_minutes
    shift = 60.0 * (offset or 0)
    rows = tuple(GridRow(row[0] / 1e6 - shift, tuple(row[1:])) for row in frame.rows())
    return Grid(tuple(one.path for one in reading.recording.series), rows, offset)


def _timed(rows: Sequence[tuple[float | None, tuple[Value | None, ...]]]) -> tuple[GridRow, ...]:
    return tuple(GridRow(at, tuple(None if cell == "" else cell for cell in cells)) for at, cells in rows)


def _real(value: int | None) -> float | None:
    return None if value is None else float(value)
