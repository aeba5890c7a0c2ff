"""The workbook with 200,000 data rows and 30 charts, compared with a bare openpyxl write of the same cells.

30 figures of four lines over 4,000 points each (a sheet of numbers and a chart for each) and a table of 80,000 rows
make the 200,000 rows. The baseline is openpyxl's own fastest way, its write-only mode, with the same values: without
styles, charts and formulas. Memory is the peak of the process, measured in a separate process.
"""

from __future__ import annotations

import multiprocessing
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from openpyxl import Workbook

from workbench.charts.content import Content
from workbench.charts.figure import Axis, Figure, Line, Look, Panel
from workbench.charts.tables import Cell, Column, TableData
from workbench.exporters.job import DocumentPart
from workbench.exporters.workbook.book import write_workbook

FIGURES, POINTS, LINES, TABLE_ROWS, TABLE_COLUMNS = 30, 4_000, 4, 80_000, 5
ROUNDS = 3
TARGET, TARGET_BYTES = 1.3, 500e6
_DASHES = ("solid", "dash", "dot", "dash-dot")


def run() -> list[dict[str, Any]]:
    """Two rows: the time, and the peak of memory compared with 500 MB."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "book.xlsx"
        parts = build()
        tables = cells(parts)
        bare, ours = [], []
        for _ in range(ROUNDS):
            bare.append(_seconds(lambda: baseline(path, tables)))
            ours.append(_seconds(lambda: write_workbook(path, (), (), parts)))
        peak = _peak(path)
    rows = FIGURES * POINTS + TABLE_ROWS
    what = f"a workbook with {rows:,} data rows and {FIGURES} charts"
    base, own = statistics.median(bare), statistics.median(ours)
    return [
        {
            "what": f"Writing {what} (comparison: openpyxl, values only)",
            "ours_s": own,
            "baseline_s": base,
            "ratio": own / base,
            "target": TARGET,
        },
        {"note": f"peak memory of writing {what}: {peak / 1e6:.0f} MB (at most {TARGET_BYTES / 1e6:.0f} MB)"},
    ]


def build() -> tuple[DocumentPart, ...]:
    """The parts: one page of figures, one of a long table."""
    made = np.random.default_rng(2016)
    x = np.arange(POINTS, dtype=np.float64)
    contents = []
    for number in range(FIGURES):
        lines = tuple(
            Line(f"line {place}", x, made.exponential(50.0, POINTS), Look("MCSIO", place / 3, _DASHES[place]))  # type: ignore[arg-type]
            for place in range(LINES)
        )
        panel = Panel("", Axis("Time since phase start", "s"), Axis("IOPS per VM", "IOPS"), lines)
        question = f"Question {number}?"
        contents.append(Content(question, figure=Figure(f"f{number}", question, "", (panel,))))
    values = made.exponential(50.0, (TABLE_ROWS, TABLE_COLUMNS))
    columns = tuple(Column(f"Column {place}", "s") for place in range(TABLE_COLUMNS))
    rows = tuple(tuple(Cell(f"{value:.1f}", value) for value in row) for row in values.tolist())
    table = Content("Sessions?", tables=(TableData(columns, rows, "", "Sessions"),))
    return (
        *(DocumentPart("per-vm-iops", str(place), "Per VM", content) for place, content in enumerate(contents)),
        DocumentPart("logons", "", "Logons", table),
    )


def cells(parts: tuple[DocumentPart, ...]) -> list[list[list[float]]]:
    """The values as rows, sheet by sheet."""
    sheets = []
    for part in parts:
        figure = part.content.figure
        if figure is not None:
            lines = [mark for mark in figure.panels[0].marks if isinstance(mark, Line)]
            columns = [lines[0].x / 60, *(line.y for line in lines)]
            sheets.append(np.column_stack(columns).tolist())
        for table in part.content.tables:
            sheets.append([[cell.value for cell in row] for row in table.rows])
    return sheets


def baseline(path: Path, sheets: list[list[list[float]]]) -> None:
    """openpyxl's write-only mode, row by row."""
    book = Workbook(write_only=True)
    for rows in sheets:
        sheet = book.create_sheet()
        for row in rows:
            sheet.append(row)
    book.save(path)


def _peak(path: Path) -> float:
    """The peak of a process that writes the workbook, in bytes."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return float(pool.apply(_write_and_measure, (path,)))


def _write_and_measure(path: Path) -> float:
    write_workbook(path, (), (), build())
    unit = 1 if sys.platform == "darwin" else 1024
    return float(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit)


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
