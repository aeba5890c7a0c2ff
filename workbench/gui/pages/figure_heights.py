"""How tall a figure has to be so that it can be read, and from which height on it would hold empty space."""

from __future__ import annotations

from collections import Counter

from workbench.charts.figure import Figure
from workbench.gui.plot.geometry import is_read, legend_of
from workbench.gui.plot.rows import rows_height

# As much as Qt lets any widget have.
ANY_PX = 16_777_215
# Below these heights nothing can be read: a panel with its values, what stands around panels, and any figure.
_PANEL_PX, _AROUND_PX, _LEAST_PX = 100, 80, 160
_TITLE_PX, _LEGEND_PX, _FOOTER_PX, _READ_PX, _FLAGS_PX = 26, 40, 30, 22, 17


def least_height(figure: Figure) -> int:
    """Pixels that the panels of a figure need where most of them stand over each other."""
    if figure.in_rows:
        return rows_height(figure)
    columns = Counter(panel.column for panel in figure.panels)
    titled = any(panel.title for panel in figure.panels)
    # Panels side by side are narrow: their legends stand in lines of their own.
    listed = len(columns) > 1 and any(legend_of(panel) for panel in figure.panels)
    # What is said under panels that do not share a scale takes a line, too.
    footed = (len(columns) > 1 and not figure.share_y) or bool(figure.note)
    read = max(Counter(panel.column for panel in figure.panels if is_read(panel)).values(), default=0)
    read_px = read * _READ_PX + bool(read) * _FLAGS_PX
    around = read_px + _AROUND_PX + titled * _TITLE_PX + listed * _LEGEND_PX + footed * _FOOTER_PX
    return max(_LEAST_PX, _PANEL_PX * max(columns.values(), default=1) + around)


def most_height(figure: Figure) -> int:
    """Pixels beyond which a figure would hold empty space: rows have a greatest height."""
    return rows_height(figure, most=True) if figure.in_rows else ANY_PX
