"""Runs without a figure say why: the days do not match, or no file in the folder could be read."""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.builders import disk_csv
from tests.study.plausibility.damaged import summary, told
from workbench.model.problem import done_words

PHASE = '[[phases]]\nname = "{}"\nstart = {}:00Z\nend = {}:00Z\n'


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(tmp_path / "store"))


def lab(folder: Path, sampled: str, *phases: tuple[str, str, str]) -> Path:
    rates = [10.0 + n % 5 for n in range(60)]
    disk_csv(folder / "mcs" / "a.csv", "A", rates, rates, start=f"{sampled}:00.000", bias="0")
    stated = 'configuration = "MCS"\n' + "".join(PHASE.format(*phase) for phase in phases)
    (folder / "mcs" / "run.toml").write_text(stated, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("sampled", "start", "words"),
    [
        (
            "08/03/2017 09:00",
            "2017-03-08T09:00",
            "from 8 March 2017, but mcs/a.csv is from 3 August 2017. Values left empty. Day and month",
        ),
        (
            "08/03/2017 09:00",
            "2017-08-09T09:00",
            "from 9 August 2017, but mcs/a.csv is from 3 August 2017. Values left empty. Correct",
        ),
        (
            "08/03/2017 09:00",
            "2017-08-03T11:00",
            "11:00 UTC, but mcs/a.csv begins at 09:00 UTC. Values left empty. A time zone may be wrong: set time_zone",
        ),
    ],
)
def test_that_phases_on_other_days_give_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], sampled: str, start: str, words: str
) -> None:
    phases = [(name, start, start[:-1] + "9") for name in ("boot", "logon", "steady")]
    answer = summary(lab(tmp_path / "lab", sampled, *phases), capsys)
    (problem,) = told(answer, "phase-not-measured")
    assert words in f"{problem['message']} {done_words(problem['action'])}"
    assert {phase["total_io"] for phase in answer["runs"][0]["phases"]} == {None}


def test_that_a_phase_with_samples_is_a_separate_cause(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    phases = ("boot", "2017-08-03T09:00", "2017-08-03T09:09"), ("patch", "2017-03-08T09:00", "2017-03-08T09:09")
    (problem,) = told(summary(lab(tmp_path / "lab", "08/03/2017 09:00", *phases), capsys), "phase-not-measured")
    assert problem["message"] == snapshot


def test_that_a_run_of_unknown_files_names_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    folder = lab(tmp_path / "lab", "08/03/2017 09:00", ("boot", "2017-08-03T09:00", "2017-08-03T09:09"))
    (folder / "mcs" / "odd.dat").write_bytes(b"\x01\x02what is this\x03")
    assert not told(summary(folder, capsys), "run-without-data")
    (folder / "mcs" / "a.csv").write_text("Zeit wie immer\nviel los\n", encoding="utf-8")
    (problem,) = told(summary(folder, capsys), "run-without-data")
    assert problem["file"] == "mcs"
    assert problem["message"] == snapshot
