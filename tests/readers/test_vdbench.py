"""vdbench's flatfile, totals and summary, and the effect of unfinished and damaged files."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.readers.benchmark_files import asked, codes, figures, is_whole, read_with, refusal
from workbench.model.benchmark import Op
from workbench.model.metric import Quantity
from workbench.readers.vdbench.reader import READER, interval_samples
from workbench.readers.vdbench.tables import VdbenchRow

NAMES = (
    "tod Run Interval reqrate rate MB/sec bytes/io read% resp read_resp write_resp resp_max xfersize threads "
    "rdpct seekpct cpu_used"
)


def flat(run: str, interval: str, rate: str = "1000.0000", share: str = "75.0000", size: str = "4096") -> str:
    return (
        f"12:53:47.274 {run} {interval} 25000.0000 {rate} 3.9063 4096 {share} 2.5000 3.0000 1.0000 88.1 {size} "
        "2.0000 75.0000 100.0000 n/a"
    )


FLATFILE = "\n".join(
    [
        "<pre>",
        "* Run : Name of run from RD=",
        "* MB/sec : Megabytes per second (MB=1024*1024)",
        NAMES,
        flat("rd1", "1"),
        flat("rd1", "2"),
        flat("rd1", "avg_2-2"),
        flat("rd2", "1"),
        flat("rd2", "avg_1-1", share="100.0000"),
        "",
    ]
)
ABOVE = "Apr 08, 2016  interval        i/o   MB/sec   bytes   read     resp     read    write     resp queue  cpu%\n"
BELOW = "                             rate  1024**2     i/o    pct     time     resp     resp      max depth sys+u\n"
STARTING = '<a name="_1"></a><b>13:49:00.011 Starting RD={}; I/O rate: 50; For loops: xfersize=4k threads=2</b>\n'
NUMBERS = "1000.00     3.91    4096  75.00    2.500    3.000    1.000   96.066   0.3   1.2\n"
SUMMARY = (
    "<pre>\nVdbench summary report, created 13:48:08 Apr 08 2016 MDT\n\n"
    + STARTING.format("rd1")
    + f"\n{ABOVE}{BELOW}13:49:01.201         1     {NUMBERS}13:49:02.201         2     {NUMBERS}"
    + f"13:49:02.300   avg_2-2     {NUMBERS}"
    + "13:52:05.000 Vdbench execution completed successfully\n"
)


def test_that_the_average_of_a_run_is_its_result_and_its_share_gives_the_directions(tmp_path: Path) -> None:
    reading = read_with(READER, tmp_path, FLATFILE, "flatfile.html")
    read, write, total, other = reading.benchmarks
    assert [(row.op, row.job) for row in reading.benchmarks] == [
        (Op.READ, "rd1"),
        (Op.WRITE, "rd1"),
        (Op.TOTAL, "rd1"),
        (Op.READ, "rd2"),
    ]
    assert figures(read) == (750.0, 3.072, 3.0, None, None, None)
    assert figures(write) == (250.0, 1.024, 1.0, None, None, None)
    assert figures(total) == (1000.0, pytest.approx(4.096, rel=1e-4), 2.5, None, None, None)
    assert figures(other)[::2] == (1000.0, 2.5, None)
    assert asked(total) == (4096, None, 2, 75.0, "random")
    assert {row.started for row in reading.benchmarks} == {None}
    assert codes(reading) == ["relative-time"]
    assert (reading.report.rows, reading.report.rejected_rows) == (4, 0)


def test_that_a_flatfile_as_csv_reads_as_the_flatfile(tmp_path: Path) -> None:
    lines = FLATFILE.split("\n")[3:-1]
    plain = read_with(READER, tmp_path, FLATFILE, "r.csv").benchmarks
    quoted = "\r\n".join(",".join(f'"{cell}"' for cell in line.split()) for line in lines)
    assert READER.identify(quoted.encode(), "x") == 0.9
    assert read_with(READER, tmp_path, quoted, "r.csv").benchmarks == plain
    dated = quoted.replace('"tod"', '"date"').replace('"Run"', "Run")
    assert read_with(READER, tmp_path, dated, "r.csv").benchmarks == plain


def test_that_mixed_sizes_have_no_mb_per_direction(tmp_path: Path) -> None:
    text = "\n".join([NAMES, flat("rd1", "avg_2-3", size="n/a")])
    assert [row.mb_per_s is None for row in read_with(READER, tmp_path, text).benchmarks] == [True, True, False]


def test_that_a_summary_gives_the_same_rows_with_threads_and_size_of_its_loops(tmp_path: Path) -> None:
    reading = read_with(READER, tmp_path, SUMMARY, "summary.html")
    read, write, total = reading.benchmarks
    assert figures(read)[:3] == (750.0, 3.072, 3.0)
    assert figures(write)[:3] == (250.0, 1.024, 1.0)
    assert figures(total)[:3] == (1000.0, pytest.approx(3.91 * 1.048576), 2.5)
    assert asked(total) == (4096, None, 2, 75.0, None)
    assert codes(reading) == ["relative-time"]


def test_that_loops_give_several_runs_with_one_name(tmp_path: Path) -> None:
    text = "\n".join([NAMES, flat("rd1", "1"), flat("rd1", "avg_1-1"), flat("rd1", "1"), flat("rd1", "avg_1-1"), ""])
    reading = read_with(READER, tmp_path, text)
    assert len(reading.benchmarks) == 6
    unfinished = read_with(READER, tmp_path, f"{text}{flat('rd1', '1')}\n")
    assert (len(unfinished.benchmarks), unfinished.report.rejected_rows) == (6, 1)
    assert codes(unfinished) == ["truncated", "relative-time"]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (flat("rd3", "1"), "truncated"),
        (flat("rd3", "avg_2-3")[:80], "cell-count"),
        (flat("rd3", "avg_2-3", rate="n/a"), "not-a-number"),
        (flat("rd3", "avg_2-3", rate="0.0000"), "no-io"),
    ],
)
def test_that_a_bad_run_affects_only_itself(tmp_path: Path, line: str, code: str) -> None:
    reading = read_with(READER, tmp_path, f"{FLATFILE}{line}\n")
    assert (len(reading.benchmarks), reading.report.rejected_rows) == (4, 1)
    assert codes(reading) == [code, "relative-time"]
    assert reading.problems[0].line == 10


def test_that_a_figure_that_is_not_a_number_is_reported_and_na_is_missing(tmp_path: Path) -> None:
    text = "\n".join([NAMES, flat("rd1", "avg_2-3").replace("3.9063", "3,9063").replace(" 3.0000", " n/a"), ""])
    reading = read_with(READER, tmp_path, text)
    assert [row.latency_mean_ms for row in reading.benchmarks] == [None, 1.0, 2.5]
    assert codes(reading) == ["not-a-number"]
    assert "for 'MB/sec'." in reading.problems[0].message


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("<pre>\nTotal response time histogram.\n\n  min(ms) <  max(ms) count\n", "histogram"),
        ("\n".join([NAMES, flat("rd1", "1"), flat("rd1", "2")]), "did not end"),
        (NAMES, "no row 'avg_…'"),
        ("tod interval i/o rate MB/sec resp\n1 1 0 1000 10.5 1.2\n", "did not end"),
        (SUMMARY.split("13:49:02.300")[0], "did not end"),
    ],
)
def test_that_a_report_without_results_is_rejected_with_a_sentence(tmp_path: Path, text: str, word: str) -> None:
    assert READER.identify(text.encode(), "x.html") >= 0.9
    assert word in refusal(read_with(READER, tmp_path, text))[2]


def test_that_other_tables_are_not_recognised_as_vdbench() -> None:
    for text in ("", "tod,rate\n1,2\n", "<pre>\nRun total\n", "date;MB/sec;rate\n", "time,event,vm\n"):
        assert READER.identify(text.encode(), "flatfile.html") == 0.0


PIECES = st.sampled_from([*FLATFILE.split("\n"), *SUMMARY.split("\n"), NAMES.replace(" ", ","), " interval "])


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(PIECES, max_size=40), st.text(max_size=40))
def test_that_any_order_of_lines_is_read_without_an_error(tmp_path: Path, lines: list[str], other: str) -> None:
    data = "\n".join([*lines, other]).encode("utf-8", "replace")
    assert 0.0 <= READER.identify(data, "x") <= 1.0
    assert is_whole(read_with(READER, tmp_path, data))


def test_that_a_summary_of_two_finished_runs_is_complete_and_an_unfinished_run_is_reported(tmp_path: Path) -> None:
    second = f"{STARTING.format('rd2')}\n{ABOVE}{BELOW}13:51:01.201         1     {NUMBERS}"
    text = SUMMARY.replace("13:52:05.000", f"{second}13:51:02.300   avg_2-2     {NUMBERS}13:52:05.000")
    reading = read_with(READER, tmp_path, text, "summary.html")
    assert [row.job for row in reading.benchmarks] == ["rd1"] * 3 + ["rd2"] * 3
    assert codes(reading) == ["relative-time"]
    begun = read_with(READER, tmp_path, f"{text}{STARTING.format('rd3')}", "summary.html")
    assert codes(begun) == ["truncated", "relative-time"]
    assert begun.problems[0].line == text.count("\n") + 1


@pytest.mark.parametrize(
    ("times", "seconds"),
    [
        (("02:59:59.000", "02:00:00.000"), [0, -3599]),
        (("23:59:59.000", "00:00:00.500"), [0, 1.5]),
        (("18:00:00.000", "06:00:01.000"), [0, -43199]),
        (("18:00:00.000", "05:59:59.000"), [0, 43199]),
    ],
)
def test_that_a_new_day_starts_if_the_clock_jumps_back_by_more_than_half_a_day(
    times: tuple[str, str], seconds: list[float]
) -> None:
    rows = [VdbenchRow(line, "rd1", str(line), {"rate": "5"}, at) for line, at in enumerate(times, 1)]
    samples, problems = interval_samples(rows, "a")
    assert [at / 1e6 for at in samples.times] == seconds
    assert problems == []


def test_that_an_interval_cut_after_its_number_is_reported_with_its_line(tmp_path: Path) -> None:
    cut = "13:49:02.201         2     "
    reading = read_with(READER, tmp_path, SUMMARY.replace(cut + NUMBERS, cut + "\n"))
    (problem,) = [each for each in reading.problems if each.code == "cell-count"]
    assert (problem.line, reading.report.rejected_rows) == (SUMMARY[: SUMMARY.index(cut)].count("\n") + 1, 1)
    assert [row.op for row in reading.benchmarks] == [Op.READ, Op.WRITE, Op.TOTAL]


@pytest.mark.parametrize("text", ["<pre>\nvdbench\n", "vdbench\nTotal response time histogram.\n"])
def test_that_a_heading_without_a_report_or_histogram_is_not_recognised(text: str) -> None:
    assert READER.identify(text.encode(), "x.html") == 0.0
    assert READER.identify(b"<pre>\nvdbench\nTotal response time histogram.\n", "x.html") == 0.9


def test_that_the_intervals_have_the_units_of_vdbench(tmp_path: Path) -> None:
    """Per second, 2^20 bytes and milliseconds, each with its factor to I/Os, bytes and seconds."""
    reading = read_with(READER, tmp_path, FLATFILE, "flatfile.html")
    assert reading.recording is not None
    first = {series.counter: series.metric for series in reading.recording.series if "rd1" in series.path}
    assert {name: (metric.quantity, metric.scale) for name, metric in first.items() if metric} == {
        "rate [1/s]": (Quantity.IOPS, 1.0),
        "MB/sec [MiB/s]": (Quantity.THROUGHPUT, pytest.approx(2.0**20)),
        "resp [ms]": (Quantity.LATENCY, 0.001),
        "read_resp [ms]": (Quantity.READ_LATENCY, 0.001),
        "write_resp [ms]": (Quantity.WRITE_LATENCY, 0.001),
    }


@pytest.mark.parametrize(
    "head", [".Interval. .ReqstdOps...", "..Interval.. .ReqstdOps...", ".Interval.  ..ReqstdOps.."]
)
def test_that_file_system_reports_of_each_version_are_read(tmp_path: Path, head: str) -> None:
    text = (
        "<title>Vdbench summary.html</title><pre>\nVdbench summary report, created 10:00:00 Mar 03 2021 CET\n"
        "10:00:02.001 Starting RD=rd1; elapsed=4; fwdrate=max. For loops: None\n\n"
        f"Mar 03, 2021 {head} ...cpu%...  read ....read..... ....write.... ..mb/sec... mb/sec .xfer.. ...mkdir....\n"
        "      rate   resp total  sys   pct   rate   resp   rate   resp  read write  total    size  rate   resp\n"
        "10:00:03.050       1 900.0  2.0   5.4 1.61  60.0 600.0  1.0 300.0  4.0 37.5 18.75 56.25   65536   0.0  0.0\n"
        "10:00:04.055 avg_2-3 900.0  2.0   5.4 1.61  60.0 600.0  1.5 300.0  4.5 37.5 18.75 56.25   65536   0.0  0.0\n"
        "10:00:06.100 Vdbench execution completed successfully. Output directory: /out\n"
    )
    rows = {row.op: row for row in read_with(READER, tmp_path, text, "summary.html").benchmarks}
    assert [(rows[op].iops, rows[op].latency_mean_ms) for op in (Op.READ, Op.WRITE)] == [(600.0, 1.5), (300.0, 4.5)]
    assert rows[Op.TOTAL].mb_per_s == pytest.approx(56.25 * 1.048576)


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("Starting RD=rd1;", "Starting ", 4),
        ("Starting RD=rd1;", "StartingRD=rd1;", 4),
        ("For loops: xfersize=4k threads=2<", "For loops:<", 4),
        ("13:49:02.300   avg_2-2 ", "avg_2-2 ", 10),
        ("13:49:02.300   avg_2-2 ", '"13:49:02.300   avg_2-2 ', 10),
        ("13:49:02.300   avg_2-2 ", "7 13:49:02.300   avg_2-2 ", 10),
        ("13:49:02.300   avg_2-2 ", "13:49:02.300 ", 10),
        ("   MB/sec   bytes", '   "MB/sec   bytes', 8),
    ],
)
def test_that_a_damaged_line_of_a_report_is_named_and_gives_no_row(
    tmp_path: Path, old: str, new: str, line: int
) -> None:
    whole = SUMMARY.replace("rd1", "rd0").partition("13:52:05.000")[0]
    assert old in SUMMARY
    reading = read_with(READER, tmp_path, whole + SUMMARY.replace(old, new).partition("\n\n")[2])
    assert {row.job for row in reading.benchmarks} == {"rd0"}
    first = whole.count("\n") - 3
    told = next(problem for problem in reading.problems if problem.code == "cell-count")
    assert (told.line, reading.report.rejected_rows > 0) == (first + line, True)


@pytest.mark.parametrize("mark", [" ", ","])
def test_that_a_quote_in_a_flatfile_row_skips_that_row(tmp_path: Path, mark: str) -> None:
    lines = [mark.join(line.split()) for line in FLATFILE.split("\n")[3:-1]]
    lines[1] = lines[1].replace("4096", '"4096', 1)
    reading = read_with(READER, tmp_path, "\n".join(lines) + "\n")
    assert len(reading.benchmarks) == 4
    assert [problem.line for problem in reading.problems if problem.code == "cell-count"] == [2]


def test_that_a_share_of_reads_above_100_percent_gives_only_the_total(tmp_path: Path) -> None:
    text = "\n".join([NAMES, flat("rd1", "avg_2-3", share="100.5000"), ""])
    (row,) = read_with(READER, tmp_path, text).benchmarks
    assert (row.op, row.iops, row.latency_mean_ms) == (Op.TOTAL, 1000.0, 2.5)


def test_that_a_flatfile_of_a_file_system_test_is_read_whatever_the_case_of_its_names(tmp_path: Path) -> None:
    names = "tod Run Interval Rate Resp MB/sec Read_rate Read_resp Write_rate Write_resp MB_read MB_write"
    row = "12:53:47.274 rd1 avg_2-3 900.0 2.0 56.25 600.0 1.5 300.0 4.5 37.5 18.75"
    for head in (names, names.lower().replace("mb/sec", "MB/sec")):
        reading = read_with(READER, tmp_path, f"{head}\n{row}\n", "flatfile.html")
        assert [(one.op, one.iops, one.latency_mean_ms) for one in reading.benchmarks] == [
            (Op.READ, 600.0, 1.5),
            (Op.WRITE, 300.0, 4.5),
            (Op.TOTAL, 900.0, pytest.approx((600 * 1.5 + 300 * 4.5) / 900)),
        ]
        assert [one.mb_per_s for one in reading.benchmarks] == pytest.approx(
            [37.5 * 1.048576, 18.75 * 1.048576, 56.25 * 1.048576]
        )
