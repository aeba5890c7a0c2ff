"""Rules for every slide of the decks of the sample studies: title, chart and notes of a slide fit each other."""

from __future__ import annotations

from pathlib import Path

import pytest
from pptx import Presentation

from tests.exporters.documents import sample_document
from tests.samples import sample
from workbench.answers.common.library import Library
from workbench.answers.storyboard.compute import shown_story
from workbench.charts.claim import BarClaim
from workbench.charts.figure import Figure
from workbench.exporters.document.document import BENCHMARK_METHODS, Document
from workbench.exporters.document.lengths import COST, TABLE
from workbench.exporters.document.making import document_of
from workbench.exporters.wanted import Length, Wanted
from workbench.session.state import State

STUDIES = (
    "rds-mcsio-cache-sweep",
    "simulated-cache-sweep",
    "vdi-login-storm",
    "windows-7-mcs-and-pvs",
    "xenapp-pvs-ram-cache",
)
MOST_WORDS = 80


@pytest.fixture(params=STUDIES)
def library(request: pytest.FixtureRequest) -> Library:
    return sample(request.param)


def full(library: Library) -> Document:
    return document_of(library, State(), Wanted(Path("a.pptx"), length="full"))


def numbers(figure: Figure) -> tuple[object, ...]:
    """All values that a figure draws, with the name of each curve, bar or dot."""
    kinds = ("values", "y", "low", "high")
    return tuple(
        (panel.title, mark.name, kind, getattr(mark, kind).tobytes())
        for panel in figure.panels
        for mark in panel.marks
        for kind in kinds
        if hasattr(mark, kind)
    )


def test_that_every_panel_highlights_the_configuration_of_the_title(library: Library) -> None:
    for slide in shown_story(library, State()).slides:
        bars = [finding for finding, claim in slide.claims if isinstance(claim, BarClaim)]
        assert len({finding.configuration for finding in bars}) <= 1, slide.sentence


def test_that_no_chart_of_a_full_deck_is_shown_twice(library: Library) -> None:
    slides = full(library).all_slides
    drawn = [numbers(slide.figure) for slide in slides if slide.figure is not None]
    assert len(drawn) == len(set(drawn)) > 2
    # The capacity plan draws the disks and hosts of the cost.
    plans = [slide for slide in slides if slide.part == COST or slide.evidence_key.startswith("sizing:")]
    assert len(plans) <= 1


def test_that_a_finding_on_a_chart_of_another_slide_is_in_its_notes() -> None:
    storm, windows = full(sample("vdi-login-storm")), full(sample("windows-7-mcs-and-pvs"))
    assert any("baseline response time" in sentence.lower() for sentence in storm.slides[0].also)
    cost = next(slide for slide in windows.slides if slide.part == COST)
    assert any("needs 101 disks" in sentence for sentence in cost.also)
    assert all(sentence in cost.notes for sentence in cost.also)


def test_that_the_configuration_of_the_title_is_drawn_if_a_figure_has_many_columns() -> None:
    document = full(sample("rds-mcsio-cache-sweep"))
    logons = next(slide for slide in document.all_slides if slide.evidence_key == "logons:times")
    assert logons.figure is not None
    assert "MCSIO 1 GB" in logons.title
    assert [panel.title for panel in logons.figure.panels] == ["MCS", "MCSIO 1 GB"]
    assert "2 of 5" in logons.figure.caption


@pytest.mark.parametrize("length", ["review", "full"])
@pytest.mark.parametrize("study", STUDIES)
def test_that_the_notes_of_a_slide_have_at_most_eighty_words_to_say(study: str, length: Length) -> None:
    for slide in Presentation(str(sample_document(study, "pptx", length))).slides:
        spoken = slide.notes_slide.notes_text_frame.text.partition("————")[0]
        assert 1 < len(spoken.split()) <= MOST_WORDS


def test_that_results_of_tools_have_their_own_method_and_one_row_for_reads_and_writes() -> None:
    document = document_of(sample("storage-benchmarks"), State(), Wanted(Path("a.pptx"), length="brief"))
    assert document.short_method == document.method == BENCHMARK_METHODS
    (table,) = next(slide.tables for slide in document.all_slides if slide.part == TABLE)
    assert len(table.columns) <= 12
    tests = [row[0].text for row in table.rows if "raw SAN" in row[0].text]
    assert len(tests) == len(set(tests)) == 1


def test_that_the_table_of_a_study_without_io_names_no_change() -> None:
    document = document_of(sample("vdi-login-storm"), State(), Wanted(Path("a.pptx"), length="brief"))
    (slide,) = (slide for slide in document.all_slides if slide.part == TABLE)
    assert "Change" not in [column.title for column in slide.tables[0].columns]
    assert "change" not in slide.evidence
