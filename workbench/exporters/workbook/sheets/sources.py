"""The Sources sheet: phases and their rules, files with their hashes, clocks, guesses, methods and counters.

A hidden sheet leads the values on the answer sheets back to files, counters and rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from openpyxl.worksheet.worksheet import Worksheet

from workbench.answers.common.baselines import baseline_lines
from workbench.answers.common.sources import rows_words
from workbench.answers.sources import explain_answers
from workbench.exporters.document.document import METHODS
from workbench.exporters.source_hashes import HASHES, known_files
from workbench.exporters.workbook.cells import (
    HEADING,
    QUIET,
    STRONG,
    TITLE,
    Value,
    exported,
    headers,
    page,
    put,
    widths,
)
from workbench.exporters.workbook.columns import StudyGroups, utc
from workbench.exporters.workbook.making import Making
from workbench.exporters.workbook.sheets.listed import listed, moment_cell
from workbench.measures.significance.method import PROGRAM
from workbench.model.recording import Recording, Series
from workbench.model.run import Run
from workbench.model.source import Explanation, SourceRows
from workbench.words.metrics import MEASURED_AT, figure_words, phase_words, quantity_words, rule_of

_PHASE_HEADS = ("Study", "Run", "Configuration", "Phase", "Phase start (UTC)", "Phase end (UTC)", "Evidence", "Rule")
_CLOCK_HEADS = ("Study", "Run", "File", "UTC offset used (min)", "Run's time zone", "First row (UTC)", "Last row (UTC)")
_FILE_HASH_HEADS = ("Study", "File", "Read as", "Bytes", "SHA-256", "Rows", "First sample (UTC)", "Last sample (UTC)")
_COUNTER_HEADS = ("Study", "Run", "Counter", "Object", "Unit", "Series", "Machines", "Meaning")
_TIERS = {"shared": " on shared storage", "cache-disk": " on the cache disk", "ram": " in the RAM cache"}
_GUESS_HEADS = ("Study", "Run", "Property", "Value used", "Reason")
_METHODS = (
    *METHODS[:5],
    "Cache used at end: last sample of each VM in the phase, mean over the VMs. Peak: highest sample of any VM.",
)


def write_sources(making: Making, sheet: Worksheet, studies: Sequence[StudyGroups]) -> None:
    """Write program, date, folders, phases with their rules, clocks and guesses."""
    notes = making.notes
    put(sheet, 1, 1, "Sources of the values", notes, font=TITLE)
    put(sheet, 2, 1, f"{PROGRAM}, written {datetime.now(UTC):%Y-%m-%d %H:%M} UTC", notes, font=QUIET)
    row = 4
    for study in studies:
        put(sheet, row, 1, study.study.name, notes, font=STRONG)
        # Only the name of the folder: customers do not need the path on someone's laptop.
        put(sheet, row, 2, Path(study.study.folder).name, notes)
        row += 1
    parts = (
        (
            f"{HASHES}. An empty cell means 'file missing'.",
            _FILE_HASH_HEADS,
            _hashes(studies),
            frozenset((0, 1, 2, 4, 6, 7)),
        ),
        ("Counters behind the values", _COUNTER_HEADS, counters(studies), frozenset((0, 1, 2, 3, 4, 7))),
        ("Phases and their rules", _PHASE_HEADS, _phases(studies), frozenset((0, 1, 2, 3, 6, 7))),
        ("Clocks", _CLOCK_HEADS, _clocks(studies), frozenset((0, 1, 2, 4))),
        ("Run properties that run.toml does not state", _GUESS_HEADS, _guesses(studies), frozenset((0, 1, 2, 3, 4))),
    )
    for title, heads, lines, text in parts:
        put(sheet, row + 1, 1, title, notes, font=HEADING)
        row = listed(sheet, row + 2, heads, lines, notes, text)
    if words := _ways(making, studies):
        put(sheet, row + 1, 1, words, notes)
        row += 2
    put(sheet, row + 1, 1, "Method", notes, font=HEADING)
    baselines = baseline_lines({study.study.name: study.groups for study in studies})
    for index, sentence in enumerate((*_METHODS, *baselines), start=row + 2):
        put(sheet, index, 1, sentence, notes)
    widths(sheet, [26, 30, 40, 22, 20, 20, 20, 56])
    page(sheet)


def _ways(making: Making, studies: Sequence[StudyGroups]) -> str:
    """Write the sources of the answers' numbers on a hidden sheet; returns the sentence that says so."""
    lines, formulas = ways_back(studies)
    if not lines:
        return ""
    ways = making.number_sheet("Sources data", first_row=4)
    put(ways.sheet, 1, 1, exported("Sources of the values on the answer sheets"), making.notes, font=HEADING)
    if len(lines) == MOST_WAYS:
        put(ways.sheet, 2, 1, MORE_WAYS, making.notes, font=QUIET)
    columns = [(head, index in WAY_TEXT, [line[index] for line in lines]) for index, head in enumerate(WAY_HEADS)]
    right = len(columns) + 1
    columns += [(head, True, [line[index] for line in formulas]) for index, head in enumerate(FORMULA_HEADS)]
    for index, (head, text, values) in enumerate(columns):
        column = index + 1 + (index + 1 >= right)
        headers(ways.sheet, 3, [head], [not text], column)
        ways.numbers(column, values, "" if text else "General", making.notes)
    widths(ways.sheet, [24, 20, 40, 26, 12, 18, 40, 24, 14, 8, 8, 12, 3, 30, 80])
    return f"The hidden sheet '{ways.title}' lists the sources of all numbers in the results ({len(lines):,} lines)."


