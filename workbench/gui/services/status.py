"""The status line: messages of commands at the bottom of the window. The shell draws it."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from workbench.charts.palette import ThemeName


@runtime_checkable
class StatusLine(Protocol):
    """Sentences for the user, and a bar while an import or export runs."""

    def tell(self, text: str, *, lasts: bool = False) -> None:
        """Shows a message without a bar; an empty message hides the line. If it `lasts`, it stays when the user chooses
        another page or study."""

    def warn(self, text: str) -> None:
        """Shows an important message; it also stays in front of the next message."""

    def begin(self, text: str) -> None:
        """Shows a message and an empty bar."""

    def mention(self, text: str) -> None:
        """Shows a message; a visible bar stays."""

    def fill(self, text: str, share: float) -> None:
        """Shows a message and fills the bar to this share (0 to 1)."""

    def announce_next(self, text: str) -> None:
        """Shows the next content to be opened after the running import; an empty text removes it."""


@runtime_checkable
class Stage(Protocol):
    """The interface of the window for services that restyle all of it."""

    def dress(self, theme: ThemeName, scale: float) -> None:
        """Shows the window in a theme, with this font size."""

    def set_type_scale(self, scale: float) -> None:
        """Makes room for this font scale; 1 is the normal size."""
