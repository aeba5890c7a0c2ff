"""Turns a request for an export into the job for the writers, in the same way for window and command line.

It computes the answers of the requested pages, checks the logo once for all formats, and marks the charts of a workbook
with the findings of the storyboard.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

from workbench.answers.common.baselines import with_option
from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.answers.common.names import EVERY
from workbench.answers.common.spec import UsageError
from workbench.answers.common.traces.traces import WHOLE_RUN
from workbench.answers.compare.compute import comparisons
from workbench.answers.findings.compute import Finding
from workbench.answers.findings.words import headline
from workbench.answers.registry import PAGES
from workbench.answers.sizing.chosen import capacity_plans
from workbench.answers.storyboard.compute import shown_story
from workbench.answers.storyboard.shown import ShownStory, StudyFindings
from workbench.answers.storyboard.summary import study_findings
from workbench.charts.figure import Bars, Figure
from workbench.exporters.anonymous import anonymous, marked
from workbench.exporters.contents import Contents, contents, page_keys, saved_views, shown_now
from workbench.exporters.document.document import Document
from workbench.exporters.document.lengths import recorded_parts
from workbench.exporters.document.making import document_of, parts_document
from workbench.exporters.document.slides import marked_content
from workbench.exporters.job import Data, DocumentPart, ExportJob, PictureLook
from workbench.exporters.safe_file import LEFT_OUT, ExportError, alone
from workbench.exporters.wanted import Face, Wanted
from workbench.measures.configurations import baseline_of, group_runs, phase_names
from workbench.model.run import BaselineEvidence
from workbench.option_files import option_bytes
from workbench.words.captions import ended
from workbench.words.metrics import phase_called

# Valid names in addition to the pages: the findings, the saved views, and every sample (.csv, .parquet).
FINDINGS, VIEWS, SAMPLES = "findings", "views", "data"
# Endings of formats with the findings first and then every page.
STORY_ENDINGS = (".html", ".pdf", ".md")
# Endings of formats with tables or samples, never pages.
DATA_ENDINGS = (".csv", ".parquet")
# Endings with one file per chart, and endings that only Qt can draw.
PICTURES = (".png", ".svg")
NEEDS_QT = (*PICTURES, ".pdf", ".html", ".md")
Tell = Callable[[str, float], None]
SLIDES_ENDING = ".pptx"


def check_only(only: Sequence[str]) -> None:
    """Raises `ExportError` that lists the valid choices if one is unknown."""
    known = (*page_keys(), FINDINGS, VIEWS, SAMPLES)
    for name in only:
        if name not in known:
            raise ExportError(f"There is no page or view '{name}'. Choose from: {', '.join(known)}.")


def _untold(_what: str, _share: float) -> None:
    pass


def job_of(library: Library, choices: Choices, request: Wanted, tell: Tell = _untold) -> ExportJob:
    """The job, with the computed answers of the pages. Raises `ExportError` for an unknown phase, baseline or page.

    `tell` is called with the current step and the finished share of the whole export.
    """
    check_only(request.only)
    if request.names is None:
        return _job_of(library, choices, request, tell)
    return marked(_job_of(*anonymous(library, choices, request, request.names), tell))


def _job_of(library: Library, choices: Choices, request: Wanted, tell: Tell) -> ExportJob:
    choices = _with_phase(library, choices, request.phase)
    # The looks are fixed first, so another baseline does not change colours.
    choices = replace(choices, looks=library.looks(choices))
    choices = _with_baseline(library, choices, request.baseline)
    if request.path.suffix.lower() in DATA_ENDINGS:
        choices = choices.with_input(EVERY, 1.0)
    face, said = with_known_logo(request.face)
    request = replace(request, face=face)
    document, answers = _document(library, choices, request, tell)
    # Only the workbook has these results, with formulas.
    with_formulas = request.path.suffix.lower() == ".xlsx" and request.template is None
    missing: list[str] = []
    computed: dict[str, Any] = {}
    for name, compute in _COMPUTED if with_formulas else ():
        computed[name] = alone(name, partial(compute, library, choices), partial(_noted, missing))
    story, parts = None, answers.parts
    if with_formulas and _everything(request):
        story = alone("Storyboard", partial(shown_story, library, choices), partial(_without_story, missing))
        parts = parts if story is None else marked_parts(parts, story, choices)
        if story is not None and all(part.content.figure is None for part in parts):
            parts = (*parts, *(part for study in story.studies for part in recorded_parts(study, library)))
    return ExportJob(
        request.path,
        library.studies,
        tuple(library.as_seen(choices)),
        parts,
        document,
        whole=_everything(request),
        data=_data(request),
        template=request.template,
        look=PictureLook(request.theme, request.size, request.scale),
        left_out=(*said, *answers.left_out, *missing),
        comparisons=computed.get("Compare values", {}),
        plans=computed.get("Sizing plan", {}),
        findings=computed.get("Findings", {}),
        story=story,
        face=request.face,
        looks=choices.looks,
        language=request.language,
        length=request.length if _everything(request) else "full",
    )


def _findings(library: Library, choices: Choices) -> dict[str, StudyFindings]:
    return {study.folder: study for study in study_findings(library, choices)}


# Results that a workbook has formulas for, by the name of the sheet.
_COMPUTED: tuple[tuple[str, Callable[[Library, Choices], dict[str, Any]]], ...] = (
    ("Compare values", comparisons),
    ("Sizing plan", capacity_plans),
    ("Findings", _findings),
)


def _without_story(missing: list[str], words: str) -> ShownStory | None:
    missing.append(words)
    return None


def _noted(missing: list[str], words: str) -> dict[str, Any]:
    missing.append(words)
    return {}


def _everything(request: Wanted) -> bool:
    return request.what == "all" and not request.only


def _document(library: Library, choices: Choices, request: Wanted, tell: Tell) -> tuple[Document | None, Contents]:
    """The storyboard if it is requested, otherwise slides of the parts, or only the parts."""
    ending = request.path.suffix.lower()
    whole_story = _everything(request) or request.what == "findings" or FINDINGS in request.only
    if whole_story and ending == SLIDES_ENDING and choices.storyboard is not None and not choices.storyboard.slides:
        # The user has removed every slide.
        return None, Contents((), ())
    if whole_story and ending in (*STORY_ENDINGS, SLIDES_ENDING):
        document = document_of(library, choices, request)
        # HTML page and report begin with the storyboard and continue with the pages.
        pages = _pages(library, choices, request, document, tell) if ending in STORY_ENDINGS else Contents((), ())
        return document, Contents(pages.parts, (*pages.left_out, *document.remarks))
    answers = contents_of(library, choices, request, tell)
    if ending != SLIDES_ENDING:
        return None, answers
    document, messages = parts_document(library, choices, answers.parts, request)
    return document, Contents(answers.parts, (*answers.left_out, *messages))


def _pages(library: Library, choices: Choices, request: Wanted, document: Document, tell: Tell) -> Contents:
    """The pages after the findings: none in a brief; in a review those with evidence for its findings."""
    if document.length == "full" or not _everything(request):
        return contents_of(library, choices, request, tell)
    if document.length == "brief":
        return Contents((), ())
    known = page_keys()
    keys = dict.fromkeys(slide.evidence_key.removesuffix(":") for slide in document.slides)
    wanted = tuple(key for key in keys if key in known)
    return Contents(contents(library, choices, wanted, tell=tell).parts, ()) if wanted else Contents((), ())


def contents_of(library: Library, choices: Choices, request: Wanted, tell: Tell = _untold) -> Contents:
    """The answers of the requested pages."""
    data = request.path.suffix.lower() in DATA_ENDINGS
    if request.what == "page":
        return shown_now(library, choices, request.span)
    if request.what == "views" or VIEWS in request.only:
        if not choices.views:
            raise ExportError("There are no saved views. Save one with Ctrl+B, or export the page or everything.")
        return saved_views(library, choices, choices.views)
    if (data and not request.only) or SAMPLES in request.only:
        # Tables and samples come from the runs: no page has to be computed.
        return Contents((), ())
    if request.what == "findings" or request.only == (FINDINGS,):
        # The overview shows the findings.
        return contents(library, choices, ("overview",), request.what == "all", tell)
    return contents(library, choices, tuple(name for name in request.only if name != FINDINGS), tell=tell)


def _data(request: Wanted) -> Data:
    if SAMPLES in request.only:
        return "samples"
    if request.only or request.what in ("page", "views"):
        return "charts"
    return "samples" if request.path.suffix.lower() == ".parquet" else "phases"


def _with_phase(library: Library, choices: Choices, phase: str | None) -> Choices:
    if phase is None:
        return choices
    figures = (library.figures or {}).values()
    known = (*phase_names(group_runs(figures)), WHOLE_RUN)
    text = phase_called(phase, known)
    if text is None:
        raise ExportError(f"There is no phase '{phase}'. Valid phases: {', '.join(known)}.")
    return replace(choices, phase=text)


def _with_baseline(library: Library, choices: Choices, name: str | None) -> Choices:
    """The choices with the configuration of this name as the baseline of every study that has it."""
    if name is None:
        return choices
    studies = {study.folder: library.groups(replace(choices, study=study.folder)) for study in library.with_runs}
    try:
        compared, unknown = with_option(studies, name)
    except UsageError as error:
        raise ExportError(str(error)) from error
    for folder in studies.keys() - unknown.keys():
        base = baseline_of(compared[folder])
        assert base is not None
        edits = library.with_baseline(replace(choices, study=folder), base.label, BaselineEvidence.OPTION).edits
        choices = replace(choices, edits=edits)
    return choices


_MOST_MB, _MOST_PIXELS = 5, 50_000_000


def with_known_logo(face: Face) -> tuple[Face, tuple[str, ...]]:
    """The cover, without its logo if the file is not usable, and a sentence about that."""
    why = logo_fault(face.logo) if face.logo is not None else ""
    if face.logo is None or not why:
        return face, ()
    return replace(face, logo=None), (f"The logo {face.logo.name}{LEFT_OUT}{why}.",)


def logo_fault(path: Path) -> str:
    """The reason why a file is not a logo; empty if it is one. A logo is a complete .png or .jpg by content, small
    enough for documents sent by mail."""
    # Imported here, because Pillow is installed only with the writers of Office files.
    from PIL import Image, UnidentifiedImageError

    try:
        if path.stat().st_size > _MOST_MB * 1_000_000:
            return f"It is larger than {_MOST_MB} MB"
        with Image.open(BytesIO(option_bytes(path)), formats=("PNG", "JPEG")) as picture:
            if picture.width * picture.height > _MOST_PIXELS:
                return f"It has more than {_MOST_PIXELS // 1_000_000} million pixels"
            picture.load()
    except UnidentifiedImageError:
        return "It is not a .png or .jpg"
    except OSError as error:
        return f"It cannot be read ({error.strerror or error})"
    except (SyntaxError, ValueError, Image.DecompressionBombError):
        return "It is damaged"
    return ""


_FIRST_VIEWS = {spec.key: spec.views[0][0] if spec.views else "" for spec in PAGES}


def marked_parts(parts: Sequence[DocumentPart], story: ShownStory, choices: Choices) -> tuple[DocumentPart, ...]:
    """The parts, each marked for the first finding of the storyboard about its chart as drawn, with the finding in its
    caption. Charts of bars are unchanged: the first sheet has their findings."""
    findings = list(_highlighting_findings(story))
    return tuple(_marked(part, findings, choices) for part in parts)


def _highlighting_findings(story: ShownStory) -> Iterator[tuple[str, Finding]]:
    """The findings that highlight their subject, with the folder of their study, appendix last."""
    for shown in sorted(story.slides, key=lambda shown: shown.slide.appendix):
        if shown.study is not None and shown.slide.switches.claim:
            yield from ((shown.study.folder, finding) for finding in shown.findings)


def _marked(part: DocumentPart, findings: Sequence[tuple[str, Finding]], choices: Choices) -> DocumentPart:
    figure = part.content.figure
    if figure is None or _is_of_bars(figure):
        return part
    for folder, finding in findings:
        if part.folder in ("", folder) and _speaks_of(finding, part, choices):
            content = marked_content(part.content, finding)
            shown = content.figure
            if shown is not None and shown.panels != figure.panels:
                caption = ended(f"{shown.caption.rstrip('.')}. Highlighted: {headline(finding)}")
                return replace(part, content=replace(content, figure=replace(shown, caption=caption)))
    return part


def _is_of_bars(figure: Figure) -> bool:
    """True if the figure shows bars, except the stacks of a sweep."""
    marks = ((panel, mark) for panel in figure.panels for mark in panel.marks)
    return any(isinstance(mark, Bars) and not (mark.stack and panel.x.of) for panel, mark in marks)


def _speaks_of(finding: Finding, part: DocumentPart, choices: Choices) -> bool:
    """True if the part has the settings of the finding's evidence: its view, phase, metric and inputs."""
    chosen = {field.key: field.value for field in part.content.inputs}
    return (
        finding.page == part.page
        and (finding.view or _FIRST_VIEWS[part.page]) == part.view
        and finding.phase in ("", choices.phase)
        and finding.metric in (None, choices.metric)
        and all(chosen.get(key) == value for key, value in finding.inputs)
    )
