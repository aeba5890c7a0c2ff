"""The computation of metrics: a rule gives the value and, from the same weights, the contribution of each sample.

Every rule has `value`, the value of one phase, and `uses`, the samples of each VM with their weights. The sum of weight
x sample is the value. Percentiles and counts use samples without weights.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from workbench.disk_arrays import Room
from workbench.measures.percentile import over_time, percentile, within_run
from workbench.measures.phase_samples import MB, PhaseSamples, overflow_place, users_of
from workbench.model.metric import Quantity
from workbench.model.source import WithinRun
from workbench.phases.integral import Cut, covered_of, seconds_inside, totals_of

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]


class Use(NamedTuple):
    """The use of one VM's samples by a metric. `used` are indices of its samples. `weights` times value is the
    contribution; None if the metric is not a sum."""

    vm: str
    quantity: Quantity
    used: BoolArray
    weights: FloatArray | None


class Rule(Protocol):
    """The computation of a metric. `quantities` are its inputs."""

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        """The quantities that the rule reads."""

    def value(self, samples: PhaseSamples, /) -> float | None:
        """The value in a phase; None if not available."""

    def uses(self, samples: PhaseSamples, /) -> Iterator[Use]:
        """The samples behind the value, one VM at a time, because all together may take gigabytes."""


Divisor = Callable[[PhaseSamples, int], float | None]


def per_second(samples: PhaseSamples, _vms: int) -> float:
    """Divide by the seconds of the phase."""
    return samples.phase.duration_s


def per_vm(_samples: PhaseSamples, vms: int) -> float:
    """Divide by the number of measured VMs."""
    return vms


def per_user(samples: PhaseSamples, vms: int) -> float | None:
    """Divide by the number of users on the measured VMs."""
    return users_of(samples.run, vms)


@dataclass(frozen=True, slots=True)
class _Reads:
    """A rule over one quantity."""

    quantity: Quantity

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        return (self.quantity,)


@dataclass(frozen=True, slots=True)
class Total(_Reads):
    """The integral of a rate over the phase, summed over VMs, then divided by each of `over` in turn. Time without
    samples makes it a lower bound."""

    over: tuple[Divisor, ...] = ()

    def value(self, samples: PhaseSamples) -> float | None:
        total = samples.total(self.quantity)
        return None if total is None else self.divided(total, samples, len(samples.integrals(self.quantity)))

    def divided(self, total: float, samples: PhaseSamples, vms: int) -> float | None:
        """The value for this number of I/Os and VMs. Only run and phase of `samples` are used."""
        value: float | None = total
        for divisor in self._divisors(samples, vms):
            value = None if value is None or not divisor else value / divisor
        return value

    def uses(self, samples: PhaseSamples) -> Iterator[Use]:
        vms = len(samples.integrals(self.quantity))
        over = math.prod(divisor or math.nan for divisor in self._divisors(samples, vms))
        return (Use(vm, self.quantity, used, seconds / over) for vm, used, seconds in _held(samples, self.quantity))

    def _divisors(self, samples: PhaseSamples, vms: int) -> list[float | None]:
        return [divisor(samples, vms) for divisor in self.over]


@dataclass(frozen=True, slots=True)
class SampleShare(_Reads):
    """`quantity` in percent of all reads and writes, over the VMs that have both."""

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        return _HALVES

    def value(self, samples: PhaseSamples) -> float | None:
        totals = self._totals(samples)
        if totals is None or sum(totals) <= 0:
            return None
        reads = 100 * totals[0] / sum(totals)
        return reads if self.quantity is Quantity.READ_IOPS else 100 - reads

    def uses(self, samples: PhaseSamples) -> Iterator[Use]:
        total, both = sum(self._totals(samples) or (math.nan,)), self._both(samples)
        return (
            Use(vm, half, used, 100 * seconds / total if half is self.quantity else None)
            for half in _HALVES
            for vm, used, seconds in _held(samples, half)
            if vm in both
        )

    def _both(self, samples: PhaseSamples) -> list[str]:
        reads, writes = (samples.integrals(half) for half in _HALVES)
        return [vm for vm in reads if vm in writes]

    def _totals(self, samples: PhaseSamples) -> tuple[float, float] | None:
        both, of_halves = self._both(samples), [samples.integrals(half) for half in _HALVES]
        if all(len(both) == len(of_half) for of_half in of_halves):
            reads, writes = (sum(totals_of(of_half)) for of_half in of_halves)
        else:
            reads, writes = (sum(of_half[vm].total for vm in both) for of_half in of_halves)
        return (reads, writes) if both else None


@dataclass(frozen=True, slots=True)
class MeanOverTime(_Reads):
    """The mean over VMs of each VM's mean over its measured seconds of the phase. Times are in ms."""

    def value(self, samples: PhaseSamples) -> float | None:
        values = [integral.total / integral.covered_s for integral in samples.integrals(self.quantity).values()]
        return float(np.mean(values)) / _shown(self.quantity) if values else None

    def uses(self, samples: PhaseSamples) -> Iterator[Use]:
        integrals = samples.integrals(self.quantity)
        return (
            Use(vm, self.quantity, used, seconds / (integrals[vm].covered_s * len(integrals) * _shown(self.quantity)))
            for vm, used, seconds in _held(samples, self.quantity)
        )


