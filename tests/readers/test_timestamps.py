"""Parsing of timestamps: the limits of each part, the order of day and month, clock changes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from workbench.readers.text.timestamps import (
    HOUR,
    SECOND,
    Order,
    decide_order,
    hour_ahead,
    iso,
    parse_fixed,
    parse_texts,
    shifted,
    steps_back,
    to_microseconds,
)

EPOCH = datetime(1970, 1, 1)
MINUTE = 60 * SECOND
# Month, day, year, hour, minute, second: each part at its limits and one beyond.
DATES = [
    (month, day, year)
    for year in (1969, 1970, 2023, 2024, 2100, 2200, 2201)
    for month, day in ((0, 1), (1, 0), (1, 1), (1, 31), (1, 32), (2, 28), (2, 29), (4, 30), (4, 31), (12, 31), (13, 1))
]
CLOCKS = [(0, 0, 0), (23, 59, 59), (24, 0, 0), (0, 60, 0), (0, 0, 60), (7, 8, 9)]


def micros(moment: datetime) -> int:
    """Microseconds since 1970, computed by Python's calendar."""
    return (moment - EPOCH) // timedelta(microseconds=1)


def expected(month: int, day: int, year: int, hour: int, minute: int, second: int) -> int | None:
    try:
        return micros(datetime(year, month, day, hour, minute, second)) if 1970 <= year <= 2200 else None
    except ValueError:
        return None


@pytest.mark.parametrize("date", DATES)
@pytest.mark.parametrize("shape", ["{:02}/{:02}/{:04} {:02}:{:02}:{:02}", "{:02}/{:02}/{:04}  {:02}:{:02}:{:02}"])
def test_that_a_timestamp_is_read_up_to_the_limits_of_each_part(shape: str, date: tuple[int, int, int]) -> None:
    texts = [shape.format(*date, *clock) for clock in CLOCKS]
    times, real = to_microseconds(parse_texts(texts), Order.MONTH_FIRST)
    read = [int(time) if ok else None for time, ok in zip(times, real, strict=True)]
    assert read == [expected(*date, *clock) for clock in CLOCKS]


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("12:00:00 AM", "00:00:00.000000"),
        ("12:00:00 p.m.", "12:00:00.000000"),
        ("1:30 PM", "13:30:00.000000"),
        ("11:59:59.9 pm", "23:59:59.900000"),
        ("0:30 PM", None),
        ("13:30 PM", None),
        ("4:05", "04:05:00.000000"),
        ("4:05:06,25", "04:05:06.250000"),
        ("4:05:06.000001", "04:05:06.000001"),
        ("4:5", None),
    ],
)
def test_that_twelve_hour_clocks_and_fractions_of_seconds_are_read(text: str, clock: str | None) -> None:
    times, real = to_microseconds(parse_texts([f"3/4/2024 {text}"]), Order.MONTH_FIRST)
    moment = datetime.strptime(f"2024-03-04 {clock}", "%Y-%m-%d %H:%M:%S.%f") if clock else None
    assert (int(times[0]) if real[0] else None) == (micros(moment) if moment else None)


def test_that_milliseconds_count_and_a_letter_among_digits_is_not_a_time_stamp() -> None:
    stamps = parse_fixed(b"03/04/2024 05:06:07.08903/04/2024 05:06:07.999", 23)
    assert stamps is not None
    assert (stamps.of_day % SECOND).tolist() == [89_000, 999_000]
    for text in (b"03/04/2024 05:06:0x", b"03-04-2024 05:06:07", b"03/04/2024 05:06:0:", b"03/04/2024 05:06:0/"):
        assert parse_fixed(text, 19) is None
    assert parse_fixed(b"03/04/2024 05:06", 16) is None
    assert parse_fixed(b"03/04/2024 05:06:07.089", 19) is None


@pytest.mark.parametrize(
    ("texts", "standard", "padded", "seconds", "dotted"),
    [
        (["03/04/2024 05:06:07.089"], True, True, True, False),
        (["03/04/2024 05:06:07"], False, True, True, False),
        (["03/04/2024 05:06:07.089", "x"], True, True, True, False),
        (["03/04/2024 05:06:07.08", "x"], False, True, True, False),
        (["03/04/2024 05:06:07.089", "03/04/2024 05:06:08"], False, True, True, False),
        (["03/04/2024 05:06:07.089", "03/04/2024 05:06:08,08"], False, True, True, False),
        (["03/04/2024 05:06:07.089", "03/4/2024 05:06:08"], False, False, True, False),
        (["03/04/2024 05:06:07,089"], False, True, True, False),
        (["3/04/2024 05:06:07.089"], False, False, True, False),
        (["03/4/2024 05:06:07.089"], False, False, True, False),
        (["03/04/2024 5:06:07.089"], False, False, True, False),
        (["03/04/2024 05:06"], False, False, False, False),
        (["03.04.2024 05:06:07"], False, False, True, True),
        (["03.04.2024 05:06:07", "03/04/2024 05:06"], False, False, True, False),
        (["x"], False, False, False, False),
    ],
)
def test_that_the_shape_of_a_column_is_reported(
    texts: list[str], standard: bool, padded: bool, seconds: bool, dotted: bool
) -> None:
    stamps = parse_texts(texts)
    assert (stamps.standard, stamps.padded, stamps.seconds, stamps.dotted) == (standard, padded, seconds, dotted)


