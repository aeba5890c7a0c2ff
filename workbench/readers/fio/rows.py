"""Converts fio jobs to benchmark rows: units by version, and the rows of a document.

Units (stat.c of axboe/fio; the key names identify the version): `bw` is KiB/s in every version, `bw_bytes` (since 3.2)
bytes/s; `lat`, `clat` are microseconds (until 2.21), `lat_ns`, `clat_ns` nanoseconds (since 2.99). `io_bytes` is KiB
until 2.20, and bytes since 2.21, which also has `io_kbytes`.

Rows: one per direction that did I/O (`read`, `write`, `trim`, or the `mixed` of unified_rw_reporting). A job with
several directions also has a `total` row: IOPS and MB/s added, the mean latency weighted by I/O count, no percentiles,
because those cannot be combined. **Sums leave `total` rows out.** `latencies` determines the kind of the mean and of
the percentiles of a row. `options` determines the rows that ran together. The latency histogram of a job is of the
completion and counts all its directions: it is on the only row, otherwise on `total`. Rows of the directions have the
`bins` of json+ if fio wrote them. In client/server results each client has its rows. fio's own `All clients` entry
repeats them and is left out, unless no client is listed.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import Any

from workbench.model.benchmark import Benchmark, LatencyKind, Op
from workbench.model.problem import Problem, Severity, few_named
from workbench.readers.common import latency_buckets
from workbench.readers.common.row_problems import acted, numbered, quoted
from workbench.readers.fio import latencies as fio_latencies
from workbench.readers.fio import options as fio_options
from workbench.readers.fio.documents import IN_PART, OPS, TERSE, FioDocument, JsonObject, jobs_of, places_of
from workbench.readers.fio.latencies import Latencies
from workbench.readers.fio.options import Options, Runs, runs_of_job
from workbench.readers.text.json import number

_ALL_CLIENTS = "All clients"
# The most characters of the name of a job in a problem.
_SHOWN = 40
_KIB = 1024
_NO_LATENCIES = Latencies()
_FIGURES = ("iops", "bw", "bw_bytes", "total_ios", "runtime")


@dataclass(frozen=True, slots=True)
class FioRows:
    """The rows of one document, the problems found, and the number of rejected job entries."""

    benchmarks: tuple[Benchmark, ...]
    problems: tuple[Problem, ...]
    rejected: int = 0


@dataclass(frozen=True, slots=True)
class _Job:
    """One job entry with the values that its rows share."""

    entry: JsonObject
    options: Options
    shared: Benchmark
    ios: Mapping[str, float]

    @property
    def label(self) -> str:
        host = f" on {self.shared.host}" if self.shared.host else ""
        return f"Job “{_short(self.shared.job or '(no name)')}”{host}"


def _short(job: str) -> str:
    """The name of a job as a problem shows it: damaged text may have many lines of it."""
    return job if len(job) <= _SHOWN else f"{job[: _SHOWN - 1].rstrip()}…"


def document_rows(document: FioDocument, name: str, errors: Mapping[int, str], runs: int = 0) -> FioRows:
    """Returns the rows of every job of a fio document.

    `name` is the user's name for the file; `errors` are the sentences that fio printed next to the JSON for an error
    number; `runs` is the number of the last run in the documents before it.
    """
    entries = jobs_of(document.content)
    kept, problems = _without_aggregate(document, entries, name)
    rejected = [entry for entry, _ in kept if not isinstance(entry, dict)]
    if rejected:
        message = f"{numbered(len(rejected), 'entry')} of the job list {'is' if len(rejected) == 1 else 'are'} invalid."
        action = acted("entry rejected; check it in the file", len(rejected))
        problems.append(_problem(Severity.WARNING, name, document, "not-a-job", message, action))
    jobs = [(entry, client) for entry, client in kept if isinstance(entry, dict)]
    siblings = Counter(_job_key(entry) for entry, _ in jobs)
    rows: list[Benchmark] = []
    places = places_of(document)
    numbers, unsure = _runs([entry for entry, _ in jobs], document, name)
    problems += unsure
    for entry, client in jobs:
        job = _job(entry, client, document, name, siblings[_job_key(entry)], errors)
        run = numbers[id(entry)]
        line, place = places[id(entry)]
        job = replace(job, shared=replace(job.shared, run=run and run + runs, line=line, place=place))
        benchmarks = _job_rows(job)
        rows.extend(benchmarks)
        problems.extend(_job_problems(job, benchmarks, name, document))
    problems += _beyond_run(jobs, name, document)
    if not entries:
        message = "The fio result lists no jobs: fio stopped before any job started."
        problems.append(
            _problem(Severity.WARNING, name, document, "no-jobs", message, "nothing imported; repeat the run")
        )
    return FioRows(tuple(rows), tuple(problems), len(rejected))


def _without_aggregate(
    document: FioDocument, entries: list[tuple[Any, bool]], name: str
) -> tuple[list[tuple[Any, bool]], list[Problem]]:
    clients = [entry for entry, client in entries if client and isinstance(entry, dict)]
    if all(entry.get("jobname") == _ALL_CLIENTS for entry in clients):
        return entries, []
    kept = [(entry, client) for entry, client in entries if not (client and _is_aggregate(entry))]
    if len(kept) == len(entries):
        return entries, []
    message = "The “All clients” entry of fio repeats the results of the listed clients."
    action = "entry ignored, so each I/O counts once"
    return kept, [_problem(Severity.INFO, name, document, "all-clients", message, action)]


def _is_aggregate(entry: object) -> bool:
    return isinstance(entry, dict) and entry.get("jobname") == _ALL_CLIENTS


def _runs(entries: list[JsonObject], document: FioDocument, name: str) -> tuple[dict[int, int | None], list[Problem]]:
    """Returns the run of each entry, keyed by the entry's identity, and the jobs with an uncertain run."""
    by_name: dict[tuple[str, ...], list[JsonObject]] = {}
    for entry in entries:
        by_name.setdefault(_job_key(entry)[:-1], []).append(entry)
    numbers: dict[int, int | None] = {}
    problems = []
    for members in by_name.values():
        options = [fio_options.options_of(entry, document.content) for entry in members]
        runs = runs_of_job(members, options, entries)
        if document.content.get(IN_PART) == TERSE and len(members) > 1:
            # Clones, or a script that appended the line of each call.
            runs = Runs((None,) * len(members))
        numbers |= {id(entry): run for entry, run in zip(members, runs.numbers, strict=True)}
        job = f"Job “{_short(str(members[0].get('jobname')))}” appears {len(members)} times"
        if None in runs.numbers:
            message = f"{job}, and it is unknown which ran together."
            action = "rows kept separate; use fio 3.36 or later, which reports the start of each job"
            problems.append(_problem(Severity.WARNING, name, document, "runs-not-known", message, action))
        elif runs.by_time:
            message = f"{job}, one after the other according to the durations."
            action = "treated as repeated tests; if the jobs ran together, add their values"
            problems.append(_problem(Severity.INFO, name, document, "runs-by-time", message, action))
    return numbers, problems


