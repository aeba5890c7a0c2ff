"""The runs of the trend: those of every open study and of the history folder, each once. Also the excluded runs, each
with the reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.answers.common.looks import looks
from workbench.answers.trend.compute import Trend, trends
from workbench.answers.trend.parted import series_of
from workbench.answers.trend.points import study_points
from workbench.answers.trend.spec import FOLDER, MEASURE, PRIMARY
from workbench.charts.figure import Dash, Look, Marker
from workbench.measures.catalogue import MEASURES
from workbench.measures.configurations import COPY_OF, Group
from workbench.model.history import HistoryPoint, PastRuns
from workbench.study.history.read import read_history


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A run of an open study that is excluded, and why: the end of a sentence without its full stop."""

    study: str
    run: str
    configuration: str
    reason: str

    @property
    def sentence(self) -> str:
        """A sentence for the user with the excluded data and the reason."""
        reason = "it is " * self.is_copy + self.reason.rstrip(".")
        return f"Run '{self.run}' of '{self.study}' is excluded: {reason}."

    @property
    def is_copy(self) -> bool:
        """True if it is excluded as a copy of a run that counts."""
        return self.reason.startswith(COPY_OF)


@dataclass(frozen=True, slots=True)
class Joined:
    """The values that count, and the runs that are excluded."""

    points: tuple[HistoryPoint, ...] = ()
    left_out: tuple[LeftOut, ...] = ()


@dataclass(frozen=True, eq=False)
class TrendRuns:
    """The results of the runs, and the excluded runs."""

    trends: tuple[Trend, ...]
    left_out: tuple[LeftOut, ...] = ()


def trends_of(
    studies: Iterable[tuple[str, Sequence[Group]]], history: PastRuns | None, measures: Sequence[str] = ()
) -> TrendRuns:
    """The trends of open studies (name, configurations) and of the history, corrected together for multiple tests: of
    the primary metrics of each phase, or only of `measures` (keys), for which the history was read."""
    runs = runs_of(studies, history, measures)
    return TrendRuns(trends(series_of(runs.points, measures)), runs.left_out)


def runs_of(
    studies: Iterable[tuple[str, Sequence[Group]]], history: PastRuns | None, measures: Sequence[str] = ()
) -> Joined:
    """The values of open studies (name, configurations) and of the history: of the primary metrics of each phase, and
    of `measures` (keys) in every phase."""
    opened: list[HistoryPoint] = []
    excluded: list[HistoryPoint] = []
    left_out: list[LeftOut] = []
    for study, groups in studies:
        opened += study_points(study, groups, measures)
        excluded += study_points(study, groups, measures, excluded=True)
        left_out += _out_of_study(study, groups)
    copies = _copies(opened)
    return Joined(joined(opened, history.points if history else (), excluded), (*left_out, *copies))


def _out_of_study(study: str, groups: Sequence[Group]) -> list[LeftOut]:
    """The runs of a study that are excluded, copies of others, or still running."""
    return [
        LeftOut(study, run.run.name, group.label, "it is still running" if run.run.running else run.run.excluded or "")
        for group in groups
        for run in (*group.runs, *group.excluded)
        if run.run.running or run.run.excluded
    ]


def _copies(opened: Iterable[HistoryPoint]) -> list[LeftOut]:
    """The runs whose samples are also in an earlier study."""
    first: dict[tuple[object, ...], HistoryPoint] = {}
    copies: dict[str, LeftOut] = {}
    for point in opened:
        for name in _names_of(point):
            original = first.setdefault(name, point)
            if original.folder != point.folder:
                reason = f"{COPY_OF} run '{original.run}' of '{original.study}'"
                copies[point.folder] = LeftOut(point.study, point.run, point.configuration, reason)
    return list(copies.values())


def joined(
    opened: Iterable[HistoryPoint], kept: Iterable[HistoryPoint], excluded: Iterable[HistoryPoint] = ()
) -> tuple[HistoryPoint, ...]:
    """The values of the open studies, and those of other runs in the history folder. A run that is both open and stored
    counts once: the open one, which leads to its samples. A run that is `excluded` now is not used even if it was
    stored."""
    seen = set[tuple[object, ...]]()
    points: list[HistoryPoint] = []
    # An excluded run may be a copy of a run that counts, which does not affect that run.
    for source, counts in ((opened, True), (excluded, False), (kept, True)):
        for point in source:
            names = _names_of(point)
            if counts and seen.isdisjoint(names):
                points.append(point)
            seen |= names
    return tuple(points)


def _names_of(point: HistoryPoint) -> set[tuple[object, ...]]:
    """The identities of a stored value. One is the recorded data under any name; the other is the name of its run with
    the first timestamp, with any data recorded since. A name and a day alone do not identify a run: two folders may
    have both."""
    names: set[tuple[object, ...]] = set()
    if point.sources:
        names.add((point.sources, point.measure, point.phase))
    if point.started is not None:
        names.add((point.study, point.run, point.measure, point.phase, round(point.started)))
    if not names:
        at = point.value if point.date is None else round(point.date.seconds)
        names.add((point.study, point.run, point.configuration, point.measure, point.phase, at))
    return names


_DASHES: tuple[Dash, ...] = ("solid", "dash", "dot", "dash-dot")
_MARKERS: tuple[Marker, ...] = ("diamond", "square", "triangle", "circle", "cross")


def history_of(choices: Choices | None, measures: Sequence[str] = ()) -> PastRuns | None:
    """The values of the primary metrics and of `measures` in the session's history folder; None if there is no
    folder."""
    folder = "" if choices is None else str(choices.input(FOLDER, ""))
    return read_history(Path(folder), measures) if folder else None


def chosen_measures(choices: Choices) -> tuple[str, ...]:
    """The key of the metric that the user chose; empty for the primary ones."""
    name = str(choices.input(MEASURE, PRIMARY))
    return tuple(key for key, measure in MEASURES.items() if measure.name == name)


def chosen_trends(library: Library, choices: Choices, history: PastRuns | None) -> TrendRuns:
    """The trends of the open studies and of the history, read for the chosen metrics. Hidden configurations are not
    shown but still count in the correction for multiple tests, so hiding a configuration never creates a step."""
    opened = [(study.name, library.groups(replace(choices, study=study.folder))) for study in library.with_runs]
    every = trends_of(opened, history, chosen_measures(choices))
    return TrendRuns(
        tuple(trend for trend in every.trends if trend.series.every[0].configuration not in choices.hidden),
        tuple(run for run in every.left_out if run.configuration not in choices.hidden),
    )


def primary_trends(library: Library, choices: Choices) -> tuple[Trend, ...]:
    """The page's trends of the primary metrics, with any metric chosen on the page; includes hidden configurations."""
    choices = replace(choices, hidden=frozenset()).without_inputs(frozenset((MEASURE,)))
    return chosen_trends(library, choices, history_of(choices)).trends


def looks_of(library: Library, choices: Choices, shown: Sequence[Trend]) -> dict[str, Look]:
    """The looks that configurations have elsewhere. Those only in the history folder, and those separated by their
    test, get other looks."""
    known: dict[str, Look] = {}
    for study in library.with_runs:
        known = looks(library.groups(replace(choices, study=study.folder))) | known
    labels = list(dict.fromkeys(trend.series.configuration for trend in shown))
    spare = [label for label in labels if label not in known]
    others = {
        label: Look("other", position / max(1, len(spare) - 1), _DASHES[position % 4], _MARKERS[position % 5])
        for position, label in enumerate(spare)
    }
    return {label: known.get(label) or others[label] for label in labels}
