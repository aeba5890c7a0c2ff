"""Texts on a slide: title, footer, paragraphs, lists, notes. Text never becomes a link because of its content."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from pptx.enum.shapes import PP_PLACEHOLDER
from pptx.enum.text import MSO_ANCHOR, MSO_AUTO_SIZE
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn
from pptx.util import Emu

from workbench.exporters.slides.fit import SUBSTITUTE, Fitted, clean, clean_lines, fitted, shortened
from workbench.exporters.slides.ink import SlideInk, font
from workbench.exporters.slides.native_chart import SlideBox
from workbench.exporters.slides.template import BODIES, TITLES, Template, kind_of, with_feet
from workbench.exporters.texts import line_count, line_height

INCH = 914_400
_INSET = 0.2
_SIZES: tuple[float, ...] = (44, 40, 36, 32, 28, 26, 24, 22, 20, 18, 16, 14)
_FOOT_SIZES: tuple[float, ...] = (11, 10, 9, 8)
_TITLE_LINES = 2
# Words of the speaker for one slide, and the line above the evidence.
MOST_SPOKEN, EVIDENCE_BELOW = 80, "————"
# PowerPoint allows more, but longer texts are not read.
_MAX_NOTES = 20_000
_NUMBER_WIDTH = 0.45


@dataclass
class Maker:
    """The common data of all slides of a deck, and the list of content that could not be shown in full."""

    template: Template
    ink: SlideInk
    charts: int = 0
    slides: int = 0
    left_out: list[str] = field(default_factory=list)

    def new(self, layout: Any) -> Any:
        """A slide with a layout, without placeholders that would stay empty."""
        slide = self.template.deck.slides.add_slide(layout)
        for shape in list(slide.placeholders):
            if kind_of(shape) not in TITLES and kind_of(shape) not in (PP_PLACEHOLDER.SUBTITLE,):
                shape._element.getparent().remove(shape._element)
        self.slides += 1
        return slide

    def forget(self, slides: int) -> None:
        """Remove the added slides after the first `slides`."""
        listed = self.template.deck.slides._sldIdLst
        for entry in list(listed)[len(listed) - (self.slides - slides) :]:
            self.template.deck.part.drop_rel(entry.rId)
            listed.remove(entry)
        self.slides = slides

    @property
    def list_box(self) -> SlideBox:
        """The box for a list: the body of the template's layout for lists, if it has one."""
        layout = self.template.listed
        if layout is None:
            return self.template.body
        shape = next(shape for shape in layout.placeholders if kind_of(shape) in BODIES)
        return SlideBox(int(shape.left), int(shape.top), int(shape.width), int(shape.height))

    def listed(self, title: str) -> Any:
        """A slide with a title over a list."""
        layout = self.template.listed
        if layout is None:
            return self.plain(title)
        slide = self.template.deck.slides.add_slide(layout)
        self.slides += 1
        put_title(self, slide, title, self.template.title)
        with_feet(slide, (PP_PLACEHOLDER.SLIDE_NUMBER,))
        return slide

    def plain(self, title: str) -> Any:
        """A slide with a title above an empty area, and its number."""
        slide = self.new(self.template.plain)
        for shape in list(slide.placeholders):
            if kind_of(shape) not in TITLES:
                shape._element.getparent().remove(shape._element)
        put_title(self, slide, title, self.template.title)
        with_feet(slide, (PP_PLACEHOLDER.SLIDE_NUMBER,))
        return slide


def put_title(maker: Maker, slide: Any, text: str, box: SlideBox) -> None:
    """Set the title in its placeholder, otherwise in a text box, in a size that fits."""
    shape = slide.shapes.title
    value = _title_size(slide.slide_layout)
    sizes = tuple(size for size in (value, *_SIZES) if size <= value)
    wide = SUBSTITUTE * box.width / INCH - _INSET
    words = fitted(text, wide, box.height / INCH - 0.1, sizes, True, _TITLE_LINES)
    _report(maker, words, "title", text)
    if shape is None:
        put_text(slide, box, [words.text], words.size, maker.ink.tokens.text, bold=True)
        return
    shape.text_frame.text = words.text
    if words.size != value:
        for run in shape.text_frame.paragraphs[0].runs:
            run.font.size = Emu(round(words.size * 12_700))


def put_footer(maker: Maker, slide: Any, text: str) -> None:
    """Set the evidence line: in the footer if it is wide enough, otherwise just above it."""
    if not clean(text):
        return
    box = maker.template.footer
    words = fitted(text, box.width / INCH - _INSET, box.height / INCH, _FOOT_SIZES)
    _report(maker, words, "evidence line", text)
    foot = with_feet(slide, (PP_PLACEHOLDER.FOOTER,)).get(PP_PLACEHOLDER.FOOTER) if _has_wide_footer(maker) else None
    if foot is None:
        put_text(slide, box, [words.text], words.size, maker.ink.tokens.quiet, anchor=MSO_ANCHOR.BOTTOM)
        return
    foot.text_frame.text = words.text
    foot.text_frame.word_wrap = True
    if words.size != _FOOT_SIZES[0]:
        foot.text_frame.paragraphs[0].runs[0].font.size = Emu(round(words.size * 12_700))


