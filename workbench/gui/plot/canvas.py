"""The surface a figure is drawn on: still things once, in the background; data, marks and pointer above.

An item over the whole canvas of a figure, painted by a function.
"""

from __future__ import annotations

from collections.abc import Callable

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget


class Canvas(pg.GraphicsView):  # type: ignore[misc]
    """pyqtgraph's view without its own background; tells where the pointer is and when it leaves."""

    left = Signal()
    resized = Signal()
    double_clicked = Signal(QPointF)

    def __init__(self, parent: QWidget, still: Paint) -> None:
        self._still = still
        # Takes place, turn and whether Shift is held; tells whether the turn of the wheel had a meaning there.
        self.turned: Callable[[QPointF, float, bool], bool] = lambda *_: False
        # Tells whether a turn of the wheel has moved the columns.
        self.moved_columns: Callable[[QWheelEvent], bool] = lambda _: False
        super().__init__(parent, background=None)
        self.setAntialiasing(True)
        self.centralWidget.hide()
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.viewport().setAutoFillBackground(False)
        # What is dropped on a chart belongs to its page or to the window.
        self.setAcceptDrops(False)

    def drawBackground(self, painter: QPainter, _rect: QRectF | QRect) -> None:
        """Paints the still part; Qt keeps it until `resetCachedContent`."""
        painter.save()
        self._still(painter)
        painter.restore()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Tells that there is another size to fill."""
        super().resizeEvent(event)
        self.resized.emit()

    def leaveEvent(self, event: QEvent) -> None:
        """Tells that the pointer has gone."""
        self.left.emit()
        super().leaveEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Tells where a double click was."""
        super().mouseDoubleClickEvent(event)
        self.double_clicked.emit(self.mapToScene(event.position().toPoint()))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Asks what the turn means; else it belongs to the panel under the pointer."""
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
        """Keys belong to the widget around."""
        event.ignore()


Paint = Callable[[QPainter], None]


class Layer(QGraphicsItem):
    """Covers the canvas and calls `paint` to draw on it; higher `depth` lies further in front. Ignores the mouse."""

    def __init__(self, paint: Paint, depth: float) -> None:
        super().__init__()
        self._paint = paint
        self._area = QRectF()
        self.setZValue(depth)
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)

    def set_area(self, area: QRectF) -> None:
        """Sets the area of the canvas, which is painted."""
        self.prepareGeometryChange()
        self._area = area

    def boundingRect(self) -> QRectF:
        """The area of the canvas."""
        return self._area

    def contains(self, _point: object) -> bool:
        """False everywhere: the panels get the pointer, as if this item were not there."""
        return False

    def paint(self, painter: QPainter, _option: QStyleOptionGraphicsItem, _widget: QWidget | None = None) -> None:
        """Draws, clipped to the canvas: else Qt's SVG writer keeps the clip of the panel that was drawn before."""
        painter.setClipRect(self._area)
        self._paint(painter)
