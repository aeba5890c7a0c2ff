"""Workspace files of version 2 keep the configurations that they showed, in the window's state and on the console."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.builders import disk_csv
from workbench.cli import main
from workbench.model.edits import RunEdits
from workbench.session.document import SessionDocument, encode, load_session, save_session
from workbench.session.state import State


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    for name in ("windows-10", "windows-11", "mcs-1", "mcs-3"):
        disk_csv(tmp_path / "lab" / name / "VM01.csv", "VM01", [10.0, 20.0, 30.0], [1.0, 2.0, 3.0])
    return tmp_path / "lab"


def shown(capsys: pytest.CaptureFixture[str], path: Path) -> dict[str, str]:
    capsys.readouterr()
    assert main(["summary", str(path), "--format", "json"]) == 0
    return {run["run"]: run["configuration"] for run in json.loads(capsys.readouterr().out)["runs"]}


def of_version_2(lab: Path, state: State) -> Path:
    raw = json.loads(encode(SessionDocument(paths=(str(lab),), state=state)))
    del raw["state"]["earlier_names"]
    path = lab.parent / "old.vdiwb"
    path.write_text(json.dumps(raw | {"version": 2}))
    return path


def test_that_a_workspace_file_of_version_2_shows_the_same_results(
    lab: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    apart = {"windows-10": "windows-10", "windows-11": "windows-11", "mcs-1": "MCS", "mcs-3": "MCS"}
    assert shown(capsys, lab) == apart
    assert shown(capsys, of_version_2(lab, State())) == apart | {"windows-10": "windows", "windows-11": "windows"}


def test_that_names_given_by_the_user_override_the_earlier_name(lab: Path, capsys: pytest.CaptureFixture[str]) -> None:
    named = State().with_edits(RunEdits(str(lab / "windows-10"), configuration="Gold"))
    found = shown(capsys, of_version_2(lab, named))
    assert (found["windows-10"], found["windows-11"]) == ("Gold", "windows")


def test_that_a_workspace_file_saved_now_uses_current_names(lab: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = lab.parent / "new.vdiwb"
    save_session(path, SessionDocument(paths=(str(lab),)))
    assert not load_session(path).state.earlier_names
    assert shown(capsys, path)["windows-10"] == "windows-10"
