"""Content: the answer to a question as a plain value, shown by a page and written by the exporters."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from workbench.charts.claim import Lead
from workbench.charts.figure import Figure, FigureSource, Look
from workbench.charts.inputs import Form, Input
from workbench.charts.tables import OwnColumn, TableData, with_own_columns
from workbench.model.problem import Cause
from workbench.words.captions import as_sentences, capital, has_words
from workbench.words.numbers import MINUS, MISSING


@dataclass(frozen=True, eq=False)
class Live:
    """The part of a page that follows a phase edge while it is dragged.

    `answer` returns its cards and tables for a Library with moved phases. Rows of the phase table then have only the
    `measures` (keys).
    """

    measures: tuple[str, ...]
    answer: Callable[[Any], tuple[tuple[Card, ...], tuple[TableData, ...]]]


@dataclass(frozen=True, eq=False)
class Listing:
    """Rows of configurations, shown instead of cards if there are many.

    `filter` selects them and the `inputs` group and sort them. Those that the figure draws are ticked. `drawn` are
    their labels, `total` is the number of all.
    """

    table: TableData
    filter: str
    inputs: tuple[Input, ...]
    drawn: tuple[str, ...]
    total: int

    @property
    def words(self) -> str:
        """The number of drawn configurations, for a caption."""
        return f"Shown: {len(self.drawn)} of {self.total} configurations"


@dataclass(frozen=True, eq=False)
class Content:
    """The content of a page: question and caption, cards, a figure, tables, and inputs that the user may change.

    `empty` replaces everything. `nothing_open` offers ways to open something; `to_add` offers to add missing data. With
    many configurations a `listing` replaces the cards, and the figure draws some of them. On screen a `lead` with its
    own caption replaces the cards. `causes` replace the tables on a page that groups problems; a `story` (a ShownStory)
    replaces them on the storyboard. `tabled`: the first table is the answer, and a slide shows it instead of a chart.
    `data` replaces the numbers of the chart in a data file. `form` has the questions of a page before it writes (a
    KitForm on the page that prepares a test); only the window shows it. `offers` are the words and the key of a window
    command, shown as a button. `method` has short sentences on how to read the page, without those of its figure and
    tables.
    """

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

    def with_own_columns(self, names: Sequence[str], own: Sequence[OwnColumn]) -> Content:
        """The content with the user's columns in its tables, also while an edge is dragged. `names` are the names of
        tables that have none."""

        def widened(tables: Sequence[TableData]) -> tuple[TableData, ...]:
            default = (*names, *[""] * len(tables))
            return tuple(with_own_columns(t, t.name or name, own) for t, name in zip(tables, default, strict=False))

        def moved(library: Any) -> tuple[tuple[Card, ...], tuple[TableData, ...]]:
            cards, tables = live.answer(library)  # type: ignore[union-attr]
            return cards, widened(tables)

        live = self.live
        return replace(self, tables=widened(self.tables), live=None if live is None else replace(live, answer=moved))

    @property
    def definitions(self) -> tuple[str, ...]:
        """The distinct method lines of the page and of its figure, for documents."""
        return tuple(dict.fromkeys((*self.method, *(self.figure.method if self.figure is not None else ()))))

    @property
    def whole_method(self) -> tuple[str, ...]:
        """The distinct method lines of the page, its figure and its tables, for the window."""
        of_tables = (line for table in self.tables for line in table.method)
        return tuple(dict.fromkeys((*self.definitions, *of_tables)))


# The sign of the change is missing if it is zero.
_CHANGE = re.compile(rf"[+{MINUS}]?\d[\d.,\s]*%")


def _begun(part: str) -> str:
    """The part with a capital first letter if it starts with a word: `p95` and `n = 3` are symbols."""
    return capital(part) if re.match(r"[^\W\d_]{2,}(?!\w)", part) else part


@dataclass(frozen=True, slots=True)
class Card:
    """`title` with the look of the configuration, `value` with `unit` in large type, `note` and `detail` small below.
    `source` links the value to its samples. `short` is a shorter title, if the title is a long name. `spoken` is the
    title in a sentence for screen readers, with quoted names."""

    title: str
    look: Look
    value: str
    unit: str
    note: str
    detail: str = ""
    source: FigureSource | None = None
    short: str = ""
    spoken: str = ""

    @property
    def heading(self) -> str:
        """The title as it is shown."""
        return self.short or self.title

    def sentences(self, change: str) -> str:
        """The card as text for screen readers: `'MCSIO 4 GB': 7.35 IOPS. Change from the baseline −93.0 %, n = 3.` No
        fact is repeated, and a missing value is not read. `change` are the words before a change from the baseline."""
        value = "" if self.value == MISSING else " ".join(filter(None, (self.value, self.unit)))
        named = [value, *self.note.split(" · ")]
        if self.spoken:
            at = 1 if self.unit else 0
            named[at : at + 1] = [f"{change} {part}" if _CHANGE.match(part) else part for part in named[at : at + 1]]
        parts: list[str] = []
        for part in (*named, *self.detail.split(" · ")):
            if part and not any(has_words(known, part) for known in parts):
                parts.append(_begun(part) if parts else part)
        return f"{self.spoken or self.title}: {as_sentences(parts)}" if parts else self.spoken or self.title
