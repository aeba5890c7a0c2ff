"""Workers that ignore Ctrl+C from their start."""

from __future__ import annotations

import os
import signal
import sys
import time
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess

import pytest

from workbench.study.importing import workers
from workbench.study.importing.workers import DEAF_CONTEXT, interrupts_ignored, new_pool


def test_that_a_windows_console_process_ignores_ctrl_c_from_its_start(monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[str] = []
    monkeypatch.setattr(workers, "hear_ctrl_c", lambda heard: steps.append("hears" if heard else "deaf"))
    monkeypatch.setattr(SpawnProcess, "start", lambda _process: steps.append("started"))
    DEAF_CONTEXT.Process(target=print).start()
    assert steps == ["deaf", "started", "hears"]


def test_that_the_program_reacts_to_ctrl_c_again_if_no_process_can_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[bool] = []

    def fails(_process: SpawnProcess) -> None:
        raise OSError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(workers, "hear_ctrl_c", heard.append)
    monkeypatch.setattr(SpawnProcess, "start", fails)
    with pytest.raises(OSError, match="Resource"):
        DEAF_CONTEXT.Process(target=print).start()
    assert heard == [False, True]


def test_that_every_pool_worker_ignores_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[bool] = []
    monkeypatch.setattr(workers, "hear_ctrl_c", heard.append)
    pool = new_pool(2, 1)
    try:
        assert pool.schedule(os.getpid).result() != os.getpid()
    finally:
        pool.stop()  # type: ignore[no-untyped-call]
        pool.join()
    assert heard == [False, True] * 2


def _sleep(ready: Connection) -> None:
    ready.send("ready")
    time.sleep(60)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends a signal to no single process")
def test_that_ctrl_c_does_not_reach_a_starting_process() -> None:
    ours, theirs = DEAF_CONTEXT.Pipe()
    process = DEAF_CONTEXT.Process(target=_sleep, args=(theirs,), daemon=True)
    with interrupts_ignored():
        process.start()
    try:
        pid = process.pid
        assert pid is not None
        os.kill(pid, signal.SIGINT)
        assert ours.poll(30)
        os.kill(pid, signal.SIGINT)
        process.join(0.2)
        assert process.is_alive()
    finally:
        process.kill()
        process.join()
