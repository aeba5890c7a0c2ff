from __future__ import annotations

import json
from dataclasses import astuple
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.readers.fio_results import direction, idle, job, read_result, read_text, result, text_of
from workbench.model.benchmark import LatencyKind, Op
from workbench.model.problem import Severity
from workbench.model.reading import Reading
from workbench.readers.fio.reader import READER

FIO = text_of(result())


def codes(reading: Reading) -> list[str]:
    return [problem.code for problem in reading.problems]


def refusal(reading: Reading) -> tuple[str, int | None, str]:
    (problem,) = reading.problems
    assert problem.severity is Severity.REFUSED
    assert not reading.benchmarks
    return problem.code, problem.line, problem.message


# --- recognition ---------------------------------------------------------------------------------


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
def test_that_fio_json_is_known_by_its_content_whatever_stands_before_it(text: str) -> None:
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
def test_that_other_text_and_other_json_is_not_taken_for_fio(text: str) -> None:
    assert READER.identify(text.encode(), "fio.json") == 0.0


# --- rows ----------------------------------------------------------------------------------------


def test_that_a_read_job_gives_one_row_with_every_figure_in_its_unit(tmp_path: Path) -> None:
    reading = read_result(tmp_path, result())
    (row,) = reading.benchmarks
    assert (row.op, row.iops, row.mb_per_s) == (Op.READ, 1000.0, 4.096)
    assert (row.latency_mean_ms, row.latency_p50_ms) == (1.9, 1.5)
    assert (row.latency_p95_ms, row.latency_p99_ms) == (3.0, 4.0)
    assert (row.block_bytes, row.queue_depth, row.threads, row.read_percent) == (4096, 1, 1, 100.0)
    assert (row.tool, row.tool_version, row.test, row.job, row.host) == ("fio", "3.19", "test", "j", None)
    assert (row.pattern, row.error) == ("random", None)
    assert reading.problems == ()
    assert (reading.report.rows, reading.report.rejected_rows, reading.report.columns) == (1, 0, 0)


def test_that_a_job_of_two_directions_gives_their_rows_and_a_total_that_weighs_latency_by_ios(tmp_path: Path) -> None:
    slow = direction(500, clat_ns={"mean": 8_000_000.0, "max": 9, "N": 500, "percentile": {"50.000000": 1}})
    mixed = job(write=slow, **{"job options": {"rw": "randrw", "rwmixread": "70", "bs": "4k,8k"}})
    read, write, total = read_result(tmp_path, result(mixed)).benchmarks
    assert [row.op for row in (read, write, total)] == [Op.READ, Op.WRITE, Op.TOTAL]
    assert total.iops == 1500.0
    assert total.mb_per_s == pytest.approx(1.5 * 4.096)
    assert total.latency_mean_ms == pytest.approx((1000 * 1.9 + 500 * 8.0) / 1500)
    assert total.latency_kind is LatencyKind.COMPLETION
    assert (total.latency_p50_ms, total.latency_p99_ms) == (None, None)
    assert (read.block_bytes, write.block_bytes, total.block_bytes) == (4096, 8192, None)
    assert {row.read_percent for row in (read, write, total)} == {70.0}


def test_that_a_direction_without_io_gives_no_row(tmp_path: Path) -> None:
    writer = job(read=idle(), write=direction(), **{"job options": {"rw": "write"}})
    (row,) = read_result(tmp_path, result(writer)).benchmarks
    assert (row.op, row.read_percent, row.pattern) == (Op.WRITE, 0.0, "sequential")


def test_that_a_job_without_io_is_told_and_gives_no_row(tmp_path: Path) -> None:
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
    assert (row.iops, row.mb_per_s, row.latency_mean_ms) == (500.0, 2.048, 0.04)
    assert (row.latency_p50_ms, row.latency_p95_ms, row.latency_p99_ms) == (0.039, 0.08, 0.088)
    assert (row.block_bytes, row.queue_depth, row.threads, row.started) == (None, None, None, None)


def test_that_io_bytes_are_kib_until_fio_2_21_when_they_settle_the_block_size(tmp_path: Path) -> None:
    section = {"io_bytes": 4000, "bw": 4000, "iops": 1000.0, "runtime": 1000, "total_ios": 1000}
    options = {"rw": "read", "bs": "4KiB"}
    old = {**result(job(read=section, **{"job options": options})), "fio version": "fio-2.18"}
    assert read_result(tmp_path, old).benchmarks[0].block_bytes == 4096
    new = result(job(read=direction(io_bytes=4_000_000), **{"job options": options}))
    assert read_result(tmp_path, new).benchmarks[0].block_bytes == 4000


