"""Charts of decks, read from the written files: every value axis is visible, charts of different units side by side
have a number at every bar, and stacks have their total.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache

import pytest
from pptx import Presentation
from pptx.chart.chart import Chart
from pptx.shapes.group import GroupShape
from pptx.slide import Slide

from tests.exporters.documents import sample_document
from tests.samples import SAMPLE, sample
from workbench.answers.common.choices import Choices
from workbench.answers.storyboard.compute import shown_story
from workbench.charts.claim import BarClaim
from workbench.words.numbers import number

STUDIES = sorted(path.name for path in SAMPLE.iterdir() if path.is_dir() and path.name not in ("generator", "damaged"))


@cache
def _deck(name: str) -> tuple[Slide, ...]:
    return tuple(Presentation(str(sample_document(name, "pptx"))).slides)


@pytest.fixture(scope="module", params=STUDIES)
def deck(request: pytest.FixtureRequest) -> tuple[Slide, ...]:
    return _deck(request.param)


def _charts(slide: Slide) -> list[Chart]:
    return [shape.chart for shape in slide.shapes if shape.has_chart]


def _words(slide: Slide) -> list[str]:
    """The texts of the shapes over the charts."""
    groups = (shape for shape in slide.shapes if isinstance(shape, GroupShape))
    return [shape.text_frame.text for group in groups for shape in group.shapes if shape.has_text_frame]


def _hidden(chart: Chart) -> bool:
    """True if a value axis is deleted, has no numbers, or has neither numbers nor a range in the file."""
    axes = chart._chartSpace.xpath(".//c:valAx")
    deleted = chart._chartSpace.xpath(".//c:valAx/c:delete[not(@val) or @val='1' or @val='true']")
    return not axes or bool(deleted) or bool(chart._chartSpace.xpath(".//c:valAx/c:tickLblPos[@val='none']"))


def _bars(chart: Chart) -> Iterator[tuple[int, int, float]]:
    """The series, category and value of each measured bar that is drawn."""
    for index, series in enumerate(chart._chartSpace.xpath(".//c:barChart/c:ser")):
        if series.xpath("./c:spPr/a:noFill"):
            continue
        for point in series.xpath("./c:val//c:pt"):
            yield index, int(point.get("idx")), float(point.findtext("{*}v"))


def _labelled(chart: Chart, index: int, place: int) -> bool:
    """True if the file shows the value of a bar: with a label of the bar, otherwise with the labels of its series."""
    labels = chart._chartSpace.xpath(f".//c:barChart/c:ser[{index + 1}]/c:dLbls")
    for found in labels:
        own = found.xpath(f"./c:dLbl[c:idx/@val='{place}']")
        shown = (own[0] if own else found).xpath("./c:showVal/@val")
        return shown == ["1"]
    return False


def _axis(chart: Chart) -> str:
    return "".join(chart._chartSpace.xpath(".//c:valAx[last()]/c:title//a:t/text()"))


def _totals(chart: Chart) -> dict[int, float]:
    """The labelled sums on the stacks of a chart."""
    return {
        int(point.get("idx")): float(point.findtext("{*}v"))
        for series in chart._chartSpace.xpath(".//c:barChart/c:ser[c:spPr/a:noFill][c:dLbls/c:showVal/@val='1']")
        for point in series.xpath("./c:val//c:pt")
    }


def _sums(chart: Chart) -> dict[int, float]:
    sums: dict[int, float] = {}
    for _, place, value in _bars(chart):
        sums[place] = sums.get(place, 0.0) + value
    return sums


def test_that_the_value_axis_of_every_chart_is_visible(deck: tuple[Slide, ...]) -> None:
    hidden = [number for number, slide in enumerate(deck, 1) for chart in _charts(slide) if _hidden(chart)]
    assert hidden == []


def test_that_charts_of_different_units_side_by_side_have_a_number_at_every_bar(deck: tuple[Slide, ...]) -> None:
    bare = [
        (at, _axis(chart), place)
        for at, slide in enumerate(deck, 1)
        if len({_axis(chart) for chart in _charts(slide)}) > 1
        for chart in _charts(slide)
        if not chart._chartSpace.xpath(".//c:barChart/c:grouping[@val='stacked']")
        for index, place, _ in _bars(chart)
        if not _labelled(chart, index, place)
    ]
    assert bare == []


def test_that_every_stack_has_its_total(deck: tuple[Slide, ...]) -> None:
    missing = [
        (at, place, total)
        for at, slide in enumerate(deck, 1)
        for chart in _charts(slide)
        if chart._chartSpace.xpath(".//c:barChart/c:grouping[@val='stacked']")
        for place, total in _sums(chart).items()
        if not math.isclose(_totals(chart).get(place, math.nan), total, rel_tol=1e-9)
        and number(total) not in _words(slide)
    ]
    assert missing == []


def test_that_the_decks_of_the_sample_have_stacks_and_different_units() -> None:
    slides = [slide for name in STUDIES for slide in _deck(name)]
    charts = [chart for slide in slides for chart in _charts(slide)]
    assert len(charts) > 60
    assert any(chart._chartSpace.xpath(".//c:barChart/c:grouping[@val='stacked']") for chart in charts)
    assert any(len({_axis(chart) for chart in _charts(slide)}) > 1 for slide in slides)


def test_that_brackets_on_a_slide_share_the_height_of_the_highest_bar() -> None:
    library = sample("rds-mcsio-cache-sweep")
    slides = [shown.claims for shown in shown_story(library, Choices()).slides if len(shown.claims) > 1]
    assert slides
    for claims in slides:
        bars = [claim for _, claim in claims if isinstance(claim, BarClaim)]
        highest = max(bar.top for claim in bars for bar in claim.bars)
        assert {claim.top for claim in bars} == {bars[0].top}
        assert bars[0].top >= highest


def test_that_a_visible_axis_has_few_steps(deck: tuple[Slide, ...]) -> None:
    axes = [chart.value_axis for slide in deck for chart in _charts(slide) if chart.value_axis.visible]
    steps = [(axis.maximum_scale - (axis.minimum_scale or 0)) / axis.major_unit for axis in axes if axis.major_unit]
    assert not axes or max(steps) <= 12
