"""The timeline page: counters over time, and a report of each counter in a phase.

The report view shows the mean, lowest, highest and last value of each counter in a phase. The timeline view has one
panel for each unit, with phases and notes at their times.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from workbench.answers.common.choices import Choices
from workbench.answers.common.chosen import chosen_phase, without_answer
from workbench.answers.common.library import Library
from workbench.answers.common.traces.marks import steady_facts, steady_regions, trend_line, with_notes
from workbench.answers.common.traces.trace_figure import time_axis
from workbench.answers.common.traces.traces import DAY_S, WHOLE_RUN, Alignment, View, zero_of
from workbench.answers.timeline.curves import Curve, curves, default_keys
from workbench.answers.timeline.sources import counter_source
from workbench.charts.content import Content, Live
from workbench.charts.decimate import LONG
from workbench.charts.extremes import extremes
from workbench.charts.figure import Axis, Figure, FloatArray, Line, Panel, Region, TimeLabels
from workbench.charts.tables import Cell, Column, TableData
from workbench.model.phase import Phase
from workbench.model.problem import all_named
from workbench.model.recording import SeriesKey
from workbench.phases.clock import offset_of
from workbench.phases.integral import gauge, inside, mean
from workbench.study.series.time_zone import offset_text
from workbench.study.series.vm_series import vm_names
from workbench.words.captions import captioned, named
from workbench.words.metrics import CounterUnit, known_from, phase_words
from workbench.words.numbers import MISSING, fixed, number, plural

CHOOSE_MORE = "select counters of other VMs on the left"


def timeline(library: Library, choices: Choices) -> Content:
    """The chosen counters, otherwise storage I/O and CPU of the first run. Without runs: time series outside runs, such
    as the logs of a benchmark."""
    groups = library.drawable(choices)
    if not groups:
        return without_answer(QUESTION, library)
    shown = curves(groups, shown_keys(library, choices), choices.derived)
    view = timeline_view(library, choices)
    if shown and all(curve.relative for curve in shown):
        # Without phases or a clock, there is only one alignment.
        view = View(WHOLE_RUN, alignment=Alignment.RUN_START)
    figure = timeline_figure(shown, view, dict(choices.placed))
    table = timeline_table(shown, view)
    if figure.empty:
        every = [run for group in groups for run in (*group.runs, *group.excluded)]
        recorded = any(one.series for run in every for one in run.run.recordings)
        return Content(figure.question, tables=(table,), empty=figure.empty if recorded else UNRECORDED)
    runs = list({curve.key.run: curve.figures for curve in shown}.values())
    figure = with_notes(figure, choices.notes, view, {0: runs}, late_starts(shown, view))

    def moved_table(moved: Library) -> TableData:
        known = moved.figures or {}
        curves = [replace(curve, figures=known.get(curve.key.run, curve.figures)) for curve in shown]
        return timeline_table(curves, view)

    live = Live((), lambda moved: ((), (moved_table(moved),)))
    advice = CHOOSE_MORE if left_out_words(shown) else ""
    return Content(figure.question, figure.caption, figure=figure, tables=(table,), live=live, advice=advice)


class Plot(NamedTuple):
    """A plot of the timeline: the unit of its curves, and its number among those of this unit."""

    unit: str
    number: int

    @property
    def key(self) -> str:
        """The key of its panel."""
        return f"{self.unit}\t{self.number}"


def moved(
    library: Library, choices: Choices, keys: Iterable[SeriesKey], panel: str | None
) -> tuple[tuple[tuple[SeriesKey, int], ...], tuple[str, ...]]:
    """`placed` with these counters on the plot with the key of this panel, or on a new plot (None). Also the names of
    the counters with another unit than the plot; they are not moved."""
    chosen = set(keys)
    every = (*shown_keys(library, choices), *chosen)
    known = curves(library.drawable(choices), tuple(dict.fromkeys(every)), choices.derived)
    numbers, others = dict(choices.placed), []
    last = {curve.unit.panel: 0 for curve in known}
    for curve in known:
        last[curve.unit.panel] = max(last[curve.unit.panel], numbers.get(curve.key, 0))
    for curve in known:
        if curve.key not in chosen:
            continue
        if panel is None:
            numbers[curve.key] = 1 + last[curve.unit.panel]
        elif panel.rpartition("\t")[0] == curve.unit.panel:
            numbers[curve.key] = int(panel.rpartition("\t")[2])
        else:
            others.append(curve.name)
    return tuple(pair for pair in numbers.items() if pair[1]), tuple(others)


def timeline_view(library: Library, choices: Choices) -> View:
    """The phase and the alignment of the page."""
    return View(chosen_phase(library, choices, whole=True), alignment=choices.alignment)


def shown_keys(library: Library, choices: Choices) -> tuple[SeriesKey, ...]:
    """The shown counters of the current study; the page's default counters if none was chosen."""
    groups = library.drawable(choices)
    runs = {run.run.folder for group in groups for run in (*group.runs, *group.excluded)}
    mine = tuple(key for key in choices.timeline or () if key.run in runs)
    if mine or choices.timeline == ():
        return mine
    return default_keys(library.shown(choices) if library.groups(choices) else groups)


