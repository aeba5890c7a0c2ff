"""Tables of results without a time column, as scripts make them from fio: a row per job with its values.

Only the names of the columns identify their content: `_FIGURES` and `_ASKED` are the complete list. A value is left out
and named if neither its name nor its cells state a unit. MB and KB are powers of 1,000, MiB and KiB of 1,024. Headers
of such tables occur in public scripts: `job_name,block_size,read_iops,read_bw_KiB/s,write_iops,…`,
`Disk,IO,BS,QD,Jobs,KIOPS,BW (MB/s),…`, `mode,smt,concurrency,read_iops,read_bw_kib,clat_p99_us`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from workbench.model.benchmark import Benchmark, Op
from workbench.model.problem import Problem, all_named
from workbench.model.reading import Reader, Reading
from workbench.readers.common.row_problems import Problems, numbered
from workbench.readers.tables.timed import find_timed_csv, trimmed
from workbench.readers.text import documents as bt
from workbench.readers.text.documents import Figures, LoadedText
from workbench.readers.text.numbers import ADVICE, COMMA, POINT, Evidence, Notation, Seen, is_bare, unit_of, with_unit
from workbench.readers.text.rows import is_padded, records, row_fault, split_row

LABEL = "result-table"
_DELIMITERS = (",", ";", "\t")
# A percentile in the name of a column: `p99`, `p99.9`, `p999`, `99.9th`, `percentile/95.000000`, `99`.
_PERCENTILE = re.compile(r"\b(?:(?:p ?|percentile )(\d+)(?: (\d+))?|(\d+)(?: (\d+))? ?th|(50|95|99)(?: (\d+))?)\b")
_PERCENTILES = {50.0: "p50_ms", 95.0: "p95_ms", 99.0: "p99_ms"}
# The metric of a column by the words of its name; the first match counts. "" is a metric that no row has.
_FIGURES = (
    (re.compile(r"\b(?:min|max|std\w*|dev\w*|slat|submission)\b"), ""),
    (re.compile(r"\bmedian\b"), "p50_ms"),
    (re.compile(r"\b(?:lat\w*|clat|response|resp)\b"), "mean_ms"),
    (re.compile(r"\bk?iops\b"), "iops"),
    (re.compile(r"\b(?:bw|bandwidth|throughput|speed|[kmg]i?b(?:ps|s)?)\b"), "mb_per_s"),
)
_MEASURED = re.compile(r"iops|lat(?:$|_|\b|ency)|\bbw|bandwidth|throughput", re.IGNORECASE)
_BIT = re.compile(r"(?<![A-Za-z])[KMG]b(?=ps\b|/s|\b)")
_LATENCY = re.compile(r"\b(?:lat\w*|clat|response|resp)\b")
_UNITS: dict[str, tuple[tuple[str, float], ...]] = {
    "ms": (
        (r"ns\w{0,3}|nano\w*", 1e-6), (r"us\w{0,3}|µs|micro\w*", 1e-3), (r"ms\w{0,3}|milli\w*", 1.0),
        (r"s|sec\w*", 1e3),
    ),
    "mb_per_s": (
        (r"ki?bytes|kib\w{0,2}", 1.024e-3), (r"mib\w{0,2}", 1.048576), (r"gib\w{0,2}", 1073.741824),
        (r"kbits?", 1.25e-4), (r"mbits?", 0.125), (r"gbits?", 125.0),
        (r"kb\w{0,2}", 1e-3), (r"mb\w{0,2}|mbytes", 1.0), (r"gb\w{0,2}", 1e3), (r"bytes|bps", 1e-6),
    ),
}  # fmt: skip
# The settings: block size, queue depth, threads, share of reads, access pattern.
_ASKED = (
    ("block", re.compile(r"(?:io )?(?:bs|block ?size|blocksize)")),
    ("depth", re.compile(r"(?:io ?depth|qd|q ?depth|queue ?depth|depth)")),
    ("threads", re.compile(r"(?:num ?jobs|jobs|threads|concurrency)")),
    ("reads", re.compile(r"(?:io )?(?:rw ?mix ?read(?: pct)?|read (?:perc\w*|pct))")),
    ("access", re.compile(r"(?:io )?(?:rw|read ?write|mode|io|operation|op|pattern|access|type)")),
)
_ACCESS = re.compile(
    r"(?P<kind>rand(?:om)?|seq(?:uential)?)?[ _-]?(?P<op>read|write|rw|readwrite|mixed)", re.IGNORECASE
)
_SIDES = ((Op.READ, re.compile(r"\b(?:read|rd)\b")), (Op.WRITE, re.compile(r"\b(?:write|wr)\b")))
_LOOKED_AT = 20
_ADVICE = "name the columns by metric and unit, such as 'read_iops', 'read_bw_mib', 'clat_p99_us'"


@dataclass(frozen=True, slots=True)
class _Column:
    """A column: its position, and either its metric, direction and unit, or its setting."""

    place: int
    figure: str = ""
    side: Op | None = None
    scale: float | None = None
    asked: str = ""


_MOMENT = re.compile(r"\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4} |\d{1,2}:\d\d:\d\d")


def identify(head: bytes, _name: str) -> float:
    """Returns 0.1 for a table with a column of IOPS and another metric, and without times: any other reader takes
    precedence."""
    text = bt.head_text(head)
    if "iops" not in text[:4_000].lower() or find_timed_csv(head, whole=len(head) < 65_536) is not None:
        return 0.0
    return 0.1 if _header(text.split("\n")) is not None else 0.0


def read(path: Path, name: str, _columns: Path) -> Reading:
    """Returns a row per line and direction. An unreadable line is rejected with a Problem."""
    loaded = bt.load(path, name, LABEL)
    return loaded if isinstance(loaded, Reading) else _reading(loaded, name)


READER = Reader(LABEL, identify, read, by_name=True)


def _is_number(cell: str) -> bool:
    return with_unit(cell) is not None or any(Notation(mark).number(cell) is not None for mark in (POINT, COMMA))


def _header(lines: Sequence[str]) -> tuple[int, str, list[str]] | None:
    """Returns the position, the delimiter and the names of the header: the first line that is not blank. It must name
    IOPS and another metric, and a number must be below the IOPS. A line `sep=;` of a spreadsheet may be above it."""
    top = next((place for place, line in enumerate(lines) if line.strip()), 0)
    top += lines[top].strip('"').startswith("sep=") and len(lines) > top + 1
    for delimiter in _DELIMITERS:
        names = trimmed([cell.strip() for cell in split_row(lines[top], delimiter) or ()])
        figures = [column for column in _columns_of(names) if column.figure]
        iops = [column.place for column in figures if column.figure == "iops"]
        below = [split_row(line, delimiter) or [] for line in lines[top + 1 : top + _LOOKED_AT] if line.strip()]
        if any(_MOMENT.search(cell) for row in below for cell in row):
            # A table with times is not a table of results, even if its first row has no values.
            return None
        if len(names) > 2 and any(_is_number(row[iops[0]].strip()) for row in below if iops and len(row) > iops[0]):
            return top, delimiter, names
    return None


def _columns_of(names: Sequence[str]) -> list[_Column]:
    # A small b after a capital is a bit, or a misspelt byte: the unit is unknown.
    plain = [_BIT.sub("", name).lower() for name in names]
    columns = [_column(place, " ".join(re.findall(r"[a-zµ0-9]+", name))) for place, name in enumerate(plain)]
    # The mean of a row is the total latency if the table has it, otherwise the completion latency.
    return sorted(columns, key=lambda column: "clat" in plain[column.place])


def _figure(words: str) -> str:
    """Returns the metric that the words of a name state; empty for a metric that rows do not have, such as a maximum or
    p99.9.
    """
    first = next((what for pattern, what in _FIGURES if pattern.search(words)), "")
    match = _PERCENTILE.search(words)
    if match is None or not first:
        return first
    if not _LATENCY.search(words):
        return ""
    whole, rest = [*filter(None, match.groups()), ""][:2]
    # Scripts lose the point: p999 is 99.9.
    cut = 2 if len(whole) > 2 else len(whole)
    return _PERCENTILES.get(float(f"{whole[:cut]}.{whole[cut:]}{rest}0"), "")


def _column(place: int, words: str) -> _Column:
    asked = next((what for what, pattern in _ASKED if pattern.fullmatch(words)), "")
    figure = _figure(words)
    if asked or not figure:
        return _Column(place, asked=asked)
    side = next((op for op, pattern in _SIDES if pattern.search(words)), None)
    if figure == "iops":
        return _Column(place, figure, side, 1e3 if "kiops" in words else 1.0)
    units = _UNITS["mb_per_s" if figure == "mb_per_s" else "ms"]
    last = words.split()
    scale = next((factor for word in reversed(last) for unit, factor in units if re.fullmatch(unit, word)), None)
    return _Column(place, figure, side, scale)


def _reading(loaded: LoadedText, name: str) -> Reading:
    lines = loaded.text.split("\n")
    header = _header(lines)
    if header is None:
        message = "The table has no IOPS column with numbers."
        return bt.refused(LABEL, name, "no-header", message, _ADVICE, 1, loaded.encoding)
    top, delimiter, names = header
    columns = _columns_of(names)
    problems: list[Problem] = []
    rejected = 0
    kept: list[tuple[int, list[str]]] = []
    found = list(records(lines, top + 1, delimiter, len(names)))
    padded = is_padded((cells for *_, cells in found), len(names))
    for number, _, cells in found:
        fault = row_fault(cells, len(names), padded)
        # A blank cell beyond the last column means that an extra cell pushed it there, unless all rows have one.
        if cells is None or fault is not None or (len(cells) > len(names) and not padded):
            rejected += 1
            why = fault.why if fault else f"has {numbered(len(cells or ()), 'cell')}, but the header has {len(names)}"
            problems.append(
                bt.warning(name, "cell-count", f"Line {number} {why}.", "line rejected; check it in the file", number)
            )
        else:
            kept.append((number, [cell.strip() for cell in cells]))
    evidence = Evidence(delimiter, is_bare(lines[top + 1 :], delimiter))
    for number, cells in kept:
        for column in columns:
            if column.figure:
                evidence.add((with_unit(cells[column.place]) or (cells[column.place],))[0], number, column.place + 1)
    decided = evidence.decided()
    if isinstance(decided, Seen):
        return bt.refused(
            LABEL, name, "ambiguous-number", decided.question, ADVICE, decided.line, loaded.encoding, len(found)
        )
    noted = Problems(name)
    evidence.tell(decided, noted)
    problems += [*noted.all(), *_left_out(names, columns, kept, name)]
    rows: list[Benchmark] = []
    for number, cells in kept:
        made = list(_rows(cells, columns, names, decided, number, name, problems))
        rejected += not made
        rows += made
    if not rows:
        message, advice = "The table has a header but no rows.", "repeat the test"
        if problems:
            message, advice = problems[0].message, problems[0].advice or _ADVICE
        return bt.refused(LABEL, name, "no-rows", message, advice, None, loaded.encoding, rejected)
    message = "The columns of the table were recognised only by their names."
    problems.append(bt.info(name, "read-by-names", message, "compare one row with the source"))
    problems.extend(bt.open_end(loaded, name, problems))
    return bt.reading_of(LABEL, name, loaded.encoding, rows, problems, rejected, len(names), delimiter)


def _left_out(
    names: Sequence[str], columns: Sequence[_Column], kept: Sequence[tuple[int, list[str]]], name: str
) -> Iterator[Problem]:
    taken: dict[tuple[str, Op | None], str] = {}
    for column in columns:
        heading, place = names[column.place], column.place + 1
        if column.figure and column.scale is None and not any(with_unit(cells[column.place]) for _, cells in kept):
            message = f"The column '{heading}' has no known unit, neither in its name nor in its cells."
            yield bt.warning(name, "unit-unknown", message, f"column ignored; {_ADVICE}", 1, place)
        elif column.figure and taken.setdefault((column.figure, column.side), heading) != heading:
            message = f"The columns '{taken[column.figure, column.side]}' and '{heading}' contain the same metric."
            yield bt.warning(
                name, "duplicate-column", message, f"'{heading}' ignored; compare the two columns", 1, place
            )
        elif not column.figure and not column.asked and _MEASURED.search(heading):
            yield bt.info(
                name, "no-storage-figure", f"The column '{heading}' is not a known metric.", "column ignored", 1
            )


def _rows(
    cells: list[str],
    columns: Sequence[_Column],
    names: Sequence[str],
    notation: Notation,
    line: int,
    name: str,
    problems: list[Problem],
) -> Iterator[Benchmark]:
    asked = {column.asked: cells[column.place] for column in columns if column.asked}
    texts = [cells[column.place] for column in columns if not column.asked and not column.figure]
    access = _ACCESS.fullmatch(asked.get("access", "")) or next(filter(None, map(_ACCESS.fullmatch, texts)), None)
    word = access["op"].lower() if access else ""
    shared = Benchmark(
        path=name,
        tool=LABEL,
        op=Op.TOTAL,
        test=bt.file_stem(name),
        job=", ".join(text for text in texts if text and notation.number(text) is None) or None,
        block_bytes=bt.size_bytes(asked.get("block", "")),
        queue_depth=bt.whole(asked.get("depth")),
        threads=bt.whole(asked.get("threads")),
        read_percent={"read": 100.0, "write": 0.0}.get(word, bt.number(asked.get("reads"))),
        pattern=None if not access or not access["kind"] else "random" if access["kind"][0] in "rR" else "sequential",
        line=line,
    )
    sides: dict[Op | None, dict[str, float]] = {}
    for column in columns:
        if column.figure and cells[column.place]:
            value = _value(cells[column.place], column, notation)
            if value is not None:
                sides.setdefault(column.side, {}).setdefault(column.figure, value)
            elif column.scale is not None:
                message = (
                    f"Line {line}: '{cells[column.place][:40]}' is not a valid number for '{names[column.place]}'."
                )
                problems.append(
                    bt.warning(
                        name, "not-a-number", message, "cell left empty; check it in the file", line, column.place + 1
                    )
                )
    whole = {"read": Op.READ, "write": Op.WRITE}.get(word, Op.MIXED if word else Op.TOTAL)
    unplaced = _placed(sides, [names[column.place] for column in columns if column.figure and column.side is None])
    if unplaced and not any(problem.code == "side-unknown" for problem in problems):
        message = f"Line {line} contains both reads and writes, and {unplaced} may belong to either."
        problems.append(
            bt.warning(
                name,
                "side-unknown",
                message,
                "columns ignored in lines with both; put the direction into the column names"
                if "' and '" in unplaced
                else "column ignored in lines with both; put the direction into the column name",
                line,
            )
        )
    for side, figures in sides.items():
        # Scripts write 0 for a direction that did not run.
        if figures.get("iops"):
            yield bt.with_figures(shared, side or whole, Figures(**{key: one or None for key, one in figures.items()}))


def _placed(sides: dict[Op | None, dict[str, float]], headings: Sequence[str]) -> str:
    """Assigns the values without a direction to the only direction that ran, if there are no IOPS without a direction.
    Returns the headings of values that may belong to reads or to writes."""
    apart = sides.get(None, {})
    ran = [side for side, figures in sides.items() if side is not None and figures.get("iops")]
    if not any(apart.values()) or apart.get("iops") or not ran:
        return ""
    if len(ran) > 1:
        return all_named([f"'{heading}'" for heading in headings])
    sides[ran[0]] = {**apart, **sides[ran[0]]}
    return ""


def _value(cell: str, column: _Column, notation: Notation) -> float | None:
    """Returns a value in the unit of a row: 1/s, 10^6 bytes/s or milliseconds; None if it is not a number or is below
    zero."""
    found = with_unit(cell)
    number = notation.number(found[0] if found else cell)
    scale = column.scale
    if found:
        kind, factor = unit_of(found[1]) or ("", 1.0)
        wanted = {"iops": "1/s", "mb_per_s": "B/s"}.get(column.figure, "s")
        to_row = {"iops": 1.0, "mb_per_s": 1e-6}.get(column.figure, 1e3)
        scale = factor * (scale or 1.0) if not kind else factor * to_row if kind == wanted else None
    return None if number is None or scale is None or number < 0 else number * scale
