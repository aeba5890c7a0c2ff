"""Sheets that say where the figures come from: benchmarks, import report, provenance."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.table import Table, TableStyleInfo
from openpyxl.worksheet.worksheet import Worksheet

from workbench import __version__
from workbench.answers.benchmarks.compute import benchmark_table
from workbench.exporters.source_hashes import HASH_LEGEND, known_files
from workbench.exporters.workbook.cells import (
    HEADING,
    MOMENT,
    QUIET,
    STRONG,
    TITLE,
    TOP,
    TOP_LEFT,
    WRAPPED,
    Notes,
    Value,
    headers,
    page,
    put,
    text_width,
    widths,
)
from workbench.exporters.workbook.columns import utc
from workbench.exporters.workbook.rows import StudyGroups
from workbench.exporters.workbook.sheets.number_sources import (
    FORMULA_HEADS,
    MORE_WAYS,
    MOST_WAYS,
    WAY_HEADS,
    WAY_TEXT,
    ways_back,
)
from workbench.exporters.workbook.sheets.sources import counters
from workbench.model.benchmark import Benchmark
from workbench.model.problem import Problem
from workbench.model.recording import FileReport, Recording
from workbench.model.run import Run
from workbench.words.numbers import MISSING

# A sheet with more lines than this is no longer read; the rest is said in one line.
MAX_LINES = 20_000
# Characters a line in the wide columns of the import report.
_REPORT_WRAPS = {6: 62, 7: 40}

_BENCHMARK_HEADS = (
    "Study",
    "File",
    "Tool",
    "Version",
    "Test",
    "Job",
    "Host",
    "Operation",
    "IOPS (1/s)",
    "MB/s (10^6)",
    "Latency, mean (ms)",
    "Latency, median (ms)",
    "Latency, 95th perc. (ms)",
    "Latency, 99th perc. (ms)",
    "Block (bytes)",
    "Queue depth",
    "Threads",
    "Reads (%)",
    "Started (UTC)",
    "Error",
)
_BENCHMARK_TEXT = frozenset((0, 1, 2, 3, 4, 5, 6, 7, 18, 19))
# Files and messages share their columns, so that both fit the same widths.
_FILE_HEADS = (
    "Study",
    "Read as",
    "File",
    "Rows",
    "Rejected rows",
    "Encoding",
    "Machines",
    "First sample (UTC)",
    "Last sample (UTC)",
    "Columns",
    "Cells",
    "Missing cells",
    "UTC offset (min)",
)
_FILE_TEXT = frozenset((0, 1, 2, 5, 6, 7, 8))
_PROBLEM_TEXT = frozenset((0, 1, 2, 5, 6, 7))
_PROBLEM_HEADS = ("Study", "Severity", "Where", "Line", "Cell", "Code", "What", "What was done")
_PHASE_HEADS = ("Study", "Run", "Configuration", "Phase", "From (UTC)", "To (UTC)", "Evidence", "Rule")
_CLOCK_HEADS = (
    "Study",
    "Run",
    "File",
    "Offset used (min)",
    "Run's time zone",
    "First row (UTC)",
    "Last row (UTC)",
)
_FILE_HASH_HEADS = (
    "Study",
    "File",
    "Read as",
    "Bytes",
    "SHA-256",
    "Rows",
    "First sample (UTC)",
    "Last sample (UTC)",
)
_COUNTER_HEADS = (
    "Study",
    "Run",
    "Counter",
    "Object",
    "Unit",
    "Series",
    "Machines",
    "Measured in, tier, and what it is taken for",
)
_GUESS_HEADS = ("Study", "Run", "What", "Taken as", "Because")
_METHODS = (
    "A rate sample is the average over the interval that ends at its time stamp; it counts for the part of that "
    "interval inside the phase [start, end).",
    "Total I/O is the sum over the measured VMs of these samples times their seconds. IOPS = total I/O / duration.",
    "Intervals longer than three times the median interval are gaps: they hold no I/O and are in the import report.",
    "Latency is the mean over I/Os (weighted with the rate of the same sample). Percentiles are over all samples of "
    "all VMs in the phase.",
    "Cache used at end is the mean over the VMs of the last sample in the phase; the peak is the highest VM.",
    "Runs are the unit: figures of a configuration are means over its runs, never over pooled VMs.",
)


def write_benchmarks(sheet: Worksheet, first: int, studies: Sequence[StudyGroups], notes: Notes) -> int:
    """The benchmark table from row `first` on; returns the row behind it."""
    rows = [
        (study.study.name, *_benchmark(row))
        for study in studies
        for row in benchmark_table(study.study.benchmarks)
    ]
    return _table(sheet, first, _BENCHMARK_HEADS, rows, notes, _BENCHMARK_TEXT)


def write_import_report(sheet: Worksheet, studies: Sequence[StudyGroups], notes: Notes) -> None:
    """What each file is, and every problem. Written last: it holds the notes of the writing too."""
    put(
        sheet,
        1,
        1,
        "Import report: what each file is, and what was skipped, guessed or repaired",
        notes,
        font=TITLE,
    )
    problems = [(study.study.name, problem) for study in studies for problem in _problems(study)]
    files = [(study.study.name, *_file(report)) for study in studies for report in study.study.files]
    put(
        sheet,
        2,
        1,
        f"{len(files)} files, {len(problems)} messages. Empty = not available.",
        notes,
        font=QUIET,
    )
    put(sheet, 4, 1, "Files", notes, font=HEADING)
    below = _table(sheet, 5, _FILE_HEADS, files, notes, _FILE_TEXT, _REPORT_WRAPS)
    put(sheet, below + 1, 1, "Messages", notes, font=HEADING)
    lines = [(study, *_problem(problem)) for study, problem in problems]
    lines += [("", *_problem(problem)) for problem in notes.problems]
    _table(sheet, below + 2, _PROBLEM_HEADS, lines, notes, _PROBLEM_TEXT, _REPORT_WRAPS)
    _filters(sheet, "Files", 5, len(_FILE_HEADS), len(files))
    _filters(sheet, "Messages", below + 2, len(_PROBLEM_HEADS), len(lines))
    widths(sheet, [24, 15, 62, 9, 10, 22, 64, 42, 20, 10, 11, 10, 11])
    page(sheet)


def write_provenance(sheet: Worksheet, studies: Sequence[StudyGroups], notes: Notes) -> None:
    """Program, date, folders, phases with their rules, clocks and guesses."""
    put(sheet, 1, 1, "Provenance: where the figures come from", notes, font=TITLE)
    put(
        sheet,
        2,
        1,
        f"VDI Workbench {__version__}, written {datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        notes,
        font=QUIET,
    )
    row = 4
    for study in studies:
        put(sheet, row, 1, study.study.name, notes, font=STRONG)
        # The folder's name alone: a path of someone's laptop is nothing for a customer.
        put(sheet, row, 2, Path(study.study.folder).name, notes)
        row += 1
    parts = (
        (
            f"Files with their hashes ({HASH_LEGEND.replace(MISSING, 'empty:')})",
            _FILE_HASH_HEADS,
            _hashes(studies),
            frozenset((0, 1, 2, 4, 6, 7)),
        ),
        (
            "Counters that the figures are made from",
            _COUNTER_HEADS,
            counters(studies),
            frozenset((0, 1, 2, 3, 4, 7)),
        ),
        ("Phases and the rule of each", _PHASE_HEADS, _phases(studies), frozenset((0, 1, 2, 3, 6, 7))),
        ("Clocks", _CLOCK_HEADS, _clocks(studies), frozenset((0, 1, 2, 4))),
        ("Facts that no run.toml states", _GUESS_HEADS, _guesses(studies), frozenset((0, 1, 2, 3, 4))),
    )
    for title, heads, lines, text in parts:
        put(sheet, row + 1, 1, title, notes, font=HEADING)
        row = _table(sheet, row + 2, heads, lines, notes, text)
    row = _ways(sheet, row, studies, notes)
    put(sheet, row + 1, 1, "How the figures are made", notes, font=HEADING)
    for index, sentence in enumerate(_METHODS, start=row + 2):
        put(sheet, index, 1, sentence, notes)
    widths(sheet, [26, 30, 40, 22, 20, 20, 20, 56])
    page(sheet)


def _ways(sheet: Worksheet, row: int, studies: Sequence[StudyGroups], notes: Notes) -> int:
    """Where the numbers of the answers come from, with their formulas; returns the row behind them."""
    lines, formulas = ways_back(studies)
    if not lines:
        return row
    put(sheet, row + 1, 1, "Where the numbers of the answers come from", notes, font=HEADING)
    row = _table(sheet, row + 2, WAY_HEADS, lines, notes, WAY_TEXT)
    if len(lines) == MOST_WAYS:
        put(sheet, row, 1, MORE_WAYS, notes, font=QUIET)
        row += 1
    put(sheet, row + 1, 1, "Formulas of these numbers", notes, font=HEADING)
    return _table(sheet, row + 2, FORMULA_HEADS, formulas, notes, frozenset((0, 1)))


def _table(
    sheet: Worksheet,
    first: int,
    heads: Sequence[str],
    rows: Sequence[Sequence[Value]],
    notes: Notes,
    text: frozenset[int],
    wraps: Mapping[int, int] | None = None,
) -> int:
    """A header with its rows; returns the row behind them."""
    headers(sheet, first, heads, [place not in text for place in range(len(heads))])
    for index, row in enumerate(rows[:MAX_LINES], start=first + 1):
        for column, value in enumerate(row, start=1):
            number_format = MOMENT if isinstance(value, datetime) else _number_format(value)
            cell = put(sheet, index, column, value, notes, number_format)
            cell.alignment = TOP_LEFT if isinstance(value, str | datetime) else TOP
        _wrap(sheet, index, row, wraps or {})
    if len(rows) > MAX_LINES:
        left = f"{len(rows) - MAX_LINES} more lines left out; 'vdiwb inspect --format json' has all of them."
        put(sheet, first + MAX_LINES + 1, 1, left, notes, font=QUIET)
    return first + min(len(rows), MAX_LINES + 1) + 1


def _wrap(sheet: Worksheet, at: int, row: Sequence[Value], wraps: Mapping[int, int]) -> None:
    """Long texts in the columns that wrap (place -> characters a line); the row grows with them."""
    lines = 1
    for index, width in wraps.items():
        text = str(row[index] or "")
        if len(text) > width:
            sheet.cell(at, index + 1).alignment = WRAPPED
            lines = max(lines, -(-len(text) // width))
    if lines > 1:
        sheet.row_dimensions[at].height = min(13.5 * lines, 400)


def _number_format(value: Value) -> str:
    if isinstance(value, float):
        return "#,##0.00" if abs(value) < 100 else "#,##0"
    return "#,##0" if isinstance(value, int) else ""


def _filters(sheet: Worksheet, name: str, first: int, columns: int, rows: int) -> None:
    """Makes a header and its rows an Excel table, so that each of a sheet's tables has its own filter."""
    last = first + max(1, min(rows, MAX_LINES))
    table = Table(displayName=name, ref=f"A{first}:{get_column_letter(columns)}{last}")
    table.tableStyleInfo = TableStyleInfo(name=None, showRowStripes=False)
    sheet.add_table(table)


