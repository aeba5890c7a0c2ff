"""Failures during an export: the earlier file is unchanged and the failure is reported."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.exporters.jobs import exported, library_of
from tests.exporters.studies import replicate_study
from workbench.exporters.export import ENDINGS
from workbench.exporters.safe_file import ExportError, write_safely
from workbench.gui.pictures.painter import load_painter
from workbench.study.store.temporary import sweep

_WRITER = """
import sys, time
from pathlib import Path
from workbench.exporters.safe_file import write_safely
def write(path):
    with path.open("wb") as stream:
        for part in range(20):
            stream.write(b"new" * 10_000)
            stream.flush()
            print(part, flush=True)
            time.sleep(0.005)
def check(path):
    print("check", flush=True)
    time.sleep(0.05)
write_safely(Path(sys.argv[1]), write, check)
print("done", flush=True)
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory, qapp):
    return library_of(replicate_study(tmp_path_factory.mktemp("writes")))


def _refused(library, target):
    """The message of a failed export, with the earlier file unchanged and no temporary file left."""
    target.write_text("old")
    with pytest.raises(ExportError) as refused:
        exported(
            library, target, only=("overview",) if target.suffix in (".png", ".svg") else (), painter=load_painter()
        )
    assert target.read_text() == "old"
    assert [path.name for path in target.parent.iterdir()] == [target.name]
    return str(refused.value)


@pytest.mark.parametrize("ending", ENDINGS)
def test_that_a_full_disk_leaves_the_earlier_file(tmp_path, monkeypatch, library, ending, snapshot):
    def full(_path):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("workbench.exporters.safe_file._to_disk", full)
    said = _refused(library, tmp_path / f"a{ending}")
    assert said == snapshot
    assert "earlier file is unchanged" in said


@pytest.mark.parametrize("ending", ENDINGS)
def test_that_a_file_open_in_another_program_stays(tmp_path, monkeypatch, library, ending):
    replace = Path.replace

    def locked(self, target):
        if Path(target).name == f"a{ending}":
            raise PermissionError(13, "Access is denied")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", locked)
    said = _refused(library, tmp_path / f"a{ending}")
    assert "open in another program" in said


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="nothing is read-only for an administrator")
def test_that_a_read_only_folder_is_reported(tmp_path, library):
    folder = tmp_path / "locked"
    folder.mkdir()
    (folder / "a.csv").write_text("old")
    folder.chmod(0o555)
    try:
        assert "read-only" in _refused(library, folder / "a.csv")
    finally:
        folder.chmod(0o755)


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps no process from being looked at by its number")
@pytest.mark.parametrize("stage", ["0", "7", "19", "check"])
def test_that_a_process_killed_at_any_moment_keeps_the_earlier_file(tmp_path, stage):
    target = tmp_path / "a.bin"
    target.write_text("old")
    with subprocess.Popen(
        [sys.executable, "-c", _WRITER, str(target)], stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]
    ) as writer:
        assert writer.stdout is not None
        for line in writer.stdout:
            if line.strip() == stage:
                writer.kill()
                break
    assert target.read_text() == "old"
    left = [path.name for path in tmp_path.iterdir() if path != target]
    assert len(left) == 1
    assert left[0].startswith(".vdiwb-")
    write_safely(target, lambda path: path.write_text("new"), lambda _path: None)
    assert target.read_text() == "new"
    assert [path.name for path in tmp_path.iterdir()] == ["a.bin"]


def test_that_temporary_files_of_a_running_export_stay(tmp_path):
    ours = tmp_path / "a.bin"
    met = []

    def write(path):
        path.write_text("new")
        sweep(tmp_path)
        met.append(path.exists())

    write_safely(ours, write, lambda _path: None)
    assert met == [True]
    assert ours.read_text() == "new"


def test_that_temporary_files_of_another_machine_are_deleted_after_a_day(tmp_path):
    young, old = (tmp_path / f".vdiwb-00000000-1-{'0' * 11}{n}.xlsx" for n in (1, 2))
    for file in (young, old):
        file.write_text("half")
    os.utime(old, (time.time() - 90_000,) * 2)
    other = tmp_path / ".vdiwb-notes"
    other.write_text("not ours")
    sweep(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {young.name, other.name}
