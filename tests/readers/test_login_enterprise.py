"""JSON of the Login Enterprise API: each object, pages, and attacks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.builders import T0, stored_frame
from tests.readers.login_enterprise_files import AT, MEASUREMENT, SESSION, TEST_RUN, page, read
from tests.readers.login_files import codes
from workbench.model.problem import Severity
from workbench.model.session import EuxSummary, Event, EventKind, Measurement, MeasurementKind, Session
from workbench.readers.login_enterprise import reader as login_enterprise
from workbench.readers.login_enterprise.reader import identify
from workbench.readers.registry import recognise

DATA = Path(__file__).parents[3] / "shared" / "data" / "login"


def test_that_a_test_run_shows_score_maximum_and_counts(tmp_path: Path) -> None:
    reading = read(tmp_path, TEST_RUN)
    assert reading.eux_summaries == (
        EuxSummary(
            test="r1",
            kind="loadTest",
            state="completed",
            created=T0 - 60,
            started=T0,
            finished=T0 + 3600,
            ramp_up_completed=T0 + 1800,
            score=7.1,
            steady_score=7.4,
            baseline=8.0,
            eux_version="2023",
            eux_state="completed",
            vsimax=85,
            vsimax_at=T0 + 1200,
            vsimax_version="1",
            vsimax_state="completed",
            logins_ok=89,
            logins=90,
            engines_ok=88,
            engines=90,
            apps_ok=7,
            apps=8,
            active_sessions=0,
            product_version="6.1",
            comment="first",
        ),
    )
    assert codes(reading) == ["contents"]


def test_that_a_figure_absent_from_a_test_run_is_missing_and_not_zero(tmp_path: Path) -> None:
    reading = read(tmp_path, TEST_RUN | {"euxScore": {"state": "inProgress", "score": None}, "vsiMax": None})
    (summary,) = reading.eux_summaries
    assert (summary.score, summary.vsimax, summary.vsimax_state) == (None, None, "")
    (summary,) = read(tmp_path, TEST_RUN | {"euxScore": {"state": "disabled", "score": 0}}).eux_summaries
    assert summary.score is None


def test_that_measurements_are_logins_timers_or_applications(tmp_path: Path) -> None:
    reading = read(
        tmp_path,
        page(
            MEASUREMENT,
            MEASUREMENT | {"measurementId": "open_doc", "applicationId": "w", "duration": 830},
            MEASUREMENT | {"measurementId": "euxscore", "duration": 7.5},
            MEASUREMENT | {"measurementId": "appspeed"},
        ),
    )
    assert reading.measurements == (
        Measurement(T0, MeasurementKind.LOGIN, "total_login_time", 21500, "ms", "s1", unit_assumed=True),
        Measurement(T0, MeasurementKind.APP, "open_doc", 830, "ms", "s1", group="w", unit_assumed=True),
        Measurement(T0, MeasurementKind.EUX, "euxscore", 7.5, "", "s1"),
        Measurement(T0, MeasurementKind.TIMER, "appspeed", 21500, "ms", "s1", unit_assumed=True),
    )
    assert codes(reading) == ["unit-assumed", "contents"]


def test_that_a_user_session_has_its_desktop_and_times(tmp_path: Path) -> None:
    reading = read(tmp_path, [SESSION])
    assert reading.sessions == (Session("a1", "W10-001", T0, T0 + 21, None, None, 21.0, "succeeded", True, "s1"),)
    assert (reading.report.hosts, reading.report.utc_offset_minutes) == (("W10-001",), 0)


def test_that_eux_results_of_every_shape_are_scores(tmp_path: Path) -> None:
    for results, kind in (
        ([{"timestamp": AT, "score": 7.5}], MeasurementKind.EUX),
        ([{"timestamp": AT, "score": 7.5, "count": 3}], MeasurementKind.EUX),
        ([{"timestamp": AT, "score": 7.5, "euxTimer": "cpuSpeed"}], MeasurementKind.EUX_TIMER),
    ):
        (one,) = read(tmp_path, results).measurements
        assert (one.kind, one.value, one.at) == (kind, 7.5, T0 + 0.123)


def test_that_scores_of_the_statistics_are_one_minute_apart_and_marked_so(tmp_path: Path) -> None:
    reading = read(
        tmp_path, {"euxScores": [7.0, None, 7.5], "baseTimestamp": "2016-05-10T08:00:00Z", "vsiMaxOffset": None}
    )
    assert [(one.at, one.value) for one in reading.measurements] == [(T0, 7.0), (T0 + 120, 7.5)]
    assert "times-assumed" in codes(reading)


def test_that_script_executions_contain_raw_timers(tmp_path: Path) -> None:
    taken = [
        {"timestamp": AT, "timer": "diskAppData", "duration": 1200},
        {"timestamp": "?", "timer": "x", "duration": 1},
    ]
    reading = read(
        tmp_path,
        page({"userSessionId": "s1", "startTime": AT, "endTime": AT, "successful": True, "euxMeasurements": taken}),
    )
    (one,) = reading.measurements
    assert (one.kind, one.label, one.value, one.session, one.group) == (
        MeasurementKind.TIMER,
        "diskAppData",
        1200,
        "s1",
        "EUX",
    )
    assert "item-rejected" in codes(reading)


def test_that_events_mark_the_run_and_its_end(tmp_path: Path) -> None:
    reading = read(
        tmp_path,
        page(
            {"id": "e", "eventType": "loginFailure", "timestamp": "2016-05-10T08:00:00Z", "title": "s1 failed"},
            {"id": "e", "eventType": "testRunFinished", "timestamp": "2016-05-10T09:00:00Z", "title": None},
        ),
    )
    assert reading.events == (
        Event(T0, EventKind.MARKER, detail="loginFailure: s1 failed"),
        Event(T0 + 3600, EventKind.RUN_END, detail="testRunFinished"),
    )


@pytest.mark.parametrize(("stamp", "told"), [("yesterday", True), (5, True), ("", False), (None, False)])
def test_that_an_invalid_time_is_reported(tmp_path: Path, stamp: object, told: bool) -> None:
    reading = read(tmp_path, SESSION | {"sessionEndTime": stamp})
    (session,) = reading.sessions
    assert (session.session_end, "bad-time" in codes(reading)) == (None, told)


def test_that_platform_metrics_become_a_recording(tmp_path: Path) -> None:
    def series(name: str, *values: float) -> dict[str, object]:
        points = [{"timestamp": f"2016-05-10T08:0{n}:00Z", "value": value} for n, value in enumerate(values)]
        return {
            "metricId": name,
            "environmentKey": "env",
            "displayName": name,
            "unit": "W",
            "instance": "host1",
            "group": "power",
            "componentType": "server",
            "dataPoints": points,
        }

    reading = read(tmp_path, [series("Power", 100, 110), series("Fan", 5)])
    recording = reading.recording
    assert recording is not None
    assert [(one.counter, one.instance, one.object, one.vm, one.metric) for one in recording.series] == [
        ("Power", "host1", "server", None, None),
        ("Fan", "host1", "server", None, None),
    ]
    assert "[W]" in recording.series[0].path
    frame = stored_frame(tmp_path / "columns.arrow")
    assert frame.to_dict(as_series=False) == {
        "t": [int(T0 * 1e6), int((T0 + 60) * 1e6)],
        "c0": [100, 110],
        "c1": [5, None],
    }
    assert (reading.report.rows, reading.report.columns, reading.report.cells) == (2, 2, 3)


def _cpu(minute_parts: str, *values: float, **keys: object) -> dict[str, object]:
    points = [{"timestamp": f"2016-05-10T08:0{n}:{minute_parts}Z", "value": value} for n, value in enumerate(values)]
    return {"metricId": "m1", "displayName": "CPU", "unit": "%", "instance": "_Total", "dataPoints": points} | keys


@pytest.mark.parametrize(
    ("first", "second", "names"),
    [
        ({}, {"metricId": "m2"}, ["CPU (m1)", "CPU (m2)"]),
        ({"metricId": 1}, {"metricId": 2}, ["CPU (1)", "CPU (2)"]),
        ({"host": "h1"}, {"host": "h2"}, ["CPU", "CPU"]),
        ({"group": "g", "environmentKey": "e1"}, {"group": "g", "environmentKey": "e2"}, ["CPU (e1)", "CPU (e2)"]),
        ({"host": "h", "group": "g1"}, {"host": "h", "group": "g2"}, ["CPU", "CPU"]),
        ({"customTags": {"disk": "C"}}, {"customTags": {"disk": "D"}}, ["CPU", "CPU"]),
        ({}, {"unit": "MHz"}, ["CPU (%)", "CPU (MHz)"]),
    ],
)
@pytest.mark.parametrize("second_of_minute", ["00", "30"])
def test_that_metrics_with_one_display_name_stay_separate_series(
    tmp_path: Path, first: dict[str, object], second: dict[str, object], names: list[str], second_of_minute: str
) -> None:
    reading = read(tmp_path, [_cpu("00", 1, 2, 3, **first), _cpu(second_of_minute, 50, 60, 70, **second)])
    assert reading.recording is not None
    assert [series.counter for series in reading.recording.series] == names
    assert len({series.path for series in reading.recording.series}) == 2
    assert len({(series.host, series.instance, series.counter) for series in reading.recording.series}) == 2
    columns = stored_frame(tmp_path / "columns.arrow")
    assert [columns[f"c{place}"].drop_nulls().to_list() for place in (0, 1)] == [[1, 2, 3], [50, 60, 70]]
    assert "duplicate-sample" not in codes(reading)


def test_that_the_id_of_a_metric_is_in_its_path_and_in_its_name_only_if_needed(tmp_path: Path) -> None:
    def alone(metric: str) -> tuple[str, str]:
        reading = read(tmp_path, [_cpu("00", 1, 2, metricId=metric)])
        assert reading.recording is not None
        (series,) = reading.recording.series
        return series.counter, series.path

    # Two files of a run: a path that is the same in both would make one counter of them.
    assert (alone("m1")[0], alone("m2")[0]) == ("CPU", "CPU")
    assert alone("m1")[1] != alone("m2")[1]
    assert alone("CPU")[1].endswith("CPU [%]")


def test_that_groups_and_tags_belong_to_the_instance_if_names_are_replaced(tmp_path: Path) -> None:
    reading = read(tmp_path, [_cpu("00", 1, host="h", group="Finance", customTags={"owner": "A. Smith", "disk": "C"})])
    assert reading.recording is not None
    (series,) = reading.recording.series
    assert (series.host, series.instance, series.counter) == ("h", "_Total, Finance, disk=C, owner=A. Smith", "CPU")


def test_that_a_metric_listed_in_two_parts_is_one_series(tmp_path: Path) -> None:
    reading = read(tmp_path, [_cpu("00", 1, 2), _cpu("30", 3, 4)])
    assert reading.recording is not None
    assert [(series.counter, reading.recording.rows) for series in reading.recording.series] == [("CPU", 4)]


def test_that_single_samples_of_two_metrics_of_one_display_name_stay_apart(tmp_path: Path) -> None:
    def sample(metric: str, value: float) -> dict[str, object]:
        return {"metricId": metric, "timestamp": AT, "displayName": "CPU", "unit": "%", "value": value}

    reading = read(tmp_path, page(sample("m1", 1), sample("m2", 50)))
    assert reading.recording is not None
    assert [series.counter for series in reading.recording.series] == ["CPU (m1)", "CPU (m2)"]
    assert "duplicate-sample" not in codes(reading)


@pytest.mark.parametrize(("stamp", "offset"), [("2016-05-10T08:00:00Z", 0), ("2016-05-10T08:00:00", None)])
def test_that_metrics_are_in_utc_only_if_their_times_state_it(tmp_path: Path, stamp: str, offset: int | None) -> None:
    metric = {"metricId": "m", "displayName": "Power", "unit": "W", "instance": "h", "group": "g"}
    points = {"environmentKey": "e", "componentType": "server", "dataPoints": [{"timestamp": stamp, "value": 1}]}
    reading = read(tmp_path, [metric | points])
    assert reading.recording is not None
    assert (reading.recording.utc_offset_minutes, reading.report.utc_offset_minutes) == (offset, offset)
    assert ("time-zone-unknown" in codes(reading)) is (offset is None)


def test_that_session_metrics_belong_to_their_session(tmp_path: Path) -> None:
    reading = read(
        tmp_path,
        page(
            {
                "timestamp": AT,
                "testRunId": "r",
                "userSessionKey": "s1",
                "measurement": 5.5,
                "displayName": "CPU",
                "unit": "%",
                "instance": "",
                "tag": None,
                "fieldName": "x",
            }
        ),
    )
    assert reading.recording is not None
    (series,) = reading.recording.series
    assert (series.host, series.counter, series.vm) == ("s1", "CPU", None)


def test_that_an_incomplete_page_is_reported(tmp_path: Path) -> None:
    reading = read(tmp_path, page(MEASUREMENT, MEASUREMENT, total=10, offset=4))
    (problem,) = [one for one in reading.problems if one.code == "incomplete-page"]
    assert problem.severity is Severity.WARNING
    assert "2 of 10" in problem.message
    assert "item 5" in problem.message
    assert "incomplete-page" not in codes(read(tmp_path, page(MEASUREMENT, MEASUREMENT)))


def test_that_an_empty_page_is_recognised(tmp_path: Path) -> None:
    reading = read(tmp_path, page())
    assert (reading.report.recognised, reading.report.rows, codes(reading)) == (True, 0, ["empty-list"])


def test_that_the_format_of_powershell_changes_no_figure(tmp_path: Path) -> None:
    clean = read(tmp_path, [SESSION]).sessions
    wrapped = json.dumps({"value": [SESSION | {"loginStartTime": "/Date(1462867200000)/"}], "Count": 1}, indent=4)
    assert read(tmp_path, wrapped.encode("utf-16")).sessions == clean
    assert read(tmp_path, b"\xef\xbb\xbf" + wrapped.replace("\n", "\r\n").encode()).sessions == clean


_COUNTER = {"counterCategory": "LogicalDisk", "counterName": "Disk Reads/sec", "counterInstance": "C:", "unit": "1/s"}
OUR_DESCRIPTIONS: dict[str, object] = {
    "ours_openapi.json": {"openapi": "3.0.1", "info": {"title": "Login Enterprise", "version": "7"}, "paths": {}},
    "ours_definitions.json": [{"type": "PerformanceCounter", "measurement": _COUNTER, "name": "reads", "tag": "disk"}],
}
REAL_DESCRIPTIONS = ["login_enterprise_openapi_v7.json", "SessionMetricDefinitions.json"]


@pytest.mark.parametrize("name", [*OUR_DESCRIPTIONS, *(REAL_DESCRIPTIONS if DATA.is_dir() else [])])
def test_that_descriptions_are_not_results_and_are_reported_as_such(tmp_path: Path, name: str) -> None:
    file = DATA / name
    if name in OUR_DESCRIPTIONS:
        file = tmp_path / name
        file.write_text(json.dumps(OUR_DESCRIPTIONS[name], indent=4), encoding="utf-8")
    reader = recognise(file.read_bytes()[:65_536], name)
    assert reader is login_enterprise.READER
    reading = reader.read(file, name, tmp_path / "columns")
    assert (reading.report.recognised, codes(reading)) == (False, ["not-a-result"])


@pytest.mark.parametrize(
    "schema",
    [
        "Measurement",
        "UserSession",
        "EuxResult",
        "EuxTimerResult",
        "EuxResultsPerHour",
        "EuxTimerResultsPerHour",
        "Event",
        "PlatformMetricSeries",
        "PlatformMetric",
        "UserSessionMetricResult",
        "UserSessionMetricsAggregatedResult",
        "EuxScriptExecution",
        "AppExecution",
        "LoadTestRun",
        "ContinuousTestRun",
        "ApplicationTestRun",
        "LoadTestRunStatistics",
    ],
)
def test_that_an_example_of_each_described_object_is_read(tmp_path: Path, schema: str) -> None:
    """The keys are those of the description of API version 7.0, which Login Enterprise serves below /publicApi/v7/docs.
    If that file is missing, a generated object with these keys is read."""
    if DATA.is_dir():
        schemas = json.loads((DATA / "login_enterprise_openapi_v7.json").read_text("utf-8"))["components"]["schemas"]
        example = _example(schemas, {"$ref": f"#/components/schemas/{schema}"})
    else:
        example = json.loads(Path(__file__).with_name("login_enterprise_objects.json").read_text("utf-8"))[schema]
    if schema.endswith("TestRun"):
        example["type"] = schema.removesuffix("Run")
    for content in (page(example), [example], example):
        reading = read(tmp_path, content)
        assert (reading.report.rows, reading.report.rejected_rows) == (1, 0)


def _example(schemas: dict[str, Any], schema: dict[str, Any]) -> Any:
    if "$ref" in schema:
        return _example(schemas, schemas[schema["$ref"].split("/")[-1]])
    if "enum" in schema:
        return schema["enum"][0]
    if "allOf" in schema:
        merged: dict[str, Any] = {}
        for part in schema["allOf"]:
            found = _example(schemas, part)
            if not isinstance(found, dict):
                return found
            merged |= found
        return merged
    if schema.get("type") == "array":
        return [_example(schemas, schema["items"])]
    if schema.get("type") == "object" or "properties" in schema:
        return {name: _example(schemas, part) for name, part in schema.get("properties", {}).items()}
    values = {"string": "2016-05-10T08:00:00Z" if schema.get("format") == "date-time" else "word", "boolean": True}
    return values.get(schema.get("type", ""), 1)


def test_that_local_times_among_others_are_empty_and_reported(tmp_path: Path) -> None:
    reading = read(tmp_path, [SESSION | {"loginStartTime": "2016-05-10T08:00:00"}])
    (session,) = reading.sessions
    assert (session.logon_start, session.logon_end, session.logon_s) == (None, T0 + 21, None)
    assert "mixed-offsets" in codes(reading)


def test_that_a_run_and_its_lists_in_one_document_are_read_as_their_objects(tmp_path: Path) -> None:
    bundle = {"complete": True, "run": TEST_RUN, "sessions": [SESSION], "measurements": [MEASUREMENT] * 2, "errors": []}
    text = json.dumps(bundle, indent=1)
    assert identify(text.encode(), "run.json") == 0.9
    reading = read(tmp_path, bundle)
    assert (reading.report.rows, reading.report.rejected_rows) == (4, 0)
    assert (len(reading.sessions), len(reading.measurements)) == (1, 2)
    assert identify(json.dumps({**bundle, "run": {}}).encode(), "run.json") == 0.0


@pytest.mark.parametrize("points", [None, {}, "1", 5])
def test_that_a_metric_without_a_list_of_points_is_rejected(tmp_path: Path, points: object) -> None:
    reading = read(tmp_path, [_cpu("00", 1, 2), _cpu("00", metricId="m2", dataPoints=points)])
    assert reading.recording is not None
    assert (reading.recording.rows, reading.report.rejected_rows) == (2, 1)
    (told,) = [problem for problem in reading.problems if problem.code == "item-rejected"]
    assert told.message.startswith("Item 2 ")
