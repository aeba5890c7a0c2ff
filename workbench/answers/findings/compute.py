"""Findings: what a study concludes, sentence by sentence, each with its evidence, its strength and its caveats.

This module holds the noun and the rules that are the same for every kind of finding: how strong a change is, and
which findings come first. The sentences are written in `charts.findings`.

Strength of a change, after the verdict of `measures.judging` (three runs or more on each side):
strong        a primary measure: better, worse, higher or lower, and the whole interval lies beyond the margin; the same
indicative    any other measure with a verdict; a primary one whose interval reaches into the margin; two runs on a
              side, whatever their range; what every run shows without a test
single run    one run on a side: no uncertainty is known, and the sentence says so
inconclusive  everything else

Relevance = size of the effect x weight of its kind x weight of its strength, each from 0 to 1. The size of a ratio is
|ln ratio| / ln 20, at most 1: a cut by 95 % and a rise to the twentyfold are as large as an effect can be. Of findings
that say the like of others the later ones count less (`ranked`), so that a sweep over ten sizes does not fill the list.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from heapq import heapify, heappop, heapreplace

from workbench.charts.claim import Claim, Pointed
from workbench.charts.figure import Moment
from workbench.measures.statistics import MARGIN, Change, Verdict
from workbench.model.edits import About
from workbench.model.metric import Quantity
from workbench.model.source import Explanation

# The kind of a finding which says that others could not be computed, and of one that says why nothing is compared.
FAILED, NOT_COMPARABLE = "failed", "not comparable"
# As many as a reviewer reads; the others are listed apart.
MOST_SHOWN = 12
# An effect of this ratio, or of its inverse, is as large as an effect can be.
_LARGEST_RATIO = 20.0
# What each earlier finding of the same metric, and of the same configuration, leaves of a later one's relevance.
_LIKE_METRIC, _LIKE_CONFIGURATION = 0.6, 0.9


class Strength(StrEnum):
    """How much a finding carries. YOURS: the user wrote it."""

    STRONG = "strong"
    INDICATIVE = "indicative"
    SINGLE = "single run"
    INCONCLUSIVE = "inconclusive"
    YOURS = "yours"


_WEIGHTS = {
    Strength.STRONG: 1.0,
    Strength.INDICATIVE: 0.6,
    Strength.SINGLE: 0.4,
    Strength.INCONCLUSIVE: 0.1,
    Strength.YOURS: 1.0,
}


@dataclass(frozen=True, slots=True)
class Said:
    """What a rule says: the sentence in full, the same in few words for a chart that says the rest, and the `number` in
    both that counts (empty where none does)."""

    text: str
    short: str
    number: str = ""

    def ended(self, end: str) -> Said:
        """With an end that only the full sentence has."""
        return replace(self, text=f"{self.text}{end}")


@dataclass(frozen=True, slots=True)
class Finding:
    """One sentence. `key` names it and stays the same when it is computed again.

    Evidence: the page with its `view`, `phase` and `metric`, and what else the page must be set to (`inputs`,
    `lit_vm`); `runs` are the folders it rests on, `figures` fields of PhaseFigures that lead to their samples.
    `size` and `weight` (0 to 1) make its relevance. `edited`: the text is the user's, `generated` what we wrote;
    `own`: the user's from the start. `difference` in `unit` and `counts` (runs, the baseline's) are of a finding that
    has no ratio, because the baseline is 0. `source` names the tool and folder of a storage benchmark; `apart` is the
    folder where that is another one than that of the study, whose findings it does not belong to. `running`: a run that
    it rests on has not ended. `ways` name answers with the figures of theirs that it rests on beside those;
    `explanations` explain numbers that come from no run's samples. `about` is what stays the same when names change.
    `drawn` is the change of a figure of its own answer, which its chart shows. In a chart of curves it speaks of
    `trace` (the VM's curve, where that bears the run's name too) and of a `moment`; `readout` is its value in words.
    `lit` are the configurations that its chart lights where it speaks of several, or of one that it does not compare.
    `claim` is its chart where its rule draws one.
    `short` is the generated sentence in few words, `number` the one in it that counts (both of `Said`).
    """

    key: str
    text: str
    kind: str
    strength: Strength
    page: str = ""
    view: str = ""
    phase: str = ""
    metric: Quantity | None = None
    runs: tuple[str, ...] = ()
    figures: tuple[str, ...] = ()
    caveats: tuple[str, ...] = ()
    configuration: str = ""
    baseline: str = ""
    figure: str = ""
    change: Change | None = None
    size: float = 0.0
    weight: float = 1.0
    inputs: tuple[tuple[str, float | str], ...] = ()
    lit_vm: str = ""
    edited: bool = False
    own: bool = False
    generated: str = ""
    difference: float | None = None
    unit: str = ""
    counts: tuple[int, int] | None = None
    source: str = ""
    apart: str = ""
    running: bool = False
    ways: tuple[tuple[str, str], ...] = ()
    drawn: Change | None = None
    short: str = ""
    number: str = ""
    trace: str = ""
    moment: Moment | None = None
    readout: str = ""
    lit: tuple[str, ...] = ()
    explanations: tuple[Explanation, ...] = field(default=(), compare=False)
    about: About | None = field(default=None, compare=False)
    claim: Claim | None = field(default=None, compare=False)

    @property
    def relevance(self) -> float:
        """Size x weight x strength, from 0 to 1."""
        return self.size * self.weight * _WEIGHTS[self.strength]

    @property
    def pointed(self) -> Pointed | None:
        """What it speaks of in the chart of its page; None where it speaks of no configuration and no moment."""
        lit, vm = self.lit or (self.configuration,), self.trace or self.lit_vm
        if not self.figure or not (lit[0] or self.moment):
            return None
        return Pointed(lit[0], self.baseline, self.phase, self.figure, vm, self.moment, self.readout, lit[1:])


def strength_of(found: Change, verdict: Verdict | None, margin: float = MARGIN, *, primary: bool = False) -> Strength:
    """How strong a change is, after the rules at the top of this module; `primary`: of a primary measure."""
    if found.basis == "single":
        return Strength.SINGLE
    if min(found.n, found.n_baseline) < 3:
        return Strength.INDICATIVE
    if verdict is None or verdict is Verdict.INCONCLUSIVE:
        return Strength.INCONCLUSIVE
    if primary and (verdict is Verdict.SAME or beyond(found, margin)):
        return Strength.STRONG
    return Strength.INDICATIVE


def weaker(one: Strength, other: Strength) -> Strength:
    """The one that carries less."""
    order = list(Strength)
    return max(one, other, key=order.index)


def strength_of_rise(ours: Sequence[float], theirs: Sequence[float]) -> Strength:
    """How strong a rise from a baseline of 0 is, which has no ratio to test: what every run shows, by their number."""
    if min(len(ours), len(theirs)) >= 3 and (any(theirs) or not all(ours)):
        return Strength.INCONCLUSIVE
    return strength_of_runs(min(len(ours), len(theirs)))


def strength_of_runs(count: int) -> Strength:
    """How strong something is that each of so many runs shows: nothing is strong without a test."""
    return Strength.SINGLE if count < 2 else Strength.INDICATIVE


def beyond(found: Change, margin: float) -> bool:
    """Whether the whole interval (range where a value is 0) lies beyond the margin on one side."""
    if found.low is None or found.high is None:
        return False
    return found.high < 1 - margin or found.low > 1 + margin


def effect_size(ratio: float) -> float:
    """The size of a ratio from 0 to 1; nothing left at all is the largest."""
    if ratio <= 0:
        return 1.0
    return min(1.0, abs(math.log(ratio)) / math.log(_LARGEST_RATIO))


def ranked(found: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings by relevance, the like of earlier ones counting less; ties in the order of their keys. What says
    that some are missing, or that nothing can be compared, comes first."""
    metrics, configurations = Counter[tuple[str, str, str]](), Counter[str]()
    ordered: list[Finding] = []
    # What is left of a finding only falls: the first whose value is still right is the largest of all.
    by_relevance = sorted(found, key=lambda finding: (-finding.relevance, finding.key))
    left = [(-finding.relevance, place, finding) for place, finding in enumerate(by_relevance)]
    heapify(left)
    while left:
        known, place, best = left[0]
        value = -_left_of(best, metrics, configurations)
        if value != known:
            heapreplace(left, (value, place, best))
            continue
        heappop(left)
        ordered.append(best)
        metrics[_alike(best)] += 1
        configurations[best.configuration] += bool(best.configuration)
    return tuple(sorted(ordered, key=lambda finding: finding.kind not in (FAILED, NOT_COMPARABLE)))


def keyed(found: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings, the second and later of one key with a number behind it."""
    seen = Counter[str]()
    named: list[Finding] = []
    for finding in found:
        seen[finding.key] += 1
        named.append(finding if seen[finding.key] == 1 else replace(finding, key=f"{finding.key} #{seen[finding.key]}"))
    return tuple(named)


def _left_of(one: Finding, metrics: Counter[tuple[str, str, str]], configurations: Counter[str]) -> float:
    like = _LIKE_METRIC ** metrics[_alike(one)] * _LIKE_CONFIGURATION ** configurations[one.configuration]
    return one.relevance * like


def _alike(one: Finding) -> tuple[str, str, str]:
    return one.kind, one.figure, one.phase
