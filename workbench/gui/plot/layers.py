"""The data of one panel as pyqtgraph items, thinned to the points that the current view can show."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPen

from workbench.charts.decimate import LIMIT, band_in_view, block_means, line_in_view, row_peaks, straightened, visible
from workbench.charts.figure import Band, FloatArray, Heatmap, Line, Points
from workbench.charts.scales import Scales, Span, exponents
from workbench.gui.plot.ink import Ink

VM_LINE_ALPHA = 0.3
ROUGH, UNEASY = 6.0, 1.5
"""Maximum vertical path of a line, in panel widths: of a line in full width, and of a line with dashes. Longer lines
are thin or solid, because they would look like noise. Their markers still identify them."""
STRAIGHT = 0.05
"""Minimum distance in pixels from the straight line between its neighbours at which a point is drawn."""
TURNS = 0.25
"""Maximum number of turns of a line per pixel of width. Lines with more turns are painted by pixel columns."""


class LineLayer:
    """One line (or the faint lines of many VMs as one path) and its curve."""

    def __init__(self, ink: Ink, lines: list[Line], scales: Scales, faint: bool, lit: bool = False) -> None:
        from workbench.gui.plot.items import CurveItem  # the window starts without pyqtgraph

        self.lines = lines
        self._known = lines[0].extremes if len(lines) == 1 and not (scales.x_log or scales.y_log) else None
        # A very long line is shifted to the panel's origin when only few of its points are left.
        self._origin = scales.origin if self._known is not None else 0.0
        self.x, self.y = _joined(lines, scales) if self._known is None else (lines[0].x, lines[0].y)
        share = ink.share(lines[0].emphasis)
        pen = ink.pen(lines[0].look, _width(faint, lit, lines[0]), share)
        if faint:
            pen.setColor(ink.colour(lines[0].look, VM_LINE_ALPHA * share))
        self.curve = CurveItem(
            pen=pen, antialias=not faint or len(lines) <= 12, connect="finite", skipFiniteCheck=False
        )
        self.curve.setSegmentedLineMode("on" if (lines[0].look.dash == "solid") and not faint else "off")
        # From front to back: the main content, the highlighted VM, the other VMs.
        depth = 0 if faint else 3 if lines[0].vm is None else 2 if lit else 1
        self.curve.setZValue(depth - 0.5 * (lines[0].look.width > 1))
        self._whole = len(lines) > 1
        # The height in pixels that the points were computed for.
        self._drawn = -1.0
        self._height = scales.y[1] - scales.y[0]
        self._pens, self._pen = (pen, _calm(pen), _thin(pen)), 0
        self._dashed = not faint and lines[0].look.dash != "solid"
        self._is_vm = lines[0].vm is not None

    @property
    def drawn(self) -> tuple[FloatArray, FloatArray]:
        """The points to draw: every peak, but few enough to check on every repaint."""
        return self.curve.getData()  # type: ignore[no-any-return]

    def set_height(self, span: Span) -> None:
        """Sets the range of y that is in view."""
        self._drawn, self._height = -1.0, span[1] - span[0]

    def refresh(self, span: Span, size: tuple[float, float]) -> None:
        """Draws the part in `span` on `size` pixels."""
        if self._whole or (self.x.size <= LIMIT and self._known is None):
            if self._drawn != size[1]:
                self._drawn = size[1]
                tolerance = STRAIGHT * self._height / max(1.0, size[1])
                self.curve.setData(*(self.x, self.y) if self._whole else straightened(self.x, self.y, tolerance))
        else:
            self.curve.setData(*self._thinned(span, max(200, int(size[0]))))
        if self._whole:
            return
        x, y = self.drawn
        steps = np.diff(y[visible(x, *span)])
        chosen = self._pen_for(steps, size)
        if chosen != self._pen:
            self._pen = chosen
            self.curve.setPen(self._pens[chosen])
        turns = int(np.count_nonzero(steps[1:] * steps[:-1] < 0))
        self.curve.rough = turns > TURNS * size[0] and (chosen > 0 or not self._dashed)

    def _pen_for(self, steps: FloatArray, size: tuple[float, float]) -> int:
        if self._dashed and self._is_vm and steps.size > size[0] / 5:
            return 1
        travel = float(np.abs(steps[np.isfinite(steps)]).sum()) / self._height * size[1]
        if travel > ROUGH * size[0]:
            return 2
        return 1 if self._dashed and travel > UNEASY * size[0] else 0

    def _thinned(self, span: Span, buckets: int) -> tuple[FloatArray, FloatArray]:
        low, high = span[0] + self._origin, span[1] + self._origin
        x, y = line_in_view(self.x, self.y, low, high, buckets=buckets, known=self._known)
        return (x - self._origin if self._origin else x), y


def _calm(pen: QPen) -> QPen:
    """The pen without dashes: on a line with a sample at every pixel, dashes look like noise."""
    solid = QPen(pen)
    solid.setStyle(Qt.PenStyle.SolidLine)
    colour = solid.color()
    colour.setAlphaF(0.75 * colour.alphaF())
    solid.setColor(colour)
    return solid


def _thin(pen: QPen) -> QPen:
    """The pen at the width that Qt draws fast. A wide pen takes seconds on long strokes."""
    thin = QPen(pen)
    thin.setWidthF(min(1.0, pen.widthF()))
    thin.setStyle(Qt.PenStyle.SolidLine)
    return thin


def _width(faint: bool, lit: bool, line: Line) -> float:
    if faint:
        return 1.0
    if lit:
        return 1.2
    return (1.0 if line.vm else 1.6) * line.look.width


def _joined(lines: list[Line], scales: Scales) -> tuple[FloatArray, FloatArray]:
    if len(lines) == 1:
        return plotted(lines[0], scales)
    xs, ys = [], []
    for line in lines:
        x, y = plotted(line, scales)
        x, y = line_in_view(x, y, -math.inf, math.inf, buckets=300, limit=600)
        xs.append(np.append(x, np.nan))
        ys.append(np.append(y, np.nan))
    return np.concatenate(xs), np.concatenate(ys)


def plotted(line: Line | Points, scales: Scales) -> tuple[FloatArray, FloatArray]:
    """The line (or dots) in panel coordinates: shifted by its origin, exponents on a logarithmic axis."""
    x = exponents(line.x) if scales.x_log else line.x - scales.origin if scales.origin else line.x
    return x, exponents(line.y) if scales.y_log else line.y


class BandLayer:
    """One band and its area."""

    def __init__(self, ink: Ink, band: Band, scales: Scales) -> None:
        from workbench.gui.plot.items import BandItem  # the window starts without pyqtgraph

        self.band, log = band, scales.y_log
        self.x = exponents(band.x) if scales.x_log else band.x - scales.origin
        # The low edge of a band may be zero while the high edge is not: the band then starts at the axis.
        low = np.where((band.low <= 0) & (band.high > 0), 10.0 ** scales.y[0], band.low) if log else band.low
        self.low, self.high = (exponents(low), exponents(band.high)) if log else (band.low, band.high)
        self.item = BandItem(ink, band.look, ink.share(band.emphasis))
        self.item.setZValue(-1)
        self._drawn = False

    def refresh(self, span: Span, pixels: float) -> None:
        """Draws the part in `span`."""
        buckets = max(200, int(pixels))
        small = self.x.size <= 2 * buckets
        if small and self._drawn:
            return
        reach = span if self.x.size > LIMIT else (-math.inf, math.inf)
        if self._drawn and self.x.size <= LIMIT:
            return
        self.item.set_edges(*band_in_view(self.x, self.low, self.high, *reach, buckets=buckets))
        self._drawn = True


class HeatLayer:
    """One heatmap. Columns thinner than a pixel are averaged; rows thinner than a pixel show their maximum."""

    def __init__(self, ink: Ink, heat: Heatmap, scales: Scales, limits: Span) -> None:
        import pyqtgraph as pg  # the window starts without this module

        self.heat = heat
        edges = exponents(heat.edges) if scales.x_log else heat.edges - scales.origin
        self.edges, self.values = _even(edges, heat.values)
        self.item = pg.ImageItem(axisOrder="row-major")
        self.item.setLookupTable(ink.heat_map().getLookupTable(nPts=256, alpha=False))
        self._limits = limits
        self._factors = (0, 0)

    def refresh(self, span: Span, size: tuple[float, float]) -> None:
        """Draws the image with as many cells as the view has pixels. Moving the view does not redraw it."""
        if not self.values.size:
            return
        bin_width = (self.edges[-1] - self.edges[0]) / self.values.shape[1]
        seen = min(self.values.shape[1], (span[1] - span[0]) / bin_width)
        factors = (math.ceil(seen / max(1.0, size[0])), math.ceil(self.values.shape[0] / max(1.0, size[1])))
        if factors == self._factors:
            return
        self._factors = factors
        cells = row_peaks(block_means(self.values, factors[0]), factors[1])
        low, high = self._limits
        self.item.setImage(cells, autoLevels=False, levels=(low, high if high > low else low + 1))
        # Rows and columns of the last, incomplete block extend past the data; the edge of the view cuts them off.
        self.item.setRect(
            QRectF(self.edges[0], 0, cells.shape[1] * factors[0] * bin_width, cells.shape[0] * factors[1])
        )


def _even(edges: FloatArray, values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The heatmap on bins of equal width. Uneven bins are repeated on a grid as fine as the finest bin."""
    widths = np.diff(edges)
    if widths.size == 0 or np.allclose(widths, widths.mean(), rtol=0.01):
        return edges, values
    count = int(min(4_096, math.ceil((edges[-1] - edges[0]) / max(widths.min(), 1e-9))))
    grid = np.linspace(edges[0], edges[-1], count + 1)
    places = np.clip(np.searchsorted(edges, (grid[:-1] + grid[1:]) / 2, side="right") - 1, 0, widths.size - 1)
    return grid, values[:, places]
