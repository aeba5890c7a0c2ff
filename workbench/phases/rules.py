"""Finds the phases of a run by the strongest evidence: run.toml, events, sessions, then activity of the counters.

The sessions of a load generator (Login VSI, Login Enterprise) follow the rule of events: logon = first logon_start to
last apps_started (otherwise last logon_end); steady = end of logon to first session_end (otherwise run_end, otherwise
last sample). Sessions with times from an unknown start are not used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from workbench.model.phase import BOOT, EDITED, LOGON, PHASE_WORDS, STANDARD_PHASES, STEADY, Phase
from workbench.model.problem import Problem, Severity
from workbench.model.run import Run
from workbench.model.session import Event, EventKind, Session
from workbench.phases.activity import detected
from workbench.phases.deviations import (
    Edges,
    boot_edges,
    deviation_problems,
    doubt_of,
    logon_edges,
    overlap_problems,
    steady_end,
)
from workbench.phases.stays import event_logons, recorded_logons, vm_starts

# A warning is shown if the samples after the last phase are longer than this.
UNUSED_S = 600.0
_RUN_END = f"'{EventKind.RUN_END}'"
_SYNONYMS = {"steady state": STEADY, "login": LOGON, "log on": LOGON, "start": BOOT, "startup": BOOT}


def phases_of(run: Run) -> tuple[tuple[Phase, ...], tuple[Problem, ...]]:
    """The phases of the run in time order, each with its strongest evidence, and the problems found."""
    run = replace(run, stated_phases=tuple(_canonical(phase) for phase in run.stated_phases))
    phases: dict[str, Phase] = {phase.name: phase for phase in run.stated_phases}
    problems: list[Problem] = []
    for phase in from_events(run, problems):
        phases.setdefault(phase.name, phase)
    for phase in from_sessions(run, phases, problems):
        phases.setdefault(phase.name, phase)
    if not any(name in phases and phases[name].evidence != EDITED for name in STANDARD_PHASES):
        active, wild = detected(run)
        # An edge set by the user moves only its phase; the others stay as detected from activity.
        phases = {phase.name: phase for phase in active} | phases
        problems += [_detected(run), *wild] if active else []
    elif (STEADY not in phases) and (unused := _unused(run, phases)) > UNUSED_S:
        problems.append(
            _missing(run, [PHASE_WORDS.get(name, name) for name in (LOGON, STEADY) if name not in phases], unused)
        )
    ordered = tuple(sorted(phases.values(), key=_order))
    return ordered, (*problems, *overlap_problems(run, ordered))


def _canonical(phase: Phase) -> Phase:
    """The phase with its standard name: `Steady state` becomes steady, `login` becomes logon."""
    word = phase.name.strip().lower().replace("-", " ").replace("_", " ")
    return replace(phase, name=_SYNONYMS.get(word, word if word in STANDARD_PHASES else phase.name))


def from_events(run: Run, problems: list[Problem]) -> list[Phase]:
    """The phases that events show and stronger evidence does not.

    boot = first power_on to last registered; logon = first logon_start to last apps_started (otherwise last logon_end);
    steady = end of logon to first logoff (otherwise run_end, otherwise last sample).

    The first start of each VM and the first logon of each session count; deviations are problems (see `deviations`).
    Phases that run.toml states are not searched; steady state begins at the end of a stated logon.
    """
    stated = {phase.name: phase for phase in run.stated_phases}
    # The edges of the logon phase, and the kind of event that ends a logon.
    kind = EventKind.APPS_STARTED if _moments(run.events, EventKind.APPS_STARTED) else EventKind.LOGON_END
    unnamed = [event for event in run.events if not (event.vm or event.user)]
    starts, ends = _moments(unnamed, EventKind.LOGON_START), _moments(unnamed, kind)
    logon, end_kind = logon_edges(event_logons(run.events, kind), starts, ends), kind
    calm = stated[LOGON].end if LOGON in stated else logon.end
    steady, steady_rule = _steady(run, calm, end_kind)
    edges = [
        (BOOT, _boot(run), "events: first 'power_on' to last 'registered'"),
        (LOGON, logon, f"events: first 'logon_start' to last '{end_kind}'"),
        (STEADY, steady, steady_rule),
    ]
    phases: list[Phase] = []
    for name, found, rule in edges:
        if name in stated or found.start is None or found.end is None:
            continue
        problems += deviation_problems(run, name, found)
        if found.end > found.start:
            phases.append(Phase(name, found.start, found.end, "events", rule, doubt_of(name, found)))
        else:
            problems.append(_empty(run, name, rule, "events.csv"))
    return phases


def _boot(run: Run) -> Edges:
    unnamed = [event for event in run.events if not event.vm]
    return boot_edges(
        vm_starts(run.events), _moments(unnamed, EventKind.POWER_ON), _moments(unnamed, EventKind.REGISTERED)
    )


def _steady(run: Run, start: float | None, kind: EventKind) -> tuple[Edges, str]:
    unnamed = [event for event in run.events if not (event.vm or event.user)]
    run_end = min(_moments(run.events, EventKind.RUN_END), default=None)
    last = run_end if run_end is not None else _last_sample(run)
    rule, nothing = "events: end of logon to", Edges(start, None)
    if whole := _moments(unnamed, EventKind.LOGOFF):
        every = min((*whole, *_moments(run.events, EventKind.LOGOFF)))
        return replace(nothing, end=every), f"{rule} first logoff"
    if start is None or not run.events:
        return nothing, rule
    found = steady_end(event_logons(run.events, kind), start, last)
    if found.end is not None:
        return found, f"{rule} first logoff"
    return replace(found, end=last), f"{rule} {_RUN_END if run_end is not None else 'the last sample'}"


def _moments(events: Iterable[Event], kind: EventKind) -> list[float]:
    return [event.at for event in events if event.kind is kind]


def _last_sample(run: Run) -> float | None:
    return max(run.sample_ends, default=None)


def _order(phase: Phase) -> tuple[float, int]:
    known = STANDARD_PHASES.index(phase.name) if phase.name in STANDARD_PHASES else len(STANDARD_PHASES)
    return phase.start, known


def _empty(run: Run, name: str, rule: str, where: str) -> Problem:
    return Problem(
        Severity.WARNING,
        run.name,
        "phase-empty",
        f"The end of phase '{PHASE_WORDS.get(name, name)}' is not after its start ({rule}).",
        f"phase ignored; check {where}, or set [[phases]] in run.toml",
    )


def _unused(run: Run, found: dict[str, Phase]) -> float:
    """Seconds of samples after the last stated phase."""
    last = _last_sample(run)
    return 0.0 if last is None else last - max(phase.end for phase in found.values())


def _missing(run: Run, names: list[str], unused: float) -> Problem:
    return Problem(
        Severity.WARNING,
        run.name,
        "phase-missing",
        f"No event shows the start of {' and '.join(names)}, but {unused / 60:.0f} min of samples follow the last "
        "known phase.",
        "samples after that phase excluded; set [[phases]] in run.toml",
    )


def _detected(run: Run) -> Problem:
    return Problem(
        Severity.WARNING,
        run.name,
        "phases-detected",
        "No phases are defined in run.toml, events or sessions.",
        "phases detected from disk activity; check them on the Timeline page, or set [[phases]] in run.toml",
    )


EVIDENCE = "sessions"


def from_sessions(run: Run, found: Mapping[str, Phase], problems: list[Problem]) -> list[Phase]:
    """The phases that sessions show and stronger evidence (`found`) does not.

    Steady state begins at the end of the logon that was found before. Sessions that end before that do not show the end
    of steady state: they are ignored, with a problem.
    """
    placed = [session for session in run.sessions if not session.relative]
    phases: list[Phase] = []
    if LOGON not in found:
        phases += _logon_by_sessions(run, placed, problems)
    known = found.get(LOGON) or next(iter(phases), None)
    if STEADY not in found and known is not None and placed:
        phases += _steady_by_sessions(run, placed, known.end, problems)
    return phases


def _logon_by_sessions(run: Run, sessions: list[Session], problems: list[Problem]) -> list[Phase]:
    apps = _with_apps(sessions)
    edges = logon_edges(recorded_logons(sessions, apps), (), ())
    if edges.start is None or edges.end is None:
        return []
    rule = f"sessions: first 'logon_start' to last '{'apps_started' if apps else 'logon_end'}'"
    problems += deviation_problems(run, LOGON, edges)
    return _phase(run, Phase(LOGON, edges.start, edges.end, EVIDENCE, rule, doubt_of(LOGON, edges)), problems)


def _steady_by_sessions(run: Run, sessions: list[Session], start: float, problems: list[Problem]) -> list[Phase]:
    over = min((event.at for event in run.events if event.kind is EventKind.RUN_END), default=None)
    last = max(run.sample_ends, default=None)
    edges = steady_end(recorded_logons(sessions, _with_apps(sessions)), start, over if over is not None else last)
    # Sessions that end before the last logon never show the end of steady state, however many there are.
    ends = [session.session_end for session in sessions if session.session_end is not None]
    late = [end for end in ends if end > start]
    first = edges.end if edges.end is not None and edges.end > start else min(late, default=None)
    problems += deviation_problems(run, STEADY, edges)
    for end, what in ((first, "first 'session_end'"), (over, _RUN_END), (last, "the last sample")):
        if end is not None:
            rule = f"sessions: end of logon to {what}"
            return _phase(run, Phase(STEADY, start, end, EVIDENCE, rule, doubt_of(STEADY, edges)), problems)
    return []


def _with_apps(sessions: Sequence[Session]) -> bool:
    """True if a logon ends with the start of applications."""
    return any(session.apps_started is not None for session in sessions)


def _phase(run: Run, phase: Phase, problems: list[Problem]) -> list[Phase]:
    if phase.end > phase.start:
        return [phase]
    problems.append(_empty(run, phase.name, phase.rule, "the session files"))
    return []
