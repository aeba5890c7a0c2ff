"""Contents: the answers of all pages with each of their views, for exports.

Pages can be exported as shown on screen: in the current view, zoomed to a part of x.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from workbench.answers.common.choices import Choices, SavedView
from workbench.answers.common.library import Library
from workbench.answers.common.spec import PageSpec
from workbench.answers.registry import PAGES
from workbench.charts.content import Content
from workbench.charts.decimate import visible
from workbench.charts.figure import Band, Figure, Heatmap, Line, Mark, Panel, Points
from workbench.charts.hidden import without_hidden
from workbench.charts.marked import lit_figure
from workbench.exporters.job import DocumentPart
from workbench.exporters.safe_file import LEFT_OUT, failure_words
from workbench.model.problem import failures
from workbench.study.store.columns import ColumnsError


@dataclass(frozen=True, eq=False)
class Contents:
    """The parts, study by study in the order of the sidebar, parts about all studies last. `left_out` has sentences on
    pages with nothing to show."""

    parts: tuple[DocumentPart, ...]
    left_out: tuple[str, ...]


def contents(
    library: Library,
    choices: Choices,
    only: Sequence[str] = (),
    every_study: bool = True,
    tell: Callable[[str, float], None] = lambda _what, _share: None,
) -> Contents:
    """Every page with each of its views; `only` limits them to pages (`cache`) or views (`cache:sweep`).

    Includes every study with runs, or only the current one. Empty parts are omitted and named. `tell` is called with
    the current step and the share of the first half: writing is the second half.
    """
    studies = [study.folder for study in library.with_runs] if every_study else [choices.study]
    names = {study.folder: study.name for study in library.with_runs} if len(studies) > 1 else {}
    of_all = [spec for spec in PAGES if spec.of_every_study]
    of_one = [spec for spec in PAGES if not spec.of_every_study]
    if every_study:
        choices = replace(choices, alone=(*((spec.key, "") for spec in of_all), *choices.alone))
    pages = [(spec, folder) for folder in studies or [None] for spec in of_one]
    pages += [(spec, choices.study) for spec in of_all]
    views = [
        (spec, folder, view)
        for spec, folder in pages
        for view in _written(spec)
        if not only or spec.key in only or f"{spec.key}:{view}" in only
    ]
    parts = []
    for done, (spec, folder, view) in enumerate(views):
        tell(spec.name, done / len(views) / 2)
        name = "" if spec.of_every_study else names.get(folder or "", "")
        parts.append(_part(spec, view, library, replace(choices, study=folder), name))
    return _without_empty(parts)


def _written(spec: PageSpec) -> list[str]:
    """The views that are exported, without those that only the window can draw."""
    return [key for key, _ in spec.views or (("", ""),) if key != spec.own_view]


def shown_now(library: Library, choices: Choices, span: tuple[float, float] | None = None) -> Contents:
    """The current page in its current view."""
    spec = next(spec for spec in PAGES if spec.key == choices.page)
    view = choices.page_view(spec.key) or (spec.views[0][0] if spec.views else "")
    return _without_empty([_as_looked_at(_part(spec, view, library, choices, ""), span, choices.lit_vm)])


def saved_views(library: Library, choices: Choices, views: Iterable[SavedView]) -> Contents:
    """Each saved view under its own name."""
    parts = []
    for view in views:
        seen = choices.looking_at(view)
        if (spec := next((spec for spec in PAGES if spec.key == view.page), None)) is not None:
            part = _part(spec, seen.page_view(view.page), library, seen, "")
            parts.append(_as_looked_at(replace(part, name=view.name), view.span, view.lit_vm))
    return _without_empty(parts)


def page_part(library: Library, choices: Choices, page: str, view: str) -> DocumentPart | None:
    """One view of a page ("": its first); None for an unknown page."""
    spec = next((spec for spec in PAGES if spec.key == page), None)
    if spec is None:
        return None
    return _part(spec, view or (spec.views[0][0] if spec.views else ""), library, choices, "")


def page_keys() -> tuple[str, ...]:
    """The valid names for `only`."""
    views = {spec.key: [f"{spec.key}:{view}" for view in _written(spec) if view] for spec in PAGES}
    drawn_alone = {spec.key for spec in PAGES if not _written(spec)}
    return tuple(name for key, named in views.items() if key not in drawn_alone for name in (key, *named))


def _part(spec: PageSpec, view: str, library: Library, choices: Choices, study: str) -> DocumentPart:
    seen = replace(choices, page=spec.key)
    if view:
        seen = seen.with_page_view(spec.key, view)
    words = dict(spec.views).get(view, "")
    name = f"{spec.name}, {_within(words)}" if words else spec.name
    named = f"{study}: {name}" if study else name
    folder = "" if spec.of_every_study else choices.study or ""
    content = answered(spec, library, seen)
    figure = content.figure
    if figure is not None and figure.empty and not content.cards and not any(table.rows for table in content.tables):
        content = replace(content, empty=content.empty or figure.empty)
    return DocumentPart(spec.key, view, named, content, study, folder=folder)


def _as_looked_at(part: DocumentPart, span: tuple[float, float] | None, lit_vm: str | None) -> DocumentPart:
    """The part as shown on screen: zoomed to the span, with the VM highlighted."""
    figure = part.content.figure
    if figure is None or figure.empty:
        return part
    shown = lit_figure(figure, lit_vm)
    shown = shown if span is None else zoomed(shown, span)
    return replace(part, span=span, content=replace(part.content, figure=shown))


def answered(spec: PageSpec, library: Library, choices: Choices) -> Content:
    """The answer of the page, without tables that only the window shows.

    If it fails, its `empty` states this; the page is then omitted and the others are written. Raises ColumnsError:
    columns lost from the store can be read again, so no page has to be omitted.
    """
    try:
        content = spec.answer(library, choices)
        figure = None if content.figure is None else without_hidden(content.figure)
        return replace(content, figure=figure, tables=tuple(table for table in content.tables if not table.of_the_desk))
    except ColumnsError:
        raise
    except failures() as error:
        return Content(spec.name, empty=failure_words("", "computed", error))


def _within(words: str) -> str:
    """The name of a view inside a sentence; an abbreviation keeps its capitals."""
    return words if words[1:2].isupper() else words[:1].lower() + words[1:]


def _without_empty(parts: Sequence[DocumentPart]) -> Contents:
    kept = tuple(part for part in parts if not part.content.empty)
    reasons: dict[tuple[str, str], list[DocumentPart]] = {}
    for part in parts:
        reasons.setdefault((part.folder, part.page), []).append(part)
    messages = [message for views in reasons.values() for message in _told(views)]
    return Contents(kept, (*messages, *(f"{part.name}: {words}" for part in kept if (words := _undrawn(part.content)))))


def _undrawn(content: Content) -> str:
    """The number of configurations that the chart of a page draws, if there are many; its tables have all."""
    listing = content.listing
    if listing is None or len(listing.drawn) == listing.total:
        return ""
    return f"the chart shows {len(listing.drawn)} of {listing.total} configurations. The tables show all."


def _told(views: Sequence[DocumentPart]) -> list[str]:
    """The reasons why views of a page are omitted; one sentence for the page if all its views are empty for the same
    reason.
    """
    whys = {part.content.empty for part in views}
    if len(views) > 1 and len(whys) == 1 and "" not in whys:
        page = views[0].name.rpartition(", ")[0] or views[0].name
        return [f"“{page}”{LEFT_OUT}{views[0].content.empty}"]
    return [f"“{part.name}”{LEFT_OUT}{part.content.empty}" for part in views if part.content.empty]


def zoomed(figure: Figure, span: tuple[float, float]) -> Figure:
    """The figure limited to `span` of x (in units of its x axes). Panels with categories are unchanged.

    A line keeps one sample on each side, so it reaches the edges as on screen.
    """
    return replace(figure, panels=tuple(_panel(panel, span) for panel in figure.panels))


def _panel(panel: Panel, span: tuple[float, float]) -> Panel:
    if panel.x.categories:
        return panel
    marks = tuple(_cut(mark, span) for mark in panel.marks)
    return replace(panel, x=replace(panel.x, limits=span), marks=marks)


def _cut(mark: Mark, span: tuple[float, float]) -> Mark:
    if isinstance(mark, Line):
        part = visible(mark.x, *span)
        return replace(mark, x=mark.x[part], y=mark.y[part], extremes=None)
    if isinstance(mark, Band):
        part = visible(mark.x, *span)
        return replace(mark, x=mark.x[part], low=mark.low[part], high=mark.high[part])
    if isinstance(mark, Points):
        inside = (mark.x >= span[0]) & (mark.x <= span[1])
        names = tuple(name for name, kept in zip(mark.names, inside, strict=True) if kept) if mark.names else ()
        return replace(mark, x=mark.x[inside], y=mark.y[inside], names=names)
    if isinstance(mark, Heatmap):
        first = max(0, int(np.searchsorted(mark.edges, span[0], side="right")) - 1)
        last = min(mark.edges.size - 1, int(np.searchsorted(mark.edges, span[1], side="left")))
        if last <= first:
            return mark
        return replace(mark, edges=mark.edges[first : last + 1], values=mark.values[:, first:last])
    return mark
