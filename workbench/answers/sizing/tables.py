"""The capacity plan as tables: its steps, every configuration's result, and the inputs with their sources."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from workbench.answers.common.sources import known_source, source_of
from workbench.answers.sizing.boot_what_if import WhatIf
from workbench.answers.sizing.compute import Given, Plan, PlanStep, plain
from workbench.answers.sizing.sources import explain_given, explain_step, explain_what_if
from workbench.charts.figure import FigureSource, Look
from workbench.charts.inputs import unit_of
from workbench.charts.tables import Cell, Column, RowField, TableData, number_field, table_of, text_field
from workbench.measures.configurations import Group, Mean
from workbench.words.captions import first_lines, named
from workbench.words.metrics import phase_words
from workbench.words.numbers import MISSING, THIN, decimal_mark, decimals_of, duration, fixed, number, with_mark

STEPS, CONFIGURATIONS, INPUTS, WHAT_IF = "Calculation steps", "Configurations", "Inputs", "Required IOPS"
RATIO = ": 1"
_DECIMALS = re.compile(r"\d+\.\d+")
# The results of every configuration that are shown with their interval between the runs.
_WITH_INTERVAL = ("disks", "hosts_with_spare")


def steps_table(plan: Plan, group: Group | None = None) -> TableData:
    """One row per step: result, rounded result, formula with numbers and as text, and its basis. Results lead to their
    inputs and steps, and to the samples of `group` if one of these was measured."""
    columns = (
        Column("Step", numeric=False),
        Column("Result", tip="Result before rounding"),
        Column("Rounded", tip="Result, rounded up (VMs per host: rounded down)"),
        Column("Interval over runs", tip="95 % interval of the result over the runs, or the range of two runs"),
        Column("Unit", numeric=False),
        Column("Formula with numbers", numeric=False),
        Column("Formula", numeric=False),
        Column("Source", numeric=False),
        Column("Part", numeric=False),
    )
    who = f" for {named(plan.configuration)}" if plan.configuration else ""
    return TableData(
        columns,
        tuple(_step_row(step, plan, group) for step in plan.steps),
        "▸ marks the deciding step (the largest value)",
        f"{STEPS}{who}",
        method=("If a step is rounded, later steps use the rounded value",),
    )


def configurations_table(plans: Sequence[Plan], look: Mapping[str, Look]) -> TableData:
    """One row per configuration: the hardware that it needs."""
    shown = (
        ("IOPS per VM", "", "iops_per_vm"),
        ("IOPS of the working load", "mean", "iops_mean"),
        ("IOPS of the working load", "percentile of the summed IOPS", "iops_summed"),
        ("IOPS of the working load", "all VMs busy at once", "iops_all_at_once"),
        ("Share of reads", "mean %", "read_percent"),
        ("Share of reads", "at peak load, %", "busy_read_percent"),
        ("Required IOPS", "all VMs", "iops_total"),
        ("Disks", "needed for IOPS", "disks_by_iops"),
        ("Disks", "needed for capacity", "disks_by_capacity"),
        ("Disks", "", "disks"),
        ("Enclosures", "", "enclosures"),
        ("Hosts", "needed for RAM", "hosts_by_ram"),
        ("Hosts", "needed for vCPUs", "hosts_by_vcpu"),
        ("Hosts", "including spares", "hosts_with_spare"),
        ("Network ports", "", "network_ports"),
        ("Load of the busiest link", "%", "path_share"),
        ("RAM cache", "GB", "cache_ram_gib"),
        ("Cache disk", "GB", "cache_disk_gib"),
    )
    columns = (Column("Configuration", numeric=False), *(Column(title, unit) for title, unit, _ in shown))
    rows = []
    for plan in plans:
        label = plan.configuration or MISSING
        rows.append(
            (Cell(label, label, look=look.get(label)), *(_configuration_cell(plan, key) for _, _, key in shown))
        )
    method = ["Each number is followed by its 95 % interval (two runs: range)"]
    if any(is_lower_bound(plan) for plan in plans):
        method.append("≥: the IOPS are unknown, so more disks may be needed")
    return TableData(columns, tuple(rows), "", CONFIGURATIONS, method=tuple(method))


def is_lower_bound(plan: Plan) -> bool:
    """True if the number of disks covers only the capacity, because the IOPS are unknown."""
    return plan.result("disks") is not None and plan.result("disks_by_iops") is None


def disks_text(plan: Plan) -> str:
    """The number of disks; `≥ 56` if it is a lower bound."""
    return f"≥{THIN}" * is_lower_bound(plan) + result_text(plan.result("disks"))


def inputs_table(plan: Plan, group: Group | None = None, *, names: bool = False) -> TableData:
    """Every input with its value, unit, type and source; measured ones lead to the samples of `group`. With `names`,
    also the keys that set an input on the command line."""
    fields: tuple[RowField[tuple[str, Given]], ...] = (
        text_field("Input", lambda row: Cell(capital(row[1].constant.label), row[1].constant.label)),
        number_field("Value", lambda row: _given_cell(row[1], input_source(plan, row[0], group))),
        text_field("Unit", lambda row: _unit_cell(row[1])),
        text_field("Type", lambda row: Cell(origin_words(row[1]), origin_words(row[1]))),
        text_field("Source", lambda row: Cell(row[1].source, row[1].source, row[1].source), fills=True),
        text_field("Key", lambda row: row[0]),
    )
    method = ("Documented: from a published source. Assumed: a default value",)
    return table_of(fields if names else fields[:-1], plan.givens.items(), name=INPUTS, method=method)


def _rate(key: str, value: Callable[[WhatIf], float | None], column: Column) -> RowField[WhatIf]:
    return RowField(key, value, column, number, figure=key)


WHAT_IF_FIELDS: tuple[RowField[WhatIf], ...] = (
    text_field("Configuration", lambda row: row.configuration, "configuration"),
    RowField("phase", lambda row: row.phase),
    RowField("starts_of", lambda row: row.unit.lower()),
    RowField("desktops", lambda row: row.desktops),
    RowField("starts", lambda row: row.starts),
    _rate("total_io_per_start", lambda row: row.total_io, Column("Total I/O", "per VM or session")),
    text_field("VM or session", lambda row: row.unit),
    number_field("Measured time", lambda row: row.measured_s, "measured_duration_s", text=duration),
    number_field("Acceptable time", lambda row: row.seconds, "acceptable_s", text=duration),
    RowField("window_s", lambda row: row.window_s),
    _rate("iops_per_start", lambda row: row.iops_each, Column("IOPS", "per VM or session")),
    _rate(
        "starts_at_once",
        lambda row: row.at_once,
        Column("Simultaneous starts", tip="Number of VMs that boot, or of sessions that log on, at the same time"),
    ),
    _rate(
        "iops_spread",
        lambda row: row.iops_spread,
        Column(
            "IOPS", "staggered starts", tip="Required IOPS if boots or logons are spread over the boot or logon window"
        ),
    ),
    _rate("iops_all_at_once", lambda row: row.iops_all_at_once, Column("IOPS", "simultaneous starts")),
    number_field("Runs", lambda row: row.runs, "runs", text=str),
)


def what_if_table(answers: Sequence[WhatIf], look: Mapping[str, Look], groups: Sequence[Group] = ()) -> TableData:
    """One row per configuration and acceptable time; the numbers lead to the samples of `groups`."""
    return table_of(
        WHAT_IF_FIELDS,
        answers,
        lambda row, figure: what_if_source(row, figure, groups),
        lambda row: look.get(row.configuration),
        legend=f"Phase: {phase_words(answers[0].phase)}" if answers else "",
        name=WHAT_IF,
    )


def _configuration_cell(plan: Plan, key: str) -> Cell:
    if plan.apart:
        return Cell(MISSING, None, plan.problem)
    if key in plan.givens:
        given = plan.givens[key]
        return Cell(
            result_text(given.number), given.number, given.source, source=known_source(explain_given(plan, key))
        )
    step = plan.step(key)
    if plan.problem:
        return Cell(MISSING, None, plan.problem)
    text = result_text(step.result)
    if key in _WITH_INTERVAL:
        value = disks_text(plan) if key == "disks" else result_text(step.result, step.unit)
        text = ", ".join(filter(None, (value, interval_text(step.between))))
    formula = f"{capital(step.label)}\n{step.words}\n= {_with_marks(step.numbers)}"
    why = formula if step.result is not None else _rests_on(step, plan.givens)
    return Cell(text, step.result, why, source=known_source(explain_step(plan, step)))


def interval_text(between: Mean | None) -> str:
    """The interval as text: `96–112`; empty if the interval is unknown or has no width."""
    ends = [] if between is None else [result_text(end) for end in (between.low, between.high)]
    return "" if len(set(ends)) < 2 else "\u2013".join(ends)


def interval_tip(between: Mean | None) -> str:
    """The kind of a step's interval, such as `95 % interval over 3 runs`."""
    if between is None:
        return ""
    kind = "95 % interval over" if between.basis == "interval" else "range of"
    return f"{kind} {between.n} runs"


