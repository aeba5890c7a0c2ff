"""The menus of a table: copy a cell, rows or all of it, sort, and choose its columns."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu

from workbench.gui.services.plain import plain_button
from workbench.gui.services.translation import tr
from workbench.gui.widgets.table import DataTable


def listen(table: DataTable) -> None:
    """Gives the header of a table its menu."""
    header = table.header
    header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
    header.customContextMenuRequested.connect(lambda at: _header_menu(table, at).popup(header.mapToGlobal(at)))


def fill(menu: QMenu, table: DataTable, index: QModelIndex) -> None:
    """Adds what can be done with the cell at `index`, its row, and the table."""
    if menu.actions():
        menu.addSeparator()
    menu.addAction(tr("Copy cell"), lambda: _copy(table.cell_text(index)))
    menu.addAction(f"{tr('Copy selection')}\t{tr('Ctrl+C')}", lambda: _copy(table.as_text()))
    rows = len({index.row() for index in table.selectedIndexes()})
    menu.addAction(tr("Copy rows") if rows > 1 else tr("Copy row"), lambda: _copy(table.as_text("rows")))
    menu.addAction(tr("Copy table"), lambda: _copy(table.as_text("table")))
    menu.addSeparator()
    _fill_sorting(menu, table, index.column())
    _fill_columns(menu.addMenu(tr("Columns")), table)


def _header_menu(table: DataTable, at: QPoint) -> QMenu:
    menu = QMenu(table)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.setAccessibleName(tr("Columns"))
    section = table.header.section_at(at)
    if section >= 0:
        _fill_sorting(menu, table, section)
        hide = menu.addAction(tr("Hide this column"), lambda: table.set_column_shown(section, shown=False))
        hide.setEnabled(len(table.shown_columns) > 1)
        menu.addSeparator()
    _fill_columns(menu, table)
    return menu


def _fill_sorting(menu: QMenu, table: DataTable, section: int) -> None:
    title = plain_button(tr(table.source.table.columns[section].title))
    for words, order in (("up", Qt.SortOrder.AscendingOrder), ("down", Qt.SortOrder.DescendingOrder)):
        menu.addAction(f"{tr('Sort by')} {title}, {tr(words)}", partial(table.sortByColumn, section, order))


def _fill_columns(menu: QMenu, table: DataTable) -> None:
    for section, column in enumerate(table.source.table.columns):
        action = menu.addAction(plain_button(", ".join(part for part in (tr(column.title), column.unit) if part)))
        action.setCheckable(True)
        action.setChecked(not table.isColumnHidden(section))
        # The last one stays: without any column there is no header to bring the others back from.
        action.setEnabled(table.isColumnHidden(section) or len(table.shown_columns) > 1)
        action.toggled.connect(partial(_show_column, table, section))
    menu.addSeparator()
    menu.addAction(tr("All columns"), table.show_all_columns)
    hide = menu.addAction(tr("Hide empty columns"), lambda: table.show_empty_columns(shown=False))
    hide.setEnabled(len(table.empty_hidden) < len(table.empty))


def _show_column(table: DataTable, section: int, on: bool) -> None:
    table.set_column_shown(section, shown=on)


def _copy(text: str) -> None:
    QGuiApplication.clipboard().setText(text)
