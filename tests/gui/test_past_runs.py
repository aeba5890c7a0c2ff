"""The history folder in the real window: saved to by a dialog, shown on the page Trend, remembered, and undone."""

from __future__ import annotations

from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from syrupy.assertion import SnapshotAssertion

from tests.gui.conftest import LONG_MS, SAMPLE, after, open_and_wait, settle
from tests.study.history.kept import kept_run, kept_study
from workbench.answers.trend.keep import Kept
from workbench.answers.trend.spec import FOLDER
from workbench.gui.commands.files.past_runs import kept_text
from workbench.gui.dialogs.history_dialog import HistoryDialog
from workbench.gui.services.translation import install
from workbench.gui.shell.main_window import MainWindow
from workbench.session.document import SessionDocument, load_session, save_session
from workbench.session.state import State
from workbench.study.history.read import folder_stamp, read_history
from workbench.study.history.write import keep
from workbench.words.translated import ENGLISH

BUILDS = SAMPLE / "windows-11-builds"


def asked(window: MainWindow) -> HistoryDialog:
    window.act("past_runs.ask")
    dialog = window.past_runs.dialog
    assert dialog is not None
    return dialog


def click(button: object) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)  # type: ignore[call-overload]


def colleague_keeps(folder: Path) -> None:
    """Adds four runs of another study to the folder, like another machine."""
    runs = tuple(kept_run(week) for week in range(4))
    keep(folder, kept_study("another lab", runs=len(runs)), runs)


def caption_of(window: MainWindow) -> str:
    content = window.page.content
    assert content is not None
    return ". ".join((content.caption, *content.method))


