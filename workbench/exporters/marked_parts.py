"""The pages of a workbook with what the storyboard says of them: in charts of curves the rest is dimmed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from workbench.answers.common.choices import Choices
from workbench.answers.findings.compute import Finding
from workbench.answers.registry import PAGES
from workbench.answers.storyboard.shown import ShownStory
from workbench.charts.figure import Bars, Figure
from workbench.exporters.document.slides import marked_content
from workbench.exporters.job import Part

_FIRST_VIEWS = {spec.key: spec.views[0][0] if spec.views else "" for spec in PAGES}


def marked_parts(parts: Sequence[Part], story: ShownStory, choices: Choices) -> tuple[Part, ...]:
    """The parts, each marked for the first finding of the storyboard that speaks of its chart as it is drawn, with the
    finding's sentence in its caption. Charts of bars stay as they are: the first sheet has their findings."""
    findings = list(_findings(story))
    return tuple(_marked(part, findings, choices) for part in parts)


def _findings(story: ShownStory) -> Iterator[tuple[str, Finding]]:
    """By the folder of their study the findings that light what they claim, the appendix last."""
    for shown in sorted(story.slides, key=lambda shown: shown.slide.appendix):
        if shown.study is not None and shown.slide.switches.claim:
            yield from ((shown.study.folder, finding) for finding in shown.findings)


def _marked(part: Part, findings: Sequence[tuple[str, Finding]], choices: Choices) -> Part:
    figure = part.content.figure
    if figure is None or _is_of_bars(figure):
        return part
    for folder, finding in findings:
        if part.folder in ("", folder) and _speaks_of(finding, part, choices):
            content = marked_content(part.content, finding)
            shown = content.figure
            if shown is not None and shown.panels != figure.panels:
                caption = f"{shown.caption} · marked: {finding.text}"
                return replace(part, content=replace(content, figure=replace(shown, caption=caption)))
    return part


def _is_of_bars(figure: Figure) -> bool:
    """Whether bars are what it shows, and not the stacks of a sweep."""
    marks = ((panel, mark) for panel in figure.panels for mark in panel.marks)
    return any(isinstance(mark, Bars) and not (mark.stack and panel.x.of) for panel, mark in marks)


def _speaks_of(finding: Finding, part: Part, choices: Choices) -> bool:
    """Whether the part is drawn as the finding's evidence is: its view, phase, metric and inputs."""
    chosen = {field.key: field.value for field in part.content.inputs}
    return (
        finding.page == part.page
        and (finding.view or _FIRST_VIEWS[part.page]) == part.view
        and finding.phase in ("", choices.phase)
        and finding.metric in (None, choices.metric)
        and all(chosen.get(key) == value for key, value in finding.inputs)
    )
