"""Workspace: the one object that holds the State and the opened studies, and tells when either changes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from workbench.analysis.configurations import Group, group_runs, phase_names
from workbench.analysis.phase_table import RunFigures, run_figures
from workbench.gui.importer import Opened
from workbench.gui.tasks import Tasks
from workbench.model.benchmark import Benchmark
from workbench.model.edits import RunEdits
from workbench.model.metric import Quantity
from workbench.model.phase import STEADY
from workbench.model.problem import Problem
from workbench.model.recording import FileReport
from workbench.model.run import Run, Study
from workbench.session.state import History, State
from workbench.study.overrides import edited


@dataclass(frozen=True, eq=False)
class Library:
    """The opened studies with every run's figures; `edits` are those that are worked into them."""

    studies: tuple[Study, ...] = ()
    figures: dict[str, RunFigures] | None = None
    places: dict[str, Path] | None = None
    edits: dict[str, RunEdits] | None = None

    @cached_property
    def with_runs(self) -> tuple[Study, ...]:
        """The studies that have something to compare."""
        return tuple(study for study in self.studies if study.runs)

    @cached_property
    def benchmarks(self) -> tuple[Benchmark, ...]:
        """The benchmark rows of all studies."""
        return tuple(row for study in self.studies for row in study.benchmarks)

    @cached_property
    def files(self) -> tuple[FileReport, ...]:
        """Every file met."""
        return tuple(report for study in self.studies for report in study.files)

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """Every problem met, those of the figures included."""
        met = [problem for study in self.studies for problem in study.problems]
        return (*met, *(problem for one in (self.figures or {}).values() for problem in one.problems))

    def as_seen(self, state: State) -> list[RunFigures]:
        """Every run's figures for an export, the runs taken out by hand marked as such."""
        reasons = state.excluded
        return [
            replace(one, run=replace(one.run, excluded=reasons.get(one.run.folder, one.run.excluded) or None))
            for one in (self.figures or {}).values()
        ]

    def study(self, folder: str | None) -> Study | None:
        """The study of a folder, else the first that has runs."""
        named = (study for study in self.with_runs if study.folder == folder)
        return next(named, self.with_runs[0] if self.with_runs else None)

    def groups(self, state: State) -> tuple[Group, ...]:
        """The configurations of the study that is looked at, in their order, hidden ones included."""
        study = self.study(state.study)
        if study is None or self.figures is None:
            return ()
        return group_runs((self.figures[run.folder] for run in study.runs), state.excluded)

    def shown(self, state: State) -> tuple[Group, ...]:
        """The configurations that are to be seen and have runs that count."""
        return tuple(g for g in self.groups(state) if g.label not in state.hidden and g.runs)

    def metrics(self, state: State) -> frozenset[Quantity]:
        """The quantities that any VM of the current study has."""
        study = self.study(state.study)
        if study is None:
            return frozenset()
        seen = {
            series.metric.quantity
            for run in study.runs
            for recording in run.recordings
            for series in recording.series
            if series.metric is not None and series.vm is not None
        }
        return frozenset(
            seen | ({Quantity.IOPS} if {Quantity.READ_IOPS, Quantity.WRITE_IOPS} <= seen else set())
        )


class Workspace(QObject):
    """`apply(**changes)` is the only way to change what the user chose."""

    changed = Signal(object, object)
    library_changed = Signal()

    def __init__(self, tasks: Tasks, state: State, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.tasks = tasks
        self.library = Library()
        self._opened = Library()
        self._history = History(state)

    @property
    def state(self) -> State:
        """What the user chose."""
        return self._history.state

    def apply(self, **changes: Any) -> None:
        """Changes the state and tells everyone who draws it."""
        before = self.state
        self._tell(before, self._history.apply(**changes))

    def undo(self) -> None:
        """Takes back the last step that changed figures."""
        before = self.state
        if (after := self._history.undo()) is not None:
            self._tell(before, after)

    def redo(self) -> None:
        """Does that step again."""
        before = self.state
        if (after := self._history.redo()) is not None:
            self._tell(before, after)

    @property
    def as_read(self) -> Library:
        """The studies as they were read, without the user's edits."""
        return self._opened

    def open(self, opened: Opened, state: State | None = None) -> None:
        """Shows what an import brought, as `state` looked at it where one is given (the theme stays)."""
        if state is not None:
            self._history = History(replace(state, theme=self.state.theme))
        self._opened = self.library = Library(opened.studies, opened.figures, opened.places)
        if state is None:
            self._history.state = replace(self.state, study=None, lit_vm=None, hidden=frozenset())
        study = self.library.study(self.state.study)
        phases = phase_names(self.library.groups(self.state))
        phase = self.state.phase if self.state.phase in phases else (phases[-1] if phases else STEADY)
        self._history.state = replace(self.state, study=study.folder if study else None, phase=phase)
        self.library_changed.emit()
        if _stated(self.state):
            # Opened again: what was stated about these runs holds still.
            self._restate(self.state, self.state)

    def _tell(self, before: State, after: State) -> None:
        if after == before:
            return
        if _stated(after) != _stated(before):
            self._restate(before, after)
        else:
            self.changed.emit(before, after)

    def _restate(self, before: State, after: State) -> None:
        """What is stated about runs moves their samples or phases: figures are computed anew, off this thread."""
        opened, shown = self._opened, self.library

        def done(library: Library) -> None:
            self.library = library
            self.library_changed.emit()
            self.changed.emit(before, after)

        # Where the columns are gone the page at hand says so when it is asked again.
        self.tasks.run(
            "edits", lambda: edited_library(opened, shown, after), done,
            lambda _error: self.changed.emit(before, after),
        )  # fmt: skip


def _stated(state: State) -> frozenset[RunEdits]:
    """The edits without the exclusions, which are judged when runs are grouped."""
    return frozenset(edit for one in state.edits if not (edit := replace(one, excluded=None)).nothing)


def edited_library(opened: Library, shown: Library, state: State) -> Library:
    """The library as it was read with the user's edits; figures that `shown` has already are taken over."""
    known = shown.edits or {}
    figures, now = dict(opened.figures or {}), dict[str, RunEdits]()
    studies: list[Study] = []
    for study in opened.studies:
        runs: list[Run] = []
        for run in study.runs:
            edits = replace(state.edits_of(run.folder), excluded=None)
            if edits.nothing:
                runs.append(run)
                continue
            now[run.folder] = edits
            changed = edited(run, edits)
            earlier = known.get(run.folder, RunEdits(run.folder))
            same = earlier.changes_figures == edits.changes_figures
            source = (shown.figures or figures)[run.folder]
            figures[run.folder] = replace(source, run=changed) if same else run_figures(changed)
            runs.append(changed)
        studies.append(replace(study, runs=tuple(runs)))
    return Library(tuple(studies), figures, opened.places, now)
