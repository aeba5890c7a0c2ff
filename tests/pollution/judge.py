"""The judge: compares a reading of a polluted file with its source cell by cell, and decides whether it is honest."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from workbench.model.problem import Problem, Severity
from workbench.model.reading import Reading

Value = str | float


class Outcome(StrEnum):
    """The outcome of a case. All but the last are honest."""

    IDENTICAL = "identical"
    TOLD = "reported"
    REFUSED = "not imported"
    WRONG = "WRONG"


@dataclass(frozen=True, slots=True)
class GridRow:
    """A row as it was read: seconds since 1970 (in UTC if the offset is known), and the cells."""

    time: float | None
    cells: tuple[Value | None, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """The content that was read: column names, rows, and the clock's distance from UTC in minutes."""

    names: tuple[str, ...]
    rows: tuple[GridRow, ...]
    offset: int | None


@dataclass(frozen=True, slots=True)
class TrueRow:
    """A row of the source, and its allowed readings.

    `cells` None: the value is lost, and any value read there is wrong. `blank`: empty columns, so a missing value needs
    no problem. `told`: values that replace the true one, allowed if a problem names the line. `line` None: the format
    has no line for the row, and a problem with the file's name is enough.
    """

    line: int | None
    time: float | None
    cells: tuple[Value | None, ...]
    blank: frozenset[int] = frozenset()
    told: Mapping[int, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Truth:
    """The content of a polluted file. `known` are the problems (code and line) that the clean twin has too.

    `junk`: lines that are not rows, which a reader may count as rejected. `tell`: the pollution changes the meaning of
    the numbers and must be reported even if every cell is right; `tell_line`: at this line. `counted`: each row is one
    row of the file, and rows in = rows kept + rows rejected.
    """

    file: str
    names: tuple[str, ...]
    rows: tuple[TrueRow, ...]
    offset: int | None
    known: frozenset[tuple[str, int | None]] = frozenset()
    junk: int = 0
    tell: bool = False
    tell_line: int | None = None
    counted: bool = True


@dataclass(frozen=True, slots=True)
class Verdict:
    """Returns an outcome, and the reason for a wrong one."""

    outcome: Outcome
    reason: str = ""


class _WrongError(Exception):
    pass


def judge(truth: Truth, reading: Reading, grid: Grid | None) -> Verdict:
    """Returns identical, told, refused or wrong. A problem counts only if it names the file and is a sentence."""
    try:
        fresh = _fresh_problems(truth, reading)
        if grid is None:
            return _refusal(truth, reading)
        if not reading.report.recognised:
            raise _WrongError("samples without a reader")
        places = _columns(truth, grid, fresh)
        met = _rows(truth, grid, places, fresh)
        _count(truth, reading, grid, met)
        same_clock = truth.offset == grid.offset
        if not same_clock and (grid.offset is not None or not fresh):
            raise _WrongError(f"the clock is {grid.offset} minutes from UTC, and should be {truth.offset}")
        if truth.tell and not fresh:
            raise _WrongError("nothing was told")
        if truth.tell_line is not None and not _names(fresh, truth.tell_line):
            raise _WrongError(f"no problem names line {truth.tell_line}")
    except _WrongError as wrong:
        return Verdict(Outcome.WRONG, str(wrong))
    return Verdict(Outcome.TOLD if fresh else Outcome.IDENTICAL)


def _fresh_problems(truth: Truth, reading: Reading) -> list[Problem]:
    """Returns the problems that the clean twin does not have; each must be in order."""
    for problem in reading.problems:
        if problem.file != truth.file:
            raise _WrongError(f"a problem names the file {problem.file!r}")
        if not problem.message.rstrip().endswith(".") or not problem.action:
            raise _WrongError(f"a problem is no sentence: {problem.message!r}")
    return [one for one in reading.problems if (one.code, one.line) not in truth.known]


def _refusal(truth: Truth, reading: Reading) -> Verdict:
    left_out = any(one.severity is Severity.REFUSED for one in reading.problems)
    if not left_out and (reading.report.recognised or not reading.problems):
        raise _WrongError("nothing was read, and nothing says why")
    if reading.report.rows:
        raise _WrongError(f"nothing was read, and the report counts {reading.report.rows} rows")
    return Verdict(Outcome.REFUSED)


def _columns(truth: Truth, grid: Grid, fresh: list[Problem]) -> list[int]:
    """Returns the index of each true column in the grid, -1 if it was omitted and this was reported."""
    places: list[int] = []
    start = 0
    for name in truth.names:
        found = next((place for place in range(start, len(grid.names)) if grid.names[place] == name), -1)
        if found < 0 and not fresh:
            raise _WrongError(f"the column {name!r} is gone, and nothing was told")
        start = found + 1 if found >= 0 else start
        places.append(found)
    used = {place for place in places if place >= 0}
    for place, name in enumerate(grid.names):
        filled = any(row.cells[place] is not None for row in grid.rows)
        if place not in used and (filled or not fresh):
            raise _WrongError(f"the column {name!r} does not stand in the file")
    return places


def _rows(truth: Truth, grid: Grid, places: list[int], fresh: list[Problem]) -> int:
    """Aligns the rows in file order; returns how many true rows are missing from the grid, all of them reported."""
    gone = 0
    waiting = iter(truth.rows)
    for number, row in enumerate(grid.rows, 1):
        skipped: list[str] = []
        for expected in waiting:
            fault = _compare(truth, expected, row, places, fresh)
            if not fault:
                break
            skipped.append(f"row {number} as line {expected.line}: {fault}")
            if not _names(fresh, expected.line):
                raise _WrongError("; ".join(skipped[-2:]))
            gone += 1
        else:
            raise _WrongError(f"row {number} {row} does not stand in the file; {'; '.join(skipped[-2:])}")
    for expected in waiting:
        if not _names(fresh, expected.line):
            raise _WrongError(f"line {expected.line} is gone, and nothing names it")
        gone += 1
    return gone


def _compare(truth: Truth, expected: TrueRow, row: GridRow, places: list[int], fresh: list[Problem]) -> str:
    """Returns the fault of the row that was read for this true one; empty if there is none."""
    if expected.time is None or (row.time is not None and abs(row.time - expected.time) > 1e-4):
        return f"its time is {row.time} instead of {expected.time}"
    named = _names(fresh, expected.line)
    for column, (value, place) in enumerate(zip(expected.cells, places, strict=True)):
        found = row.cells[place] if place >= 0 else None
        if found is None:
            if column not in expected.blank and place >= 0 and not named:
                return f"cell {column + 2} is missing, and nothing names it"
        elif value is None or not _same(found, value):
            instead = expected.told.get(column)
            if instead is None or not named or not _same(found, instead):
                return f"cell {column + 2} is {found!r} instead of {value!r}"
    return ""


def _same(found: Value, value: Value) -> bool:
    if isinstance(found, str) or isinstance(value, str):
        return found == value
    return abs(found - value) <= 1e-9 * max(1.0, abs(value))


def _names(fresh: list[Problem], line: int | None) -> bool:
    """True if a problem names this line, alone or with others; without lines in the format, if it names the file."""
    return any(line is None or problem.line == line or _among(problem, line) for problem in fresh)


def _among(problem: Problem, line: int) -> bool:
    """True if a problem about several lines names this one, or includes it in the number of further lines."""
    named = re.search(
        r" \((?:same problem on|also below it:) lines? ([\d, and]+?)( and [\d,]+ more)?\)\.$", problem.message
    )
    if named is None or problem.line is None or line <= problem.line:
        return False
    return named[2] is not None or f"{line:,}" in re.split(", | and ", named[1])


def _count(truth: Truth, reading: Reading, grid: Grid, gone: int) -> None:
    report = reading.report
    if report.rows != len(grid.rows):
        raise _WrongError(f"the report counts {report.rows} rows, and {len(grid.rows)} were read")
    if not truth.counted:
        if gone and not report.rejected_rows and not reading.problems:
            raise _WrongError(f"{gone} rows are gone, and nothing was told")
        return
    counted = report.rows + report.rejected_rows
    if not len(truth.rows) <= counted <= len(truth.rows) + truth.junk:
        raise _WrongError(
            f"{report.rows} rows and {report.rejected_rows} rejected ones of {len(truth.rows)} in the file"
        )
