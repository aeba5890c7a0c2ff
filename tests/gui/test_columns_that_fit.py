"""No table scrolls sideways on a laptop: the last columns are hidden, named, shown on a click, and copied."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from tests.gui.conftest import after, in_light_theme
from workbench.answers.registry import PAGES
from workbench.charts.tables import Cell, Column, TableData
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.widgets import table_card
from workbench.gui.widgets.staying_column import _LEAST_TEXT
from workbench.gui.widgets.table import DataTable
from workbench.gui.widgets.table_card import TableCard
from workbench.session.settings import load_settings


def of_cache(window: MainWindow, qtbot: QtBot, width: int = 1366) -> TableCard:
    window.resize(width, 768)
    after(window, qtbot, lambda: window.show_page("cache"))
    QApplication.processEvents()
    return window.page.tables[0]


@pytest.mark.parametrize("page", [spec.key for spec in PAGES])
def test_that_no_table_of_a_page_scrolls_horizontally(sample: MainWindow, qtbot: QtBot, page: str) -> None:
    sample.resize(1366, 768)
    spec, wide = next(spec for spec in PAGES if spec.key == page), []
    for view, _ in spec.views or (("", ""),):
        views = sample.workspace.state.with_page_view(page, view).page_views
        after(sample, qtbot, lambda views=views: sample.workspace.apply(page=page, page_views=views))
        for card in sample.page.tables:
            for tab in range(card.tabs.count()):
                card.tabs.setCurrentIndex(tab)
                QApplication.processEvents()
                if card.isVisible() and card.table.horizontalScrollBar().maximum():
                    wide.append((view, card.table.name))
        tables = [table for table in sample.page.findChildren(DataTable) if table.isVisible()]
        wide += [(view, table.name) for table in tables if table.horizontalScrollBar().maximum()]
    assert wide == []


def test_that_more_columns_are_shown_on_a_click_and_hidden_on_another(opened: MainWindow, qtbot: QtBot) -> None:
    card = of_cache(opened, qtbot)
    table, note = card.table, card.column_note
    first, count = table.shown_columns, len(table.source.table.columns)
    assert len(first) < count
    assert note.text.full.startswith(f"{count - len(first)} more columns: ")
    assert note.text.full.endswith("CPU, CPU change")
    QTest.mouseClick(note.button, Qt.MouseButton.LeftButton)
    assert len(table.shown_columns) == count
    assert note.text.full == ""
    assert len(load_settings().shown_columns["By configuration"]) == count
    QTest.mouseClick(note.button, Qt.MouseButton.LeftButton)
    assert table.shown_columns == first
    assert load_settings().shown_columns == {}


def test_that_a_wider_window_shows_more_columns(opened: MainWindow, qtbot: QtBot) -> None:
    few = len(of_cache(opened, qtbot).table.shown_columns)
    assert few < len(of_cache(opened, qtbot, 2400).table.shown_columns)
    assert len(of_cache(opened, qtbot).table.shown_columns) == few


def test_that_a_column_chosen_in_the_menu_is_shown_with_the_others(opened: MainWindow, qtbot: QtBot) -> None:
    table = of_cache(opened, qtbot).table
    before, last = table.shown_columns, len(table.source.table.columns) - 1
    table.set_column_shown(last, shown=True)
    assert table.shown_columns == [*before, last]
    table.set_column_shown(last, shown=False)
    assert table.shown_columns == before


def test_that_a_hidden_column_is_shown_again_although_it_does_not_fit(opened: MainWindow, qtbot: QtBot) -> None:
    last = len(of_cache(opened, qtbot, 2400).table.source.table.columns) - 1
    opened.page.tables[0].table.set_column_shown(last, shown=False)
    table = of_cache(opened, qtbot).table
    before = table.shown_columns
    table.set_column_shown(last, shown=True)
    assert table.shown_columns == [*before, last]


SIX = tuple(map(Column, "abcdef"))


def of_numbers(qtbot: QtBot, columns: tuple[Column, ...] = SIX) -> TableCard:
    """A card with one table and enough space for all of its columns."""
    in_light_theme()
    card = TableCard("Numbers")
    qtbot.addWidget(card)
    card.resize(1200, 200)
    card.show()
    card.show_tables((TableData(columns, ((Cell("12345678", 1.0),) * len(columns),)),), "light")
    return card


def make_narrow(card: TableCard) -> None:
    """Makes the card just wide enough for the columns that are shown now."""
    table = card.table
    card.resize(card.width() - table.viewport().width() + sum(map(table.columnWidth, table.shown_columns)), 200)
    QApplication.processEvents()


@pytest.mark.parametrize("column", [2, 5])
@pytest.mark.parametrize("every", [False, True], ids=["one", "all"])
def test_that_a_hidden_column_that_is_shown_again_hides_no_other(qtbot: QtBot, column: int, every: bool) -> None:
    card = of_numbers(qtbot)
    table = card.table
    table.set_column_shown(column, shown=False)
    make_narrow(card)
    assert table.shown_columns == [at for at in range(6) if at != column]
    if every:
        table.show_all_columns()
    else:
        table.set_column_shown(column, shown=True)
    assert table.shown_columns == list(range(6))


def test_that_the_button_fewer_columns_keeps_the_choice_for_other_tables_with_the_same_name(qtbot: QtBot) -> None:
    card = of_numbers(qtbot, (*SIX, Column("g")))
    table = card.table
    table.set_column_shown(6, shown=False)
    make_narrow(card)
    table.set_column_shown(6, shown=True)
    every = table.source.table
    of_six = TableData(SIX, tuple(row[:6] for row in every.rows))
    card.resize(card.width() - 3 * table.columnWidth(0), 200)
    card.show_tables((of_six,), "light")
    table.show_fewer()
    assert table.memory.shown == {"Numbers": frozenset({"g"})}
    card.show_tables((every,), "light")
    assert 6 in table.shown_columns


def test_that_the_button_fewer_columns_is_offered_only_if_it_hides_some(qtbot: QtBot) -> None:
    card = of_numbers(qtbot)
    make_narrow(card)
    button, narrow, wide = card.column_note.button, card.width(), card.width() + 400
    assert not button.isVisible()
    card.resize(narrow - 100, 200)
    QApplication.processEvents()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert len(card.table.shown_columns) == 6
    for width, offered in ((narrow - 100, True), (wide, False), (narrow - 100, True)):
        card.resize(width, 200)
        QApplication.processEvents()
        assert button.isVisible() == offered, width
        assert fewer_in_menu(card).isEnabled() == offered, width
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert len(card.table.shown_columns) < 6


def fewer_in_menu(card: TableCard) -> QAction:
    menu = QMenu(card)
    table_card.fill(menu, card.table, card.table.model().index(0, 0))
    columns = next(entry for entry in menu.findChildren(QMenu) if entry.actions()[-1].text() == "Fewer columns")
    return columns.actions()[-1]


def test_that_a_copy_has_the_columns_that_do_not_fit(opened: MainWindow, qtbot: QtBot) -> None:
    table = of_cache(opened, qtbot).table
    count = len(table.source.table.columns)
    assert len(table.as_text("table").split("\n")[0].split("\t")) == count
    table.selectAll()
    QTest.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert len(QGuiApplication.clipboard().text().split("\n")[0].split("\t")) == count
    table.clearSelection()
    table.setCurrentIndex(table.model().index(1, 3))
    assert len(table.as_text("rows").split("\n")[1].split("\t")) == count
    assert "\t" not in table.as_text()


def test_that_columns_do_not_change_back_and_forth_with_the_scroll_bar(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_light_theme()
    fitted: list[str] = []
    hide = DataTable._hide_columns

    def counted(table: DataTable) -> None:
        fitted.append(table.name)
        hide(table)

    monkeypatch.setattr(DataTable, "_hide_columns", counted)
    table = DataTable("Problems")
    qtbot.addWidget(table)
    columns = (Column("File", numeric=False), Column("Problem", numeric=False, fills=True), *map(Column, "abc"))
    row = (Cell("a.csv"), Cell("overflow of words " * 6), *(Cell("12345.0", 1.0),) * 3)
    table.resize(900, 200)
    table.show_data(TableData(columns, (row,) * 2), "light")
    table.show()
    wide = sum(table.columnWidth(at) for at in (0, 2, 3, 4)) + _LEAST_TEXT
    # A scroll bar would use the space of the last column, and without that column no scroll bar is needed.
    for width in range(wide - 30, wide + 10, 4):
        for height in range(200, 440, 20):
            table.resize(width, height)
            fitted.clear()
            for _ in range(12):
                QApplication.processEvents()
            assert len(fitted) <= 1, (width, height)


def test_that_a_text_that_fills_the_remaining_width_keeps_its_minimum_width(qtbot: QtBot) -> None:
    in_light_theme()
    table = DataTable("Changes")
    qtbot.addWidget(table)
    columns = (*(Column(name, numeric=False) for name in "abcdefghij"), Column("Notes", numeric=False, fills=True))
    table.show_data(TableData(columns, ((*(Cell("12345.0"),) * 10, Cell("words of a note " * 6)),) * 2), "light")
    table.show()
    every = list(range(len(columns)))
    table.resize(table.width() - table._room() + sum(table._wanted[:-1]) + _LEAST_TEXT - 30, 300)
    QApplication.processEvents()
    assert table.shown_columns == every
    assert table.columnWidth(every[-1]) >= _LEAST_TEXT
