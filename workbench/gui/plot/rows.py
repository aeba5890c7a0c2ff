"""A figure as rows: the names once, and for each panel a bar per name with its value, change and interval."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen

from workbench.charts import ticks
from workbench.charts.figure import Bars, Figure, Panel
from workbench.charts.ticks import Ticks
from workbench.gui.plot.axes.names import LETTERS, Lines, wrapped
from workbench.gui.plot.ink import Ink, draw_sample, line_height, text_width, widest
from workbench.gui.services.translation import said, tr

_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_CENTRE = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter
# In design pixels: a row, the part over the rows, the part under them.
ROW, HEAD, FOOT, _PAD = 44.0, 56.0, 6.0, 14.0
_BAR, _LEAST_BAR, _THICK = 135.0, 48.0, 20.0
# Maximum height of a row on a large screen; maximum share of the panel that bars take.
_HIGHEST_ROW, _BAR_SHARE = 84.0, 0.6


def rows_height(figure: Figure, most: bool = False) -> int:
    """Height in design pixels that a figure of rows needs, or can use up to `most`."""
    return round(2 * _PAD + HEAD + FOOT + (_HIGHEST_ROW if most else ROW) * len(_names(figure)))


class FigureRows:
    """The places of the rows of a figure in an area, in pixels."""

    def __init__(self, figure: Figure, ink: Ink, area: QRectF) -> None:
        self.figure, self.ink, self.area = figure, ink, area
        self.names = _names(figure)
        pairs = (zip(panel.x.names, panel.x.categories, strict=True) for panel in figure.panels)
        self.shown = {name: short for of in pairs for name, short in of}
        inner = area.adjusted(ink.px(_PAD), ink.px(_PAD), -ink.px(_PAD), -ink.px(_PAD))
        room = (inner.height() - ink.px(HEAD) - ink.px(FOOT)) / max(1, len(self.names))
        self.tall = min(ink.px(_HIGHEST_ROW), room)
        self.top = inner.top() + ink.px(HEAD)
        self.left = inner.left()
        self.lines, self.gutter = self._wrapped(inner.width())
        self.wide = (inner.width() - self.gutter) / max(1, len(figure.panels))
        bars = [bar for panel in figure.panels for bar in _bars(panel)]
        self.value = widest(ink.strong, (_word(bar, 0) for bar in bars)) + ink.px(10)
        values = widest(ink.plain, (_word(bar, 1) for bar in bars)) + ink.px(12)
        self.change = max(values, text_width(ink.small, tr("change")) + ink.px(18))
        self.ends = widest(ink.small, (_word(bar, 2) for bar in bars)) + ink.px(6)
        # In a narrow figure, the intervals are omitted first, then the changes.
        room = self.wide - self.value - ink.px(18)
        self.shows_ends = room - self.change - self.ends >= ink.px(_LEAST_BAR)
        self.shows_change = any(_word(bar, 1) for bar in bars) and room - self.change >= ink.px(_LEAST_BAR)
        taken = self.change * self.shows_change + self.ends * self.shows_ends
        self.bar = max(ink.px(20), min(max(ink.px(_BAR) * 2, self.wide * _BAR_SHARE), room - taken))
        shared = max((_reach(panel) for panel in figure.panels), default=1.0)
        self.reaches = [shared if figure.share_y else _reach(panel) for panel in figure.panels]

    def _wrapped(self, width: float) -> tuple[dict[str, Lines], float]:
        """The names in as many lines as fit into a row, and the width that they need next to the bars."""
        ink, around = self.ink, self.ink.px(50)
        most = max(1, int(self.tall // (line_height(ink.strong) * LETTERS)))
        for share in (0.3, 0.4, 0.5, 0.6):
            wide = min(widest(ink.strong, self.shown.values()), width * share - around)
            lines = {name: wrapped(self.shown[name], ink.strong, wide) for name in self.names}
            if max(map(len, lines.values()), default=1) <= most:
                break
        # The heading over the names is next to the heading of the first phase.
        return lines, max(wide + around, text_width(ink.title, tr("Each phase")) + ink.px(20))

    def boxes(self) -> Iterator[tuple[QRectF, Bars, int]]:
        """The row of each bar within its panel, with the bar and its category."""
        for column, panel in enumerate(self.figure.panels):
            for bar in _bars(panel):
                for place, name in enumerate(panel.x.names):
                    if place < bar.values.size and math.isfinite(bar.values[place]):
                        yield self._cell(column, name), bar, place

    def panel_of(self, bar: Bars) -> Panel:
        """The panel that contains the bar."""
        return next(panel for panel in self.figure.panels if any(mark is bar for mark in panel.marks))

    def paint(self, painter: QPainter) -> None:
        """Draws all rows."""
        ink, area = self.ink, self.area
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(ink.token("line"), 1))
        painter.setBrush(ink.token("card"))
        painter.drawRoundedRect(area.adjusted(0.5, 0.5, -0.5, -0.5), 10, 10)
        self._names(painter)
        for column, panel in enumerate(self.figure.panels):
            self._panel(painter, column, panel)

    def _cell(self, column: int, name: str) -> QRectF:
        left = self.left + self.gutter + column * self.wide
        return QRectF(left, self.top + self.names.index(name) * self.tall, self.wide, self.tall)

    def _names(self, painter: QPainter) -> None:
        ink = self.ink
        unit = next((panel.y.label for panel in self.figure.panels), "")
        head = QRectF(self.left, self.top - ink.px(HEAD), self.gutter, line_height(ink.title))
        _write(painter, head, ink.title, ink.token("text"), tr("Each phase"), _LEFT)
        _write(painter, head.translated(0, ink.px(22)), ink.small, ink.token("quiet"), unit, _LEFT)
        looks = {bar.name: bar.look for panel in self.figure.panels for bar in _bars(panel)}
        looks |= self.figure.legend
        for place, name in enumerate(self.names):
            lane = QRectF(self.left, self.top + place * self.tall, self.gutter - ink.px(14), self.tall)
            sample = QRectF(lane.left(), lane.top(), ink.px(26), lane.height())
            if place:
                painter.setPen(QPen(ink.token("line"), 1))
                painter.drawLine(QPointF(lane.left(), lane.top() + 0.5), QPointF(lane.right(), lane.top() + 0.5))
            draw_sample(painter, ink, looks[name], sample)
            for area, text in self.name_lines(place):
                _write(painter, area, ink.strong, ink.token("text"), text, _LEFT)

    def name_lines(self, place: int) -> list[tuple[QRectF, str]]:
        """The lines of the name of a row, with the areas of their letters."""
        lines, font = self.lines[self.names[place]], self.ink.strong
        tall = line_height(font) * (LETTERS if len(lines) * line_height(font) > self.tall else 1.0)
        top = self.top + (place + 0.5) * self.tall - tall * len(lines) / 2
        left = self.left + self.ink.px(34)
        return [(QRectF(left, top + row * tall, text_width(font, text), tall), text) for row, text in enumerate(lines)]

    def heads(self, panel: Panel) -> list[tuple[float, str]]:
        """The headers over the words of a panel's bars, each with its distance from the left: that of the change, and
        that of its interval if there is room."""
        left, found = self.bar + self.value + self.ink.px(12), list[tuple[float, str]]()
        if self.shows_change:
            found.append((left, tr("change")))
        if self.shows_ends and any(_word(bar, 2).startswith("[") for bar in _bars(panel)):
            at, words = left + self.change - self.ink.px(6), said("95 % interval")
            found += [(at, words)] if at + text_width(self.ink.small, words) <= self.wide else []
        return found

    def _panel(self, painter: QPainter, column: int, panel: Panel) -> None:
        ink = self.ink
        left, top = self.left + self.gutter + column * self.wide, self.top - ink.px(HEAD)
        title = QRectF(left, top, self.wide, line_height(ink.title))
        _write(painter, title, ink.title, ink.token("text"), panel.title, _LEFT)
        after = title.adjusted(text_width(ink.title, panel.title) + ink.px(8), 0, 0, 0)
        _write(painter, after, ink.small, ink.token("quiet"), panel.subtitle, _LEFT)
        self._scale(painter, column, left)
        tall = line_height(ink.small)
        heads = QRectF(left, self.top - ink.px(6) - tall, self.wide, tall)
        for x, words in self.heads(panel):
            _write(painter, heads.translated(x, 0), ink.small, ink.token("quiet"), words, _LEFT)
        for bar in _bars(panel):
            for place, name in enumerate(panel.x.names):
                if place < bar.values.size and math.isfinite(bar.values[place]):
                    self._bar(painter, self._cell(column, name), bar, place, self.reaches[column])
        for name in self.names:
            if name not in panel.x.names:
                box = self._cell(column, name)
                _write(painter, box, ink.strong, ink.token("quiet"), ticks.DASH, _LEFT)
        self._baseline(painter, column, panel)

    def _scale(self, painter: QPainter, column: int, left: float) -> None:
        """Draws the scale from 0 to the highest bar, with a hairline at each tick."""
        ink, reach = self.ink, self.reaches[column]
        bottom = self.top + self.tall * len(self.names)
        marks = self._ticks(reach)
        for value, word in zip(marks.places, marks.labels, strict=True):
            x = round(left + self.bar * value / reach) + 0.5
            painter.setPen(QPen(ink.token("quiet", 0.8) if value == 0 else ink.token("line"), 1))
            painter.drawLine(QPointF(x, self.top - ink.px(4)), QPointF(x, bottom))
            tall = line_height(ink.small)
            area = QRectF(x - ink.px(30), self.top - ink.px(6) - tall, ink.px(60), tall)
            if value == 0:
                area.setLeft(x)
            _write(painter, area, ink.small, ink.token("quiet"), word, _LEFT if value == 0 else _CENTRE)

    def _ticks(self, reach: float) -> Ticks:
        """The ticks: as many as fit with their numbers side by side."""
        for most in range(max(2, min(ticks.STEPS_Y, int(self.bar / self.ink.px(44)))), 0, -1):
            marks = ticks.linear(0.0, reach, ticks.step(reach, most))
            apart = self.bar * (marks.places[1] - marks.places[0]) / reach if len(marks.places) > 1 else self.bar
            if widest(self.ink.small, marks.labels) + self.ink.px(6) <= apart:
                break
        return marks

    def _bar(self, painter: QPainter, box: QRectF, bar: Bars, place: int, reach: float) -> None:
        ink, value = self.ink, float(bar.values[place])
        thick = min(ink.px(_THICK) * max(1.0, self.tall / ink.px(ROW)), box.height() * 0.6)
        middle = round(box.center().y())
        length = self.bar * value / reach
        painter.fillRect(
            QRectF(box.left(), middle - thick / 2, length, thick), ink.colour(bar.look, ink.share(bar.strength(place)))
        )
        if place < min(bar.low.size, bar.high.size) and np.isfinite(bar.low[place] + bar.high[place]):
            ends = (self.bar * float(edge[place]) / reach for edge in (bar.low, bar.high))
            self._whisker(painter, box.left(), middle, *ends)
        told = ink.token("quiet" if bar.strength(place) == "others" else "text")
        words = QRectF(box.left() + self.bar, box.top(), self.value + ink.px(2), box.height())
        _write(painter, words, ink.strong, told, _word(bar, 0), _RIGHT)
        beside = QRectF(words.right() + ink.px(10), box.top(), self.change, box.height())
        if self.shows_change:
            _write(painter, beside, ink.plain, told, _word(bar, 1), _LEFT)
        if self.shows_ends:
            quiet = beside.translated(self.change - ink.px(6), 0)
            _write(painter, quiet, ink.small, ink.token("quiet"), _word(bar, 2), _LEFT)

    def _whisker(self, painter: QPainter, left: float, middle: float, low: float, high: float) -> None:
        half = self.ink.px(4)
        for colour, width in ((self.ink.token("card", 0.75), 3.0), (self.ink.token("text"), 1.2)):
            painter.setPen(QPen(colour, width))
            if low != high:
                painter.drawLine(QPointF(left + low, middle), QPointF(left + high, middle))
            for x in (left + low, left + high):
                painter.drawLine(QPointF(x, middle - half), QPointF(x, middle + half))

    def _baseline(self, painter: QPainter, column: int, panel: Panel) -> None:
        """Draws a dashed line from the end of the baseline's bar over all rows."""
        for bar in _bars(panel):
            if bar.name != self.figure.in_rows or bar.name not in panel.x.names:
                continue
            value = float(np.nanmax(bar.values))
            x = round(self.left + self.gutter + column * self.wide + self.bar * value / self.reaches[column]) + 0.5
            pen = QPen(self.ink.colour(bar.look), 1)
            pen.setDashPattern([3.0, 3.0])
            painter.setPen(pen)
            painter.drawLine(QPointF(x, self.top), QPointF(x, self.top + self.tall * len(self.names)))


def _names(figure: Figure) -> list[str]:
    """Every category of all panels once, in their order."""
    return list(dict.fromkeys(bar.name for panel in _longest_first(figure) for bar in _bars(panel)))


def _longest_first(figure: Figure) -> list[Panel]:
    return sorted(figure.panels, key=lambda panel: -len(panel.x.names))


def _bars(panel: Panel) -> list[Bars]:
    return [mark for mark in panel.marks if isinstance(mark, Bars)]


def _reach(panel: Panel) -> float:
    """The highest end of a bar or whisker."""
    parts = [part for bar in _bars(panel) for part in (bar.values, bar.high)]
    values = np.concatenate([part[np.isfinite(part)] for part in parts]) if parts else np.empty(0)
    return float(values.max()) * 1.02 if values.size and values.max() > 0 else 1.0


def _word(bar: Bars, place: int) -> str:
    return bar.words[place] if place < len(bar.words) else ""


def _write(painter: QPainter, area: QRectF, font: QFont, colour: QColor, text: str, how: Qt.AlignmentFlag) -> None:
    painter.setFont(font)
    painter.setPen(colour)
    painter.drawText(area, how | Qt.TextFlag.TextSingleLine | Qt.TextFlag.TextDontClip, text)
