"""A card with one table under its name, or several under tabs, with a filter and a legend line.

A line names the columns that are empty or do not fit, and shows them on a click. The legend line can be cut to one line
and unfolded. The menus of a table copy a cell, rows or everything, sort, and choose columns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QTabBar,
    QWidget,
)

from workbench.charts.palette import ThemeName
from workbench.charts.tables import Column, OwnColumn, Rule, TableData, column_key, heading
from workbench.gui.services.layout import in_column, in_row
from workbench.gui.services.plain import plain_button, plain_tip
from workbench.gui.services.theme import labelled
from workbench.gui.services.translation import said, tr
from workbench.gui.widgets.columns import ColumnMemory
from workbench.gui.widgets.labels import ElidedLabel, WrappedLabel
from workbench.gui.widgets.table import DataTable

# With fewer visible rows than this, the legend is cut to one line.
_ROWS = 6
_MARGINS, _SPACING = (16, 8, 8, 8), 5
# A tab with a longer name is cut in the middle, so the other tabs stay in view.
_WIDEST_TAB = 300


class TableCard(QFrame):
    """A card of tables. `row_opened` and `row_menu` report the table's name, the row's cells and, for a menu, the menu
    to fill. `source_asked` reports the Source of a number that was double-clicked, or chosen in its menu. `value_read`:
    the text about the selected numbers of the visible table."""

    row_opened = Signal(str, object)
    row_chosen = Signal(str, object)
    row_menu = Signal(str, object, object)
    source_asked = Signal(object)
    value_read = Signal(str)
    columns_changed = Signal()

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setProperty("card", True)
        self._name = name
        self._legends: list[str] = []
        self._names: list[str] = []
        self._waiting: dict[int, tuple[TableData, ThemeName]] = {}
        self._memory = ColumnMemory()
        self._compute: Callable[[OwnColumn, bool], None] | None = None
        self.tabs = QTabBar()
        self.tabs.setExpanding(False)
        self.tabs.setDrawBase(False)
        self.tabs.setAccessibleName(tr("Tables"))
        self.title = labelled(tr(name), "heading")
        self.filter, self.column_note = QLineEdit(), ColumnNote()
        self.stack = QStackedWidget()
        self.legend = FoldedLine("quiet")
        self._build()
        self._add_table(name)
        self.tabs.currentChanged.connect(self._show_tab)
        self.tabs.currentChanged.connect(lambda _index: self.value_read.emit(self.table.selected_words()))
        self.filter.textChanged.connect(self._filter)
        self.column_note.asked.connect(self._turn_columns)

    @property
    def table(self) -> DataTable:
        """The visible table."""
        table = self.stack.currentWidget()
        assert isinstance(table, DataTable)
        return table

    def remember_columns(self, memory: ColumnMemory) -> None:
        """Hides the columns that `memory` names. The tables keep `memory` up to date."""
        self._memory = memory
        for index in range(self.stack.count()):
            table = self.stack.widget(index)
            assert isinstance(table, DataTable)
            table.memory = memory

    def offer_own_columns(self, compute: Callable[[OwnColumn, bool], None]) -> None:
        """Offers columns of the user; see `DataTable.compute`."""
        self._compute = compute
        for index in range(self.stack.count()):
            table = self.stack.widget(index)
            assert isinstance(table, DataTable)
            table.compute = compute

    def leave_filter(self) -> None:
        """Shows every row again and gives the table the keyboard focus."""
        self.filter.clear()
        self.table.setFocus()

    def enter_table(self) -> None:
        """Gives the keyboard focus to the first row that matches the filter."""
        self.table.setFocus()
        if self.table.model() is not None and self.table.model().rowCount():
            self.table.selectRow(0)

    def least_height(self, rows: int) -> int:
        """The height in pixels that shows the first rows of the table (at most this many) with one line of its
        legend."""
        return self._around() + self.table.least_height(rows) + bool(self.legend.whole.text()) * self._line_height()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Shortens the legend if the rows need its room."""
        super().resizeEvent(event)
        self._fit_legend()

    def show_tables(self, tables: tuple[TableData, ...], theme: ThemeName) -> None:
        """Shows these tables. The open tab stays open if one of them has its name."""
        names = [data.name or self._name for data in tables]
        self._offer(names, [data.short or name for data, name in zip(tables, names, strict=True)])
        self._names = names
        self._legends = [data.legend for data in tables]
        # Tables behind other tabs are filled when the user opens them.
        self._waiting = {index: (data, theme) for index, data in enumerate(tables)}
        self._show_tab(self.tabs.currentIndex())

    def table_at(self, index: int) -> DataTable:
        """The table of a tab, filled with its rows."""
        table = self.stack.widget(index)
        assert isinstance(table, DataTable)
        if index in self._waiting:
            table.rename(self._names[index])
            table.show_data(*self._waiting.pop(index))
        return table

    def _offer(self, names: list[str], short: list[str]) -> None:
        while self.stack.count() < len(names):
            self._add_table(names[self.stack.count()])
        if [self.tabs.tabData(index) for index in range(self.tabs.count())] != names:
            shown = self.tabs.tabData(self.tabs.currentIndex())
            self.tabs.blockSignals(True)
            while self.tabs.count():
                self.tabs.removeTab(0)
            for name in names:
                self.tabs.setTabData(self.tabs.addTab(""), name)
            self.tabs.setCurrentIndex(names.index(shown) if shown in names else 0)
            self.tabs.blockSignals(False)
        metrics = self.tabs.fontMetrics()
        for index, (name, words) in enumerate(zip(names, map(said, short), strict=True)):
            text = metrics.elidedText(words, Qt.TextElideMode.ElideMiddle, _WIDEST_TAB)
            self.tabs.setTabText(index, plain_button(text))
            self.tabs.setTabToolTip(index, plain_tip(said(name)) if text != said(name) else "")
        self.tabs.setVisible(len(names) > 1)
        self.title.setVisible(len(names) <= 1)
        self.title.setText(said(short[0] if short else self._name))

    def _show_tab(self, index: int) -> None:
        if not 0 <= index < len(self._legends):
            return
        self.stack.setCurrentWidget(self.table_at(index))
        self._show_legend(index)
        self._note_columns()
        self._filter(self.filter.text())

    def _note_columns(self) -> None:
        table, columns = self.table, self.table.source.table.columns
        names = names_of([columns[at] for at in table.unasked], columns)
        self.column_note.show_names(names, not table.beyond, more=table.extra)

    def _turn_columns(self) -> None:
        if self.table.unasked:
            self.table.show_unasked()
        else:
            self.table.show_fewer()

    def _show_legend(self, index: int) -> None:
        self.legend.show_text(self._legends[index])
        self._fit_legend()

    def _around(self) -> int:
        return _MARGINS[1] + self._head.sizeHint().height() + _SPACING + _MARGINS[3] + 2 * self.frameWidth()

    def _line_height(self) -> int:
        return _SPACING + max(self.legend.button.sizeHint().height(), self.legend.first.sizeHint().height())

    def _fit_legend(self) -> None:
        whole = self.legend.whole_height(self.width() - _MARGINS[0] - _MARGINS[2])
        needed = self._around() + self.table.least_height(_ROWS) + _SPACING + whole
        self.legend.shorten(needed > self.height() and whole > self.legend.first.sizeHint().height())

    def _filter(self, text: str) -> None:
        self.table.show_matching(text)

    def _add_table(self, name: str) -> None:
        table = DataTable(name)
        table.memory, table.compute = self._memory, self._compute
        table.columns_changed.connect(self.columns_changed)
        table.columns_shown.connect(self._note_columns)
        table.value_read.connect(self.value_read)
        listen(table)
        table.activated.connect(lambda index, none=table: self._opened(none, index))
        table.row_chosen.connect(lambda cells, none=table: self.row_chosen.emit(none.name, cells))
        table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        table.customContextMenuRequested.connect(lambda at, none=table: self._asked_menu(none, at))
        self.stack.addWidget(table)

    def _opened(self, table: DataTable, index: QModelIndex | QPersistentModelIndex) -> None:
        cells = table.row(index.row())
        if (source := cells[index.column()].source) is not None:
            self.source_asked.emit(source)
        else:
            self.row_opened.emit(table.name, cells)

    def _asked_menu(self, table: DataTable, at: QPoint) -> None:
        index = table.indexAt(at)
        if not index.isValid():
            return
        cells = table.row(index.row())
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setAccessibleName(f"{tr('Menu')}: {table.accessibleName()}")
        if (source := cells[index.column()].source) is not None:
            menu.addAction(tr("Show source"), lambda: self.source_asked.emit(source))
        else:
            self.row_menu.emit(table.name, cells, menu)
        fill(menu, table, index)
        menu.popup(table.viewport().mapToGlobal(at))

    def _build(self) -> None:
        self.filter.setObjectName("search")
        self.filter.setPlaceholderText(tr("Filter"))
        self.filter.setAccessibleName(f"{tr('Filter')}: {tr(self._name)}")
        self.filter.setClearButtonEnabled(True)
        self.filter.setMaximumWidth(220)
        head = self._head = in_row(self.title, self.tabs, (self.column_note, 1), self.filter)
        in_column(head, (self.stack, 1), self.legend, on=self, margins=_MARGINS, spacing=_SPACING)


