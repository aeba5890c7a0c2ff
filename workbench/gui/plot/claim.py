"""Paints the chart of one finding: the claimed bar in full, the baseline, the rest dimmed, the bracket between the two
with its interval; or rows of time."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QPainter, QPen, QPolygonF

from workbench.charts import ticks
from workbench.charts.claim import BarClaim, Claim, ClaimBar, TimeClaim, TimeRow
from workbench.gui.plot.axes.names import LETTERS, Lines, wrapped
from workbench.gui.plot.bars import HATCH
from workbench.gui.plot.ink import Ink, line_height, text_width, widest
from workbench.gui.services.assets import ui_font

# The share of the claimed colour in the column that was taken away.
_TAKEN = 0.09
# The names beside rows of time take at most this share of the width.
_NAMES_SHARE = 0.45
_CENTRE = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_KINDS = {True: QFont.Weight.Bold, False: QFont.Weight.Normal}


def paint_claim(painter: QPainter, ink: Ink, area: QRectF, claim: Claim) -> None:
    """Draws the claim into an area of any painter: a card, a picture, a page."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if isinstance(claim, TimeClaim):
        _paint_times(painter, ink, area, claim)
    else:
        _BarPainter(painter, ink, area, claim).paint()
    painter.restore()


class _BarPainter:
    """Where the bars of one claim stand, and how they are drawn."""

    def __init__(self, painter: QPainter, ink: Ink, area: QRectF, claim: BarClaim) -> None:
        self._painter, self._ink, self._claim = painter, ink, claim
        tall = line_height(ink.small)
        self._change_font = ui_font(13.0 * ink.scale, QFont.Weight.Bold)
        # Beside the last bar: the bracket, its words, and nothing else.
        words = max(text_width(self._change_font, claim.change), text_width(ink.small, claim.ends))
        self._beside = ink.px(20) + words if claim.change else 0.0
        last = claim.claimed == len(claim.bars) - 1
        wide = area.width() - (self._beside if last else self._beside / 3)
        self._slot = wide / len(claim.bars)
        # Between bars the bracket takes room from them.
        self._wide = min(ink.px(64), self._slot * (0.62 if last else 0.52))
        self._aside = min(ink.px(13), ink.px(13) if last else (self._slot - self._wide) / 2)
        lines = max(len(self._name_lines(place)[1]) for place in range(len(claim.bars)))
        self._names = tall * lines + ink.px(4)
        self._area = area.adjusted(0, tall + ink.px(4), 0, -self._names)
        self._left, self._right = area.left(), area.right()
        self._top = max((bar.top for bar in claim.bars), default=0.0) or 1.0
        reach = claim.high if claim.high is not None else 0.0
        self._top = max(self._top, reach)

    def paint(self) -> None:
        """The whole chart, from the ground up."""
        for place, bar in enumerate(self._claim.bars):
            self._bar(place, bar)
        self._foot()
        self._reference()
        for place, bar in enumerate(self._claim.bars):
            self._words(place, bar)
        if self._claim.change:
            self._bracket()
        self._legend()

    def _y(self, value: float) -> float:
        share = min(max(value, 0.0), self._top) / self._top
        return round(self._area.bottom() - share * self._area.height())

    def _box(self, place: int, value: float, base: float = 0.0) -> QRectF:
        left = round(self._left + (place + 0.5) * self._slot - self._wide / 2)
        return QRectF(left, self._y(base + value), round(self._wide), self._y(base) - self._y(base + value))

    def _bar(self, place: int, bar: ClaimBar) -> None:
        painter, ink, claim = self._painter, self._ink, self._claim
        if bar.value is None:
            return
        box, lit, base = self._box(place, bar.value), place == claim.claimed, place == claim.baseline
        share = ink.share("all" if lit else "baseline" if base else "others")
        if lit and bar.above is None:
            taken = QRectF(box.left(), self._reference_y, box.width(), box.top() - self._reference_y)
            _fill(painter, taken.normalized(), ink.colour(bar.look, _TAKEN))
        _fill(painter, box, ink.colour(bar.look, share))
        if base:
            painter.fillRect(QRectF(box.left(), box.top(), box.width(), ink.px(3)), ink.colour(bar.look))
        if bar.above is not None:
            self._pile(self._box(place, bar.above, bar.value), lit)

    def _pile(self, box: QRectF, lit: bool) -> None:
        colour = self._ink.token("quiet", 0.8 if lit else 0.35)
        if box.height() < 1:
            return
        self._painter.setPen(QPen(colour, 1))
        self._painter.setBrush(QBrush(colour, HATCH))
        self._painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5))

    @property
    def _reference_y(self) -> float:
        return self._y(self._claim.bars[self._claim.baseline].value or 0.0)

    @property
    def _bracket_x(self) -> float:
        return self._box(self._claim.claimed, 0.0).right() + self._aside

    def _foot(self) -> None:
        self._painter.setPen(QPen(self._ink.token("quiet", 0.7), 1))
        end = self._left + self._slot * len(self._claim.bars)
        bottom = self._area.bottom() + 0.5
        self._painter.drawLine(QPointF(self._left, bottom), QPointF(end, bottom))

    def _reference(self) -> None:
        pen = QPen(self._ink.token("text", 0.7), 1)
        pen.setDashPattern([4.0, 3.0])
        self._painter.setPen(pen)
        ends = (self._box(self._claim.baseline, 0.0).center().x(), self._bracket_x + self._ink.px(5))
        y = self._reference_y + 0.5
        self._painter.drawLine(QPointF(min(ends), y), QPointF(max(ends), y))

    def _words(self, place: int, bar: ClaimBar) -> None:
        ink, claim = self._ink, self._claim
        pointed = place in (claim.claimed, claim.baseline)
        font = ui_font((9.0 if pointed else 8.5) * ink.scale, _KINDS[pointed])
        colour = ink.token("text" if pointed else "quiet")
        tall = line_height(font)
        slot = QRectF(self._left + place * self._slot, 0, self._slot, tall)
        if bar.value is None:
            self._write(slot.translated(0, self._area.bottom() - tall - 1), ink.small, ink.token("quiet"), ticks.DASH)
        else:
            over = slot.translated(0, self._above(self._y(bar.top), tall, place))
            self._write(over, font, colour, bar.words if bar.above is None else bar.above_words)
            if pointed and bar.above is not None:
                self._under_pile(place, bar, font, colour)
        self._name(place, colour)

    def _under_pile(self, place: int, bar: ClaimBar, font: QFont, colour: QColor) -> None:
        """The value of a bar with another on it: beside it where the gap has room, else inside, else over its foot."""
        box, tall = self._box(place, bar.value or 0.0), line_height(font)
        wide, gap = text_width(font, bar.words), self._slot - self._wide
        if wide + self._ink.px(6) <= gap:
            beside = QRectF(box.left() - gap, box.top() - tall / 2, gap - self._ink.px(3), tall)
            self._write(beside, font, colour, bar.words, _RIGHT)
        elif box.height() >= tall * 0.8:
            self._write(box, font, self._ink.token("card"), bar.words)
        else:
            over = QRectF(box.center().x() - wide / 2 - 2, box.top() - tall, wide + 4, tall)
            self._painter.fillRect(over, self._ink.token("card"))
            self._write(over, font, colour, bar.words)

    def _above(self, y: float, tall: float, place: int) -> float:
        """Where the words of a bar begin: over it, but inside where the reference line would run through them."""
        over = y - tall - 2
        crossed = place != self._claim.baseline and over - 1 <= self._reference_y <= y - 1
        return y + 3 if crossed and self._y(0.0) - y > tall + 6 else over

    def _name_lines(self, place: int) -> tuple[QFont, Lines]:
        """The name of a bar in as many lines as it needs, with its type."""
        claimed = place == self._claim.claimed
        font = ui_font(8.0 * self._ink.scale, QFont.Weight.DemiBold if claimed else QFont.Weight.Normal)
        return font, wrapped(self._claim.bars[place].label, font, self._slot - self._ink.px(2))

    def _name(self, place: int, colour: QColor) -> None:
        font, lines = self._name_lines(place)
        area = QRectF(self._left + place * self._slot, self._area.bottom() + self._ink.px(3), self._slot, self._names)
        for line in lines:
            area.setHeight(line_height(font))
            self._write(area, font, colour, line)
            area.translate(0, line_height(font) - 1)

    def _bracket(self) -> None:
        painter, ink, claim = self._painter, self._ink, self._claim
        x, start, end = self._bracket_x, self._reference_y, self._y(claim.bars[claim.claimed].value or 0.0)
        painter.setPen(QPen(ink.token("text"), 1.5 * max(1.0, ink.scale)))
        painter.setBrush(ink.token("text"))
        tick = min(ink.px(6), self._aside)
        painter.drawLine(QPointF(x - tick, start), QPointF(x + tick, start))
        if abs(end - start) > 1:
            painter.drawLine(QPointF(x, start), QPointF(x, end))
            self._arrow(x, end, 1.0 if end > start else -1.0)
        if claim.low is None or claim.high is None:
            painter.drawLine(QPointF(x - tick, end), QPointF(x + tick, end))
        else:
            self._interval(x, claim.low, claim.high)
        self._change(x, (start + end) / 2)

    def _arrow(self, x: float, y: float, down: float) -> None:
        half, tall = self._ink.px(4), self._ink.px(7)
        corners = (QPointF(x, y), QPointF(x - half, y - down * tall), QPointF(x + half, y - down * tall))
        self._painter.drawPolygon(QPolygonF(list(corners)))

    def _interval(self, x: float, low: float, high: float) -> None:
        """The ends of the interval to scale, never thinner than two strokes."""
        top, bottom = self._y(high), self._y(low)
        least = max(3.0, self._ink.px(3))
        middle, tall = (top + bottom) / 2, max(bottom - top, least)
        half = min(self._ink.px(8), self._aside)
        self._painter.fillRect(QRectF(x - half, middle - tall / 2, 2 * half, tall), self._ink.token("text"))

    def _change(self, x: float, middle: float) -> None:
        ink, claim = self._ink, self._claim
        large, small = line_height(self._change_font), line_height(ink.small)
        top = middle - (large + small * bool(claim.ends)) / 2
        # Words stand over the bars that follow, where those leave room for them.
        lower = min((self._y(bar.top) for bar in claim.bars[claim.claimed + 1 :]), default=self._area.bottom())
        top = max(min(top, lower - 2 * small - large), self._area.top())
        left = x + ink.px(13)
        ground = QRectF(left - 2, top, self._beside, large + small * bool(claim.ends))
        if claim.claimed < len(claim.bars) - 1:
            self._painter.fillRect(ground.adjusted(0, 0, -ink.px(26), 0), ink.token("card", 0.85))
        self._write(QRectF(left, top, self._beside, large), self._change_font, ink.token("text"), claim.change, _LEFT)
        self._write(QRectF(left, top + large, self._beside, small), ink.small, ink.token("quiet"), claim.ends, _LEFT)

    def _legend(self) -> None:
        """What is hatched, and what is not drawn: in the corner over the last bars, which are lower."""
        ink, claim = self._ink, self._claim
        words = " · ".join(filter(None, (claim.hatched, claim.left_out)))
        if not words:
            return
        tall = line_height(ink.small)
        wide = text_width(ink.small, words)
        right = min(self._left + self._slot * len(claim.bars) + self._beside / 2, self._right - ink.px(2))
        area = QRectF(right - wide, self._area.top() - tall - ink.px(3), wide + 2, tall)
        self._write(area, ink.small, ink.token("quiet"), words, _LEFT)
        if claim.hatched:
            self._pile(QRectF(area.left() - ink.px(16), area.center().y() - ink.px(5), ink.px(11), ink.px(11)), True)

    def _write(self, area: QRectF, font: QFont, colour: QColor, text: str, how: Qt.AlignmentFlag = _CENTRE) -> None:
        _write(self._painter, area, font, colour, text, how)


