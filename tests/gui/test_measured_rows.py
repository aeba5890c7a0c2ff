"""Rows of a table are measured once for the same widths, and again when their text needs another height."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.gui.conftest import in_light_theme
from workbench.charts.tables import Cell, Column, TableData
from workbench.gui.widgets.table import DataTable, TableModel


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The requests of tables to their model from now on."""
    every: list[object] = []
    data = TableModel.data
    monkeypatch.setattr(TableModel, "data", lambda model, *at: every.append(at) or data(model, *at))
    return every


@pytest.fixture
def table(qtbot: QtBot) -> DataTable:
    """An empty table."""
    in_light_theme()
    made = DataTable("Problems")
    qtbot.addWidget(made)
    return made


def test_that_a_row_is_measured_again_only_for_another_width_font_or_text(
    asked: list[object], table: DataTable
) -> None:
    table.resize(900, 300)
    columns = (Column("File", numeric=False), Column("Problem", numeric=False, fills=True))

    def show(words: int) -> int:
        table.show_data(TableData(columns, ((Cell("a.csv"), Cell("overflow " * words)),)), "light")
        return table.sizeHintForRow(0)

    table.show()
    one, many = show(1), show(80)
    assert many > one
    asked.clear()
    assert table.sizeHintForRow(0) == many
    assert asked == []
    table.resize(500, 300)
    narrow = table.sizeHintForRow(0)
    assert narrow > many
    font = table.font()
    font.setPointSize(2 * font.pointSize())
    table.setFont(font)
    assert table.sizeHintForRow(0) > narrow


def test_that_the_height_of_a_row_includes_text_outside_the_view_and_stays_while_scrolled(
    asked: list[object], table: DataTable
) -> None:
    columns = (Column("File", numeric=False), Column("Cause", numeric=False, fills=True))
    table.show_data(TableData(columns, ((Cell("a.csv"), Cell("overflow " * 80)),)), "light")
    table.setColumnWidth(0, 400)
    table.resize(300, 200)
    table.show()
    QApplication.processEvents()
    assert table.columnViewportPosition(1) > table.viewport().width()
    high, bar = table.sizeHintForRow(0), table.horizontalScrollBar()
    assert high > 2 * table.fontMetrics().height()
    asked.clear()
    bar.setValue(bar.maximum())
    assert bar.value() > 0
    assert table.sizeHintForRow(0) == high
    table.resize(300, 300)
    assert table.sizeHintForRow(0) == high
    assert asked == []
    table.setColumnHidden(1, True)
    QApplication.processEvents()
    assert table.sizeHintForRow(0) < high
