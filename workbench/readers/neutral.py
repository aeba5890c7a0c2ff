"""Benchmark JSON that many kinds of tools write. Only values with a storage unit are read.

| format | source | read |
|---|---|---|
| github-action-benchmark, custom `[{name, unit, value}]` | its README [S], test files [F] | value by `unit` |
| Bencher Metric Format `{name: {measure: {value}}}` | its documentation [D], its test files [F] | see below |
| Google Benchmark | its documentation [D] | `real_time` by `time_unit`, `bytes_per_second` |
| pytest-benchmark | its test file [F] | mean in seconds |
| JMH | its test file [F] | score by `scoreUnit` |
| BenchmarkDotNet | its test file [F] | mean in nanoseconds |

Bencher's file names no units: its built-in measures `latency` (nanoseconds) and `throughput` (operations per second)
are read, with a note. Each value is a separate row with its name in the file. The words `read` and `write` in that name
give the direction, otherwise it is `total`. A unit or name that does not belong to a storage metric (percent, requests,
memory, minimum, p90 …) is a problem, never a guess.

Only I/Os per second, bytes per second and the duration of one operation are read. `MB` is 10^6 and `MiB` 2^20 bytes;
`Mb` would be bits and is not read as bytes. Requests, items and percent are not I/Os.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from workbench.model.benchmark import Benchmark, Op
from workbench.model.problem import Problem, Severity
from workbench.model.reading import Reader, Reading
from workbench.readers.common.row_problems import acted, counting, numbered
from workbench.readers.text import documents as bt
from workbench.readers.text.documents import LoadedText
from workbench.readers.text.json import Json, number

LABEL = "benchmark-json"
_MAX_PROBLEMS = 50
_OPENS = re.compile(r"\s*[\[{]")
_BMF = re.compile(
    r'\s*\{\s*"(?:[^"\\]|\\.){0,500}"\s*:\s*\{\s*"[^"]{1,200}"\s*:\s*\{\s*"(?:value|lower_value|upper_value)"\s*:'
)
_CUSTOM = re.compile(r'\s*\[\s*\{\s*"(?:name|unit|value|range|extra)"\s*:')


def identify(head: bytes, _name: str) -> float:
    """Returns less than 1.0: storage tools' own JSON takes precedence."""
    text = bt.head_text(head)
    if not _OPENS.match(text):
        return 0.0
    marks: tuple[tuple[str, ...], ...] = (
        ('"BenchmarkDotNetVersion"',),
        ('"jmhVersion"', '"benchmark"'),
        ('"primaryMetric"', '"scoreUnit"'),
        ('"machine_info"', '"benchmarks"', '"stats"'),
        ('"context"', '"benchmarks"', '"real_time"'),
    )
    if any(all(mark in text for mark in group) for group in marks):
        return 0.9
    if _CUSTOM.match(text) and '"name"' in text and '"unit"' in text and '"value"' in text:
        return 0.8
    return 0.8 if _BMF.match(text) else 0.0


def read(path: Path, name: str, _columns: Path) -> Reading:
    """Returns a row per value. The file is not imported if it holds none or cannot be decoded."""
    loaded = bt.load_json(path, name, LABEL, "benchmark JSON", "copy the file again, or repeat the run")
    return loaded if isinstance(loaded, Reading) else _reading(*loaded, name)


READER = Reader(LABEL, identify, read, by_name=True)


def _reading(document: Json, loaded: LoadedText, name: str) -> Reading:
    reader = _reader_of(document.content)
    if reader is None:
        message = "The JSON is not in a known benchmark format."
        advice = "save the results as vdi-benchmark JSON (docs/formats.md)"
        return bt.refused(LABEL, name, "unknown-format", message, advice, encoding=loaded.encoding)
    result = reader(document.content, name)
    if not result.rows:
        return _without_figures(result, loaded, name)
    problems = [*_document_problems(document, name), *_first(result.problems, name)]
    return bt.reading_of(LABEL, name, loaded.encoding, result.rows, problems, result.rejected)


