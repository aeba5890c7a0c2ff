"""Agreement with Apache Otava, if it is installed: the statistic on any series, the change points on clean ones."""

from __future__ import annotations

import numpy as np
import pytest

from tests.answers.trend.otava import compared

pytest.importorskip("otava", reason="apache-otava is not installed: uv run --with apache-otava pytest …")


@pytest.mark.parametrize("seed", range(5))
def test_that_the_statistic_equals_that_of_otava(seed: int) -> None:
    values = np.random.default_rng(seed).normal(100.0, 2.0, size=24)
    assert compared(values.tolist())["statistic"] < 1e-9


@pytest.mark.parametrize("steps", [(12,), (8, 16), (5, 14, 20)])
def test_that_clean_steps_are_found_at_the_positions_of_otava(steps: tuple[int, ...]) -> None:
    rng = np.random.default_rng(9)
    level = 100 + 20 * sum((np.arange(26) >= step) * (-1) ** place for place, step in enumerate(steps))
    both = compared((level + rng.normal(size=26)).tolist())
    assert both["ours"] == both["otava, permutation test"] == list(steps)
