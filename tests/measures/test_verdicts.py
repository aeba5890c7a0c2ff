"""Permutation tests, Holm and verdicts: against scipy, by hand, and at the edges of every rule."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import permutation_test, ttest_ind

from workbench.measures.statistics import (
    MOST_PARTINGS,
    Change,
    Direction,
    Judgement,
    Verdict,
    change,
    holm,
    judge,
    permutation_p,
)

FIGURES = st.lists(st.floats(0.01, 1e5), min_size=3, max_size=8).filter(lambda v: np.ptp(np.log(v)) > 1e-3)
P_VALUES = st.lists(st.one_of(st.none(), st.floats(0, 1)), max_size=12)
RNG = np.random.default_rng(11)


def scipy_permutation(baseline: list[float], values: list[float]) -> float:
    """scipy's own exact test on the difference of the mean logs."""
    found = permutation_test(
        (np.log(baseline), np.log(values)),
        lambda a, b, axis: b.mean(axis=axis) - a.mean(axis=axis),
        vectorized=True,
        n_resamples=math.inf,
    )
    return float(found.pvalue)


def judged(baseline: list[float], values: list[float], better: Direction = "lower", margin: float = 0.05) -> Judgement:
    """The verdict on one metric shown alone."""
    found = change(baseline, values)
    assert found is not None
    return judge(found, holm([found.p])[0], permutation_p(baseline, values), better=better, margin=margin)


def interval(ratio: float, low: float, high: float, p: float) -> Change:
    return Change(ratio, 0.0, low, high, "interval", 3, 3, p)


@given(FIGURES, FIGURES)
def test_that_the_p_value_is_welchs_on_logs(baseline: list[float], values: list[float]) -> None:
    found = change(baseline, values)
    assert found is not None
    assert found.p == pytest.approx(ttest_ind(np.log(values), np.log(baseline), equal_var=False).pvalue, abs=1e-9)


@given(FIGURES, FIGURES)
def test_that_the_interval_excludes_no_change_exactly_when_p_is_below_5_percent(
    baseline: list[float], values: list[float]
) -> None:
    found = change(baseline, values)
    assert found is not None
    assert found.low is not None
    assert found.high is not None
    assert found.p is not None
    if abs(found.p - 0.05) > 1e-6:
        assert (found.low > 1 or found.high < 1) == (found.p < 0.05)


@pytest.mark.parametrize(("first", "second"), [(5, 5), (5, 7), (6, 5), (7, 7)])
def test_that_the_permutation_test_is_scipys_exact_one(first: int, second: int) -> None:
    for shift in (0.0, 0.05, 0.2, 1.0):
        baseline = RNG.lognormal(2.0, 0.1, first).tolist()
        values = RNG.lognormal(2.0 + shift, 0.1, second).tolist()
        assert permutation_p(baseline, values) == pytest.approx(scipy_permutation(baseline, values))


def test_that_ties_count_as_ties() -> None:
    baseline, values = [1.0, 1.0, 2.0, 2.0, 3.0], [1.0, 2.0, 2.0, 3.0, 3.0]
    assert permutation_p(baseline, values) == pytest.approx(scipy_permutation(baseline, values))
    assert permutation_p([4.0] * 5, [4.0] * 5) == 1.0


def test_that_five_runs_wholly_apart_have_the_smallest_p_value_there_is() -> None:
    assert permutation_p([1.0, 2.0, 3.0, 4.0, 5.0], [6.0, 7.0, 8.0, 9.0, 10.0]) == pytest.approx(2 / 252)


def test_that_many_runs_are_drawn_with_a_fixed_seed_and_close_to_the_exact_p_value() -> None:
    assert math.comb(17, 8) > MOST_PARTINGS
    baseline, values = RNG.lognormal(2.0, 0.1, 8).tolist(), RNG.lognormal(2.08, 0.1, 9).tolist()
    found = permutation_p(baseline, values)
    assert found == permutation_p(baseline, values)
    exact = scipy_permutation(baseline, values)
    assert found == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / MOST_PARTINGS) + 1e-4)


def test_that_fewer_than_five_runs_have_no_permutation_test() -> None:
    assert permutation_p([1.0] * 4, [2.0] * 9) is None
    assert permutation_p([1.0] * 9, [2.0] * 4) is None


def test_that_five_runs_with_zeros_are_tested_on_plain_values() -> None:
    assert permutation_p([5.0, 6.0, 7.0, 8.0, 9.0], [0.0] * 5) == pytest.approx(2 / 252)


def test_that_holm_multiplies_by_the_tests_still_standing_and_never_falls() -> None:
    # By hand: 0.01 x 4, 0.02 x 3, 0.03 x 2, 0.04 x 1 -> 0.04 would be below its forerunner's 0.06.
    assert holm([0.04, 0.01, None, 0.03, 0.02]) == [
        pytest.approx(0.06),
        pytest.approx(0.04),
        None,
        pytest.approx(0.06),
        pytest.approx(0.06),
    ]
    assert holm([0.6, 0.7]) == [1.0, 1.0]
    assert holm([None]) == [None]


