"""Groups the runs of a study into configurations, chooses the baseline, and forms the mean over runs.

Runs with one configuration name form one group only if their VM counts and session types agree. The known facts about
provisioning, write cache and RAM cache size must agree too. So a run with one VM is never averaged with a run with
five, nor MCS with PVS because a tester called both 'pilot'. Unknown properties are assumed to match.

Uncertainty of the mean of a metric over the runs of a configuration:

n >= 3: mean +/- t(0.975, n - 1) x standard deviation / sqrt(n), a 95 % interval of the mean (Student, 1908), on plain
values, because their mean is shown; n = 2: the range; n = 1: none. The interval of a *change* between configurations is
computed on logs, see `statistics`.
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

# Start of the reason that excludes a copy of a run.
COPY_OF = "a copy of"
# The metrics that are equal to the last digit in a copy.
_PRINTED = (
    "total_io",
    "read_latency_ms",
    "write_latency_ms",
    "cache_ram_used_mb_peak",
    "cache_disk_used_mb_peak",
    "cpu_percent",
)
# The sources that can declare a baseline, strongest first.
_STATED = (BaselineEvidence.OPTION, BaselineEvidence.CHOICE, BaselineEvidence.RUN_TOML)
_ORDER = tuple(Provisioning)


class _Key(NamedTuple):
    """The common properties of the runs of a configuration. `set_up` is provisioning, write cache and RAM cache as
    text.
    """

    name: str
    set_up: tuple[str, ...]
    session_type: SessionType
    vms: int | None


@dataclass(frozen=True, eq=False)
class Group:
    """A configuration with its runs. `label` is unique in the study.

    `runs` are those that count. `excluded` do not count in any result; each run has its reason. `preferred` are the
    primary metrics that the user prefers, by phase. `baseline_by` is the evidence that makes this the baseline of its
    study (None: another one is). `against` is the baseline of every other configuration, even if it is hidden. `place`
    is the position among the configurations with this provisioning, as an index and as a share from first to last: it
    decides colour and marker.
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
        """The folders of all its runs, including those that do not count."""
        return tuple(sorted(member.run.folder for member in (*self.runs, *self.excluded)))

    def values(self, phase: str, figure: str) -> list[float]:
        """One value per run of a metric (a field of PhaseFigures) in a phase, without runs that lack it."""
        generator = (run.phase(phase) for run in self.runs)
        numbers = (getattr(figures, figure) for figures in generator if figures is not None)
        return [float(number) for number in numbers if number is not None]

    def mean(self, phase: str, figure: str) -> float | None:
        """The mean over the runs; None if no run has the metric."""
        values = self.values(phase, figure)
        return float(np.mean(values)) if values else None

    def phase(self, name: str) -> tuple[PhaseFigures, ...]:
        """The metrics of one phase, run by run."""
        return tuple(row for run in self.runs if (row := run.phase(name)) is not None)

    def lower_bound(self, name: str) -> bool:
        """True if the I/O values of a phase are lower bounds because a run lacks samples in part of it."""
        return any(row.lower_bound for row in self.phase(name))


class UnknownBaselineError(LookupError):
    """The message for the user: no such configuration, with the valid names."""


