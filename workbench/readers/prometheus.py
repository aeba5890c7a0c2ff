"""Prometheus: the response of `/api/v1/query_range` as JSON, with the names of windows_exporter.

    {"status": "success", "data": {"resultType": "matrix", "result": [
     {"metric": {"__name__": "windows_logical_disk_reads_total", "instance": "W11-001:9182", "volume": "C:"},
      "values": [[1778400000, "4711"], …]}, …]}}

The list of series that `promtool query range -o json` prints is read too. Times are Unix seconds, values are texts. The
metrics in `_METRICS` are mapped to the Windows counters from which windows_exporter reads them, with the same meaning.
A metric that ends in `_total` counts from the start of Windows. Its rate is the difference of two samples divided by
the seconds between them, and is missing if the count falls (the machine restarted). The mean latency of a sample is the
growth of its seconds divided by that of its operations. `rate(…)` removes the name: then the file's name may contain
that of the metric, and the values are its rates. Sources: prometheus.io, HTTP API, "Range queries";
github.com/prometheus-community/windows_exporter, docs/collector.*.md and internal/collector (units).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from workbench.model.reading import Reader, Reading
from workbench.readers.common.flat_columns import write_table
from workbench.readers.common.recorded import recorded
from workbench.readers.common.row_problems import Problems, acted, counting, none_of
from workbench.readers.perfmon.series import describe
from workbench.readers.text.documents import load_documents, refused
from workbench.readers.text.encodings import decode_text
from workbench.readers.text.timestamps import iso

FloatArray = npt.NDArray[np.float64]

LABEL = "prometheus"
_MARK = re.compile(r'"resultType"\s*:\s*"(?:matrix|vector|scalar|string)"|^\s*\[\s*\{\s*"metric"\s*:\s*\{')
_FAILED = re.compile(r'^\s*\{\s*"status"\s*:\s*"error"\s*,\s*"errorType"\s*:')
_NAME = "__name__"
_MACHINES = ("instance", "host", "hostname", "computer", "nodename")
_NUMBER = re.compile(r"[-+]?(?:\d{1,400}(?:\.\d{0,400})?|\.\d{1,400})(?:[eE][-+]?\d{1,4})?", re.ASCII)
_PORT = re.compile(r":\d{1,5}$")
# The old name of windows_exporter.
_OLD, _PREFIX = "wmi_", "windows_"
# Valid times: from 1980 to 2200.
_FIRST, _LAST = 315_532_800.0, 7_258_118_400.0
# Percentage by which a machine may seem more than idle.
_IDLE_SLACK = 2.0
_MAX_CELLS = 50_000_000


class _Counter(NamedTuple):
    """A Windows counter: its object and name, the label of its instance, and the factor to its unit."""

    object: str
    counter: str
    label: str = ""
    factor: float = 1.0


def _disk(kind: str, object_name: str, label: str) -> dict[str, _Counter]:
    names = {
        "reads_total": "Disk Reads/sec",
        "writes_total": "Disk Writes/sec",
        "read_bytes_total": "Disk Read Bytes/sec",
        "write_bytes_total": "Disk Write Bytes/sec",
        "requests_queued": "Current Disk Queue Length",
    }
    return {f"windows_{kind}_{name}": _Counter(object_name, counter, label) for name, counter in names.items()}


_NETWORK, _GRAPHICS, _VIRTUAL = "RemoteFX Network", "RemoteFX Graphics", "Hyper-V Virtual Storage Device"
_METRICS = {
    **_disk("logical_disk", "LogicalDisk", "volume"),
    **_disk("physical_disk", "PhysicalDisk", "disk"),
    "windows_memory_available_bytes": _Counter("Memory", "Available Bytes"),
    "windows_memory_pool_nonpaged_bytes": _Counter("Memory", "Pool Nonpaged Bytes"),
    "windows_remote_fx_net_current_tcp_rtt_seconds": _Counter(_NETWORK, "Current TCP RTT", "session_name", 1e3),
    "windows_remote_fx_net_current_udp_rtt_seconds": _Counter(_NETWORK, "Current UDP RTT", "session_name", 1e3),
    "windows_remote_fx_net_current_tcp_bandwidth": _Counter(_NETWORK, "Current TCP Bandwidth", "session_name", 8e-3),
    "windows_remote_fx_net_current_udp_bandwidth": _Counter(_NETWORK, "Current UDP Bandwidth", "session_name", 8e-3),
    "windows_remote_fx_net_loss_rate": _Counter(_NETWORK, "Loss Rate", "session_name"),
    "windows_remote_fx_gfx_output_frames_total": _Counter(_GRAPHICS, "Output Frames/Second", "session_name"),
    "windows_remote_fx_gfx_average_encoding_time_seconds": _Counter(
        _GRAPHICS, "Average Encoding Time", "session_name", 1e3
    ),
    "windows_hyperv_virtual_storage_device_operations_read_total": _Counter(_VIRTUAL, "Read Operations/Sec", "device"),
    "windows_hyperv_virtual_storage_device_operations_written_total": _Counter(
        _VIRTUAL, "Write Operations/Sec", "device"
    ),
}
# Metrics with the seconds of all operations, and those with their number: the quotient is the mean latency.
_LATENCIES = {
    f"windows_{kind}_{half}_latency_seconds_total": (
        f"windows_{kind}_{half}s_total",
        _Counter(object_name, f"Avg. Disk sec/{half.capitalize()}", label),
    )
    for kind, object_name, label in (
        ("logical_disk", "LogicalDisk", "volume"),
        ("physical_disk", "PhysicalDisk", "disk"),
    )
    for half in ("read", "write")
}
_CPU, _SKIPPED = "windows_cpu_time_total", "windows_remote_fx_gfx_frames_skipped_insufficient_resource_total"


@dataclass(frozen=True, eq=False)
class _Raw:
    """A series of Prometheus: its name, its labels, ascending times (s) and values. `behind`: True if the previous
    point was lost. `rates`: the values are rates."""

    name: str
    labels: dict[str, str]
    times: FloatArray
    values: FloatArray
    behind: npt.NDArray[np.bool_]
    rates: bool = False

    @property
    def machine(self) -> str:
        return next((_PORT.sub("", self.labels[key]) for key in _MACHINES if self.labels.get(key)), "")

    @property
    def key(self) -> tuple[tuple[str, str], ...]:
        return tuple(sorted(self.labels.items()))

    def at(self, times: FloatArray) -> _Raw:
        """Returns the series at some of its times."""
        places = np.searchsorted(self.times, times)
        return replace(self, times=times, values=self.values[places], behind=self.behind[places])

    def rate(self) -> FloatArray:
        """Returns its rate at each time; it is missing at the first time and after a fall of the counter."""
        if self.rates:
            return self.values
        found = np.full(self.times.size, np.nan)
        grown = np.diff(self.values)
        found[1:] = np.where((grown >= 0) & ~self.behind[1:], grown / np.diff(self.times), np.nan)
        return found


class _Made(NamedTuple):
    """A counter as perfmon would name it, with its samples."""

    path: str
    times: FloatArray
    values: FloatArray


def identify(head: bytes, _name: str) -> float:
    """Returns 1.0 for the marks of a Prometheus response."""
    text, _ = decode_text(head)
    return 1.0 if _MARK.search(text) or _FAILED.match(text) else 0.0


def read(path: Path, name: str, columns: Path) -> Reading:
    """Returns a recording with the file's series. Unusable series are left out, each with a problem."""
    problems = Problems(name)
    documents = load_documents(path, name, LABEL, "save the response again", problems)
    if isinstance(documents, Reading):
        return documents
    rejected = Rejected(problems)
    parts = [one for document in documents.found for one in _series(document, Path(name).stem, rejected)]
    series = _joined(parts, problems)
    # Extreme values overflow; the result is checked like any other value.
    with np.errstate(over="ignore", invalid="ignore"):
        made = list(_counters(series, problems))
    cells = sum(one.times.size for one in made)
    if twice := len(made) - len({one.path.casefold() for one in made}):
        message = f"{twice:,} series {'has' if twice == 1 else 'have'} the same machine and counter as another series."
        problems.warn(
            "duplicate-counter",
            message,
            "only the first series of each counter imported; limit the query to one job, and repeat it",
        )
    if not cells:
        message = f"{none_of(rejected.count, 'series')} could be used." if rejected.count else rejected.why
        reading = refused(LABEL, name, "no-series", message, rejected.advice, rejected=rejected.count)
        return replace(reading, problems=(*problems.all(), *reading.problems))
    times = np.unique(np.concatenate([one.times for one in made]))
    if times.size * len(made) > _MAX_CELLS:
        message = f"{len(made):,} series at {times.size:,} timestamps are too many for one table."
        return refused(LABEL, name, "too-large", message, "save one response per machine", rejected=len(made))
    values = np.full((len(made), times.size), np.nan)
    for row, one in zip(values, made, strict=True):
        row[np.searchsorted(times, one.times)] = one.values
    described = tuple(
        msgspec.structs.replace(counter, own_times=bool(one.times.size < times.size))
        for counter, one in zip(describe([one.path for one in made]), made, strict=True)
    )
    stamps = np.round(times * 1e6).astype(np.int64)
    write_table(columns, stamps, values)
    missing = values.size - int(np.isfinite(values).sum())
    return recorded(name, LABEL, stamps, described, 0, missing, rejected.count, problems.all(), documents.encoding)


