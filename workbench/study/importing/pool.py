"""Import: worker processes, one per core, read the files into the column store.

A worker that crashes, hangs or is killed affects only its file. The caller polls: the window from a timer, the command
line from a loop; there is no callback. Only ending the pool, which waits for processes, happens on a thread.
"""

from __future__ import annotations

import math
import os
import time
from concurrent.futures import CancelledError, Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from threading import Thread
from typing import TYPE_CHECKING, Any

from workbench.cancellation import stop_if_cancelled
from workbench.model.reading import Reading
from workbench.model.recording import FileReport
from workbench.study.discovery.manifest import LIMITS, MANIFEST
from workbench.study.importing import spool
from workbench.study.importing.sending import Receiver, Sent, to_send
from workbench.study.importing.source import (
    ImportSource,
    Mappings,
    ReadSource,
    cancelled,
    ends_the_program,
    failed,
    nameable,
    read_member,
    read_source,
    refused,
)
from workbench.study.importing.standby import SMALL_BYTES, Standby, end_pool
from workbench.study.importing.workers import (
    SMALL_FILE_BYTES,
    batches,
    evenly_busy,
    garbage_left,
    interrupts_ignored,
    new_pool,
    program_left_out,
)
from workbench.study.store import column_store
from workbench.study.store.column_store import Store
from workbench.study.store.packs import Packing, Packs, packing

if TYPE_CHECKING:
    from pebble import ProcessPool

# A worker gets this long, plus time by size at a rate far below any disk's.
TIMEOUT_BASE_S = 120.0
TIMEOUT_S_PER_MB = 1.0
# A cancelled import is finished after this long, even if the clean-up is blocked.
_TIDY_S = 0.7
# A worker killed in the middle of a message breaks its pool; the other files get a new one.
MAX_POOLS = 4
# This many small files of a task share a file of the store.
PACKED_FROM = 8
# The advice for a file whose reader took too long, or ended.
_LOCAL = "split the file, or copy it to a local disk"
_MEMORY = "close other programs, and reload the folder"


@dataclass(frozen=True, eq=False, slots=True)
class _Task:
    """The input of a worker (one file, or several small ones) and the future with their readings."""

    sources: tuple[ImportSource, ...]
    future: Future[tuple[Sent, ...]]


def read_each(
    sources: tuple[ImportSource, ...], store: Store, read: ReadSource, mappings: Mappings
) -> tuple[Reading, ...]:
    """Reads the files of one task, in order. Runs in a worker process."""
    if read is not read_source or not _many_small(sources):
        return tuple(_read_alone(source, store, read, mappings) for source in sources)
    try:
        # Garbage collection among the objects of that many files takes a tenth of the time.
        with garbage_left(), packing(store) as pack:
            return tuple(
                _read_alone(source, store, read, mappings, pack if nameable(source.path) else None)
                for source in sources
            )
    except OSError as error:
        return tuple(failed(source.name, error) for source in sources)


def send_each(
    sources: tuple[ImportSource, ...], store: Store, read: ReadSource, mappings: Mappings
) -> tuple[Sent, ...]:
    """Like `read_each`, with the readings in the form that is sent to the program."""
    return tuple(map(to_send, read_each(sources, store, read, mappings)))


def _many_small(sources: tuple[ImportSource, ...]) -> bool:
    """True if the files of a task share a file of the store. (If there are only a few, each is also stored by its
    content: a copied or renamed file is then not read again.)"""
    return len(sources) >= PACKED_FROM and all(size_of(source) <= SMALL_FILE_BYTES for source in sources)


def _read_alone(
    source: ImportSource, store: Store, read: ReadSource, mappings: Mappings, pack: Packing | None = None
) -> Reading:
    """Returns one file's reading. Any exception of its reader, including panics of native code, becomes that file's
    problem. An exception that left the worker would lose the other files of its task, or the pool if it cannot be
    sent."""
    try:
        if source.member is not None:
            return read_member(source, store, mappings, pack)
        return read(source.path, source.name, store, **_told(source, mappings, pack))
    except BaseException as error:
        if ends_the_program(error):
            raise
        return failed(source.name, error)


def stored_reading(
    source: ImportSource, store: Store, mappings: Mappings, thorough: bool = False, packs: Packs | None = None
) -> Reading | None:
    """Returns the stored reading of a file, or None if it must be read; with `thorough` also for a file with damaged
    columns. `packs` are those of the store, if many files are looked up."""
    # run.toml is read with its run, limits.toml with its study: they hold no samples.
    if source.problem or source.path.name in (MANIFEST, LIMITS):
        return Reading(FileReport(path=source.name), (source.problem,) if source.problem else ())
    fingerprints = {header: mapping.fingerprint for header, mapping in mappings.items()}
    stamp = source.stamp
    stored = column_store.lookup(store, source.path, source.name, stamp, fingerprints, thorough)
    if stored is not None or stamp is None:
        return stored
    return (packs or Packs(store)).lookup(source.path, source.name, stamp, fingerprints, thorough)