def _reader_of(content: Any) -> Callable[[Any, str], NeutralRows] | None:
    """Returns the reader for the format of the document."""
    first = content[0] if isinstance(content, list) and content else None
    if isinstance(first, dict):
        return jmh if "primaryMetric" in first else custom_list if "unit" in first else None
    if not isinstance(content, dict):
        return None
    if isinstance(content.get("HostEnvironmentInfo"), dict) and isinstance(content.get("Benchmarks"), list):
        return benchmark_dot_net
    if isinstance(content.get("benchmarks"), list):
        return pytest_benchmark if "machine_info" in content else google_benchmark
    is_bencher = content and all(isinstance(measures, dict) for measures in content.values())
    return bencher if is_bencher else None


def _without_figures(result: NeutralRows, loaded: LoadedText, name: str) -> Reading:
    if result.problems:
        others = len(result.problems) - 1
        more = f", and {counting(others, 'other entry', 'is', 'are')} also unusable" if others else ""
        message = f"{result.problems[0].message.removesuffix('.')}{more}."
    else:
        message = "The benchmark JSON contains no results."
    advice = "write storage metrics as vdi-benchmark JSON (docs/formats.md)"
    if result.problems and result.problems[0].code == "not-a-number":
        advice = f"correct the value{'s' * (others > 0)} and open the file again"
    return bt.refused(
        LABEL, name, "no-storage-figures", message, advice, encoding=loaded.encoding, rejected=result.rejected
    )


def _document_problems(document: Json, name: str) -> list[Problem]:
    problems = bt.repeated_keys(document, name)
    if document.before or document.after:
        problems.append(
            bt.warning(
                name,
                "text-around",
                "The file contains other text before or after the JSON.",
                "text ignored; check it in the file",
            )
        )
    return problems


def _first(problems: list[Problem], name: str) -> list[Problem]:
    """Returns the problems of the first entries, one problem for all others, and every note on the whole file."""
    entries = [problem for problem in problems if problem.severity is not Severity.INFO]
    if len(entries) <= _MAX_PROBLEMS:
        return problems
    number = len(entries) - _MAX_PROBLEMS
    message = f"{counting(number, 'further entry', 'has', 'have')} no storage metric."
    problem = bt.warning(name, "no-storage-figure", message, acted("entry rejected; check it in the file", number))
    notes = [problem for problem in problems if problem.severity is Severity.INFO]
    return [*entries[:_MAX_PROBLEMS], problem, *notes]


_READ = re.compile(r"(?<![a-z])(?:rand(?:om)?|seq(?:uential)?)?[-_ ]?reads?(?![a-z])", re.IGNORECASE)
_WRITE = re.compile(r"(?<![a-z])(?:rand(?:om)?|seq(?:uential)?)?[-_ ]?writes?(?![a-z])", re.IGNORECASE)
_BENCHER = {"latency": "ns", "throughput": "ops/s"}
_GOOGLE_UNITS = ("ns", "us", "ms", "s")


@dataclass(slots=True)
class NeutralRows:
    """The rows of a document, the problems found, and the number of rejected entries."""

    name: str
    rows: list[Benchmark] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    rejected: int = 0

    def reject(self, code: str, message: str) -> None:
        """Rejects an entry, with the reason."""
        self.rejected += 1
        self.problems.append(bt.warning(self.name, code, message, "value rejected; check it in the file"))

    def take(self, shared: Benchmark, value: object, unit: object, what: str, named: bool = False) -> None:
        """Adds the row of one value, or the reason why it is not a metric of a row.

        `what` names the value in that reason; `named` means that only this name separates a mean from a percentile.
        """
        figure = number(value)
        if figure is None:
            self.reject("not-a-number", f"{what} is negative or not a number.")
            return
        known = as_figure(figure, unit) if isinstance(unit, str) else None
        if known is None:
            shown = f"the unit “{unit[:40]}”, not" if unit and isinstance(unit, str) else "no unit, such as"
            self.reject("no-storage-figure", f"{what} has {shown} IOPS, MB/s or a time unit.")
            return
        key: str | None = known[0]
        if key == "latency":
            key = latency_figure(what) if named else "latency_mean_ms"
        if key is None:
            self.reject("no-storage-figure", f"{what} is not a supported statistic (mean, p50, p95, p99).")
            return
        self.rows.append(_filled(shared, key, known[1]))


