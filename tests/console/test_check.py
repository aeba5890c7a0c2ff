"""`vdiwb check`: the verdicts in every format, and an exit status that a build can stop at."""

from __future__ import annotations

import csv
import io
import json
import shutil
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.builders import disk_csv
from workbench.answers.limits.chosen import FILE, TEXT
from workbench.cli import main
from workbench.console.exit_status import LIMIT_FAILED, OK, SOME_REFUSED, USAGE
from workbench.session.document import Document, save_session
from workbench.session.state import State

SAMPLE = Path(__file__).parents[2] / "sample_data"
SWEEP = SAMPLE / "rds-mcsio-cache-sweep"
PASSES = '[[limits]]\nmeasure = "iops_per_vm"\nphase = "steady"\nat_most = 900\n'
FAILS = PASSES.replace("900", "1")
OPEN = PASSES.replace("iops_per_vm", "cpu_percent")


@pytest.fixture(autouse=True)
def own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(tmp_path / "store"))


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    """Three runs of one VM, steady from 09:01 to 09:04: about 24 IOPS."""
    for number in (1, 2, 3):
        folder = tmp_path / "lab" / f"mcs-{number}"
        disk_csv(folder / "V1.csv", "V1", [8.0 + number / 10] * 24, [16.0] * 24)
        (folder / "run.toml").write_text(
            'configuration = "MCS"\n[[phases]]\nname = "steady"\n'
            "start = 2016-05-10T09:01:00+01:00\nend = 2016-05-10T09:04:00+01:00\n"
        )
    return tmp_path / "lab"


def stated(lab: Path, *limits: str) -> str:
    (lab / "limits.toml").write_text("\n".join(limits))
    return str(lab)


def test_that_the_sample_passes_fails_and_is_not_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(SWEEP), "--format", "json"]) == LIMIT_FAILED
    answer = json.loads(capsys.readouterr().out)
    assert (answer["schema"], answer["failed"]) == ("vdi-workbench/check/1", True)
    assert answer["counts"] == {"pass": 9, "fail": 8, "not_shown": 1}
    rows = {(row["measure"], row["configuration"]): row for row in answer["checks"]}
    open_one = rows["read_latency_p95_ms", "MCSIO 512 MB"]
    assert (open_one["verdict"], open_one["reason"]) == ("not shown", "the 95 % interval crosses the limit")
    assert open_one["low"] < open_one["bound"] < open_one["high"]
    assert main(["compare", str(SWEEP), "--format", "json"]) == OK
    differences = json.loads(capsys.readouterr().out)["differences"]
    for row in (row for row in answer["checks"] if row["against"]):
        (same,) = (
            other
            for other in differences
            if (other["configuration"], other["phase"], other["metric"])
            == (row["configuration"], row["phase"], row["measure"])
        )
        keys = ("change_percent", "low_percent", "high_percent")
        assert [row["value"], row["low"], row["high"]] == [same[key] for key in keys]


@pytest.mark.parametrize(
    ("limits", "options", "status"),
    [
        ((PASSES,), (), OK),
        ((PASSES, OPEN), (), OK),
        ((PASSES, OPEN), ("--strict",), LIMIT_FAILED),
        ((PASSES, FAILS), (), LIMIT_FAILED),
        ((PASSES, PASSES.replace("iops_per_vm", "iops_per_wm")), (), USAGE),
        ((FAILS, PASSES.replace("iops_per_vm", "iops_per_wm")), (), LIMIT_FAILED),
    ],
)
def test_that_the_exit_status_says_what_came_of_it(
    lab: Path, capsys: pytest.CaptureFixture[str], limits: tuple[str, ...], options: tuple[str, ...], status: int
) -> None:
    for form in ("table", "json", "csv", "junit"):
        assert main(["check", stated(lab, *limits), "--format", form, *options]) == status
        error = capsys.readouterr().err
        assert ("limits.toml:7" in error and "did you mean 'iops_per_vm'?" in error) is (
            "iops_per_wm" in "".join(limits)
        )


