"""All values that are not missing, as one array."""

from __future__ import annotations

import numpy as np
import pytest

from workbench import disk_arrays
from workbench.phases.integral import known_values


def test_that_known_values_are_in_block_order_without_missing_ones() -> None:
    blocks = [np.array([[1.0, np.nan, 3.0], [np.nan, 5.0, 6.0]]), np.array([np.nan, 7.0]), np.empty((0, 4))]
    assert known_values(blocks).tolist() == [1.0, 3.0, 5.0, 6.0, 7.0]
    assert known_values([]).size == 0


def test_that_values_without_a_limit_are_returned() -> None:
    # Their sum is not a number, like that of missing values.
    assert known_values([np.array([np.inf, -np.inf, 1.0])]).tolist() == [np.inf, -np.inf, 1.0]


def test_that_many_blocks_in_a_scratch_file_give_the_same_values(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    blocks = [rng.normal(size=(7, 30_000)) for _ in range(3)]
    for block in blocks:
        block[rng.random(block.shape) < 0.2] = np.nan
    pooled = np.concatenate([block.ravel() for block in blocks])
    monkeypatch.setattr(disk_arrays, "LARGE_BYTES", 1000)
    np.testing.assert_array_equal(known_values(blocks), pooled[~np.isnan(pooled)])
