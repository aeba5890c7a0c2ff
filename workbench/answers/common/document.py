"""The phase table, the import report and the benchmark table as JSON, CSV and plain rows.

The JSON keys are a contract (schema vdi-workbench/…/1): keys may be added, never renamed or removed.
"""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from workbench.answers.common.causes import cause_group, cause_key
from workbench.csv_files import csv_text, safe_cell
from workbench.measures.caches.use import all_problems
from workbench.measures.catalogue import MEASURES
from workbench.measures.phase_table import PhaseFigures, RunFigures
from workbench.measures.significance.method import METHOD
from workbench.measures.steadiness import Steadiness
from workbench.measures.vantage import TierFigures, tiers_of
from workbench.model.benchmark import Benchmark
from workbench.model.problem import Problem
from workbench.model.recording import FileReport
from workbench.model.run import Run, Study
from workbench.study.series.run_date import run_date

# A key in JSON, and a separate column in CSV, because CSV cannot contain notes.
METHOD_KEY = "method"
SUMMARY_SCHEMA = "vdi-workbench/summary/1"
INSPECT_SCHEMA = "vdi-workbench/inspect/1"
# Significant digits of fractions in JSON and CSV. A double has 15 to 17; the last ones depend on the order of additions
# and on the processor. No measurement has as many as 12.
DIGITS = 12

Table = dict[str, Any]

# The order of the contract; further metrics follow in the order of the catalogue.
_CONTRACT = (
    "total_io",
    "total_io_per_vm",
    "iops",
    "iops_per_vm",
    "read_iops_per_vm",
    "write_iops_per_vm",
    "iops_per_user",
    "read_percent",
    "write_percent",
    "p95_iops_per_vm",
    "peak_iops_per_vm",
    "read_latency_ms",
    "write_latency_ms",
    "cache_ram_used_mb_end",
    "cache_ram_used_mb_peak",
    "cache_disk_used_mb_end",
    "cache_disk_used_mb_peak",
    "overflow_start",
    "cpu_percent",
    "vantage",
)
_APART = frozenset(("vms", "users", "duration_s"))
_ADDED = (*(key for key in MEASURES if key not in _APART), "cache_ram_estimate", "vms", "side")
_FIGURES = tuple(dict.fromkeys((*_CONTRACT, *_ADDED)))
_MOMENTS = frozenset(key for key, measure in MEASURES.items() if measure.moment)


def summary_table(figures: Sequence[RunFigures], problems: Sequence[Problem]) -> Table:
    """`vdiwb summary --format json` as a value: rates per second, times ISO-8601 UTC, null = not available."""
    return {
        "schema": SUMMARY_SCHEMA,
        "runs": [_run(figure) for figure in figures],
        "problems": [problem_row(problem) for problem in problems],
    }


def inspect_table(studies: Sequence[Study], figures: Sequence[RunFigures] = ()) -> Table:
    """`vdiwb inspect --format json` as a value."""
    files = [report for study in studies for report in study.files]
    problems = [problem for study in studies for problem in study.problems]
    problems += [problem for figure in figures for problem in all_problems(figure)]
    readers = {report.path: report.reader for report in files}
    return {
        "schema": INSPECT_SCHEMA,
        "files": [file_row(report) for report in files],
        "problems": [_problem_with_cause(problem, readers.get(problem.file)) for problem in problems],
    }


def _problem_with_cause(problem: Problem, reader: str | None) -> Table:
    return {**problem_row(problem), "cause": cause_key(problem, reader), "group": cause_group(problem).value}


def benchmark_rows(benchmarks: Sequence[Benchmark]) -> list[Table]:
    """`vdiwb benchmarks --format json` as a value: one row per figure row, null = not measured."""
    order = (
        "path",
        "tool",
        "tool_version",
        "test",
        "job",
        "host",
        "op",
        "iops",
        "mb_per_s",
        "latency_mean_ms",
        "latency_p50_ms",
        "latency_p95_ms",
        "latency_p99_ms",
        "block_bytes",
        "queue_depth",
        "threads",
        "read_percent",
        "started",
        "error",
        "latency_kind",
        "curve",
        "load_percent",
        "part",
    )
    return [attributes(row, *order) for row in benchmarks]


def file_row(report: FileReport) -> Table:
    """One file of the import report."""
    return {key: _plain(value) for key, value in dataclasses.asdict(report).items()}


def problem_row(problem: Problem) -> Table:
    """One problem of the import report."""
    return attributes(problem, "severity", "file", "line", "column", "code", "message", "action")


def attributes(one: object, *names: str, **others: str) -> Table:
    """These attributes of a value by their names, then `others` by other names; all null if there is no value."""
    known = {name: name for name in names} | others
    return {key: None if one is None else _plain(getattr(one, name)) for key, name in known.items()}


def with_method(value: Any) -> Any:
    """A JSON value with `method`, the version of the rules for verdicts; in a list, each row gets it."""
    if isinstance(value, list):
        return [with_method(row) for row in value]
    return value if METHOD_KEY in value else {**value, METHOD_KEY: METHOD}


def to_json(value: Any) -> str:
    """JSON text, its numbers `as_written`."""
    return json.dumps(as_written(value), indent=1, ensure_ascii=False, allow_nan=False)


