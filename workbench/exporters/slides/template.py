"""The presentation for the slides: the program's own, or the user's, with layouts recognised by their placeholders.

A layout is chosen by the types of its placeholders, never by its name, because names are translated and renamed. If a
layout lacks a title or a footer, a text box takes its place.

The background and text colours of the user's presentation decide which theme is used.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from lxml import etree
from pptx import Presentation
from pptx.enum.shapes import PP_PLACEHOLDER
from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.opc.packuri import PackURI
from pptx.oxml import parse_xml
from pptx.oxml.ns import qn

from workbench.charts.palette import THEMES, ThemeName, Tokens, contrast, luminance
from workbench.exporters.chart_plan import pale
from workbench.exporters.safe_file import ExportError
from workbench.exporters.slides.native_chart import SlideBox
from workbench.model.resources import resource

_TEMPLATE_TYPE = b"presentationml.template.main+xml"
_DECK_TYPE = b"presentationml.presentation.main+xml"
_CONTENT_TYPES = "[Content_Types].xml"
TITLES = frozenset((PP_PLACEHOLDER.TITLE, PP_PLACEHOLDER.CENTER_TITLE))
BODIES = frozenset((PP_PLACEHOLDER.BODY, PP_PLACEHOLDER.OBJECT, PP_PLACEHOLDER.VERTICAL_BODY))
FEET = frozenset((PP_PLACEHOLDER.FOOTER, PP_PLACEHOLDER.DATE, PP_PLACEHOLDER.SLIDE_NUMBER))
_INCH = 914_400
# Minimum size of a chart and of a title, in inches.
_LEAST_WIDE, _LEAST_HIGH = 4.0, 2.0
_NEXT = "Add one to its slide master in PowerPoint (View, Slide Master), or choose another template."


@dataclass(frozen=True, eq=False)
class Template:
    """An opened presentation: the layouts for a title slide and for all others, and their boxes.

    `own` is True for the program's own presentation. `body` is between title and footer; `footer` is a footer wide
    enough for a sentence. `listed` is the layout whose only body takes a list (None: there is none). `tokens` are the
    colours.
    """

    deck: Any
    cover: Any
    plain: Any
    theme: ThemeName
    own: bool
    title: SlideBox
    body: SlideBox
    footer: SlideBox
    tokens: Tokens
    listed: Any = None


def open_template(path: Path | None, theme: ThemeName) -> Template:
    """The user's presentation (.pptx or .potx), otherwise the program's own. Raises `ExportError` with a sentence."""
    if path is None:
        deck = Presentation(str(resource("deck.pptx")))
        if theme == "dark":
            _darken(deck)
        return _template(deck, theme, own=True)
    deck = _opened(path)
    if not any(master.slide_layouts for master in deck.slide_masters):
        raise ExportError(f"{path.name} has no slide layout. {_NEXT}")
    template = _template(deck, None, own=False)
    wide, high = template.body.width / _INCH, template.body.height / _INCH
    if wide < _LEAST_WIDE or high < _LEAST_HIGH:
        raise ExportError(
            f"{path.name} has no layout with room for a chart: between title and footer of “{template.plain.name}” "
            f"there are {max(wide, 0):.1f} × {max(high, 0):.1f} inches, and a chart needs {_LEAST_WIDE:.0f} × "
            f"{_LEAST_HIGH:.0f}. {_NEXT}"
        )
    return template


# Part of the name of a layout shape that marks the place of a logo.
_LOGO = "logo"


def logo_place(template: Template) -> SlideBox:
    """The box of the logo on the cover: the shape that its layout names as logo or has for an image, otherwise the
    first corner without a title or image of the template."""
    layout = template.cover
    own = next((shape for shape in layout.placeholders if kind_of(shape) is PP_PLACEHOLDER.PICTURE), None)
    marked = (shape for shape in layout.shapes if _LOGO in shape.name.casefold() and not hasattr(shape, "image"))
    own = next(marked, own)
    if (box := _box(own)) is not None:
        return box
    wide, high, edge = round(2.4 * _INCH), round(0.9 * _INCH), round(0.4 * _INCH)
    right, bottom = template.deck.slide_width - wide - edge, template.deck.slide_height - high - edge
    shapes = [*layout.shapes, *(shape for shape in layout.slide_master.shapes if not shape.is_placeholder)]
    taken = [box for shape in shapes if not (shape.is_placeholder and kind_of(shape) in FEET) and (box := _box(shape))]
    corners = [SlideBox(x, y, wide, high) for y in (edge, bottom) for x in (right, edge)]
    return next((place for place in corners if not any(_meet(place, box) for box in taken)), corners[0])


def _meet(one: SlideBox, other: SlideBox) -> bool:
    across = min(one.left + one.width, other.left + other.width) > max(one.left, other.left)
    return across and min(one.top + one.height, other.top + other.height) > max(one.top, other.top)


def kind_of(shape: Any) -> Any:
    """The type of a placeholder."""
    return shape.placeholder_format.type


def with_feet(slide: Any, kinds: Iterable[Any]) -> dict[Any, Any]:
    """Copy the layout's footer placeholders of these kinds onto the slide, because python-pptx omits them."""
    values = {}
    kept_kinds = frozenset(kinds)
    for shape in slide.slide_layout.placeholders:
        if kind_of(shape) in kept_kinds:
            element = parse_xml(_bare(shape, len(slide.shapes._spTree) + 40))
            slide.shapes._spTree.append(element)
            values[kind_of(shape)] = slide.placeholders[shape.placeholder_format.idx]
    return values


