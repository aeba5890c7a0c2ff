"""The samples of a run, cut to one phase. Metrics are computed from these; each part is computed once.

Latency over a phase is the mean over I/Os, and the 95th percentile of the samples with any I/O:

mean = sum over VMs of the integral of latency x rate / the integral of rate, over the VMs whose rate is known; mean
over time if no rate is known.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from workbench.disk_arrays import Room
from workbench.measures.percentile import Timed, over_time
from workbench.model.metric import Quantity
from workbench.model.phase import Phase
from workbench.model.run import Provisioning, Run
from workbench.phases.integral import Cut, Integral, binned_all, cuts, integrate_all, totals_of, touching
from workbench.study.series.vm_series import BySeries, Samples

MB = 2**20
# A cache disk counts as used after this growth; smaller growth is bookkeeping of the driver.
OVERFLOW_BYTES = 1 * MB
# PVS write caches that begin on a disk: their growth is not an overflow.
_ON_DISK = frozenset(("server", "device-disk"))
FloatArray = npt.NDArray[np.float64]
Part = TypeVar("Part")


class Readings(NamedTuple):
    """The known samples of one VM's counter in a phase: the last and the highest one with their indices among all
    samples of the VM. `covered_s` are the seconds of all samples, and of the longest one once more."""

    last: float
    last_place: int
    highest: float
    highest_place: int
    covered_s: float


@dataclass(frozen=True, eq=False)
class RunSamples:
    """The samples of a run. `load` returns those of a quantity by VM."""

    run: Run
    load: Callable[[Quantity], BySeries]
    _overflows: dict[Quantity, float | None] = field(default_factory=dict)

    def read(self, quantity: Quantity) -> Quantity:
        """The quantity to read instead: the nonpaged pool for the RAM cache of PVS, which has no counter for it."""
        lacks = quantity is Quantity.CACHE_RAM_USED and not self.load(quantity)
        pvs = self.run.configuration.provisioning is Provisioning.PVS
        return Quantity.POOL_NONPAGED if lacks and pvs else quantity

    def by_vm(self, quantity: Quantity) -> BySeries:
        """The samples of each VM."""
        return self.load(self.read(quantity))

    def overflow(self, quantity: Quantity) -> float | None:
        """Time of the first overflow of any VM in UTC seconds; None if there was none or the disk is not an overflow
        disk."""
        if self.run.configuration.write_cache in _ON_DISK or self.run.configuration.ram_cache_mb == 0:
            return None
        if quantity not in self._overflows:
            self._overflows[quantity] = overflow_start(self.by_vm(quantity))
        return self._overflows[quantity]


@dataclass(frozen=True, eq=False)
class PhaseSamples:
    """The samples of a run in one phase."""

    whole: RunSamples
    phase: Phase
    _known: dict[tuple[str, Quantity], Any] = field(default_factory=dict)

    @property
    def run(self) -> Run:
        """The run of the samples."""
        return self.whole.run

    def by_vm(self, quantity: Quantity) -> BySeries:
        """The samples of each VM over the whole run."""
        return self.whole.by_vm(quantity)

    def cuts(self, quantity: Quantity) -> Iterator[Cut]:
        """The samples that touch the phase, with their seconds inside it."""
        return cuts(self.by_vm(quantity), self.phase)

    def integrals(self, quantity: Quantity) -> dict[str, Integral]:
        """The integral of each VM with samples in the phase, in the order of the VMs."""
        return self._once("integrals", quantity, lambda: integrate_all(self.by_vm(quantity), self.phase))

    def total(self, quantity: Quantity) -> float | None:
        """The integral of all VMs together; None if no VM has samples in the phase."""

        def summed() -> float | None:
            by_vm = self.integrals(quantity)
            return sum(totals_of(by_vm)) if by_vm else None

        return self._once("total", quantity, summed)

    def mean_rates(self, quantity: Quantity, edges: FloatArray) -> FloatArray:
        """The mean rate between neighbouring `edges` (UTC seconds) over the VMs with samples in the phase; NaN if one
        of them was not measured."""
        by_vm = self.by_vm(quantity)
        measured = self.integrals(quantity)
        of_all = by_vm if len(measured) == len(by_vm) else {vm: by_vm[vm] for vm in measured}
        rates: FloatArray = binned_all(of_all, edges).mean(axis=0)
        return rates

    def pooled(self, quantity: Quantity) -> Timed:
        """All known samples of all VMs with at least half of their interval in the phase, with the interval lengths."""
        return self._once("pooled", quantity, lambda: over_time([cut.pooled() for cut in self.cuts(quantity)]))

    def latencies(self, quantity: Quantity, rate: Quantity) -> Iterator[Latency]:
        """The latencies of the VMs in the phase, weighted by the I/Os of `rate`."""
        return latencies(self.by_vm(quantity), self.by_vm(rate), self.phase)

    def latency(self, quantity: Quantity, rate: Quantity) -> LatencyFigures:
        """The figures of all of these latencies."""
        return self._once("latency", quantity, lambda: _latency_figures(self.latencies(quantity, rate)))

    def readings(self, quantity: Quantity) -> dict[str, Readings]:
        """The known samples of each VM's counter in the phase; VMs without any are missing."""
        return self._once("readings", quantity, lambda: _readings(self.by_vm(quantity), self.phase))

    def _once(self, name: str, quantity: Quantity, work: Callable[[], Part]) -> Part:
        key = name, quantity
        if key not in self._known:
            self._known[key] = work()
        part: Part = self._known[key]
        return part


