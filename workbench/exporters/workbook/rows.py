"""The rows of the phase table in the workbook's order: study, configuration, phase, then the runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from workbench.answers.common.choices import KeptLook
from workbench.answers.common.looks import placed
from workbench.measures.configurations import Group, baseline_of, group_runs, phase_names
from workbench.measures.phase_table import PhaseFigures, RunFigures
from workbench.model.run import Study


@dataclass(frozen=True, eq=False)
class StudyGroups:
    """A study with its runs' figures, gathered into configurations."""

    study: Study
    figures: tuple[RunFigures, ...]
    groups: tuple[Group, ...]

    @property
    def baseline(self) -> Group | None:
        """What the study's other configurations are compared with."""
        return baseline_of(self.groups)


@dataclass(frozen=True, eq=False)
class Row:
    """One line of the phase table. `number` names the set of runs it is averaged with; None = excluded. `line`
    stays with the line however the table is sorted."""

    study: Study
    group: Group
    run: RunFigures
    figures: PhaseFigures
    number: int | None
    line: int = 0


@dataclass(frozen=True, eq=False)
class Set:
    """The runs of one configuration in one phase: a line of the Configurations sheet."""

    number: int
    study: StudyGroups
    group: Group
    phase: str


def by_study(
    studies: Sequence[Study], figures: Sequence[RunFigures], looks: Sequence[KeptLook] = ()
) -> tuple[StudyGroups, ...]:
    """Each study with the figures of its own runs; `looks` are those of their configurations."""
    gathered = []
    for study in studies:
        folders = {(run.folder, run.name) for run in study.runs}
        own = tuple(figure for figure in figures if (figure.run.folder, figure.run.name) in folders)
        gathered.append(StudyGroups(study, own, placed(group_runs(own), looks)))
    return tuple(gathered)


def sets_of(studies: Sequence[StudyGroups]) -> tuple[Set, ...]:
    """Every configuration and phase that has a run that counts, numbered from 1 through the workbook."""
    sets: list[Set] = []
    for study in studies:
        for group in study.groups:
            for phase in phase_names([group]):
                sets.append(Set(len(sets) + 1, study, group, phase))
    return tuple(sets)


def rows_of(studies: Sequence[StudyGroups], sets: Sequence[Set]) -> tuple[Row, ...]:
    """The lines of the phase table; a set's runs stand together, excluded runs behind them."""
    rows: list[Row] = []
    for study in studies:
        for group in study.groups:
            numbers = {run_set.phase: run_set.number for run_set in sets if run_set.group is group}
            every = [figures.phase.name for run in group.excluded for figures in run.phases]
            for phase in dict.fromkeys([*numbers, *every]):
                rows += _rows(study.study, group, group.runs, phase, numbers.get(phase))
                rows += _rows(study.study, group, group.excluded, phase, None)
    return tuple(replace(row, line=line) for line, row in enumerate(rows, start=1))


def _rows(study: Study, group: Group, runs: Sequence[RunFigures], phase: str, number: int | None) -> list[Row]:
    return [
        Row(study, group, run, figures, number) for run in runs for figures in run.phases if figures.phase.name == phase
    ]
