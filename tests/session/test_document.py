"""Workspace files: edits are restored, and a file that cannot be read is rejected with a sentence."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from workbench.answers.common.storyboard import FindingRef, SlideWords, Storyboard, StorySlide, Switches
from workbench.answers.common.traces.traces import Alignment
from workbench.model.edits import About, FindingEdit, Members, Note, PhaseEdit, RunEdits, Stretch
from workbench.model.metric import Quantity
from workbench.model.recording import SeriesKey
from workbench.model.run import Provisioning
from workbench.session.document import (
    SavedSource,
    SessionDocument,
    SessionError,
    changed_files,
    decode,
    encode,
    load_session,
    save_session,
    up_to_date,
)
from workbench.session.journal import journal_of, journals, read_journal, write_journal
from workbench.session.state import State


def worked_on() -> State:
    """A state in which everything was edited."""
    state = State(
        study="lab/sweep",
        page="cache",
        phase="av-scan",
        metric=Quantity.WRITE_IOPS,
        alignment=Alignment.CLOCK,
        scale="log",
        theme="dark",
        lit_vm="W7-003",
        hidden=frozenset({"MCS", "PVS 256 MB"}),
    )
    edits = replace(
        state.edits_of("lab/r1"),
        configuration="MCSIO",
        provisioning=Provisioning.MCSIO,
        ram_cache_mb=512,
        excluded="fan broke",
        phases=(PhaseEdit("boot", 1.5, 2.5),),
    )
    state = state.with_edits(edits).with_input("sizing.desktops", 500.0).with_page_view("cache", "sweep")
    return replace(
        state,
        notes=(Note("n1", "dip «here»", 12.25, "lab/r1"),),
        views=(state.saved_view("Dip"),),
        findings=(FindingEdit("cut", "My words", own=True),),
        storyboard=Storyboard((edited_slide(), StorySlide("view/Dip", view="Dip", appendix=True)), "The review"),
    )


def edited_slide() -> StorySlide:
    """A slide of a finding with the user's words, notes and switches."""
    about = About("compare/iops_per_vm", "lab/sweep", (Members("MCSIO", (Stretch("lab/r1", 1.0, 2.0),)),))
    return StorySlide(
        "lab/sweep/cut",
        "lab/sweep",
        (FindingRef("lab/sweep/cut", about),),
        words=SlideWords("Saves {1} «all» I/O", "@ cuts it by #"),
        notes="Say it\nslowly.",
        switches=Switches(bracket=False, value_axis=True),
    )


def test_that_a_workspace_file_is_restored_unchanged(tmp_path: Path) -> None:
    document = SessionDocument(paths=(str(tmp_path / "lab"),), state=worked_on(), layout="AAEC")
    save_session(tmp_path / "review.vdiwb", document)
    assert load_session(tmp_path / "review.vdiwb") == document


def test_that_results_next_to_a_workspace_file_move_with_it(tmp_path: Path) -> None:
    elsewhere = str(Path("/elsewhere/lab").absolute())
    save_session(tmp_path / "review.vdiwb", SessionDocument(paths=(str(tmp_path / "lab"), elsewhere)))
    moved = tmp_path / "usb stick"
    moved.mkdir()
    (tmp_path / "review.vdiwb").rename(moved / "review.vdiwb")
    assert load_session(moved / "review.vdiwb").paths == (str(moved / "lab"), elsewhere)


@pytest.mark.parametrize(("session", "study"), [("", "lab"), ("", "2016/lab"), ("lab", "lab")])
def test_that_edits_are_kept_when_results_move_with_their_workspace_file(
    tmp_path: Path, session: str, study: str
) -> None:
    then, now = tmp_path / "disk" / "2016", tmp_path / "usb stick"
    (then / study / "r1").mkdir(parents=True)
    run = str(then / study / "r1")
    state = State(study=str(then / study), notes=(Note("n", "dip", 1.0, run),), pinned=(SeriesKey(run, "c"),))
    state = replace(state.with_edits(RunEdits(run, excluded="fan broke")), hidden=frozenset({"MCS"}))
    document = SessionDocument(paths=(str(then / study),), state=replace(state, views=(state.saved_view("Dip"),)))
    save_session(then / session / "review.vdiwb", document)
    then.rename(now)
    moved = load_session(now / session / "review.vdiwb")
    assert str(then) not in encode(moved).decode()
    assert moved.state.excluded == {str(now / study / "r1"): "fan broke"}
    assert (moved.state.study, moved.state.notes[0].run) == (str(now / study), str(now / study / "r1"))
    assert moved.state.pinned == (SeriesKey(str(now / study / "r1"), "c"),)
    assert (moved.state.views[0].study, moved.state.hidden) == (str(now / study), {"MCS"})


# The paths of the other system: drives and shares of Windows on Linux and macOS, folders of those on Windows.
FOREIGN = ("/home/anna/2016",) if sys.platform == "win32" else ("C:\\Tests\\2016", "\\\\filer\\lab$\\2016", "D:\\")


