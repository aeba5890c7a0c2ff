"""What every native chart of a workbook wears: title, axes with their units, and legend, as its plan says."""

from __future__ import annotations

from typing import Any

from openpyxl.chart.data_source import StrData, StrRef, StrVal
from openpyxl.chart.legend import Legend, LegendEntry
from openpyxl.chart.shapes import GraphicalProperties
from openpyxl.chart.text import RichText, Text
from openpyxl.chart.title import Title
from openpyxl.drawing.line import LineProperties
from openpyxl.drawing.text import (
    CharacterProperties,
    Paragraph,
    ParagraphProperties,
    RegularTextRun,
    RichTextProperties,
)

from workbench.charts.figure import Look
from workbench.charts.palette import THEMES, colour
from workbench.exporters.chart_plan import AxisPlan, ChartPlan
from workbench.exporters.workbook.cells import argb, clean

_LIGHT = THEMES["light"]
_EMU_PER_POINT = 12_700


def dress(chart: Any, plan: ChartPlan) -> Any:
    """The chart with the title, axes and legend of its plan."""
    chart.title = title(plan.title or plan.panel.y.label, 1100, bold=True)
    chart.legend = legend(plan) if plan.legend else None
    chart.display_blanks = "gap"
    chart.varyColors = False
    chart.roundedCorners = False
    chart.graphical_properties = GraphicalProperties(solidFill="FFFFFF", ln=LineProperties(solidFill=argb(_LIGHT.line)))
    axis(chart.x_axis, plan.x, grid=False)
    axis(chart.y_axis, plan.y, grid=True)
    chart.x_axis.axPos, chart.y_axis.axPos = ("l", "b") if plan.lying else ("b", "l")
    if plan.lying:
        # Excel counts the categories of lying bars from below.
        chart.x_axis.scaling.orientation = "maxMin"
        chart.y_axis.crosses, chart.y_axis.tickLblPos = "max", "nextTo"
    if not plan.categories:
        chart.y_axis.crosses = chart.x_axis.crosses = "min"
    return chart


def legend(plan: ChartPlan) -> Legend:
    """A legend below the chart, without the series that have no name of their own."""
    entries = Legend()
    entries.position, entries.overlay = "b", False
    entries.txPr = text(900, argb(_LIGHT.text))
    entries.legendEntry = [
        LegendEntry(idx=index, delete=True) for index, series in enumerate(plan.drawn) if not series.in_legend
    ]
    return entries


def axis(of: Any, plan: AxisPlan, grid: bool) -> None:
    """Gives an axis its title, ends, steps and strokes."""
    # Without this Excel hides the axis.
    of.delete = False
    of.title = title(plan.title, 900, bold=False) if plan.title else None
    of.majorTickMark, of.minorTickMark, of.tickLblPos = "out", "none", "low"
    of.txPr = text(900, argb(_LIGHT.quiet))
    of.spPr = GraphicalProperties(ln=LineProperties(solidFill=argb(_LIGHT.quiet), w=_EMU_PER_POINT // 2))
    of.majorGridlines = of.majorGridlines if grid else None
    if of.majorGridlines is not None:
        ink = LineProperties(solidFill=argb(_LIGHT.line), w=_EMU_PER_POINT // 2)
        of.majorGridlines.spPr = GraphicalProperties(ln=ink)
    if plan.step is None:
        return
    of.scaling.min, of.scaling.max, of.majorUnit = plan.low, plan.high, plan.step
    of.scaling.logBase = 10 if plan.log else None
    of.number_format = plan.number_format


def fill_of(look: Look) -> GraphicalProperties:
    """The colour of a look without an outline."""
    return GraphicalProperties(solidFill=argb(colour(look, "light")), ln=LineProperties(noFill=True))


def title(words: str, size: int, bold: bool) -> Title:
    """A title of a chart or an axis; `size` in hundredths of a point."""
    ink = CharacterProperties(sz=size, b=bold, solidFill=argb(_LIGHT.text if bold else _LIGHT.quiet))
    run = RegularTextRun(rPr=ink, t=clean(words))
    rich = RichText(bodyPr=RichTextProperties(), p=[Paragraph(pPr=ParagraphProperties(defRPr=ink), r=[run])])
    return Title(tx=Text(rich=rich), overlay=False)


def title_from(cell: str, words: str, size: int) -> Title:
    """A bold title that a cell has, with what it shows now for programs that do not calculate."""
    shown = StrRef(f=cell, strCache=StrData(ptCount=1, pt=[StrVal(idx=0, v=clean(words))]))
    return Title(tx=Text(strRef=shown), txPr=text(size, argb(_LIGHT.text), bold=True), overlay=False)


def text(size: int, ink: str, bold: bool = False) -> RichText:
    """How a chart's own texts look; `size` in hundredths of a point."""
    properties = CharacterProperties(sz=size, b=bold, solidFill=ink)
    return RichText(
        bodyPr=RichTextProperties(),
        p=[Paragraph(pPr=ParagraphProperties(defRPr=properties), r=[], endParaRPr=properties)],
    )
