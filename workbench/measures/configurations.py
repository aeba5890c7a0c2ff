"""Replicates: the runs of one configuration, and their figures side by side with the baseline's.

Runs of one configuration name count as replicates only when their VM counts and session types agree, and what is
known of their provisioning, write cache and RAM cache size: a run with one VM and a run with five are never averaged,
nor are MCS and PVS because a tester called both 'pilot'. What a run does not tell is taken to be as in the others.

The mean of a figure over the runs of a configuration, with what is known about its uncertainty.

n >= 3: mean +/- t(0.975, n - 1) x standard deviation / sqrt(n), a 95 % interval of the mean (Student, 1908), on the
plain figures, as their mean is what is shown; n = 2: the range; n = 1: nothing. The interval of a *change* between
configurations is another question, answered by `compare` on logs.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from workbench.measures.catalogue import DURATION, MEASURES
from workbench.measures.measure import Measure
from workbench.measures.phase_table import PhaseFigures, RunFigures
from workbench.measures.statistics import CONFIDENCE, INTERVAL_RUNS, Basis, Change, change, reach_of
from workbench.model.phase import STANDARD_PHASES, STEADY
from workbench.model.run import (
    BaselineEvidence,
    Configuration,
    Provisioning,
    Run,
    SessionType,
    configurations_stated_baseline,
)
from workbench.study.discovery.same_names import SAME_SIZE

# How the reason begins that keeps a copy of a run out.
COPY_OF = "a copy of"
# The figures that are alike to the last digit in a copy.
_PRINTED = (
    "total_io",
    "read_latency_ms",
    "write_latency_ms",
    "cache_ram_used_mb_peak",
    "cache_disk_used_mb_peak",
    "cpu_percent",
)
# What states a baseline, the strongest first.
_STATED = (BaselineEvidence.OPTION, BaselineEvidence.CHOICE, BaselineEvidence.RUN_TOML)
_ORDER = tuple(Provisioning)


class _Key(NamedTuple):
    """What replicates have in common; `set_up` is provisioning, write cache and RAM cache in words."""

    name: str
    set_up: tuple[str, ...]
    session_type: SessionType
    vms: int | None


@dataclass(frozen=True, eq=False)
class Group:
    """A configuration with its replicates. `label` is unlike every other label of the study.

    `runs` are those that count; `excluded` are kept out of every figure, with their reasons in the run. `preferred` are
    the primary measures that the user prefers, by phase. `baseline_by` is the evidence that makes this the baseline of
    its study (None: another is). Every other configuration has the baseline as `against`, though it be hidden. `place`
    is the configuration's place among those of its provisioning, and the share of the way from the first to the last:
    what its colour and marker are made of.
    """

    label: str
    configuration: Configuration
    session_type: SessionType
    vms: int | None
    runs: tuple[RunFigures, ...]
    excluded: tuple[RunFigures, ...] = ()
    preferred: tuple[tuple[str, tuple[str, ...]], ...] = ()
    baseline_by: BaselineEvidence | None = None
    against: Group | None = None
    place: tuple[int, float] | None = None

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders of all its runs, those that do not count included."""
        return tuple(sorted(member.run.folder for member in (*self.runs, *self.excluded)))

    def values(self, phase: str, figure: str) -> list[float]:
        """One number per run: the figure (a field of PhaseFigures) in a phase, runs without it left out."""
        generator = (run.phase(phase) for run in self.runs)
        numbers = (getattr(figures, figure) for figures in generator if figures is not None)
        return [float(number) for number in numbers if number is not None]

    def mean(self, phase: str, figure: str) -> float | None:
        """The mean over the runs, None when none has the figure."""
        values = self.values(phase, figure)
        return float(np.mean(values)) if values else None

    def phase(self, name: str) -> tuple[PhaseFigures, ...]:
        """The figures of one phase, run by run."""
        return tuple(row for run in self.runs if (row := run.phase(name)) is not None)

    def lower_bound(self, name: str) -> bool:
        """Whether the I/O figures of a phase are lower bounds, because a run has no samples in part of it."""
        return any(row.lower_bound for row in self.phase(name))


class UnknownBaselineError(LookupError):
    """The sentence for the user: no such configuration, and which there are."""


