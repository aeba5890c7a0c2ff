"""The one entry for background work: runs a function on a thread and passes its result to the window's thread."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Qt, Signal, Slot

from workbench.cancellation import cancelled_by
from workbench.model.problem import failures

T = TypeVar("T")
# Switch interval of threads that compute in Python. With Python's default of 5 ms, a repaint with twenty Qt calls waits
# 200 ms while two threads compute.
SWITCH_S = 0.001
# Seconds that the window waits for the file system, which nearly always responds a thousand times faster.
PROMPT_S = 0.3
# Seconds that a closing window waits for its threads; then it abandons them, because a share may block them forever.
CLOSE_S = 0.6
_COMPUTING = 2
Done = Callable[[Any], None]


class Tasks(QObject):
    """Background work. In `run(topic, work, done)` only the newest work of a topic counts; results of older work are
    dropped.

    `failed` reports errors of work that was given no `failed` function. Two threads compute. Work that checks the
    user's folders has a separate thread (`apart`), because a network share that does not respond blocks it. All threads
    are daemons: neither the window nor Python waits for a blocked one.

    The signal for results belongs to this object, on the window's thread: a signal owned by the work could be deleted
    before it is delivered.
    """

    became_idle = Signal()
    failed = Signal(object)
    _finished = Signal(str, int, object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        sys.setswitchinterval(SWITCH_S)
        self._queue: SimpleQueue[Callable[[], object] | None] = SimpleQueue()
        self._threads: list[Thread] = []
        self._closed = False
        self._newest: dict[str, int] = {}
        # The event is set when the result of the work is no longer needed.
        self._done: dict[tuple[str, int], tuple[Done, Done | None, Event]] = {}
        self._serial = 0
        self._finished.connect(self._deliver, Qt.ConnectionType.QueuedConnection)
        for _ in range(_COMPUTING):
            self._start(self._compute)

    @property
    def busy(self) -> bool:
        """True if any work is running."""
        return bool(self._done)

    def runs(self, *topics: str) -> bool:
        """True if any work of these topics is running."""
        return any(topic in topics for topic, _ in self._done)

    def run(
        self,
        topic: str,
        work: Callable[[], T],
        done: Callable[[T], None],
        failed: Done | None = None,
        *,
        apart: bool = False,
    ) -> None:
        """Runs `work` on a thread; with `apart`, on a separate one. Then calls `done(result)` or `failed(error)` on the
        window's thread."""
        serial, wanted = self._noted(topic, work, done, failed)

        def run() -> None:
            self._work(topic, serial, wanted)

        if apart:
            self._start(run)
        else:
            self._queue.put(run)

    def look(
        self,
        topic: str,
        work: Callable[[], T],
        done: Callable[[T], None],
        failed: Done | None = None,
        late: Callable[[], object] = lambda: None,
    ) -> None:
        """Runs `work`, which checks the user's folders, on a separate thread. If the result comes within `PROMPT_S`
        seconds, `done` or `failed` is called before this function returns. Otherwise `late` is called first, and `done`
        or `failed` later."""
        answer: list[tuple[object, BaseException | None]] = []
        answered, waits = Event(), Event()
        serial, wanted = self._noted(topic, work, done, failed)

        def run() -> None:
            answer.append(_outcome(wanted))
            answered.set()
            waits.wait()
            if prompt:
                return
            self._bring(topic, serial, *answer[0])

        self._start(run)
        prompt = answered.wait(PROMPT_S)
        waits.set()
        if prompt:
            self._deliver(topic, serial, *answer[0])
        else:
            late()

    def ahead(self, work: Callable[[], object]) -> None:
        """Runs work on a thread that no caller waits for; `busy` does not count it."""
        self._queue.put(work)

    def apart(self, work: Callable[[], object]) -> None:
        """Like `ahead`, for work that checks the user's folders. A window that closes waits for it, but not for
        long."""
        self._start(work)

    def abandon(self, *topics: str) -> bool:
        """Drops the running work of these topics. It ends at its next `stop_if_cancelled`, and no caller waits for its
        threads. Returns True if there was any."""
        dropped = [key for key in self._done if key[0] in topics]
        for key in dropped:
            self._done.pop(key)[2].set()
            self._newest.pop(key[0], None)
        if dropped and not self.busy:
            self.became_idle.emit()
        return bool(dropped)

    def shut_down(self) -> None:
        """Waits for the threads, at most `CLOSE_S` seconds, and drops their results."""
        self._closed = True
        self._done.clear()
        self._newest.clear()
        with suppress(Empty):
            while True:
                self._queue.get_nowait()
        for _ in range(_COMPUTING):
            self._queue.put(None)
        give_up = time.monotonic() + CLOSE_S
        for thread in self._threads:
            thread.join(max(0.0, give_up - time.monotonic()))

    def _noted(self, topic: str, work: Callable[[], T], done: Done, failed: Done | None) -> tuple[int, Callable[[], T]]:
        """The number of the work, and a function that does the work until it is dropped."""
        dropped = Event()
        self._serial += 1
        self._newest[topic] = self._serial
        self._done[topic, self._serial] = (done, failed, dropped)

        def wanted() -> T:
            with cancelled_by(dropped):
                return work()

        return self._serial, wanted

    def _start(self, work: Callable[[], object]) -> None:
        self._threads = [thread for thread in self._threads if thread.is_alive()]
        thread = Thread(target=work, name="workbench", daemon=True)
        thread.start()
        self._threads.append(thread)

    def _compute(self) -> None:
        while (work := self._queue.get()) is not None:
            _outcome(work)

    def _hand_over(self, done: Done, failed: Done | None, result: object, error: BaseException | None) -> None:
        if error is not None:
            (failed or self.failed.emit)(error)
            return
        try:
            done(result)
        except failures() as met:
            if failed is None:
                raise
            failed(met)

    def _work(self, topic: str, serial: int, work: Callable[[], Any]) -> None:
        if self._newest.get(topic) == serial:
            self._bring(topic, serial, *_outcome(work))
        else:
            self._bring(topic, serial, None, None)

    def _bring(self, topic: str, serial: int, result: object, error: BaseException | None) -> None:
        """Passes the outcome to the window's thread; ignored if the window has been closed."""
        if not self._closed:
            with suppress(RuntimeError):
                self._finished.emit(topic, serial, result, error)

    @Slot(str, int, object, object)
    def _deliver(self, topic: str, serial: int, result: object, error: BaseException | None) -> None:
        done, failed, _ = self._done.pop((topic, serial), (None, None, None))
        try:
            if done is not None and self._newest.get(topic) == serial:
                self._hand_over(done, failed, result, error)
        finally:
            if not self.busy:
                self.became_idle.emit()


def _outcome(work: Callable[[], Any]) -> tuple[object, BaseException | None]:
    try:
        return work(), None
    except BaseException as error:  # any error, because without a result the window would wait forever
        return None, error
