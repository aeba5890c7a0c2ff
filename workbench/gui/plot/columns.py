"""Areas and lines that go up and down within a pixel, painted one pixel column after the other.

Qt works out every crossing of an edge with a row of pixels, which takes it tens of milliseconds where an edge goes up
and down hundreds of times. What each column of pixels is covered from and to says the same.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QImage, QPainter

from workbench.charts.figure import FloatArray

Pixels = npt.NDArray[np.uint32]


def band_columns(
    x: FloatArray, top: FloatArray, bottom: FloatArray, left: float, right: float, step: float
) -> FloatArray:
    """Rows of (x, top, bottom): what a band covers in each pixel column; all of it in pixels, y downwards.

    Between samples the edges are straight; where several samples share a column their extremes count.
    """
    edges = _edges(x, left, right, step)
    if not edges.size:
        return np.empty((0, 3))
    middles = np.clip((edges[:-1] + edges[1:]) / 2, x[0], x[-1])
    return _with_extremes(x, top, bottom, edges, np.interp(middles, x, top), np.interp(middles, x, bottom))


def line_columns(x: FloatArray, y: FloatArray, left: float, right: float, step: float) -> FloatArray:
    """The same for a line, whose neighbouring columns meet: it covers all between its lowest and its highest point."""
    edges = _edges(x, left, right, step)
    if not edges.size:
        return np.empty((0, 3))
    at = np.interp(np.clip(edges, x[0], x[-1]), x, y)
    return _with_extremes(x, y, y, edges, np.fmin(at[:-1], at[1:]), np.fmax(at[:-1], at[1:]))


def _edges(x: FloatArray, left: float, right: float, step: float) -> FloatArray:
    """The edges of the columns between `left` and `right` that ascending `x` reaches; none of less than two samples."""
    first, last = max(left, float(x[0])) if x.size else left, min(right, float(x[-1])) if x.size else left
    if x.size < 2 or last <= first:
        return np.empty(0)
    return np.arange(math.floor(first / step), math.ceil(last / step) + 1, dtype=np.float64) * step


def _with_extremes(
    x: FloatArray, top: FloatArray, bottom: FloatArray, edges: FloatArray, tops: FloatArray, bottoms: FloatArray
) -> FloatArray:
    """The columns between `edges` from `tops` to `bottoms`, and as far as the samples in them reach."""
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
    """Paints columns (as `band_columns` returns them) on a raster without a transform, as far as they lie in `reach`
    (pixels, downwards). A pixel that is covered in part is painted in part."""
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
    """The pixels of columns that stand `at` places and go from `tops` to `bottoms`."""
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
    """The colour covering 0 to 255 parts of 255 of a pixel, as Qt keeps them: multiplied by their opacity."""
    alpha = np.arange(256) / 255 * colour.alphaF()
    shades = np.zeros(256, np.uint32)
    for part in (1.0, colour.redF(), colour.greenF(), colour.blueF()):
        shades = (shades << np.uint32(8)) + np.round(255 * part * alpha).astype(np.uint32)
    return shades
