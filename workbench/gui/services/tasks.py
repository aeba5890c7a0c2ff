"""The one entry for background work: runs a function on a pool thread, hands its result to the window's thread."""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Qt, Signal, Slot

from workbench.model.failure import failures

T = TypeVar("T")
# A thread that computes in Python hands over after so long; with Python's own 5 ms a repaint that needs twenty calls
# of Qt while two threads compute waits for 200 ms.
SWITCH_S = 0.001
Done = Callable[[Any], None]


class Tasks(QObject):
    """`run(topic, work, done)`: the newest work of a topic wins, results of older ones are dropped.

    `failed` carries what went wrong in work whose own `failed` was not given.

    The signal that carries results lives on this object, on the window's thread: a signal owned by the
    work itself could be gone before it is delivered.
    """

    became_idle = Signal()
    failed = Signal(object)
    _finished = Signal(str, int, object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        sys.setswitchinterval(SWITCH_S)
        self._pool = ThreadPoolExecutor(max_workers=2, thread_name_prefix="workbench")
        self._newest: dict[str, int] = {}
        self._done: dict[tuple[str, int], tuple[Done, Done | None]] = {}
        self._serial = 0
        self._finished.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    @property
    def busy(self) -> bool:
        """Whether any work is under way."""
        return bool(self._done)

    def run(self, topic: str, work: Callable[[], T], done: Callable[[T], None], failed: Done | None = None) -> None:
        """Runs `work` on a thread; `done(result)` or `failed(error)` follows on the window's thread."""
        self._serial += 1
        serial = self._serial
        self._newest[topic] = serial
        self._done[topic, serial] = (done, failed)
        self._pool.submit(self._work, topic, serial, work)

    def ahead(self, work: Callable[[], object]) -> None:
        """Runs, on a thread, what nobody waits for and nobody misses: `busy` does not count it."""
        with suppress(RuntimeError):  # the window was closed before
            self._pool.submit(work)

    def shut_down(self) -> None:
        """Waits for the threads; what they bring is dropped."""
        self._done.clear()
        self._newest.clear()
        self._pool.shutdown(wait=True, cancel_futures=True)

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
        if self._newest.get(topic) != serial:
            self._finished.emit(topic, serial, None, None)
            return
        try:
            result, error = work(), None
        except BaseException as met:  # whatever it is: without a word from here the window would wait for ever
            result, error = None, met
        self._finished.emit(topic, serial, result, error)

    @Slot(str, int, object, object)
    def _deliver(self, topic: str, serial: int, result: object, error: BaseException | None) -> None:
        done, failed = self._done.pop((topic, serial), (None, None))
        try:
            if done is not None and self._newest.get(topic) == serial:
                self._hand_over(done, failed, result, error)
        finally:
            if not self.busy:
                self.became_idle.emit()
