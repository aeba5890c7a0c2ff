"""The cells of a TableData for Qt: texts, values to sort by, tips, signs and headings."""

from __future__ import annotations

import math
import re
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QSortFilterProxyModel, Qt, Signal
from PySide6.QtGui import QFont, QGuiApplication

from workbench.charts.palette import ThemeName
from workbench.charts.tables import Cell, TableData
from workbench.gui.services.assets import icon
from workbench.gui.services.plain import plain_tip
from workbench.gui.services.theme import SHADES
from workbench.gui.services.translation import said
from workbench.gui.widgets.look_icon import look_icon, spark_pixmap
from workbench.words.numbers import MINUS, THIN, decimal_mark, in_full

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
# A title of at least this many letters is broken into two lines, if the header has two.
_LONG_TITLE = 12
# A number rounded to three digits differs from the exact number by at most this share.
_ROUNDED = 0.01
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
    # A text with a unit, or with a unit other than that of the value, is not that number.
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


class ByValue(QSortFilterProxyModel):
    """Sorts by the value behind the text; values that are not available come last."""

    def lessThan(self, left: Index, right: Index) -> bool:
        value, other = (index.data(Qt.ItemDataRole.UserRole) for index in (left, right))
        if value is None or other is None:
            # Descending order reverses ascending order, so values that must come last are then the smallest.
            falling = self.sortOrder() == Qt.SortOrder.DescendingOrder
            return value is not other and (value is None) == falling
        try:
            return bool(value < other)
        except TypeError:
            return str(value) < str(other)
