"""The documents of the sample sweep: all four formats compared with its summary, and the workbook's cells with
XlsxWriter.

- Four formats: `vdiwb export` of slides, report, page and workbook, in one run of the program and in four; the
  processor time compared with that of one `vdiwb summary`.
- Cells: the values, formats and formulas of the whole workbook without its charts. XlsxWriter, in its constant-memory
  mode, writes the same cells, which are read from the file of the program before the measurement starts.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any
from unittest.mock import patch

import xlsxwriter  # type: ignore[import-untyped]
from openpyxl import load_workbook
from openpyxl.cell import Cell

from tests.tools.benchmarks.compared import compared
from workbench.answers.common.library import Library
from workbench.console.loading import load_studies
from workbench.exporters.assemble import job_of
from workbench.exporters.export import export
from workbench.exporters.wanted import Wanted
from workbench.exporters.workbook.making import Making
from workbench.measures.phase_table import run_figures
from workbench.session.state import State
from workbench.study.store.column_store import Store

SWEEP = Path(__file__).parents[3] / "sample_data" / "rds-mcsio-cache-sweep"
ENDINGS = ("pptx", "pdf", "html", "xlsx")
ROUNDS, TARGET_FORMATS, TARGET_CELLS = 3, 10.0, 3.0


def run() -> Iterator[dict[str, Any]]:
    """Two rows for the four formats, and one for the cells of the workbook."""
    with tempfile.TemporaryDirectory() as folder:
        yield from _formats(Path(folder))
        yield _cells(Path(folder))


def _formats(folder: Path) -> Iterator[dict[str, Any]]:
    _seconds("summary", str(SWEEP))
    files = [("-o", str(folder / f"a.{ending}")) for ending in ENDINGS]
    base, once, apart = [], [], []
    for _ in range(ROUNDS):
        base.append(_seconds("summary", str(SWEEP)))
        once.append(_seconds("export", str(SWEEP), *chain.from_iterable(files)))
        apart.append(sum(_seconds("export", str(SWEEP), *file) for file in files))
    for seconds, words in ((once, "with one command"), (apart, "with four commands")):
        own, one = sorted(seconds)[ROUNDS // 2], sorted(base)[ROUNDS // 2]
        what = f"Writing {', '.join(ENDINGS[:-1])} and {ENDINGS[-1]} {words} (comparison: `vdiwb summary`)"
        yield {"what": what, "ours_s": own, "baseline_s": one, "ratio": own / one, "target": TARGET_FORMATS}


def _seconds(*arguments: str) -> float:
    """Processor time of `vdiwb` and its workers."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "workbench.cli", *arguments], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _cells(folder: Path) -> dict[str, Any]:
    store = Store(folder / "store")
    store.prepare()
    studies = load_studies([SWEEP], store)
    library = Library(studies, {run.folder: run_figures(run) for study in studies for run in study.runs})
    job = job_of(library, State(), Wanted(folder / "book.xlsx", length="full"))
    with patch.object(Making, "add_chart", lambda *_: None):
        export(job)
        kept = {
            sheet.title: [_plain(cell) for row in sheet.iter_rows() for cell in row if cell.value is not None]
            for sheet in load_workbook(job.path)
        }
        count = sum(map(len, kept.values()))
        return compared(
            f"Writing the {count:,} cells of the workbook (comparison: XlsxWriter)",
            lambda: export(job),
            lambda: _write(folder / "plain.xlsx", kept),
            TARGET_CELLS,
            ROUNDS,
        )


# Row and column from 0, the value, whether it is a formula, and the format: bold, size, number format, wrapped.
Plain = tuple[int, int, Any, bool, tuple[Any, ...]]


def _plain(cell: Cell) -> Plain:
    look = bool(cell.font.b), cell.font.sz or 10, cell.number_format, bool(cell.alignment.wrap_text)
    return cell.row - 1, cell.column - 1, cell.value, cell.data_type == "f", look


def _write(path: Path, sheets: dict[str, list[Plain]]) -> None:
    """Writes the cells with XlsxWriter: each format once, formulas without a result."""
    with xlsxwriter.Workbook(path, {"constant_memory": True, "strings_to_formulas": False}) as book:
        formats: dict[tuple[object, ...], Any] = {}
        for title, cells in sheets.items():
            sheet = book.add_worksheet(title)
            for row, column, value, formula, look in cells:
                if look not in formats:
                    names = ("bold", "font_size", "num_format", "text_wrap")
                    formats[look] = book.add_format(dict(zip(names, look, strict=True)))
                write = sheet.write_formula if formula else sheet.write
                write(row, column, value, formats[look])