def test_that_latencies_that_were_not_taken_are_missing_and_not_zero(tmp_path: Path) -> None:
    none_taken = {"min": 0, "max": 0, "mean": 0.0, "stddev": 0.0, "N": 0}
    before_n = {"min": 0, "max": 0, "mean": 0.0, "stddev": 0.0, "percentile": {"0.00": 0}}
    new = direction(clat_ns=none_taken, lat_ns=none_taken)
    old = {key: value for key, value in direction().items() if not key.endswith("_ns")}
    reading = read_result(tmp_path, result(job(read=new), job(read={**old, "clat": before_n, "lat": before_n})))
    for row in reading.benchmarks:
        assert row.iops == 1000.0
        assert (row.latency_mean_ms, row.latency_p50_ms, row.latency_p99_ms) == (None, None, None)


def test_that_percentiles_fio_was_not_asked_for_are_missing_and_never_interpolated(tmp_path: Path) -> None:
    listed = {"mean": 1.0, "max": 3, "N": 9, "percentile": {"90.000000": 7000, "99.500000": 9000}}
    (row,) = read_result(tmp_path, result(job(read=direction(clat_ns=listed)))).benchmarks
    assert (row.latency_p50_ms, row.latency_p95_ms, row.latency_p99_ms) == (None, None, None)


def test_that_a_percentile_without_a_number_for_a_name_is_passed_over(tmp_path: Path) -> None:
    listed = {"mean": 1.0, "max": 3, "N": 9, "percentile": {"all": 1_000, "50": 7_000_000, "95.000000": 8_000_000}}
    (row,) = read_result(tmp_path, result(job(read=direction(clat_ns=listed, lat_ns=listed)))).benchmarks
    assert (row.latency_p50_ms, row.latency_p95_ms, row.latency_p99_ms) == (7.0, 8.0, None)


def test_that_percentiles_of_the_total_latency_go_before_those_of_the_completion(tmp_path: Path) -> None:
    total = {"mean": 5e6, "max": 9, "N": 9, "percentile": {"50.000000": 6_000_000}}
    (row,) = read_result(tmp_path, result(job(read=direction(lat_ns=total)))).benchmarks
    assert (row.latency_mean_ms, row.latency_p50_ms) == (5.0, 6.0)


def test_that_mean_and_percentiles_of_a_row_are_of_one_latency_and_the_row_says_of_which(tmp_path: Path) -> None:
    listed = {"percentile": {"50.000000": 6_000_000}}
    asked = direction(lat_ns={"mean": 5e6, "max": 9, "N": 9, **listed})
    without = direction(clat_ns={"mean": 4e6, "max": 9, "N": 9})
    rows = read_result(tmp_path, result(*(job(read=one) for one in (direction(), asked, without)))).benchmarks
    figures = [(row.latency_kind, row.latency_mean_ms, row.latency_p50_ms) for row in rows]
    assert figures == [
        (LatencyKind.COMPLETION, 1.9, 1.5),
        (LatencyKind.TOTAL, 5.0, 6.0),
        (LatencyKind.TOTAL, 2.0, None),
    ]


def test_that_a_total_of_directions_of_unlike_latencies_has_none(tmp_path: Path) -> None:
    whole = direction(lat_ns={"mean": 5e6, "max": 9, "N": 9, "percentile": {"50.000000": 6_000_000}})
    total = read_result(tmp_path, result(job(write=whole))).benchmarks[-1]
    assert (total.op, total.latency_mean_ms, total.latency_kind) == (Op.TOTAL, None, None)


def test_that_completion_latency_stands_in_where_the_total_was_switched_off(tmp_path: Path) -> None:
    off = {"min": 0, "max": 0, "mean": 0.0, "N": 0}
    (row,) = read_result(tmp_path, result(job(read=direction(lat_ns=off)))).benchmarks
    assert (row.latency_mean_ms, row.latency_kind) == (1.9, LatencyKind.COMPLETION)


@pytest.mark.parametrize(("slat", "told"), [(100_000.0, False), (211_000.0, False), (212_000.0, True)])
def test_that_a_submission_beyond_a_tenth_of_the_whole_is_told(tmp_path: Path, slat: float, told: bool) -> None:
    reading = read_result(tmp_path, result(job(read=direction(slat_ns={"mean": slat, "max": 9, "N": 9}))))
    assert codes(reading) == ["submission"] * told