def benchmark_widths(studies: Sequence[StudyGroups]) -> list[float]:
    """Column widths of the benchmark table."""
    rows = [row for study in studies for row in study.study.benchmarks]
    texts: Iterable[tuple[str | None, ...]] = [
        (r.path, r.tool, r.tool_version, r.test, r.job, r.host) for r in rows
    ]
    wide = [text_width([row[index] or "" for row in texts], most=60) for index in range(6)]
    return [24, *wide, 11, 11, 11, *[12.0] * 4, 10, 9, 9, 9, 21, 40]


def _benchmark(row: Benchmark) -> tuple[Value, ...]:
    return (
        row.path,
        row.tool,
        row.tool_version,
        row.test,
        row.job,
        row.host,
        row.op.value,
        row.iops,
        row.mb_per_s,
        row.latency_mean_ms,
        row.latency_p50_ms,
        row.latency_p95_ms,
        row.latency_p99_ms,
        row.block_bytes,
        row.queue_depth,
        row.threads,
        row.read_percent,
        row.started,
        row.error,
    )


def _file(report: FileReport) -> tuple[Value, ...]:
    machines = ", ".join(report.hosts[:20]) + (
        f" and {len(report.hosts) - 20} more" if len(report.hosts) > 20 else ""
    )
    return (
        report.reader or "not recognised",
        report.path,
        report.rows,
        report.rejected_rows,
        report.encoding,
        machines,
        _moment(report.first),
        _moment(report.last),
        report.columns,
        report.cells,
        report.missing_cells,
        report.utc_offset_minutes,
    )


