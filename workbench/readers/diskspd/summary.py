"""DiskSpd's totals, collected by a script in one CSV: a row for each test and VM.

`PROFILE,OIO,VM_Name,TBytes,RBytes,WBytes,TIOS,RIOS,WIOS,TBW,RBW,WBW,TIOPS,RIOPS,WIOPS,TLAT,RLAT,WLAT`: T is the total,
R reads, W writes. Bandwidths are in MiB/s and mean latencies in milliseconds, as DiskSpd prints them. A real file:
github.com/vineethac/vsphere_diskspd_windows, `CSV_to_Logstash`, commit 391917b6. `OIO` is the tester's number of
outstanding I/Os. A direction without I/O has no row. The file states no time. A damaged cell is missing and named; its
row stays. The read share is unknown if the IOPS of a direction are. The block size is bytes ÷ I/Os if that is a whole
number of sectors: a test of several sizes has no such number.
"""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

from workbench.model.benchmark import Benchmark, Op
from workbench.model.reading import Reader, Reading
from workbench.readers.common.row_problems import Problems, quoted
from workbench.readers.text import documents as bt
from workbench.readers.text.documents import Figures
from workbench.readers.text.numbers import ADVICE, Evidence, Seen, decide, is_bare
from workbench.readers.text.rows import is_padded, records, row_fault, split_row

LABEL = "diskspd-summary"
_NAMES = ("profile", "oio", "vm_name")
_SIDES = {Op.READ: "r", Op.WRITE: "w", Op.TOTAL: "t"}
_KINDS = ("iops", "bw", "lat")
_FIGURES = tuple(f"{side}{kind}" for side in _SIDES.values() for kind in _KINDS)
_READ = frozenset((*_NAMES, *_FIGURES))
_MIB = 1.048576
_SECTOR = 512
# Storage cannot do more I/Os or MiB per second, or take more milliseconds: the limits of the counters of recordings.
_MOST = 1e15
_SHOWN = 40
_DELIMITERS = (",", ";", "\t")


class _Line(NamedTuple):
    number: int
    cells: dict[str, str]
    problems: Problems


def identify(head: bytes, _name: str) -> float:
    """Returns 1.0 if the first line names these columns."""
    return 1.0 if _delimiter(bt.head_text(head).partition("\n")[0]) else 0.0


def read(path: Path, name: str, _columns: Path) -> Reading:
    """Returns the rows of each test and VM. An unreadable line is rejected with a Problem."""
    loaded = bt.load(path, name, LABEL)
    if isinstance(loaded, Reading):
        return loaded
    first, *lines = loaded.text.split("\n")
    delimiter = _delimiter(first) or ","
    header = _cells(first.lower(), delimiter)
    repeated = [column.upper() for column in dict.fromkeys(header) if column in _READ and header.count(column) > 1]
    if repeated:
        message = f"The header repeats {' and '.join(quoted(repeated))}, and it is unknown which column is right."
        advice = "keep one column and open the file again"
        return bt.refused(
            LABEL, name, "duplicate-column", message, advice, 1, loaded.encoding, sum(map(bool, map(str.strip, lines)))
        )
    rows: list[Benchmark] = []
    problems = Problems(name)
    rejected = 0
    found = list(records(["", *lines], 1, delimiter, len(header)))
    padded = is_padded((cells for *_, cells in found), len(header))
    whole: list[_Line] = []
    for number, text, cells in found:
        fault = row_fault(cells, len(header), padded)
        if _cells(text.lower(), delimiter) == header:
            continue
        if cells is None or fault is not None:
            problems.warn(
                "cell-count",
                f"Line {number} {fault.why if fault else ''}.",
                "line rejected; check it in the file",
                number,
            )
            rejected += 1
        else:
            whole.append(_Line(number, dict(zip(header, cells, strict=False)), problems))
    evidence, places = (
        Evidence(delimiter, is_bare(lines, delimiter)),
        {name: header.index(name) + 1 for name in (*_FIGURES, "oio")},
    )
    decided = decide(((row.number, row.cells) for row in whole), places, evidence)
    if isinstance(decided, Seen):
        question, rejected = decided.question, rejected + len(whole)
        return bt.refused(LABEL, name, "ambiguous-number", question, ADVICE, decided.line, loaded.encoding, rejected)
    evidence.tell(decided, problems)
    for row in whole:
        plain = {column: decided.plain(row.cells[column]) or row.cells[column] for column in places}
        line_rows = _rows(row._replace(cells=row.cells | plain), name)
        rows += line_rows
        rejected += not line_rows
    if not rows:
        listed = problems.all()
        line = listed[0].line if listed else 1
        message = listed[0].message if listed else "The table has a header but no rows."
        advice = "correct the line, or repeat the test" if listed else "repeat the test"
        return bt.refused(LABEL, name, "no-rows", message, advice, line, loaded.encoding, rejected)
    told = problems.all()
    told += tuple(bt.open_end(loaded, name, told))
    return bt.reading_of(LABEL, name, loaded.encoding, rows, told, rejected, len(header), delimiter)


