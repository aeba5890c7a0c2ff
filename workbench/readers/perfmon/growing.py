"""A perfmon file that is still written to: each look reads the whole lines that were appended since the last one.

What comes out is what the careful way makes of the same lines in one go, with one difference: a last line without its
line end waits until it is whole. UTF-16, and a file whose lines end in nothing but a carriage return, cannot be read in
pieces.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

import numpy as np
import polars as pl

from workbench.model.reading import Reading
from workbench.readers.common.row_problems import Problems
from workbench.readers.perfmon.held import Block, joined
from workbench.readers.perfmon.notes import note_header, note_language, note_layout
from workbench.readers.perfmon.opened import OpenedFile, open_file
from workbench.readers.perfmon.reader import PerfmonRefusedError, finish, reading_of, without_samples
from workbench.readers.perfmon.rows import RowReader, block_bytes, first_notation
from workbench.readers.perfmon.table import ColumnLayout, layout_of
from workbench.readers.text.numbers import Notation

# The bytes at the beginning, and before the first one that is not read yet, by which a file is known again.
_KNOWN_BY = 4096
# More pieces than this are joined to one.
_MOST_FRAMES = 64


@dataclass(frozen=True, eq=False)
class Growing:
    """A file as far as it has been read: `read_to` bytes, which end with a line.

    `rows` takes in what follows: of two states of one file only the later one is used.
    """

    opened: OpenedFile
    layout: ColumnLayout
    rows: RowReader
    problems: Problems
    read_to: int
    inode: int
    head: bytes
    tail: bytes = b""


def begin(
    path: Path, name: str, date_order: str | None = None, *, keep_all: bool = False, notation: Notation | None = None
) -> Growing | None:
    """The file with nothing read but its header; None where it cannot be read in pieces, or has no whole row yet.

    `keep_all`: a column that is no counter by its name is kept as one; `notation` is that of the numbers, by default
    what the first row tells. Raises OSError.
    """
    if not path.stat().st_size:
        return None
    opened = open_file(path, name, date_order)
    text, start = opened.text, opened.start
    if text.data is not None or not opened.header.names or opened.glued:
        return None
    if not next(text.blocks(start, 1), b"").endswith(b"\n"):
        return None
    layout, problems = layout_of(opened.header, opened.first_row, keep_all), Problems(name)
    reader = RowReader(opened, layout, notation or first_notation(opened), problems, _kept)
    head = text.head(min(start, _KNOWN_BY))
    return Growing(opened, layout, reader, problems, start, path.stat().st_ino, head)


def extended(growing: Growing) -> Growing | None:
    """The file with every line that is whole by now; None where it is another file: it has shrunk, or was replaced.

    Raises OSError where it cannot be read.
    """
    with growing.opened.text.path.open("rb") as stream:
        if not _is_same(growing, stream):
            return None
        read_to = growing.read_to + _taken(growing, stream)
        stream.seek(max(0, read_to - _KNOWN_BY))
        tail = stream.read(min(read_to, _KNOWN_BY))
    rows, opened = growing.rows.rows, growing.opened
    used, decided = rows.description_used and growing.layout.dropped > 0, rows.evidence.decided()
    if used or (isinstance(decided, Notation) and decided != rows.notation):
        notation = decided if isinstance(decided, Notation) else None
        keep_all = used or len(opened.header.names) == growing.layout.kept
        again = begin(opened.text.path, opened.name, opened.date_order, keep_all=keep_all, notation=notation)
        return None if again is None else extended(again)
    _joined(growing.rows)
    return replace(growing, read_to=read_to, tail=tail)


def reading(growing: Growing, columns: Path) -> Reading:
    """What the lines so far hold, the samples written to `columns`; see `workbench.model.reading.Reader`."""
    opened, layout, problems = growing.opened, growing.layout, Problems(growing.opened.name)
    note_header(opened.header, opened.header_line, problems)
    problems.take(growing.problems)
    growing.rows.close(problems)
    rows = growing.rows.rows
    if rows.trailing_cell and layout.width == layout.header.width:
        layout = replace(layout, dropped=layout.dropped + 1)
    try:
        stored = finish(opened, layout, rows, columns, problems)
    except PerfmonRefusedError as refused:
        return without_samples(opened, problems, refused.rows)
    note_layout(stored.layout, stored.series, opened.header_line, problems)
    note_language(stored.series, opened.header.foreign, opened.header_line, problems)
    return reading_of(opened, stored, problems)


def _kept(block: Block) -> Block:
    return block


def _taken(growing: Growing, stream: IO[bytes]) -> int:
    """Reads the whole lines that follow; returns their bytes."""
    stream.seek(growing.read_to)
    taken = 0
    while block := stream.read(block_bytes(growing.layout)):
        block += b"" if block.endswith(b"\n") else stream.readline()
        whole = block[: block.rfind(b"\n") + 1]
        if whole:
            growing.rows.take(whole)
        taken += len(whole)
        if len(whole) < len(block):
            break
    return taken


def _is_same(growing: Growing, stream: IO[bytes]) -> bool:
    """Whether what was read still stands in the file as it was."""
    status = os.fstat(stream.fileno())
    if status.st_size < growing.read_to or status.st_ino != growing.inode:
        return False
    if stream.read(len(growing.head)) != growing.head:
        return False
    stream.seek(growing.read_to - len(growing.tail))
    return stream.read(len(growing.tail)) == growing.tail


def _joined(reader: RowReader) -> None:
    """Puts many small pieces together."""
    rows = reader.rows
    blocks = [held for held in rows.frames if isinstance(held, pl.DataFrame | np.ndarray)]
    if len(blocks) > _MOST_FRAMES:
        rows.frames, rows.heights = [joined(blocks)], [sum(rows.heights)]
