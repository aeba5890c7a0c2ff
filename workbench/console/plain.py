"""Text that came from a file, as a terminal may show it."""

from __future__ import annotations

from workbench.words.numbers import THIN


def printable(text: str) -> str:
    """The text on one line; control characters, which a file may hold to steer a terminal, shown escaped. The thin
    spaces of our own numbers, which Python counts among them, are kept."""
    return "".join(
        char if char.isprintable() or char == THIN else char.encode("unicode_escape").decode() for char in text
    )
