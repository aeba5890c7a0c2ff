"""An import survives workers that raise, panic, hang or are killed: only their file is lost."""

from __future__ import annotations

import errno
import multiprocessing.context
import multiprocessing.spawn
import os
import re
import sys
import time
from pathlib import Path

import polars as pl
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.builders import disk_csv
from tests.study.readers_that_fail import count_threads, leave_a_note, misbehave, read_as_very_many
from workbench.model.problem import Severity
from workbench.model.reading import Reading
from workbench.study.importing.pool import TIMEOUT_BASE_S, ImportJob, read_each
from workbench.study.importing.source import ImportSource, ReadSource, failed, read_source
from workbench.study.importing.workers import BATCH_BYTES, BATCH_FILES, batches
from workbench.study.store import column_store
from workbench.study.store.column_store import Store

pytestmark = pytest.mark.usefixtures("own_workers", "no_process_left")


def files(folder: Path, *names: str) -> tuple[ImportSource, ...]:
    for name in names:
        (folder / name).write_text(name)
    return tuple(ImportSource(folder / name, name) for name in names)


def ended(job: ImportJob) -> None:
    """Ends an import that a test leaves unfinished; otherwise its workers would make later tests fail."""
    job.cancel()
    assert job._winding_up is not None
    job._winding_up.join()


def drained(job: ImportJob, limit_s: float = 60.0) -> dict[str, Reading]:
    found: dict[str, Reading] = {}
    shares = [0.0]
    give_up = time.monotonic() + limit_s
    while not job.finished:
        if time.monotonic() > give_up:
            ended(job)
            pytest.fail("the import did not end")
        found |= {source.name: reading for source, reading in job.poll()}
        shares.append(job.progress)
        time.sleep(0.01)
    assert shares == sorted(shares)
    assert job.progress == 1.0
    return found


def imported(
    sources: tuple[ImportSource, ...],
    folder: Path,
    read: ReadSource = read_source,
    timeout_base_s: float = TIMEOUT_BASE_S,
) -> dict[str, Reading]:
    job = ImportJob(sources, Store(folder / "store"), 2, read, timeout_base_s)
    job.start()
    found = drained(job)
    assert found.keys() == {source.name for source in sources}
    return found


def codes(reading: Reading) -> list[tuple[Severity, str]]:
    return [(problem.severity, problem.code) for problem in reading.problems]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("raise", "reader-failed"),
        ("panic", "reader-failed"),
        ("strange", "reader-failed"),
        ("exit", "reader-failed"),
        ("interrupt", "reader-failed"),
        ("die", "reader-died"),
        ("hang", "reader-timeout"),
    ],
)
def test_that_a_worker_fault_affects_only_its_file(tmp_path: Path, name: str, code: str) -> None:
    sources = files(tmp_path, "a", f"{name}-1", "b", f"{name}-2", "c")
    found = imported(sources, tmp_path, misbehave, timeout_base_s=2.0)
    assert [codes(found[good]) for good in "abc"] == [[], [], []]
    for bad in (f"{name}-1", f"{name}-2"):
        assert codes(found[bad]) == [(Severity.REFUSED, code)]
        assert not found[bad].report.recognised


@pytest.mark.parametrize(("name", "code"), [("raise", "reader-failed"), ("die", "reader-died")])
def test_that_a_fault_in_a_batch_of_small_files_affects_only_its_file(tmp_path: Path, name: str, code: str) -> None:
    good = [f"good-{number}" for number in range(60)]
    sources = files(tmp_path, *good[:31], name, *good[31:])
    sizes = dict.fromkeys(sources, 1)
    assert max(map(len, batches(sizes, 2))) > 1
    found = imported(sources, tmp_path, misbehave)
    assert codes(found[name]) == [(Severity.REFUSED, code)]
    assert all(found[one].report.rows == 1 for one in good)


