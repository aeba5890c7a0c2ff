"""The files that are found, and the runs that they form."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from workbench.study.discovery.folders import find_sources, run_folders


def lay(root: Path, *names: str) -> Path:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(name)
    return root


def runs_of(root: Path, *opened: Path) -> dict[str, str]:
    """File -> run folder, both relative to the root, for everything below the opened folder."""
    found = find_sources(list(opened) or [root])
    folders = run_folders([source.path for source in found.sources], found.roots)
    return {Path(*f).relative_to(root).as_posix(): r.relative_to(root).as_posix() for f, r in folders.items()}


def test_that_hidden_files_and_office_locks_are_not_found(tmp_path: Path) -> None:
    lay(tmp_path, "a.csv", ".hidden.csv", "~$book.xlsx", ".git/config", "__pycache__/x.pyc", "deep/er/b.csv")
    assert [source.name for source in find_sources([tmp_path]).sources] == ["a.csv", "deep/er/b.csv"]


def test_that_a_path_that_does_not_exist_is_reported(tmp_path: Path) -> None:
    found = find_sources([tmp_path / "nowhere", lay(tmp_path / "here", "a.csv")])
    assert found.absent == (tmp_path / "nowhere",)
    assert [source.name for source in found.sources] == ["here/a.csv"]


def test_that_a_folder_that_cannot_be_opened_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay(tmp_path, "a.csv", "shut/b.csv")
    genuine = os.scandir

    def scandir(path: str) -> object:
        if str(path).endswith("shut"):
            raise PermissionError(13, "Permission denied", str(path))
        return genuine(path)

    monkeypatch.setattr(os, "scandir", scandir)
    assert find_sources([tmp_path]).unreadable == (tmp_path / "shut",)


def test_that_names_are_unique_even_for_folders_with_one_name(tmp_path: Path) -> None:
    opened = [lay(tmp_path / lab / "run-1", "a.csv") for lab in ("berlin", "london")]
    names = [source.name for source in find_sources(opened).sources]
    assert len(set(names)) == 2
    assert "berlin/run-1/a.csv" in names[0]
    files = [folder / "a.csv" for folder in opened]
    assert len({source.name for source in find_sources(files).sources}) == 2


def test_that_a_file_opened_twice_is_found_once(tmp_path: Path) -> None:
    lay(tmp_path, "run/a.csv")
    assert len(find_sources([tmp_path, tmp_path / "run", tmp_path / "run" / "a.csv"]).sources) == 1


def test_that_each_folder_of_files_is_a_run(tmp_path: Path) -> None:
    lay(tmp_path, "study/mcs/a.csv", "study/pvs/a.csv")
    assert runs_of(tmp_path) == {"study/mcs/a.csv": "study/mcs", "study/pvs/a.csv": "study/pvs"}


def test_that_parts_of_a_run_are_not_separate_runs(tmp_path: Path) -> None:
    lay(
        tmp_path,
        "run/guest/a.csv",
        "run/Host/h.csv",
        "run/array/s.csv",
        "run/logs/perfmon/l.csv",
        "run/events.csv",
        "run/HOST_20220919-000001/p.csv",
    )
    assert set(runs_of(tmp_path).values()) == {"run"}


def test_that_one_folder_per_vm_below_guest_is_one_run(tmp_path: Path) -> None:
    lay(tmp_path, "run/guest/W10-001/a.csv", "run/guest/W10-002/day1/a.csv", "run/results/guest/W10-003/a.csv")
    assert set(runs_of(tmp_path).values()) == {"run"}


def test_that_run_toml_covers_all_folders_below_it(tmp_path: Path) -> None:
    lay(
        tmp_path,
        "study/big/run.toml",
        "study/big/day1/a.csv",
        "study/big/day2/deep/a.csv",
        "study/other/a.csv",
        "study/big/inner/run.toml",
        "study/big/inner/a.csv",
    )
    found = runs_of(tmp_path)
    assert found["study/big/day1/a.csv"] == found["study/big/day2/deep/a.csv"] == "study/big"
    assert found["study/big/inner/a.csv"] == "study/big/inner"
    assert found["study/other/a.csv"] == "study/other"


def test_that_a_part_opened_alone_is_the_run(tmp_path: Path) -> None:
    lay(tmp_path, "run/run.toml", "run/guest/a.csv")
    assert runs_of(tmp_path, tmp_path / "run" / "guest") == {"run/guest/a.csv": "run/guest"}


def test_that_a_file_opened_alone_is_a_run(tmp_path: Path) -> None:
    lay(tmp_path, "run/a.csv", "run/b.csv")
    assert runs_of(tmp_path, tmp_path / "run" / "a.csv") == {"run/a.csv": "run/a.csv"}


def test_that_a_relative_path_gives_the_same_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay(tmp_path, "run/guest/a.csv")
    monkeypatch.chdir(tmp_path / "run")
    found = find_sources([Path()])
    folders = run_folders([source.path for source in found.sources], found.roots)
    assert {folder.resolve() for folder in folders.values()} == {(tmp_path / "run").resolve()}
    assert [source.name for source in found.sources] == ["guest/a.csv"]


def test_that_a_folder_of_raw_files_among_runs_is_a_separate_run(tmp_path: Path) -> None:
    lay(tmp_path, "raw/a.csv", "raw/guest/b.csv", "results/mcs-r1/guest/a.csv", "results/fio/f.json", "old/pilot/a.csv")
    assert runs_of(tmp_path) == {
        "raw/a.csv": "raw",
        "raw/guest/b.csv": "raw",
        "results/mcs-r1/guest/a.csv": "results/mcs-r1",
        "results/fio/f.json": "results",
        "old/pilot/a.csv": "old/pilot",
    }


def test_that_the_parts_of_an_opened_run_stay_in_it(tmp_path: Path) -> None:
    lay(tmp_path, "guest/a.csv", "results/fio/f.json", "events.csv")
    assert set(runs_of(tmp_path).values()) == {"."}
    lay(tmp_path / "mcs", "run.toml", "raw/a.csv", "old/b.csv")
    assert set(runs_of(tmp_path / "mcs", tmp_path / "mcs").values()) == {"."}