def group_runs(
    runs: Iterable[RunFigures],
    excluded: Mapping[str, str] | None = None,
    chosen: Mapping[str, BaselineEvidence] | None = None,
    preferred: tuple[tuple[str, tuple[str, ...]], ...] | None = None,
) -> tuple[Group, ...]:
    """Groups in the order they are shown: the one that run.toml states as baseline first, then by provisioning, cache
    size and name. One of them is the baseline of all.

    `excluded` gives by run folder the user's reason to keep the run out; an empty one counts the run in. `chosen` gives
    by run folder who chose its configuration as the baseline. `preferred` are the user's primary measures (None: those
    of the runs).
    """
    figures_of_runs = [_judged(figures, excluded or {}, chosen or {}) for figures in runs]
    members: dict[_Key, list[RunFigures]] = defaultdict(list)
    for figures, key in zip(figures_of_runs, _keys([figures.run for figures in figures_of_runs]), strict=True):
        members[key].append(figures)
    labels = _labels(list(members))
    groups = sorted((_group(labels[key], of_key, preferred) for key, of_key in members.items()), key=_rank)
    stated = next((group for group in groups if group.runs and _states(group, BaselineEvidence.RUN_TOML)), None)
    return _compared_with(sorted(groups, key=lambda group: group is not stated), *_baseline(groups))


def with_baseline(groups: Sequence[Group], name: str) -> tuple[Group, ...]:
    """The groups, compared with the configuration that --baseline names. Raises UnknownBaselineError."""
    return _compared_with(groups, find_configuration(groups, name), BaselineEvidence.OPTION)


def find_configuration(groups: Sequence[Group], name: str) -> Group:
    """The group of that label or configuration name, in any case of letters. Raises UnknownBaselineError."""
    usable = [group for group in groups if group.runs]
    wanted = name.strip().casefold()
    found = [group for group in usable if group.label == name]
    found = found or [group for group in usable if group.label.casefold() == wanted]
    found = found or [group for group in usable if group.configuration.name.casefold() == wanted]
    if len(found) == 1:
        return found[0]
    if found:
        raise UnknownBaselineError(f"'{name}' is more than one configuration: {_names(found)}. Name one of them.")
    if any(wanted in (group.label.casefold(), group.configuration.name.casefold()) for group in groups):
        raise UnknownBaselineError(f"Every run of '{name}' is excluded. Configurations with runs: {_names(usable)}.")
    raise UnknownBaselineError(f"No configuration is called '{name}'. There are: {_names(usable)}.")


def _names(groups: Sequence[Group]) -> str:
    return ", ".join(f"'{group.label}'" for group in groups) or "none with runs that count"


def same_names(groups: Iterable[Group]) -> dict[str, tuple[Group, ...]]:
    """By name the groups that have it in common although they are set up differently."""
    named: dict[str, list[Group]] = defaultdict(list)
    for group in groups:
        named[group.configuration.name].append(group)
    return {name: tuple(groups) for name, groups in named.items() if _differ(groups)}


def baseline_of(groups: Iterable[Group]) -> Group | None:
    """The configuration that these are compared with. It need not be one of them: it may be hidden. None where no run
    counts."""
    return next((base for group in groups if (base := group if group.baseline_by else group.against)), None)


def lost_baselines(groups: Iterable[Group]) -> tuple[Group, ...]:
    """The configurations that would be the baseline, but all of their runs are excluded."""
    known = list(groups)
    base = baseline_of(known)
    order = list(BaselineEvidence)
    used = len(order) if base is None or base.baseline_by is None else order.index(base.baseline_by)
    return tuple(
        group
        for group in known
        if not group.runs and any(_states(group, evidence) for evidence in order[: min(used, len(_STATED))])
    )


def _baseline(groups: Sequence[Group]) -> tuple[Group | None, BaselineEvidence]:
    """The baseline of groups in the order of `_rank`, by the strongest evidence there is; None where no run counts."""
    usable = [group for group in groups if group.runs]
    for evidence in _STATED:
        stated = [group for group in usable if _states(group, evidence)]
        runs = (member.run for group in stated for member in group.runs)
        if stated and (evidence is not BaselineEvidence.RUN_TOML or len(configurations_stated_baseline(runs)) == 1):
            # A run may have been moved into another configuration since: the choice stays with most of the runs.
            return max(stated, key=lambda group: _share(group, evidence)), evidence
    plain = [group for group in usable if group.configuration.provisioning is Provisioning.MCS]
    if len(usable) == 1:
        return usable[0], BaselineEvidence.ONLY
    if len(plain) == 1:
        return plain[0], BaselineEvidence.ONLY_MCS
    # By the names that were read: another name of a configuration must not change the baseline.
    return min(plain or usable, key=_rank_as_read, default=None), BaselineEvidence.GUESSED


