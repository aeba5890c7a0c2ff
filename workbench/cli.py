"""vdiwb: the same core on the console. No Qt.

Exit status: 0 all well; 1 done, but some files were refused; 2 usage; 3 nothing recognised.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from polars.exceptions import PolarsError

from workbench import __version__
from workbench.analysis.phase_table import RunFigures, run_figures
from workbench.console.loading import load_studies
from workbench.console.tables import benchmarks_text, inspect_text, printable, summary_text
from workbench.exporters.safe_file import ExportError
from workbench.exporters.summary import (
    benchmark_rows,
    inspect_table,
    summary_rows,
    summary_table,
    to_csv,
    to_json,
)
from workbench.model.problem import Severity
from workbench.model.run import Study
from workbench.study.column_store import Store, default_store

OK, SOME_REFUSED, USAGE, NOTHING = 0, 1, 2, 3
# What shells report for a program that Ctrl+C ended.
STOPPED = 130

Command = Callable[[argparse.Namespace, tuple[Study, ...]], str]


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; returns the exit status."""
    _speak_utf8()
    options = _parser().parse_args(arguments)
    try:
        return _run(options)
    except ExportError as error:
        print(error, file=sys.stderr)
        return USAGE
    except KeyboardInterrupt:
        print("Stopped. What was read stays in the column store.", file=sys.stderr)
        return STOPPED
    except PolarsError:
        print(f"The column store {_store(options).root} is damaged. Delete that folder, which can be rebuilt, "
              "and run the command again.", file=sys.stderr)  # fmt: skip
        return USAGE
    except BrokenPipeError:
        # The reader of our output has seen enough, as `head` does; nothing more may be written.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        print(printable(f"Stopped: {place}{error.strerror or error}."), file=sys.stderr)
        return USAGE


def _run(options: argparse.Namespace) -> int:
    if "output" in options:
        check_ending(options.output)
    store = _store(options)
    try:
        store.prepare()
    except OSError as error:
        print(f"The column store {store.root} cannot be written: {error.strerror}. "
              "Name another folder in VDI_WORKBENCH_STORE.", file=sys.stderr)  # fmt: skip
        return USAGE
    studies = load_studies(options.paths, store)
    if not _recognised(studies):
        if options.command is _inspect:
            _print(options.command(options, studies))
        print(_nothing(options.paths, studies), file=sys.stderr)
        return NOTHING
    _print(options.command(options, studies))
    return _report_refused(studies)


def _store(options: argparse.Namespace) -> Store:
    return Store(options.store) if "store" in options else default_store()


def _speak_utf8() -> None:
    """UTF-8 into pipes and files on every system; names that are no text are shown escaped, never fatal."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            encoding = stream.encoding if stream.isatty() else "utf-8"
            stream.reconfigure(encoding=encoding, errors="backslashreplace")


def _print(text: str) -> None:
    if text:
        sys.stdout.write(text if text.endswith("\n") else text + "\n")
        sys.stdout.flush()


def _inspect(options: argparse.Namespace, studies: tuple[Study, ...]) -> str:
    figures = _all_figures(studies)
    if options.format == "json":
        return to_json(inspect_table(studies, figures))
    return inspect_text(studies, figures)


def _summary(options: argparse.Namespace, studies: tuple[Study, ...]) -> str:
    figures = _all_figures(studies)
    problems = [p for study in studies for p in study.problems] + [p for one in figures for p in one.problems]
    if options.format == "json":
        return to_json(summary_table(figures, problems))
    if options.format == "csv":
        return to_csv(summary_rows(figures))
    return summary_text(figures, problems)


def _benchmarks(options: argparse.Namespace, studies: tuple[Study, ...]) -> str:
    rows = benchmark_rows([row for study in studies for row in study.benchmarks])
    if options.format == "json":
        return to_json(rows)
    return to_csv(rows) if options.format == "csv" else benchmarks_text(rows)


def check_ending(output: Path) -> None:
    """Raises ExportError before anything is read when the file's ending is none that can be written."""
    from workbench.exporters.export import ENDINGS

    if output.suffix.lower() not in ENDINGS:
        ending = (
            f"'{output.suffix}' is no ending" if output.suffix else "A file name without an ending is none"
        )
        raise ExportError(f"{ending} that can be written; choose {' or '.join(ENDINGS)}.")


