"""The capacity plan and the boot what-if as JSON and CSV rows (schemas vdi-workbench/sizing/1 and what-if/1).

Keys may be added, never renamed or removed. null is not available; every number has its unit.
"""

from __future__ import annotations

from collections.abc import Sequence

from workbench.answers.common.document import Table, attributes
from workbench.answers.sizing.boot_what_if import WhatIf
from workbench.answers.sizing.compute import Given, Plan, PlanStep
from workbench.answers.sizing.tables import WHAT_IF_FIELDS
from workbench.charts.tables import as_row
from workbench.measures.configurations import Group, Mean

SIZING_SCHEMA = "vdi-workbench/sizing/1"
WHAT_IF_SCHEMA = "vdi-workbench/what-if/1"
# The results that a user needs first; each of them is a step.
RESULTS = (
    "vms",
    "iops_mean",
    "iops_summed",
    "iops_all_at_once",
    "coincidence_percent",
    "iops_total",
    "disk_iops_total",
    "disks_by_iops",
    "disks_by_capacity",
    "disks",
    "enclosures",
    "drive_equivalents",
    "vms_per_host",
    "hosts_by_ram",
    "hosts_by_vcpu",
    "hosts",
    "hosts_with_spare",
    "vcpu_ratio",
    "throughput_mib_per_s",
    "throughput_mb_per_s",
    "network_ports",
    "network_ports_with_spare",
    "hba_ports",
    "hba_ports_with_spare",
    "bus_slots",
    "cache_ram_gib",
    "cache_disk_gib",
)
_DECIDED = {"disks": "disks", "hosts": "hosts", "path": "path_share", "iops": "iops_total"}


def sizing_table(plans: Sequence[Plan], excluded: Sequence[Group] = ()) -> Table:
    """`vdiwb sizing --format json` as a value."""
    return {"schema": SIZING_SCHEMA, "plans": [_plan(plan) for plan in plans], "excluded": excluded_rows(excluded)}


def sizing_rows(plans: Sequence[Plan]) -> list[Table]:
    """The steps as flat rows: one row per configuration and step."""
    return [
        {"configuration": plan.configuration, "phase": plan.phase, **_step(step)}
        for plan in plans
        for step in plan.steps
    ]


def what_if_table(answers: Sequence[WhatIf], excluded: Sequence[Group] = ()) -> Table:
    """`vdiwb what-if --format json` as a value."""
    return {"schema": WHAT_IF_SCHEMA, "configurations": what_if_rows(answers), "excluded": excluded_rows(excluded)}


def what_if_rows(answers: Sequence[WhatIf]) -> list[Table]:
    """One row per configuration: rates in I/Os per second, times in seconds."""
    return [as_row(WHAT_IF_FIELDS, answer) for answer in answers]


def excluded_rows(groups: Sequence[Group]) -> list[Table]:
    """The excluded runs with their reasons."""
    return [
        {"run": run.run.name, "configuration": group.label, "reason": run.run.excluded}
        for group in groups
        for run in group.excluded
    ]


def _plan(plan: Plan) -> Table:
    results = {key: plan.result(key) for key in RESULTS}
    deciders = {name: plan.decider(key) for name, key in _DECIDED.items()}
    return {
        "configuration": plan.configuration,
        "phase": plan.phase,
        "desktops": plan.givens["desktops"].number,
        "results": results,
        "intervals": {key: _ends(None if plan.problem else plan.step(key).between) for key in RESULTS},
        "bottlenecks": {name: None if step is None else step.bound for name, step in deciders.items()},
        "problem": plan.problem or None,
        "remarks": list(plan.remarks),
        "inputs": [_given(name, given) for name, given in plan.givens.items()],
        "steps": [_step(step) for step in plan.steps],
    }


def _given(name: str, given: Given) -> Table:
    constant = given.constant
    return {
        "name": name,
        **attributes(constant, "label", "group"),
        "value": given.value,
        "unit": _unit(name, constant.unit),
        "origin": None if given.value is None else given.origin,
        "source": given.source,
        **_ends(given.between),
    }


def _unit(name: str, unit: str) -> str:
    """The unit as the schema writes it. Values whose names end with `_gb` count 10^9 bytes per GB."""
    if name == "iops_percentile":
        return "%"
    return unit if name.endswith("_gb") else unit.replace("GB", "GiB").replace("vCPUs", "vCPU")


def _step(step: PlanStep) -> Table:
    return {
        **attributes(step, step="key", part="group", label="label", value="value", rounded="rounded"),
        "rounding": step.rounding or None,
        "unit": _unit(step.key, step.unit),
        **attributes(step, "formula", in_words="words", with_numbers="numbers", decides="bottleneck"),
        **attributes(step, "assumed", "missing"),
        "note": step.note or None,
        **_ends(step.between),
    }


def _ends(between: Mean | None) -> Table:
    """The interval between the runs; null for fewer than two."""
    return attributes(between, "low", "high", "basis", runs="n")