def _states(group: Group, evidence: BaselineEvidence) -> bool:
    return any(_stated_by(member.run, evidence) for member in group.runs or group.excluded)


def _share(group: Group, evidence: BaselineEvidence) -> tuple[int, float]:
    """How many runs of the group state it, and what share of them. All run.toml files count alike."""
    if evidence is BaselineEvidence.RUN_TOML:
        return 0, 0.0
    count = sum(_stated_by(member.run, evidence) for member in group.runs)
    return count, count / len(group.runs)


def _stated_by(run: Run, evidence: BaselineEvidence) -> bool:
    return run.baseline if evidence is BaselineEvidence.RUN_TOML else run.baseline_by is evidence


def _compared_with(groups: Iterable[Group], base: Group | None, evidence: BaselineEvidence) -> tuple[Group, ...]:
    """The groups with `base` as the baseline of all of them."""
    if base is None:
        return tuple(groups)
    marked = replace(base, baseline_by=evidence, against=None)
    return tuple(marked if group is base else replace(group, baseline_by=None, against=marked) for group in groups)


def change_from(baseline: Group, group: Group, phase: str, figure: str) -> Change | None:
    """The change of a figure against the baseline in one phase, None when either lacks it."""
    return change(baseline.values(phase, figure), group.values(phase, figure))


def phase_names(groups: Iterable[Group]) -> tuple[str, ...]:
    """Every phase any run has: boot, logon, steady first, then the user's own in order of appearance."""
    seen = [figures.phase.name for group in groups for run in group.runs for figures in run.phases]
    known = [name for name in STANDARD_PHASES if name in seen]
    return tuple(dict.fromkeys([*known, *seen]))


def _group(label: str, members: list[RunFigures], preferred: tuple[tuple[str, tuple[str, ...]], ...] | None) -> Group:
    first = members[0].run
    out = [member for member in members if member.run.excluded is not None]
    kept, copies = _parted([member for member in members if member not in out])
    preferred = first.preferred if preferred is None else preferred
    return Group(label, first.configuration, first.session_type, first.vms, kept, (*out, *copies), preferred)


def _parted(members: Sequence[RunFigures]) -> tuple[tuple[RunFigures, ...], tuple[RunFigures, ...]]:
    """The runs that count, and copies of them: the same phases at the same times with the same I/O to the last digit.
    No two tests agree like that."""
    first: dict[tuple[tuple[float | None, ...], ...], str] = {}
    kept: list[RunFigures] = []
    copies: list[RunFigures] = []
    for member in members:
        print_ = fingerprint(member)
        if print_ and print_ in first:
            reason = f"{COPY_OF} {first[print_]}, alike to the last sample: it counts once"
            copies.append(replace(member, run=replace(member.run, excluded=reason)))
        else:
            first.setdefault(print_, member.run.name)
            kept.append(member)
    return tuple(kept), tuple(copies)


def fingerprint(figures: RunFigures) -> tuple[tuple[float | None, ...], ...]:
    """What copies of one run have in common: times, I/O, latency, cache and CPU of its phases; empty without I/O."""
    return tuple(
        (row.phase.start, row.phase.end, *(getattr(row, name) for name in _PRINTED))
        for row in figures.phases
        if row.total_io
    )


def _judged(member: RunFigures, excluded: Mapping[str, str], chosen: Mapping[str, BaselineEvidence]) -> RunFigures:
    """The figures of a run with the user's exclusion and choice of the baseline."""
    run = member.run
    reason, by = excluded.get(run.folder, run.excluded), chosen.get(run.folder, run.baseline_by)
    if (reason or None, by) == (run.excluded, run.baseline_by):
        return member
    return replace(member, run=replace(run, excluded=reason or None, baseline_by=by))


def _keys(runs: Sequence[Run]) -> list[_Key]:
    """What the replicates of each run have in common with it."""
    alike: dict[tuple[str, SessionType, int | None], list[Run]] = defaultdict(list)
    for run in runs:
        alike[run.configuration.name, run.session_type, run.vms].append(run)
    known = {key: _known_set_up([run.configuration for run in members]) for key, members in alike.items()}
    keys: list[_Key] = []
    for run in runs:
        sizes, columns = known[run.configuration.name, run.session_type, run.vms]
        own = [
            value or (values[0] if len(values) == 1 else "")
            for value, values in zip(_set_up(run.configuration, sizes), columns, strict=True)
        ]
        keys.append(_Key(run.configuration.name, tuple(own), run.session_type, run.vms))
    return keys