NAME = "Counter values"
METHOD = (
    "The mean covers the measured seconds of the phase",
    "'Lowest', 'Highest' and 'Last' are single samples from the phase",
)
# Values in these units are readings at a moment. All other values are means over the interval before.
_GAUGES = frozenset(("MB", ""))
_EVER = Phase(WHOLE_RUN, -np.inf, np.inf, "")


class TimelineReport(NamedTuple):
    """The values of a counter in a phase, in the shown unit; None if the phase has no sample."""

    mean: float | None = None
    low: float | None = None
    high: float | None = None
    last: float | None = None
    samples: int = 0


def report(curve: Curve, phase: str) -> TimelineReport | None:
    """The values of a counter over a phase of its run (or the whole run); None if the run does not have the phase."""
    row = curve.figures.phase(phase)
    if phase != WHOLE_RUN and (row is None or curve.relative):
        return None
    stretch = _EVER if phase == WHOLE_RUN or row is None else row.phase
    values = _inside(curve, stretch) * curve.unit.factor
    value = mean(curve.samples, stretch)
    if not values.size:
        return TimelineReport(None if value is None else value * curve.unit.factor)
    # A single sample has no interval, so its value is the mean.
    whole = float(values.mean()) if value is None else value * curve.unit.factor
    return TimelineReport(whole, float(values.min()), float(values.max()), float(values[-1]), int(values.size))


def _inside(curve: Curve, stretch: Phase) -> FloatArray:
    """The samples in the phase, as in the phase table: samples of a rate with at least half of their interval in the
    phase, and readings of a gauge within it."""
    if curve.unit.unit in _GAUGES or stretch is _EVER:
        return gauge(curve.samples, stretch)
    return inside(curve.samples, stretch)


def timeline_table(curves: Sequence[Curve], view: View) -> TableData:
    """One row per curve, with the symbol of its line."""
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
    where = "Whole run" if view.phase == WHOLE_RUN else f"Phase: {phase_words(view.phase)}"
    rows = tuple(_row(curve, report(curve, view.phase)) for curve in curves)
    return TableData(columns, rows, where, NAME, tuple(curve.key for curve in curves), method=METHOD)


def _row(curve: Curve, known: TimelineReport | None) -> tuple[Cell, ...]:
    series, unit = curve.series, curve.unit
    report = known or TimelineReport()
    return (
        Cell(series.counter, series.counter, f"{series.object}\n{series.path}", look=curve.look),
        Cell(series.instance or MISSING, series.instance or None),
        Cell(series.host or MISSING, series.host or None),
        Cell(curve.figures.run.name, curve.figures.run.name, curve.label),
        Cell(unit.unit or MISSING, unit.unit or None),
        *(Cell(number(value), value) for value in (report.mean, report.low, report.high, report.last)),
        Cell(fixed(report.samples, 0), report.samples) if known else Cell(MISSING),
    )


KEY = "timeline"
QUESTION = "What happened when?"

EMPTY = "No counter is shown. Find one on the left, then double-click it, press Return, or drag it here."
UNRECORDED = "No counters were imported from these runs. The import report shows each file's content."
# Panels lower than a few lines of text are not readable.
MAX_PANELS = 6
_HEADROOM = 0.09
# The unit of the panel with the trend of the IOPS per VM.
_TRENDED = "IOPS"


