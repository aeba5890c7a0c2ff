"""DiskSpd's text report, complete and damaged, as consoles and notes contain it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.readers.benchmark_files import asked, codes, figures, is_whole, read_with, refusal, row_of
from workbench.model.benchmark import Op
from workbench.readers.diskspd.reader import READER

PARAMETERS = """Command Line: diskspd -b8K -L t.dat

Input parameters:

	timespan:   1
	-------------
	duration: 10s
	random seed: 0
	path: 'D:\\t.dat'
		think time: 0ms
		performing mix test (read/write ratio: 70/30)
		block size: 8KiB
		using random I/O (alignment: 8KiB)
		number of outstanding I/O operations per thread: 4
		threads per file: 2
		IO priority: normal

System information:

	computer name: vm-01
	start time: 2024/03/01 10:00:05 UTC

"""
HEADER = "thread |       bytes     |     I/Os     |    MiB/s   |  I/O per s |  AvgLat  | LatStdDev |  file\n"
LINE = "-----------------------------------------------------------------------------------------------------\n"
THREAD = (
    "     0 |        81920000 |        10000 |       7.81 |    1000.00 |    2.000 |     0.500 | D:\\t.dat (50MiB)\n"
)


def table(op: str, amount: int, ios: int, iops: float, mean: float) -> str:
    total = f"total:       {amount} |        {ios} |       0.00 |     {iops:.2f} |    {mean:.3f} |     0.500\n\n"
    return f"{op} IO\n{HEADER}{LINE}{THREAD}{LINE}{total}"


PERCENTILES = """

total:
  %-ile |  Read (ms) | Write (ms) | Total (ms)
----------------------------------------------
    min |      0.100 |      0.200 |      0.100
   50th |      1.500 |      2.500 |      1.800
   95th |      3.500 |      4.500 |      3.900
   99th |      5.500 |      6.500 |      5.900
3-nines |      7.500 |      8.500 |      7.900
    max |      9.000 |      9.500 |      9.500
