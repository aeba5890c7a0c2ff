"""Permutation tests, Holm and verdicts: compared with scipy, computed by hand, and at the limits of every rule."""

from __future__ import annotations

import math
from statistics import mean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control, permutation_test, t, ttest_ind
from syrupy.assertion import SnapshotAssertion

from workbench.measures.significance.p_values import MOST_PARTINGS, benjamini_hochberg, holm, permutation_p
from workbench.measures.significance.verdicts import Adjusted, Judgement, judge
from workbench.measures.statistics import Change, Direction, Verdict, change, same_p

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
    """The verdict on one metric that is shown alone."""
    found = change(baseline, values)
    assert found is not None
    adjusted = Adjusted(found.p, same_p(baseline, values, margin), permutation_p(baseline, values))
    return judge(found, adjusted, better=better, margin=margin)


def interval(ratio: float, low: float, high: float, p: float) -> Change:
    return Change(ratio, 0.0, low, high, "interval", 3, 3, p)


@given(FIGURES, FIGURES)
def test_that_the_p_value_equals_the_welch_test_on_logs(baseline: list[float], values: list[float]) -> None:
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
def test_that_the_permutation_test_equals_the_exact_one_of_scipy(first: int, second: int) -> None:
    for shift in (0.0, 0.05, 0.2, 1.0):
        baseline = RNG.lognormal(2.0, 0.1, first).tolist()
        values = RNG.lognormal(2.0 + shift, 0.1, second).tolist()
        assert permutation_p(baseline, values) == pytest.approx(scipy_permutation(baseline, values))


def test_that_equal_values_count_as_ties() -> None:
    baseline, values = [1.0, 1.0, 2.0, 2.0, 3.0], [1.0, 2.0, 2.0, 3.0, 3.0]
    assert permutation_p(baseline, values) == pytest.approx(scipy_permutation(baseline, values))
    assert permutation_p([4.0] * 5, [4.0] * 5) == 1.0


def test_that_five_fully_separated_runs_have_the_smallest_possible_p_value() -> None:
    assert permutation_p([1.0, 2.0, 3.0, 4.0, 5.0], [6.0, 7.0, 8.0, 9.0, 10.0]) == pytest.approx(2 / 252)


def test_that_many_runs_are_sampled_with_a_fixed_seed_close_to_the_exact_p_value() -> None:
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


def test_that_holm_multiplies_by_the_number_of_remaining_tests_and_never_decreases() -> None:
    # By hand: 0.01 x 4, 0.02 x 3, 0.03 x 2, 0.04 x 1 -> 0.04 would be below the 0.06 before it.
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
def test_that_holm_keeps_the_order_and_is_between_the_p_value_and_bonferroni(p_values: list[float | None]) -> None:
    adjusted = holm(p_values)
    known = [(p, a) for p, a in zip(p_values, adjusted, strict=True) if p is not None and a is not None]
    assert [a is None for a in adjusted] == [p is None for p in p_values]
    assert all(p <= a <= min(1.0, p * len(known)) + 1e-12 for p, a in known)
    ordered = [a for _, a in sorted(known)]
    assert ordered == sorted(ordered)


@given(st.lists(st.floats(1e-6, 1), min_size=1, max_size=30))
def test_that_the_false_discovery_rate_equals_that_of_scipy(p_values: list[float]) -> None:
    adjusted = benjamini_hochberg([*p_values, None])
    assert adjusted[-1] is None
    np.testing.assert_allclose(np.array(adjusted[:-1], dtype=float), false_discovery_control(p_values))


def test_that_the_false_discovery_rate_depends_on_how_many_hypotheses_can_be_true() -> None:
    # By hand, four hypotheses; two can be true: 2/1 x 0.01, 2/2 x 0.02, 2/3 x 0.9 -> never below p itself.
    assert benjamini_hochberg([0.02, 0.9, 0.01, None, 0.95], 2) == [
        pytest.approx(0.02),
        pytest.approx(0.9),
        pytest.approx(0.02),
        None,
        pytest.approx(0.95),
    ]


@given(FIGURES, FIGURES, st.floats(0.01, 0.4))
def test_that_the_p_value_of_same_is_the_larger_of_two_one_sided_welch_tests(
    baseline: list[float], values: list[float], margin: float
) -> None:
    logs = np.log(values), np.log(baseline)
    low = ttest_ind(logs[0] - math.log(1 - margin), logs[1], equal_var=False, alternative="greater").pvalue
    high = ttest_ind(logs[0] - math.log(1 + margin), logs[1], equal_var=False, alternative="less").pvalue
    assert same_p(baseline, values, margin) == pytest.approx(max(low, high), abs=1e-9)


@given(FIGURES, FIGURES, st.floats(0.01, 0.4))
def test_that_shares_are_same_within_a_margin_of_the_baseline_on_plain_values(
    baseline: list[float], values: list[float], margin: float
) -> None:
    low = ttest_ind(values, np.array(baseline) * (1 - margin), equal_var=False, alternative="greater").pvalue
    high = ttest_ind(values, np.array(baseline) * (1 + margin), equal_var=False, alternative="less").pvalue
    assert same_p(baseline, values, margin, "plain") == pytest.approx(max(low, high), abs=1e-9)
    found = change(baseline, values, "plain")
    assert found is not None
    assert found.p == pytest.approx(ttest_ind(values, baseline, equal_var=False).pvalue, abs=1e-9)


