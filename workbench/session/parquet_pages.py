"""Finds the unpacked size and content of a Parquet table from its directory and page headers, before anything is
unpacked.

A decoder trusts the sizes in a table, and a page of a few bytes may claim gigabytes. A table is accepted only if its
directory and every page agree, and no page states more bytes than its values need. Source of the format: Apache
Parquet, `parquet.thrift` and "File format"; Apache Thrift, "Compact protocol".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from workbench.cancellation import stop_if_cancelled

_MAGIC = b"PAR1"
# Field numbers in parquet.thrift.
_SCHEMA, _ROWS, _GROUPS = 2, 3, 4
_TYPE, _REPEATED, _NAME, _CHILDREN = 1, 3, 4, 5
_GROUP_CHUNKS, _GROUP_ROWS = 1, 3
_CHUNK_FILE, _CHUNK_META = 1, 3
_VALUES, _PACKED, _DATA_AT, _DICTIONARY_AT = 5, 7, 9, 11
_PAGE_KIND, _PAGE_UNPACKED, _PAGE_PACKED = 1, 2, 3
# Field number of the type-specific header in each kind of page: data, dictionary, data of version 2.
_PAGE_HEAD = {0: 5, 2: 7, 3: 8}
_DICTIONARY = 2
_INT64, _DOUBLE = 2, 5
# PLAIN, PLAIN_DICTIONARY, RLE, DELTA_BINARY_PACKED and RLE_DICTIONARY: the encodings of numbers.
_ENCODINGS = frozenset((0, 2, 3, 5, 8))
# A value takes 8 bytes; its index and its null flag take less than 8 more; small pages have some extra bytes.
_VALUE_BYTES, _PAGE_BYTES = 16, 4096
_DEEPEST = 12


@dataclass(frozen=True, slots=True)
class ParquetContents:
    """The contents of a table: number of rows, and for each column its name and whether it contains integers."""

    rows: int
    columns: dict[str, bool]


def contents_of(data: bytes) -> ParquetContents:
    """The contents of the Parquet file `data`. Raises ValueError if it is damaged, has anything except flat columns of
    Int64 and Float64, or states more data than it can contain."""
    start = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    if data[:4] != _MAGIC or data[-4:] != _MAGIC or start < len(_MAGIC):
        raise ValueError("not a Parquet file")
    try:
        directory = _Thrift(memoryview(data)[:-8], start).struct()
        contents = _contents(directory[_SCHEMA], directory[_ROWS])
        groups = directory[_GROUPS]
        if sum(group[_GROUP_ROWS] for group in groups) != contents.rows:
            raise ValueError("its row groups do not add up to its rows")
        pages = memoryview(data)[:start]
        for group in groups:
            _check_group(pages, group, len(contents.columns))
    except (LookupError, TypeError, AttributeError) as error:
        raise ValueError("its directory is damaged") from error
    return contents


def _contents(schema: list[dict[int, Any]], rows: int) -> ParquetContents:
    root, *columns = schema
    if root[_CHILDREN] != len(columns) or any(column.get(_CHILDREN) for column in columns):
        raise ValueError("its columns are nested")
    if any(column[_REPEATED] not in (0, 1) or column[_TYPE] not in (_INT64, _DOUBLE) for column in columns):
        raise ValueError("a column contains values that are not numbers")
    names = {bytes(column[_NAME]).decode(): column[_TYPE] == _INT64 for column in columns}
    if len(names) != len(columns):
        raise ValueError("two columns have the same name")
    return ParquetContents(rows, names)


def _check_group(pages: memoryview, group: dict[int, Any], width: int) -> None:
    rows, chunks = group[_GROUP_ROWS], group[_GROUP_CHUNKS]
    if rows < 0 or len(chunks) != width:
        raise ValueError("a row group lacks a column")
    for chunk in chunks:
        if _CHUNK_FILE in chunk:
            raise ValueError("a column is in another file")
        column = chunk[_CHUNK_META]
        starts = [column[_DATA_AT], column.get(_DICTIONARY_AT) or column[_DATA_AT]]
        if column[_VALUES] != rows or _values(pages, min(starts), column[_PACKED], rows) != rows:
            raise ValueError("a column lacks values for some rows")


def _values(pages: memoryview, at: int, size: int, rows: int) -> int:
    """Number of values in the pages of one column of a row group."""
    end, values = at + size, 0
    if not 0 <= at <= end <= len(pages):
        raise ValueError("the file ends before a column does")
    while at < end:
        stop_if_cancelled()
        thrift = _Thrift(pages, at)
        page = thrift.struct()
        kind = page[_PAGE_KIND]
        head = page[_PAGE_HEAD[kind]]
        held, packed = head[1], page[_PAGE_PACKED]
        most = min(held, rows) * _VALUE_BYTES + _PAGE_BYTES
        if not (0 <= held <= rows and 0 <= packed <= end - thrift.at and 0 <= page[_PAGE_UNPACKED] <= most):
            raise ValueError("a page declares an impossible size")
        # Field number of the encoding: 2 in headers of data and dictionary pages, 4 in those of version 2.
        if head[4 if kind == 3 else 2] not in _ENCODINGS:
            raise ValueError("a page has an encoding that is not used for numbers")
        values += 0 if kind == _DICTIONARY else held
        at = thrift.at + packed
    return values


class _Thrift:
    """Structs of Thrift's compact protocol, as fields by number. Every value takes at least one byte, so no struct can
    claim more values than bytes. Raises ValueError, and IndexError at the end of the bytes."""

    def __init__(self, data: memoryview, at: int) -> None:
        self._data, self.at = data, at

    def struct(self, depth: int = 0) -> dict[int, Any]:
        fields: dict[int, Any] = {}
        number = 0
        while kind := self._byte():
            number = number + (kind >> 4) if kind >> 4 else self._integer()
            fields[number] = kind & 15 == 1 if kind & 15 in (1, 2) else self._value(kind & 15, depth)
        return fields

    def _value(self, kind: int, depth: int) -> Any:
        if depth > _DEEPEST:
            raise ValueError("its directory is nested too deep")
        match kind:
            case 1 | 2 | 3:  # a boolean in a list is one byte
                return self._byte()
            case 4 | 5 | 6:
                return self._integer()
            case 7:
                return self._bytes(8)
            case 8:
                return self._bytes(self._varint())
            case 9 | 10:
                return self._list(depth)
            case 12:
                return self.struct(depth + 1)
        raise ValueError(f"its directory contains an unknown type ({kind})")

    def _list(self, depth: int) -> list[Any]:
        head = self._byte()
        size = head >> 4 if head >> 4 < 15 else self._varint()
        if size > len(self._data) - self.at:
            raise ValueError("a list declares an impossible size")
        return [self._value(head & 15, depth + 1) for _ in range(size)]

    def _byte(self) -> int:
        self.at += 1
        return self._data[self.at - 1]

    def _bytes(self, size: int) -> memoryview:
        self.at += size
        if self.at > len(self._data):
            raise ValueError("its directory is cut off")
        return self._data[self.at - size : self.at]

    def _varint(self) -> int:
        value = shift = 0
        while True:
            byte = self._byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value
            if shift > 63:
                raise ValueError("its directory contains a number that is too long")

    def _integer(self) -> int:
        value = self._data[self.at]
        if value > 127:
            value = self._varint()
        else:  # nearly all numbers are short
            self.at += 1
        return value >> 1 ^ -(value & 1)
