"""The first column of a wide table stays at the left edge: it is shown, clicked, sorted, reached by keys and copied
there."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QHelpEvent, QImage, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.conftest import in_light_theme
from workbench.charts.tables import Cell, Column, TableData
from workbench.gui.widgets.table import DataTable

NAMES = ("MCS", "MCSIO 256 MB", "MCSIO 512 MB", "PVS")
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


def wide(columns: int = 14, name: str = "Configuration") -> TableData:
    heads = (Column(name, numeric=False, tip="tip of the names"), *(Column(f"Metric {at}") for at in range(columns)))
    rows = ((Cell(name, name, f"tip of {name}"), *(Cell(f"{at}.0", at) for at in range(columns))) for name in NAMES)
    return TableData(heads, tuple(rows))


@pytest.fixture
def table(qtbot: QtBot) -> DataTable:
    in_light_theme()
    table = DataTable("Phases")
    qtbot.addWidget(table)
    table.resize(640, 260)
    table.show_data(wide(), "light")
    # Otherwise columns that do not fit would be hidden.
    table.show_all_columns()
    table.show()
    table.activateWindow()
    qtbot.waitUntil(table.isActiveWindow)
    return table


def to_the_end(table: DataTable) -> None:
    table.horizontalScrollBar().setValue(table.horizontalScrollBar().maximum())
    assert table.horizontalScrollBar().value() > 200


def picture(table: DataTable, width: int = 0) -> QImage:
    return table.viewport().grab().toImage().copy(0, 0, width or table.columnWidth(0) - 1, 100)


def in_row(table: DataTable, row: int) -> QPoint:
    return QPoint(20, table.rowViewportPosition(row) + 8)


def test_that_cells_and_header_of_the_fixed_column_keep_their_look_when_scrolled(table: DataTable) -> None:
    before, header = picture(table), table.header.grab().toImage().copy(0, 0, table.columnWidth(0) - 1, 20)
    beside = picture(table, 500).copy(table.columnWidth(0) + 1, 0, 200, 100)
    to_the_end(table)
    assert picture(table) == before
    assert table.header.grab().toImage().copy(0, 0, table.columnWidth(0) - 1, 20) == header
    assert picture(table, 500).copy(table.columnWidth(0) + 1, 0, 200, 100) != beside


def test_that_a_click_in_the_fixed_column_selects_the_visible_row(table: DataTable) -> None:
    to_the_end(table)
    QTest.mouseClick(table.viewport(), LEFT, NONE, in_row(table, 2))
    assert table.currentIndex().row() == 2
    assert table.currentIndex().column() == 0
    assert {index.row() for index in table.selectedIndexes()} == {2}
    assert table.horizontalScrollBar().value() == table.horizontalScrollBar().maximum(), "nothing is scrolled"
    assert table.as_text("rows").split("\n")[1].startswith("MCSIO 512 MB\t0")


def test_that_a_double_click_opens_the_cell_of_the_fixed_column(table: DataTable, qtbot: QtBot) -> None:
    to_the_end(table)
    with qtbot.waitSignal(table.activated) as signal:
        QTest.mouseClick(table.viewport(), LEFT, NONE, in_row(table, 1))
        QTest.mouseDClick(table.viewport(), LEFT, NONE, in_row(table, 1))
    assert signal.args is not None
    assert (signal.args[0].row(), signal.args[0].column()) == (1, 0)


def test_that_the_chosen_row_is_marked_in_the_fixed_column_too(table: DataTable) -> None:
    to_the_end(table)
    at = in_row(table, 3)
    plain = table.viewport().grab().toImage().pixelColor(2, at.y())
    table.choose("")
    table.selectRow(3)
    marked = table.viewport().grab().toImage().pixelColor(2, at.y())
    assert marked != plain
    right = table.viewport().grab().toImage().pixelColor(table.viewport().width() - 3, at.y())
    assert marked == right


# The offscreen screen cannot show the tooltip.
@pytest.mark.qt_log_ignore("raise")
def test_that_the_tooltip_is_that_of_the_visible_cell(table: DataTable) -> None:
    to_the_end(table)
    at = in_row(table, 1)
    event = QHelpEvent(QEvent.Type.ToolTip, at, table.viewport().mapToGlobal(at))
    QApplication.sendEvent(table.viewport(), event)
    assert QToolTip.text() == "tip of MCSIO 256 MB"
    header = table.header.viewport()
    event = QHelpEvent(QEvent.Type.ToolTip, QPoint(20, 5), header.mapToGlobal(QPoint(20, 5)))
    QApplication.sendEvent(header, event)
    assert QToolTip.text() == "tip of the names"
    QToolTip.hideText()


def test_that_a_click_on_the_header_of_the_fixed_column_sorts_by_it(table: DataTable) -> None:
    to_the_end(table)
    for expected in (sorted(NAMES), sorted(NAMES, reverse=True)):
        QTest.mouseClick(table.header.viewport(), LEFT, NONE, QPoint(20, 5))
        assert table.header.sortIndicatorSection() == 0
        assert [table.row(row)[0].text for row in range(4)] == expected
    beside = QPoint(table.columnWidth(0) + 60, 5)
    QTest.mouseClick(table.header.viewport(), LEFT, NONE, beside)
    assert table.header.sortIndicatorSection() == table.columnAt(beside.x())


def test_that_the_width_of_the_fixed_column_is_changed_at_its_visible_edge(table: DataTable) -> None:
    to_the_end(table)
    was, viewport = table.columnWidth(0), table.header.viewport()
    QTest.mousePress(viewport, LEFT, NONE, QPoint(was - 1, 5))
    for x in (was + 20, was + 39):
        place = QPointF(x, 5)
        at = QPointF(viewport.mapToGlobal(QPoint(x, 5)))
        QApplication.sendEvent(
            viewport, QMouseEvent(QEvent.Type.MouseMove, place, at, Qt.MouseButton.NoButton, LEFT, NONE)
        )
    QTest.mouseRelease(viewport, LEFT, NONE, QPoint(was + 39, 5))
    assert table.columnWidth(0) == was + 40
    assert table.header.sortIndicatorSection() != 0, "nothing is sorted by that"
    QTest.mouseDClick(viewport, LEFT, NONE, QPoint(was + 40, 5))
    assert table.columnWidth(0) < was + 40


def test_that_the_keyboard_never_selects_a_cell_below_the_fixed_column(table: DataTable) -> None:
    table.setFocus()
    table.setCurrentIndex(table.model().index(0, 14))
    assert table.horizontalScrollBar().value() > 0
    for column in range(13, 0, -1):
        QTest.keyClick(table, Qt.Key.Key_Left)
        assert table.currentIndex().column() == column
        if table.horizontalScrollBar().value():
            assert table.visualRect(table.currentIndex()).left() >= table.columnWidth(0)
    QTest.keyClick(table, Qt.Key.Key_Left)
    assert table.horizontalScrollBar().value() == 0


def test_that_moving_down_keeps_the_scroll_position_and_home_goes_back(table: DataTable) -> None:
    to_the_end(table)
    end = table.horizontalScrollBar().value()
    table.setFocus()
    QTest.mouseClick(table.viewport(), LEFT, NONE, in_row(table, 0))
    QTest.keyClick(table, Qt.Key.Key_Down)
    assert table.currentIndex().row() == 1
    assert table.horizontalScrollBar().value() == end
    QTest.keyClick(table, Qt.Key.Key_Home)
    assert table.horizontalScrollBar().value() == 0


def test_that_the_next_column_is_fixed_if_the_first_is_hidden(table: DataTable) -> None:
    table.set_column_shown(0, shown=False)
    to_the_end(table)
    assert table.indexAt(QPoint(10, 8)).column() == 1


def test_that_a_column_wider_than_half_the_view_is_scrolled_like_the_others(table: DataTable) -> None:
    table.setColumnWidth(0, 400)
    to_the_end(table)
    assert table.indexAt(QPoint(10, 8)).column() > 0


def test_that_a_table_with_enough_space_is_unchanged(table: DataTable) -> None:
    table.show_data(wide(2), "light")
    assert table.horizontalScrollBar().maximum() == 0
    assert table.staying_section == -1
    assert table.indexAt(QPoint(table.columnWidth(0) + 5, 8)).column() == 1


def test_that_the_table_is_a_single_tab_stop(table: DataTable) -> None:
    to_the_end(table)
    stops = [child for child in table.findChildren(QWidget) if child.focusPolicy() & Qt.FocusPolicy.TabFocus]
    assert stops == []


def test_that_a_heading_over_all_columns_stays_readable(table: DataTable) -> None:
    data = wide()
    heading = (Cell("PVS and others", heading=True), *(Cell("") for _ in data.columns[1:]))
    table.show_data(TableData(data.columns, (heading, *data.rows)), "light")
    before = picture(table, 90)
    to_the_end(table)
    assert picture(table, 90) == before


def test_that_rows_are_one_line_high_again_after_a_table_of_wrapped_text(qtbot: QtBot) -> None:
    plain = TableData((Column("Name"), Column("Text")), ((Cell("a"), Cell("b")),))
    table = DataTable("rows")
    qtbot.addWidget(table)
    table.resize(300, 200)
    table.show_data(plain, "light")
    table.show()
    one_line = table.rowHeight(0)
    wrapped = TableData((Column("Name"), Column("Text", fills=True)), ((Cell("a"), Cell("many words " * 20)),))
    table.show_data(wrapped, "light")
    qtbot.waitUntil(lambda: table.rowHeight(0) > 2 * one_line)
    table.show_data(plain, "light")
    assert table.rowHeight(0) == one_line
