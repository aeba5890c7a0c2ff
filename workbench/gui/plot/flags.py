"""Flags: notes pinned to moments, a number at the top of a column and a line through its panels."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from workbench.charts.figure import Flag
from workbench.gui.plot.ink import Ink, line_height, text_width
from workbench.gui.plot.panel import PanelView

REACH = 7.0
"""How near, in pixels, the pointer must be to a flag's line to read its note."""


def flags_at(panel: PanelView, pixel: float) -> list[Flag]:
    """The notes whose line passes near a pixel column, in the order of their numbers."""
    low, high = panel.span
    seen = [flag for flag in panel.scales.panel.notes if low <= flag.x - panel.scales.origin <= high]
    return [flag for flag in seen if abs(_place(panel, flag) - pixel) <= REACH]


def flag_at(panel: PanelView, pixel: float) -> Flag | None:
    """The nearest of them."""
    return min(flags_at(panel, pixel), key=lambda flag: abs(_place(panel, flag) - pixel), default=None)


def paint_flags(painter: QPainter, ink: Ink, panel: PanelView) -> None:
    """A line at the moment of each note in view; at the top of the column the number it bears."""
    plot, (low, high) = panel.place.plot, panel.span
    for flag in panel.scales.panel.notes:
        if not low <= flag.x - panel.scales.origin <= high:
            continue
        at = round(_place(panel, flag)) + 0.5
        painter.setPen(QPen(ink.token("accent"), 1))
        painter.drawLine(QPointF(at, plot.top()), QPointF(at, plot.bottom()))
        if panel.scales.row == 0:
            _head(painter, ink, panel, at, str(flag.number))


def _head(painter: QPainter, ink: Ink, panel: PanelView, at: float, number: str) -> None:
    """The flag itself, below the names of the phases; it flies to the left where the panel ends."""
    tall, wide = line_height(ink.strong), text_width(ink.strong, number) + ink.px(10)
    top = panel.place.plot.top() + line_height(ink.small) + ink.px(5)
    left = at if at + wide <= panel.place.plot.right() else at - wide
    area = QRectF(left, top, wide, tall)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ink.token("accent"))
    painter.drawRoundedRect(area, 3, 3)
    painter.setFont(ink.strong)
    painter.setPen(ink.token("on_accent"))
    painter.drawText(area, Qt.AlignmentFlag.AlignCenter, number)


def _place(panel: PanelView, flag: Flag) -> float:
    return panel.pixel(flag.x - panel.scales.origin, 0).x()
