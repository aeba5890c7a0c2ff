"""What stands around the pages, as commands may change it: for another theme, and for larger type."""

from __future__ import annotations

from typing import Protocol

from workbench.charts.palette import ThemeName


class Stage(Protocol):
    """The window with everything in it."""

    def dress(self, theme: ThemeName, scale: float) -> None:
        """Shows the window in a theme, with type of this size."""

    def set_type_scale(self, scale: float) -> None:
        """Makes room for type of this size, 1 for the plain one."""
