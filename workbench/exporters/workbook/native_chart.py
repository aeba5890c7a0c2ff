"""A block becomes a native chart that Excel can edit: same looks, same axes, same words as on screen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from openpyxl.chart import BarChart, LineChart, ScatterChart
from openpyxl.chart.data_source import AxDataSource, NumDataSource, NumRef, StrRef
from openpyxl.chart.error_bar import ErrorBars
from openpyxl.chart.label import DataLabel, DataLabelList
from openpyxl.chart.legend import LegendEntry
from openpyxl.chart.marker import DataPoint, Marker
from openpyxl.chart.series import Series, SeriesLabel
from openpyxl.chart.shapes import GraphicalProperties
from openpyxl.drawing.line import LineProperties

from workbench.charts.figure import Band, Bars, Line, Look, Panel, Points
from workbench.charts.palette import THEMES, colour
from workbench.exporters.bar_gap import LEAST_GAP, gap_percent
from workbench.exporters.workbook.cells import FIGURE, argb
from workbench.exporters.workbook.chart_dress import dress, legend, round_limits, text, title
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
# Any number but those of openpyxl's own axes, 10 and 100.
_HIDDEN_AXIS, _RIGHT_AXIS = 20, 200
# What an axis of numbers takes of a chart's width.
_AXIS_PX, _PX_PER_INCH = 70.0, 96.0
# More bars than this leave no room for the numbers on them.
_LABELLED_BARS = 14
_LONG_LABEL = 28
# A bar has room for its number inside when it is taller than this share of the highest.
_TALL = 0.15
_LABEL: dict[str, Any] = {
    "showVal": True, "showSerName": False, "showCatName": False, "showLegendKey": False, "showPercent": False,
    "numFmt": FIGURE,
}  # fmt: skip


def has_long_labels(panel: Panel) -> bool:
    """Whether the names of the bars are read better beside them than below; lines stand upright only."""
    return (
        max((len(name) for name in panel.x.categories), default=0) > _LONG_LABEL
        and all(isinstance(mark, Bars) for mark in panel.marks)
    )  # fmt: skip


def chart_of(block: Block) -> Any:
    """The chart of a block: bars and lines over names, else lines over x."""
    if not block.panel.x.categories:
        return _line_chart(block)
    bars = [one for one in block.series if one.bar]
    lines = [(place, one) for place, one in enumerate(block.series) if not one.bar]
    if not bars:
        return _named_lines(block, lines)
    chart = _bar_chart(block, bars)
    if lines:
        # One pair of axes for both: the lines' own would lie over the bars'.
        chart += _named_lines(block, lines)
        _legend_of_lines(chart, block)
    return chart


def with_right_axis(left: Block, right: Block) -> Any:
    """Two blocks over the same x as one chart: the second's lines are read off the axis on the right."""
    chart, second = chart_of(left), chart_of(_told_apart(left, right))
    for place, series in enumerate(second.series, start=len(left.series)):
        series.idx = series.order = place
    # Excel wants a pair of axes for each side; the second x would repeat the first and is not drawn.
    second.x_axis.axId, second.y_axis.axId = _HIDDEN_AXIS, _RIGHT_AXIS
    second.x_axis.crossAx, second.y_axis.crossAx = _RIGHT_AXIS, _HIDDEN_AXIS
    second.x_axis.delete, second.x_axis.title = True, None
    second.y_axis.majorGridlines = None
    second.y_axis.crosses, second.y_axis.tickLblPos = "max", "nextTo"
    chart += second
    chart.legend = legend()
    return chart


def _told_apart(left: Block, right: Block) -> Block:
    """The right block, its lines dashed in another colour where the left has one of the same look."""
    used = {(one.look.hue, one.look.tint, one.look.dash) for one in left.series}
    series = tuple(
        replace(one, look=Look("accent", 0.4 * place, "dash", "diamond"))
        if (one.look.hue, one.look.tint, one.look.dash) in used else one
        for place, one in enumerate(right.series)
    )  # fmt: skip
    return replace(right, series=series)


