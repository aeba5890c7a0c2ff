"""Findings: the conclusions of a study as sentences, each with its evidence, its strength and its caveats.

This module contains the class of a finding and the rules that are the same for every kind of finding: how strong a
change is, and which findings come first. The sentences are written in `words` and `rules`.

Strength of a change, from the verdict of `measures.significance` (three runs or more on each side):

- strong: a primary metric that is better, worse, higher or lower, with the whole interval beyond the margin; also a
  primary metric that is the same.
- indicative: any other metric with a verdict; a primary metric whose interval reaches into the margin; every difference
  between configurations whose runs did not take turns; a difference that every run shows without a test.
- range: two runs on a side with a range that does not include 1. No strength and no direction is stated.
- single run: one run on a side. The uncertainty is unknown, and the sentence says so.
- inconclusive: all other changes.

Order (`ranked`): effects, strong before indicative; ranges of two runs; single runs; what stays the same; single runs
and ranges within the margin, and plans of single runs; what is inconclusive. So no headline says that nothing changed
while there is an effect. Among equals, the larger effect comes first, then the one with the higher `weight`, which is
higher for metrics that people ask for more often. The size of a ratio is |ln ratio| / ln 20, at most 1: a reduction by
95 % and a rise to twenty times the value count as the largest possible effects. Total I/O, IOPS, reads and writes of
one change are one effect: the strongest one leads (of equals, the one with the highest weight), and the others are its
evidence.

Relevance = size x weight x weight of the strength, each from 0 to 1.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, StrEnum, auto

from workbench.answers.common.change_words import few_runs_words
from workbench.charts.claim import Claim, Pointed
from workbench.charts.figure import Moment
from workbench.measures.significance.run_order import Order
from workbench.measures.statistics import INTERVAL_RUNS, MARGIN, Change, Verdict
from workbench.model.edits import About
from workbench.model.metric import Quantity
from workbench.model.source import Explanation

# The kind of a finding that says that others could not be computed, and of a finding with the reason why nothing is
# compared.
FAILED, NOT_COMPARABLE = "failed", "not comparable"
# The kind of a finding that something stays the same.
NO_CHANGE = "no change"
# The number of findings that a reviewer reads; the others are in a separate list.
MOST_SHOWN = 12
# An effect of this ratio, or of its inverse, counts as the largest possible.
_LARGEST_RATIO = 20.0


class Strength(StrEnum):
    """The strength of a finding. YOURS: the user wrote it."""

    STRONG = "strong"
    INDICATIVE = "indicative"
    RANGE = "range"
    SINGLE = "single run"
    INCONCLUSIVE = "inconclusive"
    YOURS = "yours"

    @property
    def words(self) -> str:
        """The words for the strength in a document, outside the sentence."""
        return {Strength.RANGE: "range of two runs", Strength.YOURS: "stated by hand"}.get(self, self.value)


_WEIGHTS = {
    Strength.STRONG: 1.0,
    Strength.INDICATIVE: 0.6,
    Strength.RANGE: 0.5,
    Strength.SINGLE: 0.4,
    Strength.INCONCLUSIVE: 0.1,
    Strength.YOURS: 1.0,
}


class ReadingOrder(Enum):
    """Kinds of statements in reading order. SMALL: one or two runs with a difference within the margin. OPEN:
    inconclusive."""

    FIRST = auto()
    STRONG = auto()
    INDICATIVE = auto()
    RANGE = auto()
    SINGLE = auto()
    STRONG_NONE = auto()
    NONE = auto()
    SMALL = auto()
    OPEN = auto()


_LEVELS = list(ReadingOrder)
# Evidence of other findings comes after all decided findings.
_EVIDENCE = _LEVELS.index(ReadingOrder.OPEN) - 0.5
# Figures that show the same effect.
_IO = frozenset(("total_io_per_vm", "total_io", "iops_per_vm", "iops", "read_iops_per_vm", "write_iops_per_vm"))


@dataclass(frozen=True, slots=True)
class Said:
    """The text of a finding: the full sentence, a short one for a chart, and the main `number` in both (empty if there
    is none). `caveats` are the reasons for an inconclusive finding, and come before its other caveats."""

    text: str
    short: str
    number: str = ""
    brief: str = ""
    caveats: tuple[str, ...] = ()

    def with_evidence(self, *more: str) -> Said:
        """The text with more evidence in the brackets at its end; the short one stays."""
        return replace(self, text=in_brackets(self.text, *more))


def in_brackets(text: str, *more: str) -> str:
    """The text with more evidence in the brackets at its end, which are added if there are none; empty parts are
    ignored."""
    evidence = "; ".join(filter(None, more))
    if not evidence:
        return text
    return f"{text[:-1]}; {evidence})" if text.endswith(")") else f"{text} ({evidence})"


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding. `key` identifies it and stays the same when the finding is computed again.

    Evidence: the page with its `view`, `phase` and `metric`, and other settings of the page (`inputs`, `lit_vm`).
    `runs` are the folders of its runs. `figures` are fields of PhaseFigures that lead to their samples. `size` and
    `weight` (0 to 1) give its relevance.

    `edited`: the text is the user's, and `generated` is the computed text. `own`: the user wrote the finding.
    `difference` in `unit` and `counts` (runs, the baseline's runs) belong to a finding without a ratio, because the
    baseline is 0. `source` names the tool and folder of a storage benchmark. `apart` is the folder of a benchmark
    outside the study; its finding does not belong to the study's findings. `running`: the test of one of its runs has
    not ended. `ways` name answers with further figures of the finding. `explanations` explain numbers that do not come
    from samples of a run. `about` is independent of names that may change.

    `drawn` is the change of a figure of its own answer, which its chart shows. In a chart of curves it points to
    `trace` (the VM's curve, if that includes the name of the run) and to a `moment`; `readout` is the value there as
    text. `lit` are the configurations highlighted in its chart, if there are several or if the finding does not
    compare. `claim` is its chart if its rule draws one. `led_by` is the key of the finding that it is evidence of.
    `order` is the order of the runs of both sides. `brief` is the sentence of a card with a chart. `short` is the
    generated sentence in few words, `number` its main number (both as in `Said`). `small`: its change is within the
    margin, or it has no size (see `ranked`).
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
    brief: str = ""
    number: str = ""
    trace: str = ""
    moment: Moment | None = None
    readout: str = ""
    lit: tuple[str, ...] = ()
    led_by: str = ""
    order: Order | None = None
    small: bool = False
    explanations: tuple[Explanation, ...] = field(default=(), compare=False)
    about: About | None = field(default=None, compare=False)
    claim: Claim | None = field(default=None, compare=False)

    @property
    def relevance(self) -> float:
        """Size x weight x strength, from 0 to 1."""
        return self.size * self.weight * _WEIGHTS[self.strength]

    @property
    def pointed(self) -> Pointed | None:
        """The target of the finding in the chart of its page; None if it has no configuration and no time."""
        lit, vm = self.lit or (self.configuration,), self.trace or self.lit_vm
        if not self.figure or not (lit[0] or self.moment):
            return None
        return Pointed(lit[0], self.baseline, self.phase, self.figure, vm, self.moment, self.readout, lit[1:])


def strength_of(found: Change, verdict: Verdict | None, margin: float = MARGIN, *, primary: bool = False) -> Strength:
    """The strength of a change, by the rules in the module docstring; `primary`: of a primary measure."""
    if found.basis == "single":
        return Strength.SINGLE
    # A step of the trend has an interval with two runs on a side; it is never strong.
    few = min(found.n, found.n_baseline) < INTERVAL_RUNS
    if few and found.basis != "interval":
        return Strength.INCONCLUSIVE if holds_no_change(found) else Strength.RANGE
    if verdict is None or verdict is Verdict.INCONCLUSIVE:
        return Strength.INCONCLUSIVE
    if primary and not few and (verdict is Verdict.SAME or beyond(found, margin)):
        return Strength.STRONG
    return Strength.INDICATIVE


def holds_no_change(found: Change) -> bool:
    """True if the interval or range of a change includes no change, or if it has no ends."""
    return found.low is None or found.high is None or found.low <= 1 <= found.high


def weaker(one: Strength, other: Strength) -> Strength:
    """The weaker of two strengths."""
    order = list(Strength)
    return max(one, other, key=order.index)


def strength_of_rise(ours: Sequence[float], theirs: Sequence[float]) -> Strength:
    """The strength of a rise from a baseline of 0, by the number of runs that show it: there is no ratio to test."""
    if min(len(ours), len(theirs)) >= 3 and (any(theirs) or not all(ours)):
        return Strength.INCONCLUSIVE
    if min(len(ours), len(theirs)) == 2:
        return Strength.RANGE if min(ours) > max(theirs) else Strength.INCONCLUSIVE
    return strength_of_runs(min(len(ours), len(theirs)))


def strength_of_runs(count: int) -> Strength:
    """The strength of something that each of that many runs shows; never strong, because it was not tested."""
    return Strength.SINGLE if count < 2 else Strength.INDICATIVE


def beyond(found: Change, margin: float) -> bool:
    """True if the whole interval (or range, if a value is 0) is beyond the margin on one side."""
    if found.low is None or found.high is None:
        return False
    return found.high < 1 - margin or found.low > 1 + margin


def effect_size(ratio: float) -> float:
    """The size of a ratio from 0 to 1; a ratio of 0 has the largest."""
    if ratio <= 0:
        return 1.0
    return min(1.0, abs(math.log(ratio)) / math.log(_LARGEST_RATIO))


def ranked(found: Iterable[Finding], margin: float = MARGIN) -> tuple[Finding, ...]:
    """The findings in the order of the rules in the module docstring.

    Findings within the margin are marked (`small`). Findings that are evidence of another one are marked (`led_by`) and
    come after the decided ones.
    """
    measured = (replace(one, small=_is_small(one, margin)) for one in found)
    by_level = sorted(measured, key=lambda one: (_LEVELS.index(level(one)), -one.weight, -one.size, one.key))
    leaders: dict[tuple[str, ...], str] = {}
    marked = []
    for one in by_level:
        leader = leaders.setdefault(_effect(one), one.key) if level(one) is not ReadingOrder.OPEN else one.key
        marked.append(one if leader == one.key else replace(one, led_by=leader))
    return tuple(sorted(marked, key=_place))


def _is_small(one: Finding, margin: float) -> bool:
    found = one.change or one.drawn
    return one.size == 0 or (found is not None and abs(found.ratio - 1) <= margin)


def _place(one: Finding) -> tuple[float, float, float, str]:
    return _EVIDENCE if one.led_by else _LEVELS.index(level(one)), -one.size, -one.weight, one.key


def level(one: Finding) -> ReadingOrder:
    """The kind of statement of a finding, for its rank."""
    if one.kind in (FAILED, NOT_COMPARABLE):
        return ReadingOrder.FIRST
    if one.strength is Strength.INCONCLUSIVE:
        return ReadingOrder.OPEN
    if one.strength is Strength.RANGE:
        return ReadingOrder.SMALL if one.small else ReadingOrder.RANGE
    if one.kind == NO_CHANGE:
        return ReadingOrder.STRONG_NONE if one.strength is Strength.STRONG else ReadingOrder.NONE
    if one.strength is Strength.SINGLE:
        return ReadingOrder.SMALL if one.small else ReadingOrder.SINGLE
    if one.small:
        return ReadingOrder.NONE
    return ReadingOrder.STRONG if one.strength is Strength.STRONG else ReadingOrder.INDICATIVE


def is_effect(one: Finding) -> bool:
    """True if the finding comes before all findings of no difference."""
    return _LEVELS.index(level(one)) < _LEVELS.index(ReadingOrder.STRONG_NONE)


def listed(found: Sequence[Finding]) -> tuple[tuple[Finding, ...], tuple[Finding, ...], tuple[Finding, ...]]:
    """Three lists: the first findings (`MOST_SHOWN` at most), the other decided ones, and the inconclusive ones.

    The user's own findings are in the first list, and so is evidence of a finding that is missing.
    """
    keys = {one.key for one in found}
    first = [
        one
        for one in found
        if one.edited or one.own or (one.led_by not in keys and level(one) is not ReadingOrder.OPEN)
    ]
    shown = tuple(first[:MOST_SHOWN])
    others = [one for one in found if one not in shown]
    open_ = tuple(one for one in others if level(one) is ReadingOrder.OPEN)
    return shown, tuple(one for one in others if level(one) is not ReadingOrder.OPEN), open_


def ranks_of(found: Sequence[Finding]) -> dict[str, int]:
    """The rank of each finding by key, from 1; evidence of another finding has the rank of that finding."""
    leading = (one.key for one in found if not one.led_by)
    ranks = {key: rank for rank, key in enumerate(leading, 1)}
    return {one.key: ranks.get(one.led_by or one.key, len(ranks) + 1) for one in found}


def keyed(found: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings; a repeated key gets a number at its end."""
    seen = Counter[str]()
    named: list[Finding] = []
    for finding in found:
        seen[finding.key] += 1
        named.append(finding if seen[finding.key] == 1 else replace(finding, key=f"{finding.key} #{seen[finding.key]}"))
    return tuple(named)


