"""The commands of `vdiwb`, in the order that `--help` lists them."""

from __future__ import annotations

import argparse
from pathlib import Path

from workbench.answers.common.document import inspect_table, to_json
from workbench.console import benchmarks, cache, compare, export, findings, logons, sizing, summary
from workbench.console.command import Command
from workbench.console.tables import inspect_text
from workbench.measures.phase_table import RunFigures, run_figures
from workbench.model.run import Study
from workbench.study.importing.cluster import SCHEME

LOCAL = "local"


def all_figures(studies: tuple[Study, ...]) -> list[RunFigures]:
    """The phase table of every run."""
    return [run_figures(run) for study in studies for run in study.runs]


def _inspect(options: argparse.Namespace, studies: tuple[Study, ...]) -> str:
    figures = all_figures(studies)
    if options.format == "json":
        return to_json(inspect_table(studies, figures))
    return inspect_text(studies, figures)


def _import(options: argparse.Namespace, studies: tuple[Study, ...]) -> str:
    files = sum(report.recognised for study in studies for report in study.files)
    told = "1 file is" if files == 1 else f"{files:,} files are"
    where = f"{told} in the column store {options.store}."
    return f"{where} The window and the console find it through VDI_WORKBENCH_STORE."


def _import_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--store", type=Path, required=True, metavar="DIR", help="where the columns go")
    parser.add_argument(
        "--engine",
        default=LOCAL,
        type=_engine,
        metavar="ENGINE",
        help=f"what reads: {LOCAL}, this machine; {SCHEME}HOST:PORT, the workers of a Dask cluster that see the same "
        f"folders (default: {LOCAL})",
    )


def _engine(text: str) -> str:
    host, _, port = text.removeprefix(SCHEME).rpartition(":")
    if text == LOCAL or (text.startswith(SCHEME) and host and port.isdigit()):
        return text
    raise argparse.ArgumentTypeError(f"'{text}' is no engine; choose {LOCAL} or {SCHEME}HOST:PORT")


INSPECT = Command(
    "inspect",
    "what each file is, and every problem",
    "vdiwb inspect sample_data --format json",
    _inspect,
    ("table", "json"),
    answers_nothing=True,
)
IMPORT = Command(
    "import",
    "fills a column store that the window opens",
    "vdiwb import sample_data --store /tmp/store",
    _import,
    options=_import_options,
)

# A new command is a module of its own beside this one, with its COMMAND in this list.
COMMANDS: tuple[Command, ...] = (
    INSPECT,
    summary.COMMAND,
    findings.COMMAND,
    compare.COMMAND,
    cache.COMMAND,
    logons.COMMAND,
    benchmarks.COMMAND,
    sizing.COMMAND,
    sizing.WHAT_IF,
    export.COMMAND,
    IMPORT,
)
