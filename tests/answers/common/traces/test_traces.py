"""Per-VM traces on a common axis, and the figures that show them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.builders import T0, counter, phase, recording, run
from workbench.answers.cache.figures import cache_figure
from workbench.answers.common.traces.trace_figure import MAX_COLUMNS, per_vm_figure, worst_vms
from workbench.answers.common.traces.traces import (
    CONTEXT,
    MAX_BINS,
    MAX_CONTEXT_S,
    WHOLE_RUN,
    Alignment,
    Traces,
    View,
    percentiles,
    phase_means,
    traces,
    window,
)
from workbench.answers.overview.figures import overview_figure
from workbench.charts.figure import Bars, Heatmap, Line
from workbench.measures.configurations import Group, group_runs
from workbench.measures.phase_table import run_figures
from workbench.measures.traced import TRACED
from workbench.model.metric import Quantity
from workbench.model.run import Configuration, Provisioning, Run, SessionType

MB = 2**20
MARGIN = min(CONTEXT * 300, MAX_CONTEXT_S)
TIMES = T0 + 10.0 * np.arange(1, 61)
STEADY = (phase("boot", 0, 100), phase("steady", 100, 400))


def levelled(folder: Path, name: str, levels: dict[str, float], shift: float = 0.0, **facts: object) -> Run:
    """VMs at a level within steady state, and far above it outside."""
    inside = (TIMES > T0 + 100) & (TIMES <= T0 + 400)
    columns = [(counter(vm, Quantity.IOPS), np.where(inside, level, 1e6)) for vm, level in levels.items()]
    stated = tuple(phase(one.name, one.start - T0 + shift, one.end - T0 + shift) for one in STEADY)
    one = recording(folder, f"{name}.csv", TIMES + shift, columns)
    return run(one, **({"name": name, "folder": name, "stated_phases": stated} | facts))


def grouped(*runs: Run) -> tuple[Group, ...]:
    return group_runs([run_figures(one) for one in runs])


def test_that_a_trace_shows_the_rate_of_the_samples_with_some_time_before_and_after(tmp_path: Path) -> None:
    (group,) = grouped(levelled(tmp_path, "r1", {"A": 5.0, "B": 7.0}))
    limits = window(group, View("steady"))
    assert limits == (pytest.approx(-MARGIN), pytest.approx(300 + MARGIN))
    found = traces(group, View("steady"), (Quantity.IOPS,), limits)
    inside = (found.edges[:-1] >= 0) & (found.edges[1:] <= 300)
    assert found.names == ("A", "B")
    assert found.values[0, inside] == pytest.approx(5.0)
    assert found.values[1, inside] == pytest.approx(7.0)
    assert [region.name for region in found.regions] == ["boot", "steady"]


def test_that_only_unmeasured_samples_are_missing_from_the_heat_map(tmp_path: Path) -> None:
    longer = levelled(tmp_path, "r2", {"A": 6.0}, stated_phases=(phase("steady", 0, 500),))
    (group,) = grouped(levelled(tmp_path, "r1", {"A": 5.0}), longer)
    (_, panel) = per_vm_figure([group], View("steady")).panels
    (heat,) = panel.marks
    assert isinstance(heat, Heatmap)
    found = traces(group, View("steady"), (Quantity.IOPS,), (float(heat.edges[0]), float(heat.edges[-1])))
    # By hand: r1 was measured for 600 s from 100 s before its steady state on, r2 from its start on.
    measured = [(-100.0, 500.0), (0.0, 600.0)]
    for row, (first, last) in enumerate(measured):
        within = (heat.edges[:-1] >= first) & (heat.edges[1:] <= last)
        assert not np.isnan(heat.values[row, within]).any()
        assert np.isnan(heat.values[row, heat.edges[1:] <= first - 10]).all()
    beyond = (heat.edges[:-1] > 300 + MARGIN) & (heat.edges[1:] <= 500)
    assert beyond.any()
    assert np.isnan(found.values[0, beyond]).all(), "what is judged ends with the phase"
    assert panel.focus == (0.0, 300.0)


def test_that_runs_of_a_configuration_are_aligned_at_the_phase_start_and_keep_their_names(tmp_path: Path) -> None:
    (group,) = grouped(levelled(tmp_path, "r1", {"A": 5.0}), levelled(tmp_path, "r2", {"A": 6.0}, shift=86_400.0 + 777))
    limits = window(group, View("steady"))
    assert limits is not None
    found = traces(group, View("steady"), (Quantity.IOPS,), limits)
    assert found.names == ("A · r1", "A · r2")
    middle = found.values.shape[1] // 2
    assert found.values[:, middle].tolist() == [pytest.approx(5), pytest.approx(6)]


@pytest.mark.parametrize(
    ("alignment", "zero"), [(Alignment.PHASE_START, 100), (Alignment.RUN_START, 0), (Alignment.CLOCK, -8 * 3600)]
)
def test_that_x_counts_from_the_chosen_alignment(tmp_path: Path, alignment: Alignment, zero: float) -> None:
    (group,) = grouped(levelled(tmp_path, "r1", {"A": 5.0}))
    limits = window(group, View("steady", alignment=alignment))
    # The whole run begins with its boot phase, before its first sample.
    assert limits == (pytest.approx(100 - MARGIN - zero), pytest.approx(400 + MARGIN - zero))


def test_that_clock_times_of_two_nights_around_midnight_stay_together(tmp_path: Path) -> None:
    midnight = 16 * 3600.0 - 100  # steady begins at 00:00:00 UTC
    (group,) = grouped(
        levelled(tmp_path, "r1", {"A": 5.0}, midnight), levelled(tmp_path, "r2", {"A": 5.0}, midnight + 60)
    )
    limits = window(group, View("steady", alignment=Alignment.CLOCK))
    assert limits is not None
    assert limits[1] - limits[0] < 600


def test_that_a_phase_without_runs_has_no_time_range(tmp_path: Path) -> None:
    (group,) = grouped(levelled(tmp_path, "r1", {"A": 5.0}))
    assert window(group, View("logon")) is None
    assert window(group, View(WHOLE_RUN)) == (pytest.approx(0), pytest.approx(600))


def test_that_bins_match_the_screen_width_and_are_not_shorter_than_samples(tmp_path: Path) -> None:
    (group,) = grouped(levelled(tmp_path, "r1", {"A": 5.0}))
    assert traces(group, View("steady"), (Quantity.IOPS,), (0.0, 300.0)).edges.size == 31
    assert traces(group, View("steady"), (Quantity.IOPS,), (0.0, 1e6)).edges.size == MAX_BINS + 1


@pytest.mark.parametrize("vms", [1, 2, 3, 20, 21, 41, 150])
def test_that_percentiles_equal_those_of_numpy_exactly(vms: int) -> None:
    values = np.random.default_rng(vms).lognormal(3, 2, (vms, 50))
    shares = (0, 5, 37.5, 50, 95, 100)
    assert percentiles(values, shares).tolist() == np.percentile(values, shares, axis=0).tolist()


def test_that_percentiles_ignore_missing_samples() -> None:
    values = np.array([[1.0, np.nan, np.nan, 4.0], [3.0, 5.0, np.nan, 8.0], [8.0, 7.0, np.nan, 6.0]])
    found = Traces(("a", "b", "c"), np.arange(5.0), values, (), (0.0, 4.0)).percentile(50)
    assert found[[0, 1, 3]].tolist() == [3.0, 6.0, 6.0]
    assert np.isnan(found[2])
    assert np.isnan(Traces((), np.arange(5.0), np.empty((0, 4)), (), (0.0, 4.0)).percentile(50)).all()


def test_that_means_and_worst_vms_cover_the_phase_only(tmp_path: Path) -> None:
    (group,) = grouped(levelled(tmp_path, "r1", {"A": 5.0, "B": 9.0, "C": 1.0, "D": 3.0}))
    assert worst_vms(group, View("steady"), 2) == [("B", pytest.approx(9.0)), ("A", pytest.approx(5.0))]
    assert worst_vms(group, View("logon")) == []
    assert dict(phase_means(group, View(WHOLE_RUN)))["A"] == pytest.approx((30 * 5 + 30 * 1e6) / 60)


@pytest.mark.parametrize("quantity", TRACED)
def test_that_the_worst_vms_have_the_unit_of_the_figure(tmp_path: Path, quantity: Quantity) -> None:
    """Counters of times are in seconds; their figures are in milliseconds."""
    needed = {Quantity.IOPS, Quantity.READ_IOPS, Quantity.WRITE_IOPS, quantity}
    columns = [(counter("A", one), np.full(TIMES.size, 0.25)) for one in needed]
    made = run(recording(tmp_path, "a.csv", TIMES, columns), stated_phases=STEADY, session_type=SessionType.RDS)
    figures = run_figures(made)
    (group,) = group_runs([figures])
    row, measure = figures.phase("steady"), TRACED[quantity]
    assert row is not None
    expected = 0.25 * (1e3 if measure.unit == "ms" else 1.0)
    assert worst_vms(group, View("steady", quantity)) == [("A", pytest.approx(expected))]
    assert getattr(row, measure.key) == pytest.approx(expected)


def test_that_each_configuration_gets_a_band_and_a_heatmap_on_one_scale(tmp_path: Path) -> None:
    mcsio = Configuration("MCSIO 512 MB", Provisioning.MCSIO, None, 512)
    figure = per_vm_figure(
        grouped(
            levelled(tmp_path, "r1", {"A": 5.0, "B": 7.0}),
            levelled(tmp_path, "r2", {"A": 1.0, "B": 2.0}, configuration=mcsio),
        ),
        View("steady"),
    )
    heat = [mark for panel in figure.panels for mark in panel.marks if isinstance(mark, Heatmap)]
    assert [(mark.name, mark.rows) for mark in heat] == [("MCS", ("A", "B")), ("MCSIO 512 MB", ("A", "B"))]
    assert heat[0].limits == heat[1].limits
    assert sorted({panel.column for panel in figure.panels}) == [0, 1]
    assert figure.share_y


def test_that_more_configurations_than_fit_are_named_in_the_caption(tmp_path: Path) -> None:
    runs = [
        levelled(tmp_path, f"r{n}", {"A": 5.0}, configuration=Configuration(f"C{n}")) for n in range(MAX_COLUMNS + 1)
    ]
    figure = per_vm_figure(grouped(*runs), View("steady"))
    assert len({panel.column for panel in figure.panels}) == MAX_COLUMNS
    assert f"C{MAX_COLUMNS}" in figure.caption


def test_that_an_empty_figure_says_why(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    groups = grouped(levelled(tmp_path, "r1", {"A": 5.0}))
    assert "logon" in per_vm_figure(groups, View("logon")).empty
    assert per_vm_figure(groups, View("steady", Quantity.READ_LATENCY)).empty == snapshot
    assert cache_figure(groups, View("steady")).empty
    assert overview_figure((), ("boot",)).empty


def test_that_the_nonpaged_pool_replaces_cache_counters_for_pvs_only(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    pool = [(counter("A", Quantity.POOL_NONPAGED, estimate=True), np.full(60, 3.0 * MB))]
    one = recording(tmp_path, "p.csv", TIMES, pool)
    figures = {
        kind: cache_figure(
            grouped(run(one, stated_phases=STEADY, configuration=Configuration("c", kind))), View("steady")
        )
        for kind in (Provisioning.PVS, Provisioning.MCSIO)
    }
    assert figures[Provisioning.MCSIO].empty
    (panel,) = figures[Provisioning.PVS].panels
    (line,) = (mark for mark in panel.marks if isinstance(mark, Line))
    assert np.nanmax(line.y) == pytest.approx(3.0)
    assert figures[Provisioning.PVS].caption == snapshot


def test_that_overview_bars_show_the_means_of_the_runs_with_their_range(tmp_path: Path) -> None:
    groups = grouped(levelled(tmp_path, "r1", {"A": 4.0}), levelled(tmp_path, "r2", {"A": 6.0}))
    (panel,) = overview_figure(groups, ("steady",)).panels
    (bar,) = (mark for mark in panel.marks if isinstance(mark, Bars))
    assert (bar.values[0], bar.low[0], bar.high[0]) == (pytest.approx(5), pytest.approx(4), pytest.approx(6))


def test_that_a_phase_with_a_gap_shows_a_lower_bound_and_no_change(tmp_path: Path) -> None:
    whole = levelled(tmp_path, "r1", {"A": 4.0})
    half = TIMES < T0 + 250
    samples = recording(tmp_path, "r2.csv", TIMES[half], [(counter("A", Quantity.IOPS), np.full(int(half.sum()), 4.0))])
    cut = run(samples, name="r2", folder="r2", stated_phases=STEADY, configuration=Configuration("c", Provisioning.MCS))
    base = replace(whole, configuration=Configuration("b", Provisioning.MCS), baseline=True)
    (panel,) = overview_figure(grouped(base, cut), ("steady",)).panels
    first, second = (mark.words for mark in panel.marks if isinstance(mark, Bars))
    assert first == ("4.00", "baseline", "")
    assert second[0].startswith("≥")
    assert second[1:] == ("~", "")


@pytest.mark.parametrize(("boot", "one_scale"), [(49.0, True), (51.0, False), (2.1, True), (1.9, False)])
def test_that_phases_share_one_scale_unless_one_would_be_invisible(
    tmp_path: Path, boot: float, one_scale: bool
) -> None:
    rates = np.where(TIMES <= T0 + 100, boot, 10.0)
    one = recording(tmp_path, "r1.csv", TIMES, [(counter("A", Quantity.IOPS), rates)])
    figure = overview_figure(grouped(run(one, stated_phases=STEADY)), ("boot", "steady"))
    assert len(figure.panels) == 2
    assert figure.share_y is one_scale


def test_that_an_excluded_run_is_in_no_figure(tmp_path: Path) -> None:
    groups = grouped(
        levelled(tmp_path, "r1", {"A": 4.0}), levelled(tmp_path, "r2", {"A": 600.0}, excluded="failed over")
    )
    (panel,) = overview_figure(groups, ("steady",)).panels
    (bar,) = (mark for mark in panel.marks if isinstance(mark, Bars))
    assert bar.values[0] == pytest.approx(4)


def halves(folder: Path, values: dict[str, tuple[float, float]]) -> Group:
    """VMs at one level in the first half of steady state, and at another in the second."""
    first = TIMES <= T0 + 250
    columns = [(counter(vm, Quantity.IOPS), np.where(first, *levels)) for vm, levels in values.items()]
    (group,) = grouped(run(recording(folder, "h.csv", TIMES, columns), stated_phases=STEADY))
    return group


def named(group: Group) -> list[str]:
    figure = per_vm_figure((group,), View("steady"))
    return [mark.vm for panel in figure.panels for mark in panel.marks if isinstance(mark, Line) and mark.vm]


def test_that_an_odd_vm_is_judged_over_the_seconds_in_which_the_others_have_samples(tmp_path: Path) -> None:
    missing = float("nan")
    assert named(halves(tmp_path / "odd", {"A": (20.0, 4.0), "B": (20.0, 4.0), "C": (60.0, 4.0)})) == ["C"]
    # The others stopped before the busy half; only one VM has samples there.
    stopped = {"A": (4.0, missing), "B": (4.0, missing), "whole": (4.0, 20.0)}
    assert named(halves(tmp_path / "stopped", stopped)) == []


def test_that_the_caption_explains_line_and_band_once(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    runs = [
        levelled(tmp_path, "r1", {"A": 5.0, "B": 6.0}, configuration=Configuration("C1")),
        levelled(tmp_path, "r2", {"A": 5.0, "B": 6.0, "C": 7.0}, configuration=Configuration("C2")),
    ]
    assert per_vm_figure(grouped(*runs), View("steady")).caption == snapshot
    assert per_vm_figure(grouped(runs[0]), View("steady")).caption == snapshot
    alone = levelled(tmp_path, "r3", {"A": 5.0}, configuration=Configuration("C3"))
    assert "Median" not in per_vm_figure(grouped(alone), View("steady")).caption