def custom_list(content: list[Any], name: str) -> NeutralRows:
    """Reads github-action-benchmark's custom list."""
    result = NeutralRows(name)
    for index, entry in enumerate(content):
        if not isinstance(entry, dict) or not isinstance(entry.get("name"), str):
            result.reject("not-an-entry", f"Entry {index + 1} has no name.")
            continue
        shared = _shared(name, "github-action-benchmark", entry["name"])
        result.take(shared, entry.get("value"), entry.get("unit"), f"“{entry['name'][:120]}”", named=True)
    _note(result)
    return result


def bencher(content: dict[str, Any], name: str) -> NeutralRows:
    """Reads Bencher Metric Format: a measure named `latency` is in nanoseconds, `throughput` in operations per
    second."""
    result = NeutralRows(name)
    for job, measures in content.items():
        for measure, entry in measures.items():
            value = entry.get("value") if isinstance(entry, dict) else None
            unit = _BENCHER.get(measure.lower(), measure)
            result.take(_shared(name, "bencher", job), value, unit, f"“{job[:100]}” ({measure[:40]})", named=True)
    if result.rows:
        message = "The Bencher file contains no units."
        action = "latency treated as nanoseconds and throughput as operations per second, the default units of Bencher"
        result.problems.append(bt.info(name, "unit-assumed", message, action))
    _note(result)
    return result


def google_benchmark(content: dict[str, Any], name: str) -> NeutralRows:
    """Reads Google Benchmark: the repetitions, or the mean if only aggregates were kept."""
    result = NeutralRows(name)
    context = _dict(content.get("context"))
    entries = _entries(result, content["benchmarks"])
    single = [entry for entry in entries if entry.get("run_type", "iteration") == "iteration"]
    means = [entry for entry in entries if entry.get("aggregate_name") == "mean"]
    for entry in single or means:
        _google_entry(result, entry, context)
    left = len(entries) - len(single or means)
    if left:
        repeat = "repeats" if left == 1 else "repeat"
        message = f"{numbered(left, 'aggregate')} (median, deviation, …) {repeat} individual results."
        result.problems.append(bt.info(name, "aggregates", message, acted("aggregate ignored", left)))
    _note(result)
    return result


def pytest_benchmark(content: dict[str, Any], name: str) -> NeutralRows:
    """Reads pytest-benchmark: seconds; its date is UTC if it states no offset."""
    result = NeutralRows(name)
    machine = _dict(content.get("machine_info"))
    for entry in _entries(result, content["benchmarks"]):
        job = _string(entry.get("fullname")) or _string(entry.get("name"))
        stats = _dict(entry.get("stats"))
        shared = replace(
            _shared(name, "pytest-benchmark", job),
            tool_version=_string(content.get("version")),
            host=_string(machine.get("node")),
            started=_started(content.get("datetime"), assume_utc=True),
        )
        result.take(shared, stats.get("mean"), "s", f"The mean of “{(job or '(no name)')[:100]}”")
    _note(result)
    return result


def jmh(content: list[Any], name: str) -> NeutralRows:
    """Reads JMH: the score by its unit. In sampling mode (`sample`) its percentiles are of single operations."""
    result = NeutralRows(name)
    for entry in _entries(result, content):
        metric = _dict(entry.get("primaryMetric"))
        params = _dict(entry.get("params"))
        named = "".join(f" {key}={value}" for key, value in params.items())
        job = (_string(entry.get("benchmark")) or "(no name)") + named
        shared = replace(
            _shared(name, "jmh", job),
            tool_version=_string(entry.get("jmhVersion")),
            threads=_threads(result, entry, job),
        )
        before = len(result.rows)
        result.take(shared, metric.get("score"), metric.get("scoreUnit"), f"The score of “{job[:100]}”")
        if entry.get("mode") == "sample" and len(result.rows) > before:
            result.rows[-1] = _with_percentiles(result.rows[-1], metric)
    _note(result)
    return result


