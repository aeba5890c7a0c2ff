"""Start times of applications, and whether applications start slower while more sessions start.

Uses the load generator's own start times (Login VSI's AppStart, Login Enterprise's app_start_time). Some runs have
none, but their sessions or events contain the time when all applications were started. The time from the logon to then
counts as one application with its own name. Start times are in seconds. Milliseconds are an assumption if the load
generator's documents state no unit; the report mentions it.

Also draws application start times over active sessions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from workbench.answers.common.change_words import WHISKERS
from workbench.answers.logons.compute import LogonSlope, Spread, spread_of, trend
from workbench.answers.logons.sentences import MAX_COLUMNS, fitted, runs_words, seconds
from workbench.answers.logons.session_logons import SessionLogon, active_at, session_logons
from workbench.charts.figure import Axis, Bars, Dash, Figure, FloatArray, Line, Look, Mark, Marker, Panel, Points
from workbench.measures.configurations import Group
from workbench.model.run import Run
from workbench.model.session import Measurement, MeasurementKind
from workbench.words.captions import captioned, named
from workbench.words.numbers import plural

ALL_APPLICATIONS = "all applications"
_SECONDS = {"s": 1.0, "ms": 0.001}


@dataclass(frozen=True, eq=False)
class AppStarts:
    """The starts of one application in one run: the `active` sessions at each (NaN: unknown), the `seconds` it took,
    and its record. `per_100_sessions` is the trend in seconds per 100 active sessions."""

    app: str
    run: Run
    active: FloatArray
    seconds: FloatArray
    records: tuple[Measurement | SessionLogon, ...]
    spread: Spread
    per_100_sessions: LogonSlope | None
    unit_assumed: bool


@dataclass(frozen=True, eq=False)
class GroupAppStarts:
    """The starts of one application over the runs of a configuration; statistics as in `GroupLogons`."""

    group: Group
    app: str
    runs: tuple[AppStarts, ...]

    @property
    def spread(self) -> Spread:
        """Mean and percentiles (s) are means over the runs; n, lowest and highest are over all starts."""
        spreads = [run.spread for run in self.runs]
        mean, p50, p95 = (
            float(np.mean([getattr(spread, name) for spread in spreads])) for name in ("mean", "p50", "p95")
        )
        low, high = min(spread.low for spread in spreads), max(spread.high for spread in spreads)
        return Spread(sum(spread.n for spread in spreads), low, mean, p50, p95, high)

    @property
    def means(self) -> list[float]:
        """The mean start time of each run (s)."""
        return [run.spread.mean for run in self.runs]

    @property
    def trends(self) -> list[LogonSlope]:
        """Seconds per 100 active sessions, run by run."""
        return [run.per_100_sessions for run in self.runs if run.per_100_sessions is not None]

    @property
    def slope_per_100(self) -> float | None:
        """Seconds per 100 active sessions, the mean over the runs; None if no run has a trend."""
        return float(np.mean([one.slope for one in self.trends])) if self.trends else None


def group_app_starts(group: Group) -> tuple[GroupAppStarts, ...]:
    """Every application of a configuration in order of first occurrence, without excluded runs."""
    found: dict[str, list[AppStarts]] = defaultdict(list)
    for figures in group.runs:
        for starts in app_starts(figures.run):
            found[starts.app].append(starts)
    return tuple(GroupAppStarts(group, app, tuple(runs)) for app, runs in found.items())


def app_starts(run: Run) -> tuple[AppStarts, ...]:
    """Every application of a run with its starts; empty if no file records any."""
    logons = session_logons(run).logons
    starts = [
        measurement
        for measurement in run.measurements
        if measurement.kind is MeasurementKind.APP_START and measurement.unit in _SECONDS and measurement.value >= 0
    ]
    if not starts:
        return _after_logon(run, logons)
    by_app: dict[str, list[Measurement]] = defaultdict(list)
    for start in starts:
        by_app[start.group or start.label].append(start)
    return tuple(_of_measurements(app, run, measurements, logons) for app, measurements in by_app.items())


def _of_measurements(app: str, run: Run, found: Sequence[Measurement], logons: Sequence[SessionLogon]) -> AppStarts:
    seconds = np.array([measurement.value * _SECONDS[measurement.unit] for measurement in found])
    at = np.array([np.nan if measurement.at is None else measurement.at for measurement in found])
    stated = np.array(
        [np.nan if measurement.active_sessions is None else measurement.active_sessions for measurement in found]
    )
    active = stated if np.isfinite(stated).any() else active_at(logons, at)
    return _starts(app, run, active, seconds, found, any(measurement.unit_assumed for measurement in found))


def _after_logon(run: Run, logons: Sequence[SessionLogon]) -> tuple[AppStarts, ...]:
    timed = [logon for logon in logons if logon.apps_s is not None]
    if not timed:
        return ()
    at = np.array([logon.apps_started for logon in timed], dtype=np.float64)
    seconds = np.array([logon.apps_s for logon in timed], dtype=np.float64)
    return (_starts(ALL_APPLICATIONS, run, active_at(logons, at), seconds, timed, False),)


def _starts(
    app: str,
    run: Run,
    active: FloatArray,
    seconds: FloatArray,
    records: Sequence[Measurement | SessionLogon],
    assumed: bool,
) -> AppStarts:
    spread = spread_of(seconds)
    assert spread is not None
    known = np.isfinite(active)
    slope = trend(active[known] / 100, seconds[known])
    return AppStarts(app, run, active, seconds, tuple(records), spread, slope, assumed)


QUESTION = "Do applications start more slowly with more sessions?"
EMPTY = (
    "No application starts were recorded. To the run folder, add AppStart files of Login VSI, application measurements "
    "of Login Enterprise, or an events.csv with apps_started."
)
_SESSIONS = Axis("Active sessions")
_TIME = Axis("Start time", "s")
_MOST_APPS = 6
_BINS = 8
_DASHES: tuple[Dash, ...] = ("solid", "dash", "dot", "dash-dot", "solid", "dash")
APPS = "app-starts"
_MARKERS: tuple[Marker, ...] = ("circle", "square", "triangle", "diamond", "cross", "circle")


def app_starts_figure(studies: Sequence[Sequence[GroupAppStarts]], look: dict[str, Look]) -> Figure:
    """A panel per configuration: the median start time of each application over the active sessions, with a dot per
    start if there is only one application. If the sessions are unknown, bars of the means."""
    used = [apps for apps in studies if apps]
    if not used:
        return Figure(APPS, QUESTION, "", (), empty=EMPTY, summary=EMPTY)
    shown = _slowest(used)
    labels = [apps[0].group.label for apps in used]
    known = any(np.isfinite(run.active).any() for apps in used for app in apps for run in app.runs)
    caption, method = _captions(used, len(shown), known, fitted(labels))
    if not known:
        panel = _bars(used, shown, look)
        return Figure(APPS, QUESTION, caption, (panel,), share_y=False, summary=_summary(used), method=method)
    panels = tuple(
        _panel(index, apps, shown, look[apps[0].group.label]) for index, apps in enumerate(used[:MAX_COLUMNS])
    )
    return Figure(APPS, QUESTION, caption, panels, summary=_summary(used), method=method)


def _slowest(used: Sequence[Sequence[GroupAppStarts]]) -> list[str]:
    """The names of the applications with the longest start times in any configuration."""
    slowest: dict[str, float] = {}
    for app in (app for apps in used for app in apps):
        slowest[app.app] = max(slowest.get(app.app, 0.0), app.spread.mean)
    return sorted(slowest, key=lambda name: -slowest[name])[:_MOST_APPS]


def _panel(index: int, apps: Sequence[GroupAppStarts], shown: Sequence[str], look: Look) -> Panel:
    marks: list[Mark] = []
    for number, name in enumerate(shown):
        app = next((app for app in apps if app.app == name), None)
        if app is None:
            continue
        active = np.concatenate([run.active for run in app.runs])
        taken = np.concatenate([run.seconds for run in app.runs])
        if len(shown) == 1:
            marks.append(Points("starts", active, taken, Look(look.hue, look.tint, marker=look.marker)))
        across, medians = _medians(active, taken)
        line = (
            Look("text")
            if len(shown) == 1
            else Look(look.hue, number / max(1, len(shown) - 1), _DASHES[number], _MARKERS[number])
        )
        marks.append(Line("median" if len(shown) == 1 else name, across, medians, line))
    starts = sum(app.spread.n for app in apps)
    runs = max(len(app.runs) for app in apps)
    mean = f" · mean {seconds(apps[0].spread.mean)}" if len(apps) == 1 else ""
    return Panel(
        apps[0].group.label,
        _SESSIONS,
        _TIME,
        tuple(marks),
        index,
        look,
        f"{plural(starts, 'start')}{runs_words(runs)}{mean}",
        legend=len(shown) > 1,
    )


def _medians(active: FloatArray, taken: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The median of the starts in each of up to eight equal ranges of active sessions that contain any."""
    known = np.isfinite(active)
    active, taken = active[known], taken[known]
    if not active.size:
        return np.array([0.0]), np.array([np.nan])
    edges = np.linspace(active.min(), active.max(), _BINS + 1)
    places = np.clip(np.searchsorted(edges, active, side="right") - 1, 0, _BINS - 1)
    filled = np.unique(places)
    across = np.array([float(active[places == starts].mean()) for starts in filled])
    return across, np.array([float(np.median(taken[places == starts])) for starts in filled])