@pytest.mark.parametrize("then", FOREIGN)
@pytest.mark.parametrize("inside", ["lab", "."])
def test_that_a_workspace_file_with_its_results_opens_on_the_other_system(
    tmp_path: Path, then: str, inside: str
) -> None:
    sign = "\\" if "\\" in then else "/"
    study = (then.rstrip(sign) + sign + inside) if inside != "." else then.rstrip(sign) + sign + "lab"
    run = f"{study}{sign}r 1{sign}guest"
    state = State(study=study, notes=(Note("n", "C:\\Users is full", 1.0, run),), pinned=(SeriesKey(run, "c"),))
    document = SessionDocument(paths=(inside,), state=state.with_edits(RunEdits(run, excluded="fan broke")))
    (tmp_path / "lab" / "r 1" / "guest").mkdir(parents=True)
    (tmp_path / "review.vdiwb").write_bytes(encode(document))
    here = os.path.realpath(tmp_path / "lab")
    guest = os.fspath(Path(here, "r 1", "guest"))
    messages: list[str] = []
    opened = load_session(tmp_path / "review.vdiwb", messages.append)
    assert opened.paths == (os.path.realpath(tmp_path / inside),)
    assert opened.state.study == here
    assert opened.state.excluded == {guest: "fan broke"}
    assert opened.state.pinned == (SeriesKey(guest, "c"),)
    assert opened.state.notes[0].text == "C:\\Users is full"
    assert messages == []


def test_that_results_from_the_other_system_keep_their_path_and_the_message_says_why_they_are_missing(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    told: list[str] = []
    for elsewhere in FOREIGN:
        document = SessionDocument(paths=(elsewhere,), state=State(study=elsewhere))
        (tmp_path / "review.vdiwb").write_bytes(encode(document))
        messages: list[str] = []
        opened = load_session(tmp_path / "review.vdiwb", messages.append)
        assert (opened.paths, opened.state.study) == ((elsewhere,), elsewhere)
        assert len(messages) == messages[0].count(elsewhere) == 1
        told.append(messages[0].replace(elsewhere, "RESULTS"))
        save_session(tmp_path / "again.vdiwb", opened)
        assert load_session(tmp_path / "again.vdiwb").paths == (elsewhere,)
    # One snapshot for all systems, as each has paths of another.
    assert set(told) == snapshot


def test_that_edits_of_results_elsewhere_are_kept_when_the_workspace_file_moves(tmp_path: Path) -> None:
    lab = tmp_path / "share" / "lab"
    state = State(study=str(lab)).with_edits(RunEdits(str(lab / "r1"), excluded="fan broke"))
    for folder in ("one", "two"):
        (tmp_path / folder / "lab").mkdir(parents=True)
    paths = (str(lab), str(tmp_path / "one" / "lab"))
    save_session(tmp_path / "one" / "review.vdiwb", SessionDocument(paths=paths, state=state))
    (tmp_path / "one" / "review.vdiwb").rename(tmp_path / "two" / "review.vdiwb")
    moved = load_session(tmp_path / "two" / "review.vdiwb")
    assert moved.state == state
    assert moved.paths == (str(lab), str(tmp_path / "two" / "lab"))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "is not a workspace file"),
        (b"[1, 2]", "is not a workspace file"),
        (b'{"schema": "something else"}', "is not a workspace file"),
        (b'{"schema": "vdi-workbench/session"}', "contains no version number"),
        (b'{"schema": "vdi-workbench/session", "version": 999}', "newer version of VDI Workbench"),
        (b'{"schema": "vdi-workbench/session", "version": 1, "state": {"metric": "beauty"}}', "cannot be read"),
        (b'\xff\xfe{"schema"', "is not a workspace file"),
    ],
)
def test_that_a_file_that_is_not_a_workspace_is_rejected_with_its_name(data: bytes, words: str) -> None:
    with pytest.raises(SessionError, match=words) as refused:
        decode(data, "x.vdiwb")
    assert "x.vdiwb" in str(refused.value)


@given(cut=st.integers(0, 2000))
def test_that_a_cut_workspace_file_is_rejected_and_never_partly_read(cut: int) -> None:
    whole = encode(SessionDocument(state=worked_on()))
    if cut >= len(whole):
        return
    with pytest.raises(SessionError):
        decode(whole[:cut], "x.vdiwb")


def test_that_old_workspace_files_are_migrated_step_by_step() -> None:
    steps = {
        1: lambda raw: {**raw, "state": {"page": raw["page"]}},
        2: lambda raw: {**raw, "state": {**raw["state"], "theme": "dark"}},
    }
    old = {"version": 1, "page": "cache", "unknown": 7}
    assert up_to_date(old, 3, steps) == {
        "version": 3,
        "page": "cache",
        "unknown": 7,
        "state": {"page": "cache", "theme": "dark"},
    }
    assert up_to_date({"version": 3}, 3, steps) == {"version": 3}


def test_that_a_workspace_file_that_cannot_be_saved_keeps_the_earlier_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "review.vdiwb"
    save_session(file, SessionDocument(layout="first"))

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(SessionError, match="No space left on device"):
        save_session(file, SessionDocument(layout="second"))
    assert load_session(file).layout == "first"
    assert [path.name for path in tmp_path.iterdir()] == ["review.vdiwb"]


def test_that_missing_and_new_and_changed_files_are_distinguished(snapshot: SnapshotAssertion) -> None:
    then = SessionDocument(files=(SavedSource("a", 1, 1), SavedSource("b", 1, 1), SavedSource("c", 1, 1)))
    now = (SavedSource("a", 1, 1), SavedSource("b", 2, 1), SavedSource("d", 1, 1))
    assert changed_files(then, now) == snapshot
    assert changed_files(then, then.files) == ()


def test_that_a_journal_restores_the_work_and_a_damaged_one_is_ignored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VDI_WORKBENCH_JOURNALS", str(tmp_path))
    file = journal_of("w1")
    write_journal(file, tmp_path / "review.vdiwb", SessionDocument(state=worked_on()))
    found = read_journal(file)
    assert found is not None
    assert (found.session, found.document.state) == (tmp_path / "review.vdiwb", worked_on())
    assert journals() == [file]
    file.write_bytes(file.read_bytes()[:-20])
    assert read_journal(file) is None
