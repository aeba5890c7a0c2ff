"""The text of a file around one line. The line has another background and its cell is marked."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtGui import QColor, QFontDatabase, QShowEvent, QTextCursor, QTextFormat
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QTextEdit

from workbench.gui.services.theme import SHADES, current_theme, running_application
from workbench.study.discovery.excerpt import Excerpt


class ExcerptText(QPlainTextEdit):
    """Numbered lines. Tab moves the focus to the next widget."""

    def __init__(self) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self._line = QTextCursor()

    def show_lines(self, line: int, excerpt: Excerpt) -> None:
        """Shows the lines. `line` gets another background; its marked cell is selected, ready to copy."""
        numbers = range(excerpt.first, excerpt.first + len(excerpt.lines))
        wide = len(str(numbers[-1])) if excerpt.lines else 1
        heads = [f"{'>' if number == line else ' '} {number:>{wide}}  " for number in numbers]
        shown = [head + text for head, text in zip(heads, excerpt.lines, strict=True)]
        self.setPlainText("\n".join([*shown, excerpt.note] if excerpt.note else shown))
        self._line = QTextCursor()
        if line in numbers:
            block = self.document().findBlockByNumber(line - excerpt.first)
            row, head = shown[line - excerpt.first], len(heads[0])
            begin, end = (head + excerpt.marked[0], head + excerpt.marked[1]) if excerpt.marked else (0, len(row))
            # For an empty cell, the delimiter before it is marked.
            begin -= bool(excerpt.marked) and begin == end
            self._line = QTextCursor(block)
            self._mark(block.position() + _units(row[:begin]), block.position() + _units(row[:end]))
        self._colour()

    def showEvent(self, event: QShowEvent) -> None:
        """Scrolls to the mark; Qt cannot do so before the text is visible."""
        super().showEvent(event)
        self._mark(self.textCursor().selectionStart(), self.textCursor().selectionEnd())

    def _mark(self, begin: int, end: int) -> None:
        """Marks from `begin` to `end`. Scrolls to the end first, then to the beginning, so the beginning stays in
        view."""
        cursor = self.textCursor()
        for anchor, position in ((begin, end), (end, begin)):
            cursor.setPosition(anchor)
            cursor.setPosition(position, QTextCursor.MoveMode.KeepAnchor)
            self.setTextCursor(cursor)
            self.ensureCursorVisible()
        self.centerCursor()

    @property
    def marked(self) -> str:
        """The highlighted line with its number; empty if there is none."""
        return "" if self._line.isNull() else self._line.block().text()

    def changeEvent(self, event: QEvent) -> None:
        """Uses the colours of the new theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and QApplication.instance():
            self._colour()

    def _colour(self) -> None:
        if self._line.isNull():
            self.setExtraSelections([])
            return
        ground = QTextEdit.ExtraSelection()
        ground.cursor = self._line
        ground.format.setBackground(QColor(SHADES[current_theme(running_application())].selected))
        ground.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
        self.setExtraSelections([ground])


def _units(text: str) -> int:
    """The length in Qt's count: UTF-16 units, so some letters count twice."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
