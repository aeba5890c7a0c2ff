"""The row under the plots: the overview strip, and the button that shows everything again.

The strip shows the whole of x in small, with a window around the stretch in view.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Literal, overload

import numpy as np
from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPainterPath, QPaintEvent, QPen, QPixmap, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QStackedWidget, QToolButton, QWidget

from workbench.charts.decimate import line_in_view
from workbench.charts.figure import FloatArray, Line, Look, Points, Region
from workbench.charts.scales import Span
from workbench.gui.plot.ink import Ink, draw_halo_text, line_height, text_width
from workbench.gui.plot.panel import PanelView
from workbench.gui.services.assets import icon
from workbench.gui.services.layout import in_row
from workbench.gui.services.theme import labelled
from workbench.gui.services.translation import tr
from workbench.words.numbers import duration

# A figure with less height than this, for the parts around it and for each stacked plot, gets no strip.
_AROUND_PX, _PLOT_PX = 150, 110
# Room before the name of a phase.
_INDENT = 6
# Room over the strip, room between strip and button, and the minimum width of the button.
_OVER_PX, _APART_PX, _ICON_PX = 6, 6, 30
_AROUND_TEXT_PX = 14


class ZoomBar(QWidget):
    """The strip, as wide as the plots above it. To its left: the button while only a part is shown, otherwise the
    length of the whole."""

    def __init__(self) -> None:
        super().__init__()
        self.strip = OverviewStrip()
        # A slider under the figure takes the place of the strip.
        self.slid = False
        self.reset = QToolButton()
        self.reset.setText(tr("Reset zoom"))
        self.reset.setAccessibleName(tr("Reset zoom"))
        self.reset.setToolTip(tr("Show everything (0, or double-click a chart)"))
        self.reset.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.whole, self._words = labelled("", "quiet"), ""
        # The strip must not move while it is dragged, so both share one place.
        self._left = QStackedWidget()
        self._left.addWidget(self.whole)
        self._left.addWidget(self.reset)
        self._row = in_row(self._left, (self.strip, 1), 0, on=self, spacing=_APART_PX)
        self.align(0, 0)
        self.hide()

    @property
    def height_wanted(self) -> int:
        """The height of the row in pixels, 0 if nothing is shown."""
        return 0 if self.isHidden() else _OVER_PX + HEIGHT

    def show_panels(self, panels: Sequence[PanelView], ink: Ink) -> None:
        """Shows an overview of these panels, which share one x axis. Without panels the strip is empty."""
        self.strip.show_panels(panels, ink)
        self.reset.setIcon(icon("reset", ink.theme))
        timed = panels[0].scales.time if panels else False
        length = panels[0].full[1] - panels[0].full[0] if panels else 0.0
        self._words = f"{tr('Overview')}\n{duration(length)}" if timed else tr("Overview")

    def stand(self, area: QRectF, plots: QRectF, margin: float) -> None:
        """Moves to an area. The strip begins this many pixels from its left edge and is as wide as the plots."""
        self.setGeometry(area.adjusted(margin, 0, 0, 0).toRect())
        beside = (plots.left() - margin, area.right() - plots.right()) if plots.width() else (0.0, 0.0)
        self.align(*beside)

    def align(self, left: float, right: float) -> None:
        """Sets the strip's distances: `left` pixels from the row's left edge, `right` from its right edge."""
        room = max(_ICON_PX, round(left) - _APART_PX)
        alone = self.strip.isHidden()
        wide = alone or room >= self._needed
        style = Qt.ToolButtonStyle.ToolButtonTextOnly if wide else Qt.ToolButtonStyle.ToolButtonIconOnly
        self.reset.setToolButtonStyle(style)
        self._left.setFixedWidth(max(room, self._needed) if alone else room)
        self.whole.setText(self._words if room >= self.whole.fontMetrics().horizontalAdvance(self._longest) else "")
        self._row.setContentsMargins(0, _OVER_PX, round(right), 0)
        # Done now, not in the next turn of the event loop: so the strip does not flash at its old position.
        self._row.activate()

    @property
    def _needed(self) -> int:
        return self.reset.fontMetrics().horizontalAdvance(self.reset.text()) + _AROUND_TEXT_PX

    @property
    def _longest(self) -> str:
        return max(self._words.split("\n"), key=len)

    def fit(self, wanted: bool, height: int, zoomed: bool) -> None:
        """Shows the parts that are useful under a figure of this height: the strip if it has room, the button while
        zoomed.
        """
        room = height >= _AROUND_PX + _PLOT_PX * self.strip.stacked
        overview = wanted and not self.slid and self.strip.present and room
        self._left.setCurrentWidget(self.reset if zoomed else self.whole)
        self.strip.setVisible(overview)
        self.setVisible(wanted and (overview or zoomed))


HEIGHT = 44
_REACH = 7.0
# The width of a dot, and the room between the names of the phases and the curves.
_DOT, _BELOW_NAMES = 3.0, 2.0
_MOST_LINES = 12
# The window cannot be dragged shorter than this share of the whole.
_SHORTEST = 1 / 2000
Hold = Literal["low", "high", "middle"]


class OverviewStrip(QWidget):
    """The overview strip. Dragging an edge or the middle of the window moves it, a double-click shows the phase there,
    Ctrl and the wheel zoom. `moved` reports the stretch in panel coordinates."""

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
        self.setAccessibleName(tr("Overview of the whole recording"))
        self.setToolTip(tr("Drag the frame or its edges. Double-click a phase to show it. Ctrl+wheel zooms."))

    def sizeHint(self) -> QSize:
        """A line of fixed height with the full width."""
        return QSize(200, HEIGHT)

    @property
    def present(self) -> bool:
        """True if there is something to show."""
        return bool(self._panels)

    @property
    def stacked(self) -> int:
        """The number of plots stacked in the figure."""
        return 1 + max((panel.scales.row for panel in self._panels), default=0)

    @property
    def window_span(self) -> Span:
        """The stretch inside the window."""
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
        """The pixel column of a place of the panels, or an array of them."""
        low, high = self._full
        return 1 + (place - low) / (high - low) * (self.width() - 2)

    def place_of(self, pixel: float) -> float:
        """The place at a pixel column, limited to the whole stretch."""
        low, high = self._full
        return min(max(low + (pixel - 1) / max(1, self.width() - 2) * (high - low), low), high)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Grabs an edge or the window. A press outside first moves the window to the pointer."""
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
        """Moves the grabbed part; otherwise the cursor shows what can be grabbed."""
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
        """Releases the grabbed part."""
        self._hold = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Shows the phase under the pointer, or everything if there is no phase."""
        self._hold = None
        if not self._panels:
            return
        origin, place = self._panels[0].scales.origin, self.place_of(event.position().x())
        spans = [(region.start - origin, region.end - origin) for region in self._regions]
        low, high = next((span for span in spans if span[0] <= place <= span[1]), self._full)
        self.moved.emit(max(low, self._full[0]), min(high, self._full[1]))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zooms around the pointer with Ctrl; otherwise the page scrolls."""
        if not self._panels or not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            event.ignore()
            return
        place = min(max(self.place_of(event.position().x()), self._in_view[0]), self._in_view[1])
        self.moved.emit(*wheeled(self._in_view, self._full, place, event.angleDelta().y()))
        event.accept()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paints the overview, which is cached as an image, and the window over it."""
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
        painter.end()

    def _hold_at(self, at: float) -> Hold | None:
        low, high = self.x_of(self._in_view[0]), self.x_of(self._in_view[1])
        edges: list[tuple[float, Hold]] = [(abs(at - low), "low"), (abs(at - high), "high")]
        gap, edge = min(edges)
        if gap <= _REACH:
            return edge
        return "middle" if low < at < high else None

    def _paint_overview(self, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for panel in self._panels:
            for dots in panel.points:
                dot = QPen(self._ink.colour(dots.look), _DOT)
                dot.setCapStyle(Qt.PenCapStyle.RoundCap)
                painter.setPen(dot)
                painter.drawPoints(self._dots(panel, dots))
            for x, y, look in _outlines(panel, max(200, self.width())):
                painter.setPen(QPen(self._ink.colour(look, 0.8), 1))
                painter.drawPath(self._path(panel, x, y))
        origin, tall = self._panels[0].scales.origin, line_height(self._ink.small)
        pen = QPen(self._ink.token("quiet", 0.6), 1)
        pen.setDashPattern([2, 3])
        painter.setPen(pen)
        for region in self._regions:
            left = self.x_of(region.start - origin)
            painter.drawLine(QPointF(left, 0), QPointF(left, HEIGHT))
        for left, words in self.names():
            draw_halo_text(painter, self._ink, QPointF(left, tall), words, self._ink.small, "quiet")

    @property
    def band(self) -> float:
        """The height in pixels at the top that the names of the phases have for themselves; 0 without names."""
        return line_height(self._ink.small) + _BELOW_NAMES if self.names() else 0.0

    def names(self) -> list[tuple[float, str]]:
        """The names of the phases, each with the x of its first pixel. A phase whose part in the strip is narrower than
        its name has none."""
        origin = self._panels[0].scales.origin
        parts = [
            (max(self.x_of(region.start - origin), 0.0), self.x_of(region.end - origin), region.words)
            for region in self._regions
        ]
        return [
            (left + _INDENT, words)
            for left, right, words in parts
            if min(right, self.width()) - left > text_width(self._ink.small, words) + _INDENT + 4
        ]

    def rows_of(self, panel: PanelView, y: FloatArray) -> FloatArray:
        """The pixel rows of values of a panel, below the names of the phases."""
        low, high = panel.full_y
        share = (np.clip(np.where(np.isfinite(y), y, low), low, high) - low) / (high - low)
        return HEIGHT - 4 - share * (HEIGHT - 8 - self.band)

    def _dots(self, panel: PanelView, dots: Points) -> list[QPoint]:
        """The pixels of the dots, each once."""
        x, y = panel.samples(dots)
        known = np.isfinite(y)
        pixels = np.stack((self.x_of(x[known]), self.rows_of(panel, y[known])))
        return [QPoint(*pixel) for pixel in np.unique(np.rint(pixels).astype(int), axis=1).T.tolist()]

    def _path(self, panel: PanelView, x: FloatArray, y: FloatArray) -> QPainterPath:
        known = np.isfinite(y)
        columns, lines = self.x_of(x), self.rows_of(panel, y)
        path, joined = QPainterPath(), False
        for at_x, at_y, is_known in zip(columns.tolist(), lines.tolist(), known.tolist(), strict=True):
            if is_known:
                path.lineTo(at_x, at_y) if joined else path.moveTo(at_x, at_y)
            joined = is_known
        return path


def _outlines(panel: PanelView, buckets: int) -> list[tuple[FloatArray, FloatArray, Look]]:
    """The lines that represent a panel, in its coordinates: its main lines, otherwise its VMs' lines."""
    marks = panel.scales.panel.marks
    lines = panel.main_lines or [mark for mark in marks if isinstance(mark, Line)]
    return [(*_thinned(panel, line, buckets), line.look) for line in lines[:_MOST_LINES]]


