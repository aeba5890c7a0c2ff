"""Impossible figures of benchmarks are left empty, and reported."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.readers.fio_results import direction, job, result
from workbench.model.benchmark import Benchmark, LatencyKind, Op
from workbench.model.reading import Reading
from workbench.model.recording import FileReport
from workbench.readers.fio.reader import READER as FIO
from workbench.readers.vdbench.reader import READER as VDBENCH
from workbench.study.plausibility.judge import plausible

ROW = Benchmark(
    "a.txt",
    "tool",
    Op.READ,
    iops=1000.0,
    mb_per_s=4.096,
    latency_mean_ms=2.0,
    latency_p50_ms=1.5,
    latency_p95_ms=4.0,
    latency_p99_ms=9.0,
    read_percent=100.0,
    line=7,
)
VDBENCH_FILE = """\
tod Run Interval reqrate rate MB/sec bytes/io read% resp read_resp write_resp resp_max
10:00:01.000 rd1 1 max 900.0 3.5 4096 {share} 1.0 1.0 0.0 9.0
10:00:02.000 rd1 avg_1-1 max 900.0 3.5 4096 {share} 1.0 1.0 0.0 9.0
"""


def judged(row: Benchmark) -> tuple[Benchmark, list[tuple[str, int | None]]]:
    reading = plausible(Reading(FileReport("a.txt"), benchmarks=(row,)), Path("unused"))
    return reading.benchmarks[0], [(problem.code, problem.line) for problem in reading.problems]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("read_percent", 1000.0),
        ("read_percent", -1.0),
        ("iops", -5.0),
        ("iops", 1e9),
        ("mb_per_s", 2e7),
        ("latency_mean_ms", -0.1),
        ("latency_p99_ms", 1e9),
        ("block_bytes", 0),
        ("queue_depth", 10**9),
    ],
)
def test_that_a_figure_outside_its_range_is_empty_and_others_are_kept(field: str, value: float) -> None:
    row, problems = judged(replace(ROW, **{field: value}))
    assert problems == [("impossible-figure", 7)]
    assert row == replace(ROW, **{field: None})


@pytest.mark.parametrize(
    ("changes", "kept_mean"),
    [
        ({"latency_p95_ms": 9.5}, 2.0),  # above p99
        ({"latency_p50_ms": 4.5}, 2.0),  # above p95
        ({"latency_mean_ms": 0.05}, None),  # 5 % of the I/Os took 4 ms or more: 0.2 ms at least
    ],
)
def test_that_contradicting_latencies_are_empty(changes: dict[str, float], kept_mean: float | None) -> None:
    row, problems = judged(replace(ROW, **changes))
    assert problems == [("latency-contradiction", 7)]
    assert (row.latency_mean_ms, row.latency_p50_ms, row.latency_p95_ms, row.latency_p99_ms) == (kept_mean, *[None] * 3)
    assert (row.iops, row.mb_per_s) == (1000.0, 4.096)


def test_that_possible_figures_are_unchanged() -> None:
    assert judged(ROW) == (ROW, [])
    # 5 % at 40 ms give a mean of 2 ms.
    edge = replace(ROW, latency_p95_ms=40.0, latency_p99_ms=40.0)
    assert judged(edge) == (edge, [])
    # The mean of the completion gives no information on percentiles of the total.
    kinds = {"latency_kind": LatencyKind.COMPLETION, "percentile_kind": LatencyKind.TOTAL}
    other = replace(ROW, latency_mean_ms=0.001, **kinds)
    assert judged(other) == (other, [])


def test_that_slices_of_a_row_are_checked_too() -> None:
    row, problems = judged(replace(ROW, slices=(replace(ROW, part="host n1", read_percent=300.0),)))
    assert problems == [("impossible-figure", 7)]
    assert row.slices[0].read_percent is None


def test_that_a_read_share_of_1000_percent_in_a_vdbench_report_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "flatfile.html").write_text(VDBENCH_FILE.format(share="1000.0"), "utf-8")
    reading = VDBENCH.read(tmp_path / "flatfile.html", "flatfile.html", tmp_path / "columns")
    after = plausible(reading, tmp_path / "columns")
    assert [problem.code for problem in after.problems if problem.line == 3] == ["impossible-figure"]
    assert [(row.iops, row.read_percent) for row in after.benchmarks] == [(900.0, None)]


def test_that_each_fio_row_names_its_impossible_latencies(tmp_path: Path) -> None:
    good = direction()
    for name, damaged in (
        ("p95", {"clat_ns": {**good["clat_ns"], "percentile": {"95.000000": 9_000_000, "99.000000": 4_000_000}}}),
        ("max", {"lat_ns": {**good["lat_ns"], "mean": 2e8}}),
        ("min", {"lat_ns": {**good["lat_ns"], "min": 5_000_000}}),
        ("total", {"clat_ns": {**good["clat_ns"], "mean": 2_500_000.0}}),
        ("good", {}),
    ):
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps(result(job(read=direction(**damaged)))), "utf-8")
        reading = plausible(FIO.read(path, path.name, Path("unused")), Path("unused"))
        (row,) = reading.benchmarks
        codes = [problem.code for problem in reading.problems]
        assert codes == ([] if name == "good" else ["latency-contradiction"]), name
        assert row.iops == 1000.0
        assert (row.latency_p95_ms is None) == (name != "good"), name


@pytest.mark.parametrize(("bins", "kept"), [({"1500": 600, "9000": 400}, True), ({"1500": 600}, False)])
def test_that_a_histogram_with_a_missing_bin_is_empty_and_named(
    tmp_path: Path, bins: dict[str, int], kept: bool
) -> None:
    reads = direction()
    reads["clat_ns"]["bins"] = bins
    path = tmp_path / "bins.json"
    path.write_text(json.dumps(result(job(read=reads))), "utf-8")
    reading = FIO.read(path, path.name, Path("unused"))
    assert bool(reading.benchmarks[0].histogram) is kept
    assert [problem.code for problem in reading.problems] == ([] if kept else ["histogram-damaged"])


@pytest.mark.parametrize(("share", "kept"), [(40.0, True), (39.7, True), (4.0, False)])
def test_that_shares_that_do_not_sum_to_100_mean_a_damaged_histogram(tmp_path: Path, share: float, kept: bool) -> None:
    path = tmp_path / "shares.json"
    path.write_text(json.dumps(result(job(latency_us={"50": 60.0, "100": share}))), "utf-8")
    reading = FIO.read(path, path.name, Path("unused"))
    assert bool(reading.benchmarks[0].histogram) is kept
    assert [problem.code for problem in reading.problems] == ([] if kept else ["histogram-damaged"])
