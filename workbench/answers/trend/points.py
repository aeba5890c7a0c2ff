"""The values of runs by date, and series of them: one configuration in one metric and phase over weeks.

Also the x axis of the trend: the builds in the order of their tests, or the days of runs without a build.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import pairwise
from statistics import fmean, geometric_mean
from time import time

import numpy as np

from workbench.answers.common.listing import natural
from workbench.measures.catalogue import MEASURES
from workbench.measures.configurations import Group
from workbench.measures.coverage.extent import Extent
from workbench.measures.measure import Measure
from workbench.measures.phase_table import PhaseFigures, RunFigures
from workbench.measures.significance.differences import primary_measures
from workbench.measures.significance.method import METHOD
from workbench.measures.statistics import FloatArray
from workbench.model.history import DateEvidence, HistoryPoint, RunDate
from workbench.model.metric import Vantage
from workbench.model.run import Run
from workbench.study.history.layout import recorded
from workbench.study.series.run_date import known_date

# Runs that differ in one of these belong to different tests.
TEST = ("kind of session", "number of VMs", "workload")
# A date of tomorrow may come from another time zone.
_DAY = 86_400


@dataclass(frozen=True, eq=False)
class TrendSeries:
    """The runs of one configuration in one metric and phase, in the order of their sessions, then of their dates.
    Values that are lower bounds are `partial`: the true value could be any higher one, so no test uses them. `test`
    is the test of all runs by the names of TEST, empty if no run states it. `split` is a sentence about the other
    series of the configuration, empty if there is none."""

    configuration: str
    measure: Measure
    phase: str
    points: tuple[HistoryPoint, ...]
    partial: tuple[HistoryPoint, ...] = ()
    test: tuple[str, ...] = ()
    split: str = ""

    @property
    def every(self) -> tuple[HistoryPoint, ...]:
        """All runs by date, including partly measured ones."""
        return tuple(sorted((*self.points, *self.partial), key=in_order))

    def partial_before(self, index: int) -> tuple[HistoryPoint, ...]:
        """The partly measured runs between the run at `index` and the previous one."""
        before, behind = self.points[index - 1], self.points[index]
        return tuple(point for point in self.partial if in_order(before) < in_order(point) < in_order(behind))

    @property
    def starts(self) -> tuple[int, ...]:
        """The first run of each session."""
        keys = [None, *map(session_key, self.points)]
        return tuple(place for place in range(len(self.points)) if keys[place] != keys[place + 1])

    @property
    def session_values(self) -> tuple[float, ...]:
        """The mean of each session; of logarithms if the series uses them."""
        parts = [self.values[start:end] for start, end in self._spans]
        mean = geometric_mean if self.on_logs else fmean
        return tuple(part[0] if len(part) == 1 else mean(part) for part in parts)

    @property
    def session_seconds(self) -> FloatArray:
        """The mean date of each session in seconds since 1970 UTC; NaN if one of its runs has none."""
        return np.array([self.seconds[start:end].mean() for start, end in self._spans])

    @property
    def _spans(self) -> list[tuple[int, int]]:
        return list(pairwise((*self.starts, len(self.points))))

    def session_at(self, index: int) -> tuple[HistoryPoint, ...]:
        """The runs of the session that begins with the run at `index`."""
        return next(self.points[start:end] for start, end in self._spans if start == index)

    @property
    def on_logs(self) -> bool:
        """True if the series uses logarithms: a ratio of the metric has a meaning, and no value is 0."""
        return self.measure.change in ("ratio", None) and min(self.values, default=0.0) > 0

    @property
    def kept(self) -> tuple[HistoryPoint, ...]:
        """The runs that are only in the history folder and in no open study."""
        return tuple(point for point in self.every if point.file)

    @property
    def values(self) -> tuple[float, ...]:
        """The value of each run."""
        return tuple(point.value for point in self.points)

    @property
    def seconds(self) -> FloatArray:
        """The date of each run in seconds since 1970 UTC; NaN if it has none."""
        return np.array([np.nan if point.date is None else point.date.seconds for point in self.points])

    @property
    def key(self) -> str:
        """The key that distinguishes it from every other series."""
        return f"{self.measure.key}/{self.phase}/{self.configuration}"


def study_points(
    study: str, groups: Iterable[Group], measures: Sequence[str] = (), excluded: bool = False
) -> tuple[HistoryPoint, ...]:
    """The values of the runs that count, or of those that are `excluded`: of the primary metrics of each phase, and of
    `measures` (keys) in every phase. A run that is still running has no values yet."""
    points: list[HistoryPoint] = []
    for group in groups:
        primary = primary_measures(group)
        for run in group.excluded if excluded else group.runs:
            if run.run.running:
                continue
            facts = _Facts(
                study,
                group.label,
                run,
                known_date(run.run),
                circumstances(run.run),
                started_of(run.run),
                session_of(study, run.run),
            )
            for row in run.phases:
                keys = dict.fromkeys((*primary.get(row.phase.name, ()), *measures))
                points += [point for key in keys if (point := _point(facts, row, key)) is not None]
    return tuple(points)


@dataclass(frozen=True, slots=True)
class _Facts:
    study: str
    configuration: str
    run: RunFigures
    date: RunDate | None
    circumstances: tuple[tuple[str, str], ...]
    started: float | None
    session: str


def session_of(study: str, run: Run) -> str:
    """The key of a run's session: its name in run.toml, otherwise the day and, if known, the names of the hosts. Empty
    for a run without a date."""
    if run.session:
        return f"{study}: {run.session}"
    if (date := known_date(run)) is None:
        return ""
    stated = run.date if date.evidence is DateEvidence.STATED else None
    return " ".join((stated[:10] if stated else day_of(date), *_hosts(run)))


def _hosts(run: Run) -> list[str]:
    every = (series for recording in run.recordings for series in recording.series)
    return sorted({series.host for series in every if series.metric and series.metric.vantage is Vantage.HOST})


def day_of(date: RunDate) -> str:
    """`2026-03-02` in UTC."""
    return datetime.fromtimestamp(date.seconds, UTC).strftime("%Y-%m-%d")


def session_key(point: HistoryPoint) -> str:
    """The key of the points of one session. Runs without a date cannot be distinguished: they are one session."""
    return point.session or ("" if point.date is None else day_of(point.date))


def by_session(points: Sequence[HistoryPoint]) -> tuple[HistoryPoint, ...]:
    """The points in the order of their sessions, which is that of their first runs."""
    sessions: dict[str, list[HistoryPoint]] = {}
    for point in points:
        sessions.setdefault(session_key(point), []).append(point)
    return tuple(point for session in sessions.values() for point in session)


def started_of(run: Run) -> float | None:
    """The first timestamp recorded in a run, in seconds since 1970 UTC, independent of any stated date; None if there
    is none."""
    date = known_date(replace(run, date=None))
    return None if date is None else date.seconds


def circumstances(run: Run) -> tuple[tuple[str, str], ...]:
    """Circumstances other than the build that may change the values of a run, as (name, value), if known."""
    facts = (
        ("kind of session", run.session_type.value.upper()),
        ("number of VMs", None if run.vms is None else str(run.vms)),
        ("workload", run.workload),
        ("hypervisor", run.hypervisor),
        ("guest OS", run.guest_os),
        ("number of users", None if run.users is None else str(run.users)),
    )
    return tuple((name, value) for name, value in facts if value)


def _point(facts: _Facts, row: PhaseFigures, key: str) -> HistoryPoint | None:
    value = getattr(row, key, None) if key in MEASURES else None
    if value is None:
        return None
    measure, run = MEASURES[key], facts.run.run
    extents = [extent for quantity in measure.rule.quantities if (extent := row.extent(quantity)) is not None]
    return HistoryPoint(
        facts.study,
        run.name,
        facts.configuration,
        key,
        row.phase.name,
        float(value),
        run.build,
        facts.date,
        METHOD,
        recorded(run),
        seconds=_seconds(row, extents),
        lower_bound=measure.lower_bound and row.lower_bound,
        circumstances=facts.circumstances,
        folder=run.folder,
        started=facts.started,
        session=facts.session,
    )


def _seconds(row: PhaseFigures, extents: Sequence[Extent]) -> float | None:
    """The measured seconds of the phase; None if unknown."""
    share = row.measured_percent
    return None if share is None or not extents else row.duration_s * share / 100


def in_order(point: HistoryPoint) -> tuple[float, list[tuple[int, str]], float]:
    """A sort key by date, runs without one first. Runs with one date are sorted by the numbers in their build names,
    then by their first timestamps: a date may be only a day, and folders sort build 10 before build 9."""
    date = -np.inf if point.date is None else point.date.seconds
    return date, natural(point.build or ""), -np.inf if point.started is None else point.started


def test_of(point: HistoryPoint) -> tuple[str, ...]:
    """The test of a run, by the names of TEST; empty texts for missing statements."""
    stated = dict(point.circumstances)
    return tuple(stated.get(name, "") for name in TEST)


def date_notes(series: TrendSeries) -> list[str]:
    """Facts about the dates of the runs that a user must know: dates that give no order, and impossible ones."""
    builds: dict[float, set[str | None]] = {}
    dated = [(point.date.seconds, point.build) for point in series.every if point.date is not None]
    for seconds, build in dated:
        builds.setdefault(seconds, set()).add(build)
    tied = sum(len(builds[seconds]) > 1 for seconds, _ in dated)
    future = sum(seconds > time() + _DAY for seconds, _ in dated)
    count = len(series.every)
    notes = (
        [f"{tied} of {count} runs share their date with another build and are ordered by build number"] if tied else []
    )
    return [
        *notes,
        *([f"{future} of {count} runs {'has' if future == 1 else 'have'} a date in the future"] * bool(future)),
    ]


# The share of a build's space on the axis over which the runs of one configuration are spread.
_APART = 0.4


@dataclass(frozen=True, slots=True)
class Slots:
    """The names along the axis, and the place of each run by its identity."""

    names: tuple[str, ...]
    places: dict[tuple[object, ...], int]

    def x_of(self, series: TrendSeries) -> FloatArray:
        """The x of each run of a series: at its name; runs with one name are side by side."""
        at = [self.places[run_of(point)] for point in series.points]
        counts, seen = Counter(at), Counter[int]()
        x = np.array(at, dtype=np.float64)
        for index, slot in enumerate(at):
            if counts[slot] > 1:
                x[index] += _APART * (seen[slot] / (counts[slot] - 1) - 0.5)
            seen[slot] += 1
        return x


def slots(series: Sequence[TrendSeries]) -> Slots:
    """The axis that all series share. A build that is tested again later has a second place."""
    runs = {run_of(point): point for member in series for point in member.every}
    ordered = sorted(runs.values(), key=in_order)
    names: list[str] = []
    places: dict[tuple[object, ...], int] = {}
    for point in ordered:
        name = build_words(point)
        if not names or names[-1] != name:
            names.append(name)
        places[run_of(point)] = len(names) - 1
    return Slots(tuple(names), places)


def run_of(point: HistoryPoint) -> tuple[object, ...]:
    """The key that distinguishes the run of a point from every other run."""
    date = None if point.date is None else point.date.seconds
    return point.study, point.run, point.configuration, date, point.build, point.sources


def build_words(point: HistoryPoint) -> str:
    """The build of a run; its day if it has no build, its name if it has no day either."""
    return point.build or day_words(point) or point.run


def day_words(point: HistoryPoint) -> str:
    """`2026-03-02` in UTC; empty without a date."""
    return "" if point.date is None else day_of(point.date)
