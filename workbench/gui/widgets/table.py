"""A table on screen: shows a TableData, sorts by value, copies as tab-separated text."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any, Literal

from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelection,
    QModelIndex,
    QPersistentModelIndex,
    QSortFilterProxyModel,
    Qt,
    Signal,
)
from PySide6.QtGui import QFont, QFontMetrics, QGuiApplication, QKeyEvent, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QStyledItemDelegate, QWidget

from workbench.charts.palette import ThemeName
from workbench.charts.tables import Cell, OwnColumn, TableData, column_key
from workbench.gui.services.assets import icon
from workbench.gui.services.plain import plain_tip
from workbench.gui.services.theme import SHADES
from workbench.gui.services.translation import said, tr
from workbench.gui.widgets.columns import ColumnMemory, empty_columns, in_order, left_out, remember, remember_order
from workbench.gui.widgets.labels import WrappedText
from workbench.gui.widgets.look_icon import SPARK_WIDTH, look_icon, spark_pixmap
from workbench.gui.widgets.staying_column import StayingTable
from workbench.words.numbers import MINUS, THIN, decimal_mark, in_full, number

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_MAX_TEXT_WIDTH, _MIN_WIDTH = 460, 40
_PADDING, _ICON_ROOM = 26, 24
# A title of at least so many letters is broken into two lines, if the header has two.
_LONG_TITLE = 12
# A number with three digits differs by no more from the whole one.
_ROUNDED = 0.01
_SAMPLED_ROWS = 200
# Height in pixels of a one-line row.
_ROW = 26
_BY_HAND, _BY_TEXT, _REST = (
    QHeaderView.ResizeMode.Interactive,
    QHeaderView.ResizeMode.ResizeToContents,
    QHeaderView.ResizeMode.Stretch,
)
# The colour tokens of signs. A word is next to each sign, so colour is never the only cue.
_TOKENS = {"refused": "danger", "worse": "danger", "better": "accent"}
# As numbers: Qt asks for roles thousands of times during layout, and Python's enumeration names are slow.
_DISPLAY, _USER, _TIP, _ALIGNMENT, _CHECK, _FONT, _SPOKEN = (
    int(role)
    for role in (
        Qt.ItemDataRole.DisplayRole,
        Qt.ItemDataRole.UserRole,
        Qt.ItemDataRole.ToolTipRole,
        Qt.ItemDataRole.TextAlignmentRole,
        Qt.ItemDataRole.CheckStateRole,
        Qt.ItemDataRole.FontRole,
        Qt.ItemDataRole.AccessibleTextRole,
    )
)
_ROLES = frozenset((_DISPLAY, _USER, _TIP, _ALIGNMENT, _CHECK, _FONT, _SPOKEN, int(Qt.ItemDataRole.DecorationRole)))
_RIGHT, _LEFT = (
    side | Qt.AlignmentFlag.AlignVCenter for side in (Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignLeft)
)


def _full_number(cell: Cell) -> str:
    """The number of a cell with all its digits, if the cell shows fewer; otherwise empty."""
    if not isinstance(cell.value, float) or not math.isfinite(cell.value):
        return ""
    shown = cell.brief or cell.text
    plain = shown.replace(THIN, "").replace(MINUS, "-").replace(decimal_mark(), ".")
    whole = in_full(cell.value)
    # A text with a unit, or in another one than the value, is not that number.
    same = re.fullmatch(r"-?\d+(\.\d+)?", plain) and math.isclose(float(plain), cell.value, rel_tol=_ROUNDED)
    return whole if same and whole != shown else ""


def _heading_font() -> QFont:
    font = QGuiApplication.font()
    font.setBold(True)
    return font


def head_text(table: TableData, section: int) -> str:
    """The heading of a column: title over unit. Without a unit, next to columns with one, a long title takes both
    lines."""
    column = table.columns[section]
    title = said(column.title)
    if not any(column.unit for column in table.columns):
        return title
    if column.unit or len(title) < _LONG_TITLE or " " not in title:
        return f"{title}\n{said(column.unit)}"
    breaks = (at for at, letter in enumerate(title) if letter == " ")
    at = min(breaks, key=lambda place: abs(2 * place - len(title)))
    return f"{title[:at]}\n{title[at + 1 :]}"


class TableModel(QAbstractTableModel):
    """The cells of a TableData. `ticked` reports the cell whose box the user clicked, or pressed Space on."""

    ticked = Signal(object)

    def __init__(self, data: TableData, theme: ThemeName) -> None:
        super().__init__()
        self.table = data
        self._theme = theme

    def rowCount(self, parent: Index = _ROOT) -> int:
        """Number of rows."""
        return 0 if parent.isValid() else len(self.table.rows)

    def columnCount(self, parent: Index = _ROOT) -> int:
        """Number of columns."""
        return 0 if parent.isValid() else len(self.table.columns)

    def cell(self, row: int, column: int) -> Cell:
        """The cell at an index."""
        return self.table.rows[row][column]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Text, sort value, tip, alignment and configuration mark of a cell."""
        if role not in _ROLES:
            return None
        cell = self.cell(index.row(), index.column())
        if role == _DISPLAY:
            return cell.brief or cell.text
        if role == _SPOKEN:
            return cell.text
        if role == _USER:
            return cell.value
        if role == _TIP:
            return plain_tip(tip) if (tip := cell.tip or _full_number(cell)) else None
        if role == _ALIGNMENT:
            return _RIGHT if self.table.columns[index.column()].numeric else _LEFT
        if role == _CHECK:
            return None if cell.ticked is None else Qt.CheckState.Checked if cell.ticked else Qt.CheckState.Unchecked
        if role == _FONT:
            return _heading_font() if cell.heading else None
        if cell.spark is not None:
            return spark_pixmap(cell.spark, self._theme)
        if cell.look is not None:
            return look_icon(cell.look, self._theme)
        warning = SHADES[self._theme].warning if cell.icon == "warning" else ""
        return icon(cell.icon, self._theme, warning or _TOKENS.get(cell.icon, "quiet")) if cell.icon else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """The flags of a cell; a cell that can be ticked has a checkbox."""
        tickable = index.isValid() and self.cell(index.row(), index.column()).ticked is not None
        return super().flags(index) | (Qt.ItemFlag.ItemIsUserCheckable if tickable else Qt.ItemFlag.NoItemFlags)

    def setData(self, index: Index, _value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Reports a tick. The receiver shows the table again."""
        if role == Qt.ItemDataRole.CheckStateRole:
            self.ticked.emit(self.cell(index.row(), index.column()))
        return False

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Title over unit. Words in units are translated (`change %`); symbols are not in any translation."""
        if orientation is not Qt.Orientation.Horizontal or role not in _ROLES:
            return None
        column = self.table.columns[section]
        if role == _DISPLAY:
            return head_text(self.table, section)
        if role == _TIP:
            return plain_tip(column.tip) if column.tip else None
        if role == _ALIGNMENT:
            return _RIGHT if column.numeric else _LEFT
        return None


class _ByValue(QSortFilterProxyModel):
    """Sorts by the value behind the text; values that are not available come last."""

    def lessThan(self, left: Index, right: Index) -> bool:
        value, other = (index.data(Qt.ItemDataRole.UserRole) for index in (left, right))
        if value is None or other is None:
            # Descending order reverses ascending order, so values that come last must then be the smallest.
            falling = self.sortOrder() == Qt.SortOrder.DescendingOrder
            return value is not other and (value is None) == falling
        try:
            return bool(value < other)
        except TypeError:
            return str(value) < str(other)


class DataTable(StayingTable):
    """Read-only table. Ctrl+C copies the selected cells, or the whole table, with the headers. Columns can be hidden
    and moved: `memory` stores how. Columns without any value are hidden until the user shows them.
    `columns_changed`: the user has hidden, shown or moved columns. `columns_shown`: other columns are shown, for any
    reason. `ticked`: the cell whose box was changed. `value_read`: count, mean, sum, minimum and maximum of the
    selected numbers, empty for fewer than two. `compute` adds a column of the user, or removes it (False); None if the
    table cannot have one."""

    columns_changed = Signal()
    columns_shown = Signal()
    row_chosen = Signal(object)
    ticked = Signal(object)
    value_read = Signal(str)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setSortingEnabled(True)
        self.setAlternatingRowColors(False)
        self.setShowGrid(False)
        self.setWordWrap(False)
        # Tab moves to the next widget; the arrow keys reach the cells.
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(_ROW)
        self.horizontalHeader().setHighlightSections(False)
        self._plain, self._wrapped = QStyledItemDelegate(self), WrappedText(self)
        self._proxy = _ByValue(self)
        self._proxy.setFilterKeyColumn(-1)
        self._proxy.setFilterRole(_SPOKEN)
        self._proxy.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.source = TableModel(TableData((), ()), "light")
        self.empty: frozenset[int] = frozenset()
        self.memory = ColumnMemory()
        self.compute: Callable[[OwnColumn, bool], None] | None = None
        self.moved.connect(self._keep_order)

    def show_data(self, data: TableData, theme: ThemeName) -> None:
        """Shows another table. Rows keep the given order until the user clicks a header. The user's sort order stays if
        the columns are unchanged."""
        header = self.horizontalHeader()
        same = [c.title for c in self.source.table.columns] == [c.title for c in data.columns]
        section = header.sortIndicatorSection() if same and data.columns else -1
        order = header.sortIndicatorOrder() if section >= 0 else Qt.SortOrder.AscendingOrder
        self.source = TableModel(data, theme)
        self.source.ticked.connect(self.ticked)
        self.empty = empty_columns(data)
        self._proxy.setSourceModel(self.source)
        self.setModel(self._proxy)
        self.sortByColumn(section, order)
        self._proxy.sort(section, order)
        self._fit_columns()
        self._hide_columns()
        self._order_columns()
        self.clearSpans()
        for row, cells in enumerate(data.rows):
            if cells[0].heading:
                self.setSpan(row, 0, 1, len(cells))

    def current_key(self) -> str:
        """The key of the current row, empty if there is none."""
        index = self.currentIndex()
        return self.row(index.row())[0].key if index.isValid() else ""

    @property
    def shown_columns(self) -> list[int]:
        """The positions of the columns that are shown, from left to right."""
        return [at for at in self.placed_columns if not self.isColumnHidden(at)]

    @property
    def empty_hidden(self) -> list[int]:
        """The positions of columns that are hidden because no row has a value, not because the user hid them."""
        hidden, columns = self.memory.hidden.get(self.accessibleName(), frozenset()), self.source.table.columns
        return [at for at in sorted(self.empty) if self.isColumnHidden(at) and column_key(columns[at]) not in hidden]

    def set_column_shown(self, section: int, *, shown: bool) -> None:
        """Shows or hides a column and stores the choice."""
        others = frozenset(self.shown_columns) - {section}
        self._show_columns(others | {section} if shown else others)

    def show_all_columns(self) -> None:
        """Shows every column at its original position and stores the choice."""
        self.memory.order.pop(self.accessibleName(), None)
        self._order_columns()
        self._show_columns(frozenset(range(len(self.source.table.columns))))

    def show_empty_columns(self, *, shown: bool) -> None:
        """Shows or hides the columns without any value and stores the choice."""
        others = frozenset(self.shown_columns) - self.empty
        self._show_columns(others | self.empty if shown else others)

    def _show_columns(self, shown: frozenset[int]) -> None:
        remember(self.memory, self.accessibleName(), self.source.table, shown, self.empty)
        self._hide_columns()
        self.columns_changed.emit()

    def move_column(self, section: int, by: int) -> None:
        """Moves a shown column by so many shown ones, and remembers it. The first column stays where it is."""
        shown = self.shown_columns
        if section in shown[1:] and 1 <= (to := shown.index(section) + by) < len(shown):
            self.header.moveSection(self.header.visualIndex(section), self.header.visualIndex(shown[to]))

    def _keep_order(self) -> None:
        remember_order(self.memory, self.accessibleName(), self.source.table, self.placed_columns)
        self._order_columns()
        self.columns_changed.emit()

    def _order_columns(self) -> None:
        self.place_columns(in_order(self.memory, self.accessibleName(), self.source.table))

    def _hide_columns(self) -> None:
        out = left_out(self.memory, self.accessibleName(), self.source.table, self.empty)
        for section in range(len(self.source.table.columns)):
            self.setColumnHidden(section, section in out)
        self.fit_width()
        self.columns_shown.emit()

    def show_matching(self, text: str) -> None:
        """Shows the rows with `text` in any cell, ignoring case."""
        self._proxy.setFilterFixedString(text)

    def choose(self, key: str) -> bool:
        """Selects the row of that key and scrolls to it; False if no visible row has it."""
        for index in range(self._proxy.rowCount()):
            if any(cell.key == key for cell in self.row(index)):
                self.setCurrentIndex(self._proxy.index(index, 0))
                return True
        return False

    def row(self, index: int) -> tuple[Cell, ...]:
        """The cells of the row shown at a position."""
        return self.source.table.rows[self._proxy.mapToSource(self._proxy.index(index, 0)).row()]

    def least_height(self, rows: int) -> int:
        """The height in pixels that shows the first rows (at most this many), the header and a scroll bar."""
        header, bar = self.header.sizeHint().height(), self.horizontalScrollBar().sizeHint().height()
        seen = sum(self.rowHeight(row) for row in range(min(rows, self._proxy.rowCount())))
        return header + seen + bar + 2 * self.frameWidth()

    def nothing(self) -> str:
        """The text that replaces the rows if there are none."""
        if self._proxy.rowCount():
            return ""
        return tr("No rows match the filter.") if self.source.table.rows else tr("Nothing to list.")

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the reason if the table is empty."""
        self._measure_rows_in_view()
        super().paintEvent(event)
        if text := self.nothing():
            painter = QPainter(self.viewport())
            painter.setPen(QGuiApplication.palette().placeholderText().color())
            area = self.viewport().rect().adjusted(16, 12, -16, -12)
            painter.drawText(area, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, text)
            painter.end()

    def _measure_rows_in_view(self) -> None:
        """Sets the height of rows with wrapped text that are in view. Qt would measure every row at once."""
        if not self.wordWrap() or self.verticalHeader().sectionResizeMode(0) == _BY_TEXT:
            return
        row = self.rowAt(0)
        while 0 <= row < self._proxy.rowCount() and self.rowViewportPosition(row) < self.viewport().height():
            self.resizeRowToContents(row)
            row += 1

    def currentChanged(self, current: Index, previous: Index) -> None:
        """Reports the current row."""
        super().currentChanged(current, previous)
        if current.isValid() and current.row() != previous.row():
            self.row_chosen.emit(self.row(current.row()))

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        """Reports count, mean, sum, minimum and maximum of the selected numbers."""
        super().selectionChanged(selected, deselected)
        self.value_read.emit(self.selected_words())

    def selected_words(self) -> str:
        """Count, mean, sum, lowest and highest of the selected numbers; empty if fewer than two are selected."""
        columns = self.source.table.columns
        chosen = [(self.row(at.row())[at.column()].value, columns[at.column()].unit) for at in self.selectedIndexes()]
        known = [(float(value), unit) for value, unit in chosen if isinstance(value, int | float)]
        numbers = [value for value, _ in known if math.isfinite(value)]
        if len(numbers) < 2:
            return ""
        units = {unit for _, unit in known}
        unit = f" {said(units.pop())}" if len(units) == 1 and "" not in units else ""
        mean = math.fsum(numbers) / len(numbers)
        parts = ((tr("mean"), mean), (tr("sum"), math.fsum(numbers)), (tr("lowest"), min(numbers)))
        told = [f"{word} {number(value)}{unit}" for word, value in (*parts, (tr("highest"), max(numbers)))]
        return f"{len(numbers)} {tr('values')}: {', '.join(told)}"

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copies on Ctrl+C."""
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.as_text())
            return
        super().keyPressEvent(event)

    def as_text(self, part: Literal["cells", "rows", "table"] = "cells") -> str:
        """The rectangle around the selected cells, or their whole rows, or the table, as tab-separated text with the
        headers and without hidden columns. Without a selection it is the table."""
        selected = self.selectedIndexes() if part != "table" else []
        rows = sorted({index.row() for index in selected}) or range(self._proxy.rowCount())
        picked = {index.column() for index in selected} if part == "cells" else set()
        shown = [at for at in self.shown_columns if not picked or at in picked]
        columns = [self.source.table.columns[at] for at in shown]
        header = [" ".join(part for part in (c.title, c.unit) if part) for c in columns]
        cells = (self.row(row) for row in rows)
        lines = [header, *([_copied(row[at]) for at in shown] for row in cells)]
        return "\n".join("\t".join(line) for line in lines)

    def cell_text(self, index: Index) -> str:
        """The value of one cell, as copied."""
        return _copied(self.row(index.row())[index.column()])

    def hold_rows(self, on: bool) -> None:
        """Keeps row heights while widths, fonts or the style sheet change, and measures the rows once at the end."""
        table = self.source.table
        fits = not on and len(table.rows) <= _SAMPLED_ROWS and any(column.fills for column in table.columns)
        self.verticalHeader().setSectionResizeMode(_BY_TEXT if fits else _BY_HAND)

    def _fit_columns(self) -> None:
        """Sets column widths from the header's lines and the text of the first rows. Qt's own measure counts a two-line
        header as one line. The last text column takes the remaining width."""
        table, header = self.source.table, self.horizontalHeader()
        header.setMinimumSectionSize(_MIN_WIDTH)
        fills = any(column.fills for column in table.columns)
        header.setStretchLastSection(bool(table.columns) and not table.columns[-1].numeric and not fills)
        wrapped = self.wordWrap()
        self.setWordWrap(fills)
        self.hold_rows(False)
        if wrapped and not fills:
            # Otherwise rows would keep the height of the previous table's text.
            for section in range(len(table.rows)):
                self.setRowHeight(section, _ROW)
        cells, heads, widths = QFontMetrics(self.font()), QFontMetrics(header.font()), []
        for section, column in enumerate(table.columns):
            widest = max(map(heads.horizontalAdvance, head_text(table, section).split("\n")))
            for row in table.rows[:_SAMPLED_ROWS]:
                cell = row[section]
                icon = _ICON_ROOM if cell.look is not None or cell.icon else 0
                icon += (cell.ticked is not None) * _ICON_ROOM + (cell.spark is not None) * SPARK_WIDTH
                widest = max(widest, 0 if cell.heading else cells.horizontalAdvance(cell.brief or cell.text) + icon)
            # First of all: a column that took the remaining width in the previous table would keep it.
            header.setSectionResizeMode(section, _REST if column.fills else _BY_HAND)
            widths.append(min(widest + _PADDING, _MAX_TEXT_WIDTH))
            self.setItemDelegateForColumn(section, self._wrapped if column.fills else self._plain)
        self.set_widths(widths)


def _copied(cell: Cell) -> str:
    if cell.value is None:
        return ""
    if isinstance(cell.value, float):
        return repr(cell.value).replace(".", decimal_mark())
    return str(cell.value).replace("\t", " ").replace("\n", " ")
