"""The surface that a figure is drawn on: still parts are painted once, in the background; data, marks and pointer are
above.
"""

from __future__ import annotations

from collections.abc import Callable

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QToolTip, QWidget

from workbench.gui.plot.painted import Paint
from workbench.gui.services.plain import plain_tip


class Canvas(pg.GraphicsView):  # type: ignore[misc]
    """pyqtgraph's view without its background. It reports where the pointer is and when it leaves."""

    left = Signal()
    resized = Signal()
    double_clicked = Signal(QPointF)

    def __init__(self, parent: QWidget, still: Paint) -> None:
        self._still = still
        # Arguments: place, turn, and True if Shift is held. Returns True if the turn had an effect at this place.
        self.turned: Callable[[QPointF, float, bool], bool] = lambda *_: False
        # Returns True if a turn of the wheel has moved the columns.
        self.moved_columns: Callable[[QWheelEvent], bool] = lambda _: False
        # Returns the tooltip at a place.
        self.tip_at: Callable[[QPointF], str] = lambda _: ""
        super().__init__(parent, background=None)
        self.setAntialiasing(True)
        self.centralWidget.hide()
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.viewport().setAutoFillBackground(False)
        # The page or the window handles files that are dropped on a chart.
        self.setAcceptDrops(False)

    def drawBackground(self, painter: QPainter, _rect: QRectF | QRect) -> None:
        """Paints the still part; Qt caches it until `resetCachedContent`."""
        painter.save()
        self._still(painter)
        painter.restore()

    def viewportEvent(self, event: QEvent) -> bool:
        """Shows the tooltip at the pointer."""
        if isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), plain_tip(self.tip_at(self.mapToScene(event.pos()))), self.viewport())
            return True
        return bool(super().viewportEvent(event))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Reports the new size."""
        super().resizeEvent(event)
        self.resized.emit()

    def leaveEvent(self, event: QEvent) -> None:
        """Reports that the pointer has left."""
        self.left.emit()
        super().leaveEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Checks if the turn of the wheel has an effect here; otherwise the panel under the pointer gets it."""
        super().mouseDoubleClickEvent(event)
        self.double_clicked.emit(self.mapToScene(event.position().toPoint()))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Asks if the turn of the wheel has a meaning here; otherwise the panel under the pointer gets it."""
        if self.moved_columns(event):
            event.accept()
            return
        turn = event.angleDelta().y() or event.angleDelta().x()
        shifted = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if turn and self.turned(self.mapToScene(event.position().toPoint()), turn, shifted):
            event.accept()
            return
        super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leaves keys to the widget around."""
        event.ignore()
