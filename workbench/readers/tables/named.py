"""What the keys of a known long table mean: each key becomes a series with its counter, its machine and its metric.

Windows counters go through the catalogue that perfmon logs go through. Metrics of vSphere stand in it by group, name
and rollup. Telegraf writes a counter of Windows with `_` for a blank, `_persec` for `/sec` and `Percent` for `%`
(plugins/inputs/win_perf_counters/win_perf_counters.go, github.com/influxdata/telegraf).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import msgspec

from workbench.model.metric import UNITS, Metric
from workbench.model.recording import Series
from workbench.readers.common.counters import metric_of
from workbench.readers.common.row_problems import Problems
from workbench.readers.perfmon.notes import note_language
from workbench.readers.perfmon.series import describe
from workbench.readers.tables.keyed import Key
from workbench.readers.tables.layouts import Style
from workbench.readers.tables.long import Fault

# The units that Get-Stat writes beside a value, by the unit of the metric.
_VSPHERE_UNITS = {"1/s": ("number",), "s": ("millisecond",), "B/s": ("kbps",), "%": ("%", "percent"), "B": ("kb",)}
_VM_GROUPS = ("virtualdisk",)
_VM = "virtualmachine-"
_NAMED = 3


@dataclass(frozen=True, slots=True)
class Parts:
    """A key by what its cells hold; `kind` says of vSphere whether the machine is a VM, `tags` are further names."""

    machine: str = ""
    object: str = ""
    counter: str = ""
    instance: str = ""
    unit: str = ""
    kind: str = ""
    tags: str = ""


def series_of(
    keys: Sequence[Key], fields: Sequence[str], style: Style, problems: Problems
) -> tuple[Series, ...] | Fault:
    """A series for each key, `column` counting from 0; a fault where two machines have one name. `fields` names the
    cells of the keys as `Parts` does."""
    parts = [Parts(**dict(zip(fields, key, strict=True))) for key in keys]
    if style is Style.VSPHERE:
        series = _vsphere(parts, problems)
    else:
        if style is Style.TELEGRAF:
            parts = [_windows_names(part) if part.kind else part for part in parts]
        if style is Style.INSIGHTS:
            # Its figures of processors are of all of them.
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
    """The names of Windows again, of a counter that Telegraf has written. `kind` is its tag `objectname`."""
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
        # A row without an instance is the sum of the others, and what counts where there is one.
        instance = part.instance or "_Total"
        metric = metric_of(group, instance, counter)
        if metric is not None and not _unit_fits(metric, part.unit):
            other_units[f"{part.counter} in {part.unit}"] = None
            metric = None
        where = f"{part.machine}: {part.counter}" + (f" ({part.instance})" if part.instance else "")
        vm = part.machine if is_vm else None
        series.append(Series(column, where, part.machine, group, instance, counter, vm, metric if vm else None))
    if unknown:
        message = (
            f"{_few(unknown)}: VM or host unknown, because there is no EntityId column and no virtual disk counter."
        )
        problems.warn(
            "machine-kind-unknown", message, "counters kept, but not assigned to a VM; export EntityId as well"
        )
    if other_units:
        message = f"{_few(other_units)}: VMware documents another unit."
        problems.warn("other-unit", message, "kept as counters without a meaning")
    return tuple(series)


def _few(names: dict[str, None]) -> str:
    return ", ".join(list(names)[:_NAMED]) + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else "")


def _unit_fits(metric: Metric, unit: str) -> bool:
    return not unit or unit.casefold() in _VSPHERE_UNITS.get(UNITS[metric.quantity], ())


def one_name_each(series: Sequence[Series], parts: Sequence[Parts]) -> Fault | None:
    """The fault of two series that have all names in common and yet are of two things; None where each has its own."""
    seen: dict[tuple[str, ...], Parts] = {}
    for counter, part in zip(series, parts, strict=True):
        names = (counter.vm or counter.host, counter.object, counter.instance, counter.counter)
        other = seen.setdefault(tuple(name.casefold() for name in names), part)
        if other is not part:
            return Fault(_two_things(other, part), 1, "file not imported; export them machine by machine")
    return None


def _two_things(first: Parts, other: Parts) -> str:
    name = f"'{other.counter}' of '{other.machine}'"
    for field in ("kind", "tags", "unit", "machine", "object", "instance", "counter"):
        texts = getattr(first, field), getattr(other, field)
        if texts[0] != texts[1]:
            return f"{name} is written for two things: '{texts[0]}' and '{texts[1]}'."
    return f"{name} appears twice."
