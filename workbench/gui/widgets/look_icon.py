"""The sample of a configuration's look next to its name: colour, dash and marker."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap

from workbench.charts.figure import Look
from workbench.charts.palette import ThemeName
from workbench.gui.plot.ink import Ink, draw_sample

WIDTH, HEIGHT = 26, 14
# Drawn larger than shown, so it stays sharp at 200 %.
_SHARP = 3


@lru_cache(maxsize=256)
def look_pixmap(look: Look, theme: ThemeName) -> QPixmap:
    """The sample as an image of `WIDTH` x `HEIGHT` device-independent pixels."""
    drawn = QPixmap(WIDTH * _SHARP, HEIGHT * _SHARP)
    drawn.setDevicePixelRatio(_SHARP)
    drawn.fill(Qt.GlobalColor.transparent)
    painter = QPainter(drawn)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    draw_sample(painter, Ink(theme), look, QRectF(0, 0, WIDTH, HEIGHT))
    painter.end()
    return drawn


@lru_cache(maxsize=256)
def look_icon(look: Look, theme: ThemeName) -> QIcon:
    """The sample as an icon."""
    return QIcon(look_pixmap(look, theme))
