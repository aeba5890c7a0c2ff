"""The sources of a number.

They lead from a number of a chart or table back to the runs, phase and value behind its mean. A table lists them with
one row per counter of a file.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from workbench.answers.common.traces.traces import View, trace_names
from workbench.charts.figure import FigureSource
from workbench.charts.tables import Cell, Column, TableData
from workbench.measures.configurations import Group
from workbench.measures.traced import TRACED
from workbench.model.source import Explanation, SourceRows
from workbench.study.series.vm_series import kept_samples
from workbench.words.metrics import phase_words
from workbench.words.numbers import MISSING, THIN, fixed, moment, number


def source_of(group: Group, phase: str, figure: str, value: float | None = None) -> FigureSource | None:
    """The runs of a configuration that have the value (a field of PhaseFigures) in the phase.

    None if no run has it, or if a given `value` is not their mean: then the number was computed differently, and the
    samples would not add up to it.
    """
    numbers = [
        (run.run.folder, float(number))
        for run in group.runs
        if (row := run.phase(phase)) is not None and (number := getattr(row, figure)) is not None
    ]
    if not numbers:
        return None
    mean = sum(number for _, number in numbers) / len(numbers)
    if value is not None and not math.isclose(mean, value, rel_tol=1e-9, abs_tol=1e-12):
        return None
    return FigureSource(tuple(folder for folder, _ in numbers), phase, figure)


def change_source(base: Group | None, group: Group, phase: str, figure: str) -> FigureSource | None:
    """The source of a change from the baseline: the values of the runs of both. None if a side has none."""
    ours = source_of(group, phase, figure)
    theirs = None if base is None else source_of(base, phase, figure)
    return None if ours is None or theirs is None else FigureSource(ours.runs, phase, figure, theirs.runs)


def trace_sources(group: Group, view: View) -> dict[str, FigureSource]:
    """The source of each trace by its name: the view's value over the runs of the configuration, the trace's own run
    and VM first. The empty name has the source without a VM. Empty if the runs do not have the value."""
    whole = source_of(group, view.phase, TRACED[view.metric].key)
    if whole is None:
        return {}
    sources = {"": whole}
    for run in group.runs:
        folder = run.run.folder
        if folder in whole.runs:
            runs = (folder, *(other for other in whole.runs if other != folder))
            vms = kept_samples(run.run, view.metric)
            for name, vm in zip(trace_names(group, run, vms), vms, strict=True):
                sources[name] = FigureSource(runs, whole.phase, whole.figure, vm=vm)
    return sources


def known_source(explanation: Explanation, how: str = "") -> FigureSource | None:
    """The source of a number whose explanation is already known; None if there is no number."""
    return (
        None
        if explanation.value is None
        else FigureSource((), "", explanation.figure, answer="known", how=how, explanations=(explanation,))
    )


# The indexes of the columns that lead to the text of a file.
FILE, LINE = 2, 6


def source_table(explanations: Sequence[Explanation], name: str = "") -> TableData:
    """The table of the sources of a value of one run or of several runs. A value that is not a sum has no
    contributions."""
    columns = (
        Column("Run", numeric=False),
        Column("VM", numeric=False),
        Column("File", numeric=False),
        Column("Counter", numeric=False),
        Column("Column", tip="Position of the column in the file; the time is column 1"),
        Column("Rows", numeric=False, tip="Numbers of the data rows used, starting at 1"),
        Column("Line", tip="Line number of the first data row used"),
        Column("Samples"),
        Column("Missing"),
        Column("Interval", "s"),
        Column("Contribution", tip="Amount that the samples of the counter add to the value, in the unit of the value"),
        Column("What", numeric=False),
    )
    rows = tuple(_row(explanation, source) for explanation in explanations for source in explanation.sources)
    return TableData(columns, rows, _legend(explanations), name)


def explained_words(explanation: Explanation) -> str:
    """The value with its formula and phase, line by line."""
    run = f", {explanation.run}" if explanation.run else ""
    whose = f"{run} ({explanation.configuration})" if explanation.configuration else run
    lines = [f"{explanation.figure} = {_value(explanation)}{whose}"]
    lines.append(f"{'Input' if explanation.is_input else 'Formula'}: {explanation.formula}")
    if explanation.phase.name:
        until = f"{moment(explanation.phase.start)} to {moment(explanation.phase.end)} UTC"
        lines.append(f"Phase: {phase_words(explanation.phase.name)}, {until}")
    if explanation.rule:
        # The rule of a phase starts with its source: `events: end of logon to first logoff`.
        source, colon, how = explanation.rule.partition(": ")
        lines.append(f"Phase boundaries: {source} ({how})" if colon else f"Phase boundaries: {source}")
    return "\n".join([*lines, explanation.note] if explanation.note else lines)


def _value(explanation: Explanation) -> str:
    """The value as text: a whole number without decimals, because it is exact."""
    value = explanation.value
    if value is None:
        return explanation.choice or MISSING
    if explanation.moment:
        return moment(value)
    return fixed(value, 0) if value.is_integer() else number(value, 6)


def _legend(explanations: Sequence[Explanation]) -> str:
    parts = [f"A dash ({MISSING}) means unknown, or not part of a sum"]
    for explanation in explanations:
        if explanation.adds_up and explanation.value is not None:
            total = sum(source.contribution or 0.0 for source in explanation.sources)
            parts.append(f"Contributions of {explanation.run} add up to {number(total, 6)}")
    return ". ".join(parts[:4])


def _row(explanation: Explanation, source: SourceRows) -> tuple[Cell, ...]:
    rows = rows_words(source)
    return (
        Cell(explanation.run, explanation.run),
        Cell(source.vm, source.vm),
        Cell(source.file, source.file, source.file),
        Cell(source.counter, source.counter, source.counter),
        _count(source.column),
        Cell(rows, rows),
        _count(source.first_line),
        _count(source.samples),
        _count(source.missing),
        Cell(number(source.interval_s), source.interval_s),
        Cell(number(source.contribution, 6), source.contribution),
        Cell(source.part, source.part),
    )


def rows_words(source: SourceRows) -> str:
    """The numbers of rows as text: `7`, `7–19`, or the sign for unknown."""
    if source.first_row is None:
        return MISSING
    same = source.first_row == source.last_row
    return f"{source.first_row}" if same else f"{source.first_row}\u2013{source.last_row}"


def _count(value: int | None) -> Cell:
    return Cell(MISSING if value is None else f"{value:,}".replace(",", THIN), value)
