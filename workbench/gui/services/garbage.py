"""Frees circles of objects that nobody uses any more, on the window's thread and in small parts.

Qt's objects may only be freed on that thread, while Python would collect them on whichever thread allocates. How long
a part takes grows with what was made since the last one, so young objects are looked through often. All that lives is
looked through only while the window rests: with 1,000 runs open that takes a third of a second.
"""

from __future__ import annotations

import gc
from collections.abc import Callable

from PySide6.QtCore import QTimer

_OFTEN_MS = 100
# Python's own: so many objects more than were freed, and so many parts of a younger kind, before a part is due.
_YOUNG, _MIDDLE, _OLD = 700, 10, 10
# So many looks in a row at which nothing was computed: five seconds.
_RESTED = 50


class Collector:
    """Collects in Python's place until it is stopped. `busy` tells whether anything is computed or drawn."""

    def __init__(self) -> None:
        gc.disable()
        self.busy: Callable[[], bool] = lambda: True
        self._rested = 0
        self._timer = QTimer()
        self._timer.timeout.connect(self.look)
        self._timer.start(_OFTEN_MS)

    def look(self) -> None:
        """Collects the part that is due, at most one."""
        self._rested = 0 if self.busy() else self._rested + 1
        young, middle, old = gc.get_count()
        if young > _YOUNG:
            gc.collect(1 if middle > _MIDDLE else 0)
        elif old > _OLD and self._rested > _RESTED:
            gc.collect()

    def stop(self) -> None:
        """Collects no more."""
        self._timer.stop()