@dataclass(frozen=True, slots=True)
class MeanLatency(_Reads):
    """The mean latency of all I/Os in ms. The weight of a sample is its I/Os by `rate`, otherwise its seconds."""

    rate: Quantity

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        return self.quantity, self.rate

    def value(self, samples: PhaseSamples) -> float | None:
        mean = samples.latency(self.quantity, self.rate).mean
        return None if mean is None else 1e3 * mean

    def uses(self, samples: PhaseSamples) -> Iterator[Use]:
        total = sum(samples.latency(self.quantity, self.rate).weights.values()) or math.nan
        return (
            self._use(samples, found.cut, row, found.weights[row] > 0, 1e3 * found.weights[row] / total)
            for found in samples.latencies(self.quantity, self.rate)
            for row in range(len(found.cut.vms))
        )

    def _use(self, samples: PhaseSamples, cut: Cut, row: int, used: BoolArray, weights: FloatArray | None) -> Use:
        vm, first = cut.vms[row], int(cut.first[row])
        count = samples.by_vm(self.quantity)[vm].end.size
        placed = None if weights is None else _placed(weights, first, count)
        return Use(vm, self.quantity, _placed(used, first, count), placed)


@dataclass(frozen=True, slots=True)
class PercentileOfLatency(MeanLatency):
    """The 95th percentile in ms over the samples with any I/O."""

    def value(self, samples: PhaseSamples) -> float | None:
        p95 = percentile(over_time(samples.latency(self.quantity, self.rate).busy), 95)
        return None if p95 is None else 1e3 * p95

    def uses(self, samples: PhaseSamples) -> Iterator[Use]:
        return (
            self._use(samples, found.cut, row, found.busy[row], None)
            for found in samples.latencies(self.quantity, self.rate)
            for row in range(len(found.cut.vms))
        )

    def within(self, samples: PhaseSamples, value: float) -> WithinRun | None:
        """The uncertainty of the value within the run."""
        parts, keep = [], Room().keep
        for found in samples.latencies(self.quantity, self.rate):
            shape = found.busy.shape
            cells = np.broadcast_to(found.cut.end, shape), np.broadcast_to(found.cut.span, shape), found.cut.values
            parts += [
                (keep(end[used]), keep(span[used]), keep(values[used]))
                for end, span, values, used in zip(*cells, found.busy, strict=True)
            ]
        return within_run(parts, 95, value, 1e3)


@dataclass(frozen=True, slots=True)
class Percentile(_Reads):
    """A percentile over all samples of all VMs in the phase. Times are in ms."""

    percent: float

    def value(self, samples: PhaseSamples) -> float | None:
        value = percentile(samples.pooled(self.quantity), self.percent)
        return None if value is None else value / _shown(self.quantity)

    def uses(self, samples: PhaseSamples) -> Iterator[Use]:
        return _lying_inside(samples, self.quantity)

    def within(self, samples: PhaseSamples, value: float) -> WithinRun | None:
        """The uncertainty of the value within the run."""
        parts = [part for cut in samples.cuts(self.quantity) for part in cut.groups()]
        timed = [(part.end[0, part.within[0]], *part.pooled()[::-1]) for part in parts]
        return within_run(timed, self.percent, value, 1 / _shown(self.quantity))


@dataclass(frozen=True, slots=True)
class Peak(_Reads):
    """The highest sample of any VM in the phase."""

    def value(self, samples: PhaseSamples) -> float | None:
        pooled = samples.pooled(self.quantity).values
        return float(pooled.max()) if pooled.size else None

    def uses(self, samples: PhaseSamples) -> Iterator[Use]:
        highest: list[tuple[float, str, int]] = []
        for one in _lying_inside(samples, self.quantity):
            values = np.where(one.used, samples.by_vm(self.quantity)[one.vm].values, np.nan)
            if not np.isnan(values).all():
                place = int(np.nanargmax(values))
                highest.append((float(values[place]), one.vm, place))
        return _highest(samples, self.quantity, highest, 1.0)


@dataclass(frozen=True, slots=True)
class LastReading(_Reads):
    """The mean over VMs of the last sample of a counter in the phase: in MB for a counter of bytes, otherwise in its
    unit."""

    def value(self, samples: PhaseSamples) -> float | None:
        last = [readings.last for readings in samples.readings(self.quantity).values()]
        return float(np.mean(last)) / _shown(self.quantity) if last else None

    def uses(self, samples: PhaseSamples) -> Iterator[Use]:
        found = samples.readings(self.quantity)
        return (
            _single(samples, self.quantity, vm, readings.last_place, 1 / (_shown(self.quantity) * len(found)))
            for vm, readings in found.items()
        )


