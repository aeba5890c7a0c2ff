"""VMFleet 2's result table (`result.tsv`) and its table per VM (`result-vm-….tsv`).

Source: Microsoft's VMFleet.psm1 (functions ReduceDISKSPDResultToRowResult, ReduceRowResultToSummary and
Start-FleetResultRun) [S]; no real file was available. The table is tab-separated, every cell is quoted, and numbers
have the format of the machine's culture. Columns: the tester's keys for the run (`Workload`, …), `RunType`,
`CutoffType`, `QOSperVM`, `VMCount`, `IOPS`, and `AverageReadIOPS`, `AverageReadBW` (bytes/s),
`AverageReadMilliseconds`, `ReadMilliseconds50/90/99`, the same for writes. `AverageCSV…` are the cluster's own counters
and not read.

In `result.tsv` IOPS and bytes are sums over the VMs, and means are weighted by IOPS. **Percentiles are averages of the
VMs' percentiles**, which are not percentiles of any I/O distribution: they are kept, with a note. VMFleet writes a
latency of 0 if it was not measured. Rows: `read`, `write`, and `total` if both ran; p95 is not listed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from workbench.model.benchmark import Benchmark, Op
from workbench.model.problem import Problem
from workbench.model.reading import Reader, Reading
from workbench.readers.common.row_problems import Problems
from workbench.readers.text import documents as bt
from workbench.readers.text.documents import Figures, LoadedText
from workbench.readers.text.numbers import ADVICE, Evidence, Notation, Seen, decide
from workbench.readers.text.rows import is_padded, records, row_fault, split_row

LABEL = "vmfleet"
_REQUIRED = ("IOPS", "AverageReadIOPS", "AverageWriteIOPS", "AverageReadBW", "AverageWriteBW")
_PERCENTILES = tuple(f"{op}Milliseconds{percent}" for op in ("Read", "Write") for percent in (50, 99))
_WORDS = frozenset(("Workload", "RunLabel", "RunType", "CutoffType", "Result"))


@dataclass(frozen=True, slots=True)
class _Line:
    """A row: its line and its cells by column. After reading, its numbers have decimal points."""

    number: int
    cells: dict[str, str]

    def read(self, notation: Notation) -> _Line:
        """Returns the row with its numbers in a form that `bt.number` reads."""
        plain = {name: notation.plain(cell) or cell for name, cell in self.cells.items() if name not in _WORDS}
        return replace(self, cells=self.cells | plain)


def identify(head: bytes, _name: str) -> float:
    """Returns 1.0 if the first line names VMFleet's columns."""
    first = bt.head_text(head).partition("\n")[0]
    return 1.0 if "AverageReadBW" in first and _is_header(_cells(first)) else 0.0


def read(path: Path, name: str, _columns: Path) -> Reading:
    """Returns the rows of every run. An unreadable line is rejected with a Problem."""
    loaded = bt.load(path, name, LABEL)
    return loaded if isinstance(loaded, Reading) else _reading(loaded, name)


READER = Reader(LABEL, identify, read, by_name=True)


def _reading(loaded: LoadedText, name: str) -> Reading:
    lines = loaded.text.split("\n")
    header = _cells(lines[0])
    if not _is_header(header):
        message = "The first line does not contain the columns of VMFleet."
        return bt.refused(LABEL, name, "no-header", message, "copy the file again from the cluster", 1, loaded.encoding)
    rows: list[Benchmark] = []
    problems: list[Problem] = []
    rejected = 0
    outcomes, evidence, noted = list(_lines(lines, header, name)), Evidence("\t"), Problems(name)
    places = {column: place for place, column in enumerate(header, 1) if column not in _WORDS}
    decided = decide(((one.number, one.cells) for one in outcomes if isinstance(one, _Line)), places, evidence)
    if isinstance(decided, Seen):
        line, rejected = decided.line, len(outcomes)
        return bt.refused(LABEL, name, "ambiguous-number", decided.question, ADVICE, line, loaded.encoding, rejected)
    evidence.tell(decided, noted)
    problems.extend(noted.all())
    for outcome in outcomes:
        rows_or_problem = outcome if isinstance(outcome, Problem) else _line_rows(outcome.read(decided), name)
        if isinstance(rows_or_problem, Problem):
            rejected += 1
            problems.append(rows_or_problem)
        else:
            rows.extend(rows_or_problem)
            if isinstance(outcome, _Line):
                problems.extend(_latency_problems(outcome.read(decided), name))
    if not rows:
        message = problems[0].message if problems else "The VMFleet table has a header but no rows."
        advice = "repeat the run, and let it finish"
        line = problems[0].line if problems else None
        return bt.refused(LABEL, name, "no-rows", message, advice, line, loaded.encoding, rejected)
    if "Result" not in header and any(column in header for column in _PERCENTILES):
        message = "VMFleet's percentiles are means of the VMs' percentiles, not percentiles of all I/Os."
        problems.append(bt.info(name, "averaged-percentiles", message, "percentiles imported as printed"))
    problems.extend(bt.open_end(loaded, name, problems))
    return bt.reading_of(LABEL, name, loaded.encoding, rows, problems, rejected, len(header), "\t")


