from __future__ import annotations

from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from tests.gui.conftest import after
from workbench.gui.commands.chart_menu import chosen_cells, page_data
from workbench.gui.pictures.clipboard import SVG
from workbench.gui.shell.main_window import MainWindow


def test_that_a_page_is_copied_as_image_and_table(opened: MainWindow, qtbot: QtBot) -> None:
    opened.copies.page()
    data = QGuiApplication.clipboard().mimeData()
    assert data.hasImage()
    assert data.hasFormat(SVG)
    assert data.hasHtml()
    table = chosen_cells(opened.page.tables[0].table)
    assert len(data.text().split("\n")) == 1 + len(table.rows)


def test_that_an_image_alone_is_copied_without_a_table(opened: MainWindow) -> None:
    data = page_data(opened.page, "light", picture=True, table=False)
    assert data.hasImage()
    assert not data.hasHtml()
    assert b"What does each configuration cost" in bytes(data.data(SVG).data())


def test_that_a_page_without_a_chart_reports_that_there_is_no_image(opened: MainWindow, qtbot: QtBot) -> None:
    after(opened, qtbot, lambda: opened.show_page("import-report"))
    opened.copies.picture()
    assert not page_data(opened.page, "light", picture=True, table=False).formats()
    assert page_data(opened.page, "light", picture=False, table=True).hasHtml()


def test_that_selected_rows_alone_are_copied(opened: MainWindow) -> None:
    table = opened.page.tables[0].table
    table.selectRow(1)
    assert chosen_cells(table).rows == (tuple(table.row(1)[at] for at in table.shown_columns),)
