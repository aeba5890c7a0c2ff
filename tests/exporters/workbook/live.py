"""Inputs of a workbook changed in the file, and the same changes in the data of the program."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from openpyxl import Workbook
from openpyxl.cell.cell import Cell
from openpyxl.worksheet.worksheet import Worksheet

from workbench.answers.common.library import Library
from workbench.answers.sizing.constants import constants
from workbench.answers.sizing.tables import capital
from workbench.exporters.workbook.cells import HEADER_FILL, INPUT, MARK, PLAIN
from workbench.exporters.workbook.columns import COLUMNS
from workbench.measures.catalogue import MEASURES
from workbench.measures.formulas import evaluate, keys
from workbench.measures.phase_table import PhaseFigures, RunFigures
from workbench.model.phase import Phase
from workbench.words.metrics import phase_words

# Facts of a run or a configuration, not of a phase.
_RAM = "ram_cache_mb"
# With a capital letter, the note is a sentence.
_PLAIN = PLAIN[1:]
_KEYS = {column.header: column.key for column in COLUMNS}


class Stretched(Phase):
    """A phase with a length that was changed in the workbook; start and end stay as measured."""

    seconds = 0.0

    @property
    def duration_s(self) -> float:
        return self.seconds


@dataclass(frozen=True)
class Input:
    """A cell that may be changed: of the phase table with its run and phase, of the sizing plan with its name."""

    sheet: str
    cell: str
    key: str
    run: str = ""
    phase: str = ""
    choice: str = ""


def inputs_of(book: Workbook) -> list[Input]:
    """Every blue cell that is not a link, found by its colour."""
    cells = [cell for sheet in book if sheet.sheet_state == "visible" for cell in _blue(sheet)]
    return [_phase_input(cell) if cell.parent.title.endswith("Phase table") else _plan_input(cell) for cell in cells]


@lru_cache(maxsize=64)
def filled(sheet: Worksheet) -> tuple[Cell, ...]:
    """The non-empty cells of a sheet, row by row."""
    return tuple(cell for row in sheet.iter_rows() for cell in row if cell.value is not None)


def _blue(sheet: Worksheet) -> Iterator[Cell]:
    for cell in (cell for row in sheet.iter_rows() for cell in row):
        blue = cell.font.color is not None and cell.font.color.rgb == INPUT.color.rgb
        empty = cell.value is None and sheet.title.endswith("Phase table")
        if blue and cell.hyperlink is None and not empty:
            yield cell


def _phase_input(cell: Cell) -> Input:
    sheet = cell.parent
    head = next(row for row in range(1, 20) if sheet.cell(row, 1).value == "Set")
    facts = {_KEYS.get(above.value): sheet.cell(cell.row, above.column).value for above in sheet[head]}
    return Input(sheet.title, cell.coordinate, _KEYS[sheet.cell(head, cell.column).value], facts["run"], facts["phase"])


def _plan_input(cell: Cell) -> Input:
    sheet, labels = cell.parent, {capital(constant.label): name for name, constant in constants().items()}
    label = sheet.cell(cell.row, 1).value
    if label in labels and head_of(cell).row == 4:
        return Input(sheet.title, cell.coordinate, labels[label])
    # A row of the tables of choices: it is used if its name is chosen.
    return Input(sheet.title, cell.coordinate, labels[str(head_of(cell).value)], choice=label)


def marked(cell: Cell) -> bool:
    """True if the workbook says that the value of a cell is fixed: the legend of its sheet if it has no formula, the
    head of its column, the title of its table, the note above the numbers of a chart, or the text left of the cell or
    above it."""
    sheet = cell.parent
    if cell.data_type != "f" and _says_what_is_fixed(sheet):
        return True
    if str(sheet.cell(cell.row, 1).value).endswith(f"{MARK})") or f"{MARK}:" in str(cell.value):
        return True
    head = head_of(cell)
    texts = [str(head.value if head else sheet.cell(max(1, cell.row - 1), cell.column).value)]
    if head is not None:
        texts += [text for text in _above(head) if text.endswith(f"{MARK})") or _PLAIN in text]
    return any(MARK in text or (_PLAIN in text and cell.data_type != "f") for text in texts) and (
        "italics" not in texts[0] or cell.font.i is True
    )


def head_of(cell: Cell) -> Cell | None:
    """The head of a cell's column."""
    sheet = cell.parent
    above = (sheet.cell(row, cell.column) for row in range(cell.row - 1, 0, -1))
    fill = HEADER_FILL.start_color.rgb
    return next((head for head in above if head.font.b and head.fill.start_color.rgb == fill and head.value), None)


def _above(head: Cell) -> Iterator[str]:
    """The lines above a head: title and legend of its table, and the note of its chart."""
    sheet = head.parent
    for row in range(head.row - 1, max(head.row - 4, 0), -1):
        yield str(sheet.cell(row, 1).value)
    if head.row > 1:
        yield next((str(note) for at in range(head.column, 0, -1) if (note := sheet.cell(head.row - 1, at).value)), "")


@lru_cache(maxsize=64)
def _says_what_is_fixed(sheet: Worksheet) -> bool:
    words = (
        "tays as exported",
        "are not recalculated",
        "no formula and do not change",
        "numbers do not change",
        _PLAIN,
    )
    texts = (str(cell.value) for row in sheet.iter_rows(max_row=400) for cell in row if cell.data_type == "s")
    return any(word in text for text in texts for word in words)


def with_changes(library: Library, values: Mapping[Input, float]) -> Library:
    """The library with these figures as if measured; the catalogue computes the derived ones."""
    figures = {
        folder: _changed_run(run, {one: value for one, value in values.items() if one.run == run.run.name})
        for folder, run in (library.figures or {}).items()
    }
    runs = {folder: run.run for folder, run in figures.items()}
    studies = tuple(replace(study, runs=tuple(runs[run.folder] for run in study.runs)) for study in library.studies)
    return Library(studies, figures)


def _changed_run(run: RunFigures, values: Mapping[Input, float]) -> RunFigures:
    ram = next((value for one, value in values.items() if one.key == _RAM), None)
    excluded = "left out" if any(one.key == "set" for one in values) else run.run.excluded
    configuration = run.run.configuration if ram is None else replace(run.run.configuration, ram_cache_mb=ram)
    phases = [_changed(row, configuration.ram_cache_mb, values) for row in run.phases]
    return replace(run, run=replace(run.run, configuration=configuration, excluded=excluded), phases=tuple(phases))


def _changed(row: PhaseFigures, ram: float | None, changes: Mapping[Input, float]) -> PhaseFigures:
    words = phase_words(row.phase.name)
    values = {one.key: value for one, value in changes.items() if value and one.phase == words}
    known = {key: getattr(row, key, None) for key in (*MEASURES, "reads", "writes")} | {_RAM: ram} | values
    for _ in MEASURES:
        for key, measure in MEASURES.items():
            if measure.formula and known[key] is not None and key not in values:
                known[key] = evaluate(measure.formula, {name: known.get(name) for name in keys(measure.formula)})
    phase = Stretched(**{name: getattr(row.phase, name) for name in row.phase.__dataclass_fields__})
    object.__setattr__(phase, "seconds", known.pop("duration_s"))
    return replace(row, phase=phase, **{key: value for key, value in known.items() if hasattr(row, key)})
