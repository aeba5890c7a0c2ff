"""Unsaved work after a crash: it is offered, restored, and survives a second crash until it is saved."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QLockFile
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from tests.gui.conftest import LONG_MS, open_and_wait, settle
from tests.gui.unsaved import lab, names, not_asked, press
from workbench.gui.shell.main_window import MainWindow
from workbench.model.edits import RunEdits
from workbench.session.document import SessionDocument, load_session, save_session
from workbench.session.journal import journal_of, journals, read_journal, write_journal
from workbench.session.state import State


@pytest.fixture
def study(tmp_path: Path) -> Path:
    return lab(tmp_path / "one")


def left_out(study: Path) -> State:
    return State(edits=(RunEdits(str(study / "MCS 1VM"), excluded="fan broke"),))


def crashed(study: Path, session: Path | None = None, state: State | None = None) -> Path:
    """A window killed while it showed the study."""
    file = journal_of("dead")
    write_journal(file, session, SessionDocument(paths=(str(study),), state=state or left_out(study)))
    return file


def bring_back(window: MainWindow, qtbot: QtBot) -> None:
    window.sessions.offer_recovery()
    with qtbot.waitSignal(window.importer.opened, timeout=LONG_MS):
        press(window, "Restore changes")
    settle(window, qtbot)


@pytest.mark.parametrize("has_file", [True, False])
def test_that_recovered_work_stays_in_the_journal_and_counts_as_unsaved_until_it_is_saved(
    window: MainWindow, qtbot: QtBot, study: Path, tmp_path: Path, has_file: bool
) -> None:
    session = tmp_path / "review.vdiwb"
    save_session(session, SessionDocument(paths=(str(study),)))
    crashed(study, session if has_file else None)
    bring_back(window, qtbot)
    assert window.sessions.path == (session if has_file else None)
    assert window.isWindowModified()
    (file,) = journals()
    kept = read_journal(file)
    assert kept is not None
    assert kept.document.state.excluded == {str(study / "MCS 1VM"): "fan broke"}
    assert kept.session == (session if has_file else None)
    window.sessions.save_to(session)
    assert journals() == []
    assert not window.isWindowModified()
    assert load_session(session).state.excluded == {str(study / "MCS 1VM"): "fan broke"}


def test_that_edits_after_a_recovery_are_in_the_journal(window: MainWindow, qtbot: QtBot, study: Path) -> None:
    crashed(study)
    bring_back(window, qtbot)
    window.runs.exclude_with([str(study / "PVS 1VM")], "no power")
    settle(window, qtbot)
    window.sessions.journal.write()
    (file,) = journals()
    kept = read_journal(file)
    assert kept is not None
    assert sorted(kept.document.state.excluded.values()) == ["fan broke", "no power"]


def test_that_a_journal_in_use_is_offered_to_no_other_window(window: MainWindow, qtbot: QtBot, study: Path) -> None:
    file = crashed(study)
    bring_back(window, qtbot)
    assert not QLockFile(f"{file}.lock").tryLock(0)
    window.sessions.offer_recovery()
    assert not_asked(window)


def test_that_recovered_work_is_deleted_only_if_the_user_discards_it(
    window: MainWindow, qtbot: QtBot, study: Path
) -> None:
    crashed(study)
    bring_back(window, qtbot)
    window.close()
    press(window, "Cancel")
    assert len(journals()) == 1
    window.close()
    press(window, "Don't save")
    assert journals() == []


def test_that_edits_undone_before_the_crash_are_unsaved_work_too(
    window: MainWindow, qtbot: QtBot, study: Path, tmp_path: Path
) -> None:
    session = tmp_path / "review.vdiwb"
    save_session(session, SessionDocument(paths=(str(study),), state=left_out(study)))
    crashed(study, session, State())
    bring_back(window, qtbot)
    assert window.sessions.dirty
    window.sessions.journal.write()
    assert len(journals()) == 1


def test_that_work_on_a_missing_folder_stays_in_the_journal(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    file = crashed(tmp_path / "on another drive")
    window.sessions.offer_recovery()
    press(window, "Restore changes")
    assert "was not found" in window.strip.message.full
    assert journals() == [file]
    assert QLockFile(f"{file}.lock").tryLock(0), "the next start can offer it again"


def test_that_a_recovery_waits_for_the_folder_of_the_command_line(
    window: MainWindow, qtbot: QtBot, study: Path, tmp_path: Path
) -> None:
    file = crashed(study)
    window.open_paths([lab(tmp_path / "two")])
    window.sessions.offer_recovery()
    press(window, "Restore changes")
    qtbot.waitUntil(lambda: names(window) == ["one"], timeout=LONG_MS)
    settle(window, qtbot)
    assert window.workspace.state.excluded == {str(study / "MCS 1VM"): "fan broke"}
    assert journals() == [file]


def test_that_a_question_closed_without_an_answer_keeps_the_work_for_the_next_start(
    window: MainWindow, study: Path
) -> None:
    file = crashed(study)
    window.sessions.offer_recovery()
    box = next(one for one in window.findChildren(QMessageBox) if one.isVisible())
    box.close()
    assert journals() == [file]


def test_that_work_on_a_bundle_is_recovered(window: MainWindow, qtbot: QtBot, study: Path, tmp_path: Path) -> None:
    open_and_wait(window, qtbot, study)
    bundle = tmp_path / "one.vdibundle"
    window.sessions.save_bundle_to(bundle)
    settle(window, qtbot)
    write_journal(journal_of("dead"), None, SessionDocument(paths=(str(bundle),), state=left_out(study)))
    window.sessions.offer_recovery()
    press(window, "Restore changes")
    qtbot.waitUntil(lambda: window.open_now == (bundle,), timeout=LONG_MS)
    settle(window, qtbot)
    assert window.workspace.state.excluded == {str(study / "MCS 1VM"): "fan broke"}
    assert window.sessions.dirty
    assert len(journals()) == 1


def test_that_a_workspace_file_saved_from_a_bundle_opens_with_it(
    window: MainWindow, qtbot: QtBot, study: Path, tmp_path: Path
) -> None:
    open_and_wait(window, qtbot, study)
    bundle, session = tmp_path / "one.vdibundle", tmp_path / "review.vdiwb"
    window.sessions.save_bundle_to(bundle)
    settle(window, qtbot)
    window.open_paths([bundle])
    qtbot.waitUntil(lambda: window.open_now == (bundle,), timeout=LONG_MS)
    window.runs.exclude_with([str(study / "MCS 1VM")], "fan broke")
    settle(window, qtbot)
    window.sessions.save_to(session)
    window.runs.include_all()
    window.guard.give_up()
    window.open_paths([session])
    qtbot.waitUntil(lambda: bool(window.workspace.state.excluded), timeout=LONG_MS)
    settle(window, qtbot)
    assert names(window) == ["one"]
    assert (window.sessions.path, window.sessions.dirty) == (session, False)


def test_that_undone_work_leaves_no_journal(window: MainWindow, qtbot: QtBot, study: Path) -> None:
    open_and_wait(window, qtbot, study)
    window.runs.exclude_with([str(study / "MCS 1VM")], "fan broke")
    settle(window, qtbot)
    window.sessions.journal.write()
    assert len(journals()) == 1
    window.history.undo()
    qtbot.waitUntil(lambda: journals() == [], timeout=LONG_MS)
