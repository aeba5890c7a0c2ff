"""Detects runs whose only data are files of unknown formats."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.model.problem import Problem, Severity, few_named
from workbench.model.run import Run


def unread_problem(label: str, run: Run, unknown: Sequence[str]) -> Problem | None:
    """Returns the problem of a run with files of `unknown` formats and no other data; None for any other run."""
    data = run.recordings or run.sessions or run.measurements or run.summaries or run.eux_summaries or run.benchmarks
    if data or not unknown:
        return None
    return Problem(
        Severity.WARNING,
        label,
        "run-without-data",
        f"This run has only files of unknown formats: {few_named(unknown)}.",
        "the run has no metrics; record in a supported format, such as perfmon CSV",
    )