def names_of(columns: Sequence[Column], every: Sequence[Column]) -> list[str]:
    """The names of columns in a line: their titles, with the unit if two titles of the table are equal."""
    titles = [column.title for column in every]
    return [said(c.title) + f" ({said(c.unit)})" * bool(c.unit and titles.count(c.title) > 1) for c in columns]


class _CountedNames(ElidedLabel):
    """A number and names; the number alone if the names do not fit. The tooltip has all names."""

    def cut_to(self, room: int) -> str:
        """The whole text, or the part before its colon."""
        shown = super().cut_to(room)
        return shown if shown == self.full else self.full.partition(":")[0]


class ColumnNote(QWidget):
    """Keeps its room while nothing is hidden, so the widgets next to it do not move. Emits `asked` when the columns are
    to be shown, or hidden again."""

    asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.text = _CountedNames("quiet")
        self.text.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.button = QPushButton()
        self.button.setProperty("kind", "link")
        self.button.clicked.connect(self.asked)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        in_row((self.text, 1), self.button, on=self, margins=(8, 0, 0, 0), spacing=2)
        self.show_names((), True, more=False)

    def show_names(self, names: Sequence[str], empty: bool, more: bool) -> None:
        """Names the hidden columns, which are all `empty` or do not fit. Without names it offers to hide those `more`
        columns again that the user has shown."""
        one, several = tr("1 more column"), tr("{} more columns")
        if empty:
            one, several = tr("1 empty column is hidden"), tr("{} empty columns are hidden")
        words = one if len(names) == 1 else several.format(len(names))
        self.text.show_text(f"{words}: {', '.join(names)}" if names else "")
        self.button.setText(tr("Show") if names else tr("Fewer columns"))
        told = tr("Show these columns") if names else tr("Hide empty columns and columns that do not fit")
        self.button.setToolTip(plain_tip(told))
        self.button.setAccessibleName(told)
        self.button.setVisible(bool(names) or more)


