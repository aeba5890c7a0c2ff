"""The median curves of the cache page."""

from __future__ import annotations

import numpy as np
import pytest

from workbench.answers.cache.curves import Curves


@pytest.mark.parametrize("share", [5, 50, 95])
def test_that_a_percentile_of_curves_covers_the_vms_measured_at_each_point(share: float) -> None:
    rows = np.random.default_rng(7).lognormal(3.0, 1.0, (9, 40))
    rows[:4, 5:15] = rows[6, 10:20] = rows[:, 30:33] = np.nan
    values = Curves(np.arange(40.0), rows, tuple("abcdefghi")).percentile(share)
    for point, value in enumerate(values):
        measured = rows[~np.isnan(rows[:, point]), point]
        assert value == np.percentile(measured, share) if measured.size else np.isnan(value)
