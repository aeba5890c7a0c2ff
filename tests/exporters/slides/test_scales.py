"""Charts of decks: panels of one unit share a scale, and a chart without numbers at its axis has one at each bar."""

from __future__ import annotations

import math

import pytest
from pptx import Presentation
from pptx.chart.chart import Chart
from pptx.shapes.group import GroupShape
from pptx.slide import Slide

from tests.exporters.jobs import exported
from tests.samples import sample
from workbench.answers.common.choices import Choices
from workbench.answers.storyboard.compute import shown_story
from workbench.charts.claim import BarClaim

STUDIES = ["rds-mcsio-cache-sweep", "windows-7-mcs-and-pvs", "storage-benchmarks", "vdi-login-storm"]


def _charts(slide: Slide) -> list[Chart]:
    return [shape.chart for shape in slide.shapes if shape.has_chart]


def _shapes_with_words(slide: Slide) -> int:
    groups = (shape for shape in slide.shapes if isinstance(shape, GroupShape))
    return sum(shape.has_text_frame and bool(shape.text_frame.text) for group in groups for shape in group.shapes)


def _bars(chart: Chart) -> int:
    values = (value for plot in chart.plots for series in plot.series for value in series.values)
    return sum(value is not None and math.isfinite(value) for value in values)


def _labelled(chart: Chart) -> bool:
    return bool(chart._chartSpace.xpath(".//c:ser/c:dLbls/c:dLbl | .//c:ser/c:dLbls[c:showVal/@val='1']"))


@pytest.fixture(scope="module", params=STUDIES)
def deck(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[Slide]:
    path = tmp_path_factory.mktemp("decks") / f"{request.param}.pptx"
    exported(sample(request.param), path, length="full")
    return list(Presentation(str(path)).slides)


def test_that_no_chart_hides_its_values_and_has_bars_without_a_number(deck: list[Slide]) -> None:
    unlabelled = [
        (number, chart.value_axis.visible)
        for number, slide in enumerate(deck, 1)
        for chart in _charts(slide)
        if not chart.value_axis.visible and not _labelled(chart) and _shapes_with_words(slide) < _bars(chart) / 2
    ]
    assert unlabelled == []


def test_that_charts_side_by_side_without_an_axis_have_one_scale(deck: list[Slide]) -> None:
    ends = [
        {round(chart.value_axis.maximum_scale, 6) for chart in hidden}
        for slide in deck
        if len(hidden := [chart for chart in _charts(slide) if not chart.value_axis.visible]) > 1
    ]
    assert [scales for scales in ends if len(scales) > 1] == []


def test_that_claims_of_one_slide_know_the_highest_bar_beside_them() -> None:
    library = sample("rds-mcsio-cache-sweep")
    slides = [shown.claims for shown in shown_story(library, Choices()).slides if len(shown.claims) > 1]
    assert slides
    for claims in slides:
        bars = [claim for _, claim in claims if isinstance(claim, BarClaim)]
        highest = max(bar.top for claim in bars for bar in claim.bars)
        assert {claim.top for claim in bars} == {bars[0].top}
        assert bars[0].top >= highest


def test_that_a_visible_axis_has_few_steps(deck: list[Slide]) -> None:
    axes = [chart.value_axis for slide in deck for chart in _charts(slide) if chart.value_axis.visible]
    steps = [(axis.maximum_scale - (axis.minimum_scale or 0)) / axis.major_unit for axis in axes if axis.major_unit]
    assert steps
    assert max(steps) <= 12
