"""The series of a PDH file: each counter's canonical name, its metric, and its machine.

In a guest's file the machine is the host of the path. A host of virtual machines is recognised by its Hyper-V counters
or by esxtop's objects: there a counter belongs to the VM in its instance, or to no VM.
"""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from sys import intern

from workbench.model.metric import Metric, Quantity, Vantage
from workbench.model.problem import few_named
from workbench.model.recording import Series
from workbench.readers.common.counters import canonical, metric_of
from workbench.readers.common.row_problems import Problems, acted, counting, quoted
from workbench.readers.perfmon.header import CounterPath, is_path, split_path

_DISK_RATES = (Quantity.IOPS, Quantity.READ_IOPS, Quantity.WRITE_IOPS)
_TOTAL = "_total"
_STORAGE = "hyper-v virtual storage device"
_PROCESSOR = "hyper-v hypervisor virtual processor"
_DYNAMIC_MEMORY = "hyper-v dynamic memory vm"
_SHARES = "smb client shares"
_VIRTUAL_DISK = "virtual disk"
_GROUPS = ("group cpu", "group memory")
ESXTOP_OBJECTS = frozenset(
    (
        _VIRTUAL_DISK,
        *_GROUPS,
        "physical cpu",
        "physical cpu load",
        "vcpu",
        "physical disk adapter",
        "physical disk path",
        "physical disk scsi device",
        "network port",
    )
)
_NESTED_DISK = re.compile(r"^(?P<vm>.+?):v?(?:scsi|sata|nvme|ide)\d+(?::\d+)*$", re.IGNORECASE)
_SYSTEM_GROUPS = frozenset(
    ("idle", "system", "helper", "drivers", "ft", "vmotion", "console", "vmkapimod", "user", "minifree")
)
_DAEMON = re.compile(r"\.\d+$")  # hostd.66694
_DISK_SUFFIX = re.compile(r"(_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})?\.a?vhdx?$", re.IGNORECASE)


def describe(names: Sequence[str]) -> tuple[Series, ...]:
    """Returns one series per counter name of the header; `column` counts from 0."""
    with _collector_at_rest():
        return _described(names)


def _described(names: Sequence[str]) -> tuple[Series, ...]:
    # A million counters repeat a few texts: each is kept once.
    paths = [CounterPath._make(map(intern, _path(name, column))) for column, name in enumerate(names)]
    english = [canonical(path.object, path.counter) for path in paths]
    objects = {(path.host, name) for path, (name, _) in zip(paths, english, strict=True)}
    hosts_by_object = {(host, name.casefold()) for host, name in objects}
    hyper_v = {host for host, name in hosts_by_object if _is_host_object(name)}
    esxtop = {host for host, name in hosts_by_object if name in ESXTOP_OBJECTS}
    vms = _known_vms(paths) if hyper_v else ()
    aggregates = _esxtop_vms(paths) if esxtop else frozenset()
    processors = {
        (path.host, counter)
        for path, (name, counter) in zip(paths, english, strict=True)
        if name == "Processor" and path.instance.casefold() == _TOTAL
    }
    series: list[Series] = []
    for column, (name, path, (object_name, counter)) in enumerate(zip(names, paths, english, strict=True)):
        metric = metric_of(object_name, path.instance, counter)
        if object_name == "Processor Information" and (path.host, counter) in processors:
            metric = None  # Processor(_Total) has the same value
        if path.host in esxtop:
            vm, metric = _esxtop(path, metric, aggregates)
        elif path.host in hyper_v:
            vm = _hyper_v_vm(path, vms)
            metric = _at_host(metric)
        else:
            vm = path.host or None
        series.append(Series(column, name, path.host, object_name, path.instance, counter, vm, metric))
    return tuple(series)


@contextmanager
def _collector_at_rest() -> Iterator[None]:
    """Turns off the search for reference cycles while tens of thousands of small objects without cycles are made: it
    takes a third of the time."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


def note_language(series: Sequence[Series], foreign: bool, line: int | None, problems: Problems) -> None:
    """Notes counters of a Windows language that is in no table, if the file has no disk rates. `foreign`: its header
    says that Windows is not English; otherwise letters that no English name has show it, or a translated object."""
    if any(one.metric is not None and one.metric.quantity in _DISK_RATES for one in series):
        return
    paths = {split_path(one.path)[1::2]: one for one in series if one.metric is None and one.object}
    unknown = [
        "\\".join(path)
        for path, one in paths.items()
        if path[1] == one.counter
        and (foreign or not "".join(path).isascii() or path[0].casefold() != one.object.casefold())
    ]
    if unknown:
        are = counting(len(unknown), "counter name", "is", "are")
        problems.warn(
            "counter-language",
            f"{are} probably not English: {few_named(quoted(unknown), 1)}.",
            acted("counter not used for metrics", len(unknown))
            + "; record on English Windows, or translate the header (names: 'lodctr /s:names.ini')",
            line,
        )


def is_esxtop(names: Sequence[str]) -> bool:
    """True if the header is from esxtop's batch mode."""
    return any(split_path(name).object.casefold() in ESXTOP_OBJECTS for name in names)


