"""Flags: notes at moments, with a number at the top of a column and a line through its panels. Also marks the moment of
a finding.
"""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen

from workbench.charts.figure import Flag, Line, Moment
from workbench.gui.plot.ink import Ink, line_height, text_width
from workbench.gui.plot.layers import plotted
from workbench.gui.plot.panel import PanelView
from workbench.gui.services.translation import said

REACH = 7.0
"""Maximum distance in pixels between the pointer and the line of a flag to show its note."""


def flags_at(panel: PanelView, pixel: float) -> list[Flag]:
    """The notes whose line is near a pixel column, in the order of their numbers."""
    low, high = panel.span
    seen = [flag for flag in panel.scales.panel.notes if low <= flag.x - panel.scales.origin <= high]
    return [flag for flag in seen if abs(_place(panel, flag) - pixel) <= REACH]


def flag_at(panel: PanelView, pixel: float) -> Flag | None:
    """The nearest note, or None."""
    return min(flags_at(panel, pixel), key=lambda flag: abs(_place(panel, flag) - pixel), default=None)


def paint_flags(painter: QPainter, ink: Ink, panel: PanelView) -> None:
    """Draws a line at the moment of each note in view, with the note's number at the top of the column."""
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
    """Draws the flag below the names of the phases. It points to the left at the end of the panel."""
    tall, wide = line_height(ink.strong), text_width(ink.strong, number) + ink.px(10)
    top = panel.place.plot.top() + line_height(ink.small) + ink.px(5)
    left = at if at + wide <= panel.place.plot.right() else at - wide
    _plate(painter, ink, QRectF(left, top, wide, tall), number, ("accent", "on_accent"))


def paint_moments(painter: QPainter, ink: Ink, panel: PanelView) -> None:
    """Draws a line at each moment of a finding in view, or a band over its stretch, with its words at the top."""
    plot, (low, high) = panel.place.plot, panel.span
    for moment in panel.scales.panel.moments:
        ends = [_x(panel, at) for at in (moment.start, moment.start if moment.end is None else moment.end)]
        if ends[1] < low or ends[0] > high:
            continue
        # On whole pixels: a line between two pixels would be grey.
        left, right = (round(panel.pixel(min(max(at, low), high), 0).x()) for at in ends)
        painter.fillRect(QRectF(left, plot.top(), right - left, plot.height()), ink.token("text", 0.08))
        painter.setPen(QPen(ink.token("text"), 2))
        for at, x in zip(dict.fromkeys(ends), dict.fromkeys((left, right)), strict=False):
            if low <= at <= high:
                painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()))
        _moment_words(painter, ink, panel, moment, left)


def _moment_words(painter: QPainter, ink: Ink, panel: PanelView, moment: Moment, at: float) -> None:
    """Draws the words below phase names and note numbers if there are any; left of the line at the panel's end."""
    plot, tall = panel.place.plot, line_height(ink.strong)
    top = plot.top() + 2 + (line_height(ink.small) + ink.px(1)) * bool(panel.scales.panel.regions)
    top += (tall + ink.px(3)) * bool(panel.scales.panel.notes)
    words = QFontMetricsF(ink.strong).elidedText(
        said(moment.words), Qt.TextElideMode.ElideRight, max(0.0, plot.width() - ink.px(12))
    )
    wide = text_width(ink.strong, words) + ink.px(10)
    left = at if at + wide <= plot.right() else max(plot.left(), at - wide)
    above, below = QRectF(left, top, wide, tall), QRectF(left, plot.bottom() - tall - ink.px(3), wide, tall)
    area = below if _has_line(panel, above) and not _has_line(panel, below) else above
    _plate(painter, ink, area, words, ("text", "card"))


def _has_line(panel: PanelView, area: QRectF) -> bool:
    """True if a line of the panel passes through the area."""
    across = [panel.x_at(area.left() + area.width() * part) for part in np.linspace(0, 1, 33)]
    for line in panel.scales.panel.marks:
        if isinstance(line, Line):
            values = np.interp(across, *plotted(line, panel.scales), left=np.nan, right=np.nan)
            heights = (panel.pixel(0, value).y() for value in values)
            if any(area.top() - 3 <= height <= area.bottom() + 3 for height in heights):
                return True
    return False


def _plate(painter: QPainter, ink: Ink, area: QRectF, words: str, tokens: tuple[str, str]) -> None:
    """Draws words on a ground with round corners; `tokens` are the colours of ground and words."""
    ground, colour = tokens
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ink.token(ground))
    painter.drawRoundedRect(area, 3, 3)
    painter.setFont(ink.strong)
    painter.setPen(ink.token(colour))
    painter.drawText(area, Qt.AlignmentFlag.AlignCenter, words)


def _x(panel: PanelView, at: float) -> float:
    """A place on the axis in panel coordinates."""
    if not panel.scales.x_log:
        return at - panel.scales.origin
    return math.log10(at) if at > 0 else -math.inf


def _place(panel: PanelView, flag: Flag) -> float:
    return panel.pixel(flag.x - panel.scales.origin, 0).x()
