"""The values under the pointer, or at the cursors: in a row over the plots, so no box hides the data."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from workbench.charts import ticks
from workbench.charts.figure import Band, Line, Points
from workbench.gui.plot.bars import near_dot
from workbench.gui.plot.flags import flags_at
from workbench.gui.plot.ink import Ink, draw_ground, line_height, text_width
from workbench.gui.plot.panel import PanelView, value_at
from workbench.gui.plot.pointing.cursors import Cursors, difference, paint_cursors, x_words
from workbench.gui.services.translation import said
from workbench.words.numbers import THIN, in_full, signed

MOST_LINES = 8
MOST_ROWS = 3
"""Maximum number of text lines above a panel while both cursors are set."""
NOTE_LETTERS, NOTE_LINES = 48, 6
# The notation of values: short on a line, with all digits in a tooltip.
Written = Callable[[float], str]
# Shown if words had no room.
_CUT = "…"


@dataclass(frozen=True)
class Pointer:
    """The position of the pointer: the panel under it, its x there, and the heatmap row."""

    panel: PanelView
    x: float
    row: int | None


@dataclass(frozen=True)
class ReadoutEntry:
    """One line of a read-out; `colour` is None if there is no line or mark."""

    name: str
    value: str
    colour: QColor | None = None


@dataclass(frozen=True)
class ReadoutWords:
    """The words of one line in the row of a panel: its name and colour, then labels with their values."""

    name: str
    colour: QColor | None
    parts: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class _Piece:
    """One piece of a row that must not break: a name with its sample, or a label with its value."""

    name: str
    colour: QColor | None
    label: str
    value: str


def paint_readout(
    painter: QPainter, ink: Ink, panels: list[PanelView], pointer: Pointer | None, cursors: Cursors
) -> None:
    """Paints the lines of pointer and cursors through the panels, and their values in the row of each panel."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    every, panels = panels, [panel for panel in panels if panel.placed]
    leftmost = min((p.scales.panel.column for p in panels), default=0)
    for panel in panels:
        paint_cursors(painter, ink, panel, cursors, panel.scales.panel.column == leftmost)
        for x in cursors.on(panel).values():
            _rings(painter, ink, panel, x)
        if pointer is not None and _reaches(pointer, panel):
            _crosshair(painter, ink, panel, pointer.x)
    for panel in panels:
        if panel.place.read.height():
            words = row_words(ink, panel, every, pointer, cursors)
            timed = pointer is not None and not cursors.on(panel) and panel is _timed(pointer, panels)
            if (words or timed) and not panel.place.joined:
                draw_ground(painter, ink, panel.place.read)
            paint_words(painter, ink, panel.place.read, words, heading(pointer) if timed and pointer else "")
    if pointer is None and not cursors:
        _at_rest(painter, ink, [panel for panel in panels if panel.place.read.height()])
    if pointer is not None and (rows := _note_entries(ink, pointer.panel, pointer.x)):
        paint_card(painter, ink, pointer.panel, pointer.x, "", rows)


def _at_rest(painter: QPainter, ink: Ink, panels: list[PanelView]) -> None:
    """Paints the words while the pointer is elsewhere: the value of the finding that is marked in the figure."""
    for panel in [panel for panel in panels if panel.scales.panel.readout][:1]:
        if not panel.place.joined:
            draw_ground(painter, ink, panel.place.read)
        area = panel.place.read.adjusted(ink.px(8), 0, -ink.px(8), 0)
        words = QFontMetricsF(ink.strong).elidedText(
            panel.scales.panel.readout, Qt.TextElideMode.ElideRight, area.width()
        )
        _text(painter, ink, area, words, strong=True)


def row_words(
    ink: Ink, panel: PanelView, panels: list[PanelView], pointer: Pointer | None, cursors: Cursors
) -> list[ReadoutWords]:
    """The words of the row over a panel. With two cursors, for each line: values at A and B, B − A, mean and 95th
    percentile between them. With one cursor: its value, the value at the pointer, and their difference. Without
    cursors: the values at the pointer."""
    places = cursors.on(panel)
    lines = panel.read_lines[:MOST_LINES]
    if len(places) == 2:
        return [
            ReadoutWords(_name(panel, line), ink.colour(line.look), _between(panel, line, cursors)) for line in lines
        ]
    reached = pointer is not None and _reaches(pointer, panel)
    if places:
        ends = [*places.items(), *([("", pointer.x)] if pointer is not None and reached else [])]
        return [ReadoutWords(_name(panel, line), ink.colour(line.look), _ends(panel, line, ends)) for line in lines]
    if pointer is None or not reached:
        return []
    below = [p for p in panels if p is pointer.panel and p.heat is not None and p is not panel]
    same = [p for p in below if p.scales.panel.column == panel.scales.panel.column and not p.place.read.height()]
    rows = entries(ink, panel, pointer, _baseline(panel, panels))
    return [ReadoutWords(e.name, e.colour, (("", e.value),)) for p in same for e in _heat_entry(p, pointer)] + [
        ReadoutWords(e.name, e.colour, (("", e.value),)) for e in rows
    ]