@given(P_VALUES)
def test_that_holm_keeps_the_order_and_lies_between_the_p_value_and_bonferronis(p_values: list[float | None]) -> None:
    adjusted = holm(p_values)
    known = [(p, a) for p, a in zip(p_values, adjusted, strict=True) if p is not None and a is not None]
    assert [a is None for a in adjusted] == [p is None for p in p_values]
    assert all(p <= a <= min(1.0, p * len(known)) + 1e-12 for p, a in known)
    ordered = [a for _, a in sorted(known)]
    assert ordered == sorted(ordered)


def test_that_a_clear_reduction_of_a_cost_is_better_and_of_a_gain_worse() -> None:
    fall = [100.0, 101.0, 99.0], [50.0, 51.0, 49.0]
    assert judged(*fall).verdict is Verdict.BETTER
    assert judged(*fall, better="higher").verdict is Verdict.WORSE
    assert judged(*fall, better="none").verdict is Verdict.LOWER
    assert judged(fall[1], fall[0]).verdict is Verdict.WORSE
    assert judged(fall[1], fall[0], better="none").verdict is Verdict.HIGHER


@pytest.mark.parametrize(("baseline", "values"), [([100.0], [7.0]), ([100.0], [7.0, 8.0, 9.0])])
def test_that_one_run_is_never_better_and_says_that_there_is_no_uncertainty(
    baseline: list[float], values: list[float]
) -> None:
    found = judged(baseline, values)
    assert found.verdict is Verdict.INCONCLUSIVE
    assert "no uncertainty available" in found.reason


def test_that_two_runs_are_never_better() -> None:
    found = judged([100.0, 101.0], [7.0, 8.0, 9.0])
    assert found.verdict is Verdict.INCONCLUSIVE
    assert "range" in found.reason


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (0.95, 1.05, Verdict.SAME),
        (0.951, 0.99, Verdict.SAME),
        (0.9499, 1.05, Verdict.INCONCLUSIVE),
        (0.95, 1.0501, Verdict.INCONCLUSIVE),
    ],
)
def test_that_same_takes_an_interval_wholly_within_the_margin(low: float, high: float, verdict: Verdict) -> None:
    assert judge(interval(0.97, low, high, 0.5), 0.5).verdict is verdict


def test_that_a_difference_that_may_be_within_the_margin_needs_a_point_beyond_it() -> None:
    assert judge(interval(0.94, 0.90, 0.98, 0.01), 0.01).verdict is Verdict.BETTER
    open_case = judge(interval(0.96, 0.92, 0.99, 0.01), 0.01)
    assert open_case.verdict is Verdict.INCONCLUSIVE
    assert "more than 5 %" in open_case.reason


def test_that_the_margin_decides_between_same_and_better() -> None:
    found = interval(0.92, 0.91, 0.93, 0.001)
    assert judge(found, 0.001, margin=0.10).verdict is Verdict.SAME
    assert judge(found, 0.001, margin=0.05).verdict is Verdict.BETTER


def test_that_what_differs_only_by_itself_is_inconclusive_among_many_metrics() -> None:
    found = judge(interval(0.8, 0.7, 0.95, 0.03), 0.09)
    assert found.verdict is Verdict.INCONCLUSIVE
    assert "not after allowing for the other metrics" in found.reason
    assert "scatter" in judge(interval(0.8, 0.6, 1.1, 0.2), 0.4).reason


def test_that_a_permutation_test_that_disagrees_withholds_the_verdict() -> None:
    assert judge(interval(0.8, 0.7, 0.95, 0.01), 0.02, 0.20).verdict is Verdict.INCONCLUSIVE
    assert judge(interval(0.8, 0.7, 0.95, 0.01), 0.02, 0.008).verdict is Verdict.BETTER


def test_that_a_cache_that_took_everything_is_better_though_zero_has_no_logarithm() -> None:
    found = judged([1300.0, 1339.0, 1370.0], [0.0, 0.0, 0.0])
    assert found.verdict is Verdict.BETTER
    assert "plain values" in found.reason


def test_that_equal_replicates_are_the_same_or_apart_without_rounding_deciding() -> None:
    assert judged([0.1 + 0.2] * 3, [0.3] * 3).verdict is Verdict.SAME
    assert judged([0.3] * 3, [0.2] * 4).verdict is Verdict.BETTER


@given(FIGURES, FIGURES, st.floats(0.001, 1000.0))
def test_that_another_unit_changes_no_verdict(baseline: list[float], values: list[float], factor: float) -> None:
    before, after = (change(baseline, values), change([v * factor for v in baseline], [v * factor for v in values]))
    assert before is not None
    assert after is not None
    for name in ("ratio", "low", "high"):
        assert getattr(after, name) == pytest.approx(getattr(before, name))
    assert after.difference == pytest.approx(before.difference * factor, rel=1e-6, abs=1e-6 * factor)
    assert after.p == pytest.approx(before.p, rel=1e-4, abs=1e-12)


@given(FIGURES, FIGURES)
def test_that_the_baseline_and_the_other_may_change_places(baseline: list[float], values: list[float]) -> None:
    there, back = change(baseline, values), change(values, baseline)
    assert there is not None
    assert back is not None
    assert there.ratio * back.ratio == pytest.approx(1)
    assert there.p == pytest.approx(back.p)
