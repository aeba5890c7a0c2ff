"""The commands of `vdiwb`, in the order that `--help` lists them."""

from __future__ import annotations

import argparse
from pathlib import Path

from workbench.analysis.phase_table import RunFigures, run_figures
from workbench.console import benchmarks, cache, compare, export, findings, logons, sizing, summary
from workbench.console.command import Command
from workbench.console.tables import inspect_text
from workbench.exporters.summary import (
    inspect_table,
    to_json,
)
from workbench.model.run import Study

_TABLES = ("table", "json", "csv")


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
    return f"{files} files are in the column store {options.store}."


def _import_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--store", type=Path, required=True, metavar="DIR", help="where the columns go")
    parser.add_argument("--engine", default="local", choices=("local",), help="default: local")


INSPECT = Command(
    "inspect", "what each file is, and every problem", "vdiwb inspect sample_data --format json", _inspect,
    ("table", "json"), answers_nothing=True,
)  # fmt: skip
IMPORT = Command(
    "import", "fills a column store that the window opens", "vdiwb import sample_data --store /tmp/store",
    _import, options=_import_options,
)  # fmt: skip

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