def vm_of_disk(path: str, known: Sequence[str] = ()) -> str:
    r"""Returns the machine that owns this virtual disk, if its path names it.

    Windows writes the path with `-` for `\`, so its folders are not certain. The first preference is a VM known from
    other counters, the second a name that is both a folder and a file. The last one is the last part of the path with a
    letter in it.
    """
    stem = _DISK_SUFFIX.sub("", re.split(r"[\\/]", path)[-1])
    for vm in sorted(known, key=len, reverse=True):
        if stem.casefold() == vm.casefold() or stem.casefold().endswith("-" + vm.casefold()):
            return vm
    # A second disk is in the machine's folder, or has its name as a prefix: W10-001-cache.
    for vm in sorted(known, key=len, reverse=True):
        if f"-{vm}-".casefold() in f"-{stem}-".casefold():
            return vm
    _, text, behind = stem.rpartition("Virtual Hard Disks-")
    if text:
        return behind
    parts = stem.split("-")
    for start in range(1, len(parts)):
        tail = "-".join(parts[start:])
        if f"-{tail}-".casefold() in f"-{'-'.join(parts[:start])}-".casefold():
            return tail
    start = len(parts) - 1
    while start > 0 and not any(letter.isalpha() for letter in parts[start]):
        start -= 1
    return "-".join(parts[start:])


def _path(name: str, column: int) -> CounterPath:
    """Returns the parts of a name. A column that is not a counter keeps its name, or gets one by its position."""
    return split_path(name) if is_path(name) else CounterPath("", "", "", name or f"cell {column + 2}")


def _is_host_object(object_name: str) -> bool:
    """True for Hyper-V's objects that exist only on hosts, that is all except those of the integration services."""
    lowered = object_name.casefold()
    return lowered.startswith("hyper-v") and "integration" not in lowered


@cache
def _at_host(metric: Metric | None) -> Metric | None:
    """Returns the metric as measured at the host."""
    return replace(metric, vantage=Vantage.HOST) if metric else None


def _known_vms(paths: Sequence[CounterPath]) -> tuple[str, ...]:
    """Returns the machines that Hyper-V's processor and memory counters name."""
    nones: dict[str, None] = {}
    for path in paths:
        lowered = path.object.casefold()
        if lowered in (_PROCESSOR, _DYNAMIC_MEMORY) and path.instance.casefold() != _TOTAL:
            nones.setdefault(path.instance.partition(":")[0] if lowered == _PROCESSOR else path.instance)
    return tuple(nones)


def _hyper_v_vm(path: CounterPath, known: Sequence[str]) -> str | None:
    lowered = path.object.casefold()
    if path.instance.casefold() == _TOTAL or not path.instance:
        return None
    if lowered == _PROCESSOR:
        return path.instance.partition(":")[0]
    if lowered == _DYNAMIC_MEMORY:
        return path.instance
    if lowered == _SHARES:
        share = re.split(r"[\\/]", path.instance)[-1].casefold()
        return next((vm for vm in known if vm.casefold() == share), None)
    return vm_of_disk(path.instance, known) if lowered == _STORAGE else None


def _esxtop_vms(paths: Sequence[CounterPath]) -> frozenset[str]:
    """Returns the machines of esxtop's `Virtual Disk(vm)`, which is the sum of a machine's disks."""
    return frozenset(
        path.instance
        for path in paths
        if path.object.casefold() == _VIRTUAL_DISK and not _NESTED_DISK.match(path.instance)
    )


def _esxtop(path: CounterPath, metric: Metric | None, aggregates: frozenset[str]) -> tuple[str | None, Metric | None]:
    """Returns the VM and the metric of an esxtop counter. A disk included in its VM's sum has no metric."""
    host_metric = _at_host(metric)
    lowered = path.object.casefold()
    if lowered == _VIRTUAL_DISK:
        nested = _NESTED_DISK.match(path.instance)
        if nested is None:
            return path.instance, host_metric
        return nested["vm"], None if nested["vm"] in aggregates else host_metric
    if lowered in _GROUPS:
        name = path.instance.partition(":")[2]
        is_vm = name in aggregates if aggregates else name not in _SYSTEM_GROUPS and not _DAEMON.search(name)
        return (name, host_metric) if is_vm and name else (None, None)
    return None, host_metric
