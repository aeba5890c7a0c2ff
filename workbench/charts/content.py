"""Content: a question answered, as a plain value: what a page shows, and what the exporters write."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from workbench.charts.claim import Lead
from workbench.charts.figure import Figure, FigureSource, Look
from workbench.charts.inputs import Form, Input
from workbench.charts.tables import TableData
from workbench.model.problem import Cause


@dataclass(frozen=True, eq=False)
class Live:
    """What of a page follows the edge of a phase while it is dragged: `answer` gives its cards and tables for a Library
    with moved phases, in which the rows of the phase table have the `measures` (keys) alone."""

    measures: tuple[str, ...]
    answer: Callable[[Any], tuple[tuple[Card, ...], tuple[TableData, ...]]]


@dataclass(frozen=True, eq=False)
class Listing:
    """Rows of configurations in place of their cards, where they are many: what `filter` leaves of them, grouped and
    ordered as the `inputs` say, those that the figure draws ticked; `drawn` are their labels, `total` counts all."""

    table: TableData
    filter: str
    inputs: tuple[Input, ...]
    drawn: tuple[str, ...]
    total: int

    @property
    def words(self) -> str:
        """How many are drawn, for a caption."""
        return f"Drawn: {len(self.drawn)} of {self.total} configurations"


@dataclass(frozen=True, eq=False)
class Content:
    """What a page shows: question and caption in the head, cards, a figure, tables, the inputs that the user
    may change; `empty` replaces all, `nothing_open` offers the ways to open something, `to_add` to add what the page
    lacks. Of many configurations a `listing` stands in place of the cards, and the figure draws some of them. On a
    desk a `lead` stands in place of the cards, with its own caption; `causes` stand in place of the tables where a page
    groups problems, and a `story` (a ShownStory) on the page of the storyboard. Where it is `tabled` its first table
    is the answer, and stands on a slide in place of a chart. `data` is what a file of data holds in place of the
    numbers of the chart. `form` is what a page asks before it writes (a KitForm on
    the page that prepares a test): only the window shows it. `offers` are the words of a command of the window and its
    key: the page shows it as a button. `method` are short sentences on how the page is to be read, apart from those of
    its figure and tables."""

    question: str
    caption: str = ""
    cards: tuple[Card, ...] = ()
    figure: Figure | None = None
    tables: tuple[TableData, ...] = ()
    empty: str = ""
    nothing_open: bool = False
    to_add: bool = False
    inputs: tuple[Input, ...] = ()
    live: Live | None = None
    listing: Listing | None = None
    lead: Lead | None = None
    causes: tuple[Cause, ...] = ()
    advice: str = ""
    story: Any = None
    tabled: bool = False
    data: TableData | None = None
    offers: tuple[str, str] | None = None
    form: Form | None = None
    method: tuple[str, ...] = ()

    @property
    def definitions(self) -> tuple[str, ...]:
        """The method of the page and of its figure, each line once: what a document says of them."""
        return tuple(dict.fromkeys((*self.method, *(self.figure.method if self.figure is not None else ()))))

    @property
    def whole_method(self) -> tuple[str, ...]:
        """The definitions with those of the tables, each line once: what the window says of the page."""
        of_tables = (line for table in self.tables for line in table.method)
        return tuple(dict.fromkeys((*self.definitions, *of_tables)))


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
    source: FigureSource | None = None
