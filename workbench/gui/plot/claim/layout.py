"""The layout of a claim of bars: places of bars, their words, the bracket and its words. Nothing overlaps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from PySide6.QtCore import QRectF
from PySide6.QtGui import QFont

from workbench.answers.common.storyboard import Switches
from workbench.charts import ticks
from workbench.charts.claim import BarClaim
from workbench.gui.plot.axes.names import Lines, wrapped
from workbench.gui.plot.ink import Ink, line_height, text_width, widest
from workbench.gui.services.assets import ui_font

_KINDS = {True: QFont.Weight.Bold, False: QFont.Weight.Normal}
# The fonts of the change, largest first; the maximum number of steps on the value axis.
_CHANGE_SIZES, _STEPS = (13.0, 11.0, 9.0, 7.0), 4


@dataclass(frozen=True)
class BarLayout:
    """The layout in an area. `beside` is the room kept free to the right of the bars, `over` the room above them."""

    ink: Ink
    area: QRectF
    claim: BarClaim
    switches: Switches
    beside: float = 0.0
    over: float = 0.0

    @property
    def bracketed(self) -> bool:
        """True if a bracket leads from the baseline to the bar of the finding."""
        return bool(self.switches.bracket and self.switches.baseline and self.claim.change)

    @cached_property
    def last(self) -> bool:
        """True if no bar follows the bar of the finding."""
        return self.claim.claimed == len(self.claim.bars) - 1

    @cached_property
    def change_font(self) -> QFont:
        """The largest font in which the change fits into the area."""
        fonts = [ui_font(size * self.ink.scale, QFont.Weight.Bold) for size in _CHANGE_SIZES]
        return next((font for font in fonts if text_width(font, self.claim.change) < self.area.width()), fonts[-1])

    @cached_property
    def words_size(self) -> tuple[float, float]:
        """Width and height of the change with its interval below."""
        claim, small = self.claim, self.ink.small
        wide = max(text_width(self.change_font, claim.change), text_width(small, claim.ends))
        return wide, line_height(self.change_font) + line_height(small) * bool(claim.ends)

    @cached_property
    def legend(self) -> Lines:
        """Lines of text that explain the outlined part and the omitted parts."""
        text = " · ".join(filter(None, (self.claim.outlined, self.claim.left_out)))
        # The sign of the outlined part is before the text.
        room = self.area.width() - self.ink.px(18)
        return wrapped(text, self.ink.small, room) if text else ()

    @cached_property
    def legend_height(self) -> float:
        """The height of the legend with the room under it."""
        return line_height(self.ink.small) * len(self.legend) + self.ink.px(3) * bool(self.legend)

    @cached_property
    def numbers(self) -> ticks.Ticks:
        """The numbers of the value axis, if the axis is wanted."""
        by = ticks.step(self.top, _STEPS)
        return ticks.linear(0.0, self.top, by) if self.switches.value_axis else ticks.Ticks((), ())

    @cached_property
    def left(self) -> float:
        """The left edge of the first slot."""
        labels = self.numbers.labels
        return self.area.left() + (widest(self.ink.small, labels) + self.ink.px(8) if labels else 0.0)

    @cached_property
    def slot(self) -> float:
        """The width of the room of one bar."""
        return (self.area.right() - self.left - self.beside) / len(self.claim.bars)

    @cached_property
    def wide(self) -> float:
        """The width of a bar. A bracket between bars makes it smaller."""
        return min(self.ink.px(64), self.slot * (0.62 if self.last else 0.52))

    @cached_property
    def aside(self) -> float:
        """The distance from the bar of the finding to the bracket."""
        return min(self.ink.px(13), self.ink.px(13) if self.last else (self.slot - self.wide) / 2)

    @cached_property
    def names(self) -> float:
        """The height of the names under the bars."""
        lines = max(len(self.name_lines(place)[1]) for place in range(len(self.claim.bars)))
        return line_height(self.ink.small) * lines + self.ink.px(4)

    @cached_property
    def plot(self) -> QRectF:
        """The area of the bars. The words of the tallest bar have room above it."""
        tall = line_height(self.ink.small)
        top = min(tall + self.ink.px(4) + self.legend_height + self.over, self.area.height() - self.names - 1)
        return self.area.adjusted(0, top, 0, -self.names)

    @cached_property
    def top(self) -> float:
        """The value at the upper edge of the plot."""
        highest = self.claim.top or 1.0
        return max(highest, self.claim.high or 0.0) if self.bracketed else highest

    def y(self, value: float) -> float:
        """The pixel row of a value."""
        share = min(max(value, 0.0), self.top) / self.top
        return round(self.plot.bottom() - share * self.plot.height())

    def box(self, place: int, value: float, base: float = 0.0) -> QRectF:
        """The area of a bar that starts at `base` and reaches up by its value."""
        left = round(self.left + (place + 0.5) * self.slot - self.wide / 2)
        return QRectF(left, self.y(base + value), round(self.wide), self.y(base) - self.y(base + value))

    @cached_property
    def reference_y(self) -> float:
        """The upper edge of the baseline's bar."""
        return self.y(self.claim.bars[self.claim.baseline].value or 0.0)

    @cached_property
    def bracket_x(self) -> float:
        """The pixel column of the bracket."""
        return self.box(self.claim.claimed, 0.0).right() + self.aside

    def pointed(self, place: int) -> bool:
        """True if the finding mentions this bar or compares another bar with it."""
        return place in (self.claim.claimed, self.claim.baseline)

    # Words

    @cached_property
    def _shrunk(self) -> float:
        """The scale factor that makes the widest words fit into a slot."""
        texts = [self.over_words(place) for place in range(len(self.claim.bars))]
        wide = widest(ui_font(9.0 * self.ink.scale, QFont.Weight.Bold), texts)
        return min(1.0, (self.slot - self.ink.px(4)) / wide) if wide else 1.0

    def value_font(self, place: int) -> QFont:
        """The font of the words over a bar."""
        pointed = self.pointed(place)
        return ui_font((9.0 if pointed else 8.5) * self.ink.scale * self._shrunk, _KINDS[pointed])

    def over_words(self, place: int) -> str:
        """The words over a bar. For a stack: its total, after the value of the lower part if that has no other
        place."""
        bar = self.claim.bars[place]
        if bar.value is None:
            return ""
        together = bar.above is not None and self.pointed(place) and not self.has_words_below(place)
        return f"{bar.words} of {bar.total_words}" if together else bar.total_words

    def has_words_below(self, place: int) -> bool:
        """True if the value of a bar with another on top is written in the bar or just above its base."""
        bar = self.claim.bars[place]
        if bar.above is None or bar.value is None or not self.pointed(place):
            return False
        tall = line_height(ui_font(9.0 * self.ink.scale, QFont.Weight.Bold))
        return max(self.box(place, bar.value).height(), self.box(place, bar.above, bar.value).height()) >= tall

    def below_box(self, place: int) -> tuple[QRectF, bool]:
        """The area of that value, and True if it is inside the bar. Otherwise the value covers part of the bar
        above.
        """
        bar, font = self.claim.bars[place], self.value_font(place)
        box, tall = self.box(place, bar.value or 0.0), line_height(font)
        if box.height() >= tall * 0.8:
            return box, True
        wide = text_width(font, bar.words)
        return QRectF(box.center().x() - wide / 2 - 2, box.top() - tall, wide + 4, tall), False

    def value_box(self, place: int) -> QRectF:
        """The area of the words over a bar. They move into the bar if the reference line would cross them."""
        bar, tall = self.claim.bars[place], line_height(self.value_font(place))
        left, y = self.left + place * self.slot, self.y(bar.top)
        if bar.value is None:
            return QRectF(left, self.plot.bottom() - tall - 1, self.slot, tall)
        over = y - tall - 2
        crossed = self.bracketed and place != self.claim.baseline and over - 1 <= self.reference_y <= y - 1
        inside = crossed and self.y(0.0) - y > tall + 6
        return QRectF(left, y + 3 if inside else over, self.slot, tall)

    def name_lines(self, place: int) -> tuple[QFont, Lines]:
        """The name of a bar in as many lines as it needs, with its font."""
        claimed = place == self.claim.claimed
        font = ui_font(8.0 * self.ink.scale, QFont.Weight.DemiBold if claimed else QFont.Weight.Normal)
        return font, wrapped(self.claim.bars[place].label, font, self.slot - self.ink.px(2))

    @cached_property
    def change_box(self) -> QRectF:
        """The area of the words of the bracket: next to it at mid-height or higher, otherwise over all bars."""
        wide, tall = self.words_size
        left = self.bracket_x + self.ink.px(13)
        if self.over:
            left = max(self.area.left(), min(left, self.area.right() - wide))
            return QRectF(left, self.plot.top() - self.over - line_height(self.ink.small) - self.ink.px(4), wide, tall)
        middle = (self.reference_y + self.y(self.claim.bars[self.claim.claimed].value or 0.0)) / 2
        box = QRectF(left, middle - tall / 2, wide, tall)
        in_the_way = [taken.top() for taken in self._taken() if taken.left() < box.right() and taken.right() > left]
        highest = min((top for top in in_the_way if top < box.bottom()), default=None)
        if highest is not None:
            box.moveBottom(min(in_the_way) - 1)
        return box

    def _taken(self) -> Iterator[QRectF]:
        """The areas of bars and their words."""
        for place, bar in enumerate(self.claim.bars):
            if place != self.claim.claimed:
                yield self.value_box(place).united(self.box(place, bar.top))

    @property
    def fits(self) -> bool:
        """True if the words of the bracket are within the area and the words of the bars have their full size."""
        box = self.change_box
        within = box.right() <= self.area.right() + 1 and box.top() >= self.area.top() + self.legend_height - 1
        return within and box.bottom() <= self.plot.bottom() + 1 and self._shrunk == 1.0


def layout_of(ink: Ink, area: QRectF, claim: BarClaim, switches: Switches) -> BarLayout:
    """The layout that leaves the bars most room and fits all words."""
    layout = BarLayout(ink, area, claim, switches)
    if not layout.bracketed:
        return layout
    whole = ink.px(20) + layout.words_size[0]
    tried = (whole,) if layout.last else (whole / 3, whole * 2 / 3, whole)
    beside = (replace(layout, beside=room) for room in tried)
    least = ink.px(20) if layout.last else 0.0
    over = replace(layout, beside=least, over=layout.words_size[1])
    return next((fit for fit in beside if fit.fits), over)
