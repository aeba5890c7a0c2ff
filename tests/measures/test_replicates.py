"""Means over runs and their intervals, compared with those of scipy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from workbench.measures.configurations import mean_of


@pytest.mark.parametrize("n", [3, 5, 10])
def test_that_the_interval_of_a_mean_equals_that_of_scipy(n: int) -> None:
    values = np.random.default_rng(n).normal(70.0, 4.0, n)
    found = mean_of(values.tolist())
    low, high = stats.t.interval(0.95, n - 1, loc=values.mean(), scale=stats.sem(values))
    assert found is not None
    assert (found.low, found.high) == (pytest.approx(low), pytest.approx(high))  # type: ignore[comparison-overlap]
    assert found.half_width == pytest.approx((high - low) / 2)


def test_that_two_runs_have_a_range_and_one_has_no_interval() -> None:
    two, one = mean_of([8.0, 6.0]), mean_of([5.0])
    assert two is not None
    assert (two.value, two.low, two.high, two.basis, two.half_width) == (7.0, 6.0, 8.0, "range", None)
    assert one is not None
    assert (one.low, one.high, one.basis) == (None, None, "single")


def test_that_no_run_has_no_mean() -> None:
    assert mean_of([]) is None


def test_that_equal_runs_have_an_interval_of_zero_width() -> None:
    found = mean_of([4.0, 4.0, 4.0])
    assert found is not None
    assert (found.low, found.high) == (4.0, 4.0)


@pytest.mark.parametrize("values", [[1.0, math.nan], [math.nan, 1.0], [1.0, math.nan, 2.0]])
def test_that_a_number_that_is_not_finite_leaves_a_range_without_ends(values: list[float]) -> None:
    found = mean_of(values)
    assert found is not None
    assert all(math.isnan(end) for end in (found.value, found.low, found.high) if end is not None)
    assert found.low is not None