def _effect(one: Finding) -> tuple[str, ...]:
    """The key of one effect.

    Total I/O, IOPS, reads and writes of the same runs in one phase are one effect if they move in one direction. One VM
    in several phases is one effect too. Each other finding is a separate one.
    """
    if one.kind == "VM":
        return one.kind, one.configuration, one.lit_vm
    if one.kind not in ("compare", NO_CHANGE) or one.figure not in _IO:
        return (one.key,)
    falls = one.change is not None and one.change.ratio < 1
    return one.kind, one.phase, one.baseline, "falls" * (falls and one.kind != NO_CHANGE), *one.runs


def few_runs(finding: Finding) -> str:
    """The number of runs behind a finding with fewer than three: `one run each`, `2 runs vs. 3 runs`; otherwise
    empty.
    """
    if finding.strength not in (Strength.SINGLE, Strength.RANGE):
        return ""
    change = finding.change or finding.drawn
    counts = finding.counts if change is None else (change.n, change.n_baseline)
    single = finding.strength is Strength.SINGLE
    if finding.figure == "knee":
        return "one run per step" if single else "two runs per step"
    if finding.configuration and not finding.baseline:
        return "single run" if single else "two runs"
    if counts is None or counts[0] == counts[1]:
        return "one run each" if single else "two runs each"
    return few_runs_words(*counts)
