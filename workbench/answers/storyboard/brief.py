"""What a brief shows beside the answer: what each configuration costs as a chart, and all of them in one table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from workbench.answers.common.change_words import change_ends_words, change_words
from workbench.answers.common.looks import looks
from workbench.answers.findings.names import short_names
from workbench.answers.sizing.compute import Plan
from workbench.charts.figure import Axis, Bars, Emphasis, Figure, Look, Panel
from workbench.charts.tables import Cell, Column, TableData
from workbench.measures.catalogue import MEASURES
from workbench.measures.configurations import Group, change_from, phase_names
from workbench.model.phase import STEADY
from workbench.words.metrics import phase_words
from workbench.words.numbers import MISSING, fixed, number

# So many configurations are drawn; of more the baseline, the best, the worst and the one of the answer.
_DRAWN = 8
# What a plan costs: title, key of its result, unit.
_COSTS = (("Disks", "disks", ""), ("Hosts", "hosts", ""), ("RAM for the cache", "cache_ram_gib", "GiB"))
COST = "brief-cost"
_IOPS, _IN_STEADY = "iops_per_vm", ("read_latency_ms", "write_latency_ms", "cpu_percent")
CONFIGURATIONS = "All configurations"


def cost_figure(plans: Sequence[Plan], groups: Sequence[Group], configuration: str, question: str) -> Figure | None:
    """Disks, hosts and RAM of each configuration, each with a panel and each bar with its number; the configuration of
    the answer in its full colour. None where no plan is possible."""
    drawn = _few([plan for plan in plans if plan.configuration and plan.result("disks") is not None], configuration)
    if not drawn:
        return None
    look = looks(groups)
    names = [str(plan.configuration) for plan in drawn]
    short = short_names(names)
    labels = tuple(short[name] for name in names)
    panels: list[Panel] = []
    for title, key, unit in _COSTS:
        values = [plan.result(key) for plan in drawn]
        # A configuration without a cache needs no RAM for one.
        numbers = [0.0 if value is None and key == "cache_ram_gib" else value for value in values]
        if not any(numbers):
            continue
        bars = tuple(
            _bar(name, look.get(name, Look("other")), at, numbers, "all" if configuration in ("", name) else "others")
            for at, name in enumerate(names)
        )
        axis = Axis("", categories=labels)
        panels.append(Panel(title, axis, Axis(title, unit), bars, len(panels), legend=False))
    words = "; ".join(f"{plan.configuration}: {_words(plan)}" for plan in drawn)
    more = f"{len(drawn)} of {len(plans)} configurations drawn; the table has all" if len(drawn) < len(plans) else ""
    return Figure(COST, question, more, tuple(panels), share_y=False, summary=words)


def _few(plans: Sequence[Plan], configuration: str) -> list[Plan]:
    if len(plans) <= _DRAWN:
        return list(plans)
    by_disks = sorted(plans, key=lambda plan: plan.result("disks") or 0.0)
    kept = (plans[0], by_disks[0], by_disks[-1], *(plan for plan in plans if plan.configuration == configuration))
    return [plan for plan in plans if plan in kept]


def _words(plan: Plan) -> str:
    return ", ".join(f"{title.lower()} {number(plan.result(key))}" for title, key, _ in _COSTS)


def _bar(name: str, look: Look, at: int, numbers: Sequence[float | None], emphasis: Emphasis) -> Bars:
    values = np.full(len(numbers), np.nan)
    value = numbers[at]
    values[at] = np.nan if value is None else value
    return Bars(name, values, Look(look.hue, look.tint), stack="cost", emphasis=emphasis)


def configuration_table(groups: Sequence[Group], plans: Sequence[Plan]) -> TableData:
    """A row for each configuration: IOPS per VM in each phase, the change in steady state, latency, CPU, cost."""
    shown = [group for group in groups if group.runs]
    phases = phase_names(shown)
    main = STEADY if STEADY in phases else next(iter(phases), "")
    base = next((group.against for group in shown if group.against is not None), None)
    by_label = {plan.configuration: plan for plan in plans}
    columns = [Column("Configuration", numeric=False), Column("Runs")]
    columns += [Column(phase_words(phase).capitalize(), "IOPS per VM") for phase in phases]
    if base is not None:
        columns += [Column("Change", f"IOPS, {phase_words(main)}"), Column("Interval", numeric=False)]
    figures = [key for key in _IN_STEADY if any(group.mean(main, key) is not None for group in shown)]
    columns += [Column(MEASURES[key].name, MEASURES[key].unit) for key in figures]
    costs = [cost for cost in _COSTS if any(plan.result(cost[1]) is not None for plan in plans)]
    columns += [Column(title, unit) for title, _, unit in costs]
    look = looks(shown)
    rows = []
    for group in shown:
        row = [Cell(group.label, group.label, look=look[group.label]), Cell(str(len(group.runs)), len(group.runs))]
        row += [_number(group.mean(phase, _IOPS)) for phase in phases]
        if base is not None:
            found = None if group is base else change_from(base, group, main, _IOPS)
            ends = MISSING if found is None else change_ends_words(found, "%")
            row += [Cell(change_words(found, "%"), None if found is None else found.percent), Cell(ends, ends)]
        row += [_number(group.mean(main, key)) for key in figures]
        plan = by_label.get(group.label)
        row += [_number(None if plan is None else plan.result(key), not unit) for _, key, unit in costs]
        rows.append(tuple(row))
    legend = f"Mean of the runs; change vs. {base.label}" if base is not None else "Mean of the runs"
    return TableData(tuple(columns), tuple(rows), legend, CONFIGURATIONS)


def _number(value: float | None, whole: bool = False) -> Cell:
    return Cell(fixed(value, 0) if whole and value is not None else number(value), value)
