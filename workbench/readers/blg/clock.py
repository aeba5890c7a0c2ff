"""The clock of a perfmon binary log: FILETIME stamps in local time, and how far that is from UTC.

Samples are stamped in local time (PDH_RAW_COUNTER: "Local time for when the data was collected, in FILETIME
format"). The header gives the time zone (TIME_ZONE_INFORMATION: minutes to add to local time for UTC, and the
days on which summer time begins and ends) and the moment the trace was started, in UTC. The offset is the one
of the zone's two that the start bears out; where neither fits, the one the dates of summer time give.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from datetime import datetime, timedelta

_EPOCH = datetime(1601, 1, 1)
_TICKS_PER_MINUTE = 600_000_000
_UNIX_EPOCH = 116_444_736_000_000_000  # 1970-01-01 as FILETIME
_EARLIEST, _LATEST = 119_600_064_000_000_000, 189_025_920_000_000_000  # 1980 and 2200
_LARGEST_BIAS = 16 * 60
_CLOSE_MINUTES = 5.0


@dataclass(frozen=True, slots=True)
class Change:
    """When summer time begins or ends: the `week`-th (5: last) such day of a month, or, with a year, a date."""

    year: int
    month: int
    weekday: int
    week: int
    minutes: int


@dataclass(frozen=True, slots=True)
class Zone:
    """Minutes east of UTC in standard and in summer time, and when each begins (None: no summer time)."""

    standard: int
    summer: int
    standard_from: Change | None
    summer_from: Change | None


def parse_zone(data: bytes) -> Zone | None:
    """The zone of a TIME_ZONE_INFORMATION; None when its numbers are no time zone."""
    if len(data) < 172:
        return None
    bias = struct.unpack_from("<i", data)[0]
    standard_bias, summer_bias = struct.unpack_from("<i", data, 84)[0], struct.unpack_from("<i", data, 168)[0]
    standard, summer = -(bias + standard_bias), -(bias + summer_bias)
    if max(abs(standard), abs(summer)) > _LARGEST_BIAS:
        return None
    return Zone(standard, summer, _parse_change(data, 68), _parse_change(data, 152))


def is_plausible(filetime: int) -> bool:
    """Whether a stamp lies between 1980 and 2200."""
    return _EARLIEST <= filetime <= _LATEST


def to_unix_microseconds(filetime: int) -> int:
    """Microseconds since 1970 of a FILETIME."""
    return (filetime - _UNIX_EPOCH) // 10


def utc_offset(zone: Zone | None, first_local: int, started_utc: int) -> tuple[int | None, str]:
    """Minutes east of UTC at the first sample, and where from: `start`, `dates`, `utc` or `unknown`.

    `utc` means that the stamps agree with the start in UTC though the zone is another: they are in UTC.
    """
    if zone is None:
        return None, "unknown"
    if is_plausible(started_utc):
        measured = (first_local - started_utc) / _TICKS_PER_MINUTE
        for candidate in (zone.standard, zone.summer):
            if abs(measured - candidate) <= _CLOSE_MINUTES:
                return candidate, "start"
        if abs(measured) <= _CLOSE_MINUTES:
            return 0, "utc"
    return _by_dates(zone, first_local), "dates"


def _by_dates(zone: Zone, local: int) -> int:
    if zone.standard_from is None or zone.summer_from is None:
        return zone.standard
    moment = _EPOCH + timedelta(microseconds=local // 10)
    begin, end = (_moment(change, moment.year) for change in (zone.summer_from, zone.standard_from))
    is_summer = begin <= moment < end if begin < end else not end <= moment < begin
    return zone.summer if is_summer else zone.standard


def _moment(change: Change, year: int) -> datetime:
    if change.year:
        return datetime(change.year, change.month, 1) + timedelta(days=change.week - 1, minutes=change.minutes)
    first = datetime(year, change.month, 1)
    day = (change.weekday - (first.weekday() + 1)) % 7 + 7 * (change.week - 1)
    while (first + timedelta(days=day)).month != change.month:
        day -= 7
    return first + timedelta(days=day, minutes=change.minutes)


def _parse_change(data: bytes, at: int) -> Change | None:
    """The SYSTEMTIME at `at`; None when it is empty, as in zones without summer time."""
    year, month, weekday, day, hour, minute = struct.unpack_from("<6H", data, at)
    sound = 1 <= month <= 12 and weekday <= 6 and hour <= 24 and minute < 60 and year <= 2200
    if not sound or not 1 <= day <= (31 if year else 5):
        return None
    return Change(year, month, weekday, day, hour * 60 + minute)
