"""Workspace files in the real window: saved, opened again, locked, recovered, bundled."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import QLockFile
from PySide6.QtWidgets import QMenu, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot
from syrupy.assertion import SnapshotAssertion

from tests.gui.conftest import LONG_MS, SWEEP, after, leave, open_and_wait, settle
from workbench.gui.shell.main_window import MainWindow
from workbench.model.edits import Note
from workbench.session import bundle as bundle_tables
from workbench.session.document import SessionDocument, load_session, save_session
from workbench.session.journal import journal_of, journals, write_journal
from workbench.session.parquet_pages import ParquetContents
from workbench.session.settings import Settings
from workbench.session.state import State
from workbench.study.store.column_store import Store


@pytest.fixture(autouse=True)
def journal_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The journals of these tests are separate from the user's."""
    monkeypatch.setenv("VDI_WORKBENCH_JOURNALS", str(tmp_path / "journals"))
    return tmp_path / "journals"


def work(window: MainWindow) -> State:
    """Excludes a run, hides a configuration, pins a note."""
    state = window.workspace.state
    run = next(iter(window.workspace.library.figures or {}))
    window.workspace.apply(
        edits=state.with_edits(replace(state.edits_of(run), excluded="fan broke")).edits,
        hidden=frozenset({"MCSIO 256 MB"}),
        notes=(Note("n", "Look here", 10.0, run),),
        page="cache",
    )
    return window.workspace.state


