"""events.csv: the events of each machine, one per line, in a format that any lab script can write.

    time,event,vm,user,detail
    2016-05-10T09:00:00+01:00,power_on,W10-001,,

`time` is ISO-8601 with an offset. `event` is one of power_on, registered, logon_start, logon_end, apps_started, logoff,
run_end, marker. `vm`, `user` and `detail` may be empty; a row may end after time and event. Semicolons and tabs are
accepted as separators, and UTF-16 as encoding, because Excel and PowerShell write them. Source of the format: this
project (docs/formats/events-csv.md).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from workbench.model.problem import Problem, Severity
from workbench.model.reading import Reader, Reading
from workbench.model.recording import FileReport
from workbench.model.session import Event, EventKind
from workbench.readers.common.row_problems import Problems
from workbench.readers.text.documents import refused
from workbench.readers.text.rows import is_padded, row_fault, split_row

_REQUIRED = ("time", "event")
_KNOWN = ("time", "event", "vm", "user", "detail")
_DELIMITERS = (",", ";", "\t")
_LINE = re.compile(r"([^\r\n]*)(?:\r\n|\r|\n)?")
# A million events: ten for each of 100,000 sessions.
_MAX_BYTES = 64 * 2**20
_OPEN_END = "The last line has no line break: the file may be cut off, and lines may be missing."
_DATE_LENGTH = len("2016-05-10")
# A clock outside these years was never set; some systems cannot display such times.
_YEARS = range(1980, 2200)


def identify(head: bytes, _name: str) -> float:
    """Returns 1.0 if the first line names the columns `time` and `event`."""
    text, _ = _decode(head)
    return 1.0 if _layout(next(_lines(text), (0, ""))[1]) is not None else 0.0


def read(path: Path, name: str, _columns: Path) -> Reading:
    """Returns every event of the file. An unreadable line is rejected with a Problem."""
    if path.stat().st_size > _MAX_BYTES:
        message = f"The file is larger than {_MAX_BYTES >> 20} MB, the maximum size of an event list."
        return refused("events", name, "too-large", message, "split the file by run")
    text, encoding = _decode(path.read_bytes())
    lines = _lines(text)
    layout = _layout(next(lines, (0, ""))[1])
    if layout is None:
        problem = Problem(
            Severity.REFUSED,
            name,
            "no-header",
            "The first line does not contain the columns 'time' and 'event'.",
            "file not imported; add these columns",
            1,
        )
        return Reading(FileReport(path=name, encoding=encoding), (problem,))
    delimiter, header = layout
    events: list[Event] = []
    problems = Problems(name)
    for cell in header:
        if cell not in _KNOWN:
            problems.info("unknown-column", _unknown_column(cell), "column ignored", 1)
    rejected = 0
    split = [(line, split_row(content, delimiter)) for line, content in lines]
    written = max((len(cells) for _, cells in split if cells and len(cells) <= len(header)), default=0)
    # Only a cell that parses as a time or an event has a certain column; a machine name could also be a user name.
    if 0 < written < len(header) and not set(header[:written]) <= set(_REQUIRED):
        message = f"The header has {len(header)} columns, but no row has more than {written} cells."
        advice = "write a delimiter for each column in every row"
        return refused("events", name, "row-width", message, advice, split[0][0], encoding, len(split))
    padded = is_padded((cells for _, cells in split), len(header))
    for line, cells in split:
        outcome = _event(header, cells, line, written, padded)
        if isinstance(outcome, Event):
            events.append(outcome)
        else:
            column, why = outcome
            problems.warn("event-rejected", f"Line {line} {why}.", "line rejected; check it in the file", line, column)
            rejected += 1
    if not events and not rejected:
        problems.info("empty-list", "The file has a header but no events.", "nothing imported")
    if events and not text.endswith(("\n", "\r")):
        problems.info("no-line-end", _OPEN_END, "file imported; compare its end with the source", events[-1].line)
    if any(not event.has_offset for event in events):
        problems.warn(
            "time-zone-unknown",
            "Some timestamps have no UTC offset.",
            'the time zone of the other files is used for them; to change it, set time_zone = "+01:00" in run.toml',
        )
    report = _report(name, events, encoding, delimiter, len(header), rejected)
    return Reading(report, problems.all(), events=tuple(events))


def _decode(data: bytes) -> tuple[str, str]:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace"), "utf-16"
    try:
        return data.decode("utf-8-sig"), "utf-8"
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace"), "cp1252"


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Returns the lines that are not blank, counted from 1. Each line is a row, so a stray quote damages only its own
    line."""
    for number, match in enumerate(_LINE.finditer(text), start=1):
        if match[1].strip(" \t,;\ufeff"):
            yield number, match[1]


def _layout(line: str) -> tuple[str, list[str]] | None:
    """Returns the delimiter and the column names, or None if the line is not a header of this format."""
    for delimiter in _DELIMITERS:
        header = [cell.lower() for cell in split_row(line.lstrip("\ufeff"), delimiter) or ()]
        if all(name in header for name in _REQUIRED):
            while not header[-1]:
                header.pop()
            return delimiter, header
    return None


def _event(
    header: list[str], values: list[str] | None, line: int, written: int, padded: bool
) -> Event | tuple[int | None, str]:
    """Returns the event of a line, or the reason for its rejection and the column of the fault (from 1; None: no single
    column). `written` is the number of header cells that the rows have."""
    fault = row_fault(values, written if values and len(values) < written else len(header), padded)
    if values is None or (fault is not None and not len(values) == written < len(header)):
        return None, fault.why if fault else ""
    row = dict(zip(header, values, strict=False))
    try:
        kind = EventKind(row.get("event", "").lower())
    except ValueError:
        known = ", ".join(EventKind)
        return header.index(
            "event"
        ) + 1, f"contains the unknown event '{row.get('event', '')[:80]}'; known events: {known}"
    moment = _moment(row.get("time", ""))
    if moment is None:
        time = row.get("time", "")[:80]
        return header.index("time") + 1, f"contains the time '{time}', which is not an ISO 8601 date and time"
    has_offset = moment.tzinfo is not None
    at = (moment if has_offset else moment.replace(tzinfo=UTC)).timestamp()
    return Event(at, kind, row.get("vm", ""), row.get("user", ""), row.get("detail", ""), has_offset, line=line)


def _moment(text: str) -> datetime | None:
    """Returns a date with a time of day, in a year that a lab's clock may show."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if len(text) > _DATE_LENGTH and moment.year in _YEARS else None


def _unknown_column(cell: str) -> str:
    return f"The column '{cell[:80]}' is not defined for events.csv." if cell else "A column has no name."


def _report(name: str, events: list[Event], encoding: str, delimiter: str, columns: int, rejected: int) -> FileReport:
    ordered = sorted(events, key=lambda event: event.at)
    vms = tuple(sorted({event.vm for event in events if event.vm}))
    return FileReport(
        path=name,
        reader="events",
        recognised=True,
        rows=len(events),
        columns=columns,
        hosts=vms,
        first=_iso(ordered[0]) if ordered else None,
        last=_iso(ordered[-1]) if ordered else None,
        encoding=encoding,
        delimiter=delimiter,
        rejected_rows=rejected,
    )


def _iso(event: Event) -> str:
    """Returns the time in UTC with `Z`, or the local time as written, without it."""
    text = datetime.fromtimestamp(event.at, UTC).isoformat(timespec="seconds").removesuffix("+00:00")
    return f"{text}Z" if event.has_offset else text


READER = Reader("events", identify, read)
