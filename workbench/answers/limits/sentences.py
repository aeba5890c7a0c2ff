"""How the check of a limit reads."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.answers.limits.compute import Check, counts_of
from workbench.answers.limits.limited import OVERFLOW
from workbench.measures.statistics import CONFIDENCE
from workbench.words.numbers import MISSING, THIN, number, signed

QUESTION = "Does each configuration keep to the limits?"
# Digits beyond the usual ones: as many as tell a number from the limit, at most the last of them.
_MORE = (0, 1, 2, 3)
METHOD_WORDS = (
    f"pass: the {100 * CONFIDENCE:.0f}{THIN}% interval lies within the limit (three runs or more) · fail: interval or "
    "range lies beyond it · not shown: it crosses the limit, the runs are too few, or it was not measured"
)


def value_text(check: Check) -> str:
    """The value with its unit: `12.1 ms`, `−93.1 %`, `1 of 3 runs`, — where there is none."""
    if check.value is None:
        return MISSING
    if check.limit.measure == OVERFLOW:
        n = len(check.values)
        return f"{check.value:.0f} of {n} run{'s' * (n != 1)}"
    return _with_unit(check, _number(check, check.value))


def ends_text(check: Check) -> str:
    """`[11.2, 13.0] ms`, `range 11.2 to 13.0 ms`, — of a single run."""
    if check.low is None or check.high is None:
        return MISSING
    low, high = (_number(check, end) for end in (check.low, check.high))
    return _with_unit(check, f"[{low}, {high}]" if check.basis == "interval" else f"range {low} to {high}")


def runs_text(check: Check) -> str:
    """`3`, or `3 : 2` where what it is against has another number of runs."""
    ours, theirs = len(check.values), len(check.baseline_values)
    return f"{ours} : {theirs}" if check.against and ours != theirs else str(ours)


def why_text(check: Check) -> str:
    """Why the outcome is not more, and what a reader must know beside it."""
    return "; ".join(filter(None, (check.reason, *check.notes)))


def check_text(check: Check) -> str:
    """The whole check as one sentence, for a report of tests."""
    value, ends = value_text(check), ends_text(check)
    number = "" if value == MISSING else f": {value}{'' if ends == MISSING else f' {ends}'}, n = {runs_text(check)}"
    why = f" ({why_text(check)})" if why_text(check) else ""
    return f"{check.outcome.value}: {check.limit.rule}{number}{why}"


def count_text(checks: Sequence[Check]) -> str:
    """`3 pass · 1 fail · 2 not shown`; one run's failures are among the failures."""
    counts = counts_of(checks)
    return f"{counts.passed} pass · {counts.failed} fail · {counts.not_shown} not shown"


def _number(check: Check, value: float) -> str:
    """The value with as many digits as tell it from the limit."""
    bound = check.limit.bound
    texts = ((_written(check, value, more), "" if bound is None else _written(check, bound, more)) for more in _MORE)
    return next((text for text, at in texts if text != at or value == bound), _written(check, value, _MORE[-1]))


def _written(check: Check, value: float, more: int) -> str:
    if check.against:
        return signed(value, (1 if abs(value) < 100 else 0) + more)
    return number(value, 3 + more)


def _with_unit(check: Check, text: str) -> str:
    unit = check.limit.unit
    return f"{text}{THIN}{unit}" if unit else text
