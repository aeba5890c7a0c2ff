"""CSV files with a time column: finds the header, the delimiter and the time among unknown columns.

The header is a line of names. Each line below it must have the same number of cells. One cell must be a date with a
time of day, or seconds since 1970 under a name that suggests time. One physical line is one row, so a stray quote
damages only its own row.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import numpy as np

from workbench.model.mapping import TimeFormat
from workbench.model.recording import DateOrder
from workbench.readers.text.encodings import decode_text
from workbench.readers.text.rows import BLANK, split_lines, split_row
from workbench.readers.text.timestamps import CUT, YEARS, longest_step, offset_minutes

DELIMITERS = (",", ";", "\t", "|")
_TIME_WORD = re.compile(r"time|date|zeit|datum|fecha|hora|when|stamp|время|дата", re.IGNORECASE)
_NUMBER = re.compile(r"[-+]?[\d.,]+(?:[eE][-+]?\d+)?%?")
_STAMP = re.compile(
    r"(\d{1,4})([/.-])(\d{1,2})\2(\d{1,4})(?:,?[ \u00a0\u202f]+|T)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?"
    r"(?:[\s\u00a0\u202f]*([AaPp])\.?[Mm]\.?)?\s*(Z|[+-]\d{2}:?\d{2})?"
    # PRTG writes the time span of a row: its end is the time of the sample.
    r"(?: [-\u2013\u2212] (?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2}))?(?:\s?(?P<half>[AaPp])[Mm])?)?",
    re.ASCII,
)
_UNIX = re.compile(r"1\d{9}(?:\.\d{1,9})?|1\d{12}(?:\.\d{1,9})?", re.ASCII)
_PREAMBLE = 10
_LOOKED_AT = 200
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECOND = 1_000_000
_UNIX_UNITS = {TimeFormat.UNIX_SECONDS: _SECOND, TimeFormat.UNIX_MILLISECONDS: 1000}


@dataclass(frozen=True, slots=True)
class TimedCsv:
    """A header with its delimiter, its physical line, the position of the time column, and the first rows below it.
    `encoding` is that of the file."""

    names: tuple[str, ...]
    delimiter: str
    line: int
    time_column: int
    rows: tuple[tuple[str, ...], ...]
    encoding: str


@dataclass(frozen=True, slots=True)
class FileTime:
    """A time as the file writes it: microseconds since 1970 on its own clock, minutes ahead of UTC if the file states
    them, and True if it has seconds."""

    local_us: int
    offset: int | None
    seconds: bool


def split_cells(line: str, delimiter: str) -> list[str]:
    """Returns the cells of one line, without surrounding blanks. If its quotes do not match, it is cut at every
    delimiter."""
    cells = split_row(line, delimiter)
    return [cell.strip() for cell in line.split(delimiter)] if cells is None else cells


def find_timed_csv(data: bytes, whole: bool = False) -> TimedCsv | None:
    """Returns the header of a CSV with a time column, from the file's first bytes; None for any other file."""
    text, encoding = decode_text(data, whole)
    lines = split_lines(text)
    if not whole and len(lines) > 1:
        lines = lines[:-1]
    filled = [(number, line) for number, line in enumerate(lines, 1) if line.strip(BLANK)]
    for index, (number, line) in enumerate(filled[:_PREAMBLE]):
        below = [other for _, other in filled[index + 1 : index + 1 + _LOOKED_AT]]
        for delimiter in DELIMITERS:
            if delimiter in line and (table := _header(line, number, below, delimiter, encoding)) is not None:
                return table
    return None


