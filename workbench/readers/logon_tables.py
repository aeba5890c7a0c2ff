"""Logons that other products export as CSV: tables of Azure Virtual Desktop and of uberAgent.

    WVDConnections           TimeGenerated, CorrelationId, State, UserName, SessionHostName, PredecessorConnectionId, …
    WVDCheckpoints           TimeGenerated, CorrelationId, Name, Source, ActivityType, UserName, …
    WVDConnectionNetworkData TimeGenerated, CorrelationId, EstRoundTripTimeInMs, EstAvailableBandwidthKBps
    WVDHostRegistrations     TimeGenerated, CorrelationId, SessionHostName, SessionHostIPAddress
    uberAgent LogonDetail    SessionGUID, User, SessionLogonTime, TotalLogonTimeMs, ProfileLoadTimeMs, …, IOCountRead, …
    uberAgent LogoffDetail   SessionGUID, User, SessionLogoffTime, TotalLogoffTimeMs, ProfileUnloadTimeMs2, …

In Azure's tables TimeGenerated is UTC. A connection lasts from its state Started to Completed. Its logon is assumed to
last from Started to Connected, which no document states explicitly. A connection with a predecessor is an automatic
reconnect, not a logon. The checkpoints of a connection are the steps of its logon, each measured from the previous one;
no document lists their names. uberAgent's logon ends when the shell is fully initialised. Its columns that end in
`TimeMs` are steps; they neither add up to the total nor follow each other. Columns of I/O cover all processes during
the logon. Sources: github.com/MicrosoftDocs/azure-reference-other, azure-monitor-ref/tables/wvd*.md; docs.citrix.com,
uberAgent, Metrics, User Logon and User Logoff (only a part of the fields of LogonDetail was available).
"""

from __future__ import annotations

import re
from bisect import bisect
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from workbench.model.reading import Reading
from workbench.model.recording import FileReport
from workbench.model.session import Event, EventKind, Measurement, MeasurementKind, Session
from workbench.readers.common.counters import AVD_NETWORK
from workbench.readers.common.row_problems import acted, counting, numbered
from workbench.readers.login.metrics import Sample, recording_of
from workbench.readers.login.table import LoginRow, LoginTable, Shape, table_reader
from workbench.readers.text.timestamps import RecordTime

LABEL = "logon-table"
# This many lines decide if a table is in order of time.
_TELL_ORDER = 6
_HOUR_MS = 3_600_000.0
_TIMES = ("timegenerated", "timegeneratedutc", "timegeneratedlocaltime")
_CORRELATION, _HOST = "correlationid", "sessionhostname"
_NETWORK = {"estroundtriptimeinms": "EstRoundTripTimeInMs", "estavailablebandwidthkbps": "EstAvailableBandwidthKBps"}
# The states of a connection, and the meaning of each for its session.
_STATES = {"started": "logon_start", "connected": "logon_end", "completed": "session_end"}
_HOSTS = ("host", "hostname", "computername", "computer")
# The amounts that uberAgent counts for a logon or logoff, by column, with their unit.
_AMOUNTS = {
    "iocountread": ("Reads", ""),
    "iocountwrite": ("Writes", ""),
    "iombread": ("Read volume", "MB"),
    "iombwrite": ("Written volume", "MB"),
    "iolatencyreadms": ("Read latency", "ms"),
    "iolatencywritems": ("Write latency", "ms"),
    "processstartcount": ("Processes started", ""),
}
_STEP = re.compile(r"TimeMs\d?[\" ]{0,3}$", re.IGNORECASE)
_WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])")
# uberAgent writes a space before the offset: 2018-07-23 10:06:02.123 +0200.
_OFFSET = re.compile(r" (?=[+-]\d{2}:?\d{2}$)")


class _At(NamedTuple):
    """A row with its time."""

    row: LoginRow
    at: float


