"""dstat --output: the samples of a Linux storage host, one row each; also its successors pcp-dstat and dool.

    "Dstat 0.7.2 CSV output"
    "Author:","Dag Wieers <dag@wieers.com>",,,,"URL:","http://dag.wieers.com/home-made/dstat/"
    "Host:","nas01",,,,"User:","root"
    "Cmdline:","dstat -T -d -r --output out.csv",,,,"Date:","20 May 2024 16:55:00 UTC"

    "epoch","dsk/total",,"io/total",
    "epoch","read","writ","read","writ"
    1716224101.120,22395.765,51954.426,1.250,3.500

A name in the upper header applies until the next one; pcp-dstat repeats it before a colon (`dsk/total:read`). `dsk` is
bytes per second, `io` requests per second. `epoch` is seconds since 1970 UTC. `time` is day, month and clock time; its
year comes from the date in the header. The first row is an average since system start and is left out. A file written
by several runs has several headers. If `total` is present, no metric uses the single disks, because `total` contains
them. A copy that a spreadsheet saved may have semicolons, decimal commas, and no quotes or quotes around every cell.
Source: dstat 0.7 (`dstat.py`: `csvheader`, `d_disk`, `d_io`), pcp-dstat and its pages; files shown on public pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import numpy as np

from workbench.model.reading import Reader, Reading
from workbench.model.recording import Series
from workbench.readers.common.clock import without_steps
from workbench.readers.common.counters import metric_of
from workbench.readers.common.flat_columns import write_table
from workbench.readers.common.recorded import recorded
from workbench.readers.common.row_problems import Problems
from workbench.readers.text.documents import head_text, load, refused
from workbench.readers.text.numbers import ADVICE, COMMA, Evidence, Notation, Seen

LABEL = "dstat"
_MARK = re.compile(r'^"?(Dstat|pcp-dstat|dool) [\w.-]{1,40} CSV output"?', re.IGNORECASE | re.MULTILINE)
_DATE = re.compile(r'Date:"?[,;]"?(\d{1,2}) ([A-Za-z]{3}) (\d{4}) \d{1,2}:\d{2}:\d{2} ?(\w{0,10})(?=["\s,;]|$)')
_DELIMITER = re.compile(r'^"?(?:Host|Author):"?([,;])', re.MULTILINE)
_TIME = re.compile(r"(\d{2})-(\d{2}) (\d{2}):(\d{2}):(\d{2})")
_EPOCH = re.compile(r"\d{1,10}(?:[.,]\d{1,9})?", re.ASCII)
_QUOTED = re.compile(r'"[^"]*"')
_CLOCKS = (("epoch", "epoch"), ("system", "time"))
_MONTHS = "janfebmaraprmayjunjulaugsepoctnovdec"
_HEAD = ("Author:", "Host:", "Cmdline:")
_TOTAL = "total"

Column = tuple[str, str]


@dataclass(frozen=True, slots=True)
class _Row:
    line: int
    cells: dict[Column, str]
    day: datetime | None


class _Read(NamedTuple):
    rows: list[_Row]
    rejected: int
    host: str
    in_utc: bool
    delimiter: str


def identify(head: bytes, _name: str) -> float:
    """Returns 1.0 for a text whose first lines name dstat's CSV output."""
    return 1.0 if _MARK.search(head_text(head[:400])) else 0.0


def read(path: Path, name: str, columns: Path) -> Reading:
    """Returns every row with a time, except the first row of each run."""
    loaded = load(path, name, LABEL)
    if isinstance(loaded, Reading):
        return loaded
    problems = Problems(name)
    found = _rows(loaded.text, problems)
    clock = next((one for one in _CLOCKS if any(one in row.cells for row in found.rows)), None)
    if clock is None:
        rejected = found.rejected + len(found.rows)
        message = (
            "No row has a timestamp: dstat was called without its option -t or -T."
            if found.rows
            else "No row of the file could be read."
        )
        advice = "record with 'dstat -T -d -r --output FILE'"
        return refused(LABEL, name, "no-rows", message, advice, encoding=loaded.encoding, rejected=rejected)
    evidence = Evidence(found.delimiter, found.delimiter == COMMA)
    for row in found.rows:
        for place, cell in enumerate(row.cells.values(), 1):
            evidence.add(cell.strip(), row.line, place)
    notation = evidence.decided()
    if isinstance(notation, Seen):
        question, rejected = notation.question, found.rejected + len(found.rows)
        return refused(LABEL, name, "ambiguous-number", question, ADVICE, notation.line, loaded.encoding, rejected)
    evidence.tell(notation, problems)
    timed = [(row, _seconds(row, clock, notation, problems)) for row in found.rows]
    kept = [(row, at) for row, at in timed if at is not None]
    rejected = found.rejected + len(timed) - len(kept)
    if not kept:
        message = "No row of the file has a readable timestamp."
        return refused(
            LABEL, name, "no-rows", message, "record with 'dstat -T'", encoding=loaded.encoding, rejected=rejected
        )
    problems.tell_open_end(loaded.open_line)
    offset = 0 if clock == _CLOCKS[0] or found.in_utc else None
    names = [key for key in dict.fromkeys(key for row, _ in kept for key in row.cells) if key not in _CLOCKS]
    numbers = [[_number(row, key, notation, problems) for row, _ in kept] for key in names]
    values = np.array(numbers, np.float64).reshape(len(names), len(kept))
    times = np.round(np.array([at for _, at in kept]) * 1e6).astype(np.int64)
    if offset is None:
        times = without_steps(times, np.array([row.line for row, _ in kept], np.int64), problems)
    totals = {group.partition("/")[0] for group, _ in names if group.endswith(f"/{_TOTAL}")}
    series = tuple(_series(at, found.host, *key, totals) for at, key in enumerate(names))
    write_table(columns, times, values)
    missing = int(np.isnan(values).sum())
    return recorded(
        name, LABEL, times, series, offset, missing, rejected, problems.all(), loaded.encoding, found.delimiter
    )