def put_text(
    slide: Any,
    box: SlideBox,
    paragraphs: Sequence[str],
    size: float,
    ink: str,
    bold: bool = False,
    anchor: Any = MSO_ANCHOR.TOP,
) -> Any:
    """Add a text box with paragraphs of one look."""
    shape = slide.shapes.add_textbox(*(Emu(side) for side in (box.left, box.top, box.width, box.height)))
    frame = shape.text_frame
    frame.word_wrap, frame.auto_size, frame.vertical_anchor = True, MSO_AUTO_SIZE.NONE, anchor
    frame.margin_left = 0
    for index, text in enumerate(paragraphs):
        paragraph = frame.paragraphs[0] if index == 0 else frame.add_paragraph()
        run = paragraph.add_run()
        run.text = clean(text)
        font(run.font, size, ink, bold)
    return shape


def put_list(
    maker: Maker, slide: Any, box: SlideBox, items: Sequence[str], size: float, first: int = 1, numbered: bool = True
) -> Any:
    """Add a list with hanging numbers or dots; in the format of the slide's own body, if it has one."""
    own = next((shape for shape in slide.placeholders if kind_of(shape) in BODIES), None)
    if own is not None:
        own.text_frame.text = "\n".join(clean(item) for item in items)
        for paragraph in own.text_frame.paragraphs:
            paragraph.space_after = Emu(round(0.5 * size * 12_700))
            for run in paragraph.runs:
                run.font.size = Emu(round(size * 12_700))
        return own
    shape = put_text(slide, box, items, size, maker.ink.tokens.text)
    indent = round(_NUMBER_WIDTH * INCH)
    kind = (
        f'buAutoNum {nsdecls("a")} type="arabicPeriod" startAt="{first}"'
        if numbered
        else f'buChar {nsdecls("a")} char="•"'
    )
    bullet = f"<a:{kind}/>"
    for paragraph in shape.text_frame.paragraphs:
        properties = paragraph._p.get_or_add_pPr()
        properties.set("marL", str(indent))
        properties.set("indent", str(-indent))
        paragraph.space_after = Emu(round(0.5 * size * 12_700))
        properties.append(parse_xml(bullet))
    return shape


def list_pages(items: Sequence[str], box: SlideBox, size: float) -> list[list[str]]:
    """The items, split into as many slides as they need; each item has the height of its lines."""
    high = box.height / INCH - 0.1
    pages: list[list[str]] = [[]]
    used = 0.0
    for item in items:
        need = list_height(item, box, size)
        if pages[-1] and used + need > high:
            pages.append([])
            used = 0.0
        pages[-1].append(item)
        used += need
    return pages


def list_height(item: str, box: SlideBox, size: float) -> float:
    """Height in inches of a list item in this box, with the space after it."""
    wide = box.width / INCH - _NUMBER_WIDTH - _INSET
    return line_count(clean(item), wide, size) * line_height(size) + 0.5 * size / 72


def put_notes(slide: Any, text: str) -> None:
    """Set the speaker's notes."""
    slide.notes_slide.notes_text_frame.text = shortened(clean_lines(text), _MAX_NOTES)


def list_notes(items: Sequence[str], below: Sequence[str] = ()) -> str:
    """The notes of a list: its first items, as many as a speaker would say, and below a line the complete list."""
    counts = accumulate(len(item.split()) for item in items)
    spoken = [item for item, count in zip(items, counts, strict=True) if count <= MOST_SPOKEN]
    rest = (*(items if len(spoken) < len(items) else ()), *below)
    return "\n".join((*spoken, *((EVIDENCE_BELOW, *rest) if rest else ())))


def _report(maker: Maker, words: Fitted, what: str, text: str) -> None:
    if words.cut:
        count = len(clean(text))
        maker.left_out.append(
            f"“{shortened(clean(text), 60)}”: a {what} of {count} characters does not fit and was cut. "
            "The notes show the whole text"
        )


def _has_wide_footer(maker: Maker) -> bool:
    kinds = {kind_of(shape): shape for shape in maker.template.plain.placeholders}
    footer = kinds.get(PP_PLACEHOLDER.FOOTER)
    return footer is not None and footer.width == maker.template.footer.width


def _title_size(layout: Any) -> float:
    """The size in points that a title inherits from its layout or master."""
    holders = [shape for shape in layout.placeholders if kind_of(shape) in TITLES]
    holders += [shape for shape in layout.slide_master.placeholders if kind_of(shape) in TITLES]
    styles = [shape._element.find(f"{qn('p:txBody')}/{qn('a:lstStyle')}/{qn('a:lvl1pPr')}") for shape in holders]
    styles.append(layout.slide_master._element.find(f".//{qn('p:titleStyle')}/{qn('a:lvl1pPr')}"))
    for style in styles:
        run = None if style is None else style.find(qn("a:defRPr"))
        if run is not None and run.get("sz"):
            return int(run.get("sz")) / 100
    return 28.0