def _bare(shape: Any, number: int) -> str:
    """The placeholder without text and position of the layout, which it inherits."""
    element = deepcopy(shape._element)
    element.nvSpPr.cNvPr.set("id", str(number))
    properties = element.find(qn("p:spPr"))
    for child in list(properties):
        properties.remove(child)
    style = element.find(f"{qn('p:txBody')}/{qn('a:lstStyle')}")
    for child in list(style) if style is not None else []:
        style.remove(child)
    text: str = etree.tostring(element, encoding="unicode")
    return text


def _holds_office(data: bytes) -> bool:
    """True if the archive lists the types of its parts, as every Office file does."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return "[Content_Types].xml" in archive.namelist()


def _opened(path: Path) -> Any:
    try:
        data = path.read_bytes()
        if not zipfile.is_zipfile(io.BytesIO(data)) or not _holds_office(data):
            raise ExportError(f"{path.name} is not a PowerPoint file (.pptx or .potx). Choose another template.")
        return Presentation(io.BytesIO(_as_deck(data)))
    except OSError as error:
        raise ExportError(f"The template {path.name} could not be read: {error.strerror or error}.") from error
    except ExportError:
        raise
    except Exception as error:
        raise ExportError(
            f"The template {path.name} could not be opened: {type(error).__name__}: {error}. "
            "Save it again in PowerPoint as .pptx, or choose another."
        ) from error


def _as_deck(data: bytes) -> bytes:
    """A .potx as a .pptx: only the type of its main part differs."""
    with zipfile.ZipFile(io.BytesIO(data)) as source:
        types = source.read(_CONTENT_TYPES)
        if b"macroEnabled" in types:
            raise ExportError("The template holds macros. Save it in PowerPoint as .pptx or .potx without them.")
        if _TEMPLATE_TYPE not in types:
            return data
        target = io.BytesIO()
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as out:
            for name in source.namelist():
                part = source.read(name)
                out.writestr(name, part.replace(_TEMPLATE_TYPE, _DECK_TYPE) if name == _CONTENT_TYPES else part)
        return target.getvalue()


def _name_parts(package: Any) -> None:
    """Number new parts with a counter, because python-pptx searches all parts of a package for each new name."""
    names = {part.partname for part in package.iter_parts()}
    last: dict[str, int] = {}

    def next_partname(pattern: str) -> PackURI:
        number = last.get(pattern, 0) + 1
        while pattern % number in names:
            number += 1
        last[pattern] = number
        return PackURI(pattern % number)

    package.next_partname = next_partname


def _template(deck: Any, theme: ThemeName | None, own: bool) -> Template:
    layouts = [layout for master in deck.slide_masters for layout in master.slide_layouts]
    _name_parts(deck.part.package)
    cover = _best(layouts, _cover_score)
    plain = _best(layouts, _plain_score)
    title, body, footer = _places(deck, plain)
    kind = theme or theme_of(plain)
    tokens = THEMES[kind] if own else tokens_of(plain, kind)
    listed = None if own else next((layout for layout in layouts if _is_listed(layout)), None)
    return Template(deck, cover, plain, kind, own, title, body, footer, tokens, listed)


def _is_listed(layout: Any) -> bool:
    """True if the layout has a title and one body that is large enough for a list."""
    kinds = [kind for kind in _kinds(layout) if kind not in FEET]
    bodies = [box for shape in layout.placeholders if kind_of(shape) in BODIES and (box := _box(shape))]
    roomy = len(bodies) == 1 and min(bodies[0].width / _LEAST_WIDE, bodies[0].height / _LEAST_HIGH) >= _INCH
    return PP_PLACEHOLDER.TITLE in kinds and len(kinds) == 2 and roomy


def _best(layouts: list[Any], score: Any) -> Any:
    return max(layouts, key=lambda layout: (score(layout), -layouts.index(layout)))


def _kinds(layout: Any) -> list[Any]:
    return [kind_of(shape) for shape in layout.placeholders]


def _cover_score(layout: Any) -> int:
    kinds = _kinds(layout)
    return (
        4 * (PP_PLACEHOLDER.CENTER_TITLE in kinds)
        + 2 * (PP_PLACEHOLDER.SUBTITLE in kinds)
        + any(kind in TITLES for kind in kinds)
    )


def _plain_score(layout: Any) -> int:
    """The score of a layout: a title above an empty area is best, a title with one body next; any layout with a title
    before those without."""
    kinds = [kind for kind in _kinds(layout) if kind not in FEET]
    if PP_PLACEHOLDER.TITLE not in kinds:
        return -len(kinds)
    others = len(kinds) - 1
    if others == 0:
        return 100
    return 90 if others == 1 and any(kind in BODIES for kind in kinds) else 50 - others


def _places(deck: Any, layout: Any) -> tuple[SlideBox, SlideBox, SlideBox]:
    wide, high = int(deck.slide_width), int(deck.slide_height)
    margin = int(0.04 * wide)
    by_kind = {kind_of(shape): shape for shape in layout.placeholders}
    title = _box(by_kind.get(PP_PLACEHOLDER.TITLE)) or SlideBox(
        margin, int(0.05 * high), wide - 2 * margin, int(0.13 * high)
    )
    feet = [box for kind, shape in by_kind.items() if kind in FEET and (box := _box(shape))]
    below = [box.top for box in feet if box.top > high // 2]
    foot = min((*below, high - int(0.06 * high) if not below else high))
    bodies = [box for kind, shape in by_kind.items() if kind in BODIES and (box := _box(shape))]
    top = min(title.top + title.height, high // 2) + int(0.01 * high)
    inside = [box for box in bodies if box.top + box.height <= high]
    body = inside[0] if len(inside) == 1 == len(bodies) else SlideBox(title.left, top, title.width, foot - top)
    if body.height < 0.4 * high or body.width < 0.5 * wide:
        body = SlideBox(margin, top, wide - 2 * margin, foot - top)
    footer = _box(by_kind.get(PP_PLACEHOLDER.FOOTER))
    if footer is None or footer.width < 0.6 * wide:
        tall = int(0.075 * high)
        edge = min(body.top + body.height, foot)
        footer = SlideBox(body.left, edge - tall, body.width, tall)
        body = SlideBox(body.left, body.top, body.width, edge - tall - body.top)
    return title, body, footer


def _box(shape: Any) -> SlideBox | None:
    if shape is None or None in (sides := (shape.left, shape.top, shape.width, shape.height)):
        return None
    return SlideBox(*(int(side) for side in sides))


def _darken(deck: Any) -> None:
    """Make the program's own template dark: swap light and dark of the theme."""
    for master in deck.slide_masters:
        mapping = master._element.find(qn("p:clrMap"))
        for name, slot in (("bg1", "dk1"), ("tx1", "lt1"), ("bg2", "dk2"), ("tx2", "lt2")):
            mapping.set(name, slot)


