"""A perfmon file that is still being written: each look reads the whole lines appended since the last one.

The result equals that of the careful way for the same lines in one go, with one difference: a last line without its
line end waits until it is complete. UTF-16, and a file whose lines end only in a carriage return, cannot be read in
pieces.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

import numpy as np

from workbench.model.reading import Reading
from workbench.readers.common.row_problems import Problems
from workbench.readers.perfmon.fast import ColumnLayout, layout_of
from workbench.readers.perfmon.held import FloatArray
from workbench.readers.perfmon.opened import OpenedFile, PerfmonRefusedError, check_header, open_file
from workbench.readers.perfmon.reader import reading_of, store_rows, without_samples
from workbench.readers.perfmon.rows import RowReader, block_bytes, first_notation
from workbench.readers.text.numbers import Notation

# Bytes that identify the file: at its beginning, and before the first unread one.
_KNOWN_BY = 4096
# With more pieces than this they are joined to one.
_MOST_FRAMES = 64


@dataclass(frozen=True, eq=False)
class Growing:
    """A file as far as it has been read: `read_to` bytes, which end with a line.

    `rows` grows with the following lines: of two states of one file only the later one may be used.
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
    """Returns the file with only its header read, or None if it cannot be read in pieces or has no whole row yet.

    `keep_all`: a column whose name is not a counter path is kept as one. `notation` is the notation of the numbers, by
    default that of the first row. Raises OSError.
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
    """Returns the file with every line that is complete by now, or None if it is another file: it has shrunk or was
    replaced.

    Raises OSError if it cannot be read.
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
    """Returns the content of the lines so far and writes the samples to `columns`; see
    `workbench.model.reading.Reader`."""
    opened, layout, problems = growing.opened, growing.layout, Problems(growing.opened.name)
    rows = growing.rows.rows
    if rows.trailing_cell and layout.width == layout.header.width:
        layout = replace(layout, dropped=layout.dropped + 1)
    try:
        check_header(opened, problems)
        problems.take(growing.problems)
        growing.rows.close(problems)
        return reading_of(opened, store_rows(opened, layout, rows, columns, problems), problems)
    except PerfmonRefusedError as refused:
        return without_samples(opened, refused, problems)


def _kept(block: FloatArray) -> FloatArray:
    return block


def _taken(growing: Growing, stream: IO[bytes]) -> int:
    """Reads the next whole lines. Returns their number of bytes."""
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
    """True if the file still holds the data that was read, unchanged."""
    status = os.fstat(stream.fileno())
    if status.st_size < growing.read_to or status.st_ino != growing.inode:
        return False
    if stream.read(len(growing.head)) != growing.head:
        return False
    stream.seek(growing.read_to - len(growing.tail))
    return stream.read(len(growing.tail)) == growing.tail


def _joined(reader: RowReader) -> None:
    """Joins many small pieces."""
    rows = reader.rows
    blocks = [held for held in rows.frames if isinstance(held, np.ndarray)]
    if len(blocks) > _MOST_FRAMES:
        rows.frames, rows.heights = [np.concatenate(blocks, axis=1)], [sum(rows.heights)]
