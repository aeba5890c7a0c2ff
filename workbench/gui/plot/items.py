"""What a panel's data is painted by: areas between two edges, and lines."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPaintEngine, QPainter, QPainterPath
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

from workbench.charts.figure import FloatArray, Look
from workbench.gui.plot.columns import band_columns, line_columns, paint_columns
from workbench.gui.plot.ink import Ink


class CurveItem(pg.PlotCurveItem):  # type: ignore[misc]
    """A line, which on screen is painted by columns where it is `rough`: its x is then ascending."""

    rough = False

    def boundingRect(self) -> QRectF:
        """All that is in view: looking for the line's own bounds takes longer than painting it too often."""
        view = self.getViewBox()
        return QRectF(view.viewRect() if view is not None else super().boundingRect())

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Draws the line."""
        if not self.rough or painter.paintEngine().type() != QPaintEngine.Type.Raster:
            super().paint(painter, option, widget)
            return
        view, room, pen = painter.worldTransform(), _room(self, painter), self.opts["pen"]
        x, y = self.getData()
        x, y = view.m11() * x + view.dx(), view.m22() * y + view.dy()
        columns = line_columns(x, y, room.left(), room.right(), 1 / painter.device().devicePixelRatioF())
        columns[:, 1:] += (-pen.widthF() / 2, pen.widthF() / 2)
        painter.resetTransform()
        paint_columns(painter, columns, pen.color(), (room.top(), room.bottom()))


class BandItem(pg.GraphicsObject):  # type: ignore[misc]
    """A filled area between two edges.

    On screen it is painted by columns (see `columns`); vector files get the outline.
    """

    def __init__(self, ink: Ink, look: Look, share: float = 1.0) -> None:
        super().__init__()
        self._fill = ink.colour(look, share * (0.2 if ink.theme == "light" else 0.26))
        self._edges = (np.empty(0), np.empty(0), np.empty(0))
        self._area = QRectF()

    def set_edges(self, x: FloatArray, low: FloatArray, high: FloatArray) -> None:
        """Takes the edges; where either is missing the area has a gap."""
        self.prepareGeometryChange()
        finite = np.isfinite(low) & np.isfinite(high)
        self._edges = (x, np.where(finite, low, np.nan), np.where(finite, high, np.nan))
        self._area = QRectF()
        if finite.any():
            bottom, top = float(low[finite].min()), float(high[finite].max())
            self._area = QRectF(float(x[0]), bottom, float(x[-1] - x[0]), top - bottom)
        self.update()

    def boundingRect(self) -> QRectF:
        """The area in data units."""
        return self._area

    def paint(self, painter: QPainter, _option: QStyleOptionGraphicsItem, _widget: QWidget | None = None) -> None:
        """Fills the area."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if painter.paintEngine().type() != QPaintEngine.Type.Raster:
            painter.fillPath(self._outline(), self._fill)
            return
        view, room = painter.worldTransform(), _room(self, painter)
        x, low, high = self._edges
        x, top, bottom = view.m11() * x + view.dx(), view.m22() * high + view.dy(), view.m22() * low + view.dy()
        columns = band_columns(x, top, bottom, room.left(), room.right(), 1 / painter.device().devicePixelRatioF())
        painter.resetTransform()
        paint_columns(painter, columns, self._fill, (room.top(), room.bottom()))

    def _outline(self) -> QPainterPath:
        x, low, high = self._edges
        path = QPainterPath()
        finite = np.isfinite(low)
        turns = np.flatnonzero(np.diff(np.concatenate(([False], finite, [False])).astype(np.int8)))
        for start, stop in turns.reshape(-1, 2):
            part = slice(start, stop)
            outline_x = np.concatenate((x[part], x[part][::-1]))
            outline_y = np.concatenate((high[part], low[part][::-1]))
            path.addPath(pg.arrayToQPath(outline_x, outline_y, connect="all", finiteCheck=False))
        return path


def _room(item: pg.GraphicsObject, painter: QPainter) -> QRectF:
    """The pixels that the panel of an item has for it."""
    room: QRectF = item.parentItem().mapRectFromItem(item.getViewBox(), item.getViewBox().rect())
    pixels: QRectF = painter.worldTransform().mapRect(room)
    return pixels
