"""Paints the claim of a finding that speaks of time: rows of how long each cache held, under the phases of the run."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFont, QPainter, QPen

from workbench.charts.claim import TimeClaim, TimeRow
from workbench.gui.plot.axes.names import LETTERS, wrapped
from workbench.gui.plot.claim.ink import CENTRE, LEFT, RIGHT, fill, write
from workbench.gui.plot.ink import Ink, line_height, text_width, widest
from workbench.gui.services.assets import ui_font

# The names beside rows of time take at most this share of the width.
_NAMES_SHARE = 0.45
_KINDS = {True: QFont.Weight.Bold, False: QFont.Weight.Normal}


def paint_times(painter: QPainter, ink: Ink, area: QRectF, claim: TimeClaim, lights: bool) -> None:
    """Draws the rows; with `lights` those that the finding does not speak of are dimmed."""
    tall, bold = line_height(ink.small), ui_font(8.5 * ink.scale, QFont.Weight.Bold)
    names = min(widest(bold, [row.label for row in claim.rows]), area.width() * _NAMES_SHARE) + ink.px(10)
    words = widest(bold, [row.words for row in claim.rows]) + ink.px(8)
    plot = area.adjusted(names, tall + ink.px(4), -words, -tall - ink.px(4))
    _moments(painter, ink, plot, claim)
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
    # In the middle of the plot: the longer end counts on both sides.
    room = inner.width() - 2 * widest(ink.small, [start, end]) - ink.px(16)
    if text_width(ink.small, middle) <= room:
        write(painter, inner, ink.small, quiet, middle, CENTRE)


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
        write(painter, QRectF(left, plot.top() - tall - 2, wide, tall), ink.small, ink.token("quiet"), word, LEFT)
        free = left + wide + ink.px(6)


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
