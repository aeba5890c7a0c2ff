"""`vdiwb inspect`: the type of each file, and every problem."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from workbench.answers.common.causes import alike
from workbench.answers.common.document import inspect_table
from workbench.answers.common.reply import Reply, Text, problem_count
from workbench.charts.tables import Cell, Column, TableData
from workbench.measures.caches.use import all_problems
from workbench.measures.phase_table import RunFigures, run_figures
from workbench.model.recording import FileReport
from workbench.model.run import Study
from workbench.study.series.time_zone import offset_text

_TEXTS = ("File", "Reader")
_NUMBERS = ("Rows", "Columns", "Hosts", "First sample (UTC)", "Offset", "Encoding", "Missing", "Rejected")


def inspect(_options: argparse.Namespace, studies: tuple[Study, ...]) -> Reply:
    """Every file, and every problem of files and of figures."""
    figures = [run_figures(run) for study in studies for run in study.runs]
    return Reply(lambda: _text(studies, figures), lambda: inspect_table(studies, figures))


def _text(studies: Sequence[Study], figures: Sequence[RunFigures]) -> Text:
    columns = [*(Column(title, numeric=False) for title in _TEXTS), *(Column(title) for title in _NUMBERS)]
    files = TableData(tuple(columns), tuple(_row(report) for study in studies for report in study.files))
    problems = [problem for study in studies for problem in study.problems]
    problems += [problem for run in figures for problem in all_problems(run)]
    nouns = {report.path: "file" for study in studies for report in study.files}
    nouns |= {run.run.name: "run" for run in figures}
    return [[files, *alike(problems, nouns), problem_count(problems)]]


def _row(report: FileReport) -> tuple[Cell, ...]:
    offset = report.utc_offset_minutes
    words = (
        report.path,
        report.reader or "not recognised",
        str(report.rows),
        str(report.columns),
        str(len(report.hosts)),
        report.first or "—",
        "—" if offset is None else offset_text(offset),
        report.encoding or "—",
        str(report.missing_cells),
        str(report.rejected_rows),
    )
    return tuple(Cell(text) for text in words)
