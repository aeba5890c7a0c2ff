"""Sheets about the sources of the values: benchmarks and import report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import attrgetter

from openpyxl.worksheet.worksheet import Worksheet

from workbench.answers.benchmarks.compute import benchmark_table
from workbench.exporters.workbook.cells import HEADING, QUIET, TITLE, Notes, Value, page, put, text_width, widths
from workbench.exporters.workbook.columns import StudyGroups
from workbench.exporters.workbook.sheets.listed import filtered, listed, moment_cell
from workbench.model.problem import Problem, few_named
from workbench.model.recording import FileReport

# Characters per line in the wide columns of the import report.
_REPORT_WRAPS = {6: 62, 7: 40}

# The heading and the attribute of each column of the benchmark table.
_BENCHMARK = {
    "File": "path",
    "Tool": "tool",
    "Version": "tool_version",
    "Test": "test",
    "Job": "job",
    "Host": "host",
    "Operation": "op.value",
    "IOPS (1/s)": "iops",
    "MB/s (10^6)": "mb_per_s",
    "Latency, mean (ms)": "latency_mean_ms",
    "Latency, median (ms)": "latency_p50_ms",
    "Latency, p95 (ms)": "latency_p95_ms",
    "Latency, p99 (ms)": "latency_p99_ms",
    "Block (bytes)": "block_bytes",
    "Queue depth": "queue_depth",
    "Threads": "threads",
    "Reads (%)": "read_percent",
    "Started (UTC)": "started",
    "Error": "error",
}
_BENCHMARK_TEXT = frozenset((0, 1, 2, 3, 4, 5, 6, 7, 18, 19))
# Files and messages share their columns, so the widths fit both.
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
_PROBLEM_HEADS = ("Study", "Severity", "Where", "Line", "Cell", "Code", "What", "Action taken")
_problem = attrgetter("severity.value", "file", "line", "column", "code", "message", "done")


def write_benchmarks(sheet: Worksheet, first: int, studies: Sequence[StudyGroups], notes: Notes) -> int:
    """Write the benchmark table from row `first` on; returns the row after it."""
    values = attrgetter(*_BENCHMARK.values())
    rows = [(study.study.name, *values(row)) for study in studies for row in benchmark_table(study.study.benchmarks)]
    return listed(sheet, first, ("Study", *_BENCHMARK), rows, notes, _BENCHMARK_TEXT)


def write_import_report(sheet: Worksheet, studies: Sequence[StudyGroups], notes: Notes) -> None:
    """Write the type of each file, and every problem. Written last, because it also contains notes on the writing
    itself.
    """
    put(sheet, 1, 1, "Import report: files, skipped data, guesses and automatic fixes", notes, font=TITLE)
    problems = [(study.study.name, problem) for study in studies for problem in _problems(study)]
    files = [(study.study.name, *_file(report)) for study in studies for report in study.study.files]
    counts = f"{len(files)} files, {len(problems)} messages. An empty cell means 'not available'."
    put(sheet, 2, 1, counts, notes, font=QUIET)
    put(sheet, 4, 1, "Files", notes, font=HEADING)
    below = listed(sheet, 5, _FILE_HEADS, files, notes, _FILE_TEXT, _REPORT_WRAPS)
    put(sheet, below + 1, 1, "Messages", notes, font=HEADING)
    lines = [(study, *_problem(problem)) for study, problem in problems]
    lines += [("", *_problem(problem)) for problem in notes.problems]
    listed(sheet, below + 2, _PROBLEM_HEADS, lines, notes, _PROBLEM_TEXT, _REPORT_WRAPS)
    filtered(sheet, "Files", 5, len(_FILE_HEADS), len(files))
    filtered(sheet, "Messages", below + 2, len(_PROBLEM_HEADS), len(lines))
    widths(sheet, [24, 15, 62, 9, 10, 22, 64, 42, 20, 10, 11, 10, 11])
    page(sheet)


def benchmark_widths(studies: Sequence[StudyGroups]) -> list[float]:
    """Column widths of the benchmark table."""
    rows = [row for study in studies for row in study.study.benchmarks]
    texts: Iterable[tuple[str | None, ...]] = [(r.path, r.tool, r.tool_version, r.test, r.job, r.host) for r in rows]
    wide = [text_width([row[index] or "" for row in texts], most=60) for index in range(6)]
    return [24, *wide, 11, 11, 11, *[12.0] * 4, 10, 9, 9, 9, 21, 40]


def _file(report: FileReport) -> tuple[Value, ...]:
    machines = few_named(report.hosts, 20)
    return (
        report.reader or "not recognised",
        report.path,
        report.rows,
        report.rejected_rows,
        report.encoding,
        machines,
        moment_cell(report.first),
        moment_cell(report.last),
        report.columns,
        report.cells,
        report.missing_cells,
        report.utc_offset_minutes,
    )


def _problems(study: StudyGroups) -> list[Problem]:
    return [*study.study.problems, *(problem for figures in study.figures for problem in figures.problems)]
