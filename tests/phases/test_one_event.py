"""One event never moves a phase without a report: studies with known phases, each with one defect."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from tests.builders import T0, disk_csv, event, phase, run
from workbench.cli import main
from workbench.model.phase import Phase
from workbench.model.problem import Problem
from workbench.model.session import Event, EventKind, Session
from workbench.phases.rules import phases_of

ON, REGISTERED = EventKind.POWER_ON, EventKind.REGISTERED
LOGON, APPS, OFF = EventKind.LOGON_START, EventKind.APPS_STARTED, EventKind.LOGOFF
Edges = dict[str, tuple[float, float]]


def vm(place: int) -> str:
    return f"W10-{place:03d}"


def clean(count: int = 20) -> tuple[Event, ...]:
    """Boot from 0 to 300 + count, a logon every 20 s from 600 on that takes 40 s, logoffs from 3600 on, 4 s apart."""
    return tuple(
        event(kind, at, vm(place), user)
        for place in range(count)
        for kind, at, user in (
            (ON, 2.0 * place, ""),
            (REGISTERED, 301.0 + place, ""),
            (LOGON, 600.0 + 20 * place, f"u{place}"),
            (APPS, 640.0 + 20 * place, f"u{place}"),
            (OFF, 3600.0 + 4 * place, f"u{place}"),
        )
    )


def truth(count: int = 20) -> Edges:
    """The edges of `clean`, from its own numbers."""
    end = 640.0 + 20 * (count - 1)
    return {"boot": (0.0, 300.0 + count), "logon": (600.0, end), "steady": (end, 3600.0)}


def found(*events: Event, **facts: object) -> tuple[Edges, dict[str, Problem], dict[str, Phase]]:
    phases, problems = phases_of(run(events=events, **facts))
    edges = {phase.name: (phase.start - T0, phase.end - T0) for phase in phases}
    return edges, {problem.code: problem for problem in problems}, {phase.name: phase for phase in phases}


def test_that_a_clean_study_has_no_reports() -> None:
    edges, problems, phases = found(*clean())
    assert edges == truth()
    assert problems == {}
    assert {phase.doubt for phase in phases.values()} == {""}


@given(seed=st.integers(0, 10_000), count=st.integers(2, 30))
@settings(max_examples=60, deadline=None)
def test_that_the_plain_rule_applies_to_vms_and_sessions_with_normal_variation(seed: int, count: int) -> None:
    random = np.random.default_rng(seed)
    on = random.uniform(0, 60, count)
    registered = on + random.uniform(100, 300, count)
    start = 600 + random.uniform(10, 120) * np.arange(count) + random.uniform(0, 10, count)
    apps = start + random.uniform(20, 60, count)
    off = 6_000 + random.uniform(0, 120, count)
    columns = ((ON, on), (REGISTERED, registered), (LOGON, start), (APPS, apps), (OFF, off))
    events = [event(kind, float(at[place]), vm(place), "u") for kind, at in columns for place in range(count)]
    edges, problems, _ = found(*(events[place] for place in random.permutation(len(events))))
    assert edges["boot"] == pytest.approx((on.min(), registered.max()), abs=1e-3)
    assert edges["logon"] == pytest.approx((start.min(), apps.max()), abs=1e-3)
    assert edges["steady"] == pytest.approx((apps.max(), off.min()), abs=1e-3)
    assert problems == {}


def test_that_a_restarted_vm_does_not_extend_boot_and_is_named_with_its_time(snapshot: SnapshotAssertion) -> None:
    edges, problems, phases = found(*clean(), event(ON, 2400, vm(3)), event(REGISTERED, 2460, vm(3)))
    assert edges == truth()
    problem = problems.pop("vm-restart")
    assert problem.message == snapshot
    assert problem.action == snapshot
    assert problems == {}
    assert phases["boot"].doubt == ""


def test_that_a_vm_without_registration_does_not_move_boot_and_is_named(snapshot: SnapshotAssertion) -> None:
    without = [one for one in clean() if not (one.kind is REGISTERED and one.vm == vm(5))]
    edges, problems, _ = found(*without)
    assert edges == truth()
    assert problems["vm-never-registered"].message == snapshot


def test_that_a_vm_that_crashes_during_boot_is_excluded_from_the_end_of_boot() -> None:
    without = [one for one in clean() if not (one.kind is REGISTERED and one.vm == vm(19))]
    again = (event(ON, 2400, vm(19)), event(REGISTERED, 2700, vm(19)))
    edges, problems, _ = found(*without, *again)
    assert edges["boot"] == (0.0, 319.0)
    assert list(problems) == ["vm-restart"]


def test_that_a_second_registration_without_a_start_does_not_extend_boot(snapshot: SnapshotAssertion) -> None:
    edges, problems, _ = found(*clean(), event(REGISTERED, 2400, vm(7)))
    assert edges == truth()
    assert problems["vm-registers-again"].message == snapshot


def test_that_one_vm_registered_after_41_minutes_does_not_make_boot_41_minutes_long() -> None:
    late = [replace(one, at=T0 + 2460) if one.kind is REGISTERED and one.vm == vm(4) else one for one in clean()]
    edges, problems, _ = found(*late)
    assert edges == truth()
    assert "W10-004" in problems["vm-straggler"].message
    assert "08:41:00" in problems["vm-straggler"].message


def test_that_a_logon_long_before_the_storm_does_not_start_the_phase() -> None:
    edges, problems, _ = found(*clean(), event(LOGON, -3000, vm(50), "admin"), event(APPS, -2990, vm(50), "admin"))
    assert edges == truth()
    assert "admin on W10-050" in problems["session-straggler"].message


def test_that_an_early_logoff_does_not_shorten_steady_state(snapshot: SnapshotAssertion) -> None:
    early = [replace(one, at=T0 + 1800) if one.kind is OFF and one.user == "u0" else one for one in clean()]
    edges, problems, _ = found(*early)
    assert edges == truth() | {"steady": (truth()["steady"][0], 3604.0)}
    assert problems["sessions-ended-early"].message == snapshot


def test_that_a_session_that_ends_before_the_last_logon_does_not_change_steady_state() -> None:
    early = [replace(one, at=T0 + 700) if one.kind is OFF and one.user == "u2" else one for one in clean()]
    edges, problems, _ = found(*early)
    assert edges == truth()
    assert list(problems) == ["sessions-ended-early"]


@pytest.mark.parametrize("machine", [vm(6), vm(40)])
def test_that_a_returning_session_does_not_extend_logon_or_end_steady_state(
    machine: str, snapshot: SnapshotAssertion
) -> None:
    """On the same VM, or on another VM of the pool."""
    back = (
        event(OFF, 1500, vm(6), "u6"),
        event(LOGON, 1800, machine, "u6"),
        event(APPS, 1850, machine, "u6"),
        event(OFF, 3700, machine, "u6"),
    )
    others = [one for one in clean() if not (one.kind is OFF and one.user == "u6")]
    edges, problems, _ = found(*others, *back)
    assert edges == truth()
    assert list(problems) == ["session-returns"]
    assert problems["session-returns"].message == snapshot


def test_that_more_than_five_percent_follow_the_rule_and_make_the_phase_doubtful(snapshot: SnapshotAssertion) -> None:
    again = [event(kind, at, vm(place)) for place in (1, 2) for kind, at in ((ON, 2400), (REGISTERED, 2460))]
    edges, problems, phases = found(*clean(), *again)
    assert edges == truth()
    assert phases["boot"].doubt == snapshot
    assert "may be wrong" in problems["vm-restart"].action
    wide, _, sure = found(*clean(40), *again)
    assert wide == truth(40)
    assert sure["boot"].doubt == ""


def test_that_many_early_logoffs_end_steady_state_by_the_rule_and_make_it_doubtful(snapshot: SnapshotAssertion) -> None:
    users = {f"u{place}" for place in range(5)}
    early = [replace(one, at=T0 + 1800) if one.kind is OFF and one.user in users else one for one in clean()]
    edges, problems, phases = found(*early)
    assert edges["steady"] == (truth()["steady"][0], 1800.0)
    assert "5 of 20 users" in phases["steady"].doubt
    assert problems["sessions-ended-early"].message == snapshot


def test_that_a_logoff_of_all_sessions_ends_steady_state_by_the_rule() -> None:
    edges, problems, _ = found(*clean(), event(OFF, 2000))
    assert edges["steady"] == (truth()["steady"][0], 2000.0)
    assert problems == {}


def test_that_an_account_on_several_vms_at_once_is_several_sessions() -> None:
    shared = [replace(one, user="tester" if one.user else "") for one in clean()]
    edges, problems, _ = found(*shared)
    assert edges == truth()
    assert problems == {}


def test_that_overlapping_phases_are_reported(snapshot: SnapshotAssertion) -> None:
    _, problems, _ = found(stated_phases=(phase("boot", 0, 700), phase("logon", 600, 900)))
    assert problems["phases-overlap"].message == snapshot
    within = found(stated_phases=(phase("steady", 0, 700), phase("av-scan", 100, 200)))[1]["phases-overlap"]
    assert str(within.severity) == "info"
    assert "phases-overlap" not in found(stated_phases=(phase("boot", 0, 600), phase("logon", 600, 900)))[1]


def test_that_sessions_of_a_load_generator_follow_the_rule() -> None:
    some = [
        Session(f"u{place}", "", T0 + 20 * place, T0 + 20 * place + 9, T0 + 20 * place + 40, T0 + 3600 + place)
        for place in range(20)
    ]
    back = Session("u3", "", T0 + 1800, T0 + 1810, T0 + 1850, T0 + 3700)
    gone = replace(some[3], session_end=T0 + 1500)
    edges, problems, _ = found(sessions=(*some[:3], gone, *some[4:], back))
    assert edges == {"logon": (0.0, 420.0), "steady": (420.0, 3600.0)}
    assert list(problems) == ["session-returns"]


def summary(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(tmp_path / "store"))
    assert main(["summary", str(folder), "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)["runs"][0]["phases"], main(["summary", str(folder)])


def write(folder: Path, *events: Event) -> None:
    lines = ["time,event,vm,user"]
    lines += [f"{datetime.fromtimestamp(one.at, UTC).isoformat()},{one.kind},{one.vm},{one.user}" for one in events]
    disk_csv(folder / "run" / "guest" / "W10-000.csv", "W10-000", [5.0] * 260, [5.0] * 260)
    (folder / "run" / "events.csv").write_text("\n".join(lines) + "\n")


def test_that_the_console_and_its_json_report_restart_and_doubt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path / "one", *clean(), event(ON, 2400, vm(3)), event(REGISTERED, 2460, vm(3)))
    phases, _ = summary(tmp_path / "one", tmp_path, monkeypatch, capsys)
    table = capsys.readouterr().out
    assert (phases[0]["phase"], phases[0]["duration_s"], phases[0]["doubt"]) == ("boot", 320.0, None)
    assert "restarted at 2016-05-10 09:40:00 (UTC+01:00): W10-003" in table
    assert "doubtful" not in table
    many = [event(ON, 2400, vm(place)) for place in range(5)]
    write(tmp_path / "many", *clean(), *many)
    phases, _ = summary(tmp_path / "many", tmp_path, monkeypatch, capsys)
    assert phases[0]["doubt"] == "5 of 20 VMs restarted"
    assert "events (doubtful)" in capsys.readouterr().out