def _known_set_up(beside: Sequence[Configuration]) -> tuple[list[int], list[list[str]]]:
    """The sizes of the RAM caches of replicates, each once, and the values that each part of their set-up has."""
    stated = (configuration.ram_cache_mb for configuration in beside)
    sizes = list(dict.fromkeys(size for size in stated if size is not None))
    set_ups = [_set_up(configuration, sizes) for configuration in beside]
    return sizes, [list(dict.fromkeys(value for value in column if value)) for column in zip(*set_ups, strict=True)]


def _set_up(configuration: Configuration, sizes: Sequence[int] = ()) -> tuple[str, str, str]:
    """Provisioning, write cache and RAM cache in words, empty where they are not known. Of `sizes` the first that is
    near the own one stands for it: drivers round what they are given."""
    kind = configuration.provisioning
    size = configuration.ram_cache_mb
    if size is not None:
        size = next((known_size for known_size in sizes if abs(known_size - size) <= SAME_SIZE * size), size)
    return (
        "" if kind is Provisioning.OTHER else kind.value,
        configuration.write_cache or "",
        "" if size is None else f"{size} MB",
    )


def _differ(groups: Sequence[Group]) -> bool:
    """Whether what two of the groups tell of their set-up contradicts each other."""
    configurations = [group.configuration for group in groups]
    sizes = [configuration.ram_cache_mb for configuration in configurations if configuration.ram_cache_mb is not None]
    columns = zip(*(_set_up(configuration, sizes) for configuration in configurations), strict=True)
    return any(len(set(filter(None, column))) > 1 for column in columns)


def _labels(keys: Sequence[_Key]) -> dict[_Key, str]:
    """Labels that tell like-named configurations apart by what differs: set-up, else VM count, else session type."""
    return {key: _label(key, [other for other in keys if other.name == key.name]) for key in keys}


def _label(key: _Key, alike: Sequence[_Key]) -> str:
    if len(alike) == 1:
        return key.name
    parts = [
        value or "unknown"
        for index, value in enumerate(key.set_up)
        if len({other.set_up[index] for other in alike}) > 1
    ]
    if any((other.session_type, other.vms) != (key.session_type, key.vms) for other in alike):
        parts.append("unknown VMs" if key.vms is None else f"{key.vms} VM{'s' if key.vms != 1 else ''}")
        if any(other.vms == key.vms and other.session_type != key.session_type for other in alike):
            parts.append(key.session_type.upper())
    return ", ".join((key.name, *parts))


def _rank(group: Group) -> tuple[int, int, str, int]:
    configuration = group.configuration
    return (
        _ORDER.index(configuration.provisioning),
        configuration.ram_cache_mb or 0,
        configuration.name,
        group.vms or 0,
    )


def _rank_as_read(group: Group) -> tuple[int, int, str, int, int]:
    """As `_rank`, by the first of the names that the files give its runs; of two alike the one with more runs."""
    configuration = group.configuration
    name = min(member.run.read_as or configuration.name for member in group.runs)
    size = configuration.ram_cache_mb or 0
    return _ORDER.index(configuration.provisioning), size, name, group.vms or 0, -len(group.runs)


@dataclass(frozen=True, slots=True)
class Mean:
    """`low` and `high` are the ends of the interval, or of the range of two runs; None for a single run."""

    value: float
    low: float | None
    high: float | None
    basis: Basis
    n: int

    @property
    def half_width(self) -> float | None:
        """Half of the interval, None where there is only a range or nothing."""
        return None if self.basis != "interval" or self.high is None else self.high - self.value


def mean_of(values: Sequence[float]) -> Mean | None:
    """The mean of one figure per run; None when no run has it."""
    if not values:
        return None
    # In plain arithmetic: of a few numbers NumPy takes ten times as long, and a table has thousands of cells.
    numbers, n = [*map(float, values)], len(values)
    centre = sum(numbers) / n
    if n >= INTERVAL_RUNS:
        variance = sum((number - centre) * (number - centre) for number in numbers) / (n - 1)
        reach = reach_of(CONFIDENCE, n - 1) * math.sqrt(variance) / math.sqrt(n)
        return Mean(centre, centre - reach, centre + reach, "interval", n)
    if n == 1:
        return Mean(centre, None, None, "single", 1)
    # Of a number that is none `min` and `max` say whichever comes first.
    low, high = (centre, centre) if math.isnan(centre) else (min(numbers), max(numbers))
    return Mean(centre, low, high, "range", 2)


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
