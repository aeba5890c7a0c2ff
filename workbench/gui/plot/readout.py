"""The values under the pointer: one line through every panel that moves together, a small card in each column."""

from __future__ import annotations

import math
import textwrap
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from workbench.charts import ticks
from workbench.charts.figure import Band, Line, Points
from workbench.gui.plot.dots import near_dot
from workbench.gui.plot.flags import flags_at
from workbench.gui.plot.ink import Ink, line_height, text_width
from workbench.gui.plot.panel import PanelView, value_at
from workbench.words.numbers import THIN, signed

MOST_LINES = 8
NOTE_LETTERS, NOTE_LINES = 48, 6


@dataclass(frozen=True)
class Pointer:
    """Where the pointer is: the panel under it, its x there, and the heatmap row."""

    panel: PanelView
    x: float
    row: int | None


@dataclass(frozen=True)
class Entry:
    """One line of a read-out; `colour` is None where there is nothing to point at."""

    name: str
    value: str
    colour: QColor | None = None


def paint_readout(painter: QPainter, ink: Ink, panels: list[PanelView], pointer: Pointer) -> None:
    """Paints the line and one read-out per column."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    moving = [p for p in panels if p.scales.x_key == pointer.panel.scales.x_key]
    first: dict[int, PanelView] = {}
    for panel in moving:
        low, high = panel.span
        if low <= pointer.x <= high:
            _crosshair(painter, ink, panel, pointer.x)
            first.setdefault(panel.scales.panel.column, panel)
    for column, panel in first.items():
        mine = [p for p in moving if p.scales.panel.column == column]
        rows = [entry for p in mine for entry in entries(ink, p, pointer, _baseline(p, moving))]
        here = pointer.panel.scales.panel.column == column
        title = heading(pointer) if here or len(first) == 1 else ""
        rows += _note_entries(ink, panel, pointer.x)
        if rows or title:
            paint_card(painter, ink, panel, pointer.x, title, rows)


def heading(pointer: Pointer) -> str:
    """The x under the pointer, in words."""
    scales = pointer.panel.scales
    if scales.time:
        return ticks.moment(pointer.x + scales.origin, scales.clock)
    value = 10.0**pointer.x if scales.x_log else pointer.x + scales.origin
    return ticks.wording(ticks.reading(value), "", "") + (f" {scales.panel.x.unit}" if scales.panel.x.unit else "")


def _baseline(panel: PanelView, moving: list[PanelView]) -> PanelView | None:
    """The panel of the baseline in the same row, None for the baseline itself."""
    against, row = panel.scales.panel.against, panel.scales.row
    if against is None or against == panel.scales.panel.column:
        return None
    return next((p for p in moving if p.scales.panel.column == against and p.scales.row == row), None)


def entries(ink: Ink, panel: PanelView, pointer: Pointer, baseline: PanelView | None = None) -> list[Entry]:
    """Name and value of everything the panel shows at the pointer; what is not measured is a dash. The panel's
    own line carries its difference from the baseline's in percent."""
    heat = panel.scales.heatmap
    if heat is not None:
        return _heat_entry(panel, pointer)
    unit = _unit(panel)
    rows = []
    lit = panel.lit_layer.lines if panel.lit_layer is not None else []
    lit_names = {line.vm for line in lit}
    for mark in (*panel.scales.panel.marks, *lit):
        name = getattr(mark, "name", "").removeprefix(f"{panel.scales.panel.title}: ")
        if isinstance(mark, Line):
            if mark not in lit and mark.vm and (not mark.prominent or mark.vm in lit_names):
                continue
            value = _value(panel, mark, pointer.x)
            text = ticks.reading(value) + unit
            if mark.vm is None:
                text += _change(value, baseline, pointer.x)
            rows.append(Entry(mark.vm or name, text, ink.colour(mark.look)))
        elif isinstance(mark, Points):
            rows += _dot_entry(ink, panel, mark, pointer.x)
        elif isinstance(mark, Band):
            low = value_at(mark.x - panel.scales.origin, mark.low, pointer.x)
            high = value_at(mark.x - panel.scales.origin, mark.high, pointer.x)
            text = f"{ticks.reading(low)} – {ticks.reading(high)}" if math.isfinite(low + high) else ticks.DASH
            rows.append(Entry(name, text + unit, ink.colour(mark.look, 0.35)))
    return rows[:MOST_LINES]


def _change(value: float, baseline: PanelView | None, at: float) -> str:
    """How far a value lies from the baseline's at the same x, ` (−93 %)`; empty where there is none."""
    if baseline is None or not baseline.main_lines:
        return ""
    base = _value(baseline, baseline.main_lines[0], at)
    if not (math.isfinite(value) and math.isfinite(base)) or base <= 0:
        return ""
    return f" ({signed(100 * (value / base - 1), 0)}{THIN}%)"


