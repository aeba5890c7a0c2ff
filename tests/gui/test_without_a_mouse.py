"""A complete review with only the keyboard, in the real window: pressed keys, and the visible result."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from threading import Event

import openpyxl
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.by_keys import Keys, keyboard, strike
from tests.gui.conftest import LONG_MS, SWEEP, leave, make_window, settle
from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.answers.common.spec import PageSpec
from workbench.answers.registry import PAGES
from workbench.charts.content import Content
from workbench.gui.dialogs.export_dialog import ExportDialog
from workbench.gui.dialogs.source_window import SourceWindow
from workbench.gui.services.actions import keys_of_pages
from workbench.gui.shell.main_window import MainWindow
from workbench.study.store.column_store import Store


def opens_the_sample(keys: Keys) -> None:
    window = keys.window

    def answer(_dialog: QWidget) -> None:
        QTest.keyClicks(keyboard(), str(SWEEP))
        strike(Qt.Key.Key_Return)

    with keys.dialog(answer), keys.qtbot.waitSignal(window.importer.opened, timeout=LONG_MS):
        strike(Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier)
    settle(window, keys.qtbot)
    assert SWEEP.name in window.windowTitle()
    assert window.page.make_whole().lead.isVisible()


def turns_the_pages(keys: Keys) -> None:
    questions = set()
    pressed = keys_of_pages()
    for spec in PAGES:
        keys.press(pressed[spec.key])
        assert keys.window.page.spec.key == spec.key
        rail = keys.window.rail
        chosen = [item.text() for pages in (rail.pages, rail.tools) for item in pages.selectedItems()]
        assert chosen == ([] if spec.place == "badge" else [spec.name])
        questions.add(keys.window.header.question.text())
    assert len(questions) == len(PAGES)


def chooses_phase_and_metric(keys: Keys) -> None:
    window = keys.window
    keys.press("Ctrl+2")
    for name, words in (("phase", "Boot"), ("metric", "Write IOPS per VM"), ("phase", "Steady state")):
        box = window.header.choosers[name].box
        keys.go_to(box)
        keys.press("Alt+Down" if name == "phase" else "Space")
        assert QApplication.activePopupWidget() is not None, "the list of the box is open"
        keys.press("Home")
        keys.press_until("Down", words, lambda box=box: box.view().currentIndex().data())
        keys.press("Return")
        assert QApplication.activePopupWidget() is None
        assert box.currentText() == words
        assert keyboard() is box, "the keyboard stays where it was"


def reads_the_evidence(keys: Keys) -> None:
    window = keys.window
    keys.press("Ctrl+1")
    keys.go_to(window.page.make_whole().lead.frames[0])
    keys.press("Return")
    assert window.page.spec.key == "compare"
    assert window.page.pointed is not None, "the bar that the finding speaks of stands out"
    keys.press("Ctrl+1")
    keys.go_to(window.page.make_whole().lead.frames[0])
    keys.press("3")
    assert window.page.spec.key == "sizing"


def hides_a_configuration(keys: Keys) -> None:
    window, tree = keys.window, keys.window.rail.tree
    keys.press("Ctrl+7")
    keys.go_to(tree)
    keys.press("Home")
    keys.press_until("Down", "MCSIO 1 GB", lambda: tree.currentIndex().data())
    keys.press("Space")
    assert window.workspace.state.hidden == {"MCSIO 1 GB"}
    rows = [cell.text for row in window.page.tables[0].table.source.table.rows for cell in row]
    assert "MCSIO 1 GB" not in rows
    assert keyboard() is tree


def leaves_a_run_out(keys: Keys) -> None:
    window, tree = keys.window, keys.window.rail.tree
    keys.go_to(tree)
    keys.press("Home")
    keys.press_until("Down", "MCSIO 256 MB", lambda: tree.currentIndex().data())
    keys.press("Right")
    keys.press_until("Down", "mcsio-256-r2", lambda: tree.currentIndex().data())
    keys.press("Ctrl+L")
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, QDialog)
    keys.press("Return")
    assert dialog.isVisible(), "a reason is needed"
    keys.write("fan broke")
    keys.press("Return")
    keys.qtbot.waitUntil(lambda: "fan broke" in tree.currentIndex().data())
    assert "Excluded mcsio-256-r2: fan broke" in window.strip.message.full
    assert keyboard() is tree


def saves_the_view(keys: Keys) -> None:
    keys.press("Ctrl+B")
    keys.press("Ctrl+A")
    keys.write("For the review")
    keys.press("Return")
    assert [view.name for view in keys.window.workspace.state.views] == ["For the review"]
    assert "For the review" in keys.window.strip.message.full


def sets_cursors(keys: Keys) -> None:
    window = keys.window
    keys.press("Ctrl+4")
    figure = window.page.figure
    assert figure is not None
    keys.go_to(figure)
    before = figure.grab().toImage()
    keys.press("A", "B", "Shift+Right", "Right")
    assert figure.cursors
    assert figure.grab().toImage() != before
    at = figure.cursors._at
    assert at["B"] > at["A"]


def writes_a_note(keys: Keys) -> None:
    window = keys.window
    keys.press("N")
    assert QApplication.activeModalWidget() is not None
    keys.write("Antivirus scan")
    keys.press("Return")
    keys.write("started by hand")
    keys.press("Ctrl+Return")
    assert QApplication.activeModalWidget() is None
    assert [note.text for note in window.workspace.state.notes] == ["Antivirus scan\nstarted by hand"]
    assert window.page.figure is not None
    keys.go_to(window.page.figure)


def searches_and_sorts_a_table(keys: Keys) -> None:
    window = keys.window
    keys.press("Ctrl+7", "Ctrl+F")
    card = window.page.tables[0]
    assert keyboard() is card.filter
    everything = card.table.model().rowCount()
    keys.write("256")
    assert card.table.model().rowCount() == 1 < everything
    keys.press("Escape")
    assert card.table.model().rowCount() == everything
    keys.press("Ctrl+F", "Down")
    assert keyboard() is card.table
    column = card.table.shown_columns[2]
    keys.press_until("Right", column, lambda: card.table.currentIndex().column())
    keys.choose(keys.menu(), "descending")
    shown = [card.table.row(at)[column].value for at in range(card.table.model().rowCount())]
    known = [value for value in shown if value is not None]
    assert known == sorted(known, reverse=True)
    assert len(set(known)) > 1


def asks_where_a_number_comes_from(keys: Keys) -> None:
    window, table = keys.window, keys.window.page.tables[0].table
    keys.go_to(table)
    keys.press("Home")
    keys.press_until(
        "Right", True, lambda: table.row(table.currentIndex().row())[table.currentIndex().column()].source is not None
    )
    keys.press("Return")
    source = keys.opened(SourceWindow)
    assert source.sources.table.model().rowCount() > 0
    keys.press("Escape")
    assert keyboard().window() is window
    assert keyboard() is table


def exports_a_workbook(keys: Keys, target: Path) -> None:
    window = keys.window
    keys.press("Ctrl+E")
    dialog = keys.opened(ExportDialog)
    keys.go_to(dialog.form.place)
    keys.press("Ctrl+A")
    keys.write(str(target))
    keys.qtbot.waitUntil(dialog.export.isEnabled, timeout=LONG_MS)
    keys.press("Return")
    keys.qtbot.waitUntil(lambda: target.exists() and not window.busy, timeout=LONG_MS)
    assert "Phase table" in openpyxl.load_workbook(BytesIO(target.read_bytes()), read_only=True).sheetnames
    assert target.name in window.strip.message.full


def presents(keys: Keys) -> None:
    window = keys.window
    page = window.page.spec.key
    keys.press("F5")
    assert window.presenter.on
    room = window.presenter.room
    assert room is not None
    seen = {room.accessibleName()}
    for _ in range(2):
        keys.press("Right")
        seen.add(room.accessibleName())
    assert len(seen) == 3
    keys.press("Left", "Escape")
    assert not window.presenter.on
    assert window.page.spec.key == page


def takes_steps_back(keys: Keys) -> None:
    state = keys.window.workspace.state
    keys.press("Ctrl+Z")
    assert keys.window.workspace.state != state
    keys.press("Ctrl+Shift+Z")
    assert keys.window.workspace.state.notes == state.notes
    assert keys.window.workspace.state.edits == state.edits
    assert keys.window.workspace.state.hidden == state.hidden


def saves_and_closes(keys: Keys, target: Path) -> None:
    window = keys.window
    assert window.isWindowModified()
    keys.press("Ctrl+S")
    keys.qtbot.waitUntil(lambda: QApplication.activeModalWidget() is not None, timeout=LONG_MS)
    keys.press("Ctrl+A")
    keys.write(str(target))
    keys.press("Return")
    keys.qtbot.waitUntil(lambda: target.exists() and not window.isWindowModified(), timeout=LONG_MS)
    assert f"Saved {target.name}." in window.strip.message.full
    keys.qtbot.waitUntil(lambda: not window.findChildren(QFileDialog))
    keys.press("Ctrl+Q")
    keys.qtbot.waitUntil(lambda: not window.isVisible())


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_that_a_whole_review_needs_no_mouse(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window.activateWindow()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is not None)
    keys = Keys(window, qtbot)
    opens_the_sample(keys)
    turns_the_pages(keys)
    chooses_phase_and_metric(keys)
    reads_the_evidence(keys)
    hides_a_configuration(keys)
    leaves_a_run_out(keys)
    saves_the_view(keys)
    sets_cursors(keys)
    writes_a_note(keys)
    searches_and_sorts_a_table(keys)
    asks_where_a_number_comes_from(keys)
    exports_a_workbook(keys, tmp_path / "findings.xlsx")
    presents(keys)
    takes_steps_back(keys)
    saves_and_closes(keys, tmp_path / "review.vdiwb")


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the virtual screen is X11's")
@pytest.mark.skipif(
    shutil.which("xvfb-run") is None or shutil.which("xauth") is None, reason="xvfb-run is not installed here"
)
def test_that_a_whole_review_needs_no_mouse_on_a_real_screen() -> None:
    screen = ["xvfb-run", "--auto-servernum", "--server-args=-screen 0 1600x900x24"]
    review = f"{Path(__file__)}::{test_that_a_whole_review_needs_no_mouse.__name__}"
    done = subprocess.run(
        [*screen, sys.executable, "-m", "pytest", "-n", "0", "-rp", "-p", "no:cacheprovider", review],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "QT_QPA_PLATFORM": "xcb"},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:]
    assert "PASSED" in done.stdout, "skipped"


def test_that_the_first_page_has_the_keyboard_even_if_its_answer_is_late(
    store: Store, qtbot: QtBot, own_files: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer, active = PageSpec.answer, Event()

    def late(spec: PageSpec, library: Library, choices: Choices) -> Content:
        assert active.wait(LONG_MS / 1000)
        return answer(spec, library, choices)

    monkeypatch.setattr(PageSpec, "answer", late)
    window = make_window(store)
    QApplication.processEvents()
    assert window.isActiveWindow()
    active.set()
    settle(window, qtbot)
    focused = window.focusWidget()
    leave(window)
    window.deleteLater()
    assert focused is window.page
