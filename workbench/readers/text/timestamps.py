"""Timestamps as measuring tools write them: month first, day first, or cut short by a spreadsheet.

PDH writes `MM/DD/YYYY HH:MM:SS.mmm` in every language of Windows. Copies made by a person or a spreadsheet may have
day-first dates, comma milliseconds or no seconds. For those the whole column decides the order of day and month; the
order is None if both remain possible.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from workbench.model.recording import DateOrder

IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

SECOND = 1_000_000
HOUR = 3600 * SECOND
DAY = 24 * HOUR
# More gaps than this do not come from the start of summer time.
_MOST_JUMPS = 1000
_STANDARD = (19, 23)  # characters of MM/DD/YYYY HH:MM:SS, without and with .mmm
_DIGITS = np.array([0, 1, 3, 4, 6, 7, 8, 9, 11, 12, 14, 15, 17, 18])
_MARKS = {2: "/", 5: "/", 10: " ", 13: ":", 16: ":"}
_FREE = re.compile(
    r"(?P<a>\d{1,4})(?P<mark>[/.-])(?P<b>\d{1,2})(?P=mark)(?P<c>\d{1,4}),?[ T]+"
    r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,](?P<fraction>\d{1,6}))?)?"
    r"(?:\s*(?P<half>[AaPp])\.?[Mm]\.?)?\s*",
    re.ASCII,
)
# An ISO time with its distance from UTC; .NET writes seven decimals.
_ZONED = re.compile(r"(\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}:\d{2}(?:[.,]\d{1,6})?)\d{0,3} ?(Z|[+-]\d{2}:?\d{2})", re.ASCII)
_LARGEST_OFFSET = 14 * 60
# A spreadsheet's version of a time shown without date and hour (`00:15.0`), or in a column that is too narrow.
CUT = re.compile(r"\d{1,2}:\d{2}[.,]\d|#{3,}", re.ASCII)
CUT_ADVICE = "file not imported; open the original file, or format the times in the spreadsheet as yyyy-mm-dd hh:mm:ss"
_HALF_DAY = {"a": 0, "p": 12}


@dataclass(frozen=True, slots=True)
class RecordTime:
    """Seconds since 1970; local time is treated as UTC if the file has no offset."""

    at: float
    has_offset: bool


class Order(StrEnum):
    """The order of day, month and year in a date."""

    MONTH_FIRST = "month first"
    DAY_FIRST = "day first"
    YEAR_FIRST = "year first"


_EITHER = (Order.MONTH_FIRST, Order.DAY_FIRST)
# A date with a time of day.
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}\S*")
# A clock outside these years was never set.
YEARS = range(1980, 2200)
# The spellings of an order in run.toml.
STATED_ORDERS = {"mdy": Order.MONTH_FIRST, "dmy": Order.DAY_FIRST, "ymd": Order.YEAR_FIRST}


@dataclass(frozen=True, eq=False)
class Stamps:
    """Timestamps split into parts, not yet interpreted: the three numbers of the date and the microseconds of the day.

    `valid` is False if the text is not a timestamp. `standard`: every valid timestamp is zero-padded with point
    milliseconds. `padded`: it is zero-padded with seconds. `dotted`: points separate days and months, which always
    means day first. `halves`: the times have AM and PM.
    """

    a: IntArray
    b: IntArray
    c: IntArray
    of_day: IntArray
    valid: BoolArray
    standard: bool
    padded: bool
    seconds: bool
    dotted: bool = False
    halves: bool = False

    def __len__(self) -> int:
        return len(self.a)


def joined_stamps(parts: Sequence[Stamps]) -> Stamps:
    """Returns the timestamps of several parts of a column, all of them valid, as one."""
    if len(parts) == 1:
        return parts[0]
    a, b, c, of_day = (np.concatenate([getattr(part, name) for part in parts]) for name in ("a", "b", "c", "of_day"))
    return Stamps(
        a,
        b,
        c,
        of_day,
        np.concatenate([part.valid for part in parts]),
        standard=all(part.standard for part in parts),
        padded=all(part.padded for part in parts),
        seconds=any(part.seconds for part in parts),
        dotted=all(part.dotted for part in parts),
        halves=all(part.halves for part in parts),
    )


@dataclass(frozen=True, slots=True)
class TimeStep:
    """A place where the clock of a column goes back: before row `index`, by `seconds` (negative)."""

    index: int
    seconds: float
    summer_time_ends: bool


def parse_fixed(text: bytes, width: int) -> Stamps | None:
    """Returns timestamps from concatenated texts of equal length, or None if one does not have PDH's own shape."""
    if width not in _STANDARD or len(text) % width:
        return None
    chars = np.frombuffer(text, np.uint8).reshape(-1, width)
    marks = _MARKS | ({19: "."} if width == 23 else {})
    if any((chars[:, index] != ord(mark)).any() for index, mark in marks.items()):
        return None
    places = np.append(_DIGITS, [20, 21, 22]) if width == 23 else _DIGITS
    digits = chars[:, places].astype(np.int64) - ord("0")
    if ((digits < 0) | (digits > 9)).any():
        return None
    hour, minute, second = (_number(digits, start, 2) for start in (8, 10, 12))
    thousandths = _number(digits, 14, 3) if width == 23 else np.zeros(len(digits), np.int64)
    return Stamps(
        _number(digits, 0, 2),
        _number(digits, 2, 2),
        _number(digits, 4, 4),
        (hour * 3600 + minute * 60 + second) * SECOND + thousandths * 1000,
        (hour < 24) & (minute < 60) & (second < 60),
        standard=width == 23,
        padded=True,
        seconds=True,
    )


