"""Evidence that the rows of one series come from several machines.

A mapping gives the meaning of the columns, but not always the machine of a row. If rows of several machines were read
as one, the metrics would be wrong for all of them. So the table is refused on any evidence of several machines: a
column of words differs between rows of one time, changes from row to row, or changes when the clock starts again; a
column holds the same few values at each time; or more times repeat than happens by chance. Only times without seconds,
as spreadsheets save them, may repeat without such evidence: they are samples of one machine. Rows are never merged.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from workbench.model.mapping import TimeFormat
from workbench.model.problem import all_named, few_named
from workbench.readers.common.row_problems import Problems, acted, counting, place_words
from workbench.readers.tables.rows import SHOWN, Roles
from workbench.readers.tables.timed import TimedCsv, moment_of
from workbench.readers.text.numbers import with_unit

IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

# This share of the rows may repeat a time of their series by chance, because of an unsteady clock; one row always may.
_STUTTER = 0.01
_ADVICE = "file not imported; map this column as VM, disk or counter (Run › Map columns…)"
_SAVE_TIMES = "file not imported; map the machine column (Run › Map columns…), or export full timestamps"
_NUMBER = re.compile(r"[-+]?[\d.,]+(?:[eE][-+]?\d+)?%?")
MACHINES = re.compile(r"machine|computer|host|server|desktop|entity|instance|\bvm|\blun|volume|device", re.IGNORECASE)
# The clock starts again where the next machine begins, with this share of the whole as tolerance.
_BEGINNING = 0.1
# Share of the times at which a column must hold the same values to count as repeating.
_EACH_TIME = 0.8
_NAMED = 3


@dataclass(frozen=True, slots=True)
class CellFault:
    """The reason why rows cannot be read as those of one machine: a sentence, the line of the first of them, and the
    remedy.
    """

    message: str
    line: int
    advice: str = _ADVICE


@dataclass(frozen=True, eq=False)
class OtherColumns:
    """The columns without a role, which may name machines, of rows as `TableRows` has them. A mapping may read numbers
    of other columns: `words` are those that hold words. `cell_of(line, place)` returns the text of a cell."""

    frame: pl.DataFrame
    roles: Roles
    words: frozenset[int]
    cell_of: Callable[[int, int], str]

    def each(self) -> Iterator[tuple[int, pl.Series]]:
        """Yields the position of each column, and its texts as hashes row by row."""
        for place, index in enumerate(self.roles.others):
            yield index, self.frame[f"o{place}"]

    def each_of_words(self) -> Iterator[tuple[int, npt.NDArray[np.uint64]]]:
        """Yields only the columns of words."""
        yield from ((index, codes.to_numpy()) for index, codes in self.each() if index in self.words)

    def shown(self, index: int, lines: Iterable[int], more: int = 0) -> str:
        """Returns the texts of a column on some lines, and the number of `more` texts, for a message."""
        texts = [f"'{self.cell_of(line, index)[:SHOWN]}'" for line in lines]
        return all_named([*texts, f"{more:,} more"] if more > 0 else texts)

    def named(self, index: int, codes: npt.NDArray[np.uint64], rows: IntArray | slice = slice(None)) -> str:
        """Returns the first few distinct texts of a column in these rows, for a message."""
        _, places = np.unique(codes[rows], return_index=True)
        lines = self.frame["line"].to_numpy()[rows][np.sort(places)]
        return self.shown(index, lines[:_NAMED].tolist(), lines.size - _NAMED)

    def in_turn(self, index: int, line: int, names: str, how: str = "alternate") -> CellFault:
        """Returns the fault of a column whose texts change within a series from this line on."""
        column = self.roles.name(index)
        return CellFault(f"From line {line}, {names} {how} in one series (column '{column}').", line)

    def at_one_time(self, index: int, lines: tuple[int, int]) -> CellFault:
        """Returns the fault of a column that differs between two lines of one time and series."""
        where, column = f"Lines {lines[0]} and {lines[1]} have the same timestamp", self.roles.name(index)
        what = f"but differ in column '{column}': {self.shown(index, lines)}"
        return CellFault(f"{where} {what}.", lines[1])


def mixed_rows(columns: OtherColumns) -> CellFault | None:
    """Returns the fault of a column in which several names alternate, or in which the clock (as the file writes it)
    starts again at each name. None if nothing shows several machines."""
    written, lines = columns.frame["t"].to_numpy(), columns.frame["line"]
    steps = np.flatnonzero(np.diff(written) < 0) + 1
    slack = _BEGINNING * float(written.max() - written.min())
    begins_again = steps.size > 0 and bool((written[steps] - written[0] <= slack).all())
    for index, codes in columns.each_of_words():
        changes = np.flatnonzero(np.diff(codes)) + 1
        kinds = np.unique(codes).size
        in_turn = 2 * changes.size >= codes.size and 2 * kinds <= codes.size
        if changes.size and (in_turn or (begins_again and np.isin(steps, changes).all())):
            how = "alternate" if in_turn else "repeat timestamps"
            return columns.in_turn(index, int(lines[int(changes[0])]), columns.named(index, codes), how)
    return None


def rows_of_one_machine(
    columns: OtherColumns, first: pl.DataFrame, seconds: bool, problems: Problems
) -> pl.DataFrame | CellFault:
    """Returns the rows to keep, or a fault if the repeated times come, or may come, from several machines. `first` are
    the first rows as text. `seconds`: the file writes them. A problem names the rows left out, and a column that names
    machines."""
    frame = columns.frame
    fault = _unlike_at_one_time(columns) or _alike_at_each_time(columns, first)
    if fault is not None:
        return fault
    copies, others = _repeats(frame)
    repeated = int((copies | others).sum())
    if not seconds and frame["t"].is_sorted():
        message, action = "The timestamps have no seconds.", "full minutes assumed"
        if repeated:
            message = f"The timestamps have no seconds, and {repeated:,} of {frame.height:,} rows repeat a timestamp."
            action = "only the first row of each minute imported"
        problems.warn("seconds-lost", message, f"{action}; use the original file for exact values")
        _tell_machines(columns, problems)
        return frame
    return _without_repeats(columns, copies, others, problems)


def one_row_each(columns: OtherColumns, problems: Problems) -> pl.DataFrame | CellFault:
    """Returns one row per series and time of rows sorted by them, or a fault if the others come from another
    machine."""
    copies, others = _repeats(columns.frame)
    fault = _names_in_turn(columns) or _names_apart(columns, others)
    return _without_repeats(columns, copies, others, problems) if fault is None else fault


def _repeats(frame: pl.DataFrame) -> tuple[pl.Series, pl.Series]:
    """Returns masks of the rows that copy an earlier row of their series and time in every cell, and of those that only
    have its series and time."""
    again = ~frame.select(pl.struct("key", "t").is_first_distinct()).to_series()
    copies = again & ~frame.select(pl.struct("key", "t", "rest").is_first_distinct()).to_series()
    return copies, again & ~copies


def _without_repeats(
    columns: OtherColumns, copies: pl.Series, others: pl.Series, problems: Problems
) -> pl.DataFrame | CellFault:
    """Returns the rows without those repeats, or a fault if they are too many to come from an unsteady clock."""
    frame = columns.frame
    # A copied row does not come from a second machine: otherwise all other cells would have to be equal throughout.
    if others.any():
        pairs = sorted(frame.select("line", first=pl.col("line").first().over("key", "t")).filter(others).iter_rows())
        if len(pairs) > max(1, _STUTTER * frame.height):
            line, first = pairs[0]
            message = f"{len(pairs):,} of {frame.height:,} rows repeat a timestamp (first: lines {first} and {line})."
            return CellFault(message, line, _SAVE_TIMES)
        for line, first in pairs:
            message = f"Line {line} has the same timestamp and series as line {first}."
            problems.warn("repeated-time", message, "row rejected; check both lines in the file", line)
    if copies.any():
        first = int(frame["line"].filter(copies).sort()[0])
        number = int(copies.sum())
        are = counting(number, "row", "is", "are")
        message = f"{are} identical to another row ({place_words(number, f'line {first}')})."
        problems.warn("repeated-row", message, acted("duplicate row ignored; check it in the file", number), first)
    _tell_machines(columns, problems)
    return frame.filter(~(copies | others))


def _unlike_at_one_time(columns: OtherColumns) -> CellFault | None:
    """Returns the fault of rows of one time that differ in a column of names: words that occur again, or a heading that
    suggests names."""
    times, lines = columns.frame["t"].to_numpy(), columns.frame["line"].to_numpy()
    order = np.argsort(times, kind="stable")
    same = np.diff(times[order]) == 0
    for index, codes in columns.each_of_words():
        held = codes[order]
        _, kinds, counts = np.unique(held, return_inverse=True, return_counts=True)
        names = (counts[kinds] > 1) | (MACHINES.search(columns.roles.name(index)) is not None)
        unlike = np.flatnonzero(same & (np.diff(held) != 0) & names[1:] & names[:-1])
        if unlike.size:
            place = int(unlike[np.argmin(lines[order[unlike + 1]])])
            first, other = (int(line) for line in lines[order[place : place + 2]])
            return columns.at_one_time(index, (first, other))
    return None


def _alike_at_each_time(columns: OtherColumns, first: pl.DataFrame) -> CellFault | None:
    """Returns the fault of a column, also of numbers, that holds the same few values at each time: they number the
    machines."""
    groups: dict[int, list[int]] = defaultdict(list)
    for place, time in enumerate(columns.frame["t"].head(first.height)):
        groups[time].append(place)
    several = [places for places in groups.values() if len(places) > 1]
    if len(several) < 2 or 2 * len(several) < len(groups):
        return None
    for index, cells in enumerate(first.drop("line").iter_columns()):
        texts = cells.str.strip_chars().to_list()
        held = [frozenset(texts[at] for at in places) for places in several]
        kind, alike = Counter(held).most_common(1)[0]
        whole = sum(len(kinds) == len(places) for kinds, places in zip(held, several, strict=True))
        if len(kind) > 1 and min(alike, whole) >= _EACH_TIME * len(several):
            line = int(first["line"][several[0][1]])
            shown = few_named([f"'{text[:SHOWN]}'" for text in sorted(kind)])
            column = columns.roles.name(index)
            message = f"From line {line}, {shown} have the same timestamps (column '{column}')."
            return CellFault(message, line)
    return None


def _names_apart(columns: OtherColumns, others: pl.Series) -> CellFault | None:
    """Returns the fault of rows with one series and time that differ in a column of names."""
    if not others.any():
        return None
    lines = columns.frame["line"]
    line, first = min(zip(lines.filter(others), lines.shift().filter(others), strict=True))
    for index, codes in columns.each():
        differ = (codes != codes.shift()).filter(others)
        # Columns of values differ too, but a name occurs again.
        name = MACHINES.search(columns.roles.names[index]) is not None or 2 * codes.n_unique() <= codes.len()
        if name and 2 * int(differ.sum()) > differ.len():
            return columns.at_one_time(index, (first, line))
    return None


def _names_in_turn(columns: OtherColumns) -> CellFault | None:
    """Returns the fault of a column in which several names alternate within a series."""
    frame = columns.frame
    same = frame["key"] == frame["key"].shift()
    within = int(same.sum())
    for index, codes in columns.each():
        changes = same & (codes != codes.shift())
        if not changes.any() or 2 * codes.n_unique() > frame.height or 2 * int(changes.sum()) < within:
            continue
        pair = int(frame["line"].shift().filter(changes)[0]), int(frame["line"].filter(changes)[0])
        if not all(_is_figure(columns.cell_of(line, index)) for line in pair):
            return columns.in_turn(index, max(pair), columns.shown(index, pair))
    return None


def _tell_machines(columns: OtherColumns, problems: Problems) -> None:
    """Warns of a column whose heading suggests machines, and that names several within a series."""
    frame = columns.frame
    same = frame["key"] == frame["key"].shift()
    for index, codes in columns.each():
        changes = same & (codes != codes.shift())
        if index not in columns.words or not MACHINES.search(columns.roles.names[index]) or not changes.any():
            continue
        lines = int(frame["line"].shift().filter(changes)[0]), int(frame["line"].filter(changes)[0])
        problems.warn(
            "several-machines",
            f"The column '{columns.roles.name(index)}' contains several names within one series: "
            f"{columns.shown(index, lines)}.",
            "all rows treated as one machine; for several machines, map this column as VM or LUN",
            max(lines),
        )


def _is_figure(text: str) -> bool:
    try:
        float(text.replace(",", "."))
    except ValueError:
        return not text
    return True


def holds_words(table: TimedCsv, index: int, form: TimeFormat = TimeFormat.YEAR_FIRST) -> bool:
    """True if a column holds words more often than numbers and times."""
    cells = [row[index] for row in table.rows if row[index]]
    words = sum(
        _NUMBER.fullmatch(cell) is None and with_unit(cell) is None and moment_of(cell, form) is None for cell in cells
    )
    return bool(cells) and 2 * words > len(cells)
