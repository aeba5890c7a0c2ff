"""Follows a running test: reads newly written data every few seconds in the background."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, QTimer, Signal

from workbench.gui.services.importer import Opened
from workbench.gui.services.tasks import Tasks
from workbench.measures.phase_table import RunFigures, run_figures
from workbench.model.run import Run
from workbench.study import following as followed
from workbench.study.following import Following
from workbench.study.importing.mappings import load_mappings
from workbench.study.store.column_store import Store

LOOK_MS = 5_000


@dataclass(frozen=True, eq=False)
class Grown:
    """The result of a check: the studies with every row so far, and the number of new rows."""

    opened: Opened
    new_rows: int


class Follower(QObject):
    """Emits `grew` when a check found new data, `ended` with the reason when it stops by itself, `switched` when it
    starts or stops."""

    grew = Signal(object)
    ended = Signal(str)
    switched = Signal(bool)

    def __init__(self, tasks: Tasks, store: Store, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.on = False
        self._tasks, self._store = tasks, store
        self._opened: Opened | None = None
        self._following: Following | None = None
        # Every folder that was started. At the end, all data read from them is deleted, even if a check failed.
        self._begun: list[Following] = []
        self._wrote_at = 0.0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.look)

    def start(self, opened: Opened) -> None:
        """Follows the open study until `stop`."""
        self._delete()
        self.on, self._opened, self._wrote_at = True, opened, time.monotonic()
        self.switched.emit(True)
        self.look()

    def stop(self) -> None:
        """Stops looking. The data stays until the next start because it is on screen."""
        self.on = False
        self._timer.stop()
        self._following = None
        self.switched.emit(False)

    def close(self) -> None:
        """Deletes the data it has read. Call it only when no task runs any more."""
        self._timer.stop()
        self._delete()

    def look(self) -> None:
        """Reads new rows on a thread."""
        before, following = self._opened, self._following
        if before is None or not self.on:
            return
        self._tasks.run(
            "follow",
            lambda: _look(before, following or self._begin(before)),
            lambda looked: self._seen(before, *looked),
            self._fail,
        )

    def _seen(self, before: Opened, following: Following, opened: Opened | None) -> None:
        if not self.on or self._opened is not before:
            return
        self._following = following
        if opened is not None:
            self._opened = opened
            self._wrote_at = max(self._wrote_at, following.grew_at or 0.0)
            self.grew.emit(Grown(opened, following.new_rows))
        self._wait()

    def _wait(self) -> None:
        """Waits for the next check. Ends the following if nothing was written for a long time."""
        if not self.on:  # the receiver of the new rows has stopped it
            return
        if time.monotonic() - self._wrote_at >= followed.IDLE_S:
            self._end(f"No new data for {followed.IDLE_S / 60:.0f} minutes: the test is no longer followed.")
        else:
            self._timer.start(LOOK_MS)

    def _end(self, reason: str) -> None:
        self.stop()
        self.ended.emit(reason)

    def _fail(self, error: Exception) -> None:
        if self.on:
            self._end(f"The folder can no longer be followed: {str(error).removesuffix('.')}.")

    def _begin(self, opened: Opened) -> Following:
        self._begun.append(followed.begin(opened.paths, self._store, load_mappings()))
        return self._begun[-1]

    def _delete(self) -> None:
        while self._begun:
            followed.end(self._begun.pop())


def _look(before: Opened, following: Following) -> tuple[Following, Opened | None]:
    """The current state of the folder, and the studies then; None if there is nothing new."""
    now = time.monotonic()
    following, found = followed.look(following, now)
    if not following.changed:
        return following, None
    studies = followed.studies_of(following, found, now)
    figures = {run.folder: _figures(run, before.figures, following) for study in studies for run in study.runs}
    places = {source.name: source.path for source in found.sources}
    return following, replace(before, studies=studies, figures=figures, places=places, cancelled=False, told=())


def _figures(run: Run, known: Mapping[str, RunFigures], following: Following) -> RunFigures:
    """The figures of a run; the known ones if none of its files has changed."""
    figures = known.get(run.folder)
    if figures is None or following.gone or followed.touched(following, run):
        return run_figures(run)
    return replace(figures, run=run)