READER = Reader(LABEL, identify, read, by_name=True)


def _rows(line: _Line, name: str) -> list[Benchmark]:
    """Returns the rows of one test of one VM: each direction that ran, and the total unless only one direction is known
    to have run."""
    values = _values(line)
    reads, writes = values["riops"], values["wiops"]
    adds_up = _adds_up(line, values)
    if not adds_up:
        values["tiops"] = None
    shared = Benchmark(
        path=name,
        tool="diskspd",
        op=Op.TOTAL,
        test=bt.file_stem(name),
        job=line.cells["profile"] or None,
        host=line.cells["vm_name"] or None,
        queue_depth=_depth(line),
        read_percent=_share(reads, writes) if adds_up else None,
        line=line.number,
    )
    ops = (Op.READ, Op.WRITE) if 0 in (reads, writes) else tuple(_SIDES)
    figures = {op: _figures(values, _SIDES[op]) for op in ops}
    rows = [
        bt.with_figures(replace(shared, block_bytes=_block(line, _SIDES[op])), op, side)
        for op, side in figures.items()
        if side is not None
    ]
    if not rows:
        line.problems.warn(
            "no-io", f"Line {line.number} contains no IOPS above 0.", "line rejected; repeat the test", line.number
        )
    return rows


def _share(reads: float | None, writes: float | None) -> float | None:
    """Returns the percentage of reads, or None if either IOPS is unknown."""
    return None if reads is None or writes is None else bt.share_of_reads(None, reads, writes)


def _block(line: _Line, side: str) -> int | None:
    """Returns the size of each I/O of a direction in bytes, or None if its totals show no common size."""
    total, count = (bt.whole(line.cells.get(f"{side}{kind}", "")) for kind in ("bytes", "ios"))
    if not total or not count or total % (count * _SECTOR):
        return None
    return total // count


def _values(line: _Line) -> dict[str, float | None]:
    """Returns the values of a line by column. An invalid cell is None, with a problem."""
    # Without -L DiskSpd measures no latency, so the script has none to list.
    unmeasured = not any(line.cells[f"{side}lat"] for side in _SIDES.values())
    values = {column: bt.number(line.cells[column]) for column in _FIGURES}
    for column, value in values.items():
        if (value is not None and value <= _MOST) or (unmeasured and column.endswith("lat")):
            continue
        values[column] = None
        _damaged(line, column, "is not a number from 0 to 10¹⁵ (decimal separator: point)")
    return values


def _depth(line: _Line) -> int | None:
    depth = bt.whole(line.cells["oio"])
    if depth and depth <= _MOST:
        return depth
    _damaged(line, "oio", "is not a whole number of at least 1")
    return None


def _damaged(line: _Line, column: str, what: str) -> None:
    text = line.cells[column]
    why = f"'{text[:_SHOWN]}' {what}" if text else "the cell is empty"
    _warn(line, "not-a-number", column, why, "value left empty; enter the value from the DiskSpd output")


def _adds_up(line: _Line, values: dict[str, float | None]) -> bool:
    """True if reads and writes add up to the total within the rounding of the cells, or one of the three is unknown."""
    total, reads, writes = (values[column] for column in ("tiops", "riops", "wiops"))
    if total is None or reads is None or writes is None:
        return True
    # One unit of the last digit of each cell: some scripts round, others cut off.
    units = (Decimal(line.cells[column]).as_tuple().exponent for column in ("tiops", "riops", "wiops"))
    rounding = sum(10.0 ** min(unit, 15) for unit in units if isinstance(unit, int))
    if abs(total - reads - writes) <= rounding * (1 + 1e-6) + 1e-12 * total:
        return True
    what = f"{total:.10g} is not the sum of {reads:.10g} read and {writes:.10g} write IOPS"
    action = "total and share of reads left empty; check the DiskSpd output"
    _warn(line, "total-differs", "tiops", what, action)
    return False


def _warn(line: _Line, code: str, column: str, what: str, action: str) -> None:
    place = list(line.cells).index(column) + 1
    message = f"Line {line.number}, column {place} ({column.upper()}): {what}."
    line.problems.warn(code, message, action, line.number, place)


def _figures(values: dict[str, float | None], side: str) -> Figures | None:
    """Returns the known values of one direction, or None if it did no I/O or nothing shows that it did."""
    iops, rate, latency = (values[f"{side}{kind}"] for kind in _KINDS)
    if not (iops or (iops is None and (rate or latency))):
        return None
    return Figures(iops, None if rate is None else rate * _MIB, latency or None)


def _cells(line: str, delimiter: str) -> list[str]:
    return split_row(line, delimiter) or []


def _delimiter(line: str) -> str | None:
    """Returns what separates the columns of a header, or None if they are not these; spreadsheets save semicolons."""
    return next((mark for mark in _DELIMITERS if set(_cells(line.lower(), mark)) >= _READ), None)
