"""`vdiwb trend`: steps and drifts over the runs of weeks.

Also the trends as JSON and CSV rows (schema vdi-workbench/trend/1): keys may be added, never renamed or removed.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np

from workbench.answers.common.document import Table, attributes, iso, problem_row
from workbench.answers.common.reply import Block, Reply
from workbench.answers.common.spec import OK, SOME_REFUSED, UsageError
from workbench.answers.trend.compute import Possible, Trend, TrendSegment, TrendStep, by_outcome
from workbench.answers.trend.joined import LeftOut, history_of, trends_of
from workbench.answers.trend.keep import Kept, keep_study
from workbench.answers.trend.points import TrendSeries, build_words
from workbench.answers.trend.sentences import candidates, noted_texts, summary_text, trend_sentence
from workbench.answers.trend.tables import TrendRow, rows_of, trend_table
from workbench.charts.tables import without_columns
from workbench.measures.catalogue import MEASURES
from workbench.measures.configurations import Group, group_runs
from workbench.measures.phase_table import run_figures
from workbench.measures.significance.method import METHOD
from workbench.measures.sources import UnknownFigureError, check_figures
from workbench.measures.statistics import CONFIDENCE, SIGNIFICANT
from workbench.model.history import HistoryPoint
from workbench.model.problem import Problem, Severity
from workbench.model.run import Study
from workbench.study.discovery.manifest import KEY_LEFT_OUT
from workbench.study.history.read import read_history
from workbench.study.history.write import HistoryError
from workbench.windows_paths import openable

Grouped = Sequence[tuple[Study, Sequence[Group]]]
# Runs with only logons have no such metric either.
_NOTHING = "No run has a metric that can be followed over time. To see the format of each file, use 'vdiwb inspect'."


def check(options: argparse.Namespace) -> None:
    """Raises UsageError for an unknown metric, a missing history folder, or options that exclude each other."""
    if options.keep and not options.history:
        raise UsageError("--keep requires --history DIR, the folder for the saved values.")
    check_history(options, makes=options.keep)
    try:
        check_figures(options.measure)
    except UnknownFigureError as error:
        raise UsageError(str(error)) from None
    unknown = [name for name in options.measure if name not in MEASURES]
    if unknown:
        raise UsageError(f"'{unknown[0]}' is not a metric of the phase table.")


def check_history(options: argparse.Namespace, makes: bool = False) -> None:
    """Raises UsageError for a history folder that does not exist and that the command does not create."""
    if not options.history:
        return
    if options.anonymise:
        raise UsageError("The names in a history folder cannot be replaced. Omit --history or --anonymise.")
    if openable(options.history).is_file():
        raise UsageError(f"{options.history} is a file. Name the history folder.")
    if not makes and not openable(options.history).is_dir():
        message = f"The history folder {options.history} does not exist."
        raise UsageError(f"{message} To create it, use 'vdiwb trend PATH --history DIR --keep'.")


def reply(options: argparse.Namespace, studies: tuple[Study, ...]) -> Reply:
    """The trend over the runs of all studies and of the history folder. On request the studies are first stored in the
    folder. Raises UsageError for an unknown configuration, and for a folder that cannot be written."""
    grouped = [(study, group_runs(run_figures(run) for run in study.runs)) for study in studies if study.runs]
    kept = _kept(options, grouped)
    state, measures = options.state, options.measure
    history = read_history(options.history, measures) if options.history else history_of(state, measures)
    found = trends_of([(study.name, groups) for study, groups in grouped], history, measures)
    shown = _of_configurations(found.trends, options.configuration)
    past = history.problems if history else ()
    read = [problem for study in studies for problem in study.problems]
    problems = [*past, *read]
    # Omitting a build or date would shift the run.
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
    return {"study": kept.study, "file": str(kept.file), **attributes(kept, "runs", "excluded", "running")}


def _of_configurations(found: tuple[Trend, ...], names: Sequence[str]) -> tuple[Trend, ...]:
    """The trends of the configurations with these names; all if none is named."""
    if not names:
        return found
    wanted = {name.casefold() for name in names}
    known = dict.fromkeys(trend.series.configuration for trend in found)
    if missing := wanted - {name.casefold() for name in known}:
        names = ", ".join(f"'{name}'" for name in known) or "none"
        raise UsageError(f"No configuration is called '{min(missing)}'. Valid names: {names}.")
    return tuple(trend for trend in found if trend.series.configuration.casefold() in wanted)


def _text(shown: Sequence[Trend], left_out: Sequence[LeftOut]) -> list[list[Block]]:
    if not shown:
        return [[_NOTHING], [run.sentence for run in left_out]]
    changed: list[Block] = [trend_sentence(trend) for trend in shown if trend.changed or trend.possible]
    table = without_columns(trend_table(by_outcome(shown), {}, name=f"{summary_text(shown)}"), ("Notes",))
    notes = dict.fromkeys(noted for trend in shown for noted in noted_texts(trend))
    return [[table], changed, [*notes, *(run.sentence for run in left_out)]]


TREND_SCHEMA = "vdi-workbench/trend/1"


def trend_json(trends: Sequence[Trend], problems: Sequence[Problem] = (), left_out: Sequence[LeftOut] = ()) -> Table:
    """`vdiwb trend --format json` as a value: null = not available."""
    return {
        "schema": TREND_SCHEMA,
        "method": METHOD,
        "confidence_percent": 100 * CONFIDENCE,
        "significance": SIGNIFICANT,
        "series": [_series(trend) for trend in trends],
        "left_out": [attributes(run, "study", "run", "configuration", "reason") for run in left_out],
        "problems": [problem_row(problem) for problem in problems],
    }


def trend_rows(trends: Sequence[Trend]) -> list[Table]:
    """The trends as rows: one row per step, one per series without a step."""
    return [_row(row) for row in rows_of(trends)]


def _head(trend: Trend) -> Table:
    series = trend.series
    return {
        "configuration": series.configuration,
        "measure": series.measure.key,
        "phase": series.phase,
        "unit": series.measure.unit,
        "outcome": trend.outcome.value,
        "n": len(series.points),
        "sessions": len(series.starts),
        "n_history": len(series.kept),
        "needed": trend.needed or None,
        "p_any_change": trend.p,
        "bic_ahead": trend.ahead,
    }


def _series(trend: Trend) -> Table:
    return {
        **_head(trend),
        "steps": [_step(step, trend.series) for step in trend.steps],
        **_drift(trend),
        "drift_verdict": None if trend.verdict is None else trend.verdict.value,
        "possible": _possible(trend.possible),
        "segments": [_segment(segment, trend.series) for segment in trend.segments],
        "notes": [*(() if trend.steps else trend.beside), *trend.notes],
        "runs": _runs(trend.series),
    }


def _drift(trend: Trend) -> Table:
    """The change from the first run to the last: a share of the first, or a difference if the metric has no ratio."""
    return attributes(trend.slope, drift_change="change", drift_low="low", drift_high="high")


def _row(row: TrendRow) -> Table:
    trend, step = row
    verdict = row.judged.verdict
    return {
        **_head(trend),
        "build": None if step is None else step.point.build,
        "date": None if step is None else _date(step.point),
        "may_be": None if step is None else list(candidates(step, trend.series)),
        **_change(step),
        **_drift(trend),
        "verdict": None if verdict is None else verdict.value,
        "p": row.judged.p,
        "notes": [*row.judged.beside, *trend.notes],
    }


def _step(step: TrendStep, series: TrendSeries) -> Table:
    shares: dict[str, float] = {}
    for place in step.places:
        name = build_words(series.points[place.index])
        shares[name] = shares.get(name, 0.0) + place.share
        # A partly measured build shares the probability of the run after it.
        for point in series.partial_before(place.index):
            shares.setdefault(build_words(point), place.share)
    return {
        "build": step.point.build,
        "date": _date(step.point),
        "run": step.point.run,
        "build_before": step.before.build,
        "run_before": step.before.run,
        "same_build": step.same_build,
        "may_be": [{"build": name, "chance": shares[name]} for name in candidates(step, series)],
        **_change(step),
        "verdict": step.verdict.value,
        "p": step.p,
        "other_explanations": list(step.beside),
    }


def _possible(step: Possible | None) -> Table | None:
    """A step that the runs cannot show yet, and how many further sessions with runs of its build would show it; null
    without such a step."""
    if step is None:
        return None
    return {
        "build": step.point.build,
        "date": _date(step.point),
        "run": step.point.run,
        "change_percent": None if step.ratio is None else 100 * (step.ratio - 1),
        "more_sessions": step.more,
    }


def _change(step: TrendStep | None) -> Table:
    """A change: percent of the ratio with its ends (null for a step from 0), the difference in the unit of the metric,
    the runs and the sessions before and after."""
    change = None if step is None else step.change
    low, high = (None, None) if change is None else change.percent_ends
    before, behind = (None, None) if step is None else step.runs
    return {
        **attributes(change, change_percent="percent"),
        "low_percent": low,
        "high_percent": high,
        **attributes(change, "difference", low="difference_low", high="difference_high", basis="basis"),
        "n_before": before,
        "n_behind": behind,
        **attributes(change, sessions_before="n_baseline", sessions_behind="n"),
    }


def _segment(segment: TrendSegment, series: TrendSeries) -> Table:
    mean = segment.mean
    return {
        "first_run": series.points[segment.start].run,
        "last_run": series.points[segment.end - 1].run,
        **attributes(mean, mean="value", low="low", high="high", basis="basis"),
        "n": segment.end - segment.start,
        "sessions": mean.n,
    }


def _runs(series: TrendSeries) -> list[Table]:
    """All runs by date, each with the number of its session; null for a run that does not count."""
    sessions = np.repeat(range(1, len(series.starts) + 1), np.diff((*series.starts, len(series.points)))).tolist()
    numbers = dict(zip(map(id, series.points), sessions, strict=True))
    return [_run(point) | {"session": numbers.get(id(point))} for point in series.every]


def _run(point: HistoryPoint) -> Table:
    return {
        **attributes(point, "run", "study", "build"),
        "date": _date(point),
        "date_evidence": None if point.date is None else point.date.evidence.value,
        **attributes(point, "value", "lower_bound", measured_s="seconds", method="method"),
        "history_file": point.file or None,
    }


def _date(point: HistoryPoint) -> str | None:
    return None if point.date is None else iso(point.date.seconds)
