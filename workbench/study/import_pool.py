"""Import: every file is read in a worker process of its own kind, one per core, into the column store.

A worker that crashes, hangs or is killed costs its file, never the others. The caller polls: the window
from a timer, the console from a loop; no thread of ours, no callback.
"""

from __future__ import annotations

import os
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from pebble import ProcessExpired, ProcessPool

from workbench.model.problem import Problem, Severity
from workbench.model.reading import Reading
from workbench.model.recording import FileReport
from workbench.study import column_store
from workbench.study.column_store import Store

HEAD_BYTES = 65_536
# A worker gets this long, plus time by size at a rate far below any disk's.
TIMEOUT_BASE_S = 120.0
TIMEOUT_S_PER_MB = 1.0


@dataclass(frozen=True, slots=True)
class Source:
    """One file to read: where it is, and what the user calls it."""

    path: Path
    name: str


def read_source(path: Path, name: str, store: Store) -> Reading:
    """Reads one file into the store, or finds its content there. Runs in a worker process."""
    # Imported here: a worker that only maps what is stored needs no reader.
    from workbench.readers.registry import recognise

    store.prepare()
    status = path.stat()
    key = column_store.content_key(path)
    stored = column_store.load(store, key, name)
    if stored is not None:
        column_store.remember(store, path, key, status)
        return stored
    with path.open("rb") as stream:
        head = stream.read(HEAD_BYTES)
    reader = recognise(head, path.name)
    if reader is None:
        reading = not_recognised(name)
    else:
        part = store.columns(key).with_suffix(f".{os.getpid()}.part")
        try:
            reading = reader.read(path, name, part)
            if reading.recording is not None:
                part.replace(store.columns(key))
        finally:
            part.unlink(missing_ok=True)
    column_store.save(store, path, key, reading, status)
    return column_store.load(store, key, name) or reading


def not_recognised(name: str) -> Reading:
    """The reading of a file that no reader knows: listed, and left out."""
    problem = Problem(
        Severity.INFO, name, "not-recognised", "No reader knows this file's content.", "file left out"
    )
    return Reading(FileReport(path=name), (problem,))


def refused(name: str, code: str, message: str) -> Reading:
    """The reading of a file that could not be read at all."""
    problem = Problem(Severity.REFUSED, name, code, message, "file left out; the others are loaded")
    return Reading(FileReport(path=name), (problem,))


class ImportJob:
    """The import of some files: `poll()` hands over what has come in since, until `finished`."""

    def __init__(self, sources: tuple[Source, ...], store: Store, workers: int | None = None) -> None:
        self.sources = sources
        self.cancelled = False
        self._store = store
        self._workers = workers or max(1, os.cpu_count() or 1)
        self._pool: ProcessPool | None = None
        self._waiting: dict[Source, Future[Reading]] = {}
        self._ready: list[tuple[Source, Reading]] = []
        self._bytes = 0
        self._bytes_done = 0

    def start(self) -> None:
        """Takes what the store has, and sends the rest to the workers, largest file first."""
        self._store.prepare()
        missing: list[tuple[int, Source]] = []
        for source in self.sources:
            stored = column_store.lookup(self._store, source.path, source.name)
            if stored is None:
                missing.append((_size(source.path), source))
            else:
                self._ready.append((source, stored))
        self._bytes = sum(size for size, _ in missing)
        if missing:
            self._pool = ProcessPool(min(self._workers, len(missing)), context=get_context("spawn"))
            for size, source in sorted(missing, key=lambda pair: -pair[0]):
                self._waiting[source] = self._pool.schedule(
                    read_source,
                    args=(source.path, source.name, self._store),
                    timeout=TIMEOUT_BASE_S + TIMEOUT_S_PER_MB * size / 1e6,
                )

    def poll(self) -> list[tuple[Source, Reading]]:
        """The readings that have come in since the last call, in no particular order."""
        ready, self._ready = self._ready, []
        for source, future in list(self._waiting.items()):
            if future.done():
                del self._waiting[source]
                self._bytes_done += _size(source.path)
                ready.append((source, self._outcome(source, future)))
        if not self._waiting:
            self._close()
        return ready

    def cancel(self) -> None:
        """Stops every worker at once; what has come in stays, the rest is reported as cancelled."""
        self.cancelled = True
        if self._pool is not None:
            self._pool.stop()  # type: ignore[no-untyped-call]

    @property
    def finished(self) -> bool:
        """Whether everything has been handed over."""
        return not self._waiting and not self._ready

    @property
    def files_done(self) -> int:
        """Files that are read or refused."""
        return len(self.sources) - len(self._waiting)

    @property
    def progress(self) -> float:
        """Share of the bytes to read that has been read, 0 to 1."""
        return 1.0 if not self._bytes else min(1.0, self._bytes_done / self._bytes)

    def _outcome(self, source: Source, future: Future[Reading]) -> Reading:
        try:
            return future.result()
        except CancelledError:
            return refused(source.name, "cancelled", "The import was cancelled before this file was read.")
        except TimeoutError:
            return refused(source.name, "reader-timeout", "Reading this file took too long and was stopped.")
        except ProcessExpired:
            if self.cancelled:
                return refused(
                    source.name, "cancelled", "The import was cancelled before this file was read."
                )
            return refused(source.name, "reader-died", "The process that read this file ended unexpectedly.")
        except Exception as error:  # a reader's own defect must not cost the other files
            return refused(source.name, "reader-failed", f"The reader failed on this file: {error!r}.")

    def _close(self) -> None:
        if self._pool is not None:
            self._pool.close()  # type: ignore[no-untyped-call]
            self._pool.join()
            self._pool = None
            column_store.prune(self._store)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
