"""Makes a native chart from a plan: PowerPoint can edit it. Looks, axes and words are the same as on screen."""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pptx.enum.chart import XL_CHART_TYPE, XL_LABEL_POSITION, XL_LEGEND_POSITION, XL_TICK_LABEL_POSITION, XL_TICK_MARK
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn
from pptx.util import Emu

from workbench.exporters.chart_plan import (
    WIDTHS,
    AxisPlan,
    ChartPlan,
    dash,
    gap_percent,
    label_place,
    marked,
    readable_on,
    turned_numbers,
)
from workbench.exporters.chart_series import PlanSeries
from workbench.exporters.slides.chart_data import MAX_TITLE, CategoryData, XyData, shown_series, values_of, whisker_refs
from workbench.exporters.slides.fit import clean, shortened
from workbench.exporters.slides.ink import MARKERS, SlideInk, error_bars, font, hidden_entry, numbers, rgb, stroke
from workbench.exporters.texts import line_count, line_height, text_width

_INCH = 914_400
# Upwards, in 60,000ths of a degree.
_QUARTER = "-5400000"
_BARS = ("bar", "total")
_PLACES = {"foot": "inBase", "middle": "ctr"}
_BLANK = "\u00a0"
# Inches around an inner plot area, its least height, and the sample of a line in a legend.
_GUTTER, _RIGHT, _LEAST_PLOT, _KEY = 0.75, 0.15, 1.0, 0.55
# The share of the width in which a title is wrapped: it keeps a distance from the edges, and its font can be wider than
# Calibri.
_TITLE_SHARE = 0.75
# The share of the width in which the names of a legend are placed: they keep a distance from the edges.
_LEGEND_SHARE = 0.9
# The names of a legend get more than their width, because their font can be wider than Calibri.
_WIDER_NAMES = 1.2
# Lines of a legend are higher than those of other texts, because each has a sample.
_LEGEND_LINE = 1.05
# Inches that are free around a title, around the numbers and the title of an axis, and next to a legend.
_TITLE_GAP, _AXIS_GAP, _LEGEND_GAP = 0.25, 0.3, 0.1


@dataclass(frozen=True, slots=True)
class SlideBox:
    """A box on a slide in EMU (914,400 per inch)."""

    left: int
    top: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class SeriesStyle:
    """The colours, and the sizes in points, of all charts on one slide. `flat` charts have a one-line title.

    `titled`: another chart of the slide has a title, so a chart without one keeps the space for it.
    """

    ink: SlideInk
    text: float = 11.0
    title: float = 14.0
    flat: bool = False
    titled: bool = False


def add_chart(slide: Any, box: SlideBox, plan: ChartPlan, style: SeriesStyle, words: str) -> Any:
    """Add the plan's chart in a box of a slide. `words` describe it for people who cannot see it."""
    data: CategoryData | XyData = CategoryData(plan) if plan.categories else XyData(plan)
    frame = slide.shapes.add_chart(_kind(plan), *(Emu(side) for side in _sides(box)), data)
    frame._element.nvGraphicFramePr.cNvPr.set("descr", clean(words))
    chart, inches = frame.chart, (box.width / _INCH, box.height / _INCH)
    _series(chart, plan, data, style, turned_numbers(plan, *inches, style.text))
    if plan.bars:
        chart.plots[0].overlap = plan.overlap
        chart.plots[0].gap_width = gap_percent(plan, *inches)
    _dress(chart, plan, style)
    _number_axes(chart)
    return frame


def _sides(box: SlideBox) -> tuple[int, int, int, int]:
    return box.left, box.top, box.width, box.height


def _kind(plan: ChartPlan) -> Any:
    if not plan.categories:
        return XL_CHART_TYPE.XY_SCATTER_LINES_NO_MARKERS
    if not plan.bars:
        return XL_CHART_TYPE.LINE_MARKERS
    if plan.lying:
        return XL_CHART_TYPE.BAR_STACKED if plan.stacked else XL_CHART_TYPE.BAR_CLUSTERED
    return XL_CHART_TYPE.COLUMN_STACKED if plan.stacked else XL_CHART_TYPE.COLUMN_CLUSTERED


