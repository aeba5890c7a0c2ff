"""Leads from the Source of a number on screen to its explanations. Only this module decides which explainer a number
needs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from workbench.answers.benchmarks.sources import explain_benchmarks
from workbench.answers.cache.sources import CACHE, explain_cache, explain_cache_run
from workbench.answers.cache.sweep import sweep_phase
from workbench.answers.common.library import Library
from workbench.answers.common.names import TIMELINE
from workbench.answers.logons.sources import LOGONS, explain_logons, explain_logons_run
from workbench.answers.timeline.sources import explain_counter
from workbench.charts.figure import FigureSource
from workbench.measures.configurations import Group
from workbench.measures.phase_table import RunFigures
from workbench.measures.sources import Reports, explain, reports_of
from workbench.model.recording import FileReport
from workbench.model.run import Study
from workbench.model.source import Explanation


@dataclass(frozen=True, eq=False)
class Explainer:
    """Explains numbers of these runs, by folder, each number once. `reports` by file provide line numbers."""

    runs: Mapping[str, RunFigures]
    reports: Reports
    known: dict[FigureSource, Explanation] = field(default_factory=dict)

    def of_source(self, source: FigureSource) -> list[Explanation]:
        """The known explanation of a number, then its explanation for each of its runs, those of a baseline last."""
        runs = (folder for folder in (*source.runs, *source.against) if folder in self.runs)
        return [
            *source.explanations,
            *(explanation for folder in runs if (explanation := self._one(folder, source)) is not None),
        ]

    def _one(self, folder: str, source: FigureSource) -> Explanation | None:
        run, key = self.runs[folder], replace(source, runs=(folder,), against=(), explanations=(), how="")
        if not source.answer and run.phase(source.phase) is None:
            return None
        if key not in self.known:
            self.known[key] = _explained(run, source, self.reports)
        return self.known[key]


def explanations_of(library: Library, source: FigureSource) -> list[Explanation]:
    """The explanations of a number for its open runs."""
    return Explainer(library.figures or {}, reports_of(library.studies)).of_source(source)


def _explained(run: RunFigures, source: FigureSource, reports: Reports) -> Explanation:
    if source.answer == CACHE:
        return explain_cache(run, source.figure, source.phase, source.vm, reports)
    if source.answer == LOGONS:
        return explain_logons(run, source.figure, source.vm)
    if source.answer == TIMELINE:
        return explain_counter(run, source, reports)
    return first_of(explain(run, source.phase, source.figure, reports), source.vm)


def first_of(explanation: Explanation, vm: str) -> Explanation:
    """The same explanation, with the sources of one VM first."""
    return replace(explanation, sources=tuple(sorted(explanation.sources, key=lambda rows: rows.vm != vm)))


def explain_answers(study: Study, groups: Sequence[Group]) -> Iterator[Explanation]:
    """The values of the cache page and of the logons of each run that counts, then those of each benchmark row, one at
    a time. A caller that needs only the first ones computes no others."""
    yield from _cache(groups, reports_of((study,)))
    for group in groups:
        for run in group.runs:
            yield from explain_logons_run(run)
    yield from explain_benchmarks(study.benchmarks)


def _cache(groups: Sequence[Group], reports: Mapping[str, FileReport]) -> Iterator[Explanation]:
    phase = sweep_phase(groups)
    for group in groups:
        for run in group.runs:
            yield from explain_cache_run(run, phase, reports)
