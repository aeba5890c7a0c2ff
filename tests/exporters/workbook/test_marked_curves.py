"""Charts of curves in the workbook are marked for their finding on the storyboard."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from syrupy.assertion import SnapshotAssertion

from tests.exporters.documents import document
from tests.exporters.reading import load_sheets
from tests.exporters.workbook.test_live import small_library
from workbench.answers.storyboard.compute import shown_story
from workbench.charts.figure import Bars, Line
from workbench.exporters.assemble import job_of
from workbench.exporters.wanted import Wanted
from workbench.session.state import State
from workbench.words.numbers import THIN


def _figures(folder: Path, ending: str = ".xlsx", state: State | None = None) -> dict[str, object]:
    job = job_of(small_library(), state or State(), Wanted(folder / f"a{ending}"))
    return {part.key: part.content.figure for part in job.parts}


def test_that_curves_and_stacks_of_the_sweep_are_marked_with_their_finding(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    figures = _figures(tmp_path)
    filling, sweep = figures["cache:filling"], figures["cache:sweep"]
    assert filling.caption == snapshot
    words = {moment.words for panel in filling.panels for moment in panel.moments}
    assert words == {f"overflow after 20{THIN}s"}
    strengths = [mark.strengths for panel in sweep.panels for mark in panel.marks if isinstance(mark, Bars)]
    assert strengths
    assert set(strengths) == {("others", "all")}
    marked = {key for key, figure in figures.items() if figure is not None and "Highlighted: " in figure.caption}
    assert marked == {"cache:filling", "cache:sweep"}


def test_that_data_files_and_a_storyboard_without_highlights_have_no_marks(tmp_path: Path) -> None:
    for key, figure in _figures(tmp_path, ".html").items():
        assert figure is None or "Highlighted: " not in figure.caption, key
    board = shown_story(small_library(), State(), True).storyboard
    dark = tuple(replace(slide, switches=replace(slide.switches, claim=False)) for slide in board.slides)
    figures = _figures(tmp_path, state=State(storyboard=replace(board, slides=dark)))
    lines = [mark for panel in figures["cache:filling"].panels for mark in panel.marks if isinstance(mark, Line)]
    assert {line.emphasis for line in lines} == {"all"}


def test_that_the_sheet_explains_the_marks() -> None:
    book = load_sheets(document(small_library(), "small.xlsx"), "Cache")
    words = [str(row[0].value) for row in book["Cache"].iter_rows()]
    assert any("Highlighted: The RAM cache of 'MCSIO 512 MB' overflows" in text for text in words)
