"""A trend, warm-up or step in steady state is marked over time; a stable one has no mark."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.builders import T0, counter, phase, recording, run
from workbench.answers.common.traces.marks import OVERFLOW, STEP, TREND, WARM_UP, steady_facts, trend_line
from workbench.answers.common.traces.trace_figure import per_vm_figure
from workbench.answers.common.traces.traces import View
from workbench.answers.per_vm.figures import median_figure
from workbench.answers.timeline.curves import curves
from workbench.answers.timeline.page import timeline_figure
from workbench.charts.figure import Figure, Line, Panel
from workbench.measures.configurations import Group, group_runs
from workbench.measures.phase_table import run_figures
from workbench.model.metric import Quantity
from workbench.model.phase import STEADY
from workbench.model.recording import series_key

IOPS, DISK = counter("A", Quantity.IOPS), counter("A", Quantity.CACHE_DISK_USED)
# Steady state lasts an hour from minute 10 on; a sample every 10 s.
TIMES = 10.0 * np.arange(1, 421)
STEADY_AT = (600.0, 4200.0)
FloatArray = npt.NDArray[np.float64]
AT_STEADY = View(STEADY)


def group_of(folder: Path, rate: Callable[[FloatArray], FloatArray], disk: FloatArray | None = None) -> Group:
    """One run of a VM. Its IOPS are `rate` of the time, with a ripple of 1 %."""
    columns = [(IOPS, rate(TIMES) * (1 + 0.01 * np.cos(TIMES)))]
    columns += [] if disk is None else [(DISK, disk)]
    one = recording(folder, "r1.csv", T0 + TIMES, columns)
    (group,) = group_runs([run_figures(run(one, name="r1", folder="r1", stated_phases=(phase("steady", *STEADY_AT),)))])
    return group


def timeline_of(group: Group) -> Figure:
    return timeline_figure(curves([group], [series_key("r1", "r1.csv", IOPS.path)]), AT_STEADY)


def within(panel: Panel) -> list[tuple[str, float, float]]:
    return [(region.name, region.start, region.end) for region in panel.regions if region.within]


def trends(panel: Panel) -> list[Line]:
    return [mark for mark in panel.marks if isinstance(mark, Line) and mark.name == TREND]


def falling(times: FloatArray) -> FloatArray:
    """From 120 to 80 over the phase: a drift of -40 % of its mean."""
    return np.asarray(120.0 - 40.0 * (times - STEADY_AT[0]) / (STEADY_AT[1] - STEADY_AT[0]))


def stepping(at: float, before: float, after: float) -> Callable[[FloatArray], FloatArray]:
    return lambda times: np.where(times <= at, before, after)


def test_that_a_drift_is_drawn_as_a_line_from_its_start_to_its_end_on_both_pages(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    group = group_of(tmp_path, falling)
    for figure in (timeline_of(group), per_vm_figure([group], AT_STEADY)):
        (line,) = trends(figure.panels[0])
        assert line.x == pytest.approx([0.0, 3600.0])
        assert line.y == pytest.approx([120.0, 80.0], rel=0.01)
        assert within(figure.panels[0]) == []
        assert figure.caption == snapshot


def test_that_a_warm_up_is_a_shaded_range_that_counts(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    group = group_of(tmp_path, stepping(600.0 + 720.0, 150.0, 100.0))
    for figure in (timeline_of(group), per_vm_figure([group], AT_STEADY)):
        assert within(figure.panels[0]) == [(WARM_UP, 0.0, 720.0)]
        (line,) = trends(figure.panels[0])
        assert line.x == pytest.approx([0.0, 720.0, 720.0, 3600.0])
        assert line.y == pytest.approx([150.0, 150.0, 100.0, 100.0], rel=0.01)
        assert figure.caption == snapshot


def test_that_a_step_is_marked_at_its_moment(tmp_path: Path) -> None:
    group = group_of(tmp_path, stepping(600.0 + 1800.0, 100.0, 150.0))
    assert within(timeline_of(group).panels[0]) == [(STEP, 1800.0, 3600.0)]


def test_that_a_step_at_an_overflow_is_labelled_as_overflow(tmp_path: Path) -> None:
    disk = np.where(TIMES <= 600.0 + 1800.0, 0.0, (TIMES - 2400.0) * 2.0**20)
    group = group_of(tmp_path, stepping(600.0 + 1800.0, 100.0, 150.0), disk)
    ((name, start, end),) = within(timeline_of(group).panels[0])
    assert (name, end) == (OVERFLOW, 3600.0)
    assert start == pytest.approx(1800.0, abs=20.0)
    assert "at the overflow" in steady_facts(group.runs)[0]


def test_that_a_chart_without_drift_has_no_marks(tmp_path: Path) -> None:
    group = group_of(tmp_path, lambda times: np.full_like(times, 100.0))
    for figure in (timeline_of(group), per_vm_figure([group], AT_STEADY)):
        assert trends(figure.panels[0]) == within(figure.panels[0]) == []
        assert "Not steady" not in figure.caption
    assert trend_line(group.runs[0], 0.0) is None


def test_that_the_median_of_configurations_has_no_trend_marks_of_single_runs(tmp_path: Path) -> None:
    (panel,) = median_figure([group_of(tmp_path, falling)], AT_STEADY).panels
    assert len(panel.marks) == 1