def timeline_figure(curves: Sequence[Curve], view: View, numbers: Mapping[SeriesKey, int] | None = None) -> Figure:
    """The curves over their whole runs; `view` defines x = 0. Units are in the order of their first curve, the plots of
    one unit in the order of their `numbers`."""
    late = late_starts(curves, view)
    placed = [
        (curve, zero + (0.0 if curve.relative else late.get(curve.key.run, 0.0)))
        for curve in curves
        if (zero := _zero(curve, view)) is not None
    ]
    if not placed:
        text = EMPTY if not curves else _unplaced(curves)
        return Figure(KEY, QUESTION, "", (), empty=text, summary=text)
    units = list(dict.fromkeys(curve.unit.panel for curve, _ in placed))
    plots = {curve.key: Plot(curve.unit.panel, (numbers or {}).get(curve.key, 0)) for curve, _ in placed}
    kinds = sorted(set(plots.values()), key=lambda plot: (units.index(plot.unit), plot.number))[:MAX_PANELS]
    shown = [(curve, zero) for curve, zero in placed if plots[curve.key] in kinds]
    lines = [(curve, _line(curve, zero)) for curve, zero in shown]
    span = _span([line for _, line in lines])
    lead = shown[0][0]
    regions, focus = _regions(lead, shown[0][1], view, span)
    x = _axis(view, lead, span, lead.key.run in late)
    time_row = None if lead.relative else _time_row(lead, shown[0][1], view, span)
    panels = tuple(
        replace(
            _panel([(curve, line) for curve, line in lines if plots[curve.key] == kind], x, regions, focus, not index),
            key=kind.key,
            time_row=time_row,
        )
        for index, kind in enumerate(kinds)
    )
    if not lead.relative and (trend := trend_line(lead.figures, shown[0][1])) is not None:
        panels = tuple(_with_trend(panel, trend, shown) if panel.y.unit == _TRENDED else panel for panel in panels)
    caption, method = _captions([curve for curve, _ in shown], view, len(curves) - len(shown), curves)
    return Figure(KEY, QUESTION, caption, panels, share_y=False, summary=_summary(lines), method=method)


def _zero(curve: Curve, view: View) -> float | None:
    """UTC seconds of x = 0 for a curve. A run without the phase is aligned at its own start. None if the view needs a
    clock and the curve's file has none."""
    if curve.relative:
        return 0.0 if view.alignment is Alignment.RUN_START else None
    return zero_of(curve.figures, view) or zero_of(curve.figures, View(WHOLE_RUN, alignment=view.alignment))


def late_starts(curves: Sequence[Curve], view: View) -> dict[str, float]:
    """Seconds from the start of a run (by folder) to the first sample of its curves. Only for runs whose other files
    are from another day, so x = 0 is at that sample. Empty for clock time."""
    late: dict[str, float] = {}
    for curve in curves:
        zero = _zero(curve, view)
        if view.alignment is Alignment.CLOCK or curve.relative or zero is None:
            continue
        if curve.samples.end.size:
            first = float(curve.samples.end[0]) - zero
            late[curve.key.run] = min(first, late.get(curve.key.run, first))
    return {run: seconds for run, seconds in late.items() if seconds > DAY_S}


def _line(curve: Curve, zero: float) -> Line:
    x, y = with_gaps(curve.samples.end - zero, curve.samples.span, curve.samples.values * curve.unit.factor)
    known = extremes(y) if y.size > LONG else None
    return Line(curve.name, x, y, curve.look, extremes=known)


