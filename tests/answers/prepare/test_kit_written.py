"""Writing the kit: it is written completely or not at all, and overwrites only kit files."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path

import pytest

from tests.answers.prepare.kit_logs import counters_of_set
from tests.answers.prepare.kits import kit, text
from workbench.answers.common.spec import UsageError
from workbench.answers.prepare.kit import write
from workbench.answers.prepare.kit.write import write_kit, write_kit_beside
from workbench.cli import main


def test_that_a_kit_is_written_completely_and_overwrites_no_other_file(tmp_path: Path) -> None:
    folder, made = tmp_path / "kit", kit("MCS", "MCSIO 512 MB")
    paths = set(write_kit(folder, made))
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert there == paths
    assert {path.name for path in tmp_path.iterdir()} == {"kit"}
    # An unchanged kit is replaced, with no file of the first left.
    write_kit(folder, kit("MCS", questions=("cpu",)))
    assert not (folder / "storage").exists()
    assert {path.name for path in tmp_path.iterdir()} == {"kit"}


@pytest.mark.parametrize("touch", ["new", "changed", "run"])
def test_that_a_kit_folder_with_results_is_rejected_and_kept(tmp_path: Path, touch: str) -> None:
    folder, made = tmp_path / "kit", kit("MCS")
    write_kit(folder, made)
    path = {"new": "mine.txt", "changed": "README.txt", "run": "planned-runs/01-MCS/log.csv"}[touch]
    (folder / path).write_text("mine")
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    with pytest.raises(UsageError, match=re.escape(path)):
        write_kit(folder, made)
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_that_a_failed_write_restores_the_previous_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "kit"
    write_kit(folder, kit("MCS"))
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    written: list[Path] = []
    real = Path.write_bytes

    def full_disk(path: Path, content: bytes) -> int:
        written.append(path)
        if len(written) > 5:
            raise OSError(28, "No space left on device")
        return real(path, content)

    monkeypatch.setattr(Path, "write_bytes", full_disk)
    with pytest.raises(UsageError, match="No space left"):
        write_kit(folder, kit("PVS"))
    monkeypatch.undo()
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    assert {path.name for path in tmp_path.iterdir()} == {"kit"}


def test_that_a_kit_can_be_written_into_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    for _ in range(2):
        assert main(["kit", "-o", "."]) == 0
        assert Path("README.txt").is_file()
    assert Path("empty").is_dir()
    assert not [path.name for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_that_a_failed_move_restores_all_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "kit"
    write_kit(folder, kit("MCS"))
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    refused: list[Path] = []

    def held_open(source: Path, target: Path) -> None:
        if folder / "guest" in target.parents and not refused:
            refused.append(target)
            raise PermissionError(13, "held open")
        source.replace(target)

    monkeypatch.setattr(write, "replace_file", held_open)
    with pytest.raises(UsageError, match=r"held open[.] The folder is unchanged"):
        write_kit(folder, kit("PVS", questions=("cpu",)))
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    assert not [path.name for path in folder.iterdir() if path.name.startswith(".")]


def test_that_files_that_cannot_be_restored_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "kit"
    write_kit(folder, kit("MCS"))

    replaced: list[Path] = []

    def held_open(source: Path, target: Path) -> None:
        if len(replaced) == 2:
            raise PermissionError(13, "held open")
        replaced.append(target)
        source.replace(target)

    monkeypatch.setattr(write, "replace_file", held_open)
    with pytest.raises(UsageError, match=r"could not be restored: .*README[.]txt and kit[.]json"):
        write_kit(folder, kit("PVS", questions=("cpu",)))
    assert (folder / "storage").is_dir()
    assert (folder / "kit.json").is_file()


def test_that_a_missing_path_is_not_read_as_no_path(tmp_path: Path) -> None:
    assert main(["kit", str(tmp_path / "nothing"), "-o", str(tmp_path / "kit")]) == 3
    assert not (tmp_path / "kit").exists()


def test_that_the_collector_set_in_the_folder_equals_that_of_the_kit(tmp_path: Path) -> None:
    made = kit("MCSIO 512 MB")
    write_kit(tmp_path / "kit", made)
    assert (
        counters_of_set(tmp_path / "kit" / "guest" / "guest.xml") == text(made, "guest/counters.txt").split("\n")[:-1]
    )


@pytest.mark.skipif(sys.platform == "win32", reason="the program is forked, which Windows cannot")
@pytest.mark.parametrize("moves", [1, 2, 5])
def test_that_the_next_kit_completes_an_exchange_that_a_killed_program_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moves: int
) -> None:
    folder, new = tmp_path / "kit", kit("PVS", questions=("cpu",))
    write_kit(folder, kit("MCS"))
    earlier = {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    process = os.fork()
    if not process:
        left = iter(range(moves))
        monkeypatch.setattr(
            write,
            "replace_file",
            lambda source, target: os._exit(9) if next(left, None) is None else source.replace(target),
        )
        write_kit(folder, new)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 9
    written = {file.path: file.content for file in new.files}
    for name, content in earlier.items():
        if name.name != "kit.json":
            assert (folder / name).read_bytes() in (content, written.get(name.as_posix())), "each is the old or the new"
    write_kit(folder, new)
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert there == {*written, "kit.json"}
    assert all((folder / name).read_bytes() == content for name, content in written.items())


def test_that_a_file_list_that_names_outside_files_deletes_none_of_them(tmp_path: Path) -> None:
    other, folder = tmp_path / "mine.txt", tmp_path / "kit"
    other.write_text("mine")
    folder.mkdir()
    (folder / "kit.json").write_text(
        '{"schema": "vdi-workbench/kit/1", "files": [{"path": "../mine.txt", "sha256": "0"}]}'
    )
    write_kit(folder, kit("MCS"))
    assert other.read_text() == "mine"
    assert json.loads((folder / "kit.json").read_bytes())["order"]


@pytest.mark.parametrize(
    "content",
    ['{"my own drum kit": 1}', '{"schema": "drums/1", "files": []}', "{", "", "[" * 100_000, "\xff"],
    ids=["another's", "another's schema", "cut short", "empty", "nested", "no text"],
)
def test_that_a_file_list_that_is_not_from_a_kit_is_kept(tmp_path: Path, content: str) -> None:
    listing = tmp_path / "kit.json"
    listing.write_bytes(content.encode("latin-1"))
    with pytest.raises(UsageError, match=r"kit[.]json in .* does not belong to a kit"):
        write_kit(tmp_path, kit("MCS"))
    assert [path.name for path in tmp_path.iterdir()] == ["kit.json"]
    # The window puts the kit into a separate folder there.
    assert write_kit_beside(tmp_path, kit("MCS")) == tmp_path / "test-kit"
    assert listing.read_bytes() == content.encode("latin-1")


def test_that_a_folder_that_cannot_be_listed_is_rejected_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(path: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "iterdir", denied)
    with pytest.raises(UsageError, match=r"was not written to .*: Permission denied[.] The folder is unchanged"):
        write_kit_beside(tmp_path, kit("MCS"))
