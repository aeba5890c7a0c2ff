"""The items that paint a panel's data: lines, and areas between two edges.

Areas and lines that go up and down within a pixel are painted one pixel column after the other. Qt computes every
crossing of an edge with a pixel row, which takes tens of milliseconds if an edge goes up and down hundreds of times.
The covered range of each pixel column gives an equal image.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QImage, QPaintEngine, QPainter, QPainterPath
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

from workbench.charts.figure import FloatArray, Look
from workbench.gui.plot.ink import Ink, scaled_pen


class CurveItem(pg.PlotCurveItem):  # type: ignore[misc]
    """A line. On screen a `rough` line is painted by pixel columns; its x must be ascending."""

    rough = False

    def boundingRect(self) -> QRectF:
        """Everything in view: computing the bounds of the line would take longer than painting it too often."""
        view = self.getViewBox()
        return QRectF(view.viewRect() if view is not None else super().boundingRect())

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Draws the line."""
        if not self.rough or painter.paintEngine().type() != QPaintEngine.Type.Raster:
            pen = self.opts["pen"]
            self.opts["pen"] = scaled_pen(pen, painter)
            super().paint(painter, option, widget)
            self.opts["pen"] = pen
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

    On screen it is painted by pixel columns (see `columns`); vector files get the outline.
    """

    def __init__(self, ink: Ink, look: Look, share: float = 1.0) -> None:
        super().__init__()
        self._fill = ink.colour(look, share * (0.2 if ink.theme == "light" else 0.26))
        self._edges = (np.empty(0), np.empty(0), np.empty(0))
        self._area = QRectF()

    def set_edges(self, x: FloatArray, low: FloatArray, high: FloatArray) -> None:
        """Sets the edges. The area has a gap at a missing value of either edge."""
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
    """The size in pixels of the panel of an item."""
    room: QRectF = item.parentItem().mapRectFromItem(item.getViewBox(), item.getViewBox().rect())
    pixels: QRectF = painter.worldTransform().mapRect(room)
    return pixels


Pixels = npt.NDArray[np.uint32]


def band_columns(
    x: FloatArray, top: FloatArray, bottom: FloatArray, left: float, right: float, step: float
) -> FloatArray:
    """Rows of (x, top, bottom): the range that a band covers in each pixel column. All values in pixels, y downwards.

    Edges are straight between samples. If several samples share a column, their extremes count.
    """
    edges = _edges(x, left, right, step)
    if not edges.size:
        return np.empty((0, 3))
    middles = np.clip((edges[:-1] + edges[1:]) / 2, x[0], x[-1])
    return _with_extremes(x, top, bottom, edges, np.interp(middles, x, top), np.interp(middles, x, bottom))


def line_columns(x: FloatArray, y: FloatArray, left: float, right: float, step: float) -> FloatArray:
    """Like `band_columns`, for a line. Neighbouring columns touch: a column covers all between its lowest and highest
    point."""
    edges = _edges(x, left, right, step)
    if not edges.size:
        return np.empty((0, 3))
    at = np.interp(np.clip(edges, x[0], x[-1]), x, y)
    return _with_extremes(x, y, y, edges, np.fmin(at[:-1], at[1:]), np.fmax(at[:-1], at[1:]))


def _edges(x: FloatArray, left: float, right: float, step: float) -> FloatArray:
    """The edges of the pixel columns between `left` and `right` that ascending `x` reaches. Empty for fewer than two
    samples."""
    first, last = max(left, float(x[0])) if x.size else left, min(right, float(x[-1])) if x.size else left
    if x.size < 2 or last <= first:
        return np.empty(0)
    return np.arange(math.floor(first / step), math.ceil(last / step) + 1, dtype=np.float64) * step


def _with_extremes(
    x: FloatArray, top: FloatArray, bottom: FloatArray, edges: FloatArray, tops: FloatArray, bottoms: FloatArray
) -> FloatArray:
    """The columns between `edges`, from `tops` to `bottoms`, extended to the extremes of their samples."""
    places = np.searchsorted(x, edges)
    starts, ends = places[:-1], places[1:]
    full = ends > starts
    if full.any():
        stop = int(ends[full][-1])
        tops[full] = np.fmin(tops[full], np.fmin.reduceat(top[:stop], starts[full]))
        bottoms[full] = np.fmax(bottoms[full], np.fmax.reduceat(bottom[:stop], starts[full]))
    values = np.stack((edges[:-1], tops, bottoms), axis=1)
    return values[np.isfinite(tops) & np.isfinite(bottoms)]


def paint_columns(painter: QPainter, columns: FloatArray, colour: QColor, reach: tuple[float, float]) -> None:
    """Paints columns (from `band_columns`) on a raster without a transform, inside `reach` (pixels, downwards). A
    partly covered pixel is painted with partial opacity."""
    ratio = painter.device().devicePixelRatioF()
    tops, bottoms = (np.clip(columns[:, edge], *reach) * ratio for edge in (1, 2))
    seen = bottoms > tops
    if not seen.any():
        return
    tops, bottoms, at = tops[seen], bottoms[seen], np.round(columns[seen, 0] * ratio).astype(np.intp)
    left, above = int(at[0]), math.floor(tops.min())
    pixels = _pixels(at - left, tops - above, bottoms - above, _shades(colour))
    tall, wide = pixels.shape
    picture = QImage(pixels.data, wide, tall, 4 * wide, QImage.Format.Format_ARGB32_Premultiplied)
    picture.setDevicePixelRatio(ratio)
    painter.drawImage(QPointF(left / ratio, above / ratio), picture)


def _pixels(at: npt.NDArray[np.intp], tops: FloatArray, bottoms: FloatArray, shades: Pixels) -> Pixels:
    """The pixels of columns at places `at` that reach from `tops` to `bottoms`."""
    tall, wide = math.ceil(bottoms.max()), int(at[-1]) + 1
    first, last = np.zeros(wide, np.int16), np.zeros(wide, np.int16)
    first[at], last[at] = np.ceil(tops), np.floor(bottoms)
    rows = np.arange(tall, dtype=np.int16)[:, None]
    pixels = np.where((rows >= first) & (rows < last), shades[-1], np.uint32(0))
    for row in (np.floor(tops), np.minimum(np.floor(bottoms), tall - 1)):
        covered = np.minimum(row + 1, bottoms) - np.maximum(row, tops)
        pixels[row.astype(np.intp), at] = shades[(255 * covered).astype(np.intp)]
    return pixels


def _shades(colour: QColor) -> Pixels:
    """The colour at 0 to 255 parts of 255 of coverage, in Qt's format: multiplied by the opacity."""
    alpha = np.arange(256) / 255 * colour.alphaF()
    shades = np.zeros(256, np.uint32)
    for part in (1.0, colour.redF(), colour.greenF(), colour.blueF()):
        shades = (shades << np.uint32(8)) + np.round(255 * part * alpha).astype(np.uint32)
    return shades
