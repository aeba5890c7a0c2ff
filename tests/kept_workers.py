"""Workers that several tests use one after another, because starting two takes longer than reading the files of most
tests. The start and end of workers are tested by tests/study/test_import_pool.py and by every test that starts a
program.
"""

from __future__ import annotations

import os
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import pytest

from workbench.study.importing import pool as imports
from workbench.study.importing.standby import end_pool
from workbench.study.importing.workers import new_pool

if TYPE_CHECKING:
    from pebble import ProcessPool


class KeptWorkers:
    """Idle pools by their number of workers. All were started in one folder, where workers find files by relative
    paths, so a test with another working folder gets separate workers."""

    def __init__(self) -> None:
        self._folder = Path().stat()
        self._elsewhere: set[ProcessPool] = set()
        self._idle: dict[int, list[ProcessPool]] = {}

    def lend(self, workers: int, polars_threads: int | None) -> ProcessPool:
        """Returns a pool of that many workers: an idle one, or a new one."""
        if not os.path.samestat(Path().stat(), self._folder):
            pool = new_pool(workers, polars_threads)
            self._elsewhere.add(pool)
            return pool
        idle = self._idle.get(workers, [])
        while idle:
            pool = idle.pop()
            if pool.active:
                return pool
            end_pool(pool)
        return new_pool(workers, polars_threads)

    def take_back(self, pool: ProcessPool) -> tuple[int, ...]:
        """Keeps a pool that has done all its tasks, and ends any other; returns the ended processes."""
        if pool not in self._elsewhere and pool.active and not pool._pool_manager.task_manager.tasks:
            self._idle.setdefault(pool._context.workers, []).append(pool)
            return ()
        self._elsewhere.discard(pool)
        return end_pool(pool)

    def end(self) -> None:
        """Ends all pools, and waits for their end."""
        for idle in self._idle.values():
            while idle:
                end_pool(idle.pop())

    @property
    def threads(self) -> set[Thread]:
        """The threads that manage the kept pools."""
        return {thread for idle in self._idle.values() for pool in idle for thread in pool._loops}

    def serve(self, patch: pytest.MonkeyPatch) -> None:
        """Makes every import of this process use them from now on."""
        patch.setattr(imports, "new_pool", self.lend)
        patch.setattr(imports, "end_pool", self.take_back)

    def leave(self, patch: pytest.MonkeyPatch) -> None:
        """Makes every import start and end separate workers; no other worker exists."""
        self.end()
        patch.setattr(imports, "new_pool", new_pool)
        patch.setattr(imports, "end_pool", end_pool)