def with_gaps(x: FloatArray, span: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The samples with a missing one in the middle of every gap, so no line is drawn across gaps."""
    gaps = np.flatnonzero((span[1:] == 0) & (np.diff(x) > 0)) + 1
    if not gaps.size or not (span > 0).any():
        return x, y
    return np.insert(x, gaps, (x[gaps - 1] + x[gaps]) / 2), np.insert(y, gaps, np.nan)


def _span(lines: Sequence[Line]) -> tuple[float, float]:
    ends = [(float(line.x[0]), float(line.x[-1])) for line in lines if line.x.size]
    return (min(low for low, _ in ends), max(high for _, high in ends)) if ends else (0.0, 1.0)


def _axis(view: View, lead: Curve, span: tuple[float, float], late: bool) -> Axis:
    axis = time_axis(view, () if lead.relative else (lead.figures,))
    low, high = span
    label = "Time since recording start" if late else axis.label
    return Axis(label, axis.unit, limits=span if high > low else (low - 0.5, high + 0.5))


def _regions(
    lead: Curve, zero: float, view: View, span: tuple[float, float]
) -> tuple[tuple[Region, ...], tuple[float, float] | None]:
    """The visible phases of the first curve's run, and the selected phase."""
    if lead.relative:
        return (), None
    run = lead.figures.run.folder
    phases = [row.phase for row in lead.figures.phases]
    every = [Region(phase.name, phase.start - zero, phase.end - zero, run) for phase in phases]
    regions = tuple(
        replace(region, start=max(region.start, span[0]), end=min(region.end, span[1]))
        for region in (*every, *steady_regions(lead.figures, zero))
        if region.end > span[0] and region.start < span[1]
    )
    focus = next(((p.start - zero, p.end - zero) for p in phases if p.name == view.phase), None)
    return regions, focus


def _panel(
    members: Sequence[tuple[Curve, Line]],
    x: Axis,
    regions: tuple[Region, ...],
    focus: tuple[float, float] | None,
    first: bool,
) -> Panel:
    lines = tuple(line for _, line in members)
    quantities = list(dict.fromkeys(curve.unit.quantity for curve, _ in members))
    unit = members[0][0].unit
    y = Axis(all_named(quantities), unit.unit, limits=_limits(lines, unit))
    sources = {curve.name: counter_source(curve.key, curve.name, curve.of) for curve, _ in members}
    focus = focus if first else None
    return Panel("", x, y, lines, regions=regions, focus=focus, names_one=True, sources=sources, ends=True)


def _time_row(lead: Curve, zero: float, view: View, span: tuple[float, float]) -> TimeLabels | None:
    """A second time scale: the clock of the first curve's run below minutes, or minutes in its phases below a clock."""
    if view.alignment is not Alignment.CLOCK:
        offset = offset_of(lead.figures.run)
        words = f"UTC{offset_text(offset)}" if offset else "UTC"
        return TimeLabels(words, ((*span, -zero - 60.0 * offset),), clock=True)
    phases = ((row.phase.start - zero, row.phase.end - zero) for row in lead.figures.phases)
    stretches = tuple((max(start, span[0]), min(end, span[1]), start) for start, end in phases)
    inside = tuple(stretch for stretch in stretches if stretch[0] < stretch[1])
    return TimeLabels("min", inside) if inside else None


def _with_trend(panel: Panel, trend: Line, shown: Sequence[tuple[Curve, float]]) -> Panel:
    """The panel with a trend. The trend may be above all counters of the panel, because reads and writes are only parts
    of it.
    """
    unit = next(curve.unit for curve, _ in shown if curve.unit.panel == panel.y.unit)
    lines = [mark for mark in (*panel.marks, trend) if isinstance(mark, Line)]
    return replace(panel, marks=tuple(lines), y=replace(panel.y, limits=_limits(lines, unit)))


def _limits(lines: Sequence[Line], unit: CounterUnit) -> tuple[float, float]:
    """Limits from zero to a little above the highest sample, and below the lowest sample if that is negative."""
    ends = [found for line in lines if (found := _ends(line)) is not None]
    low, high = min([0.0, *(low for low, _ in ends)]), max([0.0, *(high for _, high in ends)])
    if low == high:
        return 0.0, 100.0 if unit.unit == "%" else 1.0
    room = _HEADROOM * (high - low)
    return (low - room if low < 0 else 0.0), (high + room if high > 0 else 0.0)


def _ends(line: Line) -> tuple[float, float] | None:
    if not line.y.size:
        return None
    # fmin and fmax ignore missing values.
    low, high = float(np.fmin.reduce(line.reach)), float(np.fmax.reduce(line.reach))
    return (low, high) if np.isfinite(low) and np.isfinite(high) else None


def _unplaced(curves: Sequence[Curve]) -> str:
    what, it = ("This counter counts", "it") if len(curves) == 1 else ("These counters count", "them")
    return f"{what} from the start of a test with unknown date. Align at run start to see {it}."


def _captions(
    shown: Sequence[Curve], view: View, left_out: int, curves: Sequence[Curve]
) -> tuple[str, tuple[str, ...]]:
    """The caption and the method."""
    runs = list(dict.fromkeys(curve.figures.run.name for curve in shown))
    hosts = {curve.series.host for curve in shown}
    lead = shown[0].figures
    evidence = list(dict.fromkeys(known_from(row.phase) for row in lead.phases))
    counting = sum(curve.relative for curve in curves) - sum(curve.relative for curve in shown)
    aligned = (
        "The chart shows times of day"
        if view.alignment is Alignment.CLOCK
        else f"Times are aligned at {_aligned(view)}"
    )
    undated = all(curve.relative for curve in shown)
    excluded = [c.figures.run.name for c in shown if c.figures.run.excluded]
    fact, steady = ("", ()) if shown[0].relative else steady_facts([lead])
    several, of_lead = len(runs) > 1, f" of {named(lead.run.name)}"
    of_clock = several and not undated and view.alignment is not Alignment.CLOCK
    of_runs = f"{', '.join(map(named, runs[:4]))}{' …' * (len(runs) > 4)}"
    counters = f"The chart shows {plural(len(shown), 'counter')} of run{'s' * several} {of_runs}"
    facts = [
        fact,
        f"Excluded but drawn: {', '.join(dict.fromkeys(excluded))}" if excluded else "",
        f"{counting} counter{'s need' if counting > 1 else ' needs'} alignment at run start" if counting else "",
        f"{left_out} counter{'s are' if left_out > 1 else ' is'} not shown" if left_out else "",
        _lacking(curves, view),
        left_out_words(shown),
        "Times are from the start, because the date is unknown" if undated else "",
    ]
    method = (
        *steady,
        counters,
        f"Measured on {shown[0].series.host}" if len(hosts) == 1 and shown[0].series.host else "",
        "" if undated else "Times are aligned at recording start" if late_starts(shown, view) else aligned,
        f"Times use the clock{of_lead}" if of_clock else "",
        f"The phases{of_lead * several} are {' and '.join(evidence)}" if evidence else "",
    )
    if not any(facts):
        return captioned((counters,), (line for line in method if line != counters))
    return captioned(facts, method)


def left_out_words(shown: Sequence[Curve]) -> str:
    """The number of drawn VMs of the runs that have a counter in the figure; empty if all are drawn."""
    runs = {curve.figures.run.folder: curve.figures.run for curve in shown if not curve.relative}
    every = {(folder, vm.casefold()) for folder, run in runs.items() for vm in vm_names(run)}
    drawn = {(curve.key.run, (curve.series.vm or curve.series.host).casefold()) for curve in shown} & every
    if not drawn or drawn == every:
        return ""
    return f"{len(drawn)} of {len(every)} VMs are shown"


def _aligned(view: View) -> str:
    if view.alignment is Alignment.RUN_START or view.phase == WHOLE_RUN:
        return "run start"
    return f"the start of {phase_words(view.phase)}"


def _lacking(curves: Sequence[Curve], view: View) -> str:
    """The runs that cannot be aligned as chosen because they lack the phase."""
    if view.alignment is not Alignment.PHASE_START:
        return ""
    without = [c.figures.run.name for c in curves if not c.relative and zero_of(c.figures, view) is None]
    names = ", ".join(dict.fromkeys(without))
    return f"Runs without {phase_words(view.phase)}, aligned at run start: {names}" if without else ""


def _summary(lines: Sequence[tuple[Curve, Line]]) -> str:
    parts = []
    for curve, line in lines:
        ends = _ends(line)
        unit = f" {curve.unit.unit}" if curve.unit.unit else ""
        parts.append(
            f"{line.name}: {number(ends[0], 4)} to {number(ends[1], 4)}{unit}" if ends else f"{line.name}: not measured"
        )
    return "Lowest and highest values. " + "; ".join(parts) + "."
