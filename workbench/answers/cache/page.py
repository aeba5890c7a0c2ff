"""The cache page: use over time, the sweep over sizes, filling, and the dip at the overflow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from workbench.answers.cache.advice import advice_for
from workbench.answers.cache.cards import cache_answer_cards, dip_cards, filling_cards
from workbench.answers.cache.compute import CacheAnswer, cache_answer
from workbench.answers.cache.figures import QUESTION, cache_figure
from workbench.answers.cache.filling_figure import cache_filling_figure
from workbench.answers.cache.overflow_dip_figure import overflow_dip_figure
from workbench.answers.cache.spec import DIP, FILLING, KEY, OVER_TIME
from workbench.answers.cache.sweep_figure import advice_words, cache_sweep_figure
from workbench.answers.cache.tables import cache_table, cache_vm_table
from workbench.answers.common.cards import cache_cards
from workbench.answers.common.choices import Choices
from workbench.answers.common.chosen import chosen_phase, without_answer
from workbench.answers.common.library import Library
from workbench.answers.common.names import MARGIN_PERCENT
from workbench.answers.common.notes import with_notes
from workbench.answers.common.traces import View
from workbench.charts.cards import Card
from workbench.charts.content import Content
from workbench.charts.figure import Figure
from workbench.charts.inputs import Input
from workbench.charts.tables import problem_table
from workbench.measures.statistics import MARGIN
from workbench.model.problem import Problem, Severity

PROBLEMS = "Problems"
DESKTOPS = "cache.desktops"
DEFAULT_DESKTOPS = 100.0


def cache(library: Library, choices: Choices) -> Content:
    """The chosen view, with the tables of every configuration and VM below it."""
    groups = library.shown(choices)
    if not groups:
        return without_answer(QUESTION, library)
    view = choices.page_view(KEY) or OVER_TIME
    margin = choices.number(MARGIN_PERCENT, 100 * MARGIN) / 100
    answer = cache_answer(groups, chosen_phase(library, choices), margin)
    desktops = choices.number(DESKTOPS, DEFAULT_DESKTOPS)
    if view == OVER_TIME:
        phase = chosen_phase(library, choices, whole=True)
        over_time = View(phase, alignment=choices.alignment)
        figure = cache_figure(groups, over_time)
        runs = [run for group in groups for run in group.runs]
        figure = with_notes(figure, choices.notes, over_time, {panel.column: runs for panel in figure.panels})
        return _content(figure, cache_cards(groups, phase), answer, desktops)
    if view == FILLING:
        return _content(cache_filling_figure(answer), filling_cards(answer), answer, desktops)
    if view == DIP:
        return _content(overflow_dip_figure(answer), dip_cards(answer), answer, desktops)
    shown = _content(cache_sweep_figure(answer), cache_answer_cards(answer, desktops), answer, desktops)
    return replace(shown, inputs=(_desktops(desktops, choices),)) if not shown.empty else shown


def _content(figure: Figure, cards: tuple[Card, ...], answer: CacheAnswer, desktops: float) -> Content:
    if figure.empty:
        return Content(figure.question, empty=figure.empty)
    tables = [cache_table(answer, desktops), cache_vm_table(answer)]
    problems = list(dict.fromkeys(answer.problems))
    advice = advice_words(advice_for(frozenset(cache.group.session_type for cache in answer.cached)))
    legend = " · ".join(part for part in (advice, tables[0].legend) if part)
    tables[0] = replace(tables[0], legend=legend)
    caption = figure.caption
    if problems:
        tables.append(replace(problem_table(problems), name=f"{PROBLEMS} ({len(problems)})"))
        caption = " · ".join(part for part in (_problems_words(problems), caption) if part)
    return Content(figure.question, caption, cards, figure, tuple(tables))


def _problems_words(problems: Sequence[Problem]) -> str:
    """What a reader must know of the counters first: the one warning itself, or how many there are."""
    warnings = [problem for problem in problems if problem.severity is not Severity.INFO]
    if not warnings:
        return ""
    return (
        warnings[0].message.removesuffix(".")
        if len(warnings) == 1
        else f"{len(warnings)} things are wrong with these counters, see '{PROBLEMS}'"
    )


def _desktops(value: float, choices: Choices) -> Input:
    yours = DESKTOPS in dict(choices.inputs)
    return Input(
        DESKTOPS,
        "VMs to plan for",
        value,
        "VMs",
        minimum=1,
        maximum=1_000_000,
        origin="yours" if yours else "assumed",
        tip="Desktops, or RDS servers: RAM and cache disk are counted per VM. 100 is assumed until you state yours.",
        group="Cost",
    )
