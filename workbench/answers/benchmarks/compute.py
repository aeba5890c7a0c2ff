"""Storage benchmarks: the table, and the groups of comparable rows.

Two rows are of one kind if they have the same block size, queue depth, threads, pattern (random or sequential) and
share of reads. A subject is a file, host and job. Several rows of one subject and kind are either repeats, whose mean
is the figure, or clones of one job that ran together, which are added.

A family is one block size, one pattern and one mix of reads and writes: its tests may share an axis. The interval of
repeats is Student's, mean ± t(0.975, n − 1) × s / √n, for three or more repeats. Two repeats give their range, one
gives nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from statistics import mean, stdev
from typing import Literal

from workbench.measures.statistics import CONFIDENCE, reach_of
from workbench.model.benchmark import Benchmark, LatencyKind, Op

OPS = (Op.READ, Op.WRITE, Op.TRIM, Op.MIXED, Op.TOTAL)
Quantity = Literal["iops", "mb_per_s", "latency_mean_ms", "latency_p50_ms", "latency_p95_ms", "latency_p99_ms"]
Basis = Literal["single", "range", "interval"]

_TOGETHER_S = 2.0
_LISTS_CLONES = ("fio",)
_MIX_STEP = 5  # a measured share of 49.97 % reads is the same test as 50.02 %
_Key = tuple[tuple[int, int | str], ...]


@dataclass(frozen=True, slots=True)
class BenchmarkKind:
    """The I/O that a test did. None: the file does not state it."""

    block_bytes: int | None
    queue_depth: int | None
    threads: int | None
    pattern: str | None
    read_percent: int | None


@dataclass(frozen=True, slots=True)
class BenchmarkSubject:
    """A job of a file, on a host."""

    path: str
    tool: str
    test: str | None
    job: str | None
    host: str | None


@dataclass(frozen=True, slots=True)
class Family:
    """The common properties of rows that may share an axis. `op` is used if the mix of reads is unknown."""

    block_bytes: int | None
    pattern: str | None
    read_percent: int | None
    op: Op | None


@dataclass(frozen=True, slots=True)
class Measured:
    """A figure of a group: the mean over `n` repeats.

    `low` and `high` are the 95 % interval of the mean for three or more repeats, the range for two, None for one.
    `values` are the repeats in the order of the file.
    """

    mean: float
    n: int
    low: float | None = None
    high: float | None = None
    values: tuple[float, ...] = field(default=(), compare=False)

    @property
    def basis(self) -> Basis:
        """The kind of `low` and `high`."""
        return "single" if self.n == 1 else "range" if self.n == 2 else "interval"


@dataclass(frozen=True, slots=True)
class BenchmarkGroup:
    """The rows of one subject and kind: bars that are drawn side by side."""

    kind: BenchmarkKind
    subject: BenchmarkSubject
    rows: tuple[Benchmark, ...]

    def measured(self, op: Op, quantity: Quantity) -> Measured | None:
        """The figure of a direction; None if nothing was measured. Failed jobs do not count.

        Within one run of the job, IOPS and MB/s of its clones are added, and the mean latency is weighted by their
        IOPS.
        """
        rows = [row for row in self.rows if row.op is op and row.error is None]
        values = [value for run in runs_of_rows(rows) if (value := _of_run(run, quantity)) is not None]
        return measured_of(values)

    def latency_kind(self, op: Op) -> LatencyKind | None:
        """The kind of latency that the mean of a direction is of; None if its rows do not agree."""
        kinds = self.latency_kinds([op], "latency_mean_ms")
        return kinds.pop() if len(kinds) == 1 else None

    def latency_kinds(self, ops: Sequence[Op], quantity: Quantity) -> set[LatencyKind | None]:
        """The kinds of latency of the means or percentiles of these directions' rows."""
        rows = [row for row in self.rows if row.op in ops and row.error is None and getattr(row, quantity) is not None]
        mean = quantity == "latency_mean_ms"
        return {row.latency_kind if mean else row.percentile_kind for row in rows}

    @property
    def clones(self) -> int:
        """The number of clones of the job that ran together and are added; 1 if each row is a run."""
        per_op = [[row for row in self.rows if row.op is op and row.error is None] for op in self.ops]
        return max((len(run) for rows in per_op for run in runs_of_rows(rows)), default=1)

    @property
    def ops(self) -> tuple[Op, ...]:
        """The directions it has rows for, in the order of the screen."""
        return tuple(op for op in OPS if any(row.op is op for row in self.rows))

    @property
    def main_op(self) -> Op:
        """The direction for the whole test: `total` if there is one, otherwise the only or first direction."""
        return Op.TOTAL if Op.TOTAL in self.ops else self.ops[0]

    @property
    def threads(self) -> int | None:
        """Total threads, including clones; None if the file does not state it."""
        return None if self.kind.threads is None else self.kind.threads * self.clones

    @property
    def family(self) -> Family:
        """The family, whose tests share an axis."""
        kind = self.kind
        op = self.main_op if kind.read_percent is None else None
        return Family(kind.block_bytes, kind.pattern, kind.read_percent, op)

    @property
    def name(self) -> str:
        """The authors' name of the test: its test, otherwise its job, otherwise its file."""
        return self.subject.test or self.subject.job or self.subject.path