def _phases(studies: Sequence[StudyGroups]) -> list[tuple[Value, ...]]:
    return [
        (
            study.study.name,
            figure.run.name,
            figure.run.configuration.name,
            phase_words(row.phase.name),
            utc(row.phase.start),
            utc(row.phase.end),
            row.phase.evidence,
            rule_of(row.phase),
        )
        for study in studies
        for figure in study.figures
        for row in figure.phases
    ]


def _hashes(studies: Sequence[StudyGroups]) -> list[tuple[Value, ...]]:
    lines: list[tuple[Value, ...]] = []
    for study in studies:
        for report, file in zip(study.study.files, known_files(study.study), strict=True):
            lines.append(
                (
                    study.study.name,
                    report.path,
                    report.reader or "not recognised",
                    file.size,
                    file.sha256,
                    report.rows,
                    moment_cell(report.first),
                    moment_cell(report.last),
                )
            )
    return lines


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
    return recording.file, "unknown, UTC assumed" if offset is None else offset, run.time_zone, first, last


def _guesses(studies: Sequence[StudyGroups]) -> list[tuple[Value, ...]]:
    return [
        (study.study.name, run.name, guess.field, str(guess.value), guess.reason)
        for study in studies
        for run in study.study.runs
        for guess in run.guesses
    ]


# Maximum number of lines.
_MOST_COUNTERS = 2_000


def counters(studies: Sequence[StudyGroups]) -> list[tuple[Value, ...]]:
    """One line per run and counter: number of series and machines, and its meaning."""
    lines: list[tuple[Value, ...]] = []
    for study in studies:
        for run in study.study.runs:
            kinds: dict[tuple[str, ...], list[Series]] = {}
            for recording in run.recordings:
                for series in recording.series:
                    if series.metric is not None:
                        kinds.setdefault(_kind(series), []).append(series)
            for (name, thing, unit, taken), kind in kinds.items():
                machines = len({series.vm or series.host for series in kind})
                lines.append((study.study.name, run.name, name, thing, unit, len(kind), machines, taken))
    return lines[:_MOST_COUNTERS]


def _kind(series: Series) -> tuple[str, str, str, str]:
    metric = series.metric
    assert metric is not None
    quantity = quantity_words(metric.quantity)
    # The name of a quantity may already have its tier, or the word `estimate`.
    tier = _TIERS.get(str(metric.tier), "")
    tier = tier * (not quantity.startswith(("cache ", "size of ")))
    how = "estimated" if metric.estimate and "estimate" not in quantity else "measured"
    return series.counter, series.object, metric.quantity.unit, f"{quantity}{tier}, {how} {MEASURED_AT[metric.vantage]}"


WAY_HEADS = (
    "Study",
    "Run",
    "File",
    "Metric",
    "Value",
    "VM or session",
    "Counter or position in the file",
    "Description",
    "Rows",
    "Line",
    "Column",
    "Contribution",
)
WAY_TEXT = frozenset((0, 1, 2, 3, 5, 6, 7, 8))
FORMULA_HEADS = ("Metric", "Formula")
# Maximum number of lines in a workbook; the command line lists all of them.
MOST_WAYS = 5_000
MORE_WAYS = "More lines may exist. To list all, use --explain with vdiwb cache, logons, benchmarks or sizing."
Line = tuple[Value, ...]


def ways_back(studies: Sequence[StudyGroups]) -> tuple[list[Line], list[Line]]:
    """One line per source of each value, at most MOST_WAYS, and the formula of each value in it."""
    formulas: dict[str, str] = {}
    lines = list(islice(_lines(studies, formulas), MOST_WAYS))
    return lines, sorted((figure_words(key), formula) for key, formula in formulas.items())


def _lines(studies: Sequence[StudyGroups], formulas: dict[str, str]) -> Iterator[Line]:
    for study in studies:
        for explanation in explain_answers(study.study, study.groups):
            if explanation.value is None:
                continue
            formulas.setdefault(explanation.figure, explanation.formula)
            for source in explanation.sources:
                yield _line(study.study.name, explanation, source)


def _line(study: str, explanation: Explanation, source: SourceRows) -> Line:
    value: Value = utc(explanation.value) if explanation.moment and explanation.value is not None else explanation.value
    return (
        study,
        explanation.run,
        source.file,
        figure_words(explanation.figure),
        value,
        source.vm,
        source.counter,
        source.part,
        rows_words(source),
        source.first_line,
        source.column,
        source.contribution,
    )
