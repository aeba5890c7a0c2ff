"""`vdiwb check`: the verdicts in every format, and an exit status that can stop a build."""

from __future__ import annotations

import csv
import io
import json
import shutil
import zipfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.builders import disk_csv
from workbench.answers.common.spec import LIMIT_FAILED, OK, SOME_REFUSED, USAGE
from workbench.answers.limits.file import FILE, TEXT
from workbench.cli import main
from workbench.console.loading import load_studies
from workbench.session.bundle import save_bundle
from workbench.session.document import SessionDocument, save_session
from workbench.session.state import State
from workbench.study.store.column_store import default_store

SAMPLE = Path(__file__).parents[2] / "sample_data"
SWEEP = SAMPLE / "rds-mcsio-cache-sweep"
PASSES = '[[limits]]\nmeasure = "iops_per_vm"\nphase = "steady"\nat_most = 900\n'
FAILS = PASSES.replace("900", "1")
OPEN = PASSES.replace("iops_per_vm", "cpu_percent")


@pytest.fixture(autouse=True)
def own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(tmp_path / "store"))


def runs_of(folder: Path, configuration: str = "MCS", more: str = "") -> Path:
    """A folder with three runs of one VM, steady from 09:01 to 09:04: about 24 IOPS."""
    for number in (1, 2, 3):
        run = folder / f"mcs-{number}"
        disk_csv(run / "V1.csv", "V1", [8.0 + number / 10] * 24, [16.0] * 24)
        (run / "run.toml").write_text(
            f'configuration = "{configuration}"\n{more}[[phases]]\nname = "steady"\n'
            "start = 2016-05-10T09:01:00+01:00\nend = 2016-05-10T09:04:00+01:00\n"
        )
    return folder


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    """Three runs of one configuration."""
    return runs_of(tmp_path / "lab")


def stated(lab: Path, *limits: str) -> str:
    (lab / "limits.toml").write_text("\n".join(limits))
    return str(lab)


