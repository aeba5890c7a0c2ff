"""Logon times, stuck sessions, VSImax, EUX and application starts as JSON and plain rows (schema logons/1)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from workbench.answers.common.baselines import evidence_of_baseline
from workbench.answers.common.document import Table, attributes, iso, problem_row
from workbench.answers.logons.app_starts import AppStarts, GroupAppStarts
from workbench.answers.logons.compute import (
    GroupLogons,
    LogonCounts,
    LogonFigures,
    LogonSlope,
    Spread,
    change_of,
    group_logons,
    most_active,
    spread_row,
)
from workbench.answers.logons.steps import group_steps
from workbench.answers.logons.tables import SESSION, STEP, session_list
from workbench.answers.logons.vsimax import RunVsimax, VsimaxFigures
from workbench.answers.logons.vsimax_figure import GroupVsimax
from workbench.answers.logons.vsimax_models import VsimaxModel
from workbench.charts.tables import as_row
from workbench.measures.configurations import Group, group_runs
from workbench.measures.phase_table import RunFigures
from workbench.measures.statistics import Change
from workbench.model.problem import Problem
from workbench.model.run import Study

SCHEMA = "vdi-workbench/logons/1"
# The keys, and the attributes that they are.
_CHANGE = {"percent": "percent", "difference_s": "difference", "ratio_low": "low", "ratio_high": "high"}
_CHANGE |= {key: key for key in ("basis", "n", "n_baseline")}
_COUNTS = (
    "launched",
    "logged_on",
    "never_logged_on",
    "failed",
    "without_end",
    "stuck",
    "stuck_percent",
    "not_recorded",
)
_NUMBER = ("value", "origin", "source")
_ANALYZER = ("test", "vsimax", "uncorrected", "vsimax_dynamic", "baseline_ms", "launched", "active")
_EUX = {"test": "test", "eux_score": "score", "eux_steady_score": "steady_score", "eux_baseline": "baseline"}
_EUX |= {key: key for key in ("vsimax", "logins", "logins_ok")}


@dataclass(frozen=True, eq=False)
class StudyLogons:
    """One study's answer: configurations in order; `baseline` is the configuration they are compared with."""

    study: str
    baseline: Group | None
    logons: tuple[GroupLogons, ...]
    limits: tuple[GroupVsimax, ...]
    apps: tuple[tuple[GroupAppStarts, ...], ...]


def logons_table(studies: Sequence[StudyLogons], model: VsimaxModel, problems: Sequence[Problem]) -> Table:
    """`vdiwb logons --format json` as a value: times in seconds (VSImax in ms), null = not available."""
    return {
        "schema": SCHEMA,
        "model": {
            **attributes(model, "name", "about", "pool"),
            "numbers": {key: attributes(number, *_NUMBER) for key, number in model.numbers},
            "weights": {name: attributes(number, *_NUMBER) for name, number in model.weights},
            **attributes(model, "assumed"),
        },
        "studies": [
            {
                "study": study.study,
                "baseline": study.baseline and study.baseline.label,
                "baseline_evidence": study.baseline and evidence_of_baseline([study.baseline]),
                "configurations": [
                    _configuration(study, *parts) for parts in zip(study.logons, study.limits, study.apps, strict=True)
                ],
            }
            for study in studies
        ],
        "problems": [problem_row(problem) for problem in problems],
    }


def logon_rows(studies: Sequence[Study]) -> list[Table]:
    """The sessions of every run as `session_rows` lists them."""
    groups = ((study, group_runs([RunFigures(run, (), ()) for run in study.runs])) for study in studies)
    answers = (StudyLogons(study.name, None, tuple(map(group_logons, runs)), (), ()) for study, runs in groups)
    return session_rows(list(answers))


def session_rows(studies: Sequence[StudyLogons]) -> list[Table]:
    """`vdiwb logons --format csv`: one row per session."""
    return [{"study": study.study} | as_row(SESSION, row) for study in studies for row in session_list(study.logons)]


