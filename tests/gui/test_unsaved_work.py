"""Unsaved work: every action that would lose it asks first, and Cancel changes nothing."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot
from syrupy.assertion import SnapshotAssertion

from tests.gui.conftest import LONG_MS, open_and_wait, settle
from tests.gui.unsaved import asked, close_by_button, lab, names, not_asked, press, quit_by_menu, save_as, work
from workbench.gui.shell.main_window import MainWindow
from workbench.session.document import SessionDocument, load_session, save_session
from workbench.session.journal import journals
from workbench.session.settings import with_recent
from workbench.study.store.column_store import Store


@pytest.mark.parametrize("leave", [quit_by_menu, close_by_button])
def test_that_closing_with_unsaved_work_asks_and_cancel_closes_nothing(
    opened: MainWindow, qtbot: QtBot, leave: Callable[[MainWindow], None]
) -> None:
    work(opened, qtbot)
    opened.sessions.journal.write()
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


def test_that_discarded_work_leaves_no_journal(opened: MainWindow, qtbot: QtBot) -> None:
    work(opened, qtbot)
    opened.sessions.journal.write()
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


def test_that_saving_at_closing_asks_for_a_file_and_cancel_stops_the_closing(
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


def test_that_a_failed_save_stops_the_closing_and_is_reported(
    opened: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
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
    assert opened.strip.message.full == snapshot


def test_that_a_window_without_work_closes_without_a_question(opened: MainWindow, qtbot: QtBot) -> None:
    opened.show_page("cache")
    settle(opened, qtbot)
    opened.close()
    assert not opened.isVisible()


@pytest.fixture
def worked(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> MainWindow:
    """A window with a study and one excluded run."""
    open_and_wait(window, qtbot, lab(tmp_path / "one"))
    window.runs.exclude_with([str(tmp_path / "one" / "MCS 1VM")], "fan broke")
    settle(window, qtbot)
    return window


def by_folder(window: MainWindow, path: Path) -> None:
    window.open_paths([path])


def by_recent(window: MainWindow, path: Path) -> None:
    window.settings = with_recent(window.settings, str(path))
    menu = next(a.menu() for a in window.menus["&File"].actions() if a.menu() is not None)
    assert isinstance(menu, QMenu)
    menu.aboutToShow.emit()
    menu.actions()[0].trigger()


def by_drop(window: MainWindow, path: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    keys, button = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.LeftButton
    window.dropEvent(QDropEvent(QPointF(400, 400), Qt.DropAction.CopyAction, data, button, keys))


def by_welcome(window: MainWindow, path: Path) -> None:
    window.page.empty.asked.emit(str(path))


def by_palette(window: MainWindow, path: Path) -> None:
    window.settings = with_recent(window.settings, str(path))
    next(one for one in window.offers.entries() if one.words == f"Open again: {path}").act()


WAYS = (by_folder, by_recent, by_drop, by_welcome, by_palette)


def folder_of(place: Path) -> Path:
    return lab(place / "two")


def session_of(place: Path) -> Path:
    file = place / "two.vdiwb"
    save_session(file, SessionDocument(paths=(str(lab(place / "two")),)))
    return file


@pytest.mark.parametrize("make", [folder_of, session_of])
@pytest.mark.parametrize("way", WAYS)
def test_that_opening_over_unsaved_work_asks_and_cancel_opens_nothing(
    worked: MainWindow,
    qtbot: QtBot,
    tmp_path: Path,
    way: Callable[[MainWindow, Path], None],
    make: Callable[[Path], Path],
) -> None:
    other = make(tmp_path)
    before = worked.workspace.state
    way(worked, other)
    assert "one" in asked(worked).text()
    press(worked, "Cancel")
    assert not worked.importer.running
    assert (names(worked), worked.workspace.state) == (["one"], before)
    assert worked.sessions.dirty
    assert worked.sessions.path is None
    way(worked, other)
    with qtbot.waitSignal(worked.importer.opened, timeout=LONG_MS):
        press(worked, "Don't save")
    settle(worked, qtbot)
    assert names(worked) == ["two"]
    assert worked.workspace.state.excluded == {}
    assert not worked.sessions.dirty


def test_that_opening_the_sample_study_also_asks(worked: MainWindow) -> None:
    worked.act("main_window.try_sample")
    press(worked, "Cancel")
    assert names(worked) == ["one"]


def test_that_saving_at_the_question_keeps_the_work_and_opens_the_folder(
    worked: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    worked.open_paths([lab(tmp_path / "two")])
    press(worked, "Save")
    with qtbot.waitSignal(worked.importer.opened, timeout=LONG_MS):
        save_as(worked, tmp_path / "one.vdiwb")
    settle(worked, qtbot)
    assert names(worked) == ["two"]
    assert load_session(tmp_path / "one.vdiwb").state.excluded == {str(tmp_path / "one" / "MCS 1VM"): "fan broke"}
    assert worked.sessions.path is None, "the next save does not write over the first session"


def test_that_opening_a_bundle_also_asks(worked: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "one.vdibundle"
    worked.sessions.save_bundle_to(file)
    settle(worked, qtbot)
    work(worked, qtbot, "PVS")
    worked.open_paths([file])
    press(worked, "Cancel")
    settle(worked, qtbot)
    assert worked.workspace.state.hidden == {"PVS"}
    assert worked.open_now == (tmp_path / "one",)
    worked.open_paths([file])
    press(worked, "Don't save")
    settle(worked, qtbot)
    assert worked.open_now == (file,)
    assert worked.workspace.state.hidden == frozenset()


def test_that_adding_and_refreshing_do_not_ask_and_keep_the_work(
    worked: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    before = worked.workspace.state.excluded
    for act in (lambda: worked.folders.add([lab(tmp_path / "two")]), worked.folders.refresh):
        with qtbot.waitSignal(worked.importer.opened, timeout=LONG_MS):
            act()
        settle(worked, qtbot)
        assert not_asked(worked)
        assert worked.workspace.state.excluded == before
    assert worked.sessions.dirty


def test_that_discarded_work_is_not_restored_when_its_folder_is_opened_again(
    worked: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    worked.open_paths([tmp_path / "one"])
    with qtbot.waitSignal(worked.importer.opened, timeout=LONG_MS):
        press(worked, "Don't save")
    settle(worked, qtbot)
    assert worked.workspace.state.excluded == {}, "what is shown must not be unsaved work without a star"
    worked.history.undo()
    assert worked.workspace.state.excluded == {}
    worked.runs.exclude_with([str(tmp_path / "one" / "MCS 1VM")], "fan broke")
    settle(worked, qtbot)
    worked.close()
    press(worked, "Cancel")


def test_that_edits_made_during_another_import_cause_the_question_at_its_end(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    open_and_wait(window, qtbot, lab(tmp_path / "one"))
    with qtbot.waitSignal(window.importer.opened, timeout=LONG_MS):
        window.open_paths([lab(tmp_path / "two")])
        window.runs.exclude_with([str(tmp_path / "one" / "MCS 1VM")], "fan broke")
    press(window, "Cancel")
    settle(window, qtbot)
    assert names(window) == ["one"]
    assert window.sessions.dirty
    assert window.open_now == (tmp_path / "one",)
    assert "is still open" in window.strip.message.full


@pytest.mark.parametrize("make", [folder_of, session_of])
def test_that_a_failed_open_loses_nothing_even_after_discard(
    worked: MainWindow, qtbot: QtBot, tmp_path: Path, make: Callable[[Path], Path]
) -> None:
    other, store = make(tmp_path), worked.importer.store
    (tmp_path / "no folder").write_text("")
    worked.importer.store = Store(tmp_path / "no folder")
    worked.open_paths([other])
    with qtbot.waitSignal(worked.importer.failed, timeout=LONG_MS):
        press(worked, "Don't save")
    settle(worked, qtbot)
    worked.importer.store = store
    assert names(worked) == ["one"]
    assert worked.sessions.path is None, "Save must not write this work over the session that did not open"
    assert worked.isWindowModified()
    worked.close()
    press(worked, "Cancel")
    with qtbot.waitSignal(worked.importer.opened, timeout=LONG_MS):
        worked.folders.refresh()
    settle(worked, qtbot)
    assert worked.sessions.dirty, "the state of the session that did not open must not come with the next import"


def test_that_a_missing_folder_keeps_the_open_results(worked: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    worked.open_paths([tmp_path / "gone"])
    assert not_asked(worked)
    assert names(worked) == ["one"]
    assert f"{tmp_path / 'gone'} was not found" in worked.strip.message.full
    shutil.rmtree(tmp_path / "one")
    worked.folders.refresh()
    settle(worked, qtbot)
    assert names(worked) == ["one"]
    assert worked.sessions.dirty
    assert "was not found" in worked.strip.message.full


def test_that_a_damaged_workspace_file_is_rejected_before_the_question(
    worked: MainWindow, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    (tmp_path / "bad.vdiwb").write_text("{")
    worked.open_paths([tmp_path / "bad.vdiwb"])
    assert not_asked(worked)
    assert worked.strip.message.full == snapshot
    assert worked.sessions.dirty


def test_that_closing_the_last_study_asks_and_closing_one_of_several_does_not(
    worked: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    with qtbot.waitSignal(worked.importer.opened, timeout=LONG_MS):
        worked.folders.add([lab(tmp_path / "two")])
    settle(worked, qtbot)
    worked.folders.close_study(str(tmp_path / "two"))
    assert not_asked(worked)
    worked.act("folders.close_study")
    press(worked, "Cancel")
    assert names(worked) == ["one"]
    worked.act("folders.close_study")
    press(worked, "Don't save")
    assert names(worked) == []