READER = Reader(LABEL, identify, read, by_name=True)


@dataclass
class Rejected:
    """The number of series left out, each with a problem, and the reason if no series can be read."""

    problems: Problems
    count: int = 0
    why: str = "The response contains no series."
    advice: str = "repeat the request with query_range"

    def tell(self, code: str, message: str, number: int, advice: str = "check it in the file") -> None:
        """Notes a number of samples that are missing."""
        self.problems.warn(code, message, acted(f"sample left empty; {advice}", number))

    def without(self, number: int, what: str, done: str) -> None:
        """Notes a series that lacks part of its name, as the result of an expression does."""
        self.problems.info("incomplete-name", f"Series {number} has no {what}.", done)

    def lack(self, number: int, what: str) -> None:
        """Leaves out a series."""
        self.count += 1
        self.problems.warn("item-rejected", f"Series {number} {what}.", "series ignored; check it in the file")


def _series(document: Any, stem: str, rejected: Rejected) -> Iterator[_Raw]:
    results = document
    if isinstance(document, dict):
        data = document.get("data")
        if document.get("status") == "error":
            rejected.why = f"Prometheus rejected the query: “{str(document.get('error'))[:200]}”."
            rejected.advice = "correct the query, and save the response again"
        kind = data.get("resultType") if isinstance(data, dict) else None
        if kind is not None and kind != "matrix":
            rejected.why = (
                f"The response is from an instant query ({str(kind)[:20]}): it contains only one point in time."
            )
            return
        results = data.get("result") if isinstance(data, dict) else None
    for number, item in enumerate(results if isinstance(results, list) else (), 1):
        labels, points = (item.get("metric"), item.get("values")) if isinstance(item, dict) else (None, None)
        if not isinstance(labels, dict) or not isinstance(points, list):
            rejected.lack(number, "has no metric or no values")
            continue
        if not all(isinstance(value, str) for value in labels.values()):
            rejected.lack(number, "has a label that is not text")
            continue
        found = _points(points)
        if not found[0].size:
            rejected.lack(number, "has no data point with a timestamp")
            continue
        if lost := len(points) - int(np.isfinite(found[1]).sum()):
            has = counting(lost, "sample", "has", "have")
            message = f"Series {number}: {has} an invalid value, or an invalid or repeated timestamp."
            rejected.tell("not-a-number", message, lost)
        if "_total" in str(labels.get(_NAME)) and (fallen := int((np.diff(found[1]) < 0).sum())):
            first = iso(round(1e6 * float(found[0][1:][np.diff(found[1]) < 0][0])), 0)
            fell = f"fell at {first}" if fallen == 1 else f"fell {fallen} times, first at {first}"
            message = f"Series {number} is a cumulative counter, but it {fell}: Windows was restarted."
            rejected.tell("counter-reset", message, fallen, "check whether the restart belongs to the test")
        texts: dict[str, str] = dict(labels)
        name = texts.pop(_NAME, "")
        known = name or _named_by(stem)
        if not name and known:
            rejected.problems.info(
                "name-from-file",
                f"Series {number} has no name, because rate() removes names.",
                f"treated as the rate of {known}, the counter in the file name",
            )
        elif not known:
            rejected.without(number, "name", "series shown with its labels")
        series = _Raw(_current(known), texts, *found, rates=not name)
        if not series.machine:
            rejected.without(number, "label with a machine (instance)", "series treated as one machine without a name")
        for label in _labels(series.name):
            if not texts.get(label):
                rejected.without(number, f"label '{label}'", "series imported without this label")
        yield series


