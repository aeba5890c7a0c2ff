"""Tables as plain values: the twin of every chart, for the window, the clipboard and the exporters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from workbench.analysis.configurations import Group, phase_names
from workbench.analysis.phase_table import PhaseFigures
from workbench.charts.figure import Look
from workbench.charts.looks import looks
from workbench.charts.metrics import evidence_words, phase_words
from workbench.charts.numbers import MISSING, THIN, duration, number, percent
from workbench.model.problem import Problem
from workbench.model.recording import FileReport


@dataclass(frozen=True, slots=True)
class Column:
    """`title` with its unit; numbers align right."""

    title: str
    unit: str = ""
    numeric: bool = True
    tip: str = ""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a number comes from: the folders of its runs (several: their mean), a phase, and a figure by the
    name of its field in PhaseFigures."""

    runs: tuple[str, ...]
    phase: str
    figure: str


@dataclass(frozen=True, slots=True)
class Cell:
    """`text` as shown; `value` for sorting and copying (None: not available); `icon` names a sign beside it;
    `origin` leads to the samples of a number."""

    text: str
    value: Any = None
    tip: str = ""
    look: Look | None = None
    icon: str = ""
    origin: Origin | None = None


@dataclass(frozen=True, slots=True)
class TableData:
    """A table: its columns, its rows, a legend line, and its name where a page has several."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    legend: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class _Figure:
    column: Column
    field: str
    show: Callable[[float | None], str] = number


_FIGURES = (
    _Figure(Column("Duration", tip="length of the phase, mean over runs"), "duration_s", duration),
    _Figure(Column("Total I/O", "per VM", tip="reads and writes of the phase, per VM"), "total_io_per_vm"),
    _Figure(Column("IOPS", "per VM", tip="total I/O ÷ duration ÷ VMs"), "iops_per_vm"),
    _Figure(Column("IOPS", "all VMs"), "iops"),
    _Figure(Column("IOPS", "per user"), "iops_per_user"),
    _Figure(Column("Read", "IOPS/VM"), "read_iops_per_vm"),
    _Figure(Column("Write", "IOPS/VM"), "write_iops_per_vm"),
    _Figure(Column("Read", "%"), "read_percent", percent),
    _Figure(Column("p95", "IOPS/VM", tip="95th percentile over all samples of all VMs"), "p95_iops_per_vm"),
    _Figure(Column("Peak", "IOPS/VM", tip="highest sample of any VM"), "peak_iops_per_vm"),
    _Figure(Column("Read lat.", "ms", tip="mean over I/Os"), "read_latency_ms"),
    _Figure(Column("Write lat.", "ms", tip="mean over I/Os"), "write_latency_ms"),
    _Figure(Column("Cache RAM", "MB", tip="used per VM at the end of the phase"), "cache_ram_used_mb_end"),
    _Figure(Column("Cache disk", "MB", tip="used per VM at the end of the phase"), "cache_disk_used_mb_end"),
    _Figure(Column("CPU", "%"), "cpu_percent", percent),
)  # fmt: skip

# What a stretch without samples makes too small.
_LOWER_BOUNDS = frozenset(
    ("total_io_per_vm", "iops_per_vm", "iops", "iops_per_user", "read_iops_per_vm", "write_iops_per_vm")
)


def phase_table(groups: Sequence[Group], per_run: bool = False) -> TableData:
    """The phase table: a row for each configuration and phase (means over runs), or for each run and phase."""
    look = looks(groups)
    first = (Column("Configuration", numeric=False), Column("Phase", numeric=False), Column("From", numeric=False),
             Column("Run", numeric=False) if per_run else Column("Runs"), Column("VMs"))  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for group in groups:
        for phase in phase_names([group]):
            if per_run:
                rows += [_run_row(group, look[group.label], one.run.name, figures)
                         for one in group.runs if (figures := one.phase(phase)) is not None]  # fmt: skip
            else:
                rows.append(_group_row(group, look[group.label], phase))
    return TableData((*first, *(figure.column for figure in _FIGURES)), tuple(rows), _legend(groups))


def file_table(files: Sequence[FileReport]) -> TableData:
    """The files of the import report."""
    columns = (
        Column("File", numeric=False), Column("Reader", numeric=False), Column("Rows"), Column("Rejected"),
        Column("Columns"), Column("Missing", "cells"), Column("Hosts"), Column("First", "UTC", numeric=False),
        Column("Offset", "min"), Column("Encoding", numeric=False),
    )  # fmt: skip
    return TableData(columns, tuple(_file_row(report) for report in files))


def problem_table(problems: Sequence[Problem]) -> TableData:
    """The problems of the import report."""
    columns = (
        Column("Severity", numeric=False), Column("Where", numeric=False), Column("Line"), Column("Cell"),
        Column("What", numeric=False), Column("What was done", numeric=False),
    )  # fmt: skip
    rows = tuple(
        (
            Cell(problem.severity.value, problem.severity.value, icon=problem.severity.value),
            Cell(problem.file, problem.file),
            _count(problem.line),
            _count(problem.column),
            Cell(problem.message, problem.message, problem.message),
            Cell(problem.action, problem.action, problem.action),
        )
        for problem in problems
    )
    return TableData(columns, rows)


def _group_row(group: Group, look: Look, phase: str) -> tuple[Cell, ...]:
    figures = group.phase(phase)
    values = {entry.field: _mean(group, phase, entry.field) for entry in _FIGURES}
    return (Cell(group.label, group.label, look=look), *_phase_cells(phase, figures), _count(len(figures)),
            _count(group.vms), *_figure_cells(values, figures))  # fmt: skip


def _run_row(group: Group, look: Look, run: str, row: PhaseFigures) -> tuple[Cell, ...]:
    values = {entry.field: _value(row, entry.field) for entry in _FIGURES}
    return (Cell(group.label, group.label, look=look), *_phase_cells(row.phase.name, (row,)), Cell(run, run),
            _count(row.vms), *_figure_cells(values, (row,)))  # fmt: skip


def _phase_cells(phase: str, figures: Sequence[PhaseFigures]) -> tuple[Cell, Cell]:
    """The phase and the evidence that it rests on, the rule as a tip."""
    words = phase_words(phase)
    rules = "\n".join(sorted({row.phase.rule or row.phase.evidence for row in figures}))
    evidence = ", ".join(sorted({evidence_words(row.phase.evidence) for row in figures}))
    return Cell(words, words, rules), Cell(evidence, evidence, rules)


def _figure_cells(values: dict[str, float | None], figures: Sequence[PhaseFigures]) -> list[Cell]:
    estimate = any(row.cache_ram_estimate for row in figures)
    bound = any(row.lower_bound for row in figures)
    return [_cell(entry, values[entry.field], estimate, bound) for entry in _FIGURES]


def _mean(group: Group, phase: str, field: str) -> float | None:
    if field != "duration_s":
        return group.mean(phase, field)
    seconds = [row.phase.duration_s for row in group.phase(phase)]
    return sum(seconds) / len(seconds) if seconds else None


def _value(row: PhaseFigures, field: str) -> float | None:
    found = row.phase.duration_s if field == "duration_s" else getattr(row, field)
    return None if found is None else float(found)


def _cell(entry: _Figure, value: float | None, estimate: bool, bound: bool) -> Cell:
    if value is None:
        return Cell(entry.show(value), value)
    if estimate and entry.field == "cache_ram_used_mb_end":
        return Cell(f"{entry.show(value)}*", value, "an estimate from the nonpaged pool")
    if bound and entry.field in _LOWER_BOUNDS:
        return Cell(f"≥{THIN}{entry.show(value)}", value, "a lower bound: part of the phase has no samples")
    return Cell(entry.show(value), value)


def _legend(groups: Sequence[Group]) -> str:
    rows = [row for group in groups for run in group.runs for row in run.phases]
    excluded = sum(len(group.excluded) for group in groups)
    parts = [f"{MISSING} not available"]
    if any(row.cache_ram_estimate for row in rows):
        parts.append("* an estimate from the nonpaged pool, which holds more than the cache")
    if any(row.lower_bound for row in rows):
        parts.append("≥ a lower bound: part of the phase has no samples")
    if excluded:
        parts.append(f"{excluded} run{'s' * (excluded > 1)} excluded")
    return " · ".join(parts)


def _file_row(report: FileReport) -> tuple[Cell, ...]:
    return (
        Cell(report.path, report.path, report.path), Cell(report.reader or "not recognised", report.reader),
        _count(report.rows), _count(report.rejected_rows), _count(report.columns), _count(report.missing_cells),
        Cell(str(len(report.hosts)), len(report.hosts), ", ".join(report.hosts[:20])),
        Cell((report.first or MISSING).replace("T", " ").removesuffix("Z"), report.first),
        _count(report.utc_offset_minutes), Cell(report.encoding or MISSING, report.encoding),
    )  # fmt: skip


def _count(value: int | None) -> Cell:
    return Cell(MISSING if value is None else f"{value:,}".replace(",", THIN), value)