def _job_key(entry: JsonObject) -> tuple[str, ...]:
    return tuple(str(entry.get(key)) for key in ("hostname", "port", "jobname", "groupid"))


def _job(
    entry: JsonObject, client: bool, document: FioDocument, name: str, entries: int, errors: Mapping[int, str]
) -> _Job:
    aggregate = client and _is_aggregate(entry)
    options = fio_options.options_of(entry, document.content)
    ios = {op: count for op in OPS if (count := _io_count(entry.get(op)))}
    if len(ios) > 1:
        ios.pop("mixed", None)
    shared = Benchmark(
        path=name,
        tool="fio",
        op=Op.TOTAL,
        tool_version=_version(document.content),
        test=PurePosixPath(name.replace("\\", "/")).stem or None,
        job=_text(entry.get("jobname")),
        host=_text(entry.get("hostname")) if client and not aggregate else None,
        queue_depth=fio_options.queue_depth(options),
        threads=fio_options.threads(options, entries),
        read_percent=None if _count_lost(entry) else fio_options.read_percent(options, ios),
        started=_started(entry, document.content),
        error=_error(entry.get("error"), errors),
        pattern=fio_options.pattern(options),
    )
    return _Job(entry, options, shared, ios)


def _job_rows(job: _Job) -> list[Benchmark]:
    rows = [_row(job, op) for op in OPS if op in job.ios]
    if len(rows) > 1:
        # unified_rw_reporting=both lists the sum next to the directions, with percentiles that cannot be assigned to
        # them.
        both = _io_count(job.entry.get("mixed"))
        total = replace(_row(job, "mixed"), op=Op.TOTAL) if both else _total(job, rows)
        return [*rows, replace(total, histogram=_histogram(job))]
    if len(rows) == 1:
        if _damaged_histogram(job):
            return [replace(rows[0], histogram=())]
        return [replace(rows[0], histogram=_histogram(job) or rows[0].histogram)]
    if not rows and job.shared.error:
        return [_without_figures(job)]
    return rows


