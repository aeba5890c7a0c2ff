"""`vdiwb trend`: steps and drifts over the runs of weeks."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from workbench.answers.common.command import UsageError
from workbench.answers.common.document import Table
from workbench.answers.common.exit_status import OK, SOME_REFUSED
from workbench.answers.common.reply import NO_RUNS, Block, Reply
from workbench.answers.trend.chosen import history_of
from workbench.answers.trend.compute import Trend, by_outcome
from workbench.answers.trend.document import trend_json, trend_rows
from workbench.answers.trend.joined import LeftOut, trends_of
from workbench.answers.trend.keep import keep_study
from workbench.answers.trend.kept import Kept
from workbench.answers.trend.sentences import noted_texts, summary_text, trend_sentence
from workbench.answers.trend.tables import trend_table
from workbench.charts.tables import without_columns
from workbench.long_paths import openable
from workbench.measures.catalogue import MEASURES
from workbench.measures.configurations import Group, group_runs
from workbench.measures.phase_table import run_figures
from workbench.measures.sources import UnknownFigureError, check_figures
from workbench.model.problem import Severity
from workbench.model.run import Study
from workbench.study.discovery.manifest import KEY_LEFT_OUT
from workbench.study.history.read import read_history
from workbench.study.history.write import HistoryError

Grouped = Sequence[tuple[Study, Sequence[Group]]]


def check(options: argparse.Namespace) -> None:
    """Raises UsageError for a measure or a history folder that there is not, and for options that do not go
    together."""
    if options.keep and not options.history:
        raise UsageError("--keep needs --history DIR: the folder that the figures are kept in.")
    check_history(options, makes=options.keep)
    try:
        check_figures(options.measure)
    except UnknownFigureError as error:
        raise UsageError(str(error)) from None
    unknown = [name for name in options.measure if name not in MEASURES]
    if unknown:
        raise UsageError(f"'{unknown[0]}' is not a metric of the phase table.")


def check_history(options: argparse.Namespace, makes: bool = False) -> None:
    """Raises UsageError for a history folder that there is not and that the command does not make."""
    if not options.history:
        return
    if options.anonymise:
        raise UsageError("The names in a history folder cannot be replaced. Leave out --history or --anonymise.")
    if openable(options.history).is_file():
        raise UsageError(f"{options.history} is a file. Name the folder that holds the history.")
    if not makes and not openable(options.history).is_dir():
        message = f"The history folder {options.history} is not there."
        raise UsageError(f"{message} `vdiwb trend … --history DIR --keep` makes it and keeps the figures.")


def reply(options: argparse.Namespace, studies: tuple[Study, ...]) -> Reply:
    """The trend over the runs of all studies and of the history folder, in which the studies are kept first where that
    is asked for. Raises UsageError for a configuration that there is not, and for a folder that cannot be written."""
    grouped = [(study, group_runs(run_figures(run) for run in study.runs)) for study in studies if study.runs]
    kept = _kept(options, grouped)
    state, measures = options.state, options.measure
    history = read_history(options.history, measures) if options.history else history_of(state, measures)
    found = trends_of([(study.name, groups) for study, groups in grouped], history, measures)
    shown = _of_configurations(found.trends, options.configuration)
    past = history.problems if history else ()
    read = [problem for study in studies for problem in study.problems]
    problems = [*past, *read]
    # A build or date that is left out moves the run.
    left_out = (problem for problem in read if problem.code == KEY_LEFT_OUT)
    return Reply(
        lambda: [*_text(shown, found.left_out), *([study.sentence for study in kept],) * bool(kept)],
        lambda: trend_json(shown, problems, found.left_out) | {"kept": [_kept_row(study) for study in kept]},
        lambda: trend_rows(shown),
        status=SOME_REFUSED if any(problem.severity is Severity.REFUSED for problem in past) else OK,
        complaints=(*past, *left_out),
    )


def _kept(options: argparse.Namespace, grouped: Grouped) -> list[Kept]:
    if not options.keep:
        return []
    try:
        return [keep_study(options.history, study, groups) for study, groups in grouped]
    except HistoryError as error:
        raise UsageError(str(error)) from error


def _kept_row(kept: Kept) -> Table:
    return {
        "study": kept.study,
        "file": str(kept.file),
        "runs": kept.runs,
        "excluded": kept.excluded,
        "running": kept.running,
    }


def _of_configurations(found: tuple[Trend, ...], names: Sequence[str]) -> tuple[Trend, ...]:
    """The trends of the configurations with these names, of all where none is named."""
    if not names:
        return found
    wanted = {name.casefold() for name in names}
    known = dict.fromkeys(trend.series.configuration for trend in found)
    if missing := wanted - {name.casefold() for name in known}:
        names = ", ".join(f"'{name}'" for name in known) or "none"
        raise UsageError(f"No configuration is named '{min(missing)}'. There are: {names}.")
    return tuple(trend for trend in found if trend.series.configuration.casefold() in wanted)


def _text(shown: Sequence[Trend], left_out: Sequence[LeftOut]) -> list[list[Block]]:
    if not shown:
        return [[NO_RUNS], [run.sentence for run in left_out]]
    changed: list[Block] = [trend_sentence(trend) for trend in shown if trend.changed or trend.possible]
    table = without_columns(trend_table(by_outcome(shown), {}, name=f"{summary_text(shown)}"), ("Notes",))
    notes = dict.fromkeys(noted for trend in shown for noted in noted_texts(trend))
    return [[table], changed, [*notes, *(run.sentence for run in left_out)]]