def parse_texts(texts: Sequence[str]) -> Stamps:
    """Returns timestamps from texts of any shape that this module supports; others are not `valid`."""
    widths = {len(text) for text in texts}
    if len(widths) == 1 and all(map(str.isascii, texts)):
        fixed = parse_fixed("".join(texts).encode(), widths.pop())
        if fixed is not None:
            return fixed
    parts = np.full((len(texts), 4), -1, np.int64)
    matches = [_FREE.fullmatch(text) for text in texts]
    for row, match in enumerate(matches):
        if match is not None:
            parts[row] = _parts(match)
    valid = parts[:, 3] >= 0
    good = [match for match, ok in zip(matches, valid, strict=True) if match is not None and ok]
    padded = bool(good) and all(_is_padded(match) for match in good)
    point = all(match["fraction"] and len(match["fraction"]) == 3 and "," not in match[0] for match in good)
    return Stamps(
        parts[:, 0],
        parts[:, 1],
        parts[:, 2],
        parts[:, 3],
        valid,
        standard=padded and point,
        padded=padded,
        seconds=any(match["second"] is not None for match in good),
        dotted=bool(good) and all(match["mark"] == "." for match in good),
        halves=bool(good) and all(match["half"] for match in good),
    )


def without_offset(text: str) -> tuple[str, int | None]:
    """Returns the time of an ISO text as its clock showed it, and the minutes ahead of UTC that it states. Any other
    text is returned unchanged, with None."""
    match = _ZONED.fullmatch(text)
    minutes = offset_minutes(match[2]) if match else None
    if match is None or minutes is None or abs(minutes) > _LARGEST_OFFSET or int(match[2][-2:].strip("Z") or 0) > 59:
        return text, None
    return match[1], minutes


def decide_order(stamps: Stamps, trusted: bool) -> Order | None:
    """Returns the order of day and month, from the whole column; None if both remain possible.

    A reading gets one penalty point for each impossible timestamp, each step back and each jump over a long time. The
    reading with fewer points wins. On a tie PDH's own order is taken if the writer is `trusted` to have kept it.
    """
    if stamps.valid.any() and (stamps.a[stamps.valid] > 31).all():
        return Order.YEAR_FIRST
    if stamps.dotted:
        return Order.DAY_FIRST
    readings = [to_microseconds(stamps, order) for order in _EITHER]
    steps = [np.diff(times[real]) for times, real in readings]
    limit = longest_step(*steps)
    month_first, day_first = (
        int(np.count_nonzero(stamps.valid & ~real) + np.count_nonzero(_jumps(own, limit)))
        for (_, real), own in zip(readings, steps, strict=True)
    )
    if month_first < day_first:
        return Order.MONTH_FIRST
    if day_first < month_first:
        return Order.DAY_FIRST
    if trusted or not any(to_microseconds(stamps, order)[1].any() for order in _EITHER):
        return Order.MONTH_FIRST
    # Day and month are the same number in every date (05/05/2022).
    return Order.MONTH_FIRST if (stamps.a == stamps.b)[stamps.valid].all() else None


def guess_order(stamps: Stamps, day_first: str) -> DateOrder | None:
    """Returns a guess for timestamps that fit both orders and all have one date; None if they have several. AM and PM
    suggest month first; `day_first` names the evidence in the file for day first (empty: none)."""
    places = np.flatnonzero(stamps.valid)
    if not places.size or np.unique(np.column_stack((stamps.a, stamps.b, stamps.c))[places], axis=0).shape[0] != 1:
        return None
    (month, month_real), (day, day_real) = (to_microseconds(stamps, order) for order in _EITHER)
    at = places[0]
    if not (month_real[at] and day_real[at]):
        return None
    later = int(day[at] - month[at])
    if stamps.halves:
        return DateOrder("mdy", later, "the times have AM and PM")
    return DateOrder("dmy", -later, day_first) if day_first else DateOrder("mdy", later)


