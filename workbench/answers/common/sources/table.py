"""Where a number comes from, as a table: one row per counter of a file."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.charts.tables import Cell, Column, TableData
from workbench.model.source import Explanation, SourceRows
from workbench.words.numbers import MISSING, THIN, moment, number

# The places of the columns that lead to the text of a file.
FILE, LINE = 2, 6


def source_table(explanations: Sequence[Explanation], name: str = "") -> TableData:
    """The sources of a figure of one run, or of several runs; missing contributions are of figures that are no
    sum."""
    columns = (
        Column("Run", numeric=False),
        Column("VM", numeric=False),
        Column("File", numeric=False),
        Column("Counter", numeric=False),
        Column("Column", tip="place in a line; the time is the first"),
        Column("Rows", numeric=False, tip="data rows of the file, from 1"),
        Column("Line", tip="Line of the first of these rows in the file"),
        Column("Samples"),
        Column("Missing"),
        Column("Interval", "s"),
        Column("Contribution", tip="in the unit of the figure"),
        Column("What", numeric=False),
    )
    rows = tuple(_row(explanation, source) for explanation in explanations for source in explanation.sources)
    return TableData(columns, rows, _legend(explanations), name)


def explained_words(explanation: Explanation) -> str:
    """The figure with its value, formula and phase, line by line."""
    value = moment(explanation.value) if explanation.moment else number(explanation.value, 6)
    whose = f"{explanation.run} ({explanation.configuration})" if explanation.configuration else explanation.run
    lines = [f"{explanation.figure} = {value}, {whose}" if whose else f"{explanation.figure} = {value}"]
    lines.append(f"Formula: {explanation.formula}")
    if explanation.phase.name:
        until = f"{moment(explanation.phase.start)} to {moment(explanation.phase.end)} UTC"
        lines.append(f"Phase: {explanation.phase.name}, {until}")
    if explanation.rule:
        lines.append(f"Rule: {explanation.rule}")
    return "\n".join([*lines, explanation.note] if explanation.note else lines)


def _legend(explanations: Sequence[Explanation]) -> str:
    parts = [f"{MISSING} not known, or no sum"]
    for explanation in explanations:
        if explanation.adds_up and explanation.value is not None:
            total = sum(source.contribution or 0.0 for source in explanation.sources)
            parts.append(f"{explanation.run}: contributions add up to {number(total, 6)}")
    return " · ".join(parts[:4])


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
    """`7`, `7–19`, or the sign of what is not known."""
    if source.first_row is None:
        return MISSING
    same = source.first_row == source.last_row
    return f"{source.first_row}" if same else f"{source.first_row}\u2013{source.last_row}"


def _count(value: int | None) -> Cell:
    return Cell(MISSING if value is None else f"{value:,}".replace(",", THIN), value)
