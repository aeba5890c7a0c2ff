"""Draws a Figure: the widget for pages and the picture for exports."""

from workbench.gui.plot.picture import paint_figure, render_figure
from workbench.gui.plot.view import FigureView

__all__ = ["FigureView", "paint_figure", "render_figure"]
