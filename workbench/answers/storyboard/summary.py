"""The summary of a document: at most five sentences, with the recommendation that the findings support.

A recommendation needs strong or indicative findings:

1. the smallest tested RAM cache that does not overflow, if a finding says so;
2. otherwise the configuration of the first finding with a figure that became better.

The recommendation also names the first finding (the first of the Overview and of the slides) and the main objection: a
strong or indicative finding on a figure that became worse. If no finding supports a recommendation, the strongest
measured answer is given with its number of runs, and the next sentence names the missing data.

The module also collects the studies of a storyboard, each with its findings as the user edited them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from workbench.answers.cache.compute import cache_answer
from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.answers.common.names import MARGIN_PERCENT
from workbench.answers.findings.compute import NOT_COMPARABLE, Finding, Strength, few_runs, is_effect
from workbench.answers.findings.page import kept_findings
from workbench.answers.findings.words import headline
from workbench.answers.storyboard.defaults import CARRIES, merged, on_slides
from workbench.answers.storyboard.shown import StudyFindings
from workbench.measures.catalogue import MEASURES
from workbench.measures.configurations import Group
from workbench.measures.statistics import INTERVAL_RUNS, MARGIN
from workbench.words.captions import named

MOST = 5
# Maximum number of answers of few runs in a summary without a recommendation.
_MEASURED = 2
# The start of the sentence about missing data.
_NEEDED = "A recommendation needs"


def summary_of(studies: Sequence[StudyFindings]) -> tuple[str, ...]:
    """The sentences of the summary: for one study the user's sentences, the strongest findings and the recommendation,
    for several studies the recommendation of each."""
    compared = [study for study in studies if study.groups] or list(studies[:1])
    if len(compared) == 1:
        return _of_study(compared[0])
    sentences = [
        f"{study.name}: {' '.join(map(_ended, (*measured(study)[:1], *recommendation(study))))}" for study in compared
    ]
    if len(sentences) <= MOST:
        return tuple(sentences)
    return (*sentences[: MOST - 1], f"{len(sentences) - MOST + 1} more studies have their own slides.")


def _of_study(study: StudyFindings) -> tuple[str, ...]:
    advice = [_ended(sentence) for sentence in recommendation(study)]
    own = [finding.text for finding in study.findings if finding.own]
    if weak := measured(study):
        own = [*own, *weak]
    charts = [members for members in merged(on_slides(study.findings)) if members[0].strength in CARRIES]
    # With too few charts, the other findings on them follow.
    others = (one for members in charts for one in members[1:] if one.strength in CARRIES and not one.led_by)
    first = sorted([*(members[0] for members in charts), *others][:3], key=study.findings.index)
    leads = [headline(finding) for finding in first]
    said = list(dict.fromkeys((*own, *leads)))[: min(3, MOST - len(advice))]
    return (*map(_ended, said), *advice)


def measured(study: StudyFindings) -> tuple[str, ...]:
    """The strongest measured answers, each with its number of runs, if no finding supports a recommendation; empty if
    one does, or if the runs cannot be compared."""
    findings = on_slides(study.findings)
    # If there are effects, findings of no difference are not used.
    said = [finding for finding in findings if is_effect(finding)] or findings
    if any(finding.strength in CARRIES for finding in said) or not_comparable(study):
        return ()
    first = [members[0] for members in merged(findings) if members[0].strength is not Strength.INCONCLUSIVE]
    return tuple(qualified(finding) for finding in first[:_MEASURED])


def qualified(finding: Finding) -> str:
    """The headline of a finding, with its number of runs if there are fewer than three."""
    words, few = headline(finding), few_runs(finding)
    if not few or few in words:
        return words
    return f"{words[:-1]}, {few})" if words.endswith(")") else f"{words} ({few})"


def not_comparable(study: StudyFindings) -> Finding | None:
    """The finding that the runs cannot be compared; None if they can."""
    return next((finding for finding in study.findings if finding.kind == NOT_COMPARABLE), None)


def recommendation(study: StudyFindings) -> tuple[str, ...]:
    """The recommendation, with a second sentence on the main objection; otherwise the missing data."""
    carrying = [finding for finding in on_slides(study.findings) if finding.strength in CARRIES]
    label, why = recommended(study)
    if not label:
        return (_missing(study),)
    against = next((f for f in carrying if f.configuration == label and is_better(f) is False), None)
    sentences = [f"Recommended: {named(label)}, {why}"]
    lead = headline(carrying[0])
    if lead not in why and carrying[0] is not against:
        sentences[0] += f". Strongest finding: {lead}"
    return (*sentences, *((f"Main objection: {headline(against)}",) if against else ()))


def recommended(study: StudyFindings) -> tuple[str, str]:
    """The recommended configuration and the reason; empty if no finding supports one."""
    carrying = [finding for finding in on_slides(study.findings) if finding.strength in CARRIES]
    enough = next((finding for finding in carrying if finding.kind == "cache" and finding.figure == "enough"), None)
    if enough is not None and (label := _smallest(study, enough)):
        return label, "the smallest tested RAM cache that does not overflow"
    best = next((finding for finding in carrying if finding.configuration and is_better(finding)), None)
    if best is None:
        return "", ""
    by = "finding" if best is carrying[0] else "improvement"
    return best.configuration, f"because of the strongest {by}: {headline(best)}"


def _smallest(study: StudyFindings, enough: Finding) -> str:
    answer = cache_answer([group for group in study.groups if group.runs], enough.phase, study.margin)
    held = [each.smallest for each in answer.enough if each.smallest is not None and not each.contrary]
    runs = set(enough.runs)
    return next((cache.label for cache in held if runs & {run.run.folder for run in cache.runs}), "")


def is_better(finding: Finding) -> bool | None:
    """True if the metric became better; None if it did not change, or if neither direction is better."""
    measure, change = MEASURES.get(finding.figure), finding.change
    if measure is None or change is None or measure.better == "none" or finding.kind != "compare":
        return None
    if change.low is not None and change.high is not None and change.low <= 1 <= change.high:
        return None
    return (change.ratio < 1) == (measure.better == "lower") if change.ratio != 1 else None


def _missing(study: StudyFindings) -> str:
    """The reason why nothing is recommended, and the data that would be needed."""
    if apart := not_comparable(study):
        return apart.text
    groups = [group for group in study.groups if group.runs]
    if len(groups) < 2:
        built = any(finding.kind == "trend" for finding in study.findings)
        only = f". This study compares only the builds of {named(groups[0].label)}" if groups and built else ""
        return f"{_NEEDED} runs of two configurations{only}"
    if single := _single(groups):
        return f"{_NEEDED} three runs of each configuration. {_counted(len(single))} only one run"
    if few := [group for group in groups if len(group.runs) < INTERVAL_RUNS]:
        return f"{_NEEDED} three runs of each configuration. {_counted(len(few))} only two runs"
    # A plan with about the same result leaves no open question, and missing counters do not change a decided
    # comparison.
    decided = any(is_better(finding) is False and finding.strength in CARRIES for finding in study.findings)
    opened = [finding.kind for finding in study.findings if finding.strength is Strength.INCONCLUSIVE]
    if any(kind == "compare" if decided else kind != "sizing" for kind in opened):
        return f"{_NEEDED} less variation between runs, or the missing data"
    return "No configuration is better than the baseline by more than the margin"


def _counted(count: int) -> str:
    return "1 configuration has" if count == 1 else f"{count} configurations have"


def _single(groups: Sequence[Group]) -> list[Group]:
    return [group for group in groups if len(group.runs) == 1]


def _ended(sentence: str) -> str:
    return sentence if sentence.endswith((".", "!", "?")) else f"{sentence}."


def study_findings(library: Library, choices: Choices) -> tuple[StudyFindings, ...]:
    """The studies with runs in their order; then the folders of storage benchmarks that belong to none of them."""
    sections: list[StudyFindings] = []
    apart: Sequence[Finding] = ()
    margin = choices.number(MARGIN_PERCENT, 100 * MARGIN) / 100
    for study in library.with_runs:
        seen = replace(choices, study=study.folder)
        kept = kept_findings(library, seen)
        apart = apart or [finding for finding in kept if finding.apart]
        own = tuple(finding for finding in kept if not finding.apart)
        sections.append(StudyFindings(study.folder, study.name, seen, own, library.shown(seen), margin))
    if not sections:
        names = [study.name for study in library.studies if study.benchmarks]
        name = names[0] if len(names) == 1 else "Storage benchmarks"
        kept = kept_findings(library, choices)
        return (StudyFindings("", name, choices, kept, margin=margin),) if kept else ()
    folders = {study.name: study.folder for study in library.studies}
    for name in dict.fromkeys(finding.apart for finding in apart):
        of_folder = tuple(finding for finding in apart if finding.apart == name)
        sections.append(StudyFindings(folders.get(name, ""), name, sections[0].choices, of_folder, margin=margin))
    return tuple(sections)
