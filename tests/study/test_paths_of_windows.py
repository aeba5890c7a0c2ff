"""Paths with behaviour that only Windows has: junctions, wildcards, long paths."""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.builders import disk_csv, steady_runs
from workbench import windows_paths
from workbench.cli import main
from workbench.exporters.safe_file import write_safely
from workbench.study.discovery import folders
from workbench.study.discovery.folders import find_sources, walked
from workbench.study.discovery.wildcards import expanded
from workbench.study.store.temporary import write_whole

MOUNT_POINT = 0xA0000003


class JunctionStatus:
    """The status of a folder that is a junction, as Python on Windows reports it."""

    def __init__(self, status: os.stat_result) -> None:
        self._status = status
        self.st_reparse_tag = MOUNT_POINT

    def __getattr__(self, name: str) -> object:
        return getattr(self._status, name)


def test_that_a_junction_is_named_and_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lab, junction = tmp_path / "lab", tmp_path / "lab" / "mcs" / "round"
    steady_runs(lab)
    disk_csv(junction / "guest" / "W10-009.csv", "W10-009", [8.0] * 24, [16.0] * 24)
    real = Path.lstat
    monkeypatch.setattr(Path, "lstat", lambda path: JunctionStatus(real(path)) if path.name == "round" else real(path))
    entries = {path.name: code for path, code, _ in walked(lab, [])}
    assert entries["round"] == "linked-folder"
    assert "W10-009.csv" not in entries
    assert "W10-001.csv" in entries


@pytest.mark.skipif(sys.platform != "win32", reason="only Windows has junctions")
def test_that_a_windows_junction_to_a_parent_folder_causes_no_endless_loop(tmp_path: Path) -> None:
    import _winapi

    (tmp_path / "lab").mkdir()
    disk_csv(tmp_path / "lab" / "W10-001.csv", "W10-001", [8.0] * 24, [16.0] * 24)
    try:
        _winapi.CreateJunction(str(tmp_path), str(tmp_path / "lab" / "round"))  # type: ignore[attr-defined, unused-ignore]
    except OSError as error:
        pytest.skip(f"this file system takes no junctions: {error}")
    assert [(path.name, code) for path, code, _ in walked(tmp_path, [])] == [
        ("round", "linked-folder"),
        ("W10-001.csv", ""),
    ]


@pytest.fixture
def names(tmp_path: Path) -> Path:
    for name in ("b.csv", "a.csv", "c.txt", "d[1].csv", "d1.csv"):
        (tmp_path / name).write_text("x")
    (tmp_path / "run [2]").mkdir()
    (tmp_path / "run [2]" / "e.csv").write_text("x")
    return tmp_path


def test_that_wildcards_are_replaced_by_matching_files(names: Path) -> None:
    def below(pattern: str) -> list[str]:
        return [path.relative_to(names).as_posix() for path in expanded([names / pattern])]

    assert below("*.csv") == ["a.csv", "b.csv", "d1.csv", "d[1].csv"]
    assert below("?.csv") == ["a.csv", "b.csv"]
    assert below("run [2]/*") == ["run [2]/e.csv"]
    assert below("d[1].*") == ["d[1].csv"]
    assert below("*/e.csv") == ["run [2]/e.csv"]
    assert below("*.blg") == ["*.blg"]
    assert below("c.txt") == ["c.txt"]


