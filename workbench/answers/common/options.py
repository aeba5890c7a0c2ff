"""Options that several commands have, and their meaning. Cheap to import."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from workbench.answers.common.spec import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from workbench.measures.phase_table import RunFigures
    from workbench.model.run import Study
    from workbench.model.source import Explanation

# The values listed below a table if none is named; JSON and CSV explain them all.
_LISTED = ("iops_per_vm",)


def path_of(text: str) -> Path:
    """A path of the command line. Importing `pathlib` would take a fifth of the time of `vdiwb --help`."""
    from pathlib import Path

    return Path(text)


def whole(text: str) -> int:
    """A whole number of the command line; raises ArgumentTypeError for anything else."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number") from None


def decimal(text: str) -> float:
    """A number of the command line; raises ArgumentTypeError for anything else."""
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number") from None


def result_path(text: str) -> str:
    """A path of results as given. `sample_data` and paths inside it mean the studies that ship with the program, unless
    the current folder contains that name. So each example of `--help` works everywhere."""
    first, _, inside = text.replace("\\", "/").partition("/")
    if first != "sample_data" or os.path.lexists(first):
        return text
    from workbench.model.resources import sample_study

    return str(sample_study() / inside)


def explain_option(parser: argparse.ArgumentParser) -> None:
    """`--explain` of the commands that explain all of their values."""
    parser.add_argument("--explain", action="store_true", help="list the files, counters and rows behind each value")


def explain_options(parser: argparse.ArgumentParser) -> None:
    """`--explain` and `--figure`."""
    explain_option(parser)
    parser.add_argument(
        "--figure",
        action="append",
        default=[],
        metavar="KEY",
        help="metric, such as read_latency_ms; repeatable (default: iops_per_vm; JSON: all)",
    )


def check_explain(options: argparse.Namespace) -> None:
    """Raises UsageError if the requested value does not exist."""
    if not options.figure:
        return
    from workbench.measures.sources import UnknownFigureError, check_figures

    try:
        check_figures(options.figure)
    except UnknownFigureError as error:
        raise UsageError(str(error)) from None


def explained(
    options: argparse.Namespace, figures: Iterable[RunFigures], studies: Sequence[Study], phases: Sequence[str] = ()
) -> list[Explanation]:
    """The explanations that the options request, for these phases (none given: all); empty without `--explain`."""
    if not options.explain:
        return []
    from workbench.measures.sources import FIGURES, explain_run, reports_of

    names = tuple(options.figure) or (_LISTED if options.format == "table" else FIGURES)
    reports = reports_of(studies)
    return [explanation for run in figures for explanation in explain_run(run, names, reports, phases)]


def baseline_option(parser: argparse.ArgumentParser) -> None:
    """Adds the option `--baseline`."""
    parser.add_argument(
        "--baseline",
        metavar="CONFIGURATION",
        help="configuration to use as the baseline (default: baseline of the study)",
    )


def margin_option(parser: argparse.ArgumentParser) -> None:
    """Adds the option `--margin`."""
    parser.add_argument(
        "--margin",
        type=decimal,
        default=5.0,
        metavar="PERCENT",
        help="smallest relevant change in percent (default: 5)",
    )


def margin_of(options: argparse.Namespace) -> float:
    """The requested margin as a share. Raises UsageError if it is impossible."""
    if not 0 <= options.margin < 100:
        raise UsageError(f"A margin of {options.margin:g} % is not possible. Enter a percentage from 0 to below 100.")
    return float(options.margin) / 100


def phase_called(phase: str, names: Sequence[str]) -> str:
    """The phase of that name, ignoring case, spelt as in the files or tables. Raises UsageError with the existing
    phases."""
    from workbench.words import metrics

    text = metrics.phase_called(phase, names)
    if text is None:
        there = f"Valid phases: {', '.join(names)}." if names else "These results have no phases."
        raise UsageError(f"There is no phase '{phase}'. {there}")
    return text
