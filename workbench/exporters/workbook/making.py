"""The workbook while it is filled: its sheets, the results of its formulas, and necessary changes.

Every sheet also gets a link back to the first sheet, a header, and row heights that Excel accepts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from openpyxl import Workbook
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.hyperlink import Hyperlink
from openpyxl.worksheet.worksheet import Worksheet

from workbench.charts.figure import Bars, FigureSource, Panel
from workbench.exporters.safe_file import alone
from workbench.exporters.workbook.cells import INPUT, Notes, page, put, quoted, sheet_name
from workbench.exporters.workbook.figure_block import FIRST_ROW, FigureBlock, Link
from workbench.exporters.workbook.sheets.numbers import NumberSheet, Results
from workbench.exporters.workbook.sheets.plan_cells import PlanCells
from workbench.words.translated import speaks_english, spoken, spoken_cell

T = TypeVar("T")
# Marks the sheets of numbers, which are at the end.
NUMBERS_TAB = "C3C8D0"
COMPARISONS, FINDINGS = "Compare values", "Findings"
# (source, value) -> the formula for the value; None if the workbook has no such formula.
FindFormula = Callable[[FigureSource, float], str | None]


def nothing_found(_source: FigureSource, _value: float) -> str | None:
    """Returns no formula: every number is a plain one."""
    return None


def no_value(_source: FigureSource) -> float | None:
    """Returns no value."""
    return None


@dataclass
class Making:
    """One workbook while it is filled.

    `formula_of` gives the formula for a number, `value_of` the number of a source. `taken` are names of sheets
    elsewhere. `told` are sentences shared by several studies and already written. `missing` are sentences on sheets
    that failed. `codes` are short names of studies (`S1`) that begin the names of their sheets. `kinds` are the kind
    and the study of each sheet. `leads` are the main chart (cells, words) of each study. `words` describe the charts of
    each sheet, in their order. `blank` are sheets that only name missing data. `plans` are the cells of each study's
    sizing plan. `shapes` are charts with the part of the shapes over them. `in_part` is, by sheet title, the text on
    the content of the first printed part.
    """

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
    blank: set[str] = field(default_factory=set)
    plans: dict[str, PlanCells] = field(default_factory=dict)
    shapes: list[tuple[Any, bytes]] = field(default_factory=list)
    in_part: dict[str, str] = field(default_factory=dict)

    def alone(self, kind: str, label: str, write: Callable[[], T], default: T, begun: Worksheet | None = None) -> T:
        """The result of `write`, which adds sheets, or fills one that was `begun`. If it fails, these sheets are
        removed, one sheet reports the failure instead, and the sentence is also in `missing`."""
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
        """A new sheet at the end; `label` is the name of its study if there are several."""
        name = sheet_name(kind, self.codes.get(label, label), self.book.sheetnames)
        sheet: Worksheet = self.book.create_sheet(name)
        self.kinds[sheet.title] = kind, label
        return sheet

    def only(self, kind: str) -> Worksheet:
        """The sheet of a kind that the workbook has once."""
        return next(self.book[title] for title, (known, _) in self.kinds.items() if known == kind)

    def number_sheet(self, kind: str, first_row: int = FIRST_ROW) -> NumberSheet:
        """A new sheet of numbers. It is hidden, because it is for reference; if printed, it takes few pages across."""
        sheet = self.book.create_sheet(sheet_name(kind, "", [*self.book.sheetnames, *self.taken]))
        sheet.sheet_state = "hidden"
        sheet.sheet_properties.tabColor = NUMBERS_TAB
        sheet.freeze_panes = f"A{first_row}"
        page(sheet)
        sheet.sheet_view.showGridLines = True
        self.numbers.append(NumberSheet(sheet, first_row))
        return self.numbers[-1]

    def add_chart(self, sheet: Worksheet, chart: Any, words: str) -> None:
        """Add a chart with its description to a sheet."""
        sheet.add_chart(chart)
        self.words.setdefault(sheet.title, []).append(words)
        self.charts += 1

    def formula(
        self, sheet: Worksheet, source: FigureSource | None, value: float, of_decider: bool = True
    ) -> str | None:
        """The formula for a number on the sheet of a study's page; None if there is none. `of_decider`: also for the
        step of a sizing plan that is the bottleneck now."""
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
        """The formula of a chart title that names an input of the sizing plan; empty for any other."""
        plan = self.plans.get(self.kinds.get(sheet.title, ("", ""))[1])
        return plan.dated(text) if plan is not None else ""

    def put_sentence(self, sheet: Worksheet, row: int, text: str, font: Font) -> None:
        """Write a sentence in the first column; it follows the inputs of the sizing plan that it names."""
        formula = self.live_sentence(sheet, text)
        if formula:
            self.results.put_text(sheet, row, 1, formula, text).font = font
        else:
            put(sheet, row, 1, text, self.notes, font=font)

    def is_numbers(self, name: str) -> bool:
        """True if the sheet holds the numbers behind a chart."""
        return any(numbers.title == name for numbers in self.numbers)

    def table_name(self, base: str) -> str:
        """A name for an Excel table, unique in the workbook."""
        self.tables += 1
        kept = "".join(char if char.isascii() and char.isalnum() else "_" for char in base).strip("_")
        return f"{kept or 'Table'}_{self.tables}"

    def link(self) -> Link:
        """The formula of a bar: the mean of the values that it shows."""

        def formula(_panel: Panel, bars: Bars, index: int) -> str | None:
            source = bars.sources[index] if index < len(bars.sources) else None
            return None if source is None else self.formula_of(source, float(bars.values[index]))

        return formula


def order_sheets(book: Workbook, rank: Callable[[str], tuple[int, ...]]) -> None:
    """Sort the sheets by the given positions of their names; sheets with equal positions keep their order."""
    for at, sheet in enumerate(sorted(book.worksheets, key=lambda sheet: rank(sheet.title))):
        book.move_sheet(sheet, at - book.index(sheet))


# Rows that may be the heading of a table, in which each name occurs once.
_HEADINGS = 30
_LITERAL = re.compile(r'"([^"]+)"')


def put_in_language(making: Making) -> None:
    """Translate the texts of all cells. Two kinds of text are not translated: texts that a formula, a rule or a list
    looks up, and headings whose translation is already in another cell of the row."""
    if speaks_english():
        return
    cells = [_cells(making, sheet) for sheet in making.book.worksheets]
    asked = _looked_up(making, cells)
    for of_sheet in cells:
        # The English text of each text in a row.
        rows: dict[int, dict[str, str]] = {}
        for cell in of_sheet:
            word = spoken_cell(cell.value) if isinstance(cell.value, str) and cell.data_type != "f" else ""
            english, taken = str(cell.value), rows.setdefault(cell.row, {})
            alike = cell.row > _HEADINGS or taken.get(word, english) == english
            if word and english not in asked and alike:
                cell.value = word
            taken[str(cell.value)] = english


def _cells(making: Making, sheet: Worksheet) -> list[Any]:
    """The cells with content; of a sheet of numbers, which ends in the last possible row, those of its headings."""
    last = _HEADINGS if any(numbers.sheet is sheet for numbers in making.numbers) else None
    return [cell for row in sheet.iter_rows(max_row=last) for cell in row if cell.value is not None]


def _looked_up(making: Making, cells: list[list[Any]]) -> frozenset[str]:
    """The texts within formulas, rules and lists of the workbook."""
    found: list[str] = [formula for numbers in making.numbers for formula, _ in numbers.formulas.values()]
    found += [cell.value for of_sheet in cells for cell in of_sheet if cell.data_type == "f"]
    for sheet in making.book.worksheets:
        lists = sheet.data_validations.dataValidation
        found += [text for rule in lists for text in (rule.formula1, rule.formula2) if text]
        found += [text for rules in sheet.conditional_formatting for rule in rules.rules for text in rule.formula or ()]
    literals = (literal for text in found for literal in _LITERAL.findall(str(text)))
    return frozenset(part for literal in literals for part in (literal, *literal.split(",")))


# Excel's limit for the height of a row, in points.
MOST_HEIGHT = 409.0
# Safe number of characters in a header or footer next to its codes (Excel allows 255).
_HEAD = 160
# The number of printed findings of a study with many configurations.
_MOST_FINDINGS = 150
BACK = "← Summary"


def finish_sheets(making: Making, first: Worksheet, title: str, few_pages: bool) -> None:
    """Format every sheet of the workbook; `first` is the sheet that the others link back to. The workbook opens on its
    first sheet and computes its formulas then.

    With `few_pages`, wide tables print only their first part, long ones their first rows, and all comparisons stay on
    screen.
    """
    for sheet in making.book.worksheets:
        if sheet is not first:
            _link_back(sheet, first)
        # An ampersand begins a code in headers and footers.
        sheet.oddHeader.left.text = spoken(title)[:_HEAD].replace("&", "&&")
        sheet.oddHeader.right.text = "&A"
        for dimension in sheet.row_dimensions.values():
            if dimension.height is not None and dimension.height > MOST_HEIGHT:
                dimension.height = MOST_HEIGHT
        # Sheets for reading have a print area; numbers behind charts are for reference.
        if sheet.sheet_state == "visible" and not making.is_numbers(sheet.title) and not sheet.print_area:
            sheet.print_area = sheet.dimensions
        if few_pages and making.kinds.get(sheet.title, ("", ""))[0] == COMPARISONS:
            # An empty cell: no part of the sheet is printed.
            sheet.print_area = f"{get_column_letter(sheet.max_column + 2)}1"
        elif few_pages and sheet.print_area:
            _first_part(making, sheet)
    making.book.active = 0
    making.book.calculation.fullCalcOnLoad = True


def _first_part(making: Making, sheet: Worksheet) -> None:
    """Print the first part of a wide table, and the first findings; the footer states their number."""
    sheet.print_area = str(sheet.print_area).split(",")[0].rpartition("!")[2]
    note = making.in_part.get(sheet.title, "")
    if making.kinds.get(sheet.title, ("", ""))[0] == FINDINGS:
        rows = [
            row for row in range(1, sheet.max_row + 1) if sheet.cell(row, 2).value and not sheet.cell(row, 2).font.b
        ]
        if len(rows) > _MOST_FINDINGS:
            sheet.print_area = f"A1:{get_column_letter(sheet.max_column)}{rows[_MOST_FINDINGS - 1]}"
            note = f"{_MOST_FINDINGS} of {len(rows)} findings shown"
    if note:
        sheet.oddFooter.center.text = spoken(note)


def _link_back(sheet: Worksheet, first: Worksheet) -> None:
    """Add the link in the first free cell below the title; if there is none, the title itself is the link."""
    free = next((row for row in (2, 3) if sheet.cell(row, 1).value is None and not _has_more(sheet, row)), 1)
    cell = sheet.cell(free, 1)
    if cell.value is None:
        cell.value, cell.font = BACK, INPUT
    cell.hyperlink = Hyperlink(ref=cell.coordinate, location=f"{quoted(first.title)}!A1", tooltip=BACK)


def _has_more(sheet: Worksheet, row: int) -> bool:
    """True if the row belongs to a table or a band."""
    return any(sheet.cell(row, column).value is not None for column in range(2, 5))
