"""Reasons why two configurations cannot be compared at all, as data.

A difference in set-up that still allows a comparison is a caveat (`comparable`). With one of these reasons no change is
shown, with any values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product

from workbench.measures.configurations import Group, figure_values, measures_of, phase_names
from workbench.model.run import Provisioning, Run
from workbench.study.series.run_date import run_date
from workbench.study.series.vm_series import vm_names
from workbench.words.metrics import phase_words
from workbench.words.numbers import number

# With less than this share measured, a phase has samples but no usable measurement.
LEAST_MEASURED_PERCENT = 50.0
# Phases are from different tests if their lengths differ by more than this factor. The factor applies to numbers of VMs
# too.
LENGTH_FACTOR = VMS_FACTOR = 10.0
# Single runs that are further apart in time are not from one test series.
APART_DAYS = 366
_DAY_S = 86_400.0
_ACTIVITY = "activity"


@dataclass(frozen=True, slots=True)
class Reason:
    """The reason why a configuration cannot be compared with the baseline: a stable `code`, a sentence, and the next
    step.

    `configuration` and `baseline` are empty if the study does not have two configurations.
    """

    code: str
    text: str
    next_step: str
    configuration: str = ""
    baseline: str = ""


@dataclass(frozen=True, slots=True)
class Comparability:
    """`reasons` by configuration, in the order of the study. `comparable`: at least one pair has no reason."""

    reasons: tuple[Reason, ...]
    comparable: bool

    @property
    def apart(self) -> frozenset[str]:
        """The configurations that cannot be compared with the baseline."""
        return frozenset(reason.configuration for reason in self.reasons)


COMPARABLE = Comparability((), True)
CANNOT = "These runs cannot be compared yet"


def reason_sentences(reasons: Iterable[Reason]) -> str:
    """Each reason with its next step, as running text."""
    return " ".join(f"{reason.text} {reason.next_step}" for reason in reasons)


def comparability(groups: Sequence[Group], base: Group | None) -> Comparability:
    """The reasons why configurations cannot be compared with the baseline, and `comparable` if any pair can be."""
    used = [group for group in groups if group.runs]
    if not used or base is None:
        left_out = any(group.excluded for group in groups)
        return Comparability((_NONE_COUNTS if left_out else _NO_RUNS,), False)
    others = [group for group in used if group is not base]
    if not others:
        text = f"There is only one configuration, {_quoted(base)}."
        return Comparability(
            (Reason("one-configuration", text, "Open the runs of a second configuration as well."),), False
        )
    found = [why_apart(base, group) for group in others]
    return Comparability(tuple(reason for reason in found if reason is not None), None in found)


def why_apart(base: Group, group: Group) -> Reason | None:
    """The first reason why a configuration cannot be compared with the baseline; None if there is none."""
    for code, rule, next_step in _RULES:
        if text := rule(base, group):
            return Reason(code, text, next_step, group.label, base.label)
    return None


_NO_RUNS = Reason("no-runs", "No runs of VMs are open.", "Open a folder with the runs of two configurations.")
_NONE_COUNTS = Reason("none-counts", "Every run is excluded.", "Include the runs to compare.")


def _session_type(base: Group, group: Group) -> str:
    if base.session_type is group.session_type:
        return ""
    kinds = (f"{_quoted(side)} ran {side.session_type.value.upper()} sessions" for side in (group, base))
    return f"{', but '.join(kinds)}."


def _workload(base: Group, group: Group) -> str:
    ours, theirs = ({run.run.workload for run in side.runs if run.run.workload} for side in (group, base))
    if not ours or not theirs or ours & theirs:
        return ""
    return f"The workloads differ: {_listed(ours)} for {_quoted(group)}, {_listed(theirs)} for {_quoted(base)}."


def _vms(base: Group, group: Group) -> str:
    if not base.vms or not group.vms or max(base.vms, group.vms) <= VMS_FACTOR * min(base.vms, group.vms):
        return ""
    return f"The numbers of VMs differ too much: {group.vms} for {_quoted(group)}, {base.vms} for {_quoted(base)}."


def _phase(base: Group, group: Group) -> str:
    if _common(base, group):
        return ""
    if bare := next((side for side in (group, base) if not phase_names([side])), None):
        return f"{_quoted(bare)} has no phases."
    return (
        f"{_quoted(group)} and {_quoted(base)} have no phase in common: the first has {_phases(group)}, "
        f"the second {_phases(base)}."
    )


def _metric(base: Group, group: Group) -> str:
    for phase in _common(base, group):
        for measure in measures_of(group, phase):
            if all(figure_values(side, phase, measure.key) for side in (base, group)):
                return ""
    return f"{_quoted(group)} and {_quoted(base)} have no metric in common."


def _coverage(base: Group, group: Group) -> str:
    shares: list[tuple[float, Group]] = []
    for phase in _common(base, group):
        measured = [(_measured(side, phase), side) for side in (base, group)]
        worst = min(measured, key=lambda pair: pair[0])
        if worst[0] >= LEAST_MEASURED_PERCENT:
            return ""
        shares.append(worst)
    share, side = max(shares, key=lambda pair: pair[0])
    return f"Less than half of each phase of {_quoted(side)} is measured: {number(share)} % at most."


def _length(base: Group, group: Group) -> str:
    lengths: list[tuple[float, float]] = []
    for phase in _common(base, group):
        ours, theirs = (_mean(row.duration_s for row in side.phase(phase)) for side in (group, base))
        if max(ours, theirs) <= LENGTH_FACTOR * min(ours, theirs):
            return ""
        lengths.append((ours, theirs))
    ours, theirs = lengths[0]
    mine, other = (f"{number(seconds / 60)} min" for seconds in (ours, theirs))
    return f"The phases last {mine} for {_quoted(group)} and {other} for {_quoted(base)}."


def _years(base: Group, group: Group) -> str:
    if min(len(base.runs), len(group.runs)) > 1:
        return ""
    ours, theirs = ([date.seconds for run in side.runs if (date := run_date(run.run))] for side in (group, base))
    if not ours or not theirs:
        return ""
    days = min(abs(one - other) for one, other in product(ours, theirs)) / _DAY_S
    if days <= APART_DAYS:
        return ""
    return f"{_quoted(group)} and {_quoted(base)} were tested {number(days / 365.25)} years apart."


def _unrelated(base: Group, group: Group) -> str:
    """True if nothing shows that both belong to one test: no provisioning, no phase that is stated or began with an
    event, and no machine in common."""
    known = all(side.configuration.provisioning is not Provisioning.OTHER for side in (base, group))
    rows = [row for side in (base, group) for run in side.runs for row in run.phases]
    stated = any(row.phase.evidence != _ACTIVITY for row in rows)
    ours, theirs = (_machines(run.run for run in side.runs) for side in (group, base))
    if known or stated or ours & theirs or not ours or not theirs:
        return ""
    return (
        f"{_quoted(group)} and {_quoted(base)} may be different tests: their machines differ and no phases are defined."
    )


def _vantage(base: Group, group: Group) -> str:
    for phase in _common(base, group):
        ours, theirs = ({row.vantage for row in side.phase(phase) if row.vantage} for side in (group, base))
        if not ours or not theirs or ours & theirs:
            return ""
        places = _listed(ours), _listed(theirs)
    return f"{_quoted(group)} was measured at the {places[0]}, but {_quoted(base)} at the {places[1]}."


_Rule = Callable[[Group, Group], str]
_RULES: tuple[tuple[str, _Rule, str], ...] = (
    ("no-common-phase", _phase, "Set the phases of each run in run.toml, or record phase events."),
    ("session-type", _session_type, "If the guessed session_type is wrong, set the correct one in run.toml."),
    ("workload", _workload, "Compare runs with the same workload."),
    ("vms", _vms, "Compare runs with a similar number of VMs."),
    ("no-common-metric", _metric, "Record the same counters for both configurations."),
    ("years-apart", _years, "Repeat the runs of both configurations close together in time."),
    ("unrelated", _unrelated, "If the runs belong together, set their configurations and phases in run.toml."),
    ("vantage", _vantage, "Measure both configurations at the same measuring point."),
    ("coverage", _coverage, "Record the whole phase."),
    ("length", _length, "Check the phases, or run both configurations for the same time."),
)
# All codes in the order in which they are checked, for the docs.
CODES = ("no-runs", "none-counts", "one-configuration", *(code for code, _, _ in _RULES))


def _common(base: Group, group: Group) -> list[str]:
    return [name for name in phase_names([base]) if group.phase(name)]


def _phases(group: Group) -> str:
    return ", ".join(map(phase_words, phase_names([group])))


def _measured(side: Group, phase: str) -> float:
    """The measured share of the phase in the best run, in percent; 100 if no gap is known."""
    return max(100.0 if row.measured_percent is None else row.measured_percent for row in side.phase(phase))


def _machines(runs: Iterable[Run]) -> frozenset[str]:
    return frozenset(name.casefold() for run in runs for name in vm_names(run))


def _mean(values: Iterable[float]) -> float:
    some = list(values)
    return sum(some) / len(some)


def _listed(names: Iterable[object]) -> str:
    return " and ".join(sorted(map(str, names)))


def _quoted(group: Group) -> str:
    return f"'{group.label}'"
