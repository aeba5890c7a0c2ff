"""The long tables that are read without a mapping: which columns each has, and what they mean.

A layout is known by its column names alone. `LAYOUTS` is the whole list: a further one is one more entry. A table with
one column of counter paths, one of times and one of numbers is known by its cells, whatever its columns are called.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from workbench.readers.tables.timed import decode, is_stamp, split_cells, split_lines, trimmed

_DELIMITERS = (",", ";", "\t")
# PowerShell writes the type of the objects above the header.
_TYPE_LINE = "#TYPE"
_ABOVE = 10
# Rows that are looked at for the cells of a table, as the first one may be damaged.
_LOOKED_AT = 3


class Style(StrEnum):
    """How the rows name a counter."""

    WINDOWS = "object, counter and instance of Windows, in separate columns"
    PATH = "a path of Windows: \\\\host\\object(instance)\\counter"
    VSPHERE = "a metric of vSphere: group.counter.rollup"
    INSIGHTS = "a name of VM insights, with the disk in the tags"
    TELEGRAF = "measurement and field of InfluxDB; of Windows counters as Telegraf writes them"


@dataclass(frozen=True, slots=True)
class Layout:
    """A known long table: the names of its columns by what they hold, empty where it has none.

    `needed` are the columns it is known by. `kind` is the column that says whether the machine is a VM, `unit` that of
    the unit, `aside` those that never tell machines apart. `utc`: its times are UTC where the cell does not say
    otherwise. `source` describes the columns.
    """

    title: str
    style: Style
    time: str
    value: str
    counter: str
    source: str
    machine: str = ""
    object: str = ""
    instance: str = ""
    unit: str = ""
    kind: str = ""
    utc: bool = False
    aside: tuple[str, ...] = ()

    @property
    def needed(self) -> tuple[str, ...]:
        """The columns without which a table is another one."""
        names = (self.time, self.value, self.counter, self.machine, self.object)
        return tuple(name for name in names if name)


_AZURE = "https://learn.microsoft.com/azure/azure-monitor/reference/tables/perf"

_INSIGHTS = "https://learn.microsoft.com/azure/azure-monitor/vm/vminsights-log-query (InsightsMetrics)"
# What a script makes of Get-Counter: one row for each path, under the words of its writer.
_PATHS = "https://learn.microsoft.com/powershell/module/microsoft.powershell.diagnostics/get-counter"
_PATH = re.compile(r"\\\\[^\\\n]{1,255}\\[^\\\n]{1,2000}\\[^\\\n]{1,400}")
_NUMBER = re.compile(r"[-+]?\d[\d.,]*(?:[eE][-+]?\d+)?")


def _azure(time: str, utc: bool) -> Layout:
    return Layout(
        "Azure Monitor Perf",
        Style.WINDOWS,
        time,
        "CounterValue",
        "CounterName",
        _AZURE,
        machine="Computer",
        object="ObjectName",
        instance="InstanceName",
        utc=utc,
    )


LAYOUTS = (
    _azure("TimeGenerated [UTC]", utc=True),
    _azure("TimeGenerated [Local Time]", utc=False),
    _azure("TimeGenerated", utc=True),
    Layout(
        "Get-Counter samples",
        Style.PATH,
        "Timestamp",
        "CookedValue",
        "Path",
        "https://learn.microsoft.com/dotnet/api/microsoft.powershell.commands.getcounter.performancecountersample",
        aside=(
            "InstanceName",
            "RawValue",
            "SecondValue",
            "MultipleCount",
            "CounterType",
            "Timestamp100NSec",
            "Status",
            "DefaultScale",
            "TimeBase",
        ),
    ),
    Layout(
        "VM insights",
        Style.INSIGHTS,
        "TimeGenerated [UTC]",
        "Val",
        "Name",
        _INSIGHTS,
        machine="Computer",
        object="Namespace",
        instance="Tags",
        utc=True,
    ),
    Layout(
        "VM insights",
        Style.INSIGHTS,
        "TimeGenerated",
        "Val",
        "Name",
        _INSIGHTS,
        machine="Computer",
        object="Namespace",
        instance="Tags",
        utc=True,
    ),
    Layout(
        "PowerCLI Get-Stat",
        Style.VSPHERE,
        "Timestamp",
        "Value",
        "MetricId",
        "https://developer.broadcom.com/powercli (Get-Stat, FloatSample)",
        machine="Entity",
        instance="Instance",
        unit="Unit",
        kind="EntityId",
    ),
    Layout(
        "InfluxDB",
        Style.TELEGRAF,
        "_time",
        "_value",
        "_field",
        "https://docs.influxdata.com/influxdb/v2/reference/syntax/annotated-csv/",
        object="_measurement",
        utc=True,
    ),
)
# Columns of InfluxDB's tables that name no thing that is measured; every other one is a tag.
INFLUX_OWN = frozenset(("", "result", "table", "_start", "_stop", "_time", "_value", "_field", "_measurement"))
INFLUX_MACHINES = ("host", "source", "hostname", "computer")


@dataclass(frozen=True, slots=True)
class Head:
    """The header of a known long table: its names as the file writes them, its delimiter and its physical line."""

    layout: Layout
    names: tuple[str, ...]
    delimiter: str
    line: int

    def place(self, name: str) -> int | None:
        """The place of a column by its name, None where there is none."""
        lowered = [other.casefold() for other in self.names]
        return lowered.index(name.casefold()) if name and name.casefold() in lowered else None


def find_head(data: bytes, whole: bool = False) -> Head | None:
    """The header of a known long table in a file's first bytes; None for any other file."""
    text, _ = decode(data, whole)
    lines = [(number, line) for number, line in enumerate(split_lines(text[:65_536])[: 2 * _ABOVE], 1) if line.strip()]
    for number, line in lines[:_ABOVE]:
        if line.startswith(_TYPE_LINE):
            continue
        below = [other for at, other in lines if at > number][:_LOOKED_AT]
        for delimiter in _DELIMITERS:
            if delimiter in line and (head := head_of(line, delimiter, number, below)) is not None:
                return head
        if not line.startswith("#"):
            return None
    return None


def head_of(line: str, delimiter: str, number: int, below: Sequence[str] = ()) -> Head | None:
    """The header that a line is; None where no layout has its columns, or one of them stands twice. `below` are
    lines below it."""
    names = trimmed(split_cells(line, delimiter))
    rows = (split_cells(row, delimiter) for row in below)
    layout = _layout_of(names) or next(filter(None, (_by_cells(names, row) for row in rows)), None)
    return None if layout is None else Head(layout, tuple(names), delimiter, number)


def _by_cells(names: Sequence[str], row: Sequence[str]) -> Layout | None:
    """The layout of a header over a row with one counter path, one time and one number; None for any other."""
    if len(row) != len(names) or len({name.casefold() for name in names}) != len(names) or not all(names):
        return None
    paths, times, numbers = (
        [name for name, cell in zip(names, row, strict=True) if fits(cell)]
        for fits in (_PATH.fullmatch, is_stamp, _NUMBER.fullmatch)
    )
    if not (len(paths) == len(times) == len(numbers) == 1):
        return None
    return Layout("Get-Counter paths", Style.PATH, times[0], numbers[0], paths[0], _PATHS)


def _layout_of(names: Sequence[str]) -> Layout | None:
    lowered = [name.casefold() for name in names]
    return next((item for item in LAYOUTS if all(lowered.count(name.casefold()) == 1 for name in item.needed)), None)