READER = Reader(LABEL, identify, read)


def _rows(text: str, problems: Problems) -> _Read:
    mark = _MARK.search(text)
    written = _DELIMITER.search(text)
    delimiter = written[1] if written else ","
    since_start = mark is not None and mark[1].lower() != "pcp-dstat"
    rows: list[_Row] = []
    zones: set[str] = set()
    day: datetime | None = None
    rejected, host = 0, ""
    upper: list[str] = []
    heads: list[Column] = []
    first = True
    for number, line in enumerate(text.split("\n"), 1):
        if not (line := line.strip()):
            continue
        cells = line.split(delimiter)
        names = [cell.strip('"') for cell in cells]
        if not heads and not any(names):
            continue
        headed = line.startswith('"') or names[0][:1].isalpha()
        if names[0] in _HEAD or _MARK.match(line):
            if names[0] == "Host:":
                host, heads, upper = names[1] if len(names) > 1 else "", [], []
            if date := _DATE.search(line):
                day = _day(date[1], date[2], date[3])
                zones.add(date[4])
            continue
        # Only the line with the host begins a new header: a row may contain a stray quote.
        if not heads and headed and not upper:
            upper = names
            continue
        if not heads and headed and len(names) == len(upper):
            heads, first = list(_columns(upper, names)), True
            continue
        if all(map(_QUOTED.fullmatch, cells)):
            cells = names
        if len(cells) != len(heads) or any('"' in cell for cell in cells):
            problems.warn(
                "row-width",
                f"Line {number} contains damaged cells, or more or fewer cells than the header.",
                "line rejected; check it in the file",
                number,
            )
            rejected += 1
        elif first and since_start:
            problems.info("first-report", "The first row covers the time since system start.", "row ignored", number)
            rejected += 1
        else:
            rows.append(_Row(number, dict(zip(heads, cells, strict=True)), day))
        first = False
    return _Read(rows, rejected, host, zones <= {"UTC", "GMT"} and bool(zones), delimiter)


def _day(day: str, month: str, year: str) -> datetime | None:
    try:
        return datetime(int(year), _MONTHS.index(month.lower()) // 3 + 1, int(day), tzinfo=UTC)
    except ValueError:
        return None


def _columns(upper: list[str], lower: list[str]) -> Iterator[Column]:
    group = ""
    for above, below in zip(upper, lower, strict=False):
        group = above or group
        yield group, below.rpartition(":")[2]


def _seconds(row: _Row, clock: Column, notation: Notation, problems: Problems) -> float | None:
    """Returns seconds since 1970 as the clock showed them, or None, with a problem, if the cell holds no time."""
    text = row.cells.get(clock, "").strip()
    match = _TIME.fullmatch(text)
    try:
        if clock == _CLOCKS[0] and _EPOCH.fullmatch(text):
            seconds = notation.number(text)
            if seconds is not None and 0 < seconds < 7e9:
                return seconds
        if clock == _CLOCKS[1] and match is not None and row.day is not None:
            day, month, hour, minute, second = map(int, match.groups())
            # A test over New Year has rows with a month before that of the header.
            year = row.day.year + (month < row.day.month)
            return datetime(year, month, day, hour, minute, second, tzinfo=UTC).timestamp()
    except ValueError:
        pass
    message = f"Line {row.line}: '{text[:40]}' is not a valid dstat time."
    problems.warn("bad-time", message, "line rejected; check it in the file", row.line)
    return None


def _number(row: _Row, key: Column, notation: Notation, problems: Problems) -> float:
    text = row.cells.get(key, "").strip()
    value = notation.number(text)
    if value is not None and value >= 0:
        return value
    if text and not key[0].startswith("most "):
        problems.warn(
            "not-a-number",
            f"Line {row.line} contains the invalid value '{text[:40]}' for '{key[1]}'.",
            "cell left empty; check it in the file",
            row.line,
        )
    return float("nan")


def _series(column: int, host: str, group: str, counter: str, totals: set[str]) -> Series:
    kind, _, device = group.partition("/")
    part = kind in totals and device != _TOTAL
    name = f"dstat {kind}"
    metric = None if part else metric_of(name, device, counter)
    return Series(column, f"\\\\{host}\\{name}({device})\\{counter}", host, name, device, counter, None, metric)
