"""The evidence of a finding: the very answer of the page it rests on."""

from __future__ import annotations

from dataclasses import replace

from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.answers.findings.compute import Finding
from workbench.answers.findings.known import evidence_state
from workbench.answers.registry import PAGES
from workbench.charts.content import Content
from workbench.charts.marked import marked_figure
from workbench.exporters.contents import answered


def finding_content(finding: Finding, library: Library, choices: Choices) -> Content | None:
    """What the page of a finding's evidence shows (its figure, cards and tables); None for one without evidence.

    Of a page that fails, its `empty` says why.
    """
    spec = next((spec for spec in PAGES if spec.key == finding.page), None)
    return None if spec is None else answered(spec, library, evidence_state(choices, finding, library))


def marked_content(content: Content, finding: Finding) -> Content:
    """The content with what the finding speaks of marked in its figure."""
    if content.figure is None:
        return content
    figure, pointed = marked_figure(content.figure, finding.pointed), finding.pointed
    if pointed is not None and pointed.vm:
        # No pointer says on paper which of the lines is the VM's.
        panels = (replace(p, legend=p.legend or p.title == pointed.configuration) for p in figure.panels)
        figure = replace(figure, panels=tuple(panels))
    return replace(content, figure=figure)
