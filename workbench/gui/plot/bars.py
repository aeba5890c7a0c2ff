"""Paints bars, grouped or stacked, with the ends of their intervals and, if there is room, their values.

Paints dots: each measured item as one marker of its look.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QPainter, QPainterPath, QPen

from workbench.charts import ticks
from workbench.charts.figure import Bars, FigureSource, Line, Look, Panel, Points
from workbench.gui.plot.geometry import PlotPlace
from workbench.gui.plot.ink import Ink, clipped, draw_marker, line_height, marker_path, scaled_brush, text_width, widest
from workbench.gui.plot.panel import PanelView
from workbench.words.numbers import fixed

# Dots, not lines, because hatching only means "not measured".
_TEXTURE = {
    "dash": Qt.BrushStyle.Dense6Pattern,
    "dot": Qt.BrushStyle.Dense7Pattern,
    "dash-dot": Qt.BrushStyle.Dense5Pattern,
}
# The share of its colour inside an outlined bar, and the width of its outline in pixels.
INSIDE, OUTLINE = 0.22, 1.5
MAX_LABELLED = 40
# Pixels between the end of a bar and its value.
GAP = 3
# From here on a change has no digit after the point.
_LARGE = 100
# The size of the dot of a difference, and half the width of the ends of its interval.
_DOT, _WIDE_END = 9.0, 8.0
_AFTER = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


def paint_bars(painter: QPainter, ink: Ink, panel_place: PlotPlace, bars: list[Bars]) -> None:
    """Paints the bars of one panel, centred in their category. A category without a measurement gets a dash, except if
    the user has hidden its bars."""
    groups, _, wide = _columns(ink, panel_place, bars)
    count = _count(panel_place, bars)
    # Values of neighbouring bars do not touch; the value of a bar with room around it may be a little wider.
    room = wide - ink.px(GAP) if len(groups) > 1 else wide * 1.05
    labelled = count * len(groups) <= MAX_LABELLED and _fit(ink, panel_place, bars, room)
    with clipped(painter, panel_place.plot.adjusted(-1, -line_height(ink.small) - 4, 1, 1)):
        for category, members, slot in _slots(ink, panel_place, bars):
            _pile(painter, ink, panel_place, members, category, slot, labelled)


def bar_boxes(ink: Ink, panel_place: PlotPlace) -> list[tuple[Bars, int, QRectF]]:
    """Every measured bar of a panel with its category and its area. Order: left to right, stacked bars upwards."""
    bars = [mark for mark in panel_place.scales.panel.marks if isinstance(mark, Bars)]
    return [
        (bar, category, box)
        for category, members, slot in (_slots(ink, panel_place, bars) if bars else ())
        for bar, box in _pile_boxes(panel_place, members, category, slot)
    ]


def _count(panel_place: PlotPlace, bars: list[Bars]) -> int:
    return len(panel_place.scales.panel.x.categories) or max(bar.values.size for bar in bars)


def _columns(ink: Ink, panel_place: PlotPlace, bars: list[Bars]) -> tuple[list[str], float, float]:
    """The neighbouring bars in a category, the width of a category and the width of a bar."""
    groups = list(dict.fromkeys(bar.stack or f"alone {i}" for i, bar in enumerate(bars)))
    slot = panel_place.plot.width() / max(1, _count(panel_place, bars))
    # On a very wide screen, bars of a fixed width would be too thin.
    return groups, slot, min(slot * 0.68 / len(groups), max(ink.px(54), slot * 0.34 / len(groups)))


def _slots(ink: Ink, panel_place: PlotPlace, bars: list[Bars]) -> Iterator[tuple[int, list[Bars], QRectF]]:
    """Each stack of each category, with its pixel columns."""
    groups, slot, wide = _columns(ink, panel_place, bars)
    for category in range(_count(panel_place, bars)):
        present = [group for group in groups if _measured(_members(bars, group), category)] or groups[:1]
        left = panel_place.plot.left() + (category + 0.5) * slot - wide * len(present) / 2
        for number, group in enumerate(present):
            yield category, _members(bars, group), QRectF(left + number * wide, 0, wide, 0)


def _pile_boxes(
    panel_place: PlotPlace, members: list[Bars], category: int, slot: QRectF
) -> Iterator[tuple[Bars, QRectF]]:
    inset, base = min(2.0, slot.width() * 0.06), 0.0
    for bar in _measured(members, category):
        value = float(bar.values[category])
        top, bottom = y_of(panel_place, base + value), y_of(panel_place, base)
        yield bar, QRectF(slot.left() + inset, top, slot.width() - 2 * inset, bottom - top).normalized()
        base += value


def source_at(panel_place: PlotPlace, at: QPointF) -> FigureSource | None:
    """The source of the bars in the category at a point; first that of the stack at this height. None if unknown."""
    panel = panel_place.scales.panel
    bars = [mark for mark in panel.marks if isinstance(mark, Bars)]
    count = len(panel.x.categories)
    category = int((at.x() - panel_place.plot.left()) / panel_place.plot.width() * count) if count else 0
    if not 0 <= category < count:
        return None
    measured = _measured(bars, category)
    hit = _hit(panel_place, measured, category, at.y())
    known = (bar.sources[category] for bar in (*hit, *measured) if category < len(bar.sources))
    return next((source for source in known if source is not None), None)


def _hit(panel_place: PlotPlace, measured: list[Bars], category: int, y: float) -> list[Bars]:
    """The bars of a stack at this height. Neighbouring bars are not distinguished."""
    base: dict[str, float] = {}
    hit = []
    for bar in measured:
        low = base.get(bar.stack, 0.0) if bar.stack else 0.0
        base[bar.stack] = low + float(bar.values[category])
        if bar.stack and y_of(panel_place, base[bar.stack]) <= y <= y_of(panel_place, low):
            hit.append(bar)
    return hit


def _members(bars: list[Bars], group: str) -> list[Bars]:
    return [bar for i, bar in enumerate(bars) if (bar.stack or f"alone {i}") == group]


def _measured(bars: list[Bars], category: int) -> list[Bars]:
    return [bar for bar in bars if category < bar.values.size and math.isfinite(bar.values[category])]


def _fit(ink: Ink, panel_place: PlotPlace, bars: list[Bars], room: float) -> bool:
    """True if every value has room over its bar, or next to its dot. Labels on only some bars would look like a
    choice."""
    if bars[0].dots:
        words = (word for bar in bars for word in bar.words[:1])
        return widest(ink.strong, words) + ink.px(14) <= panel_place.plot.width() / _count(panel_place, bars) / 2
    texts = [_label(panel_place.scales.panel, [bar], float(value)) for bar in bars for value in bar.values]
    return max((text_width(ink.strong, text) for text in texts), default=0.0) <= room


def _pile(
    painter: QPainter, ink: Ink, panel_place: PlotPlace, bars: list[Bars], category: int, slot: QRectF, labelled: bool
) -> None:
    measured = _measured(bars, category)
    if not measured:
        if not panel_place.scales.panel.hidden:
            _write_over(painter, ink, slot, panel_place.plot.bottom(), ticks.DASH)
        return
    for bar, box in _pile_boxes(panel_place, bars, category, slot) if not measured[0].dots else ():
        _bar(painter, ink, box, bar, ink.share(bar.strength(category)), bar is measured[-1])
    base = sum(float(bar.values[category]) for bar in measured)
    if measured[0].dots:
        _dot(painter, ink, panel_place, measured[0], category, slot, labelled)
        return
    ends = _whisker(painter, ink, panel_place, measured[-1], category, slot) if len(measured) == 1 else None
    if labelled and base < 0:
        lowest = max(y_of(panel_place, base), -math.inf if ends is None else ends[1])
        lowest = _beyond_lines(ink, panel_place, lowest, down=True)
        words, foot = _label(panel_place.scales.panel, measured, base), panel_place.plot.bottom()
        zero, inside = y_of(panel_place, 0.0), _row_inside(ink, panel_place, lowest)
        if lowest + line_height(ink.small) + GAP <= foot:
            _write(painter, ink, slot, lowest + GAP, words, "text")
        elif inside >= zero:
            _write(painter, ink, slot, inside, words, "card")
        else:
            # No room under the bar or in it: the value is written over the line that the bar hangs from.
            _write_over(painter, ink, slot, zero, words)
    elif labelled:
        highest = min(y_of(panel_place, base), math.inf if ends is None else ends[0])
        highest = _beyond_lines(ink, panel_place, highest, down=False)
        _write_over(painter, ink, slot, highest, _label(panel_place.scales.panel, measured, base))


def _dot(
    painter: QPainter, ink: Ink, panel_place: PlotPlace, bar: Bars, category: int, slot: QRectF, labelled: bool
) -> None:
    """Paints a dot at the value with its interval, a dotted line to it from zero, and the value next to it."""
    middle, share = round(slot.center().x()) + 0.5, ink.share(bar.strength(category))
    y, zero = (y_of(panel_place, value) for value in (float(bar.values[category]), 0.0))
    if y != zero:
        pen = QPen(ink.colour(bar.look, share), 1.0)
        pen.setDashPattern([1.0, 3.0])
        painter.setPen(pen)
        painter.drawLine(QPointF(middle, zero), QPointF(middle, y))
    ends = _whisker(painter, ink, panel_place, bar, category, slot)
    painter.setOpacity(share)
    draw_marker(painter, ink, bar.look, QPointF(middle, y), _DOT)
    painter.setOpacity(1.0)
    if labelled:
        tall, words = line_height(ink.small), _label(panel_place.scales.panel, [bar], float(bar.values[category]))
        area = QRectF(middle + ink.px(12), y - tall / 2, slot.width(), tall)
        # A zero line would cross the text, so the text is above this line, or above the interval.
        if abs(y - zero) < tall / 2:
            area.moveBottom(min(y, zero, *(ends or ())) - GAP)
        painter.setFont(ink.strong)
        painter.setPen(ink.token("text"))
        painter.drawText(area, _AFTER, words)


def _beyond_lines(ink: Ink, panel_place: PlotPlace, end: float, *, down: bool) -> float:
    """The pixel row beyond which a value does not touch a level line (for example a limit): the end of its bar, or a
    line that would cross the value."""
    way = 1 if down else -1
    for level in sorted(_levels(panel_place), key=lambda level: way * level):
        if GAP <= way * (level - end) <= GAP + line_height(ink.small):
            end = level
    return end


def _levels(panel_place: PlotPlace) -> list[float]:
    """The pixel rows of the level lines."""
    return [
        y_of(panel_place, float(mark.y[0]))
        for mark in panel_place.scales.panel.marks
        if isinstance(mark, Line) and mark.y.size and (mark.y == mark.y[0]).all()
    ]


def _row_inside(ink: Ink, panel_place: PlotPlace, end: float) -> float:
    """The top of a value in a bar that hangs down to this pixel row: half a line over its end, or over a level line
    that would cross the value."""
    tall = line_height(ink.small)
    top = end - 1.5 * tall
    crossing = (level for level in _levels(panel_place) if top - 1 <= level <= top + tall + 1)
    return min((level - tall - 1 for level in crossing), default=top)


def _label(panel: Panel, measured: Sequence[Bars], value: float) -> str:
    """The label of a stack: the words of the answer if it is one bar with words, otherwise its value."""
    words = measured[0].words if len(measured) == 1 and math.isfinite(value) else ()
    return words[0] if words else value_words(panel, value, writer(panel))


def value_words(panel: Panel, value: float, written: Callable[[float], str]) -> str:
    """The label of a bar: hosts and disks as whole numbers, all other values as `written`."""
    return fixed(value, 0) if panel.in_whole and math.isfinite(value) else written(value)


def writer(panel: Panel) -> Callable[[float], str]:
    """The function that writes the values of a panel: a change with the same digits as in tables."""
    return _change if panel.y.change else ticks.reading


def _change(value: float) -> str:
    return fixed(value, 1 if abs(value) < _LARGE else 0) if math.isfinite(value) else ticks.reading(value)


def y_of(panel_place: PlotPlace, value: float) -> float:
    """The function that writes the values of a panel: a change with the same digits as in tables."""
    low, high = panel_place.scales.y
    if panel_place.scales.y_log:
        value = math.log10(value) if value > 0 else low
    share = (min(max(value, low), high) - low) / (high - low)
    return float(round(panel_place.plot.bottom() - share * panel_place.plot.height()))


def _bar(painter: QPainter, ink: Ink, box: QRectF, bar: Bars, share: float, top: bool) -> None:
    if box.isEmpty():
        return
    path = QPainterPath()
    radius = min(3.0, box.width() / 4, box.height()) if top else 0.0
    # Square corners at the bottom, where the bar is cut; an outlined bar has its whole outline.
    path.addRoundedRect(box.adjusted(0, 0, 0, 0 if bar.outlined else radius), radius, radius)
    with clipped(painter, box):
        fill_bar(painter, ink, path, bar.look, share, bar.outlined)


def fill_bar(
    painter: QPainter, ink: Ink, path: QPainterPath, look: Look, share: float = 1.0, outlined: bool = False
) -> None:
    """Fills a bar, or its sample in a legend: its colour and its texture; for the cache disk an outline and little of
    its colour inside."""
    if outlined:
        painter.fillPath(path, ink.token("card"))
        painter.fillPath(path, ink.colour(look, INSIDE * share))
        with clipped(painter, path):
            # Half of the stroke is outside of the bar, and is cut.
            painter.strokePath(path, QPen(ink.colour(look, share), 2 * OUTLINE))
        return
    painter.fillPath(path, ink.colour(look, share))
    if look.dash in _TEXTURE:
        painter.fillPath(path, scaled_brush(QBrush(ink.token("card", 0.45), _TEXTURE[look.dash]), painter))


def _whisker(
    painter: QPainter, ink: Ink, panel_place: PlotPlace, bar: Bars, category: int, slot: QRectF
) -> tuple[float, float] | None:
    """Paints the interval of a bar. Returns the pixel rows of its ends, the upper one first; None without an
    interval."""
    if category >= min(bar.low.size, bar.high.size) or np.isnan(bar.low[category] + bar.high[category]):
        return None
    middle = round(slot.center().x()) + 0.5
    high, low = y_of(panel_place, float(bar.high[category])), y_of(panel_place, float(bar.low[category]))
    half = min(_WIDE_END if bar.dots else 5.0, slot.width() / 5)
    for colour, width in ((ink.token("card", 0.75), 3.0), (ink.token("text"), 1.2)):
        painter.setPen(QPen(colour, width))
        if high != low:
            # A line of zero length is a path without points, and PDF readers reject that.
            painter.drawLine(QPointF(middle, high), QPointF(middle, low))
        for y in (high, low):
            painter.drawLine(QPointF(middle - half, y), QPointF(middle + half, y))
    return high, low


def _write_over(painter: QPainter, ink: Ink, slot: QRectF, y: float, text: str) -> None:
    """Writes the value over a bar, or a dash for none."""
    _write(painter, ink, slot, y - line_height(ink.small) - GAP, text, "text" if text != ticks.DASH else "quiet")


def _write(painter: QPainter, ink: Ink, slot: QRectF, top: float, text: str, token: str) -> None:
    painter.setFont(ink.strong)
    painter.setPen(ink.token(token))
    area = QRectF(slot.left() - 20, top, slot.width() + 40, line_height(ink.small))
    painter.drawText(area, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop, text)


SIZE = 6.0
CROWD = 400
"""Maximum number of visible dots drawn at full size. Above this number, dots are smaller and transparent."""
REACH = 12.0
"""Maximum horizontal distance in pixels between the pointer and a dot to show its values."""


def paint_dots(painter: QPainter, ink: Ink, panel: PanelView, dots: Points) -> None:
    """Paints the dots whose x is in view."""
    x, y = panel.samples(dots)
    low, high = panel.span
    seen = np.isfinite(y) & (x >= low) & (x <= high)
    if not seen.any():
        return
    plot, (bottom, top) = panel.place.plot, panel.scales.y
    across = plot.left() + (x[seen] - low) / (high - low) * plot.width()
    down = plot.bottom() - (y[seen] - bottom) / (top - bottom) * plot.height()
    draw_dots(painter, ink, dots.look, list(zip(across.tolist(), down.tolist(), strict=True)), ink.share(dots.emphasis))


def draw_dots(
    painter: QPainter, ink: Ink, look: Look, places: Sequence[tuple[float, float]], share: float = 1.0
) -> None:
    """Paints a dot at each point of the canvas (pixels) in a share of its colour. A look without a marker gets
    circles."""
    crowd = len(places) > CROWD
    half = SIZE / 2 * max(1.0, ink.scale * 0.8) * (0.8 if crowd else 1.0)
    path = QPainterPath()
    if look.marker in ("none", "circle"):
        path.addEllipse(QPointF(0, 0), half, half)
    elif look.marker == "square":
        path.addRect(QRectF(-half, -half, 2 * half, 2 * half))
    else:
        path = marker_path(look.marker, half * 1.25)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    colour = ink.colour(look, share * (0.6 if crowd else 0.85))
    lines = look.marker == "cross"
    painter.setPen(QPen(colour, 1.6) if lines else Qt.PenStyle.NoPen)
    painter.setBrush(Qt.BrushStyle.NoBrush if lines else colour)
    for x, y in places:
        painter.translate(x, y)
        painter.drawPath(path)
        painter.translate(-x, -y)
    painter.restore()


def near_dot(panel: PanelView, dots: Points, at: float) -> int | None:
    """The dot whose x is nearest to `at` (panel coordinates). None if no dot is near enough."""
    x, y = panel.samples(dots)
    gaps = np.where(np.isfinite(y), np.abs(x - at), np.inf)
    if not gaps.size or not np.isfinite(gaps.min()):
        return None
    index = int(gaps.argmin())
    low, high = panel.span
    return index if gaps[index] / (high - low) * panel.place.plot.width() <= REACH else None
