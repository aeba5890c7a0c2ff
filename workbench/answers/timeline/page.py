"""The timeline page: any counters over time, and what each did in a phase.

The report view of the timeline: mean, lowest, highest and last value of each counter in a phase.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from workbench.answers.common.choices import Choices
from workbench.answers.common.chosen import chosen_phase, without_answer
from workbench.answers.common.library import Library
from workbench.answers.common.traces.marks import with_notes
from workbench.answers.common.traces.traces import WHOLE_RUN, Alignment, View
from workbench.answers.timeline import figures as timeline_figure
from workbench.answers.timeline.curves import Curve, curves, default_keys
from workbench.charts.content import Content, Live
from workbench.charts.figure import FloatArray
from workbench.charts.tables import Cell, Column, TableData
from workbench.model.phase import Phase
from workbench.model.recording import SeriesKey
from workbench.phases.integral import gauge, inside, mean
from workbench.words.metrics import phase_words
from workbench.words.numbers import MISSING, fixed, number

CHOOSE_MORE = "choose more on the left"


def timeline(library: Library, choices: Choices) -> Content:
    """The counters that were chosen, else storage I/O and CPU of the first run; time series that make no run, such
    as the logs of a benchmark, where there is no run at all."""
    groups = library.drawable(choices)
    if not groups:
        return without_answer(timeline_figure.QUESTION, library)
    shown = curves(groups, shown_keys(library, choices))
    view = timeline_view(library, choices)
    if shown and all(curve.relative for curve in shown):
        # Neither phases nor a clock: there is only one way to lay them out.
        view = View(WHOLE_RUN, alignment=Alignment.RUN_START)
    figure = timeline_figure.timeline_figure(shown, view)
    table = timeline_table(shown, view)
    if figure.empty:
        return Content(figure.question, tables=(table,), empty=figure.empty)
    runs = list({curve.key.run: curve.figures for curve in shown}.values())
    figure = with_notes(figure, choices.notes, view, {0: runs})

    def moved_table(moved: Library) -> TableData:
        known = moved.figures or {}
        curves = [replace(curve, figures=known.get(curve.key.run, curve.figures)) for curve in shown]
        return timeline_table(curves, view)

    live = Live((), lambda moved: ((), (moved_table(moved),)))
    advice = CHOOSE_MORE if timeline_figure.left_out_words(shown) else ""
    return Content(figure.question, figure.caption, figure=figure, tables=(table,), live=live, advice=advice)


def timeline_view(library: Library, choices: Choices) -> View:
    """The phase and the alignment of the page."""
    return View(chosen_phase(library, choices, whole=True), alignment=choices.alignment)


def shown_keys(library: Library, choices: Choices) -> tuple[SeriesKey, ...]:
    """The counters of the current study that are shown; the page's own choice where none of it was chosen."""
    groups = library.drawable(choices)
    runs = {run.run.folder for group in groups for run in (*group.runs, *group.excluded)}
    mine = tuple(key for key in choices.timeline or () if key.run in runs)
    if mine or choices.timeline == ():
        return mine
    return default_keys(library.shown(choices) if library.groups(choices) else groups)


NAME = "Report"
METHOD = ("Mean: over the measured seconds", "Lowest, highest and last: of the samples in the phase")
# What has one of these units is read at a moment; everything else is a mean over the interval before.
_GAUGES = frozenset(("MB", ""))
_EVER = Phase(WHOLE_RUN, -np.inf, np.inf, "")


class Report(NamedTuple):
    """What a counter did in a phase, in the unit it is shown in; None where no sample lies in it."""

    mean: float | None = None
    low: float | None = None
    high: float | None = None
    last: float | None = None
    samples: int = 0


def report(curve: Curve, phase: str) -> Report | None:
    """The figures of a counter over a phase of its run (or all of it); None where the run lacks the phase."""
    row = curve.figures.phase(phase)
    if phase != WHOLE_RUN and (row is None or curve.relative):
        return None
    stretch = _EVER if phase == WHOLE_RUN or row is None else row.phase
    values = _inside(curve, stretch) * curve.unit.factor
    value = mean(curve.samples, stretch)
    if not values.size:
        return Report(None if value is None else value * curve.unit.factor)
    # One sample alone speaks for no interval: its value is the mean.
    whole = float(values.mean()) if value is None else value * curve.unit.factor
    return Report(whole, float(values.min()), float(values.max()), float(values[-1]), int(values.size))


def _inside(curve: Curve, stretch: Phase) -> FloatArray:
    """As in the phase table: of a rate the samples whose interval lies in the phase for at least half, of a gauge
    the readings taken in it."""
    if curve.unit.unit in _GAUGES or stretch is _EVER:
        return gauge(curve.samples, stretch)
    return inside(curve.samples, stretch)


def timeline_table(curves: Sequence[Curve], view: View) -> TableData:
    """One row per curve, with the sign of its line."""
    columns = (
        Column("Counter", numeric=False),
        Column("Instance", numeric=False),
        Column("Host", numeric=False),
        Column("Run", numeric=False),
        Column("Unit", numeric=False),
        Column("Mean"),
        Column("Lowest"),
        Column("Highest"),
        Column("Last"),
        Column("Samples"),
    )
    where = "whole run" if view.phase == WHOLE_RUN else phase_words(view.phase)
    rows = tuple(_row(curve, report(curve, view.phase)) for curve in curves)
    return TableData(
        columns, rows, f"{where[:1].upper()}{where[1:]}", NAME, tuple(curve.key for curve in curves), method=METHOD
    )


def _row(curve: Curve, known: Report | None) -> tuple[Cell, ...]:
    series, unit = curve.series, curve.unit
    report = known or Report()
    return (
        Cell(series.counter, series.counter, f"{series.object}\n{series.path}", look=curve.look),
        Cell(series.instance or MISSING, series.instance or None),
        Cell(series.host or MISSING, series.host or None),
        Cell(curve.figures.run.name, curve.figures.run.name, curve.label),
        Cell(unit.unit or MISSING, unit.unit or None),
        *(Cell(number(value), value) for value in (report.mean, report.low, report.high, report.last)),
        Cell(fixed(report.samples, 0), report.samples) if known else Cell(MISSING),
    )
