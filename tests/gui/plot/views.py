"""The parts of a view that tests look at."""

from __future__ import annotations

from workbench.gui.plot.panel import PanelView
from workbench.gui.plot.view import FigureView


def panels(view: FigureView) -> list[PanelView]:
    """The view's panels in the order of the figure."""
    return view._panels