class FoldedLine(QWidget):
    """Shows all of its text, except if there is no room and the user has not unfolded it."""

    def __init__(self, role: str) -> None:
        super().__init__()
        self.whole, self.first = WrappedLabel(role), ElidedLabel(role)
        self.button = QPushButton()
        self.button.setProperty("kind", "link")
        # As high as the line, so it takes no room from the widgets above.
        self.button.setProperty("slim", True)
        self.button.clicked.connect(self._turn)
        self._short = self._unfolded = False
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(self.whole, 1)
        row.addWidget(self.first, 1)
        row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignBottom)

    def show_text(self, text: str) -> None:
        """Shows `text`. An empty text takes no room."""
        if text != self.whole.text():
            self._unfolded = False
        self.whole.setText(text)
        self.first.show_text(text)
        self.setVisible(bool(text))
        self._lay_out()

    def shorten(self, on: bool) -> None:
        """Sets if there is room for one line only."""
        if on != self._short:
            self._short = on
            self._lay_out()

    def whole_height(self, width: int) -> int:
        """Height in pixels of the whole text at this width; 0 without text."""
        return self.whole.heightForWidth(width) if self.whole.text() else 0

    def _turn(self) -> None:
        self._unfolded = not self._unfolded
        self._lay_out()

    def _lay_out(self) -> None:
        folded = self._short and not self._unfolded
        self.whole.setVisible(not folded)
        self.first.setVisible(folded)
        self.button.setVisible(self._short)
        self.button.setText(tr("Show less") if self._unfolded else tr("Show more"))


