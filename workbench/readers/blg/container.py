"""The container of a perfmon binary log: an event trace, its buffers, its messages and its clock.

Sources: the public documentation of TRACE_LOGFILE_HEADER, EVENT_TRACE_HEADER and TIME_ZONE_INFORMATION, and the bytes
of two real logs. Facts marked (bytes) are not documented anywhere.

- The file is a sequence of buffers of equal size. Each begins with 72 bytes (bytes): at 0 the buffer's size, at 24 its
sequence number, at 48 the number of bytes used, at 54 its kind (4: the first buffer).
- The first buffer holds one event: a 32-byte system header and TRACE_LOGFILE_HEADER with the clock of the trace, its
time zone and the counts of lost events and buffers. Pointers in it are 4 or 8 bytes wide, see `PointerSize`.
- Events are padded to 8 bytes. Byte 2 is the kind of header, byte 3 holds its flags. Perfmon's events have the 48-byte
EVENT_TRACE_HEADER (kind 10 from 32-bit, 20 from 64-bit Windows): size, class type, timestamp, GUID.
- The body of a perfmon event (bytes): a 16-byte GUID, the number of this part, the number of parts, then the data. A
message of more than about 8,000 bytes is split into several parts.

Every length is checked against the bytes that are there. Data that does not fit is skipped and counted in `Damage`.

Samples are stamped in local time (PDH_RAW_COUNTER: "Local time for when the data was collected, in FILETIME format").
The header gives the time zone (TIME_ZONE_INFORMATION: minutes to add to local time for UTC, and the days on which
summer time begins and ends) and the start of the trace in UTC. The zone has two offsets; the one that agrees with the
start is used. If neither agrees, the dates of summer time decide.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise
from typing import BinaryIO
from uuid import UUID

PROVIDER = UUID("933f3bb3-943e-490d-9ced-3cbb14c14479").bytes_le
CATALOGUE, SAMPLE, SUMMARY, NAMES = 32, 34, 35, 36
BUFFER_HEADER = 72
_EVENT_HEADER = 48
_PART_HEADER = 24
_TRACE_HEADER = 72 + 32  # start of TRACE_LOGFILE_HEADER
_ZONE_BYTES = 172
_SMALLEST_BUFFER, _LARGEST_BUFFER = 1 << 10, 1 << 24
_LARGEST_MESSAGE = 1 << 23
_MARKED = 0x80
# Kinds of event headers by the position of their size: byte 0 (EVENT_TRACE_HEADER and similar) or byte 4.
_SIZE_FIRST = frozenset((10, 11, 18, 19, 20, 21))
_SIZE_FIFTH = frozenset((1, 2, 3, 4, 16, 17))
_PERFMON_HEADERS = frozenset((10, 20))


@dataclass(frozen=True, slots=True)
class LogHeader:
    """The contents of the first buffer. `started` is a FILETIME in UTC, 0 if absent."""

    buffer_size: int
    buffers_written: int
    events_lost: int
    buffers_lost: int
    started: int
    zone: Zone | None
    file_name: str


@dataclass(frozen=True, slots=True)
class EventMessage:
    """One whole message: its class type, the FILETIME of its event, its bytes, and its offset in the file."""

    kind: int
    stamp: int
    body: bytes
    place: int


@dataclass(slots=True)
class Damage:
    """Counts of unreadable data: buffers, bytes of buffers, and messages with missing parts."""

    bad_buffers: list[int] = field(default_factory=list)
    cut_buffers: list[int] = field(default_factory=list)
    unread_bytes: int = 0
    unread_from: int | None = None
    incomplete: dict[int, list[int]] = field(default_factory=dict)

    def lost_message(self, kind: int, index: int) -> None:
        """Counts a message with a missing part."""
        self.incomplete.setdefault(kind, []).append(index)

    def unread(self, index: int, count: int) -> None:
        """Counts the rest of a buffer that could not be parsed."""
        self.unread_bytes += count
        if self.unread_from is None:
            self.unread_from = index


@dataclass(frozen=True, slots=True)
class Buffer:
    """One buffer: its sequence number, its offset in the file, and how many of its bytes are used."""

    sequence: int
    place: int
    used: int


@dataclass(frozen=True, slots=True)
class Buffers:
    """The buffers sorted by sequence number. `found` also counts damaged ones."""

    buffers: tuple[Buffer, ...]
    found: int
    reordered: bool
    gaps: int


def parse_header(head: bytes) -> LogHeader | None:
    """Returns the header of an event trace from the file's first bytes, or None if there is none."""
    if len(head) < _TRACE_HEADER + 72:
        return None
    buffer_size, used = struct.unpack_from("<I", head)[0], struct.unpack_from("<I", head, 48)[0]
    if not _SMALLEST_BUFFER <= buffer_size <= _LARGEST_BUFFER or buffer_size % 8:
        return None
    kind, marks, size = struct.unpack_from("<2xBBH", head, BUFFER_HEADER)
    stated = struct.unpack_from("<I", head, _TRACE_HEADER)[0]
    if kind not in (1, 2) or not marks & _MARKED or stated != buffer_size or used > buffer_size:
        return None
    pointer, lost = struct.unpack_from("<II", head, _TRACE_HEADER + 44)
    if pointer not in (4, 8):
        return None
    written = struct.unpack_from("<I", head, _TRACE_HEADER + 36)[0]
    zone_at = _TRACE_HEADER + 56 + 2 * pointer
    clock_at = (zone_at + _ZONE_BYTES + 7) & ~7
    if len(head) < clock_at + 32:
        return LogHeader(buffer_size, written, lost, 0, 0, None, "")
    started, buffers_lost = struct.unpack_from("<16xq4xI", head, clock_at)
    names = head[clock_at + 32 : min(len(head), BUFFER_HEADER + size)].decode("utf-16-le", errors="replace")
    file_name = names.partition("\0")[2].partition("\0")[0]
    zone = parse_zone(head[zone_at : zone_at + _ZONE_BYTES])
    return LogHeader(buffer_size, written, lost, buffers_lost, started, zone, file_name)


