"""Bars of native charts: a single bar is not wider than one of many bars."""

from __future__ import annotations

import numpy as np
import pytest

from workbench.charts.figure import Axis, Bars, Figure, Line, Look, Panel
from workbench.exporters.chart_plan import LEAST_GAP, MOST_GAP, ChartPlan, gap_percent, plans_of

# Inches of the chart width that the axis uses.
AXIS = 0.75


def plan_with(categories: int, bars: int) -> ChartPlan:
    """A plan with that many bars over each of that many names."""
    names = tuple(f"name {place}" for place in range(categories))
    marks = tuple(Bars(f"b{place}", np.ones(categories) * 2, Look("MCS")) for place in range(bars))
    panel = Panel("", Axis("", categories=names), Axis("IOPS", "IOPS"), marks)
    (plan,) = plans_of(Figure("f", "Q?", "", (panel,)))
    return plan


@pytest.mark.parametrize(("categories", "bars"), [(1, 1), (2, 1), (2, 3), (3, 2)])
def test_that_a_bar_is_three_quarters_of_an_inch_wide_if_there_is_enough_space(categories: int, bars: int) -> None:
    gap = gap_percent(plan_with(categories, bars), 6.0 + AXIS, 3.0)
    assert LEAST_GAP <= gap <= MOST_GAP
    wide = 6.0 / categories / (bars + gap / 100)
    # A single bar on a wide slide would need a gap that Excel does not accept.
    assert wide == pytest.approx(0.75, rel=0.01) or gap in (LEAST_GAP, MOST_GAP)
    assert wide <= 1.001


def test_that_many_bars_keep_the_least_gap() -> None:
    assert gap_percent(plan_with(12, 2), 6.0 + AXIS, 3.0) == LEAST_GAP


def test_that_a_chart_without_bars_has_the_least_gap() -> None:
    x = np.array([0.0, 1.0])
    panel = Panel("", Axis("x"), Axis("IOPS", "IOPS"), (Line("a", x, x, Look("MCS")),))
    (plan,) = plans_of(Figure("f", "Q?", "", (panel,)))
    assert gap_percent(plan, 6.0, 3.0) == LEAST_GAP
