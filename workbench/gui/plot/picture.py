"""A Figure as an image: drawn as on screen, but without a window."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter

from workbench.charts.figure import Figure
from workbench.charts.palette import THEMES, ThemeName
from workbench.gui.plot.view import FigureView

MARGIN = 20


def render_figure(
    figure: Figure, size: tuple[int, int], theme: ThemeName, *, scale: float = 1.0, title: bool = True
) -> QImage:
    """The figure as an image of `size` logical pixels. `scale` 2 doubles the number of pixels in each direction.

    Needs a running QGuiApplication because it draws text.
    """
    image = QImage(round(size[0] * scale), round(size[1] * scale), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(scale)
    image.fill(THEMES[theme].ground)
    painter = QPainter(image)
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
    paint_figure(painter, figure, QRectF(0, 0, *size), theme, title=title)
    painter.end()
    return image


def paint_figure(
    painter: QPainter,
    figure: Figure,
    area: QRectF,
    theme: ThemeName,
    *,
    title: bool = True,
    columns: tuple[int, int] | None = None,
) -> None:
    """Draws the figure into `area` of any painter: an image, an SVG file, a page. `columns` are the first one and the
    number of those to draw (None: as many as fit)."""
    view = FigureView()
    inner = area.adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
    # A widget gets its size only when it is shown, so this widget is shown without a window.
    view.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    view.resize(round(inner.width()), round(inner.height()))
    view.show()
    view.set_theme(theme)
    view.set_show_title(title)
    view.draw_as_picture(columns)
    view.show_figure(figure)
    view.paint_to(painter, inner)
    view.close()
    view.deleteLater()
