"""An item over the whole canvas of a figure that a function paints."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

Paint = Callable[[QPainter], None]


class Layer(QGraphicsItem):
    """Covers the canvas and calls `paint` to draw on it. A higher `depth` is further in front. Ignores the mouse."""

    def __init__(self, paint: Paint, depth: float) -> None:
        super().__init__()
        self._paint = paint
        self._area = QRectF()
        self.setZValue(depth)
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)

    def set_area(self, area: QRectF) -> None:
        """Sets the area of the canvas to paint."""
        self.prepareGeometryChange()
        self._area = area

    def boundingRect(self) -> QRectF:
        """The area of the canvas."""
        return self._area

    def contains(self, _point: object) -> bool:
        """Always False, so the panels get the pointer."""
        return False

    def paint(self, painter: QPainter, _option: QStyleOptionGraphicsItem, _widget: QWidget | None = None) -> None:
        """Draws, clipped to the canvas. Without this, Qt's SVG writer keeps the clip of the previous panel."""
        painter.setClipRect(self._area)
        self._paint(painter)
