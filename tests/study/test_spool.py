"""The spool: files of a process are private while it runs, and deleted soon after its end."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.study.archive_files import EVENTS, packed, read, recognised
from workbench.study.importing import spool
from workbench.study.importing.pool import ImportJob
from workbench.study.store.column_store import Store

ROOT = Path(__file__).parents[2]
# A window that has two files in the spool, one of them with the time of a member of an old archive.
HOLDS = """
import os, sys
from pathlib import Path
from workbench.study.importing import spool
from workbench.study.store.column_store import Store
one, other = (spool.new_file(Store(Path(sys.argv[1]))) for _ in range(2))
os.utime(other, (1_462_867_200, 1_462_867_200))
print(one, other, sep="\\n", flush=True)
sys.stdin.readline()
"""
# A window that has listed an archive within an archive, and reads it on request.
IMPORTS = """
import sys
import time
from pathlib import Path
from workbench.study.store.column_store import Store
from workbench.study.discovery.folders import find_sources
from workbench.study.importing.pool import read_each
from workbench.study.importing.source import read_source
store = Store(Path(sys.argv[1]))
found = find_sources([Path(sys.argv[2])], store)
print("listed", flush=True)
sys.stdin.readline()
for reading in read_each(found.sources, store, read_source, {}):
    print(reading.report.path, reading.report.recognised, [one.code for one in reading.problems], flush=True)
"""


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


def spooled(store: Store) -> list[str]:
    return sorted(path.name for path in (store.root / "v1" / "spool").iterdir())


@contextmanager
def another(program: str, *given: object) -> Iterator[subprocess.Popen[str]]:
    """A program in a separate process, ended at the end of the block."""
    with subprocess.Popen(
        [sys.executable, "-c", program, *map(str, given)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def told(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def test_that_files_of_a_running_process_are_kept_and_deleted_after_it_is_killed(store: Store) -> None:
    with another(HOLDS, store.root) as process:
        theirs = [Path(told(process)) for _ in range(2)]
        own = spool.new_file(store)
        for keep_s in (spool.KEEP_S, 0.0, -1.0):
            assert spool.sweep(store, keep_s) == 0
            assert all(path.exists() for path in (*theirs, own))
        process.kill()
        process.wait()
        assert spool.sweep(store) == 2
        assert not any(path.exists() for path in theirs)
        assert own.exists()
    spool.remove(own)
    assert spooled(store) == []


def test_that_a_second_window_deletes_no_files_of_an_importing_one(tmp_path: Path, store: Store) -> None:
    inner = packed(tmp_path / "inner.zip", {"events.csv": EVENTS}).read_bytes()
    outer = packed(tmp_path / "lab.zip", {"mcs.zip": inner, "pvs.zip": inner})
    with another(IMPORTS, store.root, outer) as first:
        assert told(first) == "listed"
        other = packed(tmp_path / "other.zip", {"a.zip": inner, "b.csv": EVENTS})
        assert recognised(read(store, other)[1]) == {"other.zip/a.zip/events.csv", "other.zip/b.csv"}
        spool.sweep(store, keep_s=0.0)
        assert first.stdin is not None
        first.stdin.write("\n")
        first.stdin.flush()
        assert [told(first), told(first)] == [
            "lab.zip/mcs.zip/events.csv True []",
            "lab.zip/pvs.zip/events.csv True []",
        ]
    spool.sweep(store)
    assert spooled(store) == []


def test_that_a_file_is_private_and_its_owner_folder_goes_with_the_last_file(store: Store) -> None:
    one, other = spool.new_file(store), spool.new_file(store)
    assert stat.S_IMODE(one.stat().st_mode) == 0o600 or os.name == "nt"
    assert [name.rpartition(".")[2] for name in spooled(store)] == ["part", "part", "owner"]
    spool.remove(one)
    spool.remove(one)
    assert other.exists()
    assert spool.sweep(store, keep_s=0.0) == 0
    spool.remove(other)
    assert spooled(store) == []


def test_that_spool_names_differ_by_more_than_case(store: Store) -> None:
    paths = [spool.new_file(store) for _ in range(50)]
    assert all(name == name.lower() for name in spooled(store))
    assert len({path.name.casefold() for path in paths}) == 50
    for path in paths:
        spool.remove(path)


def test_that_files_of_another_machine_are_deleted_by_age(store: Store) -> None:
    # The lock need not be visible to this process.
    own = spool.new_file(store)
    owner = own.with_name("00000000-abcdefgh.owner")
    theirs = own.with_name("00000000-abcdefgh-12345678.part")
    for path in (owner, theirs):
        path.write_bytes(b"")
    assert spool.sweep(store) == 0
    assert theirs.exists()
    time.sleep(0.01)
    assert spool.sweep(store, keep_s=0.0) == 1
    assert not theirs.exists()
    assert own.exists()
    spool.remove(own)


@pytest.mark.skipif(os.name == "nt", reason="Windows deletes nothing that is open")
def test_that_a_deleted_spool_folder_is_created_again(store: Store) -> None:
    first = spool.new_file(store)
    for path in first.parent.iterdir():
        path.unlink()
    second = spool.new_file(store)
    assert spool.sweep(store, keep_s=0.0) == 0
    assert second.exists()
    spool.remove(second)
    assert spooled(store) == []


def test_that_an_import_cleans_up_after_a_killed_process(store: Store) -> None:
    with another(HOLDS, store.root) as process:
        theirs = Path(told(process))
        process.kill()
        process.wait()
    assert theirs.exists()
    ImportJob((), store).start()
    assert spooled(store) == []
