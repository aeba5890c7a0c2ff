"""Numbers as they are displayed."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

import workbench
from workbench.answers.common.change_words import change_ends_words, change_text, change_words, drawn_change
from workbench.measures.statistics import change
from workbench.words.numbers import (
    MINUS,
    POINTS,
    THIN,
    bracketed,
    duration,
    fixed,
    in_full,
    moment,
    number,
    percent,
    signed,
    with_mark,
    write_decimals_with,
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (None, "—"),
        (math.nan, "—"),
        (math.inf, "—"),
        (7.0, "7.00"),
        (70.25, "70.2"),
        (351.4, "351"),
        (9.996, "10.0"),
        (0.9996, "1.00"),
        (999.6, f"1{THIN}000"),
        (126_360.0, f"126{THIN}400"),
        (126_360, f"126{THIN}360"),
        (0.000123, "0.000123"),
        (-2.5, f"{MINUS}2.50"),
        (0.107, "0.107"),
    ],
)
def test_that_numbers_keep_three_significant_digits(value: float | None, text: str) -> None:
    assert number(value) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (25.0, f"25{THIN}s"),
        (90.0, f"90{THIN}s"),
        (360.0, f"6:00{THIN}min"),
        (359.9999997, f"6:00{THIN}min"),
        (2700.0, f"45:00{THIN}min"),
        (7200.4, f"2:00{THIN}h"),
        (None, "—"),
    ],
)
def test_that_durations_are_written_like_a_clock(seconds: float | None, text: str) -> None:
    assert duration(seconds) == text


def test_that_a_share_has_decimals_only_if_they_matter() -> None:
    assert [percent(value) for value in (86.2, 0.44, 99.94, 100.0, None)] == [
        f"86{THIN}%",
        f"0.4{THIN}%",
        f"99.9{THIN}%",
        f"100{THIN}%",
        "—",
    ]


def test_that_a_change_names_its_known_uncertainty() -> None:
    one = change_text(change([100.0], [7.0]), "IOPS", 100.0)
    assert one == f"{MINUS}93.0{THIN}%, one run each"
    two = change_text(change([100.0, 100.0], [7.0, 8.0]), "IOPS", 100.0)
    assert two == f"{MINUS}92.5{THIN}% (range {MINUS}93.0 to {MINUS}92.0), n = 2"
    assert change_text(None, "IOPS", None) == "no comparison possible"


def test_that_a_percentage_of_a_tiny_base_has_the_absolute_difference() -> None:
    assert "= +0.30 IOPS" in change_text(change([0.1], [0.4]), "IOPS", 0.1)


def test_that_a_moment_is_shown_in_utc() -> None:
    assert (moment(1_462_867_200.0), moment(None)) == ("2016-05-10 08:00:00", "—")


def test_that_numbers_use_a_decimal_comma_if_preferred() -> None:
    write_decimals_with(",")
    try:
        assert (fixed(-12345.6, 1), number(0.123), percent(9.5)) == ("−12\u2009345,6", "0,123", "9,5\u2009%")
        assert signed(1234.5, 1) == "+1\u2009234,5"
    finally:
        write_decimals_with(".")
    assert fixed(-12345.6, 1) == "−12\u2009345.6"
    with pytest.raises(ValueError, match="not a decimal mark"):
        write_decimals_with("·")


def test_that_a_huge_number_is_written_with_a_power_of_ten() -> None:
    assert number(2e300) == "2.00e+300"
    assert number(-2e300) == f"{MINUS}2.00e+300"
    assert number(3.14e-12) == f"3.14e{MINUS}12"
    assert number(999e12) == THIN.join(("999", "000", "000", "000", "000"))


def test_that_a_change_is_a_ratio_or_in_points_or_in_its_unit() -> None:
    # Means 2.167 and 3.333; the ratio of the geometric means is 1.543.
    found = change([2.0, 2.0, 2.5], [3.0, 3.5, 3.5])
    assert found is not None
    assert change_words(found, "%") == f"+54.3{THIN}%"
    assert change_words(found, POINTS) == f"+1.2{THIN}{POINTS}"
    assert change_words(found, "ms") == f"+1.17{THIN}ms"
    assert change_ends_words(found, "ms").startswith("[+")
    assert change_ends_words(found, "ms").endswith(f"]{THIN}ms")
    assert drawn_change(found, "ms") == (found.difference, found.difference_low, found.difference_high)


# Sentences in sources, errors and formulas contain numbers as typed, with a decimal point.
_NOT_DRAWN = {
    "numbers.py",
    "spec.py",
    "options.py",
    "reply.py",
    "sources.py",
    "compute.py",
    "constants.py",
    "measured.py",
    "boot_what_if.py",
    "vsimax_models.py",
    "file.py",
    # For the files of a test kit.
    "contents.py",
    "mix.py",
}


def test_that_charts_contain_no_hard_coded_decimal_point() -> None:
    """Every number in the texts of a chart is formatted by `numbers`, which uses the decimal mark of the user."""
    root = Path(workbench.__file__).parent
    own = re.compile(r"\{[^{}]*:[,+]?(?:\.[1-9]\d*[fge]|g)\}")
    found = [
        f"{path.relative_to(root)}: {line.strip()}"
        for room in ("charts", "words", "answers")
        for path in sorted((root / room).rglob("*.py"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if path.name not in _NOT_DRAWN and own.search(line) and "marked(" not in line
    ]
    assert found == []


def test_that_more_digits_are_kept_on_request() -> None:
    assert number(12345.678, 6) == f"12{THIN}345.7"
    assert number(12345.678, 3) == f"12{THIN}350"


def test_that_a_full_value_has_no_power_of_ten() -> None:
    assert in_full(12345678901.5) == f"12{THIN}345{THIN}678{THIN}902"
    assert in_full(-104.98) == f"{MINUS}104.98"


def test_that_a_semicolon_separates_the_ends_of_an_interval_with_decimal_commas() -> None:
    assert bracketed("1.2", "3.4") == "[1.2, 3.4]"
    assert with_mark("the change is [\u22120.5, +4.8] %, p = 0.5") == "the change is [\u22120.5, +4.8] %, p = 0.5"
    write_decimals_with(",")
    try:
        assert bracketed("1,2", "3,4") == "[1,2; 3,4]"
        assert with_mark("the change is [\u22120.5, +4.8] %, p = 0.5") == "the change is [\u22120,5; +4,8] %, p = 0,5"
        assert "[+8,3; +15,2]" in change_text(change([9.0, 9.2, 9.1], [10.0, 10.2, 10.3]), "IOPS", 9.1)
    finally:
        write_decimals_with(".")
