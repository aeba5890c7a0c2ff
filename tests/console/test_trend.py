"""`vdiwb trend` on files: the build with the step, in every format."""

from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.answers.trend.weeks import drifting, lab, stepped
from workbench.answers.common.spec import OK, SOME_REFUSED, USAGE
from workbench.cli import main


@pytest.fixture(autouse=True)
def own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(tmp_path / "store"))


@pytest.fixture
def weeks(tmp_path: Path) -> Path:
    """Twelve builds: a step of MCS at the eighth, a drift of PVS."""
    lab(tmp_path / "lab", stepped(7, 0.12))
    return lab(tmp_path / "lab", drifting(0.2, level=40.0), "PVS")


def printed(capsys: pytest.CaptureFixture[str], *arguments: object, status: int = OK) -> str:
    assert main(["trend", *map(str, arguments)]) == status
    return capsys.readouterr().out


def series(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    document = json.loads(printed(capsys, *arguments, "--format", "json"))
    assert document["schema"] == "vdi-workbench/trend/1"
    return {each["configuration"]: each for each in document["series"] if each["measure"] == "iops_per_vm"}


def test_that_the_table_names_the_build_and_the_drift(
    weeks: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    text = printed(capsys, weeks)
    assert text == snapshot


def test_that_json_has_the_step_and_its_interval_and_the_runs(weeks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    by_name = series(capsys, weeks)
    (step,) = by_name["MCS"]["steps"]
    assert (step["build"], step["build_before"], step["verdict"]) == ("24H2.8", "24H2.7", "worse")
    assert step["low_percent"] < 12 < step["high_percent"]
    assert (step["n_before"], step["n_behind"], step["same_build"]) == (7, 5, False)
    assert [each["build"] for each in step["may_be"]] == ["24H2.8"]
    assert [run["date"] for run in by_name["MCS"]["runs"]][:2] == ["2026-03-01T00:00:00Z", "2026-03-08T00:00:00Z"]
    assert by_name["PVS"]["drift_low"] < 0.2 < by_name["PVS"]["drift_high"]
    assert by_name["PVS"]["drift_verdict"] == "worse"
    assert by_name["PVS"]["steps"] == []


def test_that_csv_has_a_row_for_each_step(weeks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = list(csv.DictReader(io.StringIO(printed(capsys, weeks, "--format", "csv"))))
    outcomes = {(row["configuration"], row["outcome"], row["build"]) for row in rows if row["measure"] == "iops_per_vm"}
    assert outcomes == {("MCS", "step", "24H2.8"), ("PVS", "drift", "")}


def test_that_one_configuration_and_a_different_metric_can_be_chosen(
    weeks: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = json.loads(
        printed(capsys, weeks, "--configuration", "pvs", "--measure", "read_iops_per_vm", "--format", "json")
    )
    assert {(each["configuration"], each["measure"]) for each in document["series"]} == {("PVS", "read_iops_per_vm")}
    assert {each["outcome"] for each in document["series"]} == {"drift"}


def test_that_choosing_a_configuration_keeps_its_p_value(weeks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert series(capsys, weeks, "--configuration", "MCS")["MCS"] == series(capsys, weeks)["MCS"]


def test_that_unknown_choices_are_rejected_with_an_explanation(
    weeks: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    assert main(["trend", str(weeks), "--configuration", "Citrix"]) == USAGE
    assert capsys.readouterr().err == snapshot
    assert main(["trend", str(weeks), "--measure", "speed"]) == USAGE
    assert "speed" in capsys.readouterr().err


def test_that_studies_from_several_weeks_form_one_series(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    values = stepped(7, 0.12)
    lab(tmp_path / "all", values)
    for place in range(12):
        week = tmp_path / f"week-{place + 1:02d}"
        week.mkdir()
        (tmp_path / "all" / f"MCS-{place + 1:02d}").rename(week / "run")
    weeks = sorted(path for path in tmp_path.iterdir() if path.name.startswith("week"))
    (step,) = series(capsys, *weeks)["MCS"]["steps"]
    assert step["build"] == "24H2.8"


def test_that_few_runs_state_how_many_are_needed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    text = printed(capsys, lab(tmp_path / "lab", stepped(3, 0.5, count=6)))
    assert text == snapshot


def test_that_an_omitted_build_or_date_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    folder = lab(tmp_path / "lab", stepped(7, 0.12))
    for run, line in (("MCS-02", "build = 22631.4317"), ("MCS-03", 'date = "02.03.2026"')):
        text = (folder / run / "run.toml").read_text()
        lines = [old for old in text.splitlines() if not old.startswith(line.split()[0])]
        (folder / run / "run.toml").write_text("\n".join([*lines, line]))
    assert main(["trend", str(folder)]) == OK
    shown = capsys.readouterr()
    assert shown.err == snapshot
    assert "'date' is not a valid date" in shown.err
    assert shown.out.count("MCS: 1 of 12 runs has no build number. Set 'build' in run.toml.") == 1


def test_that_rejected_history_files_set_the_exit_status(
    weeks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    history = tmp_path / "history"
    assert main(["trend", str(weeks), "--history", str(history)]) == USAGE
    assert f"The history folder {history} does not exist" in capsys.readouterr().err
    history.mkdir()
    (history / "lab.vdihistory").write_text("no history\n")
    assert main(["trend", str(weeks), "--history", str(history)]) == SOME_REFUSED
    assert "lab.vdihistory" in capsys.readouterr().err


def test_that_a_file_in_place_of_the_history_folder_is_named(
    weeks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "history.txt"
    file.touch()
    assert main(["trend", str(weeks), "--history", str(file), "--keep"]) == USAGE
    assert f"{file} is a file. Name the history folder" in capsys.readouterr().err


def test_that_a_copied_run_is_named_with_the_run_that_counts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = lab(tmp_path / "lab", stepped(7, 0.12))
    shutil.copytree(folder / "MCS-12", folder / "MCS-13")
    words = "Run 'MCS-13' of 'lab' is excluded: it is a copy of run 'MCS-12' with identical samples."
    assert words in printed(capsys, folder)
    document = json.loads(printed(capsys, folder, "--format", "json"))
    assert [(row["run"], row["study"], row["configuration"]) for row in document["left_out"]] == [
        ("MCS-13", "lab", "MCS")
    ]
    assert len(series(capsys, folder)["MCS"]["runs"]) == 12


def test_that_a_copy_in_another_study_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    folder = lab(tmp_path / "lab", stepped(7, 0.12))
    shutil.copytree(folder / "MCS-12", tmp_path / "other" / "MCS-again")
    text = printed(capsys, folder, tmp_path / "other")
    assert text == snapshot


def test_that_an_excluded_run_is_named_with_its_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    folder = lab(tmp_path / "lab", stepped(7, 0.12), exclude=["", "the host was rebooted"] + [""] * 10)
    assert printed(capsys, folder) == snapshot


def test_that_a_run_from_the_history_only_is_counted_and_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    folder, history = lab(tmp_path / "lab", stepped(7, 0.12)), tmp_path / "history"
    printed(capsys, folder, "--history", history, "--keep")
    shutil.rmtree(folder / "MCS-03")
    text = printed(capsys, folder, "--history", history)
    assert text == snapshot
    mcs = series(capsys, folder, "--history", history)["MCS"]
    assert (mcs["n"], mcs["n_history"]) == (12, 1)
    assert [run["run"] for run in mcs["runs"] if run["history_file"]] == ["MCS-03"]


def test_that_runs_without_a_workload_are_joined_with_those_that_state_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    workload = [""] * 7 + ["office"] * 5
    mcs = series(capsys, lab(tmp_path / "lab", stepped(7, 0.12), workload=workload))["MCS"]
    assert mcs["notes"] == snapshot
    (step,) = mcs["steps"]
    assert step["build"] == "24H2.8"
    assert step["other_explanations"] == snapshot


def test_that_a_series_that_is_split_says_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    folder = lab(tmp_path / "lab", stepped(6, 0.12), workload=["", "", *["office"] * 4, *["heavy"] * 6])
    text = " ".join(printed(capsys, folder).split())
    assert text == snapshot
