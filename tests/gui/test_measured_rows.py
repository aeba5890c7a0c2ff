"""Rows of a table are measured once for the same widths, and again when their text needs another height."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from tests.gui.conftest import in_light_theme
from workbench.charts.tables import Cell, Column, TableData
from workbench.gui.widgets.table import DataTable, TableModel


def test_that_a_row_is_measured_again_only_for_another_width_font_or_text(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_light_theme()
    asked: list[object] = []
    data = TableModel.data
    monkeypatch.setattr(TableModel, "data", lambda model, *at: asked.append(at) or data(model, *at))
    table = DataTable("Problems")
    qtbot.addWidget(table)
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
