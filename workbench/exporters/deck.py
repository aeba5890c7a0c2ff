"""The deck of an export: the findings of every study on their evidence, or the pages that were asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.answers.findings.compute import MOST_SHOWN, Finding
from workbench.answers.findings.page import kept_findings
from workbench.charts.content import Content
from workbench.exporters.alone import FAILED, LEFT_OUT
from workbench.exporters.document import Document, Slide
from workbench.exporters.finding_contents import finding_content
from workbench.exporters.job import Part
from workbench.exporters.slides.compose import content_slide, deck_of, finding_slides


def findings_deck(library: Library, choices: Choices, every_study: bool = True) -> tuple[Document, tuple[str, ...]]:
    """A slide for each of the first findings of each study, and in sentences which studies have none or more."""
    figures = library.as_seen(choices)
    studies = library.with_runs if every_study else tuple(filter(None, [library.study(choices.study)]))
    slides: list[Slide] = []
    benchmarks: list[Slide] = []
    messages: list[str] = []
    for index, study in enumerate(studies or (None,)):
        seen = replace(choices, study=study.folder if study else None)
        kept = kept_findings(library, seen)
        findings = [finding for finding in kept if not finding.apart]
        name = study.name if study and len(studies) > 1 else ""
        evidence = [(finding, finding_content(finding, library, seen)) for finding in findings[:MOST_SHOWN]]
        slides += finding_slides(evidence, figures, name)
        messages += _charts_left_out(evidence)
        # Storage benchmarks in folders of their own are no part of a study: told once, by their folder's name.
        apart = [finding for finding in kept if finding.apart] if index == 0 else []
        for finding in apart[:MOST_SHOWN]:
            beside = [(finding, finding_content(finding, library, seen))]
            benchmarks += finding_slides(beside, figures, finding.apart)
            messages += _charts_left_out(beside)
        of = f" of {name}" if name else ""
        if not findings:
            messages.append(f"There are no findings{of}.")
        if len(findings) > MOST_SHOWN:
            messages.append(f"{len(findings) - MOST_SHOWN} less relevant findings{of} are left out.")
    return deck_of(library.studies, figures, [*slides, *benchmarks]), tuple(messages)


def _charts_left_out(evidence: Sequence[tuple[Finding, Content | None]]) -> list[str]:
    """In sentences, whose chart could not be computed."""
    return [
        f"The chart of '{finding.text}'{LEFT_OUT}{content.empty}"
        for finding, content in evidence
        if content is not None and content.empty.startswith(FAILED)
    ]


def parts_deck(library: Library, choices: Choices, parts: Sequence[Part]) -> tuple[Document, tuple[str, ...]]:
    """A slide for each part that has a chart, and in sentences which have none."""
    made = [(part, content_slide(part.name, part.content)) for part in parts]
    slides = [slide for _, slide in made if slide is not None]
    messages = tuple(f"{part.name} has no chart and no slide." for part, slide in made if slide is None)
    return deck_of(library.studies, library.as_seen(choices), slides), messages