def group_runs(
    runs: Iterable[RunFigures],
    excluded: Mapping[str, str] | None = None,
    chosen: Mapping[str, BaselineEvidence] | None = None,
    preferred: tuple[tuple[str, tuple[str, ...]], ...] | None = None,
) -> tuple[Group, ...]:
    """The configurations in display order, one of them the baseline.

    The baseline that run.toml states is first; the others are sorted by provisioning, cache size and name. `excluded`
    has the user's reason to exclude a run, by run folder; an empty reason includes the run. `chosen` says who chose the
    configuration of a run as the baseline, by run folder. `preferred` are the user's primary metrics (None: those of
    the runs).
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
    """The groups, with the baseline that --baseline names. Raises UnknownBaselineError."""
    return _compared_with(groups, find_configuration(groups, name), BaselineEvidence.OPTION)


def find_configuration(groups: Sequence[Group], name: str) -> Group:
    """The group with that label or configuration name; letter case is ignored. Raises UnknownBaselineError."""
    usable = [group for group in groups if group.runs]
    wanted = name.strip().casefold()
    found = [group for group in usable if group.label == name]
    found = found or [group for group in usable if group.label.casefold() == wanted]
    found = found or [group for group in usable if group.configuration.name.casefold() == wanted]
    if len(found) == 1:
        return found[0]
    if found:
        raise UnknownBaselineError(f"'{name}' matches more than one configuration: {_names(found)}.")
    if any(wanted in (group.label.casefold(), group.configuration.name.casefold()) for group in groups):
        raise UnknownBaselineError(f"Every run of '{name}' is excluded. Configurations with runs: {_names(usable)}.")
    raise UnknownBaselineError(f"No configuration is called '{name}'. Valid names: {_names(usable)}.")


def _names(groups: Sequence[Group]) -> str:
    return ", ".join(f"'{group.label}'" for group in groups) or "none (all runs are excluded)"


def same_names(groups: Iterable[Group]) -> dict[str, tuple[Group, ...]]:
    """The groups that share a name although their set-ups differ, by name."""
    named: dict[str, list[Group]] = defaultdict(list)
    for group in groups:
        named[group.configuration.name].append(group)
    return {name: tuple(groups) for name, groups in named.items() if _differ(groups)}


def baseline_of(groups: Iterable[Group]) -> Group | None:
    """The baseline of these groups, which may be hidden and not among them. None if no run counts."""
    return next((base for group in groups if (base := group if group.baseline_by else group.against)), None)


def lost_baselines(groups: Iterable[Group]) -> tuple[Group, ...]:
    """The configurations that would be the baseline if not all of their runs were excluded."""
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
    """The baseline by the strongest evidence, from groups in the order of `_rank`. None if no run counts."""
    usable = [group for group in groups if group.runs]
    for evidence in _STATED:
        stated = [group for group in usable if _states(group, evidence)]
        runs = (member.run for group in stated for member in group.runs)
        if stated and (evidence is not BaselineEvidence.RUN_TOML or len(configurations_stated_baseline(runs)) == 1):
            # A run may have moved to another configuration since the choice; the choice follows most of the runs.
            return max(stated, key=lambda group: _share(group, evidence)), evidence
    plain = [group for group in usable if group.configuration.provisioning is Provisioning.MCS]
    if len(usable) == 1:
        return usable[0], BaselineEvidence.ONLY
    if len(plain) == 1:
        return plain[0], BaselineEvidence.ONLY_MCS
    # Uses the names in the files, because renaming a configuration must not change the baseline.
    return min(plain or usable, key=_rank_as_read, default=None), BaselineEvidence.GUESSED


def _states(group: Group, evidence: BaselineEvidence) -> bool:
    return any(_stated_by(member.run, evidence) for member in group.runs or group.excluded)


def _share(group: Group, evidence: BaselineEvidence) -> tuple[int, float]:
    """The number of the group's runs that declare it the baseline, and their share. All run.toml files count
    equally.
    """
    if evidence is BaselineEvidence.RUN_TOML:
        return 0, 0.0
    count = sum(_stated_by(member.run, evidence) for member in group.runs)
    return count, count / len(group.runs)


def _stated_by(run: Run, evidence: BaselineEvidence) -> bool:
    return run.baseline if evidence is BaselineEvidence.RUN_TOML else run.baseline_by is evidence


def _compared_with(groups: Iterable[Group], base: Group | None, evidence: BaselineEvidence) -> tuple[Group, ...]:
    """The groups, all with `base` as the baseline."""
    if base is None:
        return tuple(groups)
    marked = replace(base, baseline_by=evidence, against=None)
    return tuple(marked if group is base else replace(group, baseline_by=None, against=marked) for group in groups)


def change_from(baseline: Group, group: Group, phase: str, figure: str) -> Change | None:
    """The change of a metric from the baseline in one phase; None if either lacks it."""
    return change(baseline.values(phase, figure), group.values(phase, figure))


def phase_names(groups: Iterable[Group]) -> tuple[str, ...]:
    """All phases of the runs: boot, logon and steady first, then the user's phases in order of appearance."""
    seen = [figures.phase.name for group in groups for run in group.runs for figures in run.phases]
    known = [name for name in STANDARD_PHASES if name in seen]
    return tuple(dict.fromkeys([*known, *seen]))


def phase_among(names: Sequence[str], phase: str = STEADY) -> str:
    """The phase if it is among the names, otherwise steady state, otherwise the last of them."""
    return next((name for name in (phase, STEADY) if name in names), names[-1] if names else STEADY)


def _group(label: str, members: list[RunFigures], preferred: tuple[tuple[str, tuple[str, ...]], ...] | None) -> Group:
    first = members[0].run
    out = [member for member in members if member.run.excluded is not None]
    kept, copies = _parted([member for member in members if member not in out])
    preferred = first.preferred if preferred is None else preferred
    return Group(label, first.configuration, first.session_type, first.vms, kept, (*out, *copies), preferred)


def _parted(members: Sequence[RunFigures]) -> tuple[tuple[RunFigures, ...], tuple[RunFigures, ...]]:
    """The runs that count, and the copies among them. A copy has the same phases at the same times with the same I/O to
    the last digit; two tests never agree so closely."""
    first: dict[tuple[tuple[float | None, ...], ...], str] = {}
    kept: list[RunFigures] = []
    copies: list[RunFigures] = []
    for member in members:
        print_ = fingerprint(member)
        if print_ and print_ in first:
            reason = f"{COPY_OF} run '{first[print_]}' with identical samples"
            copies.append(replace(member, run=replace(member.run, excluded=reason)))
        else:
            first.setdefault(print_, member.run.name)
            kept.append(member)
    return tuple(kept), tuple(copies)


