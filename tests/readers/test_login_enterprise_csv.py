"""The CSV sets that scripts export from Login Enterprise."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.builders import T0, run, stored_frame
from tests.readers.login_files import codes, read_as
from workbench.model.metric import Quantity, Vantage
from workbench.model.problem import Severity
from workbench.model.reading import Reading
from workbench.model.session import EuxSummary, Measurement, MeasurementKind, Session
from workbench.readers.login_enterprise import csv as login_enterprise_csv
from workbench.readers.login_enterprise import reader as api
from workbench.study.series.vm_series import vm_samples

AT = "2016-05-10T08:00:00.0000000Z"
STEPS = "id,timestamp,result,sessionId"
TIMERS = "userSessionid,timestamp,timer,duration"
APPS = "measurementId,timestamp,userSessionId,result,appexecutionId,applicationName"
RUNS = "id,state,userSessionId,startOffSetInSeconds,endOffSetInSeconds,applicationName"
METRICS = "timestamp,userSessionKey,displayName,measurement,fieldName,instance,hostName"
PLATFORM = "timestamp,value,metricId,environmentKey,displayName,unit,instance,componentType,group,customTags"
RESULTS = (
    "type,state,activesessionCount,productVersion,login success,login total,login engine success,"
    "login engine total,Apps success,Apps total,EUX score,EUX version,EUX state,vsiMax,vsiMax version,vsiMax state,"
    "Comment,started,finished"
)
SESSIONS = (
    "sessionId,launchOffsetInSeconds,sessionStartOffsetInSeconds,sessionEndOffsetInSeconds,sessionState,loginState,"
    "properties,host"
)
DISK = "LogicalDisk: Disk Transfers/sec: _Total"


def read(folder: Path, content: str | bytes) -> Reading:
    return read_as("login-enterprise-csv", folder, content)


def test_that_login_steps_are_in_seconds_and_marked_as_assumed(tmp_path: Path) -> None:
    reading = read(tmp_path, f"{STEPS}\ntotal_login_time,{AT},21.5,s1\nuser_profile,{AT},2,s1\n")
    assert reading.measurements == (
        Measurement(T0, MeasurementKind.LOGIN, "total_login_time", 21.5, "s", "s1", unit_assumed=True),
        Measurement(T0, MeasurementKind.LOGIN, "user_profile", 2, "s", "s1", unit_assumed=True),
    )
    assert codes(reading) == ["unit-assumed"]
    assert (reading.report.rows, reading.report.first, reading.report.utc_offset_minutes) == (
        2,
        "2016-05-10T08:00:00Z",
        0,
    )


def test_that_the_older_export_counts_from_the_start_and_mixes_timers(tmp_path: Path) -> None:
    text = '#TYPE System.Object\n"id","offsetInSeconds","result","sessionId"\n"appspeed","12.5","845","s1"\n'
    reading = read(tmp_path, text)
    assert reading.measurements == (
        Measurement(12.5, MeasurementKind.TIMER, "appspeed", 845, "ms", "s1", unit_assumed=True, relative=True),
    )


def test_that_timers_and_application_measurements_are_distinguished(tmp_path: Path) -> None:
    timer = read(tmp_path, f"{TIMERS}\ns1,{AT},diskMyDocs,1200\n").measurements[0]
    assert (timer.kind, timer.label, timer.value, timer.session) == (MeasurementKind.TIMER, "diskMyDocs", 1200, "s1")
    app = read(tmp_path, f'{APPS}\nopen_doc,{AT},s1,830,e1,"Word, 64 bit"\n').measurements[0]
    assert (app.kind, app.label, app.group, app.unit_assumed) == (MeasurementKind.APP, "open_doc", "Word, 64 bit", True)
    run = read(tmp_path, f"{RUNS}\ne1,ended,s1,10,42,Word\n").measurements[0]
    assert (run.kind, run.label, run.value, run.unit, run.relative) == (MeasurementKind.APP_RUN, "ended", 32, "s", True)


def test_that_eux_scores_are_read_per_test_and_per_timer(tmp_path: Path) -> None:
    reading = read(tmp_path, f"TimeStamp,EUXScore\n{AT},7.25\n{AT},7.5\n")
    assert [(one.kind, one.value, one.unit_assumed) for one in reading.measurements] == [
        (MeasurementKind.EUX, 7.25, False),
        (MeasurementKind.EUX, 7.5, False),
    ]
    reading = read(tmp_path, f"TimeStamp,EUXTimer,Score\n{AT},cpuSpeed,6\n")
    assert [(one.kind, one.label, one.value) for one in reading.measurements] == [
        (MeasurementKind.EUX_TIMER, "cpuSpeed", 6.0)
    ]


@pytest.mark.parametrize(("stamp", "offset"), [("2016-05-10T08:00:00Z", 0), ("2016-05-10T08:00:00", None)])
def test_that_a_test_run_without_an_offset_is_reported(tmp_path: Path, stamp: str, offset: int | None) -> None:
    row = f"loadTest,completed,7.1,6.1,90,90,90,90,800,810,0,2023,completed,85,1,completed,,{stamp},{stamp}"
    reading = read(tmp_path, f"{RESULTS}\n{row}\n")
    assert reading.eux_summaries[0].has_offset is (offset == 0)
    assert reading.report.utc_offset_minutes == offset
    assert ("time-zone-unknown" in codes(reading)) is (offset is None)


def test_that_the_score_0_of_a_test_without_eux_is_not_measured(tmp_path: Path) -> None:
    reading = read(tmp_path, f"TimeStamp,EUXScore\n{AT},0\n")
    assert (reading.measurements, reading.report.rows, reading.report.rejected_rows) == ((), 0, 1)
    assert codes(reading) == ["eux-off"]
    row = f"loadTest,completed,0,6.1,90,90,90,90,800,810,0,N/A,disabled,85,1,completed,,{AT},2016-05-10T09:00:00Z"
    reading = read(tmp_path, f"{RESULTS}\n{row}\n")
    assert reading.eux_summaries == (
        EuxSummary(
            kind="loadTest",
            state="completed",
            started=T0,
            finished=T0 + 3600,
            eux_state="disabled",
            vsimax=85,
            vsimax_version="1",
            vsimax_state="completed",
            logins_ok=90,
            logins=90,
            engines_ok=90,
            engines=90,
            apps_ok=800,
            apps=810,
            active_sessions=0,
            product_version="6.1",
        ),
    )
    assert codes(reading) == ["eux-off"]


def test_that_user_sessions_count_from_the_start_and_json_in_a_cell_is_read(tmp_path: Path) -> None:
    text = (
        f'{SESSIONS}\n"s1","10","31.5","600","completed","FALSE","[\n  {{ ""propertyId"": ""TargetHost"" }}\n]","W1"\n'
        '"s2","40","30","610","aborted","FALSE","","W2"\n"s3","50","","","running","FALSE","","W3"\n'
    )
    reading = read(tmp_path, text)
    assert reading.sessions == (
        Session("", "W1", 10, 31.5, None, 600, 21.5, "completed", id="s1", relative=True),
        Session("", "W2", 40, 30, None, 610, None, "aborted", id="s2", relative=True),
        Session("", "W3", 50, None, None, None, None, "running", id="s3", relative=True),
    )
    assert [(one.code, one.line) for one in reading.problems] == [("negative-duration", 5)]
    assert (reading.report.rows, reading.report.missing_cells, reading.report.hosts) == (3, 2, ("W1", "W2", "W3"))


def test_that_an_open_quote_skips_its_line_only(tmp_path: Path) -> None:
    good = "s{0},10,31,600,completed,FALSE,,W{0}\n"
    text = f"{SESSIONS}\n" + good.format(1) + '"s2,40,30,610,aborted,FALSE,,W2\n' + good.format(3)
    reading = read(tmp_path, text)
    assert [one.id for one in reading.sessions] == ["s1", "s3"]
    assert [(one.code, one.line) for one in reading.problems] == [("bad-quote", 3)]


def test_that_metrics_sampled_together_become_a_recording_with_their_meaning(tmp_path: Path) -> None:
    rows = "".join(
        f"2016-05-10T08:0{minute}:00Z,s{vm},{DISK},{10 * vm + minute},,,W{vm}\n" for minute in range(3) for vm in (1, 2)
    )
    reading = read(tmp_path, f"{METRICS}\n{rows}")
    recording = reading.recording
    assert recording is not None
    assert (recording.rows, recording.hosts, recording.utc_offset_minutes) == (3, ("W1", "W2"), 0)
    assert [(one.vm, one.object, one.instance, one.counter) for one in recording.series] == [
        (f"W{vm}", "LogicalDisk", "_Total", "Disk Transfers/sec") for vm in (1, 2)
    ]
    assert [one.metric.quantity for one in recording.series if one.metric] == [Quantity.IOPS] * 2
    frame = stored_frame(tmp_path / "columns.arrow")
    assert frame.to_dict(as_series=False) == {
        "t": [int((T0 + 60 * minute) * 1e6) for minute in range(3)],
        "c0": [10, 11, 12],
        "c1": [20, 21, 22],
    }


def test_that_metrics_with_separate_times_each_cover_the_time_since_their_last_sample(tmp_path: Path) -> None:
    rows = "".join(f"2016-05-10T08:0{minute}:0{vm}Z,s,{DISK},5,,,W{vm}\n" for minute in range(3) for vm in (1, 2))
    reading = read(tmp_path, f"{METRICS}\n{rows}")
    recording = reading.recording
    assert recording is not None
    assert [one.own_times for one in recording.series] == [True, True]
    frame = stored_frame(tmp_path / "columns.arrow")
    assert (frame.height, frame["c0"].to_list()) == (6, [5.0, None] * 3)
    found = vm_samples(run(recording.placed("metrics.csv", str(tmp_path / "columns.arrow"))), Quantity.IOPS)
    assert [found[vm].span.tolist() for vm in ("W1", "W2")] == [[60.0] * 3] * 2


def test_that_platform_metrics_are_measured_on_the_host(tmp_path: Path) -> None:
    rows = (
        ("nutanix.vm.cpu.usage", "VM CPU Usage", "percent", "W11-001", "vm", 41.5, ""),
        ("nutanix.vm.storage.latency.avg", "VM Disk Latency (Avg)", "ms", "W11-001", "VM", 1.25, ""),
        ("nutanix.host.storage.iops.total", "Host Storage IOPS (Total)", "iops", "AHV-1", "host", 812, '{"rack":"7"}'),
        ("lab.power", "Power", "W", "AHV-1", "host", 230, "plain"),
    )
    lines = [
        ",".join((f"2026-05-10T08:0{minute}:00.000Z", str(value + minute), metric, "env-1", name, unit, instance, kind))
        + ",lab,"
        + '"{}"'.format(tags.replace('"', '""'))
        for minute in range(2)
        for metric, name, unit, instance, kind, value, tags in rows
    ]
    reading = read(tmp_path, "\n".join([PLATFORM, *lines]) + "\n")
    recording = reading.recording
    assert recording is not None
    assert (reading.report.rows, reading.report.rejected_rows, codes(reading)) == (8, 0, [])
    assert [(one.vm, one.instance) for one in recording.series] == [
        ("W11-001", "lab"),
        ("W11-001", "lab"),
        (None, "AHV-1, rack=7"),
        (None, "AHV-1, tags=plain"),
    ]
    metrics = [one.metric for one in recording.series]
    assert [one and (one.quantity, one.vantage, one.scale) for one in metrics] == [
        (Quantity.CPU, Vantage.HOST, 1.0),
        (Quantity.LATENCY, Vantage.HOST, 0.001),
        (Quantity.IOPS, Vantage.HOST, 1.0),
        None,
    ]
    frame = stored_frame(tmp_path / "columns.arrow")
    assert frame.select(pl.exclude("t")).rows() == [(41.5, 1.25, 812.0, 230.0), (42.5, 2.25, 813.0, 231.0)]


def test_that_platform_series_of_the_api_equal_those_of_the_table(tmp_path: Path) -> None:
    facts = {
        "metricId": "nutanix.vm.cpu.usage",
        "environmentKey": "e",
        "displayName": "VM CPU Usage",
        "unit": "percent",
    }
    points = [{"timestamp": AT, "value": 41.5}]
    series = [facts | {"instance": "W11-001", "componentType": "vm", "group": "lab", "dataPoints": points}]
    (tmp_path / "series.json").write_text(json.dumps(series), encoding="utf-8")
    from_json = api.READER.read(tmp_path / "series.json", "series.json", tmp_path / "json.arrow").recording
    row = f"{AT},41.5,nutanix.vm.cpu.usage,e,VM CPU Usage,percent,W11-001,vm,lab,"
    from_csv = read(tmp_path, f"{PLATFORM}\n{row}\n").recording
    assert from_json is not None
    assert from_csv is not None
    assert from_json.series == from_csv.series


def test_that_metrics_with_one_name_are_distinguished_by_id(tmp_path: Path) -> None:
    rows = "".join(f"{AT},s1,{DISK},{value},,,W1,{metric}\n" for metric, value in (("m1", 1), ("m2", 50)))
    reading = read(tmp_path, f"{METRICS},metricId\n{rows}")
    assert reading.recording is not None
    assert [series.counter for series in reading.recording.series] == [
        "Disk Transfers/sec (m1)",
        "Disk Transfers/sec (m2)",
    ]
    assert codes(reading) == []


def test_that_two_samples_at_one_time_are_reported(tmp_path: Path) -> None:
    row = f"{AT},s1,{DISK},{{}},,,W1\n"
    reading = read(tmp_path, f"{METRICS}\n{row.format(1)}{row.format(2)}")
    assert codes(reading) == ["duplicate-sample"]
    assert stored_frame(tmp_path / "columns.arrow")["c0"].to_list() == [2.0]


def test_that_dates_of_powershell_are_read_by_the_whole_column(tmp_path: Path) -> None:
    reading = read(tmp_path, f"{STEPS}\nconnection,5/24/2016 8:00:00 AM,1.5,s1\nconnection,5/24/2016 8:00:09 PM,2,s2\n")
    start = T0 + 14 * 86_400
    assert [(one.at, one.has_offset) for one in reading.measurements] == [(start, False), (start + 43_209, False)]
    assert "time-zone-unknown" in codes(reading)
    reading = read(tmp_path, f"{STEPS}\nconnection,5/6/2016 8:00:00 AM,1.5,s1\n")
    assert [one.code for one in reading.problems if one.severity is Severity.REFUSED] == ["ambiguous-date"]
    assert (reading.report.rows, reading.report.rejected_rows) == (0, 1)


HEADERS = [
    STEPS,
    TIMERS,
    APPS,
    RUNS,
    METRICS,
    PLATFORM,
    RESULTS,
    SESSIONS,
    "TimeStamp,EUXScore",
    "TimeStamp,EUXTimer,Score",
]


@pytest.mark.parametrize("header", HEADERS)
@pytest.mark.parametrize(
    ("encoding", "delimiter", "line_end"),
    [("utf-8-sig", ",", "\r\n"), ("utf-16", ";", "\r\n"), ("cp1252", "\t", "\r"), ("utf-16-le", ",", "\n")],
)
def test_that_every_table_is_recognised_in_any_format(
    tmp_path: Path, header: str, encoding: str, delimiter: str, line_end: str
) -> None:
    reading = read(tmp_path, (header.replace(",", delimiter) + line_end).encode(encoding))
    assert (reading.report.rows, reading.report.rejected_rows, reading.report.delimiter) == (0, 0, delimiter)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from(HEADERS),
    st.lists(
        st.one_of(
            st.text(max_size=30),
            st.lists(
                st.sampled_from(
                    [AT, "05/24/2016 08:00:00", "1,5", "1e999", '"', "", "x", "-1", "0", "12.5", "disabled"]
                ),
                min_size=1,
                max_size=20,
            ).map(",".join),
        ),
        max_size=10,
    ),
)
def test_that_no_content_crashes_the_reader(tmp_path: Path, header: str, lines: list[str]) -> None:
    path = tmp_path / "file.csv"
    path.write_bytes("\n".join([header, *lines]).encode(errors="surrogatepass"))
    reading = login_enterprise_csv.READER.read(path, "file.csv", tmp_path / "columns")
    if reading.recording is None and header not in (METRICS, PLATFORM):
        kept = len(reading.sessions) + len(reading.measurements) + len(reading.eux_summaries)
        assert kept == reading.report.rows
    if reading.report.rejected_rows:
        assert any(problem.severity is not Severity.INFO for problem in reading.problems)


@pytest.mark.parametrize("score", ["10.5", "-0.5"])
@pytest.mark.parametrize("header", ["TimeStamp,EUXScore", "TimeStamp,EUXTimer,Score"])
def test_that_a_score_outside_its_scale_is_rejected(tmp_path: Path, header: str, score: str) -> None:
    timer = "t," if "Timer" in header else ""
    text = f"{header}\n2024-06-15T08:00:00Z,{timer}{score}\n2024-06-15T08:01:00Z,{timer}10\n"
    reading = read(tmp_path, text)
    assert [one.value for one in reading.measurements] == [10.0]
    assert [(problem.code, problem.line) for problem in reading.problems] == [("out-of-range", 2)]
