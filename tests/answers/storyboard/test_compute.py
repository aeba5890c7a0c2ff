"""The storyboard: a slide without its finding keeps its place, and a slide is matched to its finding after a rename."""

from __future__ import annotations

from dataclasses import replace

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.samples import sample
from workbench.answers.common.library import Library
from workbench.answers.common.storyboard import FindingRef, Storyboard, StorySlide
from workbench.answers.storyboard.compute import LOST, shown_story
from workbench.session.state import State


@pytest.fixture(scope="module")
def sweep() -> Library:
    return sample("rds-mcsio-cache-sweep")


def test_that_a_slide_of_an_unknown_finding_keeps_its_place_with_a_notice(sweep: Library) -> None:
    board = shown_story(sweep, State()).storyboard
    gone = StorySlide("gone", board.slides[0].study, (FindingRef("no/such/finding"),))
    made = replace(board, slides=(board.slides[0], gone, board.slides[1]))
    story = shown_story(sweep, State(storyboard=made))
    assert [slide.slide.key for slide in story.slides] == [board.slides[0].key, "gone", board.slides[1].key]
    assert [(slide.lost, slide.notice) for slide in story.slides] == [(False, ""), (True, LOST), (False, "")]
    assert [(problem.file, problem.message) for problem in story.problems] == [("slide 2", LOST)]
    assert story.own


def test_that_a_slide_that_lost_some_of_its_findings_shows_the_others(
    sweep: Library, snapshot: SnapshotAssertion
) -> None:
    board = shown_story(sweep, State()).storyboard
    first = board.slides[0]
    made = board.changed(replace(first, findings=(FindingRef("gone"), *first.findings[1:])))
    shown = shown_story(sweep, State(storyboard=made)).slides[0]
    assert len(shown.findings) == len(first.findings) - 1
    assert shown.notice == snapshot


def test_that_a_deleted_saved_view_keeps_its_place(sweep: Library) -> None:
    made = Storyboard((StorySlide("v", view="Dip"),))
    (shown,) = shown_story(sweep, State(storyboard=made)).slides
    assert shown.lost
    assert "saved view “Dip” no longer exists" in shown.notice
    kept = State(storyboard=made, views=(State().saved_view("Dip"),))
    assert not shown_story(sweep, kept).slides[0].lost


def test_that_a_slide_finds_its_finding_after_a_configuration_got_another_name(sweep: Library) -> None:
    lead = shown_story(sweep, State()).slides[0].findings[0]
    assert lead.about is not None
    (slide, *_) = shown_story(sweep, State()).storyboard.slides
    made = Storyboard((replace(slide, findings=(FindingRef("an/earlier/key", lead.about),)),))
    assert shown_story(sweep, State(storyboard=made)).slides[0].findings == (lead,)


def test_that_other_findings_on_a_chart_are_listed_below_its_sentence(sweep: Library) -> None:
    first = shown_story(sweep, State()).slides[0]
    assert any("during logon by 92.6" in sentence for sentence in first.also)
    assert first.sentence not in first.also
    assert [finding.phase for finding, _ in first.claims] == ["steady", "logon", "boot"]


def test_that_slides_are_moved_changed_and_dropped() -> None:
    board = Storyboard(tuple(StorySlide(key) for key in "abc"))
    order = lambda made: "".join(slide.key for slide in made.slides)  # noqa: E731
    assert order(board.moved("a", 1)) == "bac"
    assert order(board.moved("a", 9)) == "bca"
    assert order(board.moved("c", -9)) == "cab"
    assert board.moved("x", 1) is board
    assert order(board.without("b")) == "ac"
    assert board.changed(StorySlide("b", appendix=True)).slide("b") == StorySlide("b", appendix=True)
