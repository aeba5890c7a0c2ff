"""The window as the system knows it: it takes what is dropped, and dresses what opens over it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QChildEvent, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QDialog, QMainWindow, QWidget

from workbench.gui.services.layout import keep_on_screen
from workbench.gui.services.theme import dress


class FrameWindow(QMainWindow):
    """`dropped` has the paths, and whether they are added to what is open: with Ctrl or Shift."""

    dropped = Signal(list, bool)

    def __init__(self) -> None:
        super().__init__()
        self.setAcceptDrops(True)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Takes folders and files."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Hands on what was dropped."""
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        adds = event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
        self.dropped.emit(paths, bool(adds))

    def childEvent(self, event: QChildEvent) -> None:
        """Dresses what opens over the window, dialogs and menus, and keeps it on the screen."""
        super().childEvent(event)
        child = event.child()
        if event.polished() and isinstance(child, QWidget) and child.isWindow():
            dress(child)
            if isinstance(child, QDialog):
                keep_on_screen(child)
