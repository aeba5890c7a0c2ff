"""The lines of a large table as columns of text, some megabytes at a time.

As in every table, one physical line is one row, so a stray quote damages only its own row. polars splits a block in
which every line has the header's cells. The lines of any other block are split one by one.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import compress
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from workbench.readers.tables.timed import split_cells
from workbench.readers.text.encodings import utf16_encoding
from workbench.readers.text.rows import BLANK, NUL, Fault, cell_counts, is_padded, row_fault, split_lines, split_row

# Bytes that are split at once: as text, their cells take four times as much.
BLOCK = 1 << 23
# Bytes at the end of a file that contain its last lines.
_LAST = 1 << 20
_RETURN, _LINE_FEED, _MARK = 13, 10, b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class CellBlock:
    """Whole lines of a table in UTF-8, each with a line feed at its end; `first` is the number of the first line."""

    first: int
    data: bytes

    def below(self, line: int) -> CellBlock:
        """Returns the lines of the block after a line of the file."""
        end = 0
        for _ in range(line + 1 - self.first):
            end = self.data.find(b"\n", end) + 1
            if not end:
                return CellBlock(line + 1, b"")
        return CellBlock(max(line + 1, self.first), self.data[end:])


@dataclass(frozen=True, slots=True)
class TableFile:
    """A file of lines and its encoding: UTF-16 by its mark or its zeros, UTF-8, otherwise CP1252."""

    path: Path
    codec: str

    @property
    def encoding(self) -> str:
        """Returns the name of the encoding in reports."""
        return "utf-16" if self.codec.startswith("utf-16") else self.codec

    def blocks(self) -> Iterator[CellBlock]:
        """Yields all lines in blocks. A last line without an end gets one."""
        first, held = 1, b""
        for data in self._pieces():
            data = held + data
            # A carriage return at the very end may be the first half of a line end.
            end = data.rfind(b"\n") + 1 or data.rfind(b"\r", 0, -1) + 1
            held = data[end:]
            if end:
                block = CellBlock(first, _with_line_feeds(data[:end]))
                yield block
                first += block.data.count(b"\n")
        if held:
            yield CellBlock(first, _with_line_feeds(held))

    def _pieces(self) -> Iterator[bytes]:
        """Yields the bytes in UTF-8, without the mark at the beginning."""
        decoder = None if self.codec == "utf-8" else codecs.getincrementaldecoder(self.codec)("replace")
        with self.path.open("rb") as stream:
            mark = _MARK
            while data := stream.read(BLOCK):
                text = data if decoder is None else decoder.decode(data).encode("utf-8")
                yield text.removeprefix(mark)
                mark = b""
        if decoder is not None and (half := decoder.decode(b"", final=True)):
            yield half.encode("utf-8")

    def line(self, number: int) -> str:
        """Returns the text of a line."""
        for block in self.blocks():
            if text := block.below(number - 1).data:
                return text.partition(b"\n")[0].decode("utf-8")
        return ""

    def ends(self, line: int, count: int) -> list[str]:
        """Returns the first lines after `line`, and the last lines of the file; at most this many of each."""
        first = next(self.blocks(), CellBlock(1, b"")).below(line).data.split(b"\n", 2 * count)
        texts = [text.decode("utf-8") for text in first[: 2 * count]]
        if len(first) <= 2 * count:
            return texts
        with self.path.open("rb") as stream:
            stream.seek(max(0, self.path.stat().st_size - _LAST) & ~1)  # a UTF-16 letter has two bytes
            last = split_lines(stream.read().decode(self.codec, errors="replace"))
        return texts[:count] + last[1:][-count:]

    def open_end(self) -> int | None:
        """Returns the number of a last line without an end, or None if it has one."""
        with self.path.open("rb") as stream:
            stream.seek(max(0, self.path.stat().st_size - 2))
            last = stream.read()
        if self.encoding == "utf-16":
            last = last.replace(b"\0", b"")
        if not last or last[-1:] in b"\r\n":
            return None
        return sum(block.data.count(b"\n") for block in self.blocks())


def table_file(path: Path) -> TableFile:
    """Returns the file with its encoding; this reads the file once."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    with path.open("rb") as stream:
        data = stream.read(BLOCK)
        if (utf16 := utf16_encoding(data[:65_536])) is not None:
            return TableFile(path, utf16)
        try:
            while data:
                if not data.isascii() or decoder.getstate()[0]:
                    decoder.decode(data)
                data = stream.read(BLOCK)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return TableFile(path, "cp1252")
    return TableFile(path, "utf-8")


def block_of(text: str) -> CellBlock:
    """Returns a text as one block."""
    return CellBlock(1, _with_line_feeds(text.encode("utf-8")))


class Faulty(NamedTuple):
    """A line that is not a whole row: its number, its cells as far as they are known, and its fault."""

    line: int
    cells: list[str]
    fault: Fault


def rows_of(block: CellBlock, width: int, delimiter: str) -> tuple[pl.DataFrame, list[Faulty]]:
    """Returns the whole rows, as `line` and `c0`, `c1`, …; and each other line that is not blank."""
    usual = cell_counts(block.data, delimiter) == width
    lines = np.arange(block.first, block.first + usual.size, dtype=np.uint32)
    if usual.all() and b"\0" not in block.data:
        return _split_at_once(lines, block.data, width, delimiter), []
    texts = block.data.split(b"\n")[:-1]
    usual &= np.array([b"\0" not in text for text in texts], np.bool_)
    # If few rows have the header's cells, the others may all have blank ones beyond the last column.
    usual &= 2 * np.count_nonzero(usual) >= usual.size
    rows = _split_at_once(lines[usual], b"".join(text + b"\n" for text in compress(texts, usual)), width, delimiter)
    others = [(int(lines[at]), texts[at].decode("utf-8")) for at in np.flatnonzero(~usual)]
    split = [(line, text, split_row(text, delimiter)) for line, text in others if text.strip(BLANK)]
    padded = not usual.any() and is_padded((cells for _, _, cells in split), width)
    whole, wrong = list[tuple[object, ...]](), list[Faulty]()
    for line, text, cells in split:
        fault = NUL if "\0" in text else row_fault(cells, width, padded)
        if fault is not None:
            wrong.append(Faulty(line, split_cells(text, delimiter), fault))
        elif cells is not None:
            whole.append((line, *cells[:width]))
    if whole:
        rows = pl.concat([rows, pl.DataFrame(whole, rows.schema, orient="row")]).sort("line")
    return rows, wrong


def is_blank(frame: pl.DataFrame) -> pl.Series:
    """Returns a mask of the rows of cells that hold only separators."""
    return ~frame.select(pl.any_horizontal(pl.col("^c\\d+$").str.strip_chars(BLANK) != "")).to_series()


def _split_at_once(lines: npt.NDArray[np.uint32], data: bytes, width: int, delimiter: str) -> pl.DataFrame:
    """Splits lines that all have this many cells."""
    cells = pl.read_csv(
        data,
        has_header=False,
        schema={f"c{place}": pl.String for place in range(width)},
        separator=delimiter,
        quote_char='"' if b'"' in data else None,
        empty_string_is_null=False,
        raise_if_empty=False,
    )
    return cells.insert_column(0, pl.Series("line", lines))


def _with_line_feeds(data: bytes) -> bytes:
    if b"\r" in data:
        letters = np.frombuffer(data, np.uint8)
        if (letters[1:][letters[:-1] == _RETURN] == _LINE_FEED).all():
            data = data.translate(None, b"\r")  # several times as fast as replace
        else:
            data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return data if data.endswith(b"\n") else data + b"\n"
