"""Long tables that are read without a mapping: Azure Monitor Perf, PowerCLI Get-Stat, samples of Get-Counter, and
InfluxDB's annotated CSV. `layouts` lists their columns with the source of each.

InfluxDB's file may hold several tables, each with a header below its annotations (`#datatype`, `#group`, `#default`):
https://docs.influxdata.com/influxdb/v2/reference/syntax/annotated-csv/.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import polars as pl

from workbench.model.mapping import TimeFormat
from workbench.model.reading import Reader, Reading
from workbench.readers.common.row_problems import Problems
from workbench.readers.tables.cells import CellBlock, TableFile, rows_of, table_file
from workbench.readers.tables.layouts import INFLUX_MACHINES, INFLUX_OWN, Head, Style, find_head, head_of, series_of
from workbench.readers.tables.rows import Key, Roles, TableRows, take
from workbench.readers.tables.stored import TableSource, store
from workbench.readers.tables.timed import ORDERS, decided_format, guessed_format, split_cells
from workbench.readers.text.numbers import COMMA, Evidence, Notation, Seen, is_bare

LABEL = "long-table"
HEAD_BYTES = 65_536
_MAX_BYTES = 1 << 30
# This many rows from both ends are examined for the notation of times and numbers.
_LOOKED_AT = 5_000
# The tags of VM insights: `{"vm.azm.ms/mountId":"C:"}`.
_DEVICE = re.compile(r'"[^"]{0,80}(?:mountId|networkDeviceId)"\s*:\s*"([^"]{0,400})"', re.IGNORECASE)
_INFLUX_FIELDS = ("machine", "object", "counter", "instance", "kind", "tags")


@dataclass(frozen=True, eq=False)
class _Table:
    """The rows below one header: their roles, and the function that makes a key of their key cells."""

    roles: Roles
    key_of: Callable[[Key], Key]


def identify(head: bytes, _name: str) -> float:
    """Returns 0.8 for a table with the columns of a known layout."""
    return 0.8 if find_head(head, whole=len(head) < HEAD_BYTES) is not None else 0.0


def read(path: Path, name: str, columns: Path, order: str = "") -> Reading:
    """Returns a recording with one series per machine, disk and counter; `order` is the order that the run states for
    its dates."""
    problems = Problems(name)
    if path.stat().st_size > _MAX_BYTES:
        source = TableSource(name, LABEL, columns, "", "", str)
        return source.refused(
            problems, "too-large", "The file is larger than 1 GB.", "file not imported; split it by time"
        )
    table = table_file(path)
    problems.tell_open_end(table.open_end())
    with path.open("rb") as stream:
        head = find_head(stream.read(HEAD_BYTES), whole=path.stat().st_size <= HEAD_BYTES)
    source = TableSource(name, LABEL, columns, table.encoding, head.delimiter if head else "", table.line)
    if head is None:
        return source.refused(
            problems, "no-header", "The file contains no header of a known table.", "file not imported"
        )
    first = _table(head).roles
    ends = table.ends(head.line, _LOOKED_AT)
    split = [split_cells(text, head.delimiter) for text in ends]
    times = _texts(split, first.time)
    # The ends of the file nearly always decide for the whole file: then one look is enough.
    evidence = Evidence(head.delimiter, is_bare(ends, head.delimiter))
    evidence.add_column(pl.Series(_texts(split, first.values[0]), dtype=pl.String))
    decided = evidence.decided()
    guess, form = None, decided_format(times, order) if times else TimeFormat.YEAR_FIRST
    if form is None:
        # The rows in between may cross a midnight.
        every, count = _all_times(table, head)
        form = decided_format(every, order)
        guess = None if form else guessed_format(every, isinstance(decided, Notation) and decided.decimal == COMMA)
        if form is None and guess is None:
            message = f"The date '{times[0]}' may have the month first or the day first."
            advice = 'file not imported; set date_order = "mdy" or "dmy" in run.toml'
            return source.refused(problems, "ambiguous-date", message, advice, count)
        form = form or ORDERS[guess.order if guess else ""]
    while True:
        notation = decided if isinstance(decided, Notation) else Notation()
        rows = TableRows(notation=notation, evidence=Evidence(head.delimiter, evidence.bare))
        noted = Problems(name)
        below = None
        for block, own in _parts(table, head):
            below, rows.other_header = own, rows.other_header if own is below else 0
            take(block, replace(own.roles, form=form), rows, noted, own.key_of)
        decided = rows.evidence.decided()
        if decided == rows.notation or isinstance(decided, Seen):
            break
    problems.take(noted)
    if isinstance(decided, Seen):
        return source.undecided(decided, rows, problems)
    rows.evidence.tell(decided, problems)
    fields = _INFLUX_FIELDS if head.layout.style is Style.TELEGRAF else tuple(_fields(head))
    describe = partial(series_of, list(rows.keys), fields, head.layout.style, problems)
    utc = 0 if head.layout.utc else None
    return store(source, rows, first, describe, lambda _seconds: utc, problems, guess)


READER = Reader(LABEL, identify, read, read_dated=read)


def _texts(rows: Sequence[Sequence[str]], place: int) -> list[str]:
    """Returns the distinct texts of a column, in the order of the rows."""
    return list(dict.fromkeys(row[place] for row in rows if place < len(row) and row[place]))


def _all_times(table: TableFile, head: Head) -> tuple[list[str], int]:
    """Returns the distinct times of a file, and the number of its rows."""
    times: dict[str, None] = {}
    count = 0
    for block, own in _parts(table, head):
        right, wrong = rows_of(block, len(own.roles.names), head.delimiter)
        count += right.height + len(wrong)
        times.update(dict.fromkeys(text.strip() for text in right[f"c{own.roles.time}"].unique(maintain_order=True)))
    return [text for text in times if text], count


def _parts(table: TableFile, head: Head) -> Iterator[tuple[CellBlock, _Table]]:
    """Yields the lines below the first header in parts, each with its table."""
    own = _table(head)
    for block in table.blocks():
        below = block.below(head.line)
        if head.layout.style is not Style.TELEGRAF:
            yield below, own
            continue
        for rows, header in _between(below, head):
            yield rows, own
            if header is not None:
                own = _table(header)


def _between(block: CellBlock, head: Head) -> Iterator[tuple[CellBlock, Head | None]]:
    """Yields the rows between annotations, blank lines and headers, each part with the header after it, if there is
    one."""
    mark, *others = (name.encode() for name in head.layout.needed)
    if not any(text in b"\n" + block.data for text in (b"\n#", b"\n\n", mark)):
        yield block, None
        return
    lines, start = block.data.splitlines(keepends=True), 0
    for at, line in enumerate([*lines, b"\n"]):
        header = None
        # A row may contain the names as well, in a field or a host.
        if mark in line and all(name in line for name in others):
            header = head_of(line.decode("utf-8").rstrip("\n"), head.delimiter, block.first + at)
        if header is not None or line[:1] in b"#\n":
            yield CellBlock(block.first + start, b"".join(lines[start:at])), header
            start = at + 1


def _table(head: Head) -> _Table:
    if head.layout.style is Style.TELEGRAF:
        return _influx(head)
    if head.layout.style is Style.INSIGHTS:
        fields = _fields(head)
        tags = list(fields).index("instance") if "instance" in fields else None
        return _Table(_roles(head, tuple(fields.values()), frozenset()), partial(_with_device, tags))
    aside = frozenset(place for name in head.layout.aside if (place := head.place(name)) is not None)
    return _Table(_roles(head, tuple(_fields(head).values()), aside), lambda cells: cells)


def _with_device(tags: int | None, cells: Key) -> Key:
    """Returns the key with the disk or the network device instead of the tags, which also hold sums and sizes."""
    if tags is None:
        return cells
    match = _DEVICE.search(cells[tags])
    return (*cells[:tags], match[1].replace("\\\\", "\\") if match else "", *cells[tags + 1 :])


def _fields(head: Head) -> dict[str, int]:
    """Returns the fields of a key and the positions of their columns."""
    layout = head.layout
    names = {field: getattr(layout, field) for field in ("machine", "object", "counter", "instance", "unit", "kind")}
    return {field: place for field, name in names.items() if (place := head.place(name)) is not None}


def _roles(head: Head, keys: tuple[int, ...], ignored: frozenset[int]) -> Roles:
    time, value = head.place(head.layout.time), head.place(head.layout.value)
    assert time is not None
    assert value is not None
    return Roles(head.names, head.delimiter, time, (value,), keys, TimeFormat.YEAR_FIRST, ignored=ignored)


def _influx(head: Head) -> _Table:
    """Returns a table of InfluxDB: every column that InfluxDB does not define is a tag, and all tags together name the
    series."""
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

    return _Table(_roles(head, (*places, *tags), own), key_of)