def listen(table: DataTable) -> None:
    """Gives the header of a table its menu."""
    header = table.header
    header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
    header.customContextMenuRequested.connect(lambda at: _header_menu(table, at).popup(header.mapToGlobal(at)))


def fill(menu: QMenu, table: DataTable, index: QModelIndex) -> None:
    """Adds the commands for the cell at `index`, for its row, and for the table."""
    if menu.actions():
        menu.addSeparator()
    menu.addAction(tr("Copy cell"), lambda: _copy(table.cell_text(index)))
    menu.addAction(f"{tr('Copy selection')}\t{tr('Ctrl+C')}", lambda: _copy(table.as_text()))
    rows = len({index.row() for index in table.selectedIndexes()})
    menu.addAction(tr("Copy rows") if rows > 1 else tr("Copy row"), lambda: _copy(table.as_text("rows")))
    menu.addAction(tr("Copy table"), lambda: _copy(table.as_text("table")))
    menu.addSeparator()
    _fill_sorting(menu, table, index.column())
    _fill_moving(menu, table, index.column())
    _fill_own(menu, table, index.column())
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
        _fill_moving(menu, table, section)
        _fill_own(menu, table, section)
        menu.addSeparator()
    _fill_columns(menu, table)
    return menu


def _fill_sorting(menu: QMenu, table: DataTable, section: int) -> None:
    rising, falling = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder
    for words, order in ((tr("Sort ascending"), rising), (tr("Sort descending"), falling)):
        menu.addAction(words, partial(table.sortByColumn, section, order))


def _fill_moving(menu: QMenu, table: DataTable, section: int) -> None:
    shown = table.shown_columns
    place = shown.index(section) if section in shown else 0
    for words, by in ((tr("Move column left"), -1), (tr("Move column right"), 1)):
        entry = menu.addAction(words, partial(table.move_column, section, by))
        entry.setEnabled(place > 0 and 0 < place + by < len(shown))


def _fill_own(menu: QMenu, table: DataTable, section: int) -> None:
    """Adds the commands for a column of the user: made of this one and another one, or removed."""
    column, name = table.source.table.columns[section], table.name
    compute = table.compute
    if compute is None or not column.numeric:
        return
    columns = [table.source.table.columns[at] for at in table.shown_columns if at != section]
    others = [other for other in columns if other.numeric]
    alike = [other for other in others if other.unit == column.unit]
    rules: tuple[tuple[str, Rule, list[Column]], ...] = (
        (tr("Add ratio column"), "ratio", others),
        (tr("Add difference column"), "difference", alike),
    )
    for words, rule, fitting in rules:
        choices = menu.addMenu(words)
        choices.setEnabled(bool(fitting))
        for other, title in zip(fitting, names_of(fitting, fitting), strict=True):
            made = OwnColumn(name, rule, column_key(column), column_key(other))
            choices.addAction(plain_button(title), partial(compute, made, True))
    if column.own is not None:
        menu.addAction(tr("Remove this column"), partial(compute, column.own, False))


def _fill_columns(menu: QMenu, table: DataTable) -> None:
    for section, column in enumerate(table.source.table.columns):
        spoken = replace(column, title=said(column.title), unit=said(column.unit))
        action = menu.addAction(plain_button(heading(spoken)))
        action.setCheckable(True)
        action.setChecked(not table.isColumnHidden(section))
        # The last column cannot be hidden: without a header the user could not show the others again.
        action.setEnabled(table.isColumnHidden(section) or len(table.shown_columns) > 1)
        action.toggled.connect(partial(_show_column, table, section))
    menu.addSeparator()
    menu.addAction(tr("All columns"), table.show_all_columns)
    menu.addAction(tr("Fewer columns"), table.show_fewer).setEnabled(table.extra)


def _show_column(table: DataTable, section: int, on: bool) -> None:
    table.set_column_shown(section, shown=on)


def _copy(text: str) -> None:
    QGuiApplication.clipboard().setText(text)
