"""Hiding entries with a legend: their marks have no values on screen and are omitted in exports."""

from __future__ import annotations

import numpy as np

from workbench.charts.figure import Axis, Band, Bars, Figure, Line, Look, Panel, Points
from workbench.charts.hidden import with_hidden, without_hidden
from workbench.charts.scales import scales_of

LOOK, X = Look("MCS"), np.arange(10.0)


def figure_of(*marks: Line | Band | Bars | Points, title: str = "", names: tuple[str, ...] = ()) -> Figure:
    return Figure("key", "?", "", (Panel(title, Axis("x", categories=names), Axis("y"), marks),))


def test_that_hiding_a_mark_keeps_the_x_range_and_adapts_the_y_range() -> None:
    low, high = Line("low", X[:5], X[:5], LOOK), Line("high", X, 100 * X, LOOK)
    figure = with_hidden(figure_of(low, high), {"high"}, {}, set())
    (scales,) = scales_of(figure)
    assert figure.panels[0].hidden == {"high"}
    assert scales.x_data == (0.0, 9.0)
    assert scales.y_data == (0.0, 4.0)


def test_that_a_legend_entry_hides_its_mark_and_lines_of_vms_stay() -> None:
    marks = (Line("MCS: median", X, X, LOOK), Line("median", X, X, LOOK, vm="median"), Points("dots", X, X, LOOK))
    figure = with_hidden(figure_of(*marks, title="MCS"), {"median"}, {}, set())
    median, vm, _ = figure.panels[0].marks
    assert isinstance(median, Line)
    assert isinstance(vm, Line)
    assert np.isnan(median.y).all()
    assert np.isfinite(vm.y).all()
    assert [mark.name for mark in without_hidden(figure).panels[0].marks] == ["median", "dots"]


def test_that_every_kind_of_mark_can_be_hidden() -> None:
    band, dots = Band("band", X, X, X + 1, LOOK), Points("dots", X, X, LOOK)
    bars = Bars("bars", X, LOOK, X - 1, X + 1)
    figure = with_hidden(figure_of(band, dots, bars), {"band", "dots", "bars"}, {}, set())
    hidden_band, hidden_dots, hidden_bars = figure.panels[0].marks
    assert isinstance(hidden_band, Band)
    assert isinstance(hidden_dots, Points)
    assert isinstance(hidden_bars, Bars)
    assert np.isnan([hidden_band.low, hidden_band.high, hidden_dots.y, hidden_bars.values]).all()
    assert hidden_bars.low.size == 0


def test_that_a_hidden_configuration_keeps_its_legend_entry() -> None:
    shown = Line("MCS", X, X, LOOK)
    named = with_hidden(figure_of(shown), set(), {"PVS": Look("PVS")}, {"MCS"})
    assert [mark.name for mark in named.panels[0].marks] == ["MCS", "PVS"]
    first = with_hidden(figure_of(shown), set(), {"PVS": Look("PVS"), "MCS": LOOK}, {"MCS"})
    assert [mark.name for mark in first.panels[0].marks] == ["PVS", "MCS"]
    assert named.panels[0].hidden == {"PVS"}
    counters = with_hidden(figure_of(Line("counter", X, X, LOOK)), set(), {"PVS": Look("PVS")}, {"MCS"})
    assert [mark.name for mark in counters.panels[0].marks] == ["counter"]
    on_axis = figure_of(Bars("MCS", np.ones(1), LOOK), names=("MCS",))
    assert with_hidden(on_axis, set(), {"PVS": Look("PVS")}, {"MCS"}).panels[0].hidden == frozenset()


def test_that_a_figure_without_hidden_marks_is_unchanged() -> None:
    figure = figure_of(Line("a", X, X, LOOK))
    assert without_hidden(figure) is figure
