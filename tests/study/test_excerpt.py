"""The text around a line that a problem names."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.model.recording import FileReport
from workbench.study.discovery.excerpt import MAX_CHARACTERS, REACH, excerpt


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_that_lines_are_counted_alike_whatever_ends_them(tmp_path: Path, end: str) -> None:
    file = tmp_path / "a.csv"
    file.write_bytes(end.join(f"line {number}" for number in range(1, 101)).encode())
    found = excerpt(file, 44, reach=2)
    assert (found.first, found.lines) == (42, tuple(f"line {number}" for number in range(42, 47)))


def test_that_the_first_line_has_nothing_before_it(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("one\ntwo\nthree\n", encoding="utf-8")
    found = excerpt(file, 1, reach=1)
    assert (found.first, found.lines) == (1, ("one", "two"))


def test_that_utf_16_and_code_pages_are_readable(tmp_path: Path) -> None:
    wide, narrow = tmp_path / "wide.csv", tmp_path / "narrow.csv"
    wide.write_bytes("físico\nzwei".encode("utf-16"))
    narrow.write_bytes("físico\nzwei".encode("cp1252"))
    assert excerpt(wide, 1).lines[0] == excerpt(narrow, 1).lines[0] == "físico"


def test_that_control_characters_and_endless_lines_do_no_harm(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_bytes(b"a\x00b\x1b[31m\n" + b"9" * (3 * MAX_CHARACTERS))
    found = excerpt(file, 2)
    assert found.lines[0] == "a·b·[31m"
    assert found.lines[1] == "9" * MAX_CHARACTERS + " …"


def test_that_a_line_beyond_the_end_and_a_vanished_file_are_said(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("one\n", encoding="utf-8")
    assert "no line 900" in excerpt(file, 900).note
    assert excerpt(file, 3 + REACH).lines == ()
    assert "cannot be read" in excerpt(tmp_path / "gone.csv", 1).note


def test_that_the_cell_is_marked_in_the_encoding_that_the_file_was_read_in(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_bytes('Zeit;"a;b";Größe\n1;2;größer\n'.encode("cp1251", errors="replace").replace(b"?", b"\xf6"))
    found = excerpt(file, 1, cell=3, report=FileReport("a.csv", encoding="cp1251", delimiter=";"))
    assert found.marked is not None
    assert found.lines[0][slice(*found.marked)].startswith("Gr")
    assert "ц" in found.lines[0], "byte F6 is that letter in Windows-1251 alone"


def test_that_lines_begin_near_a_cell_far_to_the_right(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("\n".join(",".join(f"cell {row}.{at}" for at in range(1, 500)) for row in range(1, 4)))
    found = excerpt(file, 2, cell=400)
    assert found.marked is not None
    assert found.lines[1][slice(*found.marked)] == "cell 2.400"
    assert [line.split(",")[2] for line in found.lines] == ["cell 1.400", "cell 2.400", "cell 3.400"]
    assert found.marked[1] < 45


def test_that_a_line_without_the_cell_is_shown_without_a_mark(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("1,2\n3,4\n")
    assert excerpt(file, 2, cell=9).marked is None
    assert excerpt(file, 2, cell=9).lines == ("1,2", "3,4", "")
