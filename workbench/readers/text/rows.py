"""Whether a row of a text table has as many cells as its header: the rule of every reader of tables.

A row that lacks a cell cannot be read: nothing says which one it lacks, and every value behind it would stand under
another name. Blank cells beyond the last column, as spreadsheets leave them, are not cells.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

# Of nothing else a blank line consists.
BLANK = " \t,;|\ufeff\0\x1a"
# Bytes looked at in one go: what fits a core's own cache.
_PART = 1 << 18
_QUOTE, _LINE_FEED, _RETURN = ord('"'), ord("\n"), ord("\r")

BoolArray = npt.NDArray[np.bool_]


class Fault(NamedTuple):
    """Why a row cannot be read: a code, and the end of a sentence that begins with its line."""

    code: str
    why: str


class Record(NamedTuple):
    """A row: its first physical line, its text, and its cells; None if its quotes do not fit."""

    line: int
    text: str
    cells: list[str] | None


def split_row(text: str, delimiter: str) -> list[str] | None:
    """The cells of a row without the blanks around them; None if a quote is not closed where a cell ends."""
    if '"' not in text:
        return [cell.strip() for cell in text.split(delimiter)]
    if text.count('"') % 2:
        return None
    try:
        return [cell.strip() for cell in next(csv.reader([text], delimiter=delimiter, strict=True), [])]
    except csv.Error:
        # A cell longer than the csv module takes is cut at every delimiter.
        return [cell.strip() for cell in text.split(delimiter)] if len(text) > csv.field_size_limit() else None


def is_padded(rows: Iterable[Sequence[str] | None], width: int) -> bool:
    """Whether most rows have blank cells beyond the last column."""
    beyond = [len(cells) > width and not any(cells[width:]) for cells in rows if cells and any(cells)]
    return 2 * sum(beyond) > len(beyond)


def is_open_ended(rows: Iterable[Sequence[str] | None], width: int) -> bool:
    """Whether most rows have as many cells as the header and leave the last one blank. In such a table a blank cell
    beyond the last column may be the last one, moved by a cell too many."""
    blank = [len(cells) == width and not cells[-1] for cells in rows if cells and any(cells)]
    return 2 * sum(blank) > len(blank)


def row_fault(cells: Sequence[str] | None, width: int, padded: bool = False) -> Fault | None:
    """The code and the end of a sentence if a row has not the cells of its header, whose number is `width`.

    `padded`: the other rows have blank cells beyond the last column, so a row without them may lack a cell.
    """
    if cells is None:
        return Fault("row-damaged", "has a quote that is not closed, or closes within a cell")
    if len(cells) < width or any(cells[width:]):
        return Fault("row-width", f"has {len(cells)} cells where the header has {width}")
    if padded and len(cells) == width and not cells[-1]:
        return Fault("row-width", f"has {width} cells where the other rows have more")
    return None


def records(lines: Sequence[str], first: int, delimiter: str, width: int, longest: int = 1) -> Iterator[Record]:
    """The rows of `lines` from the place `first` on, without blank lines. A quoted cell may hold line ends if its row
    has the header's width then, and so many lines at most."""
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
    """What the whole rows of a text have in common: their number, and the quotes and delimiters of each."""

    rows: int
    quotes: int
    delimiters: int
    delimiter: str

    @classmethod
    def of(cls, first_row: str, delimiter: str, rows: int) -> Whole:
        """That of so many rows like the first, which is whole."""
        return cls(rows, first_row.count('"'), first_row.count(delimiter), delimiter)

    def fits(self, chunks: Iterable[bytes | memoryview]) -> bool:
        """Whether the bytes hold as many lines, quotes and delimiters as these rows have together. Where no row is
        longer than the first, no row is shorter then."""
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
    """How many cells each line of `data` has, which ends with a line feed; 0 where only `split_row` can tell, because a
    quote is not at the edge of a cell."""
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
    # Before the first letter is the end of a line, as behind the last one.
    neighbours = letters[at - np.where(opens, 1, -1)]
    edge = (neighbours == ord(delimiter)) | (neighbours == _LINE_FEED) | (neighbours == _QUOTE)
    edge |= ~opens & (neighbours == _RETURN)
    stray = at[~edge]
    counts[odd ^ before] = 0
    counts[np.searchsorted(ends, stray)] = 0
    return counts


def _in_lines(marked: BoolArray, ends: npt.NDArray[np.intp]) -> npt.NDArray[np.int64]:
    return np.diff(np.searchsorted(np.flatnonzero(marked), ends), prepend=0).astype(np.int64)
