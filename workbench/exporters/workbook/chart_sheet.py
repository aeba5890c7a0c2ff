"""A sheet of charts: section under section, each with its question, what is measured, and its charts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from openpyxl.drawing.spreadsheet_drawing import AnchorMarker, OneCellAnchor
from openpyxl.drawing.xdr import XDRPositiveSize2D
from openpyxl.utils import get_column_letter
from openpyxl.workbook import Workbook
from openpyxl.worksheet.hyperlink import Hyperlink
from openpyxl.worksheet.pagebreak import Break
from openpyxl.worksheet.worksheet import Worksheet

from workbench.charts.figure import Figure, Heatmap, Panel
from workbench.exporters.workbook.cells import (
    HEADING,
    PARAGRAPH,
    QUIET,
    TITLE,
    Notes,
    feet,
    page,
    put,
    widths,
)
from workbench.exporters.workbook.figure_block import FIRST_ROW, Block, Link, no_link, write_block
from workbench.exporters.workbook.formulas import Results
from workbench.exporters.workbook.names import quoted
from workbench.exporters.workbook.native_chart import chart_of, has_long_labels

COLUMNS, COLUMN_PX, ROW_PX = 18, 66, 20
CHART_ROWS = 15
# Marks the sheets of numbers, which stand at the end.
NUMBERS_TAB = "C3C8D0"
_EMU_PER_PX = 9_525
_GAP_PX = 8
# Excel's column width in characters of 7 px, of which 5 px are padding.
_COLUMN_WIDTH = (COLUMN_PX - 5) / 7
_PER_ROW = 3
# Rows of a landscape page at this scale, on A4 and on Letter.
_SCALE, _PAGE_ROWS = 76, 45


@dataclass(frozen=True, eq=False)
class Section:
    """Figures that answer one question: their panels stand side by side. `links` go with the figures."""

    figures: tuple[Figure, ...]
    links: tuple[Link, ...] = ()
    with_summary: bool = True


def add_chart_sheets(
    book: Workbook,
    name: str,
    data_name: str,
    title: str,
    sections: Sequence[Section],
    results: Results,
    notes: Notes,
) -> int:
    """Adds a sheet with the sections' charts and one with their numbers; returns how many charts."""
    sheet: Worksheet = book.create_sheet(name)
    data: Worksheet = book.create_sheet(data_name)
    put(sheet, 1, 1, title, notes, font=TITLE)
    widths(sheet, [_COLUMN_WIDTH] * COLUMNS)
    writer = _Sheets(sheet, data, results, notes)
    for section in sections:
        writer.add(section)
    _page(sheet, writer.row)
    _data_page(data)
    return writer.charts


@dataclass
class _Sheets:
    """The two sheets while they fill: charts downwards, numbers to the right."""

    sheet: Worksheet
    data: Worksheet
    results: Results
    notes: Notes
    row: int = 3
    page_start: int = 1
    column: int = 1
    charts: int = 0

    def add(self, section: Section) -> None:
        """One section below the last."""
        drawn = [(figure, link) for figure, link in self._pairs(section) if figure.panels]
        lead = drawn[0][0] if drawn else section.figures[0]
        panels = [
            (panel, figure, link) for figure, link in drawn for panel in figure.panels if _is_drawn(panel)
        ]
        self._break_before(panels)
        put(self.sheet, self.row, 1, lead.question, self.notes, font=HEADING)
        if not panels:
            self._line(self.row + 1, lead.empty)
            self.row += 3
            return
        self._line(self.row + 1, lead.caption)
        self.row += 2
        summary = " ".join(figure.summary for figure, _ in drawn if figure.summary)
        if section.with_summary and summary:
            self._line(self.row, summary)
            self.row += 1
        self._charts(panels)

    def _pairs(self, section: Section) -> list[tuple[Figure, Link]]:
        links = section.links or (no_link,) * len(section.figures)
        return list(zip(section.figures, links, strict=True))

    def _charts(self, panels: list[tuple[Panel, Figure, Link]]) -> None:
        for line in _lines(panels):
            span = COLUMNS // min(len(panels), _per_row(panels))
            height = max(_rows_of(panel) for panel, _, _ in line)
            for place, (panel, figure, link) in enumerate(line):
                block = write_block(
                    self.data, self.column, panel, figure.question, link, self.results, self.notes
                )
                self.column = block.next_column
                self._anchor(block, place * span, span, height)
            self.row += height + 2

    def _anchor(self, block: Block, column: int, span: int, rows: int) -> None:
        chart = chart_of(block)
        chart.anchor = OneCellAnchor(
            _from=AnchorMarker(col=column, row=self.row - 1),
            ext=XDRPositiveSize2D(
                (span * COLUMN_PX - _GAP_PX) * _EMU_PER_PX, (rows * ROW_PX - _GAP_PX) * _EMU_PER_PX
            ),
        )
        self.sheet.add_chart(chart)
        self.charts += 1
        text = f"Numbers: {self.data.title}, {block.place}"
        source = put(self.sheet, self.row + rows, column + 1, text, self.notes)
        place = f"{quoted(self.data.title)}!{block.place}"
        source.hyperlink = Hyperlink(ref=source.coordinate, location=place)
        source.font = QUIET

    def _line(self, row: int, text: str) -> None:
        """A line of text across the sheet, as high as it needs."""
        right = get_column_letter(COLUMNS)
        self.sheet.merge_cells(f"A{row}:{right}{row}")
        put(self.sheet, row, 1, text, self.notes, font=QUIET).alignment = PARAGRAPH
        self.sheet.row_dimensions[row].height = 14.0 * max(1, -(-len(text) // 185))

    def _break_before(self, panels: list[tuple[Panel, Figure, Link]]) -> None:
        """A new page where the section would be cut in two."""
        needed = 3 + sum(max(_rows_of(panel) for panel, _, _ in line) + 2 for line in _lines(panels))
        if self.row > 3 and self.row + needed - self.page_start > _PAGE_ROWS:
            self.sheet.row_breaks.append(Break(id=self.row - 1))
            self.page_start = self.row


def _lines(panels: list[tuple[Panel, Figure, Link]]) -> list[list[tuple[Panel, Figure, Link]]]:
    """The panels of a section, line by line."""
    count = _per_row(panels)
    return [panels[first : first + count] for first in range(0, len(panels), count)]


def _per_row(panels: list[tuple[Panel, Figure, Link]]) -> int:
    return 1 if any(has_long_labels(panel) for panel, _, _ in panels) else _PER_ROW


def _rows_of(panel: Panel) -> int:
    """The height of a panel's chart in rows: lying bars need room for each of their names."""
    return max(CHART_ROWS, 4 + 2 * len(panel.x.categories)) if has_long_labels(panel) else CHART_ROWS


def _is_drawn(panel: Panel) -> bool:
    """A heat map is a picture of the lines beside it; a workbook shows the lines."""
    return any(not isinstance(mark, Heatmap) for mark in panel.marks)


def _page(sheet: Worksheet, last: int) -> None:
    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.paperSize = sheet.PAPERSIZE_A4
    sheet.page_setup.scale = _SCALE
    sheet.print_area = f"A1:{get_column_letter(COLUMNS)}{last}"
    feet(sheet)


def _data_page(data: Worksheet) -> None:
    """The numbers are for looking up, not for printing; should they be printed, then across few pages."""
    data.sheet_properties.tabColor = NUMBERS_TAB
    data.freeze_panes = data.cell(FIRST_ROW, 1)
    page(data)
    data.sheet_view.showGridLines = True