def _is_header(cells: list[str]) -> bool:
    return all(column in cells for column in _REQUIRED)


def _cells(line: str) -> list[str]:
    return split_row(line, "\t") or [""]


def _lines(lines: list[str], header: list[str], name: str) -> Iterator[_Line | Problem]:
    found = list(records(lines, 1, "\t", len(header)))
    padded = is_padded((cells for *_, cells in found), len(header))
    for number, _, cells in found:
        if cells == header:
            continue
        fault = row_fault(cells, len(header), padded)
        if cells is None or fault is not None:
            yield bt.warning(
                name,
                "cell-count",
                f"Line {number} {fault.why if fault else ''}.",
                "line rejected; check it in the file",
                number,
            )
        else:
            yield _Line(number, dict(zip(header, cells, strict=False)))


def _line_rows(line: _Line, name: str) -> list[Benchmark] | Problem:
    wrong = [column for column in _REQUIRED if bt.number(line.cells[column]) is None]
    if wrong:
        message = f"Line {line.number} contains no number for '{wrong[0]}'."
        column = list(line.cells).index(wrong[0]) + 1
        return bt.warning(name, "not-a-number", message, "line rejected; check it in the file", line.number, column)
    read, write = _figures(line.cells, "Read"), _figures(line.cells, "Write")
    total = _total(bt.number(line.cells["IOPS"]), read, write) if read and write else None
    shared = replace(_shared(line.cells, read, write, name), line=line.number)
    rows = bt.direction_rows(shared, read, write, total)
    if not rows:
        message = f"Line {line.number} contains no I/O: the run failed on every VM."
        return bt.warning(name, "no-io", message, "excluded from the results; repeat the run", line.number)
    return rows


def _latency_problems(line: _Line, name: str) -> list[Problem]:
    columns = ("AverageReadMilliseconds", "AverageWriteMilliseconds", *_PERCENTILES)
    wrong = bt.unreadable((column, line.cells.get(column)) for column in columns)
    return bt.left_empty(name, f"Line {line.number}", wrong, line.number)


def _figures(cells: dict[str, str], op: str) -> Figures | None:
    iops, rate = bt.number(cells[f"Average{op}IOPS"]), bt.number(cells[f"Average{op}BW"])
    if not iops:
        return None
    return Figures(
        iops,
        None if rate is None else rate / 1e6,
        bt.number(cells.get(f"Average{op}Milliseconds")) or None,
        p50_ms=bt.number(cells.get(f"{op}Milliseconds50")) or None,
        p99_ms=bt.number(cells.get(f"{op}Milliseconds99")) or None,
    )


def _total(iops: float | None, read: Figures, write: Figures) -> Figures:
    """Returns both directions together: the mean latency is weighted by IOPS; percentiles cannot be combined."""
    mean = None
    if read.mean_ms and write.mean_ms and read.iops and write.iops:
        weighted = read.mean_ms * read.iops + write.mean_ms * write.iops
        mean = weighted / (read.iops + write.iops)
    known = read.mb_per_s is not None and write.mb_per_s is not None
    return Figures(iops, (read.mb_per_s or 0.0) + (write.mb_per_s or 0.0) if known else None, mean)


def _shared(cells: dict[str, str], read: Figures | None, write: Figures | None, name: str) -> Benchmark:
    reads, writes = ((side.iops or 0.0) if side else 0.0 for side in (read, write))
    return Benchmark(
        path=name,
        tool=LABEL,
        op=Op.TOTAL,
        test=bt.file_stem(name),
        job=_job(cells),
        host=cells.get("Result") or None,
        read_percent=bt.share_of_reads(None, reads, writes),
        error=_error(cells),
    )


def _job(cells: dict[str, str]) -> str | None:
    """Returns the workload, and the limit per VM that a sweep set."""
    workload = cells.get("Workload") or cells.get("RunLabel") or ""
    limit = bt.number(cells.get("QOSperVM"))
    parts = [workload, f"{limit:g} IOPS per VM allowed" if limit else ""]
    return ", ".join(part for part in parts if part) or None


def _error(cells: dict[str, str]) -> str | None:
    if cells.get("CutoffType") != "Surge":
        return None
    return "VMFleet marked this run as a surge: it ran faster than the limit of the test allows."
