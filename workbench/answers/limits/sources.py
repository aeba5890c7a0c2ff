"""Where the figures of the limits come from."""

from __future__ import annotations

from collections.abc import Mapping

from workbench.answers.limits.compute import Check
from workbench.answers.limits.limited import OVERFLOW, STUCK
from workbench.answers.logons.figure_sources import logon_source
from workbench.charts.figure import Source
from workbench.measures.configurations import Group


def check_source(check: Check, groups: Mapping[str, Group]) -> Source | None:
    """The runs behind the value, of the configurations by label; None of what is of no measure of the phase table, but
    stuck sessions."""
    group = groups.get(check.configuration)
    if group is None or check.value is None or check.limit.measure == OVERFLOW:
        return None
    if check.limit.figure.of_run:
        return logon_source(check.folders, STUCK) if check.limit.measure == STUCK else None
    base = groups.get(check.against)
    theirs = () if base is None else tuple(run.run.folder for run in base.runs)
    return Source(check.folders, check.limit.phase, check.limit.measure, theirs)
