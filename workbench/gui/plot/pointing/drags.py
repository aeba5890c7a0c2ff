"""Dragging on a figure: it zooms to the dragged box, or moves an edge of a phase; with Shift it moves the view."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from workbench.charts.scales import Span
from workbench.gui.plot.ink import Ink
from workbench.gui.plot.panel import PanelView
from workbench.gui.plot.pointing.readout import ReadoutEntry, paint_card

Side = Literal["start", "end"]
# An edge can be grabbed within this many pixels.
REACH = 6.0
# A drag higher than this many pixels is a box; a flatter one is a stretch of x.
_BOX = 30.0
# A shorter drag than this many pixels is a slip of the hand.
_SLIP = 4.0


@dataclass(frozen=True)
class Grip:
    """An edge of a phase under the pointer. `x` is its place in panel coordinates. `run` is the folder of the run that
    owns the phase, empty if the phase belongs to the column."""

    panel: PanelView
    region: str
    side: Side
    x: float
    run: str = ""


@dataclass(frozen=True)
class Chip:
    """The label at a dragged edge: `title` over lines of a name and a value."""

    title: str
    lines: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class _Drag:
    panel: PanelView
    start: float
    now: float
    grip: Grip | None
    top: float = 0.0
    foot: float = 0.0

    @property
    def box(self) -> tuple[float, float] | None:
        """The pixel rows of a box that is high enough to be meant. None if the drag marks a stretch of x."""
        high = abs(self.foot - self.top) >= _BOX and self.panel.heat is None
        return (min(self.top, self.foot), max(self.top, self.foot)) if high and self.grip is None else None


def grip_at(panel: PanelView | None, at: QPointF) -> Grip | None:
    """The edge within reach of a point of the canvas; the nearest if there are two."""
    if panel is None or panel.scales.panel.x.categories:
        return None
    low, high = panel.span
    # A phase that is cut by the edge of the chart does not end there.
    first, last = panel.full
    grips: list[tuple[float, Grip]] = []
    for region in (region for region in panel.scales.panel.regions if not region.within):
        for side, x in _edges(region.start - panel.scales.origin, region.end - panel.scales.origin):
            if low <= x <= high and first < x < last:
                grips.append((abs(panel.pixel(x, 0.0).x() - at.x()), Grip(panel, region.name, side, x, region.run)))
    near = [(gap, grip) for gap, grip in grips if gap <= REACH]
    return min(near, key=lambda pair: pair[0])[1] if near else None


def _edges(start: float, end: float) -> tuple[tuple[Side, float], tuple[Side, float]]:
    return ("start", start), ("end", end)


class Drags:
    """One drag at a time. Calls `zoom(panel, x, y)` (`y` None: all of it) and `move(grip, x, finished)`."""

    def __init__(
        self, zoom: Callable[[PanelView, Span, Span | None], None], move: Callable[[Grip, float, bool], None]
    ) -> None:
        self._zoom, self._move = zoom, move
        self._drag: _Drag | None = None
        self._left_there: _Drag | None = None
        self._given_up = False
        self.edges = False
        self.chip: Chip | None = None

    @property
    def moving_edge(self) -> bool:
        """True while an edge is dragged; the figure must not change meanwhile."""
        return self._drag is not None and self._drag.grip is not None

    def give_up(self) -> None:
        """Cancels the drag. Further movement is ignored until the button is released."""
        self._drag, self.chip, self._given_up = None, None, True

    def settle(self) -> None:
        """Removes the line at a released edge; the new figure shows the edge itself."""
        self._left_there = self.chip = None

    def take(self, panel: PanelView, event: Any) -> bool:
        """Handles a drag event of pyqtgraph. Returns False to leave it to the view box."""
        if event.isStart():
            self._given_up = False
            self.settle()
            grip = grip_at(panel, event.buttonDownScenePos()) if self.edges else None
            shifted = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            zooms = panel.zooms and not shifted
            if event.button() != Qt.MouseButton.LeftButton or not (grip or zooms):
                self._drag = None
                return False
            start = event.buttonDownScenePos()
            self._drag = _Drag(panel, panel.x_at(start.x()), 0.0, grip, start.y())
        if self._given_up:
            event.accept()
            return True
        if self._drag is None:
            return False
        event.accept()
        low, high = panel.full
        now = min(max(panel.x_at(event.scenePos().x()), low), high)
        plot = panel.place.plot
        drag = replace(self._drag, now=now, foot=min(max(event.scenePos().y(), plot.top()), plot.bottom()))
        self._drag = drag
        if event.isFinish():
            self._drag, self._left_there = None, drag if drag.grip is not None else None
        if drag.grip is not None:
            self._move(drag.grip, now, event.isFinish())
        elif event.isFinish() and abs(panel.pixel(now, 0).x() - panel.pixel(drag.start, 0).x()) > _SLIP:
            rows = drag.box
            y = None if rows is None else (panel.y_at(rows[1]), panel.y_at(rows[0]))
            self._zoom(panel, (min(drag.start, now), max(drag.start, now)), y)
        return True

    def paint(self, painter: QPainter, ink: Ink, panels: list[PanelView]) -> None:
        """Draws the stretch to zoom to, or the new place of the edge."""
        drag = self._drag or self._left_there
        if drag is None:
            return
        for panel in panels:
            if panel.scales.x_key != drag.panel.scales.x_key:
                continue
            if drag.grip is None:
                same_y = panel.scales.y_key == drag.panel.scales.y_key
                _paint_stretch(painter, ink, panel, drag, drag.box if same_y else None)
            elif panel.scales.panel.column == drag.panel.scales.panel.column:
                _paint_edge(painter, ink, panel, drag.now)
        if self.chip is not None and drag.panel in panels:
            rows = [ReadoutEntry(name, value) for name, value in self.chip.lines]
            paint_card(painter, ink, drag.panel, drag.now, self.chip.title, rows)


def _paint_stretch(
    painter: QPainter, ink: Ink, panel: PanelView, drag: _Drag, rows: tuple[float, float] | None
) -> None:
    plot = panel.place.plot
    left, right = sorted((panel.pixel(drag.start, 0).x(), panel.pixel(drag.now, 0).x()))
    top, foot = rows or (plot.top(), plot.bottom())
    area = QRectF(left, top, right - left, foot - top).intersected(plot)
    shade = QColor(ink.token("accent"))
    shade.setAlphaF(0.16)
    painter.fillRect(area, shade)
    painter.setPen(QPen(ink.token("accent"), 1))
    painter.drawRect(area)


def _paint_edge(painter: QPainter, ink: Ink, panel: PanelView, x: float) -> None:
    plot = panel.place.plot
    painter.setPen(QPen(ink.token("accent"), 2))
    at = panel.pixel(x, 0).x()
    painter.drawLine(QPointF(at, plot.top()), QPointF(at, plot.bottom()))
