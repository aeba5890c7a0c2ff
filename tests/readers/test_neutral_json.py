"""Neutral benchmark JSON: figures by their unit, and a sentence for every entry that is not a figure."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from tests.readers.benchmark_files import codes, figures, is_whole, read_with, refusal
from workbench.model.benchmark import Op
from workbench.model.reading import Reading
from workbench.readers.neutral import READER, as_figure, latency_figure

ASSUMED = "operations-assumed"


def read(folder: Path, content: Any) -> Reading:
    text = content if isinstance(content, str) else json.dumps(content)
    return read_with(READER, folder, text, "bench.json")


def entry(name: str, unit: Any, value: Any) -> dict[str, Any]:
    return {"name": name, "unit": unit, "value": value, "range": "± 3"}


@pytest.mark.parametrize(
    ("value", "unit", "figure"),
    [
        (5.0, "IOPS", ("iops", 5.0)),
        (5.0, "ops/s", ("iops", 5.0)),
        (5.0, "kIOPS", ("iops", 5000.0)),
        (5.0, "ops/ms", ("iops", 5000.0)),
        (5.0, "MB/s", ("mb_per_s", 5.0)),
        (5.0, "GB/s", ("mb_per_s", 5000.0)),
        (1.0, "MiB/s", ("mb_per_s", 1.048576)),
        (1000.0, "KiB/s", ("mb_per_s", 1.024)),
        (1e6, "B/s", ("mb_per_s", 1.0)),
        (5.0, "ms", ("latency", 5.0)),
        (5.0, "us", ("latency", 0.005)),
        (5.0, "µs", ("latency", 0.005)),
        (5e6, "ns", ("latency", 5.0)),
        (2.0, "s/iter", ("latency", 2000.0)),
        (5.0, "ns/op", ("latency", 5e-6)),
    ],
)
def test_that_units_are_converted_to_project_units(value: float, unit: str, figure: tuple[str, float]) -> None:
    found = as_figure(value, unit)
    assert found == (figure[0], pytest.approx(figure[1]))


@pytest.mark.parametrize("unit", ["req/s", "Percent", "Megabytes", "Mb/s", "MB", "iter/sec", "", "1/s", "ms/s", "%"])
def test_that_unknown_units_are_rejected(unit: str) -> None:
    assert as_figure(5.0, unit) is None


@pytest.mark.parametrize(
    ("name", "figure"),
    [
        ("randread latency", "latency_mean_ms"),
        ("randread p99 latency", "latency_p99_ms"),
        ("95th percentile", "latency_p95_ms"),
        ("read P50", "latency_p50_ms"),
        ("median latency", "latency_p50_ms"),
        ("p90 latency", None),
        ("p99.9", None),
        ("99.9th percentile", None),
        ("max latency", None),
        ("5th", None),
    ],
)
def test_that_a_percentile_in_a_name_is_never_read_as_a_mean(name: str, figure: str | None) -> None:
    assert latency_figure(name) == figure


def test_that_a_custom_list_gives_a_row_per_figure(tmp_path: Path) -> None:
    reading = read(
        tmp_path,
        [
            entry("randread 4k", "IOPS", 70),
            entry("seqwrite", "MiB/s", 100),
            entry("4k mix", "us", 250),
            entry("randread p99", "ms", 4),
            entry("read and write", "ops/s", 8),
        ],
    )
    assert [(row.job, row.op) for row in reading.benchmarks] == [
        ("randread 4k", Op.READ),
        ("seqwrite", Op.WRITE),
        ("4k mix", Op.TOTAL),
        ("randread p99", Op.READ),
        ("read and write", Op.TOTAL),
    ]
    assert [figures(row) for row in reading.benchmarks] == [
        (70.0, None, None, None, None, None),
        (None, pytest.approx(104.8576), None, None, None, None),
        (None, None, pytest.approx(0.25), None, None, None),
        (None, None, None, None, None, 4.0),
        (8.0, None, None, None, None, None),
    ]
    assert codes(reading) == [ASSUMED, "direction-by-name"]
    assert reading.benchmarks[0].tool == "github-action-benchmark"


@pytest.mark.parametrize(
    ("bad", "code", "word"),
    [
        (entry("x", "req/s", 70), "no-storage-figure", "req/s"),
        (entry("x", None, 70), "no-storage-figure", "has no unit"),
        (entry("x p90", "ms", 70), "no-storage-figure", "statistic"),
        (entry("x", "IOPS", "70"), "not-a-number", "is negative or not a number"),
        (entry("x", "IOPS", -1), "not-a-number", "is negative or not a number"),
        (entry("x", "IOPS", True), "not-a-number", "is negative or not a number"),
        ({"unit": "IOPS", "value": 70}, "not-an-entry", "no name"),
        (7, "not-an-entry", "no name"),
    ],
)
def test_that_entries_that_are_not_storage_figures_are_skipped_with_a_sentence(
    tmp_path: Path, bad: Any, code: str, word: str
) -> None:
    reading = read(tmp_path, [entry("good", "IOPS", 5), bad])
    assert (len(reading.benchmarks), reading.report.rejected_rows) == (1, 1)
    assert codes(reading) == [code, ASSUMED]
    assert word in reading.problems[0].message
    alone = refusal(read(tmp_path, [{"name": "x", "unit": "%", "value": 1}, bad]))
    assert alone[0] == "no-storage-figures"
    assert ", and 1 other entry is also unusable." in alone[2]


def test_that_bencher_uses_its_fixed_units_and_this_is_reported(tmp_path: Path) -> None:
    content = {
        "disk::read": {"latency": {"value": 3247.0, "lower_value": 1044.0}, "throughput": {"value": 70}},
        "b": {"file-size": {"value": 5}},
    }
    assert READER.identify(json.dumps(content).encode(), "x") == 0.8
    reading = read(tmp_path, content)
    assert [figures(row)[:3] for row in reading.benchmarks] == [
        (None, None, pytest.approx(0.003247)),
        (70.0, None, None),
    ]
    assert codes(reading) == ["no-storage-figure", "unit-assumed", ASSUMED, "direction-by-name"]


def google(**fields: Any) -> dict[str, Any]:
    return {"name": "BM_pread/4096", "run_type": "iteration", "real_time": 2500.0, "time_unit": "us", **fields}


@pytest.mark.parametrize(
    ("threads", "read_as"),
    [(1, 1), (2**31 - 1, 2**31 - 1), (0, None), (-1, None), (2**31, None), (2.0, None), ("2", None)],
)
def test_that_threads_are_a_count(tmp_path: Path, threads: object, read_as: int | None) -> None:
    (row,) = read(tmp_path, {"context": {}, "benchmarks": [google(threads=threads)]}).benchmarks
    assert row.threads == read_as


def test_that_google_benchmark_gives_times_and_bytes_and_its_aggregates_count_once(tmp_path: Path) -> None:
    context = {"date": "2024-03-01T11:00:05+01:00", "host_name": "vm-01", "library_version": "v1.8.3"}
    mean = google(run_type="aggregate", aggregate_name="mean", real_time=2000.0, run_name="BM_pread/4096")
    median = mean | {"aggregate_name": "median"}
    content = {"context": context, "benchmarks": [google(bytes_per_second=5e6, threads=4), mean, median]}
    assert READER.identify(json.dumps(content).encode(), "x") == 0.9
    reading = read(tmp_path, content)
    (row,) = reading.benchmarks
    assert figures(row)[:3] == (None, 5.0, 2.5)
    assert (row.host, row.started, row.tool_version, row.threads) == ("vm-01", "2024-03-01T10:00:05Z", "v1.8.3", 4)
    assert codes(reading) == ["aggregates", ASSUMED]
    (aggregate,) = read(tmp_path, {"context": context, "benchmarks": [mean, median]}).benchmarks
    assert aggregate.latency_mean_ms == 2.0


def test_that_a_failed_google_benchmark_is_shown_as_failed(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    failed = google(error_occurred=True, error_message="no file")
    reading = read(tmp_path, {"context": {}, "benchmarks": [failed]})
    assert reading.benchmarks[0].error == snapshot
    assert figures(reading.benchmarks[0]) == (None,) * 6
    assert codes(reading)[0] == "job-failed"


def test_that_pytest_benchmark_gives_means_in_milliseconds(tmp_path: Path) -> None:
    content = {
        "machine_info": {"node": "vm-01"},
        "datetime": "2024-03-01T10:00:05.5",
        "version": "4.0.0",
        "benchmarks": [{"fullname": "b.py::test_max", "stats": {"mean": 0.0025, "median": 0.002, "ops": 400}}],
    }
    reading = read(tmp_path, content)
    (row,) = reading.benchmarks
    assert figures(row) == (None, None, 2.5, None, None, None)
    assert (row.host, row.started, row.tool_version) == ("vm-01", "2024-03-01T10:00:05Z", "4.0.0")


def jmh(mode: str, score: float, unit: str) -> list[dict[str, Any]]:
    metric = {"score": score, "scoreUnit": unit, "scorePercentiles": {"50.0": 1.0, "95.0": 3.0, "99.0": 4.0}}
    return [
        {
            "jmhVersion": "1.36",
            "benchmark": "a.B.c",
            "mode": mode,
            "threads": 2,
            "primaryMetric": metric,
            "params": {"size": "4k"},
        }
    ]


def test_that_jmh_is_read_by_its_unit_and_has_percentiles_in_sampling_mode_only(tmp_path: Path) -> None:
    (row,) = read(tmp_path, jmh("thrpt", 5.0, "ops/ms")).benchmarks
    assert (row.job, row.threads, *figures(row)) == ("a.B.c size=4k", 2, 5000.0, *(None,) * 5)
    (average,) = read(tmp_path, jmh("avgt", 2.0, "us/op")).benchmarks
    assert figures(average)[2:] == (pytest.approx(0.002), None, None, None)
    (sample,) = read(tmp_path, jmh("sample", 2.0, "ms/op")).benchmarks
    assert figures(sample)[2:] == (2.0, 1.0, 3.0, 4.0)


def test_that_a_sample_without_a_number_gives_no_row_and_no_percentiles(tmp_path: Path) -> None:
    good, bad = jmh("sample", 2.0, "ms/op")[0], jmh("sample", 2.0, "ms/op")[0]
    bad["primaryMetric"] = bad["primaryMetric"] | {"score": "NaN"}
    alone = read(tmp_path, [good]).benchmarks
    assert [figures(row) for row in read(tmp_path, [bad, good]).benchmarks] == [figures(row) for row in alone]


def test_that_benchmark_dot_net_uses_nanoseconds_and_failed_entries_are_skipped(tmp_path: Path) -> None:
    content = {
        "HostEnvironmentInfo": {"BenchmarkDotNetVersion": "0.13"},
        "Benchmarks": [{"FullName": "A", "Statistics": {"Mean": 2.5e6}}, {"FullName": "B", "Statistics": None}],
    }
    reading = read(tmp_path, content)
    (row,) = reading.benchmarks
    assert (row.tool, row.tool_version, row.latency_mean_ms) == ("benchmarkdotnet", "0.13", pytest.approx(2.5))
    assert codes(reading) == ["not-a-number", ASSUMED]


GOOD = json.dumps([entry("a", "IOPS", 5), entry("b", "IOPS", 6)])
ATTACKS = {
    "a cut file": (GOOD[:-20], "truncated", 1),
    "a cut string": (GOOD[: GOOD.rindex("IOPS") + 2], "truncated", 1),
    "deep nesting": ('[{"name": "a", "unit": "IOPS", "value": ' + "[" * 200_000, "nested-too-deep", 1),
    "a wrong comma": ('[{"name": "a", "unit": "IOPS",\n "value": 5,}]', "not-json", 2),
    "a number with thousands of digits": (GOOD.replace("5", "9" * 5000), "not-json", 1),
    "an infinite number": (GOOD.replace("5", "1e999").replace("6", "NaN"), "no-storage-figures", None),
    "an empty list after all": ('[\n{"name": "a", "unit": "%", "value": 1}]', "no-storage-figures", None),
    "another format": ('[{"name": "a", "value": 3, "x": {"unit": 1}}]', "unknown-format", None),
}


@pytest.mark.parametrize(("text", "code", "line"), ATTACKS.values(), ids=ATTACKS.keys())
def test_that_a_broken_document_is_rejected_by_name(tmp_path: Path, text: str, code: str, line: int | None) -> None:
    assert READER.identify(text.encode(), "x.json") >= 0.8
    assert refusal(read(tmp_path, text))[:2] == (code, line)


def test_that_repeated_keys_and_text_around_are_reported(tmp_path: Path) -> None:
    twice = GOOD.replace('"value": 5', '"value": 4, "value": 5')
    reading = read(tmp_path, f"$ bench\n{twice}\ndone")
    assert [row.iops for row in reading.benchmarks] == [5.0, 6.0]
    assert codes(reading) == ["repeated-key", "text-around", ASSUMED]


def test_that_many_bad_entries_are_reported_in_few_sentences(tmp_path: Path) -> None:
    reading = read(tmp_path, [entry("a", "IOPS", 5)] + [entry("b", "%", 5)] * 500)
    assert (len(reading.problems), reading.report.rejected_rows) == (52, 500)
    assert "450 further entries have no storage metric." in reading.problems[-2].message


def test_that_other_json_is_not_recognised_as_a_benchmark() -> None:
    others = ['{"jobs": [{"jobname": "a"}]}', "[1, 2]", "{}", '{"a": {"b": 1}}', '{"name": "x", "value": 1}', ""]
    assert [READER.identify(text.encode(), "bench.json") for text in others] == [0.0] * len(others)


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                [
                    "name",
                    "unit",
                    "value",
                    "benchmarks",
                    "stats",
                    "mean",
                    "machine_info",
                    "Benchmarks",
                    "HostEnvironmentInfo",
                    "primaryMetric",
                    "score",
                    "scoreUnit",
                    "real_time",
                    "latency",
                ]
            ),
            inner | st.sampled_from(["IOPS", "ms", "sample"]),
            max_size=5,
        )
    ),
    max_leaves=16,
)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ANY, st.text(max_size=10))
def test_that_any_json_is_read_without_an_error(tmp_path: Path, content: Any, other: str) -> None:
    text = json.dumps(content) + other
    assert 0.0 <= READER.identify(text.encode("utf-8", "replace"), "x") <= 1.0
    assert is_whole(read_with(READER, tmp_path, text.encode("utf-8", "replace")))


@pytest.mark.parametrize("missing", ["name", "unit", "value"])
def test_that_a_custom_list_without_a_required_key_is_not_recognised(missing: str) -> None:
    whole = entry("a", "IOPS", 1)
    assert READER.identify(json.dumps([whole]).encode(), "a.json") == 0.8
    part = {key: value for key, value in whole.items() if key != missing}
    assert READER.identify(json.dumps([part]).encode(), "a.json") == 0.0


@pytest.mark.parametrize(("odd", "more"), [(49, 0), (50, 0), (51, 1), (60, 10)])
def test_that_up_to_fifty_entries_without_a_figure_are_reported_one_by_one(tmp_path: Path, odd: int, more: int) -> None:
    reading = read(tmp_path, [entry("a", "IOPS", 1), *(entry(f"b{number}", "%", 1) for number in range(odd))])
    assert reading.report.rejected_rows == odd
    assert codes(reading) == ["no-storage-figure"] * (odd - more + (more > 0)) + [ASSUMED]
    told = [problem.message for problem in reading.problems if "no storage metric" in problem.message]
    has = "further entry has" if more == 1 else "further entries have"
    assert told == ([f"{more} {has} no storage metric."] if more else [])


def test_that_percentiles_of_a_rate_are_not_latencies(tmp_path: Path) -> None:
    (row,) = read(tmp_path, jmh("sample", 2.0, "ops/ms")).benchmarks
    assert figures(row) == (2000.0, None, None, None, None, None)


@pytest.mark.parametrize(("threads", "stated"), [(0, None), (1, 1), (2**31 - 1, 2**31 - 1), (2**31, None), ("4", None)])
def test_that_threads_are_a_count_of_at_least_one(tmp_path: Path, threads: object, stated: int | None) -> None:
    (entry,) = jmh("avgt", 2.0, "us/op")
    (row,) = read(tmp_path, [entry | {"threads": threads}]).benchmarks
    assert row.threads == stated


@pytest.mark.parametrize(("names", "job"), [({"FullName": "a", "DisplayInfo": "b"}, "a"), ({"DisplayInfo": "b"}, "b")])
def test_that_a_benchmarkdotnet_entry_has_its_full_name_or_else_its_display_name(
    tmp_path: Path, names: dict[str, str], job: str
) -> None:
    host = {"BenchmarkDotNetVersion": "0.13"}
    content = {"HostEnvironmentInfo": host, "Benchmarks": [{**names, "Statistics": {"Mean": 2e6}}]}
    (row,) = read(tmp_path, content).benchmarks
    assert (row.job, row.latency_mean_ms) == (job, 2.0)
