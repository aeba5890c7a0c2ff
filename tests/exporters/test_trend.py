"""The trend in every export: a sheet with its formula, a slide with a chart, a section of the page, dots as CSV."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import openpyxl
import pytest
from pptx import Presentation

from tests.answers.trend.weeks import lab, of, stepped, weekly
from workbench.answers.trend.figures import trend_figure
from workbench.charts.figure import Look
from workbench.cli import main
from workbench.exporters.chart_series import series_of

QUESTION = "Which build changed the results?"


@pytest.fixture
def weeks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(tmp_path / "store"))
    return lab(tmp_path / "lab", stepped(7, 0.12))


def export(weeks: Path, name: str) -> Path:
    assert main(["export", str(weeks), "-o", str(weeks.parent / name), "--only", "trend"]) == 0
    return weeks.parent / name


def spot_of(file: Path) -> tuple[str, Sequence[float | None]]:
    """The name and the values of the step in the chart of the slide."""
    deck = Presentation(str(file))
    (slide,) = (
        slide for slide in deck.slides if slide.shapes.title is not None and slide.shapes.title.text == QUESTION
    )
    (chart,) = (shape.chart for shape in slide.shapes if shape.has_chart)
    ((name, values),) = (
        (series.name, series.values) for plot in chart.plots for series in plot.series if ": +" in series.name
    )
    return name, values


def test_that_the_workbook_has_the_step_and_the_runs(weeks: Path) -> None:
    book = openpyxl.load_workbook(export(weeks, "t.xlsx"))
    rows = [[str(cell) for cell in row if cell is not None] for row in book["Trend"].values]
    assert [QUESTION] in [row[:1] for row in rows]
    (step,) = (row for row in rows if row[:3] == ["IOPS per VM, steady state", "MCS", "step"])
    assert step[3] == "24H2.8"
    assert sum("MCS-" in " ".join(row) for row in rows) >= 12


def test_that_the_slide_has_a_native_chart_with_the_step_at_its_build(weeks: Path) -> None:
    name, values = spot_of(export(weeks, "t.pptx"))
    assert name.startswith("24H2.8: +")
    assert [place for place, value in enumerate(values) if value is not None] == [7]


@pytest.mark.parametrize(
    ("builds", "step", "place"),
    [("aaabbbbbbbcc", 8, 1), ("b" * 12, 8, 0), ("aaaaaabcdefg", 6, 1), ("aaabbbbbbbcc", 5, 1)],
)
def test_that_a_step_between_runs_of_one_build_is_marked_at_that_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, builds: str, step: int, place: int
) -> None:
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(tmp_path / "store"))
    folder = lab(tmp_path / "lab", stepped(step, 0.3), build=list(builds))
    (name, values) = spot_of(export(folder, "t.pptx"))
    assert [at for at, value in enumerate(values) if value is not None] == [place], name


def test_that_the_step_is_marked_on_the_line_of_the_configuration_that_steps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(tmp_path / "store"))
    lab(tmp_path / "lab", stepped(7, 0.0, level=40.0))
    (name, values) = spot_of(export(lab(tmp_path / "lab", stepped(7, 0.25), "MCSIO"), "t.pptx"))
    (value,) = (value for value in values if value is not None)
    assert name.startswith("24H2.8: +24.7")
    # In percent of the first runs of each configuration: MCS stays at 100.
    assert value == pytest.approx(125, abs=2)


def test_that_each_configuration_with_a_step_at_a_build_has_a_separate_mark() -> None:
    points = [*weekly(stepped(7, 0.25)), *weekly(stepped(7, 0.5, level=40.0), "MCSIO")]
    (panel,) = trend_figure(of(points), {"MCS": Look("MCS"), "MCSIO": Look("MCSIO")}).panels
    spots = [series for series in series_of(panel)[0] if series.look.marker == "diamond"]
    assert [float(np.nanmax(spot.values)) for spot in spots] == pytest.approx([125, 150], abs=2)
    assert [spot.in_legend for spot in spots] == [True, False]
    assert len({spot.head for spot in spots}) == 2, "each has its column of numbers"


def test_that_page_and_csv_have_the_step(weeks: Path) -> None:
    assert QUESTION in export(weeks, "t.html").read_text(encoding="utf-8")
    rows = list(csv.reader(export(weeks, "t.csv").read_text(encoding="utf-8-sig").splitlines()))
    assert sum("build 24H2." in " ".join(row) for row in rows) == 12


def test_that_the_slide_breaks_the_line_of_the_means_at_the_step(weeks: Path) -> None:
    deck = Presentation(str(export(weeks, "t.pptx")))
    charts = [shape.chart for slide in deck.slides for shape in slide.shapes if shape.has_chart]
    means = [series for chart in charts for plot in chart.plots for series in plot.series if series.name == "MCS: mean"]
    known = [[place for place, value in enumerate(series.values) if value is not None] for series in means]
    assert known == [list(range(7)), list(range(7, 12))]
