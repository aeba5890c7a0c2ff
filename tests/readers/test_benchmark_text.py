"""Numbers, sizes and times in the notations of benchmark tools."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.model.benchmark import Benchmark, Op
from workbench.readers.text import documents as bt
from workbench.readers.text.documents import Figures, decode, load, number, size_bytes, utc_start, whole
from workbench.readers.text.json import Broken, Json, decode_json


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("5", 5.0),
        (" 5.25 ", 5.25),
        (".5", 0.5),
        ("1e3", 1000.0),
        ("0", 0.0),
        ("5.", 5.0),
        ("-5", None),
        ("5,25", None),
        ("1 000", None),
        ("nan", None),
        ("inf", None),
        ("1e999", None),
        ("", None),
        ("-1.#IND", None),
        ("٥", None),
        ("0x10", None),
        (None, None),
        ("9" * 40, None),
    ],
)
def test_that_only_plain_numbers_of_zero_or_more_are_numbers(text: str | None, value: float | None) -> None:
    assert number(text) == value


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("4096", 4096),
        ("64KiB", 65536),
        ("8KB", 8192),
        ("8K", 8192),
        ("1M", 1048576),
        ("2 GiB", 2147483648),
        ("512 bytes", 512),
        ("0", None),
        ("4.5K", None),
        ("K", None),
        ("", None),
        ("-8K", None),
        ("8X", None),
    ],
)
def test_that_sizes_count_in_1024(text: str, size: int | None) -> None:
    assert size_bytes(text) == size


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2018/10/18 21:39:04 UTC", "2018-10-18T21:39:04Z"),
        ("2018/13/18 21:39:04 UTC", None),
        (None, None),
        ("2018/10/18 21:39:04", None),
        ("18/10/2018 21:39:04 UTC", None),
        ("2018/10/18 25:39:04 UTC", None),
    ],
)
def test_that_only_a_complete_utc_time_is_a_start(text: str | None, moment: str | None) -> None:
    assert utc_start(text) == moment


def test_that_counts_are_digits_only() -> None:
    assert [whole(text) for text in ("7", " 7 ", "7.0", "-7", "", None, "٧", "9" * 19)] == [
        7,
        7,
        None,
        None,
        None,
        None,
        None,
        None,
    ]


@pytest.mark.parametrize(
    ("data", "text", "encoding"),
    [
        ("Größe\r\n".encode(), "Größe\n", "utf-8"),
        ("Größe\r".encode("cp1252"), "Größe\n", "cp1252"),
        ("Имя системы".encode("cp1251"), "Имя системы", "cp1251"),
        ("Größe".encode("utf-16"), "Größe", "utf-16"),
        ("Result table".encode("utf-16-be"), "Result table", "utf-16"),
        (b"cut\0\0\0", "cut", "utf-8"),
        (b"", "", "utf-8"),
    ],
)
def test_that_texts_saved_by_consoles_and_editors_are_read(data: bytes, text: str, encoding: str) -> None:
    loaded = decode(data)
    assert (loaded.text, loaded.encoding) == (text, encoding)


@given(st.binary(max_size=200))
def test_that_any_bytes_are_text(data: bytes) -> None:
    assert "\r" not in decode(data).text


def test_that_a_missing_file_is_rejected_with_its_reason(tmp_path: Path) -> None:
    gone = load(tmp_path / "gone.txt", "gone.txt", "x")
    assert not isinstance(gone, bt.LoadedText)
    assert gone.problems[0].code == "unreadable"
    with pytest.raises(OSError) as missing:
        (tmp_path / "gone.txt").stat()
    assert missing.value.strerror in gone.problems[0].message


def test_that_a_file_beyond_any_result_is_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bt, "MAX_BYTES", 10)
    (tmp_path / "big.txt").write_bytes(b"x" * 11)
    big = load(tmp_path / "big.txt", "big.txt", "x")
    assert not isinstance(big, bt.LoadedText)
    assert big.problems[0].code == "too-large"


SHARED = Benchmark("a", "x", Op.TOTAL)
ONE = Figures(iops=1.0)


@pytest.mark.parametrize(
    ("sides", "ops"),
    [
        ((ONE, ONE, ONE), [Op.READ, Op.WRITE, Op.TOTAL]),
        ((ONE, None, ONE), [Op.READ]),
        ((None, ONE, ONE), [Op.WRITE]),
        ((None, None, ONE), [Op.TOTAL]),
        ((None, None, None), []),
        ((ONE, ONE, None), [Op.READ, Op.WRITE]),
    ],
)
def test_that_a_total_is_used_with_both_directions_or_alone(
    sides: tuple[Figures | None, Figures | None, Figures | None], ops: list[Op]
) -> None:
    assert [row.op for row in bt.direction_rows(SHARED, *sides)] == ops


def test_that_the_read_share_is_the_requested_one_unless_one_direction_ran() -> None:
    assert bt.share_of_reads(70.0, 50, 50) == 70.0
    assert bt.share_of_reads(70.0, 50, 0) == 100.0
    assert bt.share_of_reads(100.0, 75, 25) == 75.0
    assert bt.share_of_reads(None, 0, 0) is None


def test_that_reads_alone_are_never_more_than_100_percent() -> None:
    assert 100.0 * 94033.18 / 94033.18 > 100
    assert bt.share_of_reads(None, 94033.18, 0.0) == 100.0


def test_that_json_is_found_between_text_and_its_faults_have_a_line() -> None:
    found = decode_json('hello\n{"a": 1, "a": 2}\nbye')
    assert found == Json({"a": 2}, ("a",), True, True)
    assert decode_json('{"a":\n 1') == Broken("truncated", "it is cut off", 2)
    assert isinstance(decode_json("no json"), Broken)


@pytest.mark.parametrize(("digits", "count"), [("9" * 18, 10**18 - 1), ("1" + "0" * 18, None), (" 7 ", 7)])
def test_that_a_count_has_up_to_eighteen_digits(digits: str, count: int | None) -> None:
    assert whole(digits) == count
