"""The extremes of a very long line, compared with a plain loop over every bucket."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.charts.extremes import extremes, length


def wandering(seed: int, size: int) -> np.ndarray:
    """Samples with gaps, some short and some longer than the coarsest buckets."""
    random = np.random.default_rng(seed)
    y = random.normal(size=size)
    for longest in (1, 3, 70, 300, 5_000):
        start = int(random.integers(0, size))
        y[start : start + int(random.integers(0, longest + 1))] = np.nan
    return y


@given(st.integers(0, 10_000), st.integers(1, 20_000))
@settings(max_examples=60, deadline=None)
def test_that_every_level_has_the_extremes_of_its_buckets(seed: int, size: int) -> None:
    y = wandering(seed, size)
    known = extremes(y)
    np.testing.assert_array_equal(known.missing, np.flatnonzero(np.isnan(y)))
    assert [length(level) for level in range(3)] == [64, 256, 1_024]
    for level, (lows, highs) in enumerate(zip(known.lows, known.highs, strict=True)):
        starts = range(0, size, length(level))
        assert lows.size == highs.size == len(starts)
        for start, low, high in zip(starts, lows.tolist(), highs.tolist(), strict=True):
            bucket = y[start : start + length(level)]
            assert start <= low < start + bucket.size
            assert start <= high < start + bucket.size
            if np.isnan(bucket).all():
                assert low == high == start
            else:
                assert (y[low], y[high]) == (np.nanmin(bucket), np.nanmax(bucket))
    assert known.lows[-1].size == 1


@pytest.mark.parametrize(("per_bucket", "level"), [(63, -1), (64, 0), (255, 0), (256, 1), (1_023, 1), (10**9, 6)])
def test_that_the_level_has_buckets_no_longer_than_requested(per_bucket: int, level: int) -> None:
    assert extremes(np.zeros(65_537)).level(per_bucket) == level


def test_that_a_line_without_samples_has_no_ends() -> None:
    y = np.full(1_000, np.nan)
    assert np.isnan(extremes(y).ends(y)).all()
    y[[3, 900]] = 5.0, -1.0
    assert extremes(y).ends(y).tolist() == [-1.0, 5.0]
