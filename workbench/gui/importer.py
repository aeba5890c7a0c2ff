"""Opening folders from the window: the import runs beside it, tells how far it is, and can be cancelled."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from workbench.analysis.phase_table import RunFigures, run_figures
from workbench.gui.tasks import Tasks
from workbench.model.problem import Severity
from workbench.model.run import Study
from workbench.study.build import Read, build_studies
from workbench.study.column_store import Store
from workbench.study.folders import Found, find_sources
from workbench.study.import_pool import ImportJob
from workbench.study.mappings import load_mappings

_POLL_S = 0.03


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an import is: files done of all, the share of bytes, and the file that came in last."""

    files_done: int
    files: int
    share: float
    newest: str


@dataclass(frozen=True, eq=False)
class Opened:
    """What an import brought: the studies, the figures of each run by its folder, and where each named file lies."""

    paths: tuple[Path, ...]
    studies: tuple[Study, ...]
    figures: dict[str, RunFigures]
    cancelled: bool
    places: dict[str, Path]


class Importer(QObject):
    """One import at a time; `progressed` while it runs, `opened` when it is done or cancelled."""

    started = Signal()
    progressed = Signal(object)
    opened = Signal(object)
    failed = Signal(str)

    def __init__(self, tasks: Tasks, store: Store, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self.store = store
        self._cancel = False
        self.running = False

    def open(self, paths: list[Path]) -> None:
        """Reads everything below `paths`; a second call while one runs is ignored."""
        if self.running or not paths:
            return
        self.running, self._cancel = True, False
        self.started.emit()
        self._tasks.run("import", lambda: self._read(paths), self._done, self._fail)

    def cancel(self) -> None:
        """Stops the workers; what has come in is kept and shown."""
        self._cancel = True

    def _read(self, paths: list[Path]) -> Opened:
        found = find_sources(paths, self.store)
        job = ImportJob(found.sources, self.store, mappings=load_mappings())
        readings = self._drain(job)
        studies = build_studies(found, readings)
        figures = {run.folder: run_figures(run) for study in studies for run in study.runs}
        places = {source.name: source.path for source in found.sources}
        return Opened(_roots(found), studies, figures, job.cancelled, places)

    def _drain(self, job: ImportJob) -> list[Read]:
        job.start()
        readings: list[Read] = []
        while True:
            fresh = job.poll()
            readings += fresh
            newest = fresh[-1][0].name if fresh else ""
            if fresh or not readings:
                self.progressed.emit(Progress(len(readings), len(job.sources), job.progress, newest))
            if job.finished:
                return readings
            if self._cancel and not job.cancelled:
                job.cancel()
            time.sleep(_POLL_S)

    def _done(self, opened: Opened) -> None:
        self.running = False
        self.opened.emit(opened)

    def _fail(self, error: Exception) -> None:
        self.running = False
        self.failed.emit(f"The folder could not be opened: {error}.")


def _roots(found: Found) -> tuple[Path, ...]:
    return tuple(root for root in found.roots if root not in found.absent)


def outcome(opened: Opened) -> str:
    """What to say after an import: nothing when all went well."""
    files = [report for study in opened.studies for report in study.files]
    problems = [problem for study in opened.studies for problem in study.problems]
    refused = [problem for problem in problems if problem.severity is Severity.REFUSED]
    if opened.cancelled:
        kept = sum(report.recognised for report in files)
        return (
            f"Cancelled: {kept} of {len(files)} files are loaded, the others are listed in the import report."
        )
    if not any(report.recognised for report in files):
        return "Nothing was recognised in what was opened. The import report tells what each file is."
    if refused:
        return (
            f"{len(refused)} file{'s were' if len(refused) > 1 else ' was'} refused: see the import report."
        )
    return ""