def _joined(parts: Sequence[_Raw], problems: Problems) -> list[_Raw]:
    """Returns the series. If the file has a series in several parts, they are joined: an API response has at most
    11,000 points.
    """
    groups: dict[tuple[str, tuple[tuple[str, str], ...], bool], list[_Raw]] = {}
    for part in parts:
        groups.setdefault((part.name, part.key, part.rates), []).append(part)
    series = []
    for group in groups.values():
        every = np.concatenate([part.times for part in group])
        times, first = np.unique(every, return_index=True)
        values, behind = (
            np.concatenate([getattr(part, what) for part in group])[first] for what in ("values", "behind")
        )
        if repeated := int(every.size - times.size):
            has, whose = counting(repeated, "point", "has", "have"), group[0].name or "a series"
            message = f"{has} the same timestamp as another point of {whose}."
            problems.warn(
                "duplicate-sample",
                message,
                "only the first point of each timestamp imported; check the points in the file",
            )
        series.append(replace(group[0], times=times, values=values, behind=behind))
    return series


def _points(points: list[Any]) -> tuple[FloatArray, FloatArray, npt.NDArray[np.bool_]]:
    """Returns times and values in order, without points whose time is invalid, and a mask of the points after such a
    point. A value that is not a number is missing."""
    numbers = [_number(part) for point in points for part in _pair(point)]
    both = np.array(numbers, np.float64).reshape(-1, 2)
    with np.errstate(invalid="ignore"):
        timed = (both[:, 0] > _FIRST) & (both[:, 0] < _LAST)
    behind = np.append(False, ~timed[:-1])[: timed.size][timed]
    both = both[timed]
    times, first = np.unique(both[:, 0], return_index=True)
    values = both[first, 1]
    return times, np.where(np.isfinite(values), values, np.nan), behind[first]