def size_of(source: ImportSource) -> int:
    """Returns the bytes of a file or of a member of an archive; 0 if it no longer exists."""
    if source.member is not None:
        return source.member.size
    try:
        return source.path.stat().st_size
    except OSError:
        return 0


def folder_of(source: ImportSource) -> str:
    """Returns the folder of a file: small files of one folder are kept together."""
    return str(source.path.parent)


def _told(source: ImportSource, mappings: Mappings, pack: Packing | None) -> dict[str, Any]:
    """Returns the reader's additional arguments that have a value."""
    settings = {"mappings": mappings, "date_order": source.date_order, "pack": pack}
    return {name: value for name, value in settings.items() if value}


class ImportJob:
    """The import of some files: `poll()` returns the readings since the last call, until `finished`.

    `read` is the work of a worker on a file, and `timeout_base_s` its time limit for a small one. `mappings` are the
    user's column mappings by header. `standby` are workers that may already be running. `thorough` checks every stored
    column, after one was damaged.
    """

    def __init__(
        self,
        sources: tuple[ImportSource, ...],
        store: Store,
        workers: int | None = None,
        read: ReadSource = read_source,
        timeout_base_s: float = TIMEOUT_BASE_S,
        mappings: Mappings | None = None,
        standby: Standby | None = None,
        thorough: bool = False,
    ) -> None:
        self.sources = sources
        self.cancelled = False
        self._store = store
        self._receiver = Receiver(store)
        self._workers = workers or max(1, os.cpu_count() or 1)
        self._read = read
        self._timeout_base_s = timeout_base_s
        self._mappings = mappings or {}
        self._standby = standby
        self._thorough = thorough
        self._pool: ProcessPool | None = None
        self._pools = 0
        self._winding_up: Thread | None = None
        self._waiting: dict[ImportSource, _Task] = {}
        self._tasks: dict[int, _Task] = {}
        self._sizes: dict[ImportSource, int] = {}
        self._ready: list[tuple[ImportSource, Reading]] = []
        self._bytes_done = 0
        self._give_up = math.inf
        self._spooled = {source.member.spooled for source in sources if source.member and source.member.spooled}

    def start(self) -> None:
        """Takes the readings that the store has, and sends the rest to the workers, largest file first. Raises
        Cancelled."""
        self._store.prepare()
        spool.sweep(self._store)
        packs = Packs(self._store)
        for source in self.sources:
            stop_if_cancelled()
            stored = stored_reading(source, self._store, self._mappings, self._thorough, packs)
            if stored is None:
                self._sizes[source] = size_of(source)
            else:
                self._ready.append((source, stored))
        self._send(list(self._sizes))

    def poll(self) -> list[tuple[ImportSource, Reading]]:
        """Returns the readings since the last call, in no particular order."""
        ready, self._ready = self._ready, []
        again: list[ImportSource] = []
        apart: list[ImportSource] = []
        # A pool that cannot start a process (none left, no memory) ends without a message about its files.
        stopped = bool(self._waiting) and self._pool is not None and not self._pool.active
        # A task contains many small files, and a future is checked under a lock: check it once per task, not per file.
        for task in [task for task in self._tasks.values() if stopped or task.future.done()]:
            del self._tasks[id(task)]
            for source in task.sources:
                del self._waiting[source]
            if self._lost_its_pool(task.future):
                again += task.sources
            elif len(task.sources) > 1 and _failed(task.future):
                apart += task.sources
            else:
                received, lost = self._received(task)
                ready += received
                apart += lost
        if stopped:
            again, apart = [*again, *apart], []
        if again:
            self._wind_up()
            self._send(again)
        # One of the files crashed the worker, or the store has lost it. Read alone, only the faulty file fails.
        for source in apart:
            assert self._pool is not None
            self._schedule_or_refuse(self._pool, (source,))
        if not self._waiting:
            self._wind_up()
        return ready

    def cancel(self) -> None:
        """Kills every worker at once. Received readings stay; the rest is reported as cancelled."""
        self._ready += self.poll()
        self.cancelled, self._give_up = True, time.monotonic() + _TIDY_S
        for source in self._waiting:
            self._ready.append((source, cancelled(source.name)))
        self._waiting.clear()
        self._tasks.clear()
        self._wind_up()

    def join(self) -> None:
        """Waits until the workers of a finished or cancelled import have ended, or were abandoned."""
        if self._winding_up is not None:
            self._winding_up.join(_TIDY_S if self.cancelled else None)

    @property
    def finished(self) -> bool:
        """True if everything has been handed over and every worker has ended, or was abandoned."""
        ended = self._winding_up is None or not self._winding_up.is_alive() or time.monotonic() > self._give_up
        return not self._waiting and not self._ready and ended

    @property
    def files_done(self) -> int:
        """Returns the number of files that are read or refused."""
        return len(self.sources) - len(self._waiting)

    @property
    def bytes_to_read(self) -> int:
        """Returns the bytes of the files that the store does not have."""
        return sum(self._sizes.values())

    @property
    def reading(self) -> tuple[str, ...]:
        """Returns the names of the files that workers are reading; if one worker has several, the first."""
        return tuple(task.sources[0].name for task in self._tasks.values() if task.future.running())

    @property
    def progress(self) -> float:
        """Returns the share of the bytes to read that has been read, 0 to 1."""
        if not self._waiting:
            return 1.0
        return self._bytes_done / max(1, sum(self._sizes.values()))

    def _send(self, sources: list[ImportSource]) -> None:
        if not sources:
            return
        self._pools += 1
        sizes = {source: self._sizes[source] for source in sources}
        threads = 1 if evenly_busy(sizes, self._workers) else None
        self._pool = self._standing_by(sizes) or new_pool(min(self._workers, len(sources)), threads)
        # After a pool was lost, files go one by one: the faulty one must not affect others again.
        together = batches(sizes, self._workers if self._pools == 1 else len(sizes), folder_of)
        with program_left_out():
            for batch in together:
                self._schedule_or_refuse(self._pool, batch)

    def _standing_by(self, sizes: dict[ImportSource, int]) -> ProcessPool | None:
        """Returns the standby workers if they suit these files; otherwise they are ended."""
        pool = None if self._standby is None else self._standby.take()
        if self._standby is None or pool is None:
            return None
        soon = evenly_busy(sizes, self._workers) or max(sizes.values()) < SMALL_BYTES
        if soon and self._standby.workers >= min(self._workers, len(sizes)):
            return pool
        self._winding_up = Thread(target=end_pool, args=(pool,), daemon=True)
        self._winding_up.start()
        return None

    def _schedule_or_refuse(self, pool: ProcessPool, sources: tuple[ImportSource, ...]) -> None:
        try:
            self._schedule(pool, sources)
        except (OSError, RuntimeError):  # the pool's first process could not start, or has just died
            self._bytes_done += sum(self._sizes[source] for source in sources)
            self._ready += [(source, _unstarted(source)) for source in sources]

    def _schedule(self, pool: ProcessPool, sources: tuple[ImportSource, ...]) -> None:
        size = sum(self._sizes[source] for source in sources)
        with interrupts_ignored():
            future = pool.schedule(
                send_each,
                args=(sources, self._store, self._read, self._mappings),
                timeout=self._timeout_base_s + TIMEOUT_S_PER_MB * size / 1e6,
            )
        task = _Task(sources, future)
        self._tasks[id(task)] = task
        self._waiting.update(dict.fromkeys(sources, task))

    def _lost_its_pool(self, future: Future[tuple[Sent, ...]]) -> bool:
        if not future.done():
            lost = True
        else:
            lost = not future.cancelled() and isinstance(future.exception(), BrokenProcessPool)
        return lost and self._pools < MAX_POOLS

    def _received(self, task: _Task) -> tuple[list[tuple[ImportSource, Reading]], list[ImportSource]]:
        """Returns the readings of a finished task, and the files that have to be read again."""
        received: list[tuple[ImportSource, Reading]] = []
        lost: list[ImportSource] = []
        for source, reading in zip(task.sources, self._outcome(task), strict=True):
            if reading is None:
                lost.append(source)
            else:
                self._bytes_done += self._sizes[source]
                received.append((source, reading))
        return received, lost

    def _outcome(self, task: _Task) -> tuple[Reading | None, ...]:
        future = task.future
        if not future.done():
            return tuple(map(_unstarted, task.sources))
        # The error is requested as a value, because a reader's error may not be an Exception (polars' panics are not).
        error = CancelledError() if future.cancelled() else future.exception()
        if error is not None:
            return tuple(self._lost(source, error) for source in task.sources)
        return tuple(map(self._receiver.reading, future.result()))

    def _lost(self, source: ImportSource, error: BaseException) -> Reading:
        if isinstance(error, CancelledError):
            return cancelled(source.name)
        if isinstance(error, TimeoutError):
            return refused(source.name, "reader-timeout", "Reading this file took too long and was stopped.", _LOCAL)
        from pebble import ProcessExpired

        if isinstance(error, ProcessExpired | BrokenProcessPool):
            return refused(source.name, "reader-died", "The process that read this file ended unexpectedly.", _MEMORY)
        return failed(source.name, error)

    def _wind_up(self) -> None:
        """Ends the pool on a thread: waiting for processes to end would block the window."""
        if self._pool is None:
            self._release()
            return
        pool, self._pool = self._pool, None
        self._winding_up = Thread(target=self._end, args=(pool, self._winding_up), daemon=True)
        self._winding_up.start()

    def _end(self, pool: ProcessPool, earlier: Thread | None) -> None:
        _end(pool, self._store, earlier)
        self._release()

    def _release(self) -> None:
        """Deletes the archives that were spooled for this import, unless another pool still reads them."""
        if not self._waiting and self._pool is None:
            while self._spooled:
                spool.remove(self._spooled.pop())


def _end(pool: ProcessPool, store: Store, earlier: Thread | None) -> None:
    column_store.drop_parts(store, end_pool(pool))
    if earlier is not None:
        earlier.join()
    column_store.prune(store)
    spool.sweep(store)


def _unstarted(source: ImportSource) -> Reading:
    return refused(source.name, "reader-died", "No process could be started to read this file.", _MEMORY)


def _failed(future: Future[tuple[Sent, ...]]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is not None
