"""Text from files as exported documents hold it: characters to read, none that command."""

from __future__ import annotations

import re

# What XML 1.0 cannot hold, and what would turn the direction of the words around a name.
_FORBIDDEN = re.compile(
    "[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[\u202a-\u202e\u2066-\u2069]"
)


def plain_text(text: str) -> str:
    """The text without control characters, lone surrogates and marks that reorder what stands around them."""
    return _FORBIDDEN.sub("", text)
