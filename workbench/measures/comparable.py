"""Caveats for a comparison: differences between the runs of two configurations other than the configuration."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from workbench.measures.catalogue import MEASURES
from workbench.measures.configurations import (
    COMPARED,
    COPY_OF,
    Group,
    figure_values,
    fingerprint,
    phase_names,
    same_names,
)
from workbench.measures.coverage.bounds import lacks
from workbench.measures.coverage.extent import only_named
from workbench.measures.phase_table import PhaseFigures
from workbench.measures.significance.objections import both_above, unlike_places
from workbench.measures.statistics import MARGIN
from workbench.model.metric import Quantity
from workbench.model.phase import STEADY
from workbench.model.problem import Problem, Severity, all_named, few_named
from workbench.model.run import Provisioning, Run, SessionType
from workbench.words.captions import capital, named
from workbench.words.metrics import in_no_phase, in_phase, phase_words
from workbench.words.numbers import marked

# Smaller differences between sample intervals are jitter of one setting.
_SAME_INTERVAL = 0.05
_MOST_LISTED = 4
_SAME = "compared anyway; use the same {}"
_NO_VERDICT = "no verdict on storage I/O; measure both at the host or storage"
# Most names listed in a message.
_MOST_NAMED = 2
_IOPS = MEASURES["iops_per_vm"]

Fact = Callable[[Run], str | None]


def set_up_problems(base: Group, group: Group) -> list[Problem]:
    """A warning for every difference in set-up between the runs of `group` and `base`: workload, VMs, users,
    hypervisor, guest OS, build, sample interval, counters, phases and how they were found."""
    problems = [*copy_problems(group), *missing_vm_problems(group), *_facts(base, group), *_interval(base, group)]
    return [*problems, *_missing_counters(base, group), *_missing_phases(base, group), *_phases(base, group)]


def sample_interval_s(run: Run) -> float | None:
    """The median over recordings of their mean sample interval, in seconds. Recordings of VMs count. None if no
    recording has two samples."""
    steps = [
        (recording.last_us - recording.first_us) / 1e6 / (recording.rows - 1)
        for recording in run.recordings
        if recording.rows > 1
        and recording.last_us > recording.first_us
        and any(series.vm for series in recording.series)
    ]
    return float(np.median(steps)) if steps else None


def name_problems(groups: Iterable[Group]) -> Iterator[Problem]:
    """The warning that configurations with different set-ups have one name."""
    for name, alike in same_names(groups).items():
        labels = few_named(sorted(named(group.label) for group in alike), _MOST_NAMED)
        message = f"{len(alike)} configurations are named '{name}'."
        action = f"kept separate as {labels}; give each its own name in run.toml"
        yield _problem(alike[0], "name", message, action)


def copy_problems(group: Group) -> Iterator[Problem]:
    """The warning that some runs of the group are copies of others."""
    if copies := [run.run for run in group.excluded if (run.run.excluded or "").startswith(COPY_OF)]:
        copy = "is a copy of another run" if len(copies) == 1 else "are copies of other runs"
        message = f"{_listed(named(run.name) for run in copies)} {copy}: all samples are identical."
        action = (
            "copy excluded; if it is a separate run, copy its files again"
            if len(copies) == 1
            else "copies excluded; if they are separate runs, copy their files again"
        )
        yield _problem(group, "copies", message, action)


def missing_vm_problems(group: Group) -> Iterator[Problem]:
    """The warning that a run has no samples of an expected VM: one that the run states, that its events or sessions
    name, or that other runs of the configuration have. Names the VMs if they are known."""
    phases: dict[tuple[str, int, int, tuple[str, ...]], list[str]] = {}
    called = {run.run.name: frozenset(only_named(run.run)) for run in group.runs}
    for phase in phase_names([group]):
        for lack in lacks(group, phase, MEASURES["iops_per_vm"]):
            if lack.unseen:
                phases.setdefault((lack.run, lack.unseen, lack.expected, lack.names), []).append(phase)
    for (run, unseen, expected, names), where in phases.items():
        lacking, known = f"has samples of {expected - unseen} of its {expected} VMs", ""
        if names:
            lacking = f"has no samples of {few_named(sorted(names))}"
            if called[run].issuperset(names):
                known = f", but events or sessions name {'it' if unseen == 1 else 'them'}"
        when = in_no_phase(*where) if names else in_phase(*where)
        begin = f"{capital(when)}, run '{run}' {lacking}" if len(where) == 1 else f"Run '{run}' {lacking} {when}"
        action = f"no verdict if the missing VM{'s' * (unseen > 1)} could change it; repeat the run"
        yield _problem(group, "vm-missing", f"{begin}{known}.", action)


def split_problems(groups: Iterable[Group]) -> Iterator[Problem]:
    """The warning that runs with one name are not grouped because some lack a VM that the others measured. It applies
    if the number of VMs was counted, not stated. A run with fewer than half of the VMs is another test."""
    by_name: dict[tuple[str, SessionType], list[Group]] = {}
    for group in groups:
        by_name.setdefault((group.configuration.name, group.session_type), []).append(group)
    for alike in by_name.values():
        vms = {group.label: _machines(group) for group in alike}
        for group in alike:
            own = vms[group.label]
            larger = next(
                (other for other in alike if own < vms[other.label] and 2 * len(own) > len(vms[other.label])), None
            )
            counted = any(guess.field == "vms" for run in group.runs for guess in run.run.guesses)
            if larger is not None and counted:
                runs = few_named(sorted(named(run.run.name) for run in group.runs))
                have = "has" if len(group.runs) == 1 else "have"
                missing = few_named(sorted(vms[larger.label] - own))
                yield _problem(
                    group,
                    "vm-missing",
                    f"{runs} {have} no samples of {missing}, unlike other runs of '{group.configuration.name}'.",
                    f"kept separate from {named(larger.label)}; if the test includes {missing}, set vms in run.toml",
                )


def _machines(group: Group) -> frozenset[str]:
    return frozenset(
        vm
        for run in group.runs
        for row in run.phases
        if (extent := row.extent(Quantity.IOPS)) is not None
        for vm in extent.vms
    )


def twin_problems(groups: Sequence[Group]) -> Iterator[Problem]:
    """The warning that one run belongs to two configurations."""
    first: dict[tuple[tuple[float | None, ...], ...], tuple[Group, str]] = {}
    for group in groups:
        for run in group.runs:
            print_ = fingerprint(run)
            other, name = first.setdefault(print_, (group, run.run.name)) if print_ else (group, "")
            if other is not group:
                message = (
                    f"{named(run.run.name)} has the same samples as {named(name)} of {named(other.label)}: one of the "
                    "runs is a copy."
                )
                yield _problem(group, "copies", message, "both runs are included; exclude the copy")


def primary_problems(base: Group) -> Iterator[Problem]:
    """The warning that `[primary]` in a run.toml of the baseline names an unknown metric."""
    stated = {key: phase for run in base.runs for phase, keys in run.run.primary for key in keys}
    for key, phase in stated.items():
        if key not in MEASURES:
            message = f"[primary] in run.toml contains '{key}' for '{phase}', but no metric has this key."
            action = "entry ignored; use a key of the phase table, such as iops_per_vm or total_io_per_vm"
            yield _problem(base, "primary", message, action)


def _facts(base: Group, group: Group) -> Iterator[Problem]:
    facts: tuple[tuple[str, str, Fact], ...] = (
        ("workload", "workload", lambda run: run.workload),
        ("session-type", "session type", lambda run: run.session_type.value.upper()),
        ("vms", "number of VMs", lambda run: None if run.vms is None else str(run.vms)),
        ("users", "number of users", _users),
        ("hypervisor", "hypervisor", lambda run: run.hypervisor),
        ("guest-os", "guest OS", lambda run: run.guest_os),
        ("build", "build", lambda run: run.build),
    )
    for code, name, fact in facts:
        ours, theirs = (_stated(side, fact) for side in (group, base))
        action = _SAME.format(name)
        if ours and theirs and ours != theirs:
            message = f"The {name} differs: {_few(ours)} vs. {_few(theirs)} in {named(base.label)}."
            yield _problem(group, code, message, action)
        elif len(ours) > 1:
            yield _problem(group, code, f"The {name} differs between runs: {_few(ours)}.", action)


def _users(run: Run) -> str | None:
    # One user per VM follows from the number of VMs and is reported with it.
    return None if run.users is None or run.users == run.vms else str(run.users)


def _stated(group: Group, fact: Fact) -> set[str]:
    return {value for run in group.runs if (value := fact(run.run))}


def _interval(base: Group, group: Group) -> Iterator[Problem]:
    ours, theirs = (_intervals(side) for side in (group, base))
    if not ours or not theirs:
        return
    here, there = float(np.median(ours)), float(np.median(theirs))
    if abs(here - there) > _SAME_INTERVAL * there:
        yield _problem(
            group,
            "interval",
            f"The sample interval is {marked(f'{here:.3g}')} s ({marked(f'{there:.3g}')} s in {named(base.label)}), "
            "which affects only p95 and peaks.",
            "compared anyway; use the same interval",
        )


def _intervals(group: Group) -> list[float]:
    return [step for run in group.runs if (step := sample_interval_s(run.run)) is not None]


def _missing_counters(base: Group, group: Group) -> Iterator[Problem]:
    for side, other in ((group, base), (base, group)):
        if lacking := _lacking(side, other):
            some = few_named(lacking[:_MOST_NAMED], _MOST_NAMED, len(lacking))
            message = f"{named(other.label)} has values for {some}, but {named(side.label)} does not."
            yield _problem(group, "counters", message, "not compared; log the same counters for both")


def _lacking(side: Group, other: Group) -> list[str]:
    """Names of the items that one side has and the other lacks. A desktop without a cache does not lack one."""
    both = [phase for phase in phase_names([side]) if phase in phase_names([other])]
    plain = side.configuration.provisioning is Provisioning.MCS
    return [
        measure.within
        for measure in COMPARED
        if not (plain and measure.section == "Cache")
        and any(figure_values(other, phase, measure.key) for phase in both)
        and not any(figure_values(side, phase, measure.key) for phase in both)
    ]


def _missing_phases(base: Group, group: Group) -> Iterator[Problem]:
    for side, other in ((group, base), (base, group)):
        names = [name for name in phase_names([other]) if name not in phase_names([side])]
        if names:
            yield _problem(
                group,
                "phases",
                f"{named(other.label)} has the phase{'s' * (len(names) > 1)} {all_named([*map(phase_words, names)])}, "
                f"but {named(side.label)} does not.",
                f"not compared; to compare {'them' if len(names) > 1 else 'it'}, set [[phases]] in run.toml",
            )


def _phases(base: Group, group: Group) -> Iterator[Problem]:
    for phase in phase_names([group]):
        ours, theirs = group.phase(phase), base.phase(phase)
        if not theirs:
            continue
        where = f"{capital(in_phase(phase))},"
        if _set(ours, "vantage") != _set(theirs, "vantage"):
            here, there = (_listed(_set(rows, "vantage")) for rows in (ours, theirs))
            yield _problem(
                group,
                "vantage",
                f"{where} I/O was measured at different measuring points: {here} vs. {there} in {named(base.label)}.",
                _NO_VERDICT,
            )
        elif why := unlike_places(base, group, phase, _IOPS):
            yield _problem(group, "side", f"{where} {why.partition(': ')[2]}.", _NO_VERDICT)
        elif both_above(base, group, phase):
            message = f"{where} I/O was counted above both caches, so it is not the storage load."
            action = "compared anyway; for the storage load, measure at the host or storage"
            yield _problem(group, "side", message, action)
        if (found := _detected(ours)) != _detected(theirs):
            side, other = (group, base) if found else (base, group)
            yield _problem(
                group,
                "evidence",
                f"{capital(phase_words(phase))} was detected from activity in {named(side.label)}, but not in "
                f"{named(other.label)}.",
                "compared anyway; check the phase on the Timeline page",
            )
        if bounds := sorted({g.label for g in (base, group) if g.lower_bound(phase)}):
            yield _problem(
                group,
                "lower-bound",
                f"Samples of {all_named([*map(named, bounds)])} are missing {in_phase(phase)}, so I/O values are lower "
                "bounds.",
                "compared anyway; repeat the runs",
            )
        if phase == STEADY and (text := _lengths(ours, theirs)):
            message = f"Steady state lasted {text} in {named(base.label)}."
            yield _problem(group, "length", message, "compared anyway; compare IOPS, not total I/O")


def _lengths(ours: Iterable[PhaseFigures], theirs: Iterable[PhaseFigures]) -> str:
    here, there = (float(np.mean([row.phase.duration_s for row in rows])) for rows in (ours, theirs))
    if abs(here - there) <= MARGIN * there:
        return ""
    return f"{here / 60:.3g} min, but {there / 60:.3g} min"


def _set(rows: Iterable[PhaseFigures], field: str) -> set[str]:
    return {str(value) for row in rows if (value := getattr(row, field)) is not None}


def _detected(rows: Iterable[PhaseFigures]) -> bool:
    return any(row.phase.evidence == "activity" for row in rows)


def _listed(values: Iterable[str]) -> str:
    return all_named(sorted(values)) or "nothing stated"


def _few(values: Iterable[str]) -> str:
    """Like `_listed`, but of many values, such as builds over weeks, it lists only the first and the last."""
    names = sorted(values)
    return _listed(names) if len(names) <= _MOST_LISTED else f"{names[0]} to {names[-1]} ({len(names)} in total)"


def _problem(group: Group, code: str, message: str, action: str) -> Problem:
    return Problem(Severity.WARNING, group.label, f"compare-{code}", message, action)
