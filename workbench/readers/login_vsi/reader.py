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

from collections.abc import Callable
from functools import partial
from pathlib import Path

from workbench.model.reading import Reading
from workbench.model.recording import FileReport
from workbench.model.session import Measurement, MeasurementKind, Session, VsiSummary
from workbench.readers.login.table import LoginTable, Shape, table_reader, without_rows
from workbench.readers.text.timestamps import RecordTime

LABEL = "login-vsi"
_SUMMARY = frozenset(("testname", "datatime", "baseline", "vsimax"))
_LOGONS = frozenset(("datetime", "user", "logontime"))
_STARTS = frozenset(("datetime", "activesessions", "label", "value"))
_TIMERS = frozenset(("time", "session", "activesessions", "timer", "valuems"))
_NUMBERS = frozenset(
    ("baseline", "vsimax", "uncorrected", "vsimaxdynamic", "launchedsessions", "activesessions", "logontime", "value")
) | {"valuems"}
_REACHED = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_SHOWN = 40


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
        "unit-assumed", "The unit of application start times is not documented.", "values treated as milliseconds"
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
            f"Line {line} contains '{text.strip()[:_SHOWN]}' for 'VSIMaxReached', which is neither true nor false.",
            "cell left empty; check it in the file",
            line,
            table.column("vsimaxreached"),
        )
    return known


_SHAPES = ((_SUMMARY, _summaries), (_LOGONS, _logons), (_TIMERS, _timers), (_STARTS, _starts))


def _shape(keys: frozenset[str]) -> Shape | None:
    """Returns how a table with these columns is read, or None if it is not one of these tables."""
    return next((partial(_known, read) for needed, read in _SHAPES if needed <= keys), None)


def _known(read: Callable[[LoginTable], Reading], table: LoginTable, _columns: Path) -> Reading:
    reading = read(table)
    return without_rows(table, reading) if table.rejected and not table.rows else reading


READER = table_reader(LABEL, _shape, _NUMBERS, multiline=False)
