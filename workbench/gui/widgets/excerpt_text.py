"""The text of a file around a line: the line on another ground, its cell marked."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtGui import QColor, QFontDatabase, QTextCursor, QTextFormat
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QTextEdit

from workbench.gui.services.theme import SHADES, current_theme, running_application
from workbench.study.discovery.excerpt import Excerpt


class ExcerptText(QPlainTextEdit):
    """Lines with their numbers; Tab leaves it."""

    def __init__(self) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self._line = QTextCursor()

    def show_lines(self, line: int, excerpt: Excerpt) -> None:
        """Shows the lines with `line` on another ground; its marked cell is selected, ready to be copied."""
        numbers = range(excerpt.first, excerpt.first + len(excerpt.lines))
        wide = len(str(numbers[-1])) if excerpt.lines else 1
        heads = [f"{'>' if number == line else ' '} {number:>{wide}}  " for number in numbers]
        shown = [head + text for head, text in zip(heads, excerpt.lines, strict=True)]
        self.setPlainText("\n".join([*shown, excerpt.note] if excerpt.note else shown))
        self._line = QTextCursor()
        if line in numbers:
            block = self.document().findBlockByNumber(line - excerpt.first)
            ends = excerpt.marked or (-len(heads[0]), -len(heads[0]))
            self._line = QTextCursor(block)
            cursor = QTextCursor(block)
            # Backwards, so that the view is scrolled to the beginning of what is marked.
            cursor.setPosition(block.position() + len(heads[0]) + ends[1])
            cursor.setPosition(block.position() + len(heads[0]) + ends[0], QTextCursor.MoveMode.KeepAnchor)
            self.setTextCursor(cursor)
            self.centerCursor()
        self._colour()

    @property
    def marked(self) -> str:
        """The line that is shown on another ground, with its number; empty where there is none."""
        return "" if self._line.isNull() else self._line.block().text()

    def changeEvent(self, event: QEvent) -> None:
        """Takes the colours of another theme."""
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
