"""Limits as the text of a limits.toml."""

from __future__ import annotations

import json
from collections.abc import Sequence

from workbench.answers.limits.limit import Limit

_HEAD = "# Acceptance limits: docs/formats.md explains each key.\n"


def limits_toml(limits: Sequence[Limit]) -> str:
    """The text, which `parse_limits` reads as the same limits. That of no limits says so, and is not empty."""
    return _HEAD + "".join(f"\n[[limits]]\n{_lines(limit)}" for limit in limits)


def _lines(limit: Limit) -> str:
    entries: list[tuple[str, str]] = [("name", _text(limit.name))] if limit.name else []
    entries.append(("measure", _text(limit.measure)))
    entries += [(key, _text(value)) for key, value in (("phase", limit.phase), ("against", limit.against)) if value]
    if limit.bound is not None:
        entries.append(("at_most" if limit.at_most else "at_least", f"{limit.bound:.15g}"))
    if limit.configurations:
        entries.append(("configurations", f"[{', '.join(map(_text, limit.configurations))}]"))
    return "".join(f"{key} = {value}\n" for key, value in entries)


def _text(value: str) -> str:
    """A basic string of TOML: that of JSON, but for one control character."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