def _bar_chart(block: Block, found: Sequence[BlockSeries]) -> Any:
    chart = BarChart()
    lying = has_long_labels(block.panel)
    chart.type = "bar" if lying else "col"
    bars = [mark for mark in block.panel.marks if isinstance(mark, Bars)]
    stacked = len(found) > 1 and len({one.stack for one in bars}) == 1 and bool(bars[0].stack)
    chart.grouping, chart.overlap = (
        ("stacked", 100) if stacked else ("clustered", -5 if len(found) > 1 else 0)
    )
    chart.gapWidth = LEAST_GAP
    count = sum(one.points for one in found)
    values = [value for one in found for value in one.values if math.isfinite(value)]
    for place, one in enumerate(found):
        series = _bars(place, one, lying)
        if not stacked and count <= _LABELLED_BARS:
            series.dLbls = _labels(one, max(map(abs, values), default=0.0))
        chart.series.append(series)
    dress(chart, block)
    _scale_of_bars(chart, block, min(values, default=0.0))
    chart.x_axis.title = title(block.x_label, 900, bold=False) if block.x_label else None
    if lying:
        # Excel counts the categories of lying bars from below.
        chart.x_axis.scaling.orientation = "maxMin"
        chart.y_axis.crosses, chart.y_axis.tickLblPos = "max", "nextTo"
    if len(found) == 1:
        chart.legend = None
    return chart


def slim_bars(chart: Any, block: Block, wide: float, tall: float) -> None:
    """Makes the gaps of a bar chart of this size in pixels so wide that few bars do not fill it."""
    if isinstance(chart, BarChart) and chart.series:
        room = (tall if chart.type == "bar" else wide - _AXIS_PX) / _PX_PER_INCH
        beside = 1 if chart.grouping == "stacked" else len(chart.series)
        chart.gapWidth = gap_percent(room, len(block.panel.x.categories), beside)


def _scale_of_bars(chart: Any, block: Block, least: float) -> None:
    """Bars start at 0, whichever way they go; panels that are read together share the limits of their figure."""
    limits = block.panel.y.limits
    if limits is not None and block.panel.y.scale == "linear":
        low, high, step = round_limits(*limits, ticks=6)
        chart.y_axis.scaling.min, chart.y_axis.scaling.max, chart.y_axis.majorUnit = low, high, step
    elif least >= 0 and block.panel.y.scale == "linear":
        chart.y_axis.scaling.min = 0
    if block.panel.y.scale == "log":
        chart.y_axis.scaling.logBase = 10


def _named_lines(block: Block, lines: Sequence[tuple[int, BlockSeries]]) -> Any:
    chart = LineChart()
    for place, one in lines:
        series = _series(place, one)
        series.cat = AxDataSource(strRef=StrRef(f=one.x))
        series.val = NumDataSource(numRef=NumRef(f=one.y))
        series.smooth = False
        _draw(series, place, one)
        chart.series.append(series)
    dress(chart, block)
    limits = block.panel.y.limits
    if block.panel.y.scale == "log":
        chart.y_axis.scaling.logBase = 10
    elif limits is not None:
        chart.y_axis.scaling.min, chart.y_axis.scaling.max, chart.y_axis.majorUnit = round_limits(
            *limits, ticks=6
        )
    else:
        chart.y_axis.scaling.min = 0
    _legend_of_lines(chart, block)
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
    shape = _LABEL | {"numFmt": _label_format(one)}
    labels = DataLabelList(dLblPos="outEnd", **shape)
    labels.txPr = text(900, argb(_LIGHT.text))
    if one.above:
        tall = [place for place, value in enumerate(one.values) if abs(value) > _TALL * highest]
        # At its foot a bar that hangs from 0 would wear its number on the axis.
        spot = "ctr" if any(value < 0 for value in one.values) else "inBase"
        white = text(900, "FFFFFF", True)
        labels.dLbl = [DataLabel(idx=place, dLblPos=spot, txPr=white, **shape) for place in tall]
    return labels


