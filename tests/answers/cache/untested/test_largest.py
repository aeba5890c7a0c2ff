"""The upper bound of the cache need of N further VMs, and the fill limit of a driver, compared with independently
computed figures."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from workbench.answers.cache.untested.footprint import largest_of
from workbench.answers.cache.untested.shares import Fill


def drawn(runs: int, vms: int, scatter: float, seed: int) -> list[dict[str, float]]:
    """Needs in MB of other VMs in each run, log-normal."""
    rng = np.random.default_rng(seed)
    made = 300 * np.exp(scatter * rng.normal(size=(runs, vms)))
    return [{f"{run}-{vm}": float(mb) for vm, mb in enumerate(row)} for run, row in enumerate(made)]


@pytest.mark.parametrize("vms", [1, 100])
def test_that_the_upper_bound_is_the_quantile_of_the_largest_of_many_values(vms: int) -> None:
    bound = largest_of(drawn(40, 50, 0.2, 1), vms)
    # 90 % of the largest of N are below Φ⁻¹(0.9^(1/N)); with 2,000 values the bound adds little for uncertainty.
    assert bound == pytest.approx(300 * np.exp(0.2 * stats.norm.ppf(0.9 ** (1 / vms))), rel=0.04)


def test_that_the_bound_covers_further_runs_and_the_largest_measured_vm_does_not() -> None:
    rng = np.random.default_rng(5)
    held, measured_held = [], []
    for seed in range(150):
        runs = drawn(4, 6, 0.15, 1000 + seed)
        bound = largest_of(runs, 100)
        if bound is not None:
            truth = 300 * np.exp(0.15 * rng.normal(size=100)).max()
            held.append(truth <= bound)
            measured_held.append(truth <= max(max(run.values()) for run in runs))
    assert np.mean(held) >= 0.9
    assert np.mean(measured_held) < 0.5


def test_that_runs_that_differ_raise_the_bound() -> None:
    alike = drawn(4, 6, 0.1, 3)
    apart = [
        {vm: mb * factor for vm, mb in run.items()} for run, factor in zip(alike, (0.7, 0.9, 1.1, 1.3), strict=True)
    ]
    first, second = largest_of(alike, 50), largest_of(apart, 50)
    assert first is not None
    assert second is not None
    assert second > 1.3 * first


@pytest.mark.parametrize("runs", [drawn(1, 30, 0.1, 1), drawn(2, 20, 0.1, 1), drawn(5, 2, 0.1, 1), drawn(3, 3, 0.1, 1)])
def test_that_few_runs_or_vms_give_no_bound(runs: list[dict[str, float]]) -> None:
    assert largest_of(runs, 100) is None


def test_that_needs_that_are_far_from_log_normal_give_no_bound() -> None:
    runs = [{str(vm): 100.0 + vm * 0.1 for vm in range(9)} | {"big": 900.0 + run} for run in range(4)]
    assert largest_of(runs, 100) is None


def ends(fill: Fill, size: float) -> tuple[float, float]:
    low, high = fill.ends(np.array([size]))
    return float(low[0]), float(high[0])


def test_that_one_tested_size_does_not_show_whether_the_reserve_is_a_share_or_an_amount() -> None:
    fill = Fill(((128.0, 116.0),))
    assert fill.shares == (116 / 128, 116 / 128)
    assert ends(fill, 256.0) == pytest.approx((232, 244))
    assert fill.sizes(232.0) == pytest.approx((244, 256))


@pytest.mark.parametrize("share", [0.98, 0.7])
def test_that_two_tested_sizes_show_whether_the_reserve_is_a_share_or_an_amount(share: float) -> None:
    by_share = Fill(((100.0, 100 * share), (400.0, 400 * share)))
    assert ends(by_share, 1000.0) == pytest.approx((1000 * share, 1000 * share))
    by_amount = Fill(((100.0, 90.0), (400.0, 390.0)))
    assert ends(by_amount, 1000.0) == pytest.approx((990, 990))


def test_that_an_unmeasured_reserve_counts_as_zero_and_a_vm_short_of_memory_may_use_its_whole_cache() -> None:
    assert not Fill().measured
    assert ends(Fill(), 100.0) == (95, 100)
    assert ends(Fill(((100.0, 30.0),)), 200.0) == pytest.approx((60, 200))
