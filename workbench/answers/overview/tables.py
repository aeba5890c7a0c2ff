"""The overview's tables: what each phase cost, the same by vantage and tier, and the worst VMs by name."""

from __future__ import annotations

import re
from collections.abc import Sequence

from workbench.answers.common.change_words import change_text
from workbench.answers.common.looks import looks
from workbench.charts.figure import Look, Source
from workbench.charts.tables import Cell, Column, TableData
from workbench.measures.catalogue import DURATION, MEASURES
from workbench.measures.configurations import Group, baseline_of, phase_names
from workbench.measures.measure import Measure, Tables, measure_words
from workbench.measures.phase_table import PhaseFigures, RunFigures
from workbench.measures.replicates import Mean, mean_of
from workbench.measures.statistics import change
from workbench.measures.steadiness.words import steady_words
from workbench.model.phase import STEADY
from workbench.model.run import SessionType
from workbench.words.captions import MOST_IN_FOOTER, captioned, named_lines
from workbench.words.metrics import evidence_of, phase_words, rule_of
from workbench.words.numbers import MISSING, THIN, number, signed

NAME = "Phase table"


_SECOND_PART = re.compile(" (?=(?:per|of|at|in) )")
_MEASURES = tuple(measure for measure in MEASURES.values() if Tables.SCREEN in measure.tables)


def phase_table(groups: Sequence[Group], per_run: bool = False) -> TableData:
    """The phase table: a row for each configuration and phase (means over runs), or for each run and phase.
    Columns that no run has anything for are left out where the legend names them."""
    look, base = looks(groups), baseline_of(groups)
    measures = [
        measure for measure in _MEASURES if measure.key != DURATION and (not measure.optional or _any(groups, measure))
    ]
    first = (
        Column("Configuration", numeric=False),
        Column("Phase", numeric=False),
        Column("From", numeric=False),
        Column("Run", numeric=False) if per_run else Column("Runs"),
        Column("VMs"),
        Column("Users"),
    )
    longer = Column("Change", "of duration", tip="against the baseline; a steady state lasts as long as it is let")
    rows = [
        _row(group, look[group.label], phase, runs, base, measures, runs[0].run.name if per_run else None)
        for group in groups
        for phase in phase_names([group])
        for runs in _rows_of(group, phase, per_run)
    ]
    columns = (*first, _column(MEASURES[DURATION]), longer, *(_column(measure) for measure in measures))
    legend, method = _legend(groups)
    return TableData(columns, tuple(rows), legend, NAME, method=method)


def _rows_of(group: Group, phase: str, per_run: bool) -> list[list[RunFigures]]:
    runs = [run for run in group.runs if run.phase(phase) is not None]
    return [[run] for run in runs] if per_run else [runs]


def _row(
    group: Group,
    look: Look,
    phase: str,
    runs: list[RunFigures],
    base: Group | None,
    measures: Sequence[Measure],
    run: str | None,
) -> tuple[Cell, ...]:
    rows = [row for run in runs if (row := run.phase(phase)) is not None]
    vms = rows[0].vms if run is not None else group.vms
    folders = tuple(run.run.folder for run in runs)
    lasted, *others = (
        _cell(measure, rows, Source(folders, phase, measure.key)) for measure in (MEASURES[DURATION], *measures)
    )
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
    rules = "\n".join([*sorted({rule_of(row.phase) for row in figures}), *_steady(figures)])
    evidence = ", ".join(sorted({evidence_of(row.phase) for row in figures}))
    return Cell(words, words, rules), Cell(evidence, evidence, rules)


def _steady(figures: Sequence[PhaseFigures]) -> list[str]:
    """How steady each run is, in the order of the runs."""
    return [f"run {place + 1}: {steady_words(row.steadiness)}" for place, row in enumerate(figures) if row.steadiness]


