"""A damaged project file is renamed, reported, and does not block the program."""

from __future__ import annotations

import os
from datetime import date
from pathlib import Path

import msgspec
import pytest

from tests.builders import made_larger
from workbench.study.store.own_files import read_own, set_aside

NUMBERS = msgspec.json.Decoder(list[int]).decode


def read(file: Path, told: list[str]) -> list[int] | None:
    return read_own(file, NUMBERS, told.append, "No numbers are known; type them anew.")


def test_that_a_valid_file_is_read_and_stays_in_place(tmp_path: Path) -> None:
    file, told = tmp_path / "numbers.json", list[str]()
    file.write_text("[1, 2]")
    assert read(file, told) == [1, 2]
    assert told == []
    assert [path.name for path in tmp_path.iterdir()] == ["numbers.json"]


@pytest.mark.parametrize("content", [b"", b"[1, 2", b'["one"]', b"[1, \xff]", b"[" * 100_000, bytes(64)])
def test_that_a_damaged_file_is_renamed_unchanged_and_reported(tmp_path: Path, content: bytes) -> None:
    file, told = tmp_path / "numbers.json", list[str]()
    file.write_bytes(content)
    assert read(file, told) is None
    aside = f"numbers.json.damaged-{date.today().isoformat()}-1"
    assert [path.name for path in tmp_path.iterdir()] == [aside]
    assert (tmp_path / aside).read_bytes() == content
    assert told == [f"{file} is damaged. It was renamed to {aside}. No numbers are known; type them anew."]
    assert read(file, told) is None
    assert len(told) == 1, "once set aside it is no damage any more"


def test_that_an_earlier_renamed_file_is_never_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "numbers.json"
    for content in ("first", "second", "third"):
        file.write_text(content)
        set_aside(file)
    found = sorted(tmp_path.iterdir())
    assert [path.read_text() for path in found] == ["first", "second", "third"]
    assert [path.name[-2:] for path in found] == ["-1", "-2", "-3"]


def test_that_a_path_that_is_not_a_file_is_ignored(tmp_path: Path) -> None:
    told: list[str] = []
    (tmp_path / "folder").mkdir()
    for place in (tmp_path / "folder", tmp_path / "none", Path(os.devnull), tmp_path / ("x" * 5000)):
        assert read(place, told) is None
    assert told == []
    assert Path(os.devnull).exists()
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_that_a_damaged_file_that_cannot_be_renamed_is_reported_as_such(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, told = tmp_path / "numbers.json", list[str]()
    file.write_text("[")

    def read_only(*_: object, **__: object) -> None:
        raise OSError(30, "Read-only file system")

    for method in ("touch", "replace"):
        with monkeypatch.context() as broken:
            broken.setattr(f"pathlib.Path.{method}", read_only)
            assert read(file, told) is None
    assert [path.name for path in tmp_path.iterdir()] == ["numbers.json"]
    assert told == [f"{file} is damaged. It could not be renamed. No numbers are known; type them anew."] * 2


def test_that_a_very_large_file_is_renamed_and_not_read(tmp_path: Path) -> None:
    file, told = tmp_path / "numbers.json", list[str]()
    file.write_text("[1]")
    made_larger(file)
    assert read_own(file, NUMBERS, told.append, "No numbers are known.") is None
    assert "numbers.json is damaged. It was renamed to numbers.json.damaged-" in told[0]
    assert not file.exists()
