"""The overview strip: the whole of x in small, with a window around the stretch in view."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, overload

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPainterPath, QPaintEvent, QPen, QPixmap, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.charts.decimate import line_in_view
from workbench.charts.figure import FloatArray, Line, Look, Region
from workbench.charts.scales import Span
from workbench.gui.plot.ink import Ink, draw_halo_text, line_height, text_width
from workbench.gui.plot.panel import PanelView
from workbench.gui.plot.zooming.wheel import wheeled, within
from workbench.gui.services.translation import tr

HEIGHT = 44
_REACH = 7.0
_MOST_LINES = 12
# A window is not dragged shorter than this share of the whole.
_SHORTEST = 1 / 2000
Hold = Literal["low", "high", "middle"]


class Strip(QWidget):
    """Dragging an edge or the middle of the window moves it, a double click shows the phase there, Ctrl and the wheel
    zoom; `moved` tells the stretch in the coordinates of the panels."""

    moved = Signal(float, float)

    def __init__(self) -> None:
        super().__init__()
        self._panels: list[PanelView] = []
        self._ink = Ink("light")
        self._in_view: Span = (0.0, 1.0)
        self._hold: Hold | None = None
        self._from = 0.0
        self._picture: QPixmap | None = None
        self.setMouseTracking(True)
        self.setFixedHeight(HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Overview of the whole time"))
        self.setToolTip(tr("Drag the window or its edges; double-click on a phase shows it; Ctrl+wheel zooms"))

    def sizeHint(self) -> QSize:
        """A line of fixed height that takes all the width there is."""
        return QSize(200, HEIGHT)

    @property
    def present(self) -> bool:
        """Whether there is something to show."""
        return bool(self._panels)

    @property
    def stacked(self) -> int:
        """How many plots stand over each other in the figure."""
        return 1 + max((panel.scales.row for panel in self._panels), default=0)

    @property
    def window_span(self) -> Span:
        """The stretch that the window is around."""
        return self._in_view

    def show_panels(self, panels: Sequence[PanelView], ink: Ink) -> None:
        """Shows an overview of these panels, which share one x axis."""
        self._panels, self._ink, self._picture = list(panels), ink, None
        if panels:
            self._in_view = panels[0].span
        self.update()

    def set_window(self, span: Span) -> None:
        """Moves the window around a stretch."""
        if span != self._in_view:
            self._in_view = span
            self.update()

    @property
    def _full(self) -> Span:
        return self._panels[0].full

    @property
    def _regions(self) -> list[Region]:
        return [region for region in self._panels[0].scales.panel.regions if not region.within]

    @overload
    def x_of(self, place: float) -> float: ...

    @overload
    def x_of(self, place: FloatArray) -> FloatArray: ...

    def x_of(self, place: float | FloatArray) -> float | FloatArray:
        """The pixel column of a place of the panels, or of each of several."""
        low, high = self._full
        return 1 + (place - low) / (high - low) * (self.width() - 2)

    def place_of(self, pixel: float) -> float:
        """The place under a pixel column, inside the whole."""
        low, high = self._full
        return min(max(low + (pixel - 1) / max(1, self.width() - 2) * (high - low), low), high)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Takes hold of an edge or of the window; beside it the window comes to the pointer first."""
        if event.button() != Qt.MouseButton.LeftButton or not self._panels:
            return
        at = event.position().x()
        self._hold = self._hold_at(at)
        low, high = self._in_view
        if self._hold is None:
            self._hold = "middle"
            low = within(self.place_of(at) - (high - low) / 2, high - low, self._full)[0]
            self.moved.emit(low, low + high - self._in_view[0])
        self._from = self.place_of(at) - low

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Moves what is held, else shows what can be."""
        if not self._panels:
            return
        at = event.position().x()
        if self._hold is None:
            shapes = {"middle": Qt.CursorShape.OpenHandCursor, None: Qt.CursorShape.ArrowCursor}
            self.setCursor(shapes.get(self._hold_at(at), Qt.CursorShape.SplitHCursor))
            return
        low, high = self._in_view
        least = (self._full[1] - self._full[0]) * _SHORTEST
        place = self.place_of(at)
        if self._hold == "middle":
            low, high = within(place - self._from, high - low, self._full)
        elif self._hold == "low":
            low = min(place, high - least)
        else:
            high = max(place, low + least)
        self.moved.emit(low, high)

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        """Lets go."""
        self._hold = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Shows the phase under the pointer, where there is none everything."""
        self._hold = None
        if not self._panels:
            return
        origin, place = self._panels[0].scales.origin, self.place_of(event.position().x())
        spans = [(region.start - origin, region.end - origin) for region in self._regions]
        low, high = next((span for span in spans if span[0] <= place <= span[1]), self._full)
        self.moved.emit(max(low, self._full[0]), min(high, self._full[1]))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """With Ctrl zooms around the pointer; else the page scrolls."""
        if not self._panels or not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            event.ignore()
            return
        place = min(max(self.place_of(event.position().x()), self._in_view[0]), self._in_view[1])
        self.moved.emit(*wheeled(self._in_view, self._full, place, event.angleDelta().y()))
        event.accept()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The overview, kept as a picture, and the window over it."""
        if not self._panels:
            return
        ratio = self.devicePixelRatioF()
        if self._picture is None or self._picture.size() != self.size() * ratio:
            self._picture = QPixmap(self.size() * ratio)
            self._picture.setDevicePixelRatio(ratio)
            self._picture.fill(self._ink.token("card"))
            painter = QPainter(self._picture)
            self._paint_overview(painter)
            painter.end()
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._picture)
        self._paint_window(painter)
        painter.end()

    def _hold_at(self, at: float) -> Hold | None:
        low, high = self.x_of(self._in_view[0]), self.x_of(self._in_view[1])
        edges: list[tuple[float, Hold]] = [(abs(at - low), "low"), (abs(at - high), "high")]
        gap, edge = min(edges)
        if gap <= _REACH:
            return edge
        return "middle" if low < at < high else None

    def _paint_window(self, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        low, high = self.x_of(self._in_view[0]), self.x_of(self._in_view[1])
        for left, right in ((1.0, low), (high, self.width() - 1.0)):
            painter.fillRect(QRectF(left, 1, right - left, HEIGHT - 2), self._ink.token("ground", 0.65))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self._ink.token("line"), 1))
        painter.drawRoundedRect(QRectF(0.5, 0.5, self.width() - 1, HEIGHT - 1), 4, 4)
        painter.setPen(QPen(self._ink.token("accent"), 1.5))
        painter.drawRoundedRect(QRectF(low, 1, max(2.0, high - low), HEIGHT - 2), 3, 3)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._ink.token("accent"))
        for edge in (low, high):
            painter.drawRoundedRect(QRectF(edge - 2.5, HEIGHT / 2 - 8, 5, 16), 2, 2)

    def _paint_overview(self, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for panel in self._panels:
            for x, y, look in _outlines(panel, max(200, self.width())):
                painter.setPen(QPen(self._ink.colour(look, 0.8), 1))
                painter.drawPath(self._path(panel, x, y))
        origin, tall = self._panels[0].scales.origin, line_height(self._ink.small)
        for region in self._regions:
            left, right = self.x_of(region.start - origin), self.x_of(region.end - origin)
            pen = QPen(self._ink.token("quiet", 0.6), 1)
            pen.setDashPattern([2, 3])
            painter.setPen(pen)
            painter.drawLine(QPointF(left, 0), QPointF(left, HEIGHT))
            if right - left > text_width(self._ink.small, region.name) + 10:
                draw_halo_text(painter, self._ink, QPointF(left + 6, tall), region.name, self._ink.small, "quiet")

    def _path(self, panel: PanelView, x: FloatArray, y: FloatArray) -> QPainterPath:
        low, high = panel.full_y
        known = np.isfinite(y)
        share = (np.clip(np.where(known, y, low), low, high) - low) / (high - low)
        columns, lines = self.x_of(x), HEIGHT - 4 - share * (HEIGHT - 8)
        path, joined = QPainterPath(), False
        for at_x, at_y, is_known in zip(columns.tolist(), lines.tolist(), known.tolist(), strict=True):
            if is_known:
                path.lineTo(at_x, at_y) if joined else path.moveTo(at_x, at_y)
            joined = is_known
        return path


def _outlines(panel: PanelView, buckets: int) -> list[tuple[FloatArray, FloatArray, Look]]:
    """The lines that stand for a panel, in its coordinates: its own, else those of its VMs, else through its dots."""
    marks = panel.scales.panel.marks
    lines = panel.main_lines or [mark for mark in marks if isinstance(mark, Line)]
    outlines = [(*_thinned(panel, line, buckets), line.look) for line in lines[:_MOST_LINES]]
    for dots in [] if outlines else panel.points:
        x, y = panel.samples(dots)
        order = np.argsort(x)
        outlines.append((x[order], y[order], dots.look))
    return outlines


def _thinned(panel: PanelView, line: Line, buckets: int) -> tuple[FloatArray, FloatArray]:
    if line.extremes is None or panel.scales.x_log or panel.scales.y_log:
        return line_in_view(*panel.samples(line), -math.inf, math.inf, buckets=buckets, limit=4 * buckets)
    x, y = line_in_view(line.x, line.y, -math.inf, math.inf, buckets=buckets, known=line.extremes)
    return x - panel.scales.origin, y
