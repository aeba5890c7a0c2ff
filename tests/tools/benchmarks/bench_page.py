"""Writing the page and the report of the sample study, compared with drawing its figures once as pictures."""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from workbench.answers.common.library import Library
from workbench.console.loading import load_studies
from workbench.exporters.assemble import job_of
from workbench.exporters.export import export
from workbench.exporters.job import ExportJob
from workbench.exporters.wanted import Wanted
from workbench.gui.pictures.files import image_of
from workbench.gui.pictures.painter import load_painter
from workbench.measures.phase_table import run_figures
from workbench.session.state import State
from workbench.study.store.column_store import Store

SAMPLE = Path(__file__).parents[3] / "sample_data"
SIZE = (1600, 900)
ROUNDS = 3
# Limit of a file of all pages, as a multiple of drawing its figures.
TARGET = 5.0


def run() -> list[dict[str, Any]]:
    """Two rows for the whole sample study, page and report; both from computed answers."""
    painter = load_painter()
    with tempfile.TemporaryDirectory() as folder:
        page, report = (_job(Path(folder), ending) for ending in ("html", "pdf"))
        drawing = _median(lambda: _draw(page))
        return [
            _row(
                f"Writing the {what} with {len(job.parts)} pages (comparison: drawing the charts)",
                _median(lambda job=job: export(job, painter)),
                drawing,
            )  # type: ignore[misc]
            for what, job in (("HTML file", page), ("PDF report", report))
        ]


def _job(folder: Path, ending: str) -> ExportJob:
    store = Store(folder / "store")
    store.prepare()
    studies = load_studies([SAMPLE], store)
    figures = {run.folder: run_figures(run) for study in studies for run in study.runs}
    return job_of(Library(studies, figures), State(), Wanted(folder / f"sample.{ending}"))


def _draw(job: ExportJob) -> None:
    for part in job.parts:
        if part.content.figure is not None and not part.content.empty:
            image_of(part.content.figure, SIZE)


def _median(act: Callable[[], object]) -> float:
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        act()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def _row(what: str, ours: float, baseline: float) -> dict[str, Any]:
    return {"what": what, "ours_s": ours, "baseline_s": baseline, "ratio": ours / baseline, "target": TARGET}
