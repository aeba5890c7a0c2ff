"""Sheet "Sizing plan": inputs above, calculation below, a column per configuration, every step as a formula."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from openpyxl.styles import Border, Side
from openpyxl.utils import get_column_letter
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.pagebreak import Break
from openpyxl.worksheet.worksheet import Worksheet

from workbench.answers.sizing.compute import Given, Plan, PlanStep, remarks_of
from workbench.answers.sizing.measured import mean_words
from workbench.answers.sizing.steps import RULES
from workbench.answers.sizing.tables import capital
from workbench.charts.figure import FigureSource
from workbench.exporters.workbook.cells import (
    BAND_FILL,
    BODY,
    HAIR,
    HEADING,
    INPUT,
    PARAGRAPH,
    PLAIN,
    QUIET,
    RIGHT,
    STRONG,
    TEXT,
    TITLE,
    headers,
    put,
    quoted,
    text_width,
    widths,
)
from workbench.exporters.workbook.making import Making
from workbench.exporters.workbook.printing import keep_headings, page_by_page, upright_if_narrow
from workbench.exporters.workbook.sheets.plan_cells import PlanCells
from workbench.measures.configurations import Group
from workbench.measures.formulas import arguments, as_excel, keys
from workbench.measures.phase_table import RunFigures
from workbench.model.problem import few_named
from workbench.words.captions import as_sentences, named
from workbench.words.metrics import in_phase

HEADER_ROW, FIRST_ROW = 4, 5
_FIRST_COLUMN = 3
_LINE = Side("thin", color=INPUT.color)
_FRAME = Border(left=_LINE, right=_LINE, top=_LINE, bottom=_LINE)
_NUMBER = "#,##0.##"
# Characters of the notes: a sentence on one line, a gap that separates the printed parts, and the sources.
_NOTES, _TO_SOURCE = (114.0, 2.0, 80.0, 2.0), 2
# Characters of a column of used values, and of all of them on a page.
_PANEL, _MOST_PANEL, _PRINTED = 15.0, 55.0, 65.0
_LEGEND = (
    "Blue cells are editable inputs. Black cells are formulas. Enter a shared input in the first column: the other "
    "columns repeat it. Measured inputs are the means on the 'Configurations' sheet. To replace a measured input, "
    f"enter a value in its override cell. {PLAIN}. Bold cells had the deciding value at export. An empty cell means "
    "'not available', never 0. If a step is rounded, later steps use the rounded value."
)
_OVERRIDE, _MEASURED = "{}: override", "{}: measured"
# The minimum height of the headings, and the number of letters of a name on one of their lines.
_HEADS_HEIGHT, _HEAD_LETTERS = 56, 11
# The letters of the title, in letters of the text: its type is larger.
_TITLE_LETTERS = 100
# Steps and inputs whose formulas depend on a choice by name.
_FIGURE, _STORMS, _AT_WORK = "iops_figure", "storms", "iops_steady"
_STORM_OF = {"boot_io_per_vm": "boot", "logon_io_per_vm": "logon"}
_RULES = {rule.key: rule.formula for rule in RULES}
_NEED_EVERY = frozenset(rule.formula for rule in RULES if rule.every)


def write_sizing_sheet(
    making: Making, sheet: Worksheet, plans: Sequence[Plan], groups: Sequence[Group], prefix: str = "Sizing"
) -> PlanCells:
    """Write inputs and steps; returns their cells. `groups` are the configurations with measured runs. A configuration
    that cannot be compared with the others has a sentence instead of a column."""
    runs = {group.label: group.runs for group in groups}
    remarks = " ".join(remarks_of(plans))
    plans = [plan for plan in plans if not plan.apart]
    writer = _Writer(making, sheet, tuple(plans), prefix, [runs.get(plan.configuration or "", ()) for plan in plans])
    writer.heads()
    writer.inputs()
    writer.steps()
    last, cells = writer.choices(), PlanCells(sheet.title, writer.plans, writer.cells)
    _title(making, sheet, cells)
    sheet.freeze_panes = sheet.cell(FIRST_ROW, _FIRST_COLUMN)
    labels, count = [step.label for plan in plans[:1] for step in plan.steps], len(plans)
    # Few configurations get wide columns, so their part of the print has the scale of the notes.
    panel = max(_PANEL, min(_MOST_PANEL, _PRINTED / max(1, count)))
    panels = [panel] * count + [12.0] * (writer.notes_column - _FIRST_COLUMN - count)
    widths(sheet, [text_width(labels, least=30, most=52), 11, *panels, *_NOTES])
    _legend(making, sheet, remarks, 2 + count)
    # Print the used values and results, then the notes; not the overrides, measured values and choices.
    ends, notes = range(_FIRST_COLUMN, _FIRST_COLUMN + count), writer.notes_column
    behind = [(notes, notes + 1), (notes + _TO_SOURCE, notes + _TO_SOURCE + 1)]
    parts = page_by_page(sheet, [*ends] or [2], 1, last, 2, behind, HEADER_ROW + 1)
    printed = parts[0][1] - _FIRST_COLUMN + 1
    if printed < count:
        making.in_part[sheet.title] = f"{printed} of {count} configurations shown"
    if upright_if_narrow(sheet, parts, 2) and writer.calculation:
        # A page of inputs and a page of results.
        sheet.row_breaks.append(Break(id=writer.calculation - 2))
    keep_headings(sheet, [row for row in writer.bands if row <= last], parts, HEADER_ROW, last, 2)
    sheet.print_title_rows = f"{HEADER_ROW}:{HEADER_ROW}"
    return cells


def _legend(making: Making, sheet: Worksheet, remarks: str, columns: int) -> None:
    """Merge the title and write the legend and the remarks above the columns of used values, because these are the
    printed ones.
    """
    room = sum(sheet.column_dimensions[get_column_letter(column)].width for column in range(1, columns + 1))
    for row, words in enumerate(filter(None, (_LEGEND, remarks)), start=2):
        put(sheet, row, 1, words, making.notes, font=QUIET).alignment = PARAGRAPH
        sheet.merge_cells(start_row=row, start_column=1, end_row=row, end_column=columns)
        sheet.row_dimensions[row].height = 13.0 * min(12, -(-len(words) // max(1, int(room))))
    sheet.merge_cells(start_row=1, start_column=1, end_row=1, end_column=columns)
    sheet.cell(1, 1).alignment = PARAGRAPH
    sheet.row_dimensions[1].height = 22.0 * max(1, -(-_TITLE_LETTERS // max(1, int(room))))


def _title(making: Making, sheet: Worksheet, cells: PlanCells) -> None:
    """Write the title, which follows the number of desktops."""
    if not cells.plans:
        put(sheet, 1, 1, "Sizing plan: no values to plan with", making.notes, font=TITLE)
        return
    when = in_phase(cells.plans[0].phase)
    text = f"Sizing plan for {cells.desktops}, from values measured {when}"
    making.results.put_text(sheet, 1, 1, cells.live(text), text).font = TITLE


@dataclass
class _Writer:
    making: Making
    sheet: Worksheet
    plans: tuple[Plan, ...]
    prefix: str
    runs: Sequence[Sequence[RunFigures]]
    row: int = HEADER_ROW
    cells: dict[tuple[str, int], str] = field(default_factory=dict)
    lookups: list[tuple[int, int, str, Given]] = field(default_factory=list)
    measured: list[tuple[int, str]] = field(default_factory=list)
    bands: list[int] = field(default_factory=list)
    calculation: int = 0

    @property
    def count(self) -> int:
        """Number of configurations: each has columns of used values, of overrides and of measured values."""
        return len(self.plans)

    @property
    def notes_column(self) -> int:
        """The first column after the numbers."""
        return _FIRST_COLUMN + self.count * (3 if self._any_measured() else 1)

    def _any_measured(self) -> bool:
        return any(_is_measured([plan.givens[name] for plan in self.plans]) for name in self._names())

    def _names(self) -> Iterable[str]:
        return self.plans[0].givens if self.plans else ()

    def heads(self) -> None:
        """Write the header row."""
        labels = [plan.configuration or "your values" for plan in self.plans]
        more = [words.format(named(label)) for words in (_OVERRIDE, _MEASURED) for label in labels]
        panels = [*labels, *(more if self._any_measured() else [])]
        names = ["Input or step", "Unit", *panels, "How", "", "Source"]
        headers(self.sheet, HEADER_ROW, names, [2 <= index < 2 + len(panels) for index in range(len(names))])
        lines = max((-(-len(label) // _HEAD_LETTERS) for label in labels), default=1)
        self.sheet.row_dimensions[HEADER_ROW].height = max(_HEADS_HEIGHT if more else 30, 14.0 * lines)

    def inputs(self) -> None:
        """Write one row per input, under the headings of the plan."""
        used = {name for formula in _RULES.values() for name in keys(formula)}
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
            measured = _is_measured(givens)
            for index, given in enumerate(givens):
                if measured:
                    self.cells[name, index] = f"${get_column_letter(_FIRST_COLUMN + index)}${self.row}"
                else:
                    self._input(index, name, given, live, shared)
            if measured:
                self.measured.append((self.row, name))
            self._notes(givens, live)
            if shared and givens and live and not measured:
                self._define(name)
        for row, name in self.measured:
            for index in range(self.count):
                self._from_runs(row, index, name)

    def _from_runs(self, row: int, index: int, name: str) -> None:
        """Write a measured input: the value of the runs, its override, and the one of them that the plan uses."""
        given = self.plans[index].givens[name]
        self._figure(row, index, name, given)
        override = self.sheet.cell(row, _FIRST_COLUMN + self.count + index)
        override.font, override.border, override.number_format = INPUT, _FRAME, _NUMBER
        own, figure = override.coordinate, self._measured_cell(row, index)
        formula = f'IF(ISNUMBER({own}),{own},IF(ISNUMBER({figure}),{figure},""))'
        if (storm := _STORM_OF.get(name)) and (_STORMS, index) in self.cells:
            formula = f'IF(ISNUMBER(SEARCH("{storm}",{self.cells[_STORMS, index]})),{formula},"")'
        self._formula(row, _FIRST_COLUMN + index, formula, given.number)

    def _figure(self, row: int, index: int, name: str, given: Given) -> None:
        """Write the measured value: a formula over the Configurations sheet, or the number as exported."""
        rows = {other: at for at, other in self.measured}
        column = _FIRST_COLUMN + 2 * self.count + index
        if name == "iops_per_vm" and {"mean_iops_per_vm", "percentile_iops_per_vm"} <= rows.keys():
            mean, percentile = (
                self._measured_cell(rows[key], index) for key in ("mean_iops_per_vm", "percentile_iops_per_vm")
            )
            formula = f'IF({self.cells[_FIGURE, index]}="mean",{mean},{percentile})'
            self._formula(row, column, f'IF(ISNUMBER({formula}),{formula},"")', given.number)
            return
        text, value = self._of_runs(index, name, given)
        if text is not None:
            self._formula(row, column, text, value)
            return
        put(self.sheet, row, column, given.value, self.making.notes, _format(given.value), BODY)

    def _of_runs(self, index: int, name: str, given: Given) -> tuple[str | None, float | None]:
        """The formula of a measured input and its result: the mean of a configuration, or its RAM cache size."""
        if name == "cache_ram_mb" and given.origin == "measured" and given.number is not None:
            first = next((run for run in self.runs[index] if run.phases), None)
            if first is None:
                return None, None
            source = FigureSource((first.run.folder,), first.phases[0].phase.name, "ram_cache_mb")
            return self.making.formula_of(source, given.number), given.number
        if given.figure is None:
            return None, None
        phase, figure = given.figure
        source = FigureSource(tuple(run.run.folder for run in self.runs[index] if run.phase(phase)), phase, figure)
        value = self.making.value_of(source)
        return None if value is None else self.making.formula_of(source, value), value

    def _measured_cell(self, row: int, index: int) -> str:
        return f"{get_column_letter(_FIRST_COLUMN + 2 * self.count + index)}{row}"

    def _formula(self, row: int, column: int, formula: str, value: float | None) -> None:
        if value is None:
            self.making.results.put_empty(self.sheet, row, column, formula, _NUMBER)
        else:
            self.making.results.put(self.sheet, row, column, formula, value, _format(value))

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
        """Copy the value of the first configuration; clearing the first input clears all of them."""
        if isinstance(given.value, str):
            cell = self.sheet.cell(self.row, column, f"={first}")
            cell.font, cell.alignment = BODY, RIGHT
            self.making.results.values.setdefault(self.sheet.title, {})[cell.coordinate] = given.value
        elif given.value is not None:
            self.making.results.put(
                self.sheet, self.row, column, f'IF(ISNUMBER({first}),{first},"")', given.value, _format(given.value)
            )

    def _chosen(self, given: Given, index: int) -> bool:
        """True if the value is the one in the chosen row of its table."""
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
        sources = "; ".join(_shared([plan.configuration for plan in self.plans], givens))
        how = origins or "not available"
        note = how if live else f"{how}; set in VDI Workbench, so the cell has no formula"
        self._text(self.notes_column, note, QUIET)
        self._text(self.notes_column + _TO_SOURCE, sources, QUIET)

    def _define(self, name: str) -> None:
        label = f"{quoted(self.sheet.title)}!{self.cells[name, 0]}"
        self.making.book.defined_names[f"{self.prefix}_{name}"] = DefinedName(f"{self.prefix}_{name}", attr_text=label)

    def steps(self) -> None:
        """Write one row per step, and a second one if it is rounded."""
        group = ""
        for number, first in enumerate(self.plans[0].steps if self.plans else ()):
            if first.group != group:
                group = first.group
                self._band(group)
                self.calculation = self.calculation or self.row
            self.row += 1
            steps = [plan.steps[number] for plan in self.plans]
            self._text(1, capital(first.label), BODY)
            self._text(2, first.unit, BODY)
            for index, step in enumerate(steps):
                self._step(index, step)
            self._text(self.notes_column, first.words, QUIET)
            behind = dict.fromkeys(name for step in steps for name in step.assumed)
            self._text(self.notes_column + _TO_SOURCE, _rests(first, self._labels(behind)), QUIET)
            if first.rounding:
                self._rounded(steps)

    def _step(self, index: int, step: PlanStep) -> None:
        formula = self._calculation(index, _RULES[step.key])
        row = next((row for row, name in self.measured if name == "iops_per_vm"), None)
        if step.key == _AT_WORK and row is not None:
            own = f"{get_column_letter(_FIRST_COLUMN + self.count + index)}{row}"
            chosen = f'AND({self.cells[_FIGURE, index]}="summed",NOT(ISNUMBER({own})))'
            formula = f"IF({chosen},{self._calculation(index, '{iops_summed}')},{formula})"
        self._result(index, step.key, formula, step.value, step.bottleneck)

    def _calculation(self, index: int, template: str) -> str:
        """The formula of a step; its result is empty if an input is."""
        cells = {name: self.cells[name, index].replace("$", "") for name in keys(template)}
        formula, listed = as_excel(template, cells), ",".join(cells.values())
        if arguments(template) and template not in _NEED_EVERY:
            # The largest of the available ones.
            return f'IF(COUNT({listed})=0,"",{formula})'
        return f'IFERROR(IF(COUNT({listed})={len(cells)},{formula},""),"")'

    def _rounded(self, steps: Sequence[PlanStep]) -> None:
        self.row += 1
        direction = "up" if steps[0].rounding == "up" else "down"
        self._text(1, f"    {capital(steps[0].label)}, rounded {direction}", BODY)
        self._text(2, steps[0].unit, BODY)
        for index, step in enumerate(steps):
            above = f"{get_column_letter(_FIRST_COLUMN + index)}{self.row - 1}"
            function = f"ROUND{direction.upper()}"
            formula = f'IF(ISNUMBER({above}),{function}(ROUND({above},9),0),"")'
            self._result(index, step.key, formula, step.rounded, step.bottleneck)

    def _result(self, index: int, key: str, formula: str, value: float | None, decides: bool) -> None:
        column = _FIRST_COLUMN + index
        self.cells[key, index] = f"${get_column_letter(column)}${self.row}"
        self._formula(self.row, column, formula, value)
        if decides and value is not None:
            self.sheet.cell(self.row, column).font = STRONG

    def choices(self) -> int:
        """Write the tables from which some inputs are chosen, and the formulas that look up their values; returns the
        row before."""
        tables, before = dict[str, tuple[int, list[str]]](), self.row
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
            self._formula(row, _FIRST_COLUMN + index, formula, given.number)
        return before

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
        # The empty row above it separates the first one from the header, which every page repeats.
        self.row += 2
        self.bands.append(self.row)
        put(self.sheet, self.row, 1, text, self.making.notes, font=HEADING)
        for column in range(1, self.notes_column + _TO_SOURCE + 1):
            self.sheet.cell(self.row, column).fill = BAND_FILL
            self.sheet.cell(self.row, column).border = HAIR

    def _text(self, column: int, text: str, font: object) -> None:
        put(self.sheet, self.row, column, text or None, self.making.notes, font=font).alignment = TEXT


def _is_measured(givens: Sequence[Given]) -> bool:
    """True if an input is a value of the runs, which an override may replace. It must be measured for at least one
    configuration and stated by the user for none."""
    stated = any(given.origin == "yours" for given in givens)
    return not stated and any(given.origin == "measured" for given in givens)


def _shared(labels: Sequence[str | None], givens: Sequence[Given]) -> list[str]:
    """The distinct sources without the names of their configurations. A source of at most half of the configurations
    begins with their names."""
    counts = {given.between.n for given in givens if given.between is not None}
    runs = mean_words(counts.pop()) if len(counts) == 1 else "mean of the runs"
    users: dict[str, list[str]] = {}
    for label, given in zip(labels, givens, strict=True):
        text = given.shared or given.source
        users.setdefault(text if given.between is None else f"{text}, {runs}", []).append(named(label or ""))
    return [f"{few_named(names)}: {text}" if 2 * len(names) <= len(labels) else text for text, names in users.items()]


def _rests(step: PlanStep, assumed: Sequence[str]) -> str:
    inputs = f"Assumed input{'s' * (len(assumed) > 1)}: {'; '.join(assumed)}" if assumed else ""
    return as_sentences(tuple(filter(None, (capital(step.note), inputs)))).removesuffix(".")


def _format(value: float | str | None) -> str:
    if not isinstance(value, int | float) or value == round(value):
        return "#,##0" if isinstance(value, int | float) else _NUMBER
    return "#,##0.0" if abs(value) >= 100 else "#,##0.00"
