"""A panel of a Figure becomes an area of cells: what its chart is drawn from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from workbench.charts.figure import Bars, FloatArray, Look, Panel
from workbench.exporters.workbook.cells import (
    BODY,
    FIGURE,
    HEADER_FILL,
    HEADER_NUMBER,
    HEADER_TEXT,
    HEADING,
    QUIET,
    RULE,
    STRONG,
    Notes,
    figure_format,
    put,
    text_width,
    widths,
)
from workbench.exporters.workbook.curves import Curve, Weight, curves_of, sharing_x, time_unit
from workbench.exporters.workbook.formulas import Results
from workbench.exporters.workbook.names import quoted

QUESTION_ROW, PANEL_ROW, NOTE_ROW, HEADER_ROW, FIRST_ROW = 1, 2, 3, 4, 5

# (series, category) -> the formula of a bar, None where it is a plain number.
Link = Callable[[str, str], str | None]


@dataclass(frozen=True, slots=True)
class BlockSeries:
    """Where one series of a chart has its cells; every reference is absolute, with its sheet."""

    name: str
    x: str
    y: str
    look: Look
    weight: Weight = "main"
    points: int = 0
    above: str = ""
    below: str = ""
    point_looks: tuple[Look, ...] = ()
    values: tuple[float, ...] = ()


@dataclass(frozen=True, eq=False)
class Block:
    """A panel's area: its series, the span of its x, and its place as the user reads it."""

    panel: Panel
    series: tuple[BlockSeries, ...]
    x_label: str
    x_format: str
    x_limits: tuple[float, float] | None
    place: str
    next_column: int


def no_link(_series: str, _category: str) -> str | None:
    """Every bar is a plain number."""
    return None


def write_block(
    sheet: Worksheet, left: int, panel: Panel, question: str, link: Link, results: Results, notes: Notes
) -> Block:
    """Writes the panel's numbers from column `left` on and returns where they are."""
    bars = [mark for mark in panel.marks if isinstance(mark, Bars)]
    writer = _Writer(sheet, left, results, notes)
    put(sheet, QUESTION_ROW, left, question, notes, font=HEADING)
    title = " · ".join(text for text in (panel.title, panel.subtitle) if text)
    put(sheet, PANEL_ROW, left, title, notes, font=STRONG)
    return _bar_block(writer, panel, bars, link) if bars else _line_block(writer, panel)


@dataclass
class _Writer:
    """The cells of one block, column by column."""

    sheet: Worksheet
    left: int
    results: Results
    notes: Notes
    column: int = 0
    deepest: int = FIRST_ROW

    def head(self, text: str, numeric: bool = True) -> int:
        """Starts the next column; returns its number."""
        at = self.left + self.column
        cell = put(self.sheet, HEADER_ROW, at, text, self.notes, font=STRONG)
        cell.fill, cell.border = HEADER_FILL, RULE
        cell.alignment = HEADER_NUMBER if numeric else HEADER_TEXT
        self.column += 1
        return at

    def numbers(self, text: str, values: FloatArray, number_format: str) -> int:
        """A column of numbers; NaN stays an empty cell."""
        at = self.head(text)
        for place, value in enumerate(values.tolist()):
            if np.isfinite(value):
                cell = self.sheet.cell(FIRST_ROW + place, at, value)
                cell.number_format = number_format
        self.deepest = max(self.deepest, FIRST_ROW + len(values) - 1)
        return at

    def area(self, column: int, count: int, first: int = FIRST_ROW) -> str:
        """The absolute reference of `count` cells of a column."""
        letter = get_column_letter(column)
        return f"{quoted(self.sheet.title)}!${letter}${first}:${letter}${first + max(count, 1) - 1}"

    def name(self, column: int) -> str:
        """The absolute reference of a column's header."""
        return f"{quoted(self.sheet.title)}!${get_column_letter(column)}${HEADER_ROW}"

    def place(self) -> str:
        """The whole area as the user reads it."""
        right = get_column_letter(self.left + self.column - 1)
        return f"{get_column_letter(self.left)}{HEADER_ROW}:{right}{self.deepest}"

    def note(self, text: str) -> None:
        """The line above the header."""
        put(self.sheet, NOTE_ROW, self.left, text, self.notes, font=QUIET)


def _bar_block(writer: _Writer, panel: Panel, bars: Sequence[Bars], link: Link) -> Block:
    categories = panel.x.categories
    names = writer.head(panel.x.label or "Configuration", numeric=False)
    for place, category in enumerate(categories):
        put(writer.sheet, FIRST_ROW + place, names, category, writer.notes, font=BODY)
    writer.deepest = FIRST_ROW + len(categories) - 1
    unit = f"{panel.y.label} ({panel.y.unit})" if panel.y.unit not in ("", "IOPS") else panel.y.label
    merged = _one_each(bars)
    if merged is not None:
        found = [
            _bar_series(
                writer, merged, unit, names, categories, lambda at: link(categories[at], categories[at])
            )
        ]
        found = [replace(found[0], point_looks=tuple(one.look for one in _owners(bars)))]
    else:
        found = [
            _bar_series(writer, one, one.name, names, categories,
                        lambda at, name=one.name: link(name, categories[at]))  # type: ignore[misc]
            for one in bars
        ]  # fmt: skip
    writer.note(f"{panel.y.label}{f', {panel.y.unit}' if panel.y.unit else ''}; empty = not measured")
    widths(writer.sheet, [text_width(categories, least=14), *[12.0] * (writer.column - 1), 3], writer.left)
    series = tuple(found)
    return Block(panel, series, panel.x.label, "", None, writer.place(), writer.left + writer.column + 1)


