"""Logon times, session by session and over the storm, and the numbers of launched, active and stuck sessions.

A logon's time is the load generator's value (Login VSI's logon time; Login Enterprise's `total_login_time` if most
sessions have it). Otherwise it is the end of the logon minus its start, from sessions or from the events logon_start
and logon_end of one user on one VM. The trend is the Theil-Sen slope: the median of the slopes between all pairs of
logons. Its 95 % interval is after Sen (1968), as in scipy.stats.theilslopes. A few hanging logons do not distort it.

Statistics belong to a run. A configuration's mean, percentiles and trend are the means of those of its runs; its lowest
and highest are over all its sessions.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.answers.logons.session_logons import TOTAL, WITHOUT_TOTAL, LogonOutcome, SessionLogon, session_logons
from workbench.measures.configurations import Group, baseline_of
from workbench.measures.statistics import Change, change
from workbench.model.run import Run

FloatArray = npt.NDArray[np.float64]

CONFIDENCE = 0.95
# Fewer logons than this show no trend.
FEWEST_FOR_TREND = 20
# All pairs of more logons than this need too much memory: this number of evenly spread logons is used.
MOST_FOR_TREND = 1_000
# The share of stuck sessions up to which Login VSI calls a test clean (documented).
CLEAN_STUCK_PERCENT = 1.0
_OTHER_SPAN = (
    f"No session has a {TOTAL}: logon time = logon end − logon start, which is often longer. Do not compare "
    "these times with runs that have it; save the measurements as well."
)


@dataclass(frozen=True, slots=True)
class LogonSlope:
    """A slope with the ends of its 95 % interval, all in the unit named by the field that contains it."""

    slope: float
    low: float
    high: float

    @property
    def direction(self) -> str:
        """The direction of the slope: `rising`, `falling`, or `none` if the interval contains 0."""
        return "rising" if self.low > 0 else "falling" if self.high < 0 else "none"


@dataclass(frozen=True, slots=True)
class Spread:
    """The distribution of `n` values, all in the unit of the values. Percentiles are interpolated linearly (numpy's and
    Excel's PERCENTILE.INC)."""

    n: int
    low: float
    mean: float
    p50: float
    p95: float
    high: float


class Taken(NamedTuple):
    """The value of a statistic, and the values it uses: only the one at `place`, or all. Each has a `weight`; the
    weighted values add up to the value (None if it is not a sum)."""

    value: float
    place: int | None = None
    weight: float | None = None


class Statistic(NamedTuple):
    """A statistic: its field in Spread, its name, and its rule over the values."""

    field: str
    words: str
    rule: Callable[[FloatArray], Taken]


# By their names in JSON, in the order of the fields of Spread.
STATISTICS = {
    "min": Statistic("low", "shortest", lambda times: _taken(times, int(times.argmin()))),
    "mean": Statistic("mean", "mean", lambda times: Taken(float(times.mean()), weight=1 / times.size)),
    "p50": Statistic("p50", "interpolated median", lambda times: Taken(float(np.percentile(times, 50)))),
    "p95": Statistic("p95", "interpolated 95th-percentile", lambda times: Taken(float(np.percentile(times, 95)))),
    "max": Statistic("high", "longest", lambda times: _taken(times, int(times.argmax()))),
}


def spread_row(spread: Spread) -> dict[str, object]:
    """The distribution as a JSON value."""
    return {"n": spread.n, **{name: getattr(spread, one.field) for name, one in STATISTICS.items()}}


@dataclass(frozen=True, slots=True)
class LogonCounts:
    """Sessions of a run. `launched` counts all; `logged_on` those with a completed logon; `never_logged_on` those
    without an end of their logon; `failed` those whose tool reports a failed logon or session; `without_end` those
    that logged on and have no end of the session, None if the source records the ends of less than half of them;
    `not_recorded` those whose record does not show if they logged on. `stuck` = never_logged_on + failed +
    without_end."""

    launched: int
    logged_on: int
    never_logged_on: int
    failed: int
    without_end: int | None
    not_recorded: int = 0

    @property
    def stuck(self) -> int | None:
        """Sessions that did not behave as in a clean test; None if the record cannot show any."""
        if self.launched == self.not_recorded:
            return None
        return self.never_logged_on + self.failed + (self.without_end or 0)

    @property
    def stuck_percent(self) -> float | None:
        """Stuck sessions of all launched, in percent; None if `stuck` is None."""
        return None if self.stuck is None else 100 * self.stuck / self.launched


@dataclass(frozen=True, eq=False)
class LogonFigures:
    """The logons of one run: its sessions in order of their start, `rule` as text (how the time was measured), `source`
    (`sessions`, `measurements` or `events`), statistics in seconds, the trends in seconds per 100 logons and per
    minute, and `notes`: sentences about missing data."""

    run: Run
    logons: tuple[SessionLogon, ...]
    source: str
    rule: str
    counts: LogonCounts
    spread: Spread | None
    per_100_logons: LogonSlope | None
    per_minute: LogonSlope | None
    notes: tuple[str, ...]

    @property
    def timed(self) -> tuple[SessionLogon, ...]:
        """The logons with a known time, which the statistics use."""
        return _timed(self.logons)

    @property
    def in_trend(self) -> list[SessionLogon]:
        """The logons that the trend uses."""
        timed = [logon for logon in self.timed if logon.start is not None]
        return [timed[place] for place in trend_places(len(timed)).tolist()]

    @property
    def stuck(self) -> list[SessionLogon]:
        """The sessions that `counts.stuck` counts."""
        open_ones = set(map(id, _without_end(self.logons) or ()))
        never = (LogonOutcome.NEVER, LogonOutcome.FAILED)
        return [logon for logon in self.logons if logon.outcome in never or id(logon) in open_ones]

    @property
    def first_start(self) -> float | None:
        """The first start of a logon, in seconds since 1970 UTC (since the test's start if times are relative); None if
        no start is known."""
        return min((logon.start for logon in self.logons if logon.start is not None), default=None)


@dataclass(frozen=True, eq=False)
class GroupLogons:
    """A configuration's logons: its runs with logons, and the statistics over them (see the module)."""

    group: Group
    runs: tuple[LogonFigures, ...]

    @property
    def spread(self) -> Spread | None:
        """Mean and percentiles are means over the runs; n, lowest and highest are over all sessions. None if no run has
        logon times."""
        spreads = [run.spread for run in self.runs if run.spread is not None]
        if not spreads:
            return None
        return Spread(
            sum(spread.n for spread in spreads),
            min(spread.low for spread in spreads),
            _mean([spread.mean for spread in spreads]),
            _mean([spread.p50 for spread in spreads]),
            _mean([spread.p95 for spread in spreads]),
            max(spread.high for spread in spreads),
        )

    @property
    def means(self) -> list[float]:
        """The mean logon time of each run (s), which configurations are compared by."""
        return [run.spread.mean for run in self.runs if run.spread is not None]

    @property
    def rules(self) -> frozenset[str]:
        """The rules by which the runs with times were timed."""
        return frozenset(run.rule for run in self.runs if run.spread is not None)

    @property
    def counts(self) -> LogonCounts | None:
        """Sessions of all runs; `without_end` is None if any run records no ends."""
        if not self.runs:
            return None
        every = [run.counts for run in self.runs]
        ends = [counts.without_end for counts in every if counts.without_end is not None]
        return LogonCounts(
            sum(counts.launched for counts in every),
            sum(counts.logged_on for counts in every),
            sum(counts.never_logged_on for counts in every),
            sum(counts.failed for counts in every),
            sum(ends) if len(ends) == len(every) else None,
            sum(counts.not_recorded for counts in every),
        )

    @property
    def trends(self) -> list[LogonSlope]:
        """Seconds per 100 logons, run by run."""
        return [run.per_100_logons for run in self.runs if run.per_100_logons is not None]

    @property
    def slope_per_100(self) -> float | None:
        """Seconds per 100 logons, the mean over the runs; None if no run has a trend."""
        return _mean([run_trend.slope for run_trend in self.trends]) if self.trends else None


def baseline_logons(found: Sequence[GroupLogons]) -> GroupLogons | None:
    """The logons of the configuration that these are compared with, even if it is hidden; None if there is none."""
    base = baseline_of(logons.group for logons in found)
    known = next((logons for logons in found if logons.group is base), None)
    return group_logons(base) if known is None and base is not None else known


def change_of(base: GroupLogons, one: GroupLogons) -> Change | None:
    """The change of the mean logon time. None if it cannot be computed, or if the rules for the times differ: two
    products measure different times for one logon."""
    return change(base.means, one.means) if base.rules == one.rules else None


def group_logons(group: Group, trends: bool = True) -> GroupLogons:
    """The logons of a configuration, without excluded runs."""
    generator = (logon_figures(figures.run, trends) for figures in group.runs)
    return GroupLogons(group, tuple(figures for figures in generator if figures is not None))


def logon_figures(run: Run, trends: bool = True) -> LogonFigures | None:
    """The logons of a run, None if no file records any. The trends take seconds to compute and can be left out."""
    logons = session_logons(run)
    if not logons.logons:
        return None
    counts = counts_of(logons.logons)
    times = np.array([logon.logon_s for logon in _timed(logons.logons)])
    slopes = _trends(logons.logons) if trends else (None, None)
    notes = tuple(_notes(logons.logons, counts))
    if logons.rule == WITHOUT_TOTAL:
        notes = (_OTHER_SPAN, *notes)
    if logons.left_out:
        notes = (logons.left_out, *notes)
    return LogonFigures(run, logons.logons, logons.source, logons.rule, counts, spread_of(times), *slopes, notes)


def _timed(logons: Sequence[SessionLogon]) -> tuple[SessionLogon, ...]:
    return tuple(logon for logon in logons if logon.logon_s is not None)


def counts_of(logons: Sequence[SessionLogon]) -> LogonCounts:
    """The numbers of launched, logged-on and stuck sessions (see `LogonCounts`)."""
    outcomes = Counter(logon.outcome for logon in logons)
    without_end = _without_end(logons)
    return LogonCounts(
        len(logons),
        outcomes[LogonOutcome.LOGGED_ON],
        outcomes[LogonOutcome.NEVER],
        outcomes[LogonOutcome.FAILED],
        None if without_end is None else len(without_end),
        outcomes[LogonOutcome.UNKNOWN],
    )


def _without_end(logons: Sequence[SessionLogon]) -> list[SessionLogon] | None:
    """The sessions that logged on and have no end, None if less than half of them have one."""
    logged_on = [logon for logon in logons if logon.outcome is LogonOutcome.LOGGED_ON]
    open_ones = [logon for logon in logged_on if logon.session_end is None]
    ended = len(logged_on) - len(open_ones)
    return open_ones if ended and ended >= len(open_ones) else None


def spread_of(values: FloatArray) -> Spread | None:
    """n, lowest, mean, median, 95th percentile and highest; None for no values."""
    if not values.size:
        return None
    return Spread(int(values.size), *(statistic.rule(values).value for statistic in STATISTICS.values()))


def _taken(values: FloatArray, place: int) -> Taken:
    return Taken(float(values[place]), place, 1.0)


def trend(x: FloatArray, y: FloatArray) -> LogonSlope | None:
    """The Theil-Sen slope of y over x with its 95 % interval; None below 20 points or if nearly all of them are
    equal."""
    if x.size < FEWEST_FOR_TREND or np.ptp(x) == 0:
        return None
    if np.ptp(y) == 0:
        return LogonSlope(0.0, 0.0, 0.0)
    places = trend_places(x.size)
    return _theil_sen(x[places], y[places])


def trend_places(count: int) -> npt.NDArray[np.int64]:
    """The positions of the points that the trend uses, of this number of points in their order."""
    return np.linspace(0, count - 1, min(count, MOST_FOR_TREND)).round().astype(np.int64)


def _theil_sen(x: FloatArray, y: FloatArray) -> LogonSlope | None:
    """The median of the slopes between all pairs of points with different x, and Sen's interval around it. None if
    nearly all values are equal."""
    run = x[:, np.newaxis] - x
    rising = run > 0
    # Absurd values overflow: results from them are not available.
    with np.errstate(over="ignore", invalid="ignore"):
        slopes = np.sort((y[:, np.newaxis] - y)[rising] / run[rising])
    count = x.size
    variance = (count * (count - 1) * (2 * count + 5) - _tied(x) - _tied(y)) / 18
    if variance < 0:
        # Nearly all values are equal on both axes.
        return None
    # The ranks of the slopes between which the true one is, from the normal distribution of Kendall's score.
    reach = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2) * math.sqrt(variance)
    low = max(round((slopes.size - reach) / 2) - 1, 0)
    high = min(round((slopes.size + reach) / 2), slopes.size - 1)
    return LogonSlope(float(np.median(slopes)), float(slopes[low]), float(slopes[high]))


