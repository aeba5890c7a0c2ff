"""The long tables that are read without a mapping: the columns of each layout, and the meaning of its keys.

A layout is recognised only by its column names; to add one, add an entry to `LAYOUTS`. A table with one column of
counter paths, one of times and one of numbers is recognised by its cells, with any names of its columns.

Each key of a known table becomes a series with its counter, its machine and its metric. Windows counters use the same
catalogue as perfmon logs, which also has vSphere's metrics by group, name and rollup. Telegraf writes a Windows counter
with `_` for a blank, `_persec` for `/sec` and `Percent` for `%` (plugins/inputs/win_perf_counters/win_perf_counters.go,
github.com/influxdata/telegraf).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import msgspec

from workbench.model.metric import Metric
from workbench.model.problem import few_named
from workbench.model.recording import Series
from workbench.readers.common.counters import metric_of
from workbench.readers.common.row_problems import Problems, acted, quoted
from workbench.readers.perfmon.series import describe, note_language
from workbench.readers.tables.machines import CellFault
from workbench.readers.tables.rows import Key
from workbench.readers.tables.timed import is_stamp, split_cells, trimmed
from workbench.readers.text.encodings import decode_text
from workbench.readers.text.rows import split_lines

_DELIMITERS = (",", ";", "\t")
# PowerShell writes the type of the objects above the header.
_TYPE_LINE = "#TYPE"
_ABOVE = 10
# Rows examined for the cells of a table, because the first one may be damaged.
_LOOKED_AT = 3


class Style(StrEnum):
    """The way in which rows name a counter."""

    WINDOWS = "Windows object, counter and instance, in separate columns"
    PATH = "a Windows counter path: \\\\host\\object(instance)\\counter"
    VSPHERE = "a vSphere metric: group.counter.rollup"
    INSIGHTS = "a counter name of VM insights, with the disk in the tags"
    TELEGRAF = "an InfluxDB measurement and field; Windows counters as Telegraf writes them"


@dataclass(frozen=True, slots=True)
class TableLayout:
    """A known long table: the names of its columns by their content, empty if it has none.

    `needed` are the columns that identify it. `kind` is the column that states if the machine is a VM, `unit` that of
    the unit, `aside` those that never identify machines. `utc`: its times are UTC unless the cell states otherwise.
    `source` describes the columns.
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
        """Returns the columns that identify this table."""
        names = (self.time, self.value, self.counter, self.machine, self.object)
        return tuple(name for name in names if name)


_AZURE = "https://learn.microsoft.com/azure/azure-monitor/reference/tables/perf"
_INSIGHTS = "https://learn.microsoft.com/azure/azure-monitor/vm/vminsights-log-query (InsightsMetrics)"
# A script's version of Get-Counter: one row per path, with headings that its writer chose.
_PATHS = "https://learn.microsoft.com/powershell/module/microsoft.powershell.diagnostics/get-counter"
_PATH = re.compile(r"\\\\[^\\\n]{1,255}\\[^\\\n]{1,2000}\\[^\\\n]{1,400}")
_NUMBER = re.compile(r"[-+]?\d[\d.,]*(?:[eE][-+]?\d+)?")


