"""The measured part of a phase: the VMs with samples, the seconds without samples, and the most I/O that the gaps could
contain.

A gap contains at most as much I/O as the busiest interval of equal length of this VM: the highest mean over a window as
long as the gap, moved over the measured part of the phase (without gaps). If the mean over the whole measured part is
higher, that mean is used. Each gap has a separate window, because the highest mean over a shorter window is never
lower; one long window for all gaps would give a weaker bound. A gap that is longer than the measured part of its VM has
no such interval. Its seconds are `blind_s`; they are filled like those of a VM without samples.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from operator import truediv

import numpy as np
import numpy.typing as npt

from workbench.measures.phase_samples import PhaseSamples
from workbench.measures.rules import HighestReading, LastReading, MeanLatency, Overflow, Rule, Total
from workbench.model.metric import Quantity
from workbench.model.phase import Phase
from workbench.model.run import Run
from workbench.model.run_cache import kept_with_run
from workbench.phases.integral import covered_of, overlap, totals_of, touching
from workbench.study.series.vm_series import Samples

FloatArray = npt.NDArray[np.float64]
Gaps = tuple[tuple[str, float], ...]
# Phase seconds are differences of times of about 10⁹ s: a smaller share is a rounding error.
_ROUNDING = 1e-5


@dataclass(frozen=True, slots=True)
class Extent:
    """The measured part of a quantity in a phase.

    `vms` have samples; `gaps` are their seconds without samples. For rates: `total` I/Os were measured. The gaps
    contain at most `fill` more, plus the content of `blind_s` VM-seconds. `highest` is the highest VM mean over
    measured seconds. `covered_s` are the VM-seconds with a sample.
    """

    quantity: Quantity
    vms: tuple[str, ...]
    gaps: Gaps = ()
    total: float = 0.0
    fill: float = 0.0
    blind_s: float = 0.0
    highest: float = 0.0
    covered_s: float = 0.0

    @property
    def missing_s(self) -> float:
        """VM-seconds without samples, of the VMs that have any samples."""
        return sum(seconds for _, seconds in self.gaps)


def extents(samples: PhaseSamples, rules: Iterable[Rule], *, fills: bool = True) -> tuple[Extent, ...]:
    """The extent of each quantity that the rules read and that has samples in the phase. The first rule decides.

    Without `fills`, `fill` stays 0; computing it needs a look at every sample.
    """
    found: dict[Quantity, Extent] = {}
    for rule in rules:
        for quantity in rule.quantities:
            if quantity not in found and (extent := _extent(samples, rule, quantity, fills)) is not None:
                found[quantity] = extent
    return tuple(found.values())


def _extent(samples: PhaseSamples, rule: Rule, quantity: Quantity, fills: bool) -> Extent | None:
    if isinstance(rule, MeanLatency) and quantity is rule.quantity:
        return _of_latency(samples, quantity, rule.rate)
    if isinstance(rule, LastReading | HighestReading | Overflow):
        return _of_gauge(samples, quantity)
    return _of_rate(samples, quantity, filled=fills and isinstance(rule, Total))


def _of_rate(samples: PhaseSamples, quantity: Quantity, *, filled: bool) -> Extent | None:
    integrals, length = samples.integrals(quantity), samples.phase.duration_s
    if not integrals:
        return None
    totals, covered = totals_of(integrals), covered_of(integrals)
    total, covered_s, highest = sum(totals), sum(covered), max(map(truediv, totals, covered))
    gaps: Gaps = ()
    if length - min(covered) > _ROUNDING * length:
        gaps = _gaps({vm: length - integral.covered_s for vm, integral in integrals.items()}, length)
    extent = Extent(quantity, tuple(integrals), gaps, total, highest=highest, covered_s=covered_s)
    if not gaps or not filled:
        return extent
    by_vm = samples.by_vm(quantity)
    fills = [_fill(by_vm[vm], samples.phase) for vm, _ in gaps]
    fill, blind_s = (sum(column) for column in zip(*fills, strict=True))
    return replace(extent, fill=fill, blind_s=blind_s)


def _of_latency(samples: PhaseSamples, quantity: Quantity, rate: Quantity) -> Extent | None:
    """The extent of a latency: the share of the I/Os with a known latency counts as measured."""
    found, length = samples.latency(quantity, rate), samples.phase.duration_s
    if not found.weights:
        return None
    covered = found.weights
    if found.by_io:
        rates = samples.integrals(rate)
        covered = dict.fromkeys(covered, 0.0) | {vm: one.covered_s for vm, one in rates.items() if vm in covered}
        for vm, unknown in found.unknown.items():
            if unknown:
                covered[vm] *= found.weights[vm] / (found.weights[vm] + unknown)
    return Extent(quantity, tuple(covered), _gaps({vm: length - seconds for vm, seconds in covered.items()}, length))


def _of_gauge(samples: PhaseSamples, quantity: Quantity) -> Extent | None:
    """The extent of a counter that is read at moments: the time from the last sample to the end of the phase is not a
    gap."""
    phase, readings = samples.phase, samples.readings(quantity)
    if not readings:
        return None
    missing = {vm: phase.duration_s - reading.covered_s for vm, reading in readings.items()}
    return Extent(quantity, tuple(readings), _gaps(missing, phase.duration_s))


def _gaps(missing: dict[str, float], length: float) -> Gaps:
    return tuple((vm, seconds) for vm, seconds in missing.items() if seconds > _ROUNDING * length)


def _fill(samples: Samples, phase: Phase) -> tuple[float, float]:
    """The maximum number of I/Os that the gaps of a VM can contain, and the seconds of gaps that have no bound."""
    part = touching(samples, phase.start, phase.end)
    seconds = overlap(part, phase.start, phase.end)
    known = seconds > 0
    ends = np.minimum(part.end[known], phase.end)
    values, seconds = part.values[known], seconds[known]
    # Gaps: from the end of a sample to the start of the next one, and to the edges of the phase.
    edges = np.concatenate(([phase.start], ends)), np.concatenate((ends - seconds, [phase.end]))
    # With times of about 10⁹ s, equal gaps differ in their last digits.
    lengths = np.round(edges[1] - edges[0], 4)
    lengths = lengths[lengths > _ROUNDING * phase.duration_s]
    measured = float(seconds.sum())
    long = lengths > measured
    usual, counts = np.unique(lengths[~long], return_counts=True)
    fill = sum(
        count * length * highest_mean(values, seconds, length)
        for length, count in zip(usual.tolist(), counts.tolist(), strict=True)
    )
    return fill, float(lengths[long].sum())


def highest_mean(values: FloatArray, seconds: FloatArray, window: float) -> float:
    """The highest mean of a rate over any `window` seconds of the samples joined end to end, or the mean over all
    samples if that is higher. `seconds` are the lengths of the samples; `window` is at most their sum."""
    at = np.concatenate(([0.0], np.cumsum(seconds)))
    amount = np.concatenate(([0.0], np.cumsum(values * seconds)))
    # The sum over a window is piecewise linear in its position, so it is highest where one end meets the end of a
    # sample.
    starts = np.clip(np.concatenate((at, at - window)), 0.0, max(0.0, at[-1] - window))
    sums = np.interp(starts + window, at, amount) - np.interp(starts, at, amount)
    return float(max(sums.max() / window, amount[-1] / at[-1]))


@kept_with_run
def only_named(run: Run) -> tuple[str, ...]:
    """The VMs that only events or sessions name, sorted.

    Empty if the tester states the number of VMs. Also empty if events and recordings share no name: they name the
    machines differently, so nothing is known.
    """
    if run.vms is not None and all(guess.field != "vms" for guess in run.guesses):
        return ()
    named: dict[str, str] = {}
    for vm in (*(event.vm for event in run.events), *(session.vm for session in run.sessions)):
        if vm:
            named.setdefault(_key(vm), vm)
    series = [one for recording in run.recordings for one in recording.series]
    sampled = {_key(one.vm) for one in series if one.vm}
    # A machine that is not a desktop keeps its name as a host name.
    known = sampled | {_key(one.host) for one in series} | set(map(_key, run.left_out))
    if sampled.isdisjoint(named):
        return ()
    return tuple(sorted(name for key, name in named.items() if key not in known))


def _key(name: str) -> str:
    """The name to compare: `W10-001.lab.example` and `w10-001` are one machine."""
    return name.casefold().partition(".")[0]
