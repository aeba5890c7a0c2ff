"""Logon times over the storm as dots with their trend, and how many sessions were active."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from workbench.answers.common.traces.traces import run_tag
from workbench.answers.logons.compute import GroupLogons, LogonCounts, LogonFigures, active_over_time
from workbench.answers.logons.sentences import MAX_COLUMNS, fitted, runs_words, seconds, stuck_words
from workbench.charts.figure import Axis, Band, Figure, FloatArray, Line, Look, Mark, Panel, Points
from workbench.words.captions import captioned, named, short_lines
from workbench.words.numbers import plural

QUESTION = "How long do logons take during the storm?"
ACTIVE = "active-sessions"
ACTIVE_QUESTION = "How many sessions were active?"
EMPTY = (
    "No logons were recorded. Add a folder with Login VSI or Login Enterprise files, or put an events.csv with "
    "logon_start and logon_end into a run folder. docs/formats.md lists the columns."
)
_TIME = Axis("Time since first logon", "s")
_TREND = Look("text", dash="dash")
NO_TIMES = (
    "There are no logon times, because no logon ends were recorded. Add logon_end to events.csv; docs/formats.md "
    "shows how."
)
_LAUNCHED = Look("quiet", dash="dash")
# The number of points of the curve if several runs are averaged.
_POINTS = 400


def logon_times_figure(found: Sequence[GroupLogons], look: dict[str, Look]) -> Figure:
    """One panel per configuration on shared axes: a dot per session, the Theil-Sen trend as a dashed line."""
    used = [logons for logons in found if logons.spread is not None]
    if not used:
        empty = NO_TIMES if any(logons.runs for logons in found) else EMPTY
        return Figure("logons", QUESTION, "", (), empty=empty, summary=empty)
    panels = tuple(_times(index, logons, look[logons.group.label]) for index, logons in enumerate(used[:MAX_COLUMNS]))
    dashed = any(isinstance(mark, Line) for panel in panels for mark in panel.marks)
    caption, method = captioned(
        (
            "Logon times are measured in different ways" if len(_rules(used)) > 1 else "",
            fitted([logons.group.label for logons in used]),
            "Each dot is one logon",
        ),
        (
            *(line for rule in _rules(used) for line in short_lines(f"Logon time: {rule}")),
            "Each mean or percentile is the mean of the runs' values",
            "The dashed line is the trend (Theil-Sen slope)" if dashed else "",
        ),
    )
    return Figure("logons", QUESTION, caption, panels, summary=_summary(used), method=method)


def active_sessions_figure(found: Sequence[GroupLogons], look: dict[str, Look]) -> Figure:
    """One panel per configuration: sessions launched and active over time, as the mean and range of the runs."""
    used = [logons for logons in found if any(run.first_start is not None for run in logons.runs)]
    if not used:
        return Figure(ACTIVE, ACTIVE_QUESTION, "", (), empty=EMPTY, summary=EMPTY)
    panels = tuple(_active(index, logons, look[logons.group.label]) for index, logons in enumerate(used[:MAX_COLUMNS]))
    several = any(len(logons.runs) > 1 for logons in used)
    caption, method = captioned(
        (
            fitted([logons.group.label for logons in used]),
            "Sessions without a recorded end are treated as active" if _endless(used) else "",
            "Dashed lines show launched sessions",
        ),
        (
            "A session is active from logon end to session end",
            *(("Lines show means of the runs", "Shaded areas show ranges of the runs") if several else ()),
        ),
    )
    return Figure(ACTIVE, ACTIVE_QUESTION, caption, panels, summary=_active_summary(used), method=method)


def _times(place: int, one: GroupLogons, look: Look) -> Panel:
    dots = [_dots(one, run, look) for run in one.runs]
    marks: list[Mark] = [dot for dot in dots if dot.x.size]
    line = _trend_line(one, dots)
    if line is not None:
        marks.append(line)
    spread = one.spread
    assert spread is not None
    said = f"{plural(spread.n, 'logon')}{runs_words(len(one.runs))} · p95 {seconds(spread.p95)}"
    return Panel(one.group.label, _TIME, Axis("Logon time", "s"), tuple(marks), place, look, said, legend=False)


def _dots(one: GroupLogons, run: LogonFigures, look: Look) -> Points:
    first = run.first_start or 0.0
    timed = [
        (logon.start - first, logon.logon_s, logon.name)
        for logon in run.logons
        if logon.start is not None and logon.logon_s is not None
    ]
    tag = run_tag(one.group, run.run.name)
    names = tuple(f"{name} · {tag}" if tag else name for _, _, name in timed)
    x, y = (np.array([row[column] for row in timed], dtype=np.float64) for column in (0, 1))
    # The same dot for all configurations would look like an amount; the look's own marker distinguishes them.
    return Points(f"sessions, {run.run.name}", x, y, Look(look.hue, look.tint, marker=look.marker), names)


def _trend_line(one: GroupLogons, dots: Sequence[Points]) -> Line | None:
    """The mean slope of the runs through the medians of all their dots; None if no run has a trend."""
    slopes = [run.per_minute.slope for run in one.runs if run.per_minute is not None]
    if not slopes:
        return None
    x, y = np.concatenate([dot.x for dot in dots]), np.concatenate([dot.y for dot in dots])
    slope = float(np.mean(slopes)) / 60
    ends = np.array([x.min(), x.max()])
    return Line("trend", ends, np.median(y) + slope * (ends - np.median(x)), _TREND)


def _active(place: int, one: GroupLogons, look: Look) -> Panel:
    curves = [_curves(run) for run in one.runs if run.first_start is not None]
    counts = one.counts
    assert counts is not None
    said = f"{counts.logged_on} of {counts.launched} logged on"
    marks = _steps(curves[0], look) if len(curves) == 1 else _averaged(curves, look)
    return Panel(one.group.label, _TIME, Axis("Sessions", ""), marks, place, look, said, legend=False)


_Curves = tuple[FloatArray, FloatArray, FloatArray]


def _curves(run: LogonFigures) -> _Curves:
    moments, launched, active = active_over_time(run.logons)
    return moments - (run.first_start or 0.0), launched, active


def _steps(curves: _Curves, look: Look) -> tuple[Mark, ...]:
    x, launched, active = curves
    across = np.repeat(x, 2)[1:]
    return (
        Line("launched", across, np.repeat(launched, 2)[:-1], _LAUNCHED),
        Line("active", across, np.repeat(active, 2)[:-1], Look(look.hue, look.tint)),
    )


def _averaged(curves: Sequence[_Curves], look: Look) -> tuple[Mark, ...]:
    grid = np.linspace(min(curve[0][0] for curve in curves), max(curve[0][-1] for curve in curves), _POINTS)
    launched = np.mean([_at(x, values, grid) for x, values, _ in curves], axis=0)
    active = np.array([_at(x, values, grid) for x, _, values in curves])
    ink = Look(look.hue, look.tint)
    return (
        Band("range of the runs", grid, active.min(axis=0), active.max(axis=0), ink),
        Line("launched", grid, launched, _LAUNCHED),
        Line("active", grid, active.mean(axis=0), ink),
    )


def _at(x: FloatArray, values: FloatArray, grid: FloatArray) -> FloatArray:
    places = np.searchsorted(x, grid, side="right") - 1
    return np.where(places >= 0, values[np.maximum(places, 0)], 0.0)


def _endless(used: Sequence[GroupLogons]) -> bool:
    return any(run.counts.without_end is None for logons in used for run in logons.runs)


def _rules(used: Sequence[GroupLogons]) -> list[str]:
    return list(dict.fromkeys(run.rule for logons in used for run in logons.runs))


def _summary(used: Sequence[GroupLogons]) -> str:
    parts = []
    for logons in used:
        spread = logons.spread
        assert spread is not None
        spoken = f"{named(logons.group.label)}: {plural(spread.n, 'logon')}, "
        spoken += (
            f"mean {seconds(spread.mean)}, range {seconds(spread.low)} to {seconds(spread.high)}, "
            f"p95 {seconds(spread.p95)}."
            if spread.n > 1
            else f"{seconds(spread.mean)}."
        )
        parts.append(spoken)
    return " ".join(parts)


def _active_summary(used: Sequence[GroupLogons]) -> str:
    counts = [(logons.group.label, logons.counts) for logons in used if logons.counts is not None]
    return " ".join(
        f"{named(label)}: {plural(found.launched, 'session')} launched, {found.logged_on} logged on, {_stuck(found)}."
        for label, found in counts
    )


def _stuck(counts: LogonCounts) -> str:
    return stuck_words(counts)[0] if counts.stuck is None else f"{counts.stuck} stuck"
