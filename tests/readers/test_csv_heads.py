"""The head of a CSV file: which text is recognised, and how a cut head is read."""

from __future__ import annotations

import pytest

from workbench.readers.tables import mapped as mapped_csv
from workbench.readers.tables.timed import find_timed_csv
from workbench.readers.text.encodings import decode_text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a,b\n1,2\n",
        "name,size\nx,2\n",
        "250, 1, 0, 0\n500, 2, 0, 0\n",
        "Time,IOPS\n",
        "2016-05-10 09:00:00,1,2\n" * 3,
        "2016-05-10 09:00:00,web,db,5\n" * 3,
        "<html>\n<body>Time, 2016\n",
        '{"time": "2016-05-10 09:00:00", "b": 1}\n',
        "Date,note\n2016,x\n",
    ],
)
def test_that_other_text_is_not_recognised(text: str) -> None:
    assert mapped_csv.identify(text.encode(), "x.csv") == 0.0


@pytest.mark.parametrize(("size", "is_claimed"), [(-1, True), (0, False)])
def test_that_the_last_line_of_the_file_start_counts_only_if_the_file_ends_there(size: int, is_claimed: bool) -> None:
    """A head of 64 KiB may be cut within its last line; a shorter head is the whole file."""
    text = b"time,iops\n2016-05-10 09:00:00,1"
    head = text.rjust(mapped_csv.HEAD_BYTES + size, b"\n")
    assert (mapped_csv.identify(head, "a.csv") > 0) == is_claimed
    assert (mapped_csv.header_of(head) != "") == is_claimed


@pytest.mark.parametrize(
    ("data", "whole", "text"),
    [
        (b"a\xc3", False, "a"),
        (b"ab\xe2\x82", False, "ab"),
        (b"ab\xf0\x9f\x92", False, "ab"),
        (b"a\xc3", True, "a\u00c3"),
        (b"\xc3", False, "\u00c3"),
        (b"a\xe9bcd", False, "a\u00e9bcd"),
    ],
)
def test_that_a_head_cut_within_a_character_is_still_utf_8(data: bytes, whole: bool, text: str) -> None:
    assert decode_text(data, whole)[0] == text


def test_that_only_the_last_line_of_a_cut_file_start_is_ignored() -> None:
    head = b"time,iops\n2016-05-10 09:00:00,1\n2016-05-10 09:0".rjust(mapped_csv.HEAD_BYTES, b"\n")
    table = find_timed_csv(head)
    assert table is not None
    assert table.rows == (("2016-05-10 09:00:00", "1"),)


@pytest.mark.parametrize(("names", "is_header"), [("time,5,iops", True), ("time,5", False), ("time,5,6,iops", False)])
def test_that_a_line_that_is_half_numbers_is_not_a_header(names: str, is_header: bool) -> None:
    row = ",".join(["2016-05-10 09:00:00", *["1"] * names.count(",")])
    assert (find_timed_csv(f"{names}\n{row}\n".encode(), whole=True) is not None) == is_header
