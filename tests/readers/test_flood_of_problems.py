"""A flood of problems of one kind is summarised, with or without lines, and rejects no file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from workbench.model.problem import Severity
from workbench.readers import goeuc
from workbench.readers.common.row_problems import LISTED, Problems
from workbench.readers.perfmon import reader as perfmon


def test_that_a_flood_without_lines_is_summed_up(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    problems = Problems("chart.json")
    for number in range(LISTED + 50):
        problems.warn("not-a-number", f"Point {number} has no number.", "value left empty")
    *listed, summary = problems.all()
    assert len(listed) == LISTED
    assert summary.line is None
    assert summary.message == snapshot


def test_that_a_summary_names_the_last_line_if_known(snapshot: SnapshotAssertion) -> None:
    problems = Problems("a.csv")
    for line in range(1, LISTED + 51):
        problems.warn("bad-time", f"Line {line} has no time.", "row rejected", line * 10)
    summary = problems.all()[-1]
    assert summary.line == 1_500
    assert summary.message == snapshot


def test_that_adopted_problems_are_counted_once() -> None:
    ours, theirs = Problems("a.csv"), Problems("a.csv")
    for problems in (ours, theirs):
        for line in range(1, LISTED + 1):
            problems.warn("bad-time", f"Line {line} has no time.", "row rejected", line)
    ours.take(theirs)
    assert len(ours.all()) == 2 * LISTED
    ours.warn("bad-time", "Line 900 has no time.", "row rejected", 900)
    assert ours.all()[-1].message.startswith("Last of 201 similar problems (1 not listed): ")
    assert ours.count("bad-time") == 2 * LISTED + 1


@pytest.mark.parametrize("number", [1, 2, 4, 6, 2_000])
def test_that_rows_of_another_width_are_one_problem_with_their_number_and_the_first_lines(
    number: int, snapshot: SnapshotAssertion
) -> None:
    problems = Problems("a.csv")
    for line in range(1, number + 1):
        problems.warn("row-width", f"Line {line * 10} has 3 cells, but the header has 5.", "row rejected", line * 10)
    problems.warn("bad-time", "Line 5 has no time.", "row rejected", 5)
    width, other = problems.all()
    assert width.message == snapshot
    assert (width.line, width.action, other.code) == (
        10,
        "row rejected" if number == 1 else "rows rejected",
        "bad-time",
    )


def test_that_a_folder_of_damaged_tables_reports_each_file_once(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    head = '"(PDH-CSV 4.0) (GMT Standard Time)(0)","\\\\A\\PhysicalDisk(_Total)\\Disk Reads/sec"\n'
    second = ('"1"', '"1","2"')
    rows = [f'"05/10/2016 09:{at // 60:02}:{at % 60:02}.000",{second[at % 2]}\n' for at in range(300)]
    path = tmp_path / "a.csv"
    path.write_text(head + "".join(rows))
    reading = perfmon.read(path, "a.csv", tmp_path / "columns.arrow")
    widths = [problem for problem in reading.problems if problem.code == "row-width"]
    assert (reading.report.rows, reading.report.rejected_rows) == (150, 150)
    assert [problem.line for problem in widths] == [3]
    assert widths[0].message == snapshot


def test_that_a_chart_with_hundreds_of_texts_for_numbers_is_read(tmp_path: Path) -> None:
    points = [{"x": f"00:{at // 60:02}:{at % 60:02}", "y": "none" if at % 2 else 5} for at in range(600)]
    path = tmp_path / "chart.json"
    path.write_text(json.dumps({"title": "Reads/sec", "series": [{"serie": "MCS", "data": points}]}))
    reading = goeuc.read(path, "chart.json", tmp_path / "columns.arrow")
    assert reading.recording is not None
    assert reading.recording.rows == 600
    flood = [one for one in reading.problems if one.code == "not-a-number"]
    assert len(flood) == LISTED + 1
    assert flood[-1].severity is Severity.WARNING
    assert "Last of 300" in flood[-1].message