def _label_format(one: BlockSeries) -> str:
    """Counts without decimals; Excel's conditions know no sign, so that what goes below 0 has one decimal."""
    known = [value for value in one.values if math.isfinite(value)]
    if all(value == round(value) for value in known):
        return "#,##0"
    return "0.0" if min(known) < 0 else FIGURE


def _line_chart(block: Block) -> Any:
    chart = ScatterChart()
    chart.style = None
    chart.scatterStyle = "lineMarker"
    for place, one in enumerate(block.series):
        chart.series.append(_line(place, one))
    dress(chart, block)
    panel = block.panel
    if panel.x.scale == "log":
        chart.x_axis.scaling.logBase = 10
        chart.x_axis.scaling.min, chart.x_axis.scaling.max = _decades(block.x_limits)
    elif block.x_limits is not None:
        chart.x_axis.scaling.min, chart.x_axis.scaling.max, chart.x_axis.majorUnit = round_limits(
            *block.x_limits
        )
    chart.x_axis.number_format = "hh:mm" if block.x_format.startswith("hh") else "General"
    chart.y_axis.crosses = chart.x_axis.crosses = "min"
    if panel.y.scale == "log":
        chart.y_axis.scaling.logBase = 10
    elif panel.y.limits is not None:
        chart.y_axis.scaling.min, chart.y_axis.scaling.max, chart.y_axis.majorUnit = round_limits(
            *panel.y.limits, ticks=6
        )
    elif not _goes_below_zero(panel):
        chart.y_axis.scaling.min = 0
    _legend_of_lines(chart, block)
    return chart


def _decades(limits: tuple[float, float] | None) -> tuple[float | None, float | None]:
    """Whole powers of ten around the data."""
    if limits is None or limits[0] <= 0:
        return None, None
    low, high = (math.log10(edge) for edge in limits)
    return 10.0 ** math.floor(low + 1e-9), 10.0 ** math.ceil(high - 1e-9)


def _goes_below_zero(panel: Panel) -> bool:
    return any(
        bool((values[np.isfinite(values)] < 0).any())
        for mark in panel.marks if isinstance(mark, Line | Points | Band)
        for values in ((mark.low,) if isinstance(mark, Band) else (mark.y,))
    )  # fmt: skip


def _line(place: int, one: BlockSeries) -> Any:
    series = _series(place, one)
    series.xVal = AxDataSource(numRef=NumRef(f=one.x))
    series.yVal = NumDataSource(numRef=NumRef(f=one.y))
    series.smooth = False
    _draw(series, place, one)
    return series


def _draw(series: Any, place: int, one: BlockSeries) -> None:
    """Stroke and markers of a line; dots have no stroke."""
    if one.weight == "points":
        series.spPr = GraphicalProperties(ln=LineProperties(noFill=True))
        series.marker = _dot(one.look)
        return
    series.spPr = GraphicalProperties(ln=_stroke(one))
    series.marker = Marker(symbol="none")
    if one.weight == "main" and one.look.marker != "none":
        series.dPt = [_marked(index, one) for index in _places(place, one.points)]


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
    """Only what answers has a legend entry, each name once; a single line is named by the title."""
    if len(block.series) <= 1:
        chart.legend = None
        return
    main: dict[str, int] = {}
    for place, one in enumerate(block.series):
        # Configurations that stand side by side have their names below them.
        if one.weight in ("main", "points") and not one.point_looks:
            main.setdefault(one.label, place)
    kept = set(main.values())
    if not kept:
        chart.legend = None
        return
    chart.legend = legend()
    chart.legend.legendEntry = [
        LegendEntry(idx=place, delete=True) for place in range(len(block.series)) if place not in kept
    ]


def _series(place: int, one: BlockSeries) -> Series:
    series = Series(idx=place, order=place)
    series.tx = SeriesLabel(strRef=StrRef(f=one.name))
    return series
