"""Reads values over an axis of names, at the pointer or bar by bar with the arrow keys."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from workbench.charts import ticks
from workbench.charts.figure import Bars, FigureSource, Line, Panel, Points
from workbench.gui.plot.bars import bar_boxes, value_words, writer
from workbench.gui.plot.ink import Ink
from workbench.gui.plot.panel import PanelView
from workbench.gui.plot.pointing.readout import MOST_LINES, ReadoutWords, Written
from workbench.gui.plot.rows import FigureRows
from workbench.gui.services.translation import said, tr
from workbench.words.metrics import phase_words
from workbench.words.numbers import THIN, in_full


@dataclass(frozen=True)
class Spot:
    """A bar, or a name without a measured bar. `area` is outlined; pointing into `reach` selects it."""

    panel: Panel
    category: int
    area: QRectF
    reach: QRectF
    bar: Bars | None = None

    @property
    def source(self) -> FigureSource | None:
        """The source of the bar's number, None if unknown."""
        sources = () if self.bar is None else self.bar.sources
        return sources[self.category] if self.category < len(sources) else None

    def same(self, other: Spot) -> bool:
        """True if both show the same value, in any drawn size."""
        return (self.panel, self.category, self.bar) == (other.panel, other.category, other.bar)


def spots(panels: Sequence[PanelView], rows: FigureRows | None, ink: Ink) -> list[Spot]:
    """All spots of a figure, in reading order."""
    if rows is not None:
        return [Spot(rows.panel_of(bar), place, box, box, bar) for box, bar, place in rows.boxes()]
    return [spot for panel in panels if panel.scales.panel.x.categories for spot in _panel_spots(panel, ink)]


def spot_at(every: Sequence[Spot], at: QPointF) -> Spot | None:
    """The spot at a point: the horizontally nearest of those in reach; in a stack, the bar at that height. None if none
    is in reach."""
    near = [spot for spot in every if spot.reach.contains(at)]
    return min(near, key=lambda spot: (_gap(at.x(), spot.area, True), _gap(at.y(), spot.area, False)), default=None)


def spot_words(ink: Ink, spot: Spot, written: Written | None = None) -> tuple[str, list[ReadoutWords]]:
    """The configuration, then phase, value with unit, runs, and the ends of the interval or range. `written` formats
    the numbers; without it, they are as on the bars."""
    panel, name = spot.panel, spot.panel.x.names[spot.category]
    written = written or writer(panel)
    if spot.bar is None:
        words = _marks_words(ink, panel, spot.category, written)
        return name, words or [ReadoutWords(_heading(panel, None), None, (("", said("not measured")),))]
    bar, place, unit = spot.bar, spot.category, _unit(panel)
    parts = [(_heading(panel, spot.source), f"{value_words(panel, float(bar.values[place]), written)}{unit}")]
    change = " ".join(filter(None, bar.words[1:]))
    parts += [(tr("change"), change)] if change and change not in ("baseline", tr("baseline")) else []
    parts += [(bar.counted, bar.counts[place])] if place < len(bar.counts) and bar.counts[place] else []
    if place < min(bar.low.size, bar.high.size) and np.isfinite(bar.low[place] + bar.high[place]):
        low, high = (written(float(ends[place])) for ends in (bar.low, bar.high))
        parts.append((said(bar.ends or "low and high"), f"{low} to {high}{unit}"))
    own = "" if bar.name in name else bar.name
    return name, [ReadoutWords(own, ink.colour(bar.look), tuple(parts))]


def spoken(ink: Ink, spot: Spot) -> str:
    """All words of the spot as one sentence."""
    name, words = spot_words(ink, spot)
    return f"{name}: {'; '.join(_lines_of(words))}"


def spot_tip(ink: Ink, spot: Spot) -> str:
    """The words of the spot line by line, with all digits of its values."""
    name, words = spot_words(ink, spot, in_full)
    return "\n".join((name, *_lines_of(words)))


def _lines_of(words: Sequence[ReadoutWords]) -> list[str]:
    return [" ".join(filter(None, (line.name, *(f"{label} {value}" for label, value in line.parts)))) for line in words]


def paint_spot(painter: QPainter, ink: Ink, spot: Spot) -> None:
    """Draws a frame around the bar that is read."""
    painter.setPen(QPen(ink.token("text", 0.75), 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(spot.area.adjusted(-1.5, -1.5, 1.5, 1.5), 3, 3)


def _panel_spots(panel: PanelView, ink: Ink) -> list[Spot]:
    place, names = panel.place, panel.scales.panel.x.categories
    bars: dict[int, list[tuple[Bars, QRectF]]] = {}
    for bar, category, box in bar_boxes(ink, place):
        bars.setdefault(category, []).append((bar, box))
    made, wide = [], place.plot.width() / len(names)
    # Pointing at the name under a bar, or at the room over it, selects the bar too.
    foot = place.card.bottom() - place.plot.top()
    for category in range(len(names)):
        reach = QRectF(place.plot.left() + category * wide, place.plot.top(), wide, foot)
        slot = QRectF(reach.left() + 2, place.plot.top() + 2, wide - 4, place.plot.height() - 4)
        drawn = bars.get(category, [])
        made += [Spot(panel.scales.panel, category, box, reach, bar) for bar, box in drawn]
        made += [] if drawn else [Spot(panel.scales.panel, category, slot, reach)]
    return made


def _marks_words(ink: Ink, panel: Panel, category: int, written: Written) -> list[ReadoutWords]:
    """The values of lines and dots over a name."""
    words: list[ReadoutWords] = []
    # Dots whose name means the mean of all of them, and the lines through them.
    dotted = (mark for mark in panel.marks if isinstance(mark, Points))
    own = {mark.name for mark in dotted if mark.names and mark.names[0].startswith(f"{mark.name}: ")}
    for mark in panel.marks:
        if not isinstance(mark, Line | Points):
            continue
        here = np.flatnonzero(np.round(mark.x) == category)
        if mark.name.partition(": ")[0] in own:
            dots = [mark.names[place] for place in here] if isinstance(mark, Points) else []
            words += [ReadoutWords(name, ink.colour(mark.look), (("", ""),)) for name in dots]
            continue
        value = float(mark.y[here[0]]) if here.size else math.nan
        text = f"{written(value)}{_unit(panel)}" if math.isfinite(value) else ticks.DASH
        words.append(ReadoutWords(mark.name, ink.colour(mark.look), (("", text),)))
    return words[:MOST_LINES]


def _heading(panel: Panel, source: FigureSource | None) -> str:
    """The measured quantity: the title of the panel, and the phase if the title does not name it."""
    phase = phase_words(source.phase) if source is not None and source.phase else ""
    known = phase.casefold() in panel.title.casefold()
    return ", ".join(filter(None, (panel.title, "" if known else phase)))


def _unit(panel: Panel) -> str:
    return f"{THIN}{panel.y.unit}" if panel.y.unit else f" {panel.y.label.lower()}" if panel.y.label else ""


def _gap(at: float, area: QRectF, across: bool) -> float:
    low, high = (area.left(), area.right()) if across else (area.top(), area.bottom())
    return max(low - at, at - high, 0.0)
