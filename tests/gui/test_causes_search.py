"""The import report by cause: search with Ctrl+F, a next step for each cause, and no repeated question."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot
from syrupy.assertion import SnapshotAssertion

from tests.gui.conftest import SWEEP, after
from tests.gui.test_causes import causes_of
from workbench.gui.pages.causes_view import CausesView
from workbench.gui.shell.main_window import MainWindow
from workbench.model.problem import CauseGroup, Mending
from workbench.model.resources import damaged_study

LEFT = Qt.MouseButton.LeftButton


def titles(view: CausesView) -> list[str]:
    return [cause.title for cause in view.list.shown]


def pressed(window: MainWindow, qtbot: QtBot, view: CausesView, mending: Mending) -> None:
    row = next(row for row in view.list.rows if row.cause.mending is mending)
    after(window, qtbot, lambda: QTest.mouseClick(row.button, LEFT))


def test_that_every_cause_that_needs_the_user_has_a_button(damaged: MainWindow, qtbot: QtBot) -> None:
    view = causes_of(damaged, qtbot)
    rows = [row for row in view.list.rows if row.cause.group is CauseGroup.NEEDS_YOU]
    assert len(rows) > 15
    for row in rows:
        assert row.button.isVisibleTo(view), row.cause.title
        assert row.button.text(), row.cause.title


def test_that_a_cause_without_an_action_offers_to_copy_its_sentence(
    damaged: MainWindow, qtbot: QtBot, snapshot: SnapshotAssertion
) -> None:
    view = causes_of(damaged, qtbot)
    pressed(damaged, qtbot, view, Mending.COPY_SENTENCES)
    title, line = QGuiApplication.clipboard().text().split("\n")
    assert title == snapshot
    assert line == snapshot
    assert "on the clipboard" in damaged.strip.message.full


def test_that_a_run_without_samples_links_to_its_files(damaged: MainWindow, qtbot: QtBot) -> None:
    view = causes_of(damaged, qtbot)
    pressed(damaged, qtbot, view, Mending.FILES)
    assert damaged.page.tables[1].isVisible()


def test_that_a_cause_opens_the_timeline_of_its_study(window: MainWindow, qtbot: QtBot) -> None:
    view = causes_of(window, qtbot, SWEEP, damaged_study())
    after(window, qtbot, lambda: window.workspace.apply(study=str(SWEEP)))
    assert window.workspace.state.study == str(SWEEP)
    pressed(window, qtbot, view, Mending.TIMELINE)
    assert window.workspace.state.page == "timeline"
    assert Path(window.workspace.state.study or "").name == damaged_study().name


def test_that_ctrl_f_searches_the_causes_and_esc_shows_all(
    damaged: MainWindow, qtbot: QtBot, snapshot: SnapshotAssertion
) -> None:
    view = causes_of(damaged, qtbot)
    every = titles(view)
    damaged.act("tables.find")
    assert view.search.hasFocus()
    QTest.keyClicks(view.search, "SQL01")
    assert titles(view) == snapshot
    assert view.list.cause is not None
    assert view.list.cause.title == snapshot
    assert view.preview.file.full == "database-server-among-vms"
    QTest.keyClick(view.search, Qt.Key.Key_Down)
    assert view.list.hasFocus()
    damaged.act("tables.find")
    QTest.keyClick(view.search, Qt.Key.Key_Escape)
    assert titles(view) == every
    assert view.list.hasFocus()


def test_that_a_search_without_a_match_says_so(damaged: MainWindow, qtbot: QtBot) -> None:
    view = causes_of(damaged, qtbot)
    QTest.keyClicks(view.search, "UNKNOWN FORMAT")
    assert "Files in an unknown format" in titles(view), "notes are searched, too"
    view.search.clear()
    QTest.keyClicks(view.search, "no such cause")
    assert titles(view) == []
    assert view.list.nothing.isVisible()
    assert not view.list.notes.isVisible()
    view.search.clear()
    assert not view.list.nothing.isVisible()
    assert view.list.notes.isVisible()


def test_that_the_visible_causes_are_copied_as_a_list(
    damaged: MainWindow, qtbot: QtBot, snapshot: SnapshotAssertion
) -> None:
    view = causes_of(damaged, qtbot)
    QTest.keyClicks(view.search, "SQL01")
    QTest.mouseClick(view.copy_list, LEFT)
    assert QGuiApplication.clipboard().text() == snapshot
    assert damaged.strip.message.full.startswith("1 cause copied")


def test_that_the_list_is_a_single_tab_stop(damaged: MainWindow, qtbot: QtBot) -> None:
    view = causes_of(damaged, qtbot)
    view.list.setFocus()
    QTest.keyClick(view.list, Qt.Key.Key_Tab)
    assert view.search.hasFocus()
    buttons = [row.button for row in view.list.rows]
    assert all(isinstance(button, QPushButton) for button in buttons)
    assert not any(button.focusPolicy() & Qt.FocusPolicy.TabFocus for button in buttons)
