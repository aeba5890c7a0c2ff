"""A block becomes a native chart that Excel can edit: same looks, same axes, same words as on screen."""

from __future__ import annotations

import math
from typing import Any

from openpyxl.chart import BarChart, ScatterChart
from openpyxl.chart.data_source import AxDataSource, NumDataSource, NumRef, StrRef
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

from workbench.charts.figure import Bars, Look, Panel
from workbench.charts.palette import THEMES, colour
from workbench.exporters.workbook.cells import FIGURE, argb, clean
from workbench.exporters.workbook.figure_block import Block, BlockSeries

_LIGHT = THEMES["light"]
_EMU_PER_POINT = 12_700
_WIDTHS = {"main": 1.75, "points": 0.0, "edge": 0.75, "faint": 0.5}
_DASHES = {"solid": "solid", "dash": "dash", "dot": "sysDot", "dash-dot": "dashDot"}
_MARKERS = {
    "circle": "circle",
    "square": "square",
    "triangle": "triangle",
    "diamond": "diamond",
    "cross": "x",
}
# A marker on every point of a long line is a smear; this many tell the lines apart.
_MARKED_POINTS = 9
_PALE = 0.55
# More bars than this leave no room for the numbers on them.
_LABELLED_BARS = 24
_LONG_LABEL = 28
# A bar has room for its number inside when it is taller than this share of the highest.
_TALL = 0.15
_LABEL: dict[str, Any] = {
    "showVal": True, "showSerName": False, "showCatName": False, "showLegendKey": False, "showPercent": False,
    "numFmt": FIGURE,
}  # fmt: skip


def has_long_labels(panel: Panel) -> bool:
    """Whether the names of the bars are read better beside them than below."""
    return max((len(name) for name in panel.x.categories), default=0) > _LONG_LABEL


def chart_of(block: Block) -> Any:
    """The chart of a block: bars over categories, else lines over x."""
    return (
        _bar_chart(block) if any(isinstance(mark, Bars) for mark in block.panel.marks) else _line_chart(block)
    )


def _bar_chart(block: Block) -> Any:
    chart = BarChart()
    lying = has_long_labels(block.panel)
    chart.type = "bar" if lying else "col"
    bars = [mark for mark in block.panel.marks if isinstance(mark, Bars)]
    stacked = len(block.series) > 1 and len({one.stack for one in bars}) == 1 and bool(bars[0].stack)
    chart.grouping, chart.overlap = (
        ("stacked", 100) if stacked else ("clustered", -5 if len(block.series) > 1 else 0)
    )
    chart.gapWidth = 60
    count = sum(one.points for one in block.series)
    highest = max(
        (value for one in block.series for value in one.values if math.isfinite(value)), default=0.0
    )
    for place, one in enumerate(block.series):
        series = _bars(place, one, lying)
        if not stacked and count <= _LABELLED_BARS:
            series.dLbls = _labels(one, highest)
        chart.series.append(series)
    _dress(chart, block)
    chart.y_axis.scaling.min = 0
    chart.x_axis.title = None
    if lying:
        # Excel counts the categories of lying bars from below.
        chart.x_axis.scaling.orientation = "maxMin"
        chart.y_axis.crosses, chart.y_axis.tickLblPos = "max", "nextTo"
    if len(block.series) == 1:
        chart.legend = None
    return chart


def _bars(place: int, one: BlockSeries, lying: bool) -> Any:
    series = _series(place, one)
    series.cat = AxDataSource(strRef=StrRef(f=one.x))
    series.val = NumDataSource(numRef=NumRef(f=one.y))
    series.spPr = _fill(one.look)
    series.invertIfNegative = False
    for index, look in enumerate(one.point_looks):
        point = DataPoint(idx=index, invertIfNegative=False)
        point.spPr = _fill(look)
        series.dPt.append(point)
    if one.above and one.below:
        series.errBars = _error_bars(one, lying)
    return series


def _fill(look: Look) -> GraphicalProperties:
    """The colour of a look without an outline."""
    return GraphicalProperties(solidFill=argb(colour(look, "light")), ln=LineProperties(noFill=True))


