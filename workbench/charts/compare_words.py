"""How a comparison reads: changes, intervals, p-values and verdicts as words, the same on screen and console."""

from __future__ import annotations

from workbench.analysis.compare import Comparison, Difference
from workbench.analysis.statistics import Change, Judgement, Verdict
from workbench.charts.numbers import (
    MINUS,
    MISSING,
    POINTS,
    THIN,
    duration,
    fixed,
    marked,
    number,
    percent,
    points,
    signed,
    with_mark,
)

# The sign beside the word, so that colour is never alone.
VERDICT_ICONS = {
    Verdict.BETTER: "better", Verdict.WORSE: "worse", Verdict.SAME: "same", Verdict.HIGHER: "higher",
    Verdict.LOWER: "lower", Verdict.INCONCLUSIVE: "inconclusive",
}  # fmt: skip

# Sums of thousands of floating-point samples agree to about this share.
_ROUNDING = 1e-6


def verdict_words(verdict: Verdict | None) -> str:
    """`better`, `~ inconclusive`, — where there is nothing to compare."""
    if verdict is None:
        return MISSING
    return "~ inconclusive" if verdict is Verdict.INCONCLUSIVE else verdict.value


def value_words(value: float | None, unit: str) -> str:
    """A figure as the phase table shows it."""
    if unit == "s":
        return duration(value)
    return percent(value) if unit == "%" else number(value)


def difference_words(row: Difference) -> str:
    """The absolute difference with its sign and unit; shares differ in percentage points."""
    value, unit = row.difference, row.measure.unit
    if value is None:
        return MISSING
    if unit == "%":
        text = fixed(abs(value), 1)
    else:
        # What is less than a rounding error of its figures has no digits to show.
        size = max((abs(one) for one in (row.value, row.baseline_value) if one is not None), default=0.0)
        text = "0" if abs(value) < _ROUNDING * size else number(abs(value))
    sign = "" if not any(digit in "123456789" for digit in text) else MINUS if value < 0 else "+"
    return f"{sign}{text}{THIN}{POINTS if unit == '%' else unit}"


def is_share(unit: str) -> bool:
    """Whether a figure is a share itself: its changes are told in percentage points, never in percent of it."""
    return unit == "%"


def drawn_change(found: Change, unit: str) -> tuple[float, float | None, float | None]:
    """A change with the ends of its interval or range as it is told: in percent, of shares in percentage points."""
    if is_share(unit):
        return found.difference, found.difference_low, found.difference_high
    low, high = (None if edge is None else 100 * (edge - 1) for edge in (found.low, found.high))
    return found.percent, low, high


def change_words(found: Change | None, unit: str) -> str:
    """`−93.1 %`; of shares `+12.0 pp`."""
    if found is None:
        return MISSING
    return points(found.difference) if is_share(unit) else percent_words(found.ratio)


def change_ends_words(found: Change | None, unit: str) -> str:
    """`[−93.6, −92.5] %`; of shares `[+10.1, +13.9] pp`; a range in words, — where there is no uncertainty."""
    if found is None or not is_share(unit):
        return interval_words(found)
    if found.difference_low is None or found.difference_high is None:
        return MISSING
    low, high = (
        points(edge).removesuffix(f"{THIN}{POINTS}") for edge in (found.difference_low, found.difference_high)
    )
    return (
        f"[{low}, {high}]{THIN}{POINTS}"
        if found.basis == "interval"
        else f"range {low} to {high}{THIN}{POINTS}"
    )


def percent_words(ratio: float | None) -> str:
    """A ratio as a change: `−93.1 %`."""
    if ratio is None:
        return MISSING
    change = 100 * (ratio - 1)
    return f"{signed(change, 1 if abs(change) < 100 else 0)}{THIN}%"


def interval_words(found: Change | None) -> str:
    """`[−93.6, −92.5] %`, a range in words, — where there is no uncertainty to state."""
    if found is None or found.low is None or found.high is None:
        return MISSING
    low, high = (percent_words(edge).removesuffix(f"{THIN}%") for edge in (found.low, found.high))
    return f"[{low}, {high}]{THIN}%" if found.basis == "interval" else f"range {low} to {high}{THIN}%"


def p_words(p: float | None) -> str:
    """A p-value with no more digits than it deserves."""
    if p is None:
        return MISSING
    return marked("< 0.001" if p < 0.001 else f"{p:.3f}")


def runs_words(row: Difference) -> str:
    """`3`, or `3 : 2` where the baseline has another number of runs."""
    ours, theirs = len(row.values), len(row.baseline_values)
    return str(ours) if ours == theirs else f"{ours} : {theirs}"


def no_verdict_words(row: Difference) -> str:
    """Why there is nothing to compare; empty where there is."""
    if row.change is not None:
        return ""
    if not row.values:
        return "not measured here"
    if not row.baseline_values:
        return "not measured in the baseline"
    if all(value == 0 for _, value in row.baseline_values):
        return "the baseline is 0, which has no ratio: read the difference"
    return "a run of the baseline has 0, which has no ratio: read the difference"


def margin_words(margin: float) -> str:
    """`±5 %`, with the decimal mark of all numbers where it has decimals."""
    return marked(f"±{100 * margin:g}") + f"{THIN}%"


def reason_words(judgement: Judgement | None) -> str:
    """The reason of a verdict, which holds no names, with the decimal mark of all numbers."""
    return "" if judgement is None else with_mark(judgement.reason)


def rule_words(comparison: Comparison) -> str:
    """What the verdicts of a comparison rest on, in one line."""
    margin = margin_words(comparison.margin)
    parts = []
    changes = [row.change for row in comparison.differences if row.change is not None]
    bases = {change.basis for change in changes}
    if "interval" in bases:
        parts.append(
            f"same: 95 % interval within {margin} · better or worse: beyond {margin} and p < 0.05 after Holm · "
            "~ inconclusive"
        )
    if any(is_share(row.measure.unit) and row.change is not None for row in comparison.differences):
        parts.append(f"shares change in percentage points ({POINTS}), judged by their ratio")
    if "range" in bases:
        parts.append("range: lowest to highest ratio of the runs")
    if changes and all(change.p is None for change in changes):
        parts.append("a verdict takes three runs on each side")
    return " · ".join(parts)
