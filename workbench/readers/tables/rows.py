"""The rows of a table with a time in each: its cells as times, series and numbers, or a problem.

Every table of this folder is read here, with or without columns that name the series of a row (machine, disk,
counter). A row without a time is rejected by its line; a cell that is not a number is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from workbench.model.mapping import TimeFormat
from workbench.model.metric import Metric
from workbench.model.recording import Series
from workbench.readers.common.row_problems import Problems, row_rejected
from workbench.readers.tables.cells import CellBlock, Faulty, is_blank, rows_of
from workbench.readers.tables.timed import FileTime, moment_of
from workbench.readers.text.numbers import Evidence, Notation, unit_of, with_unit
from workbench.readers.text.rows import Fault, HeaderWatch, below_header

Key = tuple[str, ...]

SHOWN = 40
# The first rows are kept as text, to find values that repeat at each time: this many rows and cells.
_FIRST, _FIRST_CELLS = 2_000, 1_000_000


@dataclass(frozen=True, slots=True)
class Roles:
    """The content of the columns of a table, by position: the time, the values, and the `keys` that name the series.

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

    def name(self, index: int) -> str:
        """Returns the name of a column for a message."""
        return self.names[index] or f"column {index + 1}"


@dataclass(eq=False)
class TableRows:
    """The rows as numbers: `line`, `t` (local microseconds), `offset`, `key` (an index into `keys`), the values `v0`,
    `v1`, …, and hashes of the columns without a role (`o0`, `o1`, …) and of everything except the key (`rest`).

    The numbers are read in `notation`; `evidence` is the evidence for it. `metric` returns the metric of a series and
    a value, to convert units in cells; without it, a cell with a unit is not a number. `with_units` maps a column to
    its first cell with a unit. `other_header` is the line of a header with other columns above the next row. `first`
    are the first rows as text.
    """

    parts: list[pl.DataFrame] = field(default_factory=list)
    keys: dict[Key, int] = field(default_factory=dict)
    moments: dict[str, FileTime | None] = field(default_factory=dict)
    rejected: int = 0
    notation: Notation = field(default_factory=Notation)
    evidence: Evidence = field(default_factory=Evidence)
    metric: Callable[[Key, int], Metric | None] | None = None
    with_units: dict[int, str] = field(default_factory=dict)
    other_header: int = 0
    first: pl.DataFrame = field(default_factory=pl.DataFrame)

    @property
    def count(self) -> int:
        """Returns the number of rows read."""
        return sum(part.height for part in self.parts)

    def frame(self) -> pl.DataFrame:
        """Returns all rows read and hands them over: they are no longer kept here."""
        frame = pl.concat(self.parts)
        self.parts.clear()
        return frame


def take(block: CellBlock, roles: Roles, rows: TableRows, problems: Problems, key_of: Callable[[Key], Key]) -> None:
    """Adds the rows of some lines below one header. `key_of` returns the key of a series from the cells of a row's
    keys."""
    right, wrong = rows_of(block, len(roles.names), roles.delimiter)
    add(right, roles, rows, problems, key_of, wrong)