def result_text(value: float | None, unit: str = "") -> str:
    """A result: whole numbers without decimals; others with enough decimals to see that 107.1 becomes 108; ratios as
    3.1."""
    if value is None:
        return MISSING
    if value == round(value):
        return fixed(value, 0)
    if unit == RATIO:
        return fixed(value, 1)
    return number(value, 4 if abs(value) >= 100 else 3)


def capital(label: str) -> str:
    """The label as the beginning of a heading; vCPU keeps its small v."""
    return label if label.startswith("vCPU") else label[:1].upper() + label[1:]


def origin_words(given: Given) -> str:
    """The origin of an input; — for one without a value."""
    return MISSING if given.value is None else given.origin


def step_source(plan: Plan, step: PlanStep, group: Group | None = None) -> FigureSource | None:
    """The sources of a step, and the samples of the first of its inputs that was measured; None without a result."""
    source = known_source(explain_step(plan, step))
    measured = (samples for name in step.inputs if (samples := _samples(plan, name, group)) is not None)
    first = next(measured, None)
    return source if source is None or first is None else replace(first, explanations=source.explanations)


def input_source(plan: Plan, name: str, group: Group | None) -> FigureSource | None:
    """The samples of an input that was measured, otherwise the place that states it; None without a number."""
    source = known_source(explain_given(plan, name))
    return None if source is None else _samples(plan, name, group) or source


