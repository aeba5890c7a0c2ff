"""Long tables through a column mapping: columns name the machine, the disk and the counter of each row.

Array exports have a row per LUN and time with a column per metric; other tables have a row per value. One mapping
covers both. The names in a row become the name of its series, so two machines are never merged.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import polars as pl

from workbench.model.mapping import ColumnMapping, MappedColumn
from workbench.model.metric import Metric, Quantity, Vantage
from workbench.model.reading import Reading
from workbench.model.recording import Series
from workbench.readers.common.counters import canonical, metric_of
from workbench.readers.common.row_problems import Problems
from workbench.readers.perfmon.header import is_path, split_path
from workbench.readers.tables.cells import table_file
from workbench.readers.tables.keyed import Key, KeyedRows, Roles, take
from workbench.readers.tables.layouts import Parts, one_name_each
from workbench.readers.tables.long import CellFault
from workbench.readers.tables.mapped_rows import factor_of, notation_of, tell_stated_decimal, tell_units
from workbench.readers.tables.stored import TableSource, store, tell_open_end
from workbench.readers.tables.timed import TimedCsv
from workbench.readers.text.numbers import Evidence
from workbench.readers.text.rows import BLANK

# The machine of a column that takes its name from each file: `W10-001.csv` belongs to W10-001.
FROM_FILE_NAME = "{file}"


class Mapped(NamedTuple):
    """The file being read: its name in problems, its reader, and the destination of its columns."""

    name: str
    label: str
    columns: Path


def read_keyed(
    table: TimedCsv,
    mapping: ColumnMapping,
    zone_offset: Callable[[str, float], int],
    path: Path,
    file: Mapped,
    problems: Problems,
) -> Reading:
    """Returns a recording with one series per machine, disk and counter that the rows name."""
    lines = table_file(path)
    tell_open_end(lines.open_end(), problems)
    source = TableSource(*file, table.encoding, table.delimiter, lines.line)
    values = tuple(column.column for column in mapping.columns)
    roles = Roles(table.names, table.delimiter, mapping.time_column, values, mapping.key_columns, mapping.time_format)
    rows = KeyedRows(notation=notation_of(mapping), evidence=Evidence(table.delimiter))
    rows.factor = partial(_factor, table, mapping, file.name)
    for block in lines.blocks():
        take(block.below(table.line), roles, rows, problems, lambda cells: cells)
    tell_stated_decimal(rows.evidence, mapping, problems)
    tell_units(rows.with_units, table.names, problems)
    _drop_nameless(rows, mapping, problems)
    if table.line > 1 and any(lines.line(number).strip(BLANK) for number in range(1, table.line)):
        message = f"The header is on line {table.line}."
        problems.info("lines-before-header", message, "earlier lines ignored", table.line)
    tell_left_out(table, mapping, problems)
    _tell_without_meaning(rows, mapping, problems)
    describe = partial(_described, list(rows.keys), table, mapping, file.name)

    def clock(seconds: float) -> int | None:
        try:
            return zone_offset(mapping.time_zone, seconds) if mapping.time_zone else None
        except ValueError as error:
            message = f"The mapping's time zone {error}."
            problems.warn("time-zone-unknown", message, "times shown as the file has them")
            return None

    return store(source, rows, roles, describe, clock, problems, zone=mapping.time_zone)


def machine_of(column: MappedColumn, name: str) -> str:
    """Returns the machine that a mapping names for a column of the file `name`."""
    return PurePosixPath(name).stem if column.machine == FROM_FILE_NAME else column.machine


def tell_left_out(table: TimedCsv, mapping: ColumnMapping, problems: Problems) -> None:
    """Notes the columns that a mapping leaves out."""
    used = {mapping.time_column, *mapping.key_columns, *(column.column for column in mapping.columns)}
    left_out = [name for index, name in enumerate(table.names) if index not in used]
    if left_out:
        problems.info(
            "columns-left-out",
            f"The mapping ignores {len(left_out)} columns, such as '{left_out[0]}'.",
            "columns ignored; to change that, use Run › Map columns…",
            table.line,
        )


def _drop_nameless(rows: KeyedRows, mapping: ColumnMapping, problems: Problems) -> None:
    """Rejects rows with a blank machine cell: their machine is unknown."""
    if mapping.machine_column is None:
        return
    nameless = [place for key, place in rows.keys.items() if not key[0]]
    blank = pl.col("key").is_in(nameless)
    lines = [line for part in rows.parts for line in part.filter(blank)["line"]]
    if not lines:
        return
    name = mapping.names[mapping.machine_column]
    message = f"{len(lines):,} rows have no machine in the column '{name}'; the first is line {lines[0]}."
    problems.warn("no-machine", message, "rows rejected", lines[0])
    kept = [key for key in rows.keys if key[0]]
    places = {rows.keys[key]: place for place, key in enumerate(kept)}
    renumbered = pl.col("key").replace_strict(places, return_dtype=pl.Int64) if places else pl.col("key")
    rows.parts = [part.filter(~blank).with_columns(renumbered) for part in rows.parts]
    rows.keys = {key: place for place, key in enumerate(kept)}
    rows.rejected += len(lines)


def _tell_without_meaning(rows: KeyedRows, mapping: ColumnMapping, problems: Problems) -> None:
    if mapping.counter_column is None:
        return
    known = {item.name for item in mapping.counters}
    names = [name for name in dict.fromkeys(key[-1] for key in rows.keys) if name not in known and not is_path(name)]
    if names:
        message = f"The mapping states no meaning of {len(names)} counters, such as '{names[0][:40]}'."
        problems.info("counter-unmapped", message, "kept as counters; to change that, use Run › Map columns…")


def _described(keys: list[Key], table: TimedCsv, mapping: ColumnMapping, name: str) -> tuple[Series, ...] | CellFault:
    parts = [_parts(key, mapping) for key in keys for _ in mapping.columns]
    pairs = zip(parts, (column for _ in keys for column in mapping.columns), strict=True)
    series = tuple(_series(at, part, column, table, mapping, name) for at, (part, column) in enumerate(pairs))
    return one_name_each(series, parts) or series


def _parts(key: Key, mapping: ColumnMapping) -> Parts:
    """Returns the names of a series by their meaning."""
    fields = [
        field
        for field, place in (
            ("machine", mapping.machine_column),
            ("instance", mapping.disk_column),
            ("counter", mapping.counter_column),
        )
        if place is not None
    ]
    return Parts(**dict(zip(fields, key, strict=True)))


def _factor(table: TimedCsv, mapping: ColumnMapping, name: str, key: Key, place: int, unit: str) -> float | None:
    """Returns the factor for a number with a unit in the value column `place` of a series."""
    metric = _series(0, _parts(key, mapping), mapping.columns[place], table, mapping, name).metric
    return factor_of(unit, None, 1.0) if metric is None else factor_of(unit, metric.quantity, metric.scale)


def _series(at: int, part: Parts, column: MappedColumn, table: TimedCsv, mapping: ColumnMapping, name: str) -> Series:
    heading = table.names[column.column] or f"column {column.column + 1}"
    counter = heading
    if mapping.counter_column is not None:
        counter = part.counter if len(mapping.columns) == 1 else f"{part.counter}: {heading}"
    machine, path = part.machine or machine_of(column, name), split_path(part.counter)
    quantity, scale = _meaning(part, column, mapping)
    metric = None if quantity is None else Metric(quantity, column.vantage, column.tier, scale)
    if metric is None and is_path(part.counter):
        machine, instance = machine or path.host, part.instance or path.instance
        kind, counter = canonical(path.object, path.counter)
        metric = metric_of(kind, instance, counter)
        return Series(at, part.counter, machine, kind, instance, counter, machine or None, metric)
    where = ": ".join(text for text in (machine, counter) if text) + (f" ({part.instance})" if part.instance else "")
    kind = f"CSV ({column.vantage})"
    if column.vantage is Vantage.ARRAY:
        instance = " ".join(text for text in (machine, part.instance) if text)
        return Series(at, where, "", kind, instance, counter, None, metric)
    return Series(at, where, machine, kind, part.instance, counter, machine or None, metric)


def _meaning(part: Parts, column: MappedColumn, mapping: ColumnMapping) -> tuple[Quantity | None, float]:
    """Returns the quantity and scale of a value: those of its counter if the rows name one, otherwise those of its
    column."""
    if mapping.counter_column is None:
        return column.quantity, column.scale
    return next(((item.quantity, item.scale) for item in mapping.counters if item.name == part.counter), (None, 1.0))
