"""The samples of a run, cut to one phase. Metrics are computed from these; each part is computed once.

Latency over a phase is the mean over I/Os, and the 95th percentile of the samples with any I/O:

mean = sum over VMs of the integral of latency x rate / the integral of rate, over the VMs whose rate is known; mean
over time if no rate is known.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from workbench.disk_arrays import Room
from workbench.measures.percentile import Timed, over_time, percentile
from workbench.model.metric import Quantity
from workbench.model.phase import Phase
from workbench.model.run import Provisioning, Run
from workbench.phases.integral import (
    Cut,
    Integral,
    binned_all,
    cuts,
    integrate_all,
    overlap,
    totals_of,
    touching,
    weighted_sum,
)
from workbench.study.series.vm_series import BySeries, Samples

MB = 2**20
# A cache disk counts as used after this growth; smaller growth is bookkeeping of the driver.
OVERFLOW_BYTES = 1 * MB
# PVS write caches that begin on a disk: their growth is not an overflow.
_ON_DISK = frozenset(("server", "device-disk"))
FloatArray = npt.NDArray[np.float64]
Part = TypeVar("Part")


class Readings(NamedTuple):
    """The known samples of one VM's counter in a phase, and their indices among all samples of the VM."""

    values: FloatArray
    places: npt.NDArray[np.intp]

    @property
    def last(self) -> float:
        """The last sample."""
        return float(self.values[-1])

    @property
    def highest(self) -> float:
        """The highest sample."""
        return float(self.values.max())


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

    def cuts(self, quantity: Quantity) -> tuple[Cut, ...]:
        """The samples that touch the phase, with their seconds inside it. Those of IOPS are kept, because several
        metrics pool them."""
        if quantity is not Quantity.IOPS:
            return cuts(self.by_vm(quantity), self.phase)
        return self._once("cuts", quantity, lambda: cuts(self.by_vm(quantity), self.phase))

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
        return self._once("pooled", quantity, lambda: _pooled(self.cuts(quantity)))

    def latencies(self, quantity: Quantity, rate: Quantity) -> dict[str, Latency]:
        """The latencies of each VM in the phase, weighted by the I/Os of `rate`."""
        return self._once("latencies", quantity, lambda: latencies(self.by_vm(quantity), self.by_vm(rate), self.phase))

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


def _pooled(parts: tuple[Cut, ...]) -> Timed:
    return over_time([part.inside for part in parts], [part.spans[part.within] for part in parts])


def _readings(by_vm: BySeries, phase: Phase) -> dict[str, Readings]:
    gauges: dict[str, Readings] = {}
    room = Room()
    for vm, samples in by_vm.items():
        first, last = np.searchsorted(samples.end, (phase.start, phase.end), side="left")
        places = first + np.flatnonzero(~np.isnan(samples.values[first:last]))
        if places.size:
            gauges[vm] = Readings(room.keep(samples.values[places]), room.keep(places))
    return gauges


class Latency(NamedTuple):
    """The latencies of one VM with interval lengths (s) and weights, and which samples had I/O. `first` is the index of
    the first one among all samples of the VM."""

    first: int
    values: FloatArray
    spans: FloatArray
    weights: FloatArray
    busy: npt.NDArray[np.bool_]
    by_io: bool


def latencies(latency: BySeries, rates: BySeries, phase: Phase) -> dict[str, Latency]:
    """The latencies of each VM in the phase: weighted by I/O if any VM has a rate, otherwise over time."""
    found: dict[str, Latency] = {}
    room = Room()
    for vm, samples in latency.items():
        part = touching(samples, phase.start, phase.end)
        first = int(np.searchsorted(samples.end, phase.start, side="right"))
        seconds = overlap(part, phase.start, phase.end)
        within = seconds >= 0.5 * np.maximum(part.span, 1e-9)
        rate = touching(rates[vm], phase.start, phase.end) if vm in rates else None
        if rate is None or not np.array_equal(rate.end, part.end):
            found[vm] = Latency(first, part.values, part.span, room.keep(seconds), room.keep(within), by_io=False)
            continue
        ios = np.nan_to_num(rate.values)
        # perfmon writes 0 s if there was no I/O
        weights, busy = room.keep(seconds * ios), room.keep(within & (ios > 0))
        found[vm] = Latency(first, part.values, part.span, weights, busy, by_io=True)
    return {vm: latency for vm, latency in found.items() if latency.by_io} or found


def mean_ms(found: dict[str, Latency]) -> float | None:
    """The weighted mean in ms; None if the total weight is 0."""
    weighted = sum(weighted_sum(latency.values, latency.weights) for latency in found.values())
    weights = sum(float(latency.weights.sum()) for latency in found.values())
    return 1e3 * weighted / weights if weights > 0 else None


def p95_ms(found: dict[str, Latency]) -> float | None:
    """The 95th percentile in ms over the samples with any I/O."""
    room = Room()
    values = [room.keep(latency.values[latency.busy]) for latency in found.values()]
    spans = [room.keep(latency.spans[latency.busy]) for latency in found.values()]
    p95 = percentile(over_time(values, spans), 95)
    return None if p95 is None else 1e3 * p95
