"""Sizing: what N desktops need, and what boots and logons need in an acceptable time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from workbench.answers.common.choices import Choices
from workbench.answers.common.chosen import without_answer
from workbench.answers.common.library import Library
from workbench.answers.common.listing import BARS, LINES, Chosen, Figured, listed
from workbench.answers.common.looks import looks
from workbench.answers.sizing.boot_what_if import WhatIf, what_ifs
from workbench.answers.sizing.cards import plan_cards, what_if_cards
from workbench.answers.sizing.chosen import PREFIX, at_work, own_values
from workbench.answers.sizing.compute import Given, Plan, given, plans
from workbench.answers.sizing.constants import Own, SizingError, Value, constants
from workbench.answers.sizing.figures import load_words, question, sizing_figure
from workbench.answers.sizing.spec import KEY, WHAT_IF
from workbench.answers.sizing.tables import capital, configurations_table, inputs_table, steps_table, what_if_table
from workbench.answers.sizing.what_if_figure import what_if_figure
from workbench.charts.content import Content
from workbench.charts.inputs import Input
from workbench.measures.catalogue import MEASURES
from workbench.measures.configurations import Group, baseline_of, phase_names
from workbench.model.phase import BOOT, LOGON
from workbench.words.captions import captioned, short_lines
from workbench.words.metrics import phase_words

# An acceptable time for one boot or logon before the user states one: a choice of ours.
_ACCEPTABLE_MIN = 4.0
# The acceptable times of the table, beside the chosen one.
_TIMES_MIN = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 15.0)


def sizing(library: Library, choices: Choices) -> Content:
    """The chosen view."""
    groups = library.shown(choices)
    if not groups:
        return without_answer(question(_number("desktops", own_values(choices))), library)
    own = own_values(choices)
    return _what_if(groups, choices, own) if choices.page_view(KEY) == WHAT_IF else _plan(groups, choices, own)


def _plan(groups: tuple[Group, ...], choices: Choices, own: dict[str, Own]) -> Content:
    phase = at_work(groups, choices)
    chosen = _chosen(groups, choices)
    look = looks(groups)
    inputs = _plan_inputs(groups, chosen, given(chosen, own, phase), own, phase, choices)
    try:
        planned = plans(groups, own, phase)
    except SizingError as error:
        # The inputs stay in reach, so that the contradiction can be taken back.
        return Content(question(_number("desktops", own)), str(error), inputs=inputs)
    ours = next(plan for plan in planned if plan.configuration == chosen.label)
    rows = _listed(groups, choices, phase, BARS)
    figure = sizing_figure(_drawn(planned, rows))
    told, method = _captions(planned, chosen, ours)
    cards = plan_cards(ours, look[chosen.label])
    tables = (steps_table(ours, chosen), configurations_table(planned, look), inputs_table(ours, chosen))
    if rows is not None:
        content = rows.content(figure, tables, inputs)
        asked = question(_number("desktops", own))
        told, method = captioned((rows.listing.words, told), method)
        return replace(content, question=asked, caption=told, cards=cards, method=method)
    return Content(figure.question, told, cards, figure, tables, inputs=inputs, method=method)


def _captions(planned: Sequence[Plan], chosen: Group, ours: Plan) -> tuple[str, tuple[str, ...]]:
    """The caption and the method: what is missing first, else what the cards and steps are of. That no plan is possible
    is said in full."""
    if problems := [plan.problem for plan in planned if plan.problem]:
        return " ".join(dict.fromkeys(problems)), ()
    remarks = [tuple(short_lines(text)) for text in dict.fromkeys(text for plan in planned for text in plan.remarks)]
    lines = (line for _, *rest in remarks for line in rest)
    facts = [first for first, *_ in remarks] or [f"{chosen.label}, {load_words(ours)}"]
    return captioned(facts, (f"Cards and steps: {chosen.label}", *lines))


def _what_if(groups: tuple[Group, ...], choices: Choices, own: dict[str, Own]) -> Content:
    phase = str(choices.input("sizing.storm", BOOT))
    phase = phase if phase in (BOOT, LOGON) else BOOT
    minutes = choices.number("sizing.acceptable_min", _ACCEPTABLE_MIN)
    desktops, window = _number("desktops", own), _number(f"{phase}_window_min", own)
    look = looks(groups)
    answers = what_ifs(groups, phase, int(desktops), 60 * minutes, 60 * window)
    listed_rows = _listed(groups, choices, phase, LINES)
    figure = what_if_figure(_drawn(answers, listed_rows), look, phase)
    times = sorted({*_TIMES_MIN, minutes})
    rows = [
        what_if
        for group in groups
        for at in times
        for what_if in what_ifs((group,), phase, int(desktops), 60 * at, 60 * window)
    ]
    inputs = _what_if_inputs(phase, minutes, desktops, window, own, choices)
    if listed_rows is not None:
        return listed_rows.content(figure, (what_if_table(rows, look, groups),), inputs)
    cards = () if figure.empty else what_if_cards(answers, look)
    return Content(
        figure.question,
        figure.caption or figure.empty,
        cards,
        figure,
        () if figure.empty else (what_if_table(rows, look, groups),),
        inputs=inputs,
    )


def _listed(groups: Sequence[Group], choices: Choices, phase: str, room: int) -> Chosen | None:
    """The configurations by the IOPS that plans rest on, where they are many."""
    columns = [Figured(name, MEASURES["iops_per_vm"]) for name in phase_names(groups)]
    return listed(groups, choices, columns, phase, room)


_Answer = TypeVar("_Answer", Plan, WhatIf)


def _drawn(answers: Sequence[_Answer], chosen: Chosen | None) -> Sequence[_Answer]:
    """Those of the configurations that are drawn."""
    if chosen is None:
        return answers
    by_label = {answer.configuration: answer for answer in answers}
    return [by_label[group.label] for group in chosen.groups if group.label in by_label]


def _chosen(groups: tuple[Group, ...], choices: Choices) -> Group:
    """The configuration that cards and steps speak of: the user's choice, else the baseline unless it is hidden."""
    label, base = choices.input("sizing.configuration", ""), baseline_of(groups)
    named = next((group for group in groups if group.label == label), base)
    return named if named in groups else groups[0]


