"""E-divisive: the statistic computed by hand and by its definition, the p-value over every order of the runs."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.answers.trend.divisive import (
    LEAST_RUNS,
    change_points,
    fewest_runs,
    next_point,
    q_table,
    serial_p,
    smallest_p,
)


def by_definition(values: list[float], t: int, k: int) -> float:
    """Q of x[:t] and x[t:k], written down from the paper."""
    before, behind = values[:t], values[t:k]
    m, n = len(before), len(behind)
    between = 2 / (m * n) * sum(abs(x - y) for x in before for y in behind)
    inside = sum(
        2 / (len(side) * (len(side) - 1)) * sum(abs(side[i] - side[j]) for i in range(len(side)) for j in range(i))
        for side in (before, behind)
    )
    return m * n / (m + n) * (between - inside)


def test_that_the_statistic_equals_the_hand_calculation() -> None:
    """Between 36/9 · 2 = 8, within 4/3 on each side: E = 16/3, and Q = 9/6 · 16/3 = 8."""
    assert q_table(np.array([[1.0, 2.0, 3.0, 5.0, 6.0, 7.0]]))[0, 3, 6] == pytest.approx(8.0)
    # 0 within, 27/9 · 2 = 6 between: Q = 9/6 · 6.
    assert q_table(np.array([[0.0, 0.0, 0.0, 3.0, 3.0, 3.0]]))[0, 3, 6] == pytest.approx(9.0)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.floats(-1e3, 1e3), min_size=4, max_size=9))
def test_that_every_entry_equals_the_statistic_of_the_paper(values: list[float]) -> None:
    table = q_table(np.array([values]))[0]
    for t in range(2, len(values) - 1):
        for k in range(t + 2, len(values) + 1):
            assert table[t, k] == pytest.approx(by_definition(values, t, k), rel=1e-9, abs=1e-6)
    assert np.isneginf(table[1]).all()


def test_that_a_clean_step_in_eight_runs_has_the_smallest_possible_p_value() -> None:
    """All 40,320 orders of the runs: 2 · 4! · 4! of 8! separate the two levels as clearly."""
    values = (1.0, 1.1, 0.9, 1.05, 2.0, 2.1, 1.9, 2.05)
    orders = np.array(list(permutations(values)))
    tops = np.concatenate([q_table(part, LEAST_RUNS).max(axis=(1, 2)) for part in np.array_split(orders, 20)])
    share = np.mean(tops >= tops[0] - 1e-9)
    assert share == pytest.approx(2 / math.comb(8, 4)) == pytest.approx(smallest_p(8))
    point = next_point(values)
    assert point is not None
    assert (point.index, point.p) == (4, pytest.approx(share, abs=0.01))


def test_that_seven_runs_never_show_a_step_and_more_series_need_more_runs() -> None:
    assert smallest_p(7) > 0.05 > smallest_p(8)
    assert [fewest_runs(count) for count in (1, 2, 6, 12)] == [8, 9, 10, 12]
    assert change_points([1.0, 1.1, 0.9, 50.0, 50.1, 49.9, 50.05]) == []


def test_that_a_clean_step_is_significant_for_any_number_of_series() -> None:
    """No p-value is below 1 / (shuffles + 1): among many series the test needs more shuffles."""
    rng = np.random.default_rng(5)
    for count, tests in ((20, 120), (20, 400), (90, 20), (90, 60)):
        values = rng.normal(size=count) + 40 * (np.arange(count) >= count // 2)
        point = next_point(tuple(values.tolist()), (), tests)
        assert point is not None
        assert tests * point.p < 0.05


def test_that_more_series_keep_the_p_value_of_runs_with_random_variation() -> None:
    values = tuple(np.random.default_rng(3).normal(size=14).tolist())
    one, many = next_point(values), next_point(values, (), 400)
    assert one is not None
    assert many is not None
    assert many.p == pytest.approx(one.p, abs=0.02)


@pytest.mark.parametrize("count", [8, 12])
def test_that_the_share_of_series_with_memory_above_a_level_equals_that_of_other_draws(count: int) -> None:
    """The t-value of the best step or of the line, minus three correlations of its residuals, fitted by numpy."""

    def shown(values: np.ndarray) -> float:
        ones, order = np.ones(count), np.arange(count)
        fits = [np.column_stack([ones, order]), *(np.column_stack([ones, order >= t]) for t in range(2, count - 1))]
        rests = [values - fit @ np.linalg.lstsq(fit, values, rcond=None)[0] for fit in fits]
        rest = min(rests, key=lambda each: float(each @ each))
        left, whole = float(rest @ rest), float(((values - values.mean()) ** 2).sum())
        return float(np.sqrt((whole - left) / left * (count - 2)) - 3 * (rest[1:] @ rest[:-1]) / left)

    rng = np.random.default_rng(77)
    lags = np.abs(np.subtract.outer(np.arange(count), np.arange(count)))
    drawn = [shown(values) for values in rng.multivariate_normal(np.zeros(count), 0.5**lags, size=1500)]
    values = rng.normal(size=count) + 2 * (np.arange(count) >= count // 2)
    share = np.mean(np.array(drawn) >= shown(values))
    assert serial_p(values) == pytest.approx(share, abs=0.04)


def test_that_two_steps_are_found_at_their_positions() -> None:
    steps = [10.0, 10.2, 9.9, 10.1, 10.0, 20.1, 19.9, 20.0, 20.2, 19.8, 14.9, 15.1, 15.0, 15.2, 14.8]
    assert sorted(point.index for point in change_points(steps)) == [5, 10]


def test_that_a_step_that_is_reversed_later_is_found() -> None:
    values = [10.0, 10.2, 9.9, 10.1, 20.1, 19.9, 20.0, 20.2, 10.05, 9.95, 10.15, 9.85]
    assert sorted(point.index for point in change_points(values)) == [4, 8]


def test_that_a_single_odd_run_is_not_a_step() -> None:
    assert change_points([10.0, 10.2, 9.9, 10.1, 30.0, 9.8, 10.05, 9.95, 10.15, 9.85]) == []


def test_that_identical_runs_show_no_step() -> None:
    assert change_points([5.0] * 12) == []


def test_that_the_same_runs_give_the_same_p_value() -> None:
    values = tuple(float(value) for value in np.random.default_rng(3).normal(size=14))
    first = next_point(values)
    next_point.cache_clear()
    assert next_point(values) == first


def test_that_too_few_runs_have_no_possible_step() -> None:
    assert next_point((1.0, 2.0, 3.0)) is None


@pytest.mark.parametrize("value", [math.nan, math.inf, 1e308])
def test_that_a_statistic_that_is_not_a_number_is_rejected(value: float) -> None:
    with pytest.raises(ValueError, match="too large or not a number"):
        next_point((-5.0, -5.1, -4.9, -5.0, -5.2, -5.1, -3.0, -3.1, -2.9, -3.0, -3.2, value))
