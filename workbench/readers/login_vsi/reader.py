r"""Login VSI 3.x and 4.x: the tables written by its analyzer, its desktops and related scripts.

    analyzer summary   TestName,DataTime,BaseLine,VSIMax,Uncorrected,VSIMaxDynamic,LaunchedSessions,
                       ActiveSessions,VSIMaxReached   (`DataTime` spelt so; one line per test; baseline in ms)
    logon times        DateTime,User,LogonTime        (MM/dd/yyyy HH:mm:ss of the launch; seconds until active)
    application starts DateTime,ActiveSessions,Label,Value   (Results\AppStart; the unit is not documented
                       and assumed to be milliseconds, which the import report says)
    timer samples      time,session,active_sessions,timer,value_ms   (this project's format: docs/formats.md)

Sources: scripts in public use that write or read these files (the exporter of the logon times writes the file time of
LaunchedSessions as DateTime); no result file is public. For the files on the results share see `login_vsi.share`. Times
have no offset from UTC unless the file writes one.
"""

from __future__ import annotations

from pathlib import Path

from workbench.model.reading import Reader, Reading
from workbench.model.recording import FileReport
from workbench.model.session import Measurement, MeasurementKind, Session, VsiSummary
from workbench.readers.login.json import read_bytes
from workbench.readers.login.table import (
    LoginTable,
    RecordTime,
    TableRefusedError,
    header_keys,
    read_table,
    without_rows,
)

LABEL = "login-vsi"
_SUMMARY = frozenset(("testname", "datatime", "baseline", "vsimax"))
_LOGONS = frozenset(("datetime", "user", "logontime"))
_STARTS = frozenset(("datetime", "activesessions", "label", "value"))
_TIMERS = frozenset(("time", "session", "activesessions", "timer", "valuems"))
_NUMBERS = frozenset(
    ("baseline", "vsimax", "uncorrected", "vsimaxdynamic", "launchedsessions", "activesessions", "logontime", "value")
) | {"valuems"}
_SHAPES = (_SUMMARY, _LOGONS, _STARTS, _TIMERS)
_REACHED = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_SHOWN = 40


def identify(head: bytes, _name: str) -> float:
    """Returns 1.0 if the first line names the columns of one of the tables."""
    keys = header_keys(head)
    return 1.0 if any(shape <= keys for shape in _SHAPES) else 0.0


def read(path: Path, name: str, _columns: Path, date_order: str | None = None) -> Reading:
    """Returns summaries, sessions or measurements of one table. Unreadable lines are rejected with a problem."""
    data = read_bytes(path, name, LABEL)
    if isinstance(data, Reading):
        return data
    table = read_table(data, name, date_order=date_order)
    keys = frozenset(table.keys)
    try:
        table.decide_numbers(_NUMBERS & keys)
        if keys >= _SUMMARY:
            reading = _summaries(table)
        elif keys >= _LOGONS:
            reading = _logons(table)
        else:
            reading = _timers(table) if keys >= _TIMERS else _starts(table)
    except TableRefusedError:
        table.reject_all()
        return Reading(table.report(LABEL), table.problems.all())
    return reading if table.rows else without_rows(table, reading)


READER = Reader(LABEL, identify, read, read_dated=read)


def _summaries(table: LoginTable) -> Reading:
    times = table.moments("datatime", required=False)
    columns = {
        key: table.numbers(key, low=0.0)
        for key in ("baseline", "vsimax", "uncorrected", "vsimaxdynamic", "launchedsessions", "activesessions")
    }
    summaries = []
    for row in table.rows:
        line = row.line
        moment = times.get(line)
        summaries.append(
            VsiSummary(
                row.cells["testname"],
                moment.at if moment else None,
                columns["baseline"].get(line),
                columns["vsimax"].get(line),
                columns["uncorrected"].get(line),
                columns["vsimaxdynamic"].get(line),
                _count(columns["launchedsessions"].get(line)),
                _count(columns["activesessions"].get(line)),
                _reached(table, line, row.cells.get("vsimaxreached", "")),
                moment.has_offset if moment else True,
                line=line,
            )
        )
    table.tell_local(times)
    return Reading(_report(table, times), table.problems.all(), summaries=tuple(summaries))


def _logons(table: LoginTable) -> Reading:
    # A script's MM/dd/yyyy becomes MM.dd.yyyy under a German Windows: here points do not mean that the day comes first.
    times = table.moments("datetime", point_dates=False)
    lengths = table.numbers("logontime", low=0.0)
    sessions = []
    for row in table.rows:
        start, length = times[row.line], lengths.get(row.line)
        sessions.append(
            Session(
                user=row.cells["user"],
                logon_start=start.at,
                logon_s=length,
                logon_end=None if length is None else start.at + length,
                has_offset=start.has_offset,
                line=row.line,
                product="Login VSI",
            )
        )
    table.tell_local(times)
    return Reading(_report(table, times), table.problems.all(), sessions=tuple(sessions))


def _starts(table: LoginTable) -> Reading:
    values = table.numbers("value", required=True, low=0.0)
    times = table.moments("datetime")
    active = table.numbers("activesessions", low=0.0)
    table.problems.info(
        "unit-assumed", "No document states the unit of application start times.", "milliseconds assumed"
    )
    measurements = tuple(
        Measurement(
            times[row.line].at,
            MeasurementKind.APP_START,
            row.cells["label"],
            values[row.line],
            "ms",
            active_sessions=_count(active.get(row.line)),
            has_offset=times[row.line].has_offset,
            unit_assumed=True,
            line=row.line,
        )
        for row in table.rows
    )
    table.tell_local(times)
    return Reading(_report(table, times), table.problems.all(), measurements=measurements)


def _timers(table: LoginTable) -> Reading:
    values = table.numbers("valuems", required=True, low=0.0)
    times = table.moments("time")
    active = table.numbers("activesessions", low=0.0)
    measurements = tuple(
        Measurement(
            times[row.line].at,
            MeasurementKind.TIMER,
            row.cells["timer"],
            values[row.line],
            "ms",
            row.cells["session"],
            _count(active.get(row.line)),
            times[row.line].has_offset,
            line=row.line,
        )
        for row in table.rows
    )
    table.tell_local(times)
    return Reading(_report(table, times), table.problems.all(), measurements=measurements)


def _report(table: LoginTable, times: dict[int, RecordTime]) -> FileReport:
    return table.report(LABEL, [times[row.line] for row in table.rows if row.line in times])


def _count(value: float | None) -> int | None:
    return None if value is None else round(value)


def _reached(table: LoginTable, line: int, text: str) -> bool | None:
    known = _REACHED.get(text.strip().lower())
    if known is None and text.strip():
        table.problems.warn(
            "not-a-flag",
            f"Line {line} has '{text.strip()[:_SHOWN]}' for VSIMaxReached, which is neither true nor false.",
            "cell left empty",
            line,
            table.column("vsimaxreached"),
        )
    return known
