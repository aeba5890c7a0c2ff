"""GO-EUC chart data: over time and by name, in real and in damaged files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.builders import stored_frame
from tests.readers import made_benchmarks
from tests.readers.login_files import codes, read_as
from workbench.model.problem import Severity
from workbench.model.reading import Reading
from workbench.model.session import Measurement, MeasurementKind
from workbench.readers import goeuc

DATA = Path(__file__).parents[3] / "shared" / "data" / "login"


def chart(*series: tuple[str, list[tuple[object, object]]], unit: str = "", **more: object) -> dict[str, object]:
    drawn = [{"serie": name, "data": [{"x": x, "y": y} for x, y in points]} for name, points in series]
    return {"title": "Host Reads/sec", "subTitle": "Lower is better", "series": drawn, "unit": unit} | more


def read(folder: Path, content: object) -> Reading:
    return read_as("go-euc", folder, content)


def columns(folder: Path) -> dict[str, list[Any]]:
    return stored_frame(folder / "columns.arrow").to_dict(as_series=False)


def test_that_a_chart_over_time_is_a_recording_without_a_clock(tmp_path: Path) -> None:
    reading = read(
        tmp_path, chart(("A", [("00:00:00", 1.5), ("01:00:30", 2)]), ("B", [("00:00:00", 3), ("00:00:30", 4)]))
    )
    recording = reading.recording
    assert recording is not None
    assert (recording.relative, recording.utc_offset_minutes, recording.rows) == (True, None, 3)
    assert columns(tmp_path) == {"t": [0, 30_000_000, 3_630_000_000], "c0": [1.5, None, 2], "c1": [3, 4, None]}
    assert [(one.instance, one.counter, one.vm, one.metric) for one in recording.series] == [
        ("A", "Host Reads/sec", None, None),
        ("B", "Host Reads/sec", None, None),
    ]
    report = reading.report
    assert (report.rows, report.columns, report.cells, report.missing_cells, report.first) == (3, 2, 6, 2, None)
    assert codes(reading) == ["date-unknown", "contents"]
    assert "01:00:30" in reading.problems[0].message


def test_that_a_comparison_gives_its_bars(tmp_path: Path) -> None:
    reading = read(
        tmp_path, chart(("A", [("Reads/sec", 100)]), ("B", [("Reads/sec", 73), ("Writes/sec", None)]), unit="%")
    )
    assert reading.measurements == (
        Measurement(None, MeasurementKind.CHART, "Reads/sec", 100, "%", group="A"),
        Measurement(None, MeasurementKind.CHART, "Reads/sec", 73, "%", group="B"),
    )
    assert (reading.report.rows, reading.report.cells, reading.report.missing_cells) == (2, 3, 1)


def test_that_invalid_values_are_missing_and_reported(tmp_path: Path) -> None:
    points: list[tuple[object, object]] = [
        ("00:00:00", "fast"),
        ("00:00:30", True),
        ("00:01:00", None),
        ("00:01:30", 0),
    ]
    reading = read(tmp_path, chart(("A", points)))
    assert columns(tmp_path)["c0"] == [None, None, None, 0]
    assert codes(reading).count("not-a-number") == 2
    assert reading.report.missing_cells == 3
    beyond = json.dumps(chart(("A", [("00:00:00", 5), ("00:00:30", 7)]))).replace("5}", "1e999}")
    reading = read(tmp_path, beyond)
    assert columns(tmp_path)["c0"] == [None, 7]
    assert "not-a-number" in codes(reading)


def test_that_points_without_a_valid_time_are_rejected(tmp_path: Path) -> None:
    points: list[tuple[object, object]] = [("00:00:00", 1), ("noon", 2), (None, 3), ("00:61:00", 4), ({}, 5)]
    reading = read(tmp_path, chart(("A", points)))
    assert (reading.report.rows, reading.report.rejected_rows) == (1, 4)
    assert codes(reading).count("point-rejected") == 4


def test_that_a_repeated_point_is_reported(tmp_path: Path) -> None:
    reading = read(tmp_path, chart(("A", [("00:00:00", 1), ("00:00:00", 2)])))
    assert columns(tmp_path)["c0"] == [2]
    assert "duplicate-sample" in codes(reading)


GOOD = json.dumps(chart(("A", [("00:00:00", 1.5)]), ("B", [("00:00:00", 3)])), indent=2)


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (GOOD[: GOOD.rindex("3")], "truncated"),
        (GOOD.replace("1.5", "1.5.5"), "not-json"),
        (GOOD.replace('"unit": ""', '"unit": ' + "[" * 200_000), "nested-too-deep"),
        (GOOD.replace("1.5", "9" * 5000), "not-json"),
        ('{"series": [{"serie": "A", "data": []}]}', "no-points"),
        ('{"series": [{"serie": "A", "data": 5}]}', "no-points"),
        ('[{"series": [{"serie": "A", "data": []}]}]', "no-series"),
    ],
)
def test_that_an_invalid_chart_is_rejected_by_name(tmp_path: Path, content: str, code: str) -> None:
    reading = read(tmp_path, content)
    assert [one.code for one in reading.problems if one.severity is Severity.REFUSED] == [code]
    assert reading.recording is None


def test_that_text_around_the_chart_is_reported(tmp_path: Path) -> None:
    assert "leading-text" in codes(read(tmp_path, "downloaded:\n" + GOOD))
    assert "several-documents" in codes(read(tmp_path, GOOD + GOOD))
    assert "repeated-key" in codes(read(tmp_path, GOOD.replace('"y": 1.5', '"y": 2, "y": 1.5')))
    clean = read(tmp_path, GOOD).recording
    assert read(tmp_path, b"\xef\xbb\xbf" + GOOD.encode()).recording == clean
    assert read(tmp_path, GOOD.encode("utf-16")).recording == clean


@pytest.mark.parametrize("head", [b"", b"{}", b'{"series": []}', b'{"series": [{"name": "A", "data": [1]}]}'])
def test_that_other_json_is_not_recognised(head: bytes) -> None:
    assert goeuc.identify(head, "host-reads.json") == 0.0


def public(*names: str) -> list[bytes]:
    """Public charts, if available."""
    return [(DATA / name).read_bytes() for name in names] if DATA.is_dir() else []


OVER_TIME = [made_benchmarks.chart_over_time(of) for of in ("Reads", "Writes")]
OVER_TIME += public("goeuc_091_host-reads.json", "goeuc_091_host-writes.json")
BARS = [made_benchmarks.chart_of_bars(2, 4), made_benchmarks.chart_of_bars(3, 3)]
BARS += public("goeuc_086_host-storage-compare.json", "goeuc_091_host-storage-compare.json")


@pytest.mark.parametrize("content", OVER_TIME, ids=lambda _: "chart")
def test_that_real_charts_over_time_agree_with_their_json(tmp_path: Path, content: bytes) -> None:
    expected = json.loads(content)
    reading = read(tmp_path, content)
    assert reading.recording is not None
    table = columns(tmp_path)
    seconds = [
        sum(int(part) * 60**power for power, part in enumerate(reversed(label.split(":"))))
        for label in expected["labels"]
    ]
    assert table["t"] == [one * 1_000_000 for one in seconds]
    assert len(reading.recording.series) == len(expected["series"]) == 3
    for column, serie in enumerate(expected["series"]):
        assert reading.recording.series[column].instance == serie["serie"]
        assert table[f"c{column}"] == [point["y"] for point in serie["data"]]
    assert (reading.report.rows, reading.report.cells, reading.report.missing_cells) == (113, 339, 0)


@pytest.mark.parametrize(("content", "bars"), [*zip(BARS, (8, 9, 8, 9), strict=False)], ids=lambda _: "chart")
def test_that_real_comparisons_agree_with_their_json(tmp_path: Path, content: bytes, bars: int) -> None:
    expected = [
        (serie["serie"], point["x"], point["y"], "%")
        for serie in json.loads(content)["series"]
        for point in serie["data"]
    ]
    reading = read(tmp_path, content)
    assert [(one.group, one.label, one.value, one.unit) for one in reading.measurements] == expected
    assert len(expected) == bars


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.recursive(
        st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.just("00:00:30")),
        lambda inner: st.one_of(
            st.lists(inner, max_size=3),
            st.dictionaries(st.sampled_from(["serie", "data", "x", "y"]), inner, max_size=4),
        ),
        max_leaves=12,
    )
)
def test_that_no_content_crashes_the_reader(tmp_path: Path, inner: object) -> None:
    path = tmp_path / "file.json"
    for content in ({"series": inner}, {"series": [inner, {"serie": "A", "data": inner}]}, inner):
        path.write_text(json.dumps(content))
        reading = goeuc.READER.read(path, "file.json", tmp_path / "columns")
        assert reading.problems


def test_that_a_chart_over_time_without_values_is_counted_as_missing(tmp_path: Path) -> None:
    report = read(tmp_path, chart(("A", [("00:00:00", None), ("00:00:30", None)]))).report
    assert (report.recognised, report.rows, report.columns, report.cells, report.missing_cells) == (True, 2, 1, 2, 2)


def test_that_a_chart_without_points_is_counted_with_the_points_it_lost(tmp_path: Path) -> None:
    reading = read(tmp_path, {"series": [{"serie": "A", "data": [{"y": 1}, 5]}, {"serie": "B", "data": 5}]})
    report = reading.report
    assert (report.recognised, report.rows, report.rejected_rows, report.encoding) == (True, 0, 3, "utf-8")


def test_that_names_among_time_points_are_counted_as_rejected(tmp_path: Path) -> None:
    reading = read(tmp_path, chart(("A", [("00:00:00", 1), ("end", 2), ("02:03:04", 3)])))
    assert columns(tmp_path) == {"t": [0, (2 * 3600 + 3 * 60 + 4) * 1_000_000], "c0": [1, 3]}
    assert (reading.report.rows, reading.report.rejected_rows) == (2, 1)


@pytest.mark.parametrize(
    ("text", "sure"),
    [
        (GOOD, 1.0),
        ('{"x": 1, "y": 2, "data": [], "serie": 3, "series": 4}', 0.8),
        ('{"x": 1, "data": [], "serie": 3}', 0),
    ],
)
def test_that_the_certainty_of_recognition_depends_on_the_order_of_keys(text: str, sure: float) -> None:
    assert goeuc.identify(text.encode(), "a.json") == sure


def test_that_numbers_written_as_text_are_numbers_and_empty_text_is_missing(tmp_path: Path) -> None:
    points: list[tuple[object, object]] = [
        ("00:00:00", "44.07"),
        ("00:00:30", " 1e2 "),
        ("00:01:00", ""),
        ("00:01:30", "-0.5"),
    ]
    reading = read(tmp_path, chart(("A", points)))
    assert columns(tmp_path)["c0"] == [44.07, 100.0, None, -0.5]
    assert (reading.report.cells, reading.report.missing_cells) == (4, 1)
    assert "not-a-number" not in codes(reading)


@pytest.mark.parametrize("text", ["1.2.3", "12 s", "1e999", "nan", "٤٤"])
def test_that_a_text_that_is_not_a_number_is_a_problem_with_its_place(tmp_path: Path, text: str) -> None:
    reading = read(tmp_path, chart(("A", [("00:00:00", 1), ("00:00:30", 2)]), ("B", [("00:00:00", 3), ("9", text)])))
    (problem,) = [problem for problem in reading.problems if problem.code == "not-a-number"]
    assert "series[1].data[1]" in problem.message
    assert text in problem.message


def test_that_a_bar_without_a_name_is_the_bar_of_the_title(tmp_path: Path) -> None:
    reading = read(tmp_path, chart(("Windows", [("", "6.004")]), ("Ubuntu", [("", "5.713")])))
    assert [(bar.group, bar.label, bar.value) for bar in reading.measurements] == [
        ("Windows", "Host Reads/sec", 6.004),
        ("Ubuntu", "Host Reads/sec", 5.713),
    ]
    assert codes(reading) == ["contents"]


LINES = {
    "title": "Host CPU",
    "data": [{"x": "LTSR", "y": [5.5, "6.5", 7]}, {"x": "CR", "y": [4.25, 3, 2, 1]}],
    "labels": ["00:00:00", "00:00:30", "00:01:00"],
    "subTitle": "Lower is better",
}


def test_that_a_chart_of_data_without_series_is_read_by_its_labels(tmp_path: Path) -> None:
    assert goeuc.identify(json.dumps(LINES).encode(), "a.json") == 0.9
    reading = read(tmp_path, LINES)
    assert columns(tmp_path) == {"t": [0, 30_000_000, 60_000_000], "c0": [5.5, 6.5, 7], "c1": [4.25, 3, 2]}
    assert reading.recording is not None
    assert [series.instance for series in reading.recording.series] == ["LTSR", "CR"]
    # The fourth value of the second line has no label.
    assert (reading.report.rows, reading.report.rejected_rows) == (3, 1)
    assert codes(reading).count("point-rejected") == 1


@pytest.mark.parametrize(
    ("texts", "values"),
    [
        (["44.07", "1,200", "3.5"], [44.07, 1200.0, 3.5]),
        (["44,07", "1.200", "3"], [44.07, 1200.0, 3.0]),
        (["44.07", "1.234", "5."], [44.07, 1.234, 5.0]),
    ],
)
def test_that_values_as_text_have_one_notation(tmp_path: Path, texts: list[str], values: list[float]) -> None:
    data = [{"x": f"00:00:{at:02}", "y": text} for at, text in enumerate(texts)]
    read(tmp_path, {"title": "t", "series": [{"serie": "A", "data": data}]})
    assert columns(tmp_path)["c0"] == values


def test_that_ambiguous_text_numbers_alone_cause_a_question(tmp_path: Path) -> None:
    data = [{"x": "00:00:01", "y": "1,200"}, {"x": "00:00:02", "y": "7"}]
    assert codes(read(tmp_path, {"title": "t", "series": [{"serie": "A", "data": data}]})) == ["ambiguous-number"]
