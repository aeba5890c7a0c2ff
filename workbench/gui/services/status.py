"""The status line: what commands say at the bottom of the window. The shell draws it."""

from __future__ import annotations

from typing import Protocol

from workbench.charts.palette import ThemeName


class StatusLine(Protocol):
    """Sentences for the user, and a bar while an import or export runs."""

    def tell(self, text: str, *, lasts: bool = False) -> None:
        """Shows a message and no bar; an empty one hides the line. If it `lasts`, it stays when another page or study
        is chosen."""

    def warn(self, text: str) -> None:
        """Shows what must not be missed: it also stands before the next message."""

    def begin(self, text: str) -> None:
        """Shows a message and an empty bar."""

    def mention(self, text: str) -> None:
        """Shows a message; a bar that is shown stays."""

    def fill(self, text: str, share: float) -> None:
        """Shows a message, and the bar filled to this share (0 to 1)."""


class Stage(Protocol):
    """The window with everything in it."""

    def dress(self, theme: ThemeName, scale: float) -> None:
        """Shows the window in a theme, with type of this size."""

    def set_type_scale(self, scale: float) -> None:
        """Makes room for type of this size, 1 for the plain one."""
