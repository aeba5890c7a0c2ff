"""Checks if a row of a text table has as many cells as its header: the rule of every reader of tables.

A row that lacks a cell cannot be read: it is unknown which cell is missing, and every later value would be under the
wrong name. Blank cells beyond the last column, which spreadsheets leave, do not count.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.readers.common.row_problems import numbered

# The only characters of a blank line.
BLANK = " \t,;|\ufeff\0\x1a"
# Bytes examined at once: they fit a core's cache.
_PART = 1 << 18
_LINE_END = re.compile(r"\r\n|\r|\n")
_QUOTE, _LINE_FEED, _RETURN = ord('"'), ord("\n"), ord("\r")

BoolArray = npt.NDArray[np.bool_]


class Fault(NamedTuple):
    """The reason why a row cannot be read: a code, and the end of a sentence that begins with its line."""

    code: str
    why: str


NUL = Fault("row-damaged", "contains NUL bytes")


class Record(NamedTuple):
    """A row: its first physical line, its text, and its cells (None if its quotes do not match)."""

    line: int
    text: str
    cells: list[str] | None


def split_lines(text: str) -> list[str]:
    """Returns the physical lines, for any kind of line end."""
    return _LINE_END.split(text)


def split_row(text: str, delimiter: str) -> list[str] | None:
    """Returns the cells of a row without surrounding blanks, or None if a quote is not closed at the end of a cell."""
    if '"' not in text:
        return [cell.strip() for cell in text.split(delimiter)]
    if text.count('"') % 2:
        return None
    try:
        return [cell.strip() for cell in next(csv.reader([text], delimiter=delimiter, strict=True), [])]
    except csv.Error:
        # A cell longer than the csv module accepts is cut at every delimiter.
        return [cell.strip() for cell in text.split(delimiter)] if len(text) > csv.field_size_limit() else None


def is_padded(rows: Iterable[Sequence[str] | None], width: int) -> bool:
    """True if most rows have blank cells beyond the last column."""
    beyond = [len(cells) > width and not any(cells[width:]) for cells in rows if cells and any(cells)]
    return 2 * sum(beyond) > len(beyond)


def is_open_ended(rows: Iterable[Sequence[str] | None], width: int) -> bool:
    """True if most rows have as many cells as the header and leave the last one blank. In such a table a blank cell
    beyond the last column may be the last one, moved by an extra cell."""
    blank = [len(cells) == width and not cells[-1] for cells in rows if cells and any(cells)]
    return 2 * sum(blank) > len(blank)


def row_fault(cells: Sequence[str] | None, width: int, padded: bool = False) -> Fault | None:
    """Returns the code and the end of a sentence if a row does not have `width` cells, the number in its header.

    `padded`: the other rows have blank cells beyond the last column, so a row without them may lack a cell.
    """
    if cells is None:
        return Fault("row-damaged", "contains an unclosed quotation mark, or text directly after a closing one")
    if len(cells) < width or any(cells[width:]):
        return Fault("row-width", f"has {numbered(len(cells), 'cell')}, but the header has {width}")
    if padded and len(cells) == width and not cells[-1]:
        return Fault("row-width", f"has {numbered(width, 'cell')}, but the other rows have more")
    return None


def below_header(line: int) -> Fault:
    """Returns the fault of a row below the header on this line."""
    return Fault("other-header", f"belongs to the second header (line {line}), which has other columns than the first")


@dataclass(slots=True)
class HeaderWatch:
    """Recognises headers among the rows of a table, as in joined files. `other` is the line of a header with other
    columns, if rows below one are being read."""

    names: Sequence[str]
    other: int = 0

    def fault(self, line: int, cells: Sequence[str]) -> Fault | None:
        """Returns the fault of a header, or of a row below a header with other columns; None for any other row."""
        # A joined file has a byte order mark above each part, before the first quote.
        cells = [cell.lstrip("\ufeff").strip('"').casefold() for cell in cells]
        names = [name.casefold() for name in self.names]
        if cells[: len(names)] == names:
            self.other = 0
            return Fault("repeated-header", "repeats the header")
        if self.other:
            return below_header(self.other)
        shared = set(cells) & set(names) - {""}
        if len(shared) > 1 and not any(cell[:1].isdigit() for cell in cells):
            self.other = line
            return Fault("other-header", "repeats the header with other columns")
        return None


def records(lines: Sequence[str], first: int, delimiter: str, width: int, longest: int = 1) -> Iterator[Record]:
    """Returns the rows of `lines` from the position `first` on, without blank lines. A quoted cell may contain line
    ends if its row then has the header's width, up to a maximum number of lines."""
    index = first
    while index < len(lines):
        text, number = lines[index], index + 1
        index += 1
        if not text.strip(" \t,;|\ufeff"):
            continue
        if longest > 1 and text.count('"') % 2:
            behind = range(index, min(len(lines), index + longest))
            end = next((at + 1 for at in behind if lines[at].count('"') % 2), index)
            whole = "\n".join([text, *lines[index:end]])
            cells = split_row(whole, delimiter)
            if row_fault(cells, width) is None:
                yield Record(number, whole, cells)
                index = end
                continue
        yield Record(number, text, split_row(text, delimiter))


