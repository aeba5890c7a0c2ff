"""Bars of native charts: a single bar is no wider than one among many."""

from __future__ import annotations

import pytest

from workbench.exporters.bar_gap import LEAST_GAP, MOST_GAP, gap_percent


@pytest.mark.parametrize(("categories", "bars"), [(1, 1), (2, 1), (2, 3), (3, 2)])
def test_that_a_bar_is_three_quarters_of_an_inch_wide_where_there_is_room(categories: int, bars: int) -> None:
    gap = gap_percent(6.0, categories, bars)
    assert LEAST_GAP <= gap <= MOST_GAP
    wide = 6.0 / categories / (bars + gap / 100)
    # A single bar on a wide slide would need a gap that Excel does not take.
    assert wide == pytest.approx(0.75, rel=0.01) or gap in (LEAST_GAP, MOST_GAP)
    assert wide <= 1.001


def test_that_many_bars_keep_the_least_gap() -> None:
    assert gap_percent(6.0, 12, 2) == LEAST_GAP
    assert gap_percent(6.0, 0, 0) == LEAST_GAP
