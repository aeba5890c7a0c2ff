"""Unsaved work: whatever would lose it asks first, and Cancel leaves everything as it was."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QMessageBox
from pytestqt.qtbot import QtBot

from tests.gui.conftest import settle
from workbench.gui.main_window import MainWindow
from workbench.session.document import load_session
from workbench.session.journal import journals


def work(window: MainWindow, qtbot: QtBot, hidden: str = "MCSIO 256 MB") -> None:
    """Something worth a question."""
    window.workspace.apply(hidden=frozenset({hidden}))
    settle(window, qtbot)


def asked(window: MainWindow) -> QMessageBox:
    """The question that is open."""
    boxes = [box for box in window.findChildren(QMessageBox) if box.isVisible()]
    assert len(boxes) == 1, "one question, not none and not two"
    return boxes[0]


def not_asked(window: MainWindow) -> bool:
    return not any(box.isVisible() for box in window.findChildren(QMessageBox))


def press(window: MainWindow, words: str) -> None:
    """Presses a button of the question."""
    next(button for button in asked(window).buttons() if button.text().replace("&", "") == words).click()


def save_as(window: MainWindow, file: Path | None) -> None:
    """Answers the question for a file; None: thinks better of it."""
    dialog = next(one for one in window.findChildren(QFileDialog) if one.isVisible())
    if file is None:
        dialog.reject()
    else:
        dialog.selectFile(str(file))
        dialog.accept()


def quit_by_menu(window: MainWindow) -> None:
    window.act("close")


def close_by_button(window: MainWindow) -> None:
    window.close()


@pytest.mark.parametrize("leave", [quit_by_menu, close_by_button])
def test_that_leaving_with_unsaved_work_asks_and_cancel_leaves_everything(
    opened: MainWindow, qtbot: QtBot, leave: Callable[[MainWindow], None]
) -> None:
    work(opened, qtbot)
    opened.sessions.write_journal()
    before = opened.workspace.state
    leave(opened)
    assert "rds-mcsio-cache-sweep" in asked(opened).text()
    press(opened, "Cancel")
    assert opened.isVisible()
    assert not_asked(opened)
    assert opened.workspace.state == before
    assert opened.sessions.dirty
    assert len(journals()) == 1


def test_that_escape_cancels_and_return_saves(opened: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    opened.sessions.save_to(tmp_path / "review.vdiwb")
    work(opened, qtbot)
    opened.close()
    qtbot.keyClick(asked(opened), Qt.Key.Key_Escape)
    assert opened.isVisible()
    assert load_session(tmp_path / "review.vdiwb").state.hidden == frozenset()
    opened.close()
    qtbot.keyClick(asked(opened), Qt.Key.Key_Return)
    assert not opened.isVisible()
    assert load_session(tmp_path / "review.vdiwb").state.hidden == {"MCSIO 256 MB"}


def test_that_work_that_is_not_to_be_saved_leaves_no_journal(opened: MainWindow, qtbot: QtBot) -> None:
    work(opened, qtbot)
    opened.sessions.write_journal()
    opened.close()
    press(opened, "Don't save")
    assert not opened.isVisible()
    assert journals() == []


def test_that_closing_twice_asks_once(opened: MainWindow, qtbot: QtBot) -> None:
    work(opened, qtbot)
    opened.close()
    opened.close()
    press(opened, "Cancel")
    assert not_asked(opened)
    assert opened.isVisible()


def test_that_saving_on_the_way_out_asks_for_a_file_and_a_cancelled_one_cancels_the_closing(
    opened: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    work(opened, qtbot)
    opened.close()
    press(opened, "Save")
    save_as(opened, None)
    assert opened.isVisible()
    assert opened.sessions.dirty
    opened.close()
    press(opened, "Save")
    save_as(opened, tmp_path / "kept.vdiwb")
    assert not opened.isVisible()
    assert load_session(tmp_path / "kept.vdiwb").state.hidden == {"MCSIO 256 MB"}


def test_that_a_save_that_fails_cancels_the_closing_and_says_so(
    opened: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened.sessions.save_to(tmp_path / "review.vdiwb")
    work(opened, qtbot)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr("os.fsync", full)
        opened.close()
        press(opened, "Save")
    assert opened.isVisible()
    assert opened.sessions.dirty
    assert "review.vdiwb was not saved: No space left on device" in opened.strip.message.full


def test_that_a_window_without_work_closes_without_a_question(opened: MainWindow, qtbot: QtBot) -> None:
    opened.show_page("cache")
    settle(opened, qtbot)
    opened.close()
    assert not opened.isVisible()
