"""A scroll area that tells when the window leaves it more room or less."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QScrollArea


class ScrollRoom(QScrollArea):
    """What is scrolled; `resized` tells when the window leaves it more or less."""

    resized = Signal()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Tells it."""
        super().resizeEvent(event)
        self.resized.emit()
