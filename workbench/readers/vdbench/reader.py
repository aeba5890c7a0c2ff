"""vdbench's reports: flatfile.html (and CSV made of it), totals.html and summary.html, 5.00 to 5.04.

Source: vdbench's own comments in the flatfile, and files of four testers [F]. A run definition (`RD=`) gives a row
per interval and, at its end, the row `avg_2-n` over all but the warm-up: that row is the result, the intervals
become time series beside it (see `vdbench_intervals`). A run without it did not end, and is rejected.
Units: `rate` is I/Os per second, `MB/sec` 2^20 bytes (`1024**2` in its header), `resp` milliseconds. vdbench
writes times of day only, or dates of an unnamed zone: no start is taken, and the time series are relative.

Rows: `total` with the figures of the run; where `read%` says that both directions ran, also `read` and `write`:
IOPS by that share, latencies from `read_resp` and `write_resp`, MB/s where every I/O had one size. With one
direction that row stands alone. A response-time histogram is refused: percentiles are not read from ranges.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from workbench.model.benchmark import Benchmark, Op
from workbench.model.problem import Problem
from workbench.model.reading import Reader, Reading
from workbench.readers.common.relative_series import with_series
from workbench.readers.text import documents as bt
from workbench.readers.text.documents import Figures, Loaded
from workbench.readers.vdbench.intervals import interval_samples
from workbench.readers.vdbench.tables import Row, flatfile_header, flatfile_rows, report_rows

LABEL = "vdbench"
_AVERAGE = re.compile(r"avg_\d{1,9}-\d{1,9}")
_FIGURES = ("MB/sec", "resp", "read%", "read_resp", "write_resp")
_STARTING = re.compile(r"Starting RD=")
_HISTOGRAM = re.compile(r"response time histogram\.\s*$", re.MULTILINE)
_SUMMARY = re.compile(r"Vdbench summary report|^Run totals\s*$", re.MULTILINE)
_MARKS = ("vdbench", "Vdbench", "Starting RD=", "MB/sec", "histogram", "Run totals")


def identify(head: bytes, _name: str) -> float:
    """1.0 for its reports by their headings, less for a table with its column names."""
    text = bt.head_text(head)
    if not any(mark in text for mark in _MARKS):
        return 0.0
    is_report = text.lstrip().startswith("<pre>")
    if "Starting RD=" in text or (is_report and _SUMMARY.search(text)):
        return 1.0
    if any(flatfile_header(line) for line in text.split("\n", 200)[:200]):
        return 0.9
    return 0.9 if is_report and _HISTOGRAM.search(text) else 0.0


def read(path: Path, name: str, columns: Path) -> Reading:
    """The rows of every run that has its average, and the intervals as time series; refused when none has."""
    loaded = bt.load(path, name, LABEL)
    if isinstance(loaded, Reading):
        return loaded
    if _HISTOGRAM.search(loaded.text[:4000]):
        message = "The file is a vdbench histogram: counts per range of response times."
        advice = "percentiles cannot be read from ranges exactly; open flatfile.html or summary.html of the run"
        return bt.refused(LABEL, name, "no-results", message, advice, encoding=loaded.encoding)
    return _reading(loaded, name, columns)


READER = Reader(LABEL, identify, read, by_name=True)


def _reading(loaded: Loaded, name: str, columns: Path) -> Reading:
    lines = loaded.text.split("\n")
    is_flat = not _STARTING.search(loaded.text)
    listed = list(flatfile_rows(lines) if is_flat else report_rows(lines))
    table_rows = [row for row in listed if row.cells]
    averages = [row for row in table_rows if _is_average(row)]
    rows: list[Benchmark] = []
    problems = [_broken(row, name) for row in listed if not row.cells]
    for average in averages:
        outcome = _rows(average, name)
        if isinstance(outcome, Problem):
            problems.append(outcome)
        else:
            rows.extend(outcome)
    problems.extend(_unfinished(table_rows, averages, name))
    problems.extend(_without_rows(loaded.text, table_rows, name))
    rejected = len(problems)
    for average in averages:
        wrong = bt.unreadable((key, average.cells.get(key)) for key in _FIGURES)
        what = f"The average of the vdbench run “{average.run}”"
        problems.extend(bt.left_empty(name, what, wrong, average.line))
    if not rows:
        message, line = _why_empty(problems)
        advice = "repeat the run, and let it end"
        return bt.refused(LABEL, name, "no-results", message, advice, line, loaded.encoding, rejected)
    problems.extend(bt.open_end(loaded, name, problems))
    samples, new_problems = interval_samples([row for row in table_rows if not _is_average(row)], name)
    width = max(len(row.cells) for row in averages)
    reading = bt.reading_of(LABEL, name, loaded.encoding, rows, [*problems, *new_problems], rejected, width)
    return with_series(reading, samples, LABEL, "interval rows", columns)


def _is_average(row: Row) -> bool:
    return _AVERAGE.fullmatch(row.interval) is not None


def _why_empty(problems: list[Problem]) -> tuple[str, int | None]:
    if problems:
        return problems[0].message, problems[0].line
    return "The vdbench report lists no run that ended: it has no row avg_….", None


def _broken(row: Row, name: str) -> Problem:
    message = "A row of a vdbench report has more or fewer cells than its header."
    return bt.warning(name, "cell-count", message, "the row was left out", line=row.line)


def _unfinished(rows: list[Row], averages: list[Row], name: str) -> Iterable[Problem]:
    """Runs whose last row is an interval. Loops give several runs of one name, each with its average."""
    ended = {row.run: row.line for row in averages}
    begun = {row.run: row.line for row in rows if not _is_average(row)}
    for run, line in begun.items():
        if line < ended.get(run, 0):
            continue
        message = f"The vdbench run “{run or 'without a name'}” has intervals and no average: it did not end."
        yield bt.warning(name, "truncated", message, "that run was left out", line=line)


def _without_rows(text: str, rows: list[Row], name: str) -> Iterable[Problem]:
    """The last run of a report that was started and has no row at all. (Runs in between may have been skipped.)"""
    begun = [match.start() for match in _STARTING.finditer(text)]
    line = text.count("\n", 0, begun[-1]) + 1 if begun else 0
    if begun and all(row.line < line for row in rows):
        message = "The last run of the report was started and has no figures: it did not end, or the file is cut."
        yield bt.warning(name, "truncated", message, "that run was left out", line=line)


def _rows(row: Row, name: str) -> list[Benchmark] | Problem:
    rate, resp = bt.number(row.cells.get("rate")), bt.number(row.cells.get("resp"))
    if rate is None:
        message = f"The average of the vdbench run “{row.run}” has no number for its rate."
        return bt.warning(name, "not-a-number", message, "that run was left out", line=row.line)
    if rate == 0:
        message = f"The vdbench run “{row.run}” did no I/O."
        return bt.warning(name, "no-io", message, "it gave no rows", line=row.line)
    mb = bt.number(row.cells.get("MB/sec"))
    share = bt.number(row.cells.get("read%"))
    total = Figures(rate, None if mb is None else mb * bt.MIB, resp)
    shared = _shared(row, share, name)
    if share is None or share > 100:
        return [bt.with_figures(shared, Op.TOTAL, total)]
    if share in (0.0, 100.0):
        return [bt.with_figures(shared, Op.READ if share else Op.WRITE, total)]
    size = _one_size(row)
    figures = {
        op: _direction(row, rate * part / 100, f"{op}_resp", size)
        for op, part in (("read", share), ("write", 100 - share))
    }
    return bt.direction_rows(shared, figures["read"], figures["write"], total)


def _direction(row: Row, iops: float, latency: str, size: int | None) -> Figures:
    mb = None if size is None else iops * size / 1e6
    return Figures(iops, mb, bt.number(row.cells.get(latency)))


def _one_size(row: Row) -> int | None:
    """The size of every I/O, where one was asked for and the mean is the same."""
    sizes, mean = _count(row, "xfersize"), _count(row, "bytes/io")
    return sizes if sizes and sizes == mean else None


def _shared(row: Row, share: float | None, name: str) -> Benchmark:
    stated = bt.number(row.cells.get("rdpct"))
    seek = bt.number(row.cells.get("seekpct"))
    return Benchmark(
        path=name,
        tool=LABEL,
        op=Op.TOTAL,
        test=bt.file_stem(name),
        job=row.run or None,
        block_bytes=_count(row, "xfersize") or _likely_block(_count(row, "bytes/io")),
        threads=_count(row, "threads"),
        read_percent=stated if stated is not None and stated <= 100 else share,
        pattern={0.0: "sequential", 100.0: "random"}.get(seek) if seek is not None else None,
        line=row.line,
    )


def _count(row: Row, key: str) -> int | None:
    value = bt.number(row.cells.get(key))
    if value is not None:
        return int(value) if value == int(value) else None
    text = row.cells.get(key)
    return bt.size_bytes(text) if text else None


def _likely_block(mean: int | None) -> int | None:
    """A mean size that is a whole number of sectors was every I/O's size; any other is of a mix."""
    return mean if mean and mean % 512 == 0 else None
