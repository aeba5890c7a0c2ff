"""Paints the chart of one finding: the bar of the finding in full colour, the baseline, the other bars dimmed, and the
bracket between the first two with its interval.

A finding about time gets rows instead: how long each cache lasted, under the phases of the run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen, QPolygonF

from workbench.answers.common.storyboard import Switches
from workbench.charts import ticks
from workbench.charts.claim import BarClaim, Claim, ClaimBar, TimeClaim, TimeRow
from workbench.gui.plot.axes.names import LETTERS, wrapped
from workbench.gui.plot.bars import INSIDE, OUTLINE
from workbench.gui.plot.claim.layout import BarLayout, layout_of
from workbench.gui.plot.ink import Ink, line_height, text_width, widest
from workbench.gui.services.assets import ui_font

# The names next to rows of time take at most this share of the width.
_NAMES_SHARE = 0.45
_KINDS = {True: QFont.Weight.Bold, False: QFont.Weight.Normal}


def paint_times(painter: QPainter, ink: Ink, area: QRectF, claim: TimeClaim, lights: bool) -> None:
    """Draws the rows. With `lights`, rows that the finding does not mention are dimmed."""
    tall, bold = line_height(ink.small), ui_font(8.5 * ink.scale, QFont.Weight.Bold)
    names = min(widest(bold, [row.label for row in claim.rows]), area.width() * _NAMES_SHARE) + ink.px(10)
    words = widest(bold, [row.words for row in claim.rows]) + ink.px(8)
    plot = area.adjusted(names, tall + ink.px(4), -words, -tall - ink.px(4))
    _moments(painter, ink, area, plot, claim)
    step = plot.height() / len(claim.rows)
    for place, row in enumerate(claim.rows):
        lane = QRectF(area.left(), plot.top() + place * step, area.width(), step)
        _time_row(painter, ink, plot, lane, row, claim, place == claim.claimed or not lights)
    foot = QRectF(plot.left() - names, plot.bottom() + ink.px(4), plot.width() + names + words, tall)
    inner = QRectF(plot.left(), foot.top(), plot.width(), tall)
    start, middle, end = claim.foot
    quiet = ink.token("quiet")
    if text_width(ink.small, start) + text_width(ink.small, end) + ink.px(6) <= inner.width():
        write(painter, inner, ink.small, quiet, start, LEFT)
    write(painter, inner, ink.small, quiet, end, RIGHT)
    # Centred in the plot, so the longer end sets the room on both sides.
    room = inner.width() - 2 * widest(ink.small, [start, end]) - ink.px(16)
    if text_width(ink.small, middle) <= room:
        write(painter, inner, ink.small, quiet, middle, CENTRE)


def _moments(painter: QPainter, ink: Ink, area: QRectF, plot: QRectF, claim: TimeClaim) -> None:
    """Draws the start of each phase, with its name if the names after it leave room."""
    pen = QPen(ink.token("quiet", 0.7), 1)
    pen.setDashPattern([2.0, 3.0])
    xs = [round(plot.left() + plot.width() * at / claim.until_s) + 0.5 for _, at in claim.moments]
    tall, wide = line_height(ink.small), [text_width(ink.small, word) for word, _ in claim.moments]
    # Each name is after its line; only the first is before its line, because the next name needs the room.
    lefts = [x - wide[0] if place == 0 and len(xs) > 1 else x + 2 for place, x in enumerate(xs)]
    free, end = area.left(), area.right()
    for place, left in enumerate(lefts):
        lefts[place] = max(left, free)
        free = lefts[place] + wide[place] + ink.px(6)
    for place in reversed(range(len(lefts))):
        painter.setPen(pen)
        painter.drawLine(QPointF(xs[place], plot.top()), QPointF(xs[place], plot.bottom()))
        left = min(lefts[place], end - wide[place])
        if left >= area.left():
            box = QRectF(left, plot.top() - tall - 2, wide[place], tall)
            write(painter, box, ink.small, ink.token("quiet"), claim.moments[place][0], LEFT)
            end = left - ink.px(6)


def _time_row(
    painter: QPainter, ink: Ink, plot: QRectF, lane: QRectF, row: TimeRow, claim: TimeClaim, lit: bool
) -> None:
    font = ui_font(8.5 * ink.scale, _KINDS[lit])
    colour, middle = ink.token("text" if lit else "quiet"), round(lane.center().y())
    lines, tall = wrapped(row.label, font, plot.left() - lane.left() - ink.px(8)), line_height(font) * LETTERS
    for place, line in enumerate(lines):
        area = QRectF(lane.left(), lane.center().y() + (place - len(lines) / 2) * tall, plot.left(), tall)
        write(painter, area, font, colour, line, LEFT)
    words = QRectF(plot.right() + ink.px(8), lane.top(), lane.right() - plot.right(), lane.height())
    write(painter, words, font, colour, row.words, LEFT)
    end = plot.left() + plot.width() * row.lasted_s / claim.until_s
    held = plot.left() + plot.width() * (row.held_s or 0.0) / claim.until_s
    pen = QPen(ink.token("quiet", 0.7), 1)
    pen.setDashPattern([1.5, 3.0])
    painter.setPen(pen)
    if end - held > 0.5:
        painter.drawLine(QPointF(held, middle + 0.5), QPointF(end, middle + 0.5))
    if row.held_s is None:
        return
    half = ink.px(3)
    share = ink.share("all" if lit else "baseline")
    fill(painter, QRectF(plot.left(), middle - half, held - plot.left(), 2 * half), ink.colour(row.look, share))
    if row.ended:
        painter.fillRect(QRectF(held - 1, middle - ink.px(7), 2, ink.px(14)), ink.colour(row.look))


CENTRE = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


def fill(painter: QPainter, box: QRectF, colour: QColor) -> None:
    """Fills the box."""
    # A box of zero height is a path without points, and PDF readers reject that.
    if box.width() > 0 and box.height() > 0:
        painter.fillRect(box, colour)


def write(painter: QPainter, area: QRectF, font: QFont, colour: QColor, text: str, how: Qt.AlignmentFlag) -> None:
    """Writes one line of text into the box and never cuts it."""
    painter.setFont(font)
    painter.setPen(colour)
    painter.drawText(area, how | Qt.TextFlag.TextSingleLine | Qt.TextFlag.TextDontClip, text)


# The share of the colour of the finding's bar in the part of the column that was saved.
_TAKEN = 0.09
_AS_DRAWN = Switches(value_axis=False)


def paint_beside(
    painter: QPainter, ink: Ink, boxes: Sequence[QRectF], claims: Sequence[Claim], switches: Switches
) -> None:
    """Draws claims side by side; all bars have one scale."""
    bars = [(box, claim) for box, claim in zip(boxes, claims, strict=True) if isinstance(claim, BarClaim)]
    over = max((layout_of(ink, box, claim, switches).over for box, claim in bars), default=0.0)
    for box, claim in zip(boxes, claims, strict=True):
        paint_claim(painter, ink, box, claim, switches, over)


def paint_claim(
    painter: QPainter, ink: Ink, area: QRectF, claim: Claim, switches: Switches = _AS_DRAWN, over: float = 0.0
) -> None:
    """Draws the claim into an area of any painter: a card, an image, a page, a slide. Keeps at least `over` pixels free
    for the words over the bars."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if isinstance(claim, TimeClaim):
        paint_times(painter, ink, area, claim, switches.claim)
    else:
        layout = layout_of(ink, area, claim, switches)
        _BarPainter(painter, replace(layout, over=max(over, layout.over))).paint()
    painter.restore()


