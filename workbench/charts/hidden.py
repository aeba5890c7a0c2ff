"""Legend entries that the user has hidden.

Their marks stay in the figure without values, so the window can show them again. Exports do not contain them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace

import numpy as np

from workbench.charts.figure import Band, Bars, Figure, Heatmap, Line, Look, Mark, Panel, Points

_NONE = np.empty(0)


def entry_name(mark: Mark, panel: Panel) -> str:
    """The legend name of a mark; empty for a heatmap and for the line of one VM, which have no entry."""
    if isinstance(mark, Heatmap) or (isinstance(mark, Line) and mark.vm):
        return ""
    return mark.name.removeprefix(f"{panel.title}: ")


def with_hidden(figure: Figure, names: Set[str], configurations: Mapping[str, Look], shown: Set[str]) -> Figure:
    """The figure with the marks of these names emptied. Panels whose legend lists `shown` configurations also get an
    empty mark for each of the other `configurations`."""
    return replace(figure, panels=tuple(_panel(panel, names, configurations, shown) for panel in figure.panels))


def without_hidden(figure: Figure) -> Figure:
    """The figure without hidden marks."""
    if not any(panel.hidden for panel in figure.panels):
        return figure
    panels = (
        replace(
            panel,
            hidden=frozenset(),
            marks=tuple(mark for mark in panel.marks if entry_name(mark, panel) not in panel.hidden),
        )
        for panel in figure.panels
    )
    return replace(figure, panels=tuple(panels))


def _panel(panel: Panel, names: Set[str], configurations: Mapping[str, Look], shown: Set[str]) -> Panel:
    entries = {entry_name(mark, panel) for mark in panel.marks} - {""}
    hidden = entries & names
    marks = tuple(_emptied(mark) if entry_name(mark, panel) in hidden else mark for mark in panel.marks)
    if panel.legend and entries & shown and not shown & set(panel.x.names):
        added = [label for label in configurations if label not in entries | shown]
        marks = _in_order(marks, panel, configurations, added)
        hidden |= set(added)
    return replace(panel, marks=marks, hidden=panel.hidden | hidden) if hidden else panel


def _in_order(
    marks: Sequence[Mark], panel: Panel, configurations: Mapping[str, Look], added: Sequence[str]
) -> tuple[Mark, ...]:
    """The marks, with an empty one for each of the `added`, in the order of the configurations. So an entry stays at
    the place where it was clicked."""
    places = {label: place for place, label in enumerate(configurations)}
    ordered: list[Mark] = []
    waiting = list(added)
    for mark in marks:
        place = places.get(entry_name(mark, panel))
        while place is not None and waiting and places[waiting[0]] < place:
            label = waiting.pop(0)
            ordered.append(_empty(mark, label, configurations[label]))
        ordered.append(mark)
    like = next((mark for mark in marks if entry_name(mark, panel) in places), marks[0])
    return (*ordered, *(_empty(like, label, configurations[label]) for label in waiting))


def _emptied(mark: Mark) -> Mark:
    """The mark without values; its x keeps the range of the axis."""
    if isinstance(mark, Line):
        return replace(mark, y=np.full_like(mark.y, np.nan), extremes=None)
    if isinstance(mark, Band):
        return replace(mark, low=np.full_like(mark.low, np.nan), high=np.full_like(mark.high, np.nan))
    if isinstance(mark, Points):
        return replace(mark, y=np.full_like(mark.y, np.nan))
    if isinstance(mark, Bars):
        return replace(mark, values=np.full_like(mark.values, np.nan), low=_NONE, high=_NONE, sources=())
    return mark


def _empty(like: Mark, name: str, look: Look) -> Mark:
    if isinstance(like, Bars):
        return Bars(name, np.full_like(like.values, np.nan), look)
    return Points(name, _NONE, _NONE, look) if isinstance(like, Points) else Line(name, _NONE, _NONE, look)
