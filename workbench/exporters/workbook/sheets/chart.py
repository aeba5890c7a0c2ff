"""A sheet of answers: one question below the other, each with its caption, charts and tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from openpyxl.drawing.spreadsheet_drawing import AnchorMarker, OneCellAnchor
from openpyxl.drawing.xdr import XDRPositiveSize2D
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.pagebreak import Break
from openpyxl.worksheet.worksheet import Worksheet

from workbench.charts.figure import Axis, Bars, Figure, Panel, Region
from workbench.exporters.chart_plan import ChartPlan, paired, plans_of
from workbench.exporters.chart_series import time_unit
from workbench.exporters.workbook.cells import (
    HEADING,
    PAGE_LEGEND,
    PARAGRAPH,
    QUIET,
    STRONG,
    TITLE,
    clean,
    exported,
    page,
    put,
    quoted,
    widths,
)
from workbench.exporters.workbook.figure_block import PANEL_ROW, FigureBlock, Link, write_block
from workbench.exporters.workbook.making import Making
from workbench.exporters.workbook.native_chart import chart_of, title_from
from workbench.exporters.workbook.sheets.numbers import NumberSheet
from workbench.words.captions import as_sentences, definitions
from workbench.words.numbers import MINUS, marked, number

# The first row below title, legend and the link back.
_FIRST_ROW = 4
# The sheet whose first charts summarise a study.
LEADING = "IOPS"
COLUMNS, COLUMN_PX, ROW_PX = 18, 66, 20
WIDTH_PX = COLUMNS * COLUMN_PX
CHART_ROWS = 14
_EMU_PER_PX = 9_525
_GAP_PX = 8
# Excel's column width is in characters of 7 px, plus 5 px of padding.
_CHAR_PX, _PADDING_PX = 7, 5
_GRID = tuple([(COLUMN_PX - _PADDING_PX) / _CHAR_PX] * COLUMNS)
_PER_ROW = 3
# Characters of a line across the sheet.
_LETTERS = 180
# Number of columns after which another sheet of numbers begins (Excel has 16,384), and characters of a chart's
# description.
_MOST_COLUMNS, _MOST_WORDS = 14_000, 1_000
# Ratio of height to width of a landscape page without margins and footer, for A4 and for Letter.
_PAGE_SHAPE = 0.63

Drawn = tuple[tuple[ChartPlan, ...], Figure, Link]


@dataclass(frozen=True, eq=False)
class SheetSection:
    """Figures that answer one question; their panels are side by side. `links` belong to the figures."""

    figures: tuple[Figure, ...]
    links: tuple[Link, ...] = ()
    with_summary: bool = True


@dataclass
class Sheet:
    """A sheet while it is filled from top to bottom. The numbers of its charts are on separate sheets. `columns` are
    widths.

    `has_inputs`: its charts follow inputs that the reader changes, so Excel chooses the ends of their axes.
    """

    making: Making
    sheet: Worksheet
    columns: Sequence[float] = _GRID
    row: int = _FIRST_ROW
    page_start: int = 1
    has_inputs: bool = False
    numbers: NumberSheet | None = None
    next_column: int = 1
    edges: list[float] = field(default_factory=lambda: [0.0])

    def __post_init__(self) -> None:
        """Set the widths of the columns."""
        widths(self.sheet, self.columns)
        self.edges = [0.0]
        for width in self.columns:
            self.edges.append(self.edges[-1] + round(_CHAR_PX * width + _PADDING_PX))

    def title(self, text: str, legend: str = PAGE_LEGEND) -> None:
        """Write the full name of the sheet in the first row, and the text that depends on inputs in the second."""
        put(self.sheet, 1, 1, text, self.making.notes, font=TITLE)
        put(self.sheet, 2, 1, legend, self.making.notes, font=QUIET)

    def add(self, section: SheetSection, between: Callable[[], None] | None = None, rows: int = 0) -> None:
        """Add one question below the last: its words, the rows of `between`, then its charts."""
        links = section.links or (self.making.link(),) * len(section.figures)
        drawn = [(figure, link) for figure, link in zip(section.figures, links, strict=True) if figure.panels]
        lead = drawn[0][0] if drawn else section.figures[0]
        parts = [(plans, figure, link) for figure, link in drawn for plans in paired(plans_of(figure))]
        self.break_before(_height(parts) + rows)
        self.question(lead.question)
        if not parts:
            self.line(lead.empty)
            self.row += 1
            return
        self.line(lead.caption)
        summary = " ".join(figure.summary for figure, _ in drawn if figure.summary)
        # The description of a chart has a longer one.
        if section.with_summary and len(summary) <= 2 * _LETTERS:
            self.line(summary)
        if between is not None:
            between()
        self.charts(parts)
        self.lines(lead.method)

    def question(self, text: str) -> None:
        """Write a heading."""
        self.making.put_sentence(self.sheet, self.row, text, HEADING)
        self.row += 1

    def line(self, text: str) -> None:
        """Write a line of text across the sheet, as high as it needs."""
        if not text:
            return
        last = next((index for index, edge in enumerate(self.edges) if edge >= WIDTH_PX), len(self.columns))
        self.sheet.merge_cells(f"A{self.row}:{get_column_letter(max(1, last))}{self.row}")
        cell = put(self.sheet, self.row, 1, text, self.making.notes, font=QUIET)
        cell.alignment = PARAGRAPH
        self.sheet.row_dimensions[self.row].height = 14.0 * max(1, -(-len(text) // _LETTERS))
        self.row += 1

    def lines(self, texts: Sequence[str]) -> None:
        """Write the sentences of a method, each on its own line of the sheet: a long paragraph is hard to read."""
        for text in definitions(texts):
            self.line(text)

    def charts(self, parts: Sequence[Drawn]) -> None:
        """Add the charts side by side, with their numbers on this sheet's sheet of numbers."""
        leads: list[tuple[list[FigureBlock], str]] = []
        for at, line in enumerate(_lines(parts)):
            numbers = self._numbers()
            span = WIDTH_PX / min(len(parts), _per_row(parts))
            height = max(_rows_of(part) for part in line)
            if at:
                self.break_before(height + 2)
            places: list[str] = []
            shaded: list[str] = []
            for index, (plans, figure, link) in enumerate(line):
                blocks, first = [], self.next_column
                for plan in plans:
                    left = self.next_column
                    blocks.append(write_block(numbers, left, plan, figure.question, link, self.making.notes))
                    self.next_column = blocks[-1].next_column
                self._place(blocks, figure, index * span, span, height, (numbers, first))
                leads.append((blocks, words_of(blocks, figure)))
                places.append(_area(blocks))
                shaded.extend(_regions(blocks[0].plan.panel))
            self.row += height
            # One caption for all: separate captions under the charts would run into each other.
            self.line(as_sentences((_used(places, numbers.title), _shaded(shaded))))
            self.row += 1
        kind, label = self.making.kinds.get(self.sheet.title, ("", ""))
        # Without runs, the first chart of another page leads; on the sheet of the runs, that of the last phase.
        self.making.leads.setdefault(label, leads[-1 if kind == LEADING else 0])

    def _numbers(self) -> NumberSheet:
        """The sheet of numbers; another one if the columns of the first are used up."""
        if self.numbers is None or self.next_column > _MOST_COLUMNS:
            self.numbers, self.next_column = self.making.number_sheet(f"{self.sheet.title[:24]} data"), 1
        return self.numbers

    def _place(
        self,
        blocks: Sequence[FigureBlock],
        figure: Figure,
        left: float,
        span: float,
        rows: int,
        numbers: tuple[NumberSheet, int],
    ) -> None:
        chart = chart_of(blocks, span - _GAP_PX, rows * ROW_PX - _GAP_PX)
        if self.has_inputs:
            chart.y_axis.scaling.max = chart.y_axis.majorUnit = None
        words = blocks[0].plan.title
        if formula := self.making.dated_title(self.sheet, words):
            # Its curves are numbers, so its title names the quantity.
            behind, column = numbers
            cell = self.making.results.put_text(behind.sheet, PANEL_ROW, column, formula, exported(words))
            cell.font = STRONG
            place = f"{quoted(behind.title)}!${get_column_letter(column)}${PANEL_ROW}"
            chart.title = title_from(place, exported(words), 1100)
        column = max(index for index, edge in enumerate(self.edges) if edge <= left + 0.5)
        column = min(column, len(self.columns) - 1)
        offset = round((left - self.edges[column]) * _EMU_PER_PX)
        size = XDRPositiveSize2D(round((span - _GAP_PX) * _EMU_PER_PX), (rows * ROW_PX - _GAP_PX) * _EMU_PER_PX)
        chart.anchor = OneCellAnchor(_from=AnchorMarker(col=column, colOff=offset, row=self.row - 1), ext=size)
        self.making.add_chart(self.sheet, chart, words_of(blocks, figure))

    def break_before(self, rows: int) -> None:
        """Begin a new page if this number of rows would be split."""
        most = int(self.edges[-1] * _PAGE_SHAPE / ROW_PX)
        if self.row > _FIRST_ROW and self.row + rows - self.page_start > most:
            self.sheet.row_breaks.append(Break(id=self.row - 1))
            self.page_start = self.row

    def finish(self) -> None:
        """Set page set-up and print area, after everything is on the sheet."""
        page(self.sheet)
        right = max(len(self.columns), self.sheet.max_column)
        self.sheet.print_area = f"A1:{get_column_letter(right)}{max(self.row, self.sheet.max_row)}"


