"""Benchmarks: one row of figures from a storage benchmark tool."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Op(StrEnum):
    """What a benchmark row measured."""

    READ = "read"
    WRITE = "write"
    TRIM = "trim"
    MIXED = "mixed"
    TOTAL = "total"


class LatencyKind(StrEnum):
    """What a tool's latency takes in: submission and completion, or the completion alone."""

    TOTAL = "total"
    COMPLETION = "completion"


@dataclass(frozen=True, slots=True)
class Benchmark:
    """One figure row. None is *not measured*, never 0.

    `mb_per_s` is decimal (10^6 bytes/s); latencies are milliseconds; `started` is ISO-8601 UTC.
    `latency_kind` is what the mean is of, `percentile_kind` what the percentiles are of; None if the tool knows one
    latency only, or none was measured.
    `run` tells rows of one job in one result apart that did not run together; None: the file does not say.
    `pattern` is `random` or `sequential`; `read_percent` is the share of reads in the whole job, on each of
    its rows. A `total` row repeats the rows beside it: leave it out of sums.
    `error` is the tool's own sentence when the job failed: its figures are kept, and not to be trusted.
    `histogram` holds (upper edge in ms, share of the I/Os in percent) of each latency bucket, edges rising;
    a bucket reaches down to the edge before it (the first one to 0). Tools round shares: they need not add
    up to 100.
    `curve` names the load curve that the row is a point of, `load_percent` the share of the full rate that was asked
    for (None: the run at full speed).
    `part` is what a row of a part of the run is of (`host n1`, `sd Disk1`; None: the whole run). `slices` are such
    rows of the same run: they repeat its figures by part, and take no part in sums and comparisons.
    `line` is the line of the file the figures stand in, or begin at; `place` their path in a JSON or XML document.
    They say where a row was read, not what it says: rows that differ in nothing else are equal.
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
