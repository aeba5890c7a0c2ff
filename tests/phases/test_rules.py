"""The phases of a run, and their evidence."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.builders import T0, counter, event, phase, recording, run
from workbench.model.metric import Quantity
from workbench.model.session import Event, EventKind
from workbench.phases.rules import phases_of

BOOT = (
    event(EventKind.POWER_ON, 0, "A"),
    event(EventKind.POWER_ON, 10, "B"),
    event(EventKind.REGISTERED, 300, "A"),
    event(EventKind.REGISTERED, 360, "B"),
)
LOGON = (
    event(EventKind.LOGON_START, 600, "A", "u1"),
    event(EventKind.LOGON_START, 660, "B", "u2"),
    event(EventKind.LOGON_END, 620, "A", "u1"),
    event(EventKind.LOGON_END, 690, "B", "u2"),
)
APPS = (event(EventKind.APPS_STARTED, 650, "A", "u1"), event(EventKind.APPS_STARTED, 720, "B", "u2"))
END = (
    event(EventKind.LOGOFF, 3600, "A", "u1"),
    event(EventKind.LOGOFF, 3700, "B", "u2"),
    event(EventKind.RUN_END, 4000),
)


def edges(*events: Event, **facts: object) -> dict[str, tuple[float, float, str]]:
    found, _ = phases_of(run(events=events, **facts))
    return {one.name: (one.start - T0, one.end - T0, one.evidence) for one in found}


def test_that_events_give_boot_and_logon_and_steady_by_the_rule() -> None:
    assert edges(*BOOT, *LOGON, *APPS, *END) == {
        "boot": (0, 360, "events"),
        "logon": (600, 720, "events"),
        "steady": (720, 3600, "events"),
    }


def test_that_logon_ends_with_the_last_logon_end_when_no_apps_were_started() -> None:
    found = edges(*LOGON, *END)
    assert (found["logon"], found["steady"]) == ((600, 690, "events"), (690, 3600, "events"))


def test_that_steady_state_ends_with_the_run_if_nobody_logs_off() -> None:
    assert edges(*LOGON, *APPS, event(EventKind.RUN_END, 4000))["steady"] == (720, 4000, "events")


def test_that_steady_state_ends_with_the_last_sample_if_no_event_ends_it(tmp_path: Path) -> None:
    one = recording(tmp_path, "a.csv", [T0 + 15, T0 + 900], [(counter("A", Quantity.CPU), [1.0, 1.0])], 60)
    found, _ = phases_of(run(one, events=(*LOGON, *APPS)))
    assert (found[-1].name, found[-1].end, found[-1].rule) == (
        "steady",
        T0 + 900,
        "events: end of logon to the last sample",
    )


def test_that_a_phase_of_run_toml_overrides_events_and_others_stay() -> None:
    found = edges(*BOOT, *LOGON, *APPS, *END, stated_phases=(phase("boot", 5, 100),))
    assert found["boot"] == (5, 100, "run.toml")
    assert found["steady"] == (720, 3600, "events")


def test_that_steady_state_starts_at_the_end_of_a_stated_logon() -> None:
    found = edges(*LOGON, *APPS, *END, stated_phases=(phase("logon", 600, 800),))
    assert found["steady"] == (800, 3600, "events")


def test_that_names_of_custom_phases_are_kept_next_to_the_standard_ones() -> None:
    found = edges(*BOOT, *LOGON, *APPS, *END, stated_phases=(phase("av-scan", 1000, 1200),))
    assert list(found) == ["boot", "logon", "steady", "av-scan"]


def test_that_phases_are_in_time_order() -> None:
    found = edges(stated_phases=(phase("steady", 500, 900), phase("patch", 100, 200), phase("boot", 0, 90)))
    assert list(found) == ["boot", "patch", "steady"]


def test_that_an_empty_phase_is_reported_and_omitted() -> None:
    found, problems = phases_of(run(events=(*LOGON, *APPS, event(EventKind.LOGOFF, 610))))
    assert [one.name for one in found] == ["logon"]
    assert [(one.code, "'steady state'" in one.message) for one in problems] == [("phase-empty", True)]


def test_that_overruled_events_are_not_reported_as_problems() -> None:
    _, problems = phases_of(
        run(
            events=(event(EventKind.POWER_ON, 10), event(EventKind.REGISTERED, 5)), stated_phases=(phase("boot", 0, 9),)
        )
    )
    assert problems == ()


def test_that_a_run_without_evidence_has_no_phases() -> None:
    assert phases_of(run()) == ((), ())


def test_that_activity_is_the_last_rule_and_is_named(tmp_path: Path) -> None:
    level = np.where(np.arange(1, 121) <= 20, 100.0, 1.0)
    one = recording(tmp_path, "a.csv", T0 + 15.0 * np.arange(1, 121), [(counter("A", Quantity.IOPS), level)])
    found, problems = phases_of(run(one))
    assert {phase.evidence for phase in found} == {"activity"}
    assert [problem.code for problem in problems] == ["phases-detected"]
    with_events, problems = phases_of(run(one, events=LOGON))
    assert {phase.evidence for phase in with_events} == {"events"}
    assert problems == ()


@pytest.mark.parametrize(("pause_s", "told"), [(23 * 3600.0, 1), (2000.0, 1), (900.0, 0)])
def test_that_a_recording_before_a_long_pause_is_named_if_no_phase_covers_it(
    tmp_path: Path, pause_s: float, told: int
) -> None:
    times = T0 + 15.0 * np.arange(1, 121)
    times[40:] += pause_s
    level = np.where((np.arange(120) >= 45) & (np.arange(120) < 65), 100.0, 10.0)
    one = recording(tmp_path, "a.csv", times, [(counter("A", Quantity.IOPS), level)])
    found, problems = phases_of(run(one))
    assert min(phase.start for phase in found) >= times[39]  # the first ten minutes are in no phase
    outside = [problem.message for problem in problems if problem.code == "recording-outside"]
    assert len(outside) == told
    assert all("2016-05-10 08:00:00 and 08:10:00" in message for message in outside)


def test_that_activity_gives_phases_if_only_a_custom_phase_is_stated(tmp_path: Path) -> None:
    level = np.where(np.arange(1, 121) <= 20, 100.0, 1.0)
    one = recording(tmp_path, "a.csv", T0 + 15.0 * np.arange(1, 121), [(counter("A", Quantity.IOPS), level)])
    found, _ = phases_of(run(one, stated_phases=(phase("av-scan", 900, 1000),)))
    assert {phase.name for phase in found} == {"logon", "steady", "av-scan"}


def test_that_synonyms_of_standard_phases_are_recognised() -> None:
    stated = (phase("Steady state", 100, 200), phase("login", 50, 100), phase("BOOT", 0, 50), phase("av-scan", 5, 9))
    found, _ = phases_of(run(stated_phases=stated))
    assert [one.name for one in found] == ["boot", "av-scan", "logon", "steady"]


def test_that_a_missing_steady_state_is_reported(tmp_path: Path) -> None:
    level = np.full(120, 10.0)
    one = recording(tmp_path, "a.csv", T0 + 15.0 * np.arange(1, 121), [(counter("A", Quantity.IOPS), level)])
    found, problems = phases_of(run(one, stated_phases=(phase("boot", 0, 300),)))
    assert [one.name for one in found] == ["boot"]
    assert [problem.code for problem in problems] == ["phase-missing"]
    assert problems[0].message == (
        "No event shows the start of logon and steady state, but 25 min of samples follow the last known phase."
    )


def test_that_a_detected_steady_state_ends_when_the_machines_become_idle(tmp_path: Path) -> None:
    # Ten minutes of logon, twenty of work, five idle.
    level = np.concatenate((np.full(40, 100.0), np.full(80, 10.0), np.zeros(20)))
    one = recording(tmp_path, "a.csv", T0 + 15.0 * np.arange(1, 141), [(counter("A", Quantity.IOPS), level)])
    found, _ = phases_of(run(one))
    steady = next(one for one in found if one.name == "steady")
    assert abs(steady.end - (T0 + 1800)) <= 15


def test_that_an_edge_set_by_hand_keeps_other_detected_phases(tmp_path: Path) -> None:
    level = np.where(np.arange(1, 121) <= 20, 100.0, 1.0)
    one = recording(tmp_path, "a.csv", T0 + 15.0 * np.arange(1, 121), [(counter("A", Quantity.IOPS), level)])
    detected, _ = phases_of(run(one))
    moved, _ = phases_of(run(one, stated_phases=(phase("steady", 600, 1500, "edited"),)))
    assert [p for p in moved if p.name != "steady"] == [p for p in detected if p.name != "steady"] != []
    assert [(p.start - T0, p.end - T0) for p in moved if p.name == "steady"] == [(600, 1500)]
    stated, _ = phases_of(run(one, stated_phases=(phase("steady", 600, 1500),)))
    assert [p.name for p in stated] == ["steady"]
