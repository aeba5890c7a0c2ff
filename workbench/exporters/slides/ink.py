"""Colours and strokes in the file format, including parts that python-pptx does not support."""

from __future__ import annotations

from typing import Any

from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_MARKER_STYLE
from pptx.enum.dml import MSO_LINE
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls
from pptx.util import Pt

from workbench.charts.figure import Look
from workbench.charts.palette import EMPHASIS, THEMES, ThemeName, Tokens, colour
from workbench.exporters.chart_plan import pale
from workbench.exporters.chart_series import PlanSeries

DASHES = {"solid": MSO_LINE.SOLID, "dash": MSO_LINE.DASH, "dot": MSO_LINE.ROUND_DOT, "dash-dot": MSO_LINE.DASH_DOT}
MARKERS = {
    "circle": XL_MARKER_STYLE.CIRCLE,
    "square": XL_MARKER_STYLE.SQUARE,
    "triangle": XL_MARKER_STYLE.TRIANGLE,
    "diamond": XL_MARKER_STYLE.DIAMOND,
    "cross": XL_MARKER_STYLE.X,
}


def rgb(ink: str) -> RGBColor:
    """`#rrggbb` as a python-pptx colour."""
    color: RGBColor = RGBColor.from_string(ink.lstrip("#").upper())  # type: ignore[no-untyped-call]
    return color


class SlideInk:
    """The colours of one theme."""

    def __init__(self, theme: ThemeName, tokens: Tokens | None = None) -> None:
        self.theme = theme
        self.tokens: Tokens = tokens or THEMES[theme]

    def of(self, look: Look) -> str:
        """The `#rrggbb` colour of a look."""
        return colour(look, self.theme)

    def bar(self, bars: PlanSeries, index: int) -> str:
        """The colour of one bar: dimmed if it is not the subject of the finding."""
        away = 1 - EMPHASIS[self.theme][bars.owner(index).strength(index)]
        return pale(self.of(bars.look_at(index)), self.tokens.card, away)

    def curve(self, series: PlanSeries) -> str:
        """The colour of a line, of dots or of one end of a band: dimmed if it is not the subject of the finding, pale
        for single machines and bands."""
        ink = self.of(series.look)
        ink = pale(ink, self.tokens.card) if series.kind in ("edge", "faint") else ink
        return pale(ink, self.tokens.card, 1 - EMPHASIS[self.theme][series.emphasis])


def stroke(line: Any, ink: str, width: float, dash: str = "solid") -> None:
    """Set colour, width in points and dash of a python-pptx line."""
    line.color.rgb = rgb(ink)
    line.width = Pt(width)
    if dash != "solid":
        line.dash_style = DASHES[dash]


def font(of: Any, size: float, ink: str, bold: bool = False) -> None:
    """Set size in points and colour of a python-pptx font."""
    of.size, of.bold = Pt(size), bold
    of.color.rgb = rgb(ink)


def error_bars(above: str, below: str, ink: str, lying: bool) -> Any:
    """`c:errBars` with lengths from two `c:numRef`s, which python-pptx does not support. Order after ECMA-376,
    CT_ErrBars.

    Horizontal bars have only one direction, and PowerPoint requires that none is stated.
    """
    direction = "" if lying else '<c:errDir val="y"/>'
    return parse_xml(
        f'<c:errBars {nsdecls("c", "a")}>{direction}<c:errBarType val="both"/><c:errValType val="cust"/>'
        f'<c:noEndCap val="0"/><c:plus>{above}</c:plus><c:minus>{below}</c:minus>'
        f'<c:spPr><a:ln w="12700"><a:solidFill><a:srgbClr val="{ink.lstrip("#").upper()}"/></a:solidFill></a:ln>'
        "</c:spPr></c:errBars>"
    )


def numbers(reference: str, values: tuple[float | None, ...]) -> str:
    """A `c:numRef` with its cached values; a missing value has no point."""
    points = "".join(
        f'<c:pt idx="{index}"><c:v>{value!r}</c:v></c:pt>' for index, value in enumerate(values) if value is not None
    )
    return (
        f"<c:numRef><c:f>{reference}</c:f><c:numCache><c:formatCode>General</c:formatCode>"
        f'<c:ptCount val="{len(values)}"/>{points}</c:numCache></c:numRef>'
    )


def hidden_entry(index: int) -> Any:
    """A hidden legend entry."""
    return parse_xml(f'<c:legendEntry {nsdecls("c")}><c:idx val="{index}"/><c:delete val="1"/></c:legendEntry>')
