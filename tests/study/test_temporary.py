"""Unfinished files in a shared folder: the program cannot find out if a process on another machine still writes."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.builders import disk_csv
from workbench.gui.shell import app
from workbench.study.importing.source import read_source
from workbench.study.store import temporary
from workbench.study.store.column_store import Store, clean_up, prune
from workbench.study.store.temporary import machine, replacing, sweep, temporary_beside, write_whole

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows asks no process whether it lives")
HOUR = 3600.0


def left_over(folder: Path, machine: str, process: int, age_s: float = 0.0, ending: str = ".xlsx") -> Path:
    """A file that this process of this machine is writing, last written to `age_s` ago."""
    file = folder / f".vdiwb-{machine}-{process}-0123456789ab{ending}"
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
    monkeypatch.setattr(temporary, "node", lambda: "this-machine")
    return machine()


def test_that_a_temporary_file_of_another_machine_is_kept_although_no_local_process_has_its_number(
    tmp_path: Path, here: str, dead_process: int
) -> None:
    file = left_over(tmp_path, "00000000", dead_process, 23 * HOUR)
    sweep(tmp_path)
    assert file.exists()


def test_that_a_temporary_file_of_another_machine_is_deleted_after_a_day(tmp_path: Path, here: str) -> None:
    file = left_over(tmp_path, "00000000", os.getpid(), 25 * HOUR)
    sweep(tmp_path)
    assert not file.exists()


def test_that_a_local_temporary_file_is_deleted_only_after_its_process_ends(
    tmp_path: Path, here: str, dead_process: int
) -> None:
    ended = left_over(tmp_path, here, dead_process)
    writing = left_over(tmp_path, here, os.getpid(), 25 * HOUR)
    sweep(tmp_path)
    assert (ended.exists(), writing.exists()) == (False, True)


def test_that_names_distinguish_machines_with_equal_process_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machines = []
    for name, known_by in (("a", "1"), ("b", "1"), ("a", "2")):
        monkeypatch.setattr(temporary, "node", lambda name=name: name)
        monkeypatch.setattr(temporary, "_known_by", lambda known_by=known_by: known_by)
        machines.append(machine())
    assert len(set(machines)) == 3
    names = {temporary_beside(tmp_path / "a.json").name for _ in range(1000)}
    assert len(names) == 1000


def test_that_only_files_with_the_naming_scheme_of_the_program_are_deleted(
    tmp_path: Path, here: str, dead_process: int
) -> None:
    names = ["notes.part", f"a.{dead_process}.part", ".vdiwb-notes", f".vdiwb-{here}-{dead_process}.part", "a.json"]
    for name in names:
        (tmp_path / name).write_text("not ours")
        os.utime(tmp_path / name, (0, 0))
    assert sweep(tmp_path) == 0
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted(names)
    assert sweep(tmp_path / "nowhere") == 0


def test_that_temporary_files_of_a_dead_process_in_the_store_are_deleted_and_the_store_is_kept(
    tmp_path: Path, here: str, dead_process: int
) -> None:
    store = Store(tmp_path / "store")
    source = disk_csv(tmp_path / "A.csv", "A", [1.0, 2.0], [3.0, 4.0])
    reading = read_source(source, "A.csv", store)
    whole = sorted(file for file in store.root.rglob("*") if file.is_file())
    for folder in store.folders:
        left_over(folder, here, dead_process, ending=".part")
        left_over(folder, here, os.getpid(), ending=".part.fixed")
        (folder / f"b.{dead_process}.part").write_bytes(b"as earlier versions named them")
        os.utime(folder / f"b.{dead_process}.part", (time.time() - 25 * HOUR,) * 2)
    spilled = store.folders[0] / f".vdiwb-{here}-{dead_process}-0123456789ab.part.abc"
    spilled.mkdir()
    (spilled / "rows.arrow").write_bytes(b"half")
    clean_up(store)
    left = sorted(file for file in store.root.rglob("*") if file.is_file() and not file.name.endswith(".fixed"))
    assert left == whole
    assert not spilled.exists()
    assert len(list(store.root.rglob("*.fixed"))) == len(store.folders)
    prune(store)
    assert read_source(source, "A.csv", store) == reading


def test_that_a_file_that_cannot_be_written_keeps_the_earlier_one_and_leaves_no_temporary_file(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    file.write_text("earlier")

    def write_half() -> None:
        with replacing(file) as part:
            part.write_text("half")
            raise OSError("full")

    with pytest.raises(OSError, match="full"):
        write_half()
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [("settings.json", "earlier")]


def test_that_saving_a_workspace_file_cleans_up_after_a_dead_process(
    tmp_path: Path, here: str, dead_process: int
) -> None:
    ended = left_over(tmp_path, here, dead_process, ending=".part")
    write_whole(tmp_path / "review.vdiwb", b"{}")
    assert not ended.exists()
    assert (tmp_path / "review.vdiwb").read_bytes() == b"{}"


def test_that_the_program_cleans_its_folders_after_the_first_paint(
    tmp_path: Path, here: str, dead_process: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(tmp_path / "store"))
    monkeypatch.setenv("VDI_WORKBENCH_SETTINGS", str(tmp_path / "settings" / "settings.json"))
    monkeypatch.setenv("VDI_WORKBENCH_MAPPINGS", str(tmp_path / "mappings" / "mappings.json"))
    monkeypatch.setenv("VDI_WORKBENCH_JOURNALS", str(tmp_path / "journals"))
    folders = [*Store(tmp_path / "store").folders, *(tmp_path / name for name in ("settings", "mappings", "journals"))]
    app._clean_up()  # the folder is empty so far
    for folder in folders:
        folder.mkdir(parents=True)
        left_over(folder, here, dead_process, ending=".part")
        left_over(folder, here, os.getpid(), ending=".part")
    app._clean_up()
    assert [len(list(folder.iterdir())) for folder in folders] == [1] * len(folders)
