"""Opens folders: the import runs in the background, reports its progress, and can be cancelled."""

from __future__ import annotations

import stat
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from threading import Event

from PySide6.QtCore import QObject, QTimer, Signal

from workbench.answers.common.causes import refused_files
from workbench.answers.common.library import Library
from workbench.cancellation import Cancelled, cancelled_by, stop_if_cancelled
from workbench.gui.services.tasks import Tasks
from workbench.measures.phase_table import RunFigures, run_figures
from workbench.model.run import Study
from workbench.study.discovery.folders import Found, find_sources
from workbench.study.importing.mappings import load_mappings
from workbench.study.importing.pool import ImportJob
from workbench.study.importing.source import Read
from workbench.study.importing.standby import Standby
from workbench.study.store.column_store import Store
from workbench.study.store.columns import ColumnsError

_POLL_S, _TELL_S = 0.03, 0.5
# After this many seconds, a cancelled import that has not ended is abandoned.
_OBEYS_MS = 950
# Seconds before a rate is shown; before that, the workers are only starting.
_EARLIEST_S = 1.0
# Size and time of change of each file that was read; for members of an archive, those of the archive.
Stamps = dict[Path, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of an import: number of files done and in total, share of bytes, and the file read last. `to_read`
    are the bytes that are not in the store, `seconds` the reading time so far, `reading` the files being read,
    `folders` the number of folders with recognised results so far."""

    files_done: int
    files: int
    share: float
    newest: str
    to_read: int = 0
    seconds: float = 0.0
    reading: tuple[str, ...] = ()
    folders: int = 0

    @property
    def rate(self) -> float | None:
        """Bytes read per second; None while it would be a guess."""
        if self.seconds < _EARLIEST_S or not 0 < self.share < 1:
            return None
        return self.share * self.to_read / self.seconds

    @property
    def seconds_left(self) -> float | None:
        """Seconds until everything is read at this rate; None while the rate is unknown."""
        rate = self.rate
        return None if not rate else (1 - self.share) * self.to_read / rate


@dataclass(frozen=True, eq=False)
class Opened:
    """The result of an import: the studies, the figures of each run by its folder, the place of each named file, and
    sentences for the user."""

    paths: tuple[Path, ...]
    studies: tuple[Study, ...]
    figures: dict[str, RunFigures]
    cancelled: bool
    places: dict[str, Path]
    stamps: Stamps = field(default_factory=dict)
    told: tuple[str, ...] = ()

    @cached_property
    def library(self) -> Library:
        """The studies and their figures, without edits."""
        return Library(self.studies, self.figures, self.places)


@dataclass(frozen=True, eq=False)
class _Import:
    """A running import. `asked` is set when it is cancelled, `dropped` when its data is discarded too, `shows` while
    studies are made from the data read before a cancel."""

    paths: tuple[Path, ...] = ()
    asked: Event = field(default_factory=Event)
    dropped: Event = field(default_factory=Event)
    shows: Event = field(default_factory=Event)


class Importer(QObject):
    """One import at a time. Emits `progressed` while it runs, `opened` when it is done or cancelled."""

    started = Signal()
    progressed = Signal(object)
    opened = Signal(object)
    failed = Signal(str)

    def __init__(self, tasks: Tasks, store: Store, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._standby = Standby()
        self.store = store
        self._import = _Import()
        self._patience = QTimer(self, singleShot=True)
        self._patience.timeout.connect(self._leave)
        self.running = False

    def open(self, paths: list[Path]) -> None:
        """Reads everything below `paths`. A call while an import runs is ignored."""
        if self.running or not paths:
            return
        self.running, self._import = True, _Import(tuple(paths))
        this = self._import
        self.started.emit()
        self._tasks.run("import", lambda: self._read(paths, this), self._done, self._fail, apart=True)

    @property
    def names(self) -> str:
        """The names of the paths that are being read, or were read last."""
        return ", ".join(path.name for path in self._import.paths)

    def stand_by(self) -> None:
        """Starts the workers of the first import in advance. Call it while nothing is open."""
        if not self.running:
            self._tasks.run("standby", self._standby.start, _nothing)

    def dismiss(self) -> None:
        """Ends the waiting workers, and waits until they have ended or are abandoned."""
        self._standby.end()

    def cancel(self) -> None:
        """Kills the workers. Data already read is kept and shown. A second call does not wait for it."""
        if not self.running:
            return
        if self._import.asked.is_set():
            self._leave()
        else:
            self._import.asked.set()
            self._patience.start(_OBEYS_MS)

    def close(self) -> None:
        """Kills the workers and shows nothing more. Called when the window closes."""
        self._import.dropped.set()
        self._import.asked.set()
        self._patience.stop()

    def _leave(self) -> None:
        """Stops waiting for the import. It ends when the blocking operation is done, and its result is ignored."""
        this = self._import
        this.dropped.set()
        if not self._tasks.abandon("import"):
            return
        names = ", ".join(path.name for path in this.paths)
        if this.shows.is_set():
            self._fail(Cancelled())
        else:
            self._end()
            self.failed.emit(
                f"Cancelled: {names} did not respond, and nothing was opened. Check the network drive and try again."
            )

    def _read(self, paths: list[Path], this: _Import) -> Opened:
        messages: list[str] = []
        try:
            return self._read_once(paths, this, messages)
        except ColumnsError as error:
            messages.append(error.again)
            return self._read_once(paths, this, messages, thorough=True)

    def _read_once(self, paths: list[Path], this: _Import, messages: list[str], thorough: bool = False) -> Opened:
        with cancelled_by(this.asked):
            sources = find_sources(paths, self.store)
            stamps = _stamps(source.path for source in sources.sources)
            job = ImportJob(
                sources.sources,
                self.store,
                mappings=load_mappings(messages.append),
                standby=self._standby,
                thorough=thorough,
            )
            readings = self._drain(job, this)
        if job.cancelled:
            this.shows.set()
        # Data read before the cancel is shown. From now on only a second Cancel ends it.
        with cancelled_by(this.dropped if job.cancelled else this.asked):
            from workbench.study.importing.build import build_studies  # an empty window starts without it

            studies = build_studies(sources, readings)
            figures = figures_of(studies)
        places = {source.name: source.path for source in sources.sources}
        return Opened(_roots(sources), studies, figures, job.cancelled, places, stamps, tuple(messages))

    def _drain(self, job: ImportJob, this: _Import) -> list[Read]:
        try:
            job.start()
        except Cancelled:
            job.cancel()
            raise
        readings: list[Read] = []
        folders: set[Path] = set()
        began = value = time.monotonic()
        while True:
            fresh = job.poll()
            readings += fresh
            folders |= {source.path.parent for source, reading in fresh if reading.report.recognised}
            newest = fresh[-1][0].name if fresh else ""
            now = time.monotonic()
            if not this.asked.is_set() and (fresh or not readings or now - value > _TELL_S):
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
                        len(folders),
                    )
                )
            if job.finished:
                return readings
            if this.asked.is_set() and not job.cancelled:
                job.cancel()
            time.sleep(_POLL_S)

    def _end(self) -> None:
        self.running = False
        self._patience.stop()

    def _done(self, opened: Opened) -> None:
        self._end()
        if self._standby.ready:  # everything came from the store
            self._tasks.run("standby", self._standby.end, _nothing)
        self.opened.emit(opened)

    def _fail(self, error: BaseException) -> None:
        self._end()
        if isinstance(error, Cancelled):
            self.failed.emit("Cancelled: nothing was opened. Files read so far stay in the import cache.")
            return
        self.failed.emit(f"The folder could not be opened: {str(error).removesuffix('.')}.")


def _nothing(_: None) -> None:
    """Does nothing; the default action after workers were started or ended."""


def figures_of(studies: Iterable[Study]) -> dict[str, RunFigures]:
    """The figures of each run by its folder. Raises Cancelled between two runs."""
    figures: dict[str, RunFigures] = {}
    for run in (run for study in studies for run in study.runs):
        stop_if_cancelled()
        figures[run.folder] = run_figures(run)
    return figures


def _stamps(paths: Iterable[Path]) -> Stamps:
    """Size and time of change of each file, or of the archive it is a member of. A file that has disappeared has
    none."""
    stamps: Stamps = {}
    for path in paths:
        stop_if_cancelled()
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
    """The message after an import; empty if all went well."""
    return " ".join(sentence for sentence in (*opened.told, _ending(opened)) if sentence)


def _ending(opened: Opened) -> str:
    files = [report for study in opened.studies for report in study.files]
    problems = [problem for study in opened.studies for problem in study.problems]
    refused = refused_files(problems)
    if opened.cancelled:
        kept = sum(report.recognised for report in files)
        return f"Cancelled: {kept} of {len(files)} files are loaded; the other files are listed in the import report."
    if not any(report.recognised for report in files):
        return "No file was recognised. The import report lists each file."
    if refused:
        return f"{len(refused)} file{'s were' if len(refused) > 1 else ' was'} not imported: see the import report."
    return ""
