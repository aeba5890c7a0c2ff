"""Benchmark rows with their histograms and their ratio to the raw disk, sweeps and repeats, as JSON and CSV rows.

Schemas vdi-workbench/sweeps/1 and vdi-workbench/repeats/1. Keys may be added, never renamed or removed. null is not
available; MB are 10^6 bytes, latencies milliseconds, gains and shares percent.
"""

from __future__ import annotations

from collections.abc import Sequence

from workbench.answers.benchmarks.compute import Group, Measured, families, groups
from workbench.answers.benchmarks.load.curves import knee_rows
from workbench.answers.benchmarks.raw_disk import ratio_to_raw, raw_disk
from workbench.answers.benchmarks.sweeps import GAIN, Step, Sweep, doubling_gains, gains
from workbench.answers.common.document import Table, benchmark_rows
from workbench.measures.statistics import Change
from workbench.model.benchmark import Benchmark, Op

SWEEPS_SCHEMA = "vdi-workbench/sweeps/1"
REPEATS_SCHEMA = "vdi-workbench/repeats/1"


def rows_with_histograms(rows: Sequence[Benchmark]) -> list[Table]:
    """The contract's rows with `histogram`: [upper edge in ms, share of I/Os in percent] of each bucket, or null;
    `is_knee` of a row on a load curve, else null; `percentile_kind`, what the percentiles are of, else null; and
    `slices`, rows of what hosts, storage and workloads did of it."""
    knees = knee_rows(rows)
    return [
        {
            **table,
            "is_knee": knees.get(id(row)),
            "percentile_kind": row.percentile_kind and row.percentile_kind.value,
            "histogram": [list(bucket) for bucket in row.histogram] or None,
            "slices": benchmark_rows(row.slices),
        }
        for table, row in zip(benchmark_rows(rows), rows, strict=True)
    ]


def rows_against_raw(rows: Sequence[Benchmark], raw: str | None) -> list[Table]:
    """The contract's rows, each with its IOPS against the raw disk's of its family and direction.

    `raw` names the raw-disk test, None takes the one whose name says raw. The ratio's ends are the range of two
    runs or the 95 % interval from three on; null where there is no ratio, or no uncertainty to state.
    """
    ratios = _against_raw(rows, raw)
    return [
        {**table, **_ratio(ratios.get(id(row)))} for table, row in zip(rows_with_histograms(rows), rows, strict=True)
    ]


def sweeps_table(sweeps: Sequence[Sweep]) -> Table:
    """`vdiwb benchmarks --sweeps --format json` as a value."""
    return {"schema": SWEEPS_SCHEMA, "knee_gain_percent": 100 * GAIN, "sweeps": [_sweep(sweep) for sweep in sweeps]}


def sweep_rows(sweeps: Sequence[Sweep]) -> list[Table]:
    """The steps of every sweep, flat."""
    return [{"sweep": index, **_head(sweep), **step} for index, sweep in enumerate(sweeps, 1) for step in _steps(sweep)]


def repeats_table(tests: Sequence[Group]) -> Table:
    """`vdiwb benchmarks --repeats --format json` as a value."""
    return {
        "schema": REPEATS_SCHEMA,
        "tests": [
            {
                **_subject(group),
                "n": len(_values(group)),
                **{name: _spread(group.measured(group.main_op, name)) for name in ("iops", "mb_per_s")},
                "latency_mean_ms": _spread(group.measured(group.main_op, "latency_mean_ms")),
                "latency_kind": group.latency_kind(group.main_op),
            }
            for group in tests
        ],
    }


def repeat_rows(tests: Sequence[Group]) -> list[Table]:
    """The runs of every repeated test, flat."""
    return [
        {
            **_subject(group),
            "run": run + 1,
            "iops": value,
            "mb_per_s": _at(group.measured(group.main_op, "mb_per_s"), run),
            "latency_mean_ms": _at(group.measured(group.main_op, "latency_mean_ms"), run),
        }
        for group in tests
        for run, value in enumerate(_values(group))
    ]


def _against_raw(rows: Sequence[Benchmark], raw: str | None) -> dict[int, tuple[str, bool, Change | None]]:
    ratios: dict[int, tuple[str, bool, Change | None]] = {}
    for members in families(groups(rows)).values():
        disk = raw_disk(members, raw)
        if disk is None:
            continue
        for group in members:
            for row in group.rows:
                change = ratio_to_raw(disk, group, row.op) if row.error is None else None
                ratios[id(row)] = (disk.name, disk.guessed, change)
    return ratios


def _ratio(ratio: tuple[str, bool, Change | None] | None) -> Table:
    name, guessed, change = ratio or (None, None, None)
    return {
        "raw_test": name,
        "raw_test_guessed": guessed,
        "iops_ratio_to_raw": change.ratio if change else None,
        "iops_ratio_low": change.low if change else None,
        "iops_ratio_high": change.high if change else None,
        "iops_ratio_basis": change.basis if change else None,
    }


def _subject(group: Group) -> Table:
    subject, kind = group.subject, group.kind
    return {
        "path": subject.path,
        "tool": subject.tool,
        "test": subject.test,
        "job": subject.job,
        "host": subject.host,
        "op": group.main_op.value,
        "block_bytes": kind.block_bytes,
        "pattern": kind.pattern,
        "read_percent": kind.read_percent,
        "queue_depth": kind.queue_depth,
        "threads": group.threads,
    }


def _head(sweep: Sweep) -> Table:
    subject, kind = sweep.subject, sweep.kind
    return {
        "name": sweep.name,
        "tool": subject.tool,
        "host": subject.host,
        "op": sweep.op.value,
        "block_bytes": kind.block_bytes,
        "pattern": kind.pattern,
        "read_percent": kind.read_percent,
        "varies": sweep.varies,
        "holds": sweep.holds,
        "held": sweep.held,
    }


def _sweep(sweep: Sweep) -> Table:
    steps = _steps(sweep)
    return {
        **_head(sweep),
        "knee": steps[sweep.knee],
        "best": steps[sweep.best],
        "still_rising": sweep.open_ended,
        "steps": steps,
    }


def _steps(sweep: Sweep) -> list[Table]:
    gained = zip(sweep.steps, gains(sweep), doubling_gains(sweep), strict=True)
    return [
        _step(step, sweep.op, gain, index == sweep.knee) | {"doubling_gain_percent": doubling}
        for index, (step, gain, doubling) in enumerate(gained)
    ]


def _step(step: Step, op: Op, gain: float | None, is_knee: bool) -> Table:
    return {
        "path": step.group.subject.path,
        "queue_depth": step.queue_depth,
        "threads": step.threads,
        "outstanding": step.outstanding,
        "n": step.iops.n,
        "iops": step.iops.mean,
        "gain_percent": gain,
        "mb_per_s": _mean(step.mb_per_s),
        "latency_mean_ms": _mean(step.latency_ms),
        "latency_p99_ms": _mean(step.p99_ms),
        "latency_kind": step.group.latency_kind(op),
        "is_knee": is_knee,
    }


def _spread(measured: Measured | None) -> Table | None:
    if measured is None:
        return None
    return {
        "mean": measured.mean,
        "low": measured.low,
        "high": measured.high,
        "basis": measured.basis,
        "values": list(measured.values),
    }


def _values(group: Group) -> tuple[float, ...]:
    measured = group.measured(group.main_op, "iops")
    return measured.values if measured else ()


def _at(measured: Measured | None, run: int) -> float | None:
    return measured.values[run] if measured and run < measured.n else None


def _mean(measured: Measured | None) -> float | None:
    return None if measured is None else measured.mean
