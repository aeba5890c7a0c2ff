"""Page Trend: which build changed the results."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.answers.common.choices import Choices
from workbench.answers.common.chosen import without_answer
from workbench.answers.common.library import Library
from workbench.answers.trend.cards import trend_cards
from workbench.answers.trend.chosen import chosen_measures, chosen_trends, history_of, looks_of
from workbench.answers.trend.compute import Trend, by_outcome
from workbench.answers.trend.figures import trend_figure
from workbench.answers.trend.sentences import QUESTION, left_out_text, split_text, summary_text, too_few_lines
from workbench.answers.trend.slots import run_of
from workbench.answers.trend.spec import MEASURE, PRIMARY
from workbench.answers.trend.tables import left_out_table, runs_table, trend_table, unread_table
from workbench.charts.content import Content
from workbench.charts.inputs import Input
from workbench.measures.catalogue import MEASURES
from workbench.model.history import History
from workbench.words.captions import captioned, short_lines

EMPTY = (
    "No run has a figure to follow over time. Open the results of several builds, or choose another measure in the "
    "inputs."
)


def answer(library: Library, choices: Choices) -> Content:
    """Cards with the changes, a panel for each measure, the changes and the runs as tables."""
    history = history_of(choices, chosen_measures(choices))
    chosen = chosen_trends(library, choices, history)
    trends, inputs = chosen.trends, (_measure(choices),)
    if not trends:
        return Content(QUESTION, empty=EMPTY, inputs=inputs) if library.with_runs else without_answer(QUESTION, library)
    look = looks_of(library, choices, trends)
    unread = history.problems if history else ()
    figure = trend_figure(trends, look)
    history_fact, history_line = _history_words(history, trends)
    caption, method = captioned(
        (summary_text(trends), history_fact, left_out_text(chosen.left_out), figure.caption),
        (*too_few_lines(trends), history_line, *short_lines(split_text(trends))),
    )
    tables = [trend_table(by_outcome(trends), look), runs_table(trends, look)]
    tables += [left_out_table(chosen.left_out)] if chosen.left_out else []
    tables += [unread_table(unread)] if unread else []
    return Content(
        QUESTION,
        caption,
        trend_cards(trends, look),
        figure if figure.panels else None,
        tuple(tables),
        inputs=inputs,
        method=method,
    )


def _history_words(history: History | None, trends: Sequence[Trend]) -> tuple[str, str]:
    """How many past runs of the history folder count, and a line on what they are; empty without the folder."""
    if history is None:
        return "", ""
    runs = len({run_of(point) for point in history.points})
    alone = len({run_of(point) for trend in trends for point in trend.series.kept})
    count = len(history.problems)
    problems = f", {count} problem{'s' * (count != 1)}" if count else ""
    which = "not open" if alone >= runs > 0 else f"{alone} of them not open"
    return (
        f"{runs} past run{'s' * (runs != 1)}{problems}",
        f"Past runs: from the history folder, {which}" if runs else "",
    )


def _measure(choices: Choices) -> Input:
    names = (PRIMARY, *(measure.name for measure in MEASURES.values() if measure.change))
    value = str(choices.input(MEASURE, PRIMARY))
    tip = "The measure that is followed; the history folder keeps each measure that is compared."
    return Input(MEASURE, "Measure", value if value in names else PRIMARY, choices=names, origin="", tip=tip)
