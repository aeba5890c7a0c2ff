"""The sample of a configuration's look next to its name: colour, dash and marker.

Also draws the small chart of a cell: a dot per run, connected if both neighbours were measured, from 0 to the maximum.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap

from workbench.charts.figure import Look
from workbench.charts.palette import THEMES, ThemeName, colour
from workbench.charts.tables import Spark
from workbench.gui.plot.ink import Ink, draw_sample

WIDTH, HEIGHT = 26, 14
# Drawn larger than shown, so it stays sharp at 200 %.
_SHARP = 3


@lru_cache(maxsize=256)
def look_pixmap(look: Look, theme: ThemeName) -> QPixmap:
    """The sample as an image of `WIDTH` x `HEIGHT` device-independent pixels."""
    drawn, painter = _blank(WIDTH, HEIGHT, _SHARP)
    draw_sample(painter, Ink(theme), look, QRectF(0, 0, WIDTH, HEIGHT))
    painter.end()
    return drawn


def _blank(width: int, height: int, sharp: int) -> tuple[QPixmap, QPainter]:
    """A transparent image of this size, drawn `sharp` times as large as shown, and its painter."""
    drawn = QPixmap(width * sharp, height * sharp)
    drawn.setDevicePixelRatio(sharp)
    drawn.fill(Qt.GlobalColor.transparent)
    painter = QPainter(drawn)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    return drawn, painter


@lru_cache(maxsize=256)
def look_icon(look: Look, theme: ThemeName) -> QIcon:
    """The sample as an icon."""
    return QIcon(look_pixmap(look, theme))


SPARK_WIDTH, SPARK_HEIGHT = 72, 18
# Drawn larger than shown, so it stays sharp at 200 %. A dot needs room at every edge.
_SPARK_SHARP, _EDGE, _DOT = 2, 3.0, 2.0
# More dots than this would touch each other: only the line is drawn.
_DOTS = 16


@lru_cache(maxsize=1024)
def spark_pixmap(spark: Spark, theme: ThemeName) -> QPixmap:
    """The chart as an image of `SPARK_WIDTH` x `SPARK_HEIGHT` device-independent pixels."""
    drawn, painter = _blank(SPARK_WIDTH, SPARK_HEIGHT, _SPARK_SHARP)
    painter.setPen(QPen(QColor(THEMES[theme].line), 1))
    painter.drawLine(QPointF(0, SPARK_HEIGHT - 0.5), QPointF(SPARK_WIDTH, SPARK_HEIGHT - 0.5))
    ink, points = QColor(colour(spark.look, theme)), spark_points(spark)
    painter.setPen(QPen(ink, 1.5))
    for start, end in pairwise(points):
        if start is not None and end is not None:
            painter.drawLine(start, end)
    painter.setBrush(ink)
    for point in points if len(points) <= _DOTS else ():
        if point is not None:
            painter.drawEllipse(point, _DOT, _DOT)
    painter.end()
    return drawn


def spark_points(spark: Spark) -> list[QPointF | None]:
    """The places of the values in the image, None if not measured. A single value is in the middle."""
    count = len(spark.values)
    step = (SPARK_WIDTH - 2 * _EDGE) / (count - 1) if count > 1 else 0.0
    first = _EDGE if count > 1 else SPARK_WIDTH / 2
    height = SPARK_HEIGHT - 2 * _EDGE
    return [
        None
        if value is None
        else QPointF(
            first + place * step, SPARK_HEIGHT - _EDGE - height * (value / spark.top if spark.top > 0 else 0.0)
        )
        for place, value in enumerate(spark.values)
    ]
