"""Keeps names from files as plain text. Otherwise Qt would read HTML, a keyboard mark or a title mark in them."""

from __future__ import annotations

import re

from PySide6.QtGui import Qt

# Longer words break if there is no room, because a file name may have no blank.
_LONG_WORD = re.compile(r"\S{48}(?=\S)")
_BREAKS = re.compile(r"[\t\r\n\u2028\u2029]+")


def plain_tip(text: str) -> str:
    """The text for a tooltip or a message. Text that looks like HTML (a run may be named `<b>`) is shown as written."""
    return Qt.convertFromPlainText(text) if Qt.mightBeRichText(text) else text


def breakable(text: str) -> str:
    """The text with invisible break points in words of more than 48 letters."""
    return _LONG_WORD.sub("\\g<0>\u200b", text)


def plain_button(text: str) -> str:
    """The text for a button or a menu entry, on one line. An ampersand in a name does not underline a letter, and text
    after a tab is not a shortcut."""
    return _BREAKS.sub(" ", text).replace("&", "&&")


def plain_title(text: str) -> str:
    """The text for a window title, on one line. `[*]` in a name is not a mark of unsaved work."""
    return _BREAKS.sub(" ", text).replace("[*]", "[*][*]")
