"""What of a figure lies at a point, and where it comes from."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF

from workbench.charts.figure import Figure, Heatmap, Line, Look, Source
from workbench.gui.plot.bars import source_at as bar_source
from workbench.gui.plot.panel import PanelView


def vm_at(panel: PanelView, at: QPointF) -> str | None:
    """The VM whose row of the heatmap, or whose line, lies at a point."""
    row = panel.row_at(at.y())
    return panel.scales.heatmap.rows[row] if row is not None and panel.scales.heatmap else panel.vm_near(at)


def line_at(panel: PanelView, at: QPointF, reach: float = 8.0) -> Line | None:
    """The line that passes nearest to a point of the canvas, within `reach` pixels; the upper one where two are as
    near."""
    asides = np.linspace(-reach, reach, 17)
    places = np.array([panel.x_at(at.x() + aside) for aside in asides])
    best: tuple[float, Line | None] = (reach, None)
    for line in [mark for mark in panel.scales.panel.marks if isinstance(mark, Line)]:
        x, y = panel.samples(line)
        inside = (places >= x[0]) & (places <= x[-1]) if x.size else np.zeros(places.size, dtype=np.bool_)
        if not inside.any():
            continue
        rows = [panel.pixel(0, value).y() for value in np.interp(places[inside], x, y).tolist()]
        gaps = np.hypot(asides[inside], np.array(rows) - at.y())
        gap = float(np.nanmin(gaps)) if np.isfinite(gaps).any() else np.inf
        best = (gap, line) if gap <= best[0] else best
    return best[1]


def line_of(figure: Figure, panel: PanelView, vm: str) -> Line | None:
    """The VM's own line, else its row of the heatmap in the same column when both have one unit."""
    for mark in panel.scales.panel.marks:
        if isinstance(mark, Line) and mark.vm == vm:
            return mark
    for other in figure.panels:
        for mark in other.marks:
            fits = other.column == panel.scales.panel.column and isinstance(mark, Heatmap)
            if fits and isinstance(mark, Heatmap) and vm in mark.rows and mark.unit == panel.scales.panel.y.unit:
                middles = (mark.edges[:-1] + mark.edges[1:]) / 2
                return Line(vm, middles, mark.values[mark.rows.index(vm)], Look("text"), vm=vm)
    return None


def source_at(panel: PanelView, at: QPointF, lit: str | None) -> Source | None:
    """Where the bar or the VM at a point comes from; beside every VM the lit one, else the whole column."""
    known = panel.scales.panel.sources
    traces = (known.get(vm) for vm in (vm_at(panel, at), lit, "") if vm is not None)
    return bar_source(panel.place, at) or next((source for source in traces if source), None)
