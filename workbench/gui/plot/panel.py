"""One panel of a figure on the canvas: its pyqtgraph view box and the layers in it."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF

from workbench.charts.figure import Band, Bars, FloatArray, Line, Look, Points
from workbench.charts.scales import Scales, Span
from workbench.gui.plot.geometry import LegendEntry, PlotPlace, legend_of
from workbench.gui.plot.ink import Ink
from workbench.gui.plot.layers import BandLayer, HeatLayer, LineLayer, plotted

LIT = Look("text")


class PanelView:
    """The layers of one panel and the x range that is in view."""

    def __init__(self, scales: Scales, ink: Ink, heat_limits: dict[str, Span]) -> None:
        self.scales, self.ink = scales, ink
        self._place: PlotPlace | None = None
        self._samples: dict[int, tuple[Line | Points, FloatArray, FloatArray]] = {}
        self.full = (scales.x[0] - scales.origin, scales.x[1] - scales.origin)
        self.full_y = scales.y
        self.zooms = not scales.panel.x.categories and self._has_samples()
        from workbench.gui.plot.box import PlotBox  # the window starts without pyqtgraph

        self.box = PlotBox(self.zooms)
        self.box.setLimits(xMin=self.full[0], xMax=self.full[1], minXRange=(self.full[1] - self.full[0]) / 2000)
        self.box.setRange(xRange=self.full, yRange=scales.y, padding=0)
        self.box.invertY(scales.heatmap is not None)
        self.bands = [BandLayer(ink, mark, scales) for mark in scales.panel.marks if isinstance(mark, Band)]
        self.lines = self._line_layers()
        heat = scales.heatmap
        self.heat = HeatLayer(ink, heat, scales, heat_limits[heat.unit]) if heat is not None else None
        self.lit_layer: LineLayer | None = None
        for layer in self.bands:
            self.box.addItem(layer.item, ignoreBounds=True)
        for line in self.lines:
            self.box.addItem(line.curve, ignoreBounds=True)
        if self.heat is not None:
            self.box.addItem(self.heat.item, ignoreBounds=True)

    def _has_samples(self) -> bool:
        return any(not isinstance(mark, Bars) for mark in self.scales.panel.marks)

    def _line_layers(self) -> list[LineLayer]:
        named: list[Line] = []
        faint: dict[Look, list[Line]] = {}
        for mark in self.scales.panel.marks:
            if isinstance(mark, Line) and mark.vm is not None and not mark.prominent:
                faint.setdefault(mark.look, []).append(mark)
            elif isinstance(mark, Line):
                named.append(mark)
        layers = [LineLayer(self.ink, lines, self.scales, faint=True) for lines in faint.values()]
        return layers + [LineLayer(self.ink, [line], self.scales, faint=False) for line in named]

    @property
    def place(self) -> PlotPlace:
        """The place of the panel. Known only after the view has arranged its panels."""
        if self._place is None:
            raise RuntimeError("The panel has no position yet. Arrange the panels of the view before you paint them.")
        return self._place

    @property
    def placed(self) -> bool:
        """True if the panel has a place in the view."""
        return self._place is not None

    def take_away(self) -> None:
        """Removes the panel from the canvas. It keeps its content until it has a place again."""
        self._place = None
        self.box.hide()

    @property
    def span(self) -> Span:
        """The x range in view, in panel coordinates."""
        low, high = self.box.viewRange()[0]
        return float(low), float(high)

    @property
    def labelled(self) -> list[Line]:
        """The VM lines with their name on the chart."""
        return [m for m in self.scales.panel.marks if isinstance(m, Line) and m.vm and m.prominent]

    @property
    def points(self) -> list[Points]:
        """The dots."""
        return [m for m in self.scales.panel.marks if isinstance(m, Points)]

    @property
    def main_lines(self) -> list[Line]:
        """The lines that do not belong to a single VM."""
        return [m for m in self.scales.panel.marks if isinstance(m, Line) and m.vm is None]

    @property
    def read_lines(self) -> list[Line]:
        """The lines that a read-out shows: the main lines, and the highlighted VM."""
        return self.main_lines + (self.lit_layer.lines if self.lit_layer is not None else [])

    @cached_property
    def entries(self) -> list[LegendEntry]:
        """The entries of the legend, or of the names at the ends of the lines."""
        return legend_of(self.scales.panel)

    @cached_property
    def measured(self) -> bool:
        """True if any bar, line or dot of the panel has a value. Also True if entries are hidden, or if the panel has
        no bars, lines or dots (except over names)."""
        marks = self.scales.panel.marks
        if not marks and self.scales.panel.x.categories:
            return False
        arrays = [_values(m) for m in marks if isinstance(m, Bars | Line | Points)]
        return bool(self.scales.panel.hidden) or not arrays or any(bool(np.isfinite(values).any()) for values in arrays)

    def samples(self, line: Line | Points) -> tuple[FloatArray, FloatArray]:
        """The line (or dots) in panel coordinates, computed once."""
        if id(line) not in self._samples:
            # Keeps a reference to the line next to its samples, so Python does not reuse its id.
            self._samples[id(line)] = (line, *plotted(line, self.scales))
        return self._samples[id(line)][1:]

    def put(self, panel_place: PlotPlace) -> None:
        """Moves the panel to its place."""
        self._place = panel_place
        self.box.show()
        self.box.setGeometry(panel_place.plot)
        # Applied now, because pyqtgraph would do it while painting, and then paint everything again.
        self.box.prepareForPaint()
        self.refresh()

    def set_y(self, span: Span) -> None:
        """Shows this range of y (panel coordinates)."""
        if span == self.scales.y:
            return
        self.scales = replace(self.scales, y=span, y_data=span)
        self.box.setYRange(*span, padding=0)
        for line in [*self.lines, *([] if self.lit_layer is None else [self.lit_layer])]:
            line.set_height(span)

    def refresh(self) -> None:
        """Draws the part that is in view now."""
        if self._place is None:
            return
        wide, tall = self.place.plot.width(), self.place.plot.height()
        for band in self.bands:
            band.refresh(self.span, wide)
        for line in self.lines:
            line.refresh(self.span, (wide, tall))
        if self.lit_layer is not None:
            self.lit_layer.refresh(self.span, (wide, tall))
        if self.heat is not None:
            self.heat.refresh(self.span, (wide, tall))

    def light(self, line: Line | None) -> None:
        """Draws one VM's line over the others, or none."""
        if self.lit_layer is not None:
            self.box.removeItem(self.lit_layer.curve)
            self._samples.pop(id(self.lit_layer.lines[0]), None)
            self.lit_layer = None
        for layer in self.lines:
            # A named VM is dimmed while another is highlighted.
            if layer.lines[0].vm is not None and layer.lines[0].prominent:
                layer.curve.setOpacity(1.0 if line is None or layer.lines[0].vm == line.vm else 0.35)
        if line is not None:
            shown = Line(line.name, line.x, line.y, LIT, vm=line.vm)
            self.lit_layer = LineLayer(self.ink, [shown], self.scales, faint=False, lit=True)
            self.box.addItem(self.lit_layer.curve, ignoreBounds=True)
            self.refresh()

    def pixel(self, x: float, y: float) -> QPointF:
        """The canvas position of a point in panel coordinates."""
        plot, (left, right), (low, high) = self.place.plot, self.span, self.scales.y
        share = (y - low) / (high - low)
        return QPointF(
            plot.left() + (x - left) / (right - left) * plot.width(),
            plot.top() + (1 - share if self.heat is None else share) * plot.height(),
        )

    def x_at(self, pixel: float) -> float:
        """The x (panel coordinates) at a pixel column."""
        left, right = self.span
        return left + (pixel - self.place.plot.left()) / self.place.plot.width() * (right - left)

    def y_at(self, pixel: float) -> float:
        """The y (panel coordinates) at a pixel row of a panel of lines."""
        low, high = self.scales.y
        return high - (pixel - self.place.plot.top()) / self.place.plot.height() * (high - low)

    def over_axis(self, at: QPointF) -> bool:
        """True if a point is over the numbers of the y axis."""
        plot = self.place.plot
        return self.place.card.left() <= at.x() < plot.left() and plot.top() <= at.y() <= plot.bottom()

    def row_at(self, pixel: float) -> int | None:
        """The heatmap row at a pixel row; None outside the heatmap."""
        heat = self.scales.heatmap
        if heat is None or not heat.rows:
            return None
        row = math.floor((pixel - self.place.plot.top()) / self.place.plot.height() * len(heat.rows))
        return row if 0 <= row < len(heat.rows) else None

    def drawn(self, line: Line) -> tuple[FloatArray, FloatArray]:
        """The drawn points of a line that has its own layer."""
        layers = [*self.lines, self.lit_layer] if self.lit_layer is not None else self.lines
        return next((layer.drawn for layer in layers if layer.lines == [line]), self.samples(line))

    def asked(self, x: FloatArray) -> npt.NDArray[np.bool_]:
        """True for each point in view that is in the stretch that is the subject of the figure."""
        low, high = self.span
        focus = self.scales.panel.focus
        if focus is not None:
            low, high = max(low, focus[0] - self.scales.origin), min(high, focus[1] - self.scales.origin)
        chosen: npt.NDArray[np.bool_] = (x >= low) & (x <= high)
        return chosen

    def highest_in_view(self) -> float:
        """The highest value in view within the stretch that is the subject of the figure, in panel coordinates; NaN if
        there is none."""
        highest = math.nan
        edges = [(b.x, b.high) for b in self.bands] + [self.samples(dots) for dots in self.points]
        for x, y in edges + [layer.drawn for layer in self.lines]:
            part = y[self.asked(x)]
            finite = part[np.isfinite(part)]
            if finite.size:
                highest = max(float(finite.max()), -math.inf if math.isnan(highest) else highest)
        return highest

    def vm_near(self, at: QPointF, reach: float = 8.0) -> str | None:
        """The VM whose line passes within `reach` pixels of a point of the canvas; None if no line does."""
        best: tuple[float, str | None] = (reach, None)
        for mark in self.scales.panel.marks:
            if isinstance(mark, Line) and mark.vm and mark.x.size:
                x, y = self.samples(mark)
                value = value_at(x, y, self.x_at(at.x()))
                gap = abs(self.pixel(0, value).y() - at.y()) if math.isfinite(value) else math.inf
                best = min(best, (gap, mark.vm), key=lambda pair: pair[0])
        return best[1]


def _values(mark: Bars | Line | Points) -> FloatArray:
    return mark.values if isinstance(mark, Bars) else mark.reach if isinstance(mark, Line) else mark.y


def value_at(x: FloatArray, y: FloatArray, at: float) -> float:
    """The value of the sample nearest to `at`; NaN if the line does not reach there."""
    if not x.size:
        return math.nan
    index = int(np.searchsorted(x, at))
    near = min((p for p in (index - 1, index) if 0 <= p < x.size), key=lambda p: abs(float(x[p]) - at))
    step = float(np.median(np.diff(x[:200]))) if x.size > 1 else math.inf
    return float(y[near]) if abs(float(x[near]) - at) <= 1.5 * step else math.nan
