"""The steps of logons and logoffs, with the data they read and wrote: values that a product measures in addition to the
logon time.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from workbench.answers.logons.compute import Spread, spread_of
from workbench.measures.configurations import Group
from workbench.model.session import MeasurementKind

_KINDS = (MeasurementKind.LOGIN, MeasurementKind.LOGOFF)


@dataclass(frozen=True, eq=False)
class GroupStep:
    """A step over the runs of a configuration: `spread` is over all its values, in `unit` (empty: a number)."""

    group: Group
    of: MeasurementKind
    label: str
    unit: str
    spread: Spread
    unit_assumed: bool


def group_steps(group: Group) -> tuple[GroupStep, ...]:
    """Every step of a configuration, logon steps first, in order of first occurrence; times in seconds."""
    found: dict[tuple[MeasurementKind, str, str], list[float]] = defaultdict(list)
    assumed: set[tuple[MeasurementKind, str, str]] = set()
    for figures in group.runs:
        for measurement in figures.run.measurements:
            if measurement.kind in _KINDS:
                in_ms = measurement.unit == "ms"
                key = measurement.kind, measurement.label, "s" if in_ms else measurement.unit
                found[key].append(measurement.value / 1000 if in_ms else measurement.value)
                if measurement.unit_assumed:
                    assumed.add(key)
    steps = ((key, spread_of(np.array(values))) for key, values in found.items())
    known = [GroupStep(group, *key, spread, key in assumed) for key, spread in steps if spread is not None]
    return tuple(sorted(known, key=lambda step: _KINDS.index(step.of)))
