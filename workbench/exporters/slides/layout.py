"""Distributes the panels of a figure over slides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from workbench.charts.figure import Figure, Heatmap
from workbench.exporters.chart_plan import ChartPlan, plans_of
from workbench.exporters.slides.chart_data import MAX_NAME, MAX_TITLE
from workbench.exporters.slides.native_chart import SlideBox
from workbench.words.captions import named
from workbench.words.numbers import THIN, fixed, number, plural
from workbench.words.translated import spoken, spoken_name

# More columns or rows than this are too small to read from across a table.
MAX_COLUMNS, MAX_ROWS = 3, 2
_MAX_ALONE = 4


@dataclass(frozen=True, eq=False)
class Placed:
    """A chart of a slide: its plan and its cell in the grid of the slide."""

    plan: ChartPlan
    row: int
    column: int


@dataclass(frozen=True, eq=False)
class Page:
    """The charts of one slide with the size of their grid."""

    charts: tuple[Placed, ...]
    rows: int
    columns: int


def pages_of(figure: Figure) -> tuple[list[Page], list[str]]:
    """The slides for a figure, in the order of its columns, and the list of omissions and changes."""
    notes: list[str] = []
    if any(isinstance(mark, Heatmap) for panel in figure.panels for mark in panel.marks):
        notes.append("The heatmap of VMs over time is omitted, because PowerPoint has no heatmaps")
    columns: dict[int, list[ChartPlan]] = {}
    for plan in plans_of(figure):
        if not plan.drawn:
            notes.append(f"{plan.title or plan.panel.y.label}: nothing was measured")
            continue
        columns.setdefault(plan.panel.column, []).append(plan)
        notes += (*plan.notes, *_long_names(plan), *plan.coarser)
    return _pages([columns[key] for key in sorted(columns)]), list(dict.fromkeys(notes))


def cells(page: Page, body: SlideBox, gap: int) -> list[SlideBox]:
    """The box of each chart of a page inside the body."""
    wide = (body.width - gap * (page.columns - 1)) // page.columns
    high = (body.height - gap * (page.rows - 1)) // page.rows
    return [
        SlideBox(body.left + chart.column * (wide + gap), body.top + chart.row * (high + gap), wide, high)
        for chart in page.charts
    ]


def _pages(columns: Sequence[list[ChartPlan]]) -> list[Page]:
    """Pages with columns side by side and their panels stacked. A single column of several panels is put side
    by side."""
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
            rows = max(chart.row for chart in charts) + 1
            pages.append(Page(charts, rows, len(part)))
    return pages


def _long_names(plan: ChartPlan) -> list[str]:
    panel = plan.panel
    names = [*panel.x.categories, *(mark.name for mark in panel.marks if not isinstance(mark, Heatmap))]
    titles = [panel.heading, panel.subtitle, panel.x.label, panel.y.label]
    count = sum(len(name) > MAX_NAME for name in names) + sum(len(title) > MAX_TITLE for title in titles)
    if not count:
        return []
    return [f"{plural(count, 'name')} too long for a chart and therefore cut"]


def in_words(plan: ChartPlan, plans: Sequence[ChartPlan], summary: str) -> str:
    """The alternative text of a chart: its part of the summary, if there is one for each chart, otherwise its values if
    each name has one."""
    heads = [(f"{other.title}: ", f"{named(other.title)}: ") for other in plans if other is not plan and other.title]
    own = (f"{plan.title}: ", f"{named(plan.title)}: ") if plan.title and len(plans) > 1 else ()
    start = next((at for head in own if (at := f". {summary}".find(f". {head}")) >= 0), -1)
    if start < 0:
        words = (len(plans) > 1 and _values(plan)) or summary
        # The first sentence often has the title.
        head, metric = plan.title or plan.panel.y.label, plan.panel.y.label
        if head.casefold() in words.partition(". ")[0].casefold():
            return words
        # Values alone do not name their metric.
        named_metric = words != summary and metric and metric.casefold() not in head.casefold()
        title = named(plan.title) if plan.panel.look is not None else plan.title
        return f"{metric}. {head}. {words}" if named_metric else f"{title or plan.y.title}. {words}"
    ends = [summary.find(f". {head}", start) for names in heads for head in names]
    return summary[start : min((end for end in ends if end >= 0), default=len(summary))]


def _values(plan: ChartPlan) -> str:
    """The bars of a chart in words; empty if a name has several."""
    bars = [series.values for series in plan.series if series.kind == "bar"]
    found = [[values[at] for values in bars if np.isfinite(values[at])] for at in range(len(plan.categories))]
    if not bars or any(len(values) > 1 for values in found):
        return ""
    unit = f"{THIN}{plan.panel.y.unit}" if plan.panel.y.unit else ""
    # A difference of two equal means may not be exactly 0.
    least = 1e-6 * max((abs(value) for values in found for value in values), default=0.0)
    found = [[value if abs(value) > least else 0.0 for value in values] for values in found]
    return "; ".join(
        f"{spoken_name(named(name))}: {_shown(values[0]) + unit if values else spoken('not measured')}"
        for name, values in zip(plan.panel.x.names, found, strict=True)
    )


def _shown(value: float) -> str:
    """The value; a count without decimals."""
    return fixed(value, 0) if value == round(value) else number(value)
