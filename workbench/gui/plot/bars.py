"""Bars: side by side or piled up, with the ends of their intervals and, where there is room, their values."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QPainter, QPainterPath, QPen

from workbench.charts import ticks
from workbench.charts.figure import Bars, Look, Source
from workbench.gui.plot.geometry import Place
from workbench.gui.plot.ink import Ink, clipped, line_height, text_width
from workbench.words.numbers import fixed

_TEXTURE = {
    "dash": Qt.BrushStyle.BDiagPattern,
    "dot": Qt.BrushStyle.Dense6Pattern,
    "dash-dot": Qt.BrushStyle.FDiagPattern,
}
MAX_LABELLED = 40


def paint_bars(painter: QPainter, ink: Ink, panel_place: Place, bars: list[Bars]) -> None:
    """Paints the bars of one panel, those measured side by side in the middle of their category; a category
    without a measurement gets a dash."""
    groups = list(dict.fromkeys(bar.stack or f"alone {i}" for i, bar in enumerate(bars)))
    count = len(panel_place.scales.panel.x.categories) or max(bar.values.size for bar in bars)
    slot = panel_place.plot.width() / max(1, count)
    # On a very wide screen bars of one width would be needles.
    wide = min(slot * 0.68 / len(groups), max(ink.px(54), slot * 0.34 / len(groups)))
    labelled = count * len(groups) <= MAX_LABELLED and _fit(ink, panel_place, bars, wide)
    with clipped(painter, panel_place.plot.adjusted(-1, -line_height(ink.small) - 4, 1, 1)):
        for category in range(count):
            present = [group for group in groups if _measured(_members(bars, group), category)] or groups[:1]
            left = panel_place.plot.left() + (category + 0.5) * slot - wide * len(present) / 2
            for number, group in enumerate(present):
                box = QRectF(left + number * wide, 0, wide, 0)
                _pile(painter, ink, panel_place, _members(bars, group), category, box, labelled)


def source_at(panel_place: Place, at: QPointF) -> Source | None:
    """The source of the bars in the category at a point, the one of a pile at that height first; None where it is
    not known."""
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


def _hit(panel_place: Place, measured: list[Bars], category: int, y: float) -> list[Bars]:
    """The bars of a pile that stand at a height; bars beside each other are not told apart."""
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


def _fit(ink: Ink, panel_place: Place, bars: list[Bars], wide: float) -> bool:
    """True when every value has room over its bar: some labelled and some not would look like a choice."""
    texts = [_words(panel_place, float(value)) for bar in bars for value in bar.values]
    return max((text_width(ink.strong, text) for text in texts), default=0.0) <= wide * 1.05


def _pile(
    painter: QPainter, ink: Ink, panel_place: Place, bars: list[Bars], category: int, slot: QRectF, labelled: bool
) -> None:
    inset = min(2.0, slot.width() * 0.06)
    measured = _measured(bars, category)
    if not measured:
        _write_over(painter, ink, slot, panel_place.plot.bottom(), ticks.DASH)
        return
    base = 0.0
    for bar in measured:
        value = float(bar.values[category])
        top, bottom = y_of(panel_place, base + value), y_of(panel_place, base)
        box = QRectF(slot.left() + inset, top, slot.width() - 2 * inset, bottom - top).normalized()
        _bar(painter, ink, box, bar.look, bar is measured[-1])
        base += value
    ends = _whisker(painter, ink, panel_place, measured[-1], category, slot) if len(measured) == 1 else None
    if labelled and base < 0:
        lowest = max(y_of(panel_place, base), -math.inf if ends is None else ends[1])
        _write_under(painter, ink, slot, lowest, panel_place.plot.bottom(), _words(panel_place, base))
    elif labelled:
        highest = min(y_of(panel_place, base), math.inf if ends is None else ends[0])
        _write_over(painter, ink, slot, highest, _words(panel_place, base))


def _words(panel_place: Place, value: float) -> str:
    """The number over a bar: hosts and disks are counted, everything else is read to three digits."""
    panel = panel_place.scales.panel
    values = (bar.values[np.isfinite(bar.values)] for bar in panel.marks if isinstance(bar, Bars))
    counted = not panel.y.unit and all(bool((value % 1 == 0).all()) for value in values)
    return fixed(value, 0) if counted and math.isfinite(value) else ticks.reading(value)


def y_of(panel_place: Place, value: float) -> float:
    """The pixel row of a value; on a logarithmic axis zero stands at the foot."""
    low, high = panel_place.scales.y
    if panel_place.scales.y_log:
        value = math.log10(value) if value > 0 else low
    share = (min(max(value, low), high) - low) / (high - low)
    return float(round(panel_place.plot.bottom() - share * panel_place.plot.height()))


def _bar(painter: QPainter, ink: Ink, box: QRectF, look: Look, top: bool) -> None:
    if box.isEmpty():
        return
    path = QPainterPath()
    radius = min(3.0, box.width() / 4, box.height()) if top else 0.0
    path.addRoundedRect(box.adjusted(0, 0, 0, radius), radius, radius)
    with clipped(painter, box):
        painter.fillPath(path, ink.colour(look))
        if look.dash in _TEXTURE:
            painter.fillPath(path, QBrush(ink.token("card", 0.45), _TEXTURE[look.dash]))


def _whisker(
    painter: QPainter, ink: Ink, panel_place: Place, bar: Bars, category: int, slot: QRectF
) -> tuple[float, float] | None:
    """Paints the interval of a bar; returns the pixel rows of its ends, the upper first."""
    if category >= min(bar.low.size, bar.high.size) or np.isnan(bar.low[category] + bar.high[category]):
        return None
    middle = round(slot.center().x()) + 0.5
    high, low = y_of(panel_place, float(bar.high[category])), y_of(panel_place, float(bar.low[category]))
    half = min(5.0, slot.width() / 5)
    for colour, width in ((ink.token("card", 0.75), 3.0), (ink.token("text"), 1.2)):
        painter.setPen(QPen(colour, width))
        if high != low:
            # A line without length is a path without points, which readers of .pdf files complain of.
            painter.drawLine(QPointF(middle, high), QPointF(middle, low))
        for y in (high, low):
            painter.drawLine(QPointF(middle - half, y), QPointF(middle + half, y))
    return high, low


def _write_under(painter: QPainter, ink: Ink, slot: QRectF, y: float, foot: float, text: str) -> None:
    """Writes the value of a bar that hangs below its end; inside the bar where the plot ends there."""
    tall = line_height(ink.small)
    inside = y + tall + 3 > foot
    painter.setFont(ink.strong)
    painter.setPen(ink.token("card" if inside else "text"))
    area = QRectF(slot.left() - 20, y - 3 * tall / 2 if inside else y + 3, slot.width() + 40, tall)
    painter.drawText(area, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop, text)


def _write_over(painter: QPainter, ink: Ink, slot: QRectF, y: float, text: str) -> None:
    tall = line_height(ink.small)
    painter.setFont(ink.strong)
    painter.setPen(ink.token("text" if text != ticks.DASH else "quiet"))
    area = QRectF(slot.left() - 20, y - tall - 3, slot.width() + 40, tall)
    painter.drawText(area, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignBottom, text)