def cut_time(data: bytes, whole: bool = False) -> str:
    """Returns a time cut short by a spreadsheet, in a time column at the beginning of a table; empty if there is
    none."""
    text, _ = decode_text(data, whole)
    lines = [line for line in split_lines(text[:65_536]) if line.strip(BLANK)]
    for index in range(min(len(lines), _PREAMBLE)):
        for delimiter in DELIMITERS:
            names = split_cells(lines[index], delimiter)
            times = [place for place, name in enumerate(names) if _TIME_WORD.search(name)]
            if not times or len(names) == 1:
                continue
            rows = [split_cells(other, delimiter) for other in lines[index + 1 : index + 1 + _PREAMBLE]]
            for place in times:
                cells = [row[place] for row in rows if len(row) == len(names)]
                if cells and all(map(CUT.fullmatch, cells)):
                    return cells[0]
    return ""


def moment_of(text: str, form: TimeFormat) -> FileTime | None:
    """Returns the moment that a cell states in this format, or None if it states none."""
    if form in _UNIX_UNITS:
        try:
            number = float(text)
        except ValueError:
            return None
        us = round(number * _UNIX_UNITS[form]) if abs(number) < 1e15 else 0
        return FileTime(us, 0, True) if 0 < us < 7_258_118_400 * _SECOND else None
    match = _STAMP.fullmatch(text)
    return None if match is None else _moment(match, form)


def is_stamp(cell: str) -> bool:
    """True if a cell is a date with a time, in any order."""
    return _STAMP.fullmatch(cell) is not None


def time_format_of(cells: Sequence[str]) -> TimeFormat:
    """Returns the format that fits most of the cells; month first if both remain possible."""
    matches = [match for cell in cells if (match := _STAMP.fullmatch(cell)) is not None]
    if not matches:
        whole = [cell.split(".")[0] for cell in cells if _UNIX.fullmatch(cell)]
        return TimeFormat.UNIX_MILLISECONDS if any(len(cell) == 13 for cell in whole) else TimeFormat.UNIX_SECONDS
    if all(len(match[1]) == 4 for match in matches):
        return TimeFormat.YEAR_FIRST
    month, day = (
        sum(_moment(match, form) is not None for match in matches)
        for form in (TimeFormat.MONTH_FIRST, TimeFormat.DAY_FIRST)
    )
    if month == day and all(match[2] == "." for match in matches):
        return TimeFormat.DAY_FIRST
    return TimeFormat.DAY_FIRST if day > month else TimeFormat.MONTH_FIRST


ORDERS = {"mdy": TimeFormat.MONTH_FIRST, "dmy": TimeFormat.DAY_FIRST}


def decided_format(cells: Sequence[str], order: str = "") -> TimeFormat | None:
    """Returns the format of a known table's times, or None if month and day are ambiguous and neither continuity nor
    `order`, "mdy" or "dmy", decides.

    Rows may be in any order, so continuity compares the gaps between the sorted times: samples that cross midnight are
    a month apart in the wrong reading.
    """
    form = time_format_of(cells)
    matches = [match for cell in cells if (match := _STAMP.fullmatch(cell)) is not None]
    if form not in (TimeFormat.MONTH_FIRST, TimeFormat.DAY_FIRST) or any(match[2] == "." for match in matches):
        return form
    month, day = ([_moment(match, fit) for match in matches] for fit in (TimeFormat.MONTH_FIRST, TimeFormat.DAY_FIRST))
    if month == day or month.count(None) != day.count(None):
        return form
    steps = [np.diff(np.unique([one.local_us for one in moments if one is not None])) for moments in (month, day)]
    limit = longest_step(*steps)
    by_month, by_day = ((np.count_nonzero(own > limit) if limit else 0) for own in steps)
    if by_month != by_day:
        return TimeFormat.DAY_FIRST if by_day < by_month else TimeFormat.MONTH_FIRST
    return ORDERS.get(order)


