"""Opening folders from the window: the import runs beside it, tells how far it is, and can be cancelled."""

from __future__ import annotations

import stat
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from workbench.gui.services.tasks import Tasks
from workbench.measures.phase_table import RunFigures, run_figures
from workbench.model.problem import Severity
from workbench.model.run import Study
from workbench.study.discovery.folders import Found, find_sources
from workbench.study.importing.build import Read, build_studies
from workbench.study.importing.mappings import load_mappings
from workbench.study.importing.pool import ImportJob
from workbench.study.importing.standby import Standby
from workbench.study.store.column_store import Store
from workbench.study.store.columns import ColumnsError

_POLL_S, _TELL_S = 0.03, 0.5
# A rate is shown once this much time has passed: before, workers are only starting.
_EARLIEST_S = 1.0
# Size and time of change of each file that was looked at; of an archive's members those of the archive.
Stamps = dict[Path, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an import is: files done of all, the share of bytes, and the file that came in last; `to_read` are
    the bytes that the store does not have, `seconds` how long they have been read, `reading` the files at hand."""

    files_done: int
    files: int
    share: float
    newest: str
    to_read: int = 0
    seconds: float = 0.0
    reading: tuple[str, ...] = ()

    @property
    def rate(self) -> float | None:
        """Bytes read a second; None as long as that would be a guess."""
        if self.seconds < _EARLIEST_S or not 0 < self.share < 1:
            return None
        return self.share * self.to_read / self.seconds

    @property
    def seconds_left(self) -> float | None:
        """Seconds until everything is read at this rate."""
        rate = self.rate
        return None if not rate else (1 - self.share) * self.to_read / rate


@dataclass(frozen=True, eq=False)
class Opened:
    """What an import brought: the studies, the figures of each run by its folder, where each named file lies, and what
    was met on the way that the user has to know, in sentences."""

    paths: tuple[Path, ...]
    studies: tuple[Study, ...]
    figures: dict[str, RunFigures]
    cancelled: bool
    places: dict[str, Path]
    stamps: Stamps = field(default_factory=dict)
    told: tuple[str, ...] = ()


class Importer(QObject):
    """One import at a time; `progressed` while it runs, `opened` when it is done or cancelled."""

    started = Signal()
    progressed = Signal(object)
    opened = Signal(object)
    failed = Signal(str)

    def __init__(self, tasks: Tasks, store: Store, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._standby = Standby()
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

    def stand_by(self) -> None:
        """Starts the workers of the first import before it is asked for; to be called while nothing is open."""
        if not self.running:
            self._tasks.run("standby", self._standby.start, _nothing)

    def dismiss(self) -> None:
        """Ends the workers that stand by, and waits for them."""
        self._standby.end()

    def cancel(self) -> None:
        """Stops the workers; what has come in is kept and shown."""
        self._cancel = True

    def _read(self, paths: list[Path]) -> Opened:
        messages: list[str] = []
        try:
            return self._read_once(paths, messages)
        except ColumnsError as error:
            messages.append(error.again)
            return self._read_once(paths, messages, thorough=True)

    def _read_once(self, paths: list[Path], messages: list[str], thorough: bool = False) -> Opened:
        sources = find_sources(paths, self.store, lambda: self._cancel)
        stamps = _stamps(source.path for source in sources.sources)
        job = ImportJob(
            sources.sources,
            self.store,
            mappings=load_mappings(messages.append),
            standby=self._standby,
            thorough=thorough,
        )
        readings = self._drain(job)
        studies = build_studies(sources, readings)
        figures = {run.folder: run_figures(run) for study in studies for run in study.runs}
        places = {source.name: source.path for source in sources.sources}
        return Opened(_roots(sources), studies, figures, job.cancelled or self._cancel, places, stamps, tuple(messages))

    def _drain(self, job: ImportJob) -> list[Read]:
        job.start()
        readings: list[Read] = []
        began = value = time.monotonic()
        while True:
            fresh = job.poll()
            readings += fresh
            newest = fresh[-1][0].name if fresh else ""
            now = time.monotonic()
            if fresh or not readings or now - value > _TELL_S:
                value = now
                self.progressed.emit(
                    Progress(
                        len(readings),
                        len(job.sources),
                        job.progress,
                        newest,
                        job.bytes_to_read,
                        now - began,
                        job.reading,
                    )
                )
            if job.finished:
                return readings
            if self._cancel and not job.cancelled:
                job.cancel()
            time.sleep(_POLL_S)

    def _done(self, opened: Opened) -> None:
        self.running = False
        if self._standby.ready:  # everything came out of the store
            self._tasks.run("standby", self._standby.end, _nothing)
        self.opened.emit(opened)

    def _fail(self, error: Exception) -> None:
        self.running = False
        self.failed.emit(f"The folder could not be opened: {str(error).removesuffix('.')}.")


def _nothing(_: None) -> None:
    """What is to be done when workers have been started or ended."""


def _stamps(paths: Iterable[Path]) -> Stamps:
    """What each file, or the archive it is a member of, is known by; one that is gone meanwhile has none."""
    stamps: Stamps = {}
    for path in paths:
        status = parent = None
        for parent in (path, *path.parents):
            with suppress(OSError):
                status = parent.stat()
                break
        if status is not None and parent is not None and stat.S_ISREG(status.st_mode):
            stamps[parent] = (status.st_size, status.st_mtime_ns)
    return stamps


def _roots(sources: Found) -> tuple[Path, ...]:
    return tuple(root for root in sources.roots if root not in sources.absent)


def outcome(opened: Opened) -> str:
    """What to say after an import: nothing when all went well."""
    return " ".join(sentence for sentence in (*opened.told, _ending(opened)) if sentence)


def _ending(opened: Opened) -> str:
    files = [report for study in opened.studies for report in study.files]
    problems = [problem for study in opened.studies for problem in study.problems]
    refused = [problem for problem in problems if problem.severity is Severity.REFUSED]
    if opened.cancelled:
        kept = sum(report.recognised for report in files)
        return f"Cancelled: {kept} of {len(files)} files are loaded, the others are listed in the import report."
    if not any(report.recognised for report in files):
        return "Nothing was recognised in what was opened. The import report names each file's format."
    if refused:
        return f"{len(refused)} file{'s were' if len(refused) > 1 else ' was'} refused: see the import report."
    return ""