def find_buffers(stream: BinaryIO, size: int, buffer_size: int, damage: Damage) -> Buffers:
    """Returns every buffer of the file, sorted by sequence number. Notes damaged and cut-off buffers."""
    buffers: list[Buffer] = []
    places = range(0, size, buffer_size)
    for index in places:
        stream.seek(index)
        header = stream.read(BUFFER_HEADER)
        if len(header) < BUFFER_HEADER:
            damage.cut_buffers.append(index)
            continue
        stated, sequence, used = struct.unpack("<I20xq16xI20x", header)
        if stated != buffer_size or not BUFFER_HEADER <= used <= buffer_size:
            damage.bad_buffers.append(index)
            continue
        if index + used > size:
            damage.cut_buffers.append(index)
        buffers.append(Buffer(sequence, index, min(used, size - index)))
    ordered = sorted(buffers, key=lambda buffer: buffer.sequence)
    steps = [after.sequence - before.sequence for before, after in pairwise(ordered)]
    gaps = sum(step - 1 for step in steps if step > 1)
    return Buffers(tuple(ordered), len(places), ordered != buffers, gaps)


def messages(stream: BinaryIO, buffers: Buffers, damage: Damage) -> Iterator[EventMessage]:
    """Yields every whole perfmon message. Notes skipped data in `damage`."""
    joiner = _Joiner(damage)
    for buffer in buffers.buffers:
        stream.seek(buffer.place)
        data = stream.read(buffer.used)
        for index, event in _events(data, buffer.place, damage):
            message = joiner.take(event, index)
            if message is not None:
                yield message
    joiner.close()


def _events(data: bytes, start: int, damage: Damage) -> Iterator[tuple[int, bytes]]:
    """Yields the perfmon events of one buffer with their offsets in the file."""
    index = BUFFER_HEADER
    while index + 8 <= len(data):
        kind, marks = data[index + 2], data[index + 3]
        if kind in _SIZE_FIRST:
            size = int.from_bytes(data[index : index + 2], "little")
        elif kind in _SIZE_FIFTH:
            size = int.from_bytes(data[index + 4 : index + 6], "little")
        else:
            size = 0
        if not marks & _MARKED or size < 8 or index + size > len(data):
            damage.unread(start + index, len(data) - index)
            return
        is_perfmon = kind in _PERFMON_HEADERS and data[index + 24 : index + 40] == PROVIDER
        if is_perfmon and size >= _EVENT_HEADER + _PART_HEADER:
            yield start + index, data[index : index + size]
        index += (size + 7) & ~7


@dataclass(slots=True)
class _Begun:
    """A message whose last part has not been read yet."""

    place: int
    stamp: int
    parts: int
    bodies: list[bytes]
    size: int = 0


