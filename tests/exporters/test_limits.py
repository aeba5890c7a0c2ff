"""The limits in every export: a sheet, a slide, a section of the page, and a table of words as CSV."""

from __future__ import annotations

import csv
from pathlib import Path

from pptx import Presentation
from syrupy.assertion import SnapshotAssertion

from tests.exporters.reading import load_sheets
from workbench.cli import main

SWEEP = Path(__file__).parents[2] / "sample_data" / "rds-mcsio-cache-sweep"
HEADLINE = "8 of 18 checks fail, 9 pass, 1 is inconclusive"


def export(folder: Path, name: str) -> Path:
    assert main(["export", str(SWEEP), "-o", str(folder / name), "--only", "limits"]) == 0
    return folder / name


def test_that_the_workbook_has_its_sheet_with_a_formula_for_a_value(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    book = load_sheets(export(tmp_path, "l.xlsx"), "Limits")
    rows = [row for row in book["Limits"].values if row[1:3] == ("MCS", "fail")]
    assert [str(row[0]).partition(" ≤")[0] for row in rows] == snapshot
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
    assert names[2:4] == ["MCSIO 512 MB ~", "MCSIO 1 GB ✓"]
    limit = next(series for plot in charts[0].plots for series in plot.series if series.name == "limit")
    assert set(limit.values) == {10.0}


def test_that_the_page_has_the_headline(tmp_path: Path) -> None:
    assert HEADLINE in export(tmp_path, "l.html").read_text(encoding="utf-8")


def test_that_the_csv_has_each_verdict_with_its_value_and_interval(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    rows = list(csv.DictReader(export(tmp_path, "l.csv").read_text(encoding="utf-8-sig").splitlines()))
    assert len(rows) == 18
    first = rows[0]
    assert (first["Configuration"], first["Verdict"], first["Unit"]) == ("MCS", "fail", "ms")
    assert first["Limit"] == snapshot
    assert float(first["Low"]) < float(first["Value"]) < float(first["High"])
    open_ones = [row for row in rows if row["Verdict"] == "inconclusive"]
    assert [row["Why"] for row in open_ones] == snapshot
    no_overflow = next(row for row in rows if row["Limit"] == "No overflow")
    assert (no_overflow["Value"], no_overflow["Low"], no_overflow["Basis"]) == ("3.0", "", "")
