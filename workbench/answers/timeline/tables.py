"""The report view of the timeline: mean, lowest, highest and last value of each counter in a phase."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from workbench.answers.common.traces.traces import WHOLE_RUN, View
from workbench.answers.timeline.curves import Curve
from workbench.charts.figure import FloatArray
from workbench.charts.tables import Cell, Column, TableData
from workbench.model.phase import Phase
from workbench.phases.integral import gauge, inside, mean
from workbench.words.metrics import phase_words
from workbench.words.numbers import MISSING, fixed, number

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