def _number_axes(chart: Any) -> None:
    """Give the axes ids that the schema allows, because those of python-pptx are negative."""
    for element in chart._chartSpace.iter(qn("c:axId"), qn("c:crossAx")):
        element.set("val", str(abs(int(element.get("val")))))


def _series(chart: Any, plan: ChartPlan, data: CategoryData | XyData, style: SeriesStyle, turned: bool | None) -> None:
    drawn = list(chart.plots[0].series)
    shown = shown_series(plan)
    for index, (drawn_series, series) in enumerate(zip(shown, drawn, strict=True)):
        if drawn_series.kind == "bar":
            _bars(series, plan, drawn_series, style, turned)
            if isinstance(data, CategoryData) and drawn_series.above.size:
                _whiskers(series, drawn_series, whisker_refs(data, index), plan.lying, style.ink.tokens.text)
        elif drawn_series.kind == "total":
            _total(series, plan, style, turned)
        else:
            _line(series, plan, index, drawn_series, style.ink)
            if drawn_series.kind == "region" and drawn_series.name:
                _region_name(series, plan, drawn_series, style)
    if plan.bars:
        _lines_over_bars(chart, shown, drawn)


def _bars(series: Any, plan: ChartPlan, bars: PlanSeries, style: SeriesStyle, turned: bool | None) -> None:
    if bars.unseen:
        series.format.fill.background()
        series.format.line.fill.background()
    else:
        _fill(series.format, style.ink.bar(bars, 0))
    series.invert_if_negative = False
    for index in bars.dressed:
        if math.isfinite(bars.values[index]):
            _fill(series.points[index].format, style.ink.bar(bars, index))
    if turned is not None and not plan.stacked:
        _labels(series, plan, bars, style, turned)


def _total(series: Any, plan: ChartPlan, style: SeriesStyle, turned: bool | None) -> None:
    """Set the total of each stack at the foot of an invisible bar on it. Its upper part is beyond the end of the
    axis."""
    series.format.fill.background()
    series.format.line.fill.background()
    if turned is not None:
        _numbers(series, plan, style, turned, XL_LABEL_POSITION.INSIDE_BASE)


def _numbers(series: Any, plan: ChartPlan, style: SeriesStyle, turned: bool, place: Any) -> None:
    """Set the numbers of all bars of a series, turned by a quarter if they do not fit side by side."""
    labels = series.data_labels
    labels.show_value = True
    labels.number_format, labels.number_format_is_linked = plan.label_format, False
    labels.position = place
    font(labels.font, style.text, style.ink.tokens.text)
    if turned:
        body = labels._element.find(f"{qn('c:txPr')}/{qn('a:bodyPr')}")
        body.set("rot", _QUARTER)
        body.set("vert", "horz")


def _fill(of: Any, ink: str) -> None:
    of.fill.solid()
    of.fill.fore_color.rgb = rgb(ink)
    of.line.fill.background()


def _labels(series: Any, plan: ChartPlan, bars: PlanSeries, style: SeriesStyle, turned: bool) -> None:
    """Set the number at each bar."""
    _numbers(series, plan, style, turned, XL_LABEL_POSITION.OUTSIDE_END)
    # Labels of single bars must be in the order of the bars, before the settings for all.
    for index in reversed(range(bars.values.size)):
        where = label_place(plan, bars, index)
        if where == "none":
            label = parse_xml(f'<c:dLbl {nsdecls("c")}><c:idx val="{index}"/><c:delete val="1"/></c:dLbl>')
        elif where == "beyond":
            continue
        else:
            ink = readable_on(style.ink.bar(bars, index))
            label = _inside(plan, index, ink, style, _PLACES[where], turned)
        series._element.get_or_add_dLbls().insert(0, label)


