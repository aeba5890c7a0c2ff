"""A cancelled import leaves no process, temporary file or half-read file, at any moment."""

from __future__ import annotations

import multiprocessing
import multiprocessing.process
import random
import signal
import threading
import time
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.builders import disk_csv
from tests.stalled import Share
from tests.study.test_import_pool import drained
from workbench.cancellation import Cancelled, beside, cancelled_by
from workbench.model.reading import Reading
from workbench.model.recording import FileReport
from workbench.study.discovery.folders import find_sources
from workbench.study.importing.pool import ImportJob
from workbench.study.importing.standby import end_pool
from workbench.study.importing.workers import new_pool
from workbench.study.store.column_store import Store, drop_parts
from workbench.study.store.temporary import machine, temporary_beside

pytestmark = pytest.mark.usefixtures("own_workers")
# The promised limit is a second; a busy machine may take three.
OBEYS_S = 3.0


def lab(folder: Path, files: int = 12, rows: int = 4_000) -> Path:
    for number in range(files):
        disk_csv(folder / "MCS" / f"{number}.csv", f"V{number}", [1.0 + number] * rows, [2.0] * rows)
    return folder


def left_over(store: Store) -> list[str]:
    return [str(path) for path in store.root.rglob("*") if ".part" in path.name or path.suffix == ".owner"]


def read_whole(job: ImportJob) -> dict[str, Reading]:
    job.start()
    return drained(job)


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 6))])
def test_that_a_cancel_at_a_random_moment_leaves_no_files(tmp_path: Path, seed: int) -> None:
    moment = random.Random(seed)
    sources = find_sources([lab(tmp_path / "lab")]).sources
    whole = read_whole(ImportJob(sources, Store(tmp_path / "other"), 2))
    store = Store(tmp_path / "store")
    job = ImportJob(sources, store, 2)
    job.start()
    few = moment.randrange(len(sources))
    readings: dict[str, Reading] = {}
    give_up = time.monotonic() + 60
    while len(readings) < few and time.monotonic() < give_up:
        readings |= {source.name: reading for source, reading in job.poll()}
        time.sleep(0.001)
    time.sleep(moment.uniform(0.0, 0.05))
    begun = time.monotonic()
    job.cancel()
    readings |= drained(job)
    assert time.monotonic() - begun < OBEYS_S
    job.join()
    assert multiprocessing.active_children() == []
    assert left_over(store) == []
    assert readings.keys() == whole.keys()
    for name, reading in readings.items():
        read = reading.report.recognised
        assert read or [problem.code for problem in reading.problems] == ["cancelled"]
        assert not read or reading.report == whole[name].report
    again = read_whole(ImportJob(sources, store, 2))
    assert {name: reading.report for name, reading in again.items()} == {
        name: reading.report for name, reading in whole.items()
    }


def leave_much(path: Path, name: str, store: Store) -> Reading:
    """A reader in the middle of its work: it leaves a part file and a folder of parts, and never ends."""

    part = temporary_beside(store.columns("k"))
    part.write_text("half")
    part.with_suffix(".sums.part").write_text("half")
    folder = part.with_name(f"{part.name}.x")
    folder.mkdir()
    (folder / "spill").write_text("half")
    (store.root / "begun").touch()
    signal.pause()
    return Reading(FileReport(path=name))


@pytest.mark.skipif(not hasattr(signal, "pause"), reason="Windows has no such signal")
def test_that_partial_files_of_a_killed_worker_are_deleted(tmp_path: Path) -> None:
    sources = find_sources([lab(tmp_path / "lab", 1)]).sources
    store = Store(tmp_path / "store")
    job = ImportJob(sources, store, 1, leave_much)
    job.start()
    while not (store.root / "begun").exists():
        time.sleep(0.01)
    time.sleep(0.1)
    assert len(left_over(store)) == 3
    (store.columns("k").parent / "other.1.part").write_text("another process writes this")
    job.cancel()
    drained(job)
    assert left_over(store) == [str(store.columns("k").parent / "other.1.part")]


def test_that_temporary_folders_are_deleted_with_time_and_others_stay(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    store.prepare()
    columns = store.columns("k").parent
    (columns / f".vdiwb-{machine()}-77-0123456789ab.part.x").mkdir()
    # This process is alive.
    kept = temporary_beside(store.columns("k"))
    kept.touch()
    drop_parts(store, [77])
    assert left_over(store) == [str(kept)]


def test_that_a_worker_that_cannot_be_killed_is_abandoned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Like a process that waits for a share in the kernel: it gets no signal.
    left: list[Any] = []
    monkeypatch.setattr("workbench.study.importing.standby.leave_behind", left.append)
    monkeypatch.setattr(multiprocessing.process.BaseProcess, "kill", lambda _: None)
    monkeypatch.setattr(multiprocessing.process.BaseProcess, "terminate", lambda _: None)
    pool = new_pool(1, 1)
    pool.schedule(time.sleep, args=(600,))
    begun = time.monotonic()
    ended = end_pool(pool)
    assert time.monotonic() - begun < OBEYS_S
    assert [process.pid for process in left] == list(ended)
    monkeypatch.undo()
    for process in left:
        process.kill()
        process.join()


def test_that_searching_folders_ends_when_cancelled(tmp_path: Path) -> None:
    asked = threading.Event()
    asked.set()
    with cancelled_by(asked), pytest.raises(Cancelled):
        find_sources([lab(tmp_path / "lab", 3, 2)])


def test_that_archives_unpacked_before_the_cancel_are_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = tmp_path / "inner.zip"
    with zipfile.ZipFile(inner, "w") as archive:
        archive.write(disk_csv(tmp_path / "a.csv", "A", [1.0] * 20, [1.0] * 20), "MCS/a.csv")
    for name in ("1.zip", "2.zip"):
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            archive.write(inner, "inner.zip")
    store, asked = Store(tmp_path / "store"), threading.Event()
    store.prepare()
    paths = [tmp_path / "1.zip", tmp_path / "2.zip"]
    from workbench.study.discovery import folders

    listed = folders.list_archive

    def then_cancelled(*args: Any) -> Any:
        members = listed(*args)
        assert left_over(store) != []
        asked.set()
        return members

    monkeypatch.setattr(folders, "list_archive", then_cancelled)
    with cancelled_by(asked), pytest.raises(Cancelled):
        find_sources(paths, store)
    assert left_over(store) == []


def test_that_ctrl_c_works_while_a_share_does_not_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    share = Share(lab(tmp_path / "lab", 1, 2), monkeypatch)
    share.stall()

    def ctrl_c() -> None:
        if share.asked.is_set():
            raise KeyboardInterrupt

    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        beside(lambda: find_sources([share.folder]), ctrl_c)
    assert time.monotonic() - begun < OBEYS_S
    share.release()


def test_that_work_in_a_thread_returns_and_raises_as_usual() -> None:
    assert beside(lambda: 7) == 7
    with pytest.raises(ZeroDivisionError):
        beside(lambda: 1 / 0)
