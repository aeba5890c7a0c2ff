"""Runs a command: reads its files, prints its reply, and returns the exit status."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.answers.common.spec import NOTHING, OK, SOME_REFUSED, USAGE, Command, StoppedError, UsageError
from workbench.cancellation import beside
from workbench.console.anonymising import names_replaced, noticed, without
from workbench.console.commands import CHANGES, IMPORT
from workbench.console.loading import load_studies, named, with_edits
from workbench.console.streams import closed_early, printable
from workbench.model.problem import Severity
from workbench.model.run import Study
from workbench.study.discovery.wildcards import expanded
from workbench.study.importing.build import with_unlike_names
from workbench.study.importing.engines import LOCAL
from workbench.study.store.column_store import Store, default_store
from workbench.study.store.columns import ColumnsError
from workbench.words.numbers import plural

if TYPE_CHECKING:
    from workbench.exporters.job import Painter

# Options that name output files, and options that name input files other than the paths.
_WRITTEN, _READ = ("reply_file", "key"), ("limits", "template", "logo")


def run(options: argparse.Namespace) -> int:
    """Run the command in the options; returns the exit status."""
    options.paths = [str(path) for path in expanded(map(Path, options.paths))]
    try:
        return _run_with_whole_columns(options)
    except UsageError as error:
        print("\n".join(map(printable, str(error).split("\n"))), file=sys.stderr)
        return SOME_REFUSED if isinstance(error, StoppedError) else USAGE
    except ColumnsError:
        print(
            f"Data written to the column store {_store(options).root} is lost. Check the disk, or "
            "set another folder in VDI_WORKBENCH_STORE.",
            file=sys.stderr,
        )
        return USAGE
    except OSError as error:
        if closed_early(error):
            raise
        label = f"{error.filename}: " if error.filename else ""
        print(printable(f"Stopped: {label}{error.strerror or error}."), file=sys.stderr)
        return USAGE


def _run_with_whole_columns(options: argparse.Namespace) -> int:
    """Run the command. If stored columns are damaged, run it again with a check of all columns."""
    try:
        return _run(options)
    except ColumnsError as error:
        print(printable(error.again), file=sys.stderr)
        return _run(options, thorough=True)


def _run(options: argparse.Namespace, thorough: bool = False) -> int:
    command: Command = options.command
    store = _store(options)
    try:
        store.prepare()
    except OSError as error:
        setting = "--store" if command is IMPORT else "VDI_WORKBENCH_STORE"
        print(
            f"The column store {store.root} cannot be written: {error.strerror}. Name another folder in {setting}.",
            file=sys.stderr,
        )
        return USAGE
    if command is CHANGES:
        return _print_changes(options, store, thorough)
    opened = beside(lambda: named([Path(path) for path in options.paths], store))
    paths = list(opened.paths)
    loaded = load_studies(paths, store, _cluster(options), thorough) if paths else ()
    studies = with_unlike_names((*opened.bundled, *loaded))
    if opened.state is not None:
        from workbench.session.earlier_folders import of_today

        opened = replace(opened, state=of_today(opened.state, studies))
    _spare_inputs(options, studies)
    names = names_replaced(options, studies, opened.state)
    if "painter" in options:
        # An export shows more of the workspace than its runs: notes, findings, saved views.
        options.painter, options.state, options.names = _painter, opened.state, names
    else:
        edited = studies if opened.state is None else with_edits(studies, opened.state)
        studies = without(names, edited)
        if "state" in options:
            options.state = without(names, opened.state)
    if not _recognised(studies) and (options.paths or command.needs_paths):
        if command.answers_nothing:
            _print(_printed(options, studies)[0])
        print(_nothing(paths or [Path(path) for path in options.paths], studies), file=sys.stderr)
        return NOTHING
    text, status = _printed(options, studies)
    _write(options, text)
    refused = _report_refused(without(names, studies))
    return status or refused


def _print_changes(options: argparse.Namespace, store: Store, thorough: bool) -> int:
    """Print what changed. The folders of a workspace file are read only if its saved values are not enough."""
    import numpy as np

    from workbench.console.tables import printed

    paths = [Path(path) for path in options.paths]
    with np.errstate(over="ignore", invalid="ignore"):
        answered = CHANGES.reply(paths, store, thorough)
        if answered.studies and not _recognised(answered.studies):
            print(_nothing(paths, answered.studies), file=sys.stderr)
            return NOTHING
        _print(printed(answered.reply, options.format))
    return _report_refused(answered.studies)


def _printed(options: argparse.Namespace, studies: tuple[Study, ...]) -> tuple[str, int]:
    """The output of the command (its sentences, or its reply in the requested format) and the exit status of
    the reply."""
    if options.command is IMPORT:
        return str(IMPORT.reply(options, studies)), OK
    # Imported here: an import computes nothing.
    import numpy as np

    from workbench.console.tables import printed

    # A faulty cell of 1e300 makes the values computed from it overflow. These values are not available; numpy warnings
    # are off.
    with np.errstate(over="ignore", invalid="ignore"):
        reply = options.command.reply(options, studies)
        if isinstance(reply, str):
            return reply, OK
        shown = noticed(reply) if options.anonymise else reply
        text = printed(shown, options.format)
        if not text and options.format == "csv":
            # Without rows, a CSV would not have a header either. The sentence that a table would show gives the reason.
            print(printed(shown, "table"), file=sys.stderr)
    for problem in reply.complaints:
        from workbench.console.tables import problem_line

        print(problem_line(problem), file=sys.stderr)
    for note in reply.notes:
        print(printable(note), file=sys.stderr)
    return text, reply.status


def stored(options: argparse.Namespace, studies: tuple[Study, ...]) -> str:
    """The number of files in the store, and how to open them in the window. The files were read before."""
    files = sum(report.recognised for study in studies for report in study.files)
    count = "1 file is" if files == 1 else f"{files:,} files are"
    where = f"{count} in the column store '{options.store}'."
    return f"{where} To use this store, set VDI_WORKBENCH_STORE to its folder."


def _painter() -> Painter:
    """The drawing code of the window, for images. Raises ExportError if Qt cannot be loaded."""
    from workbench.exporters.job import NoPainterError

    try:
        from workbench.gui.pictures.painter import load_painter
    except ImportError as error:
        raise NoPainterError(
            f"Images need Qt, which cannot be loaded on this machine ({error}). Nothing was written. "
            "Export .xlsx, .csv or .parquet, or install the libraries listed in the README."
        ) from error
    return load_painter()


def _cluster(options: argparse.Namespace) -> str | None:
    """The address of the Dask cluster for reading; None for this machine."""
    engine: str = vars(options).get("engine", LOCAL)
    return None if engine == LOCAL else engine


def _store(options: argparse.Namespace) -> Store:
    return Store(options.store) if "store" in options else default_store()


def _spare_inputs(options: argparse.Namespace, studies: tuple[Study, ...]) -> None:
    """Raises UsageError if an output file of the command is one of its inputs."""
    given = vars(options)
    targets = [target for name in _WRITTEN if (target := given.get(name)) is not None]
    targets += given.get("outputs", [])
    if not any(target.is_file() for target in targets):
        return
    from workbench.exporters.safe_file import ExportError
    from workbench.exporters.source_hashes import refuse_sources

    inputs = [*map(Path, options.paths), *(path for name in _READ if (path := given.get(name)) is not None)]
    for target in targets:
        if target.is_file() and any(path.is_file() and path.samefile(target) for path in inputs):
            raise UsageError(f"{target} is an input of this command and was not changed. Choose another name.")
        try:
            refuse_sources(target, studies)
        except ExportError as error:
            raise UsageError(str(error)) from error


def _write(options: argparse.Namespace, text: str) -> None:
    """Write the text to the output file of the command, otherwise to the terminal."""
    if vars(options).get("reply_file") is None:
        _print(text)
        return
    from workbench.exporters.safe_file import ExportError, write_safely

    def write(path: Path) -> None:
        path.write_bytes((text if text.endswith("\n") else text + "\n").encode())

    try:
        write_safely(options.reply_file, write, lambda _path: None)
    except ExportError as error:
        raise UsageError(str(error)) from error


def _print(text: str) -> None:
    if text:
        sys.stdout.write(text if text.endswith("\n") else text + "\n")
        sys.stdout.flush()


def _recognised(studies: tuple[Study, ...]) -> bool:
    return any(report.recognised for study in studies for report in study.files)


def _nothing(paths: list[Path], studies: tuple[Study, ...]) -> str:
    """One sentence on the type of the paths if they are not results."""
    problems = [p for study in studies for p in study.problems]
    refused = [p for p in problems if p.severity is Severity.REFUSED]
    if refused and all(p.code == "not-found" for p in refused):
        return " ".join(f"{p.file} does not exist. Check the path." for p in refused)
    names = "', '".join(str(path) for path in paths)
    count = sum(len(study.files) for study in studies)
    if not count:
        held = "no files. Enter a folder that contains results"
    elif refused:
        held = f"no readable file ({refused[0].file}: {refused[0].message})"
    else:
        held = f"no file in a known format ({plural(count, 'file')}). See docs/formats.md"
    return f"Nothing was recognised in '{names}': {held}."


def _report_refused(studies: tuple[Study, ...]) -> int:
    refused = [p for study in studies for p in study.problems if p.severity is Severity.REFUSED]
    if refused:
        # Imported here, because it loads the libraries that draw tables.
        from workbench.answers.common.causes import alike
        from workbench.console.tables import alike_line

        for cause in alike(refused):
            print(alike_line(cause, all_named=True), file=sys.stderr)
    return SOME_REFUSED if refused else OK