def benchmark_dot_net(content: dict[str, Any], name: str) -> NeutralRows:
    """Reads BenchmarkDotNet: nanoseconds per operation."""
    result = NeutralRows(name)
    host = content["HostEnvironmentInfo"]
    for entry in _entries(result, content["Benchmarks"]):
        job = _string(entry.get("FullName")) or _string(entry.get("DisplayInfo"))
        stats = _dict(entry.get("Statistics"))
        shared = replace(
            _shared(name, "benchmarkdotnet", job), tool_version=_string(host.get("BenchmarkDotNetVersion"))
        )
        result.take(shared, stats.get("Mean"), "ns", f"The mean of “{(job or '(no name)')[:100]}”")
    _note(result)
    return result


def _threads(result: NeutralRows, entry: dict[str, Any], job: str) -> int | None:
    """Returns the threads of a test. A stated value that is not a count is a problem."""
    threads = entry.get("threads")
    if isinstance(threads, int) and not isinstance(threads, bool) and 0 < threads < 2**31:
        return threads
    if threads is not None:
        result.problems += bt.left_empty(result.name, f"The test “{job[:100]}”", ["threads"])
    return None


def _google_entry(result: NeutralRows, entry: dict[str, Any], context: dict[str, Any]) -> None:
    job = _string(entry.get("run_name")) or _string(entry.get("name")) or "(no name)"
    shared = replace(
        _shared(result.name, "google-benchmark", job),
        tool_version=_string(context.get("library_version")),
        host=_string(context.get("host_name")),
        started=_started(context.get("date"), assume_utc=False),
        threads=_threads(result, entry, job),
    )
    if entry.get("error_occurred") is True:
        stated = _string(entry.get("error_message"))
        message = f"“{stated[:200]}”" if stated else "no reason is given"
        result.rows.append(replace(shared, error=f"Google Benchmark skipped this test: {message}."))
        result.problems.append(
            bt.warning(
                result.name,
                "job-failed",
                f"Google Benchmark skipped the test “{job[:100]}”: {message}.",
                "test listed without results; repeat the test",
            )
        )
        return
    unit = entry.get("time_unit", "ns")
    before = len(result.rows)
    result.take(shared, entry.get("real_time"), unit if unit in _GOOGLE_UNITS else None, f"The time of “{job[:100]}”")
    rate = number(entry.get("bytes_per_second"))
    if rate is not None and len(result.rows) > before:
        result.rows[-1] = replace(result.rows[-1], mb_per_s=rate / 1e6)


def _entries(result: NeutralRows, listed: Iterable[Any]) -> list[dict[str, Any]]:
    entries = []
    for index, entry in enumerate(listed):
        if isinstance(entry, dict):
            entries.append(entry)
        else:
            result.reject("not-an-entry", f"Entry {index + 1} is not a JSON object.")
    return entries


def _shared(name: str, tool: str, job: str | None) -> Benchmark:
    return Benchmark(path=name, tool=tool, op=_op(job or ""), test=bt.file_stem(name), job=job)


def _op(job: str) -> Op:
    """Returns `read` or `write` if exactly one of the words is in the name."""
    reads, writes = bool(_READ.search(job)), bool(_WRITE.search(job))
    return Op.TOTAL if reads == writes else Op.READ if reads else Op.WRITE


def _note(result: NeutralRows) -> None:
    """Notes the facts that the format does not state."""
    if result.rows:
        message = "The format does not define what one operation is."
        action = "operations assumed to be I/Os"
        result.problems.append(bt.info(result.name, "operations-assumed", message, action))
    if any(row.op is not Op.TOTAL for row in result.rows):
        message = "Reads and writes were recognised only by the names of the metrics."
        result.problems.append(bt.info(result.name, "direction-by-name", message, "check the names"))