def _plan_inputs(
    groups: tuple[Group, ...],
    shown: Group,
    givens: Mapping[str, Given],
    own: dict[str, Own],
    phase: str,
    choices: Choices,
) -> tuple[Input, ...]:
    chosen = _choice(
        "configuration",
        "Plan for",
        shown.label,
        tuple(group.label for group in groups),
        choices,
        "The configuration of the cards and the steps; the chart has all.",
    )
    busy = _choice(
        "phase", "Working phase", phase, phase_names(groups), choices, "The phase that sets the working load."
    )
    return (chosen, busy, *(_input(name, one, own) for name, one in givens.items()))


def _what_if_inputs(
    phase: str, minutes: float, desktops: float, window: float, own: dict[str, Own], choices: Choices
) -> tuple[Input, ...]:
    stated = PREFIX + "acceptable_min" in dict(choices.inputs)
    table = constants()
    return (
        _choice("storm", "What starts", phase, (BOOT, LOGON), choices, "boots or logons"),
        _input("desktops", Given(table["desktops"], desktops, "yours", table["desktops"].source), own, "What if"),
        Input(
            PREFIX + "acceptable_min",
            f"Acceptable {phase_words(phase)} time",
            minutes,
            "min",
            (),
            0.1,
            1440.0,
            2,
            "yours" if stated else "assumed",
            "how long one boot or logon may take",
            "What if",
        ),
        _input(
            f"{phase}_window_min",
            Given(
                table[f"{phase}_window_min"],
                window,
                table[f"{phase}_window_min"].origin,
                table[f"{phase}_window_min"].source,
            ),
            own,
            "What if",
        ),
    )


def _choice(name: str, label: str, value: str, offered: tuple[str, ...], choices: Choices, tip: str) -> Input:
    origin = "yours" if PREFIX + name in dict(choices.inputs) else "assumed"
    group = "What if" if name == "storm" else "Plan"
    return Input(PREFIX + name, label, value, "", offered, origin=origin, tip=tip, group=group)  # type: ignore[arg-type]


def _input(name: str, one: Given, own: dict[str, Own], group: str = "") -> Input:
    constant = one.constant
    value: Value = 0.0 if one.value is None else one.value
    # A default that only the user could know is no statement of theirs.
    origin = "yours" if name in own else "assumed" if one.origin == "yours" else one.origin
    return Input(
        PREFIX + name,
        capital(constant.label) + (" (none)" if one.value is None else ""),
        value,
        constant.unit,
        tuple(choice.name for choice in constant.choices),
        0.0 if constant.value is None and not constant.taken_from else constant.least,
        constant.most,
        0 if constant.whole else _decimals(value),
        origin,
        f"{one.source}",
        group or constant.group,
    )


def _decimals(value: Value) -> int:
    """One decimal, two where the value has more."""
    return 1 if isinstance(value, str) or round(value, 1) == value else 2


def _number(name: str, own: dict[str, Own]) -> float:
    value = own[name].value if name in own else constants()[name].value
    assert isinstance(value, float)
    return value
