r"""Whole objects in a perfmon binary log: the performance data that the registry returns.

Source: the public documentation of winperf.h (PERF_DATA_BLOCK, PERF_OBJECT_TYPE, PERF_COUNTER_DEFINITION,
PERF_INSTANCE_DEFINITION, PERF_COUNTER_BLOCK). Windows writes this form for `\Object(*)\*`, that is every counter of an
object; it occurs in a log of 2007. A counter with a base is followed by the definition of that base. The counter type
determines the clock of a counter: 100 ns, the object's own, or the system's.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from workbench.readers.blg.catalogue import LONGEST_NAME, Names
from workbench.readers.blg.cook import BASES, NO_DATA, is_multi, needs_base, width_of
from workbench.readers.text.timestamps import BoolArray, IntArray

_SIGNATURE = "PERF".encode("utf-16-le")
_DATA_HEADER, _OBJECT_HEADER, _COUNTER, _INSTANCE = 88, 64, 40, 24
# No counter takes fewer bytes. An object that claims more counters is built to exhaust memory.
_BYTES_A_CELL = 4
_CACHED = 256
_OWN_CLOCK, _CLOCK_100NS = 0x00200000, 0x00100000
_TICKS_100NS = 10_000_000


@dataclass(frozen=True, slots=True)
class Definition:
    """One counter of an object. `base_at` and `base_width` give offset and size of its base; width 0 means no base."""

    name: str
    kind: int
    at: int
    width: int
    base_at: int
    base_width: int


@dataclass(frozen=True, eq=False)
class RawObject:
    """One object of one sample. The arrays are ordered by instance, then by counter.

    `instances` is None for an object without instances. Samples with the same structure have the same `key`.
    """

    name: str
    counters: tuple[Definition, ...]
    instances: tuple[str, ...] | None
    time_bases: tuple[int, ...]
    key: object
    first: IntArray
    second: IntArray
    count: IntArray
    valid: BoolArray


@dataclass(frozen=True, slots=True)
class _Clock:
    """The clocks of a data block: the system clock and the 100 ns clock."""

    ticks: int
    frequency: int
    ticks_100ns: int


@dataclass(frozen=True, slots=True)
class _Found:
    """The instances of one object: their names, and the start and end of each counter block."""

    names: tuple[str, ...] | None
    blocks: tuple[tuple[int, int], ...]


_Objects = dict[int, tuple[int, _Found | None]]  # by title: its start and its instances


class ObjectReader:
    """Reads whole objects. `unnamed` collects the title indices that no message of names explains."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._definitions: dict[tuple[str, bytes], tuple[Definition, ...] | None] = {}
        self.unnamed: set[int] = set()

    def read(self, data: bytes, host: str) -> list[RawObject] | None:
        """Returns the objects of one block, or None if they do not fit its bytes."""
        if len(data) < _DATA_HEADER or data[:8] != _SIGNATURE:
            return None
        little, total, offset, number = struct.unpack_from("<8xI8x3I", data)
        if little != 1 or not _DATA_HEADER <= offset <= total <= len(data):
            return None
        clock = _Clock(*struct.unpack_from("<3q", data, 56))
        names = self._names.get(host.casefold(), {})
        spans: list[tuple[int, int]] = []
        while len(spans) < number and offset + _OBJECT_HEADER <= total:
            length = struct.unpack_from("<I", data, offset)[0]
            if not _OBJECT_HEADER <= length <= total - offset:
                return None
            spans.append((offset, offset + length))
            offset += length
        if len(spans) < number:
            return None
        instances = {
            struct.unpack_from("<12xI", data, start)[0]: (start, _instances(data, start, end)) for start, end in spans
        }
        objects = [self._object(data, title, host, names, clock, instances) for title in instances]
        whole = [raw for raw in objects if raw is not None]
        return whole if len(whole) == len(objects) else None

    def _object(
        self, data: bytes, title: int, host: str, names: dict[int, str], clock: _Clock, objects: _Objects
    ) -> RawObject | None:
        start, own = objects[title]
        if own is None:
            return None
        definition_end = struct.unpack_from("<4xI", data, start)[0]
        counters = self._counters(data[start : start + definition_end], host, names)
        if counters is None or len(own.blocks) * len(counters) > len(data) // _BYTES_A_CELL:
            return None
        if title not in names:
            self.unnamed.add(title)
        instances = _with_parents(data, start, own, objects)
        object_clock = struct.unpack_from("<2q", data, start + 48)
        times, bases = zip(*(_clock_of(counter.kind, clock, object_clock) for counter in counters), strict=True)
        blocks = np.array(own.blocks, np.int64).reshape(-1, 2)
        first, whole = _gather(
            data, blocks, [counter.at for counter in counters], [counter.width for counter in counters]
        )
        base, has_base = _gather(
            data, blocks, [counter.base_at for counter in counters], [counter.base_width for counter in counters]
        )
        multi = np.array([is_multi(counter.kind) for counter in counters])
        based = np.array([needs_base(counter.kind) for counter in counters])
        second = np.where(based & ~multi, base, np.array(times, np.int64))
        name = names.get(title, f"object {title}")
        return RawObject(
            name,
            counters,
            instances,
            bases,
            (name, counters, instances),
            first.ravel(),
            second.ravel(),
            np.where(multi, base, 1).ravel(),
            (whole & (has_base | ~based)).ravel(),
        )

    def _counters(self, data: bytes, host: str, names: dict[int, str]) -> tuple[Definition, ...] | None:
        """Returns the counters of an object's definitions, without those that only serve other counters."""
        if len(data) < _OBJECT_HEADER:
            return None
        # Everything except the number of instances and the clock, which change between samples.
        key = (host, data[:40] + data[_OBJECT_HEADER:])
        if key not in self._definitions:
            if len(self._definitions) >= _CACHED:
                self._definitions.clear()
            self._definitions[key] = self._parse_counters(data, names)
        return self._definitions[key]

    def _parse_counters(self, data: bytes, names: dict[int, str]) -> tuple[Definition, ...] | None:
        offset, number = struct.unpack_from("<8xI20xI", data)
        raw: list[tuple[int, int, int]] = []  # title, type, offset
        while len(raw) < number:
            if offset + _COUNTER > len(data):
                return None
            length, title, kind, at = struct.unpack_from("<II20xI4xI", data, offset)
            if length < _COUNTER:
                return None
            raw.append((title, kind, at))
            offset += length
        counters: list[Definition] = []
        for (title, kind, at), (_, next_kind, next_at) in zip(raw, [*raw[1:], (0, 0, 0)], strict=True):
            if kind in BASES or kind in NO_DATA:
                continue
            if title not in names:
                self.unnamed.add(title)
            has_base = needs_base(kind) and next_kind in BASES
            name = names.get(title, f"counter {title}")
            base_at, base_width = (next_at, width_of(next_kind)) if has_base else (0, 0)
            counters.append(Definition(name, kind, at, width_of(kind), base_at, base_width))
        return tuple(counters) or None


