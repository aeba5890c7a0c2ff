"""Many files with the same problem print one line with a count."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.builders import perfmon_csv
from workbench.answers.common.causes import alike
from workbench.cli import main
from workbench.model.problem import Problem, Severity

FILES = 60


@pytest.fixture(autouse=True)
def own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(tmp_path / "store"))


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """fio logs without a start time."""
    folder = tmp_path / "fio"
    folder.mkdir()
    for number in range(FILES):
        lines = (f"{second * 1000}, {100 + second}, 0, 4096, 0\n" for second in range(5))
        (folder / f"job_bw.{number}.log").write_text("".join(lines))
    return folder


def test_that_a_folder_of_logs_prints_one_line_for_each_cause(
    logs: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    assert main(["inspect", str(logs)]) == 0
    lines = capsys.readouterr().out.splitlines()
    told = [line for line in lines if line.startswith(("info:", "warning:"))]
    assert len(told) == len({line.split(":")[2] for line in told})
    assert told[0] == snapshot
    assert told[0].endswith(f". The same applies to {FILES - 1} other files.")
    for number in range(1, FILES):
        assert sum(f"job_bw.{number}.log" in line for line in lines) == 1


def test_that_json_contains_every_problem(logs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", str(logs), "--format", "json"]) == 0
    problems = json.loads(capsys.readouterr().out)["problems"]
    assert {problem["file"] for problem in problems} >= {f"job_bw.{number}.log" for number in range(FILES)}


def test_that_the_report_page_shows_each_cause_once(tmp_path: Path, logs: Path) -> None:
    page = tmp_path / "page.html"
    assert main(["export", str(logs), "-o", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    assert text.count("The log counts time from the start of its job") < 5
    assert f"The same applies to {FILES - 1} other places" in text


def test_that_rejected_files_are_listed_after_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    for number in range(4):
        (tmp_path / "lab" / "run").mkdir(parents=True, exist_ok=True)
        (tmp_path / "lab" / "run" / f"W10-00{number}.csv").write_text('"(PDH-CSV 4.0) (UTC)(0)","\\\\A\\B\\C"\n')
    perfmon_csv(tmp_path / "lab" / "run" / "good.csv", {r"\\A\System\Processes": [1.0, 2.0]})
    assert main(["summary", str(tmp_path / "lab")]) == 1
    (refused,) = capsys.readouterr().err.splitlines()
    assert refused == snapshot


def _problem(file: str, message: str, action: str = "left out", line: int | None = None) -> Problem:
    return Problem(Severity.WARNING, file, "code", message, action, line)


def test_that_causes_are_grouped_by_their_action_and_not_by_names_and_numbers(snapshot: SnapshotAssertion) -> None:
    problems = [
        _problem("a.csv", "Line 3 is odd.", "3 cells left empty", 3),
        _problem("a.csv", "Line 9 is odd.", "2 cells left empty", 9),
        _problem("b.csv", "Line 9 is odd.", "row rejected"),
        _problem("c.csv", "Line 4 is odd.", "7 cells left empty", 4),
    ]
    first, second = alike(problems, {"a.csv": "file", "c.csv": "file"})
    assert (first.first, first.count, first.places) == (problems[0], 3, ("a.csv", "c.csv"))
    assert first.more() == snapshot
    assert (second.first, second.more()) == (problems[2], "")
    assert alike(problems[:2], {"a.csv": "file"})[0].more() == snapshot


def test_that_problems_of_runs_are_counted_by_run(snapshot: SnapshotAssertion) -> None:
    problems = [_problem(f"mcs-{number}", "No samples.") for number in range(8)]
    assert alike(problems, {problem.file: "run" for problem in problems})[0].more() == snapshot
    assert alike(problems)[0].more() == snapshot
    assert alike(problems[:3])[0].more() == snapshot


def test_that_sentences_with_one_code_stay_separate_until_there_are_many() -> None:
    few = [_problem("a.csv", f"'{name}' is odd.") for name in ("one", "two", "three")]
    assert [cause.count for cause in alike(few)] == [1, 1, 1]
    many = [_problem("a.csv", f"'{'x' * length}' is odd.") for length in range(1, 20)]
    assert [cause.count for cause in alike(many)] == [19]
