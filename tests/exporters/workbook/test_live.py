"""The cells of the workbook follow its inputs or say that they do not: inputs changed in the file, compared with the
program with the same changes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from pathlib import Path
from tempfile import mkdtemp

import numpy as np
import pytest
from openpyxl import Workbook, load_workbook
from openpyxl.cell.cell import Cell
from openpyxl.worksheet.worksheet import Worksheet

from tests.exporters.documents import SWEEP, document, sample_document
from tests.exporters.jobs import exported, library_of
from tests.exporters.office import needed_office, recalculated
from tests.exporters.studies import MCS, MCSIO, START, columns, make_run, make_study
from tests.exporters.workbook.live import Input, filled, inputs_of, marked, with_changes
from tests.samples import sample, shared
from workbench.answers.common.library import Library
from workbench.answers.sizing.constants import Constant, constants
from workbench.exporters.workbook.cells import MARK
from workbench.model.metric import Quantity
from workbench.model.phase import BOOT, LOGON, STEADY, Phase
from workbench.session.state import State

PHASES = tuple(
    Phase(name, START + first, START + last, "run.toml", "stated in run.toml")
    for name, first, last in ((BOOT, 0, 200), (LOGON, 200, 400), (STEADY, 400, 600))
)
# Values that are chosen in the plan instead of the shipped ones.
CHOICES = {"iops_figure": "mean", "storms": "boot", "raid": "RAID 5 (4+1)", "network": "1Gb Ethernet"}

# For a run without its sets, three sheets are checked; they do not need the pages.
LEFT_OUT = "left-out"


def _runs(folder: Path, name: str, configuration: object, reads: float, ram: float | None) -> list:
    runs = []
    for number in (1, 2, 3):
        data = columns(2, reads + number / 10, reads / 2 + number / 7, ram)
        for vm in ("VM-01", "VM-02"):
            data[vm, Quantity.READ_LATENCY] = np.full(60, 0.004 + number / 10_000)
            data[vm, Quantity.CPU] = np.full(60, 20.0 + number)
            if ram is not None:
                data[vm, Quantity.CACHE_DISK_USED] = np.linspace(0, (300.0 + number) * 2**20, 60)
        runs.append(make_run(folder, f"{name}-r{number}", configuration, data, stated=PHASES))
    return runs


@cache
def small_library() -> Library:
    """Two configurations with three runs each and every kind of figure. Tests share it and do not change it."""
    folder = Path(mkdtemp(dir=shared()))
    runs = [*_runs(folder, "mcs", MCS, 60.0, None), *_runs(folder, "mcsio", MCSIO, 9.0, 256.0)]
    return library_of(make_study("lab", runs))


def _new_value(one: Input, value: object, number: int) -> object:
    """Another value for an input; each input changes by a different share."""
    if one.key in CHOICES:
        return CHOICES[one.key]
    if not isinstance(value, int | float):
        return value
    if one.key == "ram_cache_mb":
        return value * 1.5
    if one.run:
        return value + 1 if one.key in ("vms", "users") else value * (1 + (number % 7 + 1) / 1_000)
    constant = constants()[one.key]
    if constant.choices:
        return value
    changed = value + 2 if constant.whole or value == 0 else value * 1.03
    return changed if constant.least <= changed <= constant.most else value * 0.97


def _changed_file(book: Workbook, values: Mapping[Input, object], target: Path) -> Path:
    """The workbook saved with these values, and restored."""
    kept = {one: book[one.sheet][one.cell].value for one in values}
    _fill(book, values)
    book.save(target)
    _fill(book, kept)
    return target


def _fill(book: Workbook, values: Mapping[Input, object]) -> None:
    for one, value in values.items():
        book[one.sheet][one.cell].value = value


def _state(values: Mapping[Input, object]) -> State:
    state = State()
    for one, value in values.items():
        if not one.run and one.choice in ("", *values.values()) and value is not None:
            state = state.with_input(f"sizing.{one.key}", value)
    return state


@dataclass(frozen=True)
class Answer:
    """One workbook: as exported, with changed inputs as LibreOffice calculates it, and as the program writes it with
    the same changes. `changed` are the cells that were changed."""

    before: Workbook
    anew: Workbook
    wanted: Workbook
    changed: frozenset[tuple[str, str]]

    def wrong(self, sheets: Container[str] = ()) -> list[tuple[object, ...]]:
        """The cells that differ from those of the program although their heading does not say that they are as
        exported; in `sheets`, only the formulas."""
        excused = self.changed | self._behind_exported()
        lines = []
        for title, cell in self._cells(sheets):
            ours, theirs = (self._value(book, title, cell) for book in (self.anew, self.wanted))
            right = _same(ours, theirs) or (title, cell.coordinate) in excused
            if not right and not marked(cell) and not self._elsewhere(title, cell, ours):
                lines.append((title, cell.coordinate, cell.value, ours, theirs))
        return lines

    def _elsewhere(self, title: str, cell: Cell, ours: object) -> bool:
        """True if the program writes something else in this place: more findings or another order, another key figure,
        or no column of overrides because the user states a value."""
        if title not in self.wanted.sheetnames:
            return False
        sheet = self.wanted[title]
        if title == "Summary":
            theirs = self._beside_same_label(cell) or self._led_to(cell)
            return bool(theirs) and all(_same(ours, value) for value in theirs)
        if title == "Sizing plan":
            return self.before[title].cell(4, cell.column).value != sheet.cell(4, cell.column).value
        labels = [str(book[title].cell(cell.row, 1).value) for book in (self.before, self.wanted)]
        if title == "Sizing" and labels[0] != labels[1] and cell.column > 2:
            # A note more or less moves the rows below it.
            rows = [row for row in range(1, sheet.max_row + 1) if str(sheet.cell(row, 1).value) == labels[0]]
            return any(_same(ours, sheet.cell(row, cell.column).value) for row in rows)
        if title != "Sizing" or cell.column != 2:
            return False
        # A key figure that is not a formula in the other workbook is the number that is displayed.
        reads = sheet[cell.coordinate].value == pytest.approx(ours, rel=0.006)
        return reads or labels[0] != labels[1].removesuffix(f" ({MARK})")

    def _beside_same_label(self, cell: Cell) -> list[object]:
        """The values that the program writes into this column next to the same label of the first sheet."""
        label, sheet = _summary_label(cell.parent, cell.row), self.wanted["Summary"]
        rows = range(1, sheet.max_row + 1) if label else ()
        return [sheet.cell(row, cell.column).value for row in rows if _summary_label(sheet, row) == label]

    def _led_to(self, cell: Cell) -> list[object]:
        """The value that the program writes at the target of a formula: in the row with the same labels, for a finding
        that is no longer on the first sheet."""
        led = re.fullmatch(r"=INDEX\('(.+?)'!\$([A-Z]+)\$.+,MATCH\((\d+),'.+", str(cell.value))
        if led is None:
            return []
        title, column, line = led.groups()
        (labels,) = [_labels(row) for row in self.before[title].iter_rows() if row[0].value == int(line)]
        sheet = self.wanted[title]
        return [sheet[f"{column}{row[0].row}"].value for row in sheet.iter_rows() if _labels(row) == labels]

    def moved(self, cached: Workbook) -> Counter[str]:
        """For each sheet, the number of formulas with another result than before."""
        return Counter(
            title
            for title, cell in self._cells()
            if cell.data_type == "f" and not _same(*(self._value(book, title, cell) for book in (cached, self.anew)))
        )

    def _cells(self, sheets: Container[str] = ()) -> Iterator[tuple[str, Cell]]:
        # The sheet Data is a copy for pivot tables: docs/exports.md says that it is as exported.
        for sheet in (one for one in self.before if one.title != "Data" and (not sheets or one.title in sheets)):
            for cell in filled(sheet):
                # The program writes no tables of choices if the user states the value.
                if cell.column == 1 and str(cell.value).startswith("Choices: "):
                    break
                if not sheets or cell.data_type == "f":
                    yield sheet.title, cell

    def _value(self, book: Workbook, title: str, cell: Cell) -> object:
        return book[title][cell.coordinate].value if title in book.sheetnames else None

    def _behind_exported(self) -> set[tuple[str, str]]:
        """The cells that depend on a measured number of the sizing plan that is marked as exported."""
        plan, stale = "Sizing plan", set()
        cells = [cell for title, cell in self._cells() if title == plan]
        for cell in cells:
            if cell.data_type == "n" and marked(cell):
                stale |= set() if _same(cell.value, self._value(self.wanted, plan, cell)) else {cell.coordinate}
        for cell in cells:
            # A formula is below its inputs, or next to them.
            used = re.findall(r"(?<![!:$A-Z])\$?([A-Z]+)\$?(\d+)", str(cell.value)) if cell.data_type == "f" else ()
            stale |= {cell.coordinate for column, row in used if f"{column}{row}" in stale}
        others = [
            (title, cell) for title, cell in self._cells() if title != plan and "'Sizing plan'!" in str(cell.value)
        ]
        places = {re.sub(r"([A-Z]+)(.+)", r"'Sizing plan'!$\1$\2", coordinate) for coordinate in stale}
        behind = {
            (title, cell.coordinate) for title, cell in others if any(f"{at}," in f"{cell.value}," for at in places)
        }
        return {(plan, coordinate) for coordinate in stale} | behind


def _summary_label(sheet: Worksheet, row: int) -> tuple[str, ...]:
    """The label of a row: a finding without its figures, or phase, configuration and metric of a headline."""
    words = (sheet.cell(row, column).value for column in (5, 6, 7))
    return tuple(re.split(r" by \d|: ", word)[0] for word in words if isinstance(word, str) and word[:1] != "=")


def _labels(row: Sequence[Cell]) -> tuple[object, ...]:
    """The words at the beginning of a row, after its number."""
    return tuple(takewhile(lambda value: isinstance(value, str) and value[:1] != "=", (one.value for one in row[1:])))


def _same(ours: object, theirs: object) -> bool:
    if isinstance(ours, int | float) and isinstance(theirs, int | float):
        return ours == pytest.approx(theirs, rel=1e-8, abs=1e-9)
    # The time of writing differs.
    return _timeless(ours) == _timeless(theirs)


def _timeless(value: object) -> object:
    return re.sub(r"written [-0-9]+ [:0-9]+", "", value) if isinstance(value, str) else value or ""


def _answers(
    library: Library, before: Workbook, folder: Path, every: Mapping[str, Mapping[Input, object]]
) -> dict[str, Answer]:
    """The workbooks with these changes, by their names; LibreOffice starts once for all."""
    files = []
    for name, changes in every.items():
        files.append(_changed_file(before, changes, folder / f"{name}.xlsx"))
        of_runs = {one: value for one, value in changes.items() if one.run}
        only = ("compare", "sizing") if name == LEFT_OUT else ()
        exported(with_changes(library, of_runs), folder / f"{name}-wanted.xlsx", _state(changes), only=only)
    anew = recalculated(files, folder)
    return {
        name: Answer(
            before,
            book,
            load_workbook(folder / f"{name}-wanted.xlsx", data_only=True),
            frozenset((one.sheet, one.cell) for one in every[name]),
        )
        for name, book in zip(every, anew, strict=True)
    }


def _inputs(book: Workbook) -> tuple[list[Input], dict[Input, object]]:
    """Every input of a workbook, and another value for each that has one."""
    inputs = inputs_of(book)
    values = {one: book[one.sheet][one.cell].value for one in inputs}
    return inputs, {one: _new_value(one, values[one], at) for at, one in enumerate(inputs) if values[one] is not None}


def _overrides(inputs: Sequence[Input], changes: Mapping[Input, object]) -> dict[Input, object]:
    """Every empty input filled: prices, and the overrides of measured values, one value for all configurations."""
    empty = [one for one in inputs if one not in changes]
    names = list(dict.fromkeys(one.key for one in empty))
    return {one: _between(constants()[one.key], names.index(one.key)) for one in empty}


def _between(constant: Constant, number: int) -> float:
    """A value that the program accepts."""
    return constant.least + min(30.0 + number, 0.6 * (constant.most - constant.least))


def _left_out(changes: Mapping[Input, object], run: str) -> dict[Input, object]:
    """A run without its sets."""
    rows = {one.cell.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ"): one for one in changes if one.run == run}
    return {Input(one.sheet, f"A{row}", "set", run, one.phase): None for row, one in rows.items()}


def test_that_every_cell_follows_the_inputs_or_is_marked_as_exported(tmp_path: Path) -> None:
    needed_office()
    library = small_library()
    path = document(library, "small.xlsx")
    before = load_workbook(path)
    answer = _answers(library, before, tmp_path, {"inputs": _inputs(before)[1]})["inputs"]
    assert answer.wrong() == []
    moved = answer.moved(load_workbook(path, data_only=True))
    wanted = {"Phase table", "Configurations", "Compare values", "Sizing plan", "Sizing", "Summary", "Summary data"}
    assert wanted <= set(moved)
    assert sum(moved.values()) > 500


@pytest.mark.slow
def test_that_the_plan_uses_an_override_or_else_the_mean_of_the_configurations(tmp_path: Path) -> None:
    needed_office()
    library = small_library()
    before = load_workbook(document(library, "small.xlsx"))
    answer = _answers(library, before, tmp_path, {"overrides": _overrides(*_inputs(before))})["overrides"]
    assert len({cell for _, cell in answer.changed}) > 20
    assert answer.wrong() == []
    plan = answer.before["Sizing plan"]
    measured = [str(cell.value) for row in plan.iter_rows() for cell in row if "Configurations" in str(cell.value)]
    assert len(measured) > 10


@pytest.mark.slow
def test_that_the_plan_follows_the_choice_of_the_summed_load(tmp_path: Path) -> None:
    needed_office()
    library = small_library()
    before = load_workbook(document(library, "small.xlsx"))
    summed: dict[Input, object] = {one: "summed" for one in inputs_of(before) if one.key == "iops_figure"}
    assert summed
    assert _answers(library, before, tmp_path, {"summed": summed})["summed"].wrong() == []


@pytest.mark.slow
def test_that_a_run_outside_every_configuration_is_not_in_means_or_changes_or_the_plan(tmp_path: Path) -> None:
    needed_office()
    library = small_library()
    before = load_workbook(document(library, "small.xlsx"))
    left_out = {LEFT_OUT: _left_out(_inputs(before)[1], "mcs-r3")}
    wrong = _answers(library, before, tmp_path, left_out)[LEFT_OUT].wrong
    assert wrong({"Configurations", "Compare values", "Sizing plan"}) == []


@pytest.mark.slow
def test_that_each_kind_of_input_changes_the_same_figures_as_in_the_program(tmp_path: Path) -> None:
    needed_office()
    library = small_library()
    before = load_workbook(document(library, "small.xlsx"))
    inputs, changes = _inputs(before)
    every = {**changes, **_overrides(inputs, changes)}
    kinds = list(dict.fromkeys((one.sheet, one.key, one.choice) for one in every))
    alone = {
        f"kind-{at}": {one: value for one, value in every.items() if (one.sheet, one.key, one.choice) == kind}
        for at, kind in enumerate(kinds)
    }
    assert len(alone) > 70
    wrong = {kinds[at]: answer.wrong() for at, answer in enumerate(_answers(library, before, tmp_path, alone).values())}
    assert {kind: lines for kind, lines in wrong.items() if lines} == {}


@pytest.mark.slow
def test_that_the_workbook_of_the_sample_follows_its_inputs(tmp_path: Path) -> None:
    needed_office()
    library = sample(SWEEP)
    before = load_workbook(sample_document(SWEEP, "xlsx"))
    _, changes = _inputs(before)
    assert _answers(library, before, tmp_path, {"inputs": changes})["inputs"].wrong() == []
