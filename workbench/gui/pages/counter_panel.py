"""The side panel of the timeline: a search over every counter, the tree of counters, and the list of drawn ones.

The tree: double-click, Return, tick or drag to draw a counter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QMimeData, QModelIndex, QObject, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QToolButton,
    QTreeView,
    QWidget,
)

from workbench.charts.figure import Look
from workbench.charts.palette import ThemeName
from workbench.gui.pages.counter_model import KEY_ROLE, CounterModel, mime_of
from workbench.gui.services.assets import icon
from workbench.gui.services.layout import in_column, in_row
from workbench.gui.services.plain import plain_tip
from workbench.gui.services.tasks import Tasks
from workbench.gui.services.theme import labelled
from workbench.gui.services.translation import said, tr
from workbench.gui.widgets.look_icon import HEIGHT, WIDTH, look_icon
from workbench.model.recording import SeriesKey
from workbench.study.series.catalogue import Catalogue, SearchResult, search
from workbench.words.numbers import fixed, plural

SIDE_WIDTH = 268
# Delay from the last typed letter to the search.
PAUSE_MS = 120
_DRAWN_ROWS, _ROW = 6, 26


class CounterPanel(QFrame):
    """`chosen` and `removed` report counters, `ticked` one counter and True if it is to be drawn."""

    chosen = Signal(object)
    removed = Signal(object)
    ticked = Signal(object, bool)
    cleared = Signal()

    def __init__(self, tasks: Tasks, entries: MenuEntries) -> None:
        super().__init__()
        self._tasks, self._entries = tasks, entries
        self._catalogue: Catalogue | None = None
        self._pinned: tuple[SeriesKey, ...] = ()
        self.setProperty("card", True)
        self.setFixedWidth(SIDE_WIDTH)
        self.field = QLineEdit()
        self.tree = CounterTree(entries)
        self.count = labelled("", "caption")
        self.drawn = DrawnList()
        self.drawn_title = labelled(tr("Drawn"), "heading")
        self.remove, self.clear = QToolButton(), QToolButton()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PAUSE_MS)
        self._timer.timeout.connect(self._search)
        self._build()

    @property
    def searching(self) -> bool:
        """True if typed text still waits for its search."""
        return self._timer.isActive()

    def show_catalogue(self, catalogue: Catalogue, pinned: tuple[SeriesKey, ...]) -> None:
        """Shows another study's counters, or other pinned ones, with the current search."""
        self._catalogue, self._pinned = catalogue, pinned
        self._search()

    def forget_catalogue(self) -> None:
        """Shows no counters until those of another study are listed."""
        self._catalogue = None
        self.tree.counters.forget()
        self.count.setText("")

    def show_drawn(self, drawn: Sequence[tuple[SeriesKey, str, Look, str]], theme: ThemeName) -> None:
        """Lists the drawn counters: key, name, look and tooltip."""
        self.tree.counters.mark([key for key, *_ in drawn])
        self.tree.viewport().update()
        row = self.drawn.currentRow()
        self.drawn.clear()
        for key, name, look, tip in drawn:
            item = QListWidgetItem(look_icon(look, theme), name)
            item.setData(KEY_ROLE, key)
            item.setToolTip(plain_tip(tip))
            item.setSizeHint(QSize(0, _ROW))
            self.drawn.addItem(item)
        self.drawn.setCurrentRow(min(row, len(drawn) - 1))
        self.drawn.setFixedHeight(_ROW * min(max(1, len(drawn)), _DRAWN_ROWS) + 4)
        self.drawn_title.setText(said(f"In the chart ({len(drawn)})"))
        for button, name in ((self.remove, "cancel"), (self.clear, "reset")):
            button.setIcon(icon(name, theme))
        self.remove.setEnabled(bool(drawn))

    def _build(self) -> None:
        self.field.setObjectName("search")
        self.field.setPlaceholderText(tr("Search hosts, objects or counters…"))
        self.field.setAccessibleName(tr("Search counters"))
        self.field.setClearButtonEnabled(True)
        self.field.textChanged.connect(lambda _text: self._timer.start())
        self.field.installEventFilter(self)
        self.tree.chosen.connect(self.chosen)
        self.tree.counters.ticked.connect(self.ticked)
        self.drawn.setAccessibleName(tr("Counters in the chart"))
        self.drawn.setIconSize(QSize(WIDTH, HEIGHT))
        self.drawn.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.drawn.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.drawn.itemDoubleClicked.connect(self._remove)
        self.drawn.customContextMenuRequested.connect(
            lambda at: _pop_up(self.drawn, at, self._entries(self.drawn.keys(self.drawn.selectedItems())))
        )
        self.drawn.installEventFilter(self)
        self.remove.setToolTip(tr("Remove the selected counter (Del)"))
        self.remove.setAccessibleName(tr("Remove the selected counter"))
        self.remove.clicked.connect(self._remove)
        self.clear.setToolTip(tr("Restore the default counters"))
        self.clear.setAccessibleName(tr("Restore the default counters"))
        self.clear.clicked.connect(self.cleared)
        head = in_row((self.drawn_title, 1), self.clear, self.remove)
        parts = (self.field, self.count, (self.tree, 1), head, self.drawn)
        in_column(*parts, on=self, margins=(12, 12, 8, 10), spacing=6)

    def _search(self) -> None:
        catalogue, typed = self._catalogue, self.field.text()
        if catalogue is not None:
            self._tasks.run(
                "counter search", lambda: search(catalogue, typed), lambda hits: self._show(catalogue, typed, hits)
            )

    def _show(self, catalogue: Catalogue, typed: str, hits: SearchResult) -> None:
        if catalogue is not self._catalogue:
            return
        self.tree.counters.show(catalogue, hits.rows, () if typed.strip() else self._pinned)
        total, count = len(catalogue.keys), int(hits.rows.size)
        self.count.setText(_told(total, count if typed.strip() else None))
        if typed.strip() and count <= OPEN_ALL:
            self.tree.expandAll()
        elif not typed.strip():
            self.tree.open_first()
        if hits.best is not None:
            self.tree.open_to(hits.best)

    def _remove(self) -> None:
        if gone := self.drawn.keys(self.drawn.selectedItems()):
            self.removed.emit(gone)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handles keys: Return in the field draws the selection, Down goes to the tree, Del in the list removes."""
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return super().eventFilter(watched, event)
        if watched is self.field and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.tree.keyPressEvent(event)
            return True
        if watched is self.field and event.key() == Qt.Key.Key_Down:
            self.tree.setFocus()
            return True
        if watched is self.drawn and event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self._remove()
            return True
        return super().eventFilter(watched, event)


def _told(total: int, number: int | None) -> str:
    """The text for the number of counters, or how many were found."""
    found = "" if number is None else f"{fixed(number, 0)} of "
    return said(f"{found}{plural(total, 'counter')}")


# Up to this many found counters, all branches are opened.
OPEN_ALL = 300
MenuEntries = Callable[[tuple[SeriesKey, ...]], list[tuple[str, Callable[[], object]]]]


class CounterTree(QTreeView):
    """`chosen` reports counters that were double-clicked or confirmed with Return; `entries` returns the menu of a
    row."""

    chosen = Signal(object)

    def __init__(self, entries: MenuEntries, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.counters = CounterModel(self)
        self._entries = entries
        self.setModel(self.counters)
        self.setObjectName("runs")
        self.setAccessibleName(tr("Counters of the study"))
        self.setHeaderHidden(True)
        # Qt arranges 50,000 rows at once only if all have one height.
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
        """Return draws the selected counters."""
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
        _pop_up(self, point, self._entries(keys))


class DrawnList(QListWidget):
    """The drawn counters. Several can be selected, and dragged to another plot."""

    def __init__(self) -> None:
        super().__init__()
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)

    def keys(self, items: Sequence[QListWidgetItem]) -> tuple[SeriesKey, ...]:
        """The counters of these rows, from top to bottom."""
        return tuple(item.data(KEY_ROLE) for item in sorted(items, key=self.row))

    def mimeData(self, items: Sequence[QListWidgetItem]) -> QMimeData:
        """The counters of the rows, to be dropped on a plot."""
        return mime_of(self.keys(items))


def _pop_up(view: QAbstractItemView, point: QPoint, entries: list[tuple[str, Callable[[], object]]]) -> None:
    """Shows these commands as a menu at a point of the view."""
    if entries:
        menu = QMenu(view)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for words, act in entries:
            menu.addAction(words, act)
        menu.popup(view.viewport().mapToGlobal(point))
