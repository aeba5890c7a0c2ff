"""Dates of one day that fit both orders: read as the more likely day and reported; the user can swap the order."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from tests.readers.perfmon_files import WRITES, line, pdh
from workbench.answers.trend.points import session_of
from workbench.console.loading import load_studies
from workbench.measures.configurations import group_runs
from workbench.measures.phase_table import run_figures
from workbench.measures.significance.run_order import order_of
from workbench.model.edits import RunEdits
from workbench.model.history import DateEvidence
from workbench.model.run import Run, Study
from workbench.study.overrides import edited
from workbench.study.series.run_date import known_date, run_date
from workbench.study.store.column_store import default_store
from workbench.study.store.columns import read_table

MAY, JUNE = "2016-05-06", "2016-06-05"
TIMES = [f"8:{minute:02}:00" for minute in range(5)]


def open_study(folder: Path) -> Study:
    (study,) = load_studies([folder], default_store())
    return study


def copy(dates: str = "5/6/2016", half: str = "", values: tuple[str, ...] = ("1", "2", "3", "4", "5")) -> str:
    rows = (line(f"{dates} {time}{half}", value) for time, value in zip(TIMES, values, strict=True))
    return pdh(*rows, names=(WRITES,), first="Timestamp")


def run_of(folder: Path, **files: str) -> tuple[Run, Study]:
    (folder / "run").mkdir(parents=True)
    for name, text in files.items():
        (folder / "run" / name.replace("_", ".")).write_text(text)
    study = open_study(folder)
    return study.runs[0], study


def day(run: Run, file: str = "guest.csv") -> str:
    (recording,) = [one for one in run.recordings if one.file.endswith(file)]
    times, _ = read_table(recording, [])
    assert times[0] == recording.first_us / 1e6
    assert times[-1] == recording.last_us / 1e6
    return f"{datetime.fromtimestamp(times[0], UTC):%Y-%m-%d}"


def codes(study: Study) -> list[str]:
    return [problem.code for problem in study.problems]


def test_that_only_the_convention_of_perfmon_puts_the_month_first(tmp_path: Path) -> None:
    run, study = run_of(tmp_path, guest_csv=copy())
    assert (day(run), codes(study).count("date-guessed")) == (MAY, 1)
    assert {one.path: one.first for one in study.files}["run/guest.csv"] == f"{MAY}T08:00:00"


@pytest.mark.parametrize(
    ("text", "first"),
    [(copy(half=" AM"), MAY), (copy(values=("1,5", "2,5", "3,5", "4,5", "5,5")).replace('","', '";"'), JUNE)],
)
def test_that_evidence_in_the_file_decides_first(tmp_path: Path, text: str, first: str) -> None:
    run, _ = run_of(tmp_path, guest_csv=text, host_csv=copy("25/6/2016") if first == MAY else copy("6/25/2016"))
    assert day(run) == first


def test_that_other_files_of_run_and_folder_show_the_order(tmp_path: Path) -> None:
    assert day(run_of(tmp_path / "run", guest_csv=copy(), host_csv=copy("25/5/2016"))[0]) == JUNE
    other = tmp_path / "study" / "run-2"
    other.mkdir(parents=True)
    (other / "guest.csv").write_text(copy("25/5/2016"))
    assert day(run_of(tmp_path / "study", guest_csv=copy())[0]) == JUNE


@pytest.mark.parametrize(("written", "first"), [(JUNE, JUNE), (MAY, MAY), ("2016-07-01", MAY)])
def test_that_the_file_time_decides_if_it_matches_one_reading(tmp_path: Path, written: str, first: str) -> None:
    (tmp_path / "run").mkdir()
    file = tmp_path / "run" / "guest.csv"
    file.write_text(copy())
    moment = datetime.fromisoformat(f"{written}T08:04:01+00:00").timestamp()
    os.utime(file, (moment, moment))
    assert day(open_study(tmp_path).runs[0]) == first


def test_that_a_date_stated_in_run_toml_decides(tmp_path: Path) -> None:
    run, _ = run_of(tmp_path, guest_csv=copy(half=" AM"), run_toml="date = 2016-06-05\n")
    assert day(run) == JUNE
    assert known_date(run) is not None


@pytest.mark.parametrize(
    "others",
    [
        {"run_toml": "[[phases]]\nname = 'boot'\nstart = 2016-06-05T08:00:00Z\nend = 2016-06-05T08:03:00Z\n"},
        {"events_csv": "time,event,vm,user,detail\n2016-06-05T08:00:00Z,power_on,VM01,,\n"},
    ],
)
def test_that_the_file_causes_a_question_if_the_phases_come_from_elsewhere(
    tmp_path: Path, others: dict[str, str]
) -> None:
    run, study = run_of(tmp_path, guest_csv=copy(), **others)
    assert run.recordings == ()
    report = {one.path: one for one in study.files}["run/guest.csv"]
    assert (report.rows, report.rejected_rows) == (0, 5)
    assert "ambiguous-date" in codes(study)
    (tmp_path / "run" / "run.toml").write_text('date_order = "dmy"\n' + others.get("run_toml", ""))
    assert day(open_study(tmp_path).runs[0]) == JUNE


def test_that_reversing_the_order_by_hand_keeps_every_value_in_place(tmp_path: Path) -> None:
    run, _ = run_of(tmp_path, guest_csv=copy(), run_toml='time_zone = "Europe/London"\n')
    turned = edited(run, RunEdits(run.folder, date_order="dmy"))
    assert (day(run), day(turned)) == (MAY, JUNE)
    before, after = (read_table(one.recordings[0], [0]) for one in (run, turned))
    assert np.array_equal(before[1][0], after[1][0])
    assert np.array_equal(after[0] - before[0], np.full(5, 30 * 86_400.0))
    assert day(edited(run, RunEdits(run.folder, date_order="mdy"))) == MAY


def test_that_a_named_zone_has_the_offset_of_the_new_date(tmp_path: Path) -> None:
    run, _ = run_of(tmp_path, guest_csv=copy("3/6/2016"), run_toml='time_zone = "Europe/London"\n')
    turned = edited(run, RunEdits(run.folder, date_order="dmy"))
    assert [one.recordings[0].utc_offset_minutes for one in (run, turned)] == [0, 60]


def test_that_a_guessed_date_is_not_evidence_and_a_certain_one_is(tmp_path: Path) -> None:
    run, _ = run_of(tmp_path, guest_csv=copy())
    guessed, settled = run_date(run), run_date(edited(run, RunEdits(run.folder, date_order="dmy")))
    assert guessed is not None
    assert settled is not None
    assert (guessed.evidence, settled.evidence) == (DateEvidence.GUESSED, DateEvidence.SAMPLES)
    assert session_of("lab", run) == ""
    assert session_of("lab", edited(run, RunEdits(run.folder, date_order="mdy"))).startswith(MAY)


def test_that_the_order_of_runs_with_guessed_dates_is_unknown(tmp_path: Path) -> None:
    for name, date in (
        ("mcs-r1", "13/8/2016"),
        ("pvs-r1", "14/8/2016"),
        ("mcs-r2", "15/8/2016"),
        ("pvs-r2", "16/8/2016"),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "guest.csv").write_text(copy(date))

    def order() -> str:
        return order_of(*group_runs(run_figures(run) for run in open_study(tmp_path).runs))[0]

    assert order() == "interleaved"
    (tmp_path / "pvs-r2" / "guest.csv").write_text(copy("5/6/2016"))
    assert order() == "unknown"
