"""Names along an axis: in lines, with a shared word, turned, or only some of them. No name is ever shortened."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache, partial

from PySide6.QtGui import QFont, QFontMetricsF

from workbench.gui.plot.ink import Ink, line_height, text_width, widest

# Flat names have up to four lines, turned ones up to three.
_FLAT, _TURNED = 4, 3
# Turned names that are higher than this many lines are broken into flat lines, if that is possible.
_HIGH = 6
# Letters fill only this share of a line, so lines this close do not touch.
LETTERS = 0.7
# A word without blanks may break after these signs.
_SIGNS = "-_./\\:,;+"
Lines = tuple[str, ...]
# Width of a text in pixels.
Advance = Callable[[str], float]


@dataclass(frozen=True)
class NameGroup:
    """A word that the names of neighbouring categories (`first` to `last`) begin with. This word is written once under
    them."""

    first: int
    last: int
    word: str


@dataclass(frozen=True)
class AxisNames:
    """The lines of each name. A name without room has no lines; the user reads it by pointing at the bar. `turned`
    names read upwards."""

    lines: tuple[Lines, ...] = ()
    groups: tuple[NameGroup, ...] = ()
    turned: bool = False

    def height(self, ink: Ink) -> float:
        """Height in pixels of the names under the plot. One line if there are no names: the axis shows numbers."""
        if self.turned:
            return widest(ink.small, (line for name in self.lines for line in name))
        return (max((len(name) for name in self.lines), default=1) + bool(self.groups)) * line_height(ink.small)


@lru_cache(maxsize=256)
def axis_names(names: Lines, ink: Ink, plot: float, room: float = math.inf) -> AxisNames:
    """The names under a plot of this width, at most `room` pixels high. Tries in this order: all names in lines; a
    shared first word (256, 512 and 1024 MB of one "MCSIO"); turned names; every second, third, … name."""
    slot = plot / max(1, len(names))
    if (flat := _flat(names, ink, slot, room)) is not None:
        return AxisNames(flat)
    groups = _groups(names)
    if groups and all(_group_fits(group, ink, slot) for group in groups):
        grouped = {at for group in groups for at in range(group.first, group.last + 1)}
        short = tuple(name.split(" ", 1)[1] if at in grouped else name for at, name in enumerate(names))
        if (flat := _flat(short, ink, slot, room - line_height(ink.small))) is not None:
            return AxisNames(flat, groups)
    for step in range(1, len(names) + 1):
        # Centred in the room of the name, so no name reaches into its neighbour's room.
        named = tuple(name if at % step == (step - 1) // 2 else "" for at, name in enumerate(names))
        if step > 1 and (flat := _flat(named, ink, slot * step, room)) is not None:
            return AxisNames(flat)
        turned = _turned(named, ink, slot * step, room)
        # File names have no blanks: breaking them after a sign is better than leaving names out, or than turned names
        # that take the height of the plot.
        high = turned is None or AxisNames(turned, turned=True).height(ink) > _HIGH * line_height(ink.small)
        if step == 1 and high and (flat := _flat(names, ink, slot, room, at_signs=True)) is not None:
            return AxisNames(flat)
        if turned is not None:
            return AxisNames(turned, turned=True)
    return AxisNames(((),) * len(names))


def row_names(names: Lines, ink: Ink, wide: float, tall: float) -> tuple[Lines, ...]:
    """The lines of the names next to rows of `tall` pixels; only some names if not all fit."""
    # Thousands of names are measured one by one only if a name is too long for its line.
    advance = _advance(ink)
    lines = [(name,) for name in names] if all(advance(name) <= wide for name in names) else _each(names, advance, wide)
    need = max(map(len, lines), default=1) * line_height(ink.small)
    step = max(1, math.ceil(need * LETTERS / max(tall, 0.1)))
    if step > 1:
        step = math.ceil((need + 0.9 * line_height(ink.small)) / max(tall, 0.1))
    return tuple(line if at % step == 0 else () for at, line in enumerate(lines))


def wrapped(text: str, font: QFont, width: float) -> Lines:
    """The text in as many lines as it needs, none wider than `width`. A wider word is broken, after a sign between
    letters if possible."""
    return _in_lines(text, QFontMetricsF(font).horizontalAdvance, width)


# The columns of a figure name the same VMs.
@lru_cache(maxsize=4)
def _advance(ink: Ink) -> Advance:
    measure = QFontMetricsF(ink.small).horizontalAdvance
    # A Python function as a wrapper: functools reads the documentation of the wrapped function, and Qt takes 30 ms to
    # create it.
    return lru_cache(maxsize=4096)(lambda text: measure(text))


def _each(names: Lines, advance: Advance, width: float) -> list[Lines]:
    """The lines of each name. VM names share a beginning or an end, so each shared part is measured only once."""
    begun = cache(partial(_in_lines, advance=advance, width=width))
    ended = cache(partial(_pieces, advance=advance, width=width))
    each = []
    for name in names:
        first, _, last = name.rpartition(" ")
        # The word after a number may be its unit.
        apart = first and not (first[-1].isdecimal() or first[-1] in ".,")
        each.append(_filled(begun(first), ended(last), advance, width) if apart else begun(name))
    return each


def _in_lines(text: str, advance: Advance, width: float) -> Lines:
    return _filled((), _pieces(text, advance, width), advance, width)


def _filled(begun: Lines, words: list[list[str]], advance: Advance, width: float) -> Lines:
    """Appends these words, each in its pieces, to the lines."""
    lines = [*begun]
    for pieces in words:
        if lines and len(pieces) == 1 and advance(longer := f"{lines[-1]} {pieces[0]}") <= width:
            lines[-1] = longer
        else:
            lines += pieces
    return tuple(lines)


def _pieces(text: str, advance: Advance, width: float) -> list[list[str]]:
    words = _words(text, advance, width)
    return [[word] if advance(word) <= width else _broken(word, advance, width) for word in words]


def _words(text: str, advance: Advance, width: float) -> list[str]:
    # A number stays with its unit if both fit: "MCSIO / 256 MB", "(−7 %)", not "PVS 256 / MB"; but never "2…B".
    words: list[str] = re.findall(r"\(?[−+]?\d[\d.,]*[ \u2009](?:%|[A-Za-z]{1,3}(?![\w-]))[^\s\w]*|\S+", text)
    return [part for word in words for part in ([word] if advance(word) <= width else word.split())]


def _broken(word: str, advance: Advance, width: float) -> list[str]:
    """Splits a word into pieces that fit; the smallest piece is one letter."""
    pieces = []
    while len(word) > 1 and advance(word) > width:
        # Measuring every length of a name of 500 letters would block the interface for seconds.
        fitting = max(1, bisect_right(range(1, len(word)), width, key=lambda n: advance(word[:n])))
        sign = max((n for n in range(1, fitting + 1) if word[n - 1] in _SIGNS), default=0)
        cut = sign if sign > fitting / 2 else fitting
        pieces.append(word[:cut])
        word = word[cut:]
    return [*pieces, word]


def _flat(names: Lines, ink: Ink, slot: float, room: float, *, at_signs: bool = False) -> tuple[Lines, ...] | None:
    """The names in horizontal lines that break between words or, with `at_signs`, after a sign within a word. None if a
    word or a whole name does not fit."""
    wide = slot - ink.px(6)
    lines = tuple(_even(wrapped(name, ink.small, wide), ink, wide) for name in names)
    most = max(map(len, lines), default=0)
    if most > _FLAT or most * line_height(ink.small) > room:
        return None
    advance = QFontMetricsF(ink.small).horizontalAdvance
    words = [word for name in names for word in _words(name, advance, wide)]
    if at_signs:
        pieces = (piece for word in words for piece in _broken(word, advance, wide)[:-1])
        return lines if all(piece[-1] in _SIGNS for piece in pieces) else None
    return lines if widest(ink.small, words) <= wide else None


def _even(lines: Lines, ink: Ink, wide: float) -> Lines:
    """Joins the last two of four lines if they fit into one."""
    last = " ".join(lines[2:])
    return (*lines[:2], last) if len(lines) == _FLAT and text_width(ink.small, last) <= wide else lines


def _turned(names: Lines, ink: Ink, slot: float, room: float) -> tuple[Lines, ...] | None:
    most = min(_TURNED, int((slot - ink.px(3)) // line_height(ink.small)))
    lines = tuple(wrapped(name, ink.small, room) for name in names)
    fits = widest(ink.small, (part for line in lines for part in line)) <= room
    return lines if fits and max(map(len, lines), default=0) <= most else None


def _group_fits(group: NameGroup, ink: Ink, slot: float) -> bool:
    return text_width(ink.small, group.word) <= slot * (group.last - group.first + 1) - ink.px(18)


def _groups(names: Lines) -> tuple[NameGroup, ...]:
    """Groups of neighbours with the same first word. Each name must have more words."""
    words = [name.split(" ", 1)[0].rstrip(",") if " " in name else "" for name in names]
    groups, first = [], 0
    for at in range(1, len(words) + 1):
        if at < len(words) and words[at] == words[first]:
            continue
        if words[first] and at - first > 1:
            groups.append(NameGroup(first, at - 1, words[first]))
        first = at
    return tuple(groups)
