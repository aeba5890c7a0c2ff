"""Findings of the comparison: the change of each configuration in each phase, and metrics without a difference."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from workbench.answers.common.change_words import (
    as_caveats,
    change_ends_words,
    change_words,
    few_runs_words,
    margin_words,
    n_words,
    verdict_caveats,
)
from workbench.answers.compare.compute import Comparison
from workbench.answers.findings.compute import (
    NO_CHANGE,
    Finding,
    Said,
    Strength,
    effect_size,
    holds_no_change,
    strength_of,
    strength_of_rise,
    weaker,
)
from workbench.answers.findings.words import (
    INTERVAL_90,
    Asked,
    Subject,
    amount,
    change_sentence,
    lack_caveats,
    open_sentence,
    rise_from_zero,
    tested_interval,
)
from workbench.measures.catalogue import DURATION
from workbench.measures.configurations import Group
from workbench.measures.significance.differences import Difference
from workbench.measures.significance.objections import objection
from workbench.measures.significance.run_order import drift_caveat
from workbench.measures.statistics import Verdict
from workbench.model.metric import Quantity
from workbench.model.phase import BOOT, LOGON, STEADY
from workbench.model.run import Provisioning
from workbench.words.captions import capital, named
from workbench.words.metrics import in_phase, phase_words
from workbench.words.numbers import THIN, number, signed

# The metrics that reviewers ask for first, with their weights.
_HEADLINES = {
    "iops_per_vm": 1.0,
    "write_iops_per_vm": 0.8,
    "read_iops_per_vm": 0.5,
    "write_latency_ms": 0.7,
    "read_latency_ms": 0.7,
    "cpu_percent": 0.8,
    DURATION: 0.9,
}
# Names that need an additional noun in a sentence.
_NAMES = {"cpu_percent": "CPU usage"}
# I/O metrics of VMs that a single sample can change.
_VM_IO = ("iops_per_vm", "read_iops_per_vm", "write_iops_per_vm")
# Mean storage latencies are rarely above this.
_LONG_MS = 1_000.0
_READS = ("iops_per_vm", "read_iops_per_vm")
# Problems of a comparison that do not affect a single finding.
_UNRELATED = frozenset(("compare-counters", "compare-phases", "compare-length", "compare-running", "compare-order"))
_STREAMED = "The values exclude reads of the image, which PVS streams from its server. Measure them there."
_PHASES = {STEADY: 1.0, LOGON: 0.8, BOOT: 0.7}
_NAMED_PHASE = 0.95
# Readers often ask whether the CPU stays the same, and seldom whether other metrics do.
_SAME_SIZE = {"cpu_percent": 0.6}
_SAME_ELSE = 0.25
_SMALL = 1.0


def compare_findings(asked: Asked, comparison: Comparison) -> Iterator[Finding]:
    """A finding for each headline metric, configuration and phase; metrics without a difference share a sentence."""
    base = comparison.baseline
    if base is None:
        return
    groups = {group.label: group for group in asked.groups}
    same: dict[tuple[str, str], list[Difference]] = defaultdict(list)
    for difference in comparison.differences:
        if difference.measure.key not in _HEADLINES or difference.configuration in asked.comparability.apart:
            continue
        if difference.change is None:
            yield from _rise(asked, comparison, difference, groups[difference.configuration], base)
            continue
        if difference.measure.key == DURATION and _planned(difference, groups[difference.configuration], base):
            continue
        if difference.verdict is Verdict.SAME:
            same[difference.phase, difference.measure.key].append(difference)
        else:
            yield _finding(asked, comparison, difference, groups[difference.configuration], base)
    for members in same.values():
        yield _same(asked, comparison, members, groups, base)


def _planned(one: Difference, group: Group, base: Group) -> bool:
    """True if run.toml states one length in each of two or more runs: this is the tester's plan, not a result."""
    if one.change is None or min(one.change.n, one.change.n_baseline) < 2:
        return False
    rows = [*group.phase(one.phase), *base.phase(one.phase)]
    return len({round(row.duration_s, 3) for row in rows}) == 1 and all(
        row.phase.evidence == "run.toml" for row in rows
    )


