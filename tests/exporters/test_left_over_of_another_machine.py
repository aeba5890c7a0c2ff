"""Unfinished exports in a shared folder: whether a process of another machine still writes cannot be asked here."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import zlib
from pathlib import Path

import pytest

from workbench.exporters.safe_file import sweep

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows asks no process whether it lives")
HOUR = 3600.0


def left_over(folder: Path, machine: str, process: int, age_s: float = 0.0) -> Path:
    """A file that an export of this process of this machine is writing, last written to `age_s` ago."""
    file = folder / f".vdiwb-{zlib.crc32(machine.encode()):08x}-{process}-0123456789ab.xlsx"
    file.write_bytes(b"half")
    os.utime(file, (time.time() - age_s,) * 2)
    return file


@pytest.fixture
def dead_process() -> int:
    """The number of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr("platform.node", lambda: "this-machine")
    return "this-machine"


def test_that_a_file_of_another_machine_stays_though_no_process_here_has_its_number(
    tmp_path: Path, here: str, dead_process: int
) -> None:
    file = left_over(tmp_path, "another-machine", dead_process, 23 * HOUR)
    sweep(tmp_path)
    assert file.exists()


def test_that_a_file_of_another_machine_goes_after_a_day_though_a_process_here_has_its_number(
    tmp_path: Path, here: str
) -> None:
    file = left_over(tmp_path, "another-machine", os.getpid(), 25 * HOUR)
    sweep(tmp_path)
    assert not file.exists()


def test_that_a_file_of_this_machine_goes_once_its_process_has_ended_and_not_before(
    tmp_path: Path, here: str, dead_process: int
) -> None:
    ended = left_over(tmp_path, here, dead_process)
    writing = left_over(tmp_path, here, os.getpid(), 25 * HOUR)
    sweep(tmp_path)
    assert (ended.exists(), writing.exists()) == (False, True)
