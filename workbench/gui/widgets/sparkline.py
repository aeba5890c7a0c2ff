"""The small chart of a cell: a dot for each run, joined where both neighbours were measured, over 0 to the top."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap

from workbench.charts.palette import THEMES, ThemeName, colour
from workbench.charts.tables import Spark

WIDTH, HEIGHT = 72, 18
# Drawn larger than shown, so that it stays sharp at 200 %; a dot must have room at every edge.
_SHARP, _EDGE, _DOT = 2, 3.0, 2.0
# More dots than this run into each other: the line alone is drawn.
_DOTS = 16


@lru_cache(maxsize=1024)
def spark_pixmap(spark: Spark, theme: ThemeName) -> QPixmap:
    """The picture of `WIDTH` x `HEIGHT` device-independent pixels."""
    drawn = QPixmap(WIDTH * _SHARP, HEIGHT * _SHARP)
    drawn.setDevicePixelRatio(_SHARP)
    drawn.fill(Qt.GlobalColor.transparent)
    painter = QPainter(drawn)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(THEMES[theme].line), 1))
    painter.drawLine(QPointF(0, HEIGHT - 0.5), QPointF(WIDTH, HEIGHT - 0.5))
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
    """Where the values lie in the picture, None where one is not measured; one alone lies in the middle."""
    count = len(spark.values)
    step = (WIDTH - 2 * _EDGE) / (count - 1) if count > 1 else 0.0
    first = _EDGE if count > 1 else WIDTH / 2
    height = HEIGHT - 2 * _EDGE
    return [
        None
        if value is None
        else QPointF(first + place * step, HEIGHT - _EDGE - height * (value / spark.top if spark.top > 0 else 0.0))
        for place, value in enumerate(spark.values)
    ]