def words_of(blocks: Sequence[FigureBlock], figure: Figure) -> str:
    """A chart in words, for people who cannot see it: its question, its title and the summary of the figure. The title
    is left out if it is a configuration, or if the first sentence of the summary has it."""
    plan = blocks[0].plan
    # The head of a page may be an answer, which the summary repeats.
    asked = "" if figure.summary.startswith(figure.question) else figure.question
    asked += "." * bool(asked and asked[-1] not in ".?!")
    title = plan.title or plan.panel.y.label
    first = figure.summary.partition(". ")[0].casefold()
    head = "" if plan.panel.look is not None or title.casefold() in first else f"{title}."
    return clean(" ".join(filter(None, (asked, head, figure.summary))))[:_MOST_WORDS]


def _area(blocks: Sequence[FigureBlock]) -> str:
    return f"{blocks[0].place.split(':')[0]}:{blocks[-1].place.split(':')[1]}"


def _used(places: Sequence[str], title: str) -> str:
    """The cells of the charts side by side."""
    cells = " and ".join(filter(None, (", ".join(places[:-1]), places[-1])))
    return f"The chart{'s use' if len(places) > 1 else ' uses'} the cells {cells} of the hidden sheet '{title}'"


def _span(region: Region, axis: Axis) -> str:
    """Where a region begins and ends: `0 to 30 min`."""
    if axis.unit == "clock":
        start, end = (f"{int(edge // 3600) % 24:02}:{int(edge // 60) % 60:02}" for edge in (region.start, region.end))
        return f"{start} to {end}"
    seconds = axis.unit == "s" and axis.scale == "linear"
    start, end = (_short(edge * time_unit(axis).factor) for edge in (region.start, region.end))
    return f"{start} to {end}" + " min" * seconds


