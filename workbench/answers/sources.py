"""From the Origin of a number on screen to its explanations: the one place that knows whose figure it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from workbench.answers.cache.origins import CACHE
from workbench.answers.cache.sources import explain_cache
from workbench.answers.common.library import Library
from workbench.answers.logons.origins import LOGONS
from workbench.answers.logons.sources import explain_logons
from workbench.charts.figure import Origin
from workbench.measures.phase_table import RunFigures
from workbench.measures.sources import Reports, explain, reports_of
from workbench.model.source import Explanation


@dataclass(frozen=True, eq=False)
class Explainer:
    """Explains numbers of these runs, by folder, each of them once; `reports` by file tell line numbers."""

    runs: Mapping[str, RunFigures]
    reports: Reports
    known: dict[Origin, Explanation] = field(default_factory=dict)

    def of_origin(self, origin: Origin) -> list[Explanation]:
        """What is known of a number already, then its explanation for each of its runs, those of a baseline last."""
        runs = (folder for folder in (*origin.runs, *origin.against) if folder in self.runs)
        return [
            *origin.told,
            *(explanation for folder in runs if (explanation := self._one(folder, origin)) is not None),
        ]

    def _one(self, folder: str, origin: Origin) -> Explanation | None:
        run, key = self.runs[folder], replace(origin, runs=(folder,), against=(), told=(), how="")
        if not origin.answer and run.phase(origin.phase) is None:
            return None
        if key not in self.known:
            self.known[key] = _explained(run, origin, self.reports)
        return self.known[key]


def explanations_of(library: Library, origin: Origin) -> list[Explanation]:
    """The explanations of a number of which the runs are open."""
    return Explainer(library.figures or {}, reports_of(library.studies)).of_origin(origin)


def _explained(one: RunFigures, origin: Origin, reports: Reports) -> Explanation:
    if origin.answer == CACHE:
        return explain_cache(one, origin.figure, origin.phase, origin.vm, reports)
    if origin.answer == LOGONS:
        return explain_logons(one, origin.figure, origin.vm)
    return first_of(explain(one, origin.phase, origin.figure, reports), origin.vm)


def first_of(found: Explanation, vm: str) -> Explanation:
    """The same explanation with the sources of one VM before those of the others."""
    return replace(found, sources=tuple(sorted(found.sources, key=lambda rows: rows.vm != vm)))
