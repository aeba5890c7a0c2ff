"""The line around a chart that has the keyboard: its parts cover the chart, so that no style sheet could draw one."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QFocusEvent, QPalette, QRegion
from PySide6.QtWidgets import QWidget

_WIDTH = 2
# A click on a chart shows by itself where the keyboard is.
_SILENT = (Qt.FocusReason.MouseFocusReason, Qt.FocusReason.OtherFocusReason)


class FocusRing(QWidget):
    """Shown while the widget around it has the keyboard, once Tab or a shortcut gave it."""

    def __init__(self, around: QWidget) -> None:
        super().__init__(around)
        self._around = around
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAutoFillBackground(True)
        self.setBackgroundRole(QPalette.ColorRole.Accent)
        self.hide()
        around.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Comes and goes with the keyboard, and is as large as the chart."""
        if isinstance(event, QFocusEvent):
            self.setVisible(event.gotFocus() and event.reason() not in _SILENT)
            self._fit()
        elif event.type() == QEvent.Type.Resize:
            self._fit()
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        whole = self._around.rect()
        self.setGeometry(whole)
        inside = whole.adjusted(_WIDTH, _WIDTH, -_WIDTH, -_WIDTH)
        self.setMask(QRegion(whole).subtracted(QRegion(inside)))
        self.raise_()
