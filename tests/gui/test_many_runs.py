"""What the window makes only when it is looked at: rows of the tree, tables behind tabs, frames of cards."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from workbench.charts.cards import Card
from workbench.charts.figure import Look
from workbench.charts.tables import Cell, Column, TableData
from workbench.gui.pages.answer_cards import AnswerCards
from workbench.gui.widgets.table import DataTable
from workbench.gui.widgets.table_card import TableCard


def _table(name: str, *values: str) -> TableData:
    return TableData((Column("VM"),), tuple((Cell(value, value),) for value in values), name=name)


def _cards(*titles: str) -> list[Card]:
    return [Card(title, Look("MCS", tint=index / 10), "1", "IOPS", "") for index, title in enumerate(titles)]


def test_that_a_table_behind_a_tab_has_its_rows_once_it_is_looked_at(qtbot: QtBot) -> None:
    card = TableCard("First")
    qtbot.addWidget(card)
    card.show_tables((_table("First", "a"), _table("Second", "b", "c")), "light")
    card.tabs.setCurrentIndex(1)
    assert card.table.as_text() == "VM\nb\nc"
    card.show_tables((_table("First", "a"), _table("Second", "d")), "light")
    assert card.table.as_text() == "VM\nd", "the tab that is open shows the newer rows"
    card.tabs.setCurrentIndex(0)
    assert card.table.as_text() == "VM\na"


def test_that_one_card_less_leaves_the_frames_of_the_others(qtbot: QtBot) -> None:
    cards = AnswerCards()
    qtbot.addWidget(cards)
    cards.show_cards(_cards("A", "B", "C"), "light")
    kept = cards._frames[:2]
    cards.show_cards(_cards("B", "C"), "dark")
    cards.show()
    QApplication.processEvents()
    assert cards._frames == kept
    assert [frame._title.full for frame in cards._frames] == ["B", "C"]
    assert all(frame.isVisible() for frame in kept)


def test_that_rows_of_a_long_table_have_the_height_of_their_text_where_they_are_in_view(qtbot: QtBot) -> None:
    sentence = "The write cache of this configuration has overflowed during the logons. " * 6
    rows = tuple((Cell(f"{index}: {sentence}"),) for index in range(600))
    table = DataTable("Findings")
    qtbot.addWidget(table)
    table.resize(500, 300)
    table.show_data(TableData((Column("Sentence", fills=True),), rows), "light")
    table.show()
    qtbot.waitExposed(table)
    for scrolled in (0, table.verticalScrollBar().maximum()):
        table.verticalScrollBar().setValue(scrolled)
        table.grab()
        shown = [row for row in range(600) if 0 <= table.rowViewportPosition(row) < table.viewport().height()]
        assert shown
        assert all(table.rowHeight(row) >= table.sizeHintForRow(row) > 50 for row in shown)
