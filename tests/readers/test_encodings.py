"""The text of a file for the readers: its encoding, and blocks of complete lines."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from workbench.readers.text.encodings import decode_header, open_text, utf16_encoding

LINES = b"first,1\r\nsecond,2\n\nlast,3"
FORMS = {
    "ascii": LINES,
    "utf-16 with a mark": LINES.decode().encode("utf-16"),
    "utf-16-be": LINES.decode().encode("utf-16-be"),
    "returns alone": LINES.replace(b"\r\n", b"\r").replace(b"\n", b"\r"),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("size", [1, 2, 3, 8, 9, 10, 100])
def test_that_blocks_end_at_line_ends_and_lose_no_bytes(tmp_path: Path, form: str, size: int) -> None:
    (tmp_path / "a").write_bytes(FORMS[form])
    text = open_text(tmp_path / "a")
    whole = text.head(1000)
    for start in (0, 9 if form == "ascii" else whole.index(b"second")):
        blocks = list(text.blocks(start, size))
        assert b"".join(blocks) == whole[start:]
        assert all(block.endswith(b"\n") for block in blocks[:-1])
        assert all(b"\n" not in block[size - 1 : -1] for block in blocks)
    assert text.size == len(whole)
    assert text.ends_with() == whole[-2:]


@pytest.mark.parametrize("data", [b"", b"a", b"ab", b"abc"])
def test_that_the_end_of_the_shortest_files_is_read(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a").write_bytes(data)
    assert open_text(tmp_path / "a").ends_with() == data[-2:]


@pytest.mark.parametrize("form", FORMS)
def test_that_the_lines_before_a_byte_order_mark_are_reported_with_the_next_start(tmp_path: Path, form: str) -> None:
    (tmp_path / "a").write_bytes(FORMS[form])
    text = open_text(tmp_path / "a")
    before, line, position = text.lines_before(b"second")
    whole = text.head(1000)
    assert (len(before), line.rstrip()) == (1, b"second,2")
    assert position == whole.index(b"second") + len(line)
    every, nothing, end = text.lines_before(b"no such mark")
    assert (b"".join(every), nothing, end) == (whole, b"", len(whole))


@pytest.mark.parametrize(
    ("text", "encoding", "expected"),
    [
        ("ascii", "ascii", ("ascii", "utf-8")),
        ("Zähler", "utf-8", ("Zähler", "utf-8")),
        ("Zähler", "utf-8-sig", ("Zähler", "utf-8")),
        ("Zähler für Größe", "cp1252", ("Zähler für Größe", "cp1252")),
        ("Процессор", "cp1251", ("Процессор", "cp1251")),
        ("\\\\PC\\Процессор(0)\\% загруженности", "cp1251", ("\\\\PC\\Процессор(0)\\% загруженности", "cp1251")),
    ],
)
def test_that_a_header_is_read_in_the_code_page_it_was_written_in(
    text: str, encoding: str, expected: tuple[str, str]
) -> None:
    assert decode_header(text.encode(encoding)) == expected


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        ("abcd".encode("utf-16-le"), "utf-16-le"),
        ("abcd".encode("utf-16-be"), "utf-16-be"),
        ("abc".encode("utf-16-le"), None),
        (b"\xff\xfea\0", "utf-16-le"),
        (b"\xfe\xff\0a", "utf-16-be"),
        (b"a\0b\0\0c\0d", None),
        (b"abcdefgh", None),
        (b"\0" * 8, None),
        ("Процессор".encode("utf-16-le"), None),
    ],
)
def test_that_utf_16_is_recognised_by_its_mark_or_zero_bytes(data: bytes, encoding: str | None) -> None:
    assert utf16_encoding(data) == encoding


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=60), st.integers(1, 20))
def test_that_the_blocks_of_any_bytes_are_these_bytes(tmp_path: Path, data: bytes, size: int) -> None:
    (tmp_path / "a").write_bytes(data)
    text = open_text(tmp_path / "a")
    assert b"".join(text.blocks(0, size)) == text.head(1000)


@pytest.mark.parametrize("data", [b"\rfirst", b"first\r", b"\r"])
def test_that_a_carriage_return_is_a_line_end_if_no_other_exists(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a").write_bytes(data)
    assert open_text(tmp_path / "a").head() == data.replace(b"\r", b"\n")


@pytest.mark.parametrize(("zeros", "encoding"), [(3, None), (4, "utf-16-le")])
def test_that_over_three_tenths_of_zeros_at_the_odd_bytes_make_utf_16(zeros: int, encoding: str | None) -> None:
    text = "a" * zeros + "\u0434" * (10 - zeros)
    assert utf16_encoding(text.encode("utf-16-le")) == encoding
