"""Card: one large number of an answer, with what it rests on."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.charts.figure import Look, Source


@dataclass(frozen=True, slots=True)
class Card:
    """`title` (with the configuration's look), `value` with `unit` large, `note` and `detail` quiet below;
    `source` leads the value to its samples."""

    title: str
    look: Look
    value: str
    unit: str
    note: str
    detail: str = ""
    source: Source | None = None
