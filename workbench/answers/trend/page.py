"""Page Trend: which build changed the results."""

from __future__ import annotations

from workbench.answers.common.choices import Choices
from workbench.answers.common.chosen import without_answer
from workbench.answers.common.library import Library
from workbench.answers.trend.cards import trend_cards
from workbench.answers.trend.chosen import MEASURE, PRIMARY, chosen_measures, chosen_trends, history_of, looks_of
from workbench.answers.trend.compute import by_outcome
from workbench.answers.trend.figures import trend_figure
from workbench.answers.trend.sentences import QUESTION, summary_text
from workbench.answers.trend.tables import runs_table, trend_table, unread_table
from workbench.charts.content import Content
from workbench.charts.inputs import Input
from workbench.measures.catalogue import MEASURES
from workbench.model.history import History

EMPTY = (
    "No run has a figure to follow over time. Open the results of several builds, or choose another measure in the "
    "inputs."
)


def answer(library: Library, choices: Choices) -> Content:
    """Cards with the changes, a panel for each measure, the changes and the runs as tables."""
    history = history_of(choices, chosen_measures(choices))
    made = chosen_trends(library, choices, history)
    inputs = (_measure(choices),)
    if not made:
        return Content(QUESTION, empty=EMPTY, inputs=inputs) if library.with_runs else without_answer(QUESTION, library)
    look = looks_of(library, choices, made)
    unread = history.problems if history else ()
    figure = trend_figure(made, look)
    caption = " · ".join(filter(None, (summary_text(made), _history_text(history), figure.caption)))
    tables = [trend_table(by_outcome(made), look), runs_table(made, look)]
    tables += [unread_table(unread)] if unread else []
    return Content(
        QUESTION, caption, trend_cards(made, look), figure if figure.panels else None, tuple(tables), inputs=inputs
    )


def _history_text(history: History | None) -> str:
    if history is None:
        return ""
    runs = len({(point.study, point.run) for point in history.points})
    count = len(history.problems)
    problems = f", {count} problem{'s' * (count != 1)}" if count else ""
    return f"{runs} run{'s' * (runs != 1)} of the history folder{problems}"


def _measure(choices: Choices) -> Input:
    names = (PRIMARY, *(measure.name for measure in MEASURES.values() if measure.change))
    value = str(choices.input(MEASURE, PRIMARY))
    tip = "The measure that is followed; the history folder keeps each measure that is compared."
    return Input(MEASURE, "Measure", value if value in names else PRIMARY, choices=names, origin="", tip=tip)
