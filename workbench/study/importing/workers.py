"""Starts the workers and distributes their files: small files together, cores shared, Ctrl+C ignored. It also handles
workers that die at a bad moment, or do not end when they should.

Pebble receives messages from its workers on one thread, through one pipe that they share under a lock. Another thread
detects which of them have died. On a busy machine a death may be detected before the last messages of the dead worker
are received.
"""

from __future__ import annotations

import gc
import math
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from importlib import import_module
from multiprocessing import resource_tracker
from multiprocessing.context import SpawnContext, SpawnProcess
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

from pebble import CONSTS
from pebble.pool.process import NoMessage, WorkerManager

from workbench.cancellation import leave_behind, postponed

if TYPE_CHECKING:
    from pebble import ProcessPool

File = TypeVar("File", bound=Hashable)
# Handing a file to a worker takes longer than reading a small file. So up to this many small files are handed over
# together.
BATCH_FILES = 96
BATCH_BYTES = 4_000_000
# Up to this size the store keeps files in one shared file with others of their folder.
SMALL_FILE_BYTES = 256_000
# The interval at which a pool checks its processes and its end: the default takes five times as long.
_LOOK_S = 0.02
# The time that the system may need to end a killed worker. A timed-out worker may take as long to end by itself; one
# that reads gigabytes ends only when polars has finished.
ENDS_S = 0.5
_POLARS_THREADS = "POLARS_MAX_THREADS"
_SAFE_PATH = "PYTHONSAFEPATH"
_OF_EVERY_FILE = (
    "workbench.study.importing.pool",
    "workbench.readers.perfmon.reader",
    "workbench.readers.tables.mapped",
)
_LEFT_OUT = Lock()
_STARTING = Lock()


class DeafProcess(SpawnProcess):
    """A process that never receives Ctrl+C from the Windows console. It loads no module from the current folder, which
    may contain results from other people."""

    def start(self) -> None:
        """Starts the process; meanwhile this program ignores Ctrl+C."""
        with _STARTING, _current_folder_left_out():
            hear_ctrl_c(False)
            try:
                super().start()
            finally:
                hear_ctrl_c(True)


class _DeafContext(SpawnContext):
    Process = DeafProcess


# The start context of every process of the program.
DEAF_CONTEXT = _DeafContext()


@contextmanager
def _current_folder_left_out() -> Iterator[None]:
    """Python processes started within the block do not search the current folder for modules, unlike with a plain
    `python -c`."""
    kept = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = "1"
    try:
        yield
    finally:
        if kept is None:
            del os.environ[_SAFE_PATH]
        else:
            os.environ[_SAFE_PATH] = kept


def hear_ctrl_c(heard: bool) -> None:
    """Sets whether the Windows console sends Ctrl+C to this program and to the processes that it starts. No effect on
    other systems."""
    if sys.platform == "win32":
        import ctypes

        ctypes.windll.kernel32.SetConsoleCtrlHandler(None, not heard)


