"""What of a figure lies at a point, and where it comes from."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF

from workbench.charts.figure import Line, Source
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


def source_at(panel: PanelView, at: QPointF, lit: str | None) -> Source | None:
    """Where the bar or the VM at a point comes from; beside every VM the lit one, else the whole column."""
    known = panel.scales.panel.sources
    traces = (known.get(vm) for vm in (vm_at(panel, at), lit, "") if vm is not None)
    return bar_source(panel.place, at) or next((source for source in traces if source), None)
