"""The workbook is live or says so: inputs changed in the file, against the program with the same changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from openpyxl import Workbook, load_workbook

from tests.exporters.jobs import exported, library_of
from tests.exporters.studies import MCS, MCSIO, START, columns, make_run, make_study
from tests.exporters.workbook.live import Input, inputs_of, marked, recalculated, with_changes
from workbench.answers.common.library import Library
from workbench.answers.sizing.constants import constants
from workbench.model.metric import Quantity
from workbench.model.phase import BOOT, LOGON, STEADY, Phase
from workbench.session.state import State

PHASES = tuple(
    Phase(name, START + first, START + last, "run.toml", "stated in run.toml")
    for name, first, last in ((BOOT, 0, 200), (LOGON, 200, 400), (STEADY, 400, 600))
)
# Words that are chosen in the plan instead of those that are shipped.
CHOICES = {"iops_figure": "mean", "storms": "boot", "raid": "RAID 5 (4+1)", "network": "1Gb Ethernet"}


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


def small_library(folder: Path) -> Library:
    """Two configurations of three runs each with every kind of figure."""
    runs = [*_runs(folder, "mcs", MCS, 60.0, None), *_runs(folder, "mcsio", MCSIO, 9.0, 256.0)]
    return library_of(make_study("lab", runs))


def _new_value(one: Input, value: object, number: int) -> object:
    """Another value of an input, each by a share of its own."""
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


def _changed_file(path: Path, values: Mapping[Input, object], target: Path) -> Path:
    book = load_workbook(path)
    for one, value in values.items():
        book[one.sheet][one.cell].value = value
    book.save(target)
    return target


def _state(values: Mapping[Input, object]) -> State:
    state = State()
    for one, value in values.items():
        if not one.run and one.choice in ("", *values.values()) and value is not None:
            state = state.with_input(f"sizing.{one.key}", value)
    return state


def _differences(anew: Workbook, wanted: Workbook, before: Workbook) -> tuple[list[tuple], Counter]:
    """The cells that are not what the program writes although their head says nothing, and how many moved by sheet."""
    wrong, moved = [], Counter()
    for sheet in before:
        # The program writes no tables of choices where the user states what would be chosen from them.
        choices = next((row[0].row for row in sheet.iter_rows() if str(row[0].value).startswith("Choices: ")), None)
        rows = sheet.iter_rows(max_row=choices and choices - 1)
        for cell in (cell for row in rows for cell in row if cell.value is not None):
            ours = anew[sheet.title][cell.coordinate].value
            theirs = wanted[sheet.title][cell.coordinate].value if sheet.title in wanted.sheetnames else None
            if _same(ours, theirs):
                moved[sheet.title] += cell.data_type == "f"
            elif not marked(cell):
                wrong.append((sheet.title, cell.coordinate, cell.value, ours, theirs))
    return wrong, moved


def _same(ours: object, theirs: object) -> bool:
    if isinstance(ours, int | float) and isinstance(theirs, int | float):
        return ours == pytest.approx(theirs, rel=1e-8, abs=1e-9)
    return (ours or "") == (theirs or "")


def _compared(library: Library, folder: Path, changes: Mapping[Input, object]) -> tuple[list[tuple], Counter]:
    exported(library, folder / "before.xlsx")
    changed = _changed_file(folder / "before.xlsx", changes, folder / "changed.xlsx")
    of_runs = {one: value for one, value in changes.items() if one.run}
    exported(with_changes(library, of_runs), folder / "wanted.xlsx", _state(changes))
    (anew,) = recalculated([changed], folder)
    wanted = load_workbook(folder / "wanted.xlsx", data_only=True)
    own = {(one.sheet, one.cell) for one in changes}
    wrong, moved = _differences(anew, wanted, load_workbook(folder / "before.xlsx"))
    return [line for line in wrong if line[:2] not in own], moved


def _every_change(library: Library, folder: Path) -> dict[Input, object]:
    exported(library, folder / "inputs.xlsx")
    book = load_workbook(folder / "inputs.xlsx")
    inputs = inputs_of(book)
    return {one: _new_value(one, book[one.sheet][one.cell].value, at) for at, one in enumerate(inputs)}


def test_that_every_cell_follows_every_input_or_says_that_it_is_as_exported(tmp_path: Path) -> None:
    library = small_library(tmp_path / "data")
    changes = _every_change(library, tmp_path)
    assert len({one.key for one in changes}) > 50
    wrong, moved = _compared(library, tmp_path, changes)
    for line in wrong:
        print([str(x)[:110] for x in line])
    print(moved)
    assert wrong == []