@pytest.mark.parametrize(
    ("texts", "trusted", "order"),
    [
        (["2024/03/04 05:06"], False, Order.YEAR_FIRST),
        (["31/03/2024 05:06"], False, Order.DAY_FIRST),
        (["03/31/2024 05:06"], False, Order.MONTH_FIRST),
        (["03.04.2024 05:06"], True, Order.DAY_FIRST),
        (["03/04/2024 05:06"], True, Order.MONTH_FIRST),
        (["03/04/2024 05:06"], False, None),
        (["04/04/2024 05:06"], False, Order.MONTH_FIRST),
        (["x"], False, Order.MONTH_FIRST),
        # Three minutes around midnight: one day apart, or a month.
        (["03/04/2024 23:59", "04/04/2024 00:00", "04/04/2024 00:01"], True, Order.DAY_FIRST),
        (["03/04/2024 23:59", "03/05/2024 00:00", "03/05/2024 00:01"], False, Order.MONTH_FIRST),
        # Few samples: days that become months do not form a steady interval.
        (["05/07/2024 23:59:02", "06/07/2024 23:59:32", "07/07/2024 00:00:02"], False, Order.DAY_FIRST),
        (["05/07/2024 09:00", "06/07/2024 09:00", "07/07/2024 09:00"], False, None),
        # A step of 62 minutes across midnight is not a jump either, one of 66 minutes is.
        (["04/04/2024 00:02", "03/04/2024 23:00"], False, Order.DAY_FIRST),
        (["04/04/2024 00:02", "03/04/2024 22:56"], False, None),
        # A clock set back by an hour is not a jump, one set back by two hours is a jump in either order.
        (["03/04/2024 05:06", "03/04/2024 04:06"], False, None),
    ],
)
def test_that_the_date_order_with_fewer_failures_is_used(texts: list[str], trusted: bool, order: Order | None) -> None:
    assert decide_order(parse_texts(texts), trusted) is order


def column(start: datetime, minutes: list[float]) -> np.ndarray:
    return np.array([micros(start + timedelta(minutes=minute)) for minute in minutes], np.int64)


def test_that_only_the_first_step_back_by_an_hour_minus_the_interval_ends_summer_time() -> None:
    times = column(datetime(2024, 10, 27, 2, 58), [0, 1, 2, 0, -30, -29, -88, -87, -146])
    steps = steps_back(times)
    assert [(step.index, step.seconds, step.summer_time_ends) for step in steps] == [
        (3, -120.0, False),
        (4, -1800.0, False),
        (6, -3540.0, True),
        (8, -3540.0, False),
    ]
    assert (shifted(times, steps) - times).tolist() == [0, 0, 0, 0, 0, 0, HOUR, HOUR, HOUR]
    assert steps_back(column(datetime(2024, 10, 27), [0, 1, 1, 2])) == ()


@pytest.mark.parametrize(
    ("back_min", "ends"), [(59, True), (57, True), (56.9, False), (61, True), (61.1, False), (1, False)]
)
def test_that_summer_time_ends_within_two_intervals_of_an_hour(back_min: float, ends: bool) -> None:
    times = column(datetime(2024, 10, 27, 2, 0), [0, 1, 2, 2 - back_min])
    assert [step.summer_time_ends for step in steps_back(times)] == [ends]


@pytest.mark.parametrize(
    ("start", "minutes", "row"),
    [
        (datetime(2024, 3, 31, 1, 58), [0, 1, 62, 63], 2),  # a Sunday
        (datetime(2024, 3, 30, 1, 58), [0, 1, 62, 63], None),
        (datetime(2024, 4, 1, 1, 58), [0, 1, 62, 63], None),
        (datetime(2024, 3, 31, 3, 58), [0, 1, 62, 63], 2),
        (datetime(2024, 3, 31, 3, 59), [0, 1, 62, 63], None),
        (datetime(2024, 3, 31, 0, 0), [0, 1, 62, 63], 2),
        (datetime(2024, 3, 31, 1, 30), [0, 10, 20, 90, 100], 3),
        (datetime(2024, 3, 31, 1, 30), [0, 11, 22, 93, 104], None),
        (datetime(2024, 3, 31, 1, 58), [0, 1, 64, 65], 2),
        (datetime(2024, 3, 31, 1, 58), [0, 1, 64.1, 65], None),
        (datetime(2024, 3, 31, 1, 58), [0, 1, 2, 3], None),
        (datetime(2024, 3, 31, 1, 58), [0], None),
    ],
)
def test_that_summer_time_begins_in_the_small_hours_of_a_sunday(
    start: datetime, minutes: list[float], row: int | None
) -> None:
    assert hour_ahead(column(start, minutes)) == row


def test_that_times_are_in_utc_only_if_the_offset_is_known() -> None:
    moment = datetime(2024, 3, 4, 5, 6, 7)
    shown = {offset: iso(micros(moment), offset) for offset in (None, 0, 90, -120)}
    assert shown[None] == "2024-03-04T05:06:07"
    for offset in (0, 90, -120):
        text = shown[offset]
        assert datetime.fromisoformat(text) == (moment - timedelta(minutes=offset)).replace(tzinfo=UTC)
        assert text.endswith("Z")
    assert iso(micros(moment) + 250_000, None) == "2024-03-04T05:06:07.25"
