"""The file in which many small sources share one of the store (see `packs`): written whole, read, and rid of what is
damaged.

Where columns lie that share a file with those of other sources (see `packs`).
"""

from __future__ import annotations

import os
import struct
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, NamedTuple

import msgspec

from workbench.file_replace import try_to_delete
from workbench.study.store.own_files import UNREADABLE, opened, sealed
from workbench.study.store.stamps import Remembered
from workbench.study.store.temporary import replacing

# What stands behind the index: where it begins.
_END = struct.Struct("<Q")
# A source that has no columns.
_NO_COLUMNS = ""
_NO_READING = msgspec.Raw(b"null")


class PackEntry(msgspec.Struct):
    """One source: what it was like, the name of its columns below the pack, and its reading as JSON."""

    source: Remembered
    columns: str = _NO_COLUMNS
    reading: msgspec.Raw = _NO_READING


Index = dict[str, PackEntry]


def drop(place: PackPlace) -> None:
    """Takes columns that are damaged, or out of date, out of their pack: they are read again from their file. What else
    it holds stays where it lies; a pack of nothing else is deleted."""
    with suppress(OSError, struct.error, *UNREADABLE):
        with place.file.open("rb") as stream:
            start, index = _index(stream, place.file)
            stream.seek(0)
            data = stream.read(start)
        left = {name: entry for name, entry in index.items() if entry.columns != place.path.name}
        if left and len(left) < len(index):
            write_pack(place.file, data, left)
        # Where the index is damaged, columns that are open are still read by their place.
        elif index and not left:
            try_to_delete(place.file)


def write_pack(file: Path, data: bytes, index: Index) -> None:
    """Writes a pack whole and puts it in its place in one step. Raises OSError."""
    with replacing(file) as temporary, temporary.open("wb") as stream:
        stream.write(data + sealed(msgspec.json.encode(index), file) + _END.pack(len(data)))


def read_index(file: Path) -> Index:
    """What a pack holds, without reading its columns: they may lie on a share. Empty where the index is damaged: the
    sources are then read again."""
    with suppress(OSError, struct.error, *UNREADABLE), file.open("rb") as stream:
        return _index(stream, file)[1]
    return {}


def _index(stream: BinaryIO, file: Path) -> tuple[int, Index]:
    """Where the index begins, and the index. Raises OSError, and struct.error and those of UNREADABLE where it is
    damaged."""
    end = stream.seek(-_END.size, os.SEEK_END)
    (start,) = _END.unpack(stream.read())
    if start > end:
        raise ValueError("the index begins behind its end")
    stream.seek(start)
    return start, msgspec.json.decode(opened(stream.read(end - start), file), type=Index)


# The ending of files that hold the columns of many sources.
PACK = ".pack"


class PackPlace(NamedTuple):
    """A file with the columns of many sources, where those of one begin in it, their bytes, and the bytes of their
    sealed sums, which lie behind them."""

    file: Path
    start: int
    size: int
    sums: int

    @property
    def path(self) -> Path:
        """What such columns are known by: a path below their file."""
        return self.file / f"{self.start}-{self.size}-{self.sums}"


def place_of(columns: Path) -> PackPlace | None:
    """Where columns lie within a file; None for those that have a file of their own."""
    if columns.parent.suffix != PACK:
        return None
    start, size, sums = map(int, columns.name.split("-"))
    return PackPlace(columns.parent, start, size, sums)


def file_of(columns: Path) -> Path:
    """The file that holds these columns."""
    place = place_of(columns)
    return columns if place is None else place.file
