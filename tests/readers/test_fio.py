"""fio results as JSON: each figure in its unit, each job and direction once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.readers.benchmark_files import codes
from tests.readers.fio_results import FIO, direction, idle, job, read_result, read_text, result, text_of
from workbench.model.benchmark import LatencyKind, Op
from workbench.readers.fio.reader import READER


@pytest.mark.parametrize(
    "text",
    [
        FIO,
        "Jobs: 1 (f=1): [r(1)]\r" + FIO,
        "$ fio --output-format=json x.fio\n" + FIO,
        json.dumps(result()),
        text_of({"jobs": [job()]}),
    ],
)
def test_that_fio_json_is_recognised_by_content_after_any_text(text: str) -> None:
    assert READER.identify(text.encode(), "anything.log") >= 0.8
    assert READER.identify(text.encode("utf-16"), "anything.log") >= 0.8


@pytest.mark.parametrize(
    "text",
    [
        "",
        "fio-3.19 has been installed\n",
        '{"benchmarks": [{"name": "read", "iops": 3}]}',
        '[{"name": "fio", "unit": "iops", "value": 12}]',
        '{"jobs": [{"name": "build", "steps": []}]}',
    ],
)
def test_that_other_text_and_json_are_not_recognised_as_fio(text: str) -> None:
    assert READER.identify(text.encode(), "fio.json") == 0.0


def test_that_a_read_job_gives_one_row_with_every_figure_in_its_unit(tmp_path: Path) -> None:
    reading = read_result(tmp_path, result())
    (row,) = reading.benchmarks
    assert (row.op, row.iops, row.mb_per_s) == (Op.READ, 1000.0, 4.096)
    assert (row.latency_mean_ms, row.latency_p50_ms) == (2.0, 1.5)
    assert (row.latency_p95_ms, row.latency_p99_ms) == (3.0, 4.0)
    assert (row.block_bytes, row.queue_depth, row.threads, row.read_percent) == (4096, 1, 1, 100.0)
    assert (row.tool, row.tool_version, row.test, row.job, row.host) == ("fio", "3.19", "test", "j", None)
    assert (row.pattern, row.error) == ("random", None)
    assert reading.problems == ()
    assert (reading.report.rows, reading.report.rejected_rows, reading.report.columns) == (1, 0, 0)


def test_that_a_job_of_two_directions_gives_their_rows_and_a_total_that_weighs_latency_by_ios(tmp_path: Path) -> None:
    slow = direction(500, lat_ns={"mean": 8_000_000.0, "max": 9e9, "N": 500})
    mixed = job(write=slow, **{"job options": {"rw": "randrw", "rwmixread": "70", "bs": "4k,8k"}})
    read, write, total = read_result(tmp_path, result(mixed)).benchmarks
    assert [row.op for row in (read, write, total)] == [Op.READ, Op.WRITE, Op.TOTAL]
    assert total.iops == 1500.0
    assert total.mb_per_s == pytest.approx(1.5 * 4.096)
    assert total.latency_mean_ms == pytest.approx((1000 * 2.0 + 500 * 8.0) / 1500)
    assert (total.latency_kind, total.percentile_kind) == (LatencyKind.TOTAL, None)
    assert (total.latency_p50_ms, total.latency_p99_ms) == (None, None)
    assert (read.block_bytes, write.block_bytes, total.block_bytes) == (4096, 8192, None)
    assert {row.read_percent for row in (read, write, total)} == {70.0}


def test_that_a_direction_without_io_gives_no_row(tmp_path: Path) -> None:
    writer = job(read=idle(), write=direction(), **{"job options": {"rw": "write"}})
    (row,) = read_result(tmp_path, result(writer)).benchmarks
    assert (row.op, row.read_percent, row.pattern) == (Op.WRITE, 0.0, "sequential")


def test_that_a_job_without_io_is_reported_and_gives_no_row(tmp_path: Path) -> None:
    reading = read_result(tmp_path, result(job(read=idle())))
    assert reading.benchmarks == ()
    assert codes(reading) == ["no-io"]


def test_that_unified_reporting_gives_one_mixed_row(tmp_path: Path) -> None:
    options = {"rw": "randrw", "bs": "4k", "unified_rw_reporting": "1"}
    unified = {"jobname": "u", "error": 0, "job options": options, "mixed": direction()}
    (row,) = read_result(tmp_path, result(unified)).benchmarks
    assert (row.op, row.iops, row.read_percent, row.block_bytes) == (Op.MIXED, 1000.0, 50.0, 4096)


def test_that_microseconds_and_kib_of_fio_2_are_converted(tmp_path: Path) -> None:
    section = {
        "io_bytes": 4000,
        "bw": 2000,
        "iops": 500,
        "runtime": 2000,
        "total_ios": 1000,
        "clat": {"min": 1, "max": 90, "mean": 40.0, "percentile": {"50.00": 39, "95.00": 80, "99.00": 88}},
        "lat": {"min": 1, "max": 95, "mean": 45.0},
    }
    old = {"fio version": "fio-2.0.10", "jobs": [{"jobname": "o", "error": 0, "read": section}]}
    (row,) = read_result(tmp_path, old).benchmarks
    assert (row.iops, row.mb_per_s, row.latency_mean_ms) == (500.0, 2.048, 0.045)
    assert (row.latency_p50_ms, row.latency_p95_ms, row.latency_p99_ms) == (0.039, 0.08, 0.088)
    assert (row.block_bytes, row.queue_depth, row.threads, row.started) == (None, None, None, None)


def test_that_io_bytes_are_kib_until_fio_2_21_when_they_settle_the_block_size(tmp_path: Path) -> None:
    section = {"io_bytes": 4000, "bw": 4000, "iops": 1000.0, "runtime": 1000, "total_ios": 1000}
    options = {"rw": "read", "bs": "4KiB"}
    old = {**result(job(read=section, **{"job options": options})), "fio version": "fio-2.18"}
    assert read_result(tmp_path, old).benchmarks[0].block_bytes == 4096
    new = result(job(read=direction(io_bytes=4_000_000), **{"job options": options}))
    assert read_result(tmp_path, new).benchmarks[0].block_bytes == 4000


def test_that_unmeasured_latencies_are_missing_and_not_zero(tmp_path: Path) -> None:
    none_taken = {"min": 0, "max": 0, "mean": 0.0, "stddev": 0.0, "N": 0}
    before_n = {"min": 0, "max": 0, "mean": 0.0, "stddev": 0.0, "percentile": {"0.00": 0}}
    new = direction(clat_ns=none_taken, lat_ns=none_taken)
    old = {key: value for key, value in direction().items() if not key.endswith("_ns")}
    reading = read_result(tmp_path, result(job(read=new), job(read={**old, "clat": before_n, "lat": before_n})))
    for row in reading.benchmarks:
        assert row.iops == 1000.0
        assert (row.latency_mean_ms, row.latency_p50_ms, row.latency_p99_ms) == (None, None, None)


def test_that_unrequested_percentiles_are_missing_and_never_interpolated(tmp_path: Path) -> None:
    listed = {"mean": 1.0, "max": 3, "N": 9, "percentile": {"90.000000": 7000, "99.500000": 9000}}
    (row,) = read_result(tmp_path, result(job(read=direction(clat_ns=listed)))).benchmarks
    assert (row.latency_p50_ms, row.latency_p95_ms, row.latency_p99_ms) == (None, None, None)


def test_that_a_percentile_without_a_number_as_its_name_is_skipped(tmp_path: Path) -> None:
    listed = {"mean": 1.0, "max": 3, "N": 9, "percentile": {"all": 1_000, "50": 7_000_000, "95.000000": 8_000_000}}
    (row,) = read_result(tmp_path, result(job(read=direction(clat_ns=listed, lat_ns=listed)))).benchmarks
    assert (row.latency_p50_ms, row.latency_p95_ms, row.latency_p99_ms) == (7.0, 8.0, None)


def test_that_percentiles_of_total_latency_override_those_of_completion(tmp_path: Path) -> None:
    total = {"mean": 5e6, "max": 9e9, "N": 9, "percentile": {"50.000000": 6_000_000}}
    (row,) = read_result(tmp_path, result(job(read=direction(lat_ns=total)))).benchmarks
    assert (row.latency_mean_ms, row.latency_p50_ms) == (5.0, 6.0)


def test_that_the_mean_is_the_total_and_the_row_names_the_latency_of_its_percentiles(tmp_path: Path) -> None:
    listed = {"percentile": {"50.000000": 6_000_000}}
    asked = direction(lat_ns={"mean": 5e6, "max": 9e9, "N": 9, **listed})
    without = direction(clat_ns={"mean": 1.8e6, "max": 9e9, "N": 9})
    rows = read_result(tmp_path, result(*(job(read=one) for one in (direction(), asked, without)))).benchmarks
    figures = [(row.latency_kind, row.latency_mean_ms, row.percentile_kind, row.latency_p50_ms) for row in rows]
    assert figures == [
        (LatencyKind.TOTAL, 2.0, LatencyKind.COMPLETION, 1.5),
        (LatencyKind.TOTAL, 5.0, LatencyKind.TOTAL, 6.0),
        (LatencyKind.TOTAL, 2.0, None, None),
    ]


def test_that_a_total_of_directions_with_different_latencies_has_none(tmp_path: Path) -> None:
    alone = direction(lat_ns={"mean": 0.0, "max": 0, "N": 0})
    total = read_result(tmp_path, result(job(write=alone))).benchmarks[-1]
    assert (total.op, total.latency_mean_ms, total.latency_kind) == (Op.TOTAL, None, None)


def test_that_completion_latency_is_used_if_the_total_is_switched_off(tmp_path: Path) -> None:
    off = {"min": 0, "max": 0, "mean": 0.0, "N": 0}
    (row,) = read_result(tmp_path, result(job(read=direction(lat_ns=off)))).benchmarks
    assert (row.latency_mean_ms, row.latency_kind) == (1.9, LatencyKind.COMPLETION)


@pytest.mark.parametrize(("slat", "told"), [(100_000.0, False), (211_000.0, False), (212_000.0, True)])
def test_that_a_submission_beyond_a_tenth_of_the_whole_is_reported(
    tmp_path: Path, slat: float, told: bool, snapshot: SnapshotAssertion
) -> None:
    reading = read_result(tmp_path, result(job(read=direction(slat_ns={"mean": slat, "max": 9e9, "N": 9}))))
    assert codes(reading) == ["submission"] * told
    for problem in reading.problems:
        assert problem.message == snapshot
        assert problem.action == snapshot


def test_that_seconds_of_submission_are_plain_numbers(tmp_path: Path) -> None:
    waited = {"mean": 1_624_730_000.0, "max": 9e9, "N": 9}
    (problem,) = read_result(tmp_path, result(job(read=direction(slat_ns=waited)))).problems
    assert "1,625 ms" in problem.message


def test_that_the_submission_latency_of_a_total_is_not_a_problem(tmp_path: Path) -> None:
    slow = {"mean": 1e9, "max": 9e9, "N": 9}
    whole = direction(slat_ns=slow, lat_ns={**slow, "percentile": {"50.000000": 6_000_000}})
    assert read_result(tmp_path, result(job(read=whole))).problems == ()


def test_that_clones_merged_by_group_reporting_count_as_threads_and_listed_ones_do_not(tmp_path: Path) -> None:
    options = {"rw": "randread", "bs": "4k", "numjobs": "4"}
    (merged,) = read_result(tmp_path, result(job("m", **{"job options": options}))).benchmarks
    listed = read_result(tmp_path, result(*[job("c", **{"job options": options})] * 4)).benchmarks
    assert merged.threads == 4
    assert [row.threads for row in listed] == [1, 1, 1, 1]


def client(host: str, port: int, name: str = "j", **changes: object) -> dict[str, object]:
    return {**job(name), "hostname": host, "port": port, **changes}


def test_that_the_all_clients_entry_is_not_counted_on_top_of_the_clients(tmp_path: Path) -> None:
    clients = [client("vm-1", 8765), client("vm-2", 8765), client("vm-2", 8765, "All clients")]
    clients[2]["read"] = direction(2000)
    reading = read_result(tmp_path, {"fio version": "fio-3.36", "client_stats": clients})
    assert [(row.host, row.iops) for row in reading.benchmarks] == [("vm-1", 1000.0), ("vm-2", 1000.0)]
    assert codes(reading) == ["all-clients"]
    assert reading.report.hosts == ("vm-1", "vm-2")


def test_that_a_single_all_clients_entry_is_kept_without_a_host(tmp_path: Path) -> None:
    only = {"fio version": "fio-3.36", "client_stats": [client("vm-2", 8765, "All clients")]}
    reading = read_result(tmp_path, only)
    assert [(row.job, row.host) for row in reading.benchmarks] == [("All clients", None)]
    assert codes(reading) == []


def test_that_global_options_per_client_apply_to_their_client(tmp_path: Path) -> None:
    stated = [
        {"hostname": "vm-1", "port": 1, "bs": "8k", "iodepth": "2"},
        {"hostname": "vm-2", "port": 2, "bs": "64k", "iodepth": "32"},
    ]
    clients = [client("vm-1", 1, **{"job options": {}}), client("vm-2", 2, **{"job options": {}})]
    content = {"fio version": "fio-3.42", "global options": stated, "client_stats": clients}
    rows = read_result(tmp_path, content).benchmarks
    assert [(row.block_bytes, row.queue_depth) for row in rows] == [(8192, 2), (65536, 32)]


def test_that_the_start_is_that_of_the_job_or_print_time_minus_elapsed_time(tmp_path: Path) -> None:
    stated = job("a", job_start=1600000003999)
    rows = read_result(tmp_path, result(stated, job("b"), job("c", elapsed=None))).benchmarks
    assert [row.started for row in rows] == ["2020-09-13T12:26:43Z", "2020-09-13T12:26:48Z", "2020-09-13T12:26:50Z"]


@pytest.mark.parametrize("stamp", [1e30, -5, None, "now", float("nan")])
def test_that_an_impossible_time_stamp_is_not_a_start(tmp_path: Path, stamp: object) -> None:
    (row,) = read_result(tmp_path, result(timestamp_ms=None, timestamp=stamp)).benchmarks
    assert row.started is None


def test_that_a_job_that_failed_before_any_io_has_a_row_with_the_message_of_fio(tmp_path: Path) -> None:
    bad = job("bad", error=28, read=idle(), **{"job options": {"rw": "write", "bs": "1m"}})
    said = "fio: pid=7, err=28/file:io_u.c:2018, func=io_u error, error=The lun is full\n"
    reading = read_text(tmp_path, said + text_of(result(bad)))
    (row,) = reading.benchmarks
    assert (row.op, row.iops, row.mb_per_s, row.latency_mean_ms) == (Op.WRITE, None, None, None)
    assert (row.block_bytes, row.error) == (1048576, "fio error 28: “The lun is full”")
    assert codes(reading) == ["job-failed"]


def test_that_figures_of_a_job_that_failed_later_are_kept_and_marked(tmp_path: Path) -> None:
    reading = read_result(tmp_path, result(job(error=5)))
    (row,) = reading.benchmarks
    assert row.iops == 1000.0
    assert row.error is not None
    assert "error 5" in row.error


def test_that_a_failed_first_io_leaves_its_rates_missing_and_not_zero(tmp_path: Path) -> None:
    counted = {**idle(), "total_ios": 1}
    (row,) = read_result(tmp_path, result(job(error=28, read=counted))).benchmarks
    assert (row.op, row.iops, row.mb_per_s) == (Op.READ, None, None)
