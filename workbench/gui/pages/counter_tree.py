"""The tree of all counters: double click, Return, tick or drag to draw one."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QMenu, QTreeView, QWidget

from workbench.gui.pages.counter_model import CounterModel
from workbench.gui.services.translation import tr
from workbench.model.series_key import SeriesKey

# Up to this many counters found are shown with every branch open.
OPEN_ALL = 300

MenuEntries = Callable[[tuple[SeriesKey, ...]], list[tuple[str, Callable[[], object]]]]


class CounterTree(QTreeView):
    """`chosen` tells the counters that were double-clicked or entered; `entries` makes the menu of a row."""

    chosen = Signal(object)

    def __init__(self, entries: MenuEntries, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.counters = CounterModel(self)
        self._entries = entries
        self.setModel(self.counters)
        self.setObjectName("runs")
        self.setAccessibleName(tr("Counters of the study"))
        self.setHeaderHidden(True)
        # 50,000 rows are only laid out at once where all are of one height.
        self.setUniformRowHeights(True)
        self.setIndentation(11)
        self.setExpandsOnDoubleClick(True)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setDragEnabled(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._menu)
        self.doubleClicked.connect(self._double_clicked)

    def selected(self) -> tuple[SeriesKey, ...]:
        """The counters of the selected rows."""
        keys = [key for index in self.selectedIndexes() for key in self.counters.keys(index)]
        return tuple(dict.fromkeys(keys))

    def open_to(self, row: int) -> None:
        """Opens the branches above a row of the catalogue and selects it."""
        index = self.counters.index_of(row)
        if index.isValid():
            self.setCurrentIndex(index)
            self.scrollTo(index)

    def open_first(self) -> None:
        """Opens the pinned counters, and the first branch below them."""
        for row in range(min(2, self.counters.rowCount())):
            index = self.counters.index(row, 0)
            self.expand(index)
            if not self.counters.is_pinned(index):
                break

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return draws what is selected."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self.selectedIndexes():
                self.chosen.emit(self.selected())
            return
        super().keyPressEvent(event)

    def _double_clicked(self, index: QModelIndex) -> None:
        if not self.counters.hasChildren(index):
            self.chosen.emit(self.counters.keys(index))

    def _menu(self, point: QPoint) -> None:
        keys = self.selected()
        if not keys:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for words, act in self._entries(keys):
            menu.addAction(words, act)
        menu.popup(self.viewport().mapToGlobal(point))
