"""Workers that end at the worst moment: between two messages, or while they hold the pipe or its locks."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Event

import pytest
from pebble.pool.process import Acknowledgement, PoolManager, WorkerManager

from tests.study.readers_that_fail import misbehave
from tests.study.test_import_pool import codes, drained
from workbench.model.problem import Severity
from workbench.model.reading import Reading
from workbench.study.importing import workers
from workbench.study.importing.pool import ImportJob
from workbench.study.importing.source import ImportSource
from workbench.study.store.column_store import Store

pytestmark = pytest.mark.usefixtures("own_workers", "no_process_left")

# Messages of two workers to a pool: the first has taken "wait" and reads it; the other has taken "good", has read it,
# and has taken "die".
READ_GOOD, TAKEN_DIE = 3, 4


def wait_or_misbehave(path: Path, name: str, store: Store) -> Reading:
    """Waits with the file "wait" until the test continues it."""
    while name == "wait" and not (store.root / "go").exists():
        time.sleep(0.01)
    return misbehave(path, name, store)


def in_this_order(folder: Path, *names: str) -> tuple[ImportSource, ...]:
    """Files in their reading order: the largest comes first."""
    for number, name in enumerate(names):
        (folder / name).write_bytes(bytes(len(names) - number))
    return tuple(ImportSource(folder / name, name) for name in names)


@pytest.mark.parametrize("late", [READ_GOOD, TAKEN_DIE])
def test_that_messages_of_a_dead_worker_are_received_even_late(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, late: int
) -> None:
    # On a busy machine the thread that receives messages may run after the one that detects dead workers.
    heard: list[object] = []
    seen_dead, store = Event(), Store(tmp_path / "store")
    receive, update = WorkerManager.receive, PoolManager.update_workers

    def receive_late(manager: WorkerManager, timeout: float) -> object:
        message = receive(manager, timeout)
        if isinstance(message, Acknowledgement) or hasattr(message, "task"):
            heard.append(message)
            if len(heard) == late:
                assert seen_dead.wait(60)
                (store.root / "go").touch()
        return message

    def update_and_tell(manager: PoolManager) -> None:
        update(manager)
        if len(heard) == late and heard[1].worker not in manager.worker_manager.workers:  # type: ignore[attr-defined]
            seen_dead.set()

    monkeypatch.setattr(WorkerManager, "receive", receive_late)
    monkeypatch.setattr(PoolManager, "update_workers", update_and_tell)
    job = ImportJob(in_this_order(tmp_path, "wait", "good", "die"), store, 2, wait_or_misbehave, timeout_base_s=30.0)
    job.start()
    found = drained(job, 120.0)
    assert [codes(found[name]) for name in ("wait", "good", "die")] == [[], [], [(Severity.REFUSED, "reader-died")]]


class DiesOnArrival:
    """A reader that ends the second worker that receives it, while no other worker can take a task or answer. The first
    worker continues afterwards."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __setstate__(self, state: dict[str, Path]) -> None:
        self.folder = state["folder"]
        first, died = self.folder / "first", self.folder / "died"
        if not first.exists():
            first.touch()
        elif not died.exists():
            died.touch()
            os.kill(os.getpid(), signal.SIGKILL)

    def __call__(self, path: Path, name: str, store: Store) -> Reading:
        while not (self.folder / "died").exists():
            time.sleep(0.01)
        return misbehave(path, name, store)


def cut_its_answer(path: Path, name: str, store: Store) -> Reading:
    """Ends its worker in the middle of the answer, the first time that it reads "cut"."""
    mark = store.root / "cut"

    def half(self: Connection, data: bytes) -> None:
        os.write(self.fileno(), len(data).to_bytes(4, "big") + data[: len(data) // 2])
        os.kill(os.getpid(), signal.SIGKILL)

    if name == "cut" and not mark.exists():
        mark.touch()
        Connection._send_bytes = half  # type: ignore[attr-defined]
    return misbehave(path, name, store)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no kill -9 here")
@pytest.mark.parametrize("way", ["arrival", "answer"])
def test_that_a_worker_that_dies_while_sending_loses_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    store = Store(tmp_path / "store")
    read = DiesOnArrival(tmp_path) if way == "arrival" else cut_its_answer
    monkeypatch.setattr(workers, "PATIENCE_S", 1.0)
    job = ImportJob(in_this_order(tmp_path, "a", "b", "cut", "c", "d"), store, 2, read)
    job.start()
    found = drained(job)
    assert [codes(found[name]) for name in ("a", "b", "cut", "c", "d")] == [[]] * 5


def hang_and_tell(path: Path, name: str, store: Store) -> Reading:
    """Reports which process hangs."""
    if name == "hang":
        (store.root / "hangs").write_text(str(os.getpid()))
    return misbehave(path, name, store)


def test_that_a_worker_that_cannot_be_killed_in_time_delays_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Like a process that waits for a share in the kernel: it gets no signal.
    left: list[BaseProcess] = []
    store, signals = Store(tmp_path / "store"), (BaseProcess.kill, BaseProcess.terminate)

    def hangs(pid: int | None) -> bool:
        mark = store.root / "hangs"
        return mark.exists() and mark.read_text() == str(pid)

    monkeypatch.setattr(BaseProcess, "kill", lambda process: hangs(process.pid) or signals[0](process))
    monkeypatch.setattr(BaseProcess, "terminate", lambda process: hangs(process.pid) or signals[1](process))
    monkeypatch.setattr(os, "kill", lambda pid, number, kill=os.kill: hangs(pid) or kill(pid, number))
    monkeypatch.setattr(workers, "leave_behind", left.append)
    sources = in_this_order(tmp_path, "hang", "a", "b")
    job = ImportJob(sources, store, 1, hang_and_tell, timeout_base_s=2.0)
    job.start()
    try:
        found = drained(job)
        assert [codes(found[name]) for name in ("hang", "a", "b")] == [[(Severity.REFUSED, "reader-timeout")], [], []]
        assert [hangs(process.pid) for process in left] == [True]
    finally:
        monkeypatch.undo()
        for process in multiprocessing.active_children():
            process.kill()
            process.join()
