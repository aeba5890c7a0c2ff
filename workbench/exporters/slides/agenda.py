"""Navigation in a deck: an agenda with a link to each item, and sections."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn

from workbench.exporters.slides.fit import SUBSTITUTE, fitted
from workbench.exporters.slides.native_chart import SlideBox
from workbench.exporters.slides.words import INCH, Maker, list_height, list_notes, list_pages, put_list, put_notes
from workbench.exporters.texts import line_height

AGENDA = "Agenda"
# Columns, points, and lines per title: the first combination that fits one slide is used.
_SIZES = (*((1, 18.0, 4), (1, 16.0, 4), (1, 14.0, 4), (2, 14.0, 4), (2, 12.0, 4)), *((2, 12.0, 2), (2, 12.0, 1)))
_GAP = 0.3
# Sections are an extension of the format: [MS-PPTX] 2.4.3.15.
_P14 = "http://schemas.microsoft.com/office/powerpoint/2010/main"
_SECTIONS = "{521415D9-36F7-43E2-AB2F-B90AF26B5E84}"


@dataclass
class Agenda:
    """The items of a deck, the slide where each begins (from 0, without the template's own slides), and the text boxes
    that show them. A box is a link without the underline of one."""

    items: list[str]
    starts: list[int] = field(default_factory=list)
    shown: list[Any] = field(default_factory=list)

    def begins(self, maker: Maker) -> None:
        """Record that the next item begins with the next slide."""
        self.starts.append(maker.slides)


def put_agenda(maker: Maker, items: Sequence[str], title: str = AGENDA) -> Agenda:
    """Add the agenda in the largest size that fits one slide, in two columns if one is too long. The notes have the
    items in full."""
    agenda = Agenda(list(items))
    for columns, size, lines in _SIZES:
        boxes = _boxes(maker.template.body, columns)
        parts = list_pages(_shortened(items, boxes[0], size, lines), _narrow(boxes[0]), size)
        if len(parts) <= columns:
            break
    count = -(-len(parts) // columns)
    first = 1
    for number in range(count):
        slide = maker.plain(title if count == 1 else f"{title} ({number + 1} of {count})")
        before = first
        for part, box in zip(parts[number * columns :][:columns], boxes, strict=False):
            agenda.shown += _lines(maker, slide, box, part, size, first)
            first += len(part)
        put_notes(slide, list_notes(items[before - 1 : first - 1]))
    return agenda


def _lines(maker: Maker, slide: Any, box: SlideBox, items: Sequence[str], size: float, first: int) -> list[Any]:
    """One text box per item, one below the other."""
    shapes, top = [], box.top
    for number, item in enumerate(items, start=first):
        high = round(list_height(item, _narrow(box), size) * INCH)
        shape = put_list(maker, slide, SlideBox(box.left, top, box.width, high), [item], size, number)
        shape.name = f"{AGENDA} {number}"
        shapes.append(shape)
        top += high
    return shapes


def _boxes(body: SlideBox, columns: int) -> list[SlideBox]:
    gap = round(_GAP * INCH) * (columns - 1)
    wide = (body.width - gap) // columns
    return [SlideBox(body.left + at * (wide + gap), body.top, wide, body.height) for at in range(columns)]


def _narrow(box: SlideBox) -> SlideBox:
    """The box, narrowed to allow for a wider font in which more lines wrap."""
    return SlideBox(box.left, box.top, round(SUBSTITUTE * box.width), box.height)


def _shortened(items: Sequence[str], box: SlideBox, size: float, lines: int) -> list[str]:
    high = lines * line_height(size) + 0.01
    return [fitted(item, _narrow(box).width / INCH - 0.65, high, (size,)).text for item in items]


def link_agenda(maker: Maker, agenda: Agenda) -> None:
    """Link each line to the first slide of its item."""
    slides = list(maker.template.deck.slides)
    ours = slides[len(slides) - maker.slides :]
    for shape, start in zip(agenda.shown, agenda.starts, strict=True):
        shape.click_action.target_slide = ours[start]


def put_sections(maker: Maker, sections: Sequence[tuple[str, int]]) -> None:
    """Add sections from their names and first slides (from 0, without the template's own slides), without empty ones.
    Sections of a template stay; its slides without a section get a separate one."""
    root = maker.template.deck.part._element
    numbers = [entry.get("id") for entry in root.find(qn("p:sldIdLst"))]
    foreign, ours = numbers[: len(numbers) - maker.slides], numbers[len(numbers) - maker.slides :]
    extensions = root.find(qn("p:extLst"))
    if extensions is None:
        extensions = parse_xml(f"<p:extLst {nsdecls('p')}/>")
        root.append(extensions)
    listed = extensions.find(f".//{{{_P14}}}sectionLst")
    if listed is None:
        extension = parse_xml(f'<p:ext {nsdecls("p")} uri="{_SECTIONS}"><p14:sectionLst xmlns:p14="{_P14}"/></p:ext>')
        extensions.append(extension)
        listed = extension[0]
    known = {entry.get("id") for entry in listed.iter(f"{{{_P14}}}sldId")}
    ends = [*(start for _, start in sections[1:]), len(ours)]
    parts = [("Template", [number for number in foreign if number not in known])]
    parts += [(name, ours[start:end]) for (name, start), end in zip(sections, ends, strict=True)]
    for name, members in parts:
        if members:
            listed.append(_section(name, members))


def _section(name: str, members: Sequence[str]) -> Any:
    slides = "".join(f'<p14:sldId id="{number}"/>' for number in members)
    number = str(uuid.uuid4()).upper()
    return parse_xml(
        f'<p14:section xmlns:p14="{_P14}" name="{name}" id="{{{number}}}"><p14:sldIdLst>{slides}</p14:sldIdLst>'
        "</p14:section>"
    )