def _samples(plan: Plan, name: str, group: Group | None) -> FigureSource | None:
    given = plan.givens.get(name)
    if given is None or given.figure is None or group is None:
        return None
    return source_of(group, *given.figure, given.number)


def _step_row(step: PlanStep, plan: Plan, group: Group | None) -> tuple[Cell, ...]:
    givens, source = plan.givens, step_source(plan, step, group)
    label = f"▸ {capital(step.label)}" if step.bottleneck else capital(step.label)
    tip = "\n".join(part for part in (step.note, f"limiting factor: {step.bound}" if step.bottleneck else "") if part)
    rests, shown, words = _rests_on(step, givens), _with_marks(step.numbers), with_mark(step.words)
    rounded_source = None if step.rounded is None else source
    rounded = Cell("" if step.rounding == "" else result_text(step.rounded), step.rounded, source=rounded_source)
    return (
        Cell(label, step.label, tip),
        Cell(result_text(step.value, step.unit), step.value, source=source),
        rounded,
        Cell(
            interval_text(step.between), None if step.between is None else step.between.low, interval_tip(step.between)
        ),
        Cell(step.unit, step.unit),
        Cell(shown, step.numbers, shown, brief=_with_marks(_DECIMALS.sub(_in_four_digits, step.numbers))),
        Cell(words, step.words, words),
        Cell(rests, rests, first_lines(step.sources, "source")),
        Cell(step.group, step.group),
    )


def _with_marks(formula: str) -> str:
    """The formula with the decimal mark in its numbers. Decimal commas need other separators of a list."""
    return formula if decimal_mark() == "." else with_mark(formula.replace(", ", "; "))


def _in_four_digits(found: re.Match[str]) -> str:
    """A decimal number with four significant digits; its whole part stays whole."""
    value = float(found[0])
    return plain(round(value, max(0, decimals_of(value))))


def _rests_on(step: PlanStep, givens: Mapping[str, Given]) -> str:
    """The missing inputs of a step. Otherwise the assumptions behind it, or the origins of its own inputs."""
    names = step.missing or step.assumed
    if names:
        what = "not available" if step.missing else "assumed"
        return f"{what}: {', '.join(givens[name].constant.label for name in names)}"
    origins = dict.fromkeys(givens[name].origin for name in step.inputs if name in givens)
    return ", ".join(origins) or "the steps above"


def _unit_cell(given: Given) -> Cell:
    unit = unit_of(given.value, given.constant.unit)
    return Cell(unit, unit)


def _given_cell(given: Given, source: FigureSource | None) -> Cell:
    text = given.value if isinstance(given.value, str) else result_text(given.value)
    return Cell(text, given.value, source=source)


def what_if_source(what_if: WhatIf, figure: str, groups: Sequence[Group]) -> FigureSource | None:
    """The sources of a value of the what-if, and the total I/O of each run behind it; None without a value."""
    source = known_source(explain_what_if(what_if, figure))
    group = next((group for group in groups if group.label == what_if.configuration), None)
    samples = None if group is None else source_of(group, what_if.phase, "total_io_per_vm")
    return source if source is None or samples is None else replace(samples, explanations=source.explanations)