def _note_entries(ink: Ink, panel: PanelView, at: float) -> list[Entry]:
    """The text of the notes under the pointer, in lines of a readable length."""
    room = panel.place.card.width() - ink.px(64)
    letters = int(min(NOTE_LETTERS, max(12.0, room / text_width(ink.small, "n"))))
    note_rows: list[Entry] = []
    for flag in flags_at(panel, panel.pixel(at, 0).x()):
        first, *others = textwrap.wrap(flag.text, letters)[:NOTE_LINES] or [""]
        note_rows.append(Entry(f"{flag.number}  {first}", "", ink.token("accent")))
        note_rows += [Entry(line, "") for line in others]
    return note_rows


def _unit(panel: PanelView) -> str:
    unit = panel.scales.panel.y.unit
    return f" {unit}" if unit else ""


def _value(panel: PanelView, line: Line, at: float) -> float:
    x, _ = panel.samples(line)
    return value_at(x, line.y, at)


def _dot_entry(ink: Ink, panel: PanelView, dots: Points, at: float) -> list[Entry]:
    """The dot nearest to the pointer's x, where one is near."""
    index = near_dot(panel, dots, at)
    if index is None:
        return []
    name = dots.names[index] if dots.names else dots.name
    return [Entry(name, ticks.reading(float(dots.y[index])) + _unit(panel), ink.colour(dots.look))]


def _heat_entry(panel: PanelView, pointer: Pointer) -> list[Entry]:
    heat, layer = panel.scales.heatmap, panel.heat
    if panel is not pointer.panel or pointer.row is None or heat is None or layer is None:
        return []
    index = int((layer.edges.searchsorted(pointer.x, side="right")) - 1)
    inside = 0 <= index < layer.values.shape[1]
    value = float(layer.values[pointer.row, index]) if inside else math.nan
    text = f"{ticks.reading(value)} {heat.unit}" if math.isfinite(value) else "not measured"
    return [Entry(heat.rows[pointer.row], text)]


def _crosshair(painter: QPainter, ink: Ink, panel: PanelView, x: float) -> None:
    plot, at = panel.place.plot, round(panel.pixel(x, 0).x()) + 0.5
    painter.setPen(QPen(ink.token("text", 0.45), 1))
    painter.drawLine(QPointF(at, plot.top()), QPointF(at, plot.bottom()))
    lines = panel.main_lines + (panel.lit_layer.lines if panel.lit_layer is not None else [])
    for line in lines[:MOST_LINES] if panel.heat is None else []:
        shown_x, shown_y = panel.samples(line)
        value = value_at(shown_x, shown_y, x)
        if math.isfinite(value):
            painter.setPen(QPen(ink.token("card"), 1.5))
            painter.setBrush(ink.colour(line.look))
            painter.drawEllipse(QPointF(at, panel.pixel(x, value).y()), 4, 4)
    for dots in panel.points:
        index = near_dot(panel, dots, x)
        if index is not None:
            shown_x, shown_y = panel.samples(dots)
            painter.setPen(QPen(ink.token("text"), 1.5))
            painter.setBrush(ink.colour(dots.look))
            painter.drawEllipse(panel.pixel(float(shown_x[index]), float(shown_y[index])), 5, 5)


def paint_card(painter: QPainter, ink: Ink, panel: PanelView, x: float, title: str, rows: list[Entry]) -> None:
    """Paints a small card with a title over rows beside a place of the panel."""
    plot, pad, tall = panel.place.plot, ink.px(9), line_height(ink.small) + ink.px(3)
    names = max((text_width(ink.small, row.name) for row in rows if row.value), default=0.0)
    alone = max((text_width(ink.small, row.name) for row in rows if not row.value), default=0.0)
    values = max((text_width(ink.strong, row.value) for row in rows), default=0.0)
    dot = ink.px(13) if any(row.colour for row in rows) else 0.0
    wide = max(names + values + dot + ink.px(16), alone + dot, text_width(ink.strong, title)) + 2 * pad
    high = (len(rows) + bool(title)) * tall + 2 * pad - ink.px(3)
    at = panel.pixel(x, 0).x()
    left = at + ink.px(12) if at + ink.px(12) + wide <= panel.place.card.right() - 4 else at - ink.px(12) - wide
    box = QRectF(round(max(left, panel.place.card.left() + 4)), round(plot.top() + ink.px(6)), round(wide), round(high))
    painter.setPen(QPen(ink.token("line"), 1))
    painter.setBrush(ink.token("card", 0.96))
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
    top = box.top() + pad - 1
    if title:
        _text(painter, ink, QRectF(box.left() + pad, top, wide, tall), title, strong=True)
        top += tall
    for row in rows:
        if row.colour is not None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(row.colour)
            painter.drawRoundedRect(QRectF(box.left() + pad, top + tall / 2 - 4, 8, 8), 2, 2)
        line = QRectF(box.left() + pad + dot, top, box.width() - 2 * pad - dot, tall)
        _text(painter, ink, line, row.name, strong=False)
        _text(painter, ink, line, row.value, strong=True, right=True)
        top += tall


def _text(painter: QPainter, ink: Ink, area: QRectF, text: str, strong: bool, right: bool = False) -> None:
    painter.setFont(ink.strong if strong else ink.small)
    painter.setPen(ink.token("text" if strong else "quiet"))
    side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
    painter.drawText(area, side | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, text)
