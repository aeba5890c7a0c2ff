"""Where the window stands on the screen, as a text that a session keeps."""

from __future__ import annotations

import base64

from PySide6.QtCore import QByteArray
from PySide6.QtWidgets import QWidget


class Layout:
    """Place and size of one top-level widget."""

    def __init__(self, frame: QWidget) -> None:
        self._frame = frame

    @property
    def text(self) -> str:
        """Place and size as Base64."""
        return base64.b64encode(self._frame.saveGeometry().data()).decode()

    def restore(self, text: str) -> None:
        """Gives the widget this place and size; a text that holds none changes nothing."""
        try:
            data = base64.b64decode(text)
        except ValueError:
            return
        if data:
            self._frame.restoreGeometry(QByteArray(data))
