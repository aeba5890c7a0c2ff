"""The sheets of the workbook: not empty, unique, printable, and not longer than Excel opens."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.exporters.jobs import chosen_of
from tests.exporters.reading import Reopened
from tests.exporters.studies import figures_of, replicate_study
from workbench.answers.common.library import Library
from workbench.charts.content import Content
from workbench.charts.figure import Axis, Bars, Figure, Look, Panel
from workbench.charts.tables import Cell, Column, TableData
from workbench.exporters.contents import contents
from workbench.exporters.job import DocumentPart
from workbench.exporters.workbook import table_block
from workbench.exporters.workbook.book import check_workbook, write_workbook
from workbench.exporters.workbook.sheets.numbers import MAX_ROWS
from workbench.model.run import Study
from workbench.session.state import State


def _written(path: Path, parts: tuple[DocumentPart, ...], *studies: Study) -> Reopened:
    write_workbook(path, studies, figures_of(*studies), parts, chosen_of(*studies))
    check_workbook(path)
    return Reopened(path)


def _sentences(name: str, *texts: str) -> TableData:
    columns = (
        Column("Finding", numeric=False, fills=True),
        Column("Strength", numeric=False),
        Column("Evidence", numeric=False),
    )
    rows = tuple((Cell(text, text), Cell("strong", "strong"), Cell("Cache", "Cache")) for text in texts)
    return TableData(columns, rows, name=name)


def _overview(study: str, *tables: TableData) -> DocumentPart:
    return DocumentPart("overview", "", f"{study}: Overview", Content("What did the tests find?", tables=tables), study)


def test_that_sentences_shared_by_studies_are_written_once_without_a_study_name(tmp_path: Path) -> None:
    shared = _sentences("Benchmark findings", "The disk is fast.")
    parts = (
        _overview("one", _sentences("More findings", "A."), shared),
        _overview("two", _sentences("More findings", "B."), shared),
    )
    book = _written(tmp_path / "a.xlsx", parts)
    names = book.results.sheetnames
    assert [name for name in names if "indings" in name] == ["one Findings", "two Findings", "Benchmark findings"]
    held = [cell.value for row in book.results["Benchmark findings"].iter_rows() for cell in row]
    assert held.count("The disk is fast.") == 1


def test_that_an_empty_page_has_no_sheet_but_its_sentences_are_written(tmp_path: Path) -> None:
    # The first of the findings are in the summary, too.
    parts = (_overview("one", _sentences("Findings", "A."), _sentences("More findings", "B.")),)
    names = _written(tmp_path / "a.xlsx", parts).results.sheetnames
    assert [name for name in names if "indings" in name] == ["one Findings"]
    assert not [name for name in names if "IOPS" in name]


def test_that_every_sheet_to_be_read_is_set_up_for_printing(tmp_path: Path) -> None:
    study = replicate_study(tmp_path / "data")
    library = Library((study,), {one.run.folder: one for one in figures_of(study)}, {})
    book = _written(tmp_path / "a.xlsx", contents(library, State()).parts, study)
    read = [sheet for sheet in book.formulas.worksheets if sheet.sheet_properties.tabColor is None]
    # The sheet Data is not printed.
    read = [sheet for sheet in read if sheet.title != "Data"]
    assert len(read) > 7
    for sheet in read:
        assert sheet.print_area, sheet.title
        turned = "portrait" if sheet.title == "Sizing plan" else "landscape"
        assert sheet.page_setup.orientation == turned, sheet.title
        assert sheet.sheet_properties.pageSetUpPr.fitToPage, sheet.title
        assert sheet.page_setup.fitToHeight == 0, sheet.title
        assert sheet.oddFooter.right.text == "Page &P of &N", sheet.title


def test_that_a_table_above_the_row_limit_is_cut_and_both_sheets_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    assert MAX_ROWS == 1_048_576
    monkeypatch.setattr(table_block, "MAX_ROWS", 103)
    rows = tuple((Cell(str(n), n),) for n in range(1_000))
    table = TableData((Column("Sessions"),), rows, "", "Sessions")
    book = _written(tmp_path / "a.xlsx", (DocumentPart("logons", "", "Logons", Content("?", tables=(table,))),)).results
    sheet = book["Logons Sessions"]
    assert sheet.max_row == 103
    assert sheet.cell(103, 1).value == 99
    said = "The table has 1,000 rows, but a sheet has room for the first 100 rows"
    assert str(sheet["A2"].value).startswith(said)
    assert sheet.auto_filter.ref == "A3:A103"
    page = [str(cell.value) for row in book["Logons"].iter_rows() for cell in row]
    assert page == snapshot


def test_that_a_single_bar_does_not_fill_its_chart(tmp_path: Path) -> None:
    def figure(count: int) -> Figure:
        names = tuple(f"c{n}" for n in range(count))
        bars = Bars("b", np.arange(1.0, count + 1), Look("MCS"))
        return Figure(f"f{count}", "?", "", (Panel("P", Axis("", categories=names), Axis("IOPS"), (bars,)),))

    parts = tuple(
        DocumentPart("cache", f"v{count}", f"Cache, v{count}", Content("?", figure=figure(count))) for count in (1, 30)
    )
    book = _written(tmp_path / "a.xlsx", parts)
    assert [chart.gapWidth for chart in book.charts("Cache")] == [500, 60]