def test_that_the_submission_of_a_row_of_the_whole_is_no_problem(tmp_path: Path) -> None:
    slow = {"mean": 1e9, "max": 9, "N": 9}
    whole = direction(slat_ns=slow, lat_ns={**slow, "percentile": {"50.000000": 6_000_000}})
    assert read_result(tmp_path, result(job(read=whole))).problems == ()


# --- clones, clients, time -----------------------------------------------------------------------


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


def test_that_all_clients_alone_is_kept_without_a_host(tmp_path: Path) -> None:
    only = {"fio version": "fio-3.36", "client_stats": [client("vm-2", 8765, "All clients")]}
    reading = read_result(tmp_path, only)
    assert [(row.job, row.host) for row in reading.benchmarks] == [("All clients", None)]
    assert codes(reading) == []


def test_that_global_options_listed_per_client_go_to_their_own_client(tmp_path: Path) -> None:
    stated = [
        {"hostname": "vm-1", "port": 1, "bs": "8k", "iodepth": "2"},
        {"hostname": "vm-2", "port": 2, "bs": "64k", "iodepth": "32"},
    ]
    clients = [client("vm-1", 1, **{"job options": {}}), client("vm-2", 2, **{"job options": {}})]
    content = {"fio version": "fio-3.42", "global options": stated, "client_stats": clients}
    rows = read_result(tmp_path, content).benchmarks
    assert [(row.block_bytes, row.queue_depth) for row in rows] == [(8192, 2), (65536, 32)]


def test_that_the_start_is_the_jobs_own_else_the_print_time_less_the_time_elapsed(tmp_path: Path) -> None:
    stated = job("a", job_start=1600000003999)
    rows = read_result(tmp_path, result(stated, job("b"), job("c", elapsed=None))).benchmarks
    assert [row.started for row in rows] == ["2020-09-13T12:26:43Z", "2020-09-13T12:26:48Z", "2020-09-13T12:26:50Z"]


@pytest.mark.parametrize("stamp", [1e30, -5, None, "now", float("nan")])
def test_that_an_impossible_time_stamp_is_no_start(tmp_path: Path, stamp: object) -> None:
    (row,) = read_result(tmp_path, result(timestamp_ms=None, timestamp=stamp)).benchmarks
    assert row.started is None


# --- failed runs ---------------------------------------------------------------------------------


def test_that_a_job_that_failed_before_any_io_still_has_a_row_with_fios_own_sentence(tmp_path: Path) -> None:
    bad = job("bad", error=28, read=idle(), **{"job options": {"rw": "write", "bs": "1m"}})
    said = "fio: pid=7, err=28/file:io_u.c:2018, func=io_u error, error=The lun is full\n"
    reading = read_text(tmp_path, said + text_of(result(bad)))
    (row,) = reading.benchmarks
    assert (row.op, row.iops, row.mb_per_s, row.latency_mean_ms) == (Op.WRITE, None, None, None)
    assert (row.block_bytes, row.error) == (1048576, "fio ended this job with error 28: The lun is full.")
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


# --- text and documents --------------------------------------------------------------------------


def test_that_text_around_the_json_does_not_matter(tmp_path: Path) -> None:
    noise = "fio: terminating on signal 2\nJobs: 1 (f=1): [r(1)][50.0%][eta 00m:01s]\r"
    reading = read_text(tmp_path, noise + FIO + "\nRun status group 0 (all jobs):\n{ echo done; }\n")
    assert [row.iops for row in reading.benchmarks] == [1000.0]
    assert reading.problems == ()
    version_last = dict(reversed(result().items()))
    assert len(read_text(tmp_path, "Jobs: 1 (f=1): [r(1)]\r" + text_of(version_last)).benchmarks) == 1


def test_that_only_the_last_report_of_an_interval_series_counts(tmp_path: Path) -> None:
    stamps = [(1600000001000, 1, 100), (1600000002000, 2, 200), (1600000002500, 3, 250)]
    documents = [
        text_of(result(job(elapsed=elapsed, read=direction(ios)), timestamp_ms=stamp)) for stamp, elapsed, ios in stamps
    ]
    reading = read_text(tmp_path, "".join(documents))
    assert [row.iops for row in reading.benchmarks] == [250.0]
    (problem,) = reading.problems
    assert (problem.severity, problem.code) == (Severity.INFO, "interim-reports")
    assert problem.message.startswith("2 interim reports")


