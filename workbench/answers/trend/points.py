"""The runs of weeks as series: those of the open studies and those of the history folder, each run once, by date."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from time import time
from typing import NamedTuple

import numpy as np

from workbench.answers.common.listing import natural
from workbench.measures.catalogue import MEASURES
from workbench.measures.configurations import Group
from workbench.measures.judging.differences import primary_measures
from workbench.measures.judging.method import METHOD
from workbench.measures.measure import Measure
from workbench.measures.partial.extent import Extent
from workbench.measures.phase_table import PhaseFigures, RunFigures
from workbench.measures.statistics import FloatArray
from workbench.model.history import HistoryPoint, RunDate
from workbench.model.run import Run
from workbench.study.history.recorded import recorded
from workbench.study.series.run_date import run_date

# Runs that differ in one of these are another test, and no later run of the same.
_TEST = ("kind of session", "number of VMs", "workload")
# A date of tomorrow may be one of another time zone.
_DAY = 86_400


@dataclass(frozen=True, eq=False)
class Series:
    """The runs of one configuration in one measure and phase, in the order of their dates. Figures that are lower
    bounds are `partial`: they could be of any height above, so they stand aside from every test."""

    configuration: str
    measure: Measure
    phase: str
    points: tuple[HistoryPoint, ...]
    partial: tuple[HistoryPoint, ...] = ()

    @property
    def every(self) -> tuple[HistoryPoint, ...]:
        """All runs by date, those measured in part among them."""
        return tuple(sorted((*self.points, *self.partial), key=in_order))

    def partial_before(self, index: int) -> tuple[HistoryPoint, ...]:
        """The runs measured in part that lie between the run at `index` and the one before it."""
        before, behind = self.points[index - 1], self.points[index]
        return tuple(point for point in self.partial if in_order(before) < in_order(point) < in_order(behind))

    @property
    def values(self) -> tuple[float, ...]:
        """The figure of each run."""
        return tuple(point.value for point in self.points)

    @property
    def seconds(self) -> FloatArray:
        """The date of each run in seconds since 1970 UTC; NaN where it has none."""
        return np.array([np.nan if point.date is None else point.date.seconds for point in self.points])

    @property
    def key(self) -> str:
        """What tells it from every other series."""
        return f"{self.measure.key}/{self.phase}/{self.configuration}"


def study_points(
    study: str, groups: Iterable[Group], measures: Sequence[str] = (), excluded: bool = False
) -> tuple[HistoryPoint, ...]:
    """The figures of the runs that count (of those that are `excluded`): of the primary measures of each phase, and of
    `measures` (keys) in every phase. A run that is still running has none yet."""
    points: list[HistoryPoint] = []
    for group in groups:
        primary = primary_measures(group)
        for run in group.excluded if excluded else group.runs:
            if run.run.running:
                continue
            facts = _facts(study, group.label, run)
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


def _facts(study: str, configuration: str, run: RunFigures) -> _Facts:
    return _Facts(study, configuration, run, run_date(run.run), circumstances(run.run), started_of(run.run))


def started_of(run: Run) -> float | None:
    """The first time stamp of what was recorded in a run, in seconds since 1970 UTC, whatever date is stated."""
    date = run_date(replace(run, date=None))
    return None if date is None else date.seconds


def circumstances(run: Run) -> tuple[tuple[str, str], ...]:
    """What else than the build may move the figures of a run, as (name, value), as far as it is known."""
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
    )


def _seconds(row: PhaseFigures, extents: Sequence[Extent]) -> float | None:
    """Seconds measured of the phase."""
    share = row.measured_percent
    return None if share is None or not extents else row.duration_s * share / 100


def joined(
    opened: Iterable[HistoryPoint], kept: Iterable[HistoryPoint], excluded: Iterable[HistoryPoint] = ()
) -> tuple[HistoryPoint, ...]:
    """The figures of the open studies, and those that the history folder keeps of other runs. A run that is open and
    kept counts once: the open one, which leads to its samples. One that is `excluded` now stays out although it was
    kept."""
    seen = set[tuple[object, ...]]()
    points: list[HistoryPoint] = []
    # What is out may be a copy of a run that counts, which takes nothing from that run.
    for source, counts in ((opened, True), (excluded, False), (kept, True)):
        for point in source:
            names = _names_of(point)
            if counts and seen.isdisjoint(names):
                points.append(point)
            seen |= names
    return tuple(points)


def _names_of(point: HistoryPoint) -> set[tuple[object, ...]]:
    """By what a figure is known again: what was recorded, whatever it is called now, and the name of its run with its
    first time stamp, whatever was recorded in it since. A name and a day alone are no run: two folders have both."""
    names: set[tuple[object, ...]] = set()
    if point.sources:
        names.add((point.sources, point.measure, point.phase))
    if point.started is not None:
        names.add((point.study, point.run, point.measure, point.phase, round(point.started)))
    if not names:
        at = point.value if point.date is None else round(point.date.seconds)
        names.add((point.study, point.run, point.configuration, point.measure, point.phase, at))
    return names


def series_of(points: Iterable[HistoryPoint], measures: Sequence[str] = ()) -> tuple[Series, ...]:
    """The series that the points make, those of one measure and phase together, each in order (`in_order`). `measures`
    (keys): these alone. Runs of one configuration with another number of VMs, workload or kind of session make series
    of their own, named by what differs."""
    by_key: dict[_Key, list[HistoryPoint]] = {}
    for point in points:
        if point.measure in MEASURES and (not measures or point.measure in measures):
            by_key.setdefault(_Key(point.phase, point.measure, point.configuration, _test(point)), []).append(point)
    heads = dict.fromkeys((key.phase, key.measure) for key in by_key)
    tests = dict.fromkeys((key.configuration, key.test) for key in by_key)
    return tuple(
        _series(_label(key, list(tests)), key, sorted(members, key=in_order))
        for head in heads
        for key, members in by_key.items()
        if (key.phase, key.measure) == head
    )


def _series(label: str, key: _Key, members: Sequence[HistoryPoint]) -> Series:
    whole = tuple(point for point in members if not point.lower_bound)
    partial = tuple(point for point in members if point.lower_bound)
    return Series(label, MEASURES[key.measure], key.phase, whole, partial)


class _Key(NamedTuple):
    phase: str
    measure: str
    configuration: str
    test: tuple[str, ...]


def _test(point: HistoryPoint) -> tuple[str, ...]:
    known = dict(point.circumstances)
    return tuple(known.get(name, "") for name in _TEST)


def _label(key: _Key, tests: Sequence[tuple[str, tuple[str, ...]]]) -> str:
    """The configuration with what tells its tests apart."""
    alike = [test for configuration, test in tests if configuration == key.configuration]
    differing = [place for place in range(len(_TEST)) if len({test[place] for test in alike}) > 1]
    texts = [f"{key.test[place]} VMs" if _TEST[place] == "number of VMs" else key.test[place] for place in differing]
    return ", ".join(
        (
            key.configuration,
            *(
                text if key.test[place] else f"{_TEST[place]} unknown"
                for place, text in zip(differing, texts, strict=True)
            ),
        )
    )


def in_order(point: HistoryPoint) -> tuple[float, list[tuple[int, str]], float]:
    """A key of sorting by date, those without one first. Of one date they stand by the numbers in the names of their
    builds, then by their first time stamps: a date may be a day alone, and folders sort build 10 before build 9."""
    date = -np.inf if point.date is None else point.date.seconds
    return date, natural(point.build or ""), -np.inf if point.started is None else point.started


def date_notes(series: Series) -> list[str]:
    """What a reader must know of the dates of the runs: those that say no order, and those that cannot be."""
    builds: dict[float, set[str | None]] = {}
    dated = [(point.date.seconds, point.build) for point in series.every if point.date is not None]
    for seconds, build in dated:
        builds.setdefault(seconds, set()).add(build)
    tied = sum(len(builds[seconds]) > 1 for seconds, _ in dated)
    future = sum(seconds > time() + _DAY for seconds, _ in dated)
    count = len(series.every)
    notes = [f"{tied} of {count} runs share their date with another build and stand by build number"] if tied else []
    return [
        *notes,
        *([f"{future} of {count} runs {'has' if future == 1 else 'have'} a date in the future"] * bool(future)),
    ]
