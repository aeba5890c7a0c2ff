"""`vdiwb export`: writes the results as shown in the window to a file; its ending decides the format."""

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
    """Raises UsageError for errors in the command line, before any file is read."""
    outputs: list[Path] = options.outputs
    for output in outputs:
        _check_output(options, output)
    same = {path for path in outputs if [other.absolute() for other in outputs].count(path.absolute()) > 1}
    if same:
        raise UsageError(f"{min(same)} is named twice with -o. Name each file once.")
    if options.logo is not None:
        _check_file("logo", options.logo)


def _check_output(options: argparse.Namespace, output: Path) -> None:
    from workbench.exporters.export import ENDINGS, TEMPLATE_ENDINGS

    if output.suffix.lower() not in (*ENDINGS, *TEMPLATE_ENDINGS):
        problem = f"{output.suffix} files cannot be exported" if output.suffix else "The file name has no ending"
        known = f"{', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}"
        raise UsageError(f"{problem}. Choose {known}.")
    from workbench.exporters.assemble import check_only

    try:
        check_only(options.only)
    except ExportError as error:
        raise UsageError(str(error)) from error
    _check_template(options.template, output)
    if options.each_study and (output.suffix.lower() != ".xlsx" or options.template is not None):
        raise UsageError("--each-study requires an .xlsx output file and cannot be combined with --template.")


def _check_template(template: Path | None, output: Path) -> None:
    if template is None:
        return
    from workbench.exporters.export import TEMPLATE_ENDINGS

    ending = output.suffix.lower()
    if ending not in TEMPLATE_ENDINGS:
        raise UsageError("With a template, the output must be an .xlsx, .xlsm or .pptx file.")
    if template.suffix.lower() != ending:
        raise UsageError(f"{template.name} cannot be the template of {output.name}: their endings differ.")
    _check_file("template", template)


def _check_file(what: str, file: Path) -> None:
    try:
        check_option_file(file)
    except FileNotFoundError as error:
        raise UsageError(f"The {what} {file} does not exist. Check the path.") from error
    except OSError as error:
        raise UsageError(f"The {what} {file} cannot be read: {error.strerror}.") from error


def write(options: argparse.Namespace, studies: tuple[Study, ...]) -> str:
    """Write the files; returns sentences on the written files and on exclusions. Raises UsageError if an export is
    impossible; it also names the files before it, which stay."""
    library, language = _library(options, studies), _language(options)
    said: list[str] = []
    for output in options.outputs:
        try:
            said.append(_written(options, library, output, language))
        except ExportError as error:
            kind = StoppedError if isinstance(error, EmptyExportError) else UsageError
            raise kind("\n".join((*said, str(error)))) from error
    return "\n".join(said)


def _library(options: argparse.Namespace, studies: tuple[Study, ...]) -> Library:
    """The studies with their results and the user's edits, computed once for all files."""
    library = Library(studies, {run.folder: run_figures(run) for study in studies for run in study.runs})
    state: State = options.state or State()
    library = edited_library(library, library, state)
    if options.baseline is None:
        for note in guess_notes(
            {study.name: library.groups(replace(state, study=study.folder)) for study in library.with_runs}
        ):
            say(note)
    return library


def _language(options: argparse.Namespace) -> str:
    """The language of the files. Numbers get the decimal mark of the language that was stated."""
    from workbench.session.settings import load_settings

    language: str = options.language or load_settings().language or ENGLISH
    if options.language is not None and any(output.suffix.lower() in DOCUMENTS for output in options.outputs):
        write_decimals_with(DECIMALS[language])
    return language


def _written(options: argparse.Namespace, library: Library, output: Path, language: str) -> str:
    # Imported here, because no other command needs the export formats.
    from workbench.exporters.assemble import job_of
    from workbench.exporters.export import export, export_each_study
    from workbench.exporters.wanted import Wanted

    request = Wanted(
        output,
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
        job = job_of(library, options.state or State(), request, tell)
        painter = _painter(options, output)
        tell(f"Writing {output.name}", 0.5)
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
    from workbench.exporters.safe_file import FAILED, LEFT_OUT, NO_ROOM

    head = [written.sentence, *(f"  {file.name}" for file in written.files if len(written.files) > 1)]
    grave = [line for line in written.left_out if FAILED in line or line in (NO_DRAWING, NO_PICTURES, *written.always)]
    others = [
        f"{line} To include them, use '--length full'." if NO_ROOM in line else line
        for line in written.left_out
        if line not in grave
    ]
    if verbose or len(others) <= _FEW:
        return [*head, *grave, *others]
    empty = sum(LEFT_OUT in line for line in others)
    counted = [(empty, "page or view has nothing to show", "pages or views have nothing to show")]
    counted += [(len(others) - empty, "part is shortened or omitted", "parts are shortened or omitted")]
    message = " and ".join(f"{count} {singular if count == 1 else many}" for count, singular, many in counted if count)
    return [*head, *grave, f"{message}. To list them, use --verbose."]


def _painter(options: argparse.Namespace, output: Path) -> Painter | None:
    """The drawing code of the window if the format needs it. An HTML page works without it if Qt cannot be loaded, and
    a message says so."""
    from workbench.exporters.assemble import NEEDS_QT

    ending = output.suffix.lower()
    if ending not in NEEDS_QT:
        return None
    try:
        painter: Painter = options.painter()
    except NoPainterError:
        if ending not in (".html", ".md"):
            raise
        return None
    return painter