def _short(value: float) -> str:
    """The number with three digits, without zeros at its end."""
    return marked(f"{value:.3g}".replace("-", MINUS)) if abs(value) < 1000 else number(value)


def _regions(panel: Panel) -> list[str]:
    """The shaded regions in words, each with its place if the words do not end with it."""
    placed = panel.x.categories
    return [
        region.words if placed or region.words.endswith(")") else f"{region.words} ({_span(region, panel.x)})"
        for region in panel.regions
    ]


def _shaded(regions: Sequence[str]) -> str:
    """The regions of all charts of a line, because Excel cannot shade the background of a chart."""
    return f"Shaded in VDI Workbench, but not here: {', '.join(dict.fromkeys(regions))}" if regions else ""


def _lines(parts: Sequence[Drawn]) -> list[Sequence[Drawn]]:
    """The charts of a section, line by line."""
    count = _per_row(parts)
    return [parts[first : first + count] for first in range(0, len(parts), count)]


def _per_row(parts: Sequence[Drawn]) -> int:
    return 1 if any(plan.lying for plans, _, _ in parts for plan in plans) else _PER_ROW


def _rows_of(part: Drawn) -> int:
    """The height of a chart in rows: horizontal bars need room for each name."""
    plan = part[0][0]
    bars = sum(isinstance(mark, Bars) for mark in plan.panel.marks)
    needed = 4 + (2 if bars < 3 else 3) * len(plan.categories)
    return max(CHART_ROWS, min(needed, 60)) if plan.lying else CHART_ROWS


def _height(parts: Sequence[Drawn]) -> int:
    return 3 + sum(max(_rows_of(part) for part in line) + 2 for line in _lines(parts)) if parts else 3
