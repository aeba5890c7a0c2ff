"""A page, finding, sheet, slide or picture that fails affects only itself: the others appear, and a sentence reports
it."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import openpyxl
import pptx
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.exporters.jobs import exported, library_of
from tests.exporters.reading import load_sheets
from tests.exporters.studies import MCS, columns, make_run, make_study
from workbench.answers.common.library import Library
from workbench.answers.findings import sentences, words
from workbench.answers.findings.page import found_findings, tables
from workbench.answers.registry import PAGES
from workbench.console.export import _said
from workbench.exporters.assemble import job_of
from workbench.exporters.contents import contents
from workbench.exporters.export import export
from workbench.exporters.job import ExportJob
from workbench.exporters.page import page as html
from workbench.exporters.safe_file import FAILED
from workbench.exporters.slides import write as slides
from workbench.exporters.wanted import Wanted
from workbench.exporters.workbook import book
from workbench.gui.pictures import painter, report
from workbench.gui.pictures.painter import load_painter
from workbench.model.run import Configuration, Provisioning
from workbench.session.state import State
from workbench.study.store.columns import ColumnsError

WHY = "wild: 1/0"
RULES = {
    "compare_findings": "differences between configurations",
    "compare": "differences between configurations",
    "cache_findings": "caches",
    "logon_findings": "logons",
    "sizing_findings": "capacity",
    "odd_vms": "unusual VMs",
    "benchmark_findings": "storage benchmarks",
}
SHEETS = {
    "write_phase_sheet": "Phase table",
    "write_configuration_sheet": "Configurations",
    "_iops_charts": "IOPS",
    "write_compare_sheet": "Compare values",
    "write_sizing_sheet": "Sizing plan",
    "write_sources": "Sources",
    "write_import_report": "Import report",
    "write_summary": "Summary",
}


def fails(*_given: object, **_named: object) -> Any:
    raise ValueError(WHY)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    folder = tmp_path_factory.mktemp("runs")
    cached = Configuration("MCSIO 512 MB", Provisioning.MCSIO, ram_cache_mb=512)
    runs = [make_run(folder / f"a{at}", f"mcs-{at}", MCS, columns(3, 100.0 + at, 50.0)) for at in range(3)]
    runs += [make_run(folder / f"b{at}", f"mcsio-{at}", cached, columns(3, 20.0 + at, 5.0, 300.0)) for at in range(3)]
    return library_of(make_study("lab", runs))


@pytest.fixture(scope="module")
def job(library: Library) -> ExportJob:
    """The job of a workbook, which failures of its writers do not change."""
    return job_of(library, State(), Wanted(Path("a.xlsx"), length="full"))


@pytest.fixture(scope="module")
def whole_sheets(job: ExportJob, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The sheets of the workbook without a failure."""
    path = tmp_path_factory.mktemp("whole") / "a.xlsx"
    export(replace(job, path=path))
    return openpyxl.load_workbook(BytesIO(path.read_bytes()), read_only=True).sheetnames


@pytest.fixture(scope="module")
def whole(library: Library) -> set[str]:
    """The pages of an export without a failure."""
    return {part.key for part in contents(library, State()).parts}


@pytest.mark.parametrize("spec", PAGES, ids=lambda spec: spec.key)
def test_that_a_failed_page_does_not_affect_others(
    library: Library, whole: set[str], monkeypatch: pytest.MonkeyPatch, spec: Any
) -> None:
    pages = tuple(type(one)(one.key, one.name, fails, views=one.views) if one is spec else one for one in PAGES)
    monkeypatch.setattr("workbench.exporters.contents.PAGES", pages)
    written = contents(library, State())
    assert {part.key for part in written.parts} == {key for key in whole if key.partition(":")[0] != spec.key}
    (said,) = [words for words in written.left_out if FAILED in words]
    assert spec.name in said
    assert WHY in said
    assert "Export again" in said


@pytest.mark.parametrize("rule", RULES)
def test_that_a_failed_rule_of_findings_does_not_affect_others(
    library: Library, monkeypatch: pytest.MonkeyPatch, rule: str, snapshot: SnapshotAssertion
) -> None:
    whole = {finding.key: finding.text for finding in found_findings(library, State())}
    fresh = Library(library.studies, library.figures)
    monkeypatch.setattr(words if rule == "compare" else sentences, rule, fails)
    findings = found_findings(fresh, State())
    failed, *others = findings
    assert failed.text == snapshot
    assert "Reload the folder" in failed.text
    # The plans of Sizing read the comparison, too, and fail with it.
    kept = {finding.key: finding.text for finding in others if WHY not in finding.text}
    assert len(others) - len(kept) == (rule == "compare")
    assert kept.items() <= whole.items()
    assert kept
    # The overview and its exports report it in the first place.
    assert tables(fresh, State())[0].rows[0][0].text == failed.text


