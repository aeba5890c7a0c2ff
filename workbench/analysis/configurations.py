"""Replicates: the runs of one configuration, and their figures side by side with the baseline's.

Runs of one configuration name count as replicates only when their VM counts and session types agree: a run
with one VM and a run with five are never averaged.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from workbench.analysis.phase_table import PhaseFigures, RunFigures
from workbench.analysis.statistics import Change, change
from workbench.model.phase import STANDARD_PHASES
from workbench.model.run import Configuration, Provisioning, SessionType

_ORDER = (Provisioning.MCS, Provisioning.MCSIO, Provisioning.PVS, Provisioning.OTHER)


@dataclass(frozen=True, eq=False)
class Group:
    """A configuration with its replicates. `label` is unlike every other label of the study.

    `runs` are those that count; `excluded` are kept out of every figure, with their reasons in the run.
    """

    label: str
    configuration: Configuration
    session_type: SessionType
    vms: int | None
    runs: tuple[RunFigures, ...]
    excluded: tuple[RunFigures, ...] = ()
    baseline: bool = False

    def values(self, phase: str, figure: str) -> list[float]:
        """One number per run: the figure (a field of PhaseFigures) in a phase, runs without it left out."""
        found = (run.phase(phase) for run in self.runs)
        numbers = (getattr(figures, figure) for figures in found if figures is not None)
        return [float(number) for number in numbers if number is not None]

    def mean(self, phase: str, figure: str) -> float | None:
        """The mean over the runs, None when none has the figure."""
        values = self.values(phase, figure)
        return float(np.mean(values)) if values else None

    def phase(self, name: str) -> tuple[PhaseFigures, ...]:
        """The figures of one phase, run by run."""
        return tuple(found for run in self.runs if (found := run.phase(name)) is not None)


def group_runs(runs: Iterable[RunFigures], excluded: Mapping[str, str] | None = None) -> tuple[Group, ...]:
    """Groups in the order they are shown: the baseline first, then by provisioning, cache size and name.

    `excluded` gives by run folder the user's reason to keep the run out; an empty one counts the run in.
    """
    members: dict[tuple[str, SessionType, int | None], list[RunFigures]] = defaultdict(list)
    for figures in runs:
        run = figures.run
        members[run.configuration.name, run.session_type, run.vms].append(figures)
    labels = _labels(list(members))
    groups = [_group(labels[key], found, excluded or {}) for key, found in members.items()]
    chosen = next((group.label for group in sorted(groups, key=_rank) if group.baseline), None)
    return tuple(sorted(groups, key=lambda group: (group.label != chosen, _rank(group))))


def baseline_of(groups: Iterable[Group]) -> Group | None:
    """What the others are compared with: the stated baseline, else the first MCS group, else the first."""
    usable = [group for group in groups if group.runs]
    stated = [group for group in usable if group.baseline]
    plain = [group for group in usable if group.configuration.provisioning is Provisioning.MCS]
    return next(iter((*stated, *plain, *usable)), None)


def change_from(baseline: Group, group: Group, phase: str, figure: str) -> Change | None:
    """The change of a figure against the baseline in one phase, None when either lacks it."""
    return change(baseline.values(phase, figure), group.values(phase, figure))


def phase_names(groups: Iterable[Group]) -> tuple[str, ...]:
    """Every phase any run has: boot, logon, steady first, then the user's own in order of appearance."""
    seen = [figures.phase.name for group in groups for run in group.runs for figures in run.phases]
    known = [name for name in STANDARD_PHASES if name in seen]
    return tuple(dict.fromkeys([*known, *seen]))


def _group(label: str, members: list[RunFigures], excluded: Mapping[str, str]) -> Group:
    first = members[0].run
    members = [_judged(member, excluded) for member in members]
    out = [member for member in members if member.run.excluded is not None]
    kept = tuple(member for member in members if member not in out)
    stated = any(member.run.baseline for member in kept)
    return Group(label, first.configuration, first.session_type, first.vms, kept, tuple(out), stated)


def _judged(member: RunFigures, excluded: Mapping[str, str]) -> RunFigures:
    reason = excluded.get(member.run.folder)
    return member if reason is None else replace(member, run=replace(member.run, excluded=reason or None))


def _labels(
    keys: list[tuple[str, SessionType, int | None]],
) -> dict[tuple[str, SessionType, int | None], str]:
    """Labels that tell like-named configurations apart by VM count, else by session type."""
    names = [name for name, _, _ in keys]
    found: dict[tuple[str, SessionType, int | None], str] = {}
    for key in keys:
        name, session_type, vms = key
        if names.count(name) == 1:
            found[key] = name
            continue
        count = "unknown VMs" if vms is None else f"{vms} VM{'s' if vms != 1 else ''}"
        twins = [other for other in keys if other[0] == name and other[2] == vms]
        found[key] = f"{name}, {count}" + (f", {session_type.upper()}" if len(twins) > 1 else "")
    return found


def _rank(group: Group) -> tuple[int, int, str, int]:
    configuration = group.configuration
    return (
        _ORDER.index(configuration.provisioning),
        configuration.ram_cache_mb or 0,
        configuration.name,
        group.vms or 0,
    )
