"""Bars below 0 in a workbook: their numbers and names are readable."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from openpyxl import Workbook

from tests.exporters.reading import Reopened
from workbench.charts.figure import Axis, Bars, Figure, Look, Panel
from workbench.exporters.workbook.finish import save
from workbench.exporters.workbook.making import Making
from workbench.exporters.workbook.sheets.chart import Sheet, SheetSection

LOOK = Look("MCS", marker="circle")
NAMES = ("MCS", "PVS", "MCSIO")


def chart_of(folder: Path, values: list[float], whisker: float = 0.0) -> Any:
    """The native chart of one bar for each name, with whiskers of this length around each."""
    heights = np.array(values)
    ends = {"low": heights - whisker, "high": heights + whisker} if whisker else {}
    bars = Bars("change", heights, LOOK, **ends)
    panel = Panel("Change", Axis("", categories=NAMES), Axis("change", "%"), (bars,))
    making = Making(Workbook())
    making.book.remove(making.book.active)
    sheet = Sheet(making, making.sheet("Charts"))
    sheet.add(SheetSection((Figure("k", "What changed?", "", (panel,)),)))
    sheet.finish()
    save(making.book, folder / "a.xlsx", making.results)
    (chart,) = Reopened(folder / "a.xlsx").charts("Charts")
    return chart


def places(chart: Any) -> dict[int, str]:
    """The places of numbers with a separate label, by bar."""
    (series,) = chart.series
    return {label.idx: label.dLblPos for label in series.dLbls.dLbl}


def test_that_the_numbers_of_tall_bars_below_0_are_in_the_middle_of_their_bars(tmp_path: Path) -> None:
    # The bar of -3 has no space for its number inside.
    chart = chart_of(tmp_path, [-80.5, -3.0, 40.0], whisker=2.0)
    assert places(chart) == {0: "ctr", 2: "ctr"}
    assert chart.series[0].dLbls.dLblPos == "outEnd"


def test_that_tall_positive_bars_have_their_numbers_at_the_base(tmp_path: Path) -> None:
    assert places(chart_of(tmp_path, [80.5, 3.0, 40.0], whisker=2.0)) == {0: "inBase", 2: "inBase"}


def test_that_bars_without_whiskers_have_their_numbers_beyond_their_ends(tmp_path: Path) -> None:
    chart = chart_of(tmp_path, [-80.5, -3.0, 40.0])
    assert places(chart) == {}
    assert chart.series[0].dLbls.dLblPos == "outEnd"


@pytest.mark.parametrize(("values", "form"), [([-80.5, 3.0, 40.0], "#,##0.0"), ([-80.0, 3.0, 40.0], "#,##0")])
def test_that_numbers_below_0_keep_their_decimals(tmp_path: Path, values: list[float], form: str) -> None:
    assert chart_of(tmp_path, values).series[0].dLbls.numFmt == form


def test_that_names_are_below_the_bars_and_bars_below_0_keep_their_colour(tmp_path: Path) -> None:
    chart = chart_of(tmp_path, [-80.5, -3.0, 40.0])
    assert chart.x_axis.tickLblPos == "low"
    assert chart.series[0].invertIfNegative is False
