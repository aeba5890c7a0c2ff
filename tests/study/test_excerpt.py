"""The text around a line that a problem names."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.study.discovery.excerpt import MAX_CHARACTERS, REACH, FilePlace, excerpt


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_that_lines_are_counted_equally_for_all_line_ends(tmp_path: Path, end: str) -> None:
    file = tmp_path / "a.csv"
    file.write_bytes(end.join(f"line {number}" for number in range(1, 101)).encode())
    found = excerpt(file, FilePlace(44), reach=2)
    assert (found.first, found.lines) == (42, tuple(f"line {number}" for number in range(42, 47)))


def test_that_the_first_line_has_no_line_before_it(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("one\ntwo\nthree\n", encoding="utf-8")
    found = excerpt(file, FilePlace(1), reach=1)
    assert (found.first, found.lines) == (1, ("one", "two"))


def test_that_utf_16_and_code_pages_are_readable(tmp_path: Path) -> None:
    wide, narrow = tmp_path / "wide.csv", tmp_path / "narrow.csv"
    wide.write_bytes("físico\nzwei".encode("utf-16"))
    narrow.write_bytes("físico\nzwei".encode("cp1252"))
    assert excerpt(wide, FilePlace(1)).lines[0] == excerpt(narrow, FilePlace(1)).lines[0] == "físico"


def test_that_control_characters_and_endless_lines_are_harmless(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_bytes(b"a\x00b\x1b[31m\n" + b"9" * (3 * MAX_CHARACTERS))
    found = excerpt(file, FilePlace(2))
    assert found.lines[0] == "a·b·[31m"
    assert found.lines[1] == "9" * MAX_CHARACTERS + " …"


def test_that_a_line_after_the_end_and_a_missing_file_are_reported(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("one\n", encoding="utf-8")
    assert "no longer has a line 900" in excerpt(file, FilePlace(900)).note
    assert excerpt(file, FilePlace(3 + REACH)).lines == ()
    assert "can no longer be read" in excerpt(tmp_path / "gone.csv", FilePlace(1)).note


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-16"])
def test_that_utf_16_is_read_with_and_without_a_mark(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "wide.csv"
    file.write_bytes('"time","Größe"\n1,2\n3,oops\n'.encode(encoding))
    shown = excerpt(file, FilePlace(3, 2, "utf-16", ","))
    assert shown.lines[:3] == ('"time","Größe"', "1,2", "3,oops")
    assert shown.marked == (2, 6)


def test_that_the_encoding_of_the_report_is_used_if_known(tmp_path: Path) -> None:
    file = tmp_path / "cyrillic.csv"
    file.write_bytes("Диск;Чтение\n1;2\n".encode("cp1251"))
    assert excerpt(file, FilePlace(1, encoding="cp1251")).lines[0] == "Диск;Чтение"
    assert excerpt(file, FilePlace(1)).lines[0] == "Диск;Чтение"
    assert excerpt(file, FilePlace(1, encoding="cp1252")).lines[0] == "Диск;Чтение".encode("cp1251").decode("cp1252")


@pytest.mark.parametrize(
    ("line", "cell", "marked"),
    [
        ('"09:00","1.5","x,y","oops"', 4, "oops"),
        ('"09:00","1.5","x,y","oops"', 3, "x,y"),
        ("09:00,,oops", 2, ""),
        ("09:00,,oops", 1, "09:00"),
        ('"says ""no""",2', 1, 'says ""no""'),
    ],
)
def test_that_a_cell_is_highlighted_without_its_quotes(tmp_path: Path, line: str, cell: int, marked: str) -> None:
    file = tmp_path / "a.csv"
    file.write_text(f"head\n{line}\n", encoding="utf-8")
    shown = excerpt(file, FilePlace(2, cell, "utf-8", ","))
    assert shown.marked is not None
    assert shown.lines[1][slice(*shown.marked)] == marked


def test_that_a_cell_far_right_is_shown_and_highlighted(tmp_path: Path) -> None:
    file = tmp_path / "wide.csv"
    cells = [f'"{number}.25"' for number in range(5_000)]
    cells[4_321] = '"oops"'
    file.write_text(f"head\n{','.join(cells)}\n", encoding="utf-8")
    shown = excerpt(file, FilePlace(2, 4_322, "utf-8", ","))
    assert shown.marked is not None
    assert shown.lines[1][slice(*shown.marked)] == "oops"
    assert len(shown.lines[1]) <= MAX_CHARACTERS + 4


def test_that_a_missing_cell_is_not_highlighted(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("a,b\n", encoding="utf-8")
    assert excerpt(file, FilePlace(1, 3, "utf-8", ",")).marked is None
    assert excerpt(file, FilePlace(1, 1, "utf-8", None)).marked is None
    assert excerpt(file, FilePlace(9, 1, "utf-8", ",")).marked is None