def _error_bars(one: BlockSeries, lying: bool) -> ErrorBars:
    # Lying bars have one direction only, and Excel wants none stated.
    bars = ErrorBars(errDir=None if lying else "y", errBarType="both", errValType="cust", noEndCap=False)
    # openpyxl writes minus before plus; the schema (ECMA-376, CT_ErrBars) and Excel want plus first.
    bars.__elements__ = ("errDir", "errBarType", "errValType", "noEndCap", "plus", "minus", "val", "spPr")
    bars.plus = NumDataSource(numRef=NumRef(f=one.above))
    bars.minus = NumDataSource(numRef=NumRef(f=one.below))
    bars.spPr = GraphicalProperties(ln=LineProperties(w=_EMU_PER_POINT, solidFill=argb(_LIGHT.text)))
    return bars


def _labels(one: BlockSeries, highest: float) -> DataLabelList:
    """The number at each bar: above it, or at its foot where a whisker stands above and the bar is tall."""
    labels = DataLabelList(dLblPos="outEnd", **_LABEL)
    labels.txPr = _text(900, argb(_LIGHT.text))
    if one.above:
        tall = [place for place, value in enumerate(one.values) if value > _TALL * highest]
        labels.dLbl = [
            DataLabel(idx=place, dLblPos="inBase", txPr=_text(900, "FFFFFF", True), **_LABEL)
            for place in tall
        ]
    return labels


def _line_chart(block: Block) -> Any:
    chart = ScatterChart()
    chart.style = None
    chart.scatterStyle = "lineMarker"
    for place, one in enumerate(block.series):
        chart.series.append(_line(place, one))
    _dress(chart, block)
    if block.x_limits is not None:
        chart.x_axis.scaling.min, chart.x_axis.scaling.max, chart.x_axis.majorUnit = _round_limits(
            *block.x_limits
        )
    chart.x_axis.number_format = "hh:mm" if block.x_format.startswith("hh") else "General"
    chart.y_axis.crosses = "min"
    if block.panel.y.scale == "log":
        chart.y_axis.scaling.logBase = 10
    elif block.panel.y.limits is None:
        chart.y_axis.scaling.min = 0
    _legend_of_lines(chart, block)
    return chart


def _line(place: int, one: BlockSeries) -> Any:
    series = _series(place, one)
    series.xVal = AxDataSource(numRef=NumRef(f=one.x))
    series.yVal = NumDataSource(numRef=NumRef(f=one.y))
    series.smooth = False
    if one.weight == "points":
        series.spPr = GraphicalProperties(ln=LineProperties(noFill=True))
        series.marker = _dot(one.look)
        return series
    series.spPr = GraphicalProperties(ln=_stroke(one))
    series.marker = Marker(symbol="none")
    if one.weight == "main" and one.look.marker != "none":
        series.dPt = [_marked(index, one) for index in _places(place, one.points)]
    return series


def _dot(look: Look) -> Marker:
    ink = argb(colour(look, "light"))
    fill = GraphicalProperties(solidFill=ink, ln=LineProperties(solidFill=ink))
    return Marker(symbol=_MARKERS.get(look.marker, "circle"), size=5, spPr=fill)


def _marked(index: int, one: BlockSeries) -> DataPoint:
    ink = argb(colour(one.look, "light"))
    look = GraphicalProperties(
        solidFill="FFFFFF" if one.look.marker == "cross" else ink, ln=LineProperties(solidFill=ink)
    )
    point = DataPoint(idx=index, marker=Marker(symbol=_MARKERS[one.look.marker], size=6, spPr=look))
    point.spPr = GraphicalProperties(ln=_stroke(one))
    return point