def _connections(table: LoginTable, _columns: Path) -> Reading:
    rows, moments = _timed(table, next(key for key in _TIMES if key in table.keys))
    _require(table, _CORRELATION)
    reconnected = {row.cells[_CORRELATION] for row in table.rows if row.cells.get("predecessorconnectionid")}
    sessions: dict[str, Session] = {}
    for row, at in _kept(rows, table):
        key, field = row.cells[_CORRELATION], _STATES.get(row.cells["state"].casefold())
        first = Session(id=key, has_offset=moments[row.line].has_offset, line=row.line, product="Azure Virtual Desktop")
        known = sessions.get(key, first)
        texts = {"user": row.cells.get("username", ""), "vm": _machine(row.cells.get(_HOST, ""))}
        facts: dict[str, object] = {name: text for name, text in texts.items() if text and not getattr(known, name)}
        if field is not None and getattr(known, field) is None:
            facts[field] = at
        sessions[key] = replace(known, **facts)  # type: ignore[arg-type]
    logons = [_with_length(session) for key, session in sessions.items() if key not in reconnected]
    if reconnected:
        number = len(reconnected)
        message = f"{counting(number, 'connection', 'is a reconnect, not a logon', 'are reconnects, not logons')}."
        table.problems.info("reconnects", message, acted("connection ignored", number))
    if any(session.logon_s is not None for session in logons):
        table.problems.info(
            "logon-assumed",
            "It is not documented which states start and end a logon.",
            "logons assumed to last from 'Started' to 'Connected'; for the logon steps, also import WVDCheckpoints",
        )
    hosts = [session.vm for session in logons]
    return Reading(_report(table, moments, hosts), table.problems.all(), sessions=tuple(logons))


def _checkpoints(table: LoginTable, _columns: Path) -> Reading:
    rows, moments = _timed(table, next(key for key in _TIMES if key in table.keys))
    _require(table, _CORRELATION)
    by_connection: dict[str, list[_At]] = defaultdict(list)
    over: set[str] = set()
    others, kept = 0, _kept(rows, table)
    for one in sorted(kept, key=itemgetter(1)):
        key = one.row.cells[_CORRELATION]
        # A feed or a management connection is not a logon. Rows after the end of a connection are not logons either.
        if "disconnect" in one.row.cells["name"].casefold():
            over.add(key)
        if one.row.cells["activitytype"].strip().casefold() != "connection" or key in over:
            others += 1
        else:
            by_connection[key].append(one)
    if others:
        message = f"{counting(others, 'checkpoint', 'is', 'are')} not part of a logon."
        table.problems.info("no-logon-step", message, acted("checkpoint ignored", others))
    pairs = [(key, *pair) for key, points in by_connection.items() for pair in pairwise(points)]
    whole = _without_lost_lines(kept, table.rejected_lines)
    steps = [
        _measured(one.row, before.at, one.row.cells["name"], 1000 * (one.at - before.at), "ms", key, moments)
        for key, before, one in pairs
        if whole(before.row.line, one.row.line)
    ]
    lost = len(pairs) - len(steps)
    known = [one for one in steps if one.has_offset or one.value < _HOUR_MS]
    if skipped := len(steps) - len(known):
        table.problems.warn(
            "unsure-step",
            f"{numbered(skipped, 'logon step')} lasted an hour or more, perhaps because summer time started.",
            acted("step rejected; export the table with times in UTC", skipped),
        )
    if lost:
        table.problems.warn(
            "unsure-step",
            f"{counting(lost, 'logon step', 'has', 'have')} a checkpoint that may be on a rejected line.",
            acted("step rejected; export the table again", lost),
        )
    return Reading(_report(table, moments), table.problems.all(), measurements=tuple(known))


def _without_lost_lines(rows: Sequence[_At], rejected: Sequence[int]) -> Callable[[int, int], bool]:
    """Returns a test of two lines: True if no rejected line can belong between them. If the lines are not in order of
    time, or are too few to tell, a rejected line may belong anywhere."""
    times = [one.at for one in sorted(rows, key=lambda one: one.row.line)]
    ordered = len(times) >= _TELL_ORDER and times in (sorted(times), sorted(times, reverse=True))
    lost = sorted(rejected)
    return lambda first, second: not lost or (ordered and bisect(lost, first) == bisect(lost, second))


