"""One file with the results of two tools: those that are not read are reported with their line."""

from __future__ import annotations

import itertools
import os
from pathlib import Path

import pytest

from tests.readers import test_cut_short, test_diskspd, test_sqlio, test_vdbench
from tests.readers.perfmon_files import READS, good_rows, pdh
from workbench.model.problem import Severity
from workbench.readers.registry import recognise
from workbench.readers.text.documents import other_results
from workbench.study.importing.source import read_source
from workbench.study.store.column_store import Store

RESULTS = {
    "diskspd": test_diskspd.REPORT,
    "sqlio": test_sqlio.run(),
    "iometer": test_cut_short.IOMETER,
    "fio": test_cut_short.STATUS,
    "vdbench": test_vdbench.FLATFILE,
}


@pytest.mark.parametrize(("first", "second"), list(itertools.permutations(RESULTS, 2)))
def test_that_results_of_another_tool_in_a_file_are_reported(tmp_path: Path, first: str, second: str) -> None:
    text = RESULTS[first] + RESULTS[second]
    file = tmp_path / "both.txt"
    file.write_text(text, newline="")
    store = Store(tmp_path / "store")
    reading = read_source(file, "both.txt", store)
    assert reading.report.reader in (first, second)
    (told,) = [problem for problem in reading.problems if problem.code == "other-results"]
    assert (second if reading.report.reader == first else first) in told.message.casefold()
    again = read_source(file, "both.txt", store)
    assert again.problems == reading.problems


@pytest.mark.parametrize("tool", RESULTS)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_that_results_of_one_tool_are_not_reported_as_mixed(tmp_path: Path, tool: str, encoding: str) -> None:
    file = tmp_path / "one.txt"
    file.write_bytes((RESULTS[tool] * 2).encode(encoding))
    reader = recognise(file.read_bytes(), "one.txt")
    assert reader is not None
    assert other_results(reader.label, file, "one.txt") == ()


def test_that_perfmon_after_a_report_is_reported_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "both.txt"
    rows = pdh(*good_rows(3), names=(READS,))
    file.write_text(test_sqlio.run() + rows, newline="")
    (told,) = other_results("sqlio", file, "both.txt")
    assert (told.line, "perfmon" in told.message) == (test_sqlio.run().count("\n") + 1, True)


def test_that_a_long_file_after_a_sqlio_run_is_read_in_proportional_time(tmp_path: Path) -> None:
    file = tmp_path / "long.txt"
    file.write_text(test_sqlio.run() + '            "key": "value"\n' * 30_000)
    reading = read_source(file, "long.txt", Store(tmp_path / "store"))
    assert len(reading.benchmarks) == 1


@pytest.mark.parametrize(("more", "problems"), [(0, 1), (1, 0)])
def test_that_a_file_up_to_64_mib_is_searched(tmp_path: Path, more: int, problems: int) -> None:
    file = tmp_path / "long.txt"
    file.write_bytes(b"IOs/sec: 5\n")
    os.truncate(file, 64 * 1024 * 1024 + more)
    assert len(other_results("fio", file, "long.txt")) == problems


@pytest.mark.parametrize("end", ["\r", "\n", "\r\n"])
def test_that_the_line_of_other_results_is_correct_for_all_line_ends(tmp_path: Path, end: str) -> None:
    file = tmp_path / "both.txt"
    file.write_text(end.join(["a", "b", "IOs/sec: 5", "IOs/sec: 6", ""]), newline="")
    (told,) = other_results("fio", file, "both.txt")
    assert (told.line, told.severity) == (3, Severity.WARNING)
