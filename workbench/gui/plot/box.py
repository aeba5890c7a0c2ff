"""pyqtgraph's view of one panel, with our meaning of wheel, drag and click."""

from __future__ import annotations

from collections.abc import Callable

import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt


class Box(pg.ViewBox):  # type: ignore[misc]
    """The view of a panel: the wheel zooms x, dragging moves x, a click is signalled."""

    def __init__(self, zooms: bool) -> None:
        super().__init__(enableMenu=False, defaultPadding=0.0, enableMouse=False)
        self.setMouseEnabled(x=zooms, y=False)
        self.disableAutoRange()
        self.clicked: Callable[[QPointF], None] = lambda _: None
        self.dragged: Callable[[object], bool] = lambda _: False

    def wheelEvent(self, event: object, axis: int | None = None) -> None:
        """Zooms around the pointer; the place under it is only right once the last change is taken in."""
        self.prepareForPaint()
        super().wheelEvent(event, axis)

    def mouseDragEvent(self, event: object, axis: int | None = None) -> None:
        """Moves x with the pointer, unless the drag means something else."""
        self.prepareForPaint()
        if self.dragged(event):
            return
        super().mouseDragEvent(event, axis)

    def mouseClickEvent(self, event: object) -> None:
        """Tells where a click was."""
        if event.button() == Qt.MouseButton.LeftButton and not event.double():  # type: ignore[attr-defined]
            event.accept()  # type: ignore[attr-defined]
            self.clicked(event.scenePos())  # type: ignore[attr-defined]