def _network(table: LoginTable, columns: Path) -> Reading:
    table.decide_numbers(_NETWORK)
    rows, moments = _timed(table, next(key for key in _TIMES if key in table.keys))
    _require(table, _CORRELATION)
    values = {counter: table.numbers(key, low=0.0) for key, counter in _NETWORK.items()}
    named = all(row.cells.get(_HOST) for row in table.rows)
    samples = [
        Sample(at, _machine(row.cells[_HOST]) if named else key, counter, key, AVD_NETWORK, "", by_line[row.line])
        for row, at in _kept(rows, table)
        for counter, by_line in values.items()
        if row.line in by_line and (key := row.cells[_CORRELATION])
    ]
    local = any(not moment.has_offset for moment in moments.values())
    recording = recording_of(samples, columns, None if local else 0, table.problems, machine=named)
    if not named and samples:
        table.problems.info(
            "machine-of-session",
            "The table contains connections, but no machine names.",
            "machines taken from the table WVDConnections of the run, if available",
        )
    return Reading(
        _report(table, moments, recording.hosts if recording and named else ()), table.problems.all(), recording
    )


def _registrations(table: LoginTable, _columns: Path) -> Reading:
    rows, moments = _timed(table, next(key for key in _TIMES if key in table.keys))
    _require(table, _HOST)
    events = [
        Event(
            at, EventKind.REGISTERED, _machine(row.cells[_HOST]), has_offset=moments[row.line].has_offset, line=row.line
        )
        for row, at in _kept(rows, table)
    ]
    return Reading(_report(table, moments, [one.vm for one in events]), table.problems.all(), events=tuple(events))


def _logons(table: LoginTable, _columns: Path) -> Reading:
    amounts = _amounts(table, "totallogontimems")
    rows, moments = _timed(table, "sessionlogontime")
    sessions: list[Session] = []
    steps: list[Measurement] = []
    for row, at in _kept(rows, table):
        key, length = row.cells["sessionguid"], amounts["totallogontimems"][row.line] / 1000
        local = not moments[row.line].has_offset
        user, vm = row.cells.get("user", ""), _computer(row)
        session = Session(
            user, vm, at, at + length, logon_s=length, has_offset=not local, id=key, line=row.line, product="uberAgent"
        )
        sessions.append(session)
        steps += _steps(table, row, at, amounts, key, moments, MeasurementKind.LOGIN)
    report = _report(table, moments, [session.vm for session in sessions])
    return Reading(report, table.problems.all(), sessions=tuple(sessions), measurements=tuple(steps))


def _logoffs(table: LoginTable, _columns: Path) -> Reading:
    amounts = _amounts(table, "totallogofftimems")
    rows, moments = _timed(table, "sessionlogofftime")
    events: list[Event] = []
    steps: list[Measurement] = []
    for row, at in _kept(rows, table):
        offset = moments[row.line].has_offset
        events.append(Event(at, EventKind.LOGOFF, _computer(row), row.cells.get("user", ""), "", offset, line=row.line))
        steps += _steps(table, row, at, amounts, row.cells["sessionguid"], moments, MeasurementKind.LOGOFF)
    report = _report(table, moments, [event.vm for event in events])
    return Reading(report, table.problems.all(), events=tuple(events), measurements=tuple(steps))


def _amounts(table: LoginTable, total: str) -> dict[str, dict[int, float]]:
    """Returns the numbers of every step and amount by column and line. Rows without the total are rejected."""
    named = zip(table.keys, table.names, strict=True)
    keys = [key for key, name in named if key == total or key in _AMOUNTS or _STEP.search(name)]
    table.decide_numbers(keys)
    return {key: table.numbers(key, required=key == total, low=0.0) for key in dict.fromkeys(keys)}


