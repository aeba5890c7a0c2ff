"""A table on screen: shows a TableData, sorts by value, copies as tab-separated text."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

from PySide6.QtCore import QItemSelection, Qt, Signal
from PySide6.QtGui import QFontMetrics, QGuiApplication, QKeyEvent, QKeySequence, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QStyledItemDelegate, QWidget

from workbench.charts.palette import ThemeName
from workbench.charts.tables import Cell, OwnColumn, TableData, column_key, empty_columns
from workbench.gui.services.translation import said, tr
from workbench.gui.widgets.columns import ColumnMemory, forget_asked, in_order, left_out, remember, remember_order
from workbench.gui.widgets.labels import WrappedText
from workbench.gui.widgets.look_icon import SPARK_WIDTH
from workbench.gui.widgets.staying_column import StayingTable
from workbench.gui.widgets.table_model import ByValue, Index, TableModel, head_text
from workbench.words.numbers import decimal_mark, number

_MAX_TEXT_WIDTH, _MIN_WIDTH = 460, 40
_PADDING, _ICON_ROOM = 26, 24
_SAMPLED_ROWS = 200
# Height in pixels of a one-line row.
_ROW = 26
_BY_HAND, _BY_TEXT, _REST = (
    QHeaderView.ResizeMode.Interactive,
    QHeaderView.ResizeMode.ResizeToContents,
    QHeaderView.ResizeMode.Stretch,
)


class DataTable(StayingTable):
    """Read-only table. Ctrl+C copies the selected cells, or the whole table, with the headers. Columns can be hidden
    and moved: `memory` stores the result. Columns without any value, and the last columns if they do not fit, are
    hidden until the user shows them. `name` identifies the table. `columns_changed`: the user has hidden, shown or
    moved columns. `columns_shown`: other columns are shown, for any reason. `ticked`: the cell whose box was changed.
    `value_read`: count, mean, sum, minimum and maximum of the selected numbers, empty for fewer than two. `compute`
    adds a column of the user, or removes it (False); None if the table cannot have one."""

    columns_changed = Signal()
    columns_shown = Signal()
    row_chosen = Signal(object)
    ticked = Signal(object)
    value_read = Signal(str)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rename(name)
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
        self._proxy = ByValue(self)
        self._proxy.setFilterKeyColumn(-1)
        self._proxy.setFilterRole(Qt.ItemDataRole.AccessibleTextRole)
        self._proxy.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.source = TableModel(TableData((), ()), "light")
        self.empty: frozenset[int] = frozenset()
        self.beyond: frozenset[int] = frozenset()
        # True if the user has shown columns that are empty or do not fit.
        self.extra = False
        self.memory = ColumnMemory()
        self.compute: Callable[[OwnColumn, bool], None] | None = None
        self.moved.connect(self._keep_order)

    def rename(self, name: str) -> None:
        """Gives the table another name. Screen readers get it in the language of the window."""
        self.name = name
        self.setAccessibleName(said(name))

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
    def copied_columns(self) -> list[int]:
        """The positions of the columns that a copy has: those that are shown or do not fit."""
        return [at for at in self.placed_columns if not self.isColumnHidden(at) or at in self.beyond]

    @property
    def unasked(self) -> list[int]:
        """The positions of columns that are hidden because no row has a value or because they do not fit, not because
        the user hid them."""
        hidden, columns = self.memory.hidden.get(self.name, frozenset()), self.source.table.columns
        places = sorted(self.empty | self.beyond)
        return [at for at in places if self.isColumnHidden(at) and column_key(columns[at]) not in hidden]

    def set_column_shown(self, section: int, *, shown: bool) -> None:
        """Shows or hides a column and stores the choice."""
        others = frozenset(self.shown_columns) - {section}
        self._show_columns(others | {section} if shown else others)

    def show_all_columns(self) -> None:
        """Shows every column at its original position and stores the choice."""
        self.memory.order.pop(self.name, None)
        self._order_columns()
        self._show_columns(frozenset(range(len(self.source.table.columns))))

    def show_unasked(self) -> None:
        """Shows the empty columns and those that do not fit, and stores the choice."""
        self._show_columns(frozenset(self.shown_columns) | self.empty | self.beyond)

    def show_fewer(self) -> None:
        """Hides the empty columns and those that do not fit again."""
        forget_asked(self.memory, self.name, self.source.table)
        self._hide_columns()
        self.columns_changed.emit()

    def _show_columns(self, shown: frozenset[int]) -> None:
        # Also the columns that would have no room, such as one that the user has hidden until now.
        beyond = self.beyond | self._too_wide(frozenset(self.placed_columns) - shown, self._asked)
        remember(self.memory, self.name, self.source.table, shown, self.empty, beyond)
        self._hide_columns()
        self.columns_changed.emit()

    def move_column(self, section: int, by: int) -> None:
        """Moves a shown column by this many shown columns, and stores the order. The first column stays in place."""
        shown = self.shown_columns
        if section in shown[1:] and 1 <= (to := shown.index(section) + by) < len(shown):
            self.header.moveSection(self.header.visualIndex(section), self.header.visualIndex(shown[to]))

    def _keep_order(self) -> None:
        remember_order(self.memory, self.name, self.source.table, self.placed_columns)
        self._order_columns()
        self.columns_changed.emit()

    def _order_columns(self) -> None:
        self.place_columns(in_order(self.memory, self.name, self.source.table))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Shows as many columns as fit into the new width."""
        super().resizeEvent(event)
        # While another table is being shown, widths and columns do not match.
        ready = len(self._wanted) == self.header.count() == len(self.source.table.columns)
        if ready and (self._too_wide(self._chosen_out(), self._asked), self._has_extra()) != (self.beyond, self.extra):
            self._hide_columns()

    def _chosen_out(self) -> frozenset[int]:
        return left_out(self.memory, self.name, self.source.table, self.empty)

    @property
    def _asked(self) -> frozenset[str]:
        return self.memory.shown.get(self.name, frozenset())

    def _has_extra(self) -> bool:
        out = left_out(ColumnMemory(self.memory.hidden), self.name, self.source.table, self.empty)
        places = out | self._too_wide(out, frozenset())
        return any(column_key(self.source.table.columns[at]) in self._asked for at in places)

    def _too_wide(self, out: frozenset[int], asked: frozenset[str]) -> frozenset[int]:
        """The last columns, as far as they do not fit. The columns with the `asked` keys and the user's own columns
        stay, and so do texts that take the remaining width."""
        columns = self.source.table.columns
        order = [at for at in in_order(self.memory, self.name, self.source.table) if at not in out]
        beyond: set[int] = set()
        for at in reversed(order[1:]):
            if self.missing_width([place for place in order if place not in beyond]) <= 0:
                break
            if not (columns[at].fills or columns[at].own) and column_key(columns[at]) not in asked:
                beyond.add(at)
        return frozenset(beyond)

    def _hide_columns(self) -> None:
        out = self._chosen_out()
        self.beyond, self.extra = self._too_wide(out, self._asked), self._has_extra()
        for section in range(len(self.source.table.columns)):
            self.setColumnHidden(section, section in out | self.beyond)
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
        return (
            tr("No rows match the filter. Change or clear the filter.")
            if self.source.table.rows
            else tr("This table has no rows.")
        )

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
        """The rectangle around the selected cells, or their whole rows, or the whole table without a selection. The
        text is tab-separated, with the headers, and without hidden columns (except those that do not fit)."""
        selected = self.selectedIndexes() if part != "table" else []
        rows = sorted({index.row() for index in selected}) or range(self._proxy.rowCount())
        picked = {index.column() for index in selected} if part == "cells" else set()
        whole = not picked or picked >= set(self.shown_columns)
        shown = [at for at in self.copied_columns if whole or at in picked]
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
            # Done first, because a column that took the remaining width in the previous table would keep it.
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
