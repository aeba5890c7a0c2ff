"""The samples of a perfmon binary log: blocks of raw values, and the counters they belong to.

The layout was worked out from the bytes of two real logs; the fields of a single counter are those of the documented
PDH_RAW_COUNTER. A sample is one block of kind 0 that contains one block per catalogue entry, in the order of the
catalogue. A block begins with 8 bytes: `BL`, the byte 3, its kind, and its size including these 8 bytes.

| kind | content after the 8 bytes |
|---|---|
| 1 | one counter: status, FILETIME (local), 4 empty bytes, first and second raw value (64 bits), multi count |
| 2 | one counter of many instances: size and number of items, status, 4 bytes, FILETIME (local); per item |
|   | the offset of its name after the 8 bytes, status, first and second raw value; then the names |
| 5 | whole objects, as RegQueryValueEx returns them for HKEY_PERFORMANCE_DATA: see `blg.objects` |

A status of 0 (PDH_CSTATUS_VALID_DATA) or 1 (PDH_CSTATUS_NEW_DATA) means that there is a value. The four bytes next to
an item's name are assumed to be its status: they are 0 throughout the two logs.
"""

from __future__ import annotations

import struct
from collections import Counter as Tally
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from workbench.readers.blg.catalogue import CatalogueEntry, Names, text_at
from workbench.readers.blg.cook import is_multi
from workbench.readers.blg.objects import ObjectReader, RawObject
from workbench.readers.text.timestamps import BoolArray, IntArray

_SAMPLE, SINGLE, MANY, OBJECTS = 0, 1, 2, 5
_BLOCK_HEADER = 8
_HIGHEST_VALID_STATUS = 1
_SINGLE_TYPE = np.dtype(
    [
        ("mark", "<u4"),
        ("size", "<u4"),
        ("status", "<u4"),
        ("stamp", "<i8"),
        ("gap", "<u4"),
        ("first", "<i8"),
        ("second", "<i8"),
        ("count", "<u4"),
        ("end", "<u4"),
    ]
)
_ITEM_TYPE = np.dtype([("name", "<u4"), ("status", "<u4"), ("first", "<i8"), ("second", "<i8")])
_MANY_HEADER = 24
_CACHED_BYTES = 1 << 25
# More counters than any machine has. A log that names more is damaged or built to exhaust memory.
MOST_COUNTERS = 1 << 18


class TooManyCountersError(Exception):
    """The log names more counters than `MOST_COUNTERS`."""


@dataclass(frozen=True, slots=True)
class RawCounter:
    """One counter of the log: its path, its type as in winperf.h, and the ticks per second of its clock.

    `known` is False if its block lacks data that its type needs.
    """

    path: str
    kind: int
    time_base: int
    known: bool = True


@dataclass(frozen=True, eq=False)
class RawSample:
    """The raw values of one sample. `columns` are indices into `Columns.counters`; if an index occurs twice, the later
    value counts."""

    stamp: int
    columns: IntArray
    first: IntArray
    second: IntArray
    count: IntArray
    valid: BoolArray


@dataclass(slots=True)
class Columns:
    """Every counter found so far, in the order of appearance."""

    counters: list[RawCounter] = field(default_factory=list)
    _places: dict[tuple[str, int], int] = field(default_factory=dict)

    def place(self, counter: RawCounter) -> int:
        """Returns the column of a counter, and adds a column for a new counter."""
        key = (counter.path, counter.kind)
        number = self._places.get(key)
        if number is None:
            if len(self.counters) >= MOST_COUNTERS:
                raise TooManyCountersError
            number = self._places[key] = len(self.counters)
            self.counters.append(counter)
        return number


_Part = tuple[IntArray, IntArray, IntArray, IntArray, BoolArray]


class _Cache:
    """Maps a set of names to its columns. Empties itself when changing instances fill it."""

    def __init__(self) -> None:
        self._kept: dict[object, IntArray] = {}
        self._bytes = 0

    def get(self, key: object) -> IntArray | None:
        """Returns the columns kept under `key`, or None."""
        return self._kept.get(key)

    def keep(self, key: object, columns: IntArray, size: int) -> None:
        """Keeps `columns` under the key. `size` is roughly the memory that the key needs."""
        if self._bytes > _CACHED_BYTES:
            self._kept.clear()
            self._bytes = 0
        self._kept[key] = columns
        self._bytes += size + columns.nbytes + 256


