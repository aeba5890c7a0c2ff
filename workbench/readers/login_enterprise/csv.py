"""Login Enterprise: the CSV sets that PowerShell scripts export from its API, a file per kind of record.

    Raw Login Times.csv      id,timestamp,result,sessionId       seconds (the script divides the API's by 1000)
    Raw Timer Results.csv    userSessionid,timestamp,timer,duration, older: id,offsetInSeconds,result,sessionId
    Raw AppMeasurements.csv  measurementId,timestamp,userSessionId,result,appexecutionId,applicationName
    Raw AppExecutions.csv    id,state,userSessionId,startOffSetInSeconds,endOffSetInSeconds,applicationName
    EUX-score.csv            TimeStamp,EUXScore          EUX-timer-score.csv   TimeStamp,EUXTimer,Score
    VM Perf Metrics.csv      timestamp,userSessionKey,displayName,measurement,fieldName,instance,hostName
    platform metrics         timestamp,value,metricId,environmentKey,displayName,unit,instance,componentType,group,…
    VSI-results.csv          type,state,…,EUX score,…,vsiMax,…,started,finished
    User Sessions.csv        sessionId,launchOffsetInSeconds,sessionStartOffsetInSeconds,sessionEndOffsetInSeconds,…

`offsetInSeconds`, used instead of `timestamp`, counts from the start of the test, which VSI-results.csv or the JSON of
the test run gives. The API's description states no unit for durations: milliseconds are assumed, and every report says
so. Scripts write a score of 0 if EUX was off: here it is read as *not measured*. Source: the exporting scripts in
public use, for platform metrics Get-LEPlatformMetrics.ps1 (github.com/LoginVSI/nutanix-platform-metrics); the meaning
of the fields from the API's description (v7).
"""

from __future__ import annotations

import json
from math import inf
from pathlib import Path

from workbench.model.reading import Reading
from workbench.model.session import EuxSummary, Measurement, MeasurementKind, Session
from workbench.readers.login.metrics import Sample, recording_of
from workbench.readers.login.table import LoginRow, LoginTable, Shape, key_of, table_reader
from workbench.readers.login_enterprise.records import EUX_MOST, sample_of
from workbench.readers.text.json import JsonObject
from workbench.readers.text.timestamps import RecordTime, on_one_clock

LABEL = "login-enterprise-csv"
LOGIN_STEPS = frozenset(("connection", "user_profile", "group_policies", "total_login_time"))
EUX_SCORE = "euxscore"
_OFFSET, _TIME = "offsetinseconds", "timestamp"
_COUNTS = (
    "loginsuccess",
    "logintotal",
    "loginenginesuccess",
    "loginenginetotal",
    "appssuccess",
    "appstotal",
    "activesessioncount",
    "vsimax",
    EUX_SCORE,
)
_SESSION = ("launchoffsetinseconds", "sessionstartoffsetinseconds", "sessionendoffsetinseconds")
_RUN = ("startoffsetinseconds", "endoffsetinseconds")
_NUMBERS = frozenset(
    (*_COUNTS, *_SESSION, *_RUN, _OFFSET, "result", "results", "duration", "score", "measurement", "value")
)
# Columns of a platform metric that name its series, spelt as in the API.
_PLATFORM = ("metricId", "environmentKey", "displayName", "unit", "instance", "componentType", "group")


def _steps(table: LoginTable, _columns: Path) -> Reading:
    """Reads login steps (seconds) and, in the older export, timers (milliseconds); their ids separate them."""
    value = "result" if "result" in table.keys else "results"
    values = table.numbers(value, required=True, low=0.0)
    times = _times(table)
    measurements = []
    for row in table.rows:
        label = row.cells["id"]
        login = label.lower() in LOGIN_STEPS
        kind = MeasurementKind.LOGIN if login else MeasurementKind.TIMER
        measurements.append(_measured(row, times, kind, label, values, "s" if login else "ms", row.cells["sessionid"]))
    _assume(table, measurements)
    return _reading(table, times, measurements)


def _timers(table: LoginTable, _columns: Path) -> Reading:
    values = table.numbers("duration", required=True, low=0.0)
    times = _times(table)
    measurements = [
        _measured(row, times, MeasurementKind.TIMER, row.cells["timer"], values, "ms", row.cells["usersessionid"])
        for row in table.rows
    ]
    _assume(table, measurements)
    return _reading(table, times, measurements)


def _app_measurements(table: LoginTable, _columns: Path) -> Reading:
    values = table.numbers("result", required=True, low=0.0)
    times = _times(table)
    measurements = []
    for row in table.rows:
        label, group = row.cells["measurementid"], row.cells.get("applicationname", "")
        kind = app_kind(label)
        measurements.append(_measured(row, times, kind, label, values, "ms", row.cells["usersessionid"], group))
    _assume(table, measurements)
    return _reading(table, times, measurements)


