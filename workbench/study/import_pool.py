"""Import: every file is read in a worker process of its own kind, one per core, into the column store.

A worker that crashes, hangs or is killed costs its file, never the others. The caller polls: the window
from a timer, the console from a loop; no callback. Only winding up the pool, which waits for processes to
end, happens on a thread.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from threading import Thread, current_thread, main_thread

from pebble import ProcessExpired, ProcessPool

from workbench.model.problem import Problem, Severity
from workbench.model.reading import Reading
from workbench.model.recording import FileReport
from workbench.study import column_store
from workbench.study.column_store import Store
from workbench.study.manifest import MANIFEST

HEAD_BYTES = 65_536
# A worker gets this long, plus time by size at a rate far below any disk's.
TIMEOUT_BASE_S = 120.0
TIMEOUT_S_PER_MB = 1.0
# A worker killed in the middle of a message takes its pool with it; the other files get a new one.
MAX_POOLS = 4


@dataclass(frozen=True, slots=True)
class Source:
    """One file to read: where it is, and what the user calls it."""

    path: Path
    name: str


ReadSource = Callable[[Path, str, Store], Reading]


def read_source(path: Path, name: str, store: Store) -> Reading:
    """Reads one file into the store, or finds its content there. Runs in a worker process."""
    # Imported here: a worker that only maps what is stored needs no reader.
    from workbench.readers.registry import recognise

    store.prepare()
    try:
        status = path.stat()
        with path.open("rb") as stream:
            head = stream.read(HEAD_BYTES)
    except OSError as error:
        return refused(name, "unreadable", f"The file cannot be opened: {error.strerror or error}.")
    reader = recognise(head, path.name)
    if reader is None:
        column_store.remember(store, path, column_store.NOT_RECOGNISED, status)
        return column_store.not_recognised(name)
    place = f"{path.absolute()}\n{status.st_mtime_ns}" if reader.by_place else ""
    key = column_store.content_key(path, place)
    stored = column_store.load(store, key, name)
    if stored is not None:
        column_store.remember(store, path, key, status)
        return stored
    part = store.columns(key).with_suffix(f".{os.getpid()}.part")
    try:
        reading = reader.read(path, name, part)
        if _changed(path, status):
            return refused(name, "changed-while-read", "The file changed while it was being read.")
        if reading.recording is not None:
            part.replace(store.columns(key))
    finally:
        part.unlink(missing_ok=True)
    column_store.save(store, path, key, reading, status)
    return column_store.load(store, key, name) or reading


def _changed(path: Path, before: os.stat_result) -> bool:
    """A file that is still being written: its columns would be stored under another content's key."""
    try:
        after = path.stat()
    except OSError:
        return True
    return (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns)


def refused(name: str, code: str, message: str) -> Reading:
    """The reading of a file that could not be read at all."""
    problem = Problem(Severity.REFUSED, name, code, message, "file left out; the others are loaded")
    return Reading(FileReport(path=name), (problem,))


