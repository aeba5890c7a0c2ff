"""Which phases a run has, and on what evidence: run.toml, events, sessions, then activity of the counters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from workbench.model.event import Event, EventKind
from workbench.model.phase import BOOT, LOGON, STANDARD_PHASES, STEADY, Phase
from workbench.model.problem import Problem, Severity
from workbench.model.run import Run
from workbench.phases.activity import detect
from workbench.phases.sessions import from_sessions

# Samples behind the last phase for longer than this are worth a warning.
UNUSED_S = 600.0
_SYNONYMS = {"steady state": STEADY, "login": LOGON, "log on": LOGON, "start": BOOT, "startup": BOOT}


def phases_of(run: Run) -> tuple[tuple[Phase, ...], tuple[Problem, ...]]:
    """The run's phases in time order, each with its strongest evidence, and what was wrong on the way."""
    run = replace(run, stated_phases=tuple(_canonical(phase) for phase in run.stated_phases))
    phases: dict[str, Phase] = {phase.name: phase for phase in run.stated_phases}
    problems: list[Problem] = []
    for phase in from_events(run, problems):
        phases.setdefault(phase.name, phase)
    for phase in from_sessions(run, phases, problems):
        phases.setdefault(phase.name, phase)
    if not any(name in phases for name in STANDARD_PHASES):
        detected = detect(run)
        phases |= {phase.name: phase for phase in detected}
        problems += [_detected(run)] if detected else []
    elif (STEADY not in phases) and (unused := _unused(run, phases)) > UNUSED_S:
        problems.append(_missing(run, [name for name in (LOGON, STEADY) if name not in phases], unused))
    return tuple(sorted(phases.values(), key=_order)), tuple(problems)


def _canonical(phase: Phase) -> Phase:
    """The phase under the name that figures are compared by: `Steady state` is steady, `login` logon."""
    word = phase.name.strip().lower().replace("-", " ").replace("_", " ")
    return replace(phase, name=_SYNONYMS.get(word, word if word in STANDARD_PHASES else phase.name))


def from_events(run: Run, problems: list[Problem]) -> list[Phase]:
    """boot = first power_on to last registered; logon = first logon_start to last apps_started (else
    last logon_end); steady = end of logon to first logoff (else run_end, else last sample).

    Phases that run.toml states are not looked for; the end of a stated logon is where steady state begins.
    """
    first, last = _picker(run.events, min), _picker(run.events, max)
    stated = {phase.name: phase for phase in run.stated_phases}
    apps, ended = last(EventKind.APPS_STARTED), last(EventKind.LOGON_END)
    logon_end = apps if apps is not None else ended
    logon_rule = f"events: first logon_start to last {'apps_started' if apps is not None else 'logon_end'}"
    calm = stated[LOGON].end if LOGON in stated else logon_end
    edges = [
        (BOOT, first(EventKind.POWER_ON), last(EventKind.REGISTERED), "events: first power_on to last registered"),
        (LOGON, first(EventKind.LOGON_START), logon_end, logon_rule),
        (STEADY, calm if run.events else None, *_steady_end(run, calm, first)),
    ]
    phases: list[Phase] = []
    for name, start, end, rule in edges:
        if start is None or end is None or name in stated:
            continue
        if end > start:
            phases.append(Phase(name, start, end, "events", rule))
        else:
            problems.append(_empty(run, name, rule))
    return phases


def _steady_end(run: Run, start: float | None, first: Callable[[EventKind], float | None]) -> tuple[float | None, str]:
    logoff = first(EventKind.LOGOFF)
    if logoff is not None:
        return logoff, "events: end of logon to first logoff"
    end = first(EventKind.RUN_END)
    if end is not None:
        return end, "events: end of logon to run_end"
    return (None if start is None else _last_sample(run)), "events: end of logon to the last sample"


def _picker(events: tuple[Event, ...], choose: Callable[[list[float]], float]) -> Callable[[EventKind], float | None]:
    def pick(kind: EventKind) -> float | None:
        moments = [event.at for event in events if event.kind is kind]
        return choose(moments) if moments else None

    return pick


def _last_sample(run: Run) -> float | None:
    placed = [rec for rec in run.recordings if not rec.relative]
    ends = [rec.last_us / 1e6 - 60 * (rec.utc_offset_minutes or 0) for rec in placed]
    return max(ends) if ends else None


def _order(phase: Phase) -> tuple[float, int]:
    known = STANDARD_PHASES.index(phase.name) if phase.name in STANDARD_PHASES else len(STANDARD_PHASES)
    return phase.start, known


def _empty(run: Run, name: str, rule: str) -> Problem:
    return Problem(
        Severity.WARNING,
        run.name,
        "phase-empty",
        f"Phase '{name}' would not end after it starts ({rule}).",
        f'phase left out; check events.csv or state [[phases]] name = "{name}" in run.toml',
    )


def _unused(run: Run, found: dict[str, Phase]) -> float:
    """Seconds of samples behind the last stated phase."""
    last = _last_sample(run)
    return 0.0 if last is None else last - max(phase.end for phase in found.values())


def _missing(run: Run, names: list[str], unused: float) -> Problem:
    return Problem(
        Severity.WARNING,
        run.name,
        "phase-missing",
        f"No event shows when {' and '.join(names)} began; {unused / 60:.0f} min of samples follow the last "
        "stated phase.",
        "left out; state [[phases]] in run.toml, or logon_start, apps_started and logoff in events.csv",
    )


def _detected(run: Run) -> Problem:
    return Problem(
        Severity.WARNING,
        run.name,
        "phases-detected",
        "Neither run.toml nor events nor sessions state the phases; they were detected from disk activity.",
        "check the edges; state [[phases]] in run.toml or add events.csv to fix them",
    )
