"""DiskSpd's text report (2.0.15 to 2.2), alone, between console lines, or inside notes.

Source: Microsoft's DiskSpd, `ResultParser.cpp`, and files of five testers [F]. A result holds the tables `Total IO`,
`Read IO` and `Write IO`, with a line per thread and `total:`, and with `-L` a table of percentiles. Units: `AvgLat` and
percentiles are milliseconds; `MB/s`, called `MiB/s` since 2.0.20, is 2^20 bytes. MB/s is computed from the byte count,
because two decimals are too coarse for a slow disk.

Each result gives `read` and `write` rows, and `total` if both ran. The settings (block size, queue depth per thread,
mix) are printed before the results as `Input parameters`. If these are missing, the printed command line gives the
settings (`command_of`). A table pasted alone has neither. A row whose cells do not match its columns is left out. The
report does not state DiskSpd's version. Timestamps are UTC.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from workbench.model.benchmark import Benchmark, Op
from workbench.model.problem import Problem
from workbench.model.reading import Reader, Reading
from workbench.readers.diskspd.report import DiskSpdResult, DiskSpdTable, Target, results
from workbench.readers.text import documents as bt
from workbench.readers.text.documents import Figures, LoadedText
from workbench.readers.text.numbers import WRITTEN

LABEL = "diskspd"
_NUMBERS = re.compile(
    rf"(?:\||^[ \t]*total:|^[ \t]*actual test time:)[ \t]*(?P<n>{WRITTEN})(?=s?[ \t]*(?:\||$))", re.MULTILINE
)
_TABLE_HEADER = re.compile(r"^[ \t]*thread \|\s+bytes\s+\|\s+I/Os", re.MULTILINE)
_COMMAND = re.compile(r"^[ \t]*Command Line: .*diskspd", re.MULTILINE | re.IGNORECASE)
_COLUMNS = ("bytes", "I/Os", "MiB/s", "MB/s", "I/O per s", "AvgLat")
_PERCENTILES = ("50th", "95th", "99th")
_OPS = ("Read", "Write", "Total")
# The printed duration has two decimals: for a test of one second the error is at most half a percent.
_RATE_SLACK = 0.01


def identify(head: bytes, _name: str) -> float:
    """Returns 0.9 for DiskSpd's tables, less if only the start of a report is present."""
    text = bt.head_text(head)
    if "I/O per s" in text and _TABLE_HEADER.search(text):
        return 0.9
    if "Results for timespan" in text:
        return 0.8
    return 0.6 if "Command Line:" in text and _COMMAND.search(text) else 0.0


def read(path: Path, name: str, _columns: Path) -> Reading:
    """Returns the rows of every result in the file. The file is not imported if there is none."""
    told = bt.load_report(path, name, LABEL, _NUMBERS)
    return told if isinstance(told, Reading) else _reading(*told, name)


READER = Reader(LABEL, identify, read, by_name=True)


def _reading(loaded: LoadedText, problems: list[Problem], name: str) -> Reading:
    rows: list[Benchmark] = []
    rejected = 0
    for result in results(loaded.text):
        benchmarks, new_problems = _result_rows(result, name)
        rows.extend(benchmarks)
        problems.extend(new_problems)
        rejected += not benchmarks
    if not rows:
        return _without_rows(loaded, name, problems, rejected)
    problems.extend(bt.open_end(loaded, name, problems))
    return bt.reading_of(LABEL, name, loaded.encoding, rows, problems, rejected)


def _without_rows(loaded: LoadedText, name: str, problems: list[Problem], rejected: int) -> Reading:
    if not problems:
        message = "The file contains the start of a DiskSpd report but no results."
        return bt.refused(
            LABEL, name, "no-results", message, "repeat the test, and let it finish", encoding=loaded.encoding
        )
    first = problems[0]
    damaged = first.code in ("cell-count", "not-a-number")
    return bt.refused(
        LABEL,
        name,
        first.code,
        first.message,
        "copy the file again, or repeat the test" if damaged else "repeat the test, and let it finish",
        line=first.line,
        encoding=loaded.encoding,
        rejected=rejected,
    )


def _result_rows(result: DiskSpdResult, name: str) -> tuple[list[Benchmark], list[Problem]]:
    shared = _shared(result, name)
    if result.interrupted:
        error = "DiskSpd was interrupted before it measured anything."
        problem = bt.warning(
            name, "test-interrupted", error, "the test is listed without results; repeat the test", line=result.line
        )
        return [bt.with_figures(replace(shared, error=error), Op.TOTAL, Figures())], [problem]
    total = result.tables.get("Total")
    if total is None or total.total is None:
        if result.faults:
            return [], list(_faults(result, name))
        message = "A DiskSpd result ends before its totals row."
        return [], [
            bt.warning(
                name, "truncated", message, "result rejected; copy the file again, or repeat the test", line=result.line
            )
        ]
    problems = [*_faults(result, name), *_cell_problems(result, name), *_direction_problems(result, name)]
    figures = {op: _figures(result, op) for op in _OPS}
    rows = bt.direction_rows(shared, figures["Read"], figures["Write"], figures["Total"])
    is_cut = any(
        table is None or table.total is None or _disagrees(table, result.seconds)
        for table in map(result.tables.get, ("Read", "Write"))
    )
    if len(rows) == 1 and rows[0].op is not Op.TOTAL and is_cut and figures["Total"]:
        rows.append(bt.with_figures(shared, Op.TOTAL, figures["Total"]))
    if not rows:
        message = "A DiskSpd result contains no I/O."
        return [], [bt.warning(name, "no-io", message, "excluded from the results; repeat the test", line=result.line)]
    return [replace(row, line=_line(result, row.op)) for row in rows], problems