def test_that_a_saved_workspace_opens_unchanged(opened: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    before = work(opened)
    settle(opened, qtbot)
    assert opened.isWindowModified()
    opened.sessions.save_to(tmp_path / "review.vdiwb")
    assert not opened.isWindowModified()
    assert "review.vdiwb" in opened.windowTitle()
    opened.workspace.apply(hidden=frozenset(), page="overview")
    opened.guard.give_up()
    open_and_wait(opened, qtbot, tmp_path / "review.vdiwb")
    assert opened.workspace.state == before
    assert opened.page.spec.key == "cache"


def test_that_undo_does_not_reach_before_an_opened_workspace(opened: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    before = work(opened)
    opened.sessions.save_to(tmp_path / "review.vdiwb")
    open_and_wait(opened, qtbot, tmp_path / "review.vdiwb")
    opened.history.undo()
    assert opened.workspace.state == before


def test_that_a_workspace_open_elsewhere_is_opened_read_only(opened: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "review.vdiwb"
    opened.sessions.save_to(file)
    opened.sessions.close()
    other = QLockFile(f"{file}.lock")
    # The window releases its lock on a thread.
    qtbot.waitUntil(lambda: other.tryLock(0), timeout=LONG_MS)
    open_and_wait(opened, qtbot, file)
    box = opened.findChild(QMessageBox)
    assert box is not None
    assert "another window" in box.text()
    box.close()
    assert opened.sessions.path is None
    saved = file.read_bytes()
    opened.sessions.save_to(file)
    assert file.read_bytes() == saved
    other.unlock()


def test_that_a_damaged_workspace_file_keeps_the_open_results(
    opened: MainWindow, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    file = tmp_path / "bad.vdiwb"
    file.write_text('{"schema": ')
    before = opened.workspace.library
    opened.open_paths([file])
    assert opened.workspace.library is before
    assert opened.strip.message.text() == snapshot


@pytest.mark.parametrize(
    ("paths", "said"),
    [
        ("l\\u0000b", "is damaged"),
        ("[" * 9_999, "is damaged"),
        ("x" * 5_000, "was not found"),
        ("x/" * 5_000, "was not found"),
        ("l\xffb", "is damaged"),
    ],
)
def test_that_a_workspace_file_with_invalid_paths_is_reported_without_an_error(
    window: MainWindow, tmp_path: Path, paths: str, said: str
) -> None:
    file = tmp_path / "review.vdiwb"
    quoted = paths if paths.startswith("[") else f'"{paths}"'
    text = f'{{"schema": "vdi-workbench/session", "version": 1, "paths": [{quoted}]}}'
    file.write_bytes(text.encode("latin-1"))
    window.open_paths([file])
    assert said in window.strip.message.full
    assert len(window.strip.message.full) < 500
    assert file.read_bytes() == text.encode("latin-1")


def test_that_a_workspace_file_with_unknown_pages_opens_on_the_first_page(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    state = State(page="sache", page_views=(("cache", "swep"), ("sache", "x")))
    seen = State(page="ovrview").saved_view("Mine")
    save_session(tmp_path / "x.vdiwb", SessionDocument(paths=(str(SWEEP),), state=replace(state, views=(seen,))))
    open_and_wait(window, qtbot, tmp_path / "x.vdiwb")
    assert window.page.spec.key == "overview"
    assert window.page.content is not None
    assert window.page.content.empty == ""
    after(window, qtbot, lambda: window.saved_views.show_named("Mine"))
    assert window.page.spec.key == "overview"


@pytest.mark.parametrize("content", [b"", b'{"session": "\xff"', b"[" * 100_000])
def test_that_a_damaged_journal_is_set_aside_and_reported_and_others_are_offered(
    window: MainWindow, journal_place: Path, content: bytes
) -> None:
    write_journal(journal_of("dead"), None, SessionDocument(paths=(str(SWEEP),)))
    os.utime(journal_of("dead"), (0, 0))  # the newest is checked first
    (journal_place / "bad.journal").write_bytes(content)
    (journal_place / "folder.journal").mkdir()
    window.sessions.offer_recovery()
    (box,) = window.findChildren(QMessageBox)
    assert "bad.journal is damaged. It was renamed to bad.journal.damaged-" in window.strip.message.full
    (aside,) = journal_place.glob("bad.journal.damaged-*")
    assert aside.read_bytes() == content
    box.close()


def test_that_a_warning_is_reported_again_with_the_end_of_an_import(window: MainWindow, qtbot: QtBot) -> None:
    window.strip.warn("The settings are damaged.")
    assert window.strip.message.full == "The settings are damaged."
    open_and_wait(window, qtbot, SWEEP)
    assert window.strip.message.full == "The settings are damaged."
    window.strip.tell("Saved.")
    assert window.strip.message.full == "Saved."


def test_that_a_workspace_file_without_its_folder_names_the_expected_place(window: MainWindow, tmp_path: Path) -> None:
    file = tmp_path / "review.vdiwb"
    file.write_text('{"schema": "vdi-workbench/session", "version": 1, "paths": ["gone/lab"]}')
    window.open_paths([file])
    assert str(Path("gone/lab")) in window.strip.message.full
    assert "was not found" in window.strip.message.full


def test_that_work_is_in_the_journal_until_the_window_closes_in_order(
    store: Store, qtbot: QtBot, journal_place: Path
) -> None:
    window = MainWindow(store, State(), Settings())
    window.show()
    open_and_wait(window, qtbot, SWEEP)
    assert journals() == []
    work(window)
    qtbot.waitUntil(lambda: len(journals()) == 1, timeout=LONG_MS)
    settle(window, qtbot)
    leave(window)
    assert list(journal_place.glob("*.journal*")) == []
    window.deleteLater()


def test_that_work_left_by_a_crash_is_offered_and_restored(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    state = State(page="cache", hidden=frozenset({"MCSIO 256 MB"}))
    write_journal(journal_of("dead"), None, SessionDocument(paths=(str(SWEEP),), state=state))
    window.sessions.offer_recovery()
    box = window.findChild(QMessageBox)
    assert box is not None
    with qtbot.waitSignal(window.importer.opened, timeout=LONG_MS):
        next(one for one in box.buttons() if one.text() == "Restore changes").click()
    settle(window, qtbot)
    assert window.workspace.state.hidden == {"MCSIO 256 MB"}
    assert window.page.spec.key == "cache"
    assert window.sessions.dirty


def test_that_a_bundle_opens_in_another_window_with_the_same_page(
    opened: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    before = work(opened)
    file = tmp_path / "review.vdibundle"
    opened.sessions.save_bundle_to(file)
    qtbot.waitUntil(file.is_file, timeout=LONG_MS)
    settle(opened, qtbot)
    elsewhere = MainWindow(Store(tmp_path / "other store"), State(), Settings(), remembers=False)
    elsewhere.show()
    elsewhere.open_paths([file])
    qtbot.waitUntil(lambda: bool(elsewhere.workspace.library.studies), timeout=LONG_MS)
    settle(elsewhere, qtbot)
    assert elsewhere.workspace.state == before
    here, there = (w.page.content for w in (opened, elsewhere))
    assert here is not None
    assert there is not None
    assert there.cards == here.cards
    elsewhere.close()
    elsewhere.deleteLater()


def test_that_a_workspace_file_stores_the_fingerprint_of_its_files(opened: MainWindow, tmp_path: Path) -> None:
    opened.sessions.save_to(tmp_path / "review.vdiwb")
    kept = load_session(tmp_path / "review.vdiwb")
    assert kept.paths == (str(SWEEP.resolve()),)
    assert {file.name for file in kept.files} >= {"mcs-r1/run.toml", "mcs-r1/events.csv"}


def recent(window: MainWindow) -> list[str]:
    """The entries of File > Recent."""
    menu = next(a.menu() for a in window.menus["&File"].actions() if a.menu() is not None)
    assert isinstance(menu, QMenu)
    menu.aboutToShow.emit()
    return [action.text() for action in menu.actions()]


def test_that_the_recent_list_has_saved_and_opened_workspace_files_and_bundles(
    opened: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    session, bundle = tmp_path / "review.vdiwb", tmp_path / "review.vdibundle"
    opened.sessions.save_to(session)
    assert recent(opened) == [str(session), str(SWEEP)]
    opened.sessions.save_bundle_to(bundle)
    settle(opened, qtbot)
    assert recent(opened) == [str(bundle), str(session), str(SWEEP)]
    open_and_wait(opened, qtbot, session)
    assert recent(opened) == [str(session), str(bundle), str(SWEEP)], "what was opened, not the folders behind it"
    opened.open_paths([bundle])
    settle(opened, qtbot)
    assert recent(opened) == [str(bundle), str(session), str(SWEEP)]


@pytest.mark.parametrize("name", ["review.vdiwb", "review.vdibundle"])
def test_that_a_recent_workspace_file_or_bundle_opens_with_its_edits(
    opened: MainWindow, qtbot: QtBot, tmp_path: Path, name: str
) -> None:
    file = tmp_path / name
    work(opened)
    settle(opened, qtbot)
    save = opened.sessions.save_to if name.endswith("vdiwb") else opened.sessions.save_bundle_to
    save(file)
    settle(opened, qtbot)
    for _ in range(3):
        opened.history.undo()
    settle(opened, qtbot)
    assert opened.workspace.state.hidden == frozenset()
    opened.guard.give_up()
    assert recent(opened)[0] == str(file)
    opened.folders.recent.actions()[0].trigger()
    qtbot.waitUntil(lambda: bool(opened.workspace.state.hidden), timeout=LONG_MS)
    settle(opened, qtbot)
    assert opened.workspace.state.hidden == {"MCSIO 256 MB"}
    assert not opened.sessions.dirty


def test_that_a_workspace_file_that_failed_to_save_or_open_is_not_recent(opened: MainWindow, tmp_path: Path) -> None:
    (tmp_path / "folder").write_text("")
    assert not opened.sessions.save_to(tmp_path / "folder" / "review.vdiwb")
    (tmp_path / "bad.vdiwb").write_text("{")
    opened.open_paths([tmp_path / "bad.vdiwb"])
    assert recent(opened) == [str(SWEEP)]


def test_that_a_missing_folder_is_not_reported_as_a_file_in_use(opened: MainWindow, tmp_path: Path) -> None:
    (tmp_path / "folder").write_text("")
    assert not opened.sessions.save_to(tmp_path / "folder" / "review.vdiwb")
    assert "was not saved" in opened.strip.message.full
    assert "in another window" not in opened.strip.message.full


def test_that_the_start_page_offers_a_recent_workspace_file(
    store: Store, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VDI_WORKBENCH_SETTINGS", str(tmp_path / "settings.json"))
    file = tmp_path / "review.vdiwb"
    save_session(file, SessionDocument(paths=(str(SWEEP),), state=State(hidden=frozenset({"MCSIO 256 MB"}))))
    window = MainWindow(store, State(), Settings(recent=(str(file),)))
    window.show()
    settle(window, qtbot)
    button = next(one for one in window.page.empty.findChildren(QPushButton) if "review.vdiwb" in one.text())
    with qtbot.waitSignal(window.importer.opened, timeout=LONG_MS):
        button.click()
    settle(window, qtbot)
    assert window.sessions.path == file
    assert window.workspace.state.hidden == {"MCSIO 256 MB"}
    leave(window)
    window.deleteLater()


def test_that_opening_a_bundle_can_be_cancelled_without_leftovers(
    opened: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    file, store = tmp_path / "review.vdibundle", Store(tmp_path / "another store")
    opened.sessions.save_bundle_to(file)
    settle(opened, qtbot)
    opened.importer.store, before = store, opened.workspace.state
    reached, go_on = Event(), Event()
    contents_of = bundle_tables.contents_of

    def held_up(data: bytes) -> ParquetContents:
        reached.set()
        assert go_on.wait(LONG_MS / 1000)
        return contents_of(data)

    monkeypatch.setattr(bundle_tables, "contents_of", held_up)
    opened.open_paths([file])
    qtbot.waitUntil(reached.is_set, timeout=LONG_MS)
    assert opened.strip.cancel.isVisibleTo(opened)
    opened.strip.cancel.click()
    assert opened.strip.message.full == snapshot
    assert not opened.busy
    assert opened.workspace.state == before
    go_on.set()
    qtbot.waitUntil(lambda: not any(store.root.rglob("*.part")), timeout=LONG_MS)
    assert [path for path in store.root.rglob("*") if path.is_file()] == []
    opened.open_paths([file])
    settle(opened, qtbot)
    assert opened.strip.message.full != "Cancelled: review.vdibundle was not opened."
    assert any(store.root.rglob("bundle-*.arrow"))