def test_that_the_sample_has_passed_and_failed_and_inconclusive_checks(
    capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    assert main(["check", str(SWEEP), "--format", "json"]) == LIMIT_FAILED
    answer = json.loads(capsys.readouterr().out)
    assert (answer["schema"], answer["failed"]) == ("vdi-workbench/check/1", True)
    assert answer["counts"] == {"pass": 9, "fail": 8, "not_shown": 1, "inconclusive": 1}
    rows = {(row["measure"], row["configuration"]): row for row in answer["checks"]}
    open_one = rows["read_latency_p95_ms", "MCSIO 512 MB"]
    assert (open_one["verdict"], open_one["reason"]) == snapshot
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
def test_that_the_exit_status_reflects_the_results(
    lab: Path, capsys: pytest.CaptureFixture[str], limits: tuple[str, ...], options: tuple[str, ...], status: int
) -> None:
    for form in ("table", "json", "csv", "junit"):
        assert main(["check", stated(lab, *limits), "--format", form, *options]) == status
        error = capsys.readouterr().err
        assert ("limits.toml:7" in error and "Did you mean 'iops_per_vm'?" in error) is (
            "iops_per_wm" in "".join(limits)
        )


def test_that_an_exceeded_limit_takes_precedence_over_a_rejected_file(
    lab: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (lab / "mcs-1" / "broken.json").write_text('{"fio version": "fio-3.1", "jobs": [')
    assert main(["check", stated(lab, PASSES)]) == SOME_REFUSED
    assert main(["check", stated(lab, FAILS)]) == LIMIT_FAILED
    assert "broken.json" in capsys.readouterr().err


def test_that_results_without_limits_are_a_usage_error(
    lab: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    assert main(["check", str(lab)]) == USAGE
    assert capsys.readouterr().err == snapshot
    assert main(["check", str(lab), "--limits", str(lab / "none.toml")]) == USAGE
    assert "cannot be read" in capsys.readouterr().err


def test_that_a_limits_file_argument_overrides_the_limits_of_the_study(lab: Path, tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(PASSES)
    assert main(["check", stated(lab, FAILS), "--limits", str(own)]) == OK


def test_that_a_workspace_file_contains_its_limits(
    lab: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state = State(inputs=((TEXT, PASSES), (FILE, "agreed.toml")))
    save_session(tmp_path / "review.vdiwb", SessionDocument(state=state, paths=(stated(lab, FAILS),)))
    assert main(["check", str(tmp_path / "review.vdiwb"), "--format", "json"]) == OK
    assert json.loads(capsys.readouterr().out)["limits"] == [{"study": "lab", "file": "agreed.toml", "limits": 1}]


def test_that_a_bundle_keeps_the_limits_of_its_study(lab: Path, tmp_path: Path) -> None:
    stated(lab, FAILS)
    (study,) = load_studies([lab], default_store())
    save_bundle(tmp_path / "lab.vdibundle", SessionDocument(paths=(study.folder,)), (study,), ())
    shutil.rmtree(lab)
    assert main(["check", str(tmp_path / "lab.vdibundle")]) == LIMIT_FAILED


def test_that_limits_in_an_archive_are_used(lab: Path, tmp_path: Path) -> None:
    stated(lab, FAILS)
    packed = shutil.make_archive(str(tmp_path / "lab"), "zip", lab)
    assert "limits.toml" in zipfile.ZipFile(packed).namelist()
    assert main(["check", packed]) == LIMIT_FAILED


def test_that_a_limits_file_is_not_part_of_a_run_and_not_reported_as_unknown(
    lab: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["inspect", stated(lab, PASSES), "--format", "json"]) == OK
    answer = json.loads(capsys.readouterr().out)
    (file,) = (file for file in answer["files"] if file["path"] == "limits.toml")
    assert (file["reader"], file["recognised"]) == ("limits.toml", True)
    assert not [problem for problem in answer["problems"] if problem["file"] == "limits.toml"]
    assert main(["summary", str(lab), "--format", "json"]) == OK
    assert len(json.loads(capsys.readouterr().out)["runs"]) == 3


def test_that_junit_contains_the_counts_that_a_build_server_shows(lab: Path, tmp_path: Path) -> None:
    file = tmp_path / "limits.xml"
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


def test_that_an_unwritable_path_leaves_no_file(lab: Path, capsys: pytest.CaptureFixture[str]) -> None:
    taken = lab / "mcs-1"
    assert main(["check", stated(lab, PASSES), "-o", str(taken)]) == USAGE
    assert "is a folder" in capsys.readouterr().err
    assert main(["check", str(lab), "-o", str(lab / "none" / "limits.json")]) == USAGE
    assert "does not exist" in capsys.readouterr().err


def answered(capsys: pytest.CaptureFixture[str], *arguments: str | Path, status: int) -> dict[str, Any]:
    """The JSON of `vdiwb check`, which must end with this status."""
    capsys.readouterr()
    assert main(["check", *map(str, arguments), "--format", "json"]) == status
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    return answer


@pytest.mark.parametrize("kinds", [("MCS", "MCS"), ("MCS", "MCSIO")])
def test_that_two_studies_with_the_same_name_are_both_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kinds: tuple[str, str]
) -> None:
    before, after = (runs_of(tmp_path / place / "lab", kind) for place, kind in zip(("x", "y"), kinds, strict=True))
    for folder in (before, after):
        other = runs_of(folder / "other", "PVS")
        for run in other.iterdir():
            run.rename(folder / f"other-{run.name}")
        other.rmdir()
    stated(before, PASSES)
    stated(after, FAILS)
    for order in ((before, after), (after, before)):
        answer = answered(capsys, *order, status=LIMIT_FAILED)
        assert answer["counts"] == {"pass": 2, "fail": 2, "not_shown": 0, "inconclusive": 0}
        verdicts = {(row["study"], row["verdict"]) for row in answer["checks"]}
        assert verdicts == {("x/lab", "pass"), ("y/lab", "fail")}


@pytest.mark.parametrize("names", [("lab", "lab"), ("before", "after")])
def test_that_studies_opened_as_one_are_checked_with_the_limits_of_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], names: tuple[str, str]
) -> None:
    folders = [runs_of(tmp_path / place / name, place) for place, name in zip("xy", names, strict=True)]
    stated(folders[0], PASSES)
    stated(folders[1], FAILS)
    for order in (folders, folders[::-1]):
        answer = answered(capsys, *order, status=LIMIT_FAILED)
        rows = [(row["configuration"], row["bound"], row["verdict"]) for row in answer["checks"]]
        assert sorted(rows) == [("x", 1, "fail"), ("x", 900, "pass"), ("y", 1, "fail"), ("y", 900, "pass")]
        assert len({row["file"] for row in answer["checks"]}) == 2


def test_that_a_configuration_in_two_studies_is_checked_in_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, after = (runs_of(tmp_path / name) for name in ("before", "after"))
    stated(before, PASSES)
    stated(after, FAILS)
    answer = answered(capsys, before, after, status=LIMIT_FAILED)
    rows = [(row["study"], row["n"], row["verdict"]) for row in answer["checks"]]
    assert sorted(rows) == [("after", 3, "fail"), ("before", 3, "pass")]
    # Runs with separately named folders are runs of one configuration.
    stated(before, PASSES)
    runs = sorted(each for each in before.iterdir() if each.is_dir())
    answer = answered(capsys, *runs, "--limits", before / "limits.toml", status=OK)
    assert [(row["n"], row["verdict"]) for row in answer["checks"]] == [(3, "pass")]


@pytest.mark.parametrize(
    ("written", "status", "words"),
    [
        (PASSES.replace("\n", "\r\n").encode(), OK, ""),
        (b"\xef\xbb\xbf" + PASSES.encode(), OK, ""),
        (PASSES.encode("utf-16"), USAGE, "Save it as UTF-8"),
        (PASSES.encode() * 2000, USAGE, "larger than 64 KB"),
        (f'{PASSES}name = "<b>x</b> [red]y[/red]"\n'.encode(), OK, ""),
        (PASSES.replace("steady", "av-scan").encode(), USAGE, "names the phase 'av-scan', but these runs have "),
    ],
)
def test_that_limits_files_of_unusual_kinds_are_read_or_rejected_with_the_reason(
    lab: Path, capsys: pytest.CaptureFixture[str], written: bytes, status: int, words: str, snapshot: SnapshotAssertion
) -> None:
    (lab / "limits.toml").write_bytes(written)
    assert main(["check", str(lab)]) == status
    printed = capsys.readouterr()
    assert words in printed.err
    if "<b>" in written.decode("latin-1"):
        assert printed.out == snapshot


def test_that_a_workspace_file_keeps_its_limits_without_the_limits_file(lab: Path, tmp_path: Path) -> None:
    state = State(inputs=((TEXT, FAILS), (FILE, str(tmp_path / "gone" / "limits.toml"))))
    save_session(tmp_path / "review.vdiwb", SessionDocument(state=state, paths=(str(lab),)))
    assert main(["check", str(tmp_path / "review.vdiwb")]) == LIMIT_FAILED
    assert main(["findings", str(tmp_path / "review.vdiwb")]) == OK


def test_that_findings_of_a_workspace_file_use_its_limits(
    lab: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save_session(
        tmp_path / "a.vdiwb", SessionDocument(state=State(inputs=((TEXT, FAILS),)), paths=(stated(lab, PASSES),))
    )
    for path, words in ((tmp_path / "a.vdiwb", "does not meet the limit"), (lab, "MCS meets the limit")):
        assert main(["findings", str(path), "--format", "json"]) == OK
        (found,) = (each for each in json.loads(capsys.readouterr().out)["findings"] if each["kind"] == "limits")
        assert words in found["text"]


def test_that_a_study_without_limits_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    here, bare = (runs_of(tmp_path / name) for name in ("here", "bare"))
    for folder in (here, bare):
        shutil.copytree(folder / "mcs-1", folder / "pvs-1")
        file = folder / "pvs-1" / "run.toml"
        file.write_text(file.read_text().replace("MCS", "PVS"))
    stated(here, PASSES)
    assert main(["check", str(here), str(bare)]) == OK
    assert capsys.readouterr().err == snapshot
    answer = answered(capsys, here, bare, status=OK)
    (problem,) = (problem for problem in answer["problems"] if problem["code"] == "limits-missing")
    assert (problem["file"], problem["action"]) == ("bare", "study not checked; add a limits.toml, or use --limits")
    file = tmp_path / "limits.xml"
    assert main(["check", str(here), str(bare), "--format", "junit", "-o", str(file)]) == OK
    suites = ElementTree.parse(file).getroot()
    named = [(suite.get("name"), suite.get("tests"), suite.get("skipped")) for suite in suites]
    assert named == [("here", "2", "1"), ("bare", "1", "1")]
    assert "There is no limits.toml" in (suites[1][0][0].get("message") or "")
    assert (suites.get("tests"), suites.get("skipped")) == ("3", "2")


def test_that_a_study_with_all_runs_excluded_is_inconclusive(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = stated(runs_of(tmp_path / "lab", more='exclude = "wrong build"\n'), PASSES, FAILS)
    answer = answered(capsys, folder, status=OK)
    assert answer["counts"] == {"pass": 0, "fail": 0, "not_shown": 2, "inconclusive": 2}
    assert {row["reason"] for row in answer["checks"]} == {"every run is excluded"}
    assert main(["check", folder, "--strict"]) == LIMIT_FAILED
    file = tmp_path / "limits.xml"
    assert main(["check", folder, "--format", "junit", "-o", str(file)]) == OK
    assert ElementTree.parse(file).getroot().get("skipped") == "2"


def test_that_limits_in_a_parent_folder_apply_to_studies_without_limits(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lab, other = (runs_of(tmp_path / "results" / name) for name in ("lab", "other"))
    for folder in (lab, other):
        shutil.copytree(folder / "mcs-1", folder / "pvs-1")
        file = folder / "pvs-1" / "run.toml"
        file.write_text(file.read_text().replace("MCS", "PVS"))
    results = stated(tmp_path / "results", FAILS)
    answer = answered(capsys, results, status=LIMIT_FAILED)
    assert {(row["study"], row["bound"]) for row in answer["checks"]} == {("lab", 1), ("other", 1)}
    stated(lab, PASSES)
    answer = answered(capsys, results, status=LIMIT_FAILED)
    assert {(row["study"], row["bound"]) for row in answer["checks"]} == {("lab", 900), ("other", 1)}
    assert main(["check", str(lab)]) == OK
    packed = shutil.make_archive(str(tmp_path / "packed"), "zip", tmp_path / "results")
    answer = answered(capsys, packed, status=LIMIT_FAILED)
    assert {(row["study"], row["bound"]) for row in answer["checks"]} == {("lab", 900), ("other", 1)}


def test_that_a_limits_file_in_a_run_folder_is_a_problem_with_the_right_place(
    lab: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    (lab / "mcs-1" / "limits.toml").write_text(PASSES)
    assert main(["check", str(lab)]) == USAGE
    assert main(["inspect", str(lab), "--format", "json"]) == OK
    problems = json.loads(capsys.readouterr().out)["problems"]
    (problem,) = (problem for problem in problems if problem["code"] == "limits-unused")
    assert problem["file"] == "mcs-1/limits.toml"
    assert problem["message"] == snapshot


def test_that_an_empty_limits_file_does_not_pass(lab: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty = tmp_path / "empty.toml"
    empty.write_text("# agreed on: nothing yet\n", encoding="utf-8")
    assert main(["check", str(lab), "--limits", str(empty)]) == 2
    assert "empty.toml contains no limit" in capsys.readouterr().err


def test_that_an_unknown_phase_is_an_error_with_its_line(
    lab: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    typed = PASSES.replace("steady", "staedy")
    assert main(["check", stated(lab, PASSES, typed), "--format", "json"]) == USAGE
    streams = capsys.readouterr()
    answer = json.loads(streams.out)
    assert [row["verdict"] for row in answer["checks"]] == ["pass"]
    (problem,) = (row for row in answer["problems"] if row["code"] == "limit-unreadable")
    words = (
        "Limit 2 names the phase 'staedy', but these runs have only steady.",
        "limit not checked; did you mean 'steady'?",
    )
    assert ((problem["message"], problem["action"]), problem["line"]) == (words, 8)
    assert words[0] in streams.err
    # A standard phase is not a typing error: the file may be for studies with other phases.
    assert main(["check", stated(lab, PASSES.replace("steady", "boot"))]) == OK
    assert capsys.readouterr().out == snapshot


def test_that_limits_that_contradict_each_other_are_an_error_in_every_format(
    lab: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    least = PASSES.replace("at_most = 900", "at_least = 901") + 'configurations = ["MCS"]\n'
    path = stated(lab, PASSES, least)
    assert main(["check", path, "--format", "json"]) == LIMIT_FAILED
    streams = capsys.readouterr()
    (problem,) = (row for row in json.loads(streams.out)["problems"] if row["code"] == "limits-contradict")
    assert (problem["file"], problem["line"], problem["action"]) == ("limits.toml", 6, "both checked; correct one")
    assert problem["message"] in streams.err
    assert main(["check", path, "--format", "junit"]) == LIMIT_FAILED
    errors = ElementTree.fromstring(capsys.readouterr().out).findall(".//error")
    assert [error.get("type") for error in errors] == ["limits-contradict"]
    # Without measurements no limit fails; the only error is the file.
    assert main(["check", stated(lab, *(one.replace("steady", "boot") for one in (PASSES, least)))]) == USAGE
