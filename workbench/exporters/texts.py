"""Text for exported documents: without control characters, and with its size in inches.

Widths are those of Calibri as shares of the font size, a little too wide: another font of the user's template is rarely
wider.
"""

from __future__ import annotations

import re

from workbench.words.translated import spoken

# Characters that XML 1.0 does not allow, and those that would change the direction of the words around a name.
_FORBIDDEN = re.compile(
    "[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[\u202a-\u202e\u2066-\u2069]"
)


def plain_text(text: str) -> str:
    """The text in the language of the document, without control characters, lone surrogates, and marks that reorder the
    text around them."""
    return allowed(spoken(text))


def allowed(text: str) -> str:
    """The text without these characters, otherwise unchanged."""
    return _FORBIDDEN.sub("", text)


# An interval or a range with its unit.
_ENDS = re.compile("\\[[^][A-Za-z]+\\](?:\u2009[^ ,;.]+)?|(?:range|Spanne) [^ ]+ (?:to|bis) [^ ,;]+")
_UNBROKEN = str.maketrans({" ": "\u00a0", "\u2009": "\u202f"})


def unbroken(text: str) -> str:
    """The text with no-break spaces inside intervals and ranges: `[−9.7, −4.2] %` stays on one line."""
    return _ENDS.sub(lambda found: found[0].translate(_UNBROKEN), text)


_NARROW, _WIDE = frozenset("iljtf.,:;'|!()[] \u00a0\u2009\u202f"), frozenset("mwMW%@—→")
_POINTS_PER_INCH = 72
_LINE = 1.2


def text_width(text: str, size: float, bold: bool = False) -> float:
    """Width in inches of the text on one line, at this size in points."""
    return sum(map(_share, text)) * size * (1.06 if bold else 1.0) / _POINTS_PER_INCH


def line_count(text: str, width: float, size: float, bold: bool = False) -> int:
    """Number of lines of the text when wrapped at words; a word longer than a line is broken."""
    lines, used = 1, 0.0
    space = text_width(" ", size, bold)
    for word in text.split(" "):
        wide = text_width(word, size, bold)
        if used and used + space + wide > width:
            lines, used = lines + 1, 0.0
        used += wide + (space if used else 0.0)
        if used > width:
            extra = int(used // width)
            lines, used = lines + extra, used - extra * width
    return lines


def line_height(size: float) -> float:
    """Height in inches of one line of text at this size in points."""
    return size * _LINE / _POINTS_PER_INCH


def _share(char: str) -> float:
    if char in _NARROW:
        return 0.30
    if char in _WIDE:
        return 0.86
    if ord(char) > 0x2E7F:
        return 1.0
    return 0.62 if char.isupper() else 0.52
