"""Counter paths without a machine, or with a backslash missing, as tools that rewrite perfmon files leave them."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.model.metric import Quantity
from workbench.readers.perfmon.reader import READER
from workbench.study.importing.source import read_source
from workbench.study.store.column_store import Store

MARK = '"(PDH-CSV 4.0) (GMT Daylight Time)(-60)"'
FULL = r"\\W10-001\PhysicalDisk(_Total)\Disk Reads/sec"


def _read(tmp_path: Path, *paths: str, name: str = "VM-07.csv", mark: str = MARK, cut: str = ",") -> object:
    cells = cut.join(f'"{path}"' for path in paths)
    rows = (cut.join([f'"05/01/2024 09:00:{5 * n:02}.000"', *(f'"{40 + n}"' for _ in paths)]) for n in range(6))
    file = tmp_path / name
    file.write_text("\r\n".join([f"{mark}{cut}{cells}", *rows, ""]))
    store = Store(tmp_path / "store")
    store.prepare()
    return read_source(file, name, store)


@pytest.mark.parametrize(
    "path",
    [
        r"\PhysicalDisk(_Total)\Disk Reads/sec",
        r"PhysicalDisk(_Total)\Disk Reads/sec",
        r"\\PhysicalDisk(_Total)\Disk Reads/sec",
        r"\PhysicalDisk(0 C: (system))\Disk Reads/sec",
        r"\PhysicalDisk(\Device\Disk0)\Disk Reads/sec",
    ],
)
@pytest.mark.parametrize(("mark", "cut"), [(MARK, ","), (MARK, ";"), (MARK.replace("CSV", "TSV"), "\t")])
def test_that_a_path_without_a_machine_uses_the_file_name(tmp_path: Path, path: str, mark: str, cut: str) -> None:
    reading = _read(tmp_path, path, r"\Memory\Available MBytes", mark=mark, cut=cut)
    assert reading.recording is not None
    disk, memory = reading.recording.series
    assert {(one.host, one.vm) for one in (disk, memory)} == {("VM-07", "VM-07")}
    assert (disk.object, disk.counter, memory.object) == ("PhysicalDisk", "Disk Reads/sec", "Memory")
    assert reading.report.hosts == ("VM-07",)
    (problem,) = reading.problems
    assert (problem.code, problem.line) == ("machine-from-name", 1)


def test_that_a_counter_without_a_machine_has_its_meaning(tmp_path: Path) -> None:
    (disk,) = _read(tmp_path, r"\PhysicalDisk(_Total)\Disk Reads/sec").recording.series
    assert disk.metric is not None
    assert disk.metric.quantity is Quantity.READ_IOPS


def test_that_a_path_with_one_backslash_keeps_its_machine(tmp_path: Path) -> None:
    reading = _read(tmp_path, FULL[1:], r"\W10-001\Memory\Available MBytes")
    assert reading.report.hosts == ("W10-001",)
    assert [one.path for one in reading.recording.series] == [FULL, r"\\W10-001\Memory\Available MBytes"]
    assert reading.problems == ()


def test_that_full_paths_and_short_ones_of_one_file_keep_their_machines(tmp_path: Path) -> None:
    reading = _read(tmp_path, FULL, r"\Memory\Available MBytes")
    assert [one.host for one in reading.recording.series] == ["W10-001", "VM-07"]


def test_that_copies_under_other_names_are_other_machines(tmp_path: Path) -> None:
    hosts = [
        _read(tmp_path, r"\Memory\Available MBytes", name=name).report.hosts for name in ("a.csv", "b.csv", "a.csv")
    ]
    assert hosts == [("a",), ("b",), ("a",)]


@pytest.mark.parametrize("path", [FULL, r"\\esx\Physical Cpu(_Total)\% Util Time", r"\\W10\Process(a, b)\IO Read/sec"])
def test_that_the_name_of_a_file_with_full_paths_is_ignored(path: str) -> None:
    head = f'{MARK},"{path}"\r\n'
    assert READER.takes_name is not None
    assert not READER.takes_name(head.encode())
    assert not READER.takes_name(head.encode("utf-16"))
