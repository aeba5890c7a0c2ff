"""Integrals between any two moments, compared with `integrate` over the same samples."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.builders import T0, phase, samples
from workbench.measures.live_edges import BLOCK, cumulative
from workbench.phases.integral import integrate
from workbench.study.series.vm_series import Samples


def study(seed: int, count: int) -> dict[str, Samples]:
    """Two machines of one file, one with ranges of missing samples, and one with different times."""
    random = np.random.default_rng(seed)
    steps = np.where(random.random(count) < 0.02, 500.0, random.uniform(8.0, 12.0, count))
    one = samples(np.cumsum(steps).tolist(), random.gamma(1.0, 50.0, count).tolist())
    holed = one.values[::-1].copy()
    for start in random.integers(0, count, 5):
        holed[start : start + random.integers(1, 4 * BLOCK)] = math.nan
    return {"A": one, "B": replace(one, values=holed), "C": replace(one, end=one.end + 3.0, values=one.values * 2)}


@given(st.integers(0, 1_000), st.integers(2, 8 * BLOCK), st.data())
@settings(max_examples=150, deadline=None)
def test_that_the_cumulative_value_gives_the_integral_between_any_two_times(
    seed: int, count: int, data: st.DataObject
) -> None:
    by_vm = study(seed, count)
    last = float(by_vm["A"].end[-1]) - T0
    moments = st.one_of(st.floats(-50.0, last + 50.0), st.sampled_from((by_vm["A"].end - T0).tolist()))
    start, end = sorted((data.draw(moments), data.draw(moments)))
    stretch = phase("p", start, end)
    alone = {vm: integrate(one, stretch) for vm, one in by_vm.items()}
    together = cumulative(by_vm).between(stretch.start, stretch.end)
    assert list(together) == [vm for vm, integral in alone.items() if integral is not None]
    for vm, integral in together.items():
        expected = alone[vm]
        assert expected is not None
        assert integral.total == pytest.approx(expected.total, rel=1e-9, abs=1e-6)
        assert integral.covered_s == pytest.approx(expected.covered_s, rel=1e-9, abs=1e-6)


def test_that_a_range_without_samples_is_excluded_and_not_zero() -> None:
    values = np.ones(10 * BLOCK)
    values[2 * BLOCK + 5 : 8 * BLOCK + 5] = math.nan
    one = samples(np.arange(1.0, values.size + 1).tolist(), values.tolist())
    sums = cumulative({"A": one})
    assert sums.between(T0 + 2 * BLOCK + 5, T0 + 8 * BLOCK + 5) == {}
    assert sums.between(T0 - 100.0, T0) == {}
    assert sums.between(T0 + 2 * BLOCK + 4.5, T0 + 8 * BLOCK + 5)["A"].covered_s == pytest.approx(0.5)


def test_that_a_number_overflow_affects_only_its_range() -> None:
    values = np.full(10 * BLOCK, 3.0)
    values[BLOCK + 1] = values[BLOCK + 2] = 1.7e308
    one = samples(np.arange(1.0, values.size + 1).tolist(), values.tolist())
    sums = cumulative({"A": one})
    assert math.isinf(sums.between(T0, T0 + 300.0)["A"].total)
    assert sums.between(T0 + 200.0, T0 + 500.0)["A"].total == pytest.approx(900.0)


def test_that_an_empty_set_of_machines_has_no_integral() -> None:
    assert cumulative({}).between(T0, T0 + 10.0) == {}
