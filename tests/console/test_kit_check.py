"""`vdiwb kit --check`: the questions that results can answer, and the missing counters, on the console."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.answers.prepare.labs import lab
from tests.replies import faults, schema
from workbench.cli import main

SAMPLE = Path(__file__).parents[2] / "sample_data"


def test_that_json_has_counter_and_machines_and_the_action(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = lab(tmp_path, ("% Processor Time",), of=("W10-002",))
    assert main(["kit", "--check", str(folder), "--format", "json"]) == 0
    reply = json.loads(capsys.readouterr().out)
    assert not faults(reply, schema("kit-check"))
    (study,) = reply["studies"]
    standings = {each["question"]: each["standing"] for each in study["questions"]}
    assert standings["iops"] == "answered"
    assert standings["cpu"] == "in part"
    (run,) = next(each for each in study["questions"] if each["question"] == "cpu")["runs"]
    (gap,) = [gap for gap in run["missing"] if gap["needed"]]
    assert gap["counters"] == [{"tool": "perfmon", "name": r"\Processor(_Total)\% Processor Time"}]
    assert (gap["kind"], gap["collect_on"], gap["vms"], gap["vms_lacking"], gap["vms_total"]) == (
        "missing in VMs",
        "guest",
        ["W10-002"],
        1,
        3,
    )


def test_that_a_single_log_of_two_minutes_is_judged_as_a_trial(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = lab(tmp_path, ("Cache disk used", "sec/Read"), rows=8, manifest=False, events=False)
    file = folder / "mcsio-512" / "guest" / "W10-001.csv"
    assert main(["kit", "--check", str(file), "--question", "overflow", "--question", "latency"]) == 0
    out = capsys.readouterr().out
    assert r"\Citrix MCS Storage Driver\Cache disk used' is recorded in the VMs" in out
    assert r"Not recorded in the VMs: '\PhysicalDisk(*)\Avg. Disk sec/Read'" in out
    assert "VSImax" not in out


def test_that_a_trial_without_a_cache_counter_names_the_counter_for_mcsio(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    folder = lab(tmp_path, ("memory used", "disk used"), rows=8, manifest=False, events=False)
    (folder / "mcsio-512").rename(folder / "trial")
    assert main(["kit", "--check", str(folder / "trial" / "guest" / "W10-001.csv"), "--question", "overflow"]) == 0
    out = capsys.readouterr().out
    assert out == snapshot
    assert r"MCSIO needs " in out
    assert r"\Citrix MCS Storage Driver\Cache disk used" in out


def test_that_excluded_runs_are_not_reported_as_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = lab(tmp_path)
    stated = folder / "mcsio-512" / "run.toml"
    stated.write_text('exclude = "wrong image"\n' + stated.read_text())
    assert main(["kit", "--check", str(folder)]) == 0
    out = capsys.readouterr().out
    assert "All runs are excluded" in out
    assert "There are no runs" not in out


def test_that_a_folder_of_storage_tests_answers_the_question_on_storage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kit", "--check", str(SAMPLE / "storage-benchmarks"), "--format", "json"]) == 0
    (study,) = json.loads(capsys.readouterr().out)["studies"]
    assert [(each["question"], each["standing"]) for each in study["questions"]] == [("storage-limit", "answered")]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--check",), "--check requires a path"),
        (("--check", "SAMPLE", "-o", "kit"), "cannot be combined"),
        (("--check", "SAMPLE", "--question", "what"), "There is no question 'what'"),
    ],
)
def test_that_folders_that_cannot_be_checked_are_rejected(
    arguments: tuple[str, ...], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    study = str(SAMPLE / "windows-7-mcs-and-pvs")
    assert main(["kit", *(study if word == "SAMPLE" else word for word in arguments)]) == 2
    assert words in capsys.readouterr().err
