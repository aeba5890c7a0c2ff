"""Latency histograms: the buckets of each tool, and ignored histograms."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.readers.benchmark_files import needs_real_files, read_real, read_with
from tests.readers.fio_results import direction, idle, job, read_result, result
from workbench.model.benchmark import Op
from workbench.readers.common import latency_buckets
from workbench.readers.fio.reader import READER as FIO
from workbench.readers.sqlio import READER as SQLIO

SQLIO_RUN = (
    "sqlio v1.5.SG\n2 threads reading for 10 secs from file X:\\t.dat\n\tusing 8KB random IOs\n"
    "\tenabling multiple I/Os per thread with 16 outstanding\nCUMULATIVE DATA:\nthroughput metrics:\n"
    "IOs/sec: 36096.60\nMBs/sec:   282.00\nlatency metrics:\nMin_Latency(ms): 0\nAvg_Latency(ms): 3\n"
    "Max_Latency(ms): 55\nhistogram:\n"
    "ms: 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24+\n"
    "%: 30 19 12  8  6  5  4  3  3  2  2  2  1  1  1  0  0  0  0  0  0  0  0  0  1\n"
)


def test_that_sqlios_buckets_end_one_millisecond_above_their_name(tmp_path: Path) -> None:
    (row,) = read_with(SQLIO, tmp_path, SQLIO_RUN).benchmarks
    assert row.histogram[:3] == ((1.0, 30.0), (2.0, 19.0), (3.0, 12.0))
    # 24+ ends at the highest latency, which was cut to 55 ms
    assert row.histogram[-1] == (56.0, 1.0)
    assert sum(share for _, share in row.histogram) == 100.0


def test_that_an_open_bucket_without_a_known_end_is_skipped() -> None:
    labels, shares = ["0", "1", "2+"], ["50", "30", "20"]
    assert latency_buckets.sqlio(labels, shares, None) == ((1.0, 50.0), (2.0, 30.0))
    assert latency_buckets.sqlio(labels, shares, 9.0) == ((1.0, 50.0), (2.0, 30.0), (10.0, 20.0))


@pytest.mark.parametrize("labels", [["0", "1"], ["0", "x", "2+"], ["2", "1", "0"], []])
def test_that_lines_that_do_not_match_are_not_a_histogram(labels: list[str]) -> None:
    assert latency_buckets.sqlio(labels, ["50", "30", "20"], 9.0) == ()


def test_that_two_runs_of_a_file_have_separate_histograms(tmp_path: Path) -> None:
    other = SQLIO_RUN.replace("%: 30 19", "%: 20 29")
    rows = read_with(SQLIO, tmp_path, SQLIO_RUN + other).benchmarks
    assert [row.histogram[0][1] for row in rows] == [30.0, 20.0]


LISTED = {
    "latency_ns": {"2": 0.0, "1000": 1.0},
    "latency_us": {"2": 0.0, "50": 40.0, "1000": 50.0},
    "latency_ms": {"2": 8.0, "4": 0.0, ">=2000": 1.0},
}


def test_that_fio_buckets_are_in_milliseconds_and_belong_to_the_only_row(tmp_path: Path) -> None:
    (row,) = read_result(tmp_path, result(job(**LISTED))).benchmarks
    # the highest latency is 9 ms, so no I/O took 2 s: the open bucket has no end
    assert row.histogram == (
        (pytest.approx(0.000002), 0.0),
        (0.001, 1.0),
        (0.002, 0.0),
        (0.05, 40.0),
        (1.0, 50.0),
        (2.0, 8.0),
    )
    slow = direction()
    slow["lat_ns"] = {**slow["lat_ns"], "max": 3_100_000_000}
    (row,) = read_result(tmp_path, result(job(read=slow, **LISTED))).benchmarks
    assert row.histogram[-1] == (3100.0, 1.0)


def test_that_the_buckets_of_a_mixed_job_belong_to_its_total_and_to_no_direction(tmp_path: Path) -> None:
    rows = read_result(tmp_path, result(job(write=direction(), **LISTED))).benchmarks
    assert {row.op: bool(row.histogram) for row in rows} == {Op.READ: False, Op.WRITE: False, Op.TOTAL: True}


def test_that_bins_are_gathered_at_the_edges_that_fio_prints() -> None:
    """One I/O one percent below each edge that `man fio` lists, in nanoseconds, and three I/Os one percent above it."""
    steps = (2, 4, 10, 20, 50, 100, 250, 500, 750, 1000)
    edges = [step * unit for unit in (1_000, 1_000_000) for step in steps] + [2_000_000_000]
    bins = {str(edge * share // 100): count for edge in edges for share, count in ((99, 1), (101, 3))}
    found = latency_buckets.fio_bins({"bins": bins}, 1e6)
    of_all = 100 / (4 * len(edges))
    shares = {edge / 1e6: of_all * (1 if edge == edges[0] else 4) for edge in edges} | {2020.0: 3 * of_all}
    assert {round(edge, 9): share for edge, share in found[1:]} == pytest.approx(shares)


@pytest.mark.parametrize(("label", "is_one"), [("9" * 15, True), ("9" * 16, False), ("٣", False), ("-1", False)])
def test_that_a_bin_is_named_by_up_to_15_digits(label: str, is_one: bool) -> None:
    assert bool(latency_buckets.fio_bins({"bins": {label: 1}}, 1e6)) is is_one


@pytest.mark.parametrize(
    ("count", "counts"), [(10**18 - 1, True), (10**18, False), (-1, False), (True, False), (1.0, False)]
)
def test_that_a_bin_counts_whole_ios(count: object, counts: bool) -> None:
    assert bool(latency_buckets.fio_bins({"bins": {"1500": count}}, 1e6)) is counts


@pytest.mark.parametrize(("share", "is_one"), [(0.5, 1), (100.0, 1), (100.1, 0), (-0.1, 0), (True, 0)])
def test_that_a_share_is_a_number_of_percent(share: float, is_one: int) -> None:
    assert bool(latency_buckets.fio_job({"latency_us": {"50": share, "100": 100.0 - share}}, None)) == is_one


@pytest.mark.parametrize("label", ["7", "1_0", "2000_", "x"])
def test_that_a_bucket_unknown_to_fio_removes_the_histogram(label: str) -> None:
    assert latency_buckets.fio_job({"latency_us": {"50": 60.0, label: 40.0}}, 3000.0) == ()


@pytest.mark.parametrize(("highest", "last"), [(2000.0, 2.0), (2000.5, 2000.5), (None, 2.0)])
def test_that_the_open_bucket_begins_at_2_s(highest: float | None, last: float) -> None:
    found = latency_buckets.fio_job({"latency_ms": {"2": 99.0, ">=2000": 1.0}}, highest)
    assert found[-1][0] == last


def test_that_bins_of_json_plus_are_gathered_per_direction_with_their_shares(tmp_path: Path) -> None:
    reads, writes = direction(10), direction(5)
    reads["clat_ns"]["bins"] = {"1500": 3, "2000": 1, "9000": 4, "3000000000": 2}
    writes["clat_ns"]["bins"] = {"60000": 5}
    rows = read_result(tmp_path, result(job(read=reads, write=writes))).benchmarks
    found = {row.op: row.histogram for row in rows}
    assert found[Op.READ][:4] == ((0.001, 0.0), (0.002, 30.0), (0.004, 10.0), (0.01, 40.0))
    assert found[Op.READ][-1] == (3000.0, 20.0)
    assert found[Op.WRITE] == ((0.05, 0.0), (0.1, 100.0))


def test_that_a_job_without_latencies_has_no_histogram(tmp_path: Path) -> None:
    zeros = {key: dict.fromkeys(listed, 0.0) for key, listed in LISTED.items()}
    (row,) = read_result(tmp_path, result(job(**zeros))).benchmarks
    assert row.histogram == ()
    assert read_result(tmp_path, result(job(read=idle()))).benchmarks == ()


@needs_real_files
def test_that_real_histograms_sum_to_all_ios() -> None:
    for row in read_real(FIO, "fio-generated/fio-3.19_randrw_jsonplus.json").benchmarks:
        assert sum(share for _, share in row.histogram) == pytest.approx(100.0, abs=0.1)
    (row,) = read_real(SQLIO, "sqlio/sqlio.random.read.0.4.G.txt").benchmarks
    assert sum(share for _, share in row.histogram) == pytest.approx(100.0, abs=3)


JUNK = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(alphabet="01x", max_size=4),
    lambda inner: st.dictionaries(st.sampled_from(["2", "50", ">=2000", "x", "-1"]), inner, max_size=4),
    max_leaves=12,
)


@example({"latency_ns": {">=2000": 0.0}, "latency_us": {">=2000": 1.0}}, 2001.0)
@given(
    st.dictionaries(st.sampled_from(["latency_ns", "latency_us", "latency_ms", "bins"]), JUNK),
    st.none() | st.floats(0, 1e9),
)
def test_that_edges_always_increase_and_shares_are_always_percentages(
    entry: dict[str, object], highest: float | None
) -> None:
    for found in (latency_buckets.fio_job(entry, highest), latency_buckets.fio_bins(entry, 1e6)):
        edges = [edge for edge, _ in found]
        assert edges == sorted(set(edges))
        assert all(edge > 0 for edge in edges)
        assert all(0 <= share <= 100.0001 for _, share in found)


def test_that_bins_beyond_two_seconds_end_at_the_highest_known_one() -> None:
    rising = {"bins": {"2500000000": 1, "3000000000": 3}}
    falling = {"bins": {"3000000000": 3, "2500000000": 1}}
    assert latency_buckets.fio_bins(rising, 1e6)[-2:] == ((2500.0, 25.0), (3000.0, 75.0))
    assert latency_buckets.fio_bins(falling, 1e6)[-1] == (3000.0, 100.0)


@pytest.mark.parametrize("labels", [["0", "1", "x"], ["0", "1", "x+"], ["0", "1", "+"], ["0", "1", "1+"]])
def test_that_a_last_label_that_does_not_increase_gives_no_histogram(labels: list[str]) -> None:
    assert latency_buckets.sqlio(labels, ["50", "30", "20"], 9.0) == ()


def test_that_a_last_label_without_a_plus_is_an_ordinary_bucket() -> None:
    shares = ((1.0, 50.0), (2.0, 30.0), (3.0, 20.0))
    assert latency_buckets.sqlio(["0", "1", "2"], ["50", "30", "20"], 9.0) == shares


def _with_bins(bins: object, **changes: object) -> dict[str, object]:
    whole = direction()
    return {**whole, "clat_ns": {**whole["clat_ns"], "bins": bins, **changes}}


BINS = {"1500000": 600, "3000000": 400}


@pytest.mark.parametrize("bins", [{**BINS, "3000000": wrong} for wrong in ("x", None, -4, 1.5, True, {})])
def test_that_a_damaged_bin_is_named_and_leaves_no_histogram(tmp_path: Path, bins: object) -> None:
    whole = read_result(tmp_path, result(job(read=_with_bins(BINS), write=direction()))).benchmarks
    assert [bool(row.histogram) for row in whole] == [True, False, False]
    reading = read_result(tmp_path, result(job(read=_with_bins(bins), write=direction())))
    assert [row.histogram for row in reading.benchmarks] == [(), (), ()]
    assert [row.iops for row in reading.benchmarks] == [row.iops for row in whole]
    (problem,) = reading.problems
    assert problem.code == "histogram-damaged"
    assert "read.clat_ns.bins.3000000" in problem.message


@pytest.mark.parametrize("bins", ["x", [600, 400], {"15x": 600, "3000000": 400}, {"1500000": float("nan")}])
def test_that_bins_of_another_kind_are_a_problem_and_no_histogram(tmp_path: Path, bins: object) -> None:
    reading = read_result(tmp_path, result(job(read=_with_bins(bins))))
    assert [row.histogram for row in reading.benchmarks] == [()]
    assert [problem.code for problem in reading.problems] == ["histogram-damaged"]


@pytest.mark.parametrize(
    "damage",
    [
        {"latency_us": {**LISTED["latency_us"], "50": "x"}},
        {"latency_us": {**LISTED["latency_us"], "50": None}},
        {"latency_ms": {**LISTED["latency_ms"], "2x": 8.0}},
        {"latency_ns": "x"},
    ],
)
def test_that_a_damaged_bucket_is_named_and_leaves_no_histogram(tmp_path: Path, damage: dict[str, object]) -> None:
    reading = read_result(tmp_path, result(job(**(LISTED | damage))))
    (row,) = reading.benchmarks
    assert (row.histogram, row.iops) == ((), 1000.0)
    (problem,) = reading.problems
    assert problem.code == "histogram-damaged"
    assert next(iter(damage)) in problem.message