@dataclass(frozen=True, slots=True)
class HighestReading(_Reads):
    """The highest sample of any VM's counter in the phase: in MB for a counter of bytes, otherwise in its unit, or in
    percent of the RAM cache size."""

    of_size: bool = False

    def value(self, samples: PhaseSamples) -> float | None:
        found = samples.readings(self.quantity)
        peak = max(readings.highest for readings in found.values()) / _shown(self.quantity) if found else None
        if peak is None or not self.of_size:
            return peak
        size = samples.run.configuration.ram_cache_mb
        return 100 * peak / size if size else None

    def uses(self, samples: PhaseSamples) -> Iterator[Use]:
        size = samples.run.configuration.ram_cache_mb or math.nan
        highest = [(one.highest, vm, one.highest_place) for vm, one in samples.readings(self.quantity).items()]
        weight = 100 / (MB * size) if self.of_size else 1 / _shown(self.quantity)
        return _highest(samples, self.quantity, highest, weight)


@dataclass(frozen=True, slots=True)
class Overflow(_Reads):
    """Time of the first sample at which a VM's cache disk had grown by 1 MB from its lowest so far, in UTC seconds."""

    def value(self, samples: PhaseSamples) -> float | None:
        moment = samples.whole.overflow(self.quantity)
        return moment if moment is not None and samples.phase.start <= moment < samples.phase.end else None

    def uses(self, samples: PhaseSamples) -> Iterator[Use]:
        value, by_vm = self.value(samples), samples.by_vm(self.quantity)
        places = {vm: overflow_place(samples) for vm, samples in by_vm.items()}
        return (
            _single(samples, self.quantity, vm, place, None)
            for vm, place in places.items()
            if place is not None and by_vm[vm].end[place] == value
        )


@dataclass(frozen=True, slots=True)
class Counted(_Reads):
    """The result of `count` for the VMs with samples of the quantity, or for their seconds."""

    count: Callable[[PhaseSamples, Quantity], float | None]

    def value(self, samples: PhaseSamples) -> float | None:
        return self.count(samples, self.quantity)

    def uses(self, samples: PhaseSamples) -> Iterator[Use]:
        return _lying_inside(samples, self.quantity)


@dataclass(frozen=True, slots=True)
class Stated:
    """A value that the run or the phase states. No samples are used."""

    says: Callable[[PhaseSamples], float | None]
    quantities: tuple[Quantity, ...] = ()

    def value(self, samples: PhaseSamples) -> float | None:
        return self.says(samples)

    def uses(self, _samples: PhaseSamples) -> Iterator[Use]:
        return iter(())


def measured_vms(samples: PhaseSamples, quantity: Quantity) -> float | None:
    """The number of VMs with samples in the phase, otherwise the number that the run states."""
    return len(samples.integrals(quantity)) or samples.run.vms


def measured_percent(samples: PhaseSamples, quantity: Quantity) -> float | None:
    """The measured share of the phase in percent, mean over the measured VMs."""
    seconds = covered_of(samples.integrals(quantity))
    return 100 * float(np.mean(seconds)) / samples.phase.duration_s if seconds else None


_HALVES = (Quantity.READ_IOPS, Quantity.WRITE_IOPS)


def _shown(quantity: Quantity) -> float:
    """Size of the displayed unit: 2^20 for bytes (displayed as MB), a thousandth for seconds (displayed as ms)."""
    return {"B": MB, "s": 1e-3}.get(quantity.unit, 1.0)


def _placed(values: npt.NDArray[Any], first: int, count: int) -> npt.NDArray[Any]:
    """`values` at index `first` of an array of length `count`, 0 elsewhere."""
    found = np.zeros(count, values.dtype)
    found[first : first + values.size] = values[: count - first]
    return found


def _held(samples: PhaseSamples, quantity: Quantity) -> Iterator[tuple[str, BoolArray, FloatArray]]:
    """The VMs with samples in the phase, and the seconds of each sample inside the phase."""
    for vm in samples.integrals(quantity):
        seconds = _seconds(samples, quantity, vm)
        yield vm, seconds > 0, seconds


def _lying_inside(samples: PhaseSamples, quantity: Quantity) -> Iterator[Use]:
    """The samples with at least half of their interval in the phase, without weights."""
    for vm, one in samples.by_vm(quantity).items():
        within = (one.span > 0) & (_seconds(samples, quantity, vm) >= 0.5 * one.span)
        yield Use(vm, quantity, within, None)


def _seconds(samples: PhaseSamples, quantity: Quantity, vm: str) -> FloatArray:
    one, phase = samples.by_vm(quantity)[vm], samples.phase
    return seconds_inside(one.end, one.span, phase.start, phase.end)


def _highest(
    samples: PhaseSamples, quantity: Quantity, highest: list[tuple[float, str, int]], weight: float
) -> Iterator[Use]:
    """The one sample with the highest value of all VMs, of the highest one of each VM with its place."""
    if highest:
        _, vm, place = max(highest, key=lambda one: one[0])
        yield _single(samples, quantity, vm, place, weight)


def _single(samples: PhaseSamples, quantity: Quantity, vm: str, place: int, weight: float | None) -> Use:
    used = np.zeros(samples.by_vm(quantity)[vm].end.size, np.bool_)
    used[place] = True
    return Use(vm, quantity, used, None if weight is None else np.where(used, weight, 0.0))
