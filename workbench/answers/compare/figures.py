"""The charts of Compare: the change of one metric from the baseline, and the estimation plot.

The first chart has a panel for each phase and a bar for each configuration. The estimation plot shows every run as a
dot above. In the same columns below, it shows the difference from the baseline with its interval (Cumming, *The New
Statistics*, 2014).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from workbench.answers.common.change_words import (
    WHISKERS,
    change_ends_words,
    change_words,
    drawn_change,
    few_runs_words,
    margin_words,
    verdict_words,
)
from workbench.answers.common.listing import Chosen
from workbench.answers.common.looks import looks
from workbench.answers.common.sources import change_source
from workbench.answers.compare.compute import Comparison
from workbench.answers.compare.sentences import difference_words, runs_words
from workbench.charts.content import Card
from workbench.charts.figure import Axis, Band, Bars, Figure, FigureSource, FloatArray, Line, Look, Mark, Panel, Points
from workbench.measures.catalogue import DURATION, MEASURES
from workbench.measures.comparability import CANNOT, reason_sentences
from workbench.measures.configurations import Group
from workbench.measures.measure import Measure, value_words
from workbench.measures.significance.differences import Difference, Values
from workbench.measures.significance.missing_data_check import IN_PART
from workbench.measures.statistics import Change
from workbench.model.phase import STEADY
from workbench.model.problem import all_named
from workbench.words.captions import captioned, named
from workbench.words.metrics import in_phase, phase_words
from workbench.words.numbers import MISSING, THIN

QUESTION = "What changed from the baseline?"
ONLY_ONE = "There is only one configuration. Open more results, or show a hidden configuration in the tree."
# The marks of the margin do not belong to a configuration.
_MARGIN_LOOK = Look("quiet")
# Room above and below the bars for their values, as a share of the range; enough for a plot 100 pixels high.
_ROOM = 0.3


def measure_of(figure: str) -> Measure:
    """The measure of a field of PhaseFigures; IOPS per VM if the field is not compared."""
    measure = MEASURES.get(figure)
    return measure if measure is not None and measure.change else MEASURES["iops_per_vm"]


def compare_figure(
    comparison: Comparison, groups: Sequence[Group], figure: str, chosen: Chosen | None = None
) -> Figure:
    """Bars with the change of each configuration, one panel for each phase in which something was compared.

    Changes are in percent, of shares in percentage points. The whiskers are the 95 % interval (or the range), the band
    is the margin. If there are many configurations, only those `chosen` are drawn.
    """
    measure = measure_of(figure)
    rows = [
        difference
        for difference in comparison.differences
        if difference.measure is measure and difference.change is not None
    ]
    phases = dict.fromkeys(row.phase for row in rows)
    if chosen is not None:
        places = {group.label: place for place, group in enumerate(chosen.groups)}
        rows = sorted((r for r in rows if r.configuration in places), key=lambda row: places[row.configuration])
    if not rows or comparison.baseline is None:
        return _empty(comparison, groups, measure)
    look, members = looks(groups), {group.label: group for group in groups}
    limits = limits_of(rows, comparison.margin)
    panels = tuple(
        change_panel(phase, [row for row in rows if row.phase == phase], comparison, look, members, limits, column)
        for column, phase in enumerate(phase for phase in phases if any(row.phase == phase for row in rows))
    )
    caption, method = _captions(rows, comparison, measure)
    return Figure("compare", QUESTION, caption, panels, summary=_summary(rows, comparison), method=method)


def compare_cards(comparison: Comparison, groups: Sequence[Group], phase: str, figure: str) -> tuple[Card, ...]:
    """Cards: the baseline's value, then the change of each configuration with verdict, interval and difference."""
    measure, base, look = measure_of(figure), comparison.baseline, looks(groups)
    if base is None:
        return ()
    rows = [(group, comparison.of(group.label, phase, measure.key)) for group in groups if group is not base]
    known = next((row for _, row in rows if row is not None and row.baseline_values), None)
    value = MISSING if known is None else value_words(known.baseline_value, measure.unit)
    count = 0 if known is None else len(known.baseline_values)
    note = f"baseline, n = {count}" if count else f"baseline; {_why_none(measure, phase)}"
    colours = look.get(base.label, Look("quiet"))
    first = Card(base.label, colours, value, "", note, measure.name, spoken=named(base.label))
    return (first, *(_card(group, row, measure, look[group.label], phase) for group, row in rows if group.runs))