def rows_needed(ink: Ink, panel: PanelView, words: list[ReadoutWords]) -> int:
    """The number of text lines that the row of a panel needs for these words, at most `MOST_ROWS`."""
    return min(MOST_ROWS, len(_flow(ink, words, panel.place.read.width() - 2 * ink.px(8), MOST_ROWS)))


def _between(panel: PanelView, line: Line, cursors: Cursors) -> tuple[tuple[str, str], ...]:
    stretch = cursors.stretch(panel, line)
    return (
        ("A", ticks.reading(stretch.at_a)),
        ("B", ticks.reading(stretch.at_b)),
        ("Δ", difference(stretch.at_b - stretch.at_a)),
        ("mean", ticks.reading(stretch.mean)),
        ("p95", ticks.reading(stretch.p95)),
    )


def _ends(panel: PanelView, line: Line, ends: list[tuple[str, float]]) -> tuple[tuple[str, str], ...]:
    values = [_value(panel, line, x) for _, x in ends]
    gap = (("Δ", difference(values[1] - values[0])),) if len(values) == 2 else ()
    return (*((name, ticks.reading(value)) for (name, _), value in zip(ends, values, strict=True)), *gap)


def _reaches(pointer: Pointer, panel: PanelView) -> bool:
    low, high = panel.span
    return panel.scales.x_key == pointer.panel.scales.x_key and low <= pointer.x <= high


def _timed(pointer: Pointer, panels: list[PanelView]) -> PanelView | None:
    """The panel whose row names the moment under the pointer: the first one that moves with it. None if there is
    none."""
    return next((p for p in panels if p.place.read.height() and _reaches(pointer, p)), None)