def _steps(
    table: LoginTable,
    row: LoginRow,
    at: float,
    amounts: dict[str, dict[int, float]],
    session: str,
    moments: dict[int, RecordTime],
    kind: MeasurementKind,
) -> Iterable[Measurement]:
    names = dict(zip(reversed(table.keys), reversed(table.names), strict=True))
    for key, by_line in amounts.items():
        label, unit = _AMOUNTS.get(key) or (_WORDS.sub(" ", _STEP.sub("", names[key])).strip('" '), "ms")
        if row.line in by_line:
            yield replace(_measured(row, at, label, by_line[row.line], unit, session, moments), kind=kind)


def _measured(
    row: LoginRow, at: float, label: str, value: float, unit: str, session: str, moments: dict[int, RecordTime]
) -> Measurement:
    offset = moments[row.line].has_offset
    return Measurement(at, MeasurementKind.LOGIN, label, value, unit, session, has_offset=offset, line=row.line)


def _timed(table: LoginTable, key: str) -> tuple[list[_At], dict[int, RecordTime]]:
    """Returns the rows with their times, and the moments by line. Azure's times are UTC except in a column of local
    time."""
    table.rows = [
        replace(row, cells={**row.cells, key: _OFFSET.sub("", row.cells.get(key, "").strip())}) for row in table.rows
    ]
    moments = table.moments(key)
    if key in _TIMES[:2]:
        moments = {line: replace(moment, has_offset=True) for line, moment in moments.items()}
    table.tell_local({row.line: moments[row.line] for row in table.rows})
    return [_At(row, moments[row.line].at) for row in table.rows], moments


def _require(table: LoginTable, key: str) -> None:
    """Rejects rows with a blank cell in this column."""
    blank = [
        (row, "no-value", f"contains no value in column '{key}'") for row in table.rows if not row.cells[key].strip()
    ]
    lines = {row.line for row, _, _ in blank}
    table.keep([row for row in table.rows if row.line not in lines], blank, key)


def _kept(rows: list[_At], table: LoginTable) -> list[_At]:
    """Returns the rows that are still in the table."""
    lines = {row.line for row in table.rows}
    return [one for one in rows if one.row.line in lines]


def _with_length(session: Session) -> Session:
    start, end = session.logon_start, session.logon_end
    return session if start is None or end is None or end < start else replace(session, logon_s=end - start)


def _report(table: LoginTable, moments: dict[int, RecordTime], hosts: Iterable[str] = ()) -> FileReport:
    return table.report(LABEL, [moments[row.line] for row in table.rows if row.line in moments], list(hosts))


def _machine(name: str) -> str:
    """Returns the session host's name without the prefix of its host pool."""
    return name.strip().rpartition("/")[2]


def _computer(row: LoginRow) -> str:
    return next((text for key in _HOSTS if (text := row.cells.get(key, "").strip())), "")


# The columns that identify each table; Azure's tables also have a time column.
_AZURE: tuple[tuple[frozenset[str], Shape], ...] = (
    (frozenset((_CORRELATION, *_NETWORK)), _network),
    (frozenset((_CORRELATION, "state", "username", _HOST)), _connections),
    (frozenset((_CORRELATION, "name", "source", "activitytype")), _checkpoints),
    (frozenset((_CORRELATION, _HOST, "sessionhostipaddress")), _registrations),
)
_UBERAGENT: tuple[tuple[frozenset[str], Shape], ...] = (
    (frozenset(("sessionguid", "sessionlogontime", "totallogontimems")), _logons),
    (frozenset(("sessionguid", "sessionlogofftime", "totallogofftimems")), _logoffs),
)


def _shape(keys: frozenset[str]) -> Shape | None:
    """Returns how a table with these columns is read, or None if it is not one of these tables."""
    shapes = (*(_AZURE if keys & set(_TIMES) else ()), *_UBERAGENT)
    return next((take for needed, take in shapes if needed <= keys), None)


READER = table_reader(LABEL, _shape)
