"""The limits in every export: a sheet, a slide, a section of the page, and a table of words as CSV."""

from __future__ import annotations

import csv
from pathlib import Path

import openpyxl
import pytest
from pptx import Presentation

from workbench.cli import main

SWEEP = Path(__file__).parents[2] / "sample_data" / "rds-mcsio-cache-sweep"
HEADLINE = "8 of 18 checks fail, 9 pass, 1 is not shown"


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
    assert HEADLINE in [row[0] for row in book["Limits"].values]
    assert len(book["Limits"]._charts) == 4


def test_that_the_slide_draws_each_limit_with_the_limit_itself(tmp_path: Path) -> None:
    deck = Presentation(str(export(tmp_path, "l.pptx")))
    (slide,) = (
        slide for slide in deck.slides if slide.shapes.title is not None and slide.shapes.title.text == HEADLINE
    )
    charts = [shape.chart for shape in slide.shapes if shape.has_chart]
    assert len(charts) == 4
    names = [str(name) for name in charts[0].plots[0].categories]
    assert names[2:4] == ["MCSIO 512 MB not shown", "MCSIO 1 GB pass"]
    limit = next(series for plot in charts[0].plots for series in plot.series if series.name == "limit")
    assert set(limit.values) == {10.0}


def test_that_the_page_and_the_csv_have_words(tmp_path: Path) -> None:
    assert HEADLINE in export(tmp_path, "l.html").read_text(encoding="utf-8")
    rows = list(csv.reader(export(tmp_path, "l.csv").read_text(encoding="utf-8-sig").splitlines()))
    assert rows[2][0] == "MCS fail"
    assert "p95 of read latency · MCS, low [ms]" in rows[0]
