"""Library: the opened studies with every run's values, as read and with the user's edits."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from workbench.answers.common.causes import cause_group
from workbench.answers.common.choices import Choices, KeptLook
from workbench.answers.common.looks import kept_looks, placed
from workbench.measures.configurations import Group, group_runs
from workbench.measures.phase_table import RunFigures, run_figures
from workbench.model.benchmark import Benchmark
from workbench.model.edits import RunEdits
from workbench.model.metric import Quantity
from workbench.model.problem import CauseGroup, Problem
from workbench.model.recording import FileReport
from workbench.model.run import BaselineEvidence, Configuration, Run, SessionType, Study
from workbench.study.discovery.loose import NAME
from workbench.study.overrides import edited
from workbench.study.splitting import split_studies

_Chosen = TypeVar("_Chosen", bound=Choices)


@dataclass(frozen=True, eq=False)
class Library:
    """The opened studies with every run's values; `edits` are those already applied to them."""

    studies: tuple[Study, ...] = ()
    figures: dict[str, RunFigures] | None = None
    places: dict[str, Path] | None = None
    edits: dict[str, RunEdits] | None = None

    @cached_property
    def with_runs(self) -> tuple[Study, ...]:
        """The studies that have something to compare."""
        return tuple(study for study in self.studies if study.runs)

    @cached_property
    def loose(self) -> tuple[Run, ...]:
        """The recordings of all studies that do not belong to a run, by their folder."""
        return tuple(run for study in self.studies for run in study.loose)

    @cached_property
    def benchmarks(self) -> tuple[Benchmark, ...]:
        """The benchmark rows of all studies."""
        return tuple(row for study in self.studies for row in study.benchmarks)

    @cached_property
    def files(self) -> tuple[FileReport, ...]:
        """Every file that was found."""
        return tuple(report for study in self.studies for report in study.files)

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """Every problem found, including those of the values."""
        met = [problem for study in self.studies for problem in study.problems]
        return (*met, *(problem for run in (self.figures or {}).values() for problem in run.problems))

    @cached_property
    def all_problems(self) -> tuple[Problem, ...]:
        """Every problem found, including those of cache counters, which take a while: for pages, not for the window's
        thread."""
        met = [problem for study in self.studies for problem in study.problems]
        return (*met, *(problem for of_run in self.problems_of_runs.values() for problem in of_run))

    @cached_property
    def problems_of_runs(self) -> dict[str, tuple[Problem, ...]]:
        """Every problem of values by the run's folder, including those of cache counters, which take a while."""
        if not self.figures:
            return {}
        from workbench.measures.caches.use import all_problems  # an empty window starts without it

        return {folder: all_problems(run) for folder, run in self.figures.items()}

    def warnings(self, study: Study | None = None) -> int:
        """The number of problems that need the user's decision or prevented the import of a file, of a study or of all.
        Includes those of cache counters once `all_problems` has been computed."""
        worked_out: dict[str, tuple[Problem, ...]] = self.__dict__.get("problems_of_runs", {})
        studies = self.studies if study is None else (study,)
        problems = [problem for study in studies for problem in study.problems]
        figures = self.figures or {}
        for run in (run for study in studies for run in study.runs if run.folder in figures):
            problems += worked_out.get(run.folder, figures[run.folder].problems)
        return sum(cause_group(problem) in (CauseGroup.NEEDS_YOU, CauseGroup.REFUSED) for problem in problems)

    def as_seen(self, choices: Choices) -> list[RunFigures]:
        """Every run's values for an export with all problems; runs excluded by hand are marked."""
        reasons, chosen = choices.excluded, choices.baselines
        return [
            replace(
                run,
                run=replace(
                    run.run,
                    excluded=reasons.get(run.run.folder, run.run.excluded) or None,
                    baseline_by=chosen.get(run.run.folder, run.run.baseline_by),
                ),
                problems=self.problems_of_runs[folder],
            )
            for folder, run in (self.figures or {}).items()
        ]

    @property
    def first_study(self) -> Study | None:
        """The first study whose runs can be compared; without one the first with runs in use, or with runs."""

        def used(study: Study) -> set[str]:
            return {run.configuration.name for run in study.runs if run.excluded is None}

        counts = [min(len(used(study)), 2) for study in self.with_runs]
        return self.with_runs[counts.index(max(counts))] if counts else None

    def study(self, folder: str | None) -> Study | None:
        """The study of a folder, otherwise the first study with runs."""
        named = (study for study in self.with_runs if study.folder == folder)
        return next(named, self.with_runs[0] if self.with_runs else None)

    def groups(self, choices: Choices) -> tuple[Group, ...]:
        """The configurations of the current study in their order, including hidden ones."""
        study = self.study(choices.study)
        if study is None or self.figures is None:
            return ()
        excluded, chosen = choices.excluded, choices.baselines
        key = (study.folder, tuple(excluded.items()), tuple(chosen.items()), choices.preferred, choices.looks)
        if key not in self._kept_groups:
            figures = (self.figures[run.folder] for run in study.runs)
            groups = group_runs(figures, excluded, chosen, choices.preferred)
            self._kept_groups[key] = placed(groups, choices.looks)
        return self._kept_groups[key]

    def with_baseline(self, choices: _Chosen, label: str, by: BaselineEvidence = BaselineEvidence.CHOICE) -> _Chosen:
        """The choices with this configuration as the baseline of the current study; for an unknown label the study's
        default rule applies."""
        study = self.study(choices.study)
        named = [group for group in self.groups(choices) if group.label == label]
        runs = [member.run.folder for group in named for member in (*group.runs, *group.excluded)]
        return choices if study is None else choices.with_baseline(study, runs, by)

    def looks(self, choices: Choices) -> tuple[KeptLook, ...]:
        """The stored looks, and those of configurations of every study that have none yet."""
        looks = choices.looks
        for study in self.with_runs:
            looks = kept_looks(self.groups(replace(choices, study=study.folder)), looks)
        return looks

    @cached_property
    def _kept_groups(self) -> dict[object, tuple[Group, ...]]:
        """Stored groups by their inputs, because the window, its header and every answer need the same objects."""
        return {}

    def drawable(self, choices: Choices) -> tuple[Group, ...]:
        """The groups that the timeline can draw: the configurations, and one more group with the recordings outside
        runs.
        """
        runs = tuple(RunFigures(run, (), ()) for run in self.loose)
        if not runs:
            return self.groups(choices)
        label = f"{NAME} without a run"
        return (*self.groups(choices), Group(label, Configuration(NAME), SessionType.VDI, None, runs))

    def shown(self, choices: Choices) -> tuple[Group, ...]:
        """The visible configurations with runs that count."""
        return tuple(g for g in self.groups(choices) if g.label not in choices.hidden and g.runs)

    def metrics(self, choices: Choices) -> frozenset[Quantity]:
        """The quantities that any VM of the current study has."""
        study = self.study(choices.study)
        if study is None:
            return frozenset()
        return self._kept_metrics[study.folder]

    @cached_property
    def _kept_metrics(self) -> dict[str, frozenset[Quantity]]:
        return {study.folder: _metrics(study) for study in self.with_runs}