def _row(job: _Job, op: str) -> Benchmark:
    section: JsonObject = job.entry[op]
    impossible = fio_latencies.beyond_run(section) is not None or bool(fio_latencies.contradiction(section))
    # A job that failed on its first I/O counted it and measured nothing.
    measured = number(section.get("runtime")) != 0.0
    row = _with_figures(
        job,
        Op(op),
        iops=number(section.get("iops")) if measured else None,
        mb_per_s=_mb_per_s(section) if measured else None,
        latencies=_NO_LATENCIES if impossible else fio_latencies.latencies(section),
        block_bytes=fio_options.block_bytes(job.options, op, _bytes_per_io(section)),
    )
    histogram = () if impossible else fio_latencies.bins(section)
    return replace(row, histogram=histogram, place=row.place and f"{row.place}.{op}")


def _histogram(job: _Job) -> latency_buckets.Histogram:
    """Returns the latency buckets of the whole job."""
    if any(fio_latencies.beyond_run(job.entry[op]) for op in job.ios):
        return ()
    tops = [top for op in job.ios for top in fio_latencies.highest(job.entry[op])]
    return latency_buckets.fio_job(job.entry, max(tops, default=None))


def _damaged_histogram(job: _Job) -> list[str]:
    """Returns the names of the damaged buckets and json+ bins of the job."""
    bins = [
        f"{op}.{name}"
        for op in OPS
        if isinstance(section := job.entry.get(op), dict)
        for name in fio_latencies.damaged_bins(section)
    ]
    return [*latency_buckets.fio_damaged(job.entry), *bins]


def _total(job: _Job, rows: list[Benchmark]) -> Benchmark:
    """Returns the total of a job with several directions. A value missing in one direction is missing in the total."""
    weights = [job.ios[row.op] for row in rows]
    kinds = {row.latency_kind for row in rows}
    means = [row.latency_mean_ms for row in rows]
    weighted = [mean * ios for mean, ios in zip(means, weights, strict=True) if mean is not None]
    mean = sum(weighted) / sum(weights) if len(weighted) == len(rows) and len(kinds) == 1 else None
    blocks = {row.block_bytes for row in rows}
    return _with_figures(
        job,
        Op.TOTAL,
        iops=_sum([row.iops for row in rows]),
        mb_per_s=_sum([row.mb_per_s for row in rows]),
        latencies=Latencies(None if mean is None else rows[0].latency_kind, mean),
        block_bytes=blocks.pop() if len(blocks) == 1 else None,
    )


def _without_figures(job: _Job) -> Benchmark:
    """Returns the row of a job that failed before any I/O, so the table shows it."""
    meant = fio_options.directions(job.options)
    op = Op(meant[0]) if len(meant) == 1 else Op.TOTAL
    return _with_figures(job, op, block_bytes=fio_options.block_bytes(job.options, op, None))


