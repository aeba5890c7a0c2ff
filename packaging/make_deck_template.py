"""Makes resources/deck.pptx, the look of the slides: `python packaging/make_deck_template.py`.

It starts from python-pptx's own empty presentation and changes the size to 16:9, the positions, the theme colours and
the fonts. Two layouts remain: a title slide, and a title above an empty area. Dark slides swap the theme's light and
dark colours in the master's colour map, so both share this file.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from pptx import Presentation
from pptx.enum.dml import MSO_THEME_COLOR
from pptx.enum.shapes import MSO_SHAPE
from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls
from pptx.util import Inches

from workbench.charts.palette import HUES, THEMES

TARGET = Path(__file__).resolve().parents[1] / "resources" / "deck.pptx"
WIDTH, HEIGHT, MARGIN = 13.333, 7.5, 0.55
KEPT = ("Title Slide", "Title Only")
_LIGHT, _DARK = THEMES["light"], THEMES["dark"]
# The names of the theme colours, each with its new colour.
COLOURS = {
    "dk1": _LIGHT.text,
    "lt1": "#ffffff",
    "dk2": _LIGHT.quiet,
    "lt2": _DARK.quiet,
    "accent1": HUES["light"]["MCS"],
    "accent2": HUES["light"]["MCSIO"],
    "accent3": HUES["light"]["PVS"],
    "accent4": HUES["light"]["other"],
    "accent5": HUES["light"]["accent"],
    "accent6": _LIGHT.quiet,
    "hlink": HUES["light"]["accent"],
    "folHlink": HUES["light"]["other"],
}


def main() -> None:
    """Writes the template."""
    deck = Presentation()
    deck.slide_width, deck.slide_height = Inches(WIDTH), Inches(HEIGHT)
    for layout in list(deck.slide_layouts):
        if layout.name not in KEPT:
            deck.slide_layouts.remove(layout)
    master = deck.slide_master
    _theme(master)
    _master(master)
    for layout in deck.slide_layouts:
        _layout(layout)
    deck.core_properties.title = "VDI Workbench"
    deck.core_properties.author = "VDI Workbench"
    deck.save(str(TARGET))


def _theme(master: Any) -> None:
    part = master.part.part_related_by(RT.THEME)
    xml = part.blob.decode("utf-8")
    for name, colour in COLOURS.items():
        new = f'<a:{name}><a:srgbClr val="{colour[1:].upper()}"/></a:{name}>'
        xml, count = re.subn(rf"<a:{name}>.*?</a:{name}>", new, xml, flags=re.DOTALL)
        assert count == 1, name
    part._blob = xml.encode("utf-8")


def _master(master: Any) -> None:
    bar = master.shapes._spTree  # the accent next to the title; a master has no add_shape
    places = {
        "TITLE": (MARGIN, 0.35, WIDTH - 2 * MARGIN, 0.95),
        "BODY": (MARGIN, 1.45, WIDTH - 2 * MARGIN, 5.1),
        "DATE": (9.5, 6.9, 1.6, 0.4),
        "FOOTER": (MARGIN, 6.82, 11.4, 0.5),
        "SLIDE_NUMBER": (12.1, 6.82, WIDTH - MARGIN - 12.1, 0.5),
    }
    for shape in list(master.placeholders):
        kind = shape.placeholder_format.type.name
        if kind == "DATE":
            bar.remove(shape._element)
            continue
        _place(shape, places[kind])
    styles = master._element.find(".//{*}titleStyle/{*}lvl1pPr")
    styles.set("algn", "l")
    run = styles.find("{*}defRPr")
    run.set("sz", "2600")
    run.set("b", "1")
    for shape in master.placeholders:
        kind = shape.placeholder_format.type.name
        if kind in ("FOOTER", "SLIDE_NUMBER"):
            level = shape._element.find(".//{*}lvl1pPr")
            level.set("algn", "l" if kind == "FOOTER" else "r")
            level.find("{*}defRPr").set("sz", "1100")
            colour = level.find(".//{*}schemeClr")
            colour.set("val", "tx2")
            for child in list(colour):
                colour.remove(child)
        if kind == "TITLE":
            shape.text_frame._txBody.bodyPr.set("lIns", "0")
        if kind == "FOOTER":
            shape.text_frame._txBody.bodyPr.set("lIns", "0")


def _layout(layout: Any) -> None:
    for shape in list(layout.placeholders):
        kind = shape.placeholder_format.type.name
        if kind == "DATE":
            layout.shapes._spTree.remove(shape._element)
            continue
        element = shape._element.find(".//{*}xfrm")
        if element is not None:
            element.getparent().remove(element)
        if kind == "CENTER_TITLE":
            _place(shape, (1.2, 2.1, WIDTH - 2.4, 1.7))
            shape.text_frame._txBody.bodyPr.set("anchor", "b")
            _list_style(shape, 40, "tx1", bold=True)
        elif kind == "SUBTITLE":
            _place(shape, (1.2, 3.95, WIDTH - 2.4, 1.6))
            _list_style(shape, 20, "tx2", bold=False)
    left, top, height = (0.75, 2.1, 3.45) if layout.name == "Title Slide" else (0.0, 0.42, 0.8)
    _bar(layout, left, top, 0.12, height)


def _list_style(shape: Any, size: int, colour: str, bold: bool) -> None:
    style = shape._element.find(".//{*}lstStyle")
    for child in list(style):
        style.remove(child)
    style.append(
        parse_xml(
            f'<a:lvl1pPr {nsdecls("a")} marL="0" indent="0" algn="l"><a:buNone/>'
            f'<a:defRPr sz="{size * 100}" b="{int(bold)}"><a:solidFill><a:schemeClr val="{colour}"/></a:solidFill>'
            "</a:defRPr></a:lvl1pPr>"
        )
    )


def _bar(layout: Any, left: float, top: float, width: float, height: float) -> None:
    """A bar in the accent colour. Layouts have no add_shape, so the bar is made on a slide and moved."""
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    shape = slide.shapes.add_shape(MSO_SHAPE.RECTANGLE, Inches(left), Inches(top), Inches(width), Inches(height))
    shape.name = "Accent"
    shape.fill.solid()
    shape.fill.fore_color.theme_color = MSO_THEME_COLOR.ACCENT_5
    shape.line.fill.background()
    element = shape._element
    style = element.find("{*}style")
    if style is not None:
        element.remove(style)
    element.nvSpPr.cNvPr.set("id", "99")
    layout.shapes._spTree.insert(2, element)


def _place(shape: Any, box: tuple[float, float, float, float]) -> None:
    shape.left, shape.top, shape.width, shape.height = (Inches(side) for side in box)


if __name__ == "__main__":
    main()
