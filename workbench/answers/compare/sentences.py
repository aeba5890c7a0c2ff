"""The texts of a comparison: differences, reasons against a verdict, and the rule of the verdicts."""

from __future__ import annotations

from workbench.answers.common.change_words import margin_words
from workbench.answers.compare.compute import Comparison
from workbench.measures.catalogue import MEASURES
from workbench.measures.significance.differences import Difference
from workbench.measures.statistics import Verdict
from workbench.words.captions import short_lines
from workbench.words.metrics import in_phase
from workbench.words.numbers import MINUS, MISSING, POINTS, THIN, fixed, marked, number

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
        # A difference below the rounding error of its figures has no digits to show.
        size = max((abs(value) for value in (row.value, row.baseline_value) if value is not None), default=0.0)
        text = "0" if abs(value) < _ROUNDING * size else number(abs(value))
    sign = "" if not any(digit in "123456789" for digit in text) else MINUS if value < 0 else "+"
    return f"{sign}{text}{THIN}{POINTS if unit == '%' else unit}"


def runs_words(row: Difference) -> str:
    """The number of runs as text: `3`, or `3 vs. 2` if the baseline has another number of runs."""
    ours, theirs = len(row.values), len(row.baseline_values)
    return str(ours) if ours == theirs else f"{ours} vs. {theirs}"


def no_verdict_words(row: Difference) -> str:
    """The reason why there is nothing to compare; empty if there is something."""
    if row.change is not None:
        return ""
    if row.apart:
        return f"cannot be compared: {row.apart}"
    if not row.values:
        return "not measured for this configuration"
    if not row.baseline_values:
        return "not measured in the baseline"
    if all(value == 0 for _, value in row.baseline_values):
        return "no ratio, because the baseline is 0 (see the difference)"
    return "no ratio, because a baseline run is 0 (see the difference)"


_SOURCES = {"catalogue": "default"}


def primary_words(comparison: Comparison) -> str:
    """The primary measures and who named them, both fixed before the data were seen.

    For example `Primary metrics (default): total I/O per VM during boot and logon; IOPS per VM in steady state`.
    """
    named_by = dict(comparison.primary_by)
    phases: dict[tuple[str, str], list[str]] = {}
    for phase, keys in comparison.primary:
        for key in keys:
            phases.setdefault((named_by[phase], key), []).append(phase)
    sources = dict.fromkeys(source for source, _ in phases)
    words = {
        source: "; ".join(f"{_name(key)} {in_phase(*names)}" for (by, key), names in phases.items() if by == source)
        for source in sources
    }
    return ". ".join(f"Primary metrics ({_SOURCES.get(by, by)}): {named}" for by, named in words.items())


def _name(key: str) -> str:
    return MEASURES[key].within if key in MEASURES else key


def rule_lines(comparison: Comparison) -> tuple[str, ...]:
    """The rules behind the verdicts, as lines of a method."""
    margin = margin_words(comparison.margin)
    changes = [row.change for row in comparison.differences if row.change is not None]
    bases = {change.basis for change in changes}
    lines = []
    if "interval" in bases:
        lines += [
            f"Same: the equivalence test shows that any change is within {margin}",
            f"Better or worse: the change exceeds {margin} and p < {marked('0.05')}",
            "p-values of primary metrics are Holm-corrected over all configurations and phases",
            "p-values of all other metrics are Benjamini–Hochberg-corrected",
        ]
    if comparison.differences:
        lines += short_lines(primary_words(comparison))
    if any(row.measure.change == "points" and row.change is not None for row in comparison.differences):
        lines.append(f"Changes in percentages are given in percentage points ({POINTS})")
    if "range" in bases:
        lines.append("Range: lowest to highest ratio of a run to a baseline run")
    if changes and all(change.p is None for change in changes):
        lines.append("A verdict needs three runs of each configuration")
    return tuple(lines)


def sign_words(comparison: Comparison) -> str:
    """The meaning of the signs that need a word; empty if no such sign occurs."""
    known = {row.verdict for row in comparison.differences}
    return "~ means inconclusive" if Verdict.INCONCLUSIVE in known else ""
