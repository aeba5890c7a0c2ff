"""SQLIO's output, several runs in a file, and the lines that scripts extract from it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from tests.readers.benchmark_files import asked, codes, figures, is_whole, read_with, refusal
from workbench.model.benchmark import Op
from workbench.readers.sqlio import READER


def run(op: str = "reading", pattern: str = "random", size: int = 8, depth: int | None = 16, ms: int = 3) -> str:
    where = "from" if op == "reading" else "to"
    several = f"\tenabling multiple I/Os per thread with {depth} outstanding\n" if depth else ""
    return (
        "sqlio v1.5.SG\nusing system counter for latency timings, 2337894 counts per second\n"
        f"8 threads {op} for 10 secs {where} file X:\\TestFile.DAT\n\tusing {size}KB {pattern} IOs\n{several}"
        "\tbuffering set to not use file nor disk caches (as is SQL Server)\n"
        "using current size: 40960 MB for file: X:\\TestFile.DAT\ninitialization done\nCUMULATIVE DATA:\n"
        "throughput metrics:\nIOs/sec: 36000.00\nMBs/sec:   281.25\nlatency metrics:\nMin_Latency(ms): 0\n"
        f"Avg_Latency(ms): {ms}\nMax_Latency(ms): 55\nhistogram:\n"
        "ms: 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24+\n"
        "%: 30 19 12  8  6  5  4  3  3  2  2  2  1  1  1  1  0  0  0  0  0  0  0  0  0\n"
    )


def test_that_a_run_gives_one_row_of_its_direction_in_project_units(tmp_path: Path) -> None:
    reading = read_with(READER, tmp_path, run())
    (row,) = reading.benchmarks
    assert row.op is Op.READ
    # 36,000 I/Os of 8,192 bytes: SQLIO's 281.25 MB are MiB
    assert figures(row) == (36000.0, pytest.approx(36000 * 8192 / 1e6), 3.0, None, None, None)
    assert asked(row) == (8192, 16, 8, 100.0, "random")
    assert (row.tool, row.tool_version, row.job, row.started) == ("sqlio", "1.5.SG", "X:\\TestFile.DAT", None)
    assert (reading.problems, reading.report.rows, reading.report.rejected_rows) == ((), 1, 0)


def test_that_several_runs_in_a_file_are_separate_rows(tmp_path: Path) -> None:
    text = "PS C:\\> sqlio\n" + run() + "\n" + run("writing", "sequential", 512, None) + run(depth=2)
    rows = read_with(READER, tmp_path, text).benchmarks
    assert [row.op for row in rows] == [Op.READ, Op.WRITE, Op.READ]
    assert asked(rows[1]) == (524288, 1, 8, 0.0, "sequential")
    assert [row.queue_depth for row in rows] == [16, 1, 2]


def test_that_no_percentile_is_made_of_the_histogram_and_zero_milliseconds_are_explained(tmp_path: Path) -> None:
    reading = read_with(READER, tmp_path, run(ms=0))
    assert figures(reading.benchmarks[0])[2:] == (0.0, None, None, None)
    assert codes(reading) == ["whole-milliseconds"]


def test_that_a_run_without_latencies_has_no_latency(tmp_path: Path) -> None:
    text = run().split("latency metrics:")[0]
    assert read_with(READER, tmp_path, text).benchmarks[0].latency_mean_ms is None


SWEEP = """-o 5, 26047.90 iops, 203.49 MB/sec, 0 ms
-t 2 -o 16, 35946.30 iops, 280.83 MB/sec, 1 ms
-kR -frandom -b8 -t2 -o16, 35946.30 iops, 280.83 MB/sec, 1 ms
Run 1 = 36027.40 IOPs, 281.46 MB/sec, 2 ms
Average = 35949.688 IOPs, 280.852 MB/sec, 2 ms
"""


def test_that_lines_printed_by_scripts_are_rows_with_only_their_figures(tmp_path: Path) -> None:
    assert READER.identify(SWEEP.encode(), "x.txt") == 0.7
    reading = read_with(READER, tmp_path, SWEEP)
    assert [(row.op, row.iops, row.latency_mean_ms, *asked(row)) for row in reading.benchmarks] == [
        (Op.TOTAL, 26047.9, 0.0, None, 5, None, None, None),
        (Op.TOTAL, 35946.3, 1.0, None, 16, 2, None, None),
        (Op.READ, 35946.3, 1.0, 8192, 16, 2, 100.0, "random"),
        (Op.TOTAL, 36027.4, 2.0, None, None, None, None, None),
    ]
    # 203.49 MB/sec are 26,047.90 I/Os of 8,192 bytes
    assert reading.benchmarks[0].mb_per_s == pytest.approx(26047.90 * 8192 / 1e6, rel=1e-4)
    assert codes(reading) == ["whole-milliseconds", "averages"]


def test_that_a_run_that_did_not_end_affects_only_itself(tmp_path: Path) -> None:
    cut = run().split("CUMULATIVE")[0]
    reading = read_with(READER, tmp_path, cut + run())
    assert (len(reading.benchmarks), reading.report.rejected_rows) == (1, 1)
    assert (codes(reading), reading.problems[0].line) == (["no-results"], 1)


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        (run().split("CUMULATIVE")[0], "no-results", 1),
        (run().replace("36000.00", "36 000,00"), "no-results", 1),
        (run().replace("36000.00", "-1.#IND"), "no-results", 11),
        ("-o 5, 1..2 iops, 3 MB/sec, 0 ms\n", "no-results", 1),
    ],
)
def test_that_a_file_without_results_is_rejected_with_a_sentence(
    tmp_path: Path, text: str, code: str, line: int
) -> None:
    assert READER.identify(text.encode(), "x.txt") > 0.5
    assert refusal(read_with(READER, tmp_path, text))[:2] == (code, line)


def test_that_other_text_is_not_recognised_as_sqlio() -> None:
    for text in ("", "IOs/sec: 5\n", "an average of 36,000 iops, 280 MB/sec, 0 ms was seen\n", "sqlio is a tool\n"):
        assert READER.identify(text.encode(), "sqlio.txt") == 0.0


def test_that_a_line_of_many_blanks_takes_time_in_proportion_to_its_length(tmp_path: Path) -> None:
    # A pattern that tries every way to divide the blanks would never end.
    text = run().replace("from file X:", "from file " + " " * 400_000 + "X:")
    assert read_with(READER, tmp_path, text).benchmarks[0].iops == 36000.0


PIECES = st.sampled_from([*run().split("\n"), *SWEEP.split("\n"), "IOs/sec: ", "MBs/sec: nan"])


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(PIECES, max_size=40), st.text(max_size=40))
def test_that_any_order_of_lines_is_read_without_an_error(tmp_path: Path, lines: list[str], other: str) -> None:
    data = "\n".join([*lines, other]).encode("utf-8", "replace")
    assert 0.0 <= READER.identify(data, "x") <= 1.0
    assert is_whole(read_with(READER, tmp_path, data))


def test_that_a_script_that_writes_sqlio_output_is_not_a_result() -> None:
    script = b'text = f"sqlio v1.5.SG\\nCUMULATIVE DATA:\\nthroughput metrics:\\nIOs/sec: {iops:8.2f}"\n'
    assert READER.identify(script, "generate.py") == 0.0


@pytest.mark.parametrize(
    "wrong", ["1..2 iops, 3 MB/sec, 4 ms", "1 iops, 3..1 MB/sec, 4 ms", "1 iops, 3 MB/sec, 4..1 ms"]
)
def test_that_a_script_line_with_an_invalid_figure_is_skipped(tmp_path: Path, wrong: str) -> None:
    reading = read_with(READER, tmp_path, f"-o 5, 2 iops, 3 MB/sec, 4 ms\n-o 6, {wrong}\n")
    assert [(row.iops, row.queue_depth) for row in reading.benchmarks] == [(2.0, 5)]
    assert (codes(reading), reading.problems[0].line, reading.report.rejected_rows) == (["not-a-number"], 2, 1)


def test_that_a_row_names_the_line_of_its_rate(tmp_path: Path) -> None:
    text = run() + run()
    lines = [number for number, line in enumerate(text.split("\n"), 1) if line.startswith("IOs/sec")]
    assert [row.line for row in read_with(READER, tmp_path, text).benchmarks] == lines


def test_that_lines_of_figures_that_cannot_be_read_are_counted_once_with_the_first(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    broken = SWEEP.replace("-t 2 -o 16, 35946.30 iops,", "-t 2 -o 16 35946.30 iops").replace("2 ms", "x ms")
    reading = read_with(READER, tmp_path, broken)
    assert [row.iops for row in reading.benchmarks] == [26047.9, 35946.3]
    (problem,) = [problem for problem in reading.problems if problem.code == "row-damaged"]
    assert problem.message == snapshot
    assert (problem.line, reading.report.rejected_rows) == (2, 3)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("MBs/sec:   281.25", "MBs/sec   281.25"),
        ("using 8KB random IOs", "using 8KB rndom IOs"),
        ("%: 30 19", "%: a 19"),
    ],
)
def test_that_a_damaged_line_of_a_run_is_counted_and_the_run_stays(tmp_path: Path, old: str, new: str) -> None:
    assert run().count(old) == 1
    reading = read_with(READER, tmp_path, run().replace(old, new))
    assert [row.iops for row in reading.benchmarks] == [36000.0]
    (problem,) = [problem for problem in reading.problems if problem.code == "row-damaged"]
    assert problem.line == run()[: run().index(old)].count("\n") + 1


@pytest.mark.parametrize("lost", ["sqlio v1.5.SG\n", "CUMULATIVE DATA:\n", ""])
def test_that_an_output_that_lost_its_first_line_or_its_heading_is_recognised(lost: str) -> None:
    assert lost in run()
    assert READER.identify(run().replace(lost, "").encode(), "x.txt") == 0.9