def _clock_of(kind: int, clock: _Clock, own: Sequence[int]) -> tuple[int, int]:
    """Returns the time that a counter is measured against, and the ticks per second of that clock."""
    if kind & _OWN_CLOCK:
        return own[0], own[1]
    if kind & _CLOCK_100NS:
        return clock.ticks_100ns, _TICKS_100NS
    return clock.ticks, clock.frequency


def _instances(data: bytes, start: int, end: int) -> _Found | None:
    """Returns the instances of the object between `start` and `end`, or None if they do not fit."""
    definition_end, number, code_page = struct.unpack_from("<4xI32xiI", data, start)
    if not _OBJECT_HEADER <= definition_end <= end - start:
        return None
    offset = start + definition_end
    if number < 0:
        block = _counter_block(data, offset, end)
        return None if block is None else _Found(None, (block,))
    names: list[str] = []
    blocks: list[tuple[int, int]] = []
    while len(names) < number:
        if offset + _INSTANCE > end:
            return None
        length, name_at, name_length = struct.unpack_from("<I12xII", data, offset)
        if length < _INSTANCE or offset + length > end or name_at + name_length > length:
            return None
        names.append(_name(data[offset + name_at : offset + name_at + name_length], code_page))
        block = _counter_block(data, offset + length, end)
        if block is None:
            return None
        blocks.append(block)
        offset = block[1]
    return _Found(tuple(names), tuple(blocks))


def _counter_block(data: bytes, index: int, end: int) -> tuple[int, int] | None:
    if index + 4 > end:
        return None
    length = struct.unpack_from("<I", data, index)[0]
    return (index, index + length) if 4 <= length <= end - index else None


def _with_parents(data: bytes, start: int, own: _Found, objects: _Objects) -> tuple[str, ...] | None:
    """Returns the names of the instances, as `parent/child` if the parent's object is in the same block."""
    if own.names is None:
        return None
    offset = start + struct.unpack_from("<4xI", data, start)[0]
    result: list[str] = []
    for name, (_, end) in zip(own.names, own.blocks, strict=True):
        title, number = struct.unpack_from("<4xII", data, offset)
        parent = objects[title][1] if title in objects else None
        parents = parent.names if parent is not None and parent.names is not None else ()
        result.append(f"{parents[number]}/{name}" if number < len(parents) else name)
        offset = end
    return tuple(result)


def _name(data: bytes, code_page: int) -> str:
    encoding = f"cp{code_page}" if code_page else "utf-16-le"
    try:
        text = data.decode(encoding, errors="replace")
    except LookupError:
        text = data.decode("latin-1")
    return text.split("\0")[0][:LONGEST_NAME]


def _gather(data: bytes, blocks: IntArray, offsets: Sequence[int], widths: Sequence[int]) -> tuple[IntArray, BoolArray]:
    """Returns the numbers at `offsets` of every counter block (4 or 8 bytes wide; 0: none), and a mask of those inside
    their block."""
    at = blocks[:, :1] + np.array(offsets, np.int64)[None, :]
    wide = np.array(widths, np.int64)[None, :]
    inside = (wide > 0) & (at + wide <= blocks[:, 1:])
    source = np.frombuffer(data + bytes(8), np.uint8)
    places = np.where(inside, at, 0)
    numbers = source[places[..., None] + np.arange(8)].view("<i8")[..., 0]
    return np.where(wide == 4, numbers & 0xFFFFFFFF, numbers), inside
