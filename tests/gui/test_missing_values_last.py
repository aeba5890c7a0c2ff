"""Sorting a table: unavailable values come last in both directions."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from workbench.charts.tables import Cell, Column, TableData
from workbench.gui.widgets.table import DataTable

UP, DOWN = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder
VALUES: tuple[float | None, ...] = (3.0, None, -1.0, None, 0.0)


@pytest.mark.parametrize(
    ("order", "texts"), [(UP, ["-1.0", "0.0", "3.0", "—", "—"]), (DOWN, ["3.0", "0.0", "-1.0", "—", "—"])]
)
def test_that_missing_values_sort_last_in_both_directions(qtbot: QtBot, order: Qt.SortOrder, texts: list[str]) -> None:
    table = DataTable("Latency")
    qtbot.addWidget(table)
    rows = tuple((Cell("—" if value is None else str(value), value),) for value in VALUES)
    table.show_data(TableData((Column("Latency", "ms"),), rows), "light")
    table.sortByColumn(0, order)
    model = table.model()
    assert [model.index(row, 0).data() for row in range(model.rowCount())] == texts
