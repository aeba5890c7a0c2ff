"""A quiet word at the right end of a row of a list: a count, or the keys of a command."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from workbench.charts.palette import THEMES
from workbench.gui.services.theme import SHADES, current_theme, running_application

NOTE = int(Qt.ItemDataRole.UserRole) + 20
_MARGIN, _DOT = 12, 3.0
Index = QModelIndex | QPersistentModelIndex


class SideNote(QStyledItemDelegate):
    """Draws the note of a row behind its text; where `dots` is set, only a dot that says that there is one."""

    dots = False

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draws the row, then its note."""
        note, theme = str(index.data(NOTE) or ""), current_theme(running_application())
        area = QRect(option.rect)
        if note and not self.dots:
            super().paint(painter, option, index)
            painter.setPen(QColor(THEMES[theme].quiet))
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(area.adjusted(0, 0, -_MARGIN, 0), right, note)
            return
        super().paint(painter, option, index)
        if note:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(SHADES[theme].warning))
            painter.drawEllipse(QPointF(area.right() - 2 * _DOT, area.top() + 3 * _DOT), _DOT, _DOT)

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        """Cuts the end of a text that would run into the note; the row's ground reaches behind both."""
        super().initStyleOption(option, index)
        note = str(index.data(NOTE) or "")
        taken = self._room(option, note) + option.decorationSize.width() * (not option.icon.isNull()) + 2 * _MARGIN
        if note and not self.dots and (room := option.rect.width() - taken) > 0:
            option.text = option.fontMetrics.elidedText(option.text, Qt.TextElideMode.ElideRight, room)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Room for both."""
        hint, note = super().sizeHint(option, index), str(index.data(NOTE) or "")
        return hint if self.dots or not note else hint + QSize(self._room(option, note), 0)

    @staticmethod
    def _room(option: QStyleOptionViewItem, note: str) -> int:
        return option.fontMetrics.horizontalAdvance(note) + _MARGIN
