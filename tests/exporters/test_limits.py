"""The limits in every export: a sheet, a slide, a section of the page, and a table of words as CSV."""

from __future__ import annotations

import csv
from pathlib import Path

import openpyxl
import pytest
from pptx import Presentation

from workbench.cli import main

SWEEP = Path(__file__).parents[2] / "sample_data" / "rds-mcsio-cache-sweep"
QUESTION = "Does each configuration keep to the limits?"


def export(folder: Path, name: str) -> Path:
    assert main(["export", str(SWEEP), "-o", str(folder / name), "--only", "limits"]) == 0
    return folder / name


@pytest.fixture(autouse=True)
def own_store(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(tmp_path_factory.getbasetemp() / "store-of-limits"))


def test_that_the_workbook_has_its_sheet_with_a_formula_for_a_value(tmp_path: Path) -> None:
    book = openpyxl.load_workbook(export(tmp_path, "l.xlsx"))
    rows = [row for row in book["Limits"].values if row[1:3] == ("MCS", "fail")]
    assert [str(row[0]).partition(" ≤")[0] for row in rows] == ["p95 of read latency in steady state"]
    assert "Configurations" in str(rows[0][3])
    assert QUESTION in [row[0] for row in book["Limits"].values]


def test_that_the_slide_shows_the_verdicts_as_a_table(tmp_path: Path) -> None:
    deck = Presentation(str(export(tmp_path, "l.pptx")))
    (slide,) = (
        slide for slide in deck.slides if slide.shapes.title is not None and slide.shapes.title.text == QUESTION
    )
    (table,) = (shape.table for shape in slide.shapes if shape.has_table)
    cells = [[cell.text for cell in row.cells] for row in table.rows]
    assert cells[0] == ["Limit", "MCS", "MCSIO 256 MB", "MCSIO 512 MB", "MCSIO 1 GB", "MCSIO 4 GB"]
    assert [text.split()[0] for text in cells[3][2:]] == ["fail", "fail", "fail", "pass"]


def test_that_the_page_and_the_csv_have_words(tmp_path: Path) -> None:
    assert QUESTION in export(tmp_path, "l.html").read_text(encoding="utf-8")
    rows = list(csv.reader(export(tmp_path, "l.csv").read_text(encoding="utf-8-sig").splitlines()))
    assert rows[3][:3] == ["No overflow", "", "fail 3 of 3 runs"]
