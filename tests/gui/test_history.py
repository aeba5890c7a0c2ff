"""Undo names its step and belongs to the open results; a box shows or hides; the status line is current."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from syrupy.assertion import SnapshotAssertion

from tests.gui.conftest import LONG_MS, SAMPLE, after, open_and_wait, settle, window_with
from workbench.gui.dialogs.text_question import TextQuestion
from workbench.gui.runs.runs_tree import RowKind
from workbench.gui.shell.main_window import MainWindow

STUDY = SAMPLE / "windows-7-mcs-and-pvs"


@pytest.fixture
def desk(request: pytest.FixtureRequest, qtbot: QtBot, own_files: None) -> MainWindow:
    """The window with a study of several runs."""
    return window_with(request, qtbot, STUDY)


def folder_of(window: MainWindow, name: str) -> str:
    return next(run.folder for study in window.workspace.library.studies for run in study.runs if run.name == name)


def leave_out(window: MainWindow, qtbot: QtBot, name: str, reason: str) -> str:
    """Excludes a run like a user: selects it in the tree, uses the command of Ctrl+L, and types the reason."""
    folder, tree = folder_of(window, name), window.rail.tree
    item = tree.run_item(folder)
    assert item is not None
    tree.setCurrentIndex(item.index())
    window.act("runs.exclude")
    question = next(one for one in window.findChildren(TextQuestion) if one.isVisible())
    QTest.keyClicks(question.text, reason)
    after(window, qtbot, lambda: QTest.keyClick(question.text, Qt.Key.Key_Return))
    return folder


def entry(window: MainWindow, key: str) -> QAction:
    """The text of an entry of the Edit menu when the menu is open."""
    menu = window.menus["&Edit"]
    menu.aboutToShow.emit()
    return next(action for action in menu.actions() if action.data() == key)


def said(window: MainWindow) -> str:
    return window.strip.told


def test_that_only_configurations_have_checkboxes_in_the_tree(desk: MainWindow) -> None:
    tree = desk.rail.tree
    for run in desk.workspace.library.studies[0].runs:
        item = tree.run_item(run.folder)
        assert item is not None
        assert not item.isCheckable()
        configuration = item.parent()
        assert configuration.isCheckable()


def test_that_a_checkbox_hides_a_configuration_and_this_is_reported(
    desk: MainWindow, qtbot: QtBot, snapshot: SnapshotAssertion
) -> None:
    item = desk.rail.tree.configuration_item("MCS, 5 VMs")
    assert item is not None
    after(desk, qtbot, lambda: item.setCheckState(Qt.CheckState.Unchecked))
    assert desk.workspace.state.hidden == {"MCS, 5 VMs"}
    assert desk.workspace.state.excluded == {}
    assert said(desk) == snapshot


def test_that_the_reason_is_shown_in_the_row_of_the_run_and_undo_removes_it(
    desk: MainWindow, qtbot: QtBot, snapshot: SnapshotAssertion
) -> None:
    folder = leave_out(desk, qtbot, "mcs-5vm", "vCenter failed over")
    item = desk.rail.tree.run_item(folder)
    assert item is not None
    assert item.text() == snapshot
    assert "excluded: vCenter failed over" in item.toolTip()
    configuration = item.index().parent()
    count = configuration.siblingAtColumn(1)
    assert count.data() == "0/1", "also while the runs of the configuration are folded"
    assert count.data(Qt.ItemDataRole.ToolTipRole) == "1 of 1 runs excluded"
    assert said(desk) == snapshot
    after(desk, qtbot, desk.history.undo)
    item = desk.rail.tree.run_item(folder)
    assert item is not None
    assert item.text() == "mcs-5vm"
    assert not item.font().italic()


def test_that_compare_and_the_menu_name_the_reason(desk: MainWindow, qtbot: QtBot) -> None:
    folder = leave_out(desk, qtbot, "mcs-5vm", "vCenter failed over")
    after(desk, qtbot, lambda: desk.show_page("compare"))
    assert desk.page.content is not None
    cells = [cell.text for table in desk.page.content.tables for row in table.rows for cell in row]
    assert "vCenter failed over" in cells
    assert "Include run" in [action.text() for action in desk.runs.menu(RowKind.RUN, folder).actions()]


def test_that_undo_and_redo_name_what_they_do(desk: MainWindow, qtbot: QtBot, snapshot: SnapshotAssertion) -> None:
    assert entry(desk, "history.undo").text() == "&Undo"
    leave_out(desk, qtbot, "mcs-5vm", "fan broke")
    assert entry(desk, "history.undo").text() == snapshot
    after(desk, qtbot, desk.history.undo)
    assert said(desk) == snapshot
    assert entry(desk, "history.undo").text() == "&Undo"
    assert entry(desk, "history.redo").text() == snapshot
    after(desk, qtbot, desk.history.redo)
    assert said(desk) == snapshot
    offered = [one.words for one in desk.offers.entries()]
    assert "Edit: Undo: mcs-5vm, excluded (fan broke)" in offered


def test_that_a_step_without_figures_is_named_too(desk: MainWindow, qtbot: QtBot, snapshot: SnapshotAssertion) -> None:
    after(desk, qtbot, lambda: desk.saved_views.save("As it was"))
    assert desk.history.undo_words == snapshot
    after(desk, qtbot, lambda: desk.workspace.apply(pinned=(object(),)))
    assert desk.history.undo_words == "pinned counters"


def test_that_the_status_line_says_if_there_is_no_step_to_undo(
    desk: MainWindow, qtbot: QtBot, snapshot: SnapshotAssertion
) -> None:
    after(desk, qtbot, desk.history.undo)
    assert said(desk) == snapshot
    after(desk, qtbot, desk.history.redo)
    assert said(desk) == snapshot


def test_that_undo_does_not_reach_the_previously_open_study(
    desk: MainWindow, qtbot: QtBot, snapshot: SnapshotAssertion
) -> None:
    leave_out(desk, qtbot, "mcs-5vm", "fan broke")
    after(desk, qtbot, desk.history.undo)
    after(desk, qtbot, desk.history.redo)
    desk.guard.give_up()
    open_and_wait(desk, qtbot, SAMPLE / "rds-mcsio-cache-sweep")
    assert (desk.workspace.past, desk.workspace.future) == ((), ())
    before = desk.workspace.state
    after(desk, qtbot, desk.history.undo)
    assert desk.workspace.state == before
    assert said(desk) == snapshot


def test_that_adding_a_folder_keeps_undo(desk: MainWindow, qtbot: QtBot) -> None:
    leave_out(desk, qtbot, "mcs-5vm", "fan broke")
    with qtbot.waitSignal(desk.importer.opened, timeout=LONG_MS):
        desk.folders.add([SAMPLE / "rds-mcsio-cache-sweep"])
    settle(desk, qtbot)
    after(desk, qtbot, desk.history.undo)
    assert desk.workspace.state.excluded == {}


def test_that_the_status_line_does_not_keep_an_earlier_message(
    desk: MainWindow, qtbot: QtBot, snapshot: SnapshotAssertion
) -> None:
    leave_out(desk, qtbot, "mcs-5vm", "fan broke")
    item = desk.rail.tree.configuration_item("MCS, 1 VM")
    assert item is not None
    after(desk, qtbot, lambda: item.setCheckState(Qt.CheckState.Unchecked))
    assert said(desk) == snapshot
    desk.rail.tree.clearSelection()
    desk.act("runs.exclude")
    assert said(desk) == snapshot
    after(desk, qtbot, lambda: desk.act("runs.include_all"))
    assert said(desk).startswith("All configurations and runs are included")


def test_that_back_returns_to_the_page_with_its_zoom_and_phase(desk: MainWindow, qtbot: QtBot) -> None:
    after(desk, qtbot, lambda: desk.show_page("per-vm-iops"))
    figure = desk.page.figure
    assert figure is not None
    figure.set_span(60.0, 300.0)
    zoomed = figure.zoomed_span
    assert zoomed is not None
    after(desk, qtbot, lambda: desk.workspace.apply(page="compare", phase="boot"))
    after(desk, qtbot, lambda: desk.act("history.back"))
    assert (desk.workspace.state.page, desk.workspace.state.phase) == ("per-vm-iops", "steady")
    assert desk.page.figure.zoomed_span == pytest.approx(zoomed)
    after(desk, qtbot, lambda: desk.act("history.back"))
    assert desk.workspace.state.page == "overview"
    desk.act("history.back")
    assert desk.workspace.state.page == "overview"
    assert said(desk)


def test_that_back_does_not_undo_later_edits(desk: MainWindow, qtbot: QtBot) -> None:
    after(desk, qtbot, lambda: desk.show_page("compare"))
    after(desk, qtbot, lambda: desk.workspace.apply(hidden=frozenset({"MCS, 1 VM"})))
    after(desk, qtbot, lambda: desk.act("history.back"))
    assert desk.workspace.state.page == "overview"
    assert desk.workspace.state.hidden == frozenset({"MCS, 1 VM"})


def test_that_ctrl_y_redoes_a_step(desk: MainWindow, qtbot: QtBot) -> None:
    after(desk, qtbot, lambda: desk.workspace.apply(hidden=frozenset({"MCS, 1 VM"})))
    after(desk, qtbot, lambda: desk.act("history.undo"))
    assert desk.workspace.state.hidden == frozenset()
    desk.activateWindow()
    after(desk, qtbot, lambda: qtbot.keyClick(desk, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier))
    assert desk.workspace.state.hidden == frozenset({"MCS, 1 VM"})
