"""Names from files stay plain text where Qt would read them as HTML or as a keyboard mark."""

from __future__ import annotations

from PySide6.QtGui import Qt


def plain_tip(text: str) -> str:
    """The text for a tool tip: one that looks like HTML (a run may be named `<b>`) is shown as it is written."""
    return Qt.convertFromPlainText(text) if Qt.mightBeRichText(text) else text


def plain_button(text: str) -> str:
    """The text for a button: an ampersand in a name underlines no letter."""
    return text.replace("&", "&&")
