"""What is compared between configurations: the measures of a phase that have a change, and their values run by run."""

from __future__ import annotations

from workbench.measures.catalogue import DURATION, MEASURES
from workbench.measures.configurations import Group
from workbench.measures.measure import Measure
from workbench.model.phase import STEADY
from workbench.model.run import SessionType

COMPARED = tuple(measure for measure in MEASURES.values() if measure.change)


def measures_of(group: Group, phase: str) -> tuple[Measure, ...]:
    """What is compared in a phase. How long steady state lasts is the test's own choice, not a result."""
    return tuple(
        measure
        for measure in COMPARED
        if not (measure.key == DURATION and phase == STEADY)
        and not (measure.rds_only and group.session_type is not SessionType.RDS)
    )


def figure_values(group: Group, phase: str, figure: str) -> tuple[tuple[str, float], ...]:
    """(run, figure) for the runs that have it."""
    rows = ((run.run.name, run.phase(phase)) for run in group.runs)
    values = ((name, getattr(row, figure)) for name, row in rows if row is not None)
    return tuple((name, float(value)) for name, value in values if value is not None)
