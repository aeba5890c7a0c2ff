"""The overlap-weighted integral: how much of each sample's interval lies inside a phase.

A rate sample is the average over the interval that ends at its time stamp; it counts for the part of that
interval inside `[start, end)`. Source of the rule: PDH rate counters are differences between two collections.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import itemgetter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from workbench import disk_arrays
from workbench.model.phase import Phase
from workbench.study.series.vm_series import BySeries, Samples, values_together

FloatArray = npt.NDArray[np.float64]
# Values that are copied or multiplied together: what fits a core's own cache. All at once would be fresh memory of the
# size of a file.
_TOGETHER = 1 << 16


class Integral(NamedTuple):
    """`total` = sum of rate x seconds; `covered_s` = seconds of the phase that have a sample."""

    total: float
    covered_s: float


# Of thousands of machines an integral each: without a call of Python's own.
# `Integral._make` without a call of Python for each of thousands.
_INTEGRAL = partial(tuple.__new__, Integral)
_TOTAL, _COVERED = itemgetter(0), itemgetter(1)


def touching(samples: Samples, start: float, end: float) -> Samples:
    """The samples whose intervals touch `[start, end)`: views, nothing is copied."""
    first = int(np.searchsorted(samples.end, start, side="right"))
    last = int(np.searchsorted(samples.end, end, side="left")) + 1
    part = slice(first, last)
    return replace(samples, end=samples.end[part], span=samples.span[part], values=samples.values[part])


def overlap(samples: Samples, start: float, end: float) -> FloatArray:
    """Seconds of each sample's interval inside `[start, end)`, 0 where the sample is missing."""
    inside = np.minimum(samples.end, end) - np.maximum(samples.start, start)
    return np.where(np.isnan(samples.values), 0.0, np.maximum(inside, 0.0))


def weighted_sum(values: FloatArray, weights: FloatArray) -> float:
    """Sum of value x weight over what is known. No np.dot: its threads stall on a busy machine."""
    products = values * weights
    return float(products[~np.isnan(products)].sum())


def integrate(samples: Samples, phase: Phase) -> Integral | None:
    """The integral of a rate over a phase; None when no sample of it lies inside (not measured, not 0)."""
    part = touching(samples, phase.start, phase.end)
    weights = overlap(part, phase.start, phase.end)
    covered = float(weights.sum())
    if covered <= 0.0:
        return None
    return Integral(weighted_sum(part.values, weights), covered)


def integrate_each(by_vm: BySeries, phase: Phase) -> list[Integral | None]:
    """`integrate` of each machine, to the last digit; machines of one matrix are weighed together, a few at a time."""
    if values_together(by_vm) is None:
        return [integrate(samples, phase) for samples in by_vm.values()]
    part = _cut(by_vm, [*by_vm], phase)
    covered = float(part.seconds.sum())
    totals = np.concatenate([(part.values[rows] * part.seconds).sum(axis=1) for rows in few_rows(*part.values.shape)])
    return [
        integrate(samples, phase) if np.isnan(total) or covered <= 0.0 else Integral(total, covered)
        for samples, total in zip(by_vm.values(), totals.tolist(), strict=True)
    ]


@dataclass(frozen=True, eq=False)
class Cut:
    """The part of some machines' samples that touches a phase: machines of one file, which share its times.

    `values` has a row per machine in `vms`, NaN where missing; `seconds` are those of each sample inside the
    phase, and `within` tells which samples lie in it for at least half of their interval. `first` is the place of
    the first of them among all samples of the machine. `spans` are the lengths of their intervals in seconds.
    """

    vms: tuple[str, ...]
    values: FloatArray
    seconds: FloatArray
    within: npt.NDArray[np.bool_]
    spans: FloatArray
    first: int = 0

    @property
    def inside(self) -> FloatArray:
        """The columns of `values` that lie in the phase (a view where they stand side by side)."""
        places = np.flatnonzero(self.within)
        if places.size and places[-1] - places[0] == places.size - 1:
            return self.values[:, places[0] : places[-1] + 1]
        return self.values[:, self.within]


def cuts(by_vm: BySeries, phase: Phase) -> tuple[Cut, ...]:
    """The samples of all machines in a phase, those of one file as one table: a sum over all of them is a
    thousand times fewer calls than over one machine after the other."""
    return tuple(_cut(by_vm, vms, phase) for vms in by_times(by_vm))


def integrals(parts: Iterable[Cut]) -> dict[str, Integral]:
    """`integrate` for each machine that has samples in the phase."""
    found: dict[str, Integral] = {}
    for part in parts:
        # No np.dot: its threads stall on a busy machine.
        totals = np.einsum("ij,j->i", part.values, part.seconds)
        covered = np.full(totals.size, part.seconds.sum())
        for row in np.flatnonzero(np.isnan(totals)):
            known = np.where(np.isnan(part.values[row]), 0.0, part.seconds)
            totals[row], covered[row] = weighted_sum(part.values[row], known), known.sum()
        rows = zip(part.vms, map(_INTEGRAL, zip(totals.tolist(), covered.tolist(), strict=True)), strict=True)
        found |= rows if (covered > 0.0).all() else {vm: integral for vm, integral in rows if integral.covered_s > 0.0}
    return found