@dataclass(frozen=True, slots=True)
class Whole:
    """The common properties of the whole rows of a text: their number, and the quotes and delimiters of each."""

    rows: int
    quotes: int
    delimiters: int
    delimiter: str

    @classmethod
    def of(cls, first_row: str, delimiter: str, rows: int) -> Whole:
        """Returns those of a number of rows like the first one, which is whole."""
        return cls(rows, first_row.count('"'), first_row.count(delimiter), delimiter)

    def fits(self, chunks: Iterable[bytes | memoryview]) -> bool:
        """True if the bytes hold as many lines, quotes and delimiters as these rows have together. If no row is longer
        than the first, this means that no row is shorter."""
        signs = {"\n": self.rows, '"': self.rows * self.quotes, self.delimiter: self.rows * self.delimiters}
        counts = dict.fromkeys(signs, 0)
        for chunk in chunks:
            letters = np.frombuffer(chunk, np.uint8)
            for start in range(0, len(letters), _PART):
                part = letters[start : start + _PART]
                for sign in signs:
                    counts[sign] += int(np.count_nonzero(part == ord(sign)))
        return counts == signs


def cell_counts(data: bytes | memoryview, delimiter: str) -> npt.NDArray[np.int64]:
    """Returns the number of cells in each line of `data`, which ends with a line feed. It is 0 if only `split_row` can
    count, because a quote is not at the edge of a cell."""
    letters = np.frombuffer(data, np.uint8)
    ends = np.flatnonzero(letters == _LINE_FEED)
    parts = letters == ord(delimiter)
    quotes = letters == _QUOTE
    if not quotes.any():
        return _in_lines(parts, ends) + 1
    inside = np.logical_xor.accumulate(quotes)
    odd = inside[ends]
    before = np.append(False, odd[:-1])
    if odd.any():
        inside ^= np.repeat(before, np.diff(ends, prepend=-1))
    counts = _in_lines(parts & ~inside, ends) + 1
    at = np.flatnonzero(quotes)
    opens = inside[at]
    # A line end precedes the first letter, as it follows the last one.
    neighbours = letters[at - np.where(opens, 1, -1)]
    edge = (neighbours == ord(delimiter)) | (neighbours == _LINE_FEED) | (neighbours == _QUOTE)
    edge |= ~opens & (neighbours == _RETURN)
    stray = at[~edge]
    counts[odd ^ before] = 0
    counts[np.searchsorted(ends, stray)] = 0
    return counts


def _in_lines(marked: BoolArray, ends: npt.NDArray[np.intp]) -> npt.NDArray[np.int64]:
    return np.diff(np.searchsorted(np.flatnonzero(marked), ends), prepend=0).astype(np.int64)
