"""The history folder in the real window: kept by a dialog, shown on the page Trend, remembered, and undone."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.gui.conftest import LONG_MS, SAMPLE, open_and_wait, settle
from workbench.answers.trend.spec import FOLDER
from workbench.gui.dialogs.history_dialog import NEEDED, HistoryDialog
from workbench.gui.shell.main_window import MainWindow
from workbench.session.document import Document, load_session, save_session
from workbench.session.state import State
from workbench.study.history.read import read_history

BUILDS = SAMPLE / "windows-11-builds"


def asked(window: MainWindow) -> HistoryDialog:
    window.act("past_runs.ask")
    dialog = window.past_runs.dialog
    assert dialog is not None
    return dialog


def click(button: object) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)  # type: ignore[call-overload]


def test_that_what_is_open_is_kept_shown_and_remembered(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    open_and_wait(window, qtbot, BUILDS)
    folder = tmp_path / "share" / "history"
    dialog = asked(window)
    assert "To be kept: 12 runs of windows-11-builds" in [
        label.text() for label in dialog.findChildren(type(dialog.refusal))
    ]
    dialog.folder.setText(str(folder))
    click(dialog.keep)
    qtbot.waitUntil(lambda: window.workspace.state.page == "trend", timeout=LONG_MS)
    settle(window, qtbot)
    (file,) = folder.iterdir()
    assert len({point.run for point in read_history(folder).points}) == 12
    assert window.workspace.state.input(FOLDER, "") == str(folder)
    assert window.settings.history_folder == str(folder)
    assert file.name in window.strip.message.full
    window.history.undo()
    assert window.workspace.state.input(FOLDER, "") == ""
    assert file.exists(), "undo takes back what is shown, no file"
    assert asked(window).folder.text() == str(folder), "the folder used last is offered again"


def test_that_the_runs_of_a_folder_are_shown_without_their_results(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    open_and_wait(window, qtbot, BUILDS)
    window.past_runs.keep(str(tmp_path / "history"))
    settle(window, qtbot)
    window.past_runs.show("")
    open_and_wait(window, qtbot, SAMPLE / "windows-7-mcs-and-pvs")
    dialog = asked(window)
    assert dialog.folder.text() == str(tmp_path / "history")
    click(dialog.read)
    settle(window, qtbot)
    content = window.page.content
    assert content is not None
    assert "12 runs of the history folder" in content.caption
    dialog = asked(window)
    assert dialog.stop.isEnabled()
    click(dialog.stop)
    settle(window, qtbot)
    assert "history folder" not in (window.page.content.caption if window.page.content else "")


def test_that_no_folder_and_one_that_cannot_be_written_are_said(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    open_and_wait(window, qtbot, BUILDS)
    dialog = asked(window)
    dialog.folder.setText("  ")
    click(dialog.keep)
    assert dialog.refusal.text() == NEEDED
    assert dialog.isVisible()
    (tmp_path / "taken").write_text("a file")
    dialog.folder.setText(str(tmp_path / "taken"))
    click(dialog.keep)
    settle(window, qtbot)
    assert "windows-11-builds was not kept in" in window.strip.message.full
    assert window.workspace.state.input(FOLDER, "") == ""


def test_that_nothing_can_be_kept_where_nothing_is_open(window: MainWindow) -> None:
    dialog = asked(window)
    assert not dialog.keep.isEnabled()
    assert not dialog.stop.isEnabled()


def test_that_a_workspace_file_and_its_history_folder_can_be_moved_together(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    (here / "lab").mkdir(parents=True)
    state = State(study=str(here / "lab")).with_input(FOLDER, str(here / "history"))
    save_session(here / "review.vdiwb", Document(paths=(str(here / "lab"),), state=state))
    here.rename(there)
    assert load_session(there / "review.vdiwb").state.input(FOLDER, "") == str(there / "history")
