"""Slides of the storyboard with what shows them: the claims of their findings, else the page they rest on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.answers.storyboard.figures import claim_figure
from workbench.answers.storyboard.shown import ShownSlide
from workbench.charts.content import Content
from workbench.exporters.contents import page_part, saved_views
from workbench.exporters.document.document import Slide
from workbench.exporters.document.finding_contents import finding_content, marked_content
from workbench.exporters.document.slides import story_slide
from workbench.measures.phase_table import RunFigures

NOTHING = "it no longer exists"


def slide_of(
    shown: ShownSlide, library: Library, choices: Choices, figures: Mapping[str, RunFigures], several: bool
) -> tuple[Slide | None, str]:
    """The slide; else why there is none: it has neither chart nor table."""
    if shown.slide.kind == "text":
        return Slide(shown.sentence, notes=shown.slide.notes or "", key=shown.slide.key, of_story=True), ""
    if shown.lost:
        return None, NOTHING
    figure = claim_figure(shown.claims, shown.slide.switches)
    content = Content("", figure=figure) if figure is not None else _content(shown, library, choices)
    if content is None or content.empty or not (content.figure or content.tables):
        return None, (content.empty if content else "") or "it has neither chart nor table."
    slide = story_slide(shown, content, figures, several)
    return replace(slide, evidence_key=_evidence_key(shown), study=shown.study.name if shown.study else ""), ""


def _evidence_key(shown: ShownSlide) -> str:
    """The page of the slide with its view, as `Part.key` says it; without a view the page's first one is meant."""
    if shown.view is not None:
        return f"{shown.view.page}:"
    page, view = shown.slide.page, shown.slide.page_view
    if shown.findings:
        page, view = shown.findings[0].page, shown.findings[0].view
    return f"{page}:{view}" if page else ""


def _content(shown: ShownSlide, library: Library, choices: Choices) -> Content | None:
    """What the page of the slide shows."""
    seen = shown.study.choices if shown.study else choices
    if shown.findings:
        content = finding_content(shown.findings[0], library, seen)
        return marked_content(content, shown.findings[0]) if content and shown.slide.switches.claim else content
    if shown.view is not None:
        views = saved_views(library, choices, (shown.view,))
        return views.parts[0].content if views.parts else Content("", empty=" ".join(views.left_out))
    part = page_part(library, seen, shown.slide.page, shown.slide.page_view)
    return None if part is None else part.content