def _owners(bars: Sequence[Bars]) -> list[Bars]:
    return sorted(bars, key=lambda one: int(np.flatnonzero(np.isfinite(one.values))[0]))


def _one_each(bars: Sequence[Bars]) -> Bars | None:
    """One series instead of many when each has a single bar and no two share a category: configurations."""
    filled = np.isfinite([one.values for one in bars])
    if len(bars) < 2 or (filled.sum(axis=1) != 1).any() or (filled.sum(axis=0) != 1).any():
        return None
    low, high = (
        _joined([getattr(one, end) if one.low.size else np.full(one.values.size, np.nan) for one in bars])
        for end in ("low", "high")
    )
    values = _joined([one.values for one in bars])
    ranged = np.isfinite(low).any()
    return Bars("", values, bars[0].look, low if ranged else np.empty(0), high if ranged else np.empty(0))


def _joined(parts: Sequence[FloatArray]) -> FloatArray:
    joined = np.full(parts[0].size, np.nan)
    for part in parts:
        known = np.isfinite(part)
        joined[known] = part[known]
    return joined


def _bar_series(
    writer: _Writer, bars: Bars, header: str, names: int, categories: Sequence[str],
    formula: Callable[[int], str | None],
) -> BlockSeries:  # fmt: skip
    count = len(categories)
    values = writer.head(header)
    for place, value in enumerate(bars.values.tolist()):
        linked = formula(place)
        if linked is not None:
            writer.results.put(writer.sheet, FIRST_ROW + place, values, linked, value, figure_format(value))
        else:
            put(writer.sheet, FIRST_ROW + place, values, value, writer.notes, figure_format(value))
    above = below = ""
    if bars.low.size:
        above, below = _ranges(writer, bars, values)
    return BlockSeries(
        writer.name(values), writer.area(names, count), writer.area(values, count), bars.look, points=count,
        above=above, below=below, values=tuple(bars.values.tolist()),
    )  # fmt: skip


def _ranges(writer: _Writer, bars: Bars, values: int) -> tuple[str, str]:
    """Lowest and highest, and how far they lie from the bar: what error bars are made of."""
    count = bars.values.size
    low, high = writer.numbers("lowest", bars.low, FIGURE), writer.numbers("highest", bars.high, FIGURE)
    below, above = writer.head("bar − lowest"), writer.head("highest − bar")
    bar, least, most = (get_column_letter(column) for column in (values, low, high))
    for place in range(count):
        at = FIRST_ROW + place
        mean = float(bars.values[place])
        writer.results.put(
            writer.sheet, at, below, f"{bar}{at}-{least}{at}", mean - float(bars.low[place]), FIGURE
        )
        writer.results.put(
            writer.sheet, at, above, f"{most}{at}-{bar}{at}", float(bars.high[place]) - mean, FIGURE
        )
    return writer.area(above, count), writer.area(below, count)


def _line_block(writer: _Writer, panel: Panel) -> Block:
    unit = time_unit(panel.x)
    curves, coarser = curves_of(panel.marks)
    series: list[BlockSeries] = []
    ends: list[float] = []
    for x, members in sharing_x(curves):
        scaled = x * unit.factor
        ends += [float(scaled[0]), float(scaled[-1])] if x.size else []
        across = writer.numbers(unit.label, scaled, unit.number_format)
        series += [_line_series(writer, across, curve) for curve in members]
    writer.note("; ".join([_spacing(panel, curves), *coarser, "empty = not measured"]))
    widths(writer.sheet, [*[13.0] * writer.column, 3], writer.left)
    limits = (min(ends), max(ends)) if ends else None
    return Block(
        panel,
        tuple(series),
        unit.label,
        unit.number_format,
        limits,
        writer.place(),
        writer.left + writer.column + 1,
    )


def _line_series(writer: _Writer, across: int, curve: Curve) -> BlockSeries:
    at = writer.numbers(curve.name, curve.y, FIGURE)
    count = curve.y.size
    return BlockSeries(
        writer.name(at), writer.area(across, count), writer.area(at, count), curve.look, curve.weight, count
    )


def _spacing(panel: Panel, curves: Sequence[Curve]) -> str:
    """What one point stands for: the trace's bins are means over their length."""
    quantity = f"{panel.y.label} ({panel.y.unit})" if panel.y.unit else panel.y.label
    steps = [
        float(np.median(np.diff(curve.x))) for curve in curves if curve.weight == "main" and curve.x.size > 1
    ]
    if not steps or panel.x.unit != "s":
        return quantity
    low, high = min(steps), max(steps)
    text = f"{low:.3g} s" if high - low < 0.01 * high else f"{low:.3g} to {high:.3g} s"
    return f"{quantity}; each point is the mean over {text}"
