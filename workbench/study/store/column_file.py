"""The numbers of a stored file, read and never mapped. If a mapped file is cut short by another process, the system
ends a program that accesses the missing part (SIGBUS), without an exception.

Only the wanted columns are read, and the program never allocates more memory than the file's size. The formats are
Arrow IPC files as polars writes them, with uncompressed columns of numbers
(https://arrow.apache.org/docs/format/Columnar.html; its heads are FlatBuffers, https://flatbuffers.dev/internals/), and
NumPy arrays of float64 (`readers/common/flat_columns`).
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from io import BytesIO, FileIO
from itertools import compress, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench import disk_arrays
from workbench.cancellation import stop_if_cancelled
from workbench.study.store.column_sums import TIMES, DamagedError
from workbench.study.store.flat_buffers import FlatTable, root
from workbench.study.store.pack_file import place_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Numbers = npt.NDArray[Any]

_ARROW_MAGIC = b"ARROW1"
_FLAT_MAGIC = b"\x93NUMPY"
# Bytes read at once: between two reads an import can be cancelled.
_AT_ONCE = 1 << 22
# Arrow's columns begin at a multiple of this many bytes.
_ALIGNED = 64
# The length of the footer and the magic end an Arrow file; a mark and a length precede the head of a batch.
_TAIL, _HEAD = 10, 8
# NumPy pads the head of a two-dimensional array to this many bytes.
_FLAT_HEAD = 128
# Field positions in the tables Footer, Message, RecordBatch, Field, Int and FloatingPoint of the format.
_SCHEMA, _BATCHES, _FIELDS, _HEADER, _NODES, _BUFFERS, _COMPRESSION = 1, 3, 1, 2, 1, 2, 3
_NAME, _TYPE_IS, _TYPE, _WIDTH, _SIGNED, _PRECISION = 0, 2, 3, 0, 1, 0
_INT, _FLOAT = 2, 3
_BLOCK = [("offset", "<i8"), ("head", "<i4"), ("pad", "<i4"), ("body", "<i8")]
_NODE = [("rows", "<i8"), ("nulls", "<i8")]
_BUFFER = [("offset", "<i8"), ("bytes", "<i8")]


class _Piece(NamedTuple):
    """A column within a batch: its rows, its number of nulls, and the file positions of its validity bits and its
    values."""

    rows: int
    nulls: int
    held: int
    values: int


class _Batch(NamedTuple):
    """Rows of all columns: the start of their bytes, and the head's entries for each column and each buffer."""

    start: int
    nodes: Numbers
    buffers: Numbers

    def pieces(self, places: Numbers) -> list[_Piece]:
        """Returns the columns at these indices; a column has two buffers."""
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
        """Returns an array for `count` numbers, never one larger than the file."""
        import numpy as np

        self._check_room(count, np.dtype(kind).itemsize)
        return disk_arrays.empty(count, kind)

    def _check_room(self, count: int, size: int) -> None:
        """Raises DamagedError if `count` numbers of `size` bytes each are more than the file can hold."""
        if not 0 <= count * size <= self.size:
            raise DamagedError("the file is too short for its numbers")

    def rooms(self, counts: list[int], kinds: list[str]) -> list[Numbers]:
        """Like `room`, for several columns. Columns of one kind share one array: the system allocates it in large
        pages, and many small arrays cost more than reading."""
        free = {kind: self.room(sum(compress(counts, map(kind.__eq__, kinds))), kind) for kind in set(kinds)}
        rooms = []
        for count, kind in zip(counts, kinds, strict=True):
            rooms.append(free[kind][:count])
            free[kind] = free[kind][count:]
        return rooms

    def fill(self, numbers: Numbers, offset: int) -> None:
        """Reads the numbers at `offset`. Raises Cancelled, and DamagedError if the file ends before them."""
        stop_if_cancelled()
        self.stream.seek(self.start + offset)
        rest = numbers.data.cast("B") if numbers.size else memoryview(b"")
        while rest:
            read = self.stream.readinto(rest)
            if not read:
                raise DamagedError("the file ends before its numbers do")
            rest = rest[read:]

    def table(self, offsets: Numbers, count: int, aligned: int) -> list[Numbers]:
        """Returns columns of `count` float64 each at these offsets; each begins at a multiple of `aligned` bytes. They
        are the rows of one array. Neighbouring columns are read together, because a call for each took longer than
        reading."""
        import numpy as np

        self._check_room(offsets.size * count, 8)
        pitch = _pitch(offsets, -(-8 * count // aligned) * aligned, count)
        table = disk_arrays.empty((offsets.size, pitch // 8), "<f8")
        starts = np.concatenate(([0], 1 + np.flatnonzero(np.diff(offsets) != pitch), [offsets.size])).tolist()
        step = max(1, _AT_ONCE // max(1, pitch))
        for start, end in pairwise(starts):
            for first in range(start, end, step):
                last = min(first + step, end)
                # The file may end after the last column.
                part = table[first:last].reshape(-1)[: (last - first - 1) * (pitch // 8) + count]
                self.fill(part, int(offsets[first]))
        return list(table[:, :count])

    def numbers(self, offset: int, count: int, kind: str) -> Numbers:
        """Returns `count` numbers at `offset`."""
        numbers = self.room(count, kind)
        self.fill(numbers, offset)
        return numbers

    def bytes(self, offset: int, count: int) -> bytes:
        """Returns `count` bytes at `offset`."""
        return self.numbers(offset, count, "u1").tobytes()


def _pitch(offsets: Numbers, least: int, count: int) -> int:
    """Returns the bytes from one column of `count` numbers to the next: mostly `least`, or more with the validity bits
    between them."""
    import numpy as np

    usual = int(np.median(np.diff(offsets))) if offsets.size > 1 else least
    return usual if least <= usual <= least + count // 8 + 2 * _ALIGNED and usual % 8 == 0 else least


@contextmanager
def _opened(file: Path) -> Iterator[_File]:
    place = place_of(file)
    with (file if place is None else place.file).open("rb", buffering=0) as stream:
        end = os.fstat(stream.fileno()).st_size
        if place is not None and place.start + place.size > end:
            raise DamagedError("the file ends before these columns do")
        yield _File(stream, 0, end) if place is None else _File(stream, place.start, place.size)


def read_numbers(file: Path, columns: list[int]) -> dict[int, Numbers]:
    """Returns the times and the wanted columns by number. Raises DamagedError, FileNotFoundError and, for damaged
    heads, any exception of unpacking."""
    with _opened(file) as opened:
        return _numbers(opened, (TIMES, *columns))


def every_number(data: bytes) -> dict[int, Numbers]:
    """Returns the times and all columns of a finished file whose bytes are `data`."""
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
    import numpy as np

    start, _, rows = _flat_start(opened)
    offsets = start + 8 * rows * (np.array(wanted, np.int64) - TIMES)
    return dict(zip(wanted, opened.table(offsets, rows, 8), strict=True))


def rows_of(columns: list[Numbers]) -> Numbers | None:
    """Returns the columns as the rows of one array if `read_numbers` has read them so, otherwise None; nothing is
    copied."""
    whole = columns[0].base if columns else None
    if whole is None or whole.ndim != 2 or any(column.base is not whole for column in columns):
        return None
    # If the times have the same type, they are the first row.
    rows: Numbers = whole[len(whole) - len(columns) :, : columns[0].size]
    ends = zip((rows[0], rows[-1]), (columns[0], columns[-1]), strict=True)
    same = all(row.__array_interface__["data"] == column.__array_interface__["data"] for row, column in ends)
    return rows if same else None


def has_end(file: Path) -> bool:
    """True if a file is complete to its end. Raises OSError and, for a damaged head, any exception of NumPy."""
    with _opened(file) as opened:
        if opened.flat:
            _flat_start(opened)
            return True
        opened.stream.seek(-len(_ARROW_MAGIC), os.SEEK_END)
        return opened.stream.read() == _ARROW_MAGIC


def _flat_start(opened: _File) -> tuple[int, int, int]:
    """Returns the start of the numbers of a flat file, and its numbers of columns and rows. Raises DamagedError if its
    end is missing."""
    start, counters, rows = _flat_head(opened.bytes(0, min(_FLAT_HEAD, opened.size)))
    if start + 8 * counters * rows != opened.size:
        raise DamagedError("the array is not as long as its head says")
    return start, counters, rows


@lru_cache(maxsize=256)
def _flat_head(head: bytes) -> tuple[int, int, int]:
    """Like `_flat_start`, from the first bytes of a file. Cached: logs of a folder have equal heads, and NumPy is slow
    to parse one."""
    from numpy.lib import format as npy

    stream = BytesIO(head)
    npy.read_magic(stream)
    (counters, rows), by_columns, kind = npy.read_array_header_1_0(stream)
    if by_columns or kind != "<f8":
        raise DamagedError("the array is of another kind")
    return stream.tell(), counters, rows


class _Arrow:
    """An open Arrow file, read through its footer."""

    def __init__(self, file: _File) -> None:
        self._file = file
        end = file.size - _TAIL
        length = struct.unpack("<i", file.bytes(end, 4))[0]
        footer = root(file.bytes(end - length, length))
        self._schema = footer.table(_SCHEMA)
        self._width = self._schema.vector(_FIELDS, "<u4").size
        self._batches = [self._batch(block) for block in footer.vector(_BATCHES, _BLOCK).tolist()]

    def columns(self, wanted: tuple[int, ...]) -> dict[int, Numbers]:
        """Returns the columns, a null as NaN."""
        import numpy as np

        places = self._places(wanted)
        ats = np.array(places, np.intp)
        kinds = self._kinds(places)
        if len(self._batches) == 1 and len(wanted) > 1 and {*kinds[1:]} == {"<f8"}:
            return self._one_batch(wanted, ats, kinds[0])
        by_batch = [batch.pieces(ats) for batch in self._batches]
        pieces = [[some[index] for some in by_batch] for index in range(len(wanted))]
        rooms = self._file.rooms([sum(piece.rows for piece in some) for some in pieces], kinds)
        return {column: self._column(some, room) for column, some, room in zip(wanted, pieces, rooms, strict=True)}

    def _one_batch(self, wanted: tuple[int, ...], ats: Numbers, first_kind: str) -> dict[int, Numbers]:
        """Like `columns`, if all rows are in one batch: the times, then columns of float64."""
        import numpy as np

        (batch,) = self._batches
        offsets = batch.start + batch.buffers["offset"][2 * ats + 1]
        pieces = batch.pieces(ats)
        if len({piece.rows for piece in pieces}) > 1:
            raise DamagedError("the columns are not equally long")
        first = self._column(pieces[:1], self._file.room(pieces[0].rows, first_kind))
        values = self._file.table(offsets[1:], pieces[0].rows, _ALIGNED)
        for piece, column in zip(pieces[1:], values, strict=True):
            if piece.nulls:
                column[~self._held(piece)] = np.nan
        return dict(zip(wanted, (first, *values), strict=True))

    def numbers(self) -> tuple[int, ...]:
        """Returns the numbers of all columns, including the times."""
        names = [self._name(at).decode() for at in range(self._width)]
        return tuple(TIMES if name == "t" else int(name.removeprefix("c")) for name in names)

    def _batch(self, block: tuple[int, int, int, int]) -> _Batch:
        offset, length, _, _ = block
        head = root(self._file.bytes(offset + _HEAD, length - _HEAD)).table(_HEADER)
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
        """Returns a mask of the rows that hold a value."""
        import numpy as np

        if not piece.nulls:
            return np.ones(piece.rows, np.bool_)
        bits = self._file.numbers(piece.held, (piece.rows + 7) // 8, "u1")
        return np.unpackbits(bits, count=piece.rows, bitorder="little").view(np.bool_)

    def _places(self, wanted: tuple[int, ...]) -> list[int]:
        """Returns the index of each column in the file. Columns are mostly in order. A name is only searched if another
        column is at the expected index: there may be 50,000 of them."""
        names = [b"t" if column == TIMES else b"c%d" % column for column in wanted]
        places = [column - TIMES for column in wanted]
        if max(places) < self._width and self._schema.entries(_FIELDS, places).say(_NAME, names):
            return places
        named = {self._name(at): at for at in range(self._width)}
        return [named[name] for name in names]

    def _kinds(self, places: list[int]) -> list[str]:
        """Returns the NumPy type of each column."""
        fields = self._schema.entries(_FIELDS, places)
        types, sizes = fields.numbers(_TYPE_IS, "<u1"), fields.tables(_TYPE).numbers(_PRECISION, "<i2")
        return [
            f"<f{2 << size}" if type_is == _FLOAT else _whole(self._schema.entry(_FIELDS, at))
            for at, type_is, size in zip(places, types.tolist(), sizes.tolist(), strict=True)
        ]

    def _name(self, at: int) -> bytes:
        return self._schema.entry(_FIELDS, at).text(_NAME)


def _whole(field: FlatTable) -> str:
    """Returns the NumPy type of a column of whole numbers."""
    if field.number(_TYPE_IS, "<B") == _INT:
        of = field.table(_TYPE)
        return f"<{'i' if of.number(_SIGNED, '<B') else 'u'}{of.number(_WIDTH, '<i') // 8}"
    raise DamagedError("a column does not hold numbers")