class ImportJob:
    """The import of some files: `poll()` hands over what has come in since, until `finished`.

    `read` and `timeout_base_s` are what a worker does with a file and how long it may take over a small one.
    """

    def __init__(
        self, sources: tuple[Source, ...], store: Store, workers: int | None = None,
        read: ReadSource = read_source, timeout_base_s: float = TIMEOUT_BASE_S,
    ) -> None:  # fmt: skip
        self.sources = sources
        self.cancelled = False
        self._store = store
        self._workers = workers or max(1, os.cpu_count() or 1)
        self._read = read
        self._timeout_base_s = timeout_base_s
        self._pool: ProcessPool | None = None
        self._pools = 0
        self._winding_up: Thread | None = None
        self._waiting: dict[Source, Future[Reading]] = {}
        self._sizes: dict[Source, int] = {}
        self._ready: list[tuple[Source, Reading]] = []
        self._bytes_done = 0

    def start(self) -> None:
        """Takes what the store has, and sends the rest to the workers, largest file first."""
        self._store.prepare()
        for source in self.sources:
            # run.toml is read with its run: it holds no samples.
            stated = _listed(source) if source.path.name == MANIFEST else None
            stored = stated or column_store.lookup(self._store, source.path, source.name)
            if stored is None:
                self._sizes[source] = _size(source.path)
            else:
                self._ready.append((source, stored))
        self._send(list(self._sizes))

    def poll(self) -> list[tuple[Source, Reading]]:
        """The readings that have come in since the last call, in no particular order."""
        ready, self._ready = self._ready, []
        again: list[Source] = []
        for source, future in list(self._waiting.items()):
            if not future.done():
                continue
            del self._waiting[source]
            if self._lost_its_pool(future):
                again.append(source)
            else:
                self._bytes_done += self._sizes[source]
                ready.append((source, self._outcome(source, future)))
        if again:
            self._wind_up()
            self._send(again)
        if not self._waiting:
            self._wind_up()
        return ready

    def cancel(self) -> None:
        """Stops every worker at once; what has come in stays, the rest is reported as cancelled."""
        self._ready += self.poll()
        self.cancelled = True
        for source in self._waiting:
            self._ready.append((source, _cancelled(source)))
        self._waiting.clear()
        self._wind_up()

    def join(self) -> None:
        """Waits until the workers of a finished or cancelled import have ended."""
        if self._winding_up is not None:
            self._winding_up.join()

    @property
    def finished(self) -> bool:
        """Whether everything has been handed over and every worker has ended."""
        ended = self._winding_up is None or not self._winding_up.is_alive()
        return not self._waiting and not self._ready and ended

    @property
    def files_done(self) -> int:
        """Files that are read or refused."""
        return len(self.sources) - len(self._waiting)

    @property
    def progress(self) -> float:
        """Share of the bytes to read that has been read, 0 to 1."""
        if not self._waiting:
            return 1.0
        return self._bytes_done / max(1, sum(self._sizes.values()))

    def _send(self, sources: list[Source]) -> None:
        if not sources:
            return
        self._pools += 1
        self._pool = ProcessPool(min(self._workers, len(sources)), context=get_context("spawn"))
        with _interrupts_ignored():
            for source in sorted(sources, key=lambda source: -self._sizes[source]):
                self._waiting[source] = self._pool.schedule(
                    self._read,
                    args=(source.path, source.name, self._store),
                    timeout=self._timeout_base_s + TIMEOUT_S_PER_MB * self._sizes[source] / 1e6,
                )

    def _lost_its_pool(self, future: Future[Reading]) -> bool:
        broken = not future.cancelled() and isinstance(future.exception(), BrokenProcessPool)
        return broken and self._pools < MAX_POOLS

    def _outcome(self, source: Source, future: Future[Reading]) -> Reading:
        # Asked for as a value: a reader's error need not be an Exception (polars' panics are not).
        error = CancelledError() if future.cancelled() else future.exception()
        if error is None:
            return future.result()
        if isinstance(error, CancelledError):
            return _cancelled(source)
        if isinstance(error, TimeoutError):
            return refused(source.name, "reader-timeout", "Reading this file took too long and was stopped.")
        if isinstance(error, ProcessExpired | BrokenProcessPool):
            return refused(source.name, "reader-died", "The process that read this file ended unexpectedly.")
        return refused(source.name, "reader-failed", f"The reader failed on this file: {error!r}.")

    def _wind_up(self) -> None:
        """Ends the pool on a thread: waiting for processes to end would hold up the window."""
        if self._pool is None:
            return
        pool, self._pool = self._pool, None
        self._winding_up = Thread(target=_end, args=(pool, self._store, self._winding_up), daemon=True)
        self._winding_up.start()


@contextmanager
def _interrupts_ignored() -> Iterator[None]:
    """Processes started within never hear of Ctrl+C: it is for the program, which then ends them."""
    if current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _end(pool: ProcessPool, store: Store, earlier: Thread | None) -> None:
    pool.stop()  # type: ignore[no-untyped-call]
    pool.join()
    if earlier is not None:
        earlier.join()
    column_store.prune(store)


def _listed(source: Source) -> Reading:
    return Reading(FileReport(path=source.name))


def _cancelled(source: Source) -> Reading:
    return refused(source.name, "cancelled", "The import was cancelled before this file was read.")


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
