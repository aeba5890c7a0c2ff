"""Percentiles against numpy's own, where all values are looked at and where few are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from workbench.measures.percentile import percentile

SHARES = (0.0, 1.0, 50.0, 95.0, 99.9, 100.0)


@pytest.mark.parametrize("share", SHARES)
@given(values=arrays(np.float64, st.integers(1, 60), elements=st.floats(0, 1e6)))
def test_that_percentiles_are_those_of_numpy(values: np.ndarray, share: float) -> None:
    assert percentile(values, share) == pytest.approx(float(np.percentile(values, share)), rel=1e-12)


@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("kind", ["exponential", "sorted", "equal", "misleading"])
def test_that_looking_only_near_the_percentile_changes_nothing(kind: str, share: float) -> None:
    values = np.random.default_rng(7).exponential(30.0, 50_000)
    if kind == "sorted":
        values.sort()
    elif kind == "equal":
        values[:] = 4.0
    elif kind == "misleading":
        # The few that the limit is taken from are far above all others.
        values[::64] = 1e6
    assert percentile(values, share) == pytest.approx(float(np.percentile(values, share)), rel=1e-12)


def test_that_nothing_has_no_percentile() -> None:
    assert percentile(np.empty(0), 95) is None