def _inside(plan: ChartPlan, index: int, ink: str, style: SeriesStyle, where: str, turned: bool) -> Any:
    """Set a number inside its bar."""
    body = f'<a:bodyPr rot="{_QUARTER}" vert="horz"/>' if turned else "<a:bodyPr/>"
    return parse_xml(
        f'<c:dLbl {nsdecls("c", "a")}><c:idx val="{index}"/>'
        f'<c:numFmt formatCode="{plan.label_format}" sourceLinked="0"/><c:spPr/>'
        f'<c:txPr>{body}<a:lstStyle/><a:p><a:pPr><a:defRPr sz="{round(style.text * 100)}" b="1"><a:solidFill>'
        f'<a:srgbClr val="{ink.lstrip("#").upper()}"/></a:solidFill></a:defRPr></a:pPr>'
        '<a:endParaRPr lang="en-US"/></a:p>'
        f'</c:txPr><c:dLblPos val="{where}"/><c:showLegendKey val="0"/><c:showVal val="1"/><c:showCatName val="0"/>'
        '<c:showSerName val="0"/><c:showPercent val="0"/><c:showBubbleSize val="0"/></c:dLbl>'
    )


def _whiskers(series: Any, bars: PlanSeries, refs: tuple[str, str], lying: bool, ink: str) -> None:
    ends = values_of(bars.above), values_of(bars.below)
    above, below = (numbers(ref, values) for ref, values in zip(refs, ends, strict=True))
    series._element.find(qn("c:cat")).addprevious(error_bars(above, below, ink, lying))


def _line(series: Any, plan: ChartPlan, index: int, line: PlanSeries, ink: SlideInk) -> None:
    series.smooth = False
    colour = ink.curve(line)
    symbol = MARKERS.get(line.look.marker, MARKERS["circle"])
    if line.kind == "points":
        series.format.line.fill.background()
        _dot(series.marker, symbol, colour, 5)
        return
    stroke(series.format.line, colour, WIDTHS[line.kind], dash(line))
    _no_marker(series)
    for at in marked(plan, index, line):
        _dot(series.points[at].marker, symbol, colour, 6)
        stroke(series.points[at].format.line, colour, WIDTHS[line.kind], dash(line))


def _no_marker(series: Any) -> None:
    marker = series._element.get_or_add_marker()
    symbol = marker.find(qn("c:symbol"))
    if symbol is None:
        marker.insert(0, parse_xml(f'<c:symbol {nsdecls("c")} val="none"/>'))
    else:
        symbol.set("val", "none")


def _dot(marker: Any, symbol: Any, colour: str, size: int) -> None:
    marker.style, marker.size = symbol, size
    marker.format.fill.solid()
    marker.format.fill.fore_color.rgb = rgb(colour)
    stroke(marker.format.line, colour, 0.75)


def _region_name(series: Any, plan: ChartPlan, region: PlanSeries, style: SeriesStyle) -> None:
    """Set the name of a phase at the upper end of its line, or the words of a moment on the side with more room."""
    label = series.points[1].data_label
    spoken_of = region.look.dash == "solid"
    late = spoken_of and region.x[0] - (plan.x.low or 0.0) > plan.x.length / 2
    label.position = XL_LABEL_POSITION.LEFT if late else XL_LABEL_POSITION.RIGHT
    tokens = style.ink.tokens
    font(label.font, style.text - 1, tokens.text if spoken_of else tokens.quiet, bold=spoken_of)
    element = label._dLbl
    for name, shown in (("c:showVal", "0"), ("c:showSerName", "1"), ("c:showCatName", "0"), ("c:showLegendKey", "0")):
        part = element.find(qn(name))
        if part is not None:
            part.set("val", shown)


