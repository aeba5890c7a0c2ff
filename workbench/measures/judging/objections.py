"""Why no verdict can stand on a comparison, whatever the test of its runs says."""

from __future__ import annotations

from collections.abc import Callable

from workbench.measures.configurations import Group
from workbench.measures.judging.opposing import too_little
from workbench.measures.judging.sides import unlike_places
from workbench.measures.measure import Measure

# Base, configuration, phase and measure to the reason in words, None where nothing speaks against a verdict.
Objector = Callable[[Group, Group, str, Measure], str | None]


def still_running(base: Group, group: Group, phase: str, _measure: Measure) -> str | None:
    """The reason where a test of either side has not ended: its phases and figures are not final."""
    runs = [run.run for side in (base, group) for run in side.runs if run.phase(phase) is not None]
    names = ", ".join(run.name for run in runs if run.running)
    return f"still running: {names}" if names else None


OBJECTORS: tuple[Objector, ...] = (still_running, unlike_places, too_little)


def objection(base: Group, group: Group, phase: str, measure: Measure) -> str | None:
    """The first reason that speaks against a verdict, None where nothing does."""
    reasons = (objector(base, group, phase, measure) for objector in OBJECTORS)
    return next((reason for reason in reasons if reason is not None), None)
