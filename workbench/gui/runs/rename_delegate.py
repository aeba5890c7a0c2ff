"""Renames in place: the editor of a row of the tree shows the configuration's name, not the row's text."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex
from PySide6.QtWidgets import QLineEdit, QStyledItemDelegate, QStyleOptionViewItem, QWidget

Index = QModelIndex | QPersistentModelIndex


class RenameDelegate(QStyledItemDelegate):
    """`name_of` gives the name a row's editor shows, `rename` takes the one that was typed."""

    def __init__(self, name_of: Callable[[Index], str], rename: Callable[[Index, str], None], parent: QWidget) -> None:
        super().__init__(parent)
        self._name_of, self._rename = name_of, rename

    def createEditor(self, parent: QWidget, _option: QStyleOptionViewItem, index: Index) -> QWidget:
        """A line to type in."""
        line = QLineEdit(parent)
        line.setObjectName("inplace")
        line.setAccessibleName(f"Configuration of {index.data()}")
        return line

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        """Fills in the name there is."""
        assert isinstance(editor, QLineEdit)
        editor.setText(self._name_of(index))
        editor.selectAll()

    def setModelData(self, editor: QWidget, _model: QAbstractItemModel, index: Index) -> None:
        """Hands over another name; the same one, or none, changes nothing."""
        assert isinstance(editor, QLineEdit)
        typed = editor.text().strip()
        if typed and typed != self._name_of(index):
            self._rename(index, typed)
