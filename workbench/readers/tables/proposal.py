"""The probable meaning of the columns of an unknown CSV, by the words of its header. It is only a proposal.

Storage arrays name LUNs, storage processors and FAST Cache; their IOPS and response times are measured at the array.
Cache hits per second are kept as plain counters: they are a part of the LUN's I/O and would be counted twice.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from workbench.model.mapping import ColumnMapping, Decimal, MappedColumn, MappedCounter
from workbench.model.metric import Quantity, Vantage
from workbench.readers.tables.cells import block_of, rows_of
from workbench.readers.tables.machines import MACHINES, holds_words
from workbench.readers.tables.timed import TimedCsv, time_format_of
from workbench.readers.text.encodings import decode_text
from workbench.readers.text.numbers import COMMA, Evidence, Notation, unit_of, with_unit

# Units that a column may have, by the canonical unit of its quantity: the words and the factor to that unit.
UNIT_SCALES: dict[str, tuple[tuple[str, float], ...]] = {
    "1/s": (("per second", 1.0), ("per minute", 1 / 60)),
    "s": (("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9), ("s", 1.0)),
    "B/s": (("bytes/s", 1.0), ("KB/s (1000)", 1e3), ("KiB/s", 1024.0), ("MB/s (10⁶)", 1e6), ("MiB/s", 2.0**20)),
    "B": (("bytes", 1.0), ("KiB", 1024.0), ("MiB", 2.0**20), ("GiB", 2.0**30)),
    "%": (("%", 1.0), ("share of 1", 100.0)),
    "Mbit/s": (("kbit/s", 1e-3), ("Mbit/s", 1.0)),
    "W": (("mW", 1e-3), ("W", 1.0)),
    "": (("number", 1.0),),
}
_RULES: tuple[tuple[re.Pattern[str], Quantity], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), quantity)
    for pattern, quantity in (
        (r"resp(onse)?[\s_.-]*time|latency|\blat\b|sec/(read|write|transfer)", Quantity.LATENCY),
        (r"queue[\s_.-]*(depth|length)", Quantity.QUEUE_DEPTH),
        (
            r"\b[kmg]?i?b(ytes|ps)?\s*((read|written|write)\s*)?(/|per )\s*s|throughput|bandwidth|\bmbps\b",
            Quantity.THROUGHPUT,
        ),
        (r"\biops?\b|\bi/?os?(/| per )s|(reads?|writes?|commands|transfers)\s*(/|per )\s*s", Quantity.IOPS),
        (r"^(total |host )?cpu[ _-]*(%|util|usage|busy)|% processor time", Quantity.CPU),
        (r"(free|available)\s*(memory|mbytes|ram)|memory (free|available)", Quantity.MEMORY_AVAILABLE),
        (r"active[\s_]*sessions|session count", Quantity.ACTIVE_SESSIONS),
    )
)
_SIDES = {
    Quantity.IOPS: (Quantity.READ_IOPS, Quantity.WRITE_IOPS),
    Quantity.LATENCY: (Quantity.READ_LATENCY, Quantity.WRITE_LATENCY),
    Quantity.THROUGHPUT: (Quantity.READ_THROUGHPUT, Quantity.WRITE_THROUGHPUT),
}
# The quantity of a column by the units of its cells, if its name does not state it.
_MEASURED = {"s": Quantity.LATENCY, "1/s": Quantity.IOPS, "B/s": Quantity.THROUGHPUT}
# Parts of another value, or not a metric of the storage: kept as plain counters.
_PLAIN = re.compile(r"\b(hits?|misses|swap|idle|wait|ready|group|target|kernel|max|min)\b", re.IGNORECASE)
_ARRAY = re.compile(
    r"\blun\b|\bsp\b|\bsp[ _-]?[ab]\b|fast[ _-]?cache|storage processor|\barray\b|\bpool\b", re.IGNORECASE
)
_LUN = re.compile(r"\blun[ _-]*+(\d\w*|[\w-]{0,60}\d[\w-]*)", re.IGNORECASE)
_UNIT_WORDS: tuple[tuple[str, float], ...] = (
    (r"\bns\b|nanosec", 1e-9),
    (r"\bus\b|µs|μs|microsec", 1e-6),
    (r"\bms\b|millisec|msec", 1e-3),
    (r"\bgi?b\b|gbytes", 2.0**30),
    (r"\bmib|mbytes", 2.0**20),
    (r"\bmb", 1e6),
    (r"\bkib|kbytes", 1024.0),
    (r"\bkb", 1e3),
)
# Headings of columns that name the counter of a row, and of those that name its disk.
_COUNTERS = re.compile(r"counter|metric|measure|_field|statistic", re.IGNORECASE)
_DISKS = re.compile(r"disk|instance|drive|volume", re.IGNORECASE)


def propose(table: TimedCsv) -> ColumnMapping:
    """Returns a mapping of every value column. The user must confirm it before any file is read through it."""
    cells = [row[table.time_column] for row in table.rows]
    on_array = any(_ARRAY.search(name) for name in table.names)
    columns = tuple(
        _column(index, name, on_array, _unit(table, index))
        for index, name in enumerate(table.names)
        if index != table.time_column and _holds_numbers(table, index)
    )
    evidence = Evidence(table.delimiter)
    for row in table.rows:
        for column in columns:
            cell = row[column.column]
            evidence.add((with_unit(cell) or (cell,))[0])
    mark = Decimal.COMMA if evidence.decided() == Notation(COMMA) else Decimal.POINT
    form = time_format_of(cells)
    machine, disk, counter = _roles(table)
    taken = {machine, disk, counter}
    kept = tuple(column for column in columns if column.column not in taken)
    return ColumnMapping(table.names, table.delimiter, table.time_column, form, kept, "", mark, machine, disk, counter)


def _roles(table: TimedCsv) -> tuple[int | None, int | None, int | None]:
    """Returns the columns that name the machine, the disk and the counter of a row, if rows share a time or names occur
    again."""
    several = len({row[table.time_column] for row in table.rows}) < len(table.rows)
    words = [
        index
        for index in range(len(table.names))
        if index != table.time_column and holds_words(table, index) and (several or _comes_again(table, index))
    ]
    roles: list[int | None] = []
    for pattern in (_COUNTERS, MACHINES, _DISKS):
        place = next((index for index in words if pattern.search(table.names[index]) and index not in roles), None)
        roles.append(place)
    counter, machine, disk = roles
    return machine, disk, counter


def _comes_again(table: TimedCsv, index: int) -> bool:
    kinds = len({row[index] for row in table.rows})
    return 1 < kinds <= len(table.rows) // 2


def counter_meanings(names: Sequence[str]) -> tuple[MappedCounter, ...]:
    """Returns the probable meaning of the texts in a column of counter names; the user must confirm it."""
    quantities = [(name, None if _PLAIN.search(name) else _quantity(name)) for name in names]
    return tuple(MappedCounter(name, quantity, _scale(name, quantity)) for name, quantity in quantities)


def units_of(quantity: Quantity | None) -> tuple[tuple[str, float], ...]:
    """Returns the units that a column of this quantity may have, with the factor to the canonical unit."""
    return UNIT_SCALES[quantity.unit] if quantity is not None else (("as it is", 1.0),)


def _unit(table: TimedCsv, index: int) -> str | None:
    """Returns the quantity of the units in the cells of a column, or None if most cells have no unit."""
    kinds = [unit_of(found[1]) for row in table.rows if (found := with_unit(row[index])) is not None]
    filled = sum(row[index] != "" for row in table.rows)
    return kinds[0][0] if kinds and kinds[0] and 2 * len(kinds) > filled else None


def _column(index: int, name: str, on_array: bool, unit: str | None) -> MappedColumn:
    vantage = Vantage.ARRAY if on_array else Vantage.GUEST
    lun = _LUN.search(name)
    machine = f"LUN {lun[1]}" if lun else ""
    quantity = None if _PLAIN.search(name) else _quantity(name)
    if unit and (quantity is None or quantity.unit != unit):
        quantity = None if _PLAIN.search(name) else _side(_MEASURED.get(unit), name)
    # Cells with units need no scale.
    return MappedColumn(index, quantity, 1.0 if unit else _scale(name, quantity), machine, vantage)


def _quantity(name: str) -> Quantity | None:
    return _side(next((quantity for pattern, quantity in _RULES if pattern.search(name)), None), name)


def _side(match: Quantity | None, name: str) -> Quantity | None:
    """Returns the quantity of only reads or only writes if the name mentions one of them."""
    if match not in _SIDES:
        return match
    read, write = (re.search(word, name, re.IGNORECASE) is not None for word in ("read", "writ"))
    if read == write:
        return match
    return _SIDES[match][0 if read else 1]


def _scale(name: str, quantity: Quantity | None) -> float:
    units = [factor for _, factor in units_of(quantity)]
    for pattern, factor in _UNIT_WORDS:
        if re.search(pattern, name, re.IGNORECASE) and factor in units:
            return factor
    return units[0]


def _holds_numbers(table: TimedCsv, index: int) -> bool:
    cells = [row[index] for row in table.rows if row[index]]
    numbers = sum(
        re.fullmatch(r"[-+]?[\d.,]+(?:[eE][-+]?\d+)?", cell) is not None or with_unit(cell) is not None
        for cell in cells
    )
    return not cells or numbers * 2 > len(cells)


# A column with more texts than this holds notes or machines, not counters.
_MOST = 300
Kinds = dict[int, tuple[str, ...]]


def kinds_of(data: bytes, table: TimedCsv) -> Kinds:
    """Returns the texts of each column of words in the order of the file, by position. Columns with very many texts are
    left out."""
    words = [index for index in range(len(table.names)) if index != table.time_column and holds_words(table, index)]
    kinds: dict[int, dict[str, None]] = {index: {} for index in words}
    block = block_of(decode_text(data, whole=False)[0]).below(table.line)
    rows, _ = rows_of(block, len(table.names), table.delimiter)
    for index, texts in kinds.items():
        cells = rows[f"c{index}"].str.strip_chars()
        texts.update(dict.fromkeys(cells.unique(maintain_order=True).to_list()))
    return {index: tuple(text for text in texts if text) for index, texts in kinds.items() if len(texts) <= _MOST}
