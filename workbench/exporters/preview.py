"""Previews an export: its names, charts, and the omitted parts with the reasons.

It also checks the user's own workbook or deck before anything is computed for it.
"""

from __future__ import annotations

from dataclasses import dataclass

from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.charts.figure import Figure
from workbench.exporters.assemble import PICTURES, job_of
from workbench.exporters.export import study_files
from workbench.exporters.job import DocumentPart, ExportJob
from workbench.exporters.names import file_names
from workbench.exporters.safe_file import ExportError
from workbench.exporters.wanted import Wanted
from workbench.model.problem import failures


@dataclass(frozen=True, eq=False)
class PreviewEntry:
    """A sheet, slide, page or file: its name, its text, and its chart if it has one."""

    name: str
    about: str = ""
    figure: Figure | None = None


@dataclass(frozen=True, eq=False)
class ExportPreview:
    """`refused` is the reason why nothing can be written; `files` are the names of the resulting files."""

    entries: tuple[PreviewEntry, ...]
    left_out: tuple[str, ...] = ()
    refused: str = ""
    files: tuple[str, ...] = ()


def preview(library: Library, choices: Choices, request: Wanted) -> ExportPreview:
    """The result of writing now. Computes the answers of the pages."""
    try:
        job = job_of(library, choices, request)
    except ExportError as error:
        return ExportPreview((), refused=str(error))
    entries = _entries(job)
    if not entries:
        return ExportPreview((), job.left_out, "The selected pages have nothing to show.")
    files = study_files(job) if request.each_study else _files(job)
    return ExportPreview(entries, job.left_out, files=files)


def _entries(job: ExportJob) -> tuple[PreviewEntry, ...]:
    ending = job.path.suffix.lower()
    if job.document is not None:
        return tuple(PreviewEntry(slide.title, slide.evidence, slide.figure) for slide in job.document.all_slides)
    if ending in (".csv", ".parquet") and job.data != "charts":
        return _data_entries(job)
    shown = job.parts
    if ending in PICTURES:
        shown = tuple(part for part in shown if part.content.figure is not None)
    return tuple(_entry(part) for part in shown)


def _entry(part: DocumentPart) -> PreviewEntry:
    return PreviewEntry(part.name, part.content.question, part.content.figure)


def _data_entries(job: ExportJob) -> tuple[PreviewEntry, ...]:
    runs = [run for study in job.studies for run in study.runs]
    if job.data == "phases":
        rows = sum(len(figure.phases) for figure in job.figures)
        return (PreviewEntry("Phase table", f"{rows} rows: one for each run and phase"),) if rows else ()
    counters = sum(len(recording.series) for run in runs for recording in run.recordings)
    samples = sum(len(recording.series) * recording.rows for run in runs for recording in run.recordings)
    about = f"{samples:,} rows: {counters:,} counters of {len(runs)} runs, one row per sample"
    return (PreviewEntry("Every sample", about),) if samples else ()


def _files(job: ExportJob) -> tuple[str, ...]:
    ending = job.path.suffix.lower()
    several = ending in PICTURES or (ending in (".csv", ".parquet") and job.data == "charts")
    if not several:
        return (job.path.name,)
    shown = [part for part in job.parts if part.content.figure is not None or ending not in PICTURES]
    return tuple(path.name for path in file_names(job.path, shown)) if shown else ()


def template_fault(request: Wanted) -> str:
    """The reason why the template of an export cannot be used, and the action, as a sentence. Empty if it can be used
    or there is none. Reads the file, so do not call this function on the GUI thread."""
    if request.template is None:
        return ""
    name = request.template.name
    if not request.template.is_file():
        return f"There is no template {request.template}. Choose another, or leave the field empty."
    try:
        _open(request)
    except ExportError as error:
        return str(error)
    except failures() as error:
        reason = f"{type(error).__name__}: {error}"
        return f"The template {name} could not be opened ({reason}). Save it again in Office, or choose another."
    return ""


def _open(request: Wanted) -> None:
    # Imported here, as with every library that only one format needs.
    assert request.template is not None
    if request.path.suffix.lower() == ".pptx":
        from workbench.exporters.slides.template import open_template

        open_template(request.template, request.theme)
    else:
        from workbench.exporters.workbook.package import open_package
        from workbench.exporters.workbook.sheets.template import template_sheets

        template_sheets(open_package(request.template))
