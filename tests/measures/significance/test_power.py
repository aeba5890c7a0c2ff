"""The detectable change: the limit of the variation compared with scipy, the power by simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import chi2, ttest_ind

from workbench.measures.catalogue import MEASURES
from workbench.measures.significance.differences import Outlook
from workbench.measures.significance.power import (
    LIMIT,
    Scatter,
    chi_square,
    detectable,
    runs_for_same,
    runs_to_detect,
    scatter_of,
)
from workbench.measures.statistics import same_p

TRIALS = 2000
RNG = np.random.default_rng(20)


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 9, 29, 200])
@pytest.mark.parametrize("probability", [0.001, 0.2, 0.5, 0.95])
def test_that_the_chi_square_quantile_equals_that_of_scipy(freedom: int, probability: float) -> None:
    assert chi_square(probability, freedom) == pytest.approx(chi2.ppf(probability, freedom), rel=1e-9)


@pytest.mark.parametrize("runs", [2, 3, 5, 10])
def test_that_the_upper_bound_of_the_variation_exceeds_the_true_one_in_four_of_five_studies(runs: int) -> None:
    limits = [scatter_of(RNG.lognormal(3, 0.1, runs).tolist()) for _ in range(TRIALS)]
    above = sum(limit is not None and limit.limit > 0.1 for limit in limits) / TRIALS
    assert above == pytest.approx(LIMIT, abs=4 * math.sqrt(0.16 / TRIALS))


@pytest.mark.parametrize(("runs", "level"), [(3, 0.05), (5, 0.05 / 12), (10, 0.05 / 12)])
def test_that_the_stated_detectable_change_is_found_in_four_of_five_studies(runs: int, level: float) -> None:
    size = detectable(Scatter(0.1, runs), Scatter(0.1, runs), level)
    base, ours = RNG.normal(0, 0.1, (TRIALS, runs)), RNG.normal(size, 0.1, (TRIALS, runs))
    shown = (ttest_ind(ours, base, axis=1, equal_var=False).pvalue < level).mean()
    # The sum of two quantiles of t approximates a noncentral t: slightly too high with three runs.
    assert 0.76 <= shown <= 0.88


def test_that_a_verdict_beyond_the_margin_needs_more_runs_than_a_difference() -> None:
    sides = Scatter(0.01, 10), Scatter(0.01, 10)
    assert detectable(*sides, 0.05) < math.log(1.05) < detectable(*sides, 0.05, 0.05)


@pytest.mark.parametrize("size", [0.05, 0.2])
def test_that_the_stated_number_of_runs_finds_the_change_and_fewer_do_not(size: float) -> None:
    runs = runs_to_detect(0.05, 0.08, math.log1p(size), 0.01)
    assert runs is not None

    def power(count: int) -> float:
        base, ours = RNG.normal(0, 0.05, (TRIALS, count)), RNG.normal(math.log1p(size), 0.08, (TRIALS, count))
        return float((ttest_ind(ours, base, axis=1, equal_var=False).pvalue < 0.01).mean())

    assert 0.77 <= power(runs) <= 0.90
    assert power(max(2, runs * 2 // 3)) < 0.77


def test_that_the_stated_number_of_runs_shows_that_equal_configurations_are_the_same() -> None:
    runs = runs_for_same(0.03, 0.03, 0.05)
    assert runs is not None
    trials = 600
    passed = sum(
        (same_p(RNG.lognormal(0, 0.03, runs).tolist(), RNG.lognormal(0, 0.03, runs).tolist(), 0.05) or 1.0) < 0.05
        for _ in range(trials)
    )
    assert 0.76 <= passed / trials <= 0.90


def test_that_runs_that_could_not_detect_any_reduction_state_no_huge_increase() -> None:
    huge = Outlook(0.05, -0.9999, 9999.0, None, 100.0)
    could, _ = huge.sentences(MEASURES["iops_per_vm"], 0.05)
    assert "increases" not in could
    assert "increases" in Outlook(0.05, -0.4, 0.7, 9, 100.0).sentences(MEASURES["iops_per_vm"], 0.05)[0]


def test_that_a_change_that_needs_more_than_a_thousand_runs_has_no_number() -> None:
    assert runs_to_detect(1.0, 1.0, 0.01) is None
    assert runs_for_same(1.0, 1.0, 0.01) is None
