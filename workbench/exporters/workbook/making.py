"""The workbook while it fills: its sheets, the results of its formulas, what had to be changed on the way.

What every sheet has on screen and on paper: a way back to the first sheet, a head, rows that Excel accepts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from openpyxl import Workbook
from openpyxl.styles import Font
from openpyxl.worksheet.hyperlink import Hyperlink
from openpyxl.worksheet.worksheet import Worksheet

from workbench.charts.figure import Bars, FigureSource, Panel
from workbench.exporters.safe_file import alone
from workbench.exporters.workbook.cells import INPUT, Notes, page, put, quoted, sheet_name
from workbench.exporters.workbook.figure_block import FIRST_ROW, FigureBlock, Link
from workbench.exporters.workbook.sheets.numbers import NumberSheet, Results
from workbench.exporters.workbook.sheets.plan_cells import PlanCells

T = TypeVar("T")
# Marks the sheets of numbers, which stand at the end.
NUMBERS_TAB = "C3C8D0"
# (source, value) -> the formula that gives the value, None where the workbook has none.
FindFormula = Callable[[FigureSource, float], str | None]


def nothing_found(_source: FigureSource, _value: float) -> str | None:
    """Every number is a plain one."""
    return None


def no_value(_source: FigureSource) -> float | None:
    """No figure is known."""
    return None


@dataclass
class Making:
    """One workbook. `formula_of` leads a number to the cells that it is made from, `value_of` a source to its number;
    `taken` are names of sheets that stand elsewhere, `told` what several studies share and stands already, `missing`
    sentences on sheets that failed. `codes` are the short names of studies (`S1`) that begin the names of their sheets,
    `kinds` what each sheet is and of which study, `leads` the chart (cells, words) that each study is summed up by,
    `words` what the charts of each sheet show, in their order, `plans` where the sizing plan of each study stands,
    `shapes` charts with the part of what stands over them."""

    book: Workbook
    results: Results = field(default_factory=Results)
    numbers: list[NumberSheet] = field(default_factory=list)
    notes: Notes = field(default_factory=Notes)
    formula_of: FindFormula = nothing_found
    value_of: Callable[[FigureSource], float | None] = no_value
    charts: int = 0
    tables: int = 0
    taken: tuple[str, ...] = ()
    told: set[str] = field(default_factory=set)
    missing: list[str] = field(default_factory=list)
    codes: Mapping[str, str] = field(default_factory=dict)
    kinds: dict[str, tuple[str, str]] = field(default_factory=dict)
    leads: dict[str, tuple[Sequence[FigureBlock], str]] = field(default_factory=dict)
    words: dict[str, list[str]] = field(default_factory=dict)
    plans: dict[str, PlanCells] = field(default_factory=dict)
    shapes: list[tuple[Any, bytes]] = field(default_factory=list)

    def alone(self, kind: str, label: str, write: Callable[[], T], default: T, begun: Worksheet | None = None) -> T:
        """What `write` returns, which adds sheets, or fills one that was `begun`. Where it fails they go, and one sheet
        says so in their place; `missing` has the sentence, too."""
        sheets = {sheet.title for sheet in self.book.worksheets if sheet is not begun}
        numbers, charts, names = len(self.numbers), self.charts, set(self.book.defined_names)
        shapes = len(self.shapes)

        def failed(words: str) -> T:
            self.leads.pop(label, None)
            for title in set(self.book.sheetnames) - sheets:
                self.results.values.pop(title, None)
                self.words.pop(title, None)
                del self.book[title]
            for name in set(self.book.defined_names) - names:
                del self.book.defined_names[name]
            del self.numbers[numbers:], self.shapes[shapes:]
            self.charts = charts
            self.missing.append(words)
            sheet = self.sheet(kind, label)
            put(sheet, 1, 1, words, self.notes)
            page(sheet)
            return default

        return alone(f"{kind}: {label}" if label else kind, write, failed)

    def sheet(self, kind: str, label: str = "") -> Worksheet:
        """A new sheet at the end; `label` is the name of its study where there are several."""
        name = sheet_name(kind, self.codes.get(label, label), self.book.sheetnames)
        sheet: Worksheet = self.book.create_sheet(name)
        self.kinds[sheet.title] = kind, label
        return sheet

    def number_sheet(self, kind: str, first_row: int = FIRST_ROW) -> NumberSheet:
        """A new sheet of numbers: hidden, for they are for looking up; should it be printed, then across few pages."""
        sheet = self.book.create_sheet(sheet_name(kind, "", [*self.book.sheetnames, *self.taken]))
        sheet.sheet_state = "hidden"
        sheet.sheet_properties.tabColor = NUMBERS_TAB
        sheet.freeze_panes = f"A{first_row}"
        page(sheet)
        sheet.sheet_view.showGridLines = True
        self.numbers.append(NumberSheet(sheet, first_row))
        return self.numbers[-1]

    def add_chart(self, sheet: Worksheet, chart: Any, words: str) -> None:
        """Puts a chart on a sheet, with what it shows in words."""
        sheet.add_chart(chart)
        self.words.setdefault(sheet.title, []).append(words)
        self.charts += 1

    def formula(
        self, sheet: Worksheet, source: FigureSource | None, value: float, of_decider: bool = True
    ) -> str | None:
        """The formula of a number on the sheet of a study's page; None where the workbook has none. `of_decider`: also
        of the step of a sizing plan that decides now."""
        if source is None:
            return None
        plan = self.plans.get(self.kinds.get(sheet.title, ("", ""))[1])
        planned = plan.formula(source, value, of_decider) if plan is not None else None
        return planned or self.formula_of(source, value)

    def live_sentence(self, sheet: Worksheet, text: str) -> str:
        """The formula of a sentence that names an input of the sizing plan; empty for any other."""
        plan = self.plans.get(self.kinds.get(sheet.title, ("", ""))[1])
        return plan.live(text) if plan is not None else ""

    def dated_title(self, sheet: Worksheet, text: str) -> str:
        """The formula of a chart's title that names an input of the sizing plan; empty for any other."""
        plan = self.plans.get(self.kinds.get(sheet.title, ("", ""))[1])
        return plan.dated(text) if plan is not None else ""

    def put_sentence(self, sheet: Worksheet, row: int, text: str, font: Font) -> None:
        """A sentence in the first column; it follows the inputs of the sizing plan that it names."""
        formula = self.live_sentence(sheet, text)
        if formula:
            self.results.put_text(sheet, row, 1, formula, text).font = font
        else:
            put(sheet, row, 1, text, self.notes, font=font)

    def is_numbers(self, name: str) -> bool:
        """Whether the sheet holds the numbers behind a chart."""
        return any(numbers.title == name for numbers in self.numbers)

    def table_name(self, base: str) -> str:
        """A name for an Excel table, unlike every other name of the workbook."""
        self.tables += 1
        kept = "".join(char if char.isascii() and char.isalnum() else "_" for char in base).strip("_")
        return f"{kept or 'Table'}_{self.tables}"

    def link(self) -> Link:
        """Bars lead to the cells of the figures that they are the means of."""

        def formula(_panel: Panel, bars: Bars, index: int) -> str | None:
            source = bars.sources[index] if index < len(bars.sources) else None
            return None if source is None else self.formula_of(source, float(bars.values[index]))

        return formula


