"""Phases from the sessions of a load generator (Login VSI, Login Enterprise), by the rule of events.

logon = first logon_start to last apps_started (else last logon_end); steady = end of logon to first session_end
(else run_end, else last sample). Sessions whose times count from an unknown start tell nothing here.
"""

from __future__ import annotations

from collections.abc import Mapping

from workbench.model.event import EventKind
from workbench.model.phase import LOGON, STEADY, Phase
from workbench.model.problem import Problem, Severity
from workbench.model.run import Run
from workbench.model.session import Session

EVIDENCE = "sessions"


def from_sessions(run: Run, found: Mapping[str, Phase], problems: list[Problem]) -> list[Phase]:
    """The phases that sessions tell and stronger evidence (`found`) does not.

    The end of a logon found before is where steady state begins. Sessions that are over before that end say
    nothing of the end of steady state: they are left aside, with a problem.
    """
    placed = [session for session in run.sessions if not session.relative]
    phases: list[Phase] = []
    if LOGON not in found:
        phases += _logon(run, placed, problems)
    known = found.get(LOGON) or next(iter(phases), None)
    if STEADY not in found and known is not None and placed:
        phases += _steady(run, placed, known.end, problems)
    return phases


def _logon(run: Run, sessions: list[Session], problems: list[Problem]) -> list[Phase]:
    starts = [session.logon_start for session in sessions if session.logon_start is not None]
    apps = [session.apps_started for session in sessions if session.apps_started is not None]
    ends = apps or [session.logon_end for session in sessions if session.logon_end is not None]
    if not starts or not ends:
        return []
    rule = f"sessions: first logon_start to last {'apps_started' if apps else 'logon_end'}"
    return _phase(run, Phase(LOGON, min(starts), max(ends), EVIDENCE, rule), problems)


def _steady(run: Run, sessions: list[Session], start: float, problems: list[Problem]) -> list[Phase]:
    ends = [session.session_end for session in sessions if session.session_end is not None]
    late = [end for end in ends if end > start]
    if len(late) < len(ends):
        problems.append(_early(run, len(ends) - len(late), len(ends)))
    over = [event.at for event in run.events if event.kind is EventKind.RUN_END]
    samples = [
        recording.last_us / 1e6 - 60 * (recording.utc_offset_minutes or 0)
        for recording in run.recordings
        if not recording.relative
    ]
    for end, what in (
        (min(late, default=None), "first session_end"),
        (min(over, default=None), "run_end"),
        (max(samples, default=None), "the last sample"),
    ):
        if end is not None:
            rule = f"sessions: end of logon to {what}"
            return _phase(run, Phase(STEADY, start, end, EVIDENCE, rule), problems)
    return []


def _phase(run: Run, phase: Phase, problems: list[Problem]) -> list[Phase]:
    if phase.end > phase.start:
        return [phase]
    problems.append(_empty(run, phase))
    return []


def _empty(run: Run, phase: Phase) -> Problem:
    return Problem(
        Severity.WARNING,
        run.name,
        "phase-empty",
        f"Phase '{phase.name}' would not end after it starts ({phase.rule}).",
        f'phase left out; check the session files or state [[phases]] name = "{phase.name}" in run.toml',
    )


def _early(run: Run, early: int, all_of_them: int) -> Problem:
    return Problem(
        Severity.WARNING,
        run.name,
        "sessions-ended-early",
        f"{early} of {all_of_them} sessions were over before the last one had logged on.",
        "left aside for the end of steady state; state [[phases]] in run.toml to set it",
    )