def decided_dates(order: Order) -> DateOrder | None:
    """Returns the order of dates with the day or the month first, as evidence for other files of the folder."""
    return None if order is Order.YEAR_FIRST else DateOrder("mdy" if order is Order.MONTH_FIRST else "dmy")


def to_microseconds(stamps: Stamps, order: Order) -> tuple[IntArray, BoolArray]:
    """Returns microseconds since 1970 as the clock showed them, and a mask of the real dates."""
    if order is Order.YEAR_FIRST:
        year, month, day = stamps.a, stamps.b, stamps.c
    elif order is Order.DAY_FIRST:
        day, month, year = stamps.a, stamps.b, stamps.c
    else:
        month, day, year = stamps.a, stamps.b, stamps.c
    valid = stamps.valid & (month >= 1) & (month <= 12) & (day >= 1) & (year >= 1970) & (year <= 2200)
    months = (np.where(valid, year, 1970) - 1970) * 12 + np.where(valid, month, 1) - 1
    first = months.astype("datetime64[M]").astype("datetime64[D]").astype(np.int64)
    following = (months + 1).astype("datetime64[M]").astype("datetime64[D]").astype(np.int64)
    valid &= day <= following - first
    return np.where(valid, (first + day - 1) * DAY + stamps.of_day, 0), valid


def cut_message(text: str) -> str:
    """Returns a sentence about times that a spreadsheet has saved only in part, such as `text`."""
    return f"The timestamps have no date and no hour ('{text}')."


def steps_back(times: IntArray) -> tuple[TimeStep, ...]:
    """Returns every place where the clock goes back. The first step of about one hour minus the usual interval is
    treated as the end of summer time."""
    steps = np.diff(times)
    backwards = np.flatnonzero(steps < 0)
    if not backwards.size:
        return ()
    forward = steps[steps > 0]
    usual = int(np.median(forward)) if forward.size else 0
    hour_back = is_hour_back(steps[backwards], usual)
    summer_time_ends = int(np.flatnonzero(hour_back)[0]) if hour_back.any() else -1
    return tuple(
        TimeStep(int(index) + 1, float(steps[index]) / SECOND, number == summer_time_ends)
        for number, index in enumerate(backwards)
    )


def is_hour_back(steps: IntArray, usual: float) -> npt.NDArray[np.bool_]:
    """Returns which steps (microseconds) are about one hour minus the usual interval, as at the end of summer time."""
    near: npt.NDArray[np.bool_] = np.abs(steps + HOUR - usual) <= max(2 * usual, 2 * 60 * SECOND)
    return near


def hour_ahead(times: IntArray) -> int | None:
    """Returns the first row before which the clock skips an hour as at the start of summer time: from one sample to the
    next, early on a Sunday. None if there is none."""
    steps = np.diff(times)
    forward = steps[steps > 0]
    usual = int(np.median(forward)) if forward.size else 0
    if not 0 < usual <= HOUR // 6:
        return None
    for index in np.flatnonzero(np.abs(steps - HOUR - usual) <= max(2 * usual, 5 * SECOND)):
        day, of_day = divmod(int(times[index]), DAY)
        if (day + 4) % 7 == 0 and of_day < 4 * HOUR:  # 1 January 1970 was a Thursday
            return int(index) + 1
    return None