def _filled(shared: Benchmark, key: str, value: float) -> Benchmark:
    return replace(
        shared,
        iops=value if key == "iops" else None,
        mb_per_s=value if key == "mb_per_s" else None,
        latency_mean_ms=value if key == "latency_mean_ms" else None,
        latency_p50_ms=value if key == "latency_p50_ms" else None,
        latency_p95_ms=value if key == "latency_p95_ms" else None,
        latency_p99_ms=value if key == "latency_p99_ms" else None,
    )


def _with_percentiles(row: Benchmark, metric: dict[str, Any]) -> Benchmark:
    listed = metric.get("scorePercentiles")
    if not isinstance(listed, dict) or row.latency_mean_ms is None:
        return row
    unit = str(metric.get("scoreUnit"))
    values = [number(listed.get(percent)) for percent in ("50.0", "95.0", "99.0")]
    known = [None if value is None else as_figure(value, unit) for value in values]
    p50, p95, p99 = (None if percentile is None else percentile[1] for percentile in known)
    return replace(row, latency_p50_ms=p50, latency_p95_ms=p95, latency_p99_ms=p99)


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _string(value: object) -> str | None:
    return value[:500] if isinstance(value, str) and value else None


def _started(value: object, assume_utc: bool) -> str | None:
    if not isinstance(value, str):
        return None
    try:
        moment = datetime.fromisoformat(value)
        if moment.tzinfo is None:
            if not assume_utc:
                return None
            moment = moment.replace(tzinfo=UTC)
        return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError):
        return None


_SECONDS = {"s": 1.0, "sec": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ns": 1e-9}
_BYTES = {
    "B": 1.0,
    "bytes": 1.0,
    "kB": 1e3,
    "KB": 1e3,
    "MB": 1e6,
    "GB": 1e9,
    "KiB": 2.0**10,
    "MiB": 2.0**20,
    "GiB": 2.0**30,
}
_PER_SECOND = frozenset(("iops", "ios/s", "ios/sec", "io/s", "op/s", "ops/s", "ops/sec"))
_KILO_IOPS = frozenset(("kiops",))
_OPERATION = frozenset(("iter", "op", "io", "ios", "iteration", "operation"))
# "p99", "p99 latency", "99th percentile". A row has no p90, p99.9, minimum or maximum.
_LISTED = re.compile(r"(?<![a-z0-9.])p[-_ ]?(50|95|99)(?![0-9.])|(?<![0-9.])(50|95|99)th(?![a-z])", re.IGNORECASE)
_MEDIAN = re.compile(r"(?<![a-z])median(?![a-z])", re.IGNORECASE)
_OTHER = re.compile(
    r"(?<![a-z0-9])p[-_ ]?\d{1,3}(?:\.\d+)?(?![a-z])|(?<![0-9])\d{1,3}(?:\.\d+)?th(?![a-z])"
    r"|(?<![a-z])(?:min|minimum|max|maximum|stdev|stddev|deviation|cv|jitter|variance)(?![a-z])",
    re.IGNORECASE,
)


def as_figure(value: float, unit: str) -> tuple[str, float] | None:
    """Returns (`iops`, I/Os per second), (`mb_per_s`, 10^6 bytes/s) or (`latency`, ms); None for any other unit."""
    text = unit.strip().removesuffix(".")
    if text.lower() in _PER_SECOND:
        return "iops", value
    if text.lower() in _KILO_IOPS:
        return "iops", value * 1e3
    above, _, below = text.partition("/")
    below = below.strip()
    if above in _SECONDS and (not below or below.lower() in _OPERATION):
        return "latency", value * _SECONDS[above] * 1e3
    if above in _BYTES and below in ("s", "sec"):
        return "mb_per_s", value * _BYTES[above] / 1e6
    if above.lower() in ("op", "ops") and below in _SECONDS:
        return "iops", value / _SECONDS[below]
    return None


def latency_figure(name: str) -> str | None:
    """Returns the latency metric that a name states: the mean, or p50, p95, p99; None for others."""
    match = _LISTED.search(name)
    if match is not None:
        return f"latency_p{match[1] or match[2]}_ms"
    if _OTHER.search(name):
        return None
    return "latency_p50_ms" if _MEDIAN.search(name) else "latency_mean_ms"
