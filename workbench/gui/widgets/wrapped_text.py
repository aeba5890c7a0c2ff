"""Text of a table that goes on in further lines: as high as it is drawn."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

# What the style sheet keeps free left and right of a cell's text, and the measuring of its height does not.
_PADDING = 24


class WrappedText(QStyledItemDelegate):
    """Measures the height of a cell for the width that its text really has."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """The room that the text needs."""
        narrower = QStyleOptionViewItem(option)
        narrower.rect.setWidth(max(1, option.rect.width() - _PADDING))
        return super().sizeHint(narrower, index)