def as_written(value: Any) -> Any:
    """The value with every fraction rounded to `DIGITS` significant digits, and null for infinite and missing numbers.
    Further digits differ between systems. Whole numbers do not change."""
    if isinstance(value, dict):
        return {key: as_written(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [as_written(item) for item in value]
    if not isinstance(value, float):
        return value
    # Adding 0 turns -0.0 into 0.0, which is an equal number.
    return float(f"{value:.{DIGITS}g}") + 0.0 if math.isfinite(value) else None


def to_csv(rows: Sequence[Table]) -> str:
    """CSV text with a header; the last column contains the `method`. Missing is empty. Text that a spreadsheet would
    run as a formula gets an apostrophe; negative numbers stay numbers."""
    if not rows:
        return ""
    names = list(with_method(rows[0]))
    return csv_text([names, *([csv_cell(with_method(row).get(name)) for name in names] for row in rows)])


def summary_rows(figures: Sequence[RunFigures]) -> list[Table]:
    """The phase table as flat rows: one per run and phase. `vms` are the measured VMs, `vms_stated` those of the
    run."""
    rows: list[Table] = []
    for figure in figures:
        facts = _facts(figure.run)
        more = {"vms_stated": figure.run.vms} | _more_facts(figure.run)
        rows += [facts | _phase(row) | more for row in figure.phases]
    return rows


def tier_row(row: TierFigures) -> Table:
    """The record of one measuring point for one tier ("all": all tiers together): null = not available."""
    table = {field.name: _plain(getattr(row, field.name)) for field in dataclasses.fields(row)}
    table |= {key: table[key] or None for key in ("compared_with", "rule")}
    return table | {"vantage": row.vantage.value, "tier": "all" if row.tier is None else row.tier.value}


def _run(figures: RunFigures) -> Table:
    tiers = tiers_of(figures)
    phases = [
        {
            **_phase(row),
            "tiers": [tier_row(tier) for tier in tiers[row.phase.name]],
            "worst_vms": [dataclasses.asdict(load) for load in row.worst_vms],
            "steadiness": None if row.steadiness is None else _steadiness(row.steadiness),
        }
        for row in figures.phases
    ]
    return {**_facts(figures.run), "phases": phases, **_more_facts(figures.run)}


def _steadiness(found: Steadiness) -> Table:
    """Rates in IOPS per VM, shifts in percent of the mean with their 99 % interval."""
    return {
        "steady": found.cause is None,
        "cause": found.cause,
        "drift_percent": found.drift.percent,
        "drift_percent_low": found.drift.low,
        "drift_percent_high": found.drift.high,
        "drift_p": found.drift.p,
        "mean_iops_per_vm": found.mean,
        "lowest_iops_per_vm": found.lowest,
        "highest_iops_per_vm": found.highest,
        "batches": found.batches,
        "batch_s": found.batch_s,
        "autocorrelation": found.autocorrelation,
        "step_percent": None if found.step is None else found.step.percent,
        "step_at": None if found.step_at is None else iso(found.step_at),
        "warm_up_s": found.warm_up_s,
        "warm_up_percent": found.warm_up_percent if found.warm_up_s else None,
    }


def _facts(run: Run) -> Table:
    """The contract's keys of a run, in the contract's order."""
    configuration = run.configuration
    return {
        "run": run.name,
        "configuration": configuration.name,
        "provisioning": configuration.provisioning.value,
        "ram_cache_mb": configuration.ram_cache_mb,
        "session_type": run.session_type.value,
        "vms": run.vms,
        "users": run.users,
        "excluded": run.excluded,
    }


def _more_facts(run: Run) -> Table:
    return {
        "write_cache": run.configuration.write_cache,
        "baseline": run.baseline,
        "workload": run.workload,
        "hypervisor": run.hypervisor,
        "guest_os": run.guest_os,
        "running": run.running,
        "build": run.build,
        "date": None if (placed := run_date(run)) is None else iso(placed.seconds),
        "date_evidence": None if placed is None else placed.evidence.value,
    }


def _phase(row: PhaseFigures) -> Table:
    phase = row.phase
    figures = {key: _plain(getattr(row, key)) for key in _FIGURES}
    figures |= {key: iso(figures[key]) for key in _MOMENTS if figures[key] is not None}
    return {
        "phase": phase.name,
        "start": iso(phase.start),
        "end": iso(phase.end),
        "duration_s": round(phase.duration_s, 6),
        "evidence": phase.evidence,
        **figures,
        "rule": phase.rule,
        "doubt": phase.doubt or None,
        "start_within_s": phase.start_within_s,
        "end_within_s": phase.end_within_s,
    }


def iso(at: float) -> str:
    """ISO-8601 in UTC, whole seconds without a fraction."""
    moment = datetime.fromtimestamp(at, UTC)
    return moment.isoformat(timespec="auto" if moment.microsecond else "seconds").replace("+00:00", "Z")


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, tuple):
        return list(value)
    return value


def csv_cell(value: Any) -> Any:
    """The value as a cell of a CSV file: missing is empty, text is neither a formula nor contains control characters,
    numbers stay numbers."""
    value = as_written(value)
    if isinstance(value, list):
        value = "; ".join(str(item) for item in value)
    return safe_cell(value)
