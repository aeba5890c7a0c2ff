"""The menu of a chart: copy it or its data, show everything again, save the view, export."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from workbench.charts.figure_text import figure_text
from workbench.gui.commands.files.exporting import ExportCommands
from workbench.gui.commands.saved_views import SavedViews
from workbench.gui.pages.page_view import PageView
from workbench.gui.pages.stack import Pages
from workbench.gui.plot.view import FigureView
from workbench.gui.services.status import StatusLine
from workbench.gui.services.tasks import Tasks
from workbench.gui.services.translation import tr


class ChartMenu(QObject):
    """Listens to right clicks, and to the menu key, on the figure of every page."""

    def __init__(
        self,
        parent: QWidget,
        pages: Pages,
        tasks: Tasks,
        status: StatusLine,
        saved_views: SavedViews,
        exports: ExportCommands,
    ) -> None:
        super().__init__(parent)
        self._parent, self._tasks, self._status = parent, tasks, status
        self._saved_views, self._exports = saved_views, exports
        pages.each(self._listen)

    def _listen(self, page: PageView) -> None:
        figure = page.figure
        if figure is None:
            return
        # The canvas inside leaves the question to the figure around it.
        for inside in figure.findChildren(QWidget):
            inside.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        figure.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        figure.customContextMenuRequested.connect(lambda at: self.menu(page, at).popup(figure.mapToGlobal(at)))

    def menu(self, page: PageView, at: QPoint | None = None) -> QMenu:
        """The menu of a page's figure, asked at a point of it."""
        figure = page.figure
        assert figure is not None
        menu = QMenu(self._parent)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setAccessibleName(tr("Menu of the chart"))
        source = (None if at is None else figure.source_at(QPointF(at))) or figure.lit_source
        if source is not None:
            menu.addAction(tr("Where does this come from?"), lambda: page.source_asked.emit(source))
            menu.addSeparator()
        menu.addAction(tr("Copy as picture"), lambda: self.copy_picture(figure))
        menu.addAction(tr("Copy data"), lambda: self.copy_data(figure))
        menu.addSeparator()
        show_all = menu.addAction(f"{tr('Show everything')}\t0", figure.reset_zoom)
        show_all.setEnabled(figure.zoomed_span is not None)
        menu.addAction(f"{tr('Save this view…')}\tCtrl+B", self._saved_views.ask_name)
        menu.addAction(f"{tr('Export…')}\tCtrl+E", self._exports.ask)
        return menu

    def copy_picture(self, figure: FigureView) -> None:
        """Puts the chart, as it is shown, on the clipboard."""
        QGuiApplication.clipboard().setImage(figure.grab().toImage())
        self._status.tell("The picture of the chart is on the clipboard.")

    def copy_data(self, figure: FigureView) -> None:
        """Puts the values of what is shown on the clipboard, made beside the window."""
        shown, span = figure.figure, figure.zoomed_span

        def done(text: str) -> None:
            QGuiApplication.clipboard().setText(text)
            which = " (the stretch that is shown)" if span else ""
            self._status.tell(f"{text.count(chr(10))} values are on the clipboard{which}.")

        self._tasks.run("copy", lambda: figure_text(shown, span), done, lambda error: self._status.tell(str(error)))