class _Joiner:
    """Joins the parts of a message. A message is lost if a part is missing or out of order."""

    def __init__(self, damage: Damage) -> None:
        self._damage = damage
        self._open: dict[int, _Begun] = {}
        self._lost: dict[int, tuple[int, int]] = {}  # by kind: stamp and parts of the last lost message

    def take(self, event: bytes, index: int) -> EventMessage | None:
        """Returns the message that this event completes, or None."""
        kind = event[4]
        stamp = struct.unpack_from("<q", event, 16)[0]
        part, parts = struct.unpack_from("<II", event, _EVENT_HEADER + 16)
        body = event[_EVENT_HEADER + _PART_HEADER :]
        begun = self._open.pop(kind, None)
        if part == 1:
            if begun is not None:
                self._damage.lost_message(kind, begun.place)
            self._lost.pop(kind, None)
            begun = _Begun(index, stamp, parts, [])
        elif begun is None or (begun.stamp, begun.parts, len(begun.bodies) + 1) != (stamp, parts, part):
            if begun is not None:
                self._damage.lost_message(kind, begun.place)
                self._lost[kind] = (begun.stamp, begun.parts)
            # Count a lost message only once, not again for each of its later parts.
            if self._lost.get(kind) != (stamp, parts):
                self._damage.lost_message(kind, index)
                self._lost[kind] = (stamp, parts)
            return None
        begun.bodies.append(body)
        begun.size += len(body)
        if begun.size > _LARGEST_MESSAGE or part > parts:
            self._damage.lost_message(kind, begun.place)
            self._lost[kind] = (stamp, parts)
            return None
        if part == parts:
            return EventMessage(kind, stamp, b"".join(begun.bodies), begun.place)
        self._open[kind] = begun
        return None

    def close(self) -> None:
        """Counts the messages whose last part never came."""
        for kind, begun in self._open.items():
            self._damage.lost_message(kind, begun.place)
        self._open.clear()


_EPOCH = datetime(1601, 1, 1)
_TICKS_PER_MINUTE = 600_000_000
_UNIX_EPOCH = 116_444_736_000_000_000  # 1970-01-01 as FILETIME
_EARLIEST, _LATEST = 119_600_064_000_000_000, 189_025_920_000_000_000  # 1980 and 2200
_LARGEST_BIAS = 16 * 60
_CLOSE_MINUTES = 5.0


@dataclass(frozen=True, slots=True)
class SummerTimeRule:
    """The rule for the start or end of summer time: the `week`-th (5: last) weekday of the month, or a date if `year`
    is set.
    """

    year: int
    month: int
    weekday: int
    week: int
    minutes: int


@dataclass(frozen=True, slots=True)
class Zone:
    """Minutes east of UTC in standard time and in summer time, and when each begins (None: no summer time)."""

    standard: int
    summer: int
    standard_from: SummerTimeRule | None
    summer_from: SummerTimeRule | None


def parse_zone(data: bytes) -> Zone | None:
    """Returns the zone of a TIME_ZONE_INFORMATION, or None if its numbers do not form a valid time zone."""
    if len(data) < 172:
        return None
    bias = struct.unpack_from("<i", data)[0]
    standard_bias, summer_bias = struct.unpack_from("<i", data, 84)[0], struct.unpack_from("<i", data, 168)[0]
    standard, summer = -(bias + standard_bias), -(bias + summer_bias)
    if max(abs(standard), abs(summer)) > _LARGEST_BIAS:
        return None
    return Zone(standard, summer, _parse_change(data, 68), _parse_change(data, 152))


def is_plausible(filetime: int) -> bool:
    """True if a timestamp is between 1980 and 2200."""
    return _EARLIEST <= filetime <= _LATEST


def to_unix_microseconds(filetime: int) -> int:
    """Converts a FILETIME to microseconds since 1970."""
    return (filetime - _UNIX_EPOCH) // 10


def utc_offset(zone: Zone | None, first_local: int, started_utc: int) -> tuple[int | None, str]:
    """Returns minutes east of UTC at the first sample (None: unknown), and the evidence: `start`, `dates`, `utc` or
    `unknown`.

    `utc` means that the samples are stamped in UTC: they agree with the start in UTC, although the zone is another.
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


def _moment(change: SummerTimeRule, year: int) -> datetime:
    if change.year:
        return datetime(change.year, change.month, 1) + timedelta(days=change.week - 1, minutes=change.minutes)
    first = datetime(year, change.month, 1)
    day = (change.weekday - (first.weekday() + 1)) % 7 + 7 * (change.week - 1)
    while (first + timedelta(days=day)).month != change.month:
        day -= 7
    return first + timedelta(days=day, minutes=change.minutes)


def _parse_change(data: bytes, at: int) -> SummerTimeRule | None:
    """Returns the rule of the SYSTEMTIME at `at`, or None if it is empty (a zone without summer time) or invalid."""
    year, month, weekday, day, hour, minute = struct.unpack_from("<6H", data, at)
    sound = 1 <= month <= 12 and weekday <= 6 and hour <= 24 and minute < 60 and year <= 2200
    if not sound or not 1 <= day <= (31 if year else 5):
        return None
    return SummerTimeRule(year, month, weekday, day, hour * 60 + minute)