def _finding(asked: Asked, comparison: Comparison, one: Difference, group: Group, base: Group) -> Finding:
    change = one.change
    assert change is not None
    weight, metric = _HEADLINES[one.measure.key], one.measure.trace or Quantity.IOPS
    reasons = verdict_caveats(one.judgement)
    strength = strength_of(change, one.verdict, comparison.margin, primary=one.tier == "primary")
    subject = _subject(one, base)
    said = change_sentence(subject, change, one.verdict, reasons, comparison.margin)
    if one.objection is not None:
        strength, said = Strength.INCONCLUSIVE, open_sentence(subject, one.objection)
    sample = _one_sample(comparison, one, group, base) if strength in (Strength.SINGLE, Strength.RANGE) else ""
    if sample:
        strength = Strength.INCONCLUSIVE
        ours, theirs = subject.amounts
        changed, runs = change_words(change, subject.change_unit), few_runs_words(change.n, change.n_baseline)
        evidence = f"{changed}, caused by one sample, {ours} vs. {theirs}, {runs}"
        said = Said(f"{subject.inconclusive} ({evidence})", subject.inconclusive, said.number)
    drift = drift_caveat(one, group, base)
    if drift or comparison.confounded(one):
        strength = weaker(strength, Strength.INDICATIVE)
    return Finding(
        asked.key("compare", one.phase, one.configuration, one.measure.key, base.label),
        said.text,
        "compare",
        strength,
        "compare",
        _view(one),
        one.phase,
        metric,
        _runs(one.phase, (base, group)),
        (one.measure.key,),
        caveats=(
            *said.caveats,
            *((sample,) if sample else ()),
            *asked.order_caveats(group.label),
            *caveats_of(comparison, one, group, base),
            *((drift,) if drift else ()),
        ),
        configuration=group.label,
        baseline=base.label,
        figure=one.measure.key,
        change=change if one.objection is None else None,
        counts=(change.n, change.n_baseline),
        size=effect_size(change.ratio) * _base_weight(one),
        weight=weight * _PHASES.get(one.phase, _NAMED_PHASE),
        about=asked.about(f"compare/{one.measure.key}", (group,), base, one.phase),
        short=said.short,
        brief=said.brief,
        number=said.number,
        order=comparison.order_of(group.label),
    )


def _one_sample(comparison: Comparison, one: Difference, group: Group, base: Group) -> str:
    """The caveat if one sample of one VM causes the change: with the mean of the VM's other samples instead, the change
    is within the margin and at most half as large, or in the other direction. Empty otherwise, and for metrics that
    are not I/O of VMs."""
    change = one.change
    if change is None or one.measure.key not in _VM_IO or abs(change.ratio - 1) <= comparison.margin:
        return ""
    for side, power in ((group, 1), (base, -1)):
        rows = [(run, row) for run in side.runs if (row := run.phase(one.phase)) is not None]
        for run, row in rows:
            value = getattr(row, one.measure.key)
            load = max(row.worst_vms, key=lambda load: load.largest_adds, default=None)
            if load is None or not value or not row.vms:
                continue
            # A sample of IOPS adds at most this to its reads or to its writes.
            left = max(0.0, 1 - load.largest_adds / row.vms / value)
            if not left:
                continue
            without = change.ratio * left ** (power / len(rows))
            away = without - 1 if change.ratio > 1 else 1 - without
            if away <= min(comparison.margin, abs(change.ratio - 1) / 2):
                rest = f"{signed(100 * (without - 1), 1)}{THIN}%"
                where = f"{load.vm} in run '{run.run.name}'"
                return f"One sample of {where} causes this change ({rest} without it). Check the sample."
    return ""


