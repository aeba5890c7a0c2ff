"""The colours of the user's presentation: its ground, its text, and which of our themes stands out on it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.oxml import parse_xml
from pptx.oxml.ns import qn

from workbench.charts.palette import THEMES, ThemeName, Tokens, contrast, luminance
from workbench.exporters.chart_plan import pale

_LIGHT_GROUND = 0.35
# Text is read from here on (WCAG 2.2); quiet text keeps this share of its colour.
_READ, _QUIET = 4.5, 0.3


def theme_of(layout: Any) -> ThemeName:
    """Whether the ground of a layout is light or dark. Where a picture hides it, the text of the master says it: light
    text stands on a dark ground."""
    ground = _ground(layout) or _ground(layout.slide_master)
    if ground is not None:
        return "dark" if luminance(ground) < _LIGHT_GROUND else "light"
    text = _scheme_colour(layout, "tx1")
    return "dark" if text is not None and luminance(text) > 0.5 else "light"


def tokens_of(layout: Any, theme: ThemeName) -> Tokens:
    """Our colours of the theme with the ground and the text of the layout, where that text can be read on it."""
    ours = THEMES[theme]
    ground = _ground(layout) or _ground(layout.slide_master) or ours.card
    text = _scheme_colour(layout, "tx1") or ours.text
    if contrast(text, ground) < _READ:
        text = max(("#000000", "#ffffff", ours.text), key=lambda ink: contrast(ink, ground))
    quiet = pale(text, ground, _QUIET)
    quiet = quiet if contrast(quiet, ground) >= _READ else text
    return replace(ours, card=ground, ground=ground, text=text, quiet=quiet, line=pale(text, ground, 0.85))


def _ground(of: Any) -> str | None:
    """The colour behind a layout or master; None of a picture, and where it has none of its own."""
    background = of._element.find(f".//{qn('p:bg')}")
    if background is None or background.find(f".//{qn('a:blip')}") is not None:
        return None
    plain = background.find(f".//{qn('a:srgbClr')}")
    if plain is not None:
        return f"#{plain.get('val')}"
    named = background.find(f".//{qn('a:schemeClr')}")
    return None if named is None else _scheme_colour(of, named.get("val"))


def _scheme_colour(of: Any, name: str) -> str | None:
    """`#rrggbb` of a theme colour as the layout, else its master, maps it (bg1 -> lt1, …)."""
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