def test_that_lost_columns_are_read_again_and_cause_no_failed_finding(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    recording = library.studies[0].runs[0].recordings[0]

    def lost(_asked: object) -> Any:
        raise ColumnsError(recording, "gone")

    monkeypatch.setattr(sentences, "cache_findings", lost)
    with pytest.raises(ColumnsError):
        found_findings(Library(library.studies, library.figures), State())


@pytest.mark.parametrize("writer", SHEETS)
def test_that_a_failed_sheet_does_not_affect_others_and_is_reported_in_its_place(
    job: ExportJob, whole_sheets: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, writer: str
) -> None:
    monkeypatch.setattr(book, writer, fails)
    written = export(replace(job, path=tmp_path / "a.xlsx"))
    workbook = openpyxl.load_workbook(BytesIO((tmp_path / "a.xlsx").read_bytes()), read_only=True)
    read = [[name for name in names if " data" not in name] for names in (whole_sheets, workbook.sheetnames)]
    assert read[0] == read[1]
    (said, *more) = [words for words in written.left_out if FAILED in words]
    assert said.startswith(f"{SHEETS[writer]} is omitted. {FAILED}written (ValueError: {WHY})")
    assert workbook[SHEETS[writer]]["A1"].value == said
    # The means are computed from the phase table; no other value is lost with a sheet.
    assert [words.partition(" is ")[0] for words in more] == ["Configurations"] * (writer == "write_phase_sheet")
    # The console lists it in addition to its counts, and its text is not a rejection.
    assert said in _said(written, verbose=False)


def test_that_a_failed_chapter_does_not_affect_others(
    job: ExportJob, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    real = book.write_chapter

    def one_fails(made: Any, chapter: Any, *given: Any) -> None:
        real(made, chapter, *given)
        if chapter.key == "cache":
            fails()

    monkeypatch.setattr(book, "write_chapter", one_fails)
    written = export(replace(job, path=tmp_path / "a.xlsx"))
    workbook = load_sheets(tmp_path / "a.xlsx", "Cache", "Compare")
    (said,) = [words for words in written.left_out if FAILED in words]
    assert workbook["Cache"]["A1"].value == said
    # Below it is the link to the first sheet.
    assert workbook["Cache"].max_row == 2
    assert workbook["Compare"].max_row > 5


def test_that_a_failed_slide_does_not_affect_others(
    library: Library, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    exported(library, tmp_path / "whole.pptx")
    real, asked = slides._charts, []

    def one_fails(*given: Any) -> None:
        asked.append(given)
        real(*given)
        if len(asked) == 1:
            fails()

    monkeypatch.setattr(slides, "_charts", one_fails)
    written = exported(library, tmp_path / "a.pptx")
    (whole, deck) = (pptx.Presentation(str(tmp_path / name)) for name in ("whole.pptx", "a.pptx"))
    # A slide that failed replaces the several slides of its finding.
    titles = [[slide.shapes.title.text.partition(" (")[0] for slide in one.slides] for one in (whole, deck)]
    assert list(dict.fromkeys(titles[0])) == list(dict.fromkeys(titles[1]))
    texts = [shape.text_frame.text for slide in deck.slides for shape in slide.shapes if shape.has_text_frame]
    assert sum(WHY in text for text in texts) == 1
    assert [words for words in written.left_out if FAILED in words]


@pytest.mark.parametrize(
    ("ending", "module", "name"),
    [
        (".html", html, "_figure"),
        (".pdf", report, "_flow_section"),
        (".pdf", report, "paint_figure"),
        (".png", painter, "paint_file"),
    ],
)
def test_that_a_failed_section_or_image_does_not_affect_others(
    library: Library, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, ending: str, module: Any, name: str, qapp: Any
) -> None:
    real, asked = getattr(module, name), []

    def second_fails(*given: Any, **named: Any) -> Any:
        asked.append(given)
        return fails() if len(asked) == 2 else real(*given, **named)

    monkeypatch.setattr(module, name, second_fails)
    written = exported(library, tmp_path / f"a{ending}", painter=load_painter())
    assert written.files
    assert all(file.stat().st_size for file in written.files)
    assert len(asked) > 2


def test_that_a_fault_of_the_whole_file_still_rejects_it(
    job: ExportJob, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def full(*_given: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(book, "write_summary", full)
    with pytest.raises(ValueError, match="No space left"):
        export(replace(job, path=tmp_path / "a.xlsx"))
    assert not (tmp_path / "a.xlsx").exists()


def test_that_an_empty_page_is_not_reported_as_a_failure(library: Library) -> None:
    assert not [words for words in contents(library, State()).left_out if FAILED in words]
