"""Text and data inside a page: whatever a name holds, it is read as text and never as markup or script."""

from __future__ import annotations

import json
from html import escape
from typing import Any

from workbench.exporters.texts import plain_text

_INERT = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"})


def held(text: str) -> str:
    """Text for an element or a quoted attribute."""
    return escape(plain_text(text), quote=True)


def script_json(data: Any) -> str:
    """Data for a `<script type="application/json">`; no NaN, and nothing that could end the element."""
    text = json.dumps(_plain(data), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.translate(_INERT)


def _plain(data: Any) -> Any:
    if isinstance(data, str):
        return plain_text(data)
    if isinstance(data, dict):
        return {key: _plain(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_plain(value) for value in data]
    return data


def element(name: str, text: str, **attributes: str) -> str:
    """`<name attributes>text</name>`, everything escaped; `class_` stands for class."""
    return f"<{name}{attributes_of(**attributes)}>{held(text)}</{name}>"


def attributes_of(**attributes: str) -> str:
    """Attributes with a blank before each; underscores become dashes, a last one is dropped."""
    return "".join(
        f' {name.rstrip("_").replace("_", "-")}="{held(value)}"' for name, value in attributes.items() if value
    )
