"""Writes the plan of a chart into cells, from which the chart is drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from openpyxl.utils import get_column_letter

from workbench.charts.figure import Axis, Bars, FloatArray, Mark, Panel
from workbench.exporters.chart_plan import ChartPlan
from workbench.exporters.chart_series import PlanSeries, finite, time_unit
from workbench.exporters.workbook.cells import (
    FIGURE,
    HEADER_FILL,
    HEADER_NUMBER,
    HEADER_TEXT,
    HEADING,
    PLAIN,
    QUIET,
    RULE,
    STRONG,
    Notes,
    exported,
    figure_format,
    in_a_row,
    put,
    quoted,
    text_width,
    widths,
)
from workbench.exporters.workbook.sheets.numbers import NumberSheet
from workbench.model.problem import begun
from workbench.words.captions import as_sentences
from workbench.words.numbers import marked, number
from workbench.words.translated import spoken_words

_FOR_ALL = ("An empty cell means 'not measured'", PLAIN)
QUESTION_ROW, PANEL_ROW, NOTE_ROW, HEADER_ROW, FIRST_ROW = 1, 2, 3, 4, 5

# (panel, bars, index of the category) -> the formula of a bar; None for a plain number.
Link = Callable[[Panel, Bars, int], str | None]


@dataclass(frozen=True, slots=True)
class SeriesCells:
    """The cells of one series of a chart. Every reference is absolute and includes its sheet. `above` and `below` are
    the lengths of its error bars ("": none)."""

    name: str
    x: str
    y: str
    above: str = ""
    below: str = ""


@dataclass(frozen=True, eq=False)
class FigureBlock:
    """The cells of a plan: those of its series, and the whole range as text for users."""

    plan: ChartPlan
    cells: tuple[SeriesCells, ...]
    place: str
    next_column: int


def write_block(sheet: NumberSheet, left: int, plan: ChartPlan, question: str, link: Link, notes: Notes) -> FigureBlock:
    """Write the numbers of the plan from column `left` on; returns their cells."""
    panel, writer = plan.panel, _Writer(sheet, left, notes)
    if any(np.isinf(values).any() for mark in panel.marks for values in _values(mark)):
        notes.infinite(sheet.title, f"{get_column_letter(left)}{HEADER_ROW}")
    put(sheet.sheet, QUESTION_ROW, left, question, notes, font=HEADING)
    put(sheet.sheet, PANEL_ROW, left, _title(panel), notes, font=STRONG)
    cells = _over_names(writer, plan, link) if plan.categories else _over_numbers(writer, plan)
    return FigureBlock(plan, tuple(cells), writer.place(), writer.left + writer.column + 1)


def _title(panel: Panel) -> str:
    """Text like `MCS. 180 logons in 3 runs; p95 15.7 s`."""
    facts = begun(in_a_row(panel.subtitle))
    return f"{spoken_words(panel.heading)}. {facts}" if panel.heading and facts else panel.heading or facts


@dataclass
class _Writer:
    """Writes one block of cells, column by column."""

    sheet: NumberSheet
    left: int
    notes: Notes
    column: int = 0
    deepest: int = FIRST_ROW

    def head(self, text: str, numeric: bool = True) -> int:
        """Begin the next column; returns its number."""
        at = self.left + self.column
        cell = put(self.sheet.sheet, HEADER_ROW, at, text, self.notes, font=STRONG)
        cell.fill, cell.border = HEADER_FILL, RULE
        cell.alignment = HEADER_NUMBER if numeric else HEADER_TEXT
        self.column += 1
        return at

    def numbers(self, text: str, values: FloatArray, number_format: str) -> int:
        """Write a column of numbers; NaN becomes an empty cell."""
        at = self.head(text)
        self.sheet.floats(at, finite(values).tolist(), number_format)
        self.deepest = max(self.deepest, FIRST_ROW + len(values) - 1)
        return at

    def area(self, column: int, count: int, first: int = FIRST_ROW) -> str:
        """The absolute reference of `count` cells of a column."""
        letter = get_column_letter(column)
        return f"{quoted(self.sheet.title)}!${letter}${first}:${letter}${first + max(count, 1) - 1}"

    def name(self, column: int) -> str:
        """The absolute reference of the header of a column."""
        return f"{quoted(self.sheet.title)}!${get_column_letter(column)}${HEADER_ROW}"

    def place(self) -> str:
        """The whole range as text for users."""
        right = get_column_letter(self.left + self.column - 1)
        return f"{get_column_letter(self.left)}{HEADER_ROW}:{right}{self.deepest}"

    def note(self, lines: Sequence[str]) -> None:
        """Write the line above the header. The first block of a sheet has the note for all of them."""
        lines = (*lines, *(_FOR_ALL if self.left == 1 else ()))
        text = as_sentences(lines) if len(lines) > 1 else lines[0]
        put(self.sheet.sheet, NOTE_ROW, self.left, text, self.notes, font=QUIET)

    def formula(self, index: int, column: int, formula: str, value: float, number_format: str) -> None:
        """Write a formula instead of a value."""
        self.sheet.formula(FIRST_ROW + index, column, formula, value, number_format)


def _values(mark: Mark) -> list[FloatArray]:
    """Every array of numbers in a mark."""
    generator = (getattr(mark, name, None) for name in ("x", "y", "values", "low", "high"))
    return [part for part in generator if isinstance(part, np.ndarray)]


def _over_names(writer: _Writer, plan: ChartPlan, link: Link) -> list[SeriesCells]:
    """Write bars, lines and dots over names."""
    names, count = plan.categories, len(plan.categories)
    column = writer.head(plan.x.title or "Configuration", numeric=False)
    writer.sheet.numbers(column, names, "", writer.notes)
    writer.deepest = FIRST_ROW + count - 1
    across = writer.area(column, count)
    cells: list[SeriesCells] = []
    for series in plan.series:
        if series.owners:
            cells.append(_bar_cells(writer, plan.panel, series, across, link))
        elif series.kind == "total":
            cells.append(_total_cells(writer, series, across, len(cells)))
        else:
            cells.append(_value_cells(writer, series, across))
    axis = plan.panel.y
    writer.note((_quantity(axis),))
    widths(writer.sheet.sheet, [text_width(names, least=14), *[12.0] * (writer.column - 1), 3], writer.left)
    return cells


def _value_cells(writer: _Writer, series: PlanSeries, across: str) -> SeriesCells:
    column = writer.numbers(series.head, series.values, FIGURE)
    return SeriesCells(writer.name(column), across, writer.area(column, series.values.size))


def _total_cells(writer: _Writer, series: PlanSeries, across: str, bars: int) -> SeriesCells:
    """Write the sums of the `bars` columns before this one. A sum of exported values is an exported value too."""
    column = writer.numbers(series.head, series.values, FIGURE)
    first, last = get_column_letter(column - bars), get_column_letter(column - 1)
    for index, value in enumerate(series.values.tolist()):
        at = FIRST_ROW + index
        if np.isfinite(value) and all((at, column - bar) in writer.sheet.formulas for bar in range(1, bars + 1)):
            writer.formula(index, column, f"SUM({first}{at}:{last}{at})", value, figure_format(value))
    return SeriesCells(writer.name(column), across, writer.area(column, series.values.size))


def _bar_cells(writer: _Writer, panel: Panel, series: PlanSeries, across: str, link: Link) -> SeriesCells:
    values = series.values
    column = writer.numbers(series.head, values, figure_format(_least(values)))
    for index, value in enumerate(values.tolist()):
        formula = link(panel, series.owner(index), index) if np.isfinite(value) else None
        if formula is not None:
            writer.formula(index, column, formula, value, figure_format(value))
    above, below = _ranges(writer, series, column) if series.low.size else ("", "")
    return SeriesCells(writer.name(column), across, writer.area(column, values.size), above, below)


def _least(values: FloatArray) -> float:
    """The number closest to 0, which needs the most decimals."""
    sizes = np.abs(values[np.isfinite(values) & (values != 0)])
    return float(sizes.min()) if sizes.size else 0.0


def _ranges(writer: _Writer, series: PlanSeries, values: int) -> tuple[str, str]:
    """Write the lowest and highest values and their distances from the bar, which the error bars use."""
    count = series.values.size
    low = writer.numbers("lowest", series.low, FIGURE)
    high = writer.numbers("highest", series.high, FIGURE)
    below, above = (writer.head(exported(name)) for name in ("lower error bar", "upper error bar"))
    bar, least, most = (get_column_letter(column) for column in (values, low, high))
    for index in range(count):
        at = FIRST_ROW + index
        writer.formula(index, below, f"{bar}{at}-{least}{at}", float(series.below[index]), FIGURE)
        writer.formula(index, above, f"{most}{at}-{bar}{at}", float(series.above[index]), FIGURE)
    return writer.area(above, count), writer.area(below, count)


def _over_numbers(writer: _Writer, plan: ChartPlan) -> list[SeriesCells]:
    unit = time_unit(plan.panel.x)
    cells: list[SeriesCells] = []
    known, across = None, ""
    for series in plan.series:
        # Series with equal x share its column.
        if series.x is not known:
            known, count = series.x, series.x.size
            across = writer.area(writer.numbers(unit.label, known, unit.number_format), count)
        cells.append(_value_cells(writer, series, across))
    writer.note((*_spacing(plan, 1 / unit.factor), *plan.coarser))
    widths(writer.sheet.sheet, [*[13.0] * writer.column, 3], writer.left)
    return cells


def _quantity(axis: Axis) -> str:
    """The label of the axis with its unit, if the label does not contain it."""
    return f"{axis.label} ({axis.unit})" if axis.unit and axis.unit not in axis.label.split() else axis.label


def _spacing(plan: ChartPlan, seconds: float) -> tuple[str, ...]:
    """The quantity of y, for traces with the time of one point: their bins are means over their length."""
    quantity = _quantity(plan.panel.y)
    steps = [
        float(np.median(np.diff(series.x))) * seconds
        for series in plan.series
        if series.kind == "main" and series.x.size > 1
    ]
    # Only traces have sources. Other curves over time connect single sessions or numbers of sessions.
    if not steps or not plan.panel.sources:
        return (quantity,)
    low, high = min(steps), max(steps)
    words = [marked(f"{step:.3g}") if step < 1000 else number(step) for step in (low, high)]
    text = f"{words[0]} s" if high - low < 0.01 * high else f"{words[0]} to {words[1]} s"
    return quantity, f"Each point is the mean over {text}"
