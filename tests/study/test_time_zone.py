"""Offsets from UTC, stated as numbers or by the name of a place."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from workbench.study.series.time_zone import offset_minutes, offset_text


def local(*parts: int) -> float:
    return datetime(*parts, tzinfo=UTC).timestamp()  # type: ignore[misc,arg-type]


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("+01:00", 60),
        ("-05:30", -330),
        ("+0100", 60),
        ("+1", 60),
        ("UTC+2", 120),
        ("gmt-3", -180),
        ("UTC", 0),
        ("Z", 0),
        (" +01:00 ", 60),
        ("Asia/Kolkata", 330),
        ("+14:00", 840),
    ],
)
def test_that_offsets_and_names_are_accepted(text: str, minutes: int) -> None:
    assert offset_minutes(text, local(2016, 5, 10)) == minutes


@pytest.mark.parametrize(
    ("moment", "minutes"),
    [
        ((2016, 1, 10, 12), 0),
        ((2016, 7, 10, 12), 60),
        ((2016, 3, 27, 0, 59), 0),
        ((2016, 3, 27, 2, 1), 60),
        ((2016, 10, 30, 0, 30), 60),
        ((2016, 10, 30, 2, 1), 0),
    ],
)
def test_that_a_named_zone_applies_summer_time(moment: tuple[int, ...], minutes: int) -> None:
    assert offset_minutes("Europe/London", local(*moment)) == minutes


@pytest.mark.parametrize("text", ["", "London", "Mars/Olympus", "+15:00", "+1:99", "Europe", "../UTC", "/etc/passwd"])
def test_that_an_invalid_zone_is_reported(text: str) -> None:
    with pytest.raises(ValueError, match="is '"):
        offset_minutes(text, 0.0)


def test_that_an_offset_is_shown_as_stated() -> None:
    assert [offset_text(m) for m in (60, -330, 0)] == ["+01:00", "-05:30", "+00:00"]
