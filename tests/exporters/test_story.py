from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.exporters.studies import figures_of, replicate_study
from workbench.charts.content import Content
from workbench.charts.tables import Cell, Column, TableData
from workbench.exporters.document.document import METHODS, Document, Slide
from workbench.exporters.document.story import story_of
from workbench.exporters.export import export
from workbench.exporters.job import DocumentPart, ExportJob, NoPainterError
from workbench.exporters.page.page import NO_DRAWING

FOUND = TableData((Column("Finding", numeric=False),), ((Cell("f", "f"),),), name="Findings")
PHASES = TableData(
    (Column("n"),), ((Cell("1", 1),),), "— not available · double click a number: its samples", "Phase table"
)


def _job(tmp_path: Path, ending: str, deck: Document | None = None) -> ExportJob:
    study = replicate_study(tmp_path)
    parts = (DocumentPart("overview", "", "Overview", Content("What does it cost?", tables=(FOUND, PHASES))),)
    return ExportJob(
        tmp_path / f"a{ending}", (study,), tuple(figures_of(study)), parts, deck, left_out=("Cache is omitted.",)
    )


def test_that_a_report_names_the_source_of_its_figures(tmp_path: Path) -> None:
    story = story_of(_job(tmp_path, ".html"))
    runs, files = story.sources
    rows = [[cell.text for cell in row] for row in runs.rows]
    assert {row[0] for row in rows} == {"mcs-r1", "mcs-r2", "mcs-r3", "mcs-r4", "mcsio-r1"}
    assert all(row[7] == "run.toml" for row in rows)
    assert {row[8] for row in rows if row[0] == "mcs-r4"} == {"vCenter failed over"}
    assert files.rows[0][0].text == "guest/a.csv"
    assert [problem.code for problem in story.problems] == ["not-a-number"]
    assert story.method == METHODS
    assert story.remarks == ("Cache is omitted.",)


def test_that_findings_on_slides_are_not_repeated_as_a_table(tmp_path: Path) -> None:
    deck = Document("A study", "lab", (Slide("MCS costs most.", None, "n = 3", caveats=("one lab",)),), ("by hand",))
    with_deck, without = story_of(_job(tmp_path, ".html", deck)), story_of(_job(tmp_path, ".html"))
    assert [(one.title, one.evidence, one.caveats) for one in with_deck.slides] == [
        ("MCS costs most.", "n = 3", ("one lab",))
    ]
    assert [table.name for table in with_deck.sections[0].content.tables] == ["Phase table"]
    assert [table.name for table in without.sections[0].content.tables] == ["Findings", "Phase table"]
    assert with_deck.method == ("by hand",)


def test_that_gestures_of_the_window_are_not_explained_on_paper(tmp_path: Path) -> None:
    story = story_of(_job(tmp_path, ".html"))
    assert story.sections[0].content.tables[1].legend == "— not available"


def test_that_a_page_is_written_if_charts_cannot_be_drawn(tmp_path: Path) -> None:
    written = export(_job(tmp_path, ".html"))
    text = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert written.left_out == ("Cache is omitted.",)
    assert "What does it cost?" in text
    # It contains no chart, so no chart is missing.
    assert NO_DRAWING not in text


def test_that_a_report_without_qt_is_rejected_and_leaves_the_earlier_file(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_text("old")
    with pytest.raises(NoPainterError, match="the report is drawn by Qt"):
        export(_job(tmp_path, ".pdf"))
    assert (tmp_path / "a.pdf").read_text() == "old"


def test_that_a_page_without_content_is_not_a_section(tmp_path: Path) -> None:
    job = _job(tmp_path, ".html", Document("A study", "lab", (Slide("MCS costs most.", None, "n = 3"),)))
    findings = Content("What did the tests find?", tables=(TableData((), (), name="Findings"),))
    alone = replace(job, parts=(DocumentPart("overview", "", "Overview", findings),))
    assert story_of(alone).sections == ()
    assert [section.name for section in story_of(replace(alone, document=None)).sections] == ["Overview"]