def _with_figures(
    job: _Job,
    op: Op,
    *,
    iops: float | None = None,
    mb_per_s: float | None = None,
    latencies: Latencies = _NO_LATENCIES,
    block_bytes: int | None = None,
) -> Benchmark:
    return replace(
        job.shared,
        op=op,
        iops=iops,
        mb_per_s=mb_per_s,
        latency_mean_ms=latencies.mean,
        latency_p50_ms=latencies.percentiles[0],
        latency_p95_ms=latencies.percentiles[1],
        latency_p99_ms=latencies.percentiles[2],
        latency_kind=latencies.kind,
        percentile_kind=latencies.percentile_kind,
        block_bytes=block_bytes,
    )


def _io_count(section: object) -> float:
    """Returns the I/Os of a direction, 0.0 if it did none. If fio lists no count, any I/O counts as one."""
    if not isinstance(section, dict):
        return 0.0
    if "total_ios" in section:
        return number(section["total_ios"]) or 0.0
    return 1.0 if any(number(section.get(key)) for key in ("io_bytes", "iops", "bw")) else 0.0


def _count_lost(entry: JsonObject) -> bool:
    """True if the I/Os of a direction are not a number, so their share is unknown."""
    sections = [section for op in OPS if isinstance(section := entry.get(op), dict)]
    return any("total_ios" in section and number(section["total_ios"]) is None for section in sections)


def _mb_per_s(section: JsonObject) -> float | None:
    if (in_bytes := number(section.get("bw_bytes"))) is not None:
        return in_bytes / 1e6
    in_kib = number(section.get("bw"))
    return None if in_kib is None else in_kib * _KIB / 1e6


def _bytes_per_io(section: JsonObject) -> float | None:
    amount, ios = number(section.get("io_bytes")), number(section.get("total_ios"))
    if not amount or not ios:
        return None
    return amount / ios * (1 if "io_kbytes" in section or "bw_bytes" in section else _KIB)