_LIGHT_GROUND = 0.35
# Minimum contrast of readable text (WCAG 2.2); quiet text keeps this share of its colour.
_READ, _QUIET = 4.5, 0.3


def theme_of(layout: Any) -> ThemeName:
    """The theme that suits the background of a layout. If an image hides it, the text of the master decides: light text
    means a dark background."""
    ground = _ground(layout) or _ground(layout.slide_master)
    if ground is not None:
        return "dark" if luminance(ground) < _LIGHT_GROUND else "light"
    text = _scheme_colour(layout, "tx1")
    return "dark" if text is not None and luminance(text) > 0.5 else "light"


def tokens_of(layout: Any, theme: ThemeName) -> Tokens:
    """The colours of the theme, with background and text of the layout if that text is readable on it."""
    ours = THEMES[theme]
    ground = _ground(layout) or _ground(layout.slide_master) or ours.card
    text = _scheme_colour(layout, "tx1") or ours.text
    if contrast(text, ground) < _READ:
        text = max(("#000000", "#ffffff", ours.text), key=lambda ink: contrast(ink, ground))
    quiet = pale(text, ground, _QUIET)
    quiet = quiet if contrast(quiet, ground) >= _READ else text
    return replace(ours, card=ground, ground=ground, text=text, quiet=quiet, line=pale(text, ground, 0.85))


def _ground(of: Any) -> str | None:
    """The background colour of a layout or master; None for an image, or if it has no background."""
    background = of._element.find(f".//{qn('p:bg')}")
    if background is None or background.find(f".//{qn('a:blip')}") is not None:
        return None
    plain = background.find(f".//{qn('a:srgbClr')}")
    if plain is not None:
        return f"#{plain.get('val')}"
    named = background.find(f".//{qn('a:schemeClr')}")
    return None if named is None else _scheme_colour(of, named.get("val"))


def _scheme_colour(of: Any, name: str) -> str | None:
    """`#rrggbb` of a theme colour, as the layout or otherwise its master maps it (bg1 -> lt1, …)."""
    master = getattr(of, "slide_master", of)
    mapping = of._element.find(f"{qn('p:clrMapOvr')}/{qn('a:overrideClrMapping')}")
    mapping = master._element.find(qn("p:clrMap")) if mapping is None else mapping
    slot = name if mapping is None else mapping.get(name, name)
    theme = parse_xml(master.part.part_related_by(RT.THEME).blob)
    entry = theme.find(f".//{qn('a:clrScheme')}/{qn('a:' + slot)}")
    if entry is None or not len(entry):
        return None
    value = entry[0].get("lastClr") or entry[0].get("val")
    return f"#{value}" if value is not None and len(value) == 6 else None