def _rise(asked: Asked, comparison: Comparison, one: Difference, group: Group, base: Group) -> Iterator[Finding]:
    """A rise from 0: a difference without a percentage."""
    ours, theirs = ([value for _, value in side] for side in (one.values, one.baseline_values))
    if not ours or not theirs or not any(ours) or objection(base, group, one.phase, one.measure) is not None:
        return
    weight, metric = _HEADLINES[one.measure.key], one.measure.trace or Quantity.IOPS
    strength = Strength.INCONCLUSIVE if one.unmeasured else strength_of_rise(ours, theirs)
    said = rise_from_zero(_subject(one, base), ours, theirs, open_=strength is Strength.INCONCLUSIVE)
    yield Finding(
        asked.key("compare", one.phase, one.configuration, one.measure.key, base.label),
        said.text,
        "compare",
        strength,
        "compare",
        _view(one),
        one.phase,
        metric,
        _runs(one.phase, (base, group)),
        (one.measure.key,),
        caveats=(*said.caveats, *asked.order_caveats(group.label), *caveats_of(comparison, one, group, base)),
        configuration=group.label,
        baseline=base.label,
        figure=one.measure.key,
        size=min(1.0, max(one.value or 0.0, one.baseline_value or 0.0) / _SMALL),
        weight=weight * _PHASES.get(one.phase, _NAMED_PHASE),
        difference=one.difference,
        unit=one.measure.unit if one.measure.change == "ratio" else one.measure.change_unit,
        counts=(len(ours), len(theirs)),
        about=asked.about(f"compare/{one.measure.key}", (group,), base, one.phase),
        short=said.short,
        number=said.number,
        order=comparison.order_of(group.label),
    )


def _same(
    asked: Asked, comparison: Comparison, members: Sequence[Difference], groups: dict[str, Group], base: Group
) -> Finding:
    """One sentence for all configurations without a difference in a metric."""
    first = members[0]
    weight, metric = _HEADLINES[first.measure.key], first.measure.trace or Quantity.IOPS
    widest = max(members, key=lambda difference: abs(difference.change.percent) if difference.change else 0.0)
    change = widest.change
    assert change is not None
    kept = [groups[member.configuration] for member in members]
    own = [
        caveat
        for member, group in zip(members, kept, strict=True)
        for caveat in caveats_of(comparison, member, group, base)
    ]
    caveats = (*asked.order_caveats(*(group.label for group in kept)), *dict.fromkeys(own))
    said = change_sentence(_subject(widest, base), change, widest.verdict, (), comparison.margin)
    if len(members) > 1:
        differs = any(member.change is not None and not holds_no_change(member.change) for member in members)
        who, verb = f"{len(members)} configurations", "differ only slightly" if differs else "do not differ"
        if len(members) == len({difference.configuration for difference in comparison.differences}):
            every = "both configurations" if len(members) == 2 else f"all {who}"
            who, verb = (every, verb) if differs else ("no configuration", "differs")
        unit = first.measure.change_unit
        words = change_words(change, unit)
        shown, tested = tested_interval(change, unit, comparison.margin)
        ends = change_ends_words(shown, unit).removesuffix(words.rpartition(THIN)[2]).removesuffix(THIN)
        largest = f"{words} {ends} with {named(widest.configuration)}"
        if tested:
            largest = f"{words} with {named(widest.configuration)}, {INTERVAL_90} {ends}"
        of_what = " of the baseline" * (first.measure.change != "ratio")
        lasts = first.measure.key == DURATION
        what = f"the duration of {_metric(first)}" if lasts else f"{_metric(first)} {in_phase(first.phase)}"
        within = margin_words(comparison.margin)
        head = f"{capital(who)} {verb} from {named(base.label)} in {what}"
        largest = f"largest change {largest}, {n_words(change)}"
        said = Said(f"{head} (within {within}{of_what}; {largest})", f"{head} (within {within}{of_what})", within)
    return Finding(
        asked.key("same", first.phase, first.measure.key, base.label),
        said.text,
        NO_CHANGE,
        Strength.STRONG if all(_carries(comparison, member) for member in members) else Strength.INDICATIVE,
        "compare",
        _view(first),
        first.phase,
        metric,
        _runs(first.phase, (base, *kept)),
        (first.measure.key,),
        caveats,
        configuration=widest.configuration if len(members) == 1 else "",
        baseline=base.label,
        figure=first.measure.key,
        change=change,
        size=_SAME_SIZE.get(first.measure.key, _SAME_ELSE),
        weight=weight * _PHASES.get(first.phase, _NAMED_PHASE),
        about=asked.about(f"same/{first.measure.key}", kept, base, first.phase),
        short=said.short,
        number=said.number,
        order=comparison.order_of_all(group.label for group in kept),
    )


