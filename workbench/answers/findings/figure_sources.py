"""The sources of a finding's numbers: figures of the phase table, of an answer, and known explanations."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.answers.findings.compute import Finding
from workbench.answers.sources import Explainer
from workbench.charts.figure import FigureSource
from workbench.measures.sources import FIGURES
from workbench.model.source import Explanation


def finding_sources(one: Finding) -> tuple[FigureSource, ...]:
    """The sources of a finding's numbers, one for each figure; empty if no figure has a source."""
    return tuple(_sources(one))


def explained(finding: Finding, explainer: Explainer) -> list[Explanation]:
    """The sources of a finding, figure by figure; figures that its runs lack are omitted."""
    every = [way for source in finding_sources(finding) for way in explainer.of_source(source)]
    return [way for way in every if way.value is not None or way.sources]


def _sources(one: Finding) -> Iterator[FigureSource]:
    for answer, figure in one.ways:
        yield FigureSource(one.runs, one.phase, figure, vm=one.lit_vm, answer=answer)
    for figure in dict.fromkeys(explanation.figure for explanation in one.explanations):
        explanations = tuple(explanation for explanation in one.explanations if explanation.figure == figure)
        yield FigureSource((), "", figure, answer="known", explanations=explanations)
    for figure in one.figures:
        if figure in FIGURES:
            yield FigureSource(one.runs, one.phase, figure, vm=one.lit_vm)
