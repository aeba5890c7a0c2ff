"""The number of runs that a comparison needs, and the order in which to make them.

Each configuration needs as many runs as find a change of the wanted size in four of five studies. The calculation uses
the upper 80 % limit of the variation between the existing runs. The level is that of the first step of Holm over the
primary metrics of the study. A configuration with one run, or none yet, is assumed to vary as much as the most variable
other one.

Order: rounds with every configuration once. Each round begins one configuration later, and every other round is
reversed. So a drift of the lab affects all configurations equally (after Williams, 1949, who also balances neighbours).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from workbench.measures.configurations import Group, figure_values
from workbench.measures.significance.differences import primary_measures
from workbench.measures.significance.power import runs_for_same, runs_to_detect, scatter_of
from workbench.measures.statistics import SIGNIFICANT

# Runs planned while no pair of runs shows any variation.
LEAST_RUNS = 3
# Maximum number of runs per configuration in the order.
MOST_ROUNDS = 50


@dataclass(frozen=True, slots=True)
class Need:
    """The runs that one configuration needs in one phase and primary metric.

    `scatter` is the upper 80 % limit of the variation, a share; `assumed`: from another configuration. `runs` per side
    find the wanted change (None: more than 1,000). `same_runs` per side show that equal configurations are the same
    within the margin; None also if no run varies.
    """

    configuration: str
    phase: str
    measure: str
    runs_there: int
    scatter: float | None
    assumed: bool
    runs: int | None
    same_runs: int | None


@dataclass(frozen=True, slots=True)
class RunPlan:
    """The needs of a study for a change of `detect` (a share), judged at `level`.

    It has the runs per configuration that meet all needs (None: more than 1,000, or no variation is known), and the
    order of one more pass with this number. `there` are added configurations that already have runs; `runs_there` is
    the number of all runs in the study.
    """

    baseline: str
    detect: float
    margin: float
    level: float
    needs: tuple[Need, ...]
    runs: int | None
    order: tuple[str, ...]
    there: tuple[str, ...] = ()
    runs_there: int = 0


def run_plan(base: Group, others: Sequence[Group], detect: float, margin: float, added: Sequence[str] = ()) -> RunPlan:
    """The plan for a study. `detect` and `margin` are shares; `added` are configurations without runs so far."""
    primary = {phase: keys for phase, keys in primary_measures(base).items() if base.phase(phase)}
    tested = [base.label, *(group.label for group in others)]
    known_names = {_name(label): label for label in tested}
    wished = {_name(label): " ".join(label.split()) for label in reversed(added) if label.strip()}
    there_already = tuple(known_names[name] for name in reversed(wished) if name in known_names)
    added = [label for name, label in reversed(wished.items()) if name not in known_names]
    compared = [
        (label, phase, key, there)
        for phase, keys in primary.items()
        for key in keys
        for label, there in [(g.label, len(figure_values(g, phase, key))) for g in others] + [(a, 0) for a in added]
        if there or label in added
    ]
    level = SIGNIFICANT / max(1, len(compared))
    limits = {(phase, key): _limits((base, *others), phase, key) for _, phase, key, _ in compared}
    needs = tuple(
        _need(base, label, phase, key, there, limits[phase, key], detect, margin, level)
        for label, phase, key, there in compared
    )
    wanted = [need.runs for need in needs]
    known = [runs for runs in wanted if runs is not None]
    runs = max(known) if known and len(known) == len(wanted) else None
    order = interleaved([*tested, *added], min(runs or LEAST_RUNS, MOST_ROUNDS))
    runs_there = sum(len(group.runs) for group in (base, *others))
    return RunPlan(base.label, detect, margin, level, needs, runs, order, there_already, runs_there)


def _name(label: str) -> str:
    """The name without blanks and capitals, for comparison."""
    return " ".join(label.split()).casefold()


def interleaved(labels: Sequence[str], rounds: int) -> tuple[str, ...]:
    """The order of the runs, round by round."""
    order: list[str] = []
    for index in range(rounds):
        start = (index // 2) % len(labels)
        turned = [*labels[start:], *labels[:start]]
        order += turned if index % 2 == 0 else reversed(turned)
    return tuple(order)


def _limits(groups: Sequence[Group], phase: str, key: str) -> dict[str, float]:
    scatters = ((group.label, scatter_of([value for _, value in figure_values(group, phase, key)])) for group in groups)
    return {label: scatter.limit for label, scatter in scatters if scatter is not None}


def _need(
    base: Group,
    label: str,
    phase: str,
    key: str,
    there: int,
    limits: Mapping[str, float],
    detect: float,
    margin: float,
    level: float,
) -> Need:
    widest = max(limits.values(), default=None)
    ours, theirs = (limits.get(label, widest) for label in (label, base.label))
    runs = same = None
    if ours is not None and theirs is not None:
        runs = runs_to_detect(theirs, ours, math.log1p(detect), level)
        same = runs_for_same(theirs, ours, margin, level)
    return Need(label, phase, key, there, ours, label not in limits, runs, same)
