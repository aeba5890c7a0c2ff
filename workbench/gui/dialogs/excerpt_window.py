"""A small window beside the main one: the text of a file around the line that a problem names."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from workbench.gui.services.theme import labelled
from workbench.gui.widgets.excerpt_text import ExcerptText
from workbench.study.discovery.excerpt import Excerpt


class ExcerptWindow(QDialog):
    """Lets the main window live; Escape closes it."""

    def __init__(self, parent: QWidget, title: str, message: str, line: int, excerpt: Excerpt) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("page")
        self.setWindowTitle(title)
        self.resize(900, 480)
        self.text = ExcerptText()
        self.text.setAccessibleName(f"Text of {title}")
        message_label = labelled(message)
        message_label.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 14)
        column.addWidget(message_label)
        column.addWidget(self.text, 1)
        self.text.show_lines(line, excerpt)
