"""The parts of a view that tests check."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from workbench.gui.plot.panel import PanelView
from workbench.gui.plot.view import FigureView


def panels(view: FigureView) -> list[PanelView]:
    """The view's panels in the order of the figure."""
    return view._panels


def move(view: FigureView, at: QPoint, keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """Moves the pointer over the chart with the left button held."""
    viewport = view._canvas.viewport()
    moved = QMouseEvent(
        QEvent.Type.MouseMove,
        QPointF(at),
        QPointF(viewport.mapToGlobal(at)),
        Qt.MouseButton.NoButton,
        Qt.MouseButton.LeftButton,
        keys,
    )
    QApplication.sendEvent(viewport, moved)