_CHOSEN_LENGTH = "the tester sets the duration"


def _why_none(measure: Measure, phase: str) -> str:
    """The reason why no run of the baseline has the figure. The length of a steady state is not measured."""
    return _CHOSEN_LENGTH if measure.key == DURATION and phase == STEADY else f"not measured {in_phase(phase)}"


def _card(group: Group, row: Difference | None, measure: Measure, look: Look, phase: str) -> Card:
    spoken = named(group.label)
    if row is None or row.change is None:
        value = None if row is None else row.value
        text = f"{measure.name} {value_words(value, measure.unit)}" if value is not None else ""
        chosen = measure.key == DURATION and phase == STEADY
        why = "no values to compare"
        if row is not None and row.apart:
            return Card(group.label, look, MISSING, "", "cannot be compared yet", row.apart, spoken=spoken)
        if row is not None and row.shown_difference is not None:
            why, text = "no ratio: the baseline is 0", f"{text} ({difference_words(row)})"
        return Card(group.label, look, MISSING, "", _CHOSEN_LENGTH if chosen else why, text, spoken=spoken)
    change = row.change
    single = change.low is None
    parts = [verdict_words(row.verdict)] if row.objection is not None or not single else []
    parts += [] if single else [change_ends_words(change, measure.change_unit)]
    parts += [IN_PART] if row.unmeasured else []
    now = value_words(row.value, measure.unit)
    if measure.unit and measure.unit not in ("%", "s"):
        now += f"{THIN}{measure.unit}"
    by = "" if row.shown_difference is None else f", difference {difference_words(row)}"
    # The number of runs is in the shorter line: next to the interval, it would need a third line in a narrow card.
    runs = few_runs_words(change.n, change.n_baseline) if single else f"n = {runs_words(row)}"
    detail = f"{now}{by} · {runs}"
    shown = change_words(change, measure.change_unit)
    return Card(group.label, look, shown, "", " · ".join(parts), detail, spoken=spoken)


def change_panel(
    phase: str,
    rows: Sequence[Difference],
    comparison: Comparison,
    look: Mapping[str, Look],
    members: Mapping[str, Group],
    limits: tuple[float, float],
    column: int = 0,
    before: tuple[str, ...] = (),
) -> Panel:
    """A panel with a bar for the change of each row, its interval or range, and the band of the margin.

    The names in `before` have no bar.
    """
    measure, labels = rows[0].measure, (*before, *(row.configuration for row in rows))
    margin = _margin_of(rows[0], comparison.margin)
    edges = np.array([-0.5, len(labels) - 0.5])
    band = Band(margin_words(comparison.margin), edges, np.full(2, -margin), np.full(2, margin), _MARGIN_LOOK)
    sources = [change_source(comparison.baseline, members[row.configuration], phase, measure.key) for row in rows]
    places = enumerate(zip(rows, sources, strict=True), len(before))
    bars = tuple(_bar(place, row, look[row.configuration], len(labels), source) for place, (row, source) in places)
    return Panel(
        title=phase_words(phase).capitalize(),
        x=Axis("", categories=labels),
        y=Axis(f"Change in {measure.within}", measure.change_unit, limits=limits, change=True),
        marks=(band, *bars),
        column=column,
        legend=False,
        subtitle=_verdicts(rows),
    )


def _verdicts(rows: Sequence[Difference]) -> str:
    """The number of each verdict."""
    if all(row.change is not None and row.change.basis == "single" for row in rows):
        return "single runs: no verdict"
    # A sign between number and word reads as "about".
    words = [verdict_words(row.verdict).removeprefix("~ ") for row in rows]
    return f"verdicts: {', '.join(f'{words.count(word)} {word}' for word in dict.fromkeys(words))}"


