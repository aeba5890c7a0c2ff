"""The lines of a large table as columns of text, some megabytes at a time.

One physical line is one row, as in every table: a stray quote costs no more than its own row. A block in which every
quote stands around a whole cell is split by polars; the lines of any other block one by one, with Python's csv module
where quotes stand around some cells.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from workbench.readers.tables.mapped_rows import quotes_fit
from workbench.readers.tables.timed import split_cells, split_lines
from workbench.readers.text.encodings import utf16_encoding

# Bytes that are split at a time: their cells take four times as much while they are text.
BLOCK = 1 << 23
BLANK = " \t,;|\0\x1a"
# Bytes at the end of a file that hold its last lines.
_LAST = 1 << 20
_QUOTE, _RETURN, _LINE_FEED, _MARK = 34, 13, 10, b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Block:
    """Whole lines of a table in UTF-8, each with a line feed at its end; `first` is the number of the first one."""

    first: int
    data: bytes

    @property
    def lines(self) -> pl.DataFrame:
        """The lines that hold more than separators: `line`, and `text` without its end."""
        texts = pl.Series([self.data.decode("utf-8")[:-1]]).str.split("\n").explode()
        return pl.DataFrame({"text": texts}).with_row_index("line", self.first).filter(_filled(pl.col("text")))

    def below(self, line: int) -> Block:
        """Its lines after a line of the file."""
        end = 0
        for _ in range(line + 1 - self.first):
            end = self.data.find(b"\n", end) + 1
            if not end:
                return Block(line + 1, b"")
        return Block(max(line + 1, self.first), self.data[end:])


@dataclass(frozen=True, slots=True)
class TableFile:
    """A file of lines and its encoding: UTF-16 by its mark or its zeros, UTF-8, else CP1252."""

    path: Path
    codec: str

    @property
    def encoding(self) -> str:
        """The name of the encoding in reports."""
        return "utf-16" if self.codec.startswith("utf-16") else self.codec

    def blocks(self) -> Iterator[Block]:
        """All its lines. Where the last one has no end, it is given one."""
        first, held = 1, b""
        for data in self._pieces():
            data = held + data
            # A return at the very end may be the first half of a line end.
            end = data.rfind(b"\n") + 1 or data.rfind(b"\r", 0, -1) + 1
            held = data[end:]
            if end:
                block = Block(first, _with_line_feeds(data[:end]))
                yield block
                first += block.data.count(b"\n")
        if held:
            yield Block(first, _with_line_feeds(held))

    def _pieces(self) -> Iterator[bytes]:
        """Its bytes in UTF-8, without the mark at the beginning."""
        decoder = None if self.codec == "utf-8" else codecs.getincrementaldecoder(self.codec)("replace")
        with self.path.open("rb") as stream:
            mark = _MARK
            while data := stream.read(BLOCK):
                text = data if decoder is None else decoder.decode(data).encode("utf-8")
                yield text.removeprefix(mark)
                mark = b""

    def line(self, number: int) -> str:
        """The text of a line."""
        for block in self.blocks():
            if text := block.below(number - 1).data:
                return text.partition(b"\n")[0].decode("utf-8")
        return ""

    def ends(self, line: int, count: int) -> list[str]:
        """So many of the first lines after `line`, and of the last ones."""
        first = next(self.blocks(), Block(1, b"")).below(line).data.split(b"\n", 2 * count)
        texts = [text.decode("utf-8") for text in first[: 2 * count]]
        if len(first) <= 2 * count:
            return texts
        with self.path.open("rb") as stream:
            stream.seek(max(0, self.path.stat().st_size - _LAST) & ~1)  # a letter of UTF-16 has two bytes
            last = split_lines(stream.read().decode(self.codec, errors="replace"))
        return texts[:count] + last[1:][-count:]

    def open_end(self) -> int | None:
        """The number of a last line without an end; None where it has one."""
        with self.path.open("rb") as stream:
            stream.seek(max(0, self.path.stat().st_size - 2))
            last = stream.read().replace(b"\0", b"")
        if not last or last[-1:] in b"\r\n":
            return None
        return sum(block.data.count(b"\n") for block in self.blocks())


def table_file(path: Path) -> TableFile:
    """The file with its encoding, for which it is read once."""
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


def block_of(text: str) -> Block:
    """A text as one block."""
    return Block(1, _with_line_feeds(text.encode("utf-8")))


def rows_of(block: Block, width: int, delimiter: str) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The lines of `width` cells, as `line` and `c0`, `c1`, …, and the others: `line` and the number of their
    `cells`, 0 where a quote is not closed."""
    rows = _split_at_once(block, width, delimiter) if block.data else None
    if rows is not None:
        return rows, pl.DataFrame(schema={"line": pl.UInt32, "cells": pl.UInt32})
    rows = _split_by_line(block.lines, width, delimiter)
    count = pl.col("cells").list.len()
    cells = [pl.col("cells").list.get(place).alias(f"c{place}") for place in range(width)]
    return rows.filter(count == width).select("line", *cells), rows.filter(count != width).select("line", count)