class SampleReader:
    """Reads samples that follow one catalogue. `unknown` counts unreadable blocks by entry."""

    def __init__(self, entries: tuple[CatalogueEntry, ...], names: Names, columns: Columns) -> None:
        self._entries = entries
        self._columns = columns
        self._objects = ObjectReader(names)
        self._many = _Cache()
        self._object_columns = _Cache()
        self._single = np.full(len(entries), -1, np.int64)
        for number, entry in enumerate(entries):
            if entry.form == 0:
                counter = RawCounter(entry.own_path(), entry.kind, entry.time_base)
                self._single[number] = columns.place(counter)
        self.unknown: Tally[int] = Tally()
        self.unnamed: set[int] = self._objects.unnamed
        self.entries = entries

    def read(self, stamp: int, body: bytes) -> RawSample | None:
        """Returns the raw values of one sample message, or None if its blocks do not fit its bytes or the catalogue."""
        blocks = _blocks(body)
        if blocks is None or len(blocks) != len(self._entries):
            return None
        parts: list[_Part] = []
        singles: list[int] = []
        for number, (kind, start, end) in enumerate(blocks):
            form = self._entries[number].form
            if kind == SINGLE and form == 0 and end - start == _SINGLE_TYPE.itemsize:
                singles.append(number)
                continue
            values: Iterable[_Part] | None = None
            if kind == MANY and form == 1:
                values = self._many_part(number, body[start + _BLOCK_HEADER : end])
            elif kind == OBJECTS:
                values = self._object_parts(number, body[start + _BLOCK_HEADER : end])
            if values is None:
                self.unknown[number] += 1
            else:
                parts += values
        if singles:
            parts.append(self._single_part(singles, body, blocks))
        if not parts:
            nothing = np.empty(0, np.int64)
            return RawSample(stamp, nothing, nothing, nothing, nothing, nothing.astype(np.bool_))
        columns, first, second, count, valid = zip(*parts, strict=True)
        return RawSample(
            stamp,
            np.concatenate(columns),
            np.concatenate(first),
            np.concatenate(second),
            np.concatenate(count),
            np.concatenate(valid),
        )

    def _single_part(self, singles: list[int], body: bytes, blocks: list[tuple[int, int, int]]) -> _Part:
        size = _SINGLE_TYPE.itemsize
        data = b"".join(body[blocks[number][1] : blocks[number][1] + size] for number in singles)
        values = np.frombuffer(data, _SINGLE_TYPE)
        numbers = np.array(singles, np.int64)
        return (
            self._single[numbers],
            values["first"].astype(np.int64),
            values["second"].astype(np.int64),
            values["count"].astype(np.int64),
            values["status"] <= _HIGHEST_VALID_STATUS,
        )

    def _many_part(self, number: int, data: bytes) -> list[_Part] | None:
        """Returns the items of one counter of many instances, or None if they do not fit."""
        if len(data) < _MANY_HEADER:
            return None
        count, status = struct.unpack_from("<4xII", data)
        names_at = _MANY_HEADER + count * _ITEM_TYPE.itemsize
        if names_at > len(data):
            return None
        items = np.frombuffer(data, _ITEM_TYPE, count, _MANY_HEADER)
        key = (number, items["name"].tobytes() + data[names_at:])
        columns = self._many.get(key)
        if columns is None:
            columns = self._many_columns(number, items["name"].tolist(), data)
            if columns is None:
                return None
            self._many.keep(key, columns, len(key[1]))
        valid = (items["status"] <= _HIGHEST_VALID_STATUS) & (status <= _HIGHEST_VALID_STATUS)
        first, second = items["first"].astype(np.int64), items["second"].astype(np.int64)
        return [(columns, first, second, np.ones(count, np.int64), valid)]

    def _many_columns(self, number: int, places: list[int], data: bytes) -> IntArray | None:
        entry = self._entries[number]
        names = [text_at(data, index) for index in places]
        known = [name for name in names if name is not None]
        if len(known) < len(names):
            return None
        # An item has no field for the number of its parts, which several timer types need.
        complete = not is_multi(entry.kind)
        counters = (RawCounter(entry.path(name), entry.kind, entry.time_base, complete) for name in numbered(known))
        return np.array([self._columns.place(counter) for counter in counters], np.int64)

    def _object_parts(self, number: int, data: bytes) -> list[_Part] | None:
        entry = self._entries[number]
        objects = self._objects.read(data, entry.host)
        if objects is None:
            return None
        named = [raw for raw in objects if raw.name.casefold() == entry.object.casefold()]
        return [self._object_part(entry, raw_object) for raw_object in named or objects]

    def _object_part(self, entry: CatalogueEntry, raw: RawObject) -> _Part:
        key = (entry.host, raw.key)
        columns = self._object_columns.get(key)
        if columns is None:
            instances = [None] if raw.instances is None else numbered(raw.instances)
            counters = (
                RawCounter(entry.path(instance, raw.name, counter.name), counter.kind, raw.time_bases[index])
                for instance in instances
                for index, counter in enumerate(raw.counters)
            )
            columns = np.array([self._columns.place(counter) for counter in counters], np.int64)
            self._object_columns.keep(key, columns, 64 * len(columns))
        return columns, raw.first, raw.second, raw.count, raw.valid


def numbered(names: Iterable[str]) -> list[str]:
    """Numbers instances with equal names as PDH does: `svchost`, `svchost#1`, `svchost#2`."""
    met: Tally[str] = Tally()
    result: list[str] = []
    for name in names:
        folded = name.casefold()
        result.append(f"{name}#{met[folded]}" if met[folded] else name)
        met[folded] += 1
    return result


def _blocks(body: bytes) -> list[tuple[int, int, int]] | None:
    """Returns kind, start and end of each block of a sample, or None if they do not fit."""
    if len(body) < _BLOCK_HEADER:
        return None
    mark, kind, size = struct.unpack_from("<3sBI", body)
    if mark != b"BL\x03" or kind != _SAMPLE or not _BLOCK_HEADER <= size <= len(body):
        return None
    blocks: list[tuple[int, int, int]] = []
    index = _BLOCK_HEADER
    while index + _BLOCK_HEADER <= size:
        mark, kind, length = struct.unpack_from("<3sBI", body, index)
        if mark != b"BL\x03" or not _BLOCK_HEADER <= length <= size - index:
            return None
        blocks.append((kind, index, index + length))
        index += length
    return blocks if index == size else None
