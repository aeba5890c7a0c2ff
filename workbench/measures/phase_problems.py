"""Problems of a run's samples that affect its values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from workbench.measures.phase_samples import PhaseSamples
from workbench.model.metric import Quantity
from workbench.model.phase import Phase
from workbench.model.problem import Problem, Severity, few_named
from workbench.model.run import Run
from workbench.phases.integral import Integral, covered_of, totals_of
from workbench.study.plausibility.machines import states_vms, unlike_machines
from workbench.study.plausibility.rules import (
    CACHE_MOST_PERCENT,
    HOST_MACHINES,
    HOST_PHASES,
    HOST_SHARE,
    IO_APART,
    ZERO_LATENCY_IOS,
)
from workbench.study.series.sides import has_sides, mixed_vms
from workbench.study.series.vm_series import BySeries
from workbench.words.metrics import phase_words, quantity_words
from workbench.words.numbers import number, plural

# A phase is reported as partly measured if a VM lacks more than this share of it.
GAP_SHARE = 0.01
# No test reaches more I/O, milliseconds or MB.
MOST = 1e15
# Only reads or only writes do not give total I/O: the recorded quantity, the missing one, and its counter.
_HALVES = (
    (Quantity.READ_IOPS, "disk reads", "disk writes", "Disk Writes/sec"),
    (Quantity.WRITE_IOPS, "disk writes", "disk reads", "Disk Reads/sec"),
)


def of_run(run: Run, iops: BySeries, measured: Mapping[str, BySeries]) -> list[Problem]:
    """Problems of all phases: no IOPS at all, times recorded twice, samples below zero. `measured` has every quantity
    by its reported name."""
    problems: list[Problem] = [] if iops else [_no_iops(run)]
    if twice := {vm: samples for vm, samples in iops.items() if samples.left_out}:
        problems.append(_recorded_twice(run, twice))
    for words, by_vm in measured.items():
        problems += _negative(run, words, by_vm)
    return [*problems, *_sides(run)]


def _sides(run: Run) -> list[Problem]:
    """Problems if VMs were counted on different sides of the write cache, or a side is stated without a cache."""
    if run.guest_counters is not None and not has_sides(run):
        message = (
            f"'guest_counters' is '{run.guest_counters}', but {run.configuration.provisioning} has no write cache."
        )
        return [_problem(run, "side-without-cache", message, "key ignored; check 'provisioning' in run.toml")]
    above, others = mixed_vms(run)
    if not above:
        return []
    message = (
        f"I/O was counted above the cache on {few_named(above)}, but at a different or unknown point on "
        f"{few_named(others)}."
    )
    action = "no verdict on storage I/O; log the same counters in every VM"
    return [_problem(run, "sides-mixed", message, action)]


def _named(phase: Phase) -> str:
    return f"Phase '{phase_words(phase.name)}'"


def of_phase(run: Run, phase: Phase, iops: BySeries, measured: dict[str, Integral]) -> list[Problem]:
    """Problems of a phase that lacks all samples, some VMs, or samples of a time span. `measured` is by VM."""
    if not iops:
        return []
    if not measured:
        return [
            _problem(
                run,
                "phase-not-measured",
                f"{_named(phase)} has no samples of disk I/O.",
                "values left empty; check the start and end of the phase, and the time zone of the files",
            )
        ]
    problems: list[Problem] = []
    if run.vms is not None and len(measured) < run.vms:
        problems.append(
            _problem(
                run,
                "vms-missing",
                f"{_named(phase)}: only {len(measured)} of {run.vms} VMs {'has' if len(measured) == 1 else 'have'} "
                "samples.",
                "metrics exclude VMs without samples; log the counters in every VM",
            )
        )
    if run.vms is not None and len(measured) > run.vms:
        problems.append(
            _problem(
                run,
                "vms-more",
                f"{_named(phase)}: {len(measured)} VMs have samples, but 'vms' is {run.vms} for this run.",
                "totals and per-VM metrics use all measured VMs; correct 'vms' in run.toml",
            )
        )
    length = phase.duration_s
    if length - min(covered_of(measured)) > GAP_SHARE * length:
        gaps = {vm: length - integral.covered_s for vm, integral in measured.items()}
        short = [vm for vm, seconds in gaps.items() if seconds > GAP_SHARE * length]
        worst = max(gaps[vm] for vm in short)
        problems.append(
            _problem(
                run,
                "gap",
                f"{_named(phase)}: {few_named(short)} lack{'s' * (len(short) == 1)} samples for "
                f"{'up to ' * (len(short) > 1)}{worst:,.0f} s of {phase.duration_s:,.0f} s.",
                "total I/O and IOPS are lower bounds; check the collector",
            )
        )
    return problems


def of_machines(run: Run, loads: Sequence[Mapping[str, Integral]]) -> list[Problem]:
    """Problems of machines with implausible load: as much I/O in each phase as all others together, as their host has,
    or far too much. `loads` are the integrals of each measured phase by machine."""
    machines = sorted({vm for load in loads for vm in load})
    counted = {name.casefold() for name in run.counted}
    told = unlike_machines({vm.casefold() for vm in machines}, run.events).keys() - counted
    settled = states_vms(run, len(machines))
    if len(machines) < HOST_MACHINES or len(loads) < HOST_PHASES or told or settled:
        return []
    least, most = HOST_SHARE
    totals = [(load, sum(totals_of(load))) for load in loads]
    odd = [
        vm
        for vm in machines
        if vm.casefold() not in counted
        and all(vm in load and total > 0 and least <= load[vm].total / total <= most for load, total in totals)
    ]
    if not odd:
        return []
    question = _problem(
        run,
        "machine-unlike",
        f"{odd[0]} may be a host: it has about half of all I/O.",
        f'included; in run.toml, exclude it (leave_out = ["{odd[0]}"]) or keep it (vms = {len(machines)})',
    )
    return [replace(question, run=run.folder, machines=(odd[0],))]


def of_figures(samples: PhaseSamples, figures: Mapping[str, float], quantities: Sequence[Quantity]) -> list[Problem]:
    """Problems of values that are larger than any real measurement. Infinite or undefined values are ignored here."""
    wild = [name for name, value in figures.items() if not abs(value) <= MOST]
    if not wild:
        return []
    return [
        _problem(
            samples.run,
            "impossible-value",
            f"{_named(samples.phase)}: values of {few_named(wild)} are impossible{_highest(samples, quantities)}.",
            "values kept; correct or remove the file",
        )
    ]


def contradictions(samples: PhaseSamples, figures: Mapping[str, float]) -> list[Problem]:
    """Problems of contradictory values: total I/O that differs from reads plus writes (for VMs with all of them over
    equal time), and a measured RAM cache use above the cache size."""
    run, phase, problems = samples.run, _named(samples.phase), []
    every, *parts = map(samples.integrals, (Quantity.IOPS, Quantity.READ_IOPS, Quantity.WRITE_IOPS))
    alike = [
        vm for vm, load in every.items() if all(vm in part and part[vm].covered_s == load.covered_s for part in parts)
    ]
    total, split = (sum(side[vm].total for side in sides for vm in alike) for sides in ((every,), parts))
    if abs(total - split) > IO_APART * max(total, split):
        seconds = samples.phase.duration_s
        message = (
            f"{phase}: disk transfers ({number(total / seconds)}/s) differ from reads plus writes "
            f"({number(split / seconds)}/s) on {few_named(alike)}."
        )
        problems.append(_problem(run, "io-contradiction", message, "shown as recorded; check the counters"))
    percent = figures.get("cache_ram_used_percent", 0.0)
    estimate = any(held.estimate for held in samples.by_vm(Quantity.CACHE_RAM_USED).values())
    if percent > CACHE_MOST_PERCENT and not estimate:
        message = f"{phase}: RAM cache use is {percent:.0f} % of the cache size, which is impossible."
        problems.append(_problem(run, "cache-over-size", message, "shown as recorded; check the size of the cache"))
    return problems


def zero_latencies(samples: PhaseSamples, figures: Mapping[str, float]) -> tuple[list[str], list[Problem]]:
    """Values of exactly 0 latency although there was I/O, which no disk has, and a problem for each latency."""
    least = ZERO_LATENCY_IOS / samples.phase.duration_s
    zero = [
        kind
        for kind in ("read", "write")
        if figures.get(f"{kind}_latency_ms") == 0 and figures.get(f"{kind}_iops", 0.0) >= least
    ]
    problems = [
        _problem(
            samples.run,
            "zero-latency",
            f"{_named(samples.phase)}: {kind} latency is 0 in every sample, despite "
            f"{number(figures[f'{kind}_iops'])} {kind}s per second.",
            "value left empty; check the latency counter",
        )
        for kind in zero
    ]
    return [f"{kind}_latency_{figure}" for kind in zero for figure in ("ms", "p95_ms")], problems


def _highest(samples: PhaseSamples, quantities: Sequence[Quantity]) -> str:
    """The highest sample of the phase, with its metric, machine, time and files."""
    readings = [
        (reading.highest, quantity, vm, reading.highest_place)
        for quantity in quantities
        for vm, reading in samples.readings(quantity).items()
    ]
    if not readings:
        return ""
    value, quantity, vm, row = max(readings, key=lambda reading: reading[0])
    held = samples.by_vm(quantity)[vm]
    moment = datetime.fromtimestamp(float(held.end[row]), UTC)
    amount = f"{number(value)} {quantity.unit}".rstrip()
    return (
        f" (highest: {quantity_words(quantity)} of {vm}, {amount} at {moment:%Y-%m-%d %H:%M:%S} UTC in "
        f"{few_named(list(held.files))})"
    )


def _negative(run: Run, words: str, by_vm: BySeries) -> list[Problem]:
    """Problems of samples below zero, which no rate, latency or amount can have."""
    vms = [vm for vm, samples in by_vm.items() if samples.negative]
    if not vms:
        return []
    count = sum(by_vm[vm].negative for vm in vms)
    files = sorted({file for vm in vms for file in by_vm[vm].files})
    return [
        _problem(
            run,
            "negative-value",
            f"{plural(count, 'sample')} of {words} {'is' if count == 1 else 'are'} below zero "
            f"(VM{'s' * (len(vms) > 1)}: {few_named(vms)}; file{'s' * (len(files) > 1)}: {few_named(files)}).",
            "treated as missing; check the file for a counter reset"
            if len(files) == 1
            else "treated as missing; check the files for a counter reset",
        )
    ]


def _recorded_twice(run: Run, twice: BySeries) -> Problem:
    rows = sum(samples.left_out for samples in twice.values())
    files = sorted({file for samples in twice.values() for file in samples.files})
    return _problem(
        run,
        "recorded-twice",
        f"Several files contain samples of {few_named(list(twice))} for the same time ({few_named(files)}).",
        f"each sample counted once ({rows} row{'s' * (rows > 1)} of other files ignored); remove the duplicate file",
    )


def _no_iops(run: Run) -> Problem:
    message = "No VM of this run has counters for disk reads, writes or transfers."
    action = "log 'Disk Transfers/sec' in every VM"
    series = [one for recording in run.recordings for one in recording.series if one.vm]
    recorded = {one.metric.quantity for one in series if one.metric is not None}
    for quantity, some, others, counter in _HALVES:
        if quantity in recorded:
            message = f"The VMs that log {some} do not log {others} or transfers."
            action = f"also log '{counter}' or 'Disk Transfers/sec'"
    return _problem(run, "no-iops", message, f"I/O metrics are empty; {action}")


def _problem(run: Run, code: str, message: str, action: str) -> Problem:
    return Problem(Severity.WARNING, run.name, code, message, action)