def _bar(place: int, row: Difference, look: Look, count: int, source: FigureSource | None) -> Bars:
    found = row.change
    assert found is not None
    change, low, high = drawn_change(found, row.measure.change_unit)
    ends = (np.empty(0), np.empty(0))
    if low is not None and high is not None:
        ends = (_at(place, count, low), _at(place, count, high))
    return Bars(
        row.configuration,
        _at(place, count, change),
        Look(look.hue, look.tint),
        ends[0],
        ends[1],
        stack="change",
        sources=tuple(source if at == place else None for at in range(count)),
        counts=(runs_words(row),) * count,
        ends=WHISKERS.get(found.basis, ""),
    )


def _at(place: int, count: int, value: float) -> FloatArray:
    values = np.full(count, np.nan)
    values[place] = value
    return values


def limits_of(rows: Sequence[Difference], margin: float) -> tuple[float, float]:
    """One axis range for all panels: every bar and whisker, the margin, and room for the values."""
    edges, changes = [0.0], list[float]()
    for row in rows:
        if row.change is not None:
            edges += [sign * _margin_of(row, margin) for sign in (1, -1)]
            edges += [edge for edge in drawn_change(row.change, row.measure.change_unit) if edge is not None]
            changes.append(drawn_change(row.change, row.measure.change_unit)[0])
    low, high = min(edges), max(edges)
    below, above = (_ROOM if has_values else _ROOM / 3 for has_values in (min(changes) < 0, max(changes) >= 0))
    return low - below * (high - low), high + above * (high - low)


def _margin_of(row: Difference, margin: float) -> float:
    """The margin as drawn: percent for a ratio, otherwise that share of the baseline's value."""
    return 100 * margin if row.measure.change == "ratio" else margin * (row.baseline_value or 0.0)


def _captions(rows: Sequence[Difference], comparison: Comparison, measure: Measure) -> tuple[str, tuple[str, ...]]:
    """The caption and the method."""
    assert comparison.baseline is not None
    bases = {row.change.basis for row in rows if row.change is not None}
    words = " or ".join(word for basis, word in WHISKERS.items() if basis in bases)
    of_what = " of the baseline" * (measure.change != "ratio")
    return captioned(
        (f"The grey band shows changes within {margin_words(comparison.margin)}{of_what}",),
        (
            f"Bars show changes in mean {measure.within} vs. {named(comparison.baseline.label)}",
            "Changes inside the grey band are rated 'same'",
            f"Whiskers show the {words}" if words else "Single runs have no whiskers",
        ),
    )


def _summary(rows: Sequence[Difference], comparison: Comparison) -> str:
    assert comparison.baseline is not None
    alike: dict[str, dict[str, list[str]]] = {}
    for row in rows:
        if row.change is not None:
            change, verdict = _spoken_change(row.change, row.measure.change_unit), verdict_words(row.verdict)
            phases = alike.setdefault(f"{change}, {verdict.removeprefix('~ ')}", {})
            phases.setdefault(row.phase, []).append(named(row.configuration))
    said = (f"{', '.join(_places(phases))}: {words}" for words, phases in alike.items())
    return f"Change in {rows[0].measure.within} vs. {named(comparison.baseline.label)}. {'; '.join(said)}."


def _places(phases: Mapping[str, list[str]]) -> list[str]:
    """Texts like `MCS and PVS during boot and logon`: phases with the same configurations share them."""
    every: dict[str, list[str]] = {}
    for phase, names in phases.items():
        every.setdefault(all_named(names), []).append(phase)
    return [f"{names} {in_phase(*phases)}" for names, phases in every.items()]


def _spoken_change(change: Change, unit: str) -> str:
    ends = change_ends_words(change, unit).removesuffix(unit).rstrip(THIN)
    shown = "" if ends == MISSING else f" {ends}" if ends.startswith("[") else f" ({ends})"
    return change_words(change, unit) + shown


def _empty(comparison: Comparison, groups: Sequence[Group], measure: Measure) -> Figure:
    if sum(bool(group.runs) for group in groups) < 2 or comparison.baseline is None:
        text = ONLY_ONE
    elif comparison.apart and all(row.apart for row in comparison.differences):
        text = f"{CANNOT}. {reason_sentences(comparison.apart)}"
    elif measure.key == DURATION:
        text = "No phase has a duration to compare, because the tester sets the length of steady state."
    elif any(
        difference.measure is measure and difference.difference is not None for difference in comparison.differences
    ):
        text = f"{measure.name} of the baseline is 0, so there is no ratio. The table shows the differences."
    elif not any(row.difference is not None for row in comparison.differences if row.measure.key != DURATION):
        text = "No run has metrics to compare. See the Phase durations view."
    else:
        text = f"A configuration has no values of {measure.within}. Choose another metric."
    return Figure("compare", QUESTION, "", (), empty=text, summary=text)