def _configuration(
    study: StudyLogons, logons: GroupLogons, limits: GroupVsimax, apps: Sequence[GroupAppStarts]
) -> Table:
    base = next((logon for logon in study.logons if logon.group is study.baseline), None)
    against = None if base is None or base is logons else change_of(base, logons)
    by_run = {run.run.folder: run for run in limits.runs}
    excluded = [
        {"run": run.run.name, "reason": run.run.excluded or "excluded by the user"} for run in logons.group.excluded
    ]
    return {
        "configuration": logons.group.label,
        "logon_s": _spread(logons.spread),
        "against_baseline": _change(against),
        "trend_s_per_100_logons": logons.slope_per_100,
        "counts": _counts(logons.counts),
        "runs": [_run(run, by_run.get(run.run.folder)) for run in logons.runs]
        + [_limit_only(run) for run in limits.runs if run.run.folder not in {run.run.folder for run in logons.runs}],
        "applications": [_app(app) for app in apps],
        "steps": [as_row(STEP, step) for step in group_steps(logons.group)],
        "excluded": excluded,
    }


def _run(run: LogonFigures, limits: RunVsimax | None) -> Table:
    first = run.first_start
    relative = any(logon.relative for logon in run.logons)
    return {
        "run": run.run.name,
        "source": run.source,
        "rule": run.rule,
        "first_logon": None if first is None or relative else iso(first),
        "logon_s": _spread(run.spread),
        "trend_s_per_100_logons": _trend(run.per_100_logons),
        "trend_s_per_minute": _trend(run.per_minute),
        "counts": _counts(run.counts),
        "most_active": most_active(run.logons),
        "notes": list(run.notes),
        **_limits(limits),
    }


def _limit_only(run: RunVsimax) -> Table:
    return {"run": run.run.name, "source": None, "logon_s": None, **_limits(run)}


def _limits(run: RunVsimax | None) -> Table:
    if run is None:
        return {"vsimax": None, "analyzer": [], "login_enterprise": []}
    return {
        "vsimax": None if run.figures is None else _vsimax(run.figures),
        "analyzer": [attributes(summary, *_ANALYZER, reached="vsimax_reached") for summary in run.summaries],
        "login_enterprise": [attributes(eux_summary, **_EUX) for eux_summary in run.eux_summaries],
        "eux_over_time": {
            "n": int(run.eux_score.size),
            "lowest": float(run.eux_score.min()) if run.eux_score.size else None,
            "mean": float(run.eux_score.mean()) if run.eux_score.size else None,
        },
    }


def _vsimax(figures: VsimaxFigures) -> Table:
    known = figures.index_ms[np.isfinite(figures.index_ms)]
    return {
        "model": figures.model.name,
        **attributes(figures, "vsimax", "reached", "baseline_ms", "threshold_ms"),
        "highest_index_ms": float(known.max()) if known.size else None,
        **attributes(
            figures, responses="responses", incomplete_loops="incomplete", most_active="most_active", why="why"
        ),
        "corrected_for_stuck_sessions": False,
    }


def _app(app: GroupAppStarts) -> Table:
    return {
        "application": app.app,
        "start_s": _spread(app.spread),
        "trend_s_per_100_sessions": app.slope_per_100,
        "unit_assumed": any(run.unit_assumed for run in app.runs),
        "runs": [_app_run(run) for run in app.runs],
    }


def _app_run(run: AppStarts) -> Table:
    return {
        "run": run.run.name,
        "start_s": _spread(run.spread),
        "trend_s_per_100_sessions": _trend(run.per_100_sessions),
    }


def _spread(spread: Spread | None) -> Table | None:
    return None if spread is None else spread_row(spread)


def _trend(trend: LogonSlope | None) -> Table | None:
    if trend is None:
        return None
    return attributes(trend, "slope", "low", "high") | {"confidence": 0.95, "direction": trend.direction}


def _counts(counts: LogonCounts | None) -> Table | None:
    return None if counts is None else attributes(counts, *_COUNTS)


def _change(against: Change | None) -> Table | None:
    if against is None or not math.isfinite(against.ratio):
        return None
    return attributes(against, **_CHANGE)