def _lines_over_bars(chart: Any, shown: Sequence[PlanSeries], drawn: list[Any]) -> None:
    """Move series that are not bars into a line chart on the same axes, because python-pptx makes only one plot."""
    lines = [
        series._element for drawn_series, series in zip(shown, drawn, strict=True) if drawn_series.kind not in _BARS
    ]
    if not lines:
        return
    bars = chart._chartSpace.find(f".//{qn('c:barChart')}")
    over = parse_xml(f'<c:lineChart {nsdecls("c")}><c:grouping val="standard"/><c:varyColors val="0"/></c:lineChart>')
    for element in lines:
        for child in element.findall(qn("c:invertIfNegative")):
            element.remove(child)
        element.append(parse_xml(f'<c:smooth {nsdecls("c")} val="0"/>'))
        over.append(element)
    over.append(parse_xml(f'<c:marker {nsdecls("c")} val="1"/>'))
    for axis in bars.findall(qn("c:axId")):
        over.append(copy.deepcopy(axis))
    bars.addnext(over)


def _dress(chart: Any, plan: ChartPlan, style: SeriesStyle) -> None:
    font(chart.font, style.text, style.ink.tokens.text)
    _title(chart, plan, style)
    _axis(chart.category_axis, plan.x, style, grid=False)
    _axis(chart.value_axis, plan.y, style, grid=True)
    if plan.lying:
        # PowerPoint counts the categories of horizontal bars from the bottom.
        chart.category_axis.reverse_order = True
        _cross(chart.value_axis, "max")
        chart.value_axis.tick_label_position = XL_TICK_LABEL_POSITION.NEXT_TO_AXIS
    if not plan.categories:
        _cross_at_low(chart)
    chart.has_legend = plan.legend and plan.panel.legend
    if chart.has_legend:
        chart.legend.position = XL_LEGEND_POSITION.BOTTOM
        chart.legend.include_in_layout = False
        font(chart.legend.font, style.text, style.ink.tokens.text)
        hidden = [index for index, series in enumerate(shown_series(plan)) if not series.in_legend]
        for index in reversed(hidden):
            chart.legend._element.find(qn("c:legendPos")).addnext(hidden_entry(index))


def _title(chart: Any, plan: ChartPlan, style: SeriesStyle) -> None:
    words = [shortened(clean(text), MAX_TITLE) for text in (plan.title, plan.subtitle)]
    if style.titled and not any(words):
        words = [_BLANK, ""]
    chart.has_title = any(words)
    if not any(words):
        return
    frame = chart.chart_title.text_frame
    ink = style.ink.tokens
    sizes: tuple[tuple[float, str, bool], ...] = ((style.title, ink.text, True), (style.text, ink.quiet, False))
    if style.flat:
        words, sizes = [" · ".join(word for word in words if word)], sizes[:1]
    paragraph = frame.paragraphs[0]
    for text, (size, colour, bold) in zip(words, sizes, strict=True):
        if not text:
            continue
        if paragraph.runs:
            paragraph = frame.add_paragraph()
        run = paragraph.add_run()
        run.text = text
        font(run.font, size, colour, bold)
    chart.chart_title.include_in_layout = False


def _axis(axis: Any, scale: AxisPlan, style: SeriesStyle, grid: bool) -> None:
    ink = style.ink.tokens
    axis.visible = True
    axis.has_major_gridlines = grid
    if grid:
        stroke(axis.major_gridlines.format.line, ink.line, 0.5)
    axis.major_tick_mark, axis.minor_tick_mark = XL_TICK_MARK.OUTSIDE, XL_TICK_MARK.NONE
    axis.tick_label_position = XL_TICK_LABEL_POSITION.LOW
    font(axis.tick_labels.font, style.text, ink.quiet)
    stroke(axis.format.line, ink.quiet, 0.75)
    if scale.step is not None:
        axis.minimum_scale, axis.maximum_scale, axis.major_unit = scale.low, scale.high, scale.step
    if scale.number_format != "General":
        axis.tick_labels.number_format, axis.tick_labels.number_format_is_linked = scale.number_format, False
    if scale.log:
        axis._element.find(qn("c:scaling")).insert(0, parse_xml(f'<c:logBase {nsdecls("c")} val="10"/>'))
    words = clean(scale.title)
    axis.has_title = bool(words)
    if words:
        run = axis.axis_title.text_frame.paragraphs[0].add_run()
        run.text = shortened(words, MAX_TITLE)
        font(run.font, style.text, ink.quiet)


