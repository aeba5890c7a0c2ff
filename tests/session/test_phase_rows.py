"""Typed phases: clock times in the zone of the run; only values that differ from the evidence are edits."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from tests.builders import T0, counter, phase, recording, run
from workbench.model.edits import PhaseEdit, RunEdits
from workbench.model.metric import Quantity
from workbench.model.run import Run
from workbench.phases.rules import phases_of
from workbench.session.phase_rows import Clock, PhaseRow, clock_of, complaint, row_of, with_phases
from workbench.study.overrides import edited

LONDON = Clock(60, T0, T0 + 600)


def measured(folder: Path) -> Run:
    """600 s of samples in London's summer time; boot, steady state and a virus scan stated by run.toml."""
    times = [T0 + 15.0 * (place + 1) for place in range(40)]
    reads = counter("A", Quantity.READ_IOPS)
    rows = recording(folder, "a.csv", times, [(reads, [10.0] * 40)], offset_minutes=60)
    return run(rows, stated_phases=(phase("boot", 0, 100), phase("steady", 100, 600), phase("av-scan", 200, 300)))


def rows_of(one: Run) -> list[PhaseRow]:
    return [row_of(found, clock_of(one)) for found in phases_of(one)[0]]


def test_that_times_use_the_clock_of_the_run(tmp_path: Path) -> None:
    one = measured(tmp_path)
    clock = clock_of(one)
    # T0 is 08:00 UTC, 09:00 in London; the first sample ends 15 s later.
    assert (clock.words, clock.text(T0)) == ("UTC+01:00", "2016-05-10 09:00:00")
    assert clock.seconds("09:00:00") == T0
    assert clock.seconds("09:00") == T0
    assert clock.seconds("2016-05-11 09:00:00") == T0 + 86_400
    assert clock.seconds("2016-05-10T08:00:00+00:00") == T0


@given(st.floats(min_value=0, max_value=4e9), st.integers(min_value=-720, max_value=840))
def test_that_a_time_is_kept_to_the_millisecond(at: float, offset: int) -> None:
    clock = Clock(offset, at, at)
    assert clock.seconds(clock.text(at)) == pytest.approx(at, abs=0.000_51)


def test_that_unchanged_rows_are_not_edits(tmp_path: Path) -> None:
    one = measured(tmp_path)
    clock = clock_of(one)
    assert with_phases(RunEdits(one.folder), rows_of(one), clock, clock, one).nothing


def test_that_a_typed_end_is_an_edit_and_the_start_keeps_its_fraction(tmp_path: Path) -> None:
    one = replace(measured(tmp_path), stated_phases=(phase("boot", 0.000_25, 100),))
    clock = clock_of(one)
    rows = [replace(row, end="09:02:00") for row in rows_of(one)]
    made = with_phases(RunEdits(one.folder), rows, clock, clock, one)
    assert made.phases == (PhaseEdit("boot", T0 + 0.000_25, T0 + 120),)


def test_that_phases_are_added_renamed_and_removed(tmp_path: Path) -> None:
    one = measured(tmp_path)
    clock = clock_of(one)
    rows = [row for row in rows_of(one) if row.name != "av-scan"]
    removed = with_phases(RunEdits(one.folder), rows, clock, clock, one)
    assert [p.name for p in phases_of(edited(one, removed))[0]] == ["boot", "steady"]
    renamed = [replace(row, name="patch") if row.name == "av-scan" else row for row in rows_of(one)]
    made = with_phases(RunEdits(one.folder), renamed, clock, clock, one)
    found = {p.name: (p.start - T0, p.end - T0) for p in phases_of(edited(one, made))[0]}
    assert found == {"boot": (0, 100), "steady": (100, 600), "patch": (200, 300)}
    added = [*rows_of(one), PhaseRow("report", "09:08:00", "09:09:00")]
    made = with_phases(RunEdits(one.folder), added, clock, clock, one)
    assert (made.phases, made.dropped) == ((PhaseEdit("report", T0 + 480, T0 + 540),), ())


def test_that_edges_set_by_hand_move_with_the_clock_when_the_zone_changes(tmp_path: Path) -> None:
    one = measured(tmp_path)
    edits = RunEdits(one.folder, phases=(PhaseEdit("boot", T0, T0 + 50),))
    rows = rows_of(edited(one, edits))
    made = with_phases(edits, rows, clock_of(one), Clock(0, T0 + 3600, T0 + 4200), one)
    assert made.phases == (PhaseEdit("boot", T0 + 3600, T0 + 3650),)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (PhaseRow("", "09:00", "09:05"), "A phase has no name"),
        (PhaseRow("steady", "9 o'clock", "09:05"), "The start of 'steady' is '9 o'clock', which is not a clock time"),
        (PhaseRow("steady", "09:05", "09:05"), "its end must come after its start"),
        (PhaseRow("steady", "12:00", "13:00"), "is outside the samples of this run, from 2016-05-10"),
    ],
)
def test_that_invalid_rows_are_reported_in_a_sentence(row: PhaseRow, said: str) -> None:
    assert said in complaint([row], LONDON)


def test_that_two_phases_with_one_name_need_distinct_names_first(snapshot: SnapshotAssertion) -> None:
    twice = [PhaseRow("av-scan", "09:00", "09:05"), PhaseRow(" av-scan", "09:05", "09:06")]
    assert complaint(twice, LONDON) == snapshot
    assert complaint(twice[:1], LONDON) == ""
