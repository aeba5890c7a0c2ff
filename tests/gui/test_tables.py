"""Tables: columns chosen and remembered, found, sorted and copied by keyboard and menu."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QItemSelectionModel, QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QGuiApplication, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot
from syrupy.assertion import SnapshotAssertion

from tests.gui.conftest import SWEEP, after, open_and_wait, settle
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.widgets import table_card
from workbench.gui.widgets.table import DataTable
from workbench.session.settings import load_settings
from workbench.session.state import State
from workbench.study.store.column_store import Store
from workbench.words.numbers import number


def filled(menu: QMenu, table: DataTable, row: int = 0, column: int = 0) -> dict[str, QAction]:
    table_card.fill(menu, table, table.model().index(row, column))
    found = {action.text(): action for action in menu.actions()}
    columns = next(action.menu() for action in menu.actions() if action.menu() is not None)
    assert isinstance(columns, QMenu)
    return found | {f"column {action.text()}": action for action in columns.actions()}


@pytest.fixture
def table(opened: MainWindow, qtbot: QtBot) -> DataTable:
    after(opened, qtbot, lambda: opened.show_page("cache"))
    return opened.page.tables[0].table


def titles(table: DataTable) -> list[str]:
    return [table.source.table.columns[at].title for at in table.shown_columns]


def clipboard() -> list[list[str]]:
    return [line.split("\t") for line in QGuiApplication.clipboard().text().split("\n")]


def test_that_a_column_is_hidden_remembered_and_not_copied(
    opened: MainWindow, table: DataTable, qtbot: QtBot, store: Store
) -> None:
    actions = filled(QMenu(opened), table)
    second = titles(table)[1]
    entry = next(action for words, action in actions.items() if words.startswith(f"column {second}"))
    entry.setChecked(False)
    assert second not in titles(table)
    assert not any(head.startswith(f"{second} ") for head in table.as_text().split("\n")[0].split("\t"))
    after(opened, qtbot, lambda: opened.workspace.apply(phase="boot"))
    assert second not in titles(table), "another answer keeps the choice"
    again = MainWindow(store, State(page="cache"), load_settings())
    qtbot.addWidget(again)
    open_and_wait(again, qtbot, SWEEP)
    assert second not in titles(again.page.tables[0].table), "and so does the next start"
    again.page.tables[0].table.show_all_columns()
    assert second in titles(again.page.tables[0].table)
    again.close()


def drag(table: DataTable, qtbot: QtBot, section: int, to: int) -> None:
    """Drags a column heading past the middle of another one."""
    head, port = table.header, table.header.viewport()
    held, target = (
        QPoint(head.sectionViewportPosition(one) + head.sectionSize(one) // 2, head.height() // 2)
        for one in (section, to)
    )
    past = QPoint(5 if target.x() > held.x() else -5, 0)
    qtbot.mousePress(port, Qt.MouseButton.LeftButton, pos=held)
    for at in (held + 3 * past, target, target + past):
        # Qt recognises a drag by the buttons of the event.
        send = QMouseEvent(
            QEvent.Type.MouseMove,
            QPointF(at),
            QPointF(port.mapToGlobal(at)),
            Qt.MouseButton.NoButton,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
        QApplication.sendEvent(port, send)
    qtbot.mouseRelease(port, Qt.MouseButton.LeftButton, pos=target + past)


def test_that_a_dragged_column_stays_and_is_copied_in_place_and_can_be_reset(
    opened: MainWindow, table: DataTable, qtbot: QtBot, store: Store
) -> None:
    before = titles(table)
    shown = table.shown_columns
    drag(table, qtbot, shown[1], shown[2])
    moved = [before[0], before[2], before[1], *before[3:]]
    assert titles(table) == moved
    heads = table.as_text("table").split("\n")[0].split("\t")
    assert [head.startswith(title) for head, title in zip(heads, moved, strict=False)] == [True] * len(moved)
    after(opened, qtbot, lambda: opened.workspace.apply(phase="boot"))
    assert titles(table)[:3] == moved[:3], "another answer keeps the order"
    again = MainWindow(store, State(page="cache"), load_settings())
    qtbot.addWidget(again)
    open_and_wait(again, qtbot, SWEEP)
    later = again.page.tables[0].table
    assert titles(later)[:3] == moved[:3], "and so does the next start"
    later.show_all_columns()
    assert later.placed_columns == list(range(len(later.placed_columns)))
    assert load_settings().column_order == {}
    again.close()


def test_that_the_column_that_names_the_rows_stays_first(opened: MainWindow, table: DataTable, qtbot: QtBot) -> None:
    before, shown = titles(table), table.shown_columns
    drag(table, qtbot, shown[0], shown[2])
    assert titles(table) == before
    drag(table, qtbot, shown[2], shown[0])
    assert titles(table)[0] == before[0]
    assert sorted(titles(table)) == sorted(before)


def test_that_the_menu_moves_a_column_and_hidden_ones_do_not_count(opened: MainWindow, table: DataTable) -> None:
    before, shown = titles(table), table.shown_columns
    table.set_column_shown(shown[2], shown=False)
    actions = filled(QMenu(opened), table, 0, shown[1])
    assert not actions["Move column left"].isEnabled()
    actions["Move column right"].trigger()
    assert titles(table)[:3] == [before[0], before[3], before[1]]
    table.show_all_columns()
    assert table.placed_columns == list(range(len(table.placed_columns)))


def test_that_the_last_column_cannot_be_hidden(opened: MainWindow, table: DataTable) -> None:
    for section in range(1, len(table.source.table.columns)):
        table.set_column_shown(section, shown=False)
    actions = filled(QMenu(opened), table)
    assert len(table.shown_columns) == 1
    entry = next(action for words, action in actions.items() if words.startswith("column ") and action.isChecked())
    assert not entry.isEnabled()
    table.show_all_columns()


def test_that_cell_row_and_table_are_copied(opened: MainWindow, table: DataTable) -> None:
    table.selectRow(1)
    actions = filled(QMenu(opened), table, 1, 0)
    actions["Copy cell"].trigger()
    first = table.row(1)[0].value
    assert clipboard() == [[first]]
    actions["Copy row"].trigger()
    assert [len(clipboard()), clipboard()[1][0]] == [2, first]
    actions["Copy table"].trigger()
    assert len(clipboard()) == 1 + len(table.source.table.rows)


def test_that_selected_numbers_are_counted_and_summed_in_the_strip(opened: MainWindow, table: DataTable) -> None:
    model, at = table.model(), next(at for at in table.shown_columns if table.source.table.columns[at].numeric)
    rows = [row for row in range(model.rowCount()) if model.index(row, at).data(Qt.ItemDataRole.UserRole) is not None]
    values = [float(model.index(row, at).data(Qt.ItemDataRole.UserRole)) for row in rows[:3]]
    assert len(values) == 3
    table.clearSelection()
    for row in rows[:3]:
        table.selectionModel().select(model.index(row, at), QItemSelectionModel.SelectionFlag.Select)
    shown = opened.strip.message.full
    assert shown.startswith("3 ")
    for value in (sum(values) / 3, sum(values), min(values), max(values)):
        assert number(value) in shown
    copied = table.as_text().split("\n")
    assert (len(copied), copied[0].count("\t")) == (4, 0), "three cells of one column under their head"
    table.clearSelection()
    assert opened.strip.message.full != shown


def test_that_the_numbers_of_every_tab_are_summed_also_after_the_chart_was_shown(
    opened: MainWindow, qtbot: QtBot
) -> None:
    after(opened, qtbot, lambda: opened.show_page("overview"))
    card = opened.page.tables[0]
    card.tabs.setCurrentIndex([card.tabs.tabText(tab) for tab in range(card.tabs.count())].index("Phase table"))
    table = card.table
    at = next(at for at in table.shown_columns if table.source.table.columns[at].title == "Users")
    for row in range(2):
        table.selectionModel().select(table.model().index(row, at), QItemSelectionModel.SelectionFlag.Select)
    shown = opened.strip.message.full
    assert shown.startswith("2 ")
    assert "120" in shown
    figure = opened.page.make_whole().figure
    figure.value_read.emit("MCS: 105 IOPS")
    assert opened.strip.message.full == "MCS: 105 IOPS"
    figure.value_read.emit("")
    assert opened.strip.message.full == shown
    card.tabs.setCurrentIndex(0)
    assert opened.strip.message.full != shown


def test_that_a_column_is_sorted_from_the_menu_and_stays_sorted(
    opened: MainWindow, table: DataTable, qtbot: QtBot
) -> None:
    actions = filled(QMenu(opened), table, 0, 1)
    words = next(one for one in actions if one == "Sort descending")
    actions[words].trigger()

    def values() -> list[float]:
        return [v for at in range(table.model().rowCount()) if (v := table.row(at)[1].value) is not None]

    assert values() == sorted(values(), reverse=True)
    assert values() != sorted(values())
    after(opened, qtbot, lambda: opened.workspace.apply(phase="boot"))
    assert values() == sorted(values(), reverse=True)


def test_that_ctrl_f_filters_down_reaches_the_rows_and_esc_shows_all(
    opened: MainWindow, table: DataTable, qtbot: QtBot
) -> None:
    card, every = opened.page.tables[0], table.model().rowCount()
    opened.activateWindow()
    opened.act("tables.find")
    assert opened.focusWidget() is card.filter
    QTest.keyClicks(card.filter, "512")
    assert 0 < table.model().rowCount() < every
    QTest.keyClick(card.filter, Qt.Key.Key_Down)
    assert opened.focusWidget() is table
    opened.act("tables.find")
    QTest.keyClick(card.filter, Qt.Key.Key_Escape)
    assert table.model().rowCount() == every
    assert opened.focusWidget() is table


def test_that_a_chart_is_copied_as_image_and_as_data(
    opened: MainWindow, qtbot: QtBot, snapshot: SnapshotAssertion
) -> None:
    after(opened, qtbot, lambda: opened.show_page("per-vm-iops"))
    actions = {action.text().split("\t")[0]: action for action in opened.charts.menu(opened.page).actions()}
    assert set(actions) - {""} == {"Copy as image", "Copy data", "Show everything", "Save view…", "Export…"}
    assert not actions["Show everything"].isEnabled()
    actions["Copy as image"].trigger()
    assert QGuiApplication.clipboard().image().width() >= opened.page.figure.width()
    opened.page.figure.set_span(60.0, 120.0)
    after(opened, qtbot, actions["Copy data"].trigger)
    rows = clipboard()
    assert rows[0] == ["panel", "series", "x", "y", "unit"]
    assert all(60.0 <= float(row[2]) <= 120.0 for row in rows[1:])
    assert opened.strip.message.full == snapshot
    shown = {action.text().split("\t")[0]: action for action in opened.charts.menu(opened.page).actions()}
    shown["Show everything"].trigger()
    assert opened.page.figure.zoomed_span is None
    settle(opened, qtbot)


def test_that_no_two_actions_have_one_key_and_each_can_be_done(opened: MainWindow) -> None:
    from workbench.gui.services.actions import ACTIONS

    keys = [one.shortcut for one in ACTIONS if one.shortcut]
    assert sorted(keys) == sorted(set(keys))
    assert all(callable(one.bound((opened, *vars(opened).values()))) for one in ACTIONS)
    assert len({(one.key, one.argument) for one in ACTIONS}) == len(ACTIONS)


def test_that_settings_store_no_table_without_hidden_columns(opened: MainWindow, table: DataTable) -> None:
    table.set_column_shown(1, shown=False)
    assert load_settings().hidden_columns
    table.set_column_shown(1, shown=True)
    assert load_settings().hidden_columns == {}


def test_that_an_empty_table_says_whether_the_filter_is_the_reason(
    opened: MainWindow, table: DataTable, qtbot: QtBot, snapshot: SnapshotAssertion
) -> None:
    assert table.nothing() == ""
    table.show_matching("no such configuration")
    assert table.nothing() == snapshot
    table.show_matching("")
    after(opened, qtbot, lambda: opened.show_page("import-report"))
    after(opened, qtbot, opened.mending.show_files)
    problems, files = opened.page.tables
    shows = bool(problems.table.source.table.rows)
    assert (problems.table.nothing() == "This table has no rows.") != shows
    assert files.table.nothing() == ""
    qtbot.waitUntil(lambda: shows or files.height() > 2 * problems.height())
