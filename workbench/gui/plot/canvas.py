"""The surface a figure is drawn on: still things once, in the background; data, marks and pointer above."""

from __future__ import annotations

from collections.abc import Callable

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QWheelEvent
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

Paint = Callable[[QPainter], None]


class Layer(QGraphicsItem):
    """An item as large as the canvas that paints by one function and takes no mouse."""

    def __init__(self, paint: Paint, depth: float) -> None:
        super().__init__()
        self._paint = paint
        self._area = QRectF()
        self.setZValue(depth)
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)

    def set_area(self, area: QRectF) -> None:
        """Takes the canvas' size."""
        self.prepareGeometryChange()
        self._area = area

    def boundingRect(self) -> QRectF:
        """The whole canvas."""
        return self._area

    def contains(self, point: object) -> bool:
        """Nowhere: the pointer belongs to the panels."""
        return False

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Paints."""
        self._paint(painter)


class Canvas(pg.GraphicsView):  # type: ignore[misc]
    """pyqtgraph's view without its own background; tells where the pointer is and when it leaves."""

    left = Signal()
    reset = Signal()

    def __init__(self, parent: QWidget, still: Paint) -> None:
        self._still = still
        super().__init__(parent, background=None)
        self.setAntialiasing(True)
        self.centralWidget.hide()
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.viewport().setAutoFillBackground(False)

    def drawBackground(self, painter: QPainter, rect: QRectF) -> None:
        """Paints the still part; Qt keeps it until `resetCachedContent`."""
        painter.save()
        self._still(painter)
        painter.restore()

    def set_ground(self, colour: QColor) -> None:
        """The colour behind the cards."""
        self.setBackgroundBrush(colour)
        self.resetCachedContent()

    def leaveEvent(self, event: QEvent) -> None:
        """Tells that the pointer has gone."""
        self.left.emit()
        super().leaveEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zooms; Qt would scroll the page as well when the wheel is passed on."""
        super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keys belong to the widget around."""
        event.ignore()
