"""FlatBuffers tables, which give the positions of columns in Arrow files (https://flatbuffers.dev/internals/)."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy.typing as npt

    Numbers = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class FlatTable:
    """A FlatBuffers table: its bytes and its position in them."""

    data: bytes
    at: int

    def place(self, field: int) -> int:
        """Returns the position of a field, 0 if the table has none."""
        (back,) = struct.unpack_from("<i", self.data, self.at)
        head = self.at - back
        if 4 + 2 * field >= struct.unpack_from("<H", self.data, head)[0]:
            return 0
        (offset,) = struct.unpack_from("<H", self.data, head + 4 + 2 * field)
        return self.at + offset if offset else 0

    def number(self, field: int, kind: str) -> int:
        """Returns an integer of the type that `struct` names; 0 if the table has none."""
        at = self.place(field)
        return int(struct.unpack_from(kind, self.data, at)[0]) if at else 0

    def table(self, field: int) -> FlatTable:
        """Returns the table that a field points to."""
        return FlatTable(self.data, _led(self.data, self.place(field)))

    def vector(self, field: int, kind: Any) -> Numbers:
        """Returns the numbers, or tuples of numbers, of a vector."""
        import numpy as np

        at = _led(self.data, self.place(field))
        return np.frombuffer(self.data, kind, struct.unpack_from("<I", self.data, at)[0], at + 4)

    def entry(self, field: int, number: int) -> FlatTable:
        """Returns a table of a vector."""
        at = _led(self.data, self.place(field)) + 4 + 4 * number
        return FlatTable(self.data, _led(self.data, at))

    def entries(self, field: int, numbers: list[int]) -> FlatTables:
        """Returns several tables of a vector."""
        import numpy as np

        first = _led(self.data, self.place(field)) + 4
        data, places = np.frombuffer(self.data, np.uint8), first + 4 * np.array(numbers, np.int64)
        return FlatTables(data, places + FlatTables(data, places).read(places, "<u4"))

    def text(self, field: int) -> bytes:
        """Returns the bytes of a text."""
        return self.vector(field, "u1").tobytes()


class FlatTables:
    """Many tables of one kind, read together: reading 450 columns one by one took a tenth of a summary."""

    def __init__(self, data: Numbers, at: Numbers) -> None:
        self._data, self._at = data, at

    def places(self, field: int) -> Numbers:
        """Returns the position of a field in each, 0 if a table has none."""
        import numpy as np

        heads = self._at - self.read(self._at, "<i4")
        there = 4 + 2 * field < self.read(heads, "<u2")
        offsets = self.read(np.where(there, heads + 4 + 2 * field, 0), "<u2")
        return np.where(there & (offsets > 0), self._at + offsets, 0)

    def numbers(self, field: int, kind: str) -> Numbers:
        """Returns an integer of each; 0 if a table has none."""
        import numpy as np

        places = self.places(field)
        return np.where(places > 0, self.read(places, kind), 0)

    def tables(self, field: int) -> FlatTables:
        """Returns the tables that a field points to."""
        return FlatTables(self._data, self._led(self.places(field)))

    def say(self, field: int, texts: list[bytes]) -> bool:
        """True if a field of each table has the given text."""
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
        """Returns the numbers at these positions."""
        import numpy as np

        return self._data[places[:, None] + np.arange(np.dtype(kind).itemsize)].view(kind)[:, 0].astype(np.int64)

    def _led(self, places: Numbers) -> Numbers:
        return places + self.read(places, "<u4")


def root(data: bytes) -> FlatTable:
    """Returns the root table: the bytes begin with its offset."""
    return FlatTable(data, _led(data, 0))


def _led(data: bytes, at: int) -> int:
    """Returns the target of the offset at this position."""
    return at + int(struct.unpack_from("<I", data, at)[0])