def _bars(used: Sequence[Sequence[GroupAppStarts]], shown: Sequence[str], look: dict[str, Look]) -> Panel:
    marks = []
    for apps in used:
        values, low, high = (np.full(len(shown), np.nan) for _ in range(3))
        counts = [""] * len(shown)
        for index, app in product(range(len(shown)), apps):
            if app.app == shown[index]:
                values[index], low[index], high[index] = app.spread.mean, min(app.means), max(app.means)
                counts[index] = str(len(app.runs))
        ink = look[apps[0].group.label]
        plain = Look(ink.hue, ink.tint, ink.dash)
        marks.append(Bars(apps[0].group.label, values, plain, low, high, counts=tuple(counts), ends=WHISKERS["range"]))
    return Panel("", Axis("", categories=tuple(shown)), _TIME, tuple(marks))


def _captions(
    used: Sequence[Sequence[GroupAppStarts]], shown: int, known: bool, drawn: str
) -> tuple[str, tuple[str, ...]]:
    """The caption and the method; `drawn` is the text about configurations that are not drawn."""
    count = len({app.app for apps in used for app in apps})
    assumed = any(run.unit_assumed for apps in used for app in apps for run in app.runs)
    together = any(app.app == ALL_APPLICATIONS for apps in used for app in apps)
    return captioned(
        (
            drawn,
            "Start times are in milliseconds (assumed). Check them" if assumed else "",
            f"The {shown} slowest of {count} applications" if shown < count else "",
            "" if known else "Active sessions were not recorded",
            "Lines show median start times for eight ranges of the session count"
            if known
            else "Bars show means; whiskers show ranges of the runs",
        ),
        (
            "Start times last from logon end until all applications have started" if together else "",
            "The unit of the start times is not documented" if assumed else "",
        ),
    )


def _spoken(app: GroupAppStarts) -> str:
    return " ".join(filter(None, (app.app * (app.app != ALL_APPLICATIONS), seconds(app.spread.mean))))


def _summary(used: Sequence[Sequence[GroupAppStarts]]) -> str:
    means = (f"{named(apps[0].group.label)}: {', '.join(map(_spoken, apps[:_MOST_APPS]))}" for apps in used)
    together = all(app.app == ALL_APPLICATIONS for apps in used for app in apps)
    head = "Mean time from logon end until all applications have started" if together else "Mean start times"
    return f"{head}. {'; '.join(means)}."
