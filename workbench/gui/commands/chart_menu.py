"""The menu of a chart: hide or copy the curve under the pointer, copy everything, show everything again, export.

Also copies the content of a page: chart and table together, or one of them for a program that accepts only one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from workbench.charts.figure import Figure, Panel
from workbench.charts.figure_text import figure_text
from workbench.charts.hidden import entry_name
from workbench.charts.palette import ThemeName
from workbench.charts.scales import Span
from workbench.charts.tables import TableData
from workbench.gui.commands.counters import Counters
from workbench.gui.commands.files.exporting import ExportCommands
from workbench.gui.commands.saved_views import SavedViews
from workbench.gui.pages.page_commands import LegendCommands
from workbench.gui.pages.page_view import PageView
from workbench.gui.pages.stack import Pages
from workbench.gui.plot.view import FigureView
from workbench.gui.services.actions import Commands, command
from workbench.gui.services.plain import plain_button
from workbench.gui.services.translation import native_keys, tr
from workbench.gui.widgets.table import DataTable


class ChartMenu(Commands):
    """Listens to right-clicks and the menu key on the figure of every page."""

    _pages: Pages
    _saved_views: SavedViews
    _exports: ExportCommands
    _legends: LegendCommands
    _counters: Counters

    def __init__(self, parts: Iterable[object]) -> None:
        super().__init__(parts)
        self._pages.each(self._listen)

    def _listen(self, page: PageView) -> None:
        figure = page.figure
        if figure is None:
            return
        # The canvas in the figure leaves the context menu to the figure.
        for inside in figure.findChildren(QWidget):
            inside.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        figure.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        figure.customContextMenuRequested.connect(lambda at: self.menu(page, at).popup(figure.mapToGlobal(at)))

    def menu(self, page: PageView, at: QPoint | None = None) -> QMenu:
        """The menu of a page's figure at a point of it."""
        figure = page.figure
        assert figure is not None
        menu = QMenu(self._parent)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setAccessibleName(tr("Chart menu"))
        curve = None if at is None else figure.curve_at(QPointF(at))
        named = None if curve is None else curve[0].sources.get(curve[1])
        source = named or (None if at is None else figure.source_at(QPointF(at))) or figure.lit_source
        if source is not None:
            menu.addAction(tr("Show source"), lambda: page.source_asked.emit(source))
        if curve is not None:
            self._add_curve(menu, page, *curve)
        if not menu.isEmpty():
            menu.addSeparator()
        menu.addAction(tr("Copy as image"), lambda: self.copy_picture(figure))
        menu.addAction(tr("Copy data"), lambda: self.copy_data(figure))
        menu.addSeparator()
        show_all = menu.addAction(f"{tr('Show everything')}\t0", figure.reset_zoom)
        show_all.setEnabled(figure.zoomed_span is not None)
        menu.addAction(f"{tr('Save view…')}\t{native_keys('Ctrl+B')}", self._saved_views.ask_name)
        menu.addAction(f"{tr('Export…')}\t{native_keys('Ctrl+E')}", self._exports.ask)
        return menu

    def _add_curve(self, menu: QMenu, page: PageView, panel: Panel, name: str) -> None:
        """Adds the commands for the curve of this name, below the name itself."""
        figure, legends = page.figure, self._legends
        assert figure is not None
        title = QAction(plain_button(name), menu)
        title.setEnabled(False)
        menu.insertAction(menu.actions()[0] if menu.actions() else None, title)  # type: ignore[arg-type]
        can_hide, can_stand_alone, can_show = legends.offered(page, name)
        for words, do, on in (
            (tr("Hide"), lambda: legends.want(page, name, False), can_hide),
            (tr("Hide other entries"), lambda: legends.want(page, name, True), can_stand_alone),
            (tr("Show all"), lambda: legends.show_all(page, name), can_show),
        ):
            menu.addAction(words, do).setEnabled(on)
        marks = tuple(mark for mark in panel.marks if name in (entry_name(mark, panel), mark.name))
        alone = replace(figure.figure, panels=(replace(panel, marks=marks),))
        menu.addAction(tr("Copy values"), lambda: self._copy_values(alone, figure.zoomed_span))
        # Imported when the user opens the menu of a curve, because the window starts without this module.
        from workbench.answers.timeline.sources import counter_key

        key = None if name not in panel.sources else counter_key(panel.sources[name])
        if key is not None:
            menu.addAction(tr("Use separate chart"), lambda: self._counters.place((key,), None))
            for words, draw in self._counters.calculations((key,)):
                menu.addAction(words, draw)
            menu.addAction(tr("Remove from timeline"), lambda: self._counters.remove((key,)))

    def copy_picture(self, figure: FigureView) -> None:
        """Puts the chart, as shown, on the clipboard."""
        QGuiApplication.clipboard().setImage(figure.grab().toImage())
        self._status.tell("The chart image is on the clipboard.")

    def copy_data(self, figure: FigureView) -> None:
        """Puts the visible values on the clipboard; they are collected in the background."""
        self._copy_values(figure.figure, figure.zoomed_span)

    def _copy_values(self, shown: Figure, span: Span | None) -> None:
        def done(text: str) -> None:
            QGuiApplication.clipboard().setText(text)
            which = " (visible part)" if span else ""
            self._status.tell(f"{text.count(chr(10))} values are on the clipboard{which}.")

        self._tasks.run("copy", lambda: figure_text(shown, span), done, lambda error: self._status.tell(str(error)))


