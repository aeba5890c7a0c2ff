"""Sheet "Sizing plan": inputs above, arithmetic below, a column per configuration, every step a formula."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from openpyxl.utils import get_column_letter
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.worksheet import Worksheet

from workbench.answers.sizing.compute import Given, Plan, Step
from workbench.answers.sizing.figures import PANELS
from workbench.answers.sizing.tables import capital
from workbench.charts.figure import Bars, Panel
from workbench.exporters.workbook.cells import (
    BAND_FILL,
    BODY,
    HAIR,
    HEADING,
    INPUT,
    QUIET,
    RIGHT,
    STRONG,
    TEXT,
    TITLE,
    headers,
    page,
    put,
    text_width,
    widths,
)
from workbench.exporters.workbook.making import Making
from workbench.exporters.workbook.names import quoted
from workbench.measures.formulas import arguments, as_excel, keys
from workbench.words.metrics import phase_words

HEADER_ROW, FIRST_ROW = 4, 5
_FIRST_COLUMN = 3
_NUMBER = "#,##0.##"
_LEGEND = (
    "Blue = inputs, may be changed; black = formulas. An input that all configurations share stands in the first "
    "column, the others follow it. Bold = decides, as exported. Empty = not available, never 0. A step that uses a "
    "rounded step uses its rounded value."
)


@dataclass(frozen=True, eq=False)
class PlanCells:
    """Where the plans' inputs and results stand: (name, plan) -> cell."""

    sheet: str
    plans: tuple[Plan, ...]
    cells: dict[tuple[str, int], str]

    def link(self, panel: Panel, bars: Bars, index: int) -> str | None:
        """A bar of the sizing figure leads to the result of its step."""
        key = next(
            (
                key
                for title, _, _, parts in PANELS
                for name, key, _ in parts
                if (title, name) == (panel.title, bars.name)
            ),
            "",
        )
        if index >= len(self.plans) or (key, index) not in self.cells:
            return None
        value = self.plans[index].result(key)
        named = self.plans[index].configuration == panel.x.categories[index]
        if not named or value is None or not math.isclose(value, float(bars.values[index]), rel_tol=1e-9):
            return None
        return f"{quoted(self.sheet)}!{self.cells[key, index]}"


def write_sizing_sheet(making: Making, sheet: Worksheet, plans: Sequence[Plan], prefix: str = "Sizing") -> PlanCells:
    """Writes inputs and steps; returns where they are."""
    writer = _Writer(making, sheet, tuple(plans), prefix)
    put(sheet, 1, 1, f"Sizing plan: {_title(plans)}", making.notes, font=TITLE)
    remarks = " ".join(dict.fromkeys(remark for plan in plans for remark in plan.remarks))
    put(sheet, 2, 1, f"{_LEGEND} {remarks}".strip(), making.notes, font=QUIET)
    writer.heads()
    writer.inputs()
    writer.steps()
    writer.choices()
    sheet.freeze_panes = sheet.cell(FIRST_ROW, _FIRST_COLUMN)
    labels = [step.label for plan in plans[:1] for step in plan.steps]
    count = len(plans)
    widths(sheet, [text_width(labels, least=30, most=46), 11, *[15.0] * count, 70, 45])
    page(sheet, wide=1)
    sheet.print_title_rows = f"{HEADER_ROW}:{HEADER_ROW}"
    sheet.print_area = f"A1:{get_column_letter(_FIRST_COLUMN + count + 1)}{writer.row}"
    return PlanCells(sheet.title, writer.plans, writer.cells)


def _title(plans: Sequence[Plan]) -> str:
    if not plans:
        return "nothing to plan with"
    desktops = plans[0].givens["desktops"].number or 0
    return f"what {desktops:,.0f} desktops need, from figures measured in {phase_words(plans[0].phase)}"


