"""Keys in texts by the names they bear on the keyboards of macOS: `Ctrl+Z` is `⌘Z` there, as menus say it."""

from __future__ import annotations

import re
import sys

_MAC = sys.platform == "darwin"
# In the order in which macOS writes them. Qt's Ctrl is the command key there.
_SIGNS = {"Alt": "⌥", "Shift": "⇧", "Umschalt": "⇧", "Ctrl": "⌘", "Strg": "⌘"}
_KEYS = {"Enter": "↩", "Return": "↩", "Eingabe": "↩", "Left": "←", "Links": "←", "Right": "→", "Rechts": "→"}
_MODIFIER = "|".join(_SIGNS)
_COMBINED = re.compile(rf"\b((?:(?:{_MODIFIER})\+)+)(\w+|[^\w\s])")


def native_keys(text: str) -> str:
    """The text with its combinations of keys as this system writes them; unchanged on Windows and Linux."""
    return _COMBINED.sub(_as_on_macos, text) if _MAC and "+" in text else text


def _as_on_macos(match: re.Match[str]) -> str:
    held = match[1].rstrip("+").split("+")
    signs = "".join(dict.fromkeys(sign for name, sign in _SIGNS.items() if name in held))
    return signs + _KEYS.get(match[2], match[2])