def _app_runs(table: LoginTable, _columns: Path) -> Reading:
    starts, ends = (table.numbers(key, required=True) for key in _RUN)
    measurements = [
        Measurement(
            starts[row.line],
            MeasurementKind.APP_RUN,
            row.cells["state"],
            ends[row.line] - starts[row.line],
            "s",
            row.cells["usersessionid"],
            group=row.cells.get("applicationname", ""),
            relative=True,
            line=row.line,
        )
        for row in table.rows
    ]
    return _reading(table, {}, measurements)


def _scores(table: LoginTable, _columns: Path) -> Reading:
    values = table.numbers("euxscore", required=True, low=0.0, high=EUX_MOST)
    times = _times(table)
    measurements = [
        _measured(row, times, MeasurementKind.EUX, "EUX score", values, "", assumed=False) for row in table.rows
    ]
    if len(measurements) == 1 and measurements[0].value == 0.0:
        table.keep([], [(table.rows[0], "eux-off", "contains only scores of 0: EUX was probably off")], "euxscore")
        measurements = []
    return _reading(table, times, measurements)


def _timer_scores(table: LoginTable, _columns: Path) -> Reading:
    values = table.numbers("score", required=True, low=0.0, high=EUX_MOST)
    times = _times(table)
    measurements = [
        _measured(row, times, MeasurementKind.EUX_TIMER, row.cells["euxtimer"], values, "", assumed=False)
        for row in table.rows
    ]
    return _reading(table, times, measurements)


def _metrics(table: LoginTable, columns: Path) -> Reading:
    values = table.numbers("measurement", required=True)
    times = table.moments(_TIME)
    samples = [
        Sample(
            times[row.line].at,
            row.cells.get("hostname") or row.cells["usersessionkey"],
            row.cells["displayname"],
            row.cells.get("instance", ""),
            row.cells.get("fieldname", ""),
            row.cells.get("unit", ""),
            values[row.line],
            (row.cells.get("metricid", ""),),
        )
        for row in table.rows
    ]
    named = all(row.cells.get("hostname") for row in table.rows)
    return _recorded(table, times, samples, columns, machine=named)


def _platform(table: LoginTable, columns: Path) -> Reading:
    """Reads metrics of hosts, clusters and VMs that an external source sent to the API: all are measured at the
    host."""
    values = table.numbers("value", required=True)
    times = table.moments(_TIME)
    samples = []
    for row in table.rows:
        item: JsonObject = {name: row.cells.get(key_of(name), "") for name in _PLATFORM}
        item["customTags"] = _tags(row.cells.get("customtags", ""))
        samples.append(sample_of(item, times[row.line].at, values[row.line]))
    return _recorded(table, times, samples, columns, machine=False)


def _tags(text: str) -> JsonObject:
    """Returns the custom tags, which the script writes as JSON. Any other text is one tag."""
    try:
        tags = json.loads(text) if text else {}
    except (ValueError, RecursionError):
        tags = text
    return tags if isinstance(tags, dict) else {"tags": text}


def _recorded(
    table: LoginTable, times: dict[int, RecordTime], samples: list[Sample], columns: Path, machine: bool
) -> Reading:
    table.tell_local(times)
    local = any(not moment.has_offset for moment in times.values())
    recording = recording_of(samples, columns, None if local else 0, table.problems, machine=machine)
    hosts = recording.hosts if recording else ()
    report = table.report(LABEL, [times[row.line] for row in table.rows], hosts)
    return Reading(report, table.problems.all(), recording)


def _results(table: LoginTable, _columns: Path) -> Reading:
    counts = {key: table.numbers(key, low=0.0, high=EUX_MOST if key == EUX_SCORE else inf) for key in _COUNTS}
    moments = {key: table.moments(key, required=False) for key in ("started", "finished")}
    summaries = []
    for row in table.rows:
        cells, line = row.cells, row.line
        off = cells.get("euxstate", "").lower() in ("disabled", "unavailable")
        whole = {key: _count(values.get(line)) for key, values in counts.items()}
        times, has_offset, mixed = on_one_clock({key: by_line.get(line) for key, by_line in moments.items()})
        if mixed:
            table.problems.warn(
                "mixed-offsets",
                f"Line {line} contains timestamps with and without a UTC offset.",
                "timestamps without an offset are left empty; check them in the file",
                line,
            )
        summaries.append(
            EuxSummary(
                kind=cells.get("type", ""),
                state=cells.get("state", ""),
                started=times.get("started"),
                finished=times.get("finished"),
                score=None if off else counts["euxscore"].get(line),
                eux_version="" if off else cells.get("euxversion", ""),
                eux_state=cells.get("euxstate", ""),
                vsimax=whole["vsimax"],
                vsimax_version=cells.get("vsimaxversion", ""),
                vsimax_state=cells.get("vsimaxstate", ""),
                logins_ok=whole["loginsuccess"],
                logins=whole["logintotal"],
                engines_ok=whole["loginenginesuccess"],
                engines=whole["loginenginetotal"],
                apps_ok=whole["appssuccess"],
                apps=whole["appstotal"],
                active_sessions=whole["activesessioncount"],
                product_version=cells.get("productversion", ""),
                comment=cells.get("comment", ""),
                has_offset=has_offset,
                line=line,
            )
        )
        if off and counts["euxscore"].get(line) is not None:
            table.problems.info("eux-off", f"Line {line}: EUX was off.", "EUX score ignored", line)
    table.tell_local(moments["started"])
    report = table.report(LABEL, [moment for by_line in moments.values() for moment in by_line.values()])
    return Reading(report, table.problems.all(), eux_summaries=tuple(summaries))


