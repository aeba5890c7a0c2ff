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
from workbench.answers.cache.spec import BY_SIZE, DIP, FILLING, KEY, OVER_TIME, WHAT_IF
from workbench.answers.cache.sweep_figure import cache_sweep_figure
from workbench.answers.cache.tables import cache_table, cache_vm_table
from workbench.answers.cache.untested.page import what_if, with_planned
from workbench.answers.common.cards import cache_cards
from workbench.answers.common.choices import Choices
from workbench.answers.common.chosen import chosen_phase, without_answer
from workbench.answers.common.library import Library
from workbench.answers.common.listing import BARS, LINES, Chosen, Figured, listed
from workbench.answers.common.looks import looks
from workbench.answers.common.names import ASSUMED_DESKTOPS, MARGIN_PERCENT
from workbench.answers.common.traces.notes import with_notes
from workbench.answers.common.traces.traces import View
from workbench.charts.cards import Card
from workbench.charts.content import Content
from workbench.charts.figure import Figure
from workbench.charts.inputs import Input
from workbench.charts.tables import problem_table
from workbench.measures.catalogue import MEASURES
from workbench.measures.configurations import Group
from workbench.measures.statistics import MARGIN
from workbench.model.problem import Problem, Severity
from workbench.words.captions import captioned, named_lines

PROBLEMS = "Problems"
DESKTOPS = "cache.desktops"


def cache(library: Library, choices: Choices) -> Content:
    """The chosen view, with the tables of every configuration and VM below it."""
    groups = library.shown(choices)
    if not groups:
        return without_answer(QUESTION, library)
    view = choices.page_view(KEY) or OVER_TIME
    margin = choices.number(MARGIN_PERCENT, 100 * MARGIN) / 100
    phase = chosen_phase(library, choices)
    answer = cache_answer(groups, phase, margin)
    desktops = choices.number(DESKTOPS, ASSUMED_DESKTOPS)
    if view == WHAT_IF:
        return what_if(answer, choices, desktops, _desktops(desktops, choices))
    chosen = _listed(groups, answer, choices, view, phase)
    if view == OVER_TIME:
        phase = chosen_phase(library, choices, whole=True)
        over_time = View(phase, alignment=choices.alignment)
        figure = cache_figure(groups, over_time, chosen)
        runs = [run for group in groups for run in group.runs]
        figure = with_notes(figure, choices.notes, over_time, {panel.column: runs for panel in figure.panels})
        return _content(figure, cache_cards(groups, phase), answer, desktops, chosen)
    if view == FILLING:
        return _content(cache_filling_figure(answer, chosen), filling_cards(answer), answer, desktops, chosen)
    if view == DIP:
        return _content(overflow_dip_figure(answer, chosen), dip_cards(answer), answer, desktops, chosen)
    cards = cache_answer_cards(answer, desktops)
    shown = _content(cache_sweep_figure(answer, chosen), cards, answer, desktops, chosen)
    return shown if shown.empty else replace(shown, cards=cards, inputs=(_desktops(desktops, choices),))


def planned_sizes(library: Library, choices: Choices) -> tuple[str, ...]:
    """The configurations without runs in the plan after the button of the view What-if was pressed."""
    margin = choices.number(MARGIN_PERCENT, 100 * MARGIN) / 100
    return with_planned(cache_answer(library.shown(choices), chosen_phase(library, choices), margin), choices)


def _listed(groups: Sequence[Group], answer: CacheAnswer, choices: Choices, view: str, phase: str) -> Chosen | None:
    """The configurations that the view is of, where they are many: all in the sweep, else those with a cache."""
    cached = {cache.label for cache in answer.cached if view != DIP or cache.overflowed}
    shown = [group for group in groups if view == BY_SIZE or group.label in cached]
    columns = [
        Figured(phase, MEASURES[key], title=MEASURES[key].name)
        for key in ("cache_ram_used_mb_end", "cache_disk_used_mb_end", "iops_per_vm")
    ]
    return listed(shown, choices, columns, phase, BARS if view == BY_SIZE else LINES, look=looks(groups))


def _content(
    figure: Figure, cards: tuple[Card, ...], answer: CacheAnswer, desktops: float, chosen: Chosen | None
) -> Content:
    if figure.empty and chosen is None:
        return Content(figure.question, empty=figure.empty)
    tables = [cache_table(answer, desktops), cache_vm_table(answer)]
    problems = list(dict.fromkeys(answer.problems))
    advised = advice_for(frozenset(cache.group.session_type for cache in answer.cached))
    advice = (line for one in advised for line in named_lines("Published advice", [one.words]))
    tables[0] = replace(tables[0], method=(*tables[0].method, *advice))
    shown = Content(figure.question, figure.caption, cards, figure)
    if chosen is not None:
        shown = chosen.content(figure)
    if problems:
        tables.append(replace(problem_table(problems), name=f"{PROBLEMS} ({len(problems)})"))
    caption, method = captioned((_problems_words(problems), shown.caption), shown.method)
    return replace(shown, caption=caption, method=method, tables=tuple(tables))


def _problems_words(problems: Sequence[Problem]) -> str:
    """What a reader must know of the counters first: how many warnings there are."""
    count = sum(problem.severity is not Severity.INFO for problem in problems)
    return f"{count} counter problem{'s' * (count > 1)}: see '{PROBLEMS}'" if count else ""


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
        tip="Desktops, or RDS servers: RAM and cache disk are counted per VM; the page Sizing counts users. "
        "100 is assumed until you state yours.",
        group="Cost",
    )
