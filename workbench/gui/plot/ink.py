"""Colours, pens and fonts of a drawn figure, from the tokens of one theme."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetricsF,
    QImage,
    QPaintEngine,
    QPainter,
    QPainterPath,
    QPen,
    QPolygonF,
    QTransform,
)

from workbench.charts.figure import Emphasis, Look
from workbench.charts.palette import EMPHASIS, THEMES, ThemeName, colour
from workbench.gui.services.assets import ui_font

if TYPE_CHECKING:
    import pyqtgraph as pg

DASHES: dict[str, list[float] | None] = {
    "solid": None,
    "dash": [5.0, 3.0],
    "dot": [1.2, 2.6],
    "dash-dot": [6.0, 2.6, 1.2, 2.6],
}
_WIDE = 0.7
# The size of an image of a pattern: Qt repeats patterns after eight pixels.
_TILE_PX = 8
_HEAT_START = {"light": 0.05, "dark": 0.07}
"""The start of the colours of the heatmap, as a share of its scale. The first colour would be invisible on the light
card, and darker than the dark card."""


@dataclass(frozen=True)
class Ink:
    """Draws in a theme. `scale` enlarges text and spacing (1.6 for presentations)."""

    theme: ThemeName
    scale: float = 1.0
    small: QFont = field(init=False)
    plain: QFont = field(init=False)
    strong: QFont = field(init=False)
    title: QFont = field(init=False)
    question: QFont = field(init=False)

    def __post_init__(self) -> None:
        """Creates the five font sizes once."""
        for name, size, weight in (
            ("small", 8.5, QFont.Weight.Normal),
            ("plain", 9.0, QFont.Weight.Normal),
            ("strong", 8.5, QFont.Weight.DemiBold),
            ("title", 10.5, QFont.Weight.DemiBold),
            ("question", 16.0, QFont.Weight.Bold),
        ):
            object.__setattr__(self, name, ui_font(size * self.scale, weight))

    def px(self, length: float) -> float:
        """Converts a length of the design to pixels."""
        return round(length * self.scale)

    def token(self, name: str, alpha: float = 1.0) -> QColor:
        """A token of the palette (`card`, `text`, …) with an opacity from 0 to 1."""
        made = QColor(getattr(THEMES[self.theme], name))
        made.setAlphaF(alpha)
        return made

    def colour(self, look: Look, alpha: float = 1.0) -> QColor:
        """The colour of a look with an opacity from 0 to 1."""
        made = QColor(colour(look, self.theme))
        made.setAlphaF(alpha)
        return made

    def share(self, emphasis: Emphasis) -> float:
        """The share of its colour that a bar keeps, from 0 to 1."""
        return EMPHASIS[self.theme][emphasis]

    def pen(self, look: Look, width: float = 1.5, share: float = 1.0) -> QPen:
        """A pen in a share of the look's colour with the look's dashes. Its width does not change with the zoom."""
        # With a wide line, a narrow line crossing it stays visible.
        pen = QPen(self.colour(look, share * (_WIDE if look.width > 1 else 1.0)), width * max(1.0, self.scale * 0.8))
        pen.setCosmetic(True)
        pen.setJoinStyle(Qt.PenJoinStyle.BevelJoin)
        dashes = DASHES[look.dash]
        if dashes:
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            # Qt counts dashes in line widths.
            pen.setDashPattern([length / look.width for length in dashes])
        return pen

    def heat_map(self) -> pg.ColorMap:
        """The sequential colour map of the theme, without the end that looks like the card."""
        return _heat_map(self.theme)

    def hatch(self) -> QBrush:
        """The brush for values that were not measured."""
        return QBrush(self.token("quiet", 0.55), Qt.BrushStyle.BDiagPattern)


@cache
def _heat_map(theme: ThemeName) -> pg.ColorMap:
    import pyqtgraph as pg  # the window starts without this module

    whole = pg.colormap.get(THEMES[theme].heat_map)
    stops = [i / 15 for i in range(16)]
    start = _HEAT_START[theme]
    return pg.ColorMap(stops, whole.map([start + (1 - start) * s for s in stops], mode="byte"))


@contextmanager
def clipped(painter: QPainter, area: QRectF | QPainterPath) -> Iterator[None]:
    """Draws only inside `area` until the block ends.

    The clip is removed explicitly: Qt's SVG writer does not notice that `restore` removes it.
    """
    path = QPainterPath()
    path.addRect(area) if isinstance(area, QRectF) else path.addPath(area)
    before = painter.clipPath() if painter.hasClipping() else None
    painter.save()
    painter.setClipPath(path, Qt.ClipOperation.IntersectClip)
    yield
    painter.restore()
    if before is not None:
        painter.setClipPath(before)


def text_width(font: QFont, text: str) -> float:
    """Width of `text` in pixels."""
    return QFontMetricsF(font).horizontalAdvance(text)


def widest(font: QFont, texts: Iterable[str]) -> float:
    """Width of the widest text in pixels, 0 for none. The font is looked up once for all."""
    return max(map(QFontMetricsF(font).horizontalAdvance, texts), default=0.0)


def widest_up_to(font: QFont, texts: Iterable[str], most: float) -> float:
    """Like `widest`, but stops at the first text of at least `most` pixels: with thousands of names that are too long,
    one is enough."""
    advance, wide = QFontMetricsF(font).horizontalAdvance, 0.0
    for text in texts:
        wide = max(wide, advance(text))
        if wide >= most:
            break
    return wide


def line_height(font: QFont) -> float:
    """Height of one line of text in pixels."""
    return QFontMetricsF(font).height()


def draw_marker(painter: QPainter, ink: Ink, look: Look, at: QPointF, size: float = 6.5) -> None:
    """Draws one marker in the look's colour. A ring in the card's colour keeps it visible on any line."""
    if look.marker == "none":
        return
    half = size / 2 * max(1.0, ink.scale * 0.8)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(ink.token("card"), 1.2))
    painter.setBrush(ink.colour(look))
    if look.marker == "circle":
        painter.drawEllipse(at, half, half)
    elif look.marker == "square":
        painter.drawRect(QRectF(at.x() - half, at.y() - half, 2 * half, 2 * half))
    elif look.marker == "cross":
        painter.setPen(QPen(ink.colour(look), 1.8))
        for sign in (1, -1):
            painter.drawLine(QPointF(at.x() - half, at.y() - sign * half), QPointF(at.x() + half, at.y() + sign * half))
    else:
        painter.drawPolygon(_outline(look.marker, at, half * 1.25))
    painter.restore()


def _outline(marker: str, at: QPointF, half: float) -> QPolygonF:
    if marker == "triangle":
        corners = [(0.0, -half), (half, half * 0.8), (-half, half * 0.8)]
    else:
        corners = [(0.0, -half), (half, 0.0), (0.0, half), (-half, 0.0)]
    return QPolygonF([QPointF(at.x() + dx, at.y() + dy) for dx, dy in corners])


def marker_path(marker: str, half: float) -> QPainterPath:
    """The outline of a triangle, diamond or cross around (0, 0)."""
    path = QPainterPath()
    if marker == "cross":
        for sign in (1, -1):
            path.moveTo(-half * 0.8, -sign * half * 0.8)
            path.lineTo(half * 0.8, sign * half * 0.8)
        return path
    path.addPolygon(_outline(marker, QPointF(0, 0), half))
    path.closeSubpath()
    return path


def scaled_pen(pen: QPen, painter: QPainter) -> QPen:
    """The pen of `Ink.pen` as wide on a screen at 200 % as on others. Qt counts its width in pixels of the device."""
    made = QPen(pen)
    made.setWidthF(pen.widthF() * painter.device().devicePixelRatioF())
    return made


def scaled_brush(brush: QBrush, painter: QPainter) -> QBrush:
    """The brush with a pattern as coarse on a screen at 200 % as on others. Qt draws patterns in pixels of the
    device, but enlarges images."""
    ratio = painter.device().devicePixelRatioF()
    times = round(ratio)
    if times <= 1:
        return brush
    tile = QImage(_TILE_PX, _TILE_PX, QImage.Format.Format_ARGB32_Premultiplied)
    tile.fill(Qt.GlobalColor.transparent)
    drawing = QPainter(tile)
    drawing.fillRect(tile.rect(), brush)
    drawing.end()
    made = QBrush(tile)
    # Whole pixels, because dots of 1.5 pixels would differ.
    made.setTransform(QTransform.fromScale(times / ratio, times / ratio))
    return made


def draw_sample(painter: QPainter, ink: Ink, look: Look, at: QRectF) -> None:
    """Draws the look as in a legend: a piece of its line with its dash and its marker."""
    painter.setPen(scaled_pen(ink.pen(look, 2.0 * look.width), painter))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    middle = round(at.center().y()) + 0.0
    painter.drawLine(QPointF(at.left(), middle), QPointF(at.right(), middle))
    draw_marker(painter, ink, look, QPointF(at.center().x(), middle), 7.0)


def draw_ground(painter: QPainter, ink: Ink, area: QRectF) -> None:
    """Draws the background of a row with words. A row without words has no background, because it would look like an
    empty bar.
    """
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ink.token("ground"))
    painter.drawRoundedRect(area, 4, 4)


def draw_halo_text(painter: QPainter, ink: Ink, at: QPointF, text: str, font: QFont, token: str = "text") -> None:
    """Draws text over data. A halo in the card's colour keeps it readable on any line."""
    if not text.strip():
        return
    painter.setFont(font)
    ring = ink.token("card", 0.85)
    if painter.paintEngine().type() == QPaintEngine.Type.Raster:
        # Drawing the glyphs eight times takes less than a tenth of one outline, and this runs in every frame.
        painter.setPen(ring)
        for dx, dy in ((-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, 1), (-1, 1), (1, -1)):
            painter.drawText(at + QPointF(dx, dy), text)
    else:
        # In .svg and .pdf the words occur once, so search and screen readers find them.
        outline = QPainterPath()
        outline.addText(at, font, text)
        pen = QPen(ring, 2.4)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.strokePath(outline, pen)
    painter.setPen(ink.token(token))
    painter.drawText(at, text)
