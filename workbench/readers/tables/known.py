"""Long tables that are read without a mapping: Azure Monitor Perf, PowerCLI Get-Stat, samples of Get-Counter, and
InfluxDB's annotated CSV. `layouts` lists their columns with the source of each.

InfluxDB's file may hold several tables, each with a header of its own below its annotations (`#datatype`, `#group`,
`#default`): https://docs.influxdata.com/influxdb/v2/reference/syntax/annotated-csv/.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import polars as pl

from workbench.model.mapping import TimeFormat
from workbench.model.reading import Reader, Reading
from workbench.readers.common.row_problems import Problems
from workbench.readers.tables.cells import filled, lines_of
from workbench.readers.tables.keyed import Key, Roles, Rows, take
from workbench.readers.tables.layouts import INFLUX_MACHINES, INFLUX_OWN, Head, Layout, Style, find_head, head_of
from workbench.readers.tables.named import series_of
from workbench.readers.tables.stored import Source, store, tell_open_end
from workbench.readers.tables.timed import decide_comma, decided_format, decode, split_cells

LABEL = "long-table"
HEAD_BYTES = 65_536
_MAX_BYTES = 1 << 30
# So many rows from both ends are looked at for how times and numbers are written.
_LOOKED_AT = 5_000
_INFLUX_FIELDS = ("machine", "object", "counter", "instance", "kind", "tags")


@dataclass(frozen=True, eq=False)
class _Table:
    """The rows below one header: their lines, their roles, and what makes a key of the cells of their keys."""

    lines: pl.DataFrame
    roles: Roles
    key_of: Callable[[Key], Key]

    def column(self, place: int) -> list[str]:
        """The texts of a column in the first and the last rows."""
        ends = pl.concat([self.lines.head(_LOOKED_AT), self.lines.tail(_LOOKED_AT)])["text"]
        rows = [split_cells(text, self.roles.delimiter) for text in ends]
        return [row[place] for row in rows if place < len(row) and row[place]]


def identify(head: bytes, _name: str) -> float:
    """0.8 for a table with the columns of a known layout."""
    return 0.8 if find_head(head, whole=len(head) < HEAD_BYTES) is not None else 0.0


def read(path: Path, name: str, columns: Path, order: str = "") -> Reading:
    """A recording with one series for each machine, disk and counter; `order` is what the run says of its dates."""
    problems = Problems(name)
    if path.stat().st_size > _MAX_BYTES:
        source = Source(name, LABEL, columns, "", "", pl.DataFrame())
        return source.refused(problems, "too-large", "The file is larger than 1 GB.", "file left out; split it by time")
    data = path.read_bytes()
    head = find_head(data[:HEAD_BYTES], whole=len(data) <= HEAD_BYTES)
    text, encoding = decode(data)
    del data  # the lines are a copy of it, and hundreds of MB
    lines = filled(lines_of(text))
    tell_open_end(text, problems)
    del text
    source = Source(name, LABEL, columns, encoding, head.delimiter if head else "", lines)
    if head is None:
        return source.refused(problems, "no-header", "No header of a known table was found.", "file left out")
    tables = list(_tables(lines, head))
    times = [cell for table in tables for cell in table.column(table.roles.time)]
    form = decided_format(times, order) if times else TimeFormat.YEAR_FIRST
    if form is None:
        message = f"'{times[0]}' fits month first and day first, and nothing in the file decides it."
        advice = 'file left out; state date_order = "mdy" or "dmy" in run.toml'
        return source.refused(problems, "ambiguous-date", message, advice)
    comma = decide_comma([cell for table in tables for cell in table.column(table.roles.values[0])])
    rows = Rows()
    roles = [replace(table.roles, form=form, comma=comma) for table in tables]
    for table, own in zip(tables, roles, strict=True):
        take(table.lines, own, rows, problems, table.key_of)
    fields = _INFLUX_FIELDS if head.layout.style is Style.TELEGRAF else tuple(_fields(head))
    describe = partial(series_of, list(rows.keys), fields, head.layout.style, problems)
    utc = 0 if head.layout.utc else None
    return store(source, rows, roles[0], describe, lambda _seconds: utc, problems)


READER = Reader(LABEL, identify, read, read_dated=read)


def _tables(lines: pl.DataFrame, head: Head) -> Iterator[_Table]:
    if head.layout.style is not Style.TELEGRAF:
        yield _table(lines.filter(pl.col("line") > head.line), head)
        return
    heads = [head]
    marks = lines.filter((pl.col("line") > head.line) & pl.col("text").str.contains(head.layout.time, literal=True))
    for number, text in marks.select("line", "text").iter_rows():
        if (other := head_of(text, head.delimiter, number)) is not None:
            heads.append(other)
    below = lines.filter(~pl.col("text").str.starts_with("#"))
    ends = [*(other.line for other in heads[1:]), int(lines["line"].max()) + 1]  # type: ignore[arg-type]
    for own, end in zip(heads, ends, strict=True):
        yield _influx(below.filter((pl.col("line") > own.line) & (pl.col("line") < end)), own)


def _table(lines: pl.DataFrame, head: Head) -> _Table:
    layout, keys = head.layout, tuple(_fields(head).values())
    return _Table(lines, _roles(head, layout, keys), lambda cells: cells)


def _fields(head: Head) -> dict[str, int]:
    """The fields of a key and where their columns are."""
    layout = head.layout
    names = {field: getattr(layout, field) for field in ("machine", "object", "counter", "instance", "unit", "kind")}
    return {field: place for field, name in names.items() if (place := head.place(name)) is not None}


def _roles(head: Head, layout: Layout, keys: tuple[int, ...], ignored: frozenset[int] = frozenset()) -> Roles:
    time, value = head.place(layout.time), head.place(layout.value)
    assert time is not None
    assert value is not None
    return Roles(head.names, head.delimiter, time, (value,), keys, TimeFormat.YEAR_FIRST, ignored=ignored)


def _influx(lines: pl.DataFrame, head: Head) -> _Table:
    """A table of InfluxDB: each column that is not its own is a tag, and all tags together name the series."""
    names = [name.casefold() for name in head.names]
    tags = [place for place, name in enumerate(names) if name not in INFLUX_OWN]
    places = [names.index("_measurement"), names.index("_field")] if "_measurement" in names else []
    own = frozenset(place for place, name in enumerate(names) if name in INFLUX_OWN)

    def key_of(cells: Key) -> Key:
        by_name = {names[place]: cell for place, cell in zip(tags, cells[2:], strict=True) if cell}
        machine = next((by_name.pop(name) for name in INFLUX_MACHINES if name in by_name), "")
        instance, kind = by_name.pop("instance", ""), by_name.pop("objectname", "")
        further = ", ".join(f"{name}={cell}" for name, cell in sorted(by_name.items()))
        return (machine, cells[0], cells[1], instance, kind, further)

    return _Table(lines, _roles(head, head.layout, (*places, *tags), own), key_of)
