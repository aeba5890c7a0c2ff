"""The overlap-weighted integral: how much of each sample's interval is inside a phase.

A rate sample is the mean over the interval that ends at its timestamp. It counts for the part of that interval inside
`[start, end)`. Source of the rule: PDH rate counters are differences between two collections.
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
from workbench.study.series.vm_series import BySeries, Matrix, Samples

FloatArray = npt.NDArray[np.float64]
# Number of values copied or multiplied together: it fits the cache of a core. All at once would need new memory of the
# size of a file.
_TOGETHER = 1 << 16


class Integral(NamedTuple):
    """`total` = sum of rate x seconds; `covered_s` = seconds of the phase that have a sample."""

    total: float
    covered_s: float


# Hot path: skips the Python constructor for thousands of machines.
_INTEGRAL = partial(tuple.__new__, Integral)
_TOTAL, _COVERED = itemgetter(0), itemgetter(1)


def touching(samples: Samples, start: float, end: float) -> Samples:
    """The samples whose intervals touch `[start, end)`, as views without copying."""
    first = int(np.searchsorted(samples.end, start, side="right"))
    last = int(np.searchsorted(samples.end, end, side="left")) + 1
    part = slice(first, last)
    return replace(samples, end=samples.end[part], span=samples.span[part], values=samples.values[part])


def overlap(samples: Samples, start: float, end: float) -> FloatArray:
    """Seconds of each sample's interval inside `[start, end)`; 0 if the sample is missing."""
    inside = np.minimum(samples.end, end) - np.maximum(samples.start, start)
    return np.where(np.isnan(samples.values), 0.0, np.maximum(inside, 0.0))


def weighted_sum(values: FloatArray, weights: FloatArray) -> float:
    """Sum of value x weight over known values. Does not use np.dot: its threads stall on a busy machine."""
    products = values * weights
    return float(products[~np.isnan(products)].sum())


def integrate(samples: Samples, phase: Phase) -> Integral | None:
    """The integral of a rate over a phase; None if no sample is inside (not measured, not 0)."""
    part = touching(samples, phase.start, phase.end)
    weights = overlap(part, phase.start, phase.end)
    covered = float(weights.sum())
    if covered <= 0.0:
        return None
    return Integral(weighted_sum(part.values, weights), covered)


@dataclass(frozen=True, eq=False)
class Cut:
    """The part of some machines' samples that touches a phase. The machines are from one file and share its times.

    `values` has one row per machine in `vms`, NaN if missing. `seconds` is the part of each sample inside the phase.
    `within` marks samples with at least half of their interval inside. `first` is the index of the first one among all
    samples of the machine. `spans` are the interval lengths in seconds.
    """

    vms: tuple[str, ...]
    values: FloatArray
    seconds: FloatArray
    within: npt.NDArray[np.bool_]
    spans: FloatArray
    first: int = 0

    @property
    def inside(self) -> FloatArray:
        """The columns of `values` inside the phase (a view if they are adjacent)."""
        places = np.flatnonzero(self.within)
        if places.size and places[-1] - places[0] == places.size - 1:
            return self.values[:, places[0] : places[-1] + 1]
        return self.values[:, self.within]


def cuts(by_vm: BySeries, phase: Phase) -> tuple[Cut, ...]:
    """The samples of all machines in a phase, one table per file. Summing tables needs a thousand times fewer calls
    than summing machine by machine."""
    return tuple(_cut(by_vm, vms, phase) for vms in by_times(by_vm))


def integrate_all(by_vm: BySeries, phase: Phase) -> dict[str, Integral]:
    """`integrate` for each machine that has samples in the phase, in their order. Machines of one matrix are summed in
    place; of others only a few at a time are copied together."""
    found: dict[str, Integral] = {}
    for part in (_cut(by_vm, vms, phase) for vms in _groups(by_vm)):
        # Does not use np.dot: its threads stall on a busy machine.
        totals = np.einsum("ij,j->i", part.values, part.seconds)
        covered = np.full(totals.size, part.seconds.sum())
        for row in np.flatnonzero(np.isnan(totals)):
            known = np.where(np.isnan(part.values[row]), 0.0, part.seconds)
            totals[row], covered[row] = weighted_sum(part.values[row], known), known.sum()
        rows = zip(part.vms, map(_INTEGRAL, zip(totals.tolist(), covered.tolist(), strict=True)), strict=True)
        found |= rows if (covered > 0.0).all() else {vm: integral for vm, integral in rows if integral.covered_s > 0.0}
    return {vm: found[vm] for vm in by_vm if vm in found}


def totals_of(by_vm: Mapping[str, Integral]) -> list[float]:
    """The totals of the machines, in their order."""
    return [*map(_TOTAL, by_vm.values())]


def covered_of(by_vm: Mapping[str, Integral]) -> list[float]:
    """The covered seconds of the machines, in their order."""
    return [*map(_COVERED, by_vm.values())]


def _groups(by_vm: BySeries) -> Iterator[list[str]]:
    """The groups of machines that are summed together."""
    for vms in by_times(by_vm):
        if isinstance(by_vm, Matrix):
            yield vms
        else:
            yield from (vms[rows] for rows in few_rows(len(vms), by_vm[vms[0]].end.size))


def few_rows(machines: int, samples: int) -> Iterator[slice]:
    """Slices of a few rows at a time: at most `_TOGETHER` values, at least one row."""
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
    """The values of machines that share their times, one row each. Do not change them."""
    if isinstance(by_vm, Matrix) and len(vms) == len(by_vm):
        return by_vm.table[:, part]
    rows = [by_vm[vm].values[part] for vm in vms]
    return np.stack(rows, out=disk_arrays.empty((len(rows), rows[0].size), np.float64))


