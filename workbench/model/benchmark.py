"""Benchmark results: one row of values from a storage benchmark tool."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Op(StrEnum):
    """The operation that a benchmark row measured."""

    READ = "read"
    WRITE = "write"
    TRIM = "trim"
    MIXED = "mixed"
    TOTAL = "total"


class LatencyKind(StrEnum):
    """The parts included in a tool's latency: submission and completion, or only completion."""

    TOTAL = "total"
    COMPLETION = "completion"


@dataclass(frozen=True, slots=True)
class Benchmark:
    """One row of benchmark values. None means *not measured*; it is never 0.

    `mb_per_s` is decimal (10^6 bytes/s). Latencies are milliseconds. `started` is ISO-8601 UTC. `latency_kind`
    describes the mean and `percentile_kind` the percentiles. Both are None if the tool has only one kind of latency or
    measured none. `run` separates rows of one job that did not run together; None if the file does not state it.
    `pattern` is `random` or `sequential`. `read_percent` is the share of reads in the whole job, repeated in each of
    its rows. A `total` row sums up the other rows of its job: exclude it from sums. `error` is the message of the tool
    if the job failed. Its values are kept but not reliable. `histogram` has one pair per latency bucket: upper edge in
    ms, share of the I/Os in percent. Edges rise; a bucket begins at the edge before it (the first one at 0). Tools
    round shares, so their sum may differ from 100. `curve` names the load curve to which the row belongs.
    `load_percent` is the requested share of the full rate (None: the run at full speed). `part` names the part of the
    run that the row measured (`host n1`, `sd Disk1`; None: the whole run). `slices` are the rows of such parts: they
    repeat the values of the run by part and do not count in sums and comparisons. `line` is the first line of the
    values in the file; `place` is their path in a JSON or XML document. Both are ignored when rows are compared for
    equality.
    """

    path: str
    tool: str
    op: Op
    tool_version: str | None = None
    test: str | None = None
    job: str | None = None
    host: str | None = None
    iops: float | None = None
    mb_per_s: float | None = None
    latency_mean_ms: float | None = None
    latency_p50_ms: float | None = None
    latency_p95_ms: float | None = None
    latency_p99_ms: float | None = None
    block_bytes: int | None = None
    queue_depth: int | None = None
    threads: int | None = None
    read_percent: float | None = None
    started: str | None = None
    error: str | None = None
    pattern: str | None = None
    histogram: tuple[tuple[float, float], ...] = ()
    latency_kind: LatencyKind | None = None
    percentile_kind: LatencyKind | None = None
    run: int | None = 1
    curve: str | None = None
    load_percent: float | None = None
    part: str | None = None
    slices: tuple[Benchmark, ...] = ()
    line: int | None = field(default=None, compare=False)
    place: str = field(default="", compare=False)
