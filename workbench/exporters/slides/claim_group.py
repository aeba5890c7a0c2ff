"""What a finding points at as shapes over its native chart: a group that moves as one, each shape editable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pptx.enum.shapes import MSO_CONNECTOR, MSO_SHAPE
from pptx.enum.text import MSO_ANCHOR, MSO_AUTO_SIZE, PP_ALIGN
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn
from pptx.util import Emu

from workbench.exporters.claim_plan import Block, ClaimPlan, Stroke, Words
from workbench.exporters.slides.fit import clean
from workbench.exporters.slides.ink import Ink, font, rgb, stroke

_INCH = 914_400
_ALIGNED = {"left": PP_ALIGN.LEFT, "middle": PP_ALIGN.CENTER, "right": PP_ALIGN.RIGHT}


def add_claim(slide: Any, left: int, top: int, plan: ClaimPlan, ink: Ink) -> None:
    """Puts the plan's shapes over the chart whose upper left corner stands there (EMU)."""
    if not plan.pieces:
        return
    group = slide.shapes.add_group_shape()
    group.name = "What the finding points at"
    words = " ".join(clean(text) for text in (plan.claim.change, plan.claim.ends) if text)
    group._element.nvGrpSpPr.cNvPr.set("descr", words)
    for piece in plan.pieces:
        if isinstance(piece, Stroke):
            _line(group, left, top, piece, ink)
        elif isinstance(piece, Block):
            _block(group, left, top, piece, ink)
        else:
            _words(group, left, top, piece, ink)


def _at(left: int, top: int, sides: Sequence[float]) -> list[Emu]:
    """Inches in the chart as places on the slide; the last two of four are lengths."""
    x, y, *lengths = (round(side * _INCH) for side in sides)
    return [Emu(left + x), Emu(top + y), *map(Emu, lengths)]


def _line(group: Any, left: int, top: int, piece: Stroke, ink: Ink) -> None:
    ends = *_at(left, top, (piece.x, piece.y)), *_at(left, top, (piece.to_x, piece.to_y))
    line = group.shapes.add_connector(MSO_CONNECTOR.STRAIGHT, *ends)
    stroke(line.line, ink.tokens.text, piece.points, "dash" if piece.dashed else "solid")
    if piece.arrow:
        line.line._get_or_add_ln().append(parse_xml(f'<a:tailEnd {nsdecls("a")} type="triangle"/>'))
    _plain(line)


def _block(group: Any, left: int, top: int, piece: Block, ink: Ink) -> None:
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
    """Without the shadow and the outline that a theme gives to shapes."""
    style = shape._element.find(qn("p:style"))
    if style is not None:
        shape._element.remove(style)


def _words(group: Any, left: int, top: int, piece: Words, ink: Ink) -> None:
    shape = group.shapes.add_textbox(*_at(left, top, (piece.left, piece.top, piece.width, piece.height)))
    frame = shape.text_frame
    frame.word_wrap, frame.auto_size, frame.vertical_anchor = False, MSO_AUTO_SIZE.NONE, MSO_ANCHOR.MIDDLE
    frame.margin_left = frame.margin_right = frame.margin_top = frame.margin_bottom = 0
    paragraph = frame.paragraphs[0]
    paragraph.alignment = _ALIGNED[piece.align]
    run = paragraph.add_run()
    run.text = clean(piece.text)
    font(run.font, piece.size, ink.tokens.quiet if piece.quiet else ink.tokens.text, piece.bold)
