"""Texts on a slide: without invalid characters, and in the largest size that fits.

PowerPoint shrinks a text only after somebody edits it, so the size is chosen here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from workbench.exporters.texts import line_count, line_height, plain_text, unbroken
from workbench.words.numbers import THIN

# Thin and no-break spaces stay, because they keep numbers and units together.
_SPACES = re.compile("[ \t\n\r\v\f\x85\u2028\u2029]+")
# Lines may break at a thin space, but not at this one.
_NARROW_NO_BREAK = "\u202f"
# No text on a slide is longer. PowerPoint slows down long before its own limits.
MAX_TEXT = 4_000
# The share of its width in which a text is wrapped: without Calibri, another font is up to a quarter wider.
SUBSTITUTE = 0.78


def clean(text: str) -> str:
    """The text on one line, without control characters and others that XML does not allow. Intervals do not break."""
    return unbroken(_SPACES.sub(" ", plain_text(text)).strip())


def clean_lines(text: str) -> str:
    """Like `clean`, for a text of several lines."""
    return "\n".join(clean(line) for line in text.splitlines()).strip()


def shortened(text: str, most: int) -> str:
    """The text cut to `most` characters with an ellipsis; unchanged if it fits."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


@dataclass(frozen=True, slots=True)
class Fitted:
    """A text with its size in points; `cut` if not all of it fits even in the smallest size."""

    text: str
    size: float
    lines: int
    cut: bool = False


def fitted(
    text: str, width: float, height: float, sizes: tuple[float, ...], bold: bool = False, most: int = 0
) -> Fitted:
    """The text in the largest of `sizes` (points, descending) whose lines fit `width` x `height` inches and are at most
    `most`, if that is given."""
    words = shortened(clean(text), MAX_TEXT).replace(THIN, _NARROW_NO_BREAK)
    cut = len(clean(text)) > MAX_TEXT
    for size in sizes:
        count = line_count(words, width, size, bold)
        if count <= min(most or count, _lines(height, size)):
            return Fitted(words, size, count, cut)
    lines = min(most or MAX_TEXT, _lines(height, sizes[-1]))
    return Fitted(_cut(words, width, lines, sizes[-1], bold), sizes[-1], lines, True)


def _lines(height: float, size: float) -> int:
    return max(1, int(height / line_height(size) + 1e-6))


def _cut(text: str, width: float, lines: int, size: float, bold: bool) -> str:
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        fits = line_count(shortened(text, middle), width, size, bold) <= lines
        low, high = (middle, high) if fits else (low, middle - 1)
    return _whole_words(text, shortened(text, max(low, 1)))


def _whole_words(text: str, cut: str) -> str:
    """The cut text without the beginning of a word at its end; unchanged if half of it would be lost."""
    kept = cut.removesuffix("…")
    if (
        kept == cut
        or text[len(kept) : len(kept) + 1] in ("", " ")
        or len(words := kept.rpartition(" ")[0]) < len(kept) / 2
    ):
        return cut
    return f"{words.rstrip(' ,;:(')}…"
