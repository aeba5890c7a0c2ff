"""What stands around the pages, as commands may change it: for a presentation, and for larger type."""

from __future__ import annotations

from typing import Protocol

from workbench.charts.palette import ThemeName


class Stage(Protocol):
    """The screen and everything on it but the page. The shell puts away what an audience need not see."""

    @property
    def cleared(self) -> bool:
        """Whether menus, rail, status line and choosers are put away."""

    @property
    def screen_size(self) -> tuple[int, int]:
        """Width and height of the screen, in pixels."""

    def clear(self, on: bool) -> None:
        """Puts menus, rail, status line and choosers away, or back."""

    def fill_screen(self) -> None:
        """Fills the whole screen."""

    def leave_full_screen(self) -> None:
        """Goes back to the size before `fill_screen`."""

    def entitle(self, title: str, caption: str) -> None:
        """Shows these words over the page."""

    def dress(self, theme: ThemeName, scale: float) -> None:
        """Shows the window in a theme, with type of this size."""

    def set_type_scale(self, scale: float) -> None:
        """Makes room for type of this size, 1 for the plain one."""