def test_that_different_tests_and_later_repeats_in_one_file_are_all_kept(tmp_path: Path) -> None:
    first, again = result(), result(timestamp_ms=1600000070500)
    other = result(job("other"), timestamp_ms=1600000130500)
    reading = read_text(tmp_path, text_of(first) + text_of(again) + text_of(other))
    assert [row.job for row in reading.benchmarks] == ["j", "j", "other"]
    assert reading.problems == ()


def test_that_equal_runs_of_a_fio_without_clock_stay_apart_and_growing_ones_do_not(tmp_path: Path) -> None:
    def old(ios: int) -> str:
        section = {"io_bytes": ios * 4, "bw": 4, "iops": ios, "runtime": 1000, "total_ios": ios}
        return text_of({"fio version": "fio-2.1", "jobs": [{"jobname": "o", "read": section}]})

    assert len(read_text(tmp_path, old(5) + old(5) + old(4)).benchmarks) == 3
    assert [row.iops for row in read_text(tmp_path, old(5) + old(9)).benchmarks] == [9.0]


def test_that_utf_16_from_powershell_and_old_code_pages_are_read(tmp_path: Path) -> None:
    wide = read_text(tmp_path, FIO.encode("utf-16"))
    assert (len(wide.benchmarks), wide.report.encoding, wide.problems) == (1, "utf-16", ())
    for unmarked in ("utf-16-le", "utf-16-be"):
        assert READER.identify(FIO.encode(unmarked), "x.json") >= 0.8
        assert read_text(tmp_path, FIO.encode(unmarked)).benchmarks == wide.benchmarks
    narrow = read_text(tmp_path, b"Messung f\xfcr Lauf 1\n" + FIO.encode())
    assert (len(narrow.benchmarks), narrow.report.encoding, codes(narrow)) == (1, "cp1252", ["encoding"])


@pytest.mark.parametrize("word", ["nan", "true", "-nan", "inf", "-nan(ind)", "1.#QNAN", "1e999", "-1", "NaN"])
def test_that_a_figure_that_is_no_number_is_missing_and_told(tmp_path: Path, word: str) -> None:
    text = FIO.replace('"iops": 1000.0', f'"iops": {word}')
    assert text != FIO
    reading = read_text(tmp_path, text)
    (row,) = reading.benchmarks
    assert row.iops is None
    assert row.mb_per_s == 4.096
    (problem,) = reading.problems
    assert problem.code == "not-a-number"
    assert "read.iops" in problem.message


def test_that_fios_repeated_empty_percentiles_are_harmless_and_other_repeats_are_told(tmp_path: Path) -> None:
    zeros = FIO.replace('"99.000000"', '"0.00": 0, "0.00": 0, "99.000000"', 1)
    assert read_text(tmp_path, zeros).problems == ()
    twice = FIO.replace('"iops": 1000.0', '"iops": 900.0, "iops": 1000.0')
    reading = read_text(tmp_path, twice)
    assert [row.iops for row in reading.benchmarks] == [1000.0]
    assert codes(reading) == ["repeated-key"]


def test_that_the_bins_of_json_plus_are_passed_over(tmp_path: Path) -> None:
    bins = {**direction()["clat_ns"], "bins": {str(n): n for n in range(2000)}}
    (row,) = read_result(tmp_path, result(job(read=direction(clat_ns=bins)))).benchmarks
    assert row.latency_p99_ms == 4.0


def test_that_entries_that_are_no_jobs_are_rejected_and_counted(tmp_path: Path) -> None:
    reading = read_result(tmp_path, {**result(), "jobs": [None, job(), 3]})
    assert (reading.report.rows, reading.report.rejected_rows) == (1, 2)
    assert codes(reading) == ["not-a-job"]


def test_that_a_result_without_jobs_is_told(tmp_path: Path) -> None:
    assert codes(read_result(tmp_path, {"fio version": "fio-3.1", "jobs": []})) == ["no-jobs"]


# --- refusals ------------------------------------------------------------------------------------


def test_that_a_truncated_file_is_refused_with_the_line_where_it_ends(tmp_path: Path) -> None:
    lines = FIO.splitlines()[:20]
    code, line, message = refusal(read_text(tmp_path, "\n".join(lines)))
    assert (code, line) == ("truncated", 20)
    assert "starts at line 1" in message


