"""pyqtgraph's view of one panel, with the program's handling of wheel, drag and click."""

from __future__ import annotations

from collections.abc import Callable

import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt


class PlotBox(pg.ViewBox):  # type: ignore[misc]
    """The view of a panel: the wheel zooms x, dragging moves x.

    `clicked` is called with the scene position of a click. `dragged` is called with each drag and returns True if it
    used the drag; x then does not move.
    """

    def __init__(self, zooms: bool) -> None:
        super().__init__(enableMenu=False, defaultPadding=0.0, enableMouse=False)
        self.setMouseEnabled(x=zooms, y=False)
        self.disableAutoRange()
        self.clicked: Callable[[QPointF], None] = lambda _: None
        self.dragged: Callable[[object], bool] = lambda _: False

    def wheelEvent(self, event: object, axis: int | None = None) -> None:
        """Zooms around the pointer."""
        # Applies the last range change now. pyqtgraph delays it until it paints, and the pointer needs its x before.
        self.prepareForPaint()
        super().wheelEvent(event, axis)

    def mouseDragEvent(self, event: object, axis: int | None = None) -> None:
        """Moves x with the pointer, unless `dragged` used the drag."""
        self.prepareForPaint()
        if self.dragged(event):
            return
        super().mouseDragEvent(event, axis)

    def mouseClickEvent(self, event: object) -> None:
        """Calls `clicked` for a single click with the left button."""
        if event.button() == Qt.MouseButton.LeftButton and not event.double():  # type: ignore[attr-defined]
            event.accept()  # type: ignore[attr-defined]
            self.clicked(event.scenePos())  # type: ignore[attr-defined]
