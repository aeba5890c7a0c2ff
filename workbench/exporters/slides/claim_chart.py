"""The native chart of a finding, with its claim as a group of editable shapes over it.

The plot area is set to fit the bracket to the bars. The numbers at bars have the digits of the sentence.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pptx.enum.shapes import MSO_CONNECTOR, MSO_SHAPE
from pptx.enum.text import MSO_ANCHOR, MSO_AUTO_SIZE, PP_ALIGN
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn
from pptx.util import Emu

from workbench.answers.common.storyboard import Switches
from workbench.charts import ticks
from workbench.charts.claim import BarClaim, Claim, TimeClaim, claimed_words
from workbench.charts.figure import Bars
from workbench.exporters.chart_plan import ChartPlan, pale, readable_on, tick_format
from workbench.exporters.claim_plan import Block, ClaimPlan, PlotRoom, Stroke, Words, bar_formats, claim_plan
from workbench.exporters.slides.fit import clean
from workbench.exporters.slides.ink import SlideInk, font, rgb, stroke
from workbench.exporters.slides.native_chart import SeriesStyle, SlideBox, lay_out

_INCH = 914_400
# Strength of the outline of a bar outside the subject of the finding, and share of the colour inside an outlined bar.
_PALE_OUTLINE, _INSIDE = 0.65, 0.22


def show_claim(
    slide: Any,
    frame: Any,
    box: SlideBox,
    plan: ChartPlan,
    claim: BarClaim,
    switches: Switches,
    style: SeriesStyle,
    scale: tuple[float, float],
) -> None:
    """Format the chart for its claim and draw the claim over it, with the `scale` of the neighbouring charts. Does
    nothing if the bars are horizontal."""
    titled = bool(frame.chart.has_title)
    pointed = claim_plan(claim, switches, _room(box, style, titled, scale[1]), scale[0])
    if pointed is None or plan.lying:
        return
    chart = frame.chart
    lay_out(chart, pointed.plot, box)
    # The layout counts the lines of horizontal names; turned ones would move the bars away from the bracket.
    body = chart.category_axis._element.find(f"{qn('c:txPr')}/{qn('a:bodyPr')}")
    body.set("rot", "0")
    body.set("vert", "horz")
    chart.plots[0].gap_width = pointed.gap
    axis = chart.value_axis
    step = ticks.step(pointed.high, ticks.STEPS_Y)
    axis.minimum_scale, axis.maximum_scale, axis.major_unit = 0, pointed.high, step
    axis.tick_labels.number_format, axis.tick_labels.number_format_is_linked = tick_format(step), False
    if not switches.value_axis:
        hide_values(chart)
    for series, bars in zip(chart.plots[0].series, plan.bars, strict=True):
        if bars.owners[0].outlined:
            _outline(series, bars.owners[0], pointed, style)
        elif not plan.stacked:
            _labels(series, pointed, style, plan.label_format)
    add_claim(slide, box.left, box.top, pointed, style.ink)


def show_times(chart: Any, claim: TimeClaim, style: SeriesStyle) -> None:
    """Write the times at the bars as the sentence does: `6:18 min`."""
    for place, row in enumerate(claim.rows):
        if row.held_s is not None:
            frame = chart.plots[0].series[0].points[place].data_label.text_frame
            frame.text = clean(row.words)
            font(frame.paragraphs[0].runs[0].font, style.text, style.ink.tokens.text)


def common_scale(
    claims: Sequence[tuple[ChartPlan, SlideBox, Claim | None]], switches: Switches, style: SeriesStyle
) -> tuple[float, float]:
    """The common axis end of charts whose claims are side by side, and the common height of their plot areas in
    inches."""
    beside = [(claim, box) for plan, box, claim in claims if isinstance(claim, BarClaim) and not plan.lying]

    def plans(tall: float) -> list[ClaimPlan]:
        made = (claim_plan(claim, switches, _room(box, style, style.titled, tall)) for claim, box in beside)
        return [plan for plan in made if plan is not None]

    tall = min((plan.plot[3] for plan in plans(0.0)), default=0.0)
    return max((plan.high for plan in plans(tall)), default=0.0), tall


def _room(box: SlideBox, style: SeriesStyle, titled: bool, tall: float) -> PlotRoom:
    return PlotRoom(box.width / _INCH, box.height / _INCH, style.text, titled, tall)


def hide_values(chart: Any) -> None:
    """Remove the value axis and the grid lines, because each bar has its number."""
    chart.value_axis.visible = False
    chart.value_axis.has_major_gridlines = chart.value_axis.has_title = False


def _labels(series: Any, pointed: ClaimPlan, style: SeriesStyle, otherwise: str) -> None:
    """Set the number at each bar in the digits of the sentence, in bold for the subject of the finding."""
    element = series._element
    for old in element.findall(qn("c:dLbls")):
        element.remove(old)
    labels = element.get_or_add_dLbls()
    tokens = style.ink.tokens
    for place, code in reversed(list(enumerate(bar_formats(pointed.claim, otherwise)))):
        inside, spoken = place in pointed.inside, pointed.spoken(place)
        ink = tokens.text if spoken else tokens.quiet
        if inside:
            fill = series.points[place].format.fill
            ink = readable_on(f"#{fill.fore_color.rgb}")
        where = "inEnd" if inside else "outEnd"
        labels.insert(0, _label(place, code, where, ink, pointed.value_size(place), spoken))


def _label(place: int, code: str, where: str, ink: str, size: float, bold: bool) -> Any:
    code = code.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    return parse_xml(
        f'<c:dLbl {nsdecls("c", "a")}><c:idx val="{place}"/><c:numFmt formatCode="{code}" sourceLinked="0"/><c:spPr/>'
        f'<c:txPr><a:bodyPr/><a:lstStyle/><a:p><a:pPr><a:defRPr sz="{round(size * 100)}" b="{int(bold)}"><a:solidFill>'
        f'<a:srgbClr val="{ink.lstrip("#").upper()}"/></a:solidFill></a:defRPr></a:pPr>'
        f'<a:endParaRPr lang="en-US"/></a:p></c:txPr><c:dLblPos val="{where}"/><c:showLegendKey val="0"/>'
        '<c:showVal val="1"/><c:showCatName val="0"/><c:showSerName val="0"/><c:showPercent val="0"/>'
        '<c:showBubbleSize val="0"/></c:dLbl>'
    )


def _outline(series: Any, bars: Bars, pointed: ClaimPlan, style: SeriesStyle) -> None:
    """Outline the bars of the cache disk; paler outside the subject of the finding."""
    ground, full = style.ink.tokens.card, style.ink.of(bars.look)
    for place in range(len(bars.values)):
        lit = not pointed.switches.claim or pointed.spoken(place)
        ink = full if lit else pale(full, ground, _PALE_OUTLINE)
        shape = series.points[place].format
        shape.fill.solid()
        shape.fill.fore_color.rgb = rgb(pale(ink, ground, _INSIDE))
        stroke(shape.line, ink, 1.25)


_ALIGNED = {"left": PP_ALIGN.LEFT, "middle": PP_ALIGN.CENTER, "right": PP_ALIGN.RIGHT}


def add_claim(slide: Any, left: int, top: int, plan: ClaimPlan, ink: SlideInk) -> None:
    """Add the shapes of the plan over the chart with this upper left corner (EMU)."""
    if not plan.pieces:
        return
    group = slide.shapes.add_group_shape()
    group.name = "Highlight of the finding"
    group._element.nvGrpSpPr.cNvPr.set("descr", clean(claimed_words(plan.claim)))
    for piece in plan.pieces:
        if isinstance(piece, Stroke):
            _line(group, left, top, piece, ink)
        elif isinstance(piece, Block):
            _block(group, left, top, piece, ink)
        else:
            _words(group, left, top, piece, ink)


def _at(left: int, top: int, sides: Sequence[float]) -> list[Emu]:
    """Inches in the chart as EMU on the slide; the last two of four are lengths."""
    x, y, *lengths = (round(side * _INCH) for side in sides)
    return [Emu(left + x), Emu(top + y), *map(Emu, lengths)]


def _line(group: Any, left: int, top: int, piece: Stroke, ink: SlideInk) -> None:
    ends = *_at(left, top, (piece.x, piece.y)), *_at(left, top, (piece.to_x, piece.to_y))
    line = group.shapes.add_connector(MSO_CONNECTOR.STRAIGHT, *ends)
    stroke(line.line, ink.tokens.text, piece.points, "dash" if piece.dashed else "solid")
    if piece.arrow:
        line.line._get_or_add_ln().append(parse_xml(f'<a:tailEnd {nsdecls("a")} type="triangle"/>'))
    _plain(line)


def _block(group: Any, left: int, top: int, piece: Block, ink: SlideInk) -> None:
    box = group.shapes.add_shape(
        MSO_SHAPE.RECTANGLE, *_at(left, top, (piece.left, piece.top, piece.width, piece.height))
    )
    box.fill.solid()
    box.fill.fore_color.rgb = rgb(ink.tokens.text if piece.look is None else ink.of(piece.look))
    if piece.share < 1:
        alpha = f'<a:alpha {nsdecls("a")} val="{round(100_000 * piece.share)}"/>'
        box._element.spPr.find(f"{qn('a:solidFill')}/{qn('a:srgbClr')}").append(parse_xml(alpha))
    box.line.fill.background()
    _plain(box)


def _plain(shape: Any) -> None:
    """Remove the shadow and the outline that a theme gives to shapes."""
    style = shape._element.find(qn("p:style"))
    if style is not None:
        shape._element.remove(style)


def _words(group: Any, left: int, top: int, piece: Words, ink: SlideInk) -> None:
    shape = group.shapes.add_textbox(*_at(left, top, (piece.left, piece.top, piece.width, piece.height)))
    frame = shape.text_frame
    frame.word_wrap, frame.auto_size, frame.vertical_anchor = False, MSO_AUTO_SIZE.NONE, MSO_ANCHOR.MIDDLE
    frame.margin_left = frame.margin_right = frame.margin_top = frame.margin_bottom = 0
    paragraph = frame.paragraphs[0]
    paragraph.alignment = _ALIGNED[piece.align]
    run = paragraph.add_run()
    run.text = clean(piece.text)
    font(run.font, piece.size, ink.tokens.quiet if piece.quiet else ink.tokens.text, piece.bold)
