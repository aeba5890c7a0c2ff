"""Standby workers: an import uses them, or ends unsuitable ones; none keeps running."""

from __future__ import annotations

import multiprocessing
import multiprocessing.context
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.processes import wait_until_gone
from tests.study.readers_that_fail import misbehave, name_the_process
from tests.study.test_import_pool import codes, drained, files
from workbench.model.problem import Severity
from workbench.model.reading import Reading
from workbench.study.importing.pool import ImportJob
from workbench.study.importing.source import ImportSource, ReadSource
from workbench.study.importing.standby import SMALL_BYTES, Standby
from workbench.study.store.column_store import Store

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.usefixtures("own_workers", "no_process_left")


@pytest.fixture
def standby() -> Iterator[Standby]:
    made = Standby(2)
    made.start()
    yield made
    made.end()


def waiting() -> set[int]:
    return {child.pid for child in multiprocessing.active_children() if child.pid is not None}


def imported(
    sources: tuple[ImportSource, ...],
    folder: Path,
    standby: Standby,
    read: ReadSource = name_the_process,
    workers: int = 2,
) -> dict[str, Reading]:
    job = ImportJob(sources, Store(folder / "store"), workers, read, standby=standby)
    job.start()
    return drained(job)


def readers(found: dict[str, Reading]) -> set[int]:
    return {reading.report.rows for reading in found.values()}


def test_that_an_import_is_read_by_standby_workers(tmp_path: Path, standby: Standby) -> None:
    before = waiting()
    assert len(before) == 2
    assert readers(imported(files(tmp_path, *"abcd"), tmp_path, standby)) <= before
    assert not standby.ready
    assert waiting() == set()


def test_that_one_small_file_is_read_by_a_standby_worker(tmp_path: Path, standby: Standby) -> None:
    before = waiting()
    assert readers(imported(files(tmp_path, "a"), tmp_path, standby)) <= before


def test_that_a_large_file_uses_every_core_and_no_worker_is_on_standby_meanwhile(
    tmp_path: Path, standby: Standby
) -> None:
    before = waiting()
    with (tmp_path / "large").open("wb") as large:
        large.truncate(SMALL_BYTES)
    found = imported((ImportSource(tmp_path / "large", "large"), *files(tmp_path, "a")), tmp_path, standby)
    assert readers(found).isdisjoint(before)
    assert not standby.ready


def test_that_more_workers_than_those_on_standby_are_started(tmp_path: Path, standby: Standby) -> None:
    before = waiting()
    assert readers(imported(files(tmp_path, *"abcd"), tmp_path, standby, workers=3)).isdisjoint(before)


def test_that_workers_are_on_standby_until_files_arrive(tmp_path: Path, standby: Standby) -> None:
    before = waiting()
    standby.start()
    assert imported((), tmp_path, standby) == {}
    assert waiting() == before
    standby.end()
    standby.end()
    assert waiting() == set()


@pytest.mark.parametrize(
    ("name", "code"), [("raise", "reader-failed"), ("die", "reader-died"), ("hang", "reader-timeout")]
)
def test_that_a_failed_standby_worker_affects_only_its_file(
    tmp_path: Path, standby: Standby, name: str, code: str
) -> None:
    sources = files(tmp_path, "a", name, "b")
    job = ImportJob(sources, Store(tmp_path / "store"), 2, misbehave, timeout_base_s=2.0, standby=standby)
    job.start()
    found = drained(job)
    assert codes(found[name]) == [(Severity.REFUSED, code)]
    assert [codes(found[good]) for good in "ab"] == [[], []]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no kill -9 here")
def test_that_an_import_works_without_a_standby_worker_that_was_killed(tmp_path: Path, standby: Standby) -> None:
    os.kill(min(waiting()), signal.SIGKILL)
    time.sleep(0.5)
    found = imported(files(tmp_path, *"abcd"), tmp_path, standby)
    assert [codes(found[name]) for name in "abcd"] == [[]] * 4


def test_that_no_worker_is_on_standby_if_the_system_has_no_free_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none_left(*_: object) -> None:
        raise BlockingIOError

    short = Standby(2)
    with monkeypatch.context() as patched:
        patched.setattr(multiprocessing.context.SpawnContext.Process, "start", none_left)
        short.start()
    assert not short.ready
    assert codes(imported(files(tmp_path, "a"), tmp_path, short)["a"]) == []


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no kill -9 here")
@pytest.mark.parametrize("way", ["SIGKILL", "SIGINT", "end"])
def test_that_standby_workers_do_not_outlive_the_program(tmp_path: Path, way: str) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import multiprocessing, signal, sys, time\n"
        "from workbench.study.importing.standby import Standby\n"
        "if __name__ == '__main__':\n"
        # A suite in the background passes on that Ctrl+C is ignored.
        "    signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "    Standby(2).start()\n"
        "    print(len(multiprocessing.active_children()), flush=True)\n"
        "    time.sleep(0 if sys.argv[1] == 'end' else 60)\n"
    )
    with subprocess.Popen(
        [sys.executable, str(program), way],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        start_new_session=True,
    ) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == b"2\n"
        if way != "end":
            running.send_signal(signal.Signals[way])
        running.wait(30)
    wait_until_gone(running.pid)