@dataclass
class _Writer:
    making: Making
    sheet: Worksheet
    plans: tuple[Plan, ...]
    prefix: str
    row: int = HEADER_ROW
    cells: dict[tuple[str, int], str] = field(default_factory=dict)
    lookups: list[tuple[int, int, str, Given]] = field(default_factory=list)

    def heads(self) -> None:
        """The header row."""
        labels = [plan.configuration or "your values" for plan in self.plans]
        names = ["Input or step", "Unit", *labels, "How", "Rests on"]
        headers(self.sheet, HEADER_ROW, names, [2 <= index < 2 + len(labels) for index in range(len(names))])
        self.sheet.row_dimensions[HEADER_ROW].height = 30

    def inputs(self) -> None:
        """One row per input, under the headings of the plan."""
        used = {name for step in self.plans[0].steps for name in step.inputs} if self.plans else set()
        group = ""
        for name, first in (self.plans[0].givens if self.plans else {}).items():
            if first.constant.group != group:
                group = first.constant.group
                self._band(f"Inputs: {group}")
            self.row += 1
            givens = [plan.givens[name] for plan in self.plans]
            live = name in used or bool(first.constant.choices)
            self._text(1, capital(first.constant.label), BODY)
            self._text(2, first.constant.unit, BODY)
            shared = all(
                (given.value, given.origin, given.source) == (first.value, first.origin, first.source)
                for given in givens
            )
            for index, given in enumerate(givens):
                self._input(index, name, given, live, shared)
            self._notes(givens, live)
            if shared and givens and live:
                self._define(name)

    def _input(self, index: int, name: str, given: Given, live: bool, shared: bool) -> None:
        column = _FIRST_COLUMN + index
        cell = f"${get_column_letter(column)}${self.row}"
        self.cells[name, index] = cell
        if given.constant.taken_from and self._chosen(given, index):
            self.lookups.append((self.row, index, name, given))
            return
        if shared and index and given.value is not None and live:
            first = f"{get_column_letter(_FIRST_COLUMN)}{self.row}"
            self._same_as(column, first, given)
            return
        font = INPUT if live else QUIET
        written = put(self.sheet, self.row, column, given.value, self.making.notes, _format(given.value), font)
        written.alignment = RIGHT
        if given.constant.choices and live:
            self._validate(written.coordinate, [choice.name for choice in given.constant.choices])

    def _same_as(self, column: int, first: str, given: Given) -> None:
        """What the first configuration has; an input that is cleared is cleared for all."""
        if isinstance(given.value, str):
            cell = self.sheet.cell(self.row, column, f"={first}")
            cell.font, cell.alignment = BODY, RIGHT
            self.making.results.values.setdefault(self.sheet.title, {})[cell.coordinate] = given.value
        elif given.value is not None:
            self.making.results.put(
                self.sheet, self.row, column, f'IF(ISNUMBER({first}),{first},"")', given.value, _format(given.value)
            )

    def _chosen(self, given: Given, index: int) -> bool:
        """Whether the value is the one of the chosen row of its table."""
        chooser = self.plans[index].givens[given.constant.taken_from]
        row = next((choice for choice in chooser.constant.choices if choice.name == chooser.value), None)
        return row is not None and row.values.get(given.constant.name) == given.value

    def _validate(self, cell: str, names: list[str]) -> None:
        words = ",".join(names)
        if len(words) < 250 and '"' not in words and not any("," in name for name in names):
            rule = DataValidation(type="list", formula1=f'"{words}"', allow_blank=False)
            rule.add(cell)
            self.sheet.add_data_validation(rule)

    def _notes(self, givens: Sequence[Given], live: bool) -> None:
        origins = ", ".join(dict.fromkeys(given.origin for given in givens if given.value is not None))
        sources = "; ".join(dict.fromkeys(given.source for given in givens))
        how = origins or "not available"
        self._text(
            _FIRST_COLUMN + len(self.plans), how if live else f"{how}; chosen in the workbench, no formula here", QUIET
        )
        self._text(_FIRST_COLUMN + len(self.plans) + 1, sources, QUIET)

    def _define(self, name: str) -> None:
        label = f"{quoted(self.sheet.title)}!{self.cells[name, 0]}"
        self.making.book.defined_names[f"{self.prefix}_{name}"] = DefinedName(f"{self.prefix}_{name}", attr_text=label)

    def steps(self) -> None:
        """One row per step, a second one where it is rounded."""
        group = ""
        for number, first in enumerate(self.plans[0].steps if self.plans else ()):
            if first.group != group:
                group = first.group
                self._band(group)
            self.row += 1
            steps = [plan.steps[number] for plan in self.plans]
            self._text(1, capital(first.label), BODY)
            self._text(2, first.unit, BODY)
            for index, step in enumerate(steps):
                self._step(index, step)
            self._text(_FIRST_COLUMN + len(steps), first.words, QUIET)
            behind = dict.fromkeys(name for step in steps for name in step.assumed)
            self._text(_FIRST_COLUMN + len(steps) + 1, _rests(first, self._labels(behind)), QUIET)
            if first.rounding:
                self._rounded(steps)

    def _step(self, index: int, step: Step) -> None:
        names = list(dict.fromkeys(keys(step.formula)))
        cells = {name: self.cells[name, index].replace("$", "") for name in names}
        formula = as_excel(step.formula, cells)
        listed = ",".join(cells.values())
        if arguments(step.formula):
            # The largest of those that are there.
            formula = f'IF(COUNT({listed})=0,"",{formula})'
        else:
            formula = f'IFERROR(IF(COUNT({listed})={len(cells)},{formula},""),"")'
        self._result(index, step.key, formula, step.value, step.bottleneck)

    def _rounded(self, steps: Sequence[Step]) -> None:
        self.row += 1
        direction = "up" if steps[0].rounding == "up" else "down"
        self._text(1, f"    rounded {direction}", BODY)
        self._text(2, steps[0].unit, BODY)
        for index, step in enumerate(steps):
            above = f"{get_column_letter(_FIRST_COLUMN + index)}{self.row - 1}"
            function = f"ROUND{direction.upper()}"
            formula = f'IF(ISNUMBER({above}),{function}(ROUND({above},9),0),"")'
            self._result(index, step.key, formula, step.rounded, step.bottleneck)

    def _result(self, index: int, key: str, formula: str, value: float | None, decides: bool) -> None:
        column = _FIRST_COLUMN + index
        self.cells[key, index] = f"${get_column_letter(column)}${self.row}"
        number_format = _format(value)
        if value is None:
            self.making.results.put_empty(self.sheet, self.row, column, formula, _NUMBER)
            return
        self.making.results.put(self.sheet, self.row, column, formula, value, number_format)
        if decides:
            self.sheet.cell(self.row, column).font = STRONG

    def choices(self) -> None:
        """The tables that some inputs are chosen from, and the formulas that look their values up."""
        tables: dict[str, tuple[int, list[str]]] = {}
        givens = self.plans[0].givens if self.plans else {}
        for *_, given in self.lookups:
            chooser = given.constant.taken_from
            if chooser not in tables:
                tables[chooser] = self._table(givens[chooser])
        for row, index, name, given in self.lookups:
            first, columns = tables[given.constant.taken_from]
            last = first + len(givens[given.constant.taken_from].constant.choices) - 1
            value = get_column_letter(2 + columns.index(name))
            chosen = self.cells[given.constant.taken_from, index].replace("$", "")
            text = f"INDEX(${value}${first}:${value}${last},MATCH({chosen},$A${first}:$A${last},0))"
            formula = f'IFERROR(IF(ISNUMBER({text}),{text},""),"")'
            column = _FIRST_COLUMN + index
            if given.number is None:
                self.making.results.put_empty(self.sheet, row, column, formula, _NUMBER)
            else:
                self.making.results.put(self.sheet, row, column, formula, given.number, _format(given.number))

    def _table(self, chooser: Given) -> tuple[int, list[str]]:
        names = list(dict.fromkeys(name for choice in chooser.constant.choices for name in choice.values))
        self._band(f"Choices: {chooser.constant.label}")
        self.row += 1
        self.sheet.row_dimensions[self.row].height = 28
        titles = [capital(label) for label in (chooser.constant.label, *self._labels(names))]
        headers(self.sheet, self.row, titles, [False, *[True] * len(names)])
        first = self.row + 1
        for choice in chooser.constant.choices:
            self.row += 1
            self._text(1, choice.name, BODY)
            for index, name in enumerate(names):
                value = choice.values.get(name)
                put(self.sheet, self.row, 2 + index, value, self.making.notes, _format(value), INPUT)
            self._text(2 + len(names), f"{choice.origin}: {choice.source}", QUIET)
        return first, names

    def _labels(self, names: Iterable[str]) -> list[str]:
        return [self.plans[0].givens[name].constant.label for name in names]

    def _band(self, text: str) -> None:
        self.row += 2 if self.row > HEADER_ROW else 1
        put(self.sheet, self.row, 1, text, self.making.notes, font=HEADING)
        for column in range(1, _FIRST_COLUMN + len(self.plans) + 2):
            self.sheet.cell(self.row, column).fill = BAND_FILL
            self.sheet.cell(self.row, column).border = HAIR

    def _text(self, column: int, text: str, font: object) -> None:
        put(self.sheet, self.row, column, text or None, self.making.notes, font=font).alignment = TEXT


def _rests(step: Step, assumed: Sequence[str]) -> str:
    note = f"{step.note}. " if step.note else ""
    return f"{note}assumed: {', '.join(assumed)}" if assumed else note


def _format(value: float | str | None) -> str:
    if not isinstance(value, int | float) or value == round(value):
        return "#,##0" if isinstance(value, int | float) else _NUMBER
    return "#,##0.0" if abs(value) >= 100 else "#,##0.00"