def _cross_at_low(chart: Any) -> None:
    """Let the axes of an XY chart cross at their lower ends, not at 0."""
    _cross(chart.category_axis, "min")
    _cross(chart.value_axis, "min")


def _cross(axis: Any, where: str) -> None:
    """Set the end of the other axis at which this one crosses (ECMA-376, `c:crosses`)."""
    axis._element.find(qn("c:crosses")).set("val", where)


def lay_out(chart: Any, plot: tuple[float, float, float, float], box: SlideBox) -> None:
    """Set the inner plot area (ECMA-376, `c:layoutTarget`): its left, top, width and height in inches of the box."""
    left, top, width, height = plot
    wide, tall = box.width / _INCH, box.height / _INCH
    sides = zip("xywh", (left / wide, top / tall, width / wide, height / tall), strict=True)
    places = "".join(f'<c:{name} val="{share:.5f}"/>' for name, share in sides)
    layout = parse_xml(
        f'<c:layout {nsdecls("c")}><c:manualLayout><c:layoutTarget val="inner"/><c:xMode val="edge"/>'
        f'<c:yMode val="edge"/>{places}</c:manualLayout></c:layout>'
    )
    area = chart._chartSpace.find(f".//{qn('c:plotArea')}")
    for old in area.findall(qn("c:layout")):
        area.remove(old)
    area.insert(0, layout)


def align_plots(charts: Sequence[tuple[Any, ChartPlan, SlideBox]], style: SeriesStyle) -> None:
    """Set equal tops and heights of plot areas side by side with one scale. Otherwise a legend or a long title of one
    chart would make its plot area lower. Only if x is a number: turned names need an unknown height."""
    scales = {(plan.y.low, plan.y.high, plan.y.log) for _, plan, _ in charts}
    if len(charts) < 2 or len(scales) > 1 or any(plan.categories for _, plan, _ in charts):
        return
    tops = [_above_plot(plan, box, style) for _, plan, box in charts]
    feet = [_below_plot(plan, box, style) for _, plan, box in charts]
    for chart, _, box in charts:
        wide, tall = box.width / _INCH, box.height / _INCH
        plot = (_GUTTER, max(tops), wide - _GUTTER - _RIGHT, tall - max(tops) - max(feet))
        if plot[3] > _LEAST_PLOT:
            lay_out(chart, plot, box)


def _above_plot(plan: ChartPlan, box: SlideBox, style: SeriesStyle) -> float:
    """The height in inches of the title of a chart, also in a wider font."""
    texts = [shortened(clean(text), MAX_TITLE) for text in (plan.title, plan.subtitle)]
    sizes = ((style.title, True), (style.text, False))
    wide = _TITLE_SHARE * box.width / _INCH
    lines = (
        line_count(text, wide, size, bold) * line_height(size)
        for text, (size, bold) in zip(texts, sizes, strict=True)
        if text
    )
    # The words of a moment are above its line.
    return sum(lines) + _TITLE_GAP + 2 * line_height(style.text) * any(region.name for region in plan.regions)


def _below_plot(plan: ChartPlan, box: SlideBox, style: SeriesStyle) -> float:
    """The height in inches of the numbers and the title of the x axis, and of the legend."""
    line = line_height(style.text)
    names = [clean(series.name) for series in shown_series(plan) if series.in_legend]
    if not (plan.legend and plan.panel.legend and names):
        return 2 * line + _AXIS_GAP
    widest = max(text_width(name, style.text) for name in names) * _WIDER_NAMES + _KEY
    columns = max(1, int(_LEGEND_SHARE * box.width / _INCH / widest))
    rows = -(-len(names) // columns)
    return (2 + rows) * line * _LEGEND_LINE + _AXIS_GAP + _LEGEND_GAP
