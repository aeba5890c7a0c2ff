"""The overview's tables: what each phase cost, the same by vantage and tier, and the worst VMs by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from workbench.answers.common.change_words import change_text
from workbench.answers.common.looks import looks
from workbench.charts.figure import Look, Origin
from workbench.charts.tables import Cell, Column, TableData
from workbench.measures.configurations import Group, baseline_of, phase_names
from workbench.measures.phase_table import PhaseFigures, RunFigures
from workbench.measures.replicates import Mean, mean_of
from workbench.measures.statistics import change
from workbench.model.phase import STEADY
from workbench.model.run import SessionType
from workbench.words.metrics import evidence_words, phase_words
from workbench.words.numbers import MISSING, THIN, duration, number, percent, signed

NAME = "Phase table"


@dataclass(frozen=True, slots=True)
class _Figure:
    """`interval`: the cell shows the half-width beside the mean; `optional`: left out where no run has it."""

    column: Column
    field: str
    show: Callable[[float | None], str] = number
    interval: bool = False
    optional: bool = False


_FIGURES = (
    _Figure(Column("Duration", tip="length of the phase, mean over runs"), "duration_s", duration),
    _Figure(
        Column("Total I/O", "per VM", tip="reads and writes of the phase, per VM"),
        "total_io_per_vm",
        interval=True,
    ),
    _Figure(Column("Total I/O", "all VMs"), "total_io"),
    _Figure(Column("IOPS", "per VM", tip="total I/O ÷ duration ÷ VMs"), "iops_per_vm", interval=True),
    _Figure(Column("IOPS", "all VMs"), "iops", interval=True),
    _Figure(Column("IOPS", "per user"), "iops_per_user"),
    _Figure(Column("Read", "IOPS/VM"), "read_iops_per_vm", interval=True),
    _Figure(Column("Write", "IOPS/VM"), "write_iops_per_vm", interval=True),
    _Figure(Column("Read", "%"), "read_percent", percent),
    _Figure(Column("Write", "%"), "write_percent", percent),
    _Figure(Column("p95", "IOPS/VM", tip="95th percentile over all samples of all VMs"), "p95_iops_per_vm"),
    _Figure(Column("Peak", "IOPS/VM", tip="highest sample of any VM"), "peak_iops_per_vm"),
    _Figure(Column("Read lat.", "ms", tip="mean over I/Os"), "read_latency_ms"),
    _Figure(
        Column("Read lat.", "p95 ms", tip="95th percentile over samples with I/O"),
        "read_latency_p95_ms",
        optional=True,
    ),
    _Figure(Column("Write lat.", "ms", tip="mean over I/Os"), "write_latency_ms"),
    _Figure(
        Column("Write lat.", "p95 ms", tip="95th percentile over samples with I/O"),
        "write_latency_p95_ms",
        optional=True,
    ),
    _Figure(Column("Cache RAM", "MB", tip="used per VM at the end of the phase"), "cache_ram_used_mb_end"),
    _Figure(
        Column("RAM peak", "MB", tip="highest reading of any VM"), "cache_ram_used_mb_peak", optional=True
    ),
    _Figure(Column("RAM peak", "% of size"), "cache_ram_used_percent", percent, optional=True),
    _Figure(Column("Cache disk", "MB", tip="used per VM at the end of the phase"), "cache_disk_used_mb_end"),
    _Figure(
        Column("Disk peak", "MB", tip="highest reading of any VM"), "cache_disk_used_mb_peak", optional=True
    ),
    _Figure(
        Column("Overflow", "after", tip="time from the start of the phase until the first cache disk grew"),
        "overflow_start",
        duration,
        optional=True,
    ),
    _Figure(Column("CPU", "%"), "cpu_percent", percent),
)

# What a stretch without samples makes too small.
_LOWER_BOUNDS = frozenset(
    (
        "total_io",
        "total_io_per_vm",
        "iops_per_vm",
        "iops",
        "iops_per_user",
        "read_iops_per_vm",
        "write_iops_per_vm",
    )
)
_ESTIMATES = frozenset(("cache_ram_used_mb_end", "cache_ram_used_mb_peak", "cache_ram_used_percent"))


def phase_table(groups: Sequence[Group], per_run: bool = False) -> TableData:
    """The phase table: a row for each configuration and phase (means over runs), or for each run and phase.
    Columns that no run has anything for are left out where the legend names them."""
    look, base = looks(groups), baseline_of(groups)
    figures = [figure for figure in _FIGURES if not figure.optional or _any(groups, figure.field)]
    first = (
        Column("Configuration", numeric=False),
        Column("Phase", numeric=False),
        Column("From", numeric=False),
        Column("Run", numeric=False) if per_run else Column("Runs"),
        Column("VMs"),
        Column("Users"),
    )
    longer = Column(
        "Change", "of duration", tip="against the baseline; a steady state lasts as long as it is let"
    )
    rows = [
        _row(group, look[group.label], phase, runs, base, figures, runs[0].run.name if per_run else None)
        for group in groups
        for phase in phase_names([group])
        for runs in _rows_of(group, phase, per_run)
    ]
    duration_column, *others = (figure.column for figure in figures)
    columns = (*first, duration_column, longer, *others)
    return TableData(columns, tuple(rows), _legend(groups), NAME)


def _rows_of(group: Group, phase: str, per_run: bool) -> list[list[RunFigures]]:
    runs = [one for one in group.runs if one.phase(phase) is not None]
    return [[one] for one in runs] if per_run else [runs]


def _row(
    group: Group,
    look: Look,
    phase: str,
    runs: list[RunFigures],
    base: Group | None,
    figures: Sequence[_Figure],
    run: str | None,
) -> tuple[Cell, ...]:
    rows = [row for one in runs if (row := one.phase(phase)) is not None]
    vms = rows[0].vms if run is not None else group.vms
    folders = tuple(one.run.folder for one in runs)
    lasted, *others = (_cell(figure, rows, Origin(folders, phase, figure.field)) for figure in figures)
    return (
        Cell(group.label, group.label, look=look),
        *_phase_cells(phase, rows),
        _count(len(rows)) if run is None else Cell(run, run),
        _count(vms),
        _count(rows[0].users),
        lasted,
        _longer(base, group, phase, rows),
        *others,
    )


def _phase_cells(phase: str, figures: Sequence[PhaseFigures]) -> tuple[Cell, Cell]:
    """The phase and the evidence that it rests on, the rule as a tip."""
    words = phase_words(phase)
    rules = "\n".join(sorted({row.phase.rule or row.phase.evidence for row in figures}))
    evidence = ", ".join(sorted({evidence_words(row.phase.evidence) for row in figures}))
    return Cell(words, words, rules), Cell(evidence, evidence, rules)


def _longer(base: Group | None, group: Group, phase: str, rows: Sequence[PhaseFigures]) -> Cell:
    """How much longer or shorter the phase took than under the baseline."""
    if base is None or base is group or phase == STEADY:
        return Cell("baseline" if base is group else MISSING)
    found = change(base.values(phase, "duration_s"), [row.duration_s for row in rows])
    if found is None:
        return Cell(MISSING, None, f"{base.label} has no such phase")
    text = f"{signed(found.percent, 1)}{THIN}%"
    return Cell(text, found.percent, f"{change_text(found, 's', None)}, against {base.label}")


def _cell(figure: _Figure, rows: Sequence[PhaseFigures], origin: Origin) -> Cell:
    found = mean_of([value for row in rows if (value := _value(row, figure.field)) is not None])
    if found is None:
        return Cell(figure.show(None), None, origin=origin)
    text, tip = figure.show(found.value), _mean_tip(figure, found)
    if figure.interval and found.half_width is not None:
        text += f"{THIN}±{THIN}{number(found.half_width, 2)}"
    if figure.field in _ESTIMATES and any(row.cache_ram_estimate for row in rows):
        text, tip = f"{text}*", f"an estimate from the nonpaged pool\n{tip}"
    if figure.field in _LOWER_BOUNDS and any(row.lower_bound for row in rows):
        text, tip = f"≥{THIN}{text}", f"a lower bound: part of the phase has no samples\n{tip}"
    return Cell(text, found.value, tip.strip(), origin=origin)


def _mean_tip(figure: _Figure, found: Mean) -> str:
    if found.low is None:
        return ""
    words = "95 % interval" if found.basis == "interval" else "range"
    return f"mean of {found.n} runs, {words} {figure.show(found.low)} to {figure.show(found.high)}"


def _value(row: PhaseFigures, field: str) -> float | None:
    found = getattr(row, field)
    if field == "overflow_start" and found is not None:
        return float(found - row.phase.start)
    return None if found is None else float(found)


def _any(groups: Sequence[Group], field: str) -> bool:
    return any(
        getattr(row, field) is not None for group in groups for one in group.runs for row in one.phases
    )


def _legend(groups: Sequence[Group]) -> str:
    rows = [row for group in groups for run in group.runs for row in run.phases]
    excluded = sum(len(group.excluded) for group in groups)
    parts = [f"{MISSING} not available"]
    if any(len(group.runs) >= 3 for group in groups):
        parts.append("± half of the 95 % interval of the mean over runs (t)")
    if any(row.cache_ram_estimate for row in rows):
        parts.append("* an estimate from the nonpaged pool, which holds more than the cache")
    if any(row.lower_bound for row in rows):
        parts.append("≥ a lower bound: part of the phase has no samples")
    if any(group.session_type is SessionType.RDS for group in groups):
        parts.append("RDS: per VM, in total and per user")
    left = [figure.column for figure in _FIGURES if figure.optional and not _any(groups, figure.field)]
    if left:
        parts.append(f"not recorded in any run: {', '.join(f'{one.title} {one.unit}' for one in left)}")
    if excluded:
        parts.append(f"{excluded} run{'s' * (excluded > 1)} excluded")
    return " · ".join([*parts, "double click a number: where it comes from"])


def _count(value: int | None) -> Cell:
    return Cell(MISSING if value is None else f"{value:,}".replace(",", THIN), value)
