"""From the Origin of a number on screen to its explanations: the one place that knows whose figure it is."""

from __future__ import annotations

from dataclasses import replace

from workbench.analysis.phase_table import RunFigures
from workbench.analysis.provenance import Explanation, Reports, explain
from workbench.analysis.provenance_cache import explain_cache
from workbench.analysis.provenance_logons import explain_logons
from workbench.charts.figure import Origin
from workbench.charts.origins import CACHE, LOGONS
from workbench.session.library import Library


def explanations_of(library: Library, origin: Origin) -> list[Explanation]:
    """The explanation of a number for each of its runs that is open, those of the baseline of a change last; before
    them what is known of it without a run."""
    reports = {report.path: report for report in library.files}
    figures = library.figures or {}
    runs = (figures[run] for run in (*origin.runs, *origin.against) if run in figures)
    return [*origin.told, *(_explained(one, origin, reports) for one in runs)]


def _explained(one: RunFigures, origin: Origin, reports: Reports) -> Explanation:
    if origin.answer == CACHE:
        return explain_cache(one, origin.figure, origin.phase, origin.vm, reports)
    if origin.answer == LOGONS:
        return explain_logons(one, origin.figure, origin.vm)
    return first_of(explain(one, origin.phase, origin.figure, reports), origin.vm)


def first_of(found: Explanation, vm: str) -> Explanation:
    """The same explanation with the sources of one VM before those of the others."""
    return replace(found, sources=tuple(sorted(found.sources, key=lambda one: one.vm != vm)))
