"""The estimation plot: a dot per run, means, and the same changes and intervals as the table of verdicts."""

from __future__ import annotations

import numpy as np
import pytest

from tests.samples import sample
from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.answers.compare.compute import compare, margin_of
from workbench.answers.compare.figures import ESTIMATION
from workbench.answers.compare.page import answer
from workbench.charts.figure import Band, Bars, Figure, Line, Points
from workbench.exporters.chart_series import series_of


@pytest.fixture(scope="module")
def library() -> Library:
    return sample("rds-mcsio-cache-sweep")


def plot(library: Library, choices: Choices) -> Figure:
    figure = answer(library, choices).figure
    assert figure is not None
    return figure


def test_that_compare_opens_with_the_estimation_plot_and_each_phase_is_another_view(library: Library) -> None:
    assert plot(library, Choices()).key == ESTIMATION
    every = plot(library, Choices().with_page_view("compare", "metric"))
    assert [panel.title for panel in every.panels] == ["Boot", "Logon", "Steady state"]


def test_that_every_run_is_a_dot_at_its_value_and_a_line_shows_their_mean(library: Library) -> None:
    above = plot(library, Choices(phase="steady")).panels[0]
    dots = {mark.name: mark for mark in above.marks if isinstance(mark, Points)}
    means = {mark.name: mark for mark in above.marks if isinstance(mark, Line) and mark.look.dash == "solid"}
    for place, group in enumerate(library.groups(Choices())):
        values = [figures.iops_per_vm for run in group.runs if (figures := run.phase("steady")) is not None]
        assert len(values) == 3
        assert sorted(dots[group.label].y) == pytest.approx(sorted(values))
        assert np.all(np.abs(dots[group.label].x - place) < 0.3), "in the column of its configuration"
        assert means[group.label].y[0] == pytest.approx(np.mean(values))
        assert float(means[group.label].label) == pytest.approx(np.mean(values), rel=0.005)


def test_that_the_lower_panel_has_the_same_columns_and_the_intervals_of_the_table(library: Library) -> None:
    choices = Choices(phase="steady")
    above, below = plot(library, choices).panels
    assert above.x.of == below.x.of
    groups = library.groups(choices)
    comparison = compare(groups, margin_of(choices), hidden=groups)
    bars = {mark.name: mark for mark in below.marks if isinstance(mark, Bars)}
    for place, group in enumerate(groups[1:], 1):
        row = comparison.of(group.label, "steady", "iops_per_vm")
        assert row is not None
        assert row.change is not None
        bar = bars[group.label]
        assert row.change.low is not None
        assert row.change.high is not None
        ratios = np.array([row.change.ratio, row.change.low, row.change.high])
        assert [bar.values[place], bar.low[place], bar.high[place]] == pytest.approx(100 * (ratios - 1))
    assert all(bar.dots and len(bar.words) == 1 for bar in bars.values())
    (margin,) = (mark for mark in below.marks if isinstance(mark, Band))
    assert list(margin.high) == [5.0, 5.0]


def test_that_the_baseline_is_first_and_has_no_change(library: Library) -> None:
    above, below = plot(library, Choices(phase="boot")).panels
    (own,) = (mark for mark in below.marks if isinstance(mark, Bars) and mark.name == "MCS")
    assert above.x.of[0] == "MCS"
    assert (own.values[0], own.low.size) == (0.0, 0)


def test_that_native_charts_have_a_dot_and_an_interval_and_no_bar(library: Library) -> None:
    _, below = plot(library, Choices(phase="steady")).panels
    series, _ = series_of(below)
    (bars,) = (drawn for drawn in series if drawn.kind == "bar")
    dots = [drawn for drawn in series if drawn.kind == "points"]
    assert bars.unseen
    assert len(bars.dressed) == 0
    assert np.isfinite(bars.low[1:]).all()
    assert len(dots) == len(below.x.categories)
    for place, one in enumerate(dots):
        assert one.values[place] == bars.values[place]
        assert np.isfinite(one.values).sum() == 1
