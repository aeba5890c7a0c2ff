"""Presenting, the theme and every page of the window with the sample study: processor time to the painted page.

Every page was shown before the keys are pressed, because then the most widgets must be restyled. Processor time is that
of the whole process with all threads; other work on the machine does not make it longer.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from operator import attrgetter
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication

from tests.tools.benchmarks.windows import SAMPLE, empty_window, open_study, until
from workbench.answers.registry import PAGES
from workbench.gui.shell.main_window import MainWindow
from workbench.study.store.column_store import Store

LIMIT_S = 0.3
_WINDOWS, _ROUNDS = 3, 5
_KEYS = {"F5": "presenter.toggle", "Esc": "presenter.stop", "Ctrl+D": "toggle_theme"}


_ACTIONS = {
    "F5": "Later: starting the presentation with F5",
    "Esc": "Later: ending the presentation with Esc",
    "Ctrl+D": "Later: changing the theme with Ctrl+D",
}
_TIMES = {"first": "First time", "again": "Later"}


def run() -> Iterator[dict[str, Any]]:
    """A row for each page shown the first time and again, and one for each key."""
    times: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as name:
        for _ in range(_WINDOWS):
            with empty_window(Store(Path(name, "store"))) as window:
                open_study(window, SAMPLE)
                _measure(window, times)
            # A window that stays open would be restyled together with the next one.
            window.deleteLater()
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    for what, seconds in times.items():
        taken = statistics.median(seconds)
        yield {"what": what, "ours_s": taken, "baseline_s": LIMIT_S, "ratio": taken / LIMIT_S, "target": 1.0}


def _measure(window: MainWindow, times: dict[str, list[float]]) -> None:
    for order, rounds in (("first", 1), ("again", 2)):
        for _ in range(rounds):
            # The current page comes last: the import has already shown it.
            for page in (*PAGES[1:], PAGES[0]):
                if (order, page) != ("first", PAGES[0]):
                    taken = _timed(window, lambda page=page: window.show_page(page.key))
                    times.setdefault(f"{_TIMES[order]}: showing *{page.name}* (limit)", []).append(taken)
    for _ in range(_ROUNDS):
        for key, action in _KEYS.items():
            taken = _timed(window, lambda action=action: attrgetter(action)(window)())
            times.setdefault(f"{_ACTIONS[key]} (limit)", []).append(taken)


def _timed(window: MainWindow, act: Callable[[], object]) -> float:
    """Seconds of processor time until the requested page is painted and no work is running."""
    start = time.process_time()
    act()
    until(lambda: not window.busy)
    QApplication.processEvents()
    return time.process_time() - start
