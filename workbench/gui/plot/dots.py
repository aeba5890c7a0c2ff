"""Dots: each measured thing by itself, drawn in the marker of its look."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen

from workbench.charts.figure import Look, Points
from workbench.gui.plot.ink import Ink, marker_path
from workbench.gui.plot.panel import PanelView

SIZE = 6.0
CROWD = 400
"""More dots than this in view are drawn smaller and let each other shine through."""
REACH = 12.0
"""How near, in pixels, the pointer must be to a dot's x to read it."""


def paint_dots(painter: QPainter, ink: Ink, panel: PanelView, dots: Points) -> None:
    """Paints the dots whose x is in view."""
    x, y = panel.samples(dots)
    low, high = panel.span
    seen = np.isfinite(y) & (x >= low) & (x <= high)
    if not seen.any():
        return
    plot, (bottom, top) = panel.place.plot, panel.scales.y
    across = plot.left() + (x[seen] - low) / (high - low) * plot.width()
    down = plot.bottom() - (y[seen] - bottom) / (top - bottom) * plot.height()
    draw_dots(painter, ink, dots.look, list(zip(across.tolist(), down.tolist(), strict=True)), ink.share(dots.emphasis))


def draw_dots(
    painter: QPainter, ink: Ink, look: Look, places: Sequence[tuple[float, float]], share: float = 1.0
) -> None:
    """Paints a dot at each place on the canvas (pixels) in a share of its colour; a look without a marker gets
    circles."""
    crowd = len(places) > CROWD
    half = SIZE / 2 * max(1.0, ink.scale * 0.8) * (0.8 if crowd else 1.0)
    path = QPainterPath()
    if look.marker in ("none", "circle"):
        path.addEllipse(QPointF(0, 0), half, half)
    elif look.marker == "square":
        path.addRect(QRectF(-half, -half, 2 * half, 2 * half))
    else:
        path = marker_path(look.marker, half * 1.25)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    colour = ink.colour(look, share * (0.6 if crowd else 0.85))
    lines = look.marker == "cross"
    painter.setPen(QPen(colour, 1.6) if lines else Qt.PenStyle.NoPen)
    painter.setBrush(Qt.BrushStyle.NoBrush if lines else colour)
    for x, y in places:
        painter.translate(x, y)
        painter.drawPath(path)
        painter.translate(-x, -y)
    painter.restore()


def near_dot(panel: PanelView, dots: Points, at: float) -> int | None:
    """The dot whose x is nearest to `at` (the panel's coordinates), None where none is within reach."""
    x, y = panel.samples(dots)
    gaps = np.where(np.isfinite(y), np.abs(x - at), np.inf)
    if not gaps.size or not np.isfinite(gaps.min()):
        return None
    index = int(gaps.argmin())
    low, high = panel.span
    return index if gaps[index] / (high - low) * panel.place.plot.width() <= REACH else None
