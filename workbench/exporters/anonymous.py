"""Exports without names: replaces the names in the input of an export, and adds a notice to its output."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.charts.content import Content
from workbench.charts.figure import Figure
from workbench.exporters.document.document import Document
from workbench.exporters.job import DocumentPart, ExportJob
from workbench.exporters.safe_file import ExportError
from workbench.exporters.wanted import Face, Wanted
from workbench.model.run import Study
from workbench.study.anonymising.collecting import pseudonyms_of, without_names
from workbench.study.anonymising.pseudonyms import NOTICE, Pseudonyms, write_key

TEMPLATE = "Names in the template itself are not replaced. Check the template before you share the file."


def with_names(request: Wanted, studies: Sequence[Study], choices: Choices) -> Wanted:
    """The request with the replacement for each name, if names are to be replaced. `studies` are in the state in which
    they were opened, so all documents about them use the same pseudonyms."""
    return replace(request, names=pseudonyms_of(studies, choices)) if request.anonymise else request


def write_key_of(request: Wanted) -> None:
    """Write the list of replaced names, if requested. Raises ExportError."""
    if request.key is None or request.names is None:
        return
    try:
        write_key(request.key, request.names)
    except OSError as error:
        reason = error.strerror or error
        raise ExportError(f"{request.path.name} was written, but its key {request.key} was not: {reason}.") from error


def anonymous(
    library: Library, choices: Choices, request: Wanted, names: Pseudonyms
) -> tuple[Library, Choices, Wanted]:
    """The input of an export with every name replaced. Values are not computed again. Title, customer, author and logo
    of the cover are names, so they are removed."""
    library = without_names(replace(library, places=None), names)
    phase, baseline = (asked and names.text(asked) for asked in (request.phase, request.baseline))
    return library, without_names(choices, names), replace(request, phase=phase, baseline=baseline, face=Face())


def marked(job: ExportJob) -> ExportJob:
    """The job with a notice in every place where reading may begin."""
    left_out = (*job.left_out, TEMPLATE) if job.template is not None else job.left_out
    parts, document = tuple(map(_marked_part, job.parts)), job.document and _marked_deck(job.document)
    return replace(job, parts=parts, document=document, left_out=left_out, notice=NOTICE)


def _marked_part(part: DocumentPart) -> DocumentPart:
    return replace(part, content=_marked_content(part.content))


def _marked_content(content: Content) -> Content:
    return replace(content, caption=_with_notice(content.caption), figure=_marked_figure(content.figure))


def _marked_deck(deck: Document) -> Document:
    slides, appendix = (
        tuple(replace(slide, figure=_marked_figure(slide.figure)) for slide in part)
        for part in (deck.slides, deck.appendix)
    )
    return replace(deck, subtitle=f"{deck.subtitle} · {NOTICE}", slides=slides, appendix=appendix)


def _marked_figure(figure: Figure | None) -> Figure | None:
    return figure and replace(figure, caption=_with_notice(figure.caption))


def _with_notice(caption: str) -> str:
    return f"{NOTICE}. {caption}".rstrip()
