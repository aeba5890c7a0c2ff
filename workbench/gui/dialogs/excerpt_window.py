"""A small window beside the main one: the text of a file around the line that a problem names."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase, QTextCursor
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QVBoxLayout, QWidget

from workbench.gui.services.theme import labelled
from workbench.study.discovery.excerpt import Excerpt


class ExcerptWindow(QDialog):
    """Lets the main window live; Escape closes it."""

    def __init__(self, parent: QWidget, title: str, message: str, line: int, excerpt: Excerpt) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("page")
        self.setWindowTitle(title)
        self.resize(900, 480)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setAccessibleName(f"Text of {title}")
        message_label = labelled(message)
        message_label.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 14)
        column.addWidget(message_label)
        column.addWidget(self.text, 1)
        self._show_lines(line, excerpt)

    def _show_lines(self, line: int, excerpt: Excerpt) -> None:
        numbers = range(excerpt.first, excerpt.first + len(excerpt.lines))
        wide = len(str(numbers[-1])) if excerpt.lines else 1
        shown = [
            f"{'>' if number == line else ' '} {number:>{wide}}  {text}"
            for number, text in zip(numbers, excerpt.lines, strict=True)
        ]
        self.text.setPlainText("\n".join([*shown, excerpt.note] if excerpt.note else shown))
        if line in numbers:
            block = self.text.document().findBlockByNumber(line - excerpt.first)
            cursor = QTextCursor(block)
            cursor.select(QTextCursor.SelectionType.LineUnderCursor)
            self.text.setTextCursor(cursor)
