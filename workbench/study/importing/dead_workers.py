"""Workers that die at a bad moment, or do not die when they are to.

Pebble hears its workers on one thread, through one pipe that they share under a lock, and sees on another which of them
have died. On a busy machine a death may be seen before the last words of the dead are heard.
"""

from __future__ import annotations

import math
import time
from collections import deque
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from pebble import CONSTS
from pebble.pool.process import NoMessage, WorkerManager

from workbench.cancellation import leave_behind

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
