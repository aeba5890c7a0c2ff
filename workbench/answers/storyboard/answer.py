"""The answer of a study: the recommended configuration, the reason, its cost, and the findings on the chart that shows
it.

A brief also shows the cost of each configuration as a chart, and all configurations in one table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from workbench.answers.common.change_words import change_ends_words, change_words
from workbench.answers.common.looks import looks
from workbench.answers.findings.claims import claim_of
from workbench.answers.findings.compute import Finding, Strength, few_runs
from workbench.answers.findings.words import headline
from workbench.answers.logons.compute import group_logons
from workbench.answers.sizing.chosen import own_values
from workbench.answers.sizing.compute import Plan
from workbench.answers.storyboard.defaults import merged, on_slides
from workbench.answers.storyboard.shown import StudyFindings
from workbench.answers.storyboard.summary import is_better, not_comparable, qualified, recommendation, recommended
from workbench.charts.claim import BarClaim
from workbench.charts.figure import Axis, Bars, Emphasis, Figure, Look, Panel
from workbench.charts.short_names import bare_names, short_names
from workbench.charts.tables import Cell, Column, TableData
from workbench.measures.catalogue import MEASURES
from workbench.measures.configurations import Group, baseline_of, change_from, phase_names
from workbench.model.phase import STEADY
from workbench.model.problem import few_named
from workbench.model.run import SessionType
from workbench.words.captions import ended, named
from workbench.words.metrics import in_phase, phase_words
from workbench.words.numbers import MISSING, THIN, fixed, number, plural

RECOMMENDATION, MEASURED, SURE, REASON, PRICE = (
    "Recommendation",
    "Best measured configuration",
    "Strength of evidence",
    "Reason",
    "Hardware",
)
OWN = "Also"
# The start of the title of a recommendation.
RECOMMENDED = "Recommended: "


@dataclass(frozen=True, slots=True)
class Fact:
    """A part of the answer: its `label`, its `words`, a `note` on its evidence, and a sentence for the speaker."""

    label: str
    words: str
    note: str = ""
    said: str = ""


@dataclass(frozen=True, eq=False)
class Answer:
    """The answer: `title` is its sentence, `facts` are its parts.

    `findings` are on the chart that shows it, the main one first. `configuration` is the recommended or best measured
    one (empty: none).
    """

    title: str
    facts: tuple[Fact, ...]
    findings: tuple[Finding, ...]
    configuration: str = ""


def answer_of(study: StudyFindings, plans: Sequence[Plan] = ()) -> Answer | None:
    """The answer from the findings of a study: a recommendation, otherwise the strongest measured one. None if no
    finding has a chart or a table."""
    findings = on_slides(study.findings)
    if not findings:
        return None
    label, why = recommended(study)
    # The title has the full name.
    names = short_names([group.label for group in study.groups])
    lead = _lead(study, findings, label)
    apart = not_comparable(study)
    own = tuple(Fact(OWN, finding.text, said=finding.text) for finding in study.findings if finding.own)[:1]
    if label:
        first = Fact(RECOMMENDATION, names.get(label, label), _capital(why.partition(":")[0]))
        facts = (first, *_reason(lead, names), *_price(study, plans, label, names), *own)
        return Answer(f"{RECOMMENDED}{label}", facts, _on_chart(findings, lead), label)
    label = lead.configuration if is_better(lead) else ""
    few = _capital(few_runs(lead).replace("one run each", "one run per configuration") or lead.strength.value)
    missing = recommendation(study)[0]
    first = (
        Fact(MEASURED, names.get(label, label), few)
        if label
        else Fact(SURE, few, "" if apart else ended(missing), missing)
    )
    reason = _reason(lead, names) if label else ()
    price = () if apart else _price(study, plans, label, names, lead.configuration)
    title = apart.text if apart is not None else qualified(lead)
    return Answer(title, (first, *reason, *price, *own), _on_chart(findings, lead), label)


def _lead(study: StudyFindings, findings: Sequence[Finding], label: str) -> Finding:
    """The finding whose chart shows the answer: bars that compare the configuration, otherwise the first with bars."""
    decided = [finding for finding in findings if finding.strength is not Strength.INCONCLUSIVE]
    if not label:
        return next(iter((*decided, *findings)))
    barred = [finding for finding in decided if isinstance(claim_of(finding, study.groups, study.margin), BarClaim)]
    of_label = [finding for finding in barred if finding.configuration == label]
    better = [finding for finding in of_label or barred if is_better(finding)]
    return next(iter((*better, *of_label, *barred, *decided, *findings)))


def _on_chart(findings: Sequence[Finding], lead: Finding) -> tuple[Finding, ...]:
    members = next(members for members in merged(findings) if lead in members)
    return (lead, *(finding for finding in members if finding is not lead))


def _reason(lead: Finding, names: Mapping[str, str]) -> tuple[Fact, ...]:
    """The reason as text: `−93.0 % IOPS per VM in steady state`, with its interval and both values."""
    change, measure = lead.change or lead.drawn, MEASURES.get(lead.figure)
    if change is None or measure is None or not lead.configuration:
        return (Fact(REASON, headline(lead), said=headline(lead)),)
    phase = f" {in_phase(lead.phase)}" if lead.phase else ""
    amount = change_words(change, measure.change_unit)
    ends = change_ends_words(change, measure.change_unit) if change.basis != "single" else "one run each"
    ends = f"95{THIN}% interval of the change: {ends}" if change.basis == "interval" else ends
    unit = f"{THIN}{measure.unit}" if measure.unit not in ("", "IOPS") else ""
    metric = f" {measure.within}" if measure.unit == "IOPS" else ""
    base = named(names.get(lead.baseline, lead.baseline))
    values = f"{number(change.value)}{unit} instead of {number(change.baseline_value)}{unit}{metric} with {base}"
    return (Fact(REASON, f"{amount} {measure.within}{phase}", f"{values} ({ends})", headline(lead)),)


def _price(
    study: StudyFindings, plans: Sequence[Plan], label: str, names: Mapping[str, str], about: str = ""
) -> tuple[Fact, ...]:
    """Disks, hosts and RAM of a configuration as planned, with those of the baseline.

    If `label` is empty: those of the baseline, compared with the configuration that the answer is `about`, otherwise
    with the first other one. Empty if none is known.
    """
    by_label = {plan.configuration: plan for plan in plans if price_words(plan)}
    base = baseline_of(study.groups)
    shown = list(dict.fromkeys(filter(None, (label, base.label if base is not None else "", about, *by_label))))
    shown = [name for name in shown if name in by_label][:2]
    if not shown or (label and shown[0] != label):
        return ()
    first = shown[0]
    others = [f"{named(names.get(name, name))} needs {price_words(by_label[name])}" for name in shown[1:]]
    users = any(group.label == first and group.session_type is SessionType.RDS for group in study.groups)
    count = f"{fixed(by_label[first].givens['desktops'].number or 0, 0)} {'users' if users else 'desktops'}"
    count += "" if "desktops" in own_values(study.choices) else " (assumed)"
    words, name = price_words(by_label[first]), named(names.get(first, first))
    note = ended(". ".join((f"The plan is for {count}", *others)))
    return (Fact(PRICE, words if label else f"{words} with {name}", note, f"{name} needs {words} for {count}"),)


def price_words(plan: Plan) -> str:
    """The cost as text, as far as known: `5 disks, 7 hosts and 136 GB of cache RAM`; empty without a load, because the
    load decides them.
    """
    if plan.result("disks_by_iops") is None:
        return ""
    ram = plan.result("cache_ram_gib")
    counts = ((plan.result(f"{noun}s"), noun) for noun in ("disk", "host"))
    parts = [plural(count, noun) for count, noun in counts if count is not None]
    if ram != 0:
        parts.append("unknown cache RAM" if ram is None else f"{number(ram)}{THIN}GB of cache RAM")
    return few_named(parts)


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


# Maximum number of configurations that are drawn; with more, only the baseline, the best, the worst and that of the
# answer are drawn.
_DRAWN = 8
# The cost of a plan: title, key of the result, unit.
_COSTS = (("Disks", "disks", ""), ("Hosts", "hosts", ""), ("RAM for the cache", "cache_ram_gib", "GB"))
COST = "brief-cost"
_IOPS, _IN_STEADY = "iops_per_vm", ("read_latency_ms", "write_latency_ms", "cpu_percent")
CONFIGURATIONS = "All configurations"


def cost_figure(plans: Sequence[Plan], groups: Sequence[Group], configuration: str, question: str) -> Figure | None:
    """Disks, hosts and RAM of each configuration, one panel each; each bar has its number.

    The configuration of the answer has its full colour. None if no plan is possible.
    """
    known = [plan for plan in plans if plan.configuration and plan.result("disks_by_iops") is not None]
    drawn = _few(known, configuration)
    if not drawn:
        return None
    look = looks(groups)
    names = [str(plan.configuration) for plan in drawn]
    short = bare_names([*dict.fromkeys((*(group.label for group in groups), *names))])
    labels = tuple(short[name] for name in names)
    panels: list[Panel] = []
    for title, key, unit in _COSTS:
        numbers = [plan.result(key) for plan in drawn]
        if not any(numbers):
            continue
        bars = tuple(
            _bar(name, look.get(name, Look("other")), at, numbers, "all" if configuration in ("", name) else "others")
            for at, name in enumerate(names)
        )
        axis = Axis("", categories=labels, full=tuple(names))
        panels.append(Panel(title, axis, Axis(title, unit), bars, len(panels), legend=False))
    words = "; ".join(f"{named(str(plan.configuration))}: {price_words(plan)}" for plan in drawn)
    few = f"The chart shows {len(drawn)} of {len(plans)} configurations" if len(drawn) < len(plans) else ""
    more = ". ".join(filter(None, (few, _unknown_ram(drawn, short))))
    return Figure(COST, question, more, tuple(panels), share_y=False, summary=words)


def _unknown_ram(plans: Sequence[Plan], names: Mapping[str, str]) -> str:
    """The plans with an unknown RAM cache size, and therefore unknown RAM and hosts; empty if there are none."""
    unknown = [str(plan.configuration) for plan in plans if plan.givens["cache_ram_mb"].value is None]
    return f"RAM and hosts unknown: {few_named([names.get(name, name) for name in unknown])}" if unknown else ""


def _few(plans: Sequence[Plan], configuration: str) -> list[Plan]:
    if len(plans) <= _DRAWN:
        return list(plans)
    by_disks = sorted(plans, key=lambda plan: plan.result("disks") or 0.0)
    kept = (plans[0], by_disks[0], by_disks[-1], *(plan for plan in plans if plan.configuration == configuration))
    return [plan for plan in plans if plan in kept]


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
    if base is not None and not any(change_from(base, group, main, _IOPS) for group in shown if group is not base):
        base = None
    # Without a measured load, disks and hosts would be based only on assumed numbers.
    by_label = {plan.configuration: plan for plan in plans if plan.result("disks_by_iops") is not None}
    columns = [Column("Configuration", numeric=False), Column("Runs")]
    columns += [Column(phase_words(phase).capitalize(), "IOPS per VM") for phase in phases]
    if base is not None:
        columns += [Column("Change", f"IOPS, {phase_words(main)}"), Column("Interval of the change", numeric=False)]
    figures = [key for key in _IN_STEADY if any(group.mean(main, key) is not None for group in shown)]
    columns += [Column(MEASURES[key].name, MEASURES[key].unit) for key in figures]
    # Next to the I/O columns, the cost columns would have no room.
    loaded = any(group.mean(phase, _IOPS) is not None for group in shown for phase in phases)
    logons = [None if loaded else group_logons(group, trends=False).spread for group in shown]
    if any(logons):
        columns.append(Column("Logon time", "s, mean"))
    costs = [cost for cost in _COSTS if any(_has_cost(plan, cost[1]) for plan in by_label.values())]
    columns += [Column(title, unit) for title, _, unit in costs]
    look = looks(shown)
    rows, names = [], short_names([group.label for group in groups])
    for group, logon in zip(shown, logons, strict=True):
        name = Cell(names.get(group.label, group.label), group.label, group.label, look=look[group.label])
        row = [name, Cell(str(len(group.runs)), len(group.runs))]
        row += [_number(group.mean(phase, _IOPS)) for phase in phases]
        if base is not None:
            found = None if group is base else change_from(base, group, main, _IOPS)
            ends = MISSING if found is None else change_ends_words(found, "%")
            row += [
                Cell(change_words(found, "%"), None if found is None else found.percent),
                Cell(ends, None if ends == MISSING else ends),
            ]
        row += [_number(group.mean(main, key)) for key in figures]
        if any(logons):
            row.append(_number(None if logon is None else logon.mean))
        plan = by_label.get(group.label)
        row += [_number(None if plan is None else plan.result(key), not unit) for _, key, unit in costs]
        rows.append(tuple(row))
    against = "" if base is None else f". Changes are relative to {named(names.get(base.label, base.label))}"
    unknown = _unknown_ram(list(by_label.values()), names)
    means = "Values are means of the runs" if any(len(group.runs) > 1 for group in shown) else "One run each"
    legend = ended(f"{means}{against}{f'. {unknown}' if unknown else ''}")
    return TableData(tuple(columns), tuple(rows), legend, CONFIGURATIONS)


def _has_cost(plan: Plan, key: str) -> bool:
    """True if the plan has this cost. A configuration without a cache has no RAM for it."""
    value = plan.result(key)
    return value is not None and (key != "cache_ram_gib" or value > 0)


def _number(value: float | None, whole: bool = False) -> Cell:
    return Cell(fixed(value, 0) if whole and value is not None else number(value), value)