def test_that_a_broken_limit_outranks_a_refused_file(lab: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (lab / "mcs-1" / "broken.json").write_text('{"fio version": "fio-3.1", "jobs": [')
    assert main(["check", stated(lab, PASSES)]) == SOME_REFUSED
    assert main(["check", stated(lab, FAILS)]) == LIMIT_FAILED
    assert "broken.json" in capsys.readouterr().err


def test_that_results_without_limits_are_a_usage_error(lab: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(lab)]) == USAGE
    assert "Name a file of limits with --limits" in capsys.readouterr().err
    assert main(["check", str(lab), "--limits", str(lab / "none.toml")]) == USAGE
    assert "cannot be read" in capsys.readouterr().err


def test_that_a_file_named_goes_before_the_limits_of_the_study(lab: Path, tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(PASSES)
    assert main(["check", stated(lab, FAILS), "--limits", str(own)]) == OK


def test_that_a_workspace_file_brings_its_limits(lab: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state = State(inputs=((TEXT, PASSES), (FILE, "agreed.toml")))
    save_session(tmp_path / "review.vdiwb", Document(state=state, paths=(stated(lab, FAILS),)))
    assert main(["check", str(tmp_path / "review.vdiwb"), "--format", "json"]) == OK
    assert json.loads(capsys.readouterr().out)["limits"] == [{"study": "lab", "file": "agreed.toml", "limits": 1}]


def test_that_limits_in_an_archive_count(lab: Path, tmp_path: Path) -> None:
    stated(lab, FAILS)
    packed = shutil.make_archive(str(tmp_path / "lab"), "zip", lab)
    assert "limits.toml" in zipfile.ZipFile(packed).namelist()
    assert main(["check", packed]) == LIMIT_FAILED


def test_that_a_limits_file_is_part_of_no_run_and_no_stranger(lab: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", stated(lab, PASSES), "--format", "json"]) == OK
    answer = json.loads(capsys.readouterr().out)
    (file,) = (file for file in answer["files"] if file["path"] == "limits.toml")
    assert (file["reader"], file["recognised"]) == ("limits.toml", True)
    assert not [problem for problem in answer["problems"] if problem["file"] == "limits.toml"]
    assert main(["summary", str(lab), "--format", "json"]) == OK
    assert len(json.loads(capsys.readouterr().out)["runs"]) == 3


def test_that_junit_counts_what_a_build_server_shows(lab: Path, tmp_path: Path) -> None:
    file = tmp_path / "out" / "limits.xml"
    hostile = PASSES + 'name = "<b>&\\"\\u0000\\u001b]]>"\n'
    typo = PASSES.replace("iops_per_vm", "iops_per_wm")
    line = ["check", stated(lab, hostile, FAILS, OPEN, typo), "--format", "junit", "-o", str(file)]
    assert main(line) == LIMIT_FAILED
    suites = ElementTree.parse(file).getroot()
    (suite,) = suites
    for element in (suites, suite):
        counts = {key: element.get(key) for key in ("tests", "failures", "errors", "skipped")}
        assert counts == {"tests": "4", "failures": "1", "errors": "1", "skipped": "1"}
    assert suite[0].get("name", "").startswith('<b>&"')
    assert [case[0].tag for case in suite] == ["system-out", "failure", "skipped", "error"]
    assert "mcs-1: 24.1" in (suite[1][0].text or "")
    assert main([*line, "--strict"]) == LIMIT_FAILED
    assert ElementTree.parse(file).getroot().get("failures") == "2"


def test_that_csv_has_a_row_for_each_check(lab: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", stated(lab, PASSES, FAILS), "--format", "csv"]) == LIMIT_FAILED
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["verdict"], row["bound"], row["n"]) for row in rows] == [("pass", "900.0", "3"), ("fail", "1.0", "3")]


def test_that_nothing_is_written_where_the_place_cannot_be(lab: Path, capsys: pytest.CaptureFixture[str]) -> None:
    taken = lab / "mcs-1"
    assert main(["check", stated(lab, PASSES), "-o", str(taken)]) == USAGE
    assert "Stopped" in capsys.readouterr().err
