"""A small window beside the main one: the text of a file around the line that a problem names, its cell marked."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase, QShowEvent, QTextCursor
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QVBoxLayout, QWidget

from workbench.answers.common.library import Library
from workbench.gui.services.plain import plain_title
from workbench.gui.services.tasks import Tasks
from workbench.gui.services.theme import labelled
from workbench.model.recording import FileReport
from workbench.study.discovery.excerpt import Excerpt, Place, excerpt


def open_excerpt(
    parent: QWidget, tasks: Tasks, library: Library, name: str, message: str, line: int | None, cell: int | None
) -> bool:
    """Opens the window on a line of an opened file, with a cell of it marked where one is given; False where the file
    is not open or there is no line."""
    path = (library.places or {}).get(name)
    if path is None or line is None:
        return False
    report = next((report for report in library.files if report.path == name), FileReport(name))
    place = Place(line, cell, report.encoding, report.delimiter)
    tasks.run(
        "excerpt",
        lambda: excerpt(path, place),
        lambda shown: ExcerptWindow(parent, name, message, line, shown).show(),
        apart=True,
    )
    return True


class ExcerptWindow(QDialog):
    """Lets the main window live; Escape closes it."""

    def __init__(self, parent: QWidget, title: str, message: str, line: int, shown: Excerpt) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("page")
        self.setWindowTitle(plain_title(title))
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
        self._show_lines(line, shown)

    def showEvent(self, event: QShowEvent) -> None:
        """Scrolls to what is marked: first to its end, then to its beginning, which stays in sight."""
        super().showEvent(event)
        cursor = self.text.textCursor()
        begin, end = cursor.selectionStart(), cursor.selectionEnd()
        for anchor, position in ((begin, end), (end, begin)):
            cursor.setPosition(anchor)
            cursor.setPosition(position, QTextCursor.MoveMode.KeepAnchor)
            self.text.setTextCursor(cursor)
            self.text.ensureCursorVisible()

    def _show_lines(self, line: int, shown: Excerpt) -> None:
        numbers = range(shown.first, shown.first + len(shown.lines))
        wide = len(str(numbers[-1])) if shown.lines else 1
        numbered = [
            f"{'>' if number == line else ' '} {number:>{wide}}  {text}"
            for number, text in zip(numbers, shown.lines, strict=True)
        ]
        self.text.setPlainText("\n".join([*numbered, shown.note] if shown.note else numbered))
        if line in numbers:
            block = self.text.document().findBlockByNumber(line - shown.first)
            row = numbered[line - shown.first]
            head = wide + 4
            begin, end = (head + shown.marked[0], head + shown.marked[1]) if shown.marked else (0, len(row))
            cursor = QTextCursor(block)
            # Of an empty cell the delimiter before it is marked.
            cursor.setPosition(block.position() + _units(row[: begin - (begin == end)]))
            cursor.setPosition(block.position() + _units(row[:end]), QTextCursor.MoveMode.KeepAnchor)
            self.text.setTextCursor(cursor)


def _units(text: str) -> int:
    """The length as Qt counts it: some letters are two units of UTF-16."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