def test_that_broken_json_is_refused_with_the_line_at_fault(tmp_path: Path) -> None:
    lines = FIO.splitlines()
    at = next(index for index, line in enumerate(lines) if '"iops"' in line)
    lines[at] = lines[at].replace(":", "=")
    code, line, _ = refusal(read_text(tmp_path, "\n".join(["$ fio", *lines])))
    assert (code, line) == ("not-json", at + 2)


def test_that_deep_nesting_is_refused_by_name(tmp_path: Path) -> None:
    text = '{"fio version": "fio-3.1", "jobs": ' + "[" * 200_000
    assert refusal(read_text(tmp_path, text))[:2] == ("nested-too-deep", 1)


def test_that_a_number_of_thousands_of_digits_is_refused(tmp_path: Path) -> None:
    code, line, _ = refusal(read_text(tmp_path, FIO.replace("1000.0", "9" * 5000, 1)))
    assert (code, line) == ("not-json", 1)


def test_that_a_whole_result_before_a_truncated_one_is_kept(tmp_path: Path) -> None:
    reading = read_text(tmp_path, FIO + "\n".join(FIO.splitlines()[:20]))
    assert len(reading.benchmarks) == 1
    (problem,) = reading.problems
    assert (problem.severity, problem.code) == (Severity.WARNING, "truncated")
    assert problem.line == FIO.count("\n") + 20
    assert reading.report.rejected_rows == 1


def test_that_a_file_without_fio_json_or_without_a_file_is_refused(tmp_path: Path) -> None:
    assert refusal(read_text(tmp_path, '{"a": 1}'))[0] == "no-fio-json"
    gone = READER.read(tmp_path / "gone.json", "gone.json", tmp_path / "c")
    assert refusal(gone)[0] == "unreadable"
    with pytest.raises(OSError) as missing:
        (tmp_path / "gone.json").stat()
    assert str(missing.value.strerror) in refusal(gone)[2]


# --- anything at all -----------------------------------------------------------------------------

ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)
KEYS = ("jobname", "error", "job options", "read", "write", "mixed", "hostname", "job_start", "elapsed", "groupid")
FIGURES = ("iops", "bw", "bw_bytes", "io_bytes", "total_ios", "runtime", "lat_ns", "clat", "lat")
ANY_SECTION = st.fixed_dictionaries({}, optional=dict.fromkeys(FIGURES, ANY_JSON)) | ANY_JSON
ANY_JOB = st.fixed_dictionaries({}, optional=dict.fromkeys(KEYS, ANY_SECTION)) | ANY_JSON
ANY_DOCUMENT = st.fixed_dictionaries(
    {"fio version": st.just("fio-3.1") | ANY_JSON},
    optional={
        "jobs": st.lists(ANY_JOB, max_size=3) | ANY_JSON,
        "client_stats": st.lists(ANY_JOB, max_size=3),
        "global options": ANY_JSON,
        "timestamp": ANY_JSON,
        "timestamp_ms": ANY_JSON,
    },
)
TOLERANT = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@TOLERANT
@given(documents=st.lists(ANY_DOCUMENT, min_size=1, max_size=3), noise=st.text(max_size=20))
def test_that_no_fio_like_json_raises_and_every_figure_is_a_number_or_missing(
    tmp_path: Path, documents: list[object], noise: str
) -> None:
    text = (noise + "\n").join(json.dumps(document) for document in documents)
    reading = read_text(tmp_path, text.encode(errors="replace"))
    assert reading.report.rows == len(reading.benchmarks)
    for row in reading.benchmarks:
        for value in astuple(row):
            assert not isinstance(value, float) or 0.0 <= value < float("inf")


@TOLERANT
@given(cut=st.integers(0, len(FIO)), flip=st.binary(max_size=6), at=st.integers(0, len(FIO)))
def test_that_damaged_files_never_raise_and_always_say_what_is_wrong(
    tmp_path: Path, cut: int, flip: bytes, at: int
) -> None:
    data = FIO.encode()[:cut]
    reading = read_text(tmp_path, data[:at] + flip + data[at:])
    assert reading.benchmarks or reading.problems


@TOLERANT
@given(data=st.binary(max_size=300) | st.text(max_size=300).map(lambda text: text.encode(errors="replace")))
def test_that_arbitrary_bytes_never_raise(tmp_path: Path, data: bytes) -> None:
    assert 0.0 <= READER.identify(data, "x") <= 1.0
    assert read_text(tmp_path, data).benchmarks == ()
