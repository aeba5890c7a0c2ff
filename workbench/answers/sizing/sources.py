"""The sources of the numbers of the capacity plan and of the what-if: a step's own inputs and the steps it uses.

A source of a step is an input (its place in the table of constants, or the user's statement) or an earlier step. A
measured input leads to the value of the phase table, or of the cache, that it is the mean of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache

from workbench.answers.sizing.boot_what_if import WhatIf
from workbench.answers.sizing.compute import Given, Plan, PlanStep
from workbench.answers.sizing.constants import constants
from workbench.measures.configurations import Group
from workbench.measures.sources import Reports, explain
from workbench.model.resources import resource
from workbench.model.source import Explanation, SourceRows, stated_source
from workbench.words.numbers import MISSING

TABLE = "resources/sizing.toml"
# The values of a what-if: the formula and the value.
_WHAT_IF: dict[str, tuple[str, Callable[[WhatIf], float | None]]] = {
    "total_io_per_start": (
        "total I/O per VM, mean over the runs; for logons on RDS, divided by the sessions per VM",
        lambda one: one.total_io,
    ),
    "iops_per_start": ("total I/O of one start ÷ acceptable time", lambda one: one.iops_each),
    "starts_at_once": (
        "starts × acceptable time ÷ time window for all starts; "
        "all starts if this window is shorter than the acceptable time",
        lambda one: one.at_once,
    ),
    "iops_spread": ("simultaneous starts × IOPS per start", lambda one: one.iops_spread),
    "iops_all_at_once": ("starts × IOPS per start", lambda one: one.iops_all_at_once),
}


def explain_step(plan: Plan, step: PlanStep) -> Explanation:
    """A step with the inputs and the earlier steps in its formula, and their origins."""
    sources = tuple(
        _input(name, plan.givens[name]) if name in plan.givens else _step(plan.step(name)) for name in step.inputs
    )
    if step.missing:
        lacking = ", ".join(plan.givens[name].constant.label for name in step.missing)
        note = f"Not available, because input is missing: {lacking}"
    else:
        note = f"= {step.numbers.replace(MISSING, 'not available')}"
    if step.rounding:
        note += f"; rounded {step.rounding}: {step.rounded:g}" if step.rounded is not None else ""
    # An interval without width says nothing more than the value.
    if step.between is not None and step.between.low is not None and step.between.low != step.between.high:
        kind = "95 % interval over" if step.between.basis == "interval" else "range of"
        note += f"; {kind} {step.between.n} runs: {step.between.low:g} to {step.between.high:g}"
    note += f"; {step.note}" * bool(step.note)
    return _of_plan(plan, step.key, step.value, step.words, sources, note)


def explain_given(plan: Plan, name: str) -> Explanation:
    """Explains an input: its row in the table of constants, or the stated value that replaces it."""
    given = plan.givens[name]
    sources = (_input(name, given),)
    explained = _of_plan(plan, name, given.number, given.named, sources, given.source)
    choice = given.value if isinstance(given.value, str) else ""
    return replace(explained, is_input=True, choice=choice)


def explain_plan(plan: Plan, group: Group | None, reports: Reports) -> Iterator[Explanation]:
    """Every step and every input of a plan; for a measured input also the value of each run behind its mean."""
    yield from (explain_step(plan, step) for step in plan.steps)
    for name, given in plan.givens.items():
        yield explain_given(plan, name)
        found = given.figure
        for run in group.runs if group is not None and found is not None else ():
            if found is not None and run.phase(found[0]) is not None:
                yield explain(run, *found, reports)


def explain_what_if(one: WhatIf, figure: str) -> Explanation:
    """The sources of the what-if IOPS. The total I/O of the what-if is a value of the phase table."""
    formula, rule = _WHAT_IF[figure]
    value = rule(one)
    numbers = (
        f"{'Not available; ' * (value is None)}total I/O per {one.unit}: {_plain(one.total_io)}; "
        f"acceptable time per start: {one.seconds:g} s; {one.unit}s to start: {_plain(one.starts)}; "
        f"time window for all starts: {one.window_s:g} s"
    )
    return Explanation(figure, value, formula, note=numbers, configuration=one.configuration)


def explain_what_ifs(one: WhatIf, group: Group, reports: Reports) -> Iterator[Explanation]:
    """Every value of a what-if, then the total I/O of each run behind it."""
    yield from (explain_what_if(one, figure) for figure in _WHAT_IF)
    for run in group.runs:
        if run.phase(one.phase) is not None:
            yield explain(run, one.phase, "total_io_per_vm", reports)


def _plain(value: float | None) -> str:
    return "unknown" if value is None else f"{value:g}"


def _input(name: str, one: Given) -> SourceRows:
    line = _line(one)
    words = f"{one.named}: {one.source}"
    file = "" if line is None else TABLE
    return stated_source(file, line, one.number, words, name)


def _step(step: PlanStep) -> SourceRows:
    return stated_source("", None, step.result, f"intermediate result: {step.label}", step.key)


def _line(one: Given) -> int | None:
    """The line of the table with the value of an input; None if it comes from elsewhere."""
    constant = one.constant
    if constant.taken_from and one.origin != "yours":
        chosen = one.source.partition(", ")[0]
        return _lines().get((chosen, constant.name))
    stated = one.value is not None and one.value == constant.value and one.source == constant.source
    if not stated:
        return None
    rds = constants()[constant.name].rds
    lines, own = _lines(), (constant.name, "value")
    return lines.get((constant.name, "rds.value"), lines.get(own)) if rds == constant else lines.get(own)


@lru_cache(maxsize=1)
def _lines() -> dict[tuple[str, str], int]:
    """The lines of the shipped table by the section name above them and the key that they set; the first of each."""
    found: dict[tuple[str, str], int] = {}
    name = rds = ""
    for line, text in enumerate(resource("sizing.toml").read_text(encoding="utf-8").split("\n"), start=1):
        key, sign, value = (part.strip() for part in text.partition("="))
        if text.startswith("["):
            rds = "rds." if text.startswith("[constant.rds]") else ""
            name = name if rds else ""
        elif sign and key == "name":
            name = value.strip('"')
        elif sign and name and not text.startswith("#"):
            found.setdefault((name, rds + key), line)
    return found


def _of_plan(
    plan: Plan, figure: str, value: float | None, formula: str, sources: tuple[SourceRows, ...], note: str
) -> Explanation:
    # The inputs of a formula do not add up to its result, except by chance.
    return Explanation(figure, value, formula, sources, note, configuration=plan.configuration or "", is_sum=False)