def mean(samples: Samples, phase: Phase) -> float | None:
    """The mean over the measured seconds of a phase; None if there are none."""
    integral = integrate(samples, phase)
    return None if integral is None else integral.total / integral.covered_s


def inside(samples: Samples, phase: Phase) -> FloatArray:
    """The values of the samples with at least half of their interval in the phase."""
    part = touching(samples, phase.start, phase.end)
    chosen = (part.span > 0) & (overlap(part, phase.start, phase.end) >= 0.5 * part.span)
    values: FloatArray = part.values[chosen & ~np.isnan(part.values)]
    return values


def gauge(samples: Samples, phase: Phase) -> FloatArray:
    """The samples of a gauge taken in `[start, end)`: a gauge describes a moment, not an interval."""
    first, last = np.searchsorted(samples.end, (phase.start, phase.end), side="left")
    values = samples.values[first:last]
    known: FloatArray = values[~np.isnan(values)]
    return known


def binned(samples: Samples, edges: FloatArray) -> FloatArray:
    """The mean rate in each bin of `edges` (UTC seconds); NaN if nothing was measured.

    Preserves the integral: the sum of bin x covered seconds equals the integral over the whole span.
    """
    good = ~np.isnan(samples.values) & (samples.span > 0)
    known = replace(samples, end=samples.end[good], span=samples.span[good], values=samples.values[good])
    # A faulty value of 1e300 overflows; its bins are not available.
    with np.errstate(over="ignore", invalid="ignore"):
        bins = _bins(known, edges)
        return _finite(_rates(known.values[None, bins.part], known.span[bins.part], bins)[0])


def binned_all(by_vm: BySeries, edges: FloatArray) -> FloatArray:
    """`binned` for each machine, one row each in their order. The bins are looked up once per file, because its
    machines share their times."""
    rates = np.empty((len(by_vm), edges.size - 1))
    places = dict(zip(by_vm, range(len(by_vm)), strict=True))
    with np.errstate(over="ignore", invalid="ignore"):
        for vms in _groups(by_vm):
            first = by_vm[vms[0]]
            bins = _bins(first, edges)
            found = _rates(_stacked(by_vm, vms, bins.part), first.span[bins.part], bins)
            # A missing sample makes all its bins missing, so this machine is binned separately.
            for row in np.flatnonzero((np.isnan(found) & (bins.covered > 0)).any(axis=1)):
                found[row] = binned(by_vm[vms[row]], edges)
            rates[[places[vm] for vm in vms]] = found
    return _finite(rates)


def seconds_inside(ends: FloatArray, spans: FloatArray, start: float, end: float) -> FloatArray:
    """The seconds of each interval (by its end and length) inside `[start, end)`."""
    seconds: FloatArray = np.maximum(np.minimum(ends, end) - np.maximum(ends - spans, start), 0.0)
    return seconds


def by_times(by_vm: BySeries) -> Iterable[list[str]]:
    """Groups of machines that share their times. Compared by identity: the machines of one file have the same arrays,
    which exist as long as `by_vm`."""
    if isinstance(by_vm, Matrix):
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
    """Position of bins among the samples.

    Each edge is in sample `at` of `part`, after `before` seconds of it. `covered` is the seconds of each bin that have
    a sample (0: too few for a rate).
    """

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


def _rates(values: FloatArray, span: FloatArray, bins: _Bins) -> FloatArray:
    """The rates of machines that share their times, one row each. `values` and `span` are those of `bins.part`.

    The amount between two edges is that of whole samples, minus the part of the first sample before its edge, plus the
    part of the last one before its edge. Sums within a bin keep small rates, which running sums would lose after large
    ones. Only a few machines are multiplied at a time.
    """
    rates = np.full((len(values), bins.covered.size), np.nan)
    if not bins.at.size:
        return rates
    amounts = np.empty((len(values), bins.at.size))
    for rows in few_rows(*values.shape):
        np.add.reduceat(values[rows] * span, bins.at, axis=1, out=amounts[rows])
    total = _between(amounts, values[:, bins.at] * bins.before, bins.at)
    np.divide(total, bins.covered, out=rates, where=bins.covered > 0)
    return rates


def _between(amounts: FloatArray, before: FloatArray, at: npt.NDArray[np.intp]) -> FloatArray:
    """The amount between neighbouring edges, along the last axis. `amounts` are from the sample of each edge to that of
    the next; `before` is the part of each before the edge."""
    whole = np.where(at[:-1] == at[1:], 0.0, amounts[..., :-1])
    between: FloatArray = whole - before[..., :-1] + before[..., 1:]
    return between


def known_values(blocks: Sequence[FloatArray]) -> FloatArray:
    """The values of all blocks (1-D or 2-D) that are not missing, in their order, as a new array."""
    known: FloatArray = disk_arrays.empty(sum(block.size for block in blocks), np.float64)
    end = 0
    with np.errstate(over="ignore", invalid="ignore"):
        for table in map(np.atleast_2d, blocks):
            for rows in few_rows(*table.shape):
                values = table[rows].ravel()
                # One sum is cheaper than testing each value.
                held = values[~np.isnan(values)] if np.isnan(values.sum()) else values
                known[end : end + held.size] = held
                end += held.size
    return known[:end]