def paint_words(painter: QPainter, ink: Ink, area: QRectF, words: list[ReadoutWords], moment: str) -> None:
    """Paints the words of a row of the read-out after their moment or name."""
    tall, left = line_height(ink.small) + ink.px(2), area.left() + ink.px(8)
    most, wide = max(1, int(area.height() // tall)), area.width() - 2 * ink.px(8)
    before = text_width(ink.strong, moment) + ink.px(14) if moment else 0.0
    rows = _flow(ink, words, wide - before, most)[:most]
    if before and any(piece.name == _CUT for row in rows for piece in row):
        # In a narrow row, the value is more important than its moment.
        before, rows = 0.0, _flow(ink, words, wide, most)[:most]
    if before:
        _text(painter, ink, area.adjusted(ink.px(8), 0, 0, 0), moment, strong=True)
        left += before
    top = area.center().y() - tall * len(rows) / 2
    for number, row in enumerate(rows):
        at = left
        for piece in row:
            at = _paint_piece(painter, ink, QRectF(at, top + number * tall, area.right() - at, tall), piece)


def _paint_piece(painter: QPainter, ink: Ink, area: QRectF, piece: _Piece) -> float:
    """Paints a piece at the left of an area; returns the x of the next one."""
    if piece.colour is not None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(piece.colour)
        painter.drawRoundedRect(QRectF(area.left(), area.center().y() - 4, 8, 8), 2, 2)
        area.setLeft(area.left() + ink.px(13))
    for text in filter(None, (piece.name, piece.label)):
        _text(painter, ink, area, text, strong=False)
        area.setLeft(area.left() + _width(ink.scale, False, text) + ink.px(5))
    _text(painter, ink, area, piece.value, strong=True)
    return area.left() + _width(ink.scale, True, piece.value) + ink.px(12)


@lru_cache(maxsize=4096)
def _width(scale: float, strong: bool, text: str) -> float:
    """Width of a text in pixels. Cached: the rows are arranged in every frame, mostly from unchanged texts."""
    ink = Ink("light", scale)
    return text_width(ink.strong if strong else ink.small, text)


def _piece_width(ink: Ink, piece: _Piece) -> float:
    wide = ink.px(13) if piece.colour is not None else 0.0
    wide += sum(_width(ink.scale, False, text) + ink.px(5) for text in (piece.name, piece.label) if text)
    return wide + _width(ink.scale, True, piece.value) + ink.px(12)


def _flow(ink: Ink, words: list[ReadoutWords], width: float, most: int) -> list[list[_Piece]]:
    """The words in lines as wide as the row: with all names if they fit, otherwise with the colours only. A mark shows
    that words did not fit."""
    plain = _lines(ink, _pieces(words, named=False), width)
    rows = _lines(ink, _pieces(words, named=True), width)
    # If there is only one line, its name does not need a separate line of text.
    if len(rows) <= most and (len(words) > 1 or len(rows) == len(plain)):
        return rows
    rows = plain
    if len(rows) <= most:
        return rows
    while rows[most - 1] and sum(_piece_width(ink, piece) for piece in rows[most - 1]) + ink.px(12) > width:
        rows[most - 1].pop()
    rows[most - 1].append(_Piece(_CUT, None, "", ""))
    return rows[:most]


def _pieces(words: list[ReadoutWords], named: bool) -> list[_Piece]:
    pieces = []
    for line in words:
        for number, (label, value) in enumerate(line.parts):
            name = line.name if number == 0 and (named or line.colour is None) else ""
            pieces.append(_Piece(name, line.colour if number == 0 else None, label, value))
    return pieces


def _lines(ink: Ink, pieces: list[_Piece], width: float) -> list[list[_Piece]]:
    rows: list[list[_Piece]] = [[]]
    used = 0.0
    for piece in pieces:
        wide = _piece_width(ink, piece)
        if rows[-1] and used + wide - ink.px(12) > width:
            rows.append([])
            used = 0.0
        rows[-1].append(piece)
        used += wide
    return rows


def heading(pointer: Pointer) -> str:
    """The x under the pointer, as text."""
    return x_words(pointer.panel, pointer.x)


def _baseline(panel: PanelView, moving: list[PanelView]) -> PanelView | None:
    """The baseline's panel in this row, None for the baseline itself."""
    against, row = panel.scales.panel.against, panel.scales.row
    if against is None or against == panel.scales.panel.column:
        return None
    return next((p for p in moving if p.scales.panel.column == against and p.scales.row == row), None)


def readout_tip(ink: Ink, panel: PanelView, pointer: Pointer) -> str:
    """The values of a panel at the pointer line by line, with all digits."""
    rows = entries(ink, panel, pointer, written=in_full)
    return "\n".join((heading(pointer), *(f"{row.name}: {row.value}" for row in rows))) if rows else ""


def entries(
    ink: Ink, panel: PanelView, pointer: Pointer, baseline: PanelView | None = None, written: Written = ticks.reading
) -> list[ReadoutEntry]:
    """Name and value of each item at the pointer, lines first; a dash if not measured. The panel's main line has its
    difference from the baseline in percent. The axis shows the units."""
    heat = panel.scales.heatmap
    if heat is not None:
        return _heat_entry(panel, pointer, written)
    rows = []
    lit = panel.lit_layer.lines if panel.lit_layer is not None else []
    lit_names = {line.vm for line in lit}
    bands = {_name(panel, mark) for mark in panel.scales.panel.marks if isinstance(mark, Band)}
    for mark in (*panel.scales.panel.marks, *lit):
        name = _name(panel, mark)
        if isinstance(mark, Line):
            if mark not in lit and mark.vm and (not mark.prominent or mark.vm in lit_names):
                continue
            value = _value(panel, mark, pointer.x)
            text = written(value)
            if mark.vm is None:
                text += _change(value, baseline, pointer.x)
            rows.append(ReadoutEntry(mark.vm or name, text, ink.colour(mark.look)))
        elif isinstance(mark, Points):
            rows += _dot_entry(ink, panel, mark, pointer.x, written)
        elif isinstance(mark, Band):
            low = value_at(mark.x - panel.scales.origin, mark.low, pointer.x)
            high = value_at(mark.x - panel.scales.origin, mark.high, pointer.x)
            text = f"{written(low)} – {written(high)}" if math.isfinite(low + high) else ticks.DASH
            rows.append(ReadoutEntry(name, text, ink.colour(mark.look, 0.35)))
    rows.sort(key=lambda entry: entry.name in bands)
    return rows[:MOST_LINES]


def _name(panel: PanelView, mark: object) -> str:
    return str(getattr(mark, "name", "")).removeprefix(f"{panel.scales.panel.title}: ")


def _change(value: float, baseline: PanelView | None, at: float) -> str:
    """The difference from the baseline's value at this x, for example ` (−93 %)`; empty if there is none."""
    if baseline is None or not baseline.main_lines:
        return ""
    base = _value(baseline, baseline.main_lines[0], at)
    if not (math.isfinite(value) and math.isfinite(base)) or base <= 0:
        return ""
    return f" ({signed(100 * (value / base - 1), 0)}{THIN}%)"


def _note_entries(ink: Ink, panel: PanelView, at: float) -> list[ReadoutEntry]:
    """The texts of the notes under the pointer, in lines of readable length."""
    room = panel.place.card.width() - ink.px(64)
    letters = int(min(NOTE_LETTERS, max(12.0, room / text_width(ink.small, "n"))))
    note_rows: list[ReadoutEntry] = []
    for flag in flags_at(panel, panel.pixel(at, 0).x()):
        first, *others = textwrap.wrap(flag.text, letters)[:NOTE_LINES] or [""]
        note_rows.append(ReadoutEntry(f"{flag.number}  {first}", "", ink.token("accent")))
        note_rows += [ReadoutEntry(line, "") for line in others]
    return note_rows


def _value(panel: PanelView, line: Line, at: float) -> float:
    x, _ = panel.samples(line)
    return value_at(x, line.y, at)


def _dot_entry(ink: Ink, panel: PanelView, dots: Points, at: float, written: Written) -> list[ReadoutEntry]:
    """The dot nearest to the pointer's x, if one is near."""
    index = near_dot(panel, dots, at)
    if index is None:
        return []
    name = dots.names[index] if dots.names else dots.name
    return [ReadoutEntry(name, written(float(dots.y[index])), ink.colour(dots.look))]


def _heat_entry(panel: PanelView, pointer: Pointer, written: Written = ticks.reading) -> list[ReadoutEntry]:
    heat, layer = panel.scales.heatmap, panel.heat
    if panel is not pointer.panel or pointer.row is None or heat is None or layer is None:
        return []
    index = int((layer.edges.searchsorted(pointer.x, side="right")) - 1)
    inside = 0 <= index < layer.values.shape[1]
    value = float(layer.values[pointer.row, index]) if inside else math.nan
    text = written(value) if math.isfinite(value) else said("not measured")
    return [ReadoutEntry(heat.rows[pointer.row], text)]


def _crosshair(painter: QPainter, ink: Ink, panel: PanelView, x: float) -> None:
    plot, at = panel.place.plot, round(panel.pixel(x, 0).x()) + 0.5
    painter.setPen(QPen(ink.token("text", 0.45), 1))
    painter.drawLine(QPointF(at, plot.top()), QPointF(at, plot.bottom()))
    _rings(painter, ink, panel, x)
    for dots in panel.points:
        index = near_dot(panel, dots, x)
        if index is not None:
            shown_x, shown_y = panel.samples(dots)
            painter.setPen(QPen(ink.token("text"), 1.5))
            painter.setBrush(ink.colour(dots.look))
            painter.drawEllipse(panel.pixel(float(shown_x[index]), float(shown_y[index])), 5, 5)


def _rings(painter: QPainter, ink: Ink, panel: PanelView, x: float) -> None:
    """Draws a ring on each line at the place that is read."""
    low, high = panel.span
    at = round(panel.pixel(x, 0).x()) + 0.5
    for line in panel.read_lines[:MOST_LINES] if panel.heat is None and low <= x <= high else []:
        shown_x, shown_y = panel.samples(line)
        value = value_at(shown_x, shown_y, x)
        if math.isfinite(value):
            painter.setPen(QPen(ink.token("card"), 1.5))
            painter.setBrush(ink.colour(line.look))
            painter.drawEllipse(QPointF(at, panel.pixel(x, value).y()), 4, 4)


def paint_card(painter: QPainter, ink: Ink, panel: PanelView, x: float, title: str, rows: list[ReadoutEntry]) -> None:
    """Paints a small card with a title and rows next to a place of the panel."""
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
