"""events.csv: what happened to which machine, one line each, in a format any lab script can write.

    time,event,vm,user,detail
    2016-05-10T09:00:00+01:00,power_on,W10-001,,

`time` is ISO-8601 with an offset; `event` is one of power_on, registered, logon_start, logon_end,
apps_started, logoff, run_end, marker. `vm`, `user` and `detail` may be empty or absent.
Source of the format: this project (docs/formats.md).
"""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime
from pathlib import Path

from workbench.model.event import Event, EventKind
from workbench.model.problem import Problem, Severity
from workbench.model.reading import Reader, Reading
from workbench.model.recording import FileReport

_REQUIRED = ("time", "event")
_KNOWN = ("time", "event", "vm", "user", "detail")


def identify(head: bytes, _name: str) -> float:
    """1.0 when the first line names the columns `time` and `event`."""
    first = head.split(b"\n", 1)[0].decode("utf-8-sig", errors="replace").strip().lower()
    names = [cell.strip().strip('"') for cell in first.split(",")]
    return 1.0 if all(name in names for name in _REQUIRED) else 0.0


def read(path: Path, name: str, _columns: Path) -> Reading:
    """Every event of the file; a line that cannot be read is rejected with a Problem."""
    text, encoding = _decode(path.read_bytes())
    rows = csv.reader(io.StringIO(text, newline=""), strict=False)
    header = [cell.strip().lower() for cell in next(rows)]
    events: list[Event] = []
    problems: list[Problem] = [_unknown_column(name, cell) for cell in header if cell not in _KNOWN]
    rejected = 0
    for cells in _with_lines(rows):
        line, values = cells
        outcome = _event(header, values, name, line)
        if isinstance(outcome, Event):
            events.append(outcome)
        else:
            problems.append(outcome)
            rejected += 1
    if any(not event.has_offset for event in events):
        problems.append(_no_offset(name))
    return Reading(
        _report(name, events, encoding, len(header), rejected), tuple(problems), events=tuple(events)
    )


def _decode(data: bytes) -> tuple[str, str]:
    try:
        return data.decode("utf-8-sig"), "utf-8"
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace"), "cp1252"


def _with_lines(rows: object) -> list[tuple[int, list[str]]]:
    """Non-empty rows, each with the physical line it ends on."""
    reader = rows
    return [(reader.line_num, row) for row in reader if any(cell.strip() for cell in row)]  # type: ignore[attr-defined]


def _event(header: list[str], values: list[str], name: str, line: int) -> Event | Problem:
    if len(values) > len(header):
        return _rejected(name, line, None, f"has {len(values)} cells where the header has {len(header)}")
    row = dict(zip(header, (value.strip() for value in values), strict=False))
    try:
        kind = EventKind(row.get("event", "").lower())
    except ValueError:
        known = ", ".join(EventKind)
        return _rejected(name, line, header.index("event") + 1,
                         f"names the event '{row.get('event', '')}', which is none of {known}")  # fmt: skip
    try:
        moment = datetime.fromisoformat(row["time"])
    except ValueError:
        return _rejected(name, line, header.index("time") + 1,
                         f"has the time '{row['time']}', which is not ISO-8601")  # fmt: skip
    has_offset = moment.tzinfo is not None
    at = (moment if has_offset else moment.replace(tzinfo=UTC)).timestamp()
    return Event(at, kind, row.get("vm", ""), row.get("user", ""), row.get("detail", ""), has_offset)


def _rejected(name: str, line: int, column: int | None, what: str) -> Problem:
    return Problem(
        Severity.WARNING, name, "event-rejected", f"Line {line} {what}.", "line left out", line, column
    )


def _unknown_column(name: str, cell: str) -> Problem:
    return Problem(Severity.INFO, name, "unknown-column", f"The column '{cell}' is not one of events.csv.",
                   "column left out", 1)  # fmt: skip


def _no_offset(name: str) -> Problem:
    return Problem(
        Severity.WARNING, name, "time-zone-unknown", "Some times have no offset from UTC.",
        'the time zone of the run is used; state it as time_zone = "+01:00" in run.toml',
    )  # fmt: skip


def _report(name: str, events: list[Event], encoding: str, columns: int, rejected: int) -> FileReport:
    moments = sorted(event.at for event in events)
    ends = [_iso(moments[0]), _iso(moments[-1])] if moments else [None, None]
    vms = tuple(sorted({event.vm for event in events if event.vm}))
    return FileReport(
        path=name, reader="events", recognised=True, rows=len(events), columns=columns, hosts=vms,
        first=ends[0], last=ends[1], encoding=encoding, delimiter=",", rejected_rows=rejected,
    )  # fmt: skip


def _iso(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


READER = Reader("events", identify, read)
