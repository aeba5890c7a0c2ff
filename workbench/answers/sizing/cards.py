"""Answer cards of the capacity plan and of the what-if: the answer top left, what decides beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from workbench.answers.sizing.boot_what_if import WhatIf
from workbench.answers.sizing.compute import Plan
from workbench.answers.sizing.tables import interval_text, result_text, step_source
from workbench.charts.cards import Card
from workbench.charts.figure import Look
from workbench.words.numbers import MISSING, THIN, duration, fixed, number


def plan_cards(plan: Plan, look: Look) -> tuple[Card, ...]:
    """Disks, hosts, network and the bottleneck of the path, and the RAM cache, else the load if it was measured. No
    cards if no plan is possible."""
    if plan.problem:
        return ()
    cards = [_disks(plan, look), _hosts(plan, look), _network(plan, look), _bottleneck(plan, look)]
    if plan.result("cache_ram_gib"):
        cards.append(_cache(plan, look))
    elif plan.result("iops_mean") is not None:
        # A sixth card would leave none of them room for its words; the tables have the load of every configuration.
        cards.insert(2, _load(plan, look))
    return tuple(cards)


def what_if_cards(answers: Sequence[WhatIf], look: Mapping[str, Look]) -> tuple[Card, ...]:
    """The IOPS that all the desktops of each configuration need."""
    return tuple(
        Card(
            answer.configuration,
            look[answer.configuration],
            number(answer.iops_spread),
            "" if answer.iops_spread is None else "IOPS",
            f"{number(answer.iops_each)} per {answer.unit} in {duration(answer.seconds)}"
            if answer.iops_each is not None
            else "not measured",
            ""
            if answer.total_io is None
            else f"{number(answer.total_io)} I/O each · all at once {number(answer.iops_all_at_once)}",
        )
        for answer in answers
    )


def _disks(plan: Plan, look: Look) -> Card:
    rests = _between(plan, "disks") or _assumed(plan, "disks")
    return Card(
        "Disks",
        look,
        _text(plan, "disks"),
        "disks",
        f"{_text(plan, 'disks_by_iops', unrounded=True)} by IOPS · {rests}",
        f"{_text(plan, 'disks_by_capacity', unrounded=True)} by capacity · {_counted(plan, 'enclosures', 'enclosure')}",
        step_source(plan, plan.step("disks")),
    )


def _hosts(plan: Plan, look: Look) -> Card:
    decider = plan.decider("hosts")
    return Card(
        "Hosts",
        look,
        f"{_text(plan, 'hosts')} + {_spare(plan, 'spare_hosts')}",
        "",
        " · ".join(filter(None, (f"by {decider.bound}" if decider else "not available", _between(plan, "hosts")))),
        f"{_text(plan, 'vms_per_host')} VMs each · {_text(plan, 'vcpu_ratio')}:1 vCPU",
        step_source(plan, plan.step("hosts")),
    )


def _load(plan: Plan, look: Look) -> Card:
    """IOPS at work, and beside them what the other ways to take them give."""
    ways = (("all at once", "iops_all_at_once"), ("summed", "iops_summed"), ("mean", "iops_mean"))
    others = [f"{name} {_text(plan, key)}" for name, key in ways if plan.result(key) != plan.result("iops_steady")]
    taken = [name for name, key in ways if plan.result(key) == plan.result("iops_steady") is not None]
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
        f"{_text(plan, 'network_ports')} + {_spare(plan, 'spare_ports')}",
        "",
        str(plan.givens["network_port"].value),
        f"{_text(plan, 'throughput_mb_per_s')}{THIN}MB/s · {_assumed(plan, 'throughput_mb_per_s')}",
        step_source(plan, plan.step("network_ports")),
    )


def _bottleneck(plan: Plan, look: Look) -> Card:
    path, disks = plan.decider("path_share"), plan.decider("disks")
    if path is None or path.value is None:
        return Card("Bottleneck", look, MISSING, "", "not available", f"disks: {disks.bound}" if disks else "")
    return Card(
        "Bottleneck",
        look,
        f"{path.value:.0f}",
        "%",
        f"of one {path.bound.removeprefix('the ')}",
        f"disks: {disks.bound}" if disks else "",
        step_source(plan, path),
    )


def _cache(plan: Plan, look: Look) -> Card:
    more = plan.result("hosts_for_cache")
    disk = plan.result("cache_disk_gib")
    return Card(
        "RAM cache",
        look,
        _text(plan, "cache_ram_gib"),
        "GiB",
        "no more hosts by RAM" if not more else f"{_counted(plan, 'hosts_for_cache', 'host')} more by RAM",
        "cache disk not measured" if disk is None else f"{result_text(disk)}{THIN}GiB cache disk",
        step_source(plan, plan.step("cache_ram_gib")),
    )


def _between(plan: Plan, key: str) -> str:
    """`interval 96–112`, or the range of two runs."""
    between = plan.step(key).between
    text = interval_text(between)
    return f"{between.basis} {text}" if between is not None and text else ""


def _text(plan: Plan, key: str, unrounded: bool = False) -> str:
    step = plan.step(key)
    return result_text(step.value if unrounded else step.result, step.unit)


def _counted(plan: Plan, key: str, word: str) -> str:
    count = plan.result(key)
    return f"{result_text(count)} {word}{'' if count == 1 else 's'}"


def _spare(plan: Plan, name: str) -> str:
    return fixed(plan.givens[name].number or 0, 0)


def _assumed(plan: Plan, key: str) -> str:
    """How many assumptions the figure rests on; the steps name them."""
    count = len(plan.step(key).assumed)
    return f"{count} assumed" if count else "nothing assumed"