def _longer(base: Group | None, group: Group, phase: str, rows: Sequence[PhaseFigures]) -> Cell:
    """How much longer or shorter the phase took than under the baseline."""
    if base is None or base is group or phase == STEADY:
        return Cell("baseline" if base is group else MISSING)
    longer = change(base.values(phase, "duration_s"), [row.duration_s for row in rows])
    if longer is None:
        return Cell(MISSING, None, f"{base.label} has no such phase")
    text = f"{signed(longer.percent, 1)}{THIN}%"
    return Cell(text, longer.percent, f"{change_text(longer, 's', None)}, against {base.label}")


def _column(measure: Measure) -> Column:
    """The name in two lines where it has a second part: `IOPS` over `per VM`; its unit at the end."""
    title, *second = _SECOND_PART.split(measure.name, maxsplit=1)
    unit = "after" if measure.moment else measure.shown_unit
    return Column(title, " ".join((*second, unit)).strip(), tip=measure.computed)


def _cell(measure: Measure, rows: Sequence[PhaseFigures], source: Source) -> Cell:
    mean = mean_of([value for row in rows if (value := _value(row, measure)) is not None])
    if mean is None:
        return Cell(measure_words(None, measure), None, source=source)
    text, tip = measure_words(mean.value, measure), _mean_tip(measure, mean)
    if measure.spread and mean.half_width is not None:
        text += f"{THIN}±{THIN}{number(mean.half_width, 2)}"
    if measure.of_cache_ram and any(row.cache_ram_estimate for row in rows):
        text, tip = f"{text}*", f"an estimate from the nonpaged pool\n{tip}"
    if measure.lower_bound and any(row.lower_bound for row in rows):
        text, tip = f"≥{THIN}{text}", f"a lower bound: part of the phase has no samples\n{tip}"
    return Cell(text, mean.value, tip.strip(), source=source)


def _mean_tip(measure: Measure, mean: Mean) -> str:
    if mean.low is None:
        return ""
    words = "95 % interval" if mean.basis == "interval" else "range"
    low, high = (measure_words(edge, measure) for edge in (mean.low, mean.high))
    return f"mean of {mean.n} runs, {words} {low} to {high}"


def _value(row: PhaseFigures, measure: Measure) -> float | None:
    """The measure in a row; a moment counts from the start of the phase."""
    value = getattr(row, measure.key)
    return None if value is None else float(value - row.phase.start if measure.moment else value)


def _any(groups: Sequence[Group], measure: Measure) -> bool:
    return any(getattr(row, measure.key) is not None for group in groups for run in group.runs for row in run.phases)


def _legend(groups: Sequence[Group]) -> tuple[str, tuple[str, ...]]:
    """The line under the table with the signs that it has, and the method."""
    rows = [row for group in groups for run in group.runs for row in run.phases]
    excluded = sum(len(group.excluded) for group in groups)
    facts, method = [], []
    running = [run.run.name for group in groups for run in group.runs if run.run.running]
    if running:
        facts.append(f"Not final: {', '.join(running)}")
    if excluded:
        facts.append(f"{excluded} run{'s' * (excluded > 1)} excluded")
    if any(row.lower_bound for row in rows):
        facts.append("≥ lower bound")
        method.append("≥: part of the phase has no samples")
    if any(row.cache_ram_estimate for row in rows):
        facts.append("* estimate")
        method.append("*: estimate from the nonpaged pool, which holds more than the cache")
    if any(len(group.runs) >= 3 for group in groups):
        method.append("±: half of the 95 % interval of the mean (t)")
    if any(group.session_type is SessionType.RDS for group in groups):
        method.append("RDS: per VM, in total and per user")
    left = [
        measure.name for measure in _MEASURES if measure.optional and not measure.quiet and not _any(groups, measure)
    ]
    return captioned(facts, (*method, *named_lines("Not measured in any run", left)), MOST_IN_FOOTER)


def _count(value: int | None) -> Cell:
    return Cell(MISSING if value is None else f"{value:,}".replace(",", THIN), value)
