"""Ticks and numbers of the axes."""

from __future__ import annotations

import math

import pytest

from workbench.charts import ticks
from workbench.words import numbers


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [(1_234_567.0, 0, "1\u2009234\u2009567"), (-3.5, 1, "\u22123.5"), (-0.01, 1, "0.0"), (math.nan, 2, "—")],
)
def test_that_numbers_have_digit_groups_and_a_sign_and_missing_values_are_a_dash(
    value: float, decimals: int, text: str
) -> None:
    assert numbers.fixed(value, decimals) == text


@pytest.mark.parametrize(("low", "high", "most"), [(0.0, 27.3, 6), (-3.0, 3.0, 5), (0.001, 0.0094, 8), (1e6, 7e6, 4)])
def test_that_linear_ticks_are_few_round_numbers_inside_the_range(low: float, high: float, most: int) -> None:
    found = ticks.linear(low, high, ticks.step(high - low, most))
    assert 2 <= len(found.places) <= most
    assert all(low - 1e-12 <= place <= high + 1e-12 for place in found.places)
    steps = {round(b - a, 12) for a, b in zip(found.places, found.places[1:], strict=False)}
    assert len(steps) == 1
    assert len(set(found.labels)) == len(found.labels)


def test_that_a_log_axis_is_labelled_with_plain_numbers() -> None:
    assert ticks.log(-2.0, 3.0, ticks.decade_step(-2.0, 3.0, 6), 6).labels == (
        "0.01",
        "0.1",
        "1",
        "10",
        "100",
        "1\u2009000",
    )


@pytest.mark.parametrize(
    ("high", "word", "last"), [(90.0, "seconds", "90"), (2_700.0, "minutes", "45"), (36_000.0, "h:mm", "10:00")]
)
def test_that_the_unit_of_the_time_axis_depends_on_its_range(high: float, word: str, last: str) -> None:
    found = ticks.time(0.0, high, ticks.time_step(high, 10))
    assert (found.word, found.labels[-1]) == (word, last)


def test_that_a_unit_is_shown_once() -> None:
    assert ticks.wording("IOPS per VM", "IOPS", "") == "IOPS per VM"
    assert ticks.wording("RAM used", "MB", "") == "RAM used (MB)"
    assert ticks.wording("Time since run start", "s", "minutes") == "Minutes since run start"
