"""The zoom of a figure that is drawn again: where x and y stood, by their axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from workbench.charts.scales import Span
from workbench.gui.plot.panel import PanelView


def spans_of(panels: Sequence[PanelView]) -> dict[str, tuple[Span, Span]]:
    """The whole of each x axis and the part in view, by its key."""
    return {panel.scales.x_key: (panel.full, panel.span) for panel in panels}


def heights_of(panels: Sequence[PanelView]) -> dict[str, tuple[Span, Span]]:
    """The whole of each y axis and the part in view, by its key."""
    return {panel.scales.y_key: (panel.full_y, panel.scales.y) for panel in panels}


def restore_spans(panels: Sequence[PanelView], before: Mapping[str, tuple[Span, Span]]) -> None:
    """Shows the stretch of x that was in view, where the whole of it is what it was."""
    for panel in panels:
        full, shown = before.get(panel.scales.x_key, (None, panel.full))
        if full == panel.full:
            panel.box.setXRange(*shown, padding=0)


def restore_heights(panels: Sequence[PanelView], before: Mapping[str, tuple[Span, Span]]) -> None:
    """Zooms y as it was, where the whole of it is what it was."""
    for panel in panels:
        full, shown = before.get(panel.scales.y_key, (None, panel.full_y))
        if full == panel.full_y and shown != full:
            panel.set_y(shown)
