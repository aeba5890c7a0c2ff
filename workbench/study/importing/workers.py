"""What workers are given and how they are started: small files together, cores shared, deaf to Ctrl+C.

Workers that die at a bad moment, or do not die when they are to.

Pebble hears its workers on one thread, through one pipe that they share under a lock, and sees on another which of them
have died. On a busy machine a death may be seen before the last words of the dead are heard.
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
# Handing a file to a worker costs more than reading a small one: those go together, up to so many at once.
BATCH_FILES = 96
BATCH_BYTES = 4_000_000
# So small are files that the store keeps in one file of its own with others of their folder.
SMALL_FILE_BYTES = 256_000
# How often a pool looks after its processes, and whether it is to end: by itself it takes five times as long.
_LOOK_S = 0.02
# So long the system may take to end a worker that was killed; one whose time is up may take as long to end by itself,
# which one that reads gigabytes does only when polars is done with them.
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
    """A process that Ctrl+C in the console of Windows does not reach, from its first moment, and that loads no module
    from the current folder, where results of others may lie."""

    def start(self) -> None:
        """Starts it; this program hears nothing of Ctrl+C for that moment."""
        with _STARTING, _current_folder_left_out():
            hear_ctrl_c(False)
            try:
                super().start()
            finally:
                hear_ctrl_c(True)


class _DeafContext(SpawnContext):
    Process = DeafProcess


# What every process of ours is started with.
DEAF_CONTEXT = _DeafContext()


@contextmanager
def _current_folder_left_out() -> Iterator[None]:
    """Python that is started within looks for no module in the current folder, as `python -c` does by itself."""
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
    """Whether the console of Windows tells this program, and the processes that it starts, of Ctrl+C. No effect on
    other systems."""
    if sys.platform == "win32":
        import ctypes

        ctypes.windll.kernel32.SetConsoleCtrlHandler(None, not heard)


def batches(
    sizes: dict[File, int], workers: int, folder: Callable[[File], str] = lambda _file: ""
) -> list[tuple[File, ...]]:
    """The files largest first, small ones together by their `folder`; enough tasks for every worker to have several."""
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
    """Whether there is so much beside the largest file that every worker has something to do meanwhile."""
    return max(sizes.values()) * workers <= sum(sizes.values())


def new_pool(workers: int, polars_threads: int | None) -> ProcessPool:
    """So many worker processes, which start with the pool's first task; see `ready_worker` for the threads."""
    # Loaded with the first import: a window starts without it.
    from pebble import CONSTS, ProcessPool

    CONSTS.sleep_unit, CONSTS.term_timeout = _LOOK_S, ENDS_S
    pool = ProcessPool(workers, context=DEAF_CONTEXT, initializer=ready_worker, initargs=(polars_threads,))
    pool._pool_manager.worker_manager = HeardOut(workers, pool._context.worker_parameters, DEAF_CONTEXT)
    return pool


def ready_worker(polars_threads: int | None) -> None:
    """What a worker does first: it loads what every file needs, and polars with so many threads (None: a core
    each): where every core has a worker, one does.

    Left to the first task, the workers would load one after the other, since a task is unpacked under a lock that
    they share.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if polars_threads is not None:
        os.environ.setdefault(_POLARS_THREADS, str(polars_threads))
    gc.disable()  # modules are no garbage: looking for some meanwhile takes a tenth of the time
    for module in _OF_EVERY_FILE:
        import_module(module)
    gc.freeze()
    gc.enable()


@contextmanager
def garbage_left() -> Iterator[None]:
    """Looks for no garbage within: for work that makes many objects and keeps them."""
    looked = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if looked:
            gc.enable()


@contextmanager
def program_left_out() -> Iterator[None]:
    """Processes started within do not load the program that starts them, as they would for the sake of functions
    defined there: with the console's commands a worker takes twice as long to start."""
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
    """Processes started within never hear of Ctrl+C: it is for the program, which then ends them.

    The signal is blocked in this thread, which processes and threads started by it inherit from their first moment;
    where it cannot be (Windows) see `DeafProcess`. The program hears of it once they are started.
    """
    with postponed():
        if not hasattr(signal, "pthread_sigmask"):
            yield
            return
        # The first process of all starts this one as well, which takes the block off again.
        with _STARTING, _current_folder_left_out():
            resource_tracker.ensure_running()
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked)


# A worker needs the pipe for milliseconds: one that has it for so long has died with it.
PATIENCE_S = 10.0


class HeardOut(WorkerManager):
    """Counts the death of a worker once everything is heard that it has said before: when the pipe is next empty.

    Counted earlier, a task that it had just taken would be nobody's until its time is up, and a result on its way would
    be lost. Where a worker has died with the pipe in its hands, so that no other one can use it, the pool breaks.
    """

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._died: deque[Any] = deque()
        self._heard_out: deque[Any] = deque()
        self._listened = math.inf

    def receive(self, timeout: float) -> Any:
        """The next message of a worker."""
        died = len(self._died)
        message = super().receive(timeout)
        self._listened = time.monotonic()
        if isinstance(message, NoMessage):
            # The pipe is empty: nothing is in it of those that had died before.
            self._heard_out.extend(self._died.popleft() for _ in range(died))
        return message

    def inspect_workers(self) -> tuple[Any, ...]:
        """The workers whose death counts now."""
        self._died.extend(super().inspect_workers())
        if self._died and time.monotonic() - self._listened > PATIENCE_S:
            raise BrokenProcessPool("Nothing was heard for 10 s after a worker died")
        counted = tuple(self._heard_out.popleft() for _ in range(len(self._heard_out)))
        if counted and not self._pipe_is_free():
            raise BrokenProcessPool("A worker died and left the pipe locked")
        return counted

    def maybe_stop_worker(self, worker_id: int) -> bool:
        """Kills a worker whose time is up, unless the pipe is in use. One that does not end (a network share holds it
        up) is left behind: the others go on."""
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