def guessed_format(cells: Sequence[str], comma: bool) -> DateOrder | None:
    """Returns a guess for times that `decided_format` cannot decide, if all have one date; otherwise None. `comma`: the
    numbers have decimal commas, as in regions that write the day first."""
    matches = [match for cell in cells if (match := _STAMP.fullmatch(cell)) is not None]
    if len({match.group(1, 3, 4) for match in matches}) != 1:
        return None
    month, day = (_moment(matches[0], form) for form in (TimeFormat.MONTH_FIRST, TimeFormat.DAY_FIRST))
    if month is None or day is None:
        return None
    later = day.local_us - month.local_us
    if matches[0][9]:
        return DateOrder("mdy", later, "the times have AM and PM")
    return DateOrder("dmy", -later, "the numbers have decimal commas") if comma else DateOrder("mdy", later)


def _header(line: str, number: int, below: list[str], delimiter: str, encoding: str) -> TimedCsv | None:
    names = trimmed(split_cells(line, delimiter))
    if len(names) < 2 or "\0" in line or any(_STAMP.fullmatch(name) for name in names):
        return None
    if sum(_NUMBER.fullmatch(name) is not None for name in names) * 2 >= len(names):
        return None
    rows = [trimmed(split_cells(row, delimiter), len(names)) for row in below]
    fitting = [tuple(row) for row in rows if len(row) == len(names)]
    if not fitting or len(rows[0]) != len(names):
        return None
    time_column = _time_column(names, fitting)
    return (
        None
        if time_column is None
        else TimedCsv(tuple(names), delimiter, number, time_column, tuple(fitting), encoding)
    )


def trimmed(cells: list[str], width: int = 0) -> list[str]:
    """Returns the cells without the blank ones at the end beyond `width`, which spreadsheets add."""
    end = len(cells)
    while end > width and not cells[end - 1]:
        end -= 1
    return cells[:end]


def _time_column(names: list[str], rows: list[tuple[str, ...]]) -> int | None:
    places = sorted(range(len(names)), key=lambda column: (not _TIME_WORD.search(names[column]), column))
    for index in places:
        cells = [row[index] for row in rows[:_PREAMBLE] if row[index]]
        named = _TIME_WORD.search(names[index]) is not None
        hits = sum(
            _STAMP.fullmatch(cell) is not None or (named and _UNIX.fullmatch(cell) is not None) for cell in cells
        )
        if cells and hits * 2 > len(cells):
            return index
    return None


def _moment(match: re.Match[str], form: TimeFormat) -> FileTime | None:
    first, second, third = int(match[1]), int(match[3]), int(match[4])
    if form is TimeFormat.YEAR_FIRST:
        year, month, day, digits = first, second, third, len(match[1])
    elif form is TimeFormat.DAY_FIRST:
        day, month, year, digits = first, second, third, len(match[4])
    else:
        month, day, year, digits = first, second, third, len(match[4])
    if digits != 4 and (digits != 2 or form is TimeFormat.YEAR_FIRST):
        return None
    hour = _hour(match[5], match[9])
    if hour is None:
        return None
    year += 2000 if digits == 2 else 0
    if year not in YEARS:
        return None
    try:
        at = datetime(year, month, day, hour, int(match[6]), int(match[7] or 0), tzinfo=UTC)
    except ValueError:
        return None
    fraction = int((match[8] or "0").ljust(6, "0")[:6])
    if match["hour"]:
        end = _hour(match["hour"], match["half"])
        if end is None or end > 23 or int(match["minute"]) > 59 or int(match["second"] or 0) > 59:
            return None
        ends = at.replace(hour=end, minute=int(match["minute"]), second=int(match["second"] or 0))
        at = ends if ends >= at else ends + timedelta(days=1)
    local = (at - _EPOCH) // timedelta(microseconds=1) + fraction
    return FileTime(local, offset_minutes(match[10]), match[7] is not None)


def _hour(text: str, half: str | None) -> int | None:
    """Returns the hour of a day, or None for an hour that does not exist with AM or PM."""
    hour = int(text)
    if not half:
        return hour
    return hour % 12 + (12 if half in "Pp" else 0) if 1 <= hour <= 12 else None