def _carries(comparison: Comparison, one: Difference) -> bool:
    """True if a verdict on this metric is strong."""
    return one.tier == "primary" and not comparison.confounded(one)


def _view(one: Difference) -> str:
    return "duration" if one.measure.key == DURATION else "metric"


def _runs(phase: str, groups: Sequence[Group]) -> tuple[str, ...]:
    return tuple(run.run.folder for group in groups for run in group.runs if run.phase(phase) is not None)


def _subject(one: Difference, base: Group) -> Subject:
    where = "" if one.measure.key == DURATION else in_phase(one.phase)
    return Subject(
        named(one.configuration),
        named(base.label),
        _metric(one),
        where,
        one.value,
        one.baseline_value,
        one.measure.unit,
        one.measure.change_unit,
    )


def _metric(one: Difference) -> str:
    if one.measure.key == DURATION:
        return f"the {phase_words(one.phase)} phase"
    return _NAMES.get(one.measure.key, one.measure.within)


def _base_weight(one: Difference) -> float:
    """A factor below 1 for a small baseline: a large percentage of it is not a large effect."""
    if one.measure.unit != "IOPS" or one.baseline_value is None or one.value is None:
        return 1.0
    return min(1.0, max(one.baseline_value, one.value) / _SMALL)


def caveats_of(comparison: Comparison, one: Difference, group: Group, base: Group) -> tuple[str, ...]:
    """The caveats other than the order of the runs: differences between the runs, detected phases, missing samples,
    small baselines."""
    elsewhere = [
        words
        for name in comparison.phases
        if name != one.phase
        for words in (f"{capital(in_phase(name))}, ", f"{capital(phase_words(name))} was ", f" {in_phase(name)}, so ")
    ]
    unrelated = set(_UNRELATED)
    if one.objection is not None:
        # An objection already names the measuring points.
        unrelated |= {"compare-side", "compare-vantage"}
    if one.unmeasured:
        # The missing samples have a separate caveat.
        unrelated |= {"compare-lower-bound", "compare-vm-missing"}
    if "p95" not in one.measure.key and "peak" not in one.measure.key:
        unrelated.add("compare-interval")
    messages = [
        *(
            as_caveats(problem.message, problem.advice)[0]
            for problem in comparison.problems_of(group.label)
            if problem.code not in unrelated and not any(words in problem.message for words in elsewhere)
        )
    ]
    values = [value for value in (one.value, one.baseline_value) if value is not None]
    if one.measure.unit == "ms" and values and max(values) > _LONG_MS:
        messages.append(f"A mean of {number(max(values))}{THIN}ms is unusual. Check the unit of the counter.")
    if one.measure.key in _READS and _one_is_streamed(base, group):
        messages.append(_STREAMED)
    if comparison.drift_of(one) is not None:
        messages.append("Drift from run to run could explain half of this change. Alternate the runs.")
    if one.unmeasured and one.objection is None:
        messages += lack_caveats(one.unmeasured)
    rows = [*group.phase(one.phase), *base.phase(one.phase)]
    if all(row.phase.evidence == "activity" for row in rows):
        messages.append(
            f"{capital(phase_words(one.phase))} was detected from activity only. "
            "Check its start and end on the Timeline page."
        )
    for run in (run for side in (group, base) for run in side.runs):
        row = run.phase(one.phase)
        if row is not None and row.phase.doubt:
            doubt = f"{capital(phase_words(one.phase))} of run '{run.run.name}' is doubtful: {row.phase.doubt}"
            messages += as_caveats(doubt, "Check the Timeline page")[:1]
    small = one.baseline_value is not None and 0 < one.baseline_value < _SMALL
    if small and one.measure.unit == "IOPS":
        messages.append(
            f"The baseline has only {amount(one.baseline_value, one.measure.unit)} {one.measure.within}, so "
            "percentages are unreliable. Compare the values."
        )
    return tuple(messages)


def _one_is_streamed(*sides: Group) -> bool:
    return sum(side.configuration.provisioning is Provisioning.PVS for side in sides) == 1