def batches(
    sizes: dict[File, int], workers: int, folder: Callable[[File], str] = lambda _file: ""
) -> list[tuple[File, ...]]:
    """Returns the files largest first, small ones grouped by their `folder`; there are enough tasks for every worker to
    have several."""
    most = min(BATCH_FILES, max(1, len(sizes) // (4 * workers)))
    files: list[tuple[File, ...]] = []
    batch: list[File] = []
    room = BATCH_BYTES
    small = {file for file, size in sizes.items() if size <= SMALL_FILE_BYTES}
    for source in sorted(sizes, key=lambda file: (file in small, folder(file) * (file in small), -sizes[file])):
        if batch and (len(batch) == most or sizes[source] > room):
            files.append(tuple(batch))
            batch, room = [], BATCH_BYTES
        batch.append(source)
        room -= sizes[source]
    return [*files, tuple(batch)] if batch else files


def evenly_busy(sizes: dict[File, int], workers: int) -> bool:
    """True if the other files keep every other worker busy while one reads the largest file."""
    return max(sizes.values()) * workers <= sum(sizes.values())


def new_pool(workers: int, polars_threads: int | None) -> ProcessPool:
    """Returns a pool of this many worker processes, which start with its first task; for the threads see
    `ready_worker`."""
    # Loaded with the first import: a window starts without it.
    from pebble import CONSTS, ProcessPool

    CONSTS.sleep_unit, CONSTS.term_timeout = _LOOK_S, ENDS_S
    pool = ProcessPool(workers, context=DEAF_CONTEXT, initializer=ready_worker, initargs=(polars_threads,))
    pool._pool_manager.worker_manager = HeardOut(workers, pool._context.worker_parameters, DEAF_CONTEXT)
    return pool


def ready_worker(polars_threads: int | None) -> None:
    """Prepares a worker: loads the modules that every file needs, and polars with this many threads (None: one per
    core). One thread is enough if every core has a worker.

    Otherwise the workers would load the modules in the first task, one worker after the other, because they unpack
    tasks under a shared lock.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if polars_threads is not None:
        os.environ.setdefault(_POLARS_THREADS, str(polars_threads))
    gc.disable()  # modules are not garbage: collecting takes a tenth of the time
    for module in _OF_EVERY_FILE:
        import_module(module)
    gc.freeze()
    gc.enable()


@contextmanager
def garbage_left() -> Iterator[None]:
    """Turns garbage collection off within the block: for work that makes many objects and keeps them."""
    looked = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if looked:
            gc.enable()


@contextmanager
def program_left_out() -> Iterator[None]:
    """Processes started within the block do not load the program that starts them, which they would do to find
    functions defined there. With the commands of the command line loaded, a worker takes twice as long to start."""
    program = vars(sys.modules["__main__"])
    with _LEFT_OUT:
        kept: dict[str, Any] = {name: program.pop(name) for name in ("__file__", "__spec__") if name in program}
        program["__spec__"] = None
        try:
            yield
        finally:
            program.update(kept)


@contextmanager
def interrupts_ignored() -> Iterator[None]:
    """Processes started within the block never receive Ctrl+C: only the program does, and then ends them.

    The signal is blocked in this thread. Processes and threads started by it inherit this at once. If it cannot be
    blocked (Windows) see `DeafProcess`. The program receives the signal after they are started.
    """
    with postponed():
        if not hasattr(signal, "pthread_sigmask"):
            yield
            return
        # The first process also starts this one, which removes the block again.
        with _STARTING, _current_folder_left_out():
            resource_tracker.ensure_running()
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked)


# A worker needs the pipe for milliseconds: one that holds it for this long has died.
PATIENCE_S = 10.0


class HeardOut(WorkerManager):
    """Counts the death of a worker only after all its messages are received: when the pipe is next empty.

    If the death were counted earlier, a task just taken by the worker would be lost until its timeout. A result in the
    pipe would be lost too. If a worker died while it held the pipe, no other one can use it, and the pool breaks.
    """

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._died: deque[Any] = deque()
        self._heard_out: deque[Any] = deque()
        self._listened = math.inf

    def receive(self, timeout: float) -> Any:
        """Returns the next message of a worker."""
        died = len(self._died)
        message = super().receive(timeout)
        self._listened = time.monotonic()
        if isinstance(message, NoMessage):
            # The pipe is empty: no messages of the workers that had died before are left.
            self._heard_out.extend(self._died.popleft() for _ in range(died))
        return message

    def inspect_workers(self) -> tuple[Any, ...]:
        """Returns the workers whose death counts now."""
        self._died.extend(super().inspect_workers())
        if self._died and time.monotonic() - self._listened > PATIENCE_S:
            raise BrokenProcessPool("No message for 10 s after a worker died")
        counted = tuple(self._heard_out.popleft() for _ in range(len(self._heard_out)))
        if counted and not self._pipe_is_free():
            raise BrokenProcessPool("A worker died and left the pipe locked")
        return counted

    def maybe_stop_worker(self, worker_id: int) -> bool:
        """Kills a worker that has timed out, unless the pipe is in use. A worker that does not end (blocked by a
        network share) is abandoned, and the others continue."""
        assert self.workers_channel is not None
        with self.workers_channel.lock(block=False) as locked:
            worker = self.workers.pop(worker_id, None) if locked else None
            if worker is not None:
                worker.kill()
                worker.join(CONSTS.term_timeout)
                if worker.is_alive():
                    leave_behind(worker)
        return locked

    def _pipe_is_free(self) -> bool:
        assert self.workers_channel is not None
        with self.workers_channel.lock(timeout=PATIENCE_S) as locked:
            return locked
