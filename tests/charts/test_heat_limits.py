"""The colour scale of the heatmaps: one for all of them, from 0 to the 99.5th percentile inside the phase."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.builders import T0, counter, phase, recording, run
from workbench.answers.common.traces.trace_figure import per_vm_figure
from workbench.answers.common.traces.traces import View
from workbench.charts.figure import Axis, Figure, Heatmap, Panel
from workbench.charts.scales import heat_limits
from workbench.measures.configurations import Group, group_runs
from workbench.measures.phase_table import run_figures
from workbench.model.metric import Quantity
from workbench.model.run import Configuration, Provisioning

TIMES = T0 + 10.0 * np.arange(1, 61)
# One more sample on either side, because a bin at an edge of the phase may contain a part of it.
INSIDE = (TIMES > T0 + 90) & (TIMES <= T0 + 410)


def group_of(folder: Path, name: str, rates: dict[str, np.ndarray]) -> tuple[Group, ...]:
    """A configuration of one run with these rates around the phase, and a rate of a million before and after."""
    columns = [
        (counter(vm, Quantity.IOPS), np.where(INSIDE, np.resize(rate, TIMES.size), 1e6)) for vm, rate in rates.items()
    ]
    made = run(
        recording(folder, f"{name}.csv", TIMES, columns),
        name=name,
        folder=name,
        configuration=Configuration(name, Provisioning.MCS),
        stated_phases=(phase("steady", 100, 400),),
    )
    return group_runs([run_figures(made)])


def limits_of(groups: tuple[Group, ...]) -> set[tuple[float, float]]:
    """The limits of every heatmap of the figure."""
    figure = per_vm_figure(groups, View("steady"))
    return {mark.limits for panel in figure.panels for mark in panel.marks if isinstance(mark, Heatmap)}


def test_that_the_colour_scale_ends_at_the_percentile_and_ignores_spikes(tmp_path: Path) -> None:
    # 20 VMs at 10 to 29 IOPS; one of their 600 samples is a spike, less than half a percent.
    rates = {f"VM-{number:02d}": np.full(60, 10.0 + number) for number in range(20)}
    spike = np.full(60, 29.0)
    spike[20] = 50_000.0
    rates["VM-19"] = spike
    ((low, high),) = limits_of(group_of(tmp_path, "MCS", rates))
    assert low == 0.0
    assert high == pytest.approx(29.0)


def test_that_the_colour_scale_of_a_steady_load_ends_at_its_rate(tmp_path: Path) -> None:
    ((low, high),) = limits_of(group_of(tmp_path, "MCS", {"A": np.array([40.0]), "B": np.array([80.0])}))
    assert (low, high) == (0.0, pytest.approx(80.0))


def test_that_all_configurations_share_the_colour_scale_of_the_busiest_one(tmp_path: Path) -> None:
    quiet = group_of(tmp_path, "quiet", {"A": np.array([10.0]), "B": np.array([10.0])})
    busy = group_of(tmp_path, "busy", {"A": np.array([90.0]), "B": np.array([90.0])})
    ((low, high),) = limits_of((*quiet, *busy))
    assert (low, high) == (0.0, pytest.approx(90.0))


def test_that_the_colour_scale_of_idle_machines_ends_at_1(tmp_path: Path) -> None:
    assert limits_of(group_of(tmp_path, "MCS", {"A": np.array([0.0]), "B": np.array([0.0])})) == {(0.0, 1.0)}


def test_that_heatmaps_with_the_same_unit_share_the_highest_limit() -> None:
    def panel(unit: str, limits: tuple[float, float]) -> Panel:
        heat = Heatmap("h", np.array([0.0, 1.0]), ("A",), np.array([[1.0]]), limits, unit)
        return Panel("", Axis("time", "s"), Axis("", ""), (heat,))

    panels = (panel("IOPS", (0.0, 90.0)), panel("IOPS", (0.0, 40.0)), panel("MB", (2.0, 7.0)))
    assert heat_limits(Figure("k", "?", "", panels)) == {"IOPS": (0.0, 90.0), "MB": (2.0, 7.0)}
