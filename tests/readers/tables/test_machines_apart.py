"""Rows of one series and time: never averaged, and rejected if a column shows that they are from two machines."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.readers.tables.test_known_tables import read, series_of

AZURE = "Computer,ObjectName,CounterName,InstanceName,CounterValue,TimeGenerated [UTC]"


def azure_rows(cells: Iterable[tuple[object, str, str]], further: str) -> str:
    """A table of one series with one more column; each row has its value, its time of day, and the text of that
    column."""
    rows = (
        f"W10,PhysicalDisk,Disk Reads/sec,_Total,{value},2025-02-25T{time}Z,{text}\n" for value, time, text in cells
    )
    return f"{AZURE},{further}\n" + "".join(rows)


def test_that_alternating_machines_with_different_times_are_rejected(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    cells = [(n, f"09:{n:02}:00", "east" if n % 2 else "west") for n in range(20)]
    (told,) = read(tmp_path, azure_rows(cells, "Group"))[0].problems
    assert told.message == snapshot


def test_that_a_short_table_of_two_machines_is_rejected_by_the_heading(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    cells = [(1, "09:00:00", "a"), (2, "09:00:00", "b"), (3, "09:01:00", "a")]
    (told,) = read(tmp_path, azure_rows(cells, "HostName"))[0].problems
    assert told.message == snapshot


def test_that_machines_one_after_the_other_within_a_series_cause_a_warning(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    cells = [(n, f"09:{n:02}:00", "a" if n < 10 else "b") for n in range(20)]
    reading, _ = read(tmp_path, azure_rows(cells, "HostName"))
    (told,) = reading.problems
    assert (told.code, told.line, reading.report.rows) == ("several-machines", 12, 20)
    assert told.message == snapshot


def test_that_notes_and_quotes_within_cells_have_no_effect(tmp_path: Path) -> None:
    cells = [(n, f"09:{n:02}:00", f'"note ""{n}"", and more"') for n in range(20)]
    reading, frame = read(tmp_path, azure_rows(cells, "Note"))
    assert (reading.problems, reading.report.rows) == ((), 20)
    assert frame["c0"].to_list() == [float(n) for n in range(20)]


def test_that_quotes_within_a_quoted_cell_belong_to_the_name(tmp_path: Path) -> None:
    lines = azure_rows([(1, "09:00:00", "x")], "Note").replace("W10,", 'pc ""1"",').splitlines()
    quoted = ['"' + line.replace(",", '","') + '"' for line in lines]
    (series,) = series_of(read(tmp_path, "\n".join(quoted) + "\n")[0]).values()
    assert series.vm == 'pc "1"'


def test_that_rows_of_one_series_and_time_are_never_averaged(tmp_path: Path) -> None:
    head = "Computer,ObjectName,CounterName,InstanceName,CounterValue,TimeGenerated [UTC]\n"
    rows = [f"W10,PhysicalDisk,Disk Reads/sec,_Total,{n},2025-02-25T09:{n:02}:00Z\n" for n in range(30)]
    reading, frame = read(tmp_path, head + "".join([*rows, rows[3], rows[7].replace(",7,", ",99,")]))
    told = {problem.code: (problem.line, problem.message) for problem in reading.problems}
    assert told == {
        "repeated-row": (32, "1 row is identical to another row (line 32)."),
        "repeated-time": (33, "Line 33 has the same timestamp and series as line 9."),
    }
    assert frame["c0"].to_list() == [float(n) for n in range(30)]
    assert (reading.report.rows, reading.report.rejected_rows) == (30, 2)


def test_that_many_rows_of_one_series_and_time_are_rejected(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    text = "Computer,ObjectName,CounterName,InstanceName,CounterValue,TimeGenerated [UTC]\n"
    for minute in range(20):
        for value in (5, 6):
            text += f"W10,PhysicalDisk,Disk Reads/sec,_Total,{value}.{minute},2025-02-25T09:{minute:02}:00Z\n"
    reading, _ = read(tmp_path, text)
    (told,) = reading.problems
    assert told.message == snapshot


@pytest.mark.parametrize(("name", "refused"), [("b", True), ("note 11", False)])
def test_that_two_rows_of_one_time_in_a_column_of_few_texts_are_rejected(
    tmp_path: Path, name: str, refused: bool
) -> None:
    """This holds for any heading of the column. Texts that occur only once are notes."""
    first = [(n, f"09:{n:02}:00", "a" if refused else f"note {n}") for n in range(10)]
    reading, _ = read(tmp_path, azure_rows([*first, (99, "09:05:00", name)], "Group"))
    # The rows of 09:05 are on lines 7 and 12.
    assert [(one.code, one.line) for one in reading.problems] == [("long-table" if refused else "repeated-time", 12)]
    assert (reading.report.rows, reading.report.rejected_rows) == ((0, 11) if refused else (10, 1))
