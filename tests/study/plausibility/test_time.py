"""Recordings that never overlap are not one run, and a slower sampling rate is not a gap."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.builders import disk_csv
from tests.study.plausibility.damaged import summary, told
from workbench.study.series.segments import spans

STEADY = '\n[[phases]]\nname = "steady"\nstart = 2016-05-10T08:00:00Z\nend = 2016-05-10T09:00:00Z\n'


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(tmp_path / "store"))


def capture(run: Path, name: str, vm: str, start: str, rows: int = 60) -> None:
    rates = [10.0 + n % 5 for n in range(rows)]
    disk_csv(run / f"{name}.csv", vm, rates, rates, start=f"{start}:00.000")


@pytest.mark.parametrize(
    ("other", "start", "mixed"),
    [
        ("B", "05/10/2016 09:00", False),
        ("B", "05/10/2016 09:10", False),
        ("B", "05/10/2016 10:00", True),  # another machine an hour later
        ("A", "05/10/2016 09:20", False),  # the next segment of the same capture
        ("A", "05/10/2016 14:00", False),
        ("A", "05/11/2016 09:00", True),  # the same machine on another day
        ("A", "03/08/2017 09:00", True),
    ],
)
def test_that_recordings_that_never_overlap_do_not_form_a_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], other: str, start: str, mixed: bool
) -> None:
    run = tmp_path / "lab" / "mcs"
    capture(run, "one", "A", "05/10/2016 09:00")
    capture(run, "two", other, start)
    answer = summary(tmp_path / "lab", capsys)
    problems = told(answer, "runs-mixed")
    assert len(problems) == mixed
    assert bool(answer["runs"][0]["excluded"]) == mixed
    if mixed:
        assert "one.csv" in problems[0]["message"]
        assert "two.csv" in problems[0]["message"]


def test_that_a_stated_phase_over_both_recordings_makes_one_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "lab" / "mcs"
    capture(run, "one", "A", "05/10/2016 09:00")
    capture(run, "two", "B", "05/10/2016 09:30")
    assert told(summary(tmp_path / "lab", capsys), "runs-mixed")
    (run / "run.toml").write_text('configuration = "MCS"' + STEADY, encoding="utf-8")
    answer = summary(tmp_path / "lab", capsys)
    assert not told(answer, "runs-mixed")
    assert answer["runs"][0]["excluded"] is None


def test_that_consecutive_captures_are_joined(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Three machines that boot one after the other: the first and the last never overlap, the second overlaps with
    both."""
    run = tmp_path / "lab" / "mcs"
    for vm, start in (("A", "09:00"), ("B", "09:10"), ("C", "09:20")):
        capture(run, vm, vm, f"05/10/2016 {start}")
    assert not told(summary(tmp_path / "lab", capsys), "runs-mixed")


def test_that_a_slower_sampling_keeps_its_samples() -> None:
    times = np.cumsum([0.0, *[5.0] * 100, *[60.0] * 30, *[5.0] * 20])
    assert spans(times).sum() == pytest.approx(5.0 + 100 * 5 + 30 * 60 + 20 * 5)


@pytest.mark.parametrize("gaps", [[60.0], [60.0, 60.0], [60.0, 600.0, 60.0], [60.0, 5.0, 60.0, 5.0, 60.0]])
def test_that_gaps_contribute_no_io(gaps: list[float]) -> None:
    times = np.cumsum([0.0, *[5.0] * 100, *gaps, *[5.0] * 100])
    assert spans(times).sum() == pytest.approx(5.0 + 200 * 5 + 5.0 * gaps.count(5.0))


def test_that_a_change_of_sampling_inside_a_file_loses_no_io(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "lab" / "mcs"
    rates = [10.0 + n % 5 for n in range(200)]
    path = disk_csv(run / "a.csv", "A", rates, rates, step_s=5.0)
    head, *lines = path.read_text("ascii").splitlines()
    slow = disk_csv(tmp_path / "b.csv", "A", rates[:40], rates[:40], step_s=60.0, start="05/10/2016 09:17:35.000")
    path.write_text("\n".join([head, *lines, *slow.read_text("ascii").splitlines()[1:]]) + "\n", encoding="ascii")
    (run / "run.toml").write_text('configuration = "MCS"' + STEADY, encoding="utf-8")
    answer = summary(tmp_path / "lab", capsys)
    (problem,) = told(answer, "pace-changes")
    assert (problem["severity"], problem["line"], problem["file"]) == ("info", 202, "mcs/a.csv")
    (steady,) = answer["runs"][0]["phases"]
    truth = 2 * (5 * sum(rates[1:]) + 60 * sum(rates[:40]))
    assert steady["total_io"] == pytest.approx(truth)
