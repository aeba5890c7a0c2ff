"""A flood of problems of one kind is summed up, with or without lines, and costs no file."""

from __future__ import annotations

import json
from pathlib import Path

from workbench.model.problem import Severity
from workbench.readers import goeuc
from workbench.readers.common.row_problems import LISTED, Problems


def test_that_a_flood_without_lines_is_summed_up(tmp_path: Path) -> None:
    problems = Problems("chart.json")
    for number in range(LISTED + 50):
        problems.warn("not-a-number", f"Point {number} has no number.", "value left empty")
    *listed, summary = problems.all()
    assert len(listed) == LISTED
    assert summary.line is None
    assert summary.message == "50 more problems of the kind 'not-a-number' were met, 150 in all."


def test_that_a_summary_names_the_last_line_where_there_is_one() -> None:
    problems = Problems("a.csv")
    for line in range(1, LISTED + 51):
        problems.warn("row-width", f"Line {line} has 3 cells.", "row left out", line * 10)
    summary = problems.all()[-1]
    assert summary.line == 1_500
    assert summary.message.endswith("150 in all; the last one is on line 1,500.")


def test_that_problems_taken_over_are_counted_once() -> None:
    ours, theirs = Problems("a.csv"), Problems("a.csv")
    for problems in (ours, theirs):
        for line in range(1, LISTED + 1):
            problems.warn("row-width", f"Line {line} has 3 cells.", "row left out", line)
    ours.take(theirs)
    assert len(ours.all()) == 2 * LISTED
    ours.warn("row-width", "Line 900 has 3 cells.", "row left out", 900)
    assert ours.all()[-1].message.startswith("1 more problems")
    assert ours.count("row-width") == 2 * LISTED + 1


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
    assert "300 in all" in flood[-1].message