def _metrics(study: Study) -> frozenset[Quantity]:
    seen = {
        series.metric.quantity
        for run in study.runs
        for recording in run.recordings
        for series in recording.series
        if series.metric is not None and series.vm is not None
    }
    return frozenset(seen | ({Quantity.IOPS} if {Quantity.READ_IOPS, Quantity.WRITE_IOPS} <= seen else set()))


def stated(choices: Choices) -> frozenset[RunEdits]:
    """The edits without exclusions and baselines, which are applied when runs are grouped."""
    return frozenset(edit for edits in choices.edits if not (edit := _ungrouped(edits)).nothing)


def _ungrouped(edits: RunEdits) -> RunEdits:
    return replace(edits, excluded=None, baseline=None)


def split_library(opened: Library, earlier: Library, edits: Iterable[RunEdits]) -> Library:
    """The library as read, with each folder that an edit splits as one run per part. `earlier` is this library as it
    was split before."""
    studies, known = split_studies(opened.studies, edits), opened.figures or {}
    folders = {run.folder for study in studies for run in study.runs}
    for same in (earlier, opened):
        if folders == (same.figures or {}).keys():
            return same
    figures = {run.folder: known.get(run.folder) or run_figures(run) for study in studies for run in study.runs}
    return replace(opened, studies=studies, figures=figures)


def edited_library(opened: Library, shown: Library, choices: Choices) -> Library:
    """The library as read with the user's edits. Values that `shown` already has are reused. Without edits the result
    is `opened` itself, with its computed values."""
    known = shown.edits or {}
    figures, now = dict(opened.figures or {}), dict[str, RunEdits]()
    studies: list[Study] = []
    for study in opened.studies:
        runs: list[Run] = []
        for run in study.runs:
            edits = _ungrouped(choices.edits_of(run.folder))
            if edits.nothing:
                runs.append(run)
                continue
            now[run.folder] = edits
            changed = edited(run, edits)
            earlier = known.get(run.folder, RunEdits(run.folder))
            same = earlier.changes_figures == edits.changes_figures
            source = (shown.figures or figures).get(run.folder) or figures[run.folder]
            figures[run.folder] = replace(source, run=changed) if same else run_figures(changed)
            runs.append(changed)
        studies.append(replace(study, runs=tuple(runs)))
    return Library(tuple(studies), figures, opened.places, now) if now else opened
