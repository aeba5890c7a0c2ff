"""The judge can fail: each way in which a reading may be silently wrong is found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.pollution.drafts import Draft
from tests.pollution.judge import Grid, GridRow, Outcome, Truth, judge
from tests.pollution.sheets import PERFMON, SHEETS, Sheet, read_bytes
from workbench.model.problem import Problem, Severity
from workbench.model.reading import Reading

FILE = PERFMON.file
WARNING = Problem(Severity.WARNING, FILE, "row-width", "Line 7 has 4 cells.", "row rejected", 7)

Spoil = Callable[[Grid], Grid]


def clean(folder: Path, sheet: Sheet = PERFMON) -> tuple[Truth, Reading, Grid]:
    draft = Draft(sheet)
    reading, grid = read_bytes(draft.content(), sheet.file, folder)
    assert grid is not None
    return draft.truth(frozenset((one.code, one.line) for one in reading.problems)), reading, grid


def with_cell(grid: Grid, row: int, column: int, value: float | None) -> Grid:
    cells = list(grid.rows[row].cells)
    cells[column] = value
    return with_row(grid, row, replace(grid.rows[row], cells=tuple(cells)))


def with_row(grid: Grid, row: int, *rows: GridRow) -> Grid:
    return replace(grid, rows=(*grid.rows[:row], *rows, *grid.rows[row + 1 :]))


def rotated(row: GridRow) -> GridRow:
    return replace(row, cells=(*row.cells[1:], row.cells[0]))


def later(row: GridRow, seconds: float) -> GridRow:
    assert row.time is not None
    return replace(row, time=row.time + seconds)


SPOILS: dict[str, Spoil] = {
    "a value changed": lambda grid: with_cell(grid, 5, 1, 6002.0),
    "a value gone": lambda grid: with_cell(grid, 5, 1, None),
    "zero for missing": lambda grid: with_cell(grid, 5, 1, 0.0),
    "the value of the cell above": lambda grid: with_cell(grid, 5, 1, 5002.25),
    "the value of the cell beside": lambda grid: with_cell(grid, 5, 1, 6003.25),
    "a row shifted by a cell": lambda grid: with_row(grid, 5, rotated(grid.rows[5])),
    "a row gone": lambda grid: with_row(grid, 5),
    "the last row gone": lambda grid: with_row(grid, 11),
    "a row twice": lambda grid: with_row(grid, 5, grid.rows[5], grid.rows[5]),
    "a row that is none": lambda grid: with_row(grid, 5, grid.rows[5], GridRow(1.0, (1.0, 2.0, 3.0, 4.0))),
    "two rows in the wrong order": lambda grid: replace(grid, rows=(grid.rows[1], grid.rows[0], *grid.rows[2:])),
    "a time of another row": lambda grid: with_row(grid, 5, later(grid.rows[5], 15)),
    "all times an hour late": lambda grid: replace(grid, rows=tuple(later(row, 3600) for row in grid.rows)),
    "another offset": lambda grid: replace(grid, offset=0),
    "the offset unknown": lambda grid: replace(grid, offset=None),
    "names in another order": lambda grid: replace(grid, names=tuple(reversed(grid.names))),
    "a name cut": lambda grid: replace(grid, names=("x", *grid.names[1:])),
    "a column gone": lambda grid: Grid(
        grid.names[1:], tuple(replace(row, cells=row.cells[1:]) for row in grid.rows), grid.offset
    ),
    "a column from nowhere": lambda grid: Grid(
        (*grid.names, "x"), tuple(replace(row, cells=(*row.cells, 1.0)) for row in grid.rows), grid.offset
    ),
}


def counted(reading: Reading, grid: Grid, rejected: int = 0, *problems: Problem) -> Reading:
    report = replace(reading.report, rows=len(grid.rows), rejected_rows=rejected)
    return replace(reading, report=report, problems=problems)


@pytest.mark.parametrize("spoil", SPOILS.values(), ids=SPOILS)
def test_that_each_kind_of_silent_fault_is_detected(tmp_path: Path, spoil: Spoil) -> None:
    truth, reading, grid = clean(tmp_path)
    spoilt = spoil(grid)
    assert judge(truth, counted(reading, spoilt), spoilt).outcome is Outcome.WRONG


@pytest.mark.parametrize(
    "name",
    [
        name
        for name in SPOILS
        if name not in ("a value gone", "a row gone", "the offset unknown", "a column gone", "the last row gone")
    ],
)
def test_that_a_reported_problem_does_not_excuse_a_wrong_value(tmp_path: Path, name: str) -> None:
    truth, reading, grid = clean(tmp_path)
    spoilt = SPOILS[name](grid)
    told = counted(reading, spoilt, len(truth.rows) - len(spoilt.rows), WARNING)
    assert judge(truth, told, spoilt).outcome is Outcome.WRONG


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_that_an_undamaged_reading_is_identical(tmp_path: Path, sheet: Sheet) -> None:
    truth, reading, grid = clean(tmp_path, sheet)
    assert judge(truth, reading, grid).outcome is Outcome.IDENTICAL


def test_that_a_missing_value_and_a_missing_row_need_a_problem_with_their_line(tmp_path: Path) -> None:
    truth, reading, grid = clean(tmp_path)
    for spoilt, rejected in ((with_cell(grid, 5, 1, None), 0), (with_row(grid, 5), 1)):
        assert judge(truth, counted(reading, spoilt, rejected, WARNING), spoilt).outcome is Outcome.TOLD
        for elsewhere in (8, 6, None):
            wrong = counted(reading, spoilt, rejected, replace(WARNING, line=elsewhere))
            assert judge(truth, wrong, spoilt).outcome is Outcome.WRONG


def test_that_rows_read_equal_rows_kept_plus_rows_rejected(tmp_path: Path) -> None:
    truth, reading, grid = clean(tmp_path)
    assert judge(truth, counted(reading, grid, 1), grid).outcome is Outcome.WRONG
    spoilt = with_row(grid, 5)
    assert judge(truth, counted(reading, spoilt, 0, WARNING), spoilt).outcome is Outcome.WRONG
    miscounted = replace(reading, report=replace(reading.report, rows=11, rejected_rows=1))
    assert judge(truth, miscounted, grid).outcome is Outcome.WRONG


def test_that_a_destroyed_value_must_be_missing(tmp_path: Path) -> None:
    draft = Draft(PERFMON)
    draft.set_cell("8")
    reading, grid = read_bytes(draft.content(), FILE, tmp_path)
    assert judge(draft.truth(frozenset()), reading, grid).outcome is Outcome.WRONG
    draft.told[draft.row, draft.column] = 8.0
    assert judge(draft.truth(frozenset()), reading, grid).outcome is Outcome.WRONG
    told = replace(reading, problems=(WARNING,))
    assert judge(draft.truth(frozenset()), told, grid).outcome is Outcome.TOLD


def test_that_a_fault_is_reported_at_its_line(tmp_path: Path) -> None:
    truth, reading, grid = clean(tmp_path)
    assert judge(replace(truth, tell=True), reading, grid).outcome is Outcome.WRONG
    told = replace(reading, problems=(WARNING,))
    assert judge(replace(truth, tell=True), told, grid).outcome is Outcome.TOLD
    assert judge(replace(truth, tell_line=7), told, grid).outcome is Outcome.TOLD
    assert judge(replace(truth, tell_line=9), told, grid).outcome is Outcome.WRONG


@pytest.mark.parametrize(
    "changes",
    [{"file": "other.csv"}, {"message": "no"}, {"message": ""}, {"action": ""}, {"severity": Severity.WARNING}],
)
def test_that_a_rejection_has_a_sentence_with_the_file_name(tmp_path: Path, changes: dict[str, str]) -> None:
    truth, reading, grid = clean(tmp_path)
    problem = replace(WARNING, severity=Severity.REFUSED)
    refused = replace(counted(reading, replace(grid, rows=()), 12, problem), recording=None)
    assert judge(truth, refused, None).outcome is Outcome.REFUSED
    spoilt = replace(refused, problems=(replace(problem, **changes),))  # type: ignore[arg-type]
    assert judge(truth, spoilt, None).outcome is Outcome.WRONG
    assert judge(truth, replace(refused, problems=()), None).outcome is Outcome.WRONG
