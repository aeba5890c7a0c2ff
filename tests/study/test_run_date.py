"""The build and the date of a run: from run.toml, from the user, otherwise from the recordings."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.builders import T0, counter, disk_csv, event, recording, run
from workbench.console.loading import load_studies
from workbench.model.edits import RunEdits
from workbench.model.history import DateEvidence, RunDate
from workbench.model.metric import Quantity
from workbench.model.run import Run
from workbench.model.session import EventKind, Session
from workbench.study.discovery.manifest import read_manifest
from workbench.study.overrides import edited
from workbench.study.series.run_date import date_text, run_date
from workbench.study.store.column_store import Store

MIDNIGHT = 1_462_838_400.0  # 2016-05-10T00:00Z


def recorded(folder: Path, offset_minutes: int | None = 0) -> Run:
    times = [T0 + 10.0, T0 + 20.0]
    return run(recording(folder, "a.csv", times, [(counter("A", Quantity.IOPS), [1.0, 2.0])], offset_minutes))


def test_that_run_toml_states_build_and_date_of_the_study(tmp_path: Path) -> None:
    disk_csv(tmp_path / "lab" / "r1" / "a.csv", "A", [1.0] * 24, [1.0] * 24)
    (tmp_path / "lab" / "r1" / "run.toml").write_text('build = "22H2-19045.3803"\ndate = 2016-05-10T09:00:00+02:00\n')
    ((read,),) = (study.runs for study in load_studies([tmp_path / "lab"], Store(tmp_path / "store")))
    assert (read.build, read.date) == ("22H2-19045.3803", "2016-05-10T09:00:00+02:00")
    assert run_date(read) == RunDate(MIDNIGHT + 7 * 3600, DateEvidence.STATED)


def test_that_a_folder_name_is_never_used_as_a_build(tmp_path: Path) -> None:
    for name in ("mcs-build-1203", "mcs-build-1204", "mcs 22H2-19045.3803"):
        disk_csv(tmp_path / "lab" / name / "a.csv", "A", [1.0] * 24, [1.0] * 24)
    (study,) = load_studies([tmp_path / "lab"], Store(tmp_path / "store"))
    assert [each.build for each in study.runs] == [None] * 3
    assert len({each.configuration.name for each in study.runs}) == 3, "images are no replicates of each other"


def test_that_an_integer_is_a_build_and_a_number_with_a_point_is_named_with_its_line(tmp_path: Path) -> None:
    manifest, problems = read_manifest(b"vms = 2\nbuild = 19045\n", "run.toml")
    assert (manifest.get("build"), problems) == ("19045", [])
    _, (problem,) = read_manifest(b"vms = 2\nbuild = 22631.30\n", "run.toml")
    assert (problem.line, "quotation marks" in problem.action) == (2, True)


@pytest.mark.parametrize(
    ("stated", "zone", "at"),
    [
        ("2016-05-10", None, MIDNIGHT),
        ("2016-05-10", "+02:00", MIDNIGHT - 7200),
        ("2016-05-10", "Europe/London", MIDNIGHT - 3600),
        ("2016-05-10T09:00:00", "+02:00", MIDNIGHT + 7 * 3600),
        ("2016-05-10T09:00:00-05:00", "+02:00", MIDNIGHT + 14 * 3600),
        ("2016-05-10T09:00:00Z", None, MIDNIGHT + 9 * 3600),
    ],
)
def test_that_a_stated_date_uses_its_offset_or_else_the_zone_of_the_run(
    stated: str, zone: str | None, at: float
) -> None:
    assert run_date(run(date=date_text(stated), time_zone=zone)) == RunDate(at, DateEvidence.STATED)


@pytest.mark.parametrize("offset", [0, 60, -300, None])
def test_that_timestamps_give_the_same_time_for_a_run_from_any_place(tmp_path: Path, offset: int | None) -> None:
    assert run_date(recorded(tmp_path, offset)) == RunDate(T0 + 10, DateEvidence.SAMPLES)


def test_that_the_first_of_samples_and_events_and_logons_counts(tmp_path: Path) -> None:
    early = replace(recorded(tmp_path), events=(event(EventKind.POWER_ON, -60),))
    assert run_date(early) == RunDate(T0 - 60, DateEvidence.SAMPLES)
    sessions = (Session(logon_start=T0 + 5), Session(logon_start=3.0, relative=True), Session())
    assert run_date(run(sessions=sessions)) == RunDate(T0 + 5, DateEvidence.SAMPLES)


def test_that_a_run_without_a_clock_has_no_date(tmp_path: Path) -> None:
    of_run = recorded(tmp_path)
    assert run_date(replace(of_run, recordings=(replace(of_run.recordings[0], relative=True),))) is None


def test_that_build_and_date_can_be_set_by_hand_and_undone(tmp_path: Path) -> None:
    read = replace(recorded(tmp_path), build="1203", date="2016-05-09")
    changed = edited(read, RunEdits(read.folder, build="1204", date="2016-05-11"))
    assert (changed.build, changed.date) == ("1204", "2016-05-11")
    assert edited(read, RunEdits(read.folder)).build == "1203"
    cleared = edited(read, RunEdits(read.folder, build="", date=""))
    assert (cleared.build, run_date(cleared)) == (None, RunDate(T0 + 10, DateEvidence.SAMPLES))


def test_that_a_date_in_a_damaged_saved_file_is_ignored(tmp_path: Path) -> None:
    assert run_date(replace(recorded(tmp_path), date="0000-99")) == RunDate(T0 + 10, DateEvidence.SAMPLES)
    assert run_date(run(date="2016-05-10", time_zone="Mars/Olympus")) is None


@pytest.mark.parametrize("year", [1970, 1979, 2200, 9999])
def test_that_an_unset_clock_gives_no_date(tmp_path: Path, year: int) -> None:
    at = datetime(year, 6, 1, tzinfo=UTC).timestamp()
    unset = run(recording(tmp_path, "a.csv", [at, at + 10], [(counter("A", Quantity.IOPS), [1.0, 2.0])], 0))
    assert run_date(unset) is None
    both = replace(unset, recordings=(*unset.recordings, *recorded(tmp_path / "set").recordings))
    assert run_date(both) == RunDate(T0 + 10, DateEvidence.SAMPLES), "the clock that was set counts"
    assert run_date(run(date="1980-01-01T00:00:00+14:00")) is None, "1979 in UTC"