def overflow_start(by_vm: BySeries) -> float | None:
    """Time at which the first cache disk had grown by `OVERFLOW_BYTES` from its lowest so far; None if never."""
    places = ((samples, overflow_place(samples)) for samples in by_vm.values())
    return min((float(samples.end[place]) for samples, place in places if place is not None), default=None)


def overflow_place(samples: Samples) -> int | None:
    """Index of the first sample at which a cache disk had grown by `OVERFLOW_BYTES` from its lowest so far."""
    known = np.flatnonzero(~np.isnan(samples.values))
    values = samples.values[known]
    # From the lowest so far, because a cache disk is emptied at a restart.
    grown = np.flatnonzero(values - np.minimum.accumulate(values) > OVERFLOW_BYTES)
    return int(known[grown[0]]) if grown.size else None


def users_of(run: Run, vms: int) -> float | None:
    """Users on the measured VMs: a proportional part of all users if some VMs have no samples."""
    if run.users is None or not run.vms or vms >= run.vms:
        return run.users
    return run.users * vms / run.vms


def _readings(by_vm: BySeries, phase: Phase) -> dict[str, Readings]:
    gauges: dict[str, Readings] = {}
    # A gauge describes a moment: one at the start of the phase counts.
    for cut in cuts(by_vm, replace(phase, start=math.nextafter(phase.start, -math.inf))):
        taken = ~np.isnan(cut.values) & (cut.end >= phase.start) & (cut.end < phase.end)
        rows = np.flatnonzero(taken.any(axis=1))
        if not rows.size:
            continue
        taken, values, first = taken[rows], cut.values[rows], cut.first[rows]
        last = values.shape[1] - 1 - taken[:, ::-1].argmax(axis=1)
        highest = np.where(taken, values, -np.inf).argmax(axis=1)
        spans = np.where(taken, np.broadcast_to(cut.span, cut.values.shape)[rows], 0.0)
        places = np.arange(rows.size)
        columns = (
            values[places, last],
            first + last,
            values[places, highest],
            first + highest,
            spans.sum(axis=1) + spans.max(axis=1),
        )
        vms = (cut.vms[row] for row in rows.tolist())
        gauges |= zip(vms, map(Readings, *(column.tolist() for column in columns)), strict=True)
    return gauges


class Latency(NamedTuple):
    """The latencies of some VMs in a phase: the weight of each sample, a mask of the samples with I/O, and the I/Os of
    each VM without a latency."""

    cut: Cut
    weights: FloatArray
    busy: npt.NDArray[np.bool_]
    unknown: FloatArray


def latencies(latency: BySeries, rates: BySeries, phase: Phase) -> Iterator[Latency]:
    """The latencies of the VMs in the phase: weighted by I/O if any VM has a rate, otherwise over time."""
    rated = {vm: one for vm, one in latency.items() if vm in rates and _at_the_same_times(one, rates[vm], phase)}
    by_vm = rated if 0 < len(rated) < len(latency) else latency
    for cut in cuts(by_vm, phase, rates if rated else None):
        seconds = np.where(np.isnan(cut.values), 0.0, cut.seconds)
        busy = cut.within & (seconds > 0)
        if cut.beside is None:
            yield Latency(cut, seconds, busy, np.zeros(len(cut.vms)))
        else:
            ios = np.nan_to_num(cut.beside)
            # perfmon writes 0 s if there was no I/O
            unknown = ((cut.seconds - seconds) * ios).sum(axis=1)
            yield Latency(cut, seconds * ios, busy & (ios > 0), unknown)


def _at_the_same_times(one: Samples, other: Samples, phase: Phase) -> bool:
    if one.end is other.end:
        return True
    ours, theirs = (touching(samples, phase.start, phase.end).end for samples in (one, other))
    return np.array_equal(ours, theirs)


class LatencyFigures(NamedTuple):
    """The weight of each VM (`by_io`: I/Os, otherwise seconds) and its I/Os without a latency, the weighted mean in
    seconds (None if the total weight is 0), the samples with I/O and their lengths, and the number of VMs with any."""

    weights: dict[str, float]
    unknown: dict[str, float]
    by_io: bool
    mean: float | None
    busy: list[tuple[FloatArray, FloatArray]]
    busy_vms: int


def _latency_figures(found: Iterable[Latency]) -> LatencyFigures:
    weights: dict[str, float] = {}
    weighted, by_io, busy_vms, keep = 0.0, False, 0, Room().keep
    timed: list[tuple[FloatArray, FloatArray]] = []
    unknown: dict[str, float] = {}
    for cut, weights_of_cut, busy, lost in found:
        unknown |= zip(cut.vms, lost.tolist(), strict=True)
        weights |= zip(cut.vms, weights_of_cut.sum(axis=1).tolist(), strict=True)
        weighted += float(np.nansum(cut.values * weights_of_cut))
        timed.append((keep(cut.values[busy]), keep(np.broadcast_to(cut.span, busy.shape)[busy])))
        by_io, busy_vms = cut.beside is not None, busy_vms + int(busy.any(axis=1).sum())
    total = sum(weights.values())
    return LatencyFigures(weights, unknown, by_io, weighted / total if total > 0 else None, timed, busy_vms)