def fingerprint(figures: RunFigures) -> tuple[tuple[float | None, ...], ...]:
    """The values that are equal in copies of one run: times, I/O, latency, cache and CPU of its phases; empty without
    I/O.
    """
    return tuple(
        (row.phase.start, row.phase.end, *(getattr(row, name) for name in _PRINTED))
        for row in figures.phases
        if row.total_io
    )


def _judged(member: RunFigures, excluded: Mapping[str, str], chosen: Mapping[str, BaselineEvidence]) -> RunFigures:
    """The run, with the user's exclusion and choice of the baseline applied."""
    run = member.run
    reason, by = excluded.get(run.folder, run.excluded), chosen.get(run.folder, run.baseline_by)
    if (reason or None, by) == (run.excluded, run.baseline_by):
        return member
    return replace(member, run=replace(run, excluded=reason or None, baseline_by=by))


def _keys(runs: Sequence[Run]) -> list[_Key]:
    """The group key of each run."""
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
    """The distinct RAM cache sizes of the runs, and the known values of each part of their set-up."""
    stated = (configuration.ram_cache_mb for configuration in beside)
    sizes = list(dict.fromkeys(size for size in stated if size is not None))
    set_ups = [_set_up(configuration, sizes) for configuration in beside]
    return sizes, [list(dict.fromkeys(value for value in column if value)) for column in zip(*set_ups, strict=True)]


def _set_up(configuration: Configuration, sizes: Sequence[int] = ()) -> tuple[str, str, str]:
    """Provisioning, write cache and RAM cache in words, empty if unknown. The RAM cache size is replaced by the first
    near one in `sizes`, because drivers round the configured size."""
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
    """True if two of the groups have contradictory set-ups."""
    configurations = [group.configuration for group in groups]
    sizes = [configuration.ram_cache_mb for configuration in configurations if configuration.ram_cache_mb is not None]
    columns = zip(*(_set_up(configuration, sizes) for configuration in configurations), strict=True)
    return any(len(set(filter(None, column))) > 1 for column in columns)


def _labels(keys: Sequence[_Key]) -> dict[_Key, str]:
    """Labels that separate configurations with one name by what differs: set-up, otherwise VM count, otherwise session
    type."""
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
    """Like `_rank`, but by the first of the configuration names in the files. Of two equal ones the group with more
    runs is first."""
    configuration = group.configuration
    name = min(member.run.read_as or configuration.name for member in group.runs)
    size = configuration.ram_cache_mb or 0
    return _ORDER.index(configuration.provisioning), size, name, group.vms or 0, -len(group.runs)


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over runs. `low` and `high` are the ends of the 95 % interval, or of the range of two runs; None for a
    single run."""

    value: float
    low: float | None
    high: float | None
    basis: Basis
    n: int

    @property
    def half_width(self) -> float | None:
        """Half of the 95 % interval; None if there is only a range or nothing."""
        return None if self.basis != "interval" or self.high is None else self.high - self.value


def mean_of(values: Sequence[float]) -> Mean | None:
    """The mean of one value per run; None if no run has it."""
    if not values:
        return None
    # Plain arithmetic: NumPy takes ten times as long for a few numbers, and a table has thousands of cells.
    numbers, n = [*map(float, values)], len(values)
    centre = sum(numbers) / n
    if n >= INTERVAL_RUNS:
        variance = sum((number - centre) * (number - centre) for number in numbers) / (n - 1)
        reach = reach_of(CONFIDENCE, n - 1) * math.sqrt(variance) / math.sqrt(n)
        return Mean(centre, centre - reach, centre + reach, "interval", n)
    if n == 1:
        return Mean(centre, None, None, "single", 1)
    # With a NaN, the result of `min` and `max` depends on the order.
    low, high = (centre, centre) if math.isnan(centre) else (min(numbers), max(numbers))
    return Mean(centre, low, high, "range", 2)


COMPARED = tuple(measure for measure in MEASURES.values() if measure.change)


def measures_of(group: Group, phase: str) -> tuple[Measure, ...]:
    """The metrics that are compared in a phase. The length of steady state is a choice of the test, not a result."""
    return tuple(
        measure
        for measure in COMPARED
        if not (measure.key == DURATION and phase == STEADY)
        and not (measure.rds_only and group.session_type is not SessionType.RDS)
    )


def figure_values(group: Group, phase: str, figure: str) -> tuple[tuple[str, float], ...]:
    """(run, value) for the runs that have the metric."""
    rows = ((run.run.name, run.phase(phase)) for run in group.runs)
    values = ((name, getattr(row, figure)) for name, row in rows if row is not None)
    return tuple((name, float(value)) for name, value in values if value is not None)
