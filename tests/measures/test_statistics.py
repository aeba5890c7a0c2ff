"""Changes between runs, compared with the Welch interval of scipy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_ind

from workbench.measures.statistics import change, difference_ends

FIGURES = st.lists(st.floats(0.01, 1e5), min_size=3, max_size=8).filter(lambda v: np.ptp(np.log(v)) > 1e-3)


@given(FIGURES, FIGURES)
def test_that_three_or_more_runs_have_the_welch_interval_on_logs(baseline: list[float], values: list[float]) -> None:
    found = change(baseline, values)
    assert found is not None
    assert found.low is not None
    assert found.high is not None
    interval = ttest_ind(np.log(values), np.log(baseline), equal_var=False).confidence_interval(0.95)
    geometric = math.exp(float(np.mean(np.log(values)) - np.mean(np.log(baseline))))
    assert found.basis == "interval"
    assert found.ratio == pytest.approx(geometric)
    assert math.log(found.low) == pytest.approx(interval.low, abs=1e-6)
    assert math.log(found.high) == pytest.approx(interval.high, abs=1e-6)
    assert found.difference == pytest.approx(np.mean(values) - np.mean(baseline), abs=1e-6)


def test_that_two_runs_give_the_range_of_their_ratios() -> None:
    found = change([100.0, 80.0], [40.0, 60.0, 50.0])
    assert found is not None
    assert (found.basis, found.n, found.n_baseline) == ("range", 3, 2)
    assert (found.low, found.high) == (40 / 100, 60 / 80)
    assert found.ratio == pytest.approx(50 / 90)


def test_that_one_run_gives_a_difference_and_no_uncertainty() -> None:
    found = change([100.0], [7.0, 8.0, 9.0])
    assert found is not None
    assert (found.basis, found.low, found.high) == ("single", None, None)
    assert (found.difference, found.percent) == (pytest.approx(-92), pytest.approx(-92))


def test_that_equal_runs_have_an_interval_of_zero_width() -> None:
    found = change([10.0] * 3, [5.0] * 4)
    assert found is not None
    assert (found.ratio, found.low, found.high) == (pytest.approx(0.5), pytest.approx(0.5), pytest.approx(0.5))


@pytest.mark.parametrize(("baseline", "values"), [([], [1.0]), ([1.0], []), ([0.0], [1.0]), ([0.0, 1.0], [1.0, 1.0])])
def test_that_a_baseline_of_zero_has_no_ratio(baseline: list[float], values: list[float]) -> None:
    assert change(baseline, values) is None


def test_that_a_figure_that_fell_to_zero_is_a_reduction_by_100_percent() -> None:
    found = change([10.0], [0.0])
    assert found is not None
    assert (found.percent, found.difference) == (-100, -10)


def test_that_a_zero_among_three_runs_gives_a_range_because_it_has_no_logarithm() -> None:
    found = change([10.0, 11.0, 12.0], [0.0, 1.0, 2.0])
    assert found is not None
    assert (found.basis, found.low, found.high) == ("range", 0.0, 0.2)


@pytest.mark.parametrize(("base", "ours"), [((0.0, 2.0, 3.0), (5.0, 6.0, 8.0)), ((2.0, 3.0, 4.0), (0.0, 6.0, 8.0))])
def test_that_a_difference_has_the_range_of_its_runs_if_a_side_contains_0(
    base: tuple[float, ...], ours: tuple[float, ...]
) -> None:
    ends = [value - other for value in ours for other in base]
    assert difference_ends(np.array(base), np.array(ours)) == (min(ends), max(ends))


def test_that_a_difference_of_three_runs_has_a_welch_interval_and_of_two_a_range() -> None:
    base, ours = np.array([2.0, 3.0, 5.0]), np.array([5.0, 6.5, 8.0])
    expected = ttest_ind(ours, base, equal_var=False).confidence_interval(0.95)
    assert difference_ends(base, ours) == pytest.approx((expected.low, expected.high))
    assert difference_ends(base[:2], ours) == (2.0, 6.0)
    assert difference_ends(base[:1], ours) == (None, None)


@pytest.mark.parametrize("ours", [(5.0, math.inf), (-math.inf, 5.0), (-math.inf, math.inf)])
def test_that_a_difference_without_finite_ends_has_no_interval(ours: tuple[float, float]) -> None:
    assert difference_ends(np.array([1.0, 2.0]), np.array(ours)) == (None, None)
