"""Names from files stay plain text where Qt would read them as HTML, as a keyboard mark or as a mark of its own."""

from __future__ import annotations

import re

from PySide6.QtGui import Qt

# Longer words are broken where there is no room for them: a file's name has no blank.
_LONG_WORD = re.compile(r"\S{48}(?=\S)")
_BREAKS = re.compile(r"[\t\r\n\u2028\u2029]+")


def plain_tip(text: str) -> str:
    """The text for a tool tip or a message: one that looks like HTML (a run may be named `<b>`) is shown as it is
    written."""
    return Qt.convertFromPlainText(text) if Qt.mightBeRichText(text) else text


def breakable(text: str) -> str:
    """The text with places, seen by nobody, at which words of more than 48 letters may break into lines."""
    return _LONG_WORD.sub("\\g<0>\u200b", text)


def plain_button(text: str) -> str:
    """The text for a button or an entry of a menu, on one line: an ampersand in a name underlines no letter, and what
    stands behind a tab in it is no shortcut."""
    return _BREAKS.sub(" ", text).replace("&", "&&")


def plain_title(text: str) -> str:
    """The text for the title of a window, on one line: `[*]` in a name is no mark of unsaved work."""
    return _BREAKS.sub(" ", text).replace("[*]", "[*][*]")