def _tied(values: FloatArray) -> int:
    """The reduction of the variance of Kendall's score by equal values."""
    sizes = np.unique(values, return_counts=True)[1]
    return int((sizes * (sizes - 1) * (2 * sizes + 5)).sum())


def active_over_time(logons: Sequence[SessionLogon]) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Moments (s, on the clock of the sessions), with the number of sessions launched so far and active from then on.

    A session is active from the end of its logon (from its start, if it logged on without a known end of the logon) to
    its own end. A session without a recorded end stays active.
    """
    launches = [logon.start for logon in logons if logon.start is not None]
    begins = [logon.begin for logon in logons if logon.begin is not None]
    ends = [logon.session_end for logon in logons if logon.begin is not None and logon.session_end is not None]
    moments = np.unique(np.array([*launches, *begins, *ends], dtype=np.float64))
    launched = np.searchsorted(np.sort(launches), moments, side="right").astype(np.float64)
    active = np.searchsorted(np.sort(begins), moments, side="right").astype(np.float64)
    if ends:
        active -= np.searchsorted(np.sort(ends), moments, side="right")
    return moments, launched, active


def most_active(logons: Sequence[SessionLogon]) -> int | None:
    """The highest number of sessions active at one time; None if no session has times."""
    _, _, active = active_over_time(logons)
    return int(active.max()) if active.size else None


def _trends(logons: Sequence[SessionLogon]) -> tuple[LogonSlope | None, LogonSlope | None]:
    placed = [logon for logon in logons if logon.start is not None]
    timed = [(index, logon.start, logon.logon_s) for index, logon in enumerate(placed) if logon.logon_s is not None]
    if not timed:
        return None, None
    order, starts, times = (np.array(column, dtype=np.float64) for column in zip(*timed, strict=True))
    return trend(order / 100, times), trend((starts - starts.min()) / 60, times)


def _notes(logons: Sequence[SessionLogon], counts: LogonCounts) -> list[str]:
    """Facts that a user must know before quoting the values."""
    notes = []
    if counts.never_logged_on:
        were = "was" if counts.never_logged_on == 1 else "were"
        notes.append(f"{_sessions(counts.never_logged_on)} {were} launched but never logged on.")
    if counts.failed:
        notes.append(f"{_sessions(counts.failed)} failed according to the tool. Logon times exclude failed sessions.")
    unknown = [logon for logon in logons if logon.outcome is LogonOutcome.UNKNOWN]
    ended = sum(logon.session_end is not None for logon in logons)
    if unknown:
        notes.append(f"{_sessions(len(unknown))}: logon end not recorded, so it is unknown whether they logged on.")
    if counts.logged_on and all(logon.end is None and logon.logon_s is None for logon in logons):
        notes.append("No session has a logon time, because no logon end is recorded. Add logon_end to events.csv.")
    if counts.without_end is None and ended:
        notes.append(
            f"Only {ended} of {_sessions(counts.launched)} have an end time. The other sessions are treated as active."
        )
    elif counts.without_end is None:
        notes.append("No session has a recorded end, so all sessions are treated as active.")
    elif counts.without_end:
        notes.append(f"{_sessions(counts.without_end)} logged on, but their end was not recorded.")
    backwards = sum(logon.backwards for logon in logons)
    if backwards:
        notes.append(f"{_sessions(backwards)} with a logon end before the logon start: excluded from the logon times.")
    unplaced = sum(logon.start is None and logon.logon_s is not None for logon in logons)
    if unplaced:
        notes.append(f"{_sessions(unplaced)} have a logon time but no clock time. The trend excludes such sessions.")
    return notes


def _sessions(count: int) -> str:
    return f"{count} session{'s' if count != 1 else ''}"


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values))