def _sessions(table: LoginTable, _columns: Path) -> Reading:
    launch, start, end = map(table.numbers, _SESSION)
    sessions = []
    for row in table.rows:
        line = row.line
        begun, logged_on = launch.get(line), start.get(line)
        length = None if begun is None or logged_on is None else logged_on - begun
        if length is not None and length < 0:
            table.problems.warn(
                "negative-duration",
                f"Line {line} contains a logon that ends before it starts.",
                "duration left empty; check it in the file",
                line,
            )
            length = None
        sessions.append(
            Session(
                vm=row.cells.get("host", ""),
                logon_start=begun,
                logon_end=logged_on,
                session_end=end.get(line),
                logon_s=length,
                state=row.cells.get("sessionstate", ""),
                id=row.cells["sessionid"],
                relative=True,
                line=line,
                product="Login Enterprise",
            )
        )
    report = table.report(LABEL, hosts=[session.vm for session in sessions])
    return Reading(report, table.problems.all(), sessions=tuple(sessions))


def app_kind(label: str) -> MeasurementKind:
    """Returns the kind of a measurement by an application's script: a start, or another timer."""
    return (
        MeasurementKind.APP_START if label.lower() in ("app_start_time", "appstart", "start") else MeasurementKind.APP
    )


def _times(table: LoginTable) -> dict[int, RecordTime] | dict[int, float]:
    """Returns the times by line: moments, or, in the older export, seconds since the start of the test."""
    if _TIME in table.keys:
        return table.moments(_TIME)
    return table.numbers(_OFFSET, required=True)


def _measured(
    row: LoginRow,
    times: dict[int, RecordTime] | dict[int, float],
    kind: MeasurementKind,
    label: str,
    values: dict[int, float],
    unit: str,
    session: str = "",
    group: str = "",
    assumed: bool = True,
) -> Measurement:
    time = times[row.line]
    if isinstance(time, RecordTime):
        return Measurement(
            time.at, kind, label, values[row.line], unit, session, None, time.has_offset, group, assumed, line=row.line
        )
    return Measurement(
        time, kind, label, values[row.line], unit, session, None, True, group, assumed, True, line=row.line
    )


def _reading(
    table: LoginTable, times: dict[int, RecordTime] | dict[int, float], measurements: list[Measurement]
) -> Reading:
    moments = {line: time for line, time in times.items() if isinstance(time, RecordTime)}
    table.tell_local(moments)
    report = table.report(LABEL, [moments[row.line] for row in table.rows if row.line in moments])
    return Reading(report, table.problems.all(), measurements=tuple(measurements))


def _assume(table: LoginTable, measurements: list[Measurement]) -> None:
    units = {measurement.unit: None for measurement in measurements if measurement.unit_assumed}
    if units:
        names = {"s": "seconds", "ms": "milliseconds"}
        table.problems.info(
            "unit-assumed",
            "The API description does not state the unit of durations.",
            f"values treated as {' and '.join(names[unit] for unit in units)}; compare one duration with the source",
        )


def _count(value: float | None) -> int | None:
    return None if value is None else round(value)


_SHAPES: tuple[tuple[tuple[frozenset[str], ...], Shape], ...] = (
    (
        (
            frozenset(("id", "sessionid", _TIME, "result")),
            frozenset(("id", "sessionid", _OFFSET, "result")),
            frozenset(("id", "sessionid", _TIME, "results")),
            frozenset(("id", "sessionid", _OFFSET, "results")),
        ),
        _steps,
    ),
    ((frozenset(("usersessionid", _TIME, "timer", "duration")),), _timers),
    (
        (
            frozenset(("measurementid", _TIME, "usersessionid", "result")),
            frozenset(("measurementid", _OFFSET, "usersessionid", "result")),
        ),
        _app_measurements,
    ),
    ((frozenset(("id", "state", "usersessionid", "startoffsetinseconds", "endoffsetinseconds")),), _app_runs),
    ((frozenset((_TIME, "euxtimer", "score")),), _timer_scores),
    ((frozenset((_TIME, "usersessionkey", "displayname", "measurement")),), _metrics),
    ((frozenset((_TIME, "value", "metricid", "displayname", "componenttype")),), _platform),
    ((frozenset(("type", "state", "euxscore", "vsimax")),), _results),
    ((frozenset((_TIME, "euxscore")),), _scores),
    ((frozenset(("sessionid", "sessionstartoffsetinseconds")),), _sessions),
)


def _shape(keys: frozenset[str]) -> Shape | None:
    """Returns how a table with these columns is read, or None if it is not an exported table."""
    return next((read for shapes, read in _SHAPES if any(shape <= keys for shape in shapes)), None)


READER = table_reader(LABEL, _shape, _NUMBERS)