def _line(result: DiskSpdResult, op: Op) -> int:
    """Returns the first line of a direction's table, otherwise that of the result."""
    table = result.tables.get(op.value.capitalize())
    return result.line if table is None else table.line


def _shared(result: DiskSpdResult, name: str) -> Benchmark:
    targets = result.targets
    paths = list(dict.fromkeys(target.path for target in targets if target.path))
    return Benchmark(
        path=name,
        tool=LABEL,
        op=Op.TOTAL,
        test=bt.file_stem(name),
        job=_job(result, paths),
        host=result.host,
        block_bytes=_common(targets, "block_bytes"),
        queue_depth=_common(targets, "outstanding"),
        threads=result.threads,
        read_percent=_read_percent(result),
        started=bt.utc_start(result.started),
        pattern=_pattern(targets),
    )


def _job(result: DiskSpdResult, paths: list[str]) -> str | None:
    if len(paths) == 1:
        return paths[0]
    # Without parameters, two tables on one page differ only in their position.
    return f"{len(paths)} targets" if paths else f"{result.file or 'table'} (line {result.line})"


def _common(targets: tuple[Target, ...], key: str) -> int | None:
    value = bt.only(getattr(target, key) for target in targets)
    return value if isinstance(value, int) else None


def _pattern(targets: tuple[Target, ...]) -> str | None:
    value = bt.only(target.pattern for target in targets)
    return value if isinstance(value, str) else None


def _read_percent(result: DiskSpdResult) -> float | None:
    stated = bt.only(target.read_percent for target in result.targets)
    reads, writes = (_ios(result.tables.get(op)) or 0.0 for op in ("Read", "Write"))
    return bt.share_of_reads(float(stated) if isinstance(stated, float) else None, reads, writes)


def _ios(table: DiskSpdTable | None) -> float | None:
    return bt.number(table.cell("I/Os")) if table else None


def _figures(result: DiskSpdResult, op: str) -> Figures | None:
    """Returns the values of one table, or None if the direction did no I/O or is not listed."""
    table = result.tables.get(op)
    ios = _ios(table)
    if table is None or not ios or _disagrees(table, result.seconds):
        return None
    iops = bt.number(table.cell("I/O per s"))
    percentiles = [bt.number(result.percentile(percent, op)) for percent in _PERCENTILES]
    return Figures(iops, _mb_per_s(table, ios, iops, result.seconds), bt.number(table.cell("AvgLat")), *percentiles)


def _mb_per_s(table: DiskSpdTable, ios: float, iops: float | None, seconds: float | None) -> float | None:
    amount = bt.number(table.cell("bytes"))
    if amount is not None and seconds:
        return amount / seconds / 1e6
    if amount is not None and iops is not None:
        return amount / ios * iops / 1e6
    printed = bt.number(table.cell("MiB/s") or table.cell("MB/s"))
    return None if printed is None else printed * bt.MIB


def _cell_problems(result: DiskSpdResult, name: str) -> Iterator[Problem]:
    for op, table in result.tables.items():
        wrong = bt.unreadable((key, table.cell(key)) for key in _COLUMNS)
        yield from bt.left_empty(name, f"The totals row of '{op} IO'", wrong, table.line)
    percentiles = ((f"{op} {percent}", result.percentile(percent, op)) for percent in _PERCENTILES for op in _OPS)
    yield from bt.left_empty(name, "A DiskSpd result", result.unread, result.line)
    yield from bt.left_empty(name, "The percentiles of a DiskSpd result", bt.unreadable(percentiles), result.line)


def _faults(result: DiskSpdResult, name: str) -> Iterator[Problem]:
    """Yields problems for rows whose cells do not match the columns, so cells cannot be assigned to columns."""
    for line, what in result.faults:
        message = f"A DiskSpd result is damaged: {what}."
        yield bt.warning(name, "cell-count", message, "row rejected; check it in the file", line=line)
    for op, table in result.tables.items():
        if _disagrees(table, result.seconds):
            message = f"The totals row of '{op} IO' is contradictory: 'I/Os' ÷ duration is not 'I/O per s'."
            action = "row rejected; compare it with the original report"
            yield bt.warning(name, "cell-count", message, action, line=table.line)


def _disagrees(table: DiskSpdTable, seconds: float | None) -> bool:
    """True if I/Os ÷ duration differs from the printed rate. DiskSpd rounds both to two decimals."""
    ios, iops = bt.number(table.cell("I/Os")), bt.number(table.cell("I/O per s"))
    if ios is None or iops is None or not seconds:
        return False
    return abs(ios / seconds - iops) > 0.02 + _RATE_SLACK * max(iops, ios / seconds)


def _direction_problems(result: DiskSpdResult, name: str) -> Iterator[Problem]:
    for op in ("Read", "Write"):
        table = result.tables.get(op)
        if table is not None and table.total is None and not result.faults:
            message = f"The table '{op} IO' of a DiskSpd result ends before its totals row."
            action = "rows of this table rejected; copy the whole report"
            yield bt.warning(name, "truncated", message, action, line=table.line)
    if absent := [op for op in ("Read", "Write") if op not in result.tables]:
        tables = " or ".join(f"'{op} IO'" for op in absent)
        message = f"A DiskSpd result has no table {tables}."
        yield bt.warning(
            name, "no-table", message, "the other tables were imported; copy the whole report", line=result.line
        )
    if result.percentiles and "max" not in result.percentiles:
        message = "The percentiles of a DiskSpd result end before their maximum: the file is cut off."
        action = "the listed percentiles were imported; copy the whole report"
        yield bt.warning(name, "truncated", message, action, line=result.line)
