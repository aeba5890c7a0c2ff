"""Verdicts on comparisons that stand outside the phase table: logon times, shared storage, tests against a raw disk."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.measures.judging.adjusting import benjamini_hochberg
from workbench.measures.judging.verdicts import Adjusted, Judgement, judge
from workbench.measures.statistics import Change, Direction


def judged_alone(
    changes: Sequence[Change | None], margin: float, better: Direction = "lower"
) -> list[Judgement | None]:
    """The verdicts on ratios that are one family of their own, after Benjamini and Hochberg; None where there is no
    change. None of them is of a primary measure."""
    p = [None if change is None else change.p for change in changes]
    same = [None if change is None or change.welch is None else change.welch.within(margin) for change in changes]
    adjusted = benjamini_hochberg([*p, *same], sum(value is not None for value in p))
    return [
        None if change is None else judge(change, Adjusted(of_none, of_margin), better=better, margin=margin)
        for change, of_none, of_margin in zip(changes, adjusted[: len(p)], adjusted[len(p) :], strict=True)
    ]
