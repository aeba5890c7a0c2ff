"""Phases without samples because their days, or their clocks, do not match those of the recordings."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from workbench.model.phase import Phase
from workbench.model.problem import Problem, Severity
from workbench.model.recording import Recording
from workbench.model.run import Run

_HALF_HOUR_S, _DAY_S = 1800.0, 86_400.0


def days_problem(run: Run, phases: Sequence[Phase]) -> Problem | None:
    """Returns the problem of a run whose phases are all outside its recordings; None for any other run."""
    placed = [recording for recording in run.recordings if not recording.relative and recording.rows]
    if not placed or not phases or any(_touches(recording, phase) for recording in placed for phase in phases):
        return None
    phase = phases[0]
    nearest = min(placed, key=lambda recording: abs(recording.span_s[0] - phase.start))
    sampled, stated = (datetime.fromtimestamp(moment, UTC) for moment in (nearest.span_s[0], phase.start))
    shown = [_when(moment, sampled.date() == stated.date()) for moment in (sampled, stated)]
    start = f"begins at {sampled:%H:%M} UTC" if sampled.date() == stated.date() else f"is from {shown[0]}"
    message = f"The phases ({phase.evidence}) are from {shown[1]}, but {nearest.file} {start}."
    action = f"values left empty; {_guess(sampled, stated)}"
    return Problem(Severity.WARNING, run.name, "phase-not-measured", message, action)


def _touches(recording: Recording, phase: Phase) -> bool:
    first, last = recording.span_s
    return phase.start <= last and phase.end >= first


def _when(moment: datetime, same_day: bool) -> str:
    day = f"{moment.day} {moment:%B %Y}"
    return f"{day}, {moment:%H:%M} UTC" if same_day else day


def _guess(sampled: datetime, stated: datetime) -> str:
    """Returns a probable reason for the difference, and the correction."""
    if (sampled.day, sampled.month, sampled.year) == (stated.month, stated.day, stated.year):
        return "day and month may be swapped: set date_order in run.toml"
    away = abs((sampled - stated).total_seconds())
    beyond = away % _HALF_HOUR_S
    if _HALF_HOUR_S / 2 < away < _DAY_S and min(beyond, _HALF_HOUR_S - beyond) < _HALF_HOUR_S / 3:
        return "a time zone may be wrong: set time_zone in run.toml"
    return "correct the dates in run.toml or events.csv"
