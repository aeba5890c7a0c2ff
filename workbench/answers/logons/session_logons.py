"""The logons of a run, one for each session, from the best source it has:

1. Sessions of a load generator. Login Enterprise's own `total_login_time` is the logon's time if at least half of the
sessions have one. It differs from the end of the logon minus its start: in a public result the time is 4.6 s, and end
minus start is 32 s.
2. Those measurements alone.
3. Events: logon_start opens a session of its user on its VM; logon_end, apps_started and logoff belong to the latest
open one.

`logon_end` is optional: a session with started applications has logged on, and so has a session of events.csv with a
logoff. That a session *never* logged on needs evidence: a record that is longer than the longest logon, and other
sessions whose ends it contains (for events.csv at least half of them; a load generator records every end itself).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from workbench.model.run import Run
from workbench.model.session import Event, EventKind, Measurement, MeasurementKind, Session

FloatArray = npt.NDArray[np.float64]

TOTAL = "total_login_time"
# The rule if Login Enterprise records a session's name, state and both ends of its logon, but not its own logon time.
WITHOUT_TOTAL = "end of the logon − its start, as Login Enterprise records them"
# Words of load generators for a failed logon or session (Login Enterprise: LoginState, SessionState).
_FAILED = ("fail", "fault", "abort", "abandon", "error")
_SECONDS = {"s": 1.0, "ms": 0.001}


class LogonOutcome(StrEnum):
    """The outcome of a launched session."""

    LOGGED_ON = "logged on"
    NEVER = "never logged on"
    FAILED = "failed"
    UNKNOWN = "logon end not recorded"


@dataclass(frozen=True, slots=True)
class SessionLogon:
    """One session's logon. Times are seconds since 1970 in UTC (since the start of the test if `relative`). `logon_s`
    is the logon's time in seconds, None if unknown. `backwards`: in the record the logon ends before its start, so its
    time is not used. `file` and `line` are the place of its time."""

    user: str
    vm: str
    start: float | None
    end: float | None
    apps_started: float | None
    session_end: float | None
    logon_s: float | None
    outcome: LogonOutcome
    state: str = ""
    relative: bool = False
    backwards: bool = False
    file: str = field(default="", compare=False)
    line: int | None = field(default=None, compare=False)

    @property
    def begin(self) -> float | None:
        """The time since which the session is active; None if it never logged on."""
        if self.outcome is not LogonOutcome.LOGGED_ON:
            return None
        if self.end is not None:
            return self.end
        return None if self.start is None else self.start + (self.logon_s or 0.0)

    @property
    def apps_s(self) -> float | None:
        """Seconds from the end of the logon until all applications were started; None if one of the times is unknown,
        or if they are in the wrong order."""
        if self.end is None or self.apps_started is None or self.apps_started < self.end:
            return None
        return self.apps_started - self.end

    @property
    def length_s(self) -> float | None:
        """Seconds from the end of the logon to the end of the session; None if one of them is unknown."""
        return None if self.session_end is None or self.begin is None else self.session_end - self.begin

    @property
    def name(self) -> str:
        """User and machine, as far as known."""
        return " on ".join(part for part in (self.user, self.vm) if part) or "session"


@dataclass(frozen=True, slots=True)
class RunLogons:
    """The logons in order of their start (those without one last), their source, and the rule for their time.
    `left_out` is a sentence about excluded records of the run."""

    logons: tuple[SessionLogon, ...]
    source: str = ""
    rule: str = ""
    left_out: str = ""


# Cached: the logons page, VSImax and the findings use the same runs, and a run is an immutable value.
_known: WeakKeyDictionary[Run, RunLogons] = WeakKeyDictionary()


def session_logons(run: Run) -> RunLogons:
    """The logons of a run; empty if no file records any."""
    logons = _known.get(run)
    if logons is None:
        logons = _known[run] = _logons_of(run)
    return logons


def _logons_of(run: Run) -> RunLogons:
    totals = [
        measurement
        for measurement in run.measurements
        if measurement.kind is MeasurementKind.LOGIN
        and measurement.label.lower() == TOTAL
        and measurement.unit in _SECONDS
    ]
    if run.sessions:
        # Two products measure different times for one logon, so only the product with most sessions counts.
        products = Counter(session.product for session in run.sessions)
        product = max(products, key=lambda name: products[name])
        known = _of_sessions([session for session in run.sessions if session.product == product], totals)
        if others := len(run.sessions) - products[product]:
            known = replace(known, left_out=f"{others} sessions that another product measured are excluded.")
        return replace(known, logons=_judged(known.logons, _record_end(run), some=0.0))
    if totals:
        rule = f"{_stated(totals)}, at the time of the measurement"
        return RunLogons(_ordered([_of_total(total) for total in totals]), "measurements", rule)
    logons = _judged(_ordered(_of_events(run.events)), _record_end(run), some=0.5)
    return RunLogons(logons, "events", "logon_end − logon_start in events.csv") if logons else RunLogons(())


def _record_end(run: Run) -> float | None:
    """The end of the run's record, from run_end or the last sample; None if neither is known."""
    ends = [event.at for event in run.events if event.kind is EventKind.RUN_END]
    return max((*ends, *run.sample_ends), default=None)


