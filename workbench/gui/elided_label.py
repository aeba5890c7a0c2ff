"""A label that is cut with … where room is short."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy

from workbench.gui.plain import plain_tip


class ElidedLabel(QLabel):
    """One line of plain text that is cut with … when the window is narrow; the tip has it whole."""

    def __init__(self, role: str) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", role)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.full = ""

    def show_text(self, text: str) -> None:
        """Shows `text`, as much of it as fits."""
        self.full = text
        self.setToolTip(plain_tip(text))
        self._elide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cuts anew."""
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        metrics = QFontMetrics(self.font())
        self.setText(metrics.elidedText(self.full, Qt.TextElideMode.ElideRight, max(0, self.width())))