@given(FIGURES, FIGURES)
def test_that_difference_and_change_and_interval_have_the_same_sign(baseline: list[float], values: list[float]) -> None:
    # Means of logs and plain means may differ in opposite directions: 1, 1, 1, 9 compared with 2, 2, 2, 2.
    for values_, baseline_ in ((values, baseline), ([1.0, 1.01, 1.0, 9.0], [2.0, 2.0, 2.01, 2.0])):
        found = change(baseline_, values_)
        assert found is not None
        assert found.value is not None
        assert found.baseline_value is not None
        assert found.value == pytest.approx(mean(values_))
        assert found.baseline_value == pytest.approx(mean(baseline_))
        shown = found.shown_difference
        assert shown is None or shown == found.difference
        assert (shown is None) == (found.difference * (found.ratio - 1) < 0)
        assert found.low is not None
        assert found.high is not None
        assert found.low <= found.ratio <= found.high


def test_that_a_clear_reduction_is_better_for_a_cost_and_worse_for_a_gain() -> None:
    fall = [100.0, 101.0, 99.0], [50.0, 51.0, 49.0]
    assert judged(*fall).verdict is Verdict.BETTER
    assert judged(*fall, better="higher").verdict is Verdict.WORSE
    assert judged(*fall, better="none").verdict is Verdict.LOWER
    assert judged(fall[1], fall[0]).verdict is Verdict.WORSE
    assert judged(fall[1], fall[0], better="none").verdict is Verdict.HIGHER


@pytest.mark.parametrize(("baseline", "values"), [([100.0], [7.0]), ([100.0], [7.0, 8.0, 9.0])])
def test_that_a_single_run_is_never_better(baseline: list[float], values: list[float]) -> None:
    found = judged(baseline, values)
    assert found.verdict is Verdict.INCONCLUSIVE


def test_that_two_runs_are_never_better() -> None:
    found = judged([100.0, 101.0], [7.0, 8.0, 9.0])
    assert found.verdict is Verdict.INCONCLUSIVE
    assert "three runs" in found.reason


@pytest.mark.parametrize(("same", "verdict"), [(0.049, Verdict.SAME), (0.05, Verdict.INCONCLUSIVE)])
def test_that_same_needs_both_one_sided_tests(same: float, verdict: Verdict) -> None:
    assert judge(interval(0.97, 0.94, 1.01, 0.5), Adjusted(0.5, same)).verdict is verdict


def test_that_a_difference_that_may_be_within_the_margin_must_exceed_it_to_be_better() -> None:
    assert judge(interval(0.94, 0.90, 0.98, 0.01), Adjusted(0.01)).verdict is Verdict.BETTER
    open_case = judge(interval(0.96, 0.92, 0.99, 0.01), Adjusted(0.01))
    assert open_case.verdict is Verdict.INCONCLUSIVE
    assert "exceeds 5\u2009%" in open_case.reason


def test_that_the_margin_decides_between_same_and_better() -> None:
    fall = [100.0, 101.0, 99.0], [92.0, 92.5, 91.5]
    assert judged(*fall, margin=0.15).verdict is Verdict.SAME
    assert judged(*fall, margin=0.05).verdict is Verdict.BETTER


def test_that_a_difference_significant_alone_is_inconclusive_among_many_comparisons(
    snapshot: SnapshotAssertion,
) -> None:
    found = judge(interval(0.8, 0.7, 0.95, 0.03), Adjusted(0.09))
    assert found.verdict is Verdict.INCONCLUSIVE
    assert found.reason == snapshot
    assert "vary too much" in judge(interval(0.8, 0.6, 1.1, 0.2), Adjusted(0.4)).reason


def test_that_a_permutation_test_that_disagrees_makes_the_verdict_inconclusive() -> None:
    found = interval(0.8, 0.7, 0.95, 0.01)
    assert judge(found, Adjusted(0.02, None, 0.20)).verdict is Verdict.INCONCLUSIVE
    assert judge(found, Adjusted(0.02, None, 0.008)).verdict is Verdict.BETTER


def test_that_a_cache_that_absorbs_everything_is_better_although_zero_has_no_logarithm() -> None:
    found = judged([1300.0, 1339.0, 1370.0], [0.0, 0.0, 0.0])
    assert found.verdict is Verdict.BETTER
    assert "plain values" in found.reason


@pytest.mark.parametrize(("baseline", "values"), [([0.1 + 0.2] * 3, [0.3] * 3), ([0.3] * 3, [0.2] * 4)])
def test_that_runs_without_variation_have_no_test_and_no_verdict(baseline: list[float], values: list[float]) -> None:
    found = change(baseline, values)
    assert found is not None
    assert (found.basis, found.p, same_p(baseline, values, 0.05)) == ("range", None, None)
    verdict = judged(baseline, values)
    assert verdict.verdict is Verdict.INCONCLUSIVE
    assert "same value" in verdict.reason


def test_that_a_side_without_variation_uses_that_of_the_other_and_its_degrees_of_freedom() -> None:
    # Earlier, three runs of exactly 50 halved the uncertainty of the three with variation.
    flat, other = [50.0] * 4, [100.0, 104.0, 97.0]
    found = change(other, flat)
    assert found is not None
    centre = math.log(50) - np.log(other).mean()
    error = np.log(other).std(ddof=1) * math.sqrt(1 / 3 + 1 / 4)
    assert found.p == pytest.approx(2 * t.sf(abs(centre) / error, 2))
    assert found.low == pytest.approx(math.exp(centre - t.ppf(0.975, 2) * error))
    back = change(flat, other)
    assert back is not None
    assert back.p == pytest.approx(found.p)


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
def test_that_swapping_baseline_and_configuration_reverses_the_verdict(
    baseline: list[float], values: list[float]
) -> None:
    there, back = change(baseline, values), change(values, baseline)
    assert there is not None
    assert back is not None
    assert there.ratio * back.ratio == pytest.approx(1)
    assert there.p == pytest.approx(back.p)