def _judged(logons: tuple[SessionLogon, ...], end: float | None, some: float) -> tuple[SessionLogon, ...]:
    """The logons with their outcomes. A logon without an end becomes unknown, unless the record can show that it never
    ended. For that, the record must contain the end of at least one logon and of at least the share `some` of all. It
    must also continue after this start for longer than the longest logon."""
    finished = [logon for logon in logons if logon.outcome is LogonOutcome.LOGGED_ON]
    holds = bool(finished) and len(finished) >= some * len(logons)
    longest = max((logon.logon_s for logon in finished if logon.logon_s is not None), default=0.0)

    def seen(logon: SessionLogon) -> bool:
        over = end is not None and not logon.relative and logon.start is not None and logon.start + longest > end
        return holds and not over

    return tuple(
        replace(logon, outcome=LogonOutcome.UNKNOWN)
        if logon.outcome is LogonOutcome.NEVER and not seen(logon)
        else logon
        for logon in logons
    )


def active_at(logons: Sequence[SessionLogon], at: FloatArray) -> FloatArray:
    """The number of sessions active at each moment, NaN if no session has times."""
    begins = np.sort([logon.begin for logon in logons if logon.begin is not None])
    ends = np.sort([logon.session_end for logon in logons if logon.begin is not None and logon.session_end is not None])
    if not begins.size:
        return np.full(at.size, np.nan)
    count = np.searchsorted(begins, at, "right") - np.searchsorted(ends, at, "right")
    return np.where(np.isfinite(at), count, np.nan).astype(np.float64)


def _of_sessions(sessions: Sequence[Session], totals: Sequence[Measurement]) -> RunLogons:
    stated = {total.session: total for total in totals if total.session}
    known = sum(session.id in stated for session in sessions)
    if known and 2 * known >= len(sessions):
        logons = [_with_total(_of_session(session), stated.get(session.id)) for session in sessions]
        return RunLogons(_ordered(logons), "sessions", _stated(totals))
    product = (sessions[0].product if sessions else "") or "the load generator"
    rule = f"value reported by {product}, otherwise logon end − logon start"
    if sessions and all(session.id and session.state and session.logon_end is not None for session in sessions):
        rule = WITHOUT_TOTAL
    return RunLogons(_ordered([_of_session(session) for session in sessions]), "sessions", rule)


def _of_session(one: Session, logs_off: bool = False) -> SessionLogon:
    """`logs_off`: the end of the session shows that it had logged on; a load generator also ends those that failed."""
    length = one.logon_s
    if length is None and one.logon_start is not None and one.logon_end is not None:
        length = one.logon_end - one.logon_start
    backwards = length is not None and length < 0
    failed = any(word in one.state.lower() for word in _FAILED)
    ended = one.session_end if logs_off else None
    on = length is not None or any(at is not None for at in (one.logon_end, one.apps_started, ended))
    outcome = LogonOutcome.FAILED if failed else LogonOutcome.LOGGED_ON if on else LogonOutcome.NEVER
    return SessionLogon(
        one.user or one.id,
        one.vm,
        one.logon_start,
        one.logon_end,
        one.apps_started,
        one.session_end,
        None if failed or backwards else length,
        outcome,
        one.state,
        one.relative,
        backwards,
        one.file,
        one.line,
    )


def _stated(totals: Sequence[Measurement]) -> str:
    assumed = (
        " (seconds assumed, because the unit is not documented)" if any(total.unit_assumed for total in totals) else ""
    )
    return f"{TOTAL} as reported by Login Enterprise{assumed}"


def _with_total(one: SessionLogon, total: Measurement | None) -> SessionLogon:
    """The logon with only the stated time, so all times of a run have the same meaning."""
    if one.outcome is LogonOutcome.FAILED or total is None:
        return replace(one, logon_s=None)
    length = total.value * _SECONDS[total.unit]
    return replace(
        one, logon_s=length, outcome=LogonOutcome.LOGGED_ON, backwards=False, file=total.file, line=total.line
    )


def _of_total(one: Measurement) -> SessionLogon:
    length = one.value * _SECONDS[one.unit]
    return SessionLogon(
        one.session,
        "",
        one.at,
        None,
        None,
        None,
        length,
        LogonOutcome.LOGGED_ON,
        relative=one.relative,
        file=one.file,
        line=one.line,
    )


def _of_events(events: Sequence[Event]) -> list[SessionLogon]:
    open_ones: dict[tuple[str, str], Session] = {}
    done: list[Session] = []
    for event in sorted(events, key=lambda event: event.at):
        key = (event.vm, event.user)
        if event.kind is EventKind.LOGON_START:
            if key in open_ones:
                done.append(open_ones.pop(key))
            open_ones[key] = Session(event.user, event.vm, logon_start=event.at, file=event.file, line=event.line)
        elif event.kind in (EventKind.LOGON_END, EventKind.APPS_STARTED):
            field = "logon_end" if event.kind is EventKind.LOGON_END else "apps_started"
            nothing = Session(event.user, event.vm, file=event.file, line=event.line)
            current = open_ones.get(key, nothing)
            open_ones[key] = replace(current, **{field: event.at})  # type: ignore[arg-type]
        elif event.kind is EventKind.LOGOFF and key in open_ones:
            done.append(replace(open_ones.pop(key), session_end=event.at))
    return [_of_session(session, logs_off=True) for session in (*done, *open_ones.values())]


def _ordered(logons: Sequence[SessionLogon]) -> tuple[SessionLogon, ...]:
    return tuple(sorted(logons, key=lambda logon: float("inf") if logon.start is None else logon.start))