def _pair(point: Any) -> tuple[Any, Any]:
    return (point[0], point[1]) if isinstance(point, list) and len(point) == 2 else (None, None)


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return math.nan
    text = str(value) if isinstance(value, int | float) else value
    return float(text) if _NUMBER.fullmatch(text) else math.nan


def _current(name: str) -> str:
    return _PREFIX + name.removeprefix(_OLD) if name.startswith(_OLD) else name


def _labels(name: str) -> tuple[str, ...]:
    """Returns the labels that distinguish the series of a metric on one machine; empty if the metric is unknown."""
    if name == _CPU:
        return ("core", "mode")
    counter = _METRICS[name] if name in _METRICS else _LATENCIES[name][1] if name in _LATENCIES else None
    return (counter.label,) if counter is not None and counter.label else ()


def _named_by(stem: str) -> str:
    """Returns the longest metric name that the file's name contains."""
    names = sorted((*_METRICS, _CPU, _SKIPPED), key=len, reverse=True)
    return next((name for name in names if name in stem.replace(_OLD, _PREFIX)), "")


def _counters(series: Sequence[_Raw], problems: Problems) -> Iterator[_Made]:
    by_name: dict[tuple[str, tuple[tuple[str, str], ...]], _Raw] = {(one.name, one.key): one for one in series}
    idle = [one for one in series if one.name == _CPU and one.labels.get("mode") == "idle"]
    yield from _processors(idle)
    for one in series:
        if one.name in _LATENCIES:
            operations, counter = _LATENCIES[one.name]
            other = by_name.get((operations, one.key))
            if other is None:
                message = f"The response contains no {operations} for a series of {one.name}."
                problems.warn("no-operations", message, "latency left empty; query both counters")
                yield _unknown(one)
            else:
                # Both grow over the same time, even if a point of one is lost.
                common = np.intersect1d(one.times, other.times)
                seconds, number = one.at(common), other.at(common)
                yield _made(seconds, counter, _quotient(seconds.rate(), number.rate()))
        elif one.name == _SKIPPED and one.labels.get("resource"):
            reason = one.labels["resource"].capitalize()
            counter = _Counter(_GRAPHICS, f"Frames Skipped/Second - Insufficient {reason} Resources", "session_name")
            yield _made(one, counter, one.rate())
        elif one.name in _METRICS:
            counter = _METRICS[one.name]
            values = one.rate() if one.name.endswith("_total") else one.values
            yield _made(one, counter, values * counter.factor)
        elif one not in idle:
            yield _unknown(one)


