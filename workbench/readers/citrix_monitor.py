"""Citrix Monitor: the connections of its OData service as JSON, with the steps of each logon.

    {"@odata.context": "…/$metadata#Connections", "value": [{"Id": 1, "LogOnStartDate": "2024-05-10T09:00:00Z",
     "LogOnEndDate": "…", "BrokeringDuration": 812, "GpoStartDate": "…", "GpoEndDate": "…", "SessionKey": "…", …}]}

Responses of versions 3 and 4 of the service are read, with pages saved one by one or merged into one list
(`ConvertTo-Json`). Each connection that is not a reconnect is a logon from LogOnStartDate to LogOnEndDate; its steps
become measurements. With `$expand=Session($expand=User,Machine)` the session has its user and machine. Version 4 writes
times with an offset. The data model does not state the clock of times without an offset. Source: Citrix, "Citrix
Monitor Service API", data model of Connection, Session, User and Machine (github.com/citrix/monitoring-api,
docs/api-reference/Monitor.Model.md and docs/index.md). It states milliseconds for AuthenticationDuration but no unit
for BrokeringDuration: milliseconds are assumed. No saved response was available.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from workbench.model.reading import Reader, Reading
from workbench.model.recording import FileReport
from workbench.model.session import Measurement, MeasurementKind, Session
from workbench.readers.common.row_problems import Problems, acted, counting
from workbench.readers.login_enterprise.records import Records, part_of
from workbench.readers.text.documents import load_documents
from workbench.readers.text.encodings import decode_text
from workbench.readers.text.json import JsonObject, text_of
from workbench.readers.text.timestamps import RecordTime, iso_text

LABEL = "citrix-monitor"
_KEYS = ("LogOnStartDate", "LogOnEndDate", "BrokeringDuration", "SessionKey")
_CONTEXT = re.compile(r'"(?:@odata\.context|odata\.metadata)"\s*:\s*"[^"]{0,500}\$metadata#Connections')
_NEXT = ("@odata.nextLink", "odata.nextLink")
# Steps given as a pair of times.
_STEPS = {
    "VM start": ("VMStartStartDate", "VMStartEndDate"),
    "HDX connection": ("HdxStartDate", "HdxEndDate"),
    "GPOs": ("GpoStartDate", "GpoEndDate"),
    "Logon scripts": ("LogOnScriptsStartDate", "LogOnScriptsEndDate"),
    "Profile load": ("ProfileLoadStartDate", "ProfileLoadEndDate"),
    "Interactive session": ("InteractiveStartDate", "InteractiveEndDate"),
}
# Steps given as a duration, and True if the documentation states no unit.
_LENGTHS = {"Brokering": ("BrokeringDuration", True), "Authentication": ("AuthenticationDuration", False)}


def identify(head: bytes, _name: str) -> float:
    """Returns 1.0 if the service's mark for connections is present, 0.9 if the keys of a connection are."""
    text, _ = decode_text(head)
    if _CONTEXT.search(text):
        return 1.0
    return 0.9 if all(f'"{key}"' in text for key in _KEYS) else 0.0


def read(path: Path, name: str, _columns: Path) -> Reading:
    """Returns the logons of the file's connections with their steps. Unusable entries are rejected, each with a
    problem."""
    problems = Problems(name)
    documents = load_documents(path, name, LABEL, "save the response of the service again", problems)
    if isinstance(documents, Reading):
        return documents
    records = Records(problems)
    reconnects = 0
    for number, item in enumerate(_connections(documents.found, problems), 1):
        records.where = f"Connection {number}"
        if not isinstance(item, dict) or "LogOnStartDate" not in item:
            records.lack("has no key 'LogOnStartDate'")
        elif item.get("IsReconnect") is True:
            reconnects += 1
        else:
            _take(item, records)
    if reconnects:
        message = f"{counting(reconnects, 'connection', 'is a reconnect, not a logon', 'are reconnects, not logons')}."
        problems.info("reconnects", message, acted("connection ignored", reconnects))
    if any(measurement.unit_assumed for measurement in records.measurements):
        problems.info(
            "unit-assumed", "Citrix does not document the unit of BrokeringDuration.", "values treated as milliseconds"
        )
    return _reading(name, documents.encoding, records, reconnects)


