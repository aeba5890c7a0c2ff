"""The project's vdi-benchmark JSON: its published schema, and the effect of a result outside it."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.readers.benchmark_files import asked, codes, figures, is_whole, read_with, refusal
from workbench.model.benchmark import Benchmark, Op
from workbench.model.reading import Reading
from workbench.model.resources import resource
from workbench.readers.vdi_benchmark import READER, json_schema

RESULT: dict[str, Any] = {
    "op": "read",
    "job": "4k randread",
    "iops": 1000,
    "mb_per_s": 4.096,
    "latency_mean_ms": 2.5,
    "latency_p50_ms": 2.0,
    "latency_p95_ms": 4.0,
    "latency_p99_ms": 6.0,
    "block_bytes": 4096,
    "queue_depth": 16,
    "threads": 4,
    "read_percent": 70,
    "pattern": "random",
}
FILE: dict[str, Any] = {
    "schema": "vdi-benchmark/1",
    "tool": "labtool",
    "tool_version": "1.2",
    "test": "cache sweep",
    "host": "esx01",
    "started": "2016-05-10T09:00:00+01:00",
    "results": [RESULT],
}


def read(folder: Path, content: Any) -> Reading:
    text = content if isinstance(content, str) else json.dumps(content)
    assert READER.identify(text.encode(), "x.json") == 1.0
    return read_with(READER, folder, text, "lab.json")


def test_that_every_field_of_a_row_can_be_written(tmp_path: Path) -> None:
    reading = read(tmp_path, FILE)
    (row,) = reading.benchmarks
    assert figures(row) == (1000.0, 4.096, 2.5, 2.0, 4.0, 6.0)
    assert asked(row) == (4096, 16, 4, 70.0, "random")
    assert (row.op, row.tool, row.tool_version, row.test, row.job) == (
        Op.READ,
        "labtool",
        "1.2",
        "cache sweep",
        "4k randread",
    )
    assert (row.host, row.started, row.error) == ("esx01", "2016-05-10T08:00:00Z", None)
    assert (reading.problems, reading.report.rows, reading.report.utc_offset_minutes) == ((), 1, 0)


def test_that_a_result_overrides_common_values_and_null_is_missing(tmp_path: Path) -> None:
    other = {
        "op": "total",
        "iops": 0,
        "host": "esx02",
        "tool": "other",
        "started": "2016-05-10T10:00:00Z",
        "latency_mean_ms": None,
    }
    row = read(tmp_path, FILE | {"results": [other]}).benchmarks[0]
    assert (row.host, row.tool, row.started) == ("esx02", "other", "2016-05-10T10:00:00Z")
    assert figures(row) == (0.0, None, None, None, None, None)


def test_that_a_failed_test_needs_no_figures(tmp_path: Path) -> None:
    row = read(tmp_path, FILE | {"results": [{"op": "write", "error": "disk full"}]}).benchmarks[0]
    assert (row.error, row.iops) == ("disk full", None)


@pytest.mark.parametrize(
    "wrong",
    [
        {"op": "reads"},
        {"op": None},
        {"iops": "1000"},
        {"iops": -1},
        {"mb_per_s": True},
        {"block_bytes": 0},
        {"block_bytes": 4096.5},
        {"read_percent": 101},
        {"pattern": "zigzag"},
        {"started": "2016-05-10T09:00:00"},
        {"started": "yesterday"},
        {"job": ""},
        {"queue_depth": -2},
    ],
)
def test_that_a_result_that_breaks_the_schema_affects_only_itself(tmp_path: Path, wrong: dict[str, Any]) -> None:
    reading = read(tmp_path, FILE | {"results": [RESULT, RESULT | wrong]})
    assert (len(reading.benchmarks), reading.report.rejected_rows) == (1, 1)
    assert codes(reading) == ["schema"]
    assert "results[1]" in reading.problems[0].message
    assert next(iter(wrong)) in reading.problems[0].message


@pytest.mark.parametrize(("value", "code"), [("1e999", "not-a-number"), ("NaN", "schema")])
def test_that_a_figure_that_is_not_finite_affects_only_its_result(tmp_path: Path, value: str, code: str) -> None:
    text = json.dumps(FILE | {"results": [RESULT, RESULT | {"iops": 77777}]}).replace("77777", value)
    reading = read(tmp_path, text)
    assert (len(reading.benchmarks), reading.report.rejected_rows) == (1, 1)
    assert codes(reading) == [code]


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (FILE | {"schema": "vdi-benchmark/2"}, "unknown-schema"),
        ({"x": {"schema": "vdi-benchmark/1"}}, "unknown-schema"),
        (FILE | {"tool": ""}, "schema"),
        ({key: value for key, value in FILE.items() if key != "tool"}, "schema"),
        (FILE | {"results": []}, "no-results"),
        (FILE | {"results": {"op": "read"}}, "no-results"),
        (FILE | {"results": [{"op": "x"}, 7]}, "schema"),
        (FILE | {"results": [{"op": "read"}]}, "schema"),
        (json.dumps(FILE)[:-30], "truncated"),
        (json.dumps(FILE).replace('"op"', '"op" "op"'), "not-json"),
        (json.dumps(FILE)[:-2] + "[" * 200_000, "not-json"),
        (json.dumps(FILE)[:-2] + "," + "[" * 200_000, "nested-too-deep"),
    ],
)
def test_that_a_file_that_cannot_be_used_is_rejected_with_a_sentence(tmp_path: Path, content: Any, code: str) -> None:
    assert refusal(read(tmp_path, content))[0] == code


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"iops": "many"}, "'iops' must be a number or null, not text"),
        ({"op": "seek"}, "'op' has the unknown value 'seek'"),
        ({"started": "yesterday"}, "'started' must be a time with its offset, such as 2026-03-01T09:00:00Z"),
        ({"histogram": [7]}, "'histogram[0]' must be a list, not a whole number"),
    ],
)
def test_that_a_wrong_value_is_described_in_words(tmp_path: Path, wrong: dict[str, Any], said: str) -> None:
    reading = read(tmp_path, FILE | {"results": [RESULT, RESULT | wrong]})
    assert reading.problems[0].message == f"results[1] does not match vdi-benchmark/1: {said}."


def test_that_unknown_and_repeated_keys_and_text_around_are_reported(tmp_path: Path) -> None:
    text = json.dumps(FILE | {"comment": "x", "results": [RESULT | {"iopps": 3}]})
    reading = read(tmp_path, "lab> show\n" + text.replace('"op": "read"', '"op": "write", "op": "read"') + "\nlab>")
    assert codes(reading) == ["repeated-key", "text-around", "unknown-key"]
    assert "'comment' and 'iopps'" in reading.problems[2].message
    assert reading.benchmarks[0].op is Op.READ


def test_that_the_published_schema_is_the_one_that_is_read() -> None:
    published = json.loads(resource("schemas", "vdi-benchmark.schema.json").read_text(encoding="utf-8"))
    assert published == json_schema()


def test_that_the_schema_names_every_field_of_a_row() -> None:
    properties = json_schema()["$defs"]["Result"]["properties"]
    ours = {
        "path",
        "line",
        "place",
        "run",
        "latency_kind",
        "percentile_kind",
        "curve",
        "load_percent",
        "part",
        "slices",
    }
    assert set(properties) == {field.name for field in fields(Benchmark)} - ours
    assert properties["op"]["enum"] == sorted(op.value for op in Op)


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*RESULT, *FILE]), inner),
    max_leaves=8,
)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(st.sampled_from(list(FILE)), ANY), st.dictionaries(st.sampled_from(list(RESULT)), ANY))
def test_that_any_values_are_read_without_an_error(tmp_path: Path, top: dict[str, Any], result: dict[str, Any]) -> None:
    for content in (FILE | top, FILE | {"results": [RESULT, RESULT | result]}):
        assert is_whole(read_with(READER, tmp_path, json.dumps(content), "lab.json"))


def test_that_the_documented_example_is_read_as_shown(tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "docs" / "formats" / "benchmarks.md").read_text(encoding="utf-8")
    example = text[text.index('{"schema": "vdi-benchmark/1"') :].split("```")[0]
    reading = read(tmp_path, example)
    assert [(row.op, row.iops) for row in reading.benchmarks] == [
        (Op.READ, 7000.0),
        (Op.WRITE, 3000.0),
        (Op.WRITE, None),
    ]
    assert reading.problems == ()


def test_that_a_histogram_is_kept_and_falling_edges_reject_its_row(tmp_path: Path) -> None:
    rows = [
        {"op": "read", "iops": 1.0, "histogram": [[0.5, 60.0], [1.0, 40.0]]},
        {"op": "write", "iops": 1.0, "histogram": [[1.0, 40.0], [0.5, 60.0]]},
    ]
    file = tmp_path / "x.json"
    file.write_text(json.dumps({"schema": "vdi-benchmark/1", "tool": "t", "results": rows}))
    found = READER.read(file, "x.json", tmp_path / "columns")
    assert [row.histogram for row in found.benchmarks] == [((0.5, 60.0), (1.0, 40.0))]
    assert "edges are not in ascending order" in found.problems[0].message
