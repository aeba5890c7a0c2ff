"""What a finding is about, told without names: its question, and the stretches of runs that it compares.

Configurations and phases are called what the user wants, and may be called otherwise tomorrow. What stays is which
runs were compared, and from when to when. Times are counted from a run's first sample, which another time zone of the
run does not move.
"""

from __future__ import annotations

from collections.abc import Sequence

from workbench.measures.configurations import Group
from workbench.measures.phase_table import RunFigures
from workbench.model.edits import About, Members, Stretch
from workbench.model.run import Run


def about(question: str, study: str, groups: Sequence[Group], baseline: Group | None = None, phase: str = "") -> About:
    """What a finding on these configurations is about; `phase` only where another phase would be another finding."""
    sides = tuple(_members(group, phase) for group in groups)
    return About(question, study, sides, None if baseline is None else _members(baseline, phase), phase)


def _members(group: Group, phase: str) -> Members:
    return Members(group.label, tuple(_stretch(figures, phase) for figures in group.runs))


def _stretch(figures: RunFigures, phase: str) -> Stretch:
    row = figures.phase(phase) if phase else None
    if row is None:
        return Stretch(figures.run.folder)
    zero = _first_sample(figures.run)
    return Stretch(figures.run.folder, row.phase.start - zero, row.phase.end - zero)


def _first_sample(run: Run) -> float:
    """Seconds since 1970 UTC; 0 for a run without samples that lie at clock times."""
    return min((recording.span_s[0] for recording in run.recordings if not recording.relative), default=0.0)