@pytest.mark.parametrize("name", ["raise", "panic", "strange"])
def test_that_a_task_returns_every_file_whatever_a_reader_raises(tmp_path: Path, name: str) -> None:
    # A worker of a cluster gets several files too, and nobody reads them one by one when it fails.
    sources = files(tmp_path, "a", name, "b")
    first, bad, last = read_each(sources, Store(tmp_path / "store"), misbehave, {})
    assert [codes(first), codes(last)] == [[], []]
    assert codes(bad) == [(Severity.REFUSED, "reader-failed")]
    assert bad.problems[0].file == name


def test_that_a_failure_is_reported_in_one_line_without_the_file_content() -> None:
    error = UnicodeDecodeError("utf-8", bytes(10**6), 7, 8, "invalid start byte")
    (problem,) = failed("a.csv", error).problems
    assert "invalid characters" in problem.message
    assert len(problem.message) < 400


@pytest.mark.parametrize(("name", "error"), [("exit", SystemExit), ("interrupt", KeyboardInterrupt)])
def test_that_the_program_can_be_ended_during_reading(tmp_path: Path, name: str, error: type[BaseException]) -> None:
    with pytest.raises(error):
        read_each(files(tmp_path, name), Store(tmp_path / "store"), misbehave, {})


def test_that_batches_contain_every_file_once_and_large_ones_alone(tmp_path: Path) -> None:
    small = [ImportSource(tmp_path / f"s{number}", f"s{number}") for number in range(1_000)]
    large = [ImportSource(tmp_path / f"l{number}", f"l{number}") for number in range(3)]
    sizes = dict.fromkeys(small, 2_000) | dict.fromkeys(large, BATCH_BYTES)
    found = batches(sizes, 2)
    assert sorted(one.name for batch in found for one in batch) == sorted(one.name for one in sizes)
    assert found[:3] == [(one,) for one in large]
    assert max(map(len, found)) == BATCH_FILES
    assert [len(batch) for batch in batches(dict.fromkeys(small[:7], 1), 2)] == [1] * 7
    assert batches({}, 2) == []


def test_that_workers_share_the_cores_unless_one_file_is_most_of_the_work(tmp_path: Path) -> None:
    alike = imported(files(tmp_path, *"abcd"), tmp_path, count_threads)
    assert {reading.report.rows for reading in alike.values()} == {1}
    (tmp_path / "large").write_bytes(bytes(1000))
    uneven = imported((ImportSource(tmp_path / "large", "large"), *files(tmp_path, "a")), tmp_path, count_threads)
    assert {reading.report.rows for reading in uneven.values()} == {pl.thread_pool_size()}


def test_that_a_worker_does_not_import_the_main_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started = tmp_path / "started"
    program = tmp_path / "program.py"
    program.write_text(f"open({str(started)!r}, 'w')")
    main = sys.modules["__main__"]
    monkeypatch.setattr(main, "__file__", str(program), raising=False)
    monkeypatch.setattr(main, "__spec__", None)
    assert codes(imported(files(tmp_path, "a"), tmp_path, misbehave)["a"]) == []
    assert not started.exists()
    assert main.__file__ == str(program)


def test_that_cancel_keeps_finished_files_and_ends_at_once(tmp_path: Path) -> None:
    sources = files(tmp_path, "hang-1", "hang-2", "hang-3", "a")
    job = ImportJob(sources, Store(tmp_path / "store"), 1, misbehave)
    (tmp_path / "a").write_text("the largest file is read first")
    job.start()
    found: dict[str, Reading] = {}
    while not found:
        found |= {source.name: reading for source, reading in job.poll()}
        time.sleep(0.01)
    job.cancel()
    found |= drained(job, 20.0)
    assert job.cancelled
    assert found["a"].report.recognised
    assert [codes(found[f"hang-{n}"]) for n in (1, 2, 3)] == [[(Severity.REFUSED, "cancelled")]] * 3


def test_that_cancelling_twice_or_late_is_harmless(tmp_path: Path) -> None:
    job = ImportJob(files(tmp_path, "a"), Store(tmp_path / "store"), 1, misbehave)
    job.start()
    assert codes(drained(job)["a"]) == []
    job.cancel()
    job.cancel()
    assert drained(job) == {}