def _sum(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None


def _version(content: JsonObject) -> str | None:
    stated = _text(content.get("fio version"))
    return stated.removeprefix("fio-") if stated else None


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _started(entry: JsonObject, content: JsonObject) -> str | None:
    """Returns the start of the job in UTC: `job_start` (since 3.36), otherwise the start of fio.

    fio stamps its document when it prints it, at the end, so `elapsed` (whole seconds) is subtracted. A client/server
    document has no `elapsed` and is stamped at the start.
    """
    job_start = number(entry.get("job_start"))
    if job_start:
        return _utc(job_start / 1000)
    milliseconds, seconds = number(content.get("timestamp_ms")), number(content.get("timestamp"))
    printed = milliseconds / 1000 if milliseconds else seconds
    return _utc(printed - (number(entry.get("elapsed")) or 0.0)) if printed else None


def _utc(seconds: float) -> str | None:
    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (OverflowError, ValueError, OSError):
        return None


def _error(stated: object, errors: Mapping[int, str]) -> str | None:
    code = number(stated)
    if not code:
        return None
    meaning = errors.get(int(code)) or (os.strerror(int(code)) if code < 134 else "unknown error")
    return f"fio error {int(code)}: “{meaning}”"


def _job_problems(job: _Job, rows: list[Benchmark], name: str, document: FioDocument) -> list[Problem]:
    problems = []
    if job.shared.error:
        message = f"{job.label} failed with {job.shared.error}."
        action = "results kept and marked as failed; fix the error and repeat the run"
        problems.append(_problem(Severity.WARNING, name, document, "job-failed", message, action))
    elif not rows:
        message = f"{job.label} did no I/O."
        problems.append(
            _problem(
                Severity.WARNING,
                name,
                document,
                "no-io",
                message,
                "excluded from the results; check the job, and repeat the run",
            )
        )
    if unusable := _unusable(job.entry):
        values = "is not a number" if len(unusable) == 1 else "are not numbers"
        message = f"{job.label}: {few_named(quoted(unusable))} {values}."
        action = acted("value left empty; check it in the file", len(unusable))
        problems.append(_problem(Severity.WARNING, name, document, "not-a-number", message, action))
    for op in job.ios:
        if contradiction := fio_latencies.contradiction(job.entry[op]):
            message = f"{job.label}, {op}: {contradiction}."
            action = "latencies of the row left empty; copy the file again"
            problems.append(_problem(Severity.WARNING, name, document, "latency-contradiction", message, action))
    if rows and not job.shared.error and fio_options.buffered(job.options):
        named = [f", {key}={size}" for key in ("size", "filesize") if (size := job.options.get(key))]
        message = f"{job.label} used the page cache (direct=1 is not set{''.join(named[:1])})."
        action = "the results may show RAM, not the disk; repeat with direct=1 or files larger than RAM"
        problems.append(_problem(Severity.WARNING, name, document, "page-cache", message, action))
    if damaged := _damaged_histogram(job):
        message = f"{job.label} has damaged entries in its latency histogram: {few_named(damaged)}."
        action = "histogram left empty; copy the file again"
        problems.append(_problem(Severity.WARNING, name, document, "histogram-damaged", message, action))
    problems += [_problem(Severity.WARNING, name, document, "submission", *words) for words in _submissions(job, rows)]
    return problems


def _beyond_run(jobs: list[tuple[JsonObject, bool]], name: str, document: FioDocument) -> list[Problem]:
    """Returns one problem for all jobs with impossible latencies."""
    sections = [(entry, entry[op]) for entry, _ in jobs for op in OPS if isinstance(entry.get(op), dict)]
    wrong = [(entry, mean) for entry, section in sections if (mean := fio_latencies.beyond_run(section))]
    if not wrong:
        return []
    entry, mean = wrong[0]
    job = _short(str(entry.get("jobname")))
    others = f" and {numbered(len(wrong) - 1, 'other result')}" if len(wrong) > 1 else ""
    message = f"The clock was wrong: latencies are longer than the run ({mean:,.0f} ms in job “{job}”{others})."
    action = "latencies left empty, IOPS and MB/s kept; repeat the test"
    return [_problem(Severity.WARNING, name, document, "latency-beyond-run", message, action)]


def _submissions(job: _Job, rows: list[Benchmark]) -> list[tuple[str, str]]:
    """Returns the message and action for each direction whose I/O waited for its submission: what its row leaves out,
    and how to get the whole latency."""
    words = []
    for row in rows:
        section = job.entry.get(row.op, {})
        measured = row.latency_mean_ms is not None and row.op is not Op.TOTAL
        if measured and (means := fio_latencies.submission(section)):
            waited, completed = map(_three_digits, means)
            figures = "latency percentiles" if row.latency_kind is LatencyKind.TOTAL else "latencies"
            means_words = f"mean submission {waited} ms, mean completion {completed} ms"
            message = f"{job.label}, {row.op}: {figures} exclude submission ({means_words})."
            words.append((message, "values kept; to include submission, repeat the test with lat_percentiles=1"))
    return words


def _three_digits(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def _unusable(entry: JsonObject) -> list[str]:
    names: list[str] = []
    for op in OPS:
        section = entry.get(op)
        if not isinstance(section, dict):
            continue
        figures = [key for key in _FIGURES if key in section and number(section[key]) is None]
        names.extend(f"{op}.{key}" for key in figures)
        for key in fio_latencies.PER_MS:
            stats = section.get(key)
            if isinstance(stats, dict) and "mean" in stats and number(stats["mean"]) is None:
                names.append(f"{op}.{key}.mean")
            listed = stats.get("percentile") if isinstance(stats, dict) else None
            if isinstance(listed, dict) and any(number(value) is None for value in listed.values()):
                names.append(f"{op}.{key}.percentile")
    return names


def _problem(severity: Severity, name: str, document: FioDocument, code: str, message: str, action: str) -> Problem:
    return Problem(severity, name, code, message, action, line=document.line)