def measured_of(values: Sequence[float]) -> Measured | None:
    """The mean of repeats with its interval (range of two, nothing for one); None without values."""
    if not values:
        return None
    kept = tuple(values)
    if len(kept) == 1:
        return Measured(kept[0], 1, values=kept)
    centre = mean(kept)
    if len(kept) == 2:
        return Measured(centre, 2, min(kept), max(kept), kept)
    reach = reach_of(CONFIDENCE, len(kept) - 1) * stdev(kept) / len(kept) ** 0.5
    return Measured(centre, len(kept), centre - reach, centre + reach, kept)


def families(gathered: Iterable[BenchmarkGroup]) -> dict[Family, tuple[BenchmarkGroup, ...]]:
    """The groups by family, the family with the most groups first; groups of an unknown block size last."""
    by_family: dict[Family, list[BenchmarkGroup]] = {}
    for group in gathered:
        by_family.setdefault(group.family, []).append(group)
    ordered = sorted(by_family.items(), key=lambda entry: (entry[0].block_bytes is None, -len(entry[1])))
    return {family: tuple(members) for family, members in ordered}


def of_one_kind(members: Iterable[BenchmarkGroup]) -> bool:
    """True if all tests of a family had the same block size and I/O outstanding. Only then one test has the most or the
    least. Tests whose files do not state the size count as equal if they are jobs of one name."""
    tests = list(members)
    stated = all(group.kind.block_bytes for group in tests) or len({group.subject.job for group in tests}) == 1
    return stated and len({(group.kind.queue_depth, group.threads) for group in tests}) == 1


def benchmark_table(rows: Iterable[Benchmark]) -> tuple[Benchmark, ...]:
    """The rows ordered for reading: by file (2 before 10), then as the file has them."""
    return tuple(sorted(rows, key=lambda row: natural(row.path)))


def groups(rows: Iterable[Benchmark]) -> tuple[BenchmarkGroup, ...]:
    """The rows grouped by kind and subject; groups of the same kind are next to each other.

    Rows of one job that differ only in the direction's block size are different kinds. A failed job without figures
    also has a group, so it is visible.
    """
    by_kind: dict[tuple[BenchmarkKind, BenchmarkSubject], list[Benchmark]] = {}
    for row in benchmark_table(rows):
        by_kind.setdefault((_kind(row), _subject(row)), []).append(row)
    gathered = [BenchmarkGroup(kind, subject, tuple(members)) for (kind, subject), members in by_kind.items()]
    return tuple(sorted(gathered, key=lambda group: _kind_order(group.kind)))


