"""The trends as a table, and their runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from math import isfinite
from typing import NamedTuple

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
from workbench.charts.tables import Cell, RowField, TableData, number_field, table_of, text_field, tipped
from workbench.measures.catalogue import MEASURES
from workbench.measures.measure import measure_words
from workbench.model.history import DateEvidence, HistoryPoint
from workbench.model.source import Explanation
from workbench.words.numbers import MISSING, moment

TABLE, RUNS = "Changes", "Runs"
# The source of a date for readers, if it is not the word in files.
_EVIDENCE = {DateEvidence.SAMPLES: "timestamps"}

# A measure and a phase.
_Head = tuple[str, str]


class TrendRow(NamedTuple):
    """A step of a trend; None for a series without a step."""

    trend: Trend
    step: TrendStep | None

    @property
    def judged(self) -> Trend | TrendStep:
        """The step or trend with the verdict and the p-value."""
        return self.step or self.trend


def rows_of(trends: Sequence[Trend]) -> list[TrendRow]:
    """A row for each step, and one for each series without a step."""
    return [TrendRow(trend, step) for trend in trends for step in (trend.steps or (None,))]


def trend_table(trends: Sequence[Trend], looks: Mapping[str, Look], name: str = TABLE) -> TableData:
    """The rows of the trends."""
    fields: tuple[RowField[TrendRow], ...] = (
        text_field("Metric", lambda row: tipped(measure_text(row.trend.series), "", key=row.trend.series.key)),
        text_field("Configuration", lambda row: _configuration(row.trend.series.configuration, looks)),
        text_field("Result", lambda row: row.trend.outcome.value if row.step else outcome_text(row.trend)),
        *_CHANGE,
        text_field("Notes", lambda row: tipped(note_text(row.trend)), fills=True),
    )
    return table_of(fields, rows_of(trends), name=name, method=METHOD)


def _configuration(name: str, looks: Mapping[str, Look]) -> Cell:
    return Cell(name, name, look=looks.get(name))


def _size(row: TrendRow) -> Cell:
    trend, step = row
    if step is None:
        return Cell(slope_text(trend), None if trend.slope is None else trend.slope.change)
    return Cell(size_text(step, trend.series), _ratio_change(step), source=_step_source(trend, step))


def _verdict(row: TrendRow) -> Cell | None:
    verdict = row.judged.verdict
    return None if verdict is None else Cell(verdict.value, icon=VERDICT_ICONS[verdict])


def _runs(row: TrendRow) -> Cell:
    count = len(row.trend.series.points)
    return Cell(f"{row.step.runs[0]} before, {row.step.runs[1]} after" if row.step else str(count), count)


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
    by_run: dict[tuple[object, ...], dict[_Head, HistoryPoint]] = {}
    for member in series:
        for point in member.every:
            by_run.setdefault(run_of(point), {})[point.measure, point.phase] = point
    rows = sorted(((next(iter(of.values())), of) for of in by_run.values()), key=lambda row: _order(row[0]))
    fields = (
        text_field("Date", lambda row: _date(row[0]), unit="UTC"),
        text_field("Build", lambda row: row[0].build),
        text_field("Configuration", lambda row: _configuration(row[0].configuration, looks)),
        text_field("Run", lambda row: Cell(row[0].run, row[0].run)),
        text_field("Study", lambda row: Cell(row[0].study, row[0].study)),
        *(
            number_field(measure_text(firsts[head]), partial(_figure_cell, head), unit=unit_text(firsts[head].measure))
            for head in heads
        ),
        text_field(
            "Source",
            lambda row: f"history: {row[0].file}" if row[0].file else "open study",
            tip="Source of the run: the open study, or a file in the history folder",
        ),
    )
    return table_of(fields, rows, name=RUNS)


def _order(point: HistoryPoint) -> tuple[object, ...]:
    return *in_order(point)[:2], point.configuration


def _date(point: HistoryPoint) -> Cell:
    if point.date is None:
        return Cell(MISSING, None, "Not stated in run.toml or by a timestamp")
    evidence = _EVIDENCE.get(point.date.evidence, point.date.evidence.value)
    return Cell(moment(point.date.seconds), point.date.seconds, f"from {evidence}")


def _figure_cell(head: _Head, row: tuple[HistoryPoint, Mapping[_Head, HistoryPoint]]) -> Cell | None:
    if (point := row[1].get(head)) is None:
        return None
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


_CHANGE: tuple[RowField[TrendRow], ...] = (
    text_field(
        "Build",
        lambda row: row.step and Cell(build_words(row.step.point), build_text(row.step)),
        tip="First build with the step",
    ),
    text_field(
        "Builds that may be the cause",
        lambda row: row.step and Cell(likely_text(row.step, row.trend.series)),
        tip="Range of builds that contains the step with 95 % probability",
    ),
    number_field("Change", _size, tip="Change with its 95 % interval. For a drift: from the first run to the last run"),
    text_field("Verdict", _verdict),
    number_field("Runs", _runs, tip="Number of runs before and after the step"),
    number_field(
        "Adjusted p",
        lambda row: Cell(p_words(row.judged.p), row.judged.p),
        tip="p-value for 'no change', corrected for the number of series",
    ),
)
_LEFT_OUT: tuple[RowField[LeftOut], ...] = (
    text_field("Run", lambda row: row.run),
    text_field("Study", lambda row: row.study),
    text_field("Configuration", lambda row: row.configuration),
    text_field("Reason for exclusion", lambda row: tipped(row.reason)),
)


def left_out_table(runs: Sequence[LeftOut]) -> TableData:
    """The runs of the open studies that do not count, and the reasons."""
    return table_of(_LEFT_OUT, runs, name=f"Excluded ({len(runs)})")