def _export(options: argparse.Namespace, studies: tuple[Study, ...]) -> str:
    # Imported here: no other command needs openpyxl.
    from workbench.exporters.export import export

    return export(options.output, studies, _all_figures(studies))


def _import(options: argparse.Namespace, studies: tuple[Study, ...]) -> str:
    files = sum(report.recognised for study in studies for report in study.files)
    return f"{files} files are in the column store {options.store}."


def _all_figures(studies: tuple[Study, ...]) -> list[RunFigures]:
    return [run_figures(run) for study in studies for run in study.runs]


def _recognised(studies: tuple[Study, ...]) -> bool:
    return any(report.recognised for study in studies for report in study.files)


def _nothing(paths: list[Path], studies: tuple[Study, ...]) -> str:
    """One sentence on what the paths are instead of results."""
    problems = [p for study in studies for p in study.problems]
    refused = [p for p in problems if p.severity is Severity.REFUSED]
    if refused and all(p.code == "not-found" for p in refused):
        return " ".join(p.message for p in refused)
    names = ", ".join(str(path) for path in paths)
    count = sum(len(study.files) for study in studies)
    if not count:
        held = "holds no files"
    elif refused:
        held = f"holds nothing that could be read ({refused[0].file}: {refused[0].message})"
    else:
        held = f"holds {count} file{'s' * (count > 1)}, none of a known format"
    return f"Nothing was recognised: {names} {held}."


def _report_refused(studies: tuple[Study, ...]) -> int:
    refused = [p for study in studies for p in study.problems if p.severity is Severity.REFUSED]
    for problem in refused:
        place = f"{problem.file}:{problem.line}" if problem.line else problem.file
        print(printable(f"refused: {place}: {problem.message} ({problem.action})"), file=sys.stderr)
    return SOME_REFUSED if refused else OK


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="vdiwb", description="Virtual-desktop test results: boot, logon and steady state on the console.",
        epilog="Exit status: 0 all well; 1 some files were refused; 2 usage; 3 nothing recognised.",
    )  # fmt: skip
    parser.add_argument("--version", action="version", version=f"vdiwb {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, run, text, formats in (
        ("inspect", _inspect, "what each file is, and every problem", ("table", "json")),
        ("summary", _summary, "the phase table", ("table", "json", "csv")),
        ("benchmarks", _benchmarks, "storage benchmark results in one table", ("table", "json", "csv")),
    ):
        command = _command(commands, name, run, text, f"vdiwb {name} sample_data --format {formats[1]}")
        command.add_argument("--format", choices=formats, default="table", help="default: table")
    export = _command(commands, "export", _export, "the phase table and charts as a file, by its ending",
                      "vdiwb export sample_data -o findings.xlsx")  # fmt: skip
    export.add_argument(
        "-o", "--output", type=Path, required=True, metavar="FILE", help="ends in .xlsx or .csv"
    )
    fill = _command(commands, "import", _import, "fills a column store that the window opens",
                    "vdiwb import sample_data --store /tmp/store")  # fmt: skip
    fill.add_argument("--store", type=Path, required=True, metavar="DIR", help="where the columns go")
    fill.add_argument("--engine", default="local", choices=("local",), help="default: local")
    return parser


def _command(
    commands: argparse._SubParsersAction[argparse.ArgumentParser],
    name: str,
    run: Command,
    text: str,
    example: str,
) -> argparse.ArgumentParser:
    command = commands.add_parser(
        name, help=text, description=text[0].upper() + text[1:] + ".", epilog=f"example: {example}"
    )
    command.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="result folders or files")
    command.set_defaults(command=run)
    return command


if __name__ == "__main__":
    sys.exit(main())
