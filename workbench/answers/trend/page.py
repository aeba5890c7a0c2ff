"""Page Trend: the build that changed the results.

Its cards show the metric that changed, the size of the change, and the build.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from workbench.answers.common.choices import Choices
from workbench.answers.common.chosen import without_answer
from workbench.answers.common.library import Library
from workbench.answers.trend.compute import Trend, TrendOutcome, TrendStep, by_outcome
from workbench.answers.trend.figures import trend_figure
from workbench.answers.trend.joined import chosen_measures, chosen_trends, history_of, looks_of
from workbench.answers.trend.points import run_of
from workbench.answers.trend.sentences import (
    QUESTION,
    build_text,
    candidates,
    left_out_text,
    likely_text,
    measure_text,
    size_text,
    slope_text,
    split_text,
    summary_text,
    too_few_lines,
)
from workbench.answers.trend.spec import MEASURE, PRIMARY
from workbench.answers.trend.tables import left_out_table, runs_table, trend_table
from workbench.charts.content import Card, Content
from workbench.charts.figure import Look
from workbench.charts.inputs import Input
from workbench.charts.tables import unread_table
from workbench.measures.catalogue import MEASURES
from workbench.model.history import PastRuns
from workbench.words.captions import captioned, named, short_lines
from workbench.words.numbers import plural

EMPTY = "No run has a value of this metric. Open results of several builds, or choose another metric in the inputs."


def answer(library: Library, choices: Choices) -> Content:
    """Cards with the changes, a panel for each metric, and the changes and the runs as tables."""
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
        (*too_few_lines(trends), *_too_few_words(trends), history_line, *short_lines(split_text(trends))),
    )
    tables = [trend_table(by_outcome(trends), look), runs_table(trends, look)]
    tables += [left_out_table(chosen.left_out)] if chosen.left_out else []
    tables += [unread_table(unread, "Past runs that cannot be read", files=True)] if unread else []
    return Content(
        QUESTION,
        caption,
        trend_cards(trends, look),
        figure if figure.panels else None,
        tuple(tables),
        inputs=inputs,
        method=method,
    )


def _too_few_words(trends: Sequence[Trend]) -> tuple[str, ...]:
    """What a test day is, if a series has too few of them."""
    too_few = any(trend.outcome is TrendOutcome.TOO_FEW for trend in trends)
    return ("A test day contains the runs on one host on one day",) if too_few else ()


def _history_words(history: PastRuns | None, trends: Sequence[Trend]) -> tuple[str, str]:
    """The number of past runs of the history folder that count, and a line about them; empty without the folder."""
    if history is None:
        return "", ""
    runs = len({run_of(point) for point in history.points})
    alone = len({run_of(point) for trend in trends for point in trend.series.kept})
    count = len(history.problems)
    problems = f", {plural(count, 'problem')}" if count else ""
    which = "not open" if alone >= runs > 0 else f"{alone} of them not open"
    return (f"{plural(runs, 'past run')}{problems}", f"Past runs: from the history folder, {which}" if runs else "")


def _measure(choices: Choices) -> Input:
    names = (PRIMARY, *(measure.name for measure in MEASURES.values() if measure.change))
    value = str(choices.input(MEASURE, PRIMARY))
    tip = "Metric to follow over time. The history folder stores all compared metrics."
    return Input(MEASURE, "Metric", value if value in names else PRIMARY, choices=names, origin="", tip=tip)


# Number of cards that fit side by side on a laptop.
_MOST = 4
_QUIET = Look("quiet")


def trend_cards(trends: Sequence[Trend], looks: Mapping[str, Look]) -> tuple[Card, ...]:
    """A card for each step and then for each drift, in the order of the charts; the largest steps if not all fit. If
    nothing is shown, a card with the number of series."""
    steps = [(trend, step) for trend in trends if trend.outcome is TrendOutcome.STEP for step in trend.steps]
    largest = sorted(steps, key=lambda pair: -pair[1].size)[:_MOST]
    cards = [_step(trend, step, looks[trend.series.configuration]) for trend, step in steps if (trend, step) in largest]
    cards += [
        _drift(trend, looks[trend.series.configuration]) for trend in trends if trend.outcome is TrendOutcome.DRIFT
    ]
    cards += [
        _unclear(trend, looks[trend.series.configuration]) for trend in trends if trend.outcome is TrendOutcome.UNCLEAR
    ]
    return tuple(cards[:_MOST]) or (_nothing(trends),)


def _step(trend: Trend, step: TrendStep, look: Look) -> Card:
    series = trend.series
    names, build = candidates(step, series), build_text(step)
    where = "step within this build" if step.same_build else "new level since this build"
    return Card(
        f"{series.configuration}: {measure_text(series)}",
        look,
        build[:1].upper() + build[1:],
        f"or another of {likely_text(step, series)}" if len(names) > 1 else "",
        size_text(step, series),
        f"{step.verdict.value} · {where}",
        spoken=f"{named(series.configuration)}, {measure_text(series)}",
    )


def _drift(trend: Trend, look: Look) -> Card:
    series = trend.series
    value, _, ends = slope_text(trend).partition(" [")
    number, _, unit = value.rpartition("\u2009")
    verdict = f"{trend.verdict.value} · " if trend.verdict is not None else ""
    return Card(
        f"{series.configuration}: {measure_text(series)}",
        look,
        number or value,
        unit,
        "drift, from the first run to the last",
        f"{verdict}[{ends}" if ends else verdict,
        spoken=f"{named(series.configuration)}, {measure_text(series)}",
    )


def _unclear(trend: Trend, look: Look) -> Card:
    step = trend.largest
    assert step is not None
    card = _step(trend, step, look)
    return replace(card, note=f"a step at {build_text(step)}, or a drift: unclear which")


def _nothing(trends: Sequence[Trend]) -> Card:
    tested = [trend for trend in trends if trend.outcome is not TrendOutcome.TOO_FEW]
    if not tested:
        most = max((len(trend.series.starts) for trend in trends), default=0)
        needed = max((trend.needed for trend in trends), default=0)
        return Card(
            "Test days",
            _QUIET,
            str(most),
            f"of {needed}",
            "too few test days to find a step or drift",
            "value of the series with the most test days",
        )
    runs = max(len(trend.series.points) for trend in tested)
    return Card(
        "Changes", _QUIET, "0", f"in {len(tested)} series", "no step and no drift found", f"up to {runs} runs each"
    )