def _connections(documents: tuple[Any, ...], problems: Problems) -> Iterator[Any]:
    for document in documents:
        if isinstance(document, list):
            yield from _connections(tuple(document), problems) if _is_page(document) else document
        elif isinstance(document, dict) and isinstance(document.get("value"), list):
            if any(document.get(key) for key in _NEXT):
                problems.warn(
                    "incomplete-page",
                    "The response is one page of several: it contains a link to the next page.",
                    "only these connections were imported; save the linked pages in the same folder",
                )
            yield from document["value"]
        else:
            yield document


def _is_page(items: list[Any]) -> bool:
    return all(isinstance(item, dict) and isinstance(item.get("value"), list) for item in items)


def _take(item: JsonObject, records: Records) -> None:
    before = len(records.moments)
    start, end = (_moment(item, key, records) for key in ("LogOnStartDate", "LogOnEndDate"))
    if start is None:
        records.lack("has no 'LogOnStartDate'")
        return
    session = part_of(item, "Session", records)
    user, machine = part_of(session, "User", records), part_of(session, "Machine", records)
    key = text_of(item, "SessionKey")
    ended = _moment(session, "EndDate", records)
    has_offset = all(moment.has_offset for moment in records.moments[before:])
    records.sessions.append(
        Session(
            user=text_of(user, "UserName"),
            vm=(text_of(machine, "Name").rpartition("\\")[2] or text_of(machine, "DnsName").partition(".")[0]),
            logon_start=start,
            logon_end=end,
            session_end=ended,
            logon_s=_length(start, end, "logon", records),
            has_offset=has_offset,
            id=key,
            product="Citrix Monitor",
        )
    )
    records.rows += 1
    steps: dict[str, tuple[float, float | None, bool]] = {}
    for label, (field, assumed) in _LENGTHS.items():
        steps[label] = (start, records.number(item, field, 0.0), assumed)
    for label, (first, last) in _STEPS.items():
        begun, done = _moment(item, first, records), _moment(item, last, records)
        seconds = _length(begun, done, label, records)
        steps[label] = (begun or start, None if seconds is None else 1000 * seconds, False)
    records.measurements += [
        Measurement(at, MeasurementKind.LOGIN, label, value, "ms", key, has_offset=has_offset, unit_assumed=assumed)
        for label, (at, value, assumed) in steps.items()
        if value is not None
    ]


def _moment(item: JsonObject, key: str, records: Records) -> float | None:
    """Returns seconds since 1970. A time without an offset is taken on the clock that wrote it."""
    moment = records.moment(item, key)
    return None if moment is None else moment.at


def _length(start: float | None, end: float | None, what: str, records: Records) -> float | None:
    if start is None or end is None:
        return None
    if end < start:
        message = f"{records.where}: '{what}' ends before it starts."
        records.problems.warn("negative-duration", message, "duration left empty; check it in the file")
        return None
    return end - start


def _reading(name: str, encoding: str, records: Records, reconnects: int) -> Reading:
    known = [session for session in records.sessions if session.logon_start is not None]
    local = any(not session.has_offset for session in known)
    if local:
        records.problems.warn(
            "time-zone-unknown",
            "Some timestamps have no UTC offset.",
            "the time zone of the other files is used for them; "
            'if the times are UTC, set time_zone = "+00:00" in run.toml',
        )
    times = sorted(session.logon_start for session in known if session.logon_start is not None)
    report = FileReport(
        path=name,
        reader=LABEL,
        recognised=True,
        rows=records.rows,
        hosts=tuple(sorted({session.vm for session in known if session.vm})),
        first=iso_text(RecordTime(times[0], not local)) if times else None,
        last=iso_text(RecordTime(times[-1], not local)) if times else None,
        utc_offset_minutes=0 if times and not local else None,
        encoding=encoding,
        rejected_rows=records.rejected + reconnects,
    )
    return Reading(
        report, records.problems.all(), sessions=tuple(records.sessions), measurements=tuple(records.measurements)
    )


READER = Reader(LABEL, identify, read)
