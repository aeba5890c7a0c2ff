"""A file that changes while it is read is rejected: its figures would mix two states."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.builders import disk_csv
from tests.readers.blg_files import COUNTER, FREQUENCY, SECOND, START, catalogue, local, log, record, sample, single
from workbench.model.reading import Reading
from workbench.readers.blg import reader as blg
from workbench.readers.perfmon import reader as perfmon
from workbench.study.discovery.folders import find_sources
from workbench.study.importing import source as sources
from workbench.study.importing.source import HEAD_BYTES, read_member, read_source
from workbench.study.store.column_store import Store

Change = Callable[[Path], None]


def grown(file: Path) -> None:
    """The file grows within one clock tick, so its time stays."""
    status = file.stat()
    with file.open("ab") as stream:
        stream.write(b"more")
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))


def overwritten(file: Path) -> None:
    """The file is written once more with as many bytes: only its time changes."""
    status = file.stat()
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns + 1_000_000_000))


def untouched(_file: Path) -> None:
    """Does not change the file."""


CHANGES = pytest.mark.parametrize(
    ("change", "codes"), [(grown, ["changed-while-read"]), (overwritten, ["changed-while-read"]), (untouched, [])]
)


def during(monkeypatch: pytest.MonkeyPatch, module: object, name: str, act: Callable[[], None]) -> None:
    """Calls `act` each time after the function `name` of `module` has returned."""
    whole = getattr(module, name)

    def with_change(*arguments: object) -> object:
        result = whole(*arguments)
        act()
        return result

    monkeypatch.setattr(module, name, with_change)


def refusals(reading: Reading) -> list[str]:
    """The codes of the problems that rejected the file."""
    return [problem.code for problem in reading.problems if problem.severity == "refused"]


@CHANGES
def test_that_a_perfmon_csv_that_changes_under_its_reader_is_rejected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Change, codes: list[str]
) -> None:
    file = disk_csv(tmp_path / "a.csv", "VM-1", [1.0] * 8, [2.0] * 8)
    during(monkeypatch, perfmon, "_store", lambda: change(file))
    reading = perfmon.read(file, "a.csv", tmp_path / "columns")
    assert refusals(reading) == codes
    assert (tmp_path / "columns").exists() == (not codes)


@CHANGES
def test_that_a_binary_log_that_changes_under_its_reader_is_rejected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Change, codes: list[str]
) -> None:
    file = tmp_path / "a.blg"
    parts = catalogue(record("PhysicalDisk", "Disk Reads/sec", COUNTER, "_Total"))
    for second in range(4):
        stamp = local(second)
        parts += sample(stamp, single(stamp, 10 * second, START + second * SECOND + second * FREQUENCY))
    file.write_bytes(log(parts))
    during(monkeypatch, blg, "_read", lambda: change(file))
    reading = blg.read(file, "a.blg", tmp_path / "columns")
    assert refusals(reading) == codes
    assert (tmp_path / "columns").exists() == (not codes)


@CHANGES
def test_that_a_file_that_changes_between_its_sum_and_its_reading_is_rejected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Change, codes: list[str]
) -> None:
    # The columns are stored under the checksum of the file; columns of other bytes must not be stored there.
    # A file no longer than the part that readers recognise is hashed from that part.
    file = disk_csv(tmp_path / "a.csv", "VM-1", [1.0] * 2_000, [2.0] * 2_000)
    assert file.stat().st_size > HEAD_BYTES
    store = Store(tmp_path / "store")
    during(monkeypatch, sources.column_store, "content_key", lambda: change(file))
    assert refusals(read_source(file, "a.csv", store)) == codes
    assert bool(list(store.root.glob("v1/columns/*"))) == (not codes)


@pytest.mark.parametrize("change", [grown, overwritten])
def test_that_a_member_of_an_archive_that_changes_is_rejected(
    tmp_path: Path, change: Change, snapshot: SnapshotAssertion
) -> None:
    inner = disk_csv(tmp_path / "guest" / "a.csv", "VM-1", [1.0] * 8, [2.0] * 8)
    archive = tmp_path / "results.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.write(inner, "run/a.csv")
    store = Store(tmp_path / "store")
    store.prepare()
    (member,) = find_sources([archive], store).sources
    change(archive)
    (problem,) = read_member(member, store).problems
    assert problem.severity == "refused"
    assert problem.message == snapshot
