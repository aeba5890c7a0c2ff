"""Long tables: each row has a time, the names of the series (machine, disk, counter), and one or more values.

The rows become columns, one per series, without a pivot: each number is written to the position of its row and series.
A series has one row per time. If it has several, a column without a role may show that the rows come from several
machines: then the table is refused with that column's name. Rows are never merged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import polars as pl

from workbench import disk_arrays
from workbench.model.mapping import TimeFormat
from workbench.readers.common.row_problems import Problems
from workbench.readers.perfmon.notes import note_steps
from workbench.readers.tables.cells import CellBlock, is_blank, rows_of
from workbench.readers.tables.long import MACHINES, CellFault
from workbench.readers.tables.timed import FileTime, moment_of
from workbench.readers.text.numbers import Evidence, Notation, with_unit
from workbench.readers.text.timestamps import HOUR, SECOND, TimeStep, is_hour_back

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]
Key = tuple[str, ...]

# A table with more cells would not fit in memory next to the program: 400 MB.
MAX_CELLS = 50_000_000
# This share of the rows may repeat a time of their series, caused by an unsteady clock; one row always may.
_STUTTER = 0.01
_SHOWN, _NAMED = 40, 3
_MINUTE = 60_000_000
_MORE = (
    "file not imported; choose the column that separates them as VM, disk or counter (Run › Map columns…), "
    "or export one file for each machine"
)


@dataclass(frozen=True, slots=True)
class Roles:
    """The content of the columns of a long table, by position: the time, the values, and the `keys` that name the
    series.

    `names` and `delimiter` are the header's; `ignored` are columns whose texts never identify a machine.
    """

    names: tuple[str, ...]
    delimiter: str
    time: int
    values: tuple[int, ...]
    keys: tuple[int, ...]
    form: TimeFormat
    ignored: frozenset[int] = frozenset()

    @property
    def others(self) -> tuple[int, ...]:
        """Returns the columns without a role."""
        known = {self.time, *self.values, *self.keys, *self.ignored}
        return tuple(index for index in range(len(self.names)) if index not in known)


@dataclass(eq=False)
class KeyedRows:
    """The rows of a long table as numbers: `line`, `t` (local microseconds), `offset`, `key` (an index into `keys`),
    the values `v0`, `v1`, …, and hashes of the columns without a role (`o0`, `o1`, …) and of everything except the
    key (`rest`).

    The numbers are read in `notation`; `evidence` is the evidence for it. `factor` returns the factor for a unit in a
    cell of a series and a value, None for a unit of another quantity; without it, such a cell is not a number.
    `with_units` maps a column to its first cell with a unit.
    """

    parts: list[pl.DataFrame] = field(default_factory=list)
    keys: dict[Key, int] = field(default_factory=dict)
    moments: dict[str, FileTime | None] = field(default_factory=dict)
    rejected: int = 0
    notation: Notation = field(default_factory=Notation)
    evidence: Evidence = field(default_factory=Evidence)
    factor: Callable[[Key, int, str], float | None] | None = None
    with_units: dict[int, str] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """Returns the number of rows read."""
        return sum(part.height for part in self.parts)

    def frame(self) -> pl.DataFrame:
        """Returns all rows read and hands them over: they are no longer kept here."""
        frame = pl.concat(self.parts) if self.parts else pl.DataFrame()
        self.parts.clear()
        return frame


@dataclass(frozen=True, eq=False)
class Wide:
    """The table: ascending `times`, `values` by series and time, the number of rows per key, and the rows left out."""

    times: IntArray
    values: FloatArray
    counts: IntArray
    offset: int | None
    rows: int
    rejected: int


def take(block: CellBlock, roles: Roles, rows: KeyedRows, problems: Problems, key_of: Callable[[Key], Key]) -> None:
    """Adds the rows of some lines below one header. `key_of` returns the key of a series from the cells of a row's
    keys."""
    right, wrong = rows_of(block, len(roles.names), roles.delimiter)
    for line, fault in wrong:
        _reject(rows, problems, fault.code, line, fault.why)
    if right.height:
        add(right, roles, rows, problems, key_of)


def add(part: pl.DataFrame, roles: Roles, rows: KeyedRows, problems: Problems, key_of: Callable[[Key], Key]) -> None:
    """Like `take`, for lines that are already split: `line`, and the cells `c0`, `c1`, …"""
    part = _without_times(_with_times(part, roles, rows), roles, rows, problems)
    part = _with_keys(part, [f"c{index}" for index in roles.keys], rows, key_of)
    rest = [index for index in range(len(roles.names)) if index not in roles.keys]
    # Each column has a separate seed, so equal cells in two columns get different hashes.
    mixed = pl.sum_horizontal(pl.col(f"c{index}").hash(index) for index in rest).alias("rest")
    part = part.with_columns(mixed)
    for at, index in enumerate(roles.values):
        part, factors = _without_units(part, at, index, rows, problems)
        rows.evidence.add_column(part[f"c{index}"], part["line"], index + 1)
        numbers = rows.notation.numbers(part[f"c{index}"])
        part = part.with_columns((numbers if factors is None else numbers * factors).alias(f"v{at}"))
    _tell_no_numbers(part, roles, rows.notation, problems)
    others = [pl.col(f"c{index}").hash().alias(f"o{at}") for at, index in enumerate(roles.others)]
    values = [f"v{at}" for at in range(len(roles.values))]
    rows.parts.append(part.select("line", "t", "offset", "key", *values, *others, "rest"))


def _reject(rows: KeyedRows, problems: Problems, code: str, line: int, why: str) -> None:
    rows.rejected += 1
    problems.warn(code, f"Line {line} {why}.", "row rejected", line)


def _with_times(part: pl.DataFrame, roles: Roles, rows: KeyedRows) -> pl.DataFrame:
    time = f"c{roles.time}"
    texts = part[time].unique()
    for text in texts:
        if text not in rows.moments:
            rows.moments[text] = moment_of(text.strip(), roles.form)
    moments = [rows.moments[text] for text in texts]
    known = pl.DataFrame(
        {
            time: texts,
            "t": pl.Series([None if moment is None else moment.local_us for moment in moments], dtype=pl.Int64),
            "offset": pl.Series([None if moment is None else moment.offset for moment in moments], dtype=pl.Int16),
        }
    )
    return part.join(known, on=time, how="left", maintain_order="left")


def _without_times(part: pl.DataFrame, roles: Roles, rows: KeyedRows, problems: Problems) -> pl.DataFrame:
    """Returns the rows that have a time. Blank lines do not count; a repeated header and any other row are rejected."""
    if not part["t"].null_count():
        return part
    other = part.filter(pl.col("t").is_null())
    for line, text in other.filter(~is_blank(other)).select("line", f"c{roles.time}").iter_rows():
        if text.strip() == roles.names[roles.time]:
            _reject(rows, problems, "repeated-header", line, "repeats the header")
        else:
            _reject(rows, problems, "bad-time", line, f"has no time written {roles.form}: '{text.strip()[:_SHOWN]}'")
    return part.filter(pl.col("t").is_not_null())


def _with_keys(part: pl.DataFrame, names: list[str], rows: KeyedRows, key_of: Callable[[Key], Key]) -> pl.DataFrame:
    if not names:
        place = rows.keys.setdefault(key_of(()), len(rows.keys))
        return part.with_columns(pl.lit(place, pl.UInt32).alias("key"))
    unique = part.select(names).unique(maintain_order=True)
    stripped = unique.select(pl.all().str.strip_chars()).iter_rows()
    places = [rows.keys.setdefault(key_of(cells), len(rows.keys)) for cells in stripped]
    known = unique.with_columns(pl.Series("key", places, pl.UInt32))
    return part.join(known, on=names, how="left", maintain_order="left")


def _without_units(
    part: pl.DataFrame, at: int, index: int, rows: KeyedRows, problems: Problems
) -> tuple[pl.DataFrame, pl.Series | None]:
    """Returns the rows with the numbers of a value column alone, and the factor of each cell; None if no cell has a
    unit. A cell in a unit of another quantity is left blank."""
    name = f"c{index}"
    lettered = part.filter(pl.col(name).str.contains("[A-Za-z\u00b5\u03bc%#]")) if rows.factor else part.clear()
    if rows.factor is None or lettered.is_empty():
        return part, None
    keys = list(rows.keys)
    known: list[tuple[int, str, str, float | None]] = []
    for key, cell in lettered.select("key", name).unique(maintain_order=True).iter_rows():
        if (found := with_unit(cell.strip())) is not None:
            factor = rows.factor(keys[key], at, found[1])
            known.append((key, cell, "" if factor is None else found[0], factor))
            if factor is not None:
                rows.with_units.setdefault(index, cell.strip())
    types = {"key": pl.UInt32, name: pl.String, "number": pl.String, "factor": pl.Float64}
    units = pl.DataFrame(known, types, orient="row")
    part = part.join(units, on=("key", name), how="left", maintain_order="left")
    for line, cell in part.filter(pl.col("number") == "").select("line", name).iter_rows():
        what = f"'{cell.strip()[:_SHOWN]}' is not in the unit of its column"
        problems.warn("cell-unit", f"Line {line}: {what}.", "cell left empty", line, index + 1)
    factors = part["factor"].fill_null(1.0)
    return part.with_columns(pl.coalesce("number", name).alias(name)).drop("number", "factor"), factors


def _tell_no_numbers(frame: pl.DataFrame, roles: Roles, notation: Notation, problems: Problems) -> None:
    for place, index in enumerate(roles.values):
        wrong = frame.filter(pl.col(f"v{place}").is_null() & (pl.col(f"c{index}").str.strip_chars() != ""))
        for line, text in wrong.select("line", pl.col(f"c{index}").str.strip_chars()).iter_rows():
            code, what = notation.fault(text)
            problems.warn(code, f"Line {line}: '{text[:_SHOWN]}' {what}.", "cell left empty", line, index + 1)


def wide_of(rows: KeyedRows, roles: Roles, cell_of: Callable[[int, int], str], problems: Problems) -> Wide | CellFault:
    """Returns the rows as columns, or a fault if rows of one series and time come from several machines, or there are
    too many.

    `cell_of(line, place)` returns the text of a cell, for the sentence that names it.
    """
    frame, offset = _on_one_clock(rows.frame(), problems)
    times = frame["t"].unique().sort()
    per_row, series = len(roles.values), len(rows.keys) * len(roles.values)
    if times.len() * series > MAX_CELLS:
        message = f"{series:,} series at {times.len():,} different times are too many for one table."
        return CellFault(message, int(frame["line"].min()), "file not imported; export it machine by machine")  # type: ignore[arg-type]
    kept = frame
    if not _once_each(frame, times, roles):
        ordered = _one_row_each(frame.sort("key", "t", "line"), roles, cell_of, problems)
        if isinstance(ordered, CellFault):
            return ordered
        kept = ordered
    at, keys = times.search_sorted(kept["t"]).to_numpy(), kept["key"].to_numpy().astype(np.int64)
    values: FloatArray = disk_arrays.empty((series, times.len()), np.float64)
    values.fill(np.nan)
    for place in range(per_row):
        values[keys * per_row + place, at] = kept[f"v{place}"].fill_null(np.nan).to_numpy()
    counts = np.bincount(keys, minlength=len(rows.keys))
    return Wide(times.to_numpy(), values, counts, offset, kept.height, rows.rejected + frame.height - kept.height)


def _once_each(frame: pl.DataFrame, times: pl.Series, roles: Roles) -> bool:
    """True if each time has one row per series, and no column without a role could separate rows. Then the order of the
    rows does not matter, and they need not be sorted."""
    if any(frame[f"o{place}"].n_unique() > 1 for place in range(len(roles.others))):
        return False
    cells = frame["key"].cast(pl.Int64) * times.len() + times.search_sorted(frame["t"]).cast(pl.Int64)
    return bool(cells.n_unique() == frame.height)


def _on_one_clock(frame: pl.DataFrame, problems: Problems) -> tuple[pl.DataFrame, int | None]:
    """Returns the rows with times on one clock, and its minutes ahead of UTC if the file states them."""
    offsets = frame["offset"].unique().to_list()
    if offsets == [None]:
        return _without_hour_twice(frame, problems), None
    first = int(frame["offset"].drop_nulls()[0])
    if len(offsets) > 1 and None in offsets:
        message = "Some times have an offset from UTC, and some have none."
        problems.warn("offsets-differ", message, "times without an offset were read with the first offset")
    # As wide as the times: an hour in microseconds exceeds 16 bits.
    ahead = pl.col("offset").fill_null(first).cast(pl.Int64)
    moved = pl.col("t") + (first - ahead) * _MINUTE
    return frame.with_columns(moved.alias("t")), first


def _without_hour_twice(frame: pl.DataFrame, problems: Problems) -> pl.DataFrame:
    """The rows with an hour added from the end of summer time on, if each series whose clock goes back does so once and
    by that hour."""
    if frame["t"].is_sorted():
        return frame
    step = pl.col("t").diff().over("key")
    usual = frame.select(step.filter(step > 0).median()).item() or 0
    back = frame.with_columns(step.alias("step")).filter(pl.col("step") < 0)
    once = back["key"].n_unique() == back.height > 0
    if not once or not is_hour_back(back["step"].to_numpy(), usual).all():
        return frame
    note_steps((TimeStep(0, back["step"][0] / SECOND, True),), back["line"].to_numpy(), problems)
    return frame.with_columns(pl.col("t") + (step < 0).fill_null(False).cum_sum().over("key") * HOUR)


def _one_row_each(
    frame: pl.DataFrame, roles: Roles, cell_of: Callable[[int, int], str], problems: Problems
) -> pl.DataFrame | CellFault:
    """Returns one row per series and time, or a fault if the other rows come from another machine."""
    same_series = pl.col("key") == pl.col("key").shift()
    again = frame.select((same_series & (pl.col("t") == pl.col("t").shift())).fill_null(value=False)).to_series()
    fault = _in_turn(frame, roles, cell_of)
    if fault is not None:
        return fault
    if not again.any():
        _tell_machines(frame, roles, cell_of, problems)
        return frame
    copies = again & ~frame.select(pl.struct("key", "t", "rest").is_first_distinct()).to_series()
    others = again & ~copies
    lines, before = frame["line"], frame["line"].shift()
    if others.any():
        pairs = [
            (int(line), int(first)) for line, first in zip(lines.filter(others), before.filter(others), strict=True)
        ]
        if (fault := _told_apart(frame, others, pairs, roles, cell_of)) is not None:
            return fault
        if len(pairs) > max(1, _STUTTER * frame.height):
            line, first = min(pairs)
            message = f"{len(pairs):,} rows have time and series of another row, line {line} those of line {first}."
            return CellFault(message, line, _MORE)
        for line, first in pairs:
            message = f"Line {line} has the time and the series of line {first}."
            problems.warn("repeated-time", message, "row rejected: only one row per time and series", line)
    if copies.any():
        copied = sorted(lines.filter(copies).to_list())
        message = f"{len(copied):,} rows repeat another in every cell; the first is line {copied[0]}."
        problems.warn("repeated-row", message, "duplicate rows ignored", copied[0])
    _tell_machines(frame, roles, cell_of, problems)
    return frame.filter(~again)


def _told_apart(
    frame: pl.DataFrame,
    others: pl.Series,
    pairs: list[tuple[int, int]],
    roles: Roles,
    cell_of: Callable[[int, int], str],
) -> CellFault | None:
    """Returns the fault of rows with one series and time that differ in a column without a role, with two of its
    texts."""
    for place, index in enumerate(roles.others):
        column = frame[f"o{place}"]
        differ = (column != column.shift()).filter(others)
        # Columns of values differ too, but a name occurs again.
        name = MACHINES.search(roles.names[index]) is not None or 2 * column.n_unique() <= frame.height
        if not name or 2 * int(differ.sum()) <= differ.len():
            continue
        line, first = min(pairs)
        shown = ", ".join(f"'{cell_of(number, index)[:_SHOWN]}'" for number in (first, line))
        where = f"Lines {first} and {line} have the same time and series"
        return CellFault(f"{where} and differ in the column '{_name(roles, index)}': {shown}.", line, _MORE)
    return None


def _in_turn(frame: pl.DataFrame, roles: Roles, cell_of: Callable[[int, int], str]) -> CellFault | None:
    """Returns the fault of a column without a role in which several names alternate within a series."""
    same = frame["key"] == frame["key"].shift()
    within = int(same.sum())
    for place, index in enumerate(roles.others):
        column = frame[f"o{place}"]
        if not within or 2 * column.n_unique() > frame.height:
            continue
        changes = same & (column != column.shift())
        if 2 * int(changes.sum()) < within or not changes.any():
            continue
        pair = (int(frame["line"].shift().filter(changes)[0]), int(frame["line"].filter(changes)[0]))
        texts = [cell_of(number, index) for number in pair]
        if all(_is_figure(text) for text in texts):
            continue
        shown = ", ".join(f"'{text[:_SHOWN]}'" for text in texts)
        message = f"Rows of one series are of {shown} in turn (column '{_name(roles, index)}')."
        return CellFault(message, max(pair), _MORE)
    return None


def _tell_machines(frame: pl.DataFrame, roles: Roles, cell_of: Callable[[int, int], str], problems: Problems) -> None:
    """Warns of a column without a role whose heading suggests machines, and that names several within a series."""
    same = frame["key"] == frame["key"].shift()
    for place, index in enumerate(roles.others):
        changes = same & (frame[f"o{place}"] != frame[f"o{place}"].shift())
        if not MACHINES.search(roles.names[index]) or not changes.any():
            continue
        lines = frame["line"].shift().filter(changes)[0], frame["line"].filter(changes)[0]
        shown = ", ".join(f"'{cell_of(line, index)[:_SHOWN]}'" for line in lines)
        problems.warn(
            "several-machines",
            f"The column '{_name(roles, index)}' names {shown} within one series, but is read as one.",
            "rows kept; if they are of several machines, choose the column as VM or LUN of the row",
            max(lines),
        )


def _is_figure(text: str) -> bool:
    try:
        float(text.replace(",", "."))
    except ValueError:
        return not text
    return True


def _name(roles: Roles, index: int) -> str:
    return roles.names[index] or f"column {index + 1}"


def negative(values: FloatArray, measured: Iterable[int], name_of: Callable[[int], str], problems: Problems) -> None:
    """Empties cells below zero in the columns that have a metric, with a problem per column."""
    for column in measured:
        below = values[column] < 0
        if below.any():
            message = f"'{name_of(column)}' contains {int(below.sum()):,} numbers below zero, which is impossible."
            problems.warn("negative-rate", message, "cells left empty: they count as missing")
            values[column, below] = np.nan
