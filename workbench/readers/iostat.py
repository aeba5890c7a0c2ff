"""iostat -x -t: the extended statistics of a Linux storage host's disks, one report after the other.

    Linux 6.1.0-18-amd64 (nas01)    05/10/24    _x86_64_    (8 CPU)

    05/10/24 09:00:05
    avg-cpu:  %user   %nice %system %iowait  %steal   %idle
               2.10    0.00    1.40    3.00    0.00   93.50

    Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s …  aqu-sz  %util
    sda             12.00    480.00     0.00   0.00    1.50    40.00    8.00    256.00 …    0.05    4.10

iostat's first report is an average since system start, unless it was called with -y: it is left out. Rates cover the
interval that ends at the time of the report. r_await and w_await are milliseconds; a kB in rkB/s is 1,024 bytes.
Without -x iostat writes `tps` (requests of both directions), `kB_read/s` and `kB_wrtn/s`. The I/O of md, device-mapper
and loop devices is also counted in their disks: it is kept, but no metric uses it. Source: iostat(1) of sysstat 10 to
12 (columns by version, units, first report); times as `-t` and S_TIME_FORMAT write.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.model.metric import Metric
from workbench.model.reading import Reader, Reading
from workbench.model.recording import DateOrder, Series
from workbench.readers.common.clock import without_steps
from workbench.readers.common.counters import metric_of
from workbench.readers.common.flat_columns import write_table
from workbench.readers.common.recorded import recorded
from workbench.readers.common.row_problems import Problems, acted, counting, numbered
from workbench.readers.text.documents import head_text, load, refused
from workbench.readers.text.numbers import ADVICE, COMMA, POINT, WRITTEN, Evidence, Notation, Seen
from workbench.readers.text.timestamps import (
    STATED_ORDERS,
    Order,
    decide_order,
    guess_order,
    offset_minutes,
    parse_texts,
    to_microseconds,
)

LABEL = "iostat"
OBJECT, CPU = "Linux Disk", "Linux Processor"
_SYSTEM = re.compile(r"^Linux \S{1,200} \(([^)\s]{1,255})\)\s", re.M)
_DEVICE = re.compile(
    r"^Device:?\s(?:(?=.{0,400}\br/s\s)(?=.{0,400}\bw/s\s)|(?=\s{0,40}tps\s.{0,200}_read/s\s)).{0,600}$", re.M
)
_TIME = re.compile(
    r"(?P<date>\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4})[T ]\s{0,3}(?P<clock>\d{1,2}:\d{2}:\d{2})(?P<half>\s?[AP]M)?"
    r"(?P<offset>[+-]\d{2}:?\d{2})?\s{0,20}"
)
_SHORT_YEAR = re.compile(r"(\d{2}[/.]\d{2}[/.])(\d{2})")
_STACKED = re.compile(r"(?:dm-|md|loop|zram|ram|sr|fd|nbd|drbd|bcache)\d+.*|.*/.*")
_MINUTE = 60_000_000
_NUMBER = re.compile(rf"-?{WRITTEN}", re.ASCII)


@dataclass
class _Report:
    """One report: its first line, its time as text, the cells by device and column, and those of the processors.
    `since_start`: it is the first one of its call of iostat."""

    line: int
    time: str
    since_start: bool
    cells: dict[tuple[str, str], str] = field(default_factory=dict)


class _Placed(NamedTuple):
    """The reports with a real date, and their times in microseconds since 1970 as the clock of the first report showed
    them. Also minutes east of UTC if the file states them, and the order of day and month if it is guessed."""

    reports: list[_Report]
    times: npt.NDArray[np.int64]
    offset: int | None
    guess: DateOrder | None


def identify(head: bytes, _name: str) -> float:
    """Returns 1.0 for a text with the system's line and the headers of iostat's extended columns; without that line
    0.8."""
    text = head_text(head)
    if _DEVICE.search(text) is None:
        return 0.0
    return 1.0 if _SYSTEM.search(text) else 0.8


def read(path: Path, name: str, columns: Path, order: str = "") -> Reading:
    """Returns every report except the first, one row each; `order` (mdy, dmy, ymd) decides ambiguous dates."""
    loaded = load(path, name, LABEL)
    if isinstance(loaded, Reading):
        return loaded
    problems = Problems(name)
    # In a report with points a decimal comma is damage: it is not read.
    evidence = Evidence(COMMA)
    every = list(_reports(loaded.text, problems, evidence))
    first = [report for report in every if report.since_start]
    reports = [report for report in every if report.time and not report.since_start]
    if not reports:
        several = len(every) > 1
        message = (
            "No report has a time, because iostat was called without its option -t."
            if several
            else "The file contains only one iostat report."
        )
        advice = "record with 'iostat -x -t 5', which writes the time of each report"
        return refused(LABEL, name, "no-rows", message, advice, encoding=loaded.encoding, rejected=len(every))
    hosts = list(dict.fromkeys(_SYSTEM.findall(loaded.text)))
    if len(hosts) > 1:
        message = f"The file contains reports of several machines: {hosts[0]} and {hosts[1]}."
        advice = "save the reports of each machine to a separate file"
        return refused(LABEL, name, "several-machines", message, advice, encoding=loaded.encoding, rejected=len(every))
    for report in first:
        problems.info(
            "first-report",
            "The first report of iostat covers the time since system start, unless iostat was called with -y.",
            "report ignored",
            report.line,
        )
    if untimed := len(every) - len(first) - len(reports):
        message = f"{counting(untimed, 'report', 'has', 'have')} no time."
        problems.warn("bad-time", message, acted("report rejected; check it in the file", untimed))
    placed = _times(reports, STATED_ORDERS.get(order), evidence, problems)
    if placed is None:
        message = f"The dates of the reports, such as '{reports[0].time}', may have the month first or the day first."
        advice = 'set date_order = "mdy" or "dmy" in run.toml'
        return refused(LABEL, name, "ambiguous-date", message, advice, encoding=loaded.encoding, rejected=len(every))
    decided = evidence.decided()
    if isinstance(decided, Seen):
        question, rejected = decided.question, len(every)
        return refused(LABEL, name, "ambiguous-number", question, ADVICE, decided.line, loaded.encoding, rejected)
    evidence.tell(decided, problems)
    problems.tell_open_end(loaded.open_line)
    if not hosts:
        message = "The file contains no machine name, which iostat usually writes on the first line."
        problems.warn(
            "machine-not-named", message, "imported without a machine name; copy the file again, with its first line"
        )
    lost = len(every) - len(placed.reports)
    return _recorded(decided, placed, "".join(hosts), columns, name, lost, problems, loaded.encoding)


def _recorded(
    notation: Notation,
    placed: _Placed,
    host: str,
    columns: Path,
    name: str,
    lost: int,
    problems: Problems,
    encoding: str,
) -> Reading:
    reports, times, offset = placed.reports, placed.times, placed.offset
    names = list(dict.fromkeys(key for report in reports for key in report.cells))
    numbers = [[_number(report, key, notation, problems) for report in reports] for key in names]
    values = np.array(numbers, np.float64)
    series = tuple(_series(at, host, *key) for at, key in enumerate(names))
    write_table(columns, times, values)
    missing = int(np.isnan(values).sum())
    return recorded(name, LABEL, times, series, offset, missing, lost, problems.all(), encoding, dates=placed.guess)


def _number(report: _Report, key: tuple[str, str], notation: Notation, problems: Problems) -> float | None:
    cell = report.cells.get(key, "")
    value = notation.number(cell)
    if cell and value is None:
        code, what = notation.fault(cell)
        problems.warn(
            code, f"Line {report.line}: '{cell[:40]}' {what}.", "cell left empty; check it in the file", report.line
        )
    return value


def _series(column: int, host: str, device: str, counter: str) -> Series:
    kind = OBJECT if device else CPU
    metric: Metric | None = None if _STACKED.fullmatch(device) else metric_of(kind, device, counter)
    return Series(column, f"\\\\{host}\\{kind}({device})\\{counter}", host, kind, device, counter, None, metric)


def _reports(text: str, problems: Problems, evidence: Evidence) -> Iterator[_Report]:
    """Returns the reports in order. A report begins with its time, otherwise with the processors, otherwise with the
    disks."""
    report: _Report | None = None
    heads: list[str] = []
    kind, since_start = "", True
    for number, line in enumerate(text.split("\n"), 1):
        cells = line.split()
        if not cells:
            continue
        if _TIME.fullmatch(line.strip()):
            if report:
                yield report
            report, kind, since_start = _Report(number, line.strip(), since_start), "time", False
        elif cells[0] == "avg-cpu:" or cells[0].rstrip(":") == "Device":
            if report is None or kind == "disk":
                if report:
                    yield report
                report, since_start = _Report(number, "", since_start), False
            kind, heads = ("cpu" if cells[0] == "avg-cpu:" else "disk"), cells[1:]
        elif _SYSTEM.match(line + " "):
            since_start = True
        elif report and kind in ("cpu", "disk"):
            _take(report, kind, heads, cells, number, problems, evidence)
    if report:
        yield report


def _take(
    report: _Report,
    kind: str,
    heads: Sequence[str],
    cells: list[str],
    line: int,
    problems: Problems,
    evidence: Evidence,
) -> None:
    device, numbers = ("", cells) if kind == "cpu" else (cells[0], cells[1:])
    if any('"' in cell for cell in cells):
        problems.warn(
            "row-damaged",
            f"Line {line} contains a quotation mark, which iostat never writes.",
            "line rejected; check it in the file",
            line,
        )
        return
    if len(numbers) != len(heads):
        message = f"Line {line} has {numbered(len(numbers), 'number')}, but the header has {len(heads)} columns."
        problems.warn("row-width", message, "line rejected; check it in the file", line)
        return
    for head, cell in zip(heads, numbers, strict=True):
        # A number in either notation; which one, all numbers of the file decide.
        if _NUMBER.fullmatch(cell) and any(Notation(mark).number(cell) is not None for mark in (POINT, COMMA)):
            report.cells[device, head] = cell
            evidence.add(cell, line)
        else:
            problems.warn(
                "not-a-number",
                f"Line {line} contains '{cell[:40]}' instead of a number for '{head}'.",
                "cell left empty; check it in the file",
                line,
            )


def _times(reports: Sequence[_Report], stated: Order | None, evidence: Evidence, problems: Problems) -> _Placed | None:
    """The reports with their times; None if the order of day and month is unknown and cannot be guessed."""
    matches = [match for report in reports if (match := _TIME.fullmatch(report.time)) is not None]
    stamps = parse_texts([f"{_whole_year(match['date'])} {match['clock']}{match['half'] or ''}" for match in matches])
    # All locales that write AM and PM with such dates put the month first.
    order = decide_order(stamps, trusted=all(match["half"] for match in matches)) or stated
    guess = None
    if order is None:
        notation = evidence.decided()
        comma = isinstance(notation, Notation) and notation.decimal == COMMA
        guess = guess_order(stamps, "the numbers have decimal commas" if comma else "")
        if guess is None:
            return None
        order = STATED_ORDERS[guess.order]
    times, real = to_microseconds(stamps, order)
    for report in (report for report, ok in zip(reports, real, strict=True) if not ok):
        message = f"Line {report.line}: '{report.time[:40]}' is not a valid time."
        problems.warn("bad-time", message, "report rejected; check it in the file", report.line)
    kept = [report for report, ok in zip(reports, real, strict=True) if ok]
    if not kept:
        return None
    offsets = [offset_minutes(match["offset"]) for match, ok in zip(matches, real, strict=True) if ok]
    times, own = times[real], [offset for offset in offsets if offset is not None]
    if len(own) == len(kept):
        return _Placed(kept, times + (own[0] - np.array(own, np.int64)) * _MINUTE, own[0], guess)
    lines = np.array([report.line for report in kept], np.int64)
    return _Placed(kept, without_steps(times, lines, problems), None, guess)


def _whole_year(date: str) -> str:
    short = _SHORT_YEAR.fullmatch(date)
    return f"{short[1]}20{short[2]}" if short else date


READER = Reader(LABEL, identify, read, read_dated=read)