def clock_jumps(times: IntArray, steps: Sequence[TimeStep] = ()) -> tuple[tuple[int, int], ...]:
    """Returns the times (as `shifted` gives them) before and after each skip of the clock, at most `_MOST_JUMPS`. A
    skip is half an hour or more beyond the usual interval. Also returns those, as written, where it goes back at the
    end of summer time."""
    ahead = np.diff(times)
    forward = ahead[ahead > 0]
    usual = int(np.median(forward)) if forward.size else 0
    places = np.flatnonzero(ahead >= usual + HOUR // 2)[:_MOST_JUMPS]
    jumps = [(int(times[at]), int(times[at + 1])) for at in places]
    back = [step.index for step in steps if step.summer_time_ends]
    return (*jumps, *((int(times[at - 1]), int(times[at]) - HOUR) for at in back))


def shifted(times: IntArray, steps: Sequence[TimeStep]) -> IntArray:
    """Returns the times with one hour added from the end of summer time on, so one offset fits all."""
    result = times.copy()
    for step in steps:
        if step.summer_time_ends:
            result[step.index :] += HOUR
    return result


def offset_minutes(text: str | None) -> int | None:
    """Returns the minutes ahead of UTC that `Z`, `+05:30` or `-0800` states; None for no offset."""
    if text is None:
        return None
    if text == "Z":
        return 0
    minutes = int(text[1:3]) * 60 + int(text[-2:])
    return -minutes if text[0] == "-" else minutes


def iso(microseconds: int, utc_offset_minutes: int | None) -> str:
    """Returns ISO-8601: in UTC with `Z` if the offset is known, otherwise as the clock showed it, without a zone."""
    moment = np.datetime64(microseconds - 60 * SECOND * (utc_offset_minutes or 0), "us")
    text = str(moment).removesuffix(".000000")
    if "." in text:
        text = text.rstrip("0")
    return text if utc_offset_minutes is None else text + "Z"


def iso_text(moment: RecordTime) -> str:
    """Returns the time in UTC with `Z`, or the local time as written, without it."""
    text = datetime.fromtimestamp(moment.at, UTC).isoformat(timespec="seconds").removesuffix("+00:00")
    return f"{text}Z" if moment.has_offset else text


def on_one_clock(moments: Mapping[str, RecordTime | None]) -> tuple[dict[str, float], bool, bool]:
    """Returns the times by name, True if they have an offset, and True if some were left out. Local times are left out
    next to times with an offset, because their distance is unknown."""
    known = {name: moment for name, moment in moments.items() if moment is not None}
    mixed = len({moment.has_offset for moment in known.values()}) > 1
    kept = {name: moment for name, moment in known.items() if moment.has_offset or not mixed}
    return (
        {name: moment.at for name, moment in kept.items()},
        all(moment.has_offset for moment in kept.values()),
        mixed,
    )


def iso_moment(text: str) -> RecordTime | None:
    """Returns the moment of an ISO-8601 text (local time if it has no offset), or None if it is not one."""
    try:
        moment = datetime.fromisoformat(text) if _ISO.fullmatch(text) else None
    except ValueError:
        return None
    if moment is None or moment.year not in YEARS:
        return None
    local = moment.tzinfo is None
    return RecordTime((moment.replace(tzinfo=UTC) if local else moment).timestamp(), not local)


def moment_at(seconds: float) -> RecordTime | None:
    """Returns the moment so many seconds after 1970 in UTC, or None if no clock can have shown it."""
    try:
        return RecordTime(seconds, True) if datetime.fromtimestamp(seconds, UTC).year in YEARS else None
    except (ValueError, OverflowError, OSError):
        return None


def _number(digits: IntArray, start: int, count: int) -> IntArray:
    value = digits[:, start].copy()
    for index in range(start + 1, start + count):
        value = value * 10 + digits[:, index]
    return value


def _parts(match: re.Match[str]) -> tuple[int, int, int, int]:
    """Returns the three numbers of the date and the microseconds of the day, or -1 for an invalid time."""
    hour, minute = int(match["hour"]), int(match["minute"])
    second = int(match["second"] or 0)
    if match["half"]:
        if not 1 <= hour <= 12:
            return -1, -1, -1, -1
        hour = hour % 12 + _HALF_DAY[match["half"].lower()]
    years = [text for text in (match["a"], match["c"]) if len(text) == 4]
    if hour > 23 or minute > 59 or second > 59 or len(years) != 1:
        return -1, -1, -1, -1
    fraction = int((match["fraction"] or "0").ljust(6, "0"))
    of_day = (hour * 3600 + minute * 60 + second) * SECOND + fraction
    return int(match["a"]), int(match["b"]), int(match["c"]), of_day


def _is_padded(match: re.Match[str]) -> bool:
    lengths = (len(match["a"]), len(match["b"]), len(match["hour"]))
    return lengths == (2, 2, 2) and match["mark"] == "/" and match["second"] is not None


def longest_step(*readings: IntArray) -> int:
    """Returns the longest step of a recording without a gap, given the steps of both readings of its dates; 0 if
    samples are so rare that their gaps show nothing.

    The usual interval is that of the reading with shorter ones: the wrong reading stretches days to months.
    """
    usual = []
    for steps in readings:
        forward = np.sort(steps[steps > 0])
        # The lower middle: in a short column a jump must not pass for the usual interval.
        usual += [int(forward[(forward.size - 1) // 2])] if forward.size else []
    shortest = min(usual, default=0)
    return max(HOUR, 20 * shortest) if shortest <= HOUR else 0


def _jumps(steps: IntArray, limit: int) -> BoolArray:
    back: BoolArray = steps < -(HOUR + 5 * 60 * SECOND)
    return back | (steps > limit) if limit else back
