"""Content: a question answered, as a plain value: what a page shows, and what the exporters write."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from workbench.charts.cards import Card
from workbench.charts.figure import Figure
from workbench.charts.inputs import Input
from workbench.charts.tables import TableData
from workbench.model.cause import Cause


@dataclass(frozen=True, eq=False)
class Live:
    """What of a page follows the edge of a phase while it is dragged: `answer` gives its cards and tables for a Library
    with moved phases, in which the rows of the phase table have the `measures` (keys) alone."""

    measures: tuple[str, ...]
    answer: Callable[[Any], tuple[tuple[Card, ...], tuple[TableData, ...]]]


@dataclass(frozen=True, eq=False)
class Content:
    """What a page shows: question and caption in the head, cards, a figure, tables, the inputs that the user
    may change; `causes` stand in place of the tables where a page groups problems; `empty` replaces all, and
    `nothing_open` offers the ways to open something."""

    question: str
    caption: str = ""
    cards: tuple[Card, ...] = ()
    figure: Figure | None = None
    tables: tuple[TableData, ...] = ()
    empty: str = ""
    nothing_open: bool = False
    inputs: tuple[Input, ...] = ()
    live: Live | None = None
    causes: tuple[Cause, ...] = ()
