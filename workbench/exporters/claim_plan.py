"""The layout of a native chart for a finding: plot area, end of the axis, bracket and words.

All positions are inches from the upper left corner of the chart, so shapes over the chart fit its bars. As in the
window (gui/plot/claim), the bracket goes from the baseline to the bar of the finding, and its words are in free space.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property

from workbench.answers.common.storyboard import Switches
from workbench.charts.claim import BarClaim, ClaimBar
from workbench.charts.figure import Look
from workbench.charts.ticks import DASH
from workbench.exporters.texts import line_count, line_height, text_width

# Inches: title of the chart, value axis with numbers and title, margin, widest bar.
_TITLE, _AXIS, _EDGE, _WIDEST_BAR = 0.5, 0.8, 0.06, 1.25
_BAR_SHARE, _ASIDE = 0.56, 0.16
# Strength of the bar's colour in the part that was removed.
_TAKEN = 0.09
# Size of the change relative to the values; larger in a wide chart.
_LARGE, _LARGER, _WIDE_CHART = 1.45, 2.0, 6.0

# A number as cards show it: grouped digits, decimals, unit.
_NUMBER = re.compile(r"(\d(?:[\d\s]*\d)?)([.,]\d+)?(\D*)")


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line with a width in `points`; an `arrow` is at its second end."""

    x: float
    y: float
    to_x: float
    to_y: float
    points: float = 1.5
    dashed: bool = False
    arrow: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """A filled box. Without a `look` it has the text colour. `share` is the strength of the colour."""

    left: float
    top: float
    width: float
    height: float
    look: Look | None = None
    share: float = 1.0


@dataclass(frozen=True, slots=True)
class Words:
    """One line of text in its box; `align` is `left`, `middle` or `right`."""

    left: float
    top: float
    width: float
    height: float
    text: str
    size: float
    bold: bool = False
    quiet: bool = False
    align: str = "left"


@dataclass(frozen=True, slots=True)
class PlotRoom:
    """The size of the chart in inches, its text size in points, and whether it has a title. `plot_height` is the height
    of its plot area if neighbouring charts need more lines for their names (0: as high as it fits)."""

    width: float
    height: float
    text: float
    titled: bool
    plot_height: float = 0.0


@dataclass(frozen=True, slots=True)
class ClaimPlan:
    """The layout of a chart for a finding.

    `plot` is the inner plot area (left, top, width, height), `high` the end of its axis from 0, `gap` the gap in
    percent of a bar. `inside` are the bars with their number inside. `pieces` are drawn over the chart. `size` is the
    size of the numbers in points.
    """

    claim: BarClaim
    switches: Switches
    plot: tuple[float, float, float, float]
    high: float
    gap: int
    inside: frozenset[int]
    pieces: tuple[Stroke | Block | Words, ...]
    size: float

    def value_size(self, place: int) -> float:
        """Size of a bar's number in points: half a point more for the subject of the finding."""
        return self.size + 0.5 * self.spoken(place)

    def spoken(self, place: int) -> bool:
        """True if the finding is about this bar or compares it."""
        return place in (self.claim.claimed, self.claim.baseline)


def claim_plan(claim: BarClaim, switches: Switches, room: PlotRoom, least: float = 0.0) -> ClaimPlan | None:
    """The layout of a claim in this room, with the axis at least up to `least`. None if bars are negative or all 0."""
    if any((bar.value or 0.0) < 0 for bar in claim.bars) or not any(bar.top > 0 for bar in claim.bars):
        return None
    layout = replace(_layout(claim, switches, room), least=least)
    pieces = (*layout.column(), *layout.bracket(), *layout.values())
    return ClaimPlan(claim, switches, layout.plot, layout.high, layout.gap, layout.inside, pieces, layout.size)


def bar_formats(claim: BarClaim, otherwise: str) -> list[str]:
    """The number format of each bar; `otherwise` for all bars if one is not a number (`90 s` next to `16:00 min`)."""
    known = [bar.words for bar in claim.bars if bar.value is not None]
    numbers = all(_NUMBER.fullmatch(words) for words in known)
    return [number_format(bar.words, otherwise) if numbers else otherwise for bar in claim.bars]


def number_format(words: str, otherwise: str) -> str:
    """The format that shows a bar's number like its words: `7.35`, `0.150`, `35.1 %`. `otherwise` if they are not a
    number (a time, 16:47 min)."""
    parts = _NUMBER.fullmatch(words)
    if parts is None:
        return otherwise
    decimals = "0" * (len(parts[2] or ".") - 1)
    unit = parts[3].replace('"', "")
    return "#,##0" + ("." + decimals if decimals else "") + (f'"{unit}"' if unit else "")


