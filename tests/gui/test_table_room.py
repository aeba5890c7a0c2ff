"""Rows of a table next to a chart: as many as fit; they take space before further lines of the legend."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QScrollArea
from pytestqt.qtbot import QtBot

from tests.gui.conftest import SAMPLE, after, open_and_wait
from tests.gui.plot.views import panels
from workbench.charts.figure import Bars
from workbench.charts.tables import Cell, Column, TableData
from workbench.gui.plot.bars import y_of
from workbench.gui.services.assets import ui_font
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.widgets.table import DataTable
from workbench.gui.widgets.table_card import TableCard


def compared(window: MainWindow, qtbot: QtBot, width: int, height: int) -> TableCard:
    window.resize(width, height)
    views = window.workspace.state.with_page_view("compare", "metric").page_views
    after(window, qtbot, lambda: window.workspace.apply(page="compare", page_views=views))
    QApplication.processEvents()
    return window.page.tables[0]


def rows_in_view(table: DataTable) -> int:
    height = table.viewport().height()
    return sum(
        table.rowViewportPosition(row) + table.rowHeight(row) <= height for row in range(table.model().rowCount())
    )


@pytest.mark.parametrize(("size", "rows"), [((1366, 768), 3), ((1920, 1080), 4)])
def test_that_compare_shows_rows_next_to_its_chart_without_scrolling(
    opened: MainWindow, qtbot: QtBot, size: tuple[int, int], rows: int
) -> None:
    card = compared(opened, qtbot, *size)
    qtbot.waitUntil(lambda: rows_in_view(card.table) >= rows)
    assert all(area.verticalScrollBar().maximum() == 0 for area in opened.page.findChildren(QScrollArea))
    assert opened.page.figure.height() >= opened.page.figure.minimumHeight()


def test_that_the_values_of_low_charts_still_are_below_their_bars(window: MainWindow, qtbot: QtBot) -> None:
    open_and_wait(window, qtbot, SAMPLE / "windows-7-mcs-and-pvs")
    compared(window, qtbot, 1366, 768)
    assert window.page.figure is not None
    for view in panels(window.page.figure):
        bars = [mark for mark in view.scales.panel.marks if isinstance(mark, Bars)]
        lowest = min(float(np.nanmin(mark.values)) for mark in bars)
        room = view.place.plot.bottom() - y_of(view.place, lowest)
        assert room >= QFontMetrics(ui_font(8.5)).height() + 3


def test_that_a_folded_legend_leaves_its_lines_to_the_rows(opened: MainWindow, qtbot: QtBot) -> None:
    legend = compared(opened, qtbot, 1366, 768).legend
    legend.show_text("A line under a table that comes from results may be long. " * 8)
    legend.shorten(True)
    assert legend.first.isVisible()
    assert not legend.whole.isVisible()
    assert legend.first.full == legend.whole.text()
    QTest.mouseClick(legend.button, Qt.MouseButton.LeftButton)
    assert legend.whole.isVisible()
    QApplication.processEvents()
    assert legend.height() >= legend.whole_height(legend.whole.width()) > 2 * legend.button.height()
    QTest.mouseClick(legend.button, Qt.MouseButton.LeftButton)
    assert legend.first.isVisible()


def test_that_the_whole_legend_is_shown_if_there_is_enough_space(opened: MainWindow, qtbot: QtBot) -> None:
    legend = compared(opened, qtbot, 1920, 1080).legend
    assert legend.whole.isVisible()
    assert not legend.button.isVisible()


def shown_alone(qtbot: QtBot) -> DataTable:
    """A table of six columns of numbers with space for all."""
    table = DataTable("Numbers")
    qtbot.addWidget(table)
    table.show_data(TableData(tuple(map(Column, "abcdef")), ((Cell("12345678", 1.0),) * 6,)), "light")
    table.resize(1200, 200)
    table.show()
    return table


def test_that_columns_shrink_before_a_table_scrolls_horizontally_for_a_few_pixels(qtbot: QtBot) -> None:
    table = shown_alone(qtbot)
    wanted = [table.columnWidth(at) for at in range(6)]
    table.resize(sum(wanted) + 2 * table.frameWidth() - 4 * 6, 200)
    QApplication.processEvents()
    assert table.horizontalScrollBar().maximum() == 0
    assert all(table.columnWidth(at) >= table.sizeHintForColumn(at) for at in range(6))
    table.resize(table.width() - 4 * 6, 200)
    QApplication.processEvents()
    assert table.isColumnHidden(5), "the last one has no more room"
    table.show_all_columns()
    QApplication.processEvents()
    assert table.horizontalScrollBar().maximum() > 0
    assert [table.columnWidth(at) for at in range(6)] == wanted


def test_that_a_column_that_the_user_has_resized_stays(qtbot: QtBot) -> None:
    table = shown_alone(qtbot)
    table.setColumnWidth(1, 222)
    table.resize(222 + 5 * table.columnWidth(0) - 10, 200)
    QApplication.processEvents()
    assert table.columnWidth(1) == 222
    assert table.horizontalScrollBar().maximum() == 0
