"""Highlighting a finding in a chart of curves: its VM, configuration and moment; everything else is dimmed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tests.gui.plot.figures import per_vm_figure
from workbench.charts.claim import Pointed
from workbench.charts.figure import Axis, Band, Bars, Figure, Heatmap, Line, Look, Mark, Moment, Panel, Points
from workbench.charts.marked import marked_figure
from workbench.exporters.chart_plan import plans_of
from workbench.exporters.slides.ink import SlideInk

X, LOOK = np.arange(5.0), Look("MCSIO")


def pointed(configuration: str, **more: object) -> Pointed:
    return Pointed(configuration, **({"baseline": "", "phase": "steady", "figure": "odd VM"} | more))  # type: ignore[arg-type]


def named(figure: Figure, column: int, kind: type[Mark]) -> list[Mark]:
    return [mark for panel in figure.panels if panel.column == column for mark in panel.marks if isinstance(mark, kind)]


def filling(*marks: Mark) -> Figure:
    return Figure("cache-filling", "?", "", (Panel("RAM cache", Axis("time", "s"), Axis("used", "%"), marks),))


def test_that_a_vm_shown_only_in_the_heat_map_gets_a_line_in_its_column_and_the_rest_is_dimmed() -> None:
    figure = per_vm_figure()
    marked = marked_figure(figure, pointed("MCSIO 256 MB", vm="W10-002"))
    lit = [line for line in named(marked, 1, Line) if isinstance(line, Line) and line.vm == "W10-002"]
    assert [(line.emphasis, line.prominent) for line in lit] == [("all", True)]
    heat = next(mark for mark in figure.panels[3].marks if isinstance(mark, Heatmap))
    np.testing.assert_array_equal(lit[0].y, heat.values[1])
    others = [mark for mark in named(marked, 1, Line | Band) if mark is not lit[0]]  # type: ignore[arg-type]
    assert {mark.emphasis for mark in others} == {"baseline"}
    (row,) = named(marked, 1, Heatmap)
    assert isinstance(row, Heatmap)
    assert (row.lit, row.emphasis) == ("W10-002", "baseline")
    for column in (0, 2):
        assert {mark.emphasis for mark in named(marked, column, Mark)} == {"others"}  # type: ignore[arg-type]
        assert not any(mark.lit for mark in named(marked, column, Heatmap) if isinstance(mark, Heatmap))


def test_that_the_column_of_the_baseline_is_dimmed_less() -> None:
    marked = marked_figure(per_vm_figure(), pointed("MCSIO 256 MB", baseline="MCS"))
    strengths = [{mark.emphasis for mark in named(marked, column, Mark)} for column in range(3)]  # type: ignore[arg-type]
    assert strengths == [{"baseline"}, {"all"}, {"others"}]


def test_that_a_curve_is_found_by_the_exact_name_of_its_configuration() -> None:
    lines = [Line(name, X, X, LOOK) for name in ("MCSIO 1 GB", "MCSIO 1 GB small", "MCS")]
    band = Band("MCSIO 1 GB: 5–95 % of VMs", X, X, X, LOOK)
    marked = marked_figure(filling(*lines, band), pointed("MCSIO 1 GB", baseline="MCS"))
    assert [mark.emphasis for mark in marked.panels[0].marks] == ["all", "others", "baseline", "all"]


def test_that_dots_of_several_configurations_are_dimmed_separately_and_completely() -> None:
    dots = Points("overflows", X[:3], X[:3], LOOK, ("MCS", "MCSIO 1 GB", "PVS"))
    marked = marked_figure(filling(Line("MCSIO 1 GB", X, X, LOOK), dots), pointed("MCSIO 1 GB"))
    parts = [mark for mark in marked.panels[0].marks if isinstance(mark, Points)]
    assert {name: part.emphasis for part in parts for name in part.names} == {
        "MCS": "others",
        "MCSIO 1 GB": "all",
        "PVS": "others",
    }
    assert sorted(x for part in parts for x in part.x.tolist()) == [0.0, 1.0, 2.0]


def over_sizes(*marks: Mark) -> Figure:
    names, of = ("MCS (baseline)", "512 MB −90 %", "1 GB −95 %"), ("MCS", "MCSIO 512 MB", "MCSIO 1 GB")
    axis = Axis("", categories=names, of=of)
    return Figure("cache-sweep", "?", "", (Panel("", axis, Axis("IOPS", "IOPS"), marks),))


def test_that_a_stack_is_highlighted_only_above_the_name_of_its_configuration() -> None:
    bars = Bars("Shared storage, reads", X[:3] + 1, LOOK, stack="tier")
    marked = marked_figure(over_sizes(bars), pointed("MCSIO 512 MB", baseline="MCS"))
    (bar,) = marked.panels[0].marks
    assert isinstance(bar, Bars)
    assert [bar.strength(place) for place in range(3)] == ["baseline", "all", "others"]
    both = marked_figure(over_sizes(bars), pointed("MCSIO 512 MB", also=("MCSIO 1 GB",)))
    assert isinstance(both.panels[0].marks[0], Bars)
    assert both.panels[0].marks[0].strengths == ("others", "all", "all")


def test_that_native_charts_format_each_bar_of_a_highlighted_stack() -> None:
    bars = [Bars(name, X[:3] + 1, LOOK, stack="tier") for name in ("reads", "writes")]
    figure = over_sizes(*bars)
    (plan,), (plain,) = (
        plans_of(shown) for shown in (marked_figure(figure, pointed("MCSIO 1 GB", baseline="MCS")), figure)
    )
    inks = [[SlideInk("light").bar(series, place) for place in range(3)] for series in plan.bars]
    assert all(len(set(bars)) == 3 for bars in inks)
    assert [list(series.dressed) for series in plan.bars] == [[0, 1, 2]] * 2
    assert [list(series.dressed) for series in plain.bars] == [[]] * 2


def test_that_a_curve_over_sizes_is_marked_at_the_size_that_the_finding_mentions() -> None:
    figure = over_sizes(Line("all I/O", X[:3], 100 - X[:3], LOOK), Line("writes", X[:3], X[:3], LOOK))
    marked = marked_figure(figure, pointed("MCSIO 512 MB", baseline="MCS"))
    assert marked.panels[0].moments == (Moment("cache-sweep", 1.0, "512 MB −90 %"),)
    (plan,) = plans_of(marked)
    spot = plan.series[-1]
    assert (spot.kind, spot.name, spot.in_legend) == ("points", "512 MB −90 %", True)
    np.testing.assert_array_equal(spot.values, [np.nan, 99.0, np.nan])


def test_that_the_knee_of_a_sweep_is_marked_in_its_first_panel_only() -> None:
    knee = Pointed("", "", "", "knee", moment=Moment("benchmarks-sweep", 2.0, "knee: queue depth 4"))
    panels = tuple(Panel("", Axis("QD", categories=tuple("abcde")), Axis("y"), (Line("l", X, X, LOOK),)) for _ in "ab")
    figure = Figure("benchmarks-sweep", "?", "", panels)
    assert [len(panel.moments) for panel in marked_figure(figure, knee).panels] == [1, 0]
    other = replace(figure, key="benchmarks-load")
    assert marked_figure(other, knee) is other


def test_that_a_moment_is_marked_only_on_a_chart_with_its_axis() -> None:
    moment, figure = Moment("cache-filling", 2.0, "overflow"), filling(Line("MCS", X, X, LOOK))
    marked = marked_figure(figure, pointed("MCS", moment=moment, readout="MCS: 2 s"))
    assert (marked.panels[0].moments, marked.panels[0].readout) == ((moment,), "MCS: 2 s")
    other = marked_figure(figure, pointed("MCS", moment=Moment("vsimax", 2.0, "VSImax")))
    assert other.panels[0].moments == ()


def test_that_a_figure_without_the_marked_items_is_unchanged() -> None:
    figure = per_vm_figure()
    assert marked_figure(figure, None) is figure
    assert marked_figure(figure, pointed("PVS 9 GB")) is figure
    bars = filling(Bars("MCS", X, LOOK))
    assert marked_figure(bars, pointed("MCS")) is bars
