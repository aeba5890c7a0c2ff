"""vdbench's output folder, 5.00 to 5.04: flatfile.html (and CSV made from it), totals, summary, log, and the pages of
hosts, slaves, storage and workloads.

Source: vdbench's own comments in the flatfile, its Users Guide, and whole folders of three testers (see `folder`). A
run definition (`RD=`) gives a row per interval and, at its end, the row `avg_2-n` over all intervals except the
warm-up. That row is the result; the intervals become time series. A run without it did not end, and is rejected. Each
file is read separately; `folder` combines a folder into one run, so no value counts twice. Units: `rate` is I/Os per
second, `MB/sec` 2^20 bytes (`1024**2` in its header), `resp`, `read_resp` and `write_resp` milliseconds. vdbench writes
only times of day, or dates in an unnamed zone: rows have no start, and the time series are relative.

Response-time histograms are not read: percentiles cannot be computed from ranges.

Each row of a time series covers the interval that ends at its time of day; time 0 is the first row's. There is one set
of series per run definition. A response time of 0 means that no such I/O was done: it is not measured, not 0 ms.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from workbench.model.benchmark import Benchmark
from workbench.model.metric import Quantity
from workbench.model.problem import Problem
from workbench.model.reading import Reader, Reading
from workbench.model.recording import FileReport
from workbench.readers.common.relative_series import RelativeSamples, SeriesMeasure, with_series
from workbench.readers.common.row_problems import acted, counting, numbered, place_words
from workbench.readers.text import documents as bt
from workbench.readers.text.documents import LoadedText
from workbench.readers.vdbench.folder import ERRORS, HISTOGRAM, LOG, NO_ERRORS, File, FileKind, file_of
from workbench.readers.vdbench.tables import TOOL as LABEL
from workbench.readers.vdbench.tables import (
    VdbenchRow,
    flatfile_rows,
    report_rows,
    results_of,
    unknown_counts,
    with_curves,
)

_AVERAGE = re.compile(r"avg_\d{1,9}-\d{1,9}")
_FIGURES = ("MB/sec", "resp", "read%", "read_resp", "write_resp")
_STARTING = re.compile(r"Starting RD=")
_MARKS = ("<pre>", NO_ERRORS, "Starting RD=", "MB/sec", "data_for_swat", "input argument scanned")
_COMPLETED = "Vdbench execution completed successfully"
_FAILURE = re.compile(r"^.{0,40}?(?:java\.lang\.\w{1,60}: (.{1,300})|(Vdbench terminat.{1,300}))$", re.MULTILINE)
_SHOWN = 200
# A number of a report, or of a flatfile as CSV if it is quoted: between blanks or quotes.
_NUMBERS = re.compile(r"(?<![^\s\"])(?P<n>[0-9]{1,12}[.,][0-9.,]{1,30})(?![^\s\"])")


def identify(head: bytes, _name: str) -> float:
    """Returns 1.0 for vdbench's reports by their headings, less for its other files and for a table with its column
    names."""
    text = bt.head_text(head)
    if not any(mark in text for mark in _MARKS):
        return 0.0
    file = file_of(text)
    if file is None:
        return 0.0
    is_report = file.kind is FileKind.SLICE or file.part in ("totals", "summary") or "Starting RD=" in text
    return 1.0 if is_report and file.kind is not FileKind.OTHER else 0.9


def read(path: Path, name: str, columns: Path) -> Reading:
    """Returns the rows of every run that has its average, and the intervals as time series. The file is not imported if
    no run has one; then its kind is named."""
    loaded = bt.load(path, name, LABEL)
    if isinstance(loaded, Reading):
        return loaded
    file = file_of(loaded.text) or File(LOG, FileKind.WHOLE)
    if file.kind is FileKind.OTHER:
        reading = _other(loaded, name, file.part)
    else:
        told = bt.with_points(loaded, name, LABEL, _NUMBERS)
        if isinstance(told, Reading):
            return told
        reading = _reading(told[0], name, columns, file)
        reading = replace(reading, problems=(*told[1], *reading.problems))
    return replace(reading, report=replace(reading.report, part=file.part))


READER = Reader(LABEL, identify, read, by_name=True)


def _other(loaded: LoadedText, name: str, part: str) -> Reading:
    if part == HISTOGRAM:
        message = "The file is a vdbench histogram, which does not contain exact percentiles."
        advice = "open flatfile.html or summary.html of the run"
        return bt.refused(LABEL, name, "no-results", message, advice, encoding=loaded.encoding)
    report = FileReport(path=name, reader=LABEL, recognised=True, encoding=loaded.encoding)
    if part == ERRORS and (errors := _errors(loaded.text)):
        line, first = errors[0]
        begin = ", the first" if len(errors) > 1 else ""
        message = f"The error log of vdbench has {numbered(len(errors), 'line')}{begin}: “{first[:_SHOWN]}”."
        action = "results imported; check the error log: some I/Os failed or returned wrong data"
        return Reading(report, (bt.warning(name, "failed-io", message, action, line),))
    message = f"The file contains the {part} of a vdbench run, but no results."
    return Reading(report, (bt.info(name, "contents", message, "file listed, but not imported"),))


def _errors(text: str) -> list[tuple[int, str]]:
    """Returns the lines below the heading of an error log, with their numbers."""
    begin = text.find(NO_ERRORS)
    heading = text.count("\n", 0, max(begin, 0)) + 1
    lines = enumerate(text.split("\n"), start=1)
    entries = ((number, line.strip()) for number, line in lines if number > heading)
    return [(number, line) for number, line in entries if line] if begin >= 0 else []


def _reading(loaded: LoadedText, name: str, columns: Path, file: File) -> Reading:
    lines = loaded.text.split("\n")
    is_flat = not _STARTING.search(loaded.text)
    listed = list(flatfile_rows(lines) if is_flat else report_rows(lines))
    table_rows = [row for row in listed if row.cells]
    averages = [row for row in table_rows if _is_average(row)]
    rows: list[Benchmark] = []
    broken = [row.line for row in listed if not row.cells]
    problems = _broken(broken, name)
    for average in averages:
        outcome = results_of(average, name)
        if isinstance(outcome, Problem):
            problems.append(outcome)
        else:
            rows.extend(outcome)
    problems.extend(_unfinished(table_rows, averages, name))
    complete = loaded.text.rfind(_COMPLETED) > loaded.text.rfind("Starting RD=")
    if file.kind is FileKind.WHOLE and not complete:
        problems.extend(_without_rows(loaded.text, table_rows, name))
    rejected = len(problems) + max(len(broken) - 1, 0)
    for average in averages:
        wrong = bt.unreadable((key, average.cells.get(key)) for key in _FIGURES)
        wrong += unknown_counts(average)
        what = f"The 'avg' row of the vdbench run “{average.run}”"
        problems.extend(bt.left_empty(name, what, wrong, average.line))
    if file.part == LOG and not complete:
        problems.extend(_stopped(loaded.text, name, problems))
    if not rows:
        message, line = _why_empty(problems)
        idle = problems and problems[0].code == "no-io"
        advice = "open the results of a run with storage I/O" if idle else "repeat the run, and let it finish"
        return bt.refused(LABEL, name, "no-results", message, advice, line, loaded.encoding, rejected)
    if not complete:
        problems.extend(bt.open_end(loaded, name, problems))
    samples, new_problems = interval_samples([row for row in table_rows if not _is_average(row)], name)
    width = max(len(row.cells) for row in averages)
    part = file.part if file.kind is FileKind.SLICE else None
    results = [replace(row, part=part) for row in with_curves(rows)]
    reading = bt.reading_of(LABEL, name, loaded.encoding, results, [*problems, *new_problems], rejected, width)
    return with_series(reading, samples, f"{LABEL} {part}" if part else LABEL, "interval rows", columns)


def _is_average(row: VdbenchRow) -> bool:
    return _AVERAGE.fullmatch(row.interval) is not None


def _why_empty(problems: list[Problem]) -> tuple[str, int | None]:
    if problems:
        return problems[0].message, problems[0].line
    return "The vdbench report lists no completed run, because it has no row 'avg_…'.", None


def _broken(lines: list[int], name: str) -> list[Problem]:
    if not lines:
        return []
    message = "A row of a vdbench report has more or fewer cells than its header."
    if len(lines) > 1:
        message = f"{len(lines):,} rows of a vdbench report have more or fewer cells than its header."
    return [
        bt.warning(name, "cell-count", message, acted("row rejected; check it in the file", len(lines)), line=lines[0])
    ]


def _stopped(text: str, name: str, problems: list[Problem]) -> Iterable[Problem]:
    """Returns the problem of a log without the final line of a complete execution."""
    if any(problem.code == "truncated" for problem in problems):
        return
    failure = _FAILURE.search(text)
    why = f" (“{(failure[1] or failure[2]).strip()[:_SHOWN].rstrip('.')}”)" if failure else ""
    line = text.count("\n", 0, failure.end()) + 1 if failure else None
    message = f"vdbench was stopped or failed: its log does not report success{why}."
    yield bt.warning(
        name, "test-interrupted", message, "runs with an 'avg' row were imported; repeat the others", line=line
    )


def _unfinished(rows: list[VdbenchRow], averages: list[VdbenchRow], name: str) -> Iterable[Problem]:
    """Returns runs whose last row is an interval. Loops give several runs with one name, each with its average."""
    ended = {row.run: row.line for row in averages}
    begun = {row.run: row.line for row in rows if not _is_average(row)}
    for run, line in begun.items():
        if line < ended.get(run, 0):
            continue
        which = f"vdbench run “{run}”" if run else "unnamed vdbench run"
        message = f"The {which} has interval rows but no 'avg' row, because it did not end."
        yield bt.warning(name, "truncated", message, "run rejected; repeat the run, and let it finish", line=line)


def _without_rows(text: str, rows: list[VdbenchRow], name: str) -> Iterable[Problem]:
    """Returns the last run of a report if it was started but has no row. (Runs in between may have been skipped.)"""
    begun = [match.start() for match in _STARTING.finditer(text)]
    line = text.count("\n", 0, begun[-1]) + 1 if begun else 0
    if begun and all(row.line < line for row in rows):
        message = "The last run of the report has no results: it did not end, or the file is cut off."
        yield bt.warning(name, "truncated", message, "run rejected; repeat the run, and let it finish", line=line)


_DAY = 86_400
_MEASURES = {
    "rate": SeriesMeasure("rate", "1/s", Quantity.IOPS),
    "MB/sec": SeriesMeasure("MB/sec", "MiB/s", Quantity.THROUGHPUT, bt.MIB * 1e6),
    "resp": SeriesMeasure("resp", "ms", Quantity.LATENCY, 1e-3),
    "read_resp": SeriesMeasure("read_resp", "ms", Quantity.READ_LATENCY, 1e-3),
    "write_resp": SeriesMeasure("write_resp", "ms", Quantity.WRITE_LATENCY, 1e-3),
}
_NOT_MEASURED = ("", "n/a")


def interval_samples(rows: Sequence[VdbenchRow], name: str) -> tuple[RelativeSamples, list[Problem]]:
    """Returns the samples of the rows, and a problem for rows without a time and for cells that are not numbers."""
    samples = RelativeSamples()
    timeless: list[int] = []
    odd: list[int] = []
    first = last = days = 0
    for row in rows:
        of_day = _microseconds(row.time)
        if of_day is None:
            timeless.append(row.line)
            continue
        if not samples.times:
            first = last = of_day
        days += of_day < last - _DAY * 500_000  # more than half a day back means the next day
        last = of_day
        if any(bt.number(row.cells.get(key)) is None and _stated(row, key) for key in _MEASURES):
            odd.append(row.line)
        samples.add(of_day + days * _DAY * 1_000_000 - first, row.run, _values(row))
        if samples.full:
            break
    return samples, _told(name, timeless, odd)


def _values(row: VdbenchRow) -> dict[SeriesMeasure, float | None]:
    values = {measure: bt.number(row.cells[key]) for key, measure in _MEASURES.items() if key in row.cells}
    share = bt.number(row.cells.get("read%"))
    idle = not values.get(_MEASURES["rate"])
    for key, none in (("resp", idle), ("read_resp", idle or share == 0), ("write_resp", idle or share == 100)):
        if none and _MEASURES[key] in values:
            values[_MEASURES[key]] = None
    return values


def _stated(row: VdbenchRow, key: str) -> bool:
    return row.cells.get(key, "").strip().lower() not in _NOT_MEASURED


def _told(name: str, timeless: list[int], odd: list[int]) -> list[Problem]:
    problems: list[Problem] = []
    if timeless:
        number, where = len(timeless), place_words(len(timeless), f"line {timeless[0]}")
        message = f"{counting(number, 'interval row', 'has', 'have')} no time of day ({where})."
        action = acted("row not used in the time series; check it in the file", number)
        problems.append(bt.warning(name, "bad-time", message, action, timeless[0]))
    if odd:
        number, where = len(odd), place_words(len(odd), f"line {odd[0]}")
        message = f"{counting(number, 'interval row', 'contains', 'contain')} text instead of a number ({where})."
        problems.append(
            bt.warning(name, "not-a-number", message, acted("sample left empty; check it in the file", number), odd[0])
        )
    return problems


def _microseconds(time: str) -> int | None:
    """Returns microseconds since midnight of `13:15:31.067`."""
    parts = time.split(":")
    if len(parts) != 3:
        return None
    hours, minutes, seconds = (bt.number(part) for part in parts)
    if hours is None or minutes is None or seconds is None:
        return None
    if hours >= 24 or minutes >= 60 or seconds >= 61:
        return None
    return round((hours * 3600 + minutes * 60 + seconds) * 1e6)
