"""Workers that are started before there is anything to read, while a window is empty.

They wait with everything loaded, so the first import begins reading at once. The import takes them over and ends them
like its own. No workers wait while something is open.
"""

from __future__ import annotations

import os
import time
from threading import Lock, Thread
from typing import TYPE_CHECKING

from workbench.cancellation import leave_behind
from workbench.study.importing.workers import ENDS_S, interrupts_ignored, new_pool, program_left_out

if TYPE_CHECKING:
    from pebble import ProcessPool

# A waiting worker takes 40 MB: the import starts further workers itself.
AT_MOST = 8
# One thread of a waiting worker reads a file sooner than all cores of a worker that must start first.
SMALL_BYTES = 20_000_000


class Standby:
    """`start()` starts the workers while there is time; `take()` hands them over to an import; `end()` ends those not
    taken."""

    def __init__(self, workers: int | None = None) -> None:
        self.workers = min(AT_MOST, workers or max(1, os.cpu_count() or 1))
        self._pool: ProcessPool | None = None
        self._lock = Lock()

    @property
    def ready(self) -> bool:
        """True if workers are waiting."""
        return self._pool is not None

    def start(self) -> None:
        """Starts the workers, unless they are already waiting or the system has no spare process."""
        with self._lock:
            if self._pool is not None:
                return
            pool = new_pool(self.workers, 1)
            try:
                with program_left_out(), interrupts_ignored():
                    started = pool.active  # reading this starts the processes of the pool
            except (OSError, RuntimeError):
                started = False
            if started:
                self._pool = pool
            else:
                end_pool(pool)

    def take(self) -> ProcessPool | None:
        """Returns the workers, which the caller must then end; None if none are waiting."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None and not pool.active:  # a worker was killed while it waited
            end_pool(pool)
            return None
        return pool

    def end(self) -> None:
        """Ends the workers if no import took them, and waits until they have ended."""
        pool = self.take()
        if pool is not None:
            end_pool(pool)


def end_pool(pool: ProcessPool) -> tuple[int, ...]:
    """Kills the processes of a pool, at once. Returns their ids once they have ended. A process that does not end in
    time (blocked by a network share) is abandoned."""
    pool.stop()  # type: ignore[no-untyped-call]
    give_up = time.monotonic() + ENDS_S
    # A process that is still starting would print an error on the terminal after its pool has ended.
    if pool._pool_manager_loop is not None:
        pool._pool_manager_loop.join(ENDS_S)
    workers = pool._pool_manager.worker_manager.workers
    processes = tuple(workers.values())
    for process in processes:
        process.kill()
    for process in processes:
        process.join(max(0.0, give_up - time.monotonic()))
    left = [process for process in processes if process.is_alive()]
    for process in left:
        leave_behind(process)
    if left:
        workers.clear()
        # The process still holds the pipes that the threads of the pool wait for.
        Thread(target=pool.join, daemon=True).start()
    else:
        pool.join()
    return tuple(process.pid for process in processes if process.pid is not None)
