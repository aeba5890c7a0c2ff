"""Where the numbers of the capacity plan and of the what-if come from: a step's own inputs and the steps it uses.

A source of a step is an input (its place in the table of constants, or what the user said) or an earlier step; an input
that was measured leads on to the figure of the phase table, or of the cache, that it is the mean of.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from workbench.answers.sizing.boot_what_if import WhatIf
from workbench.answers.sizing.compute import Given, Plan, Step
from workbench.answers.sizing.constants import constants
from workbench.measures.configurations import Group
from workbench.measures.sources import Reports, explain
from workbench.model.phase import BOOT, LOGON
from workbench.model.resources import resource
from workbench.model.source import NO_PHASE, Explanation, SourceRows

TABLE = "resources/sizing.toml"
_MEASURED = {
    "read_percent": (None, "read_percent"),
    "boot_io_per_vm": (BOOT, "total_io_per_vm"),
    "boot_read_percent": (BOOT, "read_percent"),
    "logon_io_per_vm": (LOGON, "total_io_per_vm"),
    "logon_read_percent": (LOGON, "read_percent"),
}


def explain_step(plan: Plan, step: Step) -> Explanation:
    """A step with the inputs and the earlier steps that its formula takes, and whose they are."""
    sources = tuple(
        _input(name, plan.givens[name]) if name in plan.givens else _step(plan.step(name)) for name in step.inputs
    )
    note = f"= {step.numbers}"
    if step.rounding:
        note += f"; rounded {step.rounding}: {step.rounded:g}" if step.rounded is not None else ""
    return _explanation(plan, step.key, step.value, step.words, sources, note)


def explain_given(plan: Plan, name: str) -> Explanation:
    """An input: the line of the table of constants that states it, or what was said in its place."""
    given = plan.givens[name]
    sources = (_input(name, given),)
    return _explanation(plan, name, given.number, f"{given.constant.label}: {given.origin}", sources, given.source)


def measured_figure(plan: Plan, name: str) -> tuple[str, str] | None:
    """The phase and the figure of the phase table whose mean over the runs a measured input is; None where it is
    another figure, or nothing that was measured."""
    given = plan.givens[name]
    if given.origin != "measured":
        return None
    if name == "iops_per_vm":
        figure = {"mean": "iops_per_vm"}.get(str(plan.givens["iops_figure"].value))
        share = plan.givens["iops_percentile"].number
        known = {95.0: "p95_iops_per_vm", 100.0: "peak_iops_per_vm"}.get(share or 0.0)
        taken = figure or known
        return (plan.phase, taken) if taken else None
    phase, figure = _MEASURED.get(name, (None, None))
    return None if figure is None else (phase or plan.phase, figure)


def explain_plan(plan: Plan, group: Group | None, reports: Reports) -> Iterator[Explanation]:
    """Every step and every input of a plan; a measured input also by the figure of each run that it is the mean of."""
    yield from (explain_step(plan, step) for step in plan.steps)
    for name in plan.givens:
        yield explain_given(plan, name)
        figure = measured_figure(plan, name)
        for run in group.runs if group is not None and figure is not None else ():
            if figure is not None and run.phase(figure[0]) is not None:
                yield explain(run, *figure, reports)


def explain_what_if(what_if: WhatIf, figure: str) -> Explanation:
    """What the IOPS of a what-if are worked out from; its total I/O is a figure of the phase table."""
    formula = {
        "iops_per_start": "total I/O of one start ÷ acceptable time",
        "starts_at_once": "starts × acceptable time ÷ window of the starts, all of them where that is shorter",
        "iops_spread": "starts at once × IOPS per start",
        "iops_all_at_once": "starts × IOPS per start",
        "total_io_per_start": "mean over the runs of the total I/O per VM (of a logon on RDS ÷ sessions per VM)",
    }[figure]
    values = {
        "iops_per_start": what_if.iops_each,
        "starts_at_once": what_if.at_once,
        "iops_spread": what_if.iops_spread,
        "iops_all_at_once": what_if.iops_all_at_once,
        "total_io_per_start": what_if.total_io,
    }
    numbers = (
        f"total I/O {_plain(what_if.total_io)} per {what_if.unit}, acceptable {what_if.seconds:g} s, "
        f"starts {_plain(what_if.starts)}, window {what_if.window_s:g} s"
    )
    return Explanation("", "", what_if.configuration, NO_PHASE, figure, values[figure], formula, (), False, numbers)


def explain_what_ifs(what_if: WhatIf, group: Group, reports: Reports) -> Iterator[Explanation]:
    """Every figure of a what-if, then the total I/O of each run that it rests on."""
    for figure in ("total_io_per_start", "iops_per_start", "starts_at_once", "iops_spread", "iops_all_at_once"):
        yield explain_what_if(what_if, figure)
    for run in group.runs:
        if run.phase(what_if.phase) is not None:
            yield explain(run, what_if.phase, "total_io_per_vm", reports)


def _plain(value: float | None) -> str:
    return "not known" if value is None else f"{value:g}"


def _input(name: str, given: Given) -> SourceRows:
    line = _line(given)
    words = f"{given.constant.label}: {given.origin}, {given.source}"
    file = "" if line is None else TABLE
    return SourceRows(file, name, None, "", None, None, line, line, 1, 0, None, given.number, words)


def _step(step: Step) -> SourceRows:
    words = f"step: {step.label}"
    return SourceRows("", step.key, None, "", None, None, None, None, 1, 0, None, step.result, words)


def _line(given: Given) -> int | None:
    """The line of the table in which the value of an input stands; None where it is from elsewhere."""
    constant = given.constant
    if constant.taken_from and given.origin != "yours":
        chosen = given.source.partition(": ")[0]
        return _lines().get((chosen, constant.name))
    stated = given.value is not None and given.value == constant.value and given.source == constant.source
    if not stated:
        return None
    rds = constants()[constant.name].rds
    key = "rds.value" if rds is not None and given.source == rds.source else "value"
    return _lines().get((constant.name, key))


@lru_cache(maxsize=1)
def _lines() -> dict[tuple[str, str], int]:
    """The lines of the shipped table by the name above them and the key that they set; the first of each."""
    lines: dict[tuple[str, str], int] = {}
    name = rds = ""
    for line, text in enumerate(resource("sizing.toml").read_text(encoding="utf-8").split("\n"), start=1):
        key, sign, value = (part.strip() for part in text.partition("="))
        if text.startswith("["):
            rds = "rds." if text.startswith("[constant.rds]") else ""
            name = name if rds else ""
        elif sign and key == "name":
            name = value.strip('"')
        elif sign and name and not text.startswith("#"):
            lines.setdefault((name, rds + key), line)
    return lines


def _explanation(
    plan: Plan, figure: str, value: float | None, formula: str, sources: tuple[SourceRows, ...], note: str
) -> Explanation:
    # What a formula takes does not add up to its result, unless by chance.
    return Explanation("", "", plan.configuration or "", NO_PHASE, figure, value, formula, sources, False, note)
