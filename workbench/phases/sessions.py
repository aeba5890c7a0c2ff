"""Phases from the sessions of a load generator (Login VSI, Login Enterprise), by the rule of events.

logon = first logon_start to last apps_started (else last logon_end); steady = end of logon to first session_end
(else run_end, else last sample). Sessions whose times count from an unknown start tell nothing here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from workbench.model.event import EventKind
from workbench.model.phase import LOGON, STEADY, Phase
from workbench.model.problem import Problem, Severity
from workbench.model.run import Run
from workbench.model.session import Session
from workbench.phases.deviations import logon_edges, steady_end
from workbench.phases.stays import recorded_logons
from workbench.phases.telling import deviation_problems, doubt_of

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
    apps = _with_apps(sessions)
    edges = logon_edges(recorded_logons(sessions, apps), (), ())
    if edges.start is None or edges.end is None:
        return []
    rule = f"sessions: first logon_start to last {'apps_started' if apps else 'logon_end'}"
    problems += deviation_problems(run, LOGON, edges)
    return _phase(run, Phase(LOGON, edges.start, edges.end, EVIDENCE, rule, doubt_of(LOGON, edges)), problems)


def _steady(run: Run, sessions: list[Session], start: float, problems: list[Problem]) -> list[Phase]:
    over = min((event.at for event in run.events if event.kind is EventKind.RUN_END), default=None)
    last = max(run.sample_ends, default=None)
    edges = steady_end(recorded_logons(sessions, _with_apps(sessions)), start, over if over is not None else last)
    # Sessions that are over before the last one had logged on say nothing of the end, however many they are.
    ends = [session.session_end for session in sessions if session.session_end is not None]
    late = [end for end in ends if end > start]
    first = edges.end if edges.end is not None and edges.end > start else min(late, default=None)
    problems += deviation_problems(run, STEADY, edges)
    for end, what in ((first, "first session_end"), (over, "run_end"), (last, "the last sample")):
        if end is not None:
            rule = f"sessions: end of logon to {what}"
            return _phase(run, Phase(STEADY, start, end, EVIDENCE, rule, doubt_of(STEADY, edges)), problems)
    return []


def _with_apps(sessions: Sequence[Session]) -> bool:
    """Whether the start of applications is what ends a logon."""
    return any(session.apps_started is not None for session in sessions)


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
        f'phase ignored; check the session files or set [[phases]] name = "{phase.name}" in run.toml',
    )
