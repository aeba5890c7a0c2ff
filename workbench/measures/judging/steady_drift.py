"""Whether the drift of runs within steady state could explain a difference between two configurations."""

from __future__ import annotations

from workbench.measures.configurations import Group
from workbench.measures.judging.differences import Difference
from workbench.measures.steadiness.words import marked_words
from workbench.model.phase import STEADY

# A drift weakens a difference from this share of it on.
EXPLAINS = 0.5


def drift_caveat(difference: Difference, group: Group, base: Group) -> str:
    """The sentence on drifting runs whose drift, as the mean over the runs of each side, could explain half of the
    difference or more; empty where it could not. A step at an overflow is what the cache does, and no drift."""
    if difference.phase != STEADY or difference.measure.unit != "IOPS" or not difference.difference:
        return ""
    sides = ((group, difference.value), (base, difference.baseline_value))
    explained = sum(_drift_percent(side) / 100 * (value or 0.0) for side, value in sides)
    if explained < EXPLAINS * abs(difference.difference):
        return ""
    drifting = [
        f"{run.run.name} {marked_words(row.steadiness)}"
        for side, _ in sides
        for run in side.runs
        if (row := run.phase(STEADY)) is not None and row.steadiness is not None and row.steadiness.unexplained
    ]
    return f"The drift within steady state could explain half of the difference or more: {', '.join(drifting)}."


def _drift_percent(group: Group) -> float:
    """The drifts (or steps) of those runs that are marked, over all runs."""
    rows = [row for run in group.runs if (row := run.phase(STEADY)) is not None]
    unexplained = [row.steadiness for row in rows if row.steadiness is not None and row.steadiness.unexplained]
    return sum(abs(steadiness.shift.percent) for steadiness in unexplained) / len(rows) if rows else 0.0