@pytest.fixture
def history(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> Path:
    """A history folder of 12 runs that the window shows."""
    open_and_wait(window, qtbot, BUILDS)
    after(window, qtbot, lambda: window.past_runs.keep(str(tmp_path / "history")))
    assert "12 past runs" in caption_of(window)
    return tmp_path / "history"


def test_that_runs_a_colleague_adds_are_shown_when_past_runs_are_shown_again(
    window: MainWindow, qtbot: QtBot, history: Path, snapshot: SnapshotAssertion
) -> None:
    colleague_keeps(history)
    click(asked(window).read)
    settle(window, qtbot)
    assert caption_of(window) == snapshot


def test_that_runs_a_colleague_adds_are_shown_when_the_page_is_shown_again(
    window: MainWindow, qtbot: QtBot, history: Path, snapshot: SnapshotAssertion
) -> None:
    after(window, qtbot, lambda: window.show_page("overview"))
    colleague_keeps(history)
    after(window, qtbot, lambda: window.show_page("trend"))
    assert caption_of(window) == snapshot


def test_that_past_runs_shown_again_are_read_again_although_no_file_looks_different(
    window: MainWindow, qtbot: QtBot, history: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    """A share may state times to two seconds only."""
    monkeypatch.setattr("workbench.study.history.read.folder_stamp", lambda _: "the same")
    after(window, qtbot, lambda: window.past_runs.show(str(history)))
    colleague_keeps(history)
    after(window, qtbot, lambda: window.past_runs.show(str(history)))
    assert caption_of(window) == snapshot


def test_that_a_folder_that_does_not_answer_blocks_one_thread_and_no_page(
    window: MainWindow, qtbot: QtBot, history: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    answers, looks = Event(), list[Path]()

    def waits(folder: Path) -> str:
        looks.append(folder)
        answers.wait()
        return folder_stamp(folder)

    monkeypatch.setattr("workbench.study.history.read.folder_stamp", waits)
    colleague_keeps(history)
    for page in ("overview", "trend", "cache", "trend"):
        window.show_page(page)
        qtbot.waitUntil(lambda: window.page.content is not None, timeout=LONG_MS)
    assert caption_of(window) == snapshot
    assert looks == [history]
    answers.set()
    settle(window, qtbot)
    assert caption_of(window) == snapshot


def test_that_a_folder_that_answers_late_does_not_switch_to_its_page(
    window: MainWindow, qtbot: QtBot, history: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = Event()

    def waits(folder: Path) -> str:
        answers.wait()
        return folder_stamp(folder)

    monkeypatch.setattr("workbench.study.history.read.folder_stamp", waits)
    monkeypatch.setattr("workbench.gui.services.tasks.PROMPT_S", 0.01)
    window.show_page("overview")
    window.past_runs.show(str(history))
    assert window.workspace.state.page == "trend", "shown at once"
    window.show_page("overview")
    answers.set()
    settle(window, qtbot)
    assert window.workspace.state.page == "overview"


def test_that_a_german_window_names_saved_runs_in_german(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    open_and_wait(window, qtbot, BUILDS)
    install("de")
    try:
        dialog = asked(window)
        texts = [label.text() for label in dialog.findChildren(type(dialog.refusal))]
        dialog.close()
        window.past_runs.keep(str(tmp_path))
        settle(window, qtbot)
    finally:
        install(ENGLISH)
    assert any("12 Läufe von „windows-11-builds“" in text for text in texts)
    assert window.strip.message.full.startswith("Gespeichert: 12 Läufe von windows-11-builds, in ")


def test_that_an_english_window_uses_the_texts_of_the_console() -> None:
    for kept in (Kept("lab", Path("f"), 1, 0, 0), Kept("lab", Path("f"), 3, 1, 2)):
        assert kept_text(kept) == kept.sentence


def test_that_an_unexpected_failure_is_not_shown_as_a_traceback(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    open_and_wait(window, qtbot, BUILDS)
    monkeypatch.setattr("workbench.answers.trend.keep.keep_study", lambda *_: {}["steady"])
    after(window, qtbot, lambda: window.past_runs.keep(str(tmp_path)))
    assert window.strip.message.full == snapshot


def test_that_no_workspace_file_stores_the_fingerprint_of_the_folder(window: MainWindow, history: Path) -> None:
    assert window.workspace.state.history_seen
    assert window.sessions.document().state.history_seen == ""
    assert history.exists()


def test_that_an_open_study_is_saved_to_the_history_and_shown_and_remembered(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    open_and_wait(window, qtbot, BUILDS)
    folder = tmp_path / "share" / "history"
    dialog = asked(window)
    assert [label.text() for label in dialog.findChildren(type(dialog.refusal))] == snapshot
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
    window: MainWindow, qtbot: QtBot, tmp_path: Path, snapshot: SnapshotAssertion
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
    assert content.caption == snapshot
    dialog = asked(window)
    assert dialog.stop.isEnabled()
    click(dialog.stop)
    settle(window, qtbot)
    assert "past runs" not in (window.page.content.caption if window.page.content else "")


def test_that_an_empty_folder_field_and_an_unwritable_folder_are_reported(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    open_and_wait(window, qtbot, BUILDS)
    dialog = asked(window)
    dialog.folder.setText("  ")
    click(dialog.keep)
    assert dialog.refusal.isVisible()
    assert dialog.refusal.text()
    assert dialog.isVisible()
    (tmp_path / "taken").write_text("a file")
    dialog.folder.setText(str(tmp_path / "taken"))
    click(dialog.keep)
    settle(window, qtbot)
    assert "windows-11-builds was not saved in" in window.strip.message.full
    assert window.workspace.state.input(FOLDER, "") == ""


def test_that_saving_to_the_history_needs_an_open_study(window: MainWindow) -> None:
    dialog = asked(window)
    assert not dialog.keep.isEnabled()
    assert not dialog.stop.isEnabled()


def test_that_a_workspace_file_and_its_history_folder_can_be_moved_together(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    (here / "lab").mkdir(parents=True)
    state = State(study=str(here / "lab")).with_input(FOLDER, str(here / "history"))
    save_session(here / "review.vdiwb", SessionDocument(paths=(str(here / "lab"),), state=state))
    here.rename(there)
    assert load_session(there / "review.vdiwb").state.input(FOLDER, "") == str(there / "history")
