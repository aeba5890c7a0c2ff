"""A workspace file that an earlier version saved of the folder above `results` finds its study and its runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.study.test_lab_folder import lab, opened
from workbench.answers.common.storyboard import Storyboard, StorySlide
from workbench.answers.findings.edits import of_study, with_own
from workbench.cli import main
from workbench.model.edits import Note, RunEdits
from workbench.model.recording import SeriesKey
from workbench.session.document import SessionDocument, save_session
from workbench.session.earlier_folders import in_folders_of
from workbench.session.state import State

__all__ = ["lab"]


def saved_by_the_old_rule(lab: Path) -> State:
    """The lab as commit 9ef978c0 read it: a study `results` with its runs, and a run `Project` from `raw`."""
    study, run = str(lab / "results"), str(lab / "results" / "MCS run 1")
    state = State(study=study, hidden=frozenset(("MCSIO 512 MB",)))
    return State(
        study=study,
        hidden=state.hidden,
        edits=(RunEdits(run, excluded="fan broke"), RunEdits(str(lab), excluded="raw files")),
        notes=(Note("n1", "dip", 12.0, run), Note("n2", "start", 1.0, str(lab))),
        findings=with_own((), study, "Mine"),
        views=(state.saved_view("Dip"),),
        storyboard=Storyboard((StorySlide("view/Dip", study=study, view="Dip"),), "Review"),
        timeline=(SeriesKey(str(lab), "a"),),
    )


def test_that_study_and_runs_and_notes_and_findings_and_slides_use_the_folder_above(lab: Path) -> None:
    studies = tuple(opened(lab).values())
    state = in_folders_of(saved_by_the_old_rule(lab), studies)
    project, raw, run = str(lab), str(lab / "raw"), str(lab / "results" / "MCS run 1")
    assert state.study == state.views[0].study == project
    assert state.storyboard is not None
    assert state.storyboard.slides[0].study == project
    assert [(edits.run, edits.excluded) for edits in state.edits] == [(run, "fan broke"), (raw, "raw files")]
    assert [note.run for note in state.notes] == [run, raw]
    assert [edit.text for edit in of_study(state.findings, project)] == ["Mine"]
    assert state.timeline == (SeriesKey(raw, "a"),)
    assert state.hidden == {"MCSIO 512 MB"}


def test_that_edits_of_other_studies_stay_unchanged(lab: Path) -> None:
    studies = tuple(opened(lab).values())
    ours = State(study=str(lab), edits=(RunEdits(str(lab / "raw"), excluded="x"),))
    other = State(study="/elsewhere/results", edits=(RunEdits("/elsewhere", excluded="x"),))
    assert in_folders_of(ours, studies) is ours
    assert in_folders_of(other, studies) is other


def test_that_the_console_excludes_the_runs_that_an_earlier_file_excluded(
    lab: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(lab.parent / "store"))
    file = lab.parent / "work.vdiwb"
    save_session(file, SessionDocument(paths=(str(lab),), state=saved_by_the_old_rule(lab)))
    assert main(["summary", str(file), "--format", "json"]) == 0
    text = json.dumps(json.loads(capsys.readouterr().out))
    assert "raw files" in text
    assert "fan broke" in text
