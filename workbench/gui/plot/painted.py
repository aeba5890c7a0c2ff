"""What lies over the whole canvas of a figure and is painted by a function."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter
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

    def contains(self, _point: object) -> bool:
        """Nowhere: the pointer belongs to the panels."""
        return False

    def paint(self, painter: QPainter, _option: QStyleOptionGraphicsItem, _widget: QWidget | None = None) -> None:
        """Paints, everywhere: Qt's SVG writer would keep the clip of the panel that was drawn before."""
        painter.setClipRect(self._area)
        self._paint(painter)
