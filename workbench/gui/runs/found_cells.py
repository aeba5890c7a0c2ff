"""The cells of *Check detected runs*: a guess has a dotted line, and a strip shows the time of a run."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, QPoint, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QComboBox, QLineEdit, QSpinBox, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from workbench.charts.figure import Look
from workbench.gui.plot.ink import Ink
from workbench.gui.services.theme import SHADES, current_theme, running_application
from workbench.gui.services.translation import tr
from workbench.gui.widgets.boxes import choice_box, whole_number_box
from workbench.model.run import Provisioning

Index = QModelIndex | QPersistentModelIndex
# Data of a cell: True if it was guessed, its value, the name of its field, its marks on the strip (from 0 to 1), and
# their look.
GUESSED, VALUE, FIELD, MARKS, LOOK = (int(Qt.ItemDataRole.UserRole) + more for more in range(1, 6))
_MARK_WIDTH, _MARK_HEIGHT, _MARGIN = 6, 18, 10
_MOST_MB = 1_000_000
# Uses only the colours: an ink creates five fonts.
_ink_of = cache(Ink)


class FoundCells(QStyledItemDelegate):
    """`typed` gets the row, the field and the typed value."""

    def __init__(self, typed: Callable[[int, str, Any], None], parent: QWidget) -> None:
        super().__init__(parent)
        self._typed = typed

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draws the cell, the line below a guess, and the marks of a strip."""
        super().paint(painter, option, index)
        theme = current_theme(running_application())
        ink = _ink_of(theme)
        painter.save()
        if index.data(GUESSED):
            laid = QStyleOptionViewItem(option)
            self.initStyleOption(laid, index)
            room = laid.widget.style().subElementRect(QStyle.SubElement.SE_ItemViewItemText, laid, laid.widget)
            room.adjust(3, 0, -3, 0)
            how = int(laid.displayAlignment.value) | int(Qt.TextFlag.TextWordWrap.value)
            words = laid.fontMetrics.boundingRect(room, how, laid.text)
            painter.setPen(QPen(QColor(SHADES[theme].warning), 1.5, Qt.PenStyle.DotLine))
            low = min(words.bottom() + 2, option.rect.bottom() - 3)
            painter.drawLine(QPoint(words.left(), low), QPoint(max(words.right(), words.left() + 12), low))
        if (marks := index.data(MARKS)) is not None:
            room, middle = option.rect, option.rect.center().y()
            painter.setPen(QPen(ink.token("line"), 1, Qt.PenStyle.DotLine))
            painter.drawLine(QPoint(room.left() + 4, middle), QPoint(room.right() - 4, middle))
            width = room.width() - 2 * _MARGIN - _MARK_WIDTH
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(ink.colour(index.data(LOOK) or Look("quiet")))
            for mark in marks:
                left = room.left() + _MARGIN + mark * width
                painter.drawRoundedRect(QRectF(left, middle - _MARK_HEIGHT / 2, _MARK_WIDTH, _MARK_HEIGHT), 2, 2)
        painter.restore()

    def createEditor(self, parent: QWidget, _option: QStyleOptionViewItem, index: Index) -> QWidget:
        """A list, a number field or a text line, depending on the field."""
        field, editor = index.data(FIELD), QLineEdit(parent)
        if field == "provisioning":
            boxed: QWidget = choice_box([(tr(one.value), one) for one in Provisioning])
            boxed.setParent(parent)
            return boxed
        if field in ("ram_cache_mb", "vms"):
            box = whole_number_box(-1, _MOST_MB)
            box.setSpecialValueText(tr("no RAM cache, or size unknown") if field == "ram_cache_mb" else tr("unknown"))
            box.setParent(parent)
            return box
        editor.setObjectName("inplace")
        return editor

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        """Fills in the current value."""
        value = index.data(VALUE)
        if isinstance(editor, QComboBox):
            editor.setCurrentIndex(editor.findData(value))
        elif isinstance(editor, QSpinBox):
            editor.setValue(-1 if value is None else value)
        elif isinstance(editor, QLineEdit):
            editor.setText(value or "")
            editor.selectAll()

    def setModelData(self, editor: QWidget, _model: QAbstractItemModel, index: Index) -> None:
        """Passes on a new value; an equal value changes nothing."""
        value: Any = None
        if isinstance(editor, QComboBox):
            value = editor.currentData()
        elif isinstance(editor, QSpinBox):
            value = None if editor.value() < 0 else editor.value()
        elif isinstance(editor, QLineEdit):
            value = editor.text().strip()
        if value != index.data(VALUE):
            self._typed(index.row(), index.data(FIELD), value)
