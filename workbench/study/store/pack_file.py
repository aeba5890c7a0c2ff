"""The file in which many small sources share a place in the store (see `packs`): writes it, reads it, and removes
damaged columns from it.
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

# The position of the index, after the index.
_END = struct.Struct("<Q")
# A source that has no columns.
_NO_COLUMNS = ""
_NO_READING = msgspec.Raw(b"null")


class PackEntry(msgspec.Struct):
    """One source: its stamp, the name of its columns below the pack, and its reading as JSON."""

    source: Remembered
    columns: str = _NO_COLUMNS
    reading: msgspec.Raw = _NO_READING


Index = dict[str, PackEntry]


def drop(place: PackPlace) -> None:
    """Removes damaged or outdated columns from their pack: they are read again from their file. The other columns stay
    in place; a pack without other columns is deleted."""
    with suppress(OSError, struct.error, *UNREADABLE):
        with place.file.open("rb") as stream:
            start, index = _index(stream, place.file)
            stream.seek(0)
            data = stream.read(start)
        left = {name: entry for name, entry in index.items() if entry.columns != place.path.name}
        if left and len(left) < len(index):
            write_pack(place.file, data, left)
        # If the index is damaged, open columns can still be read by their position.
        elif index and not left:
            try_to_delete(place.file)


def write_pack(file: Path, data: bytes, index: Index) -> None:
    """Writes a pack as a whole and puts it in its place in one step. Raises OSError."""
    with replacing(file) as temporary, temporary.open("wb") as stream:
        stream.write(data + sealed(msgspec.json.encode(index), file) + _END.pack(len(data)))


def read_index(file: Path) -> Index:
    """Returns the index of a pack without reading its columns: they may be on a share. Empty if the index is damaged:
    the sources are then read again."""
    with suppress(OSError, struct.error, *UNREADABLE), file.open("rb") as stream:
        return _index(stream, file)[1]
    return {}


def _index(stream: BinaryIO, file: Path) -> tuple[int, Index]:
    """Returns the position of the index, and the index. Raises OSError, and struct.error and those of UNREADABLE if it
    is damaged."""
    end = stream.seek(-_END.size, os.SEEK_END)
    (start,) = _END.unpack(stream.read())
    if start > end:
        raise ValueError("the index begins behind its end")
    stream.seek(start)
    return start, msgspec.json.decode(opened(stream.read(end - start), file), type=Index)


# The ending of files that hold the columns of many sources.
PACK = ".pack"


class PackPlace(NamedTuple):
    """A file with the columns of many sources: the start of one source's columns, their bytes, and the bytes of the
    sealed checksums after them."""

    file: Path
    start: int
    size: int
    sums: int

    @property
    def path(self) -> Path:
        """Returns the path that identifies such columns: a path below their file."""
        return self.file / f"{self.start}-{self.size}-{self.sums}"


def place_of(columns: Path) -> PackPlace | None:
    """Returns the place of columns within a shared file; None for columns with a separate file."""
    if columns.parent.suffix != PACK:
        return None
    start, size, sums = map(int, columns.name.split("-"))
    return PackPlace(columns.parent, start, size, sums)


def file_of(columns: Path) -> Path:
    """Returns the file that holds these columns."""
    place = place_of(columns)
    return columns if place is None else place.file
