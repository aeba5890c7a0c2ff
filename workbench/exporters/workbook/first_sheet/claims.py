"""The chart of a study's strongest finding on the first sheet, its claim over it, and the cells of its bars.

openpyxl writes no shapes. The shapes of a chart are a separate part (ECMA-376 part 1, chart drawings). Their positions
are shares of the chart, so they move and scale with it. `finish` adds the part to the file.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any
from xml.sax.saxutils import escape

from openpyxl.chart.label import DataLabel, DataLabelList
from openpyxl.chart.layout import Layout, ManualLayout

from workbench.answers.common.storyboard import Switches
from workbench.answers.findings.claims import claim_of
from workbench.answers.findings.compute import Finding
from workbench.answers.storyboard.figures import claim_figure
from workbench.answers.storyboard.shown import StudyFindings
from workbench.charts import ticks
from workbench.charts.claim import Claim, TimeClaim
from workbench.charts.figure import Bars, Figure, FigureSource, Panel
from workbench.charts.palette import THEMES, colour
from workbench.exporters.chart_plan import tick_format
from workbench.exporters.claim_plan import Block as Filled
from workbench.exporters.claim_plan import ClaimPlan, PlotRoom, Stroke, Words, bar_formats, claim_plan
from workbench.exporters.workbook.cells import argb, clean
from workbench.exporters.workbook.figure_block import FigureBlock
from workbench.exporters.workbook.making import Making
from workbench.exporters.workbook.native_chart import chart_of, text
from workbench.exporters.workbook.sheets.compare import BASE, MEAN, CompareLines
from workbench.measures.configurations import Group
from workbench.words.numbers import THIN
from workbench.words.translated import spoken_words


def first_claim(study: StudyFindings) -> tuple[Finding, Claim, Figure] | None:
    """The first finding about bars side by side or times, its claim, and its figure; None if there is none."""
    for finding in study.findings:
        claim = claim_of(finding, study.groups, study.margin)
        if isinstance(claim, TimeClaim) or (claim and not any(bar.above for bar in claim.bars)):
            figure = claim_figure([(finding, claim)], Switches())
            if figure is not None:
                return finding, claim, figure
    return None


def claim_cell(
    making: Making, groups: Sequence[Group], lines: CompareLines | None, finding: Finding
) -> Callable[[Panel, Bars, int], str | None]:
    """A function that returns the formula of a bar: the mean that the sentence compares, on the sheet of the
    comparison; for other bars their mean over the runs. None if the workbook has no such cell."""

    def formula(_panel: Panel, bars: Bars, place: int) -> str | None:
        value = float(bars.values[place])
        for row in lines.lines if lines else ():
            if lines is None or (row.phase, row.measure.key) != (finding.phase, finding.figure) or row.change is None:
                continue
            if _named(finding.baseline, bars.name) and _same(row.baseline_value, value):
                return lines.cell(BASE, row)
            if _named(row.configuration, bars.name) and _same(row.value, value):
                return lines.cell(MEAN, row)
        group = next((group for group in groups if _named(group.label, bars.name)), None)
        if group is None:
            return None
        runs = tuple(figures.run.folder for figures in group.runs)
        return making.formula_of(FigureSource(runs, finding.phase, finding.figure), value)

    return formula


def _named(label: str, short: str) -> bool:
    """True if a bar has the short name of this configuration: its label, with or without the first word."""
    return label == short or label.endswith(f" {short}")


def _same(shown: float | None, drawn: float) -> bool:
    return shown is not None and math.isclose(shown, drawn, rel_tol=1e-9)


_LIGHT = THEMES["light"]
_PX_PER_INCH, _EMU_PER_POINT, _SIZE = 96.0, 12_700, 10.0
_SHOWN = {"showVal": True, "showSerName": False, "showCatName": False, "showLegendKey": False, "showPercent": False}
# The text of a number format has no quotation mark, and a label does not break.
_ON_ONE_LINE = str.maketrans({'"': None, " ": "\u00a0", THIN: "\u202f"})
_ALIGNED = {"left": "l", "middle": "ctr", "right": "r"}
_C = "http://schemas.openxmlformats.org/drawingml/2006/chart"
_CDR = "http://schemas.openxmlformats.org/drawingml/2006/chartDrawing"
_A = "http://schemas.openxmlformats.org/drawingml/2006/main"


def claim_chart(block: FigureBlock, claim: Claim, wide: float, tall: float) -> tuple[Any, bytes]:
    """The chart of this size in pixels, and the part with its shapes; empty if it is about times, or if its bars are
    horizontal or stacked."""
    chart = chart_of([block], wide, tall)
    if isinstance(claim, TimeClaim):
        chart.series[0].dLbls = _times(claim)
        return chart, b""
    room = PlotRoom(wide / _PX_PER_INCH, tall / _PX_PER_INCH, _SIZE, True)
    plan = claim_plan(claim, Switches(), room)
    if plan is None or block.plan.lying or block.plan.stacked:
        return chart, b""
    chart.gapWidth = plan.gap
    # The axis end is fixed, because the shapes fit these bars.
    step = ticks.step(plan.high, ticks.STEPS_Y)
    chart.y_axis.scaling.min, chart.y_axis.scaling.max, chart.y_axis.majorUnit = 0, plan.high, step
    chart.y_axis.number_format = tick_format(step)
    shares = zip("xywh", _shares(plan.plot, room), strict=True)
    chart.layout = Layout(ManualLayout(layoutTarget="inner", xMode="edge", yMode="edge", **dict(shares)))
    chart.series[0].dLbls, chart.series[0].errBars = _labels(plan, block.plan.label_format), None
    return chart, _part(plan, room)


def _shares(sides: tuple[float, ...], room: PlotRoom) -> list[float]:
    return [round(side / (room.height if at % 2 else room.width), 5) for at, side in enumerate(sides)]


def _labels(plan: ClaimPlan, otherwise: str) -> DataLabelList:
    """Set the number at each bar in the digits of the sentence."""
    labels = DataLabelList(**_SHOWN)
    for place, code in enumerate(bar_formats(plan.claim, otherwise)):
        spoken, inside = plan.spoken(place), place in plan.inside
        ink = text(round(100 * _SIZE), argb(_LIGHT.text if spoken or inside else _LIGHT.quiet), bold=spoken)
        where = "inEnd" if inside else "outEnd"
        label = DataLabel(idx=place, numFmt=code, dLblPos=where, txPr=ink, **_SHOWN)
        labels.dLbl.append(label)
    return labels


def _times(claim: TimeClaim) -> DataLabelList:
    """Set the time at each bar as the sentence does: `6:18 min`."""
    labels = DataLabelList(**_SHOWN)
    for place, row in enumerate(claim.rows):
        ink = text(round(100 * _SIZE), argb(_LIGHT.text), bold=place == claim.claimed)
        words = clean(spoken_words(row.words)).translate(_ON_ONE_LINE)
        labels.dLbl.append(DataLabel(idx=place, numFmt=f'"{words}"', dLblPos="outEnd", txPr=ink, **_SHOWN))
    return labels


def _part(plan: ClaimPlan, room: PlotRoom) -> bytes:
    """The chart drawing, with an anchor for each shape."""
    shapes = "".join(_anchor(number, piece, room) for number, piece in enumerate(plan.pieces, start=2))
    xml = f'<c:userShapes xmlns:c="{_C}" xmlns:cdr="{_CDR}" xmlns:a="{_A}">{shapes}</c:userShapes>'
    return f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>{xml}'.encode()


def _anchor(number: int, piece: Stroke | Filled | Words, room: PlotRoom) -> str:
    if isinstance(piece, Stroke):
        left, right = sorted((piece.x, piece.to_x))
        top, bottom = sorted((piece.y, piece.to_y))
    else:
        left, top, right, bottom = piece.left, piece.top, piece.left + piece.width, piece.top + piece.height
    x, y, to_x, to_y = _shares((left, top, min(right, room.width), min(bottom, room.height)), room)
    ends = (("from", x, y), ("to", to_x, to_y))
    corners = "".join(f"<cdr:{end}><cdr:x>{x}</cdr:x><cdr:y>{y}</cdr:y></cdr:{end}>" for end, x, y in ends)
    name = "bracket" if isinstance(piece, Stroke) else "interval" if isinstance(piece, Filled) else "change"
    return (
        f'<cdr:relSizeAnchor>{corners}<cdr:sp macro="" textlink=""><cdr:nvSpPr><cdr:cNvPr id="{number}" '
        f'name="{name} {number}"/><cdr:cNvSpPr/></cdr:nvSpPr>{_looks(piece)}{_text(piece)}</cdr:sp></cdr:relSizeAnchor>'
    )


def _looks(piece: Stroke | Filled | Words) -> str:
    kind, look = "rect", "<a:noFill/><a:ln><a:noFill/></a:ln>"
    if isinstance(piece, Filled):
        ink = _LIGHT.text if piece.look is None else colour(piece.look, "light")
        look = f"{_fill(ink, piece.share)}<a:ln><a:noFill/></a:ln>"
    elif isinstance(piece, Stroke):
        # A line goes from its upper left to its lower right corner, so an upward line has its arrow at the beginning.
        arrow = ("head" if piece.to_y < piece.y else "tail") if piece.arrow else ""
        ends = f'<a:{arrow}End type="triangle"/>' if arrow else ""
        dash = '<a:prstDash val="dash"/>' if piece.dashed else ""
        width = round(piece.points * _EMU_PER_POINT)
        kind, look = "line", f'<a:ln w="{width}">{_fill(_LIGHT.text)}{dash}{ends}</a:ln>'
    return (
        '<cdr:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></a:xfrm>'
        f'<a:prstGeom prst="{kind}"><a:avLst/></a:prstGeom>{look}</cdr:spPr>'
    )


def _fill(ink: str, share: float = 1.0) -> str:
    alpha = f'<a:alpha val="{round(100_000 * share)}"/>' if share < 1 else ""
    return f'<a:solidFill><a:srgbClr val="{ink.lstrip("#").upper()}">{alpha}</a:srgbClr></a:solidFill>'


def _text(piece: Stroke | Filled | Words) -> str:
    if not isinstance(piece, Words):
        return ""
    ink = _fill(_LIGHT.quiet if piece.quiet else _LIGHT.text)
    return (
        '<cdr:txBody><a:bodyPr wrap="none" lIns="0" tIns="0" rIns="0" bIns="0" anchor="ctr"/><a:lstStyle/>'
        f'<a:p><a:pPr algn="{_ALIGNED[piece.align]}"/><a:r><a:rPr lang="en-US" sz="{round(100 * piece.size)}" '
        f'b="{int(piece.bold)}">{ink}<a:latin typeface="Calibri"/></a:rPr><a:t>{escape(clean(piece.text))}</a:t>'
        "</a:r></a:p></cdr:txBody>"
    )
