"""Repairs rows with another width than the header: cells that run together (`73.1"8.93"`, a missing comma) or were
split.

Quotes within a cell show where this happened, or the samples of the rows above do: blanks, constant values and ranges
of the following columns match only if each is read at its own column. Cells between two equally good positions are left
empty. If that would be too many cells, nothing is proven and the row is rejected.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import nan

import numpy as np
import numpy.typing as npt

from workbench.readers.perfmon.held import Held, arrays_of
from workbench.readers.text.numbers import Notation
from workbench.readers.text.timestamps import BoolArray

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_PIECES = re.compile(r'["\s,;]+')
# A log never writes `02.25`; it is the rest of a number: `20"02.25` is one broken cell, not two.
_REST = re.compile(r"[+-]?0\d")
# More cells than this do not run together by accident: such a row is cut short.
_MOST_SHIFTED = 3
# Rows needed above before samples can identify columns.
_LEAST_ROWS = 2
# Percentage of cells that may be out of their column's range at the correct position. It is lower if only the samples
# show the position of the fault.
_UNUSUAL, _UNUSUAL_AT_ODD_CELL = 2, 25
# The part of a row that may be left empty.
_MOST_EMPTY = 4

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Aligned:
    """The cells of a row at their columns, empty in the range `empty`: first and last counter, from 0."""

    cells: list[str]
    empty: tuple[tuple[int, int], ...]


@dataclass(eq=False)
class Ranges:
    """The values that each counter had in the rows so far; `rows` is their number."""

    width: int
    rows: int = 0
    least: Floats = field(init=False)
    most: Floats = field(init=False)
    blanks: npt.NDArray[np.int64] = field(init=False)

    def __post_init__(self) -> None:
        self.least, self.most = np.full(self.width, np.inf), np.full(self.width, -np.inf)
        self.blanks = np.zeros(self.width, np.int64)

    def follow(self, frames: Sequence[Held], heights: Sequence[int], later: list[list[float]]) -> None:
        """Adds the new rows: those of the frames, then the later ones."""
        start = 0
        for frame, height in zip(frames, heights, strict=True):
            if start + height > self.rows:
                self._take(arrays_of([frame])[0].T[self.rows - start :])
            start += height
        if later[self.rows - start :]:
            self._take(np.array(later[self.rows - start :], np.float64))

    def _take(self, values: Floats) -> None:
        missing = np.isnan(values)
        self.least = np.minimum(self.least, np.where(missing, np.inf, values).min(axis=0))
        self.most = np.maximum(self.most, np.where(missing, -np.inf, values).max(axis=0))
        self.blanks += missing.sum(axis=0)
        self.rows += len(values)

    def misfits(self, values: Floats, shift: int) -> BoolArray:
        """Returns a mask, True if the value `shift` positions after a counter cannot belong to that counter; NaN is a
        blank."""
        at = np.arange(self.width) + shift
        inside = (at >= 0) & (at < len(values))
        value = np.where(inside, values[np.clip(at, 0, len(values) - 1)], np.inf)
        blank = np.isnan(value)
        with np.errstate(over="ignore", invalid="ignore"):
            span = np.where(self.blanks < self.rows, self.most - self.least, 0.0)
            beyond = (value < self.least - span) | (value > self.most + span)
        wrong = np.where(blank, self.blanks == 0, beyond)
        return np.asarray(wrong, np.bool_)


def loose_cells(line: str, delimiter: str, trailing: bool) -> list[str]:
    """Returns the cells of a line whose quotes may not match: a quoted line is split only at quoted delimiters.
    `trailing`: no cell follows a delimiter at the end."""
    body = line.strip()
    quoted = body.startswith('"') and f'"{delimiter}"' in body
    body = body.removesuffix(delimiter) if trailing or quoted else body
    return body.removeprefix('"').removesuffix('"').split(f'"{delimiter}"') if quoted else body.split(delimiter)


def aligned(cells: Sequence[str], ranges: Ranges, notation: Notation) -> Aligned | None:
    """Returns the cells after the timestamp at their columns, or None if nothing proves their columns."""
    shift = len(cells) - ranges.width
    if cells and ranges.width and shift and abs(shift) <= _MOST_SHIFTED:
        return _by_quotes(cells, ranges.width) or _by_samples(cells, ranges, notation)
    return None


def _by_quotes(cells: Sequence[str], width: int) -> Aligned | None:
    """Returns the row if each cell with inner quotes holds as many numbers as columns are missing."""
    row: list[str] = []
    empty: list[tuple[int, int]] = []
    for cell in cells:
        pieces = [piece for piece in _PIECES.split(cell) if piece] if '"' in cell else []
        if len(pieces) > 1 and all(map(_NUMBER.fullmatch, pieces)) and not any(map(_REST.match, pieces[1:])):
            empty.append((len(row), len(row) + len(pieces) - 1))
            row += [""] * len(pieces)
        else:
            row.append(cell)
    return Aligned(row, tuple(empty)) if empty and len(row) == width else None


def _by_samples(cells: Sequence[str], ranges: Ranges, notation: Notation) -> Aligned | None:
    """Returns the row if samples identify the columns on both sides of the fault."""
    if ranges.rows < _LEAST_ROWS:
        return None
    shift, width = len(cells) - ranges.width, ranges.width
    hurt = 1 + max(0, -shift)
    values = np.array([_value(cell, notation) for cell in cells])
    before, behind = ranges.misfits(values, 0), ranges.misfits(values, shift)
    # For each position: the number of misfits before it, and after it.
    costs = np.concatenate(([0], np.cumsum(before)))[: width - hurt + 1]
    costs = costs + np.concatenate((np.cumsum(behind[::-1])[::-1], [0]))[hurt:]
    least = int(costs.min())
    places = np.flatnonzero(costs <= least + min(3, 1 + least))
    odd = [place for place in np.flatnonzero(np.isinf(values)).tolist() if cells[place].strip()]
    unusual = _UNUSUAL
    if len(odd) == 1 and odd[0] in places and shift < 0:
        places, unusual = np.array(odd), _UNUSUAL_AT_ODD_CELL
    first, last = int(places[0]), int(places[-1]) + hurt - 1
    if 100 * least > unusual * width or (last - first + 1) * _MOST_EMPTY > width:
        return None
    own = [*cells[:first], *[""] * (last - first + 1), *cells[last + 1 + shift :]]
    return Aligned(own, ((first, last),))


def _value(cell: str, notation: Notation) -> float:
    """Returns a cell's number, NaN if it is blank, infinity if it is not a number."""
    if not cell.strip():
        return nan
    value = notation.number(cell)
    return np.inf if value is None else value