def failed(rows: Iterable[Benchmark]) -> tuple[Benchmark, ...]:
    """One row of each failed job, in the order of the table."""
    seen: dict[tuple[BenchmarkSubject, str | None], Benchmark] = {}
    for row in benchmark_table(rows):
        if row.error is not None:
            seen.setdefault((_subject(row), row.started), row)
    return tuple(seen.values())


def _kind(row: Benchmark) -> BenchmarkKind:
    mix = None if row.read_percent is None else _MIX_STEP * round(row.read_percent / _MIX_STEP)
    return BenchmarkKind(row.block_bytes, row.queue_depth, row.threads, row.pattern, mix)


def _subject(row: Benchmark) -> BenchmarkSubject:
    return BenchmarkSubject(row.path, row.tool, row.test, row.job, row.host)


def _kind_order(kind: BenchmarkKind) -> tuple[tuple[bool, float | str], ...]:
    """A sorting key: sequential before random, large blocks before small ones, unknown last."""
    numbers = (kind.block_bytes, kind.queue_depth, kind.threads, kind.read_percent)
    return (
        (kind.pattern is None, "" if kind.pattern is None else _PATTERN_ORDER.get(kind.pattern, kind.pattern)),
        *((value is None, float(value or 0)) for value in numbers),
    )


_PATTERN_ORDER = {"sequential": "0", "random": "1"}


@lru_cache(maxsize=65_536)
def natural(text: str) -> _Key:
    """A sorting key that puts 2 before 10."""
    parts = re.findall(r"\d{1,18}|\D+|\d+", text.casefold())
    return tuple((0, int(part)) if _is_short_number(part) else (1, part) for part in parts)


def _is_short_number(part: str) -> bool:
    return part.isascii() and part.isdigit() and len(part) <= 18


def runs_of_rows(rows: Sequence[Benchmark]) -> list[list[Benchmark]]:
    """The rows of one job, one list per run.

    fio lists each clone of a job (numjobs) separately. Clones are one run if the reader says that they ran together and
    they started within two seconds of the first. If this is unknown, there are no runs: fio before 2.2 states no start,
    and it does not separate groups of jobs.
    """
    if not any(row.tool in _LISTS_CLONES for row in rows) or len(rows) < 2:
        return [[row] for row in rows]
    if any(_seconds(row.started) is None or row.run is None for row in rows):
        return []
    runs: list[list[Benchmark]] = []
    for row in sorted(rows, key=lambda row: (row.run or 0, _seconds(row.started) or 0.0)):
        if runs and runs[-1][0].run == row.run and _together(runs[-1][0], row):
            runs[-1].append(row)
        else:
            runs.append([row])
    return sorted(runs, key=lambda run: _seconds(run[0].started) or 0.0)


def _together(first: Benchmark, row: Benchmark) -> bool:
    value, other = _seconds(first.started), _seconds(row.started)
    return value is not None and other is not None and other - value <= _TOGETHER_S


def _seconds(started: str | None) -> float | None:
    try:
        return datetime.fromisoformat(started).timestamp() if started else None
    except ValueError:
        return None


def _of_run(clones: Sequence[Benchmark], quantity: Quantity) -> float | None:
    """The figure of all clones together; None if one of them lacks it."""
    values = [value for row in clones if (value := getattr(row, quantity)) is not None]
    if not values or len(values) < len(clones):
        return None
    if len(values) == 1:
        return float(values[0])
    if quantity in ("iops", "mb_per_s"):
        return float(sum(values))
    # Percentiles of parts cannot be combined.
    return _weighted(values, clones) if quantity == "latency_mean_ms" else None


def _weighted(latencies: Sequence[float], clones: Sequence[Benchmark]) -> float | None:
    weights = [row.iops for row in clones if row.iops is not None]
    if len(weights) < len(clones) or not sum(weights):
        return None
    return sum(value * weight for value, weight in zip(latencies, weights, strict=True)) / sum(weights)
