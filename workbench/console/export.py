"""`vdiwb export`: writes what the window shows to a file; its ending decides the format."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.answers.common.baselines import guess_notes
from workbench.answers.common.library import Library, edited_library
from workbench.answers.common.spec import StoppedError, UsageError
from workbench.console.loading import progress_told, say
from workbench.console.streams import printable
from workbench.exporters.job import NoPainterError, Painter, Written
from workbench.exporters.safe_file import EmptyExportError, ExportError
from workbench.measures.phase_table import run_figures
from workbench.model.run import Study
from workbench.option_files import check_option_file
from workbench.session.state import State
from workbench.words.numbers import write_decimals_with
from workbench.words.translated import ENGLISH

if TYPE_CHECKING:
    from workbench.exporters.wanted import Face

# Endings of documents in words, and the decimal mark of a language.
DOCUMENTS = (".pptx", ".html", ".pdf", ".md", ".xlsx")
DECIMALS = {ENGLISH: ".", "de": ","}
# More exclusions than this are counted, not listed.
_FEW = 3


def check(options: argparse.Namespace) -> None:
    """Raises UsageError for errors in the command line, before anything is read."""
    from workbench.exporters.export import ENDINGS, TEMPLATE_ENDINGS

    output: Path = options.output
    if output.suffix.lower() not in (*ENDINGS, *TEMPLATE_ENDINGS):
        ending = f"'{output.suffix}' is not an ending" if output.suffix else "The file name has no ending"
        known = f"{', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}"
        raise UsageError(f"{ending} that can be written; choose {known}.")
    from workbench.exporters.assemble import check_only

    try:
        check_only(options.only)
    except ExportError as error:
        raise UsageError(str(error)) from error
    _check_template(options.template, output)
    if options.logo is not None:
        _check_file("logo", options.logo)
    if options.each_study and (output.suffix.lower() != ".xlsx" or options.template is not None):
        raise UsageError("--each-study writes .xlsx workbooks, and fills no template.")


def _check_template(template: Path | None, output: Path) -> None:
    if template is None:
        return
    from workbench.exporters.export import TEMPLATE_ENDINGS

    ending = output.suffix.lower()
    if ending not in TEMPLATE_ENDINGS:
        raise UsageError("A template is filled into .xlsx, .xlsm or .pptx only.")
    if template.suffix.lower() != ending:
        raise UsageError(f"{template.name} cannot be the template of {output.name}: their endings differ.")
    _check_file("template", template)


def _check_file(what: str, file: Path) -> None:
    try:
        check_option_file(file)
    except FileNotFoundError as error:
        raise UsageError(f"There is no {what} {file}.") from error
    except OSError as error:
        raise UsageError(f"The {what} {file} cannot be read: {error.strerror}.") from error


def write(options: argparse.Namespace, studies: tuple[Study, ...]) -> str:
    """Write the file; returns sentences on what was written and what was excluded. Raises UsageError if the export is
    impossible."""
    try:
        return _written(options, studies)
    except EmptyExportError as error:
        raise StoppedError(str(error)) from error
    except ExportError as error:
        raise UsageError(str(error)) from error


def _written(options: argparse.Namespace, studies: tuple[Study, ...]) -> str:
    # Imported here, because no other command needs the export formats.
    from workbench.exporters.assemble import job_of
    from workbench.exporters.export import export, export_each_study
    from workbench.exporters.wanted import Wanted
    from workbench.session.settings import load_settings

    figures = {run.folder: run_figures(run) for study in studies for run in study.runs}
    state: State = options.state or State()
    library = Library(studies, figures)
    library = edited_library(library, library, state)
    if options.baseline is None:
        for note in guess_notes(
            {study.name: library.groups(replace(state, study=study.folder)) for study in library.with_runs}
        ):
            say(note)
    language = options.language or load_settings().language or ENGLISH
    if options.language is not None and options.output.suffix.lower() in DOCUMENTS:
        write_decimals_with(DECIMALS[language])
    request = Wanted(
        options.output,
        only=options.only,
        phase=options.phase,
        baseline=options.baseline,
        template=options.template,
        theme=options.theme,
        size=options.size,
        scale=options.scale,
        names=options.names,
        face=_face(options),
        each_study=options.each_study,
        length=options.length,
        language=language,
    )
    with progress_told() as tell:
        job = job_of(library, state, request, tell)
        painter = _painter(options)
        tell(f"Writing {options.output.name}", 0.5)
        written = (export_each_study if request.each_study else export)(job, painter)
    return "\n".join(map(printable, _said(written, options.verbose)))


def _face(options: argparse.Namespace) -> Face:
    """The cover from the options, otherwise the saved cover of the window; a missing logo file counts as none."""
    from workbench.exporters.wanted import Face
    from workbench.session.settings import load_settings

    kept = load_settings().face
    logo: Path | None = options.logo
    if logo is None and kept.logo and Path(kept.logo).is_file():
        logo = Path(kept.logo)
    stated = (options.customer, kept.customer), (options.author, kept.author)
    customer, author = (other if option is None else option for option, other in stated)
    return Face(options.title or "", customer, author, logo)


def _said(written: Written, verbose: bool) -> list[str]:
    """The sentence and the files. Exclusions are listed if requested or few, otherwise counted."""
    from workbench.exporters.markdown.write import NO_PICTURES
    from workbench.exporters.page.page import NO_DRAWING
    from workbench.exporters.safe_file import FAILED, LEFT_OUT

    head = [written.sentence, *(f"  {file.name}" for file in written.files if len(written.files) > 1)]
    grave = [line for line in written.left_out if FAILED in line or line in (NO_DRAWING, NO_PICTURES, *written.always)]
    others = [line for line in written.left_out if line not in grave]
    if verbose or len(others) <= _FEW:
        return [*head, *grave, *others]
    empty = sum(LEFT_OUT in line for line in others)
    counted = [(empty, "page or view has nothing to show", "pages or views have nothing to show")]
    counted += [(len(others) - empty, "part is shortened or omitted", "parts are shortened or omitted")]
    message = " and ".join(f"{count} {singular if count == 1 else many}" for count, singular, many in counted if count)
    return [*head, *grave, f"{message}; --verbose names each with its reason."]


def _painter(options: argparse.Namespace) -> Painter | None:
    """The drawing code of the window if the format needs it. An HTML page works without it if Qt cannot be loaded, and
    a message says so."""
    from workbench.exporters.assemble import NEEDS_QT

    ending = options.output.suffix.lower()
    if ending not in NEEDS_QT:
        return None
    try:
        painter: Painter = options.painter()
    except NoPainterError:
        if ending not in (".html", ".md"):
            raise
        return None
    return painter
