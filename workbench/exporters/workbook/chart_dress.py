"""What every native chart wears: title, axes with their units, legend, and scales of whole steps."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from openpyxl.chart.legend import Legend
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

from workbench.charts.figure import Bars
from workbench.charts.palette import THEMES
from workbench.exporters.workbook.cells import argb, clean
from workbench.exporters.workbook.figure_block import Block

_LIGHT = THEMES["light"]
_EMU_PER_POINT = 12_700


def dress(chart: Any, block: Block) -> None:
    """Title, axes and legend, the same for every kind of chart."""
    chart.title = title(block.panel.title or block.panel.y.label, 1100, bold=True)
    chart.legend = legend()
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


def legend() -> Legend:
    """A legend below the chart."""
    found = Legend()
    found.position, found.overlay = "b", False
    found.txPr = text(900, argb(_LIGHT.text))
    return found


def _is_small(block: Block) -> bool:
    """Whether whole numbers on the y axis would repeat themselves."""
    highest = 0.0
    for mark in block.panel.marks:
        values = mark.values if isinstance(mark, Bars) else getattr(mark, "y", None)
        if values is not None and np.isfinite(values).any():
            highest = max(highest, float(np.nanmax(np.abs(values[np.isfinite(values)]))))
    return highest < 8


def _axis(axis: Any, label: str, grid: bool) -> None:
    # Without this Excel hides the axis.
    axis.delete = False
    axis.title = title(label, 900, bold=False) if label else None
    axis.majorTickMark = "out"
    axis.minorTickMark = "none"
    axis.tickLblPos = "low"
    axis.txPr = text(900, argb(_LIGHT.quiet))
    axis.spPr = GraphicalProperties(ln=LineProperties(solidFill=argb(_LIGHT.quiet), w=_EMU_PER_POINT // 2))
    axis.majorGridlines = axis.majorGridlines if grid else None
    if grid and axis.majorGridlines is not None:
        ink = LineProperties(solidFill=argb(_LIGHT.line), w=_EMU_PER_POINT // 2)
        axis.majorGridlines.spPr = GraphicalProperties(ln=ink)


def title(words: str, size: int, bold: bool) -> Title:
    """A title of a chart or an axis; `size` in hundredths of a point."""
    ink = CharacterProperties(sz=size, b=bold, solidFill=argb(_LIGHT.text if bold else _LIGHT.quiet))
    run = RegularTextRun(rPr=ink, t=clean(words))
    rich = RichText(bodyPr=RichTextProperties(), p=[Paragraph(pPr=ParagraphProperties(defRPr=ink), r=[run])])
    return Title(tx=Text(rich=rich), overlay=False)


def text(size: int, ink: str, bold: bool = False) -> RichText:
    """How a chart's own texts look."""
    properties = CharacterProperties(sz=size, b=bold, solidFill=ink)
    return RichText(
        bodyPr=RichTextProperties(),
        p=[Paragraph(pPr=ParagraphProperties(defRPr=properties), r=[], endParaRPr=properties)],
    )


def round_limits(low: float, high: float, ticks: int = 12) -> tuple[float, float, float]:
    """The data's span widened to whole steps of 1, 2 or 5 times a power of ten, and the step.

    Excel counts ticks from the lower end: only a whole step there puts a tick at 0.
    """
    raw = max(high - low, 1e-9) / ticks
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= raw * 0.999)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return round(first * step, 9), round(last * step, 9), step