def _places(series: int, points: int) -> list[int]:
    """Evenly spread points, shifted from series to series so that markers do not cover each other."""
    step = max(1, points // _MARKED_POINTS)
    return list(range((step // 2 + series * step // 4) % step, points, step))


def _stroke(one: BlockSeries) -> LineProperties:
    ink = colour(one.look, "light")
    ink = ink if one.weight == "main" else _pale(ink)
    dash = _DASHES[one.look.dash] if one.weight == "main" else "solid"
    return LineProperties(
        w=round(_WIDTHS[one.weight] * _EMU_PER_POINT), solidFill=argb(ink), prstDash=dash, cap="rnd"
    )


def _pale(ink: str) -> str:
    parts = (int(ink[place : place + 2], 16) for place in (1, 3, 5))
    return "#" + "".join(f"{round(part + (255 - part) * _PALE):02x}" for part in parts)


def _legend_of_lines(chart: Any, block: Block) -> None:
    """Only the lines that answer have a legend entry; a single one is named by the title."""
    main = [place for place, one in enumerate(block.series) if one.weight in ("main", "points")]
    if len(block.series) <= 1:
        chart.legend = None
        return
    chart.legend.legendEntry = [
        LegendEntry(idx=place, delete=True) for place in range(len(block.series)) if place not in main
    ]


def _series(place: int, one: BlockSeries) -> Series:
    series = Series(idx=place, order=place)
    series.tx = SeriesLabel(strRef=StrRef(f=one.name))
    return series


def _dress(chart: Any, block: Block) -> None:
    """Title, axes and legend, the same for every kind of chart."""
    chart.title = _title(block.panel.title or block.panel.y.label, 1100, bold=True)
    chart.legend = Legend()
    chart.legend.position = "b"
    chart.legend.overlay = False
    chart.legend.txPr = _text(900, argb(_LIGHT.text))
    chart.display_blanks = "gap"
    chart.varyColors = False
    lying = getattr(chart, "type", "") == "bar"
    chart.x_axis.axPos, chart.y_axis.axPos = ("l", "b") if lying else ("b", "l")
    chart.roundedCorners = False
    chart.graphical_properties = GraphicalProperties(
        solidFill="FFFFFF", ln=LineProperties(solidFill=argb(_LIGHT.line))
    )
    unit = block.panel.y.unit
    _axis(chart.x_axis, block.x_label, grid=False)
    _axis(
        chart.y_axis,
        block.panel.y.label if unit in ("", "IOPS") else f"{block.panel.y.label} ({unit})",
        grid=True,
    )
    chart.y_axis.number_format = "General" if _is_small(block) else "#,##0"


def _is_small(block: Block) -> bool:
    """Whether whole numbers on the y axis would repeat themselves."""
    highest = 0.0
    for mark in block.panel.marks:
        values = mark.values if isinstance(mark, Bars) else getattr(mark, "y", None)
        if values is not None and values.size:
            finite = [abs(value) for value in values.ravel().tolist() if math.isfinite(value)]
            highest = max([highest, *finite])
    return highest < 8


def _axis(axis: Any, label: str, grid: bool) -> None:
    # Without this Excel hides the axis.
    axis.delete = False
    axis.title = _title(label, 900, bold=False) if label else None
    axis.majorTickMark = "out"
    axis.minorTickMark = "none"
    axis.tickLblPos = "low"
    axis.txPr = _text(900, argb(_LIGHT.quiet))
    axis.spPr = GraphicalProperties(ln=LineProperties(solidFill=argb(_LIGHT.quiet), w=_EMU_PER_POINT // 2))
    axis.majorGridlines = axis.majorGridlines if grid else None
    if grid and axis.majorGridlines is not None:
        ink = LineProperties(solidFill=argb(_LIGHT.line), w=_EMU_PER_POINT // 2)
        axis.majorGridlines.spPr = GraphicalProperties(ln=ink)


def _title(words: str, size: int, bold: bool) -> Title:
    ink = CharacterProperties(sz=size, b=bold, solidFill=argb(_LIGHT.text if bold else _LIGHT.quiet))
    run = RegularTextRun(rPr=ink, t=clean(words))
    text = RichText(bodyPr=RichTextProperties(), p=[Paragraph(pPr=ParagraphProperties(defRPr=ink), r=[run])])
    return Title(tx=Text(rich=text), overlay=False)


def _text(size: int, ink: str, bold: bool = False) -> RichText:
    properties = CharacterProperties(sz=size, b=bold, solidFill=ink)
    return RichText(
        bodyPr=RichTextProperties(),
        p=[Paragraph(pPr=ParagraphProperties(defRPr=properties), r=[], endParaRPr=properties)],
    )


def _round_limits(low: float, high: float) -> tuple[float, float, float]:
    """The data's span widened to whole steps of 1, 2 or 5 times a power of ten, and the step.

    Excel counts ticks from the lower end: only a whole step there puts a tick at 0.
    """
    raw = max(high - low, 1e-9) / 12
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= raw * 0.999)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return round(first * step, 9), round(last * step, 9), step
