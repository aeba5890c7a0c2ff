"""Which panels stand on one slide, and where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from workbench.charts.figure import Axis, Figure, Heatmap, Panel
from workbench.exporters.slides.native_chart import Box
from workbench.exporters.slides.plan import Plan, highest, plan_of

# More columns or rows than this are too small to read across a table.
MAX_COLUMNS, MAX_ROWS = 3, 2
_MAX_ALONE = 4


@dataclass(frozen=True, eq=False)
class Placed:
    """A chart of a slide: its plan and its cell of the slide's grid."""

    plan: Plan
    row: int
    column: int


@dataclass(frozen=True, eq=False)
class Page:
    """The charts of one slide with the size of their grid."""

    charts: tuple[Placed, ...]
    rows: int
    columns: int


def pages_of(figure: Figure) -> tuple[list[Page], list[str]]:
    """The slides that a figure takes, in its own order of columns, and what was left out or changed."""
    tops = _shared_tops(figure)
    notes: list[str] = []
    if any(isinstance(mark, Heatmap) for panel in figure.panels for mark in panel.marks):
        notes.append("the heat map of machines over time is left out: PowerPoint has no such chart")
    columns: dict[int, list[Plan]] = {}
    for panel in figure.panels:
        plan = plan_of(panel, tops.get(_kind(panel)))
        if plan is None:
            if not all(isinstance(mark, Heatmap) for mark in panel.marks):
                notes.append(f"{panel.title or panel.y.label}: nothing was measured")
            continue
        columns.setdefault(panel.column, []).append(plan)
        notes += plan.notes
    return _pages([columns[key] for key in sorted(columns)]), list(dict.fromkeys(notes))


def cells(page: Page, body: Box, gap: int) -> list[Box]:
    """The place of each chart of a page inside the body."""
    wide = (body.width - gap * (page.columns - 1)) // page.columns
    high = (body.height - gap * (page.rows - 1)) // page.rows
    return [
        Box(body.left + one.column * (wide + gap), body.top + one.row * (high + gap), wide, high)
        for one in page.charts
    ]


def _pages(columns: Sequence[list[Plan]]) -> list[Page]:
    """Columns side by side and their panels below each other; a single long column lies side by side instead."""
    if len(columns) == 1 and len(columns[0]) > 1:
        columns = [[plan] for plan in columns[0]]
    if len(columns) == _MAX_ALONE and all(len(column) == 1 for column in columns):
        return [Page(tuple(Placed(column[0], at // 2, at % 2) for at, column in enumerate(columns)), 2, 2)]
    pages: list[Page] = []
    count = -(-len(columns) // MAX_COLUMNS)
    per_page = -(-len(columns) // count) if count else 1
    for first in range(0, len(columns), per_page):
        part = columns[first : first + per_page]
        deepest = max(map(len, part))
        for top in range(0, deepest, MAX_ROWS):
            charts = tuple(
                Placed(plan, row, at)
                for at, column in enumerate(part)
                for row, plan in enumerate(column[top : top + MAX_ROWS])
            )
            rows = max(one.row for one in charts) + 1
            pages.append(Page(charts, rows, len(part)))
    return pages


def _kind(panel: Panel) -> tuple[str, str, str]:
    axis: Axis = panel.y
    return axis.label, axis.unit, axis.scale


def _shared_tops(figure: Figure) -> dict[tuple[str, str, str], float]:
    """By kind of y axis the highest value of all panels, where the figure wants one range for all."""
    tops: dict[tuple[str, str, str], float] = {}
    if figure.share_y:
        for panel in figure.panels:
            tops[_kind(panel)] = max(tops.get(_kind(panel), 0.0), highest(panel))
    return tops
