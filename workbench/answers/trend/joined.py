"""The runs that the trend is of: those of the open studies and those of the history folder, each once, and those that
are left out, with the reason.

Which runs the trend is of: those of every open study, and those of the history folder.
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
    """A run of an open study that does not count, and why: the end of a sentence without its full stop."""

    study: str
    run: str
    configuration: str
    reason: str

    @property
    def sentence(self) -> str:
        """What is left out and why, for the user."""
        return f"{self.run} of {self.study} is left out: {self.reason.rstrip('.')}."

    @property
    def is_copy(self) -> bool:
        """Whether it is left out as a copy of a run that counts."""
        return self.reason.startswith(COPY_OF)


@dataclass(frozen=True, slots=True)
class Joined:
    """The figures that count, and the runs that are left out."""

    points: tuple[HistoryPoint, ...] = ()
    left_out: tuple[LeftOut, ...] = ()


@dataclass(frozen=True, eq=False)
class TrendRuns:
    """What the runs show, and those that are left out of it."""

    trends: tuple[Trend, ...]
    left_out: tuple[LeftOut, ...] = ()


def trends_of(
    studies: Iterable[tuple[str, Sequence[Group]]], history: PastRuns | None, measures: Sequence[str] = ()
) -> TrendRuns:
    """The trends of open studies (name, configurations) and of the history, all one family of tests: of the primary
    measures of each phase, or of `measures` (keys) alone, which the history was read for."""
    runs = runs_of(studies, history, measures)
    return TrendRuns(trends(series_of(runs.points, measures)), runs.left_out)


def runs_of(
    studies: Iterable[tuple[str, Sequence[Group]]], history: PastRuns | None, measures: Sequence[str] = ()
) -> Joined:
    """The figures of open studies (name, configurations) and of the history: of the primary measures of each phase, and
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
    """The runs whose samples lie in another study as well, which is before it."""
    first: dict[tuple[object, ...], HistoryPoint] = {}
    copies: dict[str, LeftOut] = {}
    for point in opened:
        for name in _names_of(point):
            original = first.setdefault(name, point)
            if original.folder != point.folder:
                reason = f"{COPY_OF} {original.run} of {original.study}: it counts once"
                copies[point.folder] = LeftOut(point.study, point.run, point.configuration, reason)
    return list(copies.values())


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


_DASHES: tuple[Dash, ...] = ("solid", "dash", "dot", "dash-dot")
_MARKERS: tuple[Marker, ...] = ("diamond", "square", "triangle", "circle", "cross")


def history_of(choices: Choices | None, measures: Sequence[str] = ()) -> PastRuns | None:
    """What the history folder of the session holds of the primary measures and of `measures`; None where there is
    none."""
    folder = "" if choices is None else str(choices.input(FOLDER, ""))
    return read_history(Path(folder), measures) if folder else None


def chosen_measures(choices: Choices) -> tuple[str, ...]:
    """The key of the measure that the user chose; empty for the primary ones."""
    name = str(choices.input(MEASURE, PRIMARY))
    return tuple(key for key, measure in MEASURES.items() if measure.name == name)


def chosen_trends(library: Library, choices: Choices, history: PastRuns | None) -> TrendRuns:
    """The trends of what is open and of the history, which was read for the chosen measures. Hidden configurations
    are left out of what is shown, and never of the family of tests: hiding others makes no step."""
    opened = [(study.name, library.groups(replace(choices, study=study.folder))) for study in library.with_runs]
    every = trends_of(opened, history, chosen_measures(choices))
    return TrendRuns(
        tuple(trend for trend in every.trends if trend.series.every[0].configuration not in choices.hidden),
        tuple(run for run in every.left_out if run.configuration not in choices.hidden),
    )


def primary_trends(library: Library, choices: Choices) -> tuple[Trend, ...]:
    """What the page shows of the primary measures, whatever measure is chosen on it, hidden configurations too."""
    choices = replace(choices, hidden=frozenset()).without_inputs(frozenset((MEASURE,)))
    return chosen_trends(library, choices, history_of(choices)).trends


def looks_of(library: Library, choices: Choices, shown: Sequence[Trend]) -> dict[str, Look]:
    """The looks that configurations have elsewhere; those of the history folder alone, and those told apart by their
    test, are given others."""
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