class CopyCommands(Commands):
    """The part of the window that fills the clipboard."""

    _pages: Pages

    @command("&Edit", "&Copy chart + table", "Ctrl+Shift+C", place=305)
    def page(self) -> None:
        """Copies the page's chart as an image and its table as cells."""
        self._put(page_data(self._pages.shown, self._theme, picture=True, table=True))

    @command("&Edit", "Copy page i&mage", place=310)
    def picture(self) -> None:
        """Copies the whole page as an image: question, caption, cards and chart."""
        self._put(page_data(self._pages.shown, self._theme, picture=True, table=False))

    @command("&Edit", "Copy ta&ble", place=315)
    def table(self) -> None:
        """Copies the visible table as cells."""
        self._put(page_data(self._pages.shown, self._theme, picture=False, table=True))

    @property
    def _theme(self) -> ThemeName:
        return self._workspace.state.theme

    def _put(self, data: QMimeData) -> None:
        if not data.formats():
            self._status.tell("This page has nothing to copy in this format.")
            return
        QGuiApplication.clipboard().setMimeData(data)
        self._status.tell("Copied.")


def page_data(page: PageView, theme: ThemeName, *, picture: bool, table: bool) -> QMimeData:
    """The content of the page for the clipboard; empty if the page has no chart or no table."""
    # The window starts without the writers of images and tables.
    from workbench.gui.pictures.clipboard import add_table, picture_data

    data, content = QMimeData(), page.content
    if content is None or content.empty:
        return data
    parts = page.parts
    if picture and content.figure is not None and parts is not None and parts.figure is not None:
        # With a table only the chart is copied; as an image alone it includes the answer cards.
        tall = parts.figure.height() + 80 + (0 if table else parts.cards.height())
        size = (max(800, parts.figure.width()), max(450, tall))
        data = picture_data(content.figure if table else content, size, theme)
    if table and page.tables:
        add_table(data, chosen_cells(page.tables[0].table))
    elif table and content.figure is not None and content.figure.summary:
        data.setText(content.figure.summary)
    return data


def chosen_cells(table: DataTable) -> TableData:
    """The selected rows of a table (all if none is selected) without hidden columns, in the visible order."""
    rows = sorted({index.row() for index in table.selectedIndexes()}) or range(table.model().rowCount())
    shown = table.copied_columns
    columns = tuple(table.source.table.columns[at] for at in shown)
    cells = tuple(tuple(table.row(row)[at] for at in shown) for row in rows)
    return TableData(columns, cells, name=table.name)
