"""A line of plain text that goes on in further lines where it has no room; nothing of it is cut."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QLabel, QSizePolicy


class WrappedLabel(QLabel):
    """As wide as its place, and as high as its text is there."""

    def __init__(self, role: str) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", role)
        self.setWordWrap(True)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    @property
    def full(self) -> str:
        """All of the text."""
        return self.text()

    def show_text(self, text: str) -> None:
        """Shows `text`; without any the label takes no line."""
        if text:
            self.setText(text)
        else:
            # Qt gives an empty text that followed another one a line.
            self.clear()

    def lines(self, width: int) -> int:
        """How many lines the text takes on so many pixels."""
        self.ensurePolished()
        metrics = QFontMetrics(self.font())
        height = metrics.boundingRect(0, 0, width, 10_000, Qt.TextFlag.TextWordWrap, self.text()).height()
        return round(height / metrics.lineSpacing())

    def width_of_text(self) -> int:
        """Pixels that the text takes on one line."""
        self.ensurePolished()
        return QFontMetrics(self.font()).horizontalAdvance(self.text()) + 2

    def minimumSizeHint(self) -> QSize:
        """One line: a layout asks the height for the width it gives."""
        return QSize(0, QFontMetrics(self.font()).height())
