"""The trends as a table, and their runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite

from workbench.answers.common.change_words import VERDICT_ICONS, p_words
from workbench.answers.trend.compute import Trend, TrendStep
from workbench.answers.trend.joined import LeftOut
from workbench.answers.trend.points import build_words, in_order, run_of
from workbench.answers.trend.sentences import (
    METHOD,
    build_text,
    likely_text,
    measure_text,
    note_text,
    outcome_text,
    size_text,
    slope_text,
    unit_text,
)
from workbench.charts.figure import FigureSource, Look
from workbench.charts.tables import Cell, Column, RowField, TableData, table_of, text_field
from workbench.measures.catalogue import MEASURES
from workbench.measures.measure import measure_words
from workbench.model.history import HistoryPoint
from workbench.model.source import Explanation
from workbench.words.numbers import MISSING, moment

TABLE, RUNS = "Changes", "Runs"


def trend_table(trends: Sequence[Trend], looks: Mapping[str, Look], name: str = TABLE) -> TableData:
    """A row for each step, and one for each series without a step."""
    columns = (
        Column("Measure", numeric=False),
        Column("Configuration", numeric=False),
        Column("What", numeric=False),
        Column("Build", numeric=False, tip="First build with the step"),
        Column("Likely builds", numeric=False, tip="Builds that contain the step with 95 % probability"),
        Column("Change", tip="Change with its 95 % interval; for a drift from the first run to the last"),
        Column("Verdict", numeric=False),
        Column("Runs", tip="Number of runs before the step, and from the step on"),
        Column("Adjusted p", tip="p-value for 'no change', corrected for the number of series"),
        Column("Notes", numeric=False),
    )
    rows = [_row(trend, step, looks) for trend in trends for step in (trend.steps or (None,))]
    return TableData(columns, tuple(rows), "", name, method=METHOD)


def _row(trend: Trend, step: TrendStep | None, looks: Mapping[str, Look]) -> tuple[Cell, ...]:
    series, count = trend.series, len(trend.series.points)
    verdict = trend.verdict if step is None else step.verdict
    what, note = outcome_text(trend) if step is None else trend.outcome.value, note_text(trend)
    size = Cell(slope_text(trend), None if trend.slope is None else trend.slope.change)
    if step is not None:
        size = Cell(size_text(step, series), _ratio_change(step), source=_step_source(trend, step))
    return (
        Cell(measure_text(series), measure_text(series), key=series.key),
        Cell(series.configuration, series.configuration, look=looks.get(series.configuration)),
        Cell(what, what),
        Cell(MISSING if step is None else build_words(step.point), None if step is None else build_text(step)),
        Cell(MISSING if step is None else likely_text(step, series)),
        size,
        Cell(
            MISSING if verdict is None else verdict.value, None, icon="" if verdict is None else VERDICT_ICONS[verdict]
        ),
        Cell(str(count) if step is None else f"{step.runs[0]} : {step.runs[1]}", count),
        Cell(p_words(trend.p if step is None else step.p), trend.p if step is None else step.p),
        Cell(note, note, note),
    )


def _ratio_change(step: TrendStep) -> float | None:
    """The change as a share of the runs before; None for a step from 0."""
    ratio = step.change.ratio
    return ratio - 1 if isfinite(ratio) else None


def _step_source(trend: Trend, step: TrendStep) -> FigureSource | None:
    """The open runs on both sides of a step; None if one side is only in the history folder."""
    before, behind = trend.sides_of(step)
    ours, theirs = (tuple(point.folder for point in side if point.folder) for side in (behind, before))
    return FigureSource(ours, trend.series.phase, trend.series.measure.key, theirs) if ours and theirs else None


def runs_table(trends: Sequence[Trend], looks: Mapping[str, Look]) -> TableData:
    """A row for each run with its values: those of an open run lead to its samples, others to their history file."""
    series = [trend.series for trend in trends]
    firsts = {(member.measure.key, member.phase): member for member in reversed(series)}
    heads = list(dict.fromkeys((member.measure.key, member.phase) for member in series))
    columns = (
        Column("Date", "UTC", numeric=False),
        Column("Build", numeric=False),
        Column("Configuration", numeric=False),
        Column("Run", numeric=False),
        Column("Study", numeric=False),
        *(Column(measure_text(member), unit_text(member.measure)) for member in (firsts[head] for head in heads)),
        Column("From", numeric=False, tip="Open study, or file of the history folder"),
    )
    by_run: dict[tuple[object, ...], dict[tuple[str, str], HistoryPoint]] = {}
    for member in series:
        for point in member.every:
            by_run.setdefault(run_of(point), {})[point.measure, point.phase] = point
    ordered = sorted(by_run.values(), key=_date)
    rows = tuple(_run_row(points, heads, looks) for points in ordered)
    return TableData(columns, rows, name=RUNS)


def _date(points: Mapping[tuple[str, str], HistoryPoint]) -> tuple[object, ...]:
    point = next(iter(points.values()))
    return *in_order(point)[:2], point.configuration


def _run_row(
    points: Mapping[tuple[str, str], HistoryPoint], heads: Sequence[tuple[str, str]], looks: Mapping[str, Look]
) -> tuple[Cell, ...]:
    point = next(iter(points.values()))
    seconds = None if point.date is None else point.date.seconds
    evidence = "Not stated in run.toml or by a timestamp" if point.date is None else f"from {point.date.evidence.value}"
    where = f"history: {point.file}" if point.file else "open study"
    return (
        Cell(moment(seconds), seconds, evidence),
        Cell(point.build or MISSING, point.build),
        Cell(point.configuration, point.configuration, look=looks.get(point.configuration)),
        Cell(point.run, point.run),
        Cell(point.study, point.study),
        *(_figure_cell(points.get(head)) for head in heads),
        Cell(where, where),
    )


def _figure_cell(point: HistoryPoint | None) -> Cell:
    if point is None:
        return Cell(MISSING)
    text = measure_words(point.value, MEASURES[point.measure])
    return Cell(f"≥ {text}" if point.lower_bound else text, point.value, source=point_source(point))


def point_source(point: HistoryPoint) -> FigureSource:
    """The source of a run's value: its samples, or its history file."""
    if point.folder:
        return FigureSource((point.folder,), point.phase, point.measure)
    measure = MEASURES[point.measure]
    note = f"Saved in {point.file}; its samples are not open." if point.file else "Saved in the history folder."
    kept = Explanation(
        point.measure, point.value, measure.computed, note=note, run=point.run, configuration=point.configuration
    )
    return FigureSource((), point.phase, point.measure, explanations=(kept,))


_LEFT_OUT: tuple[RowField[LeftOut], ...] = (
    text_field("Run", lambda row: row.run),
    text_field("Study", lambda row: row.study),
    text_field("Configuration", lambda row: row.configuration),
    text_field("Reason for exclusion", lambda row: Cell(row.reason, row.reason, row.reason)),
)


def left_out_table(runs: Sequence[LeftOut]) -> TableData:
    """The runs of the open studies that do not count, and why."""
    return table_of(_LEFT_OUT, runs, name=f"Excluded ({len(runs)})")