def _fill(painter: QPainter, box: QRectF, colour: QColor) -> None:
    # A box without height is a path without points, which readers of .pdf files complain of.
    if box.width() > 0 and box.height() > 0:
        painter.fillRect(box, colour)


def _write(painter: QPainter, area: QRectF, font: QFont, colour: QColor, text: str, how: Qt.AlignmentFlag) -> None:
    painter.setFont(font)
    painter.setPen(colour)
    painter.drawText(area, how | Qt.TextFlag.TextSingleLine | Qt.TextFlag.TextDontClip, text)


def _paint_times(painter: QPainter, ink: Ink, area: QRectF, claim: TimeClaim) -> None:
    tall, bold = line_height(ink.small), ui_font(8.5 * ink.scale, QFont.Weight.Bold)
    names = min(widest(bold, [row.label for row in claim.rows]), area.width() * _NAMES_SHARE) + ink.px(10)
    words = widest(bold, [row.words for row in claim.rows]) + ink.px(8)
    plot = area.adjusted(names, tall + ink.px(4), -words, -tall - ink.px(4))
    _moments(painter, ink, plot, claim)
    step = plot.height() / len(claim.rows)
    for place, row in enumerate(claim.rows):
        lane = QRectF(area.left(), plot.top() + place * step, area.width(), step)
        _time_row(painter, ink, plot, lane, row, claim, place == claim.claimed)
    foot = QRectF(plot.left() - names, plot.bottom() + ink.px(4), plot.width() + names + words, tall)
    inner = QRectF(plot.left(), foot.top(), plot.width(), tall)
    start, middle, end = claim.foot
    quiet = ink.token("quiet")
    _write(painter, inner, ink.small, quiet, start, _LEFT)
    _write(painter, inner, ink.small, quiet, end, _RIGHT)
    # In the middle of the plot: the longer end counts on both sides.
    room = inner.width() - 2 * widest(ink.small, [start, end]) - ink.px(16)
    if text_width(ink.small, middle) <= room:
        _write(painter, inner, ink.small, quiet, middle, _CENTRE)