def _moment(text: str | None) -> Value:
    """A report's time as a date that Excel can sort, or as it stands when it has no offset."""
    try:
        found = datetime.fromisoformat(text) if text else None
    except ValueError:
        return text
    return text if found is None or found.tzinfo is None else found


def _problems(one: StudyGroups) -> list[Problem]:
    return [*one.study.problems, *(problem for figures in one.figures for problem in figures.problems)]


def _problem(problem: Problem) -> tuple[Value, ...]:
    return (
        problem.severity.value,
        problem.file,
        problem.line,
        problem.column,
        problem.code,
        problem.message,
        problem.action,
    )


def _phases(studies: Sequence[StudyGroups]) -> list[tuple[Value, ...]]:
    return [
        (
            study.study.name,
            figure.run.name,
            figure.run.configuration.name,
            row.phase.name,
            utc(row.phase.start),
            utc(row.phase.end),
            row.phase.evidence,
            row.phase.rule,
        )
        for study in studies
        for figure in study.figures
        for row in figure.phases
    ]


def _hashes(studies: Sequence[StudyGroups]) -> list[tuple[Value, ...]]:
    found: list[tuple[Value, ...]] = []
    for study in studies:
        for report, file in zip(study.study.files, known_files(study.study), strict=True):
            found.append(
                (
                    study.study.name,
                    report.path,
                    report.reader or "not recognised",
                    file.size,
                    file.sha256,
                    report.rows,
                    _moment(report.first),
                    _moment(report.last),
                )
            )
    return found


def _clocks(studies: Sequence[StudyGroups]) -> list[tuple[Value, ...]]:
    return [
        (study.study.name, run.name, *_clock(run, recording))
        for study in studies
        for run in study.study.runs
        for recording in run.recordings
        if not recording.relative
    ]


def _clock(run: Run, recording: Recording) -> tuple[Value, ...]:
    offset = recording.utc_offset_minutes
    shift = 60 * (offset or 0)
    first, last = (utc(at / 1e6 - shift) for at in (recording.first_us, recording.last_us))
    return recording.file, "unknown, taken as UTC" if offset is None else offset, run.time_zone, first, last


def _guesses(studies: Sequence[StudyGroups]) -> list[tuple[Value, ...]]:
    return [
        (study.study.name, run.name, guess.field, str(guess.value), guess.reason)
        for study in studies
        for run in study.study.runs
        for guess in run.guesses
    ]
