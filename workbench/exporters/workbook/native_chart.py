"""Makes an openpyxl chart from a plan and its cells: series, title, axes with units, and legend."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from openpyxl.chart import BarChart, LineChart, ScatterChart
from openpyxl.chart.data_source import AxDataSource, NumDataSource, NumRef, StrData, StrRef, StrVal
from openpyxl.chart.error_bar import ErrorBars
from openpyxl.chart.label import DataLabel, DataLabelList
from openpyxl.chart.legend import Legend, LegendEntry
from openpyxl.chart.marker import DataPoint, Marker
from openpyxl.chart.series import Series, SeriesLabel
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
from workbench.charts.palette import EMPHASIS, THEMES, colour
from workbench.exporters.chart_plan import (
    WIDTHS,
    AxisPlan,
    ChartPlan,
    dash,
    gap_percent,
    joined,
    label_place,
    marked,
    pale,
    readable_on,
    turned_numbers,
)
from workbench.exporters.chart_series import PlanSeries
from workbench.exporters.workbook.cells import argb, clean
from workbench.exporters.workbook.figure_block import FigureBlock, SeriesCells
from workbench.words.translated import spoken_words

_LIGHT = THEMES["light"]
_EMU_PER_POINT, _PX_PER_INCH = 12_700, 96.0
_DASHES = {"solid": "solid", "dash": "dash", "dot": "sysDot", "dash-dot": "dashDot"}
_MARKERS = {"circle": "circle", "square": "square", "triangle": "triangle", "diamond": "diamond", "cross": "x"}
# Any id except those of openpyxl's own axes, 10 and 100.
_HIDDEN_AXIS, _RIGHT_AXIS = 20, 200
# Size of the numbers at bars in points.
_LABEL_SIZE = 9
_SHOWN = {"showVal": True, "showSerName": False, "showCatName": False, "showLegendKey": False, "showPercent": False}
_NOTHING = GraphicalProperties(noFill=True, ln=LineProperties(noFill=True))
_PLACES = {"foot": "inBase", "middle": "ctr"}
# A series with its index in the plan and its cells.
Drawn = tuple[int, PlanSeries, SeriesCells]


def chart_of(blocks: Sequence[FigureBlock], wide: float, tall: float) -> Any:
    """The chart of one block, or of two with common x, of this size in pixels."""
    plan = joined([block.plan for block in blocks])
    size = wide / _PX_PER_INCH, tall / _PX_PER_INCH
    cells = [cells for block in blocks for cells in block.cells]
    pairs = [pair for pair in zip(plan.series, cells, strict=True) if pair[0].measured]
    drawn = [(index, series, cells) for index, (series, cells) in enumerate(pairs)]
    left = [series for series in drawn if not series[1].on_right]
    chart = _left(plan, left, size)
    if plan.right is not None:
        # A chart with series on both sides draws only the axes of its first part.
        chart += _right(plan, [series for series in drawn if series[1].on_right])
    return chart


def _left(plan: ChartPlan, drawn: Sequence[Drawn], size: tuple[float, float]) -> Any:
    """Lines over numbers; otherwise bars over names and, on the same axes, lines over them."""
    if not plan.categories:
        return dress(_curves(plan, drawn), plan)
    bars = [series for series in drawn if series[1].kind in ("bar", "total")]
    lines = [series for series in drawn if series not in bars]
    if not bars:
        return dress(_named_lines(plan, lines), plan)
    chart = dress(_bars(plan, bars, size), plan)
    if lines:
        # One pair of axes for both, because separate axes of the lines would cover those of the bars.
        chart += dress(_named_lines(plan, lines), plan)
    return chart


def _right(plan: ChartPlan, drawn: Sequence[Drawn]) -> Any:
    """The lines on the right axis. Excel needs a pair of axes for each side; the second x axis is hidden because it
    repeats the first."""
    chart = _named_lines(plan, drawn) if plan.categories else _curves(plan, drawn)
    dress(chart, plan)
    assert plan.right is not None
    axis(chart.y_axis, plan.right, grid=False)
    chart.x_axis.axId, chart.y_axis.axId = _HIDDEN_AXIS, _RIGHT_AXIS
    chart.x_axis.crossAx, chart.y_axis.crossAx = _RIGHT_AXIS, _HIDDEN_AXIS
    chart.x_axis.delete, chart.x_axis.title = True, None
    chart.y_axis.crosses, chart.y_axis.tickLblPos = "max", "nextTo"
    return chart


def _bars(plan: ChartPlan, drawn: Sequence[Drawn], size: tuple[float, float]) -> Any:
    chart = BarChart()
    chart.type = "bar" if plan.lying else "col"
    chart.grouping, chart.overlap = "stacked" if plan.stacked else "clustered", plan.overlap
    chart.gapWidth = gap_percent(plan, *size)
    turned = turned_numbers(plan, *size, _LABEL_SIZE)
    for bars in drawn:
        series = _over(*bars)
        if bars[1].kind == "total":
            series.spPr = _NOTHING
            series.dLbls = None if turned is None else _totals(plan, turned)
            chart.series.append(series)
            continue
        series.spPr, series.invertIfNegative = _NOTHING if bars[1].unseen else fill_of(bars[1].look), False
        series.dPt = [_point(index, bars[1]) for index in bars[1].dressed]
        if bars[2].above:
            series.errBars = _error_bars(bars[2], plan.lying)
        if turned is not None and not plan.stacked:
            series.dLbls = _labels(plan, bars[1], turned)
        chart.series.append(series)
    return chart


def _point(index: int, bars: PlanSeries) -> DataPoint:
    fill = fill_of(bars.look_at(index))
    away = 1 - EMPHASIS["light"][bars.owner(index).strength(index)]
    if away:
        fill.solidFill = argb(pale(colour(bars.look_at(index), "light"), _LIGHT.card, away))
    return DataPoint(idx=index, invertIfNegative=False, spPr=fill)


def _error_bars(cells: SeriesCells, lying: bool) -> ErrorBars:
    # Horizontal bars have only one direction, and Excel requires that none is stated.
    bars = ErrorBars(errDir=None if lying else "y", errBarType="both", errValType="cust", noEndCap=False)
    bars.plus = NumDataSource(numRef=NumRef(f=cells.above))
    bars.minus = NumDataSource(numRef=NumRef(f=cells.below))
    bars.spPr = GraphicalProperties(ln=LineProperties(w=_EMU_PER_POINT, solidFill=argb(_LIGHT.text)))
    return bars


def _labels(plan: ChartPlan, series: PlanSeries, turned: bool) -> DataLabelList:
    """Set the number at each bar."""
    shape: dict[str, Any] = _SHOWN | {"numFmt": plan.label_format}
    labels = DataLabelList(dLblPos="outEnd", txPr=text(100 * _LABEL_SIZE, argb(_LIGHT.text), turned=turned), **shape)
    for index in range(series.values.size):
        where = label_place(plan, series, index)
        if where in _PLACES:
            fill = colour(series.look_at(index), "light")
            ink = text(100 * _LABEL_SIZE, argb(readable_on(fill)), bold=True, turned=turned)
            labels.dLbl.append(DataLabel(idx=index, dLblPos=_PLACES[where], txPr=ink, **shape))
        elif where == "none":
            labels.dLbl.append(DataLabel(idx=index, **dict.fromkeys(_SHOWN, False)))
    return labels


def _totals(plan: ChartPlan, turned: bool) -> DataLabelList:
    """Set the total of each stack at the foot of an invisible bar on it."""
    shape: dict[str, Any] = _SHOWN | {"numFmt": plan.label_format}
    return DataLabelList(dLblPos="inBase", txPr=text(100 * _LABEL_SIZE, argb(_LIGHT.text), turned=turned), **shape)


def _named_lines(plan: ChartPlan, drawn: Sequence[Drawn]) -> Any:
    chart = LineChart()
    for line in drawn:
        series = _over(*line)
        series.smooth = False
        _draw(series, plan, *line[:2])
        chart.series.append(series)
    return chart


def _curves(plan: ChartPlan, drawn: Sequence[Drawn]) -> Any:
    chart = ScatterChart()
    chart.style, chart.scatterStyle = None, "lineMarker"
    for index, curve, cells in drawn:
        series = _series(index, curve, cells)
        series.xVal = AxDataSource(numRef=NumRef(f=cells.x))
        series.yVal = NumDataSource(numRef=NumRef(f=cells.y))
        series.smooth = False
        _draw(series, plan, index, curve)
        chart.series.append(series)
    return chart


def _over(index: int, line: PlanSeries, cells: SeriesCells) -> Any:
    """A series over names."""
    series = _series(index, line, cells)
    series.cat = AxDataSource(strRef=StrRef(f=cells.x))
    series.val = NumDataSource(numRef=NumRef(f=cells.y))
    return series


def _series(index: int, line: PlanSeries, cells: SeriesCells) -> Series:
    series = Series(idx=index, order=index)
    named_otherwise = line.in_legend and line.name != line.head
    series.tx = (
        SeriesLabel(v=clean(spoken_words(line.name))) if named_otherwise else SeriesLabel(strRef=StrRef(f=cells.name))
    )
    return series


def _draw(series: Any, plan: ChartPlan, position: int, line: PlanSeries) -> None:
    """Set stroke and markers of a line; dots have no stroke."""
    if line.kind == "points":
        series.spPr = GraphicalProperties(ln=LineProperties(noFill=True))
        series.marker = _marker(line, 5)
        return
    series.spPr = GraphicalProperties(ln=_stroke(line))
    series.marker = Marker(symbol="none")
    for index in marked(plan, position, line):
        point = DataPoint(idx=index, marker=_marker(line, 6))
        point.spPr = GraphicalProperties(ln=_stroke(line))
        series.dPt.append(point)


def _marker(series: PlanSeries, size: int) -> Marker:
    ink = argb(_dimmed(colour(series.look, "light"), series))
    fill = GraphicalProperties(solidFill=ink, ln=LineProperties(solidFill=ink))
    return Marker(symbol=_MARKERS.get(series.look.marker, "circle"), size=size, spPr=fill)


def _dimmed(ink: str, series: PlanSeries) -> str:
    """The colour of a curve: paler if it is not the subject of the finding."""
    return pale(ink, _LIGHT.card, 1 - EMPHASIS["light"][series.emphasis])


def _stroke(series: PlanSeries) -> LineProperties:
    ink = colour(series.look, "light")
    ink = _dimmed(ink if series.kind == "main" else pale(ink, _LIGHT.card), series)
    return LineProperties(
        w=round(WIDTHS[series.kind] * _EMU_PER_POINT), solidFill=argb(ink), prstDash=_DASHES[dash(series)], cap="rnd"
    )


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
        # Excel counts the categories of horizontal bars from the bottom.
        chart.x_axis.scaling.orientation = "maxMin"
        chart.y_axis.crosses, chart.y_axis.tickLblPos = "max", "nextTo"
    if not plan.categories:
        chart.y_axis.crosses = chart.x_axis.crosses = "min"
    return chart


def legend(plan: ChartPlan) -> Legend:
    """A legend below the chart, without series that have no name."""
    entries = Legend()
    entries.position, entries.overlay = "b", False
    entries.txPr = text(900, argb(_LIGHT.text))
    entries.legendEntry = [
        LegendEntry(idx=index, delete=True) for index, series in enumerate(plan.drawn) if not series.in_legend
    ]
    return entries


def axis(of: Any, plan: AxisPlan, grid: bool) -> None:
    """Set title, ends, steps and strokes of an axis."""
    # Without this, Excel hides the axis.
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
    """A fill in the colour of a look, without an outline."""
    return GraphicalProperties(solidFill=argb(colour(look, "light")), ln=LineProperties(noFill=True))


def title(words: str, size: int, bold: bool) -> Title:
    """A title of a chart or an axis; `size` in hundredths of a point."""
    ink = CharacterProperties(sz=size, b=bold, solidFill=argb(_LIGHT.text if bold else _LIGHT.quiet))
    run = RegularTextRun(rPr=ink, t=clean(spoken_words(words)))
    rich = RichText(bodyPr=RichTextProperties(), p=[Paragraph(pPr=ParagraphProperties(defRPr=ink), r=[run])])
    return Title(tx=Text(rich=rich), overlay=False)


def title_from(cell: str, words: str, size: int) -> Title:
    """A bold title from a cell, with its present text for programs that do not calculate."""
    shown = StrRef(f=cell, strCache=StrData(ptCount=1, pt=[StrVal(idx=0, v=clean(words))]))
    return Title(tx=Text(strRef=shown), txPr=text(size, argb(_LIGHT.text), bold=True), overlay=False)


def text(size: int, ink: str, bold: bool = False, turned: bool = False) -> RichText:
    """The format of texts in a chart; `size` in hundredths of a point. `turned`: by a quarter, upwards."""
    properties = CharacterProperties(sz=size, b=bold, solidFill=ink)
    body = RichTextProperties(rot=-5_400_000, vert="horz") if turned else RichTextProperties()
    return RichText(bodyPr=body, p=[Paragraph(pPr=ParagraphProperties(defRPr=properties), r=[], endParaRPr=properties)])