def add(
    part: pl.DataFrame,
    roles: Roles,
    rows: TableRows,
    problems: Problems,
    key_of: Callable[[Key], Key],
    wrong: Sequence[Faulty] = (),
) -> None:
    """Like `take`, for lines that are already split: `line`, and the cells `c0`, `c1`, …; `wrong` are the others."""
    faults = _Faults()
    part = _without_faulty(_with_times(part, roles, rows), wrong, roles, rows, faults)
    part = _with_keys(part, [f"c{index}" for index in roles.keys], rows, key_of)
    if part.height and rows.first.is_empty():
        rows.first = part.select("line", "^c\\d+$").head(min(_FIRST, _FIRST_CELLS // len(roles.names)))
    rest = [index for index in range(len(roles.names)) if index not in roles.keys]
    # Each column has a separate seed, so equal cells in two columns get different hashes.
    mixed = pl.sum_horizontal(pl.col(f"c{index}").str.strip_chars().hash(index) for index in rest).alias("rest")
    part = part.with_columns(mixed)
    for at, index in enumerate(roles.values):
        part, factors = _without_units(part, at, index, rows, faults)
        rows.evidence.add_column(part[f"c{index}"], part["line"], index + 1)
        numbers = rows.notation.numbers(part[f"c{index}"])
        texts = pl.col(f"c{index}").str.strip_chars()
        for line, text in part.filter(numbers.is_null()).filter(texts != "").select("line", texts).iter_rows():
            code, what = rows.notation.fault(text)
            faults.cell(line, index, code, f"'{text[:SHOWN]}' {what}")
        part = part.with_columns((numbers if factors is None else numbers * factors).alias(f"v{at}"))
    others = [pl.col(f"c{index}").str.strip_chars().hash().alias(f"o{at}") for at, index in enumerate(roles.others)]
    values = [f"v{at}" for at in range(len(roles.values))]
    if part.height:
        rows.parts.append(part.select("line", "t", "offset", "key", *values, *others, "rest"))
    faults.tell(problems)


@dataclass(slots=True)
class _Faults:
    """The faults of rows and cells of a block: line, cell (0: the whole row), code, sentence, and the action taken."""

    found: list[tuple[int, int, str, str, str]] = field(default_factory=list)

    def row(self, line: int, fault: Fault) -> None:
        self.found.append((line, 0, fault.code, f"Line {line} {fault.why}.", row_rejected(fault.code)))

    def cell(self, line: int, index: int, code: str, what: str) -> None:
        self.found.append((line, index + 1, code, f"Line {line}: {what}.", "cell left empty; check it in the file"))

    def tell(self, problems: Problems) -> None:
        for line, cell, code, message, action in sorted(self.found):
            problems.warn(code, message, action, line, cell or None)


def _with_times(part: pl.DataFrame, roles: Roles, rows: TableRows) -> pl.DataFrame:
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


def _without_faulty(
    part: pl.DataFrame, wrong: Sequence[Faulty], roles: Roles, rows: TableRows, faults: _Faults
) -> pl.DataFrame:
    """Returns the rows that have a time and are below the table's own header. Blank lines do not count; every other row
    is rejected."""
    timeless = part.filter(pl.col("t").is_null())
    watch = HeaderWatch(roles.names, rows.other_header)
    if not (timeless.height or wrong or watch.other):
        return part
    part, cells = part.filter(pl.col("t").is_not_null()), timeless.filter(~is_blank(timeless)).select("line", "^c\\d+$")
    unread = [_timeless(line, [cell.strip() for cell in texts], roles) for line, *texts in cells.iter_rows()]
    lines, others = [0], [watch.other]
    for line, texts, fault in sorted([*wrong, *unread]):
        faults.row(line, watch.fault(line, texts) or fault)
        lines.append(line)
        others.append(watch.other)
    above = np.array(others)[np.searchsorted(lines, part["line"], side="right") - 1]
    for line, other in zip(part["line"].filter(above > 0), above[above > 0], strict=True):
        faults.row(line, below_header(other))
    rows.rejected += len(faults.found)
    rows.other_header = watch.other
    return part.filter(above == 0)


def _timeless(line: int, cells: list[str], roles: Roles) -> Faulty:
    text = cells[roles.time]
    why = (
        f"contains the time '{text[:SHOWN]}', which does not have the format '{roles.form}'"
        if text
        else "contains no time"
    )
    return Faulty(line, cells, Fault("bad-time", why))


def _with_keys(part: pl.DataFrame, names: list[str], rows: TableRows, key_of: Callable[[Key], Key]) -> pl.DataFrame:
    if not names:
        place = rows.keys.setdefault(key_of(()), len(rows.keys))
        return part.with_columns(pl.lit(place, pl.UInt32).alias("key"))
    unique = part.select(names).unique(maintain_order=True)
    stripped = unique.select(pl.all().str.strip_chars()).iter_rows()
    places = [rows.keys.setdefault(key_of(cells), len(rows.keys)) for cells in stripped]
    known = unique.with_columns(pl.Series("key", places, pl.UInt32))
    return part.join(known, on=names, how="left", maintain_order="left")


def _without_units(
    part: pl.DataFrame, at: int, index: int, rows: TableRows, faults: _Faults
) -> tuple[pl.DataFrame, pl.Series | None]:
    """Returns the rows with the numbers of a value column alone, and the factor of each cell; None if no cell has a
    unit. A cell in a unit of another quantity is left blank."""
    name = f"c{index}"
    lettered = part.filter(pl.col(name).str.contains("[A-Za-z\u00b5\u03bc%#]")) if rows.metric else part.clear()
    if rows.metric is None or lettered.is_empty():
        return part, None
    keys = list(rows.keys)
    known: list[tuple[int, str, str, float | None]] = []
    for key, cell in lettered.select("key", name).unique(maintain_order=True).iter_rows():
        if (found := with_unit(cell.strip())) is not None:
            factor = _factor(found[1], rows.metric(keys[key], at))
            known.append((key, cell, "" if factor is None else found[0], factor))
            if factor is not None:
                rows.with_units.setdefault(index, cell.strip())
    types = {"key": pl.UInt32, name: pl.String, "number": pl.String, "factor": pl.Float64}
    units = pl.DataFrame(known, types, orient="row")
    part = part.join(units, on=("key", name), how="left", maintain_order="left")
    for line, cell in part.filter(pl.col("number") == "").select("line", name).iter_rows():
        faults.cell(line, index, "cell-unit", f"'{cell.strip()[:SHOWN]}' has a different unit from its column")
    factors = part["factor"].fill_null(1.0)
    return part.with_columns(pl.coalesce("number", name).alias(name)).drop("number", "factor"), factors


def _factor(unit: str, metric: Metric | None) -> float | None:
    """Returns the factor that turns a number with this unit into one for the scale of its metric, or None for a unit of
    another quantity."""
    kind, factor = unit_of(unit) or ("", 1.0)
    if not kind or metric is None:
        return factor
    return factor / metric.scale if kind == metric.quantity.unit else None


def without_negatives(frame: pl.DataFrame, roles: Roles, series: Sequence[Series], problems: Problems) -> pl.DataFrame:
    """Returns the rows with an empty cell for each number below zero of a series that has a metric. `series` holds one
    for each value of each key."""
    found: list[pl.DataFrame] = []
    width = len(roles.values)
    for at, index in enumerate(roles.values):
        own = series[at::width]
        below = frame.select("line", "key", value=f"v{at}").filter(pl.col("value") < 0)
        measured = [key for key in below["key"].unique() if own[key].metric is not None]
        below = below.filter(pl.col("key").is_in(measured))
        if below.height:
            paths = pl.col("key").replace_strict({key: own[key].path for key in measured}, return_dtype=pl.String)
            found.append(below.select("line", "value", cell=pl.lit(index + 1), path=paths))
            wrong = (pl.col(f"v{at}") < 0) & pl.col("key").is_in(measured)
            frame = frame.with_columns(pl.when(~wrong.fill_null(value=False)).then(f"v{at}").alias(f"v{at}"))
    if found:
        for line, value, cell, path in pl.concat(found).sort("line", "cell").iter_rows():
            message = f"Line {line}: the value {value:g} is too low for '{path}'."
            problems.warn("negative-rate", message, "cell left empty; check the counter", line, cell)
    return frame
