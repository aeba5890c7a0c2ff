"""Findings of the capacity plan (disks and hosts compared with the baseline), and of VMs with unusual I/O."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import exp

from workbench.answers.common.change_words import as_caveats, few_runs_words
from workbench.answers.common.traces.traces import trace_name
from workbench.answers.findings.claims import count_claim
from workbench.answers.findings.compute import Finding, Strength, effect_size, in_brackets, weaker
from workbench.answers.findings.rules.compare import caveats_of
from workbench.answers.findings.words import Asked, lack_caveats, vms_words
from workbench.answers.sizing.compute import Given, Plan, plans
from workbench.answers.sizing.constants import SizingError
from workbench.measures.catalogue import MEASURES
from workbench.measures.configurations import Group, baseline_of, phase_names
from workbench.measures.phase_table import PhaseFigures, RunFigures
from workbench.measures.significance.differences import Difference
from workbench.measures.significance.missing_data_check import too_little
from workbench.measures.significance.objections import objection
from workbench.measures.statistics import CONFIDENCE, INTERVAL_RUNS, Verdict, change
from workbench.measures.worst_vms import VmLoad
from workbench.model.metric import Quantity
from workbench.model.phase import BOOT, LOGON
from workbench.model.problem import few_named
from workbench.model.run import SessionType
from workbench.words.captions import capital, named
from workbench.words.metrics import in_phase
from workbench.words.numbers import THIN, fixed, number, percent, plural, signed

# A VM is unusual if it has this many times the mean IOPS of the others, and more than this many IOPS.
_ODD_RATIO, _ODD_IOPS, _FEWEST_VMS = 1.5, 1.0, 3
# The phase (empty: that of the plan) and the measure that compare the load which decides the disks.
_LOADS = {
    "disk_iops_steady": ("", "iops_per_vm"),
    "disk_iops_boot": (BOOT, "total_io_per_vm"),
    "disk_iops_logon": (LOGON, "total_io_per_vm"),
}
Sized = tuple[Group, Plan]


def sizing_findings(asked: Asked) -> Iterator[Finding]:
    """The number of disks that each configuration needs for the planned desktops, compared with the baseline."""
    base = baseline_of(asked.groups)
    if base is None or not base.phase(asked.phase):
        return
    try:
        every = asked.groups if base in asked.groups else [base, *asked.groups]
        made = {plan.configuration: plan for plan in plans(every, asked.own, asked.phase, False)}
    except SizingError:
        # The page shows the contradiction.
        return
    others = [group for group in asked.groups if group is not base and group.phase(asked.phase)]
    counts = ((group.label, made[group.label].result("disks")) for group in every if group.label in made)
    disks = {label: count for label, count in counts if count is not None}
    for group in others:
        yield from _needed(asked, (base, made[base.label]), (group, made[group.label]), len(others), disks)


def _needed(asked: Asked, reference: Sized, own: Sized, compared: int, every: Mapping[str, float]) -> Iterator[Finding]:
    (base, base_plan), (group, plan) = reference, own
    ours, theirs = plan.result("disks"), base_plan.result("disks")
    measured = all(one.givens["iops_per_vm"].origin in ("measured", "yours") for one in (plan, base_plan))
    if ours is None or theirs is None or not measured or not theirs:
        return
    if objection(base, group, asked.phase, MEASURES["iops_per_vm"]) is not None:
        return
    counts = len(group.phase(asked.phase)), len(base.phase(asked.phase))
    runs = min(counts)
    ratio = _ratio_interval(base_plan, plan, compared)
    unplanned = _not_planned(base_plan, plan)
    gaps, _, details = (too_little(base, group, asked.phase, MEASURES["p95_iops_per_vm"]) or "").partition(": ")
    short = unplanned or gaps
    loads = _loads(asked, reference, own)
    open_ = any(row.verdict in (None, Verdict.INCONCLUSIVE, Verdict.SAME) for row in loads)
    differ = ours != theirs and ratio is not None and not ratio[0] <= 1 <= ratio[1]
    decided = differ and runs >= INTERVAL_RUNS and not open_ and not short
    # Otherwise the finding is inconclusive.
    shown = runs < INTERVAL_RUNS and (differ or runs == 1) and not short
    ram = plan.result("cache_ram_gib")
    caches = "RAM caches" if decided else f"RAM caches of {named(group.label)}"
    ram_words = f"size of {caches} unknown" if ram is None else ""
    ram_words = f"{number(ram)}{THIN}GB for {caches}" if ram else ram_words
    needed, values = _needed_words(reference, own, decided, shown, "desktops" not in asked.own)
    hosts = plan.result("vms") if group.session_type is SessionType.RDS else None
    on_hosts = vms_words(hosts, group.session_type, assumed=False) if hosts else ""
    count = f"mean of {runs} runs" if runs == max(counts) > 1 else few_runs_words(*counts)
    # The page Sizing shows the interval of a significant difference.
    interval = () if decided else as_caveats(_interval_words(ratio, counts, compared))
    undone = as_caveats(unplanned) if unplanned else lack_caveats(details) or as_caveats(gaps)
    strength = Strength.INDICATIVE if decided else Strength.INCONCLUSIVE
    if runs < INTERVAL_RUNS:
        strength = Strength.SINGLE if runs == 1 else Strength.RANGE if differ else strength
    disks = plural(ours, "disk")
    told_change = _more_or_fewer(ours - theirs) if decided or shown else ""
    yield Finding(
        asked.key("sizing", "disks", group.label, base.label),
        f"{needed} ({', '.join(filter(None, (values, on_hosts, ram_words, count)))})",
        "sizing",
        weaker(strength, Strength.INCONCLUSIVE) if short else strength,
        "sizing",
        "plan",
        asked.phase,
        None,
        tuple(run.run.folder for side in (base, group) for run in side.runs),
        ("p95_iops_per_vm", "read_percent"),
        (*undone, *interval, *_needed_caveats(asked, reference, own, loads if runs >= INTERVAL_RUNS else None)),
        group.label,
        base.label,
        "disks",
        None,
        # The plan follows from the load: without a significant difference it adds nothing to the comparison of loads.
        effect_size(ours / theirs) if decided else 0.0,
        0.9,
        (("sizing.configuration", group.label),),
        counts=counts,
        about=asked.about("sizing/disks", (group,), base),
        short=in_brackets(needed, values),
        brief=needed,
        number=_apart(ours, theirs) if decided else disks,
        claim=count_claim(every, group.label, base.label, told_change, asked.groups),
    )


def _needed_caveats(asked: Asked, reference: Sized, own: Sized, loads: list[Difference] | None) -> Iterator[str]:
    """The caveats of the loads behind both plans (None: too few runs), and those of the plan."""
    (base, _), (group, plan) = reference, own
    if loads is not None:
        behind = (text for row in loads for text in caveats_of(asked.comparison, row, group, base))
        yield from dict.fromkeys((*asked.order_caveats(group.label), *behind))
    if alone := [named(side.label) for side in (base, group) if side.vms == 1]:
        were = "were each" if len(alone) > 1 else "was"
        yield f"{few_named(alone)} {were} measured on one VM. Other VMs may have more load. Measure more VMs."
    if assumed := [_assumed(plan.givens[name]) for name in plan.step("disks").assumed]:
        yield f"The plan uses assumed values: {few_named(assumed)}. Enter yours on the Sizing page."


def _more_or_fewer(difference: float) -> str:
    """The difference in disks as text: `−99 disks`; empty for no difference."""
    return f"{signed(difference, 0)} {'disk' if abs(difference) == 1 else 'disks'}" if difference else ""


def _apart(ours: float, theirs: float) -> str:
    """The difference as words within a sentence: `99 fewer disks`."""
    return plural(abs(ours - theirs), f"{'fewer' if ours < theirs else 'more'} disk")


def _needed_words(reference: Sized, own: Sized, decided: bool, shown: bool, assumed: bool) -> tuple[str, str]:
    """The need of disks as a sentence, `MCSIO 4 GB needs 99 fewer disks than MCS for 500 users`, and the values that it
    does not contain: `5 vs. 104`. If the difference is not significant, both values are in the sentence (`shown`), or
    it is inconclusive."""
    (base, base_plan), (group, plan) = reference, own
    ours, theirs = plan.result("disks") or 0.0, base_plan.result("disks") or 0.0
    users = "users" if group.session_type is SessionType.RDS else "desktops"
    count = f"{'an assumed ' * assumed}{fixed(plan.givens['desktops'].number or 0, 0)} {users}"
    disks, both = plural(ours, "disk"), f"{fixed(ours, 0)} vs. {fixed(theirs, 0)}"
    name, other = named(group.label), named(base.label)
    if decided:
        return f"{name} needs {_apart(ours, theirs)} than {other} for {count}", both
    if not shown:
        values = f"{fixed(ours, 0)} each" if ours == theirs else both
        return f"The difference in disks between {name} and {other} for {count} is inconclusive", values
    if ours == theirs:
        return f"{name} and {other} each need {disks} for {count}", ""
    return f"{name} needs {disks} and {other} needs {fixed(theirs, 0)} for {count}", ""


def _ratio_interval(base: Plan, own: Plan, compared: int) -> tuple[float, float] | None:
    """The ratio of the disks that each run needs alone, from run to run. For three runs or more: Welch's interval on
    logs, at 95 % for all compared configurations together (Bonferroni). For two runs: their range. For one run: None.
    """
    found = change(base.step("disks").by_run, own.step("disks").by_run)
    if found is None or found.low is None or found.high is None:
        return None
    if found.basis != "interval" or found.welch is None:
        return found.low, found.high
    low, high = found.welch.ends(1 - (1 - CONFIDENCE) / compared)
    return exp(low), exp(high)


def _interval_words(ratio: tuple[float, float] | None, counts: tuple[int, int], compared: int) -> str:
    """The interval or range of the difference, as a caveat; empty if it is unknown (single runs) or has no width."""
    if ratio is None:
        return ""
    low, high = map(number, ratio)
    if low == high:
        return ""
    ends = f"The disk count is uncertain: {low} to {high} times the baseline"
    if min(counts) < INTERVAL_RUNS:
        return f"{ends} (range of the runs). Add runs."
    whole = f", {compared} comparisons" * (compared > 1)
    return f"{ends} (95 % interval{whole}). Add runs."


def _loads(asked: Asked, *sides: Sized) -> list[Difference]:
    """The comparisons of the loads that decide either plan."""
    deciders = [plan.decider("disk_iops_total") for _, plan in sides]
    loads = [_LOADS[step.key] for step in deciders if step is not None]
    wanted = {(phase or asked.phase, measure) for phase, measure in loads}
    label = sides[-1][0].label
    return [
        row
        for row in asked.comparison.differences
        if row.configuration == label and (row.phase, row.measure.key) in wanted
    ]


def _not_planned(base: Plan, own: Plan) -> str:
    """The storm for which only one of two plans has a load: it may decide the disks of the other too."""
    for phase in (BOOT, LOGON):
        loads = [plan.givens[f"{phase}_io_per_vm"].number for plan in (base, own)]
        if (loads[0] is None) != (loads[1] is None):
            lacking = base if loads[0] is None else own
            name = named(lacking.configuration or "")
            return f"{capital(phase)} with {name} may need more disks, but was not measured. Measure this phase"
    return ""


def _assumed(given: Given) -> str:
    """An assumed input as text: `boot window 60 min`."""
    one = given.number
    value = str(given.value) if one is None else fixed(one, 0) if one == int(one) else number(one)
    return f"{given.constant.label} {value}" + (f"{THIN}{given.constant.unit}" if given.constant.unit else "")


def odd_vms(asked: Asked) -> Iterator[Finding]:
    """VMs with far more I/O than the others of their run: a description, not a test."""
    for group in asked.groups:
        for phase in phase_names([group]):
            rows = [(run, row) for run in group.runs if (row := run.phase(phase)) is not None]
            odd = [(run, load, ratio) for run, row in rows for load, ratio in _odd(row)]
            if odd:
                run, load, ratio = max(odd, key=lambda one: (one[2], one[1].vm))
                times = sum(other.vm == load.vm for _, other, _ in odd)
                yield _odd_finding(asked, group, phase, run, load, ratio, times, len(rows))


def _odd(row: PhaseFigures) -> Iterator[tuple[VmLoad, float]]:
    """The unusual VMs, with their multiple of the mean of the others."""
    if row.vms is None or row.vms < _FEWEST_VMS:
        return
    for load in row.worst_vms:
        if load.mean_iops >= _ODD_IOPS and load.times_others is not None and load.times_others >= _ODD_RATIO:
            yield load, load.times_others


def _odd_finding(
    asked: Asked, group: Group, phase: str, run: RunFigures, load: VmLoad, ratio: float, times: int, runs: int
) -> Finding:
    more = f"{number(ratio)} times"
    who, when = f"{load.vm} of {named(group.label)}", in_phase(phase)
    head = f"{who} has {more} the mean IOPS of other VMs {when}"
    seen = "single run" if runs == 1 else f"{times} of {runs} runs"
    caveats: tuple[str, ...] = ("This finding describes the spread between VMs. It does not compare configurations.",)
    without = load.times_without_largest
    doubtful = without is not None and without < _ODD_RATIO
    mark = "Inconclusive: " * doubtful
    if doubtful:
        one = f"One sample contains {percent(load.largest_share)} of the I/O"
        caveats = (f"{one}. Without it, the ratio is {number(without)}. Check the sample.", *caveats)
    return Finding(
        asked.key("vm", phase, group.label, load.vm),
        f"{mark}{head} ({number(load.mean_iops)} IOPS, {seen})",
        "VM",
        Strength.INCONCLUSIVE if doubtful else Strength.SINGLE if times == 1 else Strength.INDICATIVE,
        "per-vm-iops",
        "",
        phase,
        Quantity.IOPS,
        (run.run.folder,),
        ("iops_per_vm",),
        caveats,
        group.label,
        figure="odd VM",
        size=effect_size(ratio),
        weight=0.8,
        lit_vm=load.vm,
        trace=trace_name(group, run, load.vm),
        readout=f"{load.vm}: {number(load.mean_iops)} IOPS, {number(ratio)} times the other VMs",
        about=asked.about(f"vm/{load.vm}", (group,), phase=phase),
        short=f"{mark}{head}",
        number=more,
    )
