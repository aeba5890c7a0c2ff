"""Lines of single VMs are context: they enter no legend, on screen, on the page, in a workbook or on slides."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from openpyxl import Workbook

from tests.exporters.reading import Reopened
from workbench.charts.figure import Axis, Figure, Line, Look, Panel
from workbench.exporters.chart_plan import plans_of
from workbench.exporters.page.charts import legend
from workbench.exporters.workbook.finish import save
from workbench.exporters.workbook.making import Making
from workbench.exporters.workbook.sheets.chart import Sheet, SheetSection
from workbench.gui.plot.geometry import legend_of

X = np.array([0.0, 60.0, 120.0])
LOOK = Look("MCS", marker="circle")
MEDIAN, MEAN = Line("median", X, X + 2, LOOK), Line("mean", X, X + 1, LOOK)
VMS = tuple(Line(f"VM-{number}", X, X + number, LOOK, vm=f"VM-{number}", prominent=False) for number in range(3))


def panel(*lines: Line) -> Panel:
    return Panel("MCS", Axis("Time since phase start", "s"), Axis("IOPS per VM", "IOPS"), lines)


def test_that_the_legend_on_screen_names_no_vm() -> None:
    assert [entry.name for entry in legend_of(panel(*VMS, MEDIAN, MEAN))] == ["median", "mean"]
    assert legend_of(panel(*VMS)) == []


def test_that_the_legend_of_the_page_names_no_vm() -> None:
    assert [name for name, _, _ in legend(panel(*VMS, MEDIAN, MEAN))] == ["median", "mean"]
    assert legend(panel(*VMS)) == []


def test_that_the_legend_in_a_workbook_names_no_vm(tmp_path: Path) -> None:
    making = Making(Workbook())
    making.book.remove(making.book.active)
    sheet = Sheet(making, making.sheet("Charts"))
    sheet.add(SheetSection((Figure("k", "How much?", "", (panel(*VMS, MEDIAN, MEAN),)),)))
    sheet.finish()
    save(making.book, tmp_path / "a.xlsx", making.results)
    book = Reopened(tmp_path / "a.xlsx")
    (chart,) = book.charts("Charts")
    hidden = {entry.idx for entry in chart.legend.legendEntry if entry.delete}
    named = [name for place, name in enumerate(book.named(chart)) if place not in hidden]
    assert sorted(named) == ["mean", "median"]


def test_that_the_legend_on_slides_names_no_vm() -> None:
    (plan,) = plans_of(Figure("k", "How much?", "", (panel(*VMS, MEDIAN, MEAN),)))
    assert sorted(series.name for series in plan.series if series.in_legend) == ["mean", "median"]
