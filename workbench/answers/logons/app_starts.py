"""How long applications take to start, and whether they start slower as sessions come in.

From the load generator's own start times (Login VSI's AppStart, Login Enterprise's app_start_time); where a run
has none but its sessions or events tell when all applications were started, that span after the logon stands as
one application of its own, named so. Start times are in seconds; milliseconds where the load generator's
documents state no unit are an assumption, which the report carries on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from workbench.answers.logons.compute import Spread, Trend, spread_of, trend
from workbench.answers.logons.session_logons import SessionLogon, active_at, session_logons
from workbench.measures.configurations import Group
from workbench.model.run import Run
from workbench.model.session import Measurement, MeasurementKind

FloatArray = npt.NDArray[np.float64]

ALL_APPLICATIONS = "all applications"
_SECONDS = {"s": 1.0, "ms": 0.001}


@dataclass(frozen=True, eq=False)
class AppStarts:
    """The starts of one application in one run: `active` sessions at each (NaN: not known), `seconds` it took.
    `per_100_sessions` is the trend in seconds per 100 active sessions."""

    app: str
    run: Run
    active: FloatArray
    seconds: FloatArray
    spread: Spread
    per_100_sessions: Trend | None
    unit_assumed: bool


@dataclass(frozen=True, eq=False)
class GroupAppStarts:
    """The starts of one application over the runs of a configuration; statistics as `GroupLogons` takes them."""

    group: Group
    app: str
    runs: tuple[AppStarts, ...]

    @property
    def spread(self) -> Spread:
        """Mean and percentiles (s) are means over the runs; n, lowest and highest are of all starts."""
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
    def trends(self) -> list[Trend]:
        """Seconds per 100 active sessions, run by run."""
        return [run.per_100_sessions for run in self.runs if run.per_100_sessions is not None]

    @property
    def slope_per_100(self) -> float | None:
        """Seconds per 100 active sessions, the mean over the runs."""
        return float(np.mean([run_trend.slope for run_trend in self.trends])) if self.trends else None


def group_app_starts(group: Group) -> tuple[GroupAppStarts, ...]:
    """Every application of a configuration, in the order they show up; excluded runs are not among them."""
    by_app: dict[str, list[AppStarts]] = defaultdict(list)
    for figures in group.runs:
        for starts in app_starts(figures.run):
            by_app[starts.app].append(starts)
    return tuple(GroupAppStarts(group, app, tuple(runs)) for app, runs in by_app.items())


def app_starts(run: Run) -> tuple[AppStarts, ...]:
    """Every application of a run with its starts; empty where no file records any."""
    logons = session_logons(run).logons
    starts = _measured(run)
    if not starts:
        return _after_logon(run, logons)
    by_app: dict[str, list[Measurement]] = defaultdict(list)
    for start in starts:
        by_app[_app_of(start)].append(start)
    return tuple(_of_measurements(app, run, measurements, logons) for app, measurements in by_app.items())


def app_measurements(run: Run, app: str) -> list[tuple[Measurement, float]]:
    """The measured starts of one application with their seconds; empty where its starts follow from sessions."""
    return [
        (measurement, measurement.value * _SECONDS[measurement.unit])
        for measurement in _measured(run)
        if _app_of(measurement) == app
    ]


def _measured(run: Run) -> list[Measurement]:
    return [
        measurement
        for measurement in run.measurements
        if measurement.kind is MeasurementKind.APP_START and measurement.unit in _SECONDS and measurement.value >= 0
    ]


def _app_of(measurement: Measurement) -> str:
    return measurement.group or measurement.label


def _of_measurements(
    app: str, run: Run, measurements: Sequence[Measurement], logons: Sequence[SessionLogon]
) -> AppStarts:
    seconds = np.array([measurement.value * _SECONDS[measurement.unit] for measurement in measurements])
    at = np.array([np.nan if measurement.at is None else measurement.at for measurement in measurements])
    stated = np.array(
        [np.nan if measurement.active_sessions is None else measurement.active_sessions for measurement in measurements]
    )
    active = stated if np.isfinite(stated).any() else active_at(logons, at)
    return _starts(app, run, active, seconds, any(measurement.unit_assumed for measurement in measurements))


def _after_logon(run: Run, logons: Sequence[SessionLogon]) -> tuple[AppStarts, ...]:
    timed = [(logon.apps_started, logon.apps_s) for logon in logons if logon.apps_s is not None]
    if not timed:
        return ()
    at, seconds = (np.array(column, dtype=np.float64) for column in zip(*timed, strict=True))
    return (_starts(ALL_APPLICATIONS, run, active_at(logons, at), seconds, False),)


def _starts(app: str, run: Run, active: FloatArray, seconds: FloatArray, assumed: bool) -> AppStarts:
    spread = spread_of(seconds)
    assert spread is not None
    known = np.isfinite(active)
    slope = trend(active[known] / 100, seconds[known])
    return AppStarts(app, run, active, seconds, spread, slope, assumed)
