"""The answer of a study: what to choose, why, and what it costs, with the findings on the chart that shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from workbench.answers.common.change_words import change_ends_words, change_words
from workbench.answers.findings.claims import claim_of
from workbench.answers.findings.compute import Finding, Strength
from workbench.answers.findings.headlines import headline
from workbench.answers.findings.words import plural
from workbench.answers.sizing.chosen import own_values
from workbench.answers.sizing.compute import Plan
from workbench.answers.storyboard.defaults import merged, on_slides
from workbench.answers.storyboard.shown import StudyFindings
from workbench.answers.storyboard.summary import is_better, not_comparable, qualified, recommendation, recommended
from workbench.charts.claim import BarClaim
from workbench.measures.catalogue import MEASURES
from workbench.measures.configurations import baseline_of
from workbench.model.run import SessionType
from workbench.words.metrics import phase_words
from workbench.words.numbers import THIN, fixed, number

RECOMMENDATION, MEASURED, SURE, REASON, PRICE = "Recommendation", "Measured", "How sure", "Reason", "Price"
OWN = "Also"
# How the title of a recommendation begins.
RECOMMENDED = "Recommended: "


@dataclass(frozen=True, slots=True)
class Fact:
    """A part of the answer: what it is (`label`), its `words`, and a `note` on what they rest on."""

    label: str
    words: str
    note: str = ""


@dataclass(frozen=True, eq=False)
class Answer:
    """`title` is the answer in a sentence, `facts` its parts; `findings` are on the chart that shows it, the one that
    the answer rests on first. `configuration` is the one to choose, or the one that was measured best (empty: none)."""

    title: str
    facts: tuple[Fact, ...]
    findings: tuple[Finding, ...]
    configuration: str = ""


def answer_of(study: StudyFindings, plans: Sequence[Plan] = ()) -> Answer | None:
    """The answer that the findings of a study carry: a recommendation, else the strongest of what was measured. None
    where there is no finding with a chart or a table."""
    findings = on_slides(study.findings)
    if not findings:
        return None
    label, why = recommended(study)
    lead = _lead(study, findings, label)
    apart = not_comparable(study)
    own = tuple(Fact(OWN, finding.text) for finding in study.findings if finding.own)[:1]
    if label:
        first = Fact(RECOMMENDATION, label, _capital(why.partition(":")[0]))
        facts = (first, *_reason(lead), *_price(study, plans, label), *own)
        return Answer(f"{RECOMMENDED}{label}", facts, _on_chart(findings, lead), label)
    label = lead.configuration if is_better(lead) else ""
    few = _capital("one run each" if lead.strength is Strength.SINGLE else lead.strength.value)
    missing = recommendation(study)[0]
    first = Fact(MEASURED, label, few) if label else Fact(SURE, few, "" if apart else missing)
    reason = _reason(lead) if label else ()
    price = () if apart else _price(study, plans, label)
    title = apart.text if apart is not None else qualified(lead)
    return Answer(title, (first, *reason, *price, *own), _on_chart(findings, lead), label)


def _lead(study: StudyFindings, findings: Sequence[Finding], label: str) -> Finding:
    """The finding whose chart shows the answer: bars that compare the configuration, else the first one with bars."""
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


def _reason(lead: Finding) -> tuple[Fact, ...]:
    """`−93.0 % IOPS per VM in steady state`, with its interval and both values."""
    change, measure = lead.change or lead.drawn, MEASURES.get(lead.figure)
    if change is None or measure is None or not lead.configuration:
        return (Fact(REASON, headline(lead)),)
    phase = f" in {phase_words(lead.phase)}" if lead.phase else ""
    amount = change_words(change, measure.change_unit)
    ends = change_ends_words(change, measure.change_unit) if change.basis != "single" else "one run each"
    unit = f"{THIN}{measure.unit}" if measure.unit not in ("", "IOPS") else ""
    values = f"{number(change.value)}{unit} instead of {number(change.baseline_value)}{unit} with {lead.baseline}"
    return (Fact(REASON, f"{amount} {measure.within}{phase}", f"{values}; {ends}"),)


def _price(study: StudyFindings, plans: Sequence[Plan], label: str) -> tuple[Fact, ...]:
    """Disks, hosts and RAM of a configuration as planned, with those of the baseline; without one (`label` empty) those
    of the baseline with the first other one. Nothing where none is known."""
    by_label = {plan.configuration: plan for plan in plans if price_words(plan)}
    base = baseline_of(study.groups)
    shown = list(dict.fromkeys(filter(None, (label, base.label if base is not None else "", *by_label))))
    shown = [name for name in shown if name in by_label][:2]
    if not shown or (label and shown[0] != label):
        return ()
    first, others = shown[0], [f"{name}: {price_words(by_label[name])}" for name in shown[1:]]
    users = any(group.label == first and group.session_type is SessionType.RDS for group in study.groups)
    count = f"For {fixed(by_label[first].givens['desktops'].number or 0, 0)} {'users' if users else 'desktops'}"
    count += "" if "desktops" in own_values(study.choices) else " (assumed)"
    words = price_words(by_label[first])
    return (Fact(PRICE, words if label else f"{first}: {words}", "; ".join((count, *others))),)


def price_words(plan: Plan) -> str:
    """`5 disks, 7 hosts, 136 GiB RAM`, as far as they are known."""
    ram = plan.result("cache_ram_gib")
    counts = ((plan.result(f"{noun}s"), noun) for noun in ("disk", "host"))
    parts = [plural(count, noun) for count, noun in counts if count is not None]
    return ", ".join([*parts, *([f"{number(ram)}{THIN}GiB RAM for the cache"] if ram else [])])


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