"""
RESULTS = (
    "Results for timespan 1:\n*****\n\nactual test time:	10.00s\nthread count:		2\n\n"
    + table("Total", 81_920_000, 10_000, 1000, 2.3)
    + table("Read", 57_344_000, 7_000, 700, 2.0)
    + table("Write", 24_576_000, 3_000, 300, 3.0)
    + PERCENTILES
)
REPORT = PARAMETERS + RESULTS


def test_that_a_report_gives_both_directions_and_the_total_in_project_units(tmp_path: Path) -> None:
    reading = read_with(READER, tmp_path, REPORT)
    read, write, total = reading.benchmarks
    assert [row.op for row in (read, write, total)] == [Op.READ, Op.WRITE, Op.TOTAL]
    assert figures(read) == (700.0, 5.7344, 2.0, 1.5, 3.5, 5.5)
    assert figures(write) == (300.0, 2.4576, 3.0, 2.5, 4.5, 6.5)
    assert figures(total) == (1000.0, 8.192, 2.3, 1.8, 3.9, 5.9)
    assert {asked(row) for row in reading.benchmarks} == {(8192, 4, 2, 70.0, "random")}
    assert (read.tool, read.tool_version, read.test, read.job) == ("diskspd", None, "result", "D:\\t.dat")
    assert (read.host, read.started) == ("vm-01", "2024-03-01T10:00:05Z")
    report = reading.report
    assert (report.rows, report.rejected_rows, report.hosts, report.first) == (3, 0, ("vm-01",), read.started)
    assert reading.problems == ()


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "utf-16-le"])
@pytest.mark.parametrize("line_end", ["\r\n", "\n"])
def test_that_a_redirected_report_reads_as_the_plain_one(tmp_path: Path, encoding: str, line_end: str) -> None:
    data = REPORT.replace("\n", line_end).encode(encoding)
    assert READER.identify(data[:65_536], "x") == 0.9
    reading = read_with(READER, tmp_path, data)
    assert reading.benchmarks == read_with(READER, tmp_path, REPORT).benchmarks


def test_that_a_cyrillic_code_page_is_reported_and_has_no_effect(tmp_path: Path) -> None:
    text = "Имя системы: ноутбук Василия\n" + REPORT.replace("D:\\t.dat'", "D:\\проба.dat'")
    reading = read_with(READER, tmp_path, text.encode("cp1251"))
    assert reading.benchmarks[0].job == "D:\\проба.dat"
    assert (codes(reading), reading.report.encoding) == (["encoding"], "cp1251")


def test_that_lines_cut_by_a_console_window_are_joined(tmp_path: Path) -> None:
    lines = REPORT.split("\n")
    wrapped = [line[at : at + 80] for line in lines for at in range(0, max(len(line), 1), 80)]
    assert len(wrapped) > len(lines) + 10
    reading = read_with(READER, tmp_path, "\n".join(wrapped))
    assert reading.benchmarks == read_with(READER, tmp_path, REPORT).benchmarks


def test_that_a_pasted_table_has_its_figures_and_none_of_the_report_above(tmp_path: Path) -> None:
    pasted = "# Other machine\n```\n" + table("Total", 40_960_000, 5_000, 500, 9.0) + "```\n"
    reading = read_with(READER, tmp_path, f"# Lab\n```\n{REPORT}```\n{pasted}{pasted}", "notes.md")
    assert [row.op for row in reading.benchmarks[3:]] == [Op.TOTAL, Op.TOTAL]
    alone, other = reading.benchmarks[3:]
    assert figures(alone) == (500.0, pytest.approx(4.096), 9.0, None, None, None)
    assert (asked(alone), alone.host, alone.started) == ((None,) * 5, None, None)
    assert alone.job != other.job


def test_that_mib_of_a_table_without_counts_become_mb(tmp_path: Path) -> None:
    cells = "total:   x |  10000 |   100.00 |  1000.00 |    1.000 |   0.5\n"
    text = REPORT.replace(REPORT[REPORT.index("total:       81920000") :].split("\n")[0] + "\n", cells)
    total = row_of(read_with(READER, tmp_path, text), Op.TOTAL)
    assert total.mb_per_s == pytest.approx(104.8576)


def test_that_each_time_span_has_separate_parameters(tmp_path: Path) -> None:
    second = PARAMETERS[PARAMETERS.index("\ttimespan") : PARAMETERS.index("System")]
    second = second.replace("timespan:   1", "timespan:   2").replace("8KiB", "64KiB").replace("70/30", "50/50")
    text = (
        PARAMETERS.replace("System information", second + "System information")
        + RESULTS
        + RESULTS.replace("timespan 1", "timespan 2")
    )
    reading = read_with(READER, tmp_path, text)
    assert [asked(row)[0] for row in reading.benchmarks] == [8192] * 3 + [65536] * 3
    assert [row.started for row in reading.benchmarks] == ["2024-03-01T10:00:05Z"] * 3 + [None] * 3


def test_that_the_next_report_of_a_file_starts_afresh(tmp_path: Path) -> None:
    other = REPORT.replace("vm-01", "vm-02").replace("block size: 8KiB", "block size: 4096")
    reading = read_with(READER, tmp_path, REPORT + other)
    assert [(row.host, row.block_bytes) for row in reading.benchmarks] == [("vm-01", 8192)] * 3 + [("vm-02", 4096)] * 3


def test_that_a_direction_without_io_gives_no_row_and_na_is_missing(tmp_path: Path) -> None:
    text = (
        PARAMETERS
        + "Results for timespan 1:\nactual test time:	10.00s\nthread count:		2\n"
        + table("Total", 81_920_000, 10_000, 1000, 2.0)
        + table("Read", 81_920_000, 10_000, 1000, 2.0)
        + table("Write", 0, 0, 0, 0.0)
        + PERCENTILES.replace("2.500", "  N/A")
    )
    (row,) = read_with(READER, tmp_path, text).benchmarks
    assert (row.op, row.iops, row.read_percent) == (Op.READ, 1000.0, 100.0)


def test_that_an_interrupted_test_is_shown_as_failed(tmp_path: Path) -> None:
    words = "The test was interrupted before the measurements began. No results are displayed.\n"
    reading = read_with(READER, tmp_path, PARAMETERS + "Results for timespan 1:\n*****\n" + words)
    (row,) = reading.benchmarks
    assert (row.op, row.iops, row.block_bytes) == (Op.TOTAL, None, 8192)
    assert row.error
    assert codes(reading) == ["test-interrupted"]


def test_that_a_report_cut_in_its_write_table_keeps_complete_parts(tmp_path: Path) -> None:
    cut = REPORT[: REPORT.index("Write IO") + 150]
    reading = read_with(READER, tmp_path, cut)
    assert [row.op for row in reading.benchmarks] == [Op.READ, Op.TOTAL]
    assert codes(reading) == ["truncated"]


@pytest.mark.parametrize(
    ("text", "code", "word"),
    [
        (PARAMETERS, "no-results", "start of a DiskSpd report"),
        (REPORT[: REPORT.index("Total IO") + 180], "truncated", "before its totals row"),
        (PARAMETERS + "Results for timespan 1:\n" + table("Total", 0, 0, 0, 0), "no-io", "contains no I/O"),
    ],
)
def test_that_a_report_without_figures_is_rejected_with_a_sentence(
    tmp_path: Path, text: str, code: str, word: str
) -> None:
    assert READER.identify(text.encode(), "x.txt") > 0.5
    found = refusal(read_with(READER, tmp_path, text))
    assert found[0] == code
    assert word in found[2]


def test_that_a_total_that_is_not_a_number_is_reported(tmp_path: Path) -> None:
    reading = read_with(READER, tmp_path, REPORT.replace("700.00", "-nan(ind)"))
    assert row_of(reading, Op.READ).iops is None
    assert row_of(reading, Op.READ).mb_per_s == 5.7344
    assert codes(reading) == ["not-a-number"]


PIECES = st.sampled_from([*REPORT.split("\n"), "```", "Total IO", "Results for timespan 1:", "|", "%-ile |"])


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(PIECES, max_size=40), st.text(max_size=40))
def test_that_any_order_of_lines_is_read_without_an_error(tmp_path: Path, lines: list[str], other: str) -> None:
    text = "\n".join([*lines, other])
    assert 0.0 <= READER.identify(text.encode("utf-8", "replace"), "x") <= 1.0
    assert is_whole(read_with(READER, tmp_path, text.encode("utf-8", "replace")))


def without_parameters(command: str) -> str:
    head, _, rest = PARAMETERS.partition("Input parameters:")
    system = "System information:" + rest.partition("System information:")[2]
    report = REPORT.replace(PARAMETERS, head.replace("diskspd -b8K -L t.dat", command) + system)
    assert "Input parameters" not in report
    return report.replace("thread count:\t\t2\n", "")


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (r"C:\x\diskspd.exe -c64M -b4K -r4K -t4 -o4 -w30 -d5 D:\t.dat", (4096, 4, 4, 70.0, "random")),
        ("diskspd D:\\t.dat", (65536, 2, 1, 70.0, "sequential")),
        ("diskspd -F8 -O16 -b1M -w0 -si D:\\t.dat E:\\u.dat", (1 << 20, 16, 8, 70.0, "sequential")),
        ("diskspd /b512 /t3 /rs50 D:\\t.dat #1", (512, 2, 6, 70.0, None)),
        ('diskspd -w25 -rs100 "D:\\my files\\t.dat"', (65536, 2, 1, 75.0, "random")),
        ("diskspd -X profile.xml", (None, None, None, 70.0, None)),
        ("diskspd -bx -oy D:\\t.dat", (None, None, 1, 70.0, "sequential")),
    ],
)
def test_that_a_report_without_parameters_uses_its_command_line(
    tmp_path: Path, command: str, expected: tuple[object, ...]
) -> None:
    reading = read_with(READER, tmp_path, without_parameters(command))
    assert asked(row_of(reading, Op.TOTAL)) == expected
    assert codes(reading) == []


def test_that_input_parameters_count_before_the_command_line(tmp_path: Path) -> None:
    reading = read_with(READER, tmp_path, REPORT.replace("diskspd -b8K -L t.dat", "diskspd -b4K -o9 -t7 t.dat"))
    assert asked(row_of(reading, Op.TOTAL))[:3] == (8192, 4, 2)


@pytest.mark.parametrize(
    ("old", "new", "ops", "words"),
    [
        ("|     700.00 |", "|", [Op.WRITE, Op.TOTAL], "5 cells, but the header has 6"),
        ("|     700.00 |", "|     700.00 |     700.00 |", [Op.WRITE, Op.TOTAL], "7 cells, but the header has 6"),
        ("|     700.00 |", "|     7.00 |", [Op.WRITE, Op.TOTAL], "is contradictory"),
    ],
)
def test_that_a_shifted_cell_is_a_problem_and_not_a_latency(
    tmp_path: Path, old: str, new: str, ops: list[Op], words: str
) -> None:
    assert REPORT.count(old) == 1
    reading = read_with(READER, tmp_path, REPORT.replace(old, new))
    assert [row.op for row in reading.benchmarks if row.iops] == ops
    (problem,) = [problem for problem in reading.problems if problem.code == "cell-count"]
    assert words in problem.message
    assert problem.line is not None


def test_that_a_percentile_row_with_missing_cells_is_skipped_with_its_line(tmp_path: Path) -> None:
    reading = read_with(READER, tmp_path, REPORT.replace("95th |      3.500 |", "95th |"))
    assert figures(row_of(reading, Op.TOTAL))[3:] == (1.8, None, 5.9)
    (problem,) = reading.problems
    assert (problem.code, problem.line) == ("cell-count", REPORT[: REPORT.index("95th")].count("\n") + 1)


def test_that_a_quote_in_a_percentile_skips_that_percentile_and_is_named(tmp_path: Path) -> None:
    reading = read_with(READER, tmp_path, REPORT.replace("   50th |", '"   50th |'))
    assert [row.latency_p50_ms for row in reading.benchmarks] == [None] * 3
    assert [row.latency_p99_ms for row in reading.benchmarks] == [5.5, 6.5, 5.9]
    line = REPORT[: REPORT.index("   50th |")].count("\n") + 1
    assert [(problem.code, problem.line) for problem in reading.problems] == [("cell-count", line)]
