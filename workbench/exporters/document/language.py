"""Pages and documents in another language: the texts of each value that are translated. Names are not translated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

from workbench.answers.storyboard.answer import MEASURED, OWN, PRICE, REASON, RECOMMENDATION, RECOMMENDED, SURE, Fact
from workbench.charts.claim import BarClaim, ClaimBar, FindingCard, Lead, Statement, TimeClaim, TimeRow
from workbench.charts.content import Card, Content, Listing
from workbench.charts.figure import Axis, Band, Bars, Figure, Heatmap, Line, Moment, Panel, Points, Region
from workbench.charts.inputs import Input
from workbench.charts.tables import Cell, Column, TableData
from workbench.exporters.document.document import BENCHMARK_METHODS, METHODS, SHORT_METHODS, Document, Section, Slide
from workbench.model.problem import Cause, Problem, begun
from workbench.words.captions import whole_lines
from workbench.words.translated import now_spoken, speaking, speaks_english, spoken_cell, spoken_words

# The fixed words of documents, in addition to those of pages and tables.
FRAME = (
    *(RECOMMENDATION, MEASURED, SURE, REASON, PRICE, OWN),
    *(
        "Agenda",
        "Summary",
        "Findings",
        "More findings",
        "Appendix",
        "Contents",
        "Pages",
        "Method",
        "Problems",
        "Sources",
    ),
    *("Omitted", "Limitations", "Method and limitations", "All values", "No known limitations."),
    *(
        "Disks, hosts and cache RAM of each configuration",
        "Not compared",
        "RAM for the cache",
        "One run each",
        "None.",
        "Evidence",
        "study",
    ),
    RECOMMENDED.strip(),
    *BENCHMARK_METHODS,
    *SHORT_METHODS,
    *METHODS,
)

# The least number of blanks in a clause.
_CLAUSE = 2

T = TypeVar("T")
S = TypeVar("S", Document, Slide)
_OF_FIGURE = ("question", "caption", "summary", "empty", "note", "method", "panels")
_OF_PANEL = ("title", "subtitle", "x", "y", "marks")
# The texts of each value, and the parts that have texts.
_EVERYWHERE: dict[type, tuple[str, ...]] = {
    Card: ("title", "short", "spoken", "value", "unit", "note", "detail"),
    Cell: ("text", "tip", "brief"),
    Figure: _OF_FIGURE,
    Axis: ("label", "unit", "categories", "full", "zone"),
    Line: ("name",),
    Band: ("name",),
    Bars: ("name", "words"),
    Heatmap: ("name",),
    Points: ("name", "names"),
    BarClaim: ("bars", "change", "ends", "outlined", "left_out"),
    ClaimBar: ("words", "stack_words"),
    TimeClaim: ("rows", "moments", "foot"),
    TimeRow: ("words",),
}
_DOCUMENT: Mapping[type, tuple[str, ...]] = _EVERYWHERE | {
    Document: (
        *("subtitle", "slides", "appendix", "summary", "limits", "method", "problems", "sections", "sources"),
        "remarks",
    ),
    Slide: ("title", "evidence", "notes", "caveats", "also", "facts", "claims", "figure", "tables", "lists"),
    Fact: ("label", "words", "note", "said"),
    Section: ("name", "content", "elsewhere"),
    Content: ("question", "caption", "empty", "cards", "figure", "tables", "method"),
    Panel: (*_OF_PANEL, "regions", "moments"),
    Moment: ("words", "lines"),
    TableData: ("columns", "rows", "name", "legend", "method"),
    Column: ("title", "unit", "tip"),
}
# The window finds tables, columns, regions and moments by their texts. It translates all but regions as it draws them.
_WINDOW: Mapping[type, tuple[str, ...]] = _EVERYWHERE | {
    Content: (
        *("question", "caption", "empty", "advice", "cards", "figure", "tables", "method", "listing", "lead"),
        *("inputs", "causes"),
    ),
    Panel: (*_OF_PANEL, "regions"),
    TableData: ("columns", "rows", "legend", "method"),
    Column: ("tip",),
    Listing: ("table", "inputs"),
    Input: ("tip",),
    Lead: ("findings", "caption", "banner", "statement"),
    FindingCard: ("sentence", "number", "foot", "tip", "claim"),
    Statement: ("why", "next_steps"),
    Cause: ("title", "done", "noun", "problems"),
    Problem: ("message", "action"),
}


def in_language(shown: S) -> S:
    """A document or a slide in the current language."""
    if speaks_english():
        return shown
    made: Any = _in(_DOCUMENT, shown)
    translated: S = replace(made, language=now_spoken()[0]) if isinstance(shown, Document) else made
    return translated


def page_in_language(content: Content) -> Content:
    """The content of a page of the window in the current language, also while an edge is dragged."""
    live, language = content.live, now_spoken()

    def moved(library: Any) -> tuple[tuple[Card, ...], tuple[TableData, ...]]:
        with speaking(*language):
            return _in(_WINDOW, live.answer(library))  # type: ignore[union-attr]

    return replace(_in(_WINDOW, content), live=live and replace(live, answer=moved))


def _in(texts: Mapping[type, tuple[str, ...]], value: T) -> T:
    """The value with its texts translated. The property that an axis counts whole things is kept."""
    made: Any = value
    if isinstance(value, Region):
        made = replace(made, **{"shown" if texts is _WINDOW else "name": spoken_words(value.words)})
    elif isinstance(value, str):
        made = spoken_words(value)
    elif isinstance(value, tuple):
        made = tuple(_in(texts, part) for part in value)
    elif fields := texts.get(type(value)):
        parts = {name: getattr(value, name) for name in fields}
        if "method" in parts:
            parts["method"] = whole_lines(parts["method"])
        alone = isinstance(value, Card | Cell)
        made = replace(made, **{n: spoken_cell(part) if alone else _in(texts, part) for n, part in parts.items()})
    translated: T = replace(made, counted=value.counts) if isinstance(value, Axis) else made
    return _as_sentences(value, translated)


def _as_sentences(value: Any, made: T) -> T:
    """The translated value, with a capital at the start of its texts that stand alone. English has small letters there.
    The title of a cause is translated even if a configuration has the same name."""
    said: Any = made
    if isinstance(value, Input):
        said = replace(said, tip=_begun_lines(value.tip, said.tip))
    elif isinstance(value, Card):
        said = replace(said, note=_asked(said.note), detail=_asked(said.detail))
    elif isinstance(value, Cause):
        language, names = now_spoken()
        with speaking(language, names - {value.title}):
            said = replace(said, title=spoken_words(value.title))
    complete: T = said
    return complete


def _begun_lines(english: str, said: str) -> str:
    """The lines with a capital where they are sentences; a name at the start of a line stays."""
    lines, before = said.split("\n"), english.split("\n")
    if len(lines) != len(before):
        return said
    return "\n".join(
        begun(line) if line.count(" ") >= _CLAUSE and line.split(" ")[0] != was.split(" ")[0] else line
        for line, was in zip(lines, before, strict=True)
    )


def _asked(said: str) -> str:
    """The text with a capital if it asks the user to do something."""
    return begun(said) if " Sie " in said and " · " not in said else said
