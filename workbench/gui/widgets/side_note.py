"""A quiet word at the right end of a row of a list, such as the keys of a command."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from workbench.charts.palette import THEMES
from workbench.gui.services.theme import current_theme, running_application

NOTE = int(Qt.ItemDataRole.UserRole) + 20
_MARGIN = 12
Index = QModelIndex | QPersistentModelIndex


class SideNote(QStyledItemDelegate):
    """Draws the note of a row behind its text."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draws the row, then its note."""
        area = QRect(option.rect)
        super().paint(painter, option, index)
        painter.setPen(QColor(THEMES[current_theme(running_application())].quiet))
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(area.adjusted(0, 0, -_MARGIN, 0), right, str(index.data(NOTE) or ""))

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        """Cuts the end of a text that would run into the note; the ground of the row reaches behind both."""
        super().initStyleOption(option, index)
        note = str(index.data(NOTE) or "")
        taken = self._room(option, note) + option.decorationSize.width() * (not option.icon.isNull()) + 2 * _MARGIN
        if note and (room := option.rect.width() - taken) > 0:
            option.text = option.fontMetrics.elidedText(option.text, Qt.TextElideMode.ElideRight, room)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Room for both."""
        hint, note = super().sizeHint(option, index), str(index.data(NOTE) or "")
        return hint + QSize(self._room(option, note), 0) if note else hint

    @staticmethod
    def _room(option: QStyleOptionViewItem, note: str) -> int:
        return option.fontMetrics.horizontalAdvance(note) + _MARGIN