class _BarPainter:
    """Draws the bars of one claim at the places of its layout."""

    def __init__(self, painter: QPainter, layout: BarLayout) -> None:
        self._painter, self._layout = painter, layout
        self._ink, self._claim, self._switches = layout.ink, layout.claim, layout.switches

    def paint(self) -> None:
        """Draws the whole chart, from back to front."""
        self._axis()
        for place, bar in enumerate(self._claim.bars):
            self._bar(place, bar)
        self._foot()
        if self._switches.baseline:
            self._reference()
        for place, bar in enumerate(self._claim.bars):
            self._words(place, bar)
        if self._layout.bracketed:
            self._bracket()
        self._legend()

    def _axis(self) -> None:
        """Draws the numbers of the value axis with a line for each."""
        layout, ink = self._layout, self._ink
        tall, right = line_height(ink.small), layout.left + layout.slot * len(self._claim.bars)
        for value, label in zip(layout.numbers.places, layout.numbers.labels, strict=True):
            y = layout.y(value) + 0.5
            self._painter.setPen(QPen(ink.token("line"), 1))
            self._painter.drawLine(QPointF(layout.left, y), QPointF(right, y))
            box = QRectF(layout.area.left(), y - tall / 2, layout.left - layout.area.left() - ink.px(5), tall)
            write(self._painter, box, ink.small, ink.token("quiet"), label, RIGHT)

    def _share(self, place: int) -> float:
        if not self._switches.claim or place == self._claim.claimed:
            return self._ink.share("all")
        base = place == self._claim.baseline and self._switches.baseline
        return self._ink.share("baseline" if base else "others")

    def _bar(self, place: int, bar: ClaimBar) -> None:
        painter, ink, claim, layout = self._painter, self._ink, self._claim, self._layout
        if bar.value is None:
            return
        box, marks = layout.box(place, bar.value), self._switches.claim and self._switches.baseline
        if place == claim.claimed and bar.above is None and marks:
            taken = QRectF(box.left(), layout.reference_y, box.width(), box.top() - layout.reference_y)
            fill(painter, taken.normalized(), ink.colour(bar.look, _TAKEN))
        fill(painter, box, ink.colour(bar.look, self._share(place)))
        if place == claim.baseline and marks:
            painter.fillRect(QRectF(box.left(), box.top(), box.width(), ink.px(3)), ink.colour(bar.look))
        if bar.above is not None:
            self._pile(layout.box(place, bar.above, bar.value), place == claim.claimed or not self._switches.claim)

    def _pile(self, box: QRectF, lit: bool) -> None:
        strength, half = 1.0 if lit else 0.45, OUTLINE / 2
        if box.height() < 1:
            return
        self._painter.setPen(QPen(self._ink.token("quiet", strength), OUTLINE))
        self._painter.setBrush(self._ink.token("quiet", INSIDE * strength))
        self._painter.drawRect(box.adjusted(half, half, -half, -half))

    def _foot(self) -> None:
        layout = self._layout
        self._painter.setPen(QPen(self._ink.token("quiet", 0.7), 1))
        end, bottom = layout.left + layout.slot * len(self._claim.bars), layout.plot.bottom() + 0.5
        self._painter.drawLine(QPointF(layout.left, bottom), QPointF(end, bottom))

    def _reference(self) -> None:
        layout = self._layout
        pen = QPen(self._ink.token("text", 0.7), 1)
        pen.setDashPattern([4.0, 3.0])
        self._painter.setPen(pen)
        ends = (layout.box(self._claim.baseline, 0.0).center().x(), layout.bracket_x + self._ink.px(5))
        y = layout.reference_y + 0.5
        self._painter.drawLine(QPointF(min(ends), y), QPointF(max(ends), y))

    def _words(self, place: int, bar: ClaimBar) -> None:
        ink, layout = self._ink, self._layout
        pointed = layout.pointed(place)
        font, colour = layout.value_font(place), ink.token("text" if pointed else "quiet")
        if bar.value is None:
            self._write(layout.value_box(place), ink.small, ink.token("quiet"), ticks.DASH)
        else:
            self._write(layout.value_box(place), font, colour, layout.over_words(place))
            if layout.has_words_below(place):
                self._below_pile(place, bar, font, colour)
        self._name(place, colour)

    def _below_pile(self, place: int, bar: ClaimBar, font: QFont, colour: QColor) -> None:
        """Draws the value of a bar that has another bar on top."""
        area, inside = self._layout.below_box(place)
        if not inside:
            self._painter.fillRect(area, self._ink.token("card"))
        self._write(area, font, self._ink.token("card") if inside else colour, bar.words)

    def _name(self, place: int, colour: QColor) -> None:
        layout = self._layout
        font, lines = layout.name_lines(place)
        left, top = layout.left + place * layout.slot, layout.plot.bottom() + self._ink.px(3)
        area = QRectF(left, top, layout.slot, line_height(font))
        for line in lines:
            self._write(area, font, colour, line)
            area.translate(0, line_height(font) - 1)

    def _bracket(self) -> None:
        painter, ink, claim, layout = self._painter, self._ink, self._claim, self._layout
        x, start, end = layout.bracket_x, layout.reference_y, layout.y(claim.bars[claim.claimed].value or 0.0)
        painter.setPen(QPen(ink.token("text"), 1.5 * max(1.0, ink.scale)))
        painter.setBrush(ink.token("text"))
        tick = min(ink.px(6), layout.aside)
        painter.drawLine(QPointF(x - tick, start), QPointF(x + tick, start))
        if abs(end - start) > 1:
            painter.drawLine(QPointF(x, start), QPointF(x, end))
            self._arrow(x, end, 1.0 if end > start else -1.0)
        if claim.low is None or claim.high is None:
            painter.drawLine(QPointF(x - tick, end), QPointF(x + tick, end))
        else:
            self._interval(x, claim.low, claim.high)
        box, large = layout.change_box, line_height(layout.change_font)
        first = QRectF(box.left(), box.top(), box.width(), large)
        self._write(first, layout.change_font, ink.token("text"), claim.change, LEFT)
        small = QRectF(box.left(), box.top() + large, box.width(), line_height(ink.small))
        self._write(small, ink.small, ink.token("quiet"), claim.ends, LEFT)

    def _arrow(self, x: float, y: float, down: float) -> None:
        half, tall = self._ink.px(4), self._ink.px(7)
        corners = (QPointF(x, y), QPointF(x - half, y - down * tall), QPointF(x + half, y - down * tall))
        self._painter.drawPolygon(QPolygonF(list(corners)))

    def _interval(self, x: float, low: float, high: float) -> None:
        """Draws the ends of the interval to scale: as one thick line if it is small, otherwise as two lines with the
        arrow visible between them."""
        top, bottom = self._layout.y(high), self._layout.y(low)
        least = max(3.0, self._ink.px(3))
        half = min(self._ink.px(8), self._layout.aside)
        if bottom - top <= 2 * least:
            middle, tall = (top + bottom) / 2, max(bottom - top, least)
            self._painter.fillRect(QRectF(x - half, middle - tall / 2, 2 * half, tall), self._ink.token("text"))
            return
        self._painter.drawLine(QPointF(x, top), QPointF(x, bottom))
        for end in (top, bottom):
            self._painter.drawLine(QPointF(x - half, end), QPointF(x + half, end))

    def _legend(self) -> None:
        """Explains the outlined part and the omitted parts, in lines at the top right."""
        ink, layout = self._ink, self._layout
        if not layout.legend:
            return
        wide, tall = widest(ink.small, layout.legend), line_height(ink.small)
        area = QRectF(layout.area.right() - wide - ink.px(2), layout.area.top(), wide + 2, tall)
        for place, line in enumerate(layout.legend):
            self._write(area.translated(0, place * tall), ink.small, ink.token("quiet"), line, LEFT)
        if self._claim.outlined:
            self._pile(QRectF(area.left() - ink.px(16), area.center().y() - ink.px(5), ink.px(11), ink.px(11)), True)

    def _write(self, area: QRectF, font: QFont, colour: QColor, text: str, how: Qt.AlignmentFlag = CENTRE) -> None:
        write(self._painter, area, font, colour, text, how)
