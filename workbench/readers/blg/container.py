"""The container of a perfmon binary log: an event trace, its buffers, and the messages in them.

Sources: the public documentation of TRACE_LOGFILE_HEADER, EVENT_TRACE_HEADER and TIME_ZONE_INFORMATION, and
the bytes of two real logs; what is marked (bytes) below stands in no documentation.

- The file is a row of buffers of one size. Each begins with 72 bytes (bytes): at 0 the buffer's size, at 24
  its sequence number, at 48 the bytes used, at 54 its kind (4: the first buffer).
- The first buffer holds one event, a 32-byte system header and TRACE_LOGFILE_HEADER, with the trace's clock,
  time zone and counts of what was lost. Pointers in it are 4 or 8 bytes wide, as `PointerSize` says.
- Events are padded to 8 bytes. Byte 2 is the kind of header, byte 3 its marks. Perfmon's events have the
  48-byte EVENT_TRACE_HEADER (kind 10 from 32-bit, 20 from 64-bit Windows): size, class type, time stamp, GUID.
- What follows in a perfmon event (bytes): a 16-byte GUID, the number of this part and the number of parts; a
  message of more than about 8,000 bytes comes in several parts.

Every length is checked against the bytes that are there; what does not fit is skipped and counted in `Damage`.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import BinaryIO
from uuid import UUID

from workbench.readers.blg.clock import Zone, parse_zone

PROVIDER = UUID("933f3bb3-943e-490d-9ced-3cbb14c14479").bytes_le
CATALOGUE, SAMPLE, SUMMARY, NAMES = 32, 34, 35, 36
BUFFER_HEADER = 72
_EVENT_HEADER = 48
_PART_HEADER = 24
_TRACE_HEADER = 72 + 32  # where TRACE_LOGFILE_HEADER begins
_ZONE_BYTES = 172
_SMALLEST_BUFFER, _LARGEST_BUFFER = 1 << 10, 1 << 24
_LARGEST_MESSAGE = 1 << 23
_MARKED = 0x80
# Kinds of event headers by where their size stands: at byte 0 (EVENT_TRACE_HEADER and its kin) or at byte 4.
_SIZE_FIRST = frozenset((10, 11, 18, 19, 20, 21))
_SIZE_FIFTH = frozenset((1, 2, 3, 4, 16, 17))
_PERFMON_HEADERS = frozenset((10, 20))


@dataclass(frozen=True, slots=True)
class LogHeader:
    """What the first buffer says. `started` is a FILETIME in UTC, 0 when absent."""

    buffer_size: int
    buffers_written: int
    events_lost: int
    buffers_lost: int
    started: int
    zone: Zone | None
    file_name: str


@dataclass(frozen=True, slots=True)
class Message:
    """One whole message: its class type, the FILETIME of its event, its bytes, and where it begins."""

    kind: int
    stamp: int
    body: bytes
    place: int


@dataclass(slots=True)
class Damage:
    """What could not be read: buffers, bytes of buffers, and messages whose parts are not all there."""

    bad_buffers: list[int] = field(default_factory=list)
    cut_buffers: list[int] = field(default_factory=list)
    unread_bytes: int = 0
    unread_from: int | None = None
    incomplete: dict[int, list[int]] = field(default_factory=dict)

    def lost_message(self, kind: int, index: int) -> None:
        """Counts a message of which some part is missing."""
        self.incomplete.setdefault(kind, []).append(index)

    def unread(self, index: int, count: int) -> None:
        """Counts the rest of a buffer that could not be walked through."""
        self.unread_bytes += count
        if self.unread_from is None:
            self.unread_from = index


@dataclass(frozen=True, slots=True)
class Buffer:
    """One buffer: its sequence number, where it begins, and how many of its bytes are used."""

    sequence: int
    place: int
    used: int


@dataclass(frozen=True, slots=True)
class Buffers:
    """The buffers in the order of their sequence numbers. `found` counts damaged ones too."""

    buffers: tuple[Buffer, ...]
    found: int
    reordered: bool
    gaps: int


def parse_header(head: bytes) -> LogHeader | None:
    """The header of an event trace from the file's first bytes; None when it is none."""
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
    """Every buffer of the file, in the order of their sequence numbers; notes what is no buffer, or cut."""
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


def messages(stream: BinaryIO, buffers: Buffers, damage: Damage) -> Iterator[Message]:
    """Every whole perfmon message; notes in `damage` what had to be skipped."""
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
    """The perfmon events of one buffer, with their places in the file."""
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
    """A message whose last part has not come yet."""

    place: int
    stamp: int
    parts: int
    bodies: list[bytes]
    size: int = 0


class _Joiner:
    """Puts the parts of a message together; a message is lost when a part is missing or out of order."""

    def __init__(self, damage: Damage) -> None:
        self._damage = damage
        self._open: dict[int, _Begun] = {}
        self._lost: dict[int, tuple[int, int]] = {}  # by kind: stamp and parts of the message lost last

    def take(self, event: bytes, index: int) -> Message | None:
        """The message that this event completes, if it does."""
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
            # The parts that still come of a message that is lost already are not counted again.
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
            return Message(kind, stamp, b"".join(begun.bodies), begun.place)
        self._open[kind] = begun
        return None

    def close(self) -> None:
        """Counts the messages that never came to their last part."""
        for kind, begun in self._open.items():
            self._damage.lost_message(kind, begun.place)
        self._open.clear()