def _moments(painter: QPainter, ink: Ink, plot: QRectF, claim: TimeClaim) -> None:
    """The beginnings of the phases, each named where the one before leaves room."""
    pen = QPen(ink.token("quiet", 0.7), 1)
    pen.setDashPattern([2.0, 3.0])
    tall, free = line_height(ink.small), -1e9
    for place, (word, at) in enumerate(claim.moments):
        x = round(plot.left() + plot.width() * at / claim.until_s) + 0.5
        painter.setPen(pen)
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()))
        wide = text_width(ink.small, word)
        # The first word may hang to the left of its line, so that the next one has room.
        left = x - wide if place == 0 and len(claim.moments) > 1 else max(x + 2, free)
        _write(painter, QRectF(left, plot.top() - tall - 2, wide, tall), ink.small, ink.token("quiet"), word, _LEFT)
        free = left + wide + ink.px(6)


def _time_row(
    painter: QPainter, ink: Ink, plot: QRectF, lane: QRectF, row: TimeRow, claim: TimeClaim, lit: bool
) -> None:
    font = ui_font(8.5 * ink.scale, _KINDS[lit])
    colour, middle = ink.token("text" if lit else "quiet"), round(lane.center().y())
    lines, tall = wrapped(row.label, font, plot.left() - lane.left() - ink.px(8)), line_height(font) * LETTERS
    for place, line in enumerate(lines):
        area = QRectF(lane.left(), lane.center().y() + (place - len(lines) / 2) * tall, plot.left(), tall)
        _write(painter, area, font, colour, line, _LEFT)
    words = QRectF(plot.right() + ink.px(8), lane.top(), lane.right() - plot.right(), lane.height())
    _write(painter, words, font, colour, row.words, _LEFT)
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
    _fill(painter, QRectF(plot.left(), middle - half, held - plot.left(), 2 * half), ink.colour(row.look, share))
    if row.ended:
        painter.fillRect(QRectF(held - 1, middle - ink.px(7), 2, ink.px(14)), ink.colour(row.look))