def test_that_wildcards_start_in_the_working_folder(names: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(names)
    assert expanded([Path("?.csv"), Path("c.txt")]) == [Path("a.csv"), Path("b.csv"), Path("c.txt")]
    assert expanded([Path()]) == [Path()]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows takes no such name")
def test_that_a_file_with_a_star_in_its_name_is_itself(names: Path) -> None:
    (names / "*.csv").write_text("x")
    assert expanded([names / "*.csv"]) == [names / "*.csv"]


@pytest.mark.usefixtures("own_store")
def test_that_the_console_opens_the_files_that_match_a_wildcard(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("W10-001", "W10-002"):
        disk_csv(tmp_path / f"{name}.csv", name, [8.0] * 24, [16.0] * 24)
    assert main(["inspect", str(tmp_path / "W10-*.csv"), "--format", "json"]) == 0
    written = capsys.readouterr().out
    assert "W10-001.csv" in written
    assert "W10-002.csv" in written


@pytest.fixture
def short_paths_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of a system that opens paths of more than 60 characters below it only with a prefix, as Windows does. On
    Linux the prefix is /proc/self/root."""
    longest, mark = len(str(tmp_path)) + 60, "/proc/self/root"
    monkeypatch.setattr(windows_paths, "_on_windows", lambda: True)
    monkeypatch.setattr(windows_paths, "_ANY_LENGTH", mark)
    monkeypatch.setattr(windows_paths, "_LONGEST", longest)

    def refusing(work: Any) -> Any:
        def refused(path: Any, *rest: Any, **named: Any) -> Any:
            if isinstance(path, str | Path) and len(str(path)) > longest and not str(path).startswith(mark):
                raise FileNotFoundError(2, "The system cannot find the path specified", str(path))
            return work(path, *rest, **named)

        return refused

    for owner, name in ((os, "stat"), (os, "lstat"), (os, "scandir"), (os, "replace"), (io, "open")):
        monkeypatch.setattr(owner, name, refusing(getattr(owner, name)))
    return tmp_path


only_linux = pytest.mark.skipif(not Path("/proc/self/root").is_dir(), reason="the mark is one of Linux")


@only_linux
def test_that_a_path_too_long_for_windows_is_found_by_its_long_form(short_paths_only: Path) -> None:
    lab = short_paths_only / "lab"
    deep = lab / ("x" * 60)
    deep_in_long_form = windows_paths.of_any_length(deep)
    steady_runs(deep_in_long_form)
    assert not deep.exists()
    found = find_sources([lab])
    assert found.roots == (windows_paths.of_any_length(lab),)
    assert not found.unreadable
    assert len(found.sources) > 1
    assert all(source.path.is_relative_to(deep_in_long_form) for source in found.sources)
    assert all(source.problem is None and source.path.is_file() for source in found.sources)
    assert {source.name.split("/")[0] for source in found.sources} == {"x" * 60}


@only_linux
def test_that_short_paths_are_unchanged(short_paths_only: Path) -> None:
    lab = short_paths_only / "lab"
    steady_runs(lab)
    found = find_sources([lab])
    assert found.roots == (lab,)
    assert all(source.path.is_relative_to(lab) for source in found.sources)


@only_linux
def test_that_a_file_is_written_if_windows_accepts_only_the_long_form(short_paths_only: Path) -> None:
    folder = short_paths_only / ("x" * 40)
    windows_paths.of_any_length(folder).mkdir()
    write_whole(folder / "figures.csv", b"1")
    write_safely(folder / "book.txt", lambda path: path.write_text("2") and None, lambda path: path.stat() and None)
    written = {path.name: path.read_bytes() for path in windows_paths.of_any_length(folder).iterdir()}
    assert written == {"figures.csv": b"1", "book.txt": b"2"}


@pytest.mark.usefixtures("own_store")
def test_that_results_in_a_folder_with_300_characters_are_read_and_exported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    deep = tmp_path.joinpath(*(letter * 60 for letter in "abcde"))
    assert len(str(deep)) > 300
    in_long_form = windows_paths.of_any_length(deep)
    in_long_form.mkdir(parents=True)
    steady_runs(in_long_form / "lab")
    replies = []
    for opened in (tmp_path, deep / "lab"):
        assert main(["compare", str(opened), "--format", "json"]) == 0
        replies.append(json.loads(capsys.readouterr().out)["differences"])
    assert replies[0] == replies[1]
    assert replies[0]
    endings = {".xlsx", ".pptx", ".csv", ".parquet", ".html", ".pdf", ".md", ".png", ".svg"}
    for ending in endings:
        assert main(["export", str(deep / "lab"), "-o", str(deep / f"out{ending}")]) == 0
    assert {path.suffix for path in in_long_form.glob("out*")} >= endings


@pytest.mark.skipif(sys.platform != "win32", reason="paths with drives and shares are of Windows")
def test_that_drives_and_shares_have_a_long_form() -> None:
    deep = "x" * 250
    for written, long_form in (
        (rf"D:\lab\..\{deep}", rf"\\?\D:\{deep}"),
        (rf"\\nas\vdi\{deep}", rf"\\?\UNC\nas\vdi\{deep}"),
        (rf"\\?\D:\{deep}", rf"\\?\D:\{deep}"),
    ):
        opened = windows_paths.openable(Path(written))
        assert str(opened) == long_form
        assert windows_paths.openable(windows_paths.as_written(opened)) == opened
    assert windows_paths.as_written(Path(rf"\\?\UNC\nas\vdi\{deep}")) == Path(rf"\\nas\vdi\{deep}")
    assert windows_paths.openable(Path(r"D:\lab")) == Path(r"D:\lab")
    assert str(windows_paths.openable(Path(r"D:\lab"), 250)) == r"\\?\D:\lab"


def test_that_a_path_that_cannot_be_resolved_is_used_unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(_: Path) -> Path:
        raise OSError(22, "The volume does not contain a recognized file system")

    monkeypatch.setattr(Path, "resolve", unknown)
    assert windows_paths.true_path(Path("lab")) == Path.cwd() / "lab"


def test_that_files_have_one_order_on_every_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Upper case before lower case, letters of other languages last: by character code, not by language.
    order = ["A.csv", "Z.csv", "a2.csv", "b.csv", "z.csv", "Ä.csv", "ä.csv"]
    any_order = sorted(order, key=str.casefold, reverse=True)
    monkeypatch.setattr(folders.os, "walk", lambda folder, **_: iter([(str(folder), [], any_order)]))
    monkeypatch.setattr(folders, "what_is", lambda _path: ("", ""))
    assert [path.name for path, _, _ in walked(tmp_path, [])] == order
