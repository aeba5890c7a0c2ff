"""The runs that a comparison needs, and the order to make them in, as tables and sentences."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.answers.common.change_words import margin_words
from workbench.charts.tables import Cell, Column, TableData
from workbench.measures.catalogue import MEASURES
from workbench.measures.comparability import CANNOT, Reason, reason_sentences
from workbench.measures.judging.power import MOST_RUNS
from workbench.measures.judging.run_plan import Need, RunPlan
from workbench.words.captions import short_lines
from workbench.words.metrics import phase_words
from workbench.words.numbers import MISSING, THIN, marked, percent


def need_table(plan: RunPlan) -> TableData:
    """The runs that each configuration and primary metric needs."""
    detect = f"{marked(format(100 * plan.detect, 'g'))}{THIN}%"
    columns = (
        Column("Phase", numeric=False),
        Column("Configuration", numeric=False),
        Column("Metric", numeric=False),
        Column("Runs there are", tip="of this configuration"),
        Column("Scatter", tip="upper 80 % limit of the scatter between runs"),
        Column(f"Runs to show {detect}", tip="on each side; four of five such studies find the change"),
        Column(f"Runs for the same within {margin_words(plan.margin)}", tip="on each side, where nothing differs"),
    )
    assumed = any(need.assumed and need.scatter is not None for need in plan.needs)
    legend = "* assumed variation" * assumed
    return TableData(columns, tuple(_row(need) for need in plan.needs), legend, "Runs needed", method=_method(plan))


def order_table(plan: RunPlan) -> TableData:
    """The runs in the order in which to make them."""
    size = len(dict.fromkeys(plan.order)) or 1
    rows = tuple(
        (Cell(str(place + 1), place + 1), Cell(str(place // size + 1), place // size + 1), Cell(label, label))
        for place, label in enumerate(plan.order)
    )
    columns = (Column("Run"), Column("Round"), Column("Configuration", numeric=False))
    method = ("A drift moves all configurations of a round alike",)
    return TableData(columns, rows, "Each round has every configuration once", "Order of the runs", method=method)


def plan_words(plan: RunPlan, apart: Sequence[Reason] = ()) -> str:
    """How many runs serve all primary metrics, and what is not added, in sentences; `apart` are the reasons why
    configurations are not in the plan."""
    words = " ".join((f"{answer_words(plan)}.", *(f"{words}." for words in there_words(plan))))
    if not apart:
        return words
    reasons = f"Not planned, because it cannot be compared: {reason_sentences(apart)}"
    return f"{words} {reasons}" if plan.needs else f"{CANNOT}. {reason_sentences(apart)}"


def apart_words(apart: Sequence[Reason]) -> tuple[str, ...]:
    """What of a study is not planned because it cannot be compared, and why, in short lines."""
    return ("Some configurations cannot be compared", *short_lines(reason_sentences(apart))) if apart else ()


def answer_words(plan: RunPlan) -> str:
    """How many runs serve all primary metrics."""
    detect = f"{marked(format(100 * plan.detect, 'g'))}{THIN}%"
    if not plan.needs:
        return "Nothing is compared in a primary metric: there is nothing to plan"
    if all(need.scatter is None for need in plan.needs):
        return "No configuration has two runs that differ: make three of each"
    if plan.runs is None:
        return f"More than {MOST_RUNS:,} runs would be needed to detect {detect}: they vary too much"
    return f"{plan.runs} runs per configuration detect a {detect} change (80{THIN}% power)"


def there_words(plan: RunPlan) -> tuple[str, ...]:
    """The configurations that are not added, because they have runs."""
    if not plan.runs:
        return ()
    return tuple(f"{label} has runs already: it is not added" for label in plan.there)


def _method(plan: RunPlan) -> tuple[str, ...]:
    assumed = any(need.assumed and need.scatter is not None for need in plan.needs)
    return (
        f"Level {marked(format(plan.level, '.2g'))}: first step of Holm over {len(plan.needs)} comparisons",
        "From the upper 80 % limit of the variation",
        *(("*: the variation of the widest configuration is assumed",) if assumed else ()),
        *short_lines(beyond_words(plan)),
    )


def beyond_words(plan: RunPlan) -> str:
    """What a margin as large as the change to show asks for; empty where it is smaller."""
    words = f"Better or worse also takes a change beyond {margin_words(plan.margin)}: state a smaller margin"
    return words if plan.detect <= plan.margin else ""


def _row(need: Need) -> tuple[Cell, ...]:
    measure = MEASURES[need.measure]
    scatter = MISSING if need.scatter is None else percent(100 * need.scatter) + " *" * need.assumed
    return (
        Cell(phase_words(need.phase), need.phase),
        Cell(need.configuration, need.configuration),
        Cell(measure.name, measure.name),
        Cell(str(need.runs_there), need.runs_there),
        Cell(scatter, need.scatter),
        _runs(need.runs, need),
        _runs(need.same_runs, need),
    )


def _runs(runs: int | None, need: Need) -> Cell:
    if runs is None:
        return Cell(MISSING if need.scatter is None else f"> {MOST_RUNS:,}", None)
    return Cell(str(runs), runs)
