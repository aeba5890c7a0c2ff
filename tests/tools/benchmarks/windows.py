"""Common parts of the window benchmarks: a large study, a window that shows it, and waiting for it."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEvent, QEventLoop, QObject, QTimer
from PySide6.QtWidgets import QApplication

from workbench.answers.registry import PAGES
from workbench.gui.services.theme import apply_theme
from workbench.gui.shell.app import Collector
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.shell.start import read_no_sources
from workbench.session.settings import Settings
from workbench.session.state import State
from workbench.study.store.column_store import Store

SAMPLE = Path(__file__).parents[3] / "sample_data"
SIZE = (1600, 900)
# The names of the pages in the rows of the tables.
NAMES = {spec.key: spec.name for spec in PAGES}
_BEAT_MS, _LOOK_MS = 5, 10
_UNTIL_AN_EVENT = QEventLoop.ProcessEventsFlag.AllEvents | QEventLoop.ProcessEventsFlag.WaitForMoreEvents
_PATIENCE_S = 300.0


def write_study(folder: Path, configurations: int, samples: int) -> float:
    """Writes runs of 150 VMs, one per configuration, with that many samples a VM; returns megabytes of CSV."""
    size = ("--configurations", str(configurations), "--vms", "150", "--samples", str(samples))
    command = [sys.executable, str(SAMPLE / "generate.py"), "large", str(folder), *size]
    subprocess.run(command, check=True, capture_output=True)
    return sum(file.stat().st_size for file in folder.rglob("*.csv")) / 1e6


@contextmanager
def empty_window(store: Store, page: str = "overview") -> Iterator[MainWindow]:
    """A window without open results."""
    # As in the program.
    read_no_sources()
    application = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(application, QApplication)
    collector = Collector()
    apply_theme(application, "light")
    window = MainWindow(store, State(page=page), Settings(), remembers=False)
    collector.busy = lambda: window.busy
    gc.freeze()
    window.importer.opened.connect(lambda _opened: gc.freeze())
    window.resize(*SIZE)
    window.show()
    until(lambda: not window.busy)
    try:
        yield window
    finally:
        window.close()
        collector.stop()


def open_study(window: MainWindow, *paths: Path) -> None:
    """Opens paths and waits until the page is painted and no computation is running."""
    opened: list[object] = []
    window.importer.opened.connect(opened.append)
    window.open_paths(list(paths))
    until(lambda: bool(opened) and not window.busy)


def seconds_to_first_chart(window: MainWindow, *paths: Path) -> float:
    """Opens paths; the seconds until the page that answers them is painted."""
    opened: list[object] = []
    window.importer.opened.connect(opened.append)
    painted = _PaintedAfter(lambda: bool(opened), window)
    window.page_shown.connect(painted.begin)
    start = time.perf_counter()
    window.open_paths(list(paths))
    until(lambda: painted.seen)
    taken = time.perf_counter() - start
    until(lambda: not window.busy)
    return taken


def switch(window: MainWindow, **changes: Any) -> float:
    """Applies a change of state; returns the milliseconds until its page is painted."""
    shown: list[bool] = []
    connection = window.page_shown.connect(lambda: shown.append(True))
    start = time.perf_counter()
    window.workspace.apply(**changes)
    # Painting is requested while the answer is shown and done in the same turn of the event loop, or the next.
    until(lambda: bool(shown) and not window.busy)
    taken = (time.perf_counter() - start) * 1e3
    window.page_shown.disconnect(connection)
    return taken


def until(done: Callable[[], bool]) -> None:
    """Runs the event loop until a condition is true, and once more. It sleeps until there is an event, as in the
    program: a busy loop would keep Python's lock from the computing threads."""
    end, looks = time.monotonic() + _PATIENCE_S, QTimer()
    looks.start(_LOOK_MS)
    while not done():
        if time.monotonic() > end:
            raise TimeoutError("The window did not get there.")
        QApplication.processEvents(_UNTIL_AN_EVENT)
    QApplication.processEvents()


class _PaintedAfter(QObject):
    """Records when a window is painted after `begin` was called while a condition was true."""

    def __init__(self, so: Callable[[], bool], window: MainWindow) -> None:
        super().__init__(window)
        self._so, self._begun, self.seen = so, False, False
        window.installEventFilter(self)

    def begin(self) -> None:
        """The next paint counts if the condition is true."""
        self._begun = self._begun or self._so()

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Qt paints a window on request."""
        self.seen = self.seen or (self._begun and event.type() == QEvent.Type.UpdateRequest)
        return False


class Heartbeat:
    """Records the turns of the event loop: elapsed time, and processor time of the window's thread. Other work on the
    machine, or waiting for another thread of the process, does not increase the processor time."""

    def __init__(self) -> None:
        self._beats = [_now()]
        self._timer = QTimer()
        self._timer.timeout.connect(lambda: self._beats.append(_now()))
        self._timer.start(_BEAT_MS)

    def longest_ms(self) -> tuple[float, float]:
        """Ends the measurement; returns the longest blocked time, elapsed and in processor time."""
        self._timer.stop()
        self._beats.append(_now())
        pairs = list(pairwise(self._beats))
        clock, busy = (max(after[place] - before[place] for before, after in pairs) for place in (0, 1))
        return clock * 1e3, busy * 1e3


def _now() -> tuple[float, float]:
    return time.perf_counter(), time.thread_time()
