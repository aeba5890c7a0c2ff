"""What only Windows does with paths: junctions, wildcards, paths that are too long."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.builders import disk_csv, steady_runs
from workbench.cli import main
from workbench.study.discovery import walk
from workbench.study.discovery.folders import find_sources
from workbench.study.discovery.walk import too_long, walked
from workbench.study.discovery.wildcards import expanded
from workbench.study.importing.build import build_studies

MOUNT_POINT = 0xA0000003


class JunctionStatus:
    """The status of a folder that is a junction, as Windows' Python gives it."""

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
def test_that_a_junction_of_windows_that_leads_upward_ends(tmp_path: Path) -> None:
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


def test_that_wildcards_are_replaced_by_what_they_match(names: Path) -> None:
    def below(pattern: str) -> list[str]:
        return [path.relative_to(names).as_posix() for path in expanded([names / pattern])]

    assert below("*.csv") == ["a.csv", "b.csv", "d1.csv", "d[1].csv"]
    assert below("?.csv") == ["a.csv", "b.csv"]
    assert below("run [2]/*") == ["run [2]/e.csv"]
    assert below("d[1].*") == ["d[1].csv"]
    assert below("*/e.csv") == ["run [2]/e.csv"]
    assert below("*.blg") == ["*.blg"]
    assert below("c.txt") == ["c.txt"]


def test_that_wildcards_begin_in_the_working_folder(names: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(names)
    assert expanded([Path("?.csv"), Path("c.txt")]) == [Path("a.csv"), Path("b.csv"), Path("c.txt")]
    assert expanded([Path()]) == [Path()]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows takes no such name")
def test_that_a_file_whose_name_holds_a_star_is_itself(names: Path) -> None:
    (names / "*.csv").write_text("x")
    assert expanded([names / "*.csv"]) == [names / "*.csv"]


@pytest.mark.usefixtures("own_store")
def test_that_the_console_opens_what_a_wildcard_matches(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("W10-001", "W10-002"):
        disk_csv(tmp_path / f"{name}.csv", name, [8.0] * 24, [16.0] * 24)
    assert main(["inspect", str(tmp_path / "W10-*.csv"), "--format", "json"]) == 0
    written = capsys.readouterr().out
    assert "W10-001.csv" in written
    assert "W10-002.csv" in written


def test_that_a_path_too_long_for_windows_is_called_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    long = Path("/lab") / ("x" * 150) / ("y" * 150)
    monkeypatch.setattr(sys, "platform", "linux")
    assert too_long(long) == ""
    monkeypatch.setattr(sys, "platform", "win32")
    assert too_long(Path("/lab")) == ""
    why = too_long(long)
    assert why.startswith(
        f"its path has {len(str(long.absolute()))} characters, and Windows takes 259. Move the results"
    )
    assert why.endswith("as in \\\\?\\D:\\lab")
    lab = tmp_path / "lab"
    steady_runs(lab)
    found = find_sources([lab])
    assert not found.unreadable
    (study,) = build_studies(type(found)((), (lab,), (), (long,)), [])
    assert why in study.problems[0].message
    assert study.problems[0].action == "folder left out"


def test_that_files_are_in_one_order_on_every_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Upper case before lower case, letters of other languages last: as numbers of their signs, in no language's order.
    order = ["A.csv", "Z.csv", "a2.csv", "b.csv", "z.csv", "Ä.csv", "ä.csv"]
    any_order = sorted(order, key=str.casefold, reverse=True)
    monkeypatch.setattr(walk.os, "walk", lambda folder, **_: iter([(str(folder), [], any_order)]))
    monkeypatch.setattr(walk, "what_is", lambda _path: ("", ""))
    assert [path.name for path, _, _ in walked(tmp_path, [])] == order