def order_sheets(book: Workbook, rank: Callable[[str], tuple[int, ...]]) -> None:
    """Puts the sheets in the order of the places of their names; those of one place stay as they are."""
    for at, sheet in enumerate(sorted(book.worksheets, key=lambda sheet: rank(sheet.title))):
        book.move_sheet(sheet, at - book.index(sheet))


# Excel's own limit for the height of a row, in points.
MOST_HEIGHT = 409.0
# Characters of a head or foot that are safe beside the codes around them (Excel takes 255).
_HEAD = 160
BACK = "← Summary"


def finish_sheets(making: Making, first: Worksheet, title: str) -> None:
    """Dresses every sheet of the workbook, of which `first` is the one to come back to."""
    for sheet in making.book.worksheets:
        if sheet is not first:
            _link_back(sheet, first)
        # An ampersand begins a code in heads and feet.
        sheet.oddHeader.left.text = title[:_HEAD].replace("&", "&&")
        sheet.oddHeader.right.text = "&A"
        for dimension in sheet.row_dimensions.values():
            if dimension.height is not None and dimension.height > MOST_HEIGHT:
                dimension.height = MOST_HEIGHT
        # Every sheet to be read has a print area; numbers behind charts are for looking up.
        if sheet.sheet_state == "visible" and not making.is_numbers(sheet.title) and not sheet.print_area:
            sheet.print_area = sheet.dimensions


def _link_back(sheet: Worksheet, first: Worksheet) -> None:
    """In the first free cell below the title; where there is none the title itself leads back."""
    free = next((row for row in (2, 3) if sheet.cell(row, 1).value is None and not _has_more(sheet, row)), 1)
    cell = sheet.cell(free, 1)
    if cell.value is None:
        cell.value, cell.font = BACK, INPUT
    cell.hyperlink = Hyperlink(ref=cell.coordinate, location=f"{quoted(first.title)}!A1", tooltip=BACK)


def _has_more(sheet: Worksheet, row: int) -> bool:
    """Whether the row belongs to a table or a band."""
    return any(sheet.cell(row, column).value is not None for column in range(2, 5))
