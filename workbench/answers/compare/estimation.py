"""The estimation plot: every run as a dot, and below it, in the same columns, the difference from the baseline.

After Cumming, *The New Statistics* (2014): the data above, the effect with its interval on an aligned axis below.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from workbench.answers.common.change_words import verdict_words
from workbench.answers.common.listing import Chosen
from workbench.answers.common.looks import looks
from workbench.answers.compare.compute import Comparison
from workbench.answers.compare.figures import change_panel, compare_figure, limits_of, measure_of
from workbench.charts.figure import Axis, Bars, Figure, Line, Look, Mark, Panel, Points
from workbench.measures.configurations import Group
from workbench.measures.judging.differences import Difference, Values
from workbench.measures.measure import value_words
from workbench.words.metrics import phase_words

ESTIMATION = "estimation"
# Half the width of the line of a mean, and how far from its middle the first and the last run are drawn.
_MEAN, _ASIDE = 0.34, 0.18


def estimation_figure(
    comparison: Comparison, groups: Sequence[Group], figure: str, phase: str, chosen: Chosen | None = None
) -> Figure:
    """Two panels with the same columns, the baseline first. Above: the value of each run as a dot, their mean as a
    line, the mean of the baseline across. Below: the change of each configuration in percent (of shares in percentage
    points) with its 95 % interval (or range), and the margin as a band. Of many configurations those `chosen` are
    drawn. If nothing can be compared in the phase, it is the figure of all phases."""
    every, measure, base = compare_figure(comparison, groups, figure, chosen), measure_of(figure), comparison.baseline
    drawn = [group.label for group in (groups if chosen is None else chosen.groups)]
    rows = [
        row
        for label in drawn
        if (row := comparison.of(label, phase, measure.key)) is not None and row.change is not None
    ]
    if base is None or not rows:
        return every
    # A hidden baseline is compared with, and drawn.
    shown = [*groups, *([] if any(group.label == base.label for group in groups) else [base])]
    look, members = looks(shown), {group.label: group for group in shown}
    names = (base.label, *(row.configuration for row in rows))
    values = (rows[0].baseline_values, *(row.values for row in rows))
    across = replace(look[base.label], dash="dash", marker="none")
    level = Line(base.label, np.array([-0.5, len(names) - 0.5]), np.full(2, _mean(values[0])), across)
    dots = (mark for place, name in enumerate(names) for mark in _runs(place, name, values[place], look[name]))
    means = tuple(
        f"{name} ({value_words(_mean(runs), measure.unit)})" for name, runs in zip(names, values, strict=True)
    )
    highest = max(value for runs in values for _, value in runs)
    above = Panel(
        phase_words(phase).capitalize(),
        Axis("", categories=means, of=names),
        Axis(measure.name, measure.unit, limits=(0.0, 1.15 * highest or 1.0)),
        (level, *dots),
        legend=False,
    )
    below = change_panel(
        phase, rows, comparison, look, members, limits_of(rows, comparison.margin), before=(base.label,)
    )
    own = Bars(base.label, np.array([0.0, *(np.nan for _ in rows)]), look[base.label], stack="change")
    below = replace(
        below,
        title="",
        subtitle="",
        x=Axis("", categories=(base.label, *map(_judged, rows)), of=names),
        marks=(below.marks[0], own, *below.marks[1:]),
    )
    return replace(every, key=ESTIMATION, panels=(above, below), share_y=False)


def _runs(place: int, name: str, runs: Values, look: Look) -> tuple[Mark, ...]:
    """A line at the mean of the runs, and a dot for each."""
    at = place + (np.linspace(-_ASIDE, _ASIDE, len(runs)) if len(runs) > 1 else np.zeros(1))
    ends = np.array([place - _MEAN, place + _MEAN])
    mean = Line(name, ends, np.full(2, _mean(runs)), replace(look, marker="none", dash="solid"))
    return mean, Points(name, at, np.array([value for _, value in runs]), look, tuple(run for run, _ in runs))


def _mean(runs: Values) -> float:
    return float(np.mean([value for _, value in runs]))


def _judged(row: Difference) -> str:
    """The configuration with its verdict; a single run has none."""
    single = row.change is None or row.change.basis == "single"
    return row.configuration if single else f"{row.configuration} ({verdict_words(row.verdict)})"
