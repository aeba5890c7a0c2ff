"""Sizing: the hardware for N desktops, and the IOPS for boots and logons in an acceptable time.

The answer cards show the result at the top left, and the deciding value next to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from workbench.answers.common.choices import Choices
from workbench.answers.common.chosen import without_answer
from workbench.answers.common.library import Library
from workbench.answers.common.listing import BARS, LINES, Chosen, Figured, listed
from workbench.answers.common.looks import looks
from workbench.answers.sizing.boot_what_if import WhatIf, what_if_figure, what_ifs
from workbench.answers.sizing.chosen import PREFIX, at_work, own_values
from workbench.answers.sizing.compute import Given, Plan, given, plans, problems_of, remarks_of
from workbench.answers.sizing.constants import Own, SizingError, Value, constants
from workbench.answers.sizing.figures import load_words, question, sizing_figure
from workbench.answers.sizing.spec import KEY, WHAT_IF
from workbench.answers.sizing.tables import (
    capital,
    configurations_table,
    disks_text,
    inputs_table,
    interval_text,
    result_text,
    step_source,
    steps_table,
    what_if_table,
)
from workbench.charts.content import Card, Content
from workbench.charts.figure import Look
from workbench.charts.inputs import Input
from workbench.measures.catalogue import MEASURES
from workbench.measures.configurations import Group, baseline_of, phase_names
from workbench.model.phase import BOOT, LOGON
from workbench.words.captions import captioned, named, short_lines
from workbench.words.metrics import phase_words
from workbench.words.numbers import MISSING, THIN, decimals_of, duration, fixed, marked, number

# The default acceptable time for one boot or logon, until the user states one.
_ACCEPTABLE_MIN = 4.0
# The decimals that a typed number may have.
_KEPT = 6
# The acceptable times of the table, in addition to the chosen one.
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
    # The configuration of the cards and steps: the user's choice, otherwise the baseline if it is not hidden.
    label, base = choices.input("sizing.configuration", ""), baseline_of(groups)
    named = next((group for group in groups if group.label == label), base)
    chosen = named if named in groups else groups[0]
    look = looks(groups)
    inputs = _plan_inputs(groups, chosen, given(chosen, own, phase), own, phase, choices)
    try:
        planned = plans(groups, own, phase)
    except SizingError as error:
        # The inputs stay visible, so the user can undo the contradiction.
        return Content(question(_number("desktops", own), groups), str(error), inputs=inputs)
    ours = next(plan for plan in planned if plan.configuration == chosen.label)
    rows = _listed(groups, choices, phase, BARS)
    figure = sizing_figure(_drawn(planned, rows), groups)
    told, method = _captions(planned, chosen, ours)
    cards = plan_cards(ours, look[chosen.label])
    tables = (steps_table(ours, chosen), configurations_table(planned, look), inputs_table(ours, chosen))
    if rows is not None:
        content = rows.content(figure, tables, inputs)
        asked = question(_number("desktops", own), groups)
        told, method = captioned((rows.listing.words, told), method)
        return replace(content, question=asked, caption=told, cards=cards, method=method)
    return Content(figure.question, told, cards, figure, tables, inputs=inputs, method=method)


def _captions(planned: Sequence[Plan], chosen: Group, ours: Plan) -> tuple[str, tuple[str, ...]]:
    """The caption and the method: missing inputs first, otherwise the subject of cards and steps. If no plan is
    possible, the caption gives the full reason."""
    if problems := problems_of(planned):
        return " ".join(problems), ()
    remarks = [tuple(short_lines(text)) for text in remarks_of(planned)]
    plan = f"Plan for {named(chosen.label)}: {load_words(ours)}"
    caption, left = captioned([first for first, *_ in remarks] or [plan])
    # The caption has only the first clause of a long remark; the method repeats it, so the remark is whole.
    lines = (line for remark in remarks if len(remark) > 1 or remark[0] in left for line in remark)
    units = "RAM and caches: 1 GB = 2³⁰ bytes", "Disk space: 1 GB = 10⁹ bytes"
    return caption, (*lines, f"The cards and steps show {named(chosen.label)}", *units)


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
    """The list of configurations by the IOPS of their plans, if there are many."""
    columns = [Figured(name, MEASURES["iops_per_vm"]) for name in phase_names(groups)]
    return listed(groups, choices, columns, phase, room)


_Answer = TypeVar("_Answer", Plan, WhatIf)


def _drawn(answers: Sequence[_Answer], chosen: Chosen | None) -> Sequence[_Answer]:
    """The configurations that are drawn."""
    if chosen is None:
        return answers
    by_label = {answer.configuration: answer for answer in answers}
    return [by_label[group.label] for group in chosen.groups if group.label in by_label]


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
        "Configuration shown in the cards and steps. The chart shows all configurations.",
    )
    busy = _choice("phase", "Working phase", phase, phase_names(groups), choices, "Phase that sets the working load")
    return (chosen, busy, *(_input(name, one, own) for name, one in givens.items()))


def _what_if_inputs(
    phase: str, minutes: float, desktops: float, window: float, own: dict[str, Own], choices: Choices
) -> tuple[Input, ...]:
    stated = PREFIX + "acceptable_min" in dict(choices.inputs)
    table = constants()
    return (
        _choice("storm", "Boot or logon", phase, (BOOT, LOGON), choices, "All desktops boot, or all users log on"),
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
            "Longest time that one boot or logon may take",
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
    return Input(
        PREFIX + name,
        label,
        value,
        choices=offered,
        origin="yours" if PREFIX + name in dict(choices.inputs) else "assumed",
        tip=tip,
        group="What if" if name == "storm" else "Plan",
        names=() if name == "configuration" else tuple(map(phase_words, offered)),
    )


def _input(name: str, one: Given, own: dict[str, Own], group: str = "") -> Input:
    constant = one.constant
    value: Value = 0.0 if one.value is None else one.value
    # A default that only the user can know is not a statement by the user.
    origin = "yours" if name in own else "assumed" if one.origin == "yours" else one.origin
    return Input(
        PREFIX + name,
        capital(constant.label),
        value,
        constant.unit,
        tuple(choice.name for choice in constant.choices),
        0.0 if constant.value is None and not constant.taken_from else constant.least,
        constant.most,
        0 if constant.whole else _decimals(value, typed=origin == "yours"),
        "" if one.value is None else origin,
        f"{one.source}",
        group or constant.group,
        kept=0 if constant.whole else _KEPT,
        missing=one.value is None,
    )


def _decimals(value: Value, typed: bool) -> int:
    """All decimals of a typed value, otherwise those of its first four digits; none of a whole number."""
    if isinstance(value, str):
        return 0
    has = len(f"{value:.{_KEPT}f}".rstrip("0").partition(".")[2])
    return has if typed else min(has, decimals_of(value))


def _number(name: str, own: dict[str, Own]) -> float:
    value = own[name].value if name in own else constants()[name].value
    assert isinstance(value, float)
    return value


def plan_cards(plan: Plan, look: Look) -> tuple[Card, ...]:
    """Cards with disks, hosts, network and the bottleneck of the path, and the RAM cache, otherwise the load if it was
    measured. No cards if no plan is possible."""
    if plan.problem:
        return ()
    cards = [_disks(plan, look), _hosts(plan, look), _network(plan, look), _bottleneck(plan, look)]
    if plan.result("cache_ram_gib") or plan.givens["cache_ram_mb"].value is None:
        cards.append(_cache(plan, look))
    elif plan.result("iops_mean") is not None:
        # With a sixth card none would have room for its text; the tables contain the load of every configuration.
        cards.insert(2, _load(plan, look))
    return tuple(cards)


def what_if_cards(answers: Sequence[WhatIf], look: Mapping[str, Look]) -> tuple[Card, ...]:
    """The IOPS that all desktops of each configuration need."""
    return tuple(
        Card(
            answer.configuration,
            look[answer.configuration],
            number(answer.iops_spread),
            "" if answer.iops_spread is None else "IOPS in total",
            f"each {answer.unit} needs {number(answer.iops_each)} IOPS to start within {duration(answer.seconds)}"
            if answer.iops_each is not None
            else "not measured",
            ""
            if answer.total_io is None
            else f"{number(answer.total_io)} I/Os per {answer.unit} · "
            f"{number(answer.iops_all_at_once)} IOPS for simultaneous starts",
            spoken=named(answer.configuration),
        )
        for answer in answers
    )


def _disks(plan: Plan, look: Look) -> Card:
    rests = _between(plan, "disks") or _assumed(plan, "disks")
    by_iops = _text(plan, "disks_by_iops", unrounded=True)
    return Card(
        "Disks",
        look,
        disks_text(plan),
        "disks",
        f"{rests} · {_counted(plan, 'enclosures', 'enclosure')}",
        f"{'disks for IOPS unknown' if by_iops == MISSING else f'{by_iops} disks for IOPS'} · "
        f"{_text(plan, 'disks_by_capacity', unrounded=True)} disks for capacity",
        step_source(plan, plan.step("disks")),
    )


def _hosts(plan: Plan, look: Look) -> Card:
    decider = plan.decider("hosts")
    return Card(
        "Hosts",
        look,
        _with_spare(plan, "hosts", "spare_hosts"),
        "hosts" if plan.result("hosts") is not None else "",
        " · ".join(
            filter(None, (f"limiting factor: {decider.bound}" if decider else "not available", _between(plan, "hosts")))
        ),
        f"{_text(plan, 'vms_per_host')} VMs per host · {_text(plan, 'vcpu_ratio')} vCPUs per core",
        step_source(plan, plan.step("hosts")),
    )


def _load(plan: Plan, look: Look) -> Card:
    """IOPS of the working load, with the results of the other ways to compute them."""
    steady, nth = plan.result("iops_steady"), marked(f"p{plan.givens['iops_percentile'].number or 0:g}")
    ways = (
        ("all VMs busy at once", "iops_all_at_once"),
        (f"{nth} of the summed IOPS", "iops_summed"),
        ("mean of the summed IOPS", "iops_mean"),
    )
    others = [f"{name}: {_text(plan, key)}" for name, key in ways if plan.result(key) not in (None, steady)]
    taken = [name for name, key in ways if plan.result(key) == steady is not None]
    return Card(
        "Load",
        look,
        _text(plan, "iops_steady"),
        "IOPS",
        taken[0] if taken else str(plan.givens["iops_per_vm"].origin),
        " · ".join(others),
        step_source(plan, plan.step("iops_steady")),
    )


def _network(plan: Plan, look: Look) -> Card:
    return Card(
        "Network",
        look,
        _with_spare(plan, "network_ports", "spare_ports"),
        "ports" if plan.result("network_ports") is not None else "",
        str(plan.givens["network_port"].value),
        "throughput not available"
        if plan.result("throughput_mb_per_s") is None
        else f"{_text(plan, 'throughput_mb_per_s')}{THIN}MB/s · {_assumed(plan, 'throughput_mb_per_s')}",
        step_source(plan, plan.step("network_ports")),
    )


def _bottleneck(plan: Plan, look: Look) -> Card:
    path, disks = plan.decider("path_share"), plan.decider("disks")
    if path is None or path.value is None:
        return Card(
            "Highest load", look, MISSING, "", "not available", f"limiting factor: {disks.bound}" if disks else ""
        )
    return Card(
        "Highest load",
        look,
        f"{path.value:.0f}",
        "%",
        f"load of one {path.bound.removeprefix('the ')}",
        f"limiting factor: {disks.bound}" if disks else "",
        step_source(plan, path),
    )


def _cache(plan: Plan, look: Look) -> Card:
    more, ram = plan.result("hosts_for_cache"), plan.result("cache_ram_gib")
    disk = plan.result("cache_disk_gib")
    needed = f"{_counted(plan, 'hosts_for_cache', 'additional host')} needed" if more else "no additional host needed"
    return Card(
        "RAM cache",
        look,
        _text(plan, "cache_ram_gib"),
        "" if ram is None else "GB",
        "size unknown: set ram_cache_mb" if ram is None else needed,
        "cache disk not measured" if disk is None else f"{result_text(disk)}{THIN}GB cache disk",
        step_source(plan, plan.step("cache_ram_gib")),
    )


def _between(plan: Plan, key: str) -> str:
    """The interval as text: `95 % interval 96–112`, or the range of two runs."""
    between = plan.step(key).between
    text = interval_text(between)
    kind = "range" if between is None or between.basis == "range" else f"95{THIN}% interval"
    return f"{kind} {text}" if text else ""


def _text(plan: Plan, key: str, unrounded: bool = False) -> str:
    step = plan.step(key)
    return result_text(step.value if unrounded else step.result, step.unit)


def _counted(plan: Plan, key: str, word: str) -> str:
    count = plan.result(key)
    return f"{result_text(count)} {word}{'' if count == 1 else 's'}"


def _with_spare(plan: Plan, key: str, spare: str) -> str:
    """A count with its spare as text: `12 + 1`; only a dash if the count is not available."""
    kept = fixed(plan.givens[spare].number or 0, 0)
    return MISSING if plan.result(key) is None else f"{_text(plan, key)} + {kept}"


def _assumed(plan: Plan, key: str) -> str:
    """The number of assumptions behind the value; the steps name them."""
    count = len(plan.step(key).assumed)
    return f"{count or 'no'} assumed input{'s' * (count != 1)}"