def _layout(claim: BarClaim, switches: Switches, room: PlotRoom) -> _Layout:
    """The layout with the narrowest right edge, and the least space over the bars, that leaves room for the words of
    the bracket."""
    first = _Layout(claim, switches, room)
    if not first.bracketed:
        return first
    edges = (_EDGE, first.beside / 3, first.beside * 2 / 3, first.beside)
    layout = next(
        (fit for edge in edges if (fit := replace(first, edge=edge)).words_fit), replace(first, edge=edges[-1])
    )
    crowded = layout.words_top < layout.plot[1]
    return replace(layout, over=layout.over + layout.words_height) if crowded else layout


@dataclass(frozen=True)
class _Layout:
    claim: BarClaim
    switches: Switches
    room: PlotRoom
    edge: float = _EDGE
    over: float = 0.0
    least: float = 0.0

    @property
    def bracketed(self) -> bool:
        return bool(self.switches.bracket and self.switches.baseline and self.claim.change)

    @property
    def large(self) -> float:
        """Size of the change in points."""
        return self.room.text * (_LARGER if self.room.width >= _WIDE_CHART else _LARGE)

    @property
    def words_height(self) -> float:
        return line_height(self.large) + line_height(self.room.text) * bool(self.claim.ends)

    @property
    def beside(self) -> float:
        """Width of the bracket and its words next to the last bar."""
        words = max(text_width(self.claim.change, self.large, bold=True), text_width(self.claim.ends, self.room.text))
        return _ASIDE + 0.2 + words * 1.1

    @cached_property
    def plot(self) -> tuple[float, float, float, float]:
        left = _AXIS if self.switches.value_axis else _EDGE
        width = self.room.width - left - self.edge
        slot = width / len(self.claim.bars)
        lines = max(line_count(bar.label, slot * 0.9, self.room.text) for bar in self.claim.bars)
        top = _TITLE * self.room.titled
        tall = self.room.height - top - lines * line_height(self.room.text) - 0.14
        return left, top, width, min(tall, self.room.plot_height or tall)

    @property
    def slot(self) -> float:
        return self.plot[2] / len(self.claim.bars)

    @property
    def gap(self) -> int:
        bar = min(_WIDEST_BAR, self.slot * _BAR_SHARE)
        return min(500, round(100 * (self.slot / bar - 1)))

    @property
    def bar(self) -> float:
        """Width of a bar: a name takes its bar and one gap (ECMA-376, `c:gapWidth`)."""
        return self.slot / (1 + self.gap / 100)

    @property
    def label(self) -> float:
        return line_height(self.room.text) + 0.06

    @cached_property
    def size(self) -> float:
        """Size of the numbers at the bars in points: smaller if the widest would reach into the next slot."""
        words = [words for bar in self.claim.bars for words in (bar.words, bar.total_words)]
        widest = max(text_width(text, self.room.text + 0.5, bold=True) for text in words)
        return self.room.text * min(1.0, 0.96 * self.slot / max(widest, 0.01))

    @cached_property
    def high(self) -> float:
        top = self.claim.top
        top = max(top, self.claim.high or 0.0) if self.bracketed else top
        tall = self.plot[3]
        return max(self.least, top * tall / max(tall - self.label - self.over, tall / 4))

    def y(self, value: float) -> float:
        """Position of a value on the axis."""
        return self.plot[1] + self.plot[3] * (1 - min(max(value / self.high, 0.0), 1.0))

    def left(self, place: int) -> float:
        """The left edge of a bar."""
        return self.plot[0] + (place + 0.5) * self.slot - self.bar / 2

    @property
    def reference(self) -> float:
        return self.y(self.claim.bars[self.claim.baseline].value or 0.0)

    @property
    def bracket_x(self) -> float:
        return self.left(self.claim.claimed) + self.bar + min(_ASIDE, 0.8 * (self.slot - self.bar) / 2)

    @property
    def words_left(self) -> float:
        return self.bracket_x + 0.17

    @property
    def words_fit(self) -> bool:
        return self.bracket_x + self.beside - _ASIDE <= self.room.width

    @property
    def words_top(self) -> float:
        """Top of the words: at mid-height of the bracket, but above the bars and numbers that would be behind them."""
        claim, right = self.claim, self.words_left + self.beside - _ASIDE - 0.2
        behind = [bar for place, bar in enumerate(claim.bars) if claim.claimed < place and self.left(place) < right]
        free = min((self.y(bar.top) - self.label for bar in behind), default=self.plot[1] + self.plot[3])
        middle = (self.reference + self.y(claim.bars[claim.claimed].value or 0.0)) / 2
        return min(middle - self.words_height / 2, free - self.words_height)

    @property
    def inside(self) -> frozenset[int]:
        """The bars whose number would be across the dashed line."""
        return frozenset(place for place in range(len(self.claim.bars)) if self._crossed(place))

    def _crossed(self, place: int) -> bool:
        claim, top = self.claim, self.y(self.claim.bars[place].top)
        between = min(claim.baseline, claim.claimed) <= place <= max(claim.baseline, claim.claimed)
        over = top - self.label - 0.02 <= self.reference <= top - 0.02
        tall = self.y(0.0) - top > self.label + 0.1
        return self.bracketed and between and place != claim.baseline and over and tall

    def column(self) -> list[Block]:
        """The part removed from the baseline, and the upper edge of the baseline bar."""
        claim, switches = self.claim, self.switches
        claimed, base = claim.bars[claim.claimed], claim.bars[claim.baseline]
        blocks = []
        if not switches.claim or not switches.baseline or base.value is None:
            return []
        top = self.y(claimed.value or 0.0)
        if claimed.above is None and self.reference < top and claimed.value is not None:
            box = self.left(claim.claimed), self.reference, self.bar, top - self.reference
            blocks.append(Block(*box, claimed.look, _TAKEN))
        blocks.append(Block(self.left(claim.baseline), self.reference, self.bar, 0.035, base.look))
        return blocks

    def bracket(self) -> list[Stroke | Block | Words]:
        """The dashed line from the baseline, the bracket with the interval at its end, and both in words."""
        if not self.bracketed:
            return []
        claim, x, start = self.claim, self.bracket_x, self.reference
        end, tick = self.y(claim.bars[claim.claimed].value or 0.0), 0.07
        first = self.left(claim.baseline) + (self.bar if claim.baseline < claim.claimed else 0.0)
        pieces: list[Stroke | Block | Words] = [Stroke(first, start, x + tick, start, 1.0, dashed=True)]
        pieces.append(Stroke(x - tick, start, x + tick, start))
        if abs(end - start) > 0.02:
            pieces.append(Stroke(x, start, x, end, arrow=abs(end - start) > 0.12))
        if claim.low is None or claim.high is None:
            pieces.append(Stroke(x - tick, end, x + tick, end))
        else:
            top, bottom = self.y(claim.high), self.y(claim.low)
            tall = max(bottom - top, 0.035)
            half = min(0.1, x - self.left(claim.claimed) - self.bar)
            pieces.append(Block(x - half, (top + bottom - tall) / 2, 2 * half, tall))
        return [*pieces, *self._change()]

    def _change(self) -> list[Words]:
        claim, top, left = self.claim, self.words_top, self.words_left
        wide, large = max(self.room.width - left, self.beside - _ASIDE), line_height(self.large)
        words = [Words(left, top, wide, large, claim.change, self.large, bold=True)]
        if claim.ends:
            small = line_height(self.room.text)
            words.append(Words(left, top + large, wide, small, claim.ends, self.room.text, quiet=True))
        return words

    def values(self) -> list[Words]:
        """The numbers of stacked bars, which no native label shows, and the dash of missing bars."""
        piled = any(bar.above for bar in self.claim.bars)
        lines = [self._of_bar(place, bar) for place, bar in enumerate(self.claim.bars) if piled or bar.value is None]
        return [words for line in lines for words in line]

    def _of_bar(self, place: int, bar: ClaimBar) -> list[Words]:
        size, tall = self.size, line_height(self.room.text)
        spoken = place in (self.claim.claimed, self.claim.baseline)
        slot, left = self.slot, self.left(place) + self.bar / 2 - self.slot / 2
        if bar.value is None:
            return [Words(left, self.y(0.0) - tall, slot, tall, DASH, size, quiet=True, align="middle")]
        text = bar.total_words
        # Below its upper edge if the dashed line would cross it.
        top = self.y(bar.top) + 0.03 if place in self.inside else self.y(bar.top) - tall - 0.02
        above = Words(left, top, slot, tall, text, size, spoken, not spoken, "middle")
        if bar.above is None or not spoken:
            return [above]
        y = self.y(bar.value) - tall / 2
        return [above, Words(self.left(place) - 1.2, y, 1.15, tall, bar.words, size, bold=True, align="right")]
