"""The first sheet's head, and its findings in the order of the storyboard."""

from __future__ import annotations

from pathlib import Path

import pytest
from openpyxl.drawing.image import PILImage

from tests.exporters.documents import SWEEP, sample_document
from tests.exporters.jobs import exported
from tests.exporters.reading import load_sheets
from tests.samples import sample
from workbench.answers.common.library import Library
from workbench.answers.storyboard.compute import shown_story
from workbench.exporters.wanted import Face
from workbench.exporters.workbook.columns import StudyGroups
from workbench.exporters.workbook.first_sheet.cover import counts
from workbench.measures.configurations import group_runs
from workbench.measures.phase_table import run_figures
from workbench.session.state import State


@pytest.fixture(scope="module")
def sweep() -> Library:
    return sample(SWEEP)


def _findings(sheet) -> list[str]:
    head = next(cell.row for row in sheet.iter_rows(max_col=4) for cell in row if cell.value == "No.")
    rows = sheet.iter_rows(min_row=head + 1, min_col=4, max_col=5, values_only=True)
    return [str(text) for number, text in rows if isinstance(number, int)]


def test_that_the_first_sheet_has_the_stated_head_and_the_findings_of_the_storyboard(
    sweep: Library, tmp_path: Path
) -> None:
    made = shown_story(sweep, State()).storyboard
    leads = [slide for slide in made.slides if slide.kind == "finding"]
    # The last one comes first, the first one is dropped, the second one goes into the appendix.
    story = made.placed(leads[-1].key, leads[0].key, False).placed(leads[1].key, None, True).without(leads[0].key)
    shown = [slide for slide in shown_story(sweep, State(storyboard=story)).slides if slide.findings]
    wanted = [slide.sentence for slide in sorted(shown, key=lambda slide: slide.slide.appendix)]
    PILImage.new("RGB", (300, 100), (11, 102, 176)).save(tmp_path / "logo.png")
    face = Face("Review of May", "Contoso", "P. Smith", tmp_path / "logo.png")
    exported(sweep, tmp_path / "a.xlsx", State(storyboard=story), face=face)
    sheet = load_sheets(tmp_path / "a.xlsx", "Summary")["Summary"]
    assert sheet["D1"].value == "Review of May"
    assert sheet["D2"].value.startswith("Customer: Contoso, Author: P. Smith, 20")
    assert len(sheet._images) == 1
    texts = _findings(sheet)
    assert len(texts) == 9
    assert texts[0] == wanted[0]
    places = [wanted.index(text) for text in texts if text in wanted]
    assert places == sorted(places)


def test_that_the_head_of_the_first_sheet_has_no_empty_rows() -> None:
    sheet = load_sheets(sample_document(SWEEP, "xlsx"), "Summary")["Summary"]
    assert sheet["D1"].value == "Summary: rds-mcsio-cache-sweep"
    assert "15 runs" in sheet["D2"].value
    assert sheet._images == []


def test_that_the_first_sheet_counts_a_single_configuration_in_the_singular() -> None:
    (study,) = sample("windows-11-builds").studies
    figures = tuple(map(run_figures, study.runs))
    counted = counts([StudyGroups(study, figures, group_runs(figures))])
    assert counted.startswith("12 runs, 1 configuration. ")
