"""A panel of a Figure becomes an area of cells: what its chart is drawn from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from openpyxl.utils import get_column_letter

from workbench.charts.figure import Bars, FloatArray, Look, Mark, Panel
from workbench.exporters.curves import Curve, Weight, curves_of, sharing_x, time_unit
from workbench.exporters.workbook.cells import (
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
from workbench.exporters.workbook.named_curves import over_names
from workbench.exporters.workbook.names import quoted
from workbench.exporters.workbook.stream import NumberSheet, Results

QUESTION_ROW, PANEL_ROW, NOTE_ROW, HEADER_ROW, FIRST_ROW = 1, 2, 3, 4, 5

# (panel, bars, place of the category) -> the formula of a bar, None where it is a plain number.
Link = Callable[[Panel, Bars, int], str | None]


@dataclass(frozen=True, slots=True)
class BlockSeries:
    """Where one series of a chart has its cells; every reference is absolute, with its sheet. `bar` False: a
    line over the same names, or over numbers."""

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
    bar: bool = False
    label: str = ""


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


def no_link(_panel: Panel, _bars: Bars, _place: int) -> str | None:
    """Every bar is a plain number."""
    return None


def write_block(
    sheet: NumberSheet, left: int, panel: Panel, question: str, link: Link, results: Results, notes: Notes
) -> Block:
    """Writes the panel's numbers from column `left` on and returns where they are."""
    bars = [mark for mark in panel.marks if isinstance(mark, Bars)]
    writer = _Writer(sheet, left, results, notes)
    if any(np.isinf(values).any() for mark in panel.marks for values in _values(mark)):
        notes.infinite(sheet.title, f"{get_column_letter(left)}{HEADER_ROW}")
    put(sheet.sketch, QUESTION_ROW, left, question, notes, font=HEADING)
    title = " · ".join(text for text in (panel.title, panel.subtitle) if text)
    put(sheet.sketch, PANEL_ROW, left, title, notes, font=STRONG)
    return _named_block(writer, panel, bars, link) if panel.x.categories else _line_block(writer, panel)


@dataclass
class _Writer:
    """The cells of one block, column by column."""

    sheet: NumberSheet
    left: int
    results: Results
    notes: Notes
    column: int = 0
    deepest: int = FIRST_ROW

    def head(self, text: str, numeric: bool = True) -> int:
        """Starts the next column; returns its number."""
        at = self.left + self.column
        cell = put(self.sheet.sketch, HEADER_ROW, at, text, self.notes, font=STRONG)
        cell.fill, cell.border = HEADER_FILL, RULE
        cell.alignment = HEADER_NUMBER if numeric else HEADER_TEXT
        self.column += 1
        return at

    def numbers(self, text: str, values: FloatArray, number_format: str) -> int:
        """A column of numbers; NaN stays an empty cell."""
        at = self.head(text)
        self.sheet.floats(at, _finite(values).tolist(), number_format)
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
        put(self.sheet.sketch, NOTE_ROW, self.left, text, self.notes, font=QUIET)

    def formula(self, place: int, column: int, formula: str, value: float, number_format: str) -> None:
        """A formula in the place of a value."""
        self.sheet.formula(FIRST_ROW + place, column, formula, value, number_format, self.results)


def _values(mark: Mark) -> list[FloatArray]:
    """Every array of numbers of a mark."""
    found = (getattr(mark, name, None) for name in ("x", "y", "values", "low", "high"))
    return [one for one in found if isinstance(one, np.ndarray)]


def _finite(values: FloatArray) -> FloatArray:
    """Infinities are no number of a sheet: they are left out as what is missing."""
    return np.where(np.isfinite(values), values, np.nan)


def _named_block(writer: _Writer, panel: Panel, bars: Sequence[Bars], link: Link) -> Block:
    """Bars, and lines and dots, over names."""
    categories = panel.x.categories
    names = writer.head(panel.x.label or "Configuration", numeric=False)
    writer.sheet.numbers(names, categories, "", writer.notes)
    writer.deepest = FIRST_ROW + len(categories) - 1
    unit = f"{panel.y.label} ({panel.y.unit})" if panel.y.unit not in ("", "IOPS") else panel.y.label
    merged = _one_each(bars)
    if merged is not None:
        owners = _owners(bars)
        series = _bar_series(
            writer, merged, unit, names, len(categories), lambda at: link(panel, _at(owners, at), at)
        )
        found = [replace(series, point_looks=tuple(one.look for one in owners))]
    else:
        found = [
            _bar_series(writer, one, one.name, names, len(categories),
                        lambda at, one=one: link(panel, one, at))  # type: ignore[misc]
            for one in bars
        ]  # fmt: skip
    for curve in over_names(panel.marks, len(categories)):
        column = writer.numbers(curve.name, curve.y, FIGURE)
        found.append(
            BlockSeries(writer.name(column), writer.area(names, len(categories)),
                        writer.area(column, len(categories)), curve.look, curve.weight, len(categories),
                        label=curve.name)
        )  # fmt: skip
    writer.note(f"{panel.y.label}{f', {panel.y.unit}' if panel.y.unit else ''}; empty = not measured")
    widths(
        writer.sheet.sketch, [text_width(categories, least=14), *[12.0] * (writer.column - 1), 3], writer.left
    )
    return Block(
        panel, tuple(found), panel.x.label, "", None, writer.place(), writer.left + writer.column + 1
    )


def _at(owners: Sequence[Bars], place: int) -> Bars:
    return next(one for one in owners if np.isfinite(one.values[place]))


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
    writer: _Writer, bars: Bars, header: str, names: int, count: int, formula: Callable[[int], str | None]
) -> BlockSeries:
    values = writer.numbers(header, bars.values, figure_format(_least(bars.values)))
    for place, value in enumerate(bars.values.tolist()):
        linked = formula(place) if np.isfinite(value) else None
        if linked is not None:
            writer.formula(place, values, linked, value, figure_format(value))
    above = below = ""
    if bars.low.size:
        above, below = _ranges(writer, bars, values)
    return BlockSeries(
        writer.name(values), writer.area(names, count), writer.area(values, count), bars.look, points=count,
        above=above, below=below, values=tuple(bars.values.tolist()), bar=True, label=bars.name,
    )  # fmt: skip


def _least(values: FloatArray) -> float:
    """The number nearest to 0, which needs the most decimals."""
    sizes = np.abs(values[np.isfinite(values) & (values != 0)])
    return float(sizes.min()) if sizes.size else 0.0


def _ranges(writer: _Writer, bars: Bars, values: int) -> tuple[str, str]:
    """Lowest and highest, and how far they lie from the bar: what error bars are made of."""
    count = bars.values.size
    low, high = writer.numbers("lowest", bars.low, FIGURE), writer.numbers("highest", bars.high, FIGURE)
    below, above = writer.head("bar − lowest"), writer.head("highest − bar")
    bar, least, most = (get_column_letter(column) for column in (values, low, high))
    for place in range(count):
        at = FIRST_ROW + place
        mean, lowest, highest = (float(ends[place]) for ends in (bars.values, bars.low, bars.high))
        writer.formula(place, below, f"{bar}{at}-{least}{at}", mean - lowest, FIGURE)
        writer.formula(place, above, f"{most}{at}-{bar}{at}", highest - mean, FIGURE)
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
    widths(writer.sheet.sketch, [*[13.0] * writer.column, 3], writer.left)
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
        writer.name(at), writer.area(across, count), writer.area(at, count), curve.look, curve.weight, count,
        label=curve.name,
    )  # fmt: skip


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