def _azure(time: str, utc: bool) -> TableLayout:
    return TableLayout(
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


def _insights(time: str) -> TableLayout:
    return TableLayout(
        "VM insights",
        Style.INSIGHTS,
        time,
        "Val",
        "Name",
        _INSIGHTS,
        machine="Computer",
        object="Namespace",
        instance="Tags",
        utc=True,
    )


LAYOUTS = (
    _azure("TimeGenerated [UTC]", utc=True),
    _azure("TimeGenerated [Local Time]", utc=False),
    _azure("TimeGenerated", utc=True),
    TableLayout(
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
    _insights("TimeGenerated [UTC]"),
    _insights("TimeGenerated"),
    TableLayout(
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
    TableLayout(
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
# Columns of InfluxDB's tables that do not name the measured object; every other column is a tag.
INFLUX_OWN = frozenset(("", "result", "table", "_start", "_stop", "_time", "_value", "_field", "_measurement"))
INFLUX_MACHINES = ("host", "source", "hostname", "computer")


@dataclass(frozen=True, slots=True)
class Head:
    """The header of a known long table: its names as the file writes them, its delimiter and its physical line."""

    layout: TableLayout
    names: tuple[str, ...]
    delimiter: str
    line: int

    def place(self, name: str) -> int | None:
        """Returns the position of a column by its name, or None if there is none."""
        lowered = [other.casefold() for other in self.names]
        return lowered.index(name.casefold()) if name and name.casefold() in lowered else None


def find_head(data: bytes, whole: bool = False) -> Head | None:
    """Returns the header of a known long table in a file's first bytes, or None for any other file."""
    text, _ = decode_text(data, whole)
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
    """Returns a line's header, or None if no layout has its columns, or one of them occurs twice. `below` are the lines
    after it."""
    names = trimmed(split_cells(line, delimiter))
    rows = (split_cells(row, delimiter) for row in below)
    layout = _layout_of(names) or next(filter(None, (_by_cells(names, row) for row in rows)), None)
    return None if layout is None else Head(layout, tuple(names), delimiter, number)


def _by_cells(names: Sequence[str], row: Sequence[str]) -> TableLayout | None:
    """Returns the layout of a header whose first row has one counter path, one time and one number; None for any
    other."""
    if len(row) != len(names) or len({name.casefold() for name in names}) != len(names) or not all(names):
        return None
    paths, times, numbers = (
        [name for name, cell in zip(names, row, strict=True) if fits(cell)]
        for fits in (_PATH.fullmatch, is_stamp, _NUMBER.fullmatch)
    )
    if not (len(paths) == len(times) == len(numbers) == 1):
        return None
    return TableLayout("Get-Counter paths", Style.PATH, times[0], numbers[0], paths[0], _PATHS)


def _layout_of(names: Sequence[str]) -> TableLayout | None:
    lowered = [name.casefold() for name in names]
    return next((item for item in LAYOUTS if all(lowered.count(name.casefold()) == 1 for name in item.needed)), None)


# The units that Get-Stat writes next to a value, by the unit of the metric.
_VSPHERE_UNITS = {"1/s": ("number",), "s": ("millisecond",), "B/s": ("kbps",), "%": ("%", "percent"), "B": ("kb",)}
_VM_GROUPS = ("virtualdisk",)
_VM = "virtualmachine-"


@dataclass(frozen=True, slots=True)
class Parts:
    """A key by the content of its cells. For vSphere, `kind` states if the machine is a VM. `tags` are further
    names."""

    machine: str = ""
    object: str = ""
    counter: str = ""
    instance: str = ""
    unit: str = ""
    kind: str = ""
    tags: str = ""


def series_of(
    keys: Sequence[Key], fields: Sequence[str], style: Style, problems: Problems
) -> tuple[Series, ...] | CellFault:
    """Returns a series per key, `column` counting from 0, or a fault if two machines have one name. `fields` names the
    cells of the keys as `Parts` does."""
    parts = [Parts(**dict(zip(fields, key, strict=True))) for key in keys]
    if style is Style.VSPHERE:
        series = _vsphere(parts, problems)
    else:
        if style is Style.TELEGRAF:
            parts = [_windows_names(part) if part.kind else part for part in parts]
        if style is Style.INSIGHTS:
            # Its processor values cover all processors.
            parts = [replace(part, instance="_Total") if part.object == "Processor" else part for part in parts]
        series = _windows(parts)
        note_language(series, False, None, problems)
    return one_name_each(series, parts) or series


def _windows(parts: Sequence[Parts]) -> tuple[Series, ...]:
    described = describe([_path(part) for part in parts])
    return tuple(
        msgspec.structs.replace(series, path=f"{series.path} [{part.tags}]") if part.tags else series
        for series, part in zip(described, parts, strict=True)
    )


def _path(part: Parts) -> str:
    if part.counter.startswith("\\\\"):
        return part.counter
    instance = f"({part.instance})" if part.instance else ""
    return f"\\\\{part.machine}\\{part.object}{instance}\\{part.counter}"


def _windows_names(part: Parts) -> Parts:
    """Returns the Windows names of a counter that Telegraf has written. `kind` is its tag `objectname`."""
    counter = part.counter.replace("_persec", "/sec").replace("Percent_", "% ").replace("_", " ")
    return replace(part, object=part.kind.replace("_", " "), counter=counter)


def _vsphere(parts: Sequence[Parts], problems: Problems) -> tuple[Series, ...]:
    with_disks = {part.machine for part in parts if part.counter.partition(".")[0].casefold() in _VM_GROUPS}
    series, unknown, other_units = [], dict[str, None](), dict[str, None]()
    for column, part in enumerate(parts):
        group, _, counter = part.counter.partition(".")
        is_vm = part.kind.casefold().startswith(_VM) if part.kind else part.machine in with_disks
        if not part.kind and not is_vm:
            unknown[part.machine] = None
        # A row without an instance is the sum of the others, and is the one that counts if it exists.
        instance = part.instance or "_Total"
        metric = metric_of(group, instance, counter)
        if metric is not None and not _unit_fits(metric, part.unit):
            other_units[f"{part.counter} ({part.unit})"] = None
            metric = None
        where = f"{part.machine}: {part.counter}" + (f" ({part.instance})" if part.instance else "")
        vm = part.machine if is_vm else None
        series.append(Series(column, where, part.machine, group, instance, counter, vm, metric if vm else None))
    if unknown:
        kinds = "may be a VM or a host" if len(unknown) == 1 else "may be VMs or hosts"
        message = (
            f"{few_named(quoted(unknown))} {kinds}: the file has neither an EntityId column nor a virtual disk counter."
        )
        problems.warn("machine-kind-unknown", message, "counters kept without a VM; export the EntityId column as well")
    if other_units:
        units = "The unit of this counter differs" if len(other_units) == 1 else "The units of these counters differ"
        message = f"{units} from the VMware documentation: {_few(other_units)}."
        action = acted("counter kept, but not used for metrics; check the units in the export", len(other_units))
        problems.warn("other-unit", message, action)
    return tuple(series)


def _few(names: dict[str, None]) -> str:
    return few_named(list(names))


def _unit_fits(metric: Metric, unit: str) -> bool:
    return not unit or unit.casefold() in _VSPHERE_UNITS.get(metric.quantity.unit, ())


def one_name_each(series: Sequence[Series], parts: Sequence[Parts]) -> CellFault | None:
    """Returns the fault of two series with identical names that belong to different things, or None if all names are
    unique."""
    seen: dict[tuple[str, ...], Parts] = {}
    for counter, part in zip(series, parts, strict=True):
        names = (counter.vm or counter.host, counter.object, counter.instance, counter.counter)
        other = seen.setdefault(tuple(name.casefold() for name in names), part)
        if other is not part:
            return CellFault(_two_things(other, part), 1, "file not imported; export each machine separately")
    return None


def _two_things(first: Parts, other: Parts) -> str:
    name = f"'{other.counter}' of '{other.machine}'"
    for field in ("kind", "tags", "unit", "machine", "object", "instance", "counter"):
        texts = getattr(first, field), getattr(other, field)
        if texts[0] != texts[1]:
            return f"{name} has two meanings: '{texts[0]}' and '{texts[1]}'."
    return f"{name} appears twice."
