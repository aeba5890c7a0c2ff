"""Columns without any value are hidden, named in the head of the table, and shown when the user asks for them."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot
from syrupy.assertion import SnapshotAssertion

from tests.gui.conftest import SWEEP, after, open_and_wait
from workbench.charts.tables import Cell, Column, TableData
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.widgets import table_card
from workbench.gui.widgets.columns import ColumnMemory
from workbench.gui.widgets.table import DataTable
from workbench.gui.widgets.table_card import TableCard
from workbench.session.settings import load_settings
from workbench.session.state import State
from workbench.study.store.column_store import Store
from workbench.words.numbers import MISSING

NONE = Cell(MISSING)


def table_of(*rows: tuple[Cell, ...]) -> TableData:
    titles = ("Configuration", "IOPS", "Latency", "Overflow")
    return TableData(tuple(Column(title, numeric=bool(at)) for at, title in enumerate(titles)), rows)


def row(name: str, *cells: Cell) -> tuple[Cell, ...]:
    return (Cell(name, name), *cells)


TWO = table_of(row("MCS", Cell("105", 105.0), NONE, NONE), row("PVS", NONE, NONE, Cell("")))


@pytest.fixture
def card(qtbot: QtBot) -> TableCard:
    card = TableCard("Phases")
    qtbot.addWidget(card)
    card.resize(900, 300)
    card.show_tables((TWO,), "light")
    card.show()
    return card


def titles(table: DataTable) -> list[str]:
    return [table.source.table.columns[at].title for at in table.shown_columns]


def test_that_columns_without_any_value_are_hidden_and_named(card: TableCard, snapshot: SnapshotAssertion) -> None:
    assert titles(card.table) == ["Configuration", "IOPS"]
    assert card.column_note.text.full == snapshot
    assert card.column_note.button.isVisible()


def test_that_a_hidden_column_is_distinguished_from_a_visible_one_with_its_title(card: TableCard) -> None:
    columns = (Column("Test"), Column("IOPS", numeric=True), Column("IOPS", "× raw", numeric=True))
    rows = tuple(row(name, Cell("105", 105.0), NONE) for name in "ab")
    card.show_tables((TableData(columns, rows),), "light")
    assert "IOPS (× raw)" in card.column_note.text.full


def test_that_a_zero_is_a_value(card: TableCard, snapshot: SnapshotAssertion) -> None:
    zero = row("PVS", NONE, Cell("0", 0.0), NONE)
    card.show_tables((table_of(row("MCS", Cell("105", 105.0), NONE, NONE), zero),), "light")
    assert titles(card.table) == ["Configuration", "IOPS", "Latency"]
    assert card.column_note.text.full == snapshot


def test_that_a_sign_or_word_or_box_counts_as_a_value(card: TableCard) -> None:
    second = row("PVS", NONE, Cell("", icon="warning"), Cell("not measured"))
    card.show_tables((table_of(row("MCS", Cell("", ticked=False), NONE, NONE), second),), "light")
    assert len(titles(card.table)) == 4
    assert card.column_note.text.full == ""
    assert not card.column_note.button.isVisible()


def test_that_a_single_row_keeps_its_columns(card: TableCard) -> None:
    card.show_tables((table_of(row("MCS", Cell("105", 105.0), NONE, NONE)),), "light")
    assert len(titles(card.table)) == 4


def test_that_one_click_shows_empty_columns_and_the_menu_hides_them_again(card: TableCard) -> None:
    memory = ColumnMemory()
    card.remember_columns(memory)
    QTest.mouseClick(card.column_note.button, Qt.MouseButton.LeftButton)
    assert len(titles(card.table)) == 4
    assert card.column_note.text.full == ""
    card.show_tables((TWO,), "light")
    assert len(titles(card.table)) == 4, "another answer keeps the choice"
    menu = QMenu(card)
    table_card.fill(menu, card.table, card.table.model().index(0, 0))
    columns = next(action.menu() for action in menu.actions() if action.menu() is not None)
    assert isinstance(columns, QMenu)
    hide = next(action for action in columns.actions() if action.text() == "Fewer columns")
    assert hide.isEnabled()
    hide.trigger()
    assert titles(card.table) == ["Configuration", "IOPS"]
    assert memory == ColumnMemory()


def test_that_one_empty_column_is_shown_and_hidden_with_its_box(card: TableCard, snapshot: SnapshotAssertion) -> None:
    card.table.set_column_shown(2, shown=True)
    assert titles(card.table) == ["Configuration", "IOPS", "Latency"]
    assert card.column_note.text.full == snapshot
    card.table.set_column_shown(2, shown=False)
    assert titles(card.table) == ["Configuration", "IOPS"]


def test_that_a_column_the_user_hid_stays_hidden_and_is_not_called_empty(
    card: TableCard, snapshot: SnapshotAssertion
) -> None:
    filled = table_of(*(row(name, Cell("1", 1.0), Cell("2", 2.0), Cell("3", 3.0)) for name in ("MCS", "PVS")))
    card.show_tables((filled,), "light")
    card.table.set_column_shown(2, shown=False)
    card.show_tables((TWO,), "light")
    assert card.column_note.text.full == snapshot
    card.table.set_column_shown(3, shown=True)
    card.show_tables((filled,), "light")
    assert titles(card.table) == ["Configuration", "IOPS", "Overflow"]


def test_that_a_copy_contains_visible_columns_and_every_value(card: TableCard) -> None:
    assert card.table.as_text("table").split("\n") == ["Configuration\tIOPS", "MCS\t105.0", "PVS\t"]


def test_that_the_choice_is_kept_after_the_window_is_closed(
    opened: MainWindow, qtbot: QtBot, store: Store, snapshot: SnapshotAssertion
) -> None:
    opened.resize(2200, 900)
    after(opened, qtbot, lambda: opened.show_page("compare"))
    card = opened.page.tables[0]
    card.tabs.setCurrentIndex(1)
    assert card.column_note.text.full == snapshot
    QTest.mouseClick(card.column_note.button, Qt.MouseButton.LeftButton)
    assert load_settings().shown_columns == {"Values": ("p (permutation)",)}
    assert load_settings().hidden_columns == {}
    card.tabs.setCurrentIndex(0)
    assert card.column_note.text.full == ""
    card.tabs.setCurrentIndex(1)
    assert "p (permutation)" in titles(card.table)
    again = MainWindow(store, State(page="compare"), load_settings())
    qtbot.addWidget(again)
    open_and_wait(again, qtbot, SWEEP)
    again.page.tables[0].tabs.setCurrentIndex(1)
    assert "p (permutation)" in titles(again.page.tables[0].table)
    again.close()


def test_that_columns_with_the_same_title_are_named_with_their_units(
    card: TableCard, snapshot: SnapshotAssertion
) -> None:
    columns = (Column("VM", numeric=False), Column("Disk", "MB"), Column("Disk", "%"), Column("RAM", "MB"))
    rows = tuple(row(name, NONE, NONE, NONE) for name in ("VM1", "VM2"))
    card.show_tables((TableData(columns, rows),), "light")
    assert card.column_note.text.full == snapshot
