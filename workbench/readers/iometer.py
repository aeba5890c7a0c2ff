"""Iometer's results CSV, 2006 to 1.1.

Source: a real file of 2008.06.18 [F], the 1.1 layout from a project that compares itself with Iometer [F]. Lines that
begin with `'` name the section below: `'Access specifications` (block size, share of reads, share of random, one line
per part of a specification), `'Results` with a line of column names and rows of kind ALL, MANAGER, PROCESSOR, WORKER
and DISK. Cells are separated by commas; quotes are part of a name, and nothing is escaped. Units: response times are
milliseconds. `MBps` of 2008 is 2^20 bytes (its own IOps and block size prove it); 1.1 has `MiBps (Binary)` and `MBps
(Decimal)`. Times are local without a zone, so rows have no start.

Rows: `read`, `write` and, if both ran, `total`, only from ALL. MANAGER, WORKER and DISK repeat ALL. Threads are
workers; the queue depth is per worker and disk.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from workbench.model.benchmark import Benchmark, Op
from workbench.model.problem import Problem
from workbench.model.reading import Reader, Reading
from workbench.readers.common.row_problems import acted, numbered
from workbench.readers.text import documents as bt
from workbench.readers.text.documents import Figures, LoadedText
from workbench.readers.text.rows import is_padded, row_fault

LABEL = "iometer"
_TEST = "'Test Type,Test Description"
_TARGET = "'Target Type,Target Name,Access Specification Name"
_CONFIGURATION = re.compile(r"\s*Version \d[^\n]{0,40}\n'TEST SETUP ==")
# The target name of an ALL row.
_ALL = "All"
_KINDS = ("MANAGER", "PROCESSOR", "WORKER", "DISK", "NETWORK")
_FIGURES = ("IOps", "Read IOps", "Write IOps")
_OPS = ("", "Read ", "Write ")
_UNITS = ("MBps (Decimal)", "MiBps (Binary)", "MBps")


@dataclass(slots=True)
class _Specification:
    """An access specification: (share of size, block bytes, percent read, percent random) of each part, and the line of
    an unreadable part (0: none)."""

    parts: list[tuple[float, int, float, float]] = field(default_factory=list)
    damaged: int = 0


@dataclass(slots=True)
class _Results:
    """One results block: its columns, its ALL rows with their lines, its managers, and the rows left out."""

    columns: list[str]
    rows: list[tuple[int, str]] = field(default_factory=list)
    managers: list[str] = field(default_factory=list)
    damaged: list[int] = field(default_factory=list)
    others: int = 0


@dataclass(slots=True)
class _File:
    """The content of the whole file."""

    version: str | None = None
    description: str | None = None
    specifications: dict[str, _Specification] = field(default_factory=dict)
    results: list[_Results] = field(default_factory=list)


def identify(head: bytes, _name: str) -> float:
    """Returns 1.0 for results, less for a configuration (.icf), which holds none."""
    text = bt.head_text(head)
    # Only at the start of a line: a script that writes such files has the same words within its strings.
    lines = text.splitlines()
    if any(line.startswith((_TARGET, _TEST)) for line in lines):
        return 1.0
    return 0.8 if _CONFIGURATION.match(text) else 0.0


def read(path: Path, name: str, _columns: Path) -> Reading:
    """Returns the rows of every results block. The file is not imported if there is none."""
    loaded = bt.load(path, name, LABEL)
    if isinstance(loaded, Reading):
        return loaded
    if _CONFIGURATION.match(loaded.text):
        message = "The file is an Iometer configuration (.icf): it describes a test and contains no results."
        return bt.refused(
            LABEL, name, "no-results", message, "open the results CSV of the run", encoding=loaded.encoding
        )
    return _reading(_parse(loaded.text), loaded, name)


READER = Reader(LABEL, identify, read, by_name=True)


def _reading(file: _File, loaded: LoadedText, name: str) -> Reading:
    rows: list[Benchmark] = []
    problems: list[Problem] = []
    rejected = 0
    for results in file.results:
        width = len(results.columns)
        padded = is_padded((content.split(",") for _, content in results.rows), width)
        for index, content in results.rows:
            cells = _cells(content, width, padded, file.specifications)
            benchmarks, new_problems = _all_rows(file, results, cells, name, index)
            rows.extend(benchmarks)
            problems.extend(new_problems)
            rejected += not benchmarks
    columns = max((len(results.columns) for results in file.results), default=0)
    if not rows:
        line, message, advice = _why_empty(file, problems)
        return bt.refused(LABEL, name, "no-results", message, advice, line, loaded.encoding, rejected)
    others = sum(results.others for results in file.results)
    if others:
        rows_repeat = "row" if others == 1 else "rows", "repeats" if others == 1 else "repeat"
        message = "{:,} {} of a manager, worker, disk or processor {} the ALL rows.".format(others, *rows_repeat)
        problems.append(bt.info(name, "other-levels", message, acted("row ignored, so each I/O counts once", others)))
    problems.extend(_damaged_parts(file, name))
    problems.extend(bt.open_end(loaded, name, problems))
    return bt.reading_of(LABEL, name, loaded.encoding, rows, problems, rejected, columns, ",")


def _damaged_parts(file: _File, name: str) -> Iterator[Problem]:
    for line in sorted(line for results in file.results for line in results.damaged):
        message = f"Line {line:,} does not match the header of the results, so the machine of the test may be missing."
        yield bt.warning(name, "cell-count", message, "line ignored; copy the file again", line)
    for line in sorted(each.damaged for each in file.specifications.values() if each.damaged):
        message = f"The access specification on line {line:,} cannot be read: its cells do not match its header."
        action = "block size, pattern and requested share of reads left empty; copy the file again"
        yield bt.warning(name, "cell-count", message, action, line)


def _why_empty(file: _File, problems: Sequence[Problem]) -> tuple[int | None, str, str]:
    """Returns line and reason, and what to do."""
    if problems:
        return problems[0].line, problems[0].message, "copy the original file again"
    if file.results:
        message = "The Iometer file has a header but no ALL row."
        return None, message, "repeat the test with “Record results: All”"
    return None, "The Iometer file ends before its results.", "wait for the end of the test, or copy the file again"


def _parse(text: str) -> _File:
    file = _File()
    heading = ""
    specification = _Specification()
    for line, content in enumerate(map(str.rstrip, text.split("\n")), start=1):
        if content.startswith(_TARGET):
            file.results.append(_Results(content[1:].split(",")))
            heading = "Results"
        elif content.startswith("'"):
            heading = content[1:].strip()
        elif not content.strip():
            continue
        elif heading == "Version":
            file.version = content.strip()
        elif heading.startswith("Test Type,"):
            file.description = content.partition(",")[2].strip() or None
        elif heading.startswith("Access specification name,"):
            specification = _Specification()
            file.specifications[content.rpartition(",")[0].strip()] = specification
        elif heading.startswith("size,"):
            _take_part(specification, content, heading.count(","), line)
        elif heading == "Results" and file.results:
            _take_row(file.results[-1], content, line)
    return file


def _take_part(specification: _Specification, content: str, commas: int, line: int) -> None:
    """Adds a part of a specification. If the part has more cells than its heading, or a cell is not a number, the whole
    specification is unknown."""
    cells = content.split(",")
    numbers = [bt.number(cell) for cell in cells[:4]]
    size, share, reads, at_random = [*numbers, None, None, None, None][:4]
    if row_fault(cells, commas + 1) or size is None or share is None or reads is None or at_random is None:
        specification.damaged = specification.damaged or line
    else:
        specification.parts.append((share, int(size), reads, at_random))


def _take_row(results: _Results, content: str, line: int) -> None:
    kind, _, value = content.partition(",")
    if kind == "ALL":
        results.rows.append((line, content))
    elif kind in _KINDS:
        results.others += 1
        if kind == "MANAGER":
            # A row of another width may lack its name, or have another value there.
            whole = row_fault(content.split(","), len(results.columns)) is None and content.count('"') % 2 == 0
            results.managers.append(value.partition(",")[0] if whole else "")
            results.damaged += [] if whole else [line]
    elif content.count(",") + 3 >= len(results.columns):
        results.damaged.append(line)


def _cells(content: str, columns: int, padded: bool, names: Container[str]) -> list[str]:
    """Returns the cells of an ALL row. The third cell is a name that may hold commas: extra cells are joined to it,
    unless they are numbers, which never occur in a name. Blank cells beyond the last column are dropped."""
    cells = content.split(",")
    if content.count('"') % 2:
        return cells[:1]
    if padded and row_fault(cells, columns, padded):
        return cells[:-1]
    while cells and len(cells) > columns and not cells[-1]:
        cells.pop()
    surplus = max(0, len(cells) - columns)
    name = ",".join(cells[2 : 3 + surplus])
    if surplus and name not in names and any(bt.number(cell) is not None for cell in cells[2 : 3 + surplus]):
        return cells
    return [*cells[:2], name, *cells[3 + surplus :]]


def _is_figure(cells: list[str]) -> bool:
    """True if the cell after the name is blank or a number."""
    return all(not cell or bt.number(cell) is not None for cell in cells)


def _all_rows(
    file: _File, results: _Results, cells: list[str], name: str, line: int
) -> tuple[list[Benchmark], list[Problem]]:
    row = dict(zip(results.columns, cells, strict=False))
    if len(cells) != len(results.columns) or cells[1:2] != [_ALL] or not _is_figure(cells[3:4]):
        message = (
            "The cells of an ALL row do not match the columns of the header."
            if len(cells) == len(results.columns)
            else f"An ALL row has {numbered(len(cells), 'cell')}, but the header has {len(results.columns)}."
        )
        return [], [bt.warning(name, "truncated", message, "row rejected; check it in the file", line, len(cells))]
    wrong = [column for column in _FIGURES if bt.number(row.get(column)) is None]
    if wrong:
        column = results.columns.index(wrong[0]) + 1 if wrong[0] in results.columns else None
        message = f"An ALL row contains no number for '{wrong[0]}'."
        return [], [bt.warning(name, "not-a-number", message, "row rejected; check it in the file", line, column)]
    rows = bt.direction_rows(
        replace(_shared(file, results, row, name), line=line),
        _figures(row, "Read "),
        _figures(row, "Write "),
        _figures(row, ""),
    )
    if not rows:
        return [], [
            bt.warning(name, "no-io", "An ALL row contains no I/O.", "excluded from the results; repeat the test", line)
        ]
    others = ["# Workers", "Queue Depth", *(f"Average {op}Response Time" for op in _OPS)]
    others += [f"{op}{unit}" for op in _OPS for unit in _UNITS]
    wrong = bt.unreadable((column, row.get(column)) for column in others)
    return rows, [*bt.left_empty(name, "An ALL row", wrong, line), *_errors(row, name, line)]


def _errors(row: dict[str, str], name: str, line: int) -> Iterator[Problem]:
    errors = bt.number(row.get("Errors"))
    if errors:
        message = f"Iometer counted {errors:.0f} failed I/Os in this test."
        yield bt.warning(name, "failed-io", message, "results kept; check the disk, and repeat the test", line)


def _shared(file: _File, results: _Results, row: dict[str, str], name: str) -> Benchmark:
    specification = row.get("Access Specification Name", "").strip()
    asked = file.specifications.get(specification, _Specification())
    parts = [] if asked.damaged else asked.parts
    return Benchmark(
        path=name,
        tool=LABEL,
        op=Op.TOTAL,
        tool_version=file.version,
        test=file.description or bt.file_stem(name),
        job=specification or None,
        host=results.managers[0] or None if len(results.managers) == 1 else None,
        block_bytes=parts[0][1] if len({part[1] for part in parts}) == 1 else None,
        queue_depth=bt.whole(row.get("Queue Depth")),
        threads=bt.whole(row.get("# Workers")),
        read_percent=_read_percent(parts, row),
        pattern=_pattern(parts),
    )


def _read_percent(parts: list[tuple[float, int, float, float]], row: dict[str, str]) -> float | None:
    shares = sum(part[0] for part in parts)
    stated = sum(part[0] * part[2] for part in parts) / shares if shares else None
    reads, writes = (bt.number(row.get(f"{op} IOps")) or 0.0 for op in ("Read", "Write"))
    return bt.share_of_reads(stated, reads, writes)


def _pattern(parts: list[tuple[float, int, float, float]]) -> str | None:
    at_random = {part[3] for part in parts}
    return {0.0: "sequential", 100.0: "random"}.get(at_random.pop()) if len(at_random) == 1 else None


def _figures(row: dict[str, str], op: str) -> Figures | None:
    iops = bt.number(row.get(f"{op}IOps"))
    if not iops:
        return None
    mean = bt.number(row.get(f"Average {op}Response Time"))
    return Figures(iops, _mb_per_s(row, op), mean)


def _mb_per_s(row: dict[str, str], op: str) -> float | None:
    if (decimal := bt.number(row.get(f"{op}MBps (Decimal)"))) is not None:
        return decimal
    binary = bt.number(row.get(f"{op}MiBps (Binary)") or row.get(f"{op}MBps"))
    return None if binary is None else binary * bt.MIB
