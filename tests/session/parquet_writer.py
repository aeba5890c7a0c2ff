"""A writer of Parquet files that can state a content that the files do not have."""

from __future__ import annotations

import gzip
from dataclasses import dataclass, replace
from typing import Any

I32, I64, BYTES, LIST, STRUCT = 5, 6, 8, 9, 12
PLAIN, DELTA, RLE_DICTIONARY = 0, 5, 8
Field = tuple[int, int, Any]


def varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes((*out, value))


def zigzag(value: int) -> bytes:
    return varint(value << 1 if value >= 0 else (-value << 1) - 1)


def value_bytes(kind: int, value: Any) -> bytes:
    if kind in (I32, I64):
        return zigzag(value)
    if kind == BYTES:
        return varint(len(value)) + value
    if kind == LIST:
        inner, values = value
        return bytes((0xF0 | inner,)) + varint(len(values)) + b"".join(value_bytes(inner, each) for each in values)
    return struct(*value)


def struct(*fields: Field) -> bytes:
    out, last = b"", 0
    for number, kind, value in fields:
        out += bytes(((number - last) << 4 | kind,)) + value_bytes(kind, value)
        last = number
    return out + b"\0"


@dataclass(frozen=True)
class Page:
    """A page of values (kind 0) or a dictionary (kind 2); its header states the real content unless other values are
    given."""

    content: bytes
    values: int
    kind: int = 0
    encoding: int = PLAIN
    unpacked: int | None = None
    packed: bytes | None = None

    def written(self, gzipped: bool) -> bytes:
        body = self.packed or (gzip.compress(self.content, mtime=0) if gzipped else self.content)
        unpacked = len(self.content) if self.unpacked is None else self.unpacked
        own = [(1, I32, self.values), (2, I32, self.encoding)]
        levels = [(3, I32, 3), (4, I32, 3)] if self.kind == 0 else []
        head: list[Field] = [(1, I32, self.kind), (2, I32, unpacked), (3, I32, len(body))]
        return struct(*head, (5 if self.kind == 0 else 7, STRUCT, [*own, *levels])) + body


@dataclass(frozen=True)
class Column:
    """A column of the one row group; `kind` 2 is Int64, 5 Float64."""

    name: str
    pages: tuple[Page, ...]
    kind: int = 5


@dataclass(frozen=True)
class Parquet:
    """A whole file; `rows` and the rows of its group are the stated numbers."""

    columns: tuple[Column, ...]
    rows: int
    group_rows: int | None = None
    values: int | None = None
    gzipped: bool = False
    schema_extra: tuple[Field, ...] = ()

    def written(self) -> bytes:
        out, chunks = b"PAR1", []
        values = self.rows if self.values is None else self.values
        for column in self.columns:
            start, pages = len(out), [page.written(self.gzipped) for page in column.pages]
            out += b"".join(pages)
            data_at = start + (len(pages[0]) if column.pages[0].kind == 2 else 0)
            meta: list[Field] = [
                (1, I32, column.kind),
                (2, LIST, (I32, [3, *sorted({page.encoding for page in column.pages})])),
                (3, LIST, (BYTES, [column.name.encode()])),
                (4, I32, 2 if self.gzipped else 0),
                (5, I64, values),
                (6, I64, sum(len(page.content) for page in column.pages)),
                (7, I64, len(out) - start),
                (9, I64, data_at),
                *([(11, I64, start)] if column.pages[0].kind == 2 else []),
            ]
            chunks.append([(2, I64, start), (3, STRUCT, meta)])
        names = [[(1, I32, c.kind), (3, I32, 0), (4, BYTES, c.name.encode()), *self.schema_extra] for c in self.columns]
        root: list[Field] = [(4, BYTES, b"root"), (5, I32, len(names))]
        group = [
            (1, LIST, (STRUCT, chunks)),
            (2, I64, 1),
            (3, I64, values if self.group_rows is None else self.group_rows),
        ]
        footer = struct(
            (1, I32, 1), (2, LIST, (STRUCT, [root, *names])), (3, I64, self.rows), (4, LIST, (STRUCT, [group]))
        )
        return out + footer + len(footer).to_bytes(4, "little") + b"PAR1"


def numbers(count: int) -> Page:
    """That many zeros, 8 bytes each."""
    return Page(bytes(8 * count), count)


def table(count: int, *more: Column) -> Parquet:
    """A valid table of `t` and `c0`, all zeros."""
    return Parquet((Column("t", (numbers(count),), 2), Column("c0", (numbers(count),)), *more), count)


def with_page(honest: Parquet, **changes: Any) -> Parquet:
    """The table with a last page that states a different content."""
    last = honest.columns[-1]
    column = replace(last, pages=(*last.pages[:-1], replace(last.pages[-1], **changes)))
    return replace(honest, columns=(*honest.columns[:-1], column))