def test_that_an_import_without_files_is_finished_at_once(tmp_path: Path) -> None:
    job = ImportJob((), Store(tmp_path / "store"))
    job.start()
    assert (job.finished, job.progress, job.poll()) == (True, 1.0, [])


def test_that_a_second_open_reads_no_file(tmp_path: Path) -> None:
    sources = (
        ImportSource(disk_csv(tmp_path / "w.csv", "W10-001", [1.0, 2.0], [3.0, 4.0]), "w.csv"),
        *files(tmp_path, "notes.bin"),
    )
    notes = tmp_path / "store" / "notes.txt"
    first = imported(sources, tmp_path, leave_a_note)
    assert sorted(notes.read_text().split()) == ["notes.bin", "w.csv"]
    second = imported(sources, tmp_path, leave_a_note)
    assert sorted(notes.read_text().split()) == ["notes.bin", "w.csv"]
    assert second == first


def test_that_run_toml_needs_no_worker(tmp_path: Path) -> None:
    job = ImportJob(files(tmp_path, "run.toml"), Store(tmp_path / "store"), 1, misbehave)
    job.start()
    assert [source.name for source, _ in job.poll()] == ["run.toml"]
    assert job.finished


def test_that_a_missing_file_is_rejected_with_a_sentence(tmp_path: Path) -> None:
    found = imported((ImportSource(tmp_path / "gone.csv", "gone.csv"),), tmp_path)
    assert codes(found["gone.csv"]) == [(Severity.REFUSED, "unreadable")]
    # Each system has its own text.
    assert re.fullmatch(r"The file cannot be opened: \w[\w ]+\.", found["gone.csv"].problems[0].message)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows asks for the program before it starts one")
@pytest.mark.parametrize("program", ["/nonexistent", "/bin/false"])
def test_that_workers_that_cannot_start_end_the_import_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    # The machine is out of processes or memory: a new one ends before it does anything.
    monkeypatch.setattr(multiprocessing.spawn, "_python_exe", os.fsencode(program))
    found = imported(files(tmp_path, "a.csv", "b.csv"), tmp_path)
    assert {code for reading in found.values() for code in codes(reading)} == {(Severity.REFUSED, "reader-died")}


def test_that_a_system_without_free_processes_ends_the_import_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    def none_left(*_: object) -> None:
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))

    monkeypatch.setattr(multiprocessing.context.SpawnContext.Process, "start", none_left)
    found = imported(files(tmp_path, "a.csv", "b.csv"), tmp_path)
    assert {code for reading in found.values() for code in codes(reading)} == {(Severity.REFUSED, "reader-died")}
    assert found["a.csv"].problems[0].message == snapshot


@pytest.mark.parametrize(
    ("failures", "outcome", "times"),
    [
        ([MemoryError()], [(Severity.REFUSED, "reader-failed")], 1),
        ([OSError("share gone")], [(Severity.REFUSED, "reader-failed")], 1),
        ([None], [], 2),
        ([None, None], [(Severity.REFUSED, "store-lost")], 2),
    ],
    ids=["no memory", "no share", "lost once", "lost twice"],
)
def test_that_a_reading_that_cannot_be_loaded_from_the_store_affects_only_its_file(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    failures: list[Exception | None],
    outcome: list[tuple[Severity, str]],
    times: int,
) -> None:
    def fail(store: Store, key: str, name: str, *_: object) -> Reading | None:
        failure = left.pop() if name == "b.csv" and left else load
        if isinstance(failure, Exception):
            raise failure
        return None if failure is None else load(store, key, name)

    load, left = column_store.load, [*failures]
    for number, name in enumerate("abc"):
        disk_csv(tmp_path / f"{name}.csv", f"W10-{number}", [1.0, 2.0], [3.0, 4.0])
    sources = tuple(ImportSource(tmp_path / f"{name}.csv", f"{name}.csv") for name in "abc")
    monkeypatch.setattr(column_store, "load", fail)
    found = imported(sources, tmp_path, read_as_very_many)
    assert [codes(found[f"{name}.csv"]) for name in "abc"] == [[], outcome, []]
    assert sorted((tmp_path / "store" / "notes.txt").read_text().split()).count("b.csv") == times