def _thinned(panel: PanelView, line: Line, buckets: int) -> tuple[FloatArray, FloatArray]:
    if line.extremes is None or panel.scales.x_log or panel.scales.y_log:
        return line_in_view(*panel.samples(line), -math.inf, math.inf, buckets=buckets, limit=4 * buckets)
    x, y = line_in_view(line.x, line.y, -math.inf, math.inf, buckets=buckets, known=line.extremes)
    return x - panel.scales.origin, y


# A notch of a common wheel is 120 Qt units. This many units halve the range, about as fast as pyqtgraph zooms x.
_NOTCH, _HALVE = 120.0, 4.0
_DEEPEST = 1 / 2000


def wheeled(shown: Span, full: Span, at: float, turned: float) -> Span:
    """The range after the wheel has turned by `turned` units (positive: away from the user, zooms in) around `at`.
    Never beyond `full`, never shorter than 1/2000 of it."""
    low, high = shown
    whole = full[1] - full[0]
    wide = (high - low) * 0.5 ** (turned / _NOTCH / _HALVE)
    wide = min(max(wide, whole * _DEEPEST), whole)
    return within(at - (at - low) / (high - low) * wide, wide, full)


def within(low: float, wide: float, full: Span) -> Span:
    """The stretch that begins at `low`, moved into `full`."""
    low = max(full[0], min(low, full[1] - wide))
    return (low, min(full[1], low + wide))


def spans_of(panels: Sequence[PanelView]) -> dict[str, tuple[Span, Span]]:
    """The whole of each x axis and the part in view, by the key of the axis."""
    return {panel.scales.x_key: (panel.full, panel.span) for panel in panels}


def heights_of(panels: Sequence[PanelView]) -> dict[str, tuple[Span, Span]]:
    """The whole of each y axis and the part in view, by the key of the axis."""
    return {panel.scales.y_key: (panel.full_y, panel.scales.y) for panel in panels}


def restore_spans(panels: Sequence[PanelView], before: Mapping[str, tuple[Span, Span]]) -> None:
    """Shows the previous stretch of x again if the whole axis has not changed."""
    for panel in panels:
        full, shown = before.get(panel.scales.x_key, (None, panel.full))
        if full == panel.full:
            panel.box.setXRange(*shown, padding=0)


def restore_heights(panels: Sequence[PanelView], before: Mapping[str, tuple[Span, Span]]) -> None:
    """Zooms y as before if the whole axis has not changed."""
    for panel in panels:
        full, shown = before.get(panel.scales.y_key, (None, panel.full_y))
        if full == panel.full_y and shown != full:
            panel.set_y(shown)