def totals_of(by_vm: Mapping[str, Integral]) -> list[float]:
    """The totals of the machines, in their order."""
    return [*map(_TOTAL, by_vm.values())]


def covered_of(by_vm: Mapping[str, Integral]) -> list[float]:
    """The seconds of the machines that have a sample, in their order."""
    return [*map(_COVERED, by_vm.values())]


def integrate_all(by_vm: BySeries, phase: Phase) -> dict[str, Integral]:
    """The same from samples, in their order. Machines of one matrix are summed where they lie; of any others only a few
    at a time are copied together."""
    known = integrals(_cut(by_vm, vms, phase) for vms in _groups(by_vm))
    return {vm: known[vm] for vm in by_vm if vm in known} if values_together(by_vm) is None else known


def _groups(by_vm: BySeries) -> Iterator[list[str]]:
    """The machines that are summed together."""
    if values_together(by_vm) is not None:
        yield [*by_vm]
        return
    for vms in by_times(by_vm):
        yield from (vms[rows] for rows in few_rows(len(vms), by_vm[vms[0]].end.size))


def few_rows(machines: int, samples: int) -> Iterator[slice]:
    """The rows of so many machines, with so many samples each, a few at a time: `_TOGETHER` values, at least a row."""
    step = max(1, _TOGETHER // max(1, samples))
    return (slice(at, at + step) for at in range(0, machines, step))


def _cut(by_vm: BySeries, vms: list[str], phase: Phase) -> Cut:
    samples = by_vm[vms[0]]
    first = int(np.searchsorted(samples.end, phase.start, side="right"))
    last = int(np.searchsorted(samples.end, phase.end, side="left")) + 1
    end, span = samples.end[first:last], samples.span[first:last]
    seconds = seconds_inside(end, span, phase.start, phase.end)
    within = (span > 0) & (seconds >= 0.5 * span)
    return Cut(tuple(vms), _stacked(by_vm, vms, slice(first, last)), seconds, within, span, first)


def _stacked(by_vm: BySeries, vms: list[str], part: slice) -> FloatArray:
    """The values of machines that share their times, a row each; not to be changed."""
    values = values_together(by_vm)
    if values is not None and len(vms) == len(by_vm):
        return values[:, part]
    rows = [by_vm[vm].values[part] for vm in vms]
    return np.stack(rows, out=disk_arrays.empty((len(rows), rows[0].size), np.float64))


def mean(samples: Samples, phase: Phase) -> float | None:
    """The mean over the measured seconds of a phase, None when there are none."""
    integral = integrate(samples, phase)
    return None if integral is None else integral.total / integral.covered_s


def inside(samples: Samples, phase: Phase) -> FloatArray:
    """The values of the samples that lie in the phase for at least half of their interval."""
    part = touching(samples, phase.start, phase.end)
    chosen = (part.span > 0) & (overlap(part, phase.start, phase.end) >= 0.5 * part.span)
    values: FloatArray = part.values[chosen & ~np.isnan(part.values)]
    return values


def gauge(samples: Samples, phase: Phase) -> FloatArray:
    """The readings of a gauge taken in `[start, end)`: a gauge speaks for its moment, not for an interval."""
    first, last = np.searchsorted(samples.end, (phase.start, phase.end), side="left")
    values = samples.values[first:last]
    known: FloatArray = values[~np.isnan(values)]
    return known


def binned(samples: Samples, edges: FloatArray) -> FloatArray:
    """The rate averaged over each bin of `edges` (UTC seconds), NaN where nothing was measured.

    Integral-preserving: the sum of bin x covered seconds equals the integral over the same stretch.
    """
    good = ~np.isnan(samples.values) & (samples.span > 0)
    known = replace(samples, end=samples.end[good], span=samples.span[good], values=samples.values[good])
    # A wild value of 1e300 overflows: its bins are not available.
    with np.errstate(over="ignore", invalid="ignore"):
        return _finite(_rates([known], _bins(known, edges))[0])


def binned_all(by_vm: BySeries, edges: FloatArray) -> FloatArray:
    """`binned` of each machine, a row each in their order. Machines of one file share its times, so where each bin
    begins among the samples is looked up once for all of them."""
    rates = np.empty((len(by_vm), edges.size - 1))
    rows, values = dict(zip(by_vm, range(len(by_vm)), strict=True)), values_together(by_vm)
    with np.errstate(over="ignore", invalid="ignore"):
        for vms in by_times(by_vm):
            machines = [by_vm[vm] for vm in vms]
            bins = _bins(machines[0], edges)
            found = _rates(machines, bins) if values is None else _rates_of_all(values, machines[0].span, bins)
            # What is missing makes its bins missing: such a machine has times of its own.
            for row in np.flatnonzero((np.isnan(found) & (bins.covered > 0)).any(axis=1)):
                found[row] = binned(machines[row], edges)
            rates[[rows[vm] for vm in vms]] = found
    return _finite(rates)


def seconds_inside(ends: FloatArray, spans: FloatArray, start: float, end: float) -> FloatArray:
    """The seconds of each interval, by its end and its length, that lie inside `[start, end)`."""
    seconds: FloatArray = np.maximum(np.minimum(ends, end) - np.maximum(ends - spans, start), 0.0)
    return seconds


def by_times(by_vm: BySeries) -> Iterable[list[str]]:
    """The machines that share their times. By identity: the machines of one file hold the same arrays, which live as
    long as `by_vm` does."""
    if values_together(by_vm) is not None:
        return [[*by_vm]]
    alike: dict[tuple[int, int], list[str]] = {}
    for vm, samples in by_vm.items():
        alike.setdefault((id(samples.end), id(samples.span)), []).append(vm)
    return alike.values()


def _finite(rates: FloatArray) -> FloatArray:
    infinite = np.isinf(rates)
    return np.where(infinite, np.nan, rates) if infinite.any() else rates


@dataclass(frozen=True, eq=False)
class _Bins:
    """Where bins lie among samples: of `part` of them, each edge falls into the sample `at`, of which `before`
    seconds lie before it; `covered` are the seconds of each bin that have a sample (0: too few to tell a rate)."""

    part: slice
    at: npt.NDArray[np.intp]
    before: FloatArray
    covered: FloatArray


def _bins(samples: Samples, edges: FloatArray) -> _Bins:
    first, last = np.searchsorted(samples.end, (edges[0], edges[-1]), side="right")
    part = slice(int(first), int(last) + 1)
    end, span = samples.end[part], samples.span[part]
    if not end.size:
        return _Bins(part, np.zeros(0, np.intp), np.zeros(0), np.zeros(edges.size - 1))
    at = np.searchsorted(end, edges, side="right")
    beyond = at == end.size
    at = np.minimum(at, end.size - 1)
    before = np.clip(edges - (end[at] - span[at]), 0.0, span[at])
    before[beyond] = span[-1]
    covered = _between(np.add.reduceat(span, at), before, at)
    # Below this share of a bin the quotient is rounding noise.
    return _Bins(part, at, before, np.where(covered > 1e-6 * np.diff(edges), covered, 0.0))


def _rates(machines: Sequence[Samples], bins: _Bins) -> FloatArray:
    """The rates of machines that share their times, a row each: between neighbouring edges lie whole samples, less
    what of the first lies before its edge, more what of the last does. Sums within a bin keep small rates that running
    sums would lose after large ones."""
    rates = np.full((len(machines), bins.covered.size), np.nan)
    if not bins.at.size:
        return rates
    span = machines[0].span[bins.part]
    amounts, edges = (np.empty((len(machines), bins.at.size)) for _ in range(2))
    for row, samples in enumerate(machines):
        values = samples.values[bins.part]
        np.add.reduceat(values * span, bins.at, out=amounts[row])
        edges[row] = values[bins.at]
    total = _between(amounts, edges * bins.before, bins.at)
    np.divide(total, bins.covered, out=rates, where=bins.covered > 0)
    return rates


def _rates_of_all(values: FloatArray, span: FloatArray, bins: _Bins) -> FloatArray:
    """The same of machines whose values are the rows of one matrix; only a few at a time are multiplied together."""
    rates = np.full((len(values), bins.covered.size), np.nan)
    if not bins.at.size:
        return rates
    values, span = values[:, bins.part], span[bins.part]
    amounts = np.empty((len(values), bins.at.size))
    for rows in few_rows(*values.shape):
        np.add.reduceat(values[rows] * span, bins.at, axis=1, out=amounts[rows])
    total = _between(amounts, values[:, bins.at] * bins.before, bins.at)
    np.divide(total, bins.covered, out=rates, where=bins.covered > 0)
    return rates


def _between(amounts: FloatArray, before: FloatArray, at: npt.NDArray[np.intp]) -> FloatArray:
    """What lies between neighbouring edges, along the last axis: `amounts` from the sample of each edge to that of the
    next, and of it what lies `before` the edge."""
    whole = np.where(at[:-1] == at[1:], 0.0, amounts[..., :-1])
    between: FloatArray = whole - before[..., :-1] + before[..., 1:]
    return between


def known_values(blocks: Sequence[FloatArray]) -> FloatArray:
    """The values of all blocks (of one dimension or two) that are not missing, in their order, as a new array."""
    known: FloatArray = disk_arrays.empty(sum(block.size for block in blocks), np.float64)
    end = 0
    with np.errstate(over="ignore", invalid="ignore"):
        for table in map(np.atleast_2d, blocks):
            for rows in few_rows(*table.shape):
                values = table[rows].ravel()
                # A sum costs less than a look at each.
                held = values[~np.isnan(values)] if np.isnan(values.sum()) else values
                known[end : end + held.size] = held
                end += held.size
    return known[:end]
