"""The verdict on one change, by the first rule that fits, with a margin (default 5 %):

1. inconclusive without p-value: fewer than three runs on a side, or no variation between runs;
2. same: both one-sided tests against the margin reject, with an adjusted p-value below 0.05;
3. better or worse (higher or lower if a metric has no good direction): the change is beyond the margin, the adjusted
   p-value of no change is below 0.05, and so is the p-value of the permutation test if there is one. The p-value of
   the permutation test is not adjusted: with five runs per side it cannot be below 2/252 = 0.008, and no verdict would
   survive the adjustment;
4. otherwise inconclusive, with the reason and with the change that these runs could have shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from workbench.measures.significance.p_values import benjamini_hochberg
from workbench.measures.statistics import MARGIN, SIGNIFICANT, Change, Direction, Verdict
from workbench.words.numbers import THIN, signed


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict and the reason for it. `noisy`: it is inconclusive, and more runs help.
    `outlook` are sentences on the changes that such runs can show. `named`: the reason contains names of runs and VMs,
    in which a dot is not a decimal mark."""

    verdict: Verdict
    reason: str
    outlook: tuple[str, ...] = ()
    named: bool = False
    noisy: bool = False


@dataclass(frozen=True, slots=True)
class Adjusted:
    """p-values adjusted for the family: of no change, and of a change of the margin or more. The p-value of the
    permutation test is not adjusted."""

    p: float | None
    same: float | None = None
    permutation: float | None = None


def judge(found: Change, adjusted: Adjusted, *, better: Direction = "lower", margin: float = MARGIN) -> Judgement:
    """The verdict on a change, by the rules in the module docstring.

    `margin` is a share (0.05 for 5 %); `better` is the good direction of the metric.
    """
    if found.p is None or adjusted.p is None:
        return Judgement(Verdict.INCONCLUSIVE, _no_test(found))
    if adjusted.same is not None and adjusted.same < SIGNIFICANT:
        return Judgement(Verdict.SAME, _same(found, margin))
    if adjusted.p >= SIGNIFICANT:
        if found.p >= SIGNIFICANT:
            return Judgement(Verdict.INCONCLUSIVE, "the runs vary too much", noisy=True)
        why = "not significant after correction for multiple comparisons"
        return Judgement(Verdict.INCONCLUSIVE, why, noisy=True)
    if adjusted.permutation is not None and adjusted.permutation >= SIGNIFICANT:
        why = "the permutation test does not confirm the interval"
        return Judgement(Verdict.INCONCLUSIVE, why, noisy=True)
    if abs(relative(found)) <= margin:
        least = f"{100 * margin:g}{THIN}%"
        why = f"add runs to show whether the change exceeds {least}"
        return Judgement(Verdict.INCONCLUSIVE, why, noisy=True)
    return Judgement(_direction(found, better), _grounds(found, margin))


def withheld(judgement: Judgement, objection: str | None) -> Judgement:
    """The judgement, made inconclusive if there is a reason against its verdict."""
    if objection is None or judgement.verdict is Verdict.INCONCLUSIVE:
        return judgement
    return Judgement(Verdict.INCONCLUSIVE, objection, named=True)


def relative(found: Change) -> float:
    """The change as a share of the baseline, on the scale of the test."""
    if found.scale == "plain" and found.baseline_value:
        return found.difference / found.baseline_value
    return found.ratio - 1


def _direction(found: Change, better: Direction) -> Verdict:
    lower = relative(found) < 0
    if better == "none":
        return Verdict.LOWER if lower else Verdict.HIGHER
    return Verdict.BETTER if lower == (better == "lower") else Verdict.WORSE


def _same(found: Change, margin: float) -> str:
    words = f"the equivalence test shows that any change is within ±{100 * margin:g} %"
    ends = found.same_ends(margin) if found.scale == "logs" else None
    if ends is None:
        return words
    low, high = (signed(100 * (end - 1), 1) for end in ends)
    return f"{words}: its 90 % interval is [{low}, {high}] %"


def _grounds(found: Change, margin: float) -> str:
    if found.basis == "range":
        return f"the change exceeds ±{100 * margin:g} % (tested on plain values, because 0 has no logarithm)"
    return f"the change exceeds ±{100 * margin:g} % and the variation between runs"


def _no_test(found: Change) -> str:
    if found.basis == "single" or min(found.n, found.n_baseline) < 3:
        return "a verdict needs three runs of each configuration"
    return "all runs of a configuration have the same value. Check for copied files"


def judged_alone(
    changes: Sequence[Change | None], margin: float, better: Direction = "lower"
) -> list[Judgement | None]:
    """The verdicts on ratios that form a separate family, by Benjamini and Hochberg; None for a missing change. None of
    them is about a primary metric."""
    p = [None if change is None else change.p for change in changes]
    same = [None if change is None or change.welch is None else change.welch.within(margin) for change in changes]
    adjusted = benjamini_hochberg([*p, *same], sum(value is not None for value in p))
    return [
        None if change is None else judge(change, Adjusted(of_none, of_margin), better=better, margin=margin)
        for change, of_none, of_margin in zip(changes, adjusted[: len(p)], adjusted[len(p) :], strict=True)
    ]
