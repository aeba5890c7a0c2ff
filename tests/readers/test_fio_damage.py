"""fio's JSON within other text, repeated, damaged or cut: readable parts are kept, and the rest is named."""

from __future__ import annotations

import json
from dataclasses import astuple
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.readers.benchmark_files import codes, refusal
from tests.readers.fio_results import FIO, direction, job, read_result, read_text, result, text_of
from workbench.model.problem import Severity
from workbench.readers.fio.reader import READER


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
    assert problem.message == "The file contains 2 interim reports (--status-interval)."


def test_that_different_tests_and_later_repeats_in_one_file_are_kept(tmp_path: Path) -> None:
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
def test_that_a_figure_that_is_not_a_number_is_missing_and_reported(tmp_path: Path, word: str) -> None:
    text = FIO.replace('"iops": 1000.0', f'"iops": {word}')
    assert text != FIO
    reading = read_text(tmp_path, text)
    (row,) = reading.benchmarks
    assert row.iops is None
    assert row.mb_per_s == 4.096
    (problem,) = reading.problems
    assert problem.code == "not-a-number"
    assert "read.iops" in problem.message


def test_that_fios_repeated_empty_percentiles_are_harmless_and_other_repeats_are_reported(tmp_path: Path) -> None:
    zeros = FIO.replace('"99.000000"', '"0.00": 0, "0.00": 0, "99.000000"', 1)
    assert read_text(tmp_path, zeros).problems == ()
    twice = FIO.replace('"iops": 1000.0', '"iops": 900.0, "iops": 1000.0')
    reading = read_text(tmp_path, twice)
    assert [row.iops for row in reading.benchmarks] == [1000.0]
    assert codes(reading) == ["repeated-key"]


def test_that_the_bins_of_json_plus_are_skipped(tmp_path: Path) -> None:
    bins = {**direction()["clat_ns"], "bins": {str(n): n for n in range(2000)}}
    (row,) = read_result(tmp_path, result(job(read=direction(clat_ns=bins)))).benchmarks
    assert row.latency_p99_ms == 4.0


def test_that_entries_that_are_not_jobs_are_rejected_and_counted(tmp_path: Path) -> None:
    reading = read_result(tmp_path, {**result(), "jobs": [None, job(), 3]})
    assert (reading.report.rows, reading.report.rejected_rows) == (1, 2)
    assert codes(reading) == ["not-a-job"]


def test_that_a_result_without_jobs_is_reported(tmp_path: Path) -> None:
    assert codes(read_result(tmp_path, {"fio version": "fio-3.1", "jobs": []})) == ["no-jobs"]


def test_that_a_truncated_file_is_rejected_with_the_line_where_it_ends(tmp_path: Path) -> None:
    lines = FIO.splitlines()[:20]
    code, line, message = refusal(read_text(tmp_path, "\n".join(lines)))
    assert (code, line) == ("truncated", 20)
    assert "from line 1 " in message


def test_that_broken_json_is_rejected_with_the_line_at_fault(tmp_path: Path) -> None:
    lines = FIO.splitlines()
    at = next(index for index, line in enumerate(lines) if '"iops"' in line)
    lines[at] = lines[at].replace(":", "=")
    code, line, _ = refusal(read_text(tmp_path, "\n".join(["$ fio", *lines])))
    assert (code, line) == ("not-json", at + 2)


def test_that_deeply_nested_json_is_rejected_by_name(tmp_path: Path) -> None:
    text = '{"fio version": "fio-3.1", "jobs": ' + "[" * 200_000
    assert refusal(read_text(tmp_path, text))[:2] == ("nested-too-deep", 1)


def test_that_a_number_of_thousands_of_digits_is_rejected(tmp_path: Path) -> None:
    code, line, _ = refusal(read_text(tmp_path, FIO.replace("1000.0", "9" * 5000, 1)))
    assert (code, line) == ("not-json", 1)


def test_that_a_complete_result_before_a_cut_one_is_kept(tmp_path: Path) -> None:
    reading = read_text(tmp_path, FIO + "\n".join(FIO.splitlines()[:20]))
    assert len(reading.benchmarks) == 1
    (problem,) = reading.problems
    assert (problem.severity, problem.code) == (Severity.WARNING, "truncated")
    assert problem.line == FIO.count("\n") + 20
    assert reading.report.rejected_rows == 1


def test_that_a_file_without_fio_json_or_without_a_file_is_rejected(tmp_path: Path) -> None:
    assert refusal(read_text(tmp_path, '{"a": 1}'))[0] == "no-fio-json"
    gone = READER.read(tmp_path / "gone.json", "gone.json", tmp_path / "c")
    assert refusal(gone)[0] == "unreadable"
    with pytest.raises(OSError) as missing:
        (tmp_path / "gone.json").stat()
    assert str(missing.value.strerror) in refusal(gone)[2]


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
def test_that_damaged_files_never_raise_an_error_and_always_report_the_damage(
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
