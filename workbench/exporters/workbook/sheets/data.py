"""Sheet "Data": one row per measured value, for pivot tables, as an Excel table with its header in the first row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from workbench.answers.common.change_words import drawn_change
from workbench.answers.compare.compute import Comparison
from workbench.answers.logons.document import logon_rows
from workbench.exporters.workbook.cells import Notes, Value, headers, page, put, text_width, widths
from workbench.exporters.workbook.columns import StudyGroups
from workbench.exporters.workbook.sheets.listed import MAX_LINES, filtered
from workbench.measures.catalogue import MEASURES
from workbench.measures.significance.differences import Difference
from workbench.words.metrics import phase_words

NAME = "Data"
COLUMNS = (
    *("Kind", "Study", "Configuration", "Run", "Phase", "Item", "Metric", "Value", "Unit"),
    *("Verdict", "Change", "Low", "High", "Change unit", "n"),
)
# From here on, a row has the comparison of its configuration, equal for each of its runs.
_NUMBERS = ("Value", "Change", "Low", "High", "n")
# For benchmarks and for logons: metric, key of the value, unit.
_OF_BENCHMARK = (
    ("IOPS", "iops", "IOPS"),
    ("Throughput", "mb_per_s", "MB/s"),
    ("Latency, mean", "latency_mean_ms", "ms"),
    ("Latency, p50", "latency_p50_ms", "ms"),
    ("Latency, p95", "latency_p95_ms", "ms"),
    ("Latency, p99", "latency_p99_ms", "ms"),
)
_OF_LOGON = (("Logon time", "logon_s"), ("Time to applications", "apps_started_s"))


def write_data(
    sheet: Worksheet, studies: Sequence[StudyGroups], comparisons: Mapping[str, Comparison], notes: Notes
) -> int:
    """Write the table; returns how many rows did not fit. A value that was not measured has no row."""
    rows = data_rows(studies, comparisons)
    kept = list(islice(rows, MAX_LINES))
    headers(sheet, 1, COLUMNS, [name in _NUMBERS for name in COLUMNS])
    for at, row in enumerate(kept, start=2):
        for column, value in enumerate(row, start=1):
            if value is not None:
                put(sheet, at, column, value, notes)
    filtered(sheet, "Data", 1, len(COLUMNS), len(kept))
    widths(sheet, [text_width([name, *(row[at] for row in kept[:200])], most=34) for at, name in enumerate(COLUMNS)])
    sheet.freeze_panes = "A2"
    page(sheet)
    # An empty print area: the table is for reference and for pivot tables, not for paper.
    sheet.print_area = f"{get_column_letter(len(COLUMNS) + 2)}1"
    return sum(1 for _ in rows)


def data_rows(studies: Sequence[StudyGroups], comparisons: Mapping[str, Comparison]) -> Iterator[tuple[Value, ...]]:
    """Rows with the columns `COLUMNS`: runs by phase and metric, then benchmarks, then logons."""
    for study in studies:
        comparison = comparisons.get(study.study.folder)
        found = {
            (difference.configuration, difference.phase, difference.measure.key): difference
            for difference in (comparison.differences if comparison is not None else ())
        }
        for group in study.groups:
            for run in group.runs:
                for figures in run.phases:
                    where = (study.study.name, group.label, run.run.name, phase_words(figures.phase.name), None)
                    for key, measure in MEASURES.items():
                        value = getattr(figures, key)
                        if value is not None and not measure.moment:
                            ends = _compared(found.get((group.label, figures.phase.name, key)))
                            yield ("phase", *where, measure.name, float(value), measure.unit or None, *ends)
    for study in studies:
        for benchmark in study.study.benchmarks:
            about = (study.study.name, benchmark.test, benchmark.path, benchmark.op, benchmark.job)
            for metric, key, unit in _OF_BENCHMARK:
                if (value := getattr(benchmark, key)) is not None:
                    yield ("benchmark", *about, metric, float(value), unit, *_compared(None))
    for row in logon_rows([study.study for study in studies]):
        of = (row["study"], row["configuration"], row["run"], "logon", row["user"] or row["vm"])
        for metric, key in _OF_LOGON:
            if (value := row[key]) is not None:
                yield ("logon", *of, metric, float(value), "s", *_compared(None))


def _compared(found: Difference | None) -> tuple[Value, ...]:
    """Verdict, change with the ends of its interval or range, its unit, and n."""
    change = found.change if found is not None else None
    if found is None or change is None:
        return (None,) * 6
    unit = found.measure.change_unit
    verdict = found.verdict.value if found.verdict is not None and change.basis != "single" else None
    return verdict, *drawn_change(change, unit), unit, change.n
