"""Long tables: rows of several machines, or of several counters, below one header.

A mapping gives the meaning of the columns, but not the machine of a row. If rows of several machines were read as one,
the metrics would be wrong for all of them. So the table is refused on any evidence of several machines: a column of
words differs between rows of one time, changes from row to row, or changes when the clock starts again; a column holds
the same few values at each time; or more times repeat than happens by chance. Only times without seconds, as
spreadsheets save them, may repeat without such evidence: they are samples of one machine. Rows are never merged.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from workbench.model.mapping import ColumnMapping, TimeFormat
from workbench.readers.common.row_problems import Problems
from workbench.readers.tables.timed import TimedCsv, moment_of
from workbench.readers.text.numbers import with_unit

IntArray = npt.NDArray[np.int64]

BoolArray = npt.NDArray[np.bool_]

# This share of the rows may repeat a time by chance, because of an unsteady clock; one row always may.
_STUTTER = 0.01
_PARTED = (
    "choose the column with the machine as 'VM or LUN of the row' (Run › Map columns…), or save one file or one "
    "column per machine"
)
_ADVICE = f"file not imported; {_PARTED}"
_SAVE_TIMES = f"file not imported; for one machine, use the original file with complete times; for several, {_PARTED}"
_NUMBER = re.compile(r"[-+]?[\d.,]+(?:[eE][-+]?\d+)?%?")
MACHINES = re.compile(r"machine|computer|host|server|desktop|entity|instance|\bvm|\blun|volume|device", re.IGNORECASE)
# A column with this many distinct texts holds notes, not names; further texts count as one.
_KINDS = 10_000
# The clock starts again where the next machine begins, with this share of the whole as tolerance.
_BEGINNING = 0.1
# The rows examined for repeated values at each time: at most this many rows and this many cells.
_LOOKED_AT, _CELLS = 2_000, 1_000_000
# Share of the times at which a column must hold the same values to count as repeating.
_EACH_TIME = 0.8
_NAMED = 3
_SHOWN = 40


@dataclass(frozen=True, slots=True)
class CellFault:
    """Why rows cannot be read as those of one machine: a sentence, the line of the first of them, and the remedy."""

    message: str
    line: int
    advice: str = _ADVICE


@dataclass(eq=False)
class ColumnWords:
    """The content of the columns of words: `codes` number their texts by row and column. `rows` is different for rows
    that differ in any cell; `first` are the first rows, whole."""

    headings: tuple[str, ...]
    columns: tuple[int, ...]
    codes: array[int] = field(default_factory=lambda: array("q"))
    rows: array[int] = field(default_factory=lambda: array("q"))
    first: list[tuple[str, ...]] = field(default_factory=list)
    _known: dict[str, int] = field(default_factory=dict)

    def add(self, cells: Sequence[str]) -> None:
        """Adds the words of one more row."""
        for column in self.columns:
            if len(self._known) < _KINDS:
                self._known.setdefault(cells[column], len(self._known))
            self.codes.append(self._known.get(cells[column], _KINDS))
        self.rows.append(hash(tuple(cells)))
        if len(self.first) < min(_LOOKED_AT, _CELLS // len(cells)):
            self.first.append(tuple(cells))

    def by_column(self) -> list[tuple[str, IntArray]]:
        """Yields the name of each column, and its texts as numbers row by row."""
        table = np.array(self.codes, np.int64).reshape(-1, len(self.columns)) if self.columns else None
        if table is None:
            return []
        return [(self.headings[column], table[:, index]) for index, column in enumerate(self.columns)]

    def some(self, codes: IntArray) -> str:
        """Returns the first few of the texts as words."""
        texts = [*self._known, "…"]
        kinds = [f"'{texts[min(code, len(texts) - 1)][:_SHOWN]}'" for code in dict.fromkeys(codes.tolist())]
        more = len(kinds) - _NAMED
        return ", ".join(kinds[:_NAMED]) + (f" and {more:,} more" if more > 0 else "")


def words_of(table: TimedCsv, mapping: ColumnMapping) -> ColumnWords:
    """Returns the columns that hold words more often than numbers and times."""
    columns = tuple(index for index in range(len(table.names)) if holds_words(table, index, mapping.time_format))
    return ColumnWords(tuple(name or f"column {index}" for index, name in enumerate(table.names, 1)), columns)


def mixed_rows(words: ColumnWords, written: IntArray, lines: IntArray) -> CellFault | None:
    """Returns the fault of a column in which several names alternate, or follow each other with the clock (`written`,
    as the file writes it) starting again at each. None if nothing shows several machines."""
    steps = np.flatnonzero(np.diff(written) < 0) + 1
    slack = _BEGINNING * float(written.max() - written.min())
    begins_again = steps.size > 0 and bool((written[steps] - written[0] <= slack).all())
    for name, codes in words.by_column():
        changes = np.flatnonzero(np.diff(codes)) + 1
        kinds = np.unique(codes).size
        in_turn = 2 * changes.size >= codes.size and 2 * kinds <= codes.size
        if changes.size and (in_turn or (begins_again and np.isin(steps, changes).all())):
            how = "in turn" if in_turn else "one after the other, each with the same times"
            line = int(lines[changes[0]])
            return CellFault(f"From line {line} on the rows are of {words.some(codes)} {how} (column '{name}').", line)
    return None


def rows_of_one_machine(
    words: ColumnWords, times: IntArray, lines: IntArray, seconds: bool, problems: Problems
) -> BoolArray | CellFault:
    """Returns a mask of the rows to keep, or a fault if the repeated times come, or may come, from several machines.
    `seconds`: the file writes them. A problem names the rows left out, and a column that names machines."""
    fault = _unlike_at_one_time(words, times, lines) or _alike_at_each_time(words, times, lines)
    if fault is not None:
        return fault
    kept = np.ones(times.size, np.bool_)
    copies, others = _repeats(times, words.rows)
    if not seconds and not (np.diff(times) < 0).any():
        _tell_seconds_lost(len(copies) + len(others), times.size, problems)
        copies, others = {}, {}
    # A copied row does not come from a second machine: then everything else would have to be equal throughout.
    if len(others) > max(1, _STUTTER * times.size):
        return _too_many(others, times, lines)
    for index, first in others.items():
        line = int(lines[index])
        message = f"Line {line} has the time of line {int(lines[first])}."
        problems.warn("repeated-time", message, "row rejected: only one row per time", line)
    if copies:
        line = int(lines[min(copies)])
        message = f"{len(copies):,} rows repeat another in every cell; the first is line {line}."
        problems.warn("repeated-row", message, "duplicate rows ignored", line)
    kept[np.array([*copies, *others], np.int64)] = False
    _tell_machines(words, problems)
    return kept


def _unlike_at_one_time(words: ColumnWords, times: IntArray, lines: IntArray) -> CellFault | None:
    """True if rows of one time differ in a column of names: words that occur again, or a heading that suggests
    names."""
    order = np.argsort(times, kind="stable")
    same = np.diff(times[order]) == 0
    for name, codes in words.by_column():
        held = codes[order]
        names = (np.bincount(codes)[held] > 1) | (MACHINES.search(name) is not None)
        unlike = np.flatnonzero(same & (np.diff(held) != 0) & names[1:] & names[:-1])
        if unlike.size:
            index = int(unlike[np.argmin(lines[order[unlike + 1]])])
            pair = order[index : index + 2]
            first, other = (int(line) for line in lines[pair])
            what = words.some(codes[pair])
            return CellFault(
                f"Lines {first} and {other} have the same time but name several machines, {what} (column '{name}').",
                other,
            )
    return None


def _repeats(times: IntArray, rows: Sequence[int]) -> tuple[dict[int, int], dict[int, int]]:
    """Returns the rows that copy an earlier one in every cell, and those that only repeat its time; each with the
    position of the first row of its time."""
    copies: dict[int, int] = {}
    others: dict[int, int] = {}
    if np.unique(times).size == times.size:
        return copies, others
    first: dict[int, int] = {}
    seen: dict[int, set[int]] = {}
    for index, (time, row) in enumerate(zip(times.tolist(), rows, strict=True)):
        if time in first:
            (copies if row in seen[time] else others)[index] = first[time]
        seen.setdefault(time, set()).add(row)
        first.setdefault(time, index)
    return copies, others


def _alike_at_each_time(words: ColumnWords, times: IntArray, lines: IntArray) -> CellFault | None:
    """True if a column, also of numbers, holds the same few values at each time: they number the machines."""
    groups: dict[int, list[int]] = defaultdict(list)
    for index, time in enumerate(times[: len(words.first)].tolist()):
        groups[time].append(index)
    several = [places for places in groups.values() if len(places) > 1]
    if len(several) < 2 or 2 * len(several) < len(groups):
        return None
    for name, cells in zip(words.headings, zip(*words.first, strict=True), strict=True):
        held = [frozenset(cells[at] for at in places) for places in several]
        kind, alike = Counter(held).most_common(1)[0]
        whole = sum(len(kinds) == len(places) for kinds, places in zip(held, several, strict=True))
        if len(kind) > 1 and min(alike, whole) >= _EACH_TIME * len(several):
            line = int(lines[several[0][1]])
            shown = ", ".join(f"'{text[:_SHOWN]}'" for text in sorted(kind)[:_NAMED])
            return CellFault(f"From line {line} on the rows of each time are of {shown} (column '{name}').", line)
    return None


def _tell_seconds_lost(repeated: int, rows: int, problems: Problems) -> None:
    message, action = "The times have no seconds.", "full minutes assumed"
    if repeated:
        message = f"The times have no seconds, and {repeated:,} of {rows:,} rows have the time of a row before."
        action = "rows kept in the file's order; only the first row of each minute is used"
    problems.warn("seconds-lost", message, f"{action}; use the original file for exact values")


def _too_many(others: dict[int, int], times: IntArray, lines: IntArray) -> CellFault:
    index, first = next(iter(others.items()))
    line = int(lines[index])
    return CellFault(
        f"{len(others):,} of {times.size:,} rows repeat a time, such as lines {int(lines[first])} and {line}: several "
        "machines, or times with lost digits.",
        line,
        _SAVE_TIMES,
    )


def _tell_machines(words: ColumnWords, problems: Problems) -> None:
    """Warns of a column whose heading suggests machines, and that names several."""
    for name, codes in words.by_column():
        if MACHINES.search(name) and np.unique(codes).size > 1:
            problems.warn(
                "several-machines",
                f"The column '{name}' names {words.some(codes)}, and all rows are read as those of one machine.",
                "rows kept; if they are of several machines, make a file for each",
            )


def holds_words(table: TimedCsv, index: int, form: TimeFormat = TimeFormat.YEAR_FIRST) -> bool:
    """True if a column holds words more often than numbers and times."""
    cells = [row[index] for row in table.rows if row[index]]
    words = sum(
        _NUMBER.fullmatch(cell) is None and with_unit(cell) is None and moment_of(cell, form) is None for cell in cells
    )
    return bool(cells) and 2 * words > len(cells)
