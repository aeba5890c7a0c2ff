"""Where columns lie that share a file with those of other sources (see `packs`)."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

# The ending of files that hold the columns of many sources.
PACK = ".pack"


class Place(NamedTuple):
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


def place_of(columns: Path) -> Place | None:
    """Where columns lie within a file; None for those that have a file of their own."""
    if columns.parent.suffix != PACK:
        return None
    start, size, sums = map(int, columns.name.split("-"))
    return Place(columns.parent, start, size, sums)


def file_of(columns: Path) -> Path:
    """The file that holds these columns."""
    place = place_of(columns)
    return columns if place is None else place.file