def _processors(idle: Sequence[_Raw]) -> Iterator[_Made]:
    """Returns how busy each machine is: 100 minus the percentage of idle time, averaged over its cores."""
    machines: dict[str, list[_Raw]] = {}
    for one in idle:
        machines.setdefault(one.machine, []).append(one)
    for machine, cores in machines.items():
        times = np.unique(np.concatenate([core.times for core in cores]))
        shares = np.full((len(cores), times.size), np.nan)
        for share, core in zip(shares, cores, strict=True):
            share[np.searchsorted(times, core.times)] = core.rate()
        busy = 100 - 100 * shares.mean(axis=0)
        # The times of two scrapes differ a little.
        busy = np.where((busy < 0) & (busy > -_IDLE_SLACK), 0.0, busy)
        yield _Made(rf"\\{machine}\Processor(_Total)\% Processor Time", times, busy)


def _quotient(seconds: FloatArray, operations: FloatArray) -> FloatArray:
    """Returns seconds per operation; 0 if there was no operation, as in perfmon."""
    idle = np.where(operations == 0, 0.0, np.nan)
    found: FloatArray = np.divide(seconds, operations, out=idle, where=operations > 0)
    return found


def _made(one: _Raw, counter: _Counter, values: FloatArray) -> _Made:
    instance = _plain(one.labels.get(counter.label, "")) if counter.label else ""
    shown = f"({instance})" if instance else ""
    return _Made(rf"\\{one.machine}\{counter.object}{shown}\{counter.counter}", one.times, values)


def _unknown(one: _Raw) -> _Made:
    """Returns a series of unknown meaning under its own name, with its labels as instance."""
    labels = ", ".join(f"{key}={value}" for key, value in one.key if key not in _MACHINES)
    shown = f"({_plain(labels)})" if labels else ""
    return _Made(rf"\\{one.machine}\Prometheus{shown}\{_plain(one.name) or 'without name'}", one.times, one.values)


def _plain(text: str) -> str:
    """Returns a text without the separators of a path."""
    return text.replace("\\", "/").replace("(", "[").replace(")", "]")
