"""Copying what a page shows: chart and table together, or one of them for the program that takes only the other."""

from __future__ import annotations

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication

from workbench.charts.palette import ThemeName
from workbench.charts.tables import TableData
from workbench.gui.pages.page_view import PageView
from workbench.gui.pages.stack import Pages
from workbench.gui.services.status import StatusLine
from workbench.gui.services.workspace import Workspace
from workbench.gui.widgets.table import DataTable


class CopyCommands:
    """A part of the window: what goes to the clipboard."""

    def __init__(self, pages: Pages, workspace: Workspace, status: StatusLine) -> None:
        self._pages, self._workspace, self._status = pages, workspace, status

    def page(self) -> None:
        """The page's chart as a picture and its table as cells."""
        self._put(page_data(self._pages.shown, self._theme, picture=True, table=True))

    def picture(self) -> None:
        """The whole page as a picture: question, caption, cards and chart."""
        self._put(page_data(self._pages.shown, self._theme, picture=True, table=False))

    def table(self) -> None:
        """The table that is shown, as cells."""
        self._put(page_data(self._pages.shown, self._theme, picture=False, table=True))

    @property
    def _theme(self) -> ThemeName:
        return self._workspace.state.theme

    def _put(self, data: QMimeData) -> None:
        if not data.formats():
            self._status.tell("This page has nothing to copy in this form.")
            return
        QGuiApplication.clipboard().setMimeData(data)
        self._status.tell("Copied.")


def page_data(page: PageView, theme: ThemeName, *, picture: bool, table: bool) -> QMimeData:
    """What the page puts on the clipboard; nothing where it has no chart or no table."""
    # The window starts without the writers of pictures and tables.
    from workbench.gui.pictures.clipboard import add_table, picture_data

    data, content = QMimeData(), page.content
    if content is None or content.empty:
        return data
    parts = page.parts
    if picture and content.figure is not None and parts is not None and parts.figure is not None:
        # Beside a table the chart alone; as a picture of its own it brings the answers with it.
        tall = parts.figure.height() + 80 + (0 if table else parts.cards.height())
        size = (max(800, parts.figure.width()), max(450, tall))
        data = picture_data(content.figure if table else content, size, theme)
    if table and page.tables:
        add_table(data, chosen_cells(page.tables[0].table))
    elif table and content.figure is not None and content.figure.summary:
        data.setText(content.figure.summary)
    return data


def chosen_cells(table: DataTable) -> TableData:
    """The selected rows of a table (all when none is) with the columns that are shown, as they stand."""
    rows = sorted({index.row() for index in table.selectedIndexes()}) or range(table.model().rowCount())
    shown = table.shown_columns
    columns = tuple(table.source.table.columns[at] for at in shown)
    cells = tuple(tuple(table.row(row)[at] for at in shown) for row in rows)
    return TableData(columns, cells, name=table.accessibleName())
