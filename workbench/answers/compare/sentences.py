"""How a comparison reads: differences, what keeps a verdict back, and the rule of the verdicts."""

from __future__ import annotations

from workbench.answers.common.change_words import margin_words
from workbench.answers.compare.compute import Comparison
from workbench.measures.catalogue import MEASURES
from workbench.measures.judging.differences import Difference
from workbench.words.metrics import phase_words
from workbench.words.numbers import MINUS, MISSING, POINTS, THIN, fixed, number

# Sums of thousands of floating-point samples agree to about this share.
_ROUNDING = 1e-6


def difference_words(row: Difference) -> str:
    """The absolute difference with its sign and unit; shares differ in percentage points."""
    value, unit = row.shown_difference, row.measure.unit
    if value is None:
        return MISSING
    if unit == "%":
        text = fixed(abs(value), 1)
    else:
        # What is less than a rounding error of its figures has no digits to show.
        size = max((abs(value) for value in (row.value, row.baseline_value) if value is not None), default=0.0)
        text = "0" if abs(value) < _ROUNDING * size else number(abs(value))
    sign = "" if not any(digit in "123456789" for digit in text) else MINUS if value < 0 else "+"
    return f"{sign}{text}{THIN}{POINTS if unit == '%' else unit}"


def runs_words(row: Difference) -> str:
    """`3`, or `3 : 2` where the baseline has another number of runs."""
    ours, theirs = len(row.values), len(row.baseline_values)
    return str(ours) if ours == theirs else f"{ours} : {theirs}"


def no_verdict_words(row: Difference) -> str:
    """Why there is nothing to compare; empty where there is."""
    if row.change is not None:
        return ""
    if row.apart:
        return f"cannot be compared: {row.apart}"
    if not row.values:
        return "not measured here"
    if not row.baseline_values:
        return "not measured in the baseline"
    if all(value == 0 for _, value in row.baseline_values):
        return "the baseline is 0, which has no ratio: read the difference"
    return "a run of the baseline has 0, which has no ratio: read the difference"


def primary_words(comparison: Comparison) -> str:
    """`primary: total I/O per VM in boot and logon (catalogue), CPU in steady state (run.toml)`: what was fixed before
    the data, and who says so."""
    named_by = dict(comparison.primary_by)
    phases: dict[tuple[str, str], list[str]] = {}
    for phase, keys in comparison.primary:
        for key in keys:
            phases.setdefault((named_by[phase], key), []).append(phase_words(phase))
    sources = dict.fromkeys(source for source, _ in phases)
    words = {
        source: ", ".join(
            f"{_name(key)} in {' and '.join(names)}" for (by, key), names in phases.items() if by == source
        )
        for source in sources
    }
    return f"primary: {', '.join(f'{named} ({source})' for source, named in words.items())}"


def _name(key: str) -> str:
    return MEASURES[key].within if key in MEASURES else key


def rule_words(comparison: Comparison) -> str:
    """What the verdicts of a comparison rest on, in one line."""
    margin = margin_words(comparison.margin)
    parts = []
    changes = [row.change for row in comparison.differences if row.change is not None]
    bases = {change.basis for change in changes}
    if "interval" in bases:
        parts.append(
            f"same: both one-sided tests within {margin} · better or worse: beyond {margin} and p < 0.05 · "
            "~ inconclusive"
        )
        parts.append("Holm over configurations × phases for primary metrics, Benjamini–Hochberg over all others")
    if comparison.differences:
        parts.append(primary_words(comparison))
    if any(row.measure.change == "points" and row.change is not None for row in comparison.differences):
        parts.append(f"shares change in percentage points ({POINTS}), judged by that")
    if "range" in bases:
        parts.append("range: lowest to highest ratio of the runs")
    if changes and all(change.p is None for change in changes):
        parts.append("a verdict needs three runs on each side")
    return " · ".join(parts)
