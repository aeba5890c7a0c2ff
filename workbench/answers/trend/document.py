"""The trends as JSON and CSV rows (schema vdi-workbench/trend/1): keys may be added, never renamed or removed."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

import numpy as np

from workbench.answers.common.document import Table, iso, problem_row
from workbench.answers.trend.compute import Possible, Segment, Step, Trend
from workbench.answers.trend.joined import LeftOut
from workbench.answers.trend.points import Series
from workbench.answers.trend.sentences import candidates
from workbench.answers.trend.slots import build_words
from workbench.measures.judging.method import METHOD
from workbench.measures.statistics import CONFIDENCE, SIGNIFICANT
from workbench.model.history import HistoryPoint
from workbench.model.problem import Problem

TREND_SCHEMA = "vdi-workbench/trend/1"


def trend_json(trends: Sequence[Trend], problems: Sequence[Problem] = (), left_out: Sequence[LeftOut] = ()) -> Table:
    """`vdiwb trend --format json` as a value: null = not available."""
    return {
        "schema": TREND_SCHEMA,
        "method": METHOD,
        "confidence_percent": 100 * CONFIDENCE,
        "significance": SIGNIFICANT,
        "series": [_series(trend) for trend in trends],
        "left_out": [_left_out(run) for run in left_out],
        "problems": [problem_row(problem) for problem in problems],
    }


def trend_rows(trends: Sequence[Trend]) -> list[Table]:
    """The trends flat: one row per step, one per series without any."""
    return [_row(trend, step) for trend in trends for step in (trend.steps or (None,))]


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


def _left_out(run: LeftOut) -> Table:
    return {"study": run.study, "run": run.run, "configuration": run.configuration, "reason": run.reason}


def _drift(trend: Trend) -> Table:
    """From the first run to the last: a share of the first, or a difference where the measure has no ratio."""
    slope = trend.slope
    return {
        "drift_change": None if slope is None else slope.change,
        "drift_low": None if slope is None else slope.low,
        "drift_high": None if slope is None else slope.high,
    }


def _row(trend: Trend, step: Step | None) -> Table:
    verdict = trend.verdict if step is None else step.verdict
    return {
        **_head(trend),
        "build": None if step is None else step.point.build,
        "date": None if step is None else _date(step.point),
        "may_be": None if step is None else list(candidates(step, trend.series)),
        **_change(step),
        **_drift(trend),
        "verdict": None if verdict is None else verdict.value,
        "p": trend.p if step is None else step.p,
        "notes": [*(trend.beside if step is None else step.beside), *trend.notes],
    }


def _step(step: Step, series: Series) -> Table:
    shares: dict[str, float] = {}
    for place in step.places:
        name = build_words(series.points[place.index])
        shares[name] = shares.get(name, 0.0) + place.share
        # A build that was measured in part shares the chance of the run behind it.
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
    """A step that the runs cannot show yet, and how many further sessions with runs of its build would."""
    if step is None:
        return None
    return {
        "build": step.point.build,
        "date": _date(step.point),
        "run": step.point.run,
        "change_percent": None if step.ratio is None else 100 * (step.ratio - 1),
        "more_sessions": step.more,
    }


def _change(step: Step | None) -> Table:
    """A change: percent of the ratio with its ends (null of a step from 0), the difference in the unit of the measure,
    the runs and the sessions before and behind."""
    if step is None:
        keys = (
            "change_percent",
            "low_percent",
            "high_percent",
            "difference",
            "low",
            "high",
            "basis",
            "n_before",
            "n_behind",
            "sessions_before",
            "sessions_behind",
        )
        return dict.fromkeys(keys)
    change = step.change
    low, high = change.percent_ends
    return {
        "change_percent": change.percent if isfinite(change.percent) else None,
        "low_percent": low,
        "high_percent": high,
        "difference": change.difference,
        "low": change.difference_low,
        "high": change.difference_high,
        "basis": change.basis,
        "n_before": step.runs[0],
        "n_behind": step.runs[1],
        "sessions_before": change.n_baseline,
        "sessions_behind": change.n,
    }


def _segment(segment: Segment, series: Series) -> Table:
    mean = segment.mean
    return {
        "first_run": series.points[segment.start].run,
        "last_run": series.points[segment.end - 1].run,
        "mean": mean.value,
        "low": mean.low,
        "high": mean.high,
        "basis": mean.basis,
        "n": segment.end - segment.start,
        "sessions": mean.n,
    }


def _runs(series: Series) -> list[Table]:
    """All runs by date, with the number of the session that each is of: null of a run that counts in none."""
    sessions = np.repeat(range(1, len(series.starts) + 1), np.diff((*series.starts, len(series.points)))).tolist()
    numbers = dict(zip(map(id, series.points), sessions, strict=True))
    return [_run(point) | {"session": numbers.get(id(point))} for point in series.every]


def _run(point: HistoryPoint) -> Table:
    return {
        "run": point.run,
        "study": point.study,
        "build": point.build,
        "date": _date(point),
        "date_evidence": None if point.date is None else point.date.evidence.value,
        "value": point.value,
        "lower_bound": point.lower_bound,
        "measured_s": point.seconds,
        "method": point.method,
        "history_file": point.file or None,
    }


def _date(point: HistoryPoint) -> str | None:
    return None if point.date is None else iso(point.date.seconds)
