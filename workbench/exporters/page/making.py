"""Collects colours, arrays, charts and omissions while a page is written. Also escapes text and data.

Text from names is escaped, so it is never read as markup or script.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from html import escape
from typing import Any, Protocol

from workbench.charts.figure import Figure
from workbench.charts.palette import ThemeName
from workbench.exporters.document.document import Slide
from workbench.exporters.page.charts import Arrays
from workbench.exporters.page.colours import Colours
from workbench.exporters.texts import allowed, plain_text

MOST_BYTES = 3_600_000
"""Maximum size of the appendix of one study. The whole page stays below 4 MB per study."""


class Drawing(Protocol):
    """Draws still images; the caller passes in the drawing code of the window."""

    def svg(self, figure: Figure, size: tuple[int, int], identity: str) -> str:
        """A figure of this size (pixels) as an .svg element; `identity` is the prefix of its ids."""

    def claims(self, slide: Slide, size: tuple[int, int], identity: str, theme: ThemeName) -> str:
        """The claims of a slide as .svg."""


@dataclass
class PageMaking:
    """A page while it is written."""

    drawing: Drawing | None = None
    colours: Colours = field(default_factory=Colours)
    arrays: Arrays = field(default_factory=Arrays)
    charts: dict[str, object] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    folded: bool = False


_INERT = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"})


# Attributes with text for people.
_WORDED = ("title", "aria_label", "alt", "content")


def held(text: str) -> str:
    """Text escaped for an element or a quoted attribute."""
    return escape(plain_text(text), quote=True)


def script_json(data: Any) -> str:
    """Data for a `<script type="application/json">`, without NaN and without anything that could end the element."""
    text = json.dumps(_plain(data), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.translate(_INERT)


def _plain(data: Any) -> Any:
    if isinstance(data, str):
        return allowed(data)
    if isinstance(data, dict):
        return {key: _plain(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_plain(value) for value in data]
    return data


def element(name: str, text: str, **attributes: str) -> str:
    """An element as markup, `<name attributes>text</name>`, everything escaped; `class_` becomes class."""
    return f"<{name}{attributes_of(**attributes)}>{held(text)}</{name}>"


def _held_in(name: str, value: str) -> str:
    """The value of an attribute: words in the language of the page, other values unchanged."""
    return held(value) if name in _WORDED else escape(allowed(value), quote=True)


def attributes_of(**attributes: str) -> str:
    """Attributes with a blank before each. Underscores become dashes; a final underscore is removed."""
    return "".join(
        f' {name.rstrip("_").replace("_", "-")}="{_held_in(name, value)}"'
        for name, value in attributes.items()
        if value
    )
