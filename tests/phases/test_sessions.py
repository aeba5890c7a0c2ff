"""Phases from the sessions of a load generator."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tests.builders import T0, counter, event, phase, recording, run
from workbench.model.metric import Quantity
from workbench.model.session import EventKind, Session
from workbench.phases.rules import phases_of

Edges = dict[str, tuple[float, float, str]]


def session(user: str, start: float, end: float, over: float | None = None, apps: float | None = None) -> Session:
    return Session(
        user,
        logon_start=T0 + start,
        logon_end=T0 + end,
        apps_started=None if apps is None else T0 + apps,
        session_end=None if over is None else T0 + over,
    )


def edges(*sessions: Session, **facts: object) -> Edges:
    found, _ = phases_of(run(sessions=sessions, **facts))
    return {one.name: (one.start - T0, one.end - T0, one.evidence) for one in found}


TWO = (session("u1", 600, 620, 3600), session("u2", 660, 690, 3700))


def test_that_sessions_give_logon_and_steady_by_the_rule_of_events() -> None:
    assert edges(*TWO) == {"logon": (600, 690, "sessions"), "steady": (690, 3600, "sessions")}


def test_that_the_start_of_applications_ends_the_logon_if_known() -> None:
    one, other = TWO
    found = edges(replace(one, apps_started=T0 + 650), replace(other, apps_started=T0 + 720))
    assert (found["logon"], found["steady"]) == ((600, 720, "sessions"), (720, 3600, "sessions"))


def test_that_events_override_sessions_for_each_phase() -> None:
    events = (event(EventKind.LOGON_START, 610), event(EventKind.LOGON_END, 700))
    found = edges(*TWO, events=events)
    assert found == {"logon": (610, 700, "events"), "steady": (700, 3600, "sessions")}


def test_that_run_toml_overrides_sessions() -> None:
    found = edges(*TWO, stated_phases=(phase("logon", 500, 800),))
    assert found == {"logon": (500, 800, "run.toml"), "steady": (800, 3600, "sessions")}


def test_that_steady_state_ends_with_the_run_or_last_sample_if_no_session_ends(tmp_path: Path) -> None:
    endless = tuple(replace(one, session_end=None) for one in TWO)
    assert edges(*endless, events=(event(EventKind.RUN_END, 4000),))["steady"] == (690, 4000, "sessions")
    one = recording(tmp_path, "a.csv", [T0 + 15, T0 + 900], [(counter("A", Quantity.CPU), [1.0, 1.0])], 60)
    found, _ = phases_of(run(one, sessions=endless))
    assert (found[-1].name, found[-1].end, found[-1].rule) == (
        "steady",
        T0 + 900,
        "sessions: end of logon to the last sample",
    )


def test_that_sessions_that_end_before_the_last_logon_do_not_end_steady_state_and_are_reported() -> None:
    crashed = session("u0", 600, 610, 640)
    found, problems = phases_of(run(sessions=(crashed, *TWO)))
    assert [(one.name, one.end - T0) for one in found] == [("logon", 690), ("steady", 3600)]
    assert [(one.code, "1 of 3" in one.message) for one in problems] == [("sessions-ended-early", True)]


def test_that_sessions_with_unknown_start_times_give_no_phases() -> None:
    assert edges(*(replace(one, relative=True) for one in TWO)) == {}


def test_that_a_logon_without_duration_is_reported_and_omitted() -> None:
    found, problems = phases_of(run(sessions=(session("u1", 600, 600, 900),)))
    assert found == ()
    assert [one.code for one in problems] == ["phase-empty"]


def test_that_sessions_with_logon_times_only_do_not_end_steady_state() -> None:
    assert edges(*(replace(one, session_end=None) for one in TWO)) == {"logon": (600, 690, "sessions")}


def test_that_sessions_with_only_a_start_or_an_end_give_no_phases() -> None:
    assert edges(Session("u1", logon_start=T0)) == {}
    assert edges(Session("u1", logon_end=T0)) == {}