ESTIMATION = "estimation"
# Half the width of the line of a mean, and the distance of the first and the last run from its middle.
_MEAN, _ASIDE = 0.2, 0.12


def estimation_figure(
    comparison: Comparison, groups: Sequence[Group], figure: str, phase: str, chosen: Chosen | None = None
) -> Figure:
    """Two panels with the same columns, the baseline first.

    Above: the value of each run as a dot, their mean as a line, and the mean of the baseline across all columns. Below:
    the change of each configuration as a dot, in percent (of shares in percentage points), with its 95 % interval (or
    range), and the margin as a band. If there are many configurations, only those `chosen` are drawn. If nothing can be
    compared in the phase, the result is the figure of all phases.
    """
    every, measure, base = compare_figure(comparison, groups, figure, chosen), measure_of(figure), comparison.baseline
    drawn = [group.label for group in (groups if chosen is None else chosen.groups)]
    rows = [
        row
        for label in drawn
        if (row := comparison.of(label, phase, measure.key)) is not None and row.change is not None
    ]
    if base is None or not rows:
        return every
    # A hidden baseline is still drawn, because the others are compared with it.
    shown = [*groups, *([] if any(group.label == base.label for group in groups) else [base])]
    look, members = looks(shown), {group.label: group for group in shown}
    names = (base.label, *(row.configuration for row in rows))
    values = (rows[0].baseline_values, *(row.values for row in rows))
    across = replace(look[base.label], dash="dash", marker="none")
    level = Line(base.label, np.array([-0.5, len(names) - 0.5]), np.full(2, _mean(values[0])), across)
    marks = [
        mark
        for place, name in enumerate(names)
        for mark in _runs(place, name, values[place], look[name], value_words(_mean(values[place]), measure.unit))
    ]
    axis = Axis("", categories=(base.label, *map(_judged, rows)), of=names)
    highest = max(value for runs in values for _, value in runs)
    above = Panel(
        phase_words(phase).capitalize(),
        axis,
        Axis(measure.name, measure.unit, limits=(0.0, 1.15 * highest or 1.0)),
        (level, *marks),
        legend=False,
    )
    below = change_panel(
        phase, rows, comparison, look, members, limits_of(rows, comparison.margin), before=(base.label,)
    )
    own = Bars(base.label, np.array([0.0, *(np.nan for _ in rows)]), look[base.label], stack="change")
    words = ("baseline", *(change_words(row.change, measure.change_unit) for row in rows))
    bars = [mark for mark in (own, *below.marks) if isinstance(mark, Bars)]
    dots = (replace(bar, look=look[bar.name], dots=True, words=(word,)) for bar, word in zip(bars, words, strict=True))
    below = replace(below, title="", subtitle="", x=axis, marks=(below.marks[0], *dots))
    return replace(every, key=ESTIMATION, panels=(above, below), share_y=False)


def _runs(place: int, name: str, runs: Values, look: Look, words: str) -> tuple[Mark, ...]:
    """A line at the mean of the runs, with the mean in words, and a dot for each run."""
    at = place + (np.linspace(-_ASIDE, _ASIDE, len(runs)) if len(runs) > 1 else np.zeros(1))
    ends = np.array([place - _MEAN, place + _MEAN])
    mean = Line(name, ends, np.full(2, _mean(runs)), replace(look, marker="none", dash="solid"), label=words)
    return mean, Points(name, at, np.array([value for _, value in runs]), look, tuple(run for run, _ in runs))


def _mean(runs: Values) -> float:
    return float(np.mean([value for _, value in runs]))


def _judged(row: Difference) -> str:
    """The configuration with its verdict; a single run has no verdict."""
    single = row.change is None or row.change.basis == "single"
    return row.configuration if single else f"{row.configuration} ({verdict_words(row.verdict)})"
