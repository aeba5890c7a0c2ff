"""The document of an export: the storyboard with its charts, or the pages that were asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from workbench.answers.common.baselines import baseline_lines
from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.answers.findings.compute import FAILED as FAILED_KIND
from workbench.answers.import_report.causes import causes
from workbench.answers.storyboard.compute import shown_story
from workbench.answers.storyboard.figures import claim_figure
from workbench.answers.storyboard.grouped import caveat_lines, problem_lines
from workbench.answers.storyboard.shown import ShownSlide, ShownStory
from workbench.charts.content import Content
from workbench.exporters.alone import LEFT_OUT
from workbench.exporters.contents import page_part, saved_views
from workbench.exporters.document.document import Document, Slide
from workbench.exporters.document.finding_contents import finding_content, marked_content
from workbench.exporters.document.slides import content_slide, document_on, story_slide
from workbench.exporters.job import Part
from workbench.exporters.wanted import Wanted
from workbench.measures.phase_table import RunFigures

NOTHING = "nothing of it is there now"


def document_of(library: Library, choices: Choices, request: Wanted) -> Document:
    """What slides, page, report, workbook and a presentation tell: the user's storyboard, else the default one, with
    its charts, summary, method, limits and problems. `remarks` name the slides that have nothing to show."""
    story = shown_story(library, choices, request.what == "all")
    figures = library.as_seen(choices)
    by_folder = {figure.run.folder: figure for figure in figures}
    several = len(story.studies) > 1
    slides: dict[bool, list[Slide]] = {False: [], True: []}
    remarks = [f"There are no findings of {study.name}." for study in story.studies if not study.findings]
    remarks += [problem.message for problem in story.problems]
    for shown in story.slides:
        slide, why = slide_of(shown, library, choices, by_folder, several)
        if slide is None:
            remarks.append(f"The slide “{shown.sentence or shown.slide.key}”{LEFT_OUT}{why}")
        else:
            slides[shown.slide.appendix].append(slide)
    face = request.face
    document = document_on(library.studies, figures, slides[False])
    return replace(
        document,
        title=face.title or story.storyboard.title or document.title,
        appendix=tuple(slides[True]),
        summary=story.summary,
        limits=_limits(story, library, choices),
        customer=face.customer,
        author=face.author,
        date=f"{datetime.now(UTC):%Y-%m-%d}",
        logo=face.logo,
        remarks=tuple(dict.fromkeys(remarks)),
    )


def parts_document(
    library: Library, choices: Choices, parts: Sequence[Part], request: Wanted
) -> tuple[Document, tuple[str, ...]]:
    """A slide for each part that has a chart, and in sentences which have none."""
    made = [(part, content_slide(part.name, part.content)) for part in parts]
    slides = [slide for _, slide in made if slide is not None]
    messages = tuple(f"{part.name} has no chart and no slide." for part, slide in made if slide is None)
    document = document_on(library.studies, library.as_seen(choices), slides)
    face = request.face
    named = replace(
        document, title=face.title or document.title, customer=face.customer, author=face.author, logo=face.logo
    )
    return named, messages


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


def _limits(story: ShownStory, library: Library, choices: Choices) -> tuple[str, ...]:
    """What limits the figures, what repeats as one line with a count: failures, caveats, the baseline, problems."""
    baselines = baseline_lines({study.name: study.groups for study in story.studies})
    failed = [finding.text for study in story.studies for finding in study.findings if finding.kind == FAILED_KIND]
    caveats = caveat_lines(list(_caveats(story.slides)))
    return (*failed, *caveats, *baselines, *problem_lines(causes(library, choices)))


def _caveats(slides: Iterable[ShownSlide]) -> Iterable[str]:
    for shown in slides:
        yield from (caveat for finding in shown.findings[:1] for caveat in finding.caveats)
