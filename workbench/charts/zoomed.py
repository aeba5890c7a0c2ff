"""A figure as it was zoomed to: for exports of what is looked at."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from workbench.charts.decimate import visible
from workbench.charts.figure import Band, Figure, Heatmap, Line, Mark, Panel, Points


def zoomed(figure: Figure, span: tuple[float, float]) -> Figure:
    """The figure over the stretch `span` of x alone (units of its x axes); panels over categories stay whole.

    A line keeps one sample on each side, so that it runs to the edges as on screen.
    """
    return replace(figure, panels=tuple(_panel(panel, span) for panel in figure.panels))


def _panel(panel: Panel, span: tuple[float, float]) -> Panel:
    if panel.x.categories:
        return panel
    marks = tuple(_cut(mark, span) for mark in panel.marks)
    return replace(panel, x=replace(panel.x, limits=span), marks=marks)


def _cut(mark: Mark, span: tuple[float, float]) -> Mark:
    if isinstance(mark, Line):
        part = visible(mark.x, *span)
        return replace(mark, x=mark.x[part], y=mark.y[part], extremes=None)
    if isinstance(mark, Band):
        part = visible(mark.x, *span)
        return replace(mark, x=mark.x[part], low=mark.low[part], high=mark.high[part])
    if isinstance(mark, Points):
        inside = (mark.x >= span[0]) & (mark.x <= span[1])
        names = tuple(name for name, kept in zip(mark.names, inside, strict=True) if kept) if mark.names else ()
        return replace(mark, x=mark.x[inside], y=mark.y[inside], names=names)
    if isinstance(mark, Heatmap):
        first = max(0, int(np.searchsorted(mark.edges, span[0], side="right")) - 1)
        last = min(mark.edges.size - 1, int(np.searchsorted(mark.edges, span[1], side="left")))
        if last <= first:
            return mark
        return replace(mark, edges=mark.edges[first : last + 1], values=mark.values[:, first:last])
    return mark