def is_blank(frame: pl.DataFrame) -> pl.Series:
    """Which rows of cells hold nothing but separators."""
    return ~frame.select(pl.any_horizontal(_filled(pl.col("^c\\d+$")))).to_series()


def _split_at_once(block: Block, width: int, delimiter: str) -> pl.DataFrame | None:
    """All lines as columns; None where one has another number of cells, or a quote within a cell."""
    if b"\0" in block.data or not _quotes_around_cells(block.data, delimiter):
        return None
    quote = '"' if b'"' in block.data else None
    try:
        rows = pl.read_csv(
            block.data,
            has_header=False,
            schema={f"c{place}": pl.String for place in range(width)},
            separator=delimiter,
            quote_char=quote,
            empty_string_is_null=False,
            row_index_name="line",
            row_index_offset=block.first,
        )
    except pl.exceptions.PolarsError:  # a line has more cells, or the first one another number
        return None
    # A line with fewer cells lacks the last one; a cell that runs over the end of a line takes two lines for one.
    return rows if rows.height == block.data.count(b"\n") and not rows[f"c{width - 1}"].null_count() else None


def _quotes_around_cells(data: bytes, delimiter: str) -> bool:
    """Whether each quote stands at the beginning or the end of a cell; one may run over the end of its line."""
    if b'"' not in data:
        return True
    letters = np.frombuffer(data, np.uint8)
    places = np.flatnonzero(letters == _QUOTE)
    if places.size % 2:
        return False
    # Of a quote at the very beginning the letter before is the last one of the block, a line feed.
    around = np.concatenate([letters[places[::2] - 1], letters[places[1::2] + 1]])
    return bool(((around == ord(delimiter)) | (around == _LINE_FEED)).all())


def _split_by_line(lines: pl.DataFrame, width: int, delimiter: str) -> pl.DataFrame:
    plain = ~pl.col("text").str.contains('["\0]')
    made = [
        lines.filter(plain).select("line", pl.col("text").str.split(delimiter).alias("cells")),
        _by_csv(lines.filter(~plain), delimiter),
    ]
    # Blank cells at the end, as spreadsheets leave them, are no cells.
    cells = pl.col("cells")
    beyond = cells.list.slice(width).list.join("").str.strip_chars() == ""
    cut = pl.when((cells.list.len() > width) & beyond).then(cells.list.head(width)).otherwise(cells)
    return pl.concat(made).with_columns(cut).sort("line")


def _by_csv(lines: pl.DataFrame, delimiter: str) -> pl.DataFrame:
    """Lines with quotes around some cells; one whose quotes do not fit has no cells."""
    texts = lines["text"].to_list()
    cells = [split_cells(line, delimiter) if "\0" not in line and quotes_fit(line, delimiter) else [] for line in texts]
    return lines.select("line", pl.Series("cells", cells, pl.List(pl.String)))


def _filled(text: pl.Expr) -> pl.Expr:
    return text.str.strip_chars(BLANK) != ""


def _with_line_feeds(data: bytes) -> bytes:
    if b"\r" in data:
        letters = np.frombuffer(data, np.uint8)
        if (letters[1:][letters[:-1] == _RETURN] == _LINE_FEED).all():
            data = data.translate(None, b"\r")  # several times as fast as replace
        else:
            data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return data if data.endswith(b"\n") else data + b"\n"
