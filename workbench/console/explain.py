"""`--explain`: where the figures of a command come from."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence

from workbench.answers.common.document import Table
from workbench.answers.common.explain_document import explain_table
from workbench.answers.common.explain_table import explained_words, source_table
from workbench.console.command import UsageError
from workbench.console.tables import printable, table_text
from workbench.measures.phase_table import RunFigures
from workbench.measures.sources import FIGURES, UnknownFigureError, check_figures, explain_run, reports_of
from workbench.model.run import Study
from workbench.model.source import Explanation

# What is listed below a table when no figure is named; JSON and CSV explain them all.
_LISTED = ("iops_per_vm",)


def explain_options(parser: argparse.ArgumentParser) -> None:
    """`--explain` and `--figure`."""
    explain_option(parser)
    parser.add_argument(
        "--figure",
        action="append",
        default=[],
        metavar="NAME",
        help="explain this figure, as the JSON calls it; may be repeated (default: all, in a table iops_per_vm)",
    )


def explain_option(parser: argparse.ArgumentParser) -> None:
    """`--explain` of the commands that explain all of their figures."""
    parser.add_argument("--explain", action="store_true", help="the files, counters and rows of each figure")


def explain_key(options: argparse.Namespace, explanations: Sequence[Explanation]) -> Table:
    """The key `explain` of a command's JSON, where it is asked for."""
    return {"explain": list(map(explain_table, explanations))} if options.explain else {}


def check_explain(options: argparse.Namespace) -> None:
    """Raises UsageError for a figure that does not exist."""
    try:
        check_figures(options.figure)
    except UnknownFigureError as error:
        raise UsageError(str(error)) from None


def explained(
    options: argparse.Namespace,
    figures: Iterable[RunFigures],
    studies: Sequence[Study],
    phases: Sequence[str] = (),
) -> list[Explanation]:
    """The explanations that the options ask for; none without `--explain`."""
    if not options.explain:
        return []
    names = tuple(options.figure) or (_LISTED if options.format == "table" else FIGURES)
    reports = reports_of(studies)
    return [found for one in figures for found in explain_run(one, names, reports, phases)]


def explain_text(explanations: Sequence[Explanation]) -> str:
    """A listing of each figure with its sources."""
    return "\n\n".join(_one(found) for found in explanations)


def _one(found: Explanation) -> str:
    text = "\n  ".join(printable(line) for line in explained_words(found).split("\n"))
    return f"{text}\n{table_text(source_table([found]), ('Run',))}" if found.sources else text
