"""The needs of N desktops: disks, hosts and the busiest link of every configuration, side by side."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from workbench.answers.sizing.compute import Plan
from workbench.answers.sizing.tables import capital, disks_text, result_text
from workbench.charts.figure import Axis, Bars, Figure, FloatArray, Look, Panel
from workbench.measures.configurations import Group
from workbench.model.run import SessionType
from workbench.words.captions import named
from workbench.words.metrics import in_phase
from workbench.words.numbers import fixed, marked, ordinal

EMPTY = "No configuration has included runs. Tick one in the tree on the left."
# Other colours than those of the provisioning types, because the bottleneck is not a configuration.
_FIRST, _SECOND, _THIRD = (Look("other"), Look("other", tint=0.9, dash="dash"), Look("quiet", tint=0.4, dash="dot"))
PANELS: tuple[tuple[str, str, str, tuple[tuple[str, str, Look], ...]], ...] = (
    ("Disks", "disks", "", (("By IOPS", "disks_by_iops", _FIRST), ("By capacity", "disks_by_capacity", _SECOND))),
    ("Hosts", "hosts", "", (("By RAM", "hosts_by_ram", _FIRST), ("By vCPU", "hosts_by_vcpu", _SECOND))),
    (
        "Port utilisation",
        "utilisation",
        "%",
        (("Network", "network_share", _FIRST), ("HBA", "hba_share", _SECOND), ("PCIe slot", "bus_share", _THIRD)),
    ),
)


def question(desktops: float, groups: Sequence[Group] = ()) -> str:
    """The page's question for this many desktops or users."""
    return f"What do {fixed(desktops, 0)} {planned_words(groups)} need?"


def planned_words(groups: Sequence[Group]) -> str:
    """`users` if all configurations had several sessions on one VM, otherwise `desktops`."""
    rds = bool(groups) and all(group.session_type is SessionType.RDS for group in groups)
    return "users" if rds else "desktops"


def sizing_figure(plans: Sequence[Plan], groups: Sequence[Group] = ()) -> Figure:
    """Three panels with the configurations on the x axis: disks and hosts, rounded up, and shares of one port in %.

    The larger of two bars decides. Values that are not available have no bar.
    """
    if not plans:
        return Figure("sizing", question(0, groups), "", (), empty=EMPTY, summary=EMPTY)
    names = tuple(plan.configuration or "your values" for plan in plans)
    panels = tuple(
        Panel(
            title,
            Axis("", categories=names, of=names),
            Axis(quantity.capitalize(), unit),
            tuple(Bars(name, _values(plans, key), look, counts=_runs(plans, key)) for name, key, look in bars),
            column=column,
        )
        for column, (title, quantity, unit, bars) in enumerate(PANELS)
    )
    return Figure(
        "sizing",
        question(plans[0].givens["desktops"].number or 0, groups),
        f"The plan uses the {load_words(plans[0])}",
        panels,
        share_y=False,
        summary=" ".join(_words(plan) for plan in plans),
        method=_method(plans[0]),
    )


def load_words(plan: Plan) -> str:
    """`95th percentile, RAID 10`: the load and the RAID of the plan."""
    given = plan.givens
    percentile = f"{ordinal(given['iops_percentile'].number or 0)} percentile of"
    named = {"mean": "mean load", "summed": f"{percentile} the summed IOPS"}
    raid = "no RAID" if given["raid"].value == "none" else str(given["raid"].value).partition(" (")[0]
    return f"{named.get(str(given['iops_figure'].value), f'{percentile} IOPS')} and {raid}"


def _method(plan: Plan) -> tuple[str, ...]:
    """The inputs of the plan, as method text."""
    growth, storms = plan.givens["growth_percent"].number or 0, plan.givens["storms"].value
    return (
        f"IOPS per VM: mean over time {in_phase(plan.phase)}, then over runs",
        *((f"Growth of {marked(f'{growth:g}')} % is included",) if growth else ()),
        "No storm is included"
        if storms == "none"
        else f"{capital(str(storms))} storm{'s are' if ' and ' in str(storms) else ' is'} included",
        "Disk numbers are the larger of those for IOPS and capacity",
        "Host numbers are the larger of those for RAM and vCPUs",
        "Disks and hosts are rounded up and do not include spares",
    )


def _values(plans: Sequence[Plan], key: str) -> FloatArray:
    values = [plan.result(key) for plan in plans]
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)


def _runs(plans: Sequence[Plan], key: str) -> tuple[str, ...]:
    """The number of runs of the measured values behind a result, if it is known."""
    betweens = (None if plan.problem else plan.step(key).between for plan in plans)
    return tuple("" if between is None else str(between.n) for between in betweens)


def _words(plan: Plan) -> str:
    if plan.problem:
        return plan.problem
    disks, hosts, path = plan.decider("disks"), plan.decider("hosts"), plan.decider("path_share")
    parts = [
        f"{disks_text(plan)} disks" + (f" (needed for {disks.bound})" if disks else ""),
        f"{result_text(plan.result('hosts_with_spare'))} hosts including spares"
        + (f" (needed for {hosts.bound})" if hosts else ""),
    ]
    if path is not None:
        parts.append(f"busiest link: {path.bound}, {result_text(path.value)} % of one port")
    return f"{named(plan.configuration) if plan.configuration else 'Your values'}: {'; '.join(parts)}."
