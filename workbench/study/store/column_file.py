"""The numbers of a stored file, read and never mapped: the system ends a program that looks at the missing part of a
mapped file which was cut short meanwhile (SIGBUS), and no exception says so.

Only the wanted columns are read, and nothing larger than the file is ever asked of memory. Arrow IPC files as polars
writes them, uncompressed columns of numbers (https://arrow.apache.org/docs/format/Columnar.html; its heads are
FlatBuffers, https://flatbuffers.dev/internals/), and NumPy arrays of float64 (`readers/perfmon/flat_columns`).
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO, FileIO
from itertools import compress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.interrupts import stop_if_cancelled
from workbench.study.store.column_sums import TIMES, DamagedError
from workbench.study.store.pack_place import place_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Numbers = npt.NDArray[Any]

_ARROW_MAGIC = b"ARROW1"
_FLAT_MAGIC = b"\x93NUMPY"
# The length of the footer and the magic end an Arrow file; a mark and a length stand in front of the head of a batch.
_TAIL, _HEAD = 10, 8
# NumPy pads the head of an array of two dimensions to so many bytes.
_FLAT_HEAD = 128
# Of the tables Footer, Message, RecordBatch, Field, Int and FloatingPoint of the format: the places of their fields.
_SCHEMA, _BATCHES, _FIELDS, _HEADER, _NODES, _BUFFERS, _COMPRESSION = 1, 3, 1, 2, 1, 2, 3
_NAME, _TYPE_IS, _TYPE, _WIDTH, _SIGNED, _PRECISION = 0, 2, 3, 0, 1, 0
_INT, _FLOAT = 2, 3
_BLOCK = [("offset", "<i8"), ("head", "<i4"), ("pad", "<i4"), ("body", "<i8")]
_NODE = [("rows", "<i8"), ("nulls", "<i8")]
_BUFFER = [("offset", "<i8"), ("bytes", "<i8")]


class _Piece(NamedTuple):
    """A column within a batch: its rows, how many are null, and where its bits and its values lie in the file."""

    rows: int
    nulls: int
    held: int
    values: int


class _Batch(NamedTuple):
    """Rows of all columns: where their bytes begin, and what its head says of each column and each buffer."""

    start: int
    nodes: Numbers
    buffers: Numbers

    def pieces(self, places: Numbers) -> list[_Piece]:
        """The columns at these places; a column has two buffers."""
        nodes, offsets = self.nodes[places], self.start + self.buffers["offset"]
        rows, nulls = nodes["rows"].tolist(), nodes["nulls"].tolist()
        return list(map(_Piece, rows, nulls, offsets[2 * places].tolist(), offsets[2 * places + 1].tolist()))


class _File:
    """An open file, or the columns in it from `start` on. Nothing is read beyond its end."""

    def __init__(self, stream: FileIO | BytesIO, start: int, size: int) -> None:
        self.stream, self.start, self.size = stream, start, size
        stream.seek(start)
        self.flat = stream.read(len(_FLAT_MAGIC)) == _FLAT_MAGIC

    def room(self, count: int, kind: str) -> Numbers:
        """An array for so many numbers, never one larger than the file."""
        import numpy as np

        if not 0 <= count * np.dtype(kind).itemsize <= self.size:
            raise DamagedError("the file is too short for its numbers")
        return np.empty(count, kind)

    def rooms(self, counts: list[int], kinds: list[str]) -> list[Numbers]:
        """The same for several columns, those of one kind in one piece: the system hands it out in large pages, and
        many small ones cost more than reading does."""
        free = {kind: self.room(sum(compress(counts, map(kind.__eq__, kinds))), kind) for kind in set(kinds)}
        rooms = []
        for count, kind in zip(counts, kinds, strict=True):
            rooms.append(free[kind][:count])
            free[kind] = free[kind][count:]
        return rooms

    def fill(self, numbers: Numbers, offset: int) -> None:
        """Reads the numbers that lie from there on. Raises Cancelled, and DamagedError where the file ends before
        them."""
        stop_if_cancelled()
        self.stream.seek(self.start + offset)
        rest = numbers.data.cast("B") if numbers.size else memoryview(b"")
        while rest:
            read = self.stream.readinto(rest)
            if not read:
                raise DamagedError("the file ends before its numbers do")
            rest = rest[read:]

    def numbers(self, offset: int, count: int, kind: str) -> Numbers:
        """So many numbers that lie from there on."""
        numbers = self.room(count, kind)
        self.fill(numbers, offset)
        return numbers

    def bytes(self, offset: int, count: int) -> bytes:
        """So many bytes that lie from there on."""
        return self.numbers(offset, count, "u1").tobytes()


@contextmanager
def _opened(file: Path) -> Iterator[_File]:
    place = place_of(file)
    with (file if place is None else place.file).open("rb", buffering=0) as stream:
        end = os.fstat(stream.fileno()).st_size
        if place is not None and place.start + place.size > end:
            raise DamagedError("the file ends before these columns do")
        yield _File(stream, 0, end) if place is None else _File(stream, place.start, place.size)


def read_numbers(file: Path, columns: list[int]) -> dict[int, Numbers]:
    """The times and the wanted columns by their number. Raises DamagedError, FileNotFoundError and, of damaged heads,
    whatever unpacking them raises."""
    with _opened(file) as opened:
        return _numbers(opened, (TIMES, *columns))


def every_number(data: bytes) -> dict[int, Numbers]:
    """The times and all columns of a finished file of which `data` are the bytes."""
    opened = _File(BytesIO(data), 0, len(data))
    if not opened.flat:
        arrow = _Arrow(opened)
        return arrow.columns(arrow.numbers())
    import numpy as np

    start, counters, rows = _flat_start(opened)
    return dict(enumerate(np.frombuffer(data, "<f8", offset=start).reshape(counters, rows), TIMES))


def _numbers(opened: _File, wanted: tuple[int, ...]) -> dict[int, Numbers]:
    if not opened.flat:
        return _Arrow(opened).columns(wanted)
    start, _, rows = _flat_start(opened)
    rooms = opened.rooms([rows] * len(wanted), ["<f8"] * len(wanted))
    for column, room in zip(wanted, rooms, strict=True):
        opened.fill(room, start + 8 * rows * (column - TIMES))
    return dict(zip(wanted, rooms, strict=True))


def has_end(file: Path) -> bool:
    """Whether a file is there to its end. Raises OSError, and of a damaged head whatever NumPy raises."""
    with _opened(file) as opened:
        if opened.flat:
            _flat_start(opened)
            return True
        opened.stream.seek(-len(_ARROW_MAGIC), os.SEEK_END)
        return opened.stream.read() == _ARROW_MAGIC


def _flat_start(opened: _File) -> tuple[int, int, int]:
    """Where the numbers of a flat file begin, and the numbers of columns and of rows. Raises DamagedError where its end
    is missing."""
    start, counters, rows = _flat_head(opened.bytes(0, min(_FLAT_HEAD, opened.size)))
    if start + 8 * counters * rows != opened.size:
        raise DamagedError("the array is not as long as its head says")
    return start, counters, rows


@lru_cache(maxsize=256)
def _flat_head(head: bytes) -> tuple[int, int, int]:
    """The same of the first bytes of a file. Logs of a folder have alike ones, and NumPy takes long over each."""
    from numpy.lib import format as npy

    stream = BytesIO(head)
    npy.read_magic(stream)
    (counters, rows), by_columns, kind = npy.read_array_header_1_0(stream)
    if by_columns or kind != "<f8":
        raise DamagedError("the array is of another kind")
    return stream.tell(), counters, rows


@dataclass(frozen=True, slots=True)
class _Table:
    """A FlatBuffers table: its bytes and its place in them."""

    data: bytes
    at: int

    def place(self, field: int) -> int:
        """Where a field lies, 0 where the table has none."""
        (back,) = struct.unpack_from("<i", self.data, self.at)
        head = self.at - back
        if 4 + 2 * field >= struct.unpack_from("<H", self.data, head)[0]:
            return 0
        (offset,) = struct.unpack_from("<H", self.data, head + 4 + 2 * field)
        return self.at + offset if offset else 0

    def number(self, field: int, kind: str) -> int:
        """A whole number of the kind that `struct` names; 0 where the table has none."""
        at = self.place(field)
        return int(struct.unpack_from(kind, self.data, at)[0]) if at else 0

    def table(self, field: int) -> _Table:
        """The table that a field leads to."""
        return _Table(self.data, _led(self.data, self.place(field)))

    def vector(self, field: int, kind: Any) -> Numbers:
        """The numbers, or tuples of numbers, of a vector."""
        import numpy as np

        at = _led(self.data, self.place(field))
        return np.frombuffer(self.data, kind, struct.unpack_from("<I", self.data, at)[0], at + 4)

    def entry(self, field: int, number: int) -> _Table:
        """A table of a vector."""
        at = _led(self.data, self.place(field)) + 4 + 4 * number
        return _Table(self.data, _led(self.data, at))

    def entries(self, field: int, numbers: list[int]) -> _Tables:
        """Several tables of a vector."""
        import numpy as np

        first = _led(self.data, self.place(field)) + 4
        data, places = np.frombuffer(self.data, np.uint8), first + 4 * np.array(numbers, np.int64)
        return _Tables(data, places + _Tables(data, places).read(places, "<u4"))

    def text(self, field: int) -> bytes:
        """The bytes of a text."""
        return self.vector(field, "u1").tobytes()


class _Tables:
    """Many tables of one kind, looked at together: 450 columns one by one took a tenth of a summary."""

    def __init__(self, data: Numbers, at: Numbers) -> None:
        self._data, self._at = data, at

    def places(self, field: int) -> Numbers:
        """Where a field lies in each, 0 where a table has none."""
        import numpy as np

        heads = self._at - self.read(self._at, "<i4")
        there = 4 + 2 * field < self.read(heads, "<u2")
        offsets = self.read(np.where(there, heads + 4 + 2 * field, 0), "<u2")
        return np.where(there & (offsets > 0), self._at + offsets, 0)

    def numbers(self, field: int, kind: str) -> Numbers:
        """A whole number of each; 0 where a table has none."""
        import numpy as np

        places = self.places(field)
        return np.where(places > 0, self.read(places, kind), 0)

    def tables(self, field: int) -> _Tables:
        """The tables that a field leads to."""
        return _Tables(self._data, self._led(self.places(field)))

    def say(self, field: int, texts: list[bytes]) -> bool:
        """Whether a field of each is its text."""
        import numpy as np

        wanted = np.array(texts)
        width, lengths = wanted.itemsize, np.array([len(text) for text in texts])
        starts = self._led(self.places(field))
        if (self.read(starts, "<u4") != lengths).any():
            return False
        within = np.arange(width) < lengths[:, None]
        letters = self._data[np.where(within, starts[:, None] + 4 + np.arange(width), 0)]
        return bool((letters == wanted.view("u1").reshape(-1, width))[within].all())

    def read(self, places: Numbers, kind: str) -> Numbers:
        """The numbers that lie at these places."""
        import numpy as np

        return self._data[places[:, None] + np.arange(np.dtype(kind).itemsize)].view(kind)[:, 0].astype(np.int64)

    def _led(self, places: Numbers) -> Numbers:
        return places + self.read(places, "<u4")


class _Arrow:
    """An open Arrow file, by its footer."""

    def __init__(self, file: _File) -> None:
        self._file = file
        end = file.size - _TAIL
        length = struct.unpack("<i", file.bytes(end, 4))[0]
        footer = _root(file.bytes(end - length, length))
        self._schema = footer.table(_SCHEMA)
        self._width = self._schema.vector(_FIELDS, "<u4").size
        self._batches = [self._batch(block) for block in footer.vector(_BATCHES, _BLOCK).tolist()]

    def columns(self, wanted: tuple[int, ...]) -> dict[int, Numbers]:
        """The columns, a null as NaN."""
        import numpy as np

        places = self._places(wanted)
        ats = np.array(places, np.intp)
        kinds = self._kinds(places)
        by_batch = [batch.pieces(ats) for batch in self._batches]
        pieces = [[some[index] for some in by_batch] for index in range(len(wanted))]
        rooms = self._file.rooms([sum(piece.rows for piece in some) for some in pieces], kinds)
        return {column: self._column(some, room) for column, some, room in zip(wanted, pieces, rooms, strict=True)}

    def numbers(self) -> tuple[int, ...]:
        """The numbers of all columns, the times among them."""
        names = [self._name(at).decode() for at in range(self._width)]
        return tuple(TIMES if name == "t" else int(name.removeprefix("c")) for name in names)

    def _batch(self, block: tuple[int, int, int, int]) -> _Batch:
        offset, length, _, _ = block
        head = _root(self._file.bytes(offset + _HEAD, length - _HEAD)).table(_HEADER)
        if head.place(_COMPRESSION):
            raise DamagedError("no file of the store is compressed")
        return _Batch(offset + length, head.vector(_NODES, _NODE), head.vector(_BUFFERS, _BUFFER))

    def _column(self, pieces: list[_Piece], values: Numbers) -> Numbers:
        import numpy as np

        end = 0
        for piece in pieces:
            start, end = end, end + piece.rows
            self._file.fill(values[start:end], piece.values)
        if any(piece.nulls for piece in pieces):
            values = values.astype(np.float64, copy=False)
            values[~np.concatenate([self._held(piece) for piece in pieces])] = np.nan
        return values

    def _held(self, piece: _Piece) -> npt.NDArray[np.bool_]:
        """Which rows hold a value."""
        import numpy as np

        if not piece.nulls:
            return np.ones(piece.rows, np.bool_)
        bits = self._file.numbers(piece.held, (piece.rows + 7) // 8, "u1")
        return np.unpackbits(bits, count=piece.rows, bitorder="little").view(np.bool_)

    def _places(self, wanted: tuple[int, ...]) -> list[int]:
        """The place of each column among those of the file. Columns mostly lie in order, and a name is only looked for
        where it is another's: there may be 50,000 of them."""
        names = [b"t" if column == TIMES else b"c%d" % column for column in wanted]
        places = [column - TIMES for column in wanted]
        if max(places) < self._width and self._schema.entries(_FIELDS, places).say(_NAME, names):
            return places
        named = {self._name(at): at for at in range(self._width)}
        return [named[name] for name in names]

    def _kinds(self, places: list[int]) -> list[str]:
        """The kind of numbers of each column, in NumPy's words."""
        fields = self._schema.entries(_FIELDS, places)
        types, sizes = fields.numbers(_TYPE_IS, "<u1"), fields.tables(_TYPE).numbers(_PRECISION, "<i2")
        return [
            f"<f{2 << size}" if type_is == _FLOAT else _whole(self._schema.entry(_FIELDS, at))
            for at, type_is, size in zip(places, types.tolist(), sizes.tolist(), strict=True)
        ]

    def _name(self, at: int) -> bytes:
        return self._schema.entry(_FIELDS, at).text(_NAME)


def _whole(field: _Table) -> str:
    """The kind of a column of whole numbers, in NumPy's words."""
    if field.number(_TYPE_IS, "<B") == _INT:
        of = field.table(_TYPE)
        return f"<{'i' if of.number(_SIGNED, '<B') else 'u'}{of.number(_WIDTH, '<i') // 8}"
    raise DamagedError("a column does not hold numbers")


def _root(data: bytes) -> _Table:
    return _Table(data, _led(data, 0))


def _led(data: bytes, at: int) -> int:
    """Where the offset at this place leads."""
    return at + int(struct.unpack_from("<I", data, at)[0])
