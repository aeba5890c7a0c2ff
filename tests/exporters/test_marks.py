"""The slide of a finding that mentions a curve or a moment shows the chart of its page with that marked."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.exporters.slides.decks import deck_with, written
from tests.samples import sample
from workbench.answers.common.library import Library
from workbench.answers.common.storyboard import Switches
from workbench.answers.storyboard.compute import shown_story
from workbench.charts.figure import Figure, Line
from workbench.charts.palette import EMPHASIS, THEMES, colour
from workbench.exporters.chart_plan import pale, plans_of
from workbench.exporters.document.document import Slide
from workbench.exporters.document.making import document_of
from workbench.exporters.page.charts import Arrays, chart_data
from workbench.exporters.page.colours import Colours
from workbench.exporters.wanted import Wanted
from workbench.session.state import State

WANTED = Wanted(Path("a.pptx"))


@pytest.fixture(scope="module")
def storm() -> Library:
    return sample("vdi-login-storm")


def stuck(library: Library, state: State | None = None) -> Slide:
    slides = document_of(library, state or State(), WANTED).all_slides
    return next(slide for slide in slides if "got stuck" in slide.title)


def figure_of(slide: Slide) -> Figure:
    assert slide.figure is not None
    return slide.figure


def test_that_the_slide_marks_the_moment_and_dims_other_configurations(storm: Library) -> None:
    own, other = figure_of(stuck(storm)).panels
    assert [moment.words for moment in own.moments] == ["first stuck session starts"]
    assert {mark.emphasis for mark in own.marks} == {"all"}
    assert {mark.emphasis for mark in other.marks} == {"others"}


def test_that_a_slide_whose_claim_is_switched_off_is_a_plain_chart(storm: Library) -> None:
    board = shown_story(storm, State()).storyboard
    slide = next(slide for slide in board.slides if "/stuck/" in slide.findings[0].key)
    plain = State(storyboard=board.changed(replace(slide, switches=Switches(claim=False))))
    panels = figure_of(stuck(storm, plain)).panels
    assert {mark.emphasis for panel in panels for mark in panel.marks} == {"all"}
    assert not any(panel.moments for panel in panels)


def test_that_the_native_chart_has_a_line_at_the_moment_and_dimmed_curves(
    storm: Library, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    figure = figure_of(stuck(storm))
    plans = plans_of(figure)
    (moment,) = (line for line in plans[0].regions if line.name)
    assert moment.name == snapshot
    assert moment.x.tolist() == [figure.panels[0].moments[0].start / 60] * 2
    charts = written(tmp_path / "a.pptx", deck_with(figure)).charts()
    inks = [{series.name: str(series.format.line.color.rgb) for series in chart.plots[0].series} for chart in charts]
    assert inks[0]["first stuck session starts"] == THEMES["light"].text.lstrip("#").upper()
    dimmed = pale(
        colour(figure.panels[1].marks[1].look, "light"), THEMES["light"].card, 1 - EMPHASIS["light"]["others"]
    )  # type: ignore[union-attr]
    assert inks[1]["active"] == dimmed.lstrip("#").upper()
    assert inks[0]["active"] == colour(figure.panels[0].marks[1].look, "light").lstrip("#").upper()  # type: ignore[union-attr]


def test_that_the_page_has_moments_and_the_opacity_of_each_mark(storm: Library) -> None:
    figure = figure_of(stuck(storm))
    own, other = chart_data(figure, Arrays(), Colours())["panels"]
    assert own["moments"] == [["first stuck session starts", figure.panels[0].moments[0].start, None]]
    assert {mark["emphasis"] for mark in other["marks"]} == {"others"}


def test_that_the_slide_of_a_vm_highlights_its_line_and_names_it_in_the_legend(tmp_path: Path) -> None:
    library = sample("damaged/database-server-among-vms")
    slides = document_of(library, State(), WANTED).all_slides
    figure = figure_of(next(slide for slide in slides if slide.title.startswith("SQL01")))
    lines = {mark.name: mark for mark in figure.panels[0].marks if isinstance(mark, Line)}
    assert (lines["SQL01"].emphasis, lines["SQL01"].prominent) == ("all", True)
    assert {line.emphasis for name, line in lines.items() if name != "SQL01"} == {"baseline"}
    (chart,) = written(tmp_path / "a.pptx", deck_with(figure)).charts()
    assert chart.has_legend
    inks = {series.name: str(series.format.line.color.rgb) for series in chart.plots[0].series}
    assert inks["SQL01"] == THEMES["light"].text.lstrip("#").upper()
